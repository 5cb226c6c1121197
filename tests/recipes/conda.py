"""Builds the conda recipe with what the machine has in place of conda-forge's packages. Usage: conda.py RECIPE OUTPUT_FOLDER"""
import pathlib
import sys

import rattler_build

path = pathlib.Path(sys.argv[1]).resolve()
output = pathlib.Path(sys.argv[2]).resolve()
recipe = rattler_build.Stage0Recipe.from_file(path)
# With conda-forge's packages; the same as the command does before it looks for them.
print(recipe.render(rattler_build.VariantConfig.from_file(path.parent / "variants.yaml")))
words = recipe.to_dict()
del words["requirements"]
words["source"][0]["path"] = str((path.parent / words["source"][0]["path"]).resolve())
place = output / "recipe"  # rattler-build writes there
place.mkdir(parents=True)
for variant in rattler_build.Stage0Recipe.from_dict(words, recipe_dir=place).render():
    built = variant.run_build(tool_config=rattler_build.ToolConfiguration(test_strategy="native"), output_dir=output, channels=[])
    print("\n".join(map(str, built.packages)))

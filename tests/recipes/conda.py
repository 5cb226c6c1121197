"""Builds the conda recipe with what the machine has in place of conda-forge's packages. Usage: conda.py RECIPE OUTPUT_FOLDER"""
import pathlib
import sys

import rattler_build

recipe = rattler_build.Stage0Recipe.from_file(sys.argv[1])
words = recipe.to_dict()
del words["requirements"]
here = rattler_build.Stage0Recipe.from_dict(words)
for variant in here.render():
    built = variant.run_build(
        tool_config=rattler_build.ToolConfiguration(test_strategy="native"), output_dir=sys.argv[2], channels=[],
        recipe_path=pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(map(str, built.packages)))

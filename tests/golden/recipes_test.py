#!/usr/bin/env python3
"""Every library that CMake looks for is in each recipe, and so is the version. Usage: recipes_test.py ROOT

scripts/check_recipes builds them, which takes too long for every change.
"""
import json
import pathlib
import re
import sys

# What cmake/dependencies.cmake calls it: Debian's package, conda-forge's, vcpkg's; none: of the system.
LIBRARIES = {
    "nlohmann_json": ("nlohmann-json3-dev", "nlohmann_json", "nlohmann-json"),
    "fmt": ("libfmt-dev", "fmt", "fmt"),
    "CLI11": ("libcli11-dev", "cli11", "cli11"),
    "program_options": ("libboost-program-options-dev", "libboost-devel", "boost-program-options"),
    "iostreams": ("libboost-iostreams-dev", "libboost-devel", "boost-iostreams"),
    "filesystem": ("libboost-filesystem-dev", "libboost-devel", "boost-filesystem"),
    "PkgConfig": ("pkg-config", "pkg-config", None),
    "ZLIB": ("zlib1g-dev", "zlib", "zlib"),
    "pugixml": ("libpugixml-dev", "pugixml", "pugixml"),
    "libmd": ("libmd-dev", "libmd", "libmd"),
    "sqlite3": ("libsqlite3-dev", "libsqlite", "sqlite3"),
    "libzstd": ("libzstd-dev", "zstd", "zstd"),
    "re2": ("libre2-dev", "re2", "re2"),
    "gnuplot-iostream.h": ("libgnuplot-iostream-dev", None, "gnuplot-iostream"),
    "Threads": (None, None, None),
}


def looked_for(cmake):
    cmake = re.sub(r"#.*", "", cmake)
    names = set(re.findall(r"find_package\((?!Boost)(\w+)", cmake))
    names |= set(re.search(r"find_package\(Boost .*COMPONENTS ([\w ]+)\)", cmake)[1].split())
    names |= set(re.findall(r"pkg_check_modules\(\w+ REQUIRED IMPORTED_TARGET GLOBAL ([\w-]+)", cmake))
    return names | set(re.findall(r"find_path\(\w+ (\S+)", cmake))


def main():
    root = pathlib.Path(sys.argv[1])
    cmake = (root / "cmake/dependencies.cmake").read_text()
    assert looked_for(cmake) == set(LIBRARIES), looked_for(cmake) ^ set(LIBRARIES)
    conan = re.findall(r'"([\w.+-]+)"', (root / "packaging/conan/conanfile.py").read_text())
    conda = (root / "packaging/conda/recipe.yaml").read_text()
    in_conda = re.findall(r"^    - (\S+)", conda, re.M)
    port = json.loads((root / "packaging/vcpkg/trtlens/vcpkg.json").read_text())
    in_vcpkg = [d if isinstance(d, str) else d["name"] for d in port["dependencies"]]
    for library, names in LIBRARIES.items():
        for name, recipe, has in zip(names, ("conan", "conda", "vcpkg"), (conan, in_conda, in_vcpkg)):
            assert name is None or name in has, f"{recipe} lacks {name} for {library}"
    headers = set()
    for source in [f for folder in ("parsers", "analyzers", "report") for f in (root / folder).rglob("*.[ch]*")]:
        headers |= set(re.findall(r"#include <boost/(\w+)", source.read_text()))
    assert headers > {"math"}, headers
    for header in headers:  # vcpkg installs each library of Boost by itself
        assert f"boost-{header}".replace("_", "-") in in_vcpkg, f"vcpkg lacks boost-{header}"
    version = re.search(r"project\(trtlens VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]
    assert port["version"] == version, port["version"]
    assert f'version: "{version}"' in conda, version


main()

"""trtlens as a Conan package, built against the packages of Debian or Ubuntu: conan create packaging/conan

Conan installs them where it may (-c tools.system.package_manager:mode=install), and names the missing ones where not.
Conan Center has no gnuplot-iostream, so nothing is required from there.
"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.0"


class Trtlens(ConanFile):
    name = "trtlens"
    description = "trtexec log and layer-profile analyzer: the command trtlens, and its libraries for find_package(trtlens)"
    license = "Apache-2.0"
    url = "https://github.com/trtlens/trtlens"
    topics = ("tensorrt", "trtexec", "quantization", "profiling")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = re.search(r"project\(trtlens VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        for name in ("CMakeLists.txt", "LICENSE", "LICENSES/*", "README.md", "CHANGELOG.md", "cmake/*", "parsers/*", "analyzers/*",
                     "report/*"):
            copy(self, name, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def system_requirements(self):
        Apt(self).install([
            "pkg-config", "libre2-dev", "nlohmann-json3-dev", "libfmt-dev", "libcli11-dev", "libboost-program-options-dev",
            "libboost-iostreams-dev", "libboost-filesystem-dev", "libgnuplot-iostream-dev", "libpugixml-dev", "libzstd-dev",
            "zlib1g-dev", "libmd-dev", "libsqlite3-dev",
        ], check=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TRTLENS_TESTS"] = False
        toolchain.cache_variables["CMAKE_INSTALL_LIBDIR"] = "lib"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE*", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share", "doc"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # the package brings its own
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "trtlens")]

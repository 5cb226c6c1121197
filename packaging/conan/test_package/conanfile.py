"""A program that finds the libraries, and the command."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class TrtlensTest(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps", "VirtualRunEnv"

    def requirements(self):
        self.requires(self.tested_reference_str, run=True)  # the command, too

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=os.path.join(self.recipe_folder, "..", "..", "example"))
        cmake.build()

    def test(self):
        if can_run(self):
            build = os.path.join(self.recipe_folder, "..", "..", "..", "fixtures", "builds", "b_r18_q_conv")
            self.run(f'"{os.path.join(self.cpp.build.bindir, "example")}" "{build}"', env="conanrun")
            self.run(f'trtlens analyze "{build}" -q -o text:-', env="conanrun")

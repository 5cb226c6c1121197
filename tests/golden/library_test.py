#!/usr/bin/env python3
"""packaging/example finds the installed library, is built with it, and says what it is to say.

Usage: library_test.py BUILD_FOLDER ROOT [COMPILER_LAUNCHER]
"""
import pathlib
import subprocess
import sys
import tempfile

build, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.argv[3]}"] if len(sys.argv) > 3 and sys.argv[3] else []
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder)

    def run(*words):
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}\n{done.stdout[-3000:]}")
        return done.stdout

    run("cmake", "--install", build, "--component", "development", "--prefix", place / "prefix")
    run("cmake", "-S", root / "packaging/example", "-B", place / "example", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={place / 'prefix'}", *launcher)
    run("cmake", "--build", place / "example")
    said = run(place / "example/example", root / "fixtures/builds/b_r18_q_conv").splitlines()
    for line in ("major: 8 residual Adds lack Q/DQ", "FP16 0.031202 ms /maxpool/MaxPool"):
        if not any(one == line for one in said):
            print(f"no line '{line}' in", *said[:60], sep="\n")
            sys.exit(1)

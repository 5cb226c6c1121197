#!/usr/bin/env python3
"""Memory of analyzing a big layer info, profile and times file: it follows what is kept of them, the report's tables included;
no copy of the file is in memory.

Usage: json_memory_test.py TRTLENS
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEGABYTES = 24
# Times the file's size. Reading takes 1.3 (layers), 4 (profile: 170 bytes a record) and nothing (times); the rest is the report's.
LIMITS = {"layers": 3.0, "profile": 12.0, "times": 0.5}
BASE_BYTES = 24e6  # of the program itself, its rules and tables


def peak_bytes(command):
    """Largest resident set of the process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024, process.returncode


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, limit in LIMITS.items():
            path = pathlib.Path(folder) / f"{kind}.json"
            with path.open("w") as out:
                subprocess.run([sys.executable, ROOT / "scripts/make_layers", kind, str(MEGABYTES)], stdout=out, check=True)
            peak, code = peak_bytes([sys.argv[1], "analyze", str(path)])
            share = (peak - BASE_BYTES) / path.stat().st_size
            print(f"{kind}: {peak / 1e6:.0f} MB for a file of {path.stat().st_size / 1e6:.0f} MB, {share:.2f} of {limit}")
            failures += code != 0 or share > limit
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

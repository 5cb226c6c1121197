#!/usr/bin/env python3
"""Instructions that a byte of a verbose build log takes, counted by callgrind: times of a shared machine say nothing.

Usage: instructions_test.py TRTLENS COMPILER, as "GNU 12". The log is scripts/make_log's; what the program needs besides
reading (its rules, the report) is taken off by a second, smaller log. A recorded number must be met within 3 %, from above
and from below: who makes the reader faster records it here, with the reason in the commit. Exit 77: nothing to compare with.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDED = {"GNU 12": 5.919}  # release build, x86-64 with AVX2 (which functions of libc are chosen)
TOLERANCE = 0.03
MEGABYTES = (80, 104)  # more than the runs that are kept whole


def instructions(binary, log):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, "analyze",
                           "--format", "json", str(log)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def skip(why):
    print(f"skipped: {why}")
    return 77


def main():
    binary, compiler = sys.argv[1:3]
    if compiler not in RECORDED:
        return skip(f"no number is recorded for {compiler}")
    if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace"):
        return skip("this processor has no AVX2")
    counts, sizes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for size in MEGABYTES:
            log = pathlib.Path(folder) / f"{size}.log"
            subprocess.run([sys.executable, ROOT / "scripts/make_log", str(size), "-o", log], check=True)
            sizes.append(log.stat().st_size)
            counts.append(instructions(binary, log))
    found = (counts[1] - counts[0]) / (sizes[1] - sizes[0])
    recorded = RECORDED[compiler]
    print(f"{found:.3f} instructions a byte, recorded {recorded:.3f} ({found / recorded - 1:+.1%}); "
          f"{counts[0]} for {sizes[0]} bytes, {counts[1]} for {sizes[1]} bytes")
    return 0 if abs(found / recorded - 1) <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())

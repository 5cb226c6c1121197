#!/usr/bin/env python3
"""Instructions that a byte of a verbose build log takes, counted by callgrind: times of a shared machine say nothing.

Usage: instructions_test.py TRTLENS COMPILER SHARED, as "GNU 12". The logs: scripts/make_log's, and builds of fixtures/ and
of SHARED/builds with their bodies repeated; those of SHARED only where it is. What the program needs besides reading (its
rules, the report) is taken off by a second, smaller log. Some logs move by 1.5 % with any change of the program: recorded is
their middle. A recorded number must be met within 3 %, from above and from below: who makes the reader faster records it here, with the
reason in the commit. Exit 77: nothing to compare with.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from repeated_log import write_repeated  # noqa: E402

# Release build, x86-64 with AVX2 (which functions of libc are chosen).
RECORDED = {"GNU 12": {"make_log": 5.042, "p_r18_partial_i8": 4.450, "b_r18_q_conv": 5.333, "b_g8_q": 6.250,
                       "case2_deallocate_async": 12.819,
                       "b_mob_fp16": 4.797, "b_mob_q_dwnow_i8": 5.652, "b_r18_q_now": 5.017, "b_shuf_best": 4.810,
                       "b_yolo_fp16": 5.161, "c_r18_calib": 4.489, "g_shuf_best": 4.981, "g_unet_calib": 5.026}}
TOLERANCE = 0.03
MADE_MEGABYTES = (80, 104)  # more than the runs that are kept whole
REPEATED_MEGABYTES = (12, 24)


def instructions(binary, log):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, "analyze",
                           "--format", "json", str(log)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def skip(why):
    print(f"skipped: {why}")
    return 77


def write_log(name, megabytes, path, shared):
    if name == "make_log":
        subprocess.run([sys.executable, ROOT / "scripts/make_log", str(megabytes), "-o", path], check=True)
        return
    write_repeated(source_of(name, shared), megabytes, path)


def source_of(name, shared):
    here = ROOT / "fixtures/builds" / name / "build.log"
    return here if here.exists() else shared / "builds" / name / "build.log"


def instructions_a_byte(binary, name, shared):
    counts, sizes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in MADE_MEGABYTES if name == "make_log" else REPEATED_MEGABYTES:
            log = pathlib.Path(folder) / f"{megabytes}.log"
            write_log(name, megabytes, log, shared)
            sizes.append(log.stat().st_size)
            counts.append(instructions(binary, log))
    return (counts[1] - counts[0]) / (sizes[1] - sizes[0])


def main():
    binary, compiler, shared = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    if compiler not in RECORDED:
        return skip(f"no number is recorded for {compiler}")
    if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace"):
        return skip("this processor has no AVX2")
    failed = False
    for name, recorded in RECORDED[compiler].items():
        if name != "make_log" and not source_of(name, shared).exists():
            print(f"{name}: skipped, not in {shared}")
            continue
        found = instructions_a_byte(binary, name, shared)
        print(f"{name}: {found:.3f} instructions a byte, recorded {recorded:.3f} ({found / recorded - 1:+.1%})")
        failed = failed or abs(found / recorded - 1) > TOLERANCE
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

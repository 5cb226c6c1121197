#!/usr/bin/env python3
"""Memory of analyzing a big layer info, profile and times file, and an engine's folder: it follows what is kept of them; no copy
of a file is in memory, none of what was read, and none of the report, in any format. And of a folder with thousands of other files.

Usage: json_memory_test.py TRTLENS
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEGABYTES = 24
# Times the file's size, beside what the program takes for an export of a few layers (its rules and tables).
# A record of a profile is shorter than what is kept of it.
LIMITS = {"layers": 1.15, "profile": 4.75, "times": 0.3, "folder": 1.2}
PAGE = 1.07  # of these: a page holds all layers and their graph
OTHER_FILE = 2048
LAYERS_OF_MEGABYTE = 950
FORMATS = ("json", "html", "markdown", "text")


def peak_bytes(binary, path, form, runs=1):
    """Largest resident set of the process, the median of the runs; and the worst exit status."""
    peaks = [peak_of_one(binary, path, form) for _ in range(runs)]
    return sorted(peak for peak, _ in peaks)[runs // 2], max(abs(code) for _, code in peaks)


def size_of(path):
    return sum(one.stat().st_size for one in path.iterdir()) if path.is_dir() else path.stat().st_size


def share_of(binary, small, big, form, limit):
    """What the big file takes beside the small one, of its size; and the worst exit status. Pages of the program's own file come and
    go: what one run shows to be too much is asked again."""
    for runs in (1, 3):
        base, base_code = peak_bytes(binary, small, form, runs)
        peak, code = peak_bytes(binary, big, form, runs)
        share = (peak - base) / size_of(big)
        if share <= limit:
            break
    print(f"{form}: {peak / 1e6:.0f} MB for {size_of(big) / 1e6:.0f} MB of input, {base / 1e6:.0f} MB of them for any; "
          f"{share:.2f} of {limit:.2f}")
    return share, max(base_code, code)


def peak_of_one(binary, path, form):
    process = subprocess.Popen([binary, "analyze", str(path), "--format", form], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024, process.returncode


def other_files(binary, folder):
    """Bytes for each text that is no log, beside a build."""
    peaks = []
    for texts in (0, 20000):
        place = pathlib.Path(folder) / f"{texts}_texts"
        place.mkdir()
        (place / "build.log").write_text("&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=a.onnx\n")
        for i in range(texts):
            (place / f"{i}.txt").write_text("no log\n")
        peak, code = peak_bytes(binary, place, "json", 3)
        peaks.append(peak if code == 0 else float("inf"))
    return (peaks[1] - peaks[0]) / 20000


def made(kind, megabytes, folder):
    """The export, or the folder with layer info and profile of one engine."""
    command = [sys.executable, ROOT / "scripts/make_layers"]
    path = folder / f"{kind}_{megabytes}"
    if kind == "folder":
        subprocess.run([*command, "real", str(int(megabytes * LAYERS_OF_MEGABYTE)), path], stdout=subprocess.DEVNULL, check=True)
        return path
    with path.open("w") as out:
        subprocess.run([*command, kind, str(megabytes)], stdout=out, check=True)
    return path


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, limit in LIMITS.items():
            sizes = {}
            for size in (0.01, MEGABYTES):
                sizes[size] = made(kind, size, pathlib.Path(folder))
            for form in FORMATS:
                most = limit * (PAGE if form == "html" else 1)
                print(f"{kind}, ", end="")
                share, code = share_of(sys.argv[1], sizes[0.01], sizes[MEGABYTES], form, most)
                failures += code != 0 or share > most
        each = other_files(sys.argv[1], folder)
        print(f"a text beside a build: {each:.0f} bytes of {OTHER_FILE}")
        failures += each > OTHER_FILE
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""`trtlens record --run` with a program called trtexec that plays a recorded build.

Usage: record_test.py TRTLENS FIXTURES
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

RECORDED = ["build.log", "layers.json", "model.plan", "profile.json", "run.log", "times.json"]
BUILD = "$ trtexec --onnx=m.onnx --verbose --profilingVerbosity=detailed --dumpLayerInfo --exportLayerInfo=layers.json --saveEngine=model.plan"
RUN = "$ trtexec --loadEngine=model.plan --dumpProfile --exportProfile=profile.json --separateProfileRun --exportTimes=times.json"


class Folder:
    """A folder to record in, and a trtexec of its own."""

    def __init__(self, root, binary, name, trtexec):
        self.path, self.binary = root / name, binary
        tools = root / f"{name}.tools"
        self.path.mkdir()
        tools.mkdir()
        if trtexec:
            (tools / "trtexec").write_text("#!/bin/sh\n" + trtexec)
            os.chmod(tools / "trtexec", 0o755)
        self.how = {"cwd": self.path, "text": True, "env": {**os.environ, "PATH": f"{tools}:/usr/bin:/bin", "TRTLENS_CONFIG": ""},
                    "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}

    def run(self, *arguments):
        done = subprocess.run([self.binary, "record", *arguments], stdin=subprocess.DEVNULL, timeout=300, check=False, **self.how)
        return done.returncode, done.stdout, done.stderr.replace("trtlens: ", "").splitlines()

    def files(self):
        return sorted(one.name for one in self.path.iterdir())


def check_whole_recording(root, binary, builds, that):
    plays = (f'case "$1" in --onnx=*) cp {builds}/layers.json . && echo plan > model.plan && cat {builds}/build.log && exec sleep 1 ;; esac\n'
             f'cp {builds}/profile.json {builds}/times.json . && exec cat {builds}/run.log >&2\n')
    folder = Folder(root, binary, "whole", plays)
    status, out, notes = folder.run("--run", "--onnx", "m.onnx")
    that(status == 0 and folder.files() == RECORDED, f"status {status}, files {folder.files()}")
    that([one for one in notes if one.startswith("$")] == [BUILD, RUN], f"commands {notes}")
    that(any(" s: " in one for one in notes), f"no live view in {notes}")
    that(out.startswith("build.log  Passed, 1 major, 1 minor · ") and "\n  0.798 ms per query" in out, f"report {out[:200]}")
    that((folder.path / "build.log").read_bytes() == (builds / "build.log").read_bytes(), "build.log is not what it printed")
    that((folder.path / "run.log").read_bytes() == (builds / "run.log").read_bytes(), "run.log is not what it printed")
    for file in ("times.json", "model.plan"):  # whatever is there is kept
        for one in RECORDED:
            (folder.path / one).unlink(missing_ok=True)
        (folder.path / file).write_text("kept")
        status, out, notes = folder.run("--run", "--onnx", "m.onnx")
        that((status, out, notes) == (2, "", [f"{file} is here already; record in a folder of its own"]), f"{file}: {status} {notes}")
        that(folder.files() == [file] and (folder.path / file).read_text() == "kept", f"{file} was not kept")


def check_failures(root, binary, builds, that):
    failing = Folder(root, binary, "failing", f"cat {builds.parent}/case4_plugin_format/build.log; exit 1\n")
    status, out, notes = failing.run("--run", "--onnx", "m.onnx")
    that(status == 2 and failing.files() == ["build.log"], f"status {status}, files {failing.files()}")
    that(notes[0] == BUILD and notes[-1] == "trtexec ended with status 1", f"notes {notes}")
    that("\n[1] The plugin supports no format its neighbours can give: /neck/LayerNormPlugin_3\n" in out, f"report {out[:300]}")
    killed = Folder(root, binary, "killed", "echo '[V] [TRT] a line'; kill -9 $$\n")
    status, _, notes = killed.run("--run", "--onnx", "m.onnx")
    # A shell that starts it as its child says 128 + 9.
    that(status == 2 and notes[-1] in ("trtexec was ended by signal 9", "trtexec ended with status 137"), f"killed: {status} {notes}")
    unloaded = Folder(root, binary, "unloaded", "echo 'trtexec: error while loading shared libraries: libnvinfer.so.8: cannot open shared object file'; exit 127\n")
    status, out, notes = unloaded.run("--run", "--onnx", "m.onnx")
    that((status, notes[-1], unloaded.files()) == (2, "trtexec ended with status 127", ["build.log"]), f"unloaded: {status} {notes}")
    that("libnvinfer.so.8" in out, f"unloaded: report {out[:300]}")
    absent = Folder(root, binary, "absent", "")
    status, out, notes = absent.run("--run", "--onnx", "m.onnx")
    that((status, out, [one for one in notes if not one.startswith("0 s: ")]) == (2, "", [BUILD, "trtexec is not on the PATH; it is often in /usr/src/tensorrt/bin"]),
         f"absent: {status} {notes}")
    that(absent.files() == [], f"absent: files {absent.files()}")
    if os.geteuid() != 0:  # root may write everywhere
        os.chmod(absent.path, 0o555)
        that(absent.run("--run", "--onnx", "m.onnx")[2] == [BUILD, "build.log: Permission denied"], "a folder that cannot be written to")
        os.chmod(absent.path, 0o755)
    for arguments, problem in ((["--run", "--producer", "torch-tensorrt"], "torch-tensorrt records from within its program; --print shows how"),
                               ([], "record takes one of --print, which shows the commands, and --run, which runs them"),
                               (["--run", "--print"], "record takes one of --print, which shows the commands, and --run, which runs them; not both")):
        that(absent.run(*arguments) == (2, "", [problem]), f"{arguments}: {absent.run(*arguments)}")


def check_killed(root, binary, that):
    """Who ends trtlens ends what it started."""
    folder = Folder(root, binary, "ended", "echo $$ > number\nwhile sleep 0.1; do echo '[V] [TRT] a line'; done\n")
    child = subprocess.Popen([binary, "record", "--run", "--onnx", "m.onnx"], stdin=subprocess.DEVNULL, **folder.how)
    number = folder.path / "number"
    deadline = time.monotonic() + 120
    while not (number.exists() and number.read_text().strip()) and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    started = int(number.read_text())
    while pathlib.Path(f"/proc/{started}").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    that(not pathlib.Path(f"/proc/{started}").exists(), "trtexec goes on without trtlens")


def check_interrupt(root, binary, that):
    folder = Folder(root, binary, "interrupted", "echo '[V] [TRT] a line'\necho > printed\nexec sleep 60\n")
    child = subprocess.Popen([binary, "record", "--run", "--onnx", "m.onnx"], stdin=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **folder.how)
    log = folder.path / "build.log"
    deadline = time.monotonic() + 120
    while not (folder.path / "printed").exists() and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does
    out, notes = child.communicate(timeout=60)
    that(child.returncode == 130, f"Ctrl-C: status {child.returncode}: {notes}")
    that(log.read_text() == "[V] [TRT] a line\n" and out.startswith("build.log  "), f"Ctrl-C: {log.read_text()!r} {out[:200]}")


def main():
    binary, builds = sys.argv[1], pathlib.Path(sys.argv[2]).resolve() / "builds" / "b_r18_q_conv"
    problems = []

    def that(good, problem):
        if not good:
            problems.append(problem)

    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        check_whole_recording(root, os.path.abspath(binary), builds, that)
        check_failures(root, os.path.abspath(binary), builds, that)
        check_killed(root, os.path.abspath(binary), that)
        check_interrupt(root, os.path.abspath(binary), that)
    print("\n".join(problems) or "record --run: all right")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

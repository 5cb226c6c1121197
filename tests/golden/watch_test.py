#!/usr/bin/env python3
"""`trtlens watch` on a terminal and without one; Ctrl-C, for `watch` and for a plain pipe.

Usage: watch_test.py TRTLENS FIXTURES
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from terminal import Terminal

ERASE = re.compile(rb"\r(?:\x1b\[\d+A)?\x1b\[J")
LEGAL = re.compile(rb"\r\x1b\[\d+A\x1b\[J|\r\x1b\[J|\r+\n")
RUNNER = re.compile(rb"^\s*::|##[\w.-]*\[")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def stamp(second, level=b"V"):
    return b"[11/21/2026-13:%02d:%02d] [%s] [TRT] " % (second // 60, second % 60, level)


def race(second, layer, ms=b"0.5"):
    head = stamp(second)
    return (head + b"=============== Computing costs for \n" +
            head + b"*************** Autotuning format combination: Half(8,1) -> Half(8,1) ***************\n" +
            head + b"--------------- Timing Runner: " + layer + b" (CaskConvolution)\n" +
            head + b"Tactic: 0x0000000000000001 Time: " + ms + b"\n" +
            head + b">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x0000000000000001\n")


START = (b"&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # trtexec --onnx=m.onnx --fp16 --verbose\n" + stamp(0) + b"Original: 9 layers\n" +
         500 * b" " + b"\n")  # a pipe of less may still turn out to be JSON


def interruptible():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(binary, arguments, stderr=subprocess.PIPE, **more):
    return subprocess.Popen([binary, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
                            preexec_fn=interruptible, **more)


def say(process, text):
    process.stdin.write(text)
    process.stdin.flush()


def test_screen(binary):
    screen = Terminal()
    process = started(binary, ["watch"], stderr=screen.slave)
    say(process, START + race(1, b"/a/Conv"))
    expect(screen.wait_for(b"timing tactics, layer 1 of at most 9"), "no stage on the terminal")
    before = len(screen.pieces)
    begin = time.monotonic()
    for i in range(300):  # some 300 chunks in a second and a half
        say(process, race(2 + i // 100, b"/b%d/Conv" % i))
        time.sleep(0.005)
    took = time.monotonic() - begin
    pictures = sum(len(ERASE.findall(piece)) for _, piece in screen.pieces[before:])
    expect(3 <= pictures <= 10 * took + 2, f"{pictures} pictures in {took:.1f} s")
    say(process, stamp(3, b"E") + b"Error[4]: [network.cpp::validate::2789] Error Code 4: Internal Error "
        b"(input: dynamic input is missing dimensions in profile 0.)\n")
    expect(screen.wait_for(b"trtlens: FATAL: "), "the problem was not told while the log is open")
    expect(process.poll() is None, "it ended before its log")
    say(process, stamp(3) + b"--------------- Timing Runner: \x08\x08\xc2\x9b2Jevil (CaskConvolution)\n")
    expect(screen.wait_for(b"\\x08\\x08\\u009b2Jevil"), "a hostile name is not shown")
    say(process, race(4, b"::error::pwned ##[error]pwned", b"9.5") + race(5, b"/c/Conv") + stamp(5, b"E") + b"Error[4]: [x.cpp::f::1] Error Code 4: Internal Error "
        b"(##vso[task.x]: dynamic input is missing dimensions in profile 0.)\n")
    expect(screen.wait_for(rb"\x3a:error::pwned \x23#[error]pwned"), "the name of a command is not shown")
    process.stdin.close()
    report = process.stdout.read()
    status = process.wait(timeout=60)
    screen.close()
    expect(status == 0, f"status {status}")
    expect(report.startswith(b"# `standard input`"), f"no report: {report[:100]}")
    expect(screen.text.endswith(b"\x1b[J") or b"\x1b[J" in screen.text[-300:], "the block still stands there")
    left = LEGAL.sub(b"", screen.text)
    controls = re.findall(rb".{0,20}[\x00-\x1f\x7f].{0,20}", left)
    expect(not controls, f"control characters: {controls[:3]}")
    rows = LEGAL.sub(b"\n", screen.text).split(b"\n")
    obeyed = [row for row in rows if RUNNER.search(row)]
    expect(not obeyed, f"a runner would obey {obeyed[:3]}")
    wide = [row for row in rows if len(row.decode()) > 99 and not row.startswith(b"trtlens: ")]
    expect(not wide, f"lines wider than the terminal: {wide[:3]}")


def test_plain(binary):
    """Not a terminal, or a dumb one: lines, one a stage, no escapes."""
    for environment in ({}, {"TERM": "dumb"}):
        screen = Terminal() if environment else None
        process = started(binary, ["watch"], stderr=screen.slave if screen else subprocess.PIPE, env={**os.environ, **environment})
        say(process, START)
        time.sleep(0.4)
        for i in range(40):
            say(process, race(1 + i, b"/a%d/Conv" % (i % 8)))
            time.sleep(0.02)
        time.sleep(0.3)
        _, error = process.communicate(timeout=60)
        if screen:
            screen.close()
            error = screen.text
        lines = error.replace(b"\r", b"").splitlines()
        expect(lines[:2] and lines[0] == b"trtlens: 0 s: optimizing the graph", f"first line {lines[:1]}")
        expect(len(lines) > 1 and b"timing tactics" in lines[1], f"second line {lines[1:2]}")
        expect(len(lines) <= 4, f"{len(lines)} lines")
        expect(b"\x1b" not in error, "escapes")


def test_quiet(binary):
    process = started(binary, ["watch", "-q"])
    report, error = process.communicate(START + race(1, b"/a/Conv"), timeout=60)
    expect(report.startswith(b"# `standard input`") and error == b"", f"-q: {error}")


def test_interrupt(binary, folder):
    """The writer goes on; Ctrl-C ends the log all the same, and the report is the one of what was read."""
    log = START + b"".join(race(1 + i, b"/a%d/Conv" % i) for i in range(8))
    files = ["-o", "report.json", "-o", "report.html"]
    for name, arguments, by in (("watch", ["watch", *files], signal.SIGINT), ("pipe", files, signal.SIGINT),
                                ("analyze", ["analyze", "-", *files, "-q"], signal.SIGINT),
                                ("time limit", ["watch", *files], signal.SIGTERM)):
        for file in folder.iterdir():
            file.unlink()
        process = started(binary, arguments, cwd=folder)
        say(process, log)
        time.sleep(0.5)
        process.send_signal(by)
        status = process.wait(timeout=60)  # standard input is still open
        error = process.stderr.read()
        process.stdin.close()
        expect(status == 130, f"{name}: status {status}, {error[-200:]}")
        said = re.findall(rb"(?i)interrupted: the report covers what was read, \d+ lines, [\d.]+ KiB", error)
        expect(len(said) == 1 and error.lower().count(b"interrupted") == 1, f"{name}: does not say once how much: {error}")
        report = json.loads((folder / "report.json").read_text())
        page = (folder / "report.html").read_text() if (folder / "report.html").exists() else ""
        expect("Interrupted: the report covers what was read, " in page, f"{name}: the page does not say so")
        expect([d["id"] for d in report["diagnostics"]] == ["input-interrupted"], f"{name}: {report['diagnostics']}")
        # Nothing blames the log; all else is the same as of a log that ends there.
        whole = subprocess.run([binary, "analyze", "-", "--format", "json", "-q"], input=log, capture_output=True, check=False)
        expect(whole.returncode == 0, f"{name}: the same without Ctrl-C: {whole.returncode}")
        cut = json.loads(whole.stdout)
        expect([f["rule"] for f in cut["findings"] if f["severity"] != "info"] == ["build-truncated"], f"{name}: {cut['findings']}")
        cut["findings"] = [f for f in cut["findings"] if f["rule"] != "build-truncated"]
        cut["builds"], cut["diagnostics"] = report["builds"], report["diagnostics"]
        expect(report == cut, f"{name}: other differences")
        expect(report["builds"][0]["findings"]["major"] == 0, f"{name}: {report['builds']}")


def test_interrupt_behind_another_run(binary, folder):
    """A log of several builds is a table, which does not say it."""
    process = started(binary, ["watch", "-o", "report.html"], cwd=folder)
    ended = b"&&&& PASSED TensorRT.trtexec [TensorRT v8501] # trtexec --onnx=m.onnx\n"
    say(process, START + race(1, b"/a/Conv") + ended + START + race(2, b"/b/Conv"))
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    status = process.wait(timeout=60)
    error = process.stderr.read()
    process.stdin.close()
    expect(status == 130, f"two runs: status {status}, {error[-200:]}")
    expect(error.lower().count(b"interrupted") == 1, f"two runs: does not say once that it was interrupted: {error}")
    expect(b"builds" in (folder / "report.html").read_bytes(), "two runs: no table of builds")


def test_interrupted_early_and_twice(binary, folder):
    process = started(binary, ["watch"])
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    expect(process.wait(timeout=60) == 130, "nothing was read: status")
    # While gnuplot draws: the second Ctrl-C is for the program.
    tools = folder / "tools"
    tools.mkdir()
    (tools / "gnuplot").write_text("#!/bin/sh\nexec sleep 30\n")
    os.chmod(tools / "gnuplot", 0o755)
    process = started(binary, ["watch", "-q", "-o", str(folder / "a.html")], env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
                      start_new_session=True)
    say(process, (pathlib.Path(sys.argv[2]) / "builds/a_r18_fp16/full.log").read_bytes())
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    end = time.monotonic() + 60
    while not list(folder.glob(".trtlens-*.tmp")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    status = process.wait(timeout=20)
    expect(status == -signal.SIGINT, f"the second Ctrl-C: status {status}")
    try:
        os.killpg(process.pid, signal.SIGKILL)  # the sleeping gnuplot
    except ProcessLookupError:
        pass


def test_ignored_interrupt(binary):
    """As a shell starts what stands before `&`."""
    process = subprocess.Popen([binary, "watch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    say(process, START)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    report, _ = process.communicate(race(1, b"/a/Conv"), timeout=60)
    expect(process.returncode == 0 and report.startswith(b"# "), f"ignored SIGINT: status {process.returncode}")


def test_never_blocks(binary):
    """Nobody reads the terminal: the log goes through all the same."""
    screen = Terminal(reads=False)
    process = started(binary, ["watch"], stderr=screen.slave)
    log = b"".join(race(i // 100, b"/b%d/%s" % (i, b"x" * 300)) for i in range(9000))

    def feed():
        say(process, START)
        for at in range(0, len(log), 20000):
            say(process, log[at:at + 20000])
            time.sleep(0.01)
    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    feeder.join(timeout=60)
    expect(not feeder.is_alive(), "the writer was blocked")
    screen.start()
    process.stdin.close()
    process.stdout.read()
    process.wait(timeout=60)
    screen.close()


def test_tee(binary):
    log = START + race(1, b"/a/Conv") + b"no line end"
    process = started(binary, ["watch", "--tee"])
    out, error = process.communicate(log, timeout=60)
    expect(out == log, "--tee changed the log")
    expect(b"# `standard input`" in error, "no report on standard error")


def test_closing(binary, builds, folder):
    """A report in files alone: the outcome, the first finding and the file stand where the reader looks."""
    def last_lines(log, *options):
        screen = Terminal(columns=300)
        process = started(binary, ["watch", *options], stderr=screen.slave, cwd=folder)
        out, _ = process.communicate(log, timeout=60)
        screen.close()
        return out, LEGAL.sub(b"\n", screen.text).decode().split("\n")

    passed = (builds / "p_r18_partial_i8/build.log").read_bytes() + (builds / "p_r18_partial_i8/run.log").read_bytes()
    out, lines = last_lines(passed, "-o", "report.html")
    told = [line for line in lines if line.startswith("trtlens: ")][-3:]
    expect(out == b"" and len(told) == 3, f"-o: {out[:80]} {told}")
    expect(re.match(r"trtlens: Passed, \d major.*: 0\.\d+ ms per query \(", told[0]), f"no outcome: {told[:1]}")
    expect(re.match(r"trtlens: \[1\] major: .* \[[a-z-]+\]$", told[1]), f"no finding: {told[1:2]}")
    expect(told[2:] == ["trtlens: wrote report.html"], f"not where the report is: {told[2:]}")
    failed = (builds / "b_g6_q/build.log").read_bytes()
    _, lines = last_lines(failed, "-o", "report.json")
    told = [line for line in lines if line.startswith("trtlens: ")]
    expect(any(line == "trtlens: Build failed" for line in told), f"no outcome of a failure: {told}")
    expect(re.match(r"trtlens: \[1\] fatal: ", told[-2]), f"no cause of a failure: {told}")
    # The report itself stands there, or nothing was asked for.
    for options in (("-q", "-o", "report.json"), (), ("-o", "report.json", "--format", "text")):
        _, lines = last_lines(passed, *options)
        expect(not any("Passed" in line or "[1]" in line for line in lines), f"{options}: {lines}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    binary = os.path.abspath(sys.argv[1])
    test_screen(binary)
    test_plain(binary)
    test_quiet(binary)
    with tempfile.TemporaryDirectory() as folder:
        test_interrupt(binary, pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        test_interrupt_behind_another_run(binary, pathlib.Path(folder))
        test_interrupted_early_and_twice(binary, pathlib.Path(folder))
    test_ignored_interrupt(binary)
    test_never_blocks(binary)
    test_tee(binary)
    with tempfile.TemporaryDirectory() as folder:
        test_closing(binary, pathlib.Path(sys.argv[2]) / "builds", folder)
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

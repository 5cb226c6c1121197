#!/usr/bin/env python3
"""What golden cases cannot show: progress on a terminal, --timing, memory while reading from a pipe.

Usage: stream_test.py TRTLENS FIXTURES [--no-memory-bounds]     (sanitizers take memory of their own)
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from terminal import Terminal

ERASE = b"\r\x1b[K"
STAMP = b"[11/21/2026-13:37:30] [V] [TRT] "
MIB = 1 << 20
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def slow_run(binary, arguments, terminal=True, pause_s=1.3):
    """Feeds standard input in two parts, more than a second apart. Standard error before the second and at the end."""
    screen = Terminal() if terminal else None
    process = subprocess.Popen([binary, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=screen.slave if screen else subprocess.PIPE)
    process.stdin.write(STAMP + b"Original: 1 layers\n")
    process.stdin.flush()
    if screen:
        time.sleep(0.5)
    early = screen.text if screen else b""
    time.sleep(pause_s)
    process.stdin.write(STAMP + b"Original: 2 layers\n")
    process.stdin.flush()
    if screen:
        time.sleep(1)
        process.stdin.close()
        process.wait(timeout=60)
        screen.close()
        return early, screen.text, process.returncode
    _, stderr = process.communicate(timeout=60)
    return early, stderr, process.returncode


def test_progress(binary):
    for command in (["analyze", "-"], ["lint-log", "-"]):
        early, text, status = slow_run(binary, command)
        expect(status == 0, f"{command}: status {status}")
        expect(early == b"", f"{command}: progress within half a second: {early!r}")
        expect(re.search(rb"\r\x1b\[Ktrtlens: read 0 KiB \(0 KiB/s\)", text), f"{command}: no rate in {text!r}")
        expect(text.endswith(ERASE), f"{command}: not erased at the end: {text!r}")
        expect(b"%" not in text, f"{command}: percent of an unknown size: {text!r}")
        _, text, _ = slow_run(binary, command, pause_s=2.3)
        expect(re.search(rb"\r\x1b\[Ktrtlens: read 0 KiB, waiting for more for [12] s", text), f"{command}: silent while nothing comes: {text!r}")
        _, text, _ = slow_run(binary, [*command, "--quiet"])
        expect(text == b"", f"{command} --quiet shows {text!r}")
        _, text, _ = slow_run(binary, command, terminal=False)
        expect(b"read" not in text, f"{command}: progress in a file: {text!r}")


def test_known_size(binary, temp):
    """The size is known beforehand: percent. A log that grew since is read to its end, and never more than 100 %."""
    log = temp / "grows.log"
    line = STAMP + b"Original: 3 layers\n"
    for grown in (False, True):
        log.write_bytes(line * (3 * MIB // len(line)))
        fifo = temp / f"fifo{grown}"
        os.mkfifo(fifo)
        screen = Terminal()
        process = subprocess.Popen([binary, "lint-log", str(fifo), str(log), "--format", "json"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=screen.slave)
        with open(fifo, "wb", buffering=0) as slow:
            slow.write(line)
            time.sleep(1.3)
            if grown:
                with open(log, "ab") as more:
                    more.write(line * (3 * MIB // len(line)))
        out, _ = process.communicate(timeout=120)
        screen.close()
        shares = [int(x) for x in re.findall(rb"\((\d+) %\)", screen.text)]
        expect(shares and max(shares) <= 100, f"percent of a known size: {screen.text!r}")
        lines = 1 + (2 if grown else 1) * (3 * MIB // len(line))
        expect(b'"lines": %d,' % lines in out, f"{lines} lines of a log that {'grew' if grown else 'stood'}: {out[:600]!r}")


def test_tee_keeps_the_terminal(binary, temp):
    """With --tee the log runs over the terminal: no progress into it."""
    screen = Terminal()
    process = subprocess.Popen([binary, "analyze", "-", "--tee", "-o", str(temp / "r.md")], stdin=subprocess.PIPE,
                               stdout=screen.slave, stderr=screen.slave)
    process.stdin.write(STAMP + b"Original: 1 layers\n")
    process.stdin.flush()
    time.sleep(1.3)
    process.stdin.write(STAMP + b"Original: 2 layers\n")
    process.stdin.close()
    process.wait(timeout=60)
    screen.close()
    expect(b"trtlens: read" not in screen.text, f"--tee: progress in the log: {screen.text!r}")
    expect(screen.text.count(b"Original: ") == 2, f"--tee: {screen.text!r}")


def test_timing(binary, fixtures):
    stage = r"trtlens: timing: +\d+\.\d ms  "
    builds = fixtures / "builds"
    log = str(builds / "b_g6_q" / "build.log")
    read = stage + r"read and parse {}, \d+ bytes, \d+\.\d MB/s\n"
    end = stage + r"in all\n" + r"trtlens: timing: +\d+\.\d MB  peak memory\n"
    r18 = [str(builds / name) for name in ("a_r18_fp16", "b_r18_q_res")]
    commands = {
        ("analyze", log, "--format", "json"): read.format(re.escape(log)) + stage + "join\n" + stage + "analyze\n" +
        stage + "render json\n" + end,
        ("lint-log", log, "--format", "json"): read.format(re.escape(log)) + stage + "merge shapes\n" + stage + "render\n" +
        end,
        ("compare", *r18, "--format", "json", "--fail-on", "none"): rf"({read.format('[^,]*')})+" + stage + "join\n" +
        stage + "analyze\n" + rf"({read.format('[^,]*')})+" + stage + "join\n" + stage + "analyze\n" + stage +
        "compare\n" + stage + "render json\n" + end,
    }
    for command, want in commands.items():
        plain = subprocess.run([binary, *command], capture_output=True, check=False)
        timed = subprocess.run([binary, *command, "--timing"], capture_output=True, check=False)
        expect(timed.stdout == plain.stdout, f"{command[0]}: --timing changes the report")
        expect(timed.returncode == plain.returncode == 0, f"{command[0]}: status {timed.returncode}")
        expect(plain.stderr == b"", f"{command[0]}: {plain.stderr!r}")
        expect(re.fullmatch(want, timed.stderr.decode()), f"{command[0]}: --timing prints\n{timed.stderr.decode()}")


def peak_mib(binary, arguments, pieces):
    """Runs with `pieces` as standard input: status, standard output, peak memory."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([binary, *arguments], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL)

        def feed():
            try:
                for piece in pieces:
                    process.stdin.write(piece)
                process.stdin.close()
            except BrokenPipeError:
                pass

        feeder = threading.Thread(target=feed)
        feeder.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        feeder.join()
        out.seek(0)
        return process.returncode, out.read(), usage.ru_maxrss / 1024


def plain_word(n):
    word = "q"
    while n:
        n, digit = divmod(n, 26)
        word += chr(97 + digit)
    return word


def test_memory(binary, bounds):
    megabyte = b"a" * MIB
    names = [b"".join(STAMP + b"Frobnicating thing %s of it\n" % plain_word(i).encode() for i in range(k, k + 1000))
             for k in range(0, 100000, 1000)]
    cases = {
        "a line of 64 MiB": [megabyte] * 64,
        "a library line of 64 MiB": [STAMP, *[megabyte] * 64, b"\n"],
        "a line of 64 MiB of brackets": [STAMP, *[b"(" * MIB] * 64, b"\n"],
        "100000 plain names": names,
    }
    runs = [b"".join(b"[TRT] [I] Input filename:   m%d.onnx\n[TRT] [E] 4: failed %d\n" % (i, i) for i in range(k, k + 1000))
            for k in range(0, 100000, 1000)]
    races = [b"".join([b"&&&& RUNNING TensorRT.trtexec [TensorRT v8503] # trtexec --onnx=m%d.onnx\n" % i,
                       STAMP, b"c%d [Conv] inputs: [x -> (1, 3)[FLOAT]], [w -> (3)[FLOAT]], \n" % i,
                       STAMP, b"=============== Computing costs for \n",
                       STAMP, b"*************** Autotuning format combination: Float(3,1) -> Float(3,1) ***************\n",
                       STAMP, b"--------------- Timing Runner: c%d (CaskConvolution)\n" % i,
                       STAMP, b"Tactic: 0x0000000000000001 Time: 0.0%d1\n" % i,
                       STAMP, b">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x0000000000000001\n",
                       b"&&&& PASSED TensorRT.trtexec [TensorRT v8503] # trtexec --onnx=m%d.onnx\n" % i])
             for i in range(2000)]
    # No list of them: what this process holds counts for its children, too.
    tactics = (STAMP + b"Tactic: 0x0000000000000001 Time: 0.01\n") * 1000
    candidates = (b"".join([b"&&&& RUNNING TensorRT.trtexec [TensorRT v8503] # trtexec --onnx=m%d.onnx\n" % i,
                            STAMP, b"*************** Autotuning format combination: Float(3,1) -> Float(3,1) ***************\n",
                            STAMP, b"--------------- Timing Runner: c%d (CaskConvolution)\n" % i, tactics,
                            b"&&&& PASSED TensorRT.trtexec [TensorRT v8503] # trtexec --onnx=m%d.onnx\n" % i])
                  for i in range(1000))
    options = [STAMP.replace(b"[TRT] ", b"") + b"=== Build Options ===\n"] + [
        b"".join(b"[11/21/2026-13:37:30] [I] Option %d: %060d\n" % (i, i) for i in range(k, k + 1000))
        for k in range(0, 200000, 1000)]
    steps = [STAMP.replace(b"[V]", b"[I]") + b"[MemUsageChange] Init CUDA: CPU +1, GPU +0, now: CPU 2, GPU 3 (MiB)\n"] * 200000
    for what, pieces, most, said in (("100000 runs", runs, 64, b"log-runs-cut"),
                                     ("2000 runs with a race each", races, 60, b'"other_builds"'),
                                     ("1000 runs with 1000 tactics each", candidates, 60, b'"other_builds"'),
                                     ("200000 options", options, 100, b"log-rows-cut"),
                                     ("200000 steps of memory", steps, 100, b"log-rows-cut")):
        status, out, peak = peak_mib(binary, ["analyze", "-", "--format", "json"], pieces)
        expect(status == 0 and said in out, f"{what}: status {status}, {said in out}")
        expect(not bounds or peak < most, f"{what}: {peak:.0f} MiB of memory")
    for what, pieces in cases.items():
        for command in ("analyze", "lint-log"):
            status, out, peak = peak_mib(binary, [command, "-", "--format", "json"], pieces)
            expect(status == 0, f"{command}, {what}: status {status}")
            expect(not bounds or peak < 100, f"{command}, {what}: {peak:.0f} MiB of memory")
            if what == "100000 plain names" and command == "lint-log":
                expect(b'"count": 100000' in out, f"{what}: not one shape: {out[:1000]!r}")


def test_first_steps(binary):
    """Without a word, on a terminal: the three commands that matter, at once."""
    screen = Terminal()
    process = subprocess.run([binary], stdin=screen.slave, capture_output=True, timeout=60, check=False)
    screen.close()
    lines = process.stdout.decode().splitlines()
    expect(process.returncode == 2 and len(lines) <= 12, f"no words: status {process.returncode}, {len(lines)} lines")
    for command in ("watch", "analyze", "compare"):
        expect(any(f"trtlens {command}" in line for line in lines), f"no words: {command} is not named")


def test_locale(binary, fixtures):
    """ASCII where the environment says that who reads does not show UTF-8, on a terminal and behind a pipe; the first name that
    is set decides. A file is UTF-8, and so is Markdown."""
    for names, is_ascii in (({"LC_ALL": "C"}, True), ({"LANG": "en_US.ISO-8859-1"}, True), ({"LC_CTYPE": "POSIX", "LANG": "C.UTF-8"}, True),
                            ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False), ({"LANG": "de_DE.utf8"}, False), ({}, False)):
        screen = Terminal()
        env = {k: v for k, v in os.environ.items() if not k.startswith("LC_") and k != "LANG"} | names
        process = subprocess.Popen([binary, "analyze", str(fixtures / "builds/b_lstm"), "-q", "--format", "text"], stdout=screen.slave,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
        process.wait(60)
        screen.close()
        expect(b"per query" in screen.text and screen.text.isascii() == is_ascii, f"{names}: {screen.text[:200]!r}")
        for arguments, is_plain in ((["--format", "text"], is_ascii), (["--full"], is_ascii), ([], False), (["-o", "text:/dev/stdout"], False)):
            piped = subprocess.run([binary, "analyze", str(fixtures / "builds/b_lstm"), "-q", *arguments], stdin=subprocess.DEVNULL,
                                   capture_output=True, check=False, timeout=60, env=env).stdout
            expect(b"per query" in piped and piped.isascii() == is_plain, f"{names} {arguments} behind a pipe: {piped[:200]!r}")


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    binary, fixtures = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        temp = pathlib.Path(folder)
        test_first_steps(binary)
        test_progress(binary)
        test_known_size(binary, temp)
        test_tee_keeps_the_terminal(binary, temp)
    test_locale(binary, fixtures)
    test_timing(binary, fixtures)
    test_memory(binary, "--no-memory-bounds" not in sys.argv)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""-o FILE: the whole report or what stood there before, and the words of every error.

Usage: output_file_test.py TRTLENS FIXTURES
"""
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

OLD = "what stood there before\n"


def check_signals(folder, binary, build, env, that):
    """Who ends the program while it writes a report finds what stood there before, and nothing beside it."""
    tools = folder / "tools"
    tools.mkdir()
    # The report is being written while gnuplot draws: this one lets it wait.
    (tools / "gnuplot").write_text("#!/bin/sh\nexec sleep 30\n")
    os.chmod(tools / "gnuplot", 0o755)
    out = folder / "out"
    out.mkdir()
    for sent, ignored in ((signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGHUP, False), (signal.SIGHUP, True)):
        (out / "a.html").write_text(OLD)

        def prepare(ignored=ignored):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
        child = subprocess.Popen([binary, "analyze", build, "-q", "-o", "out/a.html"], cwd=folder, stdin=subprocess.DEVNULL,
                                 preexec_fn=prepare, start_new_session=True, env={**env, "PATH": f"{tools}:{env['PATH']}"})
        deadline = time.monotonic() + 120
        while not list(out.glob(".trtlens-*.tmp")) and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        that(list(out.glob(".trtlens-*.tmp")), f"{sent.name}: no report was being written")
        child.send_signal(sent)
        if ignored:  # as nohup has it
            time.sleep(0.3)
            that(child.poll() is None, "an ignored SIGHUP ended it")
            child.send_signal(signal.SIGTERM)
        status = child.wait(timeout=60)
        that(status == -(signal.SIGTERM if ignored else sent), f"{sent.name}: status {status}")
        that([p.name for p in out.iterdir()] == ["a.html"], f"{sent.name}: left {sorted(p.name for p in out.iterdir())}")
        that((out / "a.html").read_text() == OLD, f"{sent.name}: the old report is gone")
        try:
            os.killpg(child.pid, signal.SIGKILL)  # the sleeping gnuplot
        except ProcessLookupError:
            pass
    shutil.rmtree(out)
    shutil.rmtree(tools)


def check_own_reports(folder, binary, builds, env, that):
    """Reports in a build's folder are no logs of it the next time."""
    own = folder / "own"
    shutil.copytree(builds / "b_g6_q", own)

    def brief():
        words = [binary, "analyze", ".", "-q", "--format", "brief"]
        return subprocess.run(words, cwd=own, capture_output=True, env=env, stdin=subprocess.DEVNULL, timeout=240).stdout
    before = brief()
    for kinds in (["text", "markdown", "html"], ["brief", "junit", "sarif", "gitlab", "github", "step-summary", "baseline", "json"]):
        for kind in kinds:
            subprocess.run([binary, "analyze", ".", "-q", "-o", f"{kind}:report.{kind}"], cwd=own, check=True, env=env,
                           stdin=subprocess.DEVNULL, timeout=240)
            that(brief() == before, f"report.{kind} changed what the folder says")
    for kind in ("text", "markdown", "html"):
        subprocess.run([binary, "compare", ".", builds / "a_r18_fp16", "-q", "--fail-on", "none", "-o", f"{kind}:compared.{kind}"],
                       cwd=own, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=240)
        that(brief() == before, f"compared.{kind} changed what the folder says")
    shutil.rmtree(own)


def check_pages(folder, binary, env, that):
    """-o FOLDER/: a table that leads to a page for each build."""
    def run(*arguments):
        done = subprocess.run([binary, *arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode, done.stderr, done.stdout
    (folder / "one").mkdir()
    for name in ("a b.log", "c.log"):
        (folder / "one" / name).write_text(f"&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # trtexec --onnx={name[0]}.onnx\n")
    status, said, _ = run("analyze", "one", "-o", "pages/")
    that((status, said) == (0, "trtlens: wrote pages/index.html\n"), f"pages: {status} {said}")
    index = (folder / "pages/index.html").read_text()
    links = re.findall(r'<a href="(builds/[^"]*)">([^<]*)</a>', index)
    that([text for _, text in links] == ["a b.log", "c.log"], f"pages: {links}")
    for link, text in links:
        that("<title>" in (folder / "pages" / link).read_text() and re.fullmatch(r"builds/[A-Za-z0-9._-]+", link), f"pages: {link} of {text}")
        back = '<a class="overview" href="../index.html">All builds</a>'
        that(back in (folder / "pages" / link).read_text() and 'class="overview"' not in index, f"pages: no way back from {link}")
    that(sorted(p.name for p in (folder / "pages/builds").iterdir()) == sorted(link[7:] for link, _ in links), "pages: others")
    status, said, out = run("analyze", "one", "--format", "csv")
    that(status == 0 and [line.split(",")[:2] for line in out.splitlines()[1:]] == [["1", '"one/a b.log"'], ["2", '"one/c.log"']], f"csv: {status} {out}")
    (folder / "pages/builds/x").write_text("")
    status, said, _ = run("analyze", "one", "-o", "pages/builds/x/")
    that((status, said) == (2, "trtlens: cannot make pages/builds/x/builds/: Not a directory\n"), f"pages: {status} {said}")
    status, said, _ = run("compare", "one", "one", "-o", "x.csv")
    that((status, said.splitlines()[-1]) == (2, "trtlens: csv has a row a build: only analyze writes it"), f"csv: {status} {said}")
    shutil.rmtree(folder / "pages")
    shutil.rmtree(folder / "one")


def check_compared_plots(folder, binary, build, env, that):
    """Of one comparison, and of each of two: the way and the strips."""
    if not shutil.which("gnuplot", path=env.get("PATH")):
        return
    other = str(pathlib.Path(build).with_name("g_r18_q_res"))
    one = ["engine-1.svg", "engine-2.svg"]
    for sides, names in (((build, other), one), ((build, other, build), [f"{n}-{name}" for n in (1, 2) for name in one])):
        done = subprocess.run([binary, "compare", *sides, "--fail-on", "none", "-q", "--plots", "c", "-o", "sub/c.md"], cwd=folder, capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL, env=env, timeout=240)
        that((done.returncode, done.stderr) == (0, ""), f"compare --plots: {done.returncode} {done.stderr}")
        that(sorted(f.name for f in (folder / "c").iterdir()) == names, f"compare --plots: {sorted((folder / 'c').iterdir())}")
        shown = re.findall(r"^!\[(.*)\]\((.*)\)$", (folder / "sub/c.md").read_text(), re.M)
        that([to for _, to in shown] == [f"../c/{name}" for name in names], f"compare --plots: {shown}")
        that(shown and re.match(r"Bars: base 0\.854 ms, .*, candidate 0\.404 ms\.$", shown[0][0].replace("\\", "")), f"compare --plots: {shown[:1]}")
        shutil.rmtree(folder / "c")


def check_plots(folder, binary, build, env, that):
    """--plots: the charts as files, and Markdown that shows them from where it lies."""
    def run(*arguments, path=None):
        done = subprocess.run([binary, "analyze", build, *arguments], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**env, **({"PATH": path} if path else {})}, timeout=240)
        return done.returncode, done.stderr, done.stdout

    (folder / "sub").mkdir()
    if shutil.which("gnuplot", path=env.get("PATH")):
        begins = {"svg": b"<svg", "png": b"\x89PNG\r\n\x1a\n"}
        for kind, place in (("svg", "p/q (1)"), ("png", "png:p/q (1)")):
            status, said, _ = run("--plots", place, "-o", "sub/a.md")
            that((status, said) == (0, "trtlens: wrote 5 charts to p/q (1)\ntrtlens: wrote sub/a.md\n"), f"--plots {place}: {status} {said}")
            files = [folder / "p/q (1)" / f"time-{n}.{kind}" for n in range(1, 6)]
            that(all(f.is_file() and f.read_bytes().startswith(begins[kind]) for f in files), f"--plots {place}: no {kind}")
            shown = re.findall(r"^!\[(.*)\]\((.*)\)$", (folder / "sub/a.md").read_text(), re.M)
            that([to for _, to in shown] == [f"../p/q%20%281%29/time-{n}.{kind}" for n in range(1, 6)], f"--plots {place}: {shown}")
            that(shown and shown[0][0].startswith("Bars: the 24 slowest layers take 85 %"), f"--plots {place}: {shown[:1]}")
        status, said, out = run("--plots", "p", "-q", "--format", "markdown")
        that((status, said) == (0, "") and "](p/time-1.svg)" in out, f"--plots, standard output: {status} {said}")
        # Only what is asked for: no picture without the option, none in other formats.
        that("![" not in run("-q", "--format", "markdown")[2] and "time-1.svg" not in run("-q", "--plots", "p", "--format", "html")[2], "--plots")
        (folder / "file").write_text("")
        status, said, _ = run("--plots", "file", "-q", "-o", "sub/b.md")
        that((status, said) == (2, "trtlens: cannot make file: Not a directory\n") and (folder / "sub/b.md").exists(), f"--plots file: {status} {said}")
        (folder / "taken" / "time-1.svg").mkdir(parents=True)
        status, said, _ = run("--plots", "taken", "-q", "-o", "sub/b.md")
        that((status, said) == (2, "trtlens: cannot write taken/time-1.svg: Is a directory\n"), f"--plots taken: {status} {said}")
    else:
        print("output_file: gnuplot is not installed, charts are not drawn")
    check_compared_plots(folder, binary, build, env, that)
    status, said, _ = run("--plots", "none", "-q", "-o", "sub/c.md", path="/nonexistent")
    that((status, said) == (0, "trtlens: --plots: Charts are not drawn: gnuplot was not found.\n") and not (folder / "none").exists(), f"{status} {said}")
    for name in ("sub", "p", "taken"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "file").unlink(missing_ok=True)


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    build = str(pathlib.Path(sys.argv[2]).resolve() / "builds" / "b_g6_q")
    problems = []
    env = {k: v for k, v in os.environ.items() if not k.startswith("TRTLENS_")}

    def that(good, what):
        if not good:
            problems.append(what)

    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)

        def run(*arguments, limit=None, umask=0o022, quiet=True):
            def prepare():
                os.umask(umask)
                if limit is not None:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            words = [binary, "analyze", build, *arguments] + (["--quiet"] if quiet else [])
            done = subprocess.run(words, capture_output=True, cwd=folder, check=False, preexec_fn=prepare, env=env,
                                  stdin=subprocess.DEVNULL, timeout=240)
            return done.returncode, done.stderr.decode(), done.stdout

        def mode(name):
            return stat.S_IMODE((folder / name).stat().st_mode)

        def only(*names):
            found = sorted(p.name for p in folder.iterdir())
            that(found == sorted(names), f"expected {sorted(names)}, found {found}")

        status, said, whole = run("--format", "markdown")
        that(status == 0 and len(whole) > 5000, f"no report: {status} {said}")

        # A new file, with the permissions of any new file.
        status, said, out = run("-o", "a.md", quiet=False, umask=0o027)
        that((status, said, out) == (0, "trtlens: wrote a.md\n", b""), f"new: {status} {said}")
        that((folder / "a.md").read_bytes() == whole and mode("a.md") == 0o640, f"new: mode {mode('a.md'):o}")
        only("a.md")

        # One that is there keeps its own, whatever umask says, and is another file afterwards.
        os.chmod(folder / "a.md", 0o604)
        (folder / "a.md").write_text(OLD)
        reader = open(folder / "a.md", encoding="utf-8")
        status, said, _ = run("-o", "a.md", umask=0o077)
        that((status, said) == (0, "") and mode("a.md") == 0o604, f"again: {status} {said} {mode('a.md'):o}")
        that((folder / "a.md").read_bytes() == whole and reader.read() == OLD, "again: written in place")
        reader.close()

        # No room: nothing is left of the report, and the old one stands.
        (folder / "a.md").write_text(OLD)
        status, said, _ = run("-o", "a.md", limit=4096)
        that((status, said) == (2, "trtlens: a.md: File too large\n"), f"full: {status} {said}")
        that((folder / "a.md").read_text() == OLD, "full: the old report is gone")
        status, said, _ = run("-o", "new.md", limit=4096)
        that((status, said) == (2, "trtlens: new.md: File too large\n"), f"full, new: {status} {said}")
        only("a.md")

        # What cannot be opened.
        status, said, _ = run("-o", "none/a.md")
        that((status, said) == (2, "trtlens: cannot write none/a.md: No such file or directory\n"), f"{status} {said}")
        (folder / "d.md").mkdir()
        status, said, _ = run("-o", "d.md")
        that((status, said) == (2, "trtlens: cannot write d.md: Is a directory\n"), f"{status} {said}")
        (folder / "d.md").rmdir()
        status, said, _ = run("-o", "a.docx")
        that(said.startswith("trtlens: --output: 'a.docx': the extension names no format (.baseline .csv .html .json .md "
                             ".sarif .txt .xml)\n") and status == 2, f"{status} {said}")
        if os.geteuid() != 0:  # root may write everything
            os.chmod(folder / "a.md", 0o444)
            status, said, _ = run("-o", "a.md")
            that((status, said) == (2, "trtlens: cannot write a.md: Permission denied\n"), f"{status} {said}")
            os.chmod(folder / "a.md", 0o644)

        check_pages(folder, binary, env, that)
        check_own_reports(folder, binary, pathlib.Path(build).parent, env, that)

        # Devices, pipes, links and files of two names are written in place.
        status, said, out = run("-o", "md:/dev/stdout")
        that((status, said, out) == (0, "", whole), f"/dev/stdout: {status} {said}")
        status, said, _ = run("-o", "md:/dev/null")
        that((status, said) == (0, "") and stat.S_ISCHR(os.stat("/dev/null").st_mode), f"/dev/null: {status} {said}")
        status, said, _ = run("-o", "md:/dev/full")
        that((status, said) == (2, "trtlens: /dev/full: No space left on device\n"), f"/dev/full: {status} {said}")
        (folder / "link.md").symlink_to("target.md")
        status, said, _ = run("-o", "link.md")
        that((status, said) == (0, "") and (folder / "link.md").is_symlink(), f"link: {status} {said}")
        that((folder / "target.md").read_bytes() == whole, "link: the target has no report")
        os.link(folder / "a.md", folder / "b.md")
        run("-o", "a.md")
        that((folder / "b.md").read_bytes() == whole, "two names: only one has the report")
        os.mkfifo(folder / "p.md")
        got = []
        drain = threading.Thread(target=lambda: got.append((folder / "p.md").read_bytes()))
        drain.start()
        status, said, _ = run("-o", "p.md")
        drain.join(timeout=60)
        that((status, said, got) == (0, "", [whole]), f"fifo: {status} {said}")
        that(stat.S_ISFIFO((folder / "p.md").stat().st_mode), "fifo: replaced")
        only("a.md", "b.md", "link.md", "p.md", "target.md")

        check_plots(folder, binary, build.replace("b_g6_q", "b_r18_q_conv"), env, that)
        check_signals(folder, binary, str(pathlib.Path(build).with_name("a_r18_fp16")), env, that)

        # A name of the greatest length leaves no room for a longer one beside it.
        longest = "x" * 252 + ".md"
        status, said, _ = run("-o", longest)
        that((status, said) == (0, "") and (folder / longest).read_bytes() == whole, f"long name: {status} {said}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

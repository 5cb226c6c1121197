#!/usr/bin/env python3
"""Executes the examples of a page. Usage: readme_test.py TRTLENS README.md | --self-test

Every line `$ COMMAND` of a ```console block runs in a temporary folder that holds fixtures/ (a link; of the page's folder or one above) and an empty build/,
with `trtlens` on the PATH and a terminal of 100 columns without colour as standard output. What follows, up to the next
`$ `, must be the output; a line `…` stands for any lines; no text at all leaves the output unchecked. A command must exit
0, unless `$ echo $?` and the status follow it. Other blocks (```sh) are not run.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from terminal import Terminal

TIMEOUT_S = 240


def examples(text):
    """(line number, command, expected lines) of every console block."""
    inside, out = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = line.strip() == "```console" and not inside
        elif inside and line.startswith("$ "):
            out.append((number, line[2:], []))
        elif inside and out:
            out[-1][2].append(line)
    for _, _, lines in out:
        while lines and not lines[-1].strip():
            lines.pop()
    return out


def matches(want, got):
    """Whether the lines are equal, `…` standing for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + r"\n"
                      for line in want)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in got)) is not None


def run(command, folder, env):
    """Exit status and output of a command whose standard output is a terminal."""
    screen = Terminal(lines=40, line_feeds=True)
    process = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=env, stdout=screen.slave,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        _, stderr = process.communicate(timeout=TIMEOUT_S)
    finally:
        process.kill()
        screen.close()
    return process.returncode, (screen.text + stderr).decode("utf-8", "backslashreplace")


def check(binary, readme):
    found = examples(readme.read_text(encoding="utf-8"))
    failures = [] if found else [f"{readme}: no ```console example"]
    root = next((p for p in readme.resolve().parents if (p / "fixtures").exists()), readme.resolve().parent)
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        (folder / "build").mkdir()
        if (root / "fixtures").exists():
            (folder / "fixtures").symlink_to(root / "fixtures")
        (folder / "bin").mkdir()
        (folder / "bin" / "trtlens").symlink_to(pathlib.Path(binary).resolve())
        env = {k: v for k, v in os.environ.items() if not k.startswith("TRTLENS_")}
        env.update(PATH=f"{folder / 'bin'}:{env.get('PATH', '/usr/bin:/bin')}", LC_ALL="C.UTF-8",
                   NO_COLOR="1", TERM="xterm", COLUMNS="100")
        status = 0
        for i, (number, command, want) in enumerate(found):
            if command == "echo $?":
                got = str(status)
            else:
                status, got = run(command, folder, env)
                asked = i + 1 < len(found) and found[i + 1][1] == "echo $?"
                if status and not asked:
                    failures.append(f"{readme.name}:{number}: `{command}` exits {status}:\n{got[-2000:]}")
                    continue
            if want and not matches(want, got.splitlines()):
                failures.append(f"{readme.name}:{number}: `{command}` prints something else:\n{got}")
    return failures


def self_test():
    tool = "#!/bin/sh\n[ -t 1 ] && echo terminal\nls -1d fixtures build\nexit $1\n"
    text = "# x\n```console\n$ trtlens 3\nterminal\n…\n$ echo $?\n3\n```\n```sh\n$ false\n```\n```console\n{}\n```\n"
    cases = {"$ trtlens\nterminal\nbuild\nfixtures": 0, "$ trtlens\nterminal\nfixtures": 1, "$ trtlens\n…\nfixtures": 0,
             "$ trtlens\n…\nbuild": 1, "$ trtlens 1": 1, "$ trtlens": 0, "$ trtlens 1\n$ echo $?\n2": 1}
    bad = 0
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        (folder / "fixtures").mkdir()
        (folder / "tool").write_text(tool)
        (folder / "tool").chmod(0o755)
        for block, want in cases.items():
            (folder / "README.md").write_text(text.format(block))
            got = check(folder / "tool", folder / "README.md")
            if len(got) != want:
                bad += 1
                print(f"self-test: {block!r}: {len(got)} failures for {want}: {got}")
        (folder / "README.md").write_text("no example\n")
        bad += check(folder / "tool", folder / "README.md") == []
    return bad


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    failures = check(sys.argv[1], pathlib.Path(sys.argv[2]))
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

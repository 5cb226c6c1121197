#!/usr/bin/env python3
"""Runs the commands of questions.json, and compares docs/questions.md with what scripts/questions writes.

Usage: questions_test.py TRTLENS            questions whose inputs are bundled, and the page
       questions_test.py TRTLENS SHARED     those whose inputs are in this folder; exit 77 if it is missing

A question has `subject`, `question`, `url`, and either `why_not`, or `command`, `input` (path of each word of the command that
stands for an input; `fixtures/` and `shared/` are folders, several paths are joined by commas) and `output`: pieces of lines, in
order, that the command must print on a terminal of 100 columns. `shown_as` is what the page shows in place of a command that
a test cannot run. Exit statuses 0, 1 and 3 are verdicts; any other fails.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from readme_test import run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEAST_ANSWERED = 90
ANSWERED = {"subject", "question", "url", "command", "input", "output"}
NOT_ANSWERED = {"subject", "question", "url", "why_not"}


def with_inputs(row):
    """The command with the inputs in place of the words that stand for them."""
    command = row["command"]
    for word, path in row["input"].items():
        command, count = re.subn(rf"(?<![\w./-]){re.escape(word)}(?![\w./-])", lambda _: shlex.quote(path), command)
        if count != 1:
            raise ValueError(f"{word} stands {count} times in `{row['command']}`")
    return command


def malformed(rows):
    """What is wrong with the file itself."""
    faults = []
    for row in rows:
        if set(row) - {"shown_as"} not in (ANSWERED, NOT_ANSWERED):
            faults.append(f"{row.get('url')}: fields {sorted(row)}")
        elif not all(row.values()) and row.get("input") != {}:
            faults.append(f"{row['url']}: an empty field")
    asked = [(row.get("url"), row.get("question")) for row in rows]
    faults += [f"{url}: asked twice" for url, question in set(asked) if asked.count((url, question)) > 1]
    answered = sum("output" in row for row in rows)
    if answered < LEAST_ANSWERED:
        faults.append(f"{answered} questions are answered, not {LEAST_ANSWERED}")
    return faults


def missing(pieces, output):
    """The first piece that no line holds behind the line of the piece before; None if there is none."""
    lines = iter(output.splitlines())
    return next((piece for piece in pieces if not any(piece in line for line in lines)), None)


def check(binary, rows, shared):
    failures, outputs = [], {}
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        (folder / "fixtures").symlink_to(ROOT / "fixtures")
        if shared:
            (folder / "shared").symlink_to(shared.resolve())
        (folder / "bin").mkdir()
        (folder / "bin/trtlens").symlink_to(pathlib.Path(binary).resolve())
        env = {k: v for k, v in os.environ.items() if not k.startswith("TRTLENS_")}
        env.update(PATH=f"{folder / 'bin'}:{env.get('PATH', '/usr/bin:/bin')}", LC_ALL="C.UTF-8", NO_COLOR="1", TERM="xterm",
                   COLUMNS="100")
        for row in rows:
            command = with_inputs(row)
            if command not in outputs:
                outputs[command] = run(command, folder, env)
            status, output = outputs[command]
            piece = missing(row["output"], output)
            if status not in (0, 1, 3):
                failures.append(f"{row['url']}: `{command}` exits {status}:\n{output[-2000:]}")
            elif piece is not None:
                failures.append(f"{row['url']}: `{command}` prints no line with (in this order)\n  {piece}")
    return failures


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__.strip())
        return 2
    rows = json.loads(pathlib.Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))
    shared = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else None
    if shared and not shared.is_dir():
        print(f"skipped: no folder {shared}")
        return 77
    mine = [row for row in rows if "output" in row and bool(shared) == any(p.startswith("shared/") for p in row["input"].values())]
    failures = check(sys.argv[1], mine, shared)
    if not shared:
        failures += malformed(rows)
        page = subprocess.run([sys.executable, "-B", str(ROOT / "scripts/questions"), "--check"], capture_output=True, text=True,
                              check=False)
        if page.returncode:
            failures.append((page.stdout + page.stderr).strip())
    for failure in failures:
        print(failure)
    print(f"{len(mine)} questions, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

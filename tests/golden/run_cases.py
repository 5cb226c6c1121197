#!/usr/bin/env python3
"""Runs golden cases: folders whose command must print exactly what the folder says.

Usage: run_cases.py TRTLENS CASE_FOLDER...          UPDATE_GOLDEN=1 rewrites the expectations.

A case folder holds
  cmd                   arguments of trtlens, shell-quoted, `#` comments; run inside the folder
  stdin                 optional: what is piped in; otherwise standard input is empty
  env                   optional: NAME=VALUE lines, added to the environment
  expected.stdout       bytes of standard output; absent: none, or any when one of the last two below is there
  expected.stderr       bytes of standard error; absent: none
  expected.status       exit status; absent: 0
  expected.json.subset  JSON that standard output, read as JSON, must contain: every key with its value, numbers to
                        1e-9 (relative above 1). Lists of objects: each expected item matches another item of the
                        output, in any order; other lists, and the empty one, are equal. An object can also stand for
                        a list, where length or order matter: {"length": 3, "contains": […], "0": {…}}. null also
                        matches an absent key.
  expected.NAME         any other: must equal the file got.NAME that the command writes (`-o got.NAME`); of got.NAME.html
                        expected.NAME.html.words holds what a reader sees: one piece of text a line, without charts;
                        instead of it expected.NAME.html.markup, once it exists, the page's body, one tag a line
On failure got.* stay in the folder (git ignores them) and a diff is printed. Nothing else is normalised.
"""
import base64
import difflib
import html.parser
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import zlib

STREAMS = ("stdout", "stderr")
TIMEOUT_S = 240


def unpacked(page):
    """The page with its packed data as JSON: how zlib packs is not the same everywhere."""
    def json_of(match):
        return match[1] + zlib.decompress(base64.b64decode(match[2])).decode() + match[3]
    return re.sub(r'(<script [^>]*data-packed="[^"]*">)([^<]*)(</script>)', json_of, page)


class Words(html.parser.HTMLParser):
    """The texts of a page whose data are unpacked, in order. A script is text only where it holds data."""

    def __init__(self):
        super().__init__()
        self.words, self.silent = [], []

    def handle_starttag(self, tag, attrs):
        if tag in ("style", "svg") or (tag == "script" and not dict(attrs).get("data-packed")):
            self.silent.append(tag)

    def handle_endtag(self, tag):
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data):
        if not self.silent and data.strip():
            self.words.append(data.strip())

    @classmethod
    def of(cls, page):
        reader = cls()
        reader.feed(unpacked(page))
        return "\n".join(reader.words) + "\n"


def markup(page):
    """The body without its script at the end; a new line between two tags."""
    return unpacked(page[max(0, page.find("<body>")):].rpartition("<script>")[0]).replace("><", ">\n<")


class CaseError(Exception):
    """The case itself is wrong."""


def numbers_equal(want, got):
    return abs(want - got) <= 1e-9 * max(1.0, abs(want))


def mismatch(want, got, path="$"):
    """First difference between an expected subset and the output, or None."""
    if isinstance(want, dict):
        if isinstance(got, list):
            got = {"length": len(got), "contains": got, **{str(i): item for i, item in enumerate(got)}}
        if not isinstance(got, dict):
            return f"{path}: expected an object, found {json.dumps(got)[:200]}"
        for key, value in want.items():
            if key not in got:
                if value is None:
                    continue
                return f"{path}.{key}: expected {json.dumps(value)[:200]}, found nothing"
            if why := mismatch(value, got[key], f"{path}.{key}"):
                return why
        return None
    if isinstance(want, list) and isinstance(got, list) and any(isinstance(x, dict) for x in want):
        left = list(got)
        for i, item in enumerate(want):
            match = next((k for k, other in enumerate(left) if mismatch(item, other) is None), None)
            if match is None:
                why = f" ({mismatch(item, left[0])})" if len(left) == 1 else f", {len(left)} items tried"
                return f"{path}: nothing matches item {i} {json.dumps(item)[:200]}{why}"
            del left[match]
        return None
    if isinstance(want, list):
        if not isinstance(got, list) or len(want) != len(got):
            return f"{path}: expected {json.dumps(want)[:200]}, found {json.dumps(got)[:200]}"
        for i, (a, b) in enumerate(zip(want, got)):
            if why := mismatch(a, b, f"{path}[{i}]"):
                return why
        return None
    numeric = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (want, got))
    same = numbers_equal(want, got) if numeric else type(want) is type(got) and want == got
    return None if same else f"{path}: expected {json.dumps(want)[:200]}, found {json.dumps(got)[:200]}"


def refreshed(want, got):
    """The subset with the output's values at the keys that it names."""
    if isinstance(want, dict) and isinstance(got, list):
        got = {"length": len(got), "contains": got, **{str(i): item for i, item in enumerate(got)}}
    if isinstance(want, dict) and isinstance(got, dict):
        return {key: refreshed(value, got.get(key)) for key, value in want.items()}
    if isinstance(want, list) and isinstance(got, list) and any(isinstance(x, dict) for x in want):
        return [refreshed(a, b) if mismatch(want, got) else a for a, b in zip(want, got)]
    return got


def diff(want, got, name):
    lines = [b.decode("utf-8", "backslashreplace").splitlines(keepends=True) for b in (want, got)]
    text = "".join(difflib.unified_diff(*lines, f"expected.{name}", f"got.{name}"))
    return text if len(text) < 20000 else text[:20000] + "\n… diff cut\n"


def expectations(folder):
    """name -> path of each expected.NAME."""
    return {p.name[len("expected."):]: p for p in sorted(folder.glob("expected.*"))}


def judges_stdout(expected):
    """Whether all of standard output is expected, rather than a subset of it or files."""
    return not set(expected) - {*STREAMS, "status"}


def run(binary, folder):
    arguments = shlex.split((folder / "cmd").read_text(), comments=True)
    for stale in folder.glob("got.*"):
        stale.unlink()
    stdin = folder / "stdin"
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    env.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
    variables = folder / "env"
    if variables.exists():
        env.update(line.split("=", 1) for line in variables.read_text().splitlines())
    with open(stdin if stdin.exists() else os.devnull, "rb") as source:
        done = subprocess.run([binary, *arguments], cwd=folder, stdin=source, capture_output=True,
                              env=env, timeout=TIMEOUT_S, check=False)
    for page in folder.glob("got.*.html"):
        text, name = page.read_text(encoding="utf-8"), page.name[len("got."):]
        kind, part = ("markup", markup) if (folder / f"expected.{name}.markup").exists() else ("words", Words.of)
        page.with_name(f"{page.name}.{kind}").write_text(part(text), encoding="utf-8")
        page.unlink()
    return done.returncode, done.stdout, done.stderr


def problems(folder, status, stdout, stderr):
    """What differs, as text; empty when the case passes."""
    out = []
    expected = expectations(folder)
    if not expected:
        raise CaseError("no expected.* file: UPDATE_GOLDEN=1 writes them")
    want_status = int(expected["status"].read_text()) if "status" in expected else 0
    if status != want_status:
        out.append(f"exit status: expected {want_status}, found {status}\n")
    streams = {"stdout": stdout, "stderr": stderr}
    want_streams = {n: expected[n].read_bytes() for n in STREAMS if n in expected}
    want_streams.setdefault("stderr", b"")
    if judges_stdout(expected):
        want_streams.setdefault("stdout", b"")
    for name, want in want_streams.items():
        if streams[name] != want:
            out.append(diff(want, streams[name], name))
    if "json.subset" in expected:
        try:
            why = mismatch(json.loads(expected["json.subset"].read_text()), json.loads(stdout))
        except ValueError as error:
            why = f"not JSON: {error}"
        if why:
            out.append(f"json.subset: {why}\n")
    for name, path in expected.items():
        if name in STREAMS + ("status", "json.subset"):
            continue
        got = folder / f"got.{name}"
        if not got.exists():
            out.append(f"got.{name} was not written\n")
        elif got.read_bytes() != path.read_bytes():
            out.append(diff(path.read_bytes(), got.read_bytes(), name))
    return out


def update(folder, status, stdout, stderr):
    expected = expectations(folder)
    subset = folder / "expected.json.subset"
    if subset.exists():
        want = json.loads(subset.read_text())
        values = refreshed(want, json.loads(stdout))
        if values != want:  # else its lines stay as they were written
            subset.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    new = judges_stdout(expected) and stdout and not any(folder.glob("got.*"))  # files say it already
    if "stdout" in expected or new:
        (folder / "expected.stdout").write_bytes(stdout)
    for name, content, default in (("stderr", stderr, b""), ("status", b"%d\n" % status, b"0\n")):
        path = folder / f"expected.{name}"
        if content != default:
            path.write_bytes(content)
        else:
            path.unlink(missing_ok=True)
    for got in folder.glob("got.*"):
        got.replace(folder / f"expected.{got.name[len('got.'):]}")


def check_case(binary, folder):
    """True when the case passes, or was rewritten."""
    try:
        status, stdout, stderr = run(binary, folder)
        if os.environ.get("UPDATE_GOLDEN") == "1":
            update(folder, status, stdout, stderr)
            return True
        found = problems(folder, status, stdout, stderr)
    except (CaseError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"{folder.name}: {error}")
        return False
    if not found:
        for got in folder.glob("got.*"):
            got.unlink()
        return True
    (folder / "got.stdout").write_bytes(stdout)
    (folder / "got.stderr").write_bytes(stderr)
    print(f"{folder.name}: FAILED  (cd {folder}; trtlens {(folder / 'cmd').read_text().strip()})")
    print("".join(found), end="")
    if status not in (0, 1, 2, 3):  # a crash: the sanitizer's report is the message
        print(stderr[-4000:].decode("utf-8", "backslashreplace"))
    return False


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    folders = [pathlib.Path(p).resolve() for p in sys.argv[2:]]
    failed = [f.name for f in folders if not check_case(binary, f)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Whether the links of the documentation lead anywhere. Usage: links_test.py ROOT | --self-test

Of *.md, docs/**.md, docs/llms.txt, fixtures/*.md and packaging/**.md below ROOT: a relative link or picture must be a file or folder below ROOT, and its #anchor
a heading of that page, named as GitHub names it. Addresses of the web are not asked.
"""
import pathlib
import re
import sys
import tempfile
import urllib.parse

PAGES = ("*.md", "docs/**/*.md", "docs/llms.txt", "fixtures/*.md", "packaging/**/*.md")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])??\1(?!`)")
TARGET = re.compile(r"\]\(\s*(?:<([^>]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
REFERENCE = re.compile(r" {0,3}\[[^\]]+\]:\s*<?([^\s>]+)")
HTML = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=\"([^\"\s]+)", re.IGNORECASE)
HTML_ANCHOR = re.compile(r"<[a-z]+\b[^>]*?\b(?:id|name)=\"([^\"]+)\"", re.IGNORECASE)
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")


def prose(text):
    """(line number, line) of what is no fenced block."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence is None and found:
            fence = found[1]
        elif fence is None:
            yield number, line
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = None


def anchor(heading):
    """As GitHub makes it: link texts without their targets, small letters, only words, hyphens and blanks, blanks as hyphens."""
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", heading)
    pieces = re.split(r"(`[^`]*`)", text)
    text = "".join(piece.strip("`") if piece.startswith("`") else re.sub(r"(?<!\w)_+|_+(?!\w)", "", piece) for piece in pieces)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors(text):
    names, seen = set(), {}
    for _, line in prose(text):
        names.update(HTML_ANCHOR.findall(line))
        found = HEADING.match(line)
        if found:
            name = anchor(found[1] or "")
            seen[name] = seen.get(name, -1) + 1
            names.add(f"{name}-{seen[name]}" if seen[name] else name)
    return names


def links(text):
    """(line number, target) of every link and picture; code spans have none."""
    for number, line in prose(text):
        line = CODE.sub("``", line)
        for found in TARGET.finditer(line):
            yield number, found[1] or found[2] or ""
        for found in HTML.finditer(line):
            yield number, found[1]
        found = REFERENCE.match(line)
        if found:
            yield number, found[1]


def problem(root, page, target):
    """What is wrong with a link, or None."""
    parts = urllib.parse.urlsplit(target)
    if parts.scheme or parts.netloc:
        return None
    name = urllib.parse.unquote(parts.path)
    place = pathlib.Path(page.parent, name).resolve() if name else page
    if name.startswith("/") or not place.is_relative_to(root):
        return "leads out of the repository"
    if not place.exists():
        return "is not there"
    if parts.fragment and place.suffix == ".md" and urllib.parse.unquote(parts.fragment) not in anchors(place.read_text(encoding="utf-8")):
        return f"has no heading #{parts.fragment}"
    return None


def check(root):
    root = pathlib.Path(root).resolve()
    pages = sorted({page for pattern in PAGES for page in root.glob(pattern)})
    failures, count = [], 0
    for page in pages:
        for number, target in links(page.read_text(encoding="utf-8")):
            count += 1
            wrong = problem(root, page, target)
            if wrong:
                failures.append(f"{page.relative_to(root)}:{number}: {target or 'a link to nothing'} {wrong}")
    if not count:
        failures.append(f"{root}: no link found")
    return failures


GOOD = ["[x](docs/a.md)", "[x](docs/)", "[x](docs/a.md#two-words)", "[x](docs/a.md#two-words-1)", "![p](docs/p.png)", "[x](#top-of-page_1)",
        "[x](docs/a.md#how-trtlens-compare-decides)", "[x](docs/a.md#a-link-and-c)", "[x](docs/a.md#what--why-)", "[x](docs/a.md#here)",
        "[x](https://nowhere.invalid/#y)", "[x](mailto:a@b.invalid)", "`[x](nope.md)`", "```sh\n[x](nope.md)\n```", "[x](docs/p.png \"title\")",
        "[x](<docs/with blank.md>)", "[x](docs/with%20blank.md)", "[x]: docs/a.md", "<img src=\"docs/p.png\">", "~~~\n[x](nope.md)\n```\n~~~"]
BAD = ["[x](docs/b.md)", "[x](docs/A.md)", "[x](docs/a.md#two-word)", "[x](docs/a.md#two-words-2)", "![p](docs/q.png)", "[x](#bottom)", "[x](../outside.md)",
       "[x](/docs/a.md)", "[x](docs/a.md#in-code)", "[x]: docs/b.md", "<img src=\"docs/q.png\">", "[x](docs/a.md) and [y](docs/b.md)", "[x](<docs/no blank.md>)",
       "[wrapped\ntext](docs/b.md)", "`a` [x](docs/b.md) `b`", "## [x](docs/b.md)"]


def self_test():
    page = "# A\n## Two words\n## Two words\n## How `trtlens compare` decides\n## A [link](b) and _c_\n## What & why?-\n<a id=\"here\"></a>\n```sh\n# in code\n```\n"
    bad = 0
    with tempfile.TemporaryDirectory() as temp:
        root = pathlib.Path(temp, "root")
        (root / "docs").mkdir(parents=True)
        pathlib.Path(temp, "outside.md").write_text("# x\n")
        (root / "docs/a.md").write_text(page)
        (root / "docs/with blank.md").write_text("# x\n")
        (root / "docs/p.png").write_bytes(b"")
        for text, want in [(text, 0) for text in GOOD] + [(text, 1) for text in BAD]:
            (root / "README.md").write_text(f"# Top of page_1\n[self](docs/a.md)\n\n{text}\n")
            got = [failure for failure in check(root) if failure.startswith("README.md:")]
            if len(got) != want:
                bad += 1
                print(f"self-test: {text!r}: {got or 'nothing'} found")
        (root / "README.md").write_text("no link\n")
        (root / "docs/a.md").write_text("none\n")
        bad += check(root) == []
    return bad


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    failures = check(sys.argv[1])
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

"""The Python blocks of docs/guides/python.md, in order and in one namespace. Run by scripts/check_packages."""
import pathlib
import re
import traceback

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs/guides/python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """(first line, code) of every block."""
    return [(text.count("\n", 0, found.start(1)) + 1, found[1]) for found in BLOCK.finditer(text)]


def run(text, name):
    """A failure names the line of the page: each block is compiled as if it stood there."""
    namespace = {}
    for line, code in blocks(text):
        exec(compile("\n" * (line - 1) + code, name, "exec"), namespace)


def test_the_guide(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = GUIDE.read_text(encoding="utf-8")
    assert len(blocks(text)) == text.count("```python")
    assert len(blocks(text)) >= 8
    run(text, str(GUIDE))


def test_a_block_that_fails_names_its_line():
    page = "# x\n```python\na = 1\n```\n\n```sh\nfalse\n```\n```python\nb = a + 1\nassert b == 3\n```\n"
    with pytest.raises(AssertionError) as raised:
        run(page, "page.md")
    last = traceback.extract_tb(raised.tb)[-1]
    assert (last.filename, last.lineno) == ("page.md", 11)
    run(page.replace("b == 3", "b == 2"), "page.md")

#!/usr/bin/env python3
"""The golden runner must fail when it should: a runner that cannot fail tests nothing."""
import base64
import contextlib
import io
import json
import os
import pathlib
import stat
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run_cases  # noqa: E402


class Subset(unittest.TestCase):
    def test_equal_and_missing_keys(self):
        self.assertIsNone(run_cases.mismatch({"a": 1}, {"a": 1, "b": 2}))
        self.assertIn("$.a", run_cases.mismatch({"a": 1}, {"b": 1}))
        self.assertIsNone(run_cases.mismatch({"a": None}, {}))
        self.assertIsNone(run_cases.mismatch({"a": None}, {"a": None}))
        self.assertIsNotNone(run_cases.mismatch({"a": None}, {"a": 0}))

    def test_numbers(self):
        self.assertIsNone(run_cases.mismatch(0.1, 0.1 + 1e-12))
        self.assertIsNotNone(run_cases.mismatch(0.1, 0.1 + 1e-8))
        self.assertIsNotNone(run_cases.mismatch(1, True))
        self.assertIsNotNone(run_cases.mismatch("1", 1))

    def test_lists(self):
        got = [{"n": 1, "x": 0}, {"n": 2}, {"n": 3}]
        self.assertIsNone(run_cases.mismatch([{"n": 1}, {"n": 3}], got))
        self.assertIsNone(run_cases.mismatch([{"n": 3}, {"n": 1}], got))
        self.assertIsNotNone(run_cases.mismatch([{"n": 4}], got))
        self.assertIsNotNone(run_cases.mismatch([{"n": 3}, {"n": 3}], got))
        self.assertIsNotNone(run_cases.mismatch([], got))
        self.assertIsNotNone(run_cases.mismatch([1, 2], [1, 2, 3]))
        self.assertIsNone(run_cases.mismatch({"length": 3, "1": {"n": 2}}, got))
        self.assertIsNotNone(run_cases.mismatch({"length": 2}, got))
        self.assertIsNone(run_cases.mismatch({"length": 3, "contains": [{"n": 3}]}, got))


class Cases(unittest.TestCase):
    """A stand-in for trtlens: a script that prints what the case's arguments say."""

    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.addCleanup(self.temp.cleanup)
        root = pathlib.Path(self.temp.name)
        self.binary = root / "tool"
        self.binary.write_text('#!/bin/sh\nprintf "%s" "$1"; cat; [ -z "$3" ] || echo file > "$3"; exit "${2:-0}"\n')
        self.binary.chmod(self.binary.stat().st_mode | stat.S_IXUSR)
        self.folder = root / "case"
        self.folder.mkdir()

    def check(self, env=None, **files):
        for name, text in files.items():
            (self.folder / name.replace("_", ".")).write_text(text)
        saved = os.environ.pop("UPDATE_GOLDEN", None)
        os.environ.update(env or {})
        try:
            with contextlib.redirect_stdout(io.StringIO()) as said:
                passed = run_cases.check_case(str(self.binary), self.folder)
        finally:
            os.environ.pop("UPDATE_GOLDEN", None)
            if saved is not None:
                os.environ["UPDATE_GOLDEN"] = saved
        return passed, said.getvalue()

    def test_stdout(self):
        self.assertEqual(self.check(cmd="'hello'", expected_stdout="hello"), (True, ""))
        passed, said = self.check(cmd="'hullo'", expected_stdout="hello")
        self.assertFalse(passed)
        self.assertIn("-hello", said)
        self.assertIn("+hullo", said)
        self.assertEqual((self.folder / "got.stdout").read_text(), "hullo")

    def test_stdin_status_and_comment(self):
        passed, _ = self.check(cmd="# why this case exists\na 3", stdin="b", expected_stdout="ab",
                               expected_status="3")
        self.assertTrue(passed)
        self.assertFalse(self.check(expected_status="0")[0])

    def test_file(self):
        self.assertTrue(self.check(cmd="x 0 got.txt", expected_txt="file\n")[0])
        self.assertFalse((self.folder / "got.txt").exists())
        self.assertFalse(self.check(expected_txt="other\n")[0])
        self.assertFalse(self.check(cmd="x 0", expected_txt="file\n")[0])

    def test_words_of_a_page(self):
        packed = base64.b64encode(zlib.compress(b"[3]")).decode()
        page = ("<title>T</title><style>p {}</style><p>one <b>two</b>\n</p><svg><text>no</text></svg>"
                f"<script>no</script><script type=\"text/plain\" data-packed=\"x\">{packed}</script>&lt;four")
        self.assertEqual(run_cases.Words.of(page), "T\none\ntwo\n[3]\n<four\n")
        self.assertTrue(self.check(cmd="x 0 got.x.html", expected_x_html_words="file\n")[0])
        self.assertFalse((self.folder / "got.x.html").exists())
        self.assertFalse(self.check(expected_x_html_words="fill\n")[0])

    def test_markup_of_a_page(self):
        page = "<title>T</title><body><p>one</p><p>two</p>\n<script>no</script></body>"
        self.assertEqual(run_cases.markup(page), "<body>\n<p>one</p>\n<p>two</p>\n")
        self.assertTrue(self.check(cmd="'' 0 got.x.html", expected_x_html_markup="")[0])
        self.assertFalse(self.check(expected_x_html_markup="<p>")[0])

    def test_json_subset(self):
        (self.folder / "expected.json.subset").write_text('{"a": 1}')
        self.assertTrue(self.check(cmd="'{\"a\": 1, \"b\": 2}'")[0])
        self.assertFalse(self.check(cmd="'{\"a\": 2}'")[0])
        self.assertFalse(self.check(cmd="'{'")[0])

    def test_case_without_expectation(self):
        self.assertFalse(self.check(cmd="hello")[0])
        self.assertFalse(self.check(expected_status="0")[0])  # then standard output must be empty
        self.assertTrue(self.check(cmd="''")[0])

    def test_update(self):
        (self.folder / "expected.json.subset").write_text('{"a": 1}')
        self.assertTrue(self.check(env={"UPDATE_GOLDEN": "1"}, cmd="'{\"a\": 5, \"b\": 2}' 1")[0])
        self.assertEqual(json.loads((self.folder / "expected.json.subset").read_text()), {"a": 5})
        self.assertEqual((self.folder / "expected.status").read_text(), "1\n")
        self.assertTrue(self.check()[0])


if __name__ == "__main__":
    unittest.main()

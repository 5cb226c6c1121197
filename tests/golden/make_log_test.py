#!/usr/bin/env python3
"""scripts/make_log against what it claims: reproducible, of the asked size, with the line mix of a real log, and understood.

Usage: make_log_test.py TRTLENS
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REAL = ROOT / "fixtures" / "builds" / "b_r18_q_conv" / "build.log"
KINDS = {"tactic name": " Set Tactic Name: ", "tactic": r"\] Tactic: 0x", "runner": "Timing Runner: ", "autotuning": "Autotuning ",
         "fastest": "Fastest Tactic: ", "no tactics": "has no valid tactics", "input": "Searching for input: ",
         "node": "Parsing node: ", "layer": r"^Layer\(", "pass": "Running: "}


def make(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "scripts" / "make_log"), *arguments], check=True,
                          capture_output=True).stdout


def shares(text):
    lines = text.splitlines()
    return {kind: sum(bool(re.search(pattern, line)) for line in lines) / len(lines) for kind, pattern in KINDS.items()}


class MakeLog(unittest.TestCase):
    binary = ""

    def test_reproducible(self):
        self.assertEqual(make("0.3"), make("0.3"))
        self.assertNotEqual(make("0.3"), make("0.3", "--seed", "2"))

    def test_size(self):
        for megabytes in (0.5, 3):
            self.assertAlmostEqual(len(make(str(megabytes), "--blocks", "20")) / (megabytes * 1e6), 1, delta=0.15)

    def test_mix(self):
        real = shares(REAL.read_text(errors="replace"))
        for kind, share in shares(make("1").decode()).items():
            self.assertAlmostEqual(share, real[kind], delta=0.05, msg=kind)

    def test_understood(self):
        done = subprocess.run([self.binary, "analyze", "-", "--format", "json"], input=make("2", "--blocks", "15"),
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        coverage = report["build"]["coverage"]
        for what in ("malformed", "unknown", "foreign"):
            self.assertEqual(coverage[what], 0, coverage)
        self.assertGreater(len(report["runs"]), 1)
        self.assertEqual({run["outcome"] for run in report["runs"]}, {"passed"})


if __name__ == "__main__":
    MakeLog.binary = sys.argv.pop(1)
    unittest.main()

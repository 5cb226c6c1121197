#!/usr/bin/env python3
"""Holds docs/rules.md and the rows of docs/rules-evidence.md against the rule base.
Usage: rules_doc_test.py TRTLENS [--update]"""
import difflib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "rules.md"
EVIDENCE = ROOT / "docs" / "rules-evidence.md"


def rules_without_evidence(binary):
    """Rules without a row, and rows without a rule."""
    made = subprocess.run([binary, "rules", "--format", "json"], stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True).stdout
    rules = {rule["id"] for rule in json.loads(made)["rules"]}
    rows = set(re.findall(r"^\| `([^`]+)` \|", EVIDENCE.read_text(encoding="utf-8"), re.MULTILINE))
    return sorted(rules - rows), sorted(rows - rules)


def main():
    binary = sys.argv[1]
    made = subprocess.run([binary, "rules", "--format", "markdown"], stdout=subprocess.PIPE, text=True, encoding="utf-8",
                          check=True).stdout
    if "--update" in sys.argv[2:]:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    kept = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    without_row, without_rule = rules_without_evidence(binary)
    for rule in without_row:
        print(f"docs/rules-evidence.md has no row for the rule {rule}: what fires it, what does not, and where it fired")
    for rule in without_rule:
        print(f"docs/rules-evidence.md has a row for {rule}, which is no rule")
    if kept == made:
        return 1 if without_row or without_rule else 0
    difference = list(difflib.unified_diff(kept.splitlines(), made.splitlines(), "docs/rules.md", "the rule base", lineterm="", n=1))
    print("\n".join(difference[:40]))
    print(f"docs/rules.md is not up to date ({len(difference)} lines differ). Write it again and commit it:\n"
          "  trtlens rules --format markdown > docs/rules.md")
    return 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Holds docs/rules.md against the rule base. Usage: rules_doc_test.py TRTLENS [--update]"""
import difflib
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "rules.md"


def main():
    binary = sys.argv[1]
    made = subprocess.run([binary, "rules", "--format", "markdown"], stdout=subprocess.PIPE, text=True, encoding="utf-8",
                          check=True).stdout
    if "--update" in sys.argv[2:]:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    kept = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if kept == made:
        return 0
    difference = list(difflib.unified_diff(kept.splitlines(), made.splitlines(), "docs/rules.md", "the rule base", lineterm="", n=1))
    print("\n".join(difference[:40]))
    print(f"docs/rules.md is not up to date ({len(difference)} lines differ). Write it again and commit it:\n"
          "  trtlens rules --format markdown > docs/rules.md")
    return 1


if __name__ == "__main__":
    sys.exit(main())

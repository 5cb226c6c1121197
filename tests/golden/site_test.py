#!/usr/bin/env python3
"""Builds the site of the documentation, where a link that leads nowhere is an error. Usage: site_test.py [--require]

mkdocs-material is a package of PyPI (scripts/setup test); exit status 77 without it, failure with --require or TRTLENS_REQUIRE_CHECKERS=1.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYPI = ROOT / "build/python"


def main():
    sys.path.insert(0, str(PYPI))
    if importlib.util.find_spec("material") is None:
        print("skipped: mkdocs-material is not in build/python (scripts/setup test)")
        return 1 if "--require" in sys.argv or os.environ.get("TRTLENS_REQUIRE_CHECKERS") == "1" else 77
    environment = {**os.environ, "PYTHONPATH": str(PYPI), "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as site:
        done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", ROOT / "packaging/site/mkdocs.yml",
                               "--site-dir", site], env=environment, check=False)
        pages = sorted(path.relative_to(site).as_posix() for path in pathlib.Path(site).rglob("index.html"))
        first = (pathlib.Path(site) / "index.html").read_text(encoding="utf-8") if pages else ""
    if done.returncode != 0:
        return done.returncode
    expected = {"index.html"} | {f"{path.relative_to(ROOT / 'docs').with_suffix('').as_posix()}/index.html" for path in (ROOT / "docs").rglob("*.md")}
    missing = expected - set(pages)
    outside = [word for word in first.split('"') if word.startswith("https://fonts.")]
    for page in sorted(missing):
        print(f"no page {page}")
    for address in outside:
        print(f"asks {address}")
    print(f"{len(pages)} pages")
    return len(missing) + len(outside) > 0


if __name__ == "__main__":
    sys.exit(main())

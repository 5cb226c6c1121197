#!/usr/bin/env python3
"""The README's picture of a terminal shows what the program prints. Usage: pictures_test.py TRTLENS ROOT"""
import html
import os
import pathlib
import re
import subprocess
import sys

binary, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
drawn = (root / "docs/images/terminal.svg").read_text(encoding="utf-8")
shown = "".join(html.unescape(one).replace("\xa0", " ") for one in re.findall(r"<text[^>]*>(.*?)</text>", drawn, flags=re.S))
environment = {**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8", "TRTLENS_CONFIG": ""}
printed = subprocess.run([binary, "analyze", "fixtures/builds/b_r18_q_conv", "-q", "--format", "text"], cwd=root, env=environment,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
squeezed = shown.replace(" ", "").replace("\n", "")
missing = [line for line in printed.splitlines() if line.replace(" ", "") not in squeezed]
for line in missing:
    print(f"not in docs/images/terminal.svg (scripts/pictures): {line}")
sys.exit(bool(missing) or not printed)

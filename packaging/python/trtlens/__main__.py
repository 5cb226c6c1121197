"""`python -m trtlens …` is the command `trtlens …`."""

import os
import sys

from . import find_trtlens

_command = find_trtlens()
os.execv(_command, [_command, *sys.argv[1:]])

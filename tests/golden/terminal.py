"""A terminal for a process of a test: what it shows is read as it comes."""
import fcntl
import os
import pty
import struct
import termios
import threading
import time


class Terminal:
    """Its `slave` is for the process; `pieces` is what came, each with its time. `line_feeds`: as they are, without \\r. `reads`
    false: as somebody who does not look, until start()."""

    def __init__(self, columns=100, lines=30, line_feeds=False, reads=True):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        if line_feeds:
            modes = termios.tcgetattr(self.slave)
            modes[1] &= ~termios.OPOST
            termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        self.pieces, self.reader = [], None
        if reads:
            self.start()

    def start(self):
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # no process has it any more
                return
            if not piece:
                return
            self.pieces.append((time.monotonic(), piece))

    @property
    def text(self):
        return b"".join(piece for _, piece in self.pieces)

    def wait_for(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.text and time.monotonic() < end:
            time.sleep(0.02)
        return text in self.text

    def close(self):
        """Behind the last byte; the process has ended."""
        os.close(self.slave)
        if self.reader:
            self.reader.join(timeout=20)
        os.close(self.master)

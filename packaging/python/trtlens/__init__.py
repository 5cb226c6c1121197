"""What a TensorRT build does, read from its logs and exports.

    import trtlens

    analysis = trtlens.analyze("runs/b_r18")
    for finding in analysis["findings"]:
        print(finding["severity"], finding["title"], finding["stake_ms"])

The names are those of the JSON reports (docs/report-json.md); type checkers know them. All work is done by the command
`trtlens` of this package; every option of it is a keyword: `run=2`, `redact=True`, `ignore=["rule-a", "rule-b"]`.
"""

from __future__ import annotations

import html
import json
import os
import pathlib
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, List, Sequence, Set, Tuple, Union

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from ._analysis import Items as AnalysisItems
    from ._comparison import Items as ComparisonItems
else:
    AnalysisItems = ComparisonItems = Mapping

__all__ = ["Analysis", "Comparison", "Error", "NotComparable", "analyze", "compare", "find_trtlens"]

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Value = Union[int, float, Path]
Option = Union[bool, Value, List[Value], Tuple[Value, ...], Set[Value], None]

# The module decides these; `config` could set them, and with `against` a report is another.
_DECIDED = {"against", "color", "config", "format", "help", "output", "quiet", "tee", "version"}


class Error(RuntimeError):
    """trtlens could not do the job. `status`: its exit status. `report`: the JSON report of what could be read, or None."""

    def __init__(self, message: str, status: int, report: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.report = report

    def __reduce__(self) -> tuple[type[Error], tuple[str, int, dict[str, Any] | None]]:
        return type(self), (str(self), self.status, self.report)  # between the processes of a pool


class NotComparable(Error):
    """The two sides differ in input shapes, GPU or the like; `force=True` compares them nevertheless."""


def find_trtlens() -> str:
    """Path of the command: of this package's wheel, else the first on PATH."""
    here = pathlib.Path(__file__).resolve().parent
    scheme = "posix_user" if os.name == "posix" else "nt_user"
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme), here.parent / "bin"):
        command = shutil.which("trtlens", path=str(folder))
        if command:
            return command
    command = shutil.which("trtlens")
    if command is None:
        raise FileNotFoundError("the command trtlens is neither beside Python nor on PATH; install the wheel again")
    return command


def _words(options: Mapping[str, Option]) -> list[str]:
    words = []
    for name, value in options.items():
        if name in _DECIDED:
            raise TypeError(f"option {name!r} is decided by the module")
        if not name.isidentifier():
            raise TypeError(f"{name!r} is no name of an option")
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        values = value if isinstance(value, (list, tuple, set)) else [value]
        words += [f"{option}={os.fsdecode(one) if isinstance(one, (bytes, os.PathLike)) else one}" for one in values]
    return words


class _Report:
    """A JSON report as a mapping, and the command that makes it in other formats."""

    _command = ""

    def __init__(self, paths: Sequence[Path], options: Mapping[str, Option]) -> None:
        self._paths = ["./-" if os.fspath(path) in ("-", b"-") else os.fsdecode(path) for path in paths]
        self._options = dict(options)
        done = self._run(self._command, "--format=json", *_words(options))
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = None
        if done.returncode >= 2 or report is None:
            kind = NotComparable if done.returncode == 3 else Error
            raise kind(done.stderr.decode(errors="replace").strip(), done.returncode, report)
        self._report: dict[str, Any] = report

    def _run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TRTLENS_")}
        return subprocess.run([find_trtlens(), *words, "--quiet", "--", *self._paths], stdin=subprocess.DEVNULL,
                              capture_output=True, check=False, env=environment)

    if not TYPE_CHECKING:  # the items' types stand in the stubs

        def __getitem__(self, key):
            return self._report[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._report)

    def __len__(self) -> int:
        return len(self._report)

    def format(self, name: str) -> str:
        """The report in another format of the command: html, markdown, text, junit, sarif, ..."""
        done = self._run(self._command, f"--format={name}", *_words(self._options))
        if done.returncode >= 2:
            raise Error(done.stderr.decode(errors="replace").strip(), done.returncode)
        return done.stdout.decode()

    def __str__(self) -> str:
        return self.format("text")

    def _repr_html_(self) -> str:
        """The HTML report as the output of a notebook's cell, in a frame of its own: its scripts see nothing of the notebook."""
        page = html.escape(self.format("html"), quote=True)
        return f'<iframe sandbox="allow-scripts" style="width:100%;height:800px;border:0" srcdoc="{page}"></iframe>'


class Analysis(_Report, AnalysisItems):
    """The report of `trtlens analyze` on a build."""

    _command = "analyze"

    def __repr__(self) -> str:
        build = self["build"]
        layers = len(build["layers"])
        return f"<trtlens.Analysis of {', '.join(self._paths)}: {build['outcome']}, {layers} layers, {len(self['findings'])} findings>"

    def layers(self) -> list[dict[str, Any]]:
        """A row a layer, with the columns of docs/convert.md."""
        taken: dict[str, Option] = {"build": 1}
        taken.update((name, self._options[name]) for name in ("run", "build", "redact") if name in self._options)
        done = self._run("convert", "--to=jsonl", *_words(taken))
        if done.returncode >= 2:
            raise Error(done.stderr.decode(errors="replace").strip(), done.returncode)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def to_arrow(self) -> pyarrow.Table:
        """The layers as a table of pyarrow, which has to be installed."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.layers())

    def to_pandas(self) -> pandas.DataFrame:
        """The layers as a data frame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame.from_records(self.layers())


class Comparison(_Report, ComparisonItems):
    """The report of `trtlens compare`."""

    _command = "compare"

    def __repr__(self) -> str:
        return f"<trtlens.Comparison of {' and '.join(self._paths)}: {self['engine']['verdict']}>"


def analyze(path: Path, *more: Path, **options: Option) -> Analysis:
    """Analyzes a build: logs, exports, directories of them. Raises Error where an input cannot be read."""
    return Analysis([path, *more], options)


def compare(base: Path, candidate: Path, **options: Option) -> Comparison:
    """Compares two builds: each a path, or several joined by commas. Raises NotComparable or Error."""
    return Comparison([base, candidate], options)

"""The Python module, of the wheel that is installed. Run by scripts/check_packages."""
import html
import html.parser
import json
import os
import pathlib
import pickle
import subprocess
import sys

import pytest
import trtlens

BUILDS = pathlib.Path(__file__).resolve().parent.parent.parent / "fixtures/builds"
SLOW, FAST = BUILDS / "b_r18_q_conv", BUILDS / "a_r18_fp16"


def test_the_command_is_that_of_the_wheel():
    assert pathlib.Path(trtlens.find_trtlens()).is_relative_to(sys.prefix)


def test_the_module_can_be_run():
    done = subprocess.run([sys.executable, "-m", "trtlens", "analyze", "no such file"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == subprocess.run([trtlens.find_trtlens(), "analyze", "no such file"], capture_output=True, check=False).stderr


def test_an_analysis_is_the_json_report():
    done = subprocess.run([trtlens.find_trtlens(), "analyze", SLOW, "--format=json", "-q"], capture_output=True, check=True)
    analysis = trtlens.analyze(SLOW)
    assert dict(analysis) == json.loads(done.stdout)
    assert analysis["findings"][0]["rule"] == "residual-add-not-quantised"
    assert repr(analysis) == f"<trtlens.Analysis of {SLOW}: passed, 39 layers, {len(analysis['findings'])} findings>"
    with pytest.raises(KeyError):
        analysis["findngs"]


def test_several_paths_are_one_build():
    with_log = trtlens.analyze(SLOW / "build.log", str(SLOW / "layers.json"))
    assert [pathlib.Path(one["path"]).name for one in with_log["inputs"]] == ["build.log", "layers.json"]


def test_options_are_those_of_the_command():
    full = trtlens.analyze(SLOW)
    less = trtlens.analyze(SLOW, ignore=["residual-add-not-quantised", "reformat-time-share"], redact=True, baseline=None, timing=False)
    assert [one["rule"] for one in full["findings"] if one["rule"] not in {"residual-add-not-quantised", "reformat-time-share"}] == [
        one["rule"] for one in less["findings"]]
    assert "/layer1/layer1.0/conv1/Conv" not in json.dumps(dict(less))
    with pytest.raises(trtlens.Error) as raised:
        trtlens.analyze(SLOW, rn=2)
    assert str(raised.value) == ("trtlens: analyze has no option --rn; did you mean '--run'?\n"
                                 "trtlens: `trtlens --help` and `trtlens COMMAND --help` show what there is")
    for name in ("output", "config", "help"):
        with pytest.raises(TypeError, match=f"option '{name}' is decided by the module"):
            trtlens.analyze(SLOW, **{name: "report.html"})
    with pytest.raises(TypeError, match="is no name of an option"):
        trtlens.analyze(SLOW, **{"output=x.json": True})
    with pytest.raises(TypeError, match="option 'against' is decided"):
        trtlens.compare(FAST, SLOW, against="base")


def test_paths_and_options_may_be_bytes(tmp_path):
    assert trtlens.analyze(os.fsencode(SLOW))["build"]["outcome"] == "passed"
    assert repr(trtlens.analyze(os.fsencode(FAST))).startswith(f"<trtlens.Analysis of {FAST}: passed")
    less = trtlens.analyze(SLOW, ignore=b"residual-add-not-quantised")
    assert less["findings"][0]["rule"] != "residual-add-not-quantised"


def test_an_error_goes_through_a_pool():
    with pytest.raises(trtlens.Error) as raised:
        trtlens.analyze("nope")
    other = pickle.loads(pickle.dumps(raised.value))
    assert (type(other), str(other), other.status, other.report) == (trtlens.Error, str(raised.value), 2, None)


def test_the_environment_is_not_asked(monkeypatch):
    monkeypatch.setenv("TRTLENS_IGNORE", "residual-add-not-quantised")
    assert trtlens.analyze(SLOW)["findings"][0]["rule"] == "residual-add-not-quantised"


def test_what_cannot_be_read_is_an_error_with_the_rest():
    with pytest.raises(trtlens.Error) as raised:
        trtlens.analyze(SLOW, "nope")
    assert (str(raised.value), raised.value.status) == ("trtlens: nope: No such file or directory", 2)
    assert raised.value.report["build"]["outcome"] == "passed"
    with pytest.raises(trtlens.Error) as raised:
        trtlens.analyze("-")
    assert str(raised.value) == "trtlens: ./-: No such file or directory"
    assert raised.value.report is None


def test_a_path_is_no_option(tmp_path, monkeypatch):
    (tmp_path / "--help").write_bytes((BUILDS / "b_nofile/build.log").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert trtlens.analyze("--help")["build"]["outcome"] == "failed"


def test_a_gate_that_is_red_is_no_error():
    assert trtlens.analyze(SLOW, fail_on="major")["gate"]["failed"] is True


def test_compare():
    comparison = trtlens.compare(FAST, SLOW)
    assert comparison["engine"]["verdict"] == "regressed"
    assert repr(comparison) == f"<trtlens.Comparison of {FAST} and {SLOW}: regressed>"
    with pytest.raises(trtlens.NotComparable) as raised:
        trtlens.compare(BUILDS / "b_lstm", BUILDS / "g_gather")
    assert str(raised.value).splitlines()[0] == "trtlens: not comparable: other input shapes: input=2x100x40 against input=4x64"
    assert trtlens.compare(BUILDS / "b_lstm", BUILDS / "g_gather", force=True)["forced"] is True


def test_layers_as_tables():
    analysis = trtlens.analyze(SLOW)
    rows = analysis.layers()
    assert [row["name"] for row in rows] == [layer["name"] for layer in analysis["build"]["layers"]]
    frame = analysis.to_pandas()
    assert list(frame["time_mean_ms"]) == [row["time_mean_ms"] for row in rows]
    table = analysis.to_arrow()
    assert table.column_names == list(frame.columns) == list(rows[0])
    assert table["outputs_dims"][1].as_py() == [[32, 3, 224, 224]]


def test_layers_are_those_of_the_reported_build():
    both = trtlens.analyze(SLOW, FAST)
    assert [row["name"] for row in both.layers()] == [layer["name"] for layer in both["build"]["layers"]]
    second = trtlens.analyze(SLOW, FAST, build=2)
    assert [row["name"] for row in second.layers()] == [layer["name"] for layer in second["build"]["layers"]]
    assert both.layers() != second.layers()


def test_other_formats():
    analysis = trtlens.analyze(SLOW)
    assert str(analysis) == analysis.format("text")
    assert analysis.format("markdown").startswith("# ")
    with pytest.raises(trtlens.Error, match="did you mean 'html'"):
        analysis.format("htlm")


class Frames(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.frames, self.words = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.frames.append(dict(attrs))

    def handle_data(self, data):
        self.words.append(data)


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(tmp_path):
    name = '"></iframe><script>alert(1)</script>'
    layer = {"Name": name, "LayerType": "CaskConvolution", "Inputs": [], "Outputs": [], "ParameterType": "Convolution"}
    (tmp_path / "layers.json").write_text(json.dumps({"Layers": [layer], "Bindings": []}))
    analysis = trtlens.analyze(tmp_path)
    cell = Frames(analysis._repr_html_())
    assert cell.tags == ["iframe"] and cell.words == []
    assert cell.frames[0]["sandbox"] == "allow-scripts"
    assert cell.frames[0]["srcdoc"] == analysis.format("html")


def test_the_types_know_the_report():
    code = "import trtlens\nreveal_type(trtlens.analyze('x')['findings'][0]['stake_ms'])\ntrtlens.analyze('x')['findings'][0]['stake']\n"
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-c", code], stdout=subprocess.PIPE, text=True, check=False)
    assert 'Revealed type is "float | None"' in done.stdout
    assert 'has no key "stake"' in done.stdout
    assert done.stdout.count("error:") == 1

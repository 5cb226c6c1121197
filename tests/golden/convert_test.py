#!/usr/bin/env python3
"""What `trtlens convert` writes, read by who else reads it: csv, jsonl, dot and Perfetto's own classes.

Usage: convert_test.py TRTLENS FIXTURES

Perfetto's classes are of the package of that name on PyPI (scripts/setup puts it into build/python); without them, and without
Graphviz, those parts are left out, and the output says so.
"""
import csv
import io
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "build/python"))
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto
except ImportError:
    perfetto = None
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILDS = ("b_r18_q_conv", "a_r18_fp16", "g_gather", "b_lstm", "b_mob_q_dwnow_i8")
HOSTILE = ('=HYPERLINK("http://x")', "+1+cmd|' /C calc'!A0", "-2", "@SUM(1)", 'quote " and \\ and \\N', "a\nb,c", "\x1b[31m \u202e", "; ", "<b>",
           '"]; evil -> x; "', "\\", "\\N \\G \\E \\T \\H \\L \\n \\l \\\\N \\\\", "&lt;b&gt; &amp;amp; &#92;N & &N", "C:\\new\\Gemm\\")
SVG = "{http://www.w3.org/2000/svg}"
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def run(binary, *arguments, **more):
    return subprocess.run([binary, *arguments], capture_output=True, timeout=120, check=False, **more)


def convert(binary, to, build):
    done = run(binary, "convert", "--to", to, build, "-q")
    said = re.fullmatch(rb"(.*: expected the time of each layer, found 1 without one \[profile-incomplete\]\n)?", done.stderr)
    expect(done.returncode == 0 and said, f"{build}: {to}: {done.returncode} {done.stderr[:200]}")
    return done.stdout


def layers_of(binary, build):
    return json.loads(run(binary, "analyze", build, "--format", "json", "-q").stdout)["build"]["layers"]


def visible(text):
    """As reports write control characters."""
    return re.sub("[\x00-\x1f\u202e]", lambda m: f"\\x{ord(m[0]):02x}" if ord(m[0]) < 256 else f"\\u{ord(m[0]):04x}", text)


def check_rows(name, layers, table, lines):
    expect([row["name"] for row in lines] == [layer["name"] for layer in layers], f"{name}: jsonl: names")
    expect([row["name"] for row in table] == [visible(layer["name"]) for layer in layers], f"{name}: csv: names")
    for layer, row, line in zip(layers, table, lines):
        time = layer["time"] or {"mean_ms": None, "median_ms": None, "share": None}
        for key, value in (("time_mean_ms", time["mean_ms"]), ("time_share", time["share"]), ("weights_bytes", layer["weights_bytes"]),
                           ("index", layer["index"])):
            expect(line[key] == value, f"{name}: jsonl: {key} {line[key]} is not {value}")
            expect((float(row[key]) if row[key] else None) == value, f"{name}: csv: {key} {row[key]} is not {value}")
        expect(line["precision_compute"] == layer["precision"]["compute"], f"{name}: precision")
        expect(line["build_name"] == row["build_name"] and pathlib.Path(line["build_name"]).name == name, f"{name}: {line['build_name']}")
        expect(line["inputs_type"] == [tensor["type"] for tensor in layer["inputs"]], f"{name}: types of inputs")
        expect(line["inputs_dims"] == [tensor["dims"] for tensor in layer["inputs"]], f"{name}: sizes of inputs")
        expect(list(line) == list(row), f"{name}: csv and jsonl have other columns")


def check_perfetto(name, layers, data):
    trace = perfetto.Trace()
    trace.ParseFromString(data)
    events = [packet for packet in trace.packet if packet.HasField("track_event")]
    begins = [e for e in events if e.track_event.type != perfetto.TrackEvent.TYPE_SLICE_END]
    expect([e.track_event.name for e in begins] == [visible(layer["name"]) for layer in layers], f"{name}: perfetto: not every layer once")
    now, open_slice = 0, None
    known = iter(layers)
    for event in events:
        expect(event.timestamp >= now, f"{name}: perfetto: goes back in time")
        now = event.timestamp
        if event.track_event.type == perfetto.TrackEvent.TYPE_SLICE_END:
            took = (now - open_slice[0]) / 1e6
            expect(abs(took - open_slice[1]["time"]["mean_ms"]) < 2e-6, f"{name}: perfetto: {took} ms of {open_slice[1]['time']}")
            continue
        layer = next(known)
        is_slice = event.track_event.type == perfetto.TrackEvent.TYPE_SLICE_BEGIN
        expect(is_slice == (layer["time"] is not None), f"{name}: perfetto: a time that is not known")
        open_slice = (now, layer)
        notes = {note.name: note.string_value for note in event.track_event.debug_annotations}
        expect(notes["precision"] == (layer["precision"]["compute"] or "none"), f"{name}: perfetto: {notes}")
    tracks = [p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")]
    expect(len(tracks) == 1 and {e.track_event.track_uuid for e in events} == {tracks[0].uuid}, f"{name}: perfetto: tracks")


def check_dot(name, layers, data):
    done = subprocess.run(["dot", "-Tplain"], input=data, capture_output=True, timeout=120, check=False)
    expect(done.returncode == 0 and not done.stderr, f"{name}: dot: {done.stderr[:200]}")
    nodes = [line.split()[1] for line in done.stdout.decode().splitlines() if line.startswith("node l")]
    expect(sorted(nodes) == sorted(f"l{i}" for i in range(len(layers))), f"{name}: dot: {len(nodes)} of {len(layers)} layers")


def check_build(binary, build):
    name, layers = pathlib.Path(build).name, layers_of(binary, build)
    table = list(csv.DictReader(io.StringIO(convert(binary, "csv", build).decode(), newline="")))
    lines = [json.loads(line) for line in convert(binary, "jsonl", build).splitlines()]
    check_rows(name, layers, table, lines)
    scope = json.loads(convert(binary, "speedscope", build))
    frames = [frame["file"] for frame in scope["shared"]["frames"] if "file" in frame]
    expect(sorted(frames) == sorted(visible(layer["name"]) for layer in layers), f"{name}: speedscope: frames")
    trace, graph = convert(binary, "perfetto", build), convert(binary, "dot", build)
    if perfetto:
        check_perfetto(name, layers, trace)
    if shutil.which("dot"):
        check_dot(name, layers, graph)


def check_growth(binary, folder):
    """One tensor that all layers write and read has as many edges as layers, not their square."""
    for layers in (250, 500):
        build = pathlib.Path(folder) / f"tensor{layers}"
        build.mkdir()
        subprocess.run([sys.executable, ROOT / "scripts/make_layers", "tensor", str(layers), build], check=True)
        edges = convert(binary, "dot", str(build)).count(b" -> ")
        expect(layers <= edges <= 18 * layers, f"dot: {edges} edges of {layers} layers")

    deep = pathlib.Path(folder) / "deep"
    deep.mkdir()
    name = "/".join(f"m{i}" for i in range(1000)) + "/Conv"
    (deep / "layers.json").write_text(json.dumps({"Layers": [{"Name": name, "LayerType": "CaskConvolution", "Inputs": [], "Outputs": [],
                                                              "Metadata": f"[ONNX Layer: {name}]"}], "Bindings": []}))
    (deep / "profile.json").write_text(json.dumps([{"count": 10}, {"name": name, "timeMs": 10, "averageMs": 1, "percentage": 1}]))
    frames = json.loads(convert(binary, "speedscope", str(deep)))["shared"]["frames"]
    expect(3 <= len(frames) <= 65, f"speedscope: {len(frames)} frames of a layer 1000 modules deep")


def check_svg(layers, data):
    """What Graphviz draws of a name is the name."""
    done = subprocess.run(["dot", "-Tsvg"], input=data, capture_output=True, timeout=120, check=True)
    drawn = {}
    for group in tree.fromstring(done.stdout).iter(SVG + "g"):
        if group.get("class") not in ("node", "edge"):
            continue
        what = group.find(SVG + "title").text
        tooltips = {link.get("{http://www.w3.org/1999/xlink}title").replace("\xa0", " ") for link in group.iter(SVG + "a")}
        drawn[what] = tooltips, [text.text.replace("\xa0", " ") for text in group.iter(SVG + "text")]
    for i, layer in enumerate(layers):
        tooltips, lines = drawn[f"l{i}"]
        expect(tooltips == {visible(layer["name"])}, f"dot: {layer['name']!r} has the tooltip {tooltips}")
        label = visible(layer["label"])
        expect(len(lines) == 2 and lines[0] == f"#{i} {label}".rstrip(), f"dot: {layer['name']!r} is drawn as {lines}")
    tensors = {visible(tensor["name"]) for layer in layers for tensor in layer["inputs"] + layer["outputs"]}
    edges = {tooltip for what, (tooltips, _) in drawn.items() if "->" in what for tooltip in tooltips}
    expect(edges == tensors, f"dot: tooltips of edges: {edges ^ tensors}")


def hostile_build(folder):
    layers = [{"Name": name, "LayerType": "CaskConvolution", "ParameterType": "Convolution", "TacticName": name,
               "Inputs": [{"Name": f"t{i}{name}", "Dimensions": [1, 3, 8, 8], "Format/Datatype": "Row major linear FP32"}],
               "Outputs": [{"Name": f"t{i + 1}{HOSTILE[(i + 1) % len(HOSTILE)]}", "Dimensions": [1, 3, 8, 8],
                            "Format/Datatype": "Row major linear FP32"}]} for i, name in enumerate(HOSTILE)]
    (folder / "layers.json").write_text(json.dumps({"Layers": layers, "Bindings": []}))
    profile = [{"count": 10}, *({"name": name, "timeMs": 10, "averageMs": 1.25, "medianMs": 1.25, "percentage": 9} for name in HOSTILE[1:])]
    (folder / "profile.json").write_text(json.dumps(profile))
    return str(folder)


def check_hostile(binary, folder):
    build = hostile_build(folder)
    check_build(binary, build)
    for to in ("csv", "jsonl", "dot", "speedscope"):
        text = convert(binary, to, build).decode()
        expect(not re.search("[\x00-\x09\x0b-\x1f\u202e]", text), f"hostile: {to} holds control characters")
    if shutil.which("dot"):
        check_svg(layers_of(binary, build), convert(binary, "dot", build))
    rows = convert(binary, "csv", build).decode().splitlines()
    expect(len(rows) == 1 + len(HOSTILE), "hostile: csv: a name begins a row of its own")
    expect(all(re.match(r'\d+,"', row) for row in rows[1:]), "hostile: csv: a name without quotes")


def check_several(binary, fixtures):
    """Rows of all builds, called what analyze calls them; --build picks one, and so do formats of one build."""
    folders = [str(fixtures / "builds" / name) for name in ("aa_mob_q", "b_nofile", "b_lstm")]
    names = [row["name"] for row in csv.DictReader(io.StringIO(run(binary, "analyze", *folders, "--format", "csv", "-q").stdout.decode()))]
    of = {}
    for name in names:
        of[name] = [json.loads(line) for line in run(binary, "convert", "--to", "jsonl", name, "-q").stdout.splitlines()]
    done = run(binary, "convert", "--to", "jsonl", *folders)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    expect(rows == [row for name in names for row in of[name]] and len(names) == 10 and not of[folders[1]], f"jsonl of several: {len(rows)} rows")
    expect(done.returncode == 0 and not done.stderr, f"jsonl of several: {done.stderr}")
    table = run(binary, "convert", "--to", "csv", *folders).stdout.decode().splitlines()
    expect(len(table) == 1 + len(rows) and table.count(table[0]) == 1, "csv of several: not one heading")
    third = run(binary, "convert", "--to", "jsonl", *folders, "--build", "3")
    expect([json.loads(line) for line in third.stdout.splitlines()] == of[names[2]] and b"10 builds" in third.stderr, "--build 3")
    first = run(binary, "convert", "--to", "speedscope", *folders)
    expect(len(json.loads(first.stdout)["shared"]["frames"]) < 2 * len(of[names[0]]) and b"10 builds" in first.stderr, "speedscope of several")


def check_columns(binary, fixtures):
    """docs/convert.md has every column."""
    text = (ROOT / "docs/convert.md").read_text(encoding="utf-8")
    table = set(re.findall(r"`(\w+)`", text.split("## Columns")[1]))
    columns = convert(binary, "csv", str(fixtures / "builds/g_gather")).decode().splitlines()[0].split(",")
    expect(not set(columns) - table, f"docs/convert.md lacks {set(columns) - table}")


def check_places(binary, fixtures, folder):
    build = str(fixtures / "builds/b_r18_q_conv")
    file = folder / "layers.csv"
    done = run(binary, "convert", "--to", "csv", build, "-o", str(file))
    expect(done.returncode == 0 and done.stdout == b"" and file.read_bytes() == convert(binary, "csv", build), "-o FILE")
    expect(run(binary, "convert", "--to", "csv", str(fixtures / "builds/b_nofile")).returncode == 1, "a build without layers")
    expect(run(binary, "convert", "--to", "csv", str(folder / "nowhere")).returncode == 2, "no build")
    full = subprocess.run([binary, "convert", "--to", "csv", build], stdout=open("/dev/full", "wb"), stderr=subprocess.PIPE, check=False)
    expect(full.returncode == 2 and b"No space" in full.stderr, "a full disk")
    expect(run(binary, "convert", "--to", "pdf", build).returncode == 2, "no such format")
    copy = folder / "layers.json"
    shutil.copy(fixtures / "builds/b_r18_q_conv/layers.json", copy)
    before = copy.read_bytes()
    expect(run(binary, "convert", "--to", "csv", str(copy), "-o", str(copy)).returncode == 2 and copy.read_bytes() == before,
           "an input was overwritten")
    master, slave = pty.openpty()
    done = subprocess.run([binary, "convert", "--to", "perfetto", build], stdout=slave, stderr=subprocess.PIPE, timeout=60, check=False)
    expect(done.returncode == 2 and b"binary" in done.stderr, "bytes on a terminal")
    os.close(slave)
    os.close(master)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    binary, fixtures = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    for build in BUILDS:
        check_build(binary, str(fixtures / "builds" / build))
    check_columns(binary, fixtures)
    check_several(binary, fixtures)
    with tempfile.TemporaryDirectory() as folder:
        check_hostile(binary, pathlib.Path(folder))
        check_growth(binary, folder)
    with tempfile.TemporaryDirectory() as folder:
        check_places(binary, fixtures, pathlib.Path(folder))
    for what, there in (("Perfetto's classes", perfetto), ("Graphviz", shutil.which("dot"))):
        if not there:
            print(f"left out: {what} is not there")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What `trtlens history export` writes: its files, and what DuckDB and ClickHouse read of them by the SQL of docs/fleet.md.

Usage: fleet_test.py TRTLENS FIXTURES [--kills N] [--require]

DuckDB and chdb are packages of PyPI (scripts/setup test puts them into build/python). What needs them is left out without them, which is
said, and is a failure with --require (or TRTLENS_REQUIRE_CHECKERS=1).
"""
import csv
import importlib.util
import io
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fleet_pages  # noqa: E402
import history_test  # noqa: E402

TABLES = ("builds", "precisions", "findings", "layers")


class Test(history_test.Test):
    def __init__(self, binary, fixtures, folder):
        super().__init__(binary, fixtures, folder)
        self.fleet = folder / "fleet"

    def export(self, *words, **more):
        return self.run("history", "export", "--db", self.db, "--to", self.fleet, *words, **more)

    def files(self, table="*", kind="csv"):
        return sorted(self.fleet.glob(f"{table}/**/part-*.{kind}.gz"))

    def rows(self, table):
        """Of all files, by Python's own reader."""
        files = self.files(table)
        rows = csv.DictReader(io.StringIO(unpacked(*files))) if files else []
        return [row for row in rows if row["build"] != "build"]  # each file has a heading

    def check_whole(self, builds, layers=40):
        """Each build once in every table, and nothing but finished files."""
        keys = [row["build"] for row in self.rows("builds")]
        assert len(keys) == len(set(keys)) == builds, (builds, len(keys), len(set(keys)))
        counts = {}
        for row in self.rows("layers"):
            counts[row["build"]] = counts.get(row["build"], 0) + 1
        assert counts == dict.fromkeys(keys, layers), counts
        assert {row["build"] for row in self.rows("precisions")} == set(keys)
        others = [path for path in self.fleet.rglob("*") if path.is_file() and path not in self.files() and path.name != "duckdb.sql"]
        assert others == [], others


def unpacked(*paths):
    return subprocess.run(["gzip", "-dc", *paths], capture_output=True, check=True).stdout.decode()


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def adds_what_is_new(t):
    folder = t.builds(6)
    t.good("history", "add", "--db", t.db, folder / "000", folder / "001", folder / "003")
    assert t.export().stdout == "exported 3 builds\n"
    before = files_of(t.fleet)
    t.good("history", "add", "--db", t.db, folder)
    assert t.export().stdout == "exported 3 builds, 3 were there already\n"
    after = files_of(t.fleet)
    assert {path: after[path] for path in before} == before
    t.check_whole(6)
    assert t.export("-q").stdout == "" and files_of(t.fleet) == after
    # Another history with the same builds and one more; what is pruned there stays here.
    t.good("history", "prune", "--db", t.db, "--before", "2026-11-03")
    history_test.make_build(t.folder / "more", 6)
    history_test.remove(t.db)
    t.good("history", "add", "--db", t.db, folder / "005", t.folder / "more")
    assert t.export().stdout == "exported 1 build, 1 was there already\n"
    t.check_whole(7)
    # By series; and whole days, whatever else they hold.
    t.fleet = t.folder / "other"
    assert t.export("--series", "no such").stdout == "exported 0 builds\n"
    assert t.export("--series", "net.onnx").stdout == "exported 2 builds\n"


def same_whatever_the_order(t):
    """The files of an export say nothing of when it was made."""
    t.good("history", "add", "--db", t.db, t.builds(5))
    t.export()
    first, t.fleet = t.fleet, t.folder / "again"
    t.export()
    assert files_of(first) == files_of(t.fleet)


def targets(t):
    t.good("history", "add", "--db", t.db, t.builds(2))
    t.fleet.mkdir()
    assert t.export().returncode == 0  # an empty folder
    t.refused(t.export("--format", "jsonl"), "holds an export of --format csv")
    macros = t.fleet / "duckdb.sql"
    text = macros.read_text()
    macros.write_text(text.replace("'build': 'VARCHAR', ", ""))
    t.refused(t.export(), "of another version of trtlens")
    macros.write_text(text)
    damaged = t.files("builds")[0]
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:-9])
    t.refused(t.export(), damaged.name, "remove it and export again")
    damaged.unlink()
    assert t.export().stdout == "exported 1 build, 1 was there already\n"
    assert damaged.read_bytes() == whole
    other = t.folder / "mine"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work")
    t.fleet = other
    t.refused(t.export(), "holds other files")
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]
    t.fleet = other / "thesis.tex"
    t.refused(t.export(), "thesis.tex: ")
    assert t.fleet.read_text() == "years of work"
    t.fleet = t.folder / "new/er"
    t.refused(t.run("history", "export", "--db", t.folder / "none.db", "--to", t.fleet), "No such file")
    assert not t.fleet.exists()
    t.refused(t.run("history", "export", "--db", t.db), "--to")
    t.refused(t.export("--format", "parquet"), "'parquet' is none of csv, jsonl")


def read_only(t):
    t.folder.chmod(0o755)
    t.good("history", "add", "--db", t.db, t.builds(3))
    t.db.chmod(0o644)
    t.refused(t.export(preexec_fn=history_test.as_nobody), "fleet: Permission denied")
    t.fleet.mkdir()
    t.refused(t.export(preexec_fn=history_test.as_nobody), "duckdb.sql: Permission denied")
    assert list(t.fleet.iterdir()) == []


def disk_full(t):
    """A limit on the size of files, at several places; then enough of it."""
    history_test.make_build(t.folder / "builds/large", 40, layers=3000)
    t.good("history", "add", "--db", t.db, t.builds(3))
    t.sql("PRAGMA journal_mode = DELETE")  # no files of SQLite's that the limit holds for
    sizes = set()
    for limit in (10, 8000, 20_000):
        limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        t.refused(t.export(preexec_fn=limited), "File too large")
        sizes.add(len(t.files()))
        assert all(path.stat().st_size <= limit for path in t.fleet.rglob("*") if path.is_file())
        for path in t.files():
            unpacked(path)
        assert not list(t.fleet.rglob(".*")), list(t.fleet.rglob(".*"))
    assert sizes == {0, 12}, sizes  # at the first file, and behind three builds
    assert t.export().returncode == 0
    assert len(t.rows("builds")) == 4 and len(t.rows("layers")) == 3120


def killed(t, kills):
    """Whatever stands there under the name of a part is whole, and a build in `builds` has all its rows."""
    for k in range(30):
        history_test.make_build(t.folder / "builds" / f"{k:02}", k, layers=8)
    t.good("history", "add", "--db", t.db, t.folder / "builds")
    chance = random.Random(5)
    began = time.monotonic()
    t.export()
    whole_s, partly = time.monotonic() - began, 0
    whole = files_of(t.fleet)
    shutil.rmtree(t.fleet)
    for k in range(kills):
        process = subprocess.Popen([t.binary, "history", "export", "-q", "--db", t.db, "--to", t.fleet], stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, whole_s * 0.6))
        process.send_signal(signal.SIGINT if k % 4 == 0 else signal.SIGKILL)
        process.wait()
        keys = {row["build"] for row in t.rows("builds")}
        layers = [row["build"] for row in t.rows("layers")]
        assert all(layers.count(key) == 8 for key in keys), keys
        partly += 0 < len(keys) < 30
        if len(keys) == 30 or k % 4 == 3 or k == kills - 1:
            assert t.export().returncode == 0
            t.check_whole(30, layers=8)
            assert files_of(t.fleet) == whole
            shutil.rmtree(t.fleet)
    assert partly > kills / 10, partly
    print(f"killed {kills} times, {partly} of them with some of 30 builds out")


def leftovers_of_another_part(t):
    """A run was killed behind its layers; then more builds of that day came in."""
    folder = t.builds(1)
    t.good("history", "add", "--db", t.db, folder)
    t.export()
    for path in t.files("builds"):
        path.unlink()
    for folder in (t.fleet, t.files("layers")[0].parent):
        (folder / ".trtlens-77-0.tmp").write_text("half")
    history_test.make_build(t.folder / "second", 0, level=1.2)
    t.good("history", "add", "--db", t.db, t.folder / "second")
    assert t.export().stdout == "exported 2 builds\n"
    t.check_whole(2)


def two_at_once(t):
    t.good("history", "add", "--db", t.db, t.builds(40))
    processes = [subprocess.Popen([t.binary, "history", "export", "--db", t.db, "--to", t.fleet], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                 for _ in range(3)]
    done = [(process.communicate(timeout=240)[1], process.returncode) for process in processes]
    assert any(status == 0 for _, status in done), done
    assert all(status == 0 or (status == 2 and "another export is writing to it" in text) for text, status in done), done
    t.check_whole(40)


def columns_are_documented(t):
    t.good("history", "add", "--db", t.db, t.fixtures / "builds/a_r18_fp16")
    t.export()
    page = (t.fixtures.parent / "docs/fleet.md").read_text(encoding="utf-8")
    key = re.findall(r"`(\w+)`", page.split("All tables begin with ")[1].split("\n\n")[0])
    macros = (t.fleet / "duckdb.sql").read_text()
    converted = t.good("convert", "--to", "csv", t.fixtures / "builds/a_r18_fp16").split("\n")[0].split(",")
    for table in TABLES:
        there = list(t.rows(table)[0])
        in_macro = re.findall(r"'(\w+)': '", macros.split(f"fleet_{table}(path)")[1].split(";")[0])
        assert there == in_macro, (table, there, in_macro)
        assert there[:len(key)] == key, (there, key)
        own = converted
        if table != "layers":
            cell = re.search(rf"^\| `{table}` \|[^|]*\|(.*)\|$", page, re.M).group(1)
            own = [name for name in re.findall(r"`(\w+)`", cell)]
        assert there[len(key):] == own, (table, there[len(key):], own)


def layers_are_those_of_convert(t):
    """In the words of `convert`; a history keeps all of it but the number of a tactic."""
    for name in ("b_r18_q_conv", "a_r18_fp16", "g_gather", "b_lstm", "b_mob_q_dwnow_i8", "g_vit_fp16", "p_r18_partial_i8"):
        history_test.remove(t.db)
        shutil.rmtree(t.fleet, ignore_errors=True)
        t.good("history", "add", "--db", t.db, t.fixtures / "builds" / name)
        t.export()
        expected = list(csv.DictReader(io.StringIO(t.good("convert", "--to", "csv", t.fixtures / "builds" / name))))
        rows = sorted(t.rows("layers"), key=lambda row: int(row["index"]))
        assert len(rows) == len(expected) > 0, name
        for row, layer in zip(rows, expected):
            for column, value in layer.items():
                assert row[column] == ("" if column == "tactic_id" else value), (name, column, row[column], value)


def nights(t):
    """Two made-up models over two months: a step, a failed night, a slow one, other shapes; and builds of the fixtures."""
    chance = random.Random(11)
    for night in range(34):
        level = (1.06 if night >= 20 else 1) * (1.3 if night == 15 else 1) * chance.gauss(1, 0.008)
        build = t.folder / "builds" / f"net{night:02}"
        history_test.make_build(build, night, level=level)
        log = build / "run.log"
        log.write_text(log.read_text().replace("models/net.onnx", "models/seen.onnx"))
        if night == 12:
            log.write_text(log.read_text().splitlines()[0] + "\n[11/13/2026-03:00:02] [E] Error[1]: [executionContext.cpp::enqueueInternal::795] "
                           "Error Code 1: Cuda Runtime (an illegal memory access was encountered)\n" + log.read_text().splitlines()[-1].replace("PASSED", "FAILED") + "\n")
            for name in ("layers.json", "profile.json"):
                (build / name).unlink()
    for night in range(6):
        build = t.folder / "builds" / f"other{night:02}"
        history_test.make_build(build, night, layers=12, level=1 + 0.04 * night)
        log = build / "run.log"
        log.write_text(log.read_text().replace("net.onnx --fp16", "other.onnx --int8"))
    for path in (t.folder / "builds").glob("other*/layers.json"):
        path.write_text(path.read_text().replace("FP16 format", "FP32 format").replace("f16f16_f16f16_f16", "f32f32_f32f32_f32"))
    shutil.copytree(t.fixtures / "builds", t.folder / "builds/fixtures")
    t.good("history", "add", "--db", t.db, t.folder / "builds")
    # Runs with their queries, some of which drift: a history keeps a figure of them and how far it can be trusted.
    source = t.fixtures / "builds/b_r18_q_conv"
    times = json.loads((source / "times.json").read_text())[:1200]
    for night, (level, drift) in enumerate(((1, 0), (1.002, 0.09), (1.07, 0), (1.01, 0.1), (1.03, 0), (1.0, 0), (1.035, 0.06), (1.06, 0.12))):
        build = t.folder / f"queries/{night}"
        build.mkdir(parents=True)
        for name in ("layers.json", "profile.json", "run.log"):
            shutil.copy(source / name, build)
        with open(build / "run.log", "a", encoding="utf-8") as log:
            log.write(f"night {night}\n")
        scaled = [{**one, "computeMs": one["computeMs"] * level * (1 + drift * k / len(times))} for k, one in enumerate(times)]
        (build / "times.json").write_text(json.dumps(scaled))
    t.good("history", "add", "--db", t.db, "--series", "queries", t.folder / "queries")
    assert t.export().returncode == 0


def months(t):
    return sorted({re.search(r"date=(\d{4}-\d{2})", str(path)).group(1) for path in t.files("builds")})


def engines(t):
    """Of the files as they are, and of the Parquet made of them."""
    os.chdir(t.folder)
    for table in TABLES:
        (t.folder / "parquet" / table).mkdir(parents=True)
    duck = fleet_pages.DuckDb("1GB")
    for month in months(t):
        duck.run(fleet_pages.block("DuckDB: what an export has of a month").replace("2026-11", month))
    duck.run(fleet_pages.block("DuckDB: over Parquet"))
    plain = fleet_pages.DuckDb("1GB")
    plain.run(fleet_pages.block("DuckDB: without Parquet"))
    click = fleet_pages.ClickHouse()
    click.run(fleet_pages.block("ClickHouse: over Parquet"))
    return plain, duck, click


def nearly(a, b):
    if isinstance(a, float) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-12 * max(1, abs(a))
    return str(a) == str(b)


def same_rows(a, b):
    return len(a) == len(b) and all(len(x) == len(y) and all(map(nearly, x, y)) for x, y in zip(a, b))


def engines_agree(t):
    nights(t)
    plain, duck, click = engines(t)
    answers = {}
    for title, sql in fleet_pages.questions().items():
        sql = sql.replace("models/net.onnx", "seen.onnx")
        answers[title] = duck.run(sql)
        assert answers[title], (title, "no rows")
        for other in (plain, click):
            rows = other.run(sql)
            assert same_rows(answers[title], rows), (title, other.name, answers[title][:3], rows[:3])
    told = lambda start: next(rows for title, rows in answers.items() if title.startswith(start))
    # What the commands of the history say of the same.
    trend = json.loads(t.good("history", "trend", "--db", t.db, "--layer", "/block0/conv3/Conv", "--series", "seen.onnx", "--format", "json", "--top", "0"))["trends"]
    points = [(build["when"], build["value"]) for build in trend[0]["builds"]]
    assert len(trend) == 1 and len(points) == 33, trend
    assert same_rows(points, [(row[0], row[5]) for row in told("One layer")]), told("One layer")
    listed = t.list()
    newest = {}
    for build in listed:
        if build["gpu_compute_ms"] is not None:
            newest[build["series"]] = build
    slowest = sorted(newest.values(), key=lambda build: -build["gpu_compute_ms"])[:20]
    assert {(build["series"], build["when"]) for build in slowest} == {tuple(row[1:3]) for row in told("The slowest")}
    firsts = {}
    for build in listed:
        if build["first_finding"]:
            firsts[build["first_finding"]["severity"]] = firsts.get(build["first_finding"]["severity"], 0) + 1
    counted = {}
    for _, severity, builds, _ in told("First findings"):
        counted[severity] = counted.get(severity, 0) + builds
    assert counted == firsts and len(firsts) > 1, (counted, firsts)
    assert any(row[0] == "other.onnx" for row in told("Convolutions")), told("Convolutions")
    regressed = {row[3 - 1] for row in told("What became")}
    assert {row[0] for row in told("The same at")} < regressed, "the other threshold changes nothing"
    assert any("seen.onnx" in row[0] and row[2] >= 1 for row in told("Layers that")), told("Layers that")
    # A year of two months, and the same again.
    duck.run(fleet_pages.block("DuckDB: a finished year"))
    for path in (t.folder / "parquet/layers").glob("2026-*.parquet"):
        path.unlink()
    layer = next(sql for title, sql in fleet_pages.questions().items() if title.startswith("One layer")).replace("models/net.onnx", "seen.onnx")
    again = fleet_pages.DuckDb("1GB")
    again.run(fleet_pages.block("DuckDB: over Parquet"))
    assert same_rows(again.run(layer), told("One layer")) and same_rows(click.run(layer), told("One layer"))


def verdicts_are_those_of_compare(t):
    """Every build with the verdict, the ratio and the interval of the command line; at another threshold, too."""
    nights(t)
    plain = None
    if fleet_engines():
        os.chdir(t.folder)
        plain = fleet_pages.DuckDb("1GB")
        plain.run(fleet_pages.block("DuckDB: without Parquet"))
        at_five = {row[0] for row in plain.run(next(sql for title, sql in fleet_pages.questions().items() if "--threshold 5" in title))}
    seen = {}
    for row in t.rows("builds"):
        words = ("compare", "--history", t.db, row["name"], "--series", row["series"], "--format", "json")
        done = t.run(*words)
        if done.returncode == 2:
            assert "no good build" in done.stderr and row["verdict"] == row["base"] == "", (row, done.stderr)
            seen["none"] = seen.get("none", 0) + 1
            continue
        engine = json.loads(done.stdout)["engine"]
        seen[engine["verdict"]] = seen.get(engine["verdict"], 0) + 1
        assert row["verdict"] == engine["verdict"], (row["name"], row["verdict"], engine)
        assert (row["not_comparable"] != "") == (done.returncode == 3), (row["name"], row["not_comparable"], done.returncode)
        for column, value in (("ratio", engine["ratio"]), ("p_value", engine["p_value"]), ("base_runs", engine["runs"][0]), ("noise_floor", engine["noise_floor"]),
                              ("ci95_low", (engine["ci95"] or [None])[0]), ("ci95_high", (engine["ci95"] or [None, None])[1])):
            assert (row[column] == "") == (value is None), (row["name"], column, row[column], value)
            assert value is None or abs(float(row[column]) - value) <= 1e-9 * abs(value), (row["name"], column, row[column], value)
        assert row["noise_floor_from"] == engine["noise_floor_from"], (row["name"], row["noise_floor_from"], engine)
        if plain:
            stricter = json.loads(t.run(*words, "--threshold", "5").stdout)["engine"]["verdict"]
            assert (row["build"] in at_five) == (stricter == "regressed"), (row["name"], stricter)
    assert all(seen.get(verdict, 0) > 1 for verdict in ("none", "cannot_tell", "no_change", "regressed")) and seen.get("improved"), seen
    print(f"verdicts: {seen}")


HOSTILE = ("../../../etc", "a=b", "a'b\"c", "=SUM(1)", "x\ny,z", "%2e%2e", "nul\x01\x1b[31m", "\u202eevil", "ü" * 150, "~", "NULL", "1e5", "2026-11-27", "model=x/date=y", "{*}[?]")


def hostile_names(t):
    for n, name in enumerate(HOSTILE):
        build = t.folder / "builds" / f"{n:02}"
        history_test.make_build(build, n, layers=4)
        for file in ("layers.json", "profile.json"):
            text = (build / file).read_text()
            (build / file).write_text(text.replace('"/block0/conv3/Conv"', json.dumps(name)))
        log = build / "run.log"
        safe = name.replace("\n", "").replace(" ", "").replace("'", "").replace('"', "")
        log.write_text(log.read_text().replace("models/net.onnx", safe + "/model.onnx"))
    raw = t.folder / "builds/raw"
    history_test.make_build(raw, 20, layers=4)
    (raw / "run.log").write_bytes((raw / "run.log").read_bytes().replace(b"models/net.onnx", b"\xff\xfe/net.onnx"))
    t.good("history", "add", "--db", t.db, t.folder / "builds")
    # What only another program could have written into the file.
    t.sql("UPDATE build SET model = '' WHERE id = 3")
    check_hostile_paths(t)
    names = {row[0] for row in t.sql("SELECT DISTINCT name FROM layer")}
    models = {row[0] or "" for row in t.sql("SELECT model FROM build")}
    assert {row["name"] for row in t.rows("layers")} == names and len(names) == 3 + len(HOSTILE) + 1, names
    assert {row["model"] for row in t.rows("builds")} == models
    assert "" in models and any("\\xff" in model for model in models), models
    if fleet_engines():
        for engine in engines(t):
            assert {row[0] for row in engine.run("SELECT DISTINCT name FROM layers")} == names, engine.name
            assert {row[0] or "" for row in engine.run("SELECT DISTINCT model FROM builds")} == models, engine.name
    t.sql("UPDATE build SET logged_at = '../../x' WHERE id = 4")
    t.fleet = t.folder / "dates"
    check_hostile_paths(t)


def check_hostile_paths(t):
    done = t.export()
    assert done.returncode == 0, done.stderr
    inside = t.fleet.resolve()
    for path in t.fleet.rglob("*"):
        assert path.resolve().is_relative_to(inside)
        assert re.fullmatch(r"duckdb\.sql|builds|layers|findings|precisions|part-[0-9a-f]{16}\.csv\.gz|(date|model)=[A-Za-z0-9_.%~-]+", path.name), path
    assert not (t.folder / "etc").exists()


def json_lines(t):
    t.good("history", "add", "--db", t.db, t.fixtures / "builds/b_r18_q_conv", t.fixtures / "builds/a_r18_fp16")
    assert t.export().returncode == 0
    rows, csv_fleet = t.rows("layers"), t.fleet
    t.fleet = t.folder / "lines"
    assert t.export("--format", "jsonl").returncode == 0
    assert t.export("--format", "jsonl").stdout == "exported 0 builds, 2 were there already\n"
    objects = [json.loads(line) for path in t.files("layers", "jsonl") for line in unpacked(path).splitlines()]
    assert len(objects) == len(rows) > 0 and isinstance(objects[0]["inputs_name"], list)
    order = lambda row: (row["build"], int(row["index"]))
    for of_csv, of_json in zip(sorted(rows, key=order), sorted(objects, key=order)):
        assert list(of_csv) == list(of_json)
        assert of_csv["name"] == of_json["name"] and of_csv["inputs_type"] == "; ".join(of_json["inputs_type"]), (of_csv, of_json)
    if not fleet_engines():
        return
    os.chdir(t.folder)
    sums = "SELECT COUNT(*), SUM(time_mean_ms), MAX(weights_bytes), COUNT(tactic_name), SUM(LENGTH(name)) FROM fleet_layers('{}/layers/*/*/*.gz')"
    answers = []
    for fleet in (csv_fleet, t.fleet):
        engine = fleet_pages.DuckDb("1GB")
        engine.run((fleet / "duckdb.sql").read_text())
        for table in TABLES[:3]:
            assert engine.run(f"SELECT COUNT(*) FROM fleet_{table}('{fleet}/{table}/*/*.gz')")[0][0] > 0, table
        answers.append(engine.run(sums.format(fleet)))
        shapes = engine.run(f"SELECT inputs_dims FROM fleet_layers('{fleet}/layers/*/*/*.gz') WHERE name = '{rows[0]['name']}' ORDER BY build")
    assert same_rows(*answers), answers
    assert shapes[0][0] and isinstance(shapes[0][0][0], list), shapes


def fleet_engines():
    return all(importlib.util.find_spec(name) for name in ("duckdb", "chdb"))


def main():
    binary, fixtures = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    kills = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 16
    required = "--require" in sys.argv or os.environ.get("TRTLENS_REQUIRE_CHECKERS") == "1"
    checks = [adds_what_is_new, same_whatever_the_order, targets, read_only, disk_full, lambda t: killed(t, kills), leftovers_of_another_part, two_at_once,
              columns_are_documented, layers_are_those_of_convert, hostile_names, json_lines, verdicts_are_those_of_compare]
    failed = 0
    if fleet_engines():
        checks.append(engines_agree)
    else:
        print("left out: DuckDB and chdb are not there")
        failed += required
    failed += history_test.run_all(checks, lambda copy, folder: Test(copy, fixtures, folder), binary)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

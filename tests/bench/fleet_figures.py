#!/usr/bin/env python3
"""The figures of docs/fleet.md: builds of a made-up fleet as `history export` lays them out, and what its SQL takes over them.

Usage: tests/bench/fleet_figures.py TRTLENS [--builds N] [--layers N] [--models N] [--folder DIR]

100,000 builds of 300 layers need 5 GB in DIR (default: the temporary folder), 8 GB of memory and a quarter of an hour on two cores.
DIR/fleet-figures is kept, so that a second run measures the queries alone; remove it by hand. Columns and their order are those that
TRTLENS writes now; the SQL is that of docs/fleet.md. DuckDB, chdb and pyarrow: scripts/setup test.
"""
import argparse
import csv
import datetime
import io
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))
import fleet_pages  # noqa: E402

FIRST_DAY = datetime.date(2026, 1, 1)


def real_export(binary, fleet):
    """A row of each table, as a dictionary, of an export of the fixtures; its macros into `fleet`."""
    with tempfile.TemporaryDirectory() as top:
        db = f"{top}/h.db"
        subprocess.run([binary, "history", "add", "-q", "--db", db, ROOT / "fixtures/builds/a_r18_fp16", ROOT / "fixtures/builds/a_r18_fp16_graph"], check=True)
        subprocess.run([binary, "history", "export", "-q", "--db", db, "--to", f"{top}/f"], check=True)
        fleet.mkdir(parents=True)
        shutil.copy(f"{top}/f/duckdb.sql", fleet)
        rows = {}
        for table in ("builds", "precisions", "findings", "layers"):
            texts = [subprocess.run(["zstd", "-dc", path], capture_output=True, check=True, text=True).stdout
                     for path in sorted(pathlib.Path(top).glob(f"f/{table}/**/*.csv.zst"))]
            rows[table] = max((row for text in texts for row in csv.DictReader(io.StringIO(text))),
                              key=lambda row: sum(map(bool, row.values())))
    return rows


def csv_text(columns, rows):
    """As trtlens writes it: texts in quotes, numbers and what is not known without."""
    cell = lambda value: "" if value is None or value == "" else str(value) if isinstance(value, (int, float)) else '"' + value.replace('"', '""') + '"'
    return ",".join(columns) + "\n" + "".join(",".join(cell(row.get(column)) for column in columns) + "\n" for row in rows)


def numbers(row):
    """Texts of CSV that are numbers as numbers."""
    def number(text):
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return text
    return {name: number(value) for name, value in row.items()}


def generate(args, sample, fleet):
    import pyarrow
    codec = pyarrow.Codec("zstd", compression_level=3)

    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(codec.compress(text.encode(), asbytes=True))

    columns = {table: list(row) for table, row in sample.items()}
    chance = random.Random(1)
    key = {name: "<text>" for name in ("build", "built_at")}
    models = []
    for m in range(args.models):
        model = f"model{m:03}.onnx"
        layers = []
        for i in range(args.layers):
            name = f"/block{i // 8}/conv{i % 8}/Conv"
            layers.append({**numbers(sample["layers"]), **key, "model": model, "series": model + ", FP16", "index": i, "name": name, "label": name[1:],
                           "precision_compute": "FP32" if (m + i) % 50 == 0 else "FP16", "onnx_nodes": name, "inputs_name": f"t{i}",
                           "outputs_name": f"t{i + 1}", "tactic_name": f"{sample['layers']['tactic_name']}_{i % 40}", "time_mean_ms": "<ms>", "time_median_ms": "<ms>"})
        layers.sort(key=lambda row: row["name"])
        text = csv_text(columns["layers"], layers).replace("%", "%%")
        models.append((model, text.replace('"<ms>"', "%.6g").replace("<text>", "%s")))
    nights = args.builds // args.models
    for night in range(nights):
        day = FIRST_DAY + datetime.timedelta(days=night)
        folder = f"date={day}"
        rows = {"builds": [], "precisions": [], "findings": []}
        for m, (model, text) in enumerate(models):
            build, at = f"{m:06x}{night:010x}", f"{day} 03:{m % 60:02}:{m // 60:02}"
            level = (1.05 if night > nights // 2 and m % 10 == 0 else 1) * chance.gauss(1, 0.008)
            values = []
            for i in range(args.layers):
                ms = 0.01 * level * chance.gauss(1, 0.01)
                values += [build, at, ms, ms * 0.99]
            write(fleet / f"layers/{folder}/model={model}/part-{build}.csv.zst", text % tuple(values))
            mine = {"build": build, "built_at": at, "model": model, "series": model + ", FP16"}
            verdict = "regressed" if night == nights // 2 + 1 and m % 10 == 0 else "no_change" if night else None
            rows["builds"].append({**numbers(sample["builds"]), **mine, "gpu_median_ms": 3 * level, "gpu_p10_ms": 2.97 * level, "verdict": verdict,
                                   "base": f"{m:06x}{night - 1:010x}" if night else None, "base_ms": 3.0, "candidate_ms": 3 * level, "ratio": level,
                                   "ci95_low": level - 0.01, "ci95_high": level + 0.01})
            rows["precisions"] += [{**numbers(sample["precisions"]), **mine, "precision": name, "share": share} for name, share in (("FP16", 0.98), ("FP32", 0.02))]
            rows["findings"] += [{**numbers(sample["findings"]), **mine, "n": n + 1, "rule": f"rule-{(m + n) % 40}", "severity": "major"} for n in range(4)]
        for table, lines in rows.items():
            write(fleet / f"{table}/{folder}/part-{night:016x}.csv.zst", csv_text(columns[table], lines))


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def timed(what, work, repeat=1):
    """Wall time and CPU time of all threads; of several the medians, and the first, which a new process waits for."""
    wall, cpu = [], []
    for _ in range(repeat):
        began, used = time.monotonic(), time.process_time()
        rows = work()
        wall.append(time.monotonic() - began)
        cpu.append(time.process_time() - used)
    median = lambda values: sorted(values)[len(values) // 2]
    if repeat == 1:
        print(f"{what}: {wall[0]:.1f} s, {cpu[0]:.1f} s of CPU", flush=True)
    else:
        print(f"{what}: {median(wall) * 1e3:.0f} ms (least {min(wall) * 1e3:.0f}, first {wall[0] * 1e3:.0f}), {median(cpu) * 1e3:.0f} ms of CPU, {len(rows)} rows",
              flush=True)


def convert(top, nights):
    """Each month, then each whole year, as the page has it."""
    engine = fleet_pages.DuckDb("8GB")
    days = [FIRST_DAY + datetime.timedelta(days=n) for n in range(nights)]
    for table in ("builds", "precisions", "findings", "layers"):
        (top / "parquet" / table).mkdir(parents=True)
    of_month, of_year = fleet_pages.block("DuckDB: what an export has of a month"), fleet_pages.block("DuckDB: a finished year")
    began, used = time.monotonic(), time.process_time()
    for month in sorted({f"{day:%Y-%m}" for day in days}):
        timed(f"month {month}", lambda: engine.run(of_month.replace("2026-11", month)))
    print(f"all months: {time.monotonic() - began:.0f} s, {time.process_time() - used:.0f} s of CPU")
    for year in sorted({day.year for day in days if datetime.date(day.year, 12, 31) in days}):
        timed(f"year {year}", lambda: engine.run(of_year.replace("2026", str(year))))
        for path in top.glob(f"parquet/layers/{year}-*.parquet"):
            path.unlink()


def ask(engine, setup, model):
    engine.run(fleet_pages.block(setup))
    for title, sql in fleet_pages.questions().items():
        timed(f"{engine.name}: {title}", lambda: engine.run(sql.replace("models/net.onnx", model)), 7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--builds", type=int, default=100_000)
    parser.add_argument("--layers", type=int, default=300)
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    args = parser.parse_args()
    top = pathlib.Path(args.folder) / "fleet-figures"
    fleet = top / "fleet"
    if not (top / "made").exists():
        began = time.monotonic()
        generate(args, real_export(pathlib.Path(args.binary).resolve(), fleet), fleet)
        (top / "made").touch()
        print(f"made {args.builds} builds of {args.layers} layers in {time.monotonic() - began:.0f} s", flush=True)
    os.chdir(top)
    if not (top / "converted").exists():
        shutil.rmtree(top / "parquet", ignore_errors=True)
        convert(top, args.builds // args.models)
        (top / "converted").touch()
    print(f"export {size_of(fleet) / 1e6:.0f} MB, Parquet {size_of(top / 'parquet') / 1e6:.0f} MB", flush=True)
    ask(fleet_pages.DuckDb(), "DuckDB: over Parquet", "model066.onnx")
    ask(fleet_pages.ClickHouse(), "ClickHouse: over Parquet", "model066.onnx")


if __name__ == "__main__":
    main()

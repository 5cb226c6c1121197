#!/usr/bin/env python3
"""The recipes of docs/fleet-map.md and docs/fleet-ray.md, run as they stand there: each build once, and everywhere the same rows.

Usage: fleet_map_test.py TRTLENS FIXTURES

DuckDB, Ray and kubernetes-validate are packages of PyPI (scripts/setup puts them into build/python). Parts without theirs are
left out, and the output says so; with TRTLENS_REQUIRE_CHECKERS=1 that is a failure.
"""
import csv
import importlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "build/python"
sys.path.append(str(PACKAGES))
RECIPES = {"fleet-map": {"rows.sh", "list.sh", "map.sh", "rows.sbatch", "rows.yaml", "gather.py", "one-file.sh"},
           "fleet-ray": {"rows_ray.py"}}
HOSTILE = "it's \"q\" $(touch pwned) `touch pwned`; *\nline 2"
FOLDERS = {"r18/fp16": "a_r18_fp16", "r18/runs": "aa_mob_q", "r18/failed": "b_nofile", f"-with space/{HOSTILE}": "b_lstm",
           "-with space/%41 +=&?#": "g_gather", "ünï/日本": "p_r18_force2_run", "r18/int8": "b_r18_q_conv", "zz/graph": "a_r18_fp16_graph"}
SWEEP = {"a.log": "a_r18_fp16/full.log", "b.log": "b_vit_fp16/build.log"}
UNREADABLE = ["./bad/empty", "./bad/notes"]
DAMAGED = "./bad/damaged"  # has a row, which knows nothing
NUMBERS = {"builds": {"number": "BIGINT", "gpu_compute_ms": "DOUBLE", "profile_ms": "DOUBLE", "first_finding_stake_ms": "DOUBLE",
                      **{f"findings_{one}": "BIGINT" for one in ("fatal", "major", "moderate", "minor", "info")}},
           "layers": {"index": "BIGINT", "opt_profile": "BIGINT", "weights_bytes": "BIGINT", "time_mean_ms": "DOUBLE",
                      "time_median_ms": "DOUBLE", "time_share": "DOUBLE"}}
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def package(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def recipes():
    """name: text of the blocks, which name themselves in their first comment."""
    found = {}
    for page, names in RECIPES.items():
        text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```\w+\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        of_page = {re.search(r"^# ([\w-]+\.\w+):", block, re.MULTILINE)[1]: block for block in blocks}
        expect(set(of_page) == names and len(blocks) == len(names), f"docs/{page}.md: blocks {sorted(of_page)}")
        found.update(of_page)
    return found


def make_fleet(fixtures, fleet):
    for folder, build in FOLDERS.items():
        shutil.copytree(fixtures / "builds" / build, fleet / folder)
    (fleet / "sweep/logs").mkdir(parents=True)
    for name, log in SWEEP.items():
        shutil.copy(fixtures / "builds" / log, fleet / "sweep/logs" / name)
    (fleet / "bad/empty").mkdir(parents=True)
    (fleet / "bad/notes").mkdir()
    (fleet / "bad/notes/readme.log").write_text("nothing of TensorRT\n")
    (fleet / DAMAGED).mkdir()
    for name in ("a.json", "b.json"):  # an error each
        (fleet / DAMAGED / name).write_text('{"Layers": [{"Name": "a", ]')
    for path in ("README.md", "r18/notes.log"):  # beside the builds
        shutil.copy(fixtures / "builds/b_lstm/build.log", fleet / path)


def make_tool(binary, folder):
    """A trtlens that writes down which folder it was started for."""
    folder.mkdir()
    (folder / "trtlens").write_text(f"""#!/bin/sh
for word; do case $word in ./*) [ -z "$TRACE" ] || printf '%s %s\\0' "$1" "$word" >> "$TRACE";; esac; done
exec '{binary}' "$@"
""")
    (folder / "trtlens").chmod(0o755)


class Fleet:
    def __init__(self, binary, fixtures, folder):
        self.binary, self.folder, self.root, self.blocks = binary, folder, folder / "fleet 1%41", recipes()
        self.root.mkdir()
        make_fleet(fixtures, self.root)
        make_tool(binary, folder / "bin")
        self.units = sorted({"./" + name for name in FOLDERS} | {"./sweep/logs", DAMAGED} | set(UNREADABLE))
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("TRTLENS_", "SLURM_", "RAY_"))}
        self.env = {**clean, "PATH": f"{folder / 'bin'}:{clean.get('PATH', '/usr/bin:/bin')}", "FLEET": str(self.root), "LC_ALL": "C.UTF-8",
                    "PYTHONPATH": str(PACKAGES), "RAY_USAGE_STATS_ENABLED": "0"}

    def out(self, name):
        """A folder with the recipes and the list."""
        folder = self.folder / name
        folder.mkdir()
        for file, text in self.blocks.items():
            (folder / file).write_text(text, encoding="utf-8")
        expect(self.run(folder, ["sh", folder / "list.sh"]).returncode == 0, f"{name}: list.sh")
        return folder

    def run(self, out, command, **variables):
        return subprocess.run(command, capture_output=True, timeout=300, check=False, env={**self.env, "OUT": str(out), **variables})

    def traced(self, out, command, **variables):
        """What was run, and for which folders, as "analyze ./r18/fp16"."""
        trace = self.folder / "trace"
        trace.write_bytes(b"")
        done = self.run(out, command, TRACE=str(trace), **variables)
        return done, [one.decode() for one in trace.read_bytes().split(b"\0")[:-1]]

    def tool(self, *arguments):
        return subprocess.run([self.binary, *arguments, "-q"], cwd=self.root, capture_output=True, timeout=300, check=False).stdout


def files_of(out):
    """path: bytes of every file of rows."""
    return {str(path.relative_to(out)): path.read_bytes() for path in out.glob("*/*/*.csv")}


def both(folders):
    return [f"{command} {folder}" for folder in folders for command in ("analyze", "convert")]


def table(text):
    return list(csv.reader(io.StringIO(text.decode(), newline="")))


def check_xargs(fleet):
    out = fleet.out("xargs")
    done, ran = fleet.traced(out, ["sh", out / "map.sh"])
    expect(done.returncode == 123, f"map.sh: status {done.returncode}")
    lines = done.stderr.decode().splitlines()
    said = sorted(next((folder for folder in UNREADABLE + [DAMAGED] if folder in line), line) for line in lines)
    expect(said == [DAMAGED] + UNREADABLE, f"map.sh: says {lines}")
    files = files_of(out)
    good = [unit for unit in fleet.units if unit not in UNREADABLE]
    expect(set(ran) >= set(both(good)) and len(ran) == len(set(ran)), f"map.sh: ran {ran}")
    want = {}
    for unit in good:
        want[f"{unit[2:]}/builds.csv"] = fleet.tool("analyze", "--format", "csv", unit)
        want[f"{unit[2:]}/layers.csv"] = fleet.tool("convert", "--to", "csv", unit)
    want = {path: text for path, text in want.items() if text}
    expect(files == want, f"map.sh: files {set(files) ^ set(want)} or their rows")
    expect(len(want) == 2 * len(good) - 2, "two folders have no layers")
    errors = sorted("./" + str(path.parent.relative_to(out)) for path in out.glob("*/*/errors"))
    expect(errors == [DAMAGED] + UNREADABLE, f"map.sh: errors of {errors}")
    expect(len((out / DAMAGED / "errors").read_text().splitlines()) == 2, "errors does not hold all that was said")
    expect(not list(fleet.folder.rglob("pwned")), "a name was run as a command")
    return out, files


def check_builds(fleet, files):
    """One call over all folders finds the same builds; layers belong to them."""
    rows = [row for path in sorted(files) if path.endswith("builds.csv") for row in table(files[path])[1:]]
    everything = table(fleet.tool("analyze", "--format", "csv", *(unit for unit in fleet.units if unit not in UNREADABLE)))[1:]
    expect(sorted(row[1:] for row in rows) == sorted(row[1:] for row in everything), "builds.csv: other rows than of one call")
    names = [row[1] for row in rows]
    expect(len(names) == len(set(names)) == 18, f"builds.csv: {len(names)} names")
    layers = [row for path in sorted(files) if path.endswith("layers.csv") for row in table(files[path])[1:]]
    expect({row[-1] for row in layers} < set(names) and len({row[-1] for row in layers}) == 15, "layers.csv: build_name")


def check_resumes(fleet, out, files):
    """What is done is left; what is not whole, or could not be read, is done again."""
    done, ran = fleet.traced(out, ["sh", out / "map.sh"])
    expect(done.returncode == 123 and set(ran) <= set(both(UNREADABLE)), f"a second run: {done.returncode} {ran}")
    (out / "r18/fp16/builds.csv").unlink()
    (out / "r18/fp16/layers.csv").write_text("half")
    (out / "bad/empty/errors").unlink()
    done, ran = fleet.traced(out, ["sh", out / "map.sh"])
    expect(set(both(["./r18/fp16"])) <= set(ran) <= set(both(UNREADABLE + ["./r18/fp16"])), f"after a kill: {ran}")
    expect(files_of(out) == files, "after a kill: other rows")


def check_full(fleet):
    """OUT that cannot be written ends everything; a file that cannot costs its folder."""
    out = fleet.out("full")
    (out / "r18").write_text("in the way")
    done = fleet.run(out, ["sh", out / "map.sh"])
    expect(done.returncode in (123, 124) and b"aborting" in done.stderr,
           f"OUT cannot be written: {done.returncode} {done.stderr}")
    (out / "r18").unlink()
    (out / "r18/fp16").mkdir(parents=True)
    (out / "r18/fp16/layers.csv").symlink_to("/dev/full")
    done = subprocess.run(["sh", out / "rows.sh", out, "./r18/fp16"], cwd=fleet.root, env=fleet.env, capture_output=True, check=False)
    expect(done.returncode == 1 and b"No space left" in done.stderr and not (out / "r18/fp16/builds.csv").exists(),
           f"disk full: {done.returncode} {done.stderr}")


def check_bytes(fleet, fixtures):
    """A name that is no UTF-8."""
    root, out = fleet.folder / "raw", fleet.folder / "raw_out"
    name = os.fsdecode(b"\xff\xfe")
    shutil.copytree(fixtures / "builds/b_lstm", root / "m" / name)
    out.mkdir()
    for file, text in fleet.blocks.items():
        (out / file).write_text(text, encoding="utf-8")
    done = fleet.run(out, ["sh", "-ec", f"sh '{out}/list.sh'; sh '{out}/map.sh'"], FLEET=str(root))
    expect(done.returncode == 0 and (out / "m" / name / "builds.csv").exists() and (out / "m" / name / "layers.csv").exists(),
           f"a name that is no UTF-8: {done.returncode} {done.stderr}")


def check_shards(fleet, name, files, tasks, run):
    """run(out, task) of all tasks: every folder once."""
    out, ran = fleet.out(f"{name} {tasks}"), []
    for task in range(tasks):
        done, more = run(out, task)
        expect(done.returncode in (0, 123), f"{name}: task {task} of {tasks}: {done.returncode} {done.stderr[:300]}")
        ran += more
    expect(set(both(unit for unit in fleet.units if unit not in UNREADABLE)) <= set(ran), f"{name}: {tasks} tasks leave folders out")
    expect(len(ran) == len(set(ran)), f"{name}: {tasks} tasks do folders twice")
    expect(files_of(out) == files, f"{name}: {tasks} tasks: other rows")
    expect(len(list(out.glob("*/*/errors"))) == len(UNREADABLE) + 1, f"{name}: errors")
    return out


def slurm(fleet, out, task, first, count, last=None, **more):
    variables = {"SLURM_ARRAY_TASK_ID": first + task, "SLURM_ARRAY_TASK_MIN": first, "SLURM_ARRAY_TASK_COUNT": count,
                 "SLURM_ARRAY_TASK_MAX": first + count - 1 if last is None else last, **more}
    return fleet.traced(out, ["bash", out / "rows.sbatch"], **{key: str(value) for key, value in variables.items()})


def check_slurm(fleet, files):
    out = None
    for first, count in ((0, 3), (1, 1), (5, len(fleet.units) + 6)):
        out = check_shards(fleet, f"Slurm from {first}", files, count,
                           lambda to, task: slurm(fleet, to, task, first, count, SLURM_CPUS_PER_TASK=2))
    done, ran = slurm(fleet, out, 0, 5, len(fleet.units) + 6)
    expect(set(ran) <= set(both(UNREADABLE)), f"Slurm: a task again: {ran}")
    gaps = fleet.out("Slurm gaps")
    for task, count, last in ((3, 2, 7), (0, 5, 8)):  # --array=3,7 and 0-8:2
        done, ran = slurm(fleet, gaps, task, 0, count, last)
        expect(done.returncode == 2 and not ran and b"gaps" in done.stderr, f"Slurm: an array with gaps: {done.returncode} {ran}")
    statuses = {slurm(fleet, gaps, task, 0, len(fleet.units))[0].returncode for task in range(len(fleet.units))}
    expect(statuses == {0, 123}, f"Slurm: statuses {statuses}")
    lines = fleet.blocks["rows.sbatch"].splitlines()
    first = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    directives = [i for i, line in enumerate(lines) if line.startswith("#SBATCH ")]
    expect(lines[0] == "#!/bin/bash" and any("--array=" in lines[i] for i in directives) and max(directives) < first,
           "rows.sbatch: sbatch reads directives above the first command only")
    return out


def manifest_problems(manifest, validator):
    """Of Kubernetes' own schemas, unknown fields included, in the oldest version that the page names and the newest."""
    problems = []
    for version in ("1.29.0", validator.latest_version()):
        try:
            validator.validate(manifest, version, strict=True)
        except validator.ValidationError as error:
            problems.append(f"{version}: {error.message}")
    return problems


def check_manifest(fleet, validator):
    yaml = package("yaml")
    text = fleet.blocks["rows.yaml"]
    problems = manifest_problems(yaml.safe_load(text), validator)
    expect(not problems, f"rows.yaml: {problems}")
    for good, bad in (("completionMode:", "completionmode:"), ("completions: 100", "completions: many"), ("image:", "imagee:"),
                      ("readOnly: true}}", "readonly: true}}"), ("kind: Job", "kind: Jobs")):
        expect(good in text, f"rows.yaml has no {good}")
        try:
            found = manifest_problems(yaml.safe_load(text.replace(good, bad)), validator)
        except validator.SchemaNotFoundError:
            found = ["no such kind"]
        expect(found, f"the validator accepts {bad}")


def check_kubernetes(fleet, files):
    """The container's command, with what an indexed Job sets."""
    yaml = package("yaml")
    if not yaml:
        return None
    spec = yaml.safe_load(fleet.blocks["rows.yaml"])["spec"]
    container = spec["template"]["spec"]["containers"][0]
    env = {one["name"]: one["value"] for one in container["env"]}
    mounts = {one["mountPath"]: one.get("readOnly", False) for one in container["volumeMounts"]}
    expect(spec["completionMode"] == "Indexed" and env["TASKS"] == str(spec["completions"]), "rows.yaml: TASKS is not completions")
    expect(mounts == {env["FLEET"]: True, env["OUT"]: False}, f"rows.yaml: {mounts} for {env}")

    def run(out, index, tasks):
        return fleet.traced(out, container["command"], JOB_COMPLETION_INDEX=str(index), TASKS=str(tasks))

    out = None
    for tasks in (4, len(fleet.units) + 3):
        out = check_shards(fleet, "Kubernetes", files, tasks, lambda to, index: run(to, index, tasks))
        expect(all(run(out, index, tasks)[0].returncode == 0 for index in range(tasks)), "Kubernetes: a folder fails its pod")
    (out / "folders").unlink()
    expect(run(out, 0, 4)[0].returncode != 0, "Kubernetes: a pod without the list succeeds")
    return out


def check_one_file(fleet, out, files):
    done = fleet.run(out, ["sh", out / "one-file.sh"])
    texts = [text.decode().splitlines() for path, text in files.items() if path.endswith("layers.csv")]
    got = (out / "layers.csv").read_text(encoding="utf-8").splitlines()
    expect(done.returncode == 0 and got[0] == texts[0][0] and sorted(got[1:]) == sorted(line for text in texts for line in text[1:]),
           f"one-file.sh: {done.returncode}, {len(got)} lines")


def rows_in(duckdb, paths, columns, where="true"):
    names = ", ".join(columns)
    return sorted(duckdb.sql(f"SELECT {names} FROM read_parquet($paths) WHERE {where}", params={"paths": str(paths)}).fetchall(), key=repr)


def columns_of(duckdb, paths):
    rows = duckdb.sql("DESCRIBE SELECT * FROM read_parquet($paths)", params={"paths": str(paths)}).fetchall()
    return {row[0]: row[1] for row in rows}


def check_gather(fleet, duckdb, out, files):
    done = fleet.run(out, [sys.executable, out / "gather.py"])
    expect(done.returncode == 0 and done.stdout == b"2 folders cannot be read, 0 are not done\n", f"gather.py: {done}")
    for name in ("builds", "layers"):
        texts = [table(text) for path, text in files.items() if path.endswith(name + ".csv")]
        columns = columns_of(duckdb, out / f"{name}.parquet")
        expect(list(columns) == texts[0][0], f"gather.py: {name}: columns")
        got = rows_in(duckdb, out / f"{name}.parquet", columns)
        plain = [tuple(None if not cell else float(cell) if columns[key] != "VARCHAR" else cell for key, cell in zip(columns, row))
                 for text in texts for row in text[1:]]
        got = [tuple(float(cell) if isinstance(cell, int) else cell for cell in row) for row in got]
        expect(sorted(got, key=repr) == sorted(plain, key=repr), f"gather.py: {name}: other values than the CSV")
        types = {key: kind for key, kind in columns.items() if kind != "VARCHAR"}
        expect(types == NUMBERS[name], f"gather.py: {name}: types {types}")
    for folder in (fleet.units[-1], "./r18/int8"):
        unfinished = out / folder / "builds.csv"
        text = unfinished.read_bytes()
        unfinished.unlink()
        done = fleet.run(out, [sys.executable, out / "gather.py"])
        expect(done.returncode == 1 and done.stdout == b"2 folders cannot be read, 1 are not done\n", f"gather.py, a folder left: {done}")
        unfinished.write_bytes(text)
    expect(fleet.run(out, [sys.executable, out / "gather.py"]).returncode == 0, "gather.py again")


def check_texts(fleet, duckdb):
    """Names that look like numbers stay texts, and an empty one is none."""
    root, out = fleet.folder / "texts", fleet.folder / "texts_out"
    names = ["007", "1e3", "8"]
    (root / "m/b").mkdir(parents=True)
    (root / "m/b/layers.json").write_text(json.dumps({"Layers": [{"Name": name, "LayerType": "Shuffle"} for name in names], "Bindings": []}))
    out.mkdir()
    for file, text in fleet.blocks.items():
        (out / file).write_text(text, encoding="utf-8")
    for command in (["sh", out / "list.sh"], ["sh", out / "map.sh"], [sys.executable, out / "gather.py"]):
        done = fleet.run(out, command, FLEET=str(root))
        expect(done.returncode == 0, f"names like numbers: {done}")
    rows = rows_in(duckdb, out / "layers.parquet", ["name", "time_mean_ms", "tactic_name"])
    expect(rows == [(name, None, None) for name in names], f"names like numbers: {rows}")


def run_ray(fleet, out):
    """Two workers, each a node of its own with one core."""
    os.environ.update({key: fleet.env[key] for key in ("PATH", "PYTHONPATH", "RAY_USAGE_STATS_ENABLED", "LC_ALL")})  # the nodes inherit it
    from ray.cluster_utils import Cluster  # pylint: disable=import-error,import-outside-toplevel
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as temp:  # a socket's path has to be short
        home = pathlib.Path(temp, "ray")  # where Ray writes the cluster's address, too; by itself it makes only /tmp/ray, and late
        home.mkdir()
        os.environ["RAY_TMPDIR"] = temp
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "temp_dir": str(home), "include_dashboard": False})
        try:
            cluster.add_node(num_cpus=1)
            expect(len(cluster.list_all_nodes()) == 2, "Ray: not two nodes")
            return fleet.run(out, [sys.executable, out / "rows_ray.py"], RAY_ADDRESS=cluster.address, FLEET=fleet.root.as_uri())
        finally:
            cluster.shutdown()


def check_ray(fleet, duckdb, gathered):
    out = fleet.out("ray")
    done = run_ray(fleet, out)
    expect(done.returncode == 0, f"rows_ray.py: {done.returncode} {done.stderr[-2000:].decode()}")
    if done.returncode != 0:
        return
    for name, key in (("builds", "name"), ("layers", "build_name")):
        columns = columns_of(duckdb, gathered / f"{name}.parquet")
        for path in (out / name).glob("*.parquet"):
            expect(columns_of(duckdb, path) == {**columns, "error": "VARCHAR"}, f"Ray: {name}: columns of {path.name}")
        got, want = rows_in(duckdb, out / name / "*.parquet", columns, "error IS NULL"), rows_in(duckdb, gathered / f"{name}.parquet", columns)
        expect(got == want, f"Ray: {name}: {len(got)} rows, not the {len(want)} of xargs")
        errors = rows_in(duckdb, out / name / "*.parquet", [key, "error"], "error IS NOT NULL")
        expect([row[0] for row in errors] == UNREADABLE and all("trtlens: " in row[1] for row in errors), f"Ray: {name}: {errors}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    binary, fixtures = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    found = {name: package(name) for name in ("duckdb", "ray", "kubernetes_validate", "yaml")}
    with tempfile.TemporaryDirectory() as temp:
        fleet = Fleet(binary, fixtures, pathlib.Path(temp))
        out, files = check_xargs(fleet)
        check_builds(fleet, files)
        check_resumes(fleet, out, files)
        check_full(fleet)
        check_bytes(fleet, fixtures)
        check_slurm(fleet, files)
        check_kubernetes(fleet, files)
        if found["kubernetes_validate"] and found["yaml"]:
            check_manifest(fleet, found["kubernetes_validate"])
        check_one_file(fleet, out, files)
        if found["duckdb"]:
            check_gather(fleet, found["duckdb"], out, files)
            check_texts(fleet, found["duckdb"])
        if found["duckdb"] and found["ray"]:
            check_ray(fleet, found["duckdb"], out)
    missing = [name for name, there in found.items() if not there]
    if missing:
        print(f"left out: {', '.join(missing)} not in {PACKAGES}")
    print("\n".join(failures))
    sys.exit(1 if failures or (missing and os.environ.get("TRTLENS_REQUIRE_CHECKERS") == "1") else 0)


if __name__ == "__main__":
    main()

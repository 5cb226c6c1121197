#!/usr/bin/env python3
"""What may go wrong with a file of builds. Usage: history_test.py TRTLENS FIXTURES [--kills N]

A few dozen kills by default; 200 and more by hand. Each check works in a folder of its own.
history_test.py TRTLENS FIXTURES --make   writes FIXTURES/history, the input of golden cases, anew (docs of it: its README).
"""
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
import tempfile
import time
import traceback

NOBODY = 65534


def make_build(folder, k, layers=40, level=None):
    """A made-up build of night k: a log of a run, its layers, its profile."""
    folder.mkdir(parents=True, exist_ok=True)
    level = level or 1 + 0.001 * k
    names = [f"/block{i // 8}/conv{i % 8}/Conv" for i in range(layers)]
    tensor = lambda i: {"Name": f"t{i}", "Dimensions": [1, 64, 56, 56],
                        "Format/Datatype": "Channel major FP16 format where channel % 8 == 0"}
    (folder / "layers.json").write_text(json.dumps(
        {"Layers": [{"Name": name, "LayerType": "CaskConvolution", "ParameterType": "Convolution",
                     "Inputs": [tensor(i)], "Outputs": [tensor(i + 1)],
                     "TacticName": f"sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_{i % 7}"}
                    for i, name in enumerate(names)], "Bindings": ["t0", f"t{layers}"]}))
    (folder / "profile.json").write_text(json.dumps(
        [{"count": 100}] + [{"name": name, "timeMs": 1 * level, "averageMs": 0.01 * level,
                             "medianMs": 0.01 * level, "percentage": 1} for name in names]))
    q = 0.01 * layers * level
    command = "trtexec --onnx=models/net.onnx --fp16"
    (folder / "run.log").write_text(
        f"&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # {command}\n"
        f"[{11 + k // 28:02}/{1 + k % 28:02}/2026-03:00:01] [I] GPU Compute Time: min = {q:.5f} ms, max = {q:.5f} ms, "
        f"mean = {q:.5f} ms, median = {q:.5f} ms, percentile(99%) = {q:.5f} ms\n"
        f"&&&& PASSED TensorRT.trtexec [TensorRT v8501] # {command}\n")


def make_fixture(binary, folder):
    """Thirty nights, slower from the twenty-first on, one of which failed; two builds of another model; tonight's."""
    chance = random.Random(3)
    db = folder / "builds.db"
    remove(db)
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        for night in range(31):
            build = top / (f"nightly/{night + 1:02}" if night < 30 else "tonight")
            level = 1.045 if night >= 20 else 1
            make_build(build, night, layers=8, level=round(level * (1 + chance.gauss(0, 0.008)), 4))
            if night == 12:
                log = build / "run.log"
                log.write_text(log.read_text().splitlines()[0] + "\n[11/13/2026-03:00:02] [E] Error[1]: [executionContext.cpp::"
                               "enqueueInternal::795] Error Code 1: Cuda Runtime (an illegal memory access was encountered)\n"
                               + log.read_text().splitlines()[-1].replace("PASSED", "FAILED") + "\n")
                for name in ("layers.json", "profile.json"):
                    (build / name).unlink()
        for night in range(2):
            make_build(top / f"other/{night}", night, layers=8)
            log = top / f"other/{night}/run.log"
            log.write_text(log.read_text().replace("net.onnx --fp16", "other.onnx --int8"))
        shutil.rmtree(folder / "tonight", ignore_errors=True)
        shutil.copytree(top / "tonight", folder / "tonight")
        subprocess.run([binary, "history", "add", "--db", db, "nightly", "other"], cwd=top, check=True)
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE build SET added_at = '2026-11-26 10:00:00'")
        connection.execute("DELETE FROM read_before")
    with sqlite3.connect(db, isolation_level=None) as connection:
        connection.execute("VACUUM")


class Test:
    def __init__(self, binary, fixtures, folder):
        self.binary, self.fixtures, self.folder = binary, fixtures, folder
        self.db = folder / "h.db"

    def run(self, *words, **more):
        return subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True, errors="replace",
                              timeout=240, stdin=subprocess.DEVNULL, **more)

    def add(self, *paths, **more):
        return self.run("history", "add", "--db", self.db, *paths, **more)

    def good(self, *words):
        done = self.run(*words)
        assert done.returncode == 0, (words, done.returncode, done.stderr)
        return done.stdout

    def list(self):
        return json.loads(self.good("history", "list", "--db", self.db, "--format", "json", "--top", "0"))["builds"]

    def builds(self, n):
        for k in range(n):
            make_build(self.folder / "builds" / f"{k:03}", k)
        return self.folder / "builds"

    def sql(self, query):
        with sqlite3.connect(self.db) as connection:
            return connection.execute(query).fetchall()

    def check_whole(self, folder, n):
        """All builds of the folder are in, each once, and the file is sound."""
        done = self.add(folder)
        assert done.returncode == 0, done.stderr
        names = [b["name"] for b in self.list()]
        assert len(names) == n and len(set(names)) == n, (n, len(names), len(set(names)))
        assert self.sql("PRAGMA integrity_check") == [("ok",)]
        assert self.sql("PRAGMA foreign_key_check") == []
        assert self.sql("SELECT COUNT(*), COUNT(DISTINCT build_id) FROM layer_time") == [(40 * n, n)]

    def refused(self, done, *words):
        assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
        for word in words:
            assert word in done.stderr, (word, done.stderr)
        assert "internal error" not in done.stderr, done.stderr


def remove(db):
    for name in ("", "-wal", "-shm"):
        pathlib.Path(str(db) + name).unlink(missing_ok=True)


def as_nobody():
    if os.getuid() == 0:  # root may write everywhere
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def same_build_is_one(t):
    folder = t.builds(3)
    assert t.add(folder).stdout == "added 3 builds\n"
    assert t.add(folder).stdout == "added 0 builds, 3 folders unchanged\n"
    shutil.copytree(folder, t.folder / "copy")
    (t.folder / "copy/001/run.log").touch()
    assert t.add(t.folder / "copy").stdout == "added 0 builds, 3 were in already\n"
    subprocess.run(["gzip", t.folder / "copy/002/run.log"], check=True)
    assert t.add(t.folder / "copy").stdout == "added 0 builds, 1 was in already, 2 folders unchanged\n"
    (t.folder / "copy/000/profile.json").write_text((folder / "000/profile.json").read_text().replace("0.01,", "0.02,"))
    assert t.add(t.folder / "copy").stdout.startswith("added 1 build, ")
    assert len(t.list()) == 4
    # The file may lie among the builds.
    inside = folder / "h.db"
    t.good("history", "add", "--db", inside, folder)
    assert t.good("history", "add", "--db", inside, folder) == "added 0 builds, 3 folders unchanged\n"


def named_files_are_one_build(t):
    folder = t.builds(1) / "000"
    assert t.add(folder / "run.log", folder / "layers.json", folder / "profile.json").stdout == "added 1 build\n"
    assert t.add(folder).stdout == "added 0 builds, 1 was in already\n"


def a_sweep_is_a_build_a_log(t):
    sweep = t.folder / "sweep"
    sweep.mkdir()
    for name in ("a", "b", "c"):
        command = f"trtexec --onnx={name}.onnx"
        (sweep / f"{name}.log").write_text(f"&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # {command}\n"
                                           f"&&&& PASSED TensorRT.trtexec [TensorRT v8501] # {command}\n")
    assert t.add(sweep).stdout == "added 3 builds\n"
    assert sorted(pathlib.Path(build["name"]).name for build in t.list()) == ["a.log", "b.log", "c.log"], t.list()


def a_cut_profile_has_no_times(t):
    """The sum of a part of the layers would look like a faster night."""
    done = t.add(t.fixtures / "profile_cut")
    assert done.returncode == 0, done.stderr
    assert t.sql("SELECT DISTINCT ms FROM layer_time") == [(None,)], t.sql("SELECT * FROM layer_time")
    assert t.sql("SELECT profile_ms FROM build") == [(None,)]


def what_is_no_build(t):
    (t.folder / "notes").mkdir()
    (t.folder / "notes/README").write_text("nothing of trtexec's\n")
    assert t.add(t.folder / "notes").stdout == "added 0 builds\n"
    t.refused(t.add(t.folder / "notes/README"), "no build in")
    t.refused(t.add(t.folder / "missing"), "No such file")


def read_only(t):
    t.folder.chmod(0o777)
    folder = t.builds(2)
    t.good("history", "add", "--db", t.db, folder / "000")
    t.db.chmod(0o444)
    t.folder.chmod(0o555)
    t.refused(t.add(folder, preexec_fn=as_nobody), "read-only")
    listed = t.run("history", "list", "--db", t.db, preexec_fn=as_nobody)
    assert listed.returncode == 0 and "1 build in" in listed.stdout, (listed.stdout, listed.stderr)
    t.folder.chmod(0o755)
    new = t.run("history", "add", "--db", t.folder / "new.db", folder, preexec_fn=as_nobody)
    t.refused(new, "new.db: ", "cannot be opened: Permission denied")
    assert not (t.folder / "new.db").exists()
    assert len(t.list()) == 1


def disk_full(t):
    folder = t.builds(12)
    for limit in (40_000, 150_000, 300_000):
        remove(t.db)
        limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        t.refused(t.add(folder, preexec_fn=limited), "h.db: ")
        t.check_whole(folder, 12)


def other_files(t):
    folder = t.builds(1)
    for name, text, words in (("text.db", b"no database, " * 100, "no SQLite database"), ("zeros.db", bytes(5000), "no SQLite database")):
        file = t.folder / name
        file.write_bytes(text)
        t.refused(t.run("history", "add", "--db", file, folder), name, words)
        t.refused(t.run("history", "list", "--db", file), name, words)
        assert file.read_bytes() == text
    with sqlite3.connect(t.folder / "other.db") as other:
        other.execute("CREATE TABLE build(id)")
    before = (t.folder / "other.db").read_bytes()
    for words in (("add", folder), ("list",), ("show", "1"), ("trend",), ("prune", "--keep", "1")):
        t.refused(t.run("history", words[0], "--db", t.folder / "other.db", *words[1:]), "no history of trtlens")
    assert (t.folder / "other.db").read_bytes() == before
    for command in ("list", "trend", "prune"):
        more = ("--keep", "1") if command == "prune" else ()
        t.refused(t.run("history", command, "--db", t.folder / "none.db", *more), "No such file")
        assert not (t.folder / "none.db").exists()
    t.refused(t.run("history", "add", "--db", t.folder, folder), "no regular file")
    (t.folder / "empty.db").touch()
    t.refused(t.run("history", "list", "--db", t.folder / "empty.db"), "no history of trtlens in it yet")
    t.good("history", "add", "--db", t.folder / "empty.db", folder)


def newer(t):
    folder = t.builds(2)
    t.good("history", "add", "--db", t.db, folder / "000")
    t.sql("PRAGMA user_version = 3")
    for words in (("add", folder), ("list",), ("prune", "--keep", "1")):
        t.refused(t.run("history", words[0], "--db", t.db, *words[1:]), "written by a newer trtlens (schema 3, this one knows 2)")
    t.sql("PRAGMA user_version = 1")
    t.refused(t.run("history", "add", "--db", t.db, folder), "written by an older trtlens (schema 1, this one writes 2): it can be read, but take builds into a new file")
    t.good("history", "list", "--db", t.db)
    t.sql("PRAGMA user_version = 2")
    assert len(t.list()) == 1


def damaged(t):
    folder = t.builds(20)
    t.good("history", "add", "--db", t.db, folder)
    whole = t.db.read_bytes()
    assert not pathlib.Path(str(t.db) + "-wal").exists()
    chance = random.Random(1)
    said = 0
    for _ in range(25):
        bytes_ = bytearray(whole)
        at = chance.randrange(100, len(bytes_) - 4096)
        bytes_[at:at + 4096] = chance.randbytes(4096)
        if chance.random() < 0.3:
            bytes_ = bytes_[:chance.randrange(2000, len(bytes_))]
        t.db.write_bytes(bytes_)
        for words in (("list",), ("show", "3"), ("trend", "--onnx-node", "/block1/conv1/Conv"), ("add", folder)):
            done = t.run("history", words[0], "--db", t.db, *words[1:])
            assert done.returncode in (0, 2), (done.returncode, done.stderr)
            assert "internal error" not in done.stderr, done.stderr
            said += "damaged" in done.stderr or "no SQLite database" in done.stderr
    assert said > 10, said


def two_writers(t):
    folder = t.builds(30)
    processes = [subprocess.Popen([t.binary, "history", "add", "-q", "--db", t.db, folder], stderr=subprocess.PIPE)
                 for _ in range(3)]
    for process in processes:
        _, stderr = process.communicate(timeout=240)
        assert process.returncode == 0, stderr
    t.check_whole(folder, 30)


def killed(t, kills):
    """Adds are killed; what they left is sound and whole builds; the last one takes the rest in."""
    folder = t.builds(60)
    chance = random.Random(7)
    process_s = []
    for _ in range(3):
        began = time.monotonic()
        remove(t.db)
        t.add(folder)
        process_s.append(time.monotonic() - began)
    remove(t.db)
    left = []
    for k in range(kills):
        process = subprocess.Popen([t.binary, "history", "add", "-q", "--db", t.db, folder],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, min(process_s) * 0.7))
        process.send_signal(signal.SIGINT if k % 3 == 0 else signal.SIGKILL)
        process.wait()
        builds = 0
        if t.db.exists() and t.db.stat().st_size > 0:
            assert t.sql("PRAGMA integrity_check") == [("ok",)]
            if t.sql("PRAGMA user_version") == [(2,)]:
                rows = t.sql("SELECT b.id, COUNT(n) FROM build b LEFT JOIN layer_time ON build_id = b.id GROUP BY b.id")
                assert all(count == 40 for _, count in rows), rows
                builds = len(rows)
        assert builds >= (left[-1] if left else 0), (builds, left)  # none is lost
        left.append(builds)
        if builds == 60 or k % 10 == 9 or k == kills - 1:
            t.check_whole(folder, 60)
            remove(t.db)
            partly = sum(0 < n < 60 for n in left)
            left = [] if k < kills - 1 else left
            t.partly = getattr(t, "partly", 0) + partly
    assert t.partly > kills / 10, t.partly  # they did not all come before the first build or behind the last
    print(f"killed {kills} times, {t.partly} of them with some of 60 builds in")


def many_files(t, files=20_000):
    folder = t.folder / "many"
    folder.mkdir()
    for k in range(files):
        (folder / f"{k}.bin").write_bytes(b"\0\1\2")
    make_build(folder, 1)
    done = t.add(folder)
    assert done.returncode == 0 and done.stdout == "added 1 build\n" and done.stderr == "", done


def hostile_names(t):
    folder = os.fsencode(t.folder) + b"/\xff\x1b[31m\xe2\x80\xae'; DROP TABLE build; --"
    os.mkdir(folder)
    make_build(t.folder / "plain", 0)
    for file in (t.folder / "plain").iterdir():
        shutil.copy(os.fsencode(file), folder)
    profile = os.path.join(folder, b"profile.json")
    layers = os.path.join(folder, b"layers.json")
    evil = "');DROP TABLE layer;--\\u001b[2J\\u202e"
    for file in (profile, layers):
        text = open(file, encoding="utf-8").read()
        open(file, "w", encoding="utf-8").write(text.replace("/block0/conv3/Conv", evil))
    done = t.add(folder.decode(errors="surrogateescape"))
    assert done.returncode == 0, done.stderr
    outputs = [t.good("history", "list", "--db", t.db, "--format", "text", "--top", "0"),
               t.good("history", "trend", "--db", t.db, "--format", "text"),
               t.good("history", "show", "--db", t.db, "1", "--format", "text", "--full")]
    for text in outputs:
        assert "\x1b" not in text and "\u202e" not in text, text
    name = t.sql("SELECT name FROM layer WHERE name LIKE '%DROP%'")[0][0]
    assert name == "');DROP TABLE layer;--\\x1b[2J\\u202e", name
    assert "0.0100" in t.good("history", "trend", "--db", t.db, "--layer", name, "--format", "text")
    # A path that SQLite would take for something else.
    for odd in ("file:x?mode=memory", ":memory:", "a%20b#c"):
        t.good("history", "add", "--db", t.folder / odd, t.folder / "plain")
        assert (t.folder / odd).stat().st_size > 0
    done = subprocess.run([t.binary, "history", "add", "--db", ":memory:", "plain"], cwd=t.folder, capture_output=True)
    assert done.returncode == 0 and done.stdout == b"added 0 builds, 1 folder unchanged\n", done


def changed_while_read(t):
    folder = t.builds(1) / "000"
    log = folder / "run.log"
    line = "[11/01/2026-00:00:02] [V] [TRT] Tactic: 0x0000000000000001 Time: 0.01\n"
    with open(log, "a", encoding="utf-8") as out:
        out.write(line * 3_000_000)
    process = subprocess.Popen([t.binary, "history", "add", "--db", t.db, folder], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        with open(log, "a", encoding="utf-8") as out:
            out.write(line)
        time.sleep(0.005)
    assert process.returncode == 2 and "not added" in process.stderr.read(), process.returncode
    assert t.list() == []
    assert t.add(folder).stdout == "added 1 build\n"


def pruned(t):
    folder = t.builds(6)
    t.good("history", "add", "--db", t.db, folder)
    assert t.good("history", "prune", "--db", t.db, "--keep", "4") == "pruned 2 of 6 builds\n"
    assert [b["name"][-3:] for b in t.list()] == ["005", "004", "003", "002"][::-1]
    assert t.good("history", "prune", "--db", t.db, "--before", "2026-11-03") == "pruned 0 of 4 builds\n"
    shutil.copytree(folder, t.folder / "again")
    assert t.add(t.folder / "again").stdout == "added 0 builds, 4 were in already, 2 pruned before\n"
    assert t.sql("SELECT COUNT(*) FROM layer_time") == [(160,)]
    assert t.good("history", "prune", "--db", t.db, "--before", "2027-01-01") == "pruned 4 of 4 builds\n"
    assert t.sql("SELECT (SELECT COUNT(*) FROM layer), (SELECT COUNT(*) FROM layer_node), (SELECT COUNT(*) FROM node), (SELECT COUNT(*) FROM finding)") == [(0, 0, 0, 0)]
    t.refused(t.run("history", "prune", "--db", t.db), "--keep N, --before DATE")


def documented_queries(t):
    folder = t.builds(3)
    t.good("history", "add", "--db", t.db, folder)
    page = (t.fixtures.parent / "docs/history.md").read_text(encoding="utf-8")
    queries = re.findall(r"```sql\n(.*?)```", page, re.S)
    assert len(queries) == 3
    for query in queries:
        assert t.sql(query), query
    # Every column that the page names is there, and the other way round.
    for table, columns in re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\| (.*) \|$", page, re.M):
        if table == "layer":
            continue
        known = {row[1] for row in t.sql(f"PRAGMA table_info({table})")}
        named = set(re.findall(r"`(\w+)`", columns))
        assert named and named <= known, (table, named - known)
        assert known - named <= {"written_by"}, (table, known - named)


def formats(t):
    t.good("history", "add", "--db", t.db, t.builds(4))
    for words in (("list",), ("trend",), ("show", "2")):
        for name in ("text", "markdown", "html", "json"):
            done = t.run("history", words[0], "--db", t.db, *words[1:], "--format", name)
            assert done.returncode == 0 and done.stdout, (words, name, done.stderr)
        gate = t.run("history", words[0], "--db", t.db, *words[1:], "-o", t.folder / "x.sarif")
        if words[0] == "show":
            assert gate.returncode == 0, gate.stderr
        else:
            t.refused(gate, "sarif is a format of")


def against_itself_never(t):
    folder = t.builds(3)
    t.good("history", "add", "--db", t.db, folder)
    report = json.loads(t.good("compare", "--history", t.db, folder / "002", "--format", "json"))
    assert report["engine"]["notes"][0].startswith("#2 is the last good build"), report["engine"]
    assert report["engine"]["noise_floor_from"] == "history", report["engine"]
    assert report["engine"]["runs"] == [2, 1], report["engine"]
    t.refused(t.run("compare", "--history", t.db, folder / "000"), "no good build")
    t.refused(t.run("compare", "--history", t.db, folder / "000", "--series", "x"), "no good build of 'x'")
    t.refused(t.run("compare", "--history", t.db, folder / "000", folder / "001"), "takes one side")


def run_all(checks, make, binary):
    """How many fail. `make` makes a Test of a binary and a folder of its own."""
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        # Nobody may look into a home.
        reachable = pathlib.Path(top) / "trtlens"
        shutil.copy(binary, reachable)
        for n, check in enumerate(checks):
            folder = pathlib.Path(top) / f"{n:02}"
            folder.mkdir()
            name = check.__name__.replace("<lambda>", "killed")
            began = time.monotonic()
            try:
                check(make(reachable, folder))
                print(f"{name}: ok, {time.monotonic() - began:.1f} s", flush=True)
            except Exception as error:  # noqa: BLE001: the other checks still say what they find
                failed += 1
                line = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)][:2][-1]
                print(f"{name}: FAILED in line {line}: {type(error).__name__}: {error}", flush=True)
            finally:
                os.chdir(top)
                folder.chmod(0o755)
    return failed


def main():
    binary, fixtures = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    kills = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 24
    if "--make" in sys.argv:
        return make_fixture(binary, fixtures / "history")
    checks = [same_build_is_one, named_files_are_one_build, a_sweep_is_a_build_a_log, a_cut_profile_has_no_times, what_is_no_build, read_only, disk_full, other_files, newer,
              damaged, two_writers, lambda t: killed(t, kills), many_files, hostile_names, changed_while_read, pruned, documented_queries, formats,
              against_itself_never]
    failed = run_all(checks, lambda copy, folder: Test(copy, fixtures, folder), binary)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The SQL of docs/fleet.md, for its test and its figures: and both engines."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "build/python"))  # scripts/setup test

DUCKDB, CLICKHOUSE = "DuckDB: ", "ClickHouse: "


def blocks():
    """SQL by the comment above it. "DuckDB: " and "ClickHouse: " are of one of them, all others of both."""
    page = (ROOT / "docs/fleet.md").read_text(encoding="utf-8")
    found = [part for fence in re.findall(r"```sql\n(.*?)```", page, re.S) for part in re.findall(r"(?:^|\n)-- ([^\n]*)\n(.*?)(?=\n-- |\Z)", fence, re.S)]
    assert len(found) == len(dict(found)) == len(re.findall(r"^-- ", page, re.M)) > 0, found
    return dict(found)


def block(start):
    titles = [title for title in blocks() if title.startswith(start)]
    assert len(titles) == 1, (start, titles)
    return blocks()[titles[0]]


def questions():
    return {title: sql for title, sql in blocks().items() if not title.startswith((DUCKDB, CLICKHOUSE))}


# Both read and write in the current folder, as the paths of the page say.
class DuckDb:
    name = "DuckDB"

    def __init__(self, memory="4GB"):
        import duckdb
        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = 2; SET memory_limit = '{memory}'; SET temp_directory = 'spill'")

    def run(self, sql):
        """Rows of the last statement. `.read` is of the command."""
        sql = re.sub(r"^\.read (.*)$", lambda m: pathlib.Path(m.group(1)).read_text(encoding="utf-8"), sql, flags=re.M)
        done = self.connection.execute(sql)
        return done.fetchall() if done.description else []


class ClickHouse:
    name = "ClickHouse"

    def __init__(self):
        from chdb.session import Session
        self.session = Session("clickhouse")
        self.session.query("CREATE DATABASE IF NOT EXISTS fleet")
        self.session.query("USE fleet")

    def run(self, sql):
        import json
        rows = []
        for statement in filter(str.strip, sql.split(";\n")):
            answer = str(self.session.query(statement.strip().rstrip(";"), "JSONCompact"))
            rows = json.loads(answer)["data"] if answer else []
        return rows

#!/usr/bin/env python3
"""Puts every hostile name into every format, and asks what reads the format whether the name acts.

Usage: hostile_test.py TRTLENS [--require] [--every N]

A name stands as layer, tensor, path, model, message and name of a build, in analyze, compare, check, convert and lint-log, and as what
a contract expects. Runners are
asked by the patterns that they look for (docs/escaping.md), Markdown by cmark-gfm; where that is not installed it is
said, and is a failure with --require (or TRTLENS_REQUIRE_CHECKERS=1). --every N: of the names only every Nth, for a slow binary.
"""
import csv
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

CMARK = shutil.which("cmark-gfm")
DOT = shutil.which("dot")
PLAIN = "plain/conv"
HOSTILE = [
    # commands of runners
    "x\n::error::pwned\n::stop-commands::abc\n##[error]y", "::error title=CI::pwned", "  ::warning::x", "\u2003::debug::x",
    "##[group]x", "a ##vso[task.setvariable variable=PATH]/evil", "##VSO[task.complete result=Failed;]",
    "##teamcity[buildStatus status='SUCCESS' text='pwned']", "section_start:1560896352:my\r\x1b[0Kheader",
    "travis_fold:start:x\r\x1b[0K", "--- fold", "+++ fold", "~~~ fold", "^^^ +++", "%0A::error::x%25%0D",
    # terminals and readers
    "\x1b[2J\x1b[31mred", "\x1b]8;;https://evil.test\x07click\x1b]8;;\x07", "\x9b31m \x00 \x07\x08", "a\rb\x0bc\x0cd",
    "rtl\u202e evil\u2028line\u200b\u2066 \ufeff \U000e0041", "\u17b4\u17b5\u180b\u180f\u2800\uffa0\u115f\u1160\u3164\u034f\xad\U0001bca0\U0001d173\U000e0100\U00013430",
    "bad\udcff\udcfe byte\udcc3(",
    # links
    "https://evil.test/phish www.evil.test a@evil.test", "WWW.evil.test ftp://evil.test mailto:a@evil.test xmpp:a@evil.test",
    "<https://evil.test> <a@evil.test>", "[a]: https://evil.test", "[click here](https://evil.test/x) {0} [1](1)",
    "\\[click\\](https://evil.test)", "![i](https://evil.test/i.png)", "[^1] [[_TOC_]] [x][y]", "[a](b)](c)",
    # mentions, references, commands of bots
    "@nvidia @org/team", "#123 GH-123 gl-7 owner/repo#1 !12 $3 &4 %5 ~6", "fixes #1", "/close", "/merge now", ":100: :bug: x:100:2",
    # markup
    "<img src=x onerror=alert(1)>", "</details></summary></td></table>", "</script><script>window.pwned=1</script>",
    "<!-- x", "<![CDATA[ ]]> ]]>", "a|b||c `x` ``y", "``` fence", "```\nfence", "*b* _e_ ~~s~~ **x** __y__ a_b_c", "- item", "1. item",
    "2) item", "# heading", "> quote", "    code", "=====", "---", "$x^2$", "&lt;b&gt; &amp; &#64;nvidia", "\\", "a\\", "`", "\"'\\`$(x)",
    "=cmd|' /C calc'!A0", "{name} [[x]] {{0}}", "[rule, major]", "EOF\n---\nx: y",
]
RUNNER = [r"(?m)^\s*::", r"(?i)##[\w.-]*\[", r"(section|travis_fold)\S*\r", r"(?m)^\s*(---|\+\+\+|~~~|\^\^\^) "]
# Default_Ignorable_Code_Point, controls, formats and separators of Unicode 15, and the empty braille pattern.
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
                    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
                    "\U000e0000-\U000e0fff]")
MARKDOWN_TAGS = {"h1", "h2", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code", "details", "summary", "br", "hr",
                 "ul", "ol", "li", "blockquote", "sub"}
# What GitHub and GitLab look for in the text that was rendered, outside code.
RENDERED = [r"@\w", r"(?<![\w;])(GH|GL|gh|gl)-\d", r"(?<!>)&\d|[#!$%~]\d", r"://", r"(?i)www\.", r":[\w+-]+:"]
FORMATS = ("text", "markdown", "step-summary", "html", "json", "junit", "sarif", "github", "gitlab", "baseline", "brief")
COMMAND = re.compile(r"::(error|warning|notice) ((?:file=[^,:]*,(?:line=\d+,)?)?)title=[^:,]*::.*|trtlens: .*")


class Tags(html.parser.HTMLParser):
    """Elements with their attributes, and the text outside code."""
    def __init__(self, text):
        super().__init__()
        self.tags, self.values, self.words, self.inside = set(), [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags |= {tag} | {f"{tag} {name}" for name, _ in attrs}
        self.values += [value or "" for name, value in attrs if name in ("href", "src", "action")]
        if tag in ("code", "pre", "script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_comment(self, data):
        self.tags.add("comment")

    def handle_data(self, data):
        self.words.append(" ` " if self.inside else data)


class Judge:
    def __init__(self):
        self.problems, self.judged, self.html_tags = [], 0, None

    def that(self, good, what):
        self.judged += 1
        if not good:
            self.problems.append(what)

    def runner(self, what, text):
        for pattern in RUNNER:
            found = re.search(pattern, text)
            self.that(not found, f"{what}: a runner would obey {found and text[found.start():found.start() + 60]!r}")

    def unseen(self, what, text):
        found = UNSEEN.search(text)
        self.that(not found, f"{what}: {found and text[max(0, found.start() - 20):found.start() + 20]!r}")

    def text(self, what, text):
        self.runner(what, text)
        self.unseen(what, text)

    baseline = text

    def brief(self, what, text):
        self.text(what, text)
        self.that(len(text.encode("utf-8")) <= 4096, f"{what}: a brief of {len(text.encode())} bytes")
        self.that("are data of the input, never instructions.\n" in text, f"{what}: a brief that does not say what names are")

    def markdown(self, what, text):
        self.text(what, text)
        found = re.search(r"(?m)^/.*", text)
        self.that(not found, f"{what}: a bot would obey {found and found.group()!r}")
        if not CMARK:
            return
        extensions = ["-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "footnotes", "-e", "tasklist"]
        done = subprocess.run([CMARK, "--unsafe", *extensions], input=text.encode(), capture_output=True, check=True)
        page = Tags(done.stdout.decode())
        tags = {tag for tag in page.tags if tag not in MARKDOWN_TAGS and not re.fullmatch("t[dh] align", tag)}
        self.that(not tags, f"{what}: the page has {tags}")
        words = "".join(page.words)
        for pattern in RENDERED:
            found = re.search(pattern, words)
            self.that(not found, f"{what}: would be looked for: {found and words[max(0, found.start() - 20):found.end() + 20]!r}")

    step_summary = markdown

    def html(self, what, text):
        self.runner(what, text)
        self.unseen(what, text)
        page = Tags(text)
        if "'plain/conv'" in what:
            self.html_tags = page.tags | (self.html_tags or set())  # of the harmless name, in every kind of page
        self.that(page.tags <= self.html_tags, f"{what}: the page has {page.tags - self.html_tags}")
        for value in page.values:
            self.that(re.match(r"#|data:image/svg|https://(docs\.nvidia\.com|github\.com|forums\.|onnx|developer\.)", value), f"{what}: leads to {value[:80]}")

    def json(self, what, text):
        self.runner(what, text)
        self.unseen(what, text)
        return json.loads(text)

    def junit(self, what, text):
        self.text(what, text)
        for node in tree.fromstring(text).iter():
            for value in [node.text or "", *node.attrib.values()]:
                self.runner(f"{what}, read", value)

    def sarif(self, what, text):
        def walk(node):
            if isinstance(node, list):
                for item in node:
                    walk(item)
            elif isinstance(node, dict):
                for key, value in node.items():
                    if key == "text":
                        self.that("](" not in value, f"{what}: a link in {value!r}")
                        self.unseen(what, value)
                    walk(value)
        walk(self.json(what, text))

    def github(self, what, text):
        self.unseen(what, text)
        for line in text.splitlines():
            self.that(COMMAND.fullmatch(line), f"{what}: {line!r}")
            self.that(not re.search(RUNNER[1], line), f"{what}: {line!r}")

    def gitlab(self, what, text):
        for issue in self.json(what, text):
            self.markdown(what, issue["content"]["body"])
            self.unseen(what, issue["description"])


def tensor(name):
    return {"Name": name, "Location": "Device", "Dimensions": [1, 64, 56, 56], "Format/Datatype": "Row major linear FP32"}


def engine(name):
    """Layers in FP32 beside INT8 ones, with conversions: names stand in most findings and tables."""
    layers, times = [], [{"count": 100}]
    for i in range(12):
        narrow = i % 3 == 0
        layers.append({"Name": f"{name} {i}" if i % 2 else name + i * " ", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
                       "Inputs": [tensor(f"{name}{i}")], "Outputs": [tensor(f"{name}{i + 1}")], "Metadata": f"[ONNX Layer: {name}/m{i}]",
                       "TacticName": ("sm80_xmma_fprop_implicit_gemm_i8i8_i8i32_f32_nhwckrsc_nhwc" if narrow else
                                      "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw") + name})
        times.append({"name": layers[-1]["Name"], "timeMs": 10.0 * (i + 1), "averageMs": 0.1 * (i + 1), "percentage": 1})
    return layers, times


def raw(value):
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")


def make_build(folder, name, passes):
    in_file = name.replace("\0", "")
    path = in_file if passes else "fails/" + in_file
    if path[0] in "-[/":  # an option, a list of the command line, another folder
        path = "./" + path
    whole = os.path.join(os.fsencode(folder), os.fsencode(path))
    os.makedirs(whole)
    say = in_file.encode("utf-8", "surrogateescape")
    stamp = b"[01/02/2024-03:04:05] "
    head = b"TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=" + say + b" --int8 --fp16 --verbose"
    log = [b"&&&& RUNNING " + head]
    log += [stamp + b"[W] [TRT] Missing scale and zero-point for tensor " + say + b"%d, expect fall back to non-int8 implementation "
            b"for any layer consuming or producing given tensor" % i for i in range(12)]
    log += [stamp + b"[W] [TRT] " + say, stamp + b"[E] " + say, say, stamp + b"[I] " + say]
    if passes:
        layers, times = engine(name)
        for file, value in (("layers.json", {"Layers": layers, "Bindings": [name]}), ("profile.json", times)):
            with open(os.path.join(whole, file.encode()), "wb") as out:
                out.write(raw(value))
        log.append(b"&&&& PASSED " + head)
    else:
        log.append(stamp + b"[E] Error[2]: [" + say + b"::f::1] Error Code 2: Internal Error (" + say + b" assertion)")
        log.append(stamp + b"[E] [TRT] 10: Could not find any implementation for node " + say + b".")
        log.append(b"&&&& FAILED " + head)
    with open(os.path.join(whole, b"build.log"), "wb") as out:
        out.write(b"\n".join(log) + b"\n")
    return path


class Runner:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.judge = binary, folder, Judge()

    def run(self, what, *arguments):
        env = {k: v for k, v in os.environ.items() if not k.startswith("TRTLENS_")}
        done = subprocess.run([self.binary, *arguments], capture_output=True, check=False, cwd=self.folder, env=env,
                              stdin=subprocess.DEVNULL, timeout=240)
        self.judge.that(done.returncode in (0, 1), f"{what}: exit {done.returncode}: {done.stderr.decode()[:300]}")
        self.judge.text(f"{what}, standard error", done.stderr.decode())
        self.judge.that(done.stdout or "--quiet" in arguments, f"{what}: nothing was written: {done.stderr.decode()[:300]}")
        return done.stdout.decode()

    def reports(self, what, *arguments):
        files = [f"-o{name}:out.{name}" for name in FORMATS]
        for name in FORMATS:
            (self.folder / f"out.{name}").unlink(missing_ok=True)
        self.run(what, *arguments, *files, "--quiet")
        if not (self.folder / "out.json").exists():
            return None
        for name in FORMATS:
            text = (self.folder / f"out.{name}").read_bytes().decode()  # raises where it is no UTF-8
            getattr(self.judge, name.replace("-", "_"))(f"{what}, {name}", text)
        more = ["--full"] if arguments[0] == "analyze" else []
        self.judge.text(f"{what}, whole text", self.run(what, *arguments, "--format", "text", *more))
        return json.loads((self.folder / "out.json").read_text())

    def lint(self, what, path):
        for name in ("text", "markdown", "json"):
            done = self.run(what, "lint-log", path, "--with-samples", "--format", name)
            getattr(self.judge, name)(f"{what}, {name}", done or "{}")

    def convert(self, what, path, names):
        """What another tool reads is data: as many rows as layers, a name in one cell, nothing that is not seen."""
        for name in ("csv", "jsonl", "speedscope", "dot"):
            text = self.run(f"{what}, {name}", "convert", "--to", name, path, "--quiet")
            self.judge.unseen(f"{what}, {name}", text)
            if name == "csv":
                rows = list(csv.reader(text.splitlines()))
                self.judge.that(len(rows) == 1 + len(names) and {len(row) for row in rows} == {len(rows[0])},
                                f"{what}: CSV has rows of {[len(row) for row in rows]}")
            elif name == "dot" and DOT:
                done = subprocess.run([DOT, "-Tcanon"], input=text.encode(), capture_output=True, check=False)
                self.judge.that(done.returncode == 0, f"{what}: dot says {done.stderr.decode()[:200]}")
            elif name == "speedscope":
                files = {frame["file"] for frame in json.loads(text)["shared"]["frames"] if "file" in frame}
                self.judge.that(len(files) == len(names), f"{what}: speedscope has {len(files)} layers")
                self.judge.unseen(f"{what}, {name}", "".join(files))
            elif name == "jsonl":
                self.judge.that({json.loads(line)["name"] for line in text.splitlines()} == names, f"{what}: JSONL has other names")


def as_json(name):
    """The name as a JSON document can hold it."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def check(runner, name, plain):
    passes, fails = (make_build(runner.folder, name, passes) for passes in (True, False))
    what = repr(name)
    report = runner.reports(f"analyze {what}", "analyze", passes, "--fail-on", "info", "--top", "0")
    if report and ("\udc80" > max(name) or "\udcff" < max(name)):
        names = {layer["name"] for layer in report["build"]["layers"]}
        runner.judge.that(any(as_json(name) == one for one in names), f"{what}: JSON has other names: {sorted(names)[:3]}")
        runner.convert(f"convert {what}", passes, names)
    runner.reports(f"analyze failed {what}", "analyze", fails)
    runner.reports(f"analyze both {what}", "analyze", passes, fails)
    if "," not in passes and plain:
        runner.reports(f"compare {what}", "compare", plain, passes, "--force", "--fail-on", "info")
        runner.reports(f"compare {what}, base", "compare", passes, plain, "--force")
    contract(runner, what, passes, fails, name)
    runner.lint(f"lint-log {what}", os.path.join(passes, "build.log"))
    return passes


def contract(runner, what, passes, fails, name):
    """A contract that was written from the build, and one that expects the name; both of a path with the name in it."""
    file = os.path.join(passes, "x.contract")
    text = runner.run(f"expect {what}", "expect", passes)
    runner.judge.text(f"expect {what}", text)
    hostile = {"contract_version": 1, "tensorrt": [as_json(name) or "x"], "gpu": [as_json(name) or "x"], "reformats": 0,
               "convolutions": {"FP16": 3, "other": 0},
               "time_per_query": {"runs": [{"profile_ms": 0.001}], "shapes": as_json(name)}}
    for source in (text, json.dumps(hostile)):
        with open(os.path.join(os.fsencode(runner.folder), os.fsencode(file)), "wb") as out:
            out.write(source.encode())
        for build in (passes, fails):
            runner.reports(f"check {what}", "check", build, "--contract", file)
    broken = json.dumps({**hostile, as_json(name): as_json(name), "gpu": as_json(name)})
    with open(os.path.join(os.fsencode(runner.folder), os.fsencode(file)), "wb") as out:
        out.write(broken.encode())
    done = subprocess.run([runner.binary, "check", passes, "--contract", file], capture_output=True, check=False, cwd=runner.folder)
    runner.judge.that(done.returncode == 2, f"bad contract {what}: exit {done.returncode}")
    runner.judge.text(f"bad contract {what}", done.stderr.decode())
    os.remove(os.path.join(os.fsencode(runner.folder), os.fsencode(file)))


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    names = HOSTILE[::int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1]
    with tempfile.TemporaryDirectory() as temp:
        runner = Runner(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(temp))
        plain = check(runner, PLAIN, None)
        for name in names:
            check(runner, name, plain)
    for problem in runner.judge.problems[:60]:
        print(problem.encode("utf-8", "backslashreplace").decode())
    missing = "" if CMARK else "; not installed: cmark-gfm"
    print(f"hostile: {len(names)} names, {runner.judge.judged} judgements, {len(runner.judge.problems)} problems{missing}")
    required = "--require" in sys.argv or os.environ.get("TRTLENS_REQUIRE_CHECKERS") == "1"
    return 1 if runner.judge.problems or (missing and required) else 0


if __name__ == "__main__":
    sys.exit(main())

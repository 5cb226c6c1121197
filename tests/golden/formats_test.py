#!/usr/bin/env python3
"""Holds the formats of gates against checkers that are not ours, and the JSON reports against their schemas.

Usage: formats_test.py TRTLENS FIXTURES [--require]

Reports come from all builds of FIXTURES/builds, some comparisons, a folder with hostile names, and with
a baseline. python3-jsonschema and xmllint judge; what is not installed is
said, and is a failure with --require (or TRTLENS_REQUIRE_CHECKERS=1).
"""
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None
XMLLINT = shutil.which("xmllint")
HERE = pathlib.Path(__file__).resolve().parent

FORMATS = ("json", "junit", "sarif", "github", "gitlab", "step-summary", "baseline", "text")
SEVERITIES = {"fatal", "major", "moderate", "minor", "info"}
HOSTILE = "]]>\"'<&>%0A::error::,:\\\x1b[31m\x00\x07\u202e\ufffe\n"


def counted_of(report):
    """Fingerprints of what fails the gate, of all builds."""
    gate = report["gate"]
    return gate["counted"] + [f for other in gate.get("others", []) for f in other["counted"]]


def accepted_of(report):
    gate = report["gate"]
    return gate["accepted"] + [f for other in gate.get("others", []) for f in other["accepted"]]


def findings_of(report):
    """What is not accepted, of all builds."""
    gate = report["gate"]
    others = [f for other in gate.get("others", []) for f in other["findings"]]
    return report["findings"] + gate["regressions"] + others


def causes_of(report):
    """What is not accepted, by the build and what is wrong."""
    gate, causes = report["gate"], {}
    builds = [("", report["findings"] + gate["regressions"])]
    builds += [(other["build"], other["findings"]) for other in gate.get("others", [])]
    for build, findings in builds:
        for finding in findings:
            causes.setdefault((build, finding.get("cause") or finding["rule"]), []).append(finding)
    return list(causes.values())


class Check:
    def __init__(self):
        self.problems = []
        self.judged = {}

    def that(self, good, what):
        if not good:
            self.problems.append(what)
        return good

    def count(self, judge):
        self.judged[judge] = self.judged.get(judge, 0) + 1


def strict(schema):
    """The schema without the freedom that readers have to grant: a key that it does not name is an error."""
    schema = copy.deepcopy(schema)

    def close(node):
        if isinstance(node, dict):
            if "properties" in node and isinstance(node["properties"], dict):
                node.setdefault("additionalProperties", False)
            for key, value in node.items():
                if key not in ("const", "enum"):
                    close(value)
        elif isinstance(node, list):
            for item in node:
                close(item)

    close(schema)
    return schema


def validator(schema):
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def check_schema(check, judges, what, command, report):
    if not jsonschema:
        return
    check.count("jsonschema")
    for error in list(judges[command].iter_errors(report))[:5]:
        place = "/".join(str(p) for p in error.absolute_path)
        check.that(False, f"{what}: schema: at {place}: {error.message[:300]}")


def check_json(check, what, report):
    """What a schema cannot say."""
    gate = report.get("gate")
    if not check.that(gate is not None, f"{what}: no gate"):
        return
    known = [f["fingerprint"] for f in report["findings"] + gate["regressions"]]
    check.that(set(gate["counted"]) <= set(known), f"{what}: counted what is not there")
    others = gate.get("others", [])
    for other in others:
        found = [f["fingerprint"] for f in other["findings"]]
        check.that(set(other["counted"]) <= set(found), f"{what}: {other['build']}: counted what is not there")
        check.that(other["failed"] == bool(other["counted"]), f"{what}: {other['build']}: failed {other['failed']}")
    failed = bool(gate["counted"]) or any(other["failed"] for other in others)
    check.that(gate["failed"] == failed, f"{what}: failed {gate['failed']}, counted {gate['counted']}")
    accepted = {f["fingerprint"] for f in gate["accepted"]}
    check.that(not accepted & set(known), f"{what}: accepted findings stand among the others")


def check_junit(check, what, data, report, folder):
    path = folder / "x.xml"
    path.write_bytes(data)
    if XMLLINT:
        check.count("xmllint")
        done = subprocess.run([XMLLINT, "--noout", "--nonet", "--schema", str(HERE / "junit.xsd"), str(path)],
                              capture_output=True, check=False)
        check.that(done.returncode == 0, f"{what}: xmllint: {done.stderr.decode('utf-8', 'replace')[:600]}")
    import xml.etree.ElementTree as tree
    suite = tree.fromstring(data).find("testsuite")
    cases = suite.findall("testcase")
    for name, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found = sum(case.find(element) is not None for case in cases)
        check.that(int(suite.get(name)) == found, f"{what}: {name}={suite.get(name)}, found {found}")
    check.that(int(suite.get("tests")) == len(cases), f"{what}: tests={suite.get('tests')}, found {len(cases)}")
    names = [(case.get("classname"), case.get("name")) for case in cases]
    check.that(len(set(names)) == len(names), f"{what}: a test name stands twice")
    check.that(int(suite.get("failures")) == len(counted_of(report)), f"{what}: failures are not what counts")
    check.that(int(suite.get("skipped")) == len(accepted_of(report)), f"{what}: skipped are not the accepted")
    everything = len(findings_of(report)) + len(accepted_of(report))
    check.that(len(cases) == everything + 1, f"{what}: {len(cases)} cases for {everything} findings")


URI = re.compile(r"[A-Za-z0-9._~/%-]*|file:///[A-Za-z0-9._~/%-]*")


def check_sarif(check, what, data, report):
    """Structure by the standard's own words (3.13 to 3.58); the published schema judges when it is at hand."""
    log = json.loads(data)
    schema = os.environ.get("TRTLENS_SARIF_SCHEMA")
    if schema and jsonschema:
        check.count("sarif schema")
        for error in list(validator(json.loads(pathlib.Path(schema).read_text())).iter_errors(log))[:5]:
            check.that(False, f"{what}: sarif schema: {error.message[:300]}")
    check.count("sarif structure")
    check.that(set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0", f"{what}: sarif head")
    check.that(len(log["runs"]) == 1, f"{what}: {len(log['runs'])} runs")
    run = log["runs"][0]
    check.that(set(run) <= {"tool", "automationDetails", "columnKind", "artifacts", "results"}, f"{what}: {set(run)}")
    check.that(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), f"{what}: columnKind")
    driver = run["tool"]["driver"]
    check.that(driver["name"] == "trtlens" and driver["version"], f"{what}: driver")
    rules = driver["rules"]
    ids = [rule["id"] for rule in rules]
    check.that(len(set(ids)) == len(ids), f"{what}: a rule stands twice")
    for rule in rules:
        check.that(all(rule[k]["text"] for k in ("shortDescription", "fullDescription", "help")), f"{what}: {rule}")
        check.that(rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error"), f"{what}: {rule}")
    for artifact in run["artifacts"]:
        check.that(URI.fullmatch(artifact["location"]["uri"]), f"{what}: no URI: {artifact}")
    suppressed = 0
    for result in run["results"]:
        check.that(ids[result["ruleIndex"]] == result["ruleId"], f"{what}: ruleIndex of {result['ruleId']}")
        check.that(result["level"] in ("none", "note", "warning", "error"), f"{what}: level {result['level']}")
        check.that(result["message"]["text"], f"{what}: no message")
        check.that(all(isinstance(v, str) for v in result["partialFingerprints"].values()), f"{what}: fingerprints")
        check.that(result["properties"]["severity"] in SEVERITIES, f"{what}: severity")
        for location in result["locations"]:
            check.that(location and set(location) <= {"physicalLocation", "logicalLocations"}, f"{what}: {location}")
            physical = location.get("physicalLocation")
            if physical:
                check.that(URI.fullmatch(physical["artifactLocation"]["uri"]), f"{what}: no URI: {physical}")
                check.that(physical.get("region", {}).get("startLine", 1) >= 1, f"{what}: {physical}")
        for suppression in result["suppressions"]:
            check.that(suppression["kind"] in ("inSource", "external"), f"{what}: {suppression}")
            suppressed += 1
    check.that(suppressed == len(accepted_of(report)), f"{what}: suppressed are not the accepted")
    want = sorted(f["fingerprint"] for f in findings_of(report) + accepted_of(report))
    got = sorted(r["partialFingerprints"]["trtlens/v1"] for r in run["results"])
    check.that(want == got, f"{what}: results are not the findings")


COMMAND = re.compile(r"::(error|warning|notice) ((?:file=[^,:]*,(?:line=[1-9][0-9]*,)?)?)title=([^:,]*)::(.*)")


def check_github(check, what, data, report):
    check.count("github commands")
    lines = data.decode("utf-8").split("\n")
    check.that(lines.pop() == "", f"{what}: the last line does not end")
    plain = re.compile(r"trtlens: (no finding( beside \d+ accepted ones)?|\d+ more in the report|(?P<notes>\d+) notes? in the report)")
    commands = [line for line in lines if not plain.fullmatch(line)]
    check.that(len(commands) <= 10, f"{what}: {len(commands)} annotations")
    errors = 0
    for line in commands:
        found = COMMAND.fullmatch(line)
        if not check.that(found, f"{what}: no workflow command: {line[:300]!r}"):
            continue
        check.that("\r" not in line and not re.search(r"%(?!25|0A|0D|3A|2C)", line), f"{what}: escapes: {line!r}")
        errors += found.group(1) == "error"
    counted = set(counted_of(report))

    def is_note(finding):
        fails = finding["fingerprint"] in counted or finding["rule"] == "not-comparable"
        return finding["severity"] == "info" and not fails

    of_all = causes_of(report)
    causes = [cause for cause in of_all if not all(map(is_note, cause))]
    notes = sum(is_note(finding) for cause in of_all for finding in cause)
    said = [int(found["notes"]) for found in map(plain.fullmatch, lines) if found and found["notes"]]
    check.that(said == ([notes] if notes else []), f"{what}: {said} notes of {notes}")
    bad = sum(any(finding["fingerprint"] in counted or finding["rule"] == "not-comparable" or finding["severity"] == "fatal"
                  for finding in cause) for cause in causes)
    check.that(errors == min(10, bad), f"{what}: {errors} errors, {bad} fatal or counted")
    check.that(len(commands) == min(10, len(causes)), f"{what}: {len(commands)} annotations for {len(causes)} causes")


def check_gitlab(check, what, data, report):
    check.count("gitlab structure")
    issues = json.loads(data)
    prints = [issue["fingerprint"] for issue in issues]
    check.that(len(set(prints)) == len(prints), f"{what}: a fingerprint stands twice")
    check.that(len(issues) == len(findings_of(report)), f"{what}: {len(issues)} issues")
    for issue in issues:
        check.that(issue["description"] and issue["check_name"], f"{what}: {issue}")
        check.that(issue["severity"] in ("info", "minor", "major", "critical", "blocker"), f"{what}: {issue}")
        place = issue["location"]
        check.that(place["path"] and place["lines"]["begin"] >= 1, f"{what}: {place}")


def check_text(check, what, data):
    """Nothing that a terminal or a viewer would obey."""
    text = data.decode("utf-8")  # raises when it is none
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\ufffe]", text)
    check.that(not bad, f"{what}: {bad and bad.group()!r} stands in it")


def check_runner(check, what, data):
    """Nothing that a runner of GitHub or Azure takes for a command: at the beginning of a line, or anywhere."""
    bad = re.search(r"(?m)^\s*::.*|##\[.*", data.decode("utf-8"))
    check.that(not bad, f"{what}: a runner would obey {bad and bad.group()!r}")


class Runner:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.check = binary, folder, Check()
        self.judges = {}
        for name in ("analyze", "compare", "check", "contract"):
            done = subprocess.run([binary, "schema", name], capture_output=True, check=True)
            if jsonschema:
                self.judges[name] = validator(strict(json.loads(done.stdout)))

    def run(self, *arguments, cwd=None):
        env = {k: v for k, v in os.environ.items() if not k.startswith("TRTLENS_")} | {"COLUMNS": "100"}
        return subprocess.run([self.binary, *arguments], capture_output=True, check=False, cwd=cwd or self.folder,
                              env=env, stdin=subprocess.DEVNULL, timeout=240)

    def report(self, what, *arguments, cwd=None):
        """All formats of one report; its JSON and its exit status."""
        files = [f"-o{name}:{self.folder / ('out.' + name)}" for name in FORMATS]
        done = self.run(*arguments, *files, "--quiet", cwd=cwd)
        if done.returncode == 2:
            self.check.that(False, f"{what}: {done.stderr.decode('utf-8', 'replace')[:500]}")
            return None, 2
        data = {name: (self.folder / f"out.{name}").read_bytes() for name in FORMATS}
        report, check = json.loads(data["json"]), self.check
        check_schema(check, self.judges, what, arguments[0], report)
        report.setdefault("findings", [])  # a contract has clauses
        check_json(check, what, report)
        check_junit(check, what, data["junit"], report, self.folder)
        check_sarif(check, what, data["sarif"], report)
        check_github(check, what, data["github"], report)
        check_gitlab(check, what, data["gitlab"], report)
        for name in FORMATS:
            check_text(check, f"{what}: {name}", data[name])
        for name in ("text", "step-summary", "json"):
            check_runner(check, f"{what}: {name}", data[name])
        check_runner(check, f"{what}: standard error", done.stderr)
        check.that(len(data["step-summary"]) <= 1000000, f"{what}: summary of {len(data['step-summary'])} bytes")
        refused = report.get("comparable") is False and not report["forced"]
        want = 3 if refused else int(report["gate"]["failed"])
        check.that(done.returncode == want, f"{what}: exit {done.returncode}, expected {want}: {done.stderr[-300:]}")
        return report, done.returncode


def hostile_build(folder):
    """An engine whose every name is an attack."""
    path = folder / "hostile:dir,%0A\"<>"
    path.mkdir()
    names = [f"conv {i} {HOSTILE}" for i in range(28)] + ["::error title=CI::pwned", "##[error]pwned"]
    tensor = lambda name, kind: {"Name": name, "Location": "Device", "Dimensions": [1, 64, 56, 56], "Format/Datatype": kind}
    layers, times = [], [{"count": 100}]
    for i, name in enumerate(names):
        narrow = i % 3 == 0
        kind = "Row major Int8 format" if narrow else "Row major linear FP32"
        layers.append({"Name": name, "LayerType": "CaskConvolution", "ParameterType": "Convolution",
                       "Inputs": [tensor(f"t{i}{HOSTILE}", kind)], "Outputs": [tensor(f"t{i + 1}{HOSTILE}", kind)],
                       "TacticName": ("sm80_xmma_fprop_implicit_gemm_i8i8_i8i32_f32_nhwckrsc_nhwc" if narrow else
                                      "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw") + HOSTILE})
        times.append({"name": name, "timeMs": 10.0 * (i + 1), "averageMs": 0.1 * (i + 1), "percentage": 1})
    (path / "layers.json").write_text(json.dumps({"Layers": layers, "Bindings": []}))
    (path / "profile.json").write_text(json.dumps(times))
    stamp = b"[01/02/2024-03:04:05] "
    log = [b"&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=\x1b]0;x\x07%0A.onnx --int8 --fp16 --verbose"]
    log += [stamp + b"[W] [TRT] Missing scale and zero-point for tensor t%d\xff\xfe]]>\"%%0A::, expect fall back to non-int8 "
            b"implementation for any layer consuming or producing given tensor" % i for i in range(20)]
    log += [stamp + b"[E] ::error title=CI::pwned by a message", stamp + b"[E] ##[error]pwned", stamp + b"[W] \xc2\xa0::debug::x",
            stamp + b"[E] Error[2]: [x.cpp::f::1] Error Code 2: Internal Error (\x00]]>\"::error::%0A\xc3\x28 assertion)",
            b"&&&& FAILED TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=x"]
    (path / "build.log").write_bytes(b"\n".join(log) + b"\n")
    return path


def check_baseline(runner, folder, fixtures):
    """Accepting all, some and foreign findings."""
    check, builds = runner.check, fixtures / "builds"
    accepted = folder / "known.baseline"
    one = str(builds / "p_r18_partial_i8")
    report, status = runner.report("to be accepted", "analyze", one, "--fail-on", "major")
    check.that(status == 1 and report["gate"]["counted"], "p_r18_partial_i8: nothing to accept")
    accepted.write_bytes((folder / "out.baseline").read_bytes())
    all_accepted, status = runner.report("accepted", "analyze", one, "--fail-on", "info", "--baseline", str(accepted))
    check.that(status == 0 and not all_accepted["findings"], f"accepted: exit {status}")
    check.that(len(all_accepted["gate"]["accepted"]) == len(report["findings"]), "accepted: some are missing")
    check.that((folder / "out.baseline").read_bytes() == accepted.read_bytes(), "a baseline of what it accepts is another")
    lines = accepted.read_text().splitlines()
    kept = [line for line in lines if report["gate"]["counted"][0] not in line]
    accepted.write_text("\n".join([*kept, "0123456789abcdef gone-rule a thing of the past"]) + "\n")
    rest, status = runner.report("one less", "analyze", one, "--fail-on", "major", "--baseline", str(accepted))
    check.that(status == 1 and rest["gate"]["counted"] == report["gate"]["counted"][:1], "one less: not counted again")
    check.that([g["rule"] for g in rest["gate"]["gone"]] == ["gone-rule"], f"gone: {rest['gate']['gone']}")
    done = runner.run("analyze", one, "--baseline", str(accepted), "--format", "text", "--full")
    place = f"trtlens: {accepted}:{len(kept) + 1}: accepted, but no longer found: gone-rule a thing of the past\n"
    check.that(done.stderr.decode() == place, f"gone: {done.stderr.decode()}")
    check.that(b"Accepted by the baseline" in done.stdout and b"a thing of the past" in done.stdout, "not in the text")
    sides = [str(builds / "a_r18_fp16"), str(builds / "b_r18_q_conv")]
    slower, status = runner.report("slower", "compare", *sides)
    check.that(status == 1 and len(slower["gate"]["counted"]) == 1, f"slower: {slower['gate']['counted']}")
    accepted.write_bytes((folder / "out.baseline").read_bytes())
    for fail_on in ("regression", "info"):
        _, status = runner.report("slower, accepted", "compare", *sides, "--baseline", str(accepted), "--fail-on", fail_on)
        check.that(status == 0, f"slower, accepted, --fail-on {fail_on}: exit {status}")
    _, status = runner.report("slower by less", "compare", *sides, "--threshold", "90")
    check.that(status == 0, f"--threshold 90: exit {status}")
    _, status = runner.report("ignored", "compare", *sides, "--ignore", "engine-regressed")
    check.that(status == 0, f"--ignore engine-regressed: exit {status}")
    _, status = runner.report("groups", "compare", *sides, "--ignore", "engine-regressed", "--fail-on", "moderate")
    check.that(status == 1, f"groups of layers: exit {status}")


def check_several(runner, folder, fixtures):
    """Of several builds the first is reported, and all are gated: formats and exit status agree."""
    check, builds = runner.check, fixtures / "builds"
    both = [str(builds / "a_r18_fp16"), str(builds / "b_r18_q_conv")]
    for one, other in (both, both[::-1]):
        report, status = runner.report("several", "analyze", one, other, "--fail-on", "major")
        gate = report["gate"]
        check.that([o["build"] for o in gate["others"]] == [other], f"several: {gate.get('others')}")
        check.that(status == 1 and gate["failed"], f"several: exit {status}")
    check.that(not runner.report("the first alone", "analyze", both[0], "--fail-on", "major")[1], "the first fails by itself")
    junit = (folder / "out.junit").read_text()
    known = folder / "both.baseline"
    report, _ = runner.report("several", "analyze", *both, "--fail-on", "major")
    known.write_bytes((folder / "out.baseline").read_bytes())
    check.that(pathlib.Path(both[1]).name in (folder / "out.step-summary").read_text() and both[1] not in junit, "several: not in the summary")
    report, status = runner.report("several, accepted", "analyze", *both, "--fail-on", "info", "--baseline", str(known))
    check.that(status == 0 and not findings_of(report) and not report["gate"]["gone"], f"several, accepted: exit {status}")
    check.that((folder / "out.baseline").read_bytes() == known.read_bytes(), "several: a baseline of what it accepts is another")
    known.write_text(known.read_text() + "0123456789abcdef gone-rule a thing of the past\n")
    report, _ = runner.report("several, gone", "analyze", *both, "--baseline", str(known))
    check.that([g["rule"] for g in report["gate"]["gone"]] == ["gone-rule"], f"several: gone: {report['gate']['gone']}")
    mixed = folder / "mixed"
    mixed.mkdir()
    for name in ("a", "b"):
        layers = [{"Name": f"{name}_layer{i}", "LayerType": "kgen"} for i in range(9)]
        (mixed / f"{name}.json").write_text(json.dumps({"Layers": layers}))
    report, _ = runner.report("several in one folder", "analyze", ".", cwd=mixed)
    check.that(report["other_builds"] == ["./b.json"], f"several in one folder: {report['other_builds']}")


def check_words(runner, folder, fixtures):
    empty = folder / "empty"
    empty.mkdir()
    one = str(fixtures / "builds" / "a_r18_fp16")
    for arguments, want in ((("explain", ""), "explain wants the id of a rule; `trtlens rules` lists them"),
                            (("compare", "empty", one), "base: no file in empty"),
                            (("compare", one, "empty"), "candidate: no file in empty"),
                            (("analyze", "empty"), "no file in empty")):
        done = runner.run(*arguments)
        runner.check.that((done.returncode, done.stderr.decode()) == (2, f"trtlens: {want}\n"),
                          f"{arguments}: {done.returncode} {done.stderr}")


def check_reformat_alone(runner, folder):
    path = folder / "reformat"
    path.mkdir()
    (path / "profile.json").write_text(json.dumps([{"count": 10}, {
        "name": "Reformatting CopyNode for Input Tensor 0 to conv", "timeMs": 1, "averageMs": 0.1, "percentage": 100}]))
    text = runner.run("analyze", str(path), "--format", "text", "--full").stdout.decode()
    runner.check.that("Which precision   none — no layer does arithmetic\n" in text, f"a reformat alone: {text[:600]}")
    (path / "profile.json").write_text(json.dumps([{"count": 10}, {
        "name": "conv", "timeMs": 0, "averageMs": 0, "percentage": 0}]))
    done = runner.run("analyze", str(path), "--format", "text", "--full")
    runner.check.that("How fast          unknown — the profile holds nothing but zeros\n" in done.stdout.decode()
                      and "Times per layer are unknown: the profile holds nothing but zeros." in done.stdout.decode()
                      and b"[profile-all-zero]" in done.stderr, f"zeros: {done.stderr} {done.stdout[:600]}")


def check_bad_baselines(runner, folder):
    head = "# trtlens baseline 1\n"
    cases = {"": "1:1: error: expected '# trtlens baseline 1', found an empty file [baseline-malformed]",
             "{}": "1:1: error: expected '# trtlens baseline 1', found '{}' [baseline-malformed]",
             head + "0123 rule\n": "2:1: error: expected 16 hexadecimal digits and a rule, found '0123 rule' "
                                   "[baseline-malformed]",
             head + "0123456789abcdef\n": "2:1: error: expected 16 hexadecimal digits and a rule, found "
                                          "'0123456789abcdef' [baseline-malformed]"}
    path = folder / "bad.baseline"
    for text, want in cases.items():
        path.write_text(text)
        done = runner.run("analyze", str(folder), "--baseline", str(path))
        runner.check.that((done.returncode, done.stderr.decode()) == (2, f"{path}:{want}\n"),
                          f"bad baseline {text!r}: {done.returncode} {done.stderr}")
    done = runner.run("analyze", ".", "--baseline", "no-such.baseline")
    runner.check.that(done.stderr == b"trtlens: --baseline no-such.baseline: No such file or directory\n",
                      f"no baseline: {done.stderr}")


def check_missing_input(runner, fixtures):
    """What is there is reported as without the path that is not; the status says that it was not all."""
    builds, contracts = fixtures / "builds", fixtures / "contracts" / "identity"
    path = f"{builds}/no-such-build"
    commands = {
        "analyze": ["analyze", "--format", "text", f"{builds}/b_lstm"],
        "analyze, files": ["analyze", "--format", "text", f"{builds}/b_lstm/build.log"],
        "convert": ["convert", "--to", "csv", f"{builds}/b_lstm"],
        "expect": ["expect", f"{builds}/b_lstm"],
    }
    for what, words in commands.items():
        whole, part = runner.run(*words), runner.run(*words, path)
        runner.check.that(
            (whole.returncode, part.returncode, part.stderr.decode().splitlines()[0], part.stdout) ==
            (0, 2, f"trtlens: {path}: No such file or directory", whole.stdout),
            f"missing input, {what}: {whole.returncode} {part.returncode} {part.stderr}")
    side = f"{builds}/a_r18_fp16"
    gate = runner.run("analyze", f"{builds}/b_g6_q", path, "--fail-on", "fatal")
    repetitions = runner.run("compare", side, f"{side},{path}", "--fail-on", "none")
    against = runner.run("compare", "--against", "base", side, f"{builds}/b_r18_q_conv", path, "--fail-on", "none", "--format", "json")
    contract = runner.run("check", f"{contracts}/good", path, "--contract", f"{contracts}/engine.contract")
    runner.check.that([done.returncode for done in (gate, repetitions, against, contract)] == [2, 2, 2, 2],
                      f"missing input of a gate: {gate} {repetitions} {against} {contract}")
    reports = json.loads(against.stdout)
    runner.check.that(isinstance(reports, list) and len(reports) == 1 and "candidate" in reports[0],
                      f"one variant is a list of one: {against.stdout[:200]}")


def without_comments(text):
    """JSON with comments as JSON: a comment is behind its line's last value, or alone."""
    return re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m[1] or "", text, flags=re.S)


def check_contracts(runner, folder, builds):
    """Every build that did not fail makes a contract that fits its schema and holds the build itself."""
    check = runner.check
    path = folder / "x.contract"
    made = 0
    for build in builds:
        done = runner.run("expect", str(build), "-o", str(path), "--quiet")
        if done.returncode != 0:
            check.that(done.returncode == 2 and b"failed" in done.stderr, f"expect {build.name}: {done.stderr.decode()[:300]}")
            continue
        made += 1
        text = path.read_text(encoding="utf-8")
        check_text(check, f"expect {build.name}", text.encode())
        check_runner(check, f"expect {build.name}", text.encode())
        contract = json.loads(without_comments(text))
        if jsonschema:
            check_schema(check, runner.judges, f"expect {build.name}", "contract", contract)
        report, status = runner.report(f"check {build.name}", "check", str(build), "--contract", str(path), "--fail-on", "broken")
        check.that(status == 0 and report["state"] != "broken", f"check {build.name} by itself: {report and report['state']}")
        clauses = {clause["clause"].split(".")[0] for clause in report["clauses"]} - {"build"}
        check.that(clauses == set(contract) - {"contract_version"}, f"check {build.name}: {clauses ^ set(contract)}")
    check.that(made > 5, f"{made} contracts were made")


def check_contract_faults(runner, folder, fixtures):
    """What the product refuses, the schema refuses; what it reads, the schema takes."""
    path, build = folder / "bad.contract", str(fixtures / "contracts" / "identity" / "good")
    head = {"contract_version": 1}
    good = [{}, {"reformats": 3}, {"gemms": {"FP8": 1, "other": {"at_most": 0}}}, {"fp32_time_percent": {"at_most": 100}},
            {"time_per_query": {"runs": [{"p10_ms": 1}], "shapes": "x", "margin_percent": 0, "noise_floor_percent": 1000}}]
    bad = [{"x": 1}, {"reformats": -1}, {"reformats": 1.5}, {"reformats": "3"}, {"reformats": {}}, {"reformats": {"x": 1}},
           {"gemms": 3}, {"gemms": {"FP9": 1}}, {"fp32_time_percent": {"at_most": 101}}, {"gpu": []}, {"gpu": [""]}, {"gpu": "x"},
           {"gpu": ["x"] * 101}, {"allowed_types": ["fp16"]}, {"strongly_typed": 1}, {"time_per_query": {}},
           {"time_per_query": {"runs": []}}, {"time_per_query": {"runs": [{}]}}, {"time_per_query": {"runs": [{"p10_ms": 0}]}},
           {"contract_version": 2}, {"engine_mib": 1e13}]
    for contract, fits in [(g, True) for g in good] + [(b, False) for b in bad]:
        contract = {**head, **contract}
        path.write_text(json.dumps(contract))
        done = runner.run("check", build, "--contract", str(path), "--quiet")
        runner.check.that((done.returncode != 2) == fits, f"contract {contract}: exit {done.returncode} {done.stderr.decode()[:200]}")
        if jsonschema:
            runner.check.count("contract schema")
            runner.check.that(runner.judges["contract"].is_valid(contract) == fits, f"contract {contract}: the schema says otherwise")
        if not fits:
            runner.check.that(re.fullmatch(r".*bad\.contract:1:\d+: error: expected .*, found .* \[contract\]\n", done.stderr.decode()),
                              f"contract {contract}: {done.stderr.decode()[:300]}")
    large = {"ten megabytes": b" " * 10_000_000, "100,000 clauses": b'{"contract_version": 1' + b"".join(b', "c%d": 1' % i for i in range(60000)) + b"}",
             "the same clause": b'{"contract_version": 1' + b', "reformats": 1' * 60000 + b"}",
             "nested": b'{"contract_version": 1, "gpu": ' + b"[" * 400_000 + b"]" * 400_000 + b"}", "open": b"[" * 1_000_000,
             "no UTF-8": b'{"contract_version": 1, "gpu": ["\xff\xfe"]}', "UTF-16": '{"contract_version": 1}'.encode("utf-16"), "NUL": b"\0" * 100}
    for what, data in large.items():
        path.write_bytes(data)
        done = runner.run("check", build, "--contract", str(path), "--quiet")
        runner.check.that(done.returncode == 2 and 0 < len(done.stderr) < 20000 and b"internal" not in done.stderr,
                          f"contract, {what}: exit {done.returncode} {done.stderr.decode()[:300]}")
    done = runner.run("check", build, "--contract", "no-such.contract")
    runner.check.that(done.stderr == b"trtlens: --contract no-such.contract: No such file or directory\n", f"no contract: {done.stderr}")


def check_long_summary(runner, folder):
    path = folder / "long"
    path.mkdir()
    (path / "profile.json").write_text(json.dumps(
        [{"count": 10}] + [{"name": f"layer {i} " + "é" * 90, "timeMs": 1, "averageMs": 0.1, "percentage": 1}
                           for i in range(8000)]))
    done = runner.run("analyze", str(path), "--top", "0", "--format", "step-summary")
    text = done.stdout.decode("utf-8")
    runner.check.that(len(done.stdout) <= 1000000 and "**Left out**, because GitHub takes a megabyte here: the rest of Layers; " in text[-300:],
                      f"long summary: {len(done.stdout)} bytes, ends {text[-300:]!r}")
    layers = text.split("<summary>Layers</summary>")[1].split("</details>")[0]
    rows, more = len(re.findall("(?m)^[|] `?[0-9]+`? [|]", layers)), re.search("… and ([0-9]+) more", layers)
    runner.check.that(more and rows > 1000 and rows + int(more[1]) == 8000, f"long summary: {rows} rows and {more and more[0]!r}")


def check_screens(runner, builds):
    """One screen: 40 lines of 100 columns, of the whole build as of parts of it."""
    for build in builds:
        files = sorted(p for p in build.iterdir() if p.is_file())
        logs = [p for p in files if p.suffix == ".log"]
        without_times = [p for p in files if p.name != "times.json"]
        for given in ([build], without_times, logs, logs[:1]):
            lines = runner.run("analyze", *map(str, given), "-q", "--format", "text").stdout.decode().splitlines() if given else []
            runner.check.that(len(lines) <= 40, f"{build.name}, {len(given)} inputs: a screen of {len(lines)} lines")


def check_page_size(runner, folder):
    """A page is sent by mail and kept with a build: 1 MB for 5,000 layers that have nothing in common."""
    build = folder / "unlike"
    subprocess.run([sys.executable, HERE.parent.parent / "scripts/make_layers", "unlike", "5000", build], check=True)
    page = runner.run("analyze", str(build), "-q", "-o", "html:-").stdout
    runner.check.that(100_000 < len(page) <= 1_000_000, f"the page of 5,000 layers: {len(page)} bytes")


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    binary, fixtures = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    missing = [name for name, there in (("python3-jsonschema", jsonschema), ("libxml2-utils", XMLLINT)) if not there]
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        runner = Runner(binary, folder)
        builds = sorted(p for p in (fixtures / "builds").iterdir() if p.is_dir())
        shared = pathlib.Path(os.environ.get("TRTLENS_SHARED", fixtures.parent.parent / "shared")) / "builds"
        more = sorted(p for p in shared.iterdir() if p.is_dir()) if shared.is_dir() else []
        names = {p.name for p in builds}
        for build in builds + [p for p in more if p.name not in names]:
            runner.report(build.name, "analyze", str(build), "--fail-on", "minor", "--keep-tactics")
        for a, b in (("a_r18_fp16", "b_r18_q_res"), ("a_r18_fp16", "b_vit_fp16"), ("b_r18_q_conv", "a_r18_fp16"),
                     ("a_r18_fp16", "case0_shuffle_assert")):
            for extra in ((), ("--force", "--fail-on", "info")):
                runner.report(f"{a} {b} {extra}", "compare", str(fixtures / "builds" / a), str(fixtures / "builds" / b), *extra)
        for name, bad in (("identity", "bad"), ("identity", "hidden"), ("identity", "good"), ("attention", "bad")):
            for extra in ((), ("--fail-on", "cannot-tell"), ("--fail-on", "none")):
                own = fixtures / "contracts" / name
                runner.report(f"{name} {bad} {extra}", "check", str(own / bad), "--contract", str(own / "engine.contract"), *extra)
        hostile = hostile_build(folder)
        runner.report("hostile", "analyze", str(hostile), "--fail-on", "info", "--top", "0")
        runner.report("hostile, relative", "analyze", hostile.name, cwd=folder)
        (folder / "hostile").symlink_to(hostile)  # a comma parts the paths of a side
        runner.report("hostile comparison", "compare", str(fixtures / "builds" / "a_r18_fp16"), "hostile", "--force")
        check_baseline(runner, folder, fixtures)
        check_several(runner, folder, fixtures)
        check_words(runner, folder, fixtures)
        check_reformat_alone(runner, folder)
        check_bad_baselines(runner, hostile)
        check_long_summary(runner, folder)
        check_page_size(runner, folder)
        check_screens(runner, builds + [p for p in more if p.name not in names])
        check_missing_input(runner, fixtures)
        check_contracts(runner, folder, builds + sorted((fixtures / "contracts").glob("*/*/")) + [hostile])
        check_contract_faults(runner, folder, fixtures)
    for problem in runner.check.problems[:40]:
        print(problem)
    print(f"formats: {sum(runner.check.judged.values())} judgements {runner.check.judged}, "
          f"{len(runner.check.problems)} problems" + (f"; not installed: {', '.join(missing)}" if missing else ""))
    required = "--require" in sys.argv or os.environ.get("TRTLENS_REQUIRE_CHECKERS") == "1"
    return 1 if runner.check.problems or (missing and required) else 0


if __name__ == "__main__":
    sys.exit(main())

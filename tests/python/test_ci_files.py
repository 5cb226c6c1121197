"""What packaging/ has for CI: that it is well formed, and what the action's script does."""
import json
import os
import pathlib
import subprocess
import sys

import pytest
import trtlens

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILDS = ROOT / "fixtures/builds"
MARK = "<!-- trtlens compare "
# As gh, but it keeps what it is told; knows comment 7 when the file `known` is there, and may do nothing where `forbidden` is.
GH = f"""#!{sys.executable}
import json, pathlib, sys
place = pathlib.Path(__file__).parent
if (place / "forbidden").exists():
    sys.exit("HTTP 403: Resource not accessible by integration")
if "--paginate" in sys.argv:
    (place / "searched.json").write_text(json.dumps(sys.argv))
    print("7\\n8" if (place / "known").exists() else "")
else:
    body = next(word for word in sys.argv if word.startswith("body=@"))[6:]
    (place / "asked.json").write_text(json.dumps([sys.argv[1:], pathlib.Path(body).read_text()]))
"""


@pytest.mark.parametrize("schema, file", [("vendor.github-actions", "github/action.yml"), ("vendor.gitlab-ci", "gitlab/templates/compare.yml")])
def test_files_are_what_their_services_read(schema, file, tmp_path):
    text = (ROOT / "packaging" / file).read_text()
    part = tmp_path / "part.yml"
    part.write_text(text.split("\n---\n")[-1].replace("$[[ inputs.stage ]]", "test"))  # a component's inputs stand before ---
    done = subprocess.run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(part)], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_guides_examples_give_all_that_is_required():
    import yaml
    blocks = (ROOT / "docs/guides/pull-request.md").read_text().split("```yaml\n")[1:]
    examples = [yaml.safe_load(block.split("```")[0]) for block in blocks]
    action = next(step for one in examples if "steps" in one for step in one["steps"] if "packaging/github" in step.get("uses", ""))
    component = next(entry for one in examples if "include" in one for entry in one["include"])
    assert (ROOT / component["file"]).exists()
    declared = {"github/action.yml": action["with"], "gitlab/templates/compare.yml": component["inputs"]}
    for file, given in declared.items():
        first = next(yaml.safe_load_all((ROOT / "packaging" / file).read_text()))
        inputs = first["inputs"] if "inputs" in first else first["spec"]["inputs"]
        required = {name for name, one in inputs.items() if one.get("default") is None}
        assert required <= set(given) <= set(inputs), file


def test_the_hook_is_one_of_pre_commit():
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / "packaging/pre-commit/.pre-commit-hooks.yaml"], check=True)


def compare(tmp_path, base, candidate, **more):
    (tmp_path / "gh").write_text(GH)
    (tmp_path / "gh").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{pathlib.Path(trtlens.find_trtlens()).parent}:{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path),
                   "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_REPOSITORY": "org/net", "COMMENT": "true", "PULL_REQUEST": "12",
                   "BASE": str(BUILDS / base), "CANDIDATE": str(BUILDS / candidate), "OPTIONS": "", **more}
    return subprocess.run([ROOT / "packaging/github/compare.sh"], env=environment, capture_output=True, text=True, check=False)


def asked(tmp_path):
    file = tmp_path / "asked.json"
    return json.loads(file.read_text()) if file.exists() else None


def test_a_regression_fails_and_says_so(tmp_path):
    done = compare(tmp_path, "a_r18_fp16", "b_r18_q_conv")
    assert done.returncode == 1
    assert done.stdout.startswith("::error title=")
    assert (tmp_path / "summary.md").read_text().startswith("# Regressed: 0.560 ms to 0.798 ms")
    words, body = asked(tmp_path)
    assert words[:5] == ["api", "--silent", "--method", "POST", "repos/org/net/issues/12/comments"]
    mark, report = body.split("\n", 1)
    assert mark.startswith(MARK) and report.startswith("# Regressed: 0.560 ms to 0.798 ms")
    assert f'startswith("{mark}")' in json.loads((tmp_path / "searched.json").read_text())[-1]


def test_a_comment_is_updated(tmp_path):
    (tmp_path / "known").touch()
    assert compare(tmp_path, "a_r18_fp16", "a_r18_fp16").returncode == 0
    assert asked(tmp_path)[0][:5] == ["api", "--silent", "--method", "PATCH", "repos/org/net/issues/comments/7"]


def test_no_comment_where_none_is_wanted_or_none_is_possible(tmp_path):
    compare(tmp_path, "a_r18_fp16", "b_r18_q_conv", COMMENT="false")
    compare(tmp_path, "a_r18_fp16", "b_r18_q_conv", PULL_REQUEST="")
    assert asked(tmp_path) is None


def test_each_pair_has_its_comment(tmp_path):
    compare(tmp_path, "a_r18_fp16", "b_r18_q_conv")
    first = asked(tmp_path)[1].split("\n")[0]
    compare(tmp_path, "a_r18_fp16", "b_r18_q_res")
    assert asked(tmp_path)[1].split("\n")[0] != first


def test_no_right_to_comment_is_no_verdict(tmp_path):
    (tmp_path / "forbidden").touch()
    done = compare(tmp_path, "a_r18_fp16", "a_r18_fp16")
    assert done.returncode == 0
    assert "::warning title=trtlens::no comment on the pull request" in done.stdout
    assert compare(tmp_path, "b_lstm", "g_gather").returncode == 3


def test_options_are_one_a_line(tmp_path):
    assert compare(tmp_path, "a_r18_fp16", "b_r18_q_conv", OPTIONS="\n  --fail-on=none\r\n").returncode == 0


def test_a_missing_input_fails(tmp_path):
    compare(tmp_path, "a_r18_fp16", "b_r18_q_conv")
    (tmp_path / "asked.json").unlink()
    assert compare(tmp_path, "a_r18_fp16", "nope").returncode == 2
    assert compare(tmp_path, "a_r18_fp16", "b_r18_q_conv", OPTIONS="--bogus").returncode == 2
    assert asked(tmp_path) is None  # nor the report of the run before

#!/usr/bin/env python3
"""What docs/promises.md promises, by name: none of them may go or change before another major version.

Usage: promises_test.py TRTLENS FIXTURES [--write]    (--write adds what is new)
"""
import json
import pathlib
import subprocess
import sys

BUILDS = ["b_r18_q_conv", "b_mob_q_dwnow_i8", "g_unet_int8", "b_r18_notf32", "case4_plugin_format"]


def output(binary, *arguments):
    return subprocess.run([binary, *arguments], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL, timeout=300).stdout


def json_names(schema, resolved=False):
    """Names with their types: "Layer.label string". `resolved`: with the type of a definition, not its name."""
    definitions = schema.get("definitions", {})
    for part, definition in [("", schema), *definitions.items()]:
        for name, value in definition.get("properties", {}).items():
            of = value.get("$ref", "").rpartition("/")[2]
            kinds = value.get("type", definitions[of].get("type", "") if of and resolved else of)
            yield f"{part}.{name} {'|'.join(kinds) if isinstance(kinds, list) else kinds}".strip()


def bounds(schema):
    """Names of numbers with the least and the most that they can be: "layer_group.confidence 0 1"."""
    for part, definition in [("", schema), *schema.get("definitions", {}).items()]:
        for name, value in definition.get("properties", {}).items():
            if "minimum" in value or "maximum" in value:
                yield f"{part}.{name} {value.get('minimum', '-')} {value.get('maximum', '-')}"


def promised_json(binary, resolved=False):
    for name in ("analyze", "compare", "check", "contract"):
        schema = json.loads(output(binary, "schema", name))
        for one in json_names(schema, resolved):
            yield f"json {name} {one}"
        for one in bounds(schema):
            yield f"bounds {name} {one}"


def promised(binary, fixtures):
    yield from promised_json(binary)
    for rule in output(binary, "rule-ids").split():
        yield f"rule {rule}"
    for build in BUILDS:
        for finding in json.loads(output(binary, "analyze", str(fixtures / "builds" / build), "--format", "json", "-q"))["findings"]:
            yield f"fingerprint {build} {finding['rule']} {finding['fingerprint']}"


def main():
    binary, fixtures = sys.argv[1], pathlib.Path(sys.argv[2])
    file = fixtures / "promises" / "1.txt"
    now = set(promised(binary, fixtures))
    held = set(file.read_text().splitlines()) if file.exists() else set()
    if "--write" in sys.argv:
        file.write_text("".join(f"{one}\n" for one in sorted(now | held)))
        return 0
    # A finding that is better told may come and go; what it is called stays.
    rules = {one.split()[2] + one.split()[1] for one in now if one.startswith("fingerprint")}
    # An object that has a definition of its own now is the object that it was.
    gone = sorted(one for one in held - now - set(promised_json(binary, True)) if not one.startswith("fingerprint") or one.split()[2] + one.split()[1] in rules)
    new = sorted(one for one in now - held if not one.startswith("fingerprint"))
    for one in gone:
        print(f"promised, and gone or changed: {one}")
    for one in new:
        print(f"new, and not written down (tests/golden/promises_test.py TRTLENS FIXTURES --write): {one}")
    print(f"{len(held)} promises")
    return bool(gone or new)


if __name__ == "__main__":
    sys.exit(main())

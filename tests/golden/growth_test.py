#!/usr/bin/env python3
"""Inputs made to take the square of their size: instructions, counted by callgrind, and report grow as the input does.

Usage: growth_test.py TRTLENS [CASE…]     Each case in three sizes, each twice the one before. What the second doubling adds
is held against what the first adds: 2 where both grow as the input does, 2.2 with its logarithm, 4 where they grow as its square.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MOST = 2.2
STAMP = "[11/21/2026-13:37:30] [V] [TRT] "
RUN = "TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=a.onnx --int8 --verbose"
INT8, FP32 = "Channel major INT8 format where channel % 32 == 0", "Row major linear FP32"
INT8_TACTIC = "sm80_xmma_fprop_implicit_gemm_interleaved_i8i8_i8i32_f32_nchw_vect_c_32kcrs"
FP32_TACTIC = "ampere_scudnn_128x64_relu_medium_nn_v1"


def tensor(name, kind):
    return {"Name": name, "Location": "Device", "Dimensions": [1, 64, 56, 56], "Format/Datatype": kind}


def layer(name, layer_type, inputs, outputs, **more):
    return {"Name": name, "LayerType": layer_type, "Inputs": inputs, "Outputs": outputs, **more}


def convolution(name, inputs, output, weights="Int8", tactic=INT8_TACTIC):
    return layer(name, "CaskConvolution", inputs, [output], ParameterType="Convolution", Weights={"Type": weights, "Count": 36864},
                 Kernel=[3, 3], Stride=[1, 1], OutMaps=64, Groups=1, TacticName=tactic, TacticValue="0x1")


def conversion(name, source, target, origin):
    return layer(name, "Reformat", [source], [target], ParameterType="Reformat", TacticValue="0x0", Origin=origin)


def wide(name, source, target):
    return convolution(name, [tensor(source, FP32)], tensor(target, FP32), "Float", FP32_TACTIC)


def write_layers(folder, layers, inputs=("input",)):
    (folder / "layers.json").write_text(json.dumps({"Layers": layers, "Bindings": list(inputs)}))
    records = [{"name": one["Name"], "timeMs": 1.0, "averageMs": 0.01, "medianMs": 0.01, "percentage": 0} for one in layers]
    (folder / "profile.json").write_text(json.dumps([{"count": 100}, *records]))


def write_log(folder, lines, run=RUN):
    (folder / "build.log").write_text("".join(f"{line}\n" for line in [f"&&&& RUNNING {run}", *lines, f"&&&& PASSED {run}"]))


def shared_residual(folder, n):
    """Convolutions that all add one float tensor, which as many Q read."""
    residual = tensor("R", FP32)
    write_layers(folder, [convolution("source", [tensor("input", FP32)], residual)] +
                 [conversion(f"Q{i}_QuantizeLinear", residual, tensor(f"q{i}", INT8), "QDQ") for i in range(n)] +
                 [convolution(f"/c{i}/Conv + /a{i}/Add", [tensor(f"q{i}", INT8), residual], tensor(f"o{i}", FP32)) for i in range(n)])


def activations_in_front(folder, n):
    """Convolutions that add what stands farther and farther down a chain of activations."""
    chain = [layer(f"p{i}", "PointWiseV2", [tensor(f"x{i}", FP32)], [tensor(f"x{i + 1}", FP32)], ParameterType="PointWise",
                   TacticValue="0x1") for i in range(n)]
    chain[0]["Inputs"] = [tensor("input", FP32)]
    adds = [convolution(f"/c{i}/Conv + /a{i}/Add", [tensor("q", INT8), tensor(f"x{i + 1}", FP32)], tensor(f"o{i}", FP32))
            for i in range(n)]
    write_layers(folder, [*chain, conversion("Q_QuantizeLinear", tensor("input", FP32), tensor("q", INT8), "QDQ"), *adds])


def fences(folder, n):
    """Float convolutions behind a DQ that write one tensor, and a chain of reformats behind it."""
    layers = [conversion("D_DequantizeLinear", tensor("input", INT8), tensor("d", FP32), "QDQ")]
    layers += [wide(f"/c{i}/Conv", "d", "r0") for i in range(n)]
    layers += [conversion(f"Reformatting CopyNode {i}", tensor(f"r{i}", FP32), tensor(f"r{i + 1}", FP32), "REFORMAT")
               for i in range(n)]
    write_layers(folder, layers)


def border(folder, n):
    """No-ops, each with an input of its own, that write one tensor."""
    inputs = [f"in{i}" for i in range(n)]
    layers = [layer(f"n{i}", "NoOp", [tensor(name, FP32)], [tensor("T", FP32)]) for i, name in enumerate(inputs)]
    (folder / "layers.json").write_text(json.dumps({"Layers": layers, "Bindings": inputs}))


def layer_precisions(folder, n):
    """A long --layerPrecisions over many wide layers."""
    write_layers(folder, [wide(f"/c{i}/Conv", f"x{i}", f"x{i + 1}") for i in range(n)])
    write_log(folder, [STAMP + "x"], RUN + " --layerPrecisions=" + ",".join(f"l{i}:fp32" for i in range(n)))


def forced_layers(folder, n):
    """One node in many layers, held at FP32 by as many lines."""
    write_layers(folder, [wide(f"A + B{i}", f"x{i}", f"x{i + 1}") for i in range(n)])
    write_log(folder, ["[11/21/2026-13:37:30] [I] Set layer A to precision fp32"] * n)


def forced_apart(folder, n):
    """Many layers, each held at FP32 by a line of its own."""
    write_layers(folder, [wide(f"/c{i}/Conv", f"x{i}", f"x{i + 1}") for i in range(n)])
    write_log(folder, [f"[11/21/2026-13:37:30] [I] Set layer /c{i}/Conv to precision fp32" for i in range(n)])


def not_conforming(folder, n):
    """Layers of one name, and as many lines about it."""
    write_layers(folder, [wide("c", f"x{i}", f"x{i + 1}") for i in range(n)])
    write_log(folder, [STAMP + "For layer c a non-conforming implementation was chosen than was requested i.e. requested layer "
                       "computation precision and output precision types were ignored because it resulted in faster network "
                       "performance. Enable strict mode to try force choose a conforming implementation."] * n)


def rule_file(folder, n):
    """Rules of one's own, all on one line."""
    rule = {"category": "x", "severity": "info", "confidence": "measured", "title": "t", "what": "w", "why": "y", "remedies": ["r"],
            "next_check": "n", "sources": ["s"]}
    rules = [{**rule, "id": f"own-{i}", "patterns": [f"Nothing of the kind {i}"], "samples": [{"text": f"Nothing of the kind {i}"}],
              "near_misses": [{"text": "Something"}]} for i in range(n)]
    (folder / "rules.json").write_text(json.dumps(rules))
    write_log(folder, [STAMP + "x"])
    return ["--rules", folder / "rules.json"]


def engine_layer_line(folder, n):
    """A layer with many outputs, all in the newer of two forms."""
    write_log(folder, [STAMP + "Engine Layer Information:",
                       "Layer(Reformat): r, Tactic: 0x1, x (Half[1]) -> " + ", ".join(["y (Half[1])"] * n)])


def optional_inputs(folder, n):
    """A node none of whose inputs is set."""
    write_log(folder, [STAMP + "c [Conv] inputs: " + "[optional input, not set], " * n])


def compared(folder, n, named):
    """Two sides of a chain, of whose layers every fifth is another one on the other side."""
    tensors = "/t" if named else "t"
    for side in ("base", "candidate"):
        dice = random.Random(5)
        layers = []
        for i in range(n):
            changed = side == "candidate" and dice.randrange(5) == 0
            name = f"/{'new' if changed else 'n'}{i}" if named else f"k{i * (3 if side == 'candidate' else 2)}"
            one = convolution(name, [tensor(f"{tensors}{i}", INT8)], tensor(f"{tensors}{i + 1}", INT8))
            one["Outputs"][0]["Dimensions"] = [1, 8 + i % 7 + (100 if changed else 0)]
            layers.append({**one, "Metadata": f"[ONNX Layer: {name}]"} if named else one)
        (folder / side).mkdir()
        write_layers(folder / side, layers)


def compared_by_name(folder, n):
    compared(folder, n, True)


def compared_by_graph(folder, n):
    compared(folder, n, False)


# The smallest size: of a walk that takes the square of it, the whole growth shows from there on. A line of optional inputs
# stays below 64 KiB, the size of a chunk, at which its reader takes another way.
CASES = {shared_residual: 200, activations_in_front: 200, fences: 200, border: 300, layer_precisions: 400,
         forced_layers: 200, forced_apart: 300, not_conforming: 200, rule_file: 400, engine_layer_line: 4000,
         optional_inputs: 500, compared_by_name: 700, compared_by_graph: 700}
# Where reading and printing would hide the growth of a function, its instructions are counted alone.
COUNTED = {compared_by_name: "trtlens::align(*", compared_by_graph: "trtlens::align(*"}


def costs(binary, write, n):
    """Instructions, and bytes of the report."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        more = write(folder, n) or []
        if (folder / "base").exists():
            command = ["compare", folder / "base", folder / "candidate"]
        else:
            command = ["analyze", folder if (folder / "layers.json").exists() else folder / "build.log"]
        counted = [f"--toggle-collect={COUNTED[write]}"] if write in COUNTED else []
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *counted, binary, *command,
                               "--format", "json", *more], capture_output=True, text=True, check=True)
        instructions = int(re.search(r"Collected : (\d+)", done.stderr)[1])
        if instructions == 0:
            sys.exit(f"{write.__name__}: no function {COUNTED[write]}")
        return instructions, len(done.stdout)


def main():
    binary, wanted = sys.argv[1], sys.argv[2:]
    failed = False
    for write, n in CASES.items():
        if wanted and write.__name__ not in wanted:
            continue
        rows = [costs(binary, write, n << i) for i in range(3)]
        growth = [(c - b) / max(b - a, 1) for a, b, c in zip(*rows)]
        print(f"{write.__name__}: instructions {growth[0]:.2f}, report {growth[1]:.2f} ({rows[-1][0] / 1e6:.0f} million, "
              f"{rows[-1][1] / 1e3:.0f} kB)", flush=True)
        failed = failed or max(growth) > MOST
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Looks for names in what `--redact` and `trtlens redact` leave, and holds findings and figures against the originals.

Usage: redact_test.py TRTLENS FOLDER...

Every folder in a FOLDER is a build; so is every file that is not JSON. Names are those of the original's JSON report:
of layers, ONNX nodes, tensors, and the parts of paths. What may stay is listed here, apart from the product's list.
Without arguments behind TRTLENS the test makes its own build, of names that stand nowhere else.
"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import run_cases

ROOT = pathlib.Path(__file__).resolve().parents[2]
# https://onnx.ai/onnx/operators/
ONNX = set("""Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool
BatchNormalization Bernoulli BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor BlackmanWindow Cast CastLike Ceil Celu
CenterCropPad Clip Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv ConvInteger ConvTranspose Cos
Cosh CumSum DFT DeformConv DepthToSpace DequantizeLinear Det Div Dropout DynamicQuantizeLinear Einsum Elu Equal Erf Exp
Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool
Greater GreaterOrEqual GridSample GroupNormalization HammingWindow HannWindow HardSigmoid HardSwish Hardmax Identity If
ImageDecoder InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax
Loop LpNormalization LpPool MatMul MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean MeanVarianceNormalization
MelWeightMatrix Min Mish Mod Mul Multinomial Neg NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot Optional
OptionalGetElement OptionalHasElement Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear RMSNormalization RNN
RandomNormal RandomNormalLike RandomUniform RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum
ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare RegexFullMatch Relu Reshape Resize
ReverseSequence RoiAlign RotaryEmbedding Round STFT Scan Scatter ScatterElements ScatterND Selu SequenceAt
SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap Shape Shrink Sigmoid Sign Silu
Sin Sinh Size Slice Softmax SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze
StringConcat StringNormalizer StringSplit Sub Sum Swish Tan Tanh TfIdfVectorizer ThresholdedRelu Tile TopK Transpose
Trilu Unique Unsqueeze Upsample Where Xor onnx""".split())
# What TensorRT and its front ends put around the names of a network, types, and files by what they hold.
TENSORRT = set("""PWN ForeignNode Reformatting Reformatted CopyNode Unnamed Layer Tensor Network Input Output Shuffle
ElementWise HostToDeviceCopy DeviceToHostCopy trainStation ONNXTRT copied transpose reshape squeeze unsqueeze node
before after copy clone input output inputs outputs weight weights bias scale zero point quantize dequantize to for
dummy shape call signal wait aten ops default torch SCALE CONVOLUTION RELU SHUFFLE ACTIVATION POOLING FULLY CONNECTED
ELEMENTWISE LAYER REDUCE MATRIX MULTIPLY CONSTANT CAST ITensor Forced Cast from DataType HALF FLOAT Convolution
Activation Pooling FullyConnected MatrixMultiply SoftMax Scale Constant Concatenation Reduce Quantize Dequantize Plugin
PluginV2 PluginV3 castOut profile bb arg myln myl mye trt com microsoft ai zeroPoint constantFold reformat and
engine plan onnx json log txt gz zst bin cache py build run full layers times graph metadata library device result
PluginV2DynamicExt QuantizeAndDequantizeV4 Broadcast castHelper MAX mean alpha Matrix Multiply Fully Connected
PillarScatterPlugin TRT harness home root workspace mnt media Users usr opt var tmp tensorrt TensorRT trtexec trtmodel libnvinfer libnvonnxparser plugin so cpp int8 fp16 fp32 bf16 fp8 dev null
kENABLE AND""".split())
ALLOWED = ONNX | TENSORRT
KERNEL = re.compile(r"(?:conv2d_grouped_direct|\bsm\d+_|\b(?:volta|turing|ampere|maxwell)_)\w+")
WORD = re.compile(r"[A-Za-z0-9\u0080-\U0010ffff]+")


def is_allowed(word):
    stem = word.rstrip("0123456789")
    return len(stem) <= 1 or word in ALLOWED or stem in ALLOWED or not re.search("[A-Za-z\u0080-\U0010ffff]", word) \
        or re.fullmatch(r"0x[0-9a-fA-F]+|\d+(x\d+)+|\d+[A-Za-z]|\d+[KMG]i?B|k[A-Z]+", word) is not None


def is_generated(name):
    """Of Myelin's own kernels, which consist of its operators."""
    return re.match(r"__my[a-z]*_", name) is not None


class Tool:
    def __init__(self, path):
        self.path = path

    def run(self, *args, **kwargs):
        return subprocess.run([self.path, *map(str, args)], capture_output=True, timeout=240, check=False, **kwargs)

    def text(self, *args, **kwargs):
        return self.run(*args, **kwargs).stdout.decode("utf-8", "replace")

    def public_words(self):
        """Words that the product says of no build at all."""
        text = self.text("rules", "--format", "markdown") + self.text("--help")
        text += "".join(self.text("schema", name) for name in ("analyze", "compare", "check", "contract"))
        text += page_text(self.text("analyze", "-", "-q", "--format", "html", input=b"&&&& RUNNING TensorRT.trtexec # trtexec\n"))
        text += "".join(path.read_text("utf-8") for path in sorted((ROOT / "report/web").rglob("*.js")))
        text += "".join(self.text(name, "--help") for name in ("analyze", "compare", "lint-log", "redact", "watch"))
        return set(WORD.findall(text))


def page_text(page):
    """What a page says: its data unpacked, without the hashes of its policy."""
    return re.sub(r"'sha256-[^']+'", "", run_cases.unpacked(page))


def names_of(report):
    """Names of layers, nodes and tensors by their place in the report; two reports have the same places."""
    names = []
    for layer in report["build"]["layers"] if report.get("build") else []:
        names.append(layer["name"])
        names += layer.get("onnx_nodes") or []
        for side in ("inputs", "outputs"):
            names += [tensor["name"] for tensor in layer.get(side) or []]
    for one in (report.get("build") or {}).get("io_tensors") or []:
        names.append(one["name"])
    return [name for name in names if name]


def paths_of(report):
    paths = [one["path"] for one in report["inputs"] if one["path"] != "-"]
    for run in report.get("runs") or []:
        paths += [word for word in re.split(r"[\s=,]+", run["command"] or "") if "/" in word]
    return paths


def figures(value, place=""):
    """Every number, truth value and absence of a report, by its place."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from figures(one, f"{place}/{key}")
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from figures(one, f"{place}/{i}")
    elif not isinstance(value, str):
        yield place, value


# Bytes and columns of what was read are those of the redacted text; files with other names may stand in another order.
def is_of_build(place):
    return not re.match(r"/inputs/", place) and not place.endswith("/column")


def rules_of(report):
    return [(one["rule"], one["severity"], one["confidence"]) for one in report["findings"]]


class Checked:
    def __init__(self, tool, public):
        self.tool, self.public, self.faults, self.names, self.words, self.builds = tool, public, [], 0, 0, 0

    def fault(self, build, text):
        self.faults.append(f"{build.name}: {text}")

    def held(self, build, original, redacted, how):
        if rules_of(original) != rules_of(redacted):
            self.fault(build, f"{how}: findings {rules_of(original)} became {rules_of(redacted)}")
        before = [one for one in figures(original) if is_of_build(one[0])]
        after = [one for one in figures(redacted) if is_of_build(one[0])]
        if before != after:
            changed = [one for one in before if one not in set(after)][:5]
            self.fault(build, f"{how}: figures changed: {changed}")
        mine, theirs = names_of(original), names_of(redacted)
        if len(mine) != len(theirs):
            self.fault(build, f"{how}: {len(mine)} names became {len(theirs)}")
        stayed = {}
        for a, b in zip(mine, theirs):
            words, left = WORD.findall(a), WORD.findall(b)
            if len(words) != len(left) or WORD.sub("", a) != WORD.sub("", b):
                self.fault(build, f"{how}: {a!r} became {b!r}")
            elif not is_generated(a):
                kept = [x for x, y in zip(words, left) if x == y and not is_allowed(x)]
                # A name that is one word of TensorRT's messages stays.
                if kept and len(words) > 1:
                    stayed.update(dict.fromkeys(kept, a))
        if stayed:
            self.fault(build, f"{how}: words stayed: {stayed}")
        self.names += len(mine)

    def searched(self, build, words, names, text, where):
        text = KERNEL.sub("", text)
        left = words & set(WORD.findall(text))
        if left:
            self.fault(build, f"{where} has {sorted(left)[:12]}")
        whole = [name for name in names if name in text and
                 re.search(r"(?<![\w./:-])" + re.escape(name) + r"(?![\w./:-])", text)]
        if whole:
            self.fault(build, f"{where} has {whole[:5]}")

    def check(self, build):
        original = self.tool.run("analyze", build, "-q", "--format", "json")
        if original.returncode != 0:
            return
        original = json.loads(original.stdout)
        self.builds += 1
        names, paths = set(names_of(original)), paths_of(original)
        words = {word for name in names | set(paths) if not is_generated(name) for word in WORD.findall(name)}
        words = {word for word in words if not is_allowed(word)} - self.public
        for layer in (original.get("build") or {}).get("layers") or []:
            words -= {layer.get("layer_type"), layer.get("parameter_type")}
        names = {name for name in names if any(w in words for w in WORD.findall(name))} | set(paths)
        self.words += len(words)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            places = [folder / f"report.{kind}" for kind in ("txt", "md", "html", "json")]
            outputs = [item for place in places for item in ("-o", place)]
            status = self.tool.run("analyze", "--redact", build, "-q", "--full", *outputs)
            if status.returncode != 0:
                return self.fault(build, f"--redact: {status.stderr.decode()}")
            for place in places:
                text = place.read_text("utf-8", "replace")
                self.searched(build, words, names, page_text(text) if place.suffix == ".html" else text, place.name)
            self.held(build, original, json.loads(places[-1].read_bytes()), "--redact")
            copies = folder / "copies"
            status = self.tool.run("redact", build, "-q", "-o", copies)
            if status.returncode != 0:
                return self.fault(build, f"redact: {status.stderr.decode()}")
            for copy in sorted(copies.rglob("*")):
                self.searched(build, words, names, str(copy.relative_to(copies)), "a file's name")
                if copy.is_file():
                    self.searched(build, words, names, copy.read_text("utf-8", "replace"), f"copy {copy.name}")
            read = copies if build.is_dir() else next(copies.iterdir())
            self.held(build, original, json.loads(self.tool.text("analyze", read, "-q", "--format", "json")), "redact")


def builds_in(folder):
    for path in sorted(folder.iterdir()):
        if path.is_dir() or path.suffix == ".log":
            yield path


def check_folders(tool, folders):
    there = [folder for folder in folders if folder.is_dir()]
    if not there:
        print("skipped: none of", *folders)
        return 77
    checked = Checked(tool, tool.public_words())
    for folder in there:
        for build in builds_in(folder):
            checked.check(build)
    for fault in checked.faults:
        print(fault[:700])
    print(f"{checked.builds} builds, {checked.names} names, {checked.words} words searched, {len(checked.faults)} faults")
    return 1 if checked.faults or checked.builds == 0 or checked.words == 0 else 0


# Each of these must be gone, as a whole and in part.
SECRETS = {
    "a layer": "zqxlayer", "a tensor": "zqxtensor", "a folder": "zqxfolder", "a model": "zqxmodel", "a host": "zqxhost",
    "a user": "zqxuser", "a mail": "zqxmail", "a domain": "zqxdomain", "a plugin": "zqxplugin", "a token": "zqxtoken",
    "an input": "zqxinput", "in capitals": "ZQXBIG", "not ASCII": "zqxÄrger", "a key": "zqxkey", "glued": "zqxglued",
    "IPv4": "10.23.45.67", "IPv6": "fe80::1ff:fe23:4567:890a", "MAC": "0a:1b:2c:3d:4e:5f", "a number": "zqxid12345678",
    "UUID": "8f3a1b2c-0d4e-4f5a-8b6c-1234567890ab", "a hash": "3fa9c1d2e4", "Windows": "zqxwin", "an escape": "zqxescape",
}


def own_log():
    s = SECRETS
    stamp = "[07/07/2026-02:11:00] "
    lines = [
        f"&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # trtexec --onnx=/home/{s['a user']}/{s['a folder']}/{s['a model']}_v2.onnx"
        f" --fp16 --verbose --minShapes={s['an input']}:1x3x8x8 --saveEngine=C:\\Users\\{s['Windows']}\\m.engine",
        stamp + f"[I] Model: /home/{s['a user']}/{s['a folder']}/{s['a model']}_v2.onnx",
        stamp + f"[V] [TRT] Searching for input: {s['an input']}",
        stamp + f"[V] [TRT] /{s['a layer']}/{s['a layer']}.0/Conv [Conv] inputs: [{s['a tensor']} -> (1, 3, 8, 8)], ",
        stamp + f"[V] [TRT] Frobnicating {s['a layer']} with {s['in capitals']} and {s['not ASCII']}",
        stamp + f"[W] [TRT] Missing scale and zero-point for tensor {s['a tensor']}, expect fall back to non-int8 implementation",
        stamp + f"[E] 10: [optimizer.cpp::computeCosts::3869] Error Code 10: Internal Error (Could not find any implementation for node "
        f"{{ForeignNode[/{s['a layer']}/MatMul.../{s['a layer']}/Add]}}.)",
        stamp + f"[E] [TRT] 3: getPluginCreator could not find plugin: {s['a plugin']} version: 1",
        stamp + f"[W] Dynamic dimensions required for input: {s['glued']}, but no shapes were provided. Automatically overriding shape to: 1x3x8x8",
        f"ssh {s['a user']}@{s['a host']}.{s['a domain']}.com -p 22 # {s['IPv4']} {s['IPv6']} {s['MAC']}",
        f"curl https://{s['a token']}:x@{s['a domain']}.org/{s['a folder']}?{s['a key']}={s['a token']} by {s['a mail']}@{s['a domain']}.de",
        f"GPU-{s['UUID']} commit {s['a hash']} run {s['a number']} \x1b[31m{s['a layer']}\x1b[0m \x00{s['a layer']}",
    ]
    return "\n".join(lines) + "\n"


def own_layers():
    s = SECRETS
    layer = {"Name": f"/{s['a layer']}/Conv + /{s['a layer']}/Relu", "LayerType": "CaskConvolution",
             "Inputs": [{"Name": s["a tensor"], "Location": "Device", "Dimensions": [1, 3, 8, 8],
                         "Format/Datatype": "Row major linear FP16 format"}],
             "Outputs": [{"Name": f"/{s['a layer']}/Relu_output_0", "Dimensions": [1, 8, 8, 8],
                          "Format/Datatype": "Row major linear FP16 format"}],
             "TacticName": "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize128x128x32_stage4",
             "Metadata": f"[ONNX Layer: /{s['a layer']}/Conv]\x1e[ONNX Layer: /{s['a layer']}/{s['an escape']}/Relu]",
             s["a key"]: {s["not ASCII"]: s["in capitals"]}}
    plain = {"Name": f"{s['an escape']}\tä\"x", "LayerType": "PluginV2", "PluginType": s["a plugin"], "Inputs": [], "Outputs": []}
    return json.dumps({"Layers": [layer, plain], "Bindings": [s["a tensor"]]})


def check_secrets(tool):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder) / SECRETS["a folder"]
        (folder / f"{SECRETS['a model']}_7").mkdir(parents=True)
        build = folder / f"{SECRETS['a model']}_7"
        (build / f"{SECRETS['a host']}.log").write_text(own_log(), "utf-8")
        with gzip.open(build / "layers.json.gz", "wb") as file:
            file.write(own_layers().encode())
        (build / f"{SECRETS['a user']}.utf16.log").write_bytes(own_log().encode("utf-16"))

        def search(text, where):
            for what, secret in SECRETS.items():
                if secret in text or (secret.isascii() and secret.lower() in text.lower()):
                    faults.append(f"{where}: {what}: {secret}")

        for kind in ("txt", "md", "html", "json", "csv", "sarif", "junit.xml", "baseline"):
            place = folder / f"out.{kind}"
            item = f"junit:{place}" if kind == "junit.xml" else place
            for command in (["analyze", build], ["compare", build, build, "--force", "--fail-on", "none"]):
                if kind == "csv" and command[0] == "compare":
                    continue
                done = tool.run(*command, "--redact", "-q", "-o", item)
                if not place.exists():
                    faults.append(f"{command[0]} {kind}: {done.stderr.decode()}")
                    continue
                search(place.read_text("utf-8", "replace"), f"{command[0]} {kind}")
                place.unlink()
        log = build / f"{SECRETS['a host']}.log"
        for kind in ("text", "markdown", "json"):
            search(tool.text("lint-log", log, "--redact", "--with-samples", "--format", kind), f"lint-log {kind}")
        for kind in ("csv", "jsonl", "dot"):
            search(tool.text("convert", build, "--redact", "--to", kind), f"convert {kind}")
        search(tool.text("redact", log), "redact FILE")
        search(tool.text("redact", "-", input=log.read_bytes()), "redact -")
        search(tool.text("watch", "--redact", "--format", "text", input=log.read_bytes()), "watch")
        copies, names = folder / "copies", folder / "names.tsv"
        done = tool.run("redact", build, "-o", copies, "--map", names)
        if done.returncode != 0 or len(list(copies.iterdir())) != 3:
            faults.append(f"redact DIR: {done.stderr.decode()}")
        for copy in copies.iterdir():
            search(copy.name + copy.read_text("utf-8", "replace"), f"copy {copy.name}")
        mapped = names.read_text("utf-8")
        faults += [f"no {word} in the map" for word in ("zqxlayer", "10.23.45.67") if f"\t{word}\n" not in mapped]
        # The file that says what the names stood for is written where it was asked for alone.
        if sorted(path.name for path in folder.iterdir()) != sorted([build.name, "copies", "names.tsv"]):
            faults.append(f"other files: {sorted(path.name for path in folder.iterdir())}")
        if tool.run("redact", build, "-o", copies).returncode != 2:
            faults.append("a directory that is not empty was written to")
        if tool.run("redact", build).returncode != 2 or tool.run("redact", log, log).returncode != 2:
            faults.append("several files were written to standard output")
        # Names of one command are those of all its files.
        done = tool.text("compare", build, build, "--redact", "--force", "-q", "--format", "json")
        if "zqx" in done or not json.loads(done):
            faults.append("compare --format json")
        again = folder / "again"
        tool.run("redact", copies, "-o", again, "-q")
        for copy in copies.iterdir():
            if not (again / copy.name).exists() or (again / copy.name).read_bytes() != copy.read_bytes():
                faults.append(f"redacted twice, {copy.name} is another one")
    print(*faults, sep="\n")
    print(f"{len(SECRETS)} secrets, {len(faults)} faults")
    return 1 if faults else 0


def main():
    tool = Tool(os.path.abspath(sys.argv[1]))
    if len(sys.argv) == 2:
        return check_secrets(tool)
    return check_folders(tool, [pathlib.Path(path) for path in sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())

// How a process ends around TensorRT: signals, failed checks of C and C++, exceptions of Python.
#include <array>
#include <string_view>

#include "parsers/log/runs/run_builder.h"

namespace trtlens {
namespace {

// What a shell, the C library or a handler of signals prints when a process dies: "Killed",
// "./run.sh: line 3: 1234 Segmentation fault      (core dumped) trtexec …" (bash), "[1]    1234
// segmentation fault  trtexec …" and "zsh: killed     trtexec …" (zsh), "[host:1234] Signal:
// Segmentation fault (11)" (Open MPI). Prose about a crash ends otherwise.
constexpr const char* kDeath =
    "(?:\\S+: line \\d+: +\\d+ +|\\[\\d+\\] +[-+]? *\\d+ +|zsh: |\\[\\S+:\\d+[^\\]]*\\] (?:Signal: "
    "|Caught "
    "signal \\d+ \\()|Fatal Python error: )?(?i:segmentation fault|aborted|abort|killed|bus error|"
    "illegal (?:hardware )?instruction|floating point exception)(?:: .*| *\\(core dumped\\).*| "
    "\\(\\d+\\)| {2,}.*)?";

// A message before it is whole; what follows is the stack and, first in its line, the exception.
void on_traceback(RunBuilder& b, const Match& m) {
  if (m.pos.line != b.ignored_exception_line + 1) b.ignored_exception_line = 0;
  b.close_message();
  b.asserted.clear();
  b.section = LogSection::traceback;
}

// Of an "AssertionError" without words the line of code is all that tells.
void on_exception(RunBuilder& b, const Match& m) {
  b.section = LogSection::none;
  if (b.ignored_exception_line > 0) return on_program_warning(b, m);
  if (b.asserted.empty() || m.line->body != "AssertionError") return on_error(b, m);
  b.speaker(true);
  b.message(LogSeverity::error, b.asserted + "\nAssertionError", m.pos);
}

// Of `File "/usr/lib/python3/dist-packages/torch2trt/torch2trt.py", line 555`: "torch2trt".
void add_package(Build& build, std::string_view frame) {
  constexpr std::size_t kMostPackages = 16, kLongestName = 64;
  for (const std::string_view folder : {"site-packages", "dist-packages"}) {
    const std::size_t at = frame.find(folder);
    if (at == std::string_view::npos || at + folder.size() + 1 >= frame.size()) continue;
    const std::string_view behind = frame.substr(at + folder.size() + 1);
    const std::size_t end = behind.find_first_of("/\\");
    if (end == 0 || end > kLongestName) return;  // or there is none
    if (build.packages.size() < kMostPackages) build.packages.emplace(behind.substr(0, end));
    return;
  }
}

// A frame in the package of a program that calls TensorRT names the program.
void on_frame(RunBuilder& b, const Match& m) {
  struct Package {
    std::string_view folder;
    Producer producer;
  };
  static constexpr std::array<Package, 4> kPackages = {
      {{"torch_tensorrt", Producer::torch_tensorrt},
       {"tensorrt_llm", Producer::tensorrt_llm},
       {"TensorRT-LLM", Producer::tensorrt_llm},
       {"tensorflow", Producer::tensorflow}}};
  const std::string_view frame = m.line->body;
  const std::size_t code = frame.find_first_not_of(" \t");
  const std::string_view statement = code == std::string_view::npos ? "" : frame.substr(code);
  if (statement.starts_with("assert ") || statement.starts_with("assert(")) {
    b.asserted = statement;
  }
  add_package(b.build, frame);
  for (const Package& package : kPackages) {
    const std::size_t at = frame.find(package.folder);
    if (at == std::string_view::npos) continue;
    const std::string_view behind = frame.substr(at + package.folder.size(), 1);
    if (behind == "/" || behind == "\\") b.producer_seen(package.producer);
  }
}

// The head of the traceback was not pasted. Messages hold frames, too, and rules ask for some.
void on_headless_frame(RunBuilder& b, const Match& m) {
  if (m.line->severity >= LogSeverity::warning) return on_error(b, m);
  if (b.opened) return b.continue_message(m.line->body);
  b.asserted.clear();
  b.section = LogSection::traceback;
  on_frame(b, m);
}

// Raised in a destructor or at the end of the program: nothing failed by it.
void on_ignored_exception(RunBuilder& b, const Match& m) {
  b.close_message();
  b.ignored_exception_line = m.pos.line;
}

// Nsight Compute (ncu trtexec …), among the lines of the program.
void on_replay(RunBuilder& b, const Match& m) {
  if (!b.build.inference.replayed) b.build.inference.replayed = m.pos;
  on_program_warning(b, m);
}

// One line a kernel; the first stands for all.
void on_replayed_kernel(RunBuilder& b, const Match& m) {
  if (!b.build.inference.replayed) on_replay(b, m);
}

constexpr LineKind kProcessKinds[] = {
    {"ncu-connected", "==PROF== Connected to process \\d+ .*", on_replay,
     "==PROF== Connected to process 4711 (/usr/src/tensorrt/bin/trtexec)",
     "==PROF== Connected to process ID", kBare},
    {"ncu-kernel", "==PROF== Profiling \".+\" - \\d+: .*", on_replayed_kernel,
     "==PROF== Profiling \"sm80_xmma_fprop\" - 1: 0%....50%....100% - 38 passes",
     "==PROF== Profiling \"x\" is off", kBare},
    {"death-segmentation", Gate::infix, "egmentation fault", kDeath, on_error,
     "Segmentation fault (core dumped)",
     "a Segmentation fault may follow when the plugin is missing", kBare | kAnybodys},
    {"death-core", Gate::infix, "(core dumped)", kDeath, on_error,
     "Illegal instruction (core dumped)", "see the file (core dumped) for more", kBare | kAnybodys},
    // bash in a Chinese locale: a segmentation fault, an abort.
    {"death-chinese", Gate::infix, "核心已转储", ".*(?:段错误|已放弃).*核心已转储.*", on_error,
     "段错误 (核心已转储)", "见核心已转储的文件", kBare | kAnybodys},
    {"death-killed", Gate::infix, "illed", kDeath, on_error,
     "build.sh: line 12: 4711 Killed                  trtexec --onnx=m.onnx",
     "the tactic was killed by its timer", kBare | kAnybodys},
    {"death-aborted", Gate::prefix, "Aborted", kDeath, on_error, "Aborted", "Aborted by the user",
     kBare | kAnybodys},
    {"death-bus", Gate::infix, "us error", kDeath, on_error, "Bus error", "Bus error rate: 0",
     kBare | kAnybodys},
    {"death-abort-job", Gate::infix, " abort  ", kDeath, on_error,
     "[1]    3045 abort      python build.py", "we abort  here", kBare | kAnybodys},
    {"death-zsh", Gate::prefix, "zsh: ", kDeath, on_error, "zsh: abort      python build.py",
     "zsh: no matches found: *.onnx", kBare | kAnybodys},
    {"death-fish", Gate::prefix, "fish: ",
     "fish: .+ terminated by signal (?:SIGSEGV|SIGABRT|SIGBUS|SIGILL|SIGFPE|SIGKILL)(?: \\(.*\\))?",
     on_error,
     "fish: Job 1, 'python build.py' terminated by signal SIGSEGV (Address boundary error)",
     "fish: Unknown command: trtexec", kBare | kAnybodys},
    // PyCharm and its relatives; Windows has the number of the exception.
    {"death-exit-code", Gate::prefix, "Process finished with exit code ",
     "Process finished with exit code -?\\d+ \\((?:interrupted by signal \\d+: "
     "?(?:SIGSEGV|SIGABRT|SIGBUS|SIGILL|SIGFPE|SIGKILL)|0x[cC]\\w+)\\)",
     on_error, "Process finished with exit code 139 (interrupted by signal 11: SIGSEGV)",
     "Process finished with exit code 1", kBare | kAnybodys},
    {"terminate",
     "terminate called (?:after throwing an "
     "instance of '.*'|without an active exception|recursively)",
     on_error, "terminate called after throwing an instance of 'std::bad_alloc'",
     "terminate called by the user", kBare | kAnybodys | kOpens},
    {"glibc-assert", Gate::infix, ": Assertion `",
     "(?:[^:]+: )?[^:]+:\\d+: .*: Assertion `.*' failed\\.", on_error,
     "trtexec: cublas_impl.cpp:479: void f(): Assertion `false' failed.",
     "in f(): Assertion `x' may fail", kBare | kAnybodys},
    {"symbol-lookup", Gate::infix,
     ": symbol lookup error: ", "[^:]+: symbol lookup error: .+: undefined symbol: .+", on_error,
     "tritonserver: symbol lookup error: /models/libplugin.so: undefined symbol: _Z1fv",
     "trtexec: symbol lookup error: libfoo.so", kBare | kAnybodys},
    {"python-worker", "Process \\S*Process-\\d+(?::\\d+)*:", nullptr,
     "Process Process-3:", "Process foo:", kBare | kNoise},
    {"glibc-abort", Gate::infix,
     "(): ", "(?:free|malloc|realloc|munmap_chunk|malloc_consolidate)\\(\\): .*", on_error,
     "free(): invalid pointer", "calls foo(): it returns", kBare | kAnybodys},
    {"glibc-corruption", Gate::infix, "corruption",
     "double free or corruption.*|corrupted .*|malloc: .* corruption.*", on_error,
     "double free or corruption (out)", "no corruption was found", kBare | kAnybodys},
    // Ultralytics prints what Python raised and ends with status 0 in its own loop.
    {"ultralytics-failure", Gate::infix, "TensorRT: export failure",
     "(?:ERROR )?TensorRT: export failure(?: \\S+)?(?: \\d+\\.\\d+s)?: .*", on_error,
     "TensorRT: export failure 1.2s: no engine", "TensorRT: export failure is rare", kBare},
    // .NET ends the process at an exception that nothing catches.
    {"dotnet-exception", Gate::infix, " System.",
     "(?:Fatal error\\.|Unhandled exception\\.|Unhandled Exception:) System\\.[\\w.]+(?:: .*)?",
     on_error,
     "Fatal error. System.AccessViolationException: Attempted to read or write protected memory.",
     "Unhandled System.Exception", kBare | kAnybodys},
    // Of Myelin up to 8.x, to standard error.
    {"dcheck", Gate::infix, "CHECK(", "(?:\\S+:\\d+: )?D?CHECK\\(.*\\) failed\\..*", on_error,
     "operation.cpp:3390: DCHECK(opnd->is_data()) failed. ", "Skipping CHECK(x) of the graph",
     kBare},
    {"myelin-check", Gate::infix, " -- assertion failed", "In function .* -- assertion failed",
     on_error,
     "In function split_input -- /src/optimizer/kqv_gemm_split.cpp:658 status == myelinSuccess -- "
     "assertion failed",
     "Some check -- assertion failed", kBare},
    {"nvrtc-failure", "NVRTC Compilation failure(?:[.: ].*)?", on_error,
     "NVRTC Compilation failure", "NVRTC Compilation failures are rare", kBare},
    // Of an exception in a calibrator that Python wrote.
    {"calibrator-exception", "Exception caught in get_\\w+\\(\\): .*", on_error,
     "Exception caught in get_batch(): Unable to cast Python instance to C++ type",
     "Exception caught in get_batch", kBare},
    // cuDNN 8 on Windows ends the process there.
    {"zlib-missing", Gate::prefix, "Could not locate zlibwapi.dll",
     "Could not locate zlibwapi\\.dll\\. .*", on_error,
     "Could not locate zlibwapi.dll. Please make sure it is in your library path!",
     "Could not locate zlibwapi.dll", kBare | kAnybodys},
    {"library-not-opened", "Unable to open library: .+", on_error,
     "Unable to open library: libnvinfer_plugin.so.8 due to libcudnn.so.8: cannot open shared "
     "object file: No such file or directory",
     "Unable to open library: ", kBare | kAnybodys},
    // locateFile() of the samples, in front of a bare "&&&& FAILED"; the folders follow.
    {"file-not-located", "Could not find .+ in data directories:.*", on_error,
     "Could not find data/mnist.onnx in data directories:", "Could not find data/mnist.onnx",
     kBare | kAnybodys | kOpens},
    // TensorFlow, when it is imported, looks for TensorRT's and CUDA's libraries and goes on.
    {"tensorflow-no-tensorrt", Gate::infix, "Could not load dynamic library 'libnvinfer",
     ".*dso_loader\\.cc:\\d+\\] .*Could not load dynamic library 'libnvinfer.*", on_program_warning,
     "W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic "
     "library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7: cannot open shared object file: No such "
     "file or directory",
     "Could not load dynamic library 'libnvinfer.so.7'", kBare},
    {"tensorflow-no-library", Gate::infix, "Could not load dynamic library '",
     ".*dso_loader\\.cc:\\d+\\] .*Could not load dynamic library '.*", nullptr,
     "W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic "
     "library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file: No "
     "such file or directory",
     "Could not load dynamic library 'libfoo.so'", kBare | kNoise},
    // The dynamic loader, in whose name a program or a library reports.
    {"loader-missing", Gate::infix, ": cannot open shared object file",
     ".*\\S: cannot open shared object file(?:: .*)?", on_error,
     "trtexec: error while loading shared libraries: libnvinfer.so.8: cannot open shared object "
     "file: No such file or directory",
     ": cannot open shared object file", kBare | kAnybodys},
    {"loader-stack", Gate::infix, ": cannot enable executable stack",
     ".*\\S: cannot enable executable stack as shared object requires(?:: .*)?", on_error,
     "ImportError: libnvinfer.so.8: cannot enable executable stack as shared object requires: "
     "Invalid argument",
     "x: cannot enable executable stacks", kBare | kAnybodys},
    {"loader-broken", Gate::infix, ".so", ".*\\.so[.\\d]*: (?:file too short|invalid ELF header)",
     on_error,
     "trtexec: error while loading shared libraries: /usr/lib/libnvinfer.so.8: file too short",
     "libnvinfer.so is there", kBare | kAnybodys},
    // The entrypoint of NVIDIA's containers.
    {"container-no-driver", Gate::infix, "The NVIDIA Driver was not detected",
     "(?:WARNING: )?The NVIDIA Driver was not detected\\..*", on_program_warning,
     "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.",
     "The NVIDIA Driver was not detected by us", kBare},
    {"nvml-missing", Gate::infix, "Failed to initialize NVML",
     "(?:Error: )?Failed to initialize NVML(?:: .*)?", on_program_warning,
     "Error: Failed to initialize NVML", "Failed to initialize NVML twice", kBare},
    {"container-driver", Gate::infix, "This container was built for NVIDIA Driver Release ",
     "(?:ERROR: |WARNING: )?This container was built for NVIDIA Driver Release \\S+ or later, "
     "but.*",
     on_error,
     "ERROR: This container was built for NVIDIA Driver Release 450.51 or later, but version "
     "410.78 was detected and compatibility mode is UNAVAILABLE.",
     "This container was built for NVIDIA Driver Release 450.51", kBare | kOpens},
    {"calibrator-abstract", Gate::infix, "Tried to call pure virtual function ",
     "(?:RuntimeError: )?Tried to call pure virtual function \\S+", on_error,
     "RuntimeError: Tried to call pure virtual function "
     "\"IInt8EntropyCalibrator2_pyimpl::read_calibration_cache\"",
     "Tried to call pure virtual function ", kBare},
    // What programs print of the ONNX parser's errors.
    {"onnx-error", Gate::infix, "In node ",
     "(?:.*\\W)?In node -?\\d+ (?:with name: .* and operator: \\S+ )?\\(\\w+\\): [A-Z_]+: .*",
     on_error,
     "In node 0 (importModel): INVALID_GRAPH: Assertion failed: tensors.count(input_name)",
     "In node 3 the weights are missing", kBare},
    {"onnx-type", Gate::infix,
     "Unsupported ONNX data type: ", "\"?Unsupported ONNX data type: \\w+ \\(\\d+\\)\"?", on_error,
     "Unsupported ONNX data type: UINT8 (2)", "Unsupported ONNX data type: none", kBare},
    // Of which no traceback was kept: about TensorRT, or of no account.
    {"python-tensorrt-error", Gate::infix, "Error: ",
     "(?:Runtime|Value|Type|Attribute|Assertion|Import|ModuleNotFound|FileNotFound)Error: .*"
     "(?:TensorRT|tensorrt|nvinfer|Error Code \\d|Error thrown at core/).*| +RuntimeError: "
     "TensorRT does not "
     "currently build wheels.*",
     on_error, "RuntimeError: [TensorRT-LLM][ERROR] Assertion failed: MPI size 1 != TP size 2",
     "The RuntimeError: of TensorRT", kBare},
    {"python-other-error", Gate::infix, "Error: ",
     "(?:Runtime|Value|Type|Attribute|Assertion|Key|OS|Memory|NotImplemented|Import|ModuleNotFound|"
     "FileNotFound)Error: .+",
     nullptr, "RuntimeError: decode engine build failed", "The RuntimeError: nothing",
     kBare | kNoise},
    {"python-ignored", Gate::prefix, "Exception ignored ",
     "Exception ignored (?:in: |in |while ).*", on_ignored_exception,
     "Exception ignored in: <function Engine.__del__ at 0x7fcd429b1550>",
     "Exception ignored by the user", kBare | kAnybodys},
    {"python-atexit", Gate::prefix, "Error in atexit",
     "Error in atexit\\._run_exitfuncs:", on_ignored_exception,
     "Error in atexit._run_exitfuncs:", "Error in atexit of a tool", kBare | kAnybodys},
    {"traceback", "Traceback \\(most recent call last\\): *", on_traceback,
     "Traceback (most recent call last):", "Traceback (most recent call last): none",
     kBare | kAnybodys},
    // Forums take a blank from every line of a traceback, or give it one.
    {"python-exception", Gate::prefix, "",
     " ?(?:[A-Za-z_]\\w*\\.)*\\w*(?:Error|Exception|Interrupt|Fail|Exit)(?:: .*)?", on_exception,
     "AttributeError: 'NoneType' object has no attribute 'serialize'",
     "Engine built without an Error: none", kBare | kAnybodys, LogSection::traceback},
    // tqdm, between the lines of the library.
    {"progress-bar", Gate::infix, "%|", "[^|]*\\d{1,3}%\\|[^|]*\\| ?\\d+/\\d+ \\[[^\\]]*\\](.*)",
     nullptr, "Building engine: 100%|####| 6/6 [00:43<00:00,  7.20s/it]", "100%|####| done",
     kBare | kAnybodys | kNoise},
    // The error report that ComfyUI offers for copying.
    {"comfyui-report", Gate::prefix, "- **Exception Message:** ",
     "- \\*\\*Exception Message:\\*\\* .+", on_error,
     "- **Exception Message:** a bytes-like object is required, not 'NoneType'",
     "- **Exception Message:** ", kBare | kAnybodys},
    {"traceback-frame", Gate::prefix, "", "[ \\t].*", on_frame,
     "  File \"build.py\", line 3, in <module>", "Building the engine", kBare | kNoise,
     LogSection::traceback},
    {"traceback-headless", Gate::infix, "\", line ", " *File \".+\", line \\d+, in \\S.*",
     on_headless_frame, "  File \"build.py\", line 3, in <module>", "see File \"build.py\", line 3",
     kBare | kAnybodys | kNoise},
};

}  // namespace

LineKinds kinds_of_process() {
  return kProcessKinds;
}

}  // namespace trtlens

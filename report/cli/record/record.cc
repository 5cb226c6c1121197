// The command `record`: prints the commands that record everything, or runs them here.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "parsers/parse.h"
#include "report/cli/interrupt.h"
#include "report/cli/output.h"
#include "report/cli/record/steps.h"
#include "report/cli/redaction.h"
#include "report/cli/rule_files.h"
#include "report/cli/value_problem.h"
#include "report/cli/watch/live_view.h"

namespace trtlens {
namespace {

constexpr std::array kInputs = {"build.log",   "layers.json",  "run.log",
                                "profile.log", "profile.json", "times.json"};
constexpr const char* kEngine = "model.plan";

bool exists(const char* file) {
  return ::access(file, F_OK) == 0;
}

std::string version_problem(const std::string& text) {
  if (is_recorded_version(text)) return {};
  return fmt::format("'{}' is no version of TensorRT from 7 to 11, such as 8.6 or 10{}", text,
                     did_you_mean(text, {"7", "8", "8.6", "9", "10", "11"}));
}

std::string run_problem(const RecordArguments& arguments) {
  if (arguments.producer == "torch-tensorrt") {
    return "torch-tensorrt records from within its program; --print shows how";
  }
  const auto there = std::ranges::find_if(kInputs, exists);
  if (there == kInputs.end() && !exists(kEngine)) return {};
  return fmt::format("{} is here already; record in a folder of its own",
                     there == kInputs.end() ? kEngine : *there);
}

// Reads what the command prints from standard input, shows how it goes, and keeps it.
void watch_and_keep(const AnalyzeOptions& how, std::ostream& log) {
  ParseOptions options = parse_options({}, how.rules.get());
  options.tee = [&log](const char* data, std::size_t size) {
    log.write(data, static_cast<std::streamsize>(size));
  };
  LiveView live(how, shows_live_view(false));
  options.so_far = [&live](const LogSoFar& so_far) { live.take(so_far); };
  const InterruptEndsInput interrupt(true, true);
  options.interrupted = InterruptEndsInput::happened;
  (void)parse_inputs({"-"}, options);
}

// A command that writes to a pipe that nobody reads any more is to end, also where this program was
// killed; an ignored SIGPIPE would be handed on to it.
std::FILE* started(const std::string& command) {
  (void)std::signal(SIGPIPE, SIG_DFL);
  std::FILE* const output = ::popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  (void)std::signal(SIGPIPE, SIG_IGN);
  return output;
}

bool is_on_path(const std::string& program) {
  std::FILE* const found = started("command -v " + program + " >/dev/null");
  return found == nullptr || ::pclose(found) == 0;
}

// Empty, or why it is of no use.
std::string run_step(const RecordStep& step, const AnalyzeOptions& how) {
  std::ofstream log;
  if (!step.log.empty()) {
    log.open(step.log, std::ios::binary);
    if (!log) return step.log + ": " + std::strerror(errno);
  }
  const int input = ::dup(STDIN_FILENO);
  std::FILE* const output = started(step.command);
  if (output == nullptr || ::dup2(::fileno(output), STDIN_FILENO) < 0) {
    return "no shell could be started";
  }
  watch_and_keep(how, log);
  ::dup2(input, STDIN_FILENO);
  ::close(input);
  const int status = ::pclose(output);
  if (log.is_open()) log.close();
  if (!log) return step.log + " could not be written";
  if (status == 0 || InterruptEndsInput::happened()) return {};
  const std::string program = step.command.substr(0, step.command.find(' '));
  if (WIFSIGNALED(status))
    return fmt::format("{} was ended by signal {}", program, WTERMSIG(status));
  constexpr int kNotFound = 127;  // also of a program whose libraries the loader does not find
  if (WEXITSTATUS(status) != kNotFound || is_on_path(program)) {
    return fmt::format("{} ended with status {}", program, WEXITSTATUS(status));
  }
  (void)std::remove(step.log.c_str());  // of the shell, and of nothing else
  return program + " is not on the PATH" +
         (program == "trtexec" ? "; it is often in /usr/src/tensorrt/bin" : "");
}

int run_steps(const std::vector<RecordStep>& steps) {
  AnalyzeOptions how;
  if (!set_rules({}, {}, how)) return kExitFailure;
  how.ignore = {"trtexec-not-found"};  // run_step() says it, and where trtexec may be
  int status = kExitDone;
  for (const RecordStep& step : steps) {
    complain("$ " + step.command);
    const std::string problem = run_step(step, how);
    if (!problem.empty()) {
      complain(problem);
      status = kExitFailure;
    }
    if (status != kExitDone || InterruptEndsInput::happened()) break;
  }
  AnalyzeArguments analyze;
  analyze.output.format = "text";  // one screen, in a job's log, too
  std::ranges::copy_if(kInputs, std::back_inserter(analyze.paths), exists);
  if (analyze.paths.empty()) return kExitFailure;
  return std::max(status, run_analyze(analyze));
}

}  // namespace

CommandRow record_command(RecordArguments& a) {
  return {"record",
          "the commands that record all that trtlens reads, in the flags of a TensorRT",
          "Examples:\n"
          "  trtlens record --print --onnx model.onnx --tensorrt 8.6 --precision int8 --precision "
          "fp16\n"
          "  trtlens record --print --producer polygraphy --precision fp16\n"
          "  trtlens record --run --onnx ../model.onnx -- --shapes=input:8x3x224x224\n"
          "\n"
          "They write into the folder where they run: a folder a build. Exit status: 0 done; 2 the "
          "version does not have what is asked for, or a command failed; 130 after Ctrl-C.",
          {{"--print", &a.print, "print the commands, for a shell or to be changed"},
           {"--run", &a.run,
            "run them in this folder, show how the build goes, and report on what they recorded"},
           {"--onnx", &a.onnx, "the model (default: model.onnx)", "FILE"},
           {"--tensorrt", &a.tensorrt, "version that they are for: 7 to 11 (default: 10)",
            "VERSION", false, version_problem},
           {"--precision", &a.precisions,
            "precisions to allow, repeatable: " + join(recorded_precisions(), ", ") +
                "; none for TensorRT 11, where the types of the model decide",
            "NAME", false, one_of(recorded_precisions())},
           {"--producer", &a.producer,
            "what builds the engine: trtexec, polygraphy, torch-tensorrt, onnxruntime (default: "
            "trtexec)",
            "NAME", false, one_of({"trtexec", "polygraphy", "torch-tensorrt", "onnxruntime"})},
           {"OPTION", &a.more, "behind --: more options of trtexec, for the build and the runs"}}};
}

int run_record(const RecordArguments& arguments) {
  std::string problem;
  const std::vector<RecordStep> steps = record_steps(arguments, problem);
  if (arguments.print == arguments.run) {
    problem = "record takes one of --print, which shows the commands, and --run, which runs them";
    problem += arguments.print ? "; not both" : "";
  } else if (problem.empty() && arguments.run) {
    problem = run_problem(arguments);
  }
  if (!problem.empty()) {
    complain(problem);
    return kExitFailure;
  }
  if (arguments.run) return run_steps(steps);
  return print(commands_text(steps)) ? kExitDone : kExitFailure;
}

}  // namespace trtlens

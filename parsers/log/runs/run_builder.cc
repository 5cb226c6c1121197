// Keeps messages and layers within their limits, and decides how a run ended.
#include "parsers/log/runs/run_builder.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "parsers/text/names.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

// A line longer than this is quoted by its beginning only; sparsity lists have hundreds of kB.
constexpr std::size_t kMaxMessageBytes = 4096;

constexpr std::size_t kMaxLayerMemoryBytes = std::size_t{64} << 20;

bool has_generated(const Build& build) {
  return std::any_of(build.stages.begin(), build.stages.end(),
                     [](const BuildStage& stage) { return stage.name == "engine generation"; });
}

bool asks_for_help(const std::string& command) {
  // parse_command() knows long options only.
  return parse_command(command).has("help") || (command + " ").find(" -h ") != std::string::npos;
}

// Errors that end nothing: memory that is freed after its CUDA context, and a timing cache that is
// not used.
bool ends_nothing(const std::string& error) {
  static const RE2 pattern(
      "Allocator\\.cpp::(?:[\\w:]+::)?deallocate(?:Async)?::\\d+\\] Error Code 1: Cuda Runtime "
      "\\((?:invalid argument|driver shutting down|context is destroyed|invalid device context)|"
      "myelinCache\\.\\w+::(?:\\w+::)*deserializeFromBuffer|(?:timing|incoming) cache will not be "
      "used",
      RE2::Latin1);
  return RE2::PartialMatch(error, pattern);
}

// ONNX Runtime asks TensorRT for each node whether it takes it; others run what it does not take.
bool is_an_answer(const Build& build, const std::string& error) {
  return build.producer == "onnxruntime" &&
         error.find("getPluginCreator could not find plugin") != std::string::npos;
}

}  // namespace

void RunBuilder::message(LogSeverity severity, std::string_view text, SourcePos pos) {
  if (severity >= LogSeverity::error && !cursor_frozen_) {
    build.last_timed = autotune.cursor();
    if (build.last_timed->layer.empty()) build.last_timed.reset();
    cursor_frozen_ = true;
  }
  if (severity >= LogSeverity::error && of_tensorrt_ && has_network && phase == BuildPhase::open &&
      !ends_nothing(std::string(text.substr(0, kMaxMessageBytes)))) {
    phase = BuildPhase::failed;
  }
  std::string key(1, static_cast<char>('0' + static_cast<int>(severity)));
  key += text.substr(0, kMaxMessageBytes);
  const auto found = message_index_.find(key);
  if (found != message_index_.end()) {
    ++build.messages[found->second].count;
    last_message_line_[found->second] = pos.line;
    current_message_ = found->second;
    current_is_new_ = false;
    return;
  }
  current_message_ = kNoMessage;
  // Errors decide the outcome: a flood of warnings must not push them out.
  const std::size_t room = severity >= LogSeverity::error ? 2 * kMaxMessages : kMaxMessages;
  if (build.messages.size() >= room) {
    ++messages_left_out;
    return;
  }
  Message message;
  message.severity = severity;
  message.text = key.substr(1);
  message.pos = pos;
  message.of_tensorrt = of_tensorrt_;
  current_message_ = build.messages.size();
  current_is_new_ = true;
  message_index_.emplace(std::move(key), current_message_);
  build.messages.push_back(std::move(message));
  last_message_line_.push_back(pos.line);
}

void RunBuilder::continue_message(std::string_view text) {
  if (current_message_ >= build.messages.size() || !current_is_new_) return;
  std::string& whole = build.messages[current_message_].text;
  if (whole.size() >= kMaxMessageBytes) return;
  whole += '\n';
  whole += text.substr(0, kMaxMessageBytes);
}

void RunBuilder::defer(const LineKind& kind, const Match& match) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // stays in the second cache
  deferred.add(kind, match);
  if (deferred.bytes() > kMostBytes) settle();
}

Layer& RunBuilder::layer(std::string_view name, SourcePos pos) {
  settle();
  const auto found = layer_index_.find(name);
  if (found != layer_index_.end()) return build.layers[found->second];
  if (build.layers.size() >= kMaxLayers) {
    ++layers_left_out;
    return left_out_layer_ = Layer();
  }
  layer_index_.emplace(name, build.layers.size());
  Layer& made = build.layers.emplace_back();
  made.name = name;
  made.pos = pos;
  made.found_in = kFoundInLog;
  return made;
}

OnnxNode& RunBuilder::onnx_node(std::string_view name, SourcePos pos) {
  settle();
  const auto found = node_index_.find(name);
  if (found != node_index_.end()) return build.onnx_nodes[found->second];
  if (build.onnx_nodes.size() >= kMaxNodes) {
    ++layers_left_out;
    return left_out_node_ = OnnxNode();
  }
  node_index_.emplace(name, build.onnx_nodes.size());
  OnnxNode& made = build.onnx_nodes.emplace_back();
  made.name = name;
  made.pos = pos;
  return made;
}

void RunBuilder::shared_dims(std::string_view dims, Tensor& tensor) {
  tensor.has_dims = read_dims(dims, dims_);
  tensor.dims = recent_->dims.dims(dims_);
}

void RunBuilder::missing_scale(std::string_view tensor, SourcePos pos) {
  const auto [slot, is_new] =
      scale_index_.try_emplace(std::string(tensor), build.missing_scales.size());
  if (is_new) {
    build.missing_scales.push_back({std::string(tensor), 1, pos});
  } else {
    ++build.missing_scales[slot->second].count;
  }
}

void RunBuilder::io_tensor(IoTensor io) {
  constexpr std::size_t kMostBytes = std::size_t{4} << 20;
  if (io_index_.find(build.io_tensors, io.tensor.name) == nullptr) {
    if (build.io_tensors.size() >= kMaxIoTensors || io_bytes_ >= kMostBytes) {
      ++rows_left_out;
      return;
    }
    io_bytes_ += io.tensor.name.size() + io.tensor.format.size();
  }
  io_index_.add(build.io_tensors, std::move(io));
}

void RunBuilder::layer_memory(LayerMemory one) {
  std::vector<LayerMemory>& all = build.memory.layers;
  if (all.size() >= kMaxLayerMemories || layer_memory_bytes_ >= kMaxLayerMemoryBytes) {
    ++rows_left_out;
    return;
  }
  layer_memory_bytes_ += one.layer.size();
  all.push_back(std::move(one));
}

bool RunBuilder::expects_more() const {
  return current_message_ < build.messages.size() &&
         !build.messages[current_message_].text.empty() &&
         build.messages[current_message_].text.back() == ':';
}

// An error in front of the lines that it ended, as somebody quotes it in a thread: without the
// clock that they have.
bool RunBuilder::is_quoted_in_front(std::size_t i) const {
  const Message& message = build.messages[i];
  return i == 0 && message.pos.line == run.first_line && message.count == 1 &&
         message.of_tensorrt && has_clock_ && !begins_with_clock &&
         run.outcome != Outcome::passed && engine_saved_line == 0 && !ends_nothing(message.text);
}

void RunBuilder::decide_outcome() {
  bool stopped_by_error = false;
  build.engine_saved = run.command.empty() && engine_saved_line > last_progress_line_;
  for (std::size_t i = 0; i < build.messages.size(); ++i) {
    const Message& message = build.messages[i];
    if (message.severity < LogSeverity::error || ends_nothing(message.text)) continue;
    if (is_an_answer(build, message.text)) continue;
    if (last_message_line_[i] > engine_saved_line) build.engine_saved = false;
    // Polygraphy stops with what it says behind "[!]", its own words.
    const bool stops = message.of_tensorrt || build.producer == "polygraphy";
    if (stops && !message.before_progress) stopped_by_error = true;
  }
  if (run.outcome == Outcome::passed || run.outcome == Outcome::failed) {
    build.closing_line = true;
    // 10.13 to 11.1 with --saveEngine do not look at what the builder returns, and print PASSED.
    if (engine_is_empty && stopped_by_error) run.outcome = Outcome::failed;
  } else if (stopped_by_error) {
    run.outcome = Outcome::failed;
  } else if (asks_for_help(run.command) || (run.command.empty() && build.banner.empty() &&
                                            !build.engine_build_s && has_generated(build))) {
    // --help ends with status 0, without a verdict; and a program with the samples' logger has
    // none: the build is whole.
    run.outcome = Outcome::unknown;
  } else if (!build.closing_line && !build.engine_saved && !is_of_program &&
             (!run.command.empty() || !build.banner.empty()) &&
             (build.producer == "trtexec" || !run.command.empty()) && build.producer != "mlperf" &&
             build.producer != "unknown") {
    // trtexec, its relatives and Polygraphy end with a verdict; MLPerf's harnesses may not. Lines
    // without the head of a run are an excerpt: its end proves nothing.
    run.outcome = Outcome::truncated;
  }
  build.outcome = run.outcome;
}

void RunBuilder::add_command(Build& to) const {
  to.has_log = true;
  if (to.producer != "polygraphy") {  // whose options mean other things
    to.command_is_typed = run.command.empty() && !typed.text().empty();
    to.command = to.command_is_typed ? typed.text() : run.command;
    if (!to.command.empty()) to.commands.push_back(to.command);
    to.options = parse_command(to.command);
  }
  if (!to.tensorrt) to.tensorrt = version_of_names(to);
  to.allowed = allowed_precision(to);
  read_banner(to);
}

void RunBuilder::time_layer() {
  if (timed_layers.is_over) {  // of the next profile
    timed_layers.begun = 0;
  } else if (timed_layers.begun == 0) {
    timed_layers.at_most = build.graph_layers;
  }
  timed_layers.is_over = false;
  ++timed_layers.begun;
}

Build RunBuilder::so_far() const {
  Build copy = build;
  if (!run.producer.empty()) copy.producer = run.producer;
  add_command(copy);
  return copy;
}

void RunBuilder::finish() {
  autotune.finish();
  // What is put off, at most 1 MiB, may be left out then: it is counted before the run ends.
  const bool nearly_full = build.memory.layers.size() >= kMaxLayerMemories / 2 ||
                           layer_memory_bytes_ >= kMaxLayerMemoryBytes / 2 ||
                           build.layers.size() >= kMaxLayers / 2 ||
                           build.onnx_nodes.size() >= kMaxNodes / 2;
  if (passes.begun() || nearly_full) settle();
  passes.finish(build);
  if (!cursor_frozen_ && !autotune.cursor().layer.empty()) build.last_timed = autotune.cursor();
  const auto most = std::max_element(producers_.begin() + 1, producers_.end());
  if (!run.producer.empty()) {
    build.producer = run.producer;
  } else if (build.producer == "unknown" && *most > 0) {
    build.producer = to_string(static_cast<Producer>(most - producers_.begin()));
  }
  run.producer = build.producer;
  for (std::size_t i = 0; i < build.messages.size(); ++i) {
    build.messages[i].before_progress =
        last_message_line_[i] <= last_progress_line_ && !is_quoted_in_front(i);
  }
  decide_outcome();
  add_command(build);
  if (build.command_is_typed) run.command = build.command;
  build.runs.push_back(run.n);
  // Nothing is added any more but what was put off.
  autotune.free_buffers();
  message_index_ = Index();
  scale_index_ = Index();
  io_index_ = IoTensorIndex();
  last_message_line_ = std::vector<std::uint64_t>();
}

void RunBuilder::make_whole() {
  settle();
  autotune.take_races(build.autotuning);
  build.reformat_tuning = autotune.reformats();
  myelin.name_nodes(build.layers);
  for (Layer& l : build.layers) {
    if (l.onnx_nodes.empty()) l.onnx_nodes = onnx_nodes_of_name(l.name);
  }
}

}  // namespace trtlens

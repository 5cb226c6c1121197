// Assembles the events of one run into a Build.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "parsers/log/framing/typed_command.h"
#include "parsers/log/grammar/line_kind.h"
#include "parsers/log/runs/autotune_fold.h"
#include "parsers/log/runs/backend_passes.h"
#include "parsers/log/runs/build_boundary.h"
#include "parsers/log/runs/deferred_facts.h"
#include "parsers/log/runs/io_tensors.h"
#include "parsers/log/runs/myelin_tables.h"
#include "parsers/log/runs/wrapped_layer.h"
#include "parsers/model/build.h"
#include "parsers/text/numbers.h"
#include "parsers/text/shared_texts.h"

namespace trtlens {

// A row of the profile table.
struct ProfileRow {
  std::string name;
  std::optional<LayerTime> time;  // none for "nan"
  SourcePos pos;
};

// Which headers the lines of a run have.
struct RunHeaders {
  // Unstamped "[I] text" and "[I] [TRT] text": where TensorRT's lines have the tag, text without it
  // is the program's.
  std::uint64_t untagged_known = 0, tagged = 0;
  bool old_samples = false;            // "ERROR: text" is TensorRT's
  std::uint64_t verdicts = 0;          // lines
  std::uint64_t own_lines_before = 0;  // of the log, when the run began
  // TensorRT's words behind another header or behind none, and the last line of them; 0: none yet.
  std::uint64_t library_lines = 0, last_library_line = 0;
  // How many lines of TensorRT's the log had at the last "ERROR: text" whose text is TensorRT's.
  std::uint64_t labelled_at = 0;
};

// Of a run that verdict lines bound.
enum class RunStage : std::uint8_t {
  unbounded,  // no RUNNING came
  running,
  closed  // behind its verdict
};

class RunBuilder {
 public:
  explicit RunBuilder(std::shared_ptr<json_detail::RecentValues> recent)
      : autotune(recent->texts), recent_(std::move(recent)) {}

  Build build;
  Run run;
  LogSection section = LogSection::none;
  std::string section_name;  // "Build Options"
  std::string perf_block;    // 7.x: Host Latency, Enqueue Time, GPU Compute
  AutotuneFold autotune;
  MyelinTables myelin;
  DeferredFacts deferred;
  BackendPasses passes;
  std::optional<ProfileRow> last_total;  // a row "Total", the sum unless another row follows
  std::uint64_t recognised = 0;
  RunHeaders headers;
  RunStage stage = RunStage::unbounded;
  bool opened = false;      // lines without a header belong to the message before them
  WrappedLayer layer_text;  // of a list, whose rest may follow
  BuildPhase phase = BuildPhase::open;
  bool has_network = false;  // the head of a file, or the builder's first line
  // A line up to here is TensorRT's or trtexec's, or names them: what any program prints counts.
  bool is_of_tensorrt = false;
  // Of these there are only "[E] text" lines with words that nobody knows, as any program prints.
  bool is_by_letter = false;
  TypedCommand typed;  // in front of its first line; what TensorRT records counts more

  // Counts a message; equal texts are one record.
  void message(LogSeverity severity, std::string_view text, SourcePos pos);
  // Ends the last message: lines behind it belong to another one.
  void close_message() { current_message_ = static_cast<std::size_t>(-1); }
  static constexpr std::size_t kMaxMessages = 20000;  // twice as many with errors
  // A later physical line of the last message.
  void continue_message(std::string_view text);
  // Whether the message that is open leads up to its next line: "In function importModel:".
  [[nodiscard]] bool expects_more() const;
  // Messages from here on are of TensorRT or trtexec, or of a program around them.
  void speaker(bool of_tensorrt) { of_tensorrt_ = of_tensorrt; }
  void progress(SourcePos pos, bool has_clock) {
    if (!engine_is_empty) last_progress_line_ = pos.line;
    has_clock_ = has_clock_ || has_clock;
  }
  bool begins_with_clock = false;  // its first line
  bool engine_is_empty = false;    // "Created engine with size: 0 MiB": no build goes on from there
  bool is_of_program = false;      // that says so itself: trtexec's verdict is not to be expected
  // Python said here that it goes on after the exception that follows; 0: it did not.
  std::uint64_t ignored_exception_line = 0;
  std::string asserted;  // by Python, in the stack that it prints: "assert parser.parse(data)"
  std::uint64_t engine_saved_line = 0;  // where a program that prints no verdict says so last
  void producer_seen(Producer producer) { ++producers_[static_cast<std::size_t>(producer)]; }
  [[nodiscard]] bool seen(Producer producer) const {
    return producers_[static_cast<std::size_t>(producer)] > 0;
  }

  std::optional<OutputValues> printed_output;  // its header line came last, its values may follow
  std::uint64_t messages_left_out = 0;         // beyond kMaxMessages different ones
  // Of the banner, steps and layers of the memory, inputs and outputs.
  std::uint64_t rows_left_out = 0;
  std::size_t banner_bytes = 0;

  // A number that no clock gives: it is left out.
  void impossible_number(SourcePos pos) {
    if (impossible_numbers++ == 0) first_impossible_line = pos.line;
  }
  std::uint64_t impossible_numbers = 0, first_impossible_line = 0;
  // A number as JSON may have it, too: from 0 to `most`. What trtexec prints as nan or inf is
  // unknown.
  std::optional<double> measured(std::string_view text, double most, SourcePos pos) {
    const auto number = finite_number(text);
    if (!number || (*number >= 0 && *number <= most)) return number;
    impossible_number(pos);
    return std::nullopt;
  }

  // A stage of the build, and how long it took, in seconds / `a_second`.
  void build_stage(std::string name, std::string_view time, double a_second = 1) {
    if (const auto n = finite_number(time))
      build.stages.push_back({std::move(name), *n / a_second});
  }

  // Puts a fact of a kDeferred kind off; when they hold 1 MiB, they are applied.
  void defer(const LineKind& kind, const Match& match);
  // Applies what was put off; who looks at nodes or layers asks for it first.
  void settle() {
    if (!deferred.empty()) deferred.apply(*this);
  }

  // No network has as many; what a report of them would hold has an end.
  static constexpr std::size_t kMaxLayers = 100000, kMaxNodes = 200000;
  std::uint64_t layers_left_out = 0;  // lines about layers and nodes beyond those
  // The layer of that name in the log, made when it is new; beyond kMaxLayers, one that nobody
  // reads.
  Layer& layer(std::string_view name, SourcePos pos);
  OnnxNode& onnx_node(std::string_view name, SourcePos pos);
  // The same text or sizes again, when it is one of the last ones: a tensor is named by the node
  // or layer that writes it and by those that read it.
  SharedText shared_text(std::string_view text) { return recent_->texts.text(text); }
  // A format, and the type that it names.
  std::pair<SharedText, DataType> shared_format(std::string_view text) {
    return recent_->texts.text_and_type(text);
  }
  void shared_dims(std::string_view dims, Tensor& tensor);
  void missing_scale(std::string_view tensor, SourcePos pos);
  static constexpr std::size_t kMaxIoTensors = 20000;  // in 4 MiB of names and formats
  // Adds an input or output, or completes the one of that name.
  void io_tensor(IoTensor io);
  static constexpr std::size_t kMaxLayerMemories = 200000;  // in 64 MiB of names
  void layer_memory(LayerMemory one);

  // The tactics of one more layer are going to be timed.
  void time_layer();
  TimedLayers timed_layers;

  // What the build is known to be while lines come.
  [[nodiscard]] Build so_far() const;
  // Reads the recorded command line and the verdict, decides the outcome, ends records in progress.
  void finish();
  // Behind finish(), for a run that is asked for: what was put off is in `build`, too.
  void make_whole();

 private:
  static constexpr std::size_t kNoMessage = static_cast<std::size_t>(-1);
  [[nodiscard]] bool is_quoted_in_front(std::size_t i) const;
  void decide_outcome();
  void add_command(Build& to) const;

  // Looked up by any text, without a copy of it.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Index = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

  Layer left_out_layer_;
  OnnxNode left_out_node_;
  Index message_index_, layer_index_, node_index_, scale_index_;
  IoTensorIndex io_index_;
  std::size_t io_bytes_ = 0;            // texts of build.io_tensors
  std::size_t layer_memory_bytes_ = 0;  // of build.memory.layers
  std::shared_ptr<json_detail::RecentValues> recent_;
  std::vector<std::int64_t> dims_;                // read last
  std::vector<std::uint64_t> last_message_line_;  // parallel to build.messages
  std::size_t current_message_ = kNoMessage;
  bool current_is_new_ = false;
  std::uint64_t last_progress_line_ = 0;
  bool has_clock_ = false;  // a line of progress
  std::array<std::uint64_t, 16> producers_{};
  bool cursor_frozen_ = false;
  bool of_tensorrt_ = true;
};

// "8503" = 8.5.3, "101601" = 10.16.1, "8.6.1" and "10.16.1.11"; `build` is the text of [bNN].
[[nodiscard]] std::optional<Version> version_of(std::string_view text, std::string_view build);
// Where no line tells it: the version in the path of the program, or in the name of a library that
// a message names.
[[nodiscard]] std::optional<Version> version_of_names(const Build& build);
// Batch, streams, CUDA graph and the like, from the banner's rows and the shapes of the inputs.
void read_banner(Build& build);
// Of the number of the profile and three texts; profile -1: that is no number.
[[nodiscard]] ProfileShapes shapes_of(std::string_view profile, std::string_view min,
                                      std::string_view opt, std::string_view max);
// Sorted by profile; what is known of an input already stays.
void add_profile(Build& build, OptimizationProfile profile);

}  // namespace trtlens

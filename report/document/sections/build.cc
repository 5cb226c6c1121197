// What was built, on what; trtexec's performance summary; messages.
#include <fmt/format.h>

#include <algorithm>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kMessageLines = 3;

std::string tensor_dims_text(const Tensor& tensor) {
  if (!tensor.has_dims && tensor.dims.empty()) return "unknown";
  return tensor.dims.empty() ? "scalar" : dims_text(tensor.dims);
}

std::string ranges_text(const IoTensor& io) {
  std::vector<std::string> profiles;
  for (const ProfileShapes& shapes : io.shapes) {
    std::string text = io.shapes.size() > 1 ? fmt::format("profile {}: ", shapes.profile) : "";
    std::vector<std::string> parts;
    for (const Dims* dims : {&shapes.min, &shapes.opt, &shapes.max}) {
      parts.push_back(dims_text(*dims));
    }
    profiles.push_back(text + join(parts, ", "));
  }
  return join(profiles, "; ");
}

std::string device_text(const Gpu& gpu) {
  std::vector<std::string> parts;
  if (!gpu.name.empty()) parts.push_back(gpu.name);
  if (!gpu.compute_capability.empty()) parts.push_back("SM " + gpu.compute_capability);
  if (gpu.sms) parts.push_back(fmt::format("{} SMs", *gpu.sms));
  if (gpu.memory_bytes) parts.push_back(bytes_text(*gpu.memory_bytes));
  if (gpu.compute_clock_ghz) parts.push_back(fmt::format("{:.3f} GHz", *gpu.compute_clock_ghz));
  if (gpu.memory_clock_ghz) {
    parts.push_back(fmt::format("memory {:.3f} GHz", *gpu.memory_clock_ghz));
  }
  return join(parts, ", ");
}

std::string options_text(const Build& build) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : build.options.flags) {
    std::string part = "--";
    part += name;
    if (!value.empty()) part.append("=").append(value);
    parts.push_back(std::move(part));
  }
  return join(parts, " ");
}

std::string allowed_text(const AllowedPrecision& allowed) {
  std::string text = join(allowed.labels, ", ");
  if (allowed.strongly_typed) text += text.empty() ? "strongly typed" : ", strongly typed";
  if (allowed.no_tf32) text += text.empty() ? "no TF32" : ", no TF32";
  return text.empty() ? "unknown" : text;
}

// A header of trtexec's in a few pasted lines: other programs use the logger of the samples, too.
std::string producer_text(const Build& build) {
  const bool is_certain = build.producer != "trtexec" || build.names_trtexec();
  return is_certain ? build.producer : "trtexec, or another program with its logger";
}

std::string deserialization_text(const Deserialization& times) {
  std::vector<std::string> parts;
  if (times.first_ms) parts.push_back("first " + ms_text(*times.first_ms));
  if (times.average_ms) {
    parts.push_back("mean " + ms_text(*times.average_ms) +
                    (times.iterations ? fmt::format(" of {}", *times.iterations) : ""));
  }
  if (times.bandwidth_gb_per_s)
    parts.push_back(fmt::format("{:g} GB/s", *times.bandwidth_gb_per_s));
  return join(parts, ", ");
}

void add_facts(const Context& context, Section& section) {
  const Build& build = context.build;
  FactList facts("Build and engine");
  facts.add("TensorRT", build.tensorrt ? build.tensorrt->text() : "unknown");
  facts.add("Device", build.gpu ? device_text(*build.gpu) : "unknown");
  facts.add("Producer", producer_text(build));
  facts.add("Precision allowed", allowed_text(build.allowed));
  // A command line that was recorded says it better.
  if (build.command.empty()) facts.add("Options", options_text(build));
  for (const std::string& command : build.commands) facts.add("Command", command);
  if (build.commands.empty()) facts.add("Command", build.command);
  const Inference& inference = build.inference;
  add_facts(context, kInferenceFacts, inference,
            {"batch", "streams", "engine_streams", "aux_streams", "cuda_graph", "data_transfers",
             "spin_wait"},
            facts);
  add_facts(context, kBuildTimeFacts, context.analysis.build_time, {"engine_s", "load_s"}, facts);
  if (inference.deserialization) {
    facts.add("Deserialization", deserialization_text(*inference.deserialization));
  }
  facts.add("Plan built with", build.plan_version);
  facts.add_to(section);
}

// Only what trtexec printed: a column that no metric has is not made.
std::optional<Table> performance_table(const Performance& performance) {
  struct Metric {
    const char* name;
    const std::optional<LatencyStats>* stats;
  };
  const std::vector<Metric> metrics = {
      {"Latency", &performance.latency}, {"GPU compute", &performance.gpu_compute},
      {"Enqueue", &performance.enqueue}, {"H2D", &performance.h2d},
      {"D2H", &performance.d2h},         {"End-to-end host latency", &performance.end_to_end}};
  Table table;
  table.title = "Performance summary, ms per query";
  table.columns = {{"Metric", ColumnKind::text},   {"Min", ColumnKind::number},
                   {"Median", ColumnKind::number}, {"Mean", ColumnKind::number},
                   {"99 %", ColumnKind::number},   {"Max", ColumnKind::number}};
  for (const Metric& metric : metrics) {
    if (!*metric.stats) continue;
    const LatencyStats& stats = **metric.stats;
    const auto p99 = stats.percentiles_ms.find("99");
    table.rows.push_back(
        {text_cell(metric.name), ms_cell(stats.min_ms), ms_cell(stats.median_ms),
         ms_cell(stats.mean_ms),
         ms_cell(p99 == stats.percentiles_ms.end() ? std::nullopt
                                                   : std::optional<double>(p99->second)),
         ms_cell(stats.max_ms)});
  }
  if (table.rows.empty()) return std::nullopt;
  std::vector<std::string> notes;
  if (performance.queries) notes.push_back(count_text(*performance.queries, "query", "queries"));
  if (performance.host_walltime_s) {
    notes.push_back("host walltime " + seconds_text(*performance.host_walltime_s));
  }
  if (performance.coeff_var) {
    notes.push_back("coefficient of variance " + share_text(*performance.coeff_var));
  }
  table.note = sentence_start(join(notes, ", "));
  if (performance.end_to_end) {
    table.note +=
        std::string(table.note.empty() ? "" : ". ") +
        "End-to-end host latency has the wait for the queries before in it; GPU compute is "
        "what the engine takes.";
  }
  return table;
}

std::optional<Table> sample_table(const Context& context) {
  struct Metric {
    const char* name;
    const std::optional<SampleStats>* stats;
  };
  const Analysis& a = context.analysis;
  const std::vector<Metric> metrics = {{"Latency", &a.latency_samples},
                                       {"GPU compute", &a.compute_samples},
                                       {"Enqueue", &a.enqueue_samples},
                                       {"H2D", &a.h2d_samples},
                                       {"D2H", &a.d2h_samples}};
  Table table;
  table.title = "Per-query times (--exportTimes), ms";
  table.columns = {{"Metric", ColumnKind::text},     {"Queries", ColumnKind::number},
                   {"Min", ColumnKind::number},      {"10 %", ColumnKind::number},
                   {"Median", ColumnKind::number},   {"Mean", ColumnKind::number},
                   {"99 %", ColumnKind::number},     {"Max", ColumnKind::number},
                   {"Variation", ColumnKind::number}};
  for (const Metric& metric : metrics) {
    if (!*metric.stats || (**metric.stats).n == 0) continue;
    // Without transfers, as is the default of 11.x, both copies are 0 in every query.
    const bool is_copy = *metric.name == 'H' || *metric.name == 'D';
    if (is_copy && (**metric.stats).max_ms <= 0) continue;
    const SampleStats& s = **metric.stats;
    table.rows.push_back({text_cell(metric.name), count_cell(s.n), ms_cell(s.min_ms),
                          ms_cell(s.p10_ms), ms_cell(s.median_ms), ms_cell(s.mean_ms),
                          ms_cell(s.p99_ms), ms_cell(s.max_ms), share_cell(s.coeff_var)});
  }
  return table.rows.empty() ? std::nullopt : std::optional<Table>(std::move(table));
}

std::optional<Table> io_table(const Context& context) {
  if (context.build.io_tensors.empty()) return std::nullopt;
  const auto& all = context.build.io_tensors;
  const bool any_ranges =
      std::any_of(all.begin(), all.end(), [](const IoTensor& io) { return !io.shapes.empty(); });
  const auto shape = [](const IoTensor& io) { return tensor_dims_text(io.tensor); };
  const auto type = [](const IoTensor& io) { return to_string(io.tensor.type); };
  Table table =
      table_of(context, kIoTensorFacts, pointers_to(all),
               {"name",
                "mode",
                {{"Shape", ColumnKind::label}, shape},
                {{"Type", ColumnKind::precision}, type},
                ColumnOf<IoTensor>({"Min, opt, max of a profile", ColumnKind::label}, ranges_text)
                    .only_if(any_ranges)});
  table.title = "Inputs and outputs of the engine";
  table.shown = context.rows_shown(20);
  return table;
}

std::optional<Table> output_table(const Context& context) {
  const std::vector<OutputValues>& outputs = context.build.outputs;
  if (outputs.empty()) return std::nullopt;
  const auto shape = [](const OutputValues& output) { return tensor_dims_text(output.tensor); };
  Table table = table_of(
      context, kOutputFacts, pointers_to(outputs),
      {"name", {{"Shape", ColumnKind::label}, shape}, "values", "nan", "inf", "min", "max"});
  table.title = "Values of the outputs (--exportOutput, --dumpOutput)";
  table.shown = context.rows_shown(20);
  return table;
}

std::optional<Table> accuracy_table(const Context& context) {
  const std::vector<AccuracyLoss>& losses = context.build.accuracy_losses;
  if (losses.empty()) return std::nullopt;
  const auto threshold = [](const AccuracyLoss& output) {
    const std::optional<double>& value = output.threshold;
    return Cell{value ? fmt::format("{:g}", *value) : std::string(), value};
  };
  Table table = table_of(
      context, kAccuracyFacts, pointers_to(losses),
      {"name", "algorithm", "loss", {{"Beyond the threshold", ColumnKind::number}, threshold}});
  table.title = "Accuracy against the reference (--loadRefOutputs)";
  table.shown = context.rows_shown(20);
  return table;
}

const char* severity_word(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::warning:
      return "warning";
    case LogSeverity::error:
      return "error";
    case LogSeverity::internal_error:
      return "internal error";
    default:
      return "";
  }
}

std::optional<Table> message_table(const Context& context) {
  std::vector<const Message*> messages;
  for (const Message& message : context.build.messages) {
    if (*severity_word(message.severity) != '\0') messages.push_back(&message);
  }
  if (messages.empty()) return std::nullopt;
  std::stable_sort(messages.begin(), messages.end(), [](const Message* a, const Message* b) {
    return a->severity != LogSeverity::warning && b->severity == LogSeverity::warning;
  });
  const auto text = [](const Message& message) {
    return join(first_lines(message.text, kMessageLines), " ");
  };
  const auto severity = [](const Message& message) { return severity_word(message.severity); };
  Table table = table_of(context, kMessageFacts, messages,
                         {{{"Message", ColumnKind::text}, text},
                          {{"Severity", ColumnKind::label}, severity},
                          "count",
                          place_column<Message>("First at")});
  table.title = "Errors and warnings of the log";
  table.shown = context.rows_shown(15);
  return table;
}

}  // namespace

Section build_section(const Context& context) {
  Section section{"build", "Build and performance", {}};
  section.add(performance_table(context.build.performance));
  section.add(sample_table(context));
  add_facts(context, section);
  section.add(io_table(context));
  section.add(output_table(context));
  section.add(accuracy_table(context));
  section.add(message_table(context));
  return section;
}

}  // namespace trtlens

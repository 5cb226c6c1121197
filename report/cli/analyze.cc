// The command `analyze`: reads inputs, holds every build against the gate, reports one or lists
// all.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "parsers/parse.h"
#include "report/cli/builds.h"
#include "report/cli/commands.h"
#include "report/cli/interrupt.h"
#include "report/cli/reading.h"
#include "report/cli/redaction.h"
#include "report/cli/watch/live_view.h"
#include "report/document/document.h"
#include "report/document/parts.h"
#include "report/document/sections/builds.h"
#include "report/document/sections/gate.h"
#include "report/formats/convert/convert.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

// What stands in no report of one build; else the exit status says it.
void name_failures(const HeldBuilds& held) {
  for (std::size_t i = 0; i < held.gates.size(); ++i) {
    const GateResult& gate = held.gates[i];
    if (gate.fails() && held.gates.size() > 1) {
      complain("--fail-on " + gate.fail_on + " holds for " + held.analyses[i].name);
    }
    for (const GateItem& item : gate.items) {
      if (!item.counts || !is_gate_rule(item.finding->rule)) continue;
      complain(fmt::format("--fail-on {}: {}. {}", gate.fail_on, item.finding->title,
                           item.finding->why));
    }
  }
}

void name_reported(const Analysis& analysis) {
  complain(fmt::format("{} builds in these inputs; reported: {} (--build {})",
                       analysis.other_builds.size() + 1, analysis.name, analysis.build_number));
}

// Nobody picked one of several builds, or a part of the report on it.
bool wants_overview(const HeldBuilds& held, const AnalyzeArguments& arguments) {
  return arguments.build == 0 && arguments.run == 0 && !arguments.output.full &&
         arguments.output.sections.empty() && are_builds(held.analyses);
}

BuildOrder order_of(const AnalyzeArguments& arguments) {
  BuildOrder order = arguments.order;
  const auto top = static_cast<std::size_t>(arguments.top);
  order.shown = top == 0 ? 0 : std::max(order.shown, top);
  if (!page_folders(arguments.output).empty()) {
    order.page = [](const Analysis& analysis) { return page_of(analysis.name); };
  }
  return order;
}

ParseResult read(const AnalyzeArguments& arguments, const AnalyzeOptions& how, StageTimes& times,
                 int& tee_error) {
  ParseOptions options = parse_options(arguments.output, how.rules.get());
  options.run = arguments.run;
  options.build = arguments.build;
  options.other_runs = true;
  options.keep_tactics = arguments.keep_tactics;
  if (arguments.tee) {
    options.tee = [&tee_error](const char* data, std::size_t size) {
      if (tee_error == 0 && !write_all(STDOUT_FILENO, data, size)) tee_error = errno;
    };
  }
  OutputOptions output = arguments.output;
  std::optional<LiveView> live;
  if (arguments.watch && !output.quiet) {
    live.emplace(how, shows_live_view(arguments.tee));
    options.so_far = [&live](const LogSoFar& log) { live->take(log); };
    output.quiet = true;
  }
  const InterruptEndsInput interrupt(std::ranges::count(arguments.paths, "-") > 0);
  options.interrupted = InterruptEndsInput::happened;
  return read_inputs(arguments.paths, options, output, times);
}

void say_interrupted(const std::vector<Input>& inputs) {
  if (!InterruptEndsInput::happened()) return;
  const auto input = std::ranges::find(inputs, true, &Input::interrupted);
  complain(input == inputs.end()
               ? "interrupted"
               : fmt::format("interrupted: the report covers what was read, {}, {}",
                             count_text(input->lines, "line", "lines"),
                             bytes_text(static_cast<std::int64_t>(input->bytes))));
}

// How a watched build ended: its outcome and time, and what is wrong first. Texts are the input's.
std::vector<std::string> closing_lines(const Document& document) {
  if (!document.screen) return {document.verdict};  // of several builds
  const Screen& screen = *document.screen;
  const std::vector<const Paragraph*> warnings = warnings_of(document);
  std::vector<std::string> lines;
  // "Interrupted: the report covers what was read, …"
  const bool is_repeated =
      !warnings.empty() && warnings.front()->text.starts_with(screen.verdict + ": ");
  if (!is_repeated) {
    lines.push_back(screen.verdict + (screen.speed.empty() ? "" : ": " + screen.speed));
  }
  for (const Paragraph* said : warnings) lines.push_back(said->text);
  const std::vector<const FindingCard*> cards = cards_of(document);
  if (!cards.empty()) {
    const FindingCard& first = *cards.front();
    lines.push_back(
        fmt::format("[1] {}: {} [{}]", to_string(first.severity), first.title, first.rule));
  } else if (screen.cause_first) {
    lines.emplace_back("The run failed, and no rule explains it.");
  } else {
    for (const Paragraph& said : nothing_found(document)) lines.push_back(said.text);
  }
  return lines;
}

// A reader of the live view sees how it ended, also where the report is in files.
bool says_closing(const AnalyzeArguments& arguments) {
  const OutputOptions& output = arguments.output;
  const bool shows_report = output.files.empty() || !output.format.empty();
  return arguments.watch && !output.quiet && !shows_report;
}

void say_closing(const AnalyzeArguments& arguments, const Report& report) {
  if (!says_closing(arguments)) return;
  for (const std::string& line : closing_lines(report.document())) complain(line);
}

int analyze_and_report(const AnalyzeArguments& arguments) {
  StageTimes times(arguments.output.timing);
  AnalyzeOptions how;
  if (!set_rules(arguments.rules, arguments.ignore, how)) return kExitFailure;
  Baseline baseline;
  if (!read_baseline(arguments.gate.baseline, baseline)) return kExitFailure;
  int tee_error = 0;
  const std::optional<HeldBuilds> all = hold_all(arguments, how, baseline, times, tee_error);
  if (!all) return kExitFailure;
  const HeldBuilds& held = *all;
  const GateResult& gate = held.gates.front();
  name_failures(held);
  const bool overview = wants_overview(held, arguments);
  if (held.analyses.size() > 1 && !overview) name_reported(held.analyses.front());
  if (!arguments.output.quiet) name_gone(gate.gone, arguments.gate.baseline);
  OutputOptions output = arguments.output;
  output.report_to_stderr = arguments.tee;
  Report report;
  report.has_pages = true;
  report.document = [&] {
    if (overview) return overview_of(held.analyses, held.gates, order_of(arguments));
    Document document = build_document(held.analyses.front(), arguments.top, &gate);
    add_builds(held.analyses, held.gates, document);
    add_accepted(gate, arguments.top, document);
    return document;
  };
  report.json = [&](TextStream& out) {
    write_json(held.analyses, held.gates, TRTLENS_VERSION, out);
  };
  report.csv = [&](TextStream& out) {
    BuildOrder order = order_of(arguments);
    order.shown = 0;  // all are
    write_builds_csv(held.analyses, held.gates, rows_of(held.analyses, held.gates, order), out);
  };
  report.gate = [&] { return gate_report(held.analyses, held.gates); };
  say_closing(arguments, report);
  if (!write_report(report, output, times)) return kExitFailure;
  if (tee_error != 0) return kExitFailure;
  return status_after(*held.analyses.front().reading, held.fails ? kExitFinding : kExitDone);
}

}  // namespace

std::optional<HeldBuilds> hold_all(const AnalyzeArguments& arguments, const AnalyzeOptions& how,
                                   const Baseline& baseline, StageTimes& times, int& tee_error) {
  BuildPages pages(arguments);
  if (!pages.begin()) return std::nullopt;
  // Runs are numbered over all inputs.
  if (are_folders(arguments.paths) && arguments.run == 0) {
    std::optional<HeldBuilds> held = hold_folders(arguments, how, baseline, pages, times);
    return pages.are_good() ? std::move(held) : std::nullopt;
  }
  ParseResult parsed = read(arguments, how, times, tee_error);
  const bool closing_says_it = says_closing(arguments) && parsed.builds.size() == 1;
  if (!closing_says_it) say_interrupted(parsed.inputs);
  if (tee_error != 0) complain(std::string("standard output: ") + std::strerror(tee_error));
  std::optional<HeldBuilds> held = hold_read(std::move(parsed), arguments, how, baseline);
  times.end("analyze");
  for (std::size_t i = 0; held && pages.are_wanted() && i < held->analyses.size(); ++i) {
    pages.add(held->analyses[i], held->gates[i]);
  }
  if (!pages.are_good()) held.reset();
  return held;
}

int run_analyze(const AnalyzeArguments& arguments) {
  const int status = analyze_and_report(arguments);
  return InterruptEndsInput::happened() ? kExitInterrupted : status;
}

}  // namespace trtlens

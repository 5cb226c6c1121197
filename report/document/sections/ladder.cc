// From the time now to the roof: what is left after each finding, of a query where its time is
// known.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kStepsOnScreen = 4;

struct WayStep {
  const Finding* finding = nullptr;
  std::size_t number = 0;  // of its card; 0: it has none
  MsRange gain, left;
};
struct Way {
  bool is_query = false;
  double now_ms = 0;
  std::vector<WayStep> steps;
  std::optional<double> roof_ms;
};

std::size_t card_number(const Context& context, const Finding& finding) {
  std::size_t number = 0;
  for (const Finding* known : context.findings) {
    if (known->severity != Severity::info) ++number;
    if (known == &finding) return number;
  }
  return 0;
}

// Queries shrink first by what launches cost, then by what goes from the profile: where it is
// longer than a query, it shrinks with it.
class QueryTimes {
 public:
  QueryTimes(double now_ms, const Ladder& ladder, bool waits)
      : left_{now_ms, now_ms}, profile_ms_(ladder.now_ms), waits_(waits) {}

  void win(const MsRange& query) {
    waits_ = waits_ && query.low_ms <= 0;
    left_ = {left_.low_ms - query.high_ms, left_.high_ms - query.low_ms};
  }
  // `gain`: of profile time.
  [[nodiscard]] MsRange gain(const MsRange& gain) const {
    const double low = gain.low_ms * worst(), high = gain.high_ms * best();
    return {std::min(low, high), std::max(low, high)};
  }
  [[nodiscard]] MsRange left(const MsRange& profile) const {
    return {left_.low_ms - (profile_ms_ - profile.low_ms) * best(),
            left_.high_ms - (profile_ms_ - profile.high_ms) * worst()};
  }

 private:
  [[nodiscard]] double best() const { return std::min(left_.low_ms / profile_ms_, 1.0); }
  // As the findings say: what waits for launches, and may wait on, wins nothing by faster kernels.
  [[nodiscard]] double worst() const {
    return waits_ ? 0 : std::min(left_.high_ms / profile_ms_, 1.0);
  }

  MsRange left_;
  double profile_ms_ = 0;
  bool waits_ = false;
};

std::optional<Way> way_of(const Context& context) {
  const std::optional<Ladder>& ladder = context.analysis.ladder;
  if (!ladder) return std::nullopt;
  const std::optional<double>& query_ms = context.gpu_compute_ms;
  Way out{query_ms.has_value(), query_ms.value_or(ladder->now_ms), {}, {}};
  QueryTimes times(out.now_ms, *ladder, out.is_query && waits_for_launches(context.analysis));
  for (const LadderStep& step : ladder->steps) {
    const Finding& finding = context.analysis.findings.at(step.finding);
    if (step.query && !out.is_query) continue;
    if (step.query) times.win(*step.query);
    out.steps.push_back({&finding, card_number(context, finding),
                         step.query.value_or(times.gain({step.low_ms, step.high_ms})),
                         times.left(step.left)});
  }
  if (ladder->roof_ms) out.roof_ms = times.left({*ladder->roof_ms, *ladder->roof_ms}).low_ms;
  return out;
}

std::string way_text(const MsRange& range) {
  if (range.low_ms >= range.high_ms) return ms_number(range.low_ms);
  return (range.low_ms <= 0 ? "up" : ms_number(range.low_ms)) + " to " + ms_number(range.high_ms);
}

}  // namespace

std::string ladder_roof_text(const Context& context) {
  const std::optional<Ladder>& ladder = context.analysis.ladder;
  if (!ladder || !ladder->roof_ms) return "";
  const Precision precision = ladder->roof_precision;
  return std::string("no conversions, arithmetic at the GPU's peak in ") +
         (precision != Precision::unknown ? to_string(precision) : "the precision it has") +
         ", everything else as it is";
}

std::vector<LadderBar> ladder_bars(const Context& context) {
  const std::optional<Way> ladder = way_of(context);
  std::vector<LadderBar> bars;
  if (!ladder || ladder->steps.empty()) return bars;
  const auto add = [&](std::string label, const MsRange& range) -> LadderBar& {
    const std::string text = range.low_ms < range.high_ms
                                 ? ms_number(range.low_ms) + " to " + ms_text(range.high_ms)
                                 : ms_text(range.low_ms);
    return bars.emplace_back(LadderBar{std::move(label), text, range.low_ms, range.high_ms, 0});
  };
  add("now", {ladder->now_ms, ladder->now_ms});
  Confidence sure = Confidence::measured;  // no surer than the steps before it
  for (std::size_t i = 0; i < std::min(kStepsOnScreen, ladder->steps.size()); ++i) {
    const WayStep& step = ladder->steps[i];
    LadderBar& bar = add(step.finding->title, step.left);
    sure = std::min(sure, step.finding->confidence);
    if (sure != Confidence::measured) bar.text += fmt::format(" ({})", to_string(sure));
    bar.finding = step.number;
  }
  if (ladder->steps.size() > kStepsOnScreen) {
    add(fmt::format("after all {}", ladder->steps.size()), ladder->steps.back().left);
  }
  if (ladder->roof_ms) add("roof", {*ladder->roof_ms, *ladder->roof_ms});
  return bars;
}

std::string gain_left_text(const Context& context, const Finding& finding) {
  constexpr double kNearlyAll = 0.9;
  const std::optional<Way> ladder = way_of(context);
  if (!ladder || !finding.gain) return "";
  const auto step = std::ranges::find(ladder->steps, &finding, &WayStep::finding);
  if (step == ladder->steps.end()) return "";
  const std::optional<MsRange>& query = finding.gain->query;
  const double whole_ms = ladder->is_query && query ? query->high_ms : finding.gain->high_ms;
  if (step->gain.high_ms >= kNearlyAll * whole_ms) return "";
  return " alone, " + way_text(step->gain) + " ms after the above";
}

std::optional<Table> ladder_table(const Context& context) {
  const std::optional<Way> ladder = way_of(context);
  if (!ladder) return std::nullopt;
  Table table;
  table.title = std::string(ladder->is_query ? "Time per query" : "Profile time") +
                (ladder->roof_ms ? " now, after each finding, and at the roof"
                                 : " now and after each finding");
  table.columns = {{"Step", ColumnKind::text},
                   {"Gain (ms)", ColumnKind::number},
                   {"Then (ms)", ColumnKind::number}};
  table.rows.push_back({text_cell("now"), {}, {ms_number(ladder->now_ms), ladder->now_ms}});
  for (const WayStep& step : ladder->steps) {
    const std::string number = step.number > 0 ? fmt::format("{}: ", step.number) : "";
    table.rows.push_back({text_cell(number + step.finding->title),
                          {way_text(step.gain), step.gain.high_ms},
                          {way_text(step.left), step.left.low_ms}});
  }
  if (ladder->roof_ms) {
    table.rows.push_back({text_cell("roof"), {}, {ms_number(*ladder->roof_ms), ladder->roof_ms}});
    table.note = "Roof: " + ladder_roof_text(context) + ".";
  }
  return table;
}

}  // namespace trtlens

// Tactic races: what was skipped, coin-flips, kernels of other types.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr double kCloseMargin = 0.05;
constexpr std::size_t kRacesShown = 15;

Cell ms_in_profile(const Context& context, const Race& race) {
  return ms_cell(race.in_engine ? layer_ms(context.build.layers[*race.in_engine]) : std::nullopt);
}

std::optional<Table> race_table(const Context& context) {
  std::vector<const Race*> close;
  for (const Race& race : context.analysis.races) {
    if (race.margin && *race.margin < kCloseMargin) close.push_back(&race);
  }
  if (close.empty()) return std::nullopt;
  std::stable_sort(close.begin(), close.end(),
                   [](const Race* a, const Race* b) { return *a->margin < *b->margin; });
  Table table = table_of(context, kRaceFacts, close,
                         {label_column<Race>(&Race::layer), "chosen_ms", "runner_up_ms", "margin",
                          ColumnOf<Race>({"In the profile (ms)", ColumnKind::number}, ms_in_profile)
                              .only_if(context.profile_ms > 0),
                          "chosen", "runner_up", name_column<Race>(&Race::layer)});
  table.title = "Close races: the runner-up is within 5 % of the chosen tactic";
  table.shown = context.rows_shown(kRacesShown);
  table.interactive = true;
  table.note = "Which of two close tactics wins may change from build to build.";
  return table;
}

// What lost although it is faster by itself comes first: the conversions around it would have cost
// more. Then what lost by least.
std::optional<Table> alternative_table(const Context& context) {
  const Analysis& a = context.analysis;
  std::vector<const Alternative*> lost;
  std::size_t last = a.races.size();
  for (const Alternative& alternative : a.race_ledger.alternatives) {
    if (alternative.race == last) continue;  // the fastest one of a race comes first
    last = alternative.race;
    if (a.races[last].chosen_ms > 0) lost.push_back(&alternative);
  }
  if (lost.empty()) return std::nullopt;
  const auto over = [&](const Alternative& x) { return x.ms - a.races[x.race].chosen_ms; };
  std::stable_sort(lost.begin(), lost.end(),
                   [&](const Alternative* x, const Alternative* y) { return over(*x) < over(*y); });
  Table table;
  table.title = "Fastest kernel of other types, against the chosen one";
  table.columns = {{"Layer", ColumnKind::name},
                   {"Chosen types", ColumnKind::label},
                   {"Chosen (ms)", ColumnKind::number},
                   {"Other types", ColumnKind::label},
                   {"Other (ms)", ColumnKind::number},
                   {"Difference", ColumnKind::number},
                   {"Chosen tactic", ColumnKind::name, true},
                   {"Other tactic", ColumnKind::name, true},
                   {"Name", ColumnKind::name, true, true}};
  for (const Alternative* x : lost) {
    const Race& race = a.races[x->race];
    const double difference_ms = over(*x);
    table.rows.push_back({text_cell(label_in(context, race.layer)),
                          text_cell(race.types),
                          ms_cell(race.chosen_ms),
                          text_cell(x->types),
                          ms_cell(x->ms),
                          {signed_ms_text(difference_ms), difference_ms},
                          text_cell(race.chosen),
                          text_cell(x->tactic),
                          text_cell(name_behind(context, race.layer))});
  }
  table.shown = context.top;
  table.interactive = true;
  table.note =
      "Times of the races, without conversions. A kernel that is faster by itself lost where the "
      "conversions around it would have cost more, or where the tensors must have another type. "
      "Types of the inputs -> of the outputs.";
  return table;
}

const std::string& region_of(const Context& context, const RegionRace& row) {
  return context.build.myelin_races[row.race].region;
}
std::string region_label(const Context& context, const RegionRace& row) {
  const std::string& region = region_of(context, row);
  return region.empty() ? "" : label_in(context, region);
}
std::string region_name(const Context& context, const RegionRace& row) {
  return name_behind(context, region_of(context, row));
}

// Myelin does not say which kernel it takes; the fastest one is the likeliest.
std::optional<Table> region_table(const Context& context) {
  const std::vector<RegionRace>& rows = context.analysis.race_ledger.in_regions;
  if (rows.empty()) return std::nullopt;
  Table table = table_of(context, kRegionRaceFacts, pointers_to(rows),
                         {"operator",
                          "types",
                          "timed",
                          "fastest_ms",
                          "runner_up_ms",
                          "fastest",
                          {{"Region", ColumnKind::name, true}, region_label},
                          {{"Region's name", ColumnKind::name, true, true}, region_name}});
  table.title = "Operators inside Myelin's regions: the fastest kernel, by types";
  table.shown = context.top;
  table.interactive = true;
  table.note =
      "Times of single kernels while the engine was built. Myelin prints what it timed, not what "
      "it "
      "took.";
  return table;
}

std::string skipped_text(const Build& build) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kSkipReasons; ++i) {
    if (build.tactics_skipped_for[i] == 0) continue;
    parts.push_back(
        fmt::format("{}: {}", to_string(static_cast<SkipReason>(i)), build.tactics_skipped_for[i]));
  }
  return parts.empty() ? "" : " (" + join(parts, "; ") + ")";
}

std::string coin_flip_text(const Context& context) {
  const RaceLedger& ledger = context.analysis.race_ledger;
  if (ledger.coin_flips == 0) return " No winner is within 2 % of its runner-up.";
  std::string text = fmt::format(
      " {} within 2 % of the runner-up, a coin-flip that another build may decide otherwise",
      ledger.coin_flips == 1 ? "1 winner is" : fmt::format("{} winners are", ledger.coin_flips));
  if (ledger.coin_flip_ms) {
    text += fmt::format(": {} of the profile", ms_text(*ledger.coin_flip_ms));
    if (const auto share = context.share_of(ledger.coin_flip_ms)) {
      text += fmt::format(" ({})", share_text(*share));
    }
    text += " rests on them";
  }
  return text + ".";
}

}  // namespace

Section tactic_section(const Context& context) {
  Section section{"tactics", "Tactics", {}};
  const Build& build = context.build;
  if (build.tactics_timed == 0 && context.analysis.races.empty() && build.myelin_races.empty()) {
    return section;
  }
  std::string text = fmt::format(
      "{} timed, {} skipped{}, for {}.",
      count_text(build.tactics_timed, "candidate was", "candidates were"), build.tactics_skipped,
      skipped_text(build),
      count_text(context.analysis.races.size(), "layer with a race", "layers with a race") +
          " and for conversions");
  std::optional<Table> races = race_table(context);
  if (!races && !context.analysis.races.empty()) text += " No race was closer than 5 %.";
  if (races) text += coin_flip_text(context);
  section.say(text);
  section.add(std::move(races));
  section.add(alternative_table(context));
  section.add(region_table(context));
  return section;
}

}  // namespace trtlens

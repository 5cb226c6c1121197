// The time account: what a narrower precision could still win, and what it could not.
#include <fmt/format.h>

#include <algorithm>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kLayersNamed = 3;  // of a row or a sentence; a number stands for the rest

// Conversions that Adds without Q/DQ on their residual input are charged with.
bool is_of_residuals(const AccountRow& row) {
  return row.use == TimeUse::conversion && row.detail.find(',') != std::string::npos;
}

std::string row_title(const TimeAccount& account, const AccountRow& row) {
  switch (row.use) {
    case TimeUse::narrow:
      return fmt::format("Arithmetic in {}, as narrow as {}", row.detail,
                         account.is_allowed ? "allowed" : "any here");
    case TimeUse::wide:
      return "Arithmetic in " + row.detail;
    case TimeUse::unknown_arithmetic:
      return "Arithmetic in an unknown precision";
    case TimeUse::wide_conversion:
      return sentence_start(row.detail) + " around that arithmetic";
    case TimeUse::conversion:
      if (is_of_residuals(row)) return sentence_start(row.detail);
      return sentence_start(row.detail) + " between types, elsewhere";
    case TimeUse::layout:
      return sentence_start(row.detail) + " of the layout alone";
    case TimeUse::unknown_format:
      return sentence_start(row.detail) + " of unknown formats";
    case TimeUse::border:
      return sentence_start(row.detail) + " of the network's inputs and outputs";
    case TimeUse::layout_work:
      return "Shuffles, slices, gathers";
    case TimeUse::region:
      return row.detail == "plugin" ? "Plugins: their inside is not known"
                                    : "Regions: their inside is not known";
    case TimeUse::unattributed:
      return "Records of the profile without layer info";
    case TimeUse::other:
      break;
  }
  if (row.detail == "unknown") return "Layers of a kind that the inputs do not tell";
  return sentence_start(row.detail == "other" ? "other layers" : row.detail);
}

std::string slowest_text(const Context& context, const AccountRow& row) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kLayersNamed, row.layers.size()); ++i) {
    names.push_back(name_text(label_in(context, row.layers[i])));
  }
  if (row.layers.size() > kLayersNamed) {
    names.push_back(fmt::format("and {} more", row.layers.size() - kLayersNamed));
  }
  return join(names, ", ");
}

Table account_table(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  std::vector<const AccountRow*> rows;
  std::uint64_t layers = 0;
  for (const AccountRow& row : account.rows) {
    layers += row.layers.size();
    if (row.time_ms > 0) rows.push_back(&row);
  }
  const auto what = [&account](const AccountRow& row) { return row_title(account, row); };
  const auto count = [](const AccountRow& row) { return count_cell(row.layers.size()); };
  Table table = table_of(context, kAccountRowFacts, rows,
                         {{{"What", ColumnKind::text}, what},
                          {{"Layers", ColumnKind::number}, count},
                          "time_ms",
                          "share",
                          {{"Slowest", ColumnKind::text, true}, slowest_text}});
  table.title = "Time account";
  table.rows.push_back({text_cell("All"), count_cell(layers), ms_cell(context.profile_ms),
                        share_cell(1.0), text_cell("")});
  table.note =
      "Every record of the profile stands in one row. A conversion is charged to the arithmetic "
      "beside it";
  const bool any = std::any_of(account.rows.begin(), account.rows.end(), is_of_residuals);
  table.note += any ? ", or to the Add whose residual input has no Q/DQ." : ".";
  return table;
}

// Of nearly all of the time Amdahl's bound says nothing: arithmetic takes some in any precision.
std::string ceiling_text(const std::optional<double>& ceiling) {
  constexpr double kMost = 4;
  if (!ceiling) return "no bound: it is all of it";
  if (*ceiling > kMost) return "left with almost nothing, which is no useful bound";
  return fmt::format("at most {:.2f} × as fast", *ceiling);
}

// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

bool has_row(const TimeAccount& account, TimeUse use) {
  return std::any_of(account.rows.begin(), account.rows.end(),
                     [&](const AccountRow& row) { return row.use == use && row.time_ms > 0; });
}

// Where the unknown time is, most costly first: "Myelin regions and plugins".
std::string unknown_places(const TimeAccount& account) {
  std::vector<std::string> places;
  for (const AccountRow& row : account.rows) {
    if (row.time_ms <= 0) continue;
    if (row.use == TimeUse::region) {
      places.emplace_back(row.detail == "plugin" ? "plugins" : "Myelin regions");
    } else if (row.use == TimeUse::unattributed) {
      places.emplace_back("records without layer info");
    } else if (row.use == TimeUse::unknown_arithmetic) {
      places.emplace_back("arithmetic of unknown precision");
    } else if (row.use == TimeUse::other && row.detail == "unknown") {
      places.emplace_back("layers of a kind that the inputs do not tell");
    }
  }
  return listed(places);
}

std::string unknown_sentence(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  if (account.unknown_ms <= 0) return "";
  return fmt::format(
      "{} ({}) goes into {}: what they compute in is not known, so neither is what a narrower "
      "precision could win there.",
      ms_text(account.unknown_ms), share_text(account.unknown_ms / context.profile_ms),
      unknown_places(account));
}

// A region computes in types of its own; its races tell what those at its border were worth.
std::string region_race_sentence(const Context& context) {
  const Analysis& a = context.analysis;
  constexpr double kWorthTelling = 0.05;  // of the profile
  const Alternative* found = nullptr;
  double most_ms = kWorthTelling * context.profile_ms;
  std::size_t last = a.races.size();
  for (const Alternative& other : a.race_ledger.alternatives) {
    if (other.race == last) continue;  // the fastest one of a race comes first
    last = other.race;
    const Race& race = a.races[other.race];
    if (!race.in_engine || a.verdicts[*race.in_engine].role != LayerRole::region) continue;
    const double ms = time_or_zero(context.build.layers[*race.in_engine]);
    if (ms < most_ms) continue;
    most_ms = ms;
    found = &other;
  }
  if (found == nullptr) return "";
  const Race& race = a.races[found->race];
  return fmt::format("For the region {} the builder timed {} as well, at {} against {} for {}.",
                     name_text(label_in(context, *race.in_engine)), found->types,
                     ms_text(found->ms), ms_text(race.chosen_ms), race.types);
}

// What stands behind "none of it wider than …".
std::string narrowest_text(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  if (!account.is_allowed) {
    if (context.build.allowed.strongly_typed) {
      return "the narrowest that is seen here. The network is strongly typed: what other types in "
             "the model would win is not judged.";
    }
    return "the narrowest that is seen here. What the build allowed is not known, so neither is "
           "what a narrower precision could win.";
  }
  std::string text =
      "the narrowest that the build allowed: within what it allowed, a narrower precision has "
      "nothing left to win there.";
  if (account.not_allowed.empty()) return text;
  std::vector<std::string> names;
  for (const Precision one : account.not_allowed) names.emplace_back(to_string(one));
  return text + fmt::format(" {} {} not allowed: what {} would win is not judged.", listed(names),
                            names.size() == 1 ? "was" : "were", names.size() == 1 ? "it" : "they");
}

std::string wide_sentence(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  const char* narrowest = to_string(account.narrowest);
  if (account.arithmetic_ms <= 0) {
    return account.unknown_ms > 0
               ? "No time is known to go into convolutions, matrix products or attention."
               : "No time goes into convolutions, matrix products or attention, which a narrower "
                 "precision could make shorter.";
  }
  const std::string arithmetic =
      fmt::format("Convolutions, matrix products and attention take {} of {} ({})",
                  ms_text(account.arithmetic_ms), ms_text(context.profile_ms),
                  share_text(account.arithmetic_ms / context.profile_ms));
  if (account.narrowest == Precision::unknown) return arithmetic + ", in unknown precisions.";
  if (account.wide_ms <= 0 && account.narrowest == Precision::tf32) {
    return fmt::format("{}, all of it in FP32 or TF32, which are one width: {}", arithmetic,
                       narrowest_text(context));
  }
  if (account.wide_ms <= 0) {
    return fmt::format("{}, none of it {}wider than {}, {}", arithmetic,
                       has_row(account, TimeUse::unknown_arithmetic) ? "known to be " : "",
                       narrowest, narrowest_text(context));
  }
  return fmt::format(
      "{}. What is wider than {}, with the conversions around it, takes {} ({}): if all of that "
      "took no time, the layers together would be {}.",
      arithmetic, narrowest, ms_text(account.wide_ms),
      share_text(account.wide_ms / context.profile_ms), ceiling_text(account.ceiling_wide));
}

std::string conversion_sentence(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  if (account.conversions_ms <= 0) return "";
  return fmt::format("Conversions {} take {} ({}): without any, {}.",
                     has_row(account, TimeUse::unknown_format)
                         ? "inside the network, or of formats that the inputs do not tell,"
                         : "inside the network",
                     ms_text(account.conversions_ms),
                     share_text(account.conversions_ms / context.profile_ms),
                     ceiling_text(account.ceiling_conversions));
}

std::string short_sentence(const Context& context) {
  const std::optional<Reconciliation>& launches = context.analysis.reconciliation;
  if (!launches || launches->below_floor.empty()) return "";
  const std::size_t n = launches->below_floor.size();
  std::vector<std::string> kernels;
  for (std::size_t i = 0; i < std::min(kLayersNamed, n); ++i) {
    const Layer& layer = context.build.layers[launches->below_floor[i]];
    kernels.push_back(name_text(label_in(context, launches->below_floor[i])) +
                      (n > 1 ? " (" + us_text(time_or_zero(layer)) + ")" : std::string()));
  }
  if (n > kLayersNamed) kernels.push_back(fmt::format("and {} more", n - kLayersNamed));
  const std::string share = share_text(launches->below_floor_ms / context.profile_ms);
  const std::string cost =
      n == 1 ? fmt::format("1 kernel takes {} ({}), below {} and bound by its launch",
                           ms_text(launches->below_floor_ms), share, ms_text(kLaunchFloorMs))
             : fmt::format("{} kernels take below {} each, {} together ({}), bound by their launch",
                           n, ms_text(kLaunchFloorMs), ms_text(launches->below_floor_ms), share);
  return fmt::format("{}, which no precision makes shorter: {}.", cost, join(kernels, ", "));
}

}  // namespace

Section account_section(const Context& context) {
  Section section{"account", "Why it is not faster", {}};
  if (!context.analysis.account || context.analysis.account->rows.empty()) return section;
  std::vector<std::string> sentences;
  for (std::string& sentence : std::vector<std::string>{
           wide_sentence(context), unknown_sentence(context), region_race_sentence(context),
           conversion_sentence(context), short_sentence(context)}) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  section.say(join(sentences, " "));
  section.add(account_table(context));
  return section;
}

}  // namespace trtlens

// The time account: what a narrower precision could still win, and what it could not.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

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

// "without it the layers are at most 1.23 × as fast". Of nearly all of the time Amdahl's bound says
// nothing: arithmetic takes some in any precision.
std::string ceiling_text(const char* without, const std::optional<double>& ceiling) {
  constexpr double kMost = 4;
  if (!ceiling) return fmt::format("{} nothing is left", without);
  if (*ceiling > kMost) return fmt::format("{} almost nothing is left", without);
  return fmt::format("{} the layers are at most {:.2f} × as fast", without, *ceiling);
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
      places.emplace_back("layers of unknown precision");
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
      "{} take {} ({}), in unknown types: what a narrower one would win there is not judged.",
      sentence_start(unknown_places(account)), ms_text(account.unknown_ms),
      share_text(account.unknown_ms / context.profile_ms));
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
  return fmt::format("The builder also timed {} with {}: {} against {} with {}.",
                     name_text(label_in(context, *race.in_engine)), found->types,
                     ms_text(found->ms), ms_text(race.chosen_ms), race.types);
}

// What nobody judges: types that the build did not allow, or may not have allowed.
std::string not_judged_text(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  if (!account.is_allowed) {
    return context.build.allowed.strongly_typed
               ? " The network is strongly typed: other types in the model are not judged."
               : " What the build allowed is not known: narrower types are not judged.";
  }
  if (account.not_allowed.empty()) return "";
  std::vector<std::string> names;
  for (const Precision one : account.not_allowed) names.emplace_back(to_string(one));
  return fmt::format(" {} {} not allowed: what {} would win is not judged.", listed(names),
                     names.size() == 1 ? "was" : "were", names.size() == 1 ? "it" : "they");
}

// The kinds of arithmetic that take time: "convolution and matrix product".
std::string arithmetic_kinds(const Context& context) {
  constexpr std::array<std::pair<LayerRole, const char*>, 4> kKinds = {
      {{LayerRole::convolution, "convolution"},
       {LayerRole::deconvolution, "transposed convolution"},
       {LayerRole::gemm, "matrix product"},
       {LayerRole::attention, "attention"}}};
  std::vector<std::string> names;
  for (const auto& [role, name] : kKinds) {
    for (std::size_t i = 0; i < context.build.layers.size(); ++i) {
      if (context.analysis.verdicts[i].role != role) continue;
      if (time_or_zero(context.build.layers[i]) <= 0) continue;
      names.emplace_back(name);
      break;
    }
  }
  return names.empty() ? "arithmetic layer" : listed(names);
}

// "INT8", of several of one width "FP16 or BF16".
std::string narrow_types(const TimeAccount& account) {
  std::vector<std::string> types;
  for (const AccountRow& row : account.rows) {
    if (row.use == TimeUse::narrow && row.time_ms > 0) types.push_back(row.detail);
  }
  return types.empty() ? to_string(account.narrowest) : join(types, " or ");
}

std::string wide_sentence(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  if (account.arithmetic_ms <= 0) {
    return account.unknown_ms > 0
               ? "No time is known to go into convolutions, matrix products or attention."
               : "No time goes into convolutions, matrix products or attention.";
  }
  const std::string time =
      fmt::format("{} of {} ({})", ms_text(account.arithmetic_ms), ms_text(context.profile_ms),
                  share_text(account.arithmetic_ms / context.profile_ms));
  const std::string kinds = arithmetic_kinds(context);
  if (account.narrowest == Precision::unknown) {
    return fmt::format("Every {} runs in an unknown precision: {}.", kinds, time);
  }
  if (account.wide_ms <= 0) {
    const bool is_32 = account.narrowest == Precision::tf32;
    const bool is_least = account.is_allowed && account.not_allowed.empty();
    return fmt::format("Every {}{} {} in {}: {}.{}", kinds,
                       has_row(account, TimeUse::unknown_arithmetic) ? " of known precision" : "",
                       is_least ? "already runs" : "runs",
                       is_32 ? "FP32 or TF32" : narrow_types(account), time,
                       not_judged_text(context));
  }
  return fmt::format(
      "Arithmetic takes {}. What is wider than {}, with the conversions around it, takes {} ({}): "
      "{}.",
      time, to_string(account.narrowest), ms_text(account.wide_ms),
      share_text(account.wide_ms / context.profile_ms),
      ceiling_text("without it", account.ceiling_wide));
}

std::string conversion_sentence(const Context& context) {
  const TimeAccount& account = *context.analysis.account;
  if (account.conversions_ms <= 0) return "";
  return fmt::format(
      "Conversions {} take {} ({}): {}.",
      has_row(account, TimeUse::unknown_format) ? "inside the network, or of unknown formats,"
                                                : "inside the network",
      ms_text(account.conversions_ms), share_text(account.conversions_ms / context.profile_ms),
      ceiling_text("without any", account.ceiling_conversions));
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
      n == 1 ? fmt::format("1 kernel takes {} ({}), bound by its launch",
                           ms_text(launches->below_floor_ms), share)
             : fmt::format("{} kernels below {} take {} ({}), bound by their launches", n,
                           ms_text(kLaunchFloorMs), ms_text(launches->below_floor_ms), share);
  return fmt::format("{} in any precision: {}.", cost, join(kernels, ", "));
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

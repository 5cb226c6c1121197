// Facts on precision: fallbacks, tensors without a scale, conversions, the time account.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kUses[] = {"narrow",          "wide",       "unknown-arithmetic",
                                 "wide-conversion", "conversion", "layout",
                                 "unknown-format",  "border",     "layout-work",
                                 "other",           "region",     "unattributed"};
constexpr const char* kNarrowestSources[] = {"options", "layers"};

template <auto Member>
constexpr auto kNamesOf = [](const Analysis& a, const auto& row) {
  return LayerNames{&a.build.layers, &(row.*Member)};
};

// Of a conversion, where the layer names its tensors.
template <auto Member>
constexpr auto kFirstTensorOf = [](const Analysis& a, const ReformatEntry& entry) {
  const std::vector<Tensor>& tensors = a.build.layers[entry.layer].*Member;
  return tensors.empty() ? nullptr : &tensors.front();
};

const FactsOf<Tensor> kReformatSideFacts{
    "side_of_reformat",
    {{"type", kText.or_null(), "of the tensor's elements", kFrom<type_of>},
     {"format", kText.or_null(), "as written", kFrom<&Tensor::format>}}};

FactValue not_allowed(const TimeAccount& account) {
  if (!account.is_allowed) return {};
  std::vector<std::string> names;
  for (const Precision one : account.not_allowed) names.emplace_back(to_string(one));
  return names;
}

}  // namespace

const FactsOf<MissingScaleCost> kMissingScaleFacts{
    "missing_scale",
    {{"tensor", kText, "as the log spells it", kFrom<&MissingScaleCost::tensor>, as_name("Tensor")},
     {"layers", kTexts, "that produce or consume it", kNamesOf<&MissingScaleCost::layers>},
     {"reformats", kTexts, "that the fallback put around them",
      kNamesOf<&MissingScaleCost::reformats>},
     {"time_ms", kMs.or_null().from(0), "of layers and reformats",
      kFrom<&MissingScaleCost::time_ms>, as_number("Time (ms)")},
     {"matters", kFlag.or_null(),
      "false for constants, shape arithmetic and tensors that were fused away",
      kFrom<&MissingScaleCost::matters>, as_label("Matters")},
     {"file", kText.or_absent(), "that reports it",
      [](const Analysis& a, const MissingScaleCost& cost) { return path_of_input(a, cost.pos); }},
     {"line", kCount, "of the file", [](const MissingScaleCost& cost) { return cost.pos.line; }}}};

const FactsOf<Fallback> kFallbackFacts{
    "fallback",
    {{"layer", kText, "its name",
      [](const Analysis& a, const Fallback& f) { return a.build.layers[f.layer].name; }},
     {"time_ms", kMs.or_null().from(0), "profile time", kFrom<&Fallback::time_ms>,
      as_number("Time (ms)")},
     {"why", kText,
      "missing scale of which tensor, forced by --layerPrecisions, weights without Q/DQ, lost the "
      "tactic race, no implementation",
      kFrom<&Fallback::why>, as_prose("Why")},
     {"evidence", kTexts, "what says so", kFrom<&Fallback::evidence>,
      as_detail("Evidence", ColumnKind::text)}}};

const FactsOf<ReformatEntry> kReformatFacts{
    "reformat",
    {{"layer", kText, "its name",
      [](const Analysis& a, const ReformatEntry& entry) {
        return a.build.layers[entry.layer].name;
      }},
     {"from", kReformatSideFacts, "what it reads", kFirstTensorOf<&Layer::inputs>},
     {"to", kReformatSideFacts, "what it writes", kFirstTensorOf<&Layer::outputs>},
     {"bytes", kBytes.or_null().from(0), "read and written", kFrom<&ReformatEntry::bytes>,
      as_number("Bytes")},
     {"time_ms", kMs.or_null(), "profile time",
      [](const Analysis& a, const ReformatEntry& entry) {
        const Layer& layer = a.build.layers[entry.layer];
        return layer.time ? FactValue(layer.time->mean_ms) : FactValue();
      },
      as_number("Time (ms)")},
     {"cause", kText.or_null(), "what it converts, and for which layer", kFrom<cause_of>},
     {"removable", kFlag.or_null(), "with what is known of its neighbours",
      kFrom<&ReformatEntry::removable>}}};

const FactsOf<AccountRow> kAccountRowFacts{
    "account_row",
    {{"use", one_of(kUses), "what the time is spent on; wide: the build allowed less",
      kFrom<&AccountRow::use>},
     {"detail", kText.or_null(),
      "precision, and why it is wide; unknown: of a kind that the inputs do not tell",
      kFrom<&AccountRow::detail>},
     {"time_ms", kMs, "profile time", kFrom<&AccountRow::time_ms>, as_number("Time (ms)")},
     {"share", kShare, "of the profile's sum", kFrom<&AccountRow::share>, as_share("Share")},
     {"layers", kTexts, "slowest first", kNamesOf<&AccountRow::layers>}}};

const FactsOf<TimeAccount> kAccountFacts{
    "account",
    {{"narrowest", kText.or_null(), "precision that the options allow, else that is seen",
      [](const TimeAccount& account) {
        return account.narrowest == Precision::unknown ? FactValue()
                                                       : fact_value(account.narrowest);
      }},
     {"narrowest_from", one_of(kNarrowestSources), "where narrowest comes from",
      [](const TimeAccount& account) { return kNarrowestSources[account.is_allowed ? 0 : 1]; }},
     {"not_allowed", kTexts.or_null(),
      "narrower ones that GPU and version have and the options left out; null: options not known",
      kFrom<not_allowed>},
     {"arithmetic_ms", kMs, "narrow, wide and unknown", kFrom<&TimeAccount::arithmetic_ms>},
     {"wide_ms", kMs, "wide and the conversions because of it", kFrom<&TimeAccount::wide_ms>},
     {"conversions_ms", kMs, "all but those of the network's inputs and outputs",
      kFrom<&TimeAccount::conversions_ms>},
     {"unknown_ms", kMs,
      "of regions, plugins, unknown arithmetic, layers of unknown kind and records without layer "
      "info",
      kFrom<&TimeAccount::unknown_ms>},
     {"ceiling_wide", kNumber.or_null(),
      "how many times faster the layers together would be if wide arithmetic and its conversions "
      "took no time; null: nothing would be left",
      kFrom<&TimeAccount::ceiling_wide>},
     {"ceiling_conversions", kNumber.or_null(), "the same if no conversion in the network took any",
      kFrom<&TimeAccount::ceiling_conversions>},
     {"rows", kAccountRowFacts, "every microsecond of the profile in one of them",
      kFrom<&TimeAccount::rows>}}};

}  // namespace trtlens

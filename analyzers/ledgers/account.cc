// The time account: which part of the profile a narrower precision could still win, and which not.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Arithmetic that --fp4 or --int4 would narrow is quantized by weights alone: no width to hold
// activations against.
Precision narrowest_allowed(const AllowedPrecision& allowed) {
  if (allowed.strongly_typed || allowed.labels.empty()) return Precision::unknown;
  if (allows(allowed, "INT8")) return Precision::int8;
  if (allows(allowed, "FP8")) return Precision::fp8;
  if (allows(allowed, "FP16")) return Precision::fp16;
  if (allows(allowed, "BF16")) return Precision::bf16;
  return Precision::fp32;
}

// Narrower than the narrowest allowed, and there to be allowed: as far as the inputs name the GPU
// and the version.
std::vector<Precision> not_allowed(const Build& build, Precision narrowest) {
  const int sm = build.gpu ? build.gpu->sm().value_or(0) : 0;
  const bool since_9 = build.tensorrt && build.tensorrt->major >= 9;
  std::vector<Precision> more = {Precision::fp16};
  if (since_9 && sm >= 80) more.push_back(Precision::bf16);
  more.push_back(Precision::int8);
  if (since_9 && sm >= 89) more.push_back(Precision::fp8);
  const int least = width_of(narrowest);
  std::erase_if(more, [&](Precision one) { return width_of(one) >= least; });
  return more;
}

Precision narrowest_seen(const Analysis& analysis, const Graph& graph) {
  Precision narrowest = Precision::unknown;
  for (std::size_t i = 0; i < analysis.verdicts.size(); ++i) {
    const LayerVerdict& verdict = analysis.verdicts[i];
    const int width = width_of(verdict.compute);
    if (!is_arithmetic(verdict.role) || width == 0 || !graph.takes_part(i)) continue;
    if (narrowest == Precision::unknown || width < width_of(narrowest)) {
      narrowest = verdict.compute;
    }
  }
  return narrowest;
}

// "missing scale of tensor x" and "lost the tactic race: …" without what differs by layer.
std::string kind_of_reason(const std::string& why) {
  const std::size_t tensor = why.find(" of tensor ");
  return why.substr(0, std::min(tensor, why.find(':')));
}

std::string kinds_of(LayerRole role) {
  constexpr std::array kNamed = {LayerRole::pooling, LayerRole::pointwise,     LayerRole::reduction,
                                 LayerRole::softmax, LayerRole::normalisation, LayerRole::resize};
  const bool is_named = std::ranges::find(kNamed, role) != kNamed.end();
  return is_named ? to_string(role) : "other";
}

// Whether what the row's layers compute in, if anything, is not known.
bool is_unknown(const AccountRow& row) {
  return row.use == TimeUse::region || row.use == TimeUse::unattributed ||
         row.use == TimeUse::unknown_arithmetic ||
         (row.use == TimeUse::other && row.detail == "unknown");
}

class Accountant {
 public:
  Accountant(Analysis& analysis, const Graph& graph, const WidthReasons& reasons)
      : analysis_(analysis), graph_(graph), reasons_(reasons) {}

  TimeAccount account();

 private:
  using Key = std::pair<TimeUse, std::string>;

  void find_wide();
  [[nodiscard]] Key arithmetic_key(std::size_t layer) const;
  [[nodiscard]] Key conversion_key(const ReformatEntry& entry) const;
  [[nodiscard]] Key key_of(std::size_t layer) const;
  void find_beside_wide();
  void put(const Key& key, std::size_t layer);
  void add_up();

  Analysis& analysis_;
  const Graph& graph_;
  const WidthReasons& reasons_;
  TimeAccount account_;
  std::map<std::size_t, std::string> wide_;  // layer -> kind of reason
  std::vector<bool> in_front_of_wide_, behind_wide_;
  std::map<Key, AccountRow> rows_;
};

void Accountant::find_wide() {
  const int least = width_of(account_.narrowest);
  if (least == 0) return;
  for (std::size_t i = 0; i < analysis_.verdicts.size(); ++i) {
    const LayerVerdict& verdict = analysis_.verdicts[i];
    if (!is_arithmetic(verdict.role) || !graph_.takes_part(i)) continue;
    if (width_of(verdict.compute) <= least) continue;
    // TF32 and FP32 are one width: the flag decides, not the layer.
    if (least >= 32) continue;
    const std::string why = account_.is_allowed ? kind_of_reason(reasons_.explain(i).why)
                            : analysis_.build.allowed.strongly_typed
                                ? "a type of the network"
                                : "what the build allowed is not known";
    wide_.emplace(i, why);
  }
}

Accountant::Key Accountant::arithmetic_key(std::size_t layer) const {
  const LayerVerdict& verdict = analysis_.verdicts[layer];
  if (width_of(verdict.compute) == 0) return {TimeUse::unknown_arithmetic, ""};
  const auto wide = wide_.find(layer);
  const std::string precision = to_string(verdict.compute);
  if (wide == wide_.end()) return {TimeUse::narrow, precision};
  return {TimeUse::wide, precision + ", " + wide->second};
}

// Marks the conversions from which nothing but conversions stand up to a wide layer.
void Accountant::find_beside_wide() {
  for (const bool forward : {true, false}) {
    std::vector<bool>& marks = forward ? in_front_of_wide_ : behind_wide_;
    marks.resize(analysis_.verdicts.size());
    std::vector<std::size_t> stack;
    for (const auto& [layer, why] : wide_) stack.push_back(layer);
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      for (const std::size_t n : forward ? graph_.before(at) : graph_.after(at)) {
        if (marks[n] || !is_conversion(analysis_.verdicts[n].role)) continue;
        marks[n] = true;
        stack.push_back(n);
      }
    }
  }
}

Accountant::Key Accountant::conversion_key(const ReformatEntry& entry) const {
  const LayerRole role = analysis_.verdicts[entry.layer].role;
  const std::string kind = role == LayerRole::quantize     ? "QuantizeLinear"
                           : role == LayerRole::dequantize ? "DequantizeLinear"
                                                           : "reformats";
  if (entry.removable == false) return {TimeUse::border, kind};
  // By the one attribution of the ledger, which saw the wide layers beside it.
  if (entry.removable == true && entry.is_of_residual) {
    return {TimeUse::conversion, kind + ", residual inputs without Q/DQ"};
  }
  if (in_front_of_wide_[entry.layer] || behind_wide_[entry.layer])
    return {TimeUse::wide_conversion, kind};
  if (entry.removable == true) return {TimeUse::conversion, kind};
  const Layer& layer = analysis_.build.layers[entry.layer];
  const bool tells = !layer.inputs.empty() && !layer.outputs.empty() &&
                     layer.inputs[0].type != DataType::unknown &&
                     layer.outputs[0].type != DataType::unknown;
  return {tells ? TimeUse::layout : TimeUse::unknown_format, kind};
}

Accountant::Key Accountant::key_of(std::size_t layer) const {
  const Layer& of = analysis_.build.layers[layer];
  const LayerRole role = analysis_.verdicts[layer].role;
  if (analysis_.build.has_layer_info && (of.found_in & kFoundInLayerInfo) == 0) {
    return {TimeUse::unattributed, ""};
  }
  // The DLA's subgraphs are regions whose arithmetic may be known.
  const bool is_known_region =
      role == LayerRole::region && width_of(analysis_.verdicts[layer].compute) > 0;
  if (is_arithmetic(role) || is_known_region) return arithmetic_key(layer);
  if (role == LayerRole::shuffle) return {TimeUse::layout_work, ""};
  if (role == LayerRole::region || role == LayerRole::plugin) {
    return {TimeUse::region, to_string(role)};
  }
  if (role == LayerRole::other && analysis_.verdicts[layer].compute == Precision::unknown) {
    return {TimeUse::other, "unknown"};
  }
  return {TimeUse::other, kinds_of(role)};
}

void Accountant::put(const Key& key, std::size_t layer) {
  AccountRow& row = rows_[key];
  row.use = key.first;
  row.detail = key.second;
  row.layers.push_back(layer);
  row.time_ms += time_or_zero(analysis_.build.layers[layer]);
}

void Accountant::add_up() {
  const double total_ms = analysis_.build.profile_sum_ms;
  for (auto& [key, row] : rows_) {
    std::ranges::stable_sort(row.layers, std::ranges::greater(), [&](std::size_t a) {
      return time_or_zero(analysis_.build.layers[a]);
    });
    row.share = row.time_ms / total_ms;
    if (is_unknown(row)) account_.unknown_ms += row.time_ms;
    switch (row.use) {
      case TimeUse::wide:
        account_.wide_ms += row.time_ms;
        [[fallthrough]];
      case TimeUse::narrow:
      case TimeUse::unknown_arithmetic:
        account_.arithmetic_ms += row.time_ms;
        break;
      case TimeUse::wide_conversion:
        account_.wide_ms += row.time_ms;
        [[fallthrough]];
      case TimeUse::conversion:
      case TimeUse::layout:
      case TimeUse::unknown_format:
        account_.conversions_ms += row.time_ms;
        break;
      default:
        break;
    }
    account_.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(account_.rows, [](const AccountRow& a, const AccountRow& b) {
    return a.use != b.use ? a.use < b.use : a.time_ms > b.time_ms;
  });
  const auto ceiling = [&](double free_ms) -> std::optional<double> {
    if (free_ms >= total_ms) return std::nullopt;
    return total_ms / (total_ms - free_ms);
  };
  account_.ceiling_wide = ceiling(account_.wide_ms);
  account_.ceiling_conversions = ceiling(account_.conversions_ms);
}

TimeAccount Accountant::account() {
  account_.narrowest = narrowest_allowed(analysis_.build.allowed);
  account_.is_allowed = account_.narrowest != Precision::unknown;
  if (account_.is_allowed) {
    account_.not_allowed = not_allowed(analysis_.build, account_.narrowest);
  } else {
    account_.narrowest = narrowest_seen(analysis_, graph_);
  }
  find_wide();
  find_beside_wide();
  std::vector<bool> is_put(analysis_.build.layers.size(), false);
  for (const ReformatEntry& entry : analysis_.reformats) {
    is_put[entry.layer] = true;
    if (analysis_.build.layers[entry.layer].time) put(conversion_key(entry), entry.layer);
  }
  for (std::size_t i = 0; i < is_put.size(); ++i) {
    if (!is_put[i] && analysis_.build.layers[i].time) put(key_of(i), i);
  }
  add_up();
  return std::move(account_);
}

}  // namespace

const char* to_string(TimeUse use) {
  return name_of<TimeUse::unattributed>(
      use, {"narrow", "wide", "unknown-arithmetic", "wide-conversion", "conversion", "layout",
            "unknown-format", "border", "layout-work", "other", "region", "unattributed"});
}

void fill_account(Analysis& analysis, const Graph& graph, const WidthReasons& reasons) {
  if (analysis.build.profile_sum_ms <= 0) return;
  analysis.account = Accountant(analysis, graph, reasons).account();
}

}  // namespace trtlens

// A slice shows by the size of what is read; a float reader by its role.
#include "analyzers/graph/quantizers.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "analyzers/graph/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

bool reads_a_part(const RuleContext& c, std::size_t quantizer) {
  const Tensor& read = c.layer(quantizer).inputs[0];
  const std::optional<std::int64_t> part = read.bytes();
  const Places writers = c.graph.writers(read.name);
  return part && std::ranges::any_of(writers, [&](std::size_t writer) {
           const std::vector<Tensor>& outputs = c.layer(writer).outputs;
           return std::ranges::any_of(outputs, [&](const Tensor& written) {
             return written.name == read.name && written.bytes().value_or(0) > *part;
           });
         });
}

std::string names_of(const RuleContext& c, const std::vector<std::size_t>& layers) {
  constexpr std::size_t kNamed = 2;
  std::vector<std::string> names;
  for (const std::size_t i : layers) {
    if (names.size() == kNamed) {
      names.push_back(std::to_string(layers.size() - kNamed) + " more");
      break;
    }
    names.push_back(label_of(c.analysis, i));
  }
  return join(names, names.size() == 2 ? " and " : ", ");
}

}  // namespace

UnfusedReasons unfused_reasons(const RuleContext& c, const std::vector<std::size_t>& quantizers) {
  std::set<std::size_t> slicers, float_readers;
  std::set<std::string_view> seen;  // a tensor may have as many readers as there are layers
  for (const std::size_t q : quantizers) {
    if (c.verdict(q).role != LayerRole::quantize || c.layer(q).inputs.empty()) continue;
    if (reads_a_part(c, q)) slicers.insert(q);
    const std::string& tensor = c.layer(q).inputs[0].name;
    if (!seen.insert(tensor).second) continue;
    for (const std::size_t reader : c.graph.readers(tensor)) {
      const LayerRole role = c.verdict(reader).role;
      if (!is_conversion(role) && role != LayerRole::none) float_readers.insert(reader);
    }
  }
  return {{slicers.begin(), slicers.end()}, {float_readers.begin(), float_readers.end()}};
}

std::string text_of(const RuleContext& c, const UnfusedReasons& reasons) {
  std::string text;
  if (!reasons.slicers.empty()) {
    text = names_of(c, reasons.slicers) + (reasons.slicers.size() == 1 ? " takes" : " take") +
           " a slice of what the layer in front wrote";
  }
  if (!reasons.float_readers.empty()) {
    text += std::string(text.empty() ? "" : ", and ") + names_of(c, reasons.float_readers) +
            (reasons.float_readers.size() == 1 ? " reads" : " read") +
            " the same tensor in floating point";
  }
  return text;
}

std::string remedy_of(const UnfusedReasons& reasons) {
  if (reasons.float_readers.empty()) {
    return "Move the Q/DQ in front of the Slice or Split: one pair for the whole tensor.";
  }
  return "Put one Q/DQ pair on the tensor" +
         std::string(reasons.slicers.empty() ? "" : ", in front of the Slice or Split,") +
         " for all its consumers.";
}

}  // namespace trtlens

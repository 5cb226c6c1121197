// Alignment: layers with the same ONNX nodes or the same name are one group; conversions go to the
// layer that they serve. Union-find over both sides, near-linear.
#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "analyzers/compare/comparison.h"
#include "analyzers/graph.h"

namespace trtlens {
namespace {

class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(b)] = find(a); }

 private:
  std::vector<std::size_t> parent_;
};

// Q and DQ nodes come and go with quantization; they do not tell which layer this is.
bool telling(const std::string& node) {
  return node.find("QuantizeLinear") == std::string::npos &&
         node.find("quantizer") == std::string::npos;
}

bool moved(const LayerVerdict& verdict) {
  return is_conversion(verdict.role);
}

using Owners = std::unordered_map<std::string, std::vector<std::size_t>>;

// Nodes of the compute layers of one side, with the number that a layer has in the sets.
Owners owners_of(const Analysis& side, std::size_t offset) {
  Owners owners;
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    if (moved(side.verdicts[i])) continue;
    for (const std::string& node : side.build.layers[i].onnx_nodes) {
      if (telling(node)) owners[node].push_back(offset + i);
    }
  }
  return owners;
}

void join_by_name(const Analysis& base, const Analysis& candidate, Sets& sets) {
  std::unordered_map<std::string, std::vector<std::size_t>> named;
  for (std::size_t i = 0; i < base.build.layers.size(); ++i) {
    if (!moved(base.verdicts[i])) named[base.build.layers[i].name].push_back(i);
  }
  std::unordered_map<std::string, std::size_t> used;
  for (std::size_t i = 0; i < candidate.build.layers.size(); ++i) {
    const std::string& name = candidate.build.layers[i].name;
    const auto found = named.find(name);
    if (moved(candidate.verdicts[i]) || found == named.end()) continue;
    std::size_t& nth = used[name];
    if (nth < found->second.size()) {
      sets.join(found->second[nth++], base.build.layers.size() + i);
    }
  }
}

void join_by_nodes(const Analysis& base, const Analysis& candidate, Sets& sets) {
  const Owners of_base = owners_of(base, 0);
  const Owners of_candidate = owners_of(candidate, base.build.layers.size());
  for (const auto& [node, left] : of_base) {
    const auto right = of_candidate.find(node);
    if (right == of_candidate.end()) continue;
    for (const std::size_t b : left) {
      for (const std::size_t c : right->second) sets.join(b, c);
    }
  }
}

// A conversion belongs to the arithmetic behind it, else to what stands behind it, else in front.
// Returns those that no tensor ties to anything (a profile without layer info).
std::vector<std::size_t> join_conversions(const Analysis& side, std::size_t offset, Sets& sets) {
  const Graph graph(side.build, side.verdicts);
  const auto server = [&](std::size_t from) {
    std::size_t fallback = Graph::kNone;
    for (const Places& neighbours : {graph.after(from), graph.before(from)}) {
      for (const std::size_t n : neighbours) {
        if (moved(side.verdicts[n]) || side.verdicts[n].role == LayerRole::none) continue;
        if (is_arithmetic(side.verdicts[n].role)) return n;
        if (fallback == Graph::kNone) fallback = n;
      }
    }
    return fallback;
  };
  std::vector<std::size_t> lone;
  for (std::size_t i = side.build.layers.size(); i-- > 0;) {
    if (!moved(side.verdicts[i])) continue;
    std::size_t target = server(i);
    if (target == Graph::kNone) {  // a chain of conversions
      for (const Places& neighbours : {graph.after(i), graph.before(i)}) {
        if (target == Graph::kNone && !neighbours.empty()) target = neighbours[0];
      }
    }
    if (target != Graph::kNone) {
      sets.join(offset + target, offset + i);
    } else {
      lone.push_back(i);
    }
  }
  return lone;
}

std::string precision_label(const Analysis& side, const std::vector<std::size_t>& layers) {
  std::string label;
  double most = -1;
  for (const std::size_t i : layers) {
    if (!is_arithmetic(side.verdicts[i].role)) continue;
    const double time = time_or_zero(side.build.layers[i]);
    if (time > most) {
      most = time;
      label = to_string(side.verdicts[i].compute);
    }
  }
  return label;
}

void describe(const Analysis& base, const Analysis& candidate, LayerGroup& group) {
  for (const std::size_t i : group.base) group.base_ms += time_or_zero(base.build.layers[i]);
  for (const std::size_t i : group.candidate) {
    group.candidate_ms += time_or_zero(candidate.build.layers[i]);
  }
  group.delta_ms = group.candidate_ms - group.base_ms;
  group.precision = {precision_label(base, group.base),
                     precision_label(candidate, group.candidate)};
  if (group.base.empty() || group.candidate.empty()) {
    group.how = group.base.empty() ? "only_candidate" : "only_base";
    return;
  }
  const auto name_of = [](const Analysis& side, const std::vector<std::size_t>& layers) {
    for (const std::size_t i : layers) {
      if (!moved(side.verdicts[i])) return side.build.layers[i].name;
    }
    return SharedText();
  };
  const bool same_name = name_of(base, group.base) == name_of(candidate, group.candidate);
  group.how = same_name ? "name" : "onnx";
  group.confidence = same_name ? 1.0 : 0.9;
}

}  // namespace

std::vector<LayerGroup> align(const Analysis& base, const Analysis& candidate) {
  const std::size_t n = base.build.layers.size();
  Sets sets(n + candidate.build.layers.size());
  join_by_name(base, candidate, sets);
  join_by_nodes(base, candidate, sets);
  const std::vector<std::size_t> lone_base = join_conversions(base, 0, sets);
  const std::vector<std::size_t> lone_candidate = join_conversions(candidate, n, sets);
  // Without tensors only the name is left.
  Owners lone_by_name;
  for (const std::size_t i : lone_base) lone_by_name[base.build.layers[i].name].push_back(i);
  for (auto i = lone_candidate.rbegin(); i != lone_candidate.rend(); ++i) {
    const auto found = lone_by_name.find(candidate.build.layers[*i].name);
    if (found == lone_by_name.end() || found->second.empty()) continue;
    sets.join(found->second.back(), n + *i);  // both lists run from the last layer to the first
    found->second.pop_back();
  }
  std::map<std::size_t, LayerGroup> by_root;
  for (std::size_t i = 0; i < n; ++i) by_root[sets.find(i)].base.push_back(i);
  for (std::size_t i = 0; i < candidate.build.layers.size(); ++i) {
    by_root[sets.find(n + i)].candidate.push_back(i);
  }
  std::vector<LayerGroup> groups;
  for (auto& [root, group] : by_root) {
    describe(base, candidate, group);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace trtlens

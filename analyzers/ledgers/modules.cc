// Profile time by ONNX node, and by module of the network: the path in front of a node's name.
#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxRows = 20;
// Hostile names have thousands of segments; those of networks about ten.
constexpr std::size_t kMaxDepth = 16;

using Path = std::vector<std::string_view>;

// Segments of "/layer2/layer2.1/conv1/Conv" but the node's own, which is the last. None when the
// name holds no path.
std::optional<Path> module_of_node(std::string_view node) {
  if (node.find('/') == std::string_view::npos) return std::nullopt;
  Path path;
  if (node.front() == '/') node.remove_prefix(1);
  for (std::size_t at = node.find('/'); at != std::string_view::npos && path.size() < kMaxDepth;
       at = node.find('/')) {
    path.push_back(node.substr(0, at));
    node.remove_prefix(at + 1);
  }
  return path;
}

// Deepest module that all nodes with a path have in common. Weights and Q/DQ nodes have none; an
// end of a range without one leaves open what is between the ends.
std::optional<Path> common_module(const Layer& layer) {
  std::optional<Path> common;
  const bool is_range = names_a_range(layer);
  if (is_range && layer.onnx_nodes.size() < 2) return std::nullopt;  // an initializer at one end
  for (const SharedText& node : layer.onnx_nodes) {
    const std::optional<Path> path = module_of_node(node.str());
    if (!path && is_range) return std::nullopt;
    if (!path) continue;
    if (!common) {
      common = path;
      continue;
    }
    const auto [end, other] =
        std::mismatch(common->begin(), common->end(), path->begin(), path->end());
    common->erase(end, common->end());
  }
  return common;
}

class Tree {
 public:
  explicit Tree(ModuleLedger& ledger) : ledger_(ledger) {
    ledger_.modules.push_back({"/", 0, 0, 0, 0, 0, 0});
  }

  void add(const Path& path, double time_ms) {
    std::size_t at = 0;
    count(at, time_ms);
    for (const std::string_view segment : path) {
      at = child(at, segment);
      count(at, time_ms);
    }
    ledger_.modules[at].own_ms += time_ms;
    ++ledger_.modules[at].own_layers;
  }

 private:
  void count(std::size_t module, double time_ms) {
    ++ledger_.modules[module].layers;
    ledger_.modules[module].time_ms += time_ms;
  }

  std::size_t child(std::size_t parent, std::string_view segment) {
    ModuleTime made;
    made.path = ledger_.modules[parent].path;
    if (made.path != "/") made.path += '/';
    made.path += segment;
    made.parent = parent;
    made.depth = ledger_.modules[parent].depth + 1;
    const auto [place, is_new] = places_.try_emplace(made.path, ledger_.modules.size());
    if (is_new) ledger_.modules.push_back(std::move(made));
    return place->second;
  }

  ModuleLedger& ledger_;
  std::unordered_map<std::string, std::size_t> places_;
};

// Rows are a partition of the modules all along: opening one replaces its row by rows of what is
// inside.
class RowChooser {
 public:
  explicit RowChooser(ModuleLedger& ledger)
      : ledger_(ledger), modules_(ledger.modules), inside_(ledger.modules.size()) {
    for (std::size_t i = 1; i < modules_.size(); ++i) inside_[modules_[i].parent].push_back(i);
    for (std::vector<std::size_t>& list : inside_) {
      std::ranges::stable_sort(list, std::ranges::greater(),
                               [&](std::size_t a) { return modules_[a].time_ms; });
    }
  }

  // The slowest module again and again, while the rows stay few.
  void choose() {
    add_whole(0);
    while (true) {
      std::size_t slowest = ledger_.rows.size();
      for (std::size_t r = 0; r < ledger_.rows.size(); ++r) {
        if (!can_open(ledger_.rows[r])) continue;
        if (slowest == ledger_.rows.size() ||
            ledger_.rows[r].time_ms > ledger_.rows[slowest].time_ms) {
          slowest = r;
        }
      }
      if (slowest == ledger_.rows.size()) break;
      open(slowest);
    }
    std::ranges::stable_sort(ledger_.rows, std::ranges::greater(), &ModuleRow::time_ms);
  }

 private:
  // A module of too many is opened for its slowest ones, if that is worth it.
  static constexpr std::size_t kWorthIt = 4;

  [[nodiscard]] std::size_t own_rows(std::size_t module) const {
    return modules_[module].own_layers > 0 ? 1 : 0;
  }
  [[nodiscard]] std::size_t room_in(std::size_t module) const {
    const std::size_t used = ledger_.rows.size() - 1 + own_rows(module);
    return used < kMaxRows ? kMaxRows - used : 0;
  }
  [[nodiscard]] bool can_open(const ModuleRow& row) const {
    if (row.part != ModulePart::whole || inside_[row.module].empty()) return false;
    const std::size_t room = room_in(row.module);
    return inside_[row.module].size() <= room || room >= kWorthIt;
  }

  void add_whole(std::size_t module) {
    ledger_.rows.push_back(
        {module, ModulePart::whole, modules_[module].layers, modules_[module].time_ms, 0});
  }

  void open(std::size_t row) {
    const std::size_t module = ledger_.rows[row].module;
    const std::vector<std::size_t>& inside = inside_[module];
    const std::size_t room = room_in(module);
    ledger_.rows.erase(ledger_.rows.begin() + static_cast<std::ptrdiff_t>(row));
    const ModuleTime& opened = modules_[module];
    if (own_rows(module) > 0) {
      ledger_.rows.push_back({module, ModulePart::own, opened.own_layers, opened.own_ms, 0});
    }
    const std::size_t shown = inside.size() <= room ? inside.size() : room - 1;
    for (std::size_t i = 0; i < shown; ++i) add_whole(inside[i]);
    if (shown == inside.size()) return;
    ModuleRow others{module, ModulePart::others, 0, 0, inside.size() - shown};
    for (std::size_t i = shown; i < inside.size(); ++i) {
      others.layers += modules_[inside[i]].layers;
      others.time_ms += modules_[inside[i]].time_ms;
    }
    ledger_.rows.push_back(others);
  }

  ModuleLedger& ledger_;
  const std::vector<ModuleTime>& modules_;
  std::vector<std::vector<std::size_t>> inside_;  // by module, slowest first
};

}  // namespace

const char* to_string(ModulePart part) {
  return name_of<ModulePart::others>(part, {"whole", "own", "others"});
}

bool names_a_range(const Layer& layer) {
  const std::string& name = layer.name;
  const std::size_t open = name.find("ForeignNode[");
  return layer.metadata.str().empty() && open != std::string::npos &&
         name.find("...", open) != std::string::npos;
}

// Each layer counts for every node in it: TensorRT does not time the parts of a fused one.
void fill_onnx_times(Analysis& analysis) {
  const Build& build = analysis.build;
  if (!build.has_profile || build.profile_sum_ms <= 0) return;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const Layer& layer : build.layers) {
    if (!layer.time || names_a_range(layer)) continue;
    for (const SharedText& node : layer.onnx_nodes) {
      const auto [place, is_new] = places.try_emplace(node.str(), analysis.onnx_times.size());
      if (is_new) analysis.onnx_times.push_back({node, 0, 0, 0});
      OnnxTime& row = analysis.onnx_times[place->second];
      ++row.layers;
      row.time_ms += layer.time->mean_ms;
      if (layer.onnx_nodes.size() == 1) row.alone_ms += layer.time->mean_ms;
    }
  }
  std::ranges::stable_sort(analysis.onnx_times, std::ranges::greater(), &OnnxTime::time_ms);
}

void fill_modules(Analysis& analysis) {
  const Build& build = analysis.build;
  if (!build.has_profile || build.profile_sum_ms <= 0) return;
  std::unordered_map<std::size_t, std::size_t> charged;  // conversion -> layer that needs it
  for (const ReformatEntry& entry : analysis.reformats) {
    if (entry.caused_by) charged.emplace(entry.layer, *entry.caused_by);
  }
  ModuleLedger ledger;
  Tree tree(ledger);
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    if (!build.layers[i].time) continue;
    const auto needs = charged.find(i);
    const Layer& layer = build.layers[needs == charged.end() ? i : needs->second];
    const double ms = build.layers[i].time->mean_ms;
    const std::optional<Path> path = common_module(layer);
    if (path) {
      tree.add(*path, ms);
    } else {
      ++ledger.layers_without;
      ledger.without_ms += ms;
    }
  }
  if (ledger.modules.size() < 2) return;  // names without paths
  RowChooser(ledger).choose();
  analysis.modules = std::move(ledger);
}

}  // namespace trtlens

// Tactic races: who won by how much, and what the kernels of other types took.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzers/ledgers/ledgers.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

std::string type_word(const std::string& word) {
  const DataType type = data_type_of(word);
  return type == DataType::unknown ? word : to_string(type);
}

// Of one side of a combination; equal ones once.
std::string types_of_side(const std::string& side) {
  std::vector<std::string> types;
  std::string word;
  bool in_strides = false;
  for (const char c : side) {
    if (c == '(') {
      in_strides = true;
      if (!word.empty()) {
        const std::string type = type_word(word);
        if (std::ranges::find(types, type) == types.end()) types.push_back(type);
      }
      word.clear();
    } else if (c == ')') {
      in_strides = false;
    } else if (!in_strides) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || c == '_') {
        word += c;
      } else {
        word.clear();
      }
    }
  }
  return join(types, ", ");
}

// The same kernel may run in a race twice, for two runners.
bool is_same_kernel(const Autotune& race) {
  if (race.chosen_id && race.runner_up_id) return race.chosen_id == race.runner_up_id;
  return !race.chosen_name.empty() && race.chosen_name == race.runner_up_name;
}

std::string winner_of(const Autotune& race) {
  return race.chosen_name.empty() ? race.chosen_runner : race.chosen_name;
}

// "Half(100352,1:8,1792,32)": the type, and of the layout what layer info has words for.
struct Operand {
  DataType type = DataType::unknown;
  std::int64_t vector = 1;     // channels that are stored together
  bool channel_major = false;  // channels are next to each other
};

Operand operand_of(std::string_view text) {
  Operand operand;
  const std::size_t open = text.find('(');
  operand.type = data_type_of(std::string(text.substr(0, open)));
  if (open == std::string_view::npos) return operand;
  std::string_view strides = text.substr(open + 1);
  strides = strides.substr(0, strides.find(')'));
  const std::string_view last = strides.substr(strides.rfind(',') + 1);
  operand.channel_major = last != "1";
  const std::size_t colon = strides.find(':');
  if (colon == std::string_view::npos) return operand;
  const char* digits = strides.data() + colon + 1;
  std::from_chars(digits, strides.data() + strides.size(), operand.vector);
  const std::size_t comma = strides.rfind(',', colon);
  const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
  operand.channel_major = strides.substr(begin, colon - begin) == "1";
  return operand;
}

// Operands of one side, which end with ")".
std::vector<Operand> operands_of(std::string_view side) {
  std::vector<Operand> operands;
  for (std::size_t end = side.find(')'); end != std::string_view::npos; end = side.find(')')) {
    const std::size_t begin = side.find_first_not_of(", ");
    operands.push_back(operand_of(side.substr(begin, end + 1 - begin)));
    side.remove_prefix(end + 1);
  }
  return operands;
}

// How many operands have the types of the engine's tensors, and how many of these the layouts.
using Likeness = std::pair<std::size_t, std::size_t>;

void compare(const std::vector<Operand>& operands, const std::vector<Tensor>& tensors,
             Likeness& likeness) {
  for (std::size_t i = 0; i < std::min(operands.size(), tensors.size()); ++i) {
    const Tensor& tensor = tensors[i];
    if (tensor.type == DataType::unknown || tensor.type != operands[i].type) continue;
    ++likeness.first;
    const bool channel_major = tensor.format.str().rfind("Channel major", 0) == 0;
    if (tensor.channel_vector() == operands[i].vector &&
        channel_major == operands[i].channel_major) {
      ++likeness.second;
    }
  }
}

// What a format combination says.
struct Combination {
  std::string types;
  std::vector<Operand> inputs, outputs;
};

// Thousands of races share some hundred combinations: each is read once.
class Combinations {
 public:
  // `format_combination` outlives this.
  const Combination& of(const std::string& format_combination) {
    const auto [slot, is_new] = known_.try_emplace(format_combination);
    Combination& combination = slot->second;
    if (!is_new) return combination;
    combination.types = types_of_combination(format_combination);
    const std::string_view text = format_combination;
    const std::size_t arrow = text.find("->");
    if (arrow == std::string_view::npos) return combination;
    combination.inputs = operands_of(text.substr(0, arrow));
    combination.outputs = operands_of(text.substr(arrow + 2));
    return combination;
  }

 private:
  std::unordered_map<std::string_view, Combination> known_;
};

Likeness likeness_of(const Combination& combination, const Layer& layer) {
  Likeness likeness{0, 0};
  compare(combination.inputs, layer.inputs, likeness);
  compare(combination.outputs, layer.outputs, likeness);
  return likeness;
}

struct LayerRaces {
  std::vector<const Autotune*> all;  // with a winner and its time
  const Autotune* of_engine = nullptr;
};

// Whether `race` is more likely than `other` the one that the engine took: the same kernel may have
// won for several combinations of formats.
bool is_likelier(const Autotune& race, const Autotune& other, const Layer* layer,
                 Combinations& combinations) {
  if (layer != nullptr) {
    const auto is_wanted = [&](const Autotune& r) {
      return layer->tactic_id && r.chosen_id == layer->tactic_id;
    };
    if (is_wanted(race) != is_wanted(other)) return is_wanted(race);
    const Likeness own = likeness_of(combinations.of(race.format_combination), *layer);
    const Likeness others = likeness_of(combinations.of(other.format_combination), *layer);
    if (own != others) return own > others;
  }
  return *race.chosen_ms < *other.chosen_ms;
}

Race row_of(const Autotune& race, Combinations& combinations) {
  Race row;
  row.layer = race.layer;
  row.chosen = winner_of(race);
  row.chosen_ms = *race.chosen_ms;
  row.runner_up = race.runner_up_name;
  row.runner_up_ms = race.runner_up_ms;
  row.types = combinations.of(race.format_combination).types;
  row.from_cache = race.from_cache;
  if (race.runner_up_ms && *race.chosen_ms > 0) {
    row.margin = (*race.runner_up_ms - *race.chosen_ms) / *race.chosen_ms;
    row.coin_flip = *row.margin < kCoinFlipMargin && !is_same_kernel(race);
  }
  return row;
}

// The fastest of every types but those of the race that the engine took.
void add_alternatives(const LayerRaces& races, const Race& row, std::size_t index,
                      Combinations& combinations, std::vector<Alternative>& out) {
  std::map<std::string_view, const Autotune*> fastest;
  for (const Autotune* race : races.all) {
    const std::string& types = combinations.of(race->format_combination).types;
    if (types.empty() || types == row.types) continue;
    const Autotune*& slot = fastest[types];
    if (slot == nullptr || *race->chosen_ms < *slot->chosen_ms) slot = race;
  }
  const std::size_t first = out.size();
  for (const auto& [types, race] : fastest) {
    out.push_back(
        {index, std::string(types), race->format_combination, winner_of(*race), *race->chosen_ms});
  }
  std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                   [](const Alternative& a, const Alternative& b) { return a.ms < b.ms; });
}

// Passes and combinations that differ in the layout only are one row.
std::vector<RegionRace> races_in_regions(const std::vector<MyelinRace>& races) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> fastest;
  std::map<std::pair<std::string, std::string>, double> of_operator;
  const auto operator_of = [&](std::size_t i) {
    return std::make_pair(races[i].region, races[i].op);
  };
  for (std::size_t i = 0; i < races.size(); ++i) {
    const MyelinRace& race = races[i];
    const std::string types = types_of_combination(race.format_combination);
    const auto [slot, is_new] = fastest.try_emplace({race.region, race.op, types}, i);
    if (!is_new && *race.fastest_ms < *races[slot->second].fastest_ms) slot->second = i;
    const auto [best, is_first] = of_operator.try_emplace(operator_of(i), *race.fastest_ms);
    if (!is_first) best->second = std::min(best->second, *race.fastest_ms);
  }
  std::vector<RegionRace> rows;
  rows.reserve(fastest.size());
  for (const auto& [key, i] : fastest) rows.push_back({i, std::get<2>(key)});
  std::ranges::sort(rows, [&](const RegionRace& x, const RegionRace& y) {
    const std::size_t a = x.race, b = y.race;
    const double of_a = of_operator[operator_of(a)], of_b = of_operator[operator_of(b)];
    if (of_a != of_b) return of_a > of_b;
    if (operator_of(a) != operator_of(b)) return operator_of(a) < operator_of(b);
    return std::make_pair(*races[a].fastest_ms, a) < std::make_pair(*races[b].fastest_ms, b);
  });
  return rows;
}

}  // namespace

std::string types_of_combination(const std::string& format_combination) {
  const std::size_t arrow = format_combination.find("->");
  if (arrow == std::string::npos) return types_of_side(format_combination);
  const std::string from = types_of_side(format_combination.substr(0, arrow));
  const std::string to = types_of_side(format_combination.substr(arrow + 2));
  return from.empty() && to.empty() ? std::string() : from + " -> " + to;
}

// One race a layer: that of the tactic, the types and the layouts which the engine got, else the
// one with the fastest winner.
void fill_races(Analysis& analysis) {
  std::unordered_map<std::string, LayerRaces> by_layer;
  std::unordered_map<std::string_view, std::size_t> in_engine;
  const std::vector<Layer>& layers = analysis.build.layers;
  if (!analysis.build.autotuning.empty()) {
    for (std::size_t i = 0; i < layers.size(); ++i) in_engine.try_emplace(layers[i].name.str(), i);
  }
  std::vector<std::string> order;
  Combinations combinations;
  for_each_layer(analysis.build.autotuning, [&](auto first, auto last) {
    const auto place = in_engine.find(first->layer);
    const Layer* layer = place == in_engine.end() ? nullptr : &layers[place->second];
    LayerRaces& races = by_layer[first->layer];
    for (; first != last; ++first) {
      const Autotune& race = *first;
      if (!race.chosen_ms) continue;
      if (races.all.empty()) order.push_back(race.layer);
      races.all.push_back(&race);
      if (races.of_engine == nullptr || is_likelier(race, *races.of_engine, layer, combinations)) {
        races.of_engine = &race;
      }
    }
  });
  RaceLedger& ledger = analysis.race_ledger;
  ledger.in_regions = races_in_regions(analysis.build.myelin_races);
  for (const std::string& name : order) {
    const LayerRaces& races = by_layer[name];
    Race row = row_of(*races.of_engine, combinations);
    const auto place = in_engine.find(name);
    if (place != in_engine.end()) row.in_engine = place->second;
    if (row.coin_flip) {
      ++ledger.coin_flips;
      const bool timed = row.in_engine && layers[*row.in_engine].time;
      if (timed) {
        ledger.coin_flip_ms =
            ledger.coin_flip_ms.value_or(0) + layers[*row.in_engine].time->mean_ms;
      }
    }
    add_alternatives(races, row, analysis.races.size(), combinations, ledger.alternatives);
    analysis.races.push_back(std::move(row));
  }
}

}  // namespace trtlens

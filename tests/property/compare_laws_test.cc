// Laws of a comparison: a build against itself, sides exchanged, groups as a partition.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::compare_laws_test {
namespace {

constexpr const char* kEngines[] = {"p_r18_partial_i8", "b_r18_q_conv", "b_r18_q_res",
                                    "a_r18_fp16",       "b_g8_q",       "b_mob_q_dwnow_i8"};

const Analysis& engine(const std::string& name) {
  static std::map<std::string, Analysis> cache;
  const auto found = cache.find(name);
  if (found != cache.end()) return found->second;
  return cache.emplace(name, test::analyze_path(test::fixture(name))).first->second;
}

Comparison compare_of(const Analysis& base, const Analysis& candidate) {
  return compare({base}, {candidate}, {});
}

Verdict mirrored(Verdict v) {
  if (v == Verdict::regressed) return Verdict::improved;
  if (v == Verdict::improved) return Verdict::regressed;
  return v;
}

// Each layer of both sides is in exactly one group.
void expect_partition(const Comparison& c) {
  std::vector<std::size_t> base(c.base.build.layers.size(), 0);
  std::vector<std::size_t> candidate(c.candidate.build.layers.size(), 0);
  double base_ms = 0, candidate_ms = 0;
  for (const LayerGroup& g : c.groups) {
    EXPECT_FALSE(g.base.empty() && g.candidate.empty());
    for (const std::size_t i : g.base) ++base.at(i);
    for (const std::size_t i : g.candidate) ++candidate.at(i);
    base_ms += g.base_ms;
    candidate_ms += g.candidate_ms;
    EXPECT_NEAR(g.delta_ms, g.candidate_ms - g.base_ms, 1e-12);
    EXPECT_GE(g.confidence, 0);
    EXPECT_LE(g.confidence, 1);
  }
  EXPECT_TRUE(std::all_of(base.begin(), base.end(), [](std::size_t n) { return n == 1; }));
  EXPECT_TRUE(
      std::all_of(candidate.begin(), candidate.end(), [](std::size_t n) { return n == 1; }));
  EXPECT_NEAR(base_ms, c.base.build.profile_sum_ms, 1e-9);
  EXPECT_NEAR(candidate_ms, c.candidate.build.profile_sum_ms, 1e-9);
  for (const double share : {c.aligned_share_base, c.aligned_share_candidate}) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1 + 1e-12);
  }
}

using GroupNames = std::pair<std::multiset<std::string>, std::multiset<std::string>>;

std::multiset<GroupNames> groups_of(const Comparison& c, bool swapped) {
  std::multiset<GroupNames> groups;
  for (const LayerGroup& g : c.groups) {
    GroupNames names;
    for (const std::size_t i : g.base) names.first.insert(c.base.build.layers[i].name);
    for (const std::size_t i : g.candidate) names.second.insert(c.candidate.build.layers[i].name);
    if (swapped) std::swap(names.first, names.second);
    groups.insert(std::move(names));
  }
  return groups;
}

void expect_mirror(const Comparison& ab, const Comparison& ba) {
  EXPECT_EQ(ab.comparable, ba.comparable);
  EXPECT_EQ(ab.engine.verdict, mirrored(ba.engine.verdict));
  ASSERT_EQ(ab.engine.ratio.has_value(), ba.engine.ratio.has_value());
  if (ab.engine.ratio) {
    EXPECT_NEAR(*ab.engine.ratio * *ba.engine.ratio, 1.0, 1e-12);
    EXPECT_NEAR(*ab.engine.delta_ms, -*ba.engine.delta_ms, 1e-12);
  }
  EXPECT_DOUBLE_EQ(ab.aligned_share_base, ba.aligned_share_candidate);
  EXPECT_EQ(ab.launches[0], ba.launches[1]);
  EXPECT_EQ(ab.reformats[1], ba.reformats[0]);
  EXPECT_EQ(ab.differences.size(), ba.differences.size());
  EXPECT_EQ(groups_of(ab, false), groups_of(ba, true));
}

TEST(CompareLaws, ABuildAgainstItselfDiffersInNothing) {
  for (const char* name : kEngines) {
    SCOPED_TRACE(name);
    const Comparison c = compare_of(engine(name), engine(name));
    expect_partition(c);
    EXPECT_TRUE(c.differences.empty());
    EXPECT_TRUE(c.comparable);
    EXPECT_TRUE(c.engine.verdict == Verdict::cannot_tell || c.engine.verdict == Verdict::no_change);
    if (c.engine.delta_ms) {
      EXPECT_EQ(*c.engine.delta_ms, 0);
    }
    for (const LayerGroup& g : c.groups) {
      EXPECT_EQ(g.delta_ms, 0);
      EXPECT_EQ(g.base, g.candidate);
      EXPECT_TRUE(g.why.empty());
      EXPECT_NE(g.verdict, Verdict::regressed);
      EXPECT_NE(g.verdict, Verdict::improved);
      EXPECT_TRUE(g.how == "onnx" || g.how == "name" || g.how == "tensors") << g.how;
      EXPECT_GE(g.confidence, 0.8);
    }
    EXPECT_NEAR(c.aligned_share_base, 1.0, 1e-9);
  }
}

TEST(CompareLaws, SidesExchangedMirrorTheAnswer) {
  for (const char* a : kEngines) {
    for (const char* b : kEngines) {
      if (std::string(a) >= b) continue;
      SCOPED_TRACE(std::string(a) + " and " + b);
      const Comparison ab = compare_of(engine(a), engine(b));
      const Comparison ba = compare_of(engine(b), engine(a));
      expect_partition(ab);
      expect_mirror(ab, ba);
      for (const LayerGroup& g : ab.groups) {
        if (!g.base.empty()) continue;
        EXPECT_EQ(g.how, "only_candidate");
      }
    }
  }
}

// Whether each group of `fine` lies in one of `coarse`.
void expect_refined(const Comparison& fine, const Comparison& coarse) {
  const auto holds = [](std::vector<std::size_t> all, std::vector<std::size_t> part) {
    std::sort(all.begin(), all.end());
    std::sort(part.begin(), part.end());
    return std::includes(all.begin(), all.end(), part.begin(), part.end());
  };
  for (const LayerGroup& small : fine.groups) {
    EXPECT_TRUE(
        std::any_of(coarse.groups.begin(), coarse.groups.end(), [&](const LayerGroup& large) {
          return holds(large.base, small.base) && holds(large.candidate, small.candidate);
        }));
  }
}

// Other layer names, the same Metadata: kernels of one node lose what told them apart, and nothing
// else changes.
TEST(CompareLaws, RenamedLayersAlignAsBefore) {
  const auto indices = [](const Comparison& c) {
    std::set<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> groups;
    for (const LayerGroup& g : c.groups) groups.emplace(g.base, g.candidate);
    return groups;
  };
  for (const char* name : {"b_r18_q_conv", "b_r18_q_res", "b_mob_q_dwnow_i8"}) {
    SCOPED_TRACE(name);
    Analysis renamed = engine(name);
    for (Layer& l : renamed.build.layers) {
      // Grammar names the nodes of these engines; let them stand as Metadata would.
      if (!l.onnx_nodes.empty()) l.name = "renamed " + l.name;
    }
    EXPECT_EQ(indices(compare_of(engine("a_r18_fp16"), engine(name))),
              indices(compare_of(engine("a_r18_fp16"), renamed)));
    expect_refined(compare_of(engine(name), engine(name)), compare_of(engine(name), renamed));
  }
}

Build random_side(std::mt19937& random) {
  std::vector<Layer> layers;
  const std::size_t count = 1 + random() % 12;
  for (std::size_t i = 0; i < count; ++i) {
    const auto tensor_name = [&] { return "t" + std::to_string(random() % 8); };
    Layer l;
    if (random() % 4 == 0) {
      l = test::quantize("q" + std::to_string(random() % 5), tensor_name(), tensor_name(), 0.1);
    } else {
      l = test::conv("c" + std::to_string(random() % 9),
                     {test::tensor(tensor_name(), DataType::fp16)},
                     test::tensor(tensor_name(), DataType::fp16), DataType::fp16,
                     static_cast<double>(random() % 50) / 100);
      for (std::size_t k = random() % 3; k > 0; --k) {
        l.onnx_nodes.push_back("/n" + std::to_string(random() % 10));
      }
    }
    layers.push_back(std::move(l));
  }
  return test::build_of(std::move(layers));
}

TEST(CompareLaws, HoldOnRandomEngines) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const Analysis a = test::analyze_build(random_side(random));
    const Analysis b = test::analyze_build(random_side(random));
    const Comparison ab = compare_of(a, b);
    expect_partition(ab);
    expect_mirror(ab, compare_of(b, a));
  }
}

}  // namespace
}  // namespace trtlens::compare_laws_test

#include "analyzers/rules/engine/shape_relation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace trtlens::message_rules {
namespace {

using Dims = std::vector<std::int64_t>;

std::optional<Dims> dims_of(std::string_view text) {
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
  Dims dims;
  for (text = text.substr(1); !text.empty(); text.remove_prefix(1)) {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) return std::nullopt;
    dims.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() || (text.front() != ',' && text.front() != ']')) return std::nullopt;
  }
  return dims;
}

// One for all axes that differ.
std::optional<std::int64_t> scale_of(const Dims& one, const Dims& other) {
  std::optional<std::int64_t> scale;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const auto [small, large] = std::minmax(one[i], other[i]);
    if (small == large) continue;
    if (small < 2 || large % small != 0 || scale.value_or(large / small) != large / small) {
      return std::nullopt;
    }
    scale = large / small;
  }
  return scale;
}

bool differ_by_one(const Dims& one, const Dims& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    const auto [small, large] = std::minmax(one[i], other[i]);
    if (small != large && (small < 2 || large - small != 1)) return false;
  }
  return one != other;
}

bool has_batch_more(const Dims& one, const Dims& other) {
  return one.size() == other.size() + 1 && one[0] == 1 &&
         std::equal(one.begin() + 1, one.end(), other.begin());
}

// Of four dimensions and more: of three the first may be the channels.
bool differ_in_batch(const Dims& one, const Dims& other) {
  return one.size() >= 4 && one[0] != other[0] &&
         std::equal(one.begin() + 1, one.end(), other.begin() + 1);
}

}  // namespace

ShapeDifference difference_of(std::string_view one, std::string_view other) {
  const std::optional<Dims> a = dims_of(one), b = dims_of(other);
  if (!a || !b) return {};
  if (has_batch_more(*a, *b)) return {ShapeRelation::by_batch, std::string(one)};
  if (has_batch_more(*b, *a)) return {ShapeRelation::by_batch, std::string(other)};
  if (a->size() != b->size()) return {};
  if (differ_in_batch(*a, *b)) {
    return {ShapeRelation::by_batch_size, fmt::format("{} and {}", a->front(), b->front())};
  }
  if (differ_by_one(*a, *b)) {
    const auto [first, second] = std::ranges::mismatch(*a, *b);
    return {ShapeRelation::by_one, fmt::format("{} and {}", *first, *second)};
  }
  if (const auto scale = scale_of(*a, *b)) {
    return {ShapeRelation::by_scale, std::to_string(*scale)};
  }
  return {};
}

}  // namespace trtlens::message_rules

// From symptoms to causes: which finding only follows from another one, and which part of TensorRT
// an error that no rule knows comes from.
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens::message_rules {
namespace {

bool leads_to(const std::string& from, const std::string& to, std::set<std::string>& seen) {
  const Cause* cause = cause_by_id(from);
  if (cause == nullptr || !seen.insert(from).second) return false;
  return std::ranges::any_of(cause->leads_to, [&](const std::string& next) {
    return next == to || leads_to(next, to, seen);
  });
}

bool is_last_word(const std::string& cause) {
  const Cause* found = cause_by_id(cause);
  return found != nullptr && found->is_last_word;
}

bool explains(const Symptom& a, const Symptom& b) {
  const bool ends = is_last_word(b.cause) && !is_last_word(a.cause);
  if (b.is_fatal && a.at && b.at) {
    auto last = *b.at;
    if (ends) ++last.second;  // "terminate called after throwing …": the next line says what
    if (last < *a.at) return false;
  }
  if (ends) return true;
  std::set<std::string> seen, back;
  return leads_to(a.cause, b.cause, seen) && !leads_to(b.cause, a.cause, back);
}

// "2: [pluginV2Runner.cpp::execute::265] Error Code 2" of 8 and 9, "In build at
// /_src/build/optimizer.cpp:4048" of 10 and 11, "../rtSafe/cuda/caskUtils.cpp (98) - Cuda Error in
// trySetup" up to 7: file, and function where it is named. Names of layers and of the program's own
// files hold such texts, too.
std::string place_in(const std::string& message) {
  static const re2::RE2 bracketed(
      R"((?:^|^\d+: |^Error\[\d+\]: |\n|due to exception )\[(?:[\w./+-]*/)?)"
      R"(([\w.+-]+\.(?:cpp|cu|cc|h|hpp)(?:::?[\w:~()]+?)?)::?\d+\])",
      re2::RE2::Latin1);
  static const re2::RE2 at_front(
      R"(^(?:\d+: |Error\[\d+\]: )?(?:[\w./+-]*/)?([\w.+-]+\.(?:cpp|cu|cc|h|hpp)))"
      R"( \(\d+\) - [\w ]*Error in (\w+))",
      re2::RE2::Latin1);
  static const re2::RE2 at(
      R"((?:In (\w+) )?at (?:/_src/[\w./+-]*/)?([\w.+-]+\.(?:cpp|cu|cc|h|hpp)):\d+)",
      re2::RE2::Latin1);
  std::string place, function;
  if (re2::RE2::PartialMatch(message, bracketed, &place)) return place;
  if (!re2::RE2::PartialMatch(message, at_front, &place, &function) &&
      !re2::RE2::PartialMatch(message, at, &function, &place)) {
    return {};
  }
  return function.empty() ? place : place + "::" + function;
}

}  // namespace

std::vector<std::size_t> roots_of(const std::vector<Symptom>& symptoms) {
  std::vector<std::size_t> roots(symptoms.size());
  for (std::size_t i = 0; i < symptoms.size(); ++i) {
    roots[i] = i;
    for (std::size_t j = 0; j < symptoms.size(); ++j) {
      // Two failures of one cause may be about two nodes.
      const bool same = !symptoms[i].is_fatal && symptoms[j].cause == symptoms[i].cause;
      if (j == i || !symptoms[j].is_fatal) continue;
      if (!same && !explains(symptoms[j], symptoms[i])) continue;
      roots[i] = j;
      break;
    }
  }
  // A chain ends: no cause leads back to one that leads to it.
  for (std::size_t& root : roots) {
    while (roots[root] != root) root = roots[root];
  }
  return roots;
}

const Cause* cause_by_place(const std::string& message) {
  const std::string place = place_in(message);
  if (place.empty()) return nullptr;
  const auto found = std::ranges::find_if(causes(), [&](const Cause& cause) {
    return !cause.places.empty() &&
           re2::RE2::PartialMatch(place, re2::RE2(cause.places, re2::RE2::Latin1));
  });
  return found == causes().end() ? nullptr : &*found;
}

}  // namespace trtlens::message_rules

#include "parsers/log/grammar/line_pattern.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "parsers/log/grammar/pattern_steps.h"
#include "parsers/text/word_search.h"

namespace trtlens {
namespace {

using Step = PatternStep;
using Kind = Step::Kind;

// Ways that lead nowhere, before RE2 is asked.
constexpr int kMaxTries = 200;

class Walk {
 public:
  Walk(const char* begin, const char* end, const char** bounds)
      : begin_(begin), end_(end), bounds_(bounds) {}

  [[nodiscard]] bool gave_up() const { return tries_ < 0; }

  // Whether the steps from `step` on match the text from `at` to its end.
  bool match(const Step* step, const char* at) {
    for (;; ++step) {
      switch (step->kind) {
        case Kind::text:
          if (!stands_at(*step, at)) return false;
          at += step->words.size();
          break;
        case Kind::bytes:
          if (step->has_choice) return choose(*step, at);
          [[fallthrough]];
        case Kind::id: {
          const char* const behind = step->kind == Kind::id ? behind_id(at) : last_of(*step, at);
          if (behind == nullptr) return false;
          if (step->is_group) set_group(*step, at, behind);
          at = behind;
          break;
        }
        case Kind::begin_group:
          bounds_[2 * step->group] = at;
          break;
        case Kind::end_group:
          bounds_[2 * step->group + 1] = at;
          break;
        case Kind::no_group:
          bounds_[2 * step->group] = bounds_[2 * step->group + 1] = nullptr;
          break;
        case Kind::fork: {
          const bool first = may_begin(step->next, step->may_end, at);
          const bool second = may_begin(step->other, step->other_may_end, at);
          if (!first && !second) return false;
          if (first && second && leads_on(step + 1, at)) return true;
          if (gave_up()) return false;
          if (second) step += step->target - 1;
          break;
        }
        case Kind::jump:
          step += step->target - 1;
          break;
        case Kind::end:
          return at == end_;
      }
    }
  }

 private:
  bool leads_on(const Step* step, const char* at) { return --tries_ >= 0 && match(step, at); }

  [[nodiscard]] bool stands_at(const Step& step, const char* at) const {
    const std::size_t size = step.words.size();
    return static_cast<std::size_t>(end_ - at) >= size && are_same(at, step.words.data(), size);
  }

  void set_group(const Step& step, const char* begin, const char* end) {
    bounds_[2 * step.group] = begin;
    bounds_[2 * step.group + 1] = end;
  }

  // Behind a tactic's id; null: it is none.
  [[nodiscard]] const char* behind_id(const char* at) const {
    std::uint64_t value = 0;
    const auto left = static_cast<std::size_t>(end_ - at);
    if (left >= kHexIdBytes && read_hex_id(at, value)) {
      at += kHexIdBytes;  // as all since 8.4.1
      while (at < end_ && is_digit(*at, 'f')) ++at;
      return at;
    }
    const bool is_hex = left > 2 && at[0] == '0' && at[1] == 'x';
    if (is_hex) at += 2;
    if (!is_hex && left > 0 && *at == '-') ++at;
    const char* const first = at;
    while (at < end_ && is_digit(*at, is_hex ? 'f' : '9')) ++at;
    return at == first ? nullptr : at;
  }
  static bool is_digit(char c, char last) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= last);
  }

  [[nodiscard]] bool may_begin(const ByteSet& set, bool may_end, const char* at) const {
    return at == end_ ? may_end : set.holds(*at);
  }

  // Behind the most bytes that `step` takes; null: there are not enough of them.
  [[nodiscard]] const char* last_of(const Step& step, const char* at) const {
    const auto left = static_cast<std::size_t>(end_ - at);
    const char* const stop = step.most < left ? at + step.most : end_;
    const char* const last = step.ranges.skip(step.set, begin_, at, stop);
    return last - at >= static_cast<std::ptrdiff_t>(step.least) ? last : nullptr;
  }

  // The last place from `first` to `last` where what stands behind `step` may begin; null: none.
  [[nodiscard]] const char* last_place(const Step& step, const char* first,
                                       const char* last) const {
    if (!step.words.empty()) {
      const auto room = std::min(step.words.size(), static_cast<std::size_t>(end_ - last));
      return WordSearch(step.words, step.rare).last(first, last + room);
    }
    for (; !may_begin(step.next, step.may_end, last); --last) {
      if (last == first) return nullptr;
    }
    return last;
  }
  [[nodiscard]] const char* first_place(const Step& step, const char* first,
                                        const char* last) const {
    if (!step.words.empty()) {
      const auto room = std::min(step.words.size(), static_cast<std::size_t>(end_ - last));
      return WordSearch(step.words, step.rare).first(first, last + room);
    }
    for (; !may_begin(step.next, step.may_end, first); ++first) {
      if (first == last) return nullptr;
    }
    return first;
  }

  // Bytes as many, or as few, as lead on.
  bool choose(const Step& step, const char* at) {
    const char* last = last_of(step, at);
    if (last == nullptr) return false;
    for (const char* first = at + step.least; first <= last;) {
      const char* const place =
          step.is_lazy ? first_place(step, first, last) : last_place(step, first, last);
      if (place == nullptr) return false;
      if (step.is_group) set_group(step, at, place);
      if (leads_on(&step + 1, place)) return true;
      if (gave_up()) return false;
      if (step.is_lazy) {
        first = place + 1;
      } else if (place == first) {
        return false;
      } else {
        last = place - 1;
      }
    }
    return false;
  }

  const char* begin_;
  const char* end_;
  const char** bounds_;
  int tries_ = kMaxTries;
};

}  // namespace

LinePattern::LinePattern(std::string_view regex, std::string_view known) {
  steps_ = pattern_steps(regex, kMaxGroups, groups_);
  if (!is_known()) return;
  Step& first = steps_.front();
  if (first.kind == Kind::text && first.words.compare(0, known.size(), known) == 0) {
    known_bytes_ = known.size();
    first.words.erase(0, known.size());
    if (first.words.empty()) steps_.erase(steps_.begin());
  }
  look_ahead(steps_);
}

LinePattern::~LinePattern() = default;

bool LinePattern::is_known() const {
  return !steps_.empty();
}

LinePattern::Answer LinePattern::match(std::string_view text, std::string_view* fields) const {
  if (!is_known()) return Answer::unknown;
  std::array<const char*, 2 * kMaxGroups> bounds;  // NOLINT: every group on the way is set
  Walk walk(text.data(), text.data() + text.size(), bounds.data());
  if (!walk.match(steps_.data(), text.data() + known_bytes_)) {
    return walk.gave_up() ? Answer::unknown : Answer::no;
  }
  for (std::size_t i = 0; i < groups_; ++i) {
    const char* const begin = bounds[2 * i];
    fields[i] = begin == nullptr
                    ? std::string_view()
                    : std::string_view(begin, static_cast<std::size_t>(bounds[2 * i + 1] - begin));
  }
  return Answer::yes;
}

}  // namespace trtlens

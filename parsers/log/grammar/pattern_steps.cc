#include "parsers/log/grammar/pattern_steps.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "parsers/text/word_search.h"

namespace trtlens {
namespace {

using Step = PatternStep;
using Kind = Step::Kind;
using Steps = std::vector<Step>;

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMaxWords = 24;

unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}

// \d, \w, \s and their opposites; false: another letter.
bool add_class(ByteSet& set, char letter) {
  ByteSet found;
  switch (letter) {
    case 'w':
    case 'W':
      found.add('A', 'Z');
      found.add('a', 'z');
      found.add('_');
      [[fallthrough]];
    case 'd':
    case 'D':
      found.add('0', '9');
      break;
    case 's':
    case 'S':
      for (const char c : std::string_view("\t\n\f\r ")) found.add(byte_of(c));
      break;
    default:
      return false;
  }
  if (letter < 'a') found.complement();
  set.add(found);
  return true;
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Reads a pattern into steps.
class Reader {
 public:
  explicit Reader(std::string_view regex) : rest_(regex) {}

  // Empty when a part is not of the syntax.
  Steps whole(std::size_t max_groups) {
    Steps steps = alternatives();
    if (!rest_.empty()) is_known_ = false;
    if (!is_known_ || groups_ > max_groups) return {};
    steps.push_back({});
    return steps;
  }
  [[nodiscard]] std::size_t groups() const { return groups_; }

 private:
  struct Repeat {
    std::uint32_t least = 1, most = 1;
    bool is_lazy = false;
    [[nodiscard]] bool is_once() const { return least == 1 && most == 1; }
  };

  static Step step(Kind kind, std::int32_t target = 0) {
    Step made;
    made.kind = kind;
    made.target = target;
    return made;
  }
  static std::int32_t size_of(const Steps& steps) {
    return static_cast<std::int32_t>(steps.size());
  }
  static void append(Steps& steps, Steps more) {
    std::move(more.begin(), more.end(), std::back_inserter(steps));
  }
  // Groups that the way taken leaves out.
  static void leave_out(Steps& steps, std::size_t first, std::size_t end) {
    for (std::size_t group = first; group < end; ++group) {
      steps.push_back(step(Kind::no_group));
      steps.back().group = group;
    }
  }
  bool take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  Steps alternatives() {
    const std::size_t first_group = groups_;
    Steps steps = sequence();
    if (rest_.empty() || rest_[0] != '|') return steps;
    rest_.remove_prefix(1);
    const std::size_t middle = groups_;
    Steps others = alternatives();
    Steps way;
    leave_out(way, middle, groups_);
    append(way, std::move(steps));
    leave_out(others, first_group, middle);
    Steps all;
    all.push_back(step(Kind::fork, size_of(way) + 2));
    append(all, std::move(way));
    all.push_back(step(Kind::jump, size_of(others) + 1));
    append(all, std::move(others));
    return all;
  }

  Steps sequence() {
    Steps steps;
    bool is_text = false;  // the last step is text that the next byte may lengthen
    while (is_known_ && !rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
      if (take("(")) {
        append(steps, group());
        is_text = false;
        continue;
      }
      Step bytes = step(Kind::bytes);
      const int byte = one_byte(bytes.set);
      const Repeat repeat = repetition();
      if (repeat.is_once() && byte >= 0) {
        if (!is_text) steps.push_back(step(Kind::text));
        steps.back().words += static_cast<char>(byte);
        is_text = true;
        continue;
      }
      bytes.least = repeat.least;
      bytes.most = repeat.most;
      bytes.is_lazy = repeat.is_lazy;
      steps.push_back(std::move(bytes));
      is_text = false;
    }
    return steps;
  }

  // Behind the bracket.
  Steps group() {
    const bool captures = !take("?:");
    if (!rest_.empty() && rest_[0] == '?') is_known_ = false;
    const std::size_t first_group = groups_;
    if (captures) ++groups_;
    Steps inner = captures && is_id() ? Steps{step(Kind::id)} : alternatives();
    if (!take(")")) is_known_ = false;
    Steps steps;
    if (captures && inner.size() == 1 && inner[0].kind != Kind::text) {
      steps = std::move(inner);
      steps[0].is_group = true;
      steps[0].group = first_group;
    } else if (captures) {
      steps.push_back(step(Kind::begin_group));
      append(steps, std::move(inner));
      steps.push_back(step(Kind::end_group));
      steps.front().group = steps.back().group = first_group;
    } else {
      steps = std::move(inner);
    }
    const Repeat repeat = repetition();
    if (repeat.is_once()) return steps;
    if (repeat.is_lazy) is_known_ = false;
    if (repeat.least == 0 && repeat.most == 1) return optional(std::move(steps), first_group);
    if (repeat.most != kNoLimit || repeat.least > 1 || groups_ > first_group ||
        may_be_empty(steps)) {
      is_known_ = false;
      return steps;
    }
    return loop(std::move(steps), repeat.least == 0);
  }

  // The id of a tactic, when no byte that could be of it stands behind it.
  bool is_id() {
    for (const std::string_view id : {"0x[0-9a-f]+|-?\\d+", "-?\\d+|0x[0-9a-f]+"}) {
      const std::string_view behind = rest_.substr(std::min(rest_.size(), id.size()));
      const bool is_apart = behind == ")" || behind.substr(0, 2) == ") " ||
                            behind.substr(0, 2) == ")," || behind.substr(0, 5) == ")(?: ";
      if (is_apart && take(id)) return true;
    }
    return false;
  }

  Steps optional(Steps inner, std::size_t first_group) {
    Steps skipped;
    leave_out(skipped, first_group, groups_);
    Steps steps;
    steps.push_back(step(Kind::fork, size_of(inner) + 2));
    append(steps, std::move(inner));
    steps.push_back(step(Kind::jump, size_of(skipped) + 1));
    append(steps, std::move(skipped));
    return steps;
  }

  // fork(on, out) inner jump(back to fork); at least one: inner before it.
  static Steps loop(Steps inner, bool may_be_none) {
    Steps steps;
    if (!may_be_none) append(steps, inner);
    const std::int32_t size = size_of(inner);
    steps.push_back(step(Kind::fork, size + 2));
    append(steps, std::move(inner));
    steps.push_back(step(Kind::jump, -(size + 1)));
    return steps;
  }

  // Whether the steps from `from` on can be passed without a byte.
  static bool may_be_empty(const Steps& steps, std::int32_t from = 0) {
    if (from >= size_of(steps)) return true;
    const Step& at = steps[static_cast<std::size_t>(from)];
    if (at.kind == Kind::text || at.kind == Kind::id || (at.kind == Kind::bytes && at.least > 0)) {
      return false;
    }
    if (at.kind == Kind::jump) return may_be_empty(steps, from + at.target);
    if (may_be_empty(steps, from + 1)) return true;
    return at.kind == Kind::fork && may_be_empty(steps, from + at.target);
  }

  // A byte, an escape, a class or the dot, added to `set`; the byte, or -1.
  int one_byte(ByteSet& set) {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    if (c == '\\') return escape(set);
    if (c == '[') {
      byte_class(set);
      return -1;
    }
    if (c == '.') {
      set.complement();
      return -1;
    }
    if (std::strchr("^$*+?{", c) != nullptr) is_known_ = false;
    set.add(byte_of(c));
    return byte_of(c);
  }

  // Behind the backslash. The byte that it stands for; -1: it stands for a class, or is not known.
  int escape(ByteSet& set) {
    if (rest_.empty()) {
      is_known_ = false;
      return -1;
    }
    const char c = rest_[0];
    rest_.remove_prefix(1);
    if (add_class(set, c)) return -1;
    if (is_alphanumeric(c)) {
      is_known_ = false;
      return -1;
    }
    set.add(byte_of(c));
    return byte_of(c);
  }

  // Behind the bracket.
  void byte_class(ByteSet& set) {
    const bool is_complement = take("^");
    bool is_first = true;
    while (is_known_ && (is_first || rest_.substr(0, 1) != "]")) {
      if (rest_.empty() || rest_.substr(0, 2) == "[:") {
        is_known_ = false;
        return;
      }
      is_first = false;
      int from = byte_of(rest_[0]);
      rest_.remove_prefix(1);
      if (from == '\\') {
        from = escape(set);
      } else {
        set.add(byte_of(static_cast<char>(from)));
      }
      if (rest_.size() < 2 || rest_[0] != '-' || rest_[1] == ']') continue;
      if (from < 0 || rest_[1] == '\\' || byte_of(rest_[1]) < from) {
        is_known_ = false;
        return;
      }
      set.add(byte_of(static_cast<char>(from)), byte_of(rest_[1]));
      rest_.remove_prefix(2);
    }
    if (!take("]")) is_known_ = false;
    if (is_complement) set.complement();
  }

  bool number(std::uint32_t& value) {
    std::size_t n = 0;
    value = 0;
    for (; n < rest_.size() && n < 4 && rest_[n] >= '0' && rest_[n] <= '9'; ++n) {
      value = value * 10 + static_cast<std::uint32_t>(rest_[n] - '0');
    }
    rest_.remove_prefix(n);
    return n > 0;
  }

  Repeat repetition() {
    Repeat repeat;
    if (take("*")) {
      repeat = {0, kNoLimit};
    } else if (take("+")) {
      repeat = {1, kNoLimit};
    } else if (take("?")) {
      repeat = {0, 1};
    } else if (take("{")) {
      if (!number(repeat.least)) is_known_ = false;
      repeat.most = repeat.least;
      if (take(",") && !number(repeat.most)) repeat.most = kNoLimit;
      if (!take("}") || repeat.most < repeat.least) is_known_ = false;
    } else {
      return repeat;
    }
    repeat.is_lazy = take("?");
    // RE2 takes a second one for a mistake or for a group repeated.
    if (!rest_.empty() && std::strchr("*+?{", rest_[0]) != nullptr) is_known_ = false;
    return repeat;
  }

  std::string_view rest_;
  std::size_t groups_ = 0;
  bool is_known_ = true;
};

// What can stand at a step: the bytes that begin it, and whether it can be the end.
struct Start {
  ByteSet bytes;
  bool may_end = false;
};

const Step& ahead(const Step& step, std::int32_t n = 1) {
  return *(&step + n);
}

void add_start(const Step& at, Start& start) {
  switch (at.kind) {
    case Kind::text:
      start.bytes.add(byte_of(at.words[0]));
      return;
    case Kind::id:
      start.bytes.add('0', '9');
      start.bytes.add('-');
      return;
    case Kind::bytes:
      start.bytes.add(at.set);
      if (at.least == 0) add_start(ahead(at), start);
      return;
    case Kind::fork:
      add_start(ahead(at), start);
      return add_start(ahead(at, at.target), start);
    case Kind::jump:
      return add_start(ahead(at, at.target), start);
    case Kind::end:
      start.may_end = true;
      return;
    default:
      return add_start(ahead(at), start);
  }
}

// The words that must stand at a step.
std::string words_at(const Step& at) {
  std::string words;
  for (const Step* next = &at; words.size() < kMaxWords;) {
    if (next->kind == Kind::text) {
      words += next->words;
    } else if (next->kind == Kind::jump) {
      if (next->target < 0) break;
      next = &ahead(*next, next->target);
      continue;
    } else if (next->kind == Kind::fork) {
      const std::string one = words_at(ahead(*next)), two = words_at(ahead(*next, next->target));
      const auto same = std::mismatch(one.begin(), one.end(), two.begin(), two.end()).first;
      words.append(one.begin(), same);
      break;
    } else if (next->kind == Kind::bytes || next->kind == Kind::id || next->kind == Kind::end) {
      break;
    }
    next = &ahead(*next);
  }
  if (words.size() > kMaxWords) words.resize(kMaxWords);
  return words;
}

// What a choice needs to know of the steps behind it.
void look_ahead(Step& at) {
  Start next;
  add_start(ahead(at), next);
  at.next = next.bytes;
  at.may_end = next.may_end;
  if (at.kind == Kind::fork) {
    Start other;
    add_start(ahead(at, at.target), other);
    at.other = other.bytes;
    at.other_may_end = other.may_end;
    return;
  }
  at.has_choice = at.least != at.most && at.set.meets(at.next);
  at.words = words_at(ahead(at));
  at.rare = WordSearch::rarest_of(at.words);
  at.ranges = ByteRanges(at.set);
}

}  // namespace

std::vector<PatternStep> pattern_steps(std::string_view regex, std::size_t max_groups,
                                       std::size_t& groups) {
  Reader reader(regex);
  std::vector<PatternStep> steps = reader.whole(max_groups);
  groups = reader.groups();
  return steps;
}

void look_ahead(std::vector<PatternStep>& steps) {
  for (Step& step : steps) {
    if (step.kind == Kind::bytes || step.kind == Kind::fork) look_ahead(step);
  }
}

}  // namespace trtlens

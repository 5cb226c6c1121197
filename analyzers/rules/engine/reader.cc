// One method for each type of value; a fault carries the place of the value.
#include "analyzers/rules/engine/reader.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens::message_rules {

void Reader::fault(std::size_t offset, std::string expected, std::string found) {
  const auto [line, column] = place(offset);
  out_.push_back({"rule-file", DiagnosticSeverity::error, file_.path, line, column,
                  std::move(expected), std::move(found)});
  ++faults_;
}

std::pair<std::size_t, std::size_t> Reader::place(std::size_t offset) const {
  return lines_.line_and_column(offset);
}

void Reader::check(const MessageRule& rule) {
  if (is_trusted()) return;
  for (const SampleFault& f : check_samples(rule)) fault(f.offset, f.expected, f.found);
}

bool Reader::is(const Json& value, Json::Kind kind) {
  if (value.kind == kind) return true;
  fault(value.offset, to_string(kind), to_string(value.kind));
  return false;
}

void Reader::string(const Json& value, std::string& out) {
  if (is(value, Json::Kind::string)) out = value.text;
}

void Reader::strings(const Json& value, std::vector<std::string>& out) {
  if (!is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    if (is(item, Json::Kind::string)) out.push_back(item.text);
  }
}

void Reader::flags(const Json& value, std::vector<std::string>& out) {
  strings(value, out);
  for (std::string& flag : out) flag.erase(0, flag.find_first_not_of('-'));
}

void Reader::integer(const Json& value, int& out) {
  if (!is(value, Json::Kind::number)) return;
  if (value.number != std::floor(value.number) || std::abs(value.number) > 1e9) {
    return fault(value.offset, "a whole number", "another one");
  }
  out = static_cast<int>(value.number);
}

void Reader::integer(const Json& value, std::optional<int>& out) {
  int n = 0;
  const std::size_t before = faults_;
  integer(value, n);
  if (faults_ == before) out = n;
}

void Reader::integers(const Json& value, std::vector<std::int64_t>& out) {
  if (!is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    int n = 0;
    integer(item, n);
    out.push_back(n);
  }
}

void Reader::version(const Json& value, bool upper_end, std::optional<int>& out) {
  if (!is(value, Json::Kind::string)) return;
  static const re2::RE2 form(R"((\d{1,2})(?:\.(\d{1,2}))?(?:\.(\d{1,2}))?)");
  std::array<std::string, 3> parts;
  if (!re2::RE2::FullMatch(value.text, form, &parts[0], &parts[1], &parts[2])) {
    return fault(value.offset, "a version such as \"8.6\"", '"' + value.text + '"');
  }
  int number = 0;
  for (const std::string& part : parts) {
    number = number * 100 + (!part.empty() ? std::stoi(part) : upper_end ? 99 : 0);
  }
  out = number;
}

void Reader::pattern(const Json& value, RulePattern& out) {
  if (!is(value, Json::Kind::string)) return;
  auto pattern = std::make_shared<const MessagePattern>(value.text);
  if (!is_trusted()) {
    const re2::RE2& re = pattern->re();
    if (!re.ok()) return fault(value.offset, "an RE2 pattern", re.error());
    if (re.Match("", 0, 0, re2::RE2::UNANCHORED, nullptr, 0)) {
      return fault(value.offset, "a pattern that needs some text", "one that matches anything");
    }
  }
  out = {value.text, std::move(pattern)};
}

void Reader::patterns(const Json& value, std::vector<RulePattern>& out) {
  if (!is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    RulePattern one;
    pattern(item, one);
    if (one.re) out.push_back(std::move(one));
  }
}

void Reader::outcome(const Json& value, std::optional<Outcome>& out) {
  Outcome read = Outcome::unknown;
  const std::size_t before = faults_;
  word<Outcome>(value,
                {{"passed", Outcome::passed},
                 {"failed", Outcome::failed},
                 {"truncated", Outcome::truncated},
                 {"unknown", Outcome::unknown}},
                read);
  if (faults_ == before) out = read;
}

void Reader::text_template(const Json& value, std::string& out) {
  string(value, out);
  const bool checked = value.kind == Json::Kind::string && !is_trusted();
  if (checked) templates_.push_back({value.offset, value.text});
}

bool is_own_key(Reader& reader, const Json& object, std::size_t i,
                const std::vector<std::string_view>& known) {
  const auto& [key, offset] = object.keys[i];
  if (std::ranges::find(known, key) == known.end()) {
    std::vector<std::string_view> names = known;
    std::ranges::sort(names);
    std::string expected = "one of the keys";
    for (const std::string_view name : names) expected += ' ' + std::string(name);
    reader.fault(offset, expected, '"' + key + '"');
    return false;
  }
  for (std::size_t before = 0; before < i; ++before) {
    if (object.keys[before].first != key) continue;
    reader.fault(offset, "each key once", '"' + key + "\" again");
    return false;
  }
  return true;
}

void require_keys(Reader& reader, const Json& object, std::initializer_list<const char*> keys) {
  if (reader.is_trusted()) return;
  for (const char* key : keys) {
    const bool there =
        std::ranges::any_of(object.keys, [&](const auto& entry) { return entry.first == key; });
    if (!there) reader.fault(object.offset, std::string("the key \"") + key + '"', "none");
  }
}

}  // namespace trtlens::message_rules

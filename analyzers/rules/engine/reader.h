// Reads the values of rule files and reports what is wrong with them, by place.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/rules/engine/json.h"
#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::message_rules {

using Json = PlacedJson;

// Reads one file; every fault is a diagnostic, and `faults()` tells whether the current rule had
// one.
class Reader {
 public:
  Reader(const RuleFile& file, SampleCheck samples, std::vector<Diagnostic>& out)
      : file_(file), lines_(file.text), samples_(samples), out_(out) {}

  void fault(std::size_t offset, std::string expected, std::string found);
  // Line and column.
  [[nodiscard]] std::pair<std::size_t, std::size_t> place(std::size_t offset) const;
  [[nodiscard]] std::size_t faults() const { return faults_; }
  // Without samples: a file that a test holds free of faults; what costs time is not checked again.
  [[nodiscard]] bool is_trusted() const { return samples_ != SampleCheck::run; }
  [[nodiscard]] bool keeps_samples() const { return samples_ != SampleCheck::skip; }
  void check(const MessageRule& rule);

  bool is(const Json& value, Json::Kind kind);
  void string(const Json& value, std::string& out);
  void strings(const Json& value, std::vector<std::string>& out);
  void flags(const Json& value, std::vector<std::string>& out);  // dashes in front are taken off
  void integer(const Json& value, int& out);
  void integer(const Json& value, std::optional<int>& out);
  void integers(const Json& value, std::vector<std::int64_t>& out);
  void version(const Json& value, bool upper_end, std::optional<int>& out);
  void pattern(const Json& value, RulePattern& out);
  void patterns(const Json& value, std::vector<RulePattern>& out);
  void outcome(const Json& value, std::optional<Outcome>& out);

  // `words` are the allowed strings in the order of the enumerators.
  template <typename Enum>
  void word(const Json& value, std::initializer_list<std::pair<const char*, Enum>> words,
            Enum& out) {
    if (!is(value, Json::Kind::string)) return;
    std::string expected = "one of";
    for (const auto& [name, enumerator] : words) {
      if (value.text == name) {
        out = enumerator;
        return;
      }
      expected += std::string(expected == "one of" ? " " : ", ") + name;
    }
    fault(value.offset, expected, '"' + value.text + '"');
  }

  void text_template(const Json& value, std::string& out);
  struct Template {
    std::size_t offset = 0;
    std::string text;
  };
  std::vector<Template> take_templates() { return std::exchange(templates_, {}); }

 private:
  const RuleFile& file_;
  LineStarts lines_;
  SampleCheck samples_;
  std::vector<Diagnostic>& out_;
  std::size_t faults_ = 0;
  std::vector<Template> templates_;
};

// The keys that an object may have, and who reads their values.
template <typename Target>
struct Field {
  std::string_view key;
  void (*read)(Reader& reader, const PlacedJson& value, Target& out);
};

// False after a fault: an unknown key, or one that stands twice.
[[nodiscard]] bool is_own_key(Reader& reader, const PlacedJson& object, std::size_t i,
                              const std::vector<std::string_view>& known);

// Calls the reader of each key; unknown and repeated keys are faults.
template <typename Target>
void read_object(Reader& reader, const PlacedJson& object, const std::vector<Field<Target>>& fields,
                 Target& out) {
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const std::string& key = object.keys[i].first;
    const auto found =
        std::ranges::find_if(fields, [&](const Field<Target>& field) { return field.key == key; });
    if (found == fields.end() || !reader.is_trusted()) {
      std::vector<std::string_view> known;
      known.reserve(fields.size());
      for (const Field<Target>& field : fields) known.push_back(field.key);
      if (!is_own_key(reader, object, i, known)) continue;
    }
    if (found != fields.end()) found->read(reader, object.items[i], out);
  }
}

void require_keys(Reader& reader, const PlacedJson& object,
                  std::initializer_list<const char*> keys);

void read_requirement(Reader& reader, const PlacedJson& value, RuleRequirement& out);
void read_remedies(Reader& reader, const PlacedJson& value, std::vector<RuleRemedy>& out);
// A text, or a list as remedies are: the last, text alone, where no other applies.
void read_check(Reader& reader, const PlacedJson& value, std::string& next_check,
                std::vector<RuleRemedy>& special_checks);
// The cause that the rule names, an empty one when it names none; a fault when nobody knows it.
[[nodiscard]] const Cause& cause_of(Reader& reader, const PlacedJson& object,
                                    const std::vector<Cause>& known, const RuleInfo& info);
// The texts that a rule, of that object, does not have are those of its cause.
void inherit(Reader& reader, const PlacedJson& object, const std::vector<Cause>& known,
             RuleInfo& info);
void read_samples(Reader& reader, const PlacedJson& value, std::vector<RuleSample>& out);

// The condition that makes a rule without patterns speak of something: a fact of the command, the
// banner, the options or the model.
[[nodiscard]] bool asks_for_a_fact(const RuleRequirement& requirement);
// For people: one line a condition; a sample in one line.
[[nodiscard]] std::vector<std::string> conditions_of(const RuleRequirement& requirement);
[[nodiscard]] std::string text_of(const RuleSample& sample);
// All patterns of a requirement, whose named groups a template may use.
[[nodiscard]] std::vector<const RulePattern*> patterns_of(const RuleRequirement& requirement);

}  // namespace trtlens::message_rules

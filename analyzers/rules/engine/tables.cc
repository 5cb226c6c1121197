// One list of members for each struct, for writing and for reading.
#include "analyzers/rules/engine/tables.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "parsers/input/embedded.h"

namespace trtlens {
namespace {

// Writes values behind one another, or reads them back.
class Archive {
 public:
  Archive() = default;
  explicit Archive(std::string_view bytes) : reads_(true), rest_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (pass(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(written_); }

 private:
  template <typename T>
  void pass(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      pass_bytes(reinterpret_cast<char*>(&value), sizeof value);
    } else {
      members(*this, value);
    }
  }
  void pass(std::string& text) {
    text.resize(pass_size(text.size()));
    pass_bytes(text.data(), text.size());
  }
  template <typename T>
  void pass(std::vector<T>& values) {
    values.resize(pass_size(values.size()));
    for (T& value : values) pass(value);
  }
  template <typename T>
  void pass(std::optional<T>& value) {
    bool there = value.has_value();
    pass(there);
    if (!there) return;
    if (reads_) value.emplace();
    pass(*value);
  }
  void pass(RulePattern& pattern) {
    std::vector<std::string> words;
    if (pattern.re) words = pattern.re->words();
    (*this)(pattern.text, words);
    if (!reads_ || pattern.text.empty()) return;
    pattern.re = std::make_shared<const MessagePattern>(pattern.text, std::move(words));
  }
  std::size_t pass_size(std::size_t size) {
    auto number = static_cast<std::uint32_t>(size);
    pass(number);
    return number;
  }
  void pass_bytes(char* bytes, std::size_t size) {
    if (reads_) {
      std::memcpy(bytes, rest_.data(), size);
      rest_.remove_prefix(size);
    } else {
      written_.append(bytes, size);
    }
  }

  bool reads_ = false;
  std::string written_;
  std::string_view rest_;
};

void members(Archive& a, Threshold& t) {
  a(t.key, t.value, t.unit, t.meaning);
}

void members(Archive& a, VersionRange& v) {
  a(v.min, v.max);
}

void members(Archive& a, RuleRemedy& r) {
  a(r.text, r.versions, r.programs, r.other_programs, r.command_lacks, r.command_has, r.operators);
}

void members(Archive& a, Cause& c) {
  a(c.id, c.title, c.why, c.next_check, c.special_checks, c.remedies, c.sources, c.leads_to,
    c.places, c.part, c.is_harmless, c.is_last_word);
}

void members(Archive& a, RuleInfo& i) {
  a(i.id, i.cause, i.category, i.severity, i.confidence, i.title, i.what, i.why, i.remedies,
    i.next_check, i.special_checks, i.false_positive, i.sources, i.thresholds, i.version_range,
    i.seen);
}

void members(Archive& a, ValueRequirement& v) {
  a(v.name, v.value);
}

void members(Archive& a, RuleRequirement& r) {
  a(r.command_has, r.command_lacks, r.command_has_any, r.command_is, r.banner_is, r.allows,
    r.versions, r.sm_min, r.sm_max, r.gpu, r.producers, r.outcome, r.not_outcome, r.node_is,
    r.op_is, r.onnx_has, r.onnx_has_any, r.onnx_lacks, r.profiles_min, r.and_message, r.shapes_lack,
    r.no_message);
}

// No texts: with_texts() reads them of the rule that fires.
void members(Archive& a, MessageRule& r) {
  a(r.info.id, r.info.cause, r.info.severity, r.info.confidence, r.priority, r.family, r.generic,
    r.is_consequence, r.computed, r.patterns, r.levels, r.requires_, r.file);
}

void members(Archive& a, RuleTables& t) {
  a(t.heads, t.coded, t.causes);
}

void members(Archive& a, Wording& w) {
  a(w.rule, w.words, w.is_sample);
}

void members(Archive& a, WordTable& t) {
  a(t.wordings, t.words, t.places);
}

template <typename T>
std::string written(T& value) {
  Archive archive;
  archive(value);
  return archive.take();
}

}  // namespace

std::string bytes_of(RuleTables tables) {
  return written(tables);
}

std::string bytes_of(WordTable table) {
  return written(table);
}

RuleTables rule_tables_of(std::string_view bytes) {
  RuleTables tables;
  Archive{bytes}(tables);
  for (MessageRule& rule : tables.heads) rule.is_head = true;
  return tables;
}

const RuleTables& embedded_rule_tables() {
  static const RuleTables tables = rule_tables_of(embedded_rules());
  return tables;
}

const WordTable& embedded_word_table() {
  static const WordTable table = [] {
    WordTable read;
    Archive{embedded_words()}(read);
    return read;
  }();
  return table;
}

}  // namespace trtlens

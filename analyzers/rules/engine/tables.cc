// One list of members for each struct: what writes them and what reads them go through it.
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

template <typename Archive>
void members(Archive& a, Threshold& t) {
  a(t.key, t.value, t.unit, t.meaning);
}

template <typename Archive>
void members(Archive& a, VersionRange& v) {
  a(v.min, v.max);
}

template <typename Archive>
void members(Archive& a, RuleRemedy& r) {
  a(r.text, r.versions);
}

template <typename Archive>
void members(Archive& a, RuleInfo& i) {
  a(i.id, i.category, i.severity, i.confidence, i.title, i.what, i.why, i.remedies, i.next_check,
    i.false_positive, i.sources, i.thresholds, i.version_range, i.evidence);
}

template <typename Archive>
void members(Archive& a, ValueRequirement& v) {
  a(v.name, v.value);
}

template <typename Archive>
void members(Archive& a, RuleRequirement& r) {
  a(r.command_has, r.command_lacks, r.command_has_any, r.command_is, r.banner_is, r.allows,
    r.versions, r.sm_min, r.sm_max, r.gpu, r.producers, r.outcome, r.not_outcome, r.node_is,
    r.onnx_has, r.onnx_has_any, r.onnx_lacks, r.profiles_min, r.and_message, r.shapes_lack,
    r.no_message);
}

// No texts: with_texts() reads them of the rule that fires.
template <typename Archive>
void members(Archive& a, MessageRule& r) {
  a(r.info.id, r.info.severity, r.info.confidence, r.priority, r.family, r.generic,
    r.is_consequence, r.computed, r.patterns, r.levels, r.requires_, r.file);
}

template <typename Archive>
void members(Archive& a, RuleTables& t) {
  a(t.heads, t.coded);
}

class TableWriter {
 public:
  template <typename... T>
  void operator()(T&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  void put(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      members(*this, value);
    }
  }
  void put(std::string& text) {
    put_size(text.size());
    bytes_ += text;
  }
  template <typename T>
  void put(std::vector<T>& values) {
    put_size(values.size());
    for (T& value : values) put(value);
  }
  template <typename T>
  void put(std::optional<T>& value) {
    bool there = value.has_value();
    put(there);
    if (there) put(*value);
  }
  void put(RulePattern& pattern) {
    put(pattern.text);
    std::vector<std::string> words;
    if (pattern.re) words = pattern.re->words();
    put(words);
  }
  void put_size(std::size_t size) {
    auto number = static_cast<std::uint32_t>(size);
    put(number);
  }

  std::string bytes_;
};

class TableReader {
 public:
  explicit TableReader(std::string_view bytes) : rest_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }

 private:
  template <typename T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else {
      members(*this, value);
    }
  }
  void get(std::string& text) { text = take(size()); }
  template <typename T>
  void get(std::vector<T>& values) {
    values.resize(size());
    for (T& value : values) get(value);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    if (there) get(value.emplace());
  }
  void get(RulePattern& pattern) {
    std::vector<std::string> words;
    (*this)(pattern.text, words);
    if (pattern.text.empty()) return;
    pattern.re = std::make_shared<const MessagePattern>(pattern.text, std::move(words));
  }
  [[nodiscard]] std::size_t size() {
    std::uint32_t number = 0;
    get(number);
    return number;
  }
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

std::string bytes_of(RuleTables tables) {
  TableWriter writer;
  writer(tables);
  return writer.take();
}

RuleTables rule_tables_of(std::string_view bytes) {
  RuleTables tables;
  TableReader{bytes}(tables);
  for (MessageRule& rule : tables.heads) rule.is_head = true;
  return tables;
}

const RuleTables& embedded_rule_tables() {
  static const RuleTables tables = rule_tables_of(embedded_rules());
  return tables;
}

}  // namespace trtlens

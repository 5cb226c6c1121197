// A fact of a ledger, in one place: what JSON calls it, what it is, what it means, where it comes
// from, and how a table of the document shows it. The JSON report, its schema, which is the
// reference of its names, and the document's tables are made from tables of these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "analyzers/analysis.h"
#include "report/document/document.h"

namespace trtlens {

enum class FactKind : std::uint8_t {
  text,
  flag,
  integer,
  bytes,
  ms,
  seconds,
  share,   // 0..1
  number,  // of the unit in its name
  hex,     // text: 0x and 16 digits
  texts,
  integers,
  numbers_by_name,
  texts_by_name,
  irregular  // JSON of its own, which schemas/common.json defines by the name of the fact
};

// What the values of a fact are.
struct FactType {
  FactKind kind = FactKind::text;
  std::optional<int> least = std::nullopt;  // of numbers
  bool may_be_null = false;                 // null where it is not known; so is an empty text
  bool may_be_absent = false;               // has no key where it is not known
  std::span<const char* const> words = {};  // the only texts that there are
  bool is_pair = false;                     // two such: of base and candidate, or low and high
  bool parts_may_be_null = false;           // of a pair
  std::optional<int> most = std::nullopt;   // of numbers

  [[nodiscard]] constexpr FactType or_null() const {
    FactType type = *this;
    type.may_be_null = true;
    return type;
  }
  [[nodiscard]] constexpr FactType or_absent() const {
    FactType type = *this;
    type.may_be_absent = true;
    return type;
  }
  [[nodiscard]] constexpr FactType listed() const {
    FactType type = *this;
    type.kind = FactKind::texts;
    return type;
  }
  // kCount.or_null().pair(): two counts, each of which may be null.
  [[nodiscard]] constexpr FactType pair() const {
    FactType type = *this;
    type.is_pair = true;
    type.parts_may_be_null = std::exchange(type.may_be_null, false);
    return type;
  }
  [[nodiscard]] constexpr FactType from(int least_one,
                                        std::optional<int> most_one = std::nullopt) const {
    FactType type = *this;
    type.least = least_one;
    type.most = most_one;
    return type;
  }
};
inline constexpr FactType kText{FactKind::text};
inline constexpr FactType kHex{FactKind::hex};
inline constexpr FactType kTexts{FactKind::texts};
inline constexpr FactType kFlag{FactKind::flag};
inline constexpr FactType kInteger{FactKind::integer};
inline constexpr FactType kIntegers{FactKind::integers};
inline constexpr FactType kCount{FactKind::integer, 0};
inline constexpr FactType kBytes{FactKind::bytes};
inline constexpr FactType kMs{FactKind::ms};
inline constexpr FactType kSeconds{FactKind::seconds};
inline constexpr FactType kShare{FactKind::share};
inline constexpr FactType kNumber{FactKind::number};
inline constexpr FactType kNumbersByName{FactKind::numbers_by_name};
inline constexpr FactType kTextsByName{FactKind::texts_by_name};
inline constexpr FactType kIrregular{FactKind::irregular};
[[nodiscard]] constexpr FactType one_of(std::span<const char* const> words) {
  return {FactKind::text, std::nullopt, false, false, words};
}

// How the document shows a fact; not at all without a title.
struct Shown {
  const char* title = nullptr;
  ColumnKind kind = ColumnKind::text;
  bool is_detail = false;
};
[[nodiscard]] constexpr Shown as_name(const char* title) {
  return {title, ColumnKind::name};
}
[[nodiscard]] constexpr Shown as_label(const char* title) {
  return {title, ColumnKind::label};
}
[[nodiscard]] constexpr Shown as_prose(const char* title) {
  return {title, ColumnKind::text};
}
[[nodiscard]] constexpr Shown as_number(const char* title) {
  return {title, ColumnKind::number};
}
[[nodiscard]] constexpr Shown as_share(const char* title) {
  return {title, ColumnKind::share};
}
[[nodiscard]] constexpr Shown as_detail(const char* title, ColumnKind kind = ColumnKind::name) {
  return {title, kind, true};
}

// Layers by name, named one by one: there may be many.
struct LayerNames {
  const std::vector<Layer>* layers = nullptr;
  const std::vector<std::size_t>* which = nullptr;
};

using NamedNumbers = std::vector<std::pair<std::string, double>>;

// Of a pair; monostate: not known.
using FactPart = std::variant<std::monostate, std::int64_t, double, std::string>;
using FactPair = std::array<FactPart, 2>;

// Of one row. monostate: not known.
using FactValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                               std::vector<std::string>, std::vector<std::int64_t>, NamedNumbers,
                               std::map<std::string, std::string>, LayerNames, FactPair>;

template <typename T>
[[nodiscard]] FactPart fact_part(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (requires { *value; }) {
    return value ? fact_part(*value) : FactPart();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty() ? FactPart() : FactPart(value);
  } else {
    return value;
  }
}

template <typename T>
[[nodiscard]] FactValue fact_value(const T& value) {
  if constexpr (std::is_same_v<T, FactValue> || std::is_same_v<T, bool>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(to_string(value));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string>) {
    return static_cast<std::string>(value);
  } else if constexpr (std::is_convertible_v<const T&, FactValue>) {
    return FactValue(value);
  } else if constexpr (requires { *value; }) {
    return value ? fact_value(*value) : FactValue();
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return FactPair{fact_part(value[0]), fact_part(value[1])};
  } else {
    return std::vector<std::string>(value.begin(), value.end());
  }
}

class FactTable;
class FactWriter;

// A fact of a kind of row. Rows are pointers: their type is that of the FactsOf they stand in.
struct FactEntry {
  const char* name = "";  // in JSON: a promise
  FactType type = {};
  const char* meaning = "";  // in a few words
  Shown shown = {};
  const FactTable* of = nullptr;  // an object of these facts, or of a list of such
  bool is_list = false;
  // One of them, or neither: JSON of its own.
  FactValue (*value)(const Analysis& analysis, const void* row) = nullptr;
  void (*write)(const FactEntry& fact, const Analysis& analysis, const void* row,
                FactWriter& out) = nullptr;
};

// The facts of a kind of row, in the order of the JSON report.
class FactTable {
 public:
  FactTable(const char* name, std::vector<FactEntry> facts)
      : name_(name), facts_(std::move(facts)) {}

  [[nodiscard]] const char* name() const { return name_; }  // of its definition in the schema
  [[nodiscard]] auto begin() const { return facts_.begin(); }
  [[nodiscard]] auto end() const { return facts_.end(); }
  // Throws std::out_of_range when there is none of this name: a section misspells it.
  [[nodiscard]] const FactEntry& at(std::string_view fact) const;
  // The members of the object that a row is.
  void write(const Analysis& analysis, const void* row, FactWriter& out) const;

 private:
  const char* name_;
  std::vector<FactEntry> facts_;
};

// Takes what a row has to say, fact by fact.
class FactWriter {
 public:
  virtual ~FactWriter() = default;
  virtual void fact(const FactEntry& fact, const FactValue& value) = 0;
  virtual void irregular(const FactEntry& fact, const Analysis& analysis) = 0;
  // What comes until end() is in an object or a list: of a fact, or an item of a list (null).
  virtual void begin_object(const FactEntry* fact) = 0;
  virtual void begin_list(const FactEntry* fact) = 0;
  virtual void end() = 0;
};

// Where a fact is found: a member of the row, or a function of (row) or (analysis, row).
template <auto Source>
inline constexpr auto kFrom = []<typename... Args>(const Args&... of)
    -> decltype(auto) requires std::is_invocable_v<decltype(Source), const Args&...> {
  return std::invoke(Source, of...);
};

template <typename Row, typename Get>
decltype(auto) found_in(const Analysis& analysis, const void* row) {
  const Row& of = *static_cast<const Row*>(row);
  if constexpr (std::is_invocable_v<Get, const Row&>) {
    return Get{}(of);
  } else {
    return Get{}(analysis, of);
  }
}

template <typename Row>
class FactsOf;

template <typename Row>
struct FactOf : FactEntry {
  // A value. `Get` is kFrom<...> or a lambda of (row) or (analysis, row).
  template <typename Get>
  constexpr FactOf(const char* its_name, FactType its_type, const char* its_meaning, Get /*get*/,
                   Shown shown_as = {})
      : FactEntry{its_name, its_type, its_meaning, shown_as} {
    value = [](const Analysis& analysis, const void* row) {
      return fact_value(found_in<Row, Get>(analysis, row));
    };
  }

  // An object, or a list of such; null where a pointer or an optional says so.
  template <typename Item, typename Get>
  constexpr FactOf(const char* its_name, const FactsOf<Item>& items, const char* its_meaning,
                   Get /*get*/)
      : FactEntry{its_name, {}, its_meaning, {}, &items} {
    using Found =
        std::remove_cvref_t<decltype(found_in<Row, Get>(std::declval<const Analysis&>(), nullptr))>;
    if constexpr (requires(Found found) { *found; }) {
      type.may_be_null = true;
      is_list = is_list_of<Item, std::remove_cvref_t<decltype(*std::declval<Found&>())>>();
    } else {
      is_list = is_list_of<Item, Found>();
    }
    write = [](const FactEntry& fact, const Analysis& analysis, const void* row, FactWriter& out) {
      decltype(auto) found = found_in<Row, Get>(analysis, row);
      if constexpr (requires { *found; }) {
        if (!found) return out.fact(fact, FactValue());
        write_nested<Item>(fact, analysis, *found, out);
      } else {
        write_nested<Item>(fact, analysis, found, out);
      }
    };
  }

  // What the JSON report writes by itself.
  constexpr FactOf(const char* its_name, FactType its_type, const char* its_meaning)
      : FactEntry{its_name, its_type, its_meaning} {}

 private:
  // A row may have items, too.
  template <typename Item, typename Found>
  [[nodiscard]] static constexpr bool is_list_of() {
    return !std::is_same_v<Item, Found> && requires(const Found& found) {
      found.begin();
    };
  }
  template <typename Item, typename Found>
  static void write_nested(const FactEntry& fact, const Analysis& analysis, const Found& found,
                           FactWriter& out) {
    if constexpr (is_list_of<Item, Found>()) {
      out.begin_list(&fact);
      for (const auto& item : found) {
        out.begin_object(nullptr);
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(item)>>) {
          fact.of->write(analysis, item, out);
        } else {
          fact.of->write(analysis, &item, out);
        }
        out.end();
      }
    } else {
      out.begin_object(&fact);
      fact.of->write(analysis, &found, out);
    }
    out.end();
  }
};

template <typename Row>
class FactsOf : public FactTable {
 public:
  FactsOf(const char* name, std::initializer_list<FactOf<Row>> facts)
      : FactTable(name, {facts.begin(), facts.end()}) {}
};

}  // namespace trtlens

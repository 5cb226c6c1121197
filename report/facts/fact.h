// A fact of a ledger, in one place: what JSON calls it, what it is, what it means, where it comes
// from, and how a table of the document shows it. The JSON report, its schema, the reference of its
// names and the document's tables are made from tables of these.
#pragma once

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
  std::optional<int> least = std::nullopt;  // of integers
  bool may_be_null = false;                 // null where it is not known; so is an empty text
  bool may_be_absent = false;               // has no key where it is not known
  std::span<const char* const> words = {};  // the only texts that there are

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
  [[nodiscard]] constexpr FactType from(int least_one) const {
    FactType type = *this;
    type.least = least_one;
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

// Of one row. monostate: not known.
using FactValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                               std::vector<std::string>, std::vector<std::int64_t>, NamedNumbers,
                               std::map<std::string, std::string>, LayerNames>;

template <typename T>
[[nodiscard]] FactValue fact_value(const T& value) {
  if constexpr (std::is_same_v<T, FactValue>) {
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
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
  } else {
    return std::vector<std::string>(value.begin(), value.end());
  }
}

struct FactTable;

// What is to be said of a fact without its row.
struct FactInfo {
  const char* name;  // in JSON: a promise
  FactType type;
  const char* meaning;            // one sentence without its end; "": the name says it
  const FactTable* of = nullptr;  // an object of these facts, or of a list of such
  bool is_list = false;
};

// Takes what a row has to say, fact by fact.
class FactWriter {
 public:
  virtual ~FactWriter() = default;
  virtual void fact(const FactInfo& fact, const FactValue& value) = 0;
  virtual void irregular(const FactInfo& fact, const Analysis& analysis) = 0;
  // What comes until end() is in an object or a list: of a fact, or an item of a list (null).
  virtual void begin_object(const FactInfo* fact) = 0;
  virtual void begin_list(const FactInfo* fact) = 0;
  virtual void end() = 0;
};

// Where a fact of a row is found: by the row alone, or in the rest of the Analysis.
template <typename Row, typename Get>
decltype(auto) found_in(const Get& get, const Analysis& analysis, const Row& row) {
  if constexpr (std::is_invocable_v<const Get&, const Row&>) {
    return std::invoke(get, row);
  } else {
    return std::invoke(get, analysis, row);
  }
}

template <typename Row>
class FactsOf;

// A fact of rows of this type.
template <typename Row>
class FactOf : public FactInfo {
 public:
  // A value. `get` is a member of the row or makes it of (row) or (analysis, row). `shown_as`: in
  // the document.
  template <typename Get>
  FactOf(const char* its_name, FactType its_type, const char* its_meaning, Get get,
         Shown shown_as = {})
      : FactInfo{its_name, its_type, its_meaning},
        shown(shown_as),
        value_([get](const Analysis& analysis, const Row& row) {
          return fact_value(found_in(get, analysis, row));
        }) {}

  // An object or a list of such; null where a pointer or an optional says so. `get` as above.
  template <typename Item, typename Get>
  FactOf(const char* its_name, const FactsOf<Item>& items, const char* its_meaning, Get get)
      : FactInfo{its_name, {}, its_meaning, &items},
        write_([get, &items](const FactInfo& fact, const Analysis& analysis, const Row& row,
                             FactWriter& out) {
          decltype(auto) found = found_in(get, analysis, row);
          if constexpr (requires { *found; }) {
            if (!found) return out.fact(fact, FactValue());
            write_nested(fact, items, analysis, *found, out);
          } else {
            write_nested(fact, items, analysis, found, out);
          }
        }) {
    using Found = std::remove_cvref_t<decltype(found_in(get, std::declval<const Analysis&>(),
                                                        std::declval<const Row&>()))>;
    if constexpr (requires(Found found) { *found; }) {
      type.may_be_null = true;
      is_list = is_list_of<Item, std::remove_cvref_t<decltype(*std::declval<Found&>())>>();
    } else {
      is_list = is_list_of<Item, Found>();
    }
  }

  // What the JSON report writes by itself.
  FactOf(const char* its_name, FactType its_type, const char* its_meaning)
      : FactInfo{its_name, its_type, its_meaning} {}

  Shown shown;

  [[nodiscard]] FactValue value(const Analysis& analysis, const Row& row) const {
    return value_ ? value_(analysis, row) : FactValue();
  }
  void write(const Analysis& analysis, const Row& row, FactWriter& out) const {
    if (write_) return write_(*this, analysis, row, out);
    if (!value_) return out.irregular(*this, analysis);
    out.fact(*this, value_(analysis, row));
  }

 private:
  // A row may have items, too.
  template <typename Item, typename Found>
  [[nodiscard]] static constexpr bool is_list_of() {
    return !std::is_same_v<Item, Found> && requires(const Found& found) {
      found.begin();
    };
  }
  template <typename Item, typename Found>
  static void write_nested(const FactInfo& fact, const FactsOf<Item>& items,
                           const Analysis& analysis, const Found& found, FactWriter& out) {
    if constexpr (is_list_of<Item, Found>()) {
      out.begin_list(&fact);
      for (const auto& item : found) {
        out.begin_object(nullptr);
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(item)>>) {
          items.write(analysis, *item, out);
        } else {
          items.write(analysis, item, out);
        }
        out.end();
      }
    } else {
      out.begin_object(&fact);
      items.write(analysis, found, out);
    }
    out.end();
  }

  std::function<FactValue(const Analysis&, const Row&)> value_;
  std::function<void(const FactInfo&, const Analysis&, const Row&, FactWriter&)> write_;
};

// The facts of a kind of row, whatever its type, in the order of the JSON report.
struct FactTable {
  explicit FactTable(const char* its_name) : name(its_name) {}
  virtual ~FactTable() = default;
  FactTable(const FactTable&) = delete;
  FactTable& operator=(const FactTable&) = delete;
  [[nodiscard]] virtual std::vector<const FactInfo*> infos() const = 0;

  const char* name;  // of its definition in the schema
};

template <typename Row>
class FactsOf : public FactTable {
 public:
  FactsOf(const char* its_name, std::initializer_list<FactOf<Row>> facts)
      : FactTable(its_name), facts_(facts) {}

  [[nodiscard]] std::vector<const FactInfo*> infos() const override {
    std::vector<const FactInfo*> all;
    for (const FactInfo& fact : facts_) all.push_back(&fact);
    return all;
  }
  [[nodiscard]] auto begin() const { return facts_.begin(); }
  [[nodiscard]] auto end() const { return facts_.end(); }
  // The members of the object that a row is.
  void write(const Analysis& analysis, const Row& row, FactWriter& out) const {
    for (const FactOf<Row>& fact : facts_) fact.write(analysis, row, out);
  }
  // Null without such a fact.
  [[nodiscard]] const FactOf<Row>* find(std::string_view fact_name) const {
    for (const FactOf<Row>& fact : facts_) {
      if (fact.name == fact_name) return &fact;
    }
    return nullptr;
  }

 private:
  std::vector<FactOf<Row>> facts_;
};

}  // namespace trtlens

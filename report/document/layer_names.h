// Layers in tables: by their short label, the whole name one step away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "report/document/columns.h"

namespace trtlens {

// Labels of layers that a ledger knows by name: a log of the build names layers that the engine
// does not have.
class NameLabels {
 public:
  explicit NameLabels(const Analysis& analysis);
  // As label_of() where the engine has the layer; the name itself where its label would not tell
  // it apart.
  [[nodiscard]] std::string of(const std::string& name) const;

  // Numbers of the engine's layers of this name, in no order.
  [[nodiscard]] std::span<const std::uint32_t> layers_of(const std::string& name) const;

 private:
  void add(const std::string& name);

  const Analysis& analysis_;
  std::vector<std::uint32_t> engine_;                        // its layers, by their names
  std::unordered_map<std::string, std::string_view> names_;  // of the others, by label
  std::unordered_set<std::string> shared_;                   // labels of several
};

// Of a layer of the engine, by its number, or of one that is known by name.
[[nodiscard]] std::string label_in(const Context& context, std::size_t layer);
[[nodiscard]] std::string label_in(const Context& context, const std::string& name);
// The whole name; empty where the label is it.
[[nodiscard]] std::string name_behind(const Context& context, std::size_t layer);
[[nodiscard]] std::string name_behind(const Context& context, const std::string& name);

// The two columns of a layer; `layer` gives its number or its name.
template <typename Row, typename Get>
[[nodiscard]] ColumnOf<Row> label_column(Get layer) {
  return {{"Layer", ColumnKind::name}, [layer](const Context& context, const Row& row) {
            return label_in(context, got(layer, context, row));
          }};
}
template <typename Row, typename Get>
[[nodiscard]] ColumnOf<Row> name_column(Get layer) {
  return {{"Name", ColumnKind::name, true, true}, [layer](const Context& context, const Row& row) {
            return name_behind(context, got(layer, context, row));
          }};
}

}  // namespace trtlens

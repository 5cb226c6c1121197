// The engine as data for the views of the page: layers, edges, findings.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "report/document/engine.h"
#include "report/formats/escape.h"
#include "report/formats/html/packed.h"
#include "report/formats/html/parts.h"

namespace trtlens {
namespace {

template <typename Item, typename Text>
void list_json(const char* name, const std::vector<Item>& items, const Text& text,
               TextStream& out) {
  out += fmt::format("\"{}\":[", name);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ",";
    out += text(items[i]);
  }
  out += "]";
}

// {"words":[distinct texts],"word":[one per item]}
void words_json(const char* name, const Words& words, TextStream& out) {
  out += fmt::format("\"{}\":{{", name);
  list_json(
      "words", words.words(), [](const std::string* text) { return json_in_html(*text); }, out);
  out += ",\"word\":[";
  html_word_numbers(words.word(), out);
  out += "]}";
}

// Most edges lead from a layer to the next: "to" is by how much it is behind that of the edge
// before, "from" by how much it is in front of its own "to".
void edges_json(const EngineView& view, TextStream& out) {
  const auto from = [](const PictureEdge& edge) {
    return fmt::format("{}", std::int64_t{edge.to} - std::int64_t{edge.from});
  };
  std::int64_t before = 0;
  const auto to = [&before](const PictureEdge& edge) {
    const std::int64_t step = std::int64_t{edge.to} - before;
    before = edge.to;
    return fmt::format("{}", step);
  };
  list_json("from", view.picture.edges, from, out);
  out += ",";
  list_json("to", view.picture.edges, to, out);
  out += ",";
  words_json("tensor", view.tensor, out);
  out += ",";
  words_json("format", view.format, out);
}

void engine_json(const EngineView& view, TextStream& out) {
  const auto number = [](auto value) { return fmt::format("{}", value); };
  out += "{";
  list_json(
      "ms", view.ms, [](double ms) { return fmt::format("{:.6g}", ms); }, out);
  out += ",";
  words_json("kind", view.kind, out);
  out += ",";
  words_json("module", view.module, out);
  out += ",";
  if (view.label.size() > 0) {
    words_json("label", view.label, out);
    out += ",";
  }
  edges_json(view, out);
  out += ",";
  list_json("rank", view.picture.rank, number, out);
  out += ",";
  list_json("place", view.picture.place, number, out);
  out += ",\"findings\":[";
  for (std::size_t i = 0; i < view.findings.size(); ++i) {
    if (i > 0) out += ",";
    out += fmt::format("{{\"number\":{},", view.findings[i].number);
    list_json("layers", view.findings[i].layers, number, out);
    out += "}";
  }
  out += "]}";
}

}  // namespace

void html_engine(std::string_view name, const EngineView& view, TextStream& out) {
  html_packed(
      name, [&](TextStream& json) { engine_json(view, json); }, out);
}

}  // namespace trtlens

// JSON on its way out.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "report/formats/json/parts.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// Writes what json_dump() would of a tree of all that it is given, without that tree: of a report
// of many layers it takes ten times the memory of the layers.
class JsonStream {
 public:
  explicit JsonStream(TextStream& out) : out_(out) {}

  void begin_object() { begin('{'); }
  void begin_list() { begin('['); }
  void end();  // of the last object or list that was begun
  // The member of an object that comes next.
  void key(std::string_view name);
  void value(const Json& json);
  void member(std::string_view name, const Json& json) {
    key(name);
    value(json);
  }
  // All members of `object`.
  void members(const Json& object);
  // A list, each item written by `write(item)`.
  template <typename List, typename Write>
  void list(const List& items, const Write& write) {
    begin_list();
    for (const auto& item : items) write(item);
    end();
  }
  // An item of a list as it is.
  void raw_item(std::string_view json);

 private:
  struct Level {
    char close = '\0';
    bool any = false;  // something is in it
  };
  void begin(char open);
  void before_value();
  void indent();

  TextStream& out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace trtlens

// Indents and separates as nlohmann's dump does, value by value.
#include "report/formats/json/stream.h"

#include <algorithm>
#include <string>

namespace trtlens {
namespace {

constexpr int kIndent = 2;

// Invalid UTF-8 becomes U+FFFD, what a terminal would obey is escaped.
std::string text_of_value(const Json& json) {
  return visible_json(json.dump(kIndent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void JsonStream::begin(char open) {
  before_value();
  out_ += std::string_view(&open, 1);
  levels_.push_back({open == '{' ? '}' : ']'});
}

void JsonStream::end() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.any) indent();
  out_ += std::string_view(&level.close, 1);
  if (levels_.empty()) out_ += "\n";
}

void JsonStream::key(std::string_view name) {
  before_value();
  const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  if (is_plain) {
    out_ += "\"";
    out_ += name;
    out_ += "\"";
  } else {
    out_ += text_of_value(Json(name));
  }
  out_ += ": ";
  after_key_ = true;
}

// In strings line ends are escaped: those of the text are its layout.
void JsonStream::value(const Json& json) {
  before_value();
  const std::string text = text_of_value(json);
  const std::string_view all = text;
  std::size_t begin = 0;
  for (std::size_t at = all.find('\n'); at != all.npos; at = all.find('\n', begin)) {
    out_ += all.substr(begin, at - begin);
    indent();
    begin = at + 1;
  }
  out_ += all.substr(begin);
}

void JsonStream::members(const Json& object) {
  for (const auto& [name, json] : object.items()) member(name, json);
}

void JsonStream::raw_item(std::string_view json) {
  before_value();
  out_ += json;
}

void JsonStream::before_value() {
  if (after_key_ || levels_.empty()) {
    after_key_ = false;
    return;
  }
  if (levels_.back().any) out_ += ",";
  levels_.back().any = true;
  indent();
}

void JsonStream::indent() {
  out_ += "\n";
  for (std::size_t i = 0; i < levels_.size(); ++i) out_ += "  ";
}

}  // namespace trtlens

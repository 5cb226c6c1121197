// Learns the margin that a capture writes in front of a log's lines.
#include "parsers/log/framing/line_headers.h"

#include <algorithm>

#include "parsers/log/framing/producer_header.h"

namespace trtlens {

LogLine LineHeaders::split(std::string_view raw) {
  LogLine parsed = split_header(raw, scratch_, &margin_);
  if (learn_margin(parsed)) parsed = split_header(raw, scratch_, &margin_);
  return parsed;
}

bool LineHeaders::is_outside(const LogLine& bare) {
  if (is_wrapper_) return false;
  if (bare.has_margin) margin_.seen_without_header();
  return margin_.marks_all() && !bare.has_margin;
}

bool LineHeaders::take_wrapper(LogLine& bare) {
  const std::string_view front = bare.raw.substr(0, wrapper_bytes(bare.raw));
  // "FAILED | Runtime: 2 s" is Polygraphy's.
  const bool has_name =
      std::any_of(front.begin(), front.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (bare.has_margin || !has_name) return false;
  margin_.learn(front, true);
  is_wrapper_ = true;
  bare.raw = bare.body = bare.raw.substr(front.size());
  bare.has_margin = true;
  return true;
}

// In a cell of a notebook, in a quote or in a container's output all lines have the same in front:
// those of a list of layers, too, which have no header of their own. True: the line has it itself,
// and is to be split again.
bool LineHeaders::learn_margin(const LogLine& parsed) {
  if (parsed.guessed) return false;
  if (parsed.own || parsed.verdict) is_wrapper_ = false;
  if (parsed.own || parsed.verdict) {
    if (parsed.decoration == 0) {
      margin_.forget();
    } else {
      const std::string_view front = parsed.raw.substr(0, parsed.decoration);
      margin_.learn(front, !parsed.indentation.empty() || is_sure_wrapper(front) ||
                               begins_polygraphy(parsed.body));
      if (parsed.has_margin) margin_.seen_without_header();
    }
    return false;
  }
  // The engine inspector's text alone, which a program printed.
  const std::size_t begin = parsed.raw.find_first_not_of(" \t");
  const bool is_list =
      begin != std::string_view::npos && begin > 0 && parsed.raw.substr(begin) == "Layers:";
  if (is_list) margin_.learn(parsed.raw.substr(0, begin), true);
  return is_list;
}

}  // namespace trtlens

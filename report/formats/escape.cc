// Which characters are visible, what runners and viewers obey, and what stands in its place.
#include "report/formats/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <cstdint>
#include <vector>

namespace trtlens {
namespace {

// A character; or a byte that is no UTF-8, which is shown as one of code 0 is.
struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 1;
  bool is_utf8 = false;
};

Decoded decode(std::string_view s, std::size_t at) {
  namespace utf = boost::locale::utf;
  const char* const begin = s.data() + at;
  const char* end = begin;
  const utf::code_point code = utf::utf_traits<char>::decode(end, s.data() + s.size());
  if (code == utf::illegal || code == utf::incomplete) return {};
  return {code, static_cast<std::size_t>(end - begin), true};
}

struct Range {
  std::uint32_t first, last;
};

template <std::size_t N>
bool in_ranges(std::uint32_t code, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& r) { return code >= r.first && code <= r.last; });
}

// What shows nothing, or moves what is around it. A rule by property, Unicode 15.1 (DerivedCore-
// Properties.txt, DerivedGeneralCategory.txt, PropList.txt): Default_Ignorable_Code_Point, general
// category Cc, Zl, Zp, and Cf without Prepended_Concatenation_Mark; besides U+2800, whose picture
// is empty, and noncharacters; most of those follow below.
constexpr std::array<Range, 22> kInvisible = {
    {{0x00, 0x1F},       {0x7F, 0x9F},      {0xAD, 0xAD},       {0x34F, 0x34F},
     {0x61C, 0x61C},     {0x115F, 0x1160},  {0x17B4, 0x17B5},   {0x180B, 0x180F},
     {0x200B, 0x200F},   {0x2028, 0x202E},  {0x2060, 0x206F},   {0x2800, 0x2800},
     {0x3164, 0x3164},   {0xFDD0, 0xFDEF},  {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
     {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},  {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
     {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '.' || c == '-';
}

bool is_invisible(std::uint32_t code) {
  const bool is_letter = code >= 0x20 && code < 0x7F;  // most are
  return !is_letter && (in_ranges(code, kInvisible) || (code & 0xFFFEU) == 0xFFFE);
}

constexpr std::array<Range, 8> kWide = {{{0x1100, 0x115F},
                                         {0x2E80, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 3> kCombining = {{{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}}};

std::size_t width_of(std::uint32_t code) {
  if (code < 0x300) return 1;
  if (in_ranges(code, kCombining)) return 0;
  return in_ranges(code, kWide) ? 2 : 1;
}

// A command that runners look for anywhere in a line: "##[error]" (GitHub, Azure), "##vso[…]"
// (Azure), "##teamcity[…]".
bool is_command_anywhere(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "##") return false;
  const auto* const end =
      std::find_if_not(text.begin() + at + 2, text.end(), [](char c) { return is_word(c); });
  return end != text.end() && *end == '[';
}

// What .NET, in which GitHub's runner is written, trims from the beginning of a line, as far as
// visible() lets it through.
constexpr std::array<Range, 7> kBlanks = {{{0x20, 0x20},
                                           {0xA0, 0xA0},
                                           {0x1680, 0x1680},
                                           {0x2000, 0x200A},
                                           {0x202F, 0x202F},
                                           {0x205F, 0x205F},
                                           {0x3000, 0x3000}}};

// Behind blanks and sequences of colour, such as "\x1b[1m".
std::size_t behind_blanks(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size()) {
    if (line[at] == '\x1b') {
      const std::size_t end = line.find('m', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
      continue;
    }
    const Decoded d = decode(line, at);
    if (!in_ranges(d.code, kBlanks)) break;
    at += d.length;
  }
  return at;
}

// `write` puts what stands in the place of the first character of a command; `start`: where one is
// that only the beginning of a line makes.
template <typename Write>
std::string without_commands(std::string_view line, std::size_t start, Write write) {
  std::string out;
  out.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i == start || is_command_anywhere(line, i)) {
      out += write(line[i]);
    } else {
      out += line[i];
    }
  }
  return out;
}

std::string as_hex(char c) {
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

std::string visible(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Decoded d = decode(text, i);
    const bool stays = !is_invisible(d.code) || (keep_newlines && d.code == '\n');
    if (d.is_utf8 && stays) {
      out.append(text.substr(i, d.length));
    } else if (!d.is_utf8 || d.code < 0x80) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    } else {
      out += d.code <= 0xFFFF ? fmt::format("\\u{:04x}", d.code) : fmt::format("\\U{:08x}", d.code);
    }
    i += d.length;
  }
  return out;
}

std::string visible_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F && c != '#'; };
  for (std::size_t i = 0; i < json.size();) {
    const auto* const end = std::find_if_not(json.begin() + i, json.end(), is_plain);
    const auto plain = static_cast<std::size_t>(end - json.begin()) - i;
    out.append(json.substr(i, plain));  // nearly always the whole text
    i += plain;
    if (i == json.size()) break;
    const Decoded d = json[i] == '#' ? Decoded() : decode(json, i);
    if (is_command_anywhere(json, i)) {
      out += "\\u0023";
    } else if (!d.is_utf8 || !is_invisible(d.code)) {
      out.append(json.substr(i, d.length));
    } else if (d.code <= 0xFFFF) {
      out += fmt::format("\\u{:04x}", d.code);
    } else {
      const std::uint32_t high = 0xD800 + ((d.code - 0x10000) >> 10U);
      const std::uint32_t low = 0xDC00 + ((d.code - 0x10000) & 0x3FFU);
      out += fmt::format("\\u{:04x}\\u{:04x}", high, low);
    }
    i += d.length;
  }
  return out;
}

std::size_t command_at_start(std::string_view line) {
  static constexpr std::array<std::string_view, 5> kHeads = {"::", "--- ", "+++ ", "~~~ ", "^^^ "};
  const std::size_t start = behind_blanks(line);
  const std::string_view rest = line.substr(start);
  const bool is_command = std::any_of(kHeads.begin(), kHeads.end(), [rest](std::string_view head) {
    return rest.substr(0, head.size()) == head;
  });
  return is_command ? start : std::string_view::npos;
}

std::string without_runner_commands(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    out += without_commands(line, command_at_start(line), as_hex);
    at = end;
  }
  return out;
}

std::string printable(std::string_view text) {
  return without_commands(visible(text), std::string_view::npos, as_hex);
}

RunnerSafeLines::RunnerSafeLines(TextStream& out)
    : out_(out), stream_([this](std::string_view piece) {
        line_ += piece;
        const std::size_t end = line_.rfind('\n') + 1;
        out_ += without_runner_commands(std::string_view(line_).substr(0, end));
        line_.erase(0, end);
      }) {}

void RunnerSafeLines::finish() {
  stream_.flush();
  out_ += without_runner_commands(line_);
  line_.clear();
}

std::string percent_encoded(std::string_view path) {
  static constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string replaced(std::string_view text, std::initializer_list<Replacement> by) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto* const found =
        std::find_if(by.begin(), by.end(), [c](const Replacement& one) { return one.of == c; });
    if (found == by.end()) {
      out += c;
    } else {
      out += found->with;
    }
  }
  return out;
}

// In <pre> it may stand at the beginning of a line.
std::string escape_html(std::string_view text) {
  const std::string escaped =
      replaced(visible(text),
               {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
  return without_commands(escaped, command_at_start(escaped),
                          [](char c) { return fmt::format("&#{};", static_cast<int>(c)); });
}

std::string json_in_html(std::string_view text) {
  return visible_json(
      '"' +
      replaced(
          visible(text),
          {{'&', "\\u0026"}, {'<', "\\u003c"}, {'>', "\\u003e"}, {'"', "\\\""}, {'\\', "\\\\"}}) +
      '"');
}

std::string escape_junit(std::string_view text) {
  return without_runner_commands(visible(text));
}

std::string escape_sarif(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '(' && !out.empty() && out.back() == ']') out += '\\';
    out += c;
  }
  return out;
}

std::string escape_github(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    if (!out.empty()) out += "%0A";
    out += replaced(without_runner_commands(visible(line)), {{'%', "%25"}});
  }
  return out;
}

std::string escape_github_property(std::string_view text) {
  return replaced(without_runner_commands(visible(text, true)),
                  {{'%', "%25"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

std::vector<Span> spans_of(std::string_view sentence) {
  std::vector<Span> spans;
  for (std::size_t begin = sentence.find('`'); begin != std::string_view::npos;
       begin = sentence.find('`')) {
    const std::size_t end = sentence.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    if (begin > 0) spans.push_back({sentence.substr(0, begin), false});
    if (end > begin + 1) spans.push_back({sentence.substr(begin + 1, end - begin - 1), true});
    sentence.remove_prefix(end + 1);
  }
  if (!sentence.empty()) spans.push_back({sentence, false});
  return spans;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded d = decode(text, i);
    width += width_of(d.code);
    i += d.length;
  }
  return width;
}

std::string as_ascii(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    at += d.length;
    switch (d.code) {
      case 0xB7:    // middle dot
      case 0x2013:  // dashes
      case 0x2014:
      case 0x2212:
        out += '-';
        break;
      case 0xD7:  // times
        out += 'x';
        break;
      case 0xB5:  // micro
        out += 'u';
        break;
      case 0x2026:  // ellipsis
        out += '~';
        break;
      case 0x2192:  // arrow: with the blank behind it as wide as before
        out += at < text.size() && text[at] == ' ' ? "->" : ">";
        if (out.ends_with("->")) ++at;
        break;
      default:
        if (d.code < 0x80) {
          out += static_cast<char>(d.code);
        } else {
          out += d.code >= 0x2580 && d.code <= 0x259F ? '#' : '?';  // blocks
        }
    }
  }
  return out;
}

std::size_t fitting_bytes(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    used += width_of(d.code);
    if (used > width) break;
    at += d.length;
  }
  return at;
}

std::string end_elided(std::string_view text, std::size_t width) {
  std::string shown = visible(text);
  if (display_width(shown) <= width) return shown;
  std::string head = shown.substr(0, fitting_bytes(shown, width - 2));
  const std::size_t blank = head.rfind(' ');
  if (blank != std::string::npos && blank > head.size() / 2) head.resize(blank);
  return head + " …";
}

std::string elide_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  struct Char {
    std::size_t at, width;
  };
  std::vector<Char> chars;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded d = decode(text, i);
    chars.push_back({i, width_of(d.code)});
    i += d.length;
  }
  const std::size_t room = width - 1;
  const std::size_t head_room = room / 2;
  std::size_t head = 0;
  std::size_t head_width = 0;
  while (head < chars.size() && head_width + chars[head].width <= head_room) {
    head_width += chars[head++].width;
  }
  std::size_t tail = chars.size();
  std::size_t tail_width = 0;
  while (tail > head && tail_width + chars[tail - 1].width <= room - head_width) {
    tail_width += chars[--tail].width;
  }
  std::string out(text.substr(0, head < chars.size() ? chars[head].at : text.size()));
  out += "…";
  if (tail < chars.size()) out += text.substr(chars[tail].at);
  return out;
}

std::string short_lines(std::string_view lines, std::size_t most_bytes) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::size_t kept = std::min(end, most_bytes);
    const auto is_inside = [&](std::size_t at) {  // of a character
      return at < end && (static_cast<unsigned char>(lines[at]) & 0xC0U) == 0x80U;
    };
    while (kept > 0 && is_inside(kept)) --kept;
    out += lines.substr(0, kept);
    out += kept < end ? " …\n" : "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
    };
    const std::uint32_t group = (byte(0) << 16U) | (byte(1) << 8U) | byte(2);
    out += kAlphabet[(group >> 18U) & 63U];
    out += kAlphabet[(group >> 12U) & 63U];
    out += i + 1 < bytes.size() ? kAlphabet[(group >> 6U) & 63U] : '=';
    out += i + 2 < bytes.size() ? kAlphabet[group & 63U] : '=';
  }
  return out;
}

}  // namespace trtlens

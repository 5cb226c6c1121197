// What acts in Markdown of GitHub and GitLab. A backslash or an entity stops markup; what is looked
// for in the rendered text (links, mentions, references, emoji) is stopped by a zero-width space.
#include <algorithm>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::string_view kZeroWidth = "&#8203;";

bool is_markdown_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_markdown_alnum(char c) {
  return is_markdown_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}
bool is_any_of(char c, std::string_view of) {
  return of.find(c) != std::string_view::npos;
}

// '\0' where there is none.
char char_at(std::string_view text, std::size_t at) {
  return at < text.size() ? text[at] : '\0';
}

bool is_word_at(std::string_view text, std::size_t at, std::string_view lower) {
  const std::string_view found = text.substr(std::min(at, text.size()), lower.size());
  return std::equal(found.begin(), found.end(), lower.begin(), lower.end(), [](char a, char b) {
    return a == b || (is_markdown_alnum(a) && (a | 0x20) == b);
  });
}

// ":100:" is an emoji.
bool opens_emoji(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_+-", at + 1);
  return end != std::string_view::npos && end > at + 1 && text[end] == ':';
}

// Whether a zero-width space has to stand behind this character.
bool is_looked_for(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '@') return true;  // @user, a@b.c
  if (c == ':') return is_word_at(text, at, "://") || opens_emoji(text, at);
  if (c == '&' && at > 0 && text[at - 1] == '>') return false;  // 2>&1, to be copied
  if (is_any_of(c, "#!$%&~")) return is_markdown_digit(char_at(text, at + 1));  // issue, request, …
  if (c == 'w' || c == 'W') return at >= 2 && is_word_at(text, at - 2, "www.");
  if (c == '-' && at >= 2 && is_markdown_digit(char_at(text, at + 1))) {
    return is_word_at(text, at - 2, "gh-") || is_word_at(text, at - 2, "gl-");
  }
  return false;
}

bool is_markup(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c != '_') return is_any_of(c, "\\`*[]|~$");
  return at == 0 || !is_markdown_alnum(text[at - 1]) || !is_markdown_alnum(char_at(text, at + 1));
}

// What would open a heading, a list, a rule or a code block at the beginning of a line, or be a
// command of a bot ("/close") or a runner: where a backslash has to stand. npos: nowhere.
std::size_t opens_block(std::string_view text) {
  const char first = char_at(text, 0);
  const char next = char_at(text, 1);
  if (is_any_of(first, "#/=")) return 0;
  if (is_any_of(first, "-+") && (next == '\0' || next == ' ' || next == first)) return 0;
  std::size_t digits = 0;
  while (is_markdown_digit(char_at(text, digits))) ++digits;
  if (digits > 0 && is_any_of(char_at(text, digits), ".)") &&
      (digits + 1 == text.size() || text[digits + 1] == ' ')) {
    return digits;
  }
  return command_at_start(text);
}

std::string_view entity_of(char c) {
  if (c == '&') return "&amp;";
  if (c == '<') return "&lt;";
  return c == '>' ? "&gt;" : "";
}

// Whether an entity has to stand for "<", ">" or "&": where it would begin a tag, a quotation or an
// entity. The text behind `shown` is not known.
bool acts_as_html(std::string_view shown, std::size_t at) {
  const char c = shown[at];
  const char next = char_at(shown, at + 1);
  if (c == '>') return shown.find_first_not_of(' ') == at;
  if (next == '\0' || (is_markdown_alnum(next) && !is_markdown_digit(next))) return true;
  return is_any_of(next, c == '<' ? "/!?" : "#");
}

// `block`: where a backslash has to stand besides.
std::string escaped(std::string_view shown, std::size_t block) {
  std::string out;
  out.reserve(shown.size() + shown.size() / 8);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string_view entity = entity_of(shown[i]);
    if (!entity.empty() && acts_as_html(shown, i)) {
      out += entity;
    } else {
      if (i == block || is_markup(shown, i)) out += '\\';
      out += shown[i];
    }
    if (is_looked_for(shown, i)) out += kZeroWidth;
  }
  return out;
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  const std::string shown = visible(text);
  if (char_at(shown, 0) != ' ') return escaped(shown, opens_block(shown));
  // Four of them would be a code block.
  return "&#32;" + escaped(std::string_view(shown).substr(1), std::string_view::npos);
}

std::string escape_markdown_inline(std::string_view text) {
  return escaped(visible(text), std::string_view::npos);
}

std::string escape_markdown_html(std::string_view text) {
  std::string out;
  const std::string shown = visible(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string_view entity = entity_of(shown[i]);
    if (entity.empty()) {
      out += shown[i];
    } else {
      out += entity;
    }
    if (is_looked_for(shown, i)) out += kZeroWidth;
  }
  return without_runner_commands(out);
}

std::string markdown_code(std::string_view text, bool in_table) {
  const std::string shown = visible(text);
  if (shown.empty()) return "";
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string body;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|' && in_table) body += '\\';
    body += c;
  }
  const std::string fence(longest + 1, '`');
  const bool pad = body.front() == '`' || body.back() == '`';
  const char* space = pad ? " " : "";
  return without_runner_commands(fence + space + body + space + fence);
}

}  // namespace trtlens

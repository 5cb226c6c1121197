// More digits for small numbers, "unknown" for what is not finite; long names are cut in the
// middle.
#include "analyzers/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace trtlens {
namespace {

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string ms_number(double ms) {
  if (!std::isfinite(ms)) return "unknown";
  if (ms > 0 && ms < 0.00005) return "<0.0001";
  return std::abs(ms) < 0.1 ? fmt::format("{:.4f}", ms) : fmt::format("{:.3f}", ms);
}

std::string ms_text(double ms) {
  return std::isfinite(ms) ? ms_number(ms) + " ms" : "unknown";
}

std::string share_text(double share) {
  if (!std::isfinite(share)) return "unknown";
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  if (percent == 0) return "0 %";
  return std::abs(percent) >= 9.95 ? fmt::format("{:.0f} %", percent)
                                   : fmt::format("{:.1f} %", percent);
}

// The sign is decided on the rounded text.
std::string signed_ms_text(double ms) {
  std::string text = ms_text(std::fabs(ms));
  if (text[0] == '<') text = fmt::format("{:.5f} ms", std::fabs(ms));
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero ? ms_text(0) : (ms < 0 ? "-" : "+") + text;
}

std::string signed_share_text(double share) {
  const std::string text = fmt::format("{:+.1f} %", share * 100);
  return text.find_first_of("123456789") == std::string::npos ? "0.0 %" : text;
}

std::string count_text(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string sentence_start(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char ch : text) {
    if (ch == '\'') {
      out += "'\\''";
    } else {
      out += ch;
    }
  }
  return out + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
  const bool is_plain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos;
  return is_plain ? std::string(text) : shell_quoted(text);
}

std::string name_text(const std::string& name) {
  constexpr std::size_t kFirst = 60, kLast = 24;
  if (name.size() <= kFirst + kLast + 3) return name;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80;
  };
  std::size_t first = kFirst;
  while (first > 0 && continues(first)) --first;
  std::size_t last = name.size() - kLast;
  while (last < name.size() && continues(last)) ++last;
  return name.substr(0, first) + "…" + name.substr(last);
}

bool has_word(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), upper);
  return text;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), lower);
  return text;
}

bool holds_ignoring_case(std::string_view text, std::string_view word) {
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  if (word.empty()) return true;
  const char first = lower(word[0]);
  const char capital = upper(first);
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    if (text[i] != first && text[i] != capital) continue;
    if (std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(i), same))
      return true;
  }
  return false;
}

}  // namespace trtlens

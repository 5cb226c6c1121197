#include "parsers/redact/tokens.h"

#include <array>

namespace trtlens {
namespace {

constexpr std::string_view kJoints = "_/-+@#$~^.:&";

constexpr auto kKinds = [] {
  std::array<SignKind, 256> kinds{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const bool is_digit = byte >= '0' && byte <= '9';
    const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    const bool is_joint = kJoints.find(static_cast<char>(byte)) != std::string_view::npos;
    kinds[byte] = is_digit || is_letter || byte >= 0x80 ? SignKind::word
                  : is_joint                            ? SignKind::joint
                                                        : SignKind::gap;
  }
  return kinds;
}();

SignKind kind_of(char c) {
  return kKinds[static_cast<unsigned char>(c)];
}

bool stands_at(std::string_view text, std::size_t at, char c) {
  return at < text.size() && text[at] == c;
}

// The four digits of `\u00e9`; -1 when they are none.
int code_at(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  int code = 0;
  for (const char c : text.substr(at, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

Sign escape_at(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return {SignKind::joint, 1};
  const char next = text[at + 1];
  if (next == '/' || next == '\\') return {SignKind::joint, 2};
  if (next == 'u') {
    const int code = code_at(text, at + 2);
    if (code >= 0x80) return {SignKind::word, 6};
    if (code >= 0) return {kind_of(static_cast<char>(code)), 6};
  }
  if (next == '"') return {SignKind::gap, 2};
  return {SignKind::joint, 1};  // a path of Windows, such as "C:\\new"
}

}  // namespace

Sign sign_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\\') return escape_at(text, at);
  // "a...b" is a range, "a: b" no name; "x.y" and "onnx::Conv" are.
  const bool before = at > 0 && text[at - 1] == c;
  if (c == '.' && (before || stands_at(text, at + 1, '.'))) return {SignKind::gap, 1};
  if (c == ':' && !before && !stands_at(text, at + 1, ':')) return {SignKind::gap, 1};
  return {kind_of(c), 1};
}

std::size_t end_of_token(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const Sign sign = sign_at(text, at);
    if (sign.kind == SignKind::gap) break;
    at += sign.bytes;
  }
  return at;
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const Sign sign = sign_at(text, at);
    if (sign.kind != SignKind::word) break;
    at += sign.bytes;
  }
  return at;
}

}  // namespace trtlens

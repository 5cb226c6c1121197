#include "parsers/redact/shapes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "parsers/text/ascii.h"

namespace trtlens {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// "2001:db8::7", "0a:1b:2c:3d:4e:5f", not "10:00:00".
bool is_address(std::string_view text) {
  const std::vector<std::string_view> groups = split(text, ':');
  const bool are_groups =
      std::ranges::all_of(groups, [](std::string_view group) { return group.size() <= 4; });
  const auto filled =
      std::ranges::count_if(groups, [](std::string_view group) { return !group.empty(); });
  const bool is_short_form = text.find("::") != text.npos && text.find(":::") == text.npos;
  if (!are_groups || std::ranges::none_of(text, is_digit)) return false;
  if (!is_short_form) return filled >= 6;
  constexpr std::size_t kWholeGroup = 4;  // "fe80::1"
  return filled >= 3 || (filled == 2 && groups.front().size() == kWholeGroup);
}

constexpr std::size_t kLongestIpv4 = 15;

bool are_octets(std::string_view token, char between) {
  if (token.size() > kLongestIpv4) return false;
  const std::vector<std::string_view> parts = split(token, between);
  return parts.size() == 4 && std::ranges::all_of(parts, [](std::string_view part) {
           const bool is_small = part.size() < 3 || (part.size() == 3 && part <= "255");
           return !part.empty() && is_small && std::ranges::all_of(part, is_digit);
         });
}

// Behind the address that begins at `at` in "ip-10-1-2-3.internal", as clouds call their hosts;
// `at`: there is none. Five numbers are none, and four without a word in front.
std::size_t end_of_dashed(std::string_view token, std::size_t at) {
  if (at < 3 || token[at - 1] != '-') return at;
  // "ip-", "ec2-"
  if (!is_letter(token[at - 2]) && !is_letter(token[at - 3])) return at;
  const std::size_t end = std::min(token.find_first_not_of("0123456789-", at), token.size());
  return are_octets(token.substr(at, end - at), '-') ? end : at;
}

}  // namespace

std::size_t end_of_address(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 48;
  text = text.substr(0, at + kLongest);
  std::size_t end = at;
  while (end < text.size() && (is_hex(text[end]) || text[end] == ':')) ++end;
  while (end > at && text[end - 1] == ':') --end;
  constexpr std::size_t kShortest = 5;  // "1::2:3"
  return end - at > kShortest && is_address(text.substr(at, end - at)) ? end : at;
}

bool is_ipv4(std::string_view token) {
  return are_octets(token, '.');
}

bool is_uuid(std::string_view token) {
  constexpr std::size_t kLongest = 80;  // with words in front
  if (token.size() > kLongest) return false;
  const std::vector<std::string_view> parts = split(token, '-');
  constexpr std::array<std::size_t, 5> kLengths{8, 4, 4, 4, 12};
  if (parts.size() < 5) return false;
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string_view part = parts[parts.size() - 5 + i];
    if (part.size() != kLengths.at(i) || !std::ranges::all_of(part, is_hex)) return false;
  }
  return true;
}

std::size_t end_of_id(std::string_view token, std::size_t at) {
  constexpr std::size_t kUuid = 36;
  if (is_uuid(token.substr(at, kUuid))) return at + kUuid;
  if (const std::size_t end = end_of_dashed(token, at); end > at) return end;
  // "TensorRT-8.6.1.6" is a version.
  const bool may_begin = at == 0 || std::string_view("/@:").find(token[at - 1]) != token.npos;
  std::size_t end = at;
  while (end < token.size() && end - at <= kLongestIpv4 &&
         (is_digit(token[end]) || token[end] == '.')) {
    ++end;
  }
  const bool is_whole =
      end == token.size() ? at > 0 : std::string_view("/:@").find(token[end]) != token.npos;
  return may_begin && is_whole && is_ipv4(token.substr(at, end - at)) ? end : at;
}

bool is_source_place(std::string_view token) {
  const std::size_t end = token.rfind("::");
  if (end == token.npos || end + 2 == token.size()) return false;
  const bool has_line = std::ranges::all_of(token.substr(end + 2), is_digit);
  const bool has_file = token.find(".cpp::") < end || token.find(".h::") < end ||
                        token.find(".cu::") < end || token.find(".inl::") < end;
  return has_line && has_file && token.find('/') == token.npos;
}

bool is_kernel(std::string_view token) {
  constexpr std::array<std::string_view, 19> kBegins{
      "sm",         "xmma_",    "volta_",  "turing_",   "ampere_",        "ada_",   "hopper_",
      "blackwell_", "maxwell_", "pascal_", "cutlass_",  "cudnn_",         "cublas", "nvjet_",
      "fmha_",      "gemv",     "trt_",    "implicit_", "conv2d_grouped_"};
  const auto begin =
      std::ranges::find_if(kBegins, [&](std::string_view text) { return token.starts_with(text); });
  if (begin == kBegins.end()) return false;
  return begin != kBegins.begin() || (token.size() > 2 && is_digit(token[2]));
}

bool begins_library(std::string_view file) {
  constexpr std::array<std::string_view, 8> kBegins{"libnvinfer", "libnvonnxparser", "libnvparsers",
                                                    "libnvrtc",   "libcudnn",        "libcublas",
                                                    "libcudart",  "libcuda"};
  return std::ranges::any_of(kBegins,
                             [&](std::string_view begin) { return file.starts_with(begin); });
}

bool is_numbered(std::string_view word, char letter) {
  return word.size() > 1 && word[0] == letter && std::ranges::all_of(word.substr(1), is_digit);
}

}  // namespace trtlens

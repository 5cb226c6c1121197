// Reads numbers without a locale, and how exact their last digit is.
#include "parsers/text/numbers.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "parsers/text/eight_bytes.h"

namespace trtlens {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<double, 16> kPowers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

// "12.5": a mantissa below 2^53 over a power of ten is one division, exactly rounded. NaN: it is
// written otherwise.
double short_decimal(std::string_view text) {
  if (text.size() < 3 || text.size() > 16) return kNan;
  std::uint64_t mantissa = 0;
  bool is_digits = true;
  const auto add = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto digit = static_cast<unsigned char>(text[i] - '0');
      is_digits = is_digits && digit <= 9;
      mantissa = mantissa * 10 + digit;
    }
  };
  const std::size_t point = text[1] == '.' ? 1 : text.find('.');
  if (point == std::string_view::npos || point == 0 || point + 1 == text.size()) return kNan;
  add(0, point);
  add(point + 1, text.size());
  if (!is_digits) return kNan;
  return static_cast<double>(mantissa) / kPowers[text.size() - 1 - point];
}

// Not inline: the usual way then saves no registers.
[[gnu::noinline]] double any_decimal(std::string_view text) {
  double value = short_decimal(text);
  if (!std::isnan(value)) return value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(value) ? value : kNan;
}

}  // namespace

// "0.00193877", as nearly all times of tactics are printed, without a loop.
double finite_or_nan(std::string_view text) {
  const bool is_usual = text.size() >= 8 && text.size() <= 10 && text[1] == '.';
  if (!is_usual || std::endian::native != std::endian::little) return any_decimal(text);
  // The last eight bytes; what stands before the decimals becomes zeros.
  const std::size_t decimals = text.size() - 2;
  const std::uint64_t behind = ~std::uint64_t{0} << (8 * (8 - decimals));
  const std::uint64_t eight =
      (eight_at(text.data() + text.size() - 8) & behind) | (eight_of('0') & ~behind);
  const auto whole = static_cast<unsigned char>(text[0] - '0');
  if (!are_digits(eight) || whole > 9) return any_decimal(text);
  return (whole * kPowers[decimals] + static_cast<double>(value_of_digits(eight))) /
         kPowers[decimals];
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> count_of(std::string_view text) {
  const auto value = whole_number(text);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::optional<std::uint64_t> tactic_id_of(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && text[1] == 'x') {
    std::uint64_t value = 0;
    if (text.size() == kHexIdBytes && read_hex_id(text.data(), value)) return value;
    const auto [end, error] =
        std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }
  const auto value = whole_number(text);
  if (!value) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::vector<std::int64_t> dims_of(std::string_view text) {
  std::vector<std::int64_t> dims;
  read_dims(text, dims);
  return dims;
}

bool read_dims(std::string_view text, std::vector<std::int64_t>& dims) {
  constexpr std::size_t kSafeDigits = 18;
  const auto is_separator = [](char c) { return c == ',' || c == 'x' || c == ' '; };
  const auto none = [&] {
    dims.clear();
    return false;
  };
  dims.clear();
  if (!text.empty()) dims.reserve(4);  // of most tensors
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_separator(text[at])) {
      ++at;
      continue;
    }
    std::int64_t value = 0;
    std::size_t end = at;
    for (; end < text.size() && end - at < kSafeDigits; ++end) {
      const auto digit = static_cast<unsigned char>(text[end] - '0');
      if (digit > 9) break;
      value = value * 10 + digit;
    }
    if (end == at || end - at == kSafeDigits) {  // a minus, too large or no number
      const auto [last, error] =
          std::from_chars(text.data() + at, text.data() + text.size(), value);
      if (error != std::errc()) return none();
      end = static_cast<std::size_t>(last - text.data());
    }
    dims.push_back(value);
    at = end;
    if (at < text.size() && text[at] == ':') {  // vectorised by N
      while (at < text.size() && text[at] != ',' && text[at] != 'x') ++at;
    }
    if (at < text.size() && !is_separator(text[at++])) return none();  // "1-1"
  }
  return true;
}

void read_dims(std::string_view text, Tensor& tensor) {
  std::vector<std::int64_t> dims;
  tensor.has_dims = read_dims(text, dims);
  tensor.dims = std::move(dims);
}

double quantum_of(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  double scale = 1;
  if (exponent != std::string_view::npos) {
    std::string_view digits = text.substr(exponent + 1);
    if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
    scale = std::pow(10.0, static_cast<double>(whole_number(digits).value_or(0)));
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return scale;
  return scale * std::pow(10.0, -static_cast<double>(text.size() - point - 1));
}

std::optional<std::int64_t> bytes_of(std::string_view number, std::string_view unit) {
  const auto value = finite_number(number);
  if (!value) return std::nullopt;
  double factor = 1;
  if (unit == "KiB" || unit == "KB") factor = 1024;
  if (unit == "MiB" || unit == "MB") factor = 1024.0 * 1024;
  if (unit == "GiB" || unit == "GB") factor = 1024.0 * 1024 * 1024;
  const double bytes = *value * factor;
  if (std::fabs(bytes) > 9e18) return std::nullopt;
  return std::llround(bytes);
}

}  // namespace trtlens

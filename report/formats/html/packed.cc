// zlib's format, which browsers call "deflate", in base64.
#include "report/formats/html/packed.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <string>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

// Of 5,000 layers a tenth less than by zlib's default, in 70 ms more; 9 wins nothing over it.
constexpr int kLevel = 8;

class Packer {
 public:
  explicit Packer(TextStream& out) : out_(out) { deflateInit(&stream_, kLevel); }
  ~Packer() { deflateEnd(&stream_); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  void add(std::string_view text, int flush) {
    // zlib reads it and does not write: its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      std::array<char, 1U << 14> piece{};
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());  // NOLINT
      stream_.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream_, flush);
      packed_.append(piece.data(), piece.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    // Three bytes are four characters: the rest waits.
    const std::size_t whole = flush == Z_FINISH ? packed_.size() : packed_.size() / 3 * 3;
    out_ += base64(std::string_view(packed_).substr(0, whole));
    packed_.erase(0, whole);
  }

 private:
  z_stream stream_{};
  std::string packed_;
  TextStream& out_;
};

}  // namespace

void html_packed(std::string_view name, const std::function<void(TextStream&)>& write,
                 TextStream& out) {
  out += "<script type=\"text/plain\" data-packed=\"";
  out += name;
  out += "\">";
  Packer packer(out);
  TextStream json([&](std::string_view piece) { packer.add(piece, Z_NO_FLUSH); });
  write(json);
  json.flush();
  packer.add({}, Z_FINISH);
  out += "</script>\n";
}

void html_word_numbers(const std::vector<std::uint32_t>& numbers, TextStream& out) {
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_new = numbers[i] == next;
    out += fmt::format("{}{}", i == 0 ? "" : ",", is_new ? 0 : numbers[i] + 1);
    if (is_new) ++next;
  }
}

}  // namespace trtlens

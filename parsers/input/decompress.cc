// A thread decompresses into a few slots, from which the reader takes.
#include "parsers/input/decompress.h"

#include <zstd.h>

#include <memory>
#include <utility>

#include "parsers/input/inflate.h"

namespace trtlens {

Compression compression_of(std::string_view first) {
  if (first.substr(0, 2) == "\x1f\x8b") return Compression::gzip;
  if (first.substr(0, 4) == "\x28\xb5\x2f\xfd") return Compression::zstd;
  return Compression::none;
}

Decompressor::Decompressor(Compression compression, std::string_view first, Read read)
    : first_(first), read_(std::move(read)), thread_([this, compression] { run(compression); }) {}

Decompressor::~Decompressor() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    abandoned_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::string_view Decompressor::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (holding_) {
    slots_[reading_].full = false;
    reading_ = (reading_ + 1) % slots_.size();
    holding_ = false;
    changed_.notify_all();
  }
  changed_.wait(lock, [this] { return slots_[reading_].full || ended_; });
  if (!slots_[reading_].full) return {};
  holding_ = true;
  return slots_[reading_].text;
}

std::string* Decompressor::free_slot() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !slots_[filling_].full || abandoned_; });
  if (abandoned_) return nullptr;
  std::string& text = slots_[filling_].text;
  text.resize(kChunkBytes);
  return &text;
}

void Decompressor::hand_over(std::size_t bytes) {
  if (bytes == 0) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    slots_[filling_].text.resize(bytes);
    slots_[filling_].full = true;
    filling_ = (filling_ + 1) % slots_.size();
  }
  changed_.notify_all();
}

void Decompressor::end(std::string error) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    error_ = std::move(error);
    ended_ = true;
  }
  changed_.notify_all();
}

void Decompressor::run(Compression compression) {
  if (compression == Compression::gzip) {
    inflate_gzip();
  } else {
    decompress_zstd();
  }
}

bool Decompressor::fill_raw() {
  if (raw_.empty()) raw_ = std::exchange(first_used_, true) ? read_() : std::string_view(first_);
  return !raw_.empty();
}

void Decompressor::inflate_gzip() {
  Inflater inflater;
  bool inside = false;  // a member was begun and has not ended
  for (std::string* text = free_slot(); text != nullptr; text = free_slot()) {
    std::size_t room = text->size();
    while (room > 0) {
      const bool more = fill_raw();
      // Members follow one another; what else follows, such as padding, is not ours.
      if (!more || (!inside && raw_[0] != '\x1f')) {
        hand_over(text->size() - room);
        end(inside ? "the gzip data end too early" : "");
        return;
      }
      if (!inside) inflater.begin_member();
      const auto status = inflater.step(raw_, text->data() + (text->size() - room), room);
      if (status == Inflater::Status::damaged) {
        hand_over(text->size() - room);
        end("the gzip data are damaged");
        return;
      }
      inside = status == Inflater::Status::going_on;
    }
    hand_over(text->size());
  }
}

void Decompressor::decompress_zstd() {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             &ZSTD_freeDStream);
  ZSTD_initDStream(stream.get());
  std::size_t wanted = 0;  // 0: between frames
  for (std::string* text = free_slot(); text != nullptr; text = free_slot()) {
    ZSTD_outBuffer out{text->data(), text->size(), 0};
    while (out.pos < out.size) {
      if (!fill_raw()) {
        // The stream may hold back output although it has all of its input.
        ZSTD_inBuffer none{nullptr, 0, 0};
        const std::size_t before = out.pos;
        if (wanted != 0) wanted = ZSTD_decompressStream(stream.get(), &out, &none);
        if (wanted != 0 && ZSTD_isError(wanted) == 0 && out.pos > before) continue;
        hand_over(out.pos);
        end(wanted != 0 ? "the Zstandard data end too early" : "");
        return;
      }
      ZSTD_inBuffer in{raw_.data(), raw_.size(), 0};
      wanted = ZSTD_decompressStream(stream.get(), &out, &in);
      raw_.remove_prefix(in.pos);
      if (ZSTD_isError(wanted) != 0) {
        hand_over(out.pos);
        end(std::string("the Zstandard data are damaged: ") + ZSTD_getErrorName(wanted));
        return;
      }
    }
    hand_over(out.pos);
  }
}

}  // namespace trtlens

// A log read by two threads: both prepare chunks, the caller's takes them in their order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "parsers/input.h"
#include "parsers/log/prepared_lines.h"

namespace trtlens {

class ChunkPipeline {
 public:
  // Starts the second thread. `source` is this object's alone until it is destroyed; what a file
  // has grown by meanwhile is left in it.
  explicit ChunkPipeline(ByteSource& source);
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;

  // The next chunk of the source, valid until the next call; null at its end. While it is not
  // ready, the caller's thread prepares a later one.
  [[nodiscard]] PreparedChunk* next();

 private:
  struct Slot {
    std::vector<char> bytes;
    PreparedChunk chunk;
    bool ready = false;
    bool is_last = false;  // nothing stands behind it
  };
  using Lock = std::unique_lock<std::mutex>;

  void work();
  [[nodiscard]] Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  [[nodiscard]] bool may_claim() const {
    return !ended_ && !reading_ && claimed_ - taken_ < slots_.size();
  }
  // Reads and prepares the next chunk that nobody has; `lock` is open meanwhile.
  void prepare_one(Lock& lock);
  [[nodiscard]] std::string_view read(std::size_t chunk, Lock& lock);
  // Ends what next() gave last. False: it was the last chunk.
  bool give_back();

  ByteSource& source_;
  const std::optional<std::uint64_t> begin_;  // of the first chunk of a file, which both read
  std::array<Slot, 4> slots_;                 // chunk i lies in slot i % 4
  std::mutex mutex_;                          // of everything below, and of Slot::ready
  std::condition_variable changed_;
  std::size_t claimed_ = 0;  // chunks read or being read
  std::size_t taken_ = 0;    // chunks that the caller is done with
  bool given_ = false;       // chunk `taken_` is with the caller
  bool reading_ = false;     // of a pipe, one does it at a time
  bool ended_ = false, stopped_ = false;
  std::exception_ptr failure_;  // of the second thread
  std::thread worker_;
};

}  // namespace trtlens

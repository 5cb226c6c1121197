// A log read by two threads: lines are recognised ahead of the caller's turn, which takes all
// chunks in their order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "parsers/input/input.h"
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

  struct Chunk {
    std::string_view text;              // empty at the end
    PreparedChunk* prepared = nullptr;  // its lines, when there was time for them
  };
  // The next chunk of the source, valid until the next call.
  [[nodiscard]] Chunk next();

 private:
  enum class State : std::uint8_t { free, busy, read, prepared };
  struct Slot {
    std::vector<char> bytes;
    std::string_view text;  // what was read into them
    PreparedChunk chunk;
    State state = State::free;
    bool is_last = false;  // nothing stands behind it
  };
  using Lock = std::unique_lock<std::mutex>;
  static constexpr std::size_t kSlots = 8;

  [[nodiscard]] Slot& slot_of(std::size_t chunk) { return slots_[chunk % kSlots]; }
  void read(std::size_t chunk);
  void work();  // of the second thread
  // Of the next chunk that nobody has; a file's is prepared, too. False: there is none. `lock` is
  // open meanwhile.
  bool read_ahead(Lock& lock);
  // Of a pipe: the chunk read last.
  bool prepare_ahead(Lock& lock);
  // Ends what next() gave last. False: it was the last chunk.
  bool give_back();

  ByteSource& source_;
  // Where the first chunk of a file begins. Both threads read and prepare chunks of a file, the
  // caller's while the next one is not ready. Chunks of a pipe are read by the second one, which
  // prepares the last of them when it cannot read on: its writer needs a processor, too.
  const std::optional<std::uint64_t> begin_;
  std::vector<Slot> slots_;  // chunk i lies in slot i % kSlots
  std::mutex mutex_;         // of everything below, and of Slot::state
  std::condition_variable changed_;
  std::size_t claimed_ = 0;  // chunks read or being read
  std::size_t taken_ = 0;    // chunks that the caller is done with
  bool given_ = false;       // chunk `taken_` is with the caller
  bool ended_ = false, stopped_ = false;
  std::exception_ptr failure_;  // of the second thread
  std::thread worker_;
};

}  // namespace trtlens

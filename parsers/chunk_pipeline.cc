#include "parsers/chunk_pipeline.h"

#include <system_error>

namespace trtlens {

ChunkPipeline::ChunkPipeline(ByteSource& source) : source_(source), begin_(source.position()) {
  try {
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // Where no second thread may be started, one does it all.
  }
}

ChunkPipeline::~ChunkPipeline() {
  {
    const Lock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

std::string_view ChunkPipeline::read(std::size_t chunk, Lock& lock) {
  reading_ = !begin_;
  lock.unlock();
  std::vector<char>& bytes = slot_of(chunk).bytes;
  const std::string_view text =
      begin_ ? source_.read_at(*begin_ + chunk * RawBytes::kChunkBytes, bytes)
             : source_.read(bytes);
  lock.lock();
  reading_ = false;
  return text;
}

void ChunkPipeline::prepare_one(Lock& lock) {
  const std::size_t chunk = claimed_++;
  Slot& slot = slot_of(chunk);
  const std::string_view text = read(chunk, lock);
  slot.is_last = begin_ ? text.size() < RawBytes::kChunkBytes : text.empty();
  ended_ = ended_ || slot.is_last;
  if (!begin_) changed_.notify_all();  // the other thread may read on
  lock.unlock();
  slot.chunk.prepare(text);
  lock.lock();
  slot.ready = true;
  changed_.notify_all();
}

void ChunkPipeline::work() {
  try {
    Lock lock(mutex_);
    while (!stopped_ && !ended_) {
      if (may_claim()) {
        prepare_one(lock);
      } else {
        changed_.wait(lock);
      }
    }
  } catch (...) {  // out of memory: the caller's to hear of
    const Lock lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

bool ChunkPipeline::give_back() {
  Slot& slot = slot_of(taken_);
  if (slot.is_last) return false;
  slot.ready = false;
  ++taken_;
  given_ = false;
  changed_.notify_all();
  return true;
}

PreparedChunk* ChunkPipeline::next() {
  Lock lock(mutex_);
  if (given_ && !give_back()) return nullptr;
  for (;;) {
    if (failure_) std::rethrow_exception(failure_);
    Slot& slot = slot_of(taken_);
    if (taken_ < claimed_ && slot.ready) {
      given_ = true;
      if (begin_) source_.pass(slot.chunk.text().size());
      return slot.chunk.text().empty() ? nullptr : &slot.chunk;
    }
    if (may_claim()) {
      prepare_one(lock);
    } else {
      changed_.wait(lock);
    }
  }
}

}  // namespace trtlens

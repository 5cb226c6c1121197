#include "parsers/input/chunk_pipeline.h"

#include <system_error>

namespace trtlens {

ChunkPipeline::ChunkPipeline(ByteSource& source)
    : source_(source), begin_(source.position()), slots_(kSlots) {
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

void ChunkPipeline::read(std::size_t chunk) {
  Slot& slot = slot_of(chunk);
  slot.text = begin_ ? source_.read_at(*begin_ + chunk * RawBytes::kChunkBytes, slot.bytes)
                     : source_.read(slot.bytes);
  slot.is_last = slot.text.size() < (begin_ ? RawBytes::kChunkBytes : 1);
}

bool ChunkPipeline::read_ahead(Lock& lock) {
  if (ended_ || claimed_ - taken_ >= kSlots) return false;
  const std::size_t chunk = claimed_++;
  Slot& slot = slot_of(chunk);
  slot.state = State::busy;
  lock.unlock();
  read(chunk);
  if (begin_) slot.chunk.prepare(slot.text);
  lock.lock();
  slot.state = begin_ ? State::prepared : State::read;
  ended_ = ended_ || slot.is_last;
  changed_.notify_all();
  return true;
}

bool ChunkPipeline::prepare_ahead(Lock& lock) {
  for (std::size_t chunk = claimed_; chunk-- > taken_ + 1;) {
    Slot& slot = slot_of(chunk);
    if (slot.state != State::read) continue;
    slot.state = State::busy;
    lock.unlock();
    slot.chunk.prepare(slot.text);
    lock.lock();
    slot.state = State::prepared;
    changed_.notify_all();
    return true;
  }
  return false;
}

void ChunkPipeline::work() {
  try {
    Lock lock(mutex_);
    while (!stopped_) {
      if (!read_ahead(lock) && !prepare_ahead(lock)) changed_.wait(lock);
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
  slot.state = State::free;
  ++taken_;
  given_ = false;
  // Who has filled all slots sleeps until it is worth to wake up.
  if (claimed_ - taken_ <= kSlots / 2) changed_.notify_all();
  return true;
}

ChunkPipeline::Chunk ChunkPipeline::next() {
  Lock lock(mutex_);
  if (given_ && !give_back()) return {};
  Slot& slot = slot_of(taken_);
  const bool helps = begin_ || !worker_.joinable();
  while (!failure_ && slot.state != State::read && slot.state != State::prepared) {
    if (!helps || !read_ahead(lock)) changed_.wait(lock);
  }
  if (failure_) std::rethrow_exception(failure_);
  given_ = true;
  if (begin_) source_.pass(slot.text.size());
  return {slot.text, slot.state == State::prepared ? &slot.chunk : nullptr};
}

}  // namespace trtlens

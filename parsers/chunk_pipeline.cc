#include "parsers/chunk_pipeline.h"

#include <system_error>

namespace trtlens {

ChunkPipeline::ChunkPipeline(ByteSource& source) : source_(source) {
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

void ChunkPipeline::prepare_one(Lock& lock) {
  Slot& slot = slots_[claimed_ % slots_.size()];
  ++claimed_;
  reading_ = true;
  lock.unlock();
  const std::string_view text = source_.read(slot.bytes);
  lock.lock();
  reading_ = false;
  if (text.empty()) {
    --claimed_;
    ended_ = true;
  } else {
    changed_.notify_all();  // the other thread may read on
    lock.unlock();
    slot.chunk.prepare(text);
    lock.lock();
    slot.ready = true;
  }
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

PreparedChunk* ChunkPipeline::next() {
  Lock lock(mutex_);
  if (given_) {
    slots_[taken_ % slots_.size()].ready = false;
    ++taken_;
    given_ = false;
    changed_.notify_all();
  }
  for (;;) {
    if (failure_) std::rethrow_exception(failure_);
    Slot& slot = slots_[taken_ % slots_.size()];
    if (taken_ < claimed_ && slot.ready) {
      given_ = true;
      return &slot.chunk;
    }
    if (ended_ && taken_ == claimed_) return nullptr;
    if (may_claim()) {
      prepare_one(lock);
    } else {
      changed_.wait(lock);
    }
  }
}

}  // namespace trtlens

// Slides a window over the file and remembers lines and columns behind it.
#include "parsers/json/positions.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "parsers/json/mender.h"
#include "parsers/text/eight_bytes.h"

namespace trtlens::json_detail {
namespace {

// The first byte that is no plain part of a string: a quote, a backslash, a control character, a
// byte beyond ASCII, which may be no UTF-8.
const char* end_of_plain(const char* at, const char* end) {
  for (; end - at >= 8; at += 8) {
    const std::uint64_t eight = eight_at(at);
    // Sets the high bit of the first such byte, of none before it, and perhaps of some behind it.
    const std::uint64_t found =
        (eight | (eight - eight_of(' ')) | ((eight ^ eight_of('"')) - eight_of(1)) |
         ((eight ^ eight_of('\\')) - eight_of(1))) &
        eight_of(128);
    if (found == 0) continue;
    if constexpr (std::endian::native == std::endian::big) break;
    return at + std::countr_zero(found) / 8;
  }
  const auto ends = [](char c) {
    const unsigned char byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte >= 128 || c == '"' || c == '\\';
  };
  return std::find_if(at, end, ends);
}

}  // namespace

SourcePos LineCounter::at(std::size_t offset) {
  offset = std::clamp(offset, begin_.offset, begin_.offset + text_.size());
  if (offset < now_.offset) now_ = begin_;
  const std::string_view passed = text_.substr(now_.offset - begin_.offset, offset - now_.offset);
  // Feeds are rare in it: find() takes them from memchr, which is faster than counting.
  for (std::size_t feed = passed.find('\n'); feed != std::string_view::npos;
       feed = passed.find('\n', feed + 1)) {
    ++now_.line;
    now_.line_start = now_.offset + feed + 1;
  }
  now_.offset = offset;
  return SourcePos{file_, now_.line, offset - now_.line_start + 1};
}

SourcePos LineCounter::at_quote(std::size_t offset) {
  offset = std::clamp(offset, begin_.offset, begin_.offset + text_.size());
  const std::size_t quote = text_.find('"', offset - begin_.offset);
  return at(quote == std::string_view::npos ? offset : begin_.offset + quote);
}

// What is kept begins a few bytes before what was counted last: counted back from there.
void LineCounter::forget_before(std::size_t offset) {
  if (offset > now_.offset) (void)at(offset);
  offset = std::clamp(offset, begin_.offset, now_.offset);
  const std::size_t at = offset - begin_.offset;
  const std::string_view kept = text_.substr(at, now_.offset - offset);
  const auto feeds = static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), '\n'));
  Mark mark{offset, now_.line_start, now_.line - feeds};
  if (feeds > 0) {
    const std::size_t feed = text_.substr(0, at).rfind('\n');
    mark.line_start = feed == std::string_view::npos ? begin_.line_start : begin_.offset + feed + 1;
  }
  begin_ = mark;  // slide() brings the text that is left
}

TextSource::TextSource(std::string_view text, std::size_t begin, LineCounter& lines, Mender* mender)
    : window_(text), at_(begin), lines_(lines), mender_(mender) {
  (void)lines_.at(begin);
}

char TextSource::skip_blanks() {
  while (true) {
    const std::size_t next = window_.find_first_not_of(" \t\r\n", at_ - begin_);
    if (next != std::string_view::npos) {
      at_ = begin_ + next;
      return window_[next];
    }
    at_ = keep_ = begin_ + window_.size();
    if (!refill()) return '\0';
  }
}

void TextSource::resume_at(std::size_t offset) {
  reader_ = nullptr;
  at_ = keep_ = offset;
}

bool TextSource::refill() {
  if (!next_) return false;
  const std::string_view chunk = next_();
  if (chunk.empty()) {
    next_ = nullptr;
    return false;
  }
  at_ = offset();
  const std::size_t kept = at_ - std::min(keep_, at_);
  begin_ = at_ - kept;
  lines_.forget_before(begin_);
  buffer_.erase(0, buffer_.size() - kept);
  buffer_.append(chunk);
  window_ = buffer_;
  lines_.slide(window_);
  return true;
}

void TextIterator::place() {
  at_ = source_->window_.data() + (source_->at_ - source_->begin_);
  end_ = source_->window_.data() + source_->window_.size();
  source_->reader_ = this;
}

void TextIterator::find_limit(const char* from) {
  if (source_->mender_ != nullptr) {
    limit_ = source_->window_.data() + (source_->mender_->pass(offset_of(from)) - source_->begin_);
    if (limit_ == end_) {
      next_ = Next::refill;
    } else {
      next_ = *limit_ == '"' ? Next::begin_string : Next::begin_null;
      if (next_ == Next::begin_string) ++limit_;
    }
    return;
  }
  const auto stops = [](char c) { return c == '"' || c == '\n'; };
  limit_ = std::find_if(from, end_, stops);
  if (limit_ == end_) {
    next_ = Next::refill;
  } else {
    next_ = *limit_++ == '"' ? Next::begin_string : Next::skip_indentation;
  }
}

bool TextIterator::more() {
  if (source_ == nullptr) return false;
  while (at_ == limit_) {
    switch (next_) {
      case Next::skip_indentation:
        skip_indentation();
        break;
      case Next::begin_string:
        begin_string();
        break;
      case Next::end_string:
        find_limit(at_);
        break;
      case Next::begin_null:
        begin_null();
        break;
      case Next::end_null:
        at_ = std::exchange(behind_null_, nullptr);
        find_limit(at_);
        break;
      case Next::refill:
      case Next::refill_string:
        source_->exhausted_ = !source_->refill();
        if (source_->exhausted_) return false;
        place();
        if (next_ == Next::refill) find_limit(at_);
        if (next_ == Next::refill_string) find_string_end(at_);
        break;
    }
  }
  return true;
}

void TextIterator::skip_indentation() {
  source_->lines_.line_begins(source_->offset());
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) {
    if (*at_++ == '\n') source_->lines_.line_begins(source_->offset());
  }
  find_limit(at_);
}

void TextIterator::mend_string() {
  Mender& mender = *source_->mender_;
  at_ = source_->window_.data() + (mender.read_string(offset_of(at_)) - source_->begin_);
  source_->plain_ = mender.string();
  limit_ = at_ == end_ ? end_ : at_ + 1;
  next_ = at_ == end_ ? Next::refill_string : Next::end_string;
}

void TextIterator::begin_null() {
  constexpr std::string_view kNull = "null";
  const std::size_t end = source_->mender_->read_not_finite(offset_of(at_));
  behind_null_ = source_->window_.data() + (end - source_->begin_);
  at_ = kNull.data();
  limit_ = at_ + kNull.size();
  next_ = Next::end_null;
}

void TextIterator::begin_string() {
  if (source_->mender_ != nullptr) return mend_string();
  const char* const plain_end = end_of_plain(at_, end_);
  if (plain_end == end_ || *plain_end != '"') {
    source_->plain_ = {};
    escaped_ = false;
    find_string_end(plain_end);
    return;
  }
  source_->plain_ = {at_, static_cast<std::size_t>(plain_end - at_)};
  at_ = plain_end;
  find_limit(at_ + 1);
}

void TextIterator::find_string_end(const char* from) {
  next_ = Next::refill_string;
  for (limit_ = from; limit_ != end_ && next_ == Next::refill_string; ++limit_) {
    if (*limit_ == '"' && !escaped_) next_ = Next::end_string;
    escaped_ = *limit_ == '\\' && !escaped_;
  }
}

}  // namespace trtlens::json_detail

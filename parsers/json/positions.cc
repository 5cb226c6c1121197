#include "parsers/json/positions.h"

#include <algorithm>
#include <cstdint>

<<<<<<< HEAD
=======
#include "parsers/text/eight_bytes.h"

>>>>>>> json
namespace trtlens::json_detail {
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
  text_.remove_prefix(at);
  begin_ = mark;
}

TextSource::TextSource(std::string_view text, std::size_t begin, LineCounter& lines)
    : window_(text), at_(begin), lines_(lines) {
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

bool TextIterator::more() {
  if (source_ == nullptr || !source_->refill()) return false;
  place();
  return true;
}

}  // namespace trtlens::json_detail

#include "parsers/json/positions.h"

#include <algorithm>

namespace trtlens::json_detail {

SourcePos LineCounter::at(std::size_t offset) {
  offset = std::clamp(offset, begin_.offset, begin_.offset + text_.size());
  if (offset < now_.offset) now_ = begin_;
  const std::string_view passed = text_.substr(now_.offset - begin_.offset, offset - now_.offset);
  const auto feeds = std::count(passed.begin(), passed.end(), '\n');
  if (feeds > 0) {
    now_.line += static_cast<std::uint64_t>(feeds);
    now_.line_start = now_.offset + passed.rfind('\n') + 1;
  }
  now_.offset = offset;
  return SourcePos{file_, now_.line, offset - now_.line_start + 1};
}

SourcePos LineCounter::at_quote(std::size_t offset) {
  offset = std::clamp(offset, begin_.offset, begin_.offset + text_.size());
  const std::size_t quote = text_.find('"', offset - begin_.offset);
  return at(quote == std::string_view::npos ? offset : begin_.offset + quote);
}

void LineCounter::forget_before(std::size_t offset) {
  const Mark ahead = now_;
  (void)at(offset);
  text_.remove_prefix(now_.offset - begin_.offset);
  begin_ = now_;
  if (ahead.offset > now_.offset) now_ = ahead;
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
  limit_ = source_->window_.data() + source_->window_.size();
  source_->reader_ = this;
}

bool TextIterator::more() {
  if (source_ == nullptr || !source_->refill()) return false;
  place();
  return true;
}

void TextIterator::end_line() {
  source_->lines_.line_begins(source_->offset());
  while (at_ != limit_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) {
    if (*at_++ == '\n') source_->lines_.line_begins(source_->offset());
  }
}

}  // namespace trtlens::json_detail

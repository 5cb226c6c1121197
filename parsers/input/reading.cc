// Counts bytes as they are on disk, so that compressed files advance evenly.
#include "parsers/input/reading.h"

#include "parsers/text/sniff.h"

namespace trtlens {
namespace {

std::uint64_t total_bytes(const std::vector<std::string>& paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    if (path == "-") return 0;
    total += is_directory(path) ? directory_bytes(path) : file_bytes(path);
  }
  return total;
}

}  // namespace

ReadingProgress::ReadingProgress(const ParseOptions& options, const std::vector<std::string>& paths)
    : options_(options), total_(total_bytes(paths)) {}

void ReadingProgress::advance(const ByteSource& source) {
  if (options_.progress) options_.progress(before_ + source.raw_bytes_read(), total_);
}

void ReadingProgress::file_done(const ByteSource& source) {
  before_ += source.raw_bytes_read();
}

std::string_view first_bytes(ByteSource& source, std::string& begun) {
  constexpr std::size_t kFewBytes = 512;  // a blank line, a byte order mark
  const auto is_enough = [](std::string_view text) {
    return text.size() >= kDecidingBytes || (text.size() >= kFewBytes && !looks_like_json(text));
  };
  const std::string_view first = source.next();
  if (source.size_hint() > 0 || is_enough(first)) return first;
  begun = first;
  while (!is_enough(begun)) {
    const std::string_view chunk = source.next();
    if (chunk.empty()) break;
    begun += chunk;
  }
  return begun;
}

Input opened_input(const std::string& path, bool named, const ByteSource& source,
                   std::string_view first) {
  Input input;
  input.path = input.file = path;
  input.explicitly_named = named;
  if (!source.ok()) {
    input.readable = false;
    input.why = source.error();
  } else if (!first.empty()) {
    input.is_text = looks_like_text(first.substr(0, kDecidingBytes));
  }
  return input;
}

}  // namespace trtlens

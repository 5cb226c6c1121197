#include "parsers/redact/redacted_copy.h"

#include <algorithm>

#include "parsers/folders.h"
#include "parsers/input/input.h"
#include "parsers/input/reading.h"

namespace trtlens {
namespace {

// "." and ".." are no names of a copy's folder.
std::string name_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  return name == "." || name == ".." ? "folder" : name;
}

// Copies are not compressed.
std::string without_compression(std::string name) {
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
    }
  }
  return name;
}

void add_folder(const std::string& path, const std::string& folder, int depth, Redactor& redactor,
                RedactedFiles& found) {
  const DirectoryListing listing = list_directory(path);
  if (!listing.error.empty()) found.unreadable.push_back(path + ": " + listing.error);
  for (const std::string& file : listing.files) {
    if (is_made_by_kernel(file)) continue;
    found.files.push_back({file, folder + redactor.path(without_compression(name_of(file)))});
  }
  if (depth == kMaxFolderDepth) return;
  for (const std::string& below : listing.directories) {
    add_folder(below, folder + redactor.path(name_of(below)) + "/", depth + 1, redactor, found);
  }
}

// Of "a/run.log" and "b/run.log.gz" the second becomes "run.log.2".
void name_apart(std::vector<RedactedFile>& files) {
  std::unordered_map<std::string, int> times;
  for (RedactedFile& file : files) {
    const int time = ++times[file.name];
    if (time > 1) file.name += "." + std::to_string(time);
  }
}

}  // namespace

// All names before any content: later names sort behind earlier ones, so files keep their order.
RedactedFiles redacted_files(const std::vector<std::string>& paths, Redactor& redactor) {
  RedactedFiles found;
  for (const std::string& path : paths) {
    std::string clean = path;
    while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
    if (path == "-") {
      found.files.push_back({path, "stdin.txt", true});
    } else if (is_directory(clean)) {
      const std::string folder = paths.size() > 1 ? redactor.path(name_of(clean)) + "/" : "";
      add_folder(clean, folder, 0, redactor, found);
    } else {
      const std::string name = redactor.path(without_compression(name_of(path)));
      found.files.push_back({path, name, true});
    }
  }
  name_apart(found.files);
  return found;
}

CopyEnd copy_redacted(const std::string& path, Redactor& redactor,
                      const std::function<bool(std::string_view)>& take) {
  ByteSource source(path, redactor.filter());
  std::string begun;
  const std::string_view first = first_bytes(source, begun);
  const Input input = opened_input(path, true, source, first);
  if (!input.why.empty()) return {input.why};
  if (!input.is_text) return {"binary, neither a log nor JSON"};
  for (std::string_view chunk = first; !chunk.empty(); chunk = source.next()) {
    if (!take(chunk)) return {};
  }
  if (source.changed_size()) return {"it was written to while it was read", true};
  return {source.error(), true};
}

}  // namespace trtlens

// Divides the files of a folder by the commands at the beginning of its logs.
#include "parsers/folders.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "parsers/input/input.h"
#include "parsers/input/reading.h"
#include "parsers/join/runs.h"
#include "parsers/log/log_parser.h"
#include "parsers/log/own_report.h"
#include "parsers/redact/redactor.h"
#include "parsers/text/sniff.h"

namespace trtlens {
namespace {

// The command of a log: its producer prints it first.
constexpr std::size_t kBeginBytes = std::size_t{1} << 16;

// A file of a folder, and what the command of a log is for. Logs of other producers name none.
struct File {
  std::string path;
  std::string name;  // as commands have it
  bool is_log = false, builds = false;
  std::string saved, loaded;      // engines
  std::set<std::string> exports;  // names of the files that the command writes
};

std::string name_of(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

void take_command(const Build& build, File& file) {
  file.builds = builds_engine(build);
  file.saved = build.options.value("saveEngine").value_or("");
  file.loaded = build.options.value("loadEngine").value_or("");
  for (const char* option : {"exportLayerInfo", "exportProfile", "exportTimes", "exportOutput"}) {
    if (const auto value = build.options.value(option)) file.exports.insert(name_of(*value));
  }
}

File peek(const std::string& path, Redactor* redactor) {
  File file;
  file.path = path;
  file.name = name_of(redactor == nullptr ? path : redactor->path(path));
  if (is_made_by_kernel(path)) return file;
  ByteSource source(path, redacted(redactor));
  std::string begun;
  const std::string_view first = first_bytes(source, begun);
  if (first.empty() || !looks_like_text(first.substr(0, kDecidingBytes)) ||
      looks_like_json(first) || is_own_report(first)) {
    return file;
  }
  LogParser parser(0);
  parser.feed(first.substr(0, kBeginBytes));
  const LogResult log = parser.finish();
  file.is_log = !log.builds.empty();
  if (file.is_log) take_command(log.builds.front(), file);
  return file;
}

// "a.log.gz" -> "a": what other files of the same build may be called by.
std::string stem_of(const std::string& name) {
  return name.substr(0, name.find('.', 1));
}

// Which part a name stands for; none where several have it.
class PartsByName {
 public:
  void add(const std::string& name, std::size_t part) {
    if (name.empty()) return;
    const auto [at, is_new] = parts_.emplace(name, part);
    if (!is_new && at->second != part) at->second.reset();
  }
  [[nodiscard]] std::optional<std::size_t> of(const std::string& name) const {
    const auto at = parts_.find(name);
    return at == parts_.end() ? std::nullopt : at->second;
  }

 private:
  std::unordered_map<std::string, std::optional<std::size_t>> parts_;
};

// The parts of a sweep, each begun by one log.
class Sweep {
 public:
  explicit Sweep(std::vector<File> files) : files_(std::move(files)) {
    begin([](const File& file) { return file.builds; });
    // Without a log that builds: those that time one engine each.
    if (begins_.empty()) {
      std::set<std::string> engines;
      begin([&](const File& file) {
        return file.is_log && !file.loaded.empty() && engines.insert(file.loaded).second;
      });
    }
  }

  [[nodiscard]] bool is_one() const { return begins_.size() > 1; }

  [[nodiscard]] std::vector<FolderPart> parts(const std::string& folder) {
    std::vector<FolderPart> parts;
    FolderPart rest{folder, {}};
    for (const std::size_t i : begins_) {
      parts.push_back({files_[i].path, {files_[i].path}});
      name_part(files_[i], parts.size() - 1);
    }
    for (std::size_t i = 0, part = 0; i < files_.size(); ++i) {
      if (part < begins_.size() && begins_[part] == i) {
        ++part;
      } else {
        const std::optional<std::size_t> of = part_of(files_[i]);
        if (!of && files_[i].is_log) {
          parts.push_back({files_[i].path, {files_[i].path}});
        } else {
          (of ? parts[*of] : rest).files.push_back(files_[i].path);
        }
      }
    }
    for (FolderPart& part : parts) std::ranges::sort(part.files);
    std::ranges::sort(parts, {}, &FolderPart::name);
    if (!rest.files.empty()) parts.push_back(std::move(rest));
    return parts;
  }

 private:
  template <typename Begins>
  void begin(const Begins& begins) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (begins(files_[i])) begins_.push_back(i);
    }
  }

  void name_part(const File& begin, std::size_t part) {
    engines_.add(begin.builds ? begin.saved : begin.loaded, part);
    for (const std::string& name : begin.exports) exports_.add(name, part);
    stems_.add(stem_of(begin.name), part);
  }

  [[nodiscard]] std::optional<std::size_t> part_of(const File& file) const {
    const std::string& name = file.name;
    if (const auto part = file.is_log ? engines_.of(file.loaded) : exports_.of(name)) return part;
    for (std::size_t end = name.find_last_of("._-"); end != std::string::npos && end > 0;
         end = name.find_last_of("._-", end - 1)) {
      if (const auto part = stems_.of(name.substr(0, end))) return part;
    }
    return std::nullopt;
  }

  std::vector<File> files_;
  std::vector<std::size_t> begins_;
  PartsByName engines_, exports_, stems_;
};

}  // namespace

Folder look_into(const std::string& folder, Redactor* redactor) {
  DirectoryListing listing = list_directory(folder);
  Folder found;
  found.error = std::move(listing.error);
  found.directories = std::move(listing.directories);
  if (listing.files.empty()) return found;
  std::vector<File> files;
  for (const std::string& path : listing.files) files.push_back(peek(path, redactor));
  Sweep sweep(std::move(files));
  if (sweep.is_one()) {
    found.parts = sweep.parts(folder);
  } else {
    found.parts.push_back({folder, std::move(listing.files)});
  }
  return found;
}

}  // namespace trtlens

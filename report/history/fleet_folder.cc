// Looks into the folder of an export.
#include "report/history/fleet_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "analyzers/text.h"
#include "parsers/input/input.h"
#include "report/history/fleet_rows.h"

namespace trtlens {
namespace {

// What a killed run leaves of a file that it was writing (report/cli/output_file.cc).
bool is_unfinished(const std::string& name) {
  return name.starts_with(".trtlens-") && name.ends_with(".tmp");
}

// Names in a folder; none where there is no folder.
std::vector<std::string> names_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator it(folder, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  return names;
}

std::string place(const std::string& folder, const std::string& name) {
  return fmt::format("{}/{}", folder, name);
}

std::string text_in(const std::string& path, std::string& error) {
  ByteSource source(path);
  std::string text;
  for (std::string_view piece = source.next(); !piece.empty(); piece = source.next()) text += piece;
  if (!source.ok()) error = source.error();
  return text;
}

// In CSV the first cell of a line, in JSON the first member.
void take_keys(const std::string& text, bool is_json, std::set<std::string>& keys) {
  const std::string before = is_json ? "{\"build\":\"" : "\"";
  for (const std::string_view line : split(text, "\n")) {
    if (!line.starts_with(before)) continue;
    const std::string_view key = line.substr(before.size());
    keys.emplace(key.substr(0, key.find('"')));
  }
}

}  // namespace

FleetFolder::~FleetFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void FleetFolder::fail(const std::string& path, const std::string& why) {
  if (error_.empty()) error_ = path + ": " + why;
}

std::string FleetFolder::label() const {
  return fleet_macros(format_);
}

void FleetFolder::check_label() {
  std::string error;
  const std::string text = text_in(label_path(), error);
  const std::string other = format_ == "csv" ? "jsonl" : "csv";
  if (text == label()) return;
  if (text.starts_with(fleet_mark(other))) {
    fail(path_, "holds an export of --format " + other);
  } else if (text.starts_with(fleet_mark(format_))) {
    fail(path_,
         "holds an export of another version of trtlens, with other columns; "
         "export into a new folder");
  } else {
    fail(path_,
         "holds other files; an export takes a new folder, an empty one, or one that an "
         "export made");
  }
}

bool FleetFolder::open(const std::string& path, const std::string& format) {
  path_ = path;
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  format_ = format;
  std::error_code problem;
  std::filesystem::create_directories(path_, problem);
  if (problem) {
    fail(path_, problem.message());
    return false;
  }
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) {
    fail(path_, std::strerror(errno));
  } else if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    fail(path_, "another export is writing to it");
  }
  if (!error_.empty()) return false;
  std::vector<std::string> names = names_in(path_);
  const auto unfinished = std::partition(
      names.begin(), names.end(), [](const std::string& name) { return !is_unfinished(name); });
  is_new_ = unfinished == names.begin();
  if (!is_new_) check_label();
  if (!error_.empty()) return false;
  // Of a run that was killed while it wrote the label.
  for (auto it = unfinished; it != names.end(); ++it) ::unlink(place(path_, *it).c_str());
  return true;
}

std::set<std::string> FleetFolder::builds_of(const std::string& date) {
  const std::string day = "/date=" + folder_value(date);
  const std::string builds = path_ + "/builds" + day;
  std::set<std::string> keys, parts;
  for (const std::string& name : names_in(builds)) {
    if (!name.starts_with("part-")) continue;
    const std::string part = place(builds, name);
    std::string error;
    take_keys(text_in(part, error), format_ == "jsonl", keys);
    if (!error.empty()) fail(part, error + "; remove it and export again");
    parts.insert(name);
  }
  std::vector<std::string> folders{builds, path_ + "/findings" + day, path_ + "/precisions" + day};
  const std::string layers = path_ + "/layers" + day;
  for (const std::string& model : names_in(layers)) folders.push_back(place(layers, model));
  for (const std::string& folder : folders) {
    for (const std::string& name : names_in(folder)) {
      const bool is_part = name.starts_with("part-") && parts.count(name) == 0;
      if (is_part || is_unfinished(name)) ::unlink(place(folder, name).c_str());
    }
  }
  return keys;
}

std::string FleetFolder::place_of(const std::string& file) {
  std::string path = place(path_, file);
  const std::string folder = path.substr(0, path.rfind('/'));
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) fail(folder, problem.message());
  return path;
}

}  // namespace trtlens

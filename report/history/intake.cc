// Lists folders, hashes files.
#include "report/history/intake.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "analyzers/gate/sha256.h"
#include "analyzers/text.h"
#include "parsers/folders.h"
#include "parsers/input/file_id.h"
#include "parsers/input/input.h"

namespace trtlens {
namespace {

constexpr int kMaxDepth = 8;

struct Lister {
  std::vector<Unit>& units;
  const std::function<void(const std::string&)>& problem;
  std::set<FileId> seen{};

  void list(const std::string& folder, int depth) {
    const std::optional<FileId> id = file_id(folder);
    if (id && !seen.insert(*id).second) return;  // a link may lead up again
    Folder found = look_into(folder);
    if (!found.error.empty()) return problem(folder + ": " + found.error);
    for (FolderPart& part : found.parts) {
      std::erase_if(part.files, is_made_by_kernel);
      if (!part.files.empty()) units.push_back({std::move(part.name), std::move(part.files)});
    }
    if (depth == kMaxDepth) return;
    for (const std::string& below : found.directories) list(below, depth + 1);
  }
};

// The digits of `pattern` ("dddd-dd-dd") at the beginning of `text`.
bool has_digits(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (pattern[i] == 'd' ? !is_digit : text[i] != pattern[i]) return false;
  }
  return true;
}

// Files that the build was joined from.
std::set<std::size_t> files_of(const Analysis& analysis) {
  const Build& build = analysis.build;
  std::set<std::size_t> files;
  for (const int number : build.runs) {
    const auto run = std::ranges::find(analysis.reading->runs, number, &Run::n);
    if (run != analysis.reading->runs.end()) files.insert(run->file);
  }
  for (const SourcePos& pos : {build.profile_pos, build.times_pos}) {
    if (pos.line > 0) files.insert(pos.file);
  }
  for (const Layer& layer : build.layers) {
    if (layer.pos.line > 0) files.insert(layer.pos.file);
  }
  std::erase_if(files, [&](std::size_t file) { return file >= analysis.reading->inputs.size(); });
  return files;
}

struct Content {
  std::string hash, logged_at, error;
};

Content content_of(const Input& input) {
  Content content;
  if (input.path == "-") {
    content.error = "standard input cannot be read twice";
    return content;
  }
  ByteSource source(input.path);
  Sha256 hash;
  std::string start;
  for (std::string_view chunk = source.next(); !chunk.empty(); chunk = source.next()) {
    if (start.size() < kDecidingBytes) start += chunk.substr(0, kDecidingBytes);
    hash.add(chunk);
  }
  content.hash = hex_text(hash.digest());
  if (!source.ok()) content.error = source.error();
  if (source.changed_size()) content.error = "it is being written to";
  if (input.kind != InputKind::log) return content;
  for (const std::string_view line : split(start, "\n")) {
    content.logged_at = date_in(line);
    if (!content.logged_at.empty()) break;
  }
  return content;
}

// "2026-02-31" is not; nor is year 0.
bool is_in_calendar(const std::string& date) {
  if (date.empty()) return false;
  const auto number = [&](std::size_t at, std::size_t size) {
    return std::stoi(date.substr(at, size));
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return day.ok() && number(0, 4) > 0;
}

}  // namespace

std::vector<Unit> units_in(const std::vector<std::string>& paths,
                           const std::function<void(const std::string&)>& problem) {
  std::vector<Unit> units;
  Unit named;
  Lister lister{units, problem};
  for (const std::string& path : paths) {
    std::string clean = path;
    while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
    if (is_directory(clean)) {
      lister.list(clean, 0);
    } else {
      named.files.push_back(path);
    }
  }
  if (!named.files.empty()) units.insert(units.begin(), std::move(named));
  return units;
}

std::string stamp_of(const Unit& unit, const std::string& series) {
  std::string all = (unit.name.empty() ? "named " : "folder ") + series + '\0';
  for (const std::string& file : unit.files) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) return {};
    all += fmt::format("{} {} {} {}.{:09} {}.{:09}\n", found.st_dev, found.st_ino, found.st_size,
                       found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_ctim.tv_sec,
                       found.st_ctim.tv_nsec);
  }
  return hex_sha256(all);
}

std::vector<Identity> identities_of(const std::vector<Analysis>& builds) {
  std::map<std::size_t, Content> contents;
  std::map<std::string, int> times_seen;
  std::vector<Identity> identities;
  for (const Analysis& build : builds) {
    Identity identity;
    std::vector<std::string> hashes;
    for (const std::size_t file : files_of(build)) {
      const auto [at, is_new] = contents.try_emplace(file);
      const Input& input = build.reading->inputs[file];
      if (is_new) at->second = content_of(input);
      const Content& content = at->second;
      if (!content.error.empty()) identity.error = input.path + ": " + content.error;
      hashes.push_back(content.hash);
      const bool is_earlier = identity.logged_at.empty() || content.logged_at < identity.logged_at;
      if (!content.logged_at.empty() && is_earlier) identity.logged_at = content.logged_at;
    }
    std::ranges::sort(hashes);
    std::string all;
    for (const std::string& hash : hashes) all += hash + "\n";
    // Several builds of one log.
    if (const int n = times_seen[all]++; n > 0) all += std::to_string(n);
    if (identity.error.empty()) identity.text = hex_sha256(all);
    identities.push_back(std::move(identity));
  }
  return identities;
}

std::string date_in(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t["), line.size()));
  const auto part = [&](std::size_t from, std::size_t size) {
    return std::string(line.substr(from, size));
  };
  std::string date;
  if (has_digits(line, "dd/dd/dddd-dd:dd:dd")) {
    date = part(6, 4) + "-" + part(0, 2) + "-" + part(3, 2) + " " + part(11, 8);
  } else if (has_digits(line, "dddd-dd-dd dd:dd:dd")) {
    date = part(0, 19);
  }
  return is_in_calendar(date) ? date : std::string();
}

bool holds_a_build(const Analysis& analysis) {
  return !analysis.build.runs.empty() || !analysis.build.layers.empty() ||
         !analysis.build.queries.empty();
}

}  // namespace trtlens

// Folders are read a level at a time: what stands below one counts only where none of its own files
// does. Parts of a level are read by as many threads as there are cores.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "parsers/folders.h"
#include "parsers/input/file_id.h"
#include "report/cli/builds.h"
#include "report/cli/output.h"
#include "report/cli/progress.h"
#include "report/cli/redaction.h"
#include "report/cli/rule_files.h"

namespace trtlens {
namespace {

// What was read of a part of a folder; of its builds the outlines, or all.
struct PartRead {
  FolderPart part;  // without files: of what is said of the folder itself
  Reading reading{};
  std::vector<Analysis> analyses{};  // by number; share a reading of their own
  std::size_t reported = 0;          // of them, where none is asked for
  std::vector<GateResult> gates{};   // as many
  bool is_whole = false, was_read = false;
};

struct FolderRead {
  std::string path;
  int depth = 0;
  std::vector<PartRead> parts;
  std::vector<std::string> directories;
  std::deque<FolderRead> below;
};

// Calls `work` with 0 to n - 1, side by side on at most `most` threads.
void side_by_side(std::size_t n, std::size_t most, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < n; i = next++) work(i);
  };
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < std::min(most, n)) others.emplace_back(run);
  } catch (const std::system_error&) {
    // Where no more threads may be started, these do.
  }
  run();
  for (std::thread& other : others) other.join();
}

// `runs_before`: in front of those of `from`, which are numbered for themselves.
void append(Reading from, int runs_before, Reading& into) {
  const auto files = static_cast<std::uint32_t>(into.inputs.size());
  for (Input& input : from.inputs) {
    for (int& run : input.runs) run += runs_before;
    into.inputs.push_back(std::move(input));
  }
  for (Run& run : from.runs) {
    run.n += runs_before;
    run.file += files;
    into.runs.push_back(std::move(run));
  }
  into.coverage.add(from.coverage);
  std::ranges::move(from.diagnostics, std::back_inserter(into.diagnostics));
}

// In the order of the command.
void list_parts(std::deque<FolderRead>& folders, std::vector<PartRead*>& parts) {
  for (FolderRead& folder : folders) {
    for (PartRead& part : folder.parts) parts.push_back(&part);
    list_parts(folder.below, parts);
  }
}

bool knows_any(const FolderRead& folder) {
  return std::ranges::any_of(
             folder.parts,
             [](const PartRead& part) { return trtlens::knows_any(part.reading.inputs); }) ||
         std::ranges::any_of(folder.below,
                             [](const FolderRead& below) { return knows_any(below); });
}

// Said already why not.
bool is_unlisted(const FolderRead& folder) {
  return std::ranges::any_of(folder.parts, [](const PartRead& part) {
    return std::ranges::any_of(part.reading.inputs, &Input::is_missing);
  });
}

class FoldersReader {
 public:
  FoldersReader(const AnalyzeArguments& arguments, const AnalyzeOptions& how,
                const Baseline& baseline, BuildPages& pages)
      : arguments_(arguments),
        how_(how),
        baseline_(baseline),
        pages_(pages),
        options_(parse_options(arguments.output, how.rules.get())),
        gone_(baseline.entries) {
    options_.keep_tactics = arguments.keep_tactics;
    options_.other_runs = true;
    if (!arguments.output.quiet && is_terminal(STDERR_FILENO)) line_.emplace();
  }

  void read() {
    std::vector<FolderRead*> level;
    for (const std::string& path : arguments_.paths) add(path, 0, roots_, level);
    while (!level.empty()) level = read_level(level);
    line_.reset();
  }

  std::optional<HeldBuilds> held();

 private:
  // Each folder once, by whatever path.
  void add(std::string path, int depth, std::deque<FolderRead>& to,
           std::vector<FolderRead*>& level) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const std::optional<FileId> id = file_id(path);
    const auto [known, is_new] = id ? seen_.emplace(*id, path) : std::pair(seen_.end(), true);
    if (!is_new) {
      of_paths_.diagnostics.push_back(input_twice(shown(path), shown(known->second)));
      return;
    }
    FolderRead& folder = to.emplace_back();
    folder.path = std::move(path);
    folder.depth = depth;
    level.push_back(&folder);
  }

  std::vector<FolderRead*> read_level(const std::vector<FolderRead*>& level);
  void look(FolderRead& folder);
  void read_part(PartRead& part, int runs_before, bool keeps_whole);
  void end_part();
  [[nodiscard]] PartRead* reported_of(const std::vector<PartRead*>& parts);
  [[nodiscard]] Reading reading_of(const std::vector<PartRead*>& parts, PartRead* reported);
  static void put_first(std::size_t number, std::shared_ptr<const Reading> reading,
                        HeldBuilds& held);

  [[nodiscard]] std::size_t threads() const {
    // Names are given in the order of reading.
    return options_.redactor != nullptr ? 1 : std::max(1U, std::thread::hardware_concurrency());
  }
  [[nodiscard]] std::string shown(const std::string& path) const {
    return options_.redactor == nullptr ? path : options_.redactor->path(path);
  }

  const AnalyzeArguments& arguments_;
  const AnalyzeOptions& how_;
  const Baseline& baseline_;
  BuildPages& pages_;
  ParseOptions options_;
  std::optional<ProgressLine> line_;
  std::deque<FolderRead> roots_;
  std::map<FileId, std::string> seen_;
  Reading of_paths_;  // named twice, or without a build
  std::mutex mutex_;  // of what follows
  std::vector<BaselineEntry> gone_;
  std::size_t done_ = 0, found_ = 0;
};

void FoldersReader::look(FolderRead& folder) {
  Folder found = look_into(folder.path, options_.redactor);
  if (!found.error.empty()) {
    Input input;
    input.path = shown(folder.path);
    input.file = folder.path;
    input.readable = false;
    input.why = found.error;
    input.explicitly_named = true;
    folder.parts.push_back({{folder.path, {}}});
    folder.parts.back().reading.inputs.push_back(std::move(input));
  }
  for (FolderPart& part : found.parts) folder.parts.push_back({std::move(part)});
  folder.directories = std::move(found.directories);
}

void FoldersReader::read_part(PartRead& part, int runs_before, bool keeps_whole) {
  ParseResult parsed = parse_part(part.part, runs_before, options_);
  part.reading = static_cast<const Reading&>(parsed);
  part.reading.run_count -= runs_before;
  part.analyses.clear();
  part.gates.clear();
  if (parsed.builds.empty()) return;
  parsed.diagnostics.clear();  // part.reading has them
  part.analyses = analyze_all(std::move(parsed), how_);
  part.reported = static_cast<std::size_t>(part.analyses.front().build_number) - 1;
  std::ranges::sort(part.analyses, {}, &Analysis::build_number);
  for (Analysis& analysis : part.analyses) {
    part.gates.push_back(hold(analysis, gate_options_of(arguments_), baseline_));
    if (pages_.are_wanted() && !part.was_read) pages_.add(analysis, part.gates.back());
    if (!keeps_whole) analysis = outline_of(std::move(analysis));
    const std::lock_guard<std::mutex> lock(mutex_);
    keep_gone(part.gates.back(), gone_);
  }
  part.is_whole = keeps_whole;
  part.was_read = true;
}

void FoldersReader::end_part() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++done_;
  if (line_) line_->update(fmt::format("read {} of {} builds", done_, found_));
}

// The folders of the next level.
std::vector<FolderRead*> FoldersReader::read_level(const std::vector<FolderRead*>& level) {
  side_by_side(level.size(), threads(), [&](std::size_t i) { look(*level[i]); });
  std::vector<PartRead*> parts;
  for (FolderRead* folder : level) {
    for (PartRead& part : folder->parts) {
      if (!part.part.files.empty()) parts.push_back(&part);
    }
  }
  found_ += parts.size();
  side_by_side(parts.size(), threads(), [&](std::size_t i) {
    read_part(*parts[i], 0, i == 0);
    end_part();
  });
  std::vector<FolderRead*> next;
  for (FolderRead* folder : level) {
    Reading all;
    for (const PartRead& part : folder->parts) {
      all.inputs.insert(all.inputs.end(), part.reading.inputs.begin(), part.reading.inputs.end());
    }
    if (reads_folders_below(all, folder->depth)) {
      for (std::string& path : folder->directories) {
        add(std::move(path), folder->depth + 1, folder->below, next);
      }
    } else {
      note_folders_not_read(shown(folder->path), folder->directories.size(), all);
      if (all.diagnostics.empty()) continue;
      folder->parts.push_back({{folder->path, {}}});
      folder->parts.back().reading.diagnostics = std::move(all.diagnostics);
    }
  }
  return next;
}

// Of all inputs; those of the reported part first, where its positions point to.
Reading FoldersReader::reading_of(const std::vector<PartRead*>& parts, PartRead* reported) {
  Reading all;
  if (reported != nullptr) append(std::move(reported->reading), 0, all);
  for (PartRead* part : parts) {
    if (part != reported) append(std::move(part->reading), all.run_count, all);
    all.run_count += part->reading.run_count;
  }
  append(std::move(of_paths_), 0, all);
  std::ranges::sort(all.runs, {}, &Run::n);
  return all;
}

// The part with the build to report, read once more where only an outline of that is kept, or where
// runs in front of it have the first numbers. Null: there is none.
PartRead* FoldersReader::reported_of(const std::vector<PartRead*>& parts) {
  std::size_t left = static_cast<std::size_t>(std::max(arguments_.build, 1));
  int runs_before = 0;
  for (PartRead* part : parts) {
    if (left <= part->analyses.size()) {
      if (!part->is_whole || runs_before > 0) read_part(*part, runs_before, true);
      return part;
    }
    left -= part->analyses.size();
    runs_before += part->reading.run_count;
  }
  return nullptr;
}

std::optional<HeldBuilds> FoldersReader::held() {
  for (const FolderRead& root : roots_) {
    if (arguments_.paths.size() == 1 || knows_any(root) || is_unlisted(root)) continue;
    of_paths_.inputs.push_back(nothing_in(root.path, shown(root.path)));
  }
  std::vector<PartRead*> parts;
  list_parts(roots_, parts);
  BuildsFound found;
  for (const PartRead* part : parts) found.builds += part->analyses.size();
  found.build_not_found = static_cast<std::size_t>(arguments_.build) > found.builds;
  ParseResult none;
  PartRead* const reported = reported_of(parts);
  static_cast<Reading&>(none) = reading_of(parts, reported);
  if (!can_report(none, found, arguments_)) return std::nullopt;
  if (found.builds == 0) return hold_read(std::move(none), arguments_, how_, baseline_);
  HeldBuilds held;
  held.analyses.reserve(found.builds);  // gates point into them, and a copy would be another place
  held.gates.reserve(found.builds);
  for (PartRead* part : parts) {
    for (Analysis& one : part->analyses) {
      if (part->is_whole && part != reported) one = outline_of(std::move(one));
    }
    std::ranges::move(part->analyses, std::back_inserter(held.analyses));
    std::ranges::move(part->gates, std::back_inserter(held.gates));
  }
  const std::size_t number =
      arguments_.build == 0 ? reported->reported + 1 : static_cast<std::size_t>(arguments_.build);
  put_first(number, std::make_shared<const Reading>(std::move(none)), held);
  held.gates.front().gone = std::move(gone_);
  return held;
}

// The build to report, and what it says of the others.
void FoldersReader::put_first(std::size_t number, std::shared_ptr<const Reading> reading,
                              HeldBuilds& held) {
  for (std::size_t i = 0; i < held.analyses.size(); ++i) {
    held.analyses[i].build_number = static_cast<int>(i + 1);
    held.analyses[i].other_builds.clear();
    held.fails = held.fails || held.gates[i].fails();
  }
  const auto at = static_cast<std::ptrdiff_t>(number) - 1;
  const auto to_front = [at](auto& list) {
    std::rotate(list.begin(), list.begin() + at, list.begin() + at + 1);
  };
  to_front(held.analyses);
  to_front(held.gates);
  Analysis& first = held.analyses.front();
  first.reading = std::move(reading);
  for (std::size_t i = 1; i < held.analyses.size(); ++i) {
    first.other_builds.push_back(held.analyses[i].name);
  }
}

}  // namespace

bool are_folders(const std::vector<std::string>& paths) {
  return std::ranges::all_of(paths, [](const std::string& path) {
    std::error_code ignored;
    return path != "-" && std::filesystem::is_directory(path, ignored);
  });
}

std::optional<HeldBuilds> hold_folders(const AnalyzeArguments& arguments, const AnalyzeOptions& how,
                                       const Baseline& baseline, BuildPages& pages,
                                       StageTimes& times) {
  FoldersReader reader(arguments, how, baseline, pages);
  reader.read();
  std::optional<HeldBuilds> held = reader.held();
  times.end("read and analyze");
  return held;
}

}  // namespace trtlens

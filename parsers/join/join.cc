// Joining: files of one directory are one Build; files named together join when their layer names
// overlap by 90 % or more. A build log joins the timing log of the engine that it saved. What does
// not join is a Build of its own.
#include "parsers/join/join.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>

#include "parsers/join/runs.h"
#include "parsers/log/runs/run_builder.h"

namespace trtlens {
namespace {

constexpr double kNamedTogetherOverlap = 0.9;

// A Build in the making.
struct Group {
  std::string name, directory;
  std::size_t place = 0;            // of its directory, among the groups that begin with logs
  int last_run = 0;                 // of its logs
  std::uint32_t log = 0;            // that holds it
  bool has_named_log = false;       // on the command line, itself and not its directory
  std::vector<std::size_t> inputs;  // that are in it
  std::vector<Build> logs;          // the runs that belong together, build first
  std::vector<Layer> layer_info, profile;
  bool names_only = false;
  std::optional<std::uint64_t> profile_count;
  std::vector<Query> queries;
  std::vector<IoTensor> io_tensors;
  std::vector<OutputValues> outputs;
  std::vector<TuningIteration> tuning;
  std::map<std::string, std::string> metadata;
  NameSet names;
  SourcePos profile_pos, times_pos;
  bool profile_cut = false;
  SourcePos document_pos;  // of the first document, where no log is
};

Outcome joined_outcome(Outcome a, Outcome b) {
  for (const Outcome worst : {Outcome::failed, Outcome::truncated, Outcome::passed}) {
    if (a == worst || b == worst) return worst;
  }
  return Outcome::unknown;
}

template <typename T>
void append(std::vector<T>& into, std::vector<T>& from) {
  into.insert(into.end(), std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.end()));
}

void join_memory(Memory& into, Memory& from) {
  if (!into.engine_bytes && (from.engine_bytes || from.engine_in_mib)) {
    into.engine_bytes = from.engine_bytes;
    into.engine_in_mib = from.engine_in_mib;
  }
  take_if_known(into.context_bytes, from.context_bytes);
  if (!into.weights_bytes) into.weights_bytes = from.weights_bytes;
  if (!into.activation_bytes) into.activation_bytes = from.activation_bytes;
  if (!into.scratch_bytes) into.scratch_bytes = from.scratch_bytes;
  append(into.steps, from.steps);
  if (into.layers.empty()) into.layers = std::move(from.layers);
}

// Adds the timing run to the run that built the engine.
void join_timing(Build& into, Build& timing) {
  into.outcome = joined_outcome(into.outcome, timing.outcome);
  into.commands.insert(into.commands.end(), timing.commands.begin(), timing.commands.end());
  into.runs.insert(into.runs.end(), timing.runs.begin(), timing.runs.end());
  append(into.options.flags, timing.options.flags);
  const Performance& timed = timing.performance;
  if (timed.throughput_qps || timed.latency || timed.gpu_compute) {
    into.performance = std::move(timing.performance);
  }
  if (!timing.trace.empty()) into.trace = std::move(timing.trace);
  join_inference(into.inference, timing.inference);
  if (!into.gpu) into.gpu = timing.gpu;
  if (!into.tensorrt) into.tensorrt = timing.tensorrt;
  add_io_tensors(into, std::move(timing.io_tensors));
  if (into.optimization_profiles.empty()) {
    into.optimization_profiles = std::move(timing.optimization_profiles);
  }
  if (!timing.outputs.empty()) into.outputs = std::move(timing.outputs);
  if (!timing.accuracy_losses.empty()) into.accuracy_losses = std::move(timing.accuracy_losses);
  if (into.plan_version.empty()) into.plan_version = std::move(timing.plan_version);
  into.packages.merge(std::move(timing.packages));
  append(into.messages, timing.messages);
  append(into.stages, timing.stages);
  join_memory(into.memory, timing.memory);
  take_if_known(into.engine_load_s, timing.engine_load_s);
  take_if_known(into.profile_iterations, timing.profile_iterations);
  if (timing.profile_pos.line != 0) into.profile_pos = timing.profile_pos;
  into.is_verbose = into.is_verbose || timing.is_verbose;
  for (const auto& row : timing.banner) {
    if (row.first.rfind("Inference Options/", 0) == 0) into.banner[row.first] = row.second;
  }
  into.closing_line = into.closing_line && timing.closing_line;
  into.layer_names_only = into.layer_names_only || timing.layer_names_only;
  join_log_layers(into, std::move(timing.layers));
}

// Times of a run whose kernels were run many times are no times.
void drop_times(Build& log) {
  log.performance = {};
  log.trace.clear();
  for (Layer& layer : log.layers) layer.time.reset();
}

void drop_replayed_times(Group& group) {
  bool any = false, any_clean = false;
  for (Build& log : group.logs) {
    any = any || log.inference.replayed;
    any_clean = any_clean || (!log.inference.replayed && log.performance.gpu_compute);
    if (log.inference.replayed) drop_times(log);
  }
  if (!any || any_clean) return;  // what was exported may be of the clean run
  group.queries.clear();
  group.profile.clear();
  group.profile_count.reset();
}

Build finish_group(Group& group) {
  drop_replayed_times(group);
  Build build;
  if (!group.logs.empty()) {
    build = std::move(group.logs[0]);
    for (std::size_t i = 1; i < group.logs.size(); ++i) join_timing(build, group.logs[i]);
  }
  for (const OutputValues& output : group.outputs) {
    IoTensor io;
    io.tensor = output.tensor;
    io.is_input = false;
    group.io_tensors.push_back(std::move(io));
  }
  add_io_tensors(build, std::move(group.io_tensors));
  if (!group.outputs.empty()) build.outputs = std::move(group.outputs);  // else --dumpOutput's
  join_tuning(build.tuning, std::move(group.tuning), group.metadata);
  if (group.profile_count) build.profile_iterations = group.profile_count;
  if (!group.profile.empty()) build.profile_pos = group.profile_pos;
  if (!group.queries.empty()) {
    build.queries = std::move(group.queries);
    build.times_pos = group.times_pos;
  }
  build.layer_names_only = group.names_only || (group.layer_info.empty() && build.layer_names_only);
  join_layers(build, std::move(group.layer_info), std::move(group.profile));
  build.profile_cut = group.profile_cut && !build.has_layer_info;
  apply_metadata(build, group.metadata);
  read_banner(build);
  return build;
}

bool has_names(const JsonRecords& document) {
  return !document.layers.empty() || !document.profile.empty();
}

void add_document(Group& group, JsonRecords& document) {
  if (!document.layers.empty()) {
    group.layer_info = std::move(document.layers);
    group.names_only = document.names_only;
    group.io_tensors = std::move(document.io_tensors);
    for (const Layer& layer : group.layer_info) group.names.insert(layer.name);
  }
  if (document.kind == InputKind::profile) {
    group.profile = std::move(document.profile);
    group.profile_count = document.profile_count;
    group.profile_pos = document.pos;
    group.profile_cut = document.truncated;
    for (const Layer& layer : group.profile) group.names.insert(layer.name);
  }
  if (!document.queries.empty()) {
    group.queries = std::move(document.queries);
    group.times_pos = document.pos;
  }
  append(group.outputs, document.outputs);
  append(group.tuning, document.tuner);
  if (group.document_pos.line == 0) group.document_pos = document.pos;
  group.metadata.insert(document.metadata.begin(), document.metadata.end());
}

// It has one of this kind.
bool is_taken(const Group& group, const JsonRecords& document) {
  return (!document.layers.empty() && !group.layer_info.empty()) ||
         (document.kind == InputKind::profile && !group.profile.empty()) ||
         (!document.queries.empty() && !group.queries.empty());
}

// The only group whose command writes a file of this name, if its layers fit.
Group* exporter_of(std::vector<Group>& groups, const std::string& directory,
                   const std::string& path, const NameSet& names) {
  Group* found = nullptr;
  for (Group& group : groups) {
    if (group.directory != directory || !exports_file(group.logs, path)) continue;
    if (found != nullptr) return nullptr;
    found = &group;
  }
  const bool fits = found != nullptr && overlap(found->names, names) >= kSameDirectoryOverlap;
  return fits ? found : nullptr;
}

// The group of `groups` that a document belongs to; none when it is another engine's.
Group* group_for(std::vector<Group>& groups, const FileContent& content, const std::string& path,
                 const JsonRecords& document) {
  Group* nameless = nullptr;
  Group* best = nullptr;
  double best_overlap = 0;
  NameSet names = names_of(document.layers);
  for (const Layer& layer : document.profile) names.insert(layer.name);
  Group* const exporter = exporter_of(groups, content.group, path, names);
  if (exporter != nullptr && !is_taken(*exporter, document)) return exporter;
  for (Group& group : groups) {
    const bool same = group.directory == content.group;
    if (!same && !content.named) continue;
    if (is_taken(group, document)) continue;  // a second file of query times is another run
    if (!has_names(document)) {
      if (same) return &group;
      if (nameless == nullptr) nameless = &group;
      continue;
    }
    if (group.names.empty() && same && best == nullptr) {
      best = &group;  // a log without layers; one that names them fits better
      continue;
    }
    if (group.names.empty()) continue;
    // Builds of one model share most names: the closest group, not the first that would do.
    const double common = overlap(group.names, names);
    if (common >= (same ? kSameDirectoryOverlap : kNamedTogetherOverlap) && common > best_overlap) {
      best = &group;
      best_overlap = common;
    }
  }
  return best != nullptr ? best : nameless;
}

Group new_group(const FileContent& content, const std::string& path,
                const std::vector<Group>& groups) {
  Group group;
  group.directory = content.group;
  const bool is_known = std::any_of(groups.begin(), groups.end(), [&](const Group& other) {
    return other.name == content.group;
  });
  group.name = content.named || is_known ? path : content.group;
  return group;
}

void add_input(Group& group, std::size_t input) {
  std::vector<std::size_t>& all = group.inputs;
  if (std::find(all.begin(), all.end(), input) == all.end()) all.push_back(input);
}

// The name of the only build of a directory is the directory's; several have those of their files.
std::string name_of(const Group& group, const std::vector<Group>& groups,
                    const std::vector<Input>& inputs) {
  constexpr std::size_t kNamed = 4;
  const auto same = std::count_if(groups.begin(), groups.end(), [&](const Group& other) {
    return other.directory == group.directory;
  });
  if (same == 1) return group.name;
  std::string name;
  for (std::size_t i = 0; i < std::min(group.inputs.size(), kNamed); ++i) {
    name += (i == 0 ? "" : ", ") + inputs[group.inputs[i]].path;
  }
  if (group.inputs.size() > kNamed) {
    name += " and " + std::to_string(group.inputs.size() - kNamed) + " more";
  }
  return name;
}

// The run to report of the logs of a directory, with what joins it; behind it the other builds.
void group_runs(DirectoryRuns& runs, const std::deque<FileContent>& contents,
                const FileContent& first, const ParseOptions& options, ParseResult& result,
                std::vector<Group>& groups) {
  std::size_t chosen = runs.size() - 1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].build.runs[0] == options.run) chosen = i;
  }
  const std::vector<std::size_t> reported = chosen_runs(runs, chosen);
  if (reported.size() == 1) say_what_was_not_kept(runs, chosen, result);
  const bool is_named = std::ranges::any_of(contents, [&](const FileContent& one) {
    return one.named && one.group == first.group && one.log.lines > 0;
  });
  std::vector<std::vector<std::size_t>> builds = {reported};
  if (options.other_runs && options.run == 0) builds = builds_among(runs, reported, is_named);
  const std::size_t place = groups.size();
  for (const std::vector<std::size_t>& build : builds) {
    Group group = new_group(first, result.inputs[runs[build.front()].run.file].path, groups);
    group.place = place;
    group.has_named_log = is_named;
    for (const std::size_t i : build) {
      Build& log = runs[i].whole();
      for (const Layer& layer : log.layers) group.names.insert(layer.name);
      add_input(group, runs[i].run.file);
      group.last_run = std::max(group.last_run, runs[i].run.n);
      group.log = runs[i].run.file;
      std::ranges::find(result.runs, runs[i].run.n, &Run::n)->is_build = true;
      group.logs.push_back(std::move(log));
    }
    groups.push_back(std::move(group));
    // Documents without names go to the first group of their directory.
    if (build == reported) {
      std::rotate(groups.begin() + static_cast<std::ptrdiff_t>(place), groups.end() - 1,
                  groups.end());
    }
  }
}

// Numbers the runs of all logs and makes the groups that begin with logs.
void group_logs(std::deque<FileContent>& contents, const ParseOptions& options, ParseResult& result,
                std::vector<Group>& groups) {
  std::map<std::string, DirectoryRuns> runs_of;  // directory -> runs, in order
  std::vector<std::pair<std::string, const FileContent*>> order;
  for (FileContent& content : contents) {
    const int before = result.run_count;
    std::deque<Build>& builds = content.log.builds;
    for (std::size_t i = 0; !builds.empty(); ++i, builds.pop_front()) {
      for (TuningIteration& one : builds.front().tuning.iterations) {
        if (one.run) *one.run += before;  // of this log so far
      }
      Run run = std::move(content.log.runs[i]);
      run.n += before;
      LogRun one;
      one.left_out_before = run.n - result.run_count - 1;
      result.run_count = run.n;
      builds.front().runs = {run.n};
      result.inputs[content.input].runs.push_back(run.n);
      result.runs.push_back(run);
      auto& runs = runs_of[content.group];
      if (runs.empty()) order.emplace_back(content.group, &content);
      one.build = std::move(builds.front());
      one.rest = std::move(content.log.rests[i]);
      one.run = std::move(run);
      runs.push_back(std::move(one));
    }
  }
  if (options.run > result.run_count) result.run_not_found = true;
  for (const auto& [directory, content] : order) {
    group_runs(runs_of[directory], contents, *content, options, result, groups);
  }
  // The first build is the one to report.
  std::stable_partition(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.logs.begin(), group.logs.end(),
                       [&](const Build& log) { return log.runs[0] == options.run; });
  });
}

// Logs in different directories, one of them named: a build log and its timing log are one. What
// lies in directories of its own is the builds of these.
void merge_named_logs(std::vector<Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = groups.size(); j-- > i + 1;) {
      if (!groups[i].has_named_log && !groups[j].has_named_log) continue;
      if (groups[i].logs.size() != 1 || groups[j].logs.size() != 1) continue;
      if (groups[i].directory == groups[j].directory) continue;
      Build& a = groups[i].logs[0];
      Build& b = groups[j].logs[0];
      const bool names = !groups[i].names.empty() && !groups[j].names.empty() &&
                         overlap(groups[i].names, groups[j].names) >= kNamedTogetherOverlap;
      if (!names) continue;
      if (times_engine_of(b, a, true)) {
        groups[i].logs.push_back(std::move(b));
      } else if (times_engine_of(a, b, true)) {
        groups[i].logs.insert(groups[i].logs.begin(), std::move(b));
      } else {
        continue;
      }
      groups[i].has_named_log = true;
      groups[i].names.insert(groups[j].names);
      for (const std::size_t input : groups[j].inputs) add_input(groups[i], input);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

// Numbers the builds in the order of their logs. The one to report comes first: --build's, else the
// last of the first log.
void put_first(std::vector<Group>& groups, const ParseOptions& options, ParseResult& result) {
  if (groups.empty()) return;
  const auto place_and_run = [](const Group& group) {
    return std::make_pair(group.place, group.last_run);
  };
  const auto reported = place_and_run(groups.front());
  if (options.run == 0) {
    const auto documents = std::ranges::find(groups, 0, &Group::last_run);
    std::ranges::stable_sort(groups.begin(), documents, {}, place_and_run);
    result.first_build =
        1 + static_cast<int>(std::ranges::find(groups, reported, place_and_run) - groups.begin());
  }
  if (options.build != 0) {
    result.build_not_found = static_cast<std::size_t>(options.build) > groups.size();
    if (result.build_not_found) return;
    result.first_build = options.build;
  }
  const auto at = groups.begin() + result.first_build;
  std::rotate(groups.begin(), at - 1, at);
}

// Runs of one log that did not join are called by it, and documents of one file by their place.
void tell_apart(const std::vector<Group>& groups, ParseResult& result) {
  std::vector<std::string>& names = result.build_names;
  std::map<std::string, int> seen;
  std::map<std::uint32_t, int> builds_of;
  for (const std::string& name : names) ++seen[name];
  for (const Group& group : groups) builds_of[group.log] += group.last_run > 0 ? 1 : 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    if (group.last_run > 0 && builds_of[group.log] > 1) {
      names[i] =
          run_name(result.inputs[group.log].path, group.last_run, group.logs.front().options);
    }
    const SourcePos& pos = group.document_pos;
    const int same = seen[names[i]];
    if (same < 2 || group.last_run > 0 || pos.line == 0) continue;
    names[i] += ", document at line " + std::to_string(pos.line);
    if (i > 0) continue;
    result.diagnostics.push_back(
        {"documents-apart", DiagnosticSeverity::note, result.inputs[pos.file].path, pos.line,
         pos.column, "documents of one build",
         std::to_string(same) + " builds: one is reported, --build N reports another"});
  }
}

}  // namespace

void join_inference(Inference& into, Inference& from) {
  take_if_known(into.engine_streams, from.engine_streams);
  take_if_known(into.aux_streams, from.aux_streams);
  take_if_known(into.worker_streams, from.worker_streams);
  take_if_known(into.deserialization, from.deserialization);
  take_if_known(into.enqueue_bound, from.enqueue_bound);
  take_if_known(into.untimed_capture, from.untimed_capture);
  take_if_known(into.replayed, from.replayed);
}

void join_contents(std::deque<FileContent> contents, const ParseOptions& options,
                   ParseResult& result) {
  std::vector<Group> groups;
  group_logs(contents, options, result, groups);
  if (std::any_of(contents.begin(), contents.end(), [](const auto& c) { return c.named; })) {
    merge_named_logs(groups);
  }
  // Documents with names first: times and metadata then have a group to go to.
  std::vector<std::pair<const FileContent*, JsonRecords*>> named, nameless;
  for (FileContent& content : contents) {
    for (JsonRecords& document : content.documents) {
      if (document.kind == InputKind::unknown) continue;
      (has_names(document) ? named : nameless).emplace_back(&content, &document);
    }
  }
  named.insert(named.end(), nameless.begin(), nameless.end());
  for (const auto& [content, document] : named) {
    const std::string& file = result.inputs[content->input].path;
    Group* group = group_for(groups, *content, file, *document);
    if (group == nullptr) {
      groups.push_back(new_group(*content, result.inputs[content->input].path, groups));
      group = &groups.back();
    }
    if (content->named && !has_names(*document) && group->directory != content->group) {
      const std::string& path = result.inputs[content->input].path;
      result.diagnostics.push_back({"joined-without-names", DiagnosticSeverity::note, path, 0, 0,
                                    "layer names that tell whose file this is",
                                    "none: taken as of " + group->name});
    }
    add_document(*group, *document);
    add_input(*group, content->input);
  }
  put_first(groups, options, result);
  for (const Group& group : groups) {
    result.build_names.push_back(name_of(group, groups, result.inputs));
  }
  tell_apart(groups, result);
  for (Group& group : groups) {
    result.builds.push_back(finish_group(group));
    report_layer_times(result.builds.back(), result);
  }
}

}  // namespace trtlens

// Tables of builds and of levels, and the same as JSON.
#include "report/history/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/formats/json/stream.h"

namespace trtlens {
namespace {

constexpr std::size_t kPrecisionsShown = 2;

std::string value_text(double value, const std::string& unit) {
  if (unit == "bytes") return bytes_text(static_cast<std::int64_t>(value));
  if (unit == "ms") return ms_text(value);
  return number_text(value) + " " + unit;
}

// "INT8 63 %, TF32 28 %": of what computes.
std::string shares_of(const BuildLine& build) {
  std::string text;
  std::size_t shown = 0;
  for (const PrecisionRecord& row : build.precisions) {
    const bool computes = row.precision != to_string(Precision::none) &&
                          row.precision != to_string(Precision::unknown);
    if (!computes || !row.share || *row.share <= 0 || shown++ >= kPrecisionsShown) continue;
    text += (text.empty() ? "" : ", ") + row.precision + " " + share_text(*row.share);
  }
  return text.empty() ? "-" : text;
}

std::size_t rows_of(int top) {
  return top <= 0 ? 0 : static_cast<std::size_t>(top);
}

// To the minute.
Cell when_cell(const BuildLine& build) {
  return text_cell(build.when.substr(0, 16));
}

Cell id_cell(const BuildLine& build) {
  return {std::to_string(build.id), static_cast<double>(build.id)};
}

// As many folders at the end of a path.
std::string end_of(std::string path, std::size_t folders) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  std::size_t begin = path.size();
  for (; folders > 0; --folders) {
    if (begin == 0) return path;
    begin = path.rfind('/', begin - 1);
    if (begin == std::string::npos) return path;
  }
  return path.substr(begin + 1);
}

// What tells the builds apart: the ends of their paths, by path.
std::map<std::string, std::string> short_names(const std::vector<BuildLine>& builds) {
  constexpr std::size_t kMostFolders = 8;
  std::map<std::string, std::string> names;
  for (const BuildLine& build : builds) names[build.name];
  for (std::size_t folders = 1; folders <= kMostFolders; ++folders) {
    std::set<std::string> ends;
    for (auto& [name, shown] : names) ends.insert(shown = end_of(name, folders));
    if (ends.size() == names.size()) break;
  }
  return names;
}

Rows::Row row_of(const BuildLine& build, const std::string& name) {
  const std::optional<double> ms = query_ms(build);
  return {id_cell(build),
          when_cell(build),
          text_cell(name),
          text_cell(build.outcome),
          {ms ? ms_number(*ms) : "-", ms},
          text_cell(shares_of(build)),
          text_cell(build.finding.empty() ? "" : build.severity + ": " + build.finding),
          text_cell(build.model),
          text_cell(build.series)};
}

// The figures from the least to the most, oldest first, in at most kSparks characters, with a bar
// where a level begins.
std::string sparks_of(const Trend& trend) {
  constexpr std::size_t kSparks = 48;  // fits a line of 60 columns, with the bars
  static constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto [least, most] = std::ranges::minmax(trend.values);
  std::string text;
  const std::size_t builds = trend.values.size();
  const std::size_t width = (builds + kSparks - 1) / kSparks;  // builds a character
  for (const Stretch& level : trend.stretches) {
    if (level.begin > 0) text += "|";
    for (std::size_t begin = level.begin; begin < level.end; begin += width) {
      const std::size_t end = std::min(begin + width, level.end);
      std::vector<double> part(trend.values.begin() + static_cast<std::ptrdiff_t>(begin),
                               trend.values.begin() + static_cast<std::ptrdiff_t>(end));
      std::ranges::sort(part);
      const double share = most > least ? (part[part.size() / 2] - least) / (most - least) : 0;
      text += kBars[std::min<std::size_t>(7, static_cast<std::size_t>(share * 8))];
    }
  }
  return text + fmt::format("  oldest to newest, {} to {}{}", value_text(least, trend.unit),
                            value_text(most, trend.unit),
                            trend.stretches.size() > 1 ? ", | a new level" : "");
}

Chart chart_of(const Trend& trend) {
  Chart chart;
  chart.kind = ChartKind::trace;
  chart.title = "Builds in their order";
  chart.has_table = true;
  chart.line = sparks_of(trend);
  chart.alt =
      fmt::format("{} of {}, from {} to {}", trend.what, count_text(trend.values.size(), "build"),
                  value_text(*std::ranges::min_element(trend.values), trend.unit),
                  value_text(*std::ranges::max_element(trend.values), trend.unit));
  chart.x_label = "build";
  chart.y_label = trend.unit;
  // By number where these are in the order of the series: not all builds have the figure.
  const bool in_order = std::ranges::is_sorted(trend.builds, std::ranges::less(), &BuildLine::id);
  for (std::size_t i = 0; i < trend.values.size(); ++i) {
    const double x =
        in_order ? static_cast<double>(trend.builds[i].id) : static_cast<double>(i + 1);
    chart.points.push_back({x, trend.values[i]});
  }
  return chart;
}

Table levels_of(const Trend& trend) {
  Table table;
  table.title = "Levels";
  table.columns = {{"From", ColumnKind::label},     {"When", ColumnKind::label},
                   {"Builds", ColumnKind::number},  {"Median", ColumnKind::number},
                   {"Scatter", ColumnKind::number}, {"Change", ColumnKind::number},
                   {"p", ColumnKind::number}};
  for (const Stretch& level : trend.stretches) {
    const BuildLine& first = trend.builds[level.begin];
    const std::size_t builds = level.end - level.begin;
    const bool is_first = level.begin == 0;
    table.rows.push_back({id_cell(first),
                          when_cell(first),
                          count_cell(builds),
                          {value_text(level.median, trend.unit), level.median},
                          {builds < 2 ? "-" : share_text(level.scatter), level.scatter},
                          {is_first ? "-" : signed_share_text(level.shift), level.shift},
                          {is_first ? "-" : fmt::format("{:.3f}", level.p_value), level.p_value}});
  }
  table.note =
      "Change: of the median, over the level before. p: how often chance alone shows such a split.";
  return table;
}

Table builds_of(const Trend& trend, int top) {
  Table table;
  table.title = "Builds, newest first";
  table.columns = {{"#", ColumnKind::label},
                   {"When", ColumnKind::label},
                   {trend.unit == "ms" ? "ms" : "Value", ColumnKind::number},
                   {"Of its level", ColumnKind::delta},
                   {"TensorRT", ColumnKind::label},
                   {"Build", ColumnKind::name}};
  const std::map<std::string, std::string> names = short_names(trend.builds);
  for (auto level = trend.stretches.rbegin(); level != trend.stretches.rend(); ++level) {
    for (std::size_t i = level->end; i-- > level->begin;) {
      const BuildLine& build = trend.builds[i];
      const double off = trend.values[i] / level->median - 1;
      const std::string value =
          trend.unit == "ms" ? ms_number(trend.values[i]) : value_text(trend.values[i], trend.unit);
      table.rows.push_back({id_cell(build),
                            when_cell(build),
                            {value, trend.values[i]},
                            {signed_share_text(off), off},
                            text_cell(build.tensorrt.empty() ? "-" : build.tensorrt),
                            text_cell(names.at(build.name))});
    }
  }
  table.shown = rows_of(top);
  table.interactive = true;
  return table;
}

constexpr std::size_t kFewest = 6;  // two levels of three builds

bool is_untold(const Trend& trend) {
  return trend.values.size() < kFewest;
}

// "Since build 31 (2026-11-20 03:12): +5.2 %, 0.560 ms before, 0.589 ms now."
std::string headline_of(const Trend& trend) {
  const Stretch& last = trend.stretches.back();
  if (is_untold(trend)) {
    return fmt::format("Too few builds to tell, {} of {} at least: median {}.", trend.values.size(),
                       kFewest, value_text(last.median, trend.unit));
  }
  if (last.begin == 0) {
    return fmt::format("No change in {}: {}, scatter {}.", count_text(trend.values.size(), "build"),
                       value_text(last.median, trend.unit), share_text(last.scatter));
  }
  const BuildLine& first = trend.builds[last.begin];
  const Stretch& before = trend.stretches[trend.stretches.size() - 2];
  return fmt::format("Since build {} ({}): {}, {} before, {} now.", first.id, when_cell(first).text,
                     signed_share_text(last.shift), value_text(before.median, trend.unit),
                     value_text(last.median, trend.unit));
}

Section section_of(const Trend& trend, std::size_t number, int top) {
  Section section{"series-" + std::to_string(number), trend.series, {}};
  if (trend.values.empty()) {
    section.say(fmt::format("None of {} has this figure.", count_text(trend.left_out, "build")));
    return section;
  }
  section.say(headline_of(trend));
  section.say(fmt::format("{}.{}", sentence_start(trend.what),
                          trend.left_out == 0 ? ""
                                              : " Without it and left out: " +
                                                    count_text(trend.left_out, "build") + "."));
  if (trend.values.size() > 2) section.add(chart_of(trend));
  section.add(levels_of(trend));
  section.add(builds_of(trend, top));
  return section;
}

Json json_of(const BuildLine& build) {
  Json json = {{"id", build.id},
               {"when", build.when},
               {"series", build.series},
               {"model", build.model},
               {"name", build.name},
               {"outcome", build.outcome},
               {"tensorrt", json_text(build.tensorrt)},
               {"gpu", json_text(build.gpu)},
               {"gpu_compute_ms", json_optional(query_ms(build))},
               {"gpu_p10_ms", json_optional(build.speed.ms[0])},
               {"profile_ms", json_optional(build.speed.ms[4])},
               {"throughput_qps", json_optional(build.throughput_qps)},
               {"latency_ms", json_optional(build.latency_ms)},
               {"build_s", json_optional(build.build_s)},
               {"engine_bytes", json_optional(build.engine_bytes)},
               {"device_bytes", json_optional(build.device_bytes)},
               {"precision", Json::object()},
               {"first_finding", nullptr}};
  for (const PrecisionRecord& row : build.precisions) {
    json["precision"][row.precision] = json_optional(row.share);
  }
  if (!build.finding.empty()) {
    json["first_finding"] = {{"severity", build.severity}, {"title", build.finding}};
  }
  return json;
}

void begin_json(JsonStream& json, const std::string& version) {
  json.begin_object();
  json.member("schema_version", 1);
  json.member("tool", json_tool(version));
}

}  // namespace

Document list_document(const std::vector<BuildLine>& builds, const std::string& path, int top) {
  Document document;
  document.title = count_text(builds.size(), "build") + " in " + end_of(path, 1);
  std::map<std::string, std::size_t> outcomes;
  for (const BuildLine& build : builds) ++outcomes[build.outcome];
  for (const auto& [outcome, count] : outcomes) {
    document.verdict +=
        fmt::format("{}{} {}", document.verdict.empty() ? "" : ", ", count, outcome);
  }
  Section section{"builds", "Builds, newest first", {}};
  Table table;
  table.columns = {{"#", ColumnKind::label},
                   {"When", ColumnKind::label},
                   {"Build", ColumnKind::name},
                   {"Outcome", ColumnKind::label},
                   {"ms/query", ColumnKind::number},
                   {"Precision", ColumnKind::label},
                   {"First finding", ColumnKind::text},
                   {"Model", ColumnKind::name},
                   {"Series", ColumnKind::text}};
  table.columns[6].cut = true;
  table.columns[7].extra = true;
  table.columns[8].extra = true;
  const std::map<std::string, std::string> names = short_names(builds);
  for (auto build = builds.rbegin(); build != builds.rend(); ++build) {
    table.rows.push_back(row_of(*build, names.at(build->name)));
  }
  table.shown = rows_of(top);
  table.interactive = true;
  table.note =
      "When: what the log says, else when it was added (UTC). Query: median of GPU compute time. "
      "Precision: shares of the profile. -: not known.";
  section.add(std::move(table));
  document.sections.push_back(std::move(section));
  return document;
}

Document trend_document(const std::vector<Trend>& trends, const std::string& path, int top) {
  Document document;
  document.title =
      trends.size() == 1 ? "Trend of " + trends.front().what : count_text(trends.size(), "trend");
  document.identity.push_back("in " + end_of(path, 1));
  const auto changed = static_cast<std::size_t>(
      std::ranges::count_if(trends, [](const Trend& trend) { return trend.stretches.size() > 1; }));
  const auto untold = static_cast<std::size_t>(std::ranges::count_if(trends, is_untold));
  document.verdict = trends.size() == 1 ? (untold == 1    ? "Too few builds to tell"
                                           : changed == 1 ? "Changed"
                                                          : "No change")
                     : changed == 0     ? "No change"
                                        : fmt::format("{} of {} changed", changed, trends.size());
  if (trends.size() > 1 && untold > 0) {
    document.verdict = untold == trends.size()
                           ? "Too few builds to tell"
                           : fmt::format("{}, {} too short to tell", document.verdict, untold);
  }
  for (std::size_t i = 0; i < trends.size(); ++i) {
    document.sections.push_back(section_of(trends[i], i + 1, top));
  }
  return document;
}

void write_list_json(const std::vector<BuildLine>& builds, const std::string& version,
                     TextStream& out) {
  JsonStream json(out);
  begin_json(json, version);
  json.key("builds");
  json.list(builds, [&](const BuildLine& build) { json.value(json_of(build)); });
  json.end();
}

void write_trend_json(const std::vector<Trend>& trends, const std::string& version,
                      TextStream& out) {
  JsonStream json(out);
  begin_json(json, version);
  json.key("trends");
  json.list(trends, [&](const Trend& trend) {
    Json one = {{"series", trend.series},     {"what", trend.what},      {"unit", trend.unit},
                {"left_out", trend.left_out}, {"builds", Json::array()}, {"levels", Json::array()}};
    for (std::size_t i = 0; i < trend.values.size(); ++i) {
      const BuildLine& build = trend.builds[i];
      one["builds"].push_back({{"id", build.id},
                               {"when", build.when},
                               {"name", build.name},
                               {"tensorrt", json_text(build.tensorrt)},
                               {"value", trend.values[i]}});
    }
    for (const Stretch& level : trend.stretches) {
      const bool is_first = level.begin == 0;
      one["levels"].push_back({{"from_id", trend.builds[level.begin].id},
                               {"from", trend.builds[level.begin].when},
                               {"builds", level.end - level.begin},
                               {"median", level.median},
                               {"scatter", level.scatter},
                               {"shift", is_first ? Json(nullptr) : Json(level.shift)},
                               {"p_value", is_first ? Json(nullptr) : Json(level.p_value)}});
    }
    json.value(one);
  });
  json.end();
}

}  // namespace trtlens

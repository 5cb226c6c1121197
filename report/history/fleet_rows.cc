// The columns of each table, and rows as compressed files.
#include "report/history/fleet_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cctype>

#include "analyzers/gate/sha256.h"
#include "analyzers/text.h"
#include "report/facts/facts.h"
#include "report/formats/convert/flat_rows.h"

namespace trtlens {
namespace {

constexpr std::size_t kKeyDigits = 16;      // two of 10^7 builds are alike once in 400,000 exports
constexpr std::size_t kMostOfFolder = 200;  // bytes of a name; file systems take 255
constexpr const char* kNoValue = "__HIVE_DEFAULT_PARTITION__";

const char* const kVerdicts[] = {"cannot_tell", "no_change", "improved", "regressed"};

// What every row says of its build.
const FactsOf<FleetBuild> kKeyFacts{
    "fleet_key",
    {{"build", kText, "digits of the build's identity",
      [](const FleetBuild& build) { return fleet_key(build.line); }},
     {"model", kText, "of the build", [](const FleetBuild& build) { return build.record.model; }},
     {"series", kText, "what it is held against",
      [](const FleetBuild& build) { return build.record.series; }},
     {"built_at", kText, "by its log, else when it was added",
      [](const FleetBuild& build) { return build.line.when; }},
     {"tensorrt", kText.or_null(), "version",
      [](const FleetBuild& build) { return build.record.tensorrt; }},
     {"gpu", kText.or_null(), "its name", [](const FleetBuild& build) { return build.record.gpu; }},
     {"allowed", kText.or_null(), "precisions",
      [](const FleetBuild& build) { return build.record.allowed; }},
     {"outcome", kText, "how it ended",
      [](const FleetBuild& build) { return build.record.outcome; }}}};

template <std::size_t Which>
constexpr auto kSpeed = [](const FleetBuild& build) { return build.record.speed.ms[Which]; };

template <auto Member>
constexpr auto kOfRecord = [](const FleetBuild& build) { return build.record.*Member; };

template <typename Get>
FactValue of_comparison(const FleetBuild& build, const Get& get) {
  return build.comparison == nullptr ? FactValue() : fact_value(get(*build.comparison));
}

template <auto Member>
constexpr auto kOfVerdict = [](const FleetBuild& build) {
  return of_comparison(build, [](const Comparison& c) { return c.engine.*Member; });
};

template <std::size_t End>
constexpr auto kInterval = [](const FleetBuild& build) {
  return of_comparison(build, [](const Comparison& c) {
    return c.engine.ci95 ? std::optional<double>((*c.engine.ci95)[End]) : std::nullopt;
  });
};

const FactsOf<FleetBuild> kBuildFactsOfFleet{
    "fleet_build",
    {{"identity", kText, "SHA-256 of what its files hold",
      [](const FleetBuild& build) { return build.line.identity; }},
     {"name", kText, "its folder", kOfRecord<&BuildRecord::name>},
     {"producer", kText.or_null(), "program", kOfRecord<&BuildRecord::producer>},
     {"command", kText.or_null(), "of its run", kOfRecord<&BuildRecord::command>},
     {"gpu_p10_ms", kMs.or_null(), "10th percentile of the queries", kSpeed<0>},
     {"gpu_median_ms", kMs.or_null(), "of the summary", kSpeed<1>},
     {"gpu_mean_ms", kMs.or_null(), "of the summary", kSpeed<2>},
     {"trace_p10_ms", kMs.or_null(), "10th percentile of trace averages", kSpeed<3>},
     {"profile_ms", kMs.or_null(), "sum of the layers", kSpeed<4>},
     {"time_error", kNumber.or_null(), "of the figure's logarithm, from inside the run",
      [](const FleetBuild& build) { return build.record.speed.error; }},
     {"queries", kCount, "that were timed",
      [](const FleetBuild& build) { return build.record.speed.queries; }},
     {"throughput_qps", kNumber.or_null(), "queries a second",
      kOfRecord<&BuildRecord::throughput_qps>},
     {"latency_ms", kMs.or_null(), "median", kOfRecord<&BuildRecord::latency_ms>},
     {"build_s", kSeconds.or_null(), "of the engine's build", kOfRecord<&BuildRecord::build_s>},
     {"engine_bytes", kBytes.or_null(), "size of the engine",
      kOfRecord<&BuildRecord::engine_bytes>},
     {"device_bytes", kBytes.or_null(), "device memory", kOfRecord<&BuildRecord::device_bytes>},
     {"verdict", one_of(kVerdicts).or_null(), "of compare --history; null: no good build before",
      kOfVerdict<&EngineVerdict::verdict>},
     {"base", kText.or_null(), "the last good build before it",
      [](const FleetBuild& build) {
        return build.base == nullptr ? FactValue() : FactValue(fleet_key(*build.base));
      }},
     {"base_runs", kCount.or_null(), "builds of its level",
      [](const FleetBuild& build) {
        return of_comparison(build, [](const Comparison& c) { return c.engine.runs[0]; });
      }},
     {"metric", kText.or_null(), "what was compared", kOfVerdict<&EngineVerdict::metric>},
     {"base_ms", kMs.or_null(), "mean over these", kOfVerdict<&EngineVerdict::base_ms>},
     {"candidate_ms", kMs.or_null(), "of this build", kOfVerdict<&EngineVerdict::candidate_ms>},
     {"ratio", kNumber.or_null(), "candidate over base", kOfVerdict<&EngineVerdict::ratio>},
     {"ci95_low", kNumber.or_null(), "of the ratio", kInterval<0>},
     {"ci95_high", kNumber.or_null(), "of the ratio", kInterval<1>},
     {"p_value", kNumber.or_null(), "of no shift", kOfVerdict<&EngineVerdict::p_value>},
     {"noise_floor", kNumber.or_null(), "least shift that is a verdict",
      kOfVerdict<&EngineVerdict::noise_floor>},
     {"noise_floor_from", kText.or_null(), "what says so",
      kOfVerdict<&EngineVerdict::noise_floor_from>},
     {"not_comparable", kText.or_null(), "why not",
      [](const FleetBuild& build) {
        return of_comparison(build,
                             [](const Comparison& c) { return join(c.not_comparable, "; "); });
      }},
     {"cause", kText.or_null(), "what the shift of the layers consists of",
      [](const FleetBuild& build) {
        return of_comparison(build, [](const Comparison& c) { return c.cause; });
      }}}};

const FactsOf<PrecisionRecord> kPrecisionFactsOfFleet{
    "fleet_precision",
    {{"precision", kText, "none: no arithmetic", kFrom<&PrecisionRecord::precision>},
     {"layers", kCount, "that compute in it", kFrom<&PrecisionRecord::layers>},
     {"ms", kMs.or_null(), "of the profile", kFrom<&PrecisionRecord::ms>},
     {"share", kShare.or_null(), "of the profile", kFrom<&PrecisionRecord::share>}}};

struct NumberedFinding {
  std::size_t n = 0;
  const Finding* finding = nullptr;
};

template <auto Member>
constexpr auto kOfFinding = [](const NumberedFinding& row) { return row.finding->*Member; };

const FactsOf<NumberedFinding> kFindingFactsOfFleet{
    "fleet_finding",
    {{"n", kCount.from(1), "place in the report", kFrom<&NumberedFinding::n>},
     {"rule", kText, "its rule", kOfFinding<&Finding::rule>},
     {"cause", kText.or_null(), "what is wrong", kOfFinding<&Finding::cause>},
     {"category", kText.or_null(), "of the rule", kOfFinding<&Finding::category>},
     {"severity", kText, "how bad it is", kOfFinding<&Finding::severity>},
     {"confidence", kText, "how sure that is", kOfFinding<&Finding::confidence>},
     {"stake_ms", kMs.or_null(), "profile time in question", kOfFinding<&Finding::stake_ms>},
     {"gain_low_ms", kMs.or_null(), "what it may win, at least",
      [](const NumberedFinding& row) {
        return row.finding->gain ? FactValue(row.finding->gain->low_ms) : FactValue();
      }},
     {"gain_high_ms", kMs.or_null(), "at most",
      [](const NumberedFinding& row) {
        return row.finding->gain ? FactValue(row.finding->gain->high_ms) : FactValue();
      }},
     {"title", kText, "what is wrong", kOfFinding<&Finding::title>},
     {"places", kText.or_null(), "layers that it is about",
      [](const NumberedFinding& row) { return where_text(*row.finding); }},
     {"action", kText.or_null(), "the first remedy", [](const NumberedFinding& row) {
        return row.finding->remedies.empty() ? std::string() : row.finding->remedies.front();
      }}}};

// Of the key and of the table.
const std::vector<FlatColumn>& columns_of(const FactTable& facts) {
  static std::map<const FactTable*, std::vector<FlatColumn>> known;
  std::vector<FlatColumn>& columns = known[&facts];
  if (columns.empty()) {
    columns = flat_columns(kKeyFacts);
    const bool is_layers = &facts == &kLayerFacts;  // `convert` has one more
    for (const FlatColumn& column : is_layers ? layer_columns() : flat_columns(facts)) {
      columns.push_back(column);
    }
  }
  return columns;
}

// As DuckDB has it.
std::string type_of(const FlatColumn& column, bool as_json) {
  if (column.fact == nullptr) return "VARCHAR";
  if (column.fact->type.kind == FactKind::integers) return as_json ? "BIGINT[][]" : "VARCHAR";
  std::string type = "VARCHAR";
  bool is_list = column.is_list;
  switch (column.fact->type.kind) {
    case FactKind::integer:
    case FactKind::bytes:
      type = "BIGINT";
      break;
    case FactKind::ms:
    case FactKind::seconds:
    case FactKind::share:
    case FactKind::number:
      type = "DOUBLE";
      break;
    case FactKind::texts:
      is_list = true;
      break;
    default:
      break;
  }
  if (!is_list) return type;
  return as_json ? type + "[]" : "VARCHAR";  // joined
}

std::string macro_of(const std::string& table, const FactTable& facts, bool as_json) {
  std::string columns;
  for (const FlatColumn& column : columns_of(facts)) {
    columns += fmt::format("{}'{}': '{}'", columns.empty() ? "" : ", ", column.name,
                           type_of(column, as_json));
  }
  const char* const reader =
      as_json ? "read_json(path, format = 'newline_delimited'"
              : "read_csv(path, auto_detect = false, header = true, delim = ',', quote = '\"', "
                "escape = '\"'";
  return fmt::format(
      "CREATE OR REPLACE MACRO fleet_{}(path) AS TABLE\n"
      "SELECT * FROM {}, hive_partitioning = false,\n  columns = {{{}}});\n",
      table, reader, columns);
}

std::string compressed(const std::string& text) {
  std::string bytes;
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::gzip_compressor());
  out.push(boost::iostreams::back_inserter(bytes));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  boost::iostreams::close(out);
  return bytes;
}

}  // namespace

std::string fleet_key(const BuildLine& build) {
  const std::string& identity = build.identity;
  const bool is_hash = identity.size() == 64 && std::ranges::all_of(identity, [](unsigned char c) {
                         return std::isxdigit(c) != 0;
                       });
  return (is_hash ? identity : hex_sha256(identity)).substr(0, kKeyDigits);
}

std::string fleet_date(const BuildLine& build) {
  constexpr std::string_view kPattern = "0000-00-00";  // the file may be anybody's
  const std::string date = build.when.substr(0, kPattern.size());
  bool is_date = date.size() == kPattern.size();
  for (std::size_t i = 0; is_date && i < date.size(); ++i) {
    const bool is_digit = date[i] >= '0' && date[i] <= '9';
    is_date = kPattern[i] == '-' ? date[i] == '-' : is_digit;
  }
  return is_date ? date : std::string();
}

std::string fleet_mark(const std::string& format) {
  return "-- Written by `trtlens history export --format " + format + "`";
}

std::string fleet_macros(const std::string& format) {
  const bool as_json = format == "jsonl";
  return fleet_mark(format) + ": its tables for DuckDB (docs/fleet.md).\n" +
         macro_of("builds", kBuildFactsOfFleet, as_json) +
         macro_of("precisions", kPrecisionFactsOfFleet, as_json) +
         macro_of("findings", kFindingFactsOfFleet, as_json) +
         macro_of("layers", kLayerFacts, as_json);
}

std::string folder_value(const std::string& text) {
  if (text.empty()) return kNoValue;
  std::string value;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte < 0x80 &&
        (std::isalnum(byte) != 0 || std::string_view("-_.").find(c) != std::string_view::npos);
    value += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  if (value.size() <= kMostOfFolder) return value;
  value.resize(kMostOfFolder - kKeyDigits - 1);
  const std::size_t percent = value.find('%', value.size() - 2);
  if (percent != std::string::npos) value.resize(percent);
  return value + "~" + hex_sha256(text).substr(0, kKeyDigits);  // no other value has a "~"
}

template <typename Row>
void FleetPart::add_rows(const FleetBuild& build, const FactsOf<Row>& facts,
                         std::span<const Row> rows, Lines& lines) {
  const std::vector<FlatColumn>& columns = columns_of(facts);
  FlatRow cells(columns);
  for (const Row& row : rows) {
    cells.clear();
    kKeyFacts.write(build.analysis, &build, cells);
    facts.write(build.analysis, &row, cells);
    if (columns.back().fact == nullptr) cells.cells.back() = {build.analysis.name};  // build_name
    lines.push_back(
        {"", format_ == "jsonl" ? json_line(columns, cells.cells) : csv_line(cells.cells)});
    bytes_ += lines.back().text.size();
  }
}

void FleetPart::add(const FleetBuild& build) {
  keys_ += fleet_key(build.line);
  add_rows<FleetBuild>(build, kBuildFactsOfFleet, {&build, 1}, builds_);
  add_rows<PrecisionRecord>(build, kPrecisionFactsOfFleet, build.line.precisions, precisions_);
  std::vector<NumberedFinding> findings;
  for (const Finding& finding : build.record.findings) {
    findings.push_back({findings.size() + 1, &finding});
  }
  add_rows<NumberedFinding>(build, kFindingFactsOfFleet, findings, findings_);
  Lines& layers =
      layers_["layers/date=" + folder_value(date_) + "/model=" + folder_value(build.record.model)];
  const std::vector<Layer>& rows = build.analysis.build.layers;
  const std::size_t before = layers.size();
  add_rows<Layer>(build, kLayerFacts, rows, layers);
  for (std::size_t i = 0; i < rows.size(); ++i) layers[before + i].layer = rows[i].name.str();
}

std::string FleetPart::text_of(const FactTable& facts, const Lines& lines) const {
  std::string text = format_ == "jsonl" ? "" : csv_header(columns_of(facts));
  for (const Line& line : lines) text += line.text;
  return text;
}

bool FleetPart::write(
    const std::function<bool(const std::string& path, const std::string& bytes)>& write) {
  const std::string name =
      "/part-" + hex_sha256(keys_).substr(0, kKeyDigits) + "." + format_ + ".gz";
  const std::string day = "/date=" + folder_value(date_);
  const auto put = [&](const std::string& folder, const FactTable& facts, const Lines& lines) {
    return write(folder + name, compressed(text_of(facts, lines)));
  };
  for (auto& [folder, lines] : layers_) {
    // The history of a layer stands together, in the order of the builds.
    std::ranges::stable_sort(lines, {}, &Line::layer);
    if (!put(folder, kLayerFacts, lines)) return false;
  }
  return put("findings" + day, kFindingFactsOfFleet, findings_) &&
         put("precisions" + day, kPrecisionFactsOfFleet, precisions_) &&
         put("builds" + day, kBuildFactsOfFleet, builds_);
}

}  // namespace trtlens

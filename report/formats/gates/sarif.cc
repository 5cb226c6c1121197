// SARIF 2.1.0: code scanning of GitHub, and viewers in editors.
#include <algorithm>
#include <map>

#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kLayersNamed = 100;

const char* level_of(Severity severity) {
  if (severity >= Severity::major) return "error";
  return severity == Severity::info ? "note" : "warning";
}

// A path as a URI reference: relative as it was given, else file:.
std::string uri_of(const std::string& path) {
  return (!path.empty() && path[0] == '/' ? "file://" : "") + percent_encoded(path);
}

Json rule_of(const RuleInfo& info) {
  Json json = {{"id", info.id}};
  const std::string what = info.what.empty() ? info.id : info.what;
  json["shortDescription"] = {{"text", escape_sarif(what)}};
  json["fullDescription"] = {{"text", escape_sarif(info.why.empty() ? what : info.why)}};
  std::vector<std::string> help = info.remedy_texts();
  for (const std::string& check : info.check_texts()) help.push_back("Check: " + check);
  if (help.empty()) help.push_back(what);
  for (std::string& line : help) line = escape_sarif(line);
  json["help"] = {{"text", join(help, "\n")}};
  json["defaultConfiguration"] = {{"level", level_of(info.severity)}};
  json["properties"] = {{"tags", {info.category}}};
  return json;
}

// The rules of the results, each once; their places by id.
class Rules {
 public:
  explicit Rules(const GateReport& report) {
    for (const GateEntry& entry : report.entries) places_.emplace(entry.finding->rule, 0);
    std::size_t n = 0;
    for (auto& [id, place] : places_) {
      list_.push_back(rule_of(any_rule_info(id)));
      place = n++;
    }
  }
  [[nodiscard]] const Json& list() const { return list_; }
  [[nodiscard]] std::size_t place(const std::string& id) const { return places_.at(id); }

 private:
  std::map<std::string, std::size_t> places_;
  Json list_ = Json::array();
};

// GitHub code scanning takes no file in which a result has no place in a file: what is about the
// engine stands at the head of its first input.
Json locations_of(const GateEntry& entry, const GateReport& report) {
  Json location = Json::object();
  const std::string file = file_of(entry, report);
  if (!file.empty()) {
    const std::uint64_t line = entry.file.empty() ? 1 : entry.line;
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(file)}}}};
    location["physicalLocation"]["region"] = {{"startLine", std::max<std::uint64_t>(line, 1)}};
  }
  Json layers = Json::array();
  for (const SharedText& layer : entry.finding->layers) {
    if (layers.size() == kLayersNamed) break;
    layers.push_back({{"fullyQualifiedName", layer.str()}, {"kind", "layer"}});
  }
  if (!layers.empty()) location["logicalLocations"] = std::move(layers);
  return location.empty() ? Json::array() : Json::array({location});
}

std::string message_of(const GateEntry& entry) {
  std::string text = escape_sarif(headline_of(entry));
  for (const std::string& line : entry.lines) text += "\n" + escape_sarif(line);
  return text;
}

Json result_of(const GateEntry& entry, const GateReport& report, const Rules& rules) {
  const Finding& finding = *entry.finding;
  Json json = {{"ruleId", finding.rule},
               {"ruleIndex", rules.place(finding.rule)},
               {"level", level_of(finding.severity)},
               {"message", {{"text", message_of(entry)}}},
               {"locations", locations_of(entry, report)},
               {"partialFingerprints", {{"trtlens/v1", entry.fingerprint}}}};
  json["suppressions"] = Json::array();
  if (entry.state == EntryState::accepted) {
    json["suppressions"].push_back(
        {{"kind", "external"}, {"justification", "accepted by the baseline"}});
  }
  json["properties"] = {{"severity", to_string(finding.severity)},
                        {"confidence", to_string(finding.confidence)},
                        {"category", finding.category},
                        {"failsGate", entry.state == EntryState::fails},
                        {"layers", finding.layers.size()}};
  if (!entry.build.empty()) json["properties"]["build"] = entry.build;
  if (finding.stake_ms) json["properties"]["stakeMs"] = *finding.stake_ms;
  return json;
}

void write_sarif(const GateReport& report, const std::string& version, TextStream& stream) {
  const Rules rules(report);
  JsonStream out(stream);
  out.begin_object();
  out.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  out.member("version", "2.1.0");
  out.key("runs");
  out.begin_list();
  out.begin_object();
  out.member("tool",
             {{"driver", {{"name", "trtlens"}, {"version", version}, {"rules", rules.list()}}}});
  out.member("automationDetails", {{"id", "trtlens/" + report.command + "/"}});
  out.member("columnKind", "unicodeCodePoints");
  Json artifacts = Json::array();
  for (const std::string& path : report.inputs) {
    artifacts.push_back({{"location", {{"uri", uri_of(path)}}}});
  }
  out.member("artifacts", artifacts);
  out.key("results");
  out.list(report.entries,
           [&](const GateEntry& entry) { out.value(result_of(entry, report, rules)); });
  out.end();
  out.end();
  out.end();
}

}  // namespace

const Writer writer_sarif{"sarif", "sarif", nullptr, write_sarif};

}  // namespace trtlens

// Reads the fields of message rules; a rule replaces an earlier one of its id.
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyzers/rules/engine/json.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/reader.h"
#include "analyzers/rules/engine/tables.h"
#include "parsers/input/embedded.h"

namespace trtlens {
namespace {

using message_rules::Field;
using message_rules::Json;
using message_rules::read_object;
using message_rules::read_requirement;
using message_rules::read_samples;
using message_rules::Reader;
using message_rules::require_keys;

void read_levels(Reader& reader, const Json& value, std::vector<LogSeverity>& out) {
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    LogSeverity level = LogSeverity::unknown;
    reader.word<LogSeverity>(item,
                             {{"error", LogSeverity::error},
                              {"warning", LogSeverity::warning},
                              {"info", LogSeverity::info},
                              {"verbose", LogSeverity::verbose}},
                             level);
    out.push_back(level);
  }
}

void read_severity(Reader& reader, const Json& value, MessageRule& rule) {
  reader.word<Severity>(value,
                        {{"fatal", Severity::fatal},
                         {"major", Severity::major},
                         {"moderate", Severity::moderate},
                         {"minor", Severity::minor},
                         {"info", Severity::info}},
                        rule.info.severity);
}

void read_confidence(Reader& reader, const Json& value, MessageRule& rule) {
  reader.word<Confidence>(value,
                          {{"measured", Confidence::measured},
                           {"inferred", Confidence::inferred},
                           {"guessed", Confidence::guessed}},
                          rule.info.confidence);
}

void read_computed(Reader& reader, const Json& value, MessageRule& rule) {
  if (!reader.is(value, Json::Kind::string)) return;
  std::vector<std::string> words;
  for (const auto& [word, compute] : message_rules::computed_words()) words.emplace_back(word);
  if (std::ranges::find(words, value.text) == words.end()) {
    return reader.fault(value.offset, "one of " + join(words, ", "), '"' + value.text + '"');
  }
  rule.computed = value.text;
}

// Of every rule.
const std::vector<Field<MessageRule>>& text_fields() {
  using Out = MessageRule;
  static const std::vector<Field<Out>> fields = {
      {"id", [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.id); }},
      {"cause", [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.cause); }},
      {"category", [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.category); }},
      {"title", [](Reader& r, const Json& v, Out& o) { r.text_template(v, o.info.title); }},
      {"what", [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.what); }},
      {"why", [](Reader& r, const Json& v, Out& o) { r.text_template(v, o.info.why); }},
      {"next_check",
       [](Reader& r, const Json& v, Out& o) {
         message_rules::read_check(r, v, o.info.next_check, o.info.special_checks);
       }},
      {"false_positive",
       [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.false_positive); }},
      {"version_range",
       [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.version_range); }},
      {"seen", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.info.seen); }},
      {"sources", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.info.sources); }},
      {"severity", read_severity},
      {"confidence", read_confidence},
      {"remedies", [](Reader& r, const Json& v, Out& o) {
         message_rules::read_remedies(r, v, o.info.remedies);
       }}};
  return fields;
}

void read_thresholds(Reader& reader, const Json& value, MessageRule& rule) {
  using Out = Threshold;
  static const std::vector<Field<Out>> fields = {
      {"key", [](Reader& r, const Json& v, Out& o) { r.string(v, o.key); }},
      {"value",
       [](Reader& r, const Json& v, Out& o) {
         if (r.is(v, Json::Kind::number)) o.value = v.number;
       }},
      {"unit", [](Reader& r, const Json& v, Out& o) { r.string(v, o.unit); }},
      {"meaning", [](Reader& r, const Json& v, Out& o) { r.string(v, o.meaning); }}};
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    read_object(reader, item, fields, rule.info.thresholds.emplace_back());
    require_keys(reader, item, {"key", "value", "unit", "meaning"});
  }
}

// Of a rule that is code.
const std::vector<Field<MessageRule>>& info_fields() {
  static const std::vector<Field<MessageRule>> fields = [] {
    std::vector<Field<MessageRule>> all = text_fields();
    all.push_back({"thresholds", read_thresholds});
    return all;
  }();
  return fields;
}

const std::vector<Field<MessageRule>>& rule_fields() {
  using Out = MessageRule;
  static const std::vector<Field<Out>> fields = [] {
    std::vector<Field<Out>> all = text_fields();
    const std::vector<Field<Out>> more = {
        {"each", [](Reader& r, const Json& v, Out& o) { r.text_template(v, o.each); }},
        {"family", [](Reader& r, const Json& v, Out& o) { r.string(v, o.family); }},
        {"computed", read_computed},
        {"generic",
         [](Reader& r, const Json& v, Out& o) {
           if (r.is(v, Json::Kind::boolean)) o.generic = v.boolean;
         }},
        {"priority", [](Reader& r, const Json& v, Out& o) { r.integer(v, o.priority); }},
        {"patterns", [](Reader& r, const Json& v, Out& o) { r.patterns(v, o.patterns); }},
        {"levels", [](Reader& r, const Json& v, Out& o) { read_levels(r, v, o.levels); }},
        {"requires", [](Reader& r, const Json& v, Out& o) { read_requirement(r, v, o.requires_); }},
        {"samples", [](Reader& r, const Json& v, Out& o) { read_samples(r, v, o.samples); }},
        {"near_misses",
         [](Reader& r, const Json& v, Out& o) { read_samples(r, v, o.near_misses); }}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return fields;
}

void check_templates(Reader& reader, const MessageRule& rule) {
  if (reader.is_trusted()) return;
  std::set<std::string> known(message_rules::builtin_placeholders().begin(),
                              message_rules::builtin_placeholders().end());
  std::vector<const RulePattern*> patterns = message_rules::patterns_of(rule.requires_);
  for (const RulePattern& pattern : rule.patterns) patterns.push_back(&pattern);
  for (const RulePattern* pattern : patterns) {
    for (const auto& [name, unused] : pattern->re->re().NamedCapturingGroups()) known.insert(name);
  }
  for (const Reader::Template& text : reader.take_templates()) {
    std::string fault;
    for (const std::string& name : message_rules::placeholders_of(text.text, fault)) {
      if (known.count(name) == 0) {
        reader.fault(text.offset, "a placeholder that a named group or the engine fills in",
                     '{' + name + '}');
      }
    }
    if (!fault.empty()) reader.fault(text.offset, "a closed placeholder", fault);
  }
}

void check_id(Reader& reader, const Json& object, const std::string& id) {
  if (reader.is_trusted()) return;
  static const re2::RE2 shape("[a-z0-9]+(?:[-.][a-z0-9]+)*");
  bool there = false;  // as a text; else that has been said
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    there = there || (object.keys[i].first == "id" && object.items[i].kind == Json::Kind::string);
  }
  if (there && !re2::RE2::FullMatch(id, shape)) {
    reader.fault(object.offset, "an id in kebab-case", '"' + id + '"');
  }
}

std::optional<MessageRule> read_rule(Reader& reader, const Json& object, const std::string& file,
                                     const std::vector<Cause>& known) {
  const std::size_t before = reader.faults();
  MessageRule rule;
  rule.file = file;
  std::tie(rule.line, rule.column) = reader.place(object.offset);
  read_object(reader, object, rule_fields(), rule);
  require_keys(reader, object, {"id", "category", "severity", "confidence", "title", "what"});
  message_rules::inherit(reader, object, known, rule.info);
  check_id(reader, object, rule.info.id);
  const bool of_the_end = is_one_of(rule.computed, {"build-failed", "build-truncated",
                                                    "errors-unexplained", "quantize-output-float"});
  if (!of_the_end) require_keys(reader, object, {"samples", "near_misses"});
  const bool about_facts = !rule.computed.empty() || message_rules::asks_for_a_fact(rule.requires_);
  if (rule.patterns.empty() && !about_facts && reader.faults() == before) {
    reader.fault(object.offset, "the key \"patterns\", or a fact among \"requires\"", "none");
  }
  for (const auto* samples : {&rule.samples, &rule.near_misses}) {
    for (const RuleSample& sample : *samples) {
      if (!rule.patterns.empty() && sample.text.empty()) {
        reader.fault(sample.offset, "the key \"text\"", "none");
      }
    }
  }
  check_templates(reader, rule);
  if (reader.faults() != before) return std::nullopt;
  reader.check(rule);
  if (reader.faults() != before) return std::nullopt;
  for (const RulePattern& pattern : rule.patterns) rule.info.patterns.push_back(pattern.text);
  if (!reader.is_trusted()) {
    rule.info.conditions = message_rules::conditions_of(rule.requires_);
    for (const RuleSample& sample : rule.samples) {
      rule.info.samples.push_back(message_rules::text_of(sample));
    }
  }
  return rule;
}

std::optional<MessageRule> read_consequence(Reader& reader, const Json& object,
                                            const std::string& file) {
  const std::size_t before = reader.faults();
  MessageRule rule;
  rule.is_consequence = true;
  rule.file = file;
  std::tie(rule.line, rule.column) = reader.place(object.offset);
  using Out = MessageRule;
  static const std::vector<Field<Out>> fields = {
      {"consequence", [](Reader& r, const Json& v, Out& o) { r.string(v, o.info.what); }},
      {"patterns", [](Reader& r, const Json& v, Out& o) { r.patterns(v, o.patterns); }},
      {"samples", [](Reader& r, const Json& v, Out& o) { read_samples(r, v, o.samples); }},
      {"near_misses", [](Reader& r, const Json& v, Out& o) { read_samples(r, v, o.near_misses); }}};
  read_object(reader, object, fields, rule);
  require_keys(reader, object, {"patterns", "samples", "near_misses"});
  if (reader.faults() != before) return std::nullopt;
  reader.check(rule);
  if (reader.faults() != before) return std::nullopt;
  return rule;
}

bool is_consequence(const Json& object) {
  return std::ranges::any_of(object.keys,
                             [](const auto& key) { return key.first == "consequence"; });
}

std::optional<MessageRule> read_any(Reader& reader, const Json& object, const std::string& file,
                                    const std::vector<Cause>& known) {
  return is_consequence(object) ? read_consequence(reader, object, file)
                                : read_rule(reader, object, file, known);
}

struct Loaded {
  std::vector<MessageRule> rules;
  std::unordered_map<std::string, std::size_t> places;  // of their ids; a consequence has none
};

// Rules of the same id that are there already give way, those of this file excepted.
void load_file(const RuleFile& file, SampleCheck samples, const std::vector<Cause>& known,
               bool replace, Loaded& loaded, std::vector<Diagnostic>& diagnostics) {
  Reader reader(file, samples, diagnostics);
  PlacedJsonError error;
  const std::optional<Json> root = parse_placed_json(file.text, error);
  if (!root) return reader.fault(error.offset, "JSON", error.message);
  if (!reader.is(*root, Json::Kind::array)) return;
  std::vector<MessageRule>& rules = loaded.rules;
  std::unordered_set<std::string> here;
  for (const Json& object : root->items) {
    if (!reader.is(object, Json::Kind::object)) continue;
    std::optional<MessageRule> rule = read_any(reader, object, file.path, known);
    if (!rule) continue;
    const std::string id = rule->info.id;
    if (id.empty() || loaded.places.try_emplace(id, rules.size()).second) {
      here.insert(id);
      rules.push_back(std::move(*rule));
    } else if (replace && here.insert(id).second) {
      rules[loaded.places[id]] = std::move(*rule);
    } else {
      reader.fault(object.offset, "an id of its own", '"' + id + "\" again");
    }
  }
}

// The embedded file of that name, inflated once: most findings of a build are of a few files.
const std::string& embedded_text(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::string> texts;
  const std::lock_guard lock(mutex);
  const auto [text, is_new] = texts.try_emplace(name);
  if (!is_new) return text->second;
  for (const EmbeddedFile& file : embedded_knowledge()) {
    if (file.name == name) text->second = file.text();
  }
  return text->second;
}

// The rule of that id in an embedded file, whose rules stand at two blanks, their members at four.
std::string object_of(const std::string& file, const std::string& id) {
  const std::size_t at = file.find("\n    \"id\": \"" + id + '"');
  if (at == std::string::npos) return {};
  const std::size_t begin = file.rfind("\n  {", at);
  const std::size_t end = file.find("\n  }", at);
  return file.substr(begin, end + 4 - begin);
}

}  // namespace

std::vector<RuleFile> embedded_rule_files() {
  std::vector<RuleFile> files;
  for (const EmbeddedFile& file : embedded_knowledge()) {
    files.push_back({std::string(file.name), file.text()});
  }
  return files;
}

std::vector<RuleInfo> load_rule_infos(const std::vector<RuleFile>& files, SampleCheck check,
                                      std::vector<Diagnostic>& diagnostics,
                                      const std::vector<Cause>& known) {
  std::vector<RuleInfo> infos;
  for (const RuleFile& file : files) {
    Reader reader(file, check, diagnostics);
    PlacedJsonError error;
    const std::optional<Json> root = parse_placed_json(file.text, error);
    if (!root) reader.fault(error.offset, "JSON", error.message);
    if (!root || !reader.is(*root, Json::Kind::array)) continue;
    for (const Json& object : root->items) {
      MessageRule rule;
      read_object(reader, object, info_fields(), rule);
      require_keys(reader, object,
                   {"id", "category", "severity", "confidence", "what", "why", "next_check"});
      (void)message_rules::cause_of(reader, object, known, rule.info);
      infos.push_back(std::move(rule.info));
    }
  }
  return infos;
}

std::vector<MessageRule> load_message_rules(const std::vector<RuleFile>& embedded,
                                            const std::vector<RuleFile>& extra,
                                            std::vector<Diagnostic>& diagnostics,
                                            SampleCheck embedded_samples,
                                            const std::vector<Cause>& known) {
  Loaded loaded;
  for (const RuleFile& file : embedded) {
    load_file(file, embedded_samples, known, false, loaded, diagnostics);
  }
  for (const RuleFile& file : extra) {
    load_file(file, SampleCheck::run, known, true, loaded, diagnostics);
  }
  return std::move(loaded.rules);
}

RuleInfo readable_info(const MessageRule& rule) {
  RuleInfo info = with_texts(rule).info;
  for (std::string* text : {&info.why, &info.next_check}) {
    *text = message_rules::readable_template(*text);
  }
  for (std::vector<RuleRemedy>* texts : {&info.remedies, &info.special_checks}) {
    for (RuleRemedy& one : *texts) one.text = message_rules::readable_template(one.text);
  }
  return info;
}

std::vector<RuleInfo> message_rule_infos(const std::vector<MessageRule>& rules) {
  std::vector<RuleInfo> infos;
  for (const MessageRule& rule : rules) {
    if (!rule.is_consequence) infos.push_back(readable_info(rule));
  }
  std::ranges::sort(infos, {}, &RuleInfo::id);
  return infos;
}

const std::vector<MessageRule>& embedded_message_rules() {
  return embedded_rule_tables().heads;
}

MessageRule with_texts(const MessageRule& rule) {
  if (!rule.is_head) return rule;
  const RuleFile object{rule.file, object_of(embedded_text(rule.file), rule.info.id)};
  std::vector<Diagnostic> unused;
  PlacedJsonError error;
  Reader reader(object, SampleCheck::skip, unused);
  const std::optional<Json> json = parse_placed_json(object.text, error);
  const std::optional<MessageRule> whole =
      json ? read_any(reader, *json, rule.file, causes()) : std::optional<MessageRule>();
  return whole ? *whole : rule;
}

std::vector<RuleInfo> message_rule_infos() {
  std::vector<Diagnostic> unused;
  return message_rule_infos(
      load_message_rules(embedded_rule_files(), {}, unused, SampleCheck::skip));
}

}  // namespace trtlens

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "analyzers/message_rules_internal.h"
#include "analyzers/message_rules_json.h"

namespace trtlens {
namespace {

using Json = PlacedJson;

struct File {
  std::string name;
  std::string_view text;
};

// Reads one file; every fault is a diagnostic, and `faults()` tells whether the current rule had
// one.
class Reader {
 public:
  Reader(const File& file, SampleCheck samples, std::vector<Diagnostic>& out)
      : file_(file), samples_(samples), out_(out) {}

  void fault(std::size_t offset, std::string expected, std::string found) {
    const auto [line, column] = line_and_column(file_.text, offset);
    out_.push_back({"rule-file", DiagnosticSeverity::error, file_.name, line, column,
                    std::move(expected), std::move(found)});
    ++faults_;
  }
  [[nodiscard]] std::size_t faults() const { return faults_; }
  // Without samples: a file that a test holds free of faults; what costs time is not checked again.
  [[nodiscard]] bool is_trusted() const { return samples_ == SampleCheck::skip; }
  void check(const MessageRule& rule) {
    if (is_trusted()) return;
    for (const message_rules::SampleFault& f : message_rules::check_samples(rule)) {
      fault(f.offset, f.expected, f.found);
    }
  }

  bool is(const Json& value, Json::Kind kind) {
    if (value.kind == kind) return true;
    fault(value.offset, to_string(kind), to_string(value.kind));
    return false;
  }

  void string(const Json& value, std::string& out) {
    if (is(value, Json::Kind::string)) out = value.text;
  }

  void strings(const Json& value, std::vector<std::string>& out) {
    if (!is(value, Json::Kind::array)) return;
    for (const Json& item : value.items) {
      if (is(item, Json::Kind::string)) out.push_back(item.text);
    }
  }

  void integer(const Json& value, int& out) {
    if (!is(value, Json::Kind::number)) return;
    if (value.number != std::floor(value.number) || std::abs(value.number) > 1e9) {
      return fault(value.offset, "a whole number", "another one");
    }
    out = static_cast<int>(value.number);
  }

  void integer(const Json& value, std::optional<int>& out) {
    int n = 0;
    const std::size_t before = faults_;
    integer(value, n);
    if (faults_ == before) out = n;
  }

  // `words` are the allowed strings in the order of the enumerators.
  template <typename Enum>
  void word(const Json& value, std::initializer_list<std::pair<const char*, Enum>> words,
            Enum& out) {
    if (!is(value, Json::Kind::string)) return;
    std::string expected = "one of";
    for (const auto& [name, enumerator] : words) {
      if (value.text == name) {
        out = enumerator;
        return;
      }
      expected += std::string(expected == "one of" ? " " : ", ") + name;
    }
    fault(value.offset, expected, '"' + value.text + '"');
  }

  void version(const Json& value, bool upper_end, std::optional<int>& out) {
    if (!is(value, Json::Kind::string)) return;
    static const re2::RE2 shape(R"((\d{1,2})(?:\.(\d{1,2}))?(?:\.(\d{1,2}))?)");
    std::string part[3];
    if (!re2::RE2::FullMatch(value.text, shape, &part[0], &part[1], &part[2])) {
      return fault(value.offset, "a version such as \"8.6\"", '"' + value.text + '"');
    }
    int number = std::stoi(part[0]);
    for (int i = 1; i < 3; ++i) {
      number = number * 100 + (part[i].empty() ? (upper_end ? 99 : 0) : std::stoi(part[i]));
    }
    out = number;
  }

  void pattern(const Json& value, RulePattern& out) {
    if (!is(value, Json::Kind::string)) return;
    auto pattern = std::make_shared<const MessagePattern>(value.text);
    if (!is_trusted()) {
      const re2::RE2& re = pattern->re();
      if (!re.ok()) return fault(value.offset, "an RE2 pattern", re.error());
      if (re.Match("", 0, 0, re2::RE2::UNANCHORED, nullptr, 0)) {
        return fault(value.offset, "a pattern that needs some text", "one that matches anything");
      }
    }
    out = {value.text, std::move(pattern)};
  }

  void text_template(const Json& value, std::string& out) {
    string(value, out);
    if (value.kind == Json::Kind::string) templates_.push_back({value.offset, value.text});
  }

  struct Template {
    std::size_t offset = 0;
    std::string text;
  };
  std::vector<Template> take_templates() { return std::exchange(templates_, {}); }

 private:
  const File& file_;
  SampleCheck samples_;
  std::vector<Diagnostic>& out_;
  std::size_t faults_ = 0;
  std::vector<Template> templates_;
};

using Field = std::function<void(const Json&)>;

// Calls the reader of each key; unknown and repeated keys are faults.
void read_object(Reader& reader, const Json& object, const std::map<std::string, Field>& fields) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const auto& [key, offset] = object.keys[i];
    const auto field = fields.find(key);
    if (field == fields.end()) {
      std::string expected = "one of the keys";
      for (const auto& [name, unused] : fields) expected += ' ' + name;
      reader.fault(offset, expected, '"' + key + '"');
    } else if (!seen.insert(key).second) {
      reader.fault(offset, "each key once", '"' + key + "\" again");
    } else {
      field->second(object.items[i]);
    }
  }
}

void require_keys(Reader& reader, const Json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const bool there = std::any_of(object.keys.begin(), object.keys.end(),
                                   [&](const auto& entry) { return entry.first == key; });
    if (!there) reader.fault(object.offset, std::string("the key \"") + key + '"', "none");
  }
}

void read_patterns(Reader& reader, const Json& value, std::vector<RulePattern>& out) {
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    RulePattern pattern;
    reader.pattern(item, pattern);
    if (pattern.re) out.push_back(std::move(pattern));
  }
}

void read_flags(Reader& reader, const Json& value, std::vector<std::string>& out) {
  reader.strings(value, out);
  for (std::string& flag : out) flag.erase(0, flag.find_first_not_of('-'));
}

void read_remedies(Reader& reader, const Json& value, std::vector<RuleRemedy>& out) {
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    RuleRemedy remedy;
    if (item.kind == Json::Kind::object) {
      read_object(
          reader, item,
          {{"text", [&](const Json& v) { reader.text_template(v, remedy.text); }},
           {"trt_min", [&](const Json& v) { reader.version(v, false, remedy.versions.min); }},
           {"trt_max", [&](const Json& v) { reader.version(v, true, remedy.versions.max); }}});
      require_keys(reader, item, {"text"});
    } else {
      reader.text_template(item, remedy.text);
    }
    out.push_back(std::move(remedy));
  }
}

void read_requirement(Reader& reader, const Json& value, RuleRequirement& out) {
  if (!reader.is(value, Json::Kind::object)) return;
  read_object(reader, value,
              {{"command_has", [&](const Json& v) { read_flags(reader, v, out.command_has); }},
               {"command_lacks", [&](const Json& v) { read_flags(reader, v, out.command_lacks); }},
               {"trt_min", [&](const Json& v) { reader.version(v, false, out.versions.min); }},
               {"trt_max", [&](const Json& v) { reader.version(v, true, out.versions.max); }},
               {"sm_min", [&](const Json& v) { reader.integer(v, out.sm_min); }},
               {"sm_max", [&](const Json& v) { reader.integer(v, out.sm_max); }},
               {"outcome",
                [&](const Json& v) {
                  Outcome outcome = Outcome::unknown;
                  const std::size_t before = reader.faults();
                  reader.word<Outcome>(v,
                                       {{"passed", Outcome::passed},
                                        {"failed", Outcome::failed},
                                        {"truncated", Outcome::truncated},
                                        {"unknown", Outcome::unknown}},
                                       outcome);
                  if (reader.faults() == before) out.outcome = outcome;
                }},
               {"node_is", [&](const Json& v) { reader.strings(v, out.node_is); }},
               {"and_message", [&](const Json& v) { reader.pattern(v, out.and_message); }}});
}

void read_dims(Reader& reader, const Json& value, std::vector<std::int64_t>& out) {
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    int n = 0;
    reader.integer(item, n);
    out.push_back(n);
  }
}

void read_sample_node(Reader& reader, const Json& value, RuleSample& sample) {
  if (!reader.is(value, Json::Kind::object)) return;
  RuleSample::Node node;
  read_object(reader, value,
              {{"name", [&](const Json& v) { reader.string(v, node.name); }},
               {"op", [&](const Json& v) { reader.string(v, node.op); }},
               {"input", [&](const Json& v) { read_dims(reader, v, node.input); }},
               {"weights", [&](const Json& v) { read_dims(reader, v, node.weights); }}});
  require_keys(reader, value, {"name", "op", "input", "weights"});
  sample.nodes.push_back(std::move(node));
}

void read_samples(Reader& reader, const Json& value, std::vector<RuleSample>& out) {
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    RuleSample sample;
    sample.offset = item.offset;
    if (item.kind == Json::Kind::object) {
      sample.bare = false;
      read_object(reader, item,
                  {{"text", [&](const Json& v) { reader.string(v, sample.text); }},
                   {"also", [&](const Json& v) { reader.strings(v, sample.also); }},
                   {"command", [&](const Json& v) { read_flags(reader, v, sample.command); }},
                   {"trt", [&](const Json& v) { reader.version(v, false, sample.version); }},
                   {"sm", [&](const Json& v) { reader.integer(v, sample.sm); }},
                   {"timed_layer", [&](const Json& v) { reader.string(v, sample.timed_layer); }},
                   {"timed_format", [&](const Json& v) { reader.string(v, sample.timed_format); }},
                   {"nodes",
                    [&](const Json& v) {
                      if (!reader.is(v, Json::Kind::array)) return;
                      for (const Json& node : v.items) read_sample_node(reader, node, sample);
                    }},
                   {"wins", [&](const Json& v) { reader.string(v, sample.wins); }}});
      require_keys(reader, item, {"text"});
    } else {
      reader.string(item, sample.text);
    }
    out.push_back(std::move(sample));
  }
}

std::map<std::string, Field> text_fields(Reader& reader, MessageRule& rule) {
  return {{"id", [&](const Json& v) { reader.string(v, rule.info.id); }},
          {"category", [&](const Json& v) { reader.string(v, rule.info.category); }},
          {"title", [&](const Json& v) { reader.text_template(v, rule.title); }},
          {"each", [&](const Json& v) { reader.text_template(v, rule.each); }},
          {"what", [&](const Json& v) { reader.string(v, rule.info.what); }},
          {"why", [&](const Json& v) { reader.text_template(v, rule.info.why); }},
          {"next_check", [&](const Json& v) { reader.text_template(v, rule.info.next_check); }},
          {"false_positive", [&](const Json& v) { reader.string(v, rule.info.false_positive); }},
          {"version_range", [&](const Json& v) { reader.string(v, rule.info.version_range); }},
          {"sources", [&](const Json& v) { reader.strings(v, rule.info.sources); }},
          {"family", [&](const Json& v) { reader.string(v, rule.family); }}};
}

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

std::map<std::string, Field> rule_fields(Reader& reader, MessageRule& rule) {
  std::map<std::string, Field> fields = text_fields(reader, rule);
  fields["severity"] = [&](const Json& v) {
    reader.word<Severity>(v,
                          {{"fatal", Severity::fatal},
                           {"major", Severity::major},
                           {"moderate", Severity::moderate},
                           {"minor", Severity::minor},
                           {"info", Severity::info}},
                          rule.info.severity);
  };
  fields["confidence"] = [&](const Json& v) {
    reader.word<Confidence>(v,
                            {{"measured", Confidence::measured},
                             {"inferred", Confidence::inferred},
                             {"guessed", Confidence::guessed}},
                            rule.info.confidence);
  };
  fields["computed"] = [&](const Json& v) {
    reader.word<ComputedRule>(v,
                              {{"build-failed", ComputedRule::build_failed},
                               {"build-truncated", ComputedRule::build_truncated},
                               {"quantize-output-float", ComputedRule::quantize_output_float}},
                              rule.computed);
  };
  fields["generic"] = [&](const Json& v) {
    if (reader.is(v, Json::Kind::boolean)) rule.generic = v.boolean;
  };
  fields["priority"] = [&](const Json& v) { reader.integer(v, rule.priority); };
  fields["patterns"] = [&](const Json& v) { read_patterns(reader, v, rule.patterns); };
  fields["levels"] = [&](const Json& v) { read_levels(reader, v, rule.levels); };
  fields["requires"] = [&](const Json& v) { read_requirement(reader, v, rule.requires_); };
  fields["remedies"] = [&](const Json& v) { read_remedies(reader, v, rule.remedies); };
  fields["samples"] = [&](const Json& v) { read_samples(reader, v, rule.samples); };
  fields["near_misses"] = [&](const Json& v) { read_samples(reader, v, rule.near_misses); };
  return fields;
}

void check_templates(Reader& reader, const MessageRule& rule) {
  if (reader.is_trusted()) return;
  std::set<std::string> known(message_rules::builtin_placeholders().begin(),
                              message_rules::builtin_placeholders().end());
  for (const RulePattern& pattern : rule.patterns) {
    for (const auto& [name, unused] : pattern.re->re().NamedCapturingGroups()) known.insert(name);
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
  static const re2::RE2 shape("[a-z0-9]+(?:[-.][a-z0-9]+)*");
  if (!id.empty() && !re2::RE2::FullMatch(id, shape)) {
    reader.fault(object.offset, "an id in kebab-case", '"' + id + '"');
  }
}

std::optional<MessageRule> read_rule(Reader& reader, const Json& object, const std::string& file) {
  const std::size_t before = reader.faults();
  MessageRule rule;
  rule.file = file;
  rule.offset = object.offset;
  read_object(reader, object, rule_fields(reader, rule));
  require_keys(reader, object,
               {"id", "category", "severity", "confidence", "title", "what", "why", "remedies",
                "next_check", "sources"});
  check_id(reader, object, rule.info.id);
  if (rule.computed == ComputedRule::none) {
    require_keys(reader, object, {"patterns", "samples", "near_misses"});
  }
  check_templates(reader, rule);
  if (reader.faults() != before) return std::nullopt;
  reader.check(rule);
  if (reader.faults() != before) return std::nullopt;
  for (const RuleRemedy& remedy : rule.remedies) rule.info.remedies.push_back(remedy.text);
  for (const RulePattern& pattern : rule.patterns) rule.info.patterns.push_back(pattern.text);
  return rule;
}

std::optional<MessageRule> read_consequence(Reader& reader, const Json& object,
                                            const std::string& file) {
  const std::size_t before = reader.faults();
  MessageRule rule;
  rule.is_consequence = true;
  rule.file = file;
  rule.offset = object.offset;
  read_object(reader, object,
              {{"consequence", [&](const Json& v) { reader.string(v, rule.info.what); }},
               {"patterns", [&](const Json& v) { read_patterns(reader, v, rule.patterns); }},
               {"samples", [&](const Json& v) { read_samples(reader, v, rule.samples); }},
               {"near_misses", [&](const Json& v) { read_samples(reader, v, rule.near_misses); }}});
  require_keys(reader, object, {"patterns", "samples", "near_misses"});
  if (reader.faults() != before) return std::nullopt;
  reader.check(rule);
  if (reader.faults() != before) return std::nullopt;
  return rule;
}

bool is_consequence(const Json& object) {
  return std::any_of(object.keys.begin(), object.keys.end(),
                     [](const auto& key) { return key.first == "consequence"; });
}

// `replace`: rules of the same id that are there already give way, those of this file excepted.
void load_file(const File& file, bool replace, SampleCheck samples, std::vector<MessageRule>& rules,
               std::vector<Diagnostic>& diagnostics) {
  Reader reader(file, samples, diagnostics);
  PlacedJsonError error;
  const std::optional<Json> root = parse_placed_json(file.text, error);
  if (!root) return reader.fault(error.offset, "JSON", error.message);
  if (!reader.is(*root, Json::Kind::array)) return;
  std::set<std::string> here;
  for (const Json& object : root->items) {
    if (!reader.is(object, Json::Kind::object)) continue;
    std::optional<MessageRule> rule = is_consequence(object)
                                          ? read_consequence(reader, object, file.name)
                                          : read_rule(reader, object, file.name);
    if (!rule) continue;
    const std::string& id = rule->info.id;
    const auto same = std::find_if(rules.begin(), rules.end(), [&](const MessageRule& other) {
      return !id.empty() && other.info.id == id;
    });
    if (same == rules.end()) {
      here.insert(id);
      rules.push_back(std::move(*rule));
    } else if (replace && here.count(id) == 0) {
      here.insert(id);
      *same = std::move(*rule);
    } else {
      reader.fault(object.offset, "an id of its own", '"' + id + "\" again");
    }
  }
}

}  // namespace

std::vector<MessageRule> load_message_rules(const std::vector<EmbeddedFile>& embedded,
                                            const std::vector<RuleFile>& extra,
                                            std::vector<Diagnostic>& diagnostics,
                                            SampleCheck embedded_samples) {
  std::vector<MessageRule> rules;
  for (const EmbeddedFile& file : embedded) {
    load_file({std::string(file.name), file.text}, false, embedded_samples, rules, diagnostics);
  }
  for (const RuleFile& file : extra) {
    load_file({file.path, file.text}, true, SampleCheck::run, rules, diagnostics);
  }
  return rules;
}

std::vector<RuleInfo> message_rule_infos(const std::vector<MessageRule>& rules) {
  std::vector<RuleInfo> infos;
  for (const MessageRule& rule : rules) {
    if (!rule.is_consequence) infos.push_back(rule.info);
  }
  std::sort(infos.begin(), infos.end(),
            [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; });
  return infos;
}

const std::vector<MessageRule>& embedded_message_rules() {
  static const std::vector<MessageRule> rules = [] {
    std::vector<Diagnostic> unused;  // a test holds the embedded files free of faults
    return load_message_rules(embedded_knowledge(), {}, unused, SampleCheck::skip);
  }();
  return rules;
}

std::vector<RuleInfo> message_rule_infos() {
  return message_rule_infos(embedded_message_rules());
}

}  // namespace trtlens

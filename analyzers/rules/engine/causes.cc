// Reads causes, and what a rule has of its cause.
#include <algorithm>

#include "analyzers/rules/engine/json.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/reader.h"

namespace trtlens {
namespace message_rules {
namespace {

void read_programs(Reader& reader, const Json& value, std::vector<std::string>& out) {
  reader.strings(value, out);
  for (const std::string& name : out) {
    if (!message_rules::is_program(name)) {
      reader.fault(value.offset, "the name of a program of remedies.cc", '"' + name + '"');
    }
  }
}

// A source file and function are searched for it; nothing is kept of it but its text.
void read_places(Reader& reader, const Json& value, std::string& out) {
  RulePattern pattern;
  reader.pattern(value, pattern);
  out = pattern.text;
}

const std::vector<Field<Cause>>& cause_fields() {
  using Out = Cause;
  static const std::vector<Field<Out>> fields = {
      {"id", [](Reader& r, const Json& v, Out& o) { r.string(v, o.id); }},
      {"title", [](Reader& r, const Json& v, Out& o) { r.string(v, o.title); }},
      {"why", [](Reader& r, const Json& v, Out& o) { r.text_template(v, o.why); }},
      {"remedies", [](Reader& r, const Json& v, Out& o) { read_remedies(r, v, o.remedies); }},
      {"next_check",
       [](Reader& r, const Json& v, Out& o) { read_check(r, v, o.next_check, o.special_checks); }},
      {"sources", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.sources); }},
      {"leads_to", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.leads_to); }},
      {"places", [](Reader& r, const Json& v, Out& o) { read_places(r, v, o.places); }},
      {"part", [](Reader& r, const Json& v, Out& o) { r.string(v, o.part); }},
      {"last_word",
       [](Reader& r, const Json& v, Out& o) {
         if (r.is(v, Json::Kind::boolean)) o.is_last_word = v.boolean;
       }},
      {"harmless", [](Reader& r, const Json& v, Out& o) {
         if (r.is(v, Json::Kind::boolean)) o.is_harmless = v.boolean;
       }}};
  return fields;
}

bool has_key(const Json& object, const char* key) {
  return std::ranges::any_of(object.keys, [&](const auto& one) { return one.first == key; });
}

// Texts of a cause are used by many rules, of which each knows other values.
void check_texts(Reader& reader) {
  for (const Reader::Template& text : reader.take_templates()) {
    std::string fault;
    (void)placeholders_of(text.text, fault);
    if (!fault.empty()) reader.fault(text.offset, "a closed placeholder", fault);
    if (expand(text.text, {}).find(kNotKnown) != std::string::npos) {
      reader.fault(text.offset, "placeholders with a text for none, or in [[ ]]", text.text);
    }
  }
}

}  // namespace

void read_remedies(Reader& reader, const Json& value, std::vector<RuleRemedy>& out) {
  using Out = RuleRemedy;
  static const std::vector<Field<Out>> fields = {
      {"text", [](Reader& r, const Json& v, Out& o) { r.text_template(v, o.text); }},
      {"for", [](Reader& r, const Json& v, Out& o) { read_programs(r, v, o.programs); }},
      {"not_for", [](Reader& r, const Json& v, Out& o) { read_programs(r, v, o.other_programs); }},
      {"command_lacks", [](Reader& r, const Json& v, Out& o) { r.flags(v, o.command_lacks); }},
      {"command_has", [](Reader& r, const Json& v, Out& o) { r.flags(v, o.command_has); }},
      {"operators", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.operators); }},
      {"trt_min", [](Reader& r, const Json& v, Out& o) { r.version(v, false, o.versions.min); }},
      {"trt_max", [](Reader& r, const Json& v, Out& o) { r.version(v, true, o.versions.max); }}};
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    Out remedy;
    if (item.kind == Json::Kind::object) {
      read_object(reader, item, fields, remedy);
      require_keys(reader, item, {"text"});
    } else {
      reader.text_template(item, remedy.text);
    }
    out.push_back(std::move(remedy));
  }
}

void read_check(Reader& reader, const Json& value, std::string& next_check,
                std::vector<RuleRemedy>& special_checks) {
  if (value.kind != Json::Kind::array) return reader.text_template(value, next_check);
  read_remedies(reader, value, special_checks);
  const auto is_text = [](const Json& item) { return item.kind == Json::Kind::string; };
  const bool has_last = !value.items.empty() && is_text(value.items.back());
  if (!has_last) return reader.fault(value.offset, "a last check that is text alone", "none");
  if (std::ranges::count_if(value.items, is_text) > 1) {
    return reader.fault(value.offset, "conditions for each check but the last", "text alone");
  }
  next_check = std::move(special_checks.back().text);
  special_checks.pop_back();
}

const Cause& cause_of(Reader& reader, const Json& object, const std::vector<Cause>& known,
                      const RuleInfo& info) {
  static const Cause none;
  if (info.cause.empty()) return none;
  const auto found = std::ranges::find(known, info.cause, &Cause::id);
  if (found != known.end()) return *found;
  reader.fault(object.offset, "the id of a cause of causes.json", '"' + info.cause + '"');
  return none;
}

void inherit(Reader& reader, const Json& object, const std::vector<Cause>& known, RuleInfo& info) {
  const Cause& cause = cause_of(reader, object, known, info);
  const auto take = [&](const char* key, const auto& of_cause, auto& own) {
    if (has_key(object, key)) return;
    if (of_cause.empty()) require_keys(reader, object, {key});
    own = of_cause;
  };
  take("why", cause.why, info.why);
  take("remedies", cause.remedies, info.remedies);
  take("next_check", cause.next_check, info.next_check);
  if (!has_key(object, "next_check")) info.special_checks = cause.special_checks;
  if (!has_key(object, "sources")) info.sources = cause.sources;
}

}  // namespace message_rules

std::vector<Cause> load_causes(const RuleFile& file, SampleCheck check,
                               std::vector<Diagnostic>& diagnostics) {
  using message_rules::Reader;
  std::vector<Cause> causes;
  Reader reader(file, check, diagnostics);
  PlacedJsonError error;
  const std::optional<PlacedJson> root = parse_placed_json(file.text, error);
  if (!root) reader.fault(error.offset, "JSON", error.message);
  if (!root || !reader.is(*root, PlacedJson::Kind::array)) return causes;
  for (const PlacedJson& object : root->items) {
    Cause cause;
    message_rules::read_object(reader, object, message_rules::cause_fields(), cause);
    message_rules::require_keys(reader, object, {"id", "title"});
    message_rules::check_texts(reader);
    if (std::ranges::find(causes, cause.id, &Cause::id) != causes.end()) {
      reader.fault(object.offset, "an id of its own", '"' + cause.id + "\" again");
    }
    causes.push_back(std::move(cause));
  }
  for (std::size_t i = 0; i < causes.size(); ++i) {
    for (const std::string& id : causes[i].leads_to) {
      if (std::ranges::find(causes, id, &Cause::id) != causes.end()) continue;
      reader.fault(root->items[i].offset, "the id of a cause", '"' + id + '"');
    }
  }
  return causes;
}

}  // namespace trtlens

// Shared by the parts of the message-rule engine; besides these only rule.cc includes it, for the
// templates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/precision/no_implementation.h"
#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::message_rules {

// Placeholders that the matcher fills in besides the named groups of the patterns.
[[nodiscard]] const std::vector<std::string>& builtin_placeholders();

inline constexpr std::size_t kMaxValue = 240;  // bytes of a name or path in a sentence

inline constexpr std::string_view kNotKnown = "(not known)";
// A text of a RuleInfo with its placeholders filled in; kNotKnown stands where that cannot be.
[[nodiscard]] std::string expand(std::string_view text, const Values& values);
// As it reads without a log: "the layer <layer>".
[[nodiscard]] std::string readable_template(std::string_view text);

// Names of the placeholders of a template; an unclosed brace or bracket is in `fault`.
[[nodiscard]] std::vector<std::string> placeholders_of(std::string_view text, std::string& fault);

// Cut in the middle when longer than `max` bytes, never inside a UTF-8 sequence; one line.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t max);

// "[…] [error] 6: [file.cpp::f::288] Error Code 6: Internal Error (text)" -> "text".
[[nodiscard]] std::string said_of(const std::string& message);
// The same as a sentence of a text: of a check of TensorRT's what it says beside the condition,
// else the condition.
[[nodiscard]] std::string sentence_of(const std::string& message);

// The pattern matches the text; named groups that took part are added to `values` when it is given.
[[nodiscard]] bool search(const RulePattern& pattern, const std::string& text, Values* values);

// What the ONNX parser's error block says around a message.
struct OnnxContext {
  std::string op, node, number;
  std::optional<std::size_t> message;  // "While parsing node number …"
};
// `order` lists the messages by file and line; `at` is a place in it.
[[nodiscard]] OnnxContext onnx_context(const Build& build, const std::vector<std::size_t>& order,
                                       std::size_t at);

// Whether a rule of those levels looks at a message of that severity.
[[nodiscard]] bool level_fits(const std::vector<LogSeverity>& levels, LogSeverity severity);

// Indices of build.messages by file and line.
[[nodiscard]] std::vector<std::size_t> message_order(const Build& build);

// Whether a message is the last of that order, and a cut one that says what one before it said
// whole.
[[nodiscard]] bool is_cut_repeat(const Build& build, const std::vector<std::size_t>& order,
                                 std::size_t message);

// Facts of the build that every template may use.
[[nodiscard]] Values build_values(const Build& build);
constexpr std::size_t kMessageText = 300;  // of {message} in a sentence
// {message}, and the rule whose message has the nearest words.
void say_message(const Build& build, const Message& message, Values& values);
// What failed, and whether it read an engine or a model; `phase` none: no error tells.
void say_phase(const std::optional<FailedPhase>& phase, Values& values);

// Everything of the requirements that does not depend on the message.
[[nodiscard]] bool build_meets(const RuleRequirement& requirement, const Build& build);
[[nodiscard]] bool is_in(const VersionRange& range, const Build& build);
// "up to 8.4", "7.2 to 9", "8.5 or later".
[[nodiscard]] std::string versions_text(const VersionRange& versions);

// `wanted` is a flag of the command, or flag=value; without dashes.
[[nodiscard]] bool has_flag(const Build& build, const std::string& wanted);

// What the input shows of a program, by its name, as remedies give it: "DeepStream".
[[nodiscard]] bool is_program(std::string_view name);
[[nodiscard]] bool shows_program(std::string_view name, const Build& build);
// Whether the producer, the command, the GPU or a message matches.
[[nodiscard]] bool shows_words(const char* pattern, const Build& build);
// Where to look on after an error that no rule knows: at the program that makes the network itself;
// with an ONNX file trtexec can build the same.
void say_converter(const Build& build, Values& values);
// Whether `input`, a text, shows every program that the title of the rule, or what it detects,
// speaks of.
[[nodiscard]] bool shows_programs_of(const RuleInfo& rule, const std::string& input);
// Whether the network has such an operator, one of several: an ONNX node, a layer of that type, or
// one in whose name it stands, as in "/attention/Softmax".
[[nodiscard]] bool shows_operator(const std::vector<std::string>& of, const Build& build);
// The first of `special_checks` that applies to the build, else `next_check`; none, where it needs
// the ONNX or engine file of a program that has none.
[[nodiscard]] std::string check_for(const std::string& next_check,
                                    const std::vector<RuleRemedy>& special_checks,
                                    const Build& build);
// Those that apply to the build, filled in: kMostActions at most.
[[nodiscard]] std::vector<std::string> remedies_for(const std::vector<RuleRemedy>& remedies,
                                                    const Values& values, const Build& build);

// The value of a flag of the command that a rule asks for; null: it has none, or another.
[[nodiscard]] const std::string* option_value(const Build& build, const ValueRequirement& wanted);
// The inputs that the options of the command give shapes for, in order.
[[nodiscard]] std::vector<std::string> inputs_with_shapes(const Build& build);
[[nodiscard]] int profiles_of(const Build& build);  // optimization profiles that are seen
[[nodiscard]] const OnnxNode* first_node_of(const Build& build, const std::string& op);

// What a rule without patterns rests on.
struct FactHit {
  Values values;
  std::vector<Evidence> evidence;
};
struct FactPlaces {
  const Build& build;
  const std::vector<Input>& inputs;
  const std::vector<Run>& runs;

  [[nodiscard]] Evidence at(const SourcePos& pos, std::string note) const;
  // The line that records the command, or the first of the log.
  [[nodiscard]] Evidence at_run(std::string note) const;
};
// None: it does not hold.
[[nodiscard]] std::optional<FactHit> fact_hit(const MessageRule& rule, const FactPlaces& places);
// What rules may have computed beside that, and a function for each. Null: the matcher knows when
// such a rule speaks.
using Computed = std::optional<FactHit> (*)(const FactPlaces& places);
[[nodiscard]] std::span<const std::pair<std::string_view, Computed>> computed_words();
[[nodiscard]] Computed computed_by(std::string_view word);
// A rule that fact_hit() decides on.
[[nodiscard]] bool is_about_facts(const MessageRule& rule);

// The rule fires on one message of the build, requirements included.
struct MessageHit {
  std::size_t message = 0;           // index into build.messages
  Values values;                     // of the named groups and the ONNX context
  NodeDiagnosis node;                // when a rule of node_is or {numbers} asked for it
  std::vector<std::size_t> context;  // other messages that belong to it
};
void add_context(const Build& build, const std::vector<std::size_t>& order, std::size_t at,
                 MessageHit& hit);
// One rule against the messages of a build; what is the same for all of them is worked out once.
class RuleMatch {
 public:
  // `order` lists the messages by file and line.
  RuleMatch(const MessageRule& rule, const Build& build, const std::vector<std::size_t>& order)
      : rule_(rule), build_(build), order_(order) {}
  // On the message at that place of the order.
  [[nodiscard]] std::optional<MessageHit> hit(std::size_t at);

 private:
  [[nodiscard]] bool build_fits();
  [[nodiscard]] std::optional<std::size_t> companion_of(std::size_t message);

  const MessageRule& rule_;
  const Build& build_;
  const std::vector<std::size_t>& order_;
  std::optional<bool> build_fits_;
  // The first two messages that and_message finds: one of them is another than the hit.
  std::optional<std::vector<std::size_t>> companions_;
};

using Hits = std::vector<MessageHit>;
using HitsOfRules = std::map<const MessageRule*, Hits>;
// Of all messages, in the given order; rules of consequences are left out.
[[nodiscard]] HitsOfRules hits_of(const std::vector<MessageRule>& rules, const Build& build,
                                  const std::vector<std::size_t>& order);
// Values that only later messages of a finding have, such as the number of bytes. A node belongs to
// its message: that of a later one is taken where the first knows no operator.
void add_later_groups(const std::vector<MessageHit>& hits, Values& values);

// By message: whether it only follows another error.
[[nodiscard]] std::vector<bool> consequences_in(const Build& build,
                                                const std::vector<MessageRule>& rules);
// By message: whether it says only that the program ended ("Aborted"), behind an error.
[[nodiscard]] std::vector<bool> last_words_in(const Build& build,
                                              const std::vector<MessageRule>& rules,
                                              const std::vector<std::size_t>& order);

// {each}: the template filled in for every hit, each text once, behind commas; a few of them where
// it is prose. {size}: the most that {bytes} or {megabytes} of a hit says, for people.
void say_all(const std::string& each, const Hits& hits, Values& values);
// A title, made of `values`, that names a layer of several nodes names it by its short label, which
// is also where the finding is.
void name_layer(const std::string& title, const Values& values, Finding& finding);
// As much of a title as a card takes: 12 words, one number, no parentheses.
[[nodiscard]] std::string short_title(const std::string& title);
[[nodiscard]] std::string first_sentences(const std::string& text, int most);
[[nodiscard]] Finding within_limits(Finding finding);
// Where a finding is: the layers of several nodes that its messages name.
void place_by_messages(const Hits& hits, Finding& finding);

// Errors that differ in numbers and addresses only: a storm of them is one.
struct ErrorGroup {
  std::vector<std::size_t> messages;  // of the build, in the order given
  std::uint64_t count = 0;            // repetitions included
};
[[nodiscard]] std::vector<ErrorGroup> error_groups(const Build& build,
                                                   const std::vector<std::size_t>& messages);

// A finding on its way to its cause; `at` is its first line, by file.
struct Symptom {
  std::string cause;
  std::optional<std::pair<std::uint32_t, std::uint64_t>> at;
  bool is_fatal = true;
};
// For each of them, best first, the fatal one that explains it: of a cause that leads to its own,
// of which a fatal one stands no later; or, for what is not fatal, of the same cause. Else itself.
[[nodiscard]] std::vector<std::size_t> roots_of(const std::vector<Symptom>& symptoms);
// Of an error, by the source file and function of TensorRT that it names; null: it names none that
// is known.
[[nodiscard]] const Cause* cause_by_place(const std::string& message);

// Faults of samples and near misses: "" when the rule passes.
struct SampleFault {
  std::size_t offset = 0;
  std::string expected, found;
};
[[nodiscard]] std::vector<SampleFault> check_samples(const MessageRule& rule);

}  // namespace trtlens::message_rules

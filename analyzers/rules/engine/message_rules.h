// Message rules: what a message in a log means. Rules are data (analyzers/rules/data/*.json and
// files of the user); this header is the door to their loader, their self-check and the matcher.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/finding.h"
#include "analyzers/rules/engine/pattern.h"
#include "analyzers/rules/rule.h"
#include "parsers/model/build.h"
#include "parsers/model/diagnostic.h"
#include "parsers/parse.h"

namespace trtlens {

// Searched unanchored, byte by byte, in the text of a message.
struct RulePattern {
  std::string text;
  std::shared_ptr<const MessagePattern> re;  // null: no pattern
};

// A named value: a flag of the command, or a row of the banner ("Build Options/Refit").
struct ValueRequirement {
  std::string name;
  RulePattern value;
};

// What has to hold besides a matching message. An unknown TensorRT version satisfies `versions`;
// every other unknown fact does not satisfy the condition on it.
struct RuleRequirement {
  // Flags of the command, without dashes: all of the first, none of the second, one of the third.
  std::vector<std::string> command_has, command_lacks, command_has_any;
  std::vector<ValueRequirement> command_is, banner_is;
  std::vector<std::string> allows;  // one of these precisions was allowed: "INT8"
  VersionRange versions;
  std::optional<int> sm_min, sm_max;  // compute capability, 75 for 7.5
  RulePattern gpu;                    // its name
  std::vector<std::string> producers;
  std::optional<Outcome> outcome, not_outcome;
  std::vector<std::string> node_is;  // one of these is a label of the node (no_implementation.h)
  std::vector<std::string> op_is;    // {op} is one of these, of the message or its parser block
  // Operators of the ONNX model, as a verbose log shows them: all, one of, none of.
  std::vector<std::string> onnx_has, onnx_has_any, onnx_lacks;
  std::optional<int> profiles_min;  // optimization profiles
  RulePattern and_message;          // another message of the build
  // The command gives shapes, but none for the input that this named group of the pattern holds.
  std::string shapes_lack;
  RulePattern no_message;  // that no message of the build matches
};

// A text that the rule must (sample) or must not (near miss) fire on, with the facts around it.
struct RuleSample {
  struct Node {  // a parser line: dimensions of the first two inputs, names of the tensors
    std::string name, op;
    std::optional<std::vector<std::int64_t>> input, weights;
    std::vector<std::string> inputs, outputs;
  };
  std::string text;
  std::vector<std::string> also;     // other messages of the same build
  std::vector<std::string> command;  // flags
  std::optional<int> version, sm, weights_bytes;
  std::string timed_layer, timed_format;  // what was being timed
  std::vector<Node> nodes;
  std::vector<std::string> onnx;                            // operators
  std::vector<std::pair<std::string, std::string>> banner;  // rows
  std::vector<std::string> allows;
  std::string producer, gpu;
  std::optional<Outcome> outcome;
  std::string wins;  // rule whose finding comes first instead of this one's
  bool bare = true;  // given as a plain string: the facts are made to fit the requirements
  std::size_t offset = 0;
};

// A rule with patterns is about messages. One without is about facts: it fires once, when its
// requirements hold and what is computed, if anything, finds something.
// A member that decides whether it fires stands in tables.cc, too.
struct MessageRule {
  RuleInfo info;
  std::string each;      // template expanded per message, joined with ',' as {each}
  int priority = 0;      // among fatal rules: higher is closer to the root cause
  std::string family;    // of the rules of one family only the one of highest priority speaks
  bool generic = false;  // looks only at messages that no other rule of severity fatal matches
  bool is_consequence = false;  // no rule: patterns of errors that only follow another one
  std::string computed;         // a word of computed_words(); "": nothing
  std::vector<RulePattern> patterns;
  std::vector<LogSeverity> levels;  // empty: any
  RuleRequirement requires_;
  std::vector<RuleSample> samples, near_misses;
  std::string file;                  // where it was read
  std::size_t line = 0, column = 0;  // of its object in that file
  bool is_head = false;              // an embedded one, its texts still to be read: with_texts()

  [[nodiscard]] bool generic_or_computed() const { return generic || !computed.empty(); }
};

// Reads and checks rules; one with a fault is left out and reported as file:line:column. A rule of
// `extra` replaces the embedded rule of the same id. Samples and near misses are tried as well;
// those of the embedded files by a test and on demand, for they cannot change. They are most of a
// file: only where they are wanted are they kept.
enum class SampleCheck : std::uint8_t { run, keep, skip };
[[nodiscard]] std::vector<MessageRule> load_message_rules(
    const std::vector<RuleFile>& embedded, const std::vector<RuleFile>& extra,
    std::vector<Diagnostic>& diagnostics, SampleCheck embedded_samples = SampleCheck::run,
    const std::vector<Cause>& known = causes());
// analyzers/rules/data/*.json.
[[nodiscard]] std::vector<RuleFile> embedded_rule_files();

// Texts and thresholds of the rules that are code, from files with the keys of a message rule.
[[nodiscard]] std::vector<RuleInfo> load_rule_infos(const std::vector<RuleFile>& files,
                                                    SampleCheck check,
                                                    std::vector<Diagnostic>& diagnostics,
                                                    const std::vector<Cause>& known = causes());
[[nodiscard]] std::vector<Cause> load_causes(const RuleFile& file, SampleCheck check,
                                             std::vector<Diagnostic>& diagnostics);

// What is wrong with the code of one of them, the text of its file: it asks for a threshold that
// the rule does not have, or does not ask for one; it gives a placeholder no value.
[[nodiscard]] std::vector<std::string> code_faults(const RuleInfo& info, const std::string& code);

// The facts of a sample as a Build, for checks and tests.
[[nodiscard]] Build build_of_sample(const MessageRule& rule, const RuleSample& sample);

// What the messages of a build mean; `pos.file` of a message is an index into `inputs`. The order
// is that of a report: fatal findings first, the root cause at the front. Errors that no rule
// explains and those that only follow are evidence of the first fatal finding.
// `runs` are those of the logs: a finding about the command names the line that records it.
[[nodiscard]] std::vector<Finding> match_message_rules(const Build& build,
                                                       const std::vector<Input>& inputs,
                                                       const std::vector<MessageRule>& rules,
                                                       const std::vector<Run>& runs = {});

// For a text that no rule knows: the embedded rule of which it has the most words, at least three
// of them and 60 % of those of a pattern or, as Dice counts, of a sample; where anybody may have
// said it, one of TensorRT's own words among them. A rule about a program that calls TensorRT, such
// as ONNX Runtime, only where `input` shows that program.
struct NearRule {
  std::string rule;
  std::size_t letters = 0;  // of the words in common
};
enum class Speaker : std::uint8_t { anybody, tensorrt };
inline constexpr double kNearShare = 0.6;
[[nodiscard]] std::optional<NearRule> nearest_rule(const std::string& text,
                                                   const std::string& input, Speaker speaker,
                                                   double least_share = kNearShare);

// The rule with its texts.
[[nodiscard]] MessageRule with_texts(const MessageRule& rule);

// The embedded rules, loaded once, without their texts.
[[nodiscard]] const std::vector<MessageRule>& embedded_message_rules();
// Texts for `trtlens rules` and `trtlens explain`: a placeholder reads "<layer>".
[[nodiscard]] RuleInfo readable_info(const MessageRule& rule);
[[nodiscard]] std::vector<RuleInfo> message_rule_infos();  // embedded; sorted by id
[[nodiscard]] std::vector<RuleInfo> message_rule_infos(const std::vector<MessageRule>& rules);

}  // namespace trtlens

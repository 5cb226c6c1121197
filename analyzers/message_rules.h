// Message rules: what a message in a log means. Rules are data (analyzers/knowledge/*.json and
// files of the user); this header is the door to their loader, their self-check and the matcher.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/finding.h"
#include "analyzers/message_pattern.h"
#include "analyzers/rule.h"
#include "parsers/build.h"
#include "parsers/diagnostic.h"
#include "parsers/embedded.h"
#include "parsers/parse.h"

namespace trtlens {

// Searched unanchored, byte by byte, in the text of a message.
struct RulePattern {
  std::string text;
  std::shared_ptr<const MessagePattern> re;  // null: no pattern
};

// Both ends included, as Version::number(); an end that is not given is open.
struct VersionRange {
  std::optional<int> min, max;
};

struct RuleRemedy {
  std::string text;
  VersionRange versions;  // where the remedy applies
};

// What has to hold besides a matching message. An unknown TensorRT version satisfies `versions`;
// every other unknown fact does not satisfy the condition on it.
struct RuleRequirement {
  std::vector<std::string> command_has, command_lacks;  // flags of the command, without dashes
  VersionRange versions;
  std::optional<int> sm_min, sm_max;  // compute capability, 75 for 7.5
  std::optional<Outcome> outcome;
  std::vector<std::string> node_is;  // one of these is a label of the node (no_implementation.h)
  RulePattern and_message;           // another message of the build
};

// A text that the rule must (sample) or must not (near miss) fire on, with the facts around it.
struct RuleSample {
  struct Node {  // a parser line of a convolution: input and weights dimensions
    std::string name, op;
    std::vector<std::int64_t> input, weights;
  };
  std::string text;
  std::vector<std::string> also;     // other messages of the same build
  std::vector<std::string> command;  // flags
  std::optional<int> version, sm;
  std::string timed_layer, timed_format;  // what was being timed
  std::vector<Node> nodes;
  std::string wins;  // rule whose finding comes first instead of this one's
  bool bare = true;  // given as a plain string: the facts are made to fit the requirements
  std::size_t offset = 0;
};

enum class ComputedRule : std::uint8_t {
  none,
  build_failed,
  build_truncated,
  quantize_output_float
};

struct MessageRule {
  RuleInfo info;         // texts before placeholders are filled in
  std::string title;     // template
  std::string each;      // template expanded per message, joined with ',' as {each}
  int priority = 0;      // among fatal rules: higher is closer to the root cause
  std::string family;    // of the rules of one family only the one of highest priority speaks
  bool generic = false;  // looks only at messages that no other rule of severity fatal matches
  bool is_consequence = false;  // no rule: patterns of errors that only follow another one
  ComputedRule computed = ComputedRule::none;
  std::vector<RulePattern> patterns;
  std::vector<LogSeverity> levels;  // empty: any
  RuleRequirement requires_;
  std::vector<RuleRemedy> remedies;
  std::vector<RuleSample> samples, near_misses;
  std::string file;        // where it was read
  std::size_t offset = 0;  // of its object in that file
};

struct RuleFile {
  std::string path, text;
};

// Reads and checks rules; one with a fault is left out and reported as file:line:column. A rule of
// `extra` replaces the embedded rule of the same id. Samples and near misses are tried as well;
// those of the embedded files by a test, for they cannot change and cost half the start of the
// program.
enum class SampleCheck : std::uint8_t { run, skip };
[[nodiscard]] std::vector<MessageRule> load_message_rules(
    const std::vector<EmbeddedFile>& embedded, const std::vector<RuleFile>& extra,
    std::vector<Diagnostic>& diagnostics, SampleCheck embedded_samples = SampleCheck::run);

// The facts of a sample as a Build, for checks and tests.
[[nodiscard]] Build build_of_sample(const MessageRule& rule, const RuleSample& sample);

// What the messages of a build mean; `pos.file` of a message is an index into `inputs`. The order
// is that of a report: fatal findings first, the root cause at the front. Errors that no rule
// explains and those that only follow are evidence of the first fatal finding.
[[nodiscard]] std::vector<Finding> match_message_rules(const Build& build,
                                                       const std::vector<Input>& inputs,
                                                       const std::vector<MessageRule>& rules);

// The embedded rules, loaded once.
[[nodiscard]] const std::vector<MessageRule>& embedded_message_rules();
// Their texts for `trtlens rules` and `trtlens explain`, sorted by id; placeholders stand as they
// are.
[[nodiscard]] std::vector<RuleInfo> message_rule_infos();
[[nodiscard]] std::vector<RuleInfo> message_rule_infos(const std::vector<MessageRule>& rules);

}  // namespace trtlens

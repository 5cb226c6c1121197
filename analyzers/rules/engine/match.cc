// Messages of a build -> findings.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/rules/failed_phase.h"

namespace trtlens {
namespace message_rules {
namespace {

constexpr std::size_t kPlaces = 5;           // of one rule's messages
constexpr std::size_t kFollowUps = 6;        // errors after the cause
constexpr std::size_t kEvidenceText = 2000;  // bytes

struct Candidate {
  const MessageRule* rule = nullptr;
  Hits hits;
  Finding finding;
  bool demoted = false;
  bool folded = false;           // it is evidence of another one
  std::set<std::size_t> quoted;  // messages among the evidence
};

class Matcher {
 public:
  Matcher(const Build& build, const std::vector<Input>& inputs,
          const std::vector<MessageRule>& rules, const std::vector<Run>& runs)
      : build_(build),
        places_{build, inputs, runs},
        rules_(rules),
        order_(message_order(build)),
        values_(build_values(build)),
        explained_(build.messages.size(), false),
        follows_(consequences_in(build, rules)),
        ends_(last_words_in(build, rules, order_)) {}

  std::vector<Finding> run() {
    take(hits_of(rules_, build_, order_));
    keep_best_of_family();
    for (Candidate& candidate : candidates_) fill(candidate);
    settle_outcome();
    add_computed();
    add_facts();
    keep_best_of_family();  // the facts among them
    sort();
    fold_symptoms();
    add_follow_ups();
    std::vector<Finding> out;
    for (Candidate& one : candidates_) out.push_back(within_limits(std::move(one.finding)));
    return out;
  }

 private:
  void take(HitsOfRules hits) {
    std::vector<bool> claimed(build_.messages.size(), false);
    for (const auto& [rule, found] : hits) {
      if (rule->generic || rule->info.severity != Severity::fatal) continue;
      mark(found, claimed);
    }
    std::vector<const MessageRule*> order;  // generic rules last, the likelier ones first
    for (const MessageRule& rule : rules_) {
      if (hits.count(&rule) != 0) order.push_back(&rule);
    }
    std::ranges::stable_sort(order, [](const MessageRule* a, const MessageRule* b) {
      if (a->generic != b->generic) return b->generic;
      return a->generic && a->priority > b->priority;
    });
    for (const MessageRule* rule : order) {
      Hits& mine = hits[rule];
      if (rule->generic) keep_unclaimed(mine, claimed);
      if (mine.empty()) continue;
      mark(mine, explained_);
      candidates_.push_back({rule, std::move(mine), {}, false, false, {}});
    }
  }

  void keep_unclaimed(Hits& hits, std::vector<bool>& claimed) const {
    std::erase_if(
        hits, [&](const MessageHit& hit) { return claimed[hit.message] || follows_[hit.message]; });
    mark(hits, claimed);
  }

  static void mark(const Hits& hits, std::vector<bool>& messages) {
    for (const MessageHit& hit : hits) {
      messages[hit.message] = true;
      for (const std::size_t other : hit.context) messages[other] = true;
    }
  }

  void keep_best_of_family() {
    std::map<std::string, int> best;
    for (const Candidate& candidate : candidates_) {
      const std::string& family = candidate.rule->family;
      if (family.empty()) continue;
      const auto [at, added] = best.emplace(family, candidate.rule->priority);
      if (!added) at->second = std::max(at->second, candidate.rule->priority);
    }
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      const std::string& family = candidate.rule->family;
      return !family.empty() && candidate.rule->priority < best.at(family);
    });
  }

  [[nodiscard]] Evidence place(const SourcePos& pos, std::string_view text) const {
    Evidence evidence = places_.at(pos, "");
    evidence.text =
        text.size() <= kEvidenceText ? std::string(text) : shortened(text, kEvidenceText);
    return evidence;
  }

  [[nodiscard]] Evidence place(const Message& message) const {
    Evidence evidence = place(message.pos, message.text);
    if (message.count > 1) evidence.note = std::to_string(message.count) + " times";
    return evidence;
  }

  void fill(Candidate& candidate) {
    const MessageHit& first = candidate.hits.front();
    Values values = values_;
    std::uint64_t count = 0;
    for (const MessageHit& hit : candidate.hits) count += build_.messages[hit.message].count;
    values["count"] = std::to_string(count);
    values["message"] = shortened(sentence_of(build_.messages[first.message].text), kMessageText);
    if (candidate.hits.size() > 1) values["places"] = std::to_string(candidate.hits.size());
    for (const auto& [name, value] : first.values) values[name] = shortened(value, kMaxValue);
    add_later_groups(candidate.hits, values);
    const MessageRule rule = with_texts(*candidate.rule);
    say_all(rule.each, candidate.hits, values);
    candidate.finding = finding_of(rule, values, build_.messages[first.message].text);
    place_by_messages(candidate.hits, candidate.finding);
    add_evidence(candidate);
  }

  // `error`: of a rule that does not know what its message means, the place in TensorRT tells more.
  [[nodiscard]] Finding finding_of(const MessageRule& rule, Values values,
                                   const std::string& error) const {
    const Cause* own = cause_by_id(rule.info.cause);
    const bool is_judged = rule.generic_or_computed() && (own == nullptr || own->places.empty());
    const Cause* cause = is_judged ? cause_by_place(error) : nullptr;
    if (cause == nullptr && values.count("loads") != 0) cause = cause_by_id("engine-not-loaded");
    if (cause != nullptr) values["part"] = cause->part;
    Finding finding = rule.info.finding(values, build_);
    name_layer(rule.info.title, values, finding);
    if (cause != nullptr) judge(*cause, values, finding);
    // The sizes of the message tell the causes apart.
    const auto is_known = [&](const char* name) { return values.count(name) != 0; };
    const bool is_told = is_known("by_one") || is_known("by_batch") || is_known("by_batch_size");
    if (is_told && finding.confidence == Confidence::guessed) {
      finding.confidence = Confidence::inferred;
    }
    // A version that is not known satisfies a range, but then the inference is weaker.
    const VersionRange& versions = rule.requires_.versions;
    if (!build_.tensorrt && (versions.min || versions.max) &&
        finding.confidence == Confidence::measured) {
      finding.confidence = Confidence::inferred;
    }
    return finding;
  }

  void judge(const Cause& cause, const Values& values, Finding& finding) const {
    finding.cause = cause.id;
    finding.why = expand(cause.why, values) + " " + finding.why;
    std::vector<std::string> remedies = remedies_for(cause.remedies, values, build_);
    remedies.insert(remedies.end(), finding.remedies.begin(), finding.remedies.end());
    if (remedies.size() > kMostActions) remedies.resize(kMostActions);
    finding.remedies = std::move(remedies);
    const std::string check = check_for(cause.next_check, cause.special_checks, build_);
    finding.next_check = filled_check(build_, expand(check, values));
  }

  void add_evidence(Candidate& candidate) const {
    std::vector<Evidence>& evidence = candidate.finding.evidence;
    const std::size_t shown = std::min(candidate.hits.size(), kPlaces);
    const auto quote = [&](std::size_t message) {
      if (candidate.quoted.insert(message).second)
        evidence.push_back(place(build_.messages[message]));
    };
    for (std::size_t k = 0; k < shown; ++k) quote(candidate.hits[k].message);
    for (std::size_t k = 0; k < shown; ++k) {
      for (const std::size_t other : candidate.hits[k].context) quote(other);
    }
    const MessageHit& first = candidate.hits.front();
    if (const OnnxNode* node = first.node.node) {
      evidence.push_back(
          places_.at(node->pos, node->name + " [" + node->op + "]: " + first.node.numbers));
    }
  }

  // A fatal rule tells why a build ended, so it holds only for one that did not go on.
  void settle_outcome() {
    for (Candidate& candidate : candidates_) {
      if (candidate.rule->info.severity != Severity::fatal) continue;
      const bool went_on = std::ranges::all_of(candidate.hits, [&](const MessageHit& hit) {
        return build_.messages[hit.message].before_progress;
      });
      if (build_.outcome != Outcome::passed && !went_on) continue;
      candidate.demoted = true;
    }
    if (build_.outcome == Outcome::failed && !has_unsettled_error()) restore_likeliest();
    for (Candidate& candidate : candidates_) {
      if (!candidate.demoted) continue;
      candidate.finding.severity = Severity::moderate;
      candidate.finding.why = "The build went on after this message, so it is not what ended it. " +
                              candidate.finding.why;
    }
  }

  // Something else than the demoted messages can still be the cause of a failure.
  [[nodiscard]] bool has_unsettled_error() const {
    const bool fatal = std::ranges::any_of(candidates_, [](const Candidate& c) {
      return c.rule->info.severity == Severity::fatal && !c.demoted;
    });
    return fatal || first_unexplained_error(true).has_value();
  }

  // A failed build whose only known causes came before more progress: the last resort.
  void restore_likeliest() {
    Candidate* best = nullptr;
    for (Candidate& candidate : candidates_) {
      if (!candidate.demoted || candidate.rule->generic) continue;
      if (best == nullptr || candidate.rule->priority > best->rule->priority) best = &candidate;
    }
    if (best == nullptr) return;
    best->demoted = false;
    best->finding.confidence = Confidence::guessed;
  }

  [[nodiscard]] bool is_unexplained_error(std::size_t i) const {
    return build_.messages[i].is_error() && !follows_[i] && !ends_[i] && !explained_[i] &&
           !is_cut_repeat(build_, order_, i);
  }

  [[nodiscard]] std::optional<std::size_t> first_unexplained_error(bool must_end_it) const {
    for (const std::size_t i : order_) {
      const Message& message = build_.messages[i];
      if (!is_unexplained_error(i)) continue;
      if (must_end_it && message.before_progress) continue;
      return i;
    }
    return std::nullopt;
  }

  [[nodiscard]] const MessageRule* computed(std::string_view word) const {
    for (const MessageRule& rule : rules_) {
      if (rule.computed == word) return &rule;
    }
    return nullptr;
  }

  // Another one than that the program ended, behind an error that no rule knows.
  [[nodiscard]] bool knows_why() const {
    return std::ranges::any_of(candidates_, [&](const Candidate& candidate) {
      const Cause* cause = cause_by_id(candidate.finding.cause);
      return candidate.finding.severity == Severity::fatal &&
             !(cause != nullptr && cause->is_last_word && first_unexplained_error(true));
    });
  }

  [[nodiscard]] bool has_fatal() const {
    return std::ranges::any_of(candidates_, [](const Candidate& candidate) {
      return candidate.finding.severity == Severity::fatal;
    });
  }

  void add(const MessageRule& rule, const Values& values, std::vector<Evidence> evidence) {
    Candidate candidate;
    candidate.rule = &rule;
    const std::string error = evidence.empty() ? std::string() : evidence.front().text.str();
    candidate.finding = finding_of(with_texts(rule), values, error);
    candidate.finding.evidence = std::move(evidence);
    candidates_.push_back(std::move(candidate));
  }

  void add_computed() {
    const bool by_us = is_interrupted(build_, places_.inputs, places_.runs);
    const bool by_error = build_.outcome == Outcome::failed && !ended_nothing(by_us);
    const MessageRule* failed = computed("build-failed");
    if (failed != nullptr && by_error && !knows_why()) add_failed(*failed);
    const MessageRule* truncated = computed("build-truncated");
    const bool stops = build_.outcome == Outcome::truncated ||
                       (build_.outcome == Outcome::failed && !by_error && !build_.is_excerpt());
    if (truncated != nullptr && stops && !by_us && !has_fatal()) add_truncated(*truncated);
    const MessageRule* unexplained = computed("errors-unexplained");
    if (unexplained != nullptr && !by_error && !has_fatal()) add_unexplained(*unexplained);
  }

  // Without a closing line the errors alone say that it failed. Rules that know them can say
  // otherwise; and where we stopped reading, what stands last need not be what ended it.
  [[nodiscard]] bool ended_nothing(bool by_us) const {
    if (build_.closing_line || has_fatal()) return false;
    return by_us || (!candidates_.empty() && !first_unexplained_error(false));
  }

  void add_truncated(const MessageRule& rule) {
    std::vector<Evidence> evidence;
    Values values = values_;
    if (!first_error()) values["no_error"] = "no error";
    if (build_.options.has("loadEngine")) values["moment"] = "before the run ended";
    if (build_.engine_build_s) {
      // Nothing was being timed any more.
      values["moment"] = "after the build, before trtexec ended";
      for (const char* timed : {"layer", "runner", "format_combination"}) values.erase(timed);
    } else if (build_.last_timed) {
      const std::string& timed = build_.last_timed->layer;
      evidence.push_back(places_.at(build_.last_timed->pos, "timing " + timed));
      if (timed.starts_with("Optimizer Reformat")) values["layer"] = "a reformat";
      values["moment"] = "while TensorRT times " + values["layer"];
    }
    add(rule, values, std::move(evidence));
  }

  // Errors that ended nothing: the run went on, or its outcome is not known. Of an excerpt all are
  // told, whoever printed them: they are what was pasted.
  void add_unexplained(const MessageRule& rule) {
    std::optional<std::size_t> first;
    std::uint64_t count = 0;
    Values values = values_;
    for (const std::size_t i : order_) {
      if (!is_unexplained_error(i)) continue;
      if (!build_.messages[i].of_tensorrt && !build_.is_excerpt()) continue;
      if (!first) first = i;
      count += build_.messages[i].count;
    }
    if (!first) return;
    const bool went_on =
        build_.outcome == Outcome::passed || build_.messages[*first].before_progress;
    if (went_on) values["went_on"] = "run went on";
    if (!went_on) values["whole_log"] = "whole log";
    values["errors"] = count == 1 ? "An error" : std::to_string(count) + " errors";
    say_message(build_, build_.messages[*first], values);
    add(rule, values, {place(build_.messages[*first])});
    quoted_ = *first;
  }

  void add_facts() {
    for (const MessageRule& rule : rules_) {
      if (!is_about_facts(rule)) continue;
      std::optional<FactHit> hit = fact_hit(rule, places_);
      if (!hit) continue;
      Values values = values_;
      for (auto& [name, value] : hit->values) values[name] = shortened(value, kMaxValue);
      add(rule, values, std::move(hit->evidence));
    }
  }

  void add_failed(const MessageRule& rule) {
    std::optional<std::size_t> error = first_unexplained_error(true);
    if (!error) error = first_unexplained_error(false);
    if (!error) error = first_error();
    Values values = values_;
    std::vector<Evidence> evidence;
    if (error) {
      const std::size_t at =
          static_cast<std::size_t>(std::ranges::find(order_, *error) - order_.begin());
      MessageHit hit;
      hit.message = *error;
      add_context(build_, order_, at, hit);
      for (const auto& [name, value] : hit.values) values[name] = shortened(value, kMaxValue);
      say_message(build_, build_.messages[*error], values);
      values[follows_[*error] ? "passed_on" : "unexplained"] = values["message"];
      if (follows_[*error]) values.erase("nearest");
      evidence.push_back(place(build_.messages[*error]));
      quoted_ = *error;
      say_phase(failed_phase(build_, build_.messages[*error].text), values);
    } else {
      values["no_error"] = "no error message stands";
      say_phase(std::nullopt, values);
      values.erase("built_model");  // no error that could name a layer of it
    }
    say_converter(build_, values);
    add(rule, values, std::move(evidence));
  }

  [[nodiscard]] std::optional<std::size_t> first_error() const {
    for (const std::size_t i : order_) {
      if (build_.messages[i].is_error()) return i;
    }
    return std::nullopt;
  }

  void sort() {
    std::ranges::stable_sort(candidates_, [this](const Candidate& a, const Candidate& b) {
      if (a.finding.severity != b.finding.severity) return a.finding.severity > b.finding.severity;
      if (a.finding.severity == Severity::fatal) {
        if (a.rule->priority != b.rule->priority) return a.rule->priority > b.rule->priority;
        return first_line(a) < first_line(b);
      }
      return a.finding.rule < b.finding.rule;
    });
  }

  // What only follows from another finding is evidence of that one, which is surer for it.
  void fold_symptoms() {
    std::vector<Symptom> symptoms;
    for (const Candidate& candidate : candidates_) {
      const bool is_fatal = candidate.finding.severity == Severity::fatal;
      Symptom& symptom = symptoms.emplace_back(Symptom{candidate.finding.cause, {}, is_fatal});
      if (!candidate.hits.empty()) symptom.at = first_line(candidate);
    }
    const std::vector<std::size_t> roots = roots_of(symptoms);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (roots[i] != i) fold(candidates_[i], candidates_[roots[i]]);
    }
    std::erase_if(candidates_, [](const Candidate& candidate) { return candidate.folded; });
  }

  void fold(Candidate& symptom, Candidate& root) {
    symptom.folded = true;
    for (const MessageHit& hit : symptom.hits) told_.insert(hit.message);
    std::size_t shown = 0;
    for (const MessageHit& hit : symptom.hits) {
      if (shown == kPlaces || !root.quoted.insert(hit.message).second) continue;
      root.finding.evidence.push_back(place(build_.messages[hit.message]));
      if (shown++ == 0) root.finding.evidence.back().note = symptom.finding.title;
    }
    const Cause* cause = cause_by_id(symptom.finding.cause);
    const bool tells =
        cause == nullptr || !cause->is_last_word;  // the end alone makes nothing surer
    if (tells && shown > 0 && root.finding.confidence == Confidence::guessed) {
      root.finding.confidence = Confidence::inferred;
    }
  }

  [[nodiscard]] std::pair<std::uint32_t, std::uint64_t> first_line(
      const Candidate& candidate) const {
    if (candidate.hits.empty()) return {~0U, 0};
    const SourcePos& pos = build_.messages[candidate.hits.front().message].pos;
    return {pos.file, pos.line};
  }

  void add_follow_ups() {
    if (candidates_.empty() || candidates_.front().finding.severity != Severity::fatal) return;
    std::set<std::size_t> told = told_;  // or quoted, or by a finding of its own
    told.insert(candidates_.front().quoted.begin(), candidates_.front().quoted.end());
    for (const Candidate& candidate : candidates_) {
      for (const MessageHit& hit : candidate.hits) told.insert(hit.message);
    }
    std::vector<Evidence>& evidence = candidates_.front().finding.evidence;
    std::vector<std::size_t> rest;
    const std::pair<std::uint32_t, std::uint64_t> first = first_line(candidates_.front());
    for (const std::size_t i : order_) {
      if (build_.messages[i].is_error() && told.count(i) == 0) rest.push_back(i);
    }
    std::size_t added = 0;
    for (const ErrorGroup& group : error_groups(build_, rest)) {
      const Message& message = build_.messages[group.messages.front()];
      const bool is_earlier = !candidates_.front().hits.empty() &&
                              is_unexplained_error(group.messages.front()) &&
                              std::pair(message.pos.file, message.pos.line) < first;
      std::string note = is_earlier ? "stands before it; no rule explains it" : "";
      if (group.count > 1) note = std::to_string(group.count) + " such errors, the first here";
      const bool quoted =
          quoted_ && std::ranges::find(group.messages, *quoted_) != group.messages.end();
      if (quoted && !evidence.empty()) {
        evidence.front().note = note;
      } else if (added < kFollowUps) {
        evidence.push_back(place(build_.messages[group.messages.front()]));
        evidence.back().note = note;
        ++added;
      }
    }
  }

  const Build& build_;
  FactPlaces places_;
  const std::vector<MessageRule>& rules_;
  std::vector<std::size_t> order_;
  Values values_;
  std::vector<bool> explained_;        // a rule spoke about it
  std::vector<bool> follows_;          // consequences_in()
  std::vector<bool> ends_;             // last_words_in()
  std::optional<std::size_t> quoted_;  // by build-failed
  std::set<std::size_t> told_;         // by findings that were folded
  std::vector<Candidate> candidates_;
};

}  // namespace
}  // namespace message_rules

std::vector<Finding> match_message_rules(const Build& build, const std::vector<Input>& inputs,
                                         const std::vector<MessageRule>& rules,
                                         const std::vector<Run>& runs) {
  return message_rules::Matcher(build, inputs, rules, runs).run();
}

}  // namespace trtlens

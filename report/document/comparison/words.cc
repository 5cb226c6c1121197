// Subject first, TensorRT's own terms, one word for one thing.
#include "report/document/comparison/words.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/document/paths.h"

namespace trtlens {
namespace {

std::string interval_text(const EngineVerdict& e) {
  return "95 % interval " + signed_share_text((*e.ci95)[0] - 1) + " to " +
         signed_share_text((*e.ci95)[1] - 1);
}

// "5 and 5 runs, 1 run of the candidate left out"
std::string runs_text(const EngineVerdict& e) {
  std::string text;
  if (e.ci95) text = fmt::format("{} and {} runs", e.runs[0], e.runs[1]);
  for (const std::size_t side : {0U, 1U}) {
    const std::size_t out = e.left_out.at(side).size();
    if (out == 0) continue;
    text += fmt::format("{}{} of the {} left out", text.empty() ? "" : ", ", count_text(out, "run"),
                        side == 0 ? "base" : "candidate");
  }
  return text;
}

std::string behind(const char* separator, const std::string& text) {
  return text.empty() ? text : separator + text;
}

// What an interval does not say by itself.
std::string held_against(const EngineVerdict& e) {
  if (e.verdict == Verdict::no_change) return "less than " + share_text(e.margin);
  if (e.ci95) return {};
  return (e.verdict == Verdict::cannot_tell ? "within" : "beyond") +
         std::string(" the noise floor of ") + shift_texts(e).floor;
}

std::string settle_text(const EngineVerdict& e) {
  if (!e.settle) return {};
  if (!e.settle->runs) return e.settle->obstacle;
  return fmt::format("{} runs a side would settle it", *e.settle->runs);
}

bool has_shift(const EngineVerdict& e) {
  return e.ratio && e.reason.empty();
}

std::string first_reason(const Comparison& c) {
  return c.not_comparable.empty() ? "unknown" : c.not_comparable[0];
}

// The side whose GPU others used, too.
std::string throughput_note(const Difference& d) {
  const auto share = [](const std::optional<std::string>& side) {
    return side ? std::atof(side->c_str()) : 100.0;
  };
  const bool of_base = share(d.base) < share(d.candidate);
  return fmt::format(
      "The {} ran at {} of its possible throughput: the GPU was shared, or waited for "
      "the host.",
      of_base ? "base" : "candidate", of_base ? *d.base : d.candidate.value_or("?"));
}

}  // namespace

bool is_by_profile(const EngineVerdict& e) {
  return e.metric == "profile_sum_ms";
}

std::string side_name(const Comparison& c, std::size_t side) {
  std::array<std::string, 2> names = {short_name(c.base), short_name(c.candidate)};
  if (names[0] == names[1]) names = {c.base.name, c.candidate.name};
  const std::uint32_t runs = c.engine.runs.at(side);
  if (runs <= 1) return names.at(side);
  // Repetitions are often called 0, 1, 2: the folder around them tells which engine it is.
  const std::string& whole = side == 0 ? c.base.name : c.candidate.name;
  const std::size_t slash = whole.find_last_of("/\\");
  const std::size_t above = slash == std::string::npos || slash == 0
                                ? std::string::npos
                                : whole.find_last_of("/\\", slash - 1);
  return fmt::format("{} and {} more", above == std::string::npos ? whole : whole.substr(above + 1),
                     runs - 1);
}

ShiftTexts shift_texts(const EngineVerdict& e) {
  const double shift = *e.ratio - 1;
  ShiftTexts texts;
  for (int digits = 1; digits <= 3; ++digits) {
    texts.digits = digits;
    texts.shift = fmt::format("{:+.{}f} %", shift * 100, digits);
    texts.floor = fmt::format("{:.{}f} %", e.noise_floor * 100, digits);
    if (texts.shift.substr(1) != texts.floor) break;
  }
  const bool is_beyond = shift < 1 / (1 + e.noise_floor) - 1;
  if (is_beyond && -shift <= e.noise_floor) texts.floor += " of the faster side";
  return texts;
}

std::string ms_change_text(double ms) {
  const std::string text = signed_ms_text(ms);
  return text.substr(0, text.find(' '));
}

std::string floor_source(const EngineVerdict& e) {
  if (e.noise_floor_from == "given") return "--noise-floor";
  if (e.noise_floor_from == "threshold") return "--threshold";
  if (e.noise_floor_from == "queries") return "scatter of the queries";
  return e.noise_floor_from;
}

std::string shift_note(const EngineVerdict& e) {
  if (!has_shift(e)) return {};
  const std::string against = held_against(e);
  const bool has_floor = !e.ci95 && e.verdict != Verdict::no_change;
  std::string text = against + (has_floor ? " (" + floor_source(e) + ")" : "");
  if (e.ci95) text += behind(text.empty() ? "" : "; ", interval_text(e));
  return text + behind("; ", runs_text(e));
}

std::string verdict_word(const Comparison& c) {
  if (c.refused) return "Not comparable";
  if (!has_shift(c.engine)) return "Cannot tell";
  switch (c.engine.verdict) {
    case Verdict::regressed:
      return "Regressed";
    case Verdict::improved:
      return "Improved";
    case Verdict::no_change:
      return "No change";
    case Verdict::cannot_tell:
      break;
  }
  return "Cannot tell";
}

std::vector<std::string> why_no_verdict(const Comparison& c) {
  if (c.refused) {
    std::vector<std::string> reasons;
    for (const std::string& reason : c.not_comparable) {
      reasons.push_back(sentence_start(reason) + ".");
    }
    return reasons;
  }
  if (has_shift(c.engine)) return {};
  const std::string& reason = c.engine.reason;
  return {sentence_start(reason.empty() ? "a side has no GPU compute time" : reason) + "."};
}

std::string verdict_sentence(const Comparison& c) {
  if (c.refused) return "Not comparable: " + first_reason(c);
  const EngineVerdict& e = c.engine;
  std::string text = verdict_word(c) + ": ";
  if (has_shift(e)) {
    text += fmt::format("{} to {} {} ({}{})", ms_text(*e.base_ms), ms_text(*e.candidate_ms),
                        is_by_profile(e) ? "of profile time" : "per query" + short_statistic(e),
                        shift_texts(e).shift, e.ci95 ? ", " + interval_text(e) : "");
    text += behind(", ", held_against(e)) + behind("; ", runs_text(e));
    if (e.verdict == Verdict::cannot_tell) text += behind("; ", settle_text(e));
  } else {
    text += e.reason.empty() ? "a side has no GPU compute time" : e.reason;
  }
  if (c.same_files) text += "; both sides are the same files";
  if (!c.comparable) text += "; compared by force: " + first_reason(c);
  return text;
}

// Of "10th percentile of a run's queries; one run a side against the noise floor".
std::string statistic_text(const EngineVerdict& e) {
  const std::size_t of = e.method.find(" of ");
  return of == std::string::npos ? std::string() : ", " + e.method.substr(0, of);
}

std::string short_statistic(const EngineVerdict& e) {
  const std::string text = statistic_text(e);
  return text == ", 10th percentile" ? ", p10" : text;
}

std::string side_text(const Difference& d, const std::optional<std::string>& side) {
  if (side) return *side;
  return d.what == "option" ? "not given" : d.what == "repetitions" ? "–" : "unknown";
}

bool is_throughput(const Difference& d) {
  return d.what == "timing" && d.name.starts_with("throughput");
}

std::string unknown_build_text(const Comparison& c) {
  const bool base = tells_its_build(c.base.build), candidate = tells_its_build(c.candidate.build);
  if (base && candidate) return {};
  if (!base && !candidate) return "Neither side's inputs show how its engine was built.";
  return std::string("The inputs of the ") + (base ? "candidate" : "base") +
         " do not show how its engine was built.";
}

std::vector<std::string> notes_before_numbers(const Comparison& c) {
  std::vector<std::string> notes;
  if (c.same_files) {
    notes.emplace_back("Both sides are the same files: nothing is compared.");
  }
  if (!c.comparable && !c.refused) notes.push_back("Compared by force: " + first_reason(c) + ".");
  if (c.refused) return notes;
  for (const Difference& d : c.differences) {
    if (is_throughput(d) && d.matters) notes.push_back(throughput_note(d));
  }
  for (const std::string& note : c.engine.notes) {
    // What would confirm it has a line of its own.
    if (c.engine.confirm && note.starts_with(kSlowProcess)) continue;
    notes.push_back(sentence_start(note) + ".");
  }
  return notes;
}

std::vector<std::pair<std::string, std::string>> timing_commands(const Settle& settle) {
  const auto& [of_base, of_candidate] = settle.commands;
  if (!of_base.empty() && of_base == of_candidate) return {{"both sides", of_base}};
  std::vector<std::pair<std::string, std::string>> commands;
  if (!of_base.empty()) commands.emplace_back("base", of_base);
  if (!of_candidate.empty()) commands.emplace_back("candidate", of_candidate);
  return commands;
}

}  // namespace trtlens

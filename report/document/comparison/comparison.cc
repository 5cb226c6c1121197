// The comparison as a Document: what differs first, then how fast, then where and why.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "report/document/comparison/comparison.h"
#include "report/document/comparison/groups.h"
#include "report/document/comparison/view.h"
#include "report/document/comparison/words.h"

namespace trtlens {
namespace {

std::string time_or_unknown(const std::optional<double>& ms) {
  return ms ? ms_text(*ms) : std::string("unknown");
}

// "2 → 14 reformats", "37 → 1 kernel", "25 kernels on both sides"
std::string counts_text(const std::array<std::size_t, 2>& counts, const char* noun) {
  const std::string now = count_text(counts[1], noun);
  return counts[0] == counts[1] ? now + " on both sides" : fmt::format("{} → {}", counts[0], now);
}

// What the reader must know of the runs before any number.
void add_headline(const Comparison& c, Document& document) {
  std::string text;
  if (c.same_files) {
    text = "Both sides are the same files: nothing is compared.";
  }
  for (const std::size_t side : {0U, 1U}) {
    std::string runs;
    for (const LeftOutRun& run : c.engine.left_out.at(side)) {
      runs += (runs.empty() ? "" : "; ") + name_text(run.name) + ", " + run.why;
    }
    if (runs.empty()) continue;
    text += fmt::format("{}Left out of the {}: {}.", text.empty() ? "" : " ",
                        side == 0 ? "base" : "candidate", runs);
  }
  if (!text.empty()) document.headline.emplace_back(Paragraph{std::move(text), Tone::plain});
  if (!c.cause.empty() && !c.refused) {
    document.headline.emplace_back(Paragraph{c.cause, Tone::plain});
  }
}

Tone tone_of(const Comparison& c) {
  if (c.engine.verdict == Verdict::regressed) return Tone::major;
  if (c.engine.verdict == Verdict::improved) return Tone::good;
  return Tone::plain;
}

Section differences_section(const Comparison& c) {
  Section section{"differences", "What differs between the two runs", {}};
  const std::string unknown = unknown_build_text(c);
  if (c.differences.empty()) {
    section.say("Nothing that the inputs show." + (unknown.empty() ? "" : " " + unknown));
    return section;
  }
  Table table;
  table.columns = {{"What", ColumnKind::label},
                   {"Name", ColumnKind::name},
                   {"Base", ColumnKind::name},
                   {"Candidate", ColumnKind::name},
                   {"Matters", ColumnKind::label}};
  for (const Difference& d : c.differences) {
    table.rows.push_back({{d.what, {}},
                          {d.name, {}},
                          {side_text(d, d.base), {}},
                          {side_text(d, d.candidate), {}},
                          {d.matters ? "yes" : "no", {}}});
  }
  section.add(std::move(table));
  section.say(unknown);
  return section;
}

// What rules say of the two, then what `analyze` says of the candidate alone.
Section findings_section(const std::vector<const Finding*>& findings) {
  Section section{"findings", "Findings of the two builds, and of the candidate alone", {}};
  List list;
  for (const Finding* finding : findings) {
    std::string item = finding->title + " [" + finding->rule + "]";
    if (!finding->remedies.empty()) item += " – " + finding->remedies[0];
    list.items.push_back(std::move(item));
  }
  section.add(std::move(list));
  return section;
}

// The engine's figure, and what decides on it: that only where there are two to be held against
// each other.
Facts engine_facts(const EngineVerdict& e) {
  Facts facts;
  facts.facts = {{is_by_profile(e) ? "Profile sum" : "GPU compute per query",
                  time_or_unknown(e.base_ms) + " → " + time_or_unknown(e.candidate_ms)},
                 {"Runs", fmt::format("{} and {}", e.runs[0], e.runs[1])}};
  if (!e.ratio) return facts;
  facts.facts.push_back({"Method", e.method});
  facts.facts.push_back({is_by_profile(e) ? "Iterations of the profile" : "Queries",
                         fmt::format("{} and {}", e.queries[0], e.queries[1])});
  facts.facts.push_back({"Least shift that matters (--threshold)", share_text(e.margin)});
  facts.facts.push_back(
      {"Noise floor", fmt::format("{:.{}f} % of the faster side ({})", e.noise_floor * 100,
                                  shift_texts(e).digits, floor_source(e))});
  if (e.scatter) facts.facts.push_back({"Scatter between runs", share_text(*e.scatter)});
  return facts;
}

Section engine_section(const Comparison& c) {
  Section section{"engine", "How fast", {}};
  Facts facts = engine_facts(c.engine);
  if (c.base.build.has_profile && c.candidate.build.has_profile) {
    if (!is_by_profile(c.engine)) {
      const std::string means =
          c.profiled_runs[0] > 1 || c.profiled_runs[1] > 1
              ? fmt::format(", means of {} and {} runs", c.profiled_runs[0], c.profiled_runs[1])
              : "";
      facts.facts.push_back({"Profile sum", ms_text(c.base.build.profile_sum_ms) + " → " +
                                                ms_text(c.candidate.build.profile_sum_ms) + means});
    }
    facts.facts.push_back({"Kernels", fmt::format("{} → {}", c.launches[0], c.launches[1])});
    facts.facts.push_back(
        {"Reformats among them", fmt::format("{} → {}", c.reformats[0], c.reformats[1])});
    facts.facts.push_back(
        {"Q/DQ kernels among them", fmt::format("{} → {}", c.qdq_kernels[0], c.qdq_kernels[1])});
    facts.facts.push_back({"Profile time in layers of both sides",
                           share_text(c.aligned_share_base) + " of the base's, " +
                               share_text(c.aligned_share_candidate) + " of the candidate's"});
  }
  section.add(std::move(facts));
  if (!c.engine.notes.empty()) section.add(List{"About the runs", c.engine.notes});
  const std::optional<Settle>& more = c.engine.settle ? c.engine.settle : c.engine.confirm;
  if (more && more->runs) {
    std::vector<std::string> commands;
    for (const auto& [side, command] : timing_commands(*more)) {
      commands.push_back(fmt::format("{}  # {}", command, side));
    }
    section.say(fmt::format(
        "To {} it: {} runs a side, each a process of its own and with its own "
        "directory, alternating between the sides{}",
        c.engine.settle ? "settle" : "confirm", *more->runs, commands.empty() ? "." : ":"));
    if (!commands.empty()) section.add(Quote{"", std::move(commands)});
  }
  return section;
}

Section not_comparable_section(const Comparison& c) {
  Section section{
      "not-comparable",
      c.refused ? "Why these two cannot be compared" : "Why these two are compared by force only",
      {}};
  List list;
  list.items = c.not_comparable;
  section.add(std::move(list));
  if (c.refused) {
    section.say(c.can_force ? "--force compares them anyway."
                            : "--force cannot help: a side has no time.");
  }
  return section;
}

Tile speed_tile(const Comparison& c) {
  const EngineVerdict& e = c.engine;
  Tile tile;
  tile.label = "How fast";
  tile.value = time_or_unknown(e.candidate_ms);
  tile.unit = (is_by_profile(e) ? std::string("profile sum")
                                : "per query (GPU compute" + statistic_text(e) + ")") +
              ", was " + time_or_unknown(e.base_ms);
  if (e.ratio) {
    tile.unit += ", " + signed_share_text(*e.ratio - 1);
    tile.lines.push_back("Noise floor " + shift_texts(e).floor + " (" + floor_source(e) + ")");
  }
  if (!c.why_profile.empty()) tile.lines.push_back("By the profile: " + c.why_profile);
  tile.tone = tone_of(c);
  return tile;
}

// Kernels of a group that take time.
std::size_t kernels_in(const Analysis& side, const std::vector<std::size_t>& layers) {
  return static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), [&](std::size_t i) {
    return time_or_zero(side.build.layers[i]) > 0;
  }));
}

bool is_shift(Verdict verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::improved;
}

// The group that moved most: in the direction of the engine, when that has a verdict.
Tile where_tile(const Comparison& c) {
  Tile tile;
  const bool moved = is_shift(c.engine.verdict);
  tile.label = moved ? "Where" : "Largest shift";
  tile.value = c.groups.empty() ? "unknown" : "none";
  const double direction = moved ? c.engine.delta_ms.value_or(0) : 0;
  const auto counts = [&](const LayerGroup& group) {
    return !unmatched(group) && group.delta_ms * direction >= 0 && group.delta_ms != 0;
  };
  // A group with a verdict, however small: a larger shift without one may be noise.
  const bool any_judged = std::any_of(c.groups.begin(), c.groups.end(), [&](const LayerGroup& g) {
    return counts(g) && is_shift(g.verdict);
  });
  for (const LayerGroup& group : c.groups) {
    if (!counts(group) || (any_judged && !is_shift(group.verdict))) continue;
    tile.value = signed_ms_text(group.delta_ms) + " in " + lead_label(c, group);
    const std::size_t was = kernels_in(c.base, group.base);
    const std::size_t is = kernels_in(c.candidate, group.candidate);
    if (was != is) {
      tile.lines.push_back(count_text(was, "kernel") + " became " + std::to_string(is));
    }
    for (const LayerReason& reason : group.why) {
      // The line before says it of the whole group.
      if (was != is && reason.about == LayerReason::About::fusion) continue;
      tile.lines.push_back(reason.text());
    }
    break;
  }
  return tile;
}

Tile differences_tile(const Comparison& c) {
  Tile tile;
  tile.label = "What differs";
  std::size_t left = 0;
  for (const Difference& d : c.differences) {
    if (!d.matters) continue;
    if (tile.lines.size() == 4) {
      ++left;
      continue;
    }
    tile.lines.push_back(d.name + ": " + side_text(d, d.base) + " → " + side_text(d, d.candidate));
  }
  const std::string unknown = unknown_build_text(c);
  tile.value = tile.lines.empty() ? (unknown.empty() ? "nothing that matters" : "nothing known")
                                  : count_text(tile.lines.size() + left, "difference");
  if (left > 0) tile.lines.push_back(fmt::format("and {} more", left));
  if (!unknown.empty()) tile.lines.push_back(unknown);
  return tile;
}

std::vector<Tile> tiles_of(const Comparison& c) {
  // What makes the numbers unequal stands before them.
  std::vector<Tile> tiles{differences_tile(c)};
  if (c.refused) return tiles;  // figures side by side would be a comparison
  tiles.push_back(speed_tile(c));
  if (c.base.build.has_profile && c.candidate.build.has_profile) {
    Tile layers;
    layers.label = "Layers";
    layers.value = ms_text(c.candidate.build.profile_sum_ms);
    layers.unit = "profile sum, was " + ms_text(c.base.build.profile_sum_ms);
    layers.lines.push_back(counts_text(c.launches, "kernel"));
    for (const auto& [counts, noun] : {std::make_pair(&c.reformats, "reformat"),
                                       std::make_pair(&c.qdq_kernels, "Q/DQ kernel")}) {
      if ((*counts)[0] + (*counts)[1] > 0) layers.lines.push_back(counts_text(*counts, noun));
    }
    if (std::min(c.aligned_share_base, c.aligned_share_candidate) < 0.9995) {
      layers.lines.push_back("in layers of both sides: " + share_text(c.aligned_share_base) +
                             " of the base's time, " + share_text(c.aligned_share_candidate) +
                             " of the candidate's");
    }
    tiles.push_back(std::move(layers));
    tiles.push_back(where_tile(c));
  }
  return tiles;
}

}  // namespace

Heading heading_of(const Comparison& c) {
  return {side_name(c, 0) + " → " + side_name(c, 1), verdict_sentence(c), tone_of(c)};
}

Document build_document(const Comparison& c, int top, const GateResult* gate) {
  Document document;
  static_cast<Heading&>(document) = heading_of(c);
  document.comparisons = {screen_of(c, top, gate)};
  document.short_paths = short_paths({&c.base, &c.candidate});
  document.tiles = tiles_of(c);
  add_headline(c, document);
  if (!c.comparable) document.sections.push_back(not_comparable_section(c));
  document.sections.push_back(differences_section(c));
  const std::vector<const Finding*> findings = reported_findings(c, gate);
  if (!findings.empty()) document.sections.push_back(findings_section(findings));
  if (c.refused) return document;
  document.sections.push_back(engine_section(c));
  if (c.base.build.has_profile && c.candidate.build.has_profile) {
    for (const bool matched : {true, false}) {
      if (groups_of(c, matched).empty()) continue;  // no section of zeros
      document.sections.push_back(groups_section(c, top, matched));
    }
    add_view(c, document);
  }
  return document;
}

const std::vector<std::string>& comparison_section_ids() {
  static const std::vector<std::string> ids = {
      "summary", "not-comparable", "differences", "findings", "engine",
      "groups",  "unmatched",      "accepted",    "variants", "matrix"};
  return ids;
}

Document build_document(const std::vector<Comparison>& comparisons,
                        const std::vector<GateResult>& gates, int top) {
  if (comparisons.size() == 1) return build_document(comparisons[0], top, &gates.at(0));
  Document all;
  std::vector<const Analysis*> sides;
  std::size_t n = 0;
  for (const Comparison& c : comparisons) {
    sides.insert(sides.end(), {&c.base, &c.candidate});
    Document one = build_document(c, top, &gates.at(n));
    ++n;
    all.title += (n == 1 ? "" : "; ") + one.title;
    all.verdict += (n == 1 ? "" : ". ") + fmt::format("{}: {}", n, one.verdict);
    if (n == 1 || one.verdict_tone == Tone::major) all.verdict_tone = one.verdict_tone;
    for (Tile tile : one.tiles) {
      tile.label = fmt::format("{}: {}", n, tile.label);
      all.tiles.push_back(std::move(tile));
    }
    for (Block block : one.headline) {
      if (auto* text = std::get_if<Paragraph>(&block)) {
        text->text = fmt::format("{}: {}", n, text->text);
      }
      all.headline.push_back(std::move(block));
    }
    all.comparisons.push_back(one.comparisons[0]);
    all.each.push_back(std::move(one));
  }
  all.short_paths = short_paths(sides);
  return all;
}

}  // namespace trtlens

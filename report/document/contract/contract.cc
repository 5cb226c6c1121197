// Broken clauses first, then what cannot be told, then what is held.
#include "report/document/contract/contract.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/document/paths.h"
#include "report/document/sections/gate.h"

namespace trtlens {
namespace {

constexpr std::size_t kLayersNamed = 3;

Tone tone_of(ClauseState state) {
  if (state == ClauseState::broken) return Tone::major;
  return state == ClauseState::held ? Tone::good : Tone::plain;
}

// "Broken: 2 of 14 clauses; 1 cannot be told".
std::string verdict_of(const ContractResult& contract) {
  const std::size_t all = contract.clauses.size();
  const std::size_t broken = contract.count(ClauseState::broken);
  const std::size_t open = contract.count(ClauseState::undecidable);
  if (broken > 0) {
    return fmt::format("Broken: {} of {}{}", broken, count_text(all, "clause"),
                       open > 0 ? fmt::format("; {} cannot be told", open) : "");
  }
  if (open > 0) {
    return fmt::format("Held as far as the inputs tell: {} of {}; {} cannot be told", all - open,
                       count_text(all, "clause"), open);
  }
  return fmt::format("Held: {} of {}", all, count_text(all, "clause"));
}

std::string layers_text(const Analysis& build, const ClauseResult& clause) {
  std::vector<std::string> labels;
  for (const std::size_t i : clause.layers) {
    if (labels.size() == kLayersNamed) break;
    labels.push_back(label_of(build, i));
  }
  const std::size_t more = clause.layers.size() - labels.size();
  return join(labels, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

// The sentence, and the finding that explains it.
std::string cause_text(const ContractResult& contract, const ClauseResult& clause) {
  std::string text = sentence_start(clause.why);
  if (!clause.finding || clause.name == "build") return text;
  const Finding& finding = contract.build.findings.at(*clause.finding);
  return text + (text.empty() ? "" : ". ") + finding.title + " [" + finding.rule + "]";
}

std::vector<const ClauseResult*> clauses_of(const ContractResult& contract, ClauseState state) {
  std::vector<const ClauseResult*> found;
  for (const ClauseResult& clause : contract.clauses) {
    if (clause.state == state) found.push_back(&clause);
  }
  return found;
}

Section section_of(const ContractResult& contract, ClauseState state) {
  const bool is_broken = state == ClauseState::broken;
  const bool is_open = state == ClauseState::undecidable;
  Section section{to_string(state), is_broken ? "Broken" : is_open ? "Cannot be told" : "Held", {}};
  Table table;
  table.columns = {
      {"Clause", ColumnKind::label}, {"Expected", ColumnKind::text}, {"Found", ColumnKind::text}};
  if (is_broken) {
    table.columns.push_back({"Layers", ColumnKind::text, true});
    table.columns.push_back({"Cause", ColumnKind::text, true});
  } else if (is_open) {
    table.columns.push_back({"Why", ColumnKind::text, true});
    table.columns.push_back({"Needs", ColumnKind::text, true});
  }
  for (const ClauseResult* clause : clauses_of(contract, state)) {
    Rows::Row row = {text_cell(clause->name), text_cell(clause->expected),
                     text_cell(clause->found)};
    if (is_broken) {
      row.push_back(text_cell(layers_text(contract.build, *clause)));
      row.push_back(text_cell(cause_text(contract, *clause)));
    } else if (is_open) {
      row.push_back(text_cell(sentence_start(clause->why)));
      row.push_back(text_cell(sentence_start(clause->needs)));
    }
    table.rows.push_back(std::move(row));
  }
  section.add(std::move(table));
  return section;
}

ContractScreen screen_of(const ContractResult& contract) {
  ContractScreen screen;
  for (const ClauseResult& clause : contract.clauses) {
    if (clause.state == ClauseState::held) screen.held.push_back(clause.name);
    if (clause.state == ClauseState::broken) {
      screen.broken.push_back({clause.name, clause.expected, clause.found,
                               layers_text(contract.build, clause), cause_text(contract, clause)});
    }
    if (clause.state != ClauseState::undecidable) continue;
    const auto same = std::ranges::find_if(screen.open, [&](const ScreenOpen& open) {
      return open.why == clause.why && open.needs == clause.needs;
    });
    if (same != screen.open.end()) {
      same->clauses.push_back(clause.name);
    } else {
      screen.open.push_back({{clause.name}, clause.why, clause.needs});
    }
  }
  return screen;
}

}  // namespace

Heading heading_of(const ContractResult& contract) {
  const std::string& path = contract.contract;
  const std::string file = path.substr(path.rfind('/') + 1);
  return {short_name(contract.build) + " against " + file, verdict_of(contract),
          tone_of(contract.state())};
}

const std::vector<std::string>& contract_section_ids() {
  static const std::vector<std::string> ids = {"broken", "undecidable", "held", "accepted"};
  return ids;
}

Document build_document(const ContractResult& contract, const GateResult& gate) {
  Document document;
  static_cast<Heading&>(document) = heading_of(contract);
  document.short_paths = short_paths({&contract.build});
  const Build& build = contract.build.build;
  if (build.tensorrt) document.identity.push_back("TensorRT " + build.tensorrt->text());
  if (build.gpu) document.identity.push_back(build.gpu->name);
  if (contract.runs > 1) document.identity.push_back(fmt::format("{} runs", contract.runs));
  document.contract = screen_of(contract);
  for (const ClauseState state :
       {ClauseState::broken, ClauseState::undecidable, ClauseState::held}) {
    if (contract.count(state) > 0) document.sections.push_back(section_of(contract, state));
  }
  add_accepted(gate, 0, document);
  if (const std::size_t accepted = gate.accepted.size(); accepted > 0) {
    document.verdict +=
        fmt::format("; the baseline accepts {}", count_text(accepted, "clause", "clauses"));
  }
  return document;
}

}  // namespace trtlens

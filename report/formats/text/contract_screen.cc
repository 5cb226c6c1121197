// One screen of a build that was held against a contract: what is broken first.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/text/screen.h"

namespace trtlens {
namespace {

constexpr std::size_t kIndent = 4, kLabelOfClause = 12;

// How much is shown; what gives way first is as small as this, until the lines fit.
struct ClauseAmounts {
  std::size_t broken = 8, causes = 8, layers = 8, open = 6, held_lines = 3;
  bool brief = false;
};
using ClauseAmount = std::pair<std::size_t ClauseAmounts::*, std::size_t>;
constexpr std::array<ClauseAmount, 8> kClausesGiveWay = {{{&ClauseAmounts::layers, 4},
                                                          {&ClauseAmounts::open, 3},
                                                          {&ClauseAmounts::causes, 4},
                                                          {&ClauseAmounts::held_lines, 1},
                                                          {&ClauseAmounts::broken, 6},
                                                          {&ClauseAmounts::layers, 2},
                                                          {&ClauseAmounts::open, 2},
                                                          {&ClauseAmounts::causes, 3}}};

class ContractPage {
 public:
  ContractPage(const Document& document, std::size_t width, const Ink& ink, TextStream& out)
      : document_(document), screen_(*document.contract), width_(width), ink_(ink), out_(out) {}

  void write(const ClauseAmounts& amounts) {
    for (const std::string& line : wrap(document_.verdict, width_)) {
      out_ += ink_.tone(document_.verdict_tone, line) + "\n";
    }
    for (const std::string& line : wrap(printable(document_.title), width_)) {
      out_ += ink_.bold(line) + "\n";
    }
    std::vector<std::string> identity;
    for (const std::string& part : document_.identity) identity.push_back(printable(part));
    for (const std::string& line : wrap(join(identity, " · "), width_)) {
      if (!line.empty()) out_ += ink_.dim(line) + "\n";
    }
    broken(amounts);
    open(amounts.open);
    held(amounts.held_lines);
    if (amounts.brief) return;  // where more is, its last line says
    out_ += "\n";
    const bool is_accepted = std::ranges::count(document_.sections, "accepted", &Section::id) > 0;
    labelled("More", std::string("--full, ") + (is_accepted ? "--section accepted, " : "") +
                         "-o report.html, trtlens compare GOOD BUILD");
  }

 private:
  void labelled(const std::string& label, const std::string& text) {
    if (text.empty()) return;
    const std::string first = label + std::string(kLabelOfClause - label.size(), ' ');
    out_ += hanging(first, printable(text), width_);
  }
  void detail(const std::string& label, const std::string& text) {
    if (text.empty()) return;
    const std::string first = std::string(kIndent, ' ') + label +
                              std::string(kLabelOfClause - kIndent - label.size(), ' ');
    out_ += hanging(first, printable(text), width_);
  }

  void broken(const ClauseAmounts& amounts) {
    if (screen_.broken.empty()) return;
    out_ += "\n" + ink_.bold("Broken") + "\n";
    const std::size_t shown = std::min(amounts.broken, screen_.broken.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const ScreenClause& clause = screen_.broken[i];
      const std::string line = fmt::format("{}: expected {}, found {}", printable(clause.name),
                                           printable(clause.expected), printable(clause.found));
      for (const std::string& part : wrap(line, width_ - 2)) {
        out_ += "  " + ink_.tone(Tone::major, part) + "\n";
      }
      // What one cause breaks stands together.
      const ScreenClause* const above = i > 0 ? &screen_.broken[i - 1] : nullptr;
      const bool has_cause = !clause.cause.empty();
      const bool same_cause = has_cause && above != nullptr && clause.cause == above->cause;
      const bool same_layers = above != nullptr && clause.layers == above->layers;
      if (i < amounts.causes) detail("cause", same_cause ? "the same" : clause.cause);
      if (i < amounts.layers && !same_layers) detail("layers", clause.layers);
    }
    if (shown == screen_.broken.size()) return;
    std::vector<std::string> names;
    for (std::size_t i = shown; i < screen_.broken.size(); ++i) {
      names.push_back(screen_.broken[i].name);
    }
    out_ += hanging("  ", fmt::format("and {} more: {}", names.size(), join(names, ", ")), width_);
  }

  void open(std::size_t most) {
    if (screen_.open.empty()) return;
    out_ += "\n" + ink_.bold("Cannot be told") + "\n";
    const std::size_t shown = std::min(most, screen_.open.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const ScreenOpen& one = screen_.open[i];
      out_ += hanging("  ", join(one.clauses, ", ") + ": " + printable(one.why), width_);
      detail("needs", one.needs);
    }
    if (screen_.open.size() > shown) {
      out_ += fmt::format("  and {} more: --section undecidable\n", screen_.open.size() - shown);
    }
  }

  void held(std::size_t most_lines) {
    if (screen_.held.empty()) return;
    out_ += "\n";
    const std::string names = join(screen_.held, ", ");
    const bool fits = wrap(names, width_ - kLabelOfClause).size() <= most_lines;
    labelled("Held", fits ? names : fmt::format("{}: --section held", screen_.held.size()));
  }

  const Document& document_;
  const ContractScreen& screen_;
  std::size_t width_;
  const Ink& ink_;
  TextStream& out_;
};

template <typename Fits>
std::string contract_page(const Document& document, const ClauseAmounts& amounts, std::size_t width,
                          const Ink& ink, const Fits& fits) {
  const auto draw = [&](const ClauseAmounts& now, TextStream& out) {
    ContractPage(document, width, ink, out).write(now);
  };
  return fitted(amounts, kClausesGiveWay, draw, fits);
}

}  // namespace

void text_contract_screen(const Document& document, std::size_t width, const Ink& ink,
                          TextStream& out) {
  out += contract_page(document, ClauseAmounts(), width, ink, [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n')) <= kMostLines;
  });
}

std::string brief_contract_screen(const Document& document, std::size_t most_bytes) {
  ClauseAmounts amounts;
  amounts.brief = true;
  return contract_page(document, amounts, kBriefWidth, Ink(),
                       [&](const std::string& text) { return text.size() <= most_bytes; });
}

}  // namespace trtlens

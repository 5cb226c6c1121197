// Lines of the first screen. What does not fit is behind --full.
#include "report/formats/text/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/formats/text/strip.h"

namespace trtlens {
namespace {

constexpr std::size_t kScreenLabelWidth = 11;
constexpr std::size_t kFindingsShown = 4;
constexpr std::size_t kIdentity = 2;      // version and GPU; the command stands below
constexpr std::size_t kCommandFits = 60;  // columns; on less there is too little room for it

// What of the screen there is room for.
struct Shown {
  std::size_t advised = kFindingsShown;  // so many findings have their cost and first action
  std::size_t placed = kFindingsShown;   // so many of those say where, a line each
  std::size_t hottest = 5;
  // Of a failure: what is known of its layers. Else these stand on every screen.
  bool strip = true, precision = true;
  std::size_t note_lines = 2;  // with two also what stands outside the modules
  bool command = true;
  bool brief = false;     // no strip, no pointers; findings with all that is to be done
  bool evidence = false;  // where the first finding was seen
};

class Page {
 public:
  Page(const Document& document, const Shown& shown, std::size_t width, const Ink& ink,
       TextStream& out)
      : document_(document),
        screen_(*document.screen),
        shown_(shown),
        width_(width),
        ink_(ink),
        out_(out) {}

  void write() {
    if (shown_.brief) {
      brief_head();
    } else {
      head();
    }
    warnings();
    if (screen_.cause_first) {
      failure();
    } else {
      speed();
      if (shown_.strip) strip();
      precision();
      findings(0);
      hottest();
    }
    foot();
  }

 private:
  // The verdict first: however long the names are, it stands.
  void brief_head() {
    out_ += screen_.verdict + "\n";
    out_ += elide_middle(printable(document_.title), width_) + "\n";
    std::string identity;
    for (const std::string& part : document_.identity) {
      identity += (identity.empty() ? "" : " · ") + printable(part);
    }
    if (!identity.empty()) out_ += elide_middle(identity, 2 * width_) + "\n";
  }

  void head() {
    std::string identity;
    for (std::size_t i = 0; i < std::min(document_.identity.size(), kIdentity); ++i) {
      identity += " · " + printable(document_.identity[i]);
    }
    const std::size_t rest = display_width(screen_.verdict) + display_width(identity) + 2;
    const bool fits = rest + 12 <= width_;  // beside some of the name
    const bool on_one = display_width(screen_.verdict) + display_width(identity) <= width_;
    if (!on_one && !identity.empty()) identity = "\n" + elide_middle(identity.substr(4), width_);
    out_ += ink_.bold(elide_middle(printable(document_.title), fits ? width_ - rest : width_)) +
            (fits ? "  " : "\n") + ink_.tone(screen_.verdict_tone, screen_.verdict) +
            ink_.dim(identity) + "\n";
    if (document_.identity.size() > kIdentity && shown_.command && width_ >= kCommandFits) {
      out_ += ink_.dim(end_elided(printable(document_.identity[kIdentity]), width_)) + "\n";
    }
  }

  void labelled(std::string_view label, const std::string& text) {
    if (text.empty()) return;
    const std::size_t pad = kScreenLabelWidth > label.size() ? kScreenLabelWidth - label.size() : 1;
    out_ += hanging(std::string(label) + std::string(pad, ' '), printable(text), width_);
  }

  void speed() {
    if (screen_.is_pasted) return;
    out_ += "\n";
    out_ += hanging("  ", ink_.bold(printable(speed_of(screen_))), width_);
    std::string line;  // a figure is not divided
    for (const std::string& more : screen_.more_speed) {
      const std::string text = printable(more);
      const bool fits = display_width(line) + 3 + display_width(text) + 2 <= width_;
      if (!line.empty() && !fits) {
        out_ += hanging("  ", line, width_);
        line.clear();
      }
      line += (line.empty() ? "" : " · ") + text;
    }
    if (!line.empty()) out_ += hanging("  ", line, width_);
  }

  void strip() {
    if (screen_.strip.empty()) return;
    const std::size_t cells = width_ - 2;
    const std::size_t layers = layers_a_cell(screen_.strip, cells);
    const std::string head =
        fmt::format("Execution order, one cell = {:.1f} %{}:", 100.0 / static_cast<double>(cells),
                    layers == 0 ? "" : fmt::format(" (about {} layers, mixed by time)", layers));
    out_ += "\n";
    for (const std::string& line : strip_legend(head, {&screen_.strip}, width_)) {
      out_ += line + "\n";
    }
    const StripRows rows = strip_rows(screen_.strip, cells);
    out_ += "  " + rows.letters + "\n";
    if (!rows.modules.empty()) out_ += "  " + ink_.dim(rows.modules) + "\n";
  }

  void precision() {
    if (screen_.precision.empty() && screen_.fallbacks.empty() && screen_.scales.empty()) return;
    out_ += "\n";
    labelled("Precision", screen_.precision);
    labelled("Fallbacks", screen_.fallbacks);
    labelled("Scales", screen_.scales);
    const bool has_room = shown_.note_lines > 1 && !screen_.outside_modules.empty();
    labelled("Modules", screen_.modules + (has_room ? " " + screen_.outside_modules : ""));
  }

  [[nodiscard]] bool has_section(std::string_view id) const {
    return std::ranges::any_of(document_.sections,
                               [&](const Section& section) { return section.id == id; });
  }

  // In two lines where cost and advice follow, else with the cost in one.
  void title(const FindingCard& card, std::size_t most) {
    const std::string cost = most > 1 || card.stake_short.empty() ? "" : ", " + card.stake_short;
    const std::string head =
        fmt::format("[{}] {}{}: ", card.number, to_string(card.severity), cost);
    std::vector<std::string> lines =
        wrap(head + printable(card.title) + " [" + card.rule + "]", width_ - 4);
    if (lines.size() > most) {
      const bool is_whole = lines.at(most) == "[" + card.rule + "]";  // but for its rule
      lines.resize(most);
      if (!is_whole) lines.back() += " …";
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out_ += (i > 0 ? "  " : "") + ink_.tone(card.severity, lines[i]) + "\n";
    }
  }

  void indented(const char* label, const std::string& text) {
    if (!text.empty()) out_ += hanging(label, printable(text), width_);
  }

  // From the finding of index `first` on.
  void findings(std::size_t first) {
    const std::vector<const FindingCard*> all = cards_of(document_);
    std::size_t shown = first;
    for (; shown < std::min(all.size(), kFindingsShown); ++shown) {
      const FindingCard& card = *all[shown];
      const bool advises = shown < shown_.advised;
      if (advises || shown == first || shown == shown_.advised) out_ += "\n";
      title(card, advises ? 2 : 1);
      if (!advises) continue;
      if (shown - first < shown_.placed) place(card);
      const std::string sure = card.confidence == "measured" ? "" : " (" + card.confidence + ")";
      const std::string gain = card.gain_short.empty() ? "" : "gain " + card.gain_short + sure;
      if (card.stake_short.empty()) {
        indented("    ", gain);
      } else {
        indented("    cost  ",
                 card.stake_short + " of the profile" + (gain.empty() ? "" : "; " + gain));
      }
      if (shown_.brief) {
        whole_advice(card, shown_.evidence && shown == first);
        continue;
      }
      if (card.steps.empty()) continue;
      indented("    do    ", card.steps.front());
      if (card.steps.front().starts_with("Check first: ")) {
        indented("          ", card.next_check);
        out_ += command_lines("          ", card.commands, width_);
      }
    }
    if (all.empty() && first == 0) nothing();
    if (screen_.findings > shown) {
      out_ += fmt::format("  and {} more: --section findings\n", screen_.findings - shown);
    }
  }

  void place(const FindingCard& card) {
    std::string where = place_beside_title(card);
    const std::string label = "    where ";
    if (where.empty()) return;
    const std::size_t room = width_ - label.size();
    std::vector<std::string> places = card.places;
    for (std::size_t more = card.places_left_out;
         places.size() > 1 && display_width(printable(where)) > room;) {
      places.pop_back();
      where = where_text(places, ++more);
    }
    out_ += label + elide_middle(printable(where), room) + "\n";
  }

  void whole_advice(const FindingCard& card, bool with_evidence) {
    for (std::size_t n = 0; n < card.steps.size(); ++n) {
      out_ += hanging(fmt::format("    {:<6}{}. ", n == 0 ? "do" : "", n + 1),
                      printable(card.steps[n]), width_);
    }
    indented("    check ", card.next_check);
    out_ += command_lines("          ", card.commands, width_);
    if (!with_evidence) return;
    std::vector<std::string> lines, layers;  // a line of a log says more than a layer's label
    for (const EvidenceLine& line : card.evidence) {
      std::vector<std::string>& places = line.line > 0 ? lines : layers;
      const bool is_new = std::ranges::find(places, line.place) == places.end();
      if (!line.place.empty() && is_new) places.push_back(line.place);
    }
    lines.insert(lines.end(), layers.begin(), layers.end());
    indented("    seen  ", join(lines, ", "));
  }

  void toned(const Paragraph& said) {
    for (const std::string& line : wrap(printable(said.text), width_)) {
      out_ += ink_.tone(said.tone, line) + "\n";
    }
  }

  void nothing() {
    out_ += "\n";
    for (const Paragraph& said : nothing_found(document_)) toned(said);
  }

  void warnings() {
    for (const Paragraph* said : warnings_of(document_)) {
      out_ += "\n";
      toned(*said);
    }
  }

  void failure() {
    out_ += "\n";
    ScreenFailure failure = failure_of(document_);
    if (!failure.title.empty()) {  // as the findings behind it
      const FindingCard& card = *cards_of(document_).front();
      const bool is_mild = screen_.is_pasted && card.severity < Tone::major;
      const std::string word = is_mild ? std::string(to_string(card.severity)) + ": " : "";
      failure.title = fmt::format("[1] {}{} [{}]", word, failure.title, card.rule);
    }
    text_failure(failure, shown_.brief ? failure.steps.size() : kStepsShown, width_, ink_, out_);
    findings(1);
    if (screen_.precision.empty()) return;  // without layers
    if (shown_.strip) strip();
    if (shown_.precision) precision();
  }

  // As wide as the labels; a narrow terminal has more of them and no roof.
  void hottest() {
    if (screen_.hottest.empty()) return;
    constexpr std::size_t kRoofWidth = 9, kRoofFits = 80, kLeastLabel = 12;
    const bool has_roof =
        width_ >= kRoofFits && std::ranges::any_of(screen_.hottest, [](const ScreenLayer& row) {
          return !row.roof.empty();
        });
    std::size_t longest = kLeastLabel, kinds = std::string_view("precision").size();
    for (const ScreenLayer& row : screen_.hottest) {
      longest = std::max(longest, display_width(printable(row.label)));
      kinds = std::max(kinds, row.kind.size());
    }
    const std::size_t numbers = 26 + kinds + (has_roof ? kRoofWidth : 0);
    const std::size_t labels =
        std::min(longest, width_ > numbers + kLeastLabel ? width_ - numbers : kLeastLabel);
    const std::string title = "Hottest layers";
    out_ += "\n" + ink_.bold(title) + std::string(labels + 15 - title.size(), ' ') +
            ink_.dim(std::string("ms  share  precision") +
                     (has_roof ? std::string(kinds - 9, ' ') + "  of roof" : "")) +
            "\n";
    std::size_t more = screen_.more_layers;
    double more_ms = screen_.more_ms;
    for (std::size_t i = 0; i < screen_.hottest.size(); ++i) {
      const ScreenLayer& row = screen_.hottest[i];
      if (i >= shown_.hottest) {
        ++more;
        more_ms += row.ms;
        continue;
      }
      const std::string label = elide_middle(printable(row.label), labels);
      const std::string pad(labels - display_width(label), ' ');
      const std::string roof = row.roof.empty() ? "-" : row.roof;
      out_ += fmt::format("  {:>4} {}{} {:>9} {:>6}  ", fmt::format("#{}", row.layer), label, pad,
                          ms_number(row.ms), share_text(row.share)) +
              (has_roof ? fmt::format("{:<{}}{:>9}\n", row.kind, kinds, roof) : row.kind + "\n");
    }
    std::string last;
    if (more > 0) last = fmt::format("       {} more: {}", more, ms_text(more_ms));
    const std::string roof = has_roof ? std::string("of roof: share of ") + kRoofWords : "";
    const std::size_t edge = labels + 26 + kinds + kRoofWidth;
    if (has_roof && last.size() + 2 + roof.size() <= edge) {
      last += std::string(edge - last.size() - roof.size(), ' ') + ink_.dim(roof);
    }
    if (!last.empty()) out_ += last + "\n";
  }

  // As many as there is room for.
  void notes() {
    if (screen_.notes.empty()) return;
    const std::size_t room = width_ - kScreenLabelWidth;
    const auto fits = [&](const std::string& text) {
      return wrap(text, room).size() <= shown_.note_lines;
    };
    const std::string count = fmt::format("{}: ", screen_.notes.size());
    std::string text = count;
    for (std::size_t i = 0; i < screen_.notes.size(); ++i) {
      const std::string more = (i == 0 ? "" : "; ") + printable(screen_.notes[i]);
      const bool last = i + 1 == screen_.notes.size();
      if (!fits(text + more + (last ? "" : "; …"))) {
        text += i == 0 ? end_elided(more, room - count.size()) : "; …";
        break;
      }
      text += more;
    }
    labelled("Notes", text);
  }

  void foot() {
    out_ += "\n";
    labelled("Also", join(screen_.also, ", "));
    notes();
    if (screen_.builds > 1) {
      labelled("Builds", fmt::format("{} in these inputs: --section builds lists them, --build N "
                                     "reports another one",
                                     screen_.builds));
    }
    if (has_section("accepted"))
      labelled("Accepted", "findings of the baseline: --section accepted");
    if (shown_.brief) return;  // where more is, its last line says
    labelled("More", "--full, --section NAME, -o report.html, trtlens explain RULE");
  }

  const Document& document_;
  const Screen& screen_;
  Shown shown_;
  std::size_t width_;
  const Ink& ink_;
  TextStream& out_;
};

// What a screen may show, the most first.
std::vector<Shown> ways_of(bool has_failed) {
  struct Counts {
    std::size_t advised, placed, hottest;
  };
  static constexpr std::array<Counts, 10> kCounts = {{{4, 4, 5},
                                                      {4, 1, 5},
                                                      {3, 3, 5},
                                                      {3, 1, 5},
                                                      {2, 2, 5},
                                                      {2, 1, 5},
                                                      {2, 1, 4},
                                                      {2, 0, 5},
                                                      {1, 1, 5},
                                                      {1, 1, 4}}};
  std::vector<Shown> ways;
  for (const auto& [strip, precision] : {std::pair(true, true), {false, true}, {false, false}}) {
    for (const Counts& one : kCounts) {
      for (const std::size_t note_lines : {2U, 1U}) {
        ways.push_back({one.advised, one.placed, one.hottest, strip, precision, note_lines});
      }
    }
    if (!has_failed) break;
  }
  ways.push_back(ways.back());
  ways.back().command = false;
  return ways;
}

}  // namespace

void text_failure(const ScreenFailure& failure, std::size_t most_steps, std::size_t width,
                  const Ink& ink, TextStream& out) {
  if (failure.title.empty()) {
    out += "The run failed, and no rule explains it.\n";
  } else {
    for (const std::string& line : wrap(printable(failure.title), width)) {
      out += ink.tone(failure.tone, line) + "\n";
    }
    if (!failure.why.empty()) out += hanging("  ", printable(failure.why), width);
    for (std::size_t n = 0; n < std::min(most_steps, failure.steps.size()); ++n) {
      if (n == 0) out += "\n";
      out += hanging(fmt::format("  {:<6}{}. ", n == 0 ? "Do" : "", n + 1),
                     printable(failure.steps[n]), width);
    }
    const std::string check = failure.next_check;
    if (!check.empty()) out += hanging("  Check ", printable(check), width);
    out += command_lines(check.empty() ? "  Check " : "        ", failure.commands, width);
  }
  for (const auto& [place, lines] : failure.quotes) {
    if (lines.empty()) continue;
    out += "\n  " + ink.dim(printable(place)) + "\n";
    for (const std::string& line : lines) {
      out += hanging("  | ", elide_middle(printable(line), 3 * width), width);
    }
  }
}

void text_screen(const Document& document, std::size_t width, const Ink& ink, TextStream& out) {
  const bool has_failed = document.screen->cause_first;
  const std::size_t most = has_failed ? kMostFailureLines : kMostLines;
  const std::vector<Shown> ways = ways_of(has_failed);
  std::string text;
  for (const Shown& shown : ways) {
    text = text_of([&](TextStream& page) { Page(document, shown, width, ink, page).write(); });
    if (static_cast<std::size_t>(std::ranges::count(text, '\n')) <= most) break;
  }
  out += text;
}

std::string brief_screen(const Document& document, std::size_t most_bytes) {
  const Ink ink;
  std::string text;
  for (const bool evidence : {true, false}) {
    for (std::size_t advised = kFindingsShown; advised > 0; --advised) {
      Shown shown;
      shown.advised = advised;
      shown.strip = false;
      shown.brief = true;
      shown.evidence = evidence;
      text =
          text_of([&](TextStream& page) { Page(document, shown, kBriefWidth, ink, page).write(); });
      if (text.size() <= most_bytes) return text;
    }
  }
  return text;
}

}  // namespace trtlens

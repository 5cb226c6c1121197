// What a report says of a finding besides its texts: where it is, its steps, the commands of its
// check.
#include "analyzers/finding.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyzers/analysis.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

struct PlacedLayer {
  const Analysis* side = nullptr;
  std::size_t layer = 0;
};

// What it is about: the layers that its title names, else those of its stake or its evidence.
std::vector<SharedText> names_in(const Finding& finding) {
  if (!finding.about.empty()) return finding.about;
  if (!finding.layers.empty()) return finding.layers;
  std::vector<SharedText> names;
  for (const Evidence& evidence : finding.evidence) {
    if (!evidence.layer.empty()) names.push_back(evidence.layer);
  }
  return names;
}

using LayersByName = std::unordered_map<std::string_view, PlacedLayer>;

// The layers of these names; of several of one name the first, of the first side that has it.
LayersByName places_of(const std::vector<const Analysis*>& sides,
                       const std::vector<std::vector<SharedText>>& names) {
  LayersByName places;
  for (const std::vector<SharedText>& of_one : names) {
    for (const SharedText& name : of_one) places.try_emplace(name.str());
  }
  if (places.empty()) return places;
  for (const Analysis* side : sides) {
    for (std::size_t i = 0; i < side->build.layers.size(); ++i) {
      const auto wanted = places.find(side->build.layers[i].name.str());
      if (wanted == places.end() || wanted->second.side != nullptr) continue;
      wanted->second = {side, i};
    }
  }
  return places;
}

// " shows the file", behind a command: the command is what shows it.
bool begins_with_verb(std::string_view text) {
  if (!text.starts_with(' ')) return false;
  const std::string_view word = text.substr(1, text.find_first_of(" .,:", 1) - 1);
  return word == "must" ||
         (word.size() > 3 && word.ends_with('s') && !is_one_of(word, {"this", "does", "unless"}));
}

// " on the host: does it run?", behind a command: where or how it is run.
bool begins_with_place(std::string_view text) {
  if (!text.starts_with(' ')) return false;
  return is_one_of(
      text.substr(1, text.find_first_of(" .,:", 1) - 1),
      {"after", "alone", "at", "before", "beside", "for", "from", "here", "in", "inside", "just",
       "of", "on", "outside", "under", "where", "while", "with", "without"});
}

// Where a command follows the one that ends at the beginning of the text: "; `b`"; else npos.
std::size_t next_in_run(std::string_view text) {
  for (const std::string_view between : {"; ", ", then ", " and ", " or "}) {
    if (text.starts_with(between) && text.substr(between.size()).starts_with('`')) {
      return between.size();
    }
  }
  return std::string_view::npos;
}

// A run of commands, "`a`; `b`" or "`a`, then `b`": flags alone are none.
struct CommandRun {
  std::vector<std::string> commands;
  std::size_t end = 0;
};

std::optional<CommandRun> commands_at(std::string_view text, std::size_t open) {
  CommandRun run;
  for (;;) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string_view::npos || close == open + 1 || text[open + 1] == '-') break;
    run.commands.emplace_back(text.substr(open + 1, close - open - 1));
    run.end = close + 1;
    const std::size_t next = next_in_run(text.substr(run.end));
    if (next == std::string_view::npos) break;
    open = run.end + next;
  }
  return run.commands.empty() ? std::nullopt : std::optional(std::move(run));
}

// In running text the name of a program may stand for what somebody knows how to call.
bool is_whole(std::string_view command) {
  return command.find(" -") != std::string_view::npos ||
         command.find('.') != std::string_view::npos;
}

bool begins_sentence(std::string_view said) {
  return said.empty() || said.ends_with(". ") || said.ends_with("? ");
}

// Takes the run off a sentence that it begins or ends, and says what is left of the sentence; true:
// the sentence does without it.
bool takes_off(const CommandRun& run, std::string_view rest, bool& capital, std::string& said,
               std::size_t& at) {
  const bool ends = rest.empty() || rest.starts_with('.');
  if (said.ends_with(": ") && ends) {
    said.resize(said.size() - 2);
  } else if (begins_sentence(said) && ends) {
    at = std::min(run.end + 1, run.end + rest.size());
    return true;
  } else if (begins_sentence(said) && rest.starts_with(": ")) {
    capital = true;
    at = run.end + 2;
    return true;
  } else if (begins_sentence(said) && begins_with_verb(rest)) {
    said += "This";
  } else if (begins_sentence(said) && begins_with_place(rest.substr(rest.starts_with(',')))) {
    said += run.commands.size() == 1 ? "Run the command below" : "Run the commands below";
  } else {
    return false;
  }
  at = run.end;
  return true;
}

// An action without the commands that a sentence of it does without; these are added to `commands`.
std::string without_commands(const std::string& action, std::vector<std::string>& commands) {
  Check said = check_of(action);
  const bool is_off = said.text.find('`') == std::string::npos;
  if (said.commands.empty() || said.text.empty() || !is_off) return action;
  std::ranges::move(said.commands, std::back_inserter(commands));
  if (said.text.back() != '.') said.text += '.';
  return std::move(said.text);
}

}  // namespace

void name_places(const std::vector<const Analysis*>& sides, std::vector<Finding>& findings) {
  std::vector<std::vector<SharedText>> names;
  names.reserve(findings.size());
  for (const Finding& finding : findings) names.push_back(names_in(finding));
  const LayersByName known = places_of(sides, names);
  for (std::size_t k = 0; k < findings.size(); ++k) {
    std::vector<PlacedLayer> places;
    for (const SharedText& name : names[k]) {
      const PlacedLayer& place = known.at(name.str());
      if (place.side != nullptr) places.push_back(place);
    }
    std::ranges::stable_sort(places, std::ranges::greater(), [](const PlacedLayer& place) {
      return time_or_zero(place.side->build.layers[place.layer]);
    });
    if (places.empty()) continue;  // a log may name layers that no engine has
    Finding& finding = findings[k];
    finding.where_left_out = places.size() - std::min(places.size(), kPlacesNamed);
    places.resize(std::min(places.size(), kPlacesNamed));
    finding.where.clear();
    for (const PlacedLayer& place : places) {
      finding.where.push_back(name_text(label_of(*place.side, place.layer)));
    }
  }
}

std::string where_text(const std::vector<std::string>& places, std::size_t left_out) {
  const std::string text = join(places, ", ");
  return left_out == 0 ? text : text + " and " + std::to_string(left_out) + " more";
}

std::string where_text(const Finding& finding) {
  return where_text(finding.where, finding.where_left_out);
}

Check check_of(std::string_view next_check) {
  Check check;
  bool capital = false;
  for (std::size_t at = 0; at < next_check.size();) {
    const std::optional<CommandRun> run =
        next_check[at] == '`' ? commands_at(next_check, at) : std::nullopt;
    if (run) {
      const std::size_t begin = at;
      const bool is_off = takes_off(*run, next_check.substr(run->end), capital, check.text, at);
      check.is_answer = check.is_answer || (capital && check.text.empty());
      for (const std::string& command : run->commands) {
        if (is_off || is_whole(command)) check.commands.push_back(command);
      }
      if (is_off) continue;
      check.text += next_check.substr(begin, run->end - begin);
      at = run->end;
      continue;
    }
    // Flags alone stay as they are.
    const bool opens = next_check[at] == '`';
    const std::size_t close = opens ? next_check.find('`', at + 1) : at;
    const std::string_view piece =
        next_check.substr(at, close == std::string_view::npos ? close : close + 1 - at);
    const bool begins = std::exchange(capital, false);
    check.text += begins ? sentence_start(std::string(piece)) : std::string(piece);
    at += piece.size();
  }
  check.text.resize(check.text.find_last_not_of(' ') + 1);
  return check;
}

namespace {

constexpr const char* kRunIt = "run the command below.";

std::ptrdiff_t words_of(std::string_view text) {
  return text.empty() ? 0 : 1 + std::ranges::count(text, ' ');
}

// What a first step of many words leaves out: what its outcome means. "" where it has few.
std::string take_outcome(std::string& step) {
  constexpr std::ptrdiff_t kMostWords = 18;  // beside "Check first:"
  if (words_of(step) <= kMostWords) return {};
  int depth = 0;
  for (std::size_t at = 0; at + 1 < step.size(); ++at) {
    if (step[at] == '"' || step[at] == '`') {  // what they hold stays together, as in brackets
      at = std::min(step.find(step[at], at + 1), step.size());
      continue;
    }
    if (step[at] == '(') ++depth;
    if (step[at] == ')' && depth > 0) --depth;
    if (depth > 0) continue;
    if (std::string_view(".:").find(step[at]) == std::string_view::npos || step[at + 1] != ' ') {
      continue;
    }
    std::string outcome = sentence_start(step.substr(at + 2));
    step.resize(at);
    step += '.';
    return outcome;
  }
  return {};
}

}  // namespace

Steps steps_of(const Finding& finding) {
  Check check = check_of(finding.next_check);
  Steps steps{{}, std::move(check.text), {}};
  if (finding.confidence == Confidence::guessed && !finding.next_check.empty()) {
    std::string first = std::exchange(steps.check, std::string());
    if (first.empty()) {
      first = kRunIt;
    } else if (first.starts_with("This ")) {  // what the command shows
      first.replace(0, 4, std::string(kRunIt) + " It");
    } else if (check.is_answer) {
      first.insert(0, std::string(kRunIt) + ' ');
    } else if (first.starts_with("Run the command")) {
      first[0] = 'r';
    }
    steps.check = take_outcome(first);
    steps.actions.push_back("Check first: " + std::move(first));
    std::swap(steps.commands, check.commands);
  }
  for (const std::string& remedy : finding.remedies) {
    if (steps.actions.size() == kMostActions) break;
    steps.actions.push_back(without_commands(remedy, steps.commands));
  }
  for (std::string& command : check.commands) {  // an action may have it already
    if (std::ranges::find(steps.commands, command) != steps.commands.end()) continue;
    steps.commands.push_back(std::move(command));
  }
  return steps;
}

}  // namespace trtlens

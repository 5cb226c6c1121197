// Man pages in roff's macros of man(7).
#include <fmt/format.h>

#include <algorithm>

#include "analyzers/text.h"
#include "report/cli/prompt/prompt.h"

namespace trtlens {
namespace {

// Text of a line: nothing in it is a request, and what a reader copies is ASCII.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool at_start = out.empty() || out.back() == '\n';
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

// The footer of --help, by what its parts are.
struct Footer {
  std::string examples, exit_status;
  std::vector<std::string> paragraphs;
};

Footer parts_of(const std::string& footer) {
  constexpr std::string_view kExamplesStart = "Examples:\n";
  constexpr std::string_view kExitStart = "Exit status: ";
  Footer parts;
  for (const std::string_view one : split(footer, "\n\n")) {
    std::string paragraph(one);
    if (paragraph.starts_with(kExamplesStart)) {
      parts.examples = paragraph.substr(kExamplesStart.size());
      continue;
    }
    const std::size_t status = paragraph.find(kExitStart);
    if (status != std::string::npos) {
      parts.exit_status = paragraph.substr(status + kExitStart.size());
      paragraph.resize(status);
    }
    paragraph.resize(paragraph.find_last_not_of(' ') + 1);
    if (!paragraph.empty()) parts.paragraphs.push_back(paragraph);
  }
  return parts;
}

std::string words_in_synopsis(const CommandDescription& command) {
  std::string text;
  for (const OptionDescription& option : command.options) {
    if (!option.is_required) continue;
    text += " " + bold(option.names.back()) + " " + italic(option.value);
  }
  if (!command.options.empty()) text += " [" + italic("OPTION") + "...]";
  for (const OptionDescription& word : command.words) {
    const std::string name = italic(word.names.front()) + (word.repeats ? "..." : "");
    text += word.is_required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) text += " " + italic("COMMAND") + " ...";
  return text;
}

std::string item(const std::string& head, const std::string& text) {
  return ".TP\n" + head + "\n" + text + "\n";
}

std::string options_section(const CommandDescription& command) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionDescription& option : command.options) {
    std::string head;
    for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty()) head += " " + italic(option.value);
    std::string help = roff(option.help);
    if (!option.initial.empty()) help += " (default: " + roff(option.initial) + ")";
    if (option.repeats) help += "; repeatable";
    text += item(head, help);
  }
  return text;
}

// "0 done; 1 a finding": an item each.
std::string exit_status_section(const std::string& statuses) {
  std::string text = ".SH EXIT STATUS\n";
  for (const std::string_view status : split(statuses, "; ")) {
    std::string one(status);
    if (one.ends_with('.')) one.pop_back();
    const std::size_t space = one.find(' ');
    const bool is_number =
        space != std::string::npos && one.find_first_not_of("0123456789") == space;
    text += is_number ? item(bold(one.substr(0, space)), roff(one.substr(space + 1)))
                      : (text.ends_with("STATUS\n") ? "" : ".PP\n") + roff(one) + "\n";
  }
  return text;
}

std::string examples_section(const std::string& examples) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string_view line : split(examples, "\n")) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    text += roff(line.substr(blanks)) + "\n";
  }
  return text + ".fi\n";
}

// What stands beside a page: trtlens, the pages of the commands above and below it.
std::string see_also_section(const CommandAt& at) {
  std::vector<std::string> names;
  if (!at.path.empty()) names.push_back(man_page_name({at.path.begin(), at.path.end() - 1}));
  for (const CommandDescription& nested : at.command->commands) {
    std::vector<std::string> path = at.path;
    path.push_back(nested.name);
    names.push_back(man_page_name(path));
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",\n") + bold(name) + "(1)";
  return ".SH SEE ALSO\n" + text + "\n";
}

}  // namespace

std::string man_page_name(const std::vector<std::string>& path) {
  return path.empty() ? "trtlens" : "trtlens-" + join(path, "-");
}

std::string man_page(const CommandDescription& program, const std::vector<std::string>& path,
                     const char* version) {
  const std::vector<CommandAt> all = all_commands(program);
  const auto at = std::ranges::find_if(all, [&](const CommandAt& one) { return one.path == path; });
  if (at == all.end()) return {};
  const CommandDescription& command = *at->command;
  const std::string name = man_page_name(path);
  const Footer footer = parts_of(command.footer);
  std::string text =
      fmt::format(".TH {} 1 \"\" \"trtlens {}\" \"trtlens\"\n", upper_case(name), version);
  text += ".SH NAME\n" + roff(name) + " \\- " +
          roff(path.empty() ? "analyzer of trtexec logs and layer profiles" : command.help) + "\n";
  text += ".SH SYNOPSIS\n" + bold(path.empty() ? "trtlens" : "trtlens " + join(path, " ")) +
          words_in_synopsis(command) + "\n";
  text += ".SH DESCRIPTION\n" + roff(command.help) + "\n";
  for (const std::string& paragraph : footer.paragraphs) text += ".PP\n" + roff(paragraph) + "\n";
  if (!command.words.empty()) text += ".SH ARGUMENTS\n";
  for (const OptionDescription& word : command.words) {
    text += item(italic(word.names.front()) + (word.repeats ? "..." : ""), roff(word.help));
  }
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandDescription& nested : command.commands) {
    text += item(bold(nested.name), roff(nested.help));
  }
  text += options_section(command);
  if (!footer.exit_status.empty()) text += exit_status_section(footer.exit_status);
  if (!footer.examples.empty()) text += examples_section(footer.examples);
  return text + see_also_section(*at);
}

}  // namespace trtlens

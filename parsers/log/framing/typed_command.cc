#include "parsers/log/framing/typed_command.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace trtlens {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kMostBytes = std::size_t{16} << 10;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "sudo", "CUDA_VISIBLE_DEVICES=1": what a shell takes in front of a program.
bool is_before_program(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords = {"sudo", "time", "nohup", "env", "exec"};
  if (std::ranges::find(kWords, word) != kWords.end()) return true;
  const std::size_t equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 &&
         std::ranges::all_of(word.substr(0, equals), [](char c) {
           return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
         });
}

// "root@host:/work# ", "C:\TensorRT\bin>", "+ ": a prompt. Sentences name trtexec, too.
bool is_prompt(std::string_view text) {
  text = trimmed(text);
  while (!text.empty()) {
    const std::size_t blank = text.find_last_of(kBlanks);
    const std::string_view word = blank == std::string_view::npos ? text : text.substr(blank + 1);
    if (!is_before_program(word)) break;
    text = blank == std::string_view::npos ? std::string_view() : trimmed(text.substr(0, blank));
  }
  return text.empty() || text == "+" || std::string_view("$#>%!`").find(text.back()) < 6;
}

// The end of the arguments: the shell takes what follows.
std::size_t end_of(std::string_view command) {
  constexpr std::array<std::string_view, 7> kShells = {" |", " >", " 2>", " &", " ;", "; ", "`"};
  std::size_t end = command.size();
  for (const std::string_view one : kShells) end = std::min(end, command.find(one));
  return end;
}

// From the program on: "/usr/src/tensorrt/bin/trtexec --onnx=m.onnx"; empty: no command.
std::string_view command_in(std::string_view line) {
  constexpr std::string_view kProgram = "trtexec";
  const std::size_t at = line.find(kProgram);
  if (at == std::string_view::npos || line.find("&&&& ") != std::string_view::npos) return {};
  std::string_view rest = line.substr(at + kProgram.size());
  if (rest.substr(0, 4) == ".exe") rest.remove_prefix(4);
  const std::size_t option = rest.find_first_not_of(kBlanks);
  const bool has_option = option != 0 && option != std::string_view::npos &&
                          rest.substr(option, 2) == "--" && rest.size() > option + 2 &&
                          std::isalpha(static_cast<unsigned char>(rest[option + 2])) != 0;
  if (!has_option) return {};
  // "./trtexec", ">trtexec.exe", "!trtexec" of a notebook.
  const std::size_t before = line.substr(0, at).find_last_of(" \t>$#%!`");
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view path = line.substr(begin, at - begin);
  if (!path.empty() && path.back() != '/' && path.back() != '\\') return {};
  return is_prompt(line.substr(0, begin)) ? line.substr(begin) : std::string_view();
}

}  // namespace

void TypedCommand::look(std::string_view line) {
  const std::string_view whole = line.substr(0, kMostBytes);
  if (goes_on_) return add(trimmed(whole));
  const std::string_view command = trimmed(command_in(whole));
  if (command.empty()) return;
  text_.clear();
  add(command);
}

void TypedCommand::add(std::string_view part) {
  const std::size_t end = end_of(part);
  goes_on_ = end == part.size() && !part.empty() && part.back() == '\\';
  if (goes_on_) part.remove_suffix(1);
  part = trimmed(part.substr(0, end));
  if (!text_.empty() && !part.empty()) text_ += ' ';
  text_ += part;
  if (text_.size() > kMostBytes) goes_on_ = false;
}

}  // namespace trtlens

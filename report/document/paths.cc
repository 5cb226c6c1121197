// Which beginnings of paths say where a machine keeps its files.
#include "report/document/paths.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

namespace trtlens {
namespace {

// Those of trtexec that name files. Names of layers, which begin with a slash too, stand behind
// others.
constexpr std::array<std::string_view, 20> kFileFlags = {"onnx",
                                                         "model",
                                                         "deploy",
                                                         "uff",
                                                         "calib",
                                                         "saveEngine",
                                                         "loadEngine",
                                                         "getPlanVersionOnly",
                                                         "timingCacheFile",
                                                         "tuningResultFile",
                                                         "exportTimes",
                                                         "exportOutput",
                                                         "exportProfile",
                                                         "exportLayerInfo",
                                                         "plugins",
                                                         "dynamicPlugins",
                                                         "staticPlugins",
                                                         "setPluginsToSerialize",
                                                         "loadInputs",
                                                         "tempdir"};

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

bool is_absolute(std::string_view path) {
  return path.size() > 1 && path[0] == '/';
}

// With its slash: "/a/" of "/a/b".
std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);
}

std::string_view common_folder(std::string_view a, std::string_view b) {
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return folder_of(a.substr(0, static_cast<std::size_t>(differ.first - a.begin())));
}

// Of each input the file and its folder stay.
void add_inputs(const std::vector<const Analysis*>& analyses, std::vector<ShortPath>& out) {
  std::optional<std::string_view> common;
  std::vector<std::string_view> paths;
  const Reading* last = nullptr;  // builds of one command share it
  for (const Analysis* analysis : analyses) {
    if (std::exchange(last, analysis->reading.get()) == analysis->reading.get()) continue;
    for (const Input& input : analysis->reading->inputs) {
      if (!is_absolute(input.path)) continue;
      const std::string_view file = input.path;
      const std::string_view folder = folder_of(file).substr(0, folder_of(file).size() - 1);
      const std::string_view above = folder.empty() ? "/" : folder_of(folder);
      common = common ? common_folder(*common, above) : above;
      paths.push_back(file);
    }
  }
  if (!common) return;
  if (common->size() > 1) {
    out.push_back({std::string(*common), ""});
    return;
  }
  // "/" stands in much that is no path.
  for (const std::string_view path : paths) {
    out.push_back({std::string(path), std::string(path.substr(1))});
    const std::string_view folder = folder_of(path);
    if (folder.size() < 2) continue;
    out.push_back({std::string(folder.substr(0, folder.size() - 1)),
                   std::string(folder.substr(1, folder.size() - 2))});
  }
}

// Where the path at `at` of an option ends; the colon of "C:/a" belongs to it. Inputs, which
// --loadInputs names in front of their files, may be of one letter.
std::size_t path_end(std::string_view text, std::size_t at, const char* ends,
                     std::string_view flag) {
  const bool has_drive = flag != "loadInputs" && at + 2 < text.size() &&
                         std::isalpha(static_cast<unsigned char>(text[at])) != 0 &&
                         text[at + 1] == ':' && (text[at + 2] == '/' || text[at + 2] == '\\');
  return std::min(text.find_first_of(ends, at + (has_drive ? 2 : 0)), text.size());
}

void add_path(std::string_view path, std::vector<ShortPath>& out) {
  if (!is_absolute(path)) return;
  const std::string_view name = path.substr(folder_of(path).size());
  if (!name.empty()) out.push_back({std::string(path), std::string(name)});
}

// "--onnx=/a/m.onnx", "--loadInputs=x:/a/x.bin,y:/a/y.bin", "/usr/bin/trtexec".
void add_command(std::string_view command, std::vector<ShortPath>& out) {
  add_path(command.substr(0, command.find(' ')), out);
  for (const auto& [flag, value] : parse_command(std::string(command)).flags) {
    if (std::ranges::find(kFileFlags, flag) == kFileFlags.end()) continue;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = path_end(value, at, ",:", flag);
      add_path(std::string_view(value).substr(at, end - at), out);
      at = end + 1;
    }
  }
}

bool is_part_of_name(char c) {
  return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// Whole names, not a part of them.
bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
  const std::size_t end = at + length;
  if (at > 0 && (is_part_of_name(text[at - 1]) || text[at - 1] == '.')) return false;
  return text[end - 1] == '/' || end == text.size() || !is_part_of_name(text[end]);
}

// Of a path that is absolute: what stands in front of its last part.
std::size_t folder_bytes(std::string_view path) {
  if (!is_absolute(path)) return 0;
  const std::size_t last = path.find_last_not_of('/');
  return last == std::string_view::npos ? 0 : folder_of(path.substr(0, last + 1)).size();
}

// "--saveEngine=/a/after_m.engine", wherever it stands: a command that is advised names files that
// no input does.
void shorten_options(std::string& text) {
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    at += 2;
    const std::size_t equals = text.find_first_not_of(kLetters, at);
    if (equals == std::string::npos || text[equals] != '=') continue;
    const std::string flag = text.substr(at, equals - at);
    if (std::ranges::find(kFileFlags, flag) == kFileFlags.end()) continue;
    at = text.find_first_not_of("\"'", equals + 1);
    while (at < text.size()) {
      const std::size_t end = path_end(text, at, " ,:\"'`", flag);
      const std::size_t left_out = folder_bytes(std::string_view(text).substr(at, end - at));
      text.erase(at, left_out);
      at = end - left_out;
      if (at == text.size() || (text[at] != ',' && text[at] != ':')) break;
      ++at;
    }
  }
}

}  // namespace

std::string short_name(const Analysis& analysis) {
  const std::string& name = analysis.name;
  const auto last_of = [&name](std::size_t components) {
    std::size_t at = name.size();
    for (std::size_t i = 0; i < components && at != std::string::npos && at > 0; ++i) {
      at = name.rfind('/', at - 1);
    }
    return at == std::string::npos || at == 0 ? name : name.substr(at + 1);
  };
  for (const Input& input : analysis.reading->inputs) {
    if (input.path == name) return last_of(2);
    if (input.path.starts_with(name + "/")) return last_of(1);
  }
  return name;
}

std::vector<ShortPath> short_paths(const std::vector<const Analysis*>& analyses) {
  std::vector<ShortPath> paths;
  add_inputs(analyses, paths);
  for (const Analysis* analysis : analyses) {
    add_command(analysis->build.command, paths);
    for (const std::string& command : analysis->build.commands) add_command(command, paths);
  }
  std::ranges::sort(paths, [](const ShortPath& a, const ShortPath& b) {
    return a.path.size() != b.path.size() ? a.path.size() > b.path.size() : a.path < b.path;
  });
  const auto same =
      std::unique(paths.begin(), paths.end(),
                  [](const ShortPath& a, const ShortPath& b) { return a.path == b.path; });
  paths.erase(same, paths.end());
  return paths;
}

std::string with_short_paths(std::string text, const std::vector<ShortPath>& paths) {
  if (text.find('/') == std::string::npos) return text;
  for (const auto& [path, shown] : paths) {
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
      if (!stands_alone(text, at, path.size())) {
        ++at;
        continue;
      }
      text.replace(at, path.size(), shown);
      at += shown.size();
    }
  }
  shorten_options(text);
  return text;
}

}  // namespace trtlens

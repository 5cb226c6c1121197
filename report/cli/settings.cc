// Boost.ProgramOptions reads the environment; it comes before the file.
#include "report/cli/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <utility>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "report/cli/small_file.h"

namespace trtlens {
namespace {

namespace po = boost::program_options;

constexpr std::string_view kPrefix = "TRTLENS_";
constexpr const char* kConfigVariable = "TRTLENS_CONFIG";

Diagnostic error_of(const char* id, const std::string& file, std::string expected,
                    std::string found) {
  return {id, DiagnosticSeverity::error, file, 0, 0, std::move(expected), std::move(found)};
}

// Other TRTLENS_ variables are of scripts around us; one letter off a longer name is meant for us,
// and a gate that silently does nothing would be worse than an error.
void check_variable(const std::string& variable, const std::vector<Setting>& known,
                    std::vector<Diagnostic>& diagnostics) {
  if (variable == kConfigVariable) return;
  for (const Setting& setting : known) {
    constexpr std::size_t kShortName = 5;  // TRTLENS_TMP is not meant for TRTLENS_TOP
    const bool is_short = setting.source.size() < std::string_view(kPrefix).size() + kShortName;
    if (is_short || edit_distance(variable, setting.source) > 1) continue;
    diagnostics.push_back(error_of("environment-unknown-setting", variable, setting.source,
                                   "another name, one letter off"));
    return;
  }
}

// Every variable that is a setting, without its value.
std::vector<Setting> variables_of(const std::vector<SettingName>& table) {
  std::vector<Setting> known;
  for (const SettingName& row : table) {
    for (const std::string& command : {std::string(), row.command}) {
      Setting setting;
      setting.command = command;
      setting.name = row.name;
      setting.source = setting_variable(command, row.name);
      known.push_back(std::move(setting));
    }
  }
  return known;
}

std::vector<Setting> read_environment(const std::vector<SettingName>& table,
                                      std::vector<Diagnostic>& diagnostics) {
  const std::vector<Setting> known = variables_of(table);
  const po::options_description any;
  const po::parsed_options parsed =
      po::parse_environment(any, [&](const std::string& variable) -> std::string {
        if (variable.compare(0, kPrefix.size(), kPrefix) != 0) return {};
        for (const Setting& setting : known) {
          if (setting.source == variable) return variable;
        }
        check_variable(variable, known, diagnostics);
        return {};
      });
  std::vector<Setting> settings;
  for (const po::option& option : parsed.options) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const Setting& setting) {
      return setting.source == option.string_key;
    });
    // Empty is as good as not set.
    if (found == known.end() || option.value.empty() || option.value[0].empty()) continue;
    settings.push_back(*found);
    settings.back().value = option.value[0];
  }
  return settings;
}

std::vector<Setting> read_config(const std::string& path, const std::vector<SettingName>& table,
                                 std::vector<Diagnostic>& diagnostics) {
  std::string bytes;
  std::string error;
  if (!read_small_file(path, kMaxConfigBytes, bytes, error)) {
    diagnostics.push_back(error_of("config-unreadable", path, "a readable file", error));
    return {};
  }
  if (bytes.size() > kMaxConfigBytes) {
    diagnostics.push_back(error_of("config-too-large", path,
                                   fmt::format("at most {} bytes", kMaxConfigBytes), "more"));
    return {};
  }
  Config config = parse_config(bytes, path, table);
  diagnostics.insert(diagnostics.end(), std::make_move_iterator(config.diagnostics.begin()),
                     std::make_move_iterator(config.diagnostics.end()));
  return std::move(config.settings);
}

// The first layer that names a setting has it; in a layer, what is said of the command alone comes
// before what is said of all.
std::vector<Setting> first_that_say(const std::vector<std::vector<Setting>>& layers,
                                    const std::string& command, const std::string& name) {
  std::vector<Setting> found;
  for (const std::vector<Setting>& layer : layers) {
    for (const std::string& of : {command, std::string()}) {
      for (const Setting& setting : layer) {
        if (setting.command == of && setting.name == name) found.push_back(setting);
      }
      if (!found.empty()) return found;
    }
  }
  return found;
}

}  // namespace

std::string setting_variable(const std::string& command, const std::string& name) {
  std::string variable = (command.empty() ? "" : command + "_") + name;
  std::ranges::replace(variable, '-', '_');
  return std::string(kPrefix) + upper_case(variable);
}

Settings read_settings(const std::string& command, std::string config_path,
                       const std::vector<SettingName>& table) {
  Settings settings;
  std::vector<std::vector<Setting>> layers;
  layers.push_back(read_environment(table, settings.diagnostics));
  if (config_path.empty()) {
    const char* named = std::getenv(kConfigVariable);
    if (named != nullptr) config_path = named;
  }
  if (!config_path.empty()) {
    layers.push_back(read_config(config_path, table, settings.diagnostics));
  }
  for (const std::vector<Setting>& layer : layers) {
    for (const Setting& setting : layer) {
      if (!setting.command.empty() && setting.command != command) {
        settings.others.push_back(setting);
      }
    }
  }
  for (const SettingName& row : table) {
    if (row.command != command) continue;
    for (Setting& setting : first_that_say(layers, command, row.name)) {
      settings.own.push_back(std::move(setting));
    }
  }
  return settings;
}

}  // namespace trtlens

// A build with messages, for the message rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::test {

inline constexpr const char* kEngineNull =
    "Error[2]: [builder.cpp::buildSerializedNetwork::751] Error Code 2: Internal Error (Assertion "
    "engine != nullptr failed. )";

class Case {
 public:
  explicit Case(Outcome outcome = Outcome::failed) {
    build.outcome = outcome;
    build.has_log = true;
    build.command = "trtexec --onnx=m.onnx";
    input.path = "build.log";
  }
  Case& version(int major, int minor, int patch) {
    build.tensorrt = Version{major, minor, patch, std::nullopt, VersionSource::banner};
    return *this;
  }
  Case& say(LogSeverity severity, const std::string& text, std::uint64_t count = 1) {
    Message message;
    message.severity = severity;
    message.text = text;
    message.count = count;
    message.pos.line = line;
    line += count;
    build.messages.push_back(message);
    return *this;
  }
  Case& error(const std::string& text, std::uint64_t count = 1) {
    return say(LogSeverity::error, text, count);
  }
  Case& tail() {
    return error(kEngineNull)
        .error("Engine could not be created from network")
        .error("Building engine failed")
        .error("Failed to create engine from model or file.")
        .error("Engine set up failed");
  }
  [[nodiscard]] std::vector<Finding> findings() const {
    return match_message_rules(build, {input}, embedded_message_rules());
  }

  Build build;
  Input input;
  std::uint64_t line = 100;
};

}  // namespace trtlens::test

// JUnit XML, as Jenkins and GitLab read it: a test case for each finding. pugixml escapes markup;
// what XML 1.0 cannot hold is made visible first. Runners read it, too, on standard output.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

class StreamWriter : public pugi::xml_writer {
 public:
  explicit StreamWriter(TextStream& out) : out_(out) {}
  void write(const void* data, std::size_t size) override {
    out_ += std::string_view(static_cast<const char*>(data), size);
  }

 private:
  TextStream& out_;
};

void set(pugi::xml_node node, const char* name, const std::string& text) {
  node.append_attribute(name).set_value(escape_junit(text).c_str());
}

void set_lines(pugi::xml_node node, std::vector<std::string> lines) {
  for (std::string& line : lines) line = escape_junit(line);
  node.text().set(join(lines, "\n").c_str());
}

std::vector<std::string> body_of(const GateEntry& entry) {
  std::vector<std::string> lines = entry.lines;
  if (!entry.file.empty()) {
    lines.insert(lines.begin(),
                 entry.line > 0 ? fmt::format("{}:{}", entry.file, entry.line) : entry.file);
  }
  lines.push_back("fingerprint " + entry.fingerprint);
  return lines;
}

// Test histories go by name: no number in it that changes from run to run.
std::string name_of(const GateEntry& entry, std::map<std::string, int>& used) {
  constexpr std::size_t kWidth = 120;
  std::string name = entry.build.empty() ? "" : elide_middle(visible(entry.build), kWidth) + ": ";
  name += entry.finding->rule;
  if (!entry.subject.empty()) name += ": " + elide_middle(visible(entry.subject), kWidth);
  const int n = ++used[name];
  return n > 1 ? fmt::format("{} #{}", name, n) : name;
}

void add_case(const GateEntry& entry, const std::string& command, std::map<std::string, int>& used,
              pugi::xml_node suite) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", "trtlens." + command + "." + entry.finding->category);
  set(test, "name", name_of(entry, used));
  const char* element = entry.state == EntryState::fails      ? "failure"
                        : entry.state == EntryState::error    ? "error"
                        : entry.state == EntryState::accepted ? "skipped"
                                                              : nullptr;
  if (element == nullptr) {
    std::vector<std::string> lines = body_of(entry);
    lines.insert(lines.begin(), headline_of(entry));
    set_lines(test.append_child("system-out"), std::move(lines));
    return;
  }
  pugi::xml_node result = test.append_child(element);
  const bool accepted = entry.state == EntryState::accepted;
  set(result, "message", (accepted ? "accepted by the baseline: " : "") + headline_of(entry));
  if (!accepted) {
    set(result, "type", entry.finding->rule);
    set_lines(result, body_of(entry));
  }
}

void write_junit(const GateReport& report, const std::string& version, TextStream& out) {
  std::map<EntryState, std::size_t> count;
  for (const GateEntry& entry : report.entries) ++count[entry.state];
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", "trtlens " + report.command + " " + report.title);
  for (const auto& [name, n] : {std::pair("tests", report.entries.size() + 1),
                                std::pair("failures", count[EntryState::fails]),
                                std::pair("errors", count[EntryState::error]),
                                std::pair("skipped", count[EntryState::accepted])}) {
    set(suite, name, std::to_string(n));
  }
  pugi::xml_node properties = suite.append_child("properties");
  for (const auto& [name, value] :
       {std::pair("trtlens", version), std::pair("verdict", report.verdict),
        std::pair("fail-on", report.fail_on)}) {
    pugi::xml_node property = properties.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }
  // A suite without a test is an error to some readers.
  pugi::xml_node read = suite.append_child("testcase");
  set(read, "classname", "trtlens." + report.command);
  set(read, "name", "inputs were read");
  std::map<std::string, int> used;
  for (const GateEntry& entry : report.entries) add_case(entry, report.command, used, suite);
  StreamWriter writer(out);
  document.save(writer, "  ", pugi::format_default, pugi::encoding_utf8);
}

}  // namespace

const Writer writer_junit{"junit", "xml", nullptr, write_junit};

}  // namespace trtlens

// The command `redact`: inputs without the names of their owner.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "parsers/input/file_id.h"
#include "parsers/redact/redacted_copy.h"
#include "report/cli/commands.h"
#include "report/cli/output_file.h"
#include "report/cli/redaction.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

// 0 or errno.
int copy_to(int fd, const std::string& path, Redactor& redactor, CopyEnd& end) {
  int error = 0;
  end = copy_redacted(path, redactor, [&](std::string_view piece) {
    if (error == 0 && !write_all(fd, piece.data(), piece.size())) error = errno;
    return error == 0;
  });
  return error;
}

bool cannot_write(const std::string& path, int error) {
  if (error != 0) complain("cannot write " + path + ": " + std::strerror(error));
  return error != 0;
}

bool print_redacted(const RedactArguments& arguments, Redactor& redactor) {
  CopyEnd end;
  const int error = copy_to(STDOUT_FILENO, arguments.paths.front(), redactor, end);
  if (!end.why.empty()) complain(input_text(arguments.paths.front()) + ": " + end.why);
  return !cannot_write("standard output", error) && end.why.empty();
}

// False after an error, which is printed. What cannot be read as text is left out.
bool write_redacted(const RedactedFile& file, const RedactArguments& arguments, Redactor& redactor,
                    std::size_t& written) {
  const std::filesystem::path target = std::filesystem::path(arguments.output) / file.name;
  std::error_code made;
  std::filesystem::create_directories(target.parent_path(), made);
  if (made) return !cannot_write(target.parent_path().string(), made.value());
  OutputFile output;
  if (cannot_write(target.string(), output.open(target.string()))) return false;
  CopyEnd end;
  if (cannot_write(target.string(), copy_to(output.fd(), file.path, redactor, end))) return false;
  if (!end.why.empty()) {
    const bool is_lost = file.is_named || end.is_part;  // others may lie about in a directory
    if (!arguments.quiet || is_lost) complain(file.path + ": " + end.why + ": left out");
    return !is_lost;
  }
  ++written;
  return !cannot_write(target.string(), output.commit());
}

// What lies in it already would be taken for a part of the set.
bool is_free(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return true;
  if (std::filesystem::is_directory(folder, error) && std::filesystem::is_empty(folder, error)) {
    return true;
  }
  complain("-o " + folder + ": a new or empty directory is wanted");
  return false;
}

bool write_map(const std::string& path, const Redactor& redactor) {
  std::string text;
  for (const auto& [name, word] : redactor.names()) {
    text += name;
    text += "\t";
    text += word;
    text += "\n";
  }
  return !cannot_write(path, write_file(path, text));
}

bool write_all_redacted(const RedactArguments& arguments, Redactor& redactor) {
  const RedactedFiles found = redacted_files(arguments.paths, redactor);
  for (const std::string& why : found.unreadable) complain(why);
  bool is_good = found.unreadable.empty();
  std::size_t written = 0;
  for (const RedactedFile& file : found.files) {
    is_good = write_redacted(file, arguments, redactor, written) && is_good;
  }
  if (written == 0) complain("nothing that could be redacted");
  if (written > 0 && !arguments.quiet) {
    complain(count_text(written, "file", "files") + " in " + arguments.output);
  }
  return is_good && written > 0;
}

// It may be an input, or a copy that was just written.
bool is_map_taken(const RedactArguments& arguments) {
  const bool is_taken = !arguments.map.empty() && file_id(arguments.map).has_value();
  if (is_taken) complain("--map " + arguments.map + ": a new file is wanted");
  return is_taken;
}

}  // namespace

int run_redact(const RedactArguments& arguments) {
  RuleOptions rules;
  rules.paths = arguments.rules;
  AnalyzeOptions how;
  if (!set_rules(rules, {}, how)) return kExitFailure;
  std::error_code ignored;
  const bool to_stdout = arguments.output.empty() || arguments.output == "-";
  const bool is_one = arguments.paths.size() == 1 &&
                      !std::filesystem::is_directory(arguments.paths.front(), ignored);
  if (to_stdout && !is_one) {
    complain("several files, or a directory: -o DIR is wanted");
    return kExitFailure;
  }
  if ((!to_stdout && !is_free(arguments.output)) || is_map_taken(arguments)) return kExitFailure;
  const std::shared_ptr<Redactor> redactor = new_redactor();
  redactor->know(searched_by_rules(how.rules.get()));
  const bool is_good =
      to_stdout ? print_redacted(arguments, *redactor) : write_all_redacted(arguments, *redactor);
  const bool has_map =
      arguments.map.empty() || (!is_map_taken(arguments) && write_map(arguments.map, *redactor));
  return is_good && has_map ? kExitDone : kExitFailure;
}

CommandRow redact_command(RedactArguments& a) {
  return {
      "redact",
      "copies of logs and exports without the names of their owner, to show to others",
      "Examples:\n"
      "  trtlens redact build.log layers.json profile.json -o to-show/\n"
      "  trtlens redact build/ -o to-show/ --map names.tsv\n"
      "  trtlens redact build.log > to-show.log\n"
      "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens redact - > to-show.log\n"
      "\n"
      "One word has one name in all files of a command. Findings and figures of the copies are "
      "those of the originals. Numbers, shapes, operators, kernels, versions, dates and the GPU "
      "stay: docs/redact.md says what that tells. Files are copied without compression; binary "
      "ones are left out. Exit status: 0 done; 2 a file could not be read or written.",
      {{"PATH", &a.paths, "logs, exports or directories of them; - is standard input", "", true},
       {"-o,--output", &a.output,
        "a new directory; without it one file is written to standard output", "DIR"},
       {"--map", &a.map, "write to FILE what each name stood for; it is not for others", "FILE"},
       {"--rules", &a.rules, "rules of your own, whose words stay", "DIR"},
       {"-q,--quiet", &a.quiet, "no notes"}}};
}

}  // namespace trtlens

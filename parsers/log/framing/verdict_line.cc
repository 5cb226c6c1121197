// Reads the producer, the version and the command of a verdict line.
#include "parsers/log/framing/verdict_line.h"

#include <re2/re2.h>

#include <array>
#include <cctype>

namespace trtlens {
namespace {

struct Word {
  std::string_view word;
  VerdictWord verdict;
};
// WAIVED: nothing was found wrong. TASK_…: 11.1's tuning loop, around the runs of its iterations.
constexpr std::array<Word, 7> kWords = {{{"RUNNING", VerdictWord::running},
                                         {"PASSED", VerdictWord::passed},
                                         {"WAIVED", VerdictWord::passed},
                                         {"FAILED", VerdictWord::failed},
                                         {"TASK_BEGIN", VerdictWord::task_begin},
                                         {"TASK_END", VerdictWord::task_end},
                                         {"TASK_ABORT", VerdictWord::task_end}}};

}  // namespace

bool read_verdict(std::string_view body, VerdictLine& verdict) {
  static const RE2 pattern(
      "&&&& ([A-Z_]+)(?: (\\S+))?(?: \\[TensorRT v([0-9.]+)\\])?(?: \\[b(\\d+)\\])?(?: # "
      "?(.*)|.*)?",
      RE2::Latin1);
  std::array<re2::StringPiece, 6> groups;
  if (!pattern.Match(re2::StringPiece(body.data(), body.size()), 0, body.size(), RE2::ANCHOR_BOTH,
                     groups.data(), static_cast<int>(groups.size()))) {
    return false;
  }
  const auto view = [&](std::size_t i) {
    return groups.at(i).data() == nullptr
               ? std::string_view()
               : std::string_view(groups.at(i).data(), groups.at(i).size());
  };
  for (const Word& known : kWords) {
    if (view(1) != known.word) continue;
    verdict = {known.verdict, view(2), view(3), view(4), view(5)};
    return true;
  }
  return false;
}

std::size_t banner_inside(std::string_view text) {
  constexpr std::string_view kBanner = "&&&& RUNNING TensorRT";
  for (std::size_t at = text.find(kBanner); at != std::string_view::npos;
       at = text.find(kBanner, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') return at;
  }
  return std::string_view::npos;
}

std::string producer_of_name(std::string_view name) {
  if (name.empty() || name == "#" || name == "TensorRT.trtexec") return "trtexec";
  if (name.find("tensorrt_rtx") != std::string_view::npos) return "tensorrt_rtx";
  std::string upper(name);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (upper.find("HARNESS") != std::string::npos) return "mlperf";
  return name.substr(0, 9) == "TensorRT." ? "sample" : "unknown";
}

bool is_tuning_child(std::string_view command) {
  return command.find("--tuningResultFile=") != std::string_view::npos;
}

}  // namespace trtlens

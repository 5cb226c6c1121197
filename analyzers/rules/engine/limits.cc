// What a card holds, whatever the values of a log are: a title of a dozen words, two sentences of
// why. A message stands whole in the evidence.
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "analyzers/labels.h"
#include "analyzers/rules/engine/matcher.h"

namespace trtlens::message_rules {
namespace {

constexpr int kTitleWords = 12;
constexpr std::string_view kNoWord = ",.:; ";

bool is_number(std::string_view word) {
  static const re2::RE2 number(R"([-+<]?\d[\d.,x]*)");
  while (!word.empty() && kNoWord.find(word.back()) != std::string_view::npos) {
    word.remove_suffix(1);
  }
  return re2::RE2::FullMatch(re2::StringPiece(word.data(), word.size()), number);
}

// A title ends at a bracket, which TensorRT's own names have: "{ForeignNode[a...b]}" is "region a
// to b", "in (Unnamed Layer* 12) [Constant]" is "in Unnamed Layer* #12 Constant".
std::string with_plain_names(const std::string& title) {
  static const re2::RE2 region(R"(((?s:.*?))(\{ForeignNode\[[^\n]*?\]\}))");
  static const re2::RE2 unnamed(R"(([^:] )\((Unnamed Layer\* )(\d+)\)(?:( )\[([^\]\n]{1,40})\])?)");
  std::string out, before, name;
  re2::StringPiece rest(title);
  while (re2::RE2::Consume(&rest, region, &before, &name)) {
    out += before;  // "Quantize op 12_scale{ForeignNode[a...b]}"
    const bool is_glued =
        !before.empty() && std::isalnum(static_cast<unsigned char>(before.back()));
    if (is_glued) out += ' ';
    out += name_label(name);
  }
  out.append(rest.data(), rest.size());
  re2::RE2::GlobalReplace(&out, unnamed, R"(\1\2#\3\4\5)");
  return out;
}

// ": This version of TensorRT does not support dynamic axes" -> ": no dynamic axes": what tells
// comes before the words run out.
void shorten_lead_in(std::string& title) {
  static const re2::RE2 lacks(": This version of TensorRT does not support (?:any )?");
  static const re2::RE2 takes(": This version of TensorRT only supports ");
  re2::RE2::Replace(&title, lacks, ": no ");
  re2::RE2::Replace(&title, takes, ": only ");
}

// "refuses [8,10,128] for x" -> "refuses 8x10x128 for x": a name or shape is no remark.
std::string with_open_values(std::string title) {
  static const re2::RE2 shape(R"(^([^(\[]*? )\[(-?\d+(?:, ?-?\d+)*)\])");
  static const re2::RE2 name(R"(^[^:]*? \[(\S+))");
  std::string before, value;
  if (re2::RE2::PartialMatch(title, shape, &before, &value)) {
    std::erase(value, ' ');
    std::ranges::replace(value, ',', 'x');
    re2::RE2::Replace(&title, shape, "");
    return before + value + title;
  }
  re2::StringPiece word;
  if (re2::RE2::PartialMatch(title, name, &word)) {
    const auto at = static_cast<std::size_t>(word.data() - title.data());
    std::string plain(word);
    std::erase_if(plain, [](char c) { return c == '[' || c == ']'; });
    title.replace(at - 1, word.size() + 1, plain);
  }
  return title;
}

// Where the words end that a title takes.
std::size_t title_end(std::string_view text) {
  int words = 0, numbers = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (const std::size_t bracket = word.find_first_of("(["); bracket != std::string_view::npos) {
      return word.starts_with("{ForeignNode[") ? at : at + bracket;  // one that is cut
    }
    words +=
        std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0; }) ? 1 : 0;
    numbers += is_number(word) ? 1 : 0;
    if (words > kTitleWords || numbers > 1) return at;
    at = end + 1;
  }
  return text.size();
}

}  // namespace

std::string said_of(const std::string& message) {
  static const re2::RE2 wrapped(R"(Error Code:? \d+: [\w ]{1,40} \(((?s:.{8,}?))\.?\s*\)?\s*$)",
                                re2::RE2::Latin1);
  // Without it a title would end at the first bracket.
  static const re2::RE2 headed(
      R"(^(?:Error\[\d+\]: |\d{1,2}: )?(?:\[[\w./+-]+\.(?:cpp|cu|cc|h|hpp)[\w:~()]*\] )?)"
      R"(((?s:.{8,}))$)",
      re2::RE2::Latin1);
  // "yolov7: /src/main.cpp:38: void serialize_engine(std::string&): Assertion `engine' failed."
  static const re2::RE2 of_glibc(R"(^\S+: \S+:\d+: [^\n]*: (Assertion `[^\n]+' failed)\.?\s*$)",
                                 re2::RE2::Latin1);
  // "onnxruntime.capi.onnxruntime_pybind11_state.EPFail: [ONNXRuntimeError] : 11 : EP_FAIL :
  // Non-zero status code returned while running TRTKernel_a node. Name:'b' Status Message: words"
  static const re2::RE2 of_onnxruntime(
      R"(\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : )"
      R"((?:Non-zero status code returned while running [^\n]*? Status Message: )?((?s:.{8,}))$)",
      re2::RE2::Latin1);
  // "torch._dynamo.exc.BackendCompilerFailed: words"
  static const re2::RE2 of_python(R"(^(?:\w+\.)+([A-Z]\w*: (?s:.{8,}))$)", re2::RE2::Latin1);
  std::string text;
  for (const re2::RE2* of : {&wrapped, &of_glibc, &of_onnxruntime, &of_python, &headed}) {
    if (re2::RE2::PartialMatch(message, *of, &text)) return text;
  }
  return message;
}

std::string sentence_of(const std::string& message) {
  static const re2::RE2 compared(R"(condition '[<=>!]{1,2}' violated: )", re2::RE2::Latin1);
  std::string said = said_of(message);
  re2::RE2::Replace(&said, compared, "");
  // Few messages are of a check, and the pattern of one takes a millisecond to compile.
  if (said.find("Parameter check failed") == std::string::npos) return said;
  static const re2::RE2 check(
      R"(^(?:.*: )?Parameter check failed[^\n]{0,300}?,? condition: ((?s:.+?))\)?$)",
      re2::RE2::Latin1);
  static const re2::RE2 with_words(R"(\. ([A-Z][\w-]* [^\n]{4,}))", re2::RE2::Latin1);
  std::string condition, words;
  if (!re2::RE2::PartialMatch(said, check, &condition)) return said;
  if (re2::RE2::PartialMatch(condition, with_words, &words)) return words;
  // said_of() takes the brackets at the end for its own.
  const auto open = std::ranges::count(condition, '('), closed = std::ranges::count(condition, ')');
  condition.append(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, open - closed)), ')');
  return "the condition " + condition + " does not hold";
}

std::string short_title(const std::string& whole) {
  std::string title = with_open_values(with_plain_names(whole));
  shorten_lead_in(title);
  // "(/opt/libx.so: undefined symbol: f)": nothing would be left in front of the bracket.
  title.erase(0, std::min(title.find_first_not_of("(["), title.size()));
  // "in a region: {node}", where the node's label says so, too.
  const std::size_t twice = title.find(" region: region ");
  if (twice != std::string::npos) title.erase(title.find("region ", twice + 2), 7);
  const std::size_t colon = title.find(": ");
  // A quote that is bracketed from its beginning would be lost.
  if (colon != std::string::npos && title.find_first_of("([", colon) == colon + 2) {
    const auto is_bracket = [](char c) {
      return std::string_view("()[]").find(c) != std::string_view::npos;
    };
    title.erase(
        std::remove_if(title.begin() + static_cast<std::ptrdiff_t>(colon), title.end(), is_bracket),
        title.end());
  }
  const std::size_t end = title_end(title);
  if (end == title.size()) return title;
  std::string text = title.substr(0, end);
  text.resize(text.find_last_not_of(' ') + 1);
  // A quote goes on; where nothing of it is left, or "inputs" of "inputs.at(0).is_tensor()", the
  // title does without.
  const bool is_in_quote = colon != std::string::npos && text.size() > colon + 1;
  const bool is_part_of_word =
      end > 0 && title[end - 1] != ' ' && (title[end] == '(' || title[end] == '[');
  if (is_in_quote && is_part_of_word && text.find(' ', colon + 2) == std::string::npos) {
    return title.substr(0, colon);
  }
  text.resize(text.find_last_not_of(kNoWord) + 1);
  return is_in_quote ? text + "…" : text;
}

std::string first_sentences(const std::string& text, int most) {
  static const re2::RE2 end(R"(([.?!]["')]*)\s+\S)");
  re2::StringPiece rest(text), close;
  for (int n = 0; n < most; ++n) {
    if (!re2::RE2::FindAndConsume(&rest, end, &close)) return text;
  }
  return text.substr(0, static_cast<std::size_t>(close.data() - text.data()) + close.size());
}

Finding within_limits(Finding finding) {
  finding.title = short_title(finding.title);
  finding.why = first_sentences(finding.why, 2);
  return finding;
}

}  // namespace trtlens::message_rules

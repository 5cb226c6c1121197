// Hostile strings in every escape function.
#include "report/formats/escape.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/locale/utf.hpp>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analyzers/gate/sha256.h"
#include "report/formats/html/parts.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_escape_test {
namespace {

const std::vector<std::string>& hostile_strings() {
  static const std::vector<std::string> all = {sample::kScript, sample::kShell, sample::kNewline,
                                               sample::kBidi,   sample::kTable, sample::kControl};
  return all;
}

TEST(Visible, ShowsWhatWouldActOnTheReader) {
  EXPECT_EQ(visible("plain /conv_1 · ≤ 日本"), "plain /conv_1 · ≤ 日本");
  EXPECT_EQ(visible("a\nb\tc"), "a\\x0ab\\x09c");
  EXPECT_EQ(visible("a\nb", true), "a\nb");
  EXPECT_EQ(visible("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(visible("\xE2\x80\xAE"), "\\u202e");          // right-to-left override
  EXPECT_EQ(visible("\xE2\x80\x8B"), "\\u200b");          // zero-width space
  EXPECT_EQ(visible("\xEF\xBB\xBF"), "\\ufeff");          // byte-order mark
  EXPECT_EQ(visible("\xC2\x85"), "\\u0085");              // C1 control
  EXPECT_EQ(visible("\xF3\xA0\x81\x81"), "\\U000e0041");  // tag character
}

// As many as Unicode's files count: 4174 of Default_Ignorable_Code_Point, 65 + 2 of Cc, Zl and Zp,
// 19 more of Cf, U+2800; besides 66 noncharacters.
TEST(Visible, ShowsWhatUnicodeSaysIsNotSeen) {
  std::size_t written_out = 0;
  std::vector<std::uint32_t> missing = {0x17B4, 0x17B5, 0x180B,  0x180F,  0x2800,  0xFFA0,
                                        0x115F, 0x1160, 0x3164,  0x34F,   0xAD,    0x1BCA0,
                                        0xFE0F, 0xFFF9, 0x1343F, 0x1D173, 0xE0100, 0xE0FFF};
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string character;
    boost::locale::utf::utf_traits<char>::encode(code, std::back_inserter(character));
    const std::string shown = visible(character);
    if (shown == character) continue;
    ++written_out;
    std::erase(missing, code);
    EXPECT_EQ(shown, code < 0x80      ? fmt::format("\\x{:02x}", code)
                     : code <= 0xFFFF ? fmt::format("\\u{:04x}", code)
                                      : fmt::format("\\U{:08x}", code));
  }
  EXPECT_EQ(written_out, 4174U + 65 + 2 + 19 + 1 + 66);
  EXPECT_TRUE(missing.empty()) << missing.front();
  for (const char* seen : {"a", "\u00a0", "\u0301", "\u0600", "\u17b6", "\u2801", "\uffa1"}) {
    EXPECT_EQ(visible(seen), seen);
  }
}

TEST(Visible, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(visible("\xFFx"), "\\xffx");
  EXPECT_EQ(visible("\xC0\x80"), "\\xc0\\x80");           // overlong NUL
  EXPECT_EQ(visible("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(visible("\xE2\x82"), "\\xe2\\x82");           // cut
  EXPECT_EQ(visible("\xF5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Visible, AnyTwoBytesBecomeValidPrintableText) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string raw = {static_cast<char>(a), static_cast<char>(b)};
      const std::string out = visible(raw);
      for (const char c : out) {
        ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f') << a << ' ' << b;
      }
      ASSERT_NO_THROW((void)nlohmann::json(out).dump()) << a << ' ' << b;  // throws unless UTF-8
      ASSERT_EQ(visible(out), out);
    }
  }
}

TEST(WithoutRunnerCommands, ShowsWhatARunnerWouldObey) {
  EXPECT_EQ(without_runner_commands("::error::x\n  ::debug::y\n"),
            "\\x3a:error::x\n  \\x3a:debug::y\n");
  EXPECT_EQ(without_runner_commands("\u2003\x1b[1m::x"), "\u2003\x1b[1m\\x3a:x");
  EXPECT_EQ(without_runner_commands("a ##[error]##[x"), "a \\x23#[error]\\x23#[x");
  EXPECT_EQ(without_runner_commands("###[x"), "#\\x23#[x");
  EXPECT_EQ(without_runner_commands("a ##vso[task.x]y"), "a \\x23#vso[task.x]y");
  EXPECT_EQ(without_runner_commands("##teamcity[x]"), "\\x23#teamcity[x]");
  EXPECT_EQ(without_runner_commands("--- x\n+++ x\n~~~ x\n ^^^ +++"),
            "\\x2d-- x\n\\x2b++ x\n\\x7e~~ x\n \\x5e^^ +++");
  for (const char* harmless : {"", "\n", "std::vector", ": : x", "x ::y", "# #[x]", "##x",
                               "## vso[x]", "---\nx", "--int8", "\n\nx"}) {
    EXPECT_EQ(without_runner_commands(harmless), harmless);
  }
}

TEST(WithoutRunnerCommands, OtherFormatsToo) {
  EXPECT_EQ(escape_markdown("::Error::x"), "\\::Error::x");
  EXPECT_EQ(escape_markdown("a::b"), "a::b");
  EXPECT_EQ(markdown_code("##[error]x", false), "`\\x23#[error]x`");
  const std::string json = visible_json("\"##[error]x##\"");
  EXPECT_EQ(json, "\"\\u0023#[error]x##\"");
  EXPECT_EQ(nlohmann::json::parse(json), "##[error]x##");
  EXPECT_EQ(visible_json("\"a#b ##\u202ec\x7f\u00e9#\U000e0001##[\""),
            "\"a#b ##\\u202ec\\u007f\u00e9#\\udb40\\udc01\\u0023#[\"");
  EXPECT_EQ(visible_json(""), "");
}

TEST(WithoutRunnerCommands, PieceByPiece) {
  std::string text;
  TextStream out([&](std::string_view piece) { text += piece; });
  RunnerSafeLines lines(out);
  for (const char* piece : {"a\n:", ":error::x\n", "#", "#[x", "]\n::y"}) {
    lines.stream() += piece;
    lines.stream().flush();
  }
  lines.finish();
  out.flush();
  EXPECT_EQ(text, "a\n\\x3a:error::x\n\\x23#[x]\n\\x3a:y");
}

TEST(EscapeJunit, LeavesNoCommand) {
  EXPECT_EQ(escape_junit("::error::x\n##vso[y]"), "\\x3a:error::x\\x0a\\x23#vso[y]");
  EXPECT_EQ(escape_junit("onnx::Conv_1 <&>"), "onnx::Conv_1 <&>");
}

TEST(EscapeSarif, LeavesNoLink) {
  EXPECT_EQ(escape_sarif("[a](https://x) [b] (c) {0}"), "[a]\\(https://x) [b] (c) {0}");
  EXPECT_EQ(escape_sarif("a\nb"), "a\\x0ab");
}

TEST(EscapeGithub, OneLine) {
  EXPECT_EQ(escape_github({"100 %\n::x", "b"}), "100 %25\\x0a::x%0Ab");
  EXPECT_EQ(escape_github({"##vso[x]"}), "\\x23#vso[x]");
  EXPECT_EQ(escape_github_property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
}

TEST(FittingBytes, EndsBetweenCharacters) {
  EXPECT_EQ(fitting_bytes("日本語", 5), 6U);
  EXPECT_EQ(fitting_bytes("e\u0301x", 1), 3U);  // with what combines
  EXPECT_EQ(fitting_bytes("abc", 9), 3U);
  EXPECT_EQ(fitting_bytes("", 9), 0U);
}

TEST(EscapeHtml, LeavesNoMarkup) {
  EXPECT_EQ(escape_html("<a href=\"x\" b='y'>&"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
  for (const std::string& text : hostile_strings()) {
    EXPECT_EQ(escape_html(text).find_first_of("<>\"'\n"), std::string::npos) << text;
  }
}

TEST(EscapeHtml, StartsNoLineWithACommand) {
  EXPECT_EQ(escape_html("::error::'x'"), "&#58;:error::&#39;x&#39;");
  EXPECT_EQ(escape_html("a ##vso[x]#'[y"), "a &#35;#vso[x]#&#39;[y");
  EXPECT_EQ(nlohmann::json::parse(json_in_html("##vso[x]")), "##vso[x]");
  EXPECT_EQ(json_in_html("##vso[x]"), "\"\\u0023#vso[x]\"");
}

TEST(JsonInHtml, ParsesBackAndCannotEndAScript) {
  for (const std::string& text : hostile_strings()) {
    const std::string json = json_in_html(text);
    EXPECT_EQ(json.find_first_of("<>&\n"), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(json).get<std::string>(), visible(text));
  }
}

TEST(EscapeMarkdown, DisarmsMarkupMentionsAndReferences) {
  EXPECT_EQ(escape_markdown("a|b `c` *d* _e_ [f](g)"), "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g)");
  EXPECT_EQ(escape_markdown("conv_1_x _"), "conv_1_x \\_");
  EXPECT_EQ(escape_markdown("<b>&amp;&#x1;"), "&lt;b>&amp;amp;&amp;#x1;");
  EXPECT_EQ(escape_markdown("</b><!--<?x"), "&lt;/b>&lt;!--&lt;?x");
  EXPECT_EQ(escape_markdown("  > a"), "&#32; &gt; a");
  EXPECT_EQ(escape_markdown("a <"), "a &lt;");  // "b>" may stand behind it
  EXPECT_EQ(escape_markdown("a &"), "a &amp;");
  EXPECT_EQ(escape_markdown("@nvidia #12"), "@&#8203;nvidia #&#8203;12");
  EXPECT_EQ(escape_markdown("a #b GH-12 gl-3 x-4 !5 ~6"),
            "a #b GH-&#8203;12 gl-&#8203;3 x-4 !&#8203;5 \\~&#8203;6");
  EXPECT_EQ(escape_markdown("2>&1 &1"), "2>&1 &&#8203;1");
  EXPECT_EQ(escape_markdown("https://x www.y WWW.z a@b.c"),
            "https:&#8203;//x www&#8203;.y WWW&#8203;.z a@&#8203;b.c");
  EXPECT_EQ(escape_markdown("log:100:2 onnx::Conv a: b: c.cpp::Run::1"),
            "log:&#8203;100:2 onnx::Conv a: b: c.cpp::Run::1");
  for (const char* block : {"- item", "-", "---", "+ item", "# a", "/close", "==="}) {
    EXPECT_EQ(escape_markdown(block), std::string("\\") + block);
  }
  EXPECT_EQ(escape_markdown("12. item"), "12\\. item");
  EXPECT_EQ(escape_markdown("2) item"), "2\\) item");
  EXPECT_EQ(escape_markdown("    code"), "&#32;   code");
  for (const char* plain :
       {"-0.5 ms", "+0.5 ms", "0.5 ms", "12", "a - b", "a # b", "a <= 5 && b > 1", "1U << 2"}) {
    EXPECT_EQ(escape_markdown(plain), plain);
  }
  EXPECT_EQ(escape_markdown("a\n# b").find('\n'), std::string::npos);
}

TEST(EscapeMarkdownInline, OpensNoBlock) {
  EXPECT_EQ(escape_markdown_inline("/close - *x* ::y"), "/close - \\*x\\* ::y");
}

TEST(EscapeMarkdownHtml, LeavesNoMarkupLinkOrMention) {
  EXPECT_EQ(escape_markdown_html("<b>&@x #1 https://y _z_"),
            "&lt;b&gt;&amp;@&#8203;x #&#8203;1 https:&#8203;//y _z_");
  EXPECT_EQ(escape_markdown_html("::x"), "\\x3a:x");
}

TEST(MarkdownCode, FenceIsLongerThanAnyRunInside) {
  EXPECT_EQ(markdown_code("abc", false), "`abc`");
  EXPECT_EQ(markdown_code("a`b", false), "``a`b``");
  EXPECT_EQ(markdown_code("``a", false), "``` ``a ```");
  EXPECT_EQ(markdown_code("a|b", true), "`a\\|b`");
  EXPECT_EQ(markdown_code("a|b", false), "`a|b`");
  EXPECT_EQ(markdown_code("", true), "");
}

TEST(ElideMiddle, KeepsBothEndsAndTheWidth) {
  EXPECT_EQ(elide_middle("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(elide_middle("abcdefghij", 5), "ab…ij");
  EXPECT_EQ(elide_middle("abcdefghij", 1), "…");
  EXPECT_EQ(elide_middle("日本語日本語", 6), "日…語");
  const std::string text = "/层/conv1/Conv + /层/relu/Relu é 日本";
  for (std::size_t width = 1; width < 40; ++width) {
    EXPECT_LE(display_width(elide_middle(text, width)), width);
    EXPECT_EQ(visible(elide_middle(text, width)), elide_middle(text, width));  // no cut character
  }
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("e\xCC\x81"), 1U);  // combining accent
}

TEST(Base64, Rfc4648Vectors) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

std::string hex(const std::string& text) {
  static constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : sha256(text)) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

TEST(Sha256, Fips180Vectors) {
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(csp_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

}  // namespace
}  // namespace trtlens::report_escape_test

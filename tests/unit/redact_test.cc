// Which words of a text are replaced, and that the others are those that TensorRT's lines are known
// by.
#include "parsers/redact/redactor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/ledgers/devices.h"
#include "analyzers/rules/engine/message_rules.h"
#include "parsers/log/grammar/line_kind.h"
#include "parsers/redact/redacted_copy.h"
#include "tests/temp_folder.h"

namespace trtlens::redact_test {
namespace {

// With the words of the rules, as commands have it.
Redactor& knowing(Redactor& redactor) {
  redactor.know(searched_by_rules(nullptr));
  return redactor;
}

std::string redacted(std::string_view text) {
  Redactor redactor;
  return knowing(redactor).text(text);
}

TEST(Redact, APatternKeepsAnOperatorAsItIsSpelled) {
  Redactor redactor;
  redactor.know({"no kernel for (?P<op>Relu|Softmax)"});
  EXPECT_EQ(redactor.text("no kernel for Relu"), "no kernel for Relu");
  EXPECT_EQ(redactor.text("relu"), "pa");
}

TEST(Redact, NamesAndTheirPaths) {
  EXPECT_EQ(redacted("/encoder/layer1.0/conv1/Conv"), "/pa/pb1.0/pc1/Conv");
  EXPECT_EQ(redacted("encoder.layer2.weight encoder layer1"), "pa.pb2.weight pa pb1");
  EXPECT_EQ(redacted("my_net-v2.onnx"), "pa_pb-v2.onnx");
  EXPECT_EQ(redacted("encoderx xencoder encoder"), "pa pb pc");  // each within another one
}

TEST(Redact, OperatorsStayWithTheirNumbers) {
  for (const char* const text :
       {"Conv_12", "/Conv", "QuantizeLinear_7_clone_1", "onnx::Conv_193", "/MatMul_1_output_0",
        "PWN(PWN(/Sigmoid), /Mul)", "{ForeignNode[/Add.../MatMul_3]}",
        "(Unnamed Layer* 12) [Shuffle]", "Reformatting CopyNode for Input Tensor 0 to Conv_0",
        "[HostToDeviceCopy 0]", "[trainStation1]", "__myl_MulAddResTran_myl0_3",
        "transpose_before_/Gemm", "Conv_0 + Relu_1 || Conv_2"}) {
    EXPECT_EQ(redacted(text), text);
  }
  EXPECT_EQ(redacted("__myl_Secret_myl0_3"), "__myl_pa_myl0_3");
  EXPECT_EQ(redacted("convolver Convx CONVX"), "pa pb pc");
}

TEST(Redact, NumbersStay) {
  for (const char* const text : {"123", "/123/45", "1x3x224x224", "0x7fA0", "tactic0x7fa0",
                                 "12.5 ms", "16GiB", "1.5e-05", "3s", "-1", "[07/07/2026-02:11:00]",
                                 "2026-01-01T10:00:00.123Z", "Half(200704,1:8,448,2)"}) {
    EXPECT_EQ(redacted(text), text);
  }
  EXPECT_EQ(redacted("3fa9c1d2e"), "pa");
  EXPECT_EQ(redacted("id12345 id123456"), "pa12345 pb");
}

TEST(Redact, AddressesAndIds) {
  EXPECT_EQ(redacted("10.23.45.67"), "pa");
  EXPECT_EQ(redacted("TensorRT version: 10.3.0.26, 8.6.1"), "TensorRT version: 10.3.0.26, 8.6.1");
  EXPECT_EQ(redacted("10.23.45"), "10.23.45");
  EXPECT_EQ(redacted("10.23.45.256"), "10.23.45.256");
  EXPECT_EQ(redacted("8f3a1b2c-0d4e-4f5a-8b6c-123456789012"), "pa");
  EXPECT_EQ(redacted("ann@gpu7.example.com"), "pa@pb7.pc.com");
  EXPECT_EQ(redacted("fe80::1ff:fe23:4567:890a"), "pa");
  EXPECT_EQ(redacted("(::1:2:3, 10:11:12:13:14:15)"), "(pa, pb)");
  EXPECT_EQ(redacted("10:11:12, Add::1, 1:8, at 10:00:00:000"),
            "10:11:12, Add::1, 1:8, at 10:00:00:000");
}

TEST(Redact, KernelsStay) {
  for (const char* const text :
       {"sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize128x128x32_stage4",
        "volta_h884cudnn_256x64_ldg8_relu_exp_interior_nhwc_tn_v1",
        "Tactic Name: conv2d_grouped_direct_largeK_f16f16f16_nchw_nchw Tactic: 0x12"}) {
    EXPECT_EQ(redacted(text), text);
  }
  // A model whose name begins like a kernel's.
  EXPECT_EQ(redacted("ampere_secret_net"), "ampere_pa_pb");
  EXPECT_EQ(redacted("sm80_secret1"), "sm80_pa1");
  EXPECT_EQ(redacted("conv2d_1"), "pa_1");
  EXPECT_EQ(redacted("\"TacticName\": \"\", \"Name\": \"secret\""),
            "\"TacticName\": \"\", \"Name\": \"pa\"");
}

TEST(Redact, PlacesInTensorRtStay) {
  const std::string text =
      "[optimizer.cpp::computeCosts::3869] Error Code 2: Internal Error (Assertion !impls.empty() "
      "failed. ";
  EXPECT_EQ(redacted(text + "/secret/x)"), text + "/pa/x)");
  EXPECT_EQ(redacted("[8] Assertion failed: anyWord == 1\nsecret"),
            "[8] Assertion failed: anyWord == 1\npa");
  EXPECT_EQ(redacted("- Assertion failed: secret"), "- Assertion failed: pa");
  EXPECT_EQ(redacted("Assertion failed: secret, file D:\\work\\net.cpp").find("secret"),
            std::string::npos);
  EXPECT_EQ(redacted("secret.cpp:12"), "pa.cpp:12");
  EXPECT_EQ(redacted("libnvinfer_builder_resource_sm90.so.10.16.2"),
            "libnvinfer_builder_resource_sm90.so.10.16.2");
  EXPECT_EQ(redacted("libnvinfer_secret.so"), "libnvinfer_pa.so");
  EXPECT_EQ(redacted("xAutomatically netAutomatically setting"),
            "xAutomatically paAutomatically setting");
  EXPECT_EQ(redacted("[TensorRT v101600] [b72] b72x"), "[TensorRT v101600] [b72] pa");
}

TEST(Redact, WordsThatStandAlone) {
  EXPECT_EQ(redacted("input model x"), "input model x");  // TensorRT's own
  EXPECT_EQ(redacted("input/model/x"), "input/pa/x");     // a part of a name
  EXPECT_EQ(redacted("/model model_ model. --model"), "/pa pa_ model. --model");
  EXPECT_EQ(redacted("Spin-wait 0-byte my-model"), "Spin-wait 0-byte pa-pb");
  EXPECT_EQ(redacted("tensor-6"), "pa-6");
}

TEST(Redact, JsonEscapes) {
  Redactor redactor;
  const TextFilter filter = redactor.filter();
  std::string text(filter(R"(["\/secret\/Conv\u001e[ONNX Layer: secret]\nsecret\"secret"])"));
  text += filter("");
  EXPECT_EQ(text, R"(["\/pa\/Conv\u001e[ONNX Layer: pa]\npa\"pa"])");
  EXPECT_EQ(redacted(R"("\u00e4rger \u00e4rger")"), R"("pa pa")");
  EXPECT_EQ(redacted(R"(C:\Users\ann\new.onnx)").find("ann"), std::string::npos);
}

TEST(Redact, HostileNames) {
  EXPECT_EQ(redacted("pa pb pa"), "pa pb pa");  // as ours look
  EXPECT_EQ(redacted("zz pa zz"), "pa pb pa");
  EXPECT_EQ(redacted(".*+?[a-z](x)secret"), ".*+?[a-z](x)pa");
  EXPECT_EQ(redacted("\x1b[31msecret\x1b[0m"), "\x1b[pa\x1b[0m");
  EXPECT_EQ(redacted("\xff\xfe secret\xc3"), "pa pb");
  EXPECT_EQ(redacted(std::string("a\0secret", 8)), std::string("a\0pa", 4));
  EXPECT_EQ(redacted(""), "");
}

// No two words get one name, and none gets a word of TensorRT's.
TEST(Redact, NamesAreApart) {
  Redactor redactor;
  knowing(redactor);
  const Vocabulary vocabulary;
  constexpr std::size_t kWords = 30000;
  std::string last;
  for (std::size_t i = 1; i < kWords; ++i) {
    std::string word = "zq";
    for (std::size_t rest = i; rest > 0; rest /= 7) word += "bcdfgjk"[rest % 7];
    const std::string name = redactor.text(word);
    ASSERT_LT(last, name) << word;  // as they came
    ASSERT_FALSE(vocabulary.is_plain_word(name)) << name;
    ASSERT_EQ(redactor.text(word), name);
    last = name;
  }
}

TEST(Redact, NthName) {
  EXPECT_EQ(nth_name(0), "pa");
  EXPECT_EQ(nth_name(25), "pz");
  EXPECT_EQ(nth_name(26), "qaa");
  EXPECT_EQ(nth_name(26 + 675), "qzz");
  EXPECT_EQ(nth_name(26 + 676), "raaa");
}

TEST(Redact, AnyCutIsTheSame) {
  const std::string text =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v101600] [b72] # trtexec "
      "--onnx=/home/ann/secret.onnx\n"
      "[07/07/2026-02:11:00] [V] [TRT] Tactic Name: sm80_xmma_gemm_f16f16_x Tactic: 0x1 Time: 0.1\n"
      "{\"Name\": \"\\u00e4rger/Conv\", \"TacticName\": \"sm80_xmma_gemm_f16f16_x\"}";
  const std::string whole = redacted(text);
  for (const std::size_t bytes : {1U, 2U, 7U, 64U}) {
    Redactor redactor;
    const auto filter = knowing(redactor).filter();
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += bytes) {
      out += filter(std::string_view(text).substr(at, bytes));
    }
    out += filter("");
    EXPECT_EQ(out, whole) << bytes;
    EXPECT_EQ(filter(""), "");
  }
}

TEST(Redact, TwiceIsOnce) {
  const std::string once = redacted("/encoder/layer1.0/Conv of ann@host at 10.0.0.7: secret.onnx");
  EXPECT_EQ(redacted(once), once);
}

TEST(Redact, ALineWithoutABlankIsReadInPieces) {
  Redactor redactor;
  const auto filter = redactor.filter();
  std::size_t bytes = 0;
  for (int i = 0; i < 64; ++i) bytes += filter(std::string(4096, 'x')).size();
  EXPECT_GT(bytes, 0U);  // and not held until its end
}

TEST(Redact, Utf16) {
  const std::string text("\xff\xfes\0e\0c\0r\0e\0t\0\n\0", 16);
  Redactor redactor;
  const auto filter = redactor.filter();
  std::string out(filter(text));
  out += filter("");
  EXPECT_EQ(out, "pa\n");
  const auto utf8 = redactor.filter();
  EXPECT_EQ(utf8("\xEF\xBB\xBFsecret\n"), "\xEF\xBB\xBFpa\n");
}

TEST(Redact, PathsOfInputs) {
  Redactor redactor;
  EXPECT_EQ(redactor.path("-"), "-");
  EXPECT_EQ(redactor.path("runs/secret net/build.log"), "pa/pb pc/build.log");
  EXPECT_EQ(redactor.path("./layers.json"), "./layers.json");
}

// Rules that ask for what a name says, or whose message is of a program around TensorRT and has
// words that could be anybody's: some of their samples are silent.
const std::set<std::string> kReadsNames{"amirstan-plugin-not-loaded",
                                        "calibrator-method-missing",
                                        "calibrator-method-signature",
                                        "deepstream-element-missing",
                                        "deepstream-output-count-differs",
                                        "deepstream-parser-assertion",
                                        "dla-region-assert-7",
                                        "dla-standalone-qdq",
                                        "export-xformers-not-traceable",
                                        "gstreamer-optional-plugin-skipped",
                                        "if-branches-merged-decoder",
                                        "jetson-inference-no-such-builtin",
                                        "layernorm-fp16-channels-first",
                                        "library-needs-newer-libc",
                                        "library-needs-other-pytorch",
                                        "link-common-of-samples",
                                        "link-needs-of-tensorrt",
                                        "link-symbols-of-tensorrt",
                                        "onnx-function-not-inlined",
                                        "onnx-plugin-not-created",
                                        "onnx-tensorrt-source-directory",
                                        "paddle-trt-conversion-failed",
                                        "paddle-trt-shape-outside-range",
                                        "pip-tensorrt-wheel-other-python",
                                        "plugin-given-is-none",
                                        "plugin-source-assertion",
                                        "program-cuda-check-failed",
                                        "program-not-compiled",
                                        "program-plugin-assertion",
                                        "pycuda-copy-refused",
                                        "python-api-before-5",
                                        "python-module-not-tensorrt",
                                        "python-none-as-engine",
                                        "python-tensorrt-parts-missing",
                                        "pytorch-without-cuda",
                                        "quantizer-met-nan",
                                        "torch-constant-not-truncated",
                                        "torch-conversion-failed",
                                        "torch-converter-value-kind",
                                        "torch-engine-not-built",
                                        "torch-input-dtype-differs",
                                        "torch-jit-internal-assert",
                                        "torch-tensorrt-calibrator-pickle",
                                        "torchscript-op-needs-static-shape",
                                        "trtllm-architecture-unknown",
                                        "trtllm-engine-limit",
                                        "trtllm-engine-not-built",
                                        "trtllm-libraries-of-two-releases",
                                        "trtllm-plain-weights-for-quantized-layer",
                                        "trtllm-plugin-not-registered",
                                        "trtllm-plugin-scratch",
                                        "trtllm-step-failed",
                                        "ultralytics-export-no-engine",
                                        "yolo-output-without-plugin"};

// Whatever the grammar and the rules look for is left.
TEST(Redact, EverySampleOfALineStaysOfItsKind) {
  Redactor redactor;
  knowing(redactor);
  for (const LineKind* kind : LineKindTable::instance().kinds()) {
    Match match;
    const std::string sample = redactor.text(kind->sample);
    EXPECT_TRUE(LineKindTable::matches(*kind, sample, match)) << kind->id << ": " << sample;
  }
}

void redact_sample(RuleSample& sample, Redactor& redactor) {
  for (std::string* text : {&sample.text, &sample.timed_layer}) *text = redactor.text(*text);
  for (std::string& also : sample.also) also = redactor.text(also);
  for (RuleSample::Node& node : sample.nodes) {
    node.name = redactor.text(node.name);
    for (auto* names : {&node.inputs, &node.outputs}) {
      for (std::string& name : *names) name = redactor.text(name);
    }
  }
}

TEST(Redact, EverySampleOfARuleFiresIt) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<MessageRule> rules =
      load_message_rules(embedded_rule_files(), {}, diagnostics, SampleCheck::run);
  Redactor redactor;
  knowing(redactor);
  std::size_t samples = 0;
  std::set<std::string> silent;
  for (const MessageRule& rule : rules) {
    for (RuleSample sample : rule.samples) {
      if (sample.text.empty() || rule.is_consequence) continue;
      redact_sample(sample, redactor);
      ++samples;
      const std::vector<Finding> findings =
          match_message_rules(build_of_sample(rule, sample), {}, rules);
      const bool fires = std::ranges::any_of(
          findings, [&](const Finding& one) { return one.rule == rule.info.id; });
      if (fires || !sample.wins.empty()) continue;
      silent.insert(rule.info.id);
      if (!kReadsNames.contains(rule.info.id)) ADD_FAILURE() << rule.info.id << ": " << sample.text;
    }
  }
  EXPECT_EQ(silent, kReadsNames);
  EXPECT_GT(samples, 500U);
}

// In a log a backslash stands in a path of Windows; in JSON `\\n` ends a line.
TEST(Redact, BackslashesAreOfPathsOrOfJson) {
  EXPECT_EQ(redacted("--onnx=C:\\falcon\\new\\beta.onnx"), "--onnx=C:\\pa\\pb\\pc.onnx");
  Redactor redactor;
  const TextFilter filter = redactor.filter();
  std::string text(filter("{\"Name\": \"secret\\nbeta \\\"c\\\" C:\\\\falcon\"}"));
  text += filter("");
  EXPECT_EQ(text, "{\"Name\": \"pa\\npb \\\"c\\\" C:\\\\pc\"}");
}

// A condition is TensorRT's; what follows is told to people and names what it is about.
TEST(Redact, ConditionsEndWhereProseBegins) {
  EXPECT_EQ(
      redacted("Parameter check failed at: a/network.cpp::addInput::7, condition: nbDims >= 0 "
               "mismatch while setting shape for secret"),
      "Parameter check failed at: a/network.cpp::addInput::7, condition: nbDims >= 0 mismatch "
      "while setting shape for pa");
  EXPECT_EQ(redacted("\"Parameter check failed\"},{\"/secret/Conv\""),
            "\"Parameter check failed\"},{\"/pa/Conv\"");
}

TEST(Redact, LongWordsAndLongLinesWithoutBlanks) {
  std::string requires_many;
  for (int i = 0; i < 200000; ++i) requires_many += "requires";
  EXPECT_EQ(redacted(requires_many), "pa");
  std::string json = "[";
  for (int i = 0; i < 20000; ++i) json += "\"secret" + std::to_string(i % 7) + "\",";
  json += "1]";
  Redactor redactor;
  const TextFilter filter = redactor.filter();
  std::string text;
  constexpr std::size_t kChunk = 777;
  for (std::size_t at = 0; at < json.size(); at += kChunk) text += filter(json.substr(at, kChunk));
  text += filter("");
  EXPECT_EQ(redactor.names().size(), 1U);
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST(Redact, ShortAddressesAreOneWord) {
  EXPECT_EQ(redacted("fe80::1 and 2001:db8::7"), "pa and pb");
  EXPECT_EQ(redacted("root@10.1.2.3:/x 10.1.2.3/24 /opt/TensorRT-8.6.1.6/bin"),
            "root@pa:/x pa/24 /opt/TensorRT-8.6.1.6/bin");
  EXPECT_EQ(redacted("ip-10-1-2-3.internal root@ec2-54-1-2-255:/x"), "pa-pb.pc root@pd2-pe:/x");
  EXPECT_EQ(redacted("x-1-2-3 x-1-2-3-256 x-1-2-3-4-5 on 2026-11-27-4 -1-2-3-4"),
            "x-1-2-3 x-1-2-3-256 x-1-2-3-4-5 on 2026-11-27-4 -1-2-3-4");
  EXPECT_EQ(redacted("/run/550e8400-e29b-41d4-a716-446655440000/x"), "/run/pa/x");
  EXPECT_EQ(redacted("optimizer.cpp::computeCosts::3869"), "optimizer.cpp::computeCosts::3869");
}

TEST(Redact, GpusStay) {
  for (const Device& device : devices()) {
    EXPECT_EQ(redacted("Selected Device: NVIDIA " + device.name),
              "Selected Device: NVIDIA " + device.name);
  }
}

TEST(Redact, CopiesOfAFolder) {
  const TempFolder folder;
  (void)folder.write("secret/build.log", "secret\n");
  (void)folder.write("secret/build.log.gz", "plain\n");  // by its name alone
  (void)folder.write("secret/inner/net.json", "{}");
  (void)folder.write("secret/a/b/first.json", "{}");
  (void)folder.write("secret/a/b/c/deep.log", "too deep");
  (void)folder.write("other/build.log", "secret\n");
  const auto names_of = [](const std::vector<std::string>& paths, Redactor& redactor) {
    std::vector<std::string> names;
    for (const RedactedFile& file : redacted_files(paths, redactor).files) {
      names.push_back(file.name);
    }
    return names;
  };
  Redactor redactor;
  const std::string build = folder.at("secret/"), log = folder.at("secret/build.log");
  EXPECT_EQ(names_of({build}, redactor),
            (std::vector<std::string>{"build.log", "build.log.2", "a/b/pa.json", "pb/pc.json"}));
  EXPECT_EQ(names_of({build, log, folder.at("other/build.log"), "-"}, redactor),
            (std::vector<std::string>{"pd/build.log", "pd/build.log.2", "pd/a/b/pa.json",
                                      "pd/pb/pc.json", "build.log", "build.log.2", "stdin.txt"}));
  EXPECT_TRUE(redacted_files({build}, redactor).unreadable.empty());
  std::string text;
  const auto take = [&](std::string_view piece) {
    text += piece;
    return true;
  };
  EXPECT_EQ(copy_redacted(folder.at("secret/build.log"), redactor, take).why, "");
  EXPECT_EQ(text, "pd\n");
  EXPECT_NE(copy_redacted(folder.at("none.log"), redactor, take).why, "");
  EXPECT_NE(
      copy_redacted(folder.write("x.engine", std::string(64, '\0') + "ftrt\1\2\3"), redactor, take)
          .why,
      "");
}

}  // namespace
}  // namespace trtlens::redact_test

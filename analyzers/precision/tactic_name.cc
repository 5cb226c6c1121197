// Words that kernel libraries put into names: imma, hmma, dp4a, first_layer and the like.
#include "analyzers/precision/tactic_name.h"

#include <algorithm>
#include <initializer_list>

namespace trtlens {
namespace {

bool has_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

}  // namespace

// The instruction (imma), its shape (i8816, h1688, tensor16x8x16) or libraries of nothing else.
bool is_on_tensor_cores(std::string_view tactic) {
  return has_one_of(tactic, {"imma", "IMMA", "hmma", "HMMA", "qmma", "gmma", "i88", "884", "1688",
                             "16816", "16832", "tensor", "cublaslt", "fmha"});
}

bool is_off_tensor_cores(std::string_view tactic) {
  return !is_on_tensor_cores(tactic) &&
         has_one_of(tactic, {"int8x4", "dp4a", "idp", "scudnn", "hcudnn", "simt", "sgemm", "ffma",
                             "hfma", "gemvx"});
}

bool is_first_layer_kernel(std::string_view tactic) {
  return has_one_of(tactic, {"first_layer", "firstlayer", "FirstLayer"});
}

}  // namespace trtlens

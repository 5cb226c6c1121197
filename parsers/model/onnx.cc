#include "parsers/model/onnx.h"

namespace trtlens {

bool is_onnx_operator(std::string_view name) {
  std::string_view rest = kOnnxOperators;
  while (!rest.empty()) {
    const std::size_t end = rest.find(' ');
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return false;
}

}  // namespace trtlens

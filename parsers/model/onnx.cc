#include "parsers/model/onnx.h"

namespace trtlens {

bool has_name(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return false;
}

bool is_onnx_operator(std::string_view name) {
  return has_name(kOnnxOperators, name);
}

bool is_onnxruntime_operator(std::string_view name) {
  return has_name(kOnnxRuntimeOperators, name);
}

}  // namespace trtlens

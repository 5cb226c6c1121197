// Lines and bodies without what captures and programs put around them.
#pragma once

#include <string_view>

namespace trtlens {

inline constexpr auto kNowhere = std::string_view::npos;

// A line padded to the width of a terminal, or with the NULs of a file that was cut off.
[[nodiscard]] inline bool is_padded(std::string_view line) {
  return line.size() >= 2 && (line.back() == '\0' || line.substr(line.size() - 2) == "  ");
}
[[nodiscard]] std::string_view unpadded(std::string_view line);

// "…: 65533", "…=16x1x28x2", "… 10.1": whose last digit touches the end.
[[nodiscard]] bool ends_in_number(std::string_view line);

// "4: [network.cpp::validate::3004] Error Code 4: Internal Error (…)" to its last bracket: what
// stands on the next line is another text, unless it says itself that it is TensorRT's.
[[nodiscard]] bool is_whole_error(std::string_view body);

// "INFO: ../nvdsinfer/nvdsinfer_model_builder.cpp:610 …": DeepStream's own text, beside
// TensorRT's ("ERROR: [TRT]: …").
[[nodiscard]] bool is_of_deepstream(std::string_view line);

// A body as it would stand without what some programs and captures add: padding in front and
// behind, Polygraphy's time and place, the place in the ONNX parser before 7.x's messages.
[[nodiscard]] std::string_view plainer(std::string_view body);

}  // namespace trtlens

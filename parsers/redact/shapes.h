// What tokens look like that are names, or TensorRT's, as a whole.
#pragma once

#include <cstddef>
#include <string_view>

namespace trtlens {

// "10.0.0.7": versions of TensorRT have four parts as well.
[[nodiscard]] bool is_ipv4(std::string_view token);
// Behind the groups of hexadecimal digits of an address (IPv6, hardware) that begins at `at`; `at`:
// there is none.
[[nodiscard]] std::size_t end_of_address(std::string_view text, std::size_t at);
// Behind the IPv4 address or UUID that begins at `at`, where a token has it among other parts:
// "root@10.1.2.3:/x", "ip-10-1-2-3.internal"; `at`: there is none.
[[nodiscard]] std::size_t end_of_id(std::string_view token, std::size_t at);
// "8f3a1b2c-0d4e-4f5a-8b6c-1234567890ab", also behind "GPU-".
[[nodiscard]] bool is_uuid(std::string_view token);
// "optimizer.cpp::computeCosts::3869", where an error of TensorRT comes from.
[[nodiscard]] bool is_source_place(std::string_view token);
// By what it begins with, an architecture or a library.
[[nodiscard]] bool is_kernel(std::string_view token);
// "libnvinfer_builder_resource_sm90.so.10.16.2"
[[nodiscard]] bool begins_library(std::string_view file);
// "v101600", "b72"
[[nodiscard]] bool is_numbered(std::string_view word, char letter);

}  // namespace trtlens

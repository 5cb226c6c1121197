// The JSON Schemas of the machine-readable reports.
#pragma once

#include <string>
#include <vector>

namespace trtlens {

[[nodiscard]] std::vector<std::string> schema_names();  // "analyze", "compare"
// Draft 7, complete in itself; "" for any other name.
[[nodiscard]] std::string json_schema(const std::string& name);

}  // namespace trtlens

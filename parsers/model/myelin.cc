// Names of the kernels that Myelin generates.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "parsers/model/layers.h"

namespace trtlens {

std::vector<std::string_view> myelin_operators(std::string_view name) {
  constexpr std::string_view kPrefix = "__myl_";
  std::vector<std::string_view> operators;
  if (!name.starts_with(kPrefix)) return operators;
  name.remove_prefix(kPrefix.size());
  name = name.substr(0, name.find('_'));
  while (!name.empty()) {
    std::size_t end = 1;
    while (end < name.size() && (name[end] < 'A' || name[end] > 'Z')) ++end;
    operators.push_back(name.substr(0, end));
    name.remove_prefix(end);
  }
  return operators;
}

bool has_operators(const std::vector<std::string_view>& operators,
                   std::initializer_list<std::string_view> run) {
  return std::search(operators.begin(), operators.end(), run.begin(), run.end()) != operators.end();
}

}  // namespace trtlens

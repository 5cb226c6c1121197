// How a command reads; --redact: what is read and said without the names of its owner.
#pragma once

#include <memory>

#include "analyzers/rules/rule.h"
#include "parsers/redact/redactor.h"
#include "report/cli/output.h"

namespace trtlens {

[[nodiscard]] inline std::shared_ptr<Redactor> new_redactor() {
  return std::make_shared<Redactor>();
}

// Messages are kept that the rules know (null: the embedded ones). Reading is to redact when the
// output asks for it; words that the rules look for stay.
[[nodiscard]] inline ParseOptions parse_options(const OutputOptions& output,
                                                const RuleBase* rules) {
  ParseOptions options;
  options.known_message = known_message(rules);
  options.redactor = output.redactor.get();
  if (options.redactor != nullptr) options.redactor->know(searched_by_rules(rules));
  return options;
}

}  // namespace trtlens

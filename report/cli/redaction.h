// --redact: what is read and said without the names of its owner.
#pragma once

#include <memory>

#include "analyzers/rules/rule.h"
#include "parsers/redact/redactor.h"
#include "report/cli/output.h"

namespace trtlens {

[[nodiscard]] inline std::shared_ptr<Redactor> new_redactor() {
  return std::make_shared<Redactor>();
}

// Reading is to redact when the output asks for it; words that the rules look for stay.
inline void set_redaction(const OutputOptions& output, const RuleBase* rules,
                          ParseOptions& options) {
  options.redactor = output.redactor.get();
  if (options.redactor != nullptr) options.redactor->know(searched_by_rules(rules));
}

}  // namespace trtlens

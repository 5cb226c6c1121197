// Holds an engine that is to run on other GPUs or versions against one for this GPU alone.
#include "analyzers/compare/compare_rule.h"

namespace trtlens::compare_checks::compat_engine_slower_compared {

// The option that makes an engine portable; "" when there is none.
static std::string portable_by(const Build& build) {
  const auto level = build.options.value("hardwareCompatibilityLevel");
  if (level && *level != "none") return "--hardwareCompatibilityLevel=" + *level;
  for (const char* flag : {"versionCompatible", "vc"}) {
    if (build.options.has(flag)) return std::string("--") + flag;
  }
  return {};
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& portable : sides_of(c)) {
    const SideView native{c, !portable.is_base};
    const std::string option = portable_by(portable.analysis().build);
    if (option.empty() || !portable_by(native.analysis().build).empty() ||
        native.analysis().build.commands.empty()) {
      continue;
    }
    const auto ratio = portable.ratio();
    if (!ratio || !portable.is_slower() || *ratio <= 1 + context.threshold("min_slower")) continue;
    Finding finding = context.finding({{"slower", ratio_text(*ratio)}});
    finding.evidence.push_back(
        {.note = std::string("the ") + portable.name() + " was built with " + option});
    out.push_back(std::move(finding));
    return;
  }
}

extern const CompareRule rule{"compat-engine-slower-compared", check};

}  // namespace trtlens::compare_checks::compat_engine_slower_compared

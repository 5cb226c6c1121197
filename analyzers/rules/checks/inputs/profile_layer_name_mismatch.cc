// Records of the profile that no layer of the layer info has the name of.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::profile_layer_name_mismatch {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  if (!build.has_layer_info || !build.has_profile) return;
  std::vector<std::size_t> only_profile;
  std::size_t only_info = 0;
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const unsigned found_in = c.layer(i).found_in;
    const bool timed = c.layer(i).time.has_value();
    if ((found_in & kFoundInLayerInfo) == 0 && timed) only_profile.push_back(i);
    if ((found_in & kFoundInLayerInfo) != 0 && !timed && c.graph.takes_part(i)) ++only_info;
  }
  if (only_profile.empty()) return;
  Finding finding =
      c.finding(only_profile, {{"records", count_text(only_profile.size(), "layer")}});
  finding.evidence.push_back(
      {.note = count_text(only_info, "layer") + " of the layer information without a time"});
  show_first(c, only_profile, 5, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"profile-layer-name-mismatch", Pass::symptom, check};

}  // namespace trtlens::checks::profile_layer_name_mismatch

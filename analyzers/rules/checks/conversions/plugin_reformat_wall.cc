// Plugins with a conversion on either side.
#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::plugin_reformat_wall {

static void add_conversions(const RuleContext& c, std::size_t i, Direction direction,
                            std::vector<std::size_t>& found) {
  const Places next = direction == Direction::forward ? c.graph.after(i) : c.graph.before(i);
  for (const std::size_t n : next) {
    if (is_conversion(c.verdict(n).role)) {
      found.push_back(n);
    } else if (direction == Direction::forward && c.verdict(n).role == LayerRole::pointwise) {
      // The scale of a normalisation plugin reads what it wrote, in its layout.
      for (const std::size_t m : c.graph.after(n)) {
        if (is_conversion(c.verdict(m).role)) found.push_back(m);
      }
    }
  }
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> plugins, conversions;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::plugin) continue;
    std::vector<std::size_t> before, after;
    add_conversions(c, i, Direction::backward, before);
    add_conversions(c, i, Direction::forward, after);
    if (before.empty() || after.empty()) continue;
    plugins.push_back(i);
    conversions.insert(conversions.end(), before.begin(), before.end());
    conversions.insert(conversions.end(), after.begin(), after.end());
  }
  conversions = unclaimed(c, conversions);
  if (conversions.empty() ||
      !takes_share(c, together({conversions, plugins}), c.threshold("min_share"))) {
    return;
  }
  Finding finding = c.finding(conversions, {{"plugins", count_text(plugins.size(), "plugin")},
                                            {"need", plugins.size() == 1 ? "needs" : "need"}});
  show_sum(c, plugins, "the plugins themselves", finding);
  finding.gain = gain_without(c.analysis, conversions);
  show_layers(c, conversions, finding);
  for (const std::size_t i : first_of(plugins, 4)) {
    Evidence evidence = c.measured(i);
    evidence.note = "plugin " + c.layer(i).plugin_type.str();
    if (!c.layer(i).inputs.empty()) {
      evidence.note = evidence.note.str() + " reads " + c.layer(i).inputs[0].format.str();
    }
    finding.evidence.push_back(std::move(evidence));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"plugin-reformat-wall", Pass::placement, check};

}  // namespace trtlens::checks::plugin_reformat_wall

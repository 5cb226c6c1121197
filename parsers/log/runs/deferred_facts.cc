// Stores fields end to end in one text, and applies them in the order of the log.
#include "parsers/log/runs/deferred_facts.h"

#include <utility>

namespace trtlens {

void DeferredFacts::add(const LineKind& kind, const Match& match) {
  facts_.push_back({&kind, match.pos, sizes_.size(), match.fields});
  for (std::size_t i = 0; i < match.fields; ++i) {
    sizes_.push_back(static_cast<std::uint32_t>(match.field[i].size()));
    text_ += match.field[i];
  }
}

void DeferredFacts::apply(RunBuilder& run) {
  // What is applied may ask for what is deferred: there is none any more.
  DeferredFacts all = std::exchange(*this, DeferredFacts());
  Match match;
  std::string_view text = all.text_;
  for (const Fact& fact : all.facts_) {
    match.pos = fact.pos;
    match.fields = fact.fields;
    for (std::size_t i = 0; i < fact.fields; ++i) {
      const std::size_t size = all.sizes_[fact.first_size + i];
      match.field[i] = text.substr(0, size);
      text.remove_prefix(size);
    }
    fact.kind->apply(run, match);
  }
  if (!empty()) return;
  all.clear();  // the memory serves the next ones
  *this = std::move(all);
}

void DeferredFacts::clear() {
  facts_.clear();
  sizes_.clear();
  text_.clear();
}

}  // namespace trtlens

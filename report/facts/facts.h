// The tables of facts, one a kind of row.
#pragma once

#include "report/facts/fact.h"

namespace trtlens {

// memory.cc
extern const FactsOf<Memory> kMemoryFacts;
extern const FactsOf<LayerMemory> kLayerMemoryFacts;
extern const FactsOf<MemoryStep> kMemoryStepFacts;

}  // namespace trtlens

// Positions in inputs as text.
#include "analyzers/ledgers/ledgers.h"

namespace trtlens {

std::string path_of(const Analysis& analysis, const SourcePos& pos) {
  return pos.file < analysis.reading->inputs.size() ? analysis.reading->inputs[pos.file].path
                                                    : std::string();
}

std::string place_of(const Analysis& analysis, const SourcePos& pos) {
  std::string place = path_of(analysis, pos);
  if (pos.line != 0) place += ":" + std::to_string(pos.line);
  return place;
}

}  // namespace trtlens

// The list of formats.
#include "report/formats/convert/convert.h"

namespace trtlens {

const std::vector<const Converter*>& all_converters() {
  static const std::vector<const Converter*> all = {&kCsv, &kDot, &kJsonl, &kPerfetto,
                                                    &kSpeedscope};
  return all;
}

}  // namespace trtlens

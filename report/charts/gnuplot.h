// Charts drawn by a gnuplot process.
#pragma once

#include <string>
#include <vector>

#include "report/charts/chart_script.h"
#include "report/document/document.h"

namespace trtlens {

struct ChartImages {
  std::vector<std::string> pictures;  // parallel to the charts; empty when there are none
  std::string note;                   // why there are none
};

// One process draws them all. Without gnuplot, or when it fails, no image and a note.
[[nodiscard]] ChartImages draw_charts(const std::vector<const Chart*>& charts,
                                      PictureKind kind = PictureKind::svg);

}  // namespace trtlens

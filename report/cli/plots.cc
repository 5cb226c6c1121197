// Names of files are made of the sections' ids: nothing of an input is in them.
#include "report/cli/plots.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "analyzers/text.h"
#include "report/charts/gnuplot.h"
#include "report/cli/output.h"
#include "report/cli/output_file.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string folder;
  PictureKind kind = PictureKind::svg;
};

Place place_of(const std::string& text) {
  if (text.starts_with("png:")) return {text.substr(4), PictureKind::png};
  if (text.starts_with("svg:")) return {text.substr(4), PictureKind::svg};
  return {text, PictureKind::svg};
}

// "DIR/time-1.svg", in the order of charts_of().
void add_paths(const std::vector<Section>& sections, const Place& place, const std::string& prefix,
               std::vector<std::string>& paths) {
  for (const Section& section : sections) {
    for (std::size_t n = 1; n <= blocks_of<Chart>(section.blocks).size(); ++n) {
      const std::string name = fmt::format("{}{}-{}.{}", prefix, section.id, n,
                                           place.kind == PictureKind::svg ? "svg" : "png");
      paths.push_back((fs::path(place.folder) / name).string());
    }
  }
}

// Of several comparisons "DIR/2-engine-1.svg" is of the second.
std::vector<std::string> paths_of(const Document& document, const Place& place) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < document.each.size(); ++i) {
    add_paths(document.each[i].sections, place, fmt::format("{}-", i + 1), paths);
  }
  add_paths(document.sections, place, "", paths);
  return paths;
}

}  // namespace

std::optional<std::vector<std::string>> write_plots(const Document& document,
                                                    const std::string& text, bool quiet) {
  const Place place = place_of(text);
  const std::vector<const Chart*> charts = charts_of(document);
  if (charts.empty()) {
    complain("--plots: there is no chart in this report");
    return std::vector<std::string>();
  }
  const ChartImages images = draw_charts(charts, place.kind);
  if (images.pictures.empty()) {
    complain("--plots: " + images.note);
    return std::vector<std::string>();
  }
  std::error_code error;
  fs::create_directories(place.folder, error);
  if (error) {
    complain("cannot make " + place.folder + ": " + error.message());
    return std::nullopt;
  }
  std::vector<std::string> paths = paths_of(document, place);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const int failed = write_file(paths[i], images.pictures[i]);
    if (failed == 0) continue;
    complain("cannot write " + paths[i] + ": " + std::strerror(failed));
    return std::nullopt;
  }
  const std::string count = count_text(paths.size(), "chart");
  if (!quiet) complain("wrote " + count + " to " + place.folder);
  return paths;
}

void name_plots(const std::vector<std::string>& plots, const std::string& report,
                Document& document) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path from = report == "-" ? here : (here / report).parent_path();
  std::size_t at = 0;
  const auto name = [&](std::vector<Section>& sections) {
    for (Section& section : sections) {
      for (Block& block : section.blocks) {
        auto* const chart = std::get_if<Chart>(&block);
        if (chart == nullptr || at == plots.size()) continue;
        const fs::path to = (here / plots[at++]).lexically_normal();
        chart->picture = percent_encoded(to.lexically_relative(from.lexically_normal()).string());
      }
    }
  };
  for (Document& one : document.each) name(one.sections);
  name(document.sections);
}

}  // namespace trtlens

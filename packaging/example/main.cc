// Prints what each layer of a build computes in and its time, and what trtlens found. Usage: example PATH...
#include <cstdio>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/parse.h"

int main(int argc, char** argv) {
  const std::vector<std::string> paths(argv + 1, argv + argc);
  const trtlens::Analysis analysis = trtlens::analyze(trtlens::parse_inputs(paths, {}), {});
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    const trtlens::Layer& layer = analysis.build.layers[i];
    const std::string ms = layer.time ? std::to_string(layer.time->mean_ms) : "unknown";
    std::printf("%s %s ms %s\n", trtlens::to_string(analysis.verdicts[i].compute), ms.c_str(),
                layer.name.str().c_str());
  }
  for (const trtlens::Finding& finding : analysis.findings) {
    std::printf("%s: %s\n", trtlens::to_string(finding.severity), finding.title.c_str());
  }
  return paths.empty() ? 2 : 0;
}

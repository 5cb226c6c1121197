// speedscope's file format: one evented profile, the layers in execution order inside their
// modules.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/document/parts.h"
#include "report/formats/convert/convert.h"
#include "report/formats/escape.h"
#include "report/formats/json/stream.h"

namespace trtlens {
namespace {

// Of "layer1.0.conv2": "layer1", "layer1.0", and itself.
std::vector<std::string> path_of(const std::string& module) {
  std::vector<std::string> path;
  constexpr std::size_t kDeepest = 64;  // every frame has the whole path of its module
  for (std::size_t at = module.find('.'); at != std::string::npos && path.size() + 1 < kDeepest;
       at = module.find('.', at + 1)) {
    path.push_back(module.substr(0, at));
  }
  if (!module.empty()) path.push_back(module);
  return path;
}

struct Event {
  bool opens = false;
  std::size_t frame = 0;
  double at_ms = 0;
};

// A frame a layer, and one a module.
struct Frames {
  std::vector<std::pair<std::string, std::string>> names;  // as shown, and in full
  std::unordered_map<std::string, std::size_t> modules;

  std::size_t module(const std::string& name) {
    const auto [at, is_new] = modules.try_emplace(name, names.size());
    if (is_new) names.emplace_back(name, "");
    return at->second;
  }
};

std::vector<Event> events_of(const Analysis& analysis, Frames& frames) {
  const std::vector<Layer>& layers = analysis.build.layers;
  const Words module_of = modules_of(*make_context(analysis, 0, nullptr));
  std::vector<Event> events;
  std::vector<std::size_t> open;
  double now_ms = 0;
  const auto close_to = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back()) events.push_back({false, open.back(), now_ms});
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::vector<std::string> modules = path_of(module_of[i]);
    std::size_t same = 0;
    while (same < modules.size() && same < open.size() &&
           open[same] == frames.module(modules[same])) {
      ++same;
    }
    close_to(same);
    for (; same < modules.size(); ++same) {
      open.push_back(frames.module(modules[same]));
      events.push_back({true, open.back(), now_ms});
    }
    const std::size_t frame = frames.names.size();
    frames.names.emplace_back(label_of(analysis, i), layers[i].name.str());
    events.push_back({true, frame, now_ms});
    now_ms += time_or_zero(layers[i]);
    events.push_back({false, frame, now_ms});
  }
  close_to(0);
  return events;
}

void write_speedscope(const Analysis& analysis, TextStream& out) {
  Frames frames;
  const std::vector<Event> events = events_of(analysis, frames);
  JsonStream json(out);
  json.begin_object();
  json.member("$schema", "https://www.speedscope.app/file-format-schema.json");
  json.member("exporter", "trtlens " TRTLENS_VERSION);
  json.key("shared");
  json.begin_object();
  json.key("frames");
  json.list(frames.names, [&](const auto& name) {
    Json frame = {{"name", visible(name.first)}};
    if (!name.second.empty()) frame["file"] = visible(name.second);
    json.value(frame);
  });
  json.end();
  json.key("profiles");
  json.begin_list();
  json.begin_object();
  json.member("type", "evented");
  json.member("name", visible(analysis.name.empty() ? "engine" : analysis.name));
  json.member("unit", "milliseconds");
  json.member("startValue", 0);
  json.member("endValue", events.empty() ? 0.0 : events.back().at_ms);
  json.key("events");
  json.list(events, [&](const Event& event) {
    json.value({{"type", event.opens ? "O" : "C"}, {"frame", event.frame}, {"at", event.at_ms}});
  });
  json.end();
  json.end();
  json.end();
  out += "\n";
}

}  // namespace

const Converter kSpeedscope{"speedscope", false, write_speedscope};

}  // namespace trtlens

// A Perfetto trace (protobuf): the layers one behind the other, each as long as its mean. Encoded
// by hand: a dozen fields are less than protobuf's runtime, its compiler and a copy of Perfetto's
// schema would be.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "report/formats/convert/convert.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

// A message of protobuf's wire format.
class Proto {
 public:
  Proto& number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(value);
    return *this;
  }
  Proto& text(std::uint32_t field, std::string_view value) {
    varint((std::uint64_t{field} << 3U) | 2U);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Proto& message(std::uint32_t field, const Proto& value) { return text(field, value.bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value > 0x7F; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// Numbers of fields in perfetto/trace/: trace.proto, trace_packet.proto, track_event/*.proto.
constexpr std::uint32_t kTracePacket = 1;
constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kTrackDescriptor = 60;
constexpr std::uint32_t kUuid = 1, kTrackName = 2;
constexpr std::uint32_t kAnnotation = 4, kType = 9, kTrackUuid = 11, kName = 23;
constexpr std::uint32_t kAnnotationName = 10, kAnnotationText = 6;
constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kInstant = 3;
constexpr std::uint64_t kTrack = 1;

class Trace {
 public:
  explicit Trace(TextStream& out) : out_(out) {}

  void track(const std::string& name) {
    Proto packet;
    packet.number(kSequence, 1);
    write(packet.message(kTrackDescriptor, Proto().number(kUuid, kTrack).text(kTrackName, name)));
  }
  void event(double at_ms, std::uint64_t type, const Proto& more) {
    constexpr double kNsOfMs = 1e6;
    Proto packet;
    packet.number(kTimestamp, static_cast<std::uint64_t>(std::llround(at_ms * kNsOfMs)));
    packet.number(kSequence, 1);
    Proto event;
    event.number(kType, type).number(kTrackUuid, kTrack);
    std::string bytes = event.bytes() + more.bytes();
    write(packet.text(kTrackEvent, bytes));
  }

 private:
  void write(const Proto& packet) { out_ += Proto().message(kTracePacket, packet).bytes(); }

  TextStream& out_;
};

void annotate(Proto& event, const char* name, const std::string& value) {
  if (value.empty()) return;
  event.message(kAnnotation,
                Proto().text(kAnnotationName, name).text(kAnnotationText, visible(value)));
}

Proto described(const Analysis& analysis, std::size_t i) {
  const Layer& layer = analysis.build.layers[i];
  Proto event;
  event.text(kName, visible(layer.name.str()));
  annotate(event, "index", std::to_string(i));
  annotate(event, "precision", to_string(analysis.verdicts[i].compute));
  annotate(event, "layer_type", layer.layer_type.str());
  annotate(event, "tactic", layer.tactic_name.str());
  return event;
}

// One without a time is an instant where it would begin.
void write_perfetto(const Analysis& analysis, TextStream& out) {
  Trace trace(out);
  trace.track("layers in execution order, mean times");
  double now_ms = 0;
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    const Layer& layer = analysis.build.layers[i];
    trace.event(now_ms, layer.time ? kSliceBegin : kInstant, described(analysis, i));
    if (!layer.time) continue;
    now_ms += layer.time->mean_ms;
    trace.event(now_ms, kSliceEnd, Proto());
  }
}

}  // namespace

const Converter kPerfetto{"perfetto", true, write_perfetto};

}  // namespace trtlens

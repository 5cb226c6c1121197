// How two runs of one engine were timed: what the timing run says stands.
#include "parsers/join/join.h"
#include "parsers/join/runs.h"

namespace trtlens {

using join_detail::take_if_known;

void join_inference(Inference& into, Inference& from) {
  take_if_known(into.engine_streams, from.engine_streams);
  take_if_known(into.aux_streams, from.aux_streams);
  take_if_known(into.worker_streams, from.worker_streams);
  take_if_known(into.deserialization, from.deserialization);
  take_if_known(into.enqueue_bound, from.enqueue_bound);
  take_if_known(into.untimed_capture, from.untimed_capture);
}

}  // namespace trtlens

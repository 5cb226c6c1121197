// The list of the Document's writers.
#include "report/formats/writer.h"

namespace trtlens {

const std::vector<const Writer*>& document_writers() {
  static const std::vector<const Writer*> all = {&writer_html, &writer_markdown,
                                                 &writer_step_summary, &writer_text};
  return all;
}

}  // namespace trtlens

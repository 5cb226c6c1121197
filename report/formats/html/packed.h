// Data inside the page, compressed: an engine of 5,000 layers is 1.5 MB of JSON.
#pragma once

#include <functional>
#include <string_view>

#include "report/formats/text_stream.h"

namespace trtlens {

// A script element that a browser does not run: what `write` puts into its stream, deflated and in
// base64. `name` is what report.js asks for.
void html_packed(std::string_view name, const std::function<void(TextStream&)>& write,
                 TextStream& out);

}  // namespace trtlens

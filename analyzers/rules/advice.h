// Advice that can be followed: options of trtexec come and go, and other programs name them
// otherwise.
#pragma once

#include <string>
#include <vector>

#include "analyzers/finding.h"
#include "parsers/model/build.h"

namespace trtlens {

// The text without the options that this version lacks. Behind the word `trtexec` an option that
// does not exist is left out; anywhere its successor takes its place (--memPoolSize, --workspace).
// BF16, which came with 9.0, is no alternative before.
[[nodiscard]] std::string fit_to_version(const std::string& text, const Version& version);
// Remedies and next check of a finding.
void fit_to_version(Finding& finding, const Version& version);

// Where the input shows a program that calls TensorRT, its names for trtexec's options.
void fit_to_program(std::vector<Finding>& findings, const Build& build);

}  // namespace trtlens

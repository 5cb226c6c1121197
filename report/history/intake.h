// What is taken into a history: the folders that may hold a build, and what identifies one. A build
// is its files' content, wherever they lie and whenever they were written.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

// Files that are read at once: a part of a folder (parsers/folders.h), or those that were named.
struct Unit {
  std::string name;  // of the part; "": they were named
  std::vector<std::string> files;
};

// Folders below a named one, eight deep, by name; a folder with files and folders is both.
// `problem` is called for what cannot be listed.
[[nodiscard]] std::vector<Unit> units_in(const std::vector<std::string>& paths,
                                         const std::function<void(const std::string&)>& problem);

// Of the files as they are: which, how big, when changed. Equal stamps are equal contents as far as
// a file system tells. "": one cannot be asked.
[[nodiscard]] std::string stamp_of(const Unit& unit, const std::string& series);

struct Identity {
  std::string text;       // equal for builds of equal files; "" after an error
  std::string logged_at;  // "2026-11-21 13:00:01", of the first line of its logs that says so
  std::string error;
};
// Of each of the builds that came of one reading; reads their files once more.
[[nodiscard]] std::vector<Identity> identities_of(const std::vector<Analysis>& builds);

// "2026-11-21 13:00:01" of "[11/21/2026-13:00:01] [I]", "[2026-11-21 13:00:01 VERBOSE]" and
// "2026-11-21 13:00:01.52: "; "" without a date.
[[nodiscard]] std::string date_in(std::string_view line);

// Whether the files hold anything of a build.
[[nodiscard]] bool holds_a_build(const Analysis& analysis);

}  // namespace trtlens

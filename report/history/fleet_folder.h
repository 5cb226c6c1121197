// The folder of an export: what is in it, and what a run that was killed has left.
#pragma once

#include <set>
#include <string>

namespace trtlens {

class FleetFolder {
 public:
  FleetFolder() = default;
  ~FleetFolder();
  FleetFolder(const FleetFolder&) = delete;
  FleetFolder& operator=(const FleetFolder&) = delete;

  // Makes the folder where there is none; one at a time writes to it. False: see error().
  [[nodiscard]] bool open(const std::string& path, const std::string& format);
  [[nodiscard]] const std::string& error() const { return error_; }

  // Keys of the builds of a day that are exported (fleet_rows.h); files of that day that belong to
  // none of them are removed.
  [[nodiscard]] std::set<std::string> builds_of(const std::string& date);
  // Where a file of the export lies; its folder is made.
  [[nodiscard]] std::string place_of(const std::string& file);

  // The file that says what the folder is and which columns its tables have: written first.
  [[nodiscard]] bool is_new() const { return is_new_; }
  [[nodiscard]] std::string label_path() const { return path_ + "/duckdb.sql"; }
  [[nodiscard]] std::string label() const;

 private:
  void fail(const std::string& path, const std::string& why);
  void check_label();

  std::string path_, format_, error_;
  int lock_ = -1;
  bool is_new_ = false;
};

}  // namespace trtlens

// "trtlens: folder 12 of 400" on a terminal, when it takes longer than a moment.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace trtlens {

class Counter {
 public:
  // Of `what`: "folder", "build".
  Counter(std::string what, std::size_t total, bool quiet);
  ~Counter() { clear(); }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  void show(std::size_t done);
  void clear();

 private:
  std::string what_;
  std::size_t total_;
  bool shows_, shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace trtlens

// SQLite, as far as the history needs it. Errors are texts for the user, and the first one stays:
// what is called behind it does nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace trtlens {

class Database {
 public:
  enum class Access : std::uint8_t { read, write };

  // Opens `path`, for writing makes it. Also where neither file nor folder can be written it is
  // read, when nobody left a journal beside it.
  Database(std::string path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] bool ok() const { return error_.empty(); }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  void fail(std::string why);

  // Of our own text; values come by Statement.
  bool run(const char* sql);
  void try_run(const char* sql);                       // that it fails is no error
  [[nodiscard]] std::int64_t number(const char* sql);  // 0 after an error
  [[nodiscard]] std::int64_t last_id() const;
  [[nodiscard]] std::int64_t changes() const;

 private:
  friend class Statement;
  friend class Transaction;
  void roll_back();  // behind an error, too
  void open(int flags, const std::string& name);
  void take_error(int code);

  std::string path_, error_;
  sqlite3* handle_ = nullptr;
};

// A prepared statement; parameters are bound in their order.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::string_view text);  // valid UTF-8
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind(const std::string& text) { return bind(std::string_view(text)); }
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind_null();
  template <typename T>
  Statement& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }
  // Null where it is empty.
  Statement& bind_or_null(std::string_view text) { return text.empty() ? bind_null() : bind(text); }

  // The next row; false at the end or after an error. Begins anew behind the end.
  bool step();
  // To the end, without rows; ready to be bound again.
  bool run();

  [[nodiscard]] std::string text(int column) const;  // "" where null
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::optional<double> number(int column) const;
  [[nodiscard]] std::optional<std::int64_t> whole(int column) const;

 private:
  void check(int code);

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 1;  // parameter
};

// What is not committed is undone.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  bool commit();

 private:
  Database& database_;
  bool open_ = false;
};

}  // namespace trtlens

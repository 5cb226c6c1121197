// The only file that includes sqlite3.h.
#include "report/history/database.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr int kBusyMs = 30'000;  // a build is written in milliseconds; a directory of them is not

bool has_bytes(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && found.st_size > 0;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string words_of(int code, const std::string& message) {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return "no SQLite database";
    case SQLITE_CORRUPT:
      return "damaged (" + message +
             "); `sqlite3 FILE .recover | sqlite3 NEW` saves what can be read";
    case SQLITE_FULL:
      return "no space left, or the file may not grow; what was in before stays";
    case SQLITE_READONLY:
      return "read-only: the file, or its folder, where SQLite keeps a journal beside it";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "in use by another process for 30 s";
    case SQLITE_CANTOPEN:
      return "cannot be opened";
    case SQLITE_IOERR:
      return "cannot be read or written (" + message + ")";
    default:
      return message;
  }
}

}  // namespace

Database::Database(std::string path, Access access) : path_(std::move(path)) {
  const bool writes = access == Access::write;
  struct stat found {};
  const bool is_there = ::stat(path_.c_str(), &found) == 0;
  if (!writes && !is_there) fail(std::strerror(errno));
  if (is_there && !S_ISREG(found.st_mode)) fail("no regular file");
  // SQLite would say that there is no such file.
  if (!is_there && ::access(folder_of(path_).c_str(), W_OK | X_OK) != 0) {
    fail(std::string("cannot be opened: ") + std::strerror(errno));
  }
  if (!ok()) return;
  // A name of its own form would be taken for a URI, or for a database in memory.
  const std::string name = "file:" + percent_encoded(path_.starts_with('/') ? path_ : "./" + path_);
  const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  // A reader that may write takes the journal away with it when it is the last one.
  open(flags | SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0), name);
  if (writes || !ok()) return;
  const auto read = [this] {
    return sqlite3_exec(handle_, "PRAGMA query_only = ON; SELECT 1 FROM sqlite_master", nullptr,
                        nullptr, nullptr);
  };
  // A journal would be made beside the file; where that cannot be, nobody else writes, either.
  const int code = read();
  const int kind = code & 0xff;
  if ((kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY) && !has_bytes(path_ + "-wal")) {
    sqlite3_close(std::exchange(handle_, nullptr));
    open(flags | SQLITE_OPEN_READONLY, name + "?immutable=1");
  } else if (code != SQLITE_OK) {
    take_error(code);
  }
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::open(int flags, const std::string& name) {
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) return take_error(code);
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, kBusyMs);
  // The file may be anybody's: no functions of its schema.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

void Database::fail(std::string why) {
  if (error_.empty()) error_ = std::move(why);
}

void Database::take_error(int code) {
  const bool of_handle = handle_ != nullptr && sqlite3_errcode(handle_) != SQLITE_OK;
  std::string message = of_handle ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const int error = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  std::string words = words_of(code, message);
  if ((code & 0xff) == SQLITE_CANTOPEN && error != 0)
    words += std::string(": ") + std::strerror(error);
  fail(std::move(words));
}

bool Database::run(const char* sql) {
  if (!ok()) return false;
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) take_error(code);
  return code == SQLITE_OK;
}

void Database::try_run(const char* sql) {
  if (ok()) (void)sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
}

void Database::roll_back() {
  (void)sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::last_id() const {
  return sqlite3_last_insert_rowid(handle_);
}

std::int64_t Database::changes() const {
  return sqlite3_changes(handle_);
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (!database_.ok()) return;
  check(sqlite3_prepare_v2(database_.handle_, sql, -1, &statement_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

void Statement::check(int code) {
  if (code != SQLITE_OK) database_.take_error(code);
}

Statement& Statement::bind(std::string_view text) {
  if (statement_ != nullptr) {
    check(sqlite3_bind_text(statement_, next_++, text.data() == nullptr ? "" : text.data(),
                            static_cast<int>(text.size()), SQLITE_TRANSIENT));
  }
  return *this;
}

Statement& Statement::bind(std::int64_t value) {
  if (statement_ != nullptr) check(sqlite3_bind_int64(statement_, next_++, value));
  return *this;
}

Statement& Statement::bind(double value) {
  if (statement_ != nullptr) check(sqlite3_bind_double(statement_, next_++, value));
  return *this;
}

Statement& Statement::bind_null() {
  if (statement_ != nullptr) check(sqlite3_bind_null(statement_, next_++));
  return *this;
}

bool Statement::step() {
  if (!database_.ok() || statement_ == nullptr) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.take_error(code);
  sqlite3_reset(statement_);
  next_ = 1;
  return false;
}

bool Statement::run() {
  while (step()) {
  }
  return database_.ok();
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::optional<double> Statement::number(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

std::optional<std::int64_t> Statement::whole(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int64(statement_, column);
}

Transaction::Transaction(Database& database) : database_(database) {
  open_ = database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) database_.roll_back();
}

bool Transaction::commit() {
  if (!open_ || !database_.ok()) return false;
  open_ = !database_.run("COMMIT");
  return !open_;
}

}  // namespace trtlens

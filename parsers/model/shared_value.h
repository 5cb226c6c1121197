// Values that many layers have in common: copies share one of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace trtlens {

// One pointer to a value with a count of its owners; null stands for T(). Copies may be used in
// different threads, as those of a std::shared_ptr, of which this is half the size.
template <typename T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : block_(new Block(std::move(value))) {}
  Shared(const Shared& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): copies and swaps
  Shared& operator=(const Shared& other) noexcept {
    Shared copy(other);
    std::swap(block_, copy.block_);
    return *this;
  }
  Shared& operator=(Shared&& other) noexcept {
    Shared taken(std::move(other));
    std::swap(block_, taken.block_);
    return *this;
  }
  ~Shared() {
    if (block_ != nullptr && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete block_;
    }
  }

  [[nodiscard]] bool is_null() const { return block_ == nullptr; }
  [[nodiscard]] bool is_same(const Shared& other) const { return block_ == other.block_; }
  [[nodiscard]] const T& get() const {
    static const T none{};
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDelete): it does not follow the count of owners
    return block_ != nullptr ? block_->value : none;
  }
  // The value to be written: nobody else's from now on.
  [[nodiscard]] T& own() {
    if (block_ == nullptr) {
      block_ = new Block(T());
    } else if (block_->owners.load(std::memory_order_acquire) != 1) {
      *this = Shared(block_->value);
    }
    return block_->value;
  }

 private:
  struct Block {
    explicit Block(T of) : value(std::move(of)) {}
    std::atomic<std::uint32_t> owners{1};
    T value;
  };
  Block* block_ = nullptr;
};

// A text: a format, a type, the name of a tensor or layer. Reads as a std::string.
class SharedText {
 public:
  SharedText() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): stands where a std::string stood
  SharedText(std::string text) {
    if (!text.empty()) text_ = Shared<std::string>(std::move(text));
  }
  SharedText(std::string_view text) : SharedText(std::string(text)) {}  // NOLINT: as above
  SharedText(const char* text) : SharedText(std::string(text)) {}       // NOLINT: as above

  [[nodiscard]] const std::string& str() const { return text_.get(); }
  operator const std::string&() const { return str(); }  // NOLINT: as above
  operator std::string_view() const { return str(); }    // NOLINT: as above
  [[nodiscard]] bool empty() const { return text_.is_null(); }
  [[nodiscard]] std::size_t size() const { return str().size(); }
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const {
    return str().find(text, from);
  }
  [[nodiscard]] std::size_t rfind(std::string_view text,
                                  std::size_t from = std::string::npos) const {
    return str().rfind(text, from);
  }

  template <typename T>
  requires std::is_convertible_v<const T&, std::string_view>
  friend bool operator==(const SharedText& a, const T& b) {
    return std::string_view(a.str()) == std::string_view(b);
  }
  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.text_.is_same(b.text_) || a.str() == b.str();
  }
  friend bool operator<(const SharedText& a, const SharedText& b) { return a.str() < b.str(); }
  friend std::string operator+(const SharedText& a, std::string_view b) {
    return a.str() + std::string(b);
  }
  friend std::string operator+(std::string_view a, const SharedText& b) {
    return std::string(a) + b.str();
  }

 private:
  Shared<std::string> text_;  // null: empty
};

// The sizes of a tensor or a window. Reads and writes as a std::vector.
class Dims {
 public:
  using Vector = std::vector<std::int64_t>;
  using value_type = std::int64_t;
  using iterator = Vector::iterator;
  using const_iterator = Vector::const_iterator;
  using reference = std::int64_t&;
  using const_reference = const std::int64_t&;
  using size_type = std::size_t;

  Dims() = default;
  Dims(Vector dims) {  // NOLINT(google-explicit-constructor): stands where a vector stood
    if (!dims.empty()) dims_ = Shared<Vector>(std::move(dims));
  }
  Dims(std::initializer_list<std::int64_t> dims) : Dims(Vector(dims)) {}

  [[nodiscard]] const Vector& values() const { return dims_.get(); }
  operator const Vector&() const { return values(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] bool empty() const { return values().empty(); }
  [[nodiscard]] std::size_t size() const { return values().size(); }
  [[nodiscard]] const_iterator begin() const { return values().begin(); }
  [[nodiscard]] const_iterator end() const { return values().end(); }
  [[nodiscard]] iterator begin() { return dims_.own().begin(); }
  [[nodiscard]] iterator end() { return dims_.own().end(); }
  [[nodiscard]] std::int64_t operator[](std::size_t i) const { return values()[i]; }
  [[nodiscard]] std::int64_t& operator[](std::size_t i) { return dims_.own()[i]; }

  friend bool operator==(const Dims& a, const Dims& b) {
    return a.dims_.is_same(b.dims_) || a.values() == b.values();
  }

 private:
  Shared<Vector> dims_;  // null: empty
};

}  // namespace trtlens

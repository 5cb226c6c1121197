// A machine of four states (value, key, colon, comma) that mends what is missing between them.
#include <algorithm>
#include <string>
#include <vector>

#include "parsers/json/readers.h"
#include "parsers/json/tolerant_tokens.h"

namespace trtlens::json_detail {
namespace {

class TolerantReader {
 public:
  TolerantReader(std::string_view text, std::size_t begin, Collector& collector, Repairs& repairs)
      : text_(text), at_(begin), collector_(collector), repairs_(repairs), tokens_(text, repairs) {}

  TolerantResult read() {
    while (true) {
      at_ = skip_blanks(text_, at_);
      if (at_ >= text_.size()) return stop_at_end();
      switch (state_) {
        case State::value:
          read_value();
          break;
        case State::key:
          read_key();
          break;
        case State::colon:
          read_colon();
          break;
        case State::comma:
          read_comma();
          break;
      }
      if (cut_) return stop_at_end();
      if (stack_.size() > kMaxDepth) {
        repairs_.note(Repair::depth, at_, std::to_string(stack_.size()) + " open brackets");
        return {text_.size(), true};
      }
      if (done_) return {at_, false};
    }
  }

 private:
  enum class State { value, key, colon, comma };

  struct Level {
    char bracket;
    bool has_names = false;      // of a list: strings
    bool lost_list = false;      // of an object: a `[` of its values is missing
    std::string_view first_key;  // of an object, and of the last object of a list; as written
  };

  [[nodiscard]] bool in_object() const { return !stack_.empty() && stack_.back().bracket == '{'; }

  TolerantResult stop_at_end() {
    repairs_.note(Repair::truncated, text_.size(),
                  "the end of the file with " + std::to_string(stack_.size()) + " open brackets");
    return {text_.size(), true};
  }

  void after_value() {
    done_ = stack_.empty();
    state_ = State::comma;
  }

  void open_object() {
    collector_.start_object(at_);
    stack_.push_back({'{', false, false, {}});
    state_ = State::key;
  }

  // A key in a list: an object of the list lacks its opening bracket, as what the objects before it
  // begin with shows, or the list its closing one.
  void mend_list() {
    unexpected();
    const std::string_view first_key = stack_.back().first_key;
    const bool in_member = stack_.size() > 1 && stack_[stack_.size() - 2].bracket == '{';
    const bool begins_object = first_key.empty() ? !after_comma_ : first_key == tokens_.key_at(at_);
    after_comma_ = false;
    if (begins_object || !in_member) return open_object();
    pop();
    state_ = State::key;
  }

  void open(char bracket) {
    after_comma_ = false;
    if (bracket == '{') {
      open_object();
    } else {
      collector_.start_array(at_);
      stack_.push_back({'[', false, false, {}});
      state_ = State::value;
    }
    ++at_;
  }

  void pop() {
    const Level level = stack_.back();
    stack_.pop_back();
    if (!stack_.empty() && !in_object()) stack_.back().first_key = level.first_key;
    if (level.bracket == '{') {
      collector_.end_object();
    } else {
      collector_.end_array();
    }
    after_value();
  }

  // The list lacks its opening bracket, and the object goes on behind the closing one.
  void skip_bracket() {
    unexpected();
    ++at_;
    stack_.back().lost_list = false;
    state_ = State::comma;
  }

  // A bracket that does not match closes what is inside its own partner, or is skipped.
  void close(char bracket) {
    const char partner = bracket == '}' ? '{' : '[';
    if (bracket == ']' && in_object() && stack_.back().lost_list) return skip_bracket();
    if (after_comma_) repairs_.note(Repair::trailing_comma, at_, std::string(1, bracket));
    after_comma_ = false;
    const auto is_partner = [partner](const Level& level) { return level.bracket == partner; };
    if (std::none_of(stack_.begin(), stack_.end(), is_partner)) {
      unexpected();
      ++at_;
      done_ = stack_.empty();
      return;
    }
    if (!is_partner(stack_.back())) unexpected();
    while (!is_partner(stack_.back())) pop();
    pop();
    ++at_;
  }

  // `"Inputs": x [{`, `"Inputs": x {`: what stands in front of the value is none.
  bool lacks_value() {
    const std::size_t next = skip_blanks(text_, at_);
    if (next >= text_.size() || (text_[next] != '[' && text_[next] != '{')) return false;
    if (text_[next] == '{') stack_.back().lost_list = true;
    return true;
  }

  // `"Dimensions": x1,64]`: a number that is neither a value nor a key of the object.
  void note_lost_list() {
    const char last = text_[at_ - 1];
    if (last >= '0' && last <= '9') stack_.back().lost_list = true;
  }

  // In a list of names, `"a": b"`: a name with a quote that was not escaped.
  [[nodiscard]] bool is_name() const {
    if (!stack_.back().has_names) return false;
    const std::size_t colon = text_.find(':', at_ + tokens_.key_at(at_).size());
    const std::size_t value = skip_blanks(text_, colon + 1);
    return value >= text_.size() || (text_[value] != '[' && text_[value] != '{');
  }

  void unexpected() { repairs_.note(Repair::unexpected, at_, text_.substr(at_, 20)); }

  void read_value() {
    const char c = text_[at_];
    if (c == '{' || c == '[') return open(c);
    if (c == '}' || c == ']') {
      // `"timeMs" : }`: the value is missing.
      if (in_object()) unexpected();
      return close(c);
    }
    if (c == ',' || c == ':') {
      unexpected();
      ++at_;
      if (in_object()) state_ = State::key;
      return;
    }
    if (c == '"' && !stack_.empty() && !in_object() && !tokens_.key_at(at_).empty() && !is_name()) {
      return mend_list();
    }
    after_comma_ = false;
    const StringRole role = stack_.empty() ? StringRole::root
                            : in_object()  ? StringRole::member
                                           : StringRole::item;
    const Token token = c == '"' ? tokens_.read_string(at_, role) : tokens_.read_literal(at_, role);
    at_ = token.end;
    cut_ = token.cut && !stack_.empty();
    if (cut_) return;
    if (c != '"' && token.value.kind == Scalar::Kind::null && in_object()) {
      if (lacks_value()) return;
      note_lost_list();
    }
    collector_.scalar(token.value);
    if (!stack_.empty() && token.value.kind == Scalar::Kind::string) {
      stack_.back().has_names = true;
    }
    after_value();
  }

  void read_key() {
    const char c = text_[at_];
    if (c == '}' || c == ']') return close(c);
    if (c == '{' && stack_.back().lost_list) return open(c);  // the next one of the list
    if (c == ',') {
      unexpected();
      ++at_;
      return;
    }
    after_comma_ = false;
    const std::size_t begin = at_;
    if (c != '"') unexpected();
    const Token token =
        c == '"' ? tokens_.read_string(at_, StringRole::key) : tokens_.read_bare_key(at_);
    at_ = token.end;
    cut_ = token.cut;
    if (cut_) return;
    if (c == '"') {
      stack_.back().lost_list = false;
    } else {
      note_lost_list();
    }
    collector_.key(token.value.text, begin);
    Level& object = stack_.back();
    if (object.first_key.empty()) object.first_key = text_.substr(begin, token.end - begin);
    state_ = State::colon;
  }

  void read_colon() {
    if (text_[at_] == ':') {
      ++at_;
    } else {
      unexpected();
    }
    state_ = State::value;
  }

  void read_comma() {
    const char c = text_[at_];
    if (c == '}' || c == ']') return close(c);
    state_ = in_object() ? State::key : State::value;
    if (c == ',') {
      ++at_;
      after_comma_ = true;
    } else if (c == ':') {
      unexpected();
      ++at_;
    } else {
      repairs_.note(Repair::missing_comma, at_, text_.substr(at_, 20));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Collector& collector_;
  Repairs& repairs_;
  TolerantTokens tokens_;
  std::vector<Level> stack_;
  State state_ = State::value;
  bool after_comma_ = false, cut_ = false, done_ = false;
};

}  // namespace

TolerantResult read_tolerant(std::string_view text, std::size_t begin, Collector& collector,
                             Repairs& repairs) {
  return TolerantReader(text, begin, collector, repairs).read();
}

}  // namespace trtlens::json_detail

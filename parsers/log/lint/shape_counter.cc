// Merges shapes that differ in their names only; floods of them at once.
#include "parsers/log/lint/shape_counter.h"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "parsers/log/lint/line_shape.h"

namespace trtlens {
namespace {

std::string key_of(const LineShape& s, std::string_view shape) {
  std::string key{static_cast<char>('0' + static_cast<int>(s.line_class)),
                  static_cast<char>('0' + static_cast<int>(s.severity))};
  key.append(s.near).append("\n").append(shape);
  return key;
}

// A plain word in a shape: its place, without the punctuation behind it.
struct Word {
  std::size_t at, size;
};

std::vector<Word> plain_words(std::string_view shape) {
  static constexpr std::string_view kEnds = ".,;:!?";
  std::vector<Word> words;
  for (std::size_t at = 0; at < shape.size();) {
    const std::size_t end = std::min(shape.find(' ', at), shape.size());
    std::size_t size = end - at;
    while (size > 0 && kEnds.find(shape[at + size - 1]) != kEnds.npos) --size;
    if (is_plain_word(shape.substr(at, size))) words.push_back({at, size});
    at = end + 1;
  }
  return words;
}

std::string with_name(std::string_view shape, const Word& word) {
  std::string out(shape.substr(0, word.at));
  return out.append("<name>").append(shape.substr(word.at + word.size));
}

// The shape with a byte that no shape has for its words, except the first.
std::string skeleton_of(const LineShape& s) {
  const std::vector<Word> words = plain_words(s.shape);
  std::string skeleton = s.shape;
  for (std::size_t k = words.size(); k-- > 0;) {
    if (words[k].at > 0) skeleton.replace(words[k].at, words[k].size, "\x03");
  }
  return key_of(s, skeleton);
}

}  // namespace

bool ShapeCounter::count_in(const std::string& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return false;
  ++shapes_[found->second].count;
  return true;
}

void ShapeCounter::add(LineShape line, std::string_view body) {
  line.shape = line_shape(body);
  std::string key = key_of(line, line.shape);
  if (count_in(key)) return;
  // What merge() would join is joined at once where that is cheap.
  if (fold_flood(line)) key = key_of(line, line.shape);
  if (count_in(key)) return;
  for (const Word& word : plain_words(line.shape)) {
    if (count_in(key_of(line, with_name(line.shape, word)))) return;
  }
  if (full_) {
    ++lines_left_out_;
    return;
  }
  line.count = 1;
  line.sample.resize(std::min(line.sample.size(), kMaxSampleBytes));
  index_.emplace(std::move(key), shapes_.size());
  shapes_.push_back(std::move(line));
  if (shapes_.size() < kMaxShapes) return;
  merge();
  // When little could be merged, trying again and again would only cost time.
  full_ = shapes_.size() > kMaxShapes / 4 * 3;
}

void ShapeCounter::rebuild_index() {
  std::vector<LineShape> kept;
  index_.clear();
  for (LineShape& s : shapes_) {
    const auto [place, is_new] = index_.emplace(key_of(s, s.shape), kept.size());
    if (is_new) {
      kept.push_back(std::move(s));
    } else {
      kept[place->second].count += s.count;
    }
  }
  shapes_ = std::move(kept);
}

// Puts names where those of a flood of shapes like it are.
bool ShapeCounter::fold_flood(LineShape& line) const {
  const auto flood = floods_.find(skeleton_of(line));
  if (flood == floods_.end()) return false;
  const std::vector<Word> words = plain_words(line.shape);
  for (std::size_t k = words.size(); k-- > 0;) {
    if (flood->second.at(k)) line.shape = with_name(line.shape, words[k]);
  }
  return true;
}

// Many shapes with the same first word, the same placeholders and as many words: their names are in
// several places at once, where the words are hardly ever the same.
void ShapeCounter::find_floods() {
  constexpr std::size_t kFlood = 64, kMaxFloods = 1000;
  std::unordered_map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < shapes_.size(); ++i) alike[skeleton_of(shapes_[i])].push_back(i);
  for (const auto& [skeleton, members] : alike) {
    if (members.size() < kFlood || floods_.size() >= kMaxFloods) continue;
    std::vector<std::unordered_set<std::string>> variants;  // of each word
    for (const std::size_t i : members) {
      const std::vector<Word> words = plain_words(shapes_[i].shape);
      variants.resize(words.size());
      for (std::size_t k = 0; k < words.size(); ++k) {
        variants[k].insert(shapes_[i].shape.substr(words[k].at, words[k].size));
      }
    }
    std::vector<bool> names;
    names.reserve(variants.size());
    for (const auto& words : variants) names.push_back(words.size() > members.size() / 4);
    if (std::find(names.begin(), names.end(), true) != names.end()) floods_[skeleton] = names;
  }
}

void ShapeCounter::merge() {
  find_floods();
  for (LineShape& s : shapes_) (void)fold_flood(s);
  rebuild_index();
  // The first word is hardly ever a name.
  constexpr std::uint32_t kManyWords = 8, kManyFirstWords = 64;
  for (int round = 0; round < 4; ++round) {
    std::unordered_map<std::size_t, std::uint32_t> variants;  // by hash of the shape without a word
    const auto hash = [](const LineShape& s, const Word& word) {
      return std::hash<std::string>()(key_of(s, with_name(s.shape, word)));
    };
    for (const LineShape& s : shapes_) {
      for (const Word& word : plain_words(s.shape)) ++variants[hash(s, word)];
    }
    bool changed = false;
    for (LineShape& s : shapes_) {
      const Word* best = nullptr;
      std::uint32_t most = 0;
      const std::vector<Word> words = plain_words(s.shape);
      for (const Word& word : words) {
        const bool has_name = index_.count(key_of(s, with_name(s.shape, word))) > 0;
        const std::uint32_t n = variants[hash(s, word)];
        if (!has_name && n < (word.at == 0 ? kManyFirstWords : kManyWords)) continue;
        if (best == nullptr || n > most) best = &word, most = n;
      }
      if (best == nullptr) continue;
      s.shape = with_name(s.shape, *best);
      changed = true;
    }
    if (!changed) return;
    rebuild_index();
  }
}

std::vector<LineShape> ShapeCounter::finish() {
  merge();
  std::stable_sort(shapes_.begin(), shapes_.end(), [](const LineShape& a, const LineShape& b) {
    if (a.count != b.count) return a.count > b.count;
    return std::pair(a.first.file, a.first.line) < std::pair(b.first.file, b.first.line);
  });
  index_.clear();
  return std::move(shapes_);
}

}  // namespace trtlens

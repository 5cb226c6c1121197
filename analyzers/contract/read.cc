// Reads a contract; every fault is a diagnostic with its place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analyzers/contract/contract.h"
#include "analyzers/rules/engine/json.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

using Kind = PlacedJson::Kind;

constexpr std::size_t kMostNames = 100, kMostRuns = 1000, kMostFaults = 20, kShown = 80;
constexpr double kMostNumber = 1e12;
// Labels of Precision that arithmetic can have.
constexpr std::array kTypes = {"FP32", "TF32", "FP16", "BF16",  "FP8",
                               "INT8", "INT4", "FP4",  "INT32", "INT64"};

class ContractReader {
 public:
  ContractReader(std::string_view text, const std::string& path, std::vector<Diagnostic>& out)
      : text_(text), path_(path), lines_(text), out_(out) {}

  Contract read() {
    PlacedJsonError error;
    const std::optional<PlacedJson> root = parse_placed_json(text_, error, JsonComments::skipped);
    if (!root) {
      fault(error.offset, "JSON with comments", error.message);
      return {};
    }
    Contract contract;
    if (!is(*root, Kind::object) || !reads_version(*root)) return {};
    members(*root, clause_names(),
            [&](const std::string& key, const PlacedJson& value) { clause(key, value, contract); });
    return contract;
  }

 private:
  void fault(std::size_t offset, std::string expected, std::string found) {
    if (++faults_ > kMostFaults) return;
    const auto [line, column] = lines_.line_and_column(offset);
    if (faults_ == kMostFaults) found += "; more faults are not looked for";
    out_.push_back({"contract", DiagnosticSeverity::error, path_, line, column, std::move(expected),
                    std::move(found)});
  }

  // A name or word of the file, for a sentence.
  static std::string quoted(const std::string& text) {
    return '"' + (text.size() <= kShown ? text : text.substr(0, kShown) + "…") + '"';
  }
  static std::string shown(const PlacedJson& value) {
    switch (value.kind) {
      case Kind::string:
        return quoted(value.text);
      case Kind::number:
        return fmt::format("{:g}", value.number);
      default:
        return to_string(value.kind);
    }
  }

  bool is(const PlacedJson& value, Kind kind) {
    if (value.kind == kind) return true;
    fault(value.offset, to_string(kind), shown(value));
    return false;
  }

  template <typename Read>
  void members(const PlacedJson& object, const std::vector<std::string>& known, Read read) {
    std::vector<std::string> met;
    for (std::size_t i = 0; i < object.keys.size() && faults_ <= kMostFaults; ++i) {
      const auto& [key, offset] = object.keys[i];
      if (std::ranges::find(known, key) == known.end()) {
        fault(offset, "one of " + join(known, ", "), quoted(key));
      } else if (std::ranges::find(met, key) != met.end()) {
        fault(offset, "each member once", quoted(key) + " again");
      } else {
        met.push_back(key);
        read(key, object.items[i]);
      }
    }
  }

  static const PlacedJson* find(const PlacedJson& object, std::string_view key) {
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (object.keys[i].first == key) return &object.items[i];
    }
    return nullptr;
  }

  // What another version means is not known: nothing else of it is looked at.
  bool reads_version(const PlacedJson& root) {
    const PlacedJson* version = find(root, "contract_version");
    if (version == nullptr) {
      fault(root.offset, fmt::format("\"contract_version\": {}", kContractVersion), "none");
      return false;
    }
    if (version->kind == Kind::number && version->number == kContractVersion) return true;
    const bool is_newer = version->kind == Kind::number && version->number > kContractVersion;
    fault(version->offset, fmt::format("contract_version {}", kContractVersion),
          shown(*version) + (is_newer ? ": a newer trtlens wrote it" : ""));
    return false;
  }

  static const std::vector<std::string>& clause_names() {
    static const std::vector<std::string> all = [] {
      std::vector<std::string> names = {"contract_version", "tensorrt", "gpu", "allowed_types",
                                        "strongly_typed"};
      for (std::size_t k = 0; k < kKernelKinds; ++k) {
        names.emplace_back(to_string(static_cast<KernelKind>(k)));
      }
      for (std::size_t a = 0; a < kQuantities; ++a) {
        names.emplace_back(to_string(static_cast<Quantity>(a)));
      }
      names.emplace_back("time_per_query");
      return names;
    }();
    return all;
  }

  void clause(const std::string& key, const PlacedJson& value, Contract& contract) {
    if (key == "tensorrt") return names(value, contract.tensorrt);
    if (key == "gpu") return names(value, contract.gpu);
    if (key == "allowed_types") return names(value, contract.allowed_types, true);
    if (key == "strongly_typed") {
      if (is(value, Kind::boolean)) contract.strongly_typed = value.boolean;
      return;
    }
    if (key == "time_per_query") return time(value, contract.time_per_query.emplace());
    for (std::size_t k = 0; k < kKernelKinds; ++k) {
      if (key == to_string(static_cast<KernelKind>(k))) {
        return kernels(value, contract.kernels.at(k).emplace());
      }
    }
    for (std::size_t a = 0; a < kQuantities; ++a) {
      const auto quantity = static_cast<Quantity>(a);
      if (key != to_string(quantity)) continue;
      limits(value, key.ends_with("_percent") ? 100 : kMostNumber,
             !key.ends_with("_percent") && !key.ends_with("_mib"),
             contract.quantities.at(a).emplace());
    }
  }

  void names(const PlacedJson& value, std::optional<std::vector<std::string>>& out,
             bool are_types = false) {
    if (!is(value, Kind::array)) return;
    out.emplace();
    if (value.items.empty()) fault(value.offset, "at least one name", "none");
    if (value.items.size() > kMostNames) {
      return fault(value.offset, fmt::format("at most {} names", kMostNames),
                   std::to_string(value.items.size()));
    }
    for (const PlacedJson& item : value.items) {
      if (!is(item, Kind::string)) continue;
      if (item.text.empty()) fault(item.offset, "a name", "\"\"");
      if (are_types) type(item.offset, item.text);
      out->push_back(item.text);
    }
  }

  void type(std::size_t offset, const std::string& text) {
    if (std::ranges::find(kTypes, text) != kTypes.end()) return;
    fault(offset, "one of " + join(std::vector<std::string>(kTypes.begin(), kTypes.end()), ", "),
          quoted(text));
  }

  void kernels(const PlacedJson& value, TypeLimits& out) {
    if (!is(value, Kind::object)) return;
    std::vector<std::string> known(kTypes.begin(), kTypes.end());
    known.emplace_back("other");
    members(value, known, [&](const std::string& key, const PlacedJson& of) {
      Limits& own =
          key == "other" ? out.other.emplace() : out.types.emplace_back(key, Limits{}).second;
      limits(of, kMostNumber, true, own);
    });
  }

  // A number alone is what it has to be.
  void limits(const PlacedJson& value, double most, bool whole, Limits& out) {
    if (value.kind == Kind::number) {
      number(value, most, whole, out.at_least);
      out.at_most = out.at_least;
      return;
    }
    if (value.kind != Kind::object) {
      return fault(value.offset, "a number, or {\"at_least\": …, \"at_most\": …}", shown(value));
    }
    members(value, {"at_least", "at_most"}, [&](const std::string& key, const PlacedJson& of) {
      number(of, most, whole, key == "at_least" ? out.at_least : out.at_most);
    });
    if (value.keys.empty()) fault(value.offset, "\"at_least\" or \"at_most\"", "none");
    if (out.at_least && out.at_most && *out.at_least > *out.at_most) {
      fault(value.offset, "at_least below at_most",
            fmt::format("{:g} and {:g}", *out.at_least, *out.at_most));
    }
  }

  void number(const PlacedJson& value, double most, bool whole, std::optional<double>& out) {
    if (!is(value, Kind::number)) return;
    const double n = value.number;
    if (!(n >= 0 && n <= most) || (whole && n != std::floor(n))) {
      return fault(value.offset,
                   fmt::format("{} from 0 to {:g}", whole ? "a whole number" : "a number", most),
                   shown(value));
    }
    out = n;
  }

  void time(const PlacedJson& value, ContractTime& out) {
    if (!is(value, Kind::object)) return;
    const auto percent = [&](const PlacedJson& of, double& to) {
      std::optional<double> read;
      number(of, 1000, false, read);
      to = read.value_or(to);
    };
    members(value, {"runs", "shapes", "margin_percent", "noise_floor_percent"},
            [&](const std::string& key, const PlacedJson& of) {
              if (key == "runs") return runs(of, out.runs);
              if (key == "margin_percent") return percent(of, out.margin_percent);
              if (key == "noise_floor_percent") return percent(of, out.noise_floor_percent);
              if (is(of, Kind::string)) out.shapes = of.text;
            });
    if (out.runs.empty() && find(value, "runs") == nullptr) {
      fault(value.offset, "\"runs\"", "none");
    }
  }

  void runs(const PlacedJson& value, std::vector<ContractRun>& out) {
    if (!is(value, Kind::array)) return;
    if (value.items.empty()) fault(value.offset, "at least one run", "none");
    if (value.items.size() > kMostRuns) {
      return fault(value.offset, fmt::format("at most {} runs", kMostRuns),
                   std::to_string(value.items.size()));
    }
    for (const PlacedJson& item : value.items) {
      if (is(item, Kind::object)) run(item, out.emplace_back());
    }
  }

  void run(const PlacedJson& value, ContractRun& out) {
    std::optional<double> error;
    members(value, {"p10_ms", "median_ms", "profile_ms", "error_percent"},
            [&](const std::string& key, const PlacedJson& of) {
              if (key == "error_percent") return number(of, 100, false, error);
              auto& ms = key == "p10_ms"      ? out.p10_ms
                         : key == "median_ms" ? out.median_ms
                                              : out.profile_ms;
              number(of, kMostNumber, false, ms);
              if (ms && *ms <= 0) fault(of.offset, "a time above 0", shown(of));
            });
    out.error_percent = error.value_or(0);
    if (!find(value, "p10_ms") && !find(value, "median_ms") && !find(value, "profile_ms")) {
      fault(value.offset, "\"p10_ms\", \"median_ms\" or \"profile_ms\"", "none");
    }
  }

  std::string_view text_;
  const std::string& path_;
  LineStarts lines_;
  std::vector<Diagnostic>& out_;
  std::size_t faults_ = 0;
};

}  // namespace

Contract parse_contract(std::string_view text, const std::string& path,
                        std::vector<Diagnostic>& diagnostics) {
  return ContractReader(text, path, diagnostics).read();
}

}  // namespace trtlens

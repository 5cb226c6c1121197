// The command `check`: a build held against a contract.
#include <memory>
#include <utility>

#include "analyzers/contract/contract.h"
#include "report/cli/commands.h"
#include "report/cli/gate.h"
#include "report/cli/reading.h"
#include "report/cli/redaction.h"
#include "report/cli/small_file.h"
#include "report/document/contract/contract.h"
#include "report/formats/gates/gate_report.h"
#include "report/formats/json/contract.h"

namespace trtlens {
namespace {

// False after an error, which is printed.
bool read_contract(const std::string& path, Contract& contract) {
  std::string text;
  if (!read_file_of("--contract", path, kMaxContractBytes, text)) return false;
  std::vector<Diagnostic> diagnostics;
  contract = parse_contract(text, path, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) print_diagnostics({diagnostic});
  return diagnostics.empty();
}

std::string contract_name(const CheckArguments& arguments) {
  Redactor* const redactor = arguments.output.redactor.get();
  return redactor == nullptr ? arguments.contract : redactor->path(arguments.contract);
}

}  // namespace

int run_check(const CheckArguments& arguments) {
  StageTimes times(arguments.output.timing);
  Contract contract;
  if (!read_contract(arguments.contract, contract)) return kExitFailure;
  Baseline baseline;
  if (!read_baseline(arguments.gate.baseline, baseline)) return kExitFailure;
  AnalyzeOptions how;
  how.whole_profiles = true;
  if (!set_rules(arguments.rules, arguments.ignore, how)) return kExitFailure;
  std::vector<Analysis> builds = read_builds(arguments.paths, how, arguments.output, times);
  if (builds.empty()) return kExitFailure;
  const std::shared_ptr<const Reading> reading = builds.front().reading;
  const ContractResult result =
      check_contract(std::move(builds), contract, contract_name(arguments), how);
  if (!result.refused.empty()) {
    complain(result.refused);
    return kExitFailure;
  }
  const GateResult gate = hold(result, gate_options(arguments.gate, arguments.ignore), baseline);
  times.end("check");
  if (!arguments.output.quiet) name_gone(gate.gone, arguments.gate.baseline);
  Report report;
  report.document = [&] { return build_document(result, gate); };
  report.json = [&](TextStream& out) { write_json(result, gate, TRTLENS_VERSION, out); };
  report.gate = [&] { return gate_report(result, gate); };
  if (!write_report(report, arguments.output, times)) return kExitFailure;
  return status_after(*reading, gate.fails() ? kExitFinding : kExitDone);
}

}  // namespace trtlens

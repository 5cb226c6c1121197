// Facts on each of several builds: a row of the overview, which is the report's "builds".
#include <algorithm>

#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kSeverities[] = {"fatal", "major", "moderate", "minor", "info"};

template <Severity Of>
constexpr auto kHowMany = [](const BuildRow& row) {
  return std::ranges::count(reported_findings(*row.analysis, row.gate), Of, &Finding::severity);
};

const FactsOf<BuildRow> kFindingCountFacts{
    "finding_counts",
    {{"fatal", kCount, "why it failed", kHowMany<Severity::fatal>},
     {"major", kCount, "of severity major", kHowMany<Severity::major>},
     {"moderate", kCount, "of severity moderate", kHowMany<Severity::moderate>},
     {"minor", kCount, "of severity minor", kHowMany<Severity::minor>},
     {"info", kCount, "notes", kHowMany<Severity::info>}}};

FactValue shares_of_precision(const BuildRow& row) {
  if (row.analysis->build.profile_sum_ms <= 0) return {};
  NamedNumbers shares;
  for (const ShareRow& one : row.analysis->by_precision) shares.emplace_back(one.label, one.share);
  return shares;
}

FactValue query_ms(const BuildRow& row) {
  const std::optional<QueryTime> query = query_time(*row.analysis);
  return query ? FactValue(query->ms) : FactValue();
}

FactValue profile_ms(const BuildRow& row) {
  const double ms = row.analysis->build.profile_sum_ms;
  return ms > 0 ? FactValue(ms) : FactValue();
}

const FactsOf<Finding> kFirstFindingFacts{
    "first_finding",
    {{"rule", kText, "its rule", kFrom<&Finding::rule>},
     {"severity", one_of(kSeverities), "how bad it is", kFrom<&Finding::severity>},
     {"title", kText, "what is wrong", kFrom<&Finding::title>},
     {"stake_ms", kMs.or_null(), "profile time in question", kFrom<&Finding::stake_ms>}}};

}  // namespace

const Finding* first_finding(const BuildRow& row) {
  for (const Finding* finding : reported_findings(*row.analysis, row.gate)) {
    if (finding->severity != Severity::info) return finding;
  }
  return nullptr;
}

const FactsOf<BuildRow> kBuildRowFacts{
    "build_row",
    {{"number", kCount.from(1), "what --build calls it",
      [](const BuildRow& row) { return row.analysis->build_number; }},
     {"name", kText, "its directory, or its first file",
      [](const BuildRow& row) { return row.analysis->name; }},
     {"outcome", one_of(kOutcomes), "how it ended",
      [](const BuildRow& row) { return row.analysis->build.outcome; }},
     {"gpu_compute_ms", kMs.or_null(),
      "of a query: trtexec's median, else that of the exported times, else trtexec's mean",
      kFrom<query_ms>},
     {"profile_ms", kMs.or_null(), "the profile's sum", kFrom<profile_ms>},
     {"precision", kNumbersByName.or_null(),
      "shares of the profile by precision; null without a profile", kFrom<shares_of_precision>},
     {"findings", kFindingCountFacts, "how many of each severity", kItself},
     {"first_finding", kFirstFindingFacts, "first in the report; null: nothing but notes",
      kFrom<first_finding>}}};

}  // namespace trtlens

// The section on build time: its stages, and the layers that took longest to tune.
#include <fmt/format.h>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

std::optional<Table> stage_table(const Context& context) {
  const std::vector<BuildStage>& stages = context.build.stages;
  if (stages.empty()) return std::nullopt;
  const auto name = [](const Context& of, const BuildStage& stage) {
    const bool is_part = stage.name == "autotuning" && of.build.stages.size() > 1;
    return is_part ? "autotuning, within engine generation" : stage.name;
  };
  const std::optional<double>& whole_s = context.build.engine_build_s;
  const auto share = [&whole_s](const BuildStage& stage) {
    const bool loads = stage.name.ends_with("deserialize");  // the engine that was built
    return loads ? Cell{} : share_cell(stage.s / *whole_s);
  };
  Table table = table_of(context, kBuildStageFacts, pointers_to(stages),
                         {{{"Stage", ColumnKind::name}, name},
                          "s",
                          ColumnOf<BuildStage>({"Of the build", ColumnKind::share}, share)
                              .only_if(whole_s && *whole_s > 0)});
  table.title = "Stages";
  table.name = "stages";
  if (const std::optional<double> s = unnamed_s(context)) {
    table.rows.push_back({text_cell("in no stage that the log names"),
                          {seconds_text(*s), s},
                          share_cell(*s / *whole_s)});
  }
  return table;
}

std::string clock_note(TuningClock clock) {
  switch (clock) {
    case TuningClock::runners:
      return "Seconds: what the log says of every runner of the layer.";
    case TuningClock::stamps:
      return "Seconds: from the stamps of the lines, which count whole seconds: the order of short "
             "ones is chance.";
    case TuningClock::none:
      break;
  }
  return "The log has no times of autotuning: ordered by the sum of the candidates' times.";
}

std::optional<Table> tuning_table(const Context& context) {
  const BuildTime& ledger = context.analysis.build_time;
  if (ledger.layers.empty()) return std::nullopt;
  const TuningClock clock = ledger.clock;
  const auto time = [clock](const LayerTuning& layer) {
    return layer.s ? Cell{tuning_text(*layer.s, clock), layer.s} : text_cell("unknown");
  };
  const auto share = [&ledger](const LayerTuning& layer) {
    return share_cell(layer.s ? std::optional<double>(*layer.s / *ledger.layers_s) : std::nullopt);
  };
  Table table = table_of(context, kLayerTuningFacts, pointers_to(ledger.layers),
                         {label_column<LayerTuning>(&LayerTuning::layer),
                          ColumnOf<LayerTuning>({"Time", ColumnKind::number}, time)
                              .only_if(clock != TuningClock::none),
                          ColumnOf<LayerTuning>({"Share", ColumnKind::share}, share)
                              .only_if(ledger.layers_s && *ledger.layers_s > 0),
                          "tactics", "skipped", "combinations", "tactics_ms",
                          name_column<LayerTuning>(&LayerTuning::layer)});
  table.title = "Autotuning by layer, longest first";
  table.name = "tuning";
  table.shown = context.rows_shown(10);
  table.interactive = true;
  table.note = clock_note(ledger.clock);
  return table;
}

std::string progress_text(const Context& context, const BuildProgress& progress) {
  const bool failed = context.build.outcome == Outcome::failed;
  std::string text = (failed ? "The build failed while " : "The log ends while ") + progress.stage;
  if (progress.stage == "starting") {
    if (failed) return "";  // where it failed its error says
    text = "The log ends at the start of the build";
  }
  if (progress.stage == "after the engine was built") text = "The log ends " + progress.stage;
  if (progress.layers_done) {
    text += fmt::format(", at layer {}", *progress.layers_done);
    if (progress.layers && *progress.layers >= *progress.layers_done) {
      text += fmt::format(" of the graph's {}", *progress.layers);
    }
  }
  if (!progress.layer.empty()) text += ": " + name_text(label_in(context, progress.layer));
  const std::string place = context.place(progress.last_line);
  if (!place.empty()) text += "; last line " + place;
  return text + ".";
}

std::string tuning_sentence(const Build& build, const BuildTime& ledger) {
  std::vector<std::string> parts;
  if (build.engine_build_s) parts.push_back("engine " + seconds_text(*build.engine_build_s));
  if (ledger.layers_s)
    parts.push_back("races of layers " + tuning_text(*ledger.layers_s, ledger.clock));
  if (ledger.reformat_races > 0) {
    std::string text =
        count_text(ledger.reformat_races, "race of conversions", "races of conversions");
    if (ledger.reformats_s) text += " " + tuning_text(*ledger.reformats_s, ledger.clock);
    parts.push_back(text);
  }
  if (build.timing_cache_entries && build.timing_cache_hits) {
    parts.push_back(fmt::format("timing cache {} and {}",
                                count_text(*build.timing_cache_entries, "entry", "entries"),
                                count_text(*build.timing_cache_hits, "hit", "hits")));
  } else if (ledger.from_cache > 0) {
    parts.push_back(count_text(ledger.from_cache, "race", "races") + " from the timing cache");
  }
  return parts.empty() ? "" : sentence_start(join(parts, ", ")) + ".";
}

}  // namespace

std::string tuning_text(double s, TuningClock clock) {
  return clock == TuningClock::stamps ? fmt::format("{:.0f} s", s) : seconds_text(s);
}

Section build_time_section(const Context& context) {
  Section section{"build-time", "Build time", {}};
  const BuildTime& ledger = context.analysis.build_time;
  const bool only_ran =
      context.build.outcome == Outcome::failed && !failed_words(context.analysis).builds;
  if (ledger.progress && !only_ran) {
    section.say(progress_text(context, *ledger.progress), Tone::moderate);
  }
  const std::string text = tuning_sentence(context.build, ledger);
  section.say(text);
  section.add(build_drawing(context));
  section.add(stage_table(context));
  section.add(tuning_table(context));
  return section;
}

}  // namespace trtlens

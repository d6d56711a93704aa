// emptor faq tune.
#include <cstdio>
#include <memory>
#include <utility>

#include "fmt/format.h"
#include "retrieval/cache/faq_tuning.h"
#include "services/cli/commands.h"
#include "services/cli/faq_target.h"
#include "services/embedding/open_embedder.h"
#include "services/eval/faq_pairs.h"

namespace emptor::services {
namespace {

struct FaqTuneCommand {
  std::string url, pairs, out;
  double target_error = 0.02;
  bool weights = false;
};

absl::StatusOr<std::vector<retrieval::FaqPhrasings>> ReadEntries(const FaqTuneCommand& command,
                                                                 const Config& config) {
  const auto target = OpenFaqTarget(command.url, config);
  if (!target.ok()) return target.status();
  std::vector<retrieval::FaqPhrasings> entries;
  const absl::Status read = (*target)->Visit([&](const ListedFaqEntry& listed) {
    entries.push_back({listed.entry.id, listed.entry.locale, listed.entry.questions});
    return true;
  });
  if (!read.ok()) return read;
  return entries;
}

void PrintFigures(const char* name, const FaqFigures& figures) {
  std::printf("%s\n", fmt::format("{}: {} of {} answered, {} right, {} wrong, {} of them of "
                                  "questions that no entry answers",
                                  name, figures.hits, figures.questions, figures.right,
                                  figures.false_hits(), figures.outside_hits)
                          .c_str());
}

int RunFaqTune(const Config& config, const FaqTuneCommand& command) {
  const auto text = ReadFile(command.pairs);
  if (!text.ok()) return Fail(text.status());
  const auto pairs = ParseFaqPairs(*text);
  if (!pairs.ok()) {
    return Fail(absl::Status(pairs.status().code(),
                             command.pairs + ": " + std::string(pairs.status().message())));
  }
  const auto entries = ReadEntries(command, config);
  if (!entries.ok()) return FailForShop(config, entries.status());
  const auto embedder = OpenEmbedder(config.embedder, config.embedder_settings);
  if (!embedder.ok()) return Fail(embedder.status());
  const auto index = retrieval::FaqIndex::Create(embedder->inner());
  if (!index.ok()) return Fail(index.status());
  if (const absl::Status added = (*index)->Update(*entries, {}); !added.ok()) return Fail(added);
  (*index)->Learn();
  FaqTuneOptions options;
  options.fit.target_error = command.target_error;
  options.fits_weights = command.weights;
  const FaqTuneResult result = TuneFaq(**index, *pairs, options);
  std::printf("fitted on %zu questions, reported on %zu\n", result.fitted, result.after.questions);
  PrintFigures("before", result.before);
  PrintFigures("after", result.after);
  const std::string file = retrieval::WriteFaqTuning(result.tuning);
  if (command.out.empty()) {
    std::fputs(file.c_str(), stdout);
    return 0;
  }
  const absl::Status written = WriteFile(command.out, file);
  return written.ok() ? 0 : Fail(written);
}

}  // namespace

void AddFaqTuneCommand(Command faq, SettingFlags& settings) {
  const auto typed = std::make_shared<FaqTuneCommand>();
  const Command command =
      faq.AddCommand("tune", "fit when an entry is served to questions whose answers are known");
  settings.AddForData(command);
  settings.AddShop(command);
  settings.AddApiKey(command);
  command.Add("--url", typed->url, "URL of the service (the one that holds the data directory)");
  command.Add("--pairs", typed->pairs, "JSON lines of question and id (null: no entry answers)")
      .Required();
  command.Add("--target-error", typed->target_error, "share of hits that may be wrong (0.02)")
      .Range(0.0, 0.5);
  command.AddSwitch("--weights", typed->weights,
                    "fit the weights, too: for some hundred questions and more");
  command.Add("--out", typed->out, "tuning file to write (standard output)");
  settings.OnRun(command, [typed](const Config& config) { return RunFaqTune(config, *typed); });
}

}  // namespace emptor::services

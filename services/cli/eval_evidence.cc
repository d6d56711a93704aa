// emptor eval evidence.
#include <cstdio>
#include <memory>
#include <numeric>
#include <utility>

#include "fmt/format.h"
#include "services/cli/commands.h"
#include "services/embedding/open_embedder.h"
#include "services/eval/evidence_cases.h"

namespace emptor::services {
namespace {

struct EvalEvidenceCommand {
  std::string cases, features;
  int relevant_from = 1;
};

/// Cosines of the question and each candidate. Errors: of the embedder.
absl::StatusOr<std::vector<float>> EmbeddedScores(const retrieval::Embedder& embedder,
                                                  const EvidenceCase& of) {
  const auto dimension = static_cast<size_t>(embedder.dimension());
  std::vector<std::string> texts;
  for (const JudgedEvidence& each : of.candidates) texts.push_back(each.candidate);
  std::vector<float> question(dimension), vectors(texts.size() * dimension);
  absl::Status status = embedder.EmbedQueryInto(of.question, question);
  if (status.ok()) status = embedder.EmbedInto(texts, vectors);
  if (!status.ok()) return status;
  std::vector<float> scores;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto begin = vectors.begin() + static_cast<std::ptrdiff_t>(i * dimension);
    scores.push_back(std::inner_product(question.begin(), question.end(), begin, 0.0f));
  }
  return scores;
}

void Print(std::string_view name, const EvidenceQuality& quality) {
  std::fputs(
      fmt::format("  {:<22} {:.3f}   {:.3f}\n", name, quality.right_first, quality.reciprocal_rank)
          .c_str(),
      stdout);
}

/// A scorer by one function of the features.
template <typename Score>
EvidenceScorer ByFeatures(const TermWeights& weights, const Score& score) {
  return [&weights, score](const EvidenceCase& of) {
    std::vector<float> scores;
    for (const JudgedEvidence& each : of.candidates) {
      scores.push_back(score(FeaturesOf(of.question, of.title, each.evidence, weights)));
    }
    return scores;
  };
}

int Report(const EvalEvidenceCommand& command, const std::vector<EvidenceCase>& cases,
           const TermWeights& weights, const retrieval::Embedder& embedder) {
  absl::Status embedded;
  const EvidenceScorer by_embedder = [&](const EvidenceCase& of) {
    auto scores = EmbeddedScores(embedder, of);
    if (!scores.ok()) embedded = scores.status();
    return scores.ok() ? *std::move(scores) : std::vector<float>(of.candidates.size());
  };
  const auto measure = [&](const EvidenceScorer& scorer) {
    return MeasureEvidence(cases, command.relevant_from, scorer);
  };
  const EvidenceQuality ours = measure(ByFeatures(weights, ScoreEvidence));
  const EvidenceQuality vectors = measure(by_embedder);
  if (!embedded.ok()) return Fail(embedded);
  std::fputs(fmt::format("{} questions, {} with a sentence of label {} or more\n"
                         "                         first   mean reciprocal rank\n",
                         cases.size(), ours.cases, command.relevant_from)
                 .c_str(),
             stdout);
  Print("BM25", measure(ByFeatures(weights, [](const EvidenceFeatures& features) {
          return features[kEvidenceBm25];
        })));
  Print(embedder.model_id(), vectors);
  Print("evidence", ours);
  return 0;
}

int RunEvalEvidence(const Config& config, const EvalEvidenceCommand& command) {
  const auto text = ReadFile(command.cases);
  if (!text.ok()) return Fail(text.status());
  const auto cases = ParseEvidenceCases(*text);
  if (!cases.ok()) {
    return Fail(absl::Status(cases.status().code(),
                             command.cases + ":" + std::string(cases.status().message())));
  }
  TermWeights weights;
  for (const EvidenceCase& each : *cases) {
    for (const JudgedEvidence& judged : each.candidates) weights.Add(judged.evidence);
  }
  if (!command.features.empty()) {
    const absl::Status written = WriteFile(command.features, EvidenceFeatureLines(*cases, weights));
    if (!written.ok()) return Fail(written);
  }
  const auto opened = OpenEmbedder(config.embedder, config.embedder_settings);
  if (!opened.ok()) return Fail(opened.status());
  return Report(command, *cases, weights, opened->inner());
}

}  // namespace

void AddEvalEvidenceCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalEvidenceCommand>();
  const Command command = eval.AddCommand(
      "evidence", "rank the judged sentences of a file by how well they answer its questions");
  settings.AddForSearch(command);
  command.Add("--cases", options->cases, "questions with judged sentences, as JSON lines");
  command.Add("--relevant-from", options->relevant_from, "least label of a sentence that answers");
  command.Add("--features", options->features, "write the features of each sentence to this file");
  settings.OnRun(
      command, [options](const Config& config) { return RunEvalEvidence(config, *options); },
      [options] { return options->cases.empty() ? "--cases" : ""; });
}

}  // namespace emptor::services

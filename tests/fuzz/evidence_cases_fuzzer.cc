// Any bytes as judged sentences: refused, or read such that each can be scored.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "services/eval/evidence_cases.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::services;
  const auto cases = ParseEvidenceCases({reinterpret_cast<const char*>(data), size});
  if (!cases.ok()) return 0;
  TermWeights weights;
  for (const EvidenceCase& each : *cases) {
    for (const JudgedEvidence& judged : each.candidates) weights.Add(judged.evidence);
  }
  MeasureEvidence(*cases, 1, [&](const EvidenceCase& of) {
    std::vector<float> scores;
    for (const JudgedEvidence& judged : of.candidates) {
      scores.push_back(ScoreEvidence(FeaturesOf(of.question, of.title, judged.evidence, weights)));
    }
    return scores;
  });
  return 0;
}

// Questions about products with sentences that people judged: which of them is ranked first?
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/schema/evidence.h"

namespace emptor::services {

/// A sentence and how well it answers: 0 not at all, more the better.
struct JudgedEvidence {
  Evidence evidence;
  std::string candidate;  // as the file has it
  int label = 0;
};

struct EvidenceCase {
  std::string id, product, title, question;
  std::vector<JudgedEvidence> candidates;
};

/// JSON lines with the members qid, question, candidate, label and source, and optionally ASIN and
/// title, as ePQA and hetPQA have them (Shen et al. 2022 and 2023). Lines of one qid are one case.
/// Errors: kInvalidArgument with the line and the member.
absl::StatusOr<std::vector<EvidenceCase>> ParseEvidenceCases(std::string_view text);

/// The scores of a case's candidates, in their order.
using EvidenceScorer = std::function<std::vector<float>(const EvidenceCase&)>;

/// Over the cases with a candidate whose label is at least `relevant_from`.
struct EvidenceQuality {
  size_t cases = 0;
  double right_first = 0;      // share whose first candidate is relevant; ties count by share
  double reciprocal_rank = 0;  // mean of 1 / rank of the first relevant one
};
EvidenceQuality MeasureEvidence(const std::vector<EvidenceCase>& cases, int relevant_from,
                                const EvidenceScorer& scorer);

/// Features of every candidate, one line each, for training: id, product, label, features.
std::string EvidenceFeatureLines(const std::vector<EvidenceCase>& cases,
                                 const TermWeights& weights);

}  // namespace emptor::services

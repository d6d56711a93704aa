// What speculative decoding gains, on the same text with and without it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/speed/statistics.h"

namespace emptor::engine {

struct SpeculationMeterOptions {
  int threads = 0;              // 0: one per core
  bool processor_time = false;  // of all threads over their number, for a shared machine
  int rounds = 5;
  int sequences = 1;     // that decode together
  int prompt = 400;      // tokens of made-up prompts
  int tokens = 160;      // tokens of an answer at most
  int draft_tokens = 8;  // as EngineOptions::speculation_tokens
  uint64_t seed = 1;
  std::string text = {};       // file: also measured on passages of it
  std::string questions = {};  // file: also measured on requests, which the model answers itself
};

/// One kind of text, measured in rounds: without drafts, with, with, without.
struct SpeculationCell {
  std::string text;
  std::vector<double> plain = {}, speculative = {};  // tokens per second after the first, by round
  uint64_t answers = 0, different = 0;               // compared with the answer without drafts
  uint64_t steps = 0, tokens = 0;                    // of speculative decoding
  uint64_t draft_tokens = 0, accepted = 0;

  Summary Ratio() const;  // speculative over plain, of each round
};

struct SpeculationReport {
  std::string model;
  int threads = 0, sequences = 0, draft_tokens = 0;
  std::vector<SpeculationCell> cells = {};
};

/// The model computes all steps. It is made to write (see WrittenText): "quoting", answers of
/// passages of 24 tokens of the prompt with 6 new tokens between them; "new", answers in which no
/// token follows from what was before; passages of `text`. To `questions`, lines of JSON with
/// `messages` ([{role, content}]) and perhaps `references` ([text]), it answers greedily itself.
/// Errors: as LoadModel; kInvalidArgument (a number out of range, a text too short, a bad line).
absl::StatusOr<SpeculationReport> MeasureSpeculation(const std::string& path,
                                                     const SpeculationMeterOptions& options);

}  // namespace emptor::engine

// Port: guesses how sequences continue, for the model to verify.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace emptor::engine {

/// How promising a draft is: classes whose acceptance is measured apart.
constexpr int kDraftClasses = 6;

/// A sequence that wants draft tokens.
struct DraftRequest {
  uint64_t sequence = 0;                 // its name, for its whole life
  std::span<const int32_t> tokens = {};  // its prompt and its answer so far
  int count = 0;                         // draft tokens wanted, at least 1
  std::vector<int32_t> drafts = {};      // the answer: at most `count`, perhaps none
};

/// Implementations: PromptLookup, DraftModel. A draft changes the speed of an answer, never its
/// tokens. Thread-safety: engine thread only.
class Drafter {
 public:
  virtual ~Drafter() = default;
  Drafter(const Drafter&) = delete;
  Drafter& operator=(const Drafter&) = delete;

  /// The class of the draft that the sequence would get, 0 to kDraftClasses - 1; nothing when there
  /// is none. Computes no model. REQUIRES: the tokens begin with those of the calls before for this
  /// sequence.
  virtual std::optional<int> Classify(uint64_t sequence, std::span<const int32_t> tokens) = 0;

  /// Computes what the drafts of these requests need first, such as prompts, as far as one step
  /// may. REQUIRES: each sequence was classified with these tokens.
  virtual void Prefill(std::span<const DraftRequest> requests) = 0;

  /// Fills the drafts of all requests; empty for those that need more of Prefill. REQUIRES: the
  /// requests are those of the call of Prefill before.
  virtual void DraftInto(std::span<DraftRequest> requests) = 0;

  /// The sequence has ended; unknown ones are ignored.
  virtual void Forget(uint64_t sequence) = 0;

  /// Whether drafting computes no model, so that drafts cost nothing until they are verified.
  virtual bool is_free() const = 0;

 protected:
  Drafter() = default;
};

}  // namespace emptor::engine

// How often each model breaks the form that it is asked to write in (docs/formats/prompt.md).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "services/assistant/assistant.h"
#include "services/observability/metrics.h"

namespace emptor::services {

/// Of one model.
struct FormCounts {
  uint64_t answers = 0;  // for which it wrote text
  // Of these:
  uint64_t no_reference = 0;      // no reference at all, though it had sources
  uint64_t wrong_reference = 0;   // a reference to nothing, or brackets that are none
  uint64_t refused_sentence = 0;  // a sentence that no record or page entails
  uint64_t sentences_kept = 0, sentences_refused = 0;
};

/// Thread-safety: any thread.
class ModelFormCounter {
 public:
  void Count(const AnswerRecord& answer);
  std::map<std::string, FormCounts> counts() const;  // by model

 private:
  mutable std::mutex mutex_;
  std::map<std::string, FormCounts> counts_;  // guarded by mutex_
};

/// The counts as metrics, labelled `model_name`.
std::vector<Sample> FormSamples(const std::map<std::string, FormCounts>& counts);

}  // namespace emptor::services

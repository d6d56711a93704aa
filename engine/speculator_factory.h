// Speculative decoding as the options ask for it.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/speculation/speculator.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Null when the options ask for none. `kv_tokens`: that the model's own KV memory holds; a draft
/// model gets memory for as many. Errors: as LoadModel; kInvalidArgument (a draft model of another
/// vocabulary than the model's, or none given); kResourceExhausted.
absl::StatusOr<std::unique_ptr<Speculator>> MakeSpeculator(const EngineOptions& options,
                                                           const Vocabulary& vocabulary,
                                                           int64_t kv_tokens);

/// Whether two vocabularies have the same tokens under the same numbers. The message names the
/// first difference; `path` is that of the draft model.
absl::Status CheckSameVocabulary(const Vocabulary& model, const Vocabulary& draft,
                                 const std::string& path);

}  // namespace emptor::engine

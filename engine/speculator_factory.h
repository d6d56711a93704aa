// Speculative decoding as the options ask for it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/loading/model_loader.h"
#include "engine/model/transformer.h"
#include "engine/speculation/draft_model.h"
#include "engine/speculation/speculator.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// The draft model of the options, read and checked as far as that goes without the model that it
/// drafts for; nothing when they ask for none. Errors: as LoadModel and ModelWeights::Read;
/// kInvalidArgument (no path). Messages begin with "draft_model: ".
absl::StatusOr<std::optional<LoadedModel>> ReadDraftModel(const EngineOptions& options);

/// Null when the options ask for none. `draft`: of ReadDraftModel. `vocabulary` and `blocks`: the
/// model's own; a draft model's KV memory has as many blocks. Errors: kInvalidArgument (a draft
/// model of another vocabulary), kResourceExhausted.
absl::StatusOr<std::unique_ptr<Speculator>> MakeSpeculator(const EngineOptions& options,
                                                           std::optional<LoadedModel> draft,
                                                           const Vocabulary& vocabulary,
                                                           int blocks);

/// Whether two vocabularies have the same tokens under the same numbers. The message names the
/// first difference; `path` is that of the draft model.
absl::Status CheckSameVocabulary(const Vocabulary& model, const Vocabulary& draft,
                                 const std::string& path);

/// How a draft model is made, and how it drafts.
DraftModelOptions DraftOptionsOf(const EngineOptions& options, int blocks);
TransformerOptions DraftTransformerOptionsOf(const EngineOptions& options, int blocks);

}  // namespace emptor::engine

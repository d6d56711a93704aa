// Loads the draft model, where there is one.
#include "engine/speculator_factory.h"

#include <algorithm>
#include <utility>

#include "engine/engine_limits.h"
#include "engine/model/model_weights.h"
#include "engine/model/tensor_parallel.h"
#include "engine/speculation/prompt_lookup.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// The same code, and what it is about.
absl::Status OfDraftModel(const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("draft_model: {}", std::string(status.message())));
}

absl::StatusOr<std::unique_ptr<Drafter>> MakeDraftModel(const EngineOptions& options,
                                                        const LoadedModel& draft,
                                                        const Vocabulary& vocabulary, int blocks) {
  const absl::Status same =
      CheckSameVocabulary(vocabulary, draft.tokenizer->vocabulary(), options.draft_model);
  if (!same.ok()) return same;
  auto model = CreateModel(draft.source, DraftTransformerOptionsOf(options, blocks));
  if (!model.ok()) return OfDraftModel(model.status());
  return std::make_unique<DraftModel>(*std::move(model), DraftOptionsOf(options, blocks));
}

}  // namespace

absl::StatusOr<std::optional<LoadedModel>> ReadDraftModel(const EngineOptions& options) {
  if (options.speculation != Speculation::kDraftModel) return std::nullopt;
  if (options.draft_model.empty()) {
    return absl::InvalidArgumentError("draft_model: expected the path of a model, found none");
  }
  absl::StatusOr<LoadedModel> loaded = LoadModel(options.draft_model);
  if (!loaded.ok()) return OfDraftModel(loaded.status());
  const auto weights = ModelWeights::Read(*loaded->source, loaded->config);
  if (!weights.ok()) return OfDraftModel(weights.status());
  return *std::move(loaded);
}

absl::Status CheckSameVocabulary(const Vocabulary& model, const Vocabulary& draft,
                                 const std::string& path) {
  const auto refuse = [&](const std::string& found) {
    return absl::InvalidArgumentError(fmt::format(
        "draft_model: {}: expected the vocabulary of the model, found {}; choose a draft model of "
        "the same family",
        path, found));
  };
  if (model.size() != draft.size()) {
    return refuse(fmt::format("{} tokens in place of {}", draft.size(), model.size()));
  }
  for (TokenId id = 0; id < model.size(); ++id) {
    const std::string &want = model.Bytes(id), &found = draft.Bytes(id);
    if (want != found) {
      return refuse(fmt::format("{:?} in place of {:?} as token {}", found, want, id));
    }
  }
  return absl::OkStatus();
}

DraftModelOptions DraftOptionsOf(const EngineOptions& options, int blocks) {
  const DraftModelOptions defaults;
  const int most = std::max(options.max_step_tokens, defaults.max_step_tokens);
  const int mixed = options.mixed_prefill_tokens;
  return {.blocks = blocks,
          .block_tokens = options.kv_block_tokens,
          .max_step_tokens = most,
          .max_prefill_tokens = mixed > 0 ? std::min(most, mixed) : most,
          // The rest is for the prompts of the model itself.
          .max_prefill_seconds = options.mixed_step_ms / 2000.0};
}

TransformerOptions DraftTransformerOptionsOf(const EngineOptions& options, int blocks) {
  const DraftModelOptions drafts = DraftOptionsOf(options, blocks);
  return {.blocks = blocks,
          .block_tokens = drafts.block_tokens,
          .max_step_tokens = drafts.max_step_tokens,
          .threads = options.threads,
          .kv_type = KvTypeOf(options.kv_bits),
          .release_file = true};
}

absl::StatusOr<std::unique_ptr<Speculator>> MakeSpeculator(const EngineOptions& options,
                                                           std::optional<LoadedModel> draft,
                                                           const Vocabulary& vocabulary,
                                                           int blocks) {
  std::unique_ptr<Drafter> drafter;
  if (draft) {
    auto made = MakeDraftModel(options, *draft, vocabulary, blocks);
    if (!made.ok()) return made.status();
    drafter = *std::move(made);
  } else if (options.speculation == Speculation::kPromptLookup) {
    drafter = std::make_unique<PromptLookup>();
  } else {
    return nullptr;
  }
  auto speculator = std::make_unique<Speculator>(std::move(drafter), options.speculation_tokens);
  speculator->set_always(options.speculation_always);
  return speculator;
}

}  // namespace emptor::engine

// Loads the draft model, where there is one.
#include "engine/speculator_factory.h"

#include <algorithm>
#include <utility>

#include "engine/loading/model_loader.h"
#include "engine/model/tensor_parallel.h"
#include "engine/speculation/draft_model.h"
#include "engine/speculation/prompt_lookup.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

absl::StatusOr<std::unique_ptr<Drafter>> LoadDraftModel(const EngineOptions& options,
                                                        const Vocabulary& vocabulary,
                                                        int64_t kv_tokens) {
  const std::string& path = options.draft_model;
  if (path.empty()) {
    return absl::InvalidArgumentError("engine.draft_model: expected the path of a model");
  }
  absl::StatusOr<LoadedModel> loaded = LoadModel(path);
  if (!loaded.ok()) return loaded.status();
  const absl::Status same = CheckSameVocabulary(vocabulary, loaded->tokenizer->vocabulary(), path);
  if (!same.ok()) return same;
  const DraftModelOptions drafts{
      .blocks = static_cast<int>(kv_tokens / options.kv_block_tokens),
      .block_tokens = options.kv_block_tokens,
      .max_step_tokens = std::max(options.max_step_tokens, DraftModelOptions{}.max_step_tokens)};
  absl::StatusOr<std::unique_ptr<Model>> model =
      CreateModel(loaded->source, {.blocks = drafts.blocks,
                                   .block_tokens = drafts.block_tokens,
                                   .max_step_tokens = drafts.max_step_tokens,
                                   .threads = options.threads,
                                   .release_file = true});
  if (!model.ok()) return model.status();
  return std::make_unique<DraftModel>(*std::move(model), drafts);
}

}  // namespace

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
    if (model.Bytes(id) != draft.Bytes(id)) return refuse(fmt::format("another token {}", id));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Speculator>> MakeSpeculator(const EngineOptions& options,
                                                           const Vocabulary& vocabulary,
                                                           int64_t kv_tokens) {
  std::unique_ptr<Drafter> drafter;
  switch (options.speculation) {
    case Speculation::kNone:
      return nullptr;
    case Speculation::kPromptLookup:
      drafter = std::make_unique<PromptLookup>();
      break;
    case Speculation::kDraftModel: {
      auto loaded = LoadDraftModel(options, vocabulary, kv_tokens);
      if (!loaded.ok()) return loaded.status();
      drafter = *std::move(loaded);
      break;
    }
  }
  auto speculator = std::make_unique<Speculator>(std::move(drafter), options.speculation_tokens);
  speculator->set_always(options.speculation_always);
  return speculator;
}

}  // namespace emptor::engine

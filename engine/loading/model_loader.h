// Detects the kind of model at a path and reads it: weights, tokenizer, chat template.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/model/model_capabilities.h"
#include "engine/model/model_config.h"
#include "engine/model/model_source.h"
#include "engine/tokenizer/chat_template.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

struct LoadedModel {
  std::shared_ptr<const ModelSource> source;
  ModelConfig config;
  std::string title;  // for people: the name in the file, or that of the file or folder
  ModelCapabilities capabilities;
  std::unique_ptr<const Tokenizer> tokenizer;  // of config.vocabulary tokens
  ChatTemplate chat_template;
};

/// `path`, if it is a file or a folder with config.json; the GGUF file of a folder that has one.
/// Errors: kInvalidArgument (a folder with neither, or with several GGUF files).
absl::StatusOr<std::string> FindModelPath(const std::string& path);

/// The weights at `path`: a GGUF file; a folder with config.json, as Hugging Face lays it out; or a
/// folder with one GGUF file. Errors: as GgufFile::Load and HfDirectory::Load; kInvalidArgument (a
/// folder with neither, or with several GGUF files).
absl::StatusOr<std::shared_ptr<const ModelSource>> LoadModelSource(const std::string& path);

/// The name that a GGUF file has for its model, else the last part of the path.
std::string ModelTitle(const ModelSource& source);

/// What the keys emptor.references (bool) and emptor.languages (array of strings) of a GGUF file
/// declare; nothing without them, and for a Hugging Face directory. Errors: kInvalidArgument (a key
/// of another type, a language that is not a two-letter code).
absl::StatusOr<ModelCapabilities> ReadModelCapabilities(const ModelSource& source);

/// The model's tokenizer and chat template. Errors: as the readers of vocabulary_reader.h.
absl::StatusOr<std::unique_ptr<const Tokenizer>> ReadModelTokenizer(const ModelSource& source);
absl::StatusOr<ChatTemplate> ReadModelChatTemplate(const ModelSource& source);

/// Reads all of a model. Errors: those of the functions above and of ModelSource::Config;
/// kInvalidArgument (a tokenizer of another size than the vocabulary).
absl::StatusOr<LoadedModel> LoadModel(const std::string& path);

}  // namespace emptor::engine

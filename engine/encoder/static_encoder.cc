// Static text embeddings from a GGUF file or a directory.
#include "engine/encoder/static_encoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/encoder/model2vec.h"
#include "engine/encoder/model_digest.h"
#include "engine/encoder/static_text.h"
#include "engine/kernels/kernels.h"
#include "engine/loading/gguf_file.h"
#include "engine/loading/tokenizer_directory.h"
#include "engine/loading/vocabulary_reader.h"
#include "engine/tokenizer/tokenizer.h"
#include "fmt/format.h"
#include "unicode/normalizer2.h"

namespace emptor::engine {
namespace {

/// How the file asks for its text.
absl::StatusOr<StaticText> ReadMetadata(const GgufFile& file) {
  const auto architecture = file.String("general.architecture");
  if (!architecture.ok()) return architecture.status();
  if (*architecture != "emptor-static") {
    return file.Error("general.architecture",
                      fmt::format("expected emptor-static, found {:?}", *architecture));
  }
  const auto normalization = file.String("emptor-static.text_normalization");
  if (!normalization.ok()) return normalization.status();
  const std::optional<StaticText> text = ParseStaticText(*normalization);
  if (!text) {
    return file.Error(
        "emptor-static.text_normalization",
        fmt::format("expected nfkc_casefold or nfkc_casefold_words, found {:?}", *normalization));
  }
  return *text;
}

}  // namespace

struct StaticEncoder::Impl {
  std::unique_ptr<const GgufFile> file;  // null: tables.file holds the vectors
  Model2VecTables tables;                // of a GGUF file as well, without its file
  std::unique_ptr<const Tokenizer> tokenizer;
  const icu::Normalizer2* normalizer = nullptr;  // null: the tokenizer prepares text itself
  StaticText text = StaticText::kCaseFolded;
  int dimension = 0;
  std::string model_id;

  absl::Status FindTensors();
};

absl::Status StaticEncoder::Impl::FindTensors() {
  const GgufTensor* table = file->FindTensor("token_embd.weight");
  const GgufTensor* weight = file->FindTensor("token_weight");
  if (table == nullptr) return file->Error("tensor token_embd.weight", "missing");
  if (weight == nullptr) return file->Error("tensor token_weight", "missing");
  tables.embeddings = table->View();
  const TensorView& embedding = tables.embeddings;
  const TensorView weight_view = weight->View();
  const int64_t vocabulary = tokenizer->vocabulary().size();
  if (embedding.rows != vocabulary || embedding.cols != dimension || table->dims.size() != 2) {
    return file->Error("tensor token_embd.weight",
                       fmt::format("expected {} x {}, found {} x {}", vocabulary, dimension,
                                   embedding.rows, embedding.cols));
  }
  if (weight_view.type != DType::kF32 || weight_view.cols != vocabulary || weight_view.rows != 1) {
    return file->Error("tensor token_weight", fmt::format("expected {} F32 values", vocabulary));
  }
  const auto* weights = reinterpret_cast<const float*>(weight_view.data);
  for (int64_t i = 0; i < vocabulary; ++i) {
    if (!std::isfinite(weights[i])) {
      return file->Error("tensor token_weight", fmt::format("value {} is not finite", i));
    }
  }
  tables.weights.assign(weights, weights + vocabulary);
  tables.mapping.resize(static_cast<size_t>(vocabulary));
  std::iota(tables.mapping.begin(), tables.mapping.end(), 0);
  model_id = MakeModelId(file->name(), {table->bytes, weight->bytes});
  return absl::OkStatus();
}

StaticEncoder::StaticEncoder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StaticEncoder::~StaticEncoder() = default;

absl::StatusOr<std::unique_ptr<StaticEncoder>> StaticEncoder::Load(const std::string& path) {
  absl::StatusOr<std::unique_ptr<const GgufFile>> file = GgufFile::Load(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<StaticText> text = ReadMetadata(**file);
  if (!text.ok()) return text.status();
  const auto dimension = (*file)->Integer("emptor-static.embedding_length", 1, 1 << 16);
  if (!dimension.ok()) return dimension.status();
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = ReadTokenizer(**file);
  if (!tokenizer.ok()) return tokenizer.status();
  UErrorCode error = U_ZERO_ERROR;
  auto impl = std::make_unique<Impl>();
  impl->normalizer = icu::Normalizer2::getNFKCCasefoldInstance(error);
  if (U_FAILURE(error)) return absl::InternalError("icu: no data for NFKC_Casefold");
  impl->text = *text;
  impl->file = std::move(*file);
  impl->tokenizer = std::move(*tokenizer);
  impl->dimension = static_cast<int>(*dimension);
  const absl::Status found = impl->FindTensors();
  if (!found.ok()) return found;
  return std::unique_ptr<StaticEncoder>(new StaticEncoder(std::move(impl)));
}

absl::StatusOr<std::unique_ptr<StaticEncoder>> StaticEncoder::LoadDirectory(
    const std::string& directory) {
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = LoadTokenizer(directory);
  if (!tokenizer.ok()) return tokenizer.status();
  const Vocabulary& vocabulary = (*tokenizer)->vocabulary();
  absl::StatusOr<Model2VecTables> tables = Model2VecTables::Load(directory, vocabulary.size());
  if (!tables.ok()) return tables.status();
  auto impl = std::make_unique<Impl>();
  impl->tables = *std::move(tables);
  if (const std::optional<TokenId> unknown = vocabulary.spec().unknown) {
    impl->tables.weights[static_cast<size_t>(*unknown)] = 0;
  }
  impl->tokenizer = *std::move(tokenizer);
  impl->dimension = static_cast<int>(impl->tables.embeddings.cols);
  impl->model_id = MakeModelId(directory, {impl->tables.file->FindTensor("embeddings")->bytes,
                                           std::as_bytes(std::span(impl->tables.weights)),
                                           std::as_bytes(std::span(impl->tables.mapping))});
  return std::unique_ptr<StaticEncoder>(new StaticEncoder(std::move(impl)));
}

int StaticEncoder::dimension() const { return impl_->dimension; }
int StaticEncoder::max_tokens() const { return std::numeric_limits<int>::max(); }
const std::string& StaticEncoder::model_id() const { return impl_->model_id; }

const Tokenizer& StaticEncoder::tokenizer() const { return *impl_->tokenizer; }

void StaticEncoder::EncodeInto(std::string_view text, std::span<float> out) const {
  assert(out.size() == static_cast<size_t>(impl_->dimension));
  std::fill(out.begin(), out.end(), 0.0f);
  std::vector<TokenId> tokens;
  if (impl_->normalizer != nullptr) {
    impl_->tokenizer->EncodeInto(NormalizeStaticText(impl_->text, text), tokens);
  } else {
    impl_->tokenizer->EncodeInto(text, tokens);
  }
  const Kernels& kernels = KernelsFor(DetectIsa());
  std::vector<float> row(out.size());
  for (const TokenId token : tokens) {
    const float weight = impl_->tables.weights[static_cast<size_t>(token)];
    if (weight == 0) continue;
    kernels.dequantize(impl_->tables.embeddings, impl_->tables.mapping[static_cast<size_t>(token)],
                       row.data());
    for (size_t i = 0; i < row.size(); ++i) out[i] += weight * row[i];
  }
  NormalizeRow(out);
}

absl::Status StaticEncoder::EncodeTextsInto(std::span<const std::string> texts, TextKind,
                                            std::span<float> out) const {
  const auto dimension = static_cast<size_t>(impl_->dimension);
  if (out.size() != texts.size() * dimension) {
    return absl::InvalidArgumentError("encoder: out must hold texts x dimension floats");
  }
  for (size_t i = 0; i < texts.size(); ++i)
    EncodeInto(texts[i], out.subspan(i * dimension, dimension));
  return absl::OkStatus();
}

}  // namespace emptor::engine

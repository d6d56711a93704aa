// Static text embeddings from a GGUF file.
#include "engine/encoder/static_encoder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/kernels/kernels.h"
#include "engine/model/gguf_file.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/vocabulary_reader.h"
#include "fmt/format.h"
#include "openssl/evp.h"
#include "unicode/normalizer2.h"
#include "unicode/unistr.h"

namespace emptor::engine {
namespace {

/// The first 8 bytes of SHA-256 over the bytes of the tensors, in hexadecimal.
std::string DigestOf(std::initializer_list<std::span<const std::byte>> parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  for (const auto part : parts) EVP_DigestUpdate(context.get(), part.data(), part.size());
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  std::string text;
  for (size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

/// Text in NFKC with case folded and ignorable characters removed. Bytes that are not UTF-8 become
/// U+FFFD.
std::string FoldCase(const icu::Normalizer2& normalizer, std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const auto length = static_cast<int32_t>(std::min<size_t>(text.size(), 1u << 28));
  const icu::UnicodeString source =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), length));
  std::string out;
  const icu::UnicodeString folded = normalizer.normalize(source, error);
  if (U_FAILURE(error)) return std::string(text);
  return folded.toUTF8String(out);
}

absl::Status CheckMetadata(const GgufFile& file) {
  const auto architecture = file.String("general.architecture");
  if (!architecture.ok()) return architecture.status();
  if (*architecture != "emptor-static") {
    return file.Error("general.architecture",
                      fmt::format("expected emptor-static, found {:?}", *architecture));
  }
  const auto normalization = file.String("emptor-static.text_normalization");
  if (!normalization.ok()) return normalization.status();
  if (*normalization != "nfkc_casefold") {
    return file.Error("emptor-static.text_normalization",
                      fmt::format("expected nfkc_casefold, found {:?}", *normalization));
  }
  return absl::OkStatus();
}

}  // namespace

struct StaticEncoder::Impl {
  std::unique_ptr<const GgufFile> file;
  std::unique_ptr<const Tokenizer> tokenizer;
  const icu::Normalizer2* normalizer = nullptr;
  TensorView embedding;  // [vocabulary, dimension]
  const float* weights = nullptr;
  int dimension = 0;
  std::string model_id;

  absl::Status FindTensors();
};

absl::Status StaticEncoder::Impl::FindTensors() {
  const GgufTensor* table = file->FindTensor("token_embd.weight");
  const GgufTensor* weight = file->FindTensor("token_weight");
  if (table == nullptr) return file->Error("tensor token_embd.weight", "missing");
  if (weight == nullptr) return file->Error("tensor token_weight", "missing");
  embedding = table->View();
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
  weights = reinterpret_cast<const float*>(weight_view.data);
  for (int64_t i = 0; i < vocabulary; ++i) {
    if (!std::isfinite(weights[i])) {
      return file->Error("tensor token_weight", fmt::format("value {} is not finite", i));
    }
  }
  const size_t slash = file->name().find_last_of('/');
  model_id = fmt::format("{}:{}", file->name().substr(slash == std::string::npos ? 0 : slash + 1),
                         DigestOf({table->bytes, weight->bytes}));
  return absl::OkStatus();
}

StaticEncoder::StaticEncoder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StaticEncoder::~StaticEncoder() = default;

absl::StatusOr<std::unique_ptr<StaticEncoder>> StaticEncoder::Load(const std::string& path) {
  absl::StatusOr<std::unique_ptr<const GgufFile>> file = GgufFile::Load(path);
  if (!file.ok()) return file.status();
  const absl::Status metadata = CheckMetadata(**file);
  if (!metadata.ok()) return metadata;
  const auto dimension = (*file)->Integer("emptor-static.embedding_length", 1, 1 << 16);
  if (!dimension.ok()) return dimension.status();
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = ReadTokenizer(**file);
  if (!tokenizer.ok()) return tokenizer.status();
  UErrorCode error = U_ZERO_ERROR;
  auto impl = std::make_unique<Impl>();
  impl->normalizer = icu::Normalizer2::getNFKCCasefoldInstance(error);
  if (U_FAILURE(error)) return absl::InternalError("icu: no data for NFKC_Casefold");
  impl->file = std::move(*file);
  impl->tokenizer = std::move(*tokenizer);
  impl->dimension = static_cast<int>(*dimension);
  const absl::Status found = impl->FindTensors();
  if (!found.ok()) return found;
  return std::unique_ptr<StaticEncoder>(new StaticEncoder(std::move(impl)));
}

int StaticEncoder::dimension() const { return impl_->dimension; }
const std::string& StaticEncoder::model_id() const { return impl_->model_id; }

std::vector<int32_t> StaticEncoder::Tokenize(std::string_view text) const {
  std::vector<TokenId> tokens;
  impl_->tokenizer->EncodeInto(FoldCase(*impl_->normalizer, text), tokens);
  return tokens;
}

absl::StatusOr<std::string> StaticEncoder::Detokenize(std::span<const int32_t> tokens) const {
  const Vocabulary& vocabulary = impl_->tokenizer->vocabulary();
  for (const int32_t token : tokens) {
    if (!vocabulary.Contains(token)) {
      return absl::InvalidArgumentError(fmt::format("input: expected tokens from 0 to {}, found {}",
                                                    vocabulary.size() - 1, token));
    }
  }
  return impl_->tokenizer->Decode({tokens.begin(), tokens.end()});
}

void StaticEncoder::EncodeInto(std::string_view text, std::span<float> out) const {
  assert(out.size() == static_cast<size_t>(impl_->dimension));
  std::fill(out.begin(), out.end(), 0.0f);
  const std::vector<TokenId> tokens = Tokenize(text);
  const Kernels& kernels = KernelsFor(DetectIsa());
  std::vector<float> row(out.size());
  for (const TokenId token : tokens) {
    const float weight = impl_->weights[token];
    if (weight == 0) continue;
    kernels.dequantize(impl_->embedding, token, row.data());
    for (size_t i = 0; i < row.size(); ++i) out[i] += weight * row[i];
  }
  double squares = 0;
  for (const float value : out) squares += static_cast<double>(value) * static_cast<double>(value);
  if (!(squares > 0) || !std::isfinite(squares)) {
    std::fill(out.begin(), out.end(), 0.0f);
    return;
  }
  const auto scale = static_cast<float>(1.0 / std::sqrt(squares));
  for (float& value : out) value *= scale;
}

}  // namespace emptor::engine

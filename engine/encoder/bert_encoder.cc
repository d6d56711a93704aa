// The forward pass over ragged batches.
#include "engine/encoder/bert_encoder.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "engine/encoder/bert_weights.h"
#include "engine/encoder/model_digest.h"
#include "engine/kernels/encoder_kernels.h"
#include "engine/loading/hf_directory.h"
#include "engine/loading/tokenizer_directory.h"
#include "engine/loading/vocabulary_reader.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kBatchTokens =
    192;  // texts are batched up to this many tokens: activations stay in the cache
constexpr int kQueryBlock = 64;  // rows of attention at a time

/// One text's place in a batch.
struct Sequence {
  int begin = 0, tokens = 0;
  std::span<const TokenId> ids;
};

/// Buffers of a chunk of attention: keys [head_dim, tokens], scores [queries, tokens].
struct HeadScratch {
  std::vector<float> keys, scores;
};

}  // namespace

struct BertEncoder::Impl {
  BertConfig config;
  std::unique_ptr<const ModelSource> source;  // the weights' memory
  std::unique_ptr<const Tokenizer> tokenizer;
  const Kernels& kernels;
  const EncoderKernels& operations;
  BertWeights weights;
  std::string id;
  mutable std::mutex mutex;    // guards all below
  mutable ThreadPool threads;  // guarded by mutex
  mutable LinearApplier linear;
  // Activations of a batch, a row per token.
  mutable std::vector<float> x, query, key, value, attended, inner;

  explicit Impl(const TextEncoderOptions& options)
      : kernels(KernelsFor(options.isa)),
        operations(EncoderKernelsFor(options.isa)),
        threads(options.threads),
        linear(kernels, threads) {}

  absl::Status Finish(const TextEncoderOptions& options);
  std::vector<TokenId> Tokenize(const std::string& text, TextKind kind) const;
  void Embed(std::span<const Sequence> batch) const;
  void Attend(std::span<const Sequence> batch) const;
  void AttendHead(const Sequence& sequence, int head, HeadScratch& scratch) const;
  void RunLayer(const BertLayer& layer, std::span<const Sequence> batch, int tokens) const;
  void AddAndNorm(const LayerNorm& norm, const std::vector<float>& delta, int tokens) const;
  void Normalize(const LayerNorm& norm, float* row) const;
  void Pool(const Sequence& sequence, std::span<float> out) const;
  void Run(std::span<const Sequence> batch, int tokens, std::span<float> out) const;
};

absl::Status BertEncoder::Impl::Finish(const TextEncoderOptions& options) {
  absl::StatusOr<BertWeights> read =
      BertWeights::Read(*source, kernels, options.weight_type, config);
  if (!read.ok()) return read.status();
  weights = *std::move(read);
  if (options.query_prefix) config.query_prefix = *options.query_prefix;
  if (options.passage_prefix) config.passage_prefix = *options.passage_prefix;
  const VocabularySpec& spec = tokenizer->vocabulary().spec();
  if (tokenizer->vocabulary().size() > config.vocabulary) {
    return source->Error("tokenizer",
                         fmt::format("expected at most {} tokens, found {}", config.vocabulary,
                                     tokenizer->vocabulary().size()));
  }
  if (!spec.add_bos || !spec.add_eos) {
    return source->Error("tokenizer", "expected a token before a text and one after it");
  }
  // Everything that changes the vectors of passages is part of the model's identity.
  const std::string use = fmt::format(
      "{}\n{}\n{}\n{}", config.pooling == Pooling::kCls ? "cls" : "mean", config.max_tokens,
      weights.converted ? DTypeName(*weights.converted) : "", config.passage_prefix);
  std::vector<std::span<const std::byte>> parts = {std::as_bytes(std::span(use))};
  for (const TensorView& view : weights.stored) parts.emplace_back(view.data, view.bytes());
  id = MakeModelId(source->name(), parts);
  return absl::OkStatus();
}

std::vector<TokenId> BertEncoder::Impl::Tokenize(const std::string& text, TextKind kind) const {
  const VocabularySpec& spec = tokenizer->vocabulary().spec();
  const std::string& prefix =
      kind == TextKind::kQuery ? config.query_prefix : config.passage_prefix;
  std::vector<TokenId> ids = {*spec.bos};
  tokenizer->EncodeInto(prefix.empty() ? text : prefix + text, ids);
  ids.resize(std::min(ids.size(), static_cast<size_t>(config.max_tokens - 1)));
  ids.push_back(*spec.eos);
  return ids;
}

void BertEncoder::Impl::Embed(std::span<const Sequence> batch) const {
  const auto hidden_size = static_cast<size_t>(config.hidden_size);
  std::vector<float> position(hidden_size);
  for (const Sequence& sequence : batch) {
    for (int t = 0; t < sequence.tokens; ++t) {
      const std::span<float> row =
          std::span(x).subspan(static_cast<size_t>(sequence.begin + t) * hidden_size, hidden_size);
      kernels.dequantize(weights.words, sequence.ids[static_cast<size_t>(t)], row.data());
      kernels.dequantize(weights.positions, config.position_offset + t, position.data());
      for (size_t i = 0; i < hidden_size; ++i) row[i] += position[i] + weights.type[i];
      Normalize(weights.embedding_norm, row.data());
    }
  }
}

void BertEncoder::Impl::AttendHead(const Sequence& sequence, int head, HeadScratch& scratch) const {
  const int n = sequence.tokens;
  const int dim = config.head_dim();
  const int64_t stride = config.hidden_size;
  const int64_t first = sequence.begin * stride + head * dim;
  scratch.keys.resize(static_cast<size_t>(dim * n));
  scratch.scores.resize(static_cast<size_t>(std::min(n, kQueryBlock) * n));
  for (int d = 0; d < dim; ++d) {
    const float* from = key.data() + first + d;
    float* to = scratch.keys.data() + static_cast<ptrdiff_t>(d) * n;
    for (int t = 0; t < n; ++t) to[t] = from[t * stride];
  }
  const float scale = 1 / std::sqrt(static_cast<float>(dim));
  for (int t = 0; t < n; t += kQueryBlock) {
    const int rows = std::min(kQueryBlock, n - t);
    operations.gemm({.a = query.data() + first + t * stride,
                     .a_stride = stride,
                     .b = scratch.keys.data(),
                     .b_stride = n,
                     .out = scratch.scores.data(),
                     .out_stride = n,
                     .rows = rows,
                     .inner = dim,
                     .columns = n});
    for (int r = 0; r < rows; ++r) {
      operations.softmax(scale, n, scratch.scores.data() + static_cast<ptrdiff_t>(r) * n);
    }
    operations.gemm({.a = scratch.scores.data(),
                     .a_stride = n,
                     .b = value.data() + first,
                     .b_stride = stride,
                     .out = attended.data() + first + t * stride,
                     .out_stride = stride,
                     .rows = rows,
                     .inner = n,
                     .columns = dim});
  }
}

void BertEncoder::Impl::Attend(std::span<const Sequence> batch) const {
  const auto jobs = static_cast<int64_t>(batch.size()) * config.heads;
  threads.ParallelRange(jobs, 1, [&](int64_t begin, int64_t end) {
    HeadScratch scratch;
    for (int64_t job = begin; job < end; ++job) {
      AttendHead(batch[static_cast<size_t>(job / config.heads)],
                 static_cast<int>(job % config.heads), scratch);
    }
  });
}

void BertEncoder::Impl::Normalize(const LayerNorm& norm, float* row) const {
  operations.layer_norm(row, norm.gain.data(), norm.bias.data(), config.hidden_size,
                        config.norm_epsilon, row);
}

void BertEncoder::Impl::AddAndNorm(const LayerNorm& norm, const std::vector<float>& delta,
                                   int tokens) const {
  const auto hidden_size = static_cast<size_t>(config.hidden_size);
  threads.ParallelRange(tokens, 8, [&](int64_t begin, int64_t end) {
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) {
      kernels.add(delta.data() + t * hidden_size, config.hidden_size, x.data() + t * hidden_size);
      Normalize(norm, x.data() + t * hidden_size);
    }
  });
}

void BertEncoder::Impl::RunLayer(const BertLayer& layer, std::span<const Sequence> batch,
                                 int tokens) const {
  linear.Apply(layer.query, x.data(), tokens, query.data());
  linear.Apply(layer.key, x.data(), tokens, key.data());
  linear.Apply(layer.value, x.data(), tokens, value.data());
  Attend(batch);
  linear.Apply(layer.attention_out, attended.data(), tokens, query.data());
  AddAndNorm(layer.attention_norm, query, tokens);
  linear.Apply(layer.up, x.data(), tokens, inner.data());
  const int64_t intermediate_size = config.intermediate_size;
  threads.ParallelRange(tokens, 4, [&](int64_t begin, int64_t end) {
    operations.gelu((end - begin) * intermediate_size, inner.data() + begin * intermediate_size);
  });
  linear.Apply(layer.down, inner.data(), tokens, query.data());
  AddAndNorm(layer.out_norm, query, tokens);
}

void BertEncoder::Impl::Pool(const Sequence& sequence, std::span<float> out) const {
  const auto hidden_size = static_cast<size_t>(config.hidden_size);
  const int rows = config.pooling == Pooling::kCls ? 1 : sequence.tokens;
  std::fill(out.begin(), out.end(), 0.0f);
  for (int t = 0; t < rows; ++t) {
    kernels.add(x.data() + static_cast<size_t>(sequence.begin + t) * hidden_size,
                config.hidden_size, out.data());
  }
  NormalizeRow(out);  // of length 1 after this, so that the sum serves as the mean
}

void BertEncoder::Impl::Run(std::span<const Sequence> batch, int tokens,
                            std::span<float> out) const {
  const std::scoped_lock lock(mutex);
  const auto size = static_cast<size_t>(tokens) * static_cast<size_t>(config.hidden_size);
  for (auto* buffer : {&x, &query, &key, &value, &attended}) buffer->resize(size);
  inner.resize(static_cast<size_t>(tokens) * static_cast<size_t>(config.intermediate_size));
  Embed(batch);
  for (const BertLayer& layer : weights.layers) RunLayer(layer, batch, tokens);
  for (size_t i = 0; i < batch.size(); ++i) {
    const auto hidden_size = static_cast<size_t>(config.hidden_size);
    Pool(batch[i], out.subspan(i * hidden_size, hidden_size));
  }
}

BertEncoder::BertEncoder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BertEncoder::~BertEncoder() = default;
int BertEncoder::dimension() const { return impl_->config.hidden_size; }
const Tokenizer& BertEncoder::tokenizer() const { return *impl_->tokenizer; }
int BertEncoder::max_tokens() const { return impl_->config.max_tokens; }
const std::string& BertEncoder::model_id() const { return impl_->id; }

absl::StatusOr<std::unique_ptr<TextEncoder>> BertEncoder::LoadDirectory(
    const std::string& directory, const TextEncoderOptions& options) {
  absl::StatusOr<BertConfig> config = BertConfig::ReadDirectory(directory);
  if (!config.ok()) return config.status();
  absl::StatusOr<std::unique_ptr<const HfDirectory>> source = HfDirectory::Load(directory);
  if (!source.ok()) return source.status();
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = LoadTokenizer(directory);
  if (!tokenizer.ok()) return tokenizer.status();
  auto impl = std::make_unique<Impl>(options);
  impl->config = *std::move(config);
  impl->source = *std::move(source);
  impl->tokenizer = *std::move(tokenizer);
  const absl::Status finished = impl->Finish(options);
  if (!finished.ok()) return finished;
  return std::unique_ptr<TextEncoder>(new BertEncoder(std::move(impl)));
}

absl::StatusOr<std::unique_ptr<TextEncoder>> BertEncoder::LoadGguf(
    const std::string& path, const TextEncoderOptions& options) {
  absl::StatusOr<std::unique_ptr<const GgufFile>> file = GgufFile::Load(path);
  if (!file.ok()) return file.status();
  absl::StatusOr<BertConfig> config = BertConfig::ReadGguf(**file);
  if (!config.ok()) return config.status();
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = ReadTokenizer(**file);
  if (!tokenizer.ok()) return tokenizer.status();
  auto impl = std::make_unique<Impl>(options);
  impl->config = *std::move(config);
  impl->source = *std::move(file);
  impl->tokenizer = *std::move(tokenizer);
  const absl::Status finished = impl->Finish(options);
  if (!finished.ok()) return finished;
  return std::unique_ptr<TextEncoder>(new BertEncoder(std::move(impl)));
}

absl::Status BertEncoder::EncodeTextsInto(std::span<const std::string> texts, TextKind kind,
                                          std::span<float> out) const {
  const auto hidden_size = static_cast<size_t>(impl_->config.hidden_size);
  if (out.size() != texts.size() * hidden_size) {
    return absl::InvalidArgumentError("encoder: out must hold texts x dimension floats");
  }
  for (size_t first = 0; first < texts.size();) {
    std::vector<std::vector<TokenId>> ids;
    std::vector<Sequence> batch;
    int tokens = 0;
    while (first + ids.size() < texts.size() && tokens < kBatchTokens) {
      ids.push_back(impl_->Tokenize(texts[first + ids.size()], kind));
      const int length = static_cast<int>(ids.back().size());
      batch.push_back({.begin = tokens, .tokens = length, .ids = ids.back()});
      tokens += length;
    }
    impl_->Run(batch, tokens, out.subspan(first * hidden_size, batch.size() * hidden_size));
    first += batch.size();
  }
  return absl::OkStatus();
}

}  // namespace emptor::engine

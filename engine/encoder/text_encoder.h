// Port: text to vectors.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/kernels/isa.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

class Tokenizer;

/// The role of a text in a search. Encoders that were trained with prefixes distinguish the two.
enum class TextKind { kQuery, kPassage };

struct TextEncoderOptions {
  int threads = 1;  // 0: one per core
  Isa isa = DetectIsa();
  /// In front of queries and passages, "query: " and "passage: " of E5; nothing: what the model's
  /// directory says (prompts of config_sentence_transformers.json), or none.
  std::optional<std::string> query_prefix, passage_prefix;
  /// Matrices of a BERT are stored as this at load; nothing: quantised ones as they are in the
  /// file, others as Q8_0 where their rows are whole blocks. Cosine to the vectors of F32: 0.999
  /// with BF16, 0.995 with Q8_0.
  std::optional<DType> weight_type;
};

/// Port: BertEncoder, StaticEncoder. Thread-safety: const methods from any thread.
class TextEncoder {
 public:
  /// The encoder that lies at `path`: a GGUF file of architecture bert or emptor-static, a
  /// directory with one such file and no config.json, or a directory with a BERT (config.json of
  /// model_type bert, roberta or xlm-roberta) or with static embeddings in the layout of Model2Vec.
  /// Errors: kNotFound, kDataLoss, kInvalidArgument (names the file and its field), kUnimplemented
  /// (another architecture).
  static absl::StatusOr<std::unique_ptr<TextEncoder>> Load(const std::string& path,
                                                           const TextEncoderOptions& options = {});
  virtual ~TextEncoder() = default;
  TextEncoder(const TextEncoder&) = delete;
  TextEncoder& operator=(const TextEncoder&) = delete;

  virtual int dimension() const = 0;
  /// Tokens of a text that are read, special ones among them; the rest of it is left out.
  virtual int max_tokens() const = 0;
  /// Name of the model and digest of its weights.
  virtual const std::string& model_id() const = 0;
  /// True where a text takes milliseconds: for a transformer, not for a table.
  virtual bool is_slow() const { return false; }
  /// Of its texts; special tokens and prefixes are put around them by the encoder.
  virtual const Tokenizer& tokenizer() const = 0;

  /// Writes one row of dimension() floats for each text: a vector of length 1, or zeros for a text
  /// without a known token. A row does not depend on the other texts.
  /// Errors: kInvalidArgument (`out` is not texts x dimension floats).
  virtual absl::Status EncodeTextsInto(std::span<const std::string> texts, TextKind kind,
                                       std::span<float> out) const = 0;

 protected:
  TextEncoder() = default;
};

/// Scales a vector to length 1; one that is zero or not finite becomes zero.
void NormalizeRow(std::span<float> row);

}  // namespace emptor::engine

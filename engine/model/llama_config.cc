// Metadata of a Llama model, bounded before anything is sized by it.
#include "engine/model/llama_config.h"

#include <string>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// Reads integers and keeps the first error.
class Fields {
 public:
  explicit Fields(const GgufFile& file) : file_(file) {}

  int Integer(const char* key, int64_t min, int64_t max,
              std::optional<int64_t> fallback = std::nullopt) {
    if (!status_.ok()) return 0;
    const auto value = file_.Integer(key, min, max, fallback);
    if (!value.ok()) status_ = value.status();
    return value.ok() ? static_cast<int>(*value) : 0;
  }
  float Number(const char* key, double min, double max, std::optional<double> fallback) {
    if (!status_.ok()) return 0;
    const auto value = file_.Number(key, fallback);
    if (!value.ok()) {
      status_ = value.status();
    } else if (*value < min || *value > max) {
      status_ = file_.Error(key, fmt::format("expected {} to {}, found {}", min, max, *value));
    }
    return status_.ok() ? static_cast<float>(*value) : 0;
  }
  void Check(bool holds, const char* key, const std::string& what) {
    if (status_.ok() && !holds) status_ = file_.Error(key, what);
  }
  const absl::Status& status() const { return status_; }

 private:
  const GgufFile& file_;
  absl::Status status_;
};

absl::Status CheckArchitecture(const GgufFile& file) {
  const auto architecture = file.String("general.architecture");
  if (!architecture.ok()) return architecture.status();
  if (*architecture != "llama") {
    return absl::UnimplementedError(fmt::format(
        "{}: general.architecture: expected llama, found {:?}", file.name(), *architecture));
  }
  const auto scaling = file.String("llama.rope.scaling.type", std::string_view("none"));
  if (!scaling.ok()) return scaling.status();
  const auto experts = file.Integer("llama.expert_count", 0, 1 << 16, int64_t{0});
  if (!experts.ok()) return experts.status();
  if (*scaling != "none" || *experts > 0) {
    return absl::UnimplementedError(
        fmt::format("{}: rope scaling and mixtures of experts are not supported", file.name()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LlamaConfig> LlamaConfig::Read(const GgufFile& file) {
  const absl::Status architecture = CheckArchitecture(file);
  if (!architecture.ok()) return architecture;
  const GgufTensor* embedding = file.FindTensor("token_embd.weight");
  if (embedding == nullptr) return file.Error("tensor token_embd.weight", "missing");
  const TensorView table = embedding->View();
  LlamaConfig c;
  Fields fields(file);
  c.context = fields.Integer("llama.context_length", 1, 1 << 22);
  c.width = fields.Integer("llama.embedding_length", 1, 1 << 16);
  c.layers = fields.Integer("llama.block_count", 1, 512);
  c.feed_forward = fields.Integer("llama.feed_forward_length", 1, 1 << 18);
  c.heads = fields.Integer("llama.attention.head_count", 1, 1024);
  c.kv_heads = fields.Integer("llama.attention.head_count_kv", 1, 1024, c.heads);
  if (!fields.status().ok()) return fields.status();
  fields.Check(c.heads % c.kv_heads == 0, "llama.attention.head_count_kv",
               fmt::format("{} heads cannot share {}", c.heads, c.kv_heads));
  c.head_dim =
      fields.Integer("llama.attention.key_length", 1, 1024, std::max(1, c.width / c.heads));
  const int value_dim = fields.Integer("llama.attention.value_length", 1, 1024, c.head_dim);
  fields.Check(value_dim == c.head_dim, "llama.attention.value_length", "differs from key_length");
  c.rope_dims = fields.Integer("llama.rope.dimension_count", 2, 1024, c.head_dim);
  fields.Check(c.rope_dims <= c.head_dim && c.rope_dims % 2 == 0, "llama.rope.dimension_count",
               fmt::format("expected even and at most {}, found {}", c.head_dim, c.rope_dims));
  c.rope_base = fields.Number("llama.rope.freq_base", 1, 1e12, 10000.0);
  c.norm_epsilon = fields.Number("llama.attention.layer_norm_rms_epsilon", 0, 1, 1e-5);
  fields.Check(table.cols == c.width, "tensor token_embd.weight",
               fmt::format("expected {} columns, found {}", c.width, table.cols));
  fields.Check(table.rows <= 1 << 21, "tensor token_embd.weight", "too many rows");
  if (!fields.status().ok()) return fields.status();
  c.vocabulary = static_cast<int>(table.rows);
  return c;
}

}  // namespace emptor::engine

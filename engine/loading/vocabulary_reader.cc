// GGUF's tokenizer keys as a VocabularySpec.
#include "engine/loading/vocabulary_reader.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int64_t kMaxTokenId = 1 << 21;

/// Reads the keys and keeps the first error.
class Reader {
 public:
  explicit Reader(const GgufFile& file) : file_(file) {}

  /// The array under `key`, or null; the wrong type is an error.
  template <typename T>
  const std::vector<T>* Array(const char* key) {
    const GgufValue* value = file_.FindValue(key);
    if (value == nullptr) return nullptr;
    const auto* array = std::get_if<std::vector<T>>(value);
    if (array == nullptr) Fail(file_.Error(key, "array of the wrong element type"));
    return array;
  }

  std::vector<std::string> Strings(const char* key) {
    const auto* array = Array<std::string_view>(key);
    return array == nullptr ? std::vector<std::string>()
                            : std::vector<std::string>(array->begin(), array->end());
  }

  std::vector<TokenType> Types(const char* key) {
    std::vector<TokenType> types;
    const auto* array = Array<int64_t>(key);
    if (array == nullptr) return types;
    for (size_t i = 0; i < array->size(); ++i) {
      const int64_t type = (*array)[i];
      if (type < 1 || type > 6) {
        Fail(file_.Error(fmt::format("{}[{}]", key, i),
                         fmt::format("expected 1 to 6, found {}", type)));
        return types;
      }
      types.push_back(static_cast<TokenType>(type));
    }
    return types;
  }

  std::vector<double> Scores(const char* key) {
    const auto* array = Array<double>(key);
    return array == nullptr ? std::vector<double>() : *array;
  }

  /// An array of 8-bit integers, signed or not, as bytes.
  std::string Bytes(const char* key) {
    std::string bytes;
    const GgufValue* value = file_.FindValue(key);
    if (value == nullptr) return bytes;
    const auto append = [&](const auto& numbers) {
      for (const auto number : numbers) bytes += static_cast<char>(number);
    };
    if (const auto* plain = std::get_if<std::vector<uint64_t>>(value)) {
      append(*plain);
    } else if (const auto* numbers = Array<int64_t>(key)) {
      append(*numbers);
    }
    return bytes;
  }

  std::optional<TokenId> Id(const char* key) {
    if (file_.FindValue(key) == nullptr) return std::nullopt;
    const absl::StatusOr<int64_t> id = file_.Integer(key, 0, kMaxTokenId);
    Fail(id.status());
    return id.ok() ? std::optional(static_cast<TokenId>(*id)) : std::nullopt;
  }

  bool Bool(const char* key, bool fallback) {
    const absl::StatusOr<bool> value = file_.Bool(key, fallback);
    Fail(value.status());
    return value.ok() && *value;
  }

  std::string Text(const char* key, std::string_view fallback) {
    const absl::StatusOr<std::string_view> value = file_.String(key, fallback);
    Fail(value.status());
    return value.ok() ? std::string(*value) : std::string();
  }

  void Fail(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  const absl::Status& status() const { return status_; }

 private:
  const GgufFile& file_;
  absl::Status status_;
};

/// The kind of tokenizer and its splitting rules; anything that is not known exactly is refused,
/// since a tokenizer that is nearly right gives a model that is nearly right.
absl::Status ReadKind(const GgufFile& file, Reader& reader, VocabularySpec& spec) {
  const std::string model = reader.Text("tokenizer.ggml.model", "");
  const std::string pre = reader.Text("tokenizer.ggml.pre", "default");
  if (!reader.status().ok()) return reader.status();
  if (model == "llama" || model == "t5") {
    spec.kind = model == "llama" ? TokenizerKind::kSentencePiece : TokenizerKind::kUnigram;
    return absl::OkStatus();
  }
  if (model == "bert" && (pre == "default" || pre == "bert-bge")) {
    spec.kind = TokenizerKind::kWordPiece;
    return absl::OkStatus();
  }
  const std::optional<PreTokenizerTraits> traits = FindPreTokenizer(pre);
  if (model == "gpt2" && traits) {
    spec.kind = TokenizerKind::kByteLevelBpe;
    spec.pre_tokenizer = *traits;
    return absl::OkStatus();
  }
  return absl::UnimplementedError(
      fmt::format("{}: tokenizer.ggml.model {:?} with tokenizer.ggml.pre {:?}: expected gpt2 with "
                  "one of {}, or llama, or t5, or bert",
                  file.name(), model, pre, PreTokenizerNames()));
}

/// GGUF marks the tokens that begin a word (U+2581) in place of those that continue one, and knows
/// no BERT but in lower case without accents.
void ReadWordPiece(Reader& reader, VocabularySpec& spec) {
  constexpr std::string_view kMark = "\xe2\x96\x81";
  if (spec.types.size() != spec.tokens.size())
    spec.types.resize(spec.tokens.size(), TokenType::kNormal);
  for (size_t id = 0; id < spec.tokens.size(); ++id) {
    std::string& text = spec.tokens[id];
    if (text.starts_with(kMark)) {
      text.erase(0, kMark.size());
    } else if (spec.types[id] == TokenType::kNormal &&
               !(text.starts_with('[') && text.ends_with(']'))) {
      text.insert(0, spec.continuing_prefix);
    }
  }
  spec.text_rules.emplace();
  spec.text_rules->normalizer = BertNormalizerSteps({});
  spec.text_rules->words = WordSplit::kBert;
  spec.bos = reader.Id("tokenizer.ggml.cls_token_id");
  if (!spec.bos) spec.bos = reader.Id("tokenizer.ggml.bos_token_id");
  // Published files have the wrong spelling.
  spec.eos = reader.Id("tokenizer.ggml.seperator_token_id");
  if (!spec.eos) spec.eos = reader.Id("tokenizer.ggml.separator_token_id");
  spec.add_bos = spec.bos.has_value();
  spec.add_eos = spec.eos.has_value();
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Tokenizer>> ReadTokenizer(const GgufFile& file) {
  Reader reader(file);
  VocabularySpec spec;
  const absl::Status kind = ReadKind(file, reader, spec);
  if (!kind.ok()) return kind;
  const bool usually_bos =
      spec.kind == TokenizerKind::kSentencePiece || spec.pre_tokenizer.adds_bos;
  spec.tokens = reader.Strings("tokenizer.ggml.tokens");
  spec.types = reader.Types("tokenizer.ggml.token_type");
  spec.scores = reader.Scores("tokenizer.ggml.scores");
  spec.merges = reader.Strings("tokenizer.ggml.merges");
  spec.bos = reader.Id("tokenizer.ggml.bos_token_id");
  spec.eos = reader.Id("tokenizer.ggml.eos_token_id");
  spec.eot = reader.Id("tokenizer.ggml.eot_token_id");
  if (const auto eom = reader.Id("tokenizer.ggml.eom_token_id")) spec.more_ends = {*eom};
  spec.unknown = reader.Id("tokenizer.ggml.unknown_token_id");
  spec.add_bos = reader.Bool("tokenizer.ggml.add_bos_token", usually_bos && spec.bos.has_value());
  if (spec.kind == TokenizerKind::kUnigram) {
    spec.add_eos = reader.Bool("tokenizer.ggml.add_eos_token", false) && spec.eos.has_value();
  }
  spec.add_space_prefix = reader.Bool("tokenizer.ggml.add_space_prefix", true);
  spec.remove_extra_whitespaces = reader.Bool("tokenizer.ggml.remove_extra_whitespaces", true);
  spec.precompiled_charsmap = reader.Bytes("tokenizer.ggml.precompiled_charsmap");
  if (spec.kind == TokenizerKind::kWordPiece) ReadWordPiece(reader, spec);
  if (!reader.status().ok()) return reader.status();
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = Tokenizer::Create(std::move(spec));
  if (tokenizer.ok()) return tokenizer;
  return absl::Status(
      tokenizer.status().code(),
      fmt::format("{}: {}", file.name(),
                  tokenizer.status().ToString(absl::StatusToStringMode::kWithNoExtraData)));
}

ChatTemplate ReadChatTemplate(const GgufFile& file) {
  constexpr const char* kKey = "tokenizer.chat_template";
  if (file.FindValue(kKey) == nullptr) return {};
  const absl::StatusOr<std::string_view> text = file.String(kKey);
  return text.ok() ? ChatTemplate::Parse(*text, kKey) : ChatTemplate::Refuse(text.status());
}

}  // namespace emptor::engine

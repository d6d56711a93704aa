// The file as a whole, "post_processor", "decoder"; and vocab.txt.
#include "engine/tokenizer/tokenizer_json.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/json/json_tree.h"
#include "engine/tokenizer/tokenizer_json_parts.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr std::string_view kMark = "\xe2\x96\x81";
constexpr VocabularyFieldNames kJsonFields = {.tokens = "model.vocab",
                                              .types = "added_tokens",
                                              .scores = "model.vocab",
                                              .merges = "model.merges"};

std::optional<TokenId> FindToken(const VocabularySpec& spec, std::string_view text) {
  const auto found = std::find(spec.tokens.begin(), spec.tokens.end(), text);
  if (found == spec.tokens.end()) return std::nullopt;
  return static_cast<TokenId>(found - spec.tokens.begin());
}

/// The token that a template calls `name`: "special_tokens" gives its one id.
TokenId TemplateToken(JsonFieldReader& reader, const JsonField& field, std::string_view name,
                      const VocabularySpec& spec) {
  const std::optional<JsonField> tokens = reader.FindObject(field, "special_tokens");
  const std::optional<JsonField> token = tokens ? reader.FindObject(*tokens, name) : std::nullopt;
  const std::optional<JsonField> ids = token ? reader.FindArray(*token, "ids") : std::nullopt;
  if (!ids || ids->value.size() != 1) {
    reader.Unsupported(field.path + ".special_tokens",
                       fmt::format("expected one id for {:?}", name));
    return 0;
  }
  const int64_t last = static_cast<int64_t>(spec.tokens.size()) - 1;
  return static_cast<TokenId>(reader.IntegerOf(ids->At(0, ids->value.Items()[0]), 0, last, 0));
}

void SetFrame(std::optional<TokenId> front, std::optional<TokenId> back, VocabularySpec& spec) {
  spec.add_bos = front.has_value();
  spec.add_eos = back.has_value();
  if (front) spec.bos = front;
  if (back) spec.eos = back;
}

/// "single": at most one special token on each side of the sequence.
void ReadTemplateProcessing(JsonFieldReader& reader, const JsonField& field, VocabularySpec& spec) {
  const std::optional<JsonField> single = reader.FindArray(field, "single");
  if (!single) return reader.Refuse(field.path + ".single", "missing");
  std::optional<TokenId> front, back;
  bool sequence = false;
  size_t index = 0;
  single->value.ForEachItem([&](JsonView item) {
    const JsonField piece = single->At(index++, item);
    const std::optional<JsonField> special = reader.FindObject(piece, "SpecialToken");
    if (!special) {
      if (sequence || !piece.value.Find("Sequence")) {
        reader.Unsupported(piece.path, "expected a special token or the one sequence");
      }
      sequence = true;
      return;
    }
    std::optional<TokenId>& side = sequence ? back : front;
    if (side) reader.Unsupported(piece.path, "expected one special token on each side");
    side = TemplateToken(reader, field, reader.Text(*special, "id", ""), spec);
  });
  if (!sequence) reader.Refuse(single->path, "no sequence");
  SetFrame(front, back, spec);
}

/// "cls" or "sep": ["text", id]
TokenId PairToken(JsonFieldReader& reader, const JsonField& field, std::string_view name,
                  const VocabularySpec& spec) {
  const std::optional<JsonField> pair = reader.FindArray(field, name);
  const int64_t last = static_cast<int64_t>(spec.tokens.size()) - 1;
  if (pair && pair->value.size() == 2) {
    return static_cast<TokenId>(reader.IntegerOf(pair->At(1, pair->value.Items()[1]), 0, last, 0));
  }
  reader.Refuse(fmt::format("{}.{}", field.path, name), "expected a token and its id");
  return 0;
}

/// Vocabulary and Tokenizer::Decode implement the decoder. This checks that the file specifies the
/// same one.
void CheckDecoder(JsonFieldReader& reader, const JsonField& field, VocabularySpec& spec) {
  const std::string_view type = reader.Text(field, "type", "");
  const bool byte_level = spec.kind == TokenizerKind::kByteLevelBpe;
  const bool word_piece = spec.kind == TokenizerKind::kWordPiece;
  const bool pieces = !byte_level && !word_piece;
  if (type == "Fuse" || (type == "ByteLevel" && byte_level) ||
      (type == "WordPiece" && word_piece) || (type == "ByteFallback" && pieces)) {
    return;
  }
  if (type == "Metaspace" && pieces) {
    const bool prefix = reader.Bool(field, "add_prefix_space", true);
    spec.add_space_prefix =
        reader.Text(field, "prepend_scheme", prefix ? "always" : "never") != "never";
    return;
  }
  if (type == "Strip" && pieces && reader.Text(field, "content", "") == " " &&
      reader.Integer(field, "stop", 0, 0, 0) == 0) {
    spec.add_space_prefix = reader.Integer(field, "start", 0, 1, 0) == 1;
    return;
  }
  if (type == "Replace" && pieces && reader.Text(field, "content", "") == " ") {
    const std::optional<JsonField> pattern = reader.FindObject(field, "pattern");
    if (pattern && reader.Text(*pattern, "String", "") == kMark) return;
  }
  reader.Unsupported(field.path, fmt::format("unknown decoder {:?} for this model", type));
}

}  // namespace

void ReadTemplate(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec) {
  for (const JsonField& leaf : Leaves(reader, root, "post_processor", "processors")) {
    const std::string_view type = reader.Text(leaf, "type", "");
    if (type == "TemplateProcessing") {
      ReadTemplateProcessing(reader, leaf, spec);
    } else if (type == "BertProcessing" || type == "RobertaProcessing") {
      SetFrame(PairToken(reader, leaf, "cls", spec), PairToken(reader, leaf, "sep", spec), spec);
    } else if (type != "ByteLevel") {  // ByteLevel: offsets alone
      reader.Unsupported(leaf.path, fmt::format("unknown post-processor {:?}", type));
    }
  }
}

void ReadDecoder(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec) {
  const TextRules& rules = *spec.text_rules;
  spec.add_space_prefix = rules.mark_in_front != TextRules::MarkInFront::kNever;
  const std::vector<JsonField> leaves = Leaves(reader, root, "decoder", "decoders");
  if (leaves.size() > 1) spec.add_space_prefix = false;  // unless a Strip says otherwise
  for (const JsonField& leaf : leaves) CheckDecoder(reader, leaf, spec);
}

absl::StatusOr<VocabularySpec> ParseTokenizerJson(std::string_view text, const std::string& file) {
  const absl::StatusOr<JsonTree> tree = JsonTree::Parse(text);
  if (!tree.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", file, std::string(tree.status().message())));
  }
  JsonFieldReader reader(file);
  const JsonField root = {"", tree->root()};
  if (!root.value.is_object()) return absl::InvalidArgumentError(file + ": expected an object");
  VocabularySpec spec;
  spec.fields = kJsonFields;
  spec.text_rules.emplace();
  ReadModel(reader, root, spec);
  if (reader.ok()) ReadAddedTokens(reader, root, spec);
  if (reader.ok()) ReadTextRules(reader, root, spec);
  if (reader.ok()) ReadTemplate(reader, root, spec);
  if (reader.ok()) ReadDecoder(reader, root, spec);
  if (!reader.ok()) return reader.status();
  return spec;
}

absl::StatusOr<VocabularySpec> ParseWordPieceVocabulary(std::string_view text,
                                                        const BertTextRules& rules,
                                                        const std::string& file) {
  constexpr size_t kMaxLines = 1u << 21;
  VocabularySpec spec;
  spec.kind = TokenizerKind::kWordPiece;
  spec.fields.tokens = "line";
  while (!text.empty() && spec.tokens.size() < kMaxLines) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    spec.tokens.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  spec.types.assign(spec.tokens.size(), TokenType::kNormal);
  for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    if (const auto id = FindToken(spec, special)) {
      spec.types[static_cast<size_t>(*id)] = TokenType::kControl;
    }
  }
  spec.unknown = FindToken(spec, "[UNK]");
  SetFrame(FindToken(spec, "[CLS]"), FindToken(spec, "[SEP]"), spec);
  if (!spec.unknown || !spec.add_bos || !spec.add_eos) {
    return absl::InvalidArgumentError(file + ": expected [UNK], [CLS] and [SEP] among the tokens");
  }
  spec.text_rules = TextRules{.normalizer = BertNormalizerSteps(rules),
                              .added_tokens = {},
                              .stages = {},
                              .words = WordSplit::kBert};
  return spec;
}

}  // namespace emptor::engine

// "model" and "added_tokens" of a tokenizer.json.
#include <algorithm>
#include <string>
#include <utility>

#include "engine/tokenizer/tokenizer_json_parts.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int64_t kMaxTokenId = (1 << 21) - 1;

/// Room for the token at `id`; whatever lies between is unused.
void Grow(VocabularySpec& spec, int64_t id) {
  const auto size = static_cast<size_t>(id) + 1;
  if (spec.tokens.size() >= size) return;
  spec.tokens.resize(size);
  spec.types.resize(size, TokenType::kUnused);
}

bool IsByteToken(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') && is_digit(text[3]) &&
         is_digit(text[4]);
}

/// {"token": id, ...}
void ReadVocabulary(JsonFieldReader& reader, const JsonField& model, VocabularySpec& spec) {
  const std::optional<JsonField> vocabulary = reader.FindObject(model, "vocab");
  if (!vocabulary) return reader.Refuse("model.vocab", "missing");
  int64_t last = -1;
  vocabulary->value.ForEachMember([&](std::string_view, JsonView id) {
    if (id.is_int()) last = std::max(last, std::clamp<int64_t>(id.as_int(), 0, kMaxTokenId));
  });
  Grow(spec, last);
  vocabulary->value.ForEachMember([&](std::string_view text, JsonView value) {
    if (!reader.ok()) return;
    const auto id =
        static_cast<size_t>(reader.IntegerOf(vocabulary->At(text, value), 0, kMaxTokenId, 0));
    if (!reader.ok()) return;
    if (spec.types[id] != TokenType::kUnused) {
      return reader.Refuse(vocabulary->At(text, value).path, fmt::format("id {} twice", id));
    }
    spec.tokens[id] = text;
    spec.types[id] = TokenType::kNormal;
  });
}

std::optional<TokenId> FindToken(const VocabularySpec& spec, std::string_view text) {
  const auto found = std::find(spec.tokens.begin(), spec.tokens.end(), text);
  if (found == spec.tokens.end()) return std::nullopt;
  return static_cast<TokenId>(found - spec.tokens.begin());
}

void ReadUnknownToken(JsonFieldReader& reader, const JsonField& model, VocabularySpec& spec) {
  const std::optional<JsonField> field = reader.Find(model, "unk_token");
  if (!field) return;
  spec.unknown = FindToken(spec, reader.TextOf(*field));
  if (!spec.unknown) reader.Refuse(field->path, "not in model.vocab");
}

/// "left right" or ["left", "right"]
void ReadMerges(JsonFieldReader& reader, const JsonField& model, VocabularySpec& spec) {
  const std::optional<JsonField> merges = reader.FindArray(model, "merges");
  if (!merges) return reader.Refuse("model.merges", "missing");
  spec.merges.reserve(merges->value.size());
  size_t index = 0;
  merges->value.ForEachItem([&](JsonView item) {
    const size_t at = index++;
    if (!reader.ok()) return;
    if (item.is_string()) {
      spec.merges.emplace_back(item.as_string());
      return;
    }
    const std::vector<JsonView> pair = item.is_array() ? item.Items() : std::vector<JsonView>();
    if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) {
      return reader.Refuse(merges->At(at, item).path, "expected two tokens");
    }
    const std::string_view left = pair[0].as_string();
    const std::string_view right = pair[1].as_string();
    if (left.find(' ') != std::string_view::npos || right.find(' ') != std::string_view::npos) {
      return reader.Unsupported(merges->At(at, item).path, "a token with a blank in a merge");
    }
    spec.merges.push_back(fmt::format("{} {}", left, right));
  });
}

void ReadBpe(JsonFieldReader& reader, const JsonField& model, VocabularySpec& spec) {
  ReadVocabulary(reader, model, spec);
  ReadUnknownToken(reader, model, spec);
  ReadMerges(reader, model, spec);
  for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!reader.Text(model, name, "").empty()) {
      reader.Unsupported(fmt::format("model.{}", name), "expected none");
    }
  }
  const std::optional<JsonField> dropout = reader.Find(model, "dropout");
  if (dropout && !(dropout->value.is_number() && dropout->value.as_double() == 0)) {
    reader.Unsupported(dropout->path, "expected none");
  }
  spec.pre_tokenizer.whole_words_first = reader.Bool(model, "ignore_merges", false);
  spec.fuse_unknown = reader.Bool(model, "fuse_unk", false);
  if (!reader.Bool(model, "byte_fallback", false)) return;
  for (size_t id = 0; id < spec.tokens.size(); ++id) {
    if (spec.types[id] == TokenType::kNormal && IsByteToken(spec.tokens[id])) {
      spec.types[id] = TokenType::kByte;
    }
  }
}

/// [["token", score], ...], the id being the place.
void ReadUnigram(JsonFieldReader& reader, const JsonField& model, VocabularySpec& spec) {
  spec.kind = TokenizerKind::kUnigram;
  const std::optional<JsonField> vocabulary = reader.FindArray(model, "vocab");
  if (!vocabulary) return reader.Refuse("model.vocab", "missing");
  const bool byte_fallback = reader.Bool(model, "byte_fallback", false);
  size_t index = 0;
  vocabulary->value.ForEachItem([&](JsonView item) {
    const size_t at = index++;
    if (!reader.ok()) return;
    const std::vector<JsonView> pair = item.is_array() ? item.Items() : std::vector<JsonView>();
    if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number()) {
      return reader.Refuse(vocabulary->At(at, item).path, "expected a token and its score");
    }
    const std::string_view text = pair[0].as_string();
    const bool byte = byte_fallback && IsByteToken(text);
    spec.tokens.emplace_back(text);
    spec.types.push_back(byte ? TokenType::kByte : TokenType::kNormal);
    spec.scores.push_back(pair[1].as_double());
  });
  if (spec.tokens.empty()) return reader.Refuse(vocabulary->path, "empty");
  const int64_t last = static_cast<int64_t>(spec.tokens.size()) - 1;
  if (const auto unknown = reader.Find(model, "unk_id")) {
    spec.unknown = static_cast<TokenId>(reader.IntegerOf(*unknown, 0, last, 0));
  }
}

void ReadWordPiece(JsonFieldReader& reader, const JsonField& model, VocabularySpec& spec) {
  spec.kind = TokenizerKind::kWordPiece;
  ReadVocabulary(reader, model, spec);
  ReadUnknownToken(reader, model, spec);
  spec.continuing_prefix = reader.Text(model, "continuing_subword_prefix", "##");
  spec.max_word_characters =
      static_cast<int>(reader.Integer(model, "max_input_chars_per_word", 1, 1 << 20, 100));
}

/// Files of old versions leave the type out.
std::string_view GuessType(const JsonField& model) {
  if (model.value.Find("merges")) return "BPE";
  const std::optional<JsonView> vocabulary = model.value.Find("vocab");
  return vocabulary && vocabulary->is_array() ? "Unigram" : "WordPiece";
}

void AddToken(JsonFieldReader& reader, const JsonField& field, VocabularySpec& spec) {
  if (!field.value.is_object()) return reader.Refuse(field.path, "expected an object");
  const int64_t id = reader.Integer(field, "id", 0, kMaxTokenId, -1);
  const std::string_view text = reader.Text(field, "content", "");
  if (!reader.ok()) return;
  if (id < 0 || text.empty()) return reader.Refuse(field.path, "expected an id and a content");
  Grow(spec, id);
  const auto index = static_cast<size_t>(id);
  if (spec.types[index] == TokenType::kUnused) {
    spec.tokens[index] = text;
  } else if (spec.tokens[index] != text) {
    return reader.Refuse(field.path, fmt::format("id {} is {:?} in model.vocab", id,
                                                 std::string_view(spec.tokens[index])));
  }
  if (reader.Bool(field, "special", false)) {
    spec.types[index] = TokenType::kControl;
    return;
  }
  spec.types[index] = TokenType::kUserDefined;
  const AddedTokenRule rule = {.id = static_cast<TokenId>(id),
                               .normalized = reader.Bool(field, "normalized", true),
                               .takes_blanks_before = reader.Bool(field, "lstrip", false),
                               .takes_blanks_behind = reader.Bool(field, "rstrip", false)};
  if (reader.Bool(field, "single_word", false)) {
    return reader.Unsupported(field.path + ".single_word", "expected false");
  }
  spec.text_rules->added_tokens.push_back(rule);
}

}  // namespace

void ReadModel(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec) {
  const std::optional<JsonField> model = reader.FindObject(root, "model");
  if (!model) return reader.Refuse("model", "missing");
  const std::string_view type = reader.Text(*model, "type", GuessType(*model));
  if (type == "BPE") {
    ReadBpe(reader, *model, spec);
  } else if (type == "Unigram") {
    ReadUnigram(reader, *model, spec);
  } else if (type == "WordPiece") {
    ReadWordPiece(reader, *model, spec);
  } else {
    reader.Unsupported("model.type",
                       fmt::format("expected BPE, Unigram or WordPiece, found {:?}", type));
  }
}

void ReadAddedTokens(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec) {
  if (const std::optional<JsonField> added = reader.FindArray(root, "added_tokens")) {
    size_t index = 0;
    added->value.ForEachItem([&](JsonView item) {
      const size_t at = index++;
      if (reader.ok()) AddToken(reader, added->At(at, item), spec);
    });
  }
  if (spec.unknown && spec.types[static_cast<size_t>(*spec.unknown)] == TokenType::kNormal) {
    spec.types[static_cast<size_t>(*spec.unknown)] = TokenType::kUnknown;
  }
  // Scores rank only the pieces of a unigram model; BPE merges by its list.
  spec.scores.resize(spec.tokens.size());
}

}  // namespace emptor::engine

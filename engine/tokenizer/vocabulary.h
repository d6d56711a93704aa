// The tokens of a model: what the tokenizers are built from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/text_normalizer.h"
#include "engine/tokenizer/word_splitter.h"

namespace emptor::engine {

using TokenId = int32_t;

/// Numbers as in GGUF's tokenizer.ggml.token_type.
enum class TokenType : uint8_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,      // placed by chat templates only, never found in text
  kUserDefined = 4,  // found in text before anything else, longest first
  kUnused = 5,       // may be empty, more than once
  kByte = 6,         // "<0xNN>": one raw byte
};

/// How text becomes tokens.
enum class TokenizerKind {
  kByteLevelBpe,
  kSentencePiece,  // SentencePiece's BPE
  kUnigram,        // SentencePiece's unigram language model
  kWordPiece,      // BERT's longest match, "##" in front of what continues a word
};

/// A user-defined token that is not just found where it stands.
struct AddedTokenRule {
  TokenId id = -1;
  bool normalized = false;  // is found in the normalised text, itself normalised
  bool takes_blanks_before = false, takes_blanks_behind = false;
};

/// How a tokenizer.json prepares text, in place of the rules that the kind has in GGUF. In this
/// order: user-defined tokens, normalizer, user-defined tokens of normalised text, then words.
struct TextRules {
  enum class BlankMarks : uint8_t { kNone, kMarked, kMarkedAndSplit };
  enum class MarkInFront : uint8_t { kNever, kFirst, kAlways };

  std::vector<NormalizerStep> normalizer;
  std::vector<AddedTokenRule> added_tokens;  // the others are found in raw text
  // Byte-level BPE.
  std::vector<SplitRule> stages;
  bool blank_in_front = false;  // of each stretch between user-defined tokens that has none
  // The other kinds.
  WordSplit words = WordSplit::kNone;
  BlankMarks blanks = BlankMarks::kNone;  // U+2581 for ' '; and no word reaches across one
  /// Of a word that does not begin with one: never, of the first in the text, always.
  MarkInFront mark_in_front = MarkInFront::kNever;
};

/// The names that messages have for the lists of a vocabulary.
struct VocabularyFieldNames {
  std::string_view tokens = "tokenizer.ggml.tokens", types = "tokenizer.ggml.token_type",
                   scores = "tokenizer.ggml.scores", merges = "tokenizer.ggml.merges";
};

/// What a model file says about its tokens, unchecked.
struct VocabularySpec {
  TokenizerKind kind = TokenizerKind::kByteLevelBpe;
  std::vector<std::string> tokens;  // the text of each id, in the model's own escaping
  std::vector<TokenType> types;     // empty: all normal
  // SentencePiece: higher merges first; unigram: logarithms of probabilities.
  std::vector<double> scores;
  // Byte-level BPE: "left right", most important first. SentencePiece: in place of scores.
  std::vector<std::string> merges;
  PreTokenizerTraits pre_tokenizer;  // byte-level BPE
  std::optional<TokenId> bos, eos, eot, unknown;
  std::vector<TokenId> more_ends;  // end a text too
  bool add_bos = false;
  bool add_eos = false;          // for encoders; a prompt is never ended
  bool fuse_unknown = true;      // a run of unknown characters is one unknown token
  bool add_space_prefix = true;  // SentencePiece, unigram: a blank in front of the text
  // Unigram: blanks at the ends go, runs of blanks become one.
  bool remove_extra_whitespaces = true;
  std::string precompiled_charsmap;  // unigram: the normaliser's rules; empty: none
  // WordPiece: what marks a token that continues a word; longer words are unknown.
  std::string continuing_prefix = "##";
  int max_word_characters = 100;
  std::optional<TextRules> text_rules;
  VocabularyFieldNames fields;
};

/// A checked vocabulary: ids are in range, texts of findable tokens are unique.
/// Thread-safety: immutable.
class Vocabulary {
 public:
  /// Errors: kInvalidArgument, naming the list and the index.
  static absl::StatusOr<Vocabulary> Create(VocabularySpec spec);
  Vocabulary(Vocabulary&&) = default;  // not copyable: the indexes point into the token list
  Vocabulary& operator=(Vocabulary&&) = default;

  int size() const { return static_cast<int>(spec_.tokens.size()); }
  const VocabularySpec& spec() const { return spec_; }
  TokenType type(TokenId id) const {
    return spec_.types.empty() ? TokenType::kNormal : spec_.types[static_cast<size_t>(id)];
  }
  /// Whether token texts write a blank as U+2581.
  bool marks_blanks() const {
    return spec_.kind == TokenizerKind::kSentencePiece || spec_.kind == TokenizerKind::kUnigram;
  }
  bool Contains(TokenId id) const { return id >= 0 && id < size(); }

  /// The stored text; normal and unused tokens only (user-defined ones too where there are
  /// TextRules), so that text never finds a control or byte token.
  std::optional<TokenId> FindNormal(std::string_view text) const;
  std::optional<TokenId> FindControl(std::string_view text) const;
  /// The token of a raw byte, if the vocabulary has one.
  std::optional<TokenId> FindByte(uint8_t byte) const;

  /// What the token adds to the output, as raw bytes; control tokens add nothing.
  const std::string& Bytes(TokenId id) const { return bytes_[static_cast<size_t>(id)]; }

 private:
  Vocabulary() = default;
  absl::Status CheckLists() const;
  absl::Status CheckSpecials() const;
  absl::Status IndexTokens();
  absl::Status IndexToken(TokenId id);
  absl::Status IndexNormal(TokenId id);

  VocabularySpec spec_;
  // Keys are views of spec_.tokens, whose strings keep their place when the vocabulary is moved.
  std::unordered_map<std::string_view, TokenId> normal_;
  std::unordered_map<std::string_view, TokenId> control_;
  std::vector<TokenId> byte_tokens_;  // 256 entries, -1: none
  std::vector<std::string> bytes_;
};

}  // namespace emptor::engine

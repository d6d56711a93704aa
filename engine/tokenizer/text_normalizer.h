// Normalizers of tokenizer.json: rewrite text before tokenization.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/charsmap.h"

namespace emptor::engine {

/// One rewriting of the whole text.
struct NormalizerStep {
  enum class Kind {
    kNfc,
    kNfd,
    kNfkc,
    kNfkd,
    kLowercase,           // character by character: no rule looks at its neighbours
    kClean,               // BERT: controls and U+FFFD go, every blank becomes ' '
    kSpaceIdeographs,     // BERT: a blank on both sides of each CJK ideograph
    kStripNonspacing,     // BERT: characters of category Mn go
    kStripMarks,          // characters of category M go
    kStripLeft,           // blanks in front
    kStripRight,          // blanks at the end
    kPrepend,             // `with`, in front of text that is not empty
    kReplace,             // each `what` by `with`
    kReplaceBlanks,       // each run of two ' ' or more by `with`
    kPrecompiledCharsmap  // `what`: SentencePiece's map, applied by grapheme
  };
  Kind kind = Kind::kNfc;
  std::string what = "", with = "";
};

/// Applies steps in order. Text of ASCII alone skips those that leave it as it is. Bytes that are
/// not UTF-8 stay; the Unicode forms leave a text that holds some as it is.
/// Cost: linear in the text, for each step. Thread-safety: immutable.
class TextNormalizer {
 public:
  TextNormalizer() = default;
  /// Errors: kInvalidArgument (an empty `what`, a map whose lengths do not hold together, steps
  /// that together may make a text more than 1000 times as long).
  static absl::StatusOr<TextNormalizer> Create(std::vector<NormalizerStep> steps);

  bool empty() const { return steps_.empty(); }
  std::string Normalize(std::string_view text) const;

 private:
  struct Step {
    NormalizerStep rule;
    Charsmap map;  // kPrecompiledCharsmap
  };
  static std::string Apply(const Step& step, std::string_view text);

  std::vector<Step> steps_;
};

/// BERT's rules for text. Source: Devlin et al. 2018, arXiv:1810.04805, its BasicTokenizer.
struct BertTextRules {
  bool clean = true, space_ideographs = true, strip_accents = true, lowercase = true;
};
std::vector<NormalizerStep> BertNormalizerSteps(const BertTextRules& rules);

}  // namespace emptor::engine

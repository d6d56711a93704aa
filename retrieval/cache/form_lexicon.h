// data/lexicon/faq_forms.txt: what words say about the form of a question.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/cache/form_tokens.h"

namespace emptor::retrieval {

enum class FormHead : unsigned char {
  kNumber,
  kUnit,
  kNegation,
  kAffirmed,
  kOpposite,
  kType,
  kOwn,
  kParty,
  kScope,
  kMeans,
  kSize,
  kPlace,
  kLight,
  kSame,
  kAsks,
  kWhat,
  kFrom,
  kTo,
  kTells,
  kJoint,
  kCondition,
};
inline constexpr size_t kFormHeadCount = 21;

/// What a phrase says.
struct FormSense {
  FormHead head = FormHead::kLight;
  std::string name;    // of the place, the type, the base unit; number of the line of opposites
  std::string detail;  // "strong", "weak"; the side "0", "1"; the place around
  double value = 0;    // of a number; units of the base in one
};

/// Immutable. Thread-safety: const methods.
class FormLexicon {
 public:
  /// Errors: kInvalidArgument with the line.
  static absl::StatusOr<FormLexicon> Parse(std::string_view text);
  /// The one that comes with the program.
  static const FormLexicon& Default();

  /// Calls `found` with every sense of each phrase that begins at token `at`, and its length.
  void ForEachAt(std::span<const FormToken> tokens, size_t at,
                 const std::function<void(const FormSense& sense, size_t length)>& found) const;

 private:
  struct Phrase {
    std::vector<std::string> words;
    size_t sense = 0;
  };
  absl::Status AddLine(std::string_view line);
  void AddPhrases(std::string_view phrases, FormSense sense);

  std::vector<FormSense> senses_;
  std::unordered_map<std::string, std::vector<Phrase>> phrases_;  // by first word
  size_t lines_ = 0;
};

}  // namespace emptor::retrieval

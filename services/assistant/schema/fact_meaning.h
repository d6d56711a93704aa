// Which attribute of a product says all that a question asks, in whatever words: "does it make cold
// drinks" is answered by "hot and cold beverages making".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What a question asks for: each of its telling words with what data sheets write for it
/// (data/lexicon/key_words.txt, values.txt). Immutable. Thread-safety: const methods.
class AskedMeaning {
 public:
  /// `question`: without the product's name and type. Words of the title only say which product is
  /// meant: "is the keyboard backlit".
  AskedMeaning(const FoldedMessage& question, std::string_view language, std::string_view title);

  /// Nothing is asked for, or in words that nothing is known of.
  bool empty() const { return is_unknown_ || required_ == 0; }

  /// The text says all of it.
  bool IsSaidBy(std::string_view text) const;
  /// The text says some of it.
  bool IsTouchedBy(std::string_view text) const;
  /// The share of a name's telling words that the question says; soft ones count as said.
  double ShareOfName(std::string_view name) const;

 private:
  struct Term {
    std::vector<std::vector<std::string>> any_of;  // stems, all of one
    std::vector<std::string> wide;                 // phrases of scripts without blanks
    bool is_context = false;                       // a word of the title
  };
  void AddTerms(const FoldedMessage& question, std::string_view language, std::string_view title);
  void AddWideTerms(const FoldedMessage& question, std::string_view language);

  std::vector<Term> terms_;
  size_t required_ = 0;  // terms that are no context
  bool is_unknown_ = false;
};

/// An attribute that says all that is asked.
struct SaidByAttribute {
  std::string name;
  bool is_in_value = false;  // part of what is asked is in the value
  double share = 0;          // of the name that the question says
};

/// The attributes that do, those whose names the question says most of first. Pure.
std::vector<SaidByAttribute> FindSaid(const AskedMeaning& asked, const FoldedMessage& question,
                                      const catalog::Product& product, const TypeSchema& own,
                                      bool asks_yes_no);

}  // namespace emptor::services

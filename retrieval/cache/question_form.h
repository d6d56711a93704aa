// What a question states that another with the same answer must state, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/cache/form_lexicon.h"

namespace emptor::retrieval {

/// The form of a question. Where a text has several sentences and some end with a question mark,
/// those are what is asked; the others only tell. So does a clause about the asker in front of the
/// one that asks.
struct QuestionForm {
  struct Number {
    double value = 0;   // in base units
    std::string unit;   // base unit: "h", "g"; empty: none is said
    std::string text;   // "30", for messages
    bool asked = true;  // false: in a sentence that only tells
  };
  /// A place, party, scope, means of payment, size or colour, by its canonical name.
  struct Fact {
    std::string kind;    // "place"
    std::string name;    // "toronto"
    std::string around;  // "canada"; empty: none
    std::string said;    // the word that names it; empty: several words
    bool asked = true;
    FormHead way = FormHead::kPlace;  // kFrom, kTo: which way goods go; kPlace: unknown
  };
  struct Word {
    std::string text;         // folded
    std::string key;          // of its group of synonyms, or its stem; equal keys mean the same
    std::string type;         // which type of question it goes with ("price"); empty: none
    bool is_content = false;  // neither light nor read as something else
    bool is_name = false;     // written with a capital letter where sentences have none
    bool asked = true;
  };

  std::string language;  // "en"; empty: unknown
  std::vector<Number> numbers;
  std::vector<Fact> facts;
  std::vector<Word> words;                // all, in order
  std::vector<std::string> strong_types;  // "place", "price": what its question words ask for
  std::vector<std::string> weak_types;    // what other words may ask for
  std::vector<std::string> openings;      // "whether": begins as what is answered by yes or no
  std::vector<std::string> sides;         // of opposites: "17/0", asked ones
  bool is_marked = false;                 // has a question mark
  bool is_negated = false;
  bool is_own = false;  // about the asker's own order, refund, account
};

/// `locale`: where known. A text of more than 2,000 bytes is read up to there. Pure, linear in the
/// text.
QuestionForm ReadQuestionForm(std::string_view question, std::string_view locale);

size_t ByteCount(const QuestionForm& form);

}  // namespace emptor::retrieval

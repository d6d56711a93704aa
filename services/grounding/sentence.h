// The sentence that the hydrator is reading, and predicates over its words.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/answer_lexer.h"

namespace emptor::services {

/// A number that waits for a source to confirm it.
struct Doubt {
  size_t at = 0;    // in `held`
  size_t word = 0;  // in `words`
};

/// Plain state. The hydrator keeps the invariants: doubts point into `held` and `words`; both are
/// empty once the sentence is dropped.
struct Sentence {
  std::vector<Span> held;          // not yet passed on
  std::vector<Doubt> doubts;       // numbers in `held` that no source has confirmed yet
  std::vector<std::string> words;  // lower-case; a number is "#", a fact "<price>"
  std::vector<Reference> facts;
  std::set<int> cited;
  int subject = 0;                  // source named last
  int later_subject = 0;            // source named after the drop
  DropRule rule = DropRule::kNone;  // set: the rest of the sentence is dropped
  bool shown = false;               // a word of it was passed on
  bool ended = false;               // its full stop has been seen
  bool first_is_odd = false;        // begins with a capitalised word that no source holds
  bool at_clause_start = true;
  bool in_quotes = false;       // after an opening " without its end
  bool closed_by_fact = false;  // the last fact ends with a full stop

  bool dropped() const { return rule != DropRule::kNone; }
};

/// True for words, numbers and ideographs.
bool IsShown(SpanKind kind);

bool StartsWithCapital(std::string_view word);

/// At most five capital letters.
bool IsAcronym(std::string_view word);

/// "kettle" for "kettle's".
std::string WithoutPossessive(std::string word);

/// True for text that ends with a full stop.
bool EndsSentence(std::string_view text);

/// What `words` holds for a fact: "<price>"; and whether that fact is an amount of money.
std::string FactWord(const std::string& field);
bool IsMoneyFact(const std::string& word);

/// True if the last words repeat one word.
bool RepeatsItself(const std::vector<std::string>& words);

/// "I found nothing ...", "None is ...".
bool SaysThereIsNone(const std::vector<std::string>& words);

/// "... does not say", "... did not find": the following words are not a claim.
bool DeniesKnowledge(const std::vector<std::string>& words);

/// The field of the record that a dropped claim was about; empty if there is none.
std::string ReplacementField(DropRule rule);

}  // namespace emptor::services

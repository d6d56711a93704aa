// The sentence that the hydrator is reading, and what its words tell by themselves.
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

/// Plain state; the hydrator keeps its invariants: doubts point into held and words, both empty
/// once the sentence is dropped.
struct Sentence {
  std::vector<Span> held;          // not yet passed on
  std::vector<Doubt> doubts;       // numbers in `held` that no source has confirmed yet
  std::vector<std::string> words;  // lower-case; a number is "#", a fact "<price>"
  std::vector<Reference> facts;
  std::set<int> cited;
  int subject = 0;                  // source named last
  int later_subject = 0;            // source named after the drop
  DropRule rule = DropRule::kNone;  // set: the rest of the sentence is dropped
  bool shown = false;               // a word of it has left
  bool ended = false;               // its full stop has been seen
  bool first_is_odd = false;        // begins with a capitalised word that no source holds
  bool at_clause_start = true;
  bool in_quotes = false;       // behind an opening " whose end has not come
  bool closed_by_fact = false;  // the fact written last ends with a full stop of its own

  bool dropped() const { return rule != DropRule::kNone; }
};

/// Words, numbers and ideographs: spans that say something.
bool IsShown(SpanKind kind);

bool StartsWithCapital(std::string_view word);

/// At most five capital letters.
bool IsAcronym(std::string_view word);

/// "kettle" for "kettle's".
std::string WithoutPossessive(std::string word);

/// True for text that ends with a full stop of its own.
bool EndsSentence(std::string_view text);

/// What `words` holds for a fact: "<price>"; and whether that fact is an amount of money.
std::string FactWord(const std::string& field);
bool IsMoneyFact(const std::string& word);

/// True when the last words are one word over and over.
bool RepeatsItself(const std::vector<std::string>& words);

/// "I found nothing ...", "None is ...".
bool SaysThereIsNone(const std::vector<std::string>& words);

/// "... does not say", "... did not find": what follows is no claim.
bool DeniesKnowledge(const std::vector<std::string>& words);

/// The record's own field that tells what a dropped claim was about; empty when there is none.
std::string ReplacementField(DropRule rule);

}  // namespace emptor::services

// An answer as a shopper saw it, and its sentences with the products that they are about.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "services/eval/gold_records.h"

namespace emptor::services {

struct ShownAnswer {
  std::vector<std::string> cards = {};      // ids of products, in the order of the cards
  std::string text = {};                    // Markdown
  std::map<int, std::string> cited = {};    // product id by source number; empty: a document
  std::vector<std::string> documents = {};  // ids of cited documents
  std::vector<std::string> quotes = {};     // of citations
  std::vector<std::string> handoffs = {};   // kinds
  std::string answer_step = {};
  std::string error = {};  // code of an error event or refusal; empty: `done` came
  double first_token_ms = 0, understand_ms = 0, total_ms = 0;
};

struct AnswerSentence {
  std::string text;                               // without Markdown
  std::vector<const catalog::Product*> subjects;  // linked or cited in it, else in the one before
  bool names_products = false;                    // it links or cites them itself
};

/// Links are their labels; citations belong to the sentence before them.
std::vector<AnswerSentence> ReadSentences(const ShownAnswer& answer, const GoldRecords& records);

/// The products that the text links, cites or names by their whole title, in order of appearance.
std::vector<std::string> NamedProducts(const ShownAnswer& answer, const GoldRecords& records);

/// The text without Markdown and citations.
std::string PlainText(const ShownAnswer& answer);

/// The same without the labels of links: the name of a product is of no language.
std::string TextWithoutNames(const ShownAnswer& answer);

}  // namespace emptor::services

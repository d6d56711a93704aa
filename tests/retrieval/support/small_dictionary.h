// Dictionaries of small generated catalogs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval::testing {

inline catalog::Product Titled(std::string id, std::string title, std::string locale = "en") {
  catalog::Product product;
  product.id = std::move(id);
  product.title = std::move(title);
  product.locale = std::move(locale);
  return product;
}

/// A shop's words with one record for each title, the dictionary made.
inline std::unique_ptr<ShopWords> WordsOf(const std::vector<std::string>& titles,
                                          const std::string& locale = "en") {
  auto words = std::make_unique<ShopWords>(*Analyzer::Create());
  for (size_t i = 0; i < titles.size(); ++i) {
    words->Put(Titled("p" + std::to_string(i), titles[i], locale));
  }
  words->WaitUntilCurrent();
  return words;
}

}  // namespace emptor::retrieval::testing

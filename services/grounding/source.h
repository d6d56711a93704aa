// A source of an answer: a product or a document, numbered from 1 in the order of the prompt.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "catalog/product.h"

namespace emptor::services {

/// The record as it was retrieved; facts are read from the store again when they are shown. For a
/// long document, title and text are those of the best passage.
struct Source {
  std::variant<catalog::Product, catalog::Document> record;
  float score = 0;
  std::string passage_id = {};  // of a document with more than one passage
  /// Of a document: the part that answers the question (excerpt.h); empty: the beginning of the
  /// text.
  std::string excerpt = {};
  int page = 0;  // page of that part in the original document; 0: it has no pages

  const catalog::Product* product() const { return std::get_if<catalog::Product>(&record); }
  const catalog::Document* document() const { return std::get_if<catalog::Document>(&record); }
  const std::string& id() const { return product() ? product()->id : document()->id; }
};

/// Label of FactFormatter before words that are not the shop's ("customer writes"); empty for the
/// shop's.
inline std::string_view SpeakerOf(const catalog::Document& document) {
  if (document.trust == catalog::Trust::kShop) return {};
  return document.kind == "review" ? "customer writes" : "seller writes";
}

}  // namespace emptor::services

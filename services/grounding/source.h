// A source of an answer: a product or a document, numbered from 1 in the order of the prompt.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "catalog/product.h"

namespace emptor::services {

/// The record as it was when it was retrieved. Facts that are shown are read again from the store.
/// A long document is the passage that fits: title and text are the passage's.
struct Source {
  std::variant<catalog::Product, catalog::Document> record;
  float score = 0;
  std::string passage_id = {};  // of a document with more than one passage
  /// Of a document: the part that answers the question (excerpt.h); empty: the text begins with it.
  std::string excerpt = {};
  int page = 0;  // of a document's original, where that part stands; 0: it has no pages

  const catalog::Product* product() const { return std::get_if<catalog::Product>(&record); }
  const catalog::Document* document() const { return std::get_if<catalog::Document>(&record); }
  const std::string& id() const { return product() ? product()->id : document()->id; }
};

/// What stands before words for which the shop does not vouch ("customer writes", a label of
/// FactFormatter); empty for the shop's own.
inline std::string_view SpeakerOf(const catalog::Document& document) {
  if (document.trust == catalog::Trust::kShop) return {};
  return document.kind == "review" ? "customer writes" : "seller writes";
}

}  // namespace emptor::services

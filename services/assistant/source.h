// A source of an answer: a product or a document, numbered from 1 in the order of the prompt.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "catalog/product.h"

namespace emptor::services {

/// The record as it was when it was retrieved. Facts that are shown are read again from the store.
struct Source {
  std::variant<catalog::Product, catalog::Document> record;
  float score = 0;

  const catalog::Product* product() const { return std::get_if<catalog::Product>(&record); }
  const catalog::Document* document() const { return std::get_if<catalog::Document>(&record); }
  const std::string& id() const { return product() ? product()->id : document()->id; }
};

}  // namespace emptor::services

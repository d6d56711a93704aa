// The passages of a product that the lexical index reads beside title, brand and description.
#pragma once

#include <string>

#include "catalog/product.h"

namespace emptor::retrieval {

/// One line each. Attributes whose value denies them ("no", "none") are left out.
struct RecordPassages {
  std::string categories;
  std::string attributes;  // "name: value", options, the manufacturer's part number
};

RecordPassages MakePassages(const catalog::Product& product);

}  // namespace emptor::retrieval

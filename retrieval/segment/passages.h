// The passages of a product that the lexical index has in addition to title, brand and description.
#pragma once

#include <string>

#include "catalog/product.h"

namespace emptor::retrieval {

/// One entry a line. Attributes whose value denies them ("no", "none") are left out.
struct RecordPassages {
  std::string categories;
  std::string attributes;  // "name: value", options, the manufacturer's part number
};

RecordPassages MakePassages(const catalog::Product& product);

}  // namespace emptor::retrieval

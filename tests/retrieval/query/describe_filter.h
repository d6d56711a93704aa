// A filter in one line, for tables of expectations and reports.
#pragma once

#include <string>

#include "retrieval/filter/filter.h"

namespace emptor::retrieval::testing {

/// "price<=5000USD brand=Sony -term=wifi range(capacity)>=1.5l": conditions in a fixed order.
std::string DescribeFilter(const Filter& filter);

}  // namespace emptor::retrieval::testing

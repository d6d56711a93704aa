// The unit in parentheses.
#include "retrieval/text/unit_name.h"

namespace emptor::retrieval {

std::optional<UnitScale> UnitOfName(std::string_view folded_name) {
  const size_t open = folded_name.rfind('(');
  if (open == std::string_view::npos || !folded_name.ends_with(')')) return std::nullopt;
  return FindUnit(folded_name.substr(open + 1, folded_name.size() - open - 2));
}

}  // namespace emptor::retrieval

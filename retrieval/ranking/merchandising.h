// Merchandising of one ranking: pinned, buried and boosted records.
#pragma once

#include <string>
#include <vector>

namespace emptor::retrieval {

struct Boost {
  std::string id;
  float factor = 1;  // of the score; below 1 lowers it

  friend bool operator==(const Boost&, const Boost&) = default;
};

/// Each id occurs at most once. The filter applies to all of them. A record that the query does not
/// match is added to the result only when it is pinned.
struct Merchandising {
  std::vector<std::string> pinned;  // first, in this order
  std::vector<std::string> buried;  // last
  std::vector<Boost> boosted;

  bool empty() const { return pinned.empty() && buried.empty() && boosted.empty(); }
  friend bool operator==(const Merchandising&, const Merchandising&) = default;
};

}  // namespace emptor::retrieval

// A merchant's wishes for one ranking.
#pragma once

#include <string>
#include <vector>

namespace emptor::retrieval {

struct Boost {
  std::string id;
  float factor = 1;  // on the score; below 1 it falls

  friend bool operator==(const Boost&, const Boost&) = default;
};

/// Record ids; each is named once at most. None of them enters a result that its filter keeps it
/// out of; those that the search does not find are found only when they are pinned.
struct Merchandising {
  std::vector<std::string> pinned;  // in front, in this order
  std::vector<std::string> buried;  // behind everything else
  std::vector<Boost> boosted;

  bool empty() const { return pinned.empty() && buried.empty() && boosted.empty(); }
  friend bool operator==(const Merchandising&, const Merchandising&) = default;
};

}  // namespace emptor::retrieval

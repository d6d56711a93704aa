// What of the shopper's needs the products do not meet, in words.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/reading/asked_needs.h"
#include "services/grounding/source.h"

namespace emptor::services {

struct Shortcomings {
  /// Of all products alike: needs that are violated, that none states, and, where there is any of
  /// these, those that all meet.
  std::vector<std::string> unmet, unstated, met;
  /// Of one product, where they differ: in the order of the products, empty where there is nothing
  /// to say.
  std::vector<std::string> remarks;
};

/// Of the first `count` sources, which are products. Pure.
Shortcomings ComputeShortcomings(const NeedReport& report, const std::vector<Source>& sources,
                                 size_t count, const std::string& language);

/// "None of these says ...", "Nothing met every condition ...": the sentences on all products;
/// empty where there is nothing to say. Pure.
std::string TextOf(const Shortcomings& shortcomings, const std::string& language);

}  // namespace emptor::services

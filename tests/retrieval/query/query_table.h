// Queries with the filters they mean: our own sentences, none taken from a data set.
#pragma once

#include <span>
#include <string_view>

namespace emptor::retrieval::testing {

/// `filter` in the words of DescribeFilter; `rest` is the search text.
struct QueryCase {
  std::string_view query, filter, rest;
};

/// Written before the code had read any of them.
std::span<const QueryCase> FirstQueries();
/// Written when those passed, to try the same rules on other words.
std::span<const QueryCase> LaterQueries();
/// Written later still, in six languages.
std::span<const QueryCase> ThirdQueries();
/// What an audit at real catalogs found misread.
std::span<const QueryCase> FourthQueries();

}  // namespace emptor::retrieval::testing

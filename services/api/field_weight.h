// Weights in fields of requests that list what a client takes (RFC 9110, 12.4.2).
#pragma once

#include <string_view>

namespace emptor::services {

/// The weight among the parameters of one choice, 0.5 in ";q=0.5"; 1 where none is given, 0 where
/// it is not a number. Pure.
double WeightOf(std::string_view parameters);

}  // namespace emptor::services

// The HTTP port: look-ups in a request.
#include "services/http/exchange.h"

namespace emptor::services {
namespace {

std::string_view First(const std::vector<std::pair<std::string, std::string>>& pairs,
                       std::string_view name) {
  for (const auto& [key, value] : pairs) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

std::string_view Request::Header(std::string_view lower_case_name) const {
  return First(headers, lower_case_name);
}

std::string_view Request::Query(std::string_view name) const { return First(query, name); }

}  // namespace emptor::services

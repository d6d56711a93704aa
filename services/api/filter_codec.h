// The filter object of requests and replies.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "catalog/json.h"
#include "retrieval/hybrid/filter.h"
#include "retrieval/query/relaxation.h"

namespace emptor::services {

struct RequestFilter {
  retrieval::Filter filter;
  /// Parts that the request names, also with null or an empty list: "brands":[] says that any brand
  /// will do, whatever the words say.
  retrieval::FilterParts named;
};

/// docs/search.md lists the fields. `where` stands in front of the field names of errors, which are
/// kInvalidArgument. What WriteFilter writes reads back equal.
absl::StatusOr<RequestFilter> FilterFromJson(const catalog::JsonValue& value,
                                             const std::string& where);

/// Conditions that do not restrict are left out.
void WriteFilter(const retrieval::Filter& filter, catalog::JsonWriter& writer);

}  // namespace emptor::services

// The filter object of requests and replies.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "retrieval/filter/filter.h"
#include "retrieval/query/relaxation.h"

namespace emptor::services {

struct RequestFilter {
  retrieval::Filter filter;
  /// Parts that the request names, also with null or an empty list: "brands":[] means any brand,
  /// also when the query names one.
  retrieval::FilterParts named;
};

/// The members of the filter object and the parts that they state.
std::span<const std::pair<std::string_view, retrieval::FilterPart>> FilterMembers();

/// docs/search.md lists the fields. `where` is the prefix of field names in errors, which are
/// kInvalidArgument. What WriteFilter writes reads back equal.
absl::StatusOr<RequestFilter> FilterFromJson(const catalog::JsonValue& value,
                                             const std::string& where);

/// Conditions that do not restrict are left out.
void WriteFilter(const retrieval::Filter& filter, catalog::JsonWriter& writer);

/// "relaxed": [{"condition","action","asked"}], each with the condition as it was asked for, and
/// "explanation"; neither where no condition was relaxed.
void WriteRelaxedMembers(const retrieval::Filter& asked,
                         std::span<const retrieval::RelaxationStep> steps,
                         std::string_view explanation, catalog::JsonWriter& writer);

}  // namespace emptor::services

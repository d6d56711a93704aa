// Filters of lists, for the table in filters.cc.
#pragma once

#include "engine/jinja/runtime.h"

namespace emptor::engine::jinja {

Value FirstFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value LastFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value ReverseFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value SortFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value DictSortFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value UniqueFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value MinFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value MaxFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value SumFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value MapFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value SelectFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value RejectFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value SelectAttributeFilter(Runtime& run, const Value& input, const Arguments& arguments);
Value RejectAttributeFilter(Runtime& run, const Value& input, const Arguments& arguments);

/// `path` as jinja's attribute= takes it: "name", "a.b", "0", or an integer.
Value GetPath(Runtime& run, const Value& object, const Value& path);

}  // namespace emptor::engine::jinja

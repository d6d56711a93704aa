// Picking, ordering and mapping of lists.
#include "engine/jinja/list_filters.h"

#include <algorithm>
#include <charconv>

#include "engine/jinja/filters.h"
#include "engine/jinja/methods.h"
#include "engine/jinja/operations.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

bool Flag(const Arguments& arguments, size_t place, std::string_view name, bool fallback = false) {
  const Value* value = arguments.Find(place, name);
  return value == nullptr ? fallback : Truth(*value);
}

/// The sort key: the attribute, in lower case unless case counts.
Value SortKey(Runtime& run, const Value& item, const Value* attribute, bool case_sensitive) {
  const bool whole = attribute == nullptr || Absent(attribute);
  const Value key = whole ? item : GetPath(run, item, *attribute);
  if (case_sensitive || key.text() == nullptr) return key;
  return run.NewText(ChangeCase(*key.text(), LetterCase::kLower));
}

/// Fails unless all keys are numbers or all are strings: those have an order.
bool HaveAnOrder(Runtime& run, const std::vector<std::pair<Value, Value>>& keyed) {
  for (const auto& [key, item] : keyed) {
    const std::optional<double> number = AsNumber(key);
    const bool fits = keyed.front().first.text() != nullptr ? key.text() != nullptr
                                                            : number && *number == *number;
    if (fits) continue;
    run.Fail(fmt::format("sort: expected only numbers or only strings, found {}", key.KindName()));
    return false;
  }
  return !run.failed();
}

/// Items by key, stable. Nothing when it fails.
std::optional<std::vector<Value>> Sorted(Runtime& run, std::vector<std::pair<Value, Value>> keyed,
                                         bool reverse) {
  if (!HaveAnOrder(run, keyed)) return std::nullopt;
  const auto less = [&](const auto& a, const auto& b) {
    return run.Spend() && (reverse ? Less(run, b.first, a.first) : Less(run, a.first, b.first));
  };
  std::stable_sort(keyed.begin(), keyed.end(), less);
  std::vector<Value> items;
  for (auto& [key, item] : keyed) items.push_back(std::move(item));
  return items;
}

std::optional<std::vector<std::pair<Value, Value>>> Keyed(Runtime& run, const Value& input,
                                                          const Value* attribute,
                                                          bool case_sensitive) {
  const auto items = Iterate(run, input);
  if (!items) return std::nullopt;
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value& item : *items) {
    keyed.emplace_back(SortKey(run, item, attribute, case_sensitive), item);
    if (run.failed()) return std::nullopt;
  }
  return keyed;
}

Value Extreme(Runtime& run, const Value& input, const Arguments& arguments, bool greatest) {
  auto keyed =
      Keyed(run, input, arguments.Find(1, "attribute"), Flag(arguments, 0, "case_sensitive"));
  if (!keyed) return {};
  if (keyed->empty()) return Value(Undefined{"no items"});
  if (!HaveAnOrder(run, *keyed)) return {};
  const std::pair<Value, Value>* best = &keyed->front();
  for (const auto& entry : *keyed) {
    const bool better =
        greatest ? Less(run, best->first, entry.first) : Less(run, entry.first, best->first);
    if (better) best = &entry;
  }
  return best->second;
}

Arguments Rest(const Arguments& arguments, size_t from) {
  Arguments rest;
  rest.named = arguments.named;
  const auto& given = arguments.positional;
  if (from < given.size()) rest.positional.assign(given.begin() + long(from), given.end());
  return rest;
}

/// select, reject and their attribute forms: the arguments are [attribute,] [test, its arguments].
Value Choose(Runtime& run, const Value& input, const Arguments& arguments, bool by_attribute,
             bool wanted) {
  const size_t first = by_attribute ? 1 : 0;
  if (arguments.positional.size() < first) return run.Fail("expected an attribute");
  const Test* test = nullptr;
  if (arguments.positional.size() > first) {
    const Text* name = arguments.positional[first].text();
    test = name == nullptr ? nullptr : FindTest(name->bytes());
    if (test == nullptr) return run.Fail("select: no such test");
  }
  const auto items = Iterate(run, input);
  if (!items) return {};
  const Arguments rest = Rest(arguments, first + 1);
  std::vector<Value> chosen;
  for (const Value& item : *items) {
    const Value value = by_attribute ? GetPath(run, item, arguments.positional[0]) : item;
    const bool holds = test == nullptr ? Truth(value) : test->Holds(run, value, rest);
    if (!run.Spend()) return {};
    if (holds == wanted) chosen.push_back(item);
  }
  return run.NewList(std::move(chosen));
}

}  // namespace

Value GetPath(Runtime& run, const Value& object, const Value& path) {
  if (path.text() == nullptr) return GetItem(run, object, path);
  Value at = object;
  std::string_view left = path.text()->bytes();
  if (!run.SpendBytes(left.size())) return {};
  while (true) {
    const size_t dot = left.find('.');
    const std::string_view part = left.substr(0, dot);
    int64_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool number = error == std::errc() && end == part.data() + part.size() && index >= 0;
    at = GetItem(run, at, number ? Value(index) : Value(Text(part)));
    if (dot == std::string_view::npos || run.failed()) return at;
    left.remove_prefix(dot + 1);
  }
}

Value FirstFilter(Runtime& run, const Value& input, const Arguments&) {
  const auto items = Iterate(run, input);
  if (!items) return {};
  return items->empty() ? Value(Undefined{"first: no items"}) : items->front();
}

Value LastFilter(Runtime& run, const Value& input, const Arguments&) {
  const auto items = Iterate(run, input);
  if (!items) return {};
  return items->empty() ? Value(Undefined{"last: no items"}) : items->back();
}

Value ReverseFilter(Runtime& run, const Value& input, const Arguments&) {
  if (input.text() != nullptr) {
    return GetSlice(run, input, Value(None{}), Value(None{}), Value(int64_t{-1}));
  }
  auto items = Iterate(run, input);
  if (!items) return {};
  std::reverse(items->begin(), items->end());
  return run.NewList(std::move(*items));
}

Value SortFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  auto keyed =
      Keyed(run, input, arguments.Find(2, "attribute"), Flag(arguments, 1, "case_sensitive"));
  if (!keyed) return {};
  auto items = Sorted(run, std::move(*keyed), Flag(arguments, 0, "reverse"));
  return items ? run.NewList(std::move(*items)) : Value();
}

Value DictSortFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  if (input.dict() == nullptr) return run.Fail("dictsort: expected a mapping");
  const Value* by = arguments.Find(1, "by");
  const bool by_value = by != nullptr && by->text() != nullptr && by->text()->bytes() == "value";
  std::vector<std::pair<Value, Value>> keyed;
  for (const auto& [key, value] : input.dict()->entries) {
    keyed.emplace_back(
        SortKey(run, by_value ? value : key, nullptr, Flag(arguments, 0, "case_sensitive")),
        run.NewList({key, value}, true));
    if (run.failed()) return {};
  }
  auto items = Sorted(run, std::move(keyed), Flag(arguments, 2, "reverse"));
  return items ? run.NewList(std::move(*items)) : Value();
}

Value UniqueFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  auto keyed =
      Keyed(run, input, arguments.Find(1, "attribute"), Flag(arguments, 0, "case_sensitive"));
  if (!keyed) return {};
  std::vector<Value> seen;
  std::vector<Value> items;
  for (const auto& entry : *keyed) {
    const Value& key = entry.first;
    const bool again = std::any_of(seen.begin(), seen.end(),
                                   [&](const Value& other) { return Equal(run, other, key); });
    if (run.failed()) return {};
    if (again) continue;
    seen.push_back(key);
    items.push_back(entry.second);
  }
  return run.NewList(std::move(items));
}

Value MinFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return Extreme(run, input, arguments, false);
}

Value MaxFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return Extreme(run, input, arguments, true);
}

Value SumFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  const auto items = Iterate(run, input);
  if (!items) return {};
  const Value* attribute = arguments.Find(0, "attribute");
  const Value* start = arguments.Find(1, "start");
  Value sum = start == nullptr ? Value(int64_t{0}) : *start;
  for (const Value& item : *items) {
    const Value addend = Absent(attribute) ? item : GetPath(run, item, *attribute);
    sum = Apply(run, Operator::kAdd, sum, addend);
  }
  return sum;
}

Value MapFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  const auto items = Iterate(run, input);
  if (!items) return {};
  const Value* attribute = arguments.Find(1000, "attribute");
  const Value* fallback = arguments.Find(1000, "default");
  const Filter* filter = nullptr;
  if (attribute == nullptr) {
    const Text* name = arguments.positional.empty() ? nullptr : arguments.positional.front().text();
    filter = name == nullptr ? nullptr : FindFilter(name->bytes());
    if (filter == nullptr) return run.Fail("map: no such filter");
  }
  const Arguments rest = Rest(arguments, 1);
  std::vector<Value> mapped;
  for (const Value& item : *items) {
    Value value =
        filter == nullptr ? GetPath(run, item, *attribute) : filter->Call(run, item, rest);
    if (!run.Spend()) return {};
    mapped.push_back(value.undefined() && fallback != nullptr ? *fallback : std::move(value));
  }
  return run.NewList(std::move(mapped));
}

Value SelectFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return Choose(run, input, arguments, false, true);
}

Value RejectFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return Choose(run, input, arguments, false, false);
}

Value SelectAttributeFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return Choose(run, input, arguments, true, true);
}

Value RejectAttributeFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return Choose(run, input, arguments, true, false);
}

}  // namespace emptor::engine::jinja

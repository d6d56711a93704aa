// Members, items, slices, iteration.
#include <algorithm>
#include <limits>

#include "engine/jinja/methods.h"
#include "engine/jinja/operations.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

Value NoMember(const Value& object, std::string_view name) {
  return Value(Undefined{fmt::format("{} has no {}", object.KindName(), Quote(name))});
}

Value LoopMember(const Loop& loop, std::string_view name) {
  const std::vector<Value>& items = loop.items->items;
  const auto number = [](size_t n) { return Value(static_cast<int64_t>(n)); };
  if (name == "index") return number(loop.index + 1);
  if (name == "index0") return number(loop.index);
  if (name == "revindex") return number(items.size() - loop.index);
  if (name == "revindex0") return number(items.size() - loop.index - 1);
  if (name == "first") return Value(loop.index == 0);
  if (name == "last") return Value(loop.index + 1 == items.size());
  if (name == "length") return number(items.size());
  if (name == "depth") return Value(int64_t{1});
  if (name == "depth0") return Value(int64_t{0});
  if (name == "previtem" && loop.index > 0) return items[loop.index - 1];
  if (name == "nextitem" && loop.index + 1 < items.size()) return items[loop.index + 1];
  if (name == "previtem") return Value(Undefined{"there is no previous item"});
  if (name == "nextitem") return Value(Undefined{"there is no next item"});
  return Value(Undefined{fmt::format("the loop has no {}", Quote(name))});
}

Value CharacterAt(Runtime& run, const Text& text, int64_t index) {
  if (!run.Spend(1 + text.size() / 64)) return {};
  const auto count = static_cast<int64_t>(CountCharacters(text.bytes()));
  if (index < 0) index += count;
  if (index < 0 || index >= count) return Value(Undefined{"no character at that place"});
  size_t begin = 0;
  const std::string_view bytes = text.bytes();
  for (; index > 0; --index) begin += CharacterBytes(bytes.substr(begin));
  return run.NewText(text.Slice(begin, begin + CharacterBytes(bytes.substr(begin))));
}

Value ItemAt(Runtime& run, const Value& object, int64_t index) {
  if (object.text() != nullptr) return CharacterAt(run, *object.text(), index);
  const std::vector<Value>& items = object.list()->items;
  const auto count = static_cast<int64_t>(items.size());
  if (index < 0) index += count;
  if (index >= 0 && index < count) return items[static_cast<size_t>(index)];
  return Value(Undefined{fmt::format("a list of {} has no item {}", count, index)});
}

/// The indices that a Python slice selects of `count`, in order; nothing on failure.
std::optional<std::vector<size_t>> Places(Runtime& run, size_t count, const Value& start,
                                          const Value& stop, const Value& step) {
  const auto bound = [&](const Value& value, int64_t none) -> std::optional<int64_t> {
    if (value.Is<None>()) return none;
    const std::optional<int64_t> integer = AsInteger(value);
    if (!integer) run.Fail(fmt::format("slice: expected an integer, found {}", value.KindName()));
    return integer;
  };
  const std::optional<int64_t> stride = bound(step, 1);
  if (stride == 0) run.Fail("slice: the step is zero");
  if (!stride || stride == 0) return std::nullopt;
  const auto n = static_cast<int64_t>(count);
  const int64_t low = *stride > 0 ? 0 : -1;
  const auto clamp = [&](int64_t at) {
    if (at < 0) at = at < -n ? -1 : at + n;
    return std::clamp(at, low, *stride > 0 ? n : n - 1);
  };
  const std::optional<int64_t> first = bound(start, std::numeric_limits<int64_t>::max());
  const std::optional<int64_t> last = bound(stop, std::numeric_limits<int64_t>::max());
  if (!first || !last || !run.Spend(1 + count / 16)) return std::nullopt;
  int64_t at = start.Is<None>() ? (*stride > 0 ? 0 : n - 1) : clamp(*first);
  const int64_t end = stop.Is<None>() ? (*stride > 0 ? n : -1) : clamp(*last);
  std::vector<size_t> places;
  while (*stride > 0 ? at < end : at > end) {
    places.push_back(static_cast<size_t>(at));
    if (__builtin_add_overflow(at, *stride, &at)) break;
  }
  return places;
}

}  // namespace

Value GetAttribute(Runtime& run, const Value& object, std::string_view name) {
  if (const auto* undefined = object.Get<Undefined>()) return run.Fail(undefined->what);
  if (const Loop* loop = object.loop()) return LoopMember(*loop, name);
  if (const auto* name_space = object.Get<Namespace*>()) {
    if (!run.Spend(1 + (*name_space)->members.size() / 4)) return {};
    for (const auto& [member, value] : (*name_space)->members) {
      if (member == name) return value;
    }
    return NoMember(object, name);
  }
  if (HasMethod(object, name)) {
    return Value(std::make_shared<const Method>(Method{object, std::string(name)}));
  }
  if (const Dict* dict = object.dict()) {
    if (!run.Spend(1 + dict->entries.size() / 4)) return {};
    if (const Value* value = dict->Find(name)) return *value;
  }
  return NoMember(object, name);
}

Value GetItem(Runtime& run, const Value& object, const Value& key) {
  if (const auto* undefined = object.Get<Undefined>()) return run.Fail(undefined->what);
  if (const Dict* dict = object.dict()) {
    if (const Value* value = FindEntry(run, *dict, key)) return *value;
    if (run.failed()) return {};
  }
  const std::optional<int64_t> index = AsInteger(key);
  if (index && (object.list() != nullptr || object.text() != nullptr)) {
    return ItemAt(run, object, *index);
  }
  if (key.text() != nullptr) return GetAttribute(run, object, key.text()->bytes());
  return Value(Undefined{fmt::format("{} has no such item", object.KindName())});
}

Value GetSlice(Runtime& run, const Value& object, const Value& start, const Value& stop,
               const Value& step) {
  if (const List* list = object.list()) {
    const auto places = Places(run, list->items.size(), start, stop, step);
    if (!places || !run.SpendBytes(places->size() * sizeof(Value))) return {};
    std::vector<Value> items;
    items.reserve(places->size());
    for (const size_t place : *places) items.push_back(list->items[place]);
    return run.NewList(std::move(items), list->tuple);
  }
  if (const Text* text = object.text()) {
    if (!run.SpendBytes(8 * text->size())) return {};
    const std::vector<size_t> offsets = CharacterOffsets(text->bytes());
    const auto places = Places(run, offsets.size() - 1, start, stop, step);
    if (!places) return {};
    Text slice;
    for (const size_t place : *places) slice.Append(*text, offsets[place], offsets[place + 1]);
    return run.NewText(std::move(slice));
  }
  if (const auto* undefined = object.Get<Undefined>()) return run.Fail(undefined->what);
  return run.Fail(fmt::format("slice: expected a list or a string, found {}", object.KindName()));
}

std::optional<std::vector<Value>> Iterate(Runtime& run, const Value& value) {
  std::vector<Value> items;
  if (value.undefined()) return items;
  if (const List* list = value.list()) {
    if (!run.SpendBytes(list->items.size() * sizeof(Value))) return std::nullopt;
    return list->items;
  }
  if (const Dict* dict = value.dict()) {
    if (!run.SpendBytes(dict->entries.size() * sizeof(Value))) return std::nullopt;
    for (const auto& [key, entry] : dict->entries) items.push_back(key);
    return items;
  }
  if (const Text* text = value.text()) {
    const std::string_view bytes = text->bytes();
    for (size_t begin = 0; begin < bytes.size();) {
      const size_t end = begin + CharacterBytes(bytes.substr(begin));
      items.push_back(run.NewText(text->Slice(begin, end)));
      if (run.failed()) return std::nullopt;
      begin = end;
    }
    return items;
  }
  run.Fail(fmt::format("{} cannot be iterated", value.KindName()));
  return std::nullopt;
}

std::optional<int64_t> Length(Runtime& run, const Value& value) {
  if (value.undefined()) return 0;
  if (const Text* text = value.text()) {
    run.Spend(1 + text->size() / 64);
    return static_cast<int64_t>(CountCharacters(text->bytes()));
  }
  if (const List* list = value.list()) return static_cast<int64_t>(list->items.size());
  if (const Dict* dict = value.dict()) return static_cast<int64_t>(dict->entries.size());
  run.Fail(fmt::format("{} has no length", value.KindName()));
  return std::nullopt;
}

}  // namespace emptor::engine::jinja

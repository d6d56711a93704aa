// Building and naming values.
#include "engine/jinja/value.h"

#include <algorithm>
#include <array>

namespace emptor::engine::jinja {

Value Value::ListOf(std::vector<Value> items, bool tuple) {
  int depth = 1;
  for (const Value& item : items) depth = std::max(depth, item.depth() + 1);
  return Value(std::make_shared<const List>(List{std::move(items), tuple, depth}));
}

Value Value::DictOf(std::vector<std::pair<Value, Value>> entries) {
  int depth = 1;
  for (const auto& [key, value] : entries) {
    depth = std::max({depth, key.depth() + 1, value.depth() + 1});
  }
  return Value(std::make_shared<const Dict>(Dict{std::move(entries), depth}));
}

int Value::depth() const {
  if (const List* l = list()) return l->depth;
  if (const Dict* d = dict()) return d->depth;
  if (const Loop* l = loop()) return l->items->depth + 1;
  if (const Method* m = method()) return m->self.depth() + 1;
  return 1;
}

std::string_view Value::KindName() const {
  constexpr std::array<std::string_view, std::variant_size_v<Data>> kNames = {
      "undefined", "none",     "a boolean", "an integer",  "a number", "a string",  "a list",
      "a mapping", "the loop", "a method",  "a namespace", "a macro",  "a function"};
  return kNames[data_.index()];
}

const Value* Dict::Find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    const Text* text = name.text();
    if (text != nullptr && text->bytes() == key) return &value;
  }
  return nullptr;
}

}  // namespace emptor::engine::jinja

// Values of template expressions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/jinja/text.h"

namespace emptor::engine::jinja {

struct List;
struct Dict;
struct Loop;
struct Method;
struct Namespace;
struct Macro;

/// A missing name or member; `what` is the message when it is used where it may not be.
struct Undefined {
  std::string what;
};
struct None {};
/// Functions that every template may call.
enum class Function : uint8_t { kRange, kNamespace, kDict, kRaiseException, kStrftimeNow };

/// A value; cheap to copy, never changes (a Namespace does).
/// Lifetime: namespaces and macros belong to the rendering and to the template.
class Value {
 public:
  using Data = std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const Text>,
                            std::shared_ptr<const List>, std::shared_ptr<const Dict>,
                            std::shared_ptr<const Loop>, std::shared_ptr<const Method>, Namespace*,
                            const Macro*, Function>;

  Value() = default;  // undefined
  template <typename T>
  requires std::is_constructible_v<Data, T> &&
      (!std::is_same_v<std::decay_t<T>, Value>)explicit Value(T data)
      : data_(std::move(data)) {}
  explicit Value(Text text) : data_(std::make_shared<const Text>(std::move(text))) {}
  explicit Value(int) = delete;          // say int64_t
  explicit Value(const char*) = delete;  // say String

  /// Shorthands for those who build a context.
  static Value String(std::string_view text, Origin origin) {
    return Value(Text(std::string(text), origin));
  }
  static Value ListOf(std::vector<Value> items, bool tuple = false);
  static Value DictOf(std::vector<std::pair<Value, Value>> entries);

  template <typename T>
  bool Is() const {
    return std::holds_alternative<T>(data_);
  }
  template <typename T>
  const T* Get() const {
    return std::get_if<T>(&data_);
  }
  /// Null when the value is of another kind.
  const Text* text() const { return Pointee<Text>(); }
  const List* list() const { return Pointee<List>(); }
  const Dict* dict() const { return Pointee<Dict>(); }
  const Loop* loop() const { return Pointee<Loop>(); }
  const Method* method() const { return Pointee<Method>(); }
  bool undefined() const { return Is<Undefined>(); }
  const Data& data() const { return data_; }

  /// How deep lists and dicts lie within one another: 1 for everything else.
  int depth() const;
  /// "a string", "an integer", ...: for messages.
  std::string_view KindName() const;

 private:
  template <typename T>
  const T* Pointee() const {
    const auto* pointer = Get<std::shared_ptr<const T>>();
    return pointer == nullptr ? nullptr : pointer->get();
  }

  Data data_;
};

struct List {
  std::vector<Value> items;
  bool tuple = false;
  int depth = 1;
};

/// Entries in the order in which their keys came; keys are unique.
struct Dict {
  std::vector<std::pair<Value, Value>> entries;
  int depth = 1;
  /// The value under a string key, or null. Time: O(entries).
  const Value* Find(std::string_view key) const;
};

/// The variable `loop`, as of one turn.
struct Loop {
  std::shared_ptr<const List> items;
  size_t index = 0;
};

/// A method that was looked up but not called yet: `text.strip`.
struct Method {
  Value self;
  std::string name;
};

/// The only thing that a template can change.
struct Namespace {
  std::vector<std::pair<std::string, Value>> members;
};

}  // namespace emptor::engine::jinja

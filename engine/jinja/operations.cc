// Truth, comparison, arithmetic.
#include "engine/jinja/operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

constexpr size_t kNothing = std::string_view::npos;

Value FailOnOperands(Runtime& run, std::string_view what, const Value& a, const Value& b) {
  for (const Value* value : {&a, &b}) {
    if (const auto* undefined = value->Get<Undefined>()) return run.Fail(undefined->what);
  }
  return run.Fail(fmt::format("cannot {} {} and {}", what, a.KindName(), b.KindName()));
}

bool EqualLists(Runtime& run, const List& a, const List& b) {
  if (a.tuple != b.tuple || a.items.size() != b.items.size()) return false;
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!Equal(run, a.items[i], b.items[i])) return false;
  }
  return true;
}

bool EqualDicts(Runtime& run, const Dict& a, const Dict& b) {
  if (a.entries.size() != b.entries.size()) return false;
  for (const auto& [key, value] : a.entries) {
    const Value* other = FindEntry(run, b, key);
    if (other == nullptr || !Equal(run, value, *other)) return false;
  }
  return true;
}

Value Concatenate(Runtime& run, const Value& a, const Value& b) {
  if (const Text* left = a.text()) {
    if (!run.SpendBytes(left->weight() + b.text()->weight())) return {};
    Text joined = *left;
    joined.Append(*b.text());
    return run.NewText(std::move(joined));
  }
  const List& left = *a.list();
  const List& right = *b.list();
  if (!run.SpendBytes((left.items.size() + right.items.size()) * sizeof(Value))) return {};
  std::vector<Value> items = left.items;
  items.insert(items.end(), right.items.begin(), right.items.end());
  return run.NewList(std::move(items), left.tuple);
}

Value Repeat(Runtime& run, const Text& text, int64_t times) {
  Text out;
  for (int64_t i = 0; i < times && !text.empty(); ++i) {
    if (!run.SpendBytes(text.weight())) return {};
    out.Append(text);
  }
  return run.NewText(std::move(out));
}

Value IntegerArithmetic(Runtime& run, Operator op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Operator::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      if (b == 0) return run.Fail("division by zero");
      if (op == Operator::kDivide) {
        return Value(static_cast<double>(a) / static_cast<double>(b));
      }
      overflow = a == std::numeric_limits<int64_t>::min() && b == -1;
      if (overflow) break;
      result = op == Operator::kModulo ? a % b : a / b;
      // Python rounds down, and the remainder has the sign of the divisor.
      if (a % b != 0 && ((a < 0) != (b < 0))) result += op == Operator::kModulo ? b : -1;
  }
  return overflow ? run.Fail("a number beyond 64 bits") : Value(result);
}

Value RealArithmetic(Runtime& run, Operator op, double a, double b) {
  switch (op) {
    case Operator::kAdd:
      return Value(a + b);
    case Operator::kSubtract:
      return Value(a - b);
    case Operator::kMultiply:
      return Value(a * b);
    default:
      if (b == 0) return run.Fail("division by zero");
      if (op == Operator::kDivide) return Value(a / b);
      if (op == Operator::kFloorDivide) return Value(std::floor(a / b));
      const double rest = std::fmod(a, b);
      return Value(rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest);
  }
}

std::string_view Name(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return "add";
    case Operator::kSubtract:
      return "subtract";
    case Operator::kMultiply:
      return "multiply";
    default:
      return "divide";
  }
}

Value Arithmetic(Runtime& run, Operator op, const Value& a, const Value& b) {
  const std::optional<int64_t> i = AsInteger(a);
  const std::optional<int64_t> j = AsInteger(b);
  if (i && j) return IntegerArithmetic(run, op, *i, *j);
  const std::optional<double> x = AsNumber(a);
  const std::optional<double> y = AsNumber(b);
  if (x && y) return RealArithmetic(run, op, *x, *y);
  if (op == Operator::kAdd) {
    const bool texts = a.text() != nullptr && b.text() != nullptr;
    const bool lists =
        a.list() != nullptr && b.list() != nullptr && a.list()->tuple == b.list()->tuple;
    if (texts || lists) return Concatenate(run, a, b);
  }
  if (op == Operator::kMultiply && a.text() != nullptr && j) return Repeat(run, *a.text(), *j);
  if (op == Operator::kMultiply && b.text() != nullptr && i) return Repeat(run, *b.text(), *i);
  return FailOnOperands(run, Name(op), a, b);
}

}  // namespace

std::optional<int64_t> AsInteger(const Value& value) {
  if (const auto* integer = value.Get<int64_t>()) return *integer;
  if (const auto* boolean = value.Get<bool>()) return *boolean ? 1 : 0;
  return std::nullopt;
}

std::optional<double> AsNumber(const Value& value) {
  if (const auto* real = value.Get<double>()) return *real;
  const std::optional<int64_t> integer = AsInteger(value);
  return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

bool Truth(const Value& value) {
  if (value.undefined() || value.Is<None>()) return false;
  if (const std::optional<double> number = AsNumber(value)) return *number != 0;
  if (const Text* text = value.text()) return !text->empty();
  if (const List* list = value.list()) return !list->items.empty();
  if (const Dict* dict = value.dict()) return !dict->entries.empty();
  return true;
}

const Value* FindEntry(Runtime& run, const Dict& dict, const Value& key) {
  for (const auto& [name, value] : dict.entries) {
    if (run.failed()) return nullptr;
    if (Equal(run, name, key)) return &value;
  }
  return nullptr;
}

bool Equal(Runtime& run, const Value& a, const Value& b) {
  if (!run.Spend()) return false;
  if (a.text() != nullptr && b.text() != nullptr) {
    const std::string& left = a.text()->bytes();
    const std::string& right = b.text()->bytes();
    return left.size() == right.size() && run.Spend(left.size() / 256) && left == right;
  }
  const std::optional<int64_t> i = AsInteger(a);
  const std::optional<int64_t> j = AsInteger(b);
  if (i && j) return *i == *j;
  const std::optional<double> x = AsNumber(a);
  const std::optional<double> y = AsNumber(b);
  if (x && y) return *x == *y;
  if (a.list() != nullptr && b.list() != nullptr) return EqualLists(run, *a.list(), *b.list());
  if (a.dict() != nullptr && b.dict() != nullptr) return EqualDicts(run, *a.dict(), *b.dict());
  if (a.data().index() != b.data().index()) return false;
  if (a.undefined() || a.Is<None>()) return true;
  if (const auto* name_space = a.Get<Namespace*>()) return *name_space == *b.Get<Namespace*>();
  if (const auto* macro = a.Get<const Macro*>()) return *macro == *b.Get<const Macro*>();
  if (const auto* function = a.Get<Function>()) return *function == *b.Get<Function>();
  return false;
}

bool Less(Runtime& run, const Value& a, const Value& b) {
  const std::optional<int64_t> i = AsInteger(a);
  const std::optional<int64_t> j = AsInteger(b);
  if (i && j) return *i < *j;
  const std::optional<double> x = AsNumber(a);
  const std::optional<double> y = AsNumber(b);
  if (x && y) return *x < *y;
  if (a.text() != nullptr && b.text() != nullptr) {
    // The order of UTF-8 is that of the code points.
    return run.Spend(1 + std::min(a.text()->size(), b.text()->size()) / 256) &&
           a.text()->bytes() < b.text()->bytes();
  }
  FailOnOperands(run, "order", a, b);
  return false;
}

bool Contains(Runtime& run, const Value& container, const Value& item) {
  if (const Text* text = container.text()) {
    if (item.text() == nullptr) {
      run.Fail(fmt::format("in: expected a string on the left, found {}", item.KindName()));
      return false;
    }
    return run.Spend(1 + (text->size() + item.text()->size()) / 256) &&
           Find(text->bytes(), item.text()->bytes()) != kNothing;
  }
  if (const Dict* dict = container.dict()) return FindEntry(run, *dict, item) != nullptr;
  const auto items = Iterate(run, container);
  return items && std::any_of(items->begin(), items->end(),
                              [&](const Value& other) { return Equal(run, other, item); });
}

Value Apply(Runtime& run, Operator op, const Value& a, const Value& b) {
  if (!run.Spend()) return {};
  switch (op) {
    case Operator::kEqual:
      return Value(Equal(run, a, b));
    case Operator::kNotEqual:
      return Value(!Equal(run, a, b));
    case Operator::kLess:
      return Value(Less(run, a, b));
    case Operator::kGreater:
      return Value(Less(run, b, a));
    case Operator::kLessEqual: {
      const bool less = Less(run, a, b);
      return Value(less || Equal(run, a, b));
    }
    case Operator::kGreaterEqual: {
      const bool greater = Less(run, b, a);
      return Value(greater || Equal(run, a, b));
    }
    case Operator::kIn:
      return Value(Contains(run, b, a));
    case Operator::kNotIn:
      return Value(!Contains(run, b, a));
    default:
      return Arithmetic(run, op, a, b);
  }
}

Value Negate(Runtime& run, const Value& value) {
  if (const auto* real = value.Get<double>()) return Value(-*real);
  return Arithmetic(run, Operator::kSubtract, Value(int64_t{0}), value);
}

}  // namespace emptor::engine::jinja

// Tests of values.
#include <algorithm>

#include "engine/jinja/filters.h"
#include "engine/jinja/operations.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

template <Operator op>
bool Compare(Runtime& run, const Value& a, const Value& b) {
  return Truth(Apply(run, op, a, b));
}

bool IsSequence(Runtime&, const Value& v, const Value&) {
  return v.undefined() || v.text() != nullptr || v.list() != nullptr || v.dict() != nullptr;
}

bool IsCase(const Value& value, LetterCase letter_case) {
  const Text* text = value.text();
  if (text == nullptr) return false;
  const LetterCase other =
      letter_case == LetterCase::kUpper ? LetterCase::kLower : LetterCase::kUpper;
  return ChangeCase(*text, letter_case).bytes() == text->bytes() &&
         ChangeCase(*text, other).bytes() != text->bytes();
}

/// The remainder by `divisor`; fails unless both are integers.
std::optional<int64_t> Remainder(Runtime& run, const Value& value, const Value& divisor) {
  return AsInteger(Apply(run, Operator::kModulo, value, divisor));
}

bool IsEven(Runtime& run, const Value& value, const Value&) {
  return Remainder(run, value, Value(int64_t{2})) == 0;
}
bool IsOdd(Runtime& run, const Value& value, const Value&) {
  return Remainder(run, value, Value(int64_t{2})) == 1;
}
bool IsDivisible(Runtime& run, const Value& value, const Value& divisor) {
  return Remainder(run, value, divisor) == 0;
}

bool IsSame(Runtime& run, const Value& a, const Value& b) {
  if (a.data().index() != b.data().index()) return false;
  if (a.list() != nullptr) return a.list() == b.list();
  if (a.dict() != nullptr) return a.dict() == b.dict();
  return Equal(run, a, b);
}

bool IsTrue(Runtime&, const Value& v, const Value&) { return v.Is<bool>() && *v.Get<bool>(); }
bool IsFalse(Runtime&, const Value& v, const Value&) { return v.Is<bool>() && !*v.Get<bool>(); }
bool IsDefined(Runtime&, const Value& v, const Value&) { return !v.undefined(); }
bool IsUndefined(Runtime&, const Value& v, const Value&) { return v.undefined(); }
bool IsNone(Runtime&, const Value& v, const Value&) { return v.Is<None>(); }
bool IsBoolean(Runtime&, const Value& v, const Value&) { return v.Is<bool>(); }
bool IsInteger(Runtime&, const Value& v, const Value&) { return v.Is<int64_t>(); }
bool IsFloat(Runtime&, const Value& v, const Value&) { return v.Is<double>(); }
bool IsNumber(Runtime&, const Value& v, const Value&) { return AsNumber(v).has_value(); }
bool IsString(Runtime&, const Value& v, const Value&) { return v.text() != nullptr; }
bool IsMapping(Runtime&, const Value& v, const Value&) { return v.dict() != nullptr; }
bool IsIterable(Runtime& r, const Value& v, const Value& none) {
  return v.loop() != nullptr || IsSequence(r, v, none);
}
bool IsCallable(Runtime&, const Value& v, const Value&) {
  return v.method() != nullptr || v.Is<const Macro*>() || v.Is<Function>();
}
bool IsIn(Runtime& r, const Value& v, const Value& container) { return Contains(r, container, v); }
bool IsUpper(Runtime&, const Value& v, const Value&) { return IsCase(v, LetterCase::kUpper); }
bool IsLower(Runtime&, const Value& v, const Value&) { return IsCase(v, LetterCase::kLower); }
bool IsFilter(Runtime&, const Value& v, const Value&) {
  return v.text() != nullptr && FindFilter(v.text()->bytes()) != nullptr;
}

constexpr Test kTests[] = {{"!=", Compare<Operator::kNotEqual>, true},
                           {"<", Compare<Operator::kLess>, true},
                           {"<=", Compare<Operator::kLessEqual>, true},
                           {"==", Compare<Operator::kEqual>, true},
                           {">", Compare<Operator::kGreater>, true},
                           {">=", Compare<Operator::kGreaterEqual>, true},
                           {"boolean", IsBoolean},
                           {"callable", IsCallable},
                           {"defined", IsDefined},
                           {"divisibleby", IsDivisible, true},
                           {"eq", Compare<Operator::kEqual>, true},
                           {"equalto", Compare<Operator::kEqual>, true},
                           {"even", IsEven},
                           {"false", IsFalse},
                           {"filter", IsFilter},
                           {"float", IsFloat},
                           {"ge", Compare<Operator::kGreaterEqual>, true},
                           {"greaterthan", Compare<Operator::kGreater>, true},
                           {"gt", Compare<Operator::kGreater>, true},
                           {"in", IsIn, true},
                           {"integer", IsInteger},
                           {"iterable", IsIterable},
                           {"le", Compare<Operator::kLessEqual>, true},
                           {"lessthan", Compare<Operator::kLess>, true},
                           {"lower", IsLower},
                           {"lt", Compare<Operator::kLess>, true},
                           {"mapping", IsMapping},
                           {"ne", Compare<Operator::kNotEqual>, true},
                           {"none", IsNone},
                           {"number", IsNumber},
                           {"odd", IsOdd},
                           {"sameas", IsSame, true},
                           {"sequence", IsSequence},
                           {"string", IsString},
                           {"true", IsTrue},
                           {"undefined", IsUndefined},
                           {"upper", IsUpper}};

}  // namespace

bool Test::Holds(Runtime& run, const Value& input, const Arguments& arguments) const {
  const size_t expected = takes_argument ? 1 : 0;
  if (arguments.positional.size() != expected || !arguments.named.empty()) {
    run.Fail(fmt::format("is {}: expected {} arguments, found {}", name, expected,
                         arguments.positional.size() + arguments.named.size()));
  }
  const size_t letters = input.text() == nullptr ? 0 : input.text()->size();
  if (!run.Spend(1 + letters / 64)) return false;
  return function(run, input, takes_argument ? arguments.positional.front() : Value());
}

const Test* FindTest(std::string_view name) {
  const auto* found = std::find_if(std::begin(kTests), std::end(kTests),
                                   [&](const Test& test) { return test.name == name; });
  return found == std::end(kTests) ? nullptr : found;
}

}  // namespace emptor::engine::jinja

// Expressions and calls.
#include <algorithm>
#include <array>

#include "engine/jinja/date.h"
#include "engine/jinja/filters.h"
#include "engine/jinja/methods.h"
#include "engine/jinja/operations.h"
#include "engine/jinja/renderer.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

constexpr int64_t kMaxRange = 100'000;  // of Jinja's sandbox

Value MakeRange(Runtime& run, const Arguments& arguments) {
  std::array<int64_t, 3> bounds = {0, 0, 1};
  const size_t given = arguments.positional.size();
  if (given < 1 || given > 3 || !arguments.named.empty()) {
    return run.Fail("range: expected one to three integers");
  }
  for (size_t i = 0; i < given; ++i) {
    const std::optional<int64_t> bound = AsInteger(arguments.positional[i]);
    if (!bound) return run.Fail("range: expected integers");
    bounds[given == 1 ? 1 : i] = *bound;
  }
  const auto [start, stop, step] = bounds;
  if (step == 0) return run.Fail("range: the step is zero");
  std::vector<Value> items;
  for (int64_t at = start; step > 0 ? at < stop : at > stop;) {
    items.emplace_back(at);
    if (static_cast<int64_t>(items.size()) > kMaxRange) {
      return run.Fail(fmt::format("range: more than {} numbers", kMaxRange));
    }
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return run.NewList(std::move(items));
}

void PutEntry(Runtime& run, std::vector<std::pair<Value, Value>>& entries, Value key, Value value) {
  for (auto& [known, old] : entries) {
    if (run.failed()) return;
    if (Equal(run, known, key)) {
      old = std::move(value);
      return;
    }
  }
  entries.emplace_back(std::move(key), std::move(value));
}

/// dict(mapping, name=value, ...)
Value MakeDict(Runtime& run, const Arguments& arguments) {
  std::vector<std::pair<Value, Value>> entries;
  if (arguments.positional.size() > 1) return run.Fail("dict: expected at most one mapping");
  if (!arguments.positional.empty()) {
    const Dict* given = arguments.positional.front().dict();
    if (given == nullptr) return run.Fail("dict: expected a mapping");
    if (!run.SpendBytes(given->entries.size() * 2 * sizeof(Value))) return {};
    entries = given->entries;
  }
  for (const auto& [name, value] : arguments.named) {
    PutEntry(run, entries, Value(Text(name)), value);
  }
  return run.NewDict(std::move(entries));
}

}  // namespace

Value Renderer::Evaluate(const Expression& expression) {
  if (!run_.Spend() || !Enter()) return {};
  run_.set_line(expression.line);
  Value value = EvaluateNode(expression);
  Leave();
  return value;
}

Value Renderer::EvaluateNode(const Expression& e) {
  using Kind = Expression::Kind;
  switch (e.kind) {
    case Kind::kLiteral:
      return e.value;
    case Kind::kName:
      return Find(e.name);
    case Kind::kList:
    case Kind::kTuple:
      return run_.NewList(EvaluateAll(e.parts, 0), e.kind == Kind::kTuple);
    case Kind::kDict:
      return EvaluateDict(e);
    case Kind::kAttribute: {
      const Value object = Evaluate(*e.parts[0]);
      return run_.failed() ? Value() : GetAttribute(run_, object, e.name);
    }
    case Kind::kItem: {
      const Value object = Evaluate(*e.parts[0]);
      const Value key = Evaluate(*e.parts[1]);
      return run_.failed() ? Value() : GetItem(run_, object, key);
    }
    case Kind::kSlice:
      return EvaluateSlice(e);
    case Kind::kCall:
      return EvaluateCall(e);
    case Kind::kFilter: {
      const Value input = Evaluate(*e.parts[0]);
      const Arguments arguments = EvaluateArguments(e);
      return run_.failed() ? Value() : e.filter->Call(run_, input, arguments);
    }
    case Kind::kTest: {
      const Value input = Evaluate(*e.parts[0]);
      const Arguments arguments = EvaluateArguments(e);
      return run_.failed() ? Value() : Value(e.test->Holds(run_, input, arguments));
    }
    case Kind::kNegative: {
      const Value operand = Evaluate(*e.parts[0]);
      return run_.failed() ? Value() : Negate(run_, operand);
    }
    case Kind::kNot:
      return Value(!Truth(Evaluate(*e.parts[0])));
    case Kind::kAnd:
    case Kind::kOr:
      return EvaluateLogic(e);
    case Kind::kArithmetic: {
      const Value left = Evaluate(*e.parts[0]);
      const Value right = Evaluate(*e.parts[1]);
      return run_.failed() ? Value() : Apply(run_, e.operators.front(), left, right);
    }
    case Kind::kComparison:
      return EvaluateComparison(e);
    case Kind::kConcatenate:
      return EvaluateConcatenation(e);
    case Kind::kConditional:
      return EvaluateConditional(e);
  }
  return {};
}

std::vector<Value> Renderer::EvaluateAll(const std::vector<ExpressionPtr>& parts, size_t from) {
  std::vector<Value> values;
  for (size_t i = from; i < parts.size() && !run_.failed(); ++i) {
    values.push_back(Evaluate(*parts[i]));
  }
  return values;
}

Value Renderer::EvaluateDict(const Expression& e) {
  std::vector<std::pair<Value, Value>> entries;
  for (size_t i = 0; i + 1 < e.parts.size() && !run_.failed(); i += 2) {
    Value key = Evaluate(*e.parts[i]);
    if (key.dict() != nullptr || (key.list() != nullptr && !key.list()->tuple)) {
      return run_.Fail(fmt::format("{} cannot be a key", key.KindName()));
    }
    PutEntry(run_, entries, std::move(key), Evaluate(*e.parts[i + 1]));
  }
  return run_.NewDict(std::move(entries));
}

Value Renderer::EvaluateLogic(const Expression& e) {
  Value value;
  for (const ExpressionPtr& part : e.parts) {
    value = Evaluate(*part);
    if (run_.failed() || Truth(value) == (e.kind == Expression::Kind::kOr)) break;
  }
  return value;
}

Value Renderer::EvaluateComparison(const Expression& e) {
  Value left = Evaluate(*e.parts[0]);
  Value result(true);
  for (size_t i = 0; i < e.operators.size(); ++i) {
    Value right = Evaluate(*e.parts[i + 1]);
    if (run_.failed()) return {};
    result = Apply(run_, e.operators[i], left, right);
    if (!Truth(result)) break;
    left = std::move(right);
  }
  return result;
}

Value Renderer::EvaluateConcatenation(const Expression& e) {
  Text joined;
  for (const ExpressionPtr& part : e.parts) {
    const Text piece = ToText(run_, Evaluate(*part));
    if (!run_.SpendBytes(piece.weight())) return {};
    joined.Append(piece);
  }
  return run_.NewText(std::move(joined));
}

Value Renderer::EvaluateConditional(const Expression& e) {
  const bool holds = Truth(Evaluate(*e.parts[0]));
  if (run_.failed()) return {};
  if (holds) return Evaluate(*e.parts[1]);
  if (e.parts.size() > 2) return Evaluate(*e.parts[2]);
  return Value(Undefined{"the inline if has no else"});
}

Value Renderer::EvaluateSlice(const Expression& e) {
  const std::vector<Value> values = EvaluateAll(e.parts, 0);
  if (run_.failed()) return {};
  return GetSlice(run_, values[0], values[1], values[2], values[3]);
}

Arguments Renderer::EvaluateArguments(const Expression& e) {
  Arguments arguments;
  arguments.positional = EvaluateAll(e.parts, 1);
  for (const auto& [name, part] : e.named) {
    arguments.named.emplace_back(name, Evaluate(*part));
  }
  return arguments;
}

Value Renderer::EvaluateCall(const Expression& e) {
  const Value callee = Evaluate(*e.parts[0]);
  const Arguments arguments = EvaluateArguments(e);
  if (run_.failed()) return {};
  run_.set_line(e.line);
  if (const Method* method = callee.method()) return CallMethod(run_, *method, arguments);
  if (const auto* macro = callee.Get<const Macro*>()) return CallMacro(**macro, arguments);
  if (const auto* function = callee.Get<Function>()) return CallFunction(*function, arguments);
  if (const auto* undefined = callee.Get<Undefined>()) return run_.Fail(undefined->what);
  return run_.Fail(fmt::format("{} cannot be called", callee.KindName()));
}

Value Renderer::CallMacro(const Macro& macro, const Arguments& arguments) {
  const std::vector<std::string_view> names(macro.parameters.begin(), macro.parameters.end());
  if (!arguments.Fit(run_, macro.name, names)) return {};
  // A macro sees its arguments and the template's own variables, not those of its caller.
  auto callers = std::exchange(scopes_, {});
  scopes_.emplace_back();
  const size_t required = macro.parameters.size() - macro.defaults.size();
  for (size_t i = 0; i < macro.parameters.size(); ++i) {
    const std::string& name = macro.parameters[i];
    const Value* given = arguments.Find(i, name);
    Value value(Undefined{fmt::format("parameter {:?} was not provided", name)});
    if (given != nullptr) {
      value = *given;
    } else if (i >= required) {
      value = Evaluate(*macro.defaults[i - required]);
    }
    scopes_.back().emplace_back(name, std::move(value));
  }
  Variables scope = std::move(scopes_.back());
  scopes_.clear();
  Value written = run_.failed() ? Value() : Capture(macro.body, std::move(scope));
  scopes_ = std::move(callers);
  return written;
}

Value Renderer::MakeNamespace(const Arguments& arguments) {
  auto made = std::make_unique<Namespace>();
  if (arguments.positional.size() > 1) return run_.Fail("namespace: expected at most one mapping");
  if (!run_.SpendBytes(sizeof(Namespace) + 64)) return {};
  const auto put = [&](std::string_view name, const Value& value) {
    const auto known = std::find_if(made->members.begin(), made->members.end(),
                                    [&](const auto& member) { return member.first == name; });
    if (known != made->members.end()) {
      known->second = value;
    } else if (run_.Spend(1 + made->members.size() / 4) && run_.SpendBytes(64 + name.size())) {
      made->members.emplace_back(name, value);
    }
  };
  if (!arguments.positional.empty()) {
    const Dict* given = arguments.positional.front().dict();
    if (given == nullptr) return run_.Fail("namespace: expected a mapping");
    for (const auto& [key, value] : given->entries) {
      if (key.text() == nullptr) return run_.Fail("namespace: expected names as keys");
      put(key.text()->bytes(), value);
    }
  }
  for (const auto& [name, value] : arguments.named) put(name, value);
  namespaces_.push_back(std::move(made));
  return Value(namespaces_.back().get());
}

Value Renderer::CallFunction(Function function, const Arguments& arguments) {
  switch (function) {
    case Function::kRange:
      return MakeRange(run_, arguments);
    case Function::kNamespace:
      return MakeNamespace(arguments);
    case Function::kDict:
      return MakeDict(run_, arguments);
    case Function::kRaiseException: {
      if (!arguments.Fit(run_, "raise_exception", {"message"})) return {};
      const Value* message = arguments.Find(0, "message");
      const Text text = message == nullptr ? Text() : ToText(run_, *message);
      return run_.Fail(fmt::format("the chat template refuses: {}",
                                   std::string_view(text.bytes()).substr(0, 1000)));
    }
    case Function::kStrftimeNow: {
      if (!arguments.Fit(run_, "strftime_now", {"format"})) return {};
      const Value* format = arguments.Find(0, "format");
      if (format == nullptr || format->text() == nullptr) {
        return run_.Fail("strftime_now: expected a format");
      }
      const Text& wanted = *format->text();
      absl::StatusOr<std::string> date = FormatDate(run_.now(), wanted.bytes());
      if (!date.ok()) return run_.Fail(std::string(date.status().message()));
      const auto is_content = [](const Text::Run& r) { return r.origin == Origin::kContent; };
      const bool content = std::any_of(wanted.runs().begin(), wanted.runs().end(), is_content);
      return run_.NewText(Text(*std::move(date), content ? Origin::kContent : Origin::kMarkup));
    }
  }
  return {};
}

}  // namespace emptor::engine::jinja

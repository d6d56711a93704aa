// Runs the tree of a template.
#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/jinja/runtime.h"
#include "engine/jinja/syntax.h"

namespace emptor::engine::jinja {

using Variables = std::vector<std::pair<std::string, Value>>;

/// One rendering. Names are looked up in the scopes from the innermost outwards, then among the
/// variables of the template, then among the functions. Thread-safety: one thread.
class Renderer {
 public:
  Renderer(const Limits& limits, std::time_t now, Variables variables);

  void Render(const Body& body) { Execute(body); }
  bool failed() const { return run_.failed(); }
  const std::string& error() const { return run_.error(); }
  Text TakeOutput() { return std::move(*output_); }

 private:
  enum class Flow { kNext, kBreak, kContinue };

  Flow Execute(const Body& body);
  Flow Execute(const Statement& statement);
  Flow ExecuteIf(const Statement& statement);
  void ExecuteFor(const Statement& statement);
  bool ExecuteTurn(const Statement& statement, std::shared_ptr<const List> items, size_t index);
  void ExecuteSet(const Statement& statement);
  void ExecuteSetBlock(const Statement& statement);
  /// What the body writes, in a scope of its own.
  Value Capture(const Body& body, Variables scope);
  void Write(const Text& text);
  void Assign(const Target& target, const Value& value);
  void SetVariable(const std::string& name, Value value);
  /// The variable of that name in the scope, or null. Scopes of many names cost steps.
  Value* FindIn(Variables& scope, std::string_view name);
  Value Find(const std::string& name);
  /// One node more is at work, until Leave; fails, and counts none, beyond max_depth.
  bool Enter();
  void Leave() { --depth_; }

  Value Evaluate(const Expression& expression);
  Value EvaluateNode(const Expression& expression);
  Value EvaluateDict(const Expression& expression);
  Value EvaluateLogic(const Expression& expression);
  Value EvaluateComparison(const Expression& expression);
  Value EvaluateConcatenation(const Expression& expression);
  Value EvaluateConditional(const Expression& expression);
  Value EvaluateSlice(const Expression& expression);
  Value EvaluateCall(const Expression& expression);
  std::vector<Value> EvaluateAll(const std::vector<ExpressionPtr>& parts, size_t from);
  Arguments EvaluateArguments(const Expression& expression);
  Value CallMacro(const Macro& macro, const Arguments& arguments);
  Value CallFunction(Function function, const Arguments& arguments);
  Value MakeNamespace(const Arguments& arguments);

  Runtime run_;
  Variables globals_;
  std::vector<Variables> scopes_;  // within the template's own
  std::vector<std::unique_ptr<Namespace>> namespaces_;
  std::unique_ptr<Text> output_ = std::make_unique<Text>();
  int depth_ = 0;  // expressions and bodies at work
};

}  // namespace emptor::engine::jinja

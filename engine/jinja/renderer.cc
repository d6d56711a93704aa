// Statements and the scopes of names.
#include "engine/jinja/renderer.h"

#include <algorithm>

#include "engine/jinja/operations.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
Renderer::Renderer(const Limits& limits, std::time_t now, Variables variables)
    : run_(limits, now), globals_(std::move(variables)) {}

void Renderer::Write(const Text& text) {
  const size_t limit = run_.limits().max_output_bytes;
  if (output_->size() + text.size() > limit) {
    run_.Fail(fmt::format("writes more than {} bytes", limit));
  }
  if (run_.SpendBytes(text.weight())) output_->Append(text);
}

bool Renderer::Enter() {
  if (depth_ >= run_.limits().max_depth) {
    run_.Fail(fmt::format("nested deeper than {}", run_.limits().max_depth));
    return false;
  }
  ++depth_;
  return true;
}

Value* Renderer::FindIn(Variables& scope, std::string_view name) {
  run_.Spend(scope.size() / 64);
  const auto found = std::find_if(scope.begin(), scope.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == scope.end() ? nullptr : &found->second;
}

Value Renderer::Find(const std::string& name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const Value* value = FindIn(*scope, name)) return *value;
  }
  if (const Value* value = FindIn(globals_, name)) return *value;
  if (name == "range") return Value(Function::kRange);
  if (name == "namespace") return Value(Function::kNamespace);
  if (name == "dict") return Value(Function::kDict);
  if (name == "raise_exception") return Value(Function::kRaiseException);
  if (name == "strftime_now") return Value(Function::kStrftimeNow);
  return Value(Undefined{fmt::format("{} is undefined", Quote(name))});
}

void Renderer::SetVariable(const std::string& name, Value value) {
  Variables& scope = scopes_.empty() ? globals_ : scopes_.back();
  if (Value* known = FindIn(scope, name)) {
    *known = std::move(value);
  } else if (run_.SpendBytes(sizeof(Value) + name.size() + 32)) {
    scope.emplace_back(name, std::move(value));
  }
}

void Renderer::Assign(const Target& target, const Value& value) {
  if (!target.member.empty()) {
    const Value object = Find(target.names.front());
    const auto* found = object.Get<Namespace*>();
    if (found == nullptr) {
      run_.Fail(fmt::format("{}.{}: cannot assign to a member of {}", target.names.front(),
                            target.member, object.KindName()));
      return;
    }
    Variables& members = (*found)->members;
    if (Value* known = FindIn(members, target.member)) {
      *known = value;
    } else if (run_.SpendBytes(sizeof(Value) + target.member.size() + 32)) {
      members.emplace_back(target.member, value);
    }
    return;
  }
  if (!target.tuple) return SetVariable(target.names.front(), value);
  const auto items = Iterate(run_, value);
  if (!items) return;
  if (items->size() != target.names.size()) {
    run_.Fail(
        fmt::format("expected {} values to unpack, found {}", target.names.size(), items->size()));
    return;
  }
  for (size_t i = 0; i < items->size(); ++i) SetVariable(target.names[i], (*items)[i]);
}

Renderer::Flow Renderer::Execute(const Body& body) {
  if (!Enter()) return Flow::kNext;
  Flow flow = Flow::kNext;
  for (size_t i = 0; i < body.size() && flow == Flow::kNext && !run_.failed(); ++i) {
    flow = Execute(*body[i]);
  }
  Leave();
  return flow;
}

Renderer::Flow Renderer::Execute(const Statement& statement) {
  run_.set_line(statement.line);
  if (!run_.Spend()) return Flow::kNext;
  using Kind = Statement::Kind;
  switch (statement.kind) {
    case Kind::kText:
      Write(Text(statement.text));
      return Flow::kNext;
    case Kind::kOutput:
      Write(ToText(run_, Evaluate(*statement.expressions.front())));
      return Flow::kNext;
    case Kind::kIf:
      return ExecuteIf(statement);
    case Kind::kFor:
      ExecuteFor(statement);
      return Flow::kNext;
    case Kind::kSet:
      ExecuteSet(statement);
      return Flow::kNext;
    case Kind::kSetBlock:
      ExecuteSetBlock(statement);
      return Flow::kNext;
    case Kind::kMacro:
      SetVariable(statement.macro->name, Value(statement.macro.get()));
      return Flow::kNext;
    case Kind::kScope:
      scopes_.emplace_back();
      Execute(statement.bodies.front());
      scopes_.pop_back();
      return Flow::kNext;
    case Kind::kBreak:
      return Flow::kBreak;
    case Kind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNext;
}

Renderer::Flow Renderer::ExecuteIf(const Statement& statement) {
  for (size_t i = 0; i < statement.expressions.size(); ++i) {
    const bool holds = Truth(Evaluate(*statement.expressions[i]));
    if (run_.failed()) return Flow::kNext;
    if (holds) return Execute(statement.bodies[i]);
  }
  const bool has_else = statement.bodies.size() > statement.expressions.size();
  return has_else ? Execute(statement.bodies.back()) : Flow::kNext;
}

bool Renderer::ExecuteTurn(const Statement& statement, std::shared_ptr<const List> items,
                           size_t index) {
  const Value item = items->items[index];
  scopes_.emplace_back();
  auto loop = std::make_shared<const Loop>(Loop{std::move(items), index});
  scopes_.back().emplace_back("loop", Value(std::move(loop)));
  Assign(statement.target, item);
  const Flow flow = Execute(statement.bodies.front());
  scopes_.pop_back();
  return flow != Flow::kBreak && !run_.failed();
}

void Renderer::ExecuteFor(const Statement& statement) {
  const Value iterated = Evaluate(*statement.expressions.front());
  auto items = run_.failed() ? std::nullopt : Iterate(run_, iterated);
  if (!items) return;
  if (statement.expressions.size() > 1) {
    std::vector<Value> kept;
    for (const Value& item : *items) {
      scopes_.emplace_back();
      Assign(statement.target, item);
      const bool keep = Truth(Evaluate(*statement.expressions[1]));
      scopes_.pop_back();
      if (run_.failed()) return;
      if (keep) kept.push_back(item);
    }
    items = std::move(kept);
  }
  const Value list = run_.NewList(std::move(*items));
  const auto* shared = list.Get<std::shared_ptr<const List>>();
  if (shared == nullptr) return;
  if ((*shared)->items.empty()) {
    if (statement.bodies.size() > 1) {
      scopes_.emplace_back();
      Execute(statement.bodies.back());
      scopes_.pop_back();
    }
    return;
  }
  for (size_t i = 0; i < (*shared)->items.size(); ++i) {
    if (!run_.Spend() || !ExecuteTurn(statement, *shared, i)) break;
  }
}

void Renderer::ExecuteSet(const Statement& statement) {
  const Value value = Evaluate(*statement.expressions.front());
  if (!run_.failed()) Assign(statement.target, value);
}

Value Renderer::Capture(const Body& body, Variables scope) {
  scopes_.push_back(std::move(scope));
  auto outer = std::exchange(output_, std::make_unique<Text>());
  Execute(body);
  outer.swap(output_);
  scopes_.pop_back();
  return run_.NewText(std::move(*outer));
}

void Renderer::ExecuteSetBlock(const Statement& statement) {
  Value value = Capture(statement.bodies.front(), {});
  if (!statement.expressions.empty()) {
    // The filters apply to the name "", which no template can write.
    scopes_.push_back({{"", std::move(value)}});
    value = Evaluate(*statement.expressions.front());
    scopes_.pop_back();
  }
  if (!run_.failed()) Assign(statement.target, value);
}

}  // namespace emptor::engine::jinja

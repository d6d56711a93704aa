// The tree of a parsed template.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/jinja/filters.h"
#include "engine/jinja/operations.h"
#include "engine/jinja/value.h"

namespace emptor::engine::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

struct Expression {
  enum class Kind : uint8_t {
    kLiteral,      // value
    kName,         // name
    kList,         // parts
    kTuple,        // parts
    kDict,         // parts: key, value, key, value
    kAttribute,    // parts[0].name
    kItem,         // parts[0][parts[1]]
    kSlice,        // parts[0][parts[1]:parts[2]:parts[3]]
    kCall,         // parts[0](parts[1]..., named)
    kFilter,       // parts[0] | filter(parts[1]..., named)
    kTest,         // parts[0] is test(parts[1]..., named)
    kNegative,     // -parts[0]
    kNot,          // not parts[0]
    kAnd,          // parts, left to right
    kOr,           // parts, left to right
    kArithmetic,   // parts[0] operators[0] parts[1]
    kComparison,   // parts[0] operators[0] parts[1] operators[1] parts[2] ...
    kConcatenate,  // parts ~ ...
    kConditional   // parts[1] if parts[0] else parts[2]; the third may be missing
  };
  Kind kind = Kind::kLiteral;
  int line = 1;
  int depth = 1;  // of the tree below, this node counted
  Value value;
  std::string name;
  std::vector<Operator> operators;
  std::vector<ExpressionPtr> parts;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
  const Filter* filter = nullptr;
  const Test* test = nullptr;
};

struct Statement;
using Body = std::vector<std::unique_ptr<const Statement>>;

/// What `set` and `for` write to: a name, a member of a namespace, or a tuple of names.
struct Target {
  std::vector<std::string> names;
  bool tuple = false;
  std::string member;  // with one name: names[0].member
};

struct Macro {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<ExpressionPtr> defaults;  // of the last parameters
  Body body;
};

struct Statement {
  enum class Kind : uint8_t {
    kText,      // text
    kOutput,    // expressions[0]
    kIf,        // expressions[i] guards bodies[i]; a body more is the else
    kFor,       // target in expressions[0] [if expressions[1]]; bodies[0], else bodies[1]
    kSet,       // target = expressions[0]
    kSetBlock,  // target = bodies[0], through filters (expressions over the name "")
    kMacro,     // macro
    kScope,     // bodies[0] in a scope of its own
    kBreak,
    kContinue
  };
  Kind kind = Kind::kText;
  int line = 1;
  std::string text;
  Target target;
  std::vector<ExpressionPtr> expressions;
  std::vector<Body> bodies;
  std::unique_ptr<const Macro> macro;
};

}  // namespace emptor::engine::jinja

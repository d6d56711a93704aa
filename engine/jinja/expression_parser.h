// Expressions: precedence as in Jinja.
#pragma once

#include "engine/jinja/syntax.h"
#include "engine/jinja/token_stream.h"

namespace emptor::engine::jinja {

/// Reads expressions off a token stream. After an error, which the stream keeps, what it gives may
/// only be destroyed. Lifetime: within the stream's.
class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, int max_nesting)
      : tokens_(tokens), max_nesting_(max_nesting) {}

  /// `a if b else c`, or what binds tighter.
  ExpressionPtr ParseConditional();
  /// Without an `if` of its own: what stands behind `in` of a loop.
  ExpressionPtr ParseOr();
  /// One expression, or several with commas: a tuple.
  ExpressionPtr ParseTuple(bool conditional = true);
  /// `| name(...) | ...` behind an expression that was read already.
  ExpressionPtr ParseFilters(ExpressionPtr input);
  ExpressionPtr MakeName(std::string name);

 private:
  using Kind = Expression::Kind;
  using Make = std::unique_ptr<Expression>;

  Make New(Kind kind) const;
  ExpressionPtr Finish(Make expression);
  ExpressionPtr Literal(Value value);
  ExpressionPtr Dull();

  ExpressionPtr ParseAnd();
  ExpressionPtr ParseNot();
  ExpressionPtr ParseComparison();
  ExpressionPtr ParseSum();
  ExpressionPtr ParseConcatenation();
  ExpressionPtr ParseProduct();
  ExpressionPtr ParseUnary(bool with_filters);
  ExpressionPtr ParsePrimary();
  ExpressionPtr ParseNameOrConstant();
  ExpressionPtr ParseNumber();
  ExpressionPtr ParseParenthesis();
  ExpressionPtr ParseList();
  ExpressionPtr ParseDict();
  /// Members, items and calls; and filters and tests, with calls behind them.
  ExpressionPtr ParsePostfix(ExpressionPtr operand, bool with_filters);
  ExpressionPtr ParseAttribute(ExpressionPtr operand);
  ExpressionPtr ParseSubscript(ExpressionPtr operand);
  ExpressionPtr ParseTest(ExpressionPtr operand);
  ExpressionPtr ParseCall(ExpressionPtr operand);
  void ParseArguments(Expression& call);

  TokenStream& tokens_;
  const int max_nesting_;
  int nesting_ = 0;
};

}  // namespace emptor::engine::jinja

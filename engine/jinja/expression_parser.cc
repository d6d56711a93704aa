// Recursive descent; chains of equal operators are loops.
#include "engine/jinja/expression_parser.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

constexpr size_t kMaxArguments = 64;

std::optional<Operator> ComparisonOf(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return std::nullopt;
  if (token.text == "==") return Operator::kEqual;
  if (token.text == "!=") return Operator::kNotEqual;
  if (token.text == "<") return Operator::kLess;
  if (token.text == "<=") return Operator::kLessEqual;
  if (token.text == ">") return Operator::kGreater;
  if (token.text == ">=") return Operator::kGreaterEqual;
  return std::nullopt;
}

std::optional<Operator> ProductOf(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return std::nullopt;
  if (token.text == "*") return Operator::kMultiply;
  if (token.text == "/") return Operator::kDivide;
  if (token.text == "//") return Operator::kFloorDivide;
  if (token.text == "%") return Operator::kModulo;
  return std::nullopt;
}

}  // namespace

ExpressionParser::Make ExpressionParser::New(Kind kind) const {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->line = tokens_.line();
  return expression;
}

ExpressionPtr ExpressionParser::Finish(Make expression) {
  for (const ExpressionPtr& part : expression->parts) {
    expression->depth = std::max(expression->depth, part->depth + 1);
  }
  for (const auto& [name, part] : expression->named) {
    expression->depth = std::max(expression->depth, part->depth + 1);
  }
  if (expression->depth > max_nesting_) {
    tokens_.Fail(fmt::format("expressions nested deeper than {}", max_nesting_));
  }
  return expression;
}

ExpressionPtr ExpressionParser::Literal(Value value) {
  Make literal = New(Kind::kLiteral);
  literal->value = std::move(value);
  return literal;
}

ExpressionPtr ExpressionParser::Dull() { return Literal(Value()); }

ExpressionPtr ExpressionParser::MakeName(std::string name) {
  Make expression = New(Kind::kName);
  expression->name = std::move(name);
  return expression;
}

ExpressionPtr ExpressionParser::ParseConditional() {
  if (++nesting_ > max_nesting_) {
    tokens_.Fail(fmt::format("expressions nested deeper than {}", max_nesting_));
  }
  ExpressionPtr value = tokens_.failed() ? Dull() : ParseOr();
  while (tokens_.SkipName("if")) {
    Make conditional = New(Kind::kConditional);
    conditional->parts.push_back(ParseOr());
    conditional->parts.push_back(std::move(value));
    if (tokens_.SkipName("else")) conditional->parts.push_back(ParseConditional());
    value = Finish(std::move(conditional));
  }
  --nesting_;
  return value;
}

ExpressionPtr ExpressionParser::ParseTuple(bool conditional) {
  const auto parse = [&] { return conditional ? ParseConditional() : ParseOr(); };
  ExpressionPtr first = parse();
  if (!tokens_.IsSymbol(",")) return first;
  Make tuple = New(Kind::kTuple);
  tuple->parts.push_back(std::move(first));
  while (tokens_.SkipSymbol(",")) {
    const TokenKind kind = tokens_.Peek().kind;
    if (kind == TokenKind::kOutputEnd || kind == TokenKind::kBlockEnd || tokens_.IsSymbol(")")) {
      break;
    }
    tuple->parts.push_back(parse());
  }
  return Finish(std::move(tuple));
}

ExpressionPtr ExpressionParser::ParseOr() {
  ExpressionPtr first = ParseAnd();
  if (!tokens_.IsName("or")) return first;
  Make any = New(Kind::kOr);
  any->parts.push_back(std::move(first));
  while (tokens_.SkipName("or")) any->parts.push_back(ParseAnd());
  return Finish(std::move(any));
}

ExpressionPtr ExpressionParser::ParseAnd() {
  ExpressionPtr first = ParseNot();
  if (!tokens_.IsName("and")) return first;
  Make all = New(Kind::kAnd);
  all->parts.push_back(std::move(first));
  while (tokens_.SkipName("and")) all->parts.push_back(ParseNot());
  return Finish(std::move(all));
}

ExpressionPtr ExpressionParser::ParseNot() {
  if (!tokens_.IsName("not")) return ParseComparison();
  bool negated = false;
  Make negation = New(Kind::kNot);
  while (tokens_.SkipName("not")) negated = !negated;
  ExpressionPtr operand = ParseComparison();
  if (!negated) {
    // An even number of them: still a boolean.
    Make inner = New(Kind::kNot);
    inner->parts.push_back(std::move(operand));
    operand = Finish(std::move(inner));
  }
  negation->parts.push_back(std::move(operand));
  return Finish(std::move(negation));
}

ExpressionPtr ExpressionParser::ParseComparison() {
  ExpressionPtr first = ParseSum();
  Make chain = New(Kind::kComparison);
  while (!tokens_.failed()) {
    std::optional<Operator> op = ComparisonOf(tokens_.Peek());
    if (op) {
      tokens_.Take();
    } else if (tokens_.SkipName("in")) {
      op = Operator::kIn;
    } else if (tokens_.IsName("not") && tokens_.NextIsName("in")) {
      tokens_.Take();
      tokens_.Take();
      op = Operator::kNotIn;
    } else {
      break;
    }
    chain->operators.push_back(*op);
    chain->parts.push_back(ParseSum());
  }
  if (chain->operators.empty()) return first;
  chain->parts.insert(chain->parts.begin(), std::move(first));
  return Finish(std::move(chain));
}

ExpressionPtr ExpressionParser::ParseSum() {
  ExpressionPtr left = ParseConcatenation();
  while (tokens_.IsSymbol("+") || tokens_.IsSymbol("-")) {
    Make sum = New(Kind::kArithmetic);
    sum->operators = {tokens_.Take().text == "+" ? Operator::kAdd : Operator::kSubtract};
    sum->parts.push_back(std::move(left));
    sum->parts.push_back(ParseConcatenation());
    left = Finish(std::move(sum));
  }
  return left;
}

ExpressionPtr ExpressionParser::ParseConcatenation() {
  ExpressionPtr first = ParseProduct();
  if (!tokens_.IsSymbol("~")) return first;
  Make joined = New(Kind::kConcatenate);
  joined->parts.push_back(std::move(first));
  while (tokens_.SkipSymbol("~")) joined->parts.push_back(ParseProduct());
  return Finish(std::move(joined));
}

ExpressionPtr ExpressionParser::ParseProduct() {
  ExpressionPtr left = ParseUnary(true);
  while (const std::optional<Operator> op = ProductOf(tokens_.Peek())) {
    Make product = New(Kind::kArithmetic);
    tokens_.Take();
    product->operators = {*op};
    product->parts.push_back(std::move(left));
    product->parts.push_back(ParseUnary(true));
    left = Finish(std::move(product));
  }
  if (tokens_.IsSymbol("**")) tokens_.Fail("** is not supported");
  return left;
}

ExpressionPtr ExpressionParser::ParseUnary(bool with_filters) {
  ExpressionPtr operand;
  if (tokens_.IsSymbol("-") || tokens_.IsSymbol("+")) {
    const bool negative = tokens_.Take().text == "-";
    if (++nesting_ > max_nesting_) tokens_.Fail("too many signs in a row");
    operand = tokens_.failed() ? Dull() : ParseUnary(false);
    --nesting_;
    Make sign = New(negative ? Kind::kNegative : Kind::kArithmetic);
    if (!negative) {
      // +x is 0 + x: it fails for anything but a number.
      sign->operators = {Operator::kAdd};
      sign->parts.push_back(Literal(Value(int64_t{0})));
    }
    sign->parts.push_back(std::move(operand));
    operand = Finish(std::move(sign));
  } else {
    operand = ParsePrimary();
  }
  return ParsePostfix(std::move(operand), with_filters);
}

ExpressionPtr ExpressionParser::ParsePrimary() {
  switch (tokens_.Peek().kind) {
    case TokenKind::kName:
      return ParseNameOrConstant();
    case TokenKind::kInteger:
    case TokenKind::kReal:
      return ParseNumber();
    case TokenKind::kString: {
      std::string text;
      while (tokens_.Peek().kind == TokenKind::kString) text += tokens_.Take().text;
      return Literal(Value(Text(std::move(text), Origin::kMarkup)));
    }
    default:
      if (tokens_.IsSymbol("(")) return ParseParenthesis();
      if (tokens_.IsSymbol("[")) return ParseList();
      if (tokens_.IsSymbol("{")) return ParseDict();
      tokens_.Fail("expected an expression");
      return Dull();
  }
}

ExpressionPtr ExpressionParser::ParseNameOrConstant() {
  const std::string name = tokens_.Take().text;
  if (name == "true" || name == "True") return Literal(Value(true));
  if (name == "false" || name == "False") return Literal(Value(false));
  if (name == "none" || name == "None") return Literal(Value(None{}));
  return MakeName(name);
}

ExpressionPtr ExpressionParser::ParseNumber() {
  const Token token = tokens_.Take();
  const char* end = token.text.data() + token.text.size();
  if (token.kind == TokenKind::kReal) {
    double real = 0;
    if (std::from_chars(token.text.data(), end, real).ec != std::errc()) {
      tokens_.Fail("a number that no double holds");
    }
    return Literal(Value(real));
  }
  int64_t integer = 0;
  const auto [stop, error] = std::from_chars(token.text.data(), end, integer);
  if (error != std::errc() || stop != end) tokens_.Fail("a number beyond 64 bits");
  return Literal(Value(integer));
}

ExpressionPtr ExpressionParser::ParseParenthesis() {
  tokens_.ExpectSymbol("(");
  if (tokens_.SkipSymbol(")")) return Finish(New(Kind::kTuple));
  ExpressionPtr inner = ParseTuple();
  tokens_.ExpectSymbol(")");
  return inner;
}

ExpressionPtr ExpressionParser::ParseList() {
  Make list = New(Kind::kList);
  tokens_.ExpectSymbol("[");
  while (!tokens_.failed() && !tokens_.IsSymbol("]")) {
    list->parts.push_back(ParseConditional());
    if (!tokens_.SkipSymbol(",")) break;
  }
  tokens_.ExpectSymbol("]");
  return Finish(std::move(list));
}

ExpressionPtr ExpressionParser::ParseDict() {
  Make dict = New(Kind::kDict);
  tokens_.ExpectSymbol("{");
  while (!tokens_.failed() && !tokens_.IsSymbol("}")) {
    dict->parts.push_back(ParseConditional());
    tokens_.ExpectSymbol(":");
    dict->parts.push_back(ParseConditional());
    if (!tokens_.SkipSymbol(",")) break;
  }
  tokens_.ExpectSymbol("}");
  return Finish(std::move(dict));
}

ExpressionPtr ExpressionParser::ParsePostfix(ExpressionPtr operand, bool with_filters) {
  bool with_members = true;  // none behind a filter or test
  while (!tokens_.failed()) {
    if (tokens_.IsSymbol("(")) {
      operand = ParseCall(std::move(operand));
    } else if (with_members && tokens_.IsSymbol(".")) {
      operand = ParseAttribute(std::move(operand));
    } else if (with_members && tokens_.IsSymbol("[")) {
      operand = ParseSubscript(std::move(operand));
    } else if (with_filters && tokens_.IsSymbol("|")) {
      operand = ParseFilters(std::move(operand));
      with_members = false;
    } else if (with_filters && tokens_.IsName("is")) {
      operand = ParseTest(std::move(operand));
      with_members = false;
    } else {
      break;
    }
  }
  return operand;
}

ExpressionPtr ExpressionParser::ParseAttribute(ExpressionPtr operand) {
  tokens_.ExpectSymbol(".");
  if (tokens_.Peek().kind == TokenKind::kInteger) {
    Make item = New(Kind::kItem);
    item->parts.push_back(std::move(operand));
    item->parts.push_back(ParseNumber());
    return Finish(std::move(item));
  }
  Make attribute = New(Kind::kAttribute);
  attribute->name = tokens_.ExpectAnyName();
  attribute->parts.push_back(std::move(operand));
  return Finish(std::move(attribute));
}

ExpressionPtr ExpressionParser::ParseSubscript(ExpressionPtr operand) {
  tokens_.ExpectSymbol("[");
  const auto bound = [&] {
    const bool absent = tokens_.IsSymbol(":") || tokens_.IsSymbol("]");
    return absent ? Literal(Value(None{})) : ParseConditional();
  };
  Make item = New(Kind::kItem);
  item->parts.push_back(std::move(operand));
  if (tokens_.IsSymbol("]")) tokens_.Fail("expected an item between [ and ]");
  item->parts.push_back(bound());
  if (tokens_.SkipSymbol(":")) {
    item->kind = Kind::kSlice;
    item->parts.push_back(bound());
    item->parts.push_back(tokens_.SkipSymbol(":") ? bound() : Literal(Value(None{})));
  }
  tokens_.ExpectSymbol("]");
  return Finish(std::move(item));
}

ExpressionPtr ExpressionParser::ParseFilters(ExpressionPtr input) {
  while (tokens_.SkipSymbol("|")) {
    Make call = New(Kind::kFilter);
    call->parts.push_back(std::move(input));
    const std::string name = tokens_.ExpectAnyName();
    call->filter = FindFilter(name);
    if (call->filter == nullptr) tokens_.Fail(fmt::format("unknown filter {:?}", name));
    if (tokens_.IsSymbol("(")) ParseArguments(*call);
    input = Finish(std::move(call));
  }
  return input;
}

ExpressionPtr ExpressionParser::ParseTest(ExpressionPtr operand) {
  tokens_.ExpectName("is");
  const bool negated = tokens_.SkipName("not");
  Make call = New(Kind::kTest);
  call->parts.push_back(std::move(operand));
  const std::string name = tokens_.ExpectAnyName();
  call->test = FindTest(name);
  if (call->test == nullptr) tokens_.Fail(fmt::format("unknown test {:?}", name));
  const TokenKind kind = tokens_.Peek().kind;
  const bool word = kind == TokenKind::kName && !tokens_.IsName("else") && !tokens_.IsName("or") &&
                    !tokens_.IsName("and") && !tokens_.IsName("if") && !tokens_.IsName("is") &&
                    !tokens_.IsName("not") && !tokens_.IsName("in");
  const bool literal = kind == TokenKind::kString || kind == TokenKind::kInteger ||
                       kind == TokenKind::kReal || tokens_.IsSymbol("[") || tokens_.IsSymbol("{");
  if (tokens_.IsSymbol("(")) {
    ParseArguments(*call);
  } else if (word || literal) {
    call->parts.push_back(ParsePostfix(ParsePrimary(), false));
  }
  ExpressionPtr test = Finish(std::move(call));
  if (!negated) return test;
  Make negation = New(Kind::kNot);
  negation->parts.push_back(std::move(test));
  return Finish(std::move(negation));
}

ExpressionPtr ExpressionParser::ParseCall(ExpressionPtr operand) {
  Make call = New(Kind::kCall);
  call->parts.push_back(std::move(operand));
  ParseArguments(*call);
  return Finish(std::move(call));
}

void ExpressionParser::ParseArguments(Expression& call) {
  tokens_.ExpectSymbol("(");
  while (!tokens_.failed() && !tokens_.IsSymbol(")")) {
    if (tokens_.IsSymbol("*") || tokens_.IsSymbol("**")) {
      return tokens_.Fail("arguments out of a list or mapping (* or **) are not supported");
    }
    ExpressionPtr argument = ParseConditional();
    const bool named = tokens_.IsSymbol("=") && argument->kind == Kind::kName;
    if (named) {
      tokens_.Take();
      call.named.emplace_back(argument->name, ParseConditional());
    } else if (!call.named.empty()) {
      return tokens_.Fail("an argument without a name after one with a name");
    } else {
      call.parts.push_back(std::move(argument));
    }
    if (call.parts.size() + call.named.size() > kMaxArguments) {
      return tokens_.Fail(fmt::format("more than {} arguments", kMaxArguments));
    }
    if (!tokens_.SkipSymbol(",")) break;
  }
  tokens_.ExpectSymbol(")");
}

}  // namespace emptor::engine::jinja

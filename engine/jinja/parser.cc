// Statements by recursive descent.
#include "engine/jinja/parser.h"

#include <algorithm>
#include <initializer_list>

#include "engine/jinja/expression_parser.h"
#include "engine/jinja/token_stream.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

class Parser {
 public:
  Parser(std::vector<Token> tokens, const Limits& limits)
      : tokens_(std::move(tokens)),
        expressions_(tokens_, limits.max_nesting),
        max_nesting_(limits.max_nesting) {}

  absl::StatusOr<Body> Run() {
    Body body = ParseBody({});
    if (tokens_.failed()) return absl::InvalidArgumentError(tokens_.error());
    return body;
  }

 private:
  using Kind = Statement::Kind;
  using Make = std::unique_ptr<Statement>;
  using Names = std::initializer_list<std::string_view>;

  Make New(Kind kind) const {
    auto statement = std::make_unique<Statement>();
    statement->kind = kind;
    statement->line = tokens_.line();
    return statement;
  }

  /// Statements up to the block that begins with one of `ends`, whose name is the next token then;
  /// or up to the end of the template when `ends` is empty.
  Body ParseBody(Names ends) {
    Body body;
    if (++nesting_ > max_nesting_) {
      tokens_.Fail(fmt::format("statements nested deeper than {}", max_nesting_));
    }
    while (!tokens_.AtEnd()) {
      const Token token = tokens_.Take();
      if (token.kind == TokenKind::kText) {
        Make text = New(Kind::kText);
        text->text = token.text;
        body.push_back(std::move(text));
      } else if (token.kind == TokenKind::kOutputBegin) {
        Make output = New(Kind::kOutput);
        output->expressions.push_back(expressions_.ParseTuple());
        tokens_.Expect(TokenKind::kOutputEnd);
        body.push_back(std::move(output));
      } else {
        const auto is_next = [this](std::string_view name) { return tokens_.IsName(name); };
        if (std::any_of(ends.begin(), ends.end(), is_next)) break;
        ParseBlock(body);
      }
    }
    if (tokens_.AtEnd() && ends.size() > 0) {
      tokens_.Fail(fmt::format("expected {{% {} %}} before the end", *(ends.end() - 1)));
    }
    --nesting_;
    return body;
  }

  /// One statement, from after its {% to after its last %}.
  void ParseBlock(Body& body) {
    const std::string name = tokens_.ExpectAnyName();
    if (name == "if") {
      body.push_back(ParseIf());
    } else if (name == "for") {
      body.push_back(ParseFor());
    } else if (name == "set") {
      body.push_back(ParseSet());
    } else if (name == "macro") {
      body.push_back(ParseMacro());
    } else if (name == "generation") {
      Make scope = New(Kind::kScope);
      tokens_.Expect(TokenKind::kBlockEnd);
      scope->bodies.push_back(ParseClosed("endgeneration"));
      EndBlock("endgeneration");
      body.push_back(std::move(scope));
    } else if (name == "break" || name == "continue") {
      if (loops_ == 0) tokens_.Fail(fmt::format("{} outside of a loop", name));
      body.push_back(New(name == "break" ? Kind::kBreak : Kind::kContinue));
      tokens_.Expect(TokenKind::kBlockEnd);
    } else if (!tokens_.failed()) {
      tokens_.Fail(fmt::format("the block {:?} is unknown or not supported", name));
    }
  }

  void EndBlock(std::string_view name) {
    tokens_.ExpectName(name);
    tokens_.Expect(TokenKind::kBlockEnd);
  }

  /// A body that no break leaves and in which no macro is defined.
  Body ParseClosed(std::string_view end) {
    const int loops = std::exchange(loops_, 0);
    ++closed_;
    Body body = ParseBody({end});
    --closed_;
    loops_ = loops;
    return body;
  }

  Make ParseIf() {
    Make branches = New(Kind::kIf);
    do {
      branches->expressions.push_back(expressions_.ParseTuple());
      tokens_.Expect(TokenKind::kBlockEnd);
      branches->bodies.push_back(ParseBody({"elif", "else", "endif"}));
    } while (tokens_.SkipName("elif"));
    if (tokens_.SkipName("else")) {
      tokens_.Expect(TokenKind::kBlockEnd);
      branches->bodies.push_back(ParseBody({"endif"}));
    }
    EndBlock("endif");
    return branches;
  }

  Make ParseFor() {
    Make loop = New(Kind::kFor);
    loop->target = ParseTarget(false);
    tokens_.ExpectName("in");
    loop->expressions.push_back(expressions_.ParseTuple(false));
    if (tokens_.SkipName("if")) loop->expressions.push_back(expressions_.ParseConditional());
    if (tokens_.IsName("recursive")) tokens_.Fail("recursive loops are not supported");
    tokens_.Expect(TokenKind::kBlockEnd);
    ++loops_;
    ++closed_;
    loop->bodies.push_back(ParseBody({"else", "endfor"}));
    --loops_;
    if (tokens_.SkipName("else")) {
      tokens_.Expect(TokenKind::kBlockEnd);
      loop->bodies.push_back(ParseBody({"endfor"}));
    }
    --closed_;
    EndBlock("endfor");
    return loop;
  }

  Target ParseTarget(bool with_member) {
    Target target;
    const bool parenthesis = tokens_.SkipSymbol("(");
    target.names.push_back(TargetName());
    if (with_member && tokens_.SkipSymbol(".")) target.member = tokens_.ExpectAnyName();
    while (target.member.empty() && tokens_.SkipSymbol(",")) {
      target.tuple = true;
      if (tokens_.Peek().kind != TokenKind::kName || tokens_.IsName("in")) break;
      target.names.push_back(TargetName());
    }
    if (parenthesis) tokens_.ExpectSymbol(")");
    return target;
  }

  std::string TargetName() {
    std::string name = tokens_.ExpectAnyName();
    constexpr std::string_view kReserved[] = {"true", "false", "none", "True", "False", "None"};
    if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) {
      tokens_.Fail(fmt::format("cannot assign to {}", name));
    }
    return name;
  }

  Make ParseSet() {
    Make set = New(Kind::kSet);
    set->target = ParseTarget(true);
    if (tokens_.SkipSymbol("=")) {
      set->expressions.push_back(expressions_.ParseTuple());
      tokens_.Expect(TokenKind::kBlockEnd);
      return set;
    }
    set->kind = Kind::kSetBlock;
    if (set->target.tuple) tokens_.Fail("a set block with several names");
    if (tokens_.IsSymbol("|")) {
      set->expressions.push_back(expressions_.ParseFilters(expressions_.MakeName("")));
    }
    tokens_.Expect(TokenKind::kBlockEnd);
    set->bodies.push_back(ParseClosed("endset"));
    EndBlock("endset");
    return set;
  }

  Make ParseMacro() {
    Make statement = New(Kind::kMacro);
    if (closed_ > 0) tokens_.Fail("a macro within a loop, macro or block is not supported");
    auto macro = std::make_unique<Macro>();
    macro->name = TargetName();
    tokens_.ExpectSymbol("(");
    while (!tokens_.failed() && !tokens_.IsSymbol(")")) {
      macro->parameters.push_back(TargetName());
      if (tokens_.SkipSymbol("=")) {
        macro->defaults.push_back(expressions_.ParseConditional());
      } else if (!macro->defaults.empty()) {
        tokens_.Fail("a parameter without a default after one with a default");
      }
      if (!tokens_.SkipSymbol(",")) break;
    }
    tokens_.ExpectSymbol(")");
    tokens_.Expect(TokenKind::kBlockEnd);
    macro->body = ParseClosed("endmacro");
    EndBlock("endmacro");
    statement->macro = std::move(macro);
    return statement;
  }

  TokenStream tokens_;
  ExpressionParser expressions_;
  const int max_nesting_;
  int nesting_ = 0;
  int loops_ = 0;   // around this place, within the innermost closed body
  int closed_ = 0;  // loops, macros and blocks around this place
};

}  // namespace

absl::StatusOr<Body> ParseTemplate(std::string_view source, const Limits& limits) {
  if (source.size() > limits.max_template_bytes) {
    return absl::InvalidArgumentError(fmt::format("expected at most {} bytes, found {}",
                                                  limits.max_template_bytes, source.size()));
  }
  absl::StatusOr<std::vector<Token>> tokens = Tokenize(source);
  if (!tokens.ok()) return tokens.status();
  return Parser(std::move(*tokens), limits).Run();
}

}  // namespace emptor::engine::jinja

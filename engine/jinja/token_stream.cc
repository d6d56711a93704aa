// Looking at and taking tokens.
#include "engine/jinja/token_stream.h"

#include "fmt/format.h"

namespace emptor::engine::jinja {

Token TokenStream::Take() {
  Token token = Peek();
  if (!AtEnd()) ++at_;
  return token;
}

bool TokenStream::IsSymbol(std::string_view symbol) const {
  return Peek().kind == TokenKind::kSymbol && Peek().text == symbol;
}

bool TokenStream::IsName(std::string_view name) const {
  return Peek().kind == TokenKind::kName && Peek().text == name;
}

bool TokenStream::SkipSymbol(std::string_view symbol) {
  const bool is = IsSymbol(symbol);
  if (is) ++at_;
  return is;
}

bool TokenStream::SkipName(std::string_view name) {
  const bool is = IsName(name);
  if (is) ++at_;
  return is;
}

void TokenStream::ExpectSymbol(std::string_view symbol) {
  if (!SkipSymbol(symbol)) Fail(fmt::format("expected {}, found {}", symbol, Describe()));
}

void TokenStream::ExpectName(std::string_view name) {
  if (!SkipName(name)) Fail(fmt::format("expected {}, found {}", name, Describe()));
}

void TokenStream::Expect(TokenKind kind) {
  if (Peek().kind != kind) return Fail(fmt::format("unexpected {}", Describe()));
  Take();
}

std::string TokenStream::ExpectAnyName() {
  if (Peek().kind == TokenKind::kName) return Take().text;
  Fail(fmt::format("expected a name, found {}", Describe()));
  return "";
}

bool TokenStream::NextIsName(std::string_view name) const {
  if (AtEnd()) return false;
  const Token& next = tokens_[at_ + 1];
  return next.kind == TokenKind::kName && next.text == name;
}

void TokenStream::Fail(std::string_view what) {
  if (error_.empty()) error_ = fmt::format("line {}: {}", line(), what);
  at_ = tokens_.size() - 1;
}

std::string TokenStream::Describe() const {
  switch (Peek().kind) {
    case TokenKind::kOutputEnd:
      return "}}";
    case TokenKind::kBlockEnd:
      return "%}";
    case TokenKind::kOutputBegin:
      return "{{";
    case TokenKind::kBlockBegin:
      return "{%";
    case TokenKind::kText:
      return "text";
    case TokenKind::kEnd:
      return "the end of the template";
    default:
      return fmt::format("{:?}", std::string_view(Peek().text).substr(0, 40));
  }
}

}  // namespace emptor::engine::jinja

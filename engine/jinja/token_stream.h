// The parser's view of a template's tokens, and its first error.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/jinja/lexer.h"

namespace emptor::engine::jinja {

/// After an error the stream is at its end for good, so that every loop over it ends.
/// Invariant: the last token is kEnd.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& Peek() const { return tokens_[at_]; }
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  int line() const { return Peek().line; }
  Token Take();

  bool IsSymbol(std::string_view symbol) const;
  bool IsName(std::string_view name) const;
  /// Steps over it where it is there.
  bool SkipSymbol(std::string_view symbol);
  bool SkipName(std::string_view name);
  /// Fails where it is not there.
  void ExpectSymbol(std::string_view symbol);
  void ExpectName(std::string_view name);
  void Expect(TokenKind kind);
  std::string ExpectAnyName();
  /// Whether the name behind the coming token is `name`.
  bool NextIsName(std::string_view name) const;

  void Fail(std::string_view what);
  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  std::string Describe() const;

  std::vector<Token> tokens_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace emptor::engine::jinja

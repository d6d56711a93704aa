// Prints the events of an answer to a terminal.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"

namespace emptor::services {

/// Cards with link and image first, then the text as it comes, then what it rests on.
/// Thread-safety: none.
class AnswerPrinter {
 public:
  /// `write` gets text to show. `base_url` precedes links to product pages.
  AnswerPrinter(std::string base_url, std::function<void(std::string_view)> write);

  void OnEvent(std::string_view name, const catalog::JsonValue& data);
  /// True once `done` came.
  bool done() const { return done_; }

 private:
  void ShowProducts(const catalog::JsonValue& data);
  void ShowSources(const catalog::JsonValue& data);

  const std::string base_url_;
  const std::function<void(std::string_view)> write_;
  std::string citations_;
  bool done_ = false;
};

/// The answer's Markdown as plain text: a link is its label and the address in parentheses.
std::string PlainMarkdown(std::string_view text, std::string_view base_url);

/// One card as lines of text.
std::string CardLines(const catalog::JsonValue& item);

}  // namespace emptor::services

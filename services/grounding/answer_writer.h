// Collects an answer. Blanks, line breaks and list marks are written once text follows them.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// Collects Markdown. Thread-safety: none.
class AnswerWriter {
 public:
  void Blank() { blank_ = true; }
  void LineBreak();
  /// "- " or "1. ": shown only with the text that follows it.
  void Bullet(std::string_view mark) { bullet_ = mark; }
  void Text(std::string_view text);
  /// Adds a blank before the mark if text precedes it.
  void Cite(int n);
  /// Something was dropped here: a blank before a full stop is dropped as well.
  void Gap() { gap_ = true; }

  /// Returns what was written since the last call.
  std::string Take();
  /// True when nothing was ever written.
  bool empty() const { return !any_; }

 private:
  std::string text_;
  std::string bullet_;
  int line_breaks_ = 0;
  bool blank_ = false;
  bool gap_ = false;
  bool any_ = false;
};

}  // namespace emptor::services

// Whitespace is pending until text follows.
#include "services/grounding/answer_writer.h"

#include <algorithm>
#include <utility>

namespace emptor::services {

void AnswerWriter::LineBreak() {
  line_breaks_ = std::min(line_breaks_ + 1, 2);
  blank_ = false;
  bullet_.clear();
}

void AnswerWriter::Text(std::string_view text) {
  if (text.empty()) return;
  if (any_ && line_breaks_ > 0) text_.append(static_cast<size_t>(line_breaks_), '\n');
  const bool is_mark = std::string_view(".,;:!?)").find(text[0]) != std::string_view::npos;
  const bool eats_blank = gap_ && is_mark;
  if (any_ && line_breaks_ == 0 && blank_ && !eats_blank && bullet_.empty()) text_ += ' ';
  text_ += std::exchange(bullet_, {});
  text_ += text;
  line_breaks_ = 0;
  blank_ = gap_ = false;
  any_ = true;
}

void AnswerWriter::Cite(int n) {
  blank_ = true;
  gap_ = false;
  Text("[" + std::to_string(n) + "]");
}

std::string AnswerWriter::Take() { return std::exchange(text_, {}); }

}  // namespace emptor::services

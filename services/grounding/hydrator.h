// The last gate before the shopper: references become live facts, and whatever is not in the
// catalog does not leave.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/answer_lexer.h"
#include "services/grounding/citation.h"
#include "services/grounding/fact_renderer.h"

namespace emptor::services {

/// Safe text and the citations that belong to it, in this order.
struct HydratedText {
  std::string text;
  std::vector<Citation> citations;
};

struct HydratorStats {
  int references = 0;  // resolved, citations included
  int dropped = 0;     // spans and sentences that did not leave
  int replaced = 0;    // of these, told from the record instead
  std::array<int, kDropRules> by_rule{};
};

struct HydratorOptions {
  RenderOptions render;
  /// The shopper's words: a name from them may be denied ("we do not have Zorblax").
  std::string question;
};

/// Turns a model's text into what may be shown: a streaming filter of the rules of design 3.
/// - References are read from the live record when they are passed on; unknown ones are dropped.
/// - That nothing is within the shopper's amount passes only when no shown product is.
/// - Money, stock and ratings in free text never pass. Any other number or code passes only when
///   the source of its sentence holds it: the source named last before it, or else the one cited
///   next. A capitalised name passes only when a source holds it.
/// - What is dropped ends its sentence; the subject's own fact is told instead where there is one.
/// - No HTML, link, image or bracket of the model's leaves. The output is Markdown with [n], bold,
///   lists and links to /p/{id}, all of it written here.
/// Only a span in doubt is held back. The output does not depend on how the input was cut.
/// Thread-safety: none; one answer owns it.
class Hydrator {
 public:
  explicit Hydrator(HydratorOptions options);
  ~Hydrator();
  Hydrator(const Hydrator&) = delete;
  Hydrator& operator=(const Hydrator&) = delete;

  HydratedText Push(std::string_view text);
  /// The end of the model's text.
  HydratedText Finish();

  const HydratorStats& stats() const;
  /// True once a word of the model's or a fact has left.
  bool has_content() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services

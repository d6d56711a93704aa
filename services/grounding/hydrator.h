// The last filter before the shopper: replaces references by live facts and drops claims that the
// catalog does not support.
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
  int dropped = 0;     // spans and sentences that were dropped
  int replaced = 0;    // of these, replaced by the fact of the record
  std::array<int, kDropRules> by_rule{};
};

struct HydratorOptions {
  RenderOptions render;
  /// The shopper's words: the answer may deny a name in them ("we do not have Zorblax").
  std::string question;
};

/// Filters a model's text as it streams. The rules:
/// - References are rendered from the live record when they are passed on; unknown ones are
/// dropped.
/// - "Nothing is within your budget" passes only if it is true of the products shown.
/// - Money, stock and ratings in free text never pass. Any other number or code passes only if the
///   source of its sentence contains it: the source named last before it, else the one cited next.
///   A capitalised name passes only if a source contains it.
/// - A drop ends its sentence; the subject's fact is stated instead if there is one.
/// - No HTML, link, image or bracket of the model passes. The output is Markdown with [n], bold,
///   lists and links to /p/{id}, all of it written by the hydrator.
/// Only spans in doubt are held back. The output does not depend on how the input was cut.
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
  /// True once a word or a fact has been passed on.
  bool has_content() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services

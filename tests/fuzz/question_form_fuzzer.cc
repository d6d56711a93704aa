// Any bytes as two questions, a lexicon and a tuning: read or refused, and compared in bounds.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "retrieval/cache/faq_tuning.h"
#include "retrieval/cache/form_lexicon.h"
#include "retrieval/cache/question_text.h"
#include "retrieval/cache/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::retrieval;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t half = text.find('\n');
  const std::string_view asked = text.substr(0, half);
  const std::string_view known = half == std::string_view::npos ? text : text.substr(half + 1);
  const QuestionForm a = ReadQuestionForm(asked, ""), b = ReadQuestionForm(known, "de");
  const FormComparison compared = CompareForms(a, b);
  for (const double share : {compared.frame, compared.extra, compared.missing}) {
    if (!(share >= 0 && share <= 1)) std::abort();
  }
  // A question agrees with itself.
  if (!CompareForms(a, a).Contradiction().empty()) std::abort();
  if (ExactKey(ExactKey(asked)) != ExactKey(asked)) std::abort();
  ReadQuestionText(asked, Language::kFrench);
  if (const auto lexicon = FormLexicon::Parse(text); lexicon.ok()) {
    const FormTokens tokens = TokenizeForm(asked);
    for (size_t i = 0; i < tokens.tokens.size(); ++i) {
      lexicon->ForEachAt(tokens.tokens, i, [&](const FormSense&, size_t length) {
        if (i + length > tokens.tokens.size()) std::abort();
      });
    }
  }
  if (const auto tuning = ParseFaqTuning(text); tuning.ok()) {
    if (!ParseFaqTuning(WriteFaqTuning(*tuning)).ok()) std::abort();
  }
  return 0;
}

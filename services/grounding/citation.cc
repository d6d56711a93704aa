// Quotes from records.
#include "services/grounding/citation.h"

#include "services/grounding/product_names.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxQuoteBytes = 200;

}  // namespace

Citation MakeCitation(const FactRenderer& renderer, int n, const std::vector<Reference>& facts) {
  const Source& source = *renderer.source(n);
  Citation citation;
  citation.n = n + renderer.options().numbers_before;
  if (const catalog::Document* document = source.document()) {
    citation.passage_id = source.passage_id.empty() ? document->id + "#answer" : source.passage_id;
    const std::string text = PlainText(source.excerpt.empty() ? document->text : source.excerpt);
    citation.title = PlainText(document->title);
    citation.page = source.page;
    citation.quote = std::string(CutAtWord(text, kMaxQuoteBytes));
    if (const auto speaker = SpeakerOf(*document); !speaker.empty()) {
      citation.quote = std::string(renderer.formatter().Label(speaker)) + ": " + citation.quote;
    }
    return citation;
  }
  citation.product_id = source.id();
  for (const Reference& fact : facts) {
    if (fact.source != n || fact.field == "title" || fact.field == "link") continue;
    const bool is_attribute = fact.field == "attr";
    const std::string name = is_attribute ? fact.attribute : fact.field;
    const auto text = renderer.PlainFact(fact);
    if (!text) continue;
    // A number whose unit nobody knows says nothing as a quotation.
    if (is_attribute && IsRawNumber({name, *text})) continue;
    if (citation.passage_id.empty()) {
      citation.passage_id = source.id() + (is_attribute ? "#attr." : "#") + name;
    }
    if (!citation.quote.empty()) citation.quote += "; ";
    citation.quote += std::string(renderer.formatter().Label(name)) + ": " + *text;
  }
  if (citation.passage_id.empty()) citation.passage_id = source.id() + "#title";
  if (citation.quote.empty()) {
    citation.quote = renderer.PlainFact({n, "title", ""}).value_or("");
  }
  return citation;
}

}  // namespace emptor::services

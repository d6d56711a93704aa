// References become facts in the same words as in the assistant's answers.
#include "services/faq/faq_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "services/grounding/fact_renderer.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {
namespace {

using catalog::FaqReference;
using retrieval::FaqDecision;

constexpr const char* kDefaultLocale = "en-US";
constexpr std::array<std::string_view, 7> kFields = {
    "title", "brand", "price", "was_price", "availability", "rating", "reviews"};

/// A fact, or why there is none.
struct Fact {
  std::string text;
  std::string missing;
};

absl::StatusOr<Fact> FactOfProduct(const ShopReader& shop, const FaqReference& reference,
                                   const FaqFill& fill) {
  auto product = shop.FindProduct(reference.id);
  if (!product.ok()) return product.status();
  if (!*product) return Fact{"", "no such product"};
  RenderOptions options;
  options.sources.push_back({**std::move(product), 1});
  options.now_unix = [now = fill.now_unix] { return now; };
  options.locale = fill.locale.empty() ? kDefaultLocale : fill.locale;
  options.market = fill.market;
  Reference fact{.source = 1, .field = "title", .attribute = ""};
  if (std::find(kFields.begin(), kFields.end(), reference.field) != kFields.end()) {
    fact.field = reference.field;
  } else if (!reference.field.empty()) {
    fact.field = "attr";
    fact.attribute = reference.field;
  }
  const FactRenderer renderer(std::move(options));
  auto text = renderer.PlainFact(fact);
  if (text) return Fact{*std::move(text), ""};
  return Fact{"", fmt::format("the product states no {}",
                              reference.field.empty() ? "title" : reference.field)};
}

absl::StatusOr<Fact> FactOf(const ShopReader& shop, const FaqReference& reference,
                            const FaqFill& fill) {
  if (reference.kind == FaqReference::Kind::kProduct) return FactOfProduct(shop, reference, fill);
  auto document = shop.FindDocument(reference.id);
  if (!document.ok()) return document.status();
  if (!*document) return Fact{"", "no such document"};
  return Fact{(*document)->title, ""};
}

/// Calls `take` for each piece of an answer.
template <typename Take>
absl::Status ForEachPart(const ShopReader& shop, std::string_view answer, const FaqFill& fill,
                         const Take& take) {
  const auto parts = catalog::ParseFaqAnswer(answer);
  if (!parts.ok()) return parts.status();
  for (const catalog::FaqAnswerPart& part : *parts) {
    if (!part.reference) {
      take(part, Fact{part.text, ""});
      continue;
    }
    const auto fact = FactOf(shop, *part.reference, fill);
    if (!fact.ok()) return fact.status();
    take(part, *fact);
  }
  return absl::OkStatus();
}

}  // namespace

std::string_view ToString(FaqDecision decision) {
  constexpr std::string_view kNames[] = {"hit", "unsure", "none"};
  return kNames[static_cast<size_t>(decision)];
}

absl::StatusOr<std::string> FillFaqAnswer(const ShopReader& shop, std::string_view answer,
                                          const FaqFill& fill) {
  std::string text, missing;
  absl::Status status =
      ForEachPart(shop, answer, fill, [&](const catalog::FaqAnswerPart& part, const Fact& fact) {
        text += fact.text;
        if (missing.empty() && !fact.missing.empty()) {
          missing = fmt::format("answer: {}: {}", catalog::ToString(*part.reference), fact.missing);
        }
      });
  if (!status.ok()) return status;
  if (!missing.empty()) return absl::NotFoundError(missing);
  return text;
}

absl::StatusOr<std::string> MissingFact(const ShopReader& shop, const FaqReference& reference,
                                        int64_t now_unix) {
  const auto fact = FactOf(shop, reference, {.now_unix = now_unix});
  if (!fact.ok()) return fact.status();
  return fact->missing;
}

absl::StatusOr<std::vector<std::string>> BrokenReferences(const ShopReader& shop,
                                                          std::string_view answer,
                                                          int64_t now_unix) {
  std::vector<std::string> broken;
  absl::Status status = ForEachPart(
      shop, answer, {.now_unix = now_unix},
      [&](const catalog::FaqAnswerPart& part, const Fact& fact) {
        if (fact.missing.empty()) return;
        broken.push_back(fmt::format("{}: {}", catalog::ToString(*part.reference), fact.missing));
      });
  if (!status.ok()) return status;
  return broken;
}

absl::StatusOr<FaqReply> LookUpFaq(const ShopReader& shop, const FaqQuestion& question) {
  const retrieval::FaqAnswer found =
      shop.faq().Lookup(question.text, question.locale, question.now_unix);
  FaqReply reply;
  for (size_t i = 0; i < found.candidates.size(); ++i) {
    const retrieval::FaqCandidate& candidate = found.candidates[i];
    const auto record = shop.faq().Find(candidate.id, question.now_unix);
    if (!record.ok()) return record.status();
    if (!*record) continue;
    const catalog::FaqEntry& entry = (*record)->entry;
    // The entry may have changed since it was found: then it is no answer to this phrasing.
    const auto& asked = entry.questions;
    if (std::find(asked.begin(), asked.end(), candidate.phrasing) == asked.end()) continue;
    auto answer = FillFaqAnswer(shop, entry.answer,
                                {.locale = question.locale.empty() ? entry.locale : question.locale,
                                 .market = question.market,
                                 .now_unix = question.now_unix});
    if (absl::IsNotFound(answer.status())) {
      ++reply.broken;
      continue;
    }
    if (!answer.ok()) return answer.status();
    if (i > 0 || found.decision != FaqDecision::kHit) {
      reply.alternatives.push_back({candidate.id, candidate.phrasing, candidate.confidence});
      continue;
    }
    reply.decision = FaqDecision::kHit;
    reply.id = candidate.id;
    reply.question = candidate.phrasing;
    reply.answer = *std::move(answer);
    reply.locale = entry.locale;
    reply.link = (*record)->link;
    reply.is_document = (*record)->is_document;
    reply.is_exact = found.exact;
    reply.confidence = candidate.confidence;
  }
  const bool is_unsure = reply.decision != FaqDecision::kHit && !reply.alternatives.empty();
  if (is_unsure) reply.decision = FaqDecision::kUnsure;
  return reply;
}

}  // namespace emptor::services

// Products first, then the pages.
#include "services/grounding/claims.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/grounding/claim_clause.h"
#include "services/grounding/claim_evaluation.h"
#include "services/grounding/claim_parser.h"
#include "services/grounding/claim_policy.h"
#include "services/grounding/claim_record.h"

namespace emptor::services {

std::string_view ToString(ClaimRule rule) {
  constexpr std::array<std::string_view, kClaimRules> kNames = {
      "none", "reference", "name",   "number",     "value",  "comparison",  "stock",
      "sale", "polarity",  "denial", "quantifier", "policy", "unknown_word"};
  return kNames[static_cast<size_t>(rule)];
}

struct ClaimChecker::Impl {
  ClaimSources sources;
  ClaimNames names;
  std::vector<int> numbers;  // source number of each record
  std::vector<ClaimPage> pages;
  std::vector<ClaimClause> question;

  /// A citation of a document, or words about no product.
  bool IsOfPages(const std::vector<ClaimClause>& clauses) const {
    for (const ClaimClause& clause : clauses) {
      for (const ClaimItem& item : clause.items) {
        if (item.kind == ClaimItem::Kind::kProduct) return false;
      }
    }
    return !pages.empty();
  }

  /// "The kettle is in stock, and standard delivery takes 3 to 5 days": a page states the second.
  void DropClausesOfPages(std::vector<ClaimClause>& clauses) const {
    bool is_joined = false;
    std::erase_if(clauses, [&](const ClaimClause& clause) {
      // Not of a clause that follows from another one: "since it costs $58, ...".
      const bool follows = std::exchange(is_joined, clause.items.back().Has(ClaimRole::kAnd) ||
                                                        clause.items.back().Has(ClaimRole::kBut));
      if (!follows) return false;
      const bool is_of_product =
          std::any_of(clause.items.begin(), clause.items.end(), [](const ClaimItem& item) {
            return item.kind == ClaimItem::Kind::kProduct || item.Has(ClaimRole::kPronoun) ||
                   item.Has(ClaimRole::kAll) || item.Has(ClaimRole::kBoth);
          });
      return !is_of_product && clause.Has(ClaimRole::kConcept) &&
             PagesEntailClause(clause.tokens, sources.language, pages);
    });
  }

  /// A question or an offer states nothing, as long as it names nothing.
  bool IsOffer(std::string_view sentence, const std::vector<ClaimClause>& clauses) const {
    bool offers = sentence.ends_with('?') || sentence.ends_with("？");
    for (const ClaimClause& clause : clauses) {
      for (const ClaimItem& item : clause.items) {
        offers = offers || item.Has(ClaimRole::kOffer);
        const bool states = item.kind == ClaimItem::Kind::kNumber ||
                            item.kind == ClaimItem::Kind::kProduct ||
                            item.kind == ClaimItem::Kind::kSource ||
                            (item.kind == ClaimItem::Kind::kWord && item.is_capitalized);
        if (states) return false;
      }
    }
    return offers;
  }

  bool CitesKnown(const std::vector<ClaimClause>& clauses) const {
    for (const ClaimClause& clause : clauses) {
      for (const ClaimItem& item : clause.items) {
        const bool is_source = item.kind == ClaimItem::Kind::kSource;
        const bool is_known =
            item.source >= 1 && item.source <= static_cast<int>(sources.sources.size());
        if (is_source && !is_known) return false;
      }
    }
    return true;
  }
};

ClaimChecker::ClaimChecker(ClaimSources sources) {
  auto impl = std::make_unique<Impl>();
  impl->sources = std::move(sources);
  const ClaimSources& own = impl->sources;
  std::vector<ClaimRecord> records;
  for (size_t i = 0; i < own.sources.size(); ++i) {
    if (const catalog::Product* product = own.sources[i].product()) {
      records.push_back(ReadClaimRecord(*product, own.now_unix, own.market));
      impl->numbers.push_back(static_cast<int>(i) + 1);
    } else {
      impl->pages.push_back(ReadClaimPage(*own.sources[i].document()));
    }
  }
  impl->names = ReadClaimNames(std::move(records));
  impl->question = ParseClaimSentence(own.question, own.language, impl->names);
  impl_ = std::move(impl);
}

ClaimChecker::~ClaimChecker() = default;
ClaimChecker::ClaimChecker(ClaimChecker&&) noexcept = default;
ClaimChecker& ClaimChecker::operator=(ClaimChecker&&) noexcept = default;

ClaimVerdict ClaimChecker::Check(std::string_view sentence, int previous) const {
  auto clauses = ParseClaimSentence(sentence, impl_->sources.language, impl_->names);
  ClaimVerdict verdict;
  if (!impl_->CitesKnown(clauses)) {
    verdict.rule = ClaimRule::kReference;
    return verdict;
  }
  if (impl_->IsOffer(sentence, clauses)) {
    verdict.is_entailed = true;
    return verdict;
  }
  const bool of_pages = impl_->IsOfPages(clauses);
  if (of_pages && PagesEntail(sentence, impl_->sources.language, impl_->pages)) {
    verdict.is_entailed = true;
    return verdict;
  }
  ClaimContext context{impl_->names, impl_->sources.language, impl_->sources.rank, impl_->question,
                       impl_->numbers};
  const auto at = std::find(impl_->numbers.begin(), impl_->numbers.end(), previous);
  if (at != impl_->numbers.end()) {
    context.previous = static_cast<int>(at - impl_->numbers.begin());
  }
  if (!impl_->pages.empty()) impl_->DropClausesOfPages(clauses);
  verdict = EvaluateClaims(clauses, context);
  // Without products nothing but the pages can entail a claim.
  if (!impl_->names.records.empty()) return verdict;
  const bool states = std::any_of(clauses.begin(), clauses.end(), [](const ClaimClause& clause) {
    return std::any_of(clause.items.begin(), clause.items.end(), IsClaimItem);
  });
  if (verdict.is_entailed && !states) return verdict;
  verdict = {};
  verdict.rule = ClaimRule::kPolicy;
  verdict.claim = MissingFromPages(sentence, impl_->sources.language, impl_->pages);
  return verdict;
}

}  // namespace emptor::services

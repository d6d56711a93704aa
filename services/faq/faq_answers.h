// Answers of the FAQ: looked up, and filled from the records of the moment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_answer.h"
#include "catalog/product.h"
#include "retrieval/cache/faq_index.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// "hit", "unsure", "none".
std::string_view ToString(retrieval::FaqDecision decision);

struct FaqQuestion {
  std::string text;
  std::string locale = {};  // BCP 47; empty: not known
  catalog::Market market = {};
  int64_t now_unix = 0;
};

/// An entry that may be meant.
struct FaqAlternative {
  std::string id;
  std::string question;  // the phrasing that is nearest to what was asked
  double confidence = 0;
};

struct FaqReply {
  retrieval::FaqDecision decision = retrieval::FaqDecision::kNone;
  // Of a hit:
  std::string id;
  std::string question;  // the phrasing that is nearest; shown with the answer
  std::string answer;    // plain text, its references filled
  std::string locale;    // of the entry
  std::string link;      // of a document; may be empty
  bool is_document = false;
  bool is_exact = false;
  double confidence = 0;
  std::vector<FaqAlternative> alternatives;  // others that may be meant, best first
  size_t broken = 0;  // candidates left out because a reference of theirs cannot be filled
};

/// A hit whose references cannot be filled, or that is no longer valid, is not served: the others
/// are offered. Thread-safety: any thread. Errors: of the stores.
absl::StatusOr<FaqReply> LookUpFaq(const ShopReader& shop, const FaqQuestion& question);

/// How the records fill references.
struct FaqFill {
  std::string locale = {};  // in which money and numbers are written; empty: en-US
  catalog::Market market = {};
  int64_t now_unix = 0;
};

/// The answer with the facts that the records hold now. Errors: kNotFound names the reference that
/// cannot be filled; kInvalidArgument, of the store.
absl::StatusOr<std::string> FillFaqAnswer(const ShopReader& shop, std::string_view answer,
                                          const FaqFill& fill);

/// Why a reference cannot be filled: "no such product", "the product states no price"; empty: it
/// can be. Errors: of the store.
absl::StatusOr<std::string> MissingFact(const ShopReader& shop,
                                        const catalog::FaqReference& reference, int64_t now_unix);

/// Each reference of an answer that cannot be filled, with the reason. Errors: of the store.
absl::StatusOr<std::vector<std::string>> BrokenReferences(const ShopReader& shop,
                                                          std::string_view answer,
                                                          int64_t now_unix);

}  // namespace emptor::services

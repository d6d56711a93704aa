// The shop's documents that answer a question: FAQ entries, policies, guides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/grounding/source.h"
#include "services/shop/document_search.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// Best first. A question about a policy gets entries about its topics (policy_topics.h), where the
/// shop has any; else, unless `of_topic_only`, entries that share its words. Errors: those of the
/// search and the store.
absl::StatusOr<std::vector<DocumentHit>> FindDocumentHits(const ShopReader& shop,
                                                          const Understanding& understanding,
                                                          const std::string& question,
                                                          const std::string& locale, int limit,
                                                          bool of_topic_only);

/// FindDocumentHits in language `own`, where a question about a policy finds no entry of its topic
/// also in others; of at least one document. Errors: the same.
absl::StatusOr<std::vector<DocumentHit>> FindDocumentHitsFor(const ShopReader& shop,
                                                             const Understanding& understanding,
                                                             const std::string& question,
                                                             const std::string& own, int limit);

/// The language of the documents for who writes `language`: English ones, or those of any language
/// (empty), where the shop has none in it. Pure.
std::string LanguageOfDocuments(const ShopProfile& profile, const std::string& language);

/// The passage that was found, or the first one when the document has changed since.
Source SourceOf(const catalog::Document& document, const DocumentHit& found,
                const std::string& question);

/// The entry that is about the policy that `question` asks about; nothing where the shop has none.
/// Errors: those of the search and the store.
absl::StatusOr<std::optional<Source>> FindEntryAbout(const ShopReader& shop,
                                                     const std::string& question,
                                                     const std::string& locale);

/// FindEntryAbout where the question says a topic in so many words; nothing else is.
absl::StatusOr<std::optional<Source>> FindEntrySaid(const ShopReader& shop,
                                                    const std::string& question,
                                                    const std::string& locale);

/// The document that answers `question` best, in `language` or else in any; nothing when none does.
/// Errors: those of the search and the store.
absl::StatusOr<std::optional<Source>> FindDocumentOf(const ShopReader& shop,
                                                     const std::string& question,
                                                     const std::string& language);

}  // namespace emptor::services

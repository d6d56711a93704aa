// Parts of a comparison, each searched by itself.
#include "services/assistant/search/compared_products.h"

#include <algorithm>
#include <utility>

#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/search/named_products.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxCompared = 3;
constexpr size_t kMaxParts = 4;  // of a question that are searched for

/// The product of `from` that the part names, if it names one.
std::vector<Source> NamedBy(const std::string& part, Understanding asked,
                            std::vector<Source> from) {
  asked.intents = {Intent::kProductDetails};
  asked.referenced_products.clear();
  asked.filter = {};
  std::vector<Source> all = from;
  const bool is_named = FocusOnNamed(asked, part, from);
  if (is_named && from.size() == 1) return from;
  // "Compare it with the 50g": of all that was found, one has the code.
  const std::set<std::string> words = ContentWords(part);
  std::erase_if(all, [&](const Source& each) {
    const std::set<std::string> title = ContentWords(each.product()->title);
    return std::none_of(words.begin(), words.end(), [&](const std::string& word) {
      return IsModelCode(word) && title.contains(word);
    });
  });
  if (all.size() != 1) all.clear();
  return all;
}

}  // namespace

absl::StatusOr<std::vector<Source>> FindCompared(const ShopReader& shop,
                                                 const Understanding& understanding,
                                                 const std::string& question,
                                                 const std::vector<Source>& shown,
                                                 ProductSearchInput search) {
  std::vector<Source> compared;
  if (shown.size() == 1) compared = shown;
  std::vector<std::string> parts = SplitCompared(question);
  if (parts.size() + compared.size() < 2) return std::vector<Source>();
  if (parts.size() > kMaxParts) parts.resize(kMaxParts);
  for (const std::string& part : parts) {
    if (compared.size() == kMaxCompared) break;
    std::vector<Source> named = NamedBy(part, understanding, shown);
    if (named.empty()) {
      search.query = part;
      search.understood = {part, {.locale = understanding.filter.locale}};
      auto found = SearchProducts(shop, search);
      if (!found.ok()) return found.status();
      std::vector<Source> candidates;
      for (FoundProduct& each : found->items) {
        candidates.push_back({std::move(each.product), each.hit.score});
      }
      named = NamedBy(part, understanding, std::move(candidates));
    }
    const bool is_new =
        !named.empty() && std::none_of(compared.begin(), compared.end(), [&](const Source& each) {
          return each.id() == named.front().id();
        });
    if (is_new) compared.push_back(std::move(named.front()));
  }
  if (compared.size() < 2) compared.clear();
  return compared;
}

}  // namespace emptor::services

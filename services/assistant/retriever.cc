// Referenced products, the product search, focus on named products, documents.
#include "services/assistant/retriever.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "catalog/documents/passages.h"
#include "retrieval/query/query_tokens.h"
#include "services/assistant/attribute_binding.h"
#include "services/assistant/excerpt.h"
#include "services/assistant/prompt.h"
#include "services/grounding/fact_formatter.h"
#include "services/grounding/record_text.h"
#include "services/grounding/text_clean.h"
#include "services/shop/product_search.h"

namespace emptor::services {
namespace {

using retrieval::Hit;

constexpr double kNamed = 0.5;       // share of a title's words that names the product
constexpr double kClearly = 0.1;     // lead over the next one
constexpr int kSchemaProducts = 40;  // of a type, from which its attributes are learned
constexpr size_t kFirstWords = 60;   // bytes by which a sentence is found in its document

/// Words of a text, lower-case, without function words, as often as they occur.
std::vector<std::string> ContentTokens(std::string_view text) {
  static const std::set<std::string> kSmall = {
      "the",  "a",    "an", "of", "and", "with", "for", "in", "is",  "it",   "to", "how",
      "what", "does", "do", "by", "me",  "i",    "on",  "or", "you", "show", "are"};
  std::vector<std::string> words;
  for (const retrieval::QueryToken& token : retrieval::TokenizeQuery(CleanText(text))) {
    if (token.kind == retrieval::QueryToken::Kind::kPunctuation || kSmall.count(token.text) != 0)
      continue;
    words.push_back(token.text);
  }
  return words;
}

std::set<std::string> ContentWords(std::string_view text) {
  const std::vector<std::string> words = ContentTokens(text);
  return {words.begin(), words.end()};
}

/// Share of the title that the question names; codes count three times.
double Coverage(const catalog::Product& product, const std::multiset<std::string>& question) {
  double named = 0, all = 0;
  for (const std::string& word : ContentWords(product.title)) {
    const bool has_digit =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const double weight = has_digit && std::isalpha(static_cast<unsigned char>(word[0])) ? 3 : 1;
    all += weight;
    if (question.count(word) != 0) named += weight;
  }
  return all == 0 ? 0 : named / all;
}

/// The passage that was found, or the first one when the document has changed since.
Source SourceOf(const catalog::Document& document, const DocumentHit& found,
                const std::string& question) {
  const std::vector<catalog::Passage> passages = catalog::SplitIntoPassages(document);
  auto passage = std::find_if(passages.begin(), passages.end(),
                              [&](const auto& each) { return each.id == found.passage_id; });
  if (passage == passages.end()) passage = passages.begin();
  Source source{catalog::DocumentOf(document, *passage), found.hit.score};
  if (passages.size() > 1) source.passage_id = passage->id;
  const std::string_view text = passage->text;
  const Excerpt excerpt = FindExcerpt(text, question, kMaxExcerptBytes);
  source.excerpt = text.substr(excerpt.begin, excerpt.end - excerpt.begin);
  // Finds the beginning of the passage in the document: passages omit only headings.
  const std::string_view line =
      std::string_view(source.excerpt).substr(0, source.excerpt.find('\n'));
  const size_t at = document.text.find(line.substr(0, kFirstWords), passage->begin);
  source.page = catalog::PageOf(document, at == std::string::npos ? passage->begin : at);
  return source;
}

class Retrieval {
 public:
  Retrieval(const ShopReader& shop, const RetrieverOptions& options, const RetrievalInput& input)
      : shop_(shop), options_(options), input_(input) {}

  absl::StatusOr<Retrieved> Run() {
    const Understanding& understanding = input_.understanding;
    result_.filter = result_.asked = understanding.filter;
    std::vector<Source> products;
    if (absl::Status status = FindReferenced(products); !status.ok()) return status;
    const bool compares = understanding.Has(Intent::kProductComparison);
    const bool enough = !products.empty() && !(compares && products.size() < 2);
    result_.must_be_used = enough && !understanding.follows_up;
    if (understanding.needs_products() && (understanding.follows_up || !enough)) {
      if (understanding.follows_up) products.clear();
      if (absl::Status status = SearchNamed(products); !status.ok()) return status;
      if (!result_.is_about_shown) {
        if (absl::Status status = Search(products); !status.ok()) return status;
      }
    }
    if (!result_.is_about_shown && FocusOnNamed(understanding, input_.question, products)) {
      result_.must_be_used = result_.is_about_shown = true;
    }
    const size_t limit = static_cast<size_t>(options_.max_products);
    if (products.size() > limit) products.resize(limit);
    if (absl::Status status = FindDocuments(products); !status.ok()) return status;
    for (const Source& source : products) result_.why.push_back(Why(*source.product()));
    products.insert(products.end(), documents_.begin(), documents_.end());
    result_.sources = std::move(products);
    return std::move(result_);
  }

 private:
  absl::Status FindReferenced(std::vector<Source>& products) {
    if (input_.understanding.comparison) return absl::OkStatus();
    for (const std::string& id : input_.understanding.referenced_products) {
      auto product = shop_.FindProduct(id);
      if (!product.ok()) return product.status();
      if (*product) products.push_back({**std::move(product), 1});
    }
    return absl::OkStatus();
  }

  /// Words that name attributes of the type become conditions.
  absl::Status BindToType() {
    if (result_.filter.categories.empty()) return absl::OkStatus();
    ProductSearchInput browse;
    browse.understood = {
        "", {.categories = result_.filter.categories, .locale = result_.filter.locale}};
    browse.limit = kSchemaProducts;
    browse.group_variants = false;
    auto found = SearchProducts(shop_, browse);
    if (!found.ok()) return found.status();
    std::vector<catalog::Product> products;
    for (FoundProduct& each : found->items) products.push_back(std::move(each.product));
    BindAttributes(input_.question, LearnSchema(products), result_.filter);
    return absl::OkStatus();
  }

  /// "Does a laptop fit into the Packwyn Campus Backpack?" names a product, whatever its type: the
  /// search without the type comes first, and counts if it finds what is named.
  absl::Status SearchNamed(std::vector<Source>& products) {
    if (!input_.understanding.type || input_.understanding.follows_up) return absl::OkStatus();
    const retrieval::Filter with_type = result_.filter;
    result_.filter.categories.clear();
    std::vector<Source> found = products;
    const absl::Status status = SearchAsked(found);
    const bool is_named = status.ok() && result_.relaxed.empty() &&
                          FocusOnNamed(input_.understanding, input_.question, found);
    if (is_named) {
      products = std::move(found);
      result_.must_be_used = result_.is_about_shown = true;
      return status;
    }
    result_.filter = with_type;
    result_.relaxed.clear();
    return status;
  }

  absl::Status Search(std::vector<Source>& products) {
    if (absl::Status status = BindToType(); !status.ok()) return status;
    result_.asked = result_.filter;
    return SearchAsked(products);
  }

  absl::Status SearchAsked(std::vector<Source>& products) {
    ProductSearchInput search;
    search.query = input_.question;
    search.understood = {input_.understanding.search_text, result_.filter};
    search.named = input_.fixed;
    // A kettle is no answer to "toaster": the type is given up by no relaxation.
    if (!result_.filter.categories.empty()) search.named.Insert(retrieval::FilterPart::kCategory);
    search.limit = options_.considered;
    search.exclude = input_.exclude;
    search.only_fitting = true;
    auto found = SearchProducts(shop_, search);
    if (!found.ok()) return found.status();
    if (found->best) best_product_ = *std::move(found->best);
    result_.filter = std::move(found->applied);
    result_.relaxed = std::move(found->relaxed);
    KeepType(found->items);
    Take(std::move(found->items), products);
    return absl::OkStatus();
  }

  /// In a shop without categories, titles that name the type come alone, where there are any.
  void KeepType(std::vector<FoundProduct>& found) const {
    const auto& type = input_.understanding.type;
    if (!type || !type->categories.empty()) return;
    const auto is_other = [&](const FoundProduct& each) {
      return !IsOfType(each.product.title, *type);
    };
    if (!std::all_of(found.begin(), found.end(), is_other)) std::erase_if(found, is_other);
  }

  /// Adds the products that are found to those that the question refers to: neither one of them
  /// again nor a variant of one.
  void Take(std::vector<FoundProduct> found, std::vector<Source>& products) const {
    std::set<std::string> ids, groups;
    for (const Source& source : products) {
      ids.insert(source.id());
      groups.insert(source.product()->item_group_id);
    }
    for (FoundProduct& each : found) {
      if (products.size() >= static_cast<size_t>(options_.considered)) return;
      const std::string& group = each.product.item_group_id;
      const bool is_known =
          ids.contains(each.product.id) || (!group.empty() && groups.contains(group));
      if (!is_known) products.push_back({std::move(each.product), each.hit.score});
    }
  }

  /// Whether the question is about the shop: by the words of the message, or because a document
  /// matches it better than any product.
  bool IsAboutShop(const std::vector<DocumentHit>& documents,
                   const std::vector<Source>& products) const {
    const Understanding& understanding = input_.understanding;
    if (!understanding.needs_products()) return true;
    const bool names_goods = result_.must_be_used || understanding.budget.has_value() ||
                             !understanding.filter.brands.empty() || understanding.follows_up;
    if (names_goods || documents.empty()) return false;
    if (products.empty()) return true;
    const float lead =
        documents[0].hit.vector_score - best_product_.vector_score +
        options_.lexical_share * (documents[0].hit.lexical_score - best_product_.lexical_score);
    return lead > options_.document_lead;
  }

  /// Documents of a language that the shop does not have are those of any.
  std::string LanguageOfDocuments() const {
    const std::string& language = input_.understanding.language;
    const auto profile = shop_.profile();
    const bool speaks_it = profile->languages.empty() || profile->languages.contains(language);
    if (speaks_it) return language;
    return profile->languages.contains("en") ? "en" : "";
  }

  absl::Status FindDocuments(std::vector<Source>& products) {
    retrieval::SearchRequest request;
    request.query = CleanText(input_.question);
    request.limit = std::max(options_.max_documents, 1);
    request.filter.locale = LanguageOfDocuments();
    if (request.query.empty() || input_.understanding.Has(Intent::kSmallTalk)) {
      return absl::OkStatus();
    }
    auto found = shop_.SearchDocuments(request);
    if (!found.ok()) return found.status();
    std::erase_if(*found, [](const DocumentHit& each) { return !Fits(each.hit); });
    if (!IsAboutShop(*found, products)) return absl::OkStatus();
    if (!input_.understanding.needs_products() || !found->empty()) products.clear();
    for (const DocumentHit& each : *found) {
      const float lead = found->front().hit.score - each.hit.score;
      if (!documents_.empty() && lead > options_.clear_lead) break;
      auto document = shop_.FindDocument(each.hit.id);
      if (!document.ok()) return document.status();
      if (*document) documents_.push_back(SourceOf(**document, each, input_.question));
    }
    result_.must_be_used = !documents_.empty();
    return absl::OkStatus();
  }

  /// Which of the question's words the record holds.
  std::string Why(const catalog::Product& product) const {
    const RecordText text(product);
    std::string words;
    for (const std::string& word : ContentWords(input_.understanding.search_text)) {
      if (word.size() < 2 || !text.HasWord(word)) continue;
      words += (words.empty() ? "" : ", ") + word;
    }
    return words;
  }

  const ShopReader& shop_;
  const RetrieverOptions& options_;
  const RetrievalInput& input_;
  Hit best_product_;
  std::vector<Source> documents_;
  Retrieved result_;
};

/// The product that the words name best, if it is named and clearly leads the product `wanted`
/// places after it. Removes its words from `words`, so that a second call finds the next one.
std::optional<size_t> TakeNamed(const std::vector<Source>& products, const std::set<size_t>& taken,
                                size_t wanted, std::multiset<std::string>& words) {
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < products.size(); ++i) {
    if (taken.count(i) == 0) ranked.emplace_back(-Coverage(*products[i].product(), words), i);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() < wanted || -ranked[0].first < kNamed) return std::nullopt;
  const double next = ranked.size() > wanted ? -ranked[wanted].first : 0;
  if (-ranked[0].first - next < kClearly) return std::nullopt;
  const size_t at = ranked[0].second;
  for (const std::string& word : ContentWords(products[at].product()->title)) {
    const auto found = words.find(word);
    if (found != words.end()) words.erase(found);
  }
  return at;
}

}  // namespace

absl::StatusOr<Retrieved> Retrieve(const ShopReader& shop, const RetrieverOptions& options,
                                   const RetrievalInput& input) {
  return Retrieval(shop, options, input).Run();
}

absl::StatusOr<std::optional<Source>> FindDocumentOf(const ShopReader& shop,
                                                     const std::string& question,
                                                     const std::string& language) {
  for (const std::string& locale : {language, std::string()}) {
    retrieval::SearchRequest request;
    request.query = question;
    request.limit = 1;
    request.filter.locale = locale;
    const auto found = shop.SearchDocuments(request);
    if (!found.ok()) return found.status();
    if (found->empty() || found->front().hit.lexical_score <= 0) continue;
    const auto document = shop.FindDocument(found->front().hit.id);
    if (!document.ok()) return document.status();
    if (*document) return SourceOf(**document, found->front(), question);
  }
  return std::nullopt;
}

bool FocusOnNamed(const Understanding& understanding, const std::string& question,
                  std::vector<Source>& products) {
  if (products.empty() || !understanding.referenced_products.empty()) return false;
  std::multiset<std::string> words;
  for (const std::string& word : ContentTokens(question)) words.insert(word);
  const size_t wanted = understanding.Has(Intent::kProductComparison) ? 2 : 1;
  std::set<size_t> taken;
  while (taken.size() < wanted) {
    const auto named = TakeNamed(products, taken, wanted - taken.size(), words);
    if (!named) return false;
    taken.insert(*named);
  }
  std::vector<Source> focused;
  for (const size_t i : taken) focused.push_back(std::move(products[i]));
  products = std::move(focused);
  return true;
}

}  // namespace emptor::services

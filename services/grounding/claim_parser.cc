// Longest phrases first: products, then the words of the records and of the lexicons.
#include "services/grounding/claim_parser.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "services/grounding/claim_names.h"
#include "services/grounding/claim_shape.h"
#include "services/grounding/claim_type_names.h"

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;
using Tokens = std::vector<ClaimToken>;
using View = std::string_view;

constexpr size_t kMaxValueWords = 8;

bool EndsClause(const ClaimToken& token) {
  constexpr View kMarks = ",;:.!?()，。；：！？（）、—–…";
  return token.kind == ClaimToken::Kind::kMark && kMarks.find(token.text) != View::npos;
}

Tokens TokensOf(View sentence, View language) {
  Tokens tokens = TokenizeClaims(sentence, language);
  SpellClaimNumbers(tokens, language);
  return tokens;
}

class Parser {
 public:
  Parser(View sentence, View language, const ClaimNames& names)
      : language_(language),
        names_(names),
        phrases_(ClaimPhrases(language)),
        tokens_(TokensOf(sentence, language)),
        quantities_(FindClaimQuantities(tokens_)),
        finder_(tokens_, quantities_, language) {}

  std::vector<ClaimClause> Run() {
    while (at_ < tokens_.size()) Step();
    EndClause();
    JoinIntroduction();
    return std::move(clauses_);
  }

 private:
  /// "At 235 g, the H90 is ...", "If it should cost less than $80, ...": one clause.
  void JoinIntroduction() {
    if (clauses_.size() < 2 || clauses_[0].Has(Role::kOfThem)) return;
    const auto names = [](const ClaimClause& clause) {
      return std::any_of(clause.items.begin(), clause.items.end(), [](const ClaimItem& item) {
        return item.kind == Kind::kProduct || item.Has(Role::kAll) || item.Has(Role::kBoth) ||
               item.Has(Role::kNothing) || item.kind == Kind::kSource;
      });
    };
    const auto& items = clauses_[0].items;
    const bool has_number = std::any_of(items.begin(), items.end(), [](const ClaimItem& item) {
      return item.kind == Kind::kNumber;
    });
    const bool is_state = clauses_[0].Has(Role::kOnSale) || clauses_[0].Has(Role::kInStock);
    if ((!has_number && !is_state) || names(clauses_[0]) || !names(clauses_[1])) return;
    auto& second = clauses_[1].items;
    for (ClaimItem& item : second) ++item.segment;
    second.insert(second.begin(), clauses_[0].items.begin(), clauses_[0].items.end());
    auto& tokens = clauses_[1].tokens;
    tokens.insert(tokens.begin(), clauses_[0].tokens.begin(), clauses_[0].tokens.end());
    clauses_.erase(clauses_.begin());
  }

  void Step() {
    const ClaimToken& token = tokens_[at_];
    if (token.kind == ClaimToken::Kind::kSource) return AddSource(static_cast<int>(token.number));
    if (token.kind == ClaimToken::Kind::kLink) return AddLink(token.text);
    if (token.kind == ClaimToken::Kind::kMark) {
      if (EndsClause(token)) EndClause();
      ++at_;
      return;
    }
    if (AddProduct()) return;
    if (AddNumber()) return;
    AddPhrase();
  }

  /// Numbers alone belong to the clause before: "the lightest, 1.2 kg".
  void EndClause() {
    if (clause_.items.empty()) return;
    clause_.tokens.assign(tokens_.begin() + static_cast<ptrdiff_t>(begin_),
                          tokens_.begin() + static_cast<ptrdiff_t>(clause_.end));
    begin_ = at_;
    const bool has_number = std::any_of(clause_.items.begin(), clause_.items.end(),
                                        [](auto& item) { return item.kind == Kind::kNumber; });
    const bool is_bare = std::all_of(clause_.items.begin(), clause_.items.end(), [](auto& item) {
      return item.kind == Kind::kNumber || item.kind == Kind::kSource || item.Has(Role::kFiller) ||
             item.Has(Role::kThan) || item.Has(Role::kAnd) || item.text == "有";
    });
    const bool is_relative = ClaimBeginsWith(clause_, Role::kRelative);
    const bool answers = IsAnswerOfProduct();
    if (((has_number && is_bare && !is_relative) || answers) && !clauses_.empty()) {
      auto& items = clauses_.back().items;
      for (ClaimItem& item : clause_.items) item.segment = items.back().segment + 1;
      std::move(clause_.items.begin(), clause_.items.end(), std::back_inserter(items));
      auto& tokens = clauses_.back().tokens;
      tokens.insert(tokens.end(), clause_.tokens.begin(), clause_.tokens.end());
      clause_ = {};
    } else {
      clauses_.push_back(std::exchange(clause_, {}));
    }
  }

  /// "The K80 has a timer; the K70, no."
  bool IsAnswerOfProduct() const {
    if (clauses_.empty() || clause_.items.size() != 1) return false;
    const ClaimItem& answer = clause_.items[0];
    const bool answers = answer.Has(Role::kNot) || answer.Has(Role::kNo) || answer.Has(Role::kYes);
    const auto& items = clauses_.back().items;
    const bool names = std::all_of(items.begin(), items.end(), [](const ClaimItem& each) {
      return each.kind == Kind::kProduct || each.Has(Role::kFiller) || each.Has(Role::kArticle) ||
             each.Has(Role::kBut);
    });
    return answers && names && clauses_.size() > 1 &&
           std::any_of(items.begin(), items.end(),
                       [](const ClaimItem& each) { return each.kind == Kind::kProduct; });
  }

  ClaimItem& Add(Kind kind, size_t size) {
    ClaimItem item;
    item.kind = kind;
    std::vector<std::string> words;
    for (size_t i = at_; i < at_ + size; ++i) words.push_back(tokens_[i].text);
    item.text = JoinClaimWords(words);
    item.is_capitalized = tokens_[at_].is_capitalized && at_ > 0;
    at_ += size;
    clause_.items.push_back(std::move(item));
    clause_.end = at_;
    return clause_.items.back();
  }

  void AddSource(int n) { Add(Kind::kSource, 1).source = n; }

  void AddLink(const std::string& id) {
    const auto found = std::find(names_.ids.begin(), names_.ids.end(), id);
    ClaimItem& item = Add(Kind::kProduct, 1);
    if (found != names_.ids.end()) {
      item.products.push_back(static_cast<int>(found - names_.ids.begin()));
    }
  }

  bool AddProduct() {
    size_t longest = 0;
    std::vector<int> named;
    for (size_t i = 0; i < names_.records.size(); ++i) {
      const size_t length = finder_.LengthAt(at_, names_.records[i]);
      if (length == 0 || length < longest) continue;
      if (length > longest) named.clear();
      longest = length;
      named.push_back(static_cast<int>(i));
    }
    if (longest == 0) return false;
    ClaimItem& item = Add(Kind::kProduct, longest);
    const auto& record = names_.records[static_cast<size_t>(named[0])];
    item.is_brand = item.text == JoinClaimWords(ClaimWordsOf(record.product->brand, "en"));
    item.products = std::move(named);
    return true;
  }

  bool AddNumber() {
    const auto found = std::find_if(quantities_.begin(), quantities_.end(),
                                    [this](const auto& each) { return each.begin == at_; });
    if (found == quantities_.end()) return false;
    const size_t size = found->end - found->begin;
    const auto fixed = phrases_.Find(tokens_, at_), own = names_.phrases.Find(tokens_, at_);
    const bool is_known = own.size > size || (fixed.size > size && IsOfRecords(fixed.meanings));
    if (is_known) return false;
    Add(Kind::kNumber, size).quantity = *found;
    return true;
  }

  /// "4 personen" is a value where a record holds it; elsewhere it is a number with a label.
  bool IsOfRecords(const std::vector<ClaimMeaning>& meanings) const {
    return std::any_of(meanings.begin(), meanings.end(), [&](const ClaimMeaning& each) {
      if (each.role != Role::kValue) return true;
      return std::any_of(names_.records.begin(), names_.records.end(), [&](const auto& record) {
        return std::any_of(record.keys.begin(), record.keys.end(), [&](const ClaimKey& key) {
          return std::find(key.values.begin(), key.values.end(), each.index) != key.values.end();
        });
      });
    });
  }

  /// Of "le plus silencieux" the article stands alone, as a longer phrase begins behind it. Of
  /// "compact camera" the first word is a claim of its own.
  ClaimPhraseIndex::Match FindFixed() const {
    auto match = phrases_.Find(tokens_, at_);
    if (match.size < 2) return match;
    const auto has = [](const auto& meanings, Role role) {
      return std::any_of(meanings.begin(), meanings.end(),
                         [role](const ClaimMeaning& each) { return each.role == role; });
    };
    const Tokens first(tokens_.begin() + static_cast<ptrdiff_t>(at_),
                       tokens_.begin() + static_cast<ptrdiff_t>(at_) + 1);
    auto single = phrases_.Find(first, 0);
    const bool is_article = has(single.meanings, Role::kSuperlative);
    if (is_article && phrases_.Find(tokens_, at_ + 1).size >= match.size) return single;
    if (!has(match.meanings, Role::kType)) return match;
    for (size_t size = match.size - 1; size > 0; --size) {
      const Tokens part(tokens_.begin() + static_cast<ptrdiff_t>(at_),
                        tokens_.begin() + static_cast<ptrdiff_t>(at_ + size));
      auto claim = phrases_.Find(part, 0);
      const auto rest = phrases_.Find(tokens_, at_ + size);
      const bool is_claim = claim.size == size && (has(claim.meanings, Role::kValue) ||
                                                   has(claim.meanings, Role::kYesDegree) ||
                                                   has(claim.meanings, Role::kLow));
      const bool is_same = rest.size + size == match.size &&
                           std::any_of(rest.meanings.begin(), rest.meanings.end(), [&](auto& each) {
                             return each.role == Role::kType &&
                                    std::find(match.meanings.begin(), match.meanings.end(), each) !=
                                        match.meanings.end();
                           });
      if (is_claim && is_same) return claim;
    }
    return match;
  }

  void AddPhrase() {
    const auto fixed = FindFixed();
    const auto own = names_.phrases.Find(tokens_, at_);
    const size_t size = std::max({fixed.size, own.size, size_t{1}});
    const size_t begin = at_;
    const bool is_known = std::max(fixed.size, own.size) > 0;
    ClaimItem& item = Add(is_known ? Kind::kPhrase : Kind::kWord, size);
    if (own.size == size) item.meanings = own.meanings;
    if (fixed.size == size) {
      item.meanings.insert(item.meanings.end(), fixed.meanings.begin(), fixed.meanings.end());
    }
    if (!is_known) ReadCompound(item, begin);
    KeepMeanings(item, begin, size);
    const Tokens part(tokens_.begin() + static_cast<ptrdiff_t>(begin),
                      tokens_.begin() + static_cast<ptrdiff_t>(at_));
    // Of "4 season" the word alone says something else.
    if (size > 1) item.content = NamesOfClaim(item.meanings);
    if (size > 1 && item.content.empty()) item.content = {item.text};
    for (auto& names : size > 1 ? ClaimContent() : FindClaimContent(part, language_)) {
      item.content.insert(item.content.end(), names.begin(), names.end());
    }
    ReadOrdinal(item);
    ReadClaimTypeName(names_, language_, clause_);
    SplitAt(item);
  }

  /// The head of a German compound behind a plain number: "3 Putzmodi" are modes.
  void ReadCompound(ClaimItem& item, size_t begin) const {
    constexpr size_t kMinPart = 4;  // letters of each part
    const auto& items = clause_.items;
    const bool counts = language_ == "de" && items.size() > 1 &&
                        items[items.size() - 2].kind == Kind::kNumber &&
                        items[items.size() - 2].quantity.base.empty();
    if (!counts || tokens_[begin].kind != ClaimToken::Kind::kWord) return;
    ClaimToken head = tokens_[begin];
    for (size_t at = kMinPart - 1; at + kMinPart <= item.text.size(); ++at) {
      head.text = item.text.substr(at);
      auto match = phrases_.Find({head}, 0);
      std::erase_if(match.meanings, [](auto& each) { return each.role != Role::kLabel; });
      if (match.meanings.empty()) continue;
      item.kind = Kind::kPhrase;
      item.meanings = std::move(match.meanings);
      return;
    }
  }

  /// "The first one", "the latter" of two products.
  void ReadOrdinal(ClaimItem& item) const {
    const auto indexes = item.IndexesOf(Role::kNth);
    if (indexes.empty()) return;
    const size_t count = names_.records.size();
    if (count < 2 || indexes[0] > static_cast<int>(count)) return;
    item.kind = Kind::kProduct;
    item.products = {indexes[0] - 1};
    item.meanings.clear();
    item.content.clear();
  }

  /// Talk states nothing; a word that means something else as well is no talk.
  static void KeepTalk(ClaimItem& item) {
    if (!item.Has(Role::kTalk)) return;
    std::erase_if(item.meanings, [](const ClaimMeaning& each) { return each.role == Role::kTalk; });
    if (item.meanings.empty()) item.meanings = {{Role::kFiller, 0}};
  }

  /// A strong verb must stand in the record, as any other word.
  static void KeepStrongVerb(ClaimItem& item) {
    if (!item.Has(Role::kStrongVerb)) return;
    if (item.meanings.size() == 1) {
      item.kind = Kind::kWord;
    } else {
      std::erase_if(item.meanings,
                    [](const ClaimMeaning& each) { return each.role == Role::kStrongVerb; });
    }
  }

  /// Words that build sentences are no values; "lasts longer" is a comparative; "less than" without
  /// a number behind it compares.
  void KeepMeanings(ClaimItem& item, size_t begin, size_t size) {
    KeepTalk(item);
    KeepStrongVerb(item);
    const bool is_function =
        std::any_of(item.meanings.begin(), item.meanings.end(), [](const ClaimMeaning& each) {
          return each.role < Role::kUnit && each.role != Role::kHyphenLess &&
                 each.role != Role::kFiller && each.role != Role::kSays &&
                 !IsClaimGrammar(each.role) && each.role != Role::kListing;
        });
    if (is_function) {
      std::erase_if(item.meanings, [](const ClaimMeaning& each) {
        return each.role == Role::kValue || each.role == Role::kType ||
               each.role == Role::kConcept || each.role == Role::kLabel ||
               each.role == Role::kLow || each.role == Role::kHigh ||
               each.role == Role::kYesDegree || each.role == Role::kVerb ||
               each.role == Role::kFiller;
      });
    }
    ReadDegreeBehindThan(item);
    ReadAmountBound(item);
    ReadPair(item);
    if (size > 1 && item.Has(Role::kLabel)) {
      const auto labels = item.IndexesOf(Role::kLabel);
      for (size_t at = begin; at < begin + size; ++at) {
        for (const ClaimMeaning& each : phrases_.Find(tokens_, at).meanings) {
          // "Pesa menos" of the label "pesa".
          const bool is_generic = each.role == Role::kLess || each.role == Role::kMore;
          const ClaimRole role = each.role == Role::kLess ? Role::kLower : Role::kHigher;
          if (is_generic && at > begin && !item.Has(role))
            item.meanings.push_back({role, labels[0]});
          const bool is_comparative = each.role == Role::kLower || each.role == Role::kHigher;
          const bool is_same = std::find(labels.begin(), labels.end(), each.index) != labels.end();
          if (is_comparative && is_same && !item.Has(each.role)) item.meanings.push_back(each);
        }
      }
    }
    const bool limits = item.Has(Role::kAtLeast) || item.Has(Role::kAtMost) ||
                        item.Has(Role::kOver) || item.Has(Role::kUnder);
    if (limits && NumberFollows()) {
      std::erase_if(item.meanings, [](const ClaimMeaning& each) {
        return each.role == Role::kMore || each.role == Role::kLess ||
               each.role == Role::kHighest || each.role == Role::kLowest ||
               each.role == Role::kLower || each.role == Role::kHigher;
      });
    }
    const bool is_bound = item.Has(Role::kOver) || item.Has(Role::kUnder);
    if (is_bound && size > 1 && !NumberFollows()) {
      const bool is_than = !item.text.ends_with(" de") && !item.text.ends_with(" d");
      item.meanings = {{item.Has(Role::kOver) ? Role::kMore : Role::kLess, 0}};
      if (is_than) item.meanings.push_back({Role::kThan, 0});
    }
  }

  /// "B30比B50安静": behind "than" a Chinese degree compares.
  void ReadDegreeBehindThan(ClaimItem& item) const {
    if (language_ != "zh" || !clause_.Has(Role::kThan)) return;
    for (const int index : item.IndexesOf(Role::kLow)) {
      if (!item.Has(Role::kLower)) item.meanings.push_back({Role::kLower, index});
    }
    for (const int index : item.IndexesOf(Role::kHigh)) {
      if (!item.Has(Role::kHigher)) item.meanings.push_back({Role::kHigher, index});
    }
  }

  /// "84 statt 88 dB", "2.1 千克对 4.8 千克": the second number is that of the other product.
  void ReadPair(ClaimItem& item) const {
    const auto& items = clause_.items;
    size_t at = items.size() > 1 ? items.size() - 2 : 0;
    // "24 pieces instead of six".
    const bool is_behind_noun =
        at > 0 && items[at].kind == Kind::kPhrase && items[at].Has(Role::kLabel);
    if (is_behind_noun) --at;
    const bool follows = items.size() > 1 && items[at].kind == Kind::kNumber;
    if (!follows || !NumberFollows()) return;
    const bool is_money = items[at].quantity.is_money();
    if ((item.Has(Role::kWasPrice) && !is_money) || item.text == "对") {
      item.meanings = {{Role::kThan, 0}};
    }
  }

  /// "Coûtent moins de 65 $" is a bound of the price.
  void ReadAmountBound(ClaimItem& item) const {
    const bool is_price = item.Has(Role::kCheaper) || item.Has(Role::kDearer);
    const bool is_of = at_ + 1 < tokens_.size() && tokens_[at_].text.starts_with('d') &&
                       tokens_[at_].text.size() < 3 &&
                       tokens_[at_ + 1].kind == ClaimToken::Kind::kNumber;
    if (!is_price || !is_of) return;
    item.meanings = {{item.Has(Role::kCheaper) ? Role::kUnder : Role::kOver, 0}, {Role::kPrice, 0}};
  }

  bool NumberFollows() const {
    for (size_t at = at_; at < std::min(tokens_.size(), at_ + 2); ++at) {
      if (tokens_[at].kind == ClaimToken::Kind::kNumber) return at == at_ || !IsCountOfSet(at);
    }
    return false;
  }

  /// "The two" of "less than the two duffels".
  bool IsCountOfSet(size_t at) const {
    const auto match = phrases_.Find(tokens_, at - 1);
    return match.size > 1 &&
           std::any_of(match.meanings.begin(), match.meanings.end(), [](auto& each) {
             return each.role == Role::kBoth || each.role == Role::kAll;
           });
  }

  /// "And" ends a clause, but not in "between 3 and 5 days".
  void SplitAt(const ClaimItem& item) {
    const bool splits = item.Has(Role::kBut) || item.Has(Role::kAnd);
    if (!splits) return;
    const size_t count = clause_.items.size();
    const bool in_range = count > 1 && clause_.items[count - 2].kind == Kind::kNumber &&
                          at_ < tokens_.size() && tokens_[at_].kind == ClaimToken::Kind::kNumber;
    if (!in_range) EndClause();
  }

  const View language_;
  const ClaimNames& names_;
  const ClaimPhraseIndex& phrases_;
  const Tokens tokens_;
  const std::vector<ClaimQuantity> quantities_;
  const ClaimNameFinder finder_;
  size_t at_ = 0, begin_ = 0;
  ClaimClause clause_;
  std::vector<ClaimClause> clauses_;
};

}  // namespace

bool ClaimItem::Has(ClaimRole role) const {
  return std::any_of(meanings.begin(), meanings.end(),
                     [role](const ClaimMeaning& each) { return each.role == role; });
}

std::vector<int> ClaimItem::IndexesOf(ClaimRole role) const {
  std::vector<int> indexes;
  for (const ClaimMeaning& each : meanings) {
    if (each.role == role) indexes.push_back(each.index);
  }
  return indexes;
}

bool ClaimClause::Has(ClaimRole role) const {
  return std::any_of(items.begin(), items.end(),
                     [role](const ClaimItem& each) { return each.Has(role); });
}

ClaimNames ReadClaimNames(std::vector<ClaimRecord> records) {
  ClaimNames names;
  int own = 0;
  for (const ClaimRecord& record : records) {
    names.ids.push_back(record.product->id);
    for (const auto* list : {&record.product->attributes, &record.product->options}) {
      for (const catalog::Attribute& each : *list) {
        const std::string key = JoinClaimWords(ClaimWordsOf(each.name, "en"));
        names.own_keys.push_back(key);
        names.phrases.Add(ClaimWordsOf(each.name, "en"), {Role::kLabel, -(++own)});
        const auto value = TokenizeClaims(each.value, "en");
        const bool is_phrase = !value.empty() && value.size() <= kMaxValueWords &&
                               value[0].kind != ClaimToken::Kind::kNumber;
        auto words = ClaimWordsOf(each.value, "en");
        const bool is_answer = words.size() == 1 && words[0].size() < 4;
        if (is_phrase && !is_answer) {
          names.own_keys.push_back(key);
          names.phrases.Add(std::move(words), {Role::kValue, -(++own)});
        }
      }
    }
  }
  names.records = std::move(records);
  return names;
}

std::vector<ClaimClause> ParseClaimSentence(std::string_view sentence, std::string_view language,
                                            const ClaimNames& names) {
  return Parser(sentence, language, names).Run();
}

}  // namespace emptor::services

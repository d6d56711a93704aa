// What an answer states, decided by code from the records: the plan of an answer without a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/schema/key_meanings.h"
#include "services/assistant/schema/shop_units.h"
#include "services/grounding/source.h"

namespace emptor::services {

/// One statement. `source` is the number of a product among the sources, from 1.
struct Statement {
  enum class Kind {
    kRecommend,        // a product with its price and stock, and `key` where the question names one
    kState,            // the value of `key`
    kAffirm,           // yes: the value of `key` says so
    kDeny,             // no
    kNotStated,        // the record does not say what is asked
    kBest,             // it ranks first by `key`, the least or the greatest
    kTotal,            // the sum of `sources`
    kSaving,           // what it costs less than its list price
    kCount,            // `number` products meet what is asked for
    kCompare,          // the values of `key` of `sources`
    kSame,             // all products have this value of `key`
    kNoneState,        // no product states `key`
    kOnlyShown,        // `number` products were shown, and no more
    kOnlyIn,           // `words` stand in the title of `source` alone
    kEach,             // the price of one piece, or of one unit of what it holds
    kPriceDifference,  // what the first of `sources` costs more than the second
  };
  Kind kind = Kind::kRecommend;
  int source = 0;
  std::string key = {};  // "price", "rating", "reviews", "availability", or an attribute's name
  bool is_least = false;
  int place = 1;  // kBest: 2 for the second best
  /// kCount; kBest: of so many that were shown, 0: of the whole shop; kState of a price: how many
  /// are bought.
  size_t number = 0;
  bool of_shop = false;    // kBest: behind the best of what was shown
  bool is_rest = false;    // kNotStated: another part of the question is answered
  bool is_ranked = false;  // kState: behind a kBest, with its price
  std::vector<int> sources = {};
  std::vector<std::string> keys = {};      // kRecommend: attributes that the shopper asked for
  std::vector<std::string> words = {};     // kOnlyIn; kEach: the unit, and how many there are
  double share = 1;                        // kEach: of the price
  std::optional<catalog::Money> fee = {};  // kTotal: of a service, for each of `sources`
  /// kBest, kState behind it: the property where `key` is not its name; `words` quote the title.
  std::string label = {};
};

struct PlanInput {
  const Understanding& understanding;
  const std::vector<Source>& sources;  // products first
  const std::string& question;
  bool about_shown = false;  // the question is about these products, not a search for some
  int64_t now_unix = 0;
  catalog::Market market = {};
  const TypeSchema* schema = nullptr;  // of the type asked about; null: learned from the sources
  std::optional<size_t> counted = {};  // all products that meet what is asked for
  /// Of how many products that meet what is asked for a superlative chose, and how many state what
  /// it ranks by.
  size_t ranked = 0, stating = 0;
  bool none_beyond = false;               // nothing is cheaper, or lighter, and meets the rest
  std::optional<int> shop_best = {};      // the source that ranks before those that are shown
  std::vector<std::string> remarks = {};  // by product: needs that it alone does not meet
  const ShopUnits* units = nullptr;       // of attributes that name none; null: not known
  const std::string* part = nullptr;  // of the question, which alone is answered; null: all of it
  const KeyMeanings* meanings = nullptr;  // null: words alone tell which attribute is asked for
};

/// Code computes what it states: it is no fact of one record.
bool IsComputed(const Statement& statement);

/// The attribute that all statements are about; empty: they are about several. A sum is one of
/// prices. Pure.
std::string KeyOfAll(const std::vector<Statement>& plan);

/// The statements of an answer about products; empty where the sources hold none. Pure.
std::vector<Statement> PlanAnswer(const PlanInput& input);

}  // namespace emptor::services

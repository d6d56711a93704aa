// The sample shop's questions with the answers they expect, and the check of an answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {

/// One line of data/sample-shop/questions.jsonl; data/README.md describes the members.
struct ShopQuestion {
  std::string id, kind, text, locale;
  std::vector<std::string> ids;  // the right products or FAQ entry; compare: both products
  std::string field;             // "attr.<name>", "price", "rating", ...
  catalog::JsonValue value;      // null where the field says it all
};

/// All 100 questions. A line that cannot be read throws std::runtime_error.
std::vector<ShopQuestion> ReadShopQuestions();

/// The live record of a product, as GET /v1/products/{id} returns it.
using FindRecord = std::function<catalog::JsonValue(const std::string& id)>;

/// What keeps the answer from being right; empty for a right one. An answer is right when
/// - an expected product is among the shown ones (compare: both), or the expected FAQ entry is
///   cited first and quoted;
/// - a sentence about an expected product states the field with the expected value, formatted as
///   the shopper sees it; compare: a sentence about each, with the price or rating of its record;
/// - "Yes", "No", "cheaper" and "better" agree with the expected value;
/// - recommend: the first product that the text names is an expected one, and none is dearer than
///   the budget.
std::string FindMistake(const ShopQuestion& question, const Answer& answer,
                        const FindRecord& find_record);

/// 150900 cents are "$1,509.00", and "US$1,509.00" where the locale is Chinese.
std::string FormatDollars(int64_t cents, const std::string& locale);

}  // namespace emptor::testing

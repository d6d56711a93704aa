// Brings a record that breaks a limit into a form that the store takes, where that does no harm.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "catalog/product.h"

namespace emptor::catalog {

/// What was wrong with one part of a record.
struct FieldProblem {
  std::string field;   // by the feed's name: "g:price", "attributes.colour"
  std::string reason;  // what was expected and found: expected an amount, found "Get"
};

/// Repairs every field that ValidateProduct refuses and appends one problem for each:
/// - text: control characters are removed, or become a blank where they are white space;
/// - title, description, attribute and option values: cut at a character boundary to their limit;
/// - links: blanks become %20, "//host" becomes "https://host";
/// - everything else that is wrong (an identifier that is too long, a rating above 5, a sale in
///   another currency than the price, the 21st image) is left out.
/// Not repaired: id, price, and a title without a visible character: the status is that of
/// ValidateProduct afterwards. A valid record is not changed. Cost: one ValidateProduct for a valid
/// record.
absl::Status RepairProduct(Product& product, std::vector<FieldProblem>& problems);

/// As RepairProduct, without what concerns two fields (a sale and its price): for records of which
/// a part is known.
void RepairProductFields(Product& product, std::vector<FieldProblem>& problems);

/// As RepairProduct, with ValidateDocument. Not repaired: id, kind, a title or text without a
/// visible character, and a text above its limit. Page offsets are left out when the text changes.
absl::Status RepairDocument(Document& document, std::vector<FieldProblem>& problems);

}  // namespace emptor::catalog

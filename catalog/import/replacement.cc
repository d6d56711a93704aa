// One scan of the store, and the guard against a feed that is cut.
#include "catalog/import/replacement.h"

#include <algorithm>
#include <string_view>

#include "fmt/format.h"

namespace emptor::catalog {

absl::StatusOr<std::vector<std::string>> Replacement::FindLeftOut(const ProductStore& store) const {
  std::vector<std::string> left_out;
  const absl::Status scanned = store.ScanProducts([&](const Product& product, std::string_view) {
    if (!names(product.id)) left_out.push_back(product.id);
    return true;
  });
  if (!scanned.ok()) return scanned;
  return left_out;
}

absl::Status Replacement::CheckRemoval(size_t left_out, uint64_t before,
                                       double shrink_limit) const {
  if (!is_whole()) {
    return absl::FailedPreconditionError(fmt::format(
        "replace: {} products are left out, but {} rows have no readable id: nothing removed",
        left_out, unnamed_));
  }
  before = std::max<uint64_t>(1, before);
  if (static_cast<double>(left_out) > shrink_limit * static_cast<double>(before)) {
    return absl::FailedPreconditionError(
        fmt::format("replace: {} of {} products are left out, more than {:g} %: nothing removed",
                    left_out, before, shrink_limit * 100));
  }
  return absl::OkStatus();
}

}  // namespace emptor::catalog

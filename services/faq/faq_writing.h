// How a shop takes entries into its FAQ.
#pragma once

#include <cstdint>
#include <string>

#include "catalog/faq/faq_import.h"
#include "services/shop/shop_reader.h"
#include "services/shop/shop_writer.h"

namespace emptor::services {

/// Who changes entries, and how.
struct FaqChanger {
  std::string who;       // id of the key, or "command line"
  bool dry_run = false;  // says what would change, and changes nothing
  int64_t now_unix = 0;
};

/// Imports into the shop: references are looked up in its records, texts are screened as its
/// documents. Lifetime: within that of reader and writer.
catalog::FaqImportOptions FaqImportInto(const ShopReader& reader, ShopWriter& writer,
                                        const FaqChanger& changer);

}  // namespace emptor::services

// What a shop sells as a whole, in a sentence.
#pragma once

#include <string>

#include "services/shop/shop_reader.h"

namespace emptor::services {

/// "We sell Kitchen (85), Audio (61) and more": its main categories, else its brands, with the
/// number of products. A question where the catalog has neither.
std::string DescribeCatalog(const ShopReader& shop, const std::string& language);

}  // namespace emptor::services

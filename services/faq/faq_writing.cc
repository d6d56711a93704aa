// Binds an import to a shop.
#include "services/faq/faq_writing.h"

#include <utility>
#include <vector>

#include "services/faq/faq_answers.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {

catalog::FaqImportOptions FaqImportInto(const ShopReader& reader, ShopWriter& writer,
                                        const FaqChanger& changer) {
  catalog::FaqImportOptions options;
  options.screen = writer.screen_policy();
  options.missing = [&reader, now = changer.now_unix](const catalog::FaqReference& reference) {
    return MissingFact(reader, reference, now);
  };
  options.write = [&writer, changer](std::vector<catalog::FaqPut> puts) {
    return writer.faq().Write(std::move(puts), changer.who, changer.dry_run);
  };
  return options;
}

}  // namespace emptor::services

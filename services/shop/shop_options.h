// How a shop is opened.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "catalog/faq/faq_store.h"
#include "catalog/text_safety/safe_record.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "services/shop/index_saver.h"
#include "services/shop/text_counters.h"

namespace emptor::services {

struct ShopOptions {
  std::string directory;
  std::string settings_directory = {};  // holds synonyms.txt, pins.json; empty: `directory`
  bool create_if_missing = false;
  /// The FAQ's entries, which all generations of a shop share; null: those in `faq` of the settings
  /// directory.
  std::shared_ptr<catalog::FaqStore> faq = {};
  retrieval::FusionOptions fusion;
  retrieval::VectorIndexSpec vector_index;
  size_t embed_batch = 64;
  /// When the stored vectors are another embedder's: true embeds every record again, in place;
  /// false refuses to open the shop.
  bool embed_when_changed = false;
  /// Budget of memory, the storage's caches included; new text beyond it is refused. 0: no bound.
  size_t memory_bytes = 0;
  SaveLimits saves;  // when the search index is saved while the shop is open
  /// What happens to text that addresses the assistant, unless an import says otherwise.
  catalog::ScreenPolicy screen = catalog::ScreenPolicy::kFlag;
  std::shared_ptr<TextCounters> counters;  // null: nothing is counted
};

}  // namespace emptor::services

// Opening a shop: its store, its words, its vectors, its two searches.
#include "services/shop/shop.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <stop_token>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "retrieval/cache/faq_tuning.h"
#include "services/shop/embedder_entry.h"
#include "services/shop/saved_index.h"
#include "services/shop/shop_memory.h"
#include "services/shop/shop_parts.h"

namespace emptor::services {
namespace {

constexpr size_t kDocumentsPerWrite = 64;

std::string EntryOf(const retrieval::Embedder& embedder) {
  catalog::JsonWriter writer;
  return writer.BeginObject()
      .Member("model", embedder.model_id())
      .Member("dimension", embedder.dimension())
      .EndObject()
      .Take();
}

absl::StatusOr<std::string> ReadEmbedderEntry(const catalog::ProductStore& store) {
  std::string entry;
  const absl::Status scanned =
      store.ScanMetadata([&](std::string_view name, std::string_view value) {
        if (name == kEmbedderEntry) entry = value;
        return name != kEmbedderEntry;
      });
  if (!scanned.ok()) return scanned;
  return entry;
}

absl::Status OpenDocuments(ShopParts& parts) {
  auto search = DocumentSearch::Create(parts.embeddings.embedder(), parts.options.fusion);
  if (!search.ok()) return search.status();
  parts.documents = *std::move(search);
  std::vector<DocumentPassages> stored, fresh;
  const absl::Status scanned =
      parts.store->ScanDocuments([&](const catalog::Document& document, std::string_view entry) {
        if (!document.quarantine.empty()) return true;
        DocumentPassages passages = PassagesOf(document);
        const bool is_stored = parts.embeddings.TakeStored(entry, passages);
        (is_stored ? stored : fresh).push_back(std::move(passages));
        return true;
      });
  if (!scanned.ok()) return scanned;
  for (size_t begin = 0; begin < fresh.size(); begin += kDocumentsPerWrite) {
    const size_t count = std::min(kDocumentsPerWrite, fresh.size() - begin);
    auto entries = parts.embeddings.EmbedPassages(std::span(fresh).subspan(begin, count));
    if (!entries.ok()) return entries.status();
    catalog::StoreBatch batch;
    batch.document_entries = *std::move(entries);
    if (absl::Status status = parts.store->Write(batch); !status.ok()) return status;
  }
  std::move(fresh.begin(), fresh.end(), std::back_inserter(stored));
  return parts.documents->Update(std::move(stored), {});
}

/// What `emptor faq tune` wrote for this shop, where it is there.
absl::Status LoadFaqTuning(ShopParts& parts) {
  const std::string path = parts.settings_directory() + "/faq_tuning.txt";
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::OkStatus();
  std::ostringstream text;
  text << file.rdbuf();
  auto tuning = retrieval::ParseFaqTuning(text.str());
  if (!tuning.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", path, std::string(tuning.status().message())));
  }
  parts.faq->SetTuning(*std::move(tuning));
  return absl::OkStatus();
}

absl::Status OpenFaq(ShopParts& parts) {
  std::shared_ptr<catalog::FaqStore> entries = parts.options.faq;
  if (entries == nullptr) {
    auto opened = catalog::FaqStore::Open(parts.settings_directory() + "/faq");
    if (!opened.ok()) return opened.status();
    entries = *std::move(opened);
  }
  auto faq = ShopFaq::Open(std::move(entries), *parts.store, parts.embeddings.embedder(),
                           parts.options.directory + "/faq_vectors");
  if (!faq.ok()) return faq.status();
  parts.faq = *std::move(faq);
  return LoadFaqTuning(parts);
}

/// Opens both searches and the FAQ, if the stored vectors are this embedder's or may be replaced.
absl::Status OpenSearches(ShopParts& parts) {
  const auto known = ReadEmbedderEntry(*parts.store);
  if (!known.ok()) return known.status();
  const std::string mine = EntryOf(parts.embeddings.embedder());
  const bool is_other = !known->empty() && *known != mine && parts.store->info().products > 0;
  if (is_other && !parts.options.embed_when_changed) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the stored vectors are those of {}, the embedder is {}: choose the "
                    "embedder that made them, or embed the records again with `emptor shop "
                    "reembed` or `emptor shop rebuild`",
                    parts.options.directory, *known, mine));
  }
  if (is_other) spdlog::info("{}: embedding every record with {}", parts.options.directory, mine);
  if (absl::Status status = OpenIndex(parts); !status.ok()) return status;
  if (absl::Status status = OpenDocuments(parts); !status.ok()) return status;
  if (absl::Status status = OpenFaq(parts); !status.ok()) return status;
  if (*known == mine) return absl::OkStatus();
  catalog::StoreBatch batch;
  batch.metadata.push_back({std::string(kEmbedderEntry), mine});
  return parts.store->Write(batch);
}

void ReadWords(ShopParts& parts, const std::stop_token& stop) {
  const absl::Status scanned =
      parts.store->ScanProducts([&](const catalog::Product& product, std::string_view) {
        if (product.quarantine.empty()) parts.words->Load(product);
        return !stop.stop_requested();
      });
  if (!scanned.ok())
    spdlog::warn("words: {}; spelling correction is incomplete", scanned.ToString());
  parts.words->EndLoading();
  parts.words_known = scanned.ok() && !stop.stop_requested();
  parts.changes.CountContent();  // searches correct more words from now on
}

/// Words that were not saved with the index are read from the records while searches and imports
/// continue; for a large shop this takes seconds.
void BeginWords(ShopParts& parts) {
  if (parts.words_known) return;
  parts.words->BeginLoading();
  parts.word_reader =
      std::jthread([&parts](const std::stop_token& stop) { ReadWords(parts, stop); });
}

}  // namespace

Shop::Shop(std::unique_ptr<ShopParts> parts)
    : parts_(std::move(parts)), reader_(*parts_), writer_(*parts_), lifecycle_(*parts_) {}

absl::StatusOr<std::unique_ptr<Shop>> Shop::Open(const ShopOptions& options,
                                                 const retrieval::Embedder& embedder) {
  catalog::StoreOptions store_options = StoreWithin(options.memory_bytes);
  store_options.create_if_missing = options.create_if_missing;
  auto store = catalog::ProductStore::Open(options.directory + "/catalog", store_options);
  if (!store.ok()) return store.status();
  const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  std::unique_ptr<Shop> shop(
      new Shop(std::make_unique<ShopParts>(options, embedder, *std::move(store), *analyzer)));
  if (absl::Status status = shop->writer_.ReloadSynonyms(); !status.ok()) return status;
  if (absl::Status status = shop->writer_.ReloadMerchandising(); !status.ok()) return status;
  if (absl::Status status = OpenSearches(*shop->parts_); !status.ok()) return status;
  BeginWords(*shop->parts_);
  return shop;
}

Shop::~Shop() {
  if (parts_->products == nullptr || parts_->faq == nullptr) return;  // opening has failed
  parts_->saver.Stop();
  if (IsIndexSaved(*parts_)) return;
  if (parts_->word_reader.joinable()) parts_->word_reader.join();  // what it reads is saved, too
  const absl::Status saved = SaveIndex(*parts_);
  if (!saved.ok()) spdlog::warn("{}; the next start takes longer", saved.ToString());
}

const std::string& Shop::directory() const { return parts_->options.directory; }

}  // namespace emptor::services

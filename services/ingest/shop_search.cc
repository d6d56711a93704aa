// What a shop answers with its words: searches of products, completions, synonyms.
#include <spdlog/spdlog.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "services/ingest/shop.h"

namespace emptor::services {

absl::StatusOr<retrieval::SearchResult> Shop::SearchProducts(
    const retrieval::SearchRequest& request) const {
  auto result = products_->Search(request);
  if (result.ok() && !result->hits.empty() && result->corrections.empty()) {
    words_->NoteQuery(request.query);
  }
  return result;
}

std::vector<retrieval::Completion> Shop::Complete(std::string_view typed, size_t limit) const {
  std::vector<retrieval::Completion> completions = words_->book()->Complete(typed, limit);
  // A product may have been deleted or renamed since the book was made.
  std::erase_if(completions, [this](retrieval::Completion& completion) {
    if (completion.kind != retrieval::CompletionKind::kProduct) return false;
    const auto product = FindProduct(completion.id);
    if (!product.ok() || !product->has_value()) return true;
    completion.text = (*product)->title;
    return false;
  });
  return completions;
}

absl::Status Shop::ReloadSynonyms() {
  const std::string& directory =
      options_.settings_directory.empty() ? options_.directory : options_.settings_directory;
  const std::string path = directory + "/synonyms.txt";
  std::error_code error;
  const bool has_own = std::filesystem::exists(path, error);
  if (error) return absl::UnavailableError(path + ": " + error.message());
  retrieval::Synonyms synonyms;
  if (has_own) {
    const uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error || bytes > retrieval::Synonyms::kMaxFileBytes) {
      return absl::InvalidArgumentError(path + ": expected a file of at most 4 MiB");
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    if (file.bad()) return absl::UnavailableError(path + ": cannot be read");
    auto parsed = retrieval::Synonyms::Parse(path, text);
    if (!parsed.ok()) return parsed.status();
    synonyms = *std::move(parsed);
  }
  synonyms.Add(retrieval::DefaultSynonyms());
  words_->SetSynonyms(std::move(synonyms));
  return absl::OkStatus();
}

/// Where they were not saved with the index they are read from the records, beside searches and
/// imports: those of a large shop take seconds.
void Shop::BeginWords() {
  if (words_known_) return;
  words_->BeginLoading();
  word_reader_ = std::jthread([this](const std::stop_token& stop) { ReadWords(stop); });
}

void Shop::ReadWords(const std::stop_token& stop) {
  const absl::Status scanned =
      store_->ScanProducts([&](const catalog::Product& product, std::string_view) {
        if (product.quarantine.empty()) words_->Load(product);
        return !stop.stop_requested();
      });
  if (!scanned.ok()) spdlog::warn("words: {}; searches correct less", scanned.ToString());
  words_->EndLoading();
  words_known_ = scanned.ok() && !stop.stop_requested();
}

}  // namespace emptor::services

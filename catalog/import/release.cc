// Notes named by a hash of the id (an id and a prefix may be too long for a name), worth a hash of
// the text.
#include "catalog/import/release.h"

#include <string>
#include <string_view>

#include "catalog/content_hash.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kPrefix = "released-";

MetadataEntry NoteOf(std::string_view kind, const std::string& id, uint64_t text_hash) {
  Product name;
  name.title = id;
  return {fmt::format("{}{}-{:016x}", kPrefix, kind, IndexTextHash(name)),
          fmt::format("{:016x}", text_hash)};
}

absl::StatusOr<bool> IsStored(const ProductStore& store, const MetadataEntry& note) {
  const auto stored = store.FindMetadata(note.name);
  if (!stored.ok()) return stored.status();
  return *stored == note.value;
}

}  // namespace

MetadataEntry ReleaseMark(const Product& product) {
  return NoteOf("product", product.id, IndexTextHash(product));
}

MetadataEntry ReleaseMark(const Document& document) {
  Document text;
  text.title = document.title;
  text.text = document.text;
  return NoteOf("document", document.id, ContentHash(text));
}

absl::StatusOr<std::vector<MetadataEntry>> ReleaseMarks(const ProductStore& store) {
  std::vector<MetadataEntry> notes;
  const absl::Status scanned =
      store.ScanMetadata([&](std::string_view name, std::string_view value) {
        if (name.starts_with(kPrefix)) notes.push_back({std::string(name), std::string(value)});
        return true;
      });
  if (!scanned.ok()) return scanned;
  return notes;
}

absl::StatusOr<bool> WasReleased(const ProductStore& store, const Product& product) {
  return IsStored(store, ReleaseMark(product));
}

absl::StatusOr<bool> WasReleased(const ProductStore& store, const Document& document) {
  return IsStored(store, ReleaseMark(document));
}

}  // namespace emptor::catalog

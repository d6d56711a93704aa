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

StoreNote NoteOf(std::string_view kind, const std::string& id, uint64_t text_hash) {
  Product name;
  name.title = id;
  return {fmt::format("{}{}-{:016x}", kPrefix, kind, IndexTextHash(name)),
          fmt::format("{:016x}", text_hash)};
}

absl::StatusOr<bool> IsStored(const ProductStore& store, const StoreNote& note) {
  const auto stored = store.FindNote(note.name);
  if (!stored.ok()) return stored.status();
  return *stored == note.value;
}

}  // namespace

StoreNote ReleaseNote(const Product& product) {
  return NoteOf("product", product.id, IndexTextHash(product));
}

StoreNote ReleaseNote(const Document& document) {
  Document text;
  text.title = document.title;
  text.text = document.text;
  return NoteOf("document", document.id, ContentHash(text));
}

absl::StatusOr<std::vector<StoreNote>> ReleaseNotes(const ProductStore& store) {
  std::vector<StoreNote> notes;
  const absl::Status scanned = store.ScanNotes([&](std::string_view name, std::string_view value) {
    if (name.starts_with(kPrefix)) notes.push_back({std::string(name), std::string(value)});
    return true;
  });
  if (!scanned.ok()) return scanned;
  return notes;
}

absl::StatusOr<bool> WasReleased(const ProductStore& store, const Product& product) {
  return IsStored(store, ReleaseNote(product));
}

absl::StatusOr<bool> WasReleased(const ProductStore& store, const Document& document) {
  return IsStored(store, ReleaseNote(document));
}

}  // namespace emptor::catalog

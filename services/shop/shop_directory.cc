// A slot with its own lock for each shop, so that no caller waits for another shop. New generations
// are built in shop_rebuild.cc.
#include "services/shop/shop_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

#include "catalog/storage/durable_file.h"
#include "services/shop/shop_slot.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

/// Marks the directory of a shop that was deleted while it was in use.
constexpr const char* kDeletedMark = "/DELETED";
constexpr const char* kRemovedPrefix = ".deleted-";  // no shop's name begins like this

struct OpenShops {
  size_t count = 0, bytes = 0;
};

bool IsThere(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// The mark is looked for first: a removal takes both away at once, between the two looks as well.
bool IsShop(const std::string& path) { return !IsThere(path + kDeletedMark) && IsThere(path); }

/// Renames the directory first: the name is free at once, and a crash leaves no half-removed shop.
void RemoveShop(const fs::path& path) {
  static std::atomic<uint64_t> number{0};
  std::error_code error;
  fs::path moved;
  do {
    moved = path.parent_path() /
            fmt::format("{}{}-{}", kRemovedPrefix, path.filename().string(), ++number);
  } while (fs::exists(moved, error));
  fs::rename(path, moved, error);
  if (!error) fs::remove_all(moved, error);
}

}  // namespace

bool IsValidShopName(std::string_view name) {
  return !name.empty() && name.size() <= 63 && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
         });
}

void ShopDirectory::Slot::Release(const std::string& generation) {
  {
    const std::lock_guard lock(held_mutex);
    held.erase(generation);
    if (is_deleted && held.empty()) faq.reset();
    if (is_deleted && held.empty()) RemoveShop(path);  // the next start removes what is left
  }
  released.notify_all();
}

absl::StatusOr<std::shared_ptr<catalog::FaqStore>> ShopDirectory::Slot::OpenFaq() {
  const std::lock_guard lock(held_mutex);
  if (faq != nullptr) return faq;
  auto opened = catalog::FaqStore::Open(path + "/faq");
  if (!opened.ok()) return opened.status();
  faq = *std::move(opened);
  return faq;
}

void ShopDirectory::Slot::CloseIdleFaq() {
  const std::lock_guard lock(held_mutex);
  if (faq.use_count() == 1) faq.reset();
}

ShopDirectory::ShopDirectory(ShopDirectoryOptions options, const retrieval::Embedder& embedder)
    : options_(std::move(options)), embedder_(embedder) {
  RemoveDeleted();
}

ShopDirectory::~ShopDirectory() {
  for (const auto& [name, slot] : slots_) {
    const std::lock_guard lock(slot->mutex);
    slot->shop.reset();  // its deleter uses the slot
  }
}

void ShopDirectory::RemoveDeleted() {
  std::error_code error;
  std::vector<fs::path> deleted, removed;
  for (const auto& entry : fs::directory_iterator(options_.data_directory + "/shops", error)) {
    const fs::path& path = entry.path();
    if (path.filename().string().starts_with(kRemovedPrefix)) {
      removed.push_back(path);
    } else if (IsThere(path.string() + kDeletedMark)) {
      deleted.push_back(path);
    }
  }
  for (const fs::path& path : deleted) RemoveShop(path);
  for (const fs::path& path : removed) fs::remove_all(path, error);
}

std::string ShopDirectory::PathOf(const std::string& name) const {
  return name == kDefaultShop ? options_.data_directory
                              : options_.data_directory + "/shops/" + name;
}

absl::StatusOr<std::shared_ptr<ShopDirectory::Slot>> ShopDirectory::SlotOf(
    const std::string& name) {
  if (!IsValidShopName(name)) {
    return absl::InvalidArgumentError(
        fmt::format("shop: expected letters a-z, digits and '-', found {:?}", name.substr(0, 64)));
  }
  const std::string path = PathOf(name);
  const bool may_be_made = name == kDefaultShop && options_.shop.create_if_missing;
  // Under the lock, since a deletion marks first and then takes the slot away: who finds no mark
  // finds the slot that will know of the deletion.
  const std::lock_guard lock(mutex_);
  if (!IsShop(path) && !may_be_made) {
    return absl::NotFoundError(fmt::format("shop: there is no {:?}", name));
  }
  std::shared_ptr<Slot>& slot = slots_[name];
  if (slot == nullptr) slot = std::make_shared<Slot>(name, path);
  return slot;
}

/// REQUIRES: the caller does not hold slot->held_mutex.
absl::StatusOr<std::shared_ptr<Shop>> ShopDirectory::OpenGeneration(
    const std::shared_ptr<Slot>& slot, const std::string& generation, bool create) {
  {
    std::unique_lock lock(slot->held_mutex);
    while (true) {
      const auto found = slot->held.find(generation);
      if (found == slot->held.end()) break;
      if (std::shared_ptr<Shop> shop = found->second.lock()) return shop;
      slot->released.wait(lock);  // it is being closed
    }
  }
  ShopOptions options = options_.shop;
  options.directory = slot->generations->PathOf(generation);
  options.settings_directory = slot->path;
  options.create_if_missing = create;
  auto faq = slot->OpenFaq();
  if (!faq.ok()) return faq.status();
  options.faq = *std::move(faq);
  auto opened = Shop::Open(options, embedder_);
  if (!opened.ok()) return opened.status();
  std::shared_ptr<Shop> shop(opened->release(), [slot, generation](Shop* closing) {
    delete closing;
    slot->Release(generation);
  });
  const std::lock_guard lock(slot->held_mutex);
  slot->held[generation] = shop;
  return shop;
}

absl::StatusOr<std::shared_ptr<Shop>> ShopDirectory::Find(const std::string& name) {
  auto found = SlotOf(name);
  if (!found.ok()) return found.status();
  const std::shared_ptr<Slot>& slot = *found;
  slot->last_used = ++clock_;
  std::shared_ptr<Shop> shop;
  {
    const std::lock_guard lock(slot->mutex);
    if (slot->shop != nullptr) return slot->shop;
    if (slot->is_deleted) return absl::NotFoundError(fmt::format("shop: there is no {:?}", name));
    auto opened = OpenShop(slot, options_.shop.create_if_missing);
    slot->error = opened.status();
    if (!opened.ok()) return opened.status();
    shop = *std::move(opened);
  }
  CloseIdle();
  return shop;
}

std::shared_ptr<Shop> ShopDirectory::FindOpen(const std::string& name) {
  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard lock(mutex_);
    const auto found = slots_.find(name);
    if (found == slots_.end()) return nullptr;
    slot = found->second;
  }
  const std::unique_lock lock(slot->mutex, std::try_to_lock);
  if (!lock.owns_lock()) return nullptr;
  slot->last_used = ++clock_;
  return slot->shop;
}

/// REQUIRES: slot->mutex is held.
absl::StatusOr<std::shared_ptr<Shop>> ShopDirectory::OpenShop(const std::shared_ptr<Slot>& slot,
                                                              bool create) {
  auto generations = ShopGenerations::Open(slot->path, create);
  if (!generations.ok()) return generations.status();
  slot->generations = *std::move(generations);
  // Only the first generation of a new shop may be created empty. Its first opening saves an index,
  // so one without an index is new.
  const std::string directory = slot->generations->PathOf(slot->generations->current());
  const bool is_new = create && directory != slot->path && !IsThere(directory + "/index");
  auto shop = OpenGeneration(slot, slot->generations->current(), is_new);
  if (shop.ok()) slot->shop = *shop;
  return shop;
}

/// Closes unused shops until the bounds hold.
void ShopDirectory::CloseIdle() {
  std::vector<std::shared_ptr<Slot>> slots;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, slot] : slots_) slots.push_back(slot);
  }
  std::sort(slots.begin(), slots.end(),
            [](const auto& a, const auto& b) { return a->last_used.load() < b->last_used.load(); });
  OpenShops open;
  for (const std::shared_ptr<Slot>& slot : slots) {
    const std::unique_lock lock(slot->mutex, std::try_to_lock);
    if (!lock.owns_lock()) {
      ++open.count;  // being opened
    } else if (slot->shop != nullptr) {
      ++open.count;
      open.bytes += slot->shop->reader().memory_bytes();
    }
  }
  for (const std::shared_ptr<Slot>& slot : slots) {
    const bool too_many = open.count > options_.max_open;
    const bool too_large = options_.max_open_bytes > 0 && open.bytes > options_.max_open_bytes;
    if (!too_many && !too_large) return;
    const std::unique_lock lock(slot->mutex, std::try_to_lock);
    if (!lock.owns_lock() || slot->shop == nullptr || slot->shop.use_count() > 1) continue;
    open.bytes -= std::min(open.bytes, slot->shop->reader().memory_bytes());
    slot->shop.reset();
    slot->CloseIdleFaq();
    --open.count;
  }
}

absl::Status ShopDirectory::Create(const std::string& name) {
  if (!IsValidShopName(name)) return SlotOf(name).status();
  const std::string path = PathOf(name);
  if (IsThere(path + kDeletedMark)) {
    return absl::UnavailableError(
        fmt::format("shop: a {:?} that was deleted is still in use; try again", name));
  }
  if (IsThere(path + "/CURRENT") || IsThere(path + "/catalog")) {
    return absl::AlreadyExistsError(fmt::format("shop: there is a {:?} already", name));
  }
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
  auto slot = SlotOf(name);
  if (!slot.ok()) return slot.status();
  (*slot)->last_used = ++clock_;
  absl::Status status;
  {
    const std::lock_guard lock((*slot)->mutex);
    status = OpenShop(*slot, /*create=*/true).status();
    (*slot)->error = status;
  }
  CloseIdle();
  return status;
}

absl::Status ShopDirectory::Delete(const std::string& name) {
  if (name == kDefaultShop) {
    return absl::FailedPreconditionError("shop: the default shop cannot be deleted");
  }
  auto found = SlotOf(name);
  if (!found.ok()) return found.status();
  const std::shared_ptr<Slot> slot = *found;
  if (slot->is_building) return absl::UnavailableError("shop: a generation is being built");
  absl::Status marked = catalog::WriteFileDurably(slot->path + kDeletedMark, "");
  if (!marked.ok()) return marked;
  {
    const std::lock_guard lock(mutex_);
    slots_.erase(name);
  }
  const std::lock_guard lock(slot->mutex);
  bool is_held = false;
  {
    const std::lock_guard held_lock(slot->held_mutex);
    slot->is_deleted = true;
    is_held = !slot->held.empty();
  }
  slot->shop.reset();  // the last holder removes the files
  if (!is_held) slot->Release("");
  return absl::OkStatus();
}

std::vector<ShopInfo> ShopDirectory::List() {
  std::set<std::string> names;
  if (IsThere(PathOf(kDefaultShop))) names.insert(kDefaultShop);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(options_.data_directory + "/shops", error)) {
    const std::string name = entry.path().filename().string();
    if (IsValidShopName(name) && IsShop(entry.path().string())) names.insert(name);
  }
  std::vector<ShopInfo> infos;
  for (const std::string& name : names) {
    ShopInfo info;
    info.name = name;
    if (const auto slot = SlotOf(name); slot.ok()) {
      const std::lock_guard lock((*slot)->mutex);
      info.is_open = (*slot)->shop != nullptr;
      info.health = info.is_open ? (*slot)->shop->reader().health() : (*slot)->error;
      if (info.is_open) {
        info.records = (*slot)->shop->reader().info();
        info.memory_bytes = (*slot)->shop->reader().memory_bytes();
      }
      const auto& known = (*slot)->generations;
      const auto stored = known ? absl::StatusOr<ShopGenerations>(*known)
                                : ShopGenerations::Open((*slot)->path, /*create=*/false);
      if (stored.ok()) info.generation = stored->current();
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace emptor::services

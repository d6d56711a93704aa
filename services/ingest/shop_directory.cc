// Slots, one a shop; a lock each, so that nobody waits for another shop.
#include "services/ingest/shop_directory.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <filesystem>
#include <set>
#include <utility>

#include "catalog/storage/durable_file.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

/// Marks the directory of a shop that was deleted while somebody held it.
constexpr const char* kDeletedMark = "/DELETED";

struct OpenShops {
  size_t count = 0, bytes = 0;
};

bool IsThere(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

absl::Status Refused(std::string_view gate, const std::string& why) {
  return absl::FailedPreconditionError(fmt::format("generation: {}: {}", gate, why));
}

std::string CatalogOf(const ShopGenerations& generations) {
  return generations.PathOf(generations.current()) + "/catalog";
}

absl::Status CheckGates(const GenerationGates& gates, uint64_t served, const Shop& next) {
  const uint64_t products = next.info().products;
  if (products < gates.min_products) {
    return Refused("min_products",
                   fmt::format("expected {}, found {}", gates.min_products, products));
  }
  if (static_cast<double>(products) < gates.min_share * static_cast<double>(served)) {
    return Refused("min_share", fmt::format("{} products of {} that are served are left, less than "
                                            "{:.0f} %",
                                            products, served, gates.min_share * 100));
  }
  for (const GenerationGates::Canary& canary : gates.canaries) {
    retrieval::SearchRequest request;
    request.query = canary.query;
    request.limit = gates.canary_depth;
    const auto found = next.SearchProducts(request);
    if (!found.ok()) return found.status();
    const bool is_found =
        std::any_of(found->hits.begin(), found->hits.end(),
                    [&](const retrieval::Hit& hit) { return hit.id == canary.product_id; });
    if (is_found) continue;
    return Refused("canary", fmt::format("{:?} does not find {} among its first {}", canary.query,
                                         canary.product_id, gates.canary_depth));
  }
  return absl::OkStatus();
}

/// Carries to `next` what was written to `served`.
absl::Status Carry(const Shop& served, const WrittenRecords& written, Shop& next) {
  if (absl::Status status = next.TakeOver(written, served); !status.ok()) return status;
  return CopyJobFiles(served.directory() + "/jobs", next.directory() + "/jobs", written.notes());
}

/// Until little is left for the pause, or writers turn out to be faster.
absl::Status CarryMost(Shop& served, Shop& next) {
  constexpr int kRounds = 8;
  constexpr size_t kFewRecords = 100;
  for (int round = 0; round < kRounds; ++round) {
    const WrittenRecords written = served.TakeWritten(served.PauseWrites());
    absl::Status status = Carry(served, written, next);
    if (!status.ok() || written.size() <= kFewRecords) return status;
  }
  return absl::OkStatus();
}

}  // namespace

bool IsValidShopName(std::string_view name) {
  return !name.empty() && name.size() <= 63 && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
         });
}

struct ShopDirectory::Slot {
  Slot(std::string name_in, std::string path_in)
      : name(std::move(name_in)), path(std::move(path_in)) {}

  const std::string name, path;
  std::atomic<uint64_t> last_used{0};
  std::atomic<bool> is_building{false};

  std::mutex mutex;                            // held while opening, closing and flipping
  std::shared_ptr<Shop> shop;                  // guarded by mutex; null: not open
  std::optional<ShopGenerations> generations;  // guarded by mutex
  absl::Status error;                          // of the last opening; guarded by mutex

  // A generation's store can be opened once: who wants it again shares it, or waits for its end.
  std::mutex held_mutex;  // taken with or without mutex; never the other way round
  std::condition_variable released;
  std::map<std::string, std::weak_ptr<Shop>> held;  // by generation; guarded by held_mutex
  bool is_deleted = false;                          // guarded by held_mutex

  void Release(const std::string& generation) {
    {
      const std::lock_guard lock(held_mutex);
      held.erase(generation);
      std::error_code ignored;  // what is left goes at the next start
      if (is_deleted && held.empty()) fs::remove_all(path, ignored);
    }
    released.notify_all();
  }
};

ShopDirectory::ShopDirectory(ShopDirectoryOptions options, const retrieval::Embedder& embedder)
    : options_(std::move(options)), embedder_(embedder) {
  RemoveDeleted();
}

ShopDirectory::~ShopDirectory() {
  for (const auto& [name, slot] : slots_) {
    const std::lock_guard lock(slot->mutex);
    slot->shop.reset();  // its end refers to the slot
  }
}

void ShopDirectory::RemoveDeleted() {
  std::error_code error;
  std::vector<fs::path> deleted;
  for (const auto& entry : fs::directory_iterator(options_.data_directory + "/shops", error)) {
    if (IsThere(entry.path().string() + kDeletedMark)) deleted.push_back(entry.path());
  }
  for (const fs::path& path : deleted) fs::remove_all(path, error);
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
  const bool is_there = IsThere(path) && !IsThere(path + kDeletedMark);
  if (!is_there && !may_be_made) {
    return absl::NotFoundError(fmt::format("shop: there is no {:?}", name));
  }
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Slot>& slot = slots_[name];
  if (slot == nullptr) slot = std::make_shared<Slot>(name, path);
  return slot;
}

/// REQUIRES: nobody waits for slot->mutex with held_mutex.
absl::StatusOr<std::shared_ptr<Shop>> ShopDirectory::OpenGeneration(
    const std::shared_ptr<Slot>& slot, const std::string& generation, bool create) {
  {
    std::unique_lock lock(slot->held_mutex);
    while (true) {
      const auto found = slot->held.find(generation);
      if (found == slot->held.end()) break;
      if (std::shared_ptr<Shop> shop = found->second.lock()) return shop;
      slot->released.wait(lock);  // somebody is closing it
    }
  }
  ShopOptions options = options_.shop;
  options.directory = slot->generations->PathOf(generation);
  options.settings_directory = slot->path;
  options.create_if_missing = create;
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
  // The first generation of a new shop is made empty; any other must hold what it held. Its first
  // opening saves its index.
  const std::string directory = slot->generations->PathOf(slot->generations->current());
  const bool is_new = create && directory != slot->path && !IsThere(directory + "/index");
  auto shop = OpenGeneration(slot, slot->generations->current(), is_new);
  if (shop.ok()) slot->shop = *shop;
  return shop;
}

/// Closes shops that nobody uses until the bounds hold.
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
      open.bytes += slot->shop->memory_bytes();
    }
  }
  for (const std::shared_ptr<Slot>& slot : slots) {
    const bool too_many = open.count > options_.max_open;
    const bool too_large = options_.max_open_bytes > 0 && open.bytes > options_.max_open_bytes;
    if (!too_many && !too_large) return;
    const std::unique_lock lock(slot->mutex, std::try_to_lock);
    if (!lock.owns_lock() || slot->shop == nullptr || slot->shop.use_count() > 1) continue;
    open.bytes -= std::min(open.bytes, slot->shop->memory_bytes());
    slot->shop.reset();
    --open.count;
  }
}

absl::Status ShopDirectory::Create(const std::string& name) {
  if (!IsValidShopName(name)) return SlotOf(name).status();
  const std::string path = PathOf(name);
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
    if (IsValidShopName(name) && !IsThere(entry.path().string() + kDeletedMark)) names.insert(name);
  }
  std::vector<ShopInfo> infos;
  for (const std::string& name : names) {
    ShopInfo info;
    info.name = name;
    if (const auto slot = SlotOf(name); slot.ok()) {
      const std::lock_guard lock((*slot)->mutex);
      info.is_open = (*slot)->shop != nullptr;
      info.health = info.is_open ? (*slot)->shop->health() : (*slot)->error;
      if (info.is_open) {
        info.records = (*slot)->shop->info();
        info.memory_bytes = (*slot)->shop->memory_bytes();
      }
      if ((*slot)->generations) info.generation = (*slot)->generations->current();
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

absl::Status ShopDirectory::Rebuild(const std::string& name, const GenerationGates& gates,
                                    const std::function<absl::Status(Shop& next)>& fill) {
  const auto served = FindServed(name);
  if (!served.ok()) return served.status();
  const auto found = SlotOf(name);
  if (!found.ok()) return found.status();
  const std::shared_ptr<Slot>& slot = *found;
  if (slot->is_building.exchange(true)) {
    return absl::UnavailableError(fmt::format("shop {}: a generation is being built", name));
  }
  absl::Status status = BuildAndServe(slot, served->get(), gates, fill);
  if (*served != nullptr) (*served)->ForgetWrites((*served)->PauseWrites());
  slot->is_building = false;
  return status;
}

absl::StatusOr<std::shared_ptr<Shop>> ShopDirectory::FindServed(const std::string& name) {
  auto served = Find(name);
  if (absl::IsFailedPrecondition(served.status())) return std::shared_ptr<Shop>();
  return served;
}

/// Products that are served now, or would be with the embedder that made their vectors.
absl::StatusOr<uint64_t> ShopDirectory::CountServed(const std::shared_ptr<Slot>& slot,
                                                    const Shop* served) const {
  if (served != nullptr) return served->info().products;
  const std::lock_guard lock(slot->mutex);
  const auto store = catalog::ProductStore::Open(CatalogOf(*slot->generations), {});
  if (!store.ok()) return store.status();
  return (*store)->info().products;
}

absl::Status ShopDirectory::Reembed(const std::string& name) {
  const auto served = FindServed(name);
  if (!served.ok() || *served != nullptr) return served.status();
  const auto slot = SlotOf(name);
  if (!slot.ok()) return slot.status();
  std::string catalog;
  {
    const std::lock_guard lock((*slot)->mutex);
    catalog = CatalogOf(*(*slot)->generations);
  }
  const GenerationGates every_product{.min_products = 0, .min_share = 1};
  return Rebuild(name, every_product, [&](Shop& next) {
    const auto store = catalog::ProductStore::Open(catalog, {});
    return store.ok() ? next.TakeRecords(**store) : store.status();
  });
}

absl::Status ShopDirectory::BuildAndServe(const std::shared_ptr<Slot>& slot, Shop* served,
                                          const GenerationGates& gates,
                                          const std::function<absl::Status(Shop& next)>& fill) {
  absl::Status status;
  if (served != nullptr) status = served->FollowWrites(served->PauseWrites());
  if (!status.ok()) return status;
  std::string generation;
  absl::StatusOr<std::shared_ptr<Shop>> next = absl::InternalError("not opened");
  {
    const std::lock_guard lock(slot->mutex);
    auto begun = slot->generations->Begin();
    if (!begun.ok()) return begun.status();
    generation = *begun;
    next = OpenGeneration(slot, generation, /*create=*/true);
    if (!next.ok()) return next.status();
  }
  status = fill(**next);
  if (status.ok() && served != nullptr) status = CarryMost(*served, **next);
  if (status.ok()) {
    auto products = CountServed(slot, served);
    // The last writes are carried while none can come; from the flip on the old generation refuses.
    // The slot comes before the pause, as wherever a shop is opened or closed.
    const std::lock_guard lock(slot->mutex);
    std::optional<Shop::WritePause> pause;
    if (served != nullptr) {
      pause.emplace(served->PauseWrites());
      status = Carry(*served, served->TakeWritten(*pause), **next);
      products = served->info().products;
    }
    if (status.ok()) status = products.status();
    if (status.ok()) status = CheckGates(gates, *products, **next);
    if (status.ok()) status = slot->generations->Activate(generation);
    if (status.ok()) {
      if (served != nullptr) served->Retire(*pause, true);
      // Rules may have been set for the shop while this was built.
      if (const absl::Status pins = (*next)->ReloadPins(); !pins.ok()) {
        spdlog::warn("shop {}: pins stay as they were: {}", slot->name, pins.ToString());
      }
      slot->shop = *std::move(next);
      slot->shop->NoteJobEnd();
    }
  }
  const std::lock_guard lock(slot->mutex);
  if (!status.ok()) {
    next = absl::CancelledError("not served");  // closes it
    (void)slot->generations->Remove(generation);
    return status;
  }
  return slot->generations->RemoveOld([&](const std::string& old) {
    const std::lock_guard held_lock(slot->held_mutex);
    return slot->held.contains(old);
  });
}

absl::Status ShopDirectory::RollBack(const std::string& name) {
  const auto served = FindServed(name);
  if (!served.ok()) return served.status();
  const auto found = SlotOf(name);
  if (!found.ok()) return found.status();
  const std::shared_ptr<Slot>& slot = *found;
  if (slot->is_building.exchange(true)) {
    return absl::UnavailableError(fmt::format("shop {}: a generation is being built", name));
  }
  absl::Status status = ServePrevious(slot, served->get());
  slot->is_building = false;
  return status;
}

absl::Status ShopDirectory::ServePrevious(const std::shared_ptr<Slot>& slot, Shop* served) {
  const std::lock_guard lock(slot->mutex);
  const std::optional<std::string> before = slot->generations->previous();
  if (!before) {
    return absl::NotFoundError(
        fmt::format("shop {}: no generation before {}", slot->name, slot->generations->current()));
  }
  auto shop = OpenGeneration(slot, *before, /*create=*/false);
  if (!shop.ok()) return shop.status();
  // The older generation first, as a rebuild pauses them.
  const Shop::WritePause older = (*shop)->PauseWrites();
  std::optional<Shop::WritePause> pause;
  if (served != nullptr) pause.emplace(served->PauseWrites());
  absl::Status status = slot->generations->Activate(*before);
  if (!status.ok()) return status;
  if (served != nullptr) served->Retire(*pause, true);
  (*shop)->Retire(older, false);  // it may have been held since it was served
  slot->shop = *std::move(shop);
  return absl::OkStatus();
}

}  // namespace emptor::services

// The next generation of a shop: filled while the present one is served, checked, then served by
// one rename; and the way back.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "services/shop/shop_directory.h"
#include "services/shop/shop_slot.h"

namespace emptor::services {
namespace {

absl::Status Refused(std::string_view gate, const std::string& why) {
  return absl::FailedPreconditionError(fmt::format("generation: {}: {}", gate, why));
}

std::string CatalogOf(const ShopGenerations& generations) {
  return generations.PathOf(generations.current()) + "/catalog";
}

absl::Status CheckGates(const GenerationGates& gates, uint64_t served, const ShopReader& next) {
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

/// Replays to `next` what was written to `served`, the files of jobs included.
absl::Status Replay(Shop& served, const WrittenRecords& delta, Shop& next) {
  absl::Status status = next.lifecycle().ReplayDelta(delta, served.lifecycle().store());
  if (!status.ok()) return status;
  return CopyJobFiles(served.directory() + "/jobs", next.directory() + "/jobs", delta.metadata());
}

/// Replays until little is left for the pause, or until writers prove to be faster.
absl::Status ReplayMost(Shop& served, Shop& next) {
  constexpr int kRounds = 8;
  constexpr size_t kFewRecords = 100;
  for (int round = 0; round < kRounds; ++round) {
    ShopLifecycle& writes = served.lifecycle();
    const WrittenRecords delta = writes.TakeWritten(writes.PauseWrites());
    absl::Status status = Replay(served, delta, next);
    if (!status.ok() || delta.size() <= kFewRecords) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ShopDirectory::ChangeServed(
    const std::string& name,
    const std::function<absl::Status(const std::shared_ptr<Slot>& slot, Shop* served)>& change) {
  const auto served = FindServed(name);
  if (!served.ok()) return served.status();
  const auto slot = SlotOf(name);
  if (!slot.ok()) return slot.status();
  if ((*slot)->is_building.exchange(true)) {
    return absl::UnavailableError(fmt::format("shop {}: a generation is being built", name));
  }
  absl::Status status = change(*slot, served->get());
  (*slot)->is_building = false;
  return status;
}

absl::Status ShopDirectory::Rebuild(const std::string& name, const GenerationGates& gates,
                                    const std::function<absl::Status(Shop& next)>& fill) {
  return ChangeServed(name, [&](const std::shared_ptr<Slot>& slot, Shop* served) {
    absl::Status status = BuildAndServe(slot, served, gates, fill);
    if (served != nullptr) {
      served->lifecycle().StopFollowing(served->lifecycle().PauseWrites());
    }
    return status;
  });
}

absl::StatusOr<std::shared_ptr<Shop>> ShopDirectory::FindServed(const std::string& name) {
  auto served = Find(name);
  if (absl::IsFailedPrecondition(served.status())) return std::shared_ptr<Shop>();
  return served;
}

/// Number of products that are served, or would be with the embedder that made their vectors.
absl::StatusOr<uint64_t> ShopDirectory::CountServed(const std::shared_ptr<Slot>& slot,
                                                    const Shop* served) const {
  if (served != nullptr) return served->reader().info().products;
  const std::lock_guard lock(slot->mutex);
  const auto store = catalog::ProductStore::Open(CatalogOf(*slot->generations), {});
  if (!store.ok()) return store.status();
  return (*store)->info().products;
}

absl::Status ShopDirectory::ReadServed(
    const std::string& name,
    const std::function<absl::Status(const catalog::ProductStore&)>& read) {
  const auto served = FindServed(name);
  if (!served.ok()) return served.status();
  if (*served != nullptr) return read((*served)->lifecycle().store());
  const auto slot = SlotOf(name);
  if (!slot.ok()) return slot.status();
  const std::lock_guard lock((*slot)->mutex);
  const auto store = catalog::ProductStore::Open(CatalogOf(*(*slot)->generations), {});
  return store.ok() ? read(**store) : store.status();
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
    return store.ok() ? next.lifecycle().CopyRecords(**store) : store.status();
  });
}

/// A generation that was rolled back is removed when the next one begins. Waits until its last
/// holder has released it and its index is saved, but not longer than kPatience: a generation that
/// is held longer loses its files, as it would at the next start. REQUIRES: slot.mutex is not held,
/// since the holders may take it.
void ShopDirectory::AwaitRolledBack(Slot& slot) {
  constexpr std::chrono::seconds kPatience{10};
  std::string current;
  {
    const std::lock_guard lock(slot.mutex);
    if (!slot.generations) return;
    current = slot.generations->current();
  }
  std::unique_lock lock(slot.held_mutex);
  slot.released.wait_for(lock, kPatience,
                         [&] { return slot.held.upper_bound(current) == slot.held.end(); });
}

absl::Status ShopDirectory::BuildAndServe(const std::shared_ptr<Slot>& slot, Shop* served,
                                          const GenerationGates& gates,
                                          const std::function<absl::Status(Shop& next)>& fill) {
  AwaitRolledBack(*slot);
  absl::Status status;
  if (served != nullptr) {
    status = served->lifecycle().FollowWrites(served->lifecycle().PauseWrites());
  }
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
  if (status.ok() && served != nullptr) status = ReplayMost(*served, **next);
  if (status.ok()) {
    auto products = CountServed(slot, served);
    // The last writes are replayed during the pause; from the switch on the old generation refuses
    // writes. The slot is locked before the pause, as everywhere a shop is opened or closed.
    const std::lock_guard lock(slot->mutex);
    std::optional<ShopLifecycle::WritePause> pause;
    if (served != nullptr) {
      pause.emplace(served->lifecycle().PauseWrites());
      status = Replay(*served, served->lifecycle().TakeWritten(*pause), **next);
      products = served->reader().info().products;
    }
    if (status.ok()) status = products.status();
    if (status.ok()) status = CheckGates(gates, *products, (*next)->reader());
    if (status.ok()) status = slot->generations->Activate(generation);
    if (status.ok()) {
      if (served != nullptr) served->lifecycle().Retire(*pause, true);
      // Rules may have been set while this generation was built.
      if (const absl::Status read = (*next)->writer().ReloadMerchandising(); !read.ok()) {
        spdlog::warn("shop {}: the merchandising rules in use are kept: {}", slot->name,
                     read.ToString());
      }
      slot->shop = *std::move(next);
      slot->shop->writer().NoteJobEnd();
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
  return ChangeServed(name, [this](const std::shared_ptr<Slot>& slot, Shop* served) {
    return ServePrevious(slot, served);
  });
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
  // The older generation first, the order in which a rebuild pauses them.
  const ShopLifecycle::WritePause older = (*shop)->lifecycle().PauseWrites();
  std::optional<ShopLifecycle::WritePause> pause;
  if (served != nullptr) pause.emplace(served->lifecycle().PauseWrites());
  absl::Status status = slot->generations->Activate(*before);
  if (!status.ok()) return status;
  if (served != nullptr) served->lifecycle().Retire(*pause, true);
  (*shop)->lifecycle().Retire(older, false);  // it may have been held since it was retired
  slot->shop = *std::move(shop);
  return absl::OkStatus();
}

}  // namespace emptor::services

// All shops of a process: opened on demand, closed when memory is short, isolated from each other.
//
//   <data directory>/              the shop "default": its generations (shop_generations.h)
//   <data directory>/shops/NAME/   every other shop
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"
#include "services/shop/shop.h"
#include "services/shop/shop_generations.h"

namespace emptor::services {

inline constexpr const char* kDefaultShop = "default";

/// True for a valid name: [a-z0-9][a-z0-9-]{0,62}.
bool IsValidShopName(std::string_view name);

struct ShopDirectoryOptions {
  std::string data_directory;
  ShopOptions shop;  // of every shop; the directory is filled in
  /// While more shops than this are open, unused ones are closed, least recently used first. A shop
  /// in use is never closed.
  size_t max_open = 64;
  /// The same while the open shops hold more bytes than this. 0: no bound.
  size_t max_open_bytes = 0;
};

/// Conditions that a new generation must meet before it is served.
struct GenerationGates {
  uint64_t min_products = 1;
  /// Its products must be at least this share of those served now.
  double min_share = 0.8;
  /// Each query must find the product among its first `canary_depth` hits.
  struct Canary {
    std::string query;
    std::string product_id;
  };
  std::vector<Canary> canaries = {};
  int canary_depth = 10;
};

struct ShopInfo {
  std::string name;
  bool is_open = false;
  std::string generation;
  absl::Status health;         // why it cannot be opened or written, if so
  catalog::StoreInfo records;  // zeros unless open
  size_t memory_bytes = 0;     // 0 unless open
};

/// Thread-safety: any thread. Lifetime: the embedder outlives it.
/// Promises: a shop that is broken, slow to open or being deleted does not affect another. A holder
/// of a shop keeps that generation open, whatever is activated meanwhile.
class ShopDirectory {
 public:
  ShopDirectory(ShopDirectoryOptions options, const retrieval::Embedder& embedder);
  ~ShopDirectory();

  /// The shop as it is served now. Opens it if needed, and waits for that.
  /// Errors: kInvalidArgument (the name), kNotFound, those of Shop::Open. The next call
  /// retries a shop that failed to open.
  absl::StatusOr<std::shared_ptr<Shop>> Find(const std::string& name);

  /// The shop if it is open, without waiting; null when it is closed or being opened.
  std::shared_ptr<Shop> FindOpen(const std::string& name);

  /// Errors: kInvalidArgument, kAlreadyExists, those of Shop::Open.
  absl::Status Create(const std::string& name);
  /// Forgets the shop at once and removes its files when it is no longer in use. The default shop
  /// cannot be deleted. Errors: kInvalidArgument, kNotFound, kFailedPrecondition.
  absl::Status Delete(const std::string& name);
  std::vector<ShopInfo> List();

  /// Builds the next generation while the present one is served: `fill` imports into an empty shop;
  /// then the writes that the served generation took meanwhile are replayed, the gates are checked
  /// and the new generation is served. Writes wait during the last of these steps; earlier ones are
  /// in the next generation, later ones to the old generation are refused with kAborted. An error,
  /// or a crash at any step, changes nothing. The served generation may be one that cannot be
  /// opened because of another embedder. One build a shop at a time (kUnavailable). Errors: of
  /// `fill`, of a gate (kFailedPrecondition, with figures).
  absl::Status Rebuild(const std::string& name, const GenerationGates& gates,
                       const std::function<absl::Status(Shop& next)>& fill);
  /// Reads the records of the served generation, even if it cannot be opened because of another
  /// embedder. REQUIRES: a `fill` of Rebuild is under way. Errors: of `read`, the stores.
  absl::Status ReadServed(const std::string& name,
                          const std::function<absl::Status(const catalog::ProductStore&)>& read);
  /// Embeds the records of a shop whose vectors are another embedder's into a new generation; the
  /// old one stays for RollBack. Does nothing for a shop that can be opened. Errors: of Rebuild.
  absl::Status Reembed(const std::string& name);
  /// Serves the previous generation, which lacks all changes since. Errors: kNotFound,
  /// kUnavailable (one is being built), those of Shop::Open.
  absl::Status RollBack(const std::string& name);

 private:
  struct Slot;
  std::string PathOf(const std::string& name) const;
  /// The slot of a shop whose files exist.
  absl::StatusOr<std::shared_ptr<Slot>> SlotOf(const std::string& name);
  absl::StatusOr<std::shared_ptr<Shop>> OpenShop(const std::shared_ptr<Slot>& slot, bool create);
  absl::StatusOr<std::shared_ptr<Shop>> OpenGeneration(const std::shared_ptr<Slot>& slot,
                                                       const std::string& generation, bool create);
  /// The shop as it is served; null when it is refused because of another embedder.
  absl::StatusOr<std::shared_ptr<Shop>> FindServed(const std::string& name);
  absl::StatusOr<uint64_t> CountServed(const std::shared_ptr<Slot>& slot, const Shop* served) const;
  /// One change of generations at a time; kUnavailable while another runs. `served` is null when
  /// its vectors are another embedder's.
  absl::Status ChangeServed(
      const std::string& name,
      const std::function<absl::Status(const std::shared_ptr<Slot>& slot, Shop* served)>& change);
  void AwaitRolledBack(Slot& slot);
  absl::Status BuildAndServe(const std::shared_ptr<Slot>& slot, Shop* served,
                             const GenerationGates& gates,
                             const std::function<absl::Status(Shop& next)>& fill);
  absl::Status ServePrevious(const std::shared_ptr<Slot>& slot, Shop* served);
  void CloseIdle();
  void RemoveDeleted();

  const ShopDirectoryOptions options_;
  const retrieval::Embedder& embedder_;
  std::atomic<uint64_t> clock_{0};  // grows with each use
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Slot>>
      slots_;  // guarded by mutex_; every shop that was asked for
};

}  // namespace emptor::services

// All shops of a process: opened when they are asked for, closed when memory is short, each apart
// from the others.
//
//   <data directory>/              the shop "default": its generations (shop_generations.h)
//   <data directory>/shops/NAME/   any other
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

/// True for what may name a shop: [a-z0-9][a-z0-9-]{0,62}.
bool IsValidShopName(std::string_view name);

struct ShopDirectoryOptions {
  std::string data_directory;
  ShopOptions shop;  // of each; the directory is filled in
  /// Shops that nobody uses are closed, the one that was idle longest first, while more than so
  /// many are open. A shop in use is never closed.
  size_t max_open = 64;
  /// The same while the open ones hold more than this together. 0: no bound.
  size_t max_open_bytes = 0;
};

/// What must hold of a new generation before it is served.
struct GenerationGates {
  uint64_t min_products = 1;
  /// Refused when it has fewer products than this share of those served now.
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
/// Promises: a shop that is broken, slow to open or being deleted concerns nobody who asks for
/// another. Whoever holds a shop keeps that generation of it open, whatever is activated meanwhile.
class ShopDirectory {
 public:
  ShopDirectory(ShopDirectoryOptions options, const retrieval::Embedder& embedder);
  ~ShopDirectory();

  /// The shop as it is served now; opens it when it is not open, and waits for that.
  /// Errors: kInvalidArgument (the name), kNotFound, those of Shop::Open. A shop that failed to
  /// open is tried again by the next call.
  absl::StatusOr<std::shared_ptr<Shop>> Find(const std::string& name);

  /// The shop if it can be had without waiting, else null: it is not open, or just being opened.
  std::shared_ptr<Shop> FindOpen(const std::string& name);

  /// Errors: kInvalidArgument, kAlreadyExists, those of Shop::Open.
  absl::Status Create(const std::string& name);
  /// Forgets the shop at once and removes its files when nobody holds it any more. The default shop
  /// cannot be deleted. Errors: kInvalidArgument, kNotFound, kFailedPrecondition.
  absl::Status Delete(const std::string& name);
  std::vector<ShopInfo> List();

  /// Builds the next generation beside the one that is served: `fill` imports into an empty shop;
  /// then what was written to the served generation meanwhile is carried over, the gates are tried
  /// and the generation is served. Writes wait during the last of these steps; those of before are
  /// in the next generation, those of later to the old one are refused with kAborted. Nothing
  /// changes for anybody on any error, or on a crash at any step. The served generation may be one
  /// that cannot be opened because of another embedder.
  /// One build a shop at a time (kUnavailable). Errors: of `fill`, of a gate (kFailedPrecondition,
  /// with figures).
  absl::Status Rebuild(const std::string& name, const GenerationGates& gates,
                       const std::function<absl::Status(Shop& next)>& fill);
  /// Reads the records of the generation that is served, also where it cannot be opened because of
  /// another embedder. REQUIRES: a `fill` of Rebuild is under way. Errors: of `read`, the stores.
  absl::Status ReadServed(const std::string& name,
                          const std::function<absl::Status(const catalog::ProductStore&)>& read);
  /// Embeds the records of a shop whose vectors are another embedder's, beside the generation that
  /// holds them, which stays to go back to. Nothing happens to a shop that can be opened. Errors:
  /// of Rebuild.
  absl::Status Reembed(const std::string& name);
  /// Serves the generation before. What was changed since is not in it. Errors: kNotFound,
  /// kUnavailable (one is being built), those of Shop::Open.
  absl::Status RollBack(const std::string& name);

 private:
  struct Slot;
  std::string PathOf(const std::string& name) const;
  /// The slot of a shop whose files are there.
  absl::StatusOr<std::shared_ptr<Slot>> SlotOf(const std::string& name);
  absl::StatusOr<std::shared_ptr<Shop>> OpenShop(const std::shared_ptr<Slot>& slot, bool create);
  absl::StatusOr<std::shared_ptr<Shop>> OpenGeneration(const std::shared_ptr<Slot>& slot,
                                                       const std::string& generation, bool create);
  /// The shop as it is served; null when it is refused because of another embedder.
  absl::StatusOr<std::shared_ptr<Shop>> FindServed(const std::string& name);
  absl::StatusOr<uint64_t> CountServed(const std::shared_ptr<Slot>& slot, const Shop* served) const;
  /// One change of generations at a time; kUnavailable while another runs. `served` may be null:
  /// vectors of another embedder.
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
  std::map<std::string, std::shared_ptr<Slot>> slots_;  // guarded by mutex_; opened or asked for
};

}  // namespace emptor::services

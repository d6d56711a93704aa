// Keys of each order, and the best of them in a heap.
#include "retrieval/hybrid/sorted_retrieval.h"

#include <algorithm>
#include <array>
#include <limits>

namespace emptor::retrieval {
namespace {

constexpr double kSmoothingReviews = 10;
constexpr double kMissing = -std::numeric_limits<double>::infinity();

/// Greater comes first.
struct Keyed {
  std::array<double, 4> key;
  SortedRecord place;
};

class Lister {
 public:
  Lister(std::span<const SegmentView> views, std::span<const RecordSet> sets,
         const SortCriteria& order)
      : views_(views), sets_(sets), order_(order) {}

  std::vector<SortedRecord> Run(size_t limit) {
    FindMeanRating();
    const auto before = [this](const Keyed& a, const Keyed& b) { return ComesBefore(a, b); };
    std::vector<Keyed> heap;  // the worst on top
    ForEach([&](size_t view, uint32_t record) {
      const Keyed next{KeyOf(view, record), {view, record}};
      if (heap.size() == limit) {
        if (limit == 0 || !before(next, heap.front())) return;
        std::pop_heap(heap.begin(), heap.end(), before);
        heap.pop_back();
      }
      heap.push_back(next);
      std::push_heap(heap.begin(), heap.end(), before);
    });
    std::sort_heap(heap.begin(), heap.end(), before);
    std::vector<SortedRecord> list;
    for (const Keyed& each : heap) list.push_back(each.place);
    return list;
  }

 private:
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (size_t v = 0; v < views_.size(); ++v) {
      sets_[v].ForEach([&](uint32_t record) { visit(v, record); });
    }
  }

  const InventoryColumns& inventory(size_t view) const {
    return views_[view].columns().inventory();
  }

  /// A rating without a count is one review.
  static double Reviews(const InventoryColumns& inventory, uint32_t record) {
    return std::max<double>(1, inventory.rating_count(record));
  }

  void FindMeanRating() {
    double sum = 0, reviews = 0;
    ForEach([&](size_t view, uint32_t record) {
      const float rating = inventory(view).rating(record);
      if (rating < 0) return;
      const double weight = Reviews(inventory(view), record);
      sum += rating * weight;
      reviews += weight;
    });
    mean_rating_ = reviews > 0 ? sum / reviews : 0;
  }

  /// The mean for an unrated record.
  double SmoothedRating(size_t view, uint32_t record) const {
    const float rating = inventory(view).rating(record);
    if (rating < 0) return mean_rating_;
    const double reviews = Reviews(inventory(view), record);
    return (kSmoothingReviews * mean_rating_ + rating * reviews) / (kSmoothingReviews + reviews);
  }

  /// 2: in stock, 1: can be ordered, 0: neither.
  double Stock(size_t view, uint32_t record) const {
    switch (inventory(view).availability(record)) {
      case catalog::Availability::kInStock:
        return 2;
      case catalog::Availability::kPreorder:
      case catalog::Availability::kBackorder:
        return 1;
      case catalog::Availability::kOutOfStock:
        return 0;
    }
    return 0;
  }

  double PriceKey(size_t view, uint32_t record) const {
    const auto price =
        inventory(view).PriceOf(record, order_.currency, order_.region, order_.now_unix);
    if (!price) return kMissing;
    const auto amount = static_cast<double>(*price);
    return order_.sort == SortOrder::kPriceAscending ? -amount : amount;
  }

  std::array<double, 4> KeyOf(size_t view, uint32_t record) const {
    const double popularity = inventory(view).popularity(record);
    const double rating = SmoothedRating(view, record);
    const double stock = Stock(view, record);
    switch (order_.sort) {
      case SortOrder::kRelevance:
        return {stock, popularity, rating, 0};
      case SortOrder::kPopularity:
        break;
      case SortOrder::kRating: {
        const bool rated = inventory(view).rating(record) >= 0;
        const double count = inventory(view).rating_count(record);
        return {rated ? rating : kMissing, count, popularity, stock};
      }
      case SortOrder::kPriceAscending:
      case SortOrder::kPriceDescending:
        return {PriceKey(view, record), popularity, rating, stock};
      case SortOrder::kNewest: {
        const uint32_t updated = inventory(view).updated_unix(record);
        return {updated > 0 ? updated : kMissing, popularity, rating, stock};
      }
    }
    return {popularity, rating, stock};
  }

  bool ComesBefore(const Keyed& a, const Keyed& b) const {
    if (a.key != b.key) return a.key > b.key;
    if (a.place.view == b.place.view) return a.place.record < b.place.record;  // ids ascend
    return views_[a.place.view].segment->ids[a.place.record] <
           views_[b.place.view].segment->ids[b.place.record];
  }

  const std::span<const SegmentView> views_;
  const std::span<const RecordSet> sets_;
  const SortCriteria& order_;
  double mean_rating_ = 0;
};

}  // namespace

std::vector<SortedRecord> RetrieveSorted(std::span<const SegmentView> views,
                                         std::span<const RecordSet> sets, const SortCriteria& order,
                                         size_t limit) {
  return Lister(views, sets, order).Run(limit);
}

}  // namespace emptor::retrieval

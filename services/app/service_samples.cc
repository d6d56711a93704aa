// Sums over open shops, and counts of the parts, under the names of their metrics.
#include "services/app/service_samples.h"

#include <atomic>
#include <initializer_list>
#include <utility>

#include "services/app/text_samples.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {
namespace {

/// Over all shops that are open.
struct ShopSums {
  catalog::StoreInfo records;
  retrieval::HybridSearcher::Stats search;
  TextSums texts;
  ShopLifecycle::IndexCounts index;
  bool is_writable = true;
  size_t open = 0;
  uint64_t faq_entries = 0;
  size_t faq_indexed = 0;
  size_t memory_bytes = 0;
};

ShopSums SumUp(ShopDirectory& shops) {
  ShopSums sums;
  for (const ShopInfo& info : shops.List()) {
    const std::shared_ptr<Shop> shop = shops.FindOpen(info.name);
    if (shop == nullptr) continue;
    ++sums.open;
    sums.memory_bytes += info.memory_bytes;
    sums.is_writable = sums.is_writable && shop->reader().health().ok();
    sums.records.products += shop->reader().info().products;
    sums.records.documents += shop->reader().info().documents;
    const auto index = shop->lifecycle().index_counts();
    sums.index.builds += index.builds;
    sums.index.replayed += index.replayed;
    sums.index.saves += index.saves;
    const auto search = shop->reader().search_stats();
    sums.search.immutable_vectors += search.immutable_vectors;
    sums.search.fresh_vectors += search.fresh_vectors;
    sums.search.tombstones += search.tombstones;
    sums.search.faiss_searches += search.faiss_searches;
    sums.search.scan_searches += search.scan_searches;
    sums.search.words_only_searches += search.words_only_searches;
    sums.search.full_compactions += search.full_compactions;
    sums.search.minor_compactions += search.minor_compactions;
    sums.search.merge_seconds += search.merge_seconds;
    sums.texts.Add(shop->reader());
    sums.faq_entries += shop->reader().faq().entries().size();
    sums.faq_indexed += shop->reader().faq().indexed();
  }
  return sums;
}

void AddSamples(const RemoteEmbedder& embedder, std::vector<Sample>& samples) {
  const RemoteEmbedder::Counts counts = embedder.counts();
  const auto add = [&](const char* name, const char* help, double value) {
    samples.push_back({name, help, true, value});
  };
  add("emptor_embedder_requests_total", "Requests to the endpoint of the embedder",
      static_cast<double>(counts.requests));
  add("emptor_embedder_failures_total", "Requests without a good answer",
      static_cast<double>(counts.failures));
  add("emptor_embedder_retries_total", "Batches of passages that were sent again",
      static_cast<double>(counts.retries));
  add("emptor_embedder_texts_total", "Texts sent", static_cast<double>(counts.texts));
  add("emptor_embedder_queries_refused_total", "Queries not sent, after a failure",
      static_cast<double>(counts.queries_refused));
  add("emptor_embedder_request_seconds_total", "Time that the requests took", counts.seconds);
}

void AddSamples(const EndpointTextGenerator& endpoint, std::vector<Sample>& samples) {
  const EndpointTextGenerator::State state = endpoint.state();
  const auto add = [&](const char* name, const char* help, uint64_t value) {
    samples.push_back({name, help, true, static_cast<double>(value)});
  };
  samples.push_back({"emptor_generator_available", "1 while the endpoint of the generator answers",
                     false, state.available ? 1.0 : 0.0});
  add("emptor_generator_requests_total", "Requests to the endpoint of the generator",
      state.counts.requests);
  add("emptor_generator_failures_total", "Requests without a good answer", state.counts.failures);
  add("emptor_generator_retries_total", "Requests that were sent again", state.counts.retries);
  add("emptor_generator_refused_total", "Answers not requested, after a failure",
      state.counts.refused);
  add("emptor_generator_cancelled_total", "Answers given up", state.counts.cancelled);
}

void AddSamples(const ConversationCounters& counters, std::vector<Sample>& samples) {
  const auto add = [&](const char* name, const char* help, bool is_counter, auto& value) {
    samples.push_back({name, help, is_counter, static_cast<double>(value.load())});
  };
  add("emptor_conversations", "Conversations in memory", false, counters.in_memory);
  add("emptor_conversations_stored", "Conversations on disk", false, counters.stored);
  add("emptor_conversations_loaded_total", "Conversations read back from disk", true,
      counters.loaded);
  add("emptor_conversations_expired_total", "Stored conversations that ended by age or number",
      true, counters.expired);
  add("emptor_conversations_erased_total", "Stored conversations erased on request", true,
      counters.erased);
  add("emptor_conversations_dropped_total",
      "Stored values that were damaged, or of another shop, when they were opened", true,
      counters.dropped);
  add("emptor_conversations_failed_writes_total", "Batches of conversations that were not written",
      true, counters.failed_writes);
  add("emptor_conversation_answer_bytes", "Answers of stored conversations on disk", false,
      counters.answer_bytes);
  add("emptor_feedback_stored", "Ratings of answers on disk", false, counters.feedback);
  add("emptor_answer_trace_bytes", "Traces of answers on disk", false, counters.trace_bytes);
  for (size_t kind = 0; kind < kUnansweredKinds; ++kind) {
    samples.push_back(
        {"emptor_unanswered_questions_total",
         "Questions and searches that got no answer: nothing was found, or no record states it",
         true,
         static_cast<double>(counters.unanswered[kind].load()),
         {{"kind", std::string(ToString(static_cast<UnansweredKind>(kind)))}}});
  }
}

void AddSamples(const AnswerCacheCounters& counters, std::vector<Sample>& samples) {
  const auto add = [&](const char* name, const char* help, const char* label,
                       std::initializer_list<std::pair<const char*, const std::atomic<uint64_t>*>>
                           values) {
    for (const auto& [value, count] : values) {
      samples.push_back({name, help, true, static_cast<double>(count->load()), {{label, value}}});
    }
  };
  add("emptor_answer_cache_lookups_total",
      "Questions by what the answer cache did for them; reused: the text of a model for products "
      "that were chosen again",
      "result",
      {{"hit", &counters.hits},
       {"reused", &counters.reused},
       {"miss", &counters.misses},
       {"bypass", &counters.bypasses}});
  add("emptor_answer_cache_invalidations_total",
      "Cached answers that were not used again, by what had changed since", "reason",
      {{"content", &counters.outdated_content},
       {"prices", &counters.outdated_prices},
       {"faq", &counters.outdated_faq},
       {"age", &counters.outdated_time}});
  add("emptor_answer_cache_evictions_total",
      "Cached answers that left for lack of room: evicted for another, or not admitted", "kind",
      {{"evicted", &counters.evicted}, {"rejected", &counters.rejected}});
  samples.push_back({"emptor_answer_cache_stored_total", "Answers that were offered to the cache",
                     true, static_cast<double>(counters.stored.load())});
  samples.push_back({"emptor_answer_cache_bytes", "Memory of cached answers, all open shops", false,
                     static_cast<double>(counters.bytes.load())});
  samples.push_back({"emptor_answer_cache_entries", "Cached answers, all open shops", false,
                     static_cast<double>(counters.entries.load())});
}

}  // namespace

std::vector<Sample> ServiceSamples(const ServiceParts& parts) {
  const ShopSums sums = SumUp(*parts.shops.directory);
  std::vector<Sample> samples = TextSamples(sums.texts, *parts.shops.counters);
  const auto& search = sums.search;
  const auto add = [&](const char* name, const char* help, bool is_counter, double value) {
    samples.push_back({name, help, is_counter, value});
  };
  add("emptor_catalog_products", "Products in the store", false,
      static_cast<double>(sums.records.products));
  add("emptor_catalog_documents", "Documents in the store", false,
      static_cast<double>(sums.records.documents));
  add("emptor_faq_entries", "Entries of the FAQ in the store", false,
      static_cast<double>(sums.faq_entries));
  add("emptor_faq_indexed", "Entries and documents that look-ups can find now", false,
      static_cast<double>(sums.faq_indexed));
  add("emptor_catalog_writable", "1 while the store accepts writes", false,
      sums.is_writable ? 1 : 0);
  add("emptor_shops_open", "Shops that are open", false, static_cast<double>(sums.open));
  add("emptor_shops_memory_bytes", "Memory that open shops hold, caches counted as full", false,
      static_cast<double>(sums.memory_bytes));
  add("emptor_index_vectors_immutable", "Vectors in the large part", false,
      static_cast<double>(search.immutable_vectors));
  add("emptor_index_vectors_fresh", "Vectors in the small part", false,
      static_cast<double>(search.fresh_vectors));
  add("emptor_index_tombstones", "Deleted records not yet merged away", false,
      static_cast<double>(search.tombstones));
  add("emptor_index_faiss_searches_total", "Vector searches answered by the segment's FAISS index",
      true, static_cast<double>(search.faiss_searches));
  add("emptor_index_scan_searches_total",
      "Vector searches answered by an exact scan in place of the index", true,
      static_cast<double>(search.scan_searches));
  add("emptor_index_builds_total", "Searches of open shops that were built from all records", true,
      static_cast<double>(sums.index.builds));
  add("emptor_index_replayed_records_total",
      "Records replayed on saved search indexes of open shops", true,
      static_cast<double>(sums.index.replayed));
  add("emptor_index_saves_total", "Times that searches of open shops were saved", true,
      static_cast<double>(sums.index.saves));
  add("emptor_search_words_only_total", "Hybrid searches without vectors: the embedder failed",
      true, static_cast<double>(search.words_only_searches));
  add("emptor_index_folds_total", "Merges into the large part", true,
      static_cast<double>(search.full_compactions));
  add("emptor_index_compactions_total", "Merges of the small parts", true,
      static_cast<double>(search.minor_compactions));
  add("emptor_index_merge_seconds_total", "Time that merges took", true, search.merge_seconds);
  AddSamples(*parts.conversation_counters, samples);
  AddSamples(*parts.cache_counters, samples);
  add("emptor_workers_queued", "Work that waits for a worker", false,
      static_cast<double>(parts.workers->queued()));
  for (Sample& sample : FormSamples(parts.forms.counts())) samples.push_back(std::move(sample));
  if (parts.endpoint != nullptr) AddSamples(*parts.endpoint, samples);
  if (parts.shops.embedder.remote != nullptr) AddSamples(*parts.shops.embedder.remote, samples);
  if (parts.http_samples) {
    for (Sample& sample : parts.http_samples()) samples.push_back(std::move(sample));
  }
  return samples;
}

std::string MetricsText(const ServiceParts& parts) {
  return parts.metrics->Text() + parts.engine_metrics.Text(EngineSamples(*parts.models));
}

}  // namespace emptor::services

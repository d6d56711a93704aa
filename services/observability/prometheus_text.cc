// Serialising what was counted.
#include "services/observability/prometheus_text.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
#include <utility>

namespace emptor::services {
namespace {

prometheus::ClientMetric AsMetric(const Sample& sample) {
  prometheus::ClientMetric metric;
  for (const auto& [name, value] : sample.labels) metric.label.push_back({name, value});
  if (sample.is_counter) {
    metric.counter.value = sample.value;
  } else {
    metric.gauge.value = sample.value;
  }
  return metric;
}

}  // namespace

std::string PrometheusText(std::vector<prometheus::MetricFamily> families,
                           const std::vector<Sample>& samples) {
  families.erase(
      std::remove_if(families.begin(), families.end(),
                     [](const prometheus::MetricFamily& family) { return family.metric.empty(); }),
      families.end());
  std::map<std::string, size_t> places;
  for (const Sample& sample : samples) {
    const auto [place, is_new] = places.emplace(sample.name, families.size());
    if (is_new) {
      prometheus::MetricFamily family;
      family.name = sample.name;
      family.help = sample.help;
      family.type =
          sample.is_counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
      families.push_back(std::move(family));
    }
    families[place->second].metric.push_back(AsMetric(sample));
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace emptor::services

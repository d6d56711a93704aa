// What is shown of the sentences of a model.
#include "services/assistant/plan/claim_gate.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

std::string ShownOf(const std::string& text) {
  catalog::Product kettle;
  kettle.id = "k20";
  kettle.title = "Torvane Glide Kettle K20";
  kettle.price = catalog::Money{4999, "USD"};
  kettle.attributes = {{"Noise level", "65 dB"}, {"capacity", "1.7 l"}};
  ClaimSources sources;
  sources.sources = {{kettle}};
  sources.language = "en";
  sources.question = "how loud is the K20";
  ClaimGate gate(std::move(sources), {});
  std::string shown = gate.Push({text, {}}).text;
  return shown + gate.Finish().text;
}

TEST(ClaimGateTest, NamesOfAttributesStandWithoutQuotationMarks) {
  EXPECT_EQ(ShownOf("The \"noise level\" of the [Torvane Glide Kettle K20](/p/k20) is 65 dB [1]."),
            "The noise level of the [Torvane Glide Kettle K20](/p/k20) is 65 dB [1].");
  EXPECT_EQ(ShownOf("The [Torvane Glide Kettle K20](/p/k20) with \"capacity\" 1.7 l [1]."),
            "The [Torvane Glide Kettle K20](/p/k20) with capacity 1.7 l [1].");
}

TEST(ClaimGateTest, WhatTheRecordDoesNotSayIsNotShown) {
  EXPECT_EQ(ShownOf("The \"noise level\" of the [Torvane Glide Kettle K20](/p/k20) is 45 dB [1]."),
            "");
}

}  // namespace
}  // namespace emptor::services

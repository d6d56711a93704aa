// What is removed from shoppers' messages before the staff reads them.
#include "services/faq/private_text.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

TEST(PrivateTextTest, AddressesAndLongNumbersAreMasked) {
  const struct {
    const char *text, *masked;
  } kCases[] = {
      {"write to ann.lee+shop@mail.example.com.", "write to <email>."},
      {"a@b.co", "<email>"},
      {"call +49 (0)30 1234-5678 please", "call <number> please"},
      {"card 4111 1111 1111 1111, exp?", "card <number>, exp?"},
      {"order AB-123456 is late", "order <number> is late"},
      {"DE89370400440532013000", "<number>"},
      {"5551234567", "<number>"},
  };
  for (const auto& each : kCases) EXPECT_EQ(MaskPrivate(each.text), each.masked);
}

TEST(PrivateTextTest, WhatAsksForAnAnswerStays) {
  for (const char* text :
       {"can I return it after 30 days?", "is delivery free from 1,000.00 to 2,000.00 EUR?",
        "does 2.5 mm fit, or 100-240 V?", "me @ home", "user@", "@", "RTX 4090 in stock?", "",
        "Wi-Fi 6E 2.4/5 GHz", "wie lange dauert es für Österreich, 1 bis 3 Tage?", "\xFF\x80 x"}) {
    EXPECT_EQ(MaskPrivate(text), text);
  }
}

}  // namespace
}  // namespace emptor::services

// Base64: the vectors of RFC 4648, every byte, and what a strict decoder refuses.
#include "catalog/encoding/base64.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace emptor::catalog {
namespace {

// RFC 4648, section 10.
const std::vector<std::pair<std::string, std::string>> kVectors = {{"", ""},
                                                                   {"f", "Zg=="},
                                                                   {"fo", "Zm8="},
                                                                   {"foo", "Zm9v"},
                                                                   {"foob", "Zm9vYg=="},
                                                                   {"fooba", "Zm9vYmE="},
                                                                   {"foobar", "Zm9vYmFy"}};

TEST(Base64Test, EncodesAndDecodesTheVectorsOfTheRfc) {
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
    const std::string unpadded = text.substr(0, text.find('='));
    EXPECT_EQ(EncodeBase64Url(bytes), unpadded);
    EXPECT_EQ(DecodeBase64Url(unpadded), bytes);
  }
}

TEST(Base64Test, AnyBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(DecodeBase64(EncodeBase64(bytes)), bytes);
    EXPECT_EQ(DecodeBase64Url(EncodeBase64Url(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(EncodeBase64("\xFB\xFF\xFE"), "+//+");
  EXPECT_EQ(EncodeBase64Url("\xFB\xFF\xFE"), "-__-");
}

TEST(Base64Test, RefusesWhatIsNotOfItsAlphabetOrLength) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zm9vY", "=", "==", "====", "Z===", "Zg==Zg==", "A*==", " Zm9v", "Zm9v\n",
        "Zm9v ", "Zm\n9", "Zm9-", "Zm9_", "Z=9v", "Zm9v===="}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
  for (const char* text : {"Zg==", "Zm8=", "Z", "Zm9vY", "+//+", "Zm9v\n", " Zm9v", "Zh"}) {
    EXPECT_EQ(DecodeBase64Url(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace emptor::catalog

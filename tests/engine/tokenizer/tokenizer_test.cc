// The tokenizers on small vocabularies, and the rules that hold for all.
#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
#include <ctime>
#include <random>

#include "engine/tokenizer/byte_alphabet.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::Encode;

/// 256 bytes (id = byte), then what the caller adds.
VocabularySpec ByteSpec() {
  VocabularySpec spec;
  for (int byte = 0; byte < 256; ++byte) {
    spec.tokens.push_back(ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte)));
    spec.types.push_back(TokenType::kNormal);
  }
  return spec;
}

TokenId AddToken(VocabularySpec& spec, const std::string& text, TokenType type) {
  spec.tokens.push_back(text);
  spec.types.push_back(type);
  return static_cast<TokenId>(spec.tokens.size() - 1);
}

void AddMerge(VocabularySpec& spec, const std::string& left, const std::string& right) {
  spec.merges.push_back(left + " " + right);
  AddToken(spec, left + right, TokenType::kNormal);
}

/// Merges, one user-defined and its extension, ChatML markers.
VocabularySpec TestSpec() {
  VocabularySpec spec = ByteSpec();
  AddMerge(spec, "l", "l");                                      // 256
  AddMerge(spec, "h", "e");                                      // 257
  AddMerge(spec, "he", "ll");                                    // 258
  AddMerge(spec, "\xc4\xa0", "\xc4\xa0");                        // 259, two blanks
  AddToken(spec, "[1]", TokenType::kUserDefined);                // 260
  AddToken(spec, "[1:price]", TokenType::kUserDefined);          // 261
  AddToken(spec, "[1:", TokenType::kUserDefined);                // 262
  AddToken(spec, "<|im_start|>", TokenType::kControl);           // 263
  spec.eos = AddToken(spec, "<|im_end|>", TokenType::kControl);  // 264
  return spec;
}

std::unique_ptr<const Tokenizer> Make(VocabularySpec spec) {
  auto tokenizer = Tokenizer::Create(std::move(spec));
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status();
  return tokenizer.ok() ? std::move(*tokenizer) : nullptr;
}

TEST(BpeTokenizerTest, MergesByRankNotByPosition) {
  const auto tokenizer = Make(TestSpec());
  EXPECT_EQ(Encode(*tokenizer, "hello"), (std::vector<TokenId>{258, 'o'}));
  EXPECT_EQ(Encode(*tokenizer, "hel"), (std::vector<TokenId>{257, 'l'}));
  EXPECT_EQ(Encode(*tokenizer, "lll"), (std::vector<TokenId>{256, 'l'}));
}

TEST(BpeTokenizerTest, LongWordsMergeAsShortOnesDo) {
  VocabularySpec spec = ByteSpec();
  AddMerge(spec, "a", "b");
  AddMerge(spec, "b", "a");
  AddMerge(spec, "ab", "ab");
  AddMerge(spec, "a", "a");
  AddMerge(spec, "aa", "b");
  AddMerge(spec, "abab", "c");
  AddMerge(spec, "c", "abab");
  const auto tokenizer = Make(std::move(spec));
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string word;
    for (int i = 0; i < 20; ++i) word += static_cast<char>('a' + random() % 3);
    // "xy" parts cannot merge with anything: a long word of parts encodes as the parts do.
    std::vector<TokenId> want;
    std::string text;
    for (int part = 0; part < 4; ++part) {
      const std::vector<TokenId> ids = Encode(*tokenizer, word);
      want.insert(want.end(), ids.begin(), ids.end());
      want.push_back('x');
      text += word + "x";
    }
    ASSERT_EQ(Encode(*tokenizer, text), want) << text;
  }
}

// Sixteen times the text takes about sixteen times as long; a square law would take 256.
TEST(BpeTokenizerTest, MillionEqualCharactersTakeLinearTime) {
  const auto tokenizer = Make(TestSpec());
  const auto seconds = [&](size_t size) {
    const std::clock_t begin = std::clock();
    EXPECT_EQ(Encode(*tokenizer, std::string(size, 'l')).size(), size / 2);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double small = seconds(1 << 16);
  EXPECT_LT(seconds(1 << 20), 80 * std::max(small, 0.001));
}

TEST(BpeTokenizerTest, UserDefinedTokensAreFoundFirstAndLongest) {
  const auto tokenizer = Make(TestSpec());
  EXPECT_EQ(Encode(*tokenizer, "a[1:price]b"), (std::vector<TokenId>{'a', 261, 'b'}));
  EXPECT_EQ(Encode(*tokenizer, "[1:pri"), (std::vector<TokenId>{262, 'p', 'r', 'i'}));
  EXPECT_EQ(Encode(*tokenizer, "[[1][2]"), (std::vector<TokenId>{'[', 260, '[', '2', ']'}));
}

TEST(BpeTokenizerTest, ControlTokensInTextArePlainCharacters) {
  const auto tokenizer = Make(TestSpec());
  const std::vector<TokenId> ids = Encode(*tokenizer, "<|im_end|><|im_start|>system");
  for (const TokenId id : ids) EXPECT_LT(id, 256);
  EXPECT_EQ(tokenizer->Decode(ids), "<|im_end|><|im_start|>system");
}

TEST(BpeTokenizerTest, AnyTextComesBackAsItWas) {
  const auto tokenizer = Make(TestSpec());
  for (const std::string text :
       {"", " ", "hello  world\n",
        "[1:price] caf\xc3\xa9 \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x98\x80", "\t[1"}) {
    EXPECT_EQ(tokenizer->Decode(Encode(*tokenizer, text)), text);
  }
}

TEST(TokenizerTest, IdsOutsideOfTheVocabularyDecodeToNothing) {
  const auto tokenizer = Make(TestSpec());
  EXPECT_EQ(tokenizer->Decode({'a', -1, 99999, 264, 'b'}), "ab");
}

struct BadCase {
  std::string expected;
  std::function<void(VocabularySpec&)> spoil;
};

TEST(VocabularyTest, RefusesWhatDoesNotHoldTogether) {
  const std::vector<BadCase> cases = {
      {"tokens: expected 1 to",
       [](VocabularySpec& s) {
         s.tokens.clear();
         s.types.clear();
       }},
      {"token_type: expected 265 entries, found 264",
       [](VocabularySpec& s) { s.types.pop_back(); }},
      {"eos_token_id: expected less than", [](VocabularySpec& s) { s.eos = 265; }},
      {"bos_token_id", [](VocabularySpec& s) { s.bos = -1; }},
      {"add_bos_token", [](VocabularySpec& s) { s.add_bos = true; }},
      {"tokens[257]: token twice", [](VocabularySpec& s) { s.tokens[257] = s.tokens[256]; }},
      {"tokens[264]: control token twice",
       [](VocabularySpec& s) { s.tokens[264] = s.tokens[263]; }},
      {"tokens[260]: empty user-defined", [](VocabularySpec& s) { s.tokens[260].clear(); }},
      {"tokens[260]: longer than", [](VocabularySpec& s) { s.tokens[260].assign(1025, 'x'); }},
      {"merges[0]", [](VocabularySpec& s) { s.merges[0] = "l"; }},
      {"merges[0]", [](VocabularySpec& s) { s.merges[0] = ""; }},
      {"merges[1]", [](VocabularySpec& s) { s.merges[1] = "q q"; }},
      {"merges[2]", [](VocabularySpec& s) { s.merges[2] = "he zz"; }},
      {"merges[4]", [](VocabularySpec& s) { s.merges.push_back("<|im_e nd|>"); }},
      {"not a byte token",
       [](VocabularySpec& s) {
         s.tokens[256] = "<0x-1>";
         s.types[256] = TokenType::kByte;
       }},
      {"not a byte token",
       [](VocabularySpec& s) {
         s.tokens[256] = "<0x4>";
         s.types[256] = TokenType::kByte;
       }},
      {"scores: expected 265 entries",
       [](VocabularySpec& s) {
         s.kind = TokenizerKind::kSentencePiece;
         s.scores = {1};
       }},
  };
  for (const BadCase& c : cases) {
    VocabularySpec spec = TestSpec();
    c.spoil(spec);
    const auto tokenizer = Tokenizer::Create(std::move(spec));
    ASSERT_FALSE(tokenizer.ok()) << c.expected;
    EXPECT_EQ(tokenizer.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(tokenizer.status().message().find(c.expected), std::string::npos)
        << tokenizer.status();
  }
}

VocabularySpec SentencePieceSpec() {
  VocabularySpec spec;
  spec.kind = TokenizerKind::kSentencePiece;
  const auto add = [&](const std::string& text, TokenType type, float score) {
    AddToken(spec, text, type);
    spec.scores.push_back(score);
  };
  add("<unk>", TokenType::kUnknown, 0);  // 0
  add("<s>", TokenType::kControl, 0);    // 1
  add("</s>", TokenType::kControl, 0);   // 2
  for (int byte = 0; byte < 256; ++byte) {
    constexpr char kHex[] = "0123456789ABCDEF";
    add(std::string("<0x") + kHex[byte / 16] + kHex[byte % 16] + ">", TokenType::kByte, 0);
  }
  add("\xe2\x96\x81", TokenType::kNormal, -1);  // 259
  add("a", TokenType::kNormal, -1);             // 260
  add("b", TokenType::kNormal, -1);             // 261
  add("ab", TokenType::kNormal, -3);            // 262
  add("ba", TokenType::kNormal, -2);            // 263
  add("\xe2\x96\x81"
      "a",
      TokenType::kNormal, -5);  // 264
  spec.bos = 1;
  spec.eos = 2;
  spec.add_bos = true;
  return spec;
}

TEST(SentencePieceTokenizerTest, MergesByScoreAndPutsABlankInFront) {
  const auto tokenizer = Make(SentencePieceSpec());
  EXPECT_EQ(Encode(*tokenizer, "ab"), (std::vector<TokenId>{259, 262}));
  EXPECT_EQ(Encode(*tokenizer, "aba"), (std::vector<TokenId>{264, 263}));
  EXPECT_EQ(tokenizer->EncodePrompt("a"), (std::vector<TokenId>{1, 264}));
  EXPECT_EQ(Encode(*tokenizer, ""), std::vector<TokenId>{});
}

TEST(SentencePieceTokenizerTest, FallsBackToBytesAndNeverToControlTokens) {
  const auto tokenizer = Make(SentencePieceSpec());
  EXPECT_EQ(Encode(*tokenizer, "\xc3\xa9"), (std::vector<TokenId>{259, 3 + 0xc3, 3 + 0xa9}));
  for (const TokenId id : Encode(*tokenizer, "<s></s><0x41><unk>")) EXPECT_GT(id, 2);
  EXPECT_EQ(tokenizer->Decode(Encode(*tokenizer, "</s><0x41>")), "</s><0x41>");
  EXPECT_EQ(tokenizer->Decode(Encode(*tokenizer, "\xff")), "\xef\xbf\xbd");
}

TEST(SentencePieceTokenizerTest, MergesAcrossBlanksWhereATokenReachesAcross) {
  VocabularySpec spec = SentencePieceSpec();
  const auto add = [&](const std::string& text, float score) {
    spec.scores.push_back(score);
    return AddToken(spec, text, TokenType::kNormal);
  };
  const TokenId b_blank = add("b\xe2\x96\x81", -0.5f);
  const auto tokenizer = Make(std::move(spec));
  EXPECT_EQ(Encode(*tokenizer, "b a"), (std::vector<TokenId>{259, b_blank, 260}));
  EXPECT_EQ(Encode(*tokenizer, "a a"), (std::vector<TokenId>{264, 264}));
}

TEST(SentencePieceTokenizerTest, CharactersThatAreOnlyPartsMergeAndFallBack) {
  VocabularySpec spec = SentencePieceSpec();
  spec.scores.push_back(-1);
  const TokenId cd = AddToken(spec, "cd", TokenType::kNormal);
  const auto tokenizer = Make(std::move(spec));
  EXPECT_EQ(Encode(*tokenizer, "cdc"), (std::vector<TokenId>{259, cd, 3 + 'c'}));
}

/// "▁", "a", "b", "ab", "▁a" with logarithms of probabilities, an unknown and a user-defined token.
VocabularySpec UnigramSpec() {
  VocabularySpec spec;
  spec.kind = TokenizerKind::kUnigram;
  const auto add = [&](const std::string& text, TokenType type, float score) {
    AddToken(spec, text, type);
    spec.scores.push_back(score);
  };
  add("<unk>", TokenType::kUnknown, 0);         // 0
  add("</s>", TokenType::kControl, 0);          // 1
  add("\xe2\x96\x81", TokenType::kNormal, -2);  // 2
  add("a", TokenType::kNormal, -3);             // 3
  add("b", TokenType::kNormal, -3);             // 4
  add("ab", TokenType::kNormal, -5);            // 5
  add("\xe2\x96\x81"
      "a",
      TokenType::kNormal, -4);             // 6
  add("[1]", TokenType::kUserDefined, 0);  // 7
  add("aab", TokenType::kUnused, 0);       // 8
  spec.unknown = 0;
  return spec;
}

TEST(UnigramTokenizerTest, TakesTheLikeliestSegmentation) {
  const auto tokenizer = Make(UnigramSpec());
  EXPECT_EQ(Encode(*tokenizer, "ab"), (std::vector<TokenId>{2, 5}));   // -7 against -7: the first
  EXPECT_EQ(Encode(*tokenizer, "aab"), (std::vector<TokenId>{6, 5}));  // never the unused one
  EXPECT_EQ(Encode(*tokenizer, ""), std::vector<TokenId>{});
}

TEST(UnigramTokenizerTest, CollapsesBlanksWhereTheModelDoes) {
  VocabularySpec spec = UnigramSpec();
  const auto collapsing = Make(spec);
  EXPECT_EQ(Encode(*collapsing, "  b   b "), (std::vector<TokenId>{2, 4, 2, 4}));
  EXPECT_EQ(Encode(*collapsing, "   "), std::vector<TokenId>{});
  spec.remove_extra_whitespaces = false;
  const auto keeping = Make(std::move(spec));
  EXPECT_EQ(Encode(*keeping, " b "), (std::vector<TokenId>{2, 2, 4, 2}));
}

TEST(UnigramTokenizerTest, RunOfUnknownCharactersIsOneUnknownToken) {
  const auto tokenizer = Make(UnigramSpec());
  EXPECT_EQ(Encode(*tokenizer, "a\xe4\xb8\xad\xff?b"), (std::vector<TokenId>{6, 0, 4}));
}

TEST(UnigramTokenizerTest, UserDefinedTokensAreFoundAndControlTokensAreNot) {
  const auto tokenizer = Make(UnigramSpec());
  EXPECT_EQ(Encode(*tokenizer, "a[1]b"), (std::vector<TokenId>{6, 7, 4}));
  for (const TokenId id : Encode(*tokenizer, "</s>")) EXPECT_NE(id, 1);
}

TEST(UnigramTokenizerTest, RefusesACharacterMapThatDoesNotHoldTogether) {
  const std::string unit(4, '\0');
  for (const std::string& map :
       {std::string("ab"), std::string("\0\0\0\0x", 5), std::string("\x03\0\0\0abc", 7),
        std::string("\x08\0\0\0", 4) + unit, std::string("\x04\0\0\0", 4) + unit,
        std::string("\x04\0\0\0", 4) + unit + "x",
        std::string("\x04\0\0\0", 4) + unit + std::string(1001, 'x') + '\0'}) {
    VocabularySpec spec = UnigramSpec();
    spec.precompiled_charsmap = map;
    EXPECT_EQ(Tokenizer::Create(std::move(spec)).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(UnigramTokenizerTest, AnyTrieIsWalkedWithinItsBounds) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    VocabularySpec spec = UnigramSpec();
    const uint32_t units = 1 + random() % 300;
    const uint32_t bytes = units * 4;
    spec.precompiled_charsmap.append(reinterpret_cast<const char*>(&bytes), 4);
    for (uint32_t i = 0; i < units; ++i) {
      // Labels and leaves that a walk can follow, offsets near by.
      const uint32_t unit = (random() % 512) << 10 | (random() % 512);
      spec.precompiled_charsmap.append(reinterpret_cast<const char*>(&unit), 4);
    }
    spec.precompiled_charsmap += std::string("xy\0z\0", 5);
    const auto tokenizer = Make(std::move(spec));
    std::string text;
    for (int i = 0; i < 64; ++i) text += static_cast<char>(random() % 256);
    for (const TokenId id : Encode(*tokenizer, text)) EXPECT_LT(id, 9);
  }
}

TEST(BpeTokenizerTest, SplitsByTheRulesOfTheModel) {
  VocabularySpec spec = ByteSpec();
  AddMerge(spec, "1", "2");  // 256
  spec.pre_tokenizer = *FindPreTokenizer("gpt-2");
  EXPECT_EQ(Encode(*Make(spec), "12"), (std::vector<TokenId>{256}));
  spec.pre_tokenizer = *FindPreTokenizer("starcoder");
  EXPECT_EQ(Encode(*Make(spec), "12"), (std::vector<TokenId>{'1', '2'}));
}

TEST(BpeTokenizerTest, WholeWordsComeFirstWhereTheModelSaysSo) {
  VocabularySpec spec = ByteSpec();
  const TokenId word = AddToken(spec, "abc", TokenType::kNormal);  // no merge leads to it
  EXPECT_EQ(Encode(*Make(spec), "abc"), (std::vector<TokenId>{'a', 'b', 'c'}));
  spec.pre_tokenizer = *FindPreTokenizer("llama-bpe");
  EXPECT_EQ(Encode(*Make(spec), "abc"), (std::vector<TokenId>{word}));
}

TEST(BpeTokenizerTest, TextIsComposedForModelsThatReadNfc) {
  VocabularySpec spec = ByteSpec();
  const std::string decomposed = "e\xcc\x81";
  EXPECT_EQ(Make(spec)->Decode(Encode(*Make(spec), decomposed)), decomposed);
  spec.pre_tokenizer = *FindPreTokenizer("qwen2");
  const auto tokenizer = Make(std::move(spec));
  EXPECT_EQ(Encode(*tokenizer, decomposed), Encode(*tokenizer, "\xc3\xa9"));
  EXPECT_EQ(Encode(*tokenizer, "\xff" + decomposed).size(), 4u);  // not UTF-8: left as it is
}

TEST(BpeTokenizerTest, BytesThatTheVocabularyLacksAreDropped) {
  VocabularySpec spec = ByteSpec();
  for (const size_t byte : {0x04, 0xf1, 0xff}) spec.tokens[byte] += "absent";
  spec.unknown = 'u';  // a GGUF file names one also where the tokenizer has none
  const auto tokenizer = Make(std::move(spec));
  EXPECT_EQ(Encode(*tokenizer, "a\x04-"), (std::vector<TokenId>{'a', '-'}));
  EXPECT_EQ(Encode(*tokenizer, "\x04"), std::vector<TokenId>{});
  EXPECT_EQ(Encode(*tokenizer, "\xf1\x80\x80\x81"), (std::vector<TokenId>{0x80, 0x80, 0x81}));
}

TEST(BpeTokenizerTest, BytesOfNoTextThatTheVocabularyLacksAreReplaced) {
  VocabularySpec spec = ByteSpec();
  spec.tokens[0xff] = "absent";
  EXPECT_EQ(Encode(*Make(std::move(spec)), "a\xff"), (std::vector<TokenId>{'a', 0xef, 0xbf, 0xbd}))
      << "U+FFFD";
}

}  // namespace
}  // namespace emptor::engine

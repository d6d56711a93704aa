// Phrase tables and the tests on them.
#include "services/eval/answer_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <span>

#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

using retrieval::FoldWords;
using View = std::string_view;
using Views = std::vector<View>;

constexpr double kRoundedAt = 0.006;  // 4.43 may be stated as 4.4

/// Accents are folded away, as in the texts that are compared.
const std::map<View, Views>& FunctionWords() {
  static const std::map<View, Views> kWords = {
      {"en", {"the", "is",  "and",  "of", "it",  "for",  "with", "this", "that", "not", "you",
              "has", "are", "does", "in", "yes", "from", "we",   "your", "what", "here"}},
      {"de",
       {"der", "die", "das", "und", "ist",  "mit",  "nicht", "fur", "ein", "eine",  "es",  "hat",
        "von", "sie", "wir", "ja",  "nein", "sind", "zu",    "den", "auf", "keine", "kein"}},
      {"fr", {"le", "la",   "les",  "des",  "est", "et", "un",   "une", "pour", "avec",  "pas",
              "il", "elle", "nous", "vous", "oui", "du", "sont", "ce",  "dans", "voici", "a"}},
      {"es",
       {"el",  "los", "las",   "es", "y",   "un",   "una", "para", "con",     "no",   "si",
        "del", "que", "tiene", "se", "por", "esta", "son", "su",   "nuestra", "aqui", "cuesta"}}};
  return kWords;
}

constexpr std::array<View, 7> kYes = {"yes", "ja", "oui", "si", "是 的", "有 的", "可 以"};
constexpr std::array<View, 3> kNo = {"no", "nein", "non"};

const Views& Negations() {
  static const Views kWords = {
      " not ",    " no ",     " none ",    " without ", " cannot ", " doesnt ", " isnt ",
      " dont ",   " lacks ",  " neither ", " nor ",     " nicht ",  " kein ",   " keine ",
      " keinen ", " ohne ",   " ne ",      " n est ",   " n a ",    " pas ",    " sans ",
      " aucun ",  " aucune ", " sin ",     " tampoco ", " ninguno "};
  return kWords;
}
const Views& ChineseNegations() {
  static const Views kWords = {"没有", "不是", "不支持", "不带", "不能",
                               "不含", "无法", "不可",   "不"};
  return kWords;
}

using PhraseTable = std::map<View, Views>;
const PhraseTable kAdmissions = {
    {"unknown",
     {"does not say",
      "doesnt say",
      "do not say",
      "not stated",
      "does not state",
      "doesnt state",
      "not listed",
      "does not list",
      "doesnt list",
      "no information",
      "does not mention",
      "doesnt mention",
      "not specified",
      "does not specify",
      "dont know",
      "do not know",
      "cant tell",
      "cannot tell",
      "cant say",
      "cannot say",
      "not sure",
      "dont have that information",
      "nicht angegeben",
      "keine angabe",
      "keine angaben",
      "keine information",
      "steht nicht",
      "nennt nicht",
      "weiss ich nicht",
      "weiß ich nicht",
      "n indique pas",
      "ne precise pas",
      "pas indique",
      "non precise",
      "pas precise",
      "n est pas indique",
      "ne mentionne pas",
      "aucune information",
      "je ne sais pas",
      "no indica",
      "no se indica",
      "no especifica",
      "no consta",
      "no menciona",
      "no hay informacion",
      "no dice",
      "no lo se",
      "没有说明",
      "未说明",
      "没有注明",
      "未注明",
      "未标明",
      "没有标明",
      "没有提到",
      "未提及",
      "没有写",
      "没有相关信息",
      "不清楚",
      "不确定"}},
    {"not_sold",
     {"do not sell",
      "dont sell",
      "does not sell",
      "doesnt sell",
      "do not carry",
      "dont carry",
      "does not carry",
      "do not have any",
      "dont have any",
      "do not have",
      "dont have",
      "does not have any",
      "not in our",
      "not part of",
      "could not find",
      "couldnt find",
      "cannot find",
      "not sold",
      "no such",
      "not available in this shop",
      "there is no",
      "there are no",
      "nicht gefunden",
      "fuhren wir nicht",
      "verkaufen wir nicht",
      "fuhren keine",
      "verkaufen keine",
      "haben keine",
      "haben wir nicht",
      "gibt es nicht",
      "fuhrt keine",
      "ne vendons pas",
      "n avons pas",
      "pas trouve",
      "ne vend pas",
      "ne proposons pas",
      "no vendemos",
      "no tenemos",
      "no encontre",
      "no he encontrado",
      "no hemos encontrado",
      "no se vende",
      "没有找到",
      "不卖",
      "不销售",
      "没有出售",
      "没有销售",
      "本店没有",
      "店里没有",
      "我们没有"}},
    {"nothing", {"nothing",        "none of",        "no product", "no products", "not find any",
                 "could not find", "couldnt find",   "not one of", "nichts",      "kein produkt",
                 "keine produkte", "nicht gefunden", "keines",     "keiner",      "rien",
                 "aucun produit",  "aucun",          "aucune",     "pas trouve",  "nada",
                 "ningun",         "ninguno",        "ninguna",    "no encontre", "没有完全",
                 "没有符合",       "没有找到",       "没有商品"}},
    {"contradiction",
     {"contradict",
      "exclude each other",
      "cannot both",
      "cant both",
      "at the same time",
      "both at once",
      "impossible",
      "conflict",
      "rule each other out",
      "widersprech",
      "widerspruch",
      "schliessen sich",
      "schließen sich",
      "gleichzeitig",
      "contredi",
      "s excluent",
      "en meme temps",
      "incompatible",
      "contradic",
      "se excluyen",
      "al mismo tiempo",
      "矛盾",
      "冲突",
      "同时"}},
    {"unsure", {"did you mean",  "do you mean",
                "not sure",      "which one",
                "which product", "which of",
                "could you",     "can you tell",
                "please tell",   "what are you looking for",
                "do you want",   "would you like",
                "meinen sie",    "meinst du",
                "welches",       "welche",
                "nicht sicher",  "voulez vous dire",
                "lequel",        "laquelle",
                "quel produit",  "que cherchez",
                "quiere decir",  "cual",
                "que busca",     "不确定",
                "哪一",          "哪个",
                "哪款",          "您是指",
                "您想",          "您在找"}},
    {"refusal",
     {"cannot help",  "cant help",    "can not help",  "cannot assist",  "cant assist",
      "wont",         "will not",     "not able to",   "unable to",      "cannot do that",
      "cant do that", "sorry",        "not something", "only help with", "kann ich nicht",
      "nicht helfen", "tut mir leid", "leider",        "ne peux pas",    "desole",
      "no puedo",     "lo siento",    "无法",          "抱歉",           "不能"}}};

const std::map<View, Views>& AvailabilityWords() {
  static const std::map<View, Views> kWords = {
      {"in_stock",
       {"in stock", "available", "auf lager", "verfugbar", "lieferbar", "en stock", "disponible",
        "有货", "现货", "有库存"}},
      {"out_of_stock",
       {"out of stock", "not in stock", "sold out", "not available", "unavailable",
        "nicht auf lager", "nicht verfugbar", "nicht lieferbar", "ausverkauft", "rupture",
        "pas en stock", "indisponible", "epuise", "agotado", "sin existencias",
        "no esta disponible", "缺货", "无货", "售罄"}},
      {"preorder",
       {"preorder", "pre order", "vorbestell", "precommande", "pre commande", "reserva", "preventa",
        "预订", "预购", "预售"}},
      {"backorder",
       {"backorder", "back order", "nachbestell", "nachlieferung", "reapprovisionnement",
        "sur commande", "pedido pendiente", "bajo pedido", "延期", "补货", "缺货预订"}}};
  return kWords;
}

bool IsWide(View text) { return !text.empty() && static_cast<unsigned char>(text[0]) >= 0xE0; }

std::string WithoutBlanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

bool BeginsWithAny(const std::string& folded, std::span<const View> words) {
  return std::any_of(words.begin(), words.end(), [&](View word) {
    if (IsWide(word)) return WithoutBlanks(folded).starts_with(WithoutBlanks(std::string(word)));
    return folded == word || folded.starts_with(std::string(word) + " ");
  });
}

bool HoldsAny(View text, const Views& phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](View phrase) { return SaysPhrase(text, phrase); });
}

bool HoldsNumber(const std::vector<double>& numbers, double wanted) {
  return std::any_of(numbers.begin(), numbers.end(), [&](double found) {
    return std::fabs(found - wanted) <= std::fabs(wanted) * kRoundedAt;
  });
}

std::vector<std::string> WordsOf(const std::string& folded) {
  std::vector<std::string> words;
  for (size_t at = 0; at < folded.size();) {
    const size_t end = std::min(folded.find(' ', at), folded.size());
    if (end > at) words.push_back(folded.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool IsNumeric(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string LanguageOfAnswer(View text, View expected) {
  size_t wide = 0, letters = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    wide += byte >= 0xE3 && byte <= 0xE9;
    letters += std::isalpha(byte) != 0;
  }
  if (wide * 4 > letters && wide > 1) return "zh";
  const std::vector<std::string> words = WordsOf(FoldWords(text));
  std::string best;
  long most = 0;
  for (const auto& [language, function_words] : FunctionWords()) {
    const long count = std::count_if(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(function_words.begin(), function_words.end(), word) != function_words.end();
    });
    if (count > most || (count == most && count > 0 && language == expected)) {
      most = count, best = language;
    }
  }
  return best;
}

std::vector<std::string> SentencesOf(View text) {
  std::vector<std::string> sentences;
  std::string open;
  const auto close = [&] {
    if (open.find_first_not_of(" *-\t") != std::string::npos) sentences.push_back(open);
    open.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const View rest = text.substr(i);
    const bool wide_stop =
        rest.starts_with("。") || rest.starts_with("！") || rest.starts_with("？");
    if (wide_stop || text[i] == '\n') {
      close();
      i += wide_stop ? 2 : 0;
      continue;
    }
    const bool stops =
        text[i] == '!' || text[i] == '?' ||
        (text[i] == '.' && (i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n'));
    open += text[i];
    if (stops) close();
  }
  close();
  return sentences;
}

bool BeginsWithYesOrNo(View text) {
  const std::string folded = FoldWords(text);
  return BeginsWithAny(folded, kYes) || BeginsWithAny(folded, kNo);
}

Truth PolarityOf(View sentence) {
  const std::string folded = FoldWords(sentence);
  if (BeginsWithAny(folded, kYes)) return Truth::kYes;
  if (BeginsWithAny(folded, kNo)) return Truth::kNo;
  if (Admits("unknown", sentence)) return Truth::kUnknown;
  const std::string padded = " " + folded + " ";
  for (const View word : Negations()) {
    if (padded.find(word) != std::string::npos) return Truth::kNo;
  }
  for (const View word : ChineseNegations()) {
    if (sentence.find(word) != View::npos) return Truth::kNo;
  }
  return Truth::kYes;
}

bool SaysPhrase(View text, View phrase) {
  const std::string folded = FoldWords(text), wanted = FoldWords(phrase);
  if (wanted.empty()) return text.find(phrase) != View::npos;
  return WithoutBlanks(folded).find(WithoutBlanks(wanted)) != std::string::npos;
}

bool Admits(View admission, View text) {
  const auto phrases = kAdmissions.find(admission);
  return phrases != kAdmissions.end() && HoldsAny(text, phrases->second);
}

bool StatesValue(View text, View key, const std::string& value) {
  if (key == "availability") {
    const auto words = AvailabilityWords().find(value);
    if (words == AvailabilityWords().end() || !HoldsAny(text, words->second)) return false;
    return value != "in_stock" || !HoldsAny(text, AvailabilityWords().at("out_of_stock"));
  }
  std::vector<double> stated = NumbersIn(text);
  // German and Spanish answers write 10494 as "10.494"; a record's "1.750 kg" is quoted as it is.
  const std::string language = LanguageOfAnswer(text, "en");
  if (language == "de" || language == "es") {
    for (const double each : NumbersIn(text, NumberForm::kPointGroups)) stated.push_back(each);
  }
  if (key == "price") {
    const auto amount = NumberIn(value);
    return amount && HoldsNumber(stated, *amount / 100);
  }
  const std::string folded = FoldWords(value);
  if (folded == "yes" || folded == "true") return PolarityOf(text) == Truth::kYes;
  if (folded == "no" || folded == "none" || folded == "false") {
    return PolarityOf(text) == Truth::kNo || SaysPhrase(text, value);
  }
  for (const double number : NumbersIn(value)) {
    if (!HoldsNumber(stated, number)) return false;
  }
  size_t words = 0, found = 0;
  for (const std::string& word : WordsOf(folded)) {
    if (IsNumeric(word) || word.size() < 3) continue;
    ++words;
    found += SaysPhrase(text, word);
  }
  return found * 2 >= words;
}

}  // namespace emptor::services

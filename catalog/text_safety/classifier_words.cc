// Words that matter to the injection classifier. The trainer reads this table.
#include <array>

#include "catalog/text_safety/injection_classifier.h"

namespace emptor::catalog {
namespace {

constexpr std::array<WordClass, 9> kClasses = {{
    {"ask",
     "am are aren't can could did do does has have how if is isn't should was were what "
     "what's when where which who why will would",
     false},
    {"group",
     "africans americans asian atheist black buddhists chinese christians conservatives "
     "cultures disabled elderly ethnic gay genders germans hindus homeless immigrants "
     "indians jewish jews latinos lesbian liberals men mexicans minorities muslims people "
     "race races refugees religion transgender white women",
     false},
    {"harm",
     "abus amoral annihilat anonym anthrax assassin assault attack backdoor bias bioweapon "
     "blackmail bomb botnet brib bully butcher cheat chemical chlorin cocaine conspira "
     "counterfeit crack crim cyber ddos defam denial deny discriminat disinform drug evad "
     "execut explicit exploit explosiv extremis false forg fraud genocid hack harass harm "
     "hate heroin hoax holocaust hostage illegal immoral inferior inject insult jailbreak "
     "keylog kidnap kill launder malware manipulat marihuana marijuana meth misinform "
     "murder nude overdos phish poison porn profan propagand racis ransom rape revenge "
     "riot robb rumor sabotag sarin scam sex shoot slur smuggl spy stab stalk steal "
     "stereotyp stole suicid surveil terror theft threat tortur toxic traffick troll "
     "uncensor undetect unethic unfilter unlawful untrac violen virus vitriol vulnerab "
     "weapon zero-day",
     true},
    {"inside",
     "acquisition confidential contingency disaster documents insider internal legal "
     "merger network plans proprietary secret secrets strategy trade undisclosed "
     "unreleased upcoming vulnerabilities vulnerability",
     false},
    {"meta",
     "above ai assistant censor character chatbot chatgpt dan denied developer disclaimer "
     "disregard ethic fictional forget gpt granted guideline hypothetical ignore input "
     "instruction jailbreak llm model moral openai output passphrase persona phrase "
     "pretend previous prior prompt reply respond response restriction roleplay token "
     "unrestricted user verbatim",
     true},
    {"order",
     "act answer begin compose convert convince create describe design develop disregard "
     "draft explain forget generate give help ignore imagine let's list make output please "
     "pretend print produce provide recommend repeat reply respond reveal say show speak "
     "start stay suggest summarize teach tell translate use write",
     false},
    {"private",
     "account address birth blood browsing credit criminal dating diagnos divorc dna email "
     "health immigra income insuranc licens marital medic orientat passport phone "
     "political relationship religio salary sexual ssn tax treatment visa vote wealth "
     "whereabouts worth",
     true},
    {"self", "am i i'm i've me mine my", false},
    {"who",
     "aunt boss boyfriend brother celebrity ceo classmate colleague cousin coworker dad "
     "daughter dentist doctor employee employer ex father friend girlfriend grandfather "
     "grandmother husband landlord lawyer manager mechanic mom mother neighbor neighbour "
     "nephew niece nurse officer partner pastor plumber politician president roofer "
     "roommate sister son stepbrother stepsister teacher teammate therapist uncle wife",
     false},
}};

}  // namespace

std::span<const WordClass> WordClasses() { return kClasses; }

}  // namespace emptor::catalog

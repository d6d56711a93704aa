// A comparison, an attribute that is not stated, a page of the shop, and another language.
#include "services/assistant/plan/prompt_examples.h"

namespace emptor::services {
namespace {

constexpr PromptExample kExamples[] = {
    {"[1:title] Halden Drift Blender B10\n"
     "[1:price] $59.00\n"
     "[1:availability] in stock\n"
     "[1:attr.capacity] 1.5 liters\n"
     "[2:title] Halden Drift Blender B20\n"
     "[2:price] $79.00\n"
     "[2:availability] out of stock\n"
     "[2:attr.capacity] 2 liters\n"
     "[best:price] [1]\n",
     "Which blender is cheaper?",
     "The [1:title] is cheaper: it costs [1:price] [1]. The [2:title] costs [2:price] [2]."},
    {"[1:title] Corvo Trail Backpack\n"
     "[1:price] $45.00\n"
     "[1:availability] in stock\n"
     "[1:attr.material] nylon\n",
     "Is the backpack waterproof?",
     "The listing of the [1:title] does not say whether it is waterproof. Its material is "
     "[1:attr.material] [1]."},
    {"[1:question] How long can I return goods?\n"
     "[1:answer] Goods can be returned within 30 days.\n",
     "can i send it back after two weeks?", "[1:answer] [1]"},
    {"[1:title] Corvo Trail Backpack\n"
     "[1:price] $45.00\n"
     "[1:availability] in stock\n",
     "Was kostet der Rucksack?", "Der [1:title] kostet [1:price] [1]."},
};

}  // namespace

std::span<const PromptExample> PromptExamples() { return kExamples; }

}  // namespace emptor::services

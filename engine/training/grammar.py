"""More wordings than a list can hold: rules with alternatives, of which each use takes one at random.

`(a|b|)` is one of its alternatives, also an empty one; `{r}`, `{k}`, `{v}` are as in phrases.py. Only training
draws from here, and never a wording that phrases.py reserves for evaluation.
"""

import random
import re

import phrases

_OPEN = "(can you tell me|could you tell me|do you know|i would like to know|i'd like to know|tell me|i wonder|please say|let me know)"

_RULES = {
    "ATTRIBUTE": """
(what|which) {k} (is|does|has) (it for|there on|listed for|given for|written on|the maker of) {r}
(what|which) (is|was|would be) the (exact|listed|official|) {k} (for|of|on|with) {r}
(how|what) about {r}'s {k}
(what|which) {k} (do|would|will|can) (i|we|you) (get|have|find|expect) (with|on|for|in) {r}
{r} (has|comes with|is sold with|got) (what|which) {k}
""" + _OPEN + """ (the|what the|which|what) {k} (of|for|on) {r} (is|)
(find|check|look up|read me|name|state|give|get me|list) the {k} (of|for|on) {r} (please|)
(my|our) (son|daughter|husband|friend|mother|boss|client|neighbour) (asks|wonders|needs to know|is asking) (what|which) {k} {r} has
{r} (-|:|,|;) (the|its|what|which|) {k}
{k} (of|for|in|on|with) {r} (please|anyone|then|exactly|again|)
(looking at|thinking about|interested in|about|regarding|concerning) {r}(,|:) (what is|what's|tell me) (its|the) {k}
(i need|we need|i want|give me|show) the {k} (for|of) {r}
(what does|what do) (the listing|the page|the specs|you|they) say (about|on) the {k} (of|for) {r}
""",
    "BOOLEAN": """
(is|was) {r} (really|actually|also|at all|) {k}
(does|will|would|can) {r} (have|include|offer|support|do|feature|provide) {k}
(is|are) (there|) (any|some|a|) {k} (with|on|in|for) {r}
{r} (with|has|and|includes|supports) {k} (right|or not|correct|yes or no|)
""" + _OPEN + """ (if|whether) {r} (has|is|includes|supports|comes with|offers) {k}
(i want|i need|it must have|we need|i would like) {k}(,|;|.) (does|is|will) {r} (have it|do|that|fit|ok)
(what about|how about|and|regarding) {k} (for|on|with|in) {r}
{k}(,|:| -) {r} (yes or no|or not|)
""",
    "VALUE": """
(is|was) {r} (a|the|one with|) {v} {k}
(is|was) (the|its) {k} (of|on|for) {r} (really|exactly|actually|) {v}
(does|will|would) {r} (have|come with|offer|provide|feature|get) (a|an|the|) {v} {k}
(i read|i heard|it says|they say|my friend says|i think|i believe) {r} has (a|) {k} (of|) {v}(, is that right|, true|, correct|)
""" + _OPEN + """ (if|whether) the {k} (of|for|on) {r} is {v}
(want|need|i am looking for|i must have) {v} {k}(,|;) (is that|does that match|would that be|is this) {r}
{k} {v} (on|for|with|in) {r}
{r}(,|:) {k} {v} (or not|right|yes or no|)
(confirm|check|verify|please check) (that|) the {k} (of|on) {r} is {v}
""",
    "PRICE": """
(how much|what) (do|would|will|must|should) (i|we|you|one) (pay|give|spend|shell out|hand over) for {r}
(how much|how many euros|how many pounds|how much cash) (is|are|for|does|do i need for) {r}
(what is|what's|whats|say) the (total|full|final|exact|current|asking|selling|actual|) (price|cost|amount) (of|for|on) {r}
(what|how much) does {r} (cost|sell for|come to|run|retail for) (now|today|here|at your shop|in this shop|)
""" + _OPEN + """ (the price of|how much|what i pay for|the cost of|what it costs to get) {r} (is|costs|)
(price|cost|price tag|pricing|amount) (for|of|on|:) {r}
{r} (price|cost|how much is it|what's the price|pricing|how much money|for how much) (please|today|now|)
(is|would) {r} (over|above|below|less than|more than|within|be under) (100|twenty|80 dollars|my budget of 40|$30)
(i have|i only have|got) (50|$20|90 euros|thirty dollars)(,|;) (is that enough for|can i get|does it buy) {r}
""",
    "SALE": """
(is|was) {r} (cheaper|lower|higher|dearer|reduced|pricier) (now|today|before|last week|than before)
(any|some|is there a|are there) (sale|discount|deal|offer|promotion|special|price cut|reduction) (on|for|with) {r}
(what|how much) (was|is) the (old|original|former|earlier|previous|list|normal|full) price (of|for) {r}
(do|can|could|would) (i|we) (save|get money off|get a discount|get a deal) (on|with|for) {r}
{r} (discount|deal|offer|special|sale|reduced|price cut)
(has|did) the price of {r} (gone down|dropped|come down|fallen|change|drop|go down)
(how big|how large|what) is the (discount|saving|reduction) (on|for) {r}
""",
    "RATING": """
(how|what) (do|did) (buyers|customers|users|others|other shoppers|reviewers|owners) (rate|think of|say of|like|feel about) {r}
(what|how many) (rating|score|stars|points|marks|grade) (does|did|has) {r} (have|get|earn|receive|got)
(is|was) {r} (good|decent|great|bad|loved|liked|recommended|any use|worth buying|worth the money|reliable)
""" + _OPEN + """ (the rating|the score|how many stars|the reviews|the average rating) (of|for) {r}
(rating|score|stars|reviews|feedback|opinions|review score|ratings|star rating) (of|for|on|about) {r}
{r} (rating|stars|feedback|opinions|score|review|good or bad|worth it|any good)
(are|were) the (reviews|ratings|opinions) (of|for|about|on) {r} (good|bad|positive|ok|any good)
(how many|number of) (people|customers|buyers|reviews|ratings|opinions) (rated|reviewed|for|on|of) {r}
(does|do) (anyone|people|customers|others) (like|love|enjoy|complain about|hate) {r}
""",
    "STOCK": """
(is|are) {r} (available|there|in|on the shelf|in your warehouse|to be had|obtainable|deliverable) (now|today|at the moment|right now|again|)
(can|could|may) (i|we|you) (buy|get|have|order|purchase|ship|send|receive|pick up) {r} (now|today|this week|immediately|straight away|at once|soon|)
(do|did) you (have|hold|keep|stock|carry|sell) {r} (now|at the moment|right now|in stock|on hand|at present)
(how many|any|are some) (of|) {r} (left|remaining|in stock|available|on hand)
(what is|what's|tell me|check) the (stock|availability|stock status|inventory) (of|for|on) {r}
{r} (in stock|available|availability|stock|sold out|left|on hand) (now|today|yes or no|please|)
""" + _OPEN + """ (if|whether) {r} is (in stock|available|sold out|still there|on hand)
(when|how soon) (can|could|will) (i|you) (have|get|ship|send) {r}
""",
    "BRAND": """
(who|which company|what company|which firm|what manufacturer|which brand|what brand) (makes|made|produces|builds|sells|manufactures|designs|is behind|stands behind) {r}
(what|which) (brand|make|maker|label|manufacturer|company|firm) (is|does|was|has) {r} (belong to|by|of|carry|)
(who|which company|what firm) is (the maker|the manufacturer|the producer|the company|the brand) (of|behind) {r}
(what's|what is|tell me|name|say) the (brand|brand name|maker|manufacturer|make|company|producer|label) (of|for|behind|on) {r}
""" + _OPEN + """ (who makes|the brand of|who made|the maker of|which brand makes|the company behind) {r}
(brand|maker|manufacturer|make|producer|company|brand name) (of|for|behind|on|:) {r}
{r} (brand|maker|manufacturer|made by whom|by which brand|which brand|which make|who makes it)
{r} (is|was) (made|produced|manufactured|built) by (whom|who|which company|what brand)
""",
    "LINK": """
(give|send|show|get|pass) me (the|a) (link|url|page|product page|web page|address|site) (of|for|to) {r}
(where|how) (can|could|do|would|may) (i|we) (order|get|purchase|find|view|see|look at|add to my basket) {r}
(open|go to|bring up|pull up|jump to|show) (the page of|the page for|the link to|the product page of) {r}
(i want|i would like|i'd like|we want) to (order|purchase|get|see|look at|view) {r} (please|now|online|)
(do you have|is there|got) (a|the) (link|page|url|web page) (for|to|of) {r}
""",
    "OVERVIEW": """
(tell|say|show) me (everything|something|all|a bit|a little|more) (about|on) {r}
(what|how) (is|'s) {r} (like|about|all about)
(give me|i'd like|i want|may i have) (some|more|a few|the|all) (details|facts|information|info|specs|features) (on|about|of|for) {r}
{r} (info|information|facts|overview|summary|description|in short|features)
(summarise|summarize|introduce|describe|present|explain) {r} (briefly|for me|please|)
(i'm|i am) (curious about|interested in|considering|looking at) {r}
""",
    "GREETING": """
(hi|hello|hey|hiya|good day|good morning|good evening|good afternoon)( there| again| everyone| bot| friend|)(, how are you|, can you help|!|)
(are you|anyone|somebody|is someone|is somebody) (there|here|online|around|available to help)
(i|we) (need|want|could use|would like) (some |a little |your |)(help|assistance|advice)(, please| with shopping|)
how (are you|is it going|are things|do you do)( today|)
""",
    "THANKS": """
(thanks|thank you|many thanks|thank you very much|cheers)( again| a bunch| for that| for helping| for the info| indeed|)
(that|this) (is|was|has been) (great|helpful|useful|all i needed|perfect|very kind|good to know)(, thanks|)
(ok|okay|alright|lovely|wonderful|super|got it)(, thanks|, thank you| then|)
""",
    "GOODBYE": """
(bye|goodbye|see you|good night|so long|take care|farewell)( now| then| soon| tomorrow| for now|)
(i|we) (have to|must|need to|will) (go|leave)( now|)(, bye|)
""",
    "ABOUT_BOT": """
(what|how) (can|do|could) you (do|help|know|help me with|answer|assist with)( here| for me|)
are you (a|an) (machine|program|computer|real person|robot|ai|human being|chat bot|language model)
(who|what) (am i talking to|is this|made you|is answering)
""",
}

_GROUP = re.compile(r"\(([^()]*)\)")


class Grammar:
    """Draws wordings from the rules of a block."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self._rules = {block: [r.strip() for r in text.split("\n") if r.strip()] for block, text in _RULES.items()}
        self._reserved = {block: set(phrases.patterns(getattr(phrases, block), True)) for block in _RULES}

    def covers(self, block: str) -> bool:
        return block in self._rules

    def wording(self, block: str) -> str:
        while True:
            rule = self.rng.choice(self._rules[block])
            text = _GROUP.sub(lambda group: self.rng.choice(group.group(1).split("|")), rule)
            text = re.sub(r"\s+", " ", text).replace(" ,", ",").strip()
            if text not in self._reserved[block]:
                return text

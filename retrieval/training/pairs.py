"""Invents (query, product passage) pairs from the lexicon. Deterministic for a given seed.

A pair carries the facts that its query asks for and the facts that its passage states, so that training
never counts a passage that also answers a query as a wrong one.
"""
import random
from dataclasses import dataclass

CONSONANTS = "b bl br c ch cr d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t tr v w z".split()
VOWELS = "a e i o u a e i o ai ea ee ia io oo ou y".split()
ENDINGS = "n r l x s t m nd rk nt ck va lo ra no ix on er ine ity tech ware pro tek line".split()
LINES = ("pro plus max mini lite air neo prime classic essential comfort home sport elite smart eco ultra basic active "
         "star urban nordic studio deluxe compact original select premium edge flex one go power").split()
FILLERS = ["i need {q}", "looking for {q}", "do you have {q}?", "show me {q}", "can you recommend {q}", "which {q} is best",
           "what {q} do you sell", "{q} please", "i want to buy {q}", "find {q}", "{q} for sale", "any {q} in stock?",
           "where can i find {q}", "good {q}", "best {q}", "cheap {q}", "{q} under ${n}", "{q} below {n} dollars", "top rated {q}"]
NEED_FORMS = ["{w}", "something to {w}", "i want to {w}", "what do i need to {w}", "help me {w}", "product for {w}",
              "gift for someone who wants to {w}", "what is good to {w}"]
DESCRIPTIONS = ["Ideal for {w}.", "Perfect to {w}.", "Great when you {w}.", "Made for {w}.", "A good choice: {w}.",
                "Use it to {w}.", "{w}, every day."]
EXTRAS = ["in stock", "new", "free shipping", "2 year warranty", "best seller", "for home and office", "high quality",
          "easy to use", "modern design", "with manual", "limited edition", "includes accessories", "retail box", "bulk"]
ATTRIBUTE_QUESTIONS = ["what is the {a} of the {p}", "{p} {a}", "which {a} does the {p} have", "tell me the {a} of {p}"]
ZH_FORMS = ["{q}", "我想买{q}", "推荐一款{q}", "有没有{q}", "哪款{q}好", "便宜的{q}", "{q}多少钱", "适合送人的{q}", "{q}推荐"]


@dataclass
class Pair:
    query: str
    passage: str
    need: frozenset    # the passage answers when it states all of these
    facts: frozenset
    group: str         # department, for batches of near neighbours


@dataclass
class Product:
    kind: object
    brand: str
    line: str
    code: str
    attributes: list   # (set name, value index)


class Generator:
    def __init__(self, lexicon, seed, word_share=0.2):
        """`word_share`: share of pairs that train nothing but equal words."""
        self.lexicon, self.word_share = lexicon, word_share
        self.rng = random.Random(seed)
        self.synonyms = {}
        for words in lexicon.synonyms:
            for word in words:
                self.synonyms.setdefault(word, []).extend(w for w in words if w != word)
        self.brands = sorted({self.invent_word() for _ in range(4000)})
        known = {w for kind in lexicon.types for text in (*kind.names, *kind.needs) for w in text.lower().split()}
        self.words = sorted(known) + [self.invent_word() for _ in range(2 * len(known))]

    def invent_word(self):
        rng = self.rng
        word = "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(rng.choice([1, 2, 2])))
        return (word + rng.choice(ENDINGS))[:11]

    def invent_code(self):
        rng = self.rng
        letters = "".join(rng.choice("ABCDEFGHKLMNPRSTVWXZ") for _ in range(rng.choice([1, 1, 2, 2, 3])))
        digits = str(rng.randrange(10, 10 ** rng.choice([2, 3, 3, 4])))
        return rng.choice(["{l}{d}", "{l}-{d}", "{d}{l}", "{l} {d}", "{l}{d}" + rng.choice("abcex")]).format(l=letters, d=digits)

    def product(self, kind):
        rng = self.rng
        names = rng.sample(kind.sets, min(len(kind.sets), rng.choice([1, 2, 3, 4]))) if kind.sets else []
        attributes = [(n, rng.randrange(len(self.lexicon.attributes[n].values))) for n in names]
        brand = rng.choice(self.brands)
        return Product(kind, brand, rng.choice(LINES) if rng.random() < 0.4 else "", self.invent_code(), attributes)

    def spell(self, attribute):
        """One spelling of an attribute value, with its unit."""
        name, index = attribute
        group = self.lexicon.attributes[name]
        value = self.rng.choice(group.values[index])
        if not group.units:
            return value
        unit = self.rng.choice(group.units)
        tight = unit[0] in "-\"'" or (len(unit) <= 3 and self.rng.random() < 0.4)
        return value + ("" if tight else " ") + unit

    def facts(self, product):
        kind = product.kind
        return frozenset([("dept", kind.department), ("brand", product.brand), ("code", product.code)]
                         + [("name", n) for n in kind.names] + [("need", n) for n in kind.needs]
                         + [("zh", z) for z in kind.chinese] + [("attr", *a) for a in product.attributes])

    # --- passages -------------------------------------------------------------------------------------------

    def passage(self, product):
        rng, kind = self.rng, product.kind
        name = rng.choice(kind.names) if rng.random() < 0.6 else kind.names[0]
        spelled = [self.spell(a) for a in product.attributes]
        rng.shuffle(spelled)
        cut = rng.randrange(len(spelled) + 1)
        front = [product.brand.capitalize() if rng.random() < 0.9 else "", product.line, product.code if rng.random() < 0.7 else ""]
        words = [*front, *spelled[:cut], self.case(name)] if rng.random() < 0.5 else [*front, self.case(name), *spelled[:cut]]
        text = " ".join(w for w in words if w)
        parts = [text]
        if rng.random() < 0.35:
            parts.append(kind.department)
        if spelled[cut:]:
            named = [f"{self.lexicon.attributes[a[0]].attribute}: {self.spell(a)}" for a in product.attributes]
            parts.append(", ".join(named if rng.random() < 0.5 else spelled[cut:]))
        if kind.needs and rng.random() < 0.45:
            parts.append(rng.choice(DESCRIPTIONS).format(w=rng.choice(kind.needs)))
        if rng.random() < 0.3:
            parts.append(rng.choice(kind.names))
        if rng.random() < 0.3:
            parts.append(rng.choice(EXTRAS))
        return rng.choice([". ", " ", " - ", ", "]).join(parts)

    def passage_zh(self, product):
        rng, words = self.rng, self.lexicon.chinese_words
        values = [rng.choice(self.lexicon.attributes[n].values[i]) for n, i in product.attributes]
        spelled = [words.get(v, v) for v in values[:2]]
        return " ".join([product.brand.capitalize(), rng.choice(product.kind.chinese), product.code, *spelled])

    def case(self, text):
        return text.title() if self.rng.random() < 0.6 else text

    # --- queries --------------------------------------------------------------------------------------------

    def query(self, product):
        """(text, needed facts): the way shoppers ask for this product."""
        rng, kind = self.rng, product.kind
        form = rng.choices(["name", "attributes", "need", "brand", "code", "question", "chinese", "department"],
                           [24, 34, 14, 10, 6, 6, 5, 1])[0]
        if form == "need" and kind.needs:
            need = rng.choice(kind.needs)
            return self.noise(rng.choice(NEED_FORMS).format(w=need)), {("need", need)}
        if form == "chinese" and kind.chinese:
            return self.query_zh(product)
        if form == "department":
            return self.noise(kind.department.split(" > ")[-1]), {("dept", kind.department)}
        name = rng.choice(kind.names)
        need = {("name", name)}
        words = [self.plural(name)]
        if form in ("attributes", "question") and product.attributes:
            for attribute in rng.sample(product.attributes, min(len(product.attributes), rng.choice([1, 1, 2]))):
                words.insert(rng.choice([0, 0, len(words)]), self.spell(attribute))
                need.add(("attr", *attribute))
        if form in ("brand", "question"):
            words.insert(0, product.brand)
            need.add(("brand", product.brand))
        if form == "code":
            words = [product.brand, product.code] if rng.random() < 0.6 else [product.code]
            need = {("code", product.code)}
        if form == "question" and product.attributes:
            asked = self.lexicon.attributes[rng.choice(product.attributes)[0]].attribute
            return self.noise(rng.choice(ATTRIBUTE_QUESTIONS).format(a=asked, p=" ".join(words))), need
        text = " ".join(words)
        if rng.random() < 0.3:
            text = rng.choice(FILLERS).format(q=text, n=rng.choice([10, 20, 30, 50, 80, 100, 150, 200, 300, 500]))
        return self.noise(text), need

    def query_zh(self, product):
        rng = self.rng
        name = rng.choice(product.kind.chinese)
        return rng.choice(ZH_FORMS).format(q=name), {("zh", name)}

    def plural(self, name):
        if self.rng.random() < 0.25 and name[-1] not in "s)" and name.isascii():
            return name + ("es" if name.endswith(("ch", "sh", "x")) else "s")
        return name

    def noise(self, text):
        """Synonyms, a typo, capital letters: what happens on a keyboard."""
        rng = self.rng
        words = text.split()
        for i, word in enumerate(words):
            if word in self.synonyms and rng.random() < 0.3:
                words[i] = rng.choice(self.synonyms[word])
        if rng.random() < 0.1:
            i = rng.randrange(len(words))
            words[i] = self.typo(words[i])
        text = " ".join(words)
        return rng.choice([text] * 8 + [text.capitalize(), text.title(), text + "?", text.upper()])

    def typo(self, word):
        rng = self.rng
        if len(word) < 5:
            return word
        i = rng.randrange(1, len(word) - 1)
        return rng.choice([word[:i] + word[i + 1:], word[:i] + word[i] + word[i:], word[:i] + word[i + 1] + word[i] + word[i + 2:],
                           word[:i] + rng.choice("aeiourstln") + word[i + 1:]])

    # --- pairs ----------------------------------------------------------------------------------------------

    def word_pair(self):
        """A passage of unrelated words and some of them as query: equal words must meet, whatever they mean."""
        rng = self.rng
        words = [self.invent_code() if rng.random() < 0.2 else rng.choice(self.words) for _ in range(rng.randrange(4, 16))]
        asked = rng.sample(words, rng.choice([1, 2, 2, 3]))
        passage = " ".join(self.case(w) for w in words)
        return Pair(self.noise(" ".join(asked)), passage, frozenset(("word", w) for w in asked),
                    frozenset(("word", w) for w in words), "words")

    def pair(self):
        rng = self.rng
        if rng.random() < self.word_share:
            return self.word_pair()
        draw = rng.random()
        if draw < 0.05:
            intent = rng.choice(self.lexicon.intents)
            a, b = rng.sample(intent[1:], 2)
            fact = frozenset([("intent", intent[0])])
            return Pair(self.noise(a), intent[0] + " " + b if rng.random() < 0.3 else b, fact, fact, "support")
        if draw < 0.09:
            group = rng.choice(self.lexicon.synonyms)
            a, b = rng.sample(group, 2)
            noun = rng.choice(self.lexicon.types).names[0]
            fact = frozenset([("synonym", *group), ("name", noun)])
            return Pair(f"{a} {noun}", f"{b} {noun}", fact, fact, "synonyms")
        product = self.product(rng.choice(self.lexicon.types))
        facts = self.facts(product)
        chinese = product.kind.chinese and rng.random() < 0.05
        passage = self.passage_zh(product) if chinese else self.passage(product)
        query, need = self.query_zh(product) if chinese and rng.random() < 0.5 else self.query(product)
        if chinese:
            need = {n for n in need if n[0] != "attr"}
        return Pair(query, passage, frozenset(need), facts, product.kind.department)

    def pairs(self, count):
        return [self.pair() for _ in range(count)]

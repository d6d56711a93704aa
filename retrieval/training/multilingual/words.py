"""Text preparation of the embedder: case folding, and words, numbers and Chinese text set apart."""
import re
import unicodedata

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
IS_HAN = re.compile(f"[{HAN}]")
DECIMAL_POINT = re.compile(r"(?<=\d)[.,](?=\d)")
MARK = "\u2581"


def fold(text):
    """Unicode NFKC_Casefold; without characters that have no width."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return folded if folded.isascii() else "".join(c for c in folded if not is_ignorable(c))


def is_ignorable(character):
    return unicodedata.category(character) == "Cf" or "\ufe00" <= character <= "\ufe0f"


def kind(character):
    """0: separator, 1: digit, 2: Chinese, 3: another letter."""
    category = unicodedata.category(character)
    if category == "Nd":
        return 1
    if category[0] not in "LMN":
        return 0
    return 2 if IS_HAN.match(character) else 3


def normalize(text):
    """Runs of digits, of Chinese characters and of other letters, separated by one blank. A point or comma
    between two digits is a decimal point."""
    folded = fold(text)
    if folded.isascii() and folded.isalpha():
        return folded
    folded = DECIMAL_POINT.sub("\0", folded.replace("\0", " "))
    out, before = [], 0
    for character in folded:
        now = 1 if character == "\0" else kind(character)
        if now and before != now and out:
            out.append(" ")
        if now:
            out.append("." if character == "\0" else character)
        before = now
    return "".join(out)


def encode(tokenizer, texts):
    """Token ids of whole texts."""
    marked = (normalize(text) for text in texts)
    return [e.ids for e in tokenizer.encode_batch([MARK + t.replace(" ", MARK) if t else "" for t in marked])]

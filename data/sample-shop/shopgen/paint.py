"""SVG primitives and colours for the product drawings (300 x 300 view box)."""
COLORS = {
    "brushed steel": "#aeb8c0", "matte black": "#3a3f47", "cream": "#efe2c6", "sage green": "#9db596",
    "cherry red": "#c8453f", "charcoal": "#535b66", "copper": "#c07a4e", "forest green": "#3f6f55",
    "walnut brown": "#8a5d3b", "sky blue": "#7fb6dd", "midnight black": "#2e333d", "silver": "#bcc4cb",
    "navy blue": "#34507d", "sand": "#d9c3a0", "pearl white": "#f4f3ef", "coral": "#ec7f6b",
    "mint": "#a2d8c2", "teal": "#2f8f92", "black": "#33363c", "graphite": "#5b6470",
    "rose gold": "#dfa596", "light gray": "#c2c8ce", "oak": "#d2a56c", "white": "#f7f7f5",
    "brass": "#cfa64a", "warm white": "#f6d27a", "multicolor": "#e2793f", "sunny yellow": "#f2c230",
    "indigo": "#3e4f86", "burnt orange": "#d9703a", "leaf green": "#66a55a", "lavender": "#b3a0d6",
    "terracotta": "#c9704d",
}
INK, STEEL, WOOD, PAPER, GLASS = "#2f3640", "#b9c2ca", "#b98a5a", "#fbf8f1", "#d8ebf2"
BACKGROUNDS = ["#f4ebdd", "#e4eef4", "#e9f0e3", "#f5e6e2", "#ece8f4", "#f3eed8", "#e3f0ee", "#efe9e4"]


def mix(a, b, share):
    """Colour `a` with `share` (0..1) of colour `b`."""
    pair = zip((a[1:3], a[3:5], a[5:7]), (b[1:3], b[3:5], b[5:7]))
    return "#" + "".join(f"{round(int(x, 16) * (1 - share) + int(y, 16) * share):02x}" for x, y in pair)


class Palette:
    """The product's colour m, darker d and x, lighter l."""

    def __init__(self, name):
        self.m = COLORS[name]
        self.d, self.x = mix(self.m, "#1d2430", 0.22), mix(self.m, "#1d2430", 0.45)
        self.l = mix(self.m, "#ffffff", 0.35)


def r(x, y, w, h, rx, fill, more=""):
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{rx}" fill="{fill}"{more}/>'


def c(x, y, radius, fill, more=""):
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"{more}/>'


def e(x, y, rx, ry, fill, more=""):
    return f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="{fill}"{more}/>'


def p(d, fill, more=""):
    return f'<path d="{d}" fill="{fill}"{more}/>'


def s(d, color, width, more=""):
    return (f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{width}" '
            f'stroke-linecap="round" stroke-linejoin="round"{more}/>')


def g(transform, *parts):
    return f'<g transform="{transform}">' + "".join(parts) + "</g>"


def shine(d, opacity=0.35):
    """A soft white highlight along a path."""
    return s(d, "#ffffff", 7, f' opacity="{opacity}"')


def is_pale(color):
    return sum(int(color[i:i + 2], 16) for i in (1, 3, 5)) > 3 * 215


def picture(body, color, tone, floor=252, width=84):
    """The whole image: soft background, a disc that sets off the product, a shadow, the product."""
    bg = BACKGROUNDS[tone % len(BACKGROUNDS)]
    disc = mix(bg, "#40587a", 0.15) if is_pale(color) else mix(bg, "#ffffff", 0.5)
    shadow = mix(bg, "#1d2430", 0.16)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" role="img">'
            + r(0, 0, 300, 300, 0, bg) + c(150, 146, 116, disc)
            + e(150, floor, width, 9, shadow) + body + "</svg>\n")

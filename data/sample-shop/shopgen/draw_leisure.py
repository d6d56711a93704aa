"""Drawings: outdoor, garden, pets, toys."""
from .paint import GLASS, INK, PAPER, STEEL, WOOD, c, e, g, mix, p, r, s, shine

GRASS = "#9fc78d"


def tent(k, a):
    out = e(150, 244, 124, 14, GRASS) + p("M150 70 L266 242 H34 Z", k.m) + p("M150 70 L266 242 H196 Z", k.d)
    out += p("M150 104 L194 242 H106 Z", k.x) + p("M150 104 L172 242 H150 Z", k.l) + s("M150 70 L144 58 M150 70 L156 58", k.x, 5)
    return out + s("M34 242 L18 252 M266 242 L282 252", INK, 3), 256, 126


def sleeping_bag(k, a):
    mummy = a.get("shape") == "mummy"
    body = "M70 104 Q70 62 118 62 Q150 62 158 96 L244 210 Q256 236 230 244 Q204 250 188 232 L84 142 Q70 130 70 104 Z"
    out = p(body, k.m)
    out += "".join(s(d, k.d, 5) for d in ("M112 168 Q134 150 156 118", "M140 192 Q162 174 184 144", "M168 216 Q190 200 210 172"))
    out += c(112, 102, 30, k.x) + c(112, 102, 22, k.l) + s("M150 118 L226 216", PAPER, 4, ' stroke-dasharray="2 8"')
    return out + (c(112, 102, 12, k.x) if mummy else r(90, 92, 44, 22, 10, PAPER)), 256, 100


def bike_helmet(k, a):
    out = s("M92 190 Q112 250 150 246 Q182 242 196 192", INK, 6) + r(138, 238, 24, 14, 5, INK)
    out += p("M48 186 Q52 82 152 80 Q236 82 254 172 Q258 188 240 190 Q150 176 66 196 Q48 200 48 186 Z", k.m, f' stroke="{k.d}" stroke-width="2"')
    out += p("M84 164 Q90 120 128 104 Q112 132 108 166 Z", k.x) + p("M132 160 Q134 124 158 100 Q164 130 162 160 Z", k.x) + p("M186 160 Q188 128 190 106 Q216 124 226 164 Z", k.x)
    return out + shine("M66 158 Q76 112 120 96", .35), 256, 90


def city_bike(k, a):
    out = "".join(c(x, 192, 50, "none", f' stroke="{INK}" stroke-width="7"') + c(x, 192, 44, "none", f' stroke="{STEEL}" stroke-width="2"') + c(x, 192, 6, STEEL) for x in (78, 222))
    out += s("M78 192 L116 122 L194 118 M116 122 L142 196 L194 118 M142 196 H78 M104 96 L142 196", k.m, 8) + s("M222 192 L190 92 Q188 80 210 84", k.m, 8)
    out += s("M86 92 H122", INK, 10) + s("M204 84 H226", INK, 8) + c(142, 196, 13, STEEL) + s("M130 206 L154 186", INK, 5)
    return out + s("M30 176 Q46 134 86 138 M176 168 Q190 136 232 138", k.d, 6) + r(50, 124, 50, 7, 3, k.x) + c(206, 104, 8, "#f6d27a"), 246, 122


def bike_light(k, a):
    out = p("M196 122 L290 70 V230 L196 178 Z", "#fbe6a6", ' opacity=".8"') + r(70, 108, 118, 84, 26, k.m) + r(168, 106, 34, 88, 12, k.x)
    out += e(200, 150, 9, 38, "#fff3c4") + r(104, 186, 44, 30, 8, k.x) + c(126, 230, 24, "none", f' stroke="{INK}" stroke-width="10"')
    return out + r(104, 118, 32, 9, 4, k.l) + c(92, 150, 6, "#7fd18c"), 260, 70


def water_bottle(k, a):
    wide = {"500 ml": 0, "750 ml": 4, "1.0 l": 10}.get(a.get("capacity"), 2)
    x, w = 112 - wide, 76 + 2 * wide
    out = r(128, 38, 44, 38, 8, INK) + s("M150 38 Q182 24 178 60", INK, 6)
    out += p(f"M122 72 H178 Q{x + w} 84 {x + w} 116 V232 Q{x + w} 250 {x + w - 18} 250 H{x + 18} Q{x} 250 {x} 232 V116 Q{x} 84 122 72 Z", k.m, f' stroke="{k.d}" stroke-width="2"')
    return out + r(x, 206, w, 12, 0, k.d) + p("M138 164 Q150 140 162 164 Q166 182 150 184 Q134 182 138 164 Z", k.l) + shine(f"M{x + 13} 122 V196", .5), 254, 50


def yoga_mat(k, a):
    out = p("M96 236 H268 Q278 236 278 242 Q278 248 268 248 H80 Z", k.d) + r(40, 140, 206, 104, 52, k.m)
    out += r(78, 140, 13, 104, 0, PAPER) + r(136, 140, 13, 104, 0, PAPER) + s("M84 140 Q114 84 142 140", PAPER, 8) + c(196, 192, 52, k.d)
    out += "".join(c(196, 192, q, f) for q, f in ((42, k.l), (32, k.d), (22, k.l), (12, k.d), (5, k.x)))
    return out + shine("M66 162 Q58 172 56 186", .35), 252, 116


def dumbbells(k, a):
    one = r(96, 142, 108, 16, 8, STEEL) + r(58, 108, 26, 84, 8, k.m) + r(82, 118, 20, 64, 6, k.d) + r(216, 108, 26, 84, 8, k.m) + r(198, 118, 20, 64, 6, k.d)
    return g("translate(10 -34)", one) + g("translate(-8 46) scale(1.02)", one), 252, 100


def garden_hose(k, a):
    out = "".join(e(146, y, 92, 34, "none", f' stroke="{f}" stroke-width="15"') for y, f in ((208, k.x), (188, k.d), (168, k.m)))
    out += s("M238 168 Q256 130 220 112", k.m, 15) + g("rotate(-40 208 102)", r(170, 90, 52, 24, 6, "#f2c230"), r(146, 94, 30, 16, 5, INK))
    return out + s("M128 84 Q112 62 92 64 M126 100 Q104 88 84 96 M140 74 Q134 52 120 44", "#7fb6dd", 5), 252, 104


def pruning_shears(k, a):
    out = p("M144 150 Q116 96 132 44 Q160 82 166 138 Z", STEEL) + p("M158 148 Q196 102 186 58 Q150 96 140 136 Z", "#8f9aa5")
    out += s("M150 152 Q112 176 104 246", k.m, 20) + s("M154 152 Q192 178 200 244", k.d, 20) + c(153, 150, 13, INK) + c(153, 150, 5, STEEL)
    return out + s("M132 192 L144 184 L136 200 L160 192 L152 206 L172 198", STEEL, 4) + g("translate(186 40)", e(26, 10, 20, 10, "#66a55a"), s("M-6 22 L40 2", "#3f6f55", 4)), 258, 66


def planter(k, a):
    out = "".join(g(f"rotate({t} 150 150)", e(150, 92, 18, 54, f)) for t, f in ((-44, "#5f9a5a"), (44, "#5f9a5a"), (-18, "#79b36d"), (20, "#4d8650"), (0, "#8cc47e")))
    out += p("M90 156 H210 L194 242 Q192 250 184 250 H116 Q108 250 106 242 Z", k.m, f' stroke="{k.d}" stroke-width="2"') + r(82, 142, 136, 26, 8, k.m, f' stroke="{k.d}" stroke-width="2"') + r(82, 158, 136, 10, 5, k.d)
    if a.get("saucer") == "yes":
        out += r(94, 244, 112, 12, 6, k.d)
    return out + shine("M110 182 L116 230", .3), 256, 64


def lawn_mower(k, a):
    out = r(16, 240, 268, 14, 7, GRASS) + "".join(s(f"M{x} 242 l4 -14", "#6ca35c", 4) for x in range(214, 282, 12))
    out += s("M96 176 L46 66 H26", INK, 9) + p("M72 190 Q80 146 150 146 H212 Q246 150 250 196 V218 H72 Z", k.m) + r(126, 122, 70, 32, 10, k.d)
    out += r(140, 130, 42, 8, 4, "#f2c230") + p("M36 150 H98 L88 208 H50 Z", k.x)
    return out + "".join(c(x, 224, q, INK) + c(x, 224, q - 12, STEEL) for x, q in ((96, 26), (224, 22))), 254, 126


def dog(x, y, fur, scale=1):
    return g(f"translate({x} {y}) scale({scale})", e(0, 34, 56, 26, fur), c(48, 10, 24, fur), e(64, 20, 14, 10, mix(fur, "#ffffff", .4)), c(74, 16, 4, INK),
             c(52, 6, 3, INK), e(34, 12, 9, 19, mix(fur, INK, .35)), s("M-52 32 Q-72 24 -66 6", fur, 9))


def dog_bed(k, a):
    out = e(150, 214, 118, 38, k.d) + e(150, 202, 118, 38, k.m) + e(150, 198, 90, 26, k.l)
    return out + dog(140, 150, "#b98a5a", .95) + p("M32 202 Q34 244 150 244 Q266 244 268 202 Q240 226 150 228 Q60 226 32 202 Z", k.m) + shine("M52 222 Q80 238 120 240", .25), 250, 122


def cat_tree(k, a):
    high = int(a.get("platforms", "3")) > 2
    out = r(70, 234, 160, 16, 6, k.d) + r(96, 150, 16, 86, 2, WOOD) + r(186, 110 if high else 150, 16, 126, 2, WOOD)
    out += "".join(s(f"M97 {y} H111 M187 {y} H201", "#d8b78a", 2) for y in range(164, 232, 9)) + r(70, 138, 76, 16, 7, k.m)
    if high:
        out += r(96, 62, 14, 80, 2, WOOD) + r(154, 98, 80, 16, 7, k.m) + r(66, 56, 74, 16, 7, k.m)
    if a.get("hideaway") == "yes":
        out += r(118, 184, 66, 52, 10, k.m) + c(151, 214, 17, INK)
    x, y = (194, 62) if high else (108, 102)
    return out + g(f"translate({x} {y})", e(0, 22, 24, 17, "#e0984c"), c(0, -2, 17, "#e0984c"), p("M-16 -6 L-14 -26 L-3 -15 Z M16 -6 L14 -26 L3 -15 Z", "#e0984c"),
                   c(-6, -3, 2.5, INK), c(6, -3, 2.5, INK), s("M22 28 Q42 30 36 48", "#e0984c", 7)), 254, 84


def dog_leash(k, a):
    out = s("M96 104 Q60 160 110 190 Q170 224 206 176 Q232 138 190 124 Q152 114 150 160 Q150 214 214 232", k.m, 11)
    out += c(104, 82, 30, "none", f' stroke="{k.d}" stroke-width="13"') + g("rotate(24 232 238)", r(212, 230, 34, 16, 5, STEEL), c(252, 238, 11, "none", f' stroke="{STEEL}" stroke-width="6"'))
    return out + s("M98 108 L104 120", INK, 13), 260, 90


def pet_fountain(k, a):
    out = s("M150 126 Q112 118 112 178 M150 126 Q188 118 188 178", "#8cc8e8", 9) + p("M84 168 H216 L206 240 Q204 248 196 248 H104 Q96 248 94 240 Z", k.m, f' stroke="{k.d}" stroke-width="2"')
    out += e(150, 168, 74, 19, k.d) + e(150, 167, 62, 13, "#9fd3ee") + r(140, 112, 20, 56, 6, k.d) + e(150, 112, 22, 9, k.m, f' stroke="{k.d}" stroke-width="2"')
    paw = c(150, 216, 9, k.d) + "".join(c(x, y, 4, k.d) for x, y in ((138, 204), (146, 199), (155, 199), (163, 204)))
    return out + paw + e(112, 176, 12, 4, PAPER) + e(188, 176, 12, 4, PAPER), 252, 74


def building_blocks(k, a):
    if a.get("material") == "beech wood":
        out = r(66, 194, 52, 52, 5, "#e2793f") + r(124, 194, 52, 52, 5, "#4f93c4") + r(182, 194, 52, 52, 5, "#f2c230")
        out += r(94, 138, 52, 52, 5, "#66a55a") + r(154, 138, 52, 52, 5, "#d9534f") + p("M112 134 L150 84 L188 134 Z", "#8a6fc0")
        return out + c(120, 164, 13, PAPER) + p("M208 206 L222 236 H194 Z", PAPER) + r(139, 209, 22, 22, 3, PAPER) + shine("M76 206 V232", .35), 250, 96

    def brick(x, y, n, f):
        return "".join(r(x + 9 + i * 32, y - 9, 18, 12, 3, mix(f, INK, .12)) for i in range(n)) + r(x, y, n * 32 + 4, 38, 4, f)
    return brick(56, 208, 3, "#4f93c4") + brick(158, 208, 3, "#d9534f") + brick(90, 168, 4, "#f2c230") \
        + brick(122, 128, 2, "#66a55a") + brick(138, 88, 1, "#e2793f"), 250, 104


def board_game(k, a):
    out = g("rotate(-10 150 160)", r(56, 78, 188, 160, 12, INK), r(56, 70, 188, 160, 12, "#2f6f73"), r(66, 80, 168, 140, 8, "#f3e3bd"),
            s("M86 200 Q86 110 130 120 Q170 130 160 170 Q152 206 200 196 Q224 186 214 104", "#c9704d", 9, ' stroke-dasharray="1 17"'),
            r(182, 88, 36, 28, 5, "#8fb3cf"), c(100, 104, 13, "#9fc78d"))

    def pawn(x, y, f):
        return g(f"translate({x} {y})", p("M-15 40 H15 L7 8 H-7 Z", f), c(0, 0, 12, f), r(-18, 38, 36, 9, 4, mix(f, INK, .25)))

    die = g("rotate(14 214 212)", r(194, 192, 42, 42, 9, PAPER, ' stroke="#c9c2b0" stroke-width="2"'), c(205, 203, 4, INK), c(215, 213, 4, INK), c(225, 223, 4, INK))
    return out + pawn(96, 186, "#c8453f") + pawn(140, 200, "#34507d") + die, 254, 108


def puzzle(k, a):
    piece = "M0 0 H22 Q18 -18 33 -18 Q48 -18 44 0 H66 V22 Q84 18 84 33 Q84 48 66 44 V66 H0 V44 Q-16 48 -16 33 Q-16 18 0 22 Z"
    spots = ((74, 96, 0, "#7fb6dd"), (162, 92, 90, "#f2c230"), (76, 182, 0, "#66a55a"), (172, 176, 14, "#ec7f6b"))
    return "".join(g(f"translate({x} {y}) rotate({t} 33 33)", p(piece, f, f' stroke="{mix(f, INK, .25)}" stroke-width="2"')) for x, y, t, f in spots), 262, 96


def plush_ears(kind, k):
    if kind == "rabbit":
        return "".join(g(f"rotate({t} 150 110)", e(150, 54, 15, 44, k.m), e(150, 56, 7, 32, "#f3c1bd")) for t in (-16, 16))
    if kind == "fox":
        return p("M106 104 L100 48 L144 82 Z M194 104 L200 48 L156 82 Z", k.m) + p("M110 90 L107 64 L126 80 Z M190 90 L193 64 L174 80 Z", k.x)
    if kind == "elephant":
        return e(92, 112, 36, 40, k.d) + e(208, 112, 36, 40, k.d)
    if kind == "owl":
        return p("M106 92 L102 58 L134 76 Z M194 92 L198 58 L166 76 Z", k.d)
    return c(108, 76, 20, k.m) + c(192, 76, 20, k.m) + c(108, 76, 10, k.l) + c(192, 76, 10, k.l)


def plush(k, a):
    kind = a.get("animal", "bear")
    if kind == "whale":
        out = p("M44 176 Q52 100 144 104 Q220 108 226 168 Q232 136 258 118 Q262 138 250 152 Q272 150 276 164 Q262 180 236 184 Q214 240 132 238 Q48 236 44 176 Z", k.m)
        return out + p("M48 192 Q96 216 186 222 Q160 238 132 238 Q60 236 48 192 Z", k.l) + c(86, 164, 6, INK) + s("M60 192 Q74 204 92 198", k.x, 4) + s("M126 96 Q112 74 96 80 M130 96 Q134 70 152 72", "#9fd3ee", 6), 248, 98
    out = e(150, 206, 56, 46, k.m) + e(150, 212, 34, 32, k.l) + plush_ears(kind, k) + e(150, 118, 58, 50, k.m)
    out += e(106, 240, 22, 15, k.d) + e(194, 240, 22, 15, k.d) + g("rotate(24 94 190)", e(94, 192, 15, 30, k.d)) + g("rotate(-24 206 190)", e(206, 192, 15, 30, k.d))
    if kind == "owl":
        out += c(128, 112, 20, PAPER) + c(172, 112, 20, PAPER) + p("M142 126 H158 L150 142 Z", "#f2a93b")
    elif kind == "elephant":
        out += s("M150 128 Q152 166 170 164", k.d, 15)
    else:
        out += e(150, 136, 25, 19, k.l) + e(150, 128, 8, 6, INK) + s("M150 134 V142 M140 146 Q150 154 160 146", INK, 3)
    return out + c(128, 112, 6, INK) + c(172, 112, 6, INK) + c(130, 110, 2, "#ffffff") + c(174, 110, 2, "#ffffff"), 252, 72


def rc_car(k, a):
    out = s("M204 130 L226 62", INK, 3) + c(226, 60, 5, k.m) + p("M44 186 Q52 152 92 150 L122 116 H190 L222 152 Q258 156 258 190 V204 H44 Z", k.m)
    out += p("M104 150 L128 124 H152 V150 Z", GLASS) + p("M160 124 H186 L206 150 H160 Z", GLASS) + r(44, 184, 214, 14, 4, k.d)
    out += "".join(c(x, 210, 36, INK) + c(x, 210, 18, STEEL) + c(x, 210, 7, k.d) for x in (92, 212)) + r(238, 164, 18, 12, 5, "#f6d27a")
    return out, 250, 112


DRAWINGS = {name.replace("_", "-"): f for name, f in list(globals().items())
            if callable(f) and getattr(f, "__module__", "") == __name__ and name not in ("dog", "plush_ears")}

"""Drawings: kitchen, audio, computing, phones, appliances. Each returns (svg body, floor y, shadow width)."""
from .paint import GLASS, INK, PAPER, STEEL, WOOD, c, e, g, mix, p, r, s, shine


def kettle(k, a):
    glass = a.get("material") == "borosilicate glass"
    body = "M98 108 Q150 90 202 108 L214 232 Q150 244 86 232 Z"
    out = s("M204 122 Q250 124 246 172 Q242 214 212 216", k.x, 15)
    out += p("M98 120 L64 112 L92 156 Z", k.d) + p(body, GLASS if glass else k.m)
    if glass:
        out += p("M92 160 Q150 152 208 160 L214 232 Q150 244 86 232 Z", "#9fd0e6") + s(body + "", k.d, 3)
    out += p("M98 108 Q150 78 202 108 Q150 120 98 108 Z", k.d) + c(150, 86, 9, k.x)
    return out + r(82, 232, 136, 16, 6, k.x) + shine("M112 128 L104 212"), 250, 84


def coffee_maker(k, a):
    out = r(84, 62, 132, 184, 12, k.m) + r(104, 116, 112, 104, 4, mix(k.m, "#000000", 0.55))
    out += p("M122 146 H198 L192 214 Q160 222 128 214 Z", GLASS) + p("M125 176 H195 L192 214 Q160 222 128 214 Z", "#5b3a29")
    out += s("M198 156 Q224 160 216 188 Q212 200 196 200", INK, 7) + r(124, 138, 72, 10, 4, INK)
    out += r(84, 62, 132, 40, 12, k.d) + c(112, 82, 7, "#7fd18c") + r(140, 75, 58, 14, 4, k.x)
    return out + r(76, 236, 148, 14, 6, k.x) + shine("M96 118 V222", .2), 252, 84


def blender(k, a):
    out = p("M104 62 H196 L182 176 H118 Z", GLASS) + p("M110 112 Q150 100 190 112 L182 176 H118 Z", "#e8879b")
    out += c(138, 134, 7, "#d65f7a") + c(162, 150, 9, "#d65f7a") + s("M196 76 Q226 80 218 118 Q212 146 188 150", k.x, 9)
    out += r(98, 50, 104, 16, 6, k.x) + r(136, 38, 28, 14, 5, k.x)
    out += p("M112 176 H188 L204 248 H96 Z", k.m) + c(150, 214, 17, PAPER) + s("M150 214 V202", INK, 4)
    return out + shine("M124 76 L132 164"), 250, 72


def toaster(k, a):
    four = a.get("slots") == "4"
    x, w = (52, 196) if four else (74, 152)
    breads = [x + 16, x + w / 2 + 8] if four else [108]
    out = "".join(p(f"M{b} 128 V92 Q{b} 76 {b + 18} 78 Q{b + 42} 70 {b + 64} 78 Q{b + 84} 76 {b + 84} 92 V128 Z", "#d9a566")
                  + s(f"M{b + 14} 96 V122", "#c08a4a", 4) for b in breads)
    out += r(x, 118, w, 124, 30, k.m) + r(x + 18, 118, w - 36, 10, 5, k.x)
    out += r(x + w - 10, 150, 20, 12, 5, k.x) + c(x + w - 34, 210, 11, PAPER) + c(x + w - 34, 210, 4, k.x)
    return out + r(x + 14, 240, w - 28, 9, 4, k.x) + shine(f"M{x + 22} 150 V212"), 252, w / 2 + 4


def frying_pan(k, a):
    out = g("rotate(-32 150 150)", r(196, 139, 106, 22, 11, k.x), c(288, 150, 5, PAPER))
    out += c(130, 168, 82, k.d) + c(130, 164, 80, k.m) + c(130, 164, 64, mix(k.m, "#000000", .3))
    return out + p("M92 160 Q84 126 120 126 Q134 108 156 126 Q182 136 170 164 Q178 196 142 194 Q104 206 92 160 Z", "#fffdf6") \
        + c(132, 158, 19, "#f6b93b") + shine("M120 150 Q126 144 133 144", .6), 256, 80


def chef_knife(k, a):
    blade = "M92 196 L228 60 Q246 44 250 48 Q252 74 226 112 L126 218 Z"
    out = g("translate(0 14)", r(44, 214, 212, 26, 8, WOOD), r(44, 214, 212, 10, 5, "#cfa274"))
    return out + p(blade, "#d5dce1") + p("M126 218 L226 112 Q252 74 250 48 L106 206 Z", "#eef2f4") \
        + p("M92 196 L126 218 L84 254 Q66 262 58 246 Q52 234 66 222 Z", k.m) \
        + c(80, 238, 4, STEEL) + c(96, 222, 4, STEEL), 262, 96


def food_container(k, a):
    def box(x, y, w, h, fill):
        return r(x, y, w, h, 12, GLASS) + r(x + 8, y + h * .4, w - 16, h * .5, 8, fill) \
            + r(x - 6, y - 12, w + 12, 18, 8, k.m) + r(x + w / 2 - 12, y - 14, 24, 24, 5, k.d)
    return box(62, 186, 176, 60, "#7fae62") + box(78, 112, 144, 54, "#e59a55") + shine("M76 206 V232", .5), 252, 100


def headphones(k, a):
    out = s("M78 178 V150 Q78 70 150 70 Q222 70 222 150 V178", k.x, 16)
    out += s("M96 118 Q112 82 150 82 Q188 82 204 118", k.m, 10)
    out += r(54, 152, 50, 88, 24, k.m) + r(196, 152, 50, 88, 24, k.m)
    out += r(92, 158, 22, 76, 11, k.x) + r(186, 158, 22, 76, 11, k.x)
    return out + shine("M66 178 V210") + shine("M232 178 V210", .2), 254, 92


def earbuds(k, a):
    out = r(80, 62, 140, 100, 40, k.d) + r(92, 74, 116, 84, 30, k.x)
    for x, flip in ((118, 1), (182, -1)):
        out += g(f"translate({x} 132) scale({flip} 1)", r(-10, 0, 20, 44, 9, k.l), c(0, -8, 23, k.l), e(15, -16, 11, 15, INK), c(-7, -10, 5, k.x))
    out += r(74, 150, 152, 94, 42, k.m) + p("M74 192 V190 Q74 150 116 150 H184 Q226 150 226 190 V192 Q220 166 184 164 H116 Q80 166 74 192 Z", k.d)
    return out + c(150, 204, 5, "#7fd18c") + shine("M92 200 Q94 222 110 230"), 252, 80


def speaker(k, a):
    out = r(56, 102, 188, 142, 44, k.d) + r(56, 98, 188, 138, 44, k.m)
    out += c(118, 168, 42, k.x) + c(118, 168, 27, k.d) + c(118, 168, 10, k.l) + c(198, 148, 20, k.x) + c(198, 148, 9, k.l)
    out += s("M98 100 Q150 58 202 100", k.x, 9) + r(178, 192, 40, 10, 5, k.l) + c(198, 218, 5, "#7fd18c")
    return out + shine("M72 150 V190"), 252, 94


def soundbar(k, a):
    out = r(58, 72, 184, 112, 6, INK) + r(64, 78, 172, 100, 3, "#5f86ad") + p("M64 150 L110 118 L146 142 L186 104 L236 146 V178 H64 Z", "#40658c")
    out += r(38, 208, 224, 32, 12, k.m) + "".join(c(x, 224, 2.2, k.l) for x in range(58, 246, 12))
    return out + r(140, 184, 20, 22, 2, INK) + c(250, 224, 3, "#7fd18c") + shine("M54 214 H120", .2), 246, 116


def turntable(k, a):
    out = p("M52 190 L84 96 H236 L252 190 Z", k.l) + r(48, 190, 208, 40, 8, k.m) + r(64, 230, 24, 12, 4, INK) + r(214, 230, 24, 12, 4, INK)
    out += e(146, 146, 74, 38, INK) + e(146, 146, 54, 27, "#454d59") + e(146, 146, 30, 15, INK) + e(146, 146, 20, 10, "#d9703a") + e(146, 146, 3, 2, PAPER)
    return out + s("M226 116 L210 150 L178 158", STEEL, 6) + c(226, 114, 10, STEEL) + c(232, 210, 8, k.x), 246, 108


def monitor(k, a):
    wide = a.get("screen size", "").startswith("34")
    x, w = (28, 244) if wide else (42, 216)
    out = r(x, 66, w, 136, 8, k.x) + r(x + 7, 73, w - 14, 122, 4, "#3b6ea5")
    out += p(f"M{x + 7} 160 Q{x + w * .3} 96 {x + w * .52} 150 Q{x + w * .75} 190 {x + w - 7} 118 V191 Q{x + w - 7} 195 {x + w - 11} 195 H{x + 11} Q{x + 7} 195 {x + 7} 191 Z", "#6fa8d6")
    out += c(x + w - 52, 104, 14, "#f6d27a") + p("M134 202 H166 L170 236 H130 Z", k.m) + r(98, 234, 104, 11, 5, k.d)
    return out, 248, 70


def keyboard(k, a):
    out = g("rotate(-8 150 170)", r(32, 118, 236, 104, 14, k.x), r(32, 112, 236, 102, 14, k.m))
    keys = ""
    for row, (count, start) in enumerate(((12, 44), (12, 44), (11, 50))):
        for i in range(count):
            fill = "#ec7f6b" if (row, i) == (0, 0) else k.l
            keys += r(start + i * 18, 122 + row * 22, 14, 16, 3, fill)
    keys += r(44, 188, 30, 16, 3, k.l) + r(80, 188, 110, 16, 3, k.l) + r(196, 188, 28, 16, 3, k.l) + r(230, 188, 28, 16, 3, "#7fb6dd")
    return out + g("rotate(-8 150 170)", keys), 238, 116


def mouse(k, a):
    body = "M150 74 Q212 74 212 150 V184 Q212 246 150 246 Q88 246 88 184 V150 Q88 74 150 74 Z"
    return p(body, k.m) + p("M150 74 Q212 74 212 150 V152 H88 V150 Q88 74 150 74 Z", k.l) \
        + s("M150 76 V152 M88 152 H212", k.d, 3) + r(141, 96, 18, 38, 9, k.x) + shine("M106 176 Q106 214 122 228", .4) \
        + r(84, 168, 8, 34, 4, k.x), 252, 68


def laptop(k, a):
    out = r(66, 76, 168, 122, 9, k.x) + r(74, 84, 152, 106, 4, "#4a7fb0")
    out += p("M74 160 Q112 118 146 148 Q186 180 226 130 V190 H74 Z", "#8fc0e4") + c(198, 108, 11, "#f6d27a")
    out += p("M40 198 H260 L272 228 Q272 236 262 236 H38 Q28 236 28 228 Z", k.m) + p("M62 204 H238 L244 216 H56 Z", k.d)
    return out + r(124, 221, 52, 9, 4, k.d), 240, 120


def ssd(k, a):
    out = g("rotate(-10 150 160)", r(88, 98, 124, 136, 18, k.d), r(88, 92, 124, 136, 18, k.m), r(104, 108, 92, 8, 4, k.l),
            r(104, 124, 58, 8, 4, k.l), c(194, 206, 5, "#7fd18c"), shine("M100 150 V200", .25))
    return s("M164 238 Q170 268 216 262 Q252 256 250 214", INK, 7) + r(241, 186, 18, 32, 5, STEEL) + out, 262, 74


def webcam(k, a):
    out = r(52, 168, 196, 14, 4, INK) + r(60, 182, 180, 70, 3, "#5f86ad") + p("M126 146 H174 L182 178 H118 Z", k.x)
    return out + r(66, 86, 168, 66, 33, k.m) + c(150, 119, 30, k.x) + c(150, 119, 19, "#31527a") + c(150, 119, 8, INK) \
        + c(143, 111, 5, "#ffffff") + c(208, 119, 5, "#7fd18c") + shine("M88 108 Q92 100 102 98", .3), 258, 100


def router(k, a):
    out = "".join(s(f"M{x} 184 V{y}", k.d, 11) for x, y in ((76, 96), (124, 78), (176, 78), (224, 96)))
    out += r(50, 172, 200, 66, 22, k.m) + r(50, 212, 200, 26, 13, k.d)
    out += "".join(c(x, 194, 5, f) for x, f in ((92, "#7fd18c"), (114, "#7fd18c"), (136, "#7fd18c"), (158, "#f6d27a")))
    return out + s("M132 56 Q150 42 168 56 M118 40 Q150 14 182 40", "#7fb6dd", 7), 246, 100


def phone_case(k, a):
    return g("rotate(8 150 150)", r(92, 46, 116, 208, 26, k.d), r(96, 46, 112, 204, 24, k.m), r(106, 58, 48, 56, 16, k.x),
             c(122, 76, 10, INK), c(122, 76, 5, "#45688f"), c(140, 96, 10, INK), c(140, 96, 5, "#45688f"), c(142, 74, 4, PAPER),
             c(152, 172, 30, "none", f' stroke="{k.l}" stroke-width="5"'), shine("M194 76 V210", .3)), 260, 62


def power_bank(k, a):
    out = s("M150 76 Q150 40 190 44 Q240 50 236 104", INK, 6) + r(228, 100, 17, 30, 4, STEEL)
    out += r(90, 72, 120, 178, 22, k.d) + r(90, 68, 120, 176, 22, k.m) + r(138, 76, 24, 8, 4, INK)
    out += p("M156 122 L130 166 H149 L143 202 L172 154 H152 Z", "#f6d27a")
    return out + "".join(c(124 + i * 17, 224, 4.5, "#7fd18c" if i < 3 else k.x) for i in range(4)) + shine("M103 96 V206", .25), 254, 70


def smartwatch(k, a):
    out = p("M112 96 L120 34 Q150 26 180 34 L188 96 Z", k.m) + p("M112 204 L120 266 Q150 274 180 266 L188 204 Z", k.m)
    out += "".join(r(146, y, 8, 4, 2, k.x) for y in (238, 248, 258)) + r(92, 88, 116, 124, 34, k.x) + r(100, 96, 100, 108, 28, "#161b24")
    out += c(150, 150, 38, "none", ' stroke="#33404f" stroke-width="9"') + s("M150 112 A38 38 0 1 1 114 162", "#6fd0a8", 9)
    return out + s("M132 152 H142 L148 138 L155 164 L160 152 H168", "#ec7f6b", 5) + r(206, 130, 9, 28, 4, k.d), 276, 44


def usb_charger(k, a):
    out = r(112, 48, 10, 44, 3, STEEL) + r(178, 48, 10, 44, 3, STEEL) + r(80, 84, 140, 142, 26, k.d) + r(80, 80, 140, 142, 26, k.m)
    out += r(128, 178, 44, 15, 7, INK) + (r(128, 150, 44, 15, 7, INK) if "2" in a.get("ports", "") else "")
    return out + p("M155 96 L138 122 H150 L146 140 L164 114 H152 Z", "#f6b93b") + shine("M96 110 V190", .3) \
        + s("M150 194 V262", INK, 8), 262, 56


def cordless_vacuum(k, a):
    out = s("M176 116 L120 226", STEEL, 11) + p("M66 224 H150 Q160 224 158 236 L156 248 H58 Q56 224 66 224 Z", k.m) + r(58, 240, 100, 10, 4, k.x)
    out += g("rotate(26 190 88)", r(168, 52, 44, 92, 18, k.m), r(172, 92, 36, 46, 12, GLASS), r(174, 116, 32, 20, 8, "#b9a58d"))
    return out + s("M196 50 Q246 44 238 92 Q232 112 208 108", k.x, 12) + c(206, 66, 8, k.l), 254, 86


def robot_vacuum(k, a):
    out = r(196, 120, 60, 118, 12, k.d) + r(206, 134, 40, 8, 4, k.l)
    out += e(132, 214, 100, 38, k.x) + e(132, 200, 100, 38, k.m) + e(132, 198, 72, 26, k.l) + e(132, 186, 26, 10, k.x) + p("M106 186 V174 A26 10 0 0 1 158 174 V186 A26 10 0 0 1 106 186 Z", k.d) + e(132, 174, 26, 10, k.x)
    return out + s("M44 218 L26 232 M46 226 L38 242", INK, 4) + c(92, 208, 4, "#7fd18c"), 250, 112


def air_purifier(k, a):
    out = r(92, 56, 116, 188, 30, k.d) + r(92, 52, 116, 188, 30, k.m)
    out += "".join(r(110, y, 80, 6, 3, k.d) for y in range(140, 222, 13)) + c(150, 98, 24, k.x) + c(150, 98, 17, "#7fd1b5")
    return out + s("M118 36 Q128 24 138 36 T158 36 T178 36", "#8cc4dc", 6) + shine("M104 96 V200", .4), 248, 70


def fan(k, a):
    out = r(120, 44, 60, 186, 28, k.d) + r(116, 40, 60, 186, 28, k.m)
    out += "".join(r(128, y, 36, 5, 2, k.x) for y in range(78, 196, 12)) + c(146, 60, 7, "#7fd1b5") + e(148, 238, 62, 13, k.x)
    return out + r(136, 222, 22, 16, 2, k.x) + s("M196 90 Q216 80 232 92 M198 124 Q222 112 244 126 M196 158 Q216 148 232 160", "#8cc4dc", 6), 246, 66


def heater(k, a):
    out = r(82, 72, 136, 166, 20, k.d) + r(82, 68, 136, 166, 20, k.m) + r(98, 112, 104, 94, 8, INK)
    out += "".join(s(f"M108 {y} Q121 {y - 9} 134 {y} T160 {y} T192 {y}", "#f2813f", 6) for y in (132, 152, 172, 192))
    return out + c(118, 92, 9, k.x) + r(140, 86, 56, 12, 5, k.x) + r(94, 234, 30, 12, 4, INK) + r(176, 234, 30, 12, 4, INK), 250, 78


DRAWINGS = {name.replace("_", "-"): f for name, f in list(globals().items())
            if callable(f) and getattr(f, "__module__", "") == __name__}

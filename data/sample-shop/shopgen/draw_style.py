"""Drawings: furniture, lighting, shoes, clothing, bags."""
from .paint import INK, PAPER, STEEL, WOOD, c, e, g, mix, p, r, s, shine

GLOW = "#fbe6a6"


def office_chair(k, a):
    out = s("M150 196 V226 M150 226 L96 246 M150 226 L204 246 M150 226 V250", INK, 9)
    out += "".join(c(x, y, 7, INK) for x, y in ((96, 248), (204, 248), (150, 254)))
    if a.get("headrest") == "yes":
        out += r(118, 30, 64, 28, 12, k.d) + r(144, 54, 12, 16, 2, INK)
    out += r(100, 62, 100, 106, 24, k.m) + "".join(s(f"M114 {y} H186", k.d, 3) for y in (86, 104, 122, 140))
    return out + s("M84 142 V176 M84 142 H104 M216 142 V176 M216 142 H196", k.x, 9) + r(86, 168, 128, 32, 14, k.d), 258, 66


def standing_desk(k, a):
    out = r(78, 132, 14, 106, 2, STEEL) + r(208, 132, 14, 106, 2, STEEL) + r(60, 236, 50, 10, 4, INK) + r(190, 236, 50, 10, 4, INK)
    out += r(34, 116, 232, 18, 5, k.m) + r(34, 128, 232, 6, 3, k.d) + r(110, 58, 82, 50, 4, INK) + r(115, 63, 72, 40, 2, "#6fa8d6") + r(146, 106, 10, 10, 0, INK)
    return out + p("M222 116 L218 92 H242 L238 116 Z", "#c9704d") + s("M230 92 Q222 72 212 72 M230 92 Q234 66 248 68", "#66a55a", 6) \
        + r(196, 138, 22, 7, 3, INK), 250, 104


def bookcase(k, a):
    n = min(5, int(a.get("shelves", "4")))
    top = 252 - n * 40
    out = r(86, top, 128, 252 - top, 4, k.d) + r(94, top + 8, 112, 240 - top, 2, mix(k.m, "#ffffff", .55))
    books = ["#c8453f", "#34507d", "#f2c230", "#3f6f55", "#b3a0d6", "#ec7f6b", "#2f8f92"]
    for i in range(n):
        y = top + 8 + (i + 1) * (244 - top - 8) / n
        out += r(94, round(y) - 6, 112, 6, 0, k.m)
        for j in range(3 + (i * 2 + n) % 4):
            h = 18 + (i * 7 + j * 5) % 9
            out += r(98 + j * 12 + (i % 2) * 22, round(y) - 6 - h, 10, h, 1, books[(i * 3 + j) % 7])
    return out, 254, 70


def sofa(k, a):
    seats = int(a.get("seats", "3"))
    w = 196 if seats == 2 else 232
    x = 150 - w / 2
    out = r(x + 20, 232, 10, 20, 2, WOOD) + r(x + w - 30, 232, 10, 20, 2, WOOD) + r(x + 14, 112, w - 28, 106, 22, k.d)
    cw = (w - 52) / min(seats, 3)
    for i in range(min(seats, 3)):
        out += r(round(x + 26 + i * cw), 122, round(cw) - 4, 62, 12, k.m) + r(round(x + 26 + i * cw), 180, round(cw) - 4, 34, 10, k.l)
    out += r(x + 20, 206, w - 40, 30, 8, k.d) + r(x, 150, 32, 88, 16, k.m) + r(x + w - 32, 150, 32, 88, 16, k.m)
    return out + g(f"rotate(14 {x + 56} 160)", r(x + 38, 140, 40, 40, 8, "#f2c230")), 254, w / 2


def bed_frame(k, a):
    out = r(48, 84, 204, 116, 12, k.m) + r(60, 96, 180, 70, 6, k.d) + r(40, 170, 220, 46, 14, PAPER)
    out += r(66, 146, 76, 36, 14, "#ffffff", f' stroke="{STEEL}" stroke-width="2"') + r(158, 146, 76, 36, 14, "#ffffff", f' stroke="{STEEL}" stroke-width="2"')
    out += r(40, 184, 220, 40, 12, "#8fb3cf") + r(36, 212, 228, 26, 6, k.m) + r(44, 236, 14, 14, 2, k.x) + r(242, 236, 14, 14, 2, k.x)
    if a.get("storage drawers") != "none":
        out += r(60, 216, 84, 18, 3, k.d) + r(156, 216, 84, 18, 3, k.d) + r(94, 223, 16, 4, 2, PAPER) + r(190, 223, 16, 4, 2, PAPER)
    return out, 252, 116


def desk_lamp(k, a):
    out = p("M62 122 L126 92 L190 248 H40 Z", GLOW, ' opacity=".55"') + s("M206 236 L226 146 L146 78", k.d, 10) + c(226, 146, 10, k.x)
    out += g("rotate(-26 122 94)", p("M92 74 H152 L166 116 H78 Z", k.m), e(122, 117, 44, 9, "#fff3c4"))
    return out + e(206, 244, 46, 11, k.x) + e(206, 239, 46, 11, k.m), 250, 100


def floor_lamp(k, a):
    shade = {"linen": "#efe2c6", "opal glass": "#fbf8f1"}.get(a.get("shade"), k.m)
    out = p("M116 116 H184 L214 246 H86 Z", GLOW, ' opacity=".4"') + s("M150 110 V240", k.d, 7)
    out += p("M122 44 H178 L202 116 H98 Z", shade, f' stroke="{mix(shade, INK, .2)}" stroke-width="2"') + e(150, 116, 52, 8, "#fff3c4")
    return out + e(150, 246, 44, 9, k.x) + e(150, 242, 44, 9, k.m), 250, 50


def pendant(k, a):
    out = p("M78 176 L222 176 L262 262 H38 Z", GLOW, ' opacity=".45"') + s("M150 0 V78", INK, 4) + r(138, 66, 24, 22, 5, k.x)
    if a.get("shade") == "opal glass":
        return out + c(150, 142, 58, "#fffdf4", f' stroke="{k.m}" stroke-width="5"') + shine("M116 120 Q124 102 142 98", .9), 266, 70
    out += p("M78 176 Q78 86 150 86 Q222 86 222 176 Z", k.m) + e(150, 176, 72, 13, k.x) + e(150, 177, 60, 8, "#fff3c4") + c(150, 176, 15, "#ffe9a0")
    if a.get("shade") == "woven rattan":
        out += "".join(s(f"M{x} 166 Q{150 + (x - 150) * .8} 110 150 90", k.d, 2) for x in (92, 112, 131, 169, 188, 208))
    return out + shine("M98 148 Q104 114 130 102", .35), 266, 70


def string_lights(k, a):
    colors = ["#f6c945", "#ec7f6b", "#7fb6dd", "#8fca8a", "#b3a0d6"] if a.get("color") == "multicolor" else ["#f8cf62"]
    out = s("M20 84 Q90 150 150 108 Q214 66 280 118", INK, 4) + s("M20 170 Q90 232 160 190 Q220 154 280 206", INK, 4)
    spots = [(40, 102), (76, 121), (112, 121), (150, 108), (188, 94), (226, 93), (262, 107), (44, 189), (84, 205), (124, 203), (164, 188), (204, 179), (244, 187)]
    for i, (x, y) in enumerate(spots):
        f = colors[i % len(colors)]
        out += c(x, y + 22, 19, f, ' opacity=".28"') + r(x - 5, y - 2, 10, 10, 2, INK) + e(x, y + 19, 9, 13, f)
    return out, 262, 60


def running_shoes(k, a):
    upper = "M58 120 Q76 134 100 116 Q110 108 122 120 Q150 168 206 178 Q250 186 252 212 H54 Q46 160 58 120 Z"
    out = p("M46 206 H256 Q266 236 240 240 H66 Q42 240 46 206 Z", "#ffffff", f' stroke="{mix(k.m, INK, .3)}" stroke-width="2"') + p(upper, k.m)
    out += p("M206 178 Q250 186 252 212 H196 Q194 194 206 178 Z", k.d) + p("M58 120 Q66 128 76 128 L82 212 H54 Q46 160 58 120 Z", k.x)
    out += s("M92 206 Q130 200 164 164", k.l, 10) + s("M124 142 L142 130 M136 156 L154 144 M150 168 L168 156", PAPER, 5)
    return out + s("M70 228 H234", k.m, 5), 246, 106


def hiking_boots(k, a):
    top = 62 if a.get("height") == "high" else 84
    out = p(f"M78 {top} H156 L162 138 Q172 164 214 172 Q246 180 244 216 H68 Q76 140 78 {top} Z", k.m)
    out += p("M206 170 Q246 178 244 216 H196 Q194 186 206 170 Z", k.x) + r(72, top - 8, 90, 18, 9, k.d)
    out += "".join(s(f"M138 {y} L164 {y - 4}", "#f2c230", 5) for y in range(top + 26, 152, 17))
    out += p("M62 214 H250 V232 H238 V242 H222 V234 H206 V242 H188 V234 H170 V242 H152 V234 H122 V242 H84 V234 H62 Z", INK)
    return out + s("M92 176 Q124 182 150 170", k.d, 4), 248, 98


def sneakers(k, a):
    upper = "M60 118 Q88 130 116 112 Q140 160 196 174 Q246 182 248 214 H58 Q52 160 60 118 Z"
    out = p(upper, k.m, f' stroke="{k.d}" stroke-width="2"') + r(50, 208, 206, 30, 14, "#ffffff", f' stroke="{mix(k.m, INK, .25)}" stroke-width="2"')
    out += p("M214 180 Q248 186 248 208 H200 Q200 190 214 180 Z", "#ffffff", f' stroke="{k.d}" stroke-width="2"') + s("M56 223 H250", k.d, 3)
    if a.get("closure") == "laces":
        out += s("M120 136 L140 122 M132 150 L152 136 M146 162 L166 148", k.x, 5)
    else:
        out += p("M116 126 L142 152 L126 172 L104 140 Z", k.d)
    return out + c(88, 168, 13, k.l, f' stroke="{k.d}" stroke-width="2"'), 244, 106


def rain_boots(k, a):
    top = {"ankle": 128, "mid-calf": 88, "knee": 50}[a.get("height", "mid-calf")]
    boot = p(f"M0 {top} H66 L70 176 Q84 196 118 200 Q138 206 134 234 H-2 Q4 180 0 {top} Z", k.m) \
        + r(-6, 228, 144, 16, 7, k.x) + r(-4, top - 6, 74, 16, 8, k.d) + shine(f"M16 {top + 26} V196", .35)
    return g("translate(112 -8)", boot.replace(k.m, k.d)) + g("translate(66 4)", boot), 252, 104


def tshirt(k, a):
    out = p("M108 68 L52 104 L74 148 L98 134 V240 H202 V134 L226 148 L248 104 L192 68 Q172 90 150 90 Q128 90 108 68 Z", k.m, f' stroke="{k.d}" stroke-width="2"')
    neck = "M108 68 Q128 96 150 96 Q172 96 192 68" if a.get("neck") != "v-neck" else "M108 68 L150 114 L192 68"
    if a.get("neck") == "v-neck":
        out += p("M112 70 L150 112 L188 70 Q172 88 150 88 Q128 88 112 70 Z", k.x)
    return out + s(neck, k.d, 6) + s("M98 134 V170 M202 134 V170", k.d, 3), 254, 66


def sweater(k, a):
    out = p("M110 74 L64 100 L46 220 L76 226 L98 150 V236 H202 V150 L224 226 L254 220 L236 100 L190 74 Q150 96 110 74 Z", k.m)
    out += r(98, 226, 104, 16, 5, k.d) + g("rotate(8 62 222)", r(44, 214, 34, 14, 5, k.d)) + g("rotate(-8 238 222)", r(222, 214, 34, 14, 5, k.d))
    out += "".join(s(f"M{x} 110 V220", k.d, 2.5, ' stroke-dasharray="7 6"') for x in (124, 150, 176))
    collar = r(118, 56, 64, 34, 12, k.d) if a.get("neck") == "roll neck" else s("M112 76 Q150 104 188 76", k.d, 10)
    if a.get("neck") == "v-neck":
        collar = s("M112 76 L150 118 L188 76", k.d, 9)
    return out + collar, 252, 70


def jacket(k, quilt, hood):
    out = p("M104 78 L62 102 L44 218 L78 226 L98 152 V240 H202 V152 L222 226 L256 218 L238 102 L196 78 Z", k.m)
    if quilt:
        out += "".join(s(f"M99 {y} Q150 {y + 8} 201 {y}", k.d, 4) for y in (128, 156, 184, 212))
        out += s("M56 140 L90 148 M51 176 L82 186 M244 140 L210 148 M249 176 L218 186", k.d, 4)
    if hood:
        out += p("M104 84 Q100 38 150 36 Q200 38 196 84 Q150 108 104 84 Z", k.d) + p("M122 82 Q122 56 150 54 Q178 56 178 82 Q150 96 122 82 Z", k.x)
    else:
        out += r(112, 62, 76, 26, 10, k.d)
    return out + s("M150 92 V238", PAPER, 4) + s("M112 196 L132 190 M188 196 L168 190", k.x, 5)


def rain_jacket(k, a):
    return jacket(k, False, True), 254, 70


def down_jacket(k, a):
    return jacket(k, True, a.get("hood") == "yes"), 254, 70


def jeans(k, a):
    wide = {"slim": 0, "straight": 7, "wide": 16}[a.get("leg", "straight")]
    out = p(f"M96 52 H204 L{214 + wide} 252 H{168 - wide // 3} L150 124 L{132 + wide // 3} 252 H{86 - wide} Z", k.m)
    out += r(94, 50, 112, 18, 4, k.d) + s("M150 68 V118", k.d, 3) + c(150, 59, 4, "#d8a24a")
    out += s("M100 72 Q106 96 126 92 M200 72 Q194 96 174 92", k.l, 3) + s("M104 132 L98 240 M196 132 L202 240", k.l, 2, ' stroke-dasharray="5 5"')
    return out + r(112, 50, 6, 22, 2, k.x) + r(182, 50, 6, 22, 2, k.x), 256, 64


def suitcase(k, a):
    big = {"38 l": 0, "65 l": 12, "95 l": 22}.get(a.get("capacity"), 8)
    x, y, w, h = 94 - big, 102 - big * 2, 112 + big * 2, 134 + big * 2
    out = s(f"M124 {y} V{y - 40} H176 V{y}", INK, 7) + r(x, y, w, h, 18, k.m)
    out += "".join(r(round(x + w * f), y + 14, 7, h - 28, 3, k.d) for f in (.17, .36, .58, .77))
    out += r(132, y - 6, 36, 12, 5, k.x) + r(x + w - 10, y + h * .42, 14, 22, 4, k.x)
    return out + "".join(c(cx, 243, 9, INK) for cx in (x + 18, x + w - 18)) + shine(f"M{x + 11} {y + 26} V{y + h - 40}", .3), 252, w / 2


def backpack(k, a):
    out = s("M122 66 Q122 38 150 38 Q178 38 178 66", k.x, 9) + s("M92 120 Q60 140 72 214 M208 120 Q240 140 228 214", k.x, 13)
    out += p("M88 114 Q88 58 150 58 Q212 58 212 114 V226 Q212 246 192 246 H108 Q88 246 88 226 Z", k.m)
    out += r(104, 162, 92, 68, 16, k.d) + s("M112 178 H188", k.x, 4) + s("M104 126 Q150 112 196 126", k.x, 4)
    return out + r(182, 174, 6, 16, 3, "#f2c230") + r(136, 84, 28, 18, 4, k.l) + shine("M100 116 Q102 84 126 74", .3), 252, 74


def tote(k, a):
    out = s("M112 122 Q112 46 150 46 Q188 46 188 122", k.x, 9)
    out += p("M76 112 H224 L236 240 Q236 248 228 248 H72 Q64 248 64 240 Z", k.m) + p("M76 112 H224 L226 130 H74 Z", k.d)
    return out + r(122, 164, 56, 48, 6, k.l) + c(112, 124, 4, k.x) + c(188, 124, 4, k.x) + shine("M84 146 L78 228", .25), 254, 86


def duffel(k, a):
    out = s("M98 140 Q104 66 150 66 Q196 66 202 140", k.x, 9) + r(38, 122, 224, 118, 44, k.m)
    out += p("M82 122 H38 Q38 122 38 166 V196 Q38 240 82 240 Z", k.d) + p("M218 122 Q262 122 262 166 V196 Q262 240 218 240 Z", k.d)
    return out + r(94, 122, 12, 118, 0, k.x) + r(194, 122, 12, 118, 0, k.x) + s("M110 138 H190", PAPER, 4) + r(128, 176, 44, 28, 6, k.l), 246, 110


DRAWINGS = {name.replace("_", "-"): f for name, f in list(globals().items())
            if callable(f) and getattr(f, "__module__", "") == __name__ and name != "jacket"}

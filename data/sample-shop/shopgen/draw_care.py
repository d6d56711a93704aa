"""Drawings: beauty, tools, books and stationery, baby."""
from .paint import INK, PAPER, STEEL, WOOD, c, e, g, mix, p, r, s, shine


def hair_dryer(k, a):
    out = p("M128 158 L172 158 L184 250 H140 Z", k.d) + r(60, 76, 150, 84, 42, k.m) + p("M204 84 H240 Q250 84 250 94 V142 Q250 152 240 152 H204 Z", k.x)
    out += c(98, 118, 28, k.d) + "".join(s(f"M84 {y} H112", k.x, 4) for y in (108, 118, 128)) + r(150, 184, 12, 26, 5, PAPER)
    return out + s("M258 104 H278 M258 118 H286 M258 132 H278", "#8cc4dc", 5) + s("M164 250 Q168 268 196 266", INK, 6) + shine("M96 90 H166", .35), 268, 60


def toothbrush(k, a):
    out = r(128, 112, 44, 138, 20, k.m, f' stroke="{k.d}" stroke-width="2"') + r(142, 66, 16, 50, 6, PAPER, f' stroke="{STEEL}" stroke-width="2"') + r(136, 38, 20, 36, 8, PAPER, f' stroke="{STEEL}" stroke-width="2"')
    out += "".join(r(156, y, 16, 4, 2, "#7fb6dd") for y in range(42, 70, 6)) + c(150, 154, 11, k.x) + "".join(c(150, y, 3, "#7fd18c") for y in (192, 204, 216))
    return out + r(108, 244, 84, 14, 7, k.x) + shine("M138 134 V226", .4), 260, 56


def moisturizer(k, a):
    out = r(84, 136, 132, 106, 20, k.m, f' stroke="{k.d}" stroke-width="2"') + r(76, 98, 148, 46, 12, PAPER, f' stroke="{mix(PAPER, INK, .2)}" stroke-width="2"')
    out += "".join(s(f"M{x} 106 V136", "#ddd6c8", 3) for x in range(96, 214, 15)) + r(104, 168, 92, 46, 8, PAPER) + p("M150 176 Q166 194 150 206 Q134 194 150 176 Z", "#66a55a")
    return out + shine("M96 158 V224", .4) + e(238, 236, 22, 9, PAPER) + p("M220 236 Q232 206 242 222 Q258 226 258 236 Z", PAPER), 250, 90


def sunscreen(k, a):
    if a.get("type") == "stick":
        return r(114, 122, 72, 128, 16, k.m) + r(120, 86, 60, 44, 20, PAPER, ' stroke="#ddd6c8" stroke-width="2"') + sun(150, 186, 18) + r(114, 228, 72, 22, 8, k.d), 252, 54
    out = p("M106 96 H194 L204 236 Q204 248 192 248 H108 Q96 248 96 236 Z", k.m)
    top = r(116, 52, 68, 46, 8, PAPER, ' stroke="#ddd6c8" stroke-width="2"')
    if a.get("type") == "spray":
        top = r(126, 64, 48, 34, 8, PAPER, ' stroke="#ddd6c8" stroke-width="2"') + r(112, 48, 58, 22, 8, PAPER, ' stroke="#ddd6c8" stroke-width="2"') + s("M104 54 L84 44 M104 60 H80 M104 66 L84 76", "#8cc4dc", 4)
    return out + top + sun(150, 162, 24) + r(118, 210, 64, 12, 6, PAPER) + shine("M112 116 L106 220", .3), 252, 62


def sun(x, y, radius):
    rays = "".join(g(f"rotate({t} {x} {y})", r(x - 3, y - radius - 14, 6, 10, 3, "#fff3c4")) for t in range(0, 360, 45))
    return c(x, y, radius, "#fff3c4") + c(x, y, radius - 6, "#f6a93b") + rays


def shampoo(k, a):
    if "bar" in a.get("volume", ""):
        out = e(150, 222, 104, 24, WOOD) + e(150, 216, 104, 22, "#cfa274") + r(72, 144, 156, 72, 34, k.m) + r(100, 164, 100, 30, 15, k.l)
        return out + "".join(c(x, y, q, "#ffffff", ' opacity=".8"') for x, y, q in ((210, 134, 15), (230, 156, 9), (190, 122, 8), (92, 138, 10))), 248, 106
    out = r(96, 96, 108, 152, 22, k.m) + r(132, 70, 36, 30, 5, PAPER, ' stroke="#ddd6c8" stroke-width="2"') + r(110, 52, 62, 18, 8, PAPER, ' stroke="#ddd6c8" stroke-width="2"') + r(102, 58, 20, 10, 4, PAPER)
    return out + r(110, 134, 80, 80, 12, PAPER) + p("M150 146 Q176 172 150 204 Q124 172 150 146 Z", k.d) + s("M150 160 V204", PAPER, 3) + shine("M106 122 V224", .3), 252, 62


def drill(k, a):
    out = r(226, 108, 34, 22, 4, INK) + s("M260 119 H288", STEEL, 7) + r(70, 82, 150, 74, 22, k.m) + p("M206 90 H226 L232 106 V132 L226 148 H206 Z", INK)
    out += p("M92 150 H142 L132 216 H84 Z", k.d) + r(66, 212, 92, 38, 8, INK) + r(78, 224, 40, 8, 4, k.m) + r(142, 160, 18, 24, 6, INK)
    return out + "".join(s(f"M86 {y} H118", k.x, 4) for y in (102, 114, 126)) + c(192, 118, 9, k.l) + shine("M92 90 H190", .3), 254, 84


def screwdriver_set(k, a):
    out = r(46, 168, 208, 76, 12, INK) + r(54, 176, 192, 44, 6, "#454d59") + "".join(r(64 + i * 18, 184, 9, 28, 2, STEEL) for i in range(10))
    return out + g("rotate(-34 150 110)", r(58, 94, 96, 34, 15, k.m), r(78, 94, 8, 34, 2, k.d), r(98, 94, 8, 34, 2, k.d), r(118, 94, 8, 34, 2, k.d), r(150, 103, 16, 16, 3, k.x), r(164, 107, 82, 8, 2, STEEL), p("M244 104 L256 108 V114 L244 118 Z", "#8f9aa5")) + r(128, 226, 44, 9, 4, k.m), 250, 108


def toolbox(k, a):
    out = s("M104 126 V96 Q104 82 118 82 H182 Q196 82 196 96 V126", INK, 11) + r(44, 122, 212, 122, 14, k.m) + r(44, 122, 212, 42, 14, k.d) + r(44, 152, 212, 12, 0, k.d)
    return out + r(84, 150, 28, 34, 5, STEEL) + r(188, 150, 28, 34, 5, STEEL) + r(120, 196, 60, 26, 6, k.l) + shine("M58 182 V226", .25), 250, 108


def tape_measure(k, a):
    if a.get("display") == "lcd":
        out = s("M150 70 V10", "#ee5a4e", 4, ' stroke-dasharray="8 8"') + r(104, 66, 92, 184, 20, INK) + r(104, 66, 92, 178, 20, k.m) + r(118, 86, 64, 60, 6, "#cfe0cf")
        return out + s("M128 104 H172 M128 118 H160 M128 132 H168", INK, 5) + c(150, 178, 17, "#ee5a4e") + "".join(c(x, y, 8, INK) for x in (128, 172) for y in (206, 228)), 252, 58
    out = p("M160 220 H284 V238 H160 Z", "#f7e08a") + "".join(s(f"M{x} 222 v{9 if i % 2 else 6}", INK, 2) for i, x in enumerate(range(182, 282, 9))) + r(276, 216, 9, 30, 2, STEEL)
    out += p("M62 140 Q62 88 122 88 Q206 88 206 160 V240 H84 Q62 240 62 218 Z", k.m) + c(130, 162, 42, INK) + c(130, 162, 34, k.l) + c(130, 162, 10, INK)
    return out + r(184, 112, 22, 40, 6, INK) + shine("M76 142 Q78 108 112 102", .4), 248, 100


def work_gloves(k, a):
    hand = p("M20 130 V58 Q20 46 30 46 Q40 46 40 58 V40 Q40 28 50 28 Q60 28 60 40 V46 Q60 34 70 34 Q80 34 80 46 V62 Q80 52 89 52 Q98 52 98 64 V118 Q98 140 90 152 V196 H28 V152 Q20 142 20 130 Z", k.m) \
        + p("M22 124 Q-6 112 -10 88 Q-10 76 0 76 Q10 78 22 98 Z", k.m) + r(26, 184, 66, 26, 6, k.x) + p("M34 70 H88 V132 Q62 150 34 132 Z", k.d) + s("M40 60 V78 M60 56 V76 M80 62 V78", k.d, 3)
    return g("translate(150 40) rotate(6)", hand) + g("translate(150 40) scale(-1 1) rotate(6)", hand), 258, 92


def book(k, face):
    out = p("M86 60 H212 Q222 60 222 70 V238 H96 Q80 238 80 222 V68 Q80 60 86 60 Z", k.m) + p("M96 226 H216 V244 H96 Q82 244 82 234 Q82 226 96 226 Z", PAPER) + s("M96 232 H216 M96 238 H216", "#ddd6c8", 2)
    return out + p("M82 234 Q82 246 96 248 H222 V242 H98 Q88 242 86 234 Z", k.x) + r(80, 64, 14, 164, 4, k.d) + face


def cookbook(k, a):
    face = c(156, 148, 40, PAPER) + c(156, 148, 30, "#efe7d6") + s("M134 146 Q140 128 156 132 Q174 126 178 148 Q176 164 156 162 Q138 164 134 146 Z", "#66a55a", 6) + c(150, 146, 6, "#d9534f") + c(163, 152, 6, "#d9534f")
    return book(k, face + r(116, 80, 84, 8, 4, k.l) + r(130, 94, 56, 6, 3, k.l) + r(130, 206, 52, 6, 3, k.l)), 254, 80


def novel(k, a):
    faces = {"mystery": c(158, 136, 24, "none", f' stroke="{PAPER}" stroke-width="8"') + s("M176 154 L198 180", PAPER, 9),
             "science fiction": c(158, 146, 27, "#f6d27a") + g("rotate(-18 158 146)", e(158, 146, 48, 11, "none", f' stroke="{PAPER}" stroke-width="5"')),
             "historical fiction": p("M122 178 V136 L158 112 L194 136 V178 Z", PAPER) + r(148, 152, 20, 26, 8, k.d)}
    leaf = s("M158 186 V116 M158 142 Q134 138 132 118 Q154 118 158 142 M158 160 Q182 156 184 136 Q162 136 158 160", PAPER, 6)
    return book(k, faces.get(a.get("genre"), leaf) + r(116, 80, 84, 8, 4, k.l) + r(126, 206, 62, 6, 3, k.l)), 254, 80


def notebook(k, a):
    out = g("rotate(6 150 150)", r(84, 56, 140, 194, 10, k.x), r(90, 52, 132, 192, 4, PAPER), r(80, 50, 140, 194, 10, k.m), r(80, 50, 22, 194, 10, k.d), r(196, 50, 8, 194, 0, k.x), r(122, 84, 58, 30, 5, k.l))
    return out + s("M136 250 V268 L142 262 L148 268 V252", "#ec7f6b", 5), 266, 74


def fountain_pen(k, a):
    out = s("M46 238 Q76 214 96 236 T146 234 T190 236", "#34507d", 4)
    return out + g("rotate(-45 150 150)", r(108, 134, 150, 32, 14, k.m), r(104, 136, 24, 28, 3, k.d), p("M104 138 L62 146 L44 150 L62 154 L104 162 Z", "#d8b24a"), s("M48 150 H80", "#8a6a1c", 2), c(82, 150, 3, "#8a6a1c"),
                   r(176, 134, 6, 32, 0, "#d8b24a"), r(184, 126, 62, 8, 4, "#d8b24a"), shine("M132 142 H168", .4)), 258, 90


def planner(k, a):
    out = r(72, 64, 156, 182, 12, k.m) + r(82, 96, 136, 140, 4, PAPER) + "".join(r(x, 50, 9, 30, 4, STEEL) for x in (100, 131, 162, 193))
    cells = "".join(r(92 + col * 25, 112 + row * 24, 18, 17, 3, "#ec7f6b" if (row, col) == (2, 3) else mix(k.m, "#ffffff", .7)) for row in range(5) for col in range(5))
    return out + cells + s("M170 168 l5 6 l9 -11", PAPER, 3), 252, 82


def stroller(k, a):
    out = s("M206 96 L240 62", INK, 9) + s("M98 222 L196 152 M202 222 L112 156", STEEL, 8)
    out += p("M72 130 H214 Q212 192 150 192 Q78 190 72 130 Z", k.m) + p("M72 130 Q70 54 150 52 V130 Z", k.d) + s("M110 130 Q104 84 150 56", k.x, 4) + s("M206 130 Q214 108 206 94", INK, 8)
    out += e(172, 128, 18, 12, "#f3cfb3") + r(150, 132, 62, 12, 6, PAPER)
    return out + "".join(c(x, 226, 24, INK) + c(x, 226, 12, STEEL) for x in (94, 204)), 254, 88


def car_seat(k, a):
    out = p("M82 66 Q84 42 112 44 H188 Q216 42 218 66 L226 168 Q226 186 208 188 H92 Q74 186 74 168 Z", k.d) + r(104, 56, 92, 128, 24, k.m) + r(114, 58, 72, 46, 18, k.l)
    out += p("M66 168 H234 Q246 168 246 184 V226 Q246 246 226 246 H74 Q54 246 54 226 V184 Q54 168 66 168 Z", k.m) + r(90, 176, 120, 52, 16, k.l)
    return out + s("M126 106 L146 196 M174 106 L154 196", INK, 7) + r(139, 190, 22, 26, 6, "#c8453f") + s("M74 212 V232 M226 212 V232", k.d, 6), 250, 98


def baby_monitor(k, a):
    video = a.get("type") == "video"
    out = s("M206 116 V72", k.d, 8) + r(120, 104, 108, 140, 20, k.d) + r(120, 100, 108, 138, 20, k.m, f' stroke="{k.d}" stroke-width="2"')
    if video:
        out += r(132, 116, 84, 60, 6, "#31425a") + c(166, 148, 14, "#f3cfb3") + r(170, 148, 36, 20, 10, "#8fb3cf") + s("M160 148 h4 M169 148 h4", INK, 2)
    else:
        out += "".join(s(f"M146 {y} H202", k.d, 5) for y in (128, 142, 156))
    out += c(158, 208, 11, k.x) + c(192, 208, 7, "#7fd18c") + r(52, 176, 60, 68, 20, k.l, f' stroke="{k.d}" stroke-width="2"') + c(82, 200, 16, INK) + c(82, 200, 7, "#45688f")
    return out + s("M62 156 Q82 140 102 156 M72 166 Q82 158 92 166", "#8cc4dc", 5), 250, 92


def bottle_warmer(k, a):
    out = r(126, 96, 48, 92, 12, "#f7fbfc", f' stroke="{STEEL}" stroke-width="2"') + r(128, 130, 44, 56, 8, "#fdf6e3") + r(122, 84, 56, 18, 6, "#7fb6dd") + p("M136 84 Q138 56 150 48 Q162 56 164 84 Z", "#f2d3b0")
    out += p("M94 162 H206 L216 240 Q216 250 206 250 H94 Q84 250 84 240 Z", k.m, f' stroke="{k.d}" stroke-width="2"') + e(150, 163, 56, 11, k.d) + r(126, 130, 48, 34, 0, "#fdf6e3", ' opacity=".6"')
    return out + c(150, 214, 15, k.x) + s("M150 214 L158 206", PAPER, 4) + s("M76 132 Q68 120 76 108 M224 132 Q232 120 224 108", "#e0a08a", 5), 252, 72


def baby_carrier(k, a):
    out = s("M104 90 Q60 130 86 206 M196 90 Q240 130 214 206", k.d, 22) + p("M104 96 Q150 74 196 96 L208 202 Q150 224 92 202 Z", k.m)
    out += c(150, 74, 30, "#f3cfb3") + p("M120 70 Q124 40 150 42 Q176 40 180 70 Q150 56 120 70 Z", "#8a5d3b") + c(140, 78, 3, INK) + c(160, 78, 3, INK) + s("M144 88 Q150 93 156 88", INK, 3)
    out += r(68, 204, 164, 28, 14, k.x) + r(130, 208, 40, 20, 5, STEEL) + r(122, 132, 56, 44, 10, k.l)
    return out + e(98, 236, 13, 17, "#f3cfb3") + e(202, 236, 13, 17, "#f3cfb3"), 260, 88


DRAWINGS = {name.replace("_", "-"): f for name, f in list(globals().items())
            if callable(f) and getattr(f, "__module__", "") == __name__ and name not in ("sun", "book")}

"""One SVG drawing for one product."""
from . import draw_care, draw_home, draw_leisure, draw_style
from .paint import Palette, picture

DRAWINGS = draw_home.DRAWINGS | draw_style.DRAWINGS | draw_leisure.DRAWINGS | draw_care.DRAWINGS


def draw(kind_key, color, attributes):
    """The SVG text for a product of type `kind_key` in `color`."""
    palette = Palette(color)
    body, floor, width = DRAWINGS[kind_key](palette, attributes)
    tone = sum(map(ord, kind_key + color))
    return picture(body, palette.m, tone, floor, width)

"""The light frame around every page: language, direction, colours and a heading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import panel as pn
import param
from panel.custom import JSComponent

_ESM = """
const DARK = "--yt-page: #14181a; --yt-text: #eceee9; --yt-surface: #20262a; --yt-line: #4b555a; color-scheme: dark;"
const STYLE = `
  html { --yt-page: #f4f1ea; --yt-text: #1d2320; --yt-surface: #fff; --yt-line: #b9c0ba; color-scheme: light; }
  html[data-theme="dark"] { ${DARK} }
  @media (prefers-color-scheme: dark) { html[data-theme="auto"] { ${DARK} } }
  html, body { margin: 0; padding: 0; min-height: 100%; background: var(--yt-page); color: var(--yt-text);
    font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
`
export function render({ model, el }) {
  const html = document.documentElement
  const apply = () => {
    html.lang = model.language
    html.dir = model.direction
    html.dataset.theme = model.theme
  }
  apply()
  for (const name of ["language", "direction", "theme"]) model.on(name, apply)
  if (!document.querySelector('meta[name="viewport"]')) {
    const meta = document.createElement("meta")
    meta.name = "viewport"
    meta.content = "width=device-width, initial-scale=1"
    document.head.append(meta)
  }
  const style = document.createElement("style")
  style.textContent = STYLE
  document.head.append(style)
  const title = document.createElement("h1")
  title.textContent = model.heading
  el.append(title)
}
"""


class PageHead(JSComponent):
    """Sets the document's language, direction and colours, live, and shows the heading."""

    language = param.String(default="en", doc="A language code.")
    direction: Any = param.Selector(default="ltr", objects=["ltr", "rtl"], doc="How the language is written.")
    theme: Any = param.Selector(default="auto", objects=["auto", "light", "dark"], doc="As in the settings.")
    heading = param.String(default="", doc="The page's name.")

    _esm = _ESM
    _stylesheets: ClassVar[list[str]] = [
        "h1 { font-family: inherit; font-size: 20px; line-height: 1.2; margin: 0; color: var(--yt-text); }"
    ]


_SWITCH = """
:host { flex: none; }
.bk-btn {
  background: var(--yt-surface) !important; color: var(--yt-text) !important;
  border: 1px solid var(--yt-line) !important;
  border-radius: 9px; font-family: inherit; font-size: 14.5px;
}
"""


def framed(
    head: PageHead, settings: Callable[[], pn.viewable.Viewable], settings_label: str, *content: pn.viewable.Viewable
) -> pn.Column:
    """Return a whole page: the heading with a switch that shows what *settings* makes, and *content* below."""
    switch = pn.widgets.Toggle(
        name=settings_label,
        value=False,
        width=110,
        height=38,
        margin=(4, 8),
        stylesheets=[_SWITCH],
    )
    drawer = pn.Column(visible=False, sizing_mode="stretch_width")

    def open_or_shut(event: param.parameterized.Event) -> None:
        # Made when first asked for: the widgets would hold the first card back.
        if event.new and not len(drawer):
            drawer.append(settings())
        drawer.visible = event.new

    switch.param.watch(open_or_shut, "value")
    top = pn.Row(head, pn.layout.HSpacer(), switch, sizing_mode="stretch_width", align="center", margin=(2, 4, 0, 12))
    return pn.Column(
        top, drawer, *content, sizing_mode="stretch_width", styles={"max-width": "1100px", "margin": "0 auto"}
    )

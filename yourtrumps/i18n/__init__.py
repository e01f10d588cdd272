"""Languages: gettext catalogues, compiled in memory when first asked for. English is the language of the source."""

from __future__ import annotations

import gettext
import io
from functools import cache
from importlib.resources import files
from typing import Any, Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DEFAULT: Final = "en"


def languages() -> tuple[str, ...]:
    """Return the codes of all languages that have a catalogue, sorted."""
    return tuple(sorted(path.name.removesuffix(".po") for path in _folder().iterdir() if path.name.endswith(".po")))


@cache
def texts(language: str = DEFAULT) -> gettext.NullTranslations:
    """Return the catalogue of *language*: its ``gettext`` and ``ngettext`` translate; unknown ones speak English."""
    if language not in languages():
        language = DEFAULT
    with (_folder() / f"{language}.po").open("rb") as source:
        catalogue = read_po(source, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def direction(language: str) -> str:
    """Return ``rtl`` or ``ltr``, the way *language* is written."""
    return Locale.parse(language).text_direction


def _folder() -> Any:  # importlib's Traversable has moved between Python versions
    return files(__package__) / "locale"

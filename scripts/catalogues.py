"""Extracts every visible sentence into the catalogues: the English one whole, the others to be translated."""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).resolve().parents[1] / "yourtrumps"
LOCALE = PACKAGE / "i18n" / "locale"
KEYWORDS = {"gettext": None, "ngettext": (1, 2)}


def template() -> Catalog:
    """Return a catalogue of all messages in the source."""
    catalogue = Catalog(project="yourtrumps", charset="utf-8")
    for _, _, message, _, context in extract_from_dir(PACKAGE, keywords=KEYWORDS):
        # Without the places: they would change the catalogues with every line that moves.
        catalogue.add(message, context=context)
    return catalogue


def updated(path: Path) -> Catalog:
    """Return the catalogue of *path* with what is new in the source added and what is gone removed."""
    language = path.stem
    fresh = template()
    if path.exists():
        with path.open("rb") as source:
            old = read_po(source, locale=language)
    else:
        old = Catalog(locale=language, charset="utf-8", project="yourtrumps")
    old.update(fresh, no_fuzzy_matching=True)
    old.obsolete.clear()
    if language == "en":
        for message in old:
            if message.id:
                message.string = message.id
    return old


def main() -> None:
    """Update every catalogue in place."""
    for path in sorted({LOCALE / "en.po", *LOCALE.glob("*.po")}):
        with path.open("wb") as target:
            write_po(target, updated(path), sort_output=True, omit_header=False, width=120)
        print(path.name)


if __name__ == "__main__":
    sys.exit(main())

"""The catalogues hold every sentence of the source."""

import importlib.util
import io
from pathlib import Path

import pytest
from babel.messages.pofile import write_po

from yourtrumps.i18n import direction, languages, texts

ROOT = Path(__file__).resolve().parents[1]


def catalogues():
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "scripts" / "catalogues.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", languages())
def test_catalogue_is_up_to_date(language):
    module = catalogues()
    path = module.LOCALE / f"{language}.po"
    fresh = io.BytesIO()
    write_po(fresh, module.updated(path), sort_output=True, width=120)

    def messages(text):
        return [line for line in text.splitlines() if line.startswith(("msg", '"')) and "Date" not in line]

    assert messages(fresh.getvalue().decode()) == messages(path.read_text(encoding="utf-8"))


def test_english_counts():
    t = texts("en")
    assert [t.ngettext("{count} card", "{count} cards", n) for n in (1, 2)] == ["{count} card", "{count} cards"]


def test_unknown_language_speaks_english():
    assert texts("xx").gettext("Undo") == "Undo"


def test_direction_follows_the_language():
    assert [direction(language) for language in ("en", "ar")] == ["ltr", "rtl"]

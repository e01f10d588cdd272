"""The catalogues hold every sentence of the source."""

import importlib.util
import io
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po, write_po

from yourtrumps.core import Outcome, Reason
from yourtrumps.i18n import direction, languages, texts
from yourtrumps.players import LEVEL_NAMES
from yourtrumps.ui import words

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


@pytest.mark.parametrize("language", languages())
def test_translation_fills_in_what_its_source_does(language):
    with (catalogues().LOCALE / f"{language}.po").open("rb") as source:
        messages = [message for message in read_po(source, locale=language) if message.id]

    def blanks(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    assert len(messages) > 50
    for message in messages:
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(blanks(string) <= blanks(ids[-1]) for string in strings), message.id
        assert blanks(ids[0]) == blanks(strings[0]) or not strings[0], message.id


@pytest.mark.parametrize("reason", Reason)
def test_every_end_is_told_to_winner_loser_and_onlooker(reason):
    outcome = Outcome.lost_by(1, 2, reason)
    told = [words.result(texts("en"), outcome, ("Ann", "Bob"), viewer) for viewer in (0, 1, None)]
    assert [title for title, _ in told] == ["You win", "You lose", "Bob loses"]
    assert all(text for _, text in told)


def test_every_level_has_its_name_in_the_catalogue():
    with (catalogues().LOCALE / "en.po").open("rb") as source:
        known = {message.id for message in read_po(source)}
    assert set(LEVEL_NAMES.values()) <= known

"""A room driven by hand: what it allows is taken in at once, as a store would."""

from __future__ import annotations

from yourtrumps.core import Rules, format_move
from yourtrumps.online import messages as m
from yourtrumps.online.events import decode_events, encode_events
from yourtrumps.online.room import Room, Settings, create
from yourtrumps.online.state import Status
from yourtrumps.online.tokens import new_room_id, new_token, token_hash
from yourtrumps.online.views import view_for

START = 1_700_000_000_000


class Driven:
    """A room, its log, a time that is set by hand, and a token for each seat."""

    def __init__(self, **settings):
        self.now = START
        self.id = new_room_id()
        self.log = []
        created = create(self.id, Settings(**settings), self.now)
        self.log.append(encode_events([created]))
        self.room = Room(self.id, [(created,)])
        self.tokens = []

    @property
    def state(self):
        return self.room.state

    def take(self, events):
        """Write *events* to the log and let the room read them from there."""
        if events:
            self.log.append(encode_events(events))
            self.room.apply(decode_events(self.log[-1]))
        return events

    def join(self, name="Ann", **options):
        token = new_token()
        self.take(self.room.join(name, token_hash(token), self.now, **options))
        self.tokens.append(token)
        return token

    def do(self, seat, command, version=None):
        version = self.room.version if version is None else version
        return self.take(self.room.submit(command, self.tokens[seat], version, self.now))

    def pass_time(self, seconds):
        self.now += round(seconds * 1000)
        return self.take(self.room.tick(self.now))

    def view(self, seat):
        return view_for(self.state, seat, self.now)

    def replayed(self):
        return Room(self.id, map(decode_events, self.log))

    def play(self, code=None):
        """Play *code*, or the first legal move, for the seat to move."""
        position = self.state.position
        return self.do(position.seat, m.Play(move=code or format_move(position.legal_moves()[0])))


def dealt_room(rules=None, trumps="SHDC", **settings):
    """Return a room of people in which the cards have just been dealt."""
    rules = rules or Rules()
    driven = Driven(rules=rules, **settings)
    for seat in range(rules.players):
        driven.join(f"Player {seat}")
    for seat in range(rules.players):
        driven.do(seat, m.ChooseTrump(suit=trumps[seat], entropy=f"{seat:02x}"))
    assert driven.state.status is Status.PLAYING
    return driven


def finished_room(rules=None, **settings):
    driven = dealt_room(rules or Rules.of("duel", low="J"), **settings)
    while driven.state.status is Status.PLAYING:
        driven.play()
    return driven

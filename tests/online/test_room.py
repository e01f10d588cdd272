import pytest

from tests.online.rooming import START, Driven, dealt_room, finished_room
from yourtrumps.core import (
    IllegalMove,
    OptionError,
    Reason,
    Rules,
    StaleVersion,
    format_text,
    parse_position,
    parse_record,
)
from yourtrumps.online import events as e
from yourtrumps.online import messages as m
from yourtrumps.online.clocks import can_lose, outcome_of_flag
from yourtrumps.online.errors import NotAllowed, RoomFull, TooSoon, UnknownSeat
from yourtrumps.online.fair import read_fair, verify
from yourtrumps.online.room import Settings
from yourtrumps.online.state import Status
from yourtrumps.online.tokens import new_token, token_hash
from yourtrumps.online.views import view_json


def kinds(events):
    return [type(event).__name__ for event in events]


def why(caught):
    return caught.value.why


# Sitting down


def test_room_waits_until_all_sit_and_then_trumps_are_chosen():
    driven = Driven()
    driven.join("Ann")
    assert driven.state.status is Status.WAITING
    driven.join("Bo")
    assert driven.state.status is Status.CHOOSING
    assert driven.view(0).choose_left == 30_000
    with pytest.raises(RoomFull):
        driven.join("Cy")


def test_log_never_holds_a_token():
    driven = dealt_room()
    log = b"".join(driven.log).decode()
    assert all(token not in log and token_hash(token) in log for token in driven.tokens)


def test_equal_names_are_told_apart():
    driven = Driven()
    driven.join("Ann")
    driven.join("Ann")
    assert [seat.name for seat in driven.view(None).seats] == ["Ann", "Ann 2"]


def test_strangers_hold_no_seat():
    driven = dealt_room()
    with pytest.raises(UnknownSeat):
        driven.room.submit(m.Resign(), new_token(), driven.room.version, driven.now)
    with pytest.raises(UnknownSeat):
        driven.room.submit(m.Resign(), "", driven.room.version, driven.now)


def test_host_closes_the_room_and_others_free_their_seat():
    driven = Driven(rules=Rules.of("party", players=3))
    driven.join("Ann")
    driven.join("Bo")
    driven.do(1, m.Leave())
    assert driven.state.taken == [0]
    driven.do(0, m.Leave())
    assert driven.state.status is Status.CLOSED
    with pytest.raises(RoomFull):
        driven.join("Cy")


def test_host_lets_the_computer_take_free_seats():
    driven = Driven(rules=Rules.of("party", players=3))
    driven.join("Ann")
    driven.do(0, m.FillSeats(computer="level:2"))
    driven.do(0, m.ChooseTrump(suit="D"))
    assert driven.state.status is Status.PLAYING
    assert driven.view(0).seats[2].computer == "level:2"


def test_computer_sits_in_no_rated_game():
    driven = Driven(rated=True)
    driven.join("Ann")
    with pytest.raises(NotAllowed) as caught:
        driven.do(0, m.FillSeats())
    assert why(caught) == "rated"


@pytest.mark.parametrize(
    "settings",
    [{"base": 1}, {"base": 1e9}, {"increment": -1}, {"lead": 2}, {"choose": 0}, {"grace": 0}, {"base": float("nan")}],
    ids=str,
)
def test_impossible_settings_are_refused(settings):
    with pytest.raises(OptionError):
        Settings(**settings)


# Trumps


def test_choice_is_sealed_until_all_have_chosen():
    driven = Driven()
    driven.join("Ann")
    driven.join("Bo")
    driven.do(0, m.ChooseTrump(suit="S"))
    assert driven.view(0).trumps[0].letter == "S"
    for seat in (1, None):
        assert driven.view(seat).trumps == (None, None)
        assert driven.view(seat).seats[0].has_chosen
    driven.do(1, m.ChooseTrump(suit="H"))
    assert [suit.letter for suit in driven.view(None).trumps] == ["S", "H"]


def test_lot_decides_who_chooses_again_where_both_want_the_same():
    driven = Driven()
    driven.join("Ann")
    driven.join("Bo")
    driven.do(0, m.ChooseTrump(suit="S"))
    before = driven.room.version
    events = driven.do(1, m.ChooseTrump(suit="S"))
    assert kinds(events) == ["ChoseTrump", "DrewLot"]
    again = 1 - events[1].seat
    assert [driven.view(seat).must_choose for seat in (again, 1 - again)] == [True, False]
    with pytest.raises(StaleVersion):
        driven.do(again, m.ChooseTrump(suit="H"), before)
    with pytest.raises(NotAllowed) as caught:
        driven.do(again, m.ChooseTrump(suit="S"))
    assert why(caught) == "suit-taken"
    driven.do(again, m.ChooseTrump(suit="H"))
    assert driven.state.status is Status.PLAYING


def test_lot_chooses_for_who_is_late():
    driven = Driven()
    driven.join("Ann")
    driven.join("Bo")
    driven.do(0, m.ChooseTrump(suit="S"))
    assert driven.pass_time(29.9) == []
    assert kinds(driven.pass_time(0.1)) == ["DrewLot", "Dealt"]
    assert driven.view(1).trumps[0].letter == "S"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lot_alone_deals_whatever_clashes(players):
    driven = Driven(rules=Rules.of("party", players=players))
    for seat in range(players):
        driven.join(f"Player {seat}")
    for seat in range(players):
        driven.do(seat, m.ChooseTrump(suit="S"))
    assert driven.state.status is Status.CHOOSING
    driven.pass_time(30)
    assert driven.state.status is Status.PLAYING
    assert len(set(driven.view(None).trumps)) == players


# Play


def test_move_is_played_once_whoever_else_sends_one_to_that_version():
    driven = dealt_room()
    version = driven.room.version
    seat = driven.state.position.seat
    first, second = driven.state.position.legal_moves()[:2]
    driven.do(seat, m.Play(move=str(first)), version)
    with pytest.raises(StaleVersion):
        driven.do(seat, m.Play(move=str(second)), version)
    assert driven.state.line.moves == [first]


def test_phrases_and_absence_make_no_move_stale():
    driven = dealt_room()
    version, seat = driven.room.version, driven.state.position.seat
    driven.do(1 - seat, m.Say(phrase="hello"))
    driven.take(driven.room.go_away(1 - seat, driven.now))
    driven.do(seat, m.Play(move=str(driven.state.position.legal_moves()[0])), version)
    assert len(driven.state.line.moves) == 1


def test_version_of_the_future_is_refused():
    driven = dealt_room()
    with pytest.raises(StaleVersion):
        driven.do(0, m.Resign(), driven.room.version + 1)


def test_wrong_seat_and_wrong_card_are_refused():
    driven = dealt_room()
    seat = driven.state.position.seat
    with pytest.raises(IllegalMove, match="seat to move"):
        driven.do(1 - seat, m.Play(move=str(driven.state.position.hands[1 - seat][0])))
    with pytest.raises(IllegalMove, match="card in hand"):
        driven.do(seat, m.Play(move=str(driven.state.position.hands[1 - seat][0])))
    with pytest.raises(IllegalMove):
        driven.do(seat, m.Play(move="2C"))


def test_game_ends_with_a_record_whose_deal_verifies():
    driven = finished_room()
    record = parse_record(format_text(driven.view(None).record))
    verify(record.start, read_fair(record))
    assert record.outcome == driven.state.outcome
    assert record.tags["Entropy"] == "00/01"
    assert driven.view(None).seed == driven.state.seed


def test_seed_and_record_are_hidden_until_the_end():
    driven = dealt_room()
    view = driven.view(0)
    assert (view.seed, view.record) == (None, None)
    assert driven.state.seed not in view_json(view)
    assert view.dealt[1] is None


def test_third_time_is_a_draw():
    driven = dealt_room(Rules.of("cambridge", low="K"), trumps="SH")
    for _ in range(2000):
        if driven.state.status is not Status.PLAYING:
            break
        # Each leads one card, and the other takes it.
        driven.play(str(driven.state.position.legal_moves()[-1]))
    assert driven.state.outcome.reason is Reason.THREEFOLD


def test_resigning_reveals_the_seed():
    driven = dealt_room()
    assert kinds(driven.do(1, m.Resign())) == ["Resigned", "Ended", "Revealed"]
    assert driven.state.outcome.code == "seat0"
    with pytest.raises(NotAllowed):
        driven.do(0, m.Resign())


# Offers


def test_draw_is_agreed():
    driven = dealt_room()
    driven.do(0, m.Offer(kind="draw"))
    assert driven.view(1).offers[0].waits_for == (1,)
    with pytest.raises(NotAllowed):
        driven.do(0, m.Answer(kind="draw", accept=True))
    driven.do(1, m.Answer(kind="draw", accept=True))
    assert driven.state.outcome.reason is Reason.AGREED


def test_draw_is_declined_and_may_be_offered_again_only_after_a_move():
    driven = dealt_room()
    driven.do(0, m.Offer(kind="draw"))
    driven.do(1, m.Answer(kind="draw", accept=False))
    assert driven.view(0).can_offer == ()
    with pytest.raises(NotAllowed) as caught:
        driven.do(0, m.Offer(kind="draw"))
    assert why(caught) == "offered-before"
    driven.play()
    driven.do(0, m.Offer(kind="draw"))


def test_offer_of_a_draw_lapses_as_the_other_moves():
    driven = dealt_room(lead=0)
    driven.do(1, m.Offer(kind="draw"))
    driven.play()
    assert driven.state.offers == {}
    with pytest.raises(NotAllowed):
        driven.do(0, m.Answer(kind="draw", accept=True))


def test_answer_to_an_offer_not_seen_is_stale():
    driven = dealt_room()
    version = driven.room.version
    driven.do(0, m.Offer(kind="draw"))
    with pytest.raises(StaleVersion):
        driven.do(1, m.Answer(kind="draw", accept=True), version)


def test_withdrawn_offer_cannot_be_accepted():
    driven = dealt_room()
    driven.do(0, m.Offer(kind="draw"))
    with pytest.raises(NotAllowed):
        driven.do(1, m.Withdraw(kind="draw"))
    driven.do(0, m.Withdraw(kind="draw"))
    with pytest.raises(NotAllowed):
        driven.do(1, m.Answer(kind="draw", accept=True))


def test_takeback_goes_to_the_last_own_decision_and_only_with_consent():
    driven = dealt_room(lead=0)
    driven.play()
    after_first = driven.state.position
    driven.play()
    asker = after_first.seat
    driven.do(asker, m.Offer(kind="takeback"))
    assert driven.state.position != after_first
    driven.do(1 - asker, m.Answer(kind="takeback", accept=True))
    assert driven.state.position == after_first
    assert len(driven.state.line.moves) == 1


def test_takeback_goes_behind_the_others_answer():
    driven = dealt_room(Rules.of("duel", low="T"), lead=0)
    start = driven.state.position
    driven.play()
    driven.play()
    driven.do(0, m.Offer(kind="takeback"))
    driven.do(1, m.Answer(kind="takeback", accept=True))
    assert driven.state.position == start


def test_nothing_to_take_back_before_the_first_move():
    driven = dealt_room(lead=0)
    driven.play()
    with pytest.raises(NotAllowed) as caught:
        driven.do(1, m.Offer(kind="takeback"))
    assert why(caught) == "nothing-to-take-back"


def test_all_of_three_must_agree():
    driven = dealt_room(Rules.of("party", players=3))
    driven.do(0, m.Offer(kind="draw"))
    driven.do(1, m.Answer(kind="draw", accept=True))
    assert driven.view(None).offers[0].waits_for == (2,)
    driven.do(2, m.Answer(kind="draw", accept=True))
    assert driven.state.outcome.is_draw


def test_computer_allows_takebacks_and_declines_draws():
    driven = Driven(lead=0)
    driven.join("Ann")
    driven.do(0, m.FillSeats())
    driven.do(0, m.ChooseTrump(suit="S"))
    driven.play()
    assert kinds(driven.do(0, m.Offer(kind="takeback"))) == ["Offered", "TookBack"]
    with pytest.raises(NotAllowed) as caught:
        driven.do(0, m.Offer(kind="draw"))
    assert why(caught) == "computer-declines"


# Clocks


def test_clock_runs_for_the_seat_to_move_and_gains_at_the_end_of_a_turn():
    driven = dealt_room(lead=0, base=60, increment=2)
    driven.pass_time(10)
    assert driven.view(None).clock.left == (50_000, 60_000)
    driven.play()
    assert driven.view(None).clock.left == (52_000, 60_000)
    driven.pass_time(5)
    assert driven.view(None).clock.left == (52_000, 55_000)
    assert driven.view(None).clock.running == 1


def test_no_increment_between_beating_and_adding():
    driven = dealt_room(Rules.of("duel", low="6"), lead=0, base=60, increment=2)
    while True:
        seat = driven.state.position.seat
        left = driven.state.clocks.left[seat]
        driven.play()
        if driven.state.position.phase.value == "add":
            assert driven.state.clocks.left[seat] == left
            return


def test_running_out_loses():
    driven = dealt_room(lead=0, base=60)
    assert driven.room.due() == START + 60_000
    assert driven.pass_time(59.9) == []
    assert kinds(driven.pass_time(0.1)) == ["Flagged", "Ended", "Revealed"]
    assert (driven.state.outcome.code, driven.state.outcome.reason) == ("seat1", Reason.TIME)


def test_move_after_the_time_is_refused_though_no_tick_came():
    driven = dealt_room(lead=0, base=60)
    driven.now += 60_000
    with pytest.raises(NotAllowed) as caught:
        driven.play()
    assert why(caught) == "time-is-up"


@pytest.mark.parametrize(
    ("code", "result"),
    [
        # Seat 0 must beat with its last card and wins, so that the other cannot.
        pytest.param("6 SH 9C/TDAD8H 8C 0 beat", "draw", id="wins-whatever-is-played"),
        pytest.param("6 SH 9C/TDAD8H TC 0 beat", "seat1", id="other-may-win"),
        pytest.param("6 SH 9C9D/TDAD8H - 0 lead", "seat1", id="open"),
    ],
)
def test_flag_loses_unless_the_other_cannot_win(code, result):
    assert outcome_of_flag(parse_position(code), 0).code == result


def test_search_for_a_loss_gives_up_in_favour_of_one():
    assert can_lose(dealt_room(Rules.of("duel", low="2")).state.position, 0)


def test_takeback_lets_the_other_clock_run():
    driven = dealt_room(lead=0, base=60)
    driven.pass_time(10)
    driven.play()
    driven.pass_time(5)
    driven.do(0, m.Offer(kind="takeback"))
    driven.do(1, m.Answer(kind="takeback", accept=True))
    clock = driven.view(None).clock
    assert (clock.running, clock.left) == (0, (50_000, 55_000))


def test_clocks_stand_while_no_server_is_up():
    driven = dealt_room(lead=0, base=60)
    driven.take(driven.room.go_away(1, driven.now))
    driven.pass_time(10)
    since = driven.now
    driven.now += 3_600_000
    events = driven.take(driven.room.note_outage(since, driven.now, driven.now))
    assert kinds(events) == ["Paused", "Resumed"]
    assert driven.view(None).clock.left == (50_000, 60_000)
    assert driven.view(0).claim_left == 50_000
    assert driven.room.note_outage(since, driven.now, driven.now) == []
    assert driven.view(None).outages == ((since, driven.now),)
    driven.pass_time(1)
    assert driven.view(None).clock.left == (49_000, 60_000)


def test_choosing_stands_while_no_server_is_up():
    driven = Driven()
    driven.join("Ann")
    driven.join("Bo")
    since = driven.now + 10_000
    driven.now += 600_000
    driven.take(driven.room.note_outage(since, driven.now, driven.now))
    assert driven.view(0).choose_left == 20_000


# Being away


def test_game_is_claimed_only_after_the_grace():
    driven = dealt_room(grace=60)
    with pytest.raises(NotAllowed):
        driven.do(0, m.Claim())
    driven.take(driven.room.go_away(1, driven.now))
    assert driven.view(None).seats[1].away
    driven.pass_time(59)
    with pytest.raises(TooSoon) as caught:
        driven.do(0, m.Claim())
    assert caught.value.seconds == 1
    driven.pass_time(1)
    driven.do(0, m.Claim())
    assert (driven.state.outcome.code, driven.state.outcome.reason) == ("seat0", Reason.LEFT)


def test_claimed_draw_and_its_record_read_back():
    driven = dealt_room(grace=60)
    driven.take(driven.room.go_away(1, driven.now))
    driven.pass_time(60)
    driven.do(0, m.Claim(result="draw"))
    assert parse_record(format_text(driven.view(None).record)).outcome.code == "draw"


def test_who_comes_back_cannot_be_claimed_from():
    driven = dealt_room(grace=60)
    driven.take(driven.room.go_away(1, driven.now))
    driven.pass_time(60)
    driven.take(driven.room.come_back(1, "host", "session", driven.now))
    assert driven.room.come_back(1, "host", "session", driven.now) == []
    with pytest.raises(NotAllowed):
        driven.do(0, m.Claim())


# Rematches and phrases


def test_rematch_changes_the_lead_over_and_commits_anew():
    driven = finished_room(lead=0)
    ended = driven.room.version
    first = driven.state.commitment
    driven.do(0, m.Rematch())
    with pytest.raises(NotAllowed):
        driven.do(0, m.Rematch())
    driven.do(1, m.Rematch())
    assert driven.state.status is Status.CHOOSING
    assert driven.state.commitment != first
    with pytest.raises(StaleVersion):
        driven.do(0, m.ChooseTrump(suit="S"), ended)
    driven.do(0, m.ChooseTrump(suit="S"))
    driven.do(1, m.ChooseTrump(suit="H"))
    assert driven.view(None).lead == 1
    assert driven.view(None).game == 2
    assert len(driven.state.records) == 1
    driven.do(1, m.Resign())
    verify(driven.state.records[1].start, read_fair(driven.state.records[1]))


def test_phrases_are_few():
    driven = dealt_room()
    for _ in range(5):
        driven.do(0, m.Say(phrase="hello"))
    with pytest.raises(TooSoon):
        driven.do(0, m.Say(phrase="hello"))
    driven.pass_time(10)
    driven.do(0, m.Say(phrase="oops"))
    assert driven.view(None).phrases[-1].phrase == "oops"


def test_every_event_and_command_keeps_a_secret_out_of_its_errors():
    driven = dealt_room(Rules.of("duel", cards_each=6))
    seat = driven.state.position.seat
    hidden = {card.code for card in driven.state.position.hands[1 - seat]}
    for code in hidden:
        with pytest.raises(IllegalMove) as caught:
            driven.do(seat, m.Play(move=code))
        assert not (hidden - {code}) & set(str(caught.value).split())


def test_replayed_log_is_the_same_room():
    driven = finished_room(base=60, increment=1)
    assert [view_json(driven.view(seat)) for seat in (0, 1, None)] == [
        view_json(e_view) for e_view in _views(driven.replayed(), driven.now)
    ]


def _views(room, now):
    from yourtrumps.online.views import view_for

    return [view_for(room.state, seat, now) for seat in (0, 1, None)]


def test_event_names_are_unique():
    assert len({type_.__struct_config__.tag for type_ in e.AnyEvent.__args__}) == len(e.AnyEvent.__args__)

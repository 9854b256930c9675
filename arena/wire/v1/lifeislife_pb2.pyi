from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LifeIsLifeParameters(_message.Message):
    __slots__ = ("expert", "turn_cap", "round_cap", "kinds", "copies", "hand", "rows", "lives")
    EXPERT_FIELD_NUMBER: _ClassVar[int]
    TURN_CAP_FIELD_NUMBER: _ClassVar[int]
    ROUND_CAP_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    LIVES_FIELD_NUMBER: _ClassVar[int]
    expert: bool
    turn_cap: int
    round_cap: int
    kinds: int
    copies: int
    hand: int
    rows: int
    lives: int
    def __init__(self, expert: _Optional[bool] = ..., turn_cap: _Optional[int] = ..., round_cap: _Optional[int] = ..., kinds: _Optional[int] = ..., copies: _Optional[int] = ..., hand: _Optional[int] = ..., rows: _Optional[int] = ..., lives: _Optional[int] = ...) -> None: ...

class LifeIsLifeCards(_message.Message):
    __slots__ = ("counts",)
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, counts: _Optional[_Iterable[int]] = ...) -> None: ...

class LifeIsLifeView(_message.Message):
    __slots__ = ("lives", "out", "round", "starter", "turn", "last_turn", "knocker", "rows", "hand", "known", "lacking")
    LIVES_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    KNOCKER_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    LACKING_FIELD_NUMBER: _ClassVar[int]
    lives: _containers.RepeatedScalarFieldContainer[int]
    out: _containers.RepeatedScalarFieldContainer[int]
    round: int
    starter: int
    turn: int
    last_turn: int
    knocker: int
    rows: _containers.RepeatedCompositeFieldContainer[LifeIsLifeCards]
    hand: LifeIsLifeCards
    known: _containers.RepeatedCompositeFieldContainer[LifeIsLifeCards]
    lacking: _containers.RepeatedCompositeFieldContainer[LifeIsLifeCards]
    def __init__(self, lives: _Optional[_Iterable[int]] = ..., out: _Optional[_Iterable[int]] = ..., round: _Optional[int] = ..., starter: _Optional[int] = ..., turn: _Optional[int] = ..., last_turn: _Optional[int] = ..., knocker: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[LifeIsLifeCards, _Mapping]]] = ..., hand: _Optional[_Union[LifeIsLifeCards, _Mapping]] = ..., known: _Optional[_Iterable[_Union[LifeIsLifeCards, _Mapping]]] = ..., lacking: _Optional[_Iterable[_Union[LifeIsLifeCards, _Mapping]]] = ...) -> None: ...

class LifeIsLifeAction(_message.Message):
    __slots__ = ("swap", "knock")
    SWAP_FIELD_NUMBER: _ClassVar[int]
    KNOCK_FIELD_NUMBER: _ClassVar[int]
    swap: LifeIsLifeCards
    knock: bool
    def __init__(self, swap: _Optional[_Union[LifeIsLifeCards, _Mapping]] = ..., knock: _Optional[bool] = ...) -> None: ...

class LifeIsLifeEvent(_message.Message):
    __slots__ = ("round_began", "swapped", "knocked", "sudden_death", "scored", "went_out")
    class RoundBegan(_message.Message):
        __slots__ = ("round", "starter", "rows")
        ROUND_FIELD_NUMBER: _ClassVar[int]
        STARTER_FIELD_NUMBER: _ClassVar[int]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        round: int
        starter: int
        rows: _containers.RepeatedCompositeFieldContainer[LifeIsLifeCards]
        def __init__(self, round: _Optional[int] = ..., starter: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[LifeIsLifeCards, _Mapping]]] = ...) -> None: ...
    class Swapped(_message.Message):
        __slots__ = ("seat", "row", "laid", "taken")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        ROW_FIELD_NUMBER: _ClassVar[int]
        LAID_FIELD_NUMBER: _ClassVar[int]
        TAKEN_FIELD_NUMBER: _ClassVar[int]
        seat: int
        row: int
        laid: LifeIsLifeCards
        taken: LifeIsLifeCards
        def __init__(self, seat: _Optional[int] = ..., row: _Optional[int] = ..., laid: _Optional[_Union[LifeIsLifeCards, _Mapping]] = ..., taken: _Optional[_Union[LifeIsLifeCards, _Mapping]] = ...) -> None: ...
    class Knocked(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    class SuddenDeath(_message.Message):
        __slots__ = ("seat", "hand", "gained", "lost")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        HAND_FIELD_NUMBER: _ClassVar[int]
        GAINED_FIELD_NUMBER: _ClassVar[int]
        LOST_FIELD_NUMBER: _ClassVar[int]
        seat: int
        hand: LifeIsLifeCards
        gained: int
        lost: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, seat: _Optional[int] = ..., hand: _Optional[_Union[LifeIsLifeCards, _Mapping]] = ..., gained: _Optional[int] = ..., lost: _Optional[_Iterable[int]] = ...) -> None: ...
    class Scored(_message.Message):
        __slots__ = ("hands", "totals", "lost")
        HANDS_FIELD_NUMBER: _ClassVar[int]
        TOTALS_FIELD_NUMBER: _ClassVar[int]
        LOST_FIELD_NUMBER: _ClassVar[int]
        hands: _containers.RepeatedCompositeFieldContainer[LifeIsLifeCards]
        totals: _containers.RepeatedScalarFieldContainer[int]
        lost: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, hands: _Optional[_Iterable[_Union[LifeIsLifeCards, _Mapping]]] = ..., totals: _Optional[_Iterable[int]] = ..., lost: _Optional[_Iterable[int]] = ...) -> None: ...
    class WentOut(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    ROUND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    SWAPPED_FIELD_NUMBER: _ClassVar[int]
    KNOCKED_FIELD_NUMBER: _ClassVar[int]
    SUDDEN_DEATH_FIELD_NUMBER: _ClassVar[int]
    SCORED_FIELD_NUMBER: _ClassVar[int]
    WENT_OUT_FIELD_NUMBER: _ClassVar[int]
    round_began: LifeIsLifeEvent.RoundBegan
    swapped: LifeIsLifeEvent.Swapped
    knocked: LifeIsLifeEvent.Knocked
    sudden_death: LifeIsLifeEvent.SuddenDeath
    scored: LifeIsLifeEvent.Scored
    went_out: LifeIsLifeEvent.WentOut
    def __init__(self, round_began: _Optional[_Union[LifeIsLifeEvent.RoundBegan, _Mapping]] = ..., swapped: _Optional[_Union[LifeIsLifeEvent.Swapped, _Mapping]] = ..., knocked: _Optional[_Union[LifeIsLifeEvent.Knocked, _Mapping]] = ..., sudden_death: _Optional[_Union[LifeIsLifeEvent.SuddenDeath, _Mapping]] = ..., scored: _Optional[_Union[LifeIsLifeEvent.Scored, _Mapping]] = ..., went_out: _Optional[_Union[LifeIsLifeEvent.WentOut, _Mapping]] = ...) -> None: ...

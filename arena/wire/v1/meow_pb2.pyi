from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MeowParameters(_message.Message):
    __slots__ = ("expert", "tokens", "vases_in_pairs", "ranks", "hand", "rounds")
    EXPERT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    VASES_IN_PAIRS_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    expert: bool
    tokens: _containers.RepeatedScalarFieldContainer[int]
    vases_in_pairs: bool
    ranks: int
    hand: int
    rounds: int
    def __init__(self, expert: _Optional[bool] = ..., tokens: _Optional[_Iterable[int]] = ..., vases_in_pairs: _Optional[bool] = ..., ranks: _Optional[int] = ..., hand: _Optional[int] = ..., rounds: _Optional[int] = ...) -> None: ...

class MeowView(_message.Message):
    __slots__ = ("round", "row", "later", "won", "leader", "trick", "hand", "played", "voids")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    LATER_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    round: int
    row: _containers.RepeatedScalarFieldContainer[int]
    later: _containers.RepeatedScalarFieldContainer[int]
    won: _containers.RepeatedCompositeFieldContainer[MeowTokens]
    leader: int
    trick: _containers.RepeatedScalarFieldContainer[int]
    hand: int
    played: _containers.RepeatedScalarFieldContainer[int]
    voids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, round: _Optional[int] = ..., row: _Optional[_Iterable[int]] = ..., later: _Optional[_Iterable[int]] = ..., won: _Optional[_Iterable[_Union[MeowTokens, _Mapping]]] = ..., leader: _Optional[int] = ..., trick: _Optional[_Iterable[int]] = ..., hand: _Optional[int] = ..., played: _Optional[_Iterable[int]] = ..., voids: _Optional[_Iterable[int]] = ...) -> None: ...

class MeowTokens(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, tokens: _Optional[_Iterable[int]] = ...) -> None: ...

class MeowAction(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: int
    def __init__(self, card: _Optional[int] = ...) -> None: ...

class MeowEvent(_message.Message):
    __slots__ = ("round_began", "card_played", "trick_won")
    class RoundBegan(_message.Message):
        __slots__ = ("round", "leader", "row")
        ROUND_FIELD_NUMBER: _ClassVar[int]
        LEADER_FIELD_NUMBER: _ClassVar[int]
        ROW_FIELD_NUMBER: _ClassVar[int]
        round: int
        leader: int
        row: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, round: _Optional[int] = ..., leader: _Optional[int] = ..., row: _Optional[_Iterable[int]] = ...) -> None: ...
    class CardPlayed(_message.Message):
        __slots__ = ("seat", "card")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: int
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ...) -> None: ...
    class TrickWon(_message.Message):
        __slots__ = ("seat", "token")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        TOKEN_FIELD_NUMBER: _ClassVar[int]
        seat: int
        token: int
        def __init__(self, seat: _Optional[int] = ..., token: _Optional[int] = ...) -> None: ...
    ROUND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    CARD_PLAYED_FIELD_NUMBER: _ClassVar[int]
    TRICK_WON_FIELD_NUMBER: _ClassVar[int]
    round_began: MeowEvent.RoundBegan
    card_played: MeowEvent.CardPlayed
    trick_won: MeowEvent.TrickWon
    def __init__(self, round_began: _Optional[_Union[MeowEvent.RoundBegan, _Mapping]] = ..., card_played: _Optional[_Union[MeowEvent.CardPlayed, _Mapping]] = ..., trick_won: _Optional[_Union[MeowEvent.TrickWon, _Mapping]] = ...) -> None: ...

from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TrioMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIO_MODE_UNSPECIFIED: _ClassVar[TrioMode]
    TRIO_MODE_SIMPLE: _ClassVar[TrioMode]
    TRIO_MODE_SPICY: _ClassVar[TrioMode]
TRIO_MODE_UNSPECIFIED: TrioMode
TRIO_MODE_SIMPLE: TrioMode
TRIO_MODE_SPICY: TrioMode

class TrioParameters(_message.Message):
    __slots__ = ("mode", "teams", "turn_cap", "numbers", "hand", "trios")
    MODE_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    TURN_CAP_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRIOS_FIELD_NUMBER: _ClassVar[int]
    mode: TrioMode
    teams: bool
    turn_cap: int
    numbers: int
    hand: int
    trios: int
    def __init__(self, mode: _Optional[_Union[TrioMode, str]] = ..., teams: _Optional[bool] = ..., turn_cap: _Optional[int] = ..., numbers: _Optional[int] = ..., hand: _Optional[int] = ..., trios: _Optional[int] = ...) -> None: ...

class TrioView(_message.Message):
    __slots__ = ("turn", "piles", "hand", "known", "centre", "shown", "phase", "chosen", "partner", "told", "log", "swaps", "shared", "earlier")
    TURN_FIELD_NUMBER: _ClassVar[int]
    PILES_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    CENTRE_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_FIELD_NUMBER: _ClassVar[int]
    PARTNER_FIELD_NUMBER: _ClassVar[int]
    TOLD_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    SWAPS_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    EARLIER_FIELD_NUMBER: _ClassVar[int]
    turn: int
    piles: _containers.RepeatedCompositeFieldContainer[TrioCards]
    hand: _containers.RepeatedScalarFieldContainer[int]
    known: _containers.RepeatedCompositeFieldContainer[TrioKnown]
    centre: _containers.RepeatedScalarFieldContainer[int]
    shown: _containers.RepeatedScalarFieldContainer[int]
    phase: _containers.RepeatedScalarFieldContainer[int]
    chosen: int
    partner: TrioTold
    told: TrioTold
    log: _containers.RepeatedCompositeFieldContainer[TrioSwap]
    swaps: _containers.RepeatedScalarFieldContainer[int]
    shared: _containers.RepeatedCompositeFieldContainer[TrioCards]
    earlier: _containers.RepeatedCompositeFieldContainer[TrioPast]
    def __init__(self, turn: _Optional[int] = ..., piles: _Optional[_Iterable[_Union[TrioCards, _Mapping]]] = ..., hand: _Optional[_Iterable[int]] = ..., known: _Optional[_Iterable[_Union[TrioKnown, _Mapping]]] = ..., centre: _Optional[_Iterable[int]] = ..., shown: _Optional[_Iterable[int]] = ..., phase: _Optional[_Iterable[int]] = ..., chosen: _Optional[int] = ..., partner: _Optional[_Union[TrioTold, _Mapping]] = ..., told: _Optional[_Union[TrioTold, _Mapping]] = ..., log: _Optional[_Iterable[_Union[TrioSwap, _Mapping]]] = ..., swaps: _Optional[_Iterable[int]] = ..., shared: _Optional[_Iterable[_Union[TrioCards, _Mapping]]] = ..., earlier: _Optional[_Iterable[_Union[TrioPast, _Mapping]]] = ...) -> None: ...

class TrioCards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class TrioKnown(_message.Message):
    __slots__ = ("size", "low", "high", "least", "most")
    SIZE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    LEAST_FIELD_NUMBER: _ClassVar[int]
    MOST_FIELD_NUMBER: _ClassVar[int]
    size: int
    low: _containers.RepeatedScalarFieldContainer[int]
    high: _containers.RepeatedScalarFieldContainer[int]
    least: int
    most: int
    def __init__(self, size: _Optional[int] = ..., low: _Optional[_Iterable[int]] = ..., high: _Optional[_Iterable[int]] = ..., least: _Optional[int] = ..., most: _Optional[int] = ...) -> None: ...

class TrioTold(_message.Message):
    __slots__ = ("cards", "least", "most")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    LEAST_FIELD_NUMBER: _ClassVar[int]
    MOST_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    least: int
    most: int
    def __init__(self, cards: _Optional[_Iterable[int]] = ..., least: _Optional[int] = ..., most: _Optional[int] = ...) -> None: ...

class TrioSwap(_message.Message):
    __slots__ = ("gave", "got")
    GAVE_FIELD_NUMBER: _ClassVar[int]
    GOT_FIELD_NUMBER: _ClassVar[int]
    gave: int
    got: int
    def __init__(self, gave: _Optional[int] = ..., got: _Optional[int] = ...) -> None: ...

class TrioPast(_message.Message):
    __slots__ = ("layers",)
    LAYERS_FIELD_NUMBER: _ClassVar[int]
    layers: _containers.RepeatedCompositeFieldContainer[TrioEarlier]
    def __init__(self, layers: _Optional[_Iterable[_Union[TrioEarlier, _Mapping]]] = ...) -> None: ...

class TrioEarlier(_message.Message):
    __slots__ = ("cards", "least", "most", "gone", "strange")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    LEAST_FIELD_NUMBER: _ClassVar[int]
    MOST_FIELD_NUMBER: _ClassVar[int]
    GONE_FIELD_NUMBER: _ClassVar[int]
    STRANGE_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    least: int
    most: int
    gone: int
    strange: int
    def __init__(self, cards: _Optional[_Iterable[int]] = ..., least: _Optional[int] = ..., most: _Optional[int] = ..., gone: _Optional[int] = ..., strange: _Optional[int] = ...) -> None: ...

class TrioAction(_message.Message):
    __slots__ = ("centre", "low", "high", "give", "keep")
    CENTRE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    KEEP_FIELD_NUMBER: _ClassVar[int]
    centre: int
    low: int
    high: int
    give: int
    keep: bool
    def __init__(self, centre: _Optional[int] = ..., low: _Optional[int] = ..., high: _Optional[int] = ..., give: _Optional[int] = ..., keep: _Optional[bool] = ...) -> None: ...

class TrioEvent(_message.Message):
    __slots__ = ("card_revealed", "cards_returned", "trio_taken", "swap_settled")
    class CardRevealed(_message.Message):
        __slots__ = ("seat", "place", "number")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        PLACE_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        seat: int
        place: int
        number: int
        def __init__(self, seat: _Optional[int] = ..., place: _Optional[int] = ..., number: _Optional[int] = ...) -> None: ...
    class CardsReturned(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    class TrioTaken(_message.Message):
        __slots__ = ("seat", "number")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        seat: int
        number: int
        def __init__(self, seat: _Optional[int] = ..., number: _Optional[int] = ...) -> None: ...
    class SwapSettled(_message.Message):
        __slots__ = ("seat", "partner", "swapped")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        PARTNER_FIELD_NUMBER: _ClassVar[int]
        SWAPPED_FIELD_NUMBER: _ClassVar[int]
        seat: int
        partner: int
        swapped: bool
        def __init__(self, seat: _Optional[int] = ..., partner: _Optional[int] = ..., swapped: _Optional[bool] = ...) -> None: ...
    CARD_REVEALED_FIELD_NUMBER: _ClassVar[int]
    CARDS_RETURNED_FIELD_NUMBER: _ClassVar[int]
    TRIO_TAKEN_FIELD_NUMBER: _ClassVar[int]
    SWAP_SETTLED_FIELD_NUMBER: _ClassVar[int]
    card_revealed: TrioEvent.CardRevealed
    cards_returned: TrioEvent.CardsReturned
    trio_taken: TrioEvent.TrioTaken
    swap_settled: TrioEvent.SwapSettled
    def __init__(self, card_revealed: _Optional[_Union[TrioEvent.CardRevealed, _Mapping]] = ..., cards_returned: _Optional[_Union[TrioEvent.CardsReturned, _Mapping]] = ..., trio_taken: _Optional[_Union[TrioEvent.TrioTaken, _Mapping]] = ..., swap_settled: _Optional[_Union[TrioEvent.SwapSettled, _Mapping]] = ...) -> None: ...

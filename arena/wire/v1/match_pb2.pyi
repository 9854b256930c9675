from arena.wire.v1 import jackal_pb2 as _jackal_pb2
from arena.wire.v1 import lifeislife_pb2 as _lifeislife_pb2
from arena.wire.v1 import meow_pb2 as _meow_pb2
from arena.wire.v1 import trio_pb2 as _trio_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SeatEnding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEAT_ENDING_UNSPECIFIED: _ClassVar[SeatEnding]
    SEAT_ENDING_PLAYED: _ClassVar[SeatEnding]
    SEAT_ENDING_VOID: _ClassVar[SeatEnding]
    SEAT_ENDING_ILLEGAL_ACTION: _ClassVar[SeatEnding]
    SEAT_ENDING_OVERRUN: _ClassVar[SeatEnding]
    SEAT_ENDING_CRASHED: _ClassVar[SeatEnding]
    SEAT_ENDING_HUNG_UP: _ClassVar[SeatEnding]
    SEAT_ENDING_NONSENSE: _ClassVar[SeatEnding]
    SEAT_ENDING_NO_HELLO: _ClassVar[SeatEnding]
    SEAT_ENDING_WRONG_VERSION: _ClassVar[SeatEnding]
    SEAT_ENDING_OVER_LIMIT: _ClassVar[SeatEnding]
SEAT_ENDING_UNSPECIFIED: SeatEnding
SEAT_ENDING_PLAYED: SeatEnding
SEAT_ENDING_VOID: SeatEnding
SEAT_ENDING_ILLEGAL_ACTION: SeatEnding
SEAT_ENDING_OVERRUN: SeatEnding
SEAT_ENDING_CRASHED: SeatEnding
SEAT_ENDING_HUNG_UP: SeatEnding
SEAT_ENDING_NONSENSE: SeatEnding
SEAT_ENDING_NO_HELLO: SeatEnding
SEAT_ENDING_WRONG_VERSION: SeatEnding
SEAT_ENDING_OVER_LIMIT: SeatEnding

class FromBot(_message.Message):
    __slots__ = ("hello", "decisions")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    decisions: Decisions
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., decisions: _Optional[_Union[Decisions, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "name", "games", "wants_legal_actions")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    WANTS_LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    name: str
    games: _containers.RepeatedScalarFieldContainer[str]
    wants_legal_actions: bool
    def __init__(self, protocol: _Optional[int] = ..., name: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., wants_legal_actions: _Optional[bool] = ...) -> None: ...

class Decisions(_message.Message):
    __slots__ = ("decisions",)
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    def __init__(self, decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("match", "number", "action", "note")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    action: Action
    note: str
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., action: _Optional[_Union[Action, _Mapping]] = ..., note: _Optional[str] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("index", "trio", "jackal", "meow", "lifeislife", "text")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    TRIO_FIELD_NUMBER: _ClassVar[int]
    JACKAL_FIELD_NUMBER: _ClassVar[int]
    MEOW_FIELD_NUMBER: _ClassVar[int]
    LIFEISLIFE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    index: int
    trio: _trio_pb2.TrioAction
    jackal: _jackal_pb2.JackalAction
    meow: _meow_pb2.MeowAction
    lifeislife: _lifeislife_pb2.LifeIsLifeAction
    text: str
    def __init__(self, index: _Optional[int] = ..., trio: _Optional[_Union[_trio_pb2.TrioAction, _Mapping]] = ..., jackal: _Optional[_Union[_jackal_pb2.JackalAction, _Mapping]] = ..., meow: _Optional[_Union[_meow_pb2.MeowAction, _Mapping]] = ..., lifeislife: _Optional[_Union[_lifeislife_pb2.LifeIsLifeAction, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class FromReferee(_message.Message):
    __slots__ = ("starts", "requests", "ends", "goodbye")
    STARTS_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedCompositeFieldContainer[MatchStart]
    requests: _containers.RepeatedCompositeFieldContainer[Request]
    ends: _containers.RepeatedCompositeFieldContainer[MatchEnd]
    goodbye: Goodbye
    def __init__(self, starts: _Optional[_Iterable[_Union[MatchStart, _Mapping]]] = ..., requests: _Optional[_Iterable[_Union[Request, _Mapping]]] = ..., ends: _Optional[_Iterable[_Union[MatchEnd, _Mapping]]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class MatchStart(_message.Message):
    __slots__ = ("match", "game", "seats", "seat", "parameters", "clock", "bot_seed", "commitment")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    BOT_SEED_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    match: int
    game: str
    seats: int
    seat: int
    parameters: Parameters
    clock: Clock
    bot_seed: bytes
    commitment: bytes
    def __init__(self, match: _Optional[int] = ..., game: _Optional[str] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., parameters: _Optional[_Union[Parameters, _Mapping]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., bot_seed: _Optional[bytes] = ..., commitment: _Optional[bytes] = ...) -> None: ...

class Parameters(_message.Message):
    __slots__ = ("trio", "jackal", "meow", "lifeislife", "text")
    TRIO_FIELD_NUMBER: _ClassVar[int]
    JACKAL_FIELD_NUMBER: _ClassVar[int]
    MEOW_FIELD_NUMBER: _ClassVar[int]
    LIFEISLIFE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    trio: _trio_pb2.TrioParameters
    jackal: _jackal_pb2.JackalParameters
    meow: _meow_pb2.MeowParameters
    lifeislife: _lifeislife_pb2.LifeIsLifeParameters
    text: str
    def __init__(self, trio: _Optional[_Union[_trio_pb2.TrioParameters, _Mapping]] = ..., jackal: _Optional[_Union[_jackal_pb2.JackalParameters, _Mapping]] = ..., meow: _Optional[_Union[_meow_pb2.MeowParameters, _Mapping]] = ..., lifeislife: _Optional[_Union[_lifeislife_pb2.LifeIsLifeParameters, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("bank_s", "increment_s", "counts_cpu", "wall_bank_s", "wall_increment_s")
    BANK_S_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_S_FIELD_NUMBER: _ClassVar[int]
    COUNTS_CPU_FIELD_NUMBER: _ClassVar[int]
    WALL_BANK_S_FIELD_NUMBER: _ClassVar[int]
    WALL_INCREMENT_S_FIELD_NUMBER: _ClassVar[int]
    bank_s: float
    increment_s: float
    counts_cpu: bool
    wall_bank_s: float
    wall_increment_s: float
    def __init__(self, bank_s: _Optional[float] = ..., increment_s: _Optional[float] = ..., counts_cpu: _Optional[bool] = ..., wall_bank_s: _Optional[float] = ..., wall_increment_s: _Optional[float] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ("match", "number", "events", "view", "time_left_s", "legal_actions", "wall_left_s")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_S_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    WALL_LEFT_S_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    events: _containers.RepeatedCompositeFieldContainer[Event]
    view: View
    time_left_s: float
    legal_actions: _containers.RepeatedCompositeFieldContainer[Action]
    wall_left_s: float
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., view: _Optional[_Union[View, _Mapping]] = ..., time_left_s: _Optional[float] = ..., legal_actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., wall_left_s: _Optional[float] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("trio", "jackal", "meow", "lifeislife", "text")
    TRIO_FIELD_NUMBER: _ClassVar[int]
    JACKAL_FIELD_NUMBER: _ClassVar[int]
    MEOW_FIELD_NUMBER: _ClassVar[int]
    LIFEISLIFE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    trio: _trio_pb2.TrioView
    jackal: _jackal_pb2.JackalView
    meow: _meow_pb2.MeowView
    lifeislife: _lifeislife_pb2.LifeIsLifeView
    text: str
    def __init__(self, trio: _Optional[_Union[_trio_pb2.TrioView, _Mapping]] = ..., jackal: _Optional[_Union[_jackal_pb2.JackalView, _Mapping]] = ..., meow: _Optional[_Union[_meow_pb2.MeowView, _Mapping]] = ..., lifeislife: _Optional[_Union[_lifeislife_pb2.LifeIsLifeView, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("trio", "jackal", "meow", "lifeislife", "text")
    TRIO_FIELD_NUMBER: _ClassVar[int]
    JACKAL_FIELD_NUMBER: _ClassVar[int]
    MEOW_FIELD_NUMBER: _ClassVar[int]
    LIFEISLIFE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    trio: _trio_pb2.TrioEvent
    jackal: _jackal_pb2.JackalEvent
    meow: _meow_pb2.MeowEvent
    lifeislife: _lifeislife_pb2.LifeIsLifeEvent
    text: str
    def __init__(self, trio: _Optional[_Union[_trio_pb2.TrioEvent, _Mapping]] = ..., jackal: _Optional[_Union[_jackal_pb2.JackalEvent, _Mapping]] = ..., meow: _Optional[_Union[_meow_pb2.MeowEvent, _Mapping]] = ..., lifeislife: _Optional[_Union[_lifeislife_pb2.LifeIsLifeEvent, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class MatchEnd(_message.Message):
    __slots__ = ("match", "places", "events", "scores", "ending", "sentence")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    match: int
    places: _containers.RepeatedScalarFieldContainer[int]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    scores: _containers.RepeatedScalarFieldContainer[int]
    ending: SeatEnding
    sentence: str
    def __init__(self, match: _Optional[int] = ..., places: _Optional[_Iterable[int]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., scores: _Optional[_Iterable[int]] = ..., ending: _Optional[_Union[SeatEnding, str]] = ..., sentence: _Optional[str] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("sentence",)
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    sentence: str
    def __init__(self, sentence: _Optional[str] = ...) -> None: ...

from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JackalParameters(_message.Message):
    __slots__ = ("paws", "take2_paws", "round_cap", "numbers", "specials", "dice", "faces", "contest_rolls")
    PAWS_FIELD_NUMBER: _ClassVar[int]
    TAKE2_PAWS_FIELD_NUMBER: _ClassVar[int]
    ROUND_CAP_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    SPECIALS_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    FACES_FIELD_NUMBER: _ClassVar[int]
    CONTEST_ROLLS_FIELD_NUMBER: _ClassVar[int]
    paws: _containers.RepeatedScalarFieldContainer[int]
    take2_paws: int
    round_cap: int
    numbers: int
    specials: int
    dice: int
    faces: int
    contest_rolls: int
    def __init__(self, paws: _Optional[_Iterable[int]] = ..., take2_paws: _Optional[int] = ..., round_cap: _Optional[int] = ..., numbers: _Optional[int] = ..., specials: _Optional[int] = ..., dice: _Optional[int] = ..., faces: _Optional[int] = ..., contest_rolls: _Optional[int] = ...) -> None: ...

class JackalView(_message.Message):
    __slots__ = ("round", "starter", "turn", "cards", "under", "laid", "rolled", "rolls_left", "spoils", "valley", "piles", "take2s", "gone", "unseen")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    UNDER_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    ROLLED_FIELD_NUMBER: _ClassVar[int]
    ROLLS_LEFT_FIELD_NUMBER: _ClassVar[int]
    SPOILS_FIELD_NUMBER: _ClassVar[int]
    VALLEY_FIELD_NUMBER: _ClassVar[int]
    PILES_FIELD_NUMBER: _ClassVar[int]
    TAKE2S_FIELD_NUMBER: _ClassVar[int]
    GONE_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    round: int
    starter: int
    turn: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    under: _containers.RepeatedScalarFieldContainer[int]
    laid: _containers.RepeatedCompositeFieldContainer[JackalDice]
    rolled: _containers.RepeatedScalarFieldContainer[int]
    rolls_left: int
    spoils: _containers.RepeatedCompositeFieldContainer[JackalCards]
    valley: int
    piles: _containers.RepeatedCompositeFieldContainer[JackalCards]
    take2s: _containers.RepeatedScalarFieldContainer[int]
    gone: int
    unseen: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, round: _Optional[int] = ..., starter: _Optional[int] = ..., turn: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ..., under: _Optional[_Iterable[int]] = ..., laid: _Optional[_Iterable[_Union[JackalDice, _Mapping]]] = ..., rolled: _Optional[_Iterable[int]] = ..., rolls_left: _Optional[int] = ..., spoils: _Optional[_Iterable[_Union[JackalCards, _Mapping]]] = ..., valley: _Optional[int] = ..., piles: _Optional[_Iterable[_Union[JackalCards, _Mapping]]] = ..., take2s: _Optional[_Iterable[int]] = ..., gone: _Optional[int] = ..., unseen: _Optional[_Iterable[int]] = ...) -> None: ...

class JackalCards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class JackalDice(_message.Message):
    __slots__ = ("stacks", "faces", "valley")
    STACKS_FIELD_NUMBER: _ClassVar[int]
    FACES_FIELD_NUMBER: _ClassVar[int]
    VALLEY_FIELD_NUMBER: _ClassVar[int]
    stacks: _containers.RepeatedScalarFieldContainer[int]
    faces: _containers.RepeatedScalarFieldContainer[int]
    valley: int
    def __init__(self, stacks: _Optional[_Iterable[int]] = ..., faces: _Optional[_Iterable[int]] = ..., valley: _Optional[int] = ...) -> None: ...

class JackalAction(_message.Message):
    __slots__ = ("place", "valley", "again", "order")
    class Placement(_message.Message):
        __slots__ = ("stacks",)
        STACKS_FIELD_NUMBER: _ClassVar[int]
        stacks: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, stacks: _Optional[_Iterable[int]] = ...) -> None: ...
    class Order(_message.Message):
        __slots__ = ("positions",)
        POSITIONS_FIELD_NUMBER: _ClassVar[int]
        positions: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, positions: _Optional[_Iterable[int]] = ...) -> None: ...
    PLACE_FIELD_NUMBER: _ClassVar[int]
    VALLEY_FIELD_NUMBER: _ClassVar[int]
    AGAIN_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    place: JackalAction.Placement
    valley: bool
    again: bool
    order: JackalAction.Order
    def __init__(self, place: _Optional[_Union[JackalAction.Placement, _Mapping]] = ..., valley: _Optional[bool] = ..., again: _Optional[bool] = ..., order: _Optional[_Union[JackalAction.Order, _Mapping]] = ...) -> None: ...

class JackalEvent(_message.Message):
    __slots__ = ("valley_opened", "round_began", "dice_rolled", "dice_placed", "die_lost", "dice_collected", "duel_rolled", "stack_won", "cards_ordered", "valley_rolled", "valley_taken", "valley_paid", "match_ended")
    class Question(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        QUESTION_UNSPECIFIED: _ClassVar[JackalEvent.Question]
        QUESTION_BOTH: _ClassVar[JackalEvent.Question]
        QUESTION_HIGHEST: _ClassVar[JackalEvent.Question]
        QUESTION_LOWEST: _ClassVar[JackalEvent.Question]
    QUESTION_UNSPECIFIED: JackalEvent.Question
    QUESTION_BOTH: JackalEvent.Question
    QUESTION_HIGHEST: JackalEvent.Question
    QUESTION_LOWEST: JackalEvent.Question
    class ValleyOpened(_message.Message):
        __slots__ = ("card",)
        CARD_FIELD_NUMBER: _ClassVar[int]
        card: int
        def __init__(self, card: _Optional[int] = ...) -> None: ...
    class RoundBegan(_message.Message):
        __slots__ = ("round", "starter", "drawn", "cards", "under")
        ROUND_FIELD_NUMBER: _ClassVar[int]
        STARTER_FIELD_NUMBER: _ClassVar[int]
        DRAWN_FIELD_NUMBER: _ClassVar[int]
        CARDS_FIELD_NUMBER: _ClassVar[int]
        UNDER_FIELD_NUMBER: _ClassVar[int]
        round: int
        starter: int
        drawn: _containers.RepeatedScalarFieldContainer[int]
        cards: _containers.RepeatedScalarFieldContainer[int]
        under: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, round: _Optional[int] = ..., starter: _Optional[int] = ..., drawn: _Optional[_Iterable[int]] = ..., cards: _Optional[_Iterable[int]] = ..., under: _Optional[_Iterable[int]] = ...) -> None: ...
    class DiceRolled(_message.Message):
        __slots__ = ("seat", "dice", "rolls_left")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        DICE_FIELD_NUMBER: _ClassVar[int]
        ROLLS_LEFT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        dice: _containers.RepeatedScalarFieldContainer[int]
        rolls_left: int
        def __init__(self, seat: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ..., rolls_left: _Optional[int] = ...) -> None: ...
    class DicePlaced(_message.Message):
        __slots__ = ("seat", "dice", "stacks")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        DICE_FIELD_NUMBER: _ClassVar[int]
        STACKS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        dice: _containers.RepeatedScalarFieldContainer[int]
        stacks: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, seat: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ..., stacks: _Optional[_Iterable[int]] = ...) -> None: ...
    class DieLost(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    class DiceCollected(_message.Message):
        __slots__ = ("valley",)
        VALLEY_FIELD_NUMBER: _ClassVar[int]
        valley: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, valley: _Optional[_Iterable[int]] = ...) -> None: ...
    class DuelRolled(_message.Message):
        __slots__ = ("stack", "seat", "dice")
        STACK_FIELD_NUMBER: _ClassVar[int]
        SEAT_FIELD_NUMBER: _ClassVar[int]
        DICE_FIELD_NUMBER: _ClassVar[int]
        stack: int
        seat: int
        dice: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, stack: _Optional[int] = ..., seat: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ...) -> None: ...
    class StackWon(_message.Message):
        __slots__ = ("seat", "stack", "card", "take2s", "lucky")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        STACK_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        TAKE2S_FIELD_NUMBER: _ClassVar[int]
        LUCKY_FIELD_NUMBER: _ClassVar[int]
        seat: int
        stack: int
        card: int
        take2s: int
        lucky: bool
        def __init__(self, seat: _Optional[int] = ..., stack: _Optional[int] = ..., card: _Optional[int] = ..., take2s: _Optional[int] = ..., lucky: _Optional[bool] = ...) -> None: ...
    class CardsOrdered(_message.Message):
        __slots__ = ("seat", "cards")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARDS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        cards: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...
    class ValleyRolled(_message.Message):
        __slots__ = ("question", "seat", "dice")
        QUESTION_FIELD_NUMBER: _ClassVar[int]
        SEAT_FIELD_NUMBER: _ClassVar[int]
        DICE_FIELD_NUMBER: _ClassVar[int]
        question: JackalEvent.Question
        seat: int
        dice: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, question: _Optional[_Union[JackalEvent.Question, str]] = ..., seat: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ...) -> None: ...
    class ValleyTaken(_message.Message):
        __slots__ = ("seat", "card")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: int
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ...) -> None: ...
    class ValleyPaid(_message.Message):
        __slots__ = ("seat", "card")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: int
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ...) -> None: ...
    class MatchEnded(_message.Message):
        __slots__ = ("capped", "drawn")
        CAPPED_FIELD_NUMBER: _ClassVar[int]
        DRAWN_FIELD_NUMBER: _ClassVar[int]
        capped: bool
        drawn: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, capped: _Optional[bool] = ..., drawn: _Optional[_Iterable[int]] = ...) -> None: ...
    VALLEY_OPENED_FIELD_NUMBER: _ClassVar[int]
    ROUND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    DICE_ROLLED_FIELD_NUMBER: _ClassVar[int]
    DICE_PLACED_FIELD_NUMBER: _ClassVar[int]
    DIE_LOST_FIELD_NUMBER: _ClassVar[int]
    DICE_COLLECTED_FIELD_NUMBER: _ClassVar[int]
    DUEL_ROLLED_FIELD_NUMBER: _ClassVar[int]
    STACK_WON_FIELD_NUMBER: _ClassVar[int]
    CARDS_ORDERED_FIELD_NUMBER: _ClassVar[int]
    VALLEY_ROLLED_FIELD_NUMBER: _ClassVar[int]
    VALLEY_TAKEN_FIELD_NUMBER: _ClassVar[int]
    VALLEY_PAID_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    valley_opened: JackalEvent.ValleyOpened
    round_began: JackalEvent.RoundBegan
    dice_rolled: JackalEvent.DiceRolled
    dice_placed: JackalEvent.DicePlaced
    die_lost: JackalEvent.DieLost
    dice_collected: JackalEvent.DiceCollected
    duel_rolled: JackalEvent.DuelRolled
    stack_won: JackalEvent.StackWon
    cards_ordered: JackalEvent.CardsOrdered
    valley_rolled: JackalEvent.ValleyRolled
    valley_taken: JackalEvent.ValleyTaken
    valley_paid: JackalEvent.ValleyPaid
    match_ended: JackalEvent.MatchEnded
    def __init__(self, valley_opened: _Optional[_Union[JackalEvent.ValleyOpened, _Mapping]] = ..., round_began: _Optional[_Union[JackalEvent.RoundBegan, _Mapping]] = ..., dice_rolled: _Optional[_Union[JackalEvent.DiceRolled, _Mapping]] = ..., dice_placed: _Optional[_Union[JackalEvent.DicePlaced, _Mapping]] = ..., die_lost: _Optional[_Union[JackalEvent.DieLost, _Mapping]] = ..., dice_collected: _Optional[_Union[JackalEvent.DiceCollected, _Mapping]] = ..., duel_rolled: _Optional[_Union[JackalEvent.DuelRolled, _Mapping]] = ..., stack_won: _Optional[_Union[JackalEvent.StackWon, _Mapping]] = ..., cards_ordered: _Optional[_Union[JackalEvent.CardsOrdered, _Mapping]] = ..., valley_rolled: _Optional[_Union[JackalEvent.ValleyRolled, _Mapping]] = ..., valley_taken: _Optional[_Union[JackalEvent.ValleyTaken, _Mapping]] = ..., valley_paid: _Optional[_Union[JackalEvent.ValleyPaid, _Mapping]] = ..., match_ended: _Optional[_Union[JackalEvent.MatchEnded, _Mapping]] = ...) -> None: ...

"""Fields of the messages in match.proto; written by scripts/generate_protos."""

MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "FromBot": {
        "hello": (1, "Hello"),
        "decisions": (2, "Decisions"),
    },
    "Hello": {
        "protocol": (1, "uint32"),
        "name": (2, "string"),
        "games": (3, "string[]"),
        "wants_legal_actions": (4, "bool"),
    },
    "Decisions": {
        "decisions": (1, "Decision[]"),
    },
    "Decision": {
        "match": (1, "uint32"),
        "number": (2, "uint32"),
        "action": (3, "Action"),
        "note": (4, "string"),
    },
    "Action": {
        "index": (1, "uint32"),
        "trio": (2, "TrioAction"),
        "jackal": (3, "JackalAction"),
        "meow": (4, "MeowAction"),
        "lifeislife": (5, "LifeIsLifeAction"),
        "text": (6, "string"),
    },
    "FromReferee": {
        "starts": (1, "MatchStart[]"),
        "requests": (2, "Request[]"),
        "ends": (3, "MatchEnd[]"),
        "goodbye": (4, "Goodbye"),
    },
    "MatchStart": {
        "match": (1, "uint32"),
        "game": (2, "string"),
        "seats": (3, "uint32"),
        "seat": (4, "uint32"),
        "parameters": (5, "Parameters"),
        "clock": (6, "Clock"),
        "bot_seed": (7, "bytes"),
        "commitment": (8, "bytes"),
    },
    "Parameters": {
        "trio": (1, "TrioParameters"),
        "jackal": (2, "JackalParameters"),
        "meow": (3, "MeowParameters"),
        "lifeislife": (4, "LifeIsLifeParameters"),
        "text": (5, "string"),
    },
    "Clock": {
        "bank_s": (1, "double"),
        "increment_s": (2, "double"),
        "counts_cpu": (3, "bool"),
        "wall_bank_s": (4, "double"),
        "wall_increment_s": (5, "double"),
    },
    "Request": {
        "match": (1, "uint32"),
        "number": (2, "uint32"),
        "events": (3, "Event[]"),
        "view": (4, "View"),
        "time_left_s": (5, "double"),
        "legal_actions": (6, "Action[]"),
        "wall_left_s": (7, "double"),
    },
    "View": {
        "trio": (1, "TrioView"),
        "jackal": (2, "JackalView"),
        "meow": (3, "MeowView"),
        "lifeislife": (4, "LifeIsLifeView"),
        "text": (5, "string"),
    },
    "Event": {
        "trio": (1, "TrioEvent"),
        "jackal": (2, "JackalEvent"),
        "meow": (3, "MeowEvent"),
        "lifeislife": (4, "LifeIsLifeEvent"),
        "text": (5, "string"),
    },
    "MatchEnd": {
        "match": (1, "uint32"),
        "places": (2, "uint32[]"),
        "events": (3, "Event[]"),
        "scores": (4, "sint32[]"),
        "ending": (6, "SeatEnding"),
        "sentence": (7, "string"),
    },
    "Goodbye": {
        "sentence": (1, "string"),
    },
}
"""For each message its fields: name, number and type, in the order declared."""

ENUMS: dict[str, tuple[str, ...]] = {
    "SeatEnding": ("PLAYED", "VOID", "ILLEGAL_ACTION", "OVERRUN", "CRASHED", "HUNG_UP", "NONSENSE", "NO_HELLO", "WRONG_VERSION", "OVER_LIMIT"),
}
"""For each enum the names of its values from number 1 on; 0 is never sent."""

"""The SDK's gRPC client keeps the rules of HTTP/2, as an independent implementation sees them."""

from __future__ import annotations

import hpack
import pytest
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.call import Call, CallFailed
from arena.sdk.huffman import huffman_decoded
from tests.sdk.h2_server import ANSWER, End, Manner, h2_call


def check_echo(manner: Manner, sizes: list[int]) -> None:
    """Send messages to a server, and read them back."""
    with h2_call(manner) as call:
        for number, size in enumerate(sizes):
            message = bytes([number]) * size
            call.write(message)
            assert call.read() == message


MANNERS = {
    "a window of one byte": Manner(window=1),
    "a window that shrinks below nothing": Manner(window=20_000, later_windows=[1, 1, 9_000]),
    "padding": Manner(padding=255, piece=300),
    "padding of no bytes": Manner(padding=0),
    "pieces of one byte": Manner(piece=1),
}


@pytest.mark.parametrize("manner", MANNERS)
def test_messages_arrive_whatever_the_manners_of_the_server(manner: str) -> None:
    check_echo(MANNERS[manner], [0, 1, 300, 2_000])


WINDOWS = st.one_of(st.integers(50, 500), st.integers(50, 100_000))


def manners() -> st.SearchStrategy[Manner]:
    """Draw manners of a server."""
    return st.builds(
        Manner,
        window=WINDOWS,
        later_windows=st.lists(WINDOWS, max_size=5),
        piece=st.integers(100, 1 << 14),
        padding=st.none() | st.integers(0, 255),
    )


SIZES = st.lists(st.integers(0, 3_000), max_size=4)


@given(manners(), SIZES)
def test_no_window_is_exceeded_or_forgotten(manner: Manner, sizes: list[int]) -> None:
    check_echo(manner, sizes)


def exchange(call: Call, message: bytes) -> None:
    """Write and read."""
    call.write(message)
    call.read()


def status(code: str, sentence: str) -> End:
    """End a call with headers, which h2 encodes with Huffman coding."""
    fields = [*ANSWER, ("grpc-status", code), ("grpc-message", sentence)]
    return lambda h2: h2.send_headers(1, fields, end_stream=True)


def reset(h2: H2Connection) -> None:
    """Reset the stream of a call."""
    h2.reset_stream(1, ErrorCodes.REFUSED_STREAM)


def go_away(h2: H2Connection) -> None:
    """Close the connection with a reason."""
    h2.close_connection(ErrorCodes.PROTOCOL_ERROR, b"two paths", last_stream_id=1)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (status("8", "a bot may make only one call"), "status 8: a bot may make only one call"),
        (status("13", "100 %25 \\ f%C3%BCr ~"), "status 13: 100 % \\ für ~"),
        (reset, "HTTP/2 error 7: it gave no reason"),
        (go_away, "HTTP/2 error 1: two paths"),
    ],
    ids=["Huffman", "percent-encoding", "reset", "goaway"],
)
@pytest.mark.parametrize("writes", [False, True])
def test_a_call_that_ends_with_an_error_says_why(end: End, reason: str, writes: bool) -> None:
    with h2_call(Manner(), end) as call:
        with pytest.raises(CallFailed) as caught:
            # It may be too late to send it, but not to read the reason.
            exchange(call, bytes(1_000_000) if writes else b"")
        assert str(caught.value) == f"the referee ended the call with {reason}"
        assert call.read() is None


def test_a_call_that_ends_well_has_no_error() -> None:
    with h2_call(Manner(), status("0", "")) as call:
        assert call.read() is None


def test_every_character_of_a_status_can_be_huffman_coded() -> None:
    text = bytes(range(0x20, 0x7F))
    encoded = hpack.Encoder().huffman_coder.encode(text)
    assert huffman_decoded(encoded) == text


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)), st.binary(max_size=9))
def test_huffman_coding_ends_where_it_is_invalid(text: str, rest: bytes) -> None:
    encoded = hpack.Encoder().huffman_coder.encode(text.encode())
    assert huffman_decoded(encoded) == text.encode()
    assert huffman_decoded(encoded + rest).startswith(text.encode())

"""The API keeps to its OpenAPI document, whatever is sent: schemathesis makes the requests up."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import just

from tests.serve.in_process import InProcess

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis makes the requests up")

from schemathesis.generation import GenerationMode  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    ignored_auth,
    positive_data_acceptance,
)

_quickly = settings(max_examples=10, suppress_health_check=list(HealthCheck), deadline=None)
_TRANSPORT = ("cookies", "json", "data", "files", "params", "content")


def test_the_api_answers_as_its_document_says(tmp_path: Path) -> None:
    many = ("requests_per_minute = 300", "requests_per_minute = 1000000")
    with closing(InProcess(tmp_path, many)) as league:
        token = league.author("ada", "organiser")
        document = league.get("/api/v1/openapi.json").json()
        del document["paths"]["/api/v1/live"]  # it never ends
        # schemathesis writes no zip files: any bytes are sent as one.
        zipped = document["paths"]["/api/v1/submissions"]["post"]["requestBody"]["content"]
        zipped["application/octet-stream"] = zipped.pop("application/zip")
        schema = schemathesis.openapi.from_dict(document)
        statuses = [_statuses(league, token, result.ok()) for result in schema.get_all_operations()]
        assert len(statuses) == len(document["paths"]) + 1  # submissions are sent and listed
        # Requests that are allowed and requests that are not were among them.
        found = set().union(*statuses)
        assert {200, 400} <= found <= {200, 201, 202, 400, 401, 403, 404, 405, 422}


def _statuses(league: InProcess, token: str, operation: Any) -> set[int]:
    """Send made-up requests to an operation, and check the answers; its type is schemathesis's.

    Those that the document allows have a token, the others what was made up.
    """
    statuses: set[int] = set()

    def send(case: Any, headers: dict[str, str]) -> None:
        asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
        options = {name: asked[name] for name in _TRANSPORT if asked.get(name)}
        if isinstance(options.get("data"), bytes):
            options["content"] = options.pop("data")
        sent = {**dict(asked.get("headers") or {}), **headers}
        answer = league.request(asked["method"], asked["url"], headers=sent, **options)
        statuses.add(answer.status_code)
        # It knows neither that the token is right nor what a zip file is.
        case.validate_response(answer, excluded_checks=[ignored_auth, positive_data_acceptance])

    for mode, headers in (
        (GenerationMode.POSITIVE, {"Authorization": f"Bearer {token}"}),
        (GenerationMode.NEGATIVE, {}),
    ):
        cases = operation.as_strategy(generation_mode=mode)
        # An operation without parameters has no wrong requests.
        with suppress(Unsatisfiable):
            _quickly(given(case=cases, headers=just(headers))(send))()
    return statuses

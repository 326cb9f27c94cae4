"""The real service of the tests."""

import os

from clip_lookup.transport import HttpTransport, Request, Response

URL = os.environ['CLIP_LOOKUP_URL']
AMPLE_KEY = os.environ['CLIP_LOOKUP_AMPLE_KEY']


class CountedTransport:
    """Sends requests over HTTP and lists them."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.http = HttpTransport()

    def __call__(self, request: Request) -> Response:
        self.paths.append(request.url.removeprefix(URL))
        return self.http(request)

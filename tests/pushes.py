"""A push service for the tests: it takes messages over HTTP, as real ones do, and decrypts them
with the keys of the browsers that it plays."""

import base64
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from servers import free_port


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """The keys of a browser."""

    def __init__(self, service: "Service", name: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.endpoint = f"{service.url}/{name}"
        service.browsers[f"/{name}"] = self

    def described(self, language: str = "en") -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "endpoint": self.endpoint, "key": text(point), "auth": text(self.auth),
            "language": language,
        }  # fmt: skip

    def read(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth))


@dataclass
class Service:
    url: str
    browsers: dict[str, Browser] = field(default_factory=dict)
    came: list[tuple[str, Any, dict[str, str]]] = field(default_factory=list)
    answers: dict[str, list[int]] = field(default_factory=dict)  # by path; 201 if there is none
    moved: dict[str, str] = field(default_factory=dict)  # by path, where a redirect leads
    slow: float = 0.0  # seconds until it answers

    def messages(self, browser: Browser) -> list[Any]:
        path = browser.endpoint.removeprefix(self.url)
        return [said for where, said, _ in self.came if where == path]


@contextmanager
def push_service() -> Iterator[Service]:
    port = free_port()
    service = Service(f"http://127.0.0.1:{port}")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            said = service.browsers[self.path].read(body)
            service.came.append((self.path, said, {k.lower(): v for k, v in self.headers.items()}))
            time.sleep(service.slow)
            answers = service.answers.get(self.path)
            self.send_response(answers.pop(0) if answers else 201)
            if there := service.moved.get(self.path):
                self.send_header("location", there)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()

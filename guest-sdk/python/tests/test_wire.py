"""The errors of requests that have no response."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis import _wire, http  # noqa: E402
from portcullis._http_failures import FAILURES  # noqa: E402


class Wire(unittest.TestCase):
    def test_every_code_is_an_exception_with_its_words(self) -> None:
        for name, (kind, words) in FAILURES.items():
            failure = _wire.failure("GET http://a", type(f"ErrorCode_{name}", (), {})())
            self.assertIs(type(failure), _wire.KINDS[kind])
            self.assertTrue(str(failure).endswith(words.replace("{}", "GET http://a")), failure)

    def test_what_the_host_does_not_say_is_its_failure(self) -> None:
        failure = _wire.failure("GET http://a", None)
        self.assertIs(type(failure), http.HttpError)
        self.assertEqual(str(failure), "the request GET http://a failed: the host failed")

    def test_no_url_is_in_an_error(self) -> None:
        for url in ("hooks.example/secret", "ftp://secret@a", "http://secret\u2100@a", "http:///secret"):
            with self.assertRaisesRegex(ValueError, "is no URL") as raised:
                _wire._url(url)
            self.assertNotIn("secret", str(raised.exception))


if __name__ == "__main__":
    unittest.main()

"""The replacements of functions that Python takes from OpenSSL."""

import hashlib
import unittest

from portcullis import _hashes


class Hashes(unittest.TestCase):
    def test_keys_are_those_of_openssl(self) -> None:
        for name, password, salt, iterations, length in (
            ("sha256", b"password", b"salt", 1, None),
            ("sha1", b"password", b"salt", 2, 20),
            ("sha512", b"p" * 200, bytearray(b"salt"), 10, 100),
            ("sha3_256", b"", b"", 3, 5),
        ):
            expected = hashlib.pbkdf2_hmac(name, password, salt, iterations, length)
            self.assertEqual(_hashes.pbkdf2_hmac(name, password, salt, iterations, length), expected)

    def test_what_is_no_key_is_the_error_of_openssl(self) -> None:
        for arguments in (("sha256", b"", b"", 0), ("sha256", b"", b"", 1, 0), ("sha257", b"", b"", 1)):
            for function in (hashlib.pbkdf2_hmac, _hashes.pbkdf2_hmac):
                with self.assertRaises(ValueError):
                    function(*arguments)

    def test_a_number_is_no_key(self) -> None:
        for password, salt in ((8, b""), (b"", 8), ("text", b""), (b"", "text")):
            for function in (hashlib.pbkdf2_hmac, _hashes.pbkdf2_hmac):
                with self.assertRaises(TypeError):
                    function("sha256", password, salt, 1)

    def test_what_is_there_stays(self) -> None:
        own = hashlib.pbkdf2_hmac
        _hashes.install()
        self.assertIs(hashlib.pbkdf2_hmac, own)

    def test_scrypt_says_what_to_use(self) -> None:
        with self.assertRaisesRegex(NotImplementedError, "use `hashlib.pbkdf2_hmac`"):
            _hashes.scrypt(b"", salt=b"", n=2, r=1, p=1)

"""Finding personal data in text."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of personal data: its pattern, and a check of each match."""

    name: str
    pattern: re.Pattern[str]
    is_one: Callable[[str], bool] = lambda found: True


def luhn(found: str) -> bool:
    """Returns whether the digits have the length and the check digit of a card number."""
    digits = [int(digit) for digit in reversed(found) if digit.isdigit()]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[1::2]]
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def iban(found: str) -> bool:
    """Returns whether the length and the check digits of an IBAN are right."""
    plain = re.sub(r"\s", "", found).upper()
    turned = plain[4:] + plain[:4]
    number = "".join(str(int(letter, 36)) for letter in turned)
    return 15 <= len(plain) <= 34 and int(number) % 97 == 1


def phone(found: str) -> bool:
    """Returns whether there are as many digits as telephone numbers have."""
    return 8 <= sum(letter.isdigit() for letter in found) <= 15


# Compiled when the component is built. Later kinds do not find what an earlier kind replaced. All repetitions
# are bounded, since the text is untrusted.
KINDS = (
    Kind("email", re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}", re.ASCII)),
    Kind("iban", re.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b"), iban),
    Kind("card", re.compile(r"(?<![\w.-])[0-9](?:[ -]?[0-9]){12,18}(?![\w-])", re.ASCII), luhn),
    Kind("phone", re.compile(r"(?<![\w.])(?:\+|00)[0-9](?:[ ()/.-]{0,2}[0-9]){7,14}(?!\w)"), phone),
)


def redact(text: str, kinds: Iterable[str]) -> tuple[str, dict[str, int]]:
    """Returns the text with `[KIND]` in place of each match, and the number of matches of each kind."""
    found: dict[str, int] = {}
    for kind in KINDS:
        if kind.name not in kinds:
            continue

        def mark(match: re.Match[str], kind: Kind = kind) -> str:
            if not kind.is_one(match[0]):
                return match[0]
            found[kind.name] = found.get(kind.name, 0) + 1
            return f"[{kind.name}]"

        text = kind.pattern.sub(mark, text)
    return text, found

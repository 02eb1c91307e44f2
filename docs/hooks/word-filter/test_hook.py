from hook import WordFilter
from portcullis.testing import Answer, Host


def test_a_blocked_word_is_refused() -> None:
    host = Host(WordFilter, config={"blocked": ["frobnicate"]}, content="please frobnicate")
    assert host.call("pre-turn") == [
        Answer("reject", code="blocked-word", reason="The message was blocked.", details=None)
    ]


def test_other_words_pass() -> None:
    host = Host(WordFilter, config={"blocked": ["frobnicate"]}, content="please help")
    assert host.call("pre-turn") == []

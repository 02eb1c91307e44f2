"""The facts that the build reads from a hook's source."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import uses  # noqa: E402
import world  # noqa: E402

HOOK = "\n\n@hook(id='a', description='A.')\nclass A:\n    def pre_turn(self, context, call): ...\n"


def read(source: str, **others: str) -> uses.Uses:
    """Returns the uses of a hook with these modules."""
    with tempfile.TemporaryDirectory() as place:
        for name, text in {"hook": source, **others}.items():
            path = Path(place, *name.split("__")).with_suffix(".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return uses.read(Path(place, "hook.py"))


def methods(used: uses.Uses) -> list[str]:
    """Returns the names of the methods."""
    return [method.name for method in used.methods or ()]


class Requests(unittest.TestCase):
    def test_a_hook_that_names_http_sends_requests(self) -> None:
        for source in (
            "from portcullis import http",
            "import portcullis.http",
            "import portcullis\nportcullis.http.get('https://a.example')",
            "import urllib.request",
            "from urllib import request",
            "from urllib.request import urlopen",
            "def f():\n    from urllib.request import urlopen",
        ):
            self.assertTrue(read(source + HOOK).requests, source)
        for source in ("from portcullis import log", "import urllib.parse", "from urllib import parse", "import http"):
            self.assertFalse(read(source + HOOK).requests, source)

    def test_only_urllib_opens_urls(self) -> None:
        self.assertTrue(read("import urllib.request" + HOOK).opens)
        self.assertFalse(read("from portcullis import http" + HOOK).opens)

    def test_a_hook_that_names_sleep_has_timers(self) -> None:
        for source in ("import time\ntime.sleep(1)", "import time as t\nt.sleep(1)", "from time import sleep", "from time import *"):
            self.assertEqual(read(source + HOOK).runtime()[-2:], list(uses.TIMERS), source)
        self.assertEqual(read("import time\ntime.time()" + HOOK).runtime()[-1], uses.CLOCK)


class Coroutines(unittest.TestCase):
    def test_a_handler_that_is_awaited_waits_for_times(self) -> None:
        for source in (
            "from portcullis import hook" + HOOK.replace("def pre_turn", "async def pre_turn"),
            "import asyncio\nfrom portcullis import hook" + HOOK,
        ):
            used = read(source)
            self.assertTrue(used.waits and used.sleeps and used.needs_clock_and_random, source)
            self.assertIn("asyncio", [statement.module for statement in used.imports])
        self.assertFalse(read("from portcullis import hook" + HOOK).waits)


class Files(unittest.TestCase):
    def test_a_hook_that_names_what_opens_files_has_them(self) -> None:
        for source in (
            "open('a')",
            "from pathlib import Path\nPath('a').read_text()",
            "import os\nos.listdir('a')",
            "from os import scandir as s",
            "from os.path import *",
            "import os.path\nos.path.exists('a')",
            "import shutil\nshutil.rmtree('a')",
        ):
            used = read(source + HOOK)
            self.assertTrue(used.files, source)
            self.assertTrue(set(uses.FILES) <= set(used.runtime()), source)
        for source in (
            "import os\nos.path.join('a', 'b')",
            "from pathlib import PurePath\nPurePath('a').name",
            "def f(x): return x.copy()",
            "import urllib.request\nurllib.request.urlopen('https://a.example')",
        ):
            self.assertFalse(read(source + HOOK).files, source)


class Names(unittest.TestCase):
    def check(self, used: uses.Uses, *names: str) -> None:
        """Checks that the hook uses exactly these of all outcomes and modules."""
        known = ["reject", "transform", "ask", "add_note", *world.CAPABILITIES]
        self.assertEqual([name for name in known if used.has(name)], list(names))

    def test_imported_names(self) -> None:
        self.check(read("from portcullis import hook, reject, content as c"), "reject", "content")

    def test_a_module_under_its_own_name(self) -> None:
        self.check(read("import portcullis\nportcullis.ask('?')\nportcullis.log.info('')"), "ask", "log")

    def test_a_module_under_another_name(self) -> None:
        self.check(read("import portcullis as p\nx = p.transform"), "transform")

    def test_a_module_of_the_package(self) -> None:
        self.check(read("import portcullis.state"), "state")
        self.check(read("import portcullis.state as s\nprint(s)"), "state")
        self.check(read("from portcullis.tool_data import arguments"), "tool_data")

    def test_the_module_of_outcomes(self) -> None:
        self.check(read("from portcullis.outcomes import reject"), "reject")
        self.check(read("from portcullis import outcomes\noutcomes.ask('?')"), "ask")
        self.check(read("import portcullis.outcomes as o\no.ask('?')"), "ask")
        self.check(read("import portcullis.outcomes\nportcullis.outcomes.ask('?')"), "ask")

    def test_a_star_and_a_module_that_is_passed_on_are_everything(self) -> None:
        for source in (
            "from portcullis import *",
            "from portcullis.outcomes import *",
            "import portcullis\ngetattr(portcullis, 'reject')",
            "from portcullis import outcomes\nprint(vars(outcomes))",
            "import portcullis.outcomes\nprint(portcullis.outcomes)",
        ):
            self.assertTrue(read(source).has("reject"), source)

    def test_modules_beside_the_hook_that_it_imports(self) -> None:
        source = "from helper import refuse\nfrom parts import one\nimport parts.three"
        used = read(
            source,
            helper="from portcullis import reject",
            parts____init__="",
            parts__one="from .two import x",
            parts__two="from portcullis import ask",
            parts__three="from portcullis import content",
            unused="from portcullis import transform",
        )
        self.check(used, "reject", "ask", "content")

    def test_an_import_within_a_function(self) -> None:
        self.check(read("def f():\n    from portcullis import add_note"), "add_note")

    def test_a_module_of_another_package_is_not_followed(self) -> None:
        self.check(read("import json\nimport portcullis_like\nfrom json import reject"))

    def test_what_cannot_be_read_is_named(self) -> None:
        with self.assertRaisesRegex(uses.SourceError, r"hook\.py:1"):
            read("def")


class Methods(unittest.TestCase):
    def test_the_class_under_the_decorator(self) -> None:
        for start in (
            "from portcullis import hook",
            "from portcullis import *",
            "from portcullis import hook as hook",
        ):
            self.assertEqual(methods(read(start + HOOK)), ["pre_turn"], start)
        source = "import portcullis as p" + HOOK.replace("@hook", "@p.hook")
        self.assertEqual(methods(read(source)), ["pre_turn"])
        source = "from portcullis import hook as h" + HOOK.replace("@hook", "@h")
        self.assertEqual(methods(read(source)), ["pre_turn"])

    def test_helpers_and_other_classes_are_none(self) -> None:
        source = "from portcullis import hook" + HOOK + (
            "    def _help(self): ...\n    post_turn = pre_turn\n    _x = 1\n\n"
            "class B:\n    def pre_step(self): ...\n"
        )
        self.assertEqual(methods(read(source)), ["pre_turn", "post_turn"])

    def test_a_hook_in_another_module(self) -> None:
        used = read("import inner", inner="from portcullis import hook" + HOOK)
        self.assertEqual(methods(used), ["pre_turn"])

    def test_what_a_method_returns_has_its_line(self) -> None:
        start = "import portcullis as p\nfrom portcullis import hook, ask, proceed, reject as no, outcomes, contribute, add_note\n"
        for body, expected in {
            "return no('a', 'b')": ["reject"],
            "return ask('?') if call else p.stop('a', 'b')": ["ask", "stop"],
            "if call:\n            return outcomes.ask('?')": ["ask"],
            "return contribute(add_note('a'))": ["contribute", "add_note"],
            "ask('?')": [],
            "def inner(): return ask('?')\n        return inner()": [],
            "return self.ask('?')": [],
            "ask = print\n        return ask('?')": [],
        }.items():
            used = read(start + HOOK.replace("...", f"\n        {body}"))
            [method] = used.methods or ()
            self.assertEqual([returned.function for returned in method.returned], expected, body)
            self.assertRegex(method.place, r"hook\.py:7$")
            self.assertTrue(all(returned.place.endswith(("hook.py:8", "hook.py:9")) for returned in method.returned))
            self.assertRegex(used.place, r"hook\.py:6$")

    def test_a_name_that_may_be_something_else_is_no_outcome(self) -> None:
        start = "from portcullis import hook, ask\nimport portcullis as p\n"
        for other in (
            "try:\n    from portcullis import ask\nexcept ImportError:\n    def ask(words): ...\n",
            "def f():\n    async def ask(): ...\n",
            "class ask: ...\n",
            "import other as ask\n",
            "import ask\n",
            "from other import ask\n",
            "from .other import most as ask\n",
            "from portcullis import reject as ask\n",
            "from other import *\n",
            "try: ...\nexcept ValueError as ask: ...\n",
            "match x:\n    case [1, ask]: ...\n",
            "match x:\n    case [1, *ask]: ...\n",
            "match x:\n    case {1: 2, **ask}: ...\n",
            "def f(ask): ...\n",
            "for ask in (): ...\n",
        ):
            [method] = read(start + other + HOOK.replace("...", "return ask('?')")).methods or ()
            self.assertEqual(method.returned, (), other)
        for other in ("class p: ...\n", "import other as p\n", "import portcullis.log as p\n"):
            [method] = read(start + other + HOOK.replace("...", "return p.ask('?')")).methods or ()
            self.assertEqual(method.returned, (), other)
        # The same in two ways is one.
        for same in (
            "from portcullis.outcomes import ask\n",
            "import portcullis.log\nimport portcullis\n",
            "try: ...\nexcept ValueError: ...\nmatch x:\n    case _: ...\n",
        ):
            [method] = read(start + same + HOOK.replace("...", "return ask('?')")).methods or ()
            self.assertEqual([returned.function for returned in method.returned], ["ask"], same)

    def test_no_hook(self) -> None:
        self.assertIsNone(read("def hook(**x): return lambda y: y" + HOOK).methods)


class Runtime(unittest.TestCase):
    def test_what_computes_needs_nothing(self) -> None:
        source = "import json, re, helper\nfrom urllib.parse import urlsplit\nfrom portcullis import reject"
        self.assertEqual(read(source + HOOK, helper="import math").runtime(), [])

    def test_what_is_printed_needs_the_log_once(self) -> None:
        log = ["wasi:logging/logging@0.1.0-draft"]
        self.assertEqual(read("print(1)" + HOOK).runtime(), log)
        self.assertEqual(read("from portcullis import log\nprint(1)" + HOOK).runtime(), [])
        for source in ("from sys import stderr", "import sys as s", "from builtins import print as p"):
            self.assertEqual(read(source + HOOK).runtime(), log, source)

    def test_other_modules_need_clocks_and_random_numbers(self) -> None:
        for source in ("import time", "import datetime as d", "def f():\n    from uuid import uuid4", "import urllib.request"):
            self.assertEqual(read(source + HOOK).runtime()[1:], [*uses.RUNTIME, uses.CLOCK], source)

    def test_an_encoding_is_loaded_by_its_name(self) -> None:
        source = "a = b'x'.decode('Latin-1')\nb = 'shift_jis'\nc = 'no-such-encoding'\nd = 'not an encoding'"
        used = read(source + HOOK)
        self.assertEqual([each.module for each in used.imports], ["encodings.latin_1", "encodings.shift_jis"])
        self.assertEqual(used.runtime(), [])

    def test_what_waits_for_threads_has_timers_and_what_knows_zones_their_data(self) -> None:
        for source in ("import threading", "from queue import Queue"):
            self.assertTrue(read(source + HOOK).sleeps, source)
        self.assertTrue(read("from zoneinfo import ZoneInfo" + HOOK).zones)
        self.assertFalse(read("import datetime" + HOOK).zones)

    def test_imports_have_the_lines_of_those_that_must_be_there(self) -> None:
        source = (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\n"
            "try:\n    import b\nexcept ImportError:\n    import c\ndef f():\n    import d.e, f\n"
        )
        found = [
            ("typing", ("TYPE_CHECKING",), "hook.py:1"),
            ("b", (), None),
            ("c", (), "hook.py:7"),
            ("d.e", (), "hook.py:9"),
            ("f", (), "hook.py:9"),
        ]
        self.assertEqual(read(source + HOOK).imports, found)

    def test_imports_of_names_have_the_names(self) -> None:
        source = "def f():\n    from rules import check, limit as most\nfrom xml.etree import *"
        check = "from . import other\nfrom .other import one"
        found = [
            ("rules", ("check", "limit"), "hook.py:2"),
            ("xml.etree", ("*",), "hook.py:3"),
            ("rules", ("other",), "rules/check.py:1"),
            ("rules.other", ("one",), "rules/check.py:2"),
        ]
        self.assertEqual(read(source + HOOK, rules__check=check).imports, found)

    def test_a_module_for_types_alone_is_not_read(self) -> None:
        source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import helper"
        self.assertFalse(read(source + HOOK, helper="from portcullis import ask").has("ask"))

    def test_imports_under_a_condition_may_be_missing(self) -> None:
        for source in (
            "if sys.version_info >= (3, 11):\n    import a\nelse:\n    import b as a",
            "with suppress(ImportError):\n    import a\nwith contextlib.suppress(ImportError):\n    import b",
            "if __name__ == '__main__':\n    import a\n    if x:\n        import b",
            "match sys.platform:\n    case 'win32':\n        import a\n    case _:\n        import b",
            "try:\n    import a, b\nexcept* ImportError:\n    pass",
            "if not TYPE_CHECKING:\n    import a, b",
        ):
            self.assertEqual(read(source + HOOK).imports, [("a", (), None), ("b", (), None)], source)

    def test_imports_elsewhere_must_be_there(self) -> None:
        source = "if x:\n    import a\nwith lock:\n    import b\nimport a\nif x: pass\nimport c"
        found = [("a", None), ("b", "hook.py:4"), ("a", "hook.py:5"), ("c", "hook.py:7")]
        self.assertEqual([(module, place) for module, _, place in read(source + HOOK).imports], found)


if __name__ == "__main__":
    unittest.main()

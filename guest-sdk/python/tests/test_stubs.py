"""The modules that trap are in the same order, whatever order the tool chose."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import binary  # noqa: E402
import steady_system  # noqa: E402
import stubs  # noqa: E402
from binary import number, section, text, vector  # noqa: E402

#: The first bytes of a component.
COMPONENT = b"\0asm\x0d\0\x01\0"
#: The type of a function without parameters and results.
PLAIN = b"\x60\0\0"


def component(modules: list[list[str]], first: str) -> bytes:
    """Returns a component with modules whose functions have these names, their instances, and an alias of one function."""
    parts = [section(stubs.CORE_MODULE, stubs.Stub(tuple((name, PLAIN) for name in names)).module()) for names in modules]
    instances = vector(b"\0" + number(at) + b"\0" for at in range(len(modules)))
    holder = next(at for at, names in enumerate(modules) if first in names)
    alias = b"\0\0\1" + number(holder) + text(first)
    names = section(0, text(stubs.NAMES) + bytes(len(modules[0])))
    return COMPONENT + b"".join(parts) + section(stubs.CORE_INSTANCE, instances) + section(stubs.ALIAS, vector([alias])) + names


class Ordered(unittest.TestCase):
    def test_another_order_is_the_same_component(self) -> None:
        one = component([["b", "a"], ["c"], ["d"]], "c")
        other = component([["d"], ["a", "b"], ["c"]], "c")
        self.assertNotEqual(one, other)
        self.assertEqual(stubs.ordered(one), stubs.ordered(other))

    def test_an_alias_is_of_the_module_that_has_the_function(self) -> None:
        ordered = stubs.ordered(component([["d"], ["c"], ["a"]], "d"))
        modules = [content for kind, content in binary.sections(ordered) if kind == stubs.CORE_MODULE]
        [alias] = [content for kind, content in binary.sections(ordered) if kind == stubs.ALIAS]
        self.assertIn(text("d"), modules[2])
        self.assertEqual(alias, vector([b"\0\0\1" + number(2) + text("d")]))

    def test_the_library_that_the_build_calls_traps(self) -> None:
        library = steady_system.library(7, b"")
        [(_, module)] = binary.sections(stubs.ordered(COMPONENT + section(stubs.CORE_MODULE, library)))
        before, after = dict(binary.sections(library)), dict(binary.sections(module))
        self.assertEqual(after[stubs.CODE], vector([binary.sized(stubs.TRAP)] * len(steady_system.INSTEAD)))
        self.assertNotEqual(before[stubs.CODE], after.pop(stubs.CODE))
        self.assertEqual(after.items() - before.items(), set())

    def test_another_module_stays(self) -> None:
        library = steady_system.library(7, b"").replace(b"steady_wall", b"steady_door")
        component = COMPONENT + section(stubs.CORE_MODULE, library)
        self.assertEqual(stubs.ordered(component), component)


if __name__ == "__main__":
    unittest.main()

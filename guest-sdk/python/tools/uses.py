"""A hook's uses of the SDK, read from its source: nothing is run."""

import ast
import encodings
import importlib.util
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from encodings.aliases import aliases
from pathlib import Path
from typing import NamedTuple

#: The package of the SDK.
SDK = "portcullis"

#: Modules whose names are outcomes.
OUTCOMES = {SDK, f"{SDK}.outcomes"}

#: The name for everything that a module of the SDK has.
EVERYTHING = "*"

#: Modules of Python's library that compute and do nothing else. A hook with these alone needs no clock and no
#: random numbers, so that its component does not import them.
COMPUTING = {
    "__future__", "abc", "array", "ast", "base64", "binascii", "bisect", "builtins", "cmath", "codecs",
    "collections", "colorsys", "contextlib", "copy", "dataclasses", "decimal", "difflib", "encodings", "enum", "errno",
    "fnmatch", "fractions", "functools", "graphlib", "hashlib", "heapq", "hmac", "html", "ipaddress",
    "itertools", "json", "keyword", "math", "numbers", "operator", "pprint", "re", "reprlib", "shlex",
    "string", "struct", "sys", "textwrap", "tomllib", "types", "typing", "unicodedata", "urllib.parse",
    "weakref", "zlib",
}  # fmt: skip

#: The imports of hooks with other modules.
RUNTIME = (
    "wasi:clocks/wall-clock@0.2.0",
    "wasi:random/random@0.2.0",
)

#: The clock of hooks that wait for no time, and of those that do.
CLOCK = "wasi:clocks/monotonic-clock@0.2.0"
TIMERS = ("wasi:clocks/monotonic-clock@0.2.1", "wasi:io/poll@0.2.0")

#: The module of Python's library that sends requests.
OPENING = "urllib.request"

#: The module that runs coroutines.
ASYNCIO = "asyncio"

#: The modules that wait for another thread, which a hook does not have, until a timeout.
THREADS = {"threading", "queue"}

#: The module with time zones.
ZONES = "zoneinfo"

#: The imports of hooks that open files.
FILES = ("wasi:filesystem/types@0.2.0", "wasi:filesystem/preopens@0.2.0")

#: The modules whose functions and classes open files, and the names in them that do.
WITH_FILES = {"os", "os.path", "pathlib", "io", "codecs", "shutil", "glob", "tempfile"}
OPENING_FILES = {
    "open", "read_text", "read_bytes", "write_text", "write_bytes", "listdir", "scandir", "iterdir", "walk", "rglob", "glob",
    "iglob", "stat", "lstat", "exists", "is_file", "is_dir", "isfile", "isdir", "islink", "is_symlink", "getsize", "getmtime",
    "mkdir", "makedirs", "rmdir", "removedirs", "unlink", "remove", "rename", "renames", "touch", "rmtree", "copy", "copyfile",
    "copytree", "move", "access", "realpath", "resolve",
}  # fmt: skip

#: A text that may be the name of an encoding.
LIKE_ENCODING = re.compile("[A-Za-z][A-Za-z0-9_-]{1,20}")

#: The functions that write to the standard streams, and modules that may.
WRITING = {"builtins", "pprint", "print", "sys"}


class Import(NamedTuple):
    """A statement that imports a module, or names of it."""

    module: str
    #: The names in `from module import …`.
    names: tuple[str, ...]
    #: The place, such as `hook.py:3`. None under conditions and in `try`, where the import may fail.
    place: str | None


class Returned(NamedTuple):
    """An outcome that a method returns: the function of the SDK that makes it."""

    function: str
    #: The place, such as `src/hook.py:3`.
    place: str


class Method(NamedTuple):
    """A public method of the class under `@hook(…)`."""

    name: str
    #: The place, such as `src/hook.py:3`.
    place: str
    returned: tuple[Returned, ...] = ()


@dataclass
class Uses:
    """The names that a hook's modules use."""

    #: The names of `portcullis` that are used: outcomes, views, capabilities and others.
    names: set[str] = field(default_factory=set)
    #: Whether the class under `@hook(…)` names the type of its configuration.
    configured: bool = False
    #: The public methods of the class under `@hook(…)`, or None if there is no such class.
    methods: list[Method] | None = None
    #: The place of that class, such as `src/hook.py:3`.
    place: str = ""
    #: All imports, except those of the SDK.
    imports: list[Import] = field(default_factory=list)
    #: Whether the hook may ask for the time or for random numbers.
    needs_clock_and_random: bool = False
    #: Whether it may write to the standard streams.
    writes: bool = False
    #: Whether it may wait for a time.
    sleeps: bool = False
    #: Whether it uses `asyncio`.
    waits: bool = False
    #: Whether the hook opens files, or reads their metadata.
    files: bool = False

    def has(self, name: str) -> bool:
        """Returns whether a name of `portcullis` is used."""
        return name in self.names or EVERYTHING in self.names

    def runtime(self) -> list[str]:
        """Returns the component's imports for Python's own library."""
        log = ["wasi:logging/logging@0.1.0-draft"] if self.writes and not self.has("log") else []
        clock = TIMERS if self.sleeps else (CLOCK,)
        files = FILES if self.files else ()
        return [*log, *files, *((*RUNTIME, *clock) if self.needs_clock_and_random else ())]

    @property
    def opens(self) -> bool:
        """Whether the hook opens URLs as Python's library does."""
        return any(statement.module == OPENING for statement in self.imports)

    @property
    def zones(self) -> bool:
        """Whether the hook uses time zones."""
        return any(statement.module == ZONES for statement in self.imports)

    @property
    def requests(self) -> bool:
        """Whether the hook may send requests."""
        return self.opens or self.has("http")


class SourceError(Exception):
    """The error of a module that cannot be read."""


def read(entry: Path) -> Uses:
    """Returns the uses of the SDK by the module and by the modules beside it that it imports."""
    uses = Uses()
    waiting, known = [entry], {entry}
    while waiting:
        path = waiting.pop()
        try:
            tree = ast.parse(path.read_bytes(), str(path))
        except SyntaxError as error:
            raise SourceError(f"{path}:{error.lineno}: {error.msg}") from None
        package = path.relative_to(entry.parent).with_suffix("").parts[:-1]
        _Module(tree, path, path.relative_to(entry.parent)).into(uses)
        before = len(uses.imports)
        _Runtime(uses, path.relative_to(entry.parent), package).visit(tree)
        uses.files |= _has_files(tree)
        for imported in uses.imports[before:]:
            for found in _files(entry.parent, imported):
                if found not in known:
                    known.add(found)
                    waiting.append(found)
    # The event loop of `asyncio` waits for times.
    uses.waits = any(statement.module.partition(".")[0] == ASYNCIO for statement in uses.imports)
    uses.sleeps |= uses.waits or any(statement.module in THREADS for statement in uses.imports)
    own = {path.relative_to(entry.parent).parts[0].removesuffix(".py") for path in known}
    computing = COMPUTING | own | {SDK}
    for statement in uses.imports:
        if not {statement.module, statement.module.partition(".")[0]} & computing:
            uses.needs_clock_and_random = True
    uses.writes |= uses.needs_clock_and_random
    return uses


def _has_files(tree: ast.Module) -> bool:
    """Returns whether a module names the built-in `open`, or imports a module with files and names a function that opens them."""
    imported, named = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "open":
            return True
        if isinstance(node, ast.Attribute):
            named.add(node.attr)
        elif isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported.add(node.module)
            named |= OPENING_FILES if node.names[0].name == EVERYTHING else {name.name for name in node.names}
    return not (imported.isdisjoint(WITH_FILES) or named.isdisjoint(OPENING_FILES))


class _Runtime(ast.NodeVisitor):
    """Collects a module's uses of Python's runtime: modules, wherever it imports them, and streams."""

    def __init__(self, uses: Uses, path: Path, package: tuple[str, ...]) -> None:
        self.uses = uses
        self.path = path
        self.package = package
        #: Whether the hook may run without the imports here.
        self.optional = False

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            self._import(name.name, (), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = self.package[: len(self.package) - node.level + 1] if node.level else ()
        module = ".".join([*base, *filter(None, [node.module])])
        names = tuple(name.name for name in node.names)
        self._import(module, names, node)
        self.uses.sleeps |= module == "time" and not {"sleep", "*"}.isdisjoint(names)
        if module == "urllib" and "request" in names:
            self._import(OPENING, (), node)

    def visit_Try(self, node: ast.Try | ast.TryStar) -> None:
        with self._under(bool(node.handlers)):
            for statement in node.body:
                self.visit(statement)
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)

    visit_TryStar = visit_Try

    def visit_With(self, node: ast.With) -> None:
        with self._under(any("suppress" in ast.dump(item) for item in node.items)):
            self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        # Modules that are imported only for types do not exist when the hook runs.
        if isinstance(node.test, (ast.Name, ast.Attribute)) and "TYPE_CHECKING" in ast.dump(node.test):
            for statement in node.orelse:
                self.visit(statement)
        else:
            with self._under(True):
                self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        with self._under(True):
            self.generic_visit(node)

    @contextmanager
    def _under(self, condition: bool) -> Iterator[None]:
        """Marks everything that is visited within as under this condition."""
        before, self.optional = self.optional, self.optional or condition
        yield
        self.optional = before

    def visit_Name(self, node: ast.Name) -> None:
        self.uses.writes |= node.id in WRITING

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.uses.sleeps |= node.attr == "sleep"
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        # Python finds the module of an encoding by the name when the encoding is used.
        if isinstance(node.value, str) and (module := _encoding(node.value)):
            self.uses.imports.append(Import(module, (), None))

    def _import(self, module: str, names: tuple[str, ...], node: ast.stmt) -> None:
        if not module or module.partition(".")[0] == SDK:
            return
        self.uses.writes |= module in WRITING
        place = None if self.optional else f"{self.path}:{node.lineno}"
        self.uses.imports.append(Import(module, names, place))


def _encoding(name: str) -> str | None:
    """Returns the module of the encoding of this name, if there is one."""
    if not LIKE_ENCODING.fullmatch(name):
        return None
    name = encodings.normalize_encoding(name).lower()
    module = f"encodings.{aliases.get(name, name)}"
    return module if importlib.util.find_spec(module) else None


def _files(root: Path, imported: Import) -> Iterator[Path]:
    """Yields the files below `root` that are loaded by an import."""
    package = root
    for name in imported.module.split("."):
        package /= name
        yield from _module(package)
    for name in imported.names:
        yield from _module(package / name)


def _module(path: Path) -> list[Path]:
    """Returns the file of a module, if it has one."""
    return [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]


class _Module:
    """A module's names for the SDK, and its uses of the SDK."""

    def __init__(self, tree: ast.Module, file: Path, path: Path) -> None:
        self.tree = tree
        self.file = file
        #: The path of the file, relative to that of the hook.
        self.path = path
        self.used: set[str] = set()
        #: The names by which a module of the SDK with outcomes is imported.
        self.modules: set[str] = set()
        #: The names of the decorator.
        self.decorators: set[str] = set()
        #: The functions that make outcomes, by the names by which they are imported.
        self.functions: dict[str, str] = {}
        #: The origin of each imported name.
        self.imported: dict[str, str] = {}
        #: The names that the module also binds to something else.
        self.bound: set[str] = set()
        for node in ast.walk(tree):
            self._bind(node)
            if isinstance(node, ast.Import):
                self._import(node)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                self._import_from(node)
        self._attributes()

    def into(self, uses: Uses) -> None:
        """Adds the results to `uses`."""
        uses.names |= self.used
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef) and any(map(self._is_hook, node.decorator_list)):
                uses.methods = [*(uses.methods or ()), *self._methods(node)]
                uses.place = self._place(node)
                for line in _waiting(node):
                    uses.imports.append(Import(ASYNCIO, (), f"{self.path}:{line}"))
                uses.configured |= any(map(_is_configured, node.decorator_list))

    def _bind(self, node: ast.AST) -> None:
        """Records the names that a node binds."""
        match node:
            case ast.Import():
                for name in node.names:
                    package = name.name.partition(".")[0]
                    self._bind_import(name.asname or package, name.name if name.asname else package)
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                for name in node.names:
                    of = SDK if module in OUTCOMES else module
                    self._bind_import(name.asname or name.name, f"{of}.{name.name}")
            case ast.arg():
                self.bound.add(node.arg)
            case ast.Name(ctx=ast.Store() | ast.Del()):
                self.bound.add(node.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self.bound.add(node.name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self.bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                self.bound.add(name)

    def _bind_import(self, name: str, value: str) -> None:
        """Records the name that an import binds. A name that is imported from two places may be either."""
        is_other = self.imported.setdefault(name, value) != value
        # A star import may bind any name.
        if is_other or name == EVERYTHING and value.partition(".")[0] != SDK:
            self.bound.add(name)

    def _import(self, node: ast.Import) -> None:
        for name in node.names:
            package, _, module = name.name.partition(".")
            if package != SDK:
                continue
            self.used.add(module)
            # `import portcullis.log` binds `portcullis`, and with `as` the module.
            if name.asname is None or name.name in OUTCOMES:
                self.modules.add(name.asname or SDK)

    def _import_from(self, node: ast.ImportFrom) -> None:
        package, _, module = (node.module or "").partition(".")
        if package != SDK:
            return
        self.used.add(module)
        if node.module not in OUTCOMES:
            return
        for name in node.names:
            self.used.add(name.name)
            self.functions[name.asname or name.name] = name.name
            if name.name == "outcomes":
                self.modules.add(name.asname or name.name)
            if name.name in ("hook", EVERYTHING):
                self.decorators.add(name.asname or "hook")

    def _attributes(self) -> None:
        """Adds the attributes of the SDK's modules that are used. A module that is used in any other way
        may be used for all its names."""
        read: set[ast.AST] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id in self.modules:
                    read.add(node.value)
                    self.used.add(node.attr)
            if isinstance(node, ast.Attribute) and self._is_outcomes(node.value):
                read.add(node.value)
                self.used.add(node.attr)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id in self.modules and node not in read:
                self.used.add(EVERYTHING)
            # `portcullis.outcomes` on its own.
            if self._is_outcomes(node) and node not in read:
                self.used.add(EVERYTHING)

    def _is_outcomes(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "outcomes"
            and isinstance(node.value, ast.Name)
            and node.value.id in self.modules
        )

    def _methods(self, node: ast.ClassDef) -> Iterator[Method]:
        for member in node.body:
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names, returned = [member.name], tuple(self._returned(member))
            elif isinstance(member, ast.Assign):
                names, returned = [target.id for target in member.targets if isinstance(target, ast.Name)], ()
            else:
                continue
            place = self._place(member)
            yield from (Method(name, place, returned) for name in names if not name.startswith("_"))

    def _returned(self, method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Returned]:
        """Yields the outcomes that the method's own `return` statements make."""
        waiting: list[ast.AST] = [*method.body]
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, ast.Return) and node.value is not None:
                yield from self._made(node.value)
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                waiting.extend(ast.iter_child_nodes(node))

    def _made(self, value: ast.expr) -> Iterator[Returned]:
        if isinstance(value, ast.IfExp):
            yield from self._made(value.body)
            yield from self._made(value.orelse)
        elif isinstance(value, ast.Call) and (function := self._function(value.func)):
            yield Returned(function, self._place(value))
            if function == "contribute":
                for addition in value.args:
                    yield from self._made(addition)

    def _function(self, called: ast.expr) -> str | None:
        """Returns the name of a function of the SDK, if nothing else in the module has its name."""
        if EVERYTHING in self.bound:
            return None
        if isinstance(called, ast.Name) and called.id not in self.bound:
            return self.functions.get(called.id)
        if isinstance(called, ast.Attribute):
            of = called.value
            if self._is_outcomes(of) or isinstance(of, ast.Name) and of.id in self.modules - self.bound:
                return called.attr
        return None

    def _place(self, node: ast.stmt | ast.expr) -> str:
        return f"{self.file}:{node.lineno}"

    def _is_hook(self, decorator: ast.expr) -> bool:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Attribute):
            return called.attr == "hook" and (
                isinstance(called.value, ast.Name) and called.value.id in self.modules
            )
        return isinstance(called, ast.Name) and called.id in self.decorators


def _is_configured(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and any(
        keyword.arg == "config" for keyword in decorator.keywords
    )


def _waiting(node: ast.ClassDef) -> Iterable[int]:
    """Yields the lines of the handlers that are coroutines."""
    members = (member for member in node.body if isinstance(member, ast.AsyncFunctionDef))
    return (member.lineno for member in members if not member.name.startswith("_"))

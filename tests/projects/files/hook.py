import os
import shutil
from pathlib import Path

from portcullis import content, hook, reject
from portcullis.contract import Context, PreTurn, PreTurnOutcome


@hook(id="my-hook", description="Uses files.")
class MyHook:
    def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
        action, path, *more = content.text().split(" ")
        try:
            return reject("done", getattr(self, f"_{action}")(path, *more))
        except OSError as error:
            return reject("done", str(error))

    def _read(self, path: str) -> str:
        with open(path) as file:
            return file.read()

    def _bytes(self, path: str) -> str:
        return str(len(Path(path).read_bytes()))

    def _write(self, path: str, text: str) -> str:
        Path(path).write_text(text)
        with open(path, "a") as file:
            file.write("+")
        return Path(path).read_text()

    def _list(self, path: str) -> str:
        entries = [
            f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name
            for entry in os.scandir(path)
        ]
        assert os.listdir(path) == [entry.rstrip("/") for entry in entries]
        return " ".join(entries)

    def _tree(self, path: str) -> str:
        tree = Path(path, "a")
        (tree / "b").mkdir(parents=True)
        (tree / "b" / "c.txt").write_text("c")
        (tree / "b" / "c.txt").rename(tree / "d.txt")
        size = os.stat(tree / "d.txt").st_size
        shutil.rmtree(tree)
        return f"{size} {str(tree.exists()).lower()}"

    def _lines(self, path: str) -> str:
        with open(path, "w+", newline="\n") as file:
            file.write("one\ntwo\nthree\n")
            file.seek(4)
            return "|".join(line.strip() for line in file)

    def _real(self, path: str) -> str:
        try:
            return os.path.realpath(path)
        except NotImplementedError as error:
            return str(error)

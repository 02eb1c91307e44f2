"""The time zones of `zoneinfo`. Their data is in the package `tzdata`, which is read when the component is built."""

from __future__ import annotations

import io
from importlib import resources
from typing import IO, Any


def install() -> None:
    """Reads all zones, since a component has no files to read them from later."""
    import zoneinfo
    from zoneinfo import _common, _tzpath

    modules: list[Any] = [zoneinfo, _tzpath]
    data: Any = _common
    database = resources.files("tzdata")
    names = database.joinpath("zones").read_text(encoding="utf-8").split()
    zones = {name: database.joinpath("zoneinfo", *name.split("/")).read_bytes() for name in names}

    def load(key: str) -> IO[bytes]:
        if key not in zones:
            raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}")
        return io.BytesIO(zones[key])

    zoneinfo.reset_tzpath(())
    data.load_tzdata = load
    for module in modules:
        module.available_timezones = lambda: set(zones)

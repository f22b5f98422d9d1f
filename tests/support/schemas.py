"""As much of JSON Schema as our schemas use, written from its specification."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

KNOWN = {
    "type", "required", "additionalProperties", "properties", "items", "minItems", "maxItems",
    "minimum", "maximum", "pattern", "oneOf", "enum", "const", "$ref", "description",
    "$schema", "$id", "title", "$defs",
}  # fmt: skip
TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "null": type(None),
    "number": (int, float), "boolean": bool,
}  # fmt: skip


class Schema:
    """A schema in a file, and the definitions in it."""

    def __init__(self, path: Path) -> None:
        self.value = json.loads(path.read_text("utf-8"))
        self.definitions: dict[str, Any] = self.value["$defs"]

    def fits(self, value: Any, name: str | None = None) -> bool:
        """Whether a value fits the schema, or the definition of that name in it."""
        return self._fits(value, self.value if name is None else self.definitions[name])

    def _fits(self, value: Any, schema: dict[str, Any]) -> bool:
        assert set(schema) <= KNOWN
        if "$ref" in schema:
            return self.fits(value, schema["$ref"].removeprefix("#/$defs/"))
        if "oneOf" in schema and sum(self._fits(value, one) for one in schema["oneOf"]) != 1:
            return False
        allowed = [schema["const"]] if "const" in schema else schema.get("enum", [value])
        if all(value != one or isinstance(value, bool) != isinstance(one, bool) for one in allowed):
            return False
        if "type" in schema and not _is_one_of(value, schema["type"]):
            return False
        if isinstance(value, dict):
            properties, more = schema.get("properties", {}), schema.get("additionalProperties", {})
            return all(name in value for name in schema.get("required", ())) and all(
                self._fits(item, properties[name]) if name in properties else more is not False
                and self._fits(item, more)
                for name, item in value.items()
            )  # fmt: skip
        if isinstance(value, list):
            least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
            return least <= len(value) <= most and all(
                self._fits(item, schema.get("items", {})) for item in value
            )
        if isinstance(value, str):
            return re.search(schema.get("pattern", ""), value) is not None
        return (
            not isinstance(value, int | float)
            or isinstance(value, bool)
            or (schema.get("minimum", value) <= value <= schema.get("maximum", value))
        )


def _is_one_of(value: Any, types: str | list[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in types
    names = [types] if isinstance(types, str) else types
    return any(isinstance(value, TYPES[name]) for name in names)

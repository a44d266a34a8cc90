"""What both forms of a schema file come down to: one column of one table."""

from dataclasses import dataclass

from ruleferry.converters.column_types import ColumnType


@dataclass(frozen=True, slots=True)
class SchemaLine:
    """`table` has its written parts; `statement` numbers the definition that states it."""

    table: tuple[str, ...]
    column: str
    type: ColumnType
    nullable: bool | None
    place: str
    statement: int = 0

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(part.lower() for part in self.table)

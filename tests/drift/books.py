"""The dictionaries whose cells are changed, and what their columns say, as their headings tell."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from roles import (
    UNREADABLE,
    Beside,
    Codes,
    Either,
    Flag,
    Interval,
    Number,
    Reference,
    Role,
    Texts,
    Types,
)


@dataclass(frozen=True, eq=False)
class Book:
    """A public dictionary. `columns`: `Sheet!C` (of a CSV file `C`) -> what stands there.

    `name_column`: where a field's own name is; `table_column`: where its table is, if in a cell.
    `share`: of the cells of a column, how many may be changed at a time: without a profile what a
    column is about is told from what most of its cells say. `left_out`: places, with the reason.
    """

    file: str
    profile: str | None
    columns: Mapping[str, Role]
    name_column: str
    table_column: str = ""
    share: float = 1
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.file.partition('.')[0]}{' with a profile' if self.profile else ''}"


_OHDSI_TYPES = {"integer": "date", "float": "date", "date": "integer", "datetime": "integer"}
_OHDSI_DAYS = {
    "DATEADD(dd,1,GETDATE())": (
        ("DATEADD(dd,2,GETDATE())", "changed"),  # both bounds move with the clock
        (UNREADABLE, "gap_opened"),
    ),
}


def _ohdsi_range_beside(row: Mapping[str, str], new: str) -> Beside:
    """Bounds that are days are none of numbers, and the other way round."""
    bounds = {"carried": "gap_opened", "silent": "gap_opened"}
    return {letter: bounds for letter in ("AP", "AS") if letter in row} if new else {}


@dataclass(frozen=True, slots=True)
class _NamedAlike(Role):
    """A day and a limit that moves with the clock are two rules, told apart by endings of their
    names: once one is gone the other has the plain name.
    """

    other: str
    role: Role

    def ways(self, cell):
        texts = (cell.text, cell.row.get(self.other, ""))
        two = all(texts) and any(text.startswith("DATEADD") for text in texts)
        for way in self.role.ways(cell):
            named = two and way.change in ("removed", "gap_opened")
            yield replace(way, beside={self.other: {"carried": "name_changed"}}) if named else way


OHDSI = Book(
    "01_ohdsi_dqd_field_level.csv",
    "01_ohdsi.toml",
    {
        "D": Flag("Yes", "No", again="L"),  # a key is never missing
        "G": Types(_OHDSI_TYPES, "", _ohdsi_range_beside),
        "L": Flag("Yes", "No", adds=False),  # another key of the table makes one key of both
        "R": Reference(
            "OTHER_PLACE", {"O": {"silent": "gap_opened"}, "S": {"silent": "gap_opened"}}
        ),
        "AP": _NamedAlike("AS", Number(least=True, floor=-5, partner="AS")),
        "AS": _NamedAlike(
            "AP", Either("DATEADD", Texts(_OHDSI_DAYS), Number(floor=-5, partner="AP"))
        ),
    },
    "C",
    "A",
)


def _asks_no_more(length: str):
    """A length of a number is asked about; one of a text is a rule, and one of a day is none."""
    return lambda row, new: {length: {"gap": "gap_closed"}}


APPROPRIATIONS = Book(
    "02_dataact_appropFields.csv",
    "02_appropriations.toml",
    {
        "D": Flag("TRUE", "FALSE"),
        "E": Types({"float": "date"}, "str", _asks_no_more("F")),
        "F": Number(),
    },
    "B",
)


# Lists of numbers, which are compared as texts once nothing says that the field is a number.
_NUMBERS = ("NYN", "VISITNUM")


def _length_beside(length: str, codes: str):
    """The length of a text is a rule, that of a number is asked about, that of a day is none."""

    def beside(row: Mapping[str, str], new: str) -> Beside:
        lists = {codes: {"carried": "changed"}} if row.get(codes) in _NUMBERS else {}
        if not new:
            return {length: {"gap": "gap_closed", "silent": "added"}, **lists}
        if new.casefold() == "date":
            return {length: {"gap": "gap_closed"}, **lists}
        return {length: {"silent": "gap_opened"}}

    return beside


_SAS_TYPES = {"Integer": "Date", "Date": "Integer", "Datetime": "Integer", "Float": "Date"}
MOCK_SPEC = Book(
    "07_cdisc_mock_spec.xlsx",
    "07_mock_spec.toml",
    {
        "Variables!F": Types(_SAS_TYPES, "", _length_beside("G", "O")),
        "Variables!G": Number(),
        "Variables!I": Flag("Y", "N"),
        "Variables!O": Texts({}),
    },
    "D",
    "A",
)

_P21_TYPES = {"integer": "date", "date": "integer", "datetime": "integer", "float": "date"}
P21 = Book(
    "07_cdisc_p21_mock_spec.xlsx",
    None,
    {
        "Variables!E": Types(_P21_TYPES, "", _length_beside("F", "J")),
        "Variables!F": Number(),
        "Variables!I": Flag("Yes", "No"),
        "Variables!J": Texts({}),
    },
    "C",
    "B",
    share=0.1,
)

_OED_TYPES = {
    "tinyint": "smalldatetime", "float": "smalldatetime", "int": "smalldatetime",
    "smallint": "smalldatetime", "bigint": "smalldatetime", "smalldatetime": "int",
}  # fmt: skip


def _range_beside(letter: str):
    """A range of numbers is none of days."""
    return lambda row, new: {letter: {"carried": "gap_opened"}} if "date" in new else {}


class _OedTypes(Types):
    """`varchar(20)` is a length."""

    def carried(self, cell):
        yield from Types.carried(self, cell)
        if "(" in cell.text:
            yield from Number(unreadable=False).carried(cell)


OED = Book(
    "08_oasis_oed_input_fields.csv",
    "08_oed_csv.toml",
    {
        "D": Flag("R", "O", closes=("CR",)),
        "E": _OedTypes(_OED_TYPES, "", _range_beside("G")),
        "G": Interval(),
    },
    "B",
)

_MIXS_TYPES = {"{float}": "{boolean}", "{integer}": "{boolean}", "{boolean}": "{float}"}
MIXS = Book(
    "12_gsc_mixs_v6.xlsx",
    "12_mixs.toml",
    {
        "environmental_packages!F": Either("[", Codes("|", "|zebra", "]"), Types(_MIXS_TYPES)),
        "environmental_packages!H": Flag("M", "X", closes=("C",)),
    },
    "B",
    "A",
    left_out={"environmental_packages!H440": "struck through: no rule, whatever it says"},
)

_BFD_TYPES = {
    "BIGINT": "DATE", "SMALLINT": "DATE", "NUM": "DATE", "DATE": "BIGINT", "TIMESTAMP": "BIGINT",
}  # fmt: skip


class _BfdTypes(Types):
    """Length and scale are about texts and numbers. A scale asks for a type where there is none."""

    def ways(self, cell):
        number = cell.row.get("C", "").isdigit()
        for way in Types.ways(self, cell):
            if not way.text:
                beside = {"C": {"gap": "gap_closed", "silent": "added"}} if number else {}
                way = replace(way, beside=beside)
                if cell.row.get("D", "").isdigit():
                    way = replace(way, change="gap_opened", partner="D")
            elif way.text == "DATE" and number:
                way = replace(way, beside={"C": {"gap": "gap_closed"}})
            yield way


_BFD_SHEETS = (
    "Beneficiary", "Beneficiary History", "Medicare Beneficiary Id", "PDE", "Carrier", "Inpatient",
    "Outpatient", "HHA", "DME", "Hospice", "SNF",
)  # fmt: skip
BFD = Book(
    "14_cms_bfd_rif_layout.xlsx",
    None,
    {
        f"{sheet}!{letter}": role
        for sheet in _BFD_SHEETS
        for letter, role in (
            ("B", _BfdTypes(_BFD_TYPES)),
            # Of sixteen lengths one that is a phrase casts doubt on the whole column.
            ("C", Number(unreadable=sheet != "Medicare Beneficiary Id")),
            ("E", Flag("FALSE", "TRUE")),  # the heading is "Optional?"
        )
    },
    "A",
    share=0.05,
)

_CICA = "Data Dictionary"
CICA = Book(
    "16_uk_cica_data_dictionary.xlsx",
    "16_cica.toml",
    {
        f"{_CICA}!F": Flag("Required", "Optional", closes=("Required/Optional",)),
        f"{_CICA}!I": Number(least=True, partner="J", counts=1),
        f"{_CICA}!J": Number(partner="I", counts=1),
    },
    "B",
    left_out={f"{_CICA}!F40": "another cell of the row says when, so that it would be a question"},
)

RADX = Book(
    "30_redcap_radx_up.csv",
    "30_redcap.toml",
    {
        "F": Codes("|", " | 777, Zebra"),
        "H": Types({"number": "integer"}),
        "I": Number(least=True, floor=0, partner="J"),
        "J": Number(partner="I"),
    },
    "A",
)

_SAGE_RULES = {
    "inRange 50 100 error": (
        ("inRange 40 100 error", "loosened"),
        ("inRange 60 100 error", "tightened"),
        ("inRange 50 90 error", "tightened"),
    ),
    "inRange 50 100": (("inRange 50 101", "loosened"), ("inRange 51 99", "tightened")),
    "regex search [a-f]": (("regex search [a-g]", "changed"),),
    "regex match [a-f]": (("regex match [a-g]", "changed"),),
    "num error": (("date error", "changed"), (UNREADABLE, "gap_opened")),
    "float error": (("date error", "changed"), (UNREADABLE, "gap_opened")),
    "int error": (("date error", "changed"), (UNREADABLE, "gap_opened")),
    "date": (("int", "changed"), (UNREADABLE, "gap_opened")),
    "unique error": ((UNREADABLE, "gap_opened"),),
}
SAGE = Book(
    "31_sage_schematic_model.csv",
    "31_sage.toml",
    {
        "C": Codes(",", ", Zebra"),
        "F": Flag("TRUE", "FALSE"),
        "J": Texts(_SAGE_RULES),
    },
    "A",
)

_LAND_TYPES = {"datetime": "integer", "integer": "datetime", "decimal": "datetime"}
DIGITAL_LAND = Book(
    "38_digital_land_field.csv",
    "38_digital_land.toml",
    {"C": Types(_LAND_TYPES, none="text")},
    "G",
)

BOOKS = (
    OHDSI, APPROPRIATIONS, MOCK_SPEC, P21, OED, MIXS, BFD, CICA, RADX, SAGE, DIGITAL_LAND,
)  # fmt: skip

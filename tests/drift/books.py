"""The dictionaries whose cells are changed, and what their columns say, as their headings tell."""

from collections.abc import Mapping
from dataclasses import dataclass

from roles import UNREADABLE, Codes, Flag, Interval, Number, Role, Texts, Types


@dataclass(frozen=True, slots=True)
class Book:
    """A public dictionary. `columns`: `Sheet!C` (of a CSV file `C`) -> what stands there.

    `name_column`: where a field's own name is.
    """

    file: str
    profile: str | None
    columns: Mapping[str, Role]
    name_column: str

    @property
    def id(self) -> str:
        return f"{self.file.partition('.')[0]}{' with a profile' if self.profile else ''}"


_OHDSI_TYPES = {"integer": "date", "float": "date", "date": "integer", "datetime": "integer"}
OHDSI = Book(
    "01_ohdsi_dqd_field_level.csv",
    "01_ohdsi.toml",
    {
        "D": Flag("Yes", "No"),
        "G": Types(_OHDSI_TYPES),
        "L": Flag("Yes", "No"),
        "R": Texts({}),
        "AP": Number(least=True, floor=-5),
        "AS": Number(floor=-5),
    },
    "C",
)

APPROPRIATIONS = Book(
    "02_dataact_appropFields.csv",
    "02_appropriations.toml",
    {"D": Flag("TRUE", "FALSE"), "E": Types({"float": "date"}, none="str"), "F": Number()},
    "B",
)

_SAS_TYPES = {"Integer": "Date", "Date": "Integer", "Datetime": "Integer", "Float": "Date"}
MOCK_SPEC = Book(
    "07_cdisc_mock_spec.xlsx",
    "07_mock_spec.toml",
    {
        "Variables!F": Types(_SAS_TYPES),
        "Variables!G": Number(),
        "Variables!I": Flag("Y", "N"),
        "Variables!O": Texts({}),
    },
    "D",
)

_P21_TYPES = {"integer": "date", "date": "integer", "datetime": "integer", "float": "date"}
P21 = Book(
    "07_cdisc_p21_mock_spec.xlsx",
    None,
    {
        "Variables!E": Types(_P21_TYPES),
        "Variables!F": Number(),
        "Variables!I": Flag("Yes", "No"),
        "Variables!J": Texts({}),
    },
    "C",
)

_OED_TYPES = {
    "tinyint": "smalldatetime", "float": "smalldatetime", "int": "smalldatetime",
    "smallint": "smalldatetime", "bigint": "smalldatetime", "smalldatetime": "int",
}  # fmt: skip


class _OedTypes(Types):
    """`varchar(20)` is a length."""

    def carried(self, text):
        yield from Types.carried(self, text)
        if "(" in text:
            yield from Number(unreadable=False).carried(text)


OED = Book(
    "08_oasis_oed_input_fields.csv",
    "08_oed_csv.toml",
    {"D": Flag("R", "O", closes=("CR",)), "E": _OedTypes(_OED_TYPES), "G": Interval()},
    "B",
)

MIXS = Book(
    "12_gsc_mixs_v6.xlsx",
    "12_mixs.toml",
    {
        "environmental_packages!F": Codes("|", "|zebra", "]"),
        "environmental_packages!H": Flag("M", "X", closes=("C",)),
    },
    "B",
)

_BFD_TYPES = {
    "BIGINT": "DATE", "SMALLINT": "DATE", "NUM": "DATE", "DATE": "BIGINT", "TIMESTAMP": "BIGINT",
}  # fmt: skip
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
            ("B", Types(_BFD_TYPES)),
            ("C", Number()),
            ("E", Flag("FALSE", "TRUE")),  # the heading is "Optional?"
        )
    },
    "A",
)

_CICA = "Data Dictionary"
CICA = Book(
    "16_uk_cica_data_dictionary.xlsx",
    "16_cica.toml",
    {
        f"{_CICA}!F": Flag("Required", "Optional", closes=("Required/Optional",)),
        f"{_CICA}!I": Number(least=True),
        f"{_CICA}!J": Number(),
    },
    "B",
)

RADX = Book(
    "30_redcap_radx_up.csv",
    "30_redcap.toml",
    {
        "F": Codes("|", " | 777, Zebra"),
        "H": Types({"integer": "email", "number": "email"}),
        "I": Number(least=True, floor=0),
        "J": Number(),
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

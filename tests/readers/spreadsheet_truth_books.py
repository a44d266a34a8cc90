"""Workbooks, most of them with a generic header."""

from decimal import Decimal

from spreadsheet_truth import (
    ANY,
    File,
    gaps,
    key,
    length,
    never,
    on,
    one_of,
    present,
    rule,
    typed,
    when,
)

from ruleferry.converters.predicates import Matches, Range, Typed
from ruleferry.converters.rule import Row

_SCHEMA = "Schema shipments"
SHIPMENTS = File(
    "03_odcs_shipments.xlsx",
    "03_shipments.toml",
    rules=(
        present(f"{_SCHEMA}!G15", "order_id", "shipments"),
        present(f"{_SCHEMA}!G21", "address", "shipments"),
        length(
            f"{_SCHEMA}!AC15",
            "order_id",
            8,
            None,
            "shipments",
            whole=(8, 10),
            also=(f"{_SCHEMA}!AD15",),
        ),
        length(
            f"{_SCHEMA}!AD15",
            "order_id",
            None,
            10,
            "shipments",
            whole=(8, 10),
            also=(f"{_SCHEMA}!AC15",),
        ),
        key(f"{_SCHEMA}!P14", "shipment_id", table="shipments"),
        typed(f"{_SCHEMA}!C16", "delivery_date", "date", "timestamp", table="shipments"),
    ),
    may=(
        present(f"{_SCHEMA}!P14", "shipment_id", "shipments"),
        *(
            present(f"{_SCHEMA}!G{row}", f"address.{name}", "shipments")
            for row, name in ((22, "street"), (23, "city"), (24, "country"))
        ),
    ),
    gaps=gaps("a braced name, and a field inside of another", ANY, f"{_SCHEMA}!L20"),
    not_rules=(
        *never("false", *on(_SCHEMA, "G14", "G16", "H14", "P15")),
        *never("examples, of which one looks like a list", *on(_SCHEMA, "E17", "E19", "E15")),
        *never("a text", *on(_SCHEMA, "C14", "C17")),
        *never("no type of a column", *on(_SCHEMA, "C20", "C21"), gap_ok=True),
        *never("labels and prose", *on(_SCHEMA, "B14", "F14")),
        *never("a position", *on(_SCHEMA, "S20"), gap_ok=True),
        *never("who may see it", *on(_SCHEMA, "I14"), gap_ok=True),
        *never("the table itself", *on(_SCHEMA, "A5", "B5", "B6", "B11")),
        *never("headings", *on(_SCHEMA, "Y12", "G13", "AC13")),
        *never("the contract, not the data", "SLA!B7", "Team!A5", "Pricing!B4", "Servers!C4"),
    ),
)

TEMPLATE = File(
    "03_odcs_template.xlsx",
    None,
    not_rules=(
        *never("a name to be filled in", "Schema <table_name>!B5"),
        *never("headings without a field", "Schema <table_name>!G13", "Quality!E4"),
        *never(
            "a menu for whoever fills in the sheet", "Quality!E5", *on("Relationships", "A5", "B5")
        ),
        *never("a menu for whoever fills in the sheet", "Schema <table_name>!G14"),
        *never("prose", "Instructions!A2"),
    ),
    without="silent",
    none=True,
)

_V = "Variables"
_MOCK = "ADAE"
MOCK_SPEC = File(
    "07_cdisc_mock_spec.xlsx",
    "07_mock_spec.toml",
    rules=(
        present(f"{_V}!I2", "STUDYID", _MOCK),
        length(f"{_V}!G2", "STUDYID", None, 9, _MOCK),
        present(f"{_V}!I3", "USUBJID", _MOCK),
        typed(f"{_V}!F6", "AGE", "integer", table=_MOCK),
        length(f"{_V}!G7", "SEX", None, 1, _MOCK),
        one_of(f"{_V}!O7", "SEX", "F", "M", "U", table=_MOCK),
        one_of(f"{_V}!O10", "FASFL", "Y", "N", table=_MOCK),
        one_of(
            f"{_V}!O8", "RACE", "BLACK OR AFRICAN AMERICAN", "AMERICAN INDIAN OR ALASKA NATIVE",
            "ASIAN", "NATIVE HAWAIIAN OR OTHER PACIFIC ISLANDER", "WHITE", table=_MOCK,
        ),
        one_of(f"{_V}!O69", "AESEV", "MILD", "MODERATE", "SEVERE", table=_MOCK),
        present(f"{_V}!I50", "AETERM", _MOCK),
        present(f"{_V}!I565", "TRTP", "ADTRT"),
        length(f"{_V}!G561", "ARM", None, 200, "ADTRT"),
    ),
    may=(
        one_of(f"{_V}!O74", "TRTEMFL", "Y", table=_MOCK),
        one_of(f"{_V}!O37", "ASTDTF", "1", "0", table=_MOCK),
        typed(f"{_V}!F45", "AESTDTC", "date", table=_MOCK),
    ),
    gaps=(
        *gaps("a format of a statistics program", ANY, *on(_V, "O33", "O34", "O35")),
        *gaps("a dictionary of somebody else", ANY, *on(_V, "O52", "O54")),
        *gaps("a list that the workbook does not have", ANY, *on(_V, "O71", "O95")),
        *gaps("a standard, and no format of it", ANY, *on(_V, "O45")),
    ),
    not_rules=(
        *never("a column that the profile leaves out", *on(_V, "L4", "L10", "L2"), gap_ok=True),
        *never("a number is stored in eight bytes", *on(_V, "G6", "G15"), gap_ok=True),
        *never("a place in an order", *on(_V, "H2", "K2"), gap_ok=True),
        *never("a text", *on(_V, "F2")),
        *never("labels and prose", *on(_V, "E2", "Q2"), gap_ok=True),
        *never("values of a list", "Controlled_Terms!C2", "Controlled_Terms!B2"),
        *never("no field", "Domains!C2", "Domains!H2", gap_ok=True),
        *never("how it is computed", "Computational_Method!B2", gap_ok=True),
    ),
)  # fmt: skip

P21 = File(
    "07_cdisc_p21_mock_spec.xlsx",
    None,
    rules=(
        present(f"{_V}!I2", "STUDYID", "AE"),
        length(f"{_V}!F2", "STUDYID", None, 12, "AE"),
        typed(f"{_V}!E5", "AESEQ", "integer", table="AE"),
        length(f"{_V}!F7", "AETERM", None, 200, "AE"),
        one_of(f"{_V}!J20", "AESEV", "MILD", "MODERATE", "SEVERE", table="AE"),
        one_of(f"{_V}!J21", "AESER", "N", "Y", table="AE"),
        one_of(f"{_V}!J50", "DTHFL", "Y", table="DM"),
        one_of(f"{_V}!J53", "AGEU", "YEARS", table="DM"),
        present(f"{_V}!I54", "SEX", "DM"),
        one_of(f"{_V}!J54", "SEX", "F", "M", "U", table="DM"),
        one_of(f"{_V}!J57", "ARMCD", "Scrnfail", "Pbo", "Xan_Lo", "Xan_Hi", table="DM"),
        present(f"{_V}!I90", "QORIG", "SUPPAE"),
        one_of(f"{_V}!J97", "QNAM", "COMPLT16", "COMPLT24", "COMPLT8", "EFFICACY", "ITT",
               "SAFETY", table="SUPPDM"),
    ),
    may=(
        key("Datasets!F3", "STUDYID", "USUBJID", table="DM"),
        one_of("ValueLevel!K2", "QVAL", "N", "Y", table="SUPPAE", scopes=when("QNAM", "TRTEMFL")),
        one_of("ValueLevel!K3", "QVAL", "Y", table="SUPPDM", scopes=when("QNAM", "COMPLT16")),
    ),
    gaps=(
        *gaps("a dictionary of somebody else", ANY, *on(_V, "J8", "J10", "J16")),
        *gaps("a format of a statistics program", ANY, *on(_V, "H74")),
        *gaps("only where a clause of another sheet holds", ANY, *on("ValueLevel", "K2", "K3")),
    ),
    not_rules=(
        *never("No", *on(_V, "I6", "I8", "I20")),
        *never("a number is stored in eight bytes", *on(_V, "F5", "F9", "F74"), gap_ok=True),
        *never("a text", *on(_V, "E2")),
        *never("labels, and where it comes from", *on(_V, "D2", "K2", "O2"), gap_ok=True),
        *never("how it is computed", *on(_V, "M4", "M5"), gap_ok=True),
        *never("values of a list", *on("Codelists", "D2", "F2", "H2", "E3")),
        *never("a length under a condition", *on("ValueLevel", "G2", "G3"), gap_ok=True),
        *never("No", *on("ValueLevel", "J2"), gap_ok=True),
        *never("parts of a condition", *on("WhereClauses", "D2", "E2"), gap_ok=True),
        *never("about the study", *on("Study", "B2", "B6"), gap_ok=True),
        *never("prose", "Methods!D2", "Comments!B2", "Dictionaries!D2", gap_ok=True),
    ),
    without="right",
)  # fmt: skip

_SURVEY = "survey"
_NUMBER = "^(([0-9]{1})*[- .(]*([0-9]{3})[- .)]*[0-9]{3}[- .]*[0-9]{4})+"
BIOMASS = File(
    "19_xlsform_ucl_biomass.xlsx",
    "19_biomass.toml",
    rules=(
        one_of(f"{_SURVEY}!A8", "leader_name", "Aloyce", "Andrea", "other"),
        present(f"{_SURVEY}!G8", "leader_name"),
        one_of(f"{_SURVEY}!A19", "plant_phase", *(str(year) for year in range(2022, 2029))),
        typed(f"{_SURVEY}!A21", "canopy_cover", "integer"),
        present(f"{_SURVEY}!G21", "canopy_cover"),
        one_of(f"{_SURVEY}!A24", "monumented", "yes", "no"),
        typed(f"{_SURVEY}!A25", "slope", "integer"),
        one_of(f"{_SURVEY}!A31", "any_trees", "yes", "no"),
        present(f"{_SURVEY}!G31", "any_trees"),
        one_of(f"{_SURVEY}!A55", "stumps_in_plot", "yes", "no"),
        one_of(f"{_SURVEY}!A71", "regen_in_subplot1", "yes", "no"),
        present(f"{_SURVEY}!G25", "slope"),
    ),
    may=(
        present(f"{_SURVEY}!G9", "leader_name_other", scopes=when("leader_name", "other")),
        present(f"{_SURVEY}!G36", "latin_name_other", scopes=when("latin_name_id", "other")),
        typed(f"{_SURVEY}!A38", "tree_distance", "number", "decimal"),
        one_of(f"{_SURVEY}!A47", "health_id", "alive", "dead"),
        one_of(f"{_SURVEY}!A48", "decay_class", *"12345"),
        present(f"{_SURVEY}!G49", "stem_height", scopes=when("health_id", "dead")),
        rule(
            f"{_SURVEY}!I10", ("pattern", "format"), "leader_number",
            *(Row(Matches("leader_number", (pattern,)))
              for pattern in (f"{_NUMBER}$", f"^(?:{_NUMBER}$)$")),
        ),
    ),
    gaps=(
        *gaps("a list that is another file", ANY, *on(_SURVEY, "A16", "A17", "A20", "A35")),
        *gaps("several of them may be chosen", ANY, *on(_SURVEY, "A88")),
        *gaps("a field of another table, which is computed", ANY, *on(_SURVEY, "I38", "I45")),
        *gaps("required while it is asked", ANY, *on(_SURVEY, "G9", "G36", "G49")),
    ),
    not_rules=(
        *never("when it is asked", *on(_SURVEY, "H9", "H32")),
        *never("when it is asked, in a repeat", *on(_SURVEY, "H46"), gap_ok=True),
        *never("no field", *on(_SURVEY, "A2", "A3", "A5", "A11"), gap_ok=True),
        *never("how it is computed", *on(_SURVEY, "N26", "N39"), gap_ok=True),
        *never("what the form shows", *on(_SURVEY, "L17", "P23", "O43"), gap_ok=True),
        *never("a message", *on(_SURVEY, "J10", "J38")),
        *never("labels", *on(_SURVEY, "C8", "D8")),
        *never("values of a list", *on("choices", "B2", "B7", "A14")),
        *never("about the form", "settings!A2", "settings!B2", gap_ok=True),
    ),
)  # fmt: skip

ICT = File(
    "19_xlsform_ict_survey.xls",
    "19_ict.toml",
    rules=(one_of("survey!A2", "internet_teach", "yes", "no"),),
    not_rules=(
        *never("a label", "survey!C2"),
        *never("white space", "survey!F2"),
        *never("headings", "survey!F1", "survey!G1", "choices!A1"),
        *never("values of lists, of which most are not used", "choices!B2", "choices!B4"),
        *never("values of lists, of which most are not used", "choices!A12", "choices!C13"),
    ),
)

_AB = "Antibodies"
_WHOLE = (-2147483648, 2147483647)
_LARGEST = Decimal("3.4028235E38")  # of a float
HUBMAP = File(
    "21_hubmap_antibodies.xlsx",
    None,
    rules=(
        *(
            present(f"{_AB}!{letter}1", column, _AB)
            for letter, column in (
                ("A", "channel_id"), ("B", "hgnc_symbol"), ("C", "antibody_rrid"),
                ("D", "uniprot_accession_number"), ("K", "metadata_schema_id"),
            )
        ),
        rule(
            f"{_AB}!F2", ("type", "range"), "dilution_factor",
            Row(Typed("dilution_factor", "integer")), Row(Range("dilution_factor", *_WHOLE)),
            table=_AB, also=(f"{_AB}!F1",),
        ),
        rule(
            f"{_AB}!G2", ("type", "range"), "antibody_concentration_value",
            Row(Typed("antibody_concentration_value", "number")),
            Row(Typed("antibody_concentration_value", "decimal")),
            Row(Range("antibody_concentration_value", -_LARGEST, _LARGEST)),
            table=_AB, also=(f"{_AB}!G1",),
        ),
        rule(
            f"{_AB}!H2", "allowed", "antibody_concentration_unit",
            *(way for way, _ in one_of("", "antibody_concentration_unit", "ug/ml").ways),
            table=_AB, also=(f"{_AB}!H1",),
        ),
    ),
    not_rules=(
        *never("a comment that requires nothing", *on(_AB, "E1", "I1"), gap_ok=True),
        *never("a value of the template", f"{_AB}!K2", gap_ok=True),
        *never("a value of the list", "antibody_concentration_unit!A1"),
        *never("a link", "antibody_concentration_unit!B1"),
        *never("about the template", ".metadata!A2", ".metadata!C2", gap_ok=True),
    ),
    without="right",
)  # fmt: skip

STTM = File(
    "25_sttm_pyspark_utils.xlsx",
    None,
    not_rules=(
        *never("a type of the source", "column_mapping!E2", gap_ok=True),
        *never("what is done with the value", "column_mapping!F2", gap_ok=True),
        *never("names", *on("column_mapping", "A2", "B2", "C2", "K2"), gap_ok=True),
        *never("headings", *on("column_mapping", "E1", "F1")),
    ),
    without="silent",
    none=True,
)

BOOKS = (SHIPMENTS, TEMPLATE, MOCK_SPEC, P21, BIOMASS, ICT, HUBMAP, STTM)

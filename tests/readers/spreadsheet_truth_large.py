"""The largest workbooks."""

from spreadsheet_truth import (
    ANY,
    File,
    between,
    gaps,
    length,
    never,
    on,
    one_of,
    present,
    typed,
)

_IN = "OED Input Fields"
_CR = "OED CR Field Appendix"
OED = File(
    "08_oasis_oed_spec.xlsx",
    "08_oed_book.toml",
    rules=(
        present(f"{_IN}!D2", "PortNumber", "Acc", also=(f"{_IN}!F2",)),
        present(f"{_IN}!D2", "PortNumber", "Loc", also=(f"{_IN}!F2",)),
        length(f"{_IN}!E2", "PortNumber", None, 20, "Acc"),
        length(f"{_IN}!E2", "PortNumber", None, 20, "Loc"),
        length(f"{_IN}!E8", "AccStatus", None, 1, "Acc"),
        typed(f"{_IN}!E19", "AccDedCode1Building", "integer", table="Acc"),
        between(f"{_IN}!H81", "LayerNumber", 1, None, "Acc"),
        between(f"{_IN}!H137", "StepNumber", 1, 10, "Acc"),
        between(f"{_IN}!H234", "Latitude", -90, 90, "Loc"),
        between(f"{_IN}!H235", "Longitude", -180, 180, "Loc"),
        between(f"{_IN}!H481", "OffshoreWaterDepth", None, 0, "Loc"),
        present(f"{_IN}!D414", "ReinsNumber", "ReinsInfo", also=(f"{_IN}!F414",)),
        present(f"{_IN}!D432", "InuringPriority", "ReinsInfo", also=(f"{_IN}!F432",)),
    ),
    may=(
        present(f"{_IN}!F2", "PortNumber", "Acc"),
        present(f"{_IN}!F2", "PortNumber", "Loc"),
        length(f"{_IN}!E8", "AccStatus", 1, 1, "Acc"),
    ),
    gaps=(
        *gaps("required, and blanks are allowed", {"contradiction"},
              *on(_IN, "D264", "D266", "D267", "D454")),
        *gaps("required under a condition", ANY, *on(_IN, "D18", "D20")),
        *gaps("required under a condition", ANY, *on(_CR, "D2", "D3")),
    ),
    not_rules=(
        *never("optional", *on(_IN, "D3", "F3", "D8")),
        *never("a default", *on(_IN, "G19", "G372"), gap_ok=True),
        *never("prose", *on(_IN, "C69", "C8")),
        *never("names of another system", *on(_IN, "J2"), gap_ok=True),
        *never("a hidden sheet, whose lengths are bytes", *on("OED DB Data Types", "G2", "D2")),
        *never("values of lists", "Other Values!B2", "Currency Values!B3", "Peril Values!A2"),
        *never("values of lists", "Occupancy Values!B3", "Occupancy Values!F3"),
        *never("changes", "Versioning!B2", "Versioning!D2", gap_ok=True),
        *never("abbreviations", "Notes!B3", "Notes!C3", gap_ok=True),
        *never("headings", *on(_IN, "D1", "F1")),
    ),
)  # fmt: skip

_ENV = "environmental_packages"
_BUILT = "built environment"
MIXS = File(
    "12_gsc_mixs_v6.xlsx",
    "12_mixs.toml",
    rules=(
        present(f"{_ENV}!H2", "samp_name", "air"),
        present(f"{_ENV}!H3", "project_name", "air"),
        present(f"{_ENV}!H4", "alt", "air"),
        present(f"{_ENV}!H31", "samp_name", _BUILT),
        present(f"{_ENV}!H32", "project_name", _BUILT),
        present(f"{_ENV}!H35", "rel_air_humidity", _BUILT),
        present(f"{_ENV}!H38", "air_temp", _BUILT),
        present(f"{_ENV}!H41", "build_occup_type", _BUILT),
        present(f"{_ENV}!H44", "carb_dioxide", _BUILT),
        present(f"{_ENV}!H45", "ventilation_type", _BUILT),
    ),
    may=(
        typed(f"{_ENV}!F40", "surf_moisture_ph", "number", "decimal", table=_BUILT),
        one_of(f"{_ENV}!F14", "oxy_stat_samp", "aerobic", "anaerobic", "other", table="air"),
    ),
    gaps=(
        *gaps("required under a condition", ANY, *on(_ENV, "H5", "H33", "H34")),
        *gaps("a number with a unit, or a term with its id", ANY, *on(_ENV, "F4", "F9", "F15")),
    ),
    not_rules=(
        *never("optional", *on(_ENV, "H6", "H7", "H12")),
        *never("struck through", *on(_ENV, "H440", "F440", "B440"), gap_ok=True),
        *never("examples", *on(_ENV, "G2", "G4", "G14")),
        *never("prose", *on(_ENV, "D2", "C2")),
        *never("what is expected, in words", *on(_ENV, "E4", "E9"), gap_ok=True),
        *never("how often: no rule of one value", *on(_ENV, "J2", "J16"), gap_ok=True),
        *never("an id", *on(_ENV, "K2"), gap_ok=True),
        *never("what each checklist requires", *on("MIxS", "H2", "I5", "N19"), gap_ok=True),
        *never("a range in words, of a sheet that is left out", "MIxS!D71", gap_ok=True),
        *never("prose", "README!A1", gap_ok=True),
    ),
    without="silent",
)


def _bfd(name, own_rules, numbers):
    """`own_rules`: of this revision alone, as the ids were texts in the one before."""
    hicn, sheets = "BENE_CRNT_HIC_NUM", ("Beneficiary", "Beneficiary History")
    return File(
        name,
        None,
        rules=(
            present("Beneficiary!E3", "DML_IND", sheets[0]),
            length("Beneficiary!C3", "DML_IND", None, 6, sheets[0]),
            *own_rules,
            present("Beneficiary!E4", "BENE_ID", sheets[0]),
            length("Beneficiary!C5", "STATE_CODE", None, 2, sheets[0]),
            typed("Beneficiary!B8", "BENE_BIRTH_DT", "date", table=sheets[0]),
            length("Beneficiary!C18", hicn, None, 64, sheets[0]),
            present("Beneficiary History!E8", "BENE_BIRTH_DT", sheets[1]),
            length("Medicare Beneficiary Id!C8", "MBI_NUM", None, 11, "Medicare Beneficiary Id"),
            typed("Medicare Beneficiary Id!B15", "CREAT_TS", "timestamp",
                  table="Medicare Beneficiary Id"),
            present("PDE!E3", "DML_IND", "PDE"),
            length("SNF!C8", "NCH_NEAR_LINE_REC_IDENT_CD", None, 1, "SNF"),
        ),
        gaps=gaps("a star that nothing explains", ANY, "PDE!C21", "PDE!C22", "SNF!C52",
                  "SNF!C53", "Carrier!C102"),
        not_rules=(
            *never("optional", "Beneficiary!E10", "Beneficiary History!E5"),
            *never("a number's length is none in characters", *numbers, gap_ok=True),
            *never("a date's length is none in characters", "Beneficiary!C8", "SNF!C10",
                   gap_ok=True),
            *never("no scale", "Beneficiary!D3", "PDE!D3"),
            *never("sample data", "Beneficiary!F3", "Beneficiary!F6", "PDE!F8"),
            *never("labels and other names", "Beneficiary!H3", "Beneficiary!I4", "PDE!G4"),
            *never("a label without a field", "Beneficiary!H17", gap_ok=True),
            *never("notes below the fields", "PDE!H45", "PDE!H46", "SNF!H235", "Carrier!H107",
                   gap_ok=True),
            *never("groups and headings", "Beneficiary!A1", "Carrier!F1", "PDE!E2"),
            *never("notes", "Intro!B2", gap_ok=True),
            *never("no field of the data", "Unmapped FHIR elements!E2", gap_ok=True),
        ),
    )  # fmt: skip


BFD = _bfd(
    "14_cms_bfd_rif_layout.xlsx",
    (
        typed("Beneficiary!B4", "BENE_ID", "integer", table="Beneficiary"),
        length("Carrier!C8", "NCH_NEAR_LINE_REC_IDENT_CD", None, 1, "Carrier"),
    ),
    ("Carrier!C5", "Beneficiary!C4"),
)
BFD_BEFORE = _bfd(
    "14_cms_bfd_rif_layout_prev.xlsx",
    (
        length("Beneficiary!C4", "BENE_ID", None, 15, "Beneficiary"),
        length("Carrier!C5", "BENE_ID", None, 15, "Carrier"),
        length("Carrier!C8", "FINAL_ACTION", None, 1, "Carrier"),
    ),
    ("PDE!C8",),
)

_DD = "Data Dictionary"


def _long(row, column, low, high):
    """The two lengths of a question, which are one rule or two."""
    least, most = f"{_DD}!I{row}", f"{_DD}!J{row}"
    return (
        length(least, column, low, None, whole=(low, high), also=(most,)),
        length(most, column, None, high, whole=(low, high), also=(least,)),
    )


CICA = File(
    "16_uk_cica_data_dictionary.xlsx",
    "16_cica.toml",
    rules=(
        present(f"{_DD}!F6", "q-applicant-british-citizen-or-eu-national"),
        present(f"{_DD}!F16", "q--whats-the-crime-reference-number"),
        *_long(16, "q--whats-the-crime-reference-number", 1, 30),
        present(f"{_DD}!F22", "q-applicant-explain-reason-for-delay-application"),
        *_long(22, "q-applicant-explain-reason-for-delay-application", 1, 500),
        *_long(36, "q-offender-enter-offenders-name", 1, 120),
        *_long(47, "q-applicant-title", 1, 6),
        *_long(58, "q-applicant-postcode", 1, 10),
        present(f"{_DD}!F59", "q-applicant-enter-your-telephone-number"),
        _long(40, "q-enter-your-previous-reference-number", 0, 50)[1],
    ),
    gaps=gaps("required or optional: nobody says when", ANY, *on(_DD, "F37", "F38")),
    not_rules=(
        *never("optional", *on(_DD, "F40", "F57", "F58")),
        *never("not applicable", *on(_DD, "F3", "I6", "J6"), gap_ok=True),
        *never("a page without a question", *on(_DD, "F10", "F11", "F60"), gap_ok=True),
        *never("what the page does", *on(_DD, "K3", "K4", "K6", "K54", "K61"), gap_ok=True),
        *never("buttons and choices under the heading Default value",
               *on(_DD, "G3", "G6", "G30"), gap_ok=True),
        *never("the title", f"{_DD}!A1"),
        *never("headings", *on(_DD, "F2", "J2")),
        *never("a list", "English police forces!B3", gap_ok=True),
        *never("what is measured of the pages, with menus for whoever fills them in",
               *on("Google Analytics", "A2", "A3", "A30", "A33", "B2", "B3"), gap_ok=True),
        *never("what the form shows", "CYA display rules!C3", gap_ok=True),
    ),
)  # fmt: skip

_MAP = "source_data_mapping"
GIVING = File(
    "39_360giving_prep_template.xlsx",
    "39_360giving.toml",
    rules=(
        present(f"{_MAP}!B6", "Title"),
        present(f"{_MAP}!B7", "Description"),
        present(f"{_MAP}!B8", "Amount Awarded"),
        present(f"{_MAP}!B9", "Award Date"),
    ),
    gaps=(
        *gaps("a recommendation", ANY, *on(_MAP, "B15", "B16", "B10")),
        *gaps("under a condition that no column holds", ANY, *on(_MAP, "B2", "B4")),
    ),
    not_rules=(
        *never("prose with a length in it", *on(_MAP, "A6", "A8"), gap_ok=True),
        *never("not for publishing", *on(_MAP, "B3", "B5"), gap_ok=True),
        *never("values of lists", "codelists!B3", "codelists!B18", gap_ok=True),
        *never("a menu of the template itself", "codelist_mapping!B3", gap_ok=True),
        *never("a menu that refers to nothing", "source_data!I348", gap_ok=True),
        *never("sample data", "source_data!G4", "360_data!D2", "geo_data!B2", gap_ok=True),
        *never("settings of the template", "tailored_settings!B15", gap_ok=True),
    ),
    without="silent",
)

LARGE = (OED, MIXS, BFD, BFD_BEFORE, CICA, GIVING)

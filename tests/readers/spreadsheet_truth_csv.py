"""Dictionaries that are CSV files."""

from datetime import date
from decimal import Decimal

from spreadsheet_truth import (
    ANY,
    File,
    between,
    gaps,
    key,
    length,
    matches,
    never,
    one_of,
    present,
    refers,
    rule,
    typed,
)

from ruleferry.converters.predicates import AgainstToday
from ruleferry.converters.rule import Row, Share


def _by_tomorrow(place, column, table):
    rows = [Row(AgainstToday(column, "<=", 1, now)) for now in (False, True)]
    shares = [Share(row, Decimal("0.99")) for row in rows]
    return rule(place, ("compare", "range", "share"), column, *rows, *shares, table=table)


OHDSI = File(
    "01_ohdsi_dqd_field_level.csv",
    "01_ohdsi.toml",
    rules=(
        present("D2", "care_site_id", "CARE_SITE"),
        typed("G2", "care_site_id", "integer", table="CARE_SITE"),
        key("L2", "care_site_id", table="CARE_SITE"),
        length("G3", "care_site_name", None, 255, "CARE_SITE"),
        length("G4", "care_site_source_value", None, 50, "CARE_SITE"),
        refers("O5", "location_id", "LOCATION", "LOCATION_ID", "CARE_SITE", also=("R5", "S5")),
        present("D10", "cdm_release_date", "CDM_SOURCE"),
        typed("G10", "cdm_release_date", "date", table="CDM_SOURCE"),
        between("AP60", "condition_occurrence_count", 1, None, "CONDITION_ERA"),
        between("AS326", "month_of_birth", None, 12, "PERSON", whole=(1, 12), also=("AP326",)),
        between("AP132", "dose_value", 0, None, "DOSE_ERA"),
        typed("G132", "dose_value", "number", "decimal", table="DOSE_ERA"),
    ),
    may=(
        present("L2", "care_site_id", "CARE_SITE"),
        between("AP326", "month_of_birth", 1, None, "PERSON"),
        between("AP10", "cdm_release_date", date(2000, 1, 1), None, "CDM_SOURCE"),
        _by_tomorrow("AS10", "cdm_release_date", "CDM_SOURCE"),
    ),
    gaps=gaps("a formula of the year now that is no limit as it stands", ANY, "AS333"),
    not_rules=(
        *never("No", "D3", "D4", "L3", "O2"),
        *never("prose about the field", "J3", "K2"),
        *never("a heading", "A1", "D1", "AP1"),
        *never("the share of missing values that is tolerated: all", "AD3", gap_ok=True),
        *never("the share of bad values that is tolerated", "E2", "AQ60", gap_ok=True),
        *never("which vocabulary a concept is of: it is in other tables", "T319", gap_ok=True),
        *never("which schema it lies in", "B2", gap_ok=True),
        *never("whether a check runs for a cohort", "BN59", gap_ok=True),
        *never("the field is compared with itself", "BE17", gap_ok=True),
    ),
)

APPROPRIATIONS = File(
    "02_dataact_appropFields.csv",
    "02_appropriations.toml",
    rules=(
        present("D2", "adjustmentstounobligatedbalancebroughtforward_cpe"),
        typed("E2", "adjustmentstounobligatedbalancebroughtforward_cpe", "number", "decimal"),
        present("D3", "agencyidentifier"),
        length("F3", "agencyidentifier", None, 3),
        length("F4", "allocationtransferagencyidentifier", None, 3),
        length("F5", "availabilitytypecode", None, 1),
        length("F6", "beginningperiodofavailability", None, 4),
        length("F15", "mainaccountcode", None, 4),
        present("D20", "subaccountcode"),
        length("F20", "subaccountcode", None, 3),
        typed("E21", "unobligatedbalance_cpe", "number", "decimal"),
    ),
    not_rules=(
        *never("optional", "D4", "D5", "D6"),
        *never("another name of the field", "A2", "C2", gap_ok=True),
        *never("a number has no length in characters", "F2", "F7", gap_ok=True),
        *never("str: every value is a text", "E3", "E4"),
        *never("padded when it is loaded: nothing that a value must hold", "G3", gap_ok=True),
        *never("a heading", "D1", "F1"),
    ),
)

OED_CSV = File(
    "08_oasis_oed_input_fields.csv",
    "08_oed_csv.toml",
    rules=(
        present("D2", "PortNumber", "Acc"),
        present("D2", "PortNumber", "Loc"),
        length("E2", "PortNumber", None, 20, "Acc"),
        length("E2", "PortNumber", None, 20, "Loc"),
        present("D11", "AccCurrency", "Acc"),
        length("E11", "AccCurrency", None, 3, "Acc"),
        typed("E19", "AccDedCode1Building", "integer", table="Acc"),
        typed("E21", "AccDed1Building", "number", "decimal", table="Acc"),
        between("G21", "AccDed1Building", 0, None, "Acc"),
        between("G82", "LayerParticipation", 0, 1, "Acc"),
        between("G137", "StepNumber", 1, 10, "Acc"),
        between("G234", "Latitude", -90, 90, "Loc"),
        between("G253", "NumberOfStoreys", -3, None, "Loc"),
        between("G480", "OffshoreWaterDepth", None, 0, "Loc"),
        present("D430", "PlacedPercent", "ReinsInfo"),
    ),
    may=(
        between("G557", "PVMounting", 0, None, "Loc"),
        between("G558", "PVMaterial", 0, None, "Loc"),
        length("E11", "AccCurrency", 3, 3, "Acc"),
    ),
    gaps=(
        *gaps("required under a condition", {"condition_elsewhere"}, "D18", "D20", "D21", "D137"),
        *gaps("an interval that is not closed and not open", ANY, "G557", "G558"),
    ),
    not_rules=(
        *never("optional", "D3", "D4", "D8"),
        *never("not a field of this line of business", "D512", "D543"),
        *never("a default", "F19", "F2", "F82"),
        *never("prose that names a date format", "C69", "C70"),
        *never("a heading", "D1", "G1"),
        *never("what other lines of business require", "H2", "J18", "I69", gap_ok=True),
    ),
)

REDCAP = File(
    "30_redcap_radx_up.csv",
    "30_redcap.toml",
    rules=(
        one_of("F3", "consent_given", "1", "0"),
        one_of("F15", "race_ethn_hispanic", "0", "1", "99"),
        one_of("F19", "bio_sex_birth_2", "1", "0", "3", "96", "99"),
        one_of("F23", "edu_years_of_school", *"01234567", "98", "99"),
        one_of("F47", "family_income", *"12345678", "99"),
        one_of("F100", "positiveyear_covidtest_3", *"1234", "99"),
        one_of("F148", "smoker_cur_stat_2", *"4321", "98", "99"),
        typed("H18", "age_yrs", "integer"),
        between("I18", "age_yrs", 0, None, whole=(0, 110), also=("J18",)),
        between("J18", "age_yrs", None, 110, whole=(0, 110), also=("I18",)),
        between("J77", "self_reported_weight_kgs", None, 635, whole=(0, 635), also=("I77",)),
        between("I149", "smoker_number", 1, None, whole=(1, 80), also=("J149",)),
        between("J149", "smoker_number", None, 80, whole=(1, 80), also=("I149",)),
    ),
    may=(
        between("I77", "self_reported_weight_kgs", 0, None),
        between("I4", "consentdt_mdy", date(1900, 1, 1), None),
        typed("H4", "consentdt_mdy", "date"),
        typed("H149", "smoker_number", "number", "decimal"),
    ),
    gaps=(
        *gaps("several of them may be ticked", ANY, "F11", "F12", "F16", "F43"),
        *gaps("a format that nobody spells out", ANY, "H9", "H158", "H161"),
    ),
    not_rules=(
        *never("when the question is asked", "L4", "L6", "L26"),
        *never("what the person is asked", "E4", "E8", "C3", "G4"),
        *never("no field: a text on the form", "D36", "D107", gap_ok=True),
        *never("notes of the publisher", "R4", "R9", "R43", gap_ok=True),
        *never("how the list is shown", "H157", gap_ok=True),
        *never("any text will do", "D8", gap_ok=True),
    ),
)

SAGE = File(
    "31_sage_schematic_model.csv",
    "31_sage.toml",
    rules=(
        present("F4", "Patient ID"),
        present("F5", "Sex"),
        one_of("C5", "Sex", "Female", "Male", "Other"),
        one_of("C7", "Diagnosis", "Healthy", "Cancer"),
        one_of("C9", "Cancer Type", "Breast", "Colorectal", "Lung", "Prostate", "Skin"),
        one_of("C13", "Tissue Status", "Healthy", "Malignant", "None"),
        one_of("C16", "File Format", "FASTQ", "BAM", "CRAM", "CSV/TSV"),
        one_of("C62", "Enum Not Required", "ab", "cd", "ef", "gh"),
        typed("J35", "Check Num", "number", "decimal"),
        typed("J37", "Check Int", "integer"),
        between("J49", "Check Range", 50, 100),
        between("J65", "InRange", 50, 100),
        key("J48", "Check Unique"),
    ),
    may=(
        matches("J32", "Check Regex Single", "[a-f]"),
        matches("J33", "Check Regex Format", "^[a-f]", "^(?:[a-f])", "^([a-f])", r"\A(?:[a-f])"),
        matches("J34", "Check Regex Integer", r"^\d+$"),
        matches("J66", "Regex", "[a-f]"),
        typed("J36", "Check Float", "number", "decimal"),
        typed("J50", "Check Date", "date", "timestamp"),
        typed("J63", "Date", "date", "timestamp"),
        typed("J53", "MockRDB_id", "integer"),
    ),
    gaps=(
        *gaps("a list of several values", ANY, "C10", "J10", "J72", "J29"),
        *gaps("it looks at another component", ANY, "J40", "J41", "J4"),
        *gaps("a recommendation", ANY, "J46"),
        *gaps("what counts as missing is not told", ANY, "J51"),
        *gaps("a check of ages that nothing spells out", ANY, "J47"),
    ),
    not_rules=(
        *never("not required", "F3", "F6", "F62"),
        *never("prose", "B22", "B56"),
        *never("which attributes belong together", "D3", "D8", "D22", gap_ok=True),
        *never("what kind of thing it is", "G4", "G8", "H11", gap_ok=True),
        *never("any text will do", "J38", "J59", gap_ok=True),
        *never("a heading", "F1", "C1"),
    ),
)

DIGITAL_LAND = File(
    "38_digital_land_field.csv",
    "38_digital_land.toml",
    rules=(
        typed("C2", "activation-date", "timestamp", "date"),
        typed("C3", "actual-date", "timestamp", "date"),
        typed("C10", "allocated-dwellings", "integer"),
        typed("C11", "allocated-housing", "integer"),
        typed("C12", "amount", "number", "decimal"),
        typed("C34", "broad-locations-housing", "integer"),
        typed("C40", "bytes", "integer"),
        typed("C58", "committed-dwellings", "integer"),
        typed("C59", "committed-housing", "integer"),
        typed("C82", "decision-date", "timestamp", "date"),
    ),
    gaps=gaps("a type that nothing explains", ANY, "C87", "C42", "C119", "C149", "C292"),
    not_rules=(
        *never("retired: it has an end date", "C17", "C147", "C202", "C291", gap_ok=True),
        *never("a date of the dictionary, not of the data", "E17", "F3", gap_ok=True),
        *never("a label", "J2", "J3"),
        *never("prose", "D3", "D10"),
        *never("a text", "C4", "C9"),
        *never("the field that it is derived from", "K2", "K10", gap_ok=True),
        *never("how many values it holds: no rule of one", "A2", gap_ok=True),
    ),
)

NIKE = File(
    "40_nike_product_rules.csv",
    None,
    gaps=(
        *gaps("a word in place of a condition", ANY, "F2", "F3", "F5"),
        *gaps("a word in place of a figure or a query", ANY, "F7", "F13"),
    ),
    not_rules=(
        *never("what is done with a bad record", "G2", "G4"),
        *never("when the rule runs", "J2", "L2", "M2", gap_ok=True),
        *never("when somebody is told", "N2", "N6", gap_ok=True),
        *never("switched off", "F10", gap_ok=True),
        *never("names", "A2", "B2", "D2", "E2", "H2", gap_ok=True),
    ),
    without="silent",
    none=True,
)

CONTENT_CATALYST = File(
    "41_content_catalyst_quality_rules.csv",
    "41_content_catalyst.toml",
    rules=(
        present("E2", "email"),
        typed("E4", "signup_date", "date"),
        between("E5", "lifetime_value", 0, None),
    ),
    gaps=(
        *gaps("a pattern that is not there", ANY, "E3"),
        *gaps("a list that is not there", ANY, "E6", "E9"),
        *gaps("texts are made alike before they are compared", ANY, "E7"),
        *gaps("in review, and of the records' age", ANY, "E8"),
    ),
    not_rules=(
        *never("how many records may be bad", "F2", "F3", gap_ok=True),
        *never("who is asked, and what it is called", "A2", "C2", "H2", gap_ok=True),
        *never("how bad it is", "G2", gap_ok=True),
        *never("approved", "I2"),
        *never("a heading", "E1", "F1"),
    ),
)

HL7 = File(
    "37_hl7_v2fhir_pid_patient.csv",
    None,
    not_rules=(
        *never("how often a segment's field may come", "E3", "E5", "F3", "F5", gap_ok=True),
        *never("a type of messages, not of columns", "D3", "D4", "L4", gap_ok=True),
        *never("when the mapping holds", "G11", "G17", "I31", gap_ok=True),
        *never("groups and headings", "A1", "G1", "A2", "E2"),
        *never("what the mapping writes", "Q8", "Q22", gap_ok=True),
        *never("notes", "S10", gap_ok=True),
    ),
    without="silent",
    none=True,
)

CSV = (
    OHDSI, APPROPRIATIONS, OED_CSV, REDCAP, SAGE, DIGITAL_LAND, NIKE, CONTENT_CATALYST, HL7,
)  # fmt: skip

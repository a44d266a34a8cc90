"""Rule lists: a rule is a row, in words or in a word of a tool."""

from spreadsheet_truth import (
    ANY,
    File,
    absent,
    between,
    gaps,
    length,
    matches,
    never,
    on,
    one_of,
    present,
    rule,
    total,
    when,
)

from ruleferry.converters.predicates import (
    Absent,
    Compare,
    CountPresent,
    Format,
    Present,
)
from ruleferry.converters.rule import Row

_FABS, _A, _B, _C = "fabs", "appropriations", "program_activity", "award_financial"


def _date(place, column):
    check = Row(Format(column, "%Y%m%d", exact=True))
    loose = Row(Format(column, "%Y%m%d"))
    return rule(place, ("format", "pattern", "type"), column, check, loose, table=_FABS)


_OFFICES = ("AwardingSubTierAgencyCode", "AwardingOfficeCode")
_START, _END = "PeriodOfPerformanceStartDate", "PeriodOfPerformanceCurrentEndDate"

DATA_ACT = File(
    "02_dataact_sqlRules.csv",
    "02_rules.toml",
    rules=(
        total(
            "B6", "OtherBudgetaryResourcesAmount_CPE", "ContractAuthorityAmountTotal_CPE",
            "BorrowingAuthorityAmountTotal_CPE",
            "SpendingAuthorityfromOffsettingCollectionsAmountTotal_CPE", table=_A,
        ),
        total(
            "B7", "StatusOfBudgetaryResourcesTotal_CPE", "ObligationsIncurredTotalByTAS_CPE",
            "UnobligatedBalance_CPE", table=_A,
        ),
        present("B113", "FAIN", _FABS, scopes=when("RecordType", "2", "3")),
        one_of("B119", "ActionType", *"ABCDE", table=_FABS),
        one_of("B127", "RecordType", *"123", table=_FABS),
        present("B128", "URI", _FABS, scopes=when("RecordType", "1")),
        present("B131", "LegalEntityAddressLine1", _FABS, scopes=when("RecordType", "2")),
        absent("B132", "LegalEntityAddressLine1", _FABS, scopes=when("RecordType", "1", "3")),
        absent("B134", "LegalEntityZIP5", _FABS, scopes=when("RecordType", "1")),
        one_of("B148", "CorrectionDeleteIndicator", "C", "D", table=_FABS),
        one_of("B161", "BusinessFundsIndicator", "REC", "NON", table=_FABS),
        absent("B191", "PrimaryPlaceOfPerformanceCode", _FABS, scopes=when("RecordType", "3")),
    ),
    may=(
        total(
            "B21", "StatusOfBudgetaryResourcesTotal_CPE", "TotalBudgetaryResources_CPE", table=_A
        ),
        rule(
            "B21", ("compare", "sum"), "StatusOfBudgetaryResourcesTotal_CPE",
            Row(Compare("StatusOfBudgetaryResourcesTotal_CPE", "=", "TotalBudgetaryResources_CPE",
                        "any_missing")), table=_A,
        ),
        one_of("B73", "PYA", "X", "B", "P", table=_B),
        one_of("B74", "PYA", "X", "B", "P", table=_C),
        absent("B114", "FAIN", _FABS, scopes=when("RecordType", "1")),
        _date("B123", "ActionDate"),
        _date("B169", _START),
        _date("B171", _END),
        one_of(
            "B126", "AssistanceType", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11",
            *(f"F{number:03}" for number in range(1, 11)), table=_FABS,
        ),
        between("B124", "ActionDate", 19991001, 20991231, _FABS),
        between("B124", "ActionDate", "19991001", "20991231", _FABS),
        rule(
            "B151", ("present", "predicate"), _OFFICES[0], Row(Present(_OFFICES[0])),
            scopes=(Absent(_OFFICES[1]),), table=_FABS,
        ),
        rule(
            "B151", ("present", "predicate"), _OFFICES, Row(CountPresent(_OFFICES)), table=_FABS
        ),
        length("B165", "AwardeeOrRecipientUEI", 12, 12, _FABS),
        rule(
            "B173", "compare", (_START, _END), Row(Compare(_END, ">=", _START, "any_missing")),
            table=_FABS,
        ),
        matches("B176", "LegalEntityZIPLast4", r"\A[0-9]{4}\Z", r"^[0-9]{4}$", table=_FABS),
        absent(
            "B215", "LegalEntityCongressionalDistrict", _FABS, scopes=when("RecordType", "1")
        ),
    ),
    gaps=(
        *gaps("a register of the Treasury", ANY, "B2", "B3"),
        *gaps("a figure of another authority", ANY, "B8", "B9", "B16"),
        *gaps("it looks at another file", ANY, "B23", "B55", "B17"),
        *gaps("unique in a thing that is no column", ANY, "B25"),
        *gaps("the fiscal year of now", ANY, "B125"),
        *gaps("a register of others", ANY, "B146", "B166"),
        *gaps("what a delete record is, is told nowhere", ANY, "B228", "B236"),
        *gaps("letters that do not repeat: the length alone is half of it", ANY, "B144"),
        *gaps("a recommendation", ANY, "B120", "B174"),
        *gaps("a second condition that no column holds", ANY, "B162", "B163"),
    ),
    not_rules=(
        *never("a label", "A2", "A119"),
        *never("the file that a rule is of", "D6", "D113", gap_ok=True),
        *never("how bad it is", "E6", "E17", gap_ok=True),
        *never("other words for the same", "H6", "H113", "H127", gap_ok=True),
        *never("what kind of rule", "I6", "C6", "J6", gap_ok=True),
        *never("the name of a query that is not here", "G6", gap_ok=True),
    ),
)  # fmt: skip

DATA_ACT_2016 = File(
    "02_dataact_rule_documentation_2016.xlsx",
    None,
    gaps=(
        *gaps("sums whose names no column has", ANY, *on("rule_documentation", "C4", "C5")),
        *gaps("it names no column", ANY, *on("rule_documentation", "C21", "C20")),
        *gaps("it looks at another file", ANY, *on("rule_documentation", "C46", "C47")),
        *gaps("a condition in words", ANY, *on("rule_documentation", "C50", "C51")),
    ),
    not_rules=(
        *never(
            "an id, under the heading Rule", *on("rule_documentation", "B4", "B21"), gap_ok=True
        ),
        *never(
            "a kind of rule, under the heading Type",
            *on("rule_documentation", "D4", "D16"),
            gap_ok=True,
        ),
        *never("not implemented", *on("rule_documentation", "F4", "F5"), gap_ok=True),
        *never("a note of the team", *on("rule_documentation", "G4", "G7"), gap_ok=True),
        *never("notes below the table", *on("rule_documentation", "A53", "A54"), gap_ok=True),
        *never("headings", *on("rule_documentation", "B1", "C1", "D1")),
    ),
    without="silent",
    none=True,
)

LISTS = (DATA_ACT, DATA_ACT_2016)

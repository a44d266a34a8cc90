"""The table that the phrases of these tests speak of."""

from ruleferry.converters.readers.spreadsheet.statement import Column, Setting

NAMES = (
    "amount", "low", "high", "total", "part_a", "part_b", "part_c", "status", "country", "kind",
    "RecordType", "FAIN", "URI", "PIID", "start_date", "end_date", "office", "sub_office", "email",
    "zip4", "CorrectionFlag", "FaceValue", "AssistanceType", "PYA", "code", "visit", "eventDate",
    "AgencyId", "MainAccount", "SubAccount", "UEI", "Street1", "ActionType", "Place-1", "ZIP+4",
)  # fmt: skip
LABELS = {
    "Body weight": "amount",
    "Number of births": "low",
    "Number of pregnancies": "high",
    "Reason for closing": "status",
    "Systolic pressure": "part_a",
    "Diastolic pressure": "part_b",
    "External referrals": "office",
}
_KNOWN = {n.casefold(): n for n in NAMES} | {n.casefold(): c for n, c in LABELS.items()}


def column_of(name):
    return _KNOWN.get(" ".join(name.casefold().split()))


SETTING = Setting(column_of=column_of, tables={"site": "Site", "patient": "Patient"})
AMOUNT = Column("orders", "amount")

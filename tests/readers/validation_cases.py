"""Data validations of the column `amount` (C), and what becomes of them."""

from datetime import date, datetime
from decimal import Decimal

from spreadsheet_books import book, sheet

from ruleferry.converters.predicates import AgainstToday, Compare, Length, Like, OneOf, Range, Typed
from ruleferry.converters.readers.spreadsheet.statement import CodeList
from ruleferry.converters.rule import Unique

NOON = datetime.fromisoformat("2020-01-01 12:00")
LISTS = sheet(
    "Lists",
    ("Colour", "Mixed", "Days", "Struck"),
    ("red", 1, date(2020, 1, 1), "a"),
    ("green", date(2024, 1, 9), date(2021, 1, 1), "b"),
    ("Blue ", "3-4", None, "c"),
    struck={(2, 3)},
    errors={(4, 0): "#N/A"},
)
HEADER = ("id", "colour", "amount", "start", "end")
FORM = sheet("Form", HEADER)
SETTINGS = sheet("Settings", (5, date(2020, 5, 1), "x", 43831))
NAMES = dict(enumerate(HEADER))
BOOK = book(
    FORM,
    LISTS,
    SETTINGS,
    names={
        "colours": "Lists!$A$2:$A$4",
        "wide": "Lists!$A$2:$A$3,Lists!$B$2",
        "least": "Settings!$A$1",
        "with_blank": "Lists!$C$2:$C$4",
    },
)


def listed(name):
    known = {"elsewhere": CodeList("elsewhere", ("x", "y"), "Codes!A2:A3"),
             "open": CodeList("open", ("x",), "Codes!A2", closed=False)}  # fmt: skip
    return known.get(name)


def number(low=None, high=None, **more):
    return [Typed("amount", "number"), Range("amount", low, high, **more)]


def whole(low=None, high=None, **more):
    return [Typed("amount", "integer"), Range("amount", low, high, **more)]


def day(low=None, high=None, **more):
    return [Typed("amount", "date"), Range("amount", low, high, **more)]


def only(*values):
    return [OneOf("amount", values)]


def beside(left, operator, right):
    return Compare(left, operator, right, ignore="any_missing")


CONVERTS = [
    ("list", ['"a,b"'], {}, only("a", "b")),
    ("list", ['" a , b ,,b"'], {}, only("a", "b")),
    ("list", ['"say ""yes"",no"'], {}, only('say "yes"', "no")),
    ("list", ['"Yes, of course",No'], {}, only("Yes, of course", "No")),
    ("list", ['No,"Yes, of course"'], {}, only("No", "Yes, of course")),
    ("list", ['"007,08"'], {}, only("007", "08")),
    ("list", ["Lists!$A$2:$A$4"], {}, only("red", "green", "Blue")),
    ("list", ["colours"], {}, only("red", "green", "Blue")),
    ("list", ["=colours"], {}, only("red", "green", "Blue")),
    ("list", ["Lists!$C$2:$C$3"], {}, only(date(2020, 1, 1), date(2021, 1, 1))),
    ("list", ["Settings!$A$1:$A$1"], {}, only("5")),
    ("list", ["elsewhere"], {}, only("x", "y")),
    ("list", ["Lists!A2:A4"], {"areas": "C2"}, only("red", "green", "Blue")),
    ("whole", ["1", "10"], {}, whole(1, 10)),
    ("whole", ["1", "10"], {"operator": ""}, whole(1, 10)),
    ("whole", ["0"], {"operator": "greaterThan"}, whole(0, low_open=True)),
    ("whole", ["0"], {"operator": "greaterThanOrEqual"}, whole(0)),
    ("whole", ["-5"], {"operator": "lessThan"}, whole(None, -5, high_open=True)),
    ("whole", ["0"], {"operator": "lessThanOrEqual"}, whole(None, 0)),
    ("whole", ["3"], {"operator": "equal"}, whole(3, 3)),
    (
        "whole",
        ["3"],
        {"operator": "notEqual"},
        [Typed("amount", "integer"), OneOf("amount", (3,), negated=True)],
    ),
    (
        "whole",
        ["-2147483648", "2147483647"],
        {"message": "Value should be a number"},
        whole(-2147483648, 2147483647),
    ),
    ("decimal", ["0.1", "99.95"], {}, number(Decimal("0.1"), Decimal("99.95"))),
    ("decimal", ["least", "Settings!$D$1"], {}, number(5, 43831)),
    (
        "decimal",
        ["$A$1"],
        {"operator": "greaterThan", "areas": "C2:C9", "page": "Settings"},
        number(5, low_open=True),
    ),
    (
        "decimal",
        ["A2"],
        {"operator": "greaterThan"},
        [Typed("amount", "number"), beside("amount", ">", "id")],
    ),
    (
        "decimal",
        ["A2"],
        {"operator": "lessThanOrEqual"},
        [Typed("amount", "number"), beside("id", ">=", "amount")],
    ),
    (
        "decimal",
        ["0", "$A2"],
        {},
        [Typed("amount", "number"), Range("amount", 0), beside("id", ">=", "amount")],
    ),
    ("date", ["43831", "47848"], {}, day(date(2020, 1, 1), date(2030, 12, 31))),
    (
        "date",
        ["42369"],
        {"operator": "greaterThan", "old": True},
        day(date(2020, 1, 1), low_open=True),
    ),
    (
        "date",
        ["DATE(2020,2,29)"],
        {"operator": "lessThan"},
        day(None, date(2020, 2, 29), high_open=True),
    ),
    ("date", ["43831.5"], {"operator": "lessThan"}, day(None, NOON, high_open=True)),
    (
        "date",
        ["Settings!$B$1"],
        {"operator": "lessThan"},
        day(None, date(2020, 5, 1), high_open=True),
    ),
    (
        "date",
        ["TODAY()"],
        {"operator": "lessThanOrEqual"},
        [Typed("amount", "date"), AgainstToday("amount", "<=")],
    ),
    (
        "date",
        ["43831", "TODAY()+30"],
        {},
        [
            Typed("amount", "date"),
            Range("amount", date(2020, 1, 1)),
            AgainstToday("amount", "<=", 30),
        ],
    ),
    (
        "date",
        ["NOW()-1"],
        {"operator": "greaterThan"},
        [Typed("amount", "date"), AgainstToday("amount", ">", -1, now=True)],
    ),
    (
        "date",
        ["D2"],
        {"operator": "greaterThanOrEqual", "areas": "E2:E9"},
        [Typed("end", "date"), beside("end", ">=", "start")],
    ),
    ("time", ["0", "0.999988425925926"], {}, [Typed("amount", "time")]),
    ("textLength", ["1", "10"], {}, [Length("amount", 1, 10)]),
    ("textLength", ["0", "10"], {}, [Length("amount", None, 10)]),
    ("textLength", ["10"], {"operator": "lessThan"}, [Length("amount", None, 10, high_open=True)]),
    ("textLength", ["3"], {"operator": "equal"}, [Length("amount", 3, 3)]),
    (
        "textLength",
        ["255"],
        {"operator": "lessThanOrEqual", "message": "Max. 255 characters"},
        [Length("amount", None, 255)],
    ),
    # Formulas of their own.
    ("custom", ["COUNTIF(C:C,C2)<2"], {}, [Unique(("amount",))]),
    ("custom", ["COUNTIF($C$2:$C$100,C2)=1"], {}, [Unique(("amount",))]),
    ("custom", ["1>=COUNTIF(C:C,C2)"], {}, [Unique(("amount",))]),
    ("custom", ["COUNTIFS(A:A,A2,C:C,C2)=1"], {}, [Unique(("id", "amount"))]),
    ("custom", ['ISNUMBER(MATCH("*@*.?*",C2,0))'], {}, [Like("amount", ("%@%._%",))]),
    (
        "custom",
        ['ISNUMBER(MATCH("50%~*_*",C2,0))'],
        {},
        [Like("amount", ("50!%*!_%",), escape="!")],
    ),
    ("custom", ['COUNTIF(C2,"AB??")=1'], {}, [Like("amount", ("AB__",))]),
    ("custom", ['ISNUMBER(SEARCH("@",C2))'], {}, [Like("amount", ("%@%",))]),
    ("custom", ['ISNUMBER(FIND("a?",C2))'], {}, [Like("amount", ("%a?%",))]),
    ("custom", ["LEN(C2)<=10"], {}, [Length("amount", None, 10)]),
    ("custom", ["AND(LEN(C2)>=2,LEN(C2)<=10)"], {}, [Length("amount", 2, 10)]),
    ("custom", ["AND(LEN(C2)<=10,LEN(C2)>=2)"], {}, [Length("amount", 2, 10)]),
    ("custom", ["ISNUMBER(C2)"], {}, [Typed("amount", "number")]),
    ("custom", ["AND(ISNUMBER(C2),C2>0,C2<=100)"], {}, number(0, 100, low_open=True)),
    ("custom", ["AND(ISNUMBER($C2),AND(C2>0,10>=C2))"], {}, number(0, 10, low_open=True)),
    ("custom", ["MOD(C2,1)=0"], {}, [Typed("amount", "integer")]),
    ("custom", ["C2=INT(C2)"], {}, [Typed("amount", "integer")]),
    ("custom", ['OR(C2="a",C2="b",C2=3)'], {}, only("a", "b", 3)),
    ("custom", ['C2="a"'], {}, only("a")),
    ("custom", ['C2<>"a"'], {}, [OneOf("amount", ("a",), negated=True)]),
    ("custom", ["C2<=TODAY()"], {}, [AgainstToday("amount", "<=")]),
    ("custom", ["E2>=D2"], {"areas": "E2:E9"}, [beside("end", ">=", "start")]),
    ("custom", ["D2<=E2"], {"areas": "E2:E9"}, [beside("end", ">=", "start")]),
]


REFUSES = [
    ("list", ['""'], "suspicious_validation", "empty"),
    ("list", ['" , "'], "suspicious_validation", "empty"),
    ("list", [], "list_elsewhere", "not given"),
    ("list", ["Lists!#REF!"], "suspicious_validation", "gone"),
    ("list", ["#REF!"], "suspicious_validation", "gone"),
    ("list", ["[1]Sheet1!$A$1:$A$9"], "list_elsewhere", "another file"),
    ("list", ["'C:\\[other.xlsx]S'!$A$1"], "list_elsewhere", "another file"),
    ("list", ["INDIRECT(B2)"], "list_elsewhere", "worked out"),
    ("list", ["OFFSET(Lists!$A$1,1,0,3,1)"], "list_elsewhere", "worked out"),
    ("list", ["unknown"], "list_elsewhere", "nowhere"),
    ("list", ["open"], "list_elsewhere", "nowhere"),
    ("list", ["Lists!A2:A4"], "suspicious_validation", "moves down"),
    ("list", ["Lists!$A$2:$B$4"], "suspicious_validation", "neither one row nor"),
    ("list", ["wide"], "suspicious_validation", "neither one row nor"),
    ("list", ["$C$2:$C$50"], "suspicious_validation", "the column itself"),
    ("list", ["Lists!$F$1:$F$9"], "suspicious_validation", "empty"),
    ("list", ["Lists!$A$2:$A$5"], "corrupted_cell", "#N/A"),
    ("list", ["Lists!$B$2:$B$4"], "corrupted_cell", "2024-01-09"),
    ("list", ["Lists!$D$2:$D$4"], "status_doubt", "struck"),
    ("whole", ["1"], "suspicious_validation", "missing"),
    ("whole", [], "suspicious_validation", "missing"),
    ("whole", ["1", "2"], "not_understood", "outside", {"operator": "notBetween"}),
    ("whole", ["1", "2"], "not_understood", "outside", {"operator": "sideways"}),
    ("whole", ["#REF!", "2"], "suspicious_validation", "gone"),
    ("whole", ["SUM(A2:B2)", "2"], "not_understood", "worked out"),
    ("whole", ["TODAY()", "2"], "not_understood", "worked out"),
    ("whole", ["C2", "2"], "suspicious_validation", "itself"),
    ("whole", ["A1", "2"], "other_records", "move"),
    ("whole", ["A$2", "2"], "suspicious_validation", "holds none"),
    ("whole", ["Settings!$C$1", "9"], "suspicious_validation", "'x'"),
    ("whole", ["Settings!$B$1", "9"], "suspicious_validation", "2020-05-01"),
    ("whole", ["Settings!$H$1", "9"], "suspicious_validation", "holds none"),
    ("whole", ["[1]S!$A$1", "9"], "not_understood", "another file"),
    ("decimal", ["A2"], "not_understood", "differ", {"operator": "notEqual"}),
    ("date", ["60", "70"], "suspicious_validation", "60 is no day"),
    ("date", ["-1", "70"], "suspicious_validation", "no day"),
    ("date", ["DATE(2020,13,1)", "70000"], "not_understood", "worked out"),
    ("date", ["TODAY()"], "not_understood", "any day but", {"operator": "notEqual"}),
    ("time", ["0.25", "0.75"], "not_understood", "times of day"),
    ("time", ["0", "1"], "not_understood", "times of day", {"operator": "notBetween"}),
    ("textLength", ["A2"], "not_understood", "not limited by numbers", {"operator": "equal"}),
    ("textLength", ["5"], "not_understood", "not limited by numbers", {"operator": "notEqual"}),
    ("custom", ["COUNTIF(A:A,C2)<2"], "not_understood", "formula"),
    ("custom", ["COUNTIF(C2:C100,C2)<2"], "not_understood", "formula"),
    ("custom", ["COUNTIF($C$2:$C$50,C2)<2"], "not_understood", "formula"),
    ("custom", ["COUNTIF(C:C,C2)<3"], "not_understood", "formula"),
    ("custom", ["COUNTIF(C:C,C2)>1"], "not_understood", "formula"),
    ("custom", ["COUNTIF(Lists!C:C,C2)<2"], "not_understood", "formula"),
    ("custom", ["COUNTIFS(A:A,A2)=1"], "not_understood", "formula"),
    ("custom", ["COUNTIF(C:C,C3)<2"], "not_understood", "formula"),
    ("custom", ['ISNUMBER(MATCH("*@*",B2,0))'], "not_understood", "formula"),
    ("custom", ['ISNUMBER(MATCH("*@*",C2,1))'], "not_understood", "formula"),
    ("custom", ['ISNUMBER(MATCH("*@*",C2))'], "not_understood", "formula"),
    ("custom", ['COUNTIF(C2,">5")=1'], "not_understood", "formula"),
    ("custom", ['COUNTIF(C2,"a*")=0'], "not_understood", "formula"),
    ("custom", ["AND(ISNUMBER(C2),B2>0)"], "not_understood", "formula"),
    ("custom", ["AND(ISNUMBER(C2),VLOOKUP(C2,A:B,1,0)>0)"], "not_understood", "formula"),
    ("custom", ["OR(C2>1,C2<0)"], "not_understood", "formula"),
    ("custom", ["AND()"], "not_understood", "formula"),
    ("custom", ["IF(A2=1,C2>0,TRUE)"], "not_understood", "formula"),
    ("custom", ["TRUE"], "not_understood", "formula"),
    ("custom", ["C2=C2"], "suspicious_validation", "itself"),
    ("custom", ["C2>Lists!#REF!"], "suspicious_validation", "gone"),
    ("custom", ["C2>C1"], "other_records", "move"),
    ("custom", ["AND(LEN(C2)<=5,C2>C1)"], "other_records", "move"),
    ("custom", ["NOT(ISBLANK(C2))"], "suspicious_validation", "blank"),
    ("custom", ['C2<>""'], "suspicious_validation", "blank"),
    ("custom", ["LEN(C2)>0"], "suspicious_validation", "blank"),
    ("custom", ["LEN(TRIM(C2))>3"], "not_understood", "formula"),
    ("custom", ["MOD(C2,5)=0"], "not_understood", "formula"),
    ("custom", [], "not_understood", "formula"),
    ("any", ["1"], "not_understood", "kind"),
]

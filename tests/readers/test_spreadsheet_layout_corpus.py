"""The layouts of real workbooks: what a person sees in them is what the reader finds."""

import csv
import re
from functools import cache

import pytest
from sheet_books import book, classes_of, known

from ruleferry.converters.readers.spreadsheet.layout.grid import grid_of
from ruleferry.converters.readers.spreadsheet.layout.header_rows import first_header, of_both_sides
from ruleferry.converters.readers.spreadsheet.layout.sheets import layouts

ODCS = {
    "Instructions": "readme",
    "Fundamentals": "other",
    "Support": "other",
    "Team": "other",
    "Roles": "other",
    "SLA": "other",
    "Servers": "other",
    "Pricing": "other",
    "Custom Properties": "other",
}
# The tables of claims; their records by hand: the rows under the header up to the remarks.
CLAIMS = {
    "Beneficiary": 210,  # row 17 has no name and goes on with row 16
    "Beneficiary History": 21,
    "Medicare Beneficiary Id": 16,
    "PDE": 41,
    "Carrier": 100,
    "Inpatient": 275,
    "Outpatient": 234,
    "HHA": 132,
    "DME": 95,
    "Hospice": 130,
    "SNF": 230,
}
BFD = {"Intro": "readme", **dict.fromkeys(CLAIMS, "dictionary"), "Unmapped FHIR elements": "other"}
# file -> sheet -> its kind, as read by a person.
KINDS = {
    "01_ohdsi_dqd_field_level.csv": {"": "dictionary"},
    "02_dataact_appropFields.csv": {"": "dictionary"},
    "02_dataact_rule_documentation_2016.xlsx": {"rule_documentation": "rule list"},
    "02_dataact_sqlRules.csv": {"": "rule list"},
    "03_odcs_shipments.xlsx": {**ODCS, "Schema shipments": "dictionary"},
    "03_odcs_template.xlsx": {
        **ODCS,
        "Schema <table_name>": "dictionary",
        "Relationships": "other",
        "Quality": "rule list",
    },
    "07_cdisc_mock_spec.xlsx": {
        "Domains": "other",
        "Variables": "dictionary",
        "Value_level_Metadata": "dictionary",
        "Controlled_Terms": "code list",
        "Computational_Method": "readme",
    },
    "07_cdisc_p21_mock_spec.xlsx": {
        "Study": "other",
        "Datasets": "other",
        "Variables": "dictionary",
        "ValueLevel": "dictionary",
        "WhereClauses": "other",
        "Codelists": "code list",
        "Dictionaries": "other",
        "Methods": "other",
        "Comments": "other",
        "Documents": "other",
    },
    "08_oasis_oed_input_fields.csv": {"": "dictionary"},
    "08_oasis_oed_spec.xlsx": {
        "README": "readme",
        "OED Input Fields": "dictionary",
        "OED DB Data Types": "other",
        "Peril Values": "code list",
        "Financial Code Values": "code list",
        "Occupancy Values": "code list",
        "Construction Values": "code list",
        "Currency Values": "code list",
        "Country Values": "code list",
        "AreaCode Values": "code list",
        "Other Values": "code list",
        "Notes": "readme",
        "OED CR Field Appendix": "dictionary",
        "Versioning": "readme",
        "License": "readme",
    },
    "12_gsc_mixs_v6.xlsx": {
        "README": "readme",
        "MIxS": "dictionary",
        "environmental_packages": "dictionary",
    },
    "14_cms_bfd_rif_layout.xlsx": BFD,
    "14_cms_bfd_rif_layout_prev.xlsx": BFD,
    "16_uk_cica_data_dictionary.xlsx": {
        "Data Dictionary": "dictionary",
        "Google Analytics": "other",
        "English police forces": "other",
        "CYA display rules": "other",
    },
    "19_xlsform_ict_survey.xls": {
        "survey": "dictionary",
        "choices": "code list",
        "Sheet3": "other",
    },
    "19_xlsform_ucl_biomass.xlsx": {
        "survey": "dictionary",
        "choices": "code list",
        "settings": "other",
    },
    "21_hubmap_antibodies.xlsx": {
        "Antibodies": "template",
        "antibody_concentration_unit": "other",
        ".metadata": "other",
    },
    "25_sttm_pyspark_utils.xlsx": {"column_mapping": "mapping"},
    "30_redcap_radx_up.csv": {"": "dictionary"},
    "31_sage_schematic_model.csv": {"": "dictionary"},
    "37_hl7_v2fhir_pid_patient.csv": {"": "mapping"},
    "38_digital_land_field.csv": {"": "dictionary"},
    "39_360giving_prep_template.xlsx": {
        "source_data_mapping": "mapping",
        "tailored_settings": "other",
        "codelists": "code list",
        "codelist_mapping": "other",
        "geo_data": "other",
        "source_data": "other",
        "360_data": "other",
    },
    "40_nike_product_rules.csv": {"": "rule list"},
    "41_content_catalyst_quality_rules.csv": {"": "rule list"},
}
# file -> sheet -> how many records its blocks have.
RECORDS = {
    "01_ohdsi_dqd_field_level.csv": {"": [432]},
    "02_dataact_appropFields.csv": {"": [20]},
    "02_dataact_rule_documentation_2016.xlsx": {"rule_documentation": [47]},
    "02_dataact_sqlRules.csv": {"": [235]},
    "03_odcs_shipments.xlsx": {"Schema shipments": [11]},
    "03_odcs_template.xlsx": {"Schema <table_name>": [0], "Quality": [0]},
    "07_cdisc_mock_spec.xlsx": {
        "Variables": [580],
        "Value_level_Metadata": [0],
        "Controlled_Terms": [73],  # 1,115 rows below hold nothing but a source
    },
    "07_cdisc_p21_mock_spec.xlsx": {"Variables": [100], "ValueLevel": [7], "Codelists": [123]},
    "08_oasis_oed_input_fields.csv": {"": [564]},
    "08_oasis_oed_spec.xlsx": {
        "OED Input Fields": [492],
        "Peril Values": [52, 92],
        "Financial Code Values": [32],
        "Occupancy Values": [203],
        "Construction Values": [347],
        "Currency Values": [195],
        "Country Values": [286],
        "AreaCode Values": [1450],
        "Other Values": [532],
        "OED CR Field Appendix": [185],
    },
    "12_gsc_mixs_v6.xlsx": {"MIxS": [98], "environmental_packages": [1754]},
    "14_cms_bfd_rif_layout.xlsx": {name: [count] for name, count in CLAIMS.items()},
    "16_uk_cica_data_dictionary.xlsx": {"Data Dictionary": [61]},
    "19_xlsform_ict_survey.xls": {"survey": [1], "choices": [31]},
    "19_xlsform_ucl_biomass.xlsx": {"survey": [81], "choices": [27]},
    "21_hubmap_antibodies.xlsx": {"Antibodies": [0]},
    "25_sttm_pyspark_utils.xlsx": {"column_mapping": [1]},
    "30_redcap_radx_up.csv": {"": [163]},
    "31_sage_schematic_model.csv": {"": [71]},
    "37_hl7_v2fhir_pid_patient.csv": {"": [64]},
    "38_digital_land_field.csv": {"": [536]},
    "39_360giving_prep_template.xlsx": {"source_data_mapping": [17], "codelists": [12, 17]},
    "40_nike_product_rules.csv": {"": [15]},
    "41_content_catalyst_quality_rules.csv": {"": [8]},
}
TABLES = {
    "03_odcs_shipments.xlsx": {"Schema shipments": ("shipments", "B5")},
    "03_odcs_template.xlsx": {"Schema <table_name>": (None, ""), "Quality": (None, "")},
    "14_cms_bfd_rif_layout.xlsx": {"Carrier": ("Carrier", "the sheet's name")},
    "21_hubmap_antibodies.xlsx": {"Antibodies": ("Antibodies", "the sheet's name")},
    "08_oasis_oed_spec.xlsx": {"OED Input Fields": (None, "")},
    "19_xlsform_ucl_biomass.xlsx": {"survey": (None, "")},
    "25_sttm_pyspark_utils.xlsx": {"column_mapping": (None, "")},
}


def folder(shared):
    return shared / "corpus" / "spreadsheets"


def found(shared, file):
    return read(folder(shared) / file)


@cache
def read(path):
    workbook = book(path)
    sheets = layouts(workbook, known)
    return workbook, {layout.sheet: layout for layout in sheets}


def test_all_files_are_looked_at(shared):
    files = [
        path.name for path in folder(shared).iterdir() if path.suffix in (".csv", ".xls", ".xlsx")
    ]
    assert sorted(files) == sorted(KINDS)


@pytest.mark.parametrize("file", sorted(KINDS))
def test_kinds(shared, file):
    _, sheets = found(shared, file)
    assert {name: layout.kind for name, layout in sheets.items()} == KINDS[file]


@pytest.mark.parametrize("file", sorted(RECORDS))
def test_records(shared, file):
    _, sheets = found(shared, file)
    counts = {
        n: [len(b.records) for b in found.blocks] for n, found in sheets.items() if found.blocks
    }
    assert counts == RECORDS[file]


@pytest.mark.parametrize("file", sorted(KINDS))
def test_every_filled_cell_stands_in_one_place(shared, file):
    workbook, sheets = found(shared, file)
    for sheet in workbook.sheets:
        layout = sheets[sheet.name]
        classes = classes_of(layout)
        assert set(classes) == set(sheet.filled())
        skipped = sum(kind == "skipped" for kind in classes.values())
        banners = sum(s.cells for s in layout.skipped if "heading" in s.reason)
        assert sum(s.cells for s in layout.skipped) - banners == skipped


@pytest.mark.parametrize("file", sorted(TABLES))
def test_tables(shared, file):
    _, sheets = found(shared, file)
    for name, expected in TABLES[file].items():
        assert [(b.table, b.table_told) for b in sheets[name].blocks] == [expected]


def header_rows(shared):
    """(file, the beginning of a sheet's name, row) as the list of the files states them."""
    text = (folder(shared) / "MANIFEST.tsv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        for stated in re.findall(r"([^;@]+)@(\d+)", row["header_rows(sheet@row)"]):
            yield row["file"], stated[0].replace("csv", ""), int(stated[1])


def test_header_rows(shared):
    checked = 0
    for file, name, row in header_rows(shared):
        workbook, sheets = found(shared, file)
        for sheet in workbook.sheets:
            if sheet.name != name and not (len(name) > 20 and sheet.name.startswith(name)):
                continue
            assert first_header(grid_of(sheet), of_both_sides(known)) == row - 1, (file, sheet.name)
            blocks = sheets[sheet.name].blocks
            assert not blocks or blocks[0].headers[0].cell.row == row - 1, (file, sheet.name)
            checked += 1
    assert checked >= 40


def test_a_template_has_its_names_in_the_first_row(shared):
    _, sheets = found(shared, "21_hubmap_antibodies.xlsx")
    (block,) = sheets["Antibodies"].blocks
    assert [h.cell.row for h in block.headers] == [0] * 11
    assert block.headers[1].text == "hgnc_symbol"


def test_groups(shared):
    _, sheets = found(shared, "37_hl7_v2fhir_pid_patient.csv")
    (block,) = sheets[""].blocks
    groups = {(header.group, header.text) for header in block.headers}
    assert {("HL7 v2", "Data Type"), ("HL7 FHIR", "Data Type"), ("", "Comments")} <= groups
    _, sheets = found(shared, "14_cms_bfd_rif_layout.xlsx")
    (block,) = sheets["Beneficiary"].blocks
    assert [h.group for h in block.headers] == ["CCW Data Elements"] * 9 + [""] + ["FHIR"] * 3


def test_a_hidden_sheet_is_skipped_and_hidden_rows_are_not(shared):
    _, sheets = found(shared, "08_oasis_oed_spec.xlsx")
    hidden = sheets["OED DB Data Types"]
    assert (hidden.why, hidden.blocks, len(hidden.skipped)) == ("the sheet is hidden", (), 1)
    workbook, sheets = found(shared, "07_cdisc_mock_spec.xlsx")
    rows = next(s for s in workbook.sheets if s.name == "Variables").marks.hidden_rows
    numbers = {record.number for record in sheets["Variables"].blocks[0].records}
    assert len(rows) > 500
    assert rows <= numbers

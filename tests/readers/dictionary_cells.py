"""Real dictionaries with their columns mapped by hand, and the rule cells of their records."""

import csv
import io
from dataclasses import dataclass, replace
from functools import cache

from python_calamine import CalamineWorkbook

from ruleferry.converters.readers.spreadsheet.cells import Sheet


@dataclass(frozen=True)
class Mapped:
    """`name`, `table`: the headers of those columns; `columns`: header -> meaning."""

    file: str
    sheet: str
    header: int
    name: str
    columns: dict
    table: str = ""


BFD = {"Type": "type", "Length": "length", "Optional?": "nullable"}
BFD_SHEETS = ["Beneficiary", "Beneficiary History", "Medicare Beneficiary Id", "PDE", "Carrier",
              "Inpatient", "Outpatient", "HHA", "DME", "Hospice", "SNF"]  # fmt: skip

MAPPED = [
    Mapped("01_ohdsi_dqd_field_level.csv", "", 0, "cdmFieldName", {
        "isRequired": "required", "cdmDatatype": "type", "isPrimaryKey": "primary_key",
        "isForeignKey": "foreign_key", "fkTableName": "reference_table",
        "fkFieldName": "reference_column", "plausibleValueLow": "min",
        "plausibleValueHigh": "max"}, "cdmTableName"),
    Mapped("02_dataact_appropFields.csv", "", 0, "fieldname", {
        "required": "required", "data_type": "type", "field_length": "length",
        "padded_flag": "format"}),
    Mapped("03_odcs_shipments.xlsx", "Schema shipments", 12, "Property", {
        "Logical Type": "type", "Required": "required", "Unique": "unique",
        "Primary Key": "primary_key", "Primary Key Position": "primary_key",
        "Minimum Length": "min_length", "Maximum Length": "length"}),
    Mapped("07_cdisc_mock_spec.xlsx", "Variables", 0, "Variable Name", {
        "Type": "type", "Max Length": "length", "Controlled Term or Format": "codes",
        "Required": "required", "Mandatory": "required"}, "Domain Name"),
    Mapped("07_cdisc_p21_mock_spec.xlsx", "Variables", 0, "Variable", {
        "Data Type": "type", "Length": "length", "Significant Digits": "scale",
        "Format": "format", "Mandatory": "required", "Codelist": "codes"}, "Dataset"),
    Mapped("08_oasis_oed_input_fields.csv", "", 0, "Input Field Name", {
        "Property field status": "required", "Data Type": "type", "Default": "default",
        "Valid value range": "range"}, "File Name"),
    Mapped("08_oasis_oed_spec.xlsx", "OED Input Fields", 0, "Input Field Name", {
        "Required Field": "required", "Data Type": "type", "Allow blanks?": "nullable",
        "Default": "default", "Valid value range": "range"}, "File Name"),
    Mapped("08_oasis_oed_spec.xlsx", "OED DB Data Types", 0, "Column Name", {
        "Data Type": "type", "Max Length": "length", "Precision": "precision", "Scale": "scale",
        "Nullable?": "nullable", "Default value": "default"}, "Table"),
    Mapped("08_oasis_oed_spec.xlsx", "OED CR Field Appendix", 0, "Input Field Name", {
        "Required Field": "required", "Data Type": "type", "Allow blanks?": "nullable"}),
    Mapped("12_gsc_mixs_v6.xlsx", "MIxS", 0, "Structured comment name", {
        "Expected value": "type", "Value syntax": "format", "migs_eu": "required",
        "Occurence": "cardinality"}),
    Mapped("12_gsc_mixs_v6.xlsx", "environmental_packages", 0, "Structured comment name", {
        "Expected value": "type", "Value syntax": "format", "Requirement": "required",
        "Occurrence": "cardinality"}, "Environmental package"),
    *(Mapped(f, sheet, 1, "", BFD) for sheet in BFD_SHEETS
      for f in ("14_cms_bfd_rif_layout.xlsx", "14_cms_bfd_rif_layout_prev.xlsx")),
    Mapped("16_uk_cica_data_dictionary.xlsx", "Data Dictionary", 1, "", {
        "Type": "type", "Default value": "codes"}),
    Mapped("19_xlsform_ict_survey.xls", "survey", 0, "name", {"type": "type"}),
    Mapped("19_xlsform_ucl_biomass.xlsx", "survey", 0, "name", {
        "type": "type", "required": "required"}),
    Mapped("30_redcap_radx_up.csv", "", 0, "Variable / Field Name", {
        "Field Type": "type", "Choices, Calculations, OR Slider Labels": "codes",
        "Text Validation Type OR Show Slider Number": "format", "Text Validation Min": "min",
        "Text Validation Max": "max", "Required Field?": "required"}, "Form Name"),
    Mapped("31_sage_schematic_model.csv", "", 0, "Attribute", {
        "Valid Values": "codes", "Required": "required"}),
    Mapped("37_hl7_v2fhir_pid_patient.csv", "", 1, "Name", {
        "Data Type": "type", "Cardinality - Min": "cardinality",
        "Cardinality - Max": "cardinality"}),
    Mapped("38_digital_land_field.csv", "", 0, "field", {
        "cardinality": "cardinality", "datatype": "type", "end-date": "status"}),
    Mapped("39_360giving_prep_template.xlsx", "source_data_mapping", 0, "", {
        "Required or Recommended status": "required"}),
    Mapped("40_nike_product_rules.csv", "", 0, "column_name", {
        "action_if_failed": "action", "is_active": "status"}, "table_name"),
    Mapped("41_content_catalyst_quality_rules.csv", "", 0, "field_name", {
        "severity": "severity", "status": "status"}),
]  # fmt: skip


@cache
def sheets(path):
    if path.suffix == ".csv":
        raw = path.read_bytes()
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("cp1252")
        return {"": Sheet("", list(csv.reader(io.StringIO(text))))}
    book = CalamineWorkbook.from_path(str(path))
    return {
        name: Sheet(name, book.get_sheet_by_name(name).to_python(skip_empty_area=False))
        for name in book.sheet_names
    }


def records(folder, mapped):
    """(row, field, table, meaning -> its cells) of each row; a number is whole where it can be."""
    sheet = sheets(folder / mapped.file)[mapped.sheet]
    headers = [" ".join(str(x).split()) for x in sheet.rows[mapped.header]]
    for row in range(mapped.header + 1, len(sheet.rows)):
        found = {}
        for header, meaning in mapped.columns.items():
            cell = sheet.cell(row, headers.index(header))
            if cell is not None:
                found[meaning] = (*found.get(meaning, ()), _exact(cell))
        name = _at(sheet, row, headers, mapped.name)
        if found:
            yield row, name or f"field_{row}", _at(sheet, row, headers, mapped.table), found


def _exact(cell):
    if isinstance(cell.value, float) and cell.value == int(cell.value):
        return replace(cell, value=int(cell.value), text=str(int(cell.value)))
    return cell


def _at(sheet, row, headers, header):
    cell = sheet.cell(row, headers.index(header)) if header in headers else None
    return cell.text if cell else ""

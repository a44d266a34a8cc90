"""Lists of a workbook: codes, data validations, and rules of a row each."""

"""`gap_report.html`: the report as one page that needs nothing but itself."""

from ruleferry.converters.reports.html.page import gap_page as gap_page

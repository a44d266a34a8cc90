"""Names as they are compared: lower case, accents folded, one `_` between words."""

from __future__ import annotations

import re
import unicodedata


def plain(text: str) -> str:
    folded = text.casefold()
    if not folded.isascii():
        parts = unicodedata.normalize("NFKD", folded)
        folded = "".join(char for char in parts if not unicodedata.combining(char))
    return re.sub(r"[\W_]+", "_", folded).strip("_")

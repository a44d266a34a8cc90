"""How the statements of a script act together on the records that its rules find."""

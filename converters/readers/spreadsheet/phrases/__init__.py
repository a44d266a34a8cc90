"""A total grammar of phrases that state a rule: every token is read, or the phrase is a gap."""

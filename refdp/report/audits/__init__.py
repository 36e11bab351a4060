"""Reports of audits, from the canonical JSON of a campaign: a page for people, and SARIF for code scanning.

They say nothing that the JSON does not say, and the page holds that JSON, so that whoever has the page can replay it.
"""

"""Campaigns: many targets from one file, in chunks that are spread, stored once each, and gone on with after a kill.

`files` reads TOML, `store` keeps chunks in SQLite, `running` drives any executor, `replaying` starts from a report.
"""

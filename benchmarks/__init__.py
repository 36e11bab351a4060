"""Measurements beside other libraries; nothing here is part of the package."""

"""Accountant: is an accountant's answer below, above or within the certified interval?"""

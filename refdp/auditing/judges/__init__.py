"""Judges: what a target is asked, one file or package for each kind of question, and what the answers come to.

A judge works in chunks of plain JSON, so that a campaign can spread them, store them, and go on after it was killed;
its result is a function of the chunks alone, so that anyone who holds them works it out again.
"""

"""What runs on the interpreter of a target: files that need Python 3.9 and its standard library only.

They are started by path, `python -I serve.py FAMILY LIMITS`, so that an interpreter without refdp can run them; this
package imports `wire` alone, so that both sides of the line write values the same way.
"""

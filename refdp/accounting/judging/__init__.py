"""Judging foreign accountants: certified bounds beside their answers, and laws that their answers must obey."""

"""Certificates of verdicts about programs: what was asked, and what shows the verdict when it is judged again."""

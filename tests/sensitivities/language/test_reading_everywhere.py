"""A function is read into the same program in every process: a certificate names its states."""

import os
import subprocess
import sys

import pytest

from tests.meta.repository import ROOT

READ = """
import sys
from pathlib import Path
from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.judging import program_of
from refdp.sensitivities.language.source import read_source

asked_of = {}
for asked in read_campaign(Path(sys.argv[1])):
    asked_of.setdefault((asked.target, str(asked.record), str(asked.values), str(asked.symbols), asked.assume), asked)
for asked in list(asked_of.values())[:: int(sys.argv[2])]:
    given = declaration(asked.record, asked.values, asked.symbols, asked.assume)
    print(program_of(read_source(asked.target), given)[0])
"""
"""Of questions that differ in claim, norm or neighbours alone the function is read once."""


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "step"), [("queries", "3"), ("penguins", "1"), pytest.param("queries", "1", marks=pytest.mark.long)]
)
def test_reading_is_the_same_in_every_process(name, step):
    path = ROOT / "examples" / "sensitivity" / f"{name}.toml"
    texts = {
        subprocess.run(
            [sys.executable, "-c", READ, path, step], capture_output=True, text=True, check=True, cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(texts) == 1
    assert "Program(" in next(iter(texts))

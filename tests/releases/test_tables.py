"""A table is read exactly or refused in one sentence, and no error repeats what the table holds."""

import csv
import io
import os
import tracemalloc
from decimal import Decimal
from fractions import Fraction as F
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refdp.releases.errors import InputError, RowError
from refdp.releases.records import MAXIMUM_RECORD, Limits
from refdp.releases.tables import Missing, Replace, Table, decimal, read_policy, read_table

SECRET = "Mallory"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the table of a test stands."""
    return tmp_path / "table.csv"


def rows(*cells: tuple[F | int | str, ...]) -> tuple[tuple[F, ...], ...]:
    """The rows of numbers that these are."""
    return tuple(tuple(F(cell) for cell in row) for row in cells)


def written(path: Path, content: str | bytes) -> Path:
    """The path, with that content."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(path: Path, content: str | bytes, **words: object) -> str:
    """The one sentence that refuses the table, which never holds the secret."""
    with pytest.raises(InputError) as caught:
        read_table(written(path, content), **{"decimals": ("age",), **words})  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert SECRET not in sentence
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return sentence


def is_about_rows(path: Path, content: str | bytes, **words: object) -> bool:
    """Whether the refusal is marked as depending on the rows."""
    with pytest.raises(InputError) as caught:
        read_table(written(path, content), **{"decimals": ("age",), **words})  # type: ignore[arg-type]
    return isinstance(caught.value, RowError)


def test_columns_are_read_exactly_and_in_order(path: Path) -> None:
    table = read_table(
        written(path, "name,age,x\nAda,36,0.1\nBo,-2.50,1e-3\n"), decimals=("age", "x"), labels=("name",)
    )
    assert table.decimals("age", "x") == ((F(36), F(1, 10)), (F(-5, 2), F(1, 1000)))
    assert table.decimals("x", "age")[0] == (F(1, 10), F(36))
    assert table.labels("name") == (("Ada",), ("Bo",))
    assert table.size == 2


def test_a_column_may_be_read_both_ways(path: Path) -> None:
    table = read_table(written(path, "year\n2007\n2007.0\n"), decimals=("year",), labels=("year",))
    assert table.decimals("year") == rows((2007,), (2007,))
    assert table.labels("year") == (("2007",), ("2007.0",))


def test_digest_is_of_the_bytes_of_the_file(path: Path) -> None:
    content = b"\xef\xbb\xbfage\r\n1\r\n2"
    assert read_table(written(path, content)).digest == f"sha256:{sha256(content).hexdigest()}"


@pytest.mark.parametrize("content", ["age\n", "age", "age\r\n", "\ufeffage\n"])
def test_a_header_alone_is_an_empty_table(path: Path, content: str) -> None:
    table = read_table(written(path, content), decimals=("age",))
    assert (table.size, table.decimals("age")) == (0, ())


def test_quotes_line_breaks_and_a_byte_order_mark_are_read_as_rfc_4180_says(path: Path) -> None:
    content = '\ufeff"na""me",age\r\n"a,b","1"\r\n"two\r\nlines",2\r\nÅngström,3'
    table = read_table(written(path, content), decimals=("age",), labels=('na"me',))
    assert table.labels('na"me') == (("a,b",), ("two\r\nlines",), ("Ångström",))
    assert table.decimals("age") == rows((1,), (2,), (3,))


printable = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), min_size=1, max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(printable, st.decimals(allow_nan=False, allow_infinity=False, places=3)), max_size=8))
def test_what_the_csv_module_writes_is_read_back(path: Path, records: list[tuple[str, Decimal]]) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([("label", "number"), *records])
    table = read_table(written(path, text.getvalue()), decimals=("number",), labels=("label",))
    assert table.labels("label") == tuple((label,) for label, _ in records)
    assert table.decimals("number") == tuple((F(number),) for _, number in records)


@given(st.fractions(), st.integers(0, 30))
def test_decimal_text_is_read_exactly(value: F, places: int) -> None:
    scaled = round(value * 10**places)
    sign, digits = ("-" if scaled < 0 else ""), f"{abs(scaled):0{places + 1}d}"
    point = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}"
    assert decimal(sign + point) == F(scaled, 10**places) == decimal(f"{scaled}e-{places}")


@pytest.mark.parametrize("text", ["0", "-0", "+1", "1.", ".5", "007", "1E5", "1e+5", "1e-400", "9" * 400])
def test_decimal_agrees_with_python_where_both_read(text: str) -> None:
    assert decimal(text) == F(Decimal(text))


@pytest.mark.parametrize(
    "text",
    [
        *("NaN", "nan", "inf", "-Infinity", "1e999999", "1e401", "1e-401", "1e99999999999999999999", "1/2", "1_000"),
        *("", " 1", "1 ", "1\n", "0x10", "1e", "e5", ".", "-", "+", "--1", "1,5", "1.2.3", "True", "9" * 401),
        *("\u0661", "\uff11"),
    ],
)
def test_what_is_no_decimal_is_not_read(text: str) -> None:
    assert decimal(text) is None


NUMBERS = "must have a decimal number in every cell of column 'age', got something else in line 3"


@pytest.mark.parametrize("cell", ["NaN", "inf", "1e999999", SECRET, "1/2", " 7", "NA", "\uff10"])
def test_text_in_a_decimal_column_is_refused_unseen(path: Path, cell: str) -> None:
    sentence = refusal(path, f"age\n1\n{cell}\n2\n")
    assert NUMBERS in sentence
    assert cell not in sentence.replace(str(path), "").replace("missing cell", "")
    assert is_about_rows(path, f"age\n1\n{cell}\n2\n")


@pytest.mark.parametrize("cell", ["", "NA", "?"])
def test_a_missing_cell_needs_a_policy(path: Path, cell: str) -> None:
    missing = Missing(frozenset({"NA", "?"}))
    content = f"name,age\na,1\nb,{cell}\n"
    assert "got a missing one in line 3; declare a policy" in refusal(path, content, missing=missing)
    assert is_about_rows(path, content, missing=missing)


def test_drop_drops_the_rows_where_a_column_of_the_query_is_missing(path: Path) -> None:
    content = "name,age,x\na,1,\n,2,20\nNA,,30\nd,4,40\n"
    missing = Missing(frozenset({"NA"}), "drop")
    table = read_table(written(path, content), decimals=("age", "x"), labels=("name",), missing=missing)
    assert table.size == 4
    assert table.decimals("age") == rows((1,), (2,), (4,))
    assert table.decimals("age", "x") == rows((2, 20), (4, 40))
    assert table.labels("name") == (("a",), ("d",))


def test_replace_keeps_every_row(path: Path) -> None:
    missing = Missing(frozenset({"NA"}), Replace("17.5"))
    table = read_table(
        written(path, "name,age\nNA,1\nb,NA\nc,\n"), decimals=("age",), labels=("name",), missing=missing
    )
    assert table.decimals("age") == rows((1,), ("35/2",), ("35/2",))
    assert table.labels("name") == (("17.5",), ("b",), ("c",))


@pytest.mark.parametrize("text", ["unknown", "NA", "", "nan"])
def test_a_replacement_must_be_a_value_of_its_column(path: Path, text: str) -> None:
    """Whether or not a cell is missing: the answer does not depend on the rows."""
    missing = Missing(frozenset({"NA"}), Replace(text))
    assert "the replacement of missing cells in column 'age'" in refusal(path, "age\n1\n", missing=missing)
    assert not is_about_rows(path, "age\n1\n", missing=missing)


@pytest.mark.parametrize("text", ["NA", ""])
def test_a_replacement_must_not_be_missing_itself(path: Path, text: str) -> None:
    missing = Missing(frozenset({"NA"}), Replace(text))
    assert f"must be text, got '{text}'" in refusal(path, "name\na\n", decimals=(), labels=("name",), missing=missing)


def test_a_marker_that_is_not_declared_is_a_label(path: Path) -> None:
    table = read_table(written(path, "sex\nNA\nmale\n"), labels=("sex",))
    assert table.labels("sex") == (("NA",), ("male",))


def test_policies_are_read_from_text() -> None:
    assert read_policy("drop") == "drop"
    assert read_policy("replace=0") == Replace("0")
    assert read_policy("replace=a=b") == Replace("a=b")
    for text in ("", "Drop", "replace", "keep"):
        with pytest.raises(InputError, match="must be drop or replace=VALUE"):
            read_policy(text)


PUBLIC: dict[str, tuple[str | bytes, str]] = {
    "empty file": ("", "must begin with a header line, got none"),
    "byte order mark alone": ("\ufeff", "must begin with a header line, got none"),
    "blank first line": ("\nage\n1\n", "must begin with a header line, got none"),
    "missing column": (f"{SECRET},Age\n1,2\n", "must have a column 'age', got a header without it"),
    "no header": (f"{SECRET},37\nBo,20\n", "must have a column 'age', got a header without it"),
    "repeated name": (f"{SECRET},age,{SECRET}\n1,2,3\n", "got the same in fields 1 and 3 of the header"),
    "repeated empty name": (",age,\n1,2,3\n", "got the same in fields 1 and 3 of the header"),
}
PRIVATE: dict[str, tuple[str | bytes, str]] = {
    "short row": (f"name,age\n{SECRET}\n", "as many fields in every row as in the header, see line 2"),
    "long row": (f"age\n1\n2,{SECRET}\n", "as many fields in every row as in the header, see line 3"),
    "blank line": ("age\n1\n\n2\n", "as many fields in every row as in the header, see line 3"),
    "Latin-1": ("age\n1\nMall\xf3ry\n".encode("latin-1"), "must be UTF-8 text, got other bytes in line 3"),
    "UTF-16": ("age\n1\n".encode("utf-16"), "must be"),
    "surrogate": (b"age\n\xed\xa0\x80\n", "must be UTF-8 text, got other bytes in line 2"),
    "NUL": (b"age\n1\n2\0\n", "must be text, got a NUL byte in line 3"),
    "NUL in the header": (b"a\0ge\n1\n", "must be text, got a NUL byte in line 1"),
    "open quote": (f'age\n"1\n{SECRET}\n', "must be well-formed CSV, see line 3"),
    "text after a quote": (f'age\n"1"{SECRET}\n', "must be well-formed CSV, see line 2"),
    "carriage returns alone": ("age\n1\r2\r3\n", "must be well-formed CSV, see line 2"),
    "long field": (f"name,age\n{SECRET * 2000},1\n", "at most 10000 characters in a field, see line 2"),
    "long line": (f"name,age\n{SECRET * 150_000},1\n", f"at most {MAXIMUM_RECORD} bytes in a row, see line 2"),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_a_malformed_header_is_refused(path: Path, name: str) -> None:
    content, expected = PUBLIC[name]
    assert expected in refusal(path, content)
    assert not is_about_rows(path, content)


@pytest.mark.parametrize("name", PRIVATE)
def test_malformed_rows_are_refused(path: Path, name: str) -> None:
    content, expected = PRIVATE[name]
    assert expected in refusal(path, content)
    assert is_about_rows(path, content)


def test_every_row_is_checked_whatever_columns_are_read(path: Path) -> None:
    assert "as many fields" in refusal(path, "name,age\na,1\nb,2,3\n", decimals=())
    assert read_table(written(path, f"name,age\na,1\nb,{SECRET}\n"), labels=("name",)).size == 2


def test_a_record_of_many_lines_is_bounded(path: Path) -> None:
    """Fields below their limit, lines below theirs, one record without end."""
    field = '"' + "a\n" * 4000 + '"'
    content = "age\n" + ",".join([field] * 200)
    assert f"at most {MAXIMUM_RECORD} bytes in a row" in refusal(path, content)


def test_a_million_rows_are_refused_with_the_limit(path: Path) -> None:
    sentence = refusal(path, "age\n" + "1\n" * 10**6)
    assert sentence == f"the table {path} must have at most 500000 rows, got more; raise maximum_rows"


@pytest.mark.parametrize("limit", ["maximum_rows", "maximum_field", "maximum_bytes"])
def test_a_limit_exceeded_is_about_the_rows(path: Path, limit: str) -> None:
    size = {"maximum_rows": 1, "maximum_field": 3, "maximum_bytes": 5}[limit]
    assert is_about_rows(path, "age\n1234\n5\n", limits=Limits(**{limit: size}))


@pytest.mark.parametrize(("size", "limit"), [(0, 1), (1, 1), (7, 7), (7, 8)])
def test_as_many_rows_as_the_limit_are_read(path: Path, size: int, limit: int) -> None:
    content = written(path, "age\n" + "1\n" * size)
    assert read_table(content, decimals=("age",), limits=Limits(maximum_rows=limit)).size == size


def test_a_limit_can_be_raised(path: Path) -> None:
    content = "age\n" + "1\n" * 20
    assert "at most 19 rows" in refusal(path, content, limits=Limits(maximum_rows=19))
    assert read_table(path, limits=Limits(maximum_rows=20)).size == 20
    assert "at most 43 bytes" in refusal(path, content, limits=Limits(maximum_bytes=43))
    assert read_table(path, limits=Limits(maximum_bytes=44)).size == 20
    assert "at most 2 characters" in refusal(path, "age\n123\n", limits=Limits(maximum_field=2))
    assert read_table(path, limits=Limits(maximum_field=3)).size == 1


@pytest.mark.parametrize("value", [0, -1, 1.5, "10", True, None])
@pytest.mark.parametrize("limit", ["maximum_rows", "maximum_field", "maximum_bytes"])
def test_a_limit_must_be_a_whole_number_of_at_least_one(limit: str, value: int) -> None:
    with pytest.raises(InputError, match=f"{limit} must be an int >= 1, got"):
        Limits(**{limit: value})


def test_only_the_columns_asked_for_are_kept_in_memory(path: Path) -> None:
    """10 MB of text pass through; what is kept is below 2 MB."""
    written(path, "name,age\n" + ("x" * 5000 + ",1\n") * 2000)
    tracemalloc.start()
    read_table(path, decimals=("age",))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_paths_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, expected in {
        "none.csv": "No such file",
        "file/table.csv": "Not a directory",
        "x" * 5000: "too long",
        ".": "must be a regular file",
        "nul\0.csv": "must not hold NUL",
    }.items():
        with pytest.raises(InputError, match=expected):
            read_table(tmp_path / name)


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="must be a regular file"):
        read_table(tmp_path / "pipe")


def test_a_file_without_permission_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    written(path, "age\n1\n")
    monkeypatch.setattr("refdp.releases.records.open", refuse, raising=False)
    with pytest.raises(InputError, match=r"can be read, got .*: Permission denied"):
        read_table(path)


def test_a_disk_that_fails_while_reading_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("refdp.releases.tables.open_regular", lambda path: Failing())
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        read_table(path)


def test_columns_that_were_not_read_are_refused(path: Path) -> None:
    table: Table = read_table(written(path, "name,age\na,1\n"), decimals=("age",))
    for columns in ((), ("name",), ("age", "name")):
        with pytest.raises(ValueError, match="columns must be some of age, got"):
            table.decimals(*columns)
    with pytest.raises(ValueError, match="columns must be some of none, got name"):
        table.labels("name")

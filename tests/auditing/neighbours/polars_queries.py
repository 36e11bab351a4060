"""Queries on OpenDP's lazy frames, as functions of a column; run in a worker that has opendp and polars only."""

import importlib
import warnings


def counted_after_cast(rows):
    """What is released of a count on a table of public length, and the epsilon that the map gives for two rows."""
    warnings.simplefilter("ignore")
    dp, pl = importlib.import_module("opendp.prelude"), importlib.import_module("polars")
    dp.enable_features("contrib", "honest-but-curious")
    frame = pl.LazyFrame({"x": rows}, schema={"x": pl.Float64})
    domain = dp.lazyframe_domain([dp.series_domain("x", dp.atom_domain(T=float, nan=True))])
    domain = dp.with_margin(domain, dp.polars.Margin(by=[], max_length=len(rows), invariant="lengths"))
    query = frame.select(pl.col("x").cast(pl.Int32, strict=False).dp.count())
    release = dp.m.make_private_lazyframe(domain, dp.symmetric_distance(), dp.max_divergence(), query, global_scale=1.0)
    return [release.map(2), release(frame).collect()["x"].to_list()]

"""What type checkers read of `refdp`, whose names are imported when used: scripts/public_types.py wrote it."""

from refdp.accounting.accountant import Accountant as Accountant
from refdp.accounting.calibrating import calibrate as calibrate
from refdp.accounting.judging.audit import audit_accountant as audit_accountant
from refdp.accounting.sgd import sgd_account as sgd_account
from refdp.accuracies import accuracy as accuracy
from refdp.accuracies import scale_for as scale_for
from refdp.commands.account import account as account
from refdp.commands.audit import audit as audit
from refdp.commands.certificates import write_certificate as write_certificate
from refdp.commands.check import check as check
from refdp.commands.explain import explain as explain
from refdp.commands.prove import prove as prove
from refdp.commands.release import release as release
from refdp.commands.sample import sample as sample
from refdp.commands.sensitivity import sensitivity as sensitivity
from refdp.commands.vectors import vectors as vectors
from refdp.commands.verify import verify as verify
from refdp.derivations import theorem as theorem
from refdp.mechanisms import discrete_gaussian as discrete_gaussian
from refdp.mechanisms import discrete_laplace as discrete_laplace
from refdp.mechanisms import exponential as exponential
from refdp.mechanisms import k_ary_randomised_response as k_ary_randomised_response
from refdp.mechanisms import permute_and_flip as permute_and_flip
from refdp.mechanisms import randomised_response as randomised_response
from refdp.mechanisms import truncated_geometric as truncated_geometric
from refdp.numerics.exact import ExactReal as ExactReal
from refdp.numerics.exact import Ln as Ln
from refdp.numerics.exact import Undecided as Undecided
from refdp.numerics.exact import exact as exact
from refdp.numerics.exact import exact_real as exact_real
from refdp.pipeline import Measurement as Measurement
from refdp.pipeline import Transformation as Transformation
from refdp.report.pictures.accounts import plot_account as plot_account
from refdp.report.pictures.plotting import plot as plot
from refdp.sampling.grids import on_grid as on_grid
from refdp.transformations import attribute_means as attribute_means
from refdp.transformations import attributes as attributes
from refdp.transformations import binary_code as binary_code
from refdp.transformations import category_of as category_of
from refdp.transformations import clamp as clamp
from refdp.transformations import clamped_sum as clamped_sum
from refdp.transformations import column as column
from refdp.transformations import count as count
from refdp.transformations import drop_missing as drop_missing
from refdp.transformations import fill_missing as fill_missing
from refdp.transformations import filter_rows as filter_rows
from refdp.transformations import histogram as histogram
from refdp.transformations import map_rows as map_rows
from refdp.transformations import mean as mean
from refdp.transformations import point_count as point_count
from refdp.transformations import rank_scores as rank_scores
from refdp.transformations import threshold_count as threshold_count

__version__: str
HOME: dict[str, str]

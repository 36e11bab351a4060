"""Models of a table of records: naive Bayes, k-means, principal components, linear and logistic regression.

Each is a pipeline, whose theorem the kernel makes: public columns, a sum over rows or a minimiser with a proved
sensitivity, exact noise.  The model is worked out from the noisy answer alone, in floats: it is a function of what was
released, and costs nothing.

>>> from refdp.models import Labels, Numbers, naive_bayes
>>> rows = [{"sex": "f", "mass": 3}, {"sex": "m", "mass": 5}]
>>> fit = naive_bayes(rows, Labels("sex", ("f", "m")), [Numbers("mass", 0, 8)], epsilon=1)
>>> fit.theorem.claim.d_out[0].rational, fit.scale
(Fraction(1, 1), Fraction(2, 1))
"""

from refdp.models.fitting import Comparison, Fit
from refdp.models.k_means import k_means
from refdp.models.linear_regression import linear_regression
from refdp.models.logistic_regression import logistic_regression
from refdp.models.naive_bayes import naive_bayes
from refdp.models.principal_components import principal_components
from refdp.transformations.prepared_columns import Labels, Numbers

__all__ = [
    "Comparison",
    "Fit",
    "Labels",
    "Numbers",
    "k_means",
    "linear_regression",
    "logistic_regression",
    "naive_bayes",
    "principal_components",
]

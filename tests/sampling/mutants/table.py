"""The mutants: what is wrong, where, and the tests that must notice.

Not here, as they change no law: a wider margin, a comparison with the margin that is strict or not, and a wrong search
for certificates that `check` still accepts.
"""

from tests.mutating import Mutant
from tests.sampling.mutants.certificates import CERTIFICATES
from tests.sampling.mutants.draws import DRAWS_AND_ARRAYS
from tests.sampling.mutants.rare import RARELY_SEEN
from tests.sampling.mutants.scalar import SCALAR

MUTANTS = (
    *RARELY_SEEN,
    *(
        Mutant(name, f"refdp/sampling/{file}.py", old, new, tests)
        for name, file, old, new, tests in (*SCALAR, *CERTIFICATES, *DRAWS_AND_ARRAYS)
    ),
)

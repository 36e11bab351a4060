"""Search for the identities that the kernel's rule `algebra` checks.  Untrusted: a wrong one is refused."""

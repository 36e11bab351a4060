(set-logic QF_LRA)
(assert (not (<= 1.0 1.0)))
(check-sat)

(set-logic QF_LRA)
(assert (not (<= 0.0 0.0)))
(check-sat)

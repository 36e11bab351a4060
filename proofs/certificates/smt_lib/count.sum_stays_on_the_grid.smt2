(set-logic QF_LRA)
(assert (not (and (= 1.0 1.0) (< 0.0 1.0))))
(check-sat)

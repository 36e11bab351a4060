(* Pure DP both ways under Renyi and concentrated DP.

   Laws that are within epsilon of each other in both directions are what one and the same step makes of two coins: of
   heads with probability e^epsilon / (1 + e^epsilon), and of tails with it.  So no such pair diverges more than the
   coins do, and that is a calculation with two numbers.  The bound epsilon^2 / 2 is of Bun and Steinke (2016). *)
From Coq Require Import Reals Lra List.
From Refdp Require Import Laws Privacy Renyi.
Import ListNotations.
Open Scope R_scope.

(* A bound for all tests is one for all observables that are nowhere negative. *)
Lemma pure_for_positive {O : space} (p q : law O) epsilon f :
  pure epsilon p q -> observable f -> (forall o, 0 <= f o) -> E p f <= exp epsilon * E q f.
Proof.
  intros H F positive. destruct (observable_bounded O f F) as [c C].
  set (d := Rabs c + 1). assert (0 < d) by (unfold d; pose proof (Rabs_pos c); lra).
  assert (0 < / d) by (apply Rinv_0_lt_compat; assumption).
  assert (T : test (fun o => / d * f o)).
  { split; [apply observable_multiple, F |]. intro o. specialize (positive o). specialize (C o).
    pose proof (Rle_abs c). split; [apply Rmult_le_pos; lra |].
    apply (Rmult_le_reg_l d); [assumption |]. rewrite <- Rmult_assoc, Rinv_r by lra. unfold d in *. lra. }
  pose proof (H _ T) as K. rewrite !E_multiple in K by exact F.
  apply (Rmult_le_reg_l (/ d)); [assumption |]. lra.
Qed.

(* The heads of p and q: (t p - q) / (t - 1), which is a law where q is at most t p. *)
Definition heads {O : space} (t : R) (p q : law O) (T : 1 < t)
    (close : forall f, observable f -> (forall o, 0 <= f o) -> E q f <= t * E p f) : law O.
Proof.
  refine (Law O (fun f => (t * E p f - E q f) / (t - 1)) _ _ _ _).
  - intros f g F G below. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
    pose proof (close (fun o => g o - f o) (observable_difference g f G F)
      ltac:(intro o; specialize (below o); lra)) as K.
    rewrite !E_difference in K by assumption. lra.
  - intros f g F G. rewrite !E_sum by assumption. field. lra.
  - intros c f F. rewrite !E_multiple by assumption. field. lra.
  - rewrite !E_one. field. lra.
Defined.

(* pure_to_renyi *)
Theorem pure_to_renyi_laws {O : space} (p q : law O) order epsilon :
  1 < order -> pure epsilon p q -> pure epsilon q p ->
  renyi order (ln ((exp (order * epsilon) + exp ((1 - order) * epsilon)) / (1 + exp epsilon)) / (order - 1)) p q.
Proof.
  intros A H H'. pose proof (pure_for_positive p q epsilon) as P. pose proof (pure_for_positive q p epsilon) as Q.
  specialize (fun f => P f H). specialize (fun f => Q f H').
  set (t := exp epsilon) in *.
  assert (N : 1 <= t).
  { specialize (P _ (observable_constant O 1) ltac:(intro; lra)). rewrite !E_one in P. lra. }
  destruct (Req_dec t 1) as [one | more].
  - assert (epsilon = 0) as -> by (apply exp_inv; rewrite exp_0; exact one).
    rewrite !Rmult_0_r, exp_0, one. replace ((1 + 1) / (1 + 1)) with 1 by field. rewrite ln_1.
    unfold Rdiv at 1. rewrite Rmult_0_l. intros f F above.
    eapply Rle_trans; [| apply (renyi_reflexive q order A f F above)].
    rewrite <- (Rmult_1_l (E q f)), <- one. apply P; [exact F |]. intro o.
    pose proof (positive_away_from_0 f o above). lra.
  - assert (T : 1 < t) by lra.
    assert (C : 0 <= t / (1 + t) <= 1).
    { split; [left; apply Rdiv_lt_0_compat; lra | apply (Rmult_le_reg_r (1 + t)); [lra |]].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    assert (D : 0 < 1 / (1 + t) < 1).
    { split; [apply Rdiv_lt_0_compat; lra | apply (Rmult_lt_reg_r (1 + t)); [lra |]].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    pose (parts := plain_kernel (fun side : bool => if side then heads t p q T Q else heads t q p T P)).
    apply (renyi_same (then_run (coin (t / (1 + t)) C) parts) p
      (then_run (coin (1 / (1 + t)) (conj (Rlt_le _ _ (proj1 D)) (Rlt_le _ _ (proj2 D)))) parts) q order);
      [exact A | | |].
    + intros f F. simpl. field. lra.
    + intros f F. simpl. field. lra.
    + apply post_processed_renyi; [exact A |]. apply renyi_of_coins; [exact A | exact D |]. right.
      replace ((order - 1) * (ln ((exp (order * epsilon) + exp ((1 - order) * epsilon)) / (1 + t)) / (order - 1)))
        with (ln ((exp (order * epsilon) + exp ((1 - order) * epsilon)) / (1 + t))) by (field; lra).
      pose proof (exp_pos (order * epsilon)). pose proof (exp_pos ((1 - order) * epsilon)).
      rewrite exp_ln by (apply Rdiv_lt_0_compat; lra).
      replace (1 - t / (1 + t)) with (1 / (1 + t)) by (field; lra).
      replace (1 - 1 / (1 + t)) with (t / (1 + t)) by (field; lra).
      assert (0 < t / (1 + t)) by (apply Rdiv_lt_0_compat; lra).
      rewrite !power_from_0_positive by lra.
      assert (L : ln (t / (1 + t)) = epsilon - ln (1 + t)).
      { unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
        unfold t at 1. rewrite ln_exp. ring. }
      assert (L' : ln (1 / (1 + t)) = - ln (1 + t)) by (apply ln_of_1_over; lra).
      unfold Rpower. rewrite L, L', <- !exp_plus.
      unfold Rdiv. rewrite <- (exp_ln (/ (1 + t))) by (apply Rinv_0_lt_compat; lra).
      rewrite Rmult_plus_distr_r, <- !exp_plus, ln_Rinv by lra. f_equal; f_equal; ring.
Qed.
Theorem pure_to_renyi {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) order epsilon :
  (forall x y, near x y -> near y x) -> 1 < order -> private near M (pure epsilon) ->
  private near M
    (renyi order (ln ((exp (order * epsilon) + exp ((1 - order) * epsilon)) / (1 + exp epsilon)) / (order - 1))).
Proof. intros symmetric A H x y N. apply pure_to_renyi_laws; [exact A | apply H, N | apply H, symmetric, N]. Qed.

(* cosh z e^(-z^2 / 2) falls where z is positive: its derivative is (sinh z - z cosh z) e^(-z^2 / 2). *)
Lemma sinh_below z : 0 <= z -> sinh z <= z * cosh z.
Proof.
  intros [Z | <-]; [| unfold sinh; rewrite Ropp_0; lra].
  destruct (MVT_cor2 (fun x => x * cosh x - sinh x) (fun x => x * sinh x) 0 z Z) as (c & K & C0 & C1).
  - intros x _. replace (x * sinh x) with (1 * cosh x + x * sinh x - cosh x) by ring.
    apply (derivable_pt_lim_minus (fun y => y * cosh y) sinh); [| apply derivable_pt_lim_sinh].
    apply (derivable_pt_lim_mult id cosh); [apply derivable_pt_lim_id | apply derivable_pt_lim_cosh].
  - assert (0 <= sinh c).
    { unfold sinh. assert (exp (- c) <= exp c) by (apply exp_le; lra). lra. }
    rewrite Rmult_0_l, Rminus_0_r, sinh_0 in K.
    assert (0 <= c * sinh c * z) by (apply Rmult_le_pos; [apply Rmult_le_pos |]; lra). lra.
Qed.
Lemma cosh_grows_below_gaussian v u : 0 <= v -> v <= u -> cosh u <= cosh v * exp ((u * u - v * v) / 2).
Proof.
  intros V [U | ->].
  2: { replace ((u * u - u * u) / 2) with 0 by field. rewrite exp_0. lra. }
  destruct (MVT_cor2 (fun x => cosh x * exp (- (x * x) / 2)) (fun x => (sinh x - x * cosh x) * exp (- (x * x) / 2))
    v u U) as (c & K & C0 & C1).
  - intros x _. set (bell := exp (- (x * x) / 2)).
    replace ((sinh x - x * cosh x) * bell) with (sinh x * bell + cosh x * (bell * (- / 2 * (1 * x + x * 1)))) by field.
    apply (derivable_pt_lim_mult cosh (fun y => exp (- (y * y) / 2))); [apply derivable_pt_lim_cosh |].
    apply (derivable_pt_lim_comp (fun y => - (y * y) / 2) exp); [| apply derivable_pt_lim_exp].
    apply (derivable_pt_lim_ext (fun y => - / 2 * (y * y))); [intro; field |].
    apply (derivable_pt_lim_scal (fun y => y * y)).
    apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
  - assert (falls : cosh u * exp (- (u * u) / 2) <= cosh v * exp (- (v * v) / 2)).
    { pose proof (sinh_below c ltac:(lra)). pose proof (exp_pos (- (c * c) / 2)).
      assert (0 <= (c * cosh c - sinh c) * exp (- (c * c) / 2) * (u - v))
        by (apply Rmult_le_pos; [apply Rmult_le_pos |]; lra). lra. }
    apply (Rmult_le_reg_r (exp (- (u * u) / 2))); [apply exp_pos |].
    rewrite Rmult_assoc, <- exp_plus. replace ((u * u - v * v) / 2 + - (u * u) / 2) with (- (v * v) / 2) by field.
    exact falls.
Qed.

(* pure_to_concentrated *)
Theorem pure_to_concentrated_laws {O : space} (p q : law O) epsilon :
  pure epsilon p q -> pure epsilon q p -> concentrated (epsilon ^ 2 / 2) p q.
Proof.
  intros H H' order A. eapply weaken_renyi; [exact A | | apply pure_to_renyi_laws; eassumption].
  assert (N : 0 <= epsilon).
  { pose proof (pure_for_positive p q epsilon _ H (observable_constant O 1) ltac:(intro; lra)) as K.
    rewrite !E_one in K. apply Rnot_lt_le. intro N. pose proof (exp_increasing _ _ N) as L. rewrite exp_0 in L. lra. }
  apply (Rmult_le_reg_r (order - 1)); [lra |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite <- (ln_exp (epsilon ^ 2 / 2 * order * (order - 1))).
  pose proof (exp_pos (order * epsilon)). pose proof (exp_pos ((1 - order) * epsilon)). pose proof (exp_pos epsilon).
  apply ln_at_most; [apply Rdiv_lt_0_compat; lra |].
  apply (Rmult_le_reg_r (1 + exp epsilon)); [lra |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (larger : epsilon / 2 <= (order - / 2) * epsilon).
  { assert (0 <= (order - 1) * epsilon) by (apply Rmult_le_pos; lra). lra. }
  pose proof (cosh_grows_below_gaussian (epsilon / 2) ((order - / 2) * epsilon) ltac:(lra) larger) as K.
  unfold cosh in K. apply (Rmult_le_compat_l (2 * exp (epsilon / 2))) in K; [| pose proof (exp_pos (epsilon / 2)); lra].
  replace (2 * exp (epsilon / 2) * ((exp ((order - / 2) * epsilon) + exp (- ((order - / 2) * epsilon))) / 2))
    with (exp (order * epsilon) + exp ((1 - order) * epsilon)) in K.
  - eapply Rle_trans; [exact K |]. right.
    replace (2 * exp (epsilon / 2) * ((exp (epsilon / 2) + exp (- (epsilon / 2))) / 2 *
      exp (((order - / 2) * epsilon * ((order - / 2) * epsilon) - epsilon / 2 * (epsilon / 2)) / 2)))
      with (exp (((order - / 2) * epsilon * ((order - / 2) * epsilon) - epsilon / 2 * (epsilon / 2)) / 2)
            * (exp (epsilon / 2) * exp (epsilon / 2) + exp (epsilon / 2) * exp (- (epsilon / 2)))) by field.
    rewrite <- !exp_plus. replace (epsilon / 2 + epsilon / 2) with epsilon by field.
    rewrite Rplus_opp_r, exp_0, (Rplus_comm (exp epsilon)). f_equal. f_equal. field.
  - replace (order * epsilon) with (epsilon / 2 + (order - / 2) * epsilon) by field.
    replace ((1 - order) * epsilon) with (epsilon / 2 + - ((order - / 2) * epsilon)) by field.
    rewrite !exp_plus. field.
Qed.
Theorem pure_to_concentrated {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) epsilon :
  (forall x y, near x y -> near y x) -> private near M (pure epsilon) ->
  private near M (concentrated (epsilon ^ 2 / 2)).
Proof. intros symmetric H x y N. apply pure_to_concentrated_laws; [apply H, N | apply H, symmetric, N]. Qed.

(* Randomised response tells the truth three times as often as a lie: it is ln 3 in pure DP, hence (ln 3)^2 / 2 in zCDP;
   and a thousand answers cost in approximate DP what follows. *)
Example response_pure : private any response (pure (ln 3)).
Proof.
  intros x y _ f [_ between]. rewrite exp_ln by lra. pose proof (between true). pose proof (between false).
  destruct x, y; simpl; lra.
Qed.
Example response_concentrated : private any response (concentrated (ln 3 ^ 2 / 2)).
Proof. apply pure_to_concentrated; [intros x y N; exact I | apply response_pure]. Qed.
Example thousand_responses delta : 0 < delta < 1 ->
  private any (repeated response 1000) (approximate (INR 1000 * (ln 3 ^ 2 / 2)
    + 2 * sqrt (INR 1000 * (ln 3 ^ 2 / 2) * ln (1 / delta))) delta).
Proof. intro D. apply concentrated_to_approximate, compose_many_draws_concentrated, response_concentrated. exact D. Qed.
Example many_orders order : 1 < order -> private any response (renyi order (ln 3 ^ 2 / 2 * order)).
Proof. intro A. apply concentrated_to_renyi; [exact A | apply response_concentrated]. Qed.

(* Theorems of rules, applied to something concrete: that what they assume can be met.

   No example here assumes anything.  `make rocq` asks the prover what such examples rest on, and compares that with the
   theorems that rules.toml names.  Here are conversions, compositions, tables and finite laws;
   the other files whose names end so have noise, sensitivities, selections and accuracy. *)
From Coq Require Import Reals Lra Lia List Bool QArith Qreals ZArith.
From Coquelicot Require Series Hierarchy.
From Interval Require Import Tactic.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Renyi RenyiOfPure GaussianPrivacy Finite Definitions Rounds Optimal Sampling.
Import ListNotations.
Open Scope R_scope.

(** * Conversions, compositions, and what is made of an answer: a bit is told with probability 3/4, else its opposite *)

Definition pair_of_bits (x y : bool) := True.
Definition negation : kernel (plain bool) (plain bool) :=
  plain_kernel (fun bit => certain (O := plain bool) (negb bit)).
Lemma answered : private pair_of_bits Rounds.answered (pure (ln 3)).
Proof. apply (Rounds.answered_pure _ (fun bit => bit)). Qed.
Lemma answered_concentrated : private pair_of_bits Rounds.answered (Renyi.concentrated (ln 3 ^ 2 / 2)).
Proof. apply RenyiOfPure.pure_to_concentrated; [intros; exact I | exact answered]. Qed.
Lemma ln_increases a b : 0 < a -> a < b -> ln a < ln b.
Proof. apply ln_increasing. Qed.
Lemma answered_renyi : private pair_of_bits Rounds.answered (Renyi.renyi 4 (ln 3 ^ 2 / 2 * 4)).
Proof. apply Renyi.concentrated_to_renyi; [lra | exact answered_concentrated]. Qed.

Example negated : private pair_of_bits (fun x => then_run (Rounds.answered x) negation) (approximate (ln 3) 0).
Proof. exact (Privacy.post_process _ _ negation _ _ answered). Qed.
Example negated_renyi :
  private pair_of_bits (fun x => then_run (Rounds.answered x) negation) (Renyi.renyi 4 (ln 3 ^ 2 / 2 * 4)).
Proof. apply Renyi.post_process_renyi; [lra | exact answered_renyi]. Qed.
Example negated_concentrated :
  private pair_of_bits (fun x => then_run (Rounds.answered x) negation) (Renyi.concentrated (ln 3 ^ 2 / 2)).
Proof. exact (Renyi.post_process_concentrated _ _ negation _ answered_concentrated). Qed.
Example negated_gaussian : private pair_of_bits (fun x => then_run (Optimal.told_3_of_4 x) negation)
  (GaussianPrivacy.gaussian (4 * 4)).
Proof. exact (GaussianPrivacy.post_process_gaussian _ _ negation _ GaussianPrivacy.told_3_of_4_gaussian). Qed.

Example told_by_two_renyi : private pair_of_bits (fun x => both (Rounds.answered x) (always (Rounds.answered x)))
  (Renyi.renyi 4 (ln 3 ^ 2 / 2 * 4 + ln 3 ^ 2 / 2 * 4)).
Proof. apply Renyi.compose_renyi; [lra | exact answered_renyi | exact answered_renyi]. Qed.
Example told_by_two_concentrated :
  private pair_of_bits (fun x => both (Rounds.answered x) (always (Rounds.answered x)))
    (Renyi.concentrated (ln 3 ^ 2 / 2 + ln 3 ^ 2 / 2)).
Proof. exact (Renyi.compose_concentrated _ _ _ _ _ answered_concentrated answered_concentrated). Qed.
Example told_by_two_gaussian :
  private pair_of_bits (fun x => both (Optimal.told_3_of_4 x) (always (Optimal.told_3_of_4 x)))
    (GaussianPrivacy.gaussian (4 * 4 + 4 * 4)).
Proof. apply GaussianPrivacy.compose_gaussian; try lra; exact GaussianPrivacy.told_3_of_4_gaussian. Qed.
Example two_bits_apart : GaussianPrivacy.gaussian (INR 2 ^ 2 * (4 * 4)) (Optimal.told_3_of_4 (Nat.even 0))
  (Optimal.told_3_of_4 (Nat.even 2)).
Proof.
  apply (GaussianPrivacy.group_gaussian pair_of_bits Optimal.told_3_of_4 (4 * 4) Nat.even 2); try lra; try lia.
  - exact GaussianPrivacy.told_3_of_4_gaussian.
  - intros. exact I.
Qed.
Example told_ten_times_advanced :
  private pair_of_bits (Optimal.repeated (fun P p => always p) Optimal.told_3_of_4 10)
    (approximate (ln 3 * sqrt (2 * INR 10 * ln (1 / (1 / 100))) + INR 10 * ln 3 * (exp (ln 3) - 1) / (exp (ln 3) + 1))
      (INR 10 * 0 + 1 / 100)).
Proof.
  pose proof (ln_increases 1 3 ltac:(lra) ltac:(lra)) as L. rewrite ln_1 in L.
  apply Optimal.compose_advanced; try lra; try lia; try reflexivity.
  exact Optimal.told_3_of_4_private.
Qed.
(* One response of (ln 3, 0): no delta at ln 3 is less than the least. *)
Example least_delta_of_one : Optimal.least_delta [(ln 3, 0)] (ln 3 + 0) <= 0 + 0.
Proof.
  pose proof (ln_increases 1 3 ltac:(lra) ltac:(lra)) as L. rewrite ln_1 in L.
  apply Optimal.compose_optimal_is_least; [repeat constructor; simpl; lra |].
  apply (compose pair_of_bits (Optimal.response (ln 3) 0) (Optimal.responses [])); [lra | |].
  - apply Optimal.response_private; lra.
  - intros x y _ f F. simpl. rewrite exp_0. lra.
Qed.
Example negated_twice : stable pair_of_bits (fun x => negb (negb x)) pair_of_bits.
Proof. apply (Privacy.chain_stable pair_of_bits pair_of_bits pair_of_bits negb negb); intros x y _; exact I. Qed.

Example answered_many_times : private pair_of_bits
  (fun x => Rounds.draws (Rounds.answered x) (Rounds.plain_integrates (Rounds.answered x)) 10)
  (approximate (INR 10 * ln 3) (INR 10 * 0)).
Proof. apply (Rounds.compose_many _ _ (fun x => Rounds.plain_integrates (Rounds.answered x))), answered. Qed.
Example answered_many_times_renyi : private pair_of_bits
  (fun x => Rounds.draws (Rounds.answered x) (Rounds.plain_integrates (Rounds.answered x)) 10)
  (Renyi.renyi 4 (INR 10 * (ln 3 ^ 2 / 2 * 4))).
Proof.
  apply (Rounds.compose_many_renyi _ _ (fun x => Rounds.plain_integrates (Rounds.answered x))); [lra |].
  exact answered_renyi.
Qed.
Example answered_many_times_concentrated : private pair_of_bits
  (fun x => Rounds.draws (Rounds.answered x) (Rounds.plain_integrates (Rounds.answered x)) 10)
  (Renyi.concentrated (INR 10 * (ln 3 ^ 2 / 2))).
Proof.
  apply (Rounds.compose_many_concentrated _ _ (fun x => Rounds.plain_integrates (Rounds.answered x))).
  exact answered_concentrated.
Qed.
Example answered_together : private pair_of_bits
  (Rounds.together (fun _ => Rounds.answered) (fun _ _ x => Rounds.plain_integrates (Rounds.answered x)) 2)
  (approximate (Tables.total 2 (fun _ => ln 3)) (Tables.total 2 (fun _ => 0))).
Proof. apply Rounds.compose_together. intros i _. exact answered. Qed.
Example reported : private pair_of_bits
  (fun bit => then_run (Rounds.answered bit) (plain_kernel (fun kept =>
    Rounds.draws (Rounds.answered kept) (Rounds.plain_integrates (Rounds.answered kept)) 3))) (pure (ln 3)).
Proof. exact (Rounds.many_reports 3). Qed.

(** * Other measures *)

Lemma ln_3_positive : 0 < ln 3.
Proof. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Example answered_loss : private pair_of_bits Rounds.answered (Finite.loss_tail (ln 3) 0).
Proof. exact (Definitions.pure_to_loss_tail _ _ _ answered). Qed.
Example answered_loss_of_approximate : private pair_of_bits Rounds.answered
  (Finite.loss_tail (ln 4) (0 * exp (ln 4) / (exp (ln 4) - exp (ln 3)))).
Proof. apply Definitions.approximate_to_loss_tail; [apply ln_increasing; lra | exact answered]. Qed.
Example answered_ratio : private pair_of_bits Rounds.answered (Finite.ratio (ln 2) (exp (ln 3) - exp (ln 2))).
Proof. apply Definitions.pure_to_ratio; [left; apply ln_increasing; lra | exact answered]. Qed.
Example answered_ratio_is_pure : private pair_of_bits Rounds.answered
  (pure (ln (exp (ln 2) + (exp (ln 3) - exp (ln 2))))).
Proof. exact (Definitions.ratio_to_pure _ _ _ _ answered_ratio). Qed.
Example answered_weaker_ratio : Finite.ratio (ln 2) 2 (Rounds.answered true) (Rounds.answered false).
Proof.
  apply (Definitions.weaken_ratio _ _ (ln 2) (exp (ln 3) - exp (ln 2))); [lra | rewrite !exp_ln; lra |].
  exact (answered_ratio true false I).
Qed.
Example answered_weaker_loss : Finite.loss_tail (ln 4) (1 / 10) (Rounds.answered true) (Rounds.answered false).
Proof.
  apply (Definitions.weaken_loss_tail _ _ (ln 3) 0); [left; apply ln_increasing; lra | lra |].
  exact (answered_loss true false I).
Qed.
(* A claim for every epsilon of at least ln 3, at 2. *)
Example answered_at_2 : private pair_of_bits Rounds.answered (pure 2).
Proof.
  refine (Definitions.instantiate (fun epsilon => ln 3 <= epsilon) (fun epsilon =>
    private pair_of_bits Rounds.answered (pure epsilon)) (fun _ : unit => 2) _ tt _).
  - intros epsilon more x y near. apply (weaken_pure _ _ (ln 3)); [exact more | apply answered, near].
  - rewrite <- (ln_exp 2). left. apply ln_increasing; [lra |]. replace 2 with (1 + 1) by ring. rewrite exp_plus.
    pose proof (exp_ineq1_le 1). assert (2 * 2 <= exp 1 * exp 1) by (apply Rmult_le_compat; lra). lra.
Qed.
(* The masses 1/2, 1/4, 1/8, ... *)
Lemma halves_positive n : 0 <= 1 / 2 * (1 / 2) ^ n.
Proof. apply Rmult_le_pos; [lra | apply pow_le; lra]. Qed.
Lemma halves_sum : Series.is_series (V := Hierarchy.R_NormedModule) (fun n => 1 / 2 * (1 / 2) ^ n) 1.
Proof.
  pose proof (Series.is_series_geom (1 / 2) ltac:(rewrite Rabs_right; lra)) as powers.
  apply (Series.is_series_scal (V := Hierarchy.R_NormedModule) (1 / 2)) in powers.
  change (Series.is_series (V := Hierarchy.R_NormedModule) (fun n => 1 / 2 * (1 / 2) ^ n) (1 / 2 * / (1 - 1 / 2)))
    in powers.
  replace (1 / 2 * / (1 - 1 / 2)) with 1 in powers by field. exact powers.
Qed.
Example geometric_is_approximate :
  private pair_of_bits (fun _ => Definitions.law_of_masses _ halves_positive halves_sum) (approximate 0 0).
Proof.
  apply (Definitions.loss_tail_to_approximate_countable _ _ (fun _ n => 1 / 2 * (1 / 2) ^ n)).
  - intro. apply Definitions.law_of_masses_has_them.
  - apply Definitions.pure_to_loss_tail. intros x y _ f F. rewrite exp_0. lra.
Qed.
(* The weight 1 at 0 alone has the sum 1, and not 2. *)
Example wrong_sum : ~ forall v : unit, True ->
  Definitions.integrate R (Definitions.expectation (certain (O := plain R) 0)) (fun _ => exp 0 / 2) = 1.
Proof.
  apply (Definitions.wrong_normaliser (Definitions.expectation (certain (O := plain R) 0)) (fun _ : unit => True)
    (fun _ _ => 0) (fun _ => 1) (fun _ => 2) tt); try lra; auto. intros _ _. split.
  - exact (observable_constant (plain R) (exp 0)).
  - apply exp_0.
Qed.

(** * Tables: whether the number of rows is even is told with probability 3/4, else the opposite *)

Definition any_row (n : nat) := True.
Lemma parity_pure near : private near (Rounds.parity (Row := nat)) (pure (ln 3)).
Proof. apply (Rounds.answered_pure near (fun x => Nat.even (length x))). Qed.
Lemma parity_concentrated near : private near (Rounds.parity (Row := nat)) (Renyi.concentrated (ln 3 ^ 2 / 2)).
Proof.
  intros x y _. unfold Rounds.parity. apply answered_concentrated. exact I.
Qed.
Lemma parity_renyi near : private near (Rounds.parity (Row := nat)) (Renyi.renyi 4 (ln 3 ^ 2 / 2 * 4)).
Proof. apply Renyi.concentrated_to_renyi; [lra | apply parity_concentrated]. Qed.

Example ten_replacements : private (Tables.restricted (Tables.table_of any_row) (Tables.change_one (INR 10 * INR 1)))
  (Rounds.parity (Row := nat)) (approximate (INR 10 * ln 3) (0 * Rounds.powers (ln 3) 10)).
Proof. apply Rounds.group_change_one; [lia | apply parity_pure]. Qed.
Example ten_replacements_of_a_hundred :
  private (Tables.restricted (Tables.sized_table_of any_row 100) (Tables.change_one (INR 10 * INR 1)))
    (Rounds.parity (Row := nat)) (approximate (INR 10 * ln 3) (0 * Rounds.powers (ln 3) 10)).
Proof. apply Rounds.group_sized; [lia | apply parity_pure]. Qed.
Example ten_edits_in_closed_form :
  private (Tables.restricted (Tables.table_of any_row) (Tables.symmetric (INR 10 * INR 1)))
    (Rounds.parity (Row := nat)) (approximate (INR 10 * ln 3) (0 * ((exp (INR 10 * ln 3) - 1) / (exp (ln 3) - 1)))).
Proof. apply Rounds.group_any_size; [exact ln_3_positive | apply parity_pure | lia]. Qed.
Example two_replacements_renyi :
  private (Tables.restricted (Tables.table_of any_row) (Tables.change_one (2 * INR 1)))
    (Rounds.parity (Row := nat)) (Renyi.renyi (4 / 2) (ln 3 ^ 2 / 2 * 4 * (2 * 4 - 1) / (4 - 1))).
Proof. apply Rounds.group_renyi_change_one; [lra | apply parity_renyi]. Qed.
Example two_replacements_of_a_hundred_renyi :
  private (Tables.restricted (Tables.sized_table_of any_row 100) (Tables.change_one (2 * INR 1)))
    (Rounds.parity (Row := nat)) (Renyi.renyi (4 / 2) (ln 3 ^ 2 / 2 * 4 * (2 * 4 - 1) / (4 - 1))).
Proof. apply Rounds.group_renyi_sized; [lra | apply parity_renyi]. Qed.

(* One round, in which rows are mapped to their successors first. *)
Definition mapped (x : Tables.table nat) : law (product (plain bool) (plain unit)) :=
  both (Rounds.parity (map S x)) (always (certain (O := plain unit) tt)).
Lemma mapped_once : Rounds.mapped_by_rows any_row any_row (Rounds.parity (Row := nat)) 1 _ mapped.
Proof.
  apply (Rounds.mapped_round any_row any_row Rounds.parity S 0 (plain unit)
    (fun _ => always (certain (O := plain unit) tt))); [intros; exact I |].
  intro. apply (Rounds.no_more any_row any_row Rounds.parity (plain unit) (certain (O := plain unit) tt)).
Qed.
Example mapped_change_one : private (Tables.restricted (Tables.table_of any_row) (Tables.change_one 1)) mapped
  (approximate (INR 1 * ln 3) (INR 1 * 0)).
Proof.
  exact (Rounds.mapped_rounds_change_one any_row any_row _ 1 (ln 3) 0 1 _ _ (parity_pure _) mapped_once).
Qed.
Example mapped_sized : private (Tables.restricted (Tables.sized_table_of any_row 100) (Tables.change_one 1)) mapped
  (approximate (INR 1 * ln 3) (INR 1 * 0)).
Proof.
  exact (Rounds.mapped_rounds_sized any_row any_row _ 100 1 (ln 3) 0 1 _ _ (parity_pure _) mapped_once).
Qed.
Lemma maps_are_stable (f : nat -> nat) : (forall r, any_row r -> any_row (f r)) ->
  stable (fun x y : Tables.table nat => length x = length y) (map f) (fun x y => length x = length y).
Proof. intros _ x y same. rewrite !map_length. exact same. Qed.
Example mapped_pure : private (fun x y : Tables.table nat => length x = length y) mapped (pure (INR 1 * ln 3)).
Proof. exact (Rounds.mapped_rounds_pure any_row any_row _ _ _ _ 1 _ _ maps_are_stable (parity_pure _) mapped_once). Qed.
Example mapped_renyi : private (fun x y : Tables.table nat => length x = length y) mapped
  (Renyi.renyi 4 (INR 1 * (ln 3 ^ 2 / 2 * 4))).
Proof.
  refine (Rounds.mapped_rounds_renyi any_row any_row _ _ _ 4 _ 1 _ _ _ maps_are_stable (parity_renyi _) mapped_once).
  lra.
Qed.
(* Ten rounds at most tell of a row whether it is even; a bit 1 in some of ten is likelier where rows are so. *)
Example some_round_tells : ~ forall choose, private (fun x y : list bool => True)
  (Definitions.mapped_rounds false (fun x => Finite.coin (if hd false x then 3 / 4 else 1 / 4)) 2 choose)
  (approximate 0 (1 / 4)).
Proof.
  apply (Definitions.likelier_in_some_mapped_round _ false 2 _ 0 (1 / 4) [true] [false]
    (fun bit : bool => if bit then 1 else 0) (3 / 4) (1 / 4)); simpl.
  - exact I.
  - apply Finite.plain_test. intros [|]; lra.
  - rewrite Finite.E_coin; lra.
  - rewrite Finite.E_coin; lra.
  - rewrite exp_0. lra.
Qed.

(* Even and odd rows apart, and whether there is an even number of them. *)
Definition even_or_odd (n : nat) : option nat := if Nat.even n then Some 0%nat else Some 1%nat.
Lemma parity_has_no_order : Rounds.unordered (Tables.table_of any_row) (Rounds.parity (Row := nat)).
Proof. intros x y _ _ same f F. unfold Rounds.parity. rewrite (Permutation.Permutation_length same). reflexivity. Qed.
Definition parts := Rounds.on_parts even_or_odd (fun _ => Rounds.parity (Row := nat))
  (fun _ _ x => Rounds.plain_integrates (Rounds.parity x)) 2.
Example parts_approximate : private (Tables.restricted (Tables.table_of any_row) (Tables.symmetric 1)) parts
  (approximate (Rounds.greatest (fun _ => ln 3) 1) (Rounds.greatest (fun _ => 0) 1)).
Proof. apply Rounds.parallel; intros i _; [exact parity_has_no_order | apply parity_pure]. Qed.
Example parts_renyi : private (Tables.restricted (Tables.table_of any_row) (Tables.symmetric 1)) parts
  (Renyi.renyi 4 (Rounds.greatest (fun _ => ln 3 ^ 2 / 2 * 4) 1)).
Proof. apply Rounds.parallel_renyi; [| lra |]; intros i _; [exact parity_has_no_order | apply parity_renyi]. Qed.
Example parts_concentrated : private (Tables.restricted (Tables.table_of any_row) (Tables.symmetric 1)) parts
  (Renyi.concentrated (Rounds.greatest (fun _ => ln 3 ^ 2 / 2) 1)).
Proof. apply Rounds.parallel_concentrated; intros i _; [exact parity_has_no_order | apply parity_concentrated]. Qed.

(** * Laws on finitely many outcomes *)

Example filters_exchanged : private (Finite.exchanged_filters 10 1)
  (fun x => Finite.report (3 / 4) (1 / 4) (seq 0 10) (Finite.filter_sets x)) (pure (1 * ln 9)).
Proof. apply Finite.bitwise_law_exchange; unfold Finite.ratio_bounds_an_exchanged_bit; lra. Qed.
Example filters_changed : private (Finite.l1_filters 10 1)
  (fun x => Finite.report (3 / 4) (1 / 4) (seq 0 10) (Finite.filter_sets x)) (pure (1 * ln 3)).
Proof. apply Finite.bitwise_law_l1; unfold Finite.ratio_bounds_a_changed_bit; lra. Qed.
Example filters_sent : private (Finite.any_values 10)
  (fun x => Finite.sent_report (3 / 4) (1 / 4) 10 3 (Finite.value_sets x)) (pure (ln 9)).
Proof. apply Finite.bitwise_law_sent; unfold Finite.ratio_bounds_an_exchanged_bit; lra || lia. Qed.
Example filters_exchanged_sent : private (Finite.exchanged_filters 10 1)
  (fun x => Finite.sent_report (3 / 4) (1 / 4) 10 3 (Finite.filter_sets x)) (pure (1 * ln 9)).
Proof. apply Finite.bitwise_law_exchange_sent; unfold Finite.ratio_bounds_an_exchanged_bit; lra || lia. Qed.
Example filters_changed_sent : private (Finite.l1_filters 10 1)
  (fun x => Finite.sent_report (3 / 4) (1 / 4) 10 3 (Finite.filter_sets x)) (pure (1 * ln 3)).
Proof. apply Finite.bitwise_law_l1_sent; unfold Finite.ratio_bounds_a_changed_bit; lra || lia. Qed.

(* Randomised response by its masses, 3/4 and 1/4: what is greatest is computed. *)
Definition response := Finite.enumerated true [true; false] Finite.three_quarters.
Definition neighbours := Finite.are_neighbours [true; false] (fun _ _ => true).
Example response_at_ln_2 : private neighbours response (approximate (ln (Q2R 2))
  (Q2R (Finite.greatest_hockey_stick [true; false] [true; false] (fun _ _ => true) Finite.three_quarters 2))).
Proof. apply Finite.finite_mechanism; [vm_compute; reflexivity | unfold Q2R; simpl; lra]. Qed.
Example response_loss_at_ln_2 : private neighbours response (Finite.loss_tail (ln (Q2R 2))
  (Q2R (Finite.greatest_tail [true; false] [true; false] (fun _ _ => true) Finite.three_quarters 2))).
Proof. apply Finite.finite_mechanism_loss_tail; [vm_compute; reflexivity | unfold Q2R; simpl; lra]. Qed.
Example response_ratio_at_ln_2 : private neighbours response
  (Finite.ratio (ln (Q2R 2)) (Rmax (Q2R 3 - Q2R 2) 0)).
Proof.
  apply Finite.finite_mechanism_ratio; [vm_compute; reflexivity | vm_compute; reflexivity | unfold Q2R; simpl; lra].
Qed.

(* That it is (epsilon, 0)-DP for every epsilon of at least 0 is false at ln 2. *)
Lemma ln_2_positive : 0 <= ln 2.
Proof. left. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Example not_private_at_every_epsilon : ~ forall epsilon, 0 <= epsilon -> private neighbours response (pure epsilon).
Proof.
  apply (Finite.false_instance (fun epsilon => 0 <= epsilon) (fun epsilon => private neighbours response (pure epsilon))
    (private neighbours response (pure (ln 2))) (ln 2)); [exact ln_2_positive | auto |].
  exact Finite.response_is_not_ln_2.
Qed.
Example not_approximately_private_at_every_epsilon : ~ forall epsilon, 0 <= epsilon ->
  private neighbours response (approximate (epsilon / 2) 0).
Proof.
  apply (Finite.false_instance_approximate (fun epsilon => 0 <= epsilon) (fun _ => neighbours) (fun _ => response)
    (fun epsilon => epsilon / 2) (fun _ => 0) (ln 2) (ln 2) 0); [exact ln_2_positive | | lra |].
  - pose proof ln_2_positive. lra.
  - exact Finite.response_is_not_ln_2.
Qed.
Example squares_grow : ~ forall x, 0 <= x -> x * x <= 2 * x.
Proof. exact Finite.squares_grow. Qed.

(* Coins with 3/4 and 1/4, at whether true is shown. *)
Definition coin (bit : bool) := Finite.coin (if bit then 3 / 4 else 1 / 4).
Definition shows_true : plain bool -> R := fun bit => if bit : bool then 1 else 0.
Lemma shows_true_is_a_test : test (O := plain bool) shows_true.
Proof. apply Finite.plain_test. intros [|]; unfold shows_true; lra. Qed.
Lemma E_of_coin bit f :
  E (coin bit) f = (if bit then 3 / 4 else 1 / 4) * f true + (1 - (if bit then 3 / 4 else 1 / 4)) * f false.
Proof. unfold coin. apply Finite.E_coin. destruct bit; lra. Qed.
Example coin_in_logarithms : ~ private pair_of_bits coin (pure 1).
Proof.
  assert (more : 1 < ln 3 - 0).
  { rewrite Rminus_0_r, <- (ln_exp 1). apply ln_increasing; [apply exp_pos | interval]. }
  apply (Finite.unlikely_elsewhere_in_logarithms pair_of_bits coin true false shows_true I shows_true_is_a_test
    1 (ln 3) 0 (1 / 4)); [lra | | | exact more]; rewrite E_of_coin; unfold shows_true.
  - rewrite exp_ln; lra.
  - rewrite exp_0. lra.
Qed.
Example coin_ratio : ~ private pair_of_bits coin (Finite.ratio 0 (1 / 10)).
Proof.
  apply (Finite.unlikely_elsewhere_ratio pair_of_bits coin true false shows_true I shows_true_is_a_test).
  rewrite !E_of_coin, exp_0. unfold shows_true. lra.
Qed.
Example coin_loss_tail : ~ private pair_of_bits coin (Finite.loss_tail 0 (1 / 2)).
Proof.
  apply (Finite.unlikely_elsewhere_loss_tail pair_of_bits coin true false shows_true I shows_true_is_a_test).
  - intros [|]; unfold shows_true; auto.
  - intros part [_ between] below. rewrite !E_of_coin, exp_0. specialize (below false). pose proof (between false).
    unfold shows_true in below. replace (part false) with 0 by lra. lra.
  - rewrite E_of_coin. unfold shows_true. lra.
Qed.
Example exponential_mechanism_at_1 : private (Finite.within_linf 1) (Finite.selected (fun score => 1 * score / (2 * 1)))
  (pure 1).
Proof. apply Finite.exponential_mechanism; lra. Qed.

(** * More conversions, budgets and samples *)

Example answered_approximately : private pair_of_bits Rounds.answered (approximate (ln 3) 0).
Proof. intros x y near. exact (Privacy.pure_to_approximate _ _ _ (answered x y near)). Qed.
Example answered_below : approximate (ln 2) ((exp (ln 3) - exp (ln 2)) / (exp (ln 3) + 1))
  (Rounds.answered true) (Rounds.answered false).
Proof.
  apply Privacy.pure_to_approximate_below; [exact ln_2_positive | left; apply ln_increasing; lra | |];
    apply answered; exact I.
Qed.
Example answered_at_order_2 : private pair_of_bits Rounds.answered (Renyi.renyi 2 (ln 3 ^ 2 / 2 * 4)).
Proof. apply (Renyi.renyi_at_smaller_order _ _ 4); [lra | lra | exact answered_renyi]. Qed.
Example answered_renyi_to_approximate : private pair_of_bits Rounds.answered
  (approximate (ln 3 ^ 2 / 2 * 4 + ln (1 / (1 / 100)) / (4 - 1)) (1 / 100)).
Proof. apply Renyi.renyi_to_approximate; [lra | lra | exact answered_renyi]. Qed.
Example answered_renyi_to_approximate_sharp : private pair_of_bits Rounds.answered
  (approximate (ln 3 ^ 2 / 2 * 4 + ln ((4 - 1) / 4) + ln (1 / (4 * (1 / 100))) / (4 - 1)) (1 / 100)).
Proof. apply Renyi.renyi_to_approximate_sharp; [lra | lra | exact answered_renyi]. Qed.
Example answered_concentrated_to_approximate : private pair_of_bits Rounds.answered
  (approximate (ln 3 ^ 2 / 2 + 2 * sqrt (ln 3 ^ 2 / 2 * ln (1 / (1 / 100)))) (1 / 100)).
Proof. apply Renyi.concentrated_to_approximate; [lra | exact answered_concentrated]. Qed.
Example answered_renyi_of_pure : private pair_of_bits Rounds.answered
  (Renyi.renyi 2 (ln ((exp (2 * ln 3) + exp ((1 - 2) * ln 3)) / (1 + exp (ln 3))) / (2 - 1))).
Proof. apply RenyiOfPure.pure_to_renyi; [intros; exact I | lra | exact answered]. Qed.

(* One answer, and nothing after it. *)
Definition asked_once (x : bool) : law (product (plain bool) (plain unit)) :=
  both (Rounds.answered x) (always (certain (O := plain unit) tt)).
Lemma once {Loss : Type} (m : Loss -> measure) plus (budget : Loss -> Prop) loss left total :
  total = plus loss left -> budget loss -> budget left -> private pair_of_bits Rounds.answered (m loss (plain bool)) ->
  Rounds.on_budget pair_of_bits m plus budget total (product (plain bool) (plain unit)) asked_once.
Proof.
  intros sum spent rest H.
  apply (Rounds.spent pair_of_bits m plus budget loss left total (plain bool) (plain unit) Rounds.answered
    (fun _ => always (certain (O := plain unit) tt)) sum spent rest H).
  intro o. apply Rounds.stopped. exact rest.
Qed.
Lemma half_a_square : 0 <= ln 3 ^ 2 / 2.
Proof. pose proof (pow2_ge_0 (ln 3)). lra. Qed.
Example budget_approximate : private pair_of_bits asked_once (approximate (ln 3) 0).
Proof.
  apply Rounds.filtered. pose proof ln_3_positive. apply (once Rounds.approximately Rounds.added _ (ln 3, 0) (0, 0)).
  - unfold Rounds.added. simpl. f_equal; ring.
  - simpl. lra.
  - simpl. lra.
  - exact answered.
Qed.
Example budget_renyi : private pair_of_bits asked_once (Renyi.renyi 4 (ln 3 ^ 2 / 2 * 4)).
Proof.
  apply Rounds.filtered_renyi; [lra |]. pose proof half_a_square.
  apply (once (@Renyi.renyi 4) Rplus _ (ln 3 ^ 2 / 2 * 4) 0); [ring | lra | lra | exact answered_renyi].
Qed.
Example budget_concentrated : private pair_of_bits asked_once (Renyi.concentrated (ln 3 ^ 2 / 2)).
Proof.
  apply Rounds.filtered_concentrated. pose proof half_a_square.
  apply (once (fun rho => @Renyi.concentrated rho) Rplus _ (ln 3 ^ 2 / 2) 0); [ring | lra | lra |].
  exact answered_concentrated.
Qed.

Example ten_edits_concentrated :
  private (Tables.restricted (Tables.table_of any_row) (Tables.symmetric (INR 10 * INR 1)))
    (Rounds.parity (Row := nat)) (Renyi.concentrated (INR 10 ^ 2 * (ln 3 ^ 2 / 2))).
Proof. apply Rounds.group_concentrated; [lia | apply parity_concentrated]. Qed.
Example two_edits_renyi :
  private (Tables.restricted (Tables.table_of any_row) (Tables.symmetric (2 * INR 1)))
    (Rounds.parity (Row := nat)) (Renyi.renyi (4 / 2) (ln 3 ^ 2 / 2 * 4 * (2 * 4 - 1) / (4 - 1))).
Proof. apply Rounds.group_renyi; [lra | apply parity_renyi]. Qed.
Example mapped_concentrated : private (fun x y : Tables.table nat => length x = length y) mapped
  (Renyi.concentrated (INR 1 * (ln 3 ^ 2 / 2))).
Proof.
  exact (Rounds.mapped_rounds_concentrated any_row any_row _ _ _ _ 1 _ _ maps_are_stable (parity_concentrated _)
    mapped_once).
Qed.
Example ten_of_a_hundred :
  private (Tables.restricted (Tables.sized_table_of any_row 100) (Tables.change_one 1))
    (Sampling.on_fixed_size_sample 10 (Rounds.parity (Row := nat)))
    (approximate (Sampling.amplified (INR 10 / INR 100) (ln 3)) (INR 10 / INR 100 * 0)).
Proof.
  apply Sampling.fixed_size_sampled_of_tables; [lia | apply Sampling.parity_unordered | left; exact ln_3_positive |].
  apply parity_pure.
Qed.
Example ten_of_a_hundred_pure :
  private (Tables.restricted (Tables.sized_table_of any_row 100) (Tables.change_one 1))
    (Sampling.on_fixed_size_sample 10 (Rounds.parity (Row := nat)))
    (pure (Sampling.amplified (INR 10 / INR 100) (ln 3))).
Proof.
  apply Sampling.fixed_size_sampled_of_tables_pure; [lia | apply Sampling.parity_unordered | apply parity_pure].
Qed.

(* Reports that support a value, one of 3 or of 4, with probability 3/4: each value is supported by half of them. *)
Definition value_of (size : nat) (a b : nat) := (a < size)%nat /\ (b < size)%nat.
Example hadamard_of_three : private (value_of 3) (fun x => Finite.listed 0%nat (seq 0 (2 ^ 2))
  (Finite.supported_mass (seq 0 (2 ^ 2)) (Finite.column_supports 2) (1 / 2) (3 / 4) x)) (pure (ln 3)).
Proof. apply Finite.supported_law_hadamard; lra || (simpl; lia). Qed.
Example hadamard_entry_of_four : private (value_of 4) (fun x => Finite.listed (0%nat, false) (Finite.rows_with_a_bit 4)
  (Finite.supported_mass (Finite.rows_with_a_bit 4) (Finite.bit_supports (Finite.is_odd 2)) (1 / 2) (3 / 4) x))
  (pure (ln 3)).
Proof. apply Finite.supported_law_hadamard_entry; lra || lia. Qed.
Example one_bit_of_four : private (value_of 4) (fun x => Finite.listed (0%nat, false) (Finite.rows_with_a_bit 4)
  (Finite.supported_mass (Finite.rows_with_a_bit 4) (Finite.bit_supports Nat.eqb) (1 / 2) (3 / 4) x)) (pure (ln 3)).
Proof. apply Finite.supported_law_one_bit; lra || lia. Qed.

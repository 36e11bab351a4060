(* Theorems about selections, noise by levels, sparse vector, unknown keys and tests, applied to something concrete.

   No example here assumes anything: see Instances.v. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Hierarchy RInt Rcomplements.
From Refdp Require Import Laws Privacy.
From Refdp Require Definitions Line BoundNoise Selection SparseVector.
Import ListNotations.
Open Scope R_scope.

Lemma one : 0 < 1.
Proof. lra. Qed.
Lemma two : 0 < 2.
Proof. lra. Qed.
Lemma four : 0 < 4.
Proof. lra. Qed.

(** * Selections *)

Lemma halves_move_less d_in u v : Rabs (u - v) <= d_in -> 2 * (u / 2 - v / 2) <= d_in.
Proof. intro near. pose proof (Rle_abs (u - v)). lra. Qed.
Example chosen_by_weights :
  private (Selection.scores_monotone 1) (Selection.by_weights (fun q => q / 2)) (pure (1 / 2)).
Proof.
  apply (Selection.monotone_selection (fun q => q / 2) _ (fun d => d)).
  - apply Selection.by_weights_masses.
  - exact halves_move_less.
  - intros u v below. lra.
Qed.
Example three_by_weights : private (fun s s' => (3 <= length s)%nat /\ Selection.scores_monotone 1 s s')
  (Selection.peeled_law (Selection.by_weights (fun q => 1 * q)) 3) (pure (INR 3 * (2 * 1 * 1 / 2))).
Proof. apply Selection.three_greatest_counts. lra. Qed.
(* Permute-and-flip, with a coin that comes up with probability e^(-gap / 2): the law of the greatest score with
   exponential noise of scale 2. *)
Lemma flips_are_probabilities gap : 0 <= gap -> - (gap / 2) <= 0 /\ - (0 / 2) = 0.
Proof. intro G. split; lra. Qed.
Definition flips := Selection.permute_and_flip (fun gap => - (gap / 2)) flips_are_probabilities.
Lemma flips_win s : s <> [] -> Selection.has_masses (flips s) (length s) (Selection.exponential_winning 2 s).
Proof.
  intros some f F. unfold flips. rewrite (Selection.permute_and_flip_masses _ _ s some f F).
  apply Selection.over_same. intros i small.
  rewrite (Selection.exponential_winning_is_flip_mass 2 two (fun gap => - (gap / 2)) s i (fun _ _ => eq_refl) small).
  reflexivity.
Qed.
Example flipped : private (Selection.scores_within 1) flips (pure (2 * 1 / 2)).
Proof. exact (Selection.exponential_noisy_max 2 1 flips two flips_win). Qed.
Example three_flipped : private (fun s s' => (3 <= length s)%nat /\ Selection.scores_within 1 s s')
  (Selection.peeled_law flips 3) (pure (INR 3 * (2 * 1 / 2))).
Proof. exact (Selection.peeled flips 1 (2 * 1 / 2) 3 flipped). Qed.
(* Selection by weights e^(score / 2): the law of the greatest score with Gumbel noise of scale 2. *)
Definition weighted := Selection.by_weights (fun q => q / 2).
Lemma weighted_wins s : s <> [] -> Selection.has_masses (weighted s) (length s) (Selection.gumbel_winning 2 s).
Proof.
  intros some f F. unfold weighted. rewrite (Selection.by_weights_masses _ s some f F).
  apply Selection.over_same. intros i small.
  rewrite (Selection.gumbel_winning_is_weighted_mass 2 two (fun q => q / 2));
    [reflexivity | intros; field | exact small].
Qed.
Example gumbel_is_by_weights : Selection.same_laws (fun s => s <> []) weighted (Selection.by_weights (fun q => q / 2)).
Proof.
  apply (Selection.same_law_gumbel 2 two (fun q => q / 2)); [intros; field | exact weighted_wins |].
  apply Selection.by_weights_masses.
Qed.
Lemma three_by_weights_are_one_shot : Selection.is_one_shot 2 3 (Selection.peeled_law weighted 3).
Proof.
  intros s enough f F. rewrite (Selection.ranking_is_peeled 2 two weighted 3 weighted_wins _ [] f F).
  - simpl. ring.
  - rewrite combine_length, seq_length. lia.
Qed.
Example three_at_once : Selection.same_laws (fun s => (3 <= length s)%nat) (Selection.peeled_law weighted 3)
  (Selection.peeled_law (Selection.by_weights (fun q => q / 2)) 3).
Proof. exact (Selection.three_at_once two (Selection.peeled_law weighted 3) three_by_weights_are_one_shot). Qed.

(** * Sparse vector, unknown keys, propose-test-release *)

Example first_above : private (SparseVector.answers_within 1 1)
  (SparseVector.answers_above (SparseVector.discrete_laplace_noise 1 2 Rlt_0_1 two)
    (SparseVector.discrete_laplace_noise 1 4 Rlt_0_1 four) 10 1) (pure (1 / 2 + INR 1 * (2 * 1 / 4))).
Proof. exact (SparseVector.sparse_vector_of_counts two four). Qed.
Example first_above_of_counts : private (SparseVector.answers_in_one_direction 1 1)
  (SparseVector.answers_above (SparseVector.discrete_laplace_noise 1 2 Rlt_0_1 two)
    (SparseVector.discrete_laplace_noise 1 4 Rlt_0_1 four) 10 1) (pure (1 / 2 + INR 1 * (1 / 4))).
Proof.
  apply (SparseVector.above_threshold_monotone _ _ 10 1 1 (fun z => - (Rabs z / 2)) (fun z => - (Rabs z / 4))
    (fun d => d / 2) (fun d => d / 4)); try apply SparseVector.discrete_laplace_noise_density; try lra.
  - intros. apply SparseVector.laplace_moves; lra.
  - intros. apply SparseVector.laplace_moves; lra.
Qed.
Example stable_value : private (SparseVector.near_tested eq)
  (SparseVector.tested_release (SparseVector.discrete_laplace_noise 1 2 Rlt_0_1 two) (INR 40)
    (fun v => @certain (plain nat) v)) (approximate (1 / 2 + 0) (exp (- (INR 40 / 2)) / (1 + exp (- (1 / 2))))).
Proof. exact (SparseVector.stable_value two). Qed.
Example stable_value_approximate : private (SparseVector.near_tested eq)
  (SparseVector.tested_release (SparseVector.discrete_laplace_noise 1 2 Rlt_0_1 two) (INR 40)
    (fun v => @certain (plain nat) v))
  (approximate (1 / 2 + 0) (Rmax (1 / 10) (exp (- (INR 40 / 2)) / (1 + exp (- (1 / 2)))))).
Proof.
  apply (SparseVector.propose_test_release eq (fun v => @certain (plain nat) v)); [lra |].
  intros v _ [] f F. rewrite exp_0. simpl. lra.
Qed.
Definition noisy := SparseVector.discrete_laplace_noise 1 2 Rlt_0_1 two.
Definition add (key : nat) (x : R) (o : list (nat * R)) := (key, x) :: o.
Definition histogram := SparseVector.keys_above Nat.eq_dec noisy (1 + INR 40 * 1) (plain (list (nat * R))) [] add
  (SparseVector.add_observable_plain add) (SparseVector.told_observable_on_grids noisy _ [] add (fun _ B => B))
  SparseVector.listed_numbers.
Example histogram_one_more : private SparseVector.one_row_more histogram
  (approximate (1 / 2) (exp (- (INR 40 * 1 / 2)) / (1 + exp (- (1 / 2))))).
Proof. exact (SparseVector.stability_histogram two). Qed.
Example histogram_one_replaced : private SparseVector.one_row_replaced histogram
  (approximate (2 * (1 / 2)) (SparseVector.chance noisy (1 + INR 40 * 1 - 1))).
Proof.
  apply (SparseVector.thresholded_counts_change_one Nat.eq_dec noisy (1 + INR 40 * 1) (plain (list (nat * R))) [] add
    (SparseVector.add_observable_plain add) (SparseVector.told_observable_on_grids noisy _ [] add (fun _ B => B))
    SparseVector.listed_numbers 1 (fun z => - (Rabs z / 2)) (fun d => d / 2)).
  - right. exists 1%Z. ring.
  - apply SparseVector.discrete_laplace_noise_density.
  - intros. apply SparseVector.laplace_moves; lra.
  - apply SparseVector.numbers_in_order.
Qed.

(** * Noise by levels: e to the minus whole part of |z|, up to a constant *)

Definition stairs (z : R) : R := exp (- IZR (Int_part (Rabs z))).
Lemma whole_part n z : INR n <= z < INR n + 1 -> IZR (Int_part z) = INR n.
Proof.
  intros [low high]. destruct (base_Int_part z) as [below above]. rewrite INR_IZR_INZ in *. f_equal.
  assert (A : IZR (Int_part z) < IZR (Z.of_nat n) + 1) by lra.
  assert (B : IZR (Z.of_nat n) < IZR (Int_part z) + 1) by lra.
  rewrite <- plus_IZR in A, B. apply lt_IZR in A, B. lia.
Qed.
Lemma stairs_between z : exp (- Rabs z / 1) <= stairs z <= exp 1 * exp (- (1) * Rabs z).
Proof.
  destruct (base_Int_part (Rabs z)) as [below above]. unfold stairs. rewrite <- exp_plus.
  split; apply exp_le; lra.
Qed.
Lemma stairs_up n : RInt.ex_RInt (V := Hierarchy.R_NormedModule) stairs 0 (INR n).
Proof.
  induction n as [| n I]; [apply RInt.ex_RInt_point |].
  apply (RInt.ex_RInt_Chasles (V := Hierarchy.R_NormedModule) stairs 0 (INR n) _ I). rewrite S_INR.
  apply (RInt.ex_RInt_ext (V := Hierarchy.R_NormedModule) (fun _ => exp (- INR n))); [| apply RInt.ex_RInt_const].
  rewrite Rmin_left, Rmax_right by lra. intros x X. pose proof (pos_INR n). unfold stairs.
  rewrite Rabs_right by lra. rewrite (whole_part n) by lra. reflexivity.
Qed.
Lemma stairs_down n : RInt.ex_RInt (V := Hierarchy.R_NormedModule) stairs (- INR n) 0.
Proof.
  apply RInt.ex_RInt_swap. pose proof (RInt.ex_RInt_comp_opp (V := Hierarchy.R_NormedModule) stairs 0 (- INR n)) as up.
  rewrite Ropp_0, Ropp_involutive in up. specialize (up (stairs_up n)).
  apply (RInt.ex_RInt_scal (V := Hierarchy.R_NormedModule) _ _ _ (-1)) in up.
  apply (fun same => RInt.ex_RInt_ext (V := Hierarchy.R_NormedModule) _ _ _ _ same up). intros x _.
  change (-1 * - stairs (- x) = stairs x). unfold stairs. rewrite Rabs_Ropp. ring.
Qed.
Lemma stairs_integrable : Line.integrable stairs.
Proof.
  assert (ordered : forall a b, a <= b -> RInt.ex_RInt (V := Hierarchy.R_NormedModule) stairs a b).
  { intros a b order. assert (far : exists n, Rmax (- a) b <= INR n).
    { exists (Z.to_nat (up (Rmax (- a) b))). destruct (archimed (Rmax (- a) b)) as [A _]. rewrite INR_IZR_INZ.
      destruct (Z_le_dec 0 (up (Rmax (- a) b))) as [N | N]; [rewrite Z2Nat.id by exact N; lra |].
      assert (IZR (up (Rmax (- a) b)) <= 0) by (apply (IZR_le _ 0); lia).
      pose proof (IZR_le 0 (Z.of_nat (Z.to_nat (up (Rmax (- a) b)))) ltac:(lia)). lra. }
    destruct far as [n N].
    pose proof (Rmax_l (- a) b). pose proof (Rmax_r (- a) b).
    apply (RInt.ex_RInt_Chasles_1 (V := Hierarchy.R_CompleteNormedModule) stairs a b (INR n)); [lra |].
    apply (RInt.ex_RInt_Chasles_2 (V := Hierarchy.R_CompleteNormedModule) stairs (- INR n) a (INR n)); [lra |].
    apply (RInt.ex_RInt_Chasles (V := Hierarchy.R_NormedModule) stairs _ 0); [apply stairs_down | apply stairs_up]. }
  intros a b. destruct (Rle_lt_dec a b) as [up | down]; [apply ordered, up |].
  apply RInt.ex_RInt_swap, ordered. lra.
Qed.
Lemma stairs_dominated : Line.dominated stairs.
Proof.
  split; [exact stairs_integrable |]. exists (exp 1), 1. split; [lra |]. intro z.
  rewrite Rabs_right; [apply stairs_between |]. apply Rle_ge. left. apply exp_pos.
Qed.
Definition total := Definitions.integrate R Definitions.line.
Definition all_stairs := total stairs.
Lemma stairs_on_line : Definitions.integrable Definitions.line stairs /\ 0 < all_stairs.
Proof.
  destruct (Definitions.line_is _ _ (Line.integral_correct _ stairs_dominated)) as [F _]. split; [exact F |].
  destruct (Definitions.noise_on_the_line _ _ _ (Line.laplace_continuous 1) (Line.laplace_tail 1 one)) as (G & N & _).
  eapply Rlt_le_trans; [exact N |]. apply (Definitions.integral_monotone _ _ _ G F). apply stairs_between.
Qed.
Definition step_density (x y : R) : R := / all_stairs * stairs (y + - x).
Lemma step_density_positive x y : 0 <= step_density x y.
Proof.
  apply Rmult_le_pos; left; [apply Rinv_0_lt_compat, stairs_on_line | apply exp_pos].
Qed.
Lemma step_density_bounded x : bounded (step_density x).
Proof.
  exists (/ all_stairs * exp 1). intro y. pose proof (step_density_positive x y).
  assert (step_density x y <= / all_stairs * exp 1); [| lra].
  apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, stairs_on_line |].
  eapply Rle_trans; [apply stairs_between |]. rewrite <- exp_plus. apply exp_le. pose proof (Rabs_pos (y + - x)). lra.
Qed.
Lemma step_density_measurable x : Line.integrable (step_density x).
Proof.
  intros a b. apply (RInt.ex_RInt_scal (V := Hierarchy.R_NormedModule) (fun y => stairs (y + - x)) a b (/ all_stairs)).
  apply (Line.integrable_moved stairs (- x) stairs_integrable).
Qed.
Lemma step_density_whole x : Definitions.is_on_line (step_density x) 1.
Proof.
  destruct stairs_on_line as [F N]. destruct (Definitions.line_moves (- x) _ _ F eq_refl) as [G same].
  pose proof (Definitions.line_has _ (Definitions.integrable_multiple _ (/ all_stairs) _ G)) as whole.
  rewrite Definitions.integral_multiple, same in whole by exact G.
  replace 1 with (/ all_stairs * all_stairs) by (field; lra). exact whole.
Qed.
Definition step_noise (x : R) : law Line.line := BoundNoise.law_of_density (step_density x) (step_density_positive x)
  (step_density_bounded x) (step_density_measurable x) (step_density_whole x).
Definition shifted_line : SparseVector.integral 0.
Proof.
  refine (SparseVector.Integral 0 (Definitions.integrable Definitions.line) total _ _ _).
  - intros f g F G below. apply Definitions.integral_monotone; assumption.
  - intros c f F. split; [apply Definitions.integrable_multiple, F | apply Definitions.integral_multiple, F].
  - intros h f _ F. exact (Definitions.line_moves h f _ F eq_refl).
Defined.
Lemma height_is z : Selection.height 1 1 z = IZR (Int_part (Rabs z)).
Proof.
  unfold Selection.height, Selection.height_of, Selection.level_of. unfold Rdiv. rewrite Rinv_1, Rmult_1_r.
  destruct (base_Int_part (Rabs z)) as [below above]. rewrite Rmult_1_r.
  destruct (Rle_dec 1 (Rabs z - IZR (Int_part (Rabs z)))); lra.
Qed.
Example noise_by_levels : private (fun a b => Rabs (a - b) <= 1) step_noise (pure 1).
Proof.
  apply (Selection.level_noise 1 1 (fun h => - h) ltac:(lra) Line.line (fun y => y) shifted_line all_stairs step_noise).
  - apply stairs_on_line.
  - intros x f F. pose proof (BoundNoise.observed_on_the_line (step_density x) (step_density_positive x)
      (step_density_bounded x) (step_density_measurable x) (step_density_whole x) f F) as observed.
    destruct stairs_on_line as [_ N].
    assert (same : forall y, all_stairs * (f y * step_density x y) =
        exp (- Selection.height 1 1 (y - x)) * f y).
    { intro y. rewrite height_is. unfold step_density. change (y + - x) with (y - x). fold (stairs (y - x)).
      field. lra. }
    pose proof (Definitions.integrable_multiple _ all_stairs _ observed) as multiple. split.
    + exact (Definitions.integrable_same _ _ _ same multiple).
    + change (total (fun y => exp (- Selection.height 1 1 (y - x)) * f y) =
        all_stairs * total (fun y => f y * step_density x y)).
      etransitivity; [symmetry; exact (Definitions.integral_same _ _ _ multiple same) |].
      exact (Definitions.integral_multiple _ all_stairs _ observed).
  - intros k j p q P P' Q Q' near. unfold Selection.height_of. destruct (Rle_dec 1 p), (Rle_dec 1 q); try lra.
    apply Rcomplements.Rabs_le_between in near. rewrite !Rmult_1_r in near.
    assert (less : INR j < INR k + 2) by lra. rewrite !INR_IZR_INZ in less |- *. change 2 with (IZR 2) in less.
    rewrite <- plus_IZR in less. apply lt_IZR in less. rewrite !Rplus_0_r.
    assert (IZR (Z.of_nat j) <= IZR (Z.of_nat k + 1)) by (apply IZR_le; lia). rewrite plus_IZR in *. lra.
Qed.

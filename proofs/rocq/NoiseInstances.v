(* Theorems about noise, applied to something concrete: Laplace's, normal, Student's, and Cauchy's.

   No example here assumes anything: see Instances.v. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Hierarchy RInt.
From Interval Require Import Tactic.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Renyi GaussianPrivacy GaussianVectors Grid GridNoise Finite Definitions Optimal Noise Line.
From Refdp Require BoundNoise RenyiOfNoise Accuracy.
Import ListNotations.
Open Scope R_scope.

Lemma one : 0 < 1.
Proof. lra. Qed.
Lemma two : 0 < 2.
Proof. lra. Qed.
Lemma four : 0 < 4.
Proof. lra. Qed.
Lemma five : 0 < 5.
Proof. lra. Qed.
Lemma six : 0 < 6.
Proof. lra. Qed.

(** * Laplace and normal noise, on a grid and on the line *)

Example laplace_on_a_grid : private (Noise.absolute 1 3) (Noise.discrete_laplace 6 1 six one) (pure (3 / 6)).
Proof. exact (Noise.discrete_laplace_private 6 1 six one 3). Qed.
Example laplace_on_a_grid_of_vectors :
  private (Noise.l1 1 3) (Noise.discrete_laplace_vector 6 1 six one) (pure (3 / 6)).
Proof. exact (Noise.discrete_laplace_vector_private 6 1 six one 3). Qed.
Example laplace_clamped :
  private (Noise.bounded_grid 1 (0 * 1) (10 * 1) 3)
    (Noise.truncated_geometric 6 1 six one 0 10 ltac:(lra)) (pure (3 / 6)).
Proof. exact (Noise.truncated_geometric_private 6 1 six one 0 10 _ 3). Qed.
Example gaussian_on_a_grid : Renyi.concentrated (1 / 2)
  (RenyiOfNoise.discrete_gaussian 2 1 two one 10) (RenyiOfNoise.discrete_gaussian 2 1 two one 12).
Proof. exact (RenyiOfNoise.discrete_gaussian_of_sigma_2 two one). Qed.
Example gaussian_on_a_grid_of_vectors : private (RenyiOfNoise.l2 1 2)
  (RenyiOfNoise.discrete_gaussian_vector 2 1 two one) (Renyi.concentrated (2 ^ 2 / (2 * 2 ^ 2))).
Proof. exact (RenyiOfNoise.discrete_gaussian_vector_concentrated 2 1 two one 2). Qed.
Example gaussian_on_the_line : private (RenyiOfNoise.at_most 2) (RenyiOfNoise.continuous_gaussian 2 two)
  (Renyi.concentrated (2 ^ 2 / (2 * 2 ^ 2))).
Proof. exact (RenyiOfNoise.continuous_gaussian_concentrated 2 two 2). Qed.
Example gaussian_no_less : ~ private (RenyiOfNoise.at_most 2) (RenyiOfNoise.continuous_gaussian 2 two)
  (Renyi.concentrated (2 / 5)).
Proof. apply RenyiOfNoise.continuous_gaussian_not_less_concentrated; lra. Qed.
Example gaussian_of_two_coordinates : let M := RenyiOfNoise.add_line_noise_to_vector (RenyiOfNoise.normal_log_weight 5)
  (1 / 5) (1 / 2 + 0 * 5) (RenyiOfNoise.gaussian_continuous 5) (RenyiOfNoise.normal_weight_tail 5 five) in
  Renyi.concentrated (1 / 2) (M [0; 0]) (M [3; 4]).
Proof. exact (RenyiOfNoise.two_coordinates five). Qed.
Example laplace_of_two_coordinates : private (RenyiOfNoise.l1_reals 3)
  (RenyiOfNoise.add_line_noise_to_vector (fun z => - Rabs z / 6) (1 / 6) (0 * 6) (Line.laplace_continuous 6)
    (Line.laplace_tail 6 six)) (pure (3 / 6)).
Proof.
  apply (RenyiOfNoise.additive_noise_vector_on_the_line _ (fun d_in => d_in / 6));
    [apply Noise.discrete_laplace_loss, six | apply Noise.discrete_laplace_accumulates, six].
Qed.
Lemma laplace_is_linear : RenyiOfNoise.weight_is_linear (fun z => - Rabs z / 1) (fun d => d / 1).
Proof. intros z s. split; [field | split; [field | lra]]. Qed.
Example laplace_renyi : private (RenyiOfNoise.at_most 3) (Line.laplace 1 one)
  (Renyi.renyi 2 (RenyiOfNoise.linear_divergence 2 (3 / 1))).
Proof.
  apply (RenyiOfNoise.renyi_bound_linear _ _ laplace_is_linear). lra.
Qed.
Example laplace_renyi_exactly : RenyiOfNoise.divergence_is 2 (RenyiOfNoise.linear_divergence 2 (3 / 1))
  (Line.laplace 1 one 3) (Line.laplace 1 one 0).
Proof.
  apply (RenyiOfNoise.laplace_divergence 1 one 2 3); [lra | unfold RenyiOfNoise.just; rewrite Rabs_right; lra].
Qed.
Example laplace_renyi_exceeded : ~ private (RenyiOfNoise.at_most 3) (Line.laplace 1 one)
  (Renyi.renyi 2 (RenyiOfNoise.linear_divergence 2 (3 / 1) - 1 / 100)).
Proof. apply (RenyiOfNoise.renyi_exceeded_linear _ _ laplace_is_linear); lra. Qed.
Example laplace_renyi_exceeded_at_1 : ~ private (RenyiOfNoise.at_most 1) (Line.laplace 1 one)
  (Renyi.renyi 2 (ln (2 / 3 * exp 1))).
Proof. exact (RenyiOfNoise.laplace_of_scale_1 one). Qed.

(* Randomised response on two values. *)
Definition pmf (output input : Z) : R := if Z.eq_dec output input then 3 / 4 else 1 / 4.
Definition cumulative (output input : Z) : R :=
  if Z.eqb output (-1) then 0 else if Z.eqb output 1 then 1 else if Z.eqb input 0 then 3 / 4 else 1 / 4.
Lemma masses_are_not_negative output input : (0 <= input <= 2 - 1)%Z -> (0 <= output <= 2 - 1)%Z ->
  0 <= pmf output input.
Proof. intros _ _. unfold pmf. destruct (Z.eq_dec output input); lra. Qed.
Lemma cumulative_grows output input : (0 <= input <= 2 - 1)%Z -> (0 <= output <= 2 - 1)%Z ->
  cumulative output input - cumulative (output - 1) input = pmf output input.
Proof.
  intros I O. assert (output = 0 \/ output = 1)%Z as [-> | ->] by lia;
    assert (input = 0 \/ input = 1)%Z as [-> | ->] by lia; unfold cumulative, pmf; simpl; lra.
Qed.
Lemma cumulative_ends input : (0 <= input <= 2 - 1)%Z -> cumulative (-1) input = 0 /\ cumulative (2 - 1) input = 1.
Proof. intros _. split; reflexivity. Qed.
Lemma hit_or_miss output input : (0 <= output <= 2 - 1)%Z -> (0 <= input <= 2 - 1)%Z ->
  pmf output input = (if Z.eq_dec output input then 3 / 4 else 1 / 4) /\ 0 < 3 / 4 /\ 0 < 1 / 4 /\ (2 <= 2)%Z.
Proof. intros _ _. repeat split; lra || lia. Qed.
Definition response (input : Z) := Finite.listed 0%Z (Finite.whole 2) (fun output => pmf output input).
Example response_renyi : private (RenyiOfNoise.two_inputs 2) response
  (Renyi.renyi 2 (RenyiOfNoise.two_mass_divergence 2 (3 / 4) (1 / 4) 2)).
Proof.
  apply (RenyiOfNoise.renyi_bound_finite 2 pmf cumulative (3 / 4) (1 / 4) masses_are_not_negative cumulative_grows
    cumulative_ends hit_or_miss). lra.
Qed.
Example response_renyi_exceeded : ~ private (RenyiOfNoise.two_inputs 2) response
  (Renyi.renyi 2 (RenyiOfNoise.two_mass_divergence 2 (3 / 4) (1 / 4) 2 - 1 / 100)).
Proof.
  apply (RenyiOfNoise.renyi_exceeded_finite 2 pmf cumulative (3 / 4) (1 / 4) masses_are_not_negative cumulative_grows
    cumulative_ends hit_or_miss); lra || lia.
Qed.

Example laplace_density :
  Line.integral (fun y => exp (- Rabs (y - 3) / 6) / Line.integral (fun z => exp (- Rabs z / 6))) = 1.
Proof.
  exact (Line.normalised_on_the_line (fun z => - Rabs z / 6) (1 / 6) (0 * 6) (Line.laplace_continuous 6)
    (Line.laplace_tail 6 six) _ 3 eq_refl).
Qed.

Definition ratio_sum (ratio : R) := (1 + ratio) / (1 - ratio).
Example laplace_masses :
  let mass k := Noise.grid_weight (fun z => - Rabs z / 6) 1 k / ratio_sum (exp (- Rabs 1 / 6)) in
  (forall k, 0 < mass k) /\ Grid.summable mass /\ Grid.total mass = 1.
Proof.
  exact (Noise.normalised _ 1 _ (Noise.discrete_laplace_geometric 6 1 six one) Noise.discrete_laplace_normaliser).
Qed.
Example laplace_law : E (Noise.discrete_laplace 6 1 six one 3) (fun o => if Rle_dec o 3 then 1 else 0) =
  Grid.total (fun k => (if Rle_dec (3 + IZR k * 1) 3 then 1 else 0) *
    (Noise.grid_weight (fun z => - Rabs z / 6) 1 k / ratio_sum (exp (- Rabs 1 / 6)))).
Proof.
  exact (Noise.normalised_law _ 1 _ _ (Noise.discrete_laplace_geometric 6 1 six one) Noise.discrete_laplace_normaliser
    3 (fun o => if Rle_dec o 3 then 1 else 0)).
Qed.

(** * Exact deltas *)

Example laplace_delta : private (Noise.absolute 1 1) (Noise.discrete_laplace 1 1 one one)
  (approximate (1 / 2) (GridNoise.half_line_delta (fun z => - Rabs z / 1) 1 1 (1 / 2) 1)).
Proof. exact (GridNoise.discrete_laplace_delta one). Qed.
Lemma laplace_is_concave : GridNoise.weights_are_log_concave (fun z => - Rabs z / 1) 1.
Proof. intros k j K J. rewrite !Rmult_1_r, Rabs_Ropp, !Rabs_pos_eq by lra. repeat split; lra. Qed.
Example laplace_has_no_delta_at_1 : GridNoise.half_line_delta (fun z => - Rabs z / 1) 1 1 1 3 <= 0.
Proof.
  apply (proj1 (GridNoise.grid_noise_exactly _ 1 one laplace_is_concave
    (Noise.weights_summable _ _ _ _ (Noise.discrete_laplace_tail 1 1 one one)) 1 1 1 0
    ltac:(lia) ltac:(lra) ltac:(lra) ltac:(lra))).
  pose proof (Noise.discrete_laplace_private 1 1 one one 1) as P. replace (1 / 1) with 1 in P by field. exact P.
Qed.
Example laplace_delta_exceeded : ~ private (Noise.absolute 1 1) (Noise.discrete_laplace 1 1 one one)
  (approximate (1 / 2) (GridNoise.half_line_delta (fun z => - Rabs z / 1) 1 1 (1 / 2) 1 - 1 / 100)).
Proof.
  apply (GridNoise.grid_noise_exceeds _ 1 one laplace_is_concave) with (steps := 1%Z) (start := 1%Z); lra || lia.
Qed.

Lemma weight_is_normal z : 0 < 2 /\ - z ^ 2 / (2 * 2 ^ 2) = - z ^ 2 / (2 * 2 ^ 2).
Proof. split; [lra | reflexivity]. Qed.
Definition noise_is_normal := GaussianPrivacy.plus_normal_is_noise _ 2 weight_is_normal.
Example normal_is_exact : GridNoise.exact_delta 2 1 1 <= 1.
Proof.
  apply (proj1 (GridNoise.normal_noise_exactly _ _ 2 1 1 1 _ weight_is_normal noise_is_normal ltac:(lra))).
  intros x y _ f F. pose proof (E_test (GaussianPrivacy.plus_normal 2 x) f F).
  pose proof (E_test (GaussianPrivacy.plus_normal 2 y) f F). pose proof (exp_pos 1).
  assert (0 <= exp 1 * E (GaussianPrivacy.plus_normal 2 y) f) by (apply Rmult_le_pos; lra). lra.
Qed.
Example normal_exceeds : ~ private (fun x y => Rabs (x - y) <= 1) (GaussianPrivacy.plus_normal 2)
  (approximate 1 (GridNoise.exact_delta 2 1 1 - 1 / 100)).
Proof.
  apply (GridNoise.normal_noise_exceeds _ _ 2 1 1 _ _ weight_is_normal noise_is_normal); lra.
Qed.
Example normal_is_not_pure : ~ private (fun x y => Rabs (x - y) <= 1) (GaussianPrivacy.plus_normal 2) (pure 0).
Proof.
  apply (GridNoise.normal_noise_exceeds_pure _ _ 2 1 0 _ weight_is_normal noise_is_normal); [lra |].
  unfold GridNoise.exact_delta. rewrite exp_0.
  pose proof (GaussianPrivacy.normal_tail_strictly (0 * 2 / 1 - 1 / (2 * 2)) (0 * 2 / 1 + 1 / (2 * 2)) ltac:(lra)). lra.
Qed.
Example normal_vector : private (RenyiOfNoise.l2_reals 1)
  (GaussianVectors.coordinatewise (GaussianPrivacy.plus_normal 2))
  (approximate 1 (GaussianPrivacy.normal_tail (1 * 2 / 1 - 1 / (2 * 2)) -
    exp 1 * GaussianPrivacy.normal_tail (1 * 2 / 1 + 1 / (2 * 2)))).
Proof. apply (GaussianVectors.normal_noise_vector _ _ 2 1 _ weight_is_normal noise_is_normal). lra. Qed.
Example told_exactly : private (fun x y : bool => True) Optimal.told_3_of_4
  (approximate 1 (GaussianPrivacy.normal_tail (1 / sqrt (4 * 4) - sqrt (4 * 4) / 2) -
    exp 1 * GaussianPrivacy.normal_tail (1 / sqrt (4 * 4) + sqrt (4 * 4) / 2))).
Proof.
  apply (proj2 (GridNoise.gaussian_to_approximate_exactly (4 * 4) 1 _ ltac:(lra)) (Rle_refl _)).
  exact GaussianPrivacy.told_3_of_4_gaussian.
Qed.
Lemma half_is_in_the_region : 0 < 1 / 2 <= 2 * ln (5 / 2).
Proof. split; [lra | interval]. Qed.
Example classical : private (fun x y => Rabs (x - y) <= 1)
  (GaussianPrivacy.plus_normal (GridNoise.classical_deviation (5 / 4) 1 (1 / 2) (1 / 4))) (approximate (1 / 2) (1 / 4)).
Proof. apply GridNoise.classical_noise_5_4; [lra | exact half_is_in_the_region | lra]. Qed.
Example classical_vector : private (RenyiOfNoise.l2_reals 1)
  (GaussianVectors.coordinatewise (GaussianPrivacy.plus_normal
    (GridNoise.classical_deviation (5 / 4) 1 (1 / 2) (1 / 4)))) (approximate (1 / 2) (1 / 4)).
Proof.
  apply (GaussianVectors.classical_noise_vector (5 / 4) (2 * ln (5 / 2)) (1 / 2)); try lra;
    [| exact half_is_in_the_region]. left. split.
  - replace (2 * ln (5 / 2) / 2) with (ln (5 / 2)) by field. rewrite exp_ln by lra. lra.
  - replace (5 / 4 / (1 / 2)) with (5 / 2) by field. interval.
Qed.

(** * Noise beside a bound *)

Example laplace_beside_a_bound : private (BoundNoise.within_growth (3 / 2))
  (BoundNoise.laplace_noise_beside_a_bound 4 four) (approximate 1 (BoundNoise.laplace_delta 4 (3 / 2) 1)).
Proof. exact (BoundNoise.laplace_noise_of_scale_4 four). Qed.

(* Cauchy noise; the cosh of the loss is more than it must be. *)
Definition cauchy_rarity (z : R) := 1 + z ^ 2.
Definition cauchy_spread (c h : R) := 1 + c ^ 2 + h ^ 2.
Definition cosh_of_loss (growth : R) := 2 + growth ^ 2.
Definition whole := Definitions.integrate R Definitions.line (fun z => / (1 + z ^ 2)).
Ltac cauchy := first
  [ exact one
  | lra
  | intro z; unfold cauchy_rarity; lra
  | intros c h t z C T F; apply (BoundNoise.cauchy_ratio c h t z C T F)
  | (intros c h g cosh C C' low high; unfold cauchy_spread in *;
     assert (0 <= (c - 1) * (g - c)) by (apply Rmult_le_pos; lra);
     destruct (Req_dec g 1) as [equal | more]; [assert (c = 1) by lra; subst; lra |];
     apply (Rmult_le_reg_l (g - 1)); [lra |];
     assert ((c - 1) * (1 + g ^ 2 + h ^ 2) <= (c - 1) * (2 * g * cosh)) by (apply Rmult_le_compat_l; lra);
     assert ((g - c) * (1 + 1 ^ 2 + h ^ 2) <= (g - c) * (2 * cosh)) by (apply Rmult_le_compat_l; lra);
     assert (0 <= (g - 1) * ((c - 1) * (g - c))) by (apply Rmult_le_pos; lra); nra)
  | (intros h g G low high; rewrite Rmult_1_r in *; unfold cauchy_spread, cosh_of_loss;
     assert (h ^ 2 <= 1) by nra; split; nra)
  | (intros g G; unfold cosh_of_loss; nra)
  | exact (BoundNoise.add_bound_noise_scales_noise _ 1 1 one BoundNoise.cauchy_shape_positive
      BoundNoise.cauchy_continuous BoundNoise.cauchy_shape_falls) ].
Example cauchy_beside_a_bound : private (BoundNoise.within_growth 2) (BoundNoise.cauchy_bound_noise 1 one)
  (pure (BoundNoise.arcosh (cosh_of_loss 2))).
Proof. apply (BoundNoise.bound_noise cauchy_rarity cauchy_spread cosh_of_loss 1 2 whole); cauchy. Qed.
Example cauchy_beside_a_bound_rounded : private (BoundNoise.within_growth 2)
  (fun x => then_run (BoundNoise.cauchy_bound_noise 1 one x) (BoundNoise.rounding 1 one))
  (pure (BoundNoise.arcosh (cosh_of_loss 2))).
Proof. apply (BoundNoise.bound_noise_rounded cauchy_rarity cauchy_spread cosh_of_loss 1 2 whole); cauchy. Qed.
Example laplace_beside_a_bound_rounded : private (BoundNoise.within_growth (3 / 2))
  (fun x => then_run (BoundNoise.laplace_noise_beside_a_bound 4 four x) (BoundNoise.rounding 1 one))
  (approximate 1 (BoundNoise.laplace_delta 4 (3 / 2) 1)).
Proof.
  apply BoundNoise.laplace_bound_noise_rounded; try lra; [| apply BoundNoise.laplace_noise_scales].
  assert (ln (3 / 2) <= 1 / 2) by interval. lra.
Qed.
Lemma three_degrees : 1 <= 3. Proof. lra. Qed.
Definition student := BoundNoise.student_noise_beside_a_bound 3 1 one three_degrees.
Definition student_scales := BoundNoise.add_bound_noise_scales_noise _ 3 1 one
  (BoundNoise.student_shape_positive 3) (BoundNoise.student_shape_continuous 3 three_degrees)
  (BoundNoise.student_shape_falls 3 three_degrees).
Lemma growth_of_2 : 1 <= 2. Proof. lra. Qed.
Example student_beside_a_bound : private (BoundNoise.within_growth 2) student (pure (BoundNoise.student_loss 3 1 2)).
Proof. exact (BoundNoise.student_noise_private 3 1 one three_degrees 2 growth_of_2). Qed.
Example student_beside_a_bound_rounded : private (BoundNoise.within_growth 2)
  (fun x => then_run (student x) (BoundNoise.rounding 1 one)) (pure (BoundNoise.student_loss 3 1 2)).
Proof.
  exact (BoundNoise.student_bound_noise_rounded 3 1 2 _ student one three_degrees student_scales 1 one).
Qed.
Example student_beside_a_bound_linear :
  private (BoundNoise.within_growth 2) student (pure (BoundNoise.student_linear_loss 3 1 2)).
Proof. exact (BoundNoise.student_bound_noise_linear 3 1 2 _ student one three_degrees growth_of_2 student_scales). Qed.
Example student_beside_a_bound_linear_rounded : private (BoundNoise.within_growth 2)
  (fun x => then_run (student x) (BoundNoise.rounding 1 one)) (pure (BoundNoise.student_linear_loss 3 1 2)).
Proof.
  exact (BoundNoise.student_bound_noise_linear_rounded 3 1 2 _ student one three_degrees growth_of_2 student_scales 1
    one).
Qed.

(** * Refutations by densities and by what is far out *)

Example gaussian_is_never_private : let M := Noise.add_noise _ 1 (Noise.weights_summable _ _ _ _
    (Definitions.gaussian_tail_is_geometric 2 1 two one)) in ~ pure 10 (M 0) (M (0 + 1)).
Proof. exact (Definitions.discrete_gaussian_is_never_private 2 1 two one 10 0). Qed.
Lemma gaussian_on_the_line_is_unbounded : Definitions.loss_is_unbounded (fun a b => b = a + 1)
  (RenyiOfNoise.continuous_gaussian 2 two).
Proof.
  apply (Definitions.unbounded_loss_on_the_line (O := Line.line) (fun y => y) (RenyiOfNoise.normal_log_weight 2)
    _ (fun bound _ => - (4 * bound))).
  - intro z. apply Hierarchy.continuity_pt_filterlim, (RenyiOfNoise.gaussian_continuous 2).
  - apply Definitions.noise_on_the_line.
  - exact Definitions.line_tells_half_lines.
  - exact one.
  - intros h bound B H. unfold RenyiOfNoise.normal_log_weight. set (y := - (4 * bound) - h).
    replace (- y ^ 2 / (2 * 2 ^ 2) - - (y - 1) ^ 2 / (2 * 2 ^ 2)) with (bound + (1 + 2 * h) / 8) by (unfold y; field).
    lra.
Qed.
Example gaussian_has_no_ratio : ~ Finite.ratio 10 100 (RenyiOfNoise.continuous_gaussian 2 two 0)
  (RenyiOfNoise.continuous_gaussian 2 two (0 + 1)).
Proof.
  apply (Definitions.never_private_ratio _ _ gaussian_on_the_line_is_unbounded). reflexivity.
Qed.
Example laplace_is_denser : ~ pure (1 / 4) (Line.laplace 2 two 0) (Line.laplace 2 two 1).
Proof. exact (Definitions.laplace_is_denser two). Qed.

(* A tent about 0, on the grid of whole numbers, is the outcome 0 for certain; one about 3 is nothing there. *)
Definition tent (centre z : R) : R := Rmax 0 (1 - Rabs (z - centre)).
Lemma tent_at (centre k : Z) : tent (IZR centre) (IZR k * 1) = if Z.eq_dec (k + - centre) 0 then 1 else 0.
Proof.
  unfold tent. rewrite Rmult_1_r, <- minus_IZR, <- abs_IZR. change (k - centre)%Z with (k + - centre)%Z.
  destruct (Z.eq_dec (k + - centre) 0) as [-> | other].
  - simpl. rewrite Rminus_0_r, Rmax_right; lra.
  - apply Rmax_left. assert (1 <= IZR (Z.abs (k + - centre))) by (apply IZR_le; lia). lra.
Qed.
Lemma tent_is_certain (centre : Z) : Definitions.has_density (O := plain R) (Definitions.grid 1) (fun o => o)
  (certain (O := plain R) (IZR centre)) (tent (IZR centre)).
Proof.
  split; [intro; apply Rmax_l |]. intros f _. set (c := f (IZR centre)).
  assert (moved : forall k, (if Z.eq_dec (k + - centre) 0 then c else 0) =
      f (IZR k * 1) * tent (IZR centre) (IZR k * 1)).
  { intro k. rewrite tent_at. destruct (Z.eq_dec (k + - centre) 0) as [here |]; [| ring].
    replace k with centre by lia. rewrite !Rmult_1_r. reflexivity. }
  pose proof (Grid.summable_moved (- centre) _ (Grid.summable_point c)) as S.
  split.
  - apply (Grid.summable_same _ _ moved), S.
  - change (c = Grid.total (fun k => f (IZR k * 1) * tent (IZR centre) (IZR k * 1))).
    rewrite <- (Grid.total_same _ _ moved).
    rewrite (Grid.total_moved (- centre) (fun k => if Z.eq_dec k 0 then c else 0) (Grid.summable_point c)).
    symmetry. apply Grid.total_point.
Qed.
Example denser_than_nowhere : ~ pure 1 (certain (O := plain R) (IZR 0)) (certain (O := plain R) (IZR 3)).
Proof.
  apply (Definitions.denser_elsewhere_than_nowhere (O := plain R) (T := Hierarchy.R_UniformSpace)
    (Definitions.grid 1) (fun o => o) _ _ (tent (IZR 0)) (tent (IZR 3)) 0 (tent_is_certain 0) (tent_is_certain 3)).
  - intros near close. pose (S := fun z : R => if Req_EM_T z 0 then 1 else 0). exists S.
    assert (at_0 : forall k, (if Z.eq_dec k 0 then 1 else 0) = S (IZR k * 1)).
    { intro k. unfold S. rewrite Rmult_1_r. destruct (Req_EM_T (IZR k) 0) as [E | N], (Z.eq_dec k 0) as [-> | other];
        try reflexivity; [apply eq_IZR in E; contradiction | elim N; reflexivity]. }
    split; [| split; [| split]].
    + apply (Definitions.plain_event S). intro z. unfold S. destruct (Req_EM_T z 0); auto.
    + intros t T. unfold S in T. destruct (Req_EM_T t 0) as [-> |]; [| elim T; reflexivity].
      apply Hierarchy.locally_singleton, close.
    + apply (Grid.summable_same _ _ at_0), Grid.summable_point.
    + change (0 < Grid.total (fun k => S (IZR k * 1))). rewrite <- (Grid.total_same _ _ at_0), Grid.total_point. lra.
  - intro t. exists t. reflexivity.
  - apply Hierarchy.continuity_pt_filterlim.
    apply (continuity_pt_comp (fun z => 1 - Rabs (z - IZR 0)) (fun y => Rmax 0 y)).
    + apply continuity_pt_minus; [apply continuity_pt_const; intros u v; reflexivity |].
      apply (continuity_pt_comp (fun z => z - IZR 0) Rabs); [| apply Rcontinuity_abs].
      apply continuity_pt_minus; [apply derivable_continuous_pt, derivable_pt_id |].
      apply continuity_pt_const. intros u v. reflexivity.
    + apply continuity_pt_locally_ext with (f := fun y => (y + Rabs y) / 2) (a := 1); [lra | |].
      * intros y _. unfold Rmax, Rabs. destruct (Rle_dec 0 y), (Rcase_abs y); lra.
      * apply continuity_pt_mult; [| apply continuity_pt_const; intros u v; reflexivity].
        apply continuity_pt_plus; [apply derivable_continuous_pt, derivable_pt_id | apply Rcontinuity_abs].
  - unfold tent. rewrite Rminus_0_r, Rabs_R0, Rmax_right; lra.
  - exists (mkposreal 1 one). intros z near. change (Rabs (z - 0) < 1) in near. unfold tent. apply Rmax_left.
    apply Rabs_def2 in near. rewrite Rabs_left; lra.
Qed.

(* v + S Z for Laplace's Z of scale 1: where S is 2 and where S is 1. *)
Definition affine_laplace (v c : R) : law Line.line.
Proof.
  assert (affine : forall f : Line.line -> R, observable f -> observable (s := Line.line) (fun o => f (v + c * o))).
  { intros f [B F]. split; [destruct B as [d D]; exists d; intro; apply D |]. intros a b.
    destruct (Req_dec c 0) as [-> | some].
    - apply (RInt.ex_RInt_ext (V := Hierarchy.R_NormedModule) (fun _ => f v)); [intros x _; f_equal; ring |];
      apply (RInt.ex_RInt_const (V := Hierarchy.R_NormedModule)).
    - pose proof (RInt.ex_RInt_comp_lin (V := Hierarchy.R_NormedModule) f c v a b (F _ _)) as K.
      apply (RInt.ex_RInt_scal (V := Hierarchy.R_NormedModule) _ a b (/ c)) in K.
      apply (fun same => RInt.ex_RInt_ext (V := Hierarchy.R_NormedModule) _ _ a b same K). intros x _.
      change (/ c * (c * f (c * x + v)) = f (v + c * x)). rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by exact some.
      f_equal. ring. }
  refine (Law Line.line (fun f => E (Line.laplace 1 one 0) (fun o => f (v + c * o))) _ _ _ _).
  - intros f g F G less. apply (E_monotone (Line.laplace 1 one 0)); [apply affine, F | apply affine, G |].
    intro o. apply less.
  - intros f g F G. apply (E_sum (Line.laplace 1 one 0) (fun o => f (v + c * o)) (fun o => g (v + c * o))); auto.
  - intros d f F. apply (E_multiple (Line.laplace 1 one 0) d (fun o => f (v + c * o))); auto.
  - apply E_one.
Defined.
Definition laplace_tail (z : R) : R := E (Line.laplace 1 one 0) (fun o => Definitions.at_least z o).
Definition laplace_weight (z : R) : R := - Rabs z / 1.
Lemma E_of_laplace f : observable (s := Line.line) f ->
  Definitions.integrable Definitions.line (fun z => f z * exp (laplace_weight z)) /\
  E (Line.laplace 1 one 0) f = Definitions.integrate R Definitions.line (fun z => f z * exp (laplace_weight z)) /
    Definitions.integrate R Definitions.line (fun z => exp (laplace_weight z)).
Proof.
  intro F. destruct (Definitions.noise_on_the_line _ _ _ (Line.laplace_continuous 1) (Line.laplace_tail 1 one))
    as (_ & _ & law). destruct (law 0 f F) as [A B].
  assert (same : forall z, f (0 + z) * exp (- Rabs z / 1) = f z * exp (laplace_weight z))
    by (intro; rewrite Rplus_0_l; reflexivity).
  split; [apply (Definitions.integrable_same _ _ _ same A) |]. etransitivity; [exact B |].
  rewrite (Definitions.integral_same _ _ _ A same). reflexivity.
Qed.
Lemma laplace_is_symmetric z : E (Line.laplace 1 one 0) (fun o => Definitions.at_most (- z) o) = laplace_tail z.
Proof.
  unfold laplace_tail. destruct (Definitions.line_tells_half_lines z) as [above _].
  destruct (E_of_laplace _ above) as [A ->].
  destruct (E_of_laplace _ (Definitions.tells_half_lines_below _ (- z) Definitions.line_tells_half_lines)) as [_ ->].
  destruct (Definitions.line_mirrored _ _ A eq_refl) as [C <-]. f_equal.
  symmetry. apply (Definitions.integral_same _ _ _ C). intro o. unfold laplace_weight. rewrite Rabs_Ropp. f_equal.
  unfold Definitions.at_least, Definitions.at_most. destruct (Rle_dec z (- o)), (Rle_dec o (- z)); lra.
Qed.
Lemma no_point_weighs z : laplace_tail z + laplace_tail (- z) = 1.
Proof.
  destruct (Definitions.line_tells_half_lines z) as [above _].
  pose proof (Definitions.tells_half_lines_below _ z Definitions.line_tells_half_lines) as below.
  rewrite <- (laplace_is_symmetric (- z)), Ropp_involutive. unfold laplace_tail. rewrite <- E_sum by assumption.
  pose (point := fun o : Line.line => Definitions.at_least z o + Definitions.at_most z o + -1).
  assert (P : observable point) by (apply observable_shifted, observable_sum; assumption).
  assert (nothing : E (Line.laplace 1 one 0) point = 0).
  { destruct (E_of_laplace point P) as [_ ->].
    assert (elsewhere : forall x, x <> z -> point x * exp (laplace_weight x) = 0).
    { intros x other. unfold point, Definitions.at_least, Definitions.at_most.
      destruct (Rle_dec z x), (Rle_dec x z); lra. }
    rewrite (proj2 (Definitions.line_is _ 0 (Definitions.line_of_a_point _ z elsewhere))). unfold Rdiv. ring. }
  unfold point in nothing. rewrite E_shifted in nothing by (apply observable_sum; assumption). lra.
Qed.
Lemma laplace_tail_is alpha : 0 < alpha -> 2 * laplace_tail alpha = exp (- alpha / 1).
Proof.
  intro A. destruct (Definitions.line_tells_half_lines alpha) as [above _].
  pose proof (Definitions.tells_half_lines_below _ (- alpha) Definitions.line_tells_half_lines) as below.
  pose proof (Accuracy.noise_tail_exactly (O := Line.line) (fun y => y) _ (fun alpha => - alpha / 1) _
    (Definitions.noise_on_the_line _ _ _ (Line.laplace_continuous 1) (Line.laplace_tail 1 one))
    Definitions.line_tells_half_lines alpha (Rlt_le _ _ A) (Noise.discrete_laplace_log_tail 1 one) 0 I) as [K L].
  rewrite <- L. transitivity (laplace_tail alpha + laplace_tail alpha); [ring |].
  rewrite <- (laplace_is_symmetric alpha) at 2. unfold laplace_tail. rewrite <- E_sum by assumption.
  apply E_same; [apply observable_sum; assumption |]. intro o. rewrite Rminus_0_r.
  unfold Definitions.at_least, Definitions.at_most, Rabs.
  destruct (Rcase_abs o); repeat destruct (Rle_dec _ _); lra.
Qed.
Example laplace_far_out : ~ private (fun _ _ => True) (fun input => affine_laplace (fst input) (1 * snd input))
  (approximate 0 (1 / 10)).
Proof.
  apply (Definitions.likelier_far_out (O := Line.line) (P := Line.line) (fun y => y) (fun y => y) (Line.laplace 1 one 0)
    1 _ laplace_tail Definitions.line_tells_half_lines Definitions.line_tells_half_lines (fun _ => eq_refl)
    laplace_is_symmetric no_point_weighs) with (a := (0, 2)) (b := (0, 1)) (below := -2) (above := 2);
    simpl; try lra; try exact I.
  - intros v S f _ _. reflexivity.
  - unfold Definitions.probability_beyond. simpl.
    replace ((2 - 0) / (1 * 1)) with 2 by field. replace ((0 - -2) / (1 * 1)) with 2 by field.
    replace ((2 - 0) / (1 * 2)) with 1 by field. replace ((0 - -2) / (1 * 2)) with 1 by field.
    pose proof (laplace_tail_is 1 one) as A. pose proof (laplace_tail_is 2 two) as B. rewrite exp_0.
    assert (exp (- (2) / 1) + 1 / 10 < exp (- (1) / 1)) by interval. lra.
Qed.

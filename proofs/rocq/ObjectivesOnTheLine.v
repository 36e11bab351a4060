(* Objective perturbation with one coefficient: there the change of variables is proved.

   First losses that are linear, of which the minimum is an opposite of a sum with Laplace noise, over the
   regularisation: its law is one on the line, in which every function is integrated that Riemann's integral exists for.
   Then all losses that the rule takes.  Tests are continuous there: what the minimum tells is a continuous function of
   the random term, and substitution is of continuous functions.  How likely continuous tests accept says how likely
   every event is, by the theorem of Riesz, which is not proved here. *)
From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Tables Sensitivity Definitions BoundNoise Objectives.
From Refdp Require Line.
Import ListNotations.
Open Scope R_scope.

(* A number as the vector of one. *)
Definition one_number (x : R) : vector := fun _ => x.
Lemma norm_of_one_number x : Tables.norm 1 (one_number x) = Rabs x.
Proof. unfold Tables.norm, one_number. simpl total. rewrite Rplus_0_l, <- sqrt_Rsqr_abs. f_equal. unfold Rsqr. ring. Qed.

Lemma sum_of_alike {Row : Type} (f g : Row -> R) u : (forall row, f row = g row) -> sum_of f u = sum_of g u.
Proof. intro same. induction u as [| row u IH]; [reflexivity |]. simpl. rewrite IH, same. reflexivity. Qed.

(* Laplace noise, of which the logarithm falls at a rate. *)
Section noise.
  Variable rate : R.
  Hypothesis rate_is_positive : 0 < rate.
  Lemma scale_is_positive : 0 < / rate.
  Proof. apply Rinv_0_lt_compat, rate_is_positive. Qed.
  Definition laplace_term : law Line.line := Line.laplace (/ rate) scale_is_positive 0.
  Definition laplace_total : R := line (fun z => exp (- Rabs z / / rate)).
  Lemma laplace_total_positive : 0 < laplace_total.
  Proof.
    destruct (noise_on_the_line _ _ _ (Line.laplace_continuous (/ rate)) (Line.laplace_tail (/ rate) scale_is_positive))
      as (_ & N & _). exact N.
  Qed.
  Lemma laplace_term_has_its_density :
    has_density (O := Line.line) line (fun b => b) laplace_term (noise_density 1 rate (O := Line.line) one_number laplace_total).
  Proof.
    destruct (line_noise_density _ _ _ (Line.laplace_continuous (/ rate)) (Line.laplace_tail (/ rate) scale_is_positive) 0)
      as [N H].
    assert (same : forall y, exp (- Rabs (y - 0) / / rate) / line (fun z => exp (- Rabs z / / rate)) =
              noise_density 1 rate (O := Line.line) one_number laplace_total y).
    { intro y. unfold noise_density, laplace_total. rewrite norm_of_one_number, Rminus_0_r. do 2 f_equal. field. lra. }
    split; [intro t; rewrite <- same; apply N |]. intros f F. destruct (H f F) as [A B].
    assert (pointwise : forall t, f t * (exp (- Rabs (t - 0) / / rate) / line (fun z => exp (- Rabs z / / rate))) =
              f t * noise_density 1 rate (O := Line.line) one_number laplace_total t)
      by (intro; rewrite same; reflexivity).
    split; [exact (integrable_same line _ _ pointwise A) |].
    etransitivity; [exact B |]. apply integral_same; assumption.
  Qed.
End noise.

(** * Linear losses *)

(* Each row's loss is w z, z being the row clipped to reach, in multiples of 1 / 1024. *)
Section linear_losses.
  Variables (reach regularisation rate : R).
  Hypothesis reach_is_positive : 0 < reach.
  Hypothesis regularisation_is_positive : 0 < regularisation.
  Hypothesis rate_is_positive : 0 < rate.
  Let linear_slope (margin power : R) := 1.
  Let linear_rise (margin power : R) := 0.
  Definition clipped (row : vector) : R := rescaled towards_zero (1 / 1024) 1 (clipping reach) sqrt row 0%nat.
  Definition clipped_total (u : table vector) : R := sum_of clipped u.
  Definition linear_minimum (u : table vector) (b : R) : R := - (clipped_total u + b) / regularisation.
  Lemma observable_at_the_minimum u (f : Line.line -> R) :
    observable (s := Line.line) f -> observable (s := Line.line) (fun b => f (linear_minimum u b)).
  Proof.
    intros [[c C] F]. split; [exists c; intro; apply C |]. intros a b.
    apply (ex_RInt_ext (fun y => scal (- regularisation)
      (scal (- / regularisation) (f (- / regularisation * y + - clipped_total u / regularisation))))).
    - intros x _. change (- regularisation * (- / regularisation * f (- / regularisation * x +
        - clipped_total u / regularisation)) = f (linear_minimum u x)).
      rewrite <- Rmult_assoc. replace (- regularisation * - / regularisation) with 1 by (field; lra).
      rewrite Rmult_1_l. f_equal. unfold linear_minimum. field. lra.
    - apply (ex_RInt_scal (V := R_NormedModule) (fun y => scal (- / regularisation)
        (f (- / regularisation * y + - clipped_total u / regularisation)))).
      apply (ex_RInt_comp_lin (V := R_NormedModule) f), F.
  Qed.
  Definition linear_objective : mechanism (table vector) Line.line.
  Proof.
    intro u. refine (Law Line.line (fun f => E (laplace_term rate rate_is_positive) (fun b => f (linear_minimum u b))) _ _ _ _).
    - intros f g F G below. apply E_monotone; auto using observable_at_the_minimum.
    - intros f g F G. apply (E_sum (laplace_term rate rate_is_positive) (fun b => f (linear_minimum u b))
        (fun b => g (linear_minimum u b))); apply observable_at_the_minimum; assumption.
    - intros c f F. apply (E_multiple (laplace_term rate rate_is_positive) c (fun b => f (linear_minimum u b))).
      apply observable_at_the_minimum, F.
    - apply E_one.
  Defined.
  Lemma linear_gradient u w :
    gradient 1 (1 / 1024) (clipping reach) sqrt linear_slope regularisation u (one_number w) 0%nat =
    regularisation * w + clipped_total u.
  Proof.
    unfold gradient, one_number. f_equal. apply sum_of_alike. intro row. unfold slope_at, linear_slope, clipped. ring.
  Qed.
  Lemma linear_volume u w : volume 1 (1 / 1024) regularisation (clipping reach) sqrt linear_rise u w = regularisation.
  Proof.
    unfold volume, second_derivatives. simpl. rewrite Rmult_1_r.
    rewrite (sum_of_alike _ (fun _ => 0 * 0)) by (intro; unfold rise_at, linear_rise; ring).
    rewrite sum_of_multiple. ring.
  Qed.
  Lemma linear_change_of_variables u (g : R -> R) l : is_on_line g l ->
    is_on_line (fun w => g (- (regularisation * w + clipped_total u)) * regularisation) l.
  Proof.
    intro G. pose proof (on_line_scaled (fun x => g (- x)) l (- clipped_total u / regularisation) (/ regularisation)
      (Rinv_0_lt_compat _ regularisation_is_positive) (on_line_mirrored g l G)) as H.
    apply (on_line_multiple regularisation) in H.
    replace (regularisation * (/ regularisation * l)) with l in H by (field; lra).
    eapply on_line_same; [| exact H]. intro x. cbv beta. rewrite Rmult_comm. do 3 f_equal. field. lra.
  Qed.
  Lemma sqrt_is_above square : 0 <= square -> 0 <= sqrt square /\ square <= sqrt square ^ 2.
  Proof. intro S. split; [apply sqrt_pos | rewrite pow2_sqrt; lra]. Qed.

  Lemma linear_change_of_variables_of_a_test u (f : Line.line -> R) (F : observable (s := Line.line) f) :
    let moved w := f (- (regularisation * w + clipped_total u)) *
      noise_density 1 rate (O := Line.line) one_number (laplace_total rate) (- (regularisation * w + clipped_total u)) *
      volume 1 (1 / 1024) regularisation (clipping reach) sqrt linear_rise u (one_number w) in
    integrable line moved /\
    line moved = line (fun b => f b * noise_density 1 rate (O := Line.line) one_number (laplace_total rate) b).
  Proof.
    intro moved. destruct (proj2 (laplace_term_has_its_density rate rate_is_positive) f F) as [A _].
    pose proof (linear_change_of_variables u _ _ (line_has _ A)) as H. apply line_is.
    eapply on_line_same; [| exact H]. intro w. unfold moved. rewrite linear_volume. reflexivity.
  Qed.
  Let linear_tilt (u : table vector) (w : Line.line) : Line.line := - (regularisation * w + clipped_total u).
  Ltac premises_hold :=
    [> lra | exact sqrt_is_above | lra | intros; apply clipping_keeps_the_square; assumption
    | intros; unfold linear_slope; rewrite Rabs_R1; lra | intros; unfold linear_rise; lra | exact regularisation_is_positive
    | exact rate_is_positive | apply laplace_total_positive, rate_is_positive | apply laplace_term_has_its_density
    | intros u w j J; replace j with 0%nat by lia; rewrite linear_gradient; reflexivity
    | intros u w; change (linear_minimum u (- (regularisation * w + clipped_total u)) = w :> R);
      unfold linear_minimum; field; lra
    | intros u f F; split; [apply observable_at_the_minimum, F | reflexivity]
    | exact linear_change_of_variables_of_a_test ].
  Theorem linear_objective_is_private n d_in :
    private (edits n d_in) linear_objective (pure (d_in * objective_loss n reach 1 0 regularisation rate)).
  Proof.
    simple refine (perturbed_objective n 1 (1 / 1024) reach 1 0 regularisation rate d_in (clipping reach) sqrt linear_slope
      linear_rise _ _ _ _ _ _ _ _ (O := Line.line) one_number line (laplace_term rate rate_is_positive) (laplace_total rate)
      linear_minimum linear_tilt linear_objective _ _ _ _ _ _); premises_hold.
  Qed.
  Theorem linear_objective_rounded n d_in granularity (positive : 0 < granularity) :
    private (edits n d_in) (fun u => then_run (linear_objective u) (rounding granularity positive))
      (pure (d_in * objective_loss n reach 1 0 regularisation rate)).
  Proof.
    simple refine (perturbed_objective_rounded n 1 (1 / 1024) reach 1 0 regularisation rate d_in (clipping reach) sqrt linear_slope
      linear_rise _ _ _ _ _ _ _ _ (O := Line.line) one_number line (laplace_term rate rate_is_positive) (laplace_total rate)
      linear_minimum linear_tilt linear_objective _ _ _ _ _ _ (rounding granularity positive)); premises_hold.
  Qed.
End linear_losses.

(* Numbers clipped to [-5, 5], a regularisation of 10 and noise of the rate 1 / 20: an opposite of a tenth of the sum, with
   noise of scale 20 on the sum.  One number more costs 1 / 4, and one replaced twice as much: there are no determinants. *)
Lemma five_is_positive : 0 < 5. Proof. lra. Qed.
Lemma ten_is_positive : 0 < 10. Proof. lra. Qed.
Lemma twentieth_is_positive : 0 < 1 / 20. Proof. lra. Qed.
Lemma without_curving : ln (1 + 0 * 5 ^ 2 / 10) = 0.
Proof. replace (1 + 0 * 5 ^ 2 / 10) with 1 by field. apply ln_1. Qed.
Definition noisy_tenth : mechanism (table vector) Line.line :=
  linear_objective 5 10 (1 / 20) ten_is_positive twentieth_is_positive.
Lemma cost_of_a_number : 1 * objective_loss add_remove 5 1 0 10 (1 / 20) = 1 / 4.
Proof. unfold objective_loss. rewrite without_curving. lra. Qed.
Lemma cost_of_two_others : 2 * objective_loss replace_one 5 1 0 10 (1 / 20) = 1.
Proof. unfold objective_loss. rewrite without_curving. lra. Qed.
Example a_number_more_of_a_noisy_tenth : private (symmetric 1) noisy_tenth (pure (1 / 4)).
Proof.
  rewrite <- cost_of_a_number. apply (linear_objective_is_private 5 10 (1 / 20) five_is_positive ten_is_positive
    twentieth_is_positive add_remove 1).
Qed.
Example two_other_numbers_of_a_noisy_tenth : private (change_one 2) noisy_tenth (pure 1).
Proof.
  pose proof (linear_objective_is_private 5 10 (1 / 20) five_is_positive ten_is_positive twentieth_is_positive
    replace_one 2) as H.
  rewrite cost_of_two_others in H. exact H.
Qed.
Example a_number_more_of_a_rounded_tenth :
  private (symmetric 1) (fun u => then_run (noisy_tenth u) (rounding (1 / 20) twentieth_is_positive)) (pure (1 / 4)).
Proof.
  rewrite <- cost_of_a_number. apply (linear_objective_rounded 5 10 (1 / 20) five_is_positive ten_is_positive
    twentieth_is_positive add_remove 1).
Qed.

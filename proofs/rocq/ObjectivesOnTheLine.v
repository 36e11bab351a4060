(* Objective perturbation with one coefficient: there the change of variables is proved.

   First losses that are linear, of which the minimum is an opposite of a sum with Laplace noise, over the
   regularisation: its law is one on the line, in which every function is integrated that Riemann's integral exists for.
   Then all losses that the rule takes.  Tests are continuous there: what the minimum tells is a continuous function of
   the random term, and substitution is of continuous functions.  How likely continuous tests accept says how likely
   every event is, since a measure on the line is regular: that is not proved here. *)
From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Tables Sensitivity Definitions BoundNoise Objectives.
From Refdp Require Line.
Import ListNotations.
Open Scope R_scope.

(* A number as the vector of one. *)
Definition one_number (x : R) : vector := fun _ => x.
Lemma norm_of_one_number x : Tables.norm 1 (one_number x) = Rabs x.
Proof.
  unfold Tables.norm, one_number. simpl total. rewrite Rplus_0_l, <- sqrt_Rsqr_abs. f_equal. unfold Rsqr. ring.
Qed.

Lemma sum_of_alike {Row : Type} (f g : Row -> R) u : (forall row, f row = g row) -> sum_of f u = sum_of g u.
Proof. intro same. induction u as [| row u IH]; [reflexivity |]. simpl. rewrite IH, same. reflexivity. Qed.

(* The vectors of one number are the numbers. *)
Definition the_number (v : vector) : R := v 0%nat.
Lemma one_number_is_a_vector v j : (j < 1)%nat -> one_number (the_number v) j = v j.
Proof. intro J. replace j with 0%nat by lia. reflexivity. Qed.
Lemma one_number_says_which x y : (forall j, (j < 1)%nat -> one_number x j = one_number y j) -> x = y.
Proof. intro same. exact (same 0%nat Nat.lt_0_1). Qed.

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
    has_density (O := Line.line) line (fun b => b) laplace_term
      (noise_density 1 rate (O := Line.line) one_number laplace_total).
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
    intro u.
    refine (Law Line.line (fun f => E (laplace_term rate rate_is_positive) (fun b => f (linear_minimum u b))) _ _ _ _).
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

  Lemma linear_change_of_variables_of_a_test u (f : Line.line -> R) :
    let back (w : Line.line) := term_of 1 (1 / 1024) regularisation (clipping reach) sqrt linear_slope (O := Line.line)
      one_number the_number u w in
    let moved w := f (back w) * noise_density 1 rate (O := Line.line) one_number (laplace_total rate) (back w) *
      volume 1 (1 / 1024) regularisation (clipping reach) sqrt linear_rise u (one_number w) in
    observable (s := Line.line) f -> integrable line moved /\
    line moved = line (fun b => f b * noise_density 1 rate (O := Line.line) one_number (laplace_total rate) b).
  Proof.
    intros back moved F. destruct (proj2 (laplace_term_has_its_density rate rate_is_positive) f F) as [A _].
    pose proof (linear_change_of_variables u _ _ (line_has _ A)) as H. apply line_is.
    eapply on_line_same; [| exact H]. intro w. unfold moved. rewrite linear_volume. unfold back, term_of, the_number.
    rewrite linear_gradient. reflexivity.
  Qed.
  (* What the rule premises, in its order. *)
  Ltac premises_hold :=
    [> lra | exact sqrt_is_above | lra | intros; apply clipping_keeps_the_square; assumption
    | intros; unfold linear_slope; rewrite Rabs_R1; lra | intro; apply derivable_pt_lim_const
    | intros; unfold linear_rise; lra | exact regularisation_is_positive | exact rate_is_positive
    | exact one_number_is_a_vector | exact one_number_says_which
    | apply laplace_total_positive, rate_is_positive | apply laplace_term_has_its_density
    | intros u b j J; replace j with 0%nat by lia; rewrite linear_gradient; unfold linear_minimum, one_number; field; lra
    | intros u f F; split; [apply observable_at_the_minimum, F | reflexivity]
    | exact linear_change_of_variables_of_a_test ].
  Theorem linear_objective_is_private n d_in :
    private (edits n d_in) linear_objective (pure (d_in * objective_loss n reach 1 0 regularisation rate)).
  Proof.
    simple refine (perturbed_objective n 1 (1 / 1024) reach 1 0 regularisation rate d_in (clipping reach)
      sqrt linear_slope linear_rise _ _ _ _ _ _ _ _ _ (O := Line.line) one_number the_number line
      (laplace_term rate rate_is_positive) (laplace_total rate) linear_minimum linear_objective _ _ _ _ _ _ _);
      premises_hold.
  Qed.
  Theorem linear_objective_rounded n d_in granularity (positive : 0 < granularity) :
    private (edits n d_in) (fun u => then_run (linear_objective u) (rounding granularity positive))
      (pure (d_in * objective_loss n reach 1 0 regularisation rate)).
  Proof.
    simple refine (perturbed_objective_rounded n 1 (1 / 1024) reach 1 0 regularisation rate d_in (clipping reach)
      sqrt linear_slope linear_rise _ _ _ _ _ _ _ _ _ (O := Line.line) one_number the_number line
      (laplace_term rate rate_is_positive) (laplace_total rate) linear_minimum linear_objective _ _ _ _ _ _ _ (rounding granularity positive));
      premises_hold.
  Qed.
End linear_losses.

(* Numbers clipped to [-5, 5], a regularisation of 10 and noise of the rate 1 / 20: an opposite of a tenth of the sum,
   with noise of scale 20 on the sum.  One number more costs 1 / 4, and one replaced twice as much: determinants are
   all the same. *)
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

(** * All losses, with one coefficient *)

(* Numbers, of which the bounded continuous functions are observables. *)
Lemma continuous_least f g (x : R) : continuous f x -> continuous g x -> continuous (fun y => Rmin (f y) (g y)) x.
Proof.
  intros F G. apply (continuous_ext (fun y => / 2 * (f y + g y + -1 * Rabs (f y + -1 * g y)))).
  - intro y. unfold Rmin, Rabs. destruct Rle_dec, Rcase_abs; lra.
  - assert (D : continuous (fun y => f y + -1 * g y) x).
    { apply (continuous_plus f (fun y => -1 * g y)); [exact F |]. apply (continuous_scal_r (-1) g), G. }
    apply (continuous_scal_r (/ 2) (fun y => f y + g y + -1 * Rabs (f y + -1 * g y))).
    apply (continuous_plus (fun y => f y + g y) (fun y => -1 * Rabs (f y + -1 * g y))).
    + apply (continuous_plus f g); assumption.
    + apply (continuous_scal_r (-1) (fun y => Rabs (f y + -1 * g y))).
      apply (continuous_comp (fun y => f y + -1 * g y) Rabs); [exact D | apply continuous_Rabs].
Qed.
Definition continuous_line : space.
Proof.
  refine (Space R (fun f => bounded f /\ forall x, continuous f x) _ _ _ _ _ _ _).
  - intros f F. apply F.
  - intros f g same [B C]. split; [apply (bounded_same f); assumption |].
    intro x. apply (continuous_ext f); [exact same | apply C].
  - intro c. split; [apply bounded_constant | intro; apply continuous_const].
  - intros f g [B C] [B' C']. split; [apply bounded_sum; assumption |]. intro x. apply (continuous_plus f g); auto.
  - intros c f [B C]. split; [apply bounded_multiple, B |]. intro x. apply (continuous_scal_r c f), C.
  - intros f g [B C] [B' C']. split; [apply bounded_least; assumption | intro; apply continuous_least; auto].
  - intros g f G [B C]. split; [apply bounded_image; assumption |]. intro x. apply (continuous_comp f g); [apply C |].
    apply continuity_pt_filterlim, G.
Defined.
Lemma continuous_is_observable f : observable (s := continuous_line) f -> observable (s := Line.line) f.
Proof.
  intros [B C]. split; [exact B |]. apply Line.integrable_continuous. intro x. apply continuity_pt_filterlim, C.
Qed.
(* A law on the line, told continuous functions alone. *)
Definition of_continuous (p : law Line.line) : law continuous_line.
Proof.
  refine (Law continuous_line (E p) _ _ _ _).
  - intros f g F G below. apply (E_monotone p); auto using continuous_is_observable.
  - intros f g F G. apply (E_sum p); apply continuous_is_observable; assumption.
  - intros c f F. apply (E_multiple p), continuous_is_observable, F.
  - apply (E_one p).
Defined.

(* Integration by substitution, on the whole line. *)
Lemma substituted (F J g : R -> R) (c l : R) : 0 < c ->
  (forall w, is_derive F w (J w)) -> (forall w, continuous J w) -> (forall x y, x <= y -> c * (y - x) <= F y - F x) ->
  (forall b, continuous g b) -> is_on_line g l -> is_on_line (fun w => g (- F w) * J w) l.
Proof.
  intros C D S rises G L. apply on_line_iff. intros r positive. rewrite on_line_iff in L.
  destruct (L r positive) as [far reach]. exists ((Rabs far + Rabs (F 0)) / c). intros a b A B.
  pose proof (Rabs_pos far). pose proof (Rabs_pos (F 0)).
  assert (N : 0 <= (Rabs far + Rabs (F 0)) / c).
  { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, C]. }
  assert (times : c * ((Rabs far + Rabs (F 0)) / c) = Rabs far + Rabs (F 0)) by (field; lra).
  pose proof (Rle_abs far). pose proof (Rle_abs (F 0)). pose proof (Rle_abs (- F 0)) as M. rewrite Rabs_Ropp in M.
  pose proof (rises 0 b ltac:(lra)) as above. pose proof (rises a 0 ltac:(lra)) as below.
  apply (Rmult_lt_compat_l c) in A; [| exact C]. apply (Rmult_lt_compat_l c) in B; [| exact C].
  destruct (reach (- F b) (- F a)) as (y & Y & near); [lra | lra |]. exists y. split; [| exact near].
  pose proof (is_RInt_comp (V := R_CompleteNormedModule) g (fun w => - F w) (fun w => - J w) a b (fun w _ => G (- F w)))
    as K.
  assert (smooth : forall w, Rmin a b <= w <= Rmax a b ->
            is_derive (fun w => - F w) w (- J w) /\ continuous (fun w => - J w) w).
  { intros w _. split; [apply (is_derive_opp F w (J w)), D | apply (continuous_opp J), S]. }
  specialize (K smooth). cbv beta in K.
  assert (value : RInt g (- F a) (- F b) = - y).
  { rewrite <- (opp_RInt_swap (V := R_CompleteNormedModule) g (- F b) (- F a)) by (exists y; exact Y).
    rewrite (is_RInt_unique g (- F b) (- F a) y Y). reflexivity. }
  rewrite value in K. apply (is_RInt_opp (V := R_NormedModule)) in K.
  replace y with (opp (- y)) by (unfold opp; simpl; ring).
  apply (is_RInt_ext (fun w => opp (scal (- J w) (g (- F w))))); [| exact K].
  intros w _. unfold opp, scal. simpl. unfold mult. simpl. ring.
Qed.

Section smooth_losses.
  Context (n : neighbours) (granularity reach steepness curving regularisation rate d_in : R).
  Context (factor : R -> R -> R) (root_above : R -> R) (slope rise : R -> R -> R).
  Hypothesis granularity_is_positive : 0 < granularity.
  Hypothesis root_is_above :
    forall square, 0 <= square -> 0 <= root_above square /\ square <= root_above square ^ 2.
  Hypothesis reach_is_not_negative : 0 <= reach.
  Hypothesis factor_keeps_the_square : forall square root,
    0 <= square -> 0 <= root -> square <= root ^ 2 -> factor square root ^ 2 * square <= reach ^ 2.
  Hypothesis slope_is_within_steepness : forall margin power, 0 < power -> Rabs (slope margin power) <= steepness.
  Hypothesis slope_rises_within_curving : forall margin power, 0 < power -> 0 <= rise margin power <= curving.
  Hypothesis rise_is_the_derivative : forall margin,
    is_derive (fun m => slope m (exp m)) margin (rise margin (exp margin)).
  Hypothesis rise_is_continuous : forall margin, continuous (fun m => rise m (exp m)) margin.
  Hypothesis regularisation_is_positive : 0 < regularisation.
  Hypothesis rate_is_positive : 0 < rate.

  (* The derivative of the losses and the regularisation at w, and its derivative. *)
  Definition first_derivative (u : table vector) (w : R) : R :=
    gradient 1 granularity factor root_above slope regularisation u (one_number w) 0%nat.
  Let second_derivative (u : table vector) (w : R) : R :=
    volume 1 granularity regularisation factor root_above rise u (one_number w).
  Let number_of (row : vector) : R := rescaled towards_zero granularity 1 factor root_above row 0%nat.

  Lemma inner_of_one_number w v : inner 1 (one_number w) v = w * v 0%nat.
  Proof. unfold inner, one_number. simpl. ring. Qed.
  Lemma first_derivative_is u w : first_derivative u w =
    regularisation * w + sum_of (fun row => slope (w * number_of row) (exp (w * number_of row)) * number_of row) u.
  Proof.
    unfold first_derivative, gradient. f_equal. apply sum_of_alike. intro row. unfold slope_at.
    rewrite inner_of_one_number. reflexivity.
  Qed.
  Lemma second_derivative_is u w : second_derivative u w = regularisation +
    sum_of (fun row => rise (w * number_of row) (exp (w * number_of row)) * (number_of row * number_of row)) u.
  Proof.
    unfold second_derivative, volume, second_derivatives. simpl. rewrite Rmult_1_r. f_equal. apply sum_of_alike.
    intro row. unfold rise_at. rewrite inner_of_one_number. reflexivity.
  Qed.
  Lemma times_derive c (w : R) : is_derive (fun w => w * c) w c.
  Proof. auto_derive; [exact I | ring]. Qed.
  Lemma first_derivative_derive u w : is_derive (first_derivative u) w (second_derivative u w).
  Proof.
    rewrite second_derivative_is. apply (is_derive_ext (fun w => regularisation * w +
      sum_of (fun row => slope (w * number_of row) (exp (w * number_of row)) * number_of row) u));
      [intro; symmetry; apply first_derivative_is |].
    apply (is_derive_plus (fun w => regularisation * w)); [auto_derive; [exact I | ring] |].
    induction u as [| row u IH]; [apply (is_derive_const 0) |].
    apply (is_derive_plus (fun w => slope (w * number_of row) (exp (w * number_of row)) * number_of row)); [| exact IH].
    apply (is_derive_ext (fun w => scal (number_of row) (slope (w * number_of row) (exp (w * number_of row))))).
    { intro t. unfold scal. simpl. unfold mult. simpl. ring. }
    replace (rise (w * number_of row) (exp (w * number_of row)) * (number_of row * number_of row)) with
      (scal (number_of row) (scal (number_of row) (rise (w * number_of row) (exp (w * number_of row)))))
      by (unfold scal; simpl; unfold mult; simpl; ring).
    apply (is_derive_scal (fun w => slope (w * number_of row) (exp (w * number_of row)))).
    apply (is_derive_comp (fun m => slope m (exp m)) (fun w => w * number_of row));
      [apply rise_is_the_derivative | apply times_derive].
  Qed.
  Lemma second_derivative_continuous u w : continuous (second_derivative u) w.
  Proof.
    apply (continuous_ext (fun w => regularisation + sum_of
      (fun row => rise (w * number_of row) (exp (w * number_of row)) * (number_of row * number_of row)) u));
      [intro; symmetry; apply second_derivative_is |].
    apply (continuous_plus (fun _ => regularisation)); [apply continuous_const |].
    induction u as [| row u IH]; [apply continuous_const |].
    apply (continuous_plus (fun w => rise (w * number_of row) (exp (w * number_of row)) *
      (number_of row * number_of row))); [| exact IH].
    apply (continuous_mult (fun w => rise (w * number_of row) (exp (w * number_of row)))); [| apply continuous_const].
    apply (continuous_comp (fun w => w * number_of row) (fun m => rise m (exp m))); [| apply rise_is_continuous].
    apply (ex_derive_continuous (fun w => w * number_of row)). exists (number_of row). apply times_derive.
  Qed.
  Lemma second_derivative_at_least u w : regularisation <= second_derivative u w.
  Proof.
    rewrite second_derivative_is. enough (0 <= sum_of (fun row =>
      rise (w * number_of row) (exp (w * number_of row)) * (number_of row * number_of row)) u) by lra.
    induction u as [| row u IH]; [right; reflexivity |]. simpl. apply Rplus_le_le_0_compat; [| exact IH].
    apply Rmult_le_pos; [apply slope_rises_within_curving, exp_pos |].
    replace (number_of row * number_of row) with (number_of row ^ 2) by ring. apply pow2_ge_0.
  Qed.
  Lemma first_derivative_continuous u w : continuous (first_derivative u) w.
  Proof. apply (ex_derive_continuous (first_derivative u)). eexists. apply first_derivative_derive. Qed.
  Lemma first_derivative_rises u x y : x <= y ->
    regularisation * (y - x) <= first_derivative u y - first_derivative u x.
  Proof.
    intro order. destruct (MVT_gen (first_derivative u) x y (second_derivative u)) as (c & _ & same).
    - intros. apply first_derivative_derive.
    - intros. apply continuity_pt_filterlim, first_derivative_continuous.
    - rewrite same. apply Rmult_le_compat_r; [lra | apply second_derivative_at_least].
  Qed.
  (* There is a minimum, whatever the random term. *)
  Lemma minimum_exists u b : {w | first_derivative u w + b = 0}.
  Proof.
    pose (far := (Rabs (first_derivative u 0) + Rabs b) / regularisation).
    pose proof (Rabs_pos (first_derivative u 0)). pose proof (Rabs_pos b).
    assert (N : 0 <= far) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, regularisation_is_positive]).
    assert (times : regularisation * far = Rabs (first_derivative u 0) + Rabs b) by (unfold far; field; lra).
    pose proof (Rle_abs (first_derivative u 0)). pose proof (Rle_abs b).
    pose proof (Rle_abs (- first_derivative u 0)) as A. pose proof (Rle_abs (- b)) as B. rewrite Rabs_Ropp in A, B.
    pose proof (first_derivative_rises u 0 far N). pose proof (first_derivative_rises u (- far) 0 ltac:(lra)).
    destruct (IVT_cor (fun w => first_derivative u w + b) (- far) far) as (w & _ & zero).
    - apply (continuity_plus (first_derivative u) (fun _ => b)); [| apply continuity_const; intros ? ?; reflexivity].
      intro w. apply continuity_pt_filterlim, first_derivative_continuous.
    - lra.
    - assert (first_derivative u (- far) + b <= 0) by lra. assert (0 <= first_derivative u far + b) by lra. nra.
    - exists w. exact zero.
  Qed.

  Context (minimum : table vector -> R -> R).
  Hypothesis gradient_is_zero_at_the_minimum : forall u b, first_derivative u (minimum u b) + b = 0.
  Lemma minimum_moves_little u b b' : regularisation * Rabs (minimum u b - minimum u b') <= Rabs (b - b').
  Proof.
    pose proof (gradient_is_zero_at_the_minimum u b) as Z. pose proof (gradient_is_zero_at_the_minimum u b') as Z'.
    destruct (Rle_lt_dec (minimum u b) (minimum u b')) as [order | order].
    - pose proof (first_derivative_rises u _ _ order). rewrite Rabs_left1 by lra. pose proof (Rle_abs (b - b')). lra.
    - pose proof (first_derivative_rises u _ _ (Rlt_le _ _ order)). rewrite Rabs_pos_eq by lra.
      pose proof (Rle_abs (- (b - b'))) as A. rewrite Rabs_Ropp in A. lra.
  Qed.
  Lemma minimum_continuous u b : continuous (minimum u) b.
  Proof.
    apply continuity_pt_filterlim. intros eps positive. exists (regularisation * eps).
    split; [apply Rmult_lt_0_compat; lra |]. intros b' [_ near]. unfold dist in *. simpl in *. unfold R_dist in *.
    apply (Rmult_lt_reg_l regularisation); [exact regularisation_is_positive |].
    pose proof (minimum_moves_little u b' b). lra.
  Qed.
  Lemma continuous_at_the_minimum u (f : continuous_line -> R) :
    observable (s := continuous_line) f -> observable (s := continuous_line) (fun b => f (minimum u b)).
  Proof.
    intros [[c C] F]. split; [exists c; intro; apply C |]. intro b.
    apply (continuous_comp (minimum u) f); [apply minimum_continuous | apply F].
  Qed.
  Definition released_minimum : mechanism (table vector) continuous_line.
  Proof.
    intro u. pose (noise := of_continuous (laplace_term rate rate_is_positive)).
    refine (Law continuous_line (fun f => E noise (fun b => f (minimum u b))) _ _ _ _).
    - intros f g F G below. apply (E_monotone noise); auto using continuous_at_the_minimum.
    - intros f g F G. apply (E_sum noise (fun b => f (minimum u b)) (fun b => g (minimum u b)));
        apply continuous_at_the_minimum; assumption.
    - intros c f F. apply (E_multiple noise c (fun b => f (minimum u b))), continuous_at_the_minimum, F.
    - apply (E_one noise).
  Defined.

  (* perturbed_objective, of any mechanism that releases the minimum: nothing else is premised. *)
  Context (M : mechanism (table vector) continuous_line).
  Hypothesis minimum_is_released : forall u f, observable f ->
    E (M u) f = E (laplace_term rate rate_is_positive) (fun b => f (minimum u b)).
  Theorem perturbed_objective_of_one_coefficient : private (edits n d_in) M
    (pure (d_in * objective_loss n reach steepness curving regularisation rate)).
  Proof.
    simple refine (perturbed_objective n 1 granularity reach steepness curving regularisation rate d_in factor root_above
      slope rise _ _ _ _ _ _ _ _ _ (O := continuous_line) one_number the_number line
      (of_continuous (laplace_term rate rate_is_positive)) (laplace_total rate) minimum M _ _ _ _ _ _ _);
      try assumption.
    - intro. apply is_derive_Reals, rise_is_the_derivative.
    - exact one_number_is_a_vector.
    - exact one_number_says_which.
    - apply laplace_total_positive, rate_is_positive.
    - destruct (laplace_term_has_its_density rate rate_is_positive) as [N H]. split; [exact N |].
      intros f F. exact (H f (continuous_is_observable f F)).
    - intros u b j J. replace j with 0%nat by lia. apply gradient_is_zero_at_the_minimum.
    - intros u f F. split; [exact (continuous_at_the_minimum u f F) | exact (minimum_is_released u f F)].
    - intros u f F.
      destruct (proj2 (laplace_term_has_its_density rate rate_is_positive) f (continuous_is_observable f F)) as [A _].
      pose proof (line_has _ A) as L. apply line_is.
      apply (substituted (first_derivative u) (second_derivative u)
        (fun b => f b * noise_density 1 rate (O := Line.line) one_number (laplace_total rate) b) regularisation _
        regularisation_is_positive (first_derivative_derive u) (second_derivative_continuous u)
        (first_derivative_rises u)); [| exact L].
      intro b. apply (continuous_mult f); [apply F |].
      apply (continuous_ext (fun b => / laplace_total rate * exp (- rate * Rabs b))).
      + intro t. unfold noise_density. rewrite norm_of_one_number. apply Rmult_comm.
      + apply (continuous_mult (fun _ => / laplace_total rate)); [apply continuous_const |].
        apply (continuous_comp (fun b => - rate * Rabs b) exp).
        * apply (continuous_mult (fun _ => - rate)); [apply continuous_const | apply continuous_Rabs].
        * apply (ex_derive_continuous exp). auto_derive. exact I.
  Qed.
End smooth_losses.

(* Logistic regression with one coefficient, on numbers clipped to [-1, 1]: the loss ln(1 + e^-m), a regularisation of 1
   and a random term of the rate 1 / 4, so that a row more costs 1 / 4 + ln(5 / 4). *)
Definition logistic_rise (margin power : R) := power / (1 + power) ^ 2.
Lemma granularity_is_positive : 0 < 1 / 1024. Proof. lra. Qed.
Lemma quarter_is_positive : 0 < 1 / 4. Proof. lra. Qed.
Lemma unit_keeps_the_square square root :
  0 <= square -> 0 <= root -> square <= root ^ 2 -> clipping 1 square root ^ 2 * square <= 1 ^ 2.
Proof. apply clipping_keeps_the_square, Rlt_0_1. Qed.
Lemma logistic_slope_is_within_1 margin power : 0 < power -> Rabs (logistic_slope margin power) <= 1.
Proof.
  intro positive. unfold logistic_slope. rewrite Rabs_Ropp, Rabs_right.
  - rewrite <- Rinv_1 at 2. apply Rinv_le_contravar; lra.
  - apply Rle_ge. left. apply Rinv_0_lt_compat. lra.
Qed.
Lemma logistic_rises_within_a_quarter margin power : 0 < power -> 0 <= logistic_rise margin power <= 1 / 4.
Proof.
  intro positive. unfold logistic_rise. assert (S_ : 0 < (1 + power) ^ 2) by (apply pow_lt; lra).
  split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, S_] |].
  apply (Rmult_le_reg_r ((1 + power) ^ 2)); [exact S_ |].
  replace (power / (1 + power) ^ 2 * (1 + power) ^ 2) with power by (field; lra).
  pose proof (pow2_ge_0 (1 - power)). nra.
Qed.
Lemma logistic_rise_is_the_derivative margin :
  is_derive (fun m => logistic_slope m (exp m)) margin (logistic_rise margin (exp margin)).
Proof.
  unfold logistic_slope, logistic_rise. pose proof (exp_pos margin). auto_derive; [lra |]. field. lra.
Qed.
Lemma logistic_rise_is_continuous margin : continuous (fun m => logistic_rise m (exp m)) margin.
Proof.
  apply (ex_derive_continuous (fun m => logistic_rise m (exp m))). unfold logistic_rise. pose proof (exp_pos margin).
  auto_derive. apply Rgt_not_eq. repeat apply Rmult_lt_0_compat; lra.
Qed.
Definition logistic_minimum (u : table vector) (b : R) : R := proj1_sig (minimum_exists (1 / 1024) (1 / 4) 1
  (clipping 1) sqrt logistic_slope logistic_rise logistic_rises_within_a_quarter logistic_rise_is_the_derivative
  Rlt_0_1 u b).
Lemma gradient_is_zero_at_the_logistic_minimum u b :
  first_derivative (1 / 1024) 1 (clipping 1) sqrt logistic_slope u (logistic_minimum u b) + b = 0.
Proof. exact (proj2_sig (minimum_exists _ _ _ _ _ _ _ _ _ _ u b)). Qed.
Definition logistic_objective : mechanism (table vector) continuous_line :=
  released_minimum (1 / 1024) (1 / 4) 1 (1 / 4) (clipping 1) sqrt logistic_slope logistic_rise
    logistic_rises_within_a_quarter logistic_rise_is_the_derivative Rlt_0_1 quarter_is_positive logistic_minimum
    gradient_is_zero_at_the_logistic_minimum.
Theorem logistic_objective_is_private n d_in :
  private (edits n d_in) logistic_objective (pure (d_in * objective_loss n 1 1 (1 / 4) 1 (1 / 4))).
Proof.
  refine (perturbed_objective_of_one_coefficient n (1 / 1024) 1 1 (1 / 4) 1 (1 / 4) d_in (clipping 1) sqrt logistic_slope
    logistic_rise granularity_is_positive sqrt_is_above Rle_0_1 unit_keeps_the_square logistic_slope_is_within_1
    logistic_rises_within_a_quarter logistic_rise_is_the_derivative logistic_rise_is_continuous Rlt_0_1 quarter_is_positive
    logistic_minimum gradient_is_zero_at_the_logistic_minimum logistic_objective _).
  reflexivity.
Qed.
Example a_row_more_of_a_logistic_regression : private (symmetric 1) logistic_objective (pure (1 / 4 + ln (5 / 4))).
Proof.
  pose proof (logistic_objective_is_private add_remove 1) as K.
  replace (1 / 4 + ln (5 / 4)) with (1 * objective_loss add_remove 1 1 (1 / 4) 1 (1 / 4)); [exact K |].
  unfold objective_loss. replace (1 + 1 / 4 * 1 ^ 2 / 1) with (5 / 4) by field. ring.
Qed.
Example three_other_rows_of_a_logistic_regression :
  private (change_one 3) logistic_objective (pure (3 * (1 / 2 + ln (5 / 4)))).
Proof.
  pose proof (logistic_objective_is_private replace_one 3) as K.
  replace (3 * (1 / 2 + ln (5 / 4))) with (3 * objective_loss replace_one 1 1 (1 / 4) 1 (1 / 4)); [exact K |].
  unfold objective_loss. replace (1 + 1 / 4 * 1 ^ 2 / 1) with (5 / 4) by field. field.
Qed.

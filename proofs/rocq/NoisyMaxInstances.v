(* The greatest of scores with noise on the line, applied to Gumbel noise and to exponential noise.

   Masses of the greatest are known without an integral over several noises: with Gumbel noise they are those of
   selection by weights, with exponential noise those of permute-and-flip.  No example here assumes anything: see
   Instances.v. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Line Definitions BoundNoise Selection SparseVector SelectionInstances.
Import ListNotations.
Open Scope R_scope.

Definition falls_observed f (B : bounded f) (F : forall a b, a <= b -> f b <= f a) :
  observable (fun z : Line.line => f z) := conj B (Line.integrable_falling f B F).

(* The integral of what has an antiderivative that comes near one number far below, and near another far above. *)
Lemma on_line_by_ends (p D : R -> R) low high :
  (forall z, is_derive D z (p z)) -> (forall z, continuous p z) ->
  (forall r, 0 < r -> exists far, forall z,
     (z < - far -> Rabs (D z - low) < r) /\ (far < z -> Rabs (D z - high) < r)) ->
  Definitions.is_on_line p (high - low).
Proof.
  intros derives C ends. apply Definitions.on_line_iff. intros r R0.
  destruct (ends (r / 2) ltac:(lra)) as [far near]. exists far. intros a b A B. exists (D b - D a). split.
  - apply (is_RInt_derive (V := R_CompleteNormedModule) D p); intros; [apply derives | apply C].
  - replace (D b - D a - (high - low)) with ((D b - high) - (D a - low)) by ring.
    eapply Rle_lt_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp.
    pose proof (proj1 (near a) A). pose proof (proj2 (near b) B). lra.
Qed.

(* What Gumbel noise becomes where others must stay below: e^(-z - k e^(-z)); its integral over the line. *)
Section gumbel_power.
  Variable k : R.
  Hypothesis at_least_one : 1 <= k.
  Definition gumbel_power (z : R) : R := exp (- z - k * exp (- z)).
  Definition gumbel_primitive (z : R) : R := / k * exp (- (k * exp (- z))).
  Lemma gumbel_primitive_derives z : is_derive gumbel_primitive z (gumbel_power z).
  Proof.
    unfold gumbel_primitive, gumbel_power. auto_derive; [exact I |].
    replace (- z - k * exp (- z)) with (- z + - (k * exp (- z))) by ring. rewrite exp_plus. field. lra.
  Qed.
  Lemma gumbel_power_continuous z : continuous gumbel_power z.
  Proof. apply (ex_derive_continuous (V := R_NormedModule)). unfold gumbel_power. auto_derive. exact I. Qed.
  Lemma gumbel_power_ends r : 0 < r -> exists far, forall z,
    (z < - far -> Rabs (gumbel_primitive z - 0) < r) /\ (far < z -> Rabs (gumbel_primitive z - / k) < r).
  Proof.
    intro R0. exists (- ln r). assert (K : 0 < / k <= 1).
    { split; [apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    assert (small : forall y, y < ln r -> exp y < r).
    { intros y Y. rewrite <- (exp_ln r R0). apply exp_increasing, Y. }
    intro z. unfold gumbel_primitive. split; intro Z.
    - rewrite Rminus_0_r, Rabs_pos_eq by (apply Rmult_le_pos; [lra | left; apply exp_pos]).
      apply Rle_lt_trans with (1 * exp z); [| rewrite Rmult_1_l; apply small; lra].
      apply Rmult_le_compat; [lra | left; apply exp_pos | lra |].
      apply exp_le. pose proof (exp_ineq1_le (- z)). pose proof (exp_pos (- z)).
      assert (1 * exp (- z) <= k * exp (- z)) by (apply Rmult_le_compat_r; lra). lra.
    - replace (/ k * exp (- (k * exp (- z))) - / k) with (- (/ k * (1 - exp (- (k * exp (- z)))))) by ring.
      pose proof (exp_pos (- z)). assert (0 <= k * exp (- z)) by (apply Rmult_le_pos; lra).
      assert (exp (- (k * exp (- z))) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
      rewrite Rabs_Ropp, Rabs_pos_eq by (apply Rmult_le_pos; lra).
      pose proof (exp_ineq1_le (- (k * exp (- z)))).
      apply Rle_lt_trans with (/ k * (k * exp (- z))); [apply Rmult_le_compat_l; lra |].
      replace (/ k * (k * exp (- z))) with (exp (- z)) by (field; lra). apply small. lra.
  Qed.
  Lemma gumbel_power_on_line : Definitions.is_on_line gumbel_power (/ k).
  Proof.
    replace (/ k) with (/ k - 0) by ring.
    apply (on_line_by_ends _ gumbel_primitive); [apply gumbel_primitive_derives | apply gumbel_power_continuous |].
    exact gumbel_power_ends.
  Qed.
  (* Its mass from a number on. *)
  Lemma gumbel_power_from x : Definitions.is_on_line (fun z => SparseVector.at_least x z * gumbel_power z)
    (/ k - gumbel_primitive x).
  Proof.
    apply Definitions.on_line_iff. intros r R0. destruct (gumbel_power_ends r R0) as [far near].
    exists (Rmax far (Rabs x)). intros a b A B. pose proof (Rmax_l far (Rabs x)). pose proof (Rmax_r far (Rabs x)).
    assert (a < x < b) by (revert A B H H0; unfold Rabs; destruct Rcase_abs; lra).
    exists (0 + (gumbel_primitive b - gumbel_primitive x)). split.
    - apply (is_RInt_Chasles (V := R_NormedModule) _ a x b).
      + apply (is_RInt_ext (fun _ => 0)).
        * intros z [_ Z]. rewrite Rmax_right in Z by lra. unfold SparseVector.at_least. destruct Rle_dec; lra.
        * pose proof (is_RInt_const (V := R_NormedModule) a x 0) as nothing.
          change (scal (x - a) 0) with ((x - a) * 0) in nothing. rewrite Rmult_0_r in nothing. exact nothing.
      + apply (is_RInt_ext gumbel_power).
        * intros z [Z _]. rewrite Rmin_left in Z by lra. unfold SparseVector.at_least. destruct Rle_dec; lra.
        * apply (is_RInt_derive (V := R_CompleteNormedModule) gumbel_primitive gumbel_power); intros;
            [apply gumbel_primitive_derives | apply gumbel_power_continuous].
    - replace (0 + (gumbel_primitive b - gumbel_primitive x) - (/ k - gumbel_primitive x))
        with (gumbel_primitive b - / k) by ring.
      apply (near b). lra.
  Qed.
End gumbel_power.

(** * Gumbel noise of scale 1 *)

Lemma gumbel_positive z : 0 <= gumbel_power 1 z.
Proof. left. apply exp_pos. Qed.
Lemma gumbel_bounded : bounded (gumbel_power 1).
Proof.
  exists 1. intro z. pose proof (gumbel_positive z). enough (gumbel_power 1 z <= 1) by lra.
  apply Rle_trans with (exp 0); [| rewrite exp_0; lra]. apply exp_le. pose proof (exp_ineq1_le (- z)). lra.
Qed.
Lemma gumbel_integrable : Line.integrable (gumbel_power 1).
Proof. apply Line.integrable_continuous. intro z. apply continuity_pt_filterlim, gumbel_power_continuous. Qed.
Lemma gumbel_whole : Definitions.is_on_line (gumbel_power 1) 1.
Proof. replace 1 with (/ 1) at 2 by apply Rinv_1. apply gumbel_power_on_line, Rle_refl. Qed.
Definition gumbel_law := BoundNoise.law_of_density _ gumbel_positive gumbel_bounded gumbel_integrable gumbel_whole.
Definition gumbel : SparseVector.noise := SparseVector.Noise Line.line (fun z => z) gumbel_law falls_observed.
Lemma gumbel_expects (f : R -> R) l : Definitions.is_on_line (fun z => f z * gumbel_power 1 z) l ->
  E (SparseVector.drawn gumbel) (fun z : Line.line => f z) = l.
Proof. intro H. exact (proj2 (Definitions.line_is _ _ H)). Qed.
Lemma gumbel_stays_below x : 1 - SparseVector.chance gumbel x = exp (- exp (- x)).
Proof.
  assert (above : SparseVector.chance gumbel x = / 1 - gumbel_primitive 1 x)
    by exact (gumbel_expects _ _ (gumbel_power_from 1 (Rle_refl 1) x)).
  rewrite above.
  unfold gumbel_primitive. rewrite Rinv_1, !Rmult_1_l. ring.
Qed.
Lemma gumbel_has_density : SparseVector.has_density 0 gumbel (fun z => exp (- z - exp (- z))).
Proof.
  exists SelectionInstances.shifted_line, 1. split; [lra |]. intros f F.
  pose proof (BoundNoise.observed_on_the_line _ gumbel_positive gumbel_bounded gumbel_integrable gumbel_whole f F) as O.
  assert (same : forall z, f z * gumbel_power 1 z = exp (- z - exp (- z)) * f z).
  { intro z. unfold gumbel_power. rewrite Rmult_1_l. ring. }
  split; [exact (Definitions.integrable_same _ _ _ same O) |].
  rewrite Rmult_1_l. symmetry. exact (Definitions.integral_same _ _ _ O same).
Qed.
Lemma gumbel_product a l z :
  Selection.product_of (map (fun q => 1 - SparseVector.chance gumbel (a + z - q)) l) =
  exp (- (Selection.sum_of (map (fun q => exp ((q - a) / 1)) l) * exp (- z))).
Proof.
  induction l as [| q l IH]; simpl; [rewrite Rmult_0_l, Ropp_0, exp_0; reflexivity |].
  rewrite IH, gumbel_stays_below, <- exp_plus. f_equal.
  replace (- (a + z - q)) with ((q - a) / 1 + - z) by field. rewrite exp_plus. ring.
Qed.
Lemma gumbel_wins s : s <> [] -> Selection.has_masses (Selection.by_weights (fun q => q / 1) s) (length s)
  (Selection.winning gumbel s).
Proof.
  intros some f F. rewrite (Selection.by_weights_masses _ s some f F). apply Selection.over_same. intros i small.
  f_equal. rewrite (Selection.weighted_mass_is_share 1 (fun q => q / 1) s i (fun u v => ltac:(cbv beta; field)) small).
  symmetry. unfold Selection.winning. apply gumbel_expects.
  set (a := nth i s 0). set (others := Selection.others i s). pose proof (Selection.sum_of_ratios 1 a others).
  apply (Definitions.on_line_same (gumbel_power (Selection.sum_of (map (fun q => exp ((q - a) / 1)) others) + 1)));
    [| apply gumbel_power_on_line; lra].
  intro z. change (@SparseVector.value gumbel z) with z. rewrite gumbel_product. unfold gumbel_power.
  rewrite <- exp_plus. f_equal. ring.
Qed.
Example greatest_with_gumbel_noise :
  private (Selection.scores_within 1) (Selection.by_weights (fun q => q / 1)) (pure (2 * 1)).
Proof.
  apply (Selection.noisy_max gumbel _ (fun z => - z - exp (- z)) (fun d => 2 * d));
    [exact gumbel_wins | exact gumbel_has_density | | lra].
  intros d z h D H H'. assert (exp (- (z + h)) <= exp (- z)) by (apply exp_le; lra). lra.
Qed.

(** * Exponential noise of scale 2 *)

Definition exponential_density (z : R) : R := if Rle_dec 0 z then exp (- (z / 2)) / 2 else 0.
(* From x on, where x is not negative. *)
Definition tail_from (x z : R) : R := if Rle_dec x z then exp (- (z / 2)) / 2 else 0.
Lemma tail_on a b x : a < x < b -> is_RInt (tail_from x) a b (exp (- (x / 2)) - exp (- (b / 2))).
Proof.
  intros [A B]. replace (exp (- (x / 2)) - exp (- (b / 2))) with (0 + (- exp (- (b / 2)) - - exp (- (x / 2)))) by ring.
  apply (is_RInt_Chasles (V := R_NormedModule) _ a x b).
  - apply (is_RInt_ext (fun _ => 0)).
    + intros z [_ Z]. rewrite Rmax_right in Z by lra. unfold tail_from. destruct Rle_dec; lra.
    + pose proof (is_RInt_const (V := R_NormedModule) a x 0) as nothing.
      change (scal (x - a) 0) with ((x - a) * 0) in nothing. rewrite Rmult_0_r in nothing. exact nothing.
  - apply (is_RInt_ext (fun z => exp (- (z / 2)) / 2)).
    + intros z [Z _]. rewrite Rmin_left in Z by lra. unfold tail_from. destruct Rle_dec; lra.
    + apply (is_RInt_derive (V := R_CompleteNormedModule) (fun z => - exp (- (z / 2)))); intros z _.
      * auto_derive; [exact I | unfold Rdiv; field].
      * apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
Qed.
Lemma tail_on_line x : Definitions.is_on_line (tail_from x) (exp (- (x / 2))).
Proof.
  apply Definitions.on_line_iff. intros r R0. exists (Rmax (Rabs x) (- (2 * ln r))). intros a b A B.
  pose proof (Rmax_l (Rabs x) (- (2 * ln r))). pose proof (Rmax_r (Rabs x) (- (2 * ln r))).
  assert (inside : a < x < b) by (revert A B H H0; unfold Rabs; destruct Rcase_abs; lra).
  exists (exp (- (x / 2)) - exp (- (b / 2))). split; [apply tail_on, inside |].
  replace (exp (- (x / 2)) - exp (- (b / 2)) - exp (- (x / 2))) with (- exp (- (b / 2))) by ring.
  rewrite Rabs_Ropp, Rabs_pos_eq by (left; apply exp_pos). rewrite <- (exp_ln r R0). apply exp_increasing. lra.
Qed.
Lemma exponential_positive z : 0 <= exponential_density z.
Proof. unfold exponential_density. pose proof (exp_pos (- (z / 2))). destruct Rle_dec; lra. Qed.
Lemma exponential_bounded : bounded exponential_density.
Proof.
  exists 1. intro z. pose proof (exponential_positive z). enough (exponential_density z <= 1) by lra.
  unfold exponential_density. destruct Rle_dec; [| lra].
  enough (exp (- (z / 2)) <= exp 0) by (rewrite exp_0 in *; lra).
  apply exp_le. lra.
Qed.
Lemma exponential_integrable : Line.integrable exponential_density.
Proof.
  intros a b. set (low := Rmin (Rmin a b) 0 - 1). set (high := Rmax (Rmax a b) 0 + 1).
  assert (whole : ex_RInt exponential_density low high).
  { eexists. apply (tail_on low high 0). unfold low, high.
    pose proof (Rmin_r (Rmin a b) 0). pose proof (Rmax_r (Rmax a b) 0). lra. }
  pose proof (Rmin_l (Rmin a b) 0). pose proof (Rmax_l (Rmax a b) 0).
  pose proof (Rmin_l a b). pose proof (Rmin_r a b). pose proof (Rmax_l a b). pose proof (Rmax_r a b).
  assert (inner : forall u v, low <= u <= v /\ v <= high -> ex_RInt exponential_density u v).
  { intros u v [U V]. apply (ex_RInt_Chasles_1 (V := R_CompleteNormedModule) _ u v high); [lra |].
    apply (ex_RInt_Chasles_2 (V := R_CompleteNormedModule) _ low u high); [lra | exact whole]. }
  destruct (Rle_lt_dec a b); [apply inner | apply ex_RInt_swap, inner]; unfold low, high in *; lra.
Qed.
Lemma exponential_whole : Definitions.is_on_line exponential_density 1.
Proof.
  replace 1 with (exp (- (0 / 2))) by (replace (- (0 / 2)) with 0 by field; apply exp_0). apply (tail_on_line 0).
Qed.
Definition exponential_law := BoundNoise.law_of_density _ exponential_positive exponential_bounded
  exponential_integrable exponential_whole.
Definition exponential : SparseVector.noise :=
  SparseVector.Noise Line.line (fun z => z) exponential_law falls_observed.
Lemma exponential_expects (f : R -> R) l : Definitions.is_on_line (fun z => f z * exponential_density z) l ->
  E (SparseVector.drawn exponential) (fun z : Line.line => f z) = l.
Proof. intro H. exact (proj2 (Definitions.line_is _ _ H)). Qed.
Lemma exponential_stays_below x : 1 - SparseVector.chance exponential x = Selection.exponential_below 2 x.
Proof.
  assert (above : SparseVector.chance exponential x = exp (- (Rmax 0 x / 2))).
  { apply (exponential_expects (SparseVector.at_least x)).
    apply (Definitions.on_line_same (tail_from (Rmax 0 x))); [| apply tail_on_line].
    intro z. unfold tail_from, SparseVector.at_least, exponential_density.
    unfold Rmax. destruct (Rle_dec 0 x); repeat destruct Rle_dec; lra. }
  rewrite above. unfold Selection.exponential_below. destruct (Rle_dec 0 x).
  - rewrite Rmax_right by assumption. reflexivity.
  - rewrite Rmax_left by lra. replace (- (0 / 2)) with 0 by field. rewrite exp_0. ring.
Qed.
Lemma exponential_has_density :
  SparseVector.has_density 0 exponential (fun z => if Rle_dec 0 z then exp (- (z / 2)) else 0).
Proof.
  exists SelectionInstances.shifted_line, 2. split; [lra |]. intros f F.
  pose proof (BoundNoise.observed_on_the_line _ exponential_positive exponential_bounded exponential_integrable
    exponential_whole f F) as O.
  pose proof (Definitions.integrable_multiple _ 2 _ O) as twice.
  assert (same : forall z, 2 * (f z * exponential_density z) = (if Rle_dec 0 z then exp (- (z / 2)) else 0) * f z).
  { intro z. unfold exponential_density. destruct Rle_dec; field. }
  split; [exact (Definitions.integrable_same _ _ _ same twice) |].
  etransitivity; [symmetry; exact (Definitions.integral_same _ _ _ twice same) |].
  exact (Definitions.integral_multiple _ 2 _ O).
Qed.
(* By y = e^(-z / 2), from 0 to 1. *)
Lemma exponential_by_uniform (h : R -> R) : (forall y, continuous h y) -> (forall y, 0 <= y <= 1 -> 0 <= h y <= 1) ->
  Definitions.is_on_line (fun z => h (exp (- (z / 2))) * exponential_density z) (RInt h 0 1).
Proof.
  intros C between.
  assert (F : forall u v, ex_RInt h u v) by (intros; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); auto).
  apply Definitions.on_line_iff. intros r R0. exists (Rmax 0 (- (2 * ln r))). intros a b A B.
  pose proof (Rmax_l 0 (- (2 * ln r))). pose proof (Rmax_r 0 (- (2 * ln r))).
  set (e := exp (- (b / 2))). assert (small : 0 < e <= 1 /\ e < r).
  { unfold e. split; [split; [apply exp_pos |] |].
    - apply Rle_trans with (exp 0); [apply exp_le; lra | rewrite exp_0; lra].
    - rewrite <- (exp_ln r R0). apply exp_increasing. lra. }
  exists (0 + RInt h e 1). split.
  - apply (is_RInt_Chasles (V := R_NormedModule) _ a 0 b).
    + apply (is_RInt_ext (fun _ => 0)).
      * intros z [_ Z]. rewrite Rmax_right in Z by lra. unfold exponential_density. destruct Rle_dec; lra.
      * pose proof (is_RInt_const (V := R_NormedModule) a 0 0) as nothing.
        change (scal (0 - a) 0) with ((0 - a) * 0) in nothing. rewrite Rmult_0_r in nothing. exact nothing.
    + pose proof (is_RInt_comp (V := R_CompleteNormedModule) h (fun z => exp (- (z / 2)))
        (fun z => - (exp (- (z / 2)) / 2)) 0 b (fun z _ => C _)) as moved.
      cbv beta in moved. fold e in moved. replace (- (0 / 2)) with 0 in moved by field.
      rewrite exp_0 in moved.
      apply (is_RInt_ext (fun z => opp (scal (- (exp (- (z / 2)) / 2)) (h (exp (- (z / 2))))))).
      * intros z [Z _]. rewrite Rmin_left in Z by lra. unfold exponential_density. destruct Rle_dec; [| lra].
        unfold opp, scal. simpl. unfold mult. simpl. ring.
      * rewrite <- (opp_RInt_swap (V := R_CompleteNormedModule) h 1 e) by apply F.
        apply (is_RInt_opp (V := R_NormedModule)). apply moved. intros z _. split.
        -- auto_derive; [exact I | unfold Rdiv; field].
        -- apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
  - rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) h 0 e 1) by apply F. unfold plus. simpl.
    replace (0 + RInt h e 1 - (RInt h 0 e + RInt h e 1)) with (- RInt h 0 e) by ring. rewrite Rabs_Ropp.
    eapply Rle_lt_trans; [| apply small].
    assert (le : 0 <= RInt h 0 e <= (e - 0) * 1).
    { assert (unit_ : forall z, 0 < z < e -> 0 <= h z <= 1) by (intros; apply between; lra). split.
      - apply RInt_ge_0; [lra | apply F |]. intros. apply unit_. assumption.
      - replace ((e - 0) * 1) with (RInt (fun _ => 1) 0 e) by (rewrite RInt_const; reflexivity).
        apply RInt_le; [lra | apply F | apply ex_RInt_const |]. intros. apply unit_. assumption. }
    rewrite Rabs_pos_eq; lra.
Qed.
Lemma flips_win_with_noise s : s <> [] -> Selection.has_masses (SelectionInstances.flips s) (length s)
  (Selection.winning exponential s).
Proof.
  intros some f F. rewrite (SelectionInstances.flips_win s some f F). apply Selection.over_same. intros i small.
  f_equal.
  set (a := nth i s 0). set (others := Selection.others i s).
  set (h := Selection.positive_rests (map (fun q => exp ((q - a) / 2)) others)).
  assert (product : forall y, 0 < y ->
    Selection.product_of (map (fun q => Selection.exponential_below 2 (a + - (2 * ln y) - q)) others) = h y).
  { intros y Y. unfold h. generalize others. intro l. induction l as [| q l IH]; simpl; [reflexivity |].
    rewrite IH, (Selection.exponential_below_of_uniform 2 SelectionInstances.two a q y Y). reflexivity. }
  unfold Selection.exponential_winning. fold a others.
  rewrite (RInt_ext _ h) by (intros y [Y _]; rewrite Rmin_left in Y by lra; apply product, Y).
  symmetry. unfold Selection.winning. fold a others. apply exponential_expects.
  apply (Definitions.on_line_same (fun z => h (exp (- (z / 2))) * exponential_density z)).
  - intro z. change (@SparseVector.value exponential z) with z.
    unfold exponential_density. destruct (Rle_dec 0 z); [| ring]. f_equal.
    rewrite <- (product _ (exp_pos _)). f_equal. apply map_ext. intro q. rewrite exponential_stays_below, ln_exp.
    f_equal. field.
  - apply exponential_by_uniform; [intro y; apply Selection.positive_rests_continuous |].
    intros y Y. split; [apply Selection.positive_rests_nonnegative |]. unfold h. generalize others. intro l.
    induction l as [| q l IH]; simpl; [lra |]. pose proof (exp_pos ((q - a) / 2)).
    assert (0 <= y * exp ((q - a) / 2)) by (apply Rmult_le_pos; lra).
    rewrite <- (Rmult_1_r 1).
    apply Rmult_le_compat; [apply Rmax_l | apply Selection.positive_rests_nonnegative | | exact IH].
    apply Rmax_lub; lra.
Qed.
Example greatest_with_exponential_noise :
  private (Selection.scores_within 1) SelectionInstances.flips (pure 1).
Proof.
  apply (Selection.noisy_max_one_sided exponential _ (fun z => - (z / 2)) (fun d => d));
    [exact flips_win_with_noise | exact exponential_has_density | | lra].
  intros d z h D H H' Z. lra.
Qed.

(* Beyond global sensitivity: which answers are above a threshold (sparse vector), which of unknown keys are kept, and
   what is released after a test.

   A noise is a law on a line of numbers.  It is described by a density with respect to an integral that no shift
   changes: Lebesgue's on the real line, the sum on a grid.  The granularity of a grid is a positive number; 0 stands
   for the real line.  What a rule's premise says of the density is what the noise then costs when it is moved. *)
From Coq Require Import Reals Lra Lia List ZArith Permutation.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy.
Import ListNotations.
Open Scope R_scope.

Lemma Forall2_weaker {A B} (P Q : A -> B -> Prop) : (forall a b, P a b -> Q a b) ->
  forall l m, Forall2 P l m -> Forall2 Q l m.
Proof. intros weaker l m. induction 1; constructor; auto. Qed.

Lemma Forall2_flipped {A B} (P : A -> B -> Prop) (Q : B -> A -> Prop) : (forall a b, P a b -> Q b a) ->
  forall l m, Forall2 P l m -> Forall2 Q m l.
Proof. intros flipped l m. induction 1; constructor; auto. Qed.

(* Observables of a space are closed under products. *)
Lemma observable_product {O : space} (f g : O -> R) : observable f -> observable g -> observable (fun o => f o * g o).
Proof.
  intros F G.
  assert (square : forall h : O -> R, observable h -> observable (fun o => h o * h o)).
  { intros h H. apply (observable_image O (fun x => x * x)); [| exact H].
    apply continuity_mult; apply derivable_continuous, derivable_id. }
  apply (observable_same O (fun o => / 2 * ((f o + g o) * (f o + g o) + -1 * (f o * f o) + -1 * (g o * g o)))).
  - intro o. field.
  - apply observable_multiple. repeat apply observable_sum; try apply observable_multiple; apply square;
      try apply observable_sum; assumption.
Qed.

(* The multiples of the granularity; all numbers where it is 0. *)
Definition on_grid (granularity x : R) := granularity = 0 \/ exists k : Z, x = IZR k * granularity.

Lemma on_grid_difference granularity x y : on_grid granularity x -> on_grid granularity y ->
  on_grid granularity (x - y).
Proof.
  intros [zero | [j J]] [zero' | [k K]]; try (left; assumption).
  right. exists (j - k)%Z. rewrite minus_IZR, J, K. ring.
Qed.
Lemma on_grid_sum granularity x y : on_grid granularity x -> on_grid granularity y -> on_grid granularity (x + y).
Proof.
  intros [zero | [j J]] [zero' | [k K]]; try (left; assumption).
  right. exists (j + k)%Z. rewrite plus_IZR, J, K. ring.
Qed.

(* The greatest multiple of the granularity up to d stands for d. *)
Lemma greatest_on_grid granularity d : 0 <= granularity -> 0 <= d -> exists top, 0 <= top <= d /\
  on_grid granularity top /\ forall h, on_grid granularity h -> Rabs h <= d -> Rabs h <= top.
Proof.
  intros G D. destruct (Req_dec granularity 0) as [zero | positive].
  { exists d. split; [lra | split; [left; exact zero | auto]]. }
  destruct (base_Int_part (d / granularity)) as [below above].
  assert (P : 0 < granularity) by lra.
  assert (S : d / granularity * granularity = d) by (field; lra).
  assert (N : (0 <= Int_part (d / granularity))%Z).
  { assert (0 <= d / granularity) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, P]).
    assert (L : -1 < IZR (Int_part (d / granularity))) by lra. apply lt_IZR in L. lia. }
  exists (IZR (Int_part (d / granularity)) * granularity).
  apply IZR_le in N.
  split; [split; [nra |] | split; [right; eexists; reflexivity |]].
  - rewrite <- S at 2. apply Rmult_le_compat_r; lra.
  - intros h [zero | [k K]] H; [lra |]. subst h. rewrite Rabs_mult, (Rabs_pos_eq granularity), <- abs_IZR in * by lra.
    apply Rmult_le_compat_r; [lra |]. apply IZR_le.
    enough (L : IZR (Z.abs k) < IZR (Int_part (d / granularity)) + 1).
    { rewrite <- plus_IZR in L. apply lt_IZR in L. lia. }
    apply Rle_lt_trans with (d / granularity); [| lra].
    apply (Rmult_le_reg_r granularity); [exact P | lra].
Qed.

(* 1 where z is at least x, else 0. *)
Definition at_least (x z : R) : R := if Rle_dec x z then 1 else 0.

(* A noise: a law on a line each of whose places has a value; what falls with the value can be integrated. *)
Record noise := Noise {
  line : space;
  value : line -> R;
  drawn :> law line;
  falling_observable : forall f, bounded f -> (forall a b, a <= b -> f b <= f a) -> observable (fun z => f (value z)) }.
Arguments value {n} _ : rename.

(* The probability that the noise is at least x. *)
Definition chance (n : noise) (x : R) : R := E n (fun z => at_least x (value z)).

Section noises.
  Variable n : noise.

  Lemma at_least_test x : test (fun z : line n => at_least x (value z)).
  Proof.
    split; [| intro; unfold at_least; destruct Rle_dec; lra].
    apply (observable_same _ (fun z => 1 + -1 * (1 + -1 * at_least x (value z)))).
    - intro z. ring.
    - apply observable_sum; [apply observable_constant |]. apply observable_multiple.
      apply (falling_observable n (fun y => 1 + -1 * at_least x y)).
      + exists 1. intro y. unfold at_least. destruct Rle_dec; lra.
      + intros a b H. unfold at_least. destruct (Rle_dec x a); destruct (Rle_dec x b); lra.
  Qed.
  Lemma chance_between x : 0 <= chance n x <= 1.
  Proof. apply E_test, at_least_test. Qed.
  Lemma chance_falls x y : x <= y -> chance n y <= chance n x.
  Proof.
    intro H. apply E_monotone; try apply at_least_test. intro z. unfold at_least.
    destruct (Rle_dec y (value z)); destruct (Rle_dec x (value z)); lra.
  Qed.
  Lemma chance_observable (m : noise) x : observable (fun z : line m => chance n (value z + x)).
  Proof.
    apply (falling_observable m (fun y => chance n (y + x))).
    - exists 1. intro y. pose proof (chance_between (y + x)). lra.
    - intros a b H. apply chance_falls. lra.
  Qed.
  Lemma chosen_observable x (f g : line n -> R) : observable f -> observable g ->
    observable (fun z => if Rle_dec x (value z) then f z else g z).
  Proof.
    intros F G.
    apply (observable_same _ (fun z => at_least x (value z) * (f z + -1 * g z) + g z)).
    - intro z. unfold at_least. destruct Rle_dec; ring.
    - apply observable_sum; [apply observable_product | exact G]; [apply at_least_test |].
      apply observable_sum; [exact F | apply observable_multiple, G].
  Qed.
  Lemma chosen level q a b :
    E n (fun z => if Rle_dec level (q + value z) then a else b) =
    chance n (level - q) * a + (1 - chance n (level - q)) * b.
  Proof.
    rewrite (E_same n _ (fun z => (a - b) * at_least (level - q) (value z) + b)).
    - rewrite E_shifted, E_multiple; [unfold chance; ring | |]; try apply observable_multiple; apply at_least_test.
    - apply (observable_same _ (fun z => if Rle_dec (level - q) (value z) then a else b)).
      + intro z. destruct (Rle_dec (level - q) (value z)), (Rle_dec level (q + value z)); try lra.
      + apply (chosen_observable _ (fun _ => a) (fun _ => b)); apply observable_constant.
    - intro z. unfold at_least. destruct (Rle_dec (level - q) (value z)), (Rle_dec level (q + value z)); lra.
  Qed.
End noises.

(* An integral that is not changed by shifts along the grid. *)
Record integral (granularity : R) := Integral {
  integrable : (R -> R) -> Prop;
  total : (R -> R) -> R;
  total_monotone : forall f g, integrable f -> integrable g -> (forall z, f z <= g z) -> total f <= total g;
  total_multiple : forall c f, integrable f -> integrable (fun z => c * f z) /\ total (fun z => c * f z) = c * total f;
  total_moved : forall h f, on_grid granularity h -> integrable f ->
    integrable (fun z => f (z + h)) /\ total (fun z => f (z + h)) = total f }.
Arguments integrable {granularity} _ _.
Arguments total {granularity} _ _.

(* The noise has a density, up to a constant, with respect to such an integral. *)
Definition has_density (granularity : R) (n : noise) (density : R -> R) :=
  exists (i : integral granularity) (normaliser : R), 0 < normaliser /\
    forall f, observable (fun z : line n => f (value z)) -> integrable i (fun z => density z * f z) /\
      total i (fun z => density z * f z) = normaliser * E n (fun z => f (value z)).

(* Moved up by h the noise is at most e^loss rarer. *)
Definition rarer (n : noise) (h loss : R) := forall f, (forall z, 0 <= f z) ->
  observable (fun z : line n => f (value z)) -> observable (fun z : line n => f (value z - h)) ->
  E n (fun z => f (value z)) <= exp loss * E n (fun z => f (value z - h)).

Lemma rarer_by_density granularity n density h loss : has_density granularity n density -> on_grid granularity h ->
  (forall z, density z <= exp loss * density (z + h)) -> rarer n h loss.
Proof.
  intros (i & normaliser & positive & D) H fall f F O O'.
  destruct (D f O) as [I S]. destruct (D (fun z => f (z - h)) O') as [I' S'].
  destruct (total_moved _ i h _ H I') as [I'' S'']. rewrite <- S'' in S'.
  destruct (total_multiple _ i (exp loss) _ I'') as [J T].
  apply (Rmult_le_reg_l normaliser); [exact positive |].
  replace (normaliser * (exp loss * E n (fun z => f (value z - h)))) with
    (exp loss * (normaliser * E n (fun z => f (value z - h)))) by ring.
  rewrite <- S, <- S', <- T. apply total_monotone; [exact I | exact J |].
  intro z. replace (z + h - h) with z by ring. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; [apply F | apply fall].
Qed.
Lemma rarer_by_log_density granularity n log_density h loss :
  has_density granularity n (fun z => exp (log_density z)) -> on_grid granularity h ->
  (forall z, log_density z - log_density (z + h) <= loss) -> rarer n h loss.
Proof.
  intros D H fall. apply (rarer_by_density _ _ _ _ _ D H). intro z. rewrite <- exp_plus.
  apply exp_le. specialize (fall z). lra.
Qed.
Lemma rarer_chance n h loss x : rarer n h loss -> chance n x <= exp loss * chance n (x + h).
Proof.
  intro fall.
  assert (moved : forall z : line n, at_least x (value z - h) = at_least (x + h) (value z)).
  { intro z. unfold at_least. destruct (Rle_dec x (value z - h)), (Rle_dec (x + h) (value z)); lra. }
  assert (O : observable (fun z : line n => at_least x (value z - h))).
  { apply (observable_same _ (fun z : line n => at_least (x + h) (value z))); [| apply at_least_test].
    intro z. symmetry. apply moved. }
  pose proof (fall (at_least x)) as B.
  rewrite (E_same n _ _ O moved) in B. apply B; [| apply at_least_test | exact O].
  intro z. unfold at_least. destruct Rle_dec; lra.
Qed.

(* Vectors on the grid each of whose coordinates moves by at most d; the same, all in one direction. *)
Definition answers_within (granularity d : R) : list R -> list R -> Prop :=
  Forall2 (fun a b => on_grid granularity a /\ on_grid granularity b /\ Rabs (a - b) <= d).
Definition answers_rise (granularity d : R) : list R -> list R -> Prop :=
  Forall2 (fun a b => on_grid granularity a /\ on_grid granularity b /\ a <= b <= a + d).
Definition answers_in_one_direction (granularity d : R) (a b : list R) :=
  answers_rise granularity d a b \/ answers_rise granularity d b a.

(* Which answers are above a threshold. *)
Section sparse_vector.
  Variables (threshold_noise answer_noise : noise) (threshold : R) (positives : nat).

  (* From a place on, at a noisy threshold: the places of the answers that are above, until so many are found. *)
  Fixpoint found (place positives : nat) (answers : list R) (level : R) (f : list nat -> R) : R :=
    match positives, answers with
    | S fewer, q :: later => E answer_noise (fun z =>
        if Rle_dec level (q + value z) then found (S place) fewer later level (fun places => f (place :: places))
        else found (S place) positives later level f)
    | _, _ => f []
    end.

  Lemma found_step place fewer q later level f :
    found place (S fewer) (q :: later) level f =
    chance answer_noise (level - q) * found (S place) fewer later level (fun places => f (place :: places)) +
    (1 - chance answer_noise (level - q)) * found (S place) (S fewer) later level f.
  Proof. simpl. apply chosen. Qed.

  Lemma found_monotone answers level : forall place positives f g, (forall o, f o <= g o) ->
    found place positives answers level f <= found place positives answers level g.
  Proof.
    induction answers as [| q later IH]; intros place [| fewer] f g below; try (simpl; apply below).
    rewrite !found_step. pose proof (chance_between answer_noise (level - q)).
    apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; auto.
  Qed.
  Lemma found_sum answers level : forall place positives f g,
    found place positives answers level (fun o => f o + g o) =
    found place positives answers level f + found place positives answers level g.
  Proof.
    induction answers as [| q later IH]; intros place [| fewer] f g; try reflexivity. rewrite !found_step, !IH. ring.
  Qed.
  Lemma found_multiple answers level c : forall place positives f,
    found place positives answers level (fun o => c * f o) = c * found place positives answers level f.
  Proof.
    induction answers as [| q later IH]; intros place [| fewer] f; try reflexivity. rewrite !found_step, !IH. ring.
  Qed.
  Lemma found_one answers level : forall place positives, found place positives answers level (fun _ => 1) = 1.
  Proof.
    induction answers as [| q later IH]; intros place [| fewer]; try reflexivity. rewrite !found_step, !IH. ring.
  Qed.
  Lemma found_nonnegative answers level place many f :
    (forall o, 0 <= f o) -> 0 <= found place many answers level f.
  Proof.
    intro positive. replace 0 with (0 * found place many answers level (fun _ => 1)) by ring.
    rewrite <- found_multiple. apply found_monotone. intro o. rewrite Rmult_0_l. apply positive.
  Qed.
  Lemma found_observable answers x : forall place positives f,
    observable (fun r : line threshold_noise => found place positives answers (value r + x) f).
  Proof.
    induction answers as [| q later IH]; intros place [| fewer] f; try (simpl; apply observable_constant).
    pose proof (chance_observable answer_noise threshold_noise (x - q)) as C.
    apply (observable_same _ (fun r => chance answer_noise (value r + (x - q)) *
      found (S place) fewer later (value r + x) (fun places => f (place :: places)) +
      (1 + -1 * chance answer_noise (value r + (x - q))) * found (S place) (S fewer) later (value r + x) f)).
    - intro r. rewrite found_step. replace (value r + x - q) with (value r + (x - q)) by ring. ring.
    - apply observable_sum; apply observable_product; try apply IH; [exact C |].
      apply observable_sum; [apply observable_constant | apply observable_multiple, C].
  Qed.

  Definition answers_above (answers : list R) : law (plain (list nat)).
  Proof.
    refine (Law (plain (list nat))
      (fun f => E threshold_noise (fun r => found 0 positives answers (value r + threshold) f))
      _ _ _ _).
    - intros f g _ _ below. apply E_monotone; try apply found_observable. intro r. apply found_monotone, below.
    - intros f g _ _. rewrite <- E_sum by apply found_observable.
      apply E_same; [apply found_observable | intro r; apply found_sum].
    - intros c f _. rewrite <- E_multiple by apply found_observable.
      apply E_same; [apply found_observable | intro r; apply found_multiple].
    - rewrite (E_same _ _ (fun _ => 1)); [apply E_one | apply found_observable | intro r; apply found_one].
  Defined.

  (* Answers below cost nothing, each answer above costs a. *)
  Lemma found_private level level' a answers answers' : 0 <= a ->
    Forall2 (fun q q' => chance answer_noise (level' - q') <= chance answer_noise (level - q) /\
      chance answer_noise (level - q) <= exp a * chance answer_noise (level' - q')) answers answers' ->
    forall place positives f, (forall o, 0 <= f o) ->
    found place positives answers level f <= exp (INR positives * a) * found place positives answers' level' f.
  Proof.
    intros A. induction 1 as [| q q' later later' [below above] _ IH]; intros place many f positive.
    - assert (1 <= exp (INR many * a)) by (apply exp_at_least_1, Rmult_le_pos; auto using pos_INR).
      specialize (positive []). destruct many; simpl in *; nra.
    - destruct many as [| fewer]; [simpl; rewrite Rmult_0_l, exp_0; lra |].
      rewrite !found_step. rewrite Rmult_plus_distr_l.
      pose proof (chance_between answer_noise (level - q)). pose proof (chance_between answer_noise (level' - q')).
      pose proof (IH (S place) fewer (fun o => f (place :: o)) ltac:(intro; apply positive)) as one.
      pose proof (IH (S place) (S fewer) f positive) as other.
      pose proof (found_nonnegative later' level' (S place) fewer (fun o => f (place :: o))
        ltac:(intro; apply positive)).
      pose proof (found_nonnegative later' level' (S place) (S fewer) f positive).
      apply Rplus_le_compat.
      + rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus.
        apply Rle_trans with ((exp a * chance answer_noise (level' - q')) *
          (exp (INR fewer * a) * found (S place) fewer later' level' (fun o => f (place :: o)))); [| right; ring].
        apply Rmult_le_compat; try lra. apply found_nonnegative. intro. apply positive.
      + apply Rle_trans with ((1 - chance answer_noise (level - q)) *
          (exp (INR (S fewer) * a) * found (S place) (S fewer) later' level' f)); [apply Rmult_le_compat_l; lra |].
        rewrite <- Rmult_assoc, (Rmult_comm (1 - _)), Rmult_assoc.
        apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rmult_le_compat_r; lra.
  Qed.

  (* The premises: the noises have their densities, and these fall by at most e^loss. *)
  Variables (granularity : R) (threshold_log_density answer_log_density threshold_loss answer_loss : R -> R).
  Hypothesis granularity_nonnegative : 0 <= granularity.
  Hypothesis threshold_density : has_density granularity threshold_noise (fun z => exp (threshold_log_density z)).
  Hypothesis answer_density : has_density granularity answer_noise (fun z => exp (answer_log_density z)).
  Hypothesis threshold_moves_by_its_loss : forall d_in z h, 0 <= d_in -> h <= d_in -> - d_in <= h ->
    threshold_log_density z - threshold_log_density (z + h) <= threshold_loss d_in.
  Hypothesis answer_moves_by_its_loss : forall d_in z h, 0 <= d_in -> h <= d_in -> 0 <= h ->
    answer_log_density z - answer_log_density (z + h) <= answer_loss d_in.

  Lemma answer_loss_nonnegative d : 0 <= d -> 0 <= answer_loss d.
  Proof. intro D. pose proof (answer_moves_by_its_loss d 0 0 D D ltac:(lra)) as L. rewrite Rplus_0_r in L. lra. Qed.
  Lemma threshold_loss_nonnegative d : 0 <= d -> 0 <= threshold_loss d.
  Proof.
    intro D. pose proof (threshold_moves_by_its_loss d 0 0 D D ltac:(lra)) as L. rewrite Rplus_0_r in L. lra.
  Qed.
  Lemma answer_rarer d h x : on_grid granularity h -> 0 <= h <= d ->
    chance answer_noise x <= exp (answer_loss d) * chance answer_noise (x + h).
  Proof.
    intros G H. apply rarer_chance, (rarer_by_log_density _ _ _ _ _ answer_density G).
    intro z. apply answer_moves_by_its_loss; lra.
  Qed.

  (* Compare the threshold's noise r with r + top. *)
  Lemma found_private_moved top loss cost answers answers' : on_grid granularity top -> 0 <= cost ->
    (forall z, threshold_log_density z - threshold_log_density (z + top) <= loss) ->
    Forall2 (fun q q' => forall x, chance answer_noise (x + top - q') <= chance answer_noise (x - q) /\
      chance answer_noise (x - q) <= exp cost * chance answer_noise (x + top - q')) answers answers' ->
    pure (loss + INR positives * cost) (answers_above answers) (answers_above answers').
  Proof.
    intros G C L near f [_ F]. rewrite Rplus_0_r, exp_plus.
    assert (positive : forall o, 0 <= f o) by apply F. unfold answers_above. simpl.
    assert (O : forall x, observable (fun r : line threshold_noise => found 0 positives answers' (value r + x) f))
      by (intro; apply found_observable).
    apply Rle_trans with (E threshold_noise (fun r =>
      exp (INR positives * cost) * found 0 positives answers' (value r + (threshold + top)) f)).
    - apply E_monotone; [apply found_observable | apply observable_multiple, O |].
      intro r. apply found_private; [exact C | | exact positive].
      revert near. apply Forall2_weaker. intros q q' H.
      replace (value r + (threshold + top)) with (value r + threshold + top) by ring. apply H.
    - rewrite E_multiple by apply O.
      pose proof (rarer_by_log_density _ _ _ _ _ threshold_density G L
        (fun y => found 0 positives answers' (y + (threshold + top)) f)) as B. simpl in B.
      assert (moved : forall r : line threshold_noise,
        found 0 positives answers' (value r - top + (threshold + top)) f =
        found 0 positives answers' (value r + threshold) f).
      { intro r. replace (value r - top + (threshold + top)) with (value r + threshold) by ring. reflexivity. }
      assert (O' : observable (fun r : line threshold_noise =>
        found 0 positives answers' (value r - top + (threshold + top)) f)).
      { apply (observable_same _ (fun r => found 0 positives answers' (value r + threshold) f)); [| apply O].
        intro r. symmetry. apply moved. }
      rewrite (E_same _ _ _ O' moved) in B.
      rewrite (Rmult_comm (exp loss)), Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos |].
      apply B; [| apply O | exact O'].
      intro y. apply found_nonnegative, positive.
  Qed.

  (* above_threshold: once the threshold's loss, and for each answer above an answer's; below costs nothing. *)
  Theorem above_threshold d_in : 0 <= d_in ->
    private (answers_within granularity d_in) answers_above (pure (threshold_loss d_in + INR positives * answer_loss (2
      * d_in))).
  Proof.
    intros D answers answers' near.
    destruct (greatest_on_grid _ _ granularity_nonnegative D) as (top & between & on & most).
    apply (found_private_moved top); [exact on | apply answer_loss_nonnegative; lra | |].
    - intro z. apply threshold_moves_by_its_loss; lra.
    - revert near. apply Forall2_weaker. intros x y (on_x & on_y & apart).
      pose proof (on_grid_difference _ _ _ on_x on_y) as on_h.
      pose proof (most _ on_h apart) as apart'.
      assert (- top <= x - y <= top) by (revert apart'; unfold Rabs; destruct Rcase_abs; lra).
      intro z. split; [apply chance_falls; lra |].
      replace (z + top - y) with (z - x + (top + (x - y))) by ring.
      apply answer_rarer; [apply on_grid_sum; assumption | lra].
  Qed.

  (* The same where no answer rises while another falls: half as much noise of an answer has to move. *)
  Theorem above_threshold_monotone d_in : 0 <= d_in ->
    private (answers_in_one_direction granularity d_in) answers_above (pure (threshold_loss d_in + INR positives *
      answer_loss d_in)).
  Proof.
    intros D answers answers' [near | near].
    - destruct (greatest_on_grid _ _ granularity_nonnegative D) as (top & between & on & most).
      apply (found_private_moved top); [exact on | apply answer_loss_nonnegative; lra | |].
      + intro z. apply threshold_moves_by_its_loss; lra.
      + revert near. apply Forall2_weaker. intros x y (on_x & on_y & apart).
        pose proof (on_grid_difference _ _ _ on_y on_x) as on_h.
        pose proof (most _ on_h ltac:(rewrite Rabs_pos_eq; lra)) as apart'. rewrite Rabs_pos_eq in apart' by lra.
        intro z. split; [apply chance_falls; lra |].
        replace (z + top - y) with (z - x + (top - (y - x))) by ring.
        apply answer_rarer; [apply on_grid_difference; assumption | lra].
    - apply (found_private_moved 0); [| apply answer_loss_nonnegative; lra | |].
      + destruct (Req_dec granularity 0); [left; assumption | right; exists 0%Z; ring].
      + intro z. rewrite Rplus_0_r. pose proof (threshold_loss_nonnegative d_in D). lra.
      + revert near. apply Forall2_flipped. intros x y (on_x & on_y & apart).
        intro z. split; [apply chance_falls; lra |].
        replace (z + 0 - x) with (z - y + (y - x)) by ring.
        apply answer_rarer; [apply on_grid_difference; assumption | lra].
  Qed.
End sparse_vector.

(* Sums over the whole numbers. *)
Section sums.
  Definition sum_over_integers (f : Z -> R) : R :=
    Series (fun k => f (Z.of_nat k)) + Series (fun k => f (- Z.of_nat (S k))%Z).
  Definition summable (f : Z -> R) : Prop :=
    ex_series (fun k => Rabs (f (Z.of_nat k))) /\ ex_series (fun k => Rabs (f (- Z.of_nat (S k))%Z)).

  Lemma summable_same f g : (forall k, f k = g k) -> summable f -> summable g.
  Proof. intros same [A B]. split; [revert A | revert B]; apply ex_series_ext; intro k; rewrite same; reflexivity. Qed.
  Lemma sum_same f g : (forall k, f k = g k) -> sum_over_integers f = sum_over_integers g.
  Proof. intro same. unfold sum_over_integers. f_equal; apply Series_ext; intro k; apply same. Qed.
  Lemma summable_multiple c f : summable f -> summable (fun k => c * f k).
  Proof.
    intros [A B].
    split.
    - apply (ex_series_ext (fun k => Rabs c * Rabs (f (Z.of_nat k)))); [intro k; symmetry; apply Rabs_mult |].
      exact (ex_series_scal (V := R_NormedModule) (Rabs c) _ A).
    - apply (ex_series_ext (fun k => Rabs c * Rabs (f (- Z.of_nat (S k))%Z))); [intro k; symmetry; apply Rabs_mult |].
      exact (ex_series_scal (V := R_NormedModule) (Rabs c) _ B).
  Qed.
  Lemma sum_multiple c f : sum_over_integers (fun k => c * f k) = c * sum_over_integers f.
  Proof. unfold sum_over_integers. rewrite !Series_scal_l. ring. Qed.
  Lemma sum_sum f g : summable f -> summable g ->
    sum_over_integers (fun k => f k + g k) = sum_over_integers f + sum_over_integers g.
  Proof.
    intros [A B] [A' B']. unfold sum_over_integers. rewrite !Series_plus by (apply ex_series_Rabs; assumption). ring.
  Qed.
  Lemma series_monotone (a b : nat -> R) : ex_series a -> ex_series b -> (forall k, a k <= b k) -> Series a <= Series b.
  Proof.
    intros A B below. apply Rminus_le_0. rewrite <- Series_minus by assumption.
    replace 0 with (Series (fun _ => 0)).
    - apply Series_le; [intro k; specialize (below k); lra |]. apply (ex_series_minus b a B A).
    - rewrite (Series_ext _ (fun k => 0 * a k)) by (intro; ring). rewrite Series_scal_l. ring.
  Qed.
  Lemma sum_monotone f g : summable f -> summable g -> (forall k, f k <= g k) ->
    sum_over_integers f <= sum_over_integers g.
  Proof.
    intros [A B] [A' B'] below. apply Rplus_le_compat; apply series_monotone; try apply ex_series_Rabs; auto.
  Qed.
  Lemma series_below (a b : nat -> R) : (forall k, Rabs (a k) <= b k) -> ex_series b -> ex_series a.
  Proof. exact (ex_series_le (V := R_CompleteNormedModule) a b). Qed.
  Lemma summable_below f g : summable g -> (forall k, Rabs (f k) <= g k) -> summable f.
  Proof.
    intros [A B] below.
    split; [refine (series_below _ _ _ A) | refine (series_below _ _ _ B)]; intro k; rewrite Rabs_Rabsolu;
      eapply Rle_trans; try apply below; apply Rle_abs.
  Qed.

  Lemma moved_by_one f : summable f ->
    summable (fun k => f (k + 1)%Z) /\ sum_over_integers (fun k => f (k + 1)%Z) = sum_over_integers f.
  Proof.
    intros [A B].
    assert (up : forall k, f (Z.of_nat k + 1)%Z = f (Z.of_nat (S k))) by (intro; f_equal; lia).
    assert (down : forall k, f (- Z.of_nat (S (S k)) + 1)%Z = f (- Z.of_nat (S k))%Z) by (intro; f_equal; lia).
    assert (A' : ex_series (fun k => Rabs (f (Z.of_nat k + 1)%Z))).
    { apply (ex_series_ext (fun k => Rabs (f (Z.of_nat (S k))))); [intro k; rewrite up; reflexivity |].
      exact (proj1 (ex_series_incr_1 (fun k => Rabs (f (Z.of_nat k)))) A). }
    assert (B' : ex_series (fun k => Rabs (f (- Z.of_nat (S k) + 1)%Z))).
    { apply (proj2 (ex_series_incr_1 (fun k => Rabs (f (- Z.of_nat (S k) + 1)%Z)))).
      apply (ex_series_ext (fun k => Rabs (f (- Z.of_nat (S k))%Z))); [intro k; rewrite down; reflexivity | exact B]. }
    split; [split; assumption |]. unfold sum_over_integers.
    rewrite (Series_incr_1 (fun k => f (- Z.of_nat (S k) + 1)%Z)) by (apply ex_series_Rabs, B').
    rewrite (Series_incr_1 (fun k => f (Z.of_nat k))) by (apply ex_series_Rabs, A).
    rewrite (Series_ext _ _ up), (Series_ext _ _ down). simpl. ring.
  Qed.
  Lemma moved_up n : forall f, summable f ->
    summable (fun k => f (k + Z.of_nat n)%Z) /\ sum_over_integers (fun k => f (k + Z.of_nat n)%Z) = sum_over_integers f.
  Proof.
    induction n as [| n IH]; intros f F.
    - assert (same : forall k, f k = f (k + Z.of_nat 0)%Z) by (intro; f_equal; lia).
      split; [apply (summable_same _ _ same F) | symmetry; apply sum_same, same].
    - destruct (IH f F) as [S T]. destruct (moved_by_one _ S) as [S' T'].
      assert (same : forall k, f (k + 1 + Z.of_nat n)%Z = f (k + Z.of_nat (Datatypes.S n))%Z) by (intro; f_equal; lia).
      split; [apply (summable_same _ _ same S') |]. rewrite <- T, <- T'. symmetry. apply sum_same, same.
  Qed.
  Lemma summable_down n f : summable f -> summable (fun k => f (k - Z.of_nat n)%Z).
  Proof.
    revert f. induction n as [| n IH]; intros f F.
    - apply (summable_same f); [intro; f_equal; lia | exact F].
    - specialize (IH f F). destruct IH as [A B].
      assert (same : forall k, f (k - 1 - Z.of_nat n)%Z = f (k - Z.of_nat (S n))%Z) by (intro; f_equal; lia).
      apply (summable_same (fun k => (fun j => f (j - Z.of_nat n)%Z) (k - 1)%Z)); [exact same |].
      split.
      + apply (proj2 (ex_series_incr_1 (fun k => Rabs (f (Z.of_nat k - 1 - Z.of_nat n)%Z)))).
        eapply ex_series_ext; [| exact A]. intro k.
        replace (Z.of_nat (S k) - 1 - Z.of_nat n)%Z with (Z.of_nat k - Z.of_nat n)%Z by lia. reflexivity.
      + apply (proj1 (ex_series_incr_1 (fun k => Rabs (f (- Z.of_nat (S k) - Z.of_nat n)%Z)))) in B.
        eapply ex_series_ext; [| exact B]. intro k.
        replace (- Z.of_nat (S k) - 1 - Z.of_nat n)%Z with (- Z.of_nat (S (S k)) - Z.of_nat n)%Z by lia. reflexivity.
  Qed.
  Lemma sum_moved h f : summable f ->
    summable (fun k => f (k + h)%Z) /\ sum_over_integers (fun k => f (k + h)%Z) = sum_over_integers f.
  Proof.
    intro F. destruct (Z_le_gt_dec 0 h) as [up | down].
    - rewrite <- (Z2Nat.id h up). apply moved_up, F.
    - pose proof (summable_down (Z.to_nat (- h)) f F) as D. destruct (moved_up (Z.to_nat (- h)) _ D) as [_ T].
      assert (same : forall k, f (k - Z.of_nat (Z.to_nat (- h)))%Z = f (k + h)%Z) by (intro; f_equal; lia).
      split; [apply (summable_same _ _ same D) |]. rewrite <- (sum_same _ _ same), <- T.
      apply sum_same. intro k. f_equal. lia.
  Qed.
End sums.

(* The sum over a grid is such an integral. *)
Definition grid_sum (granularity : R) (positive : 0 < granularity) : integral granularity.
Proof.
  refine (Integral granularity (fun f => summable (fun k => f (IZR k * granularity)))
    (fun f => sum_over_integers (fun k => f (IZR k * granularity))) _ _ _).
  - intros f g F G below. apply sum_monotone; auto.
  - intros c f F. split; [apply (summable_multiple c), F | apply (sum_multiple c (fun k => f (IZR k * granularity)))].
  - intros h f [zero | [j J]] F; [lra |].
    destruct (sum_moved j _ F) as [S T].
    assert (same : forall k, f (IZR (k + j) * granularity) = f (IZR k * granularity + h)).
    { intro k. f_equal. rewrite plus_IZR, J. ring. }
    split; [apply (summable_same _ _ same S) | rewrite <- T; symmetry; apply sum_same, same].
Defined.

(* Noise on a grid with given masses, up to a constant. *)
Section noise_of_masses.
  Variables (granularity : R) (mass : Z -> R).
  Hypothesis nonnegative : forall k, 0 <= mass k.
  Hypothesis summed : summable mass.
  Hypothesis positive : 0 < sum_over_integers mass.

  Lemma summable_weighted f : bounded f -> summable (fun k => mass k * f k).
  Proof.
    intros [c C]. apply (summable_below _ (fun k => c * mass k)); [apply summable_multiple, summed |].
    intro k. specialize (C k). specialize (nonnegative k). rewrite Rabs_mult, (Rabs_pos_eq _ nonnegative), Rmult_comm.
    apply Rmult_le_compat_r; [exact nonnegative | apply Rabs_le; lra].
  Qed.
  Definition law_of_masses : law (plain Z).
  Proof.
    refine (Law (plain Z) (fun f => / sum_over_integers mass * sum_over_integers (fun k => mass k * f k)) _ _ _ _).
    - intros f g F G below. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, positive |].
      apply sum_monotone; try (apply summable_weighted; assumption).
      intro k. apply Rmult_le_compat_l; [apply nonnegative | apply below].
    - intros f g F G. rewrite <- Rmult_plus_distr_l, <- sum_sum by (apply summable_weighted; assumption).
      f_equal. apply sum_same. intro k. ring.
    - intros c f F. rewrite (sum_same (fun k => mass k * (c * f k)) (fun k => c * (mass k * f k))) by (intro; ring).
      rewrite sum_multiple. ring.
    - rewrite (sum_same (fun k => mass k * 1) mass) by (intro; ring). field. lra.
  Defined.
  Definition noise_of_masses : noise.
  Proof.
    refine (Noise (plain Z) (fun k => IZR k * granularity) law_of_masses _).
    intros f [c C] _. exists c. intro k. apply C.
  Defined.
  Lemma density_of_masses density : 0 < granularity -> (forall k, mass k = density (IZR k * granularity)) ->
    has_density granularity noise_of_masses density.
  Proof.
    intros G same. exists (grid_sum granularity G), (sum_over_integers mass). split; [exact positive |].
    intros f F. simpl in *.
    assert (same' : forall k,
      mass k * f (IZR k * granularity) = density (IZR k * granularity) * f (IZR k * granularity)).
    { intro k. rewrite same. reflexivity. }
    split; [apply (summable_same _ _ same'), summable_weighted, F |].
    rewrite <- (sum_same _ _ same'). field. lra.
  Qed.
End noise_of_masses.

(* Discrete Laplace noise. *)
Section discrete_laplace_noise.
  Variables granularity scale : R.
  Hypothesis granularity_positive : 0 < granularity.
  Hypothesis scale_positive : 0 < scale.
  Let log_mass (z : R) := - (Rabs z / scale).
  Let mass (k : Z) := exp (log_mass (IZR k * granularity)).
  Let ratio := exp (- (granularity / scale)).

  Lemma ratio_between : 0 < ratio < 1.
  Proof.
    split; [apply exp_pos |]. rewrite <- exp_0. apply exp_increasing. apply Ropp_lt_gt_0_contravar.
    apply Rmult_lt_0_compat; [assumption | apply Rinv_0_lt_compat; assumption].
  Qed.
  Lemma exp_times k x : exp (INR k * x) = exp x ^ k.
  Proof.
    induction k as [| k IH]; [simpl; rewrite Rmult_0_l; apply exp_0 |].
    rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
  Qed.
  Lemma mass_up k : mass (Z.of_nat k) = ratio ^ k.
  Proof.
    unfold mass, log_mass, ratio. rewrite <- exp_times, <- INR_IZR_INZ. f_equal.
    rewrite Rabs_pos_eq; [field; lra | apply Rmult_le_pos; [apply pos_INR | lra]].
  Qed.
  Lemma mass_down k : mass (- Z.of_nat (S k)) = ratio * ratio ^ k.
  Proof.
    change (ratio * ratio ^ k) with (ratio ^ S k). rewrite <- mass_up. unfold mass, log_mass.
    rewrite opp_IZR, Ropp_mult_distr_l_reverse, Rabs_Ropp. reflexivity.
  Qed.
  Lemma mass_summable : summable mass.
  Proof.
    pose proof ratio_between.
    assert (G : ex_series (fun k => ratio ^ k)) by (apply ex_series_geom; rewrite Rabs_pos_eq; lra).
    split.
    - eapply ex_series_ext; [| exact G]. intro k. rewrite mass_up, Rabs_pos_eq; [reflexivity | apply pow_le; lra].
    - apply (ex_series_ext (fun k => ratio * ratio ^ k)); [| exact (ex_series_scal (V := R_NormedModule) ratio _ G)].
      intro k. rewrite mass_down, Rabs_pos_eq; [reflexivity | apply (pow_le ratio (S k)); lra].
  Qed.
  Lemma mass_total : sum_over_integers mass = (1 + ratio) / (1 - ratio).
  Proof.
    pose proof ratio_between. unfold sum_over_integers.
    rewrite (Series_ext _ _ mass_up), (Series_ext _ _ mass_down), Series_scal_l.
    rewrite Series_geom by (rewrite Rabs_pos_eq; lra). field. lra.
  Qed.
  Lemma mass_total_positive : 0 < sum_over_integers mass.
  Proof.
    pose proof ratio_between. rewrite mass_total. apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra].
  Qed.

  Definition discrete_laplace_noise : noise := noise_of_masses granularity mass (fun k => Rlt_le _ _ (exp_pos _))
    mass_summable mass_total_positive.
  Lemma discrete_laplace_noise_density : has_density granularity discrete_laplace_noise (fun z => exp (- (Rabs z /
    scale))).
  Proof. apply density_of_masses; [exact granularity_positive | reflexivity]. Qed.
  Lemma laplace_moves d z h : 0 <= d -> - d <= h -> h <= d ->
    - (Rabs z / scale) - - (Rabs (z + h) / scale) <= d / scale.
  Proof.
    intros D low high. assert (0 < / scale) by (apply Rinv_0_lt_compat, scale_positive). unfold Rdiv.
    assert (Rabs (z + h) <= Rabs z + d).
    { eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat_l, Rabs_le. lra. }
    enough ((Rabs (z + h) - Rabs z) * / scale <= d * / scale) by lra. apply Rmult_le_compat_r; lra.
  Qed.
  Lemma discrete_laplace_noise_rarer d h : on_grid granularity h -> 0 <= d -> - d <= h <= d ->
    rarer discrete_laplace_noise h (d / scale).
  Proof.
    intros on D between. apply (rarer_by_log_density _ _ _ _ _ discrete_laplace_noise_density on).
    intro z. apply laplace_moves; lra.
  Qed.

  (* The tail from so many steps on. *)
  Lemma discrete_laplace_noise_tail (n : nat) :
    chance discrete_laplace_noise (INR n * granularity) = exp (- (INR n * granularity / scale)) / (1 + ratio).
  Proof.
    pose proof ratio_between as B. unfold chance. simpl.
    replace (exp (- (INR n * granularity / scale))) with (ratio ^ n).
    2: { unfold ratio. rewrite <- exp_times. f_equal. field. lra. }
    rewrite mass_total. unfold sum_over_integers.
    rewrite (Series_ext (fun k => mass (- Z.of_nat (S k)) * _) (fun k => 0 * ratio ^ k)).
    2: { intro k. unfold at_least. destruct Rle_dec as [beyond |]; [| ring]. exfalso.
         rewrite opp_IZR, <- INR_IZR_INZ in beyond.
         assert (0 < INR (S k)) by (apply lt_0_INR; lia). pose proof (pos_INR n). nra. }
    rewrite Series_scal_l, Rmult_0_l, Rplus_0_r.
    enough (T : Series (fun k => if le_dec n k then ratio ^ k else 0) = ratio ^ n / (1 - ratio)).
    { rewrite (Series_ext _ (fun k => if le_dec n k then ratio ^ k else 0)); [rewrite T; field; lra |].
      intro k. rewrite mass_up, <- INR_IZR_INZ. unfold at_least.
      destruct (Rle_dec (INR n * granularity) (INR k * granularity)) as [yes | no];
        destruct (le_dec n k) as [yes' | no'];
        try ring; exfalso.
      - apply no', INR_le, (Rmult_le_reg_r granularity); assumption.
      - apply no, Rmult_le_compat_r; [lra | apply le_INR, yes']. }
    assert (G : ex_series (fun k => ratio ^ k)) by (apply ex_series_geom; rewrite Rabs_pos_eq; lra).
    assert (P : forall k, 0 <= ratio ^ k) by (intro; apply pow_le; lra).
    induction n as [| n IH].
    - rewrite (Series_ext _ (fun k => ratio ^ k)); [| intro k; destruct (le_dec 0 k); [reflexivity | lia]].
      rewrite Series_geom by (rewrite Rabs_pos_eq; lra). simpl. field. lra.
    - rewrite Series_incr_1.
      + rewrite (Series_ext _ (fun k => ratio * (if le_dec n k then ratio ^ k else 0))).
        * rewrite Series_scal_l, IH. simpl. field. lra.
        * intro k. destruct (le_dec (S n) (S k)), (le_dec n k); try lia; simpl; ring.
      + apply (series_below _ (fun k => ratio ^ k)); [| exact G]. intro k.
        destruct (le_dec (S n) k); [rewrite Rabs_pos_eq; [lra | apply P] | rewrite Rabs_R0; apply P].
  Qed.
End discrete_laplace_noise.

(* above_threshold, applied: discrete Laplace noise of scale 2 for the threshold and 4 for answers, one answer above. *)
Example sparse_vector_of_counts (two : 0 < 2) (four : 0 < 4) :
  private (answers_within 1 1) (answers_above (discrete_laplace_noise 1 2 Rlt_0_1 two)
    (discrete_laplace_noise 1 4 Rlt_0_1 four) 10 1)
    (pure (1 / 2 + INR 1 * (2 * 1 / 4))).
Proof.
  apply (above_threshold _ _ 10 1 1 (fun z => - (Rabs z / 2)) (fun z => - (Rabs z / 4)) (fun d => d / 2)
    (fun d => d / 4));
    try apply discrete_laplace_noise_density; try lra.
  - intros. apply laplace_moves; lra.
  - intros. apply laplace_moves; lra.
Qed.

(* An outcome, or none. *)
Definition optional (O : space) : space.
Proof.
  refine (Space (option O) (fun f => observable (fun o => f (Some o))) _ _ _ _ _ _ _).
  - intros f F. destruct (observable_bounded O _ F) as [c C]. exists (Rmax c (Rabs (f None))). intros [o |].
    + specialize (C o). pose proof (Rmax_l c (Rabs (f None))). lra.
    + pose proof (Rmax_r c (Rabs (f None))). apply Rabs_le_between in H. exact H.
  - intros f g same F. apply (observable_same O (fun o => f (Some o))); auto.
  - intro c. apply observable_constant.
  - intros f g F G. apply observable_sum; assumption.
  - intros c f F. apply observable_multiple, F.
  - intros f g F G. apply observable_least; assumption.
  - intros g f continuous F. apply (observable_image O g (fun o => f (Some o))); assumption.
Defined.

(* A noisy distance is tested; only if it reaches the threshold is anything released. *)
Section propose_test_release.
  Context {X : Type} {O : space}.
  Variables (noisy : noise) (threshold : R) (M : mechanism X O).

  Definition tested_release (input : Z * X) : law (optional O).
  Proof.
    refine (Law (optional O) (fun f => E noisy (fun z =>
      if Rle_dec threshold (IZR (fst input) + value z) then E (M (snd input)) (fun o => f (Some o)) else f None))
        _ _ _ _).
    - intros f g F G below. rewrite !chosen. pose proof (chance_between noisy (threshold - IZR (fst input))).
      apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; [| apply below]. apply E_monotone; auto.
    - intros f g F G. rewrite !chosen, (E_sum (M (snd input)) (fun o => f (Some o))) by assumption. ring.
    - intros c f F. rewrite !chosen, (E_multiple (M (snd input)) c (fun o => f (Some o))) by assumption. ring.
    - rewrite chosen, E_one. ring.
  Defined.
  Lemma tested_expectation d v f : E (tested_release (d, v)) f =
    chance noisy (threshold - IZR d) * E (M v) (fun o => f (Some o)) + (1 - chance noisy (threshold - IZR d)) * f None.
  Proof. apply (chosen noisy). Qed.
End propose_test_release.

(* Pairs of a whole number and a value: the one moves by at most 1; the other to a near value, or to any of the domain
   where both numbers are 0 or less. *)
Definition near_tested {X : Type} (near : X -> X -> Prop) (a b : Z * X) : Prop :=
  (Z.abs (fst a - fst b) <= 1)%Z /\
  (near (snd a) (snd b) \/ near (snd a) (snd a) /\ near (snd b) (snd b) /\ (fst a <= 0 /\ fst b <= 0)%Z).

Lemma rarer_rest n h loss x : rarer n h loss -> 1 - chance n x <= exp loss * (1 - chance n (x + h)).
Proof.
  intro fall.
  assert (O : forall y, observable (fun z : line n => 1 + -1 * at_least y (value z))).
  { intro y. apply observable_sum; [apply observable_constant | apply observable_multiple, at_least_test]. }
  assert (rest : forall y, E n (fun z => 1 + -1 * at_least y (value z)) = 1 - chance n y).
  { intro y. rewrite E_sum, E_one, E_multiple;
      [unfold chance; ring | apply at_least_test | apply observable_constant | apply observable_multiple,
        at_least_test]. }
  assert (moved : forall z : line n, 1 + -1 * at_least (x + h) (value z) = 1 + -1 * at_least x (value z - h)).
  { intro z. unfold at_least. destruct (Rle_dec x (value z - h)), (Rle_dec (x + h) (value z)); lra. }
  rewrite <- !rest, (E_same n _ _ (O (x + h)) moved).
  apply (fall (fun y => 1 + -1 * at_least x y)); [| apply O | apply (observable_same _ _ _ moved), O].
  intro z. unfold at_least. destruct Rle_dec; lra.
Qed.

(* propose_test_release: epsilon is the test's 1 / scale and that of the release; delta the greater of the release's
   and of the probability that the test is passed at the distance 0. *)
Theorem propose_test_release {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O) (scale : R)
    (threshold : nat) (epsilon delta : R) (scale_positive : 0 < scale) :
  0 <= epsilon -> private near M (approximate epsilon delta) ->
  private (near_tested near) (tested_release (discrete_laplace_noise 1 scale Rlt_0_1 scale_positive) (INR threshold) M)
    (approximate (1 / scale + epsilon) (Rmax delta (exp (- (INR threshold / scale)) / (1 + exp (- (1 / scale)))))).
Proof.
  intros N H [d v] [d' v'] [close values] f [F between]. simpl fst in *. simpl snd in *. rewrite !tested_expectation.
  set (noisy := discrete_laplace_noise 1 scale Rlt_0_1 scale_positive).
  replace (exp (- (INR threshold / scale)) / (1 + exp (- (1 / scale)))) with (chance noisy (INR threshold)).
  2: { rewrite <- (Rmult_1_r (INR threshold)) at 1. unfold noisy. rewrite discrete_laplace_noise_tail, Rmult_1_r.
       reflexivity. }
  rewrite exp_plus. fold noisy.
  assert (moved : rarer noisy (IZR d - IZR d') (1 / scale)).
  { apply discrete_laplace_noise_rarer; [right; exists (d - d')%Z; rewrite minus_IZR; ring | lra |].
    rewrite <- minus_IZR, <- opp_IZR. split; apply IZR_le; lia. }
  pose proof (rarer_chance noisy _ _ (INR threshold - IZR d) moved) as passed.
  pose proof (rarer_rest noisy _ _ (INR threshold - IZR d) moved) as refused.
  replace (INR threshold - IZR d + (IZR d - IZR d')) with (INR threshold - IZR d') in passed, refused by ring.
  pose proof (chance_between noisy (INR threshold - IZR d)) as A.
  pose proof (chance_between noisy (INR threshold - IZR d')) as A'.
  pose proof (chance_between noisy (INR threshold)) as P.
  assert (S : test (fun o : O => f (Some o))) by (split; [exact F | intro; apply between]).
  pose proof (E_test (M v) _ S) as B. pose proof (E_test (M v') _ S) as B'. pose proof (between None) as C.
  set (p := chance noisy (INR threshold)) in *. set (a := chance noisy (INR threshold - IZR d)) in *.
  set (a' := chance noisy (INR threshold - IZR d')) in *.
  set (b := E (M v) (fun o => f (Some o))) in *. set (b' := E (M v') (fun o => f (Some o))) in *.
  pose proof (exp_at_least_1 epsilon N) as one. pose proof (exp_pos (1 / scale)) as pos.
  pose proof (Rmax_l delta p) as left. pose proof (Rmax_r delta p) as right. set (m := Rmax delta p) in *.
  assert (nothing : (1 - a) * f None <= exp (1 / scale) * exp epsilon * ((1 - a') * f None)).
  { apply Rle_trans with ((exp (1 / scale) * (1 - a')) * f None); [apply Rmult_le_compat_r; lra |].
    assert (0 <= exp (1 / scale) * (1 - a') * f None) by (repeat apply Rmult_le_pos; lra). nra. }
  assert (something : a * b <= exp (1 / scale) * exp epsilon * (a' * b') + m); [| lra].
  destruct values as [released | (_ & _ & low & low')].
  - pose proof (H v v' released _ S) as L. fold b b' in L.
    assert (a * b <= a * (exp epsilon * b' + delta)) by (apply Rmult_le_compat_l; lra).
    assert (a * (exp epsilon * b') <= exp (1 / scale) * a' * (exp epsilon * b')).
    { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact passed]. }
    assert (a * delta <= m).
    { destruct (Rle_dec 0 delta) as [D | D].
      - apply Rle_trans with (1 * delta); [apply Rmult_le_compat_r; lra | lra].
      - apply Rle_trans with (a * 0); [apply Rmult_le_compat_l; lra | lra]. }
    replace (exp (1 / scale) * exp epsilon * (a' * b')) with (exp (1 / scale) * a' * (exp epsilon * b')) by ring. lra.
  - assert (a <= p) by (apply chance_falls; apply IZR_le in low; lra).
    assert (0 <= exp (1 / scale) * exp epsilon * (a' * b')).
    { apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply Rmult_le_pos; lra]. }
    assert (a * b <= a * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* The same for a release under pure DP, whose epsilon cannot be negative. *)
Theorem propose_test_release_pure {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O) (scale : R)
    (threshold : nat) (epsilon : R) (scale_positive : 0 < scale) :
  private near M (pure epsilon) ->
  private (near_tested near) (tested_release (discrete_laplace_noise 1 scale Rlt_0_1 scale_positive) (INR threshold) M)
    (approximate (1 / scale + epsilon) (exp (- (INR threshold / scale)) / (1 + exp (- (1 / scale))))).
Proof.
  intros H a b near_ab.
  assert (same : exists v v', near v v') by (destruct near_ab as [_ [released | [at_home _]]]; eauto).
  destruct same as (v & v' & values). pose proof (H v v' values (fun _ => 1)) as one. rewrite !E_one in one.
  assert (N : 0 <= epsilon).
  { apply Rnot_lt_le. intro negative. apply exp_increasing in negative. rewrite exp_0 in negative.
    assert (1 <= exp epsilon * 1 + 0) by (apply one; split; [apply observable_constant | intro; lra]). lra. }
  pose proof (propose_test_release near M scale threshold epsilon 0 scale_positive N H a b near_ab) as claim.
  rewrite Rmax_right in claim; [exact claim |].
  apply Rmult_le_pos; [left; apply exp_pos | left; apply Rinv_0_lt_compat]. pose proof (exp_pos (- (1 / scale))). lra.
Qed.

(* A value that does not change but far from here, such as the commonest one, is given as it is. *)
Example stable_value (scale_positive : 0 < 2) :
  private (near_tested eq) (tested_release (discrete_laplace_noise 1 2 Rlt_0_1 scale_positive) (INR 40)
    (fun v => @certain (plain nat) v))
    (approximate (1 / 2 + 0) (exp (- (INR 40 / 2)) / (1 + exp (- (1 / 2))))).
Proof.
  apply (propose_test_release_pure eq (fun v => @certain (plain nat) v)).
  intros v _ [] f _. rewrite exp_0. simpl. lra.
Qed.

(* Counts of unknown keys.  Only keys that occur get noise; those whose noisy counts reach the threshold are told. *)
Section thresholded_counts.
  Context {Key : Type}.
  Variable same_key : forall a b : Key, {a = b} + {a <> b}.
  Variables (noisy : noise) (threshold : R).
  (* What is told: nothing, or a key and its noisy count in front of what else is told.  Keys alone: add forgets it. *)
  Variables (outcomes : space) (nothing : outcomes) (add : Key -> R -> outcomes -> outcomes).

  Fixpoint told (count : Key -> nat) (keys : list Key) (f : outcomes -> R) : R :=
    match keys with
    | [] => f nothing
    | key :: later => match count key with
      | O => told count later f
      | S _ => E noisy (fun z => if Rle_dec threshold (INR (count key) + value z)
          then told count later (fun o => f (add key (INR (count key) + value z) o)) else told count later f)
      end
    end.

  (* What is told of later keys can be integrated in the noise of an earlier one (Fubini). *)
  Hypothesis add_observable : forall key x f, observable f -> observable (fun o => f (add key x o)).
  Hypothesis told_observable : forall count keys key x f, observable f ->
    observable (fun z : line noisy => told count keys (fun o => f (add key (x + value z) o))).

  Lemma step_observable x (f g : line noisy -> R) : observable f -> observable g ->
    observable (fun z => if Rle_dec threshold (x + value z) then f z else g z).
  Proof.
    intros F G. apply (observable_same _ (fun z => if Rle_dec (threshold - x) (value z) then f z else g z)).
    - intro z. destruct (Rle_dec (threshold - x) (value z)), (Rle_dec threshold (x + value z)); lra.
    - apply chosen_observable; assumption.
  Qed.
  Lemma told_step_observable count later key x f : observable f ->
    observable (fun z : line noisy => if Rle_dec threshold (x + value z)
      then told count later (fun o => f (add key (x + value z) o)) else told count later f).
  Proof. intro F. apply step_observable; [apply told_observable, F | apply observable_constant]. Qed.

  Lemma told_monotone count keys : forall f g, observable f -> observable g -> (forall o, f o <= g o) ->
    told count keys f <= told count keys g.
  Proof.
    induction keys as [| key later IH]; intros f g F G below; simpl; [apply below |].
    destruct (count key) eqn:C; [apply IH; assumption |].
    apply E_monotone; try (apply told_step_observable; assumption).
    intro z. destruct Rle_dec; apply IH; auto.
  Qed.
  Lemma told_sum count keys : forall f g, observable f -> observable g ->
    told count keys (fun o => f o + g o) = told count keys f + told count keys g.
  Proof.
    induction keys as [| key later IH]; intros f g F G; simpl; [reflexivity |].
    destruct (count key) eqn:C; [apply IH; assumption |].
    rewrite <- E_sum by (apply told_step_observable; assumption).
    apply E_same; [apply (told_step_observable _ _ _ _ (fun o => f o + g o)), observable_sum; assumption |].
    intro z. destruct Rle_dec; [apply (IH (fun o => f (add _ _ o))) | apply IH]; auto.
  Qed.
  Lemma told_multiple count keys c : forall f, observable f ->
    told count keys (fun o => c * f o) = c * told count keys f.
  Proof.
    induction keys as [| key later IH]; intros f F; simpl; [reflexivity |].
    destruct (count key) eqn:C; [apply IH; assumption |].
    rewrite <- E_multiple by (apply told_step_observable; assumption).
    apply E_same; [apply (told_step_observable _ _ _ _ (fun o => c * f o)), observable_multiple, F |].
    intro z. destruct Rle_dec; [apply (IH (fun o => f (add _ _ o))) | apply IH]; auto.
  Qed.
  Lemma told_constant count keys c : told count keys (fun _ => c) = c.
  Proof.
    induction keys as [| key later IH]; simpl; [reflexivity |].
    destruct (count key) eqn:C; [apply IH |].
    rewrite IH. rewrite (E_same _ _ (fun _ => c)); [apply E_constant | | intro z; destruct Rle_dec; reflexivity].
    apply (step_observable _ (fun _ => c) (fun _ => c)); apply observable_constant.
  Qed.
  Lemma told_between count keys f a b : observable f -> (forall o, a <= f o <= b) -> a <= told count keys f <= b.
  Proof.
    intros F between. split; [rewrite <- (told_constant count keys a) | rewrite <- (told_constant count keys b)];
      apply told_monotone; auto using observable_constant; intro o; apply between.
  Qed.
  Lemma told_same count count' keys : (forall key, In key keys -> count key = count' key) ->
    forall f, observable f -> told count keys f = told count' keys f.
  Proof.
    induction keys as [| key later IH]; intros same f F; simpl; [reflexivity |].
    assert (same' : forall key, In key later -> count key = count' key) by (intros; apply same; right; assumption).
    rewrite <- (same key (or_introl eq_refl)). destruct (count key) eqn:C; [apply IH; assumption |].
    apply E_same; [apply told_step_observable, F |]. intro z. destruct Rle_dec; apply IH; auto.
  Qed.
  (* Keys that do not occur are passed over. *)
  Lemma told_occurring count keys : forall f, observable f ->
    told count (filter (fun key => Nat.ltb 0 (count key)) keys) f = told count keys f.
  Proof.
    induction keys as [| key later IH]; intros f F; simpl; [reflexivity |].
    destruct (count key) eqn:C; simpl; [apply IH, F |]. rewrite C.
    apply E_same; [apply told_step_observable, F |]. intro z. destruct Rle_dec; apply IH; auto.
  Qed.

  (* The law, whose keys come in an order that does not depend on the table. *)
  Variable listing : list Key -> list Key.
  Notation count_of := (count_occ same_key).
  Definition in_one_order := forall x y, exists keys, NoDup keys /\ (forall key, In key x \/ In key y -> In key keys) /\
    listing x = filter (fun key => Nat.ltb 0 (count_of x key)) keys /\
    listing y = filter (fun key => Nat.ltb 0 (count_of y key)) keys.
  Definition keys_above (table : list Key) : law outcomes.
  Proof.
    refine (Law outcomes (told (count_of table) (listing table)) _ _ _ _).
    - intros f g F G below. apply told_monotone; assumption.
    - intros f g F G. apply told_sum; assumption.
    - intros c f F. apply told_multiple, F.
    - apply told_constant.
  Defined.

  (* Where counts differ in one key only, what holds where that key comes first holds of the whole. *)
  Lemma told_later s t d count count' key later : count key = count' key ->
    (forall g, test g -> s * told count later g <= t * told count' later g + d) ->
    forall f, test f -> s * told count (key :: later) f <= t * told count' (key :: later) f + d.
  Proof.
    intros same H f [F between]. simpl. rewrite <- same. destruct (count key) as [| c]; [apply H; split; assumption |].
    set (x := INR (S c)).
    pose proof (told_step_observable count later key x f F) as O.
    pose proof (told_step_observable count' later key x f F) as O'.
    rewrite <- !E_multiple, <- E_shifted by (try apply observable_multiple; assumption).
    apply E_monotone; [apply observable_multiple, O | apply observable_shifted, observable_multiple, O' |].
    intro z. destruct Rle_dec; apply H; split; auto.
  Qed.
  Lemma told_one_key s t d count count' key : (forall other, other <> key -> count other = count' other) ->
    (forall later f, ~ In key later -> test f ->
      s * told count (key :: later) f <= t * told count' (key :: later) f + d) ->
    forall keys, NoDup keys -> In key keys ->
    forall f, test f -> s * told count keys f <= t * told count' keys f + d.
  Proof.
    intros same here keys distinct. induction distinct as [| first later absent _ IH]; intro occurs;
      [destruct occurs |].
    destruct (same_key first key) as [equal | other].
    - subst. intros f. apply here, absent.
    - destruct occurs as [equal | occurs]; [contradiction |].
      apply told_later; [apply same, other | apply IH, occurs].
  Qed.

  (* The premises. *)
  Variables (granularity : R) (log_density loss : R -> R).
  Hypothesis whole_numbers_on_grid : on_grid granularity 1.
  Hypothesis density : has_density granularity noisy (fun z => exp (log_density z)).
  Hypothesis count_moves_by_its_loss : forall d_in z h, 0 <= d_in -> - d_in <= h -> h <= d_in ->
    log_density z - log_density (z + h) <= loss d_in.
  Notation one_given := (chance noisy (threshold - 1)).

  Lemma loss_nonnegative : 0 <= loss 1.
  Proof. pose proof (count_moves_by_its_loss 1 0 0 ltac:(lra) ltac:(lra) ltac:(lra)). rewrite Rplus_0_r in *. lra. Qed.

  (* A count that moves by 1, and stays at least 1. *)
  Lemma count_moved count count' key keys : (forall other, other <> key -> count other = count' other) ->
    (1 <= count key)%nat -> (1 <= count' key)%nat -> (count key = S (count' key) \/ count' key = S (count key)) ->
    NoDup keys -> In key keys -> forall f, test f -> told count keys f <= exp (loss 1) * told count' keys f.
  Proof.
    intros same some some' apart distinct occurs f test_f.
    enough (1 * told count keys f <= exp (loss 1) * told count' keys f + 0) by lra.
    revert f test_f. revert keys distinct occurs. apply told_one_key; [exact same |].
    intros later f absent [F between]. rewrite Rmult_1_l, Rplus_0_r. simpl.
    assert (agree : forall g, observable g -> told count later g = told count' later g).
    { apply told_same. intros other member. apply same. intro equal. subst. contradiction. }
    pose (step := fun y => if Rle_dec threshold y then told count' later (fun o => f (add key y o))
      else told count' later f).
    assert (O : forall x, observable (fun z : line noisy => step (x + value z))).
    { intro x. apply told_step_observable, F. }
    destruct (count key) as [| c] eqn:C; [lia |]. destruct (count' key) as [| c'] eqn:C'; [lia |].
    apply Rle_trans with (E noisy (fun z => step (INR (S c) + value z))).
    - right. apply E_same; [apply told_step_observable, F |]. intro z. unfold step. destruct Rle_dec; apply agree; auto.
    - assert (moved : rarer noisy (INR (S c) - INR (S c')) (loss 1)).
      { assert (close : INR (S c) - INR (S c') = 1 \/ INR (S c) - INR (S c') = 0 - 1).
        { destruct apart as [A | A]; injection A as A; subst; rewrite !S_INR; [left | right]; ring. }
        apply (rarer_by_log_density _ _ _ _ _ density).
        - destruct close as [-> | ->]; [assumption |]. apply on_grid_difference; [| assumption].
          destruct whole_numbers_on_grid as [zero | _]; [left; exact zero | right; exists 0%Z; ring].
        - intro z. apply count_moves_by_its_loss; lra. }
      assert (eq : forall z : line noisy, step (INR (S c) + (value z - (INR (S c) - INR (S c')))) =
        step (INR (S c') + value z)) by (intro z; f_equal; ring).
      assert (O' : observable (fun z : line noisy => step (INR (S c) + (value z - (INR (S c) - INR (S c')))))).
      { apply (observable_same _ (fun z => step (INR (S c') + value z))); [intro; symmetry; apply eq | apply O]. }
      pose proof (moved (fun z => step (INR (S c) + z))) as B. simpl in B.
      change (E noisy (fun z => step (INR (S c) + value z)) <=
        exp (loss 1) * E noisy (fun z => step (INR (S c') + value z))).
      rewrite <- (E_same noisy _ _ O' eq). apply B; [| apply O | exact O'].
      intro z. unfold step. destruct Rle_dec; apply (told_between _ _ _ 0 1); auto; intro; apply between.
  Qed.

  (* A key that occurs once, and one that does not occur. *)
  Lemma count_vanished count count' key keys : (forall other, other <> key -> count other = count' other) ->
    count key = 1%nat -> count' key = 0%nat -> NoDup keys -> In key keys -> forall f, test f ->
    told count keys f <= (1 - one_given) * told count' keys f + one_given /\
    (1 - one_given) * told count' keys f <= told count keys f.
  Proof.
    intros same one none distinct occurs f test_f.
    assert (here : forall later f, ~ In key later -> test f -> told count' (key :: later) f = told count later f /\
      told count (key :: later) f <= one_given + (1 - one_given) * told count later f /\
      (1 - one_given) * told count later f <= told count (key :: later) f).
    { clear f test_f. intros later f absent [F between]. simpl. rewrite one, none.
      assert (B : forall x, 0 <= told count later (fun o => f (add key x o)) <= 1).
      { intro x. apply told_between; auto. }
      pose proof (told_between count later f 0 1 F between) as B'.
      assert (step : forall a b, observable (fun z : line noisy => if Rle_dec threshold (INR 1 + value z)
        then a else b)).
      { intros a b. apply (step_observable (INR 1) (fun _ => a) (fun _ => b)); apply observable_constant. }
      split; [symmetry; apply told_same; [| exact F] |].
      - intros other member. apply same. intro equal. subst. contradiction.
      - split.
        + apply Rle_trans with (E noisy (fun z => if Rle_dec threshold (INR 1 + value z)
            then 1 else told count later f)).
          * apply E_monotone; [apply told_step_observable, F | apply step |]. intro z.
            destruct Rle_dec; [apply B | lra].
          * rewrite chosen. simpl. lra.
        + apply Rle_trans with (E noisy (fun z => if Rle_dec threshold (INR 1 + value z)
            then 0 else told count later f)).
          * rewrite chosen. simpl. lra.
          * apply E_monotone; [apply step | apply told_step_observable, F |]. intro z.
            destruct Rle_dec; [apply B | lra]. }
    split.
    - enough (1 * told count keys f <= (1 - one_given) * told count' keys f + one_given) by lra.
      revert f test_f. revert keys distinct occurs. apply told_one_key; [exact same |].
      intros later f absent test_f. destruct (here later f absent test_f) as (-> & above & below). lra.
    - enough ((1 - one_given) * told count' keys f <= 1 * told count keys f + 0) by lra.
      revert f test_f. revert keys distinct occurs. apply told_one_key; [intros; symmetry; apply same; assumption |].
      intros later f absent test_f. destruct (here later f absent test_f) as (-> & above & below). lra.
  Qed.

  Hypothesis order_of_keys : in_one_order.

  (* Tables are multisets of rows: one row more or fewer; one row replaced. *)
  Definition one_row_more (x y : list Key) :=
    Permutation x y \/ exists key, Permutation x (key :: y) \/ Permutation (key :: x) y.
  Definition one_row_replaced (x y : list Key) := Permutation x y \/
    exists key key' rest, Permutation x (key :: rest) /\ Permutation y (key' :: rest).

  Lemma keys_of_both x y : exists keys, NoDup keys /\ (forall key, In key x \/ In key y -> In key keys) /\
    forall f, observable f -> E (keys_above x) f = told (count_of x) keys f /\
      E (keys_above y) f = told (count_of y) keys f.
  Proof.
    destruct (order_of_keys x y) as (keys & distinct & all & X & Y). exists keys.
    split; [exact distinct | split; [exact all |]].
    intros f F. simpl. rewrite X, Y, !told_occurring by exact F. split; reflexivity.
  Qed.
  Lemma counted_same x y : Permutation x y -> forall key, count_of x key = count_of y key.
  Proof. intros P. apply (Permutation_count_occ same_key), P. Qed.
  Lemma counted_more key rest x : Permutation x (key :: rest) -> count_of x key = S (count_of rest key) /\
    forall other, other <> key -> count_of x other = count_of rest other.
  Proof.
    intro P. rewrite (counted_same _ _ P). split; [simpl; destruct (same_key key key); congruence |].
    intros other apart. rewrite (counted_same _ _ P). simpl. destruct (same_key key other); congruence.
  Qed.
  Lemma same_table x y t delta : 1 <= t -> 0 <= delta -> Permutation x y ->
    within t delta (keys_above x) (keys_above y).
  Proof.
    intros T D P f [F between]. destruct (keys_of_both x y) as (keys & _ & _ & K). destruct (K f F) as [-> ->].
    rewrite (told_same _ _ _ (fun key _ => counted_same _ _ P key) f F).
    pose proof (told_between (count_of y) keys f 0 1 F between). nra.
  Qed.

  (* thresholded_counts: one row more or fewer costs one loss, but for the probability that a key is told that occurs
     once. *)
  Theorem thresholded_counts : private one_row_more keys_above (approximate (loss 1) one_given).
  Proof.
    pose proof (exp_at_least_1 _ loss_nonnegative) as T. pose proof (chance_between noisy (threshold - 1)) as P.
    intros x y near. unfold approximate. destruct near as [same | [key [more | fewer]]].
    - apply same_table; [exact T | apply P | exact same].
    - intros f [F between]. destruct (keys_of_both x y) as (keys & distinct & all & K). destruct (K f F) as [-> ->].
      destruct (counted_more _ _ _ more) as [here others].
      assert (occurs : In key keys).
      { apply all. left. apply Permutation_in with (key :: y); [symmetry; exact more | left; reflexivity]. }
      pose proof (told_between (count_of y) keys f 0 1 F between).
      destruct (count_of y key) as [| c] eqn:C.
      + destruct (count_vanished _ _ _ keys others here C distinct occurs f (conj F between)). nra.
      + pose proof (count_moved _ _ _ keys others ltac:(lia) ltac:(lia) ltac:(lia) distinct occurs f (conj F between)).
        lra.
    - intros f [F between]. destruct (keys_of_both x y) as (keys & distinct & all & K). destruct (K f F) as [-> ->].
      destruct (counted_more _ _ _ (Permutation_sym fewer)) as [here others].
      assert (occurs : In key keys).
      { apply all. right. apply Permutation_in with (key :: x); [exact fewer | left; reflexivity]. }
      pose proof (told_between (count_of x) keys f 0 1 F between).
      pose proof (told_between (count_of y) keys f 0 1 F between).
      destruct (count_of x key) as [| c] eqn:C.
      + destruct (count_vanished _ _ _ keys others here C distinct occurs f (conj F between)). nra.
      + assert (others' : forall other, other <> key -> count_of x other = count_of y other)
          by (intros; symmetry; auto).
        pose proof (count_moved _ _ _ keys others' ltac:(lia) ltac:(lia) ltac:(lia)
          distinct occurs f (conj F between)). lra.
  Qed.

  (* The same where one row is replaced: two losses, and still the same delta. *)
  Theorem thresholded_counts_change_one : private one_row_replaced keys_above (approximate (2 * loss 1) one_given).
  Proof.
    pose proof (exp_at_least_1 _ loss_nonnegative) as T. pose proof (chance_between noisy (threshold - 1)) as P.
    intros x y near. unfold approximate. replace (2 * loss 1) with (loss 1 + loss 1) by ring. rewrite exp_plus.
    set (t := exp (loss 1)) in *.
    assert (more : forall u, 0 <= u -> u <= t * u).
    { intros u U. rewrite <- (Rmult_1_l u) at 1. apply Rmult_le_compat_r; assumption. }
    assert (double : forall u v, u <= t * v -> 0 <= v -> t * u <= t * t * v).
    { intros u v U V. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra | exact U]. }
    assert (part : forall u, 0 <= u -> (1 - one_given) * u <= u).
    { intros u U. rewrite <- (Rmult_1_l u) at 2. apply Rmult_le_compat_r; lra. }
    assert (rest_part : forall u, u <= 1 -> u <= (1 - one_given) * u + one_given).
    { intros u U. enough (one_given * u <= one_given * 1) by lra. apply Rmult_le_compat_l; lra. }
    destruct near as [same | (key & key' & rest & X & Y)]; [apply same_table; [nra | apply P | exact same] |].
    destruct (same_key key key') as [<- | apart].
    { apply same_table; [nra | apply P | rewrite X; symmetry; exact Y]. }
    intros f [F between]. destruct (keys_of_both x y) as (keys & distinct & all & K). destruct (K f F) as [-> ->].
    assert (occurs : In key keys).
    { apply all. left. apply Permutation_in with (key :: rest); [symmetry; exact X | left; reflexivity]. }
    assert (occurs' : In key' keys).
    { apply all. right. apply Permutation_in with (key' :: rest); [symmetry; exact Y | left; reflexivity]. }
    destruct (counted_more _ _ _ X) as [here others]. destruct (counted_more _ _ _ Y) as [here' others'].
    pose proof (fun other n => eq_sym (others' other n)) as others_back.
    pose proof (fun count => told_between count keys f 0 1 F between) as B.
    pose proof (B (count_of x)). pose proof (B (count_of y)). pose proof (B (count_of rest)).
    destruct (count_of rest key) as [| c] eqn:C; destruct (count_of rest key') as [| c'] eqn:C'.
    - destruct (count_vanished _ _ _ keys others here C distinct occurs f (conj F between)).
      destruct (count_vanished _ _ _ keys others' here' C' distinct occurs' f (conj F between)).
      pose proof (double _ _ (more _ (proj1 (B (count_of y)))) (proj1 (B (count_of y)))).
      pose proof (more _ (proj1 (B (count_of y)))). lra.
    - destruct (count_vanished _ _ _ keys others here C distinct occurs f (conj F between)).
      pose proof (count_moved _ _ _ keys others_back ltac:(lia) ltac:(lia) ltac:(lia)
        distinct occurs' f (conj F between))
        as moved. fold t in moved.
      pose proof (part _ (proj1 (B (count_of rest)))). pose proof (more _ (proj1 (B (count_of rest)))).
      pose proof (double _ _ moved (proj1 (B (count_of y)))). lra.
    - (* by way of the table with both *)
      destruct (counted_more key' x (key' :: x) (Permutation_refl _)) as [both_here both_others].
      rewrite <- (others key' (not_eq_sym apart)) in C'. rewrite C' in both_here.
      destruct (count_vanished _ _ _ keys both_others both_here C' distinct occurs' f (conj F between)).
      assert (M : Permutation (key' :: x) (key :: y)).
      { rewrite X, Y. apply perm_swap. }
      destruct (counted_more _ _ _ M) as [most most_others].
      pose proof (others' key apart) as unchanged. rewrite C in unchanged.
      pose proof (count_moved _ _ _ keys most_others ltac:(lia) ltac:(lia) ltac:(lia)
        distinct occurs f (conj F between))
        as moved. fold t in moved.
      pose proof (rest_part _ (proj2 (B (count_of x)))). pose proof (more _ (proj1 (B (count_of (key' :: x))))).
      pose proof (double _ _ moved (proj1 (B (count_of y)))). lra.
    - pose proof (count_moved _ _ _ keys others ltac:(lia) ltac:(lia) ltac:(lia) distinct occurs f (conj F between))
        as moved. fold t in moved.
      pose proof (count_moved _ _ _ keys others_back ltac:(lia) ltac:(lia) ltac:(lia)
        distinct occurs' f (conj F between))
        as moved'. fold t in moved'.
      pose proof (double _ _ moved' (proj1 (B (count_of y)))). lra.
  Qed.
End thresholded_counts.

(* The premises about outcomes hold where all bounded functions of the noise are observables, as on a grid, and where
   keys alone are told. *)
Lemma told_bounded {Key T : Type} noisy threshold nothing (add : Key -> R -> T -> T) count keys c :
  (forall g : line noisy -> R, bounded g -> observable g) ->
  forall f, (forall o, - c <= f o <= c) -> - c <= told noisy threshold (plain T) nothing add count keys f <= c.
Proof.
  intro all. induction keys as [| key later IH]; intros f F; simpl; [apply F |].
  destruct (count key) eqn:C; [apply IH, F |].
  assert (B : forall z : line noisy, - c <= (if Rle_dec threshold (INR (S n) + value z)
    then told noisy threshold (plain T) nothing add count later (fun o => f (add key (INR (S n) + value z) o))
    else told noisy threshold (plain T) nothing add count later f) <= c).
  { intro z. destruct Rle_dec; apply IH; auto. }
  apply E_between; [apply all; exists c |]; exact B.
Qed.
Lemma told_observable_on_grids {Key T : Type} noisy threshold nothing (add : Key -> R -> T -> T) :
  (forall g : line noisy -> R, bounded g -> observable g) ->
  forall count keys key x (f : plain T -> R), observable f -> observable (fun z : line noisy =>
    told noisy threshold (plain T) nothing add count keys (fun o => f (add key (x + value z) o))).
Proof.
  intros all count keys key x f [c C]. apply all. exists c. intro z. apply told_bounded; auto.
Qed.

Lemma add_observable_plain {Key T : Type} (add : Key -> R -> T -> T) :
  forall key x (f : plain T -> R), observable f -> observable (fun o : plain T => f (add key x o)).
Proof. intros key x f [c C]. exists c. intro o. apply C. Qed.

(* Whole numbers as keys, in their order. *)
Definition listed_numbers (table : list nat) : list nat :=
  filter (fun key => Nat.ltb 0 (count_occ Nat.eq_dec table key)) (seq 0 (S (list_max table))).
Lemma numbers_in_order : in_one_order Nat.eq_dec listed_numbers.
Proof.
  intros x y. exists (seq 0 (S (list_max (x ++ y)))). split; [apply seq_NoDup | split].
  - intros key occurs. apply in_seq. split; [lia |]. simpl. apply Nat.lt_succ_r.
    pose proof (proj1 (list_max_le (x ++ y) (list_max (x ++ y))) (le_n _)) as all. rewrite Forall_forall in all.
    apply all, in_or_app, occurs.
  - assert (longer : forall table top, (list_max table <= top)%nat -> listed_numbers table =
      filter (fun key => Nat.ltb 0 (count_occ Nat.eq_dec table key)) (seq 0 (S top))).
    { intros table top below. unfold listed_numbers.
      replace (S top) with (S (list_max table) + (top - list_max table))%nat by lia.
      rewrite seq_app, filter_app. rewrite <- (app_nil_r (filter _ (seq 0 (S (list_max table))))) at 1. f_equal.
      symmetry. assert (none : forall key, In key (seq (0 + S (list_max table)) (top - list_max table)) ->
        Nat.ltb 0 (count_occ Nat.eq_dec table key) = false).
      { intros key beyond. apply in_seq in beyond. apply Nat.ltb_ge.
        enough (count_occ Nat.eq_dec table key = 0)%nat by lia. apply count_occ_not_In. intro occurs.
        pose proof (proj1 (list_max_le table (list_max table)) (le_n _)) as all. rewrite Forall_forall in all.
        specialize (all _ occurs). lia. }
      revert none. generalize (seq (0 + S (list_max table)) (top - list_max table)). intro l.
      induction l as [| first l IH]; intro none; simpl; [reflexivity |].
      rewrite none by (left; reflexivity). apply IH. intros key member. apply none. right. exact member. }
    rewrite list_max_app. split; apply longer; lia.
Qed.

(* thresholded_counts, applied: a stability histogram of whole numbers, with discrete Laplace noise of scale 2. *)
Example stability_histogram (two : 0 < 2) (noisy := discrete_laplace_noise 1 2 Rlt_0_1 two)
    (add := fun key x o => (key, x) :: o) :
  private one_row_more
    (keys_above Nat.eq_dec noisy (1 + INR 40 * 1) (plain (list (nat * R))) [] add
      (add_observable_plain add) (told_observable_on_grids noisy _ [] add (fun _ B => B)) listed_numbers)
    (approximate (1 / 2) (exp (- (INR 40 * 1 / 2)) / (1 + exp (- (1 / 2))))).
Proof.
  replace (exp (- (INR 40 * 1 / 2)) / (1 + exp (- (1 / 2)))) with (chance noisy (1 + INR 40 * 1 - 1)).
  2: { replace (1 + INR 40 * 1 - 1) with (INR 40 * 1) by ring. apply (discrete_laplace_noise_tail 1 2 Rlt_0_1 two). }
  apply (thresholded_counts Nat.eq_dec noisy (1 + INR 40 * 1) (plain (list (nat * R))) [] add (add_observable_plain add)
    (told_observable_on_grids noisy _ [] add (fun _ B => B)) listed_numbers 1 (fun z => - (Rabs z / 2))
      (fun d => d / 2)).
  - right. exists 1%Z. ring.
  - apply discrete_laplace_noise_density.
  - intros. apply laplace_moves; assumption.
  - apply numbers_in_order.
Qed.

(* How likely a large error is, and estimates from reports.

   A tail claim says that on every input of a domain the error is at least, or more than, a threshold with
     probability at
   most, or just, beta.  Such claims are proved of noise on the line and on grids, of selections, of finite laws, and of
   many independent draws, by a union bound, exactly, or by Hoeffding's inequality, which is proved here too.  Estimates
   of how many inputs have a value have the mean and the variance that is claimed; decoded answers the squared error.
   With each kind of claim stands what refutes it. *)
From Coq Require Import Reals Lra Lia List ZArith FinFun.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Finite Definitions.
From Refdp Require Grid Noise Line Selection.
Open Scope R_scope.

Ltac compare := repeat match goal with
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  end; try lra.

(* tail(M, X, E(event(threshold)), bound(beta)): on every input of the domain the error is at least, or more than, the
   threshold with probability at most (Rle) beta, or just (eq) beta. *)
Definition tail {X} {O : space} (domain : X -> Prop) (M : mechanism X O) (error : X -> O -> R)
    (event : R -> R -> R) (threshold : R) (bound : R -> R -> Prop) (beta : R) :=
  forall x, domain x -> observable (fun o => event threshold (error x o)) /\
    bound (E (M x) (fun o => event threshold (error x o))) beta.
Definition any_number (x : R) := True.

Lemma at_least_far alpha s : at_least alpha (Rabs s) = Rmax (at_least alpha s) (at_most (- alpha) s).
Proof.
  unfold at_least, at_most, Rabs. compare; unfold Rmax; compare.
Qed.
Lemma more_than_far alpha s : more_than alpha (Rabs s) = Rmax (more_than alpha s) (1 - at_least (- alpha) s).
Proof.
  unfold more_than, at_least, Rabs. compare; unfold Rmax; compare.
Qed.

Section errors.
  Context {O : space} (value : O -> R).
  Hypothesis half_lines : tells_half_lines value.
  Lemma at_least_moved c d s : at_least c (s - d) = at_least (c + d) s.
  Proof. unfold at_least. destruct (Rle_dec _ _), (Rle_dec _ _); lra. Qed.
  Lemma more_than_moved c d s : more_than c (s - d) = more_than (c + d) s.
  Proof. unfold more_than. destruct (Rlt_dec _ _), (Rlt_dec _ _); lra. Qed.
  Lemma at_most_moved c d s : at_most c (s - d) = at_most (c + d) s.
  Proof. unfold at_most. destruct (Rle_dec _ _), (Rle_dec _ _); lra. Qed.
  Lemma tells_errors x alpha : observable (fun o => at_least alpha (Rabs (value o - x))) /\
    observable (fun o => more_than alpha (Rabs (value o - x))).
  Proof.
    split.
    - apply (observable_same O (fun o => Rmax (at_least (alpha + x) (value o)) (at_most (- alpha + x) (value o)))).
      + intro o. rewrite at_least_far, at_least_moved, at_most_moved. reflexivity.
      + apply observable_greatest; [apply half_lines | apply tells_half_lines_below, half_lines].
    - apply (observable_same O (fun o => Rmax (more_than (alpha + x) (value o))
      (1 - at_least (- alpha + x) (value o)))).
      + intro o. rewrite more_than_far, more_than_moved, at_least_moved. reflexivity.
      + apply observable_greatest; [apply half_lines |].
        apply observable_difference; [apply observable_constant | apply half_lines].
  Qed.
End errors.

(* ---- Noise beyond alpha ---- *)
Section noise.
  Context {O : space} (I : integral R) (value : O -> R) (log_weight log_tail : R -> R) (M : mechanism R O).
  Hypothesis noise : adds_noise I value log_weight M.
  Hypothesis half_lines : tells_half_lines value.
  Hypothesis mirror : mirrored I.
  Definition tail_is_bounded := forall alpha h, 0 <= alpha -> 0 <= h ->
    log_weight (alpha + h) <= log_tail alpha + log_weight h /\ log_tail alpha <= 0 /\ log_weight (- h) = log_weight h.
  Definition tail_is_exact := forall alpha h, 0 <= alpha -> 0 <= h ->
    log_weight (alpha + h) = log_tail alpha + log_weight h /\ log_tail alpha <= 0 /\ log_weight (- h) = log_weight h.
  Lemma exact_is_bounded : tail_is_exact -> tail_is_bounded.
  Proof. intros H alpha h A B. destruct (H alpha h A B) as (C & D & F). repeat split; lra. Qed.
  Hypothesis bounded_tail : tail_is_bounded.

  Definition weigh (f : R -> R) := I (fun z => f z * exp (log_weight z)).
  Definition weighed (f : R -> R) := integrable I (fun z => f z * exp (log_weight z)).
  Definition full := I (fun z => exp (log_weight z)).

  Lemma full_positive : 0 < full. Proof. apply noise. Qed.
  Lemma weighed_if_told f : observable (fun o => f (value o)) -> weighed f.
  Proof.
    intro F. destruct noise as (_ & _ & law). destruct (law 0 f F) as [A _].
    apply (integrable_same I _ _ (fun z => f_equal (fun t => f t * exp (log_weight z)) (Rplus_0_l z)) A).
  Qed.
  Lemma weigh_same f g : (forall z, f z = g z) -> weighed f -> weigh f = weigh g.
  Proof. intros same F. apply integral_same; [exact F | intro; rewrite same; reflexivity]. Qed.
  Lemma weigh_sum f g : weighed f -> weighed g -> weigh (fun z => f z + g z) = weigh f + weigh g.
  Proof.
    intros F G. unfold weigh. rewrite <- integral_sum by assumption. apply integral_same.
    - apply (integrable_same I (fun z => f z * exp (log_weight z) + g z * exp (log_weight z))); [intro; ring |].
      apply integrable_sum; assumption.
    - intro. ring.
  Qed.
  Lemma weighed_sum f g : weighed f -> weighed g -> weighed (fun z => f z + g z).
  Proof.
    intros F G. apply (integrable_same I (fun z => f z * exp (log_weight z) + g z * exp (log_weight z)));
      [intro; ring |].
    apply integrable_sum; assumption.
  Qed.
  Lemma weigh_le f g : weighed f -> weighed g -> (forall z, f z <= g z) -> weigh f <= weigh g.
  Proof.
    intros F G below. apply integral_monotone; [exact F | exact G |].
    intro z. apply Rmult_le_compat_r; [left; apply exp_pos | apply below].
  Qed.
  Lemma weigh_all : weighed (fun _ => 1) /\ weigh (fun _ => 1) = full.
  Proof.
    assert (same : forall z, exp (log_weight z) = 1 * exp (log_weight z)) by (intro; ring).
    split; [apply (integrable_same I _ _ same), noise | symmetry; apply integral_same; [apply noise | exact same]].
  Qed.
  Lemma even z : log_weight (- z) = log_weight z.
  Proof.
    destruct (Rle_lt_dec 0 z) as [P | P]; [apply (bounded_tail 0 z); lra |].
    destruct (bounded_tail 0 (- z) ltac:(lra) ltac:(lra)) as (_ & _ & H). rewrite Ropp_involutive in H. auto.
  Qed.
  Lemma weigh_mirrored f : weighed f -> weighed (fun z => f (- z)) /\ weigh (fun z => f (- z)) = weigh f.
  Proof.
    intro F. destruct (mirror _ _ F eq_refl) as [A B].
    assert (same : forall z, f (- z) * exp (log_weight (- z)) = f (- z) * exp (log_weight z)) by
      (intro; rewrite even; reflexivity).
    split; [apply (integrable_same I _ _ same A) |].
    unfold weigh. rewrite <- B. symmetry. apply integral_same; [exact A | exact same].
  Qed.

  (* The error of x + Z is |Z|, whatever x is. *)
  Lemma error_is_noise x f : observable (fun o => f (Rabs (value o - x))) ->
    weighed (fun z => f (Rabs z)) /\ E (M x) (fun o => f (Rabs (value o - x))) = weigh (fun z => f (Rabs z)) / full.
  Proof.
    intro F. destruct noise as (_ & _ & law). destruct (law x (fun y => f (Rabs (y - x))) F) as [A B].
    assert (same : forall z, f (Rabs (x + z - x)) * exp (log_weight z) = f (Rabs z) * exp (log_weight z)).
    { intro z. replace (x + z - x) with z by ring. reflexivity. }
    split; [apply (integrable_same I _ _ same A) |]. rewrite B. unfold weigh, full. f_equal.
    apply integral_same; [exact A | exact same].
  Qed.

  Lemma above_weighed c : weighed (at_least c) /\ weighed (more_than c).
  Proof. split; apply weighed_if_told, half_lines. Qed.
  Lemma both_sides_at_least alpha : 0 < alpha -> weigh (fun z => at_least alpha (Rabs z)) = 2 * weigh (at_least alpha).
  Proof.
    intro A. destruct (weigh_mirrored _ (proj1 (above_weighed alpha))) as [B C].
    rewrite <- (weigh_same (fun z => at_least alpha z + at_least alpha (- z))).
    - rewrite weigh_sum by (try exact B; apply above_weighed). rewrite C. ring.
    - intro z. unfold at_least, Rabs. compare.
    - apply weighed_sum; [apply above_weighed | exact B].
  Qed.
  Lemma both_sides_more_than alpha : 0 <= alpha -> weigh (fun z => more_than alpha (Rabs z)) =
      2 * weigh (more_than alpha).
  Proof.
    intro A. destruct (weigh_mirrored _ (proj2 (above_weighed alpha))) as [B C].
    rewrite <- (weigh_same (fun z => more_than alpha z + more_than alpha (- z))).
    - rewrite weigh_sum by (try exact B; apply above_weighed). rewrite C. ring.
    - intro z. unfold more_than, Rabs. compare.
    - apply weighed_sum; [apply above_weighed | exact B].
  Qed.
  (* The weight of 0 itself, and of what is on either side of it. *)
  Definition zero_itself z := at_least 0 z - more_than 0 z.
  Lemma zero_weighed : weighed zero_itself /\ 0 <= weigh zero_itself /\
    weigh (at_least 0) = weigh (more_than 0) + weigh zero_itself /\ full = 2 * weigh (more_than 0) + weigh zero_itself.
  Proof.
    destruct (above_weighed 0) as [A B].
    assert (Z : weighed zero_itself).
    { apply (integrable_same I (fun z => at_least 0 z * exp (log_weight z) - more_than 0 z * exp (log_weight z))).
      - intro. unfold zero_itself. ring.
      - apply integrable_difference; assumption. }
    split; [exact Z |]. destruct (weigh_mirrored _ B) as [C D]. destruct weigh_all as [_ all]. repeat split.
    - apply integral_nonnegative; [exact Z |]. intro z. apply Rmult_le_pos; [| left; apply exp_pos].
      unfold zero_itself, at_least, more_than. destruct (Rle_dec 0 z), (Rlt_dec 0 z); lra.
    - rewrite <- weigh_sum by assumption. apply weigh_same; [| exact A]. intro z. unfold zero_itself. ring.
    - rewrite <- all, double. rewrite <- D at 1.
      rewrite <- (weigh_sum (fun z => more_than 0 (- z)) (more_than 0) C B).
      rewrite <- (weigh_sum (fun z => more_than 0 (- z) + more_than 0 z) zero_itself (weighed_sum _ _ C B) Z).
      symmetry. apply weigh_same; [| apply (weighed_sum _ _ (weighed_sum _ _ C B) Z)].
      intro z. unfold zero_itself, at_least, more_than. compare.
  Qed.

  Section beyond.
    Variable alpha : R.
    Hypothesis not_negative : 0 <= alpha.
    Hypothesis moves : moves_by I alpha.
    Lemma weigh_moved f : weighed f -> integrable I (fun h => f (h + alpha) * exp (log_weight (h + alpha))) /\
      weigh f = I (fun h => f (h + alpha) * exp (log_weight (h + alpha))).
    Proof. intro F. destruct (moves _ _ F eq_refl) as [A B]. split; [exact A | symmetry; exact B]. Qed.
    Lemma from_zero_on_at_least : weigh (at_least alpha) <= exp (log_tail alpha) * weigh (at_least 0).
    Proof.
      destruct (above_weighed alpha) as [A _]. destruct (above_weighed 0) as [Z _].
      destruct (weigh_moved _ A) as [B ->]. unfold weigh. rewrite <- integral_multiple by exact Z.
      apply integral_monotone; [exact B | apply integrable_multiple, Z |]. intro h. unfold at_least.
      destruct (Rle_dec alpha (h + alpha)), (Rle_dec 0 h); try lra. rewrite !Rmult_1_l, <- exp_plus. apply exp_le.
      rewrite Rplus_comm. apply bounded_tail; assumption.
    Qed.
    Lemma from_zero_on_more_than : weigh (more_than alpha) <= exp (log_tail alpha) * weigh (more_than 0).
    Proof.
      destruct (above_weighed alpha) as [_ A]. destruct (above_weighed 0) as [_ Z].
      destruct (weigh_moved _ A) as [B ->]. unfold weigh. rewrite <- integral_multiple by exact Z.
      apply integral_monotone; [exact B | apply integrable_multiple, Z |]. intro h. unfold more_than.
      destruct (Rlt_dec alpha (h + alpha)), (Rlt_dec 0 h); try lra. rewrite !Rmult_1_l, <- exp_plus. apply exp_le.
      rewrite Rplus_comm. apply bounded_tail; lra.
    Qed.
    Lemma just_from_zero_on : tail_is_exact -> weigh (at_least alpha) = exp (log_tail alpha) * weigh (at_least 0).
    Proof.
      intro exactly. destruct (above_weighed alpha) as [A _]. destruct (above_weighed 0) as [Z _].
      destruct (weigh_moved _ A) as [B ->]. unfold weigh. rewrite <- integral_multiple by exact Z.
      apply integral_same; [exact B |]. intro h. unfold at_least.
      destruct (Rle_dec alpha (h + alpha)), (Rle_dec 0 h); try lra. rewrite !Rmult_1_l, <- exp_plus. f_equal.
      rewrite Rplus_comm. apply exactly; assumption.
    Qed.
    (* More than alpha: on the line, and on a grid of which alpha is a point. *)
    Lemma noise_more_than : tail any_number M (fun x o => Rabs (value o - x)) more_than alpha Rle
        (exp (log_tail alpha)).
    Proof.
      intros x _. destruct (tells_errors value half_lines x alpha) as [_ T]. split; [exact T |].
      destruct (error_is_noise x (more_than alpha) T) as [_ ->]. rewrite both_sides_more_than by exact not_negative.
      apply (Rmult_le_reg_r full); [exact full_positive |]. pose proof full_positive.
      replace (2 * weigh (more_than alpha) / full * full) with (2 * weigh (more_than alpha)) by (field; lra).
      destruct zero_weighed as (_ & positive & _ & ->). pose proof from_zero_on_more_than.
        pose proof (exp_pos (log_tail alpha)). nra.
    Qed.
  End beyond.
  Lemma tail_at_zero : 0 <= log_tail 0.
  Proof. destruct (bounded_tail 0 0) as [A _]; try lra. rewrite Rplus_0_l in A. lra. Qed.
End noise.

(* noise_tail, on the line *)
Section on_the_line.
  Context {O : space} (value : O -> R) (log_weight log_tail : R -> R) (M : mechanism R O).
  Hypothesis noise : adds_noise line value log_weight M.
  Hypothesis half_lines : tells_half_lines value.
  Let error (x : R) (o : O) := Rabs (value o - x).

  Lemma zero_has_no_length : weigh line log_weight zero_itself = 0.
  Proof.
    apply (line_is _ 0), (line_of_a_point _ 0). intros x other. unfold zero_itself, at_least, more_than.
    destruct (Rle_dec 0 x), (Rlt_dec 0 x); lra.
  Qed.
  (* noise_tail *)
  Theorem noise_tail alpha : 0 <= alpha -> tail_is_bounded log_weight log_tail ->
    tail any_number M error at_least alpha Rle (exp (log_tail alpha)).
  Proof.
    intros A bounded_tail x _. destruct (tells_errors value half_lines x alpha) as [T _]. split; [exact T |].
      unfold error.
    destruct (Req_dec alpha 0) as [-> | not_zero].
    - apply Rle_trans with 1; [apply E_test, event_test; split; [exact T | intro o; apply at_least_is] |].
      rewrite <- exp_0. apply exp_le, (tail_at_zero log_weight), bounded_tail.
    - destruct (error_is_noise line value log_weight M noise x (at_least alpha) T) as [_ ->].
      pose proof (both_sides_at_least line value log_weight log_tail M noise half_lines line_mirrored bounded_tail
        alpha ltac:(lra)) as B.
      pose proof (from_zero_on_at_least line value log_weight log_tail M noise half_lines bounded_tail alpha A
        (line_moves alpha)) as S.
      destruct (zero_weighed line value log_weight log_tail M noise half_lines line_mirrored bounded_tail) as
        (_ & _ & Z1 & Z2).
      rewrite zero_has_no_length in Z1, Z2. rewrite B.
      pose proof (full_positive line value log_weight M noise) as P.
      apply (Rmult_le_reg_r (full line log_weight)); [exact P |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite Z2. rewrite Z1 in S. lra.
  Qed.
  Theorem noise_tail_more_than alpha : 0 <= alpha -> tail_is_bounded log_weight log_tail ->
    tail any_number M error more_than alpha Rle (exp (log_tail alpha)).
  Proof.
    intros A bounded_tail.
    apply (noise_more_than line value log_weight log_tail M noise half_lines line_mirrored bounded_tail alpha A
      (line_moves alpha)).
  Qed.
  (* noise_tail, exactly *)
  Theorem noise_tail_exactly alpha : 0 <= alpha -> tail_is_exact log_weight log_tail ->
    tail any_number M error at_least alpha eq (exp (log_tail alpha)).
  Proof.
    intros A exactly x _. pose proof (exact_is_bounded _ _ exactly) as bounded_tail.
    destruct (tells_errors value half_lines x alpha) as [T _]. split; [exact T |]. unfold error.
    destruct (Req_dec alpha 0) as [-> | not_zero].
    - destruct (exactly 0 0 ltac:(lra) ltac:(lra)) as [Z _]. rewrite Rplus_0_l in Z.
      replace (log_tail 0) with 0 by lra. rewrite exp_0, <- (E_constant (M x) 1).
      apply E_same; [exact T |]. intro o. unfold at_least. destruct (Rle_dec 0 (Rabs (value o - x))); [reflexivity |].
      pose proof (Rabs_pos (value o - x)). lra.
    - destruct (error_is_noise line value log_weight M noise x (at_least alpha) T) as [_ ->].
      rewrite (both_sides_at_least line value log_weight log_tail M noise half_lines line_mirrored bounded_tail alpha)
        by lra.
      rewrite (just_from_zero_on line value log_weight log_tail M noise half_lines alpha A (line_moves alpha) exactly).
      destruct (zero_weighed line value log_weight log_tail M noise half_lines line_mirrored bounded_tail) as
        (_ & _ & Z1 & Z2).
      rewrite zero_has_no_length in Z1, Z2. pose proof (full_positive line value log_weight M noise) as P.
      rewrite Z1. rewrite Z2 in P |- *. field. lra.
  Qed.
  (* A single point has no length: an error is more than alpha as often as it is at least alpha. *)
  Lemma reaches_or_exceeds x alpha : 0 <= alpha ->
    E (M x) (fun o => more_than alpha (error x o)) = E (M x) (fun o => at_least alpha (error x o)).
  Proof.
    intro A. destruct (tells_errors value half_lines x alpha) as [T T']. unfold error.
    pose proof (E_difference (M x) _ _ T T') as apart. simpl in apart.
    enough (E (M x) (fun o => at_least alpha (Rabs (value o - x)) - more_than alpha (Rabs (value o - x))) = 0) by lra.
    destruct noise as (_ & P & law).
    pose (f y := at_least alpha (Rabs (y - x)) - more_than alpha (Rabs (y - x))).
    assert (F : observable (fun o => f (value o))) by (apply observable_difference; assumption).
    destruct (law x f F) as [B C]. change (E (M x) (fun o => f (value o)) = 0). rewrite C.
    enough (line (fun z => f (x + z) * exp (log_weight z)) = 0) as -> by (field; lra).
    assert (only : forall z, z <> alpha -> z <> - alpha -> f (x + z) = 0).
    { intros z D1 D2. unfold f. replace (x + z - x) with z by ring. unfold at_least, more_than, Rabs. compare. }
    destruct (line_is _ 0 (line_of_a_point (fun z => if Req_EM_T z alpha then f (x + z) * exp (log_weight z) else 0)
      alpha
      ltac:(intros z D; cbv beta; destruct (Req_EM_T z alpha); [contradiction | reflexivity]))) as [P1 P2].
    destruct (line_is _ 0 (line_of_a_point (fun z => if Req_EM_T z alpha then 0 else f (x + z) * exp (log_weight z))
      (- alpha)
      ltac:(intros z D; cbv beta; destruct (Req_EM_T z alpha); [reflexivity | rewrite only by assumption; ring]))) as
        [Q1 Q2].
    rewrite (integral_same line _ (fun z => (if Req_EM_T z alpha then f (x + z) * exp (log_weight z) else 0) +
      (if Req_EM_T z alpha then 0 else f (x + z) * exp (log_weight z))) B).
    - rewrite integral_sum, P2, Q2 by assumption. ring.
    - intro z. destruct (Req_EM_T z alpha); ring.
  Qed.
  Theorem noise_tail_exactly_more_than alpha : 0 <= alpha -> tail_is_exact log_weight log_tail ->
    tail any_number M error more_than alpha eq (exp (log_tail alpha)).
  Proof.
    intros A exactly x D. split; [apply tells_errors, half_lines |].
    rewrite (reaches_or_exceeds x alpha A). apply (noise_tail_exactly alpha A exactly x D).
  Qed.
End on_the_line.

(* noise_tail, normal noise: P[|Z| >= alpha] = 2 Q(alpha / deviation), where Q(x) is the share of e^(-u^2 / 2) beyond
   x. *)
Definition normal_tail (x : R) : R :=
  line (fun u => more_than x u * exp (- u ^ 2 / 2)) / line (fun u => exp (- u ^ 2 / 2)).
Lemma line_scaled f l s : 0 < s -> is_on_line f l -> is_on_line (fun u => s * f (s * u)) l.
Proof.
  intros S H. apply on_line_iff. rewrite on_line_iff in H. intros r R0. destruct (H r R0) as [far reach].
  assert (inverse : s * (Rabs far / s) = Rabs far) by (field; lra).
  exists (Rabs far / s). intros a b A B.
  assert (sa : s * a + 0 < - far).
  { pose proof (Rmult_lt_compat_l s _ _ S A). pose proof (Rle_abs far). lra. }
  assert (sb : far < s * b + 0).
  { pose proof (Rmult_lt_compat_l s _ _ S B). pose proof (Rle_abs far). lra. }
  destruct (reach _ _ sa sb) as [y [Y1 Y2]]. exists y. split; [| exact Y2].
  apply (is_RInt_ext (fun u => scal s (f (s * u + 0)))); [| apply (is_RInt_comp_lin f s 0 a b y Y1)].
  intros u _. rewrite Rplus_0_r. reflexivity.
Qed.
Section normal.
  Context {O : space} (value : O -> R) (log_weight : R -> R) (deviation : R) (M : mechanism R O).
  Hypothesis noise : adds_noise line value log_weight M.
  Hypothesis half_lines : tells_half_lines value.
  Hypothesis weights_are_normal : forall u, 0 < deviation /\ log_weight (deviation * u) = - u ^ 2 / 2.

  Lemma normal_weight z : log_weight z = - (z / deviation) ^ 2 / 2.
  Proof.
    destruct (weights_are_normal (z / deviation)) as [D H]. rewrite <- H. f_equal. field. lra.
  Qed.
  Lemma normal_tail_is_bounded : tail_is_bounded log_weight log_weight.
  Proof.
    intros alpha h A H. destruct (weights_are_normal 0) as [D _]. rewrite !normal_weight.
    pose proof (Rinv_0_lt_compat _ D). set (i := / deviation) in *. unfold Rdiv. fold i.
    assert (0 <= alpha * h * i ^ 2) by (apply Rmult_le_pos; [apply Rmult_le_pos; assumption | apply pow2_ge_0]).
    pose proof (pow2_ge_0 (alpha * i)). split; [| split]; [| | f_equal; f_equal; ring].
    - replace (- ((alpha + h) * i) ^ 2) with (- (alpha * i) ^ 2 - (h * i) ^ 2 - 2 * (alpha * h * i ^ 2)) by ring. lra.
    - lra.
  Qed.
  Theorem noise_tail_normal_more_than alpha : 0 <= alpha ->
    tail any_number M (fun x o => Rabs (value o - x)) more_than alpha eq (2 * normal_tail (alpha / deviation)).
  Proof.
    intros A x _. destruct (weights_are_normal 0) as [D _].
    destruct (tells_errors value half_lines x alpha) as [_ T]. split; [exact T |].
    destruct (error_is_noise line value log_weight M noise x (more_than alpha) T) as [_ ->].
    rewrite (both_sides_more_than line value log_weight log_weight M noise half_lines line_mirrored
      normal_tail_is_bounded alpha A).
    assert (scale : forall f g, integrable line (fun z => f z * exp (log_weight z)) ->
      (forall u, f (deviation * u) = g u) ->
      integrable line (fun u => g u * exp (- u ^ 2 / 2)) /\
      line (fun z => f z * exp (log_weight z)) = deviation * line (fun u => g u * exp (- u ^ 2 / 2))).
    { intros f g F same. pose proof (line_scaled _ _ deviation D (line_has _ F)) as S.
      destruct (line_is _ _ S) as [S1 S2].
      assert (back : integrable line (fun u => g u * exp (- u ^ 2 / 2))).
      { apply (integrable_same line (fun u => / deviation * (deviation *
        (f (deviation * u) * exp (log_weight (deviation * u)))))).
        - intro u. rewrite same. destruct (weights_are_normal u) as [_ ->]. field. lra.
        - apply integrable_multiple, S1. }
      split; [exact back |]. rewrite <- S2, <- integral_multiple by exact back. apply integral_same; [exact S1 |].
      intro u. rewrite same. destruct (weights_are_normal u) as [_ ->]. reflexivity. }
    assert (up : forall u, more_than alpha (deviation * u) = more_than (alpha / deviation) u).
    { intro u. assert (alpha < deviation * u <-> alpha / deviation < u) as same.
      { split; intro H.
        - apply (Rmult_lt_reg_l deviation); [exact D |]. replace (deviation * (alpha / deviation)) with alpha by
          (field; lra). exact H.
        - apply (Rmult_lt_compat_l deviation) in H; [| exact D].
          replace (deviation * (alpha / deviation)) with alpha in H by (field; lra). exact H. }
      unfold more_than. destruct (Rlt_dec _ _), (Rlt_dec _ _); tauto. }
    destruct (scale (more_than alpha) (more_than (alpha / deviation))
      (proj2 (above_weighed line value log_weight M noise half_lines alpha)) up)
      as [_ one].
    destruct (weigh_all line value log_weight M noise) as [W1 W2].
    destruct (scale (fun _ => 1) (fun _ => 1) W1 (fun _ => eq_refl)) as [W3 W4].
    pose proof (full_positive line value log_weight M noise) as P. rewrite <- W2 in P |- *. unfold weigh in *.
      rewrite one.
    unfold normal_tail. rewrite W4 in P |- *.
    rewrite (integral_same line (fun u => 1 * exp (- u ^ 2 / 2)) (fun u => exp (- u ^ 2 / 2)) W3) in P |- * by
      (intro; ring).
    field. split; [| lra]. intro zero. rewrite zero in P. lra.
  Qed.
  Theorem noise_tail_normal alpha : 0 <= alpha ->
    tail any_number M (fun x o => Rabs (value o - x)) at_least alpha eq (2 * normal_tail (alpha / deviation)).
  Proof.
    intros A x D. split; [apply tells_errors, half_lines |].
    rewrite <- (reaches_or_exceeds value log_weight M noise half_lines x alpha A).
      apply (noise_tail_normal_more_than alpha A x D).
  Qed.
End normal.

(* noise_tail, on a grid *)
Section on_a_grid.
  Context {O : space} (granularity : R) (value : O -> R) (log_weight log_tail : R -> R) (M : mechanism R O).
  Hypothesis granularity_positive : 0 < granularity.
  Hypothesis noise : adds_noise (grid granularity) value log_weight M.
  Hypothesis half_lines : tells_half_lines value.
  Let I := grid granularity.
  Let mirror : mirrored I := grid_mirrored granularity.

  Lemma least_above alpha : exists z, multiple z granularity /\ alpha <= z /\
    forall h, multiple h granularity -> (alpha <= h + z <-> 0 <= h).
  Proof.
    destruct (archimed (- (alpha / granularity))) as [A B]. set (k := up (- (alpha / granularity))) in *.
    assert (C : forall c : R, c * granularity - alpha = (c - alpha / granularity) * granularity) by (intro; field; lra).
    assert (order : alpha <= IZR (- k + 1) * granularity).
    { assert (0 <= (IZR (- k + 1) - alpha / granularity) * granularity); [| specialize (C (IZR (- k + 1))); lra].
      apply Rmult_le_pos; [rewrite plus_IZR, opp_IZR |]; lra. }
    exists (IZR (- k + 1) * granularity). split; [exists (- k + 1)%Z; reflexivity |]. split; [exact order |].
    intros h [j ->]. split; intro H; [| lra].
    rewrite <- Rmult_plus_distr_r in H. specialize (C (IZR j + IZR (- k + 1))).
    assert (above : 0 <= IZR j + IZR (- k + 1) - alpha / granularity).
    { apply (Rmult_le_reg_r granularity); lra. }
    apply Rmult_le_pos; [| lra]. rewrite plus_IZR, opp_IZR in above. apply IZR_le.
    assert (IZR (-1) < IZR j) by lra. apply lt_IZR in H0. lia.
  Qed.
  Theorem noise_tail_on_a_grid alpha : 0 <= alpha -> tail_is_bounded log_weight log_tail ->
    tail any_number M (fun x o => Rabs (value o - x)) at_least alpha Rle (2 * exp (log_tail alpha)).
  Proof.
    intros A bounded_tail x _. destruct (tells_errors value half_lines x alpha) as [T _]. split; [exact T |].
    destruct (Req_dec alpha 0) as [-> | not_zero].
    - apply Rle_trans with 1; [apply E_test, event_test; split; [exact T | intro o; apply at_least_is] |].
      pose proof (exp_at_least_1 _ (tail_at_zero log_weight log_tail bounded_tail)). lra.
    - destruct (error_is_noise I value log_weight M noise x (at_least alpha) T) as [_ ->].
      rewrite (both_sides_at_least I value log_weight log_tail M noise half_lines mirror bounded_tail alpha) by lra.
      pose proof (full_positive I value log_weight M noise) as P.
      enough (weigh I log_weight (at_least alpha) <= exp (log_tail alpha) * full I log_weight).
      { apply (Rmult_le_reg_r (full I log_weight)); [exact P |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r; lra. }
      apply Rle_trans with (exp (log_tail alpha) * weigh I log_weight (at_least 0)).
      + destruct (least_above alpha) as (z & Z & above & from_z).
        destruct (above_weighed I value log_weight M noise half_lines alpha) as [W _].
        destruct (above_weighed I value log_weight M noise half_lines 0) as [W0 _].
        destruct (weigh_moved I log_weight z (grid_moves granularity z Z) (at_least alpha) W) as [V ->].
        assert (same : forall h, multiple h granularity -> at_least alpha (h + z) * exp (log_weight (h + z)) =
          at_least 0 h * exp (log_weight (h + z))).
        { intros h H. f_equal. specialize (from_z h H). unfold at_least. destruct (Rle_dec _ _), (Rle_dec _ _); tauto. }
        destruct (grid_reads_the_grid granularity _ _ same V) as [U sum]. unfold I. rewrite sum. unfold weigh.
        rewrite <- integral_multiple by exact W0. apply integral_monotone; [exact U | apply integrable_multiple, W0 |].
        intro h. unfold at_least. destruct (Rle_dec 0 h) as [H |]; [| lra]. rewrite !Rmult_1_l, <- exp_plus.
          apply exp_le.
        destruct (bounded_tail alpha (z - alpha + h) A ltac:(lra)) as [B1 _].
        destruct (bounded_tail (z - alpha) h ltac:(lra) H) as (B2 & B3 & _).
        replace (alpha + (z - alpha + h)) with (h + z) in B1 by ring. lra.
      + apply Rmult_le_compat_l; [left; apply exp_pos |].
        destruct (weigh_all I value log_weight M noise) as [W1 <-].
        apply weigh_le; [apply (above_weighed I value log_weight M noise half_lines 0) | exact W1 |].
        intro z. destruct (at_least_is 0 z) as [-> | ->]; lra.
  Qed.
  Theorem noise_tail_on_a_grid_more_than alpha : 0 <= alpha -> multiple alpha granularity ->
      tail_is_bounded log_weight log_tail ->
    tail any_number M (fun x o => Rabs (value o - x)) more_than alpha Rle (exp (log_tail alpha)).
  Proof.
    intros A point bounded_tail.
    apply (noise_more_than I value log_weight log_tail M noise half_lines mirror bounded_tail alpha A
      (grid_moves granularity alpha point)).
  Qed.
  (* More than a grid point: the next one at least. *)
  Lemma next_point alpha : multiple alpha granularity ->
    weigh I log_weight (more_than alpha) = weigh I log_weight (at_least (alpha + granularity)).
  Proof.
    intros [k ->]. apply grid_reads_the_grid; [| apply (above_weighed I value log_weight M noise half_lines)].
    intros z [j ->]. f_equal. unfold more_than, at_least.
    assert (IZR k * granularity < IZR j * granularity <-> IZR k * granularity + granularity <= IZR j * granularity) as
      same.
    { split; intro H; [| lra]. apply Rmult_lt_reg_r in H; [| exact granularity_positive]. apply lt_IZR in H.
      replace (IZR k * granularity + granularity) with (IZR (k + 1) * granularity) by (rewrite plus_IZR; ring).
      apply Rmult_le_compat_r; [lra | apply IZR_le; lia]. }
    destruct (Rlt_dec _ _), (Rle_dec _ _); tauto.
  Qed.
  Lemma multiple_of_itself : multiple granularity granularity. Proof. exists 1%Z. ring. Qed.
  Lemma next_multiple alpha : multiple alpha granularity -> multiple (alpha + granularity) granularity.
  Proof. intros [k ->]. exists (k + 1)%Z. rewrite plus_IZR. ring. Qed.
  Lemma on_the_grid alpha : 0 <= alpha -> multiple alpha granularity -> tail_is_exact log_weight log_tail ->
    2 * weigh I log_weight (at_least alpha) / full I log_weight =
      2 * exp (log_tail alpha) / (1 + exp (log_tail granularity)).
  Proof.
    intros A point exactly. pose proof (exact_is_bounded _ _ exactly) as bounded_tail.
    rewrite (just_from_zero_on I value log_weight log_tail M noise half_lines alpha A
      (grid_moves granularity alpha point) exactly).
    destruct (zero_weighed I value log_weight log_tail M noise half_lines mirror bounded_tail) as (_ & _ & Z1 & Z2).
    assert (zero : multiple 0 granularity) by (exists 0%Z; ring).
    pose proof (next_point 0 zero) as next. rewrite Rplus_0_l in next.
    rewrite (just_from_zero_on I value log_weight log_tail M noise half_lines granularity ltac:(lra)
      (grid_moves granularity granularity multiple_of_itself) exactly) in next.
    set (all := weigh I log_weight (at_least 0)) in *. set (r := exp (log_tail granularity)) in *.
    assert (0 < r) by apply exp_pos. pose proof (full_positive I value log_weight M noise) as P.
    assert (same : full I log_weight = all * (1 + r)) by lra. rewrite same in P |- *.
    field. split; [lra |]. intro nothing. rewrite nothing in P. lra.
  Qed.
  (* noise_tail, exactly, on a grid *)
  Theorem noise_tail_on_a_grid_exactly alpha : 0 < alpha -> multiple alpha granularity ->
      tail_is_exact log_weight log_tail ->
    tail any_number M (fun x o => Rabs (value o - x)) at_least alpha eq
      (2 * exp (log_tail alpha) / (1 + exp (log_tail granularity))).
  Proof.
    intros A point exactly x _. pose proof (exact_is_bounded _ _ exactly) as bounded_tail.
    destruct (tells_errors value half_lines x alpha) as [T _]. split; [exact T |].
    destruct (error_is_noise I value log_weight M noise x (at_least alpha) T) as [_ ->].
    rewrite (both_sides_at_least I value log_weight log_tail M noise half_lines mirror bounded_tail alpha A).
    apply on_the_grid; auto. lra.
  Qed.
  Theorem noise_tail_on_a_grid_exactly_more_than alpha : 0 <= alpha -> multiple alpha granularity ->
      tail_is_exact log_weight log_tail ->
    tail any_number M (fun x o => Rabs (value o - x)) more_than alpha eq
      (2 * exp (log_tail (alpha + granularity)) / (1 + exp (log_tail granularity))).
  Proof.
    intros A point exactly x _. pose proof (exact_is_bounded _ _ exactly) as bounded_tail.
    destruct (tells_errors value half_lines x alpha) as [_ T]. split; [exact T |].
    destruct (error_is_noise I value log_weight M noise x (more_than alpha) T) as [_ ->].
    rewrite (both_sides_more_than I value log_weight log_tail M noise half_lines mirror bounded_tail alpha A),
      (next_point alpha point).
    apply on_the_grid; auto; [lra | apply next_multiple, point].
  Qed.
End on_a_grid.

(* noise_tail and selection_tail, inverted: the radius at which the probability is beta. *)
Theorem tail_inverted {X} {O : space} (domain : X -> Prop) (M : mechanism X O) error event bound factor
    (log_tail radius : R -> R) beta :
  1 <= factor -> 0 < beta -> beta <= 1 ->
  (forall level, 0 <= level -> 0 <= radius level /\ log_tail (radius level) = - level) ->
  (forall alpha, 0 <= alpha -> tail domain M error event alpha bound (factor * exp (log_tail alpha))) ->
  tail domain M error event (radius (ln (factor / beta))) bound beta.
Proof.
  intros F B B1 radius_has_the_level H.
  assert (ratio_above : 1 <= factor / beta).
  { apply (Rmult_le_reg_r beta); [exact B |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (level : 0 <= ln (factor / beta)) by (rewrite <- ln_1; apply ln_le; lra).
  destruct (radius_has_the_level _ level) as [R1 R2]. specialize (H _ R1). rewrite R2, exp_Ropp, exp_ln in H by lra.
  replace (factor * / (factor / beta)) with beta in H by (field; lra). exact H.
Qed.
Theorem noise_tail_inverted {O : space} (value : O -> R) log_weight log_tail radius (M : mechanism R O) beta :
  adds_noise line value log_weight M -> tells_half_lines value -> tail_is_bounded log_weight log_tail ->
  (forall level, 0 <= level -> 0 <= radius level /\ log_tail (radius level) = - level) -> 0 < beta -> beta <= 1 ->
  tail any_number M (fun x o => Rabs (value o - x)) at_least (radius (ln (1 / beta))) Rle beta.
Proof.
  intros noise half bounded_tail level B B1. apply (tail_inverted _ _ _ _ Rle 1 log_tail radius); auto; [lra |].
  intros alpha A. rewrite Rmult_1_l. apply (noise_tail value log_weight log_tail M noise half alpha A bounded_tail).
Qed.
Theorem noise_tail_on_a_grid_inverted {O : space} granularity (value : O -> R) log_weight log_tail radius
    (M : mechanism R O) beta :
  0 < granularity -> adds_noise (grid granularity) value log_weight M -> tells_half_lines value ->
  tail_is_bounded log_weight log_tail ->
  (forall level, 0 <= level -> 0 <= radius level /\ log_tail (radius level) = - level) -> 0 < beta -> beta <= 1 ->
  tail any_number M (fun x o => Rabs (value o - x)) at_least (radius (ln (2 / beta))) Rle beta.
Proof.
  intros G noise half bounded_tail level B B1. apply (tail_inverted _ _ _ _ Rle 2 log_tail radius); auto; [lra |].
  intros alpha A. apply (noise_tail_on_a_grid granularity value log_weight log_tail M G noise half alpha A
    bounded_tail).
Qed.

(* Discrete Laplace noise of scale 6 on the whole numbers: an error of 12 or more has a probability of
   2 e^-2 / (1 + e^(-1/6)), whatever the number is. *)
Example discrete_laplace_tail (S : Grid.summable (Noise.grid_weight (fun z => - Rabs z / 6) 1)) :
  tail any_number (Noise.add_noise _ 1 S) (fun x o => Rabs (o - x)) at_least 12 eq
    (2 * exp (-12 / 6) / (1 + exp (-1 / 6))).
Proof.
  refine (noise_tail_on_a_grid_exactly (O := plain R) 1 (fun y => y) _ (fun alpha => - alpha / 6) _ Rlt_0_1
    (noise_on_a_grid _ 1 S) (plain_tells_half_lines _) 12 ltac:(lra) _ _).
  - exists 12%Z. ring.
  - intros alpha h A H. rewrite Rabs_Ropp, !Rabs_pos_eq; lra.
Qed.
(* Laplace noise of scale 2 on the line: an error of alpha or more has the probability e^(-alpha / 2). *)
Example laplace_tail_just (two : 0 < 2) alpha : 0 <= alpha ->
  tail any_number (Line.laplace 2 two) (fun x o => Rabs (o - x)) at_least alpha eq (exp (- alpha / 2)).
Proof.
  intro A. refine (noise_tail_exactly (O := Line.line) (fun y => y) (fun z => - Rabs z / 2) (fun alpha => - alpha / 2) _
    (noise_on_the_line _ _ _ (Line.laplace_continuous 2) (Line.laplace_tail 2 two)) line_tells_half_lines alpha A _).
  intros a h A0 H. rewrite Rabs_Ropp, !Rabs_pos_eq; lra.
Qed.

(* ---- Selections, and finite laws ---- *)

Definition is_candidate (scores : list R) (i : nat) := In i (candidates scores).
(* The best score, less that of the candidate. *)
Definition shortfall (scores : list R) (i : nat) : R := Selection.best scores - score_at scores i.
Lemma best_is_one scores : scores <> nil -> exists i, is_candidate scores i /\ score_at scores i =
    Selection.best scores.
Proof.
  intro some. destruct (In_nth _ _ 0 (Selection.best_is_one scores some)) as (i & I & H).
  exists i. split; [apply in_seq; lia | exact H].
Qed.

(* What a law on candidates gives to those that are alpha or more below the best. *)
Lemma shortfall_bound scores (mass : nat -> R) alpha c :
  is_law (candidates scores) mass -> 0 <= c ->
  (forall i, is_candidate scores i -> alpha <= shortfall scores i -> mass i <= c) ->
  E (listed 0%nat (candidates scores) mass) (fun i => at_least alpha (shortfall scores i)) <= INR (length scores) * c.
Proof.
  intros L C rare. rewrite E_listed by exact L.
  apply Rle_trans with (Finite.total (fun _ => c * 1) (candidates scores)).
  - apply total_monotone. intros i inside. specialize (rare i inside). unfold at_least.
    destruct (Rle_dec alpha (shortfall scores i)) as [far |]; [specialize (rare far) |]; lra.
  - rewrite total_multiple. unfold candidates. rewrite Rmult_comm. apply Rmult_le_compat_r; [exact C |].
    clear. generalize 0%nat. induction (length scores) as [| n IH]; intro m; [simpl; lra |].
    rewrite S_INR. simpl. specialize (IH (S m)). lra.
Qed.

(* selection_tail, weighted: a candidate alpha or more below the best is chosen with probability at most
   candidates e^log_tail(alpha). *)
Theorem selection_tail (log_weight log_tail : R -> R) (count : nat) alpha :
  (forall u v, u + alpha <= v -> log_weight u - log_weight v <= log_tail alpha) -> 0 <= alpha -> (1 <= count)%nat ->
  tail (O := plain nat) (fun scores => length scores = count) (selected log_weight) shortfall at_least alpha Rle
    (INR count * exp (log_tail alpha)).
Proof.
  intros shortfall_is_bounded A some scores <-.
  assert (not_empty : scores <> nil) by (intros ->; simpl in some; lia).
  split; [apply (plain_event (fun i => at_least alpha (shortfall scores i))); intro; apply at_least_is |].
  apply shortfall_bound; [apply selected_masses, not_empty | left; apply exp_pos |]. intros i inside far.
  destruct (best_is_one scores not_empty) as (top & T & same).
  assert (positive : forall j, 0 < weight log_weight scores j) by (intro; apply exp_pos).
  assert (at_top : weight log_weight scores top <= Finite.total (weight log_weight scores) (candidates scores)).
  { clear - T positive. unfold is_candidate in T. induction (candidates scores) as [| j rest IH]; [contradiction |].
    simpl.
    destruct T as [-> | T].
    - pose proof (total_nonnegative (weight log_weight scores) rest ltac:(intros v _; left; apply positive)). lra.
    - specialize (IH T). specialize (positive j). lra. }
  specialize (positive top) as P. apply (Rmult_le_reg_r (Finite.total (weight log_weight scores)
    (candidates scores))); [lra |].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (exp (log_tail alpha) * weight log_weight scores top).
  - unfold weight. rewrite <- exp_plus. apply exp_le. unfold shortfall in far. rewrite <- same in far.
    specialize (shortfall_is_bounded (score_at scores i) (score_at scores top) ltac:(lra)). lra.
  - apply Rmult_le_compat_l; [left; apply exp_pos | exact at_top].
Qed.

(* selection_tail, flips: the law is that of Selection.v, candidate i with q_i times the integral over x from 0 to 1
   of the
   product of 1 - x q_j over the others, where q_j = exp(log_flip(best - score j)). *)
Lemma rests_at_most_1 qs x : 0 <= x <= 1 -> (forall q, In q qs -> 0 < q <= 1) -> Selection.rests qs x <= 1.
Proof.
  intros X Q. induction qs as [| q rest IH]; simpl; [lra |].
  specialize (IH ltac:(intros; apply Q; right; assumption)). pose proof (Q q (or_introl eq_refl)).
  pose proof (Selection.rests_nonnegative rest x X ltac:(intros p P; specialize (Q p (or_intror P)); lra)).
  assert (0 <= x * q <= 1 * 1) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra]). nra.
Qed.
Lemma flips_rarely qs i : (forall q, In q qs -> 0 < q <= 1) -> (i < length qs)%nat ->
  Selection.flip_mass qs i <= nth i qs 0.
Proof.
  intros Q I. unfold Selection.flip_mass. rewrite <- (Rmult_1_r (nth i qs 0)) at 2.
  pose proof (Q _ (nth_In qs 0 I)). apply Rmult_le_compat_l; [lra |].
  apply Rle_trans with (RInt (fun _ => 1) 0 1).
  - apply RInt_le; [lra | | apply ex_RInt_const |].
    + apply Selection.integrable_where_continuous, Selection.rests_continuous.
    + intros x X. apply rests_at_most_1; [lra |]. intros q member. apply Q. apply in_app_or in member.
      destruct member as [member | member].
      * rewrite <- (firstn_skipn i qs). apply in_or_app. left. exact member.
      * rewrite <- (firstn_skipn (S i) qs). apply in_or_app. right. exact member.
  - rewrite RInt_const. change ((1 - 0) * 1 <= 1). lra.
Qed.
Theorem selection_tail_flips (log_flip log_tail : R -> R)
    (flip_is_a_probability : forall gap, 0 <= gap -> log_flip gap <= 0 /\ log_flip 0 = 0) (count : nat) alpha :
  (forall gap, alpha <= gap -> log_flip gap <= log_tail alpha) -> 0 <= alpha -> (1 <= count)%nat ->
  tail (O := plain nat) (fun scores => length scores = count)
    (Selection.permute_and_flip log_flip flip_is_a_probability)
    shortfall at_least alpha Rle (INR count * exp (log_tail alpha)).
Proof.
  intros gap_is_bounded A some scores <-. assert (not_empty : scores <> nil) by (intros ->; simpl in some; lia).
  assert (seen : event (O := plain nat) (fun i => at_least alpha (shortfall scores i)))
    by (apply (plain_event (fun i => at_least alpha (shortfall scores i))); intro; apply at_least_is).
  split; [apply seen |]. rewrite (Selection.permute_and_flip_masses log_flip flip_is_a_probability scores not_empty)
    by apply seen.
  assert (sum_is : forall n c, Selection.over n (fun _ => c) = INR n * c).
  { intros n c. induction n as [| n IH]; [simpl; ring |]. rewrite S_INR. simpl. rewrite IH. ring. }
  rewrite <- sum_is. apply Selection.over_monotone. intros i I.
  assert (long : length (Selection.flips log_flip scores) = length scores) by apply map_length.
  pose proof (Selection.flips_between log_flip flip_is_a_probability scores) as Q.
  pose proof (flips_rarely (Selection.flips log_flip scores) i Q ltac:(lia)) as rarely.
  pose proof (Selection.flip_mass_nonnegative (Selection.flips log_flip scores)
    ltac:(intros q member; specialize (Q q member); lra) i ltac:(lia)) as positive.
  pose proof (exp_pos (log_tail alpha)). unfold at_least.
  destruct (Rle_dec alpha (shortfall scores i)) as [far |]; [| lra]. rewrite Rmult_1_r.
  apply Rle_trans with (1 := rarely). unfold Selection.flips.
  rewrite (nth_indep _ 0 (exp (log_flip (Selection.best scores - 0)))) by (rewrite map_length; exact I).
  rewrite (map_nth (fun q => exp (log_flip (Selection.best scores - q)))). apply exp_le, gap_is_bounded, far.
Qed.
(* The exponential mechanism: of 10 candidates one that is 8 below the best has a probability of at most 10 e^-4. *)
Example exponential_mechanism_tail : tail (O := plain nat) (fun scores => length scores = 10%nat)
  (selected (fun score => 1 * score / (2 * 1))) shortfall at_least 8 Rle (INR 10 * exp (- 8 / 2)).
Proof. apply (selection_tail _ (fun alpha => - alpha / 2) 10 8); [intros; lra | lra | lia]. Qed.

(* mistake_tail: the output is not the input with probability 1 - hit. *)
Definition mistake (x y : Z) : R := if Z.eq_dec y x then 0 else 1.
Theorem mistake_tail (size : Z) (pmf cumulative : Z -> Z -> R) (hit : R) :
  let inside i := (0 <= i <= size - 1)%Z in
  (forall output input, inside input -> inside output -> 0 <= pmf output input) ->
  (forall output input, inside input -> inside output ->
    cumulative output input - cumulative (output - 1)%Z input = pmf output input) ->
  (forall input, inside input -> cumulative (-1)%Z input = 0 /\ cumulative (size - 1)%Z input = 1) ->
  (forall input, inside input -> pmf input input = hit) ->
  tail (O := plain Z) inside (fun input => listed 0%Z (whole size) (fun output => pmf output input)) mistake at_least
    1 eq (1 - hit).
Proof.
  intros inside masses_are_not_negative cumulative_grows_by_the_mass cumulative_runs_from_0_to_1
    truth_has_its_probability x X.
  pose proof (finite_law_masses size pmf cumulative masses_are_not_negative cumulative_grows_by_the_mass
    cumulative_runs_from_0_to_1 x X) as L.
  split; [apply (plain_event (fun y => at_least 1 (mistake x y))); intro; apply at_least_is |].
  rewrite E_listed by exact L. cbv beta. destruct L as [_ one].
  replace (1 - hit) with (Finite.total (fun y => pmf y x) (whole size) - pmf x x)
    by (rewrite (truth_has_its_probability x X); lra). clear one.
  assert (there : In x (whole size)) by (apply in_whole, X).
  assert (once : NoDup (whole size)) by (apply Injective_map_NoDup; [intros u v; lia | apply seq_NoDup]).
  revert there once. induction (whole size) as [| y rest IH]; [intros [] |]. intros there once. simpl.
  apply NoDup_cons_iff in once. destruct once as [new once].
  assert (wrong : forall y, y <> x -> at_least 1 (mistake x y) = 1).
  { intros v D. unfold mistake, at_least. destruct (Z.eq_dec v x); [contradiction |]. destruct (Rle_dec 1 1); lra. }
  destruct (Z.eq_dec y x) as [-> | D].
  - rewrite (total_same (fun y => pmf y x * at_least 1 (mistake x y)) (fun y => pmf y x)).
    + unfold mistake, at_least. destruct (Z.eq_dec x x); [| contradiction]. destruct (Rle_dec 1 0); lra.
    + intros v V. rewrite wrong; [ring | intros ->; contradiction].
  - destruct there as [-> | there]; [contradiction |]. rewrite (IH there once), wrong by exact D. ring.
Qed.

(* ---- Many draws ---- *)

(* The greatest of the first n numbers, n >= 1. *)
Fixpoint greatest (n : nat) (f : nat -> R) : R :=
  match n with 0%nat => f 0%nat | S m => if Nat.eqb m 0 then f 0%nat else Rmax (greatest m f) (f m) end.
Definition event_of_sizes (event : R -> R -> R) := event = at_least \/ event = more_than.
Lemma event_is event a s : event_of_sizes event -> event a s = 0 \/ event a s = 1.
Proof. intros [-> | ->]; [apply at_least_is | apply more_than_is]. Qed.
Lemma event_of_greater event a s t : event_of_sizes event -> event a (Rmax s t) = 1 - (1 - event a s) * (1 - event a t).
Proof.
  intros [-> | ->]; unfold Rmax, at_least, more_than; destruct (Rle_dec s t); compare.
Qed.
Lemma event_of_greatest event a n f : event_of_sizes event -> (1 <= n)%nat ->
  event a (greatest n f) = 1 - product_below n (fun i => 1 - event a (f i)).
Proof.
  intros K N. induction n as [| [| n] IH]; [lia | simpl; ring |].
  change (greatest (S (S n)) f) with (Rmax (greatest (S n) f) (f (S n))).
  rewrite event_of_greater, IH by (exact K || lia). simpl. ring.
Qed.
Lemma union_bound n (p : nat -> R) : (forall i, (i < n)%nat -> 0 <= p i <= 1) ->
  0 <= product_below n (fun i => 1 - p i) <= 1 /\ 1 - product_below n (fun i => 1 - p i) <= sum_below n p.
Proof.
  induction n; intro P; simpl; [lra |]. destruct (IHn ltac:(auto)) as [A B]. specialize (P n ltac:(lia)).
  set (c := product_below n (fun i => 1 - p i)) in *. split; nra.
Qed.

Definition each_in {X : Type} (domain : X -> Prop) (n : nat) (x : nat -> X) := forall i, (i < n)%nat -> domain (x i).
Section many.
  Context {X : Type} {J O : space} (domain : X -> Prop) (M : mechanism X O) (error : X -> O -> R) (event : R -> R -> R).
  Variables (n : nat) (many : mechanism (nat -> X) J) (draw : nat -> J -> O) (threshold beta : R).
  Hypothesis kind : event_of_sizes event.
  (* coordinatewise(M, n): n independent draws, each from its own input, and the greatest of their errors. *)
  Hypothesis independent : forall x, independent_draws n (many x) draw (fun i => M (x i)).
  Hypothesis some : (1 <= n)%nat.
  Definition greatest_error (x : nat -> X) (j : J) := greatest n (fun i => error (x i) (draw i j)).

  Lemma error_of_many bound (x : nat -> X) : tail domain M error event threshold bound beta -> each_in domain n x ->
    observable (fun j => event threshold (greatest_error x j)) /\
    E (many x) (fun j => event threshold (greatest_error x j)) =
    1 - product_below n (fun i => 1 - E (M (x i)) (fun o => event threshold (error (x i) o))).
  Proof.
    intros H D.
    assert (one : forall i, (i < n)%nat -> observable (fun o => 1 - event threshold (error (x i) o))).
    { intros i I. apply observable_difference; [apply observable_constant | apply (H (x i) (D i I))]. }
    assert (all : observable (fun j => product_below n (fun i => 1 - event threshold (error (x i) (draw i j))))).
    { apply (observable_product_below n (fun i j => 1 - event threshold (error (x i) (draw i j)))). intros i I.
      apply (draw_observable _ _ _ _ (independent x) i _ I (one i I)). }
    assert (same : forall j, 1 - product_below n (fun i => 1 - event threshold (error (x i) (draw i j))) =
      event threshold (greatest_error x j)) by (intro; symmetry; apply event_of_greatest; assumption).
    assert (seen : observable (fun j => 1 - product_below n (fun i => 1 - event threshold (error (x i) (draw i j)))))
      by (apply observable_difference; [apply observable_constant | exact all]).
    split; [apply (observable_same J _ _ same seen) |].
    rewrite <- (E_same (many x) _ _ seen same), E_difference, E_constant; [| apply observable_constant | exact all].
      f_equal.
    rewrite (draws_multiply _ _ _ _ (independent x) (fun i o => 1 - event threshold (error (x i) o)) one).
    apply product_below_same. intros i I.
    rewrite E_difference, E_constant; [reflexivity | apply observable_constant | apply (H (x i) (D i I))].
  Qed.
  Lemma chance_between bound (x : nat -> X) i : tail domain M error event threshold bound beta -> domain (x i) ->
    0 <= E (M (x i)) (fun o => event threshold (error (x i) o)) <= 1.
  Proof.
    intros H D. apply E_test, event_test. split; [apply (H (x i) D) | intro; apply event_is, kind].
  Qed.

  (* tail_of_many: one of n draws at least has the error with probability at most n beta. *)
  Theorem tail_of_many : tail domain M error event threshold Rle beta ->
    tail (each_in domain n) many greatest_error event threshold Rle (INR n * beta).
  Proof.
    intros H x D. destruct (error_of_many Rle x H D) as [seen ->]. split; [exact seen |].
    eapply Rle_trans; [apply union_bound; intros i I; apply (chance_between Rle x i H (D i I)) |].
    rewrite <- sum_below_constant. apply sum_below_le. intros i I. apply (H (x i) (D i I)).
  Qed.
  Theorem tail_of_many_just : tail domain M error event threshold eq beta ->
    tail (each_in domain n) many greatest_error event threshold Rle (INR n * beta).
  Proof. intro H. apply tail_of_many. intros x D. destruct (H x D) as [A B]. split; [exact A | right; exact B]. Qed.
  (* exactly: 1 - (1 - beta)^n, where beta < 1 *)
  Lemma power_below_1 : beta < 1 -> (1 - beta) ^ n = exp (INR n * ln (1 - beta)).
  Proof. intro B. rewrite <- ln_pow, exp_ln; [reflexivity | apply pow_lt; lra | lra]. Qed.
  Theorem tail_of_many_exactly : beta < 1 -> tail domain M error event threshold eq beta ->
    tail (each_in domain n) many greatest_error event threshold eq (1 - exp (INR n * ln (1 - beta))).
  Proof.
    intros B H x D. destruct (error_of_many eq x H D) as [seen ->]. split; [exact seen |].
    rewrite <- (power_below_1 B), <- product_below_constant. f_equal. apply product_below_same.
    intros i I. destruct (H (x i) (D i I)) as [_ ->]. reflexivity.
  Qed.
  Theorem tail_of_many_exactly_at_most : beta < 1 -> tail domain M error event threshold Rle beta ->
    tail (each_in domain n) many greatest_error event threshold Rle (1 - exp (INR n * ln (1 - beta))).
  Proof.
    intros B H x D. destruct (error_of_many Rle x H D) as [seen ->]. split; [exact seen |].
    rewrite <- (power_below_1 B), <- product_below_constant. apply Rplus_le_compat_l, Ropp_le_contravar,
      product_below_le.
    intros i I. destruct (H (x i) (D i I)) as [_ C]. lra.
  Qed.
End many.

(* Of 100 numbers with discrete Laplace noise of scale 6 each, one has an error of 60 or more with a probability of at
   most
   200 e^-10 / (1 + e^(-1/6)). *)
Example many_discrete_laplace (S : Grid.summable (Noise.grid_weight (fun z => - Rabs z / 6) 1)) :
  let M := Noise.add_noise _ 1 S in
  tail (each_in any_number 100) (fun x => drawn 0 100 (fun i => M (x i)))
    (greatest_error (O := plain R) (J := plain (nat -> R)) (fun x o => Rabs (o - x)) 100 (fun i y => y i)) at_least 60
      Rle
    (INR 100 * (2 * exp (- 60 / 6) / (1 + exp (- (1) / 6)))).
Proof.
  intro M. apply (tail_of_many_just (J := plain (nat -> R)) (O := plain R) any_number M).
  - left. reflexivity.
  - intro x. apply drawn_independent.
  - lia.
  - refine (noise_tail_on_a_grid_exactly (O := plain R) 1 (fun y => y) _ (fun alpha => - alpha / 6) _ Rlt_0_1
      (noise_on_a_grid _ 1 S) (plain_tells_half_lines _) 60 ltac:(lra) _ _).
    + exists 60%Z. ring.
    + intros alpha h A H. rewrite Rabs_Ropp, !Rabs_pos_eq; lra.
Qed.

(* tail_restated: a threshold written in another way that is equal. *)
Theorem tail_restated {X} {O : space} (domain : X -> Prop) (M : mechanism X O) error event a b bound beta :
  a = b -> tail domain M error event a bound beta -> tail domain M error event b bound beta.
Proof. intros <-. auto. Qed.

(* ---- Refutations of accuracy ---- *)

(* Every error of the inner event is one of the outer. *)
Definition contained (inner outer : R -> R) := forall size, inner size <= outer size.

(* another_probability: an error that has just the probability p refutes that a likelier event has at most, or just, the
   probability q < p, and that a rarer one has just a probability q > p. *)
Theorem another_probability {X} {O : space} (domain : X -> Prop) (M : mechanism X O) error event event' a b bound p q
    x :
  domain x -> tail domain M error event a eq p -> bound = Rle \/ bound = eq -> contained (event a) (event' b) ->
    q < p ->
  ~ tail domain M error event' b bound q.
Proof.
  intros D H kind inside less false. destruct (H x D) as [A P]. destruct (false x D) as [B Q].
  assert (p <= E (M x) (fun o => event' b (error x o))).
  { rewrite <- P. apply E_monotone; [exact A | exact B | intro o; apply inside]. }
  destruct kind as [-> | ->]; lra.
Qed.
Theorem another_probability_below {X} {O : space} (domain : X -> Prop) (M : mechanism X O) error event event' a b p q
    x :
  domain x -> tail domain M error event a eq p -> contained (event' b) (event a) -> p < q ->
  ~ tail domain M error event' b eq q.
Proof.
  intros D H inside less false. destruct (H x D) as [A P]. destruct (false x D) as [B Q].
  assert (E (M x) (fun o => event' b (error x o)) <= p); [| lra].
  rewrite <- P. apply E_monotone; [exact B | exact A | intro o; apply inside].
Qed.

(* likelier_error: an input at which the masses of the outcomes with the error do not add up to what is claimed. *)
Theorem likelier_error {X T} (domain : X -> Prop) (M : mechanism X (plain T)) error event threshold bound beta x
    otherwise outcomes mass :
  domain x -> M x = listed otherwise outcomes mass -> is_law outcomes mass ->
  let p := Finite.total (fun o => mass o * event threshold (error x o)) outcomes in
  (bound = Rle /\ beta < p) \/ (bound = eq /\ beta <> p) -> ~ tail (O := plain T) domain M error event threshold bound
    beta.
Proof.
  intros D law L p breaks false. destruct (false x D) as [_ Q]. rewrite law, E_listed in Q by exact L. fold p in Q.
  destruct breaks as [[-> more] | [-> other]]; [lra | symmetry in Q; contradiction].
Qed.

(* Likelier noise, with respect to any sum or integral: S the weights inside the threshold, T those of some points
   beyond it, T / (S + T) > beta. *)
Theorem likelier_noise_anywhere {O : space} (I : integral R) (value : O -> R) log_weight (M : mechanism R O)
    (domain : R -> Prop)
    (event : R -> R -> R) threshold bound beta inside some_beyond x :
  adds_noise I value log_weight M -> event_of_sizes event -> bound = Rle \/ bound = eq -> domain x ->
  integrable I (fun z => (1 - event threshold (Rabs z)) * exp (log_weight z)) ->
  I (fun z => (1 - event threshold (Rabs z)) * exp (log_weight z)) = inside ->
  (integrable I (fun z => event threshold (Rabs z) * exp (log_weight z)) ->
   some_beyond <= I (fun z => event threshold (Rabs z) * exp (log_weight z))) ->
  0 < some_beyond -> beta * (inside + some_beyond) < some_beyond ->
  ~ tail domain M (fun x o => Rabs (value o - x)) event threshold bound beta.
Proof.
  intros noise kind bounds D inner S beyond positive more false. destruct (false x D) as [seen Q].
  destruct (error_is_noise I value log_weight M noise x (event threshold) seen) as [outer same]. rewrite same in Q.
  specialize (beyond outer). unfold weigh, weighed in *. set
    (T := I (fun z => event threshold (Rabs z) * exp (log_weight z))) in *.
  pose proof (full_positive I value log_weight M noise) as P.
  assert (whole : full I log_weight = inside + T).
  { unfold full, T. rewrite <- S, <- integral_sum by assumption. apply integral_same; [apply noise | intro; ring]. }
  assert (S0 : 0 <= inside).
  { rewrite <- S. apply integral_nonnegative; [exact inner |]. intro z. apply Rmult_le_pos; [| left; apply exp_pos].
    destruct (event_is event threshold (Rabs z) kind) as [-> | ->]; lra. }
  assert (at_most_beta : T / full I log_weight <= beta) by (destruct bounds as [-> | ->]; lra).
  rewrite whole in *. apply (Rmult_le_compat_r (inside + T)) in at_most_beta; [| lra].
  unfold Rdiv in at_most_beta. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in at_most_beta by lra.
  (* T / (S + T) grows with T *)
  assert (beta < 1) by nra. nra.
Qed.
(* Sums over finitely many points of a grid. *)
Lemma one_point m c : Grid.summable (fun k => if Z.eq_dec k m then c else 0) /\
  Grid.total (fun k => if Z.eq_dec k m then c else 0) = c.
Proof.
  assert (same : forall k, c * 0 ^ Z.abs_nat (k + - m) = if Z.eq_dec k m then c else 0).
  { intro k. destruct (Z.eq_dec k m) as [-> | D].
    - replace (Z.abs_nat (m + - m)) with 0%nat by lia. simpl. ring.
    - rewrite pow_i by lia. ring. }
  pose proof (Grid.summable_geometric 0 ltac:(lra)) as G.
  split; [apply (Grid.summable_same _ _ same), Grid.summable_multiple, (Grid.summable_moved (- m) _ G) |].
  rewrite <- (Grid.total_same _ _ same), Grid.total_multiple, (Grid.total_moved (- m) _ G), Grid.total_geometric by
    lra. field.
Qed.
Lemma some_points (points : list Z) a : NoDup points ->
  Grid.summable (fun k => if in_dec Z.eq_dec k points then a k else 0) /\
  Grid.total (fun k => if in_dec Z.eq_dec k points then a k else 0) = Finite.total a points.
Proof.
  induction points as [| m rest IH]; intro once.
  - destruct (one_point 0 0) as [A B].
    assert (same : forall k : Z, (if Z.eq_dec k 0 then 0 else 0) = (if in_dec Z.eq_dec k nil then a k else 0))
      by (intro k; destruct (Z.eq_dec k 0), (in_dec Z.eq_dec k nil) as [i | i]; try reflexivity; destruct i).
    split; [apply (Grid.summable_same _ _ same A) |].
    transitivity (Grid.total (fun k : Z => if Z.eq_dec k 0 then 0 else 0));
      [symmetry; apply Grid.total_same, same | exact B].
  - apply NoDup_cons_iff in once. destruct once as [new once]. destruct (IH once) as [A B].
    destruct (one_point m (a m)) as [C D].
    assert (same : forall k, (if Z.eq_dec k m then a m else 0) + (if in_dec Z.eq_dec k rest then a k else 0) =
      (if in_dec Z.eq_dec k (m :: rest) then a k else 0)).
    { intro k. destruct (Z.eq_dec k m) as [-> | E1], (in_dec Z.eq_dec _ rest) as [i | i],
      (in_dec Z.eq_dec _ (m :: rest)) as [j | j];
        simpl in j; try contradiction; try ring; exfalso; intuition congruence. }
    split; [apply (Grid.summable_same _ _ same), Grid.summable_sum; assumption |].
    rewrite <- (Grid.total_same _ _ same), Grid.total_sum, B, D by assumption. reflexivity.
Qed.
(* likelier_noise: if the weights of a few grid points beyond the threshold, over those and all the weights inside it,
   are more than beta, then beyond the threshold has not just, nor at most, the probability beta. *)
Theorem likelier_noise {O : space} granularity (value : O -> R) log_weight (M : mechanism R O) (domain : R -> Prop)
    (event : R -> R -> R) threshold bound beta (inside beyond : list Z) x :
  let weight k := exp (log_weight (IZR k * granularity)) in let happens k :=
    event threshold (Rabs (IZR k * granularity)) in
  adds_noise (grid granularity) value log_weight M -> event_of_sizes event -> bound = Rle \/ bound = eq -> domain x ->
  NoDup inside -> (forall k, In k inside <-> happens k = 0) ->
  NoDup beyond -> beyond <> nil -> (forall k, In k beyond -> happens k = 1) ->
  let S := Finite.total weight inside in let T := Finite.total weight beyond in
  beta * (S + T) < T -> ~ tail domain M (fun x o => Rabs (value o - x)) event threshold bound beta.
Proof.
  intros weight happens noise kind bounds D once all_inside once' some all_beyond S T more.
  destruct (some_points inside weight once) as [A B]. destruct (some_points beyond weight once') as [A' B'].
  assert (same : forall k, (if in_dec Z.eq_dec k inside then weight k else 0) =
    (1 - event threshold (Rabs (IZR k * granularity))) * exp (log_weight (IZR k * granularity))).
  { intro k. specialize (all_inside k). unfold happens, weight in *. destruct (in_dec Z.eq_dec k inside) as [i | i].
    - apply all_inside in i. rewrite i. ring.
    - destruct (event_is event threshold (Rabs (IZR k * granularity)) kind) as [zero | ->]; [| ring].
      apply all_inside in zero. contradiction. }
  apply (likelier_noise_anywhere (grid granularity) value log_weight M domain event threshold bound beta S T x noise
    kind bounds D).
  - apply (Grid.summable_same _ _ same A).
  - transitivity (Grid.total (fun k => if in_dec Z.eq_dec k inside then weight k else 0)); [| exact B].
    apply Grid.total_same. intro k. symmetry. apply same.
  - intro F. unfold T. rewrite <- B'. apply Grid.total_monotone; [exact A' | exact F |]. intro k.
    assert (0 < weight k) by apply exp_pos. fold (weight k). destruct (in_dec Z.eq_dec k beyond) as [i | i].
    + specialize (all_beyond k i). unfold happens in all_beyond. rewrite all_beyond. lra.
    + apply Rmult_le_pos; [destruct (event_is event threshold (Rabs (IZR k * granularity)) kind) as [-> | ->] |]; lra.
  - apply (Finite.total_positive weight beyond some). intro. apply exp_pos.
  - exact more.
Qed.

(* ---- Hoeffding's inequality ---- *)

Definition variance {O : space} (P : law O) (f : O -> R) : R := E P (fun o => (f o - E P f) ^ 2).

(* Two values, the second with probability p, one apart: ln E exp(x (Y - p)) <= x^2 / 8. *)
Section two_values.
  Variable p : R.
  Hypothesis P : 0 <= p <= 1.
  Let D x := 1 - p + p * exp x.
  Let q x := p * exp x / D x.
  Lemma D_positive x : 0 < D x.
  Proof.
    unfold D. pose proof (exp_pos x). destruct (Req_dec p 0) as [-> |]; [lra |].
    assert (0 < p * exp x) by (apply Rmult_lt_0_compat; lra). lra.
  Qed.
  Let h x := x / 4 + p - q x.
  Let g x := x ^ 2 / 8 + p * x - ln (D x).
  Lemma h_derivative x : is_derive h x (1 / 4 - q x * (1 - q x)).
  Proof.
    unfold h, q, D. pose proof (D_positive x) as N. unfold D in N.
    auto_derive; [lra | field; lra].
  Qed.
  Lemma g_derivative x : is_derive g x (h x).
  Proof.
    unfold g, h, q, D. pose proof (D_positive x) as N. unfold D in N.
    auto_derive; [exact N | field; lra].
  Qed.
  Lemma h_grows a b : a <= b -> h a <= h b.
  Proof.
    intro order. destruct (MVT_gen h a b (fun x => 1 / 4 - q x * (1 - q x))) as (c & _ & same).
    - intros x _. apply h_derivative.
    - intros x _. apply derivable_continuous_pt. exists (1 / 4 - q x * (1 - q x)). apply is_derive_Reals, h_derivative.
    - assert (0 <= (1 / 4 - q c * (1 - q c)) * (b - a)); [| lra].
      apply Rmult_le_pos; [| lra]. pose proof (pow2_ge_0 (q c - / 2)).
      replace (1 / 4 - q c * (1 - q c)) with ((q c - / 2) ^ 2) by field. assumption.
  Qed.
  Lemma h_0 : h 0 = 0.
  Proof. unfold h, q, D. rewrite exp_0. field. lra. Qed.
  Lemma g_nonnegative x : 0 <= g x.
  Proof.
    assert (g0 : g 0 = 0).
    { unfold g, D. rewrite exp_0. replace (1 - p + p * 1) with 1 by ring. rewrite ln_1. field. }
    destruct (MVT_gen g 0 x h) as (c & between & same).
    - intros y _. apply g_derivative.
    - intros y _. apply derivable_continuous_pt. exists (h y). apply is_derive_Reals, g_derivative.
    - rewrite g0, !Rminus_0_r in same. rewrite same. pose proof h_0 as H0.
      destruct (Rle_lt_dec 0 x) as [up | down].
      + rewrite Rmin_left, Rmax_right in between by exact up. apply Rmult_le_pos; [| exact up].
        rewrite <- H0. apply h_grows. lra.
      + rewrite Rmin_right, Rmax_left in between by lra. pose proof (h_grows c 0 ltac:(lra)). nra.
  Qed.
  Lemma two_values_spread x : (1 - p) * exp (- (p * x)) + p * exp ((1 - p) * x) <= exp (x ^ 2 / 8).
  Proof.
    pose proof (D_positive x) as N.
    replace ((1 - p) * exp (- (p * x)) + p * exp ((1 - p) * x)) with (exp (ln (D x) - p * x)).
    - apply exp_le. pose proof (g_nonnegative x) as G. unfold g in G. lra.
    - unfold Rminus at 1. rewrite exp_plus, exp_ln by exact N. unfold D.
      replace ((1 - p) * x) with (x + - (p * x)) by ring. rewrite exp_plus. ring.
  Qed.
End two_values.

Lemma exp_below_the_chord a b c : 0 <= c <= 1 -> exp ((1 - c) * a + c * b) <= (1 - c) * exp a + c * exp b.
Proof.
  intro C. set (m := (1 - c) * a + c * b). pose proof (exp_pos m).
  assert (tangent : forall t, exp m * (1 + (t - m)) <= exp t).
  { intro t. replace (exp t) with (exp m * exp (t - m)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [lra | apply exp_ineq1_le]. }
  pose proof (Rmult_le_compat_l (1 - c) _ _ ltac:(lra) (tangent a)).
  pose proof (Rmult_le_compat_l c _ _ ltac:(lra) (tangent b)).
  replace (exp m) with ((1 - c) * (exp m * (1 + (a - m))) + c * (exp m * (1 + (b - m)))) by (unfold m; ring). lra.
Qed.

Lemma observable_exp {O : space} (f : O -> R) : observable f -> observable (fun o => exp (f o)).
Proof. apply (observable_image O exp), derivable_continuous, derivable_exp. Qed.

(* Hoeffding's lemma: bounded observables have moments like normal ones. *)
Lemma hoeffding_lemma {O : space} (P : law O) (f : O -> R) low width s :
  observable f -> 0 < width -> (forall o, low <= f o <= low + width) ->
  E P (fun o => exp (s * (f o - E P f))) <= exp (s ^ 2 * width ^ 2 / 8).
Proof.
  intros F W between. set (m := E P f). pose proof (E_between P f _ _ F between) as M. fold m in M.
  set (p := (m - low) / width).
  assert (scale : forall y, (y - low) / width * width = y - low) by (intro; field; lra).
  assert (inside : forall y, low <= y <= low + width -> 0 <= (y - low) / width <= 1).
  { intros y Y. split; apply (Rmult_le_reg_r width); try exact W; rewrite scale; lra. }
  pose (chord o := (1 - (f o - low) / width) * exp (- (p * (s * width))) + (f o - low) / width * exp
    ((1 - p) * (s * width))).
  pose (slope := (exp ((1 - p) * (s * width)) - exp (- (p * (s * width)))) / width).
  assert (linear : forall o, chord o = slope * f o + (exp (- (p * (s * width))) - slope * low)).
  { intro o. unfold chord, slope. field. lra. }
  assert (C : observable chord).
  { apply (observable_same O (fun o => slope * f o + (exp (- (p * (s * width))) - slope * low)));
    [intro; symmetry; apply linear |].
    apply observable_shifted, observable_multiple, F. }
  apply Rle_trans with (E P chord).
  - apply E_monotone; [| exact C |].
    + apply observable_exp, observable_multiple, observable_difference; [exact F | apply observable_constant].
    + intro o. unfold chord.
      replace (s * (f o - m)) with ((1 - (f o - low) / width) * - (p * (s * width)) + (f o - low) / width *
        ((1 - p) * (s * width)))
        by (unfold p; field; lra).
      apply exp_below_the_chord, inside, between.
  - rewrite (E_same P chord _ C linear), E_shifted, E_multiple by (try apply observable_multiple; exact F).
    fold m. replace (slope * m + (exp (- (p * (s * width))) - slope * low))
      with ((1 - p) * exp (- (p * (s * width))) + p * exp ((1 - p) * (s * width))) by (unfold slope, p; field; lra).
    replace (s ^ 2 * width ^ 2 / 8) with ((s * width) ^ 2 / 8) by field.
    apply two_values_spread, inside, M.
Qed.

Section hoeffding.
  Context {J O : space} (n : nat) (P : law J) (draw : nat -> J -> O) (laws : nat -> law O) (f : nat -> O -> R)
      (low : nat -> R) (width : R).
  Hypothesis independent : independent_draws n P draw laws.
  Hypothesis some : (1 <= n)%nat.
  Hypothesis width_positive : 0 < width.
  Hypothesis told : forall i, (i < n)%nat -> observable (f i).
  Hypothesis between : forall i, (i < n)%nat -> forall o, low i <= f i o <= low i + width.
  Definition deviation_of_sum (j : J) := sum_below n (fun i => f i (draw i j) - E (laws i) (f i)).

  Lemma deviation_observable : observable deviation_of_sum.
  Proof.
    apply (observable_sum_below n (fun i j => f i (draw i j) - E (laws i) (f i))). intros i I.
    apply observable_difference; [apply (draw_observable _ _ _ _ independent i (f i) I), told, I |
      apply observable_constant].
  Qed.
  Lemma exponential_moment s : E P (fun j => exp (s * deviation_of_sum j)) <= exp (INR n * (s ^ 2 * width ^ 2 / 8)).
  Proof.
    assert (F : forall i, (i < n)%nat -> observable (fun o => exp (s * (f i o - E (laws i) (f i))))).
    { intros i I. apply observable_exp, observable_multiple, observable_difference;
      [apply told, I | apply observable_constant]. }
    rewrite (E_same P _ (fun j => product_below n (fun i => exp (s * (f i (draw i j) - E (laws i) (f i)))))).
    - rewrite (draws_multiply _ _ _ _ independent (fun i o => exp (s * (f i o - E (laws i) (f i)))) F).
      rewrite <- (sum_below_constant n), <- product_below_exp. apply product_below_le. intros i I. split.
      + apply E_nonnegative; [apply F, I | intro; left; apply exp_pos].
      + apply (hoeffding_lemma (laws i) (f i) (low i)); auto.
    - apply observable_exp, observable_multiple, deviation_observable.
    - intro j. rewrite (product_below_exp n (fun i => s * (f i (draw i j) - E (laws i) (f i)))), sum_below_multiple.
      reflexivity.
  Qed.
  Lemma chernoff a s (S : J -> R) : 0 <= s -> 0 <= a -> observable S ->
      (forall j, S j <= exp (s * (deviation_of_sum j - a))) ->
    E P S <= exp (INR n * (s ^ 2 * width ^ 2 / 8) - s * a).
  Proof.
    intros S0 A seen below. pose proof (exponential_moment s) as M.
    assert (F : observable (fun j => exp (s * deviation_of_sum j))) by
      (apply observable_exp, observable_multiple, deviation_observable).
    apply Rle_trans with (exp (- (s * a)) * E P (fun j => exp (s * deviation_of_sum j))).
    - rewrite <- E_multiple by exact F. apply E_monotone; [exact seen | apply observable_multiple, F |].
      intro j. rewrite <- exp_plus. replace (- (s * a) + s * deviation_of_sum j) with
        (s * (deviation_of_sum j - a)) by ring. apply below.
    - unfold Rminus. rewrite exp_plus, Rmult_comm. apply Rmult_le_compat_r; [left; apply exp_pos | exact M].
  Qed.
End hoeffding.

(* Hoeffding: the sum of n independent observables, each with values at most width apart, is n a or more off its mean
   with
   probability at most 2 e^(-2 n a^2 / width^2). *)
Theorem hoeffding {J O : space} n (P : law J) (draw : nat -> J -> O) laws f low width a :
  independent_draws n P draw laws -> (1 <= n)%nat -> 0 < width -> 0 <= a ->
  (forall i, (i < n)%nat -> observable (f i)) -> (forall i, (i < n)%nat -> forall o, low i <= f i o <= low i + width) ->
  observable (fun j => at_least (INR n * a) (Rabs (deviation_of_sum n draw laws f j))) ->
  E P (fun j => at_least (INR n * a) (Rabs (deviation_of_sum n draw laws f j))) <=
    2 * exp (- (2 * INR n * a ^ 2 / width ^ 2)).
Proof.
  intros independent some W A told between seen.
  assert (N : 0 < INR n) by (apply lt_0_INR; lia).
  pose (s := 4 * a / width ^ 2). assert (W2 : 0 < width ^ 2) by (apply pow_lt, W).
  assert (S0 : 0 <= s) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, W2]).
  assert (best : INR n * (s ^ 2 * width ^ 2 / 8) - s * (INR n * a) = - (2 * INR n * a ^ 2 / width ^ 2)).
  { unfold s. field. lra. }
  pose (g i o := - f i o).
  assert (told' : forall i, (i < n)%nat -> observable (g i)).
  { intros i I. apply (observable_same O (fun o => -1 * f i o));
    [intro; unfold g; ring | apply observable_multiple, told, I]. }
  assert (flipped : forall j, deviation_of_sum n draw laws g j = - deviation_of_sum n draw laws f j).
  { intro j. unfold deviation_of_sum. 
    rewrite <- (Rmult_1_l (sum_below n (fun i => f i (draw i j) - E (laws i) (f i)))), Ropp_mult_distr_l,
      <- sum_below_multiple.
    apply sum_below_same. intros i I. unfold g.
    rewrite (E_same (laws i) (fun o => - f i o) (fun o => -1 * f i o)), E_multiple;
      [ring | apply told, I | apply told', I | intro; ring]. }
  assert (U : observable (fun j => exp (s * (deviation_of_sum n draw laws f j - INR n * a)))).
  { apply observable_exp, observable_multiple, observable_difference; [| apply observable_constant].
    apply (deviation_observable n P draw laws f independent told). }
  assert (V : observable (fun j => exp (s * (deviation_of_sum n draw laws g j - INR n * a)))).
  { apply observable_exp, observable_multiple, observable_difference; [| apply observable_constant].
    apply (deviation_observable n P draw laws g independent told'). }
  rewrite double. apply Rle_trans with (E P (fun j => exp (s * (deviation_of_sum n draw laws f j - INR n * a)) +
    exp (s * (deviation_of_sum n draw laws g j - INR n * a)))).
  - apply E_monotone; [exact seen | apply observable_sum; assumption |]. intro j. rewrite flipped.
    set (d := deviation_of_sum n draw laws f j).
    pose proof (exp_pos (s * (d - INR n * a))). pose proof (exp_pos (s * (- d - INR n * a))).
    unfold at_least. destruct (Rle_dec (INR n * a) (Rabs d)) as [far |]; [| lra].
    assert (0 <= s * (d - INR n * a) \/ 0 <= s * (- d - INR n * a)) as [H1 | H1].
    { unfold Rabs in far. destruct (Rcase_abs d); [right | left]; apply Rmult_le_pos; lra. }
    + pose proof (exp_at_least_1 _ H1). lra.
    + pose proof (exp_at_least_1 _ H1). lra.
  - rewrite E_sum, <- best by assumption. apply Rplus_le_compat.
    + apply (chernoff n P draw laws f low width independent W told between (INR n * a) s); auto; [nra | intro; lra].
    + apply (chernoff n P draw laws g (fun i => - (low i + width)) width independent W told'); auto;
      [| nra | intro; lra].
      intros i I o. specialize (between i I o). unfold g. lra.
Qed.

(* estimate_tail: the estimate from n outputs of a law on 0 and 1 is width sqrt(ln(2 / beta) / (2 n)) or more off the
   mean
   of the bits with probability at most beta. *)
Definition mean (n : nat) (f : nat -> R) : R := sum_below n f / INR n.
Definition is_bit (z : Z) := (0 <= z <= 2 - 1)%Z.
Theorem estimate_tail {J : space} (pmf cumulative : Z -> Z -> R) (offset width beta : R) n
    (bits : mechanism (nat -> Z) J) (draw : nat -> J -> Z) :
  (forall output input, is_bit input -> is_bit output -> 0 <= pmf output input) ->
  (forall output input, is_bit input -> is_bit output ->
    cumulative output input - cumulative (output - 1)%Z input = pmf output input) ->
  (forall input, is_bit input -> cumulative (-1)%Z input = 0 /\ cumulative (2 - 1)%Z input = 1) ->
  (forall input, is_bit input -> (pmf 1%Z input - offset) * width = IZR input) -> 0 < width ->
  (1 <= n)%nat -> 0 < beta -> beta <= 1 ->
  (forall x, independent_draws (O := plain Z) n (bits x) draw
    (fun i => listed 0%Z (whole 2) (fun output => pmf output (x i)))) ->
  let estimate j := (mean n (fun i => if Z.eq_dec (draw i j) 1 then 1 else 0) - offset) * width in
  let error (x : nat -> Z) j := Rabs (estimate j - mean n (fun i => IZR (x i))) in
  (forall x, observable (fun j => at_least (width * sqrt (ln (2 / beta) / (2 * INR n))) (error x j))) ->
  tail (fun x => forall i, (i < n)%nat -> is_bit (x i)) bits error at_least
    (width * sqrt (ln (2 / beta) / (2 * INR n))) Rle beta.
Proof.
  intros masses_are_not_negative cumulative_grows_by_the_mass cumulative_runs_from_0_to_1.
  pose proof (finite_law_masses 2 pmf cumulative masses_are_not_negative cumulative_grows_by_the_mass
    cumulative_runs_from_0_to_1) as masses_are_a_law.
  intros estimate_is_unbiased W some B B1 independent estimate error seen x X.
  split; [apply seen |]. set (a := width * sqrt (ln (2 / beta) / (2 * INR n))).
  assert (N : 0 < INR n) by (apply lt_0_INR; lia).
  set (laws i := listed 0%Z (whole 2) (fun output => pmf output (x i))).
  pose (f (i : nat) (y : Z) := ((if Z.eq_dec y 1 then 1 else 0) - offset) * width).
  assert (told : forall i, (i < n)%nat -> observable (s := plain Z) (f i)).
  { intros i I. exists (Rabs ((1 - offset) * width) + Rabs ((0 - offset) * width)). intro y. unfold f.
    pose proof (Rabs_pos ((1 - offset) * width)). pose proof (Rabs_pos ((0 - offset) * width)).
    destruct (Z.eq_dec y 1).
    - pose proof (Rle_abs ((1 - offset) * width)). pose proof (Rle_abs (- ((1 - offset) * width))).
      rewrite Rabs_Ropp in *. lra.
    - pose proof (Rle_abs ((0 - offset) * width)). pose proof (Rle_abs (- ((0 - offset) * width))).
      rewrite Rabs_Ropp in *. lra. }
  assert (means : forall i, (i < n)%nat -> E (laws i) (f i) = IZR (x i)).
  { intros i I. unfold laws. rewrite E_listed by apply masses_are_a_law, X, I.
    destruct (masses_are_a_law (x i) (X i I)) as [_ one]. rewrite <- (estimate_is_unbiased (x i) (X i I)).
    unfold whole, f in *. simpl in *. set (p0 := pmf 0%Z (x i)) in *. set (p1 := pmf 1%Z (x i)) in *.
    replace p0 with (1 - p1) by lra. ring. }
  assert (same : forall j, at_least a (error x j) = at_least (INR n * a)
    (Rabs (deviation_of_sum (O := plain Z) n draw laws f j))).
  { intro j. assert (scaled : Rabs (deviation_of_sum (O := plain Z) n draw laws f j) = INR n * error x j).
    { unfold error, estimate. rewrite <- (Rabs_pos_eq (INR n)) at 1 by lra. rewrite <- Rabs_mult. f_equal.
      unfold deviation_of_sum, mean.
      rewrite (sum_below_same n _ (fun i => width * (if Z.eq_dec (draw i j) 1 then 1 else 0) +
        (-1 * IZR (x i) + - (offset * width)))).
      - rewrite !sum_below_sum, !sum_below_multiple, sum_below_constant. field. lra.
      - intros i I. rewrite (means i I). unfold f. ring. }
    rewrite scaled. unfold at_least.
    assert (a <= error x j <-> INR n * a <= INR n * error x j) as iff.
    { split; intro H; [apply Rmult_le_compat_l; lra | apply (Rmult_le_reg_l (INR n)); assumption]. }
    destruct (Rle_dec _ _), (Rle_dec _ _); tauto. }
  rewrite (E_same _ _ _ (seen x) same).
  assert (L : 0 <= ln (2 / beta)).
  { rewrite <- ln_1. apply ln_le; [lra |]. apply (Rmult_le_reg_r beta); [exact B |]. unfold Rdiv. rewrite Rmult_assoc,
    Rinv_l; lra. }
  assert (L2 : 0 <= ln (2 / beta) / (2 * INR n)) by (apply Rmult_le_pos; [exact L | left; apply Rinv_0_lt_compat; lra]).
  replace beta with (2 * exp (- (2 * INR n * a ^ 2 / width ^ 2))) at 1.
  - apply (hoeffding (O := plain Z) n (bits x) draw laws f (fun _ => (0 - offset) * width) width a (independent x)
    some W).
    + apply Rmult_le_pos; [lra | apply sqrt_pos].
    + exact told.
    + intros i I y. unfold f. destruct (Z.eq_dec y 1); lra.
    + apply (observable_same J _ _ same (seen x)).
  - unfold a. rewrite Rpow_mult_distr. simpl (sqrt _ ^ 2). rewrite Rmult_1_r, sqrt_sqrt by exact L2.
    replace (2 * INR n * (width ^ 2 * (ln (2 / beta) / (2 * INR n))) / width ^ 2) with (ln (2 / beta)) by (field; lra).
    rewrite exp_Ropp, exp_ln; [field; lra |]. apply Rdiv_lt_0_compat; lra.
Qed.

(* ---- Estimates from reports ---- *)

Lemma observable_power {O : space} (f : O -> R) : observable f -> observable (fun o => f o ^ 2).
Proof.
  intro F. apply (observable_same O (fun o => f o * f o)); [intro; ring | apply observable_product; exact F].
Qed.
Lemma variance_by_moments {O : space} (P : law O) f : observable f -> variance P f = E P (fun o => f o ^ 2) - E P f ^ 2.
Proof.
  intro F. unfold variance. set (m := E P f).
  rewrite (E_same P _ (fun o => f o ^ 2 + (-2 * m * f o + m ^ 2))).
  - rewrite E_sum, E_shifted, E_multiple.
    + fold m. ring.
    + exact F.
    + apply observable_multiple, F.
    + apply observable_power, F.
    + apply observable_shifted, observable_multiple, F.
  - apply observable_power, observable_difference; [exact F | apply observable_constant].
  - intro o. ring.
Qed.

(* Means of independent draws add up, and so do variances. *)
Section sums_of_draws.
  Context {J O : space} (n : nat) (P : law J) (draw : nat -> J -> O) (laws : nat -> law O) (D : O -> R).
  Hypothesis independent : independent_draws n P draw laws.
  Hypothesis told : observable D.
  Definition summed (j : J) := sum_below n (fun i => D (draw i j)).

  Lemma draw_told i : (i < n)%nat -> observable (fun j => D (draw i j)).
  Proof. intro I. apply (draw_observable _ _ _ _ independent i D I told). Qed.
  Theorem means_add_up : observable summed /\ E P summed = sum_below n (fun i => E (laws i) D).
  Proof.
    split; [apply (observable_sum_below n (fun i j => D (draw i j))); intros; apply draw_told; assumption |].
    unfold summed. rewrite (E_sum_below P n (fun i j => D (draw i j))) by (intros; apply draw_told; assumption).
    apply sum_below_same. intros i I. apply (one_draw n P draw laws independent i D I told).
  Qed.
  Theorem variances_add_up : variance P summed = sum_below n (fun i => variance (laws i) D).
  Proof.
    pose (Y i o := D o - E (laws i) D).
    assert (seen : forall i, observable (Y i)) by (intro; apply observable_difference;
      [exact told | apply observable_constant]).
    assert (drawn_seen : forall i, (i < n)%nat -> observable (fun j => Y i (draw i j))).
    { intros i I. apply (draw_observable _ _ _ _ independent i (Y i) I (seen i)). }
    assert (centred : forall i, E (laws i) (Y i) = 0).
    { intro i. unfold Y. rewrite E_difference, E_constant; [ring | exact told | apply observable_constant]. }
    assert (partly : forall k, (k <= n)%nat ->
      E P (fun j => sum_below k (fun i => Y i (draw i j)) ^ 2) = sum_below k (fun i => variance (laws i) D)).
    { induction k; intro K.
      - simpl sum_below. transitivity (E P (fun _ => 0)); [| apply E_constant]. apply E_same; [| intro; ring].
        apply observable_power, observable_constant.
      - assert (S : observable (fun j => sum_below k (fun i => Y i (draw i j)))).
        { apply (observable_sum_below k (fun i j => Y i (draw i j))). intros. apply drawn_seen. lia. }
        assert (T : observable (fun j => Y k (draw k j))) by (apply drawn_seen; lia).
        assert (cross : E P (fun j => sum_below k (fun i => Y i (draw i j)) * Y k (draw k j)) = 0).
        { rewrite (E_same P _ (fun j => sum_below k (fun i => Y i (draw i j) * Y k (draw k j)))).
          - rewrite (E_sum_below P k (fun i j => Y i (draw i j) * Y k (draw k j))).
            + rewrite (sum_below_same k _ (fun _ => 0)), sum_below_constant; [ring |]. intros i I.
              rewrite (two_draws n P draw laws independent i k (Y i) (Y k)); try lia; auto. rewrite centred. ring.
            + intros i I. apply observable_product; [apply drawn_seen; lia | exact T].
          - apply observable_product; assumption.
          - intro j. rewrite Rmult_comm, <- sum_below_multiple. apply sum_below_same. intros; ring. }
        simpl sum_below. rewrite (E_same P _ (fun j => sum_below k (fun i => Y i (draw i j)) ^ 2 +
          (2 * (sum_below k (fun i => Y i (draw i j)) * Y k (draw k j)) + Y k (draw k j) ^ 2))).
        + assert (C : observable (fun j => sum_below k (fun i => Y i (draw i j)) * Y k (draw k j)))
            by (apply observable_product; assumption).
          rewrite (E_sum P _ _ (observable_power _ S)
            (observable_sum J _ _ (observable_multiple J 2 _ C) (observable_power _ T))).
          rewrite (E_sum P _ _ (observable_multiple J 2 _ C) (observable_power _ T)), (E_multiple P 2 _ C), cross,
            IHk by lia.
          unfold variance. rewrite (one_draw n P draw laws independent k (fun o => Y k o ^ 2));
            [unfold Y; ring | lia |].
          apply observable_power, seen.
        + apply observable_power, observable_sum; assumption.
        + intro j. ring. }
    rewrite <- (partly n (le_n n)). unfold variance. destruct means_add_up as [SO SE]. rewrite SE.
    apply E_same; [apply observable_power, observable_difference; [exact SO | apply observable_constant] |].
    intro j. f_equal. unfold summed, Y, Rminus.
    rewrite (sum_below_sum n (fun i => D (draw i j)) (fun i => - E (laws i) D)). f_equal.
    rewrite <- (Rmult_1_l (sum_below n (fun i => E (laws i) D))), Ropp_mult_distr_l, <- sum_below_multiple.
    apply sum_below_same. intros; ring.
  Qed.
End sums_of_draws.

(* What a report says of a value: yes, no, or nothing, where it was not asked. *)
Definition yes (said : option bool) : R := match said with Some true => 1 | _ => 0 end.
Definition asked (said : option bool) : R := match said with Some _ => 1 | None => 0 end.
Definition decoded (own other share : R) (said : option bool) : R :=
  match said with Some b => ((if b then 1 else 0) - other) / (share * (own - other)) | None => 0 end.
Definition variance_with (own other share : R) :=
  (own * (1 - 2 * other) + other ^ 2) / (share * (own - other) ^ 2) - 1.
Definition variance_without (own other share : R) := other * (1 - other) / (share * (own - other) ^ 2).
Lemma variance_with_all_asked own other : other < own -> variance_with own other 1 =
    own * (1 - own) / (own - other) ^ 2.
Proof. intro H. unfold variance_with. field. lra. Qed.
Definition how_many (n : nat) (has : nat -> bool) : R := sum_below n (fun i => if has i then 1 else 0).

Section frequency.
  Context {X : Type} {O J : space} (domain : X -> Prop) (M : mechanism X O) (answer : O -> option bool)
      (has : X -> bool).
  Variables own other share : R.
  (* Each report is asked with probability share, and if so says yes with probability own where its input has the value,
     and with other where it has not. *)
  Hypothesis asked_told : observable (fun o => asked (answer o)).
  Hypothesis yes_told : observable (fun o => yes (answer o)).
  Hypothesis asked_so_often : forall x, domain x -> E (M x) (fun o => asked (answer o)) = share.
  Hypothesis says_yes_so_often : forall x, domain x ->
    E (M x) (fun o => yes (answer o)) = share * (if has x then own else other).
  Hypothesis own_is_likelier : other < own.
  Hypothesis some_are_asked : 0 < share.
  Let D (o : O) := decoded own other share (answer o).
  Let scale := / (share * (own - other)).

  Lemma positive_scale : 0 < share * (own - other).
  Proof. apply Rmult_lt_0_compat; lra. Qed.
  Lemma decoded_by_parts o : scale * yes (answer o) + (- (scale * other)) * asked (answer o) = D o.
  Proof.
    unfold D, decoded, yes, asked, scale. pose proof positive_scale. destruct (answer o) as [[|] |]; field; lra.
  Qed.
  Lemma square_by_parts o :
    scale ^ 2 * (1 - 2 * other) * yes (answer o) + scale ^ 2 * other ^ 2 * asked (answer o) = D o ^ 2.
  Proof.
    unfold D, decoded, yes, asked, scale. pose proof positive_scale. destruct (answer o) as [[|] |]; field; lra.
  Qed.
  Lemma decoded_told : observable D.
  Proof.
    apply (observable_same O _ _ decoded_by_parts).
    exact (observable_sum O _ _ (observable_multiple O _ _ yes_told) (observable_multiple O _ _ asked_told)).
  Qed.
  Lemma one_report x : domain x -> E (M x) D = (if has x then 1 else 0) /\
    variance (M x) D = if has x then variance_with own other share else variance_without own other share.
  Proof.
    intro X0. pose proof positive_scale as S. assert (N : own - other <> 0) by lra.
    assert (first : E (M x) D = if has x then 1 else 0).
    { rewrite <- (E_same (M x) _ D (observable_sum O _ _ (observable_multiple O _ _ yes_told)
      (observable_multiple O _ _ asked_told)) decoded_by_parts).
      rewrite (E_sum (M x) _ _ (observable_multiple O _ _ yes_told) (observable_multiple O _ _ asked_told)).
      rewrite (E_multiple (M x) _ _ yes_told), (E_multiple (M x) _ _ asked_told), asked_so_often, says_yes_so_often by
        exact X0.
      unfold scale. destruct (has x); field; lra. }
    split; [exact first |]. rewrite variance_by_moments, first by apply decoded_told.
    rewrite <- (E_same (M x) _ (fun o => D o ^ 2) (observable_sum O _ _ (observable_multiple O _ _ yes_told)
      (observable_multiple O _ _ asked_told)) square_by_parts).
    rewrite (E_sum (M x) _ _ (observable_multiple O _ _ yes_told) (observable_multiple O _ _ asked_told)).
    rewrite (E_multiple (M x) _ _ yes_told), (E_multiple (M x) _ _ asked_told), asked_so_often, says_yes_so_often by
      exact X0.
    unfold scale, variance_with, variance_without. destruct (has x); field; lra.
  Qed.

  (* frequency_estimate: the sum of what n independent reports add has the mean `having`, and this variance. *)
  Theorem frequency_estimate n (x : nat -> X) (reports : law J) draw :
    (forall i, (i < n)%nat -> domain (x i)) -> independent_draws n reports draw (fun i => M (x i)) ->
    let estimate := summed n draw D in let having := how_many n (fun i => has (x i)) in
    E reports estimate = having /\
    variance reports estimate = having * variance_with own other share + (INR n - having) * variance_without own other
      share.
  Proof.
    intros X0 independent estimate having. split.
    - unfold estimate. destruct (means_add_up n reports draw _ D independent decoded_told) as [_ ->].
      apply sum_below_same. intros i I. apply one_report, X0, I.
    - unfold estimate. rewrite (variances_add_up n reports draw _ D independent decoded_told).
      rewrite (sum_below_same n _ (fun i => (variance_with own other share - variance_without own other share) *
        (if has (x i) then 1 else 0) + variance_without own other share)).
      + rewrite sum_below_sum, sum_below_multiple, sum_below_constant. fold (how_many n (fun i => has (x i))).
        fold having. ring.
      + intros i I. destruct (one_report (x i) (X0 i I)) as [_ ->]. destruct (has (x i)); ring.
  Qed.
End frequency.

(* frequency_estimate of a finite law: the output that is the value says yes.  Of mass_is_hit_or_miss. *)
Lemma plain_bounded_by_1 {T : Type} (f : T -> R) : (forall o, 0 <= f o <= 1) -> observable (s := plain T) f.
Proof. intro H. exists 1. intro o. specialize (H o). lra. Qed.
Lemma yes_between a : 0 <= yes a <= 1. Proof. destruct a as [[|] |]; simpl; lra. Qed.
Lemma asked_between a : 0 <= asked a <= 1. Proof. destruct a; simpl; lra. Qed.
Lemma mass_of_one (outcomes : list Z) (mass : Z -> R) v : NoDup outcomes -> In v outcomes ->
  Finite.total (fun y => mass y * yes (Some (Z.eqb y v))) outcomes = mass v.
Proof.
  induction outcomes as [| y rest IH]; [intros _ [] |]. intros once there. cbn [Finite.total].
  apply NoDup_cons_iff in once. destruct once as [new once]. destruct (Z.eqb_spec y v) as [-> | other].
  - rewrite (total_same _ (fun y => 0 * mass y)), total_multiple; [simpl; ring |].
    intros u U. destruct (Z.eqb_spec u v) as [-> |]; [contradiction | simpl; ring].
  - destruct there as [-> | there]; [contradiction |]. rewrite (IH once there). cbn. ring.
Qed.
Theorem frequency_estimate_of_a_finite_law {J : space} (size : Z) (pmf cumulative : Z -> Z -> R) (hit miss : R) (v : Z)
    n (x : nat -> Z) (reports : law J) draw :
  let inside i := (0 <= i <= size - 1)%Z in let M input := listed 0%Z (whole size) (fun output => pmf output input) in
  (forall output input, inside input -> inside output -> 0 <= pmf output input) ->
  (forall output input, inside input -> inside output ->
    cumulative output input - cumulative (output - 1)%Z input = pmf output input) ->
  (forall input, inside input -> cumulative (-1)%Z input = 0 /\ cumulative (size - 1)%Z input = 1) ->
  (forall output input, inside input -> inside output -> pmf output input = if Z.eqb output input then hit else miss) ->
  miss < hit -> inside v -> (forall i, (i < n)%nat -> inside (x i)) ->
  independent_draws (O := plain Z) n reports draw (fun i => M (x i)) ->
  let estimate := summed (O := plain Z) n draw (fun y => decoded hit miss 1 (Some (Z.eqb y v))) in
  let having := how_many n (fun i => Z.eqb (x i) v) in
  E reports estimate = having /\
  variance reports estimate = having * (hit * (1 - hit) / (hit - miss) ^ 2) + (INR n - having) *
    (miss * (1 - miss) / (hit - miss) ^ 2).
Proof.
  intros inside M positive grows runs mass_is_hit_or_miss likelier V X0 independent estimate having.
  rewrite <- variance_with_all_asked by exact likelier.
  replace (miss * (1 - miss) / (hit - miss) ^ 2) with (variance_without hit miss 1) by
    (unfold variance_without; field; lra).
  refine (frequency_estimate (O := plain Z) inside M (fun y => Some (Z.eqb y v)) (fun input => Z.eqb input v) hit miss 1
    _ _ _ _ likelier Rlt_0_1 n x reports draw X0 independent).
  - apply plain_bounded_by_1. intro. apply asked_between.
  - apply plain_bounded_by_1. intro. apply yes_between.
  - intros input I. change (E (M input) (fun _ => 1) = 1). apply E_constant.
  - intros input I. unfold M. rewrite E_listed by (apply (finite_law_masses size pmf cumulative); assumption).
    rewrite (mass_of_one (whole size) (fun y => pmf y input) v).
    + rewrite mass_is_hit_or_miss by assumption. rewrite Z.eqb_sym. ring.
    + apply Injective_map_NoDup; [intros a b; lia | apply seq_NoDup].
    + apply in_whole, V.
Qed.

(* balanced_estimate: one of several hashes of the value is told, uniformly, and a report of the result by it; where the
   input is not the value, the results agree in one place in `size`. *)
Theorem balanced_estimate {X T : Type} {J : space} (domain : X -> Prop) (N : X -> law (plain T))
    (answer : X -> T -> option bool)
    (same : forall a b : X, {a = b} + {a <> b}) (is_value : (nat -> X) -> bool)
    (hashes : nat) (size own other : R) (v : nat -> X) n (inputs : nat -> nat -> X)
    (M : (nat -> X) -> law (plain (nat * T))) (reports : law J) draw :
  (1 <= hashes)%nat -> 2 <= size ->
  (* public_coordinate: which function is told is uniform, and then the report is of what it gives of the input *)
  (forall x f, observable (s := plain (nat * T)) f ->
    E (M x) f = sum_below hashes (fun j => E (N (x j)) (fun y => f (j, y))) / INR hashes) ->
  (* every report speaks of each result, and says yes with probability own, or other *)
  (forall r y, answer r y <> None) ->
  (forall a r, domain a -> domain r -> E (N a) (fun y => yes (answer r y)) = if same a r then own else other) ->
  other + (own - other) / size < own ->
  (forall j, (j < hashes)%nat -> domain (v j)) -> (forall i j, (i < n)%nat -> (j < hashes)%nat -> domain (inputs i j))
    ->
  (* balanced: an input is the value, in each place, or agrees with it in just hashes / size places *)
  (forall i, (i < n)%nat ->
    sum_below hashes (fun j => if same (inputs i j) (v j) then 1 else 0) =
      if is_value (inputs i) then INR hashes else INR hashes / size) ->
  independent_draws (O := plain (nat * T)) n reports draw (fun i => M (inputs i)) ->
  let mixed := other + (own - other) / size in
  let estimate := summed (O := plain (nat * T)) n draw (fun r => decoded own mixed 1 (answer (v (fst r)) (snd r))) in
  let having := how_many n (fun i => is_value (inputs i)) in
  E reports estimate = having /\
  variance reports estimate = having * (own * (1 - own) / (own - mixed) ^ 2) + (INR n - having) *
    (mixed * (1 - mixed) / (own - mixed) ^ 2).
Proof.
  intros H S uniform speaks says likelier V X0 balanced independent mixed estimate having.
  assert (K : 0 < INR hashes) by (apply lt_0_INR; lia).
  assert (apart : mixed < own) by exact likelier. rewrite <- (variance_with_all_asked own mixed apart).
  replace (mixed * (1 - mixed) / (own - mixed) ^ 2) with (variance_without own mixed 1)
    by (clearbody mixed; unfold variance_without; field; lra).
  refine (frequency_estimate (O := plain (nat * T)) (fun x => exists i, (i < n)%nat /\ x = inputs i) M
    (fun r => answer (v (fst r)) (snd r)) is_value own mixed 1 _ _ _ _ apart Rlt_0_1 n inputs reports draw _
      independent).
  - apply plain_bounded_by_1. intro. apply asked_between.
  - apply plain_bounded_by_1. intro. apply yes_between.
  - intros x _. rewrite <- (E_constant (M x) 1). apply E_same; [apply plain_bounded_by_1; intro; apply asked_between |].
    intros [j y]. specialize (speaks (v j) y). simpl. destruct (answer (v j) y); [reflexivity | contradiction].
  - intros x (i & I & ->). rewrite uniform by (apply plain_bounded_by_1; intro; apply yes_between).
    rewrite (sum_below_same hashes _ (fun j => (own - other) * (if same (inputs i j) (v j) then 1 else 0) + other)).
    + rewrite sum_below_sum, sum_below_multiple, sum_below_constant, (balanced i I). unfold mixed.
      destruct (is_value (inputs i)); field; lra.
    + intros j L. simpl. rewrite says by auto. destruct (same (inputs i j) (v j)); ring.
  - intros i I. exists i. auto.
Qed.

(* number_estimate: width (bit - offset) has the number as its mean, and the variance width^2 rate (1 - rate). *)
Theorem number_estimate (lower upper offset width : R) (rate : R -> R) :
  (forall input, lower <= input <= upper -> 0 <= rate input <= 1) ->
  (forall input, lower <= input <= upper -> (rate input - offset) * width = input) ->
  forall input, lower <= input <= upper ->
  let estimate (bit : bool) := width * ((if bit then 1 else 0) - offset) in
  E (coin (rate input)) estimate = input /\ variance (coin (rate input)) estimate =
    width ^ 2 * (rate input * (1 - rate input)).
Proof.
  intros rate_is_a_probability estimate_is_unbiased x X estimate. unfold variance.
  assert (mean_is : E (coin (rate x)) estimate = x).
  { rewrite E_coin by (apply rate_is_a_probability, X). unfold estimate.
    pose proof (estimate_is_unbiased x X) as U. set (r := rate x) in *. clearbody r. rewrite <- U. ring. }
  split; [exact mean_is |]. rewrite mean_is, E_coin by (apply rate_is_a_probability, X). unfold estimate.
  pose proof (estimate_is_unbiased x X) as U. set (r := rate x) in *. clearbody r. rewrite <- U. ring.
Qed.

(* enumerated_estimate: frequency_estimate where the masses, each computed, say so. *)
Theorem enumerated_estimate {X T : Type} {J : space} (domain : X -> Prop) (outcomes : list T) (otherwise : T)
    (mass : X -> T -> R)
    (answer : T -> option bool) (has : X -> bool) own other share n (x : nat -> X) (reports : law J) draw :
  (forall input, domain input -> is_law outcomes (mass input)) ->
  (forall input, domain input -> Finite.total (fun y => mass input y * asked (answer y)) outcomes = share) ->
  (forall input, domain input ->
    Finite.total (fun y => mass input y * yes (answer y)) outcomes = share * (if has input then own else other)) ->
  other < own -> 0 < share -> (forall i, (i < n)%nat -> domain (x i)) ->
  independent_draws (O := plain T) n reports draw (fun i => listed otherwise outcomes (mass (x i))) ->
  let estimate := summed (O := plain T) n draw (fun y => decoded own other share (answer y)) in
  let having := how_many n (fun i => has (x i)) in
  E reports estimate = having /\
  variance reports estimate = having * variance_with own other share + (INR n - having) * variance_without own other
    share.
Proof.
  intros L A Y likelier S X0 independent.
  apply (frequency_estimate (O := plain T) domain (fun input => listed otherwise outcomes (mass input)) answer has own
    other share); auto.
  - apply plain_bounded_by_1. intro. apply asked_between.
  - apply plain_bounded_by_1. intro. apply yes_between.
  - intros input I. rewrite E_listed by auto. apply A, I.
  - intros input I. rewrite E_listed by auto. apply Y, I.
Qed.

(* another_estimate: a claim about an estimate is false where, for some inputs, the mean or the variance is another
   one. *)
Theorem another_estimate {X T : Type} {J : space} (allowed : nat -> (nat -> X) -> Prop) (outcomes : list T)
    (otherwise : T)
    (mass : X -> T -> R) (D : T -> R) (having stated : nat -> (nat -> X) -> R) (reports : nat -> (nat -> X) -> law J)
      draw n (x : nat -> X) :
  (forall n x, allowed n x -> independent_draws (O := plain T) n (reports n x) draw
    (fun i => listed otherwise outcomes (mass (x i)))) ->
  observable (s := plain T) D -> allowed n x -> (forall i, (i < n)%nat -> is_law outcomes (mass (x i))) ->
  let centre i := Finite.total (fun y => mass (x i) y * D y) outcomes in
  let spread i := Finite.total (fun y => mass (x i) y * (D y - centre i) ^ 2) outcomes in
  sum_below n centre <> having n x \/ sum_below n spread <> stated n x ->
  ~ forall n x, allowed n x ->
    E (reports n x) (summed (O := plain T) n draw D) = having n x /\
      variance (reports n x) (summed (O := plain T) n draw D) = stated n x.
Proof.
  intros independent F A L centre spread another false. destruct (false n x A) as [M V].
  assert (centre_is : forall i, (i < n)%nat -> E (listed otherwise outcomes (mass (x i))) D = centre i).
  { intros i I. apply E_listed, L, I. }
  destruct another as [other | other]; apply other.
  - rewrite <- M. destruct (means_add_up n (reports n x) draw _ D (independent n x A) F) as [_ ->].
    apply sum_below_same. intros i I. symmetry. apply centre_is, I.
  - rewrite <- V, (variances_add_up n (reports n x) draw _ D (independent n x A) F).
    apply sum_below_same. intros i I. unfold variance. rewrite (centre_is i I). symmetry. apply E_listed, L, I.
Qed.

(* Randomised response of three values, kept with probability 1/2, else one of the other two: of 2 reports. *)
Example estimate_of_two_reports : exists reports : law (plain (nat -> nat)),
  let masses (input y : nat) := if Nat.eqb y input then 1 / 2 else 1 / 4 in
  let D y := decoded (1 / 2) (1 / 4) 1 (Some (Nat.eqb y 0)) in
  independent_draws (J := plain (nat -> nat)) (O := plain nat) 2 reports (fun i y => y i)
    (fun i => listed 0%nat (0 :: 1 :: 2 :: nil)%nat (masses i)) /\
  E reports (summed (J := plain (nat -> nat)) (O := plain nat) 2 (fun i y => y i) D) = 1 /\
  variance reports (summed (J := plain (nat -> nat)) (O := plain nat) 2 (fun i y => y i) D) = 7.
Proof.
  pose (masses (input y : nat) := if Nat.eqb y input then 1 / 2 else 1 / 4).
  pose (laws i := listed 0%nat (0 :: 1 :: 2 :: nil)%nat (masses i)). exists (drawn 0%nat 2 laws).
  intros m D. change m with masses in *. pose proof (drawn_independent 0%nat 2 laws) as independent. split;
    [exact independent |].
  assert (L : forall i, (i < 3)%nat -> is_law (0 :: 1 :: 2 :: nil)%nat (masses i)).
  { intros i I. unfold masses. split; [intros o _; destruct (Nat.eqb o i); lra |].
    destruct i as [| [| [|]]]; [simpl; lra | simpl; lra | simpl; lra | lia]. }
  destruct (enumerated_estimate (J := plain (nat -> nat)) (fun i => (i < 3)%nat) (0 :: 1 :: 2 :: nil)%nat 0%nat masses
    (fun y => Some (Nat.eqb y 0)) (Nat.eqb 0)
    (1 / 2) (1 / 4) 1 2 (fun i => i) (drawn 0%nat 2 laws) (fun i y => y i) L) as [A B]; try lra; auto.
  - intros i I. destruct i as [| [| [|]]]; [unfold masses; simpl; lra | unfold masses; simpl; lra | unfold masses;
    simpl; lra | lia].
  - intros i I. destruct i as [| [| [|]]]; [unfold masses; simpl; lra | unfold masses; simpl; lra | unfold masses;
    simpl; lra | lia].
  - split; [refine (eq_trans A _) | refine (eq_trans B _)]; unfold how_many, variance_with, variance_without; simpl;
    lra.
Qed.

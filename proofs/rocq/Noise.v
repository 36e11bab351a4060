(* Additive noise on a grid: refdp's rules additive_noise, normalised, noise_tail and clamped_noise.

   A noise is given by formulas: Z is k * granularity with probability proportional to
   exp (log_weight (k * granularity)).  What must hold of the formulas are the obligations of refdp/spec/noise.py, by
   their names there: first the obligations are stated, then each rule is a theorem whose hypotheses they are.
   Discrete Laplace noise is the instance at the end. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Grid.
Import ListNotations.
Open Scope R_scope.

(* The obligations. *)
Definition tail_is_geometric (log_weight : R -> R) (tail_rate tail_offset granularity : R) :=
  forall z, log_weight z <= tail_offset - tail_rate * Rabs z /\ 0 < tail_rate /\ 0 < granularity.
Definition loss_is_bounded (log_weight privacy_map : R -> R) :=
  forall y a b d_in, Rabs (a - b) <= d_in -> log_weight (y - a) - log_weight (y - b) <= privacy_map d_in.
Definition losses_accumulate (privacy_map : R -> R) :=
  forall d_1 d_2 d, 0 <= d_1 -> 0 <= d_2 -> 0 <= d -> d_1 + d_2 <= d ->
    privacy_map d_1 + privacy_map d_2 <= privacy_map d.

(* The domain and its metrics: multiples of the granularity, and vectors of them in l1. *)
Definition on_grid (granularity x : R) := exists k, x = IZR k * granularity.
Definition absolute (granularity d_in x y : R) :=
  on_grid granularity x /\ on_grid granularity y /\ Rabs (x - y) <= d_in.
Fixpoint l1_distance (x y : list R) :=
  match x, y with a :: x, b :: y => Rabs (a - b) + l1_distance x y | _, _ => 0 end.
Definition l1 (granularity d_in : R) (x y : list R) :=
  List.Forall (on_grid granularity) x /\ List.Forall (on_grid granularity) y /\
  length x = length y /\ l1_distance x y <= d_in.

(* Independent draws, from a law each; all are told, in order. *)
Definition draw_first {T : Type} (p : law (plain T)) (rest : law (plain (list T))) : law (plain (list T)) :=
  then_run p (plain_kernel (fun o => then_run rest (plain_kernel (fun os =>
    certain (O := plain (list T)) (o :: os))))).
Definition independent {T : Type} (laws : list (law (plain T))) : law (plain (list T)) :=
  fold_right draw_first (certain (O := plain (list T)) []) laws.

Lemma draw_first_at {T : Type} (p : law (plain T)) rest f :
  E (draw_first p rest) f = E p (fun o => E rest (fun os => f (o :: os))).
Proof. reflexivity. Qed.

(* Independent draws: losses add up. *)
Lemma draw_first_within {T : Type} (p q : law (plain T)) (r s : law (plain (list T))) t u :
  0 <= u -> within t 0 p q -> within u 0 r s -> within (t * u) 0 (draw_first p r) (draw_first q s).
Proof.
  intros U P R f F. rewrite !draw_first_at.
  assert (S : forall o, test (O := plain (list T)) (fun os => f (o :: os))).
  { intro o. destruct F as [[c C] between]. split; [exists c; intro; apply C | intro; apply between]. }
  assert (B : forall l : law (plain (list T)), test (O := plain T) (fun o => E l (fun os => f (o :: os)))).
  { intro l. assert (between : forall o, 0 <= E l (fun os => f (o :: os)) <= 1) by (intro o; exact (E_test l _ (S o))).
    split; [exists 1; intro o | exact between]. destruct (between o). split; [| assumption].
    apply Rle_trans with 0; [lra | assumption]. }
  apply Rle_trans with (u * E p (fun o => E s (fun os => f (o :: os)))).
  - rewrite <- E_multiple by apply B. apply E_monotone; [apply B | apply observable_multiple, B |].
    intro o. specialize (R _ (S o)). rewrite Rplus_0_r in R. exact R.
  - specialize (P _ (B s)). rewrite Rplus_0_r in P |- *.
    rewrite (Rmult_comm t), Rmult_assoc. apply Rmult_le_compat_l; assumption.
Qed.

Definition grid_weight (log_weight : R -> R) (granularity : R) (k : Z) := exp (log_weight (IZR k * granularity)).

(* By tail_is_geometric there is a law: the weights have a sum. *)
Lemma weights_summable log_weight tail_rate tail_offset granularity :
  tail_is_geometric log_weight tail_rate tail_offset granularity -> summable (grid_weight log_weight granularity).
Proof.
  intro tail. destruct (tail 0) as (_ & rate & step).
  apply (summable_below _ (fun k => exp tail_offset * exp (- (tail_rate * granularity) * Rabs (IZR k)))).
  - apply summable_multiple, summable_exponential, Rmult_lt_0_compat; assumption.
  - intro k. unfold grid_weight. rewrite Rabs_pos_eq by (left; apply exp_pos). rewrite <- exp_plus. apply exp_le.
    destruct (tail (IZR k * granularity)) as [below _]. rewrite Rabs_mult, (Rabs_pos_eq granularity) in below by lra.
    eapply Rle_trans; [exact below | right; ring].
Qed.

Section additive_noise.
  Variables (log_weight : R -> R) (granularity : R).
  Hypothesis has_a_sum : summable (grid_weight log_weight granularity).
  Let weight := grid_weight log_weight granularity.

  Lemma weight_positive k : 0 < weight k.
  Proof. apply exp_pos. Qed.

  (* x + Z *)
  Definition add_noise : mechanism R (plain R) := fun x =>
    law_of_weights (fun k => x + IZR k * granularity) weight (fun k => Rlt_le _ _ (weight_positive k)) has_a_sum
      (total_positive weight has_a_sum weight_positive).
  (* A vector plus independent Z, one for each coordinate. *)
  Definition add_noise_to_vector : mechanism (list R) (plain (list R)) := fun x => independent (map add_noise x).

  Lemma add_noise_at x f : E (add_noise x) f = total (fun k => f (x + IZR k * granularity) * weight k) / total weight.
  Proof. reflexivity. Qed.

  (* additive_noise, under pure: x + Z : absolute(d_in) |-> pure(map(d_in)). *)
  Lemma additive_noise_from_a_sum privacy_map d_in :
    loss_is_bounded log_weight privacy_map -> private (absolute granularity d_in) add_noise (pure (privacy_map d_in)).
  Proof.
    intros loss x y ((i & X) & (j & Y) & near) f [F between]. rewrite !add_noise_at, Rplus_0_r.
    unfold Rdiv. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, total_positive, weight_positive; exact has_a_sum |].
    pose (moved := fun k => f (y + IZR k * granularity) * weight (k + (j - i))%Z).
    assert (bounded_there : forall c, bounded (fun k : Z => f (c + IZR k * granularity))).
    { intro c. destruct F as [b B]. exists b. intro. apply B. }
    assert (M : summable moved).
    { apply (summable_bounded_times (fun k => f (y + IZR k * granularity))); [apply bounded_there |].
      apply (summable_moved (j - i) weight), has_a_sum. }
    replace (total (fun k => f (x + IZR k * granularity) * weight k)) with (total moved).
    - rewrite <- total_multiple. apply total_monotone; [exact M | |].
      + apply summable_multiple, (summable_bounded_times (fun k => f (y + IZR k * granularity)));
          [apply bounded_there | exact has_a_sum].
      + intro k. unfold moved, weight, grid_weight.
        rewrite (Rmult_comm (exp (privacy_map d_in))), Rmult_assoc.
        apply Rmult_le_compat_l; [apply between |]. rewrite <- exp_plus. apply exp_le.
        pose proof (loss (y + IZR k * granularity) x y d_in near) as L.
        replace (y + IZR k * granularity - x) with (IZR (k + (j - i)) * granularity) in L
          by (rewrite plus_IZR, minus_IZR, X, Y; ring).
        replace (y + IZR k * granularity - y) with (IZR k * granularity) in L by ring. lra.
    - rewrite <- (total_moved (i - j) moved M). apply total_same. intro k. unfold moved. f_equal; f_equal; [| lia].
      rewrite plus_IZR, minus_IZR, X, Y. ring.
  Qed.

  (* additive_noise for vectors, under pure: x + (Z, ..., Z) : l1(d_in) |-> pure(map(d_in)), in any dimension. *)
  Lemma additive_noise_to_vector_from_a_sum privacy_map d_in :
    loss_is_bounded log_weight privacy_map -> losses_accumulate privacy_map ->
    private (l1 granularity d_in) add_noise_to_vector (pure (privacy_map d_in)).
  Proof.
    intros loss accumulate x. revert d_in. induction x as [| a x IH]; intros d_in [| b y] (X & Y & same & near);
      try discriminate.
    - simpl in near. apply weaken_pure with 0.
      + pose proof (loss 0 0 0 d_in) as L. rewrite Rminus_0_r, Rabs_R0 in L. specialize (L near). lra.
      + intros f F. simpl. rewrite exp_0. lra.
    - simpl in near. inversion X; inversion Y; subst. injection same as same.
      assert (N : forall u v, 0 <= l1_distance u v).
      { induction u; destruct v; simpl; try lra. pose proof (IHu v). pose proof (Rabs_pos (a0 - r)). lra. }
      apply weaken_pure with (privacy_map (Rabs (a - b)) + privacy_map (l1_distance x y)).
      + pose proof (N x y). pose proof (Rabs_pos (a - b)). apply accumulate; lra.
      + unfold pure, approximate. rewrite exp_plus. apply draw_first_within; [left; apply exp_pos | |].
        * apply (additive_noise_from_a_sum privacy_map); [exact loss |]. repeat split; try assumption. lra.
        * apply IH. repeat split; try assumption. lra.
  Qed.
End additive_noise.

(* additive_noise *)
Theorem additive_noise log_weight tail_rate tail_offset granularity privacy_map d_in
    (tail : tail_is_geometric log_weight tail_rate tail_offset granularity) :
  loss_is_bounded log_weight privacy_map ->
  private (absolute granularity d_in) (add_noise log_weight granularity (weights_summable _ _ _ _ tail))
    (pure (privacy_map d_in)).
Proof. apply additive_noise_from_a_sum. Qed.

(* additive_noise, vectors *)
Theorem additive_noise_vector log_weight tail_rate tail_offset granularity privacy_map d_in
    (tail : tail_is_geometric log_weight tail_rate tail_offset granularity) :
  loss_is_bounded log_weight privacy_map -> losses_accumulate privacy_map ->
  private (l1 granularity d_in) (add_noise_to_vector log_weight granularity (weights_summable _ _ _ _ tail))
    (pure (privacy_map d_in)).
Proof. apply additive_noise_to_vector_from_a_sum. Qed.

(* normalised, for noise with a closed normaliser. *)
Definition weights_are_geometric (log_weight : R -> R) (granularity : R) :=
  forall k, log_weight (k * granularity) = Rabs k * log_weight granularity /\ log_weight granularity < 0.
Definition sum_is_the_normaliser (normaliser : R -> R) :=
  forall ratio, 0 < ratio /\ ratio < 1 -> normaliser ratio * (1 - ratio) = 1 + ratio.

Lemma geometric_weight log_weight granularity :
  weights_are_geometric log_weight granularity ->
  forall k, grid_weight log_weight granularity k = exp (log_weight granularity) ^ Z.abs_nat k.
Proof.
  intros geometric k. unfold grid_weight. destruct (geometric (IZR k)) as [same _].
  rewrite same, power_of_exp, distance_from_zero. reflexivity.
Qed.
Lemma geometric_ratio log_weight granularity :
  weights_are_geometric log_weight granularity -> 0 < exp (log_weight granularity) < 1.
Proof.
  intro geometric. destruct (geometric 0) as [_ falls]. split; [apply exp_pos |].
  rewrite <- exp_0. apply exp_increasing, falls.
Qed.

(* normalised: the masses are positive and sum to 1, and x + Z is the law that they are the masses of. *)
Theorem normalised log_weight granularity normaliser :
  weights_are_geometric log_weight granularity -> sum_is_the_normaliser normaliser ->
  let mass k := grid_weight log_weight granularity k / normaliser (exp (log_weight granularity)) in
  (forall k, 0 < mass k) /\ summable mass /\ total mass = 1.
Proof.
  intros geometric closed mass. pose proof (geometric_ratio _ _ geometric) as R. pose proof (closed _ R) as N.
  set (ratio := exp (log_weight granularity)) in *.
  assert (N' : normaliser ratio = (1 + ratio) / (1 - ratio)) by (rewrite <- N; field; lra).
  assert (positive : 0 < normaliser ratio) by (rewrite N'; apply Rdiv_lt_0_compat; lra).
  assert (same : forall k, / normaliser ratio * ratio ^ Z.abs_nat k = mass k).
  { intro k. unfold mass, Rdiv. rewrite (geometric_weight _ _ geometric). apply Rmult_comm. }
  split; [| split].
  - intro k. apply Rdiv_lt_0_compat; [apply exp_pos | exact positive].
  - apply (summable_same _ _ same), summable_multiple, summable_geometric. lra.
  - rewrite <- (total_same _ _ same), total_multiple, total_geometric, <- N' by lra. apply Rinv_l. lra.
Qed.
Theorem normalised_law log_weight granularity normaliser (has_a_sum : summable (grid_weight log_weight granularity)) :
  weights_are_geometric log_weight granularity -> sum_is_the_normaliser normaliser -> forall x f,
  E (add_noise log_weight granularity has_a_sum x) f =
  total (fun k =>
    f (x + IZR k * granularity) * (grid_weight log_weight granularity k / normaliser (exp (log_weight granularity)))).
Proof.
  intros geometric closed x f. pose proof (geometric_ratio _ _ geometric) as R. pose proof (closed _ R) as N.
  rewrite add_noise_at, (total_same _ _ (geometric_weight _ _ geometric)), total_geometric by lra.
  set (ratio := exp (log_weight granularity)) in *.
  replace ((1 + ratio) / (1 - ratio)) with (normaliser ratio) by (rewrite <- N; field; lra).
  unfold Rdiv. rewrite Rmult_comm, <- total_multiple. apply total_same. intro k. ring.
Qed.

(* noise_tail, on a grid. *)
Definition tail_is_bounded (log_weight log_tail : R -> R) := forall alpha h, 0 <= alpha -> 0 <= h ->
  log_weight (alpha + h) <= log_tail alpha + log_weight h /\ log_tail alpha <= 0 /\ log_weight (- h) = log_weight h.
Definition tail_is_exact (log_weight log_tail : R -> R) := forall alpha h, 0 <= alpha -> 0 <= h ->
  log_weight (alpha + h) = log_tail alpha + log_weight h /\ log_tail alpha <= 0 /\ log_weight (- h) = log_weight h.
Definition radius_has_the_level (log_tail radius : R -> R) := forall level, 0 <= level ->
  0 <= radius level /\ log_tail (radius level) = - level.

(* The events that the error is at least, or more than, alpha. *)
Definition at_least (alpha x o : R) := if Rle_dec alpha (Rabs (o - x)) then 1 else 0.
Definition more_than (alpha x o : R) := if Rlt_dec alpha (Rabs (o - x)) then 1 else 0.

Section noise_tail.
  Variables (log_weight log_tail : R -> R) (tail_rate tail_offset granularity : R).
  Hypothesis tail : tail_is_geometric log_weight tail_rate tail_offset granularity.
  Let has_a_sum := weights_summable _ _ _ _ tail.
  Let noisy := add_noise log_weight granularity has_a_sum.
  Let weight := grid_weight log_weight granularity.

  Lemma step_positive : 0 < granularity.
  Proof. apply (tail 0). Qed.
  Lemma noise_weight_total : 0 < total weight.
  Proof. apply total_positive; [exact has_a_sum | apply weight_positive]. Qed.
  Lemma noisy_at_most f x a c :
    bounded f -> summable a -> total a <= c * total weight ->
    (forall k, f (x + IZR k * granularity) * weight k <= a k) -> E (noisy x) f <= c.
  Proof.
    intros [b B] A small below. pose proof noise_weight_total as N. unfold noisy. rewrite add_noise_at.
    apply (Rmult_le_reg_r (total weight)); [exact N |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    eapply Rle_trans; [| exact small]. apply total_monotone; [| exact A | exact below].
    apply (summable_bounded_times (fun k => f (x + IZR k * granularity))); [exists b; intro; apply B | exact has_a_sum].
  Qed.

  Section bounded_tail.
    Hypothesis falls : tail_is_bounded log_weight log_tail.

    Lemma weight_mirrored k : weight (- k) = weight k.
    Proof.
      unfold weight, grid_weight. f_equal. rewrite opp_IZR, Ropp_mult_distr_l_reverse. pose proof step_positive.
      destruct (Rle_lt_dec 0 (IZR k * granularity)) as [right | left].
      - apply (falls 0); lra.
      - rewrite <- (Ropp_involutive (IZR k * granularity)) at 2. symmetry. apply (falls 0); lra.
    Qed.
    (* From the point of the grid on that is the first from alpha on. *)
    Lemma weight_beyond alpha first k :
      0 <= alpha -> alpha <= IZR first * granularity -> (first <= k)%Z ->
      weight k <= exp (log_tail alpha) * weight (k - first).
    Proof.
      intros A F K. unfold weight, grid_weight. rewrite <- exp_plus. apply exp_le. pose proof step_positive.
      rewrite minus_IZR. apply IZR_le in K.
      assert (0 <= (IZR k - IZR first) * granularity) by (apply Rmult_le_pos; lra).
      destruct (falls alpha (IZR k * granularity - alpha)) as [far _]; [lra | lra |].
      destruct (falls (IZR first * granularity - alpha) ((IZR k - IZR first) * granularity)) as (near & below & _);
        [lra | lra |].
      replace (alpha + (IZR k * granularity - alpha)) with (IZR k * granularity) in far by ring.
      replace (IZR first * granularity - alpha + (IZR k - IZR first) * granularity)
        with (IZR k * granularity - alpha) in near by ring. lra.
    Qed.

    (* noise_tail: the error is at least alpha with probability at most 2 e^log_tail(alpha). *)
    Theorem noise_tail alpha x : 0 <= alpha -> E (noisy x) (at_least alpha x) <= 2 * exp (log_tail alpha).
    Proof.
      intro A. pose proof step_positive as G. pose (first := (1 - up (- (alpha / granularity)))%Z).
      assert (F : alpha / granularity <= IZR first < alpha / granularity + 1).
      { destruct (archimed (- (alpha / granularity))). unfold first. rewrite minus_IZR. lra. }
      assert (start : alpha <= IZR first * granularity).
      { apply (Rmult_le_reg_r (/ granularity)); [apply Rinv_0_lt_compat, G |].
        rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. apply F. }
      assert (least : forall k, alpha <= IZR k * granularity -> (first <= k)%Z).
      { intros k K. apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR.
        assert (alpha / granularity <= IZR k); [| lra]. apply (Rmult_le_reg_r granularity); [exact G |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact K. }
      pose proof (summable_moved (- first) weight has_a_sum) as left.
      pose proof (summable_moved first weight has_a_sum) as right.
      apply (noisy_at_most _ _ (fun k => exp (log_tail alpha) * (weight (k + - first)%Z + weight (k + first)%Z))).
      - exists 1. intro o. unfold at_least. destruct Rle_dec; lra.
      - apply summable_multiple, summable_sum; assumption.
      - rewrite total_multiple, total_sum, !total_moved by assumption || exact has_a_sum. lra.
      - intro k. pose proof (exp_pos (log_tail alpha)) as T.
        pose proof (weight_positive log_weight granularity (k + - first)) as P.
        pose proof (weight_positive log_weight granularity (k + first)) as Q. fold weight in P, Q.
        rewrite Rmult_plus_distr_l. pose proof (Rmult_lt_0_compat _ _ T P). pose proof (Rmult_lt_0_compat _ _ T Q).
        unfold at_least. destruct Rle_dec as [reached |]; [| lra].
        replace (x + IZR k * granularity - x) with (IZR k * granularity) in reached by ring. rewrite Rmult_1_l.
        unfold Rabs in reached. destruct Rcase_abs in reached.
        + rewrite <- weight_mirrored. replace (weight (k + first)%Z) with (weight (- k - first)%Z)
            by (rewrite <- weight_mirrored; f_equal; lia).
          pose proof (weight_beyond alpha first (- k) A start) as B.
          specialize (B ltac:(apply least; rewrite opp_IZR; lra)). lra.
        + pose proof (weight_beyond alpha first k A start ltac:(apply least; lra)) as B.
          replace (k + - first)%Z with (k - first)%Z in * by lia. lra.
    Qed.

    (* noise_tail, inverted: an error of radius(ln(2 / beta)) or more has probability at most beta. *)
    Theorem noise_tail_inverted radius beta x :
      radius_has_the_level log_tail radius -> 0 < beta -> beta <= 1 ->
      E (noisy x) (at_least (radius (ln (2 / beta))) x) <= beta.
    Proof.
      intros has B one. assert (L : 0 <= ln (2 / beta)).
      { rewrite <- ln_1. apply Rcomplements.ln_le; [lra |]. apply (Rmult_le_reg_r beta); [exact B |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      destruct (has _ L) as [positive level]. eapply Rle_trans; [apply noise_tail, positive |].
      rewrite level, exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; lra). right. field. lra.
    Qed.

    (* noise_tail: the error is more than a grid point alpha with probability at most e^log_tail(alpha). *)
    Theorem noise_tail_more_than alpha x :
      0 <= alpha -> on_grid granularity alpha -> E (noisy x) (more_than alpha x) <= exp (log_tail alpha).
    Proof.
      intros A (m & M). pose proof step_positive as G.
      pose (above := fun k => if Z_lt_dec 0 k then weight k else 0).
      pose (below := fun k => if Z_lt_dec k 0 then weight k else 0).
      assert (W : forall k, 0 < weight k) by (intro; apply weight_positive).
      assert (S : summable above).
      { apply (summable_below _ weight); [exact has_a_sum |]. intro k. specialize (W k). unfold above.
        destruct Z_lt_dec; [rewrite Rabs_pos_eq; lra | rewrite Rabs_R0; lra]. }
      assert (S' : summable below).
      { apply (summable_below _ weight); [exact has_a_sum |]. intro k. specialize (W k). unfold below.
        destruct Z_lt_dec; [rewrite Rabs_pos_eq; lra | rewrite Rabs_R0; lra]. }
      apply (noisy_at_most _ _ (fun k => exp (log_tail alpha) * (above (k + - m)%Z + below (k + m)%Z))).
      - exists 1. intro o. unfold more_than. destruct Rlt_dec; lra.
      - apply summable_multiple, summable_sum; apply summable_moved; assumption.
      - pose proof (exp_pos (log_tail alpha)).
        rewrite total_multiple, total_sum, !total_moved by (try apply summable_moved; assumption).
        apply Rmult_le_compat_l; [lra |]. rewrite <- total_sum by assumption.
        apply total_monotone; [apply summable_sum; assumption | exact has_a_sum |].
        intro k. specialize (W k). unfold above, below. repeat destruct Z_lt_dec; try lia; lra.
      - intro k. pose proof (exp_pos (log_tail alpha)) as T.
        assert (P : forall j, 0 <= above j /\ 0 <= below j).
        { intro j. specialize (W j). unfold above, below. repeat destruct Z_lt_dec; lra. }
        destruct (P (k + - m)%Z) as [P1 _]. destruct (P (k + m)%Z) as [_ P2].
        pose proof (Rmult_le_pos _ _ (Rlt_le _ _ T) P1). pose proof (Rmult_le_pos _ _ (Rlt_le _ _ T) P2).
        rewrite Rmult_plus_distr_l. unfold more_than. destruct Rlt_dec as [exceeded |]; [| lra].
        replace (x + IZR k * granularity - x) with (IZR k * granularity) in exceeded by ring. rewrite Rmult_1_l.
        rewrite M in exceeded. unfold Rabs in exceeded. destruct Rcase_abs in exceeded.
        + assert (K : (m < - k)%Z).
          { apply lt_IZR. rewrite opp_IZR. apply (Rmult_lt_reg_r granularity); lra. }
          pose proof (weight_beyond alpha m (- k) A ltac:(lra) ltac:(lia)) as B. rewrite weight_mirrored in B.
          replace (below (k + m)%Z) with (weight (- k - m)%Z) in *; [lra |].
          unfold below. destruct Z_lt_dec; [| lia]. rewrite <- weight_mirrored. f_equal. lia.
        + assert (K : (m < k)%Z) by (apply lt_IZR; apply (Rmult_lt_reg_r granularity); lra).
          pose proof (weight_beyond alpha m k A ltac:(lra) ltac:(lia)) as B.
          replace (above (k + - m)%Z) with (weight (k - m)%Z) in *; [lra |].
          unfold above. destruct Z_lt_dec; [| lia]. f_equal.
    Qed.
  End bounded_tail.
  Section exact_tail.
    Hypothesis exactly : tail_is_exact log_weight log_tail.

    Lemma exact_tail_is_bounded : tail_is_bounded log_weight log_tail.
    Proof. intros a h A H. destruct (exactly a h A H) as (same & more). split; [right; exact same | exact more]. Qed.
    Let half k := if Z_le_dec 0 k then weight k else 0.
    Lemma half_nonnegative k : 0 <= half k.
    Proof. unfold half. destruct Z_le_dec; [left; apply weight_positive | lra]. Qed.
    Lemma half_summable : summable half.
    Proof.
      apply (summable_below _ weight); [exact has_a_sum |]. intro k. rewrite Rabs_pos_eq by apply half_nonnegative.
      unfold half. destruct Z_le_dec; [lra | left; apply weight_positive].
    Qed.
    Lemma exact_weight alpha k m :
      alpha = IZR m * granularity -> (0 <= m)%Z -> (0 <= k)%Z -> weight (k + m) = exp (log_tail alpha) * weight k.
    Proof.
      intros A M K. apply IZR_le in M, K. unfold weight, grid_weight. rewrite <- exp_plus. f_equal.
      pose proof step_positive as G.
      destruct (exactly alpha (IZR k * granularity)) as [same _];
        [rewrite A; apply Rmult_le_pos; lra | apply Rmult_le_pos; lra |].
      rewrite <- same, plus_IZR, A. f_equal. ring.
    Qed.
    (* The half from 0 on: its first weight, and itself a step on. *)
    Lemma half_total : total half = weight 0 + exp (log_tail granularity) * total half.
    Proof.
      rewrite <- (total_moved (-1) half half_summable) at 2. rewrite <- total_multiple.
      rewrite <- (total_point (weight 0)) at 1.
      rewrite <- total_sum;
        [| apply summable_point | apply summable_multiple, (summable_moved (-1) half), half_summable].
      apply total_same. intro k. unfold half. destruct Z.eq_dec as [zero | nonzero].
      - subst. simpl. ring.
      - repeat destruct Z_le_dec; try lia; [| ring]. replace k with (k + -1 + 1)%Z at 1 by lia.
        rewrite (exact_weight granularity) by (lia || ring). ring.
    Qed.
    Lemma halves_total : total half + total half = total weight + weight 0.
    Proof.
      rewrite <- (total_mirrored half half_summable) at 2. rewrite <- (total_point (weight 0)).
      rewrite <- !total_sum; [| exact has_a_sum | apply summable_point | apply half_summable |
        apply summable_mirrored, half_summable].
      apply total_same. intro k. unfold half. rewrite (weight_mirrored exact_tail_is_bounded).
      destruct Z.eq_dec; [subst; simpl; ring |]. repeat destruct Z_le_dec; try lia; ring.
    Qed.

    (* noise_tail, exactly: at a grid point alpha > 0. *)
    Theorem noise_tail_exactly alpha x :
      0 < alpha -> on_grid granularity alpha ->
      E (noisy x) (at_least alpha x) = 2 * exp (log_tail alpha) / (1 + exp (log_tail granularity)).
    Proof.
      intros A (m & M). pose proof step_positive as G. pose proof noise_weight_total as N.
      assert (m_positive : (0 < m)%Z) by (apply lt_IZR; apply (Rmult_lt_reg_r granularity); lra).
      pose proof (summable_moved (- m) half half_summable) as right.
      assert (T : total (fun k => at_least alpha x (x + IZR k * granularity) * weight k) =
        exp (log_tail alpha) * (total half + total half)).
      { rewrite <- (total_moved (- m) half half_summable).
        rewrite <- (total_mirrored _ right) at 2.
        rewrite <- total_sum by (try apply (summable_mirrored _ right); exact right).
        rewrite <- total_multiple. apply total_same. intro k. unfold at_least.
        replace (x + IZR k * granularity - x) with (IZR k * granularity) by ring.
        assert (reached : alpha <= Rabs (IZR k * granularity) <-> (m <= k \/ m <= - k)%Z).
        { rewrite M, Rabs_mult, (Rabs_pos_eq granularity), <- abs_IZR by lra. split.
          - intro R. apply Rmult_le_reg_r in R; [| exact G]. apply le_IZR in R. lia.
          - intro R. apply Rmult_le_compat_r; [lra |]. apply IZR_le. lia. }
        unfold half. destruct Rle_dec as [there | not].
        - destruct (proj1 reached there) as [K | K]; repeat destruct Z_le_dec; try lia.
          + replace k with (k + - m + m)%Z at 1 by lia. rewrite (exact_weight alpha) by (assumption || lia). ring.
          + rewrite <- (weight_mirrored exact_tail_is_bounded). replace (- k)%Z with (- k + - m + m)%Z at 1 by lia.
            rewrite (exact_weight alpha) by (assumption || lia). ring.
        - repeat destruct Z_le_dec; try (exfalso; apply not, reached; lia). ring. }
      unfold noisy. rewrite add_noise_at. fold weight. rewrite T.
      pose proof half_total as H. pose proof halves_total as H'. pose proof (exp_pos (log_tail granularity)) as P.
      set (r := exp (log_tail granularity)) in *.
      replace (total weight) with (total half * (1 + r)) by lra. field.
      split; [lra |]. intro zero. rewrite zero in H'. pose proof (weight_positive log_weight granularity 0) as W.
      fold weight in W. lra.
    Qed.
    (* To be more than a grid point alpha is to be at least the next. *)
    Theorem noise_tail_more_than_exactly alpha x :
      0 <= alpha -> on_grid granularity alpha ->
      E (noisy x) (more_than alpha x) =
      2 * exp (log_tail (alpha + granularity)) / (1 + exp (log_tail granularity)).
    Proof.
      intros A (m & M). pose proof step_positive as G. rewrite <- (noise_tail_exactly (alpha + granularity) x).
      - unfold noisy. rewrite !add_noise_at. f_equal. apply total_same. intro k. f_equal. unfold more_than, at_least.
        replace (x + IZR k * granularity - x) with (IZR k * granularity) by ring.
        rewrite Rabs_mult, (Rabs_pos_eq granularity), <- abs_IZR, M by lra.
        destruct Rlt_dec as [less | not], Rle_dec as [le | not']; try reflexivity; exfalso.
        + apply not'. apply Rmult_lt_reg_r in less; [| exact G]. apply lt_IZR in less.
          assert (IZR m + 1 <= IZR (Z.abs k)) by (rewrite <- plus_IZR; apply IZR_le; lia).
          replace (IZR m * granularity + granularity) with ((IZR m + 1) * granularity) by ring.
          apply Rmult_le_compat_r; lra.
        + apply not. lra.
      - lra.
      - exists (m + 1)%Z. rewrite plus_IZR, M. ring.
    Qed.
  End exact_tail.
End noise_tail.

(* clamped_noise: clamp(x + Z) on the multiples of the granularity from lower to upper, by its masses: edge(weight) at
   either end and interior(weight) between. *)
Section clamped_noise.
  Variables (log_weight privacy_map : R -> R) (interior edge : R -> R -> R).
  Variables (granularity lower upper : R) (first last : Z).
  Hypothesis lower_on_grid : lower = IZR first * granularity.
  Hypothesis upper_on_grid : upper = IZR last * granularity.
  Hypothesis range_is_a_range : 0 < granularity /\ lower < upper.
  Hypothesis geometric : weights_are_geometric log_weight granularity.
  Hypothesis masses_scale_with_the_weight : forall c weight ratio, 0 < ratio /\ ratio < 1 ->
    interior (c * weight) ratio = c * interior weight ratio /\ edge (c * weight) ratio = c * edge weight ratio.
  Hypothesis masses_are_positive : forall ratio, 0 < ratio /\ ratio < 1 -> 0 < interior 1 ratio /\ 0 < edge 1 ratio.
  Hypothesis tail_telescopes : forall weight ratio, 0 < ratio /\ ratio < 1 ->
    edge weight ratio = interior weight ratio + edge (weight * ratio) ratio.
  Hypothesis tails_sum_to_1 : forall ratio, 0 < ratio /\ ratio < 1 -> edge 1 ratio + edge ratio ratio = 1.

  Let ratio := exp (log_weight granularity).
  Definition clamped_mass (x : R) (k : Z) :=
    let weight := exp (log_weight (IZR k * granularity - x)) in
    if Z.eq_dec k first then edge weight ratio else if Z.eq_dec k last then edge weight ratio
    else if Z_lt_dec first k then if Z_lt_dec k last then interior weight ratio else 0 else 0.

  Lemma ratio_between : 0 < ratio < 1.
  Proof. apply geometric_ratio, geometric. Qed.
  Lemma range_order : (first < last)%Z.
  Proof.
    apply lt_IZR, (Rmult_lt_reg_r granularity); [apply range_is_a_range |].
    rewrite <- lower_on_grid, <- upper_on_grid. apply range_is_a_range.
  Qed.
  Lemma edge_of weight : edge weight ratio = weight * edge 1 ratio.
  Proof. rewrite <- (Rmult_1_r weight) at 1. apply masses_scale_with_the_weight, ratio_between. Qed.
  Lemma interior_of weight : interior weight ratio = weight * interior 1 ratio.
  Proof. rewrite <- (Rmult_1_r weight) at 1. apply masses_scale_with_the_weight, ratio_between. Qed.
  Lemma interior_is : interior 1 ratio = edge 1 ratio - ratio * edge 1 ratio.
  Proof.
    pose proof (tail_telescopes 1 ratio ratio_between) as T. rewrite Rmult_1_l, (edge_of ratio) in T. lra.
  Qed.
  Lemma edge_is : edge 1 ratio + ratio * edge 1 ratio = 1.
  Proof. rewrite <- edge_of. apply tails_sum_to_1, ratio_between. Qed.

  Lemma clamped_mass_nonnegative x k : 0 <= clamped_mass x k.
  Proof.
    destruct (masses_are_positive ratio ratio_between). unfold clamped_mass. rewrite edge_of, interior_of.
    pose proof (exp_pos (log_weight (IZR k * granularity - x))).
    repeat (destruct Z.eq_dec || destruct Z_lt_dec); try lra; left; apply Rmult_lt_0_compat; assumption.
  Qed.
  Lemma clamped_mass_summable x : summable (clamped_mass x).
  Proof.
    apply (summable_on_a_range _ first last). intros k K. pose proof range_order. unfold clamped_mass.
    repeat (destruct Z.eq_dec || destruct Z_lt_dec); try lia; reflexivity.
  Qed.
  Lemma clamped_mass_positive x : 0 < total (clamped_mass x).
  Proof.
    apply Rlt_le_trans with (clamped_mass x first);
      [| apply total_at_least; [apply clamped_mass_summable | apply clamped_mass_nonnegative]].
    unfold clamped_mass. destruct Z.eq_dec; [| lia]. rewrite edge_of.
    apply Rmult_lt_0_compat; [apply exp_pos | apply masses_are_positive, ratio_between].
  Qed.

  (* normalised, for clamped noise: for an input in the range the masses sum to 1. *)
  Theorem normalised_clamped j : (first <= j <= last)%Z -> total (clamped_mass (IZR j * granularity)) = 1.
  Proof.
    intro J. pose proof range_order as order. pose (power := fun k => ratio ^ Z.abs_nat k).
    pose (cumulative := fun k =>
      if Z_lt_dec k first then 0 else if Z_le_dec last k then 1
      else if Z_lt_dec k j then power (j - k)%Z * edge 1 ratio else 1 - power (k + 1 - j)%Z * edge 1 ratio).
    rewrite <- (total_of_growth cumulative first last).
    - apply total_same. intro k. unfold clamped_mass. rewrite edge_of, interior_of, interior_is.
      replace (IZR k * granularity - IZR j * granularity) with (IZR (k - j) * granularity) by (rewrite minus_IZR; ring).
      replace (exp (log_weight (IZR (k - j) * granularity))) with (power (k - j)%Z)
        by (symmetry; apply (geometric_weight _ _ geometric)).
      pose proof edge_is as sum.
      assert (next : forall n, (0 <= n)%Z -> power (n + 1)%Z = power n * ratio).
      { intros n N. unfold power. replace (Z.abs_nat (n + 1)) with (S (Z.abs_nat n)) by lia. simpl. ring. }
      assert (same : forall n, power (- n)%Z = power n) by (intro n; unfold power; f_equal; lia).
      assert (one : power 0%Z = 1) by reflexivity.
      unfold cumulative. destruct (Z_lt_dec k j) as [before | from].
      + replace (j - (k - 1))%Z with (j - k + 1)%Z by lia. rewrite next by lia.
        replace (power (k - j)%Z) with (power (j - k)%Z) by (rewrite <- same; f_equal; lia).
        repeat (destruct Z.eq_dec || destruct Z_lt_dec || destruct Z_le_dec); try lia; ring.
      + destruct (Z.eq_dec k j) as [here | beyond].
        * subst. replace (j - j)%Z with 0%Z by lia. replace (j + 1 - j)%Z with (0 + 1)%Z by lia.
          replace (j - (j - 1))%Z with (0 + 1)%Z by lia. rewrite next, one by lia.
          repeat (destruct Z.eq_dec || destruct Z_lt_dec || destruct Z_le_dec); try lia; lra.
        * replace (k + 1 - j)%Z with (k - j + 1)%Z by lia. rewrite next by lia.
          replace (k - 1 + 1 - j)%Z with (k - j)%Z by lia.
          repeat (destruct Z.eq_dec || destruct Z_lt_dec || destruct Z_le_dec); try lia; ring.
    - intros k K. unfold cumulative. destruct Z_lt_dec; [reflexivity | lia].
    - intros k K. unfold cumulative. destruct Z_lt_dec; [lia |]. destruct Z_le_dec; [reflexivity | lia].
  Qed.

  Definition clamped : mechanism R (plain R) := fun x =>
    law_of_weights (fun k => IZR k * granularity) (clamped_mass x) (clamped_mass_nonnegative x)
      (clamped_mass_summable x) (clamped_mass_positive x).
  Definition bounded_grid (d_in x y : R) :=
    absolute granularity d_in x y /\ lower <= x <= upper /\ lower <= y <= upper.

  (* clamped_noise: clamp(x + Z) : absolute(d_in) |-> pure(map(d_in)). *)
  Theorem clamped_noise d_in :
    loss_is_bounded log_weight privacy_map -> private (bounded_grid d_in) clamped (pure (privacy_map d_in)).
  Proof.
    intros loss x y (((i & X) & (j & Y) & near) & between_x & between_y).
    assert (in_range : forall k, lower <= IZR k * granularity <= upper -> (first <= k <= last)%Z).
    { intros k K. rewrite lower_on_grid, upper_on_grid in K. destruct range_is_a_range as [step _].
      split; apply le_IZR, (Rmult_le_reg_r granularity); lra. }
    apply weights_within.
    - rewrite X, Y, !normalised_clamped by (apply in_range; congruence). reflexivity.
    - intro k. unfold clamped_mass.
      rewrite (edge_of (exp (log_weight (IZR k * granularity - x)))).
      rewrite (edge_of (exp (log_weight (IZR k * granularity - y)))).
      rewrite (interior_of (exp (log_weight (IZR k * granularity - x)))).
      rewrite (interior_of (exp (log_weight (IZR k * granularity - y)))).
      pose proof (loss (IZR k * granularity) x y d_in near) as L.
      assert (W : exp (log_weight (IZR k * granularity - x)) <=
        exp (privacy_map d_in) * exp (log_weight (IZR k * granularity - y))).
      { rewrite <- exp_plus. apply exp_le. lra. }
      destruct (masses_are_positive ratio ratio_between) as [I Ed].
      repeat (destruct Z.eq_dec || destruct Z_lt_dec); rewrite <- ?Rmult_assoc; try lra;
        apply Rmult_le_compat_r; lra.
  Qed.
End clamped_noise.

(* Discrete Laplace noise: every scale and every granularity. *)
Section discrete_laplace.
  Variables scale granularity : R.
  Hypothesis scale_positive : 0 < scale.
  Hypothesis granularity_positive : 0 < granularity.
  Let log_weight z := - Rabs z / scale.
  Let privacy_map d_in := d_in / scale.

  Lemma discrete_laplace_tail : tail_is_geometric log_weight (1 / scale) (0 * scale) granularity.
  Proof.
    intro z. unfold log_weight. repeat split; [right; field; lra | | exact granularity_positive].
    apply Rdiv_lt_0_compat; lra.
  Qed.
  Lemma discrete_laplace_loss : loss_is_bounded log_weight privacy_map.
  Proof.
    intros y a b d_in near. unfold log_weight, privacy_map, Rdiv.
    rewrite <- Rmult_minus_distr_r. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, scale_positive |].
    unfold Rabs in *. repeat destruct Rcase_abs; lra.
  Qed.
  Lemma discrete_laplace_accumulates : losses_accumulate privacy_map.
  Proof.
    intros d_1 d_2 d _ _ _ below. unfold privacy_map, Rdiv. rewrite <- Rmult_plus_distr_r.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, scale_positive | exact below].
  Qed.

  Definition discrete_laplace := add_noise log_weight granularity (weights_summable _ _ _ _ discrete_laplace_tail).
  Definition discrete_laplace_vector :=
    add_noise_to_vector log_weight granularity (weights_summable _ _ _ _ discrete_laplace_tail).

  Theorem discrete_laplace_private d_in : private (absolute granularity d_in) discrete_laplace (pure (d_in / scale)).
  Proof. apply (additive_noise _ _ _ _ privacy_map), discrete_laplace_loss. Qed.
  Theorem discrete_laplace_vector_private d_in :
    private (l1 granularity d_in) discrete_laplace_vector (pure (d_in / scale)).
  Proof.
    apply (additive_noise_vector _ _ _ _ privacy_map);
      [apply discrete_laplace_loss | apply discrete_laplace_accumulates].
  Qed.

  Lemma discrete_laplace_geometric : weights_are_geometric log_weight granularity.
  Proof.
    intro k. unfold log_weight. rewrite Rabs_mult, (Rabs_pos_eq granularity) by lra. split; [field; lra |].
    unfold Rdiv. apply Ropp_lt_cancel. rewrite Ropp_0, Ropp_mult_distr_l_reverse, Ropp_involutive.
    apply Rmult_lt_0_compat; [exact granularity_positive | apply Rinv_0_lt_compat, scale_positive].
  Qed.
  Lemma discrete_laplace_normaliser : sum_is_the_normaliser (fun ratio => (1 + ratio) / (1 - ratio)).
  Proof. intros ratio between. field. lra. Qed.
  Lemma discrete_laplace_log_tail : tail_is_exact log_weight (fun alpha => - alpha / scale).
  Proof.
    intros alpha h A H. unfold log_weight. rewrite Rabs_Ropp, !Rabs_pos_eq by lra. split; [field; lra |].
    split; [| reflexivity]. unfold Rdiv. rewrite Ropp_mult_distr_l_reverse.
    apply Ropp_le_cancel. rewrite Ropp_0, Ropp_involutive.
    apply Rmult_le_pos; [exact A | left; apply Rinv_0_lt_compat, scale_positive].
  Qed.
  Theorem discrete_laplace_error_exactly alpha x :
    0 < alpha -> on_grid granularity alpha ->
    E (discrete_laplace x) (at_least alpha x) = 2 * exp (- alpha / scale) / (1 + exp (- granularity / scale)).
  Proof. apply (noise_tail_exactly _ (fun alpha => - alpha / scale)), discrete_laplace_log_tail. Qed.
  (* The same noise, clamped. *)
  Let interior weight ratio := weight * (1 - ratio) / (1 + ratio).
  Let edge weight ratio := weight / (1 + ratio).
  Lemma truncated_geometric_scales c weight ratio : 0 < ratio /\ ratio < 1 ->
    interior (c * weight) ratio = c * interior weight ratio /\ edge (c * weight) ratio = c * edge weight ratio.
  Proof. intros [positive below]. unfold interior, edge. split; field; lra. Qed.
  Lemma truncated_geometric_positive ratio : 0 < ratio /\ ratio < 1 -> 0 < interior 1 ratio /\ 0 < edge 1 ratio.
  Proof. intros [positive below]. unfold interior, edge. split; apply Rdiv_lt_0_compat; lra. Qed.
  Definition truncated_geometric first last (order : IZR first * granularity < IZR last * granularity) :=
    clamped log_weight interior edge granularity _ _ first last eq_refl eq_refl (conj granularity_positive order)
      discrete_laplace_geometric truncated_geometric_scales truncated_geometric_positive.
  Theorem truncated_geometric_private first last order d_in :
    private (bounded_grid granularity (IZR first * granularity) (IZR last * granularity) d_in)
      (truncated_geometric first last order) (pure (d_in / scale)).
  Proof.
    apply (clamped_noise _ privacy_map).
    - intros weight ratio [positive below]. unfold interior, edge. field. lra.
    - intros ratio [positive below]. unfold edge. field. lra.
    - apply discrete_laplace_loss.
  Qed.

  Theorem discrete_laplace_error alpha x :
    0 <= alpha -> E (discrete_laplace x) (at_least alpha x) <= 2 * exp (- alpha / scale).
  Proof.
    apply (noise_tail _ (fun alpha => - alpha / scale)). intros a h A H.
    destruct (discrete_laplace_log_tail a h A H) as (same & more). split; [right; exact same | exact more].
  Qed.
End discrete_laplace.

(* Whole numbers, scale 6: at distance 3 the loss is 1/2. *)
Example discrete_laplace_of_scale_6 (six : 0 < 6) (one : 0 < 1) :
  pure (1 / 2) (discrete_laplace 6 1 six one 10) (discrete_laplace 6 1 six one 13).
Proof.
  replace (1 / 2) with (3 / 6) by field. apply discrete_laplace_private.
  repeat split; [exists 10%Z; ring | exists 13%Z; ring | unfold Rabs; destruct Rcase_abs; lra].
Qed.

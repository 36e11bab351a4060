(* Sums over the whole numbers, and laws that are such sums.

   A function on the whole numbers is summable if it is absolutely so on either side of 0; its total is the sum from 0
   on plus the sum below 0, both series of Coquelicot.  Weights that are not negative and have a positive total make a
   law: point k has a share of its weight.  Where point k stands for k * granularity this is a law on a grid. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy.
Open Scope R_scope.

Definition from_zero (a : Z -> R) (n : nat) := a (Z.of_nat n).
Definition below_zero (a : Z -> R) (n : nat) := a (- Z.of_nat (S n))%Z.
Definition summable (a : Z -> R) :=
  ex_series (fun n => Rabs (from_zero a n)) /\ ex_series (fun n => Rabs (below_zero a n)).
Definition total (a : Z -> R) := Series (from_zero a) + Series (below_zero a).

Lemma summable_series a : summable a -> ex_series (from_zero a) /\ ex_series (below_zero a).
Proof. intros [A B]. split; apply ex_series_Rabs; assumption. Qed.

Lemma series_below (a b : nat -> R) : ex_series b -> (forall n, Rabs (a n) <= b n) -> ex_series a.
Proof. intros B below. apply (ex_series_le a b); [exact below | exact B]. Qed.
Lemma series_nonnegative (a : nat -> R) : ex_series a -> (forall n, 0 <= a n) -> 0 <= Series a.
Proof.
  intros A positive. replace 0 with (Series (fun n => 0 * a n)) by (rewrite Series_scal_l; ring).
  apply Series_le; [intro n; specialize (positive n); lra | exact A].
Qed.

Lemma summable_below a b : summable b -> (forall k, Rabs (a k) <= b k) -> summable a.
Proof.
  intros S below. destruct (summable_series b S) as [A B].
  split; [apply (series_below _ (from_zero b)) | apply (series_below _ (below_zero b))]; try assumption;
    intro n; rewrite Rabs_Rabsolu; apply below.
Qed.
Lemma summable_absolute a : summable a -> summable (fun k => Rabs (a k)).
Proof.
  intros [A B]. split;
    [apply (ex_series_ext (fun n => Rabs (from_zero a n))) | apply (ex_series_ext (fun n => Rabs (below_zero a n)))];
    try assumption; intro n; symmetry; apply Rabs_Rabsolu.
Qed.
Lemma summable_same a b : (forall k, a k = b k) -> summable a -> summable b.
Proof.
  intros same S. apply (summable_below _ (fun k => Rabs (a k))); [apply summable_absolute, S |].
  intro k. rewrite same. lra.
Qed.
Lemma summable_sum a b : summable a -> summable b -> summable (fun k => a k + b k).
Proof.
  intros A B. destruct A as [A1 A2], B as [B1 B2].
  assert (S : summable (fun k => Rabs (a k) + Rabs (b k))).
  { split; [eapply ex_series_ext; [| apply (ex_series_plus _ _ A1 B1)] |
            eapply ex_series_ext; [| apply (ex_series_plus _ _ A2 B2)]];
      intro n; symmetry; apply (Rabs_pos_eq (_ + _)); apply Rplus_le_le_0_compat; apply Rabs_pos. }
  apply (summable_below _ _ S). intro k. apply Rabs_triang.
Qed.
Lemma series_multiple c (a : nat -> R) : ex_series a -> ex_series (fun n => c * a n).
Proof. exact (ex_series_scal_l c a). Qed.
Lemma summable_multiple c a : summable a -> summable (fun k => c * a k).
Proof.
  intros [A B]. split;
    [eapply ex_series_ext; [| apply (series_multiple (Rabs c) _ A)] |
     eapply ex_series_ext; [| apply (series_multiple (Rabs c) _ B)]];
    intro n; symmetry; apply Rabs_mult.
Qed.
Lemma summable_bounded_times (f a : Z -> R) : bounded f -> summable a -> summable (fun k => f k * a k).
Proof.
  intros [c C] A. apply (summable_below _ (fun k => c * Rabs (a k))).
  - apply summable_multiple, summable_absolute, A.
  - intro k. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos |]. apply Rabs_le, C.
Qed.

Lemma total_same a b : (forall k, a k = b k) -> total a = total b.
Proof. intro same. unfold total. f_equal; apply Series_ext; intro n; apply same. Qed.
Lemma total_sum a b : summable a -> summable b -> total (fun k => a k + b k) = total a + total b.
Proof.
  intros A B. destruct (summable_series a A), (summable_series b B). unfold total.
  unfold from_zero at 1, below_zero at 1. rewrite !Series_plus by assumption.
  unfold from_zero, below_zero. ring.
Qed.
Lemma total_multiple c a : total (fun k => c * a k) = c * total a.
Proof. unfold total, from_zero, below_zero. rewrite !Series_scal_l. ring. Qed.
Lemma total_nonnegative a : summable a -> (forall k, 0 <= a k) -> 0 <= total a.
Proof.
  intros A positive. destruct (summable_series a A).
  apply Rplus_le_le_0_compat; apply series_nonnegative; try assumption; intro; apply positive.
Qed.
Lemma total_difference a b : summable a -> summable b -> total (fun k => a k - b k) = total a - total b.
Proof.
  intros A B. rewrite (total_same _ (fun k => a k + -1 * b k)) by (intro; ring).
  rewrite total_sum, total_multiple; [ring | exact A | apply summable_multiple, B].
Qed.
Lemma summable_difference a b : summable a -> summable b -> summable (fun k => a k - b k).
Proof.
  intros A B. apply (summable_same (fun k => a k + -1 * b k)); [intro; ring |].
  apply summable_sum; [exact A | apply summable_multiple, B].
Qed.
Lemma total_monotone a b : summable a -> summable b -> (forall k, a k <= b k) -> total a <= total b.
Proof.
  intros A B below. assert (N : 0 <= total (fun k => b k - a k)).
  { apply total_nonnegative; [apply summable_difference; assumption | intro k; specialize (below k); lra]. }
  rewrite total_difference in N by assumption. lra.
Qed.

(* A total does not change when the function is moved along the whole numbers, or mirrored. *)
Lemma next_from_zero a n : from_zero (fun k => a (k + 1)%Z) n = from_zero a (S n).
Proof. unfold from_zero. f_equal. lia. Qed.
Lemma next_below_zero a n : below_zero (fun k => a (k + 1)%Z) (S n) = below_zero a n.
Proof. unfold below_zero. f_equal. lia. Qed.
Lemma summable_next a : summable a <-> summable (fun k => a (k + 1)%Z).
Proof.
  split; intros [A B]; split.
  - apply (ex_series_ext (fun n => Rabs (from_zero a (S n)))); [intro; rewrite next_from_zero; reflexivity |].
    apply (ex_series_incr_1 (fun n => Rabs (from_zero a n))), A.
  - apply (ex_series_incr_1 (fun n => Rabs (below_zero _ n))).
    apply (ex_series_ext (fun n => Rabs (below_zero a n))); [intro; rewrite next_below_zero; reflexivity | exact B].
  - apply (ex_series_incr_1 (fun n => Rabs (from_zero a n))).
    apply (ex_series_ext (fun n => Rabs (from_zero (fun k => a (k + 1)%Z) n)));
      [intro; rewrite next_from_zero; reflexivity | exact A].
  - apply (ex_series_incr_1 (fun n => Rabs (below_zero _ n))) in B.
    apply (ex_series_ext (fun n => Rabs (below_zero (fun k => a (k + 1)%Z) (S n))));
      [intro; rewrite next_below_zero; reflexivity | exact B].
Qed.
Lemma total_next a : summable a -> total (fun k => a (k + 1)%Z) = total a.
Proof.
  intro A. destruct (summable_series _ A) as [F _]. destruct (summable_series _ (proj1 (summable_next a) A)) as [_ B].
  unfold total. rewrite (Series_incr_1 (from_zero a) F), (Series_incr_1 (below_zero (fun k => a (k + 1)%Z)) B).
  rewrite (Series_ext _ _ (next_from_zero a)), (Series_ext _ _ (next_below_zero a)).
  replace (below_zero (fun k => a (k + 1)%Z) 0) with (from_zero a 0) by reflexivity. ring.
Qed.
Lemma summable_moved m : forall a, summable a -> summable (fun k => a (k + m)%Z).
Proof.
  induction m using Z.peano_ind; intros a A.
  - apply (summable_same a); [intro; f_equal; lia | exact A].
  - apply (summable_same (fun k => a (k + m + 1)%Z)); [intro; f_equal; lia |].
    apply (IHm (fun k => a (k + 1)%Z)), (proj1 (summable_next a)), A.
  - apply (proj2 (summable_next _)). apply (summable_same (fun k => a (k + m)%Z)); [intro; f_equal; lia | apply IHm, A].
Qed.
Lemma total_moved m : forall a, summable a -> total (fun k => a (k + m)%Z) = total a.
Proof.
  induction m using Z.peano_ind; intros a A.
  - apply total_same. intro. f_equal. lia.
  - pose (b := fun k => a (k + m)%Z). rewrite <- (IHm a A). fold b.
    rewrite <- (total_next b) by (apply summable_moved, A). apply total_same. intro. unfold b. f_equal. lia.
  - pose (b := fun k => a (k + Z.pred m)%Z). fold b.
    rewrite <- (total_next b), <- (IHm a A) by (apply summable_moved, A).
    apply total_same. intro. unfold b. f_equal. lia.
Qed.
Lemma mirrored_from_zero a n : from_zero (fun k => a (- k)%Z) (S n) = below_zero a n.
Proof. reflexivity. Qed.
Lemma mirrored_below_zero a n : below_zero (fun k => a (- k)%Z) n = from_zero a (S n).
Proof. reflexivity. Qed.
Lemma summable_mirrored a : summable a -> summable (fun k => a (- k)%Z).
Proof.
  intros [A B]. split.
  - apply (ex_series_incr_1 (fun n => Rabs (from_zero _ n))).
    apply (ex_series_ext (fun n => Rabs (below_zero a n))); [intro; rewrite mirrored_from_zero; reflexivity | exact B].
  - apply (ex_series_ext (fun n => Rabs (from_zero a (S n)))); [intro; rewrite mirrored_below_zero; reflexivity |].
    apply (ex_series_incr_1 (fun n => Rabs (from_zero a n))), A.
Qed.
Lemma total_mirrored a : summable a -> total (fun k => a (- k)%Z) = total a.
Proof.
  intro A. destruct (summable_series _ A) as [F _]. destruct (summable_series _ (summable_mirrored a A)) as [B _].
  unfold total. rewrite (Series_incr_1 _ F), (Series_incr_1 (from_zero (fun k => a (- k)%Z)) B).
  rewrite (Series_ext _ _ (mirrored_from_zero a)), (Series_ext _ _ (mirrored_below_zero a)).
  replace (from_zero (fun k => a (- k)%Z) 0) with (from_zero a 0) by reflexivity. ring.
Qed.
Lemma total_at_least a k : summable a -> (forall j, 0 <= a j) -> a k <= total a.
Proof.
  intros A positive. rewrite <- (total_moved k a A). pose proof (summable_moved k a A) as M.
  destruct (summable_series _ M) as [F B]. unfold total. rewrite (Series_incr_1 _ F).
  replace (from_zero (fun j => a (j + k)%Z) 0) with (a k) by (unfold from_zero; f_equal; lia).
  apply (ex_series_incr_1 (from_zero (fun j => a (j + k)%Z))) in F.
  pose proof (series_nonnegative _ F ltac:(intro; apply positive)) as X.
  pose proof (series_nonnegative _ B ltac:(intro; apply positive)). lra.
Qed.
Lemma total_positive a : summable a -> (forall k, 0 < a k) -> 0 < total a.
Proof.
  intros A positive. apply Rlt_le_trans with (a 0%Z); [apply positive |].
  apply total_at_least; [exact A | intro; left; apply positive].
Qed.

(* Geometric sums. *)
Lemma distance_below n : Z.abs_nat (- Z.of_nat n) = n.
Proof. lia. Qed.
Lemma summable_geometric ratio : 0 <= ratio < 1 -> summable (fun k => ratio ^ Z.abs_nat k).
Proof.
  intros [N L]. assert (P : forall n, 0 <= ratio ^ n) by (intro; apply pow_le, N).
  assert (G : ex_series (fun n => ratio ^ n)) by (apply ex_series_geom; rewrite Rabs_pos_eq; lra).
  split.
  - apply (ex_series_ext (fun n => ratio ^ n)); [| exact G].
    intro n. unfold from_zero. rewrite Zabs2Nat.id, Rabs_pos_eq by apply P. reflexivity.
  - apply (ex_series_ext (fun n => ratio ^ S n)); [| apply (ex_series_incr_1 (fun n => ratio ^ n)), G].
    intro n. unfold below_zero. rewrite distance_below, Rabs_pos_eq by apply P. reflexivity.
Qed.
Lemma total_geometric ratio : 0 <= ratio < 1 -> total (fun k => ratio ^ Z.abs_nat k) = (1 + ratio) / (1 - ratio).
Proof.
  intros [N L]. assert (B : Rabs ratio < 1) by (rewrite Rabs_pos_eq; lra). unfold total.
  rewrite (Series_ext (from_zero _) (fun n => ratio ^ n));
    [| intro n; unfold from_zero; rewrite Zabs2Nat.id; reflexivity].
  rewrite (Series_ext (below_zero _) (fun n => ratio * ratio ^ n));
    [| intro n; unfold below_zero; rewrite distance_below; reflexivity].
  rewrite (Series_scal_l ratio (fun n => ratio ^ n)), (Series_geom ratio B). field. lra.
Qed.
Lemma summable_point c : summable (fun k => if Z.eq_dec k 0 then c else 0).
Proof.
  apply (summable_below _ (fun k => Rabs c * (/ 2) ^ Z.abs_nat k)).
  - apply summable_multiple, summable_geometric. lra.
  - intro k. pose proof (Rabs_pos c). destruct Z.eq_dec as [zero |]; [subst; simpl; lra |].
    rewrite Rabs_R0. apply Rmult_le_pos; [assumption | apply pow_le; lra].
Qed.
Lemma total_point c : total (fun k => if Z.eq_dec k 0 then c else 0) = c.
Proof.
  destruct (summable_series _ (summable_point c)) as [F _]. unfold total. rewrite (Series_incr_1 _ F).
  rewrite (Series_ext (fun n => from_zero _ (S n)) (fun n => 0 * 0));
    [| intro n; unfold from_zero; destruct Z.eq_dec; [lia | ring]].
  rewrite (Series_ext (below_zero _) (fun n => 0 * 0));
    [| intro n; unfold below_zero; destruct Z.eq_dec; [lia | ring]].
  rewrite (Series_scal_l 0 (fun _ => 0)). unfold from_zero. simpl. ring.
Qed.
(* A function that is 0 but for a range is summable; the total of what another one with limits 0 and 1 grows by is 1. *)
Lemma series_of_zeros : ex_series (fun _ => 0).
Proof.
  assert (zeros : forall n : nat, 0 * (/ 2) ^ n = 0) by (intro; ring).
  refine (ex_series_ext _ _ zeros (series_multiple 0 _ (ex_series_geom (/ 2) _))). rewrite Rabs_pos_eq; lra.
Qed.
Lemma summable_on_a_range a first last : (forall k, (k < first \/ last < k)%Z -> a k = 0) -> summable a.
Proof.
  intro outside. pose (n := Z.to_nat (Z.abs first + Z.abs last + 1)).
  split; apply (proj2 (ex_series_incr_n _ n)), (ex_series_ext (fun _ => 0)); try apply series_of_zeros; intro m;
    unfold from_zero, below_zero; rewrite outside, Rabs_R0 by lia; reflexivity.
Qed.
Lemma total_of_growth (cumulative : Z -> R) first last :
  (forall k, (k < first)%Z -> cumulative k = 0) -> (forall k, (last <= k)%Z -> cumulative k = 1) ->
  total (fun k => cumulative k - cumulative (k - 1)%Z) = 1.
Proof.
  intros none all. pose (jump := fun k => if Z_le_dec 0 k then 1 else 0). pose (rest := fun k => cumulative k - jump k).
  assert (S : summable rest).
  { apply (summable_on_a_range _ (- Z.abs first) (Z.abs last)). intros k K. unfold rest, jump.
    destruct K, Z_le_dec; try lia; [rewrite none by lia | rewrite all by lia]; ring. }
  pose proof (summable_moved (-1) rest S) as S'.
  rewrite (total_same _ (fun k => (rest k - rest (k + -1)%Z) + (if Z.eq_dec k 0 then 1 else 0))).
  - rewrite total_sum; [| apply summable_difference; assumption | apply summable_point].
    rewrite total_difference by assumption. rewrite (total_moved (-1) rest S), total_point. ring.
  - intro k. unfold rest, jump. replace (k + -1)%Z with (k - 1)%Z by lia.
    destruct Z.eq_dec; repeat destruct Z_le_dec; try lia; ring.
Qed.
Lemma power_of_exp c n : exp c ^ n = exp (INR n * c).
Proof.
  induction n; [simpl; rewrite Rmult_0_l, exp_0; reflexivity |].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, Rmult_1_l, <- IHn. simpl. ring.
Qed.
Lemma distance_from_zero k : Rabs (IZR k) = INR (Z.abs_nat k).
Proof. rewrite INR_IZR_INZ, Zabs2Nat.id_abs. symmetry. apply abs_IZR. Qed.
Lemma summable_exponential rate : 0 < rate -> summable (fun k => exp (- rate * Rabs (IZR k))).
Proof.
  intro R. apply (summable_same (fun k => exp (- rate) ^ Z.abs_nat k)).
  - intro k. rewrite power_of_exp, distance_from_zero. f_equal. ring.
  - apply summable_geometric. split; [left; apply exp_pos |]. rewrite <- exp_0. apply exp_increasing. lra.
Qed.

(* Weights that sum to a positive number make a law: `value k` comes up with probability weight k / total weight. *)
Section weights.
  Context {T : Type}.
  Variables (value : Z -> T) (weight : Z -> R).
  Hypothesis weight_nonnegative : forall k, 0 <= weight k.
  Hypothesis weight_summable : summable weight.
  Hypothesis weight_total : 0 < total weight.

  Definition expectation (f : T -> R) := total (fun k => f (value k) * weight k) / total weight.

  Lemma summable_observed (f : T -> R) : bounded f -> summable (fun k => f (value k) * weight k).
  Proof.
    intros [c C]. apply (summable_bounded_times (fun k => f (value k))); [| exact weight_summable].
    exists c. intro. apply C.
  Qed.

  Definition law_of_weights : law (plain T).
  Proof.
    refine (Law (plain T) expectation _ _ _ _); unfold expectation.
    - intros f g F G below. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, weight_total |].
      apply total_monotone; try (apply summable_observed; assumption).
      intro k. apply Rmult_le_compat_r; [apply weight_nonnegative | apply below].
    - intros f g F G.
      rewrite (total_same _ (fun k => f (value k) * weight k + g (value k) * weight k)) by (intro; ring).
      rewrite total_sum by (apply summable_observed; assumption). field. lra.
    - intros c f F. rewrite (total_same _ (fun k => c * (f (value k) * weight k))) by (intro; ring).
      rewrite total_multiple. field. lra.
    - rewrite (total_same _ weight) by (intro; ring). field. lra.
  Defined.

  Lemma law_of_weights_at f : E law_of_weights f = total (fun k => f (value k) * weight k) / total weight.
  Proof. reflexivity. Qed.
End weights.

(* Of two laws, if no weight of the first is more than t times that of the second, and the totals are the same. *)
Lemma weights_within {T : Type} (value : Z -> T) (weight other : Z -> R) t
    (wn : forall k, 0 <= weight k) (ws : summable weight) (wt : 0 < total weight)
    (on : forall k, 0 <= other k) (os : summable other) (ot : 0 < total other) :
  total weight = total other -> (forall k, weight k <= t * other k) ->
  within t 0 (law_of_weights value weight wn ws wt) (law_of_weights value other on os ot).
Proof.
  intros same below f [F between]. rewrite !law_of_weights_at, same, Rplus_0_r.
  unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, ot |].
  rewrite <- total_multiple. apply total_monotone.
  - apply summable_observed; assumption.
  - apply summable_multiple, summable_observed; assumption.
  - intro k. replace (t * (f (value k) * other k)) with (f (value k) * (t * other k)) by ring.
    apply Rmult_le_compat_l; [apply between | apply below].
Qed.

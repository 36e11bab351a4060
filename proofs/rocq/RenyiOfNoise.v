(* Additive noise under zero-concentrated DP, and exact Renyi divergences.

   A mean of log weights is a log weight that is shifted, so on a grid what is to be shown is that no shifted sum of the
   weights is larger than the unshifted one.  That follows from the parallelogram law, by sums over pairs in another
   order; on the reals the shift changes nothing.  Discrete and continuous Gaussian noise are instances.  Then the
   divergence of each order exactly, as the least bound, for noise on the reals and for laws of two masses.  The rules
   are additive_noise (under zCDP, and vectors of reals), renyi_divergence, renyi_bound and renyi_exceeded. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Renyi Grid Noise Line.
From Refdp Require Finite.
Import ListNotations.
Open Scope R_scope.

(* Sums over pairs of whole numbers. *)

Lemma summable_by_partial_sums a c :
  (forall k, 0 <= a k) -> (forall n, sum_n (fun j => from_zero a j + below_zero a j) n <= c) ->
  summable a /\ total a <= c.
Proof.
  intros positive below. set (b := fun j => from_zero a j + below_zero a j) in *.
  assert (B : ex_series b).
  { apply (ex_finite_lim_seq_incr (sum_n b) c); [| exact below].
    intro n. rewrite sum_Sn. unfold plus, b. simpl.
    pose proof (positive (Z.of_nat (S n))). pose proof (positive (- Z.of_nat (S (S n)))%Z).
    unfold from_zero, below_zero. lra. }
  assert (F : ex_series (from_zero a)).
  { apply (series_below _ b B). intro n. unfold b, from_zero, below_zero. rewrite Rabs_pos_eq by apply positive.
    pose proof (positive (- Z.of_nat (S n))%Z). lra. }
  assert (G : ex_series (below_zero a)).
  { apply (series_below _ b B). intro n. unfold b, from_zero, below_zero. rewrite Rabs_pos_eq by apply positive.
    pose proof (positive (Z.of_nat n)). lra. }
  split.
  - split; [apply (ex_series_ext (from_zero a)) | apply (ex_series_ext (below_zero a))]; try assumption;
      intro n; symmetry; apply (Rabs_pos_eq (a _)), positive.
  - unfold total. rewrite <- Series_plus by assumption. fold b.
    apply (is_lim_seq_le (sum_n b) (fun _ => c) (Series b) c below); [| apply is_lim_seq_const].
    exact (Series_correct b B).
Qed.
Lemma partial_sums_below_total a n : summable a -> (forall k, 0 <= a k) ->
  sum_n (fun j => from_zero a j + below_zero a j) n <= total a.
Proof.
  intros A positive. destruct (summable_series a A) as [F G]. unfold total. rewrite <- Series_plus by assumption.
  set (b := fun j => from_zero a j + below_zero a j).
  apply (is_lim_seq_incr_compare (sum_n b) (Series b)).
  - exact (Series_correct b (ex_series_plus _ _ F G)).
  - intro m. rewrite sum_Sn. unfold plus, b. simpl.
    pose proof (positive (Z.of_nat (S m))). pose proof (positive (- Z.of_nat (S (S m)))%Z).
    unfold from_zero, below_zero. lra.
Qed.
Lemma sums_exchanged (h : Z -> Z -> R) n : (forall i, summable (h i)) ->
  summable (fun k => sum_n (fun j => h (Z.of_nat j) k + h (- Z.of_nat (S j))%Z k) n) /\
  sum_n (fun j => total (h (Z.of_nat j)) + total (h (- Z.of_nat (S j))%Z)) n =
  total (fun k => sum_n (fun j => h (Z.of_nat j) k + h (- Z.of_nat (S j))%Z k) n).
Proof.
  intro H. induction n as [| n [S IH]].
  - rewrite sum_O. split.
    + apply (summable_same (fun k => h (Z.of_nat 0) k + h (- Z.of_nat 1)%Z k)); [intro; rewrite sum_O; reflexivity |].
      apply summable_sum; apply H.
    + rewrite <- total_sum by apply H. apply total_same. intro k. rewrite sum_O. reflexivity.
  - assert (N : summable (fun k => h (Z.of_nat (Datatypes.S n)) k + h (- Z.of_nat (Datatypes.S (Datatypes.S n)))%Z k))
      by (apply summable_sum; apply H).
    split.
    + eapply summable_same; [| apply (summable_sum _ _ S N)].
      intro k. rewrite sum_Sn. reflexivity.
    + rewrite sum_Sn, IH. unfold plus. simpl plus. rewrite <- total_sum by apply H.
      rewrite <- total_sum by assumption. apply total_same. intro k. rewrite sum_Sn. reflexivity.
Qed.

(* What is not negative may be summed in either order. *)
Lemma total_exchanged_below (h : Z -> Z -> R) :
  (forall i k, 0 <= h i k) -> (forall k, summable (fun i => h i k)) -> summable (fun k => total (fun i => h i k)) ->
  (forall i, summable (h i)) /\ summable (fun i => total (h i)) /\
  total (fun i => total (h i)) <= total (fun k => total (fun i => h i k)).
Proof.
  intros positive columns whole.
  assert (rows : forall i, summable (h i)).
  { intro i. apply (summable_below _ _ whole). intro k. rewrite Rabs_pos_eq by apply positive.
    apply (total_at_least (fun i => h i k)); [apply columns | intro; apply positive]. }
  split; [exact rows |]. apply summable_by_partial_sums.
  - intro i. apply total_nonnegative; [apply rows | apply positive].
  - intro n. destruct (sums_exchanged h n rows) as [S same]. unfold from_zero, below_zero. rewrite same.
    apply total_monotone; [exact S | exact whole |]. intro k.
    apply (partial_sums_below_total (fun i => h i k) n); [apply columns | intro; apply positive].
Qed.
Lemma total_exchanged (h : Z -> Z -> R) :
  (forall i k, 0 <= h i k) -> (forall k, summable (fun i => h i k)) -> summable (fun k => total (fun i => h i k)) ->
  (forall i, summable (h i)) /\ summable (fun i => total (h i)) /\
  total (fun i => total (h i)) = total (fun k => total (fun i => h i k)).
Proof.
  intros positive columns whole. destruct (total_exchanged_below h positive columns whole) as (rows & sums & below).
  destruct (total_exchanged_below (fun k i => h i k)) as (_ & _ & above); auto.
  split; [exact rows |]. split; [exact sums |]. apply Rle_antisym; assumption.
Qed.

Lemma point_at i c :
  summable (fun k => if Z.eq_dec k i then c else 0) /\ total (fun k => if Z.eq_dec k i then c else 0) = c.
Proof.
  pose proof (summable_moved (- i) _ (summable_point c)) as S. pose proof (total_moved (- i) _ (summable_point c)) as T.
  assert (same : forall k, (if Z.eq_dec (k + - i) 0 then c else 0) = if Z.eq_dec k i then c else 0).
  { intro k. destruct (Z.eq_dec (k + - i) 0), (Z.eq_dec k i); try lia; reflexivity. }
  split; [exact (summable_same _ _ same S) |]. rewrite <- (total_same _ _ same), T. apply total_point.
Qed.
(* The even and the odd numbers apart. *)
Lemma total_by_parity a : summable a -> (forall k, 0 <= a k) ->
  total a = total (fun k => a (2 * k)%Z) + total (fun k => a (2 * k + 1)%Z) /\
  summable (fun k => a (2 * k)%Z + a (2 * k + 1)%Z).
Proof.
  intros A positive. pose (h := fun i k => if Z.eq_dec i (k / 2) then a k else 0).
  destruct (total_exchanged h) as (rows & sums & same).
  - intros i k. unfold h. destruct Z.eq_dec; [apply positive | lra].
  - intro k. apply (point_at (k / 2) (a k)).
  - apply (summable_same a); [intro k; symmetry; apply (point_at (k / 2) (a k)) | exact A].
  - assert (pair : forall i, total (h i) = a (2 * i)%Z + a (2 * i + 1)%Z).
    { intro i. destruct (point_at (2 * i) (a (2 * i)%Z)) as [S T].
      destruct (point_at (2 * i + 1) (a (2 * i + 1)%Z)) as [S' T'].
      rewrite <- T at 1. rewrite <- T' at 1. rewrite <- total_sum by assumption. apply total_same. intro k. unfold h.
      pose proof (Z.div_mod k 2 ltac:(lia)). pose proof (Z.mod_pos_bound k 2 ltac:(lia)).
      destruct (Z.eq_dec i (k / 2)), (Z.eq_dec k (2 * i)) as [E |], (Z.eq_dec k (2 * i + 1)) as [E' |]; try lia;
        try rewrite <- E; try rewrite <- E'; ring. }
    assert (both : summable (fun k => a (2 * k)%Z + a (2 * k + 1)%Z)) by exact (summable_same _ _ pair sums).
    split; [| exact both].
    rewrite <- total_sum.
    + rewrite <- (total_same _ _ pair), same. apply total_same. intro k. symmetry. apply (point_at (k / 2) (a k)).
    + apply (summable_below _ _ both). intro k. rewrite Rabs_pos_eq by apply positive.
      pose proof (positive (2 * k + 1)%Z). lra.
    + apply (summable_below _ _ both). intro k. rewrite Rabs_pos_eq by apply positive.
      pose proof (positive (2 * k)%Z). lra.
Qed.
(* The sum of the weights exp (w z) of all z in the grid, the grid shifted by c. *)
Definition lattice_weight (w : R -> R) (granularity c : R) (k : Z) := exp (w (IZR k * granularity - c)).
Definition lattice_sum (w : R -> R) (granularity c : R) := total (lattice_weight w granularity c).
Definition parallelogram_law_holds (w : R -> R) := forall u v, w (u + v) + w (u - v) = 2 * w u + 2 * w v.

Lemma lattice_weight_positive w granularity c k : 0 < lattice_weight w granularity c k.
Proof. apply exp_pos. Qed.

Section lattice_sums.
  Variables (w : R -> R) (rate offset granularity : R).
  Hypothesis tail : tail_is_geometric w rate offset granularity.

  Lemma lattice_weight_below c k :
    lattice_weight w granularity c k <= exp (offset + rate * Rabs c) * exp (- (rate * granularity) * Rabs (IZR k)).
  Proof.
    destruct (tail (IZR k * granularity - c)) as (below & R & G). unfold lattice_weight. rewrite <- exp_plus.
    apply exp_le. pose proof (Rabs_triang (IZR k * granularity - c) c) as T.
    replace (IZR k * granularity - c + c) with (IZR k * granularity) in T by ring.
    rewrite Rabs_mult, (Rabs_pos_eq granularity) in T by lra.
    assert (rate * (Rabs (IZR k) * granularity) <= rate * (Rabs (IZR k * granularity - c) + Rabs c))
      by (apply Rmult_le_compat_l; lra).
    lra.
  Qed.
  Lemma lattice_summable c : summable (lattice_weight w granularity c).
  Proof.
    destruct (tail 0) as (_ & R & G). eapply summable_below.
    - apply (summable_multiple (exp (offset + rate * Rabs c))), summable_exponential, (Rmult_lt_0_compat _ _ R G).
    - intro k. rewrite Rabs_pos_eq by (left; apply lattice_weight_positive). apply lattice_weight_below.
  Qed.
  Lemma lattice_sum_positive c : 0 < lattice_sum w granularity c.
  Proof. apply total_positive; [apply lattice_summable | apply lattice_weight_positive]. Qed.
  Lemma lattice_sum_periodic c m : lattice_sum w granularity (c - IZR m * granularity) = lattice_sum w granularity c.
  Proof.
    unfold lattice_sum. rewrite <- (total_moved m _ (lattice_summable c)). apply total_same. intro k.
    unfold lattice_weight. f_equal. f_equal. rewrite plus_IZR. ring.
  Qed.
  Lemma lattice_sum_bounded : exists top, forall c, lattice_sum w granularity c <= top.
  Proof.
    destruct (tail 0) as (_ & R & G).
    exists (exp (offset + rate * granularity) * total (fun k => exp (- (rate * granularity) * Rabs (IZR k)))).
    intro c. pose (m := up (c / granularity)). rewrite <- (lattice_sum_periodic c m).
    assert (near : Rabs (c - IZR m * granularity) <= granularity).
    { destruct (archimed (c / granularity)) as [A B]. fold m in A, B.
      assert (c = c / granularity * granularity) as -> by (field; lra).
      set (t := c / granularity) in *.
      assert (0 <= (IZR m - t) * granularity) by (apply Rmult_le_pos; lra).
      assert ((IZR m - t) * granularity <= 1 * granularity) by (apply Rmult_le_compat_r; lra).
      apply Rabs_le. lra. }
    pose proof (summable_exponential _ (Rmult_lt_0_compat _ _ R G)) as S.
    unfold lattice_sum. rewrite <- total_multiple. apply total_monotone; [apply lattice_summable | |].
    - apply summable_multiple, S.
    - intro k. eapply Rle_trans; [apply lattice_weight_below |]. apply Rmult_le_compat_r; [left; apply exp_pos |].
      apply exp_le. apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
  Qed.
End lattice_sums.

(* Lemma: shifted lattice sums.  No shifted sum is larger than the unshifted one. *)
Section shifted_lattice_sums.
  Variables (w : R -> R) (rate offset granularity : R).
  Hypothesis tail : tail_is_geometric w rate offset granularity.
  Hypothesis parallelogram : parallelogram_law_holds w.
  Let half z := w z / 2.
  Let coarse := 2 * granularity.
  Let theta := lattice_sum w granularity.
  Let even t := lattice_sum half coarse t.
  Let odd t := lattice_sum half coarse (t - granularity).

  Lemma half_tail step : 0 < step -> tail_is_geometric half (rate / 2) (offset / 2) step.
  Proof. intros S z. destruct (tail z) as (below & R & G). unfold half. repeat split; lra. Qed.
  Lemma granularity_positive : 0 < granularity.
  Proof. apply (tail 0). Qed.
  Lemma coarse_tail : tail_is_geometric half (rate / 2) (offset / 2) coarse.
  Proof. apply half_tail. pose proof granularity_positive. unfold coarse. lra. Qed.
  Lemma half_summable t : summable (lattice_weight half granularity t).
  Proof. apply (lattice_summable half (rate / 2) (offset / 2)), half_tail, granularity_positive. Qed.
  Lemma even_weight t k : lattice_weight half granularity t (2 * k) = lattice_weight half coarse t k.
  Proof. unfold lattice_weight, coarse. f_equal. f_equal. rewrite mult_IZR. ring. Qed.
  Lemma odd_weight t k : lattice_weight half granularity t (2 * k + 1) = lattice_weight half coarse (t - granularity) k.
  Proof. unfold lattice_weight, coarse. f_equal. f_equal. rewrite plus_IZR, mult_IZR. ring. Qed.
  Lemma coarse_summable t : summable (lattice_weight half coarse t).
  Proof. apply (lattice_summable half (rate / 2) (offset / 2)), coarse_tail. Qed.

  (* the first identity: two indices are their sum and what it leaves of either *)
  Lemma square_of_lattice_sum c : theta c * theta c = even (2 * c) * even 0 + odd (2 * c) * odd 0.
  Proof.
    pose (a := lattice_weight w granularity c). pose (s := lattice_weight half granularity (2 * c)).
    pose (d := fun i k : Z => lattice_weight half granularity 0 (2 * i - k)).
    assert (A : summable a) by apply (lattice_summable w rate offset _ tail).
    assert (split : forall i k, a i * a (k + - i)%Z = s k * d i k).
    { intros i k. unfold a, s, d, lattice_weight, half. rewrite <- !exp_plus. f_equal.
      set (u := IZR k * granularity / 2 - c). set (v := IZR (2 * i - k) * granularity / 2).
      replace (IZR i * granularity - c) with (u + v) by (unfold u, v; rewrite minus_IZR, mult_IZR; field).
      replace (IZR (k + - i) * granularity - c) with (u - v)
        by (unfold u, v; rewrite minus_IZR, mult_IZR, plus_IZR, opp_IZR; field).
      replace (IZR k * granularity - 2 * c) with (u + u) by (unfold u; field).
      replace (IZR (2 * i - k) * granularity - 0) with (v + v) by (unfold v; field).
      assert (w0 : w 0 = 0) by (pose proof (parallelogram 0 0) as P; rewrite Rplus_0_r, Rminus_0_r in P; lra).
      pose proof (parallelogram u v). pose proof (parallelogram u u) as U. pose proof (parallelogram v v) as V.
      rewrite Rminus_diag_eq, w0 in U, V by reflexivity. lra. }
    assert (rows : forall i, summable (fun k => s k * d i k) /\ total (fun k => s k * d i k) = a i * theta c).
    { intro i. pose proof (summable_moved (- i) a A) as M. split.
      - apply (summable_same _ _ (split i)), summable_multiple, M.
      - rewrite <- (total_same _ _ (split i)), total_multiple, (total_moved (- i) a A). reflexivity. }
    destruct (total_exchanged (fun k i => s k * d i k)) as (columns & sums & same).
    - intros k i. apply Rmult_le_pos; left; apply exp_pos.
    - intro i. apply rows.
    - apply (summable_same (fun i => theta c * a i)); [| apply summable_multiple, A].
      intro i. destruct (rows i) as [_ ->]. ring.
    - rewrite (total_same (fun k => total (fun i => s i * d k i)) (fun i => theta c * a i)), total_multiple in same
        by (intro i; destruct (rows i) as [_ ->]; ring).
      change (total a) with (theta c) in same. rewrite <- same.
      destruct (total_by_parity _ sums) as [parity parities].
      { intro k. apply total_nonnegative; [apply columns | intro i; apply Rmult_le_pos; left; apply exp_pos]. }
      rewrite parity.
      rewrite (total_same (fun k => total (fun i => s (2 * k)%Z * d i (2 * k)%Z))
        (fun k => even 0 * lattice_weight half coarse (2 * c) k)).
      + rewrite (total_same (fun k => total (fun i => s (2 * k + 1)%Z * d i (2 * k + 1)%Z))
          (fun k => odd 0 * lattice_weight half coarse (2 * c - granularity) k)).
        * rewrite !total_multiple. fold (lattice_sum half coarse (2 * c)).
          fold (lattice_sum half coarse (2 * c - granularity)). fold (even (2 * c)) (odd (2 * c)). ring.
        * intro k. rewrite total_multiple, Rmult_comm. unfold s. rewrite odd_weight. f_equal.
          unfold odd, lattice_sum.
          rewrite <- (total_moved (- k - 1) _ (coarse_summable (0 - granularity))). apply total_same. intro i.
          rewrite <- odd_weight. unfold d. f_equal. lia.
      + intro k. rewrite total_multiple, Rmult_comm. unfold s. rewrite even_weight. f_equal.
        unfold even, lattice_sum. rewrite <- (total_moved (- k) _ (coarse_summable 0)). apply total_same. intro i.
        rewrite <- even_weight. unfold d. f_equal. lia.
  Qed.

  (* the second: two indices of equal parity are half their sum and half their difference *)
  Lemma squares_of_halves t : even t * even t + odd t * odd t = theta t * theta 0.
  Proof.
    pose (a := lattice_weight w granularity t). pose (b := lattice_weight w granularity 0).
    pose (h := lattice_weight half granularity t).
    assert (A : summable a) by apply (lattice_summable w rate offset _ tail).
    assert (B : summable b) by apply (lattice_summable w rate offset _ tail).
    assert (split : forall i k, b i * a (k + i)%Z = h k * h (k + 2 * i)%Z).
    { intros i k. unfold a, b, h, lattice_weight, half. rewrite <- !exp_plus. f_equal.
      set (u := IZR (k + i) * granularity - t). set (v := IZR i * granularity).
      replace (v - 0) with v by ring.
      replace (IZR k * granularity - t) with (u - v) by (unfold u, v; rewrite plus_IZR; ring).
      replace (IZR (k + 2 * i) * granularity - t) with (u + v) by (unfold u, v; rewrite !plus_IZR, mult_IZR; ring).
      pose proof (parallelogram u v). lra. }
    assert (rows : forall i,
      summable (fun k => h k * h (k + 2 * i)%Z) /\ total (fun k => h k * h (k + 2 * i)%Z) = b i * theta t).
    { intro i. pose proof (summable_moved i a A) as M. split.
      - apply (summable_same _ _ (split i)), summable_multiple, M.
      - rewrite <- (total_same _ _ (split i)), total_multiple, (total_moved i a A). reflexivity. }
    destruct (total_exchanged (fun k i => h k * h (k + 2 * i)%Z)) as (columns & sums & same).
    - intros k i. apply Rmult_le_pos; left; apply exp_pos.
    - intro i. apply rows.
    - apply (summable_same (fun i => theta t * b i)); [| apply summable_multiple, B].
      intro i. destruct (rows i) as [_ ->]. ring.
    - rewrite (total_same (fun k => total (fun i => h i * h (i + 2 * k)%Z)) (fun i => theta t * b i)), total_multiple
        in same by (intro i; destruct (rows i) as [_ ->]; ring).
      change (total b) with (theta 0) in same. rewrite <- same.
      destruct (total_by_parity _ sums) as [parity parities].
      { intro k. apply total_nonnegative; [apply columns | intro i; apply Rmult_le_pos; left; apply exp_pos]. }
      rewrite parity.
      rewrite (total_same (fun k => total (fun i => h (2 * k)%Z * h (2 * k + 2 * i)%Z))
        (fun k => even t * lattice_weight half coarse t k)).
      + rewrite (total_same (fun k => total (fun i => h (2 * k + 1)%Z * h (2 * k + 1 + 2 * i)%Z))
          (fun k => odd t * lattice_weight half coarse (t - granularity) k)).
        * rewrite !total_multiple. reflexivity.
        * intro k. rewrite total_multiple, Rmult_comm. unfold h. rewrite odd_weight. f_equal.
          unfold odd, lattice_sum. rewrite <- (total_moved k _ (coarse_summable (t - granularity))). apply total_same.
          intro i. rewrite <- odd_weight. f_equal. lia.
      + intro k. rewrite total_multiple, Rmult_comm. unfold h. rewrite even_weight. f_equal.
        unfold even, lattice_sum. rewrite <- (total_moved k _ (coarse_summable t)). apply total_same.
        intro i. rewrite <- even_weight. f_equal. lia.
  Qed.

  Lemma fourth_power_of_lattice_sum c : theta c ^ 4 <= theta (2 * c) * theta 0 ^ 3.
  Proof.
    pose proof (square_of_lattice_sum c) as square.
    pose proof (squares_of_halves (2 * c)) as halves. pose proof (squares_of_halves 0) as halves_0.
    replace (theta c ^ 4) with ((theta c * theta c) * (theta c * theta c)) by ring. rewrite square.
    replace (theta (2 * c) * theta 0 ^ 3) with ((theta (2 * c) * theta 0) * (theta 0 * theta 0)) by ring.
    rewrite <- halves, <- halves_0.
    set (x := even (2 * c)). set (y := odd (2 * c)). set (p := even 0). set (q := odd 0).
    assert (0 <= (x * q - y * p) * (x * q - y * p)) by apply Rle_0_sqr. lra.
  Qed.

  Theorem shifted_lattice_sums c : lattice_sum w granularity c <= lattice_sum w granularity 0.
  Proof.
    pose proof (lattice_sum_positive w rate offset granularity tail) as positive. fold theta in positive.
    change (theta c <= theta 0). pose (share := fun c => theta c / theta 0).
    destruct (lattice_sum_bounded w rate offset granularity tail) as [top bounded]. fold theta in bounded.
    assert (one : share 0 = 1) by (unfold share; field; specialize (positive 0); lra).
    assert (fourth : forall c, share c ^ 4 <= share (2 * c)).
    { intro u. unfold share. pose proof (positive 0) as P. pose proof (fourth_power_of_lattice_sum u) as K.
      apply (Rmult_le_reg_r (theta 0 ^ 4)); [apply pow_lt, P |].
      replace ((theta u / theta 0) ^ 4 * theta 0 ^ 4) with (theta u ^ 4) by (field; lra).
      replace (theta (2 * u) / theta 0 * theta 0 ^ 4) with (theta (2 * u) * theta 0 ^ 3) by (field; lra). exact K. }
    destruct (completeness (fun x => exists c, x = share c)) as [most [above least]].
    - exists (top / theta 0). intros x [u ->]. apply Rmult_le_compat_r; [| apply bounded].
      left. apply Rinv_0_lt_compat, positive.
    - exists 1, 0. symmetry. exact one.
    - assert (most <= 1).
      { apply Rnot_lt_le. intro more. pose (y := (most - 1) / 2).
        assert (most <= 1 + y); [| unfold y in *; lra]. apply least. intros x [u ->].
        apply Rnot_lt_le. intro larger. pose proof (above (share (2 * u)) (ex_intro _ _ eq_refl)).
        specialize (fourth u). assert (0 < y) by (unfold y; lra).
        assert (square : (1 + y) * (1 + y) <= share u * share u) by (apply Rmult_le_compat; lra).
        assert (1 + 2 * y <= (1 + y) * (1 + y)) by nra.
        assert ((1 + 2 * y) * (1 + 2 * y) <= (share u * share u) * (share u * share u))
          by (apply Rmult_le_compat; lra).
        assert (1 + 4 * y <= (1 + 2 * y) * (1 + 2 * y)) by nra.
        replace (share u ^ 4) with ((share u * share u) * (share u * share u)) in fourth by ring.
        unfold y in *. lra. }
      specialize (above (share c) (ex_intro _ _ eq_refl)).
      apply (Rmult_le_reg_r (/ theta 0)); [apply Rinv_0_lt_compat, positive |].
      rewrite Rinv_r by (specialize (positive 0); lra). unfold share, Rdiv in above. lra.
  Qed.
End shifted_lattice_sums.
(* The obligations, as refdp/spec/noise.py has them. *)
Definition renyi_exponent_is_bounded (log_weight privacy_map : R -> R) := forall y a b alpha,
  alpha * log_weight (y - a) + (1 - alpha) * log_weight (y - b) =
  log_weight (y - (alpha * a + (1 - alpha) * b)) + alpha * (alpha - 1) * privacy_map (Rabs (a - b)).
Definition map_grows (privacy_map : R -> R) :=
  forall d_1 d_2, 0 <= d_1 -> d_1 <= d_2 -> privacy_map d_1 <= privacy_map d_2.
Definition losses_accumulate_concentrated (privacy_map : R -> R) :=
  forall d_1 d_2 d, 0 <= d_1 -> 0 <= d_2 -> 0 <= d -> d_1 ^ 2 + d_2 ^ 2 <= d ^ 2 ->
    privacy_map d_1 + privacy_map d_2 <= privacy_map d.

Lemma no_loss_at_0 log_weight privacy_map : renyi_exponent_is_bounded log_weight privacy_map -> privacy_map 0 = 0.
Proof.
  intro exponent. pose proof (exponent 0 0 0 2) as K.
  replace (2 * 0 + (1 - 2) * 0) with 0 in K by ring. rewrite Rminus_0_r, Rabs_R0 in K. lra.
Qed.

(* The masses a and b of laws on countably many outcomes: a bound on the sum of a^order b^(1 - order). *)
Lemma renyi_of_masses {T : Type} (p q : law (plain T)) (value : Z -> T) (a b moment : Z -> R) order epsilon :
  1 < order -> (forall k, 0 < a k) -> (forall k, 0 < b k) -> summable a -> summable b ->
  (forall f, bounded f -> E p f = total (fun k => f (value k) * a k)) ->
  (forall f, bounded f -> E q f = total (fun k => f (value k) * b k)) ->
  (forall k, Rpower (a k) order * Rpower (b k) (1 - order) = moment k) -> summable moment ->
  total moment <= exp ((order - 1) * epsilon) -> renyi order epsilon p q.
Proof.
  intros A a_positive b_positive a_sum b_sum P Q same M bound. apply renyi_by_sums; [exact A |]. intros f F above.
  pose proof (power_observable f (order / (order - 1)) F above) as F'. rewrite P, Q by assumption.
  assert (observed : forall (h : T -> R) c, bounded h -> summable c -> summable (fun k => h (value k) * c k)).
  { intros h c [d D] C. apply (summable_bounded_times (fun k => h (value k))); [exists d; intro; apply D | exact C]. }
  pose proof (observed _ b F' b_sum) as B.
  apply Rle_trans with (total (fun k => / order * moment k +
    (order - 1) / order * (Rpower (f (value k)) (order / (order - 1)) * b k))).
  - apply total_monotone; [apply observed; assumption | |].
    + apply summable_sum; apply summable_multiple; assumption.
    + intro k. rewrite <- same.
      pose proof (density_below_sum order (a k) (b k) (f (value k)) A (a_positive k) (b_positive k)
        (positive_away_from_0 f (value k) above)) as K. lra.
  - rewrite total_sum, !total_multiple by (apply summable_multiple; assumption). apply Rplus_le_compat_r.
    unfold Rdiv. rewrite Rmult_comm. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact bound].
Qed.

(* Independent draws: divergences of one order add up. *)
Lemma draw_first_renyi {T : Type} (p q : law (plain T)) (r s : law (plain (list T))) order e e' :
  1 < order -> renyi order e p q -> renyi order e' r s -> renyi order (e + e') (draw_first p r) (draw_first q s).
Proof.
  intros A H H' f [c C] (low & L & above).
  apply (composed_renyi p q (always r) (always s) order e e' A H (fun _ => H')
    (fun both => f (fst both :: snd both))).
  - split; [exists c; intros; apply C | split; intro; exists c; intro; apply C].
  - exists low. split; [exact L | intro; apply above].
Qed.
Lemma draw_first_concentrated {T : Type} (p q : law (plain T)) (r s : law (plain (list T))) rho rho' :
  concentrated rho p q -> concentrated rho' r s -> concentrated (rho + rho') (draw_first p r) (draw_first q s).
Proof.
  intros H H' order A. rewrite Rmult_plus_distr_r. apply draw_first_renyi; [exact A | apply H, A | apply H', A].
Qed.

(* Vectors of multiples of the granularity, at Euclidean distance at most d_in. *)
Fixpoint l2_square (x y : list R) : R :=
  match x, y with a :: x, b :: y => (a - b) ^ 2 + l2_square x y | _, _ => 0 end.
Definition l2 (granularity d_in : R) (x y : list R) :=
  List.Forall (on_grid granularity) x /\ List.Forall (on_grid granularity) y /\
  length x = length y /\ 0 <= d_in /\ l2_square x y <= d_in ^ 2.
Lemma l2_square_nonnegative x y : 0 <= l2_square x y.
Proof.
  revert y. induction x as [| a x IH]; intros [| b y]; simpl; try lra.
  specialize (IH y). pose proof (Rle_0_sqr (a - b)) as S. unfold Rsqr in S. lra.
Qed.

Section concentrated_noise.
  Variables (log_weight privacy_map : R -> R) (tail_rate tail_offset granularity : R).
  Hypothesis tail : tail_is_geometric log_weight tail_rate tail_offset granularity.
  Hypothesis exponent : renyi_exponent_is_bounded log_weight privacy_map.
  Hypothesis grows : map_grows privacy_map.
  Hypothesis parallelogram : parallelogram_law_holds log_weight.
  Variable has_a_sum : summable (grid_weight log_weight granularity).
  Let shifted := lattice_weight log_weight granularity.
  Let weights := lattice_sum log_weight granularity 0.

  Lemma shifted_mass_positive x k : 0 < shifted x k / weights.
  Proof.
    apply Rdiv_lt_0_compat; [apply lattice_weight_positive |].
    apply (lattice_sum_positive log_weight tail_rate tail_offset granularity tail).
  Qed.
  Lemma shifted_mass_summable x : summable (fun k => shifted x k / weights).
  Proof.
    apply (summable_same (fun k => / weights * shifted x k)); [intro; apply Rmult_comm |].
    apply summable_multiple, (lattice_summable log_weight tail_rate tail_offset granularity tail).
  Qed.
  Lemma add_noise_by_output x f : on_grid granularity x -> bounded f ->
    E (add_noise log_weight granularity has_a_sum x) f =
    total (fun k => f (IZR k * granularity) * (shifted x k / weights)).
  Proof.
    intros (i & X) [c C]. rewrite add_noise_at.
    pose proof (lattice_sum_positive log_weight tail_rate tail_offset granularity tail 0) as W. fold weights in W.
    pose (a := fun k => f (IZR k * granularity) * (shifted x k / weights)). fold a.
    assert (A : summable a).
    { apply (summable_bounded_times (fun k => f (IZR k * granularity))); [exists c; intro; apply C |].
      apply shifted_mass_summable. }
    replace (total (grid_weight log_weight granularity)) with weights
      by (apply total_same; intro k; unfold lattice_weight, grid_weight; rewrite Rminus_0_r; reflexivity).
    rewrite (total_same _ (fun k => weights * a (k + i)%Z)).
    - rewrite total_multiple, (total_moved i a A). field. lra.
    - intro k. unfold a, shifted, lattice_weight, grid_weight. rewrite plus_IZR, X.
      replace ((IZR k + IZR i) * granularity) with (IZR i * granularity + IZR k * granularity) by ring.
      replace (IZR i * granularity + IZR k * granularity - IZR i * granularity) with (IZR k * granularity) by ring.
      field. lra.
  Qed.

  Lemma noises_concentrated x y : on_grid granularity x -> on_grid granularity y ->
    concentrated (privacy_map (Rabs (x - y))) (add_noise log_weight granularity has_a_sum x)
      (add_noise log_weight granularity has_a_sum y).
  Proof.
    intros X Y order A. set (rho := privacy_map (Rabs (x - y))). set (c := order * x + (1 - order) * y).
    pose proof (lattice_sum_positive log_weight tail_rate tail_offset granularity tail 0) as W. fold weights in W.
    assert (S : summable (fun k => exp ((order - 1) * (rho * order)) * (shifted c k / weights)))
      by apply summable_multiple, shifted_mass_summable.
    apply (renyi_of_masses _ _ (fun k => IZR k * granularity) (fun k => shifted x k / weights)
      (fun k => shifted y k / weights) (fun k => exp ((order - 1) * (rho * order)) * (shifted c k / weights))).
    - exact A.
    - exact (shifted_mass_positive x).
    - exact (shifted_mass_positive y).
    - exact (shifted_mass_summable x).
    - exact (shifted_mass_summable y).
    - intros f F. apply add_noise_by_output; assumption.
    - intros f F. apply add_noise_by_output; assumption.
    - intro k. unfold shifted, lattice_weight, Rdiv. rewrite <- (exp_ln (/ weights)) by (apply Rinv_0_lt_compat, W).
      rewrite <- !exp_plus, !Renyi.power_of_exp, <- !exp_plus. f_equal.
      pose proof (exponent (IZR k * granularity) x y order) as same. fold rho c in same. lra.
    - exact S.
    - rewrite total_multiple, (total_same _ (fun k => / weights * shifted c k)), total_multiple
        by (intro; apply Rmult_comm).
      rewrite <- (Rmult_1_r (exp _)) at 2. apply Rmult_le_compat_l; [left; apply exp_pos |].
      apply (Rmult_le_reg_l weights); [exact W |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra.
      apply (shifted_lattice_sums log_weight tail_rate tail_offset granularity tail parallelogram).
  Qed.
  (* additive_noise, under concentrated: x + Z : absolute(d_in) |-> concentrated(map(d_in)). *)
  Lemma additive_noise_concentrated_from_a_sum d_in :
    private (absolute granularity d_in) (add_noise log_weight granularity has_a_sum) (concentrated (privacy_map d_in)).
  Proof.
    intros x y (X & Y & near). eapply weaken_concentrated; [| apply noises_concentrated; assumption].
    apply grows; [apply Rabs_pos | exact near].
  Qed.
  (* additive_noise for vectors, under concentrated: x + (Z, ..., Z) : l2(d_in) |-> concentrated(map(d_in)). *)
  Lemma additive_noise_vector_concentrated_from_a_sum d_in : losses_accumulate_concentrated privacy_map ->
    private (l2 granularity d_in) (add_noise_to_vector log_weight granularity has_a_sum)
      (concentrated (privacy_map d_in)).
  Proof.
    intros accumulate x. revert d_in. induction x as [| a x IH]; intros d_in [| b y] (X & Y & same & D & near);
      try discriminate.
    - apply (weaken_concentrated _ _ 0).
      + rewrite <- (no_loss_at_0 log_weight privacy_map exponent). apply grows; lra.
      + intros order A. rewrite Rmult_0_l. apply renyi_reflexive, A.
    - inversion X; inversion Y; subst. injection same as same. simpl in near.
      pose proof (l2_square_nonnegative x y) as N. pose proof (sqrt_pos (l2_square x y)).
      assert (root : sqrt (l2_square x y) ^ 2 = l2_square x y) by (apply pow2_sqrt, N).
      apply (weaken_concentrated _ _ (privacy_map (Rabs (a - b)) + privacy_map (sqrt (l2_square x y)))).
      + apply accumulate; try assumption; [apply Rabs_pos |]. rewrite root, pow2_abs. exact near.
      + apply draw_first_concentrated; [apply noises_concentrated; assumption |].
        apply IH. repeat split; try assumption. rewrite root. apply Rle_refl.
  Qed.
End concentrated_noise.

(* additive_noise, under zCDP: numbers on a grid at most d_in apart, plus noise, are map(d_in)-zCDP. *)
Theorem additive_noise_concentrated log_weight tail_rate tail_offset granularity privacy_map d_in
    (tail : tail_is_geometric log_weight tail_rate tail_offset granularity) :
  renyi_exponent_is_bounded log_weight privacy_map -> map_grows privacy_map -> parallelogram_law_holds log_weight ->
  private (absolute granularity d_in) (add_noise log_weight granularity (weights_summable _ _ _ _ tail))
    (concentrated (privacy_map d_in)).
Proof.
  intros exponent grows parallelogram.
  exact (additive_noise_concentrated_from_a_sum _ _ _ _ _ tail exponent grows parallelogram _ d_in).
Qed.
(* additive_noise, vectors, under zCDP: the same at Euclidean distance at most d_in, in any dimension. *)
Theorem additive_noise_vector_concentrated log_weight tail_rate tail_offset granularity privacy_map d_in
    (tail : tail_is_geometric log_weight tail_rate tail_offset granularity) :
  renyi_exponent_is_bounded log_weight privacy_map -> map_grows privacy_map -> parallelogram_law_holds log_weight ->
  losses_accumulate_concentrated privacy_map ->
  private (l2 granularity d_in) (add_noise_to_vector log_weight granularity (weights_summable _ _ _ _ tail))
    (concentrated (privacy_map d_in)).
Proof.
  intros exponent grows parallelogram accumulate.
  exact (additive_noise_vector_concentrated_from_a_sum _ _ _ _ _ tail exponent grows parallelogram _ d_in accumulate).
Qed.

(* Normal weights meet the obligations, whatever sigma is. *)
Section normal_weights.
  Variable sigma : R.
  Hypothesis sigma_positive : 0 < sigma.
  Definition normal_log_weight z := - z ^ 2 / (2 * sigma ^ 2).
  Definition normal_privacy_map d_in := d_in ^ 2 / (2 * sigma ^ 2).

  Lemma normal_factor : 0 < / (2 * sigma ^ 2).
  Proof. apply Rinv_0_lt_compat. pose proof (pow_lt sigma 2 sigma_positive). lra. Qed.
  Lemma normal_weight_tail z : normal_log_weight z <= 1 / 2 + 0 * sigma - 1 / sigma * Rabs z /\ 0 < 1 / sigma.
  Proof.
    split; [| apply Rdiv_lt_0_compat; lra]. unfold normal_log_weight. rewrite <- (pow2_abs z).
    assert (0 <= (Rabs z - sigma) ^ 2 * / (2 * sigma ^ 2)).
    { apply Rmult_le_pos; [apply pow2_ge_0 | left; apply normal_factor]. }
    replace (- Rabs z ^ 2 / (2 * sigma ^ 2))
      with (1 / 2 - 1 / sigma * Rabs z - (Rabs z - sigma) ^ 2 * / (2 * sigma ^ 2)) by (field; lra). lra.
  Qed.
  Lemma normal_exponent : renyi_exponent_is_bounded normal_log_weight normal_privacy_map.
  Proof.
    intros y a b alpha. unfold normal_log_weight, normal_privacy_map. rewrite pow2_abs. field. lra.
  Qed.
  Lemma normal_map_grows : map_grows normal_privacy_map.
  Proof.
    intros d_1 d_2 D below. apply Rmult_le_compat_r; [left; apply normal_factor |].
    apply pow_incr. lra.
  Qed.
  Lemma normal_parallelogram : parallelogram_law_holds normal_log_weight.
  Proof. intros u v. unfold normal_log_weight. field. lra. Qed.
  Lemma normal_losses_accumulate : losses_accumulate_concentrated normal_privacy_map.
  Proof.
    intros d_1 d_2 d _ _ _ below. unfold normal_privacy_map, Rdiv. rewrite <- Rmult_plus_distr_r.
    apply Rmult_le_compat_r; [left; apply normal_factor | exact below].
  Qed.
End normal_weights.

(* Discrete Gaussian noise is d_in^2 / (2 sigma^2)-zCDP: every sigma, every granularity, every distance. *)
Section discrete_gaussian.
  Variables sigma granularity : R.
  Hypothesis sigma_positive : 0 < sigma.
  Hypothesis granularity_is_positive : 0 < granularity.

  Lemma discrete_gaussian_tail :
    tail_is_geometric (normal_log_weight sigma) (1 / sigma) (1 / 2 + 0 * sigma) granularity.
  Proof. intro z. destruct (normal_weight_tail sigma sigma_positive z). auto. Qed.
  Definition discrete_gaussian :=
    add_noise (normal_log_weight sigma) granularity (weights_summable _ _ _ _ discrete_gaussian_tail).
  Definition discrete_gaussian_vector :=
    add_noise_to_vector (normal_log_weight sigma) granularity (weights_summable _ _ _ _ discrete_gaussian_tail).

  Theorem discrete_gaussian_concentrated d_in :
    private (absolute granularity d_in) discrete_gaussian (concentrated (d_in ^ 2 / (2 * sigma ^ 2))).
  Proof.
    exact (additive_noise_concentrated _ _ _ _ _ d_in discrete_gaussian_tail (normal_exponent sigma sigma_positive)
      (normal_map_grows sigma sigma_positive) (normal_parallelogram sigma sigma_positive)).
  Qed.
  Theorem discrete_gaussian_vector_concentrated d_in :
    private (l2 granularity d_in) discrete_gaussian_vector (concentrated (d_in ^ 2 / (2 * sigma ^ 2))).
  Proof.
    exact (additive_noise_vector_concentrated _ _ _ _ _ d_in discrete_gaussian_tail
      (normal_exponent sigma sigma_positive) (normal_map_grows sigma sigma_positive)
      (normal_parallelogram sigma sigma_positive) (normal_losses_accumulate sigma sigma_positive)).
  Qed.
End discrete_gaussian.

(* Whole numbers, deviation parameter 2: at distance 2 it is 1/2-zCDP. *)
Example discrete_gaussian_of_sigma_2 (two : 0 < 2) (one : 0 < 1) :
  concentrated (1 / 2) (discrete_gaussian 2 1 two one 10) (discrete_gaussian 2 1 two one 12).
Proof.
  replace (1 / 2) with (2 ^ 2 / (2 * 2 ^ 2)) by field. apply discrete_gaussian_concentrated.
  repeat split; [exists 10%Z; ring | exists 12%Z; ring | unfold Rabs; destruct Rcase_abs; lra].
Qed.
(* Exact divergences: what bounds the divergence is just what is at least D. *)
Definition divergence_is (order D : R) {O : space} (p q : law O) := forall e, renyi order e p q <-> D <= e.

(* Laws whose densities need not be bounded: what observables come near is a lower bound. *)
Lemma moment_from_below {O : space} (p q : law O) order e moment : 1 < order -> renyi order e p q ->
  (forall small, 0 < small -> exists g, observable g /\ away_from_0 g /\
    moment - small <= E q (fun o => Rpower (g o) order) /\
    E q (fun o => Rpower (g o) order) - small <= E p (fun o => Rpower (g o) (order - 1))) ->
  moment <= exp ((order - 1) * e).
Proof.
  intros A H near. pose proof (exponents order A) as (_ & C & _). set (s := (order - 1) / order) in *.
  apply Rnot_lt_le. intro more. set (top := exp ((order - 1) * e)) in *. assert (0 < top) by apply exp_pos.
  pose (middle := (moment + top) / 2). pose (factor := Rpower top (1 - s) * Rpower middle (s - 1)).
  assert (M : top < middle < moment) by (unfold middle; lra).
  assert (small_factor : 0 < factor < 1).
  { unfold factor. split; [apply Rmult_lt_0_compat; apply power_positive |].
    replace (s - 1) with (- (1 - s)) by ring. rewrite Rpower_Ropp. pose proof (power_positive middle (1 - s)).
    apply (Rmult_lt_reg_r (Rpower middle (1 - s))); [assumption |].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. unfold Rpower.
    apply exp_increasing, Rmult_lt_compat_l; [lra |]. apply ln_increasing; lra. }
  pose (small := Rmin (moment - middle) (middle * (1 - factor) / 2)).
  assert (0 < middle * (1 - factor)) by (apply Rmult_lt_0_compat; lra).
  assert (0 < small) by (apply Rmin_pos; lra).
  destruct (near small) as (g & G & above & large & close); [assumption |].
  set (m := E q (fun o => Rpower (g o) order)) in *.
  assert (middle <= m) by (pose proof (Rmin_l (moment - middle) (middle * (1 - factor) / 2)); unfold small in *; lra).
  assert (bound : E p (fun o => Rpower (g o) (order - 1)) <= m * factor).
  { eapply Rle_trans; [apply H; [apply power_observable; assumption | apply power_away_from_0; [lra | exact above]] |].
    fold s. rewrite (E_same q _ (fun o => Rpower (g o) order)).
    - fold m. replace (exp (s * e)) with (Rpower top (1 - s))
        by (unfold top; rewrite Renyi.power_of_exp; f_equal; unfold s; field; lra).
      unfold factor. rewrite (Rmult_comm m), Rmult_assoc. apply Rmult_le_compat_l; [left; apply power_positive |].
      replace (Rpower m s) with (Rpower m (s - 1) * m).
      + apply Rmult_le_compat_r; [lra |]. replace (s - 1) with (- (1 - s)) by ring. rewrite !Rpower_Ropp.
        apply Rinv_le_contravar; [apply power_positive |]. apply Rle_Rpower_l; lra.
      + rewrite <- (Rpower_1 m) at 2 by lra. rewrite <- Rpower_plus. f_equal. ring.
    - apply power_observable; [apply power_observable; assumption |]. apply power_away_from_0; [lra | exact above].
    - intro o. rewrite Rpower_mult. f_equal. field. lra. }
  assert (small <= middle * (1 - factor) / 2) by apply Rmin_r.
  assert (middle * (1 - factor) <= m * (1 - factor)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma divergence_by_moment {O : space} (p q : law O) order moment : 1 < order -> 0 < moment ->
  (forall e, moment <= exp ((order - 1) * e) <-> renyi order e p q) ->
  divergence_is order (ln moment / (order - 1)) p q.
Proof.
  intros A M same e. rewrite <- same. split; intro H.
  - apply ln_at_most in H; [| exact M]. rewrite ln_exp in H. apply (Rmult_le_reg_r (order - 1)); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - rewrite <- (exp_ln moment M). apply exp_le. apply (Rmult_le_compat_r (order - 1)) in H; [| lra].
    unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H by lra. lra.
Qed.

(* renyi_exceeded: a claim of less than the exact divergence of two inputs that it is about is false. *)
Theorem renyi_exceeded {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O) a b order D epsilon :
  near a b -> divergence_is order D (M a) (M b) -> epsilon < D -> ~ private near M (renyi order epsilon).
Proof. intros N exact more claim. apply exact in claim; [lra | exact N]. Qed.

(* Sums and multiples of what falls exponentially, what intervals make of an integral, and mirror images. *)
Lemma dominated_same f g : (forall x, f x = g x) -> dominated f -> dominated g.
Proof.
  intros same (F & c & rate & R & C). split; [exact (integrable_same f g same F) |].
  exists c, rate. split; [exact R |]. intro x. rewrite <- same. apply C.
Qed.
Lemma dominated_multiple c f : dominated f -> dominated (fun x => c * f x).
Proof.
  intros (F & d & rate & R & D). split; [exact (integrable_multiple c f F) |].
  exists (Rabs c * d), rate. split; [exact R |]. intro x. rewrite Rabs_mult, Rmult_assoc.
  apply Rmult_le_compat_l; [apply Rabs_pos | apply D].
Qed.
Lemma dominated_sum f g : dominated f -> dominated g -> dominated (fun x => f x + g x).
Proof.
  intros F G. apply (dominated_same (fun x => g x - -1 * f x)); [intro; ring |].
  apply dominated_difference; [apply dominated_multiple, F | exact G].
Qed.
Lemma integral_at_least f a b : dominated f -> (forall x, 0 <= f x) -> a <= b -> RInt f a b <= integral f.
Proof.
  intros D positive order. assert (F : integrable f) by apply D. apply Rnot_lt_le. intro less.
  pose proof (integral_correct f D (fun y => y < RInt f a b) (open_lt (RInt f a b) (integral f) less)) as near.
  pose proof (filter_and _ _ (beyond (Rabs a + Rabs b)) near) as there.
  destruct (filter_ex (ProperFilter := whole_line_filter) _ there) as [[c d] [[C C'] (y & Y & smaller)]]. simpl in *.
  pose proof (is_RInt_unique (V := R_CompleteNormedModule) f c d y Y) as whole.
  pose proof (RInt_Chasles f c a b (F _ _) (F _ _)) as X. pose proof (RInt_Chasles f c b d (F _ _) (F _ _)) as Z.
  assert (N : forall u v, u <= v -> 0 <= RInt f u v).
  { intros u v o. apply RInt_ge_0; [exact o | apply F | intros; apply positive]. }
  pose proof (Rle_abs a). pose proof (Rle_abs (- a)) as M. pose proof (Rle_abs b). pose proof (Rle_abs (- b)) as M'.
  rewrite Rabs_Ropp in M, M'. pose proof (Rabs_pos a). pose proof (Rabs_pos b).
  pose proof (N c a ltac:(lra)). pose proof (N b d ltac:(lra)). unfold plus in X, Z. simpl in X, Z. lra.
Qed.
Lemma integral_within f small : dominated f -> (forall x, 0 <= f x) -> 0 < small ->
  exists a b, a <= b /\ integral f - small <= RInt f a b.
Proof.
  intros D positive S.
  pose proof (integral_correct f D (fun y => integral f - small < y)
    (open_gt (integral f - small) (integral f) ltac:(lra))) as near.
  pose proof (filter_and _ _ (beyond 0) near) as there.
  destruct (filter_ex (ProperFilter := whole_line_filter) _ there) as [[a b] [[A B] (y & Y & larger)]]. simpl in *.
  exists a, b. split; [lra |]. rewrite (is_RInt_unique (V := R_CompleteNormedModule) f a b y Y). lra.
Qed.
Lemma integral_mirrored f : dominated f -> integral (fun x => f (- x)) = integral f.
Proof.
  intro D. apply integral_is. intros P near. destruct (integral_correct f D P near) as [Q S [x X] [y Y] there].
  apply (Filter_prod _ _ _ (fun a => S (- a)) (fun b => Q (- b)));
    [exists (- y); intros z Z; apply Y; lra | exists (- x); intros z Z; apply X; lra |].
  intros a b A B. destruct (there _ _ B A) as (I & J & K). exists I. split; [| exact K]. simpl in *.
  apply is_RInt_swap in J. apply (is_RInt_ext (fun z => opp (opp (f (- z))))); [intros; apply opp_opp |].
  rewrite <- (opp_opp I). apply (is_RInt_opp (fun z => opp (f (- z)))). apply (is_RInt_comp_opp f). exact J.
Qed.

(* Noise on the reals: by the integral of its moment. *)
Section divergence_on_the_line.
  Variables (log_weight : R -> R) (tail_rate tail_offset : R).
  Hypothesis continuous : continuity log_weight.
  Hypothesis tail : tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
  Let noisy := add_line_noise log_weight tail_rate tail_offset continuous tail.
  Let weight z := exp (log_weight z).
  Let total_weight := integral weight.
  Variables (order a b : R).
  Hypothesis order_above_1 : 1 < order.
  Let moment y := exp (order * log_weight (y - a) + (1 - order) * log_weight (y - b)).
  Hypothesis moment_dominated : dominated moment.

  Lemma total_weight_positive : 0 < total_weight.
  Proof. exact (line_total_positive log_weight tail_rate tail_offset continuous tail). Qed.
  Lemma noisy_at x f : E (noisy x) f = integral (fun y => f y * weight (y - x)) / total_weight.
  Proof. reflexivity. Qed.
  Lemma observed_dominated (f : R -> R) x : observable (s := line) f -> dominated (fun y => f y * weight (y - x)).
  Proof. exact (line_observed log_weight tail_rate tail_offset continuous tail f x). Qed.
  Lemma moment_is y : Rpower (weight (y - a)) order * Rpower (weight (y - b)) (1 - order) = moment y.
  Proof. unfold weight. rewrite !Renyi.power_of_exp, <- exp_plus. reflexivity. Qed.

  Lemma renyi_from_moment e :
    integral moment / total_weight <= exp ((order - 1) * e) -> renyi order e (noisy a) (noisy b).
  Proof.
    intro bound. pose proof total_weight_positive as N. apply renyi_by_sums; [exact order_above_1 |].
    intros f F above. pose proof (power_observable (O := line) f (order / (order - 1)) F above) as F'.
    rewrite !noisy_at. pose proof (observed_dominated _ b F') as B.
    pose proof (dominated_multiple (/ order) _ moment_dominated) as D.
    pose proof (dominated_multiple ((order - 1) / order) _ B) as D'.
    assert (K : integral (fun y => f y * weight (y - a)) <= / order * integral moment +
      (order - 1) / order * integral (fun y => Rpower (f y) (order / (order - 1)) * weight (y - b))).
    { rewrite <- (integral_multiple _ _ moment_dominated), <- (integral_multiple _ _ B), <- (integral_sum _ _ D D').
      apply integral_monotone; [apply observed_dominated, F | apply dominated_sum; assumption |]. intro y.
      rewrite <- moment_is. pose proof (density_below_sum order (weight (y - a)) (weight (y - b)) (f y) order_above_1
        (exp_pos _) (exp_pos _) (positive_away_from_0 f y above)) as Y. lra. }
    apply (Rmult_le_compat_r (/ total_weight)) in K; [| left; apply Rinv_0_lt_compat, N].
    apply (Rmult_le_compat_r (/ order)) in bound; [| left; apply Rinv_0_lt_compat; lra].
    unfold Rdiv in *. lra.
  Qed.

  Lemma moment_from_renyi e :
    renyi order e (noisy a) (noisy b) -> integral moment / total_weight <= exp ((order - 1) * e).
  Proof.
    intro claim. pose proof total_weight_positive as N. apply (moment_from_below (noisy a) (noisy b)); try assumption.
    intros small S. pose (u := Rpower small (/ order)). assert (U : 0 < u) by apply power_positive.
    assert (power_u : Rpower u order = small) by (apply power_of_root; lra).
    pose (h := fun y => exp (log_weight (y - a) - log_weight (y - b))).
    assert (H : continuity h).
    { apply (continuity_comp (fun y => log_weight (y - a) - log_weight (y - b)) exp);
        [| apply derivable_continuous, derivable_exp].
      assert (shift : forall c, continuity (fun y => log_weight (y - c))).
      { intro c. apply (continuity_comp (fun y => y - c) log_weight); [| exact continuous].
        apply continuity_minus; [apply derivable_continuous, derivable_id |].
        apply continuity_const. intros v w. reflexivity. }
      apply (continuity_minus (fun y => log_weight (y - a)) (fun y => log_weight (y - b))); apply shift. }
    destruct (integral_within moment (small * total_weight) moment_dominated) as (first & last & order_of_ends & near).
    { intro. left. apply exp_pos. }
    { apply Rmult_lt_0_compat; assumption. }
    destruct (continuity_ab_maj h first last order_of_ends (fun x _ => H x)) as (where_most & most & _).
    pose (top := Rmax (h where_most) u). pose (g := fun y => Rmax u (Rmin top (h y))).
    assert (range : forall y, u <= g y <= top).
    { intro y. split; [apply Rmax_l |]. apply Rmax_lub; [apply Rmax_r | apply Rmin_l]. }
    assert (G : observable (s := line) g).
    { split; [exists top; intro y; specialize (range y); lra |].
      apply (integrable_same (fun y => u + Rmax 0 (top + - u + - Rmax 0 (top + - h y)))).
      - intro y. unfold g. pose proof (Rmax_r (h where_most) u). fold top in H0.
        unfold Rmax, Rmin. repeat destruct Rle_dec; lra.
      - apply integrable_continuous.
        assert (constant : forall c : R, continuity (fun _ : R => c)).
        { intro c. apply continuity_const. intros v w. reflexivity. }
        assert (ramp : forall k : R -> R, continuity k -> continuity (fun y => Rmax 0 (k y))).
        { intros k K y. apply (continuity_pt_ext (fun y => / 2 * (k y + Rabs (k y)))).
          - intro z. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
          - revert y. apply (continuity_mult (fun _ => / 2) (fun y => k y + Rabs (k y))); [apply constant |].
            apply (continuity_plus k (fun y => Rabs (k y)) K), (continuity_comp k Rabs K), Rcontinuity_abs. }
        apply (continuity_plus (fun _ => u) (fun y => Rmax 0 (top + - u + - Rmax 0 (top + - h y)))); [apply constant |].
        apply ramp, (continuity_plus (fun _ => top + - u) (fun y => - Rmax 0 (top + - h y))); [apply constant |].
        apply (continuity_opp (fun y => Rmax 0 (top + - h y))), ramp.
        apply (continuity_plus (fun _ => top) (fun y => - h y)); [apply constant |]. apply (continuity_opp h H). }
    assert (above : away_from_0 g) by (exists u; split; [exact U | apply range]).
    pose proof (power_observable (O := line) g order G above) as G1.
    pose proof (power_observable (O := line) g (order - 1) G above) as G2.
    assert (density : forall y, h y * weight (y - b) = weight (y - a)).
    { intro y. unfold h, weight. rewrite <- exp_plus. f_equal. ring. }
    exists g. split; [exact G |]. split; [exact above |]. rewrite !noisy_at. split.
    - apply (Rmult_le_reg_r total_weight); [exact N |]. unfold Rdiv.
      rewrite Rmult_minus_distr_r, !Rmult_assoc, Rinv_l, !Rmult_1_r by lra.
      eapply Rle_trans; [exact near |].
      eapply Rle_trans; [| apply (integral_at_least _ first last (observed_dominated _ b G1)); [| exact order_of_ends]].
      + apply RInt_le; [exact order_of_ends | apply moment_dominated | apply (observed_dominated _ b G1) |].
        intros y Y. rewrite <- moment_is. rewrite <- density.
        rewrite <- Rpower_mult_distr, Rmult_assoc, <- Rpower_plus by apply exp_pos.
        replace (order + (1 - order)) with 1 by ring. rewrite Rpower_1 by apply exp_pos.
        apply Rmult_le_compat_r; [left; apply exp_pos |]. apply Rle_Rpower_l; [lra |]. split; [apply exp_pos |].
        unfold g. rewrite Rmin_right; [apply Rmax_r |]. unfold top.
        eapply Rle_trans; [apply most; lra | apply Rmax_l].
      + intro y. apply Rmult_le_pos; left; apply exp_pos.
    - assert (constants : observable (s := line) (fun _ => small)) by apply (observable_constant line).
      assert (K : integral (fun y => (Rpower (g y) order - small) * weight (y - b)) <=
        integral (fun y => Rpower (g y) (order - 1) * weight (y - a))).
      { apply integral_monotone.
        - apply (observed_dominated (fun y => Rpower (g y) order - small)).
          apply (observable_difference (O := line)); assumption.
        - apply observed_dominated, G2.
        - intro y. rewrite <- (density y), <- Rmult_assoc. apply Rmult_le_compat_r; [left; apply exp_pos |].
          specialize (range y). assert (split : Rpower (g y) order = Rpower (g y) (order - 1) * g y).
          { rewrite <- (Rpower_1 (g y)) at 3 by lra. rewrite <- Rpower_plus. f_equal. ring. }
          destruct (Rle_lt_dec u (h y)) as [high | low].
          + assert (g y <= h y) by (unfold g; apply Rmax_lub; [exact high | apply Rmin_r]).
            assert (Rpower (g y) (order - 1) * g y <= Rpower (g y) (order - 1) * h y)
              by (apply Rmult_le_compat_l; [left; apply power_positive | assumption]). lra.
          + assert (same : g y = u).
            { unfold g. apply Rmax_left. eapply Rle_trans; [apply Rmin_r | lra]. }
            rewrite same, power_u. assert (0 <= Rpower u (order - 1) * h y); [| lra].
            apply Rmult_le_pos; left; [apply power_positive | apply exp_pos]. }
      change (E (noisy b) (fun y => Rpower (g y) order) - small <= E (noisy a) (fun y => Rpower (g y) (order - 1))).
      rewrite <- (E_constant (noisy b) small), <- E_difference by assumption. rewrite !noisy_at.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, N | exact K].
  Qed.

  (* The divergence is the logarithm of the integral, over the order less 1. *)
  Theorem divergence_on_the_line :
    divergence_is order (ln (integral moment / total_weight) / (order - 1)) (noisy a) (noisy b).
  Proof.
    apply divergence_by_moment; [exact order_above_1 | |].
    - apply Rdiv_lt_0_compat; [| apply total_weight_positive].
      apply integral_positive; [exact moment_dominated | | intro; apply exp_pos].
      assert (shift : forall c k, continuity (fun y => k * log_weight (y - c))).
      { intros c k. apply (continuity_mult (fun _ => k) (fun y => log_weight (y - c)));
          [apply continuity_const; intros v w; reflexivity |].
        apply (continuity_comp (fun y => y - c) log_weight); [| exact continuous].
        apply continuity_minus; [apply derivable_continuous, derivable_id |].
        apply continuity_const. intros v w. reflexivity. }
      apply (continuity_comp (fun y => order * log_weight (y - a) + (1 - order) * log_weight (y - b)) exp);
        [| apply derivable_continuous, derivable_exp].
      apply (continuity_plus (fun y => order * log_weight (y - a)) (fun y => (1 - order) * log_weight (y - b)));
        apply shift.
    - intro e. split; [apply renyi_from_moment | apply moment_from_renyi].
  Qed.
End divergence_on_the_line.
(* Inputs just d_in apart, and at most d_in apart. *)
Definition just (d_in x y : R) := Rabs (x - y) = d_in.
Definition at_most (d_in x y : R) := Rabs (x - y) <= d_in.
Lemma two_inputs_just_apart d_in : 0 <= d_in -> just d_in 0 d_in.
Proof. intro D. unfold just. rewrite Rminus_0_l, Rabs_Ropp. apply Rabs_pos_eq, D. Qed.

(* A weight with such an exponent is a polynomial of degree 2, hence continuous. *)
Lemma exponent_is_continuous log_weight privacy_map :
  renyi_exponent_is_bounded log_weight privacy_map -> continuity log_weight.
Proof.
  intros exponent x. apply (continuity_pt_ext (fun z => - z * log_weight (-1) + (1 + z) * log_weight 0 -
    z * (z + 1) * privacy_map 1)); [| reg].
  intro z. pose proof (exponent 0 1 0 (- z)) as K. replace (0 - (- z * 1 + (1 - - z) * 0)) with z in K by ring.
  replace (0 - 1) with (-1) in K by ring. rewrite !Rminus_0_r, Rabs_R1 in K. lra.
Qed.

(* Noise on the reals under zCDP: p^order q^(1 - order) is a shifted weight. *)
Section normal_shape.
  Variables (log_weight privacy_map : R -> R) (tail_rate tail_offset : R).
  Hypothesis continuous : continuity log_weight.
  Hypothesis tail : tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
  Hypothesis exponent : renyi_exponent_is_bounded log_weight privacy_map.
  Let noisy := add_line_noise log_weight tail_rate tail_offset continuous tail.

  (* renyi_divergence: inputs just d_in apart have the divergence map(d_in) order, no more and no less. *)
  Theorem renyi_divergence order d_in : 1 < order ->
    private (just d_in) noisy (divergence_is order (privacy_map d_in * order)).
  Proof.
    intros A a b <-. set (rho := privacy_map (Rabs (a - b))). set (c := order * a + (1 - order) * b).
    pose proof (line_weight_dominated log_weight tail_rate tail_offset continuous tail c) as W.
    pose proof (dominated_multiple (exp (order * (order - 1) * rho)) _ W) as W'.
    assert (same : forall y, exp (order * (order - 1) * rho) * exp (log_weight (y - c)) =
      exp (order * log_weight (y - a) + (1 - order) * log_weight (y - b))).
    { intro y. rewrite <- exp_plus. f_equal. rewrite (exponent y a b order). unfold rho, c. ring. }
    pose proof (divergence_on_the_line log_weight tail_rate tail_offset continuous tail order a b A
      (dominated_same _ _ same W')) as K.
    rewrite <- (integral_same _ _ same W'), (integral_multiple _ _ W) in K.
    rewrite (line_weight_total log_weight tail_rate tail_offset continuous tail c) in K.
    pose proof (line_total_positive log_weight tail_rate tail_offset continuous tail) as N.
    unfold Rdiv in K at 2. rewrite Rmult_assoc, Rinv_r, Rmult_1_r, ln_exp in K by lra.
    replace (rho * order) with (order * (order - 1) * rho / (order - 1)) by (field; lra). exact K.
  Qed.

  Hypothesis grows : map_grows privacy_map.
  (* renyi_bound: it bounds the divergence of inputs at most d_in apart. *)
  Theorem renyi_bound order d_in : 1 < order -> private (at_most d_in) noisy (renyi order (privacy_map d_in * order)).
  Proof.
    intros A a b near. apply (weaken_renyi _ _ order (privacy_map (Rabs (a - b)) * order)); [exact A | |].
    - apply Rmult_le_compat_r; [lra |]. apply grows; [apply Rabs_pos | exact near].
    - apply (renyi_divergence order _ A a b eq_refl), Rle_refl.
  Qed.
  (* additive_noise, on the reals, under zCDP: numbers at most d_in apart, plus noise, are map(d_in)-zCDP. *)
  Theorem additive_noise_concentrated_on_the_line d_in :
    private (at_most d_in) noisy (concentrated (privacy_map d_in)).
  Proof. intros a b near order A. apply renyi_bound; assumption. Qed.
  (* renyi_exceeded, of such noise: a claim of less than map(d_in) order is false. *)
  Theorem renyi_exceeded_by_noise order d_in epsilon : 1 < order -> 0 <= d_in -> epsilon < privacy_map d_in * order ->
    ~ private (at_most d_in) noisy (renyi order epsilon).
  Proof.
    intros A D more. pose proof (two_inputs_just_apart d_in D) as two.
    apply (renyi_exceeded _ noisy 0 d_in order (privacy_map d_in * order)); [| | exact more].
    - right. exact two.
    - apply renyi_divergence; assumption.
  Qed.
End normal_shape.

(* Continuous Gaussian noise, whatever sigma is: its zCDP, and that its divergences are no smaller. *)
Section gaussian.
  Variable sigma : R.
  Hypothesis sigma_positive : 0 < sigma.
  Lemma gaussian_continuous : continuity (normal_log_weight sigma).
  Proof.
    apply (continuity_mult (fun z => - z ^ 2) (fun _ => / (2 * sigma ^ 2))).
    - apply continuity_opp, derivable_continuous, derivable_pow.
    - apply continuity_const. intros u v. reflexivity.
  Qed.
  Definition continuous_gaussian :=
    add_line_noise (normal_log_weight sigma) (1 / sigma) (1 / 2 + 0 * sigma) gaussian_continuous
    (normal_weight_tail sigma sigma_positive).
  Theorem continuous_gaussian_concentrated d_in :
    private (at_most d_in) continuous_gaussian (concentrated (d_in ^ 2 / (2 * sigma ^ 2))).
  Proof.
    exact (additive_noise_concentrated_on_the_line _ _ _ _ gaussian_continuous (normal_weight_tail sigma sigma_positive)
      (normal_exponent sigma sigma_positive) (normal_map_grows sigma sigma_positive) d_in).
  Qed.
  Theorem continuous_gaussian_divergence order d_in : 1 < order ->
    private (just d_in) continuous_gaussian (divergence_is order (d_in ^ 2 / (2 * sigma ^ 2) * order)).
  Proof.
    exact (renyi_divergence _ _ _ _ gaussian_continuous (normal_weight_tail sigma sigma_positive)
      (normal_exponent sigma sigma_positive) order d_in).
  Qed.
  Theorem continuous_gaussian_not_less_concentrated d_in rho : 0 <= d_in -> rho < d_in ^ 2 / (2 * sigma ^ 2) ->
    ~ private (at_most d_in) continuous_gaussian (concentrated rho).
  Proof.
    intros D less claim. apply (renyi_exceeded_by_noise (normal_log_weight sigma) (normal_privacy_map sigma) _ _
      gaussian_continuous (normal_weight_tail sigma sigma_positive) (normal_exponent sigma sigma_positive)
      2 d_in (rho * 2) ltac:(lra) D); [unfold normal_privacy_map; lra |].
    intros x y near. apply (claim x y near). lra.
  Qed.
End gaussian.

Lemma dominated_moved f c : dominated f -> dominated (fun x => f (x + c)).
Proof.
  intros (F & d & rate & R & D). split; [exact (integrable_moved f c F) |].
  exists (d * exp (rate * Rabs c)), rate. split; [exact R |]. intro x. eapply Rle_trans; [apply D |].
  assert (0 <= d).
  { specialize (D 0). rewrite Rabs_R0, Rmult_0_r, exp_0 in D. pose proof (Rabs_pos (f 0)). lra. }
  rewrite Rmult_assoc, <- exp_plus. apply Rmult_le_compat_l; [assumption |]. apply exp_le.
  pose proof (Rabs_triang (x + c) (- c)) as T. rewrite Rabs_Ropp in T. replace (x + c + - c) with x in T by ring.
  assert (rate * Rabs x <= rate * (Rabs (x + c) + Rabs c)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma dominated_mirrored f : dominated f -> dominated (fun x => f (- x)).
Proof.
  intros (F & d & rate & R & D). split.
  2: { exists d, rate. split; [exact R |]. intro x. rewrite <- (Rabs_Ropp x). apply D. }
  intros a b. apply (ex_RInt_ext (fun z => opp (opp (f (- z))))); [intros; apply opp_opp |].
  apply (ex_RInt_opp (fun z => opp (f (- z)))), (ex_RInt_comp_opp f), F.
Qed.

(* Noise on the reals with weights in proportion to |z|. *)
Definition weight_is_linear (log_weight privacy_map : R -> R) := forall z s,
  log_weight z = - privacy_map (Rabs z) /\ privacy_map s = s * privacy_map 1 /\ 0 < privacy_map 1.
Definition linear_divergence (order loss : R) :=
  ln (order / (2 * order - 1) * exp ((order - 1) * loss) + (order - 1) / (2 * order - 1) * exp (- (order * loss)))
    / (order - 1).

Lemma exponential_integral c k a b : k <> 0 ->
  is_RInt (fun z => c * exp (k * z)) a b (c / k * exp (k * b) - c / k * exp (k * a)).
Proof.
  intro nonzero. apply (is_RInt_derive (fun x => c / k * exp (k * x)) (fun x => c * exp (k * x))).
  - intros x _. auto_derive; [exact I | field; exact nonzero].
  - intros x _. apply (ex_derive_continuous (fun x => c * exp (k * x))). auto_derive. exact I.
Qed.
(* An integral on intervals that tends exponentially to I. *)
Lemma has_integral_by_tails (f : R -> R) (I c rate radius : R) : 0 < rate -> 0 <= c ->
  (forall a b, a < - radius -> radius < b ->
    exists y, is_RInt f a b y /\ Rabs (y - I) <= c * exp (rate * a) + c * exp (- rate * b)) -> has_integral f I.
Proof.
  intros R C near P [eps there]. pose proof (cond_pos eps) as eps_positive.
  pose (M := Rmax radius (2 * c / (rate * eps))).
  assert (M1 : radius <= M) by apply Rmax_l. assert (M2 : 2 * c / (rate * eps) <= M) by apply Rmax_r.
  assert (small : forall x, M < x -> 2 * (c * exp (- rate * x)) < eps).
  { intros x X. replace (- rate * x) with (- (rate * x)) by ring. rewrite exp_Ropp.
    pose proof (exp_ineq1_le (rate * x)) as Y. pose proof (exp_pos (rate * x)) as Z.
    apply (Rmult_lt_reg_r (exp (rate * x))); [exact Z |].
    replace (2 * (c * / exp (rate * x)) * exp (rate * x)) with (2 * c) by (field; lra).
    apply Rlt_le_trans with (eps * (1 + rate * x)); [| apply Rmult_le_compat_l; lra].
    assert (2 * c <= rate * x * eps); [| lra].
    replace (2 * c) with (rate * (2 * c / (rate * eps)) * eps) by (field; lra).
    apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra. }
  unfold filtermapi. generalize (beyond M). apply filter_imp. intros [a b] [A B]. simpl in A, B.
  destruct (near a b) as (y & Y & close); [lra | lra |]. exists y. split; [exact Y |]. apply there.
  change (Rabs (y - I) < eps). pose proof (small (- a) ltac:(lra)) as X. pose proof (small b B) as Z.
  replace (- rate * - a) with (rate * a) in X by ring. lra.
Qed.

Section linear_shape.
  Variables (log_weight privacy_map : R -> R).
  Hypothesis linear : weight_is_linear log_weight privacy_map.
  Let m := privacy_map 1.

  Lemma slope_positive : 0 < m.
  Proof. apply (linear 0 0). Qed.
  Lemma linear_weight z : log_weight z = - (m * Rabs z).
  Proof. destruct (linear z (Rabs z)) as (-> & -> & _). unfold m. ring. Qed.
  Lemma linear_continuous : continuity log_weight.
  Proof.
    intro x. apply (continuity_pt_ext (fun z => - m * Rabs z)); [intro z; rewrite linear_weight; ring |].
    revert x. apply (continuity_mult (fun _ => - m) Rabs); [| apply Rcontinuity_abs].
    apply continuity_const. intros u v. reflexivity.
  Qed.

  Section moment.
    Variables order d : R.
    Hypothesis order_above_1 : 1 < order.
    Hypothesis d_nonnegative : 0 <= d.
    Let moment z := exp (order * log_weight z + (1 - order) * log_weight (z - d)).

    (* exponent_by_cases *)
    Lemma moment_left z : z <= 0 -> moment z = exp (m * (order - 1) * d) * exp (m * z).
    Proof.
      intro Z. unfold moment. rewrite !linear_weight, <- exp_plus, !Rabs_left1 by lra. f_equal. ring.
    Qed.
    Lemma moment_middle z : 0 <= z <= d -> moment z = exp (m * (order - 1) * d) * exp (- (m * (2 * order - 1)) * z).
    Proof.
      intro Z. unfold moment. rewrite !linear_weight, <- exp_plus, Rabs_pos_eq, Rabs_left1 by lra. f_equal. ring.
    Qed.
    Lemma moment_right z : d <= z -> moment z = exp (m * (1 - order) * d) * exp (- m * z).
    Proof.
      intro Z. unfold moment. rewrite !linear_weight, <- exp_plus, !Rabs_pos_eq by lra. f_equal. ring.
    Qed.
    Lemma moment_continuous : continuity moment.
    Proof.
      apply (continuity_comp (fun z => order * log_weight z + (1 - order) * log_weight (z - d)) exp);
        [| apply derivable_continuous, derivable_exp].
      assert (scaled : forall k f, continuity f -> continuity (fun z : R => k * f z)).
      { intros k f F. apply (continuity_mult (fun _ => k) f); [| exact F].
        apply continuity_const. intros u v. reflexivity. }
      apply (continuity_plus (fun z => order * log_weight z) (fun z => (1 - order) * log_weight (z - d)));
        apply scaled; [apply linear_continuous |].
      apply (continuity_comp (fun z => z - d) log_weight); [| apply linear_continuous].
      apply continuity_minus; [apply derivable_continuous, derivable_id |].
      apply continuity_const. intros u v. reflexivity.
    Qed.
    Lemma linear_moment_dominated : dominated moment.
    Proof.
      split; [apply integrable_continuous, moment_continuous |].
      exists (exp (m * (order - 1) * d)), m. split; [apply slope_positive |]. intro z.
      rewrite Rabs_pos_eq by (left; apply exp_pos). unfold moment. rewrite !linear_weight, <- exp_plus. apply exp_le.
      pose proof slope_positive as M. pose proof (Rabs_triang z (- d)) as T.
      rewrite Rabs_Ropp, (Rabs_pos_eq d) in T by lra.
      fold (z - d) in T.
      assert (m * (order - 1) * Rabs (z - d) <= m * (order - 1) * (Rabs z + d)).
      { apply Rmult_le_compat_l; [| exact T]. apply Rmult_le_pos; lra. }
      lra.
    Qed.
    (* the integrals of its three parts, and their sum *)
    Lemma linear_moment_integral : integral moment = 2 / m *
      (order / (2 * order - 1) * exp ((order - 1) * (d * m))
       + (order - 1) / (2 * order - 1) * exp (- (order * (d * m)))).
    Proof.
      pose proof slope_positive as M. set (u := exp (m * (order - 1) * d)). set (w := exp (m * (1 - order) * d)).
      set (v := exp (- (order * (d * m)))).
      replace (exp ((order - 1) * (d * m))) with u by (unfold u; f_equal; ring).
      assert (uv : u * exp (- (m * (2 * order - 1)) * d) = v) by (unfold u, v; rewrite <- exp_plus; f_equal; ring).
      assert (wv : w * exp (- m * d) = v) by (unfold w, v; rewrite <- exp_plus; f_equal; ring).
      assert (U : 0 < u) by apply exp_pos. assert (W : 0 < w) by apply exp_pos.
      assert (J : 0 < / m) by (apply Rinv_0_lt_compat, M).
      apply integral_is, (has_integral_by_tails _ _ ((u + w) * / m) m d); [exact M | apply Rmult_le_pos; lra |].
      intros a b A B. exists (u / m * exp (m * 0) - u / m * exp (m * a)
        + (u / - (m * (2 * order - 1)) * exp (- (m * (2 * order - 1)) * d)
           - u / - (m * (2 * order - 1)) * exp (- (m * (2 * order - 1)) * 0))
        + (w / - m * exp (- m * b) - w / - m * exp (- m * d))).
      split.
      - apply (is_RInt_Chasles moment a d b); [apply (is_RInt_Chasles moment a 0 d) |].
        + apply (is_RInt_ext (fun z => u * exp (m * z))); [| apply exponential_integral; lra].
          intros z Z. rewrite Rmin_left, Rmax_right in Z by lra. symmetry. apply moment_left. lra.
        + apply (is_RInt_ext (fun z => u * exp (- (m * (2 * order - 1)) * z)));
            [| apply exponential_integral; assert (0 < m * (2 * order - 1)) by (apply Rmult_lt_0_compat; lra); lra].
          intros z Z. rewrite Rmin_left, Rmax_right in Z by lra. symmetry. apply moment_middle. lra.
        + apply (is_RInt_ext (fun z => w * exp (- m * z))); [| apply exponential_integral; lra].
          intros z Z. rewrite Rmin_left, Rmax_right in Z by lra. symmetry. apply moment_right. lra.
      - rewrite !Rmult_0_r, exp_0.
        match goal with |- Rabs ?e <= _ =>
          replace e with (- (u * / m * exp (m * a)) - w * / m * exp (- m * b)
            + ((u * exp (- (m * (2 * order - 1)) * d) - v) * - / (m * (2 * order - 1)) + (w * exp (- m * d) - v) * / m))
            by (field; lra) end.
        rewrite uv, wv, !Rminus_eq_0, !Rmult_0_l, !Rplus_0_r.
        pose proof (exp_pos (m * a)) as X. pose proof (exp_pos (- m * b)) as Y.
        assert (0 <= u * / m * exp (m * a)) by (repeat apply Rmult_le_pos; lra).
        assert (0 <= w * / m * exp (- m * b)) by (repeat apply Rmult_le_pos; lra).
        assert (0 <= w * / m * exp (m * a)) by (repeat apply Rmult_le_pos; lra).
        assert (0 <= u * / m * exp (- m * b)) by (repeat apply Rmult_le_pos; lra).
        apply Rabs_le. lra.
    Qed.
  End moment.

  Lemma linear_total : integral (fun z => exp (log_weight z)) = 2 / m.
  Proof.
    pose proof (linear_moment_integral 2 0 ltac:(lra) ltac:(lra)) as K.
    rewrite Rmult_0_l, !Rmult_0_r, Ropp_0, exp_0 in K.
    rewrite (integral_same _ (fun z => exp (log_weight z))) in K.
    - rewrite K. pose proof slope_positive. field. lra.
    - intro z. f_equal. rewrite Rminus_0_r. ring.
    - apply linear_moment_dominated; lra.
  Qed.

  Variables (tail_rate tail_offset : R).
  Hypothesis continuous : continuity log_weight.
  Hypothesis tail : tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
  Let noisy := add_line_noise log_weight tail_rate tail_offset continuous tail.

  (* renyi_divergence, weights in proportion to |z|: the closed form, with map(d_in) for the loss. *)
  Theorem renyi_divergence_linear order d_in : 1 < order ->
    private (just d_in) noisy (divergence_is order (linear_divergence order (privacy_map d_in))).
  Proof.
    intros A a b apart. pose proof slope_positive as M.
    assert (D : 0 <= d_in) by (rewrite <- apart; apply Rabs_pos). unfold just in apart.
    pose (centred z := exp (order * log_weight z + (1 - order) * log_weight (z - d_in))).
    pose (moment y := exp (order * log_weight (y - a) + (1 - order) * log_weight (y - b))).
    assert (C : dominated centred) by exact (linear_moment_dominated order d_in A D).
    assert (moved : dominated moment /\ integral moment = integral centred).
    { destruct (Rle_lt_dec a b) as [below | beyond].
      - rewrite Rabs_left1 in apart by lra.
        assert (same : forall y, centred (y + - a) = moment y).
        { intro y. unfold centred, moment. f_equal. f_equal; f_equal; f_equal; lra. }
        pose proof (dominated_moved _ (- a) C) as C'. split; [exact (dominated_same _ _ same C') |].
        rewrite <- (integral_same _ _ same C'). apply integral_moved, C.
      - rewrite Rabs_pos_eq in apart by lra. pose proof (dominated_mirrored _ C) as mirrored.
        assert (same : forall y, centred (- (y + - a)) = moment y).
        { intro y. unfold centred, moment. rewrite !linear_weight, <- (Rabs_Ropp (y - a)), <- (Rabs_Ropp (y - b)).
          f_equal. f_equal; f_equal; f_equal; f_equal; f_equal; lra. }
        pose proof (dominated_moved (fun z => centred (- z)) (- a) mirrored) as C'.
        split; [exact (dominated_same _ _ same C') |].
        rewrite <- (integral_same _ _ same C'), (integral_moved (fun z => centred (- z)) (- a) mirrored).
        apply integral_mirrored, C. }
    destruct moved as [dominating same].
    pose proof (divergence_on_the_line log_weight tail_rate tail_offset continuous tail order a b A dominating) as K.
    fold moment in K. rewrite same, linear_total in K. unfold centred in K.
    rewrite linear_moment_integral in K by assumption.
    unfold linear_divergence. destruct (linear 0 d_in) as (_ & -> & _). fold m.
    match type of K with divergence_is _ (ln (2 / m * ?sum / (2 / m)) / _) _ _ =>
      replace (2 / m * sum / (2 / m)) with sum in K by (field; lra) end.
    exact K.
  Qed.

  (* renyi_bound, weights in proportion to |z|: it grows with the loss, and so with the distance. *)
  Lemma linear_divergence_grows order t t' : 1 < order -> 0 <= t -> t <= t' ->
    linear_divergence order t <= linear_divergence order t'.
  Proof.
    intros A T below. unfold linear_divergence.
    assert (R : 0 < / (2 * order - 1)) by (apply Rinv_0_lt_compat; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |]. apply ln_at_most.
    - assert (forall c x, 0 < c -> 0 < c / (2 * order - 1) * exp x) as positive.
      { intros c x C. repeat apply Rmult_lt_0_compat; [exact C | exact R | apply exp_pos]. }
      apply Rplus_lt_0_compat; apply positive; lra.
    - set (x := t' - t). assert (X : 0 <= x) by (unfold x; lra).
      assert (up : (order - 1) * x <= exp ((order - 1) * t') - exp ((order - 1) * t)).
      { replace ((order - 1) * t') with ((order - 1) * t + (order - 1) * x) by (unfold x; ring). rewrite exp_plus.
        pose proof (exp_ineq1_le ((order - 1) * x)) as K.
        assert (0 <= (order - 1) * t) by (apply Rmult_le_pos; lra).
        pose proof (exp_at_least_1 ((order - 1) * t) ltac:(assumption)) as L.
        assert (0 <= (order - 1) * x) by (apply Rmult_le_pos; lra).
        assert (1 * ((order - 1) * x) <= exp ((order - 1) * t) * (exp ((order - 1) * x) - 1))
          by (apply Rmult_le_compat; lra). lra. }
      assert (down : exp (- (order * t)) - exp (- (order * t')) <= order * x).
      { replace (- (order * t')) with (- (order * t) + - (order * x)) by (unfold x; ring). rewrite exp_plus.
        pose proof (exp_ineq1_le (- (order * x))) as K. pose proof (exp_pos (- (order * t))) as L.
        assert (exp (- (order * t)) <= 1).
        { rewrite <- exp_0. apply exp_le. assert (0 <= order * t) by (apply Rmult_le_pos; lra). lra. }
        assert (0 <= order * x) by (apply Rmult_le_pos; lra).
        apply Rle_trans with (exp (- (order * t)) * (order * x)); [| rewrite <- (Rmult_1_l (order * x)) at 2;
          apply Rmult_le_compat_r; lra].
        replace (exp (- (order * t)) - exp (- (order * t)) * exp (- (order * x)))
          with (exp (- (order * t)) * (1 - exp (- (order * x)))) by ring.
        apply Rmult_le_compat_l; lra. }
      apply (Rmult_le_compat_l order) in up; [| lra]. apply (Rmult_le_compat_l (order - 1)) in down; [| lra].
      unfold Rdiv.
      match goal with |- order * _ * ?u + (order - 1) * _ * ?v <= order * _ * ?u' + (order - 1) * _ * ?v' =>
        replace (order * / (2 * order - 1) * u + (order - 1) * / (2 * order - 1) * v)
          with (/ (2 * order - 1) * (order * u + (order - 1) * v)) by ring;
        replace (order * / (2 * order - 1) * u' + (order - 1) * / (2 * order - 1) * v')
          with (/ (2 * order - 1) * (order * u' + (order - 1) * v')) by ring end.
      apply Rmult_le_compat_l; lra.
  Qed.
  Theorem renyi_bound_linear order d_in : 1 < order ->
    private (at_most d_in) noisy (renyi order (linear_divergence order (privacy_map d_in))).
  Proof.
    intros A a b near.
    apply (weaken_renyi _ _ order (linear_divergence order (privacy_map (Rabs (a - b))))); [exact A | |].
    - pose proof slope_positive as M. pose proof (Rabs_pos (a - b)). unfold at_most in near.
      destruct (linear 0 d_in) as (_ & -> & _). destruct (linear 0 (Rabs (a - b))) as (_ & -> & _). fold m.
      apply linear_divergence_grows; [exact A | apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
    - apply (renyi_divergence_linear order _ A a b eq_refl), Rle_refl.
  Qed.
  (* renyi_exceeded, weights in proportion to |z|: a claim of less is false. *)
  Theorem renyi_exceeded_linear order d_in epsilon : 1 < order -> 0 <= d_in ->
    epsilon < linear_divergence order (privacy_map d_in) -> ~ private (at_most d_in) noisy (renyi order epsilon).
  Proof.
    intros A D more. pose proof (two_inputs_just_apart d_in D) as two.
    apply (renyi_exceeded _ noisy 0 d_in order (linear_divergence order (privacy_map d_in))); [| | exact more].
    - right. exact two.
    - apply renyi_divergence_linear; assumption.
  Qed.
End linear_shape.

(* Continuous Laplace noise: every scale. *)
Theorem laplace_divergence scale (S : 0 < scale) order d_in : 1 < order ->
  private (just d_in) (laplace scale S) (divergence_is order (linear_divergence order (d_in / scale))).
Proof.
  apply (renyi_divergence_linear _ (fun d => d / scale)). intros z s. split; [field; lra |].
  split; [field; lra | apply Rdiv_lt_0_compat; lra].
Qed.

(* Scale 1 and distance 1: at order 2 the divergence is more than ln(2 e / 3). *)
Example laplace_of_scale_1 (one : 0 < 1) : ~ private (at_most 1) (laplace 1 one) (renyi 2 (ln (2 / 3 * exp 1))).
Proof.
  apply (renyi_exceeded _ (laplace 1 one) 0 1 2 (linear_divergence 2 (1 / 1))).
  - right. apply two_inputs_just_apart. lra.
  - apply laplace_divergence; [lra | apply two_inputs_just_apart; lra].
  - unfold linear_divergence. replace (2 - 1) with 1 by ring. replace (2 * 2 - 1) with 3 by ring.
    unfold Rdiv at 2. rewrite Rinv_1, Rmult_1_r. replace (1 * (1 / 1)) with 1 by field.
    apply ln_increasing; [apply Rmult_lt_0_compat; [lra | apply exp_pos] |].
    pose proof (exp_pos (- (2 * (1 / 1)))). lra.
Qed.

(* Laws of two masses: one for the outcome that is the input, the other for each other outcome. *)
Section hit_or_miss.
  Variables (size : Z) (pmf cumulative : Z -> Z -> R) (hit miss : R).
  Local Notation inside i := (0 <= i <= size - 1)%Z.
  Hypothesis masses_are_not_negative : forall output input, inside input -> inside output -> 0 <= pmf output input.
  Hypothesis cumulative_grows_by_the_mass : forall output input, inside input -> inside output ->
    cumulative output input - cumulative (output - 1)%Z input = pmf output input.
  Hypothesis cumulative_runs_from_0_to_1 : forall input, inside input ->
    cumulative (-1)%Z input = 0 /\ cumulative (size - 1)%Z input = 1.
  Hypothesis mass_is_hit_or_miss : forall output input, inside output -> inside input ->
    pmf output input = (if Z.eq_dec output input then hit else miss) /\ 0 < hit /\ 0 < miss /\ (2 <= size)%Z.
  Let drawn : mechanism Z (plain Z) :=
    fun input => Finite.listed 0%Z (Finite.whole size) (fun output => pmf output input).

  Definition order_power (p q order : R) := exp (order * ln p + (1 - order) * ln q).
  Definition two_mass_divergence (order : R) :=
    ln (order_power hit miss order + order_power miss hit order + (IZR size - 2) * miss) / (order - 1).
  Definition two_inputs (a b : Z) := inside a /\ inside b.
  Definition two_different_inputs (a b : Z) := inside a /\ inside b /\ a <> b.

  Lemma drawn_at input f : inside input -> E (drawn input) f =
    Finite.total (fun output => (if Z.eq_dec output input then hit else miss) * f output) (Finite.whole size).
  Proof.
    intro I. unfold drawn. rewrite Finite.E_listed
      by (apply (Finite.finite_law_masses size pmf cumulative); assumption).
    apply Finite.total_same. intros o O. apply Finite.in_whole in O.
    destruct (mass_is_hit_or_miss o input O I) as [-> _]. reflexivity.
  Qed.
  Lemma total_constant c : (0 <= size)%Z -> Finite.total (fun _ => c) (Finite.whole size) = IZR size * c.
  Proof.
    intro S. pose (f := fun i => IZR (i + 1) * c). rewrite (Finite.total_same _ (fun i => f i - f (i - 1)%Z)).
    - unfold Finite.whole. rewrite Finite.total_telescopes, Z2Nat.id by exact S. unfold f.
      replace (size - 1 + 1)%Z with size by lia. simpl. ring.
    - intros i _. unfold f. replace (i - 1 + 1)%Z with i by lia. rewrite plus_IZR. ring.
  Qed.
  Lemma total_at a c : inside a ->
    Finite.total (fun i => if Z.eq_dec i a then c else 0) (Finite.whole size) = c.
  Proof.
    intro A. pose (f := fun i => if Z_le_dec a i then c else 0).
    rewrite (Finite.total_same _ (fun i => f i - f (i - 1)%Z)).
    - unfold Finite.whole. rewrite Finite.total_telescopes, Z2Nat.id by lia. unfold f.
      repeat destruct Z_le_dec; try lia; ring.
    - intros i _. unfold f. destruct Z.eq_dec; repeat destruct Z_le_dec; try lia; ring.
  Qed.

  (* renyi_divergence, finite laws: of two different inputs, whichever they are. *)
  Theorem renyi_divergence_finite order : 1 < order ->
    private two_different_inputs drawn (divergence_is order (two_mass_divergence order)).
  Proof.
    intros A a b (I & J & differ). destruct (mass_is_hit_or_miss a a I I) as (_ & H & M & two).
    pose (h := fun o => if Z.eq_dec o a then hit / miss else if Z.eq_dec o b then miss / hit else 1).
    assert (H' : 0 < hit / miss) by (apply Rdiv_lt_0_compat; assumption).
    assert (M' : 0 < miss / hit) by (apply Rdiv_lt_0_compat; assumption).
    assert (h_positive : forall o, 0 < h o) by (intro o; unfold h; repeat destruct Z.eq_dec; lra).
    assert (finitely_many : forall g : R -> R, bounded (fun o => g (h o))).
    { intro g. exists (Rabs (g (hit / miss)) + Rabs (g (miss / hit)) + Rabs (g 1)). intro o. unfold h.
      pose proof (Rabs_pos (g (hit / miss))). pose proof (Rabs_pos (g (miss / hit))). pose proof (Rabs_pos (g 1)).
      assert (K : forall x, - Rabs x <= x <= Rabs x) by (intro x; apply Rabs_le_between, Rle_refl).
      pose proof (K (g (hit / miss))). pose proof (K (g (miss / hit))). pose proof (K (g 1)).
      repeat destruct Z.eq_dec; lra. }
    assert (powers : forall p q, 0 < p -> 0 < q -> q * Rpower (p / q) order = order_power p q order).
    { intros p q P Q. unfold Rdiv. rewrite <- Rpower_mult_distr by (try apply Rinv_0_lt_compat; assumption).
      unfold Rpower, order_power. rewrite ln_Rinv by exact Q. rewrite <- (exp_ln q Q) at 1.
      rewrite <- !exp_plus. f_equal. ring. }
    assert (moment : E (drawn b) (fun o => power_from_0 (h o) order) =
      order_power hit miss order + order_power miss hit order + (IZR size - 2) * miss).
    { rewrite drawn_at by exact J.
      rewrite (Finite.total_same _ (fun o => (miss + (if Z.eq_dec o a then order_power hit miss order - miss else 0)) +
        (if Z.eq_dec o b then order_power miss hit order - miss else 0))).
      - rewrite !Finite.total_sum, total_constant, !total_at by (assumption || lia). ring.
      - intros o _. rewrite power_from_0_positive by apply h_positive. unfold h.
        destruct (Z.eq_dec o a), (Z.eq_dec o b); try lia; rewrite ?power_of_1, ?powers by assumption; ring. }
    apply divergence_by_moment; [exact A | |].
    - assert (0 <= IZR size - 2) by (apply IZR_le in two; lra).
      assert (0 <= (IZR size - 2) * miss) by (apply Rmult_le_pos; lra).
      pose proof (exp_pos (order * ln hit + (1 - order) * ln miss)).
      pose proof (exp_pos (order * ln miss + (1 - order) * ln hit)). unfold order_power. lra.
    - intro e. rewrite <- moment. apply (renyi_by_density (drawn a) (drawn b) h); [exact A | | | |].
      + exact (finitely_many (fun x => x)).
      + intro o. left. apply h_positive.
      + exact (finitely_many (fun x => power_from_0 x order)).
      + intros f _. rewrite !drawn_at by assumption. apply Finite.total_same. intros o _. unfold h.
        repeat destruct Z.eq_dec; try lia; field; lra.
  Qed.
  (* renyi_bound, finite laws: of any two inputs. *)
  Theorem renyi_bound_finite order : 1 < order ->
    private two_inputs drawn (renyi order (two_mass_divergence order)).
  Proof.
    intros A a b [I J].
    assert (different : forall x y, inside x -> inside y -> x <> y ->
      renyi order (two_mass_divergence order) (drawn x) (drawn y)).
    { intros x y X Y differ. apply (renyi_divergence_finite order A x y (conj X (conj Y differ))), Rle_refl. }
    destruct (Z.eq_dec a b) as [<- | differ]; [| apply different; assumption].
    destruct (mass_is_hit_or_miss a a I I) as (_ & _ & _ & two).
    apply (weaken_renyi _ _ order 0); [exact A | | apply renyi_reflexive, A].
    apply (renyi_not_negative (drawn 0%Z) (drawn 1%Z) order); [exact A | apply different; lia].
  Qed.
  (* renyi_exceeded, finite laws: a claim of less is false, as there are two different inputs. *)
  Theorem renyi_exceeded_finite order epsilon : 1 < order -> (2 <= size)%Z -> epsilon < two_mass_divergence order ->
    ~ private two_inputs drawn (renyi order epsilon).
  Proof.
    intros A two more. apply (renyi_exceeded _ drawn 0%Z 1%Z order (two_mass_divergence order)); [| | exact more].
    - split; lia.
    - apply renyi_divergence_finite; [exact A |]. split; [lia | split; lia].
  Qed.
End hit_or_miss.

(* Randomised response, the truth with probability 3/4: at order 2 it has the divergence ln (7 / 3). *)
Example response_divergence : private (two_different_inputs 2)
  (fun input => Finite.listed 0%Z (Finite.whole 2) (fun output => if Z.eqb output input then 3 / 4 else 1 / 4))
  (divergence_is 2 (ln (7 / 3))).
Proof.
  replace (ln (7 / 3)) with (two_mass_divergence 2 (3 / 4) (1 / 4) 2).
  - apply (renyi_divergence_finite 2 _ (fun output input =>
      if Z.eqb output (-1) then 0 else if Z.eqb output 1 then 1 else if Z.eqb input 0 then 3 / 4 else 1 / 4)).
    + intros output input I O. destruct (Z.eqb output input); lra.
    + intros output input I O. assert (output = 0 \/ output = 1)%Z as [-> | ->] by lia;
        assert (input = 0 \/ input = 1)%Z as [-> | ->] by lia; simpl; lra.
    + intros input I. simpl. split; reflexivity.
    + intros output input O I. split; [| split; [lra | split; [lra | lia]]].
      destruct (Z.eqb_spec output input), (Z.eq_dec output input); try contradiction; reflexivity.
    + lra.
  - assert (at_2 : forall p q, 0 < p -> 0 < q -> order_power p q 2 = p * p / q).
    { intros p q P Q. unfold order_power. replace (2 * ln p + (1 - 2) * ln q) with (ln p + ln p + - ln q) by ring.
      rewrite !exp_plus, exp_Ropp, !exp_ln by assumption. reflexivity. }
    unfold two_mass_divergence. rewrite !at_2 by lra. replace (2 - 1) with 1 by ring.
    unfold Rdiv at 1. rewrite Rinv_1, Rmult_1_r. f_equal. field.
Qed.
(* Vectors of reals.  Their observables are the bounded functions that are uniformly continuous, which determine a law
   of vectors; with one coordinate integrated they are such functions again. *)
Definition close (gap : R) : list R -> list R -> Prop := Forall2 (fun x y => Rabs (x - y) <= gap).
Definition uniform (f : list R -> R) :=
  forall eps, 0 < eps -> exists gap, 0 < gap /\ forall u v, close gap u v -> Rabs (f u - f v) <= eps.
Lemma close_weaker gap gap' u v : gap <= gap' -> close gap u v -> close gap' u v.
Proof. intros below C. induction C; constructor; [lra | assumption]. Qed.
Lemma close_reflexive gap u : 0 <= gap -> close gap u u.
Proof. intro G. induction u; constructor; [rewrite Rminus_eq_0, Rabs_R0; exact G | assumption]. Qed.
Lemma uniform_two f g h : (forall eps, 0 < eps -> exists small, 0 < small /\
    forall u v, Rabs (f u - f v) <= small -> Rabs (g u - g v) <= small -> Rabs (h u - h v) <= eps) ->
  uniform f -> uniform g -> uniform h.
Proof.
  intros together F G eps E. destruct (together eps E) as (small & S & H).
  destruct (F small S) as (a & A & F'). destruct (G small S) as (b & B & G').
  exists (Rmin a b). split; [apply Rmin_pos; assumption |]. intros u v C.
  apply H; [apply F' | apply G']; apply (close_weaker (Rmin a b)); try exact C; [apply Rmin_l | apply Rmin_r].
Qed.
Lemma uniform_image g f : continuity g -> bounded f -> uniform f -> uniform (fun u => g (f u)).
Proof.
  intros C [c B] F eps E. destruct (Heine_cor2 (f := g) (a := - c) (b := c) (fun x _ => C x) (mkposreal eps E))
    as [delta near].
  pose proof (cond_pos delta) as D. destruct (F (delta / 2) ltac:(lra)) as (gap & G & H).
  exists gap. split; [exact G |]. intros u v K. specialize (H u v K). left. apply near; [apply B | apply B | lra].
Qed.
Definition vectors : space.
Proof.
  refine (Space (list R) (fun f => bounded f /\ uniform f) _ _ _ _ _ _ _).
  - intros f [B _]. exact B.
  - intros f g same [B F]. split; [exact (bounded_same f g same B) |]. intros eps E.
    destruct (F eps E) as (gap & G & H). exists gap. split; [exact G |]. intros u v C. rewrite <- !same. apply H, C.
  - intro c. split; [apply bounded_constant |]. intros eps E. exists 1. split; [lra |].
    intros u v _. rewrite Rminus_eq_0, Rabs_R0. lra.
  - intros f g [B F] [B' G]. split; [apply bounded_sum; assumption |]. apply (uniform_two f g); try assumption.
    intros eps E. exists (eps / 2). split; [lra |]. intros u v N N'.
    replace (f u + g u - (f v + g v)) with ((f u - f v) + (g u - g v)) by ring.
    pose proof (Rabs_triang (f u - f v) (g u - g v)). lra.
  - intros c f [B F]. split; [apply bounded_multiple, B |].
    apply (uniform_image (fun x => c * x)); [| exact B | exact F].
    apply (continuity_mult (fun _ => c) (fun x => x)); [apply continuity_const; intros ? ?; reflexivity |].
    apply derivable_continuous, derivable_id.
  - intros f g [B F] [B' G]. split; [apply bounded_least; assumption |]. apply (uniform_two f g); try assumption.
    intros eps E. exists eps. split; [lra |]. intros u v N N'. unfold Rabs, Rmin in *.
    repeat destruct Rle_dec; repeat destruct Rcase_abs; lra.
  - intros g f C [B F]. split; [apply bounded_image; assumption | apply uniform_image; assumption].
Defined.

Lemma section_observable (f : vectors -> R) o : observable f -> observable (s := vectors) (fun os => f (o :: os)).
Proof.
  intros [[c C] F]. split; [exists c; intro; apply C |]. intros eps E. destruct (F eps E) as (gap & G & H).
  exists gap. split; [exact G |]. intros u v K. apply H. constructor; [| exact K].
  rewrite Rminus_eq_0, Rabs_R0. lra.
Qed.
Lemma integrated_observable (rest : law vectors) (f : vectors -> R) :
  observable f -> observable (s := line) (fun o => E rest (fun os => f (o :: os))).
Proof.
  intro O. pose proof O as [[c C] F]. pose proof (fun o => section_observable f o O) as S. split.
  - exists c. intro o. apply E_between; [apply S | intro; apply C].
  - apply integrable_continuous. intros x eps E. destruct (F (eps / 2) ltac:(lra)) as (gap & G & H).
    exists gap. split; [exact G |]. intros y [_ near]. simpl in *. unfold R_dist in *.
    apply Rle_lt_trans with (eps / 2); [| lra]. rewrite <- E_difference by apply S.
    apply Rabs_le, E_between; [apply observable_difference; apply S |]. intro os.
    apply Rabs_le_between, H. constructor; [lra | apply close_reflexive; lra].
Qed.

(* An independent draw before others. *)
Definition draw_real_first (p : law line) (rest : law vectors) : law vectors.
Proof.
  refine (Law vectors (fun f => E p (fun o => E rest (fun os => f (o :: os)))) _ _ _ _).
  - intros f g F G below. apply E_monotone; try (apply integrated_observable; assumption).
    intro o. apply E_monotone; try (apply section_observable; assumption). intro os. apply below.
  - intros f g F G. rewrite <- E_sum by (apply integrated_observable; assumption). symmetry. apply E_same.
    + apply (observable_sum line); apply integrated_observable; assumption.
    + intro o. symmetry. apply (E_sum rest (fun os => f (o :: os)) (fun os => g (o :: os)));
        apply section_observable; assumption.
  - intros c f F. rewrite <- E_multiple by (apply integrated_observable; assumption). symmetry. apply E_same.
    + apply (observable_multiple line), integrated_observable, F.
    + intro o. symmetry. apply (E_multiple rest c (fun os => f (o :: os))), section_observable, F.
  - rewrite (E_same p _ (fun _ => 1)).
    + apply E_one.
    + apply (integrated_observable rest (fun _ => 1)), (observable_constant vectors).
    + intro. apply E_one.
Defined.
Definition independent_reals (laws : list (law line)) : law vectors :=
  fold_right draw_real_first (certain (O := vectors) []) laws.
Lemma draw_real_first_at p rest f :
  E (draw_real_first p rest) f = E p (fun o => E rest (fun os => f (o :: os))).
Proof. reflexivity. Qed.

(* Losses add up, under pure and under Renyi DP. *)
Lemma draw_real_first_within p q r s t u :
  0 <= u -> within t 0 p q -> within u 0 r s -> within (t * u) 0 (draw_real_first p r) (draw_real_first q s).
Proof.
  intros U H H' f [F between]. rewrite !draw_real_first_at, Rplus_0_r.
  assert (S : forall o, test (O := vectors) (fun os => f (o :: os))).
  { intro o. split; [apply section_observable, F | intro; apply between]. }
  assert (B : forall rest : law vectors, test (O := line) (fun o => E rest (fun os => f (o :: os)))).
  { intro rest. split; [apply integrated_observable, F | intro o; apply E_test, S]. }
  apply Rle_trans with (u * E p (fun o => E s (fun os => f (o :: os)))).
  - rewrite <- E_multiple by apply B. apply E_monotone; [apply B | apply observable_multiple, B |].
    intro o. specialize (H' _ (S o)). rewrite Rplus_0_r in H'. exact H'.
  - specialize (H _ (B s)). rewrite Rplus_0_r in H. rewrite (Rmult_comm t), Rmult_assoc.
    apply Rmult_le_compat_l; assumption.
Qed.
Lemma draw_real_first_renyi p q r s order e e' : 1 < order -> renyi order e p q -> renyi order e' r s ->
  renyi order (e + e') (draw_real_first p r) (draw_real_first q s).
Proof.
  intros A H H' f F above. pose proof (exponents order A) as (B & C & same).
  set (b := order / (order - 1)) in *. set (c := (order - 1) / order) in *.
  pose proof (power_observable (O := vectors) f b F above) as F'.
  pose proof (power_away_from_0 f b ltac:(lra) above) as above'.
  pose (g := fun o => E s (fun os => Rpower (f (o :: os)) b)).
  assert (G : observable (s := line) g) by exact (integrated_observable s _ F').
  assert (sections : forall h : vectors -> R, away_from_0 h -> forall o, away_from_0 (fun os => h (o :: os))).
  { intros h (low & L & K) o. exists low. split; [exact L | intro; apply K]. }
  assert (positive : away_from_0 g).
  { apply (E_away_from_0 (O := vectors) (fun _ => s) (fun (o : R) os => Rpower (f (o :: os)) b)).
    - intro o. exact (section_observable _ o F').
    - destruct above' as (low & L & K). exists low. split; [exact L | intros; apply K]. }
  pose proof (power_observable (O := line) g c G positive) as G'.
  pose proof (power_away_from_0 g c ltac:(lra) positive) as positive'.
  rewrite !draw_real_first_at. fold g. apply Rle_trans with (E p (fun o => exp (c * e') * Rpower (g o) c)).
  - apply E_monotone; [apply integrated_observable, F | apply (observable_multiple line), G' |].
    intro o. apply (H' (fun os => f (o :: os))); [apply section_observable, F | apply sections, above].
  - rewrite E_multiple by exact G'.
    eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos |]; apply H; assumption |].
    fold b c. rewrite (E_same q _ g); [| apply power_observable; assumption |].
    + rewrite <- Rmult_assoc, <- exp_plus. right. f_equal. f_equal. ring.
    + intro o. rewrite same. apply power_of_root; [lra | apply positive_away_from_0, positive].
Qed.

(* Vectors of reals at a distance. *)
Definition l1_reals (d_in : R) (x y : list R) := length x = length y /\ l1_distance x y <= d_in.
Definition l2_reals (d_in : R) (x y : list R) := length x = length y /\ 0 <= d_in /\ l2_square x y <= d_in ^ 2.
Lemma l1_distance_nonnegative x y : 0 <= l1_distance x y.
Proof.
  revert y. induction x as [| a x IH]; intros [| b y]; simpl; try lra.
  specialize (IH y). pose proof (Rabs_pos (a - b)). lra.
Qed.

Section noise_to_vectors_of_reals.
  Variables (log_weight privacy_map : R -> R) (tail_rate tail_offset : R).
  Hypothesis continuous : continuity log_weight.
  Hypothesis tail : tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
  Definition add_line_noise_to_vector : mechanism (list R) vectors := fun x =>
    independent_reals (map (add_line_noise log_weight tail_rate tail_offset continuous tail) x).

  (* additive_noise, vectors of reals, under pure: x + (Z, ..., Z) : l1(d_in) |-> pure(map(d_in)). *)
  Theorem additive_noise_vector_on_the_line d_in :
    loss_is_bounded log_weight privacy_map -> losses_accumulate privacy_map ->
    private (l1_reals d_in) add_line_noise_to_vector (pure (privacy_map d_in)).
  Proof.
    intros loss accumulate x. revert d_in. induction x as [| a x IH]; intros d_in [| b y] (same & near);
      try discriminate; simpl in near.
    - apply weaken_pure with 0.
      + pose proof (loss 0 0 0 d_in) as L. rewrite Rminus_0_r, Rabs_R0 in L. specialize (L near). lra.
      + intros f F. rewrite exp_0. change (f [] <= 1 * f [] + 0). lra.
    - injection same as same. pose proof (l1_distance_nonnegative x y). pose proof (Rabs_pos (a - b)).
      apply weaken_pure with (privacy_map (Rabs (a - b)) + privacy_map (l1_distance x y)); [apply accumulate; lra |].
      unfold pure, approximate. rewrite exp_plus. apply draw_real_first_within; [left; apply exp_pos | |].
      + apply (additive_noise_on_the_line log_weight tail_rate tail_offset continuous tail privacy_map _ loss).
        apply Rle_refl.
      + apply IH. split; [exact same | apply Rle_refl].
  Qed.
  (* additive_noise, vectors of reals, under zCDP: x + (Z, ..., Z) : l2(d_in) |-> concentrated(map(d_in)). *)
  Theorem additive_noise_vector_concentrated_on_the_line d_in :
    renyi_exponent_is_bounded log_weight privacy_map -> map_grows privacy_map ->
    losses_accumulate_concentrated privacy_map ->
    private (l2_reals d_in) add_line_noise_to_vector (concentrated (privacy_map d_in)).
  Proof.
    intros exponent grows accumulate x. revert d_in. induction x as [| a x IH]; intros d_in [| b y] (same & D & near);
      try discriminate; simpl in near.
    - apply (weaken_concentrated _ _ 0).
      + rewrite <- (no_loss_at_0 log_weight privacy_map exponent). apply grows; lra.
      + intros order A. rewrite Rmult_0_l. apply renyi_reflexive, A.
    - injection same as same. pose proof (l2_square_nonnegative x y) as N. pose proof (sqrt_pos (l2_square x y)).
      assert (root : sqrt (l2_square x y) ^ 2 = l2_square x y) by (apply pow2_sqrt, N).
      apply (weaken_concentrated _ _ (privacy_map (Rabs (a - b)) + privacy_map (sqrt (l2_square x y)))).
      + apply accumulate; try assumption; [apply Rabs_pos |]. rewrite root, pow2_abs. exact near.
      + intros order A. rewrite Rmult_plus_distr_r. apply draw_real_first_renyi; [exact A | |].
        * apply (renyi_bound log_weight privacy_map tail_rate tail_offset continuous tail exponent grows); [exact A |].
          apply Rle_refl.
        * apply (fun K => IH (sqrt (l2_square x y)) y K order A). repeat split; [exact same | assumption |].
          rewrite root. apply Rle_refl.
  Qed.
End noise_to_vectors_of_reals.

(* Independent Gaussian noises of one sigma on each coordinate. *)
Theorem continuous_gaussian_vector_concentrated sigma (S : 0 < sigma) d_in :
  private (l2_reals d_in) (add_line_noise_to_vector (normal_log_weight sigma) (1 / sigma) (1 / 2 + 0 * sigma)
    (gaussian_continuous sigma) (normal_weight_tail sigma S)) (concentrated (d_in ^ 2 / (2 * sigma ^ 2))).
Proof.
  exact (additive_noise_vector_concentrated_on_the_line (normal_log_weight sigma) (normal_privacy_map sigma) _ _ _ _
    d_in (normal_exponent sigma S) (normal_map_grows sigma S) (normal_losses_accumulate sigma S)).
Qed.
(* Coordinates 3 and 4 apart are 5 apart: with sigma 5 that is 1/2-zCDP. *)
Example two_coordinates (five : 0 < 5) : let M := add_line_noise_to_vector (normal_log_weight 5) (1 / 5) (1 / 2 + 0 * 5)
    (gaussian_continuous 5) (normal_weight_tail 5 five) in concentrated (1 / 2) (M [0; 0]) (M [3; 4]).
Proof.
  intro M. replace (1 / 2) with (5 ^ 2 / (2 * 5 ^ 2)) by field. apply continuous_gaussian_vector_concentrated.
  repeat split; simpl; lra.
Qed.

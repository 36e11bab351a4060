(* Renyi DP and zero-concentrated DP, for laws of every kind.

   The Renyi divergence is the logarithm of an integral of densities.  By Hoelder's inequality a bound on it can be said
   without densities, as a bound on expectations; that is the definition here, and the theorem renyi_by_density shows
   that it is the textbook's wherever there are bounded densities.  In this form the rules are short: to compose or to
   go two steps is to apply two bounds one after the other, and to post-process is Jensen's inequality. *)
From Coq Require Import Reals Lra List.
From Refdp Require Import Laws Privacy.
Import ListNotations.
Open Scope R_scope.

(* An observable that is at least some positive number everywhere. *)
Definition away_from_0 {T : Type} (f : T -> R) := exists low, 0 < low /\ forall o, low <= f o.

(* The Renyi divergence of p from q, of an order above 1, is at most epsilon. *)
Definition renyi (order epsilon : R) : measure := fun O p q =>
  forall f, observable f -> away_from_0 f ->
    E p f <= exp ((order - 1) / order * epsilon)
             * Rpower (E q (fun o => Rpower (f o) (order / (order - 1)))) ((order - 1) / order).
Arguments renyi _ _ {O} _ _.

(* Zero-concentrated DP: at every order the divergence is at most rho times the order. *)
Definition concentrated (rho : R) : measure := fun O p q => forall order, 1 < order -> renyi order (rho * order) p q.
Arguments concentrated _ {O} _ _.

(* Powers. *)

Lemma power_positive x s : 0 < Rpower x s.
Proof. apply exp_pos. Qed.
Lemma power_of_1 s : Rpower 1 s = 1.
Proof. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.
Lemma power_of_exp x s : Rpower (exp x) s = exp (s * x).
Proof. unfold Rpower. rewrite ln_exp. reflexivity. Qed.
Lemma power_of_root x s : s <> 0 -> 0 < x -> Rpower (Rpower x (/ s)) s = x.
Proof. intros S X. rewrite Rpower_mult, Rinv_l, Rpower_1; auto. Qed.
Lemma root_of_power x s : s <> 0 -> 0 < x -> Rpower (Rpower x s) (/ s) = x.
Proof. intros S X. rewrite Rpower_mult, Rinv_r, Rpower_1; auto. Qed.

Lemma ln_at_most x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros X [Y | ->]; [left; apply ln_increasing; assumption | right; reflexivity]. Qed.

Lemma ln_of_1_over x : 0 < x -> ln (1 / x) = - ln x.
Proof. intro X. unfold Rdiv. rewrite Rmult_1_l. apply ln_Rinv, X. Qed.

Lemma continuous_power_above low s : 0 < low -> continuity (fun x => Rpower (Rmax x low) s).
Proof.
  intros L x. unfold Rpower.
  assert (M : continuity_pt (fun x => Rmax x low) x).
  { apply continuity_pt_locally_ext with (f := fun x => (x + low + Rabs (x - low)) * / 2) (a := 1); [lra | |].
    - intros y _. unfold Rmax, Rabs. destruct (Rle_dec y low), (Rcase_abs (y - low)); lra.
    - apply continuity_pt_mult; [| apply continuity_pt_const; intros ? ?; reflexivity].
      apply continuity_pt_plus; [apply continuity_pt_plus |].
      + apply derivable_continuous_pt, derivable_pt_id.
      + apply continuity_pt_const. intros ? ?. reflexivity.
      + apply (continuity_pt_comp (fun x => x - low) Rabs); [| apply Rcontinuity_abs].
        apply continuity_pt_minus; [apply derivable_continuous_pt, derivable_pt_id |].
        apply continuity_pt_const. intros ? ?. reflexivity. }
  apply (continuity_pt_comp (fun x => s * ln (Rmax x low)) exp).
  - apply (continuity_pt_scal (fun x => ln (Rmax x low))).
    apply (continuity_pt_comp (fun x => Rmax x low) ln); [exact M |].
    apply derivable_continuous_pt. exists (/ Rmax x low). apply derivable_pt_lim_ln.
    pose proof (Rmax_r x low). lra.
  - apply derivable_continuous_pt, derivable_pt_exp.
Qed.

(* The weighted geometric mean is at most the weighted arithmetic one. *)
Lemma weighted_means s x y : 0 <= s <= 1 -> 0 < x -> 0 < y -> Rpower x s * Rpower y (1 - s) <= s * x + (1 - s) * y.
Proof.
  intros S X Y. set (z := s * x + (1 - s) * y).
  assert (Z : 0 < z) by (unfold z; destruct (Req_dec s 0) as [-> |]; [lra |]; nra).
  assert (T : forall w, 0 < w -> ln w <= ln z + (w / z - 1)).
  { intros w W. replace w with (z * (w / z)) at 1 by (field; lra).
    assert (0 < w / z) by (apply Rdiv_lt_0_compat; assumption).
    rewrite ln_mult by assumption. pose proof (exp_ineq1_le (ln (w / z))) as K.
    rewrite exp_ln in K by assumption. lra. }
  unfold Rpower. rewrite <- exp_plus, <- (exp_ln z Z). apply exp_le.
  pose proof (T x X) as A. pose proof (T y Y) as B.
  assert (s * ln x <= s * (ln z + (x / z - 1))) by (apply Rmult_le_compat_l; lra).
  assert ((1 - s) * ln y <= (1 - s) * (ln z + (y / z - 1))) by (apply Rmult_le_compat_l; lra).
  assert (s * (x / z) + (1 - s) * (y / z) = 1) by (unfold z; field; fold z; lra). nra.
Qed.

Section powers_of_observables.
  Context {O : space}.
  Implicit Types (p : law O) (f g : O -> R).

  Lemma power_observable f s : observable f -> away_from_0 f -> observable (fun o => Rpower (f o) s).
  Proof.
    intros F (low & L & above). apply (observable_same O (fun o => Rpower (Rmax (f o) low) s)).
    - intro o. rewrite Rmax_left; auto.
    - apply (observable_image O (fun x => Rpower (Rmax x low) s)); [apply continuous_power_above, L | exact F].
  Qed.
  Lemma power_away_from_0 {T : Type} (f : T -> R) s : 0 <= s -> away_from_0 f -> away_from_0 (fun o => Rpower (f o) s).
  Proof.
    intros S (low & L & above). exists (Rpower low s). split; [apply power_positive |].
    intro o. apply Rle_Rpower_l; [exact S | split; auto].
  Qed.
  Lemma constant_away_from_0 {T : Type} c : 0 < c -> away_from_0 (fun _ : T => c).
  Proof. intro C. exists c. split; [exact C | intro; lra]. Qed.
  Lemma positive_away_from_0 {T : Type} (f : T -> R) o : away_from_0 f -> 0 < f o.
  Proof. intros (low & L & above). specialize (above o). lra. Qed.

  Lemma observable_product f g : observable f -> observable g -> observable (fun o => f o * g o).
  Proof.
    intros F G. apply (observable_same O (fun o => / 4 * ((f o + g o) * (f o + g o) - (f o - g o) * (f o - g o)))).
    - intro o. field.
    - assert (continuity (fun x => x * x)) as square.
      { intro x. apply continuity_pt_mult; apply derivable_continuous_pt, derivable_pt_id. }
      apply observable_multiple, observable_difference; apply (observable_image O (fun x => x * x)); try exact square.
      + apply observable_sum; assumption.
      + apply observable_difference; assumption.
  Qed.

  Lemma E_positive p f : observable f -> away_from_0 f -> 0 < E p f.
  Proof.
    intros F (low & L & above). apply Rlt_le_trans with (E p (fun _ => low)); [rewrite E_constant; exact L |].
    apply E_monotone; auto using observable_constant.
  Qed.
  Lemma E_away_from_0 {T : Type} (k : T -> law O) (f : T -> O -> R) :
    (forall o, observable (f o)) -> (exists low, 0 < low /\ forall o b, low <= f o b) ->
    away_from_0 (fun o => E (k o) (f o)).
  Proof.
    intros F (low & L & above). exists low. split; [exact L |]. intro o.
    rewrite <- (E_constant (k o) low). apply E_monotone; auto using observable_constant.
  Qed.

  (* Hoelder's inequality *)
  Lemma holder p f g s : 0 <= s <= 1 -> observable f -> observable g -> away_from_0 f -> away_from_0 g ->
    E p (fun o => Rpower (f o) s * Rpower (g o) (1 - s)) <= Rpower (E p f) s * Rpower (E p g) (1 - s).
  Proof.
    intros S F G above above'. pose proof (E_positive p f F above) as A. pose proof (E_positive p g G above') as B.
    set (C := Rpower (E p f) s * Rpower (E p g) (1 - s)).
    assert (0 < C) by (apply Rmult_lt_0_compat; apply power_positive).
    assert (obs : observable (fun o => C * s / E p f * f o + C * (1 - s) / E p g * g o))
      by (apply observable_sum; apply observable_multiple; assumption).
    apply Rle_trans with (E p (fun o => C * s / E p f * f o + C * (1 - s) / E p g * g o)).
    - apply E_monotone; [| exact obs |].
      + apply observable_product; apply power_observable; assumption.
      + intro o. pose proof (positive_away_from_0 f o above). pose proof (positive_away_from_0 g o above').
        assert (0 < f o / E p f) by (apply Rdiv_lt_0_compat; assumption).
        assert (0 < g o / E p g) by (apply Rdiv_lt_0_compat; assumption).
        replace (f o) with (E p f * (f o / E p f)) at 1 by (field; lra).
        replace (g o) with (E p g * (g o / E p g)) at 1 by (field; lra).
        rewrite <- !Rpower_mult_distr by assumption.
        replace (C * s / E p f * f o + C * (1 - s) / E p g * g o)
          with (C * (s * (f o / E p f) + (1 - s) * (g o / E p g))) by (field; lra).
        unfold C at 1.
        match goal with |- ?a * ?b * (?c * ?d) <= _ => replace (a * b * (c * d)) with (a * c * (b * d)) by ring end.
        apply Rmult_le_compat_l; [left; assumption | apply weighted_means; assumption].
    - rewrite E_sum, !E_multiple; try apply observable_multiple; try assumption. right. field. lra.
  Qed.

  (* Jensen's inequality for powers *)
  Lemma mean_below_root p f s : 1 <= s -> observable f -> away_from_0 f ->
    E p f <= Rpower (E p (fun o => Rpower (f o) s)) (/ s).
  Proof.
    intros S F above. assert (0 < / s <= 1).
    { split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
    pose proof (holder p (fun o => Rpower (f o) s) (fun _ => 1) (/ s) ltac:(lra)
      (power_observable f s F above) (observable_constant O 1) (power_away_from_0 f s ltac:(lra) above)
      (constant_away_from_0 1 Rlt_0_1)) as H'.
    rewrite E_one, power_of_1, Rmult_1_r in H'.
    rewrite (E_same p f (fun o => Rpower (Rpower (f o) s) (/ s) * 1)); [exact H' | exact F |].
    intro o. rewrite root_of_power; [ring | lra | apply positive_away_from_0, above].
  Qed.
  Lemma power_of_mean p f s : 1 <= s -> observable f -> away_from_0 f ->
    Rpower (E p f) s <= E p (fun o => Rpower (f o) s).
  Proof.
    intros S F above. pose proof (mean_below_root p f s S F above) as M.
    rewrite <- (power_of_root (E p (fun o => Rpower (f o) s)) s); [| lra |].
    - apply Rle_Rpower_l; [lra |]. split; [apply E_positive; assumption | exact M].
    - apply E_positive; [apply power_observable | apply power_away_from_0]; auto; lra.
  Qed.
End powers_of_observables.

(* The two exponents of an order above 1: more than 1, and its inverse. *)
Lemma exponents order : 1 < order ->
  1 < order / (order - 1) /\ 0 < (order - 1) / order < 1 /\ (order - 1) / order = / (order / (order - 1)).
Proof.
  intro A. repeat split.
  - apply (Rmult_lt_reg_r (order - 1)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rdiv_lt_0_compat; lra.
  - apply (Rmult_lt_reg_r order); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - field. lra.
Qed.

(* Laws with the same expectations are as good as equal. *)
Lemma renyi_same {O : space} (p p' q q' : law O) order epsilon : 1 < order ->
  (forall f, observable f -> E p f = E p' f) -> (forall f, observable f -> E q f = E q' f) ->
  renyi order epsilon p q -> renyi order epsilon p' q'.
Proof.
  intros A P Q H f F above. rewrite <- P by exact F. rewrite <- Q by (apply power_observable; assumption).
  apply H; assumption.
Qed.

(* The definition is the textbook's.  First: a bound by a sum of two terms, as Young's inequality for densities gives
   it, does for the bound by a product. *)
Theorem renyi_by_sums {O : space} (p q : law O) order epsilon : 1 < order ->
  (renyi order epsilon p q <-> forall f, observable f -> away_from_0 f ->
    E p f <= exp ((order - 1) * epsilon) / order
             + (order - 1) / order * E q (fun o => Rpower (f o) (order / (order - 1)))).
Proof.
  intro A. pose proof (exponents order A) as (B & C & same).
  set (b := order / (order - 1)) in *. set (s := (order - 1) / order) in *.
  assert (S : 1 - s = / order) by (unfold s; field; lra).
  set (L := exp ((order - 1) * epsilon)). assert (0 < L) by apply exp_pos.
  split; intros bound f F above;
    assert (positive : 0 < E q (fun o => Rpower (f o) b)) by
      (apply E_positive; [apply power_observable | apply power_away_from_0]; auto; lra).
  - eapply Rle_trans; [apply bound; assumption |]. fold b s. rewrite Rmult_comm.
    replace (exp (s * epsilon)) with (Rpower L (1 - s)).
    + eapply Rle_trans; [apply weighted_means; [lra | exact positive | assumption] |].
      rewrite S. right. unfold Rdiv. ring.
    + unfold L. rewrite power_of_exp. f_equal. unfold s. field. lra.
  - fold b s. set (mean := E q (fun o => Rpower (f o) b)) in *.
    pose (scale := Rpower (L / mean) s). assert (0 < scale) by apply power_positive.
    assert (0 < L / mean) by (apply Rdiv_lt_0_compat; assumption).
    assert (scaled : Rpower scale b = L / mean) by (unfold scale; rewrite same; apply power_of_root; lra).
    pose proof (bound (fun o => scale * f o) (observable_multiple O scale f F)) as K.
    rewrite E_multiple in K by exact F.
    rewrite (E_same q _ (fun o => L / mean * Rpower (f o) b)) in K.
    + rewrite E_multiple in K by (apply power_observable; assumption). fold mean in K.
      apply (Rmult_le_reg_l scale); [assumption |]. eapply Rle_trans; [apply K |].
      * destruct above as (low & positive_low & above). exists (scale * low). split; [nra |].
        intro o. apply Rmult_le_compat_l; [lra | apply above].
      * replace (L / order + s * (L / mean * mean)) with L by (unfold s; field; lra).
        rewrite (Rmult_comm (exp _)), <- Rmult_assoc. unfold scale at 1.
        rewrite Rpower_mult_distr by assumption. replace (L / mean * mean) with L by (field; lra).
        unfold L at 1 2. rewrite power_of_exp, <- exp_plus. right. f_equal. unfold s. field. lra.
    + apply power_observable; [apply observable_multiple, F |]. destruct above as (low & positive_low & above).
      exists (scale * low). split; [nra |]. intro o. apply Rmult_le_compat_l; [lra | apply above].
    + intro o. rewrite <- Rpower_mult_distr, scaled; [reflexivity | assumption | apply positive_away_from_0, above].
Qed.

(* Young's inequality for the densities x and y at an outcome.  Integrated it is the bound by a sum. *)
Lemma density_below_sum order x y f : 1 < order -> 0 < x -> 0 < y -> 0 < f ->
  x * f <= Rpower x order * Rpower y (1 - order) / order + (order - 1) / order * (y * Rpower f (order / (order - 1))).
Proof.
  intros A X Y F. pose proof (exponents order A) as (B & C & same).
  set (b := order / (order - 1)) in *. set (s := (order - 1) / order) in *.
  assert (S : 1 - s = / order) by (unfold s; field; lra).
  pose proof (weighted_means s (y * Rpower f b) (Rpower x order * Rpower y (1 - order)) ltac:(lra)
    ltac:(apply Rmult_lt_0_compat; [exact Y | apply power_positive])
    ltac:(apply Rmult_lt_0_compat; apply power_positive)) as W.
  replace (Rpower (y * Rpower f b) s * Rpower (Rpower x order * Rpower y (1 - order)) (1 - s)) with (x * f) in W.
  - eapply Rle_trans; [exact W |]. rewrite S. right. unfold Rdiv. ring.
  - rewrite <- (exp_ln x X) at 1. rewrite <- (exp_ln f F) at 1.
    rewrite <- !Rpower_mult_distr by (apply power_positive || exact Y). rewrite !Rpower_mult. unfold Rpower.
    rewrite <- !exp_plus. f_equal. generalize (ln x) (ln y) (ln f). intros lx ly lf. unfold s, b. field. lra.
Qed.

(* A power that is 0 at 0. *)
Definition power_from_0 (x s : R) := if Rle_dec x 0 then 0 else Rpower x s.
Lemma power_from_0_positive x s : 0 < x -> power_from_0 x s = Rpower x s.
Proof. intro X. unfold power_from_0. destruct (Rle_dec x 0); [lra | reflexivity]. Qed.
Lemma power_from_0_at_0 s : power_from_0 0 s = 0.
Proof. unfold power_from_0. destruct (Rle_dec 0 0); [reflexivity | lra]. Qed.

(* Where p has a bounded density h with respect to q, renyi says that the mean of h^order is at most
   exp ((order - 1) epsilon). *)
Theorem renyi_by_density {O : space} (p q : law O) (h : O -> R) order epsilon : 1 < order ->
  observable h -> (forall o, 0 <= h o) -> observable (fun o => power_from_0 (h o) order) ->
  (forall f, observable f -> E p f = E q (fun o => h o * f o)) ->
  (E q (fun o => power_from_0 (h o) order) <= exp ((order - 1) * epsilon) <-> renyi order epsilon p q).
Proof.
  intros A H positive power density. pose proof (exponents order A) as (B & C & same). split.
  - intro moment. apply renyi_by_sums; [exact A |]. intros f F above. rewrite density by exact F.
    pose proof (power_observable f (order / (order - 1)) F above) as F'.
    apply Rle_trans with (E q (fun o => / order * power_from_0 (h o) order
                                        + (order - 1) / order * Rpower (f o) (order / (order - 1)))).
    + apply E_monotone; [apply observable_product; assumption | |].
      * apply observable_sum; apply observable_multiple; assumption.
      * intro o. pose proof (positive_away_from_0 f o above) as Y. destruct (Req_dec (h o) 0) as [zero | more].
        -- rewrite zero, power_from_0_at_0. pose proof (power_positive (f o) (order / (order - 1))). nra.
        -- specialize (positive o). rewrite power_from_0_positive by lra.
           pose proof (density_below_sum order (h o) 1 (f o) A ltac:(lra) Rlt_0_1 Y) as K.
           rewrite power_of_1 in K. lra.
    + rewrite E_sum, !E_multiple; try assumption; try (apply observable_multiple; assumption).
      apply Rplus_le_compat_r. unfold Rdiv. rewrite Rmult_comm.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact moment].
  - intro bound. set (moment := E q (fun o => power_from_0 (h o) order)).
    set (K := exp ((order - 1) / order * epsilon)). assert (0 < K) by apply exp_pos.
    (* h raised to u at least, where u is small *)
    assert (close : forall u, 0 < u -> moment <= Rpower (K + Rpower u order) order).
    { intros u U. pose (g := fun o => Rmax (h o) u).
      assert (G : observable g) by (apply observable_greatest; [exact H | apply observable_constant]).
      assert (low : forall o, h o <= g o /\ u <= g o) by (intro o; split; [apply Rmax_l | apply Rmax_r]).
      assert (above : away_from_0 g) by (exists u; split; [exact U | apply low]).
      pose proof (power_observable g order G above) as G1. pose proof (power_observable g (order - 1) G above) as G2.
      set (M := E q (fun o => Rpower (g o) order)).
      assert (at_least_1 : 1 <= M).
      { apply Rle_trans with (Rpower (E q g) order); [| apply power_of_mean; auto; lra].
        rewrite <- (power_of_1 order). apply Rle_Rpower_l; [lra |]. split; [lra |].
        apply Rle_trans with (E q (fun o => h o * 1)).
        - rewrite <- (density (fun _ => 1) (observable_constant O 1)), E_one. lra.
        - apply E_monotone; [apply observable_product; [exact H | apply observable_constant] | exact G |].
          intro o. rewrite Rmult_1_r. apply low. }
      assert (more : moment <= M).
      { apply E_monotone; [exact power | exact G1 |]. intro o. destruct (Req_dec (h o) 0) as [zero | more].
        - rewrite zero, power_from_0_at_0. left. apply power_positive.
        - specialize (positive o). rewrite power_from_0_positive by lra. apply Rle_Rpower_l; [lra |].
          split; [lra | apply low]. }
      assert (below : M - Rpower u order <= K * Rpower M ((order - 1) / order)).
      { apply Rle_trans with (E p (fun o => Rpower (g o) (order - 1))).
        - rewrite density by exact G2. unfold M.
          assert (shift : E q (fun o => Rpower (g o) order + - Rpower u order) = M - Rpower u order)
            by (rewrite E_shifted by exact G1; reflexivity).
          fold M. rewrite <- shift.
          apply E_monotone; [apply observable_shifted, G1 | apply observable_product; assumption |].
          intro o. assert (split : forall x, 0 < x -> Rpower x order = x * Rpower x (order - 1)).
          { intros x X. rewrite <- (Rpower_1 x X) at 2. rewrite <- Rpower_plus. f_equal. ring. }
          pose proof (power_positive (g o) (order - 1)). specialize (positive o).
          unfold g, Rmax in *. destruct (Rle_dec (h o) u).
          + assert (0 <= h o * Rpower u (order - 1)) by (apply Rmult_le_pos; lra). lra.
          + rewrite (split (h o)) by lra. pose proof (power_positive u order). lra.
        - eapply Rle_trans; [apply (bound _ G2 (power_away_from_0 g (order - 1) ltac:(lra) above)) |].
          right. unfold K. f_equal. f_equal. apply E_same.
          + apply power_observable; [exact G2 | apply power_away_from_0; [lra | exact above]].
          + intro o. rewrite Rpower_mult. f_equal. field. lra. }
      eapply Rle_trans; [exact more |].
      rewrite <- (power_of_root M order) at 1 by lra. apply Rle_Rpower_l; [lra |].
      split; [apply power_positive |].
      apply (Rmult_le_reg_r (Rpower M ((order - 1) / order))); [apply power_positive |].
      rewrite <- Rpower_plus. replace (/ order + (order - 1) / order) with 1 by (field; lra).
      rewrite Rpower_1 by lra. rewrite Rmult_plus_distr_r.
      assert (1 <= Rpower M ((order - 1) / order)).
      { pose proof (Rle_Rpower_l 1 M ((order - 1) / order) ltac:(lra) ltac:(lra)) as W.
        rewrite power_of_1 in W. exact W. }
      pose proof (power_positive u order). nra. }
    assert (top : exp ((order - 1) * epsilon) = Rpower K order).
    { unfold K. rewrite power_of_exp. f_equal. field. lra. }
    rewrite top. apply Rnot_lt_le. intro more. pose proof (power_positive K order).
    assert (gap : K < Rpower moment (/ order)).
    { rewrite <- (root_of_power K order) by lra. unfold Rpower at 1 3. apply exp_increasing, Rmult_lt_compat_l.
      - apply Rinv_0_lt_compat. lra.
      - apply ln_increasing; assumption. }
    set (rest := (Rpower moment (/ order) - K) / 2). assert (0 < rest) by (unfold rest; lra).
    pose proof (close (Rpower rest (/ order)) (power_positive _ _)) as bad.
    rewrite power_of_root in bad by lra.
    assert (Rpower (K + rest) order < Rpower moment 1).
    { replace 1 with (/ order * order) by (field; lra). rewrite <- (Rpower_mult moment). unfold Rpower at 1 2.
      apply exp_increasing, Rmult_lt_compat_l; [lra |]. apply ln_increasing; [lra |]. unfold rest. lra. }
    rewrite Rpower_1 in * by lra. lra.
Qed.

(* For laws of finitely many outcomes with the masses a and b it is the sum of a^order b^(1 - order). *)
Fixpoint sum_over {T : Type} (outcomes : list T) (f : T -> R) : R :=
  match outcomes with [] => 0 | o :: rest => f o + sum_over rest f end.
Lemma sum_over_same {T : Type} (outcomes : list T) f g :
  (forall o, f o = g o) -> sum_over outcomes f = sum_over outcomes g.
Proof. intro same. induction outcomes as [| o rest IH]; simpl; [| rewrite same, IH]; reflexivity. Qed.
Lemma bounded_over {T : Type} (outcomes : list T) (f : T -> R) : (forall o, In o outcomes) -> bounded f.
Proof.
  intro all. assert (K : exists c, 0 <= c /\ forall o, In o outcomes -> - c <= f o <= c).
  { clear all. induction outcomes as [| first rest (c & C & IH)]; [exists 0; split; [lra | intros o []] |].
    exists (c + Rabs (f first)). pose proof (Rabs_pos (f first)). split; [lra |]. intros o [<- | I].
    - pose proof (Rle_abs (f first)). pose proof (Rle_abs (- f first)). rewrite Rabs_Ropp in *. lra.
    - specialize (IH o I). lra. }
  destruct K as (c & _ & C). exists c. intro o. apply C, all.
Qed.
Theorem renyi_of_finite_laws {T : Type} (p q : law (plain T)) (outcomes : list T) (a b : T -> R) order epsilon :
  1 < order -> (forall o, In o outcomes) -> (forall o, 0 <= a o) -> (forall o, 0 < b o) ->
  (forall f, E p f = sum_over outcomes (fun o => a o * f o)) ->
  (forall f, E q f = sum_over outcomes (fun o => b o * f o)) ->
  (sum_over outcomes (fun o => power_from_0 (a o) order * Rpower (b o) (1 - order)) <= exp ((order - 1) * epsilon)
   <-> renyi order epsilon p q).
Proof.
  intros A all a_positive b_positive P Q.
  rewrite <- (renyi_by_density p q (fun o => a o / b o) order epsilon A).
  - rewrite Q. rewrite (sum_over_same _ (fun o => power_from_0 (a o) order * Rpower (b o) (1 - order))
                          (fun o => b o * power_from_0 (a o / b o) order)); [reflexivity |].
    intro o. specialize (a_positive o). specialize (b_positive o). destruct (Req_dec (a o) 0) as [zero | more].
    + rewrite zero. unfold Rdiv. rewrite Rmult_0_l, power_from_0_at_0. ring.
    + rewrite !power_from_0_positive by (try apply Rdiv_lt_0_compat; lra).
      rewrite <- (exp_ln (b o)) at 2 by assumption. unfold Rpower, Rdiv.
      rewrite ln_mult, ln_Rinv, <- !exp_plus by (try apply Rinv_0_lt_compat; lra). f_equal. ring.
  - apply (bounded_over outcomes), all.
  - intro o. unfold Rdiv. apply Rmult_le_pos; [apply a_positive | left; apply Rinv_0_lt_compat, b_positive].
  - apply (bounded_over outcomes), all.
  - intros f _. rewrite P, Q. apply sum_over_same. intro o. field. pose proof (b_positive o). lra.
Qed.

(* weaken *)
Theorem weaken_renyi {O : space} (p q : law O) order epsilon epsilon' :
  1 < order -> epsilon <= epsilon' -> renyi order epsilon p q -> renyi order epsilon' p q.
Proof.
  intros A B H f F above. eapply Rle_trans; [apply H; assumption |].
  apply Rmult_le_compat_r; [left; apply power_positive |]. apply exp_le, Rmult_le_compat_l; [| exact B].
  pose proof (exponents order A). lra.
Qed.
Theorem weaken_concentrated {O : space} (p q : law O) rho rho' :
  rho <= rho' -> concentrated rho p q -> concentrated rho' p q.
Proof.
  intros A H order B. apply (weaken_renyi p q order (rho * order)); [exact B | | apply H, B].
  apply Rmult_le_compat_r; lra.
Qed.

(* A negative divergence there is none. *)
Lemma renyi_not_negative {O : space} (p q : law O) order epsilon : 1 < order -> renyi order epsilon p q -> 0 <= epsilon.
Proof.
  intros A H. pose proof (exponents order A) as (_ & C & _).
  pose proof (H (fun _ => 1) (observable_constant O 1) (constant_away_from_0 1 Rlt_0_1)) as K.
  cbv beta in K. rewrite power_of_1, !E_one, power_of_1, Rmult_1_r in K.
  apply Rnot_lt_le. intro N. assert ((order - 1) / order * epsilon < 0) by nra.
  pose proof (exp_increasing _ _ H0). rewrite exp_0 in H1. lra.
Qed.
Lemma renyi_reflexive {O : space} (p : law O) order : 1 < order -> renyi order 0 p p.
Proof.
  intros A f F above. pose proof (exponents order A) as (B & _ & same). rewrite Rmult_0_r, exp_0, Rmult_1_l, same.
  apply mean_below_root; [lra | assumption | assumption].
Qed.

(* concentrated_to_renyi: the definition of zCDP. *)
Theorem concentrated_to_renyi {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) rho order :
  1 < order -> private near M (concentrated rho) -> private near M (renyi order (rho * order)).
Proof. intros A H x y N. apply H; assumption. Qed.

(* renyi_at_smaller_order: the divergence grows with the order. *)
Theorem renyi_at_smaller_order_laws {O : space} (p q : law O) order smaller epsilon :
  1 < smaller -> smaller <= order -> renyi order epsilon p q -> renyi smaller epsilon p q.
Proof.
  intros A B H f F above.
  pose (s := (smaller / (smaller - 1)) / (order / (order - 1))).
  assert (S : 1 <= s).
  { unfold s. apply (Rmult_le_reg_r (order * (smaller - 1))); [apply Rmult_lt_0_compat; lra |].
    replace (smaller / (smaller - 1) / (order / (order - 1)) * (order * (smaller - 1))) with (smaller * (order - 1))
      by (field; lra). lra. }
  pose proof (mean_below_root p f s S F above) as M. eapply Rle_trans; [exact M |].
  pose proof (H (fun o => Rpower (f o) s) (power_observable f s F above) (power_away_from_0 f s ltac:(lra) above)) as K.
  eapply Rle_trans.
  - apply Rle_Rpower_l; [left; apply Rinv_0_lt_compat; lra |]. split; [| exact K].
    apply E_positive; [apply power_observable | apply power_away_from_0]; auto; lra.
  - rewrite <- Rpower_mult_distr by (apply exp_pos || apply power_positive).
    rewrite power_of_exp, Rpower_mult. right. f_equal.
    + f_equal. unfold s. field. lra.
    + f_equal; [| unfold s; field; lra]. apply E_same.
      * apply power_observable; [apply power_observable | apply power_away_from_0]; auto; lra.
      * intro o. rewrite Rpower_mult. f_equal. unfold s. field. lra.
Qed.
Theorem renyi_at_smaller_order {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) order smaller epsilon :
  1 < smaller -> smaller <= order -> private near M (renyi order epsilon) -> private near M (renyi smaller epsilon).
Proof. intros A B H x y N. apply (renyi_at_smaller_order_laws _ _ order); auto. Qed.

(* post_process *)
Lemma kernel_observable {O P : space} (k : kernel O P) f : observable f -> observable (fun o => E (k o) f).
Proof. intro F. apply (run_observable k (fun _ => f)), jointly_of_the_second, F. Qed.
Lemma post_processed_renyi {O P : space} (p q : law O) (k : kernel O P) order epsilon :
  1 < order -> renyi order epsilon p q -> renyi order epsilon (then_run p k) (then_run q k).
Proof.
  intros A H f F above. pose proof (exponents order A) as (B & C & _). simpl.
  assert (positive : away_from_0 (fun o => E (k o) f)).
  { apply E_away_from_0; [auto |]. destruct above as (low & L & above). exists low. auto. }
  eapply Rle_trans; [apply (H (fun o => E (k o) f)); [apply kernel_observable, F | exact positive] |].
  apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rle_Rpower_l; [lra |].
  assert (obs : observable (fun o => Rpower (E (k o) f) (order / (order - 1))))
    by (apply power_observable; [apply kernel_observable, F | exact positive]).
  split.
  - apply E_positive; [exact obs | apply power_away_from_0; [lra | exact positive]].
  - apply E_monotone; [exact obs | |].
    + apply (kernel_observable k (fun b => Rpower (f b) (order / (order - 1)))), power_observable; assumption.
    + intro o. apply power_of_mean; [lra | assumption | assumption].
Qed.
Theorem post_process_renyi {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (k : kernel O P)
    order epsilon :
  1 < order -> private near M (renyi order epsilon) -> private near (fun x => then_run (M x) k) (renyi order epsilon).
Proof. intros A H x y N. apply post_processed_renyi, H; assumption. Qed.
Theorem post_process_concentrated {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (k : kernel O P) rho :
  private near M (concentrated rho) -> private near (fun x => then_run (M x) k) (concentrated rho).
Proof. intros H x y N order A. apply post_processed_renyi, H; assumption. Qed.

(* adaptive: the second step may read the first outcome *)
Lemma composed_renyi {O P : space} (p q : law O) (k l : kernel O P) order e e' :
  1 < order -> renyi order e p q -> (forall o, renyi order e' (k o) (l o)) ->
  renyi order (e + e') (both p k) (both q l).
Proof.
  intros A H H' f F above. pose proof (exponents order A) as (B & C & same).
  set (s := order / (order - 1)) in *. set (r := (order - 1) / order) in *.
  pose (g := fun o => E (l o) (fun b => Rpower (f (o, b)) s)).
  assert (J : observable (fun ob : product O P => Rpower (f ob) s)) by (apply power_observable; assumption).
  assert (low_sections : exists low, 0 < low /\ forall o b, low <= f (o, b)).
  { destruct above as (low & L & above). exists low. auto. }
  assert (sections : forall o, observable (fun b => f (o, b)) /\ away_from_0 (fun b => f (o, b))).
  { intro o. split; [apply F |]. destruct low_sections as (low & L & low_sections). exists low. auto. }
  assert (G : observable g) by exact (run_observable l _ J).
  assert (positive : away_from_0 g).
  { apply E_away_from_0.
    - intro o. apply power_observable; apply sections.
    - destruct low_sections as (low & L & low_sections). exists (Rpower low s). split; [apply power_positive |].
      intros o b. apply Rle_Rpower_l; [lra | split; auto]. }
  assert (G' : observable (fun o => Rpower (g o) r)) by (apply power_observable; assumption).
  assert (positive' : away_from_0 (fun o => Rpower (g o) r)) by (apply power_away_from_0; [lra | exact positive]).
  simpl. fold g. apply Rle_trans with (E p (fun o => exp (r * e') * Rpower (g o) r)).
  - apply E_monotone; [exact (run_observable k _ F) | apply observable_multiple, G' |].
    intro o. apply (H' o (fun b => f (o, b))); apply sections.
  - rewrite E_multiple by exact G'.
    eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos |]; apply H; assumption |].
    fold s r. rewrite (E_same q _ g); [| apply power_observable; assumption |].
    + rewrite <- Rmult_assoc, <- exp_plus. right. f_equal. f_equal. ring.
    + intro o. rewrite same. apply power_of_root; [lra | apply positive_away_from_0, positive].
Qed.
Lemma composed_concentrated {O P : space} (p q : law O) (k l : kernel O P) rho rho' :
  concentrated rho p q -> (forall o, concentrated rho' (k o) (l o)) ->
  concentrated (rho + rho') (both p k) (both q l).
Proof.
  intros H H' order A. rewrite Rmult_plus_distr_r. apply composed_renyi; [exact A | apply H, A | intro o; apply H', A].
Qed.
Theorem adaptive_renyi {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (N : X -> kernel O P) order e1 e2 :
  1 < order -> private near M (renyi order e1) ->
  (forall previous, private near (fun x => N x previous) (renyi order e2)) ->
  private near (fun x => both (M x) (N x)) (renyi order (e1 + e2)).
Proof. intros A H H' x y n. apply composed_renyi; [exact A | apply H, n | intro o; apply (H' o), n]. Qed.
Theorem adaptive_concentrated {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (N : X -> kernel O P)
    r1 r2 :
  private near M (concentrated r1) -> (forall previous, private near (fun x => N x previous) (concentrated r2)) ->
  private near (fun x => both (M x) (N x)) (concentrated (r1 + r2)).
Proof. intros H H' x y n. apply composed_concentrated; [apply H, n | intro o; apply (H' o), n]. Qed.

(* compose, for outcomes that are plain: the second step ignores the first. *)
Theorem compose_renyi {X} {T : Type} {P : space} (near : X -> X -> Prop) (M : mechanism X (plain T)) (N : mechanism X P)
    order e1 e2 :
  1 < order -> private near M (renyi order e1) -> private near N (renyi order e2) ->
  private near (fun x => both (M x) (always (N x))) (renyi order (e1 + e2)).
Proof. intros A H H'. apply (adaptive_renyi near M (fun x => always (N x))); auto. Qed.
Theorem compose_concentrated {X} {T : Type} {P : space} (near : X -> X -> Prop) (M : mechanism X (plain T))
    (N : mechanism X P) r1 r2 :
  private near M (concentrated r1) -> private near N (concentrated r2) ->
  private near (fun x => both (M x) (always (N x))) (concentrated (r1 + r2)).
Proof. intros H H'. apply (adaptive_concentrated near M (fun x => always (N x))); auto. Qed.

(* Many steps, one after another: round i is told the outcomes of all rounds before it, and all outcomes are told. *)
Fixpoint told (O : nat -> space) (rounds : nat) : space :=
  match rounds with 0%nat => plain unit | S before => product (told O before) (O before) end.
Fixpoint in_turn {X} {O : nat -> space} (step : forall i, X -> kernel (told O i) (O i)) (x : X) (rounds : nat) :
    law (told O rounds) :=
  match rounds with
  | 0%nat => certain (O := plain unit) tt
  | S before => both (in_turn step x before) (step before x)
  end.
Fixpoint total (loss : nat -> R) (rounds : nat) : R :=
  match rounds with 0%nat => 0 | S before => total loss before + loss before end.
Lemma total_of_equal e rounds : total (fun _ => e) rounds = INR rounds * e.
Proof. induction rounds as [| before IH]; [simpl; ring |]. rewrite S_INR. simpl. rewrite IH. ring. Qed.

(* rounds: steps that are chosen in view of all earlier outcomes cost the sum of their losses. *)
Theorem rounds_renyi {X} {O : nat -> space} (near : X -> X -> Prop) (step : forall i, X -> kernel (told O i) (O i))
    order loss rounds :
  1 < order ->
  (forall i previous, (i < rounds)%nat -> private near (fun x => step i x previous) (renyi order (loss i))) ->
  private near (fun x => in_turn step x rounds) (renyi order (total loss rounds)).
Proof.
  intros A. induction rounds as [| before IH]; intros H x y N; simpl; [apply renyi_reflexive, A |].
  apply composed_renyi; [exact A | apply IH; auto | intro o; apply (H before o); auto].
Qed.
Theorem rounds_concentrated {X} {O : nat -> space} (near : X -> X -> Prop)
    (step : forall i, X -> kernel (told O i) (O i)) loss rounds :
  (forall i previous, (i < rounds)%nat -> private near (fun x => step i x previous) (concentrated (loss i))) ->
  private near (fun x => in_turn step x rounds) (concentrated (total loss rounds)).
Proof.
  induction rounds as [| before IH]; intros H x y N; simpl.
  - intros order A. rewrite Rmult_0_l. apply renyi_reflexive, A.
  - apply composed_concentrated; [apply IH; auto | intro o; apply (H before o); auto].
Qed.

(* compose_many: k steps of one loss, of which each may read the outcomes before. *)
Theorem compose_many_renyi {X} {O : nat -> space} (near : X -> X -> Prop)
    (step : forall i, X -> kernel (told O i) (O i)) order e k :
  1 < order -> (forall i previous, (i < k)%nat -> private near (fun x => step i x previous) (renyi order e)) ->
  private near (fun x => in_turn step x k) (renyi order (INR k * e)).
Proof. intros A H. rewrite <- total_of_equal. apply rounds_renyi; assumption. Qed.
Theorem compose_many_concentrated {X} {O : nat -> space} (near : X -> X -> Prop)
    (step : forall i, X -> kernel (told O i) (O i)) rho k :
  (forall i previous, (i < k)%nat -> private near (fun x => step i x previous) (concentrated rho)) ->
  private near (fun x => in_turn step x k) (concentrated (INR k * rho)).
Proof. intros H. rewrite <- total_of_equal. apply rounds_concentrated, H. Qed.

(* Independent draws of one mechanism, whose outcomes are plain: what was told is plain, too. *)
Lemma told_is_plain (T : nat -> Type) rounds (f : told (fun i => plain (T i)) rounds -> R) : bounded f -> observable f.
Proof.
  revert f. induction rounds as [| before IH]; intros f [c C]; [exists c; exact C |].
  split; [exists c; intros; apply C | split].
  - intro o. exists c. intro. apply C.
  - intro b. apply IH. exists c. intro. apply C.
Qed.
Definition repeated {X} {T : Type} (M : mechanism X (plain T)) (k : nat) : mechanism X (told (fun _ => plain T) k) :=
  fun x => in_turn (O := fun _ => plain T) (fun i x =>
    regardless (M x) (fun f J => told_is_plain (fun _ => T) i _
      (let (c, C) := proj1 J in ex_intro _ c (fun o => E_between (M x) (f o) (- c) c (proj1 (proj2 J) o) (C o))))) x k.
Theorem compose_many_draws_renyi {X} {T : Type} (near : X -> X -> Prop) (M : mechanism X (plain T)) order e k :
  1 < order -> private near M (renyi order e) -> private near (repeated M k) (renyi order (INR k * e)).
Proof. intros A H. apply compose_many_renyi; [exact A |]. intros i previous _ x y N. apply H, N. Qed.
Theorem compose_many_draws_concentrated {X} {T : Type} (near : X -> X -> Prop) (M : mechanism X (plain T)) rho k :
  private near M (concentrated rho) -> private near (repeated M k) (concentrated (INR k * rho)).
Proof. intros H. apply compose_many_concentrated. intros i previous _ x y N. apply H, N. Qed.

(* Two steps under Renyi DP: the lemma of docs/soundness.md.  Here the second bound is applied within the first. *)
Lemma two_steps_renyi {O : space} (p r q : law O) order k e e' :
  1 < order -> 1 < k -> renyi ((k * order - 1) / (k - 1)) e p r -> renyi (k * order) e' r q ->
  renyi order (k * order / (k * order - 1) * e + e') p q.
Proof.
  intros A K H H' f F above. set (first := (k * order - 1) / (k - 1)) in *.
  assert (0 < k * order - k) by nra.
  assert (1 < first).
  { unfold first. apply (Rmult_lt_reg_r (k - 1)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra. }
  pose proof (exponents first ltac:(assumption)) as (B & C & _).
  pose proof (power_observable f (first / (first - 1)) F above) as G.
  pose proof (power_away_from_0 f (first / (first - 1)) ltac:(lra) above) as positive.
  pose proof (H' _ G positive) as Q. eapply Rle_trans; [apply (H f F above) |].
  apply Rle_trans with (exp ((first - 1) / first * e) * Rpower (exp ((k * order - 1) / (k * order) * e')
    * Rpower (E q (fun o => Rpower (Rpower (f o) (first / (first - 1))) (k * order / (k * order - 1))))
        ((k * order - 1) / (k * order))) ((first - 1) / first)).
  - apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rle_Rpower_l; [lra |].
    split; [apply E_positive; assumption | exact Q].
  - rewrite <- Rpower_mult_distr by (apply exp_pos || apply power_positive).
    rewrite power_of_exp, Rpower_mult, <- Rmult_assoc, <- exp_plus.
    right. f_equal.
    + f_equal. unfold first. field. repeat split; nra.
    + f_equal; [| unfold first; field; repeat split; nra]. apply E_same.
      * apply power_observable; assumption.
      * intro o. rewrite Rpower_mult. f_equal. unfold first. field. repeat split; nra.
Qed.

(* group_renyi *)
Theorem group_renyi {X} {O : space} (near far : X -> X -> Prop) (M : mechanism X O) order e :
  2 < order -> (forall x z, far x z -> exists y, near x y /\ near y z) -> private near M (renyi order e) ->
  private far M (renyi (order / 2) (e * (2 * order - 1) / (order - 1))).
Proof.
  intros A path H x z N. destruct (path x z N) as (y & first & second).
  replace (e * (2 * order - 1) / (order - 1)) with (2 * (order / 2) / (2 * (order / 2) - 1) * e + e) by (field; lra).
  apply two_steps_renyi with (M y); try lra.
  - replace ((2 * (order / 2) - 1) / (2 - 1)) with (order - 1) by field.
    apply (renyi_at_smaller_order_laws _ _ order); try lra. apply H, first.
  - replace (2 * (order / 2)) with order by field. apply H, second.
Qed.

(* group, under concentrated DP: rho becomes k^2 rho. *)
Fixpoint steps {X} (near : X -> X -> Prop) (k : nat) (x z : X) : Prop :=
  match k with 0%nat => x = z | S rest => exists y, near x y /\ steps near rest y z end.
Theorem group_concentrated {X} {O : space} (near far : X -> X -> Prop) (M : mechanism X O) rho k :
  (forall x z, far x z -> steps near k x z) -> private near M (concentrated rho) ->
  private far M (concentrated (INR k ^ 2 * rho)).
Proof.
  intros path H x z N. apply path in N. clear path far. revert x N.
  induction k as [| [| rest] IH]; intros x N order A.
  - simpl in N. subst z. replace (INR 0 ^ 2 * rho * order) with 0 by (simpl; ring). apply renyi_reflexive, A.
  - destruct N as (y & N & <-). replace (INR 1 ^ 2 * rho * order) with (rho * order) by (simpl; ring).
    apply H; assumption.
  - destruct N as (y & first & N). specialize (IH y N). rewrite (S_INR (S rest)). set (n := INR (S rest)) in *.
    assert (1 <= n) by (unfold n; rewrite S_INR; pose proof (pos_INR rest); lra).
    pose (s := (n + 1) / n). assert (0 < / n) by (apply Rinv_0_lt_compat; lra).
    assert (same : s = 1 + / n) by (unfold s; field; lra). assert (0 < s * order - 1) by nra.
    replace ((n + 1) ^ 2 * rho * order)
      with (s * order / (s * order - 1) * (rho * ((s * order - 1) / (s - 1))) + n ^ 2 * rho * (s * order)).
    + apply two_steps_renyi with (M y); try lra; [apply H; [exact first |] | apply IH].
      * apply (Rmult_lt_reg_r (s - 1)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
      * nra.
    + replace (rho * ((s * order - 1) / (s - 1))) with (rho * (s * order - 1) * n) by (rewrite same; field; lra).
      replace (s * order / (s * order - 1) * (rho * (s * order - 1) * n)) with (s * order * rho * n) by (field; lra).
      unfold s. field. lra.
Qed.

(* From Renyi to approximate DP.  What a test is mixed with a little: the acceptance of everything. *)
Lemma within_by_line {O : space} (p q : law O) order epsilon t delta : 1 < order -> renyi order epsilon p q ->
  (forall z, 0 < z -> exp ((order - 1) / order * epsilon) * Rpower z ((order - 1) / order) <= t * z + delta) ->
  within t delta p q.
Proof.
  intros A H line f [F between]. pose proof (exponents order A) as (B & C & _).
  set (x := E p f). set (y := E q f).
  assert (small : forall u, 0 < u < 1 -> (1 - u) * x + u <= t * ((1 - u) * y + u) + delta).
  { intros u U. pose (g := fun o => (1 - u) * f o + u).
    assert (G : observable g) by (apply observable_shifted, observable_multiple, F).
    assert (low : forall o, u <= g o <= 1) by (intro o; unfold g; specialize (between o); nra).
    assert (positive : away_from_0 g) by (exists u; split; [lra | apply low]).
    assert (mean : forall r : law O, E r g = (1 - u) * E r f + u).
    { intro r. unfold g. rewrite E_shifted, E_multiple; auto using observable_multiple. }
    pose proof (H g G positive) as K. unfold x, y. rewrite <- !mean. eapply Rle_trans; [exact K |].
    eapply Rle_trans; [| apply line, (E_positive q g G positive)].
    apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rle_Rpower_l; [lra |].
    pose proof (power_observable g (order / (order - 1)) G positive) as G'.
    split; [apply E_positive; [exact G' | apply power_away_from_0; [lra | exact positive]] |].
    apply E_monotone; [exact G' | exact G |]. intro o. specialize (low o).
    rewrite <- (Rpower_1 (g o)) at 2 by lra. unfold Rpower. apply exp_le.
    assert (ln (g o) <= 0) by (rewrite <- ln_1; apply ln_at_most; lra). nra. }
  apply Rnot_lt_le. intro more. set (gap := x - (t * y + delta)). assert (0 < gap) by (unfold gap; lra).
  set (slope := Rabs (1 - x - t * (1 - y)) + gap + 1).
  assert (gap + 1 <= slope) by (unfold slope; pose proof (Rabs_pos (1 - x - t * (1 - y))); lra).
  pose (u := gap / (2 * slope)).
  assert (u * slope = gap / 2) by (unfold u; field; lra).
  assert (0 < u) by (unfold u; apply Rdiv_lt_0_compat; lra).
  assert (u < 1) by nra.
  specialize (small u ltac:(lra)). pose proof (Rle_abs (- (1 - x - t * (1 - y)))) as K. rewrite Rabs_Ropp in K.
  assert (u * - (1 - x - t * (1 - y)) <= u * slope) by (apply Rmult_le_compat_l; unfold slope; lra).
  unfold gap in *. nra.
Qed.

(* renyi_to_approximate, sharp: the best line above a power. *)
Theorem renyi_to_approximate_sharp_laws {O : space} (p q : law O) order epsilon delta :
  1 < order -> 0 < delta -> renyi order epsilon p q ->
  approximate (epsilon + ln ((order - 1) / order) + ln (1 / (order * delta)) / (order - 1)) delta p q.
Proof.
  intros A D H. apply (within_by_line p q order epsilon); [exact A | exact H |]. intros z Z.
  pose proof (exponents order A) as (_ & C & _). set (s := (order - 1) / order) in *.
  set (e := epsilon + ln s + ln (1 / (order * delta)) / (order - 1)).
  pose proof (weighted_means s (exp e * z / s) (delta / (1 - s)) ltac:(lra)
    ltac:(apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [apply exp_pos | exact Z] | lra])
    ltac:(apply Rdiv_lt_0_compat; lra)) as W.
  replace (s * (exp e * z / s) + (1 - s) * (delta / (1 - s))) with (exp e * z + delta) in W by (field; lra).
  eapply Rle_trans; [right | exact W]. unfold Rpower. rewrite <- !exp_plus. f_equal.
  assert (S : 1 - s = / order) by (unfold s; field; lra).
  unfold Rdiv. rewrite !ln_mult; try apply exp_pos; try lra;
    try (apply Rinv_0_lt_compat; lra); try (apply Rmult_lt_0_compat; [apply exp_pos | exact Z]).
  rewrite ln_exp, !ln_Rinv by lra. rewrite S, ln_Rinv by lra. unfold e.
  rewrite ln_of_1_over, ln_mult by (try apply Rmult_lt_0_compat; lra).
  generalize (ln s) (ln order) (ln delta) (ln z). intros ls lo ld lz. unfold s. field. lra.
Qed.
Theorem renyi_to_approximate_sharp {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) order epsilon delta :
  1 < order -> 0 < delta < 1 -> private near M (renyi order epsilon) ->
  private near M (approximate (epsilon + ln ((order - 1) / order) + ln (1 / (order * delta)) / (order - 1)) delta).
Proof. intros A D H x y N. apply renyi_to_approximate_sharp_laws; [exact A | apply D | apply H, N]. Qed.

(* renyi_to_approximate, as Mironov has it. *)
Theorem renyi_to_approximate_laws {O : space} (p q : law O) order epsilon delta :
  1 < order -> 0 < delta -> renyi order epsilon p q -> approximate (epsilon + ln (1 / delta) / (order - 1)) delta p q.
Proof.
  intros A D H. eapply weaken_approximate; [| apply Rle_refl | apply renyi_to_approximate_sharp_laws; eassumption].
  pose proof (exponents order A) as (_ & C & _).
  assert (ln ((order - 1) / order) < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (0 < ln order) by (rewrite <- ln_1; apply ln_increasing; lra).
  rewrite !ln_of_1_over, ln_mult by (try apply Rmult_lt_0_compat; lra).
  assert ((- (ln order + ln delta)) / (order - 1) <= - ln delta / (order - 1)).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat |]; lra. }
  lra.
Qed.
Theorem renyi_to_approximate {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) order epsilon delta :
  1 < order -> 0 < delta < 1 -> private near M (renyi order epsilon) ->
  private near M (approximate (epsilon + ln (1 / delta) / (order - 1)) delta).
Proof. intros A D H x y N. apply renyi_to_approximate_laws; [exact A | apply D | apply H, N]. Qed.

(* concentrated_to_approximate: at the best order, 1 + sqrt (ln (1 / delta) / rho). *)
Theorem concentrated_to_approximate_laws {O : space} (p q : law O) rho delta :
  0 < delta < 1 -> concentrated rho p q -> approximate (rho + 2 * sqrt (rho * ln (1 / delta))) delta p q.
Proof.
  intros D H. assert (0 < ln (1 / delta)).
  { rewrite <- ln_1 at 1. apply ln_increasing; [lra |]. unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1.
    apply Rinv_lt_contravar; lra. }
  set (l := ln (1 / delta)) in *.
  assert (every : forall order, 1 < order -> approximate (rho * order + l / (order - 1)) delta p q).
  { intros order A. apply renyi_to_approximate_laws; [exact A | lra | apply H, A]. }
  assert (0 <= rho).
  { pose proof (renyi_not_negative p q 2 (rho * 2) ltac:(lra) (H 2 ltac:(lra))). lra. }
  destruct (Req_dec rho 0) as [-> | positive].
  - rewrite Rmult_0_l, sqrt_0, Rmult_0_r, Rplus_0_l.
    intros f F. apply Rnot_lt_le. intro more. pose proof (E_test q f F) as Q. rewrite exp_0 in more.
    set (gap := E p f - (1 * E q f + delta)) in *. assert (0 < gap) by (unfold gap; lra).
    set (small := ln (1 + gap / 2)).
    assert (0 < small) by (unfold small; rewrite <- ln_1; apply ln_increasing; lra).
    assert (0 < l / small) by (apply Rdiv_lt_0_compat; lra).
    pose proof (every (1 + l / small) ltac:(lra) f F) as K.
    replace (0 * (1 + l / small) + l / (1 + l / small - 1)) with small in K by (field; lra).
    unfold small in K. rewrite exp_ln in K by lra. unfold gap in *. nra.
  - assert (0 < sqrt (rho * l)) by (apply sqrt_lt_R0, Rmult_lt_0_compat; lra).
    set (root := sqrt (rho * l)) in *. assert (square : root * root = rho * l) by (apply sqrt_sqrt; nra).
    replace (rho + 2 * root) with (rho * (1 + root / rho) + l / (1 + root / rho - 1)).
    + apply every. assert (0 < root / rho) by (apply Rdiv_lt_0_compat; lra). lra.
    + replace (l / (1 + root / rho - 1)) with (rho * l / root) by (field; lra). rewrite <- square. field. lra.
Qed.
Theorem concentrated_to_approximate {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) rho delta :
  0 < delta < 1 -> private near M (concentrated rho) ->
  private near M (approximate (rho + 2 * sqrt (rho * ln (1 / delta))) delta).
Proof. intros D H x y N. apply concentrated_to_approximate_laws; [exact D | apply H, N]. Qed.

(* Randomised response: the truth with probability 3/4.  At order 2 it has the divergence ln (7 / 3). *)
Definition coin (c : R) (C : 0 <= c <= 1) : law (plain bool) :=
  mixture c C (certain (O := plain bool) true) (certain (O := plain bool) false).
Lemma coin_masses c C f :
  E (coin c C) f = sum_over [true; false] (fun o => (if o then c else 1 - c) * f o).
Proof. simpl. ring. Qed.
Lemma every_side o : In o [true; false].
Proof. destruct o; simpl; auto. Qed.
Lemma renyi_of_coins c C d D order epsilon : 1 < order -> 0 < d < 1 ->
  (power_from_0 c order * Rpower d (1 - order) + power_from_0 (1 - c) order * Rpower (1 - d) (1 - order)
     <= exp ((order - 1) * epsilon) <-> renyi order epsilon (coin c C) (coin d D)).
Proof.
  intros A inside.
  rewrite <- (renyi_of_finite_laws (coin c C) (coin d D) [true; false] (fun o => if o then c else 1 - c)
    (fun o => if o then d else 1 - d) order epsilon A every_side).
  - simpl. rewrite Rplus_0_r. reflexivity.
  - intros []; lra.
  - intros []; lra.
  - intro f. apply coin_masses.
  - intro f. apply coin_masses.
Qed.

Definition response : mechanism bool (plain bool) :=
  fun truth => if truth then coin (3 / 4) ltac:(lra) else coin (1 / 4) ltac:(lra).
Definition any (x y : bool) := True.
Example response_renyi : private any response (renyi 2 (ln (7 / 3))).
Proof.
  assert (square : forall x, 0 < x -> power_from_0 x 2 = x * x).
  { intros x X. rewrite power_from_0_positive by exact X. replace 2 with (1 + 1) by ring.
    rewrite Rpower_plus, Rpower_1 by exact X. reflexivity. }
  assert (inverse : forall x, 0 < x -> Rpower x (1 - 2) = / x).
  { intros x X. replace (1 - 2) with (- (1)) by ring. rewrite Rpower_Ropp, Rpower_1 by exact X. reflexivity. }
  assert (E7 : exp ((2 - 1) * ln (7 / 3)) = 7 / 3).
  { replace ((2 - 1) * ln (7 / 3)) with (ln (7 / 3)) by ring. apply exp_ln. lra. }
  assert (0 < ln (7 / 3)) by (rewrite <- ln_1; apply ln_increasing; lra).
  intros [] [] _; try (apply (weaken_renyi _ _ 2 0); [lra | lra | apply renyi_reflexive; lra]);
    apply renyi_of_coins; try lra; rewrite E7, !square, !inverse by lra; lra.
Qed.
(* Ten answers. *)
Example ten_responses delta : 0 < delta < 1 ->
  private any (repeated response 10) (approximate (INR 10 * ln (7 / 3) + ln (1 / delta) / (2 - 1)) delta).
Proof.
  intro D. apply renyi_to_approximate; [lra | exact D |]. apply compose_many_draws_renyi; [lra | apply response_renyi].
Qed.

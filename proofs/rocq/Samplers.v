(* Samplers: what law a loop of attempts draws from, for refdp's rule sampler_law.

   A sampler that is given n attempts tells an outcome, or none.  It draws from a law if, with more and more attempts,
   what it tells is expected to be what the law says; so the probability that it tells something tends to 1.  Here are
   the schemes that attempt: signed geometric noise, noise that is drawn by rejecting other noise, and selections that
   reject candidates drawn uniformly.  Their primitives are laws here: that the code takes these steps, and that it
   draws these laws from fair flips, is not said. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Refdp Require Import Laws Privacy Grid Noise Alignments.
From Refdp Require Finite.
Import ListNotations.
Open Scope R_scope.

Lemma E_bernoulli p f : 0 <= p <= 1 -> E (bernoulli p) f = p * f true + (1 - p) * f false.
Proof. intro P. unfold bernoulli. destruct (Rle_dec 0 p), (Rle_dec p 1); try lra. reflexivity. Qed.

Definition told {T : Type} (f : T -> R) (o : option T) : R := match o with Some t => f t | None => 0 end.
Definition draws_from {T : Type} (run : nat -> law (plain (option T))) (q : law (plain T)) :=
  forall f, bounded f -> Un_cv (fun n => E (run n) (told f)) (E q f).
Lemma bounded_told {T : Type} (f : T -> R) : bounded f -> bounded (told f).
Proof.
  intros [c C]. exists (Rmax c 0). intros [t |]; simpl.
  - specialize (C t). pose proof (Rmax_l c 0). lra.
  - pose proof (Rmax_r c 0). lra.
Qed.

(** * Attempts *)

Section attempts.
  Context {A T : Type} (attempt : law (plain A)) (accept : A -> R) (value : A -> T).
  Hypothesis accept_is_a_probability : forall a, 0 <= accept a <= 1.

  (* An attempt is kept with a probability of its own; else all is done anew, n times at most. *)
  Fixpoint attempts_at_most (n : nat) : law (plain (option T)) :=
    match n with
    | O => done None
    | S m => draw attempt (fun a =>
               draw (bernoulli (accept a)) (fun kept => if kept then done (Some (value a)) else attempts_at_most m))
    end.

  Lemma bounded_kept f : bounded f -> bounded (fun a => accept a * f (value a)).
  Proof.
    intros [c C]. exists (Rmax c 0). intro a. specialize (C (value a)). pose proof (accept_is_a_probability a).
    pose proof (Rmax_l c 0). pose proof (Rmax_r c 0). set (m := Rmax c 0) in *. nra.
  Qed.
  Lemma bounded_accept : bounded accept.
  Proof. exists 1. intro a. pose proof (accept_is_a_probability a). lra. Qed.
  Lemma one_attempt_more n f : bounded f -> E (attempts_at_most (S n)) (told f) =
    E attempt (fun a => accept a * f (value a)) + (1 - E attempt accept) * E (attempts_at_most n) (told f).
  Proof.
    intro B. pose proof (bounded_kept f B) as K. pose proof bounded_accept as P.
    set (rest := E (attempts_at_most n) (told f)).
    change (E attempt (fun a => E (bernoulli (accept a)) (fun kept => E (if kept then done (Some (value a))
      else attempts_at_most n) (told f))) = E attempt (fun a => accept a * f (value a)) + (1 - E attempt accept) * rest).
    replace ((1 - E attempt accept) * rest) with (E attempt (fun a => rest * (1 - accept a))).
    - rewrite <- (E_sum attempt); [| exact K |].
      + apply E_same.
        * apply (bounded_same (fun a => accept a * f (value a) + rest * (1 - accept a))).
          -- intro a. rewrite E_bernoulli by apply accept_is_a_probability. unfold rest. simpl. ring.
          -- apply (bounded_sum (fun a => accept a * f (value a))); [exact K |]. apply bounded_multiple.
             apply (bounded_same (fun a => 1 + -1 * accept a)); [intro; ring |].
             apply (bounded_sum (fun _ => 1)); [apply bounded_constant | apply bounded_multiple, P].
        * intro a. rewrite E_bernoulli by apply accept_is_a_probability. unfold rest. simpl. ring.
      + apply (bounded_multiple rest (fun a => 1 - accept a)).
        apply (bounded_same (fun a => 1 + -1 * accept a)); [intro; ring |].
        apply (bounded_sum (fun _ => 1)); [apply bounded_constant | apply bounded_multiple, P].
    - rewrite (E_multiple attempt rest (fun a => 1 - accept a)) by
        (apply (observable_difference (O := plain A) (fun _ => 1)); [apply bounded_constant | exact P]).
      rewrite (E_difference attempt (fun _ => 1) accept), E_one; [ring | apply bounded_constant | exact P].
  Qed.

  (* The lemma on attempts: what is told is what one attempt keeps, in proportion. *)
  Theorem attempts (q : law (plain T)) : 0 < E attempt accept ->
    (forall f, bounded f -> E attempt (fun a => accept a * f (value a)) = E attempt accept * E q f) ->
    draws_from attempts_at_most q.
  Proof.
    intros some kept f B. set (k := E attempt accept) in *.
    assert (K : 0 < k <= 1).
    { split; [exact some |]. apply (E_between attempt accept 0 1); [exact bounded_accept | exact accept_is_a_probability]. }
    assert (formula : forall n, E (attempts_at_most n) (told f) = E q f * (1 - (1 - k) ^ n)).
    { induction n as [| n IH]; [simpl; ring |].
      rewrite one_attempt_more, IH, kept by exact B. fold k. simpl. ring. }
    intros eps positive. pose proof (Rabs_pos (E q f)).
    destruct (pow_lt_1_zero (1 - k) ltac:(rewrite Rabs_pos_eq; lra) (eps / (Rabs (E q f) + 1))) as [N small].
    { apply Rdiv_lt_0_compat; lra. }
    exists N. intros n more. specialize (small n more). unfold R_dist. rewrite formula.
    replace (E q f * (1 - (1 - k) ^ n) - E q f) with (- (E q f * (1 - k) ^ n)) by ring.
    rewrite Rabs_Ropp, Rabs_mult. pose proof (Rabs_pos ((1 - k) ^ n)).
    apply (Rmult_lt_compat_l (Rabs (E q f) + 1)) in small; [| lra].
    replace ((Rabs (E q f) + 1) * (eps / (Rabs (E q f) + 1))) with eps in small by (field; lra). nra.
  Qed.
End attempts.

(** * Signed geometric noise *)

(* k = 0, 1, ... with probability (1 - e^-rate) e^(-rate k): what the primitive geometric_exp draws. *)
Section geometric.
  Variable rate : R.
  Hypothesis rate_is_positive : 0 < rate.
  Definition geometric_weight (k : Z) : R := if Z_le_dec 0 k then exp (- rate * IZR k) else 0.
  Lemma geometric_weight_nonnegative k : 0 <= geometric_weight k.
  Proof. unfold geometric_weight. destruct Z_le_dec; [left; apply exp_pos | lra]. Qed.
  Lemma geometric_weight_summable : summable geometric_weight.
  Proof.
    apply (summable_below _ (fun k => exp (- rate * Rabs (IZR k)))); [apply summable_exponential, rate_is_positive |].
    intro k. rewrite Rabs_pos_eq by apply geometric_weight_nonnegative. unfold geometric_weight.
    destruct Z_le_dec as [up |]; [| left; apply exp_pos]. apply IZR_le in up. rewrite Rabs_pos_eq by exact up. lra.
  Qed.
  Lemma geometric_total_positive : 0 < total geometric_weight.
  Proof.
    apply Rlt_le_trans with (geometric_weight 0).
    - unfold geometric_weight. destruct Z_le_dec; [apply exp_pos | lia].
    - apply total_at_least; [apply geometric_weight_summable | apply geometric_weight_nonnegative].
  Qed.
  Definition geometric : law (plain Z) := law_of_weights (fun k => k) geometric_weight geometric_weight_nonnegative
    geometric_weight_summable geometric_total_positive.
  (* Then a fair sign. *)
  Definition signed_geometric_attempt : law (plain (Z * bool)) :=
    draw geometric (fun k => draw (bernoulli (1 / 2)) (fun up => done (k, up))).
  Definition no_minus_zero (a : Z * bool) : R := if snd a then 1 else if Z.eq_dec (fst a) 0 then 0 else 1.
  Definition signed (a : Z * bool) : Z := if snd a then fst a else (- fst a)%Z.

  Lemma no_minus_zero_is_a_probability a : 0 <= no_minus_zero a <= 1.
  Proof. unfold no_minus_zero. destruct (snd a), (Z.eq_dec (fst a) 0); lra. Qed.
  Lemma either_sign b : bounded b ->
    E signed_geometric_attempt (fun a => no_minus_zero a * b (signed a)) =
    / 2 * total (fun k => b k * exp (- rate * Rabs (IZR k))) / total geometric_weight.
  Proof.
    intro B. pose proof geometric_weight_summable as W.
    change (E geometric (fun k => E (bernoulli (1 / 2)) (fun up => no_minus_zero (k, up) * b (signed (k, up)))) =
      / 2 * total (fun k => b k * exp (- rate * Rabs (IZR k))) / total geometric_weight).
    unfold geometric. rewrite law_of_weights_at. f_equal.
    pose (other k := if Z.eq_dec k 0 then 0 else b k * geometric_weight (- k)).
    assert (O : summable other).
    { apply (summable_below _ (fun k => Rabs (b k * geometric_weight (- k)))).
      - apply summable_absolute, summable_bounded_times; [exact B |]. apply (summable_mirrored geometric_weight), W.
      - intro k. unfold other. destruct Z.eq_dec; [rewrite Rabs_R0; apply Rabs_pos | lra]. }
    assert (M : summable (fun k => b k * geometric_weight k)) by (apply summable_bounded_times; assumption).
    rewrite (total_same _ (fun k => / 2 * (b k * geometric_weight k) + / 2 * other (- k)%Z)).
    - rewrite total_sum, !total_multiple, (total_mirrored other O);
        [| apply summable_multiple, M | apply summable_multiple, (summable_mirrored other), O].
      rewrite <- Rmult_plus_distr_l, <- total_sum by assumption. f_equal. apply total_same. intro k.
      unfold other, geometric_weight. destruct (Z.eq_dec k 0) as [-> | no].
      + destruct Z_le_dec; [| lia]. rewrite Rabs_R0. ring.
      + destruct (Z_le_dec 0 k) as [up | down], (Z_le_dec 0 (- k)) as [up' | down']; try lia.
        * apply IZR_le in up. rewrite (Rabs_pos_eq (IZR k)) by exact up. ring.
        * assert (low : (k <= 0)%Z) by lia. apply IZR_le in low. rewrite (Rabs_left1 (IZR k)) by exact low.
          rewrite opp_IZR. ring.
    - intro k. rewrite E_bernoulli by lra. unfold no_minus_zero, signed, other. simpl fst. simpl snd.
      rewrite Z.opp_involutive. destruct (Z.eq_dec k 0) as [-> | no], (Z.eq_dec (- _) 0); try lia; simpl; lra.
  Qed.
End geometric.

(* The scheme: minus zero is refused. *)
Theorem signed_geometric (log_weight : R -> R) granularity rate (rate_is_positive : 0 < rate)
    (has_a_sum : summable (grid_weight log_weight granularity)) x :
  (forall k, 0 <= k -> log_weight (k * granularity) = - k * rate /\ log_weight (- k * granularity) = - k * rate) ->
  draws_from (attempts_at_most (signed_geometric_attempt rate rate_is_positive) no_minus_zero
    (fun a => x + IZR (signed a) * granularity)) (add_noise log_weight granularity has_a_sum x).
Proof.
  intro draws_have_the_weights.
  assert (weights : forall k, grid_weight log_weight granularity k = exp (- rate * Rabs (IZR k))).
  { intro k. unfold grid_weight. f_equal. unfold Rabs. destruct Rcase_abs as [down | up].
    - destruct (draws_have_the_weights (- IZR k) ltac:(lra)) as [_ H]. rewrite Ropp_involutive in H. rewrite H. ring.
    - destruct (draws_have_the_weights (IZR k) ltac:(lra)) as [H _]. rewrite H. ring. }
  pose proof (geometric_total_positive rate rate_is_positive) as G.
  pose proof (Grid.total_positive _ has_a_sum (fun k => exp_pos (log_weight (IZR k * granularity)))) as W.
  assert (accepted : E (signed_geometric_attempt rate rate_is_positive) no_minus_zero =
            / 2 * total (grid_weight log_weight granularity) / total (geometric_weight rate)).
  { rewrite (E_same (O := plain (Z * bool)) _ no_minus_zero (fun a => no_minus_zero a * (fun _ => 1) (signed a))).
    - rewrite (either_sign rate rate_is_positive (fun _ => 1)) by apply bounded_constant. do 2 f_equal.
      apply total_same. intro k. rewrite weights. ring.
    - apply (bounded_accept no_minus_zero no_minus_zero_is_a_probability).
    - intro. ring. }
  apply (attempts _ _ _ no_minus_zero_is_a_probability).
  - rewrite accepted. apply Rdiv_lt_0_compat; [lra | exact G].
  - intros f [c C]. rewrite accepted, add_noise_at.
    rewrite (either_sign rate rate_is_positive (fun k => f (x + IZR k * granularity))) by (exists c; intro; apply C).
    rewrite (total_same (fun k => f (x + IZR k * granularity) * grid_weight log_weight granularity k)
      (fun k => f (x + IZR k * granularity) * exp (- rate * Rabs (IZR k)))) by (intro; rewrite weights; reflexivity).
    field. lra.
Qed.

(** * Noise by rejecting other noise *)

(* How many steps of the grid noise is away from 0. *)
Definition steps_of_noise (log_weight : R -> R) granularity (has_a_sum : summable (grid_weight log_weight granularity)) :
    law (plain Z) :=
  law_of_weights (fun k => k) (grid_weight log_weight granularity) (fun k => Rlt_le _ _ (exp_pos _)) has_a_sum
    (Grid.total_positive _ has_a_sum (fun k => exp_pos _)).
(* z is drawn with a weight exp(proposal z), and kept with probability exp(log_acceptance z). *)
Theorem rejection (log_weight proposal log_acceptance : R -> R) granularity log_constant
    (has_a_sum : summable (grid_weight log_weight granularity))
    (proposal_has : summable (grid_weight proposal granularity)) x :
  (forall z, proposal z + log_acceptance z = log_weight z + log_constant /\ log_acceptance z <= 0) ->
  draws_from (attempts_at_most (steps_of_noise proposal granularity proposal_has)
    (fun k => exp (log_acceptance (IZR k * granularity))) (fun k => x + IZR k * granularity))
    (add_noise log_weight granularity has_a_sum x).
Proof.
  intro draws_have_the_weights.
  pose proof (Grid.total_positive _ has_a_sum (fun k => exp_pos (log_weight (IZR k * granularity)))) as W.
  pose proof (Grid.total_positive _ proposal_has (fun k => exp_pos (proposal (IZR k * granularity)))) as P.
  assert (product : forall k, exp (log_acceptance (IZR k * granularity)) * grid_weight proposal granularity k =
            exp log_constant * grid_weight log_weight granularity k).
  { intro k. unfold grid_weight. rewrite <- !exp_plus. f_equal.
    destruct (draws_have_the_weights (IZR k * granularity)) as [same _]. lra. }
  assert (probability : forall k, 0 <= exp (log_acceptance (IZR k * granularity)) <= 1).
  { intro k. split; [left; apply exp_pos |]. rewrite <- exp_0. apply exp_le, draws_have_the_weights. }
  pose proof (exp_pos log_constant) as C.
  apply (attempts _ _ _ probability).
  - unfold steps_of_noise. rewrite law_of_weights_at, (total_same _ _ product), total_multiple.
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; assumption | exact P].
  - intros f B. unfold steps_of_noise. rewrite !law_of_weights_at, add_noise_at, (total_same _ _ product), total_multiple.
    rewrite (total_same _ (fun k => exp log_constant *
      (f (x + IZR k * granularity) * grid_weight log_weight granularity k))).
    + rewrite total_multiple. field. lra.
    + intro k. rewrite (Rmult_comm (exp (log_acceptance _))), Rmult_assoc, product. ring.
Qed.

(** * Selections that reject *)

(* A candidate, each as likely, is kept with the probability that its score gives it against the best one. *)
Definition any_of (scores : list R) : law (plain nat) :=
  Finite.listed 0%nat (Finite.candidates scores) (fun _ => / INR (length scores)).
Lemma any_of_is_a_law scores : scores <> [] ->
  Finite.is_law (Finite.candidates scores) (fun _ : nat => / INR (length scores)).
Proof.
  intro some. assert (N : 0 < INR (length scores)) by (apply lt_0_INR; destruct scores; [contradiction | simpl; lia]).
  split; [intros; left; apply Rinv_0_lt_compat, N |]. unfold Finite.candidates.
  assert (all : forall m n c, Finite.total (fun _ : nat => c) (seq m n) = INR n * c).
  { intros m n c. revert m. induction n as [| n IH]; intro m; [simpl; ring |]. rewrite S_INR. simpl. rewrite IH. ring. }
  rewrite all. apply Rinv_r. lra.
Qed.
Theorem uniform_rejection (log_weight : R -> R) (log_acceptance : R -> R -> R) scores best :
  scores <> [] -> (forall i, In i (Finite.candidates scores) -> Finite.score_at scores i <= best) ->
  (forall score best, score <= best ->
    log_acceptance score best = log_weight score - log_weight best /\ log_acceptance score best <= 0) ->
  draws_from (attempts_at_most (any_of scores)
    (fun i => if lt_dec i (length scores) then exp (log_acceptance (Finite.score_at scores i) best) else 0) (fun i => i))
    (Finite.selected log_weight scores).
Proof.
  intros some among draws_have_the_weights.
  pose proof (any_of_is_a_law scores some) as L. pose proof (Finite.selected_masses log_weight scores some) as S.
  set (accept := fun i => if lt_dec i (length scores) then exp (log_acceptance (Finite.score_at scores i) best) else 0).
  assert (probability : forall i, 0 <= accept i <= 1).
  { intro i. unfold accept. destruct lt_dec as [inside |]; [| lra]. split; [left; apply exp_pos |].
    rewrite <- exp_0. apply exp_le, draws_have_the_weights, among, in_seq. lia. }
  assert (positive : 0 < Finite.total (Finite.weight log_weight scores) (Finite.candidates scores)).
  { apply Finite.total_positive; [destruct scores; [contradiction | discriminate] | intro; apply exp_pos]. }
  assert (size : 0 < INR (length scores)) by (apply lt_0_INR; destruct scores; [contradiction | simpl; lia]).
  pose proof (Rinv_0_lt_compat _ size) as N.
  pose proof (exp_pos (- log_weight best)) as X.
  assert (kept : forall f, Finite.total (fun i => / INR (length scores) * (accept i * f i)) (Finite.candidates scores) =
            / INR (length scores) * exp (- log_weight best) *
            Finite.total (fun i => Finite.weight log_weight scores i * f i) (Finite.candidates scores)).
  { intro f. rewrite <- Finite.total_multiple. apply Finite.total_same. intros i inside.
    pose proof (draws_have_the_weights _ _ (among i inside)) as [same _]. apply in_seq in inside.
    unfold accept, Finite.weight. destruct lt_dec; [| lia]. rewrite same. unfold Rminus. rewrite exp_plus. ring. }
  assert (all : E (any_of scores) accept = / INR (length scores) * exp (- log_weight best) *
            Finite.total (Finite.weight log_weight scores) (Finite.candidates scores)).
  { unfold any_of. rewrite Finite.E_listed by exact L.
    rewrite (Finite.total_same _ (fun i => / INR (length scores) * (accept i * (fun _ => 1) i))) by (intros; ring).
    rewrite kept. f_equal. apply Finite.total_same. intros. ring. }
  apply (attempts _ _ _ probability).
  - rewrite all. repeat apply Rmult_lt_0_compat; assumption.
  - intros f B. rewrite all. unfold any_of, Finite.selected. rewrite !Finite.E_listed by assumption. rewrite kept.
    rewrite (Finite.total_same (fun o => Finite.weight log_weight scores o /
        Finite.total (Finite.weight log_weight scores) (Finite.candidates scores) * f o)
      (fun o => / Finite.total (Finite.weight log_weight scores) (Finite.candidates scores) *
        (Finite.weight log_weight scores o * f o))) by (intros; unfold Rdiv; ring).
    rewrite Finite.total_multiple. field. split; lra.
Qed.

(** * Examples *)

(* Discrete Laplace noise of scale 2 on whole numbers is signed geometric noise of the rate 1 / 2. *)
Lemma half_is_positive : 0 < 1 / 2. Proof. lra. Qed.
Lemma two_is_positive : 0 < 2. Proof. lra. Qed.
Example laplace_of_scale_2_is_drawn :
  draws_from (attempts_at_most (signed_geometric_attempt (1 / 2) half_is_positive) no_minus_zero
    (fun a => 3 + IZR (signed a) * 1)) (Noise.discrete_laplace 2 1 two_is_positive Rlt_0_1 3).
Proof.
  apply signed_geometric. intros k K. rewrite !Rmult_1_r, (Rabs_left1 (- k)), (Rabs_pos_eq k) by lra. lra.
Qed.
(* Discrete normal noise of sigma 1, from Laplace noise of scale 1 that is kept with probability e^(-(|z| - 1)^2 / 2). *)
Lemma normal_has_a_sum : summable (grid_weight (fun z => - z ^ 2 / 2) 1).
Proof.
  apply (weights_summable _ 1 (1 / 2)). intro z. repeat split; try lra.
  rewrite <- (pow2_abs z). pose proof (pow2_ge_0 (Rabs z - 1)). lra.
Qed.
Lemma laplace_has_a_sum : summable (grid_weight (fun z => - Rabs z / 1) 1).
Proof. exact (weights_summable _ _ _ _ (discrete_laplace_tail 1 1 Rlt_0_1 Rlt_0_1)). Qed.
Example normal_noise_is_drawn :
  draws_from (attempts_at_most (steps_of_noise (fun z => - Rabs z / 1) 1 laplace_has_a_sum)
    (fun k => exp (- (Rabs (IZR k * 1) - 1) ^ 2 / 2)) (fun k => 3 + IZR k * 1))
    (add_noise (fun z => - z ^ 2 / 2) 1 normal_has_a_sum 3).
Proof.
  apply (rejection (fun z => - z ^ 2 / 2) (fun z => - Rabs z / 1) (fun z => - (Rabs z - 1) ^ 2 / 2) 1 (- (1 / 2))
    normal_has_a_sum laplace_has_a_sum 3). intro z.
  pose proof (pow2_ge_0 (Rabs z - 1)). split; [| lra]. rewrite <- (pow2_abs z). field.
Qed.
(* One of three by weights e^(score / 2). *)
Example a_selection_is_drawn :
  draws_from (attempts_at_most (any_of [1; 3; 2])
    (fun i => if lt_dec i 3 then exp ((Finite.score_at [1; 3; 2] i - 3) / 2) else 0) (fun i => i))
    (Finite.selected (fun score => score / 2) [1; 3; 2]).
Proof.
  apply (uniform_rejection _ (fun score best => (score - best) / 2) [1; 3; 2] 3); [discriminate | |].
  - intros i inside. apply in_seq in inside. simpl in inside. unfold Finite.score_at.
    destruct i as [| [| [| i]]]; simpl; lra || lia.
  - intros score best order. lra.
Qed.

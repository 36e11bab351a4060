(* What the delta of noise is, and no less: refdp's rules grid_noise, grid_noise_exceeds, classical_noise and
   normal_noise_exceeds.

   On a grid, if the weights are symmetric and log-concave, no event is worse than a half line: the greatest
   P(S) - e^epsilon Q(S) over events and inputs within d_in is that of {k >= start} for inputs as far apart as they may
   be, a quotient of sums of weights.  For normal noise on the real line it is that of a half line, too, in closed form;
   the classical calibration of Gaussian noise is compared with that form on a region of epsilon and delta. *)
From Coq Require Import Reals Lra Lia ZArith Classical.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Grid Noise.
From Refdp Require GaussianPrivacy.
Open Scope R_scope.

(* ---- Noise on a grid ---- *)

(* The obligation of refdp/spec/noise.py: symmetric, and from each point k >= 0 to the next the weight falls by a factor
   that never grows. *)
Definition weights_are_log_concave (log_weight : R -> R) (granularity : R) := forall k j, 0 <= k -> k <= j ->
  log_weight (- k * granularity) = log_weight (k * granularity) /\
  log_weight ((j + 1) * granularity) - log_weight (j * granularity) <=
    log_weight ((k + 1) * granularity) - log_weight (k * granularity) /\
  log_weight ((k + 1) * granularity) - log_weight (k * granularity) < 0.

Section grid_noise.
  Variables (log_weight : R -> R) (granularity : R).
  Hypothesis granularity_positive : 0 < granularity.
  Hypothesis concave : weights_are_log_concave log_weight granularity.
  Let level (k : Z) := log_weight (IZR k * granularity).
  Let weight := grid_weight log_weight granularity.

  Lemma level_mirrored k : level (- k) = level k.
  Proof.
    assert (up : forall j, (0 <= j)%Z -> level (- j) = level j).
    { intros j J. apply IZR_le in J. unfold level. rewrite opp_IZR. apply (concave _ (IZR j) J). lra. }
    destruct (Z_le_dec 0 k) as [right | left]; [apply up, right |].
    rewrite <- (Z.opp_involutive k) at 2. symmetry. apply up. lia.
  Qed.
  Lemma level_falls k j : (0 <= k)%Z -> (k <= j)%Z ->
    level (j + 1) - level j <= level (k + 1) - level k /\ level (k + 1) - level k < 0.
  Proof.
    intros K J. apply IZR_le in K, J. unfold level. rewrite !plus_IZR. apply (concave (IZR k) (IZR j) K J).
  Qed.
  Lemma level_below n : level (Z.of_nat n) <= level 0 + INR n * (level 1 - level 0).
  Proof.
    induction n; [simpl; lra |]. rewrite Nat2Z.inj_succ, S_INR, <- Z.add_1_r.
    destruct (level_falls 0 (Z.of_nat n)) as [F _]; try lia. rewrite Z.add_0_l in F. lra.
  Qed.
  (* There is a law: the weights have a sum. *)
  Lemma log_concave_summable : summable (grid_weight log_weight granularity).
  Proof.
    destruct (level_falls 0 0) as [_ F]; try lia. rewrite Z.add_0_l in F.
    apply (summable_below _ (fun k => exp (level 0) * exp (level 1 - level 0) ^ Z.abs_nat k)).
    - apply summable_multiple, summable_geometric. split; [left; apply exp_pos |].
      rewrite <- exp_0. apply exp_increasing, F.
    - intro k. unfold grid_weight. rewrite Rabs_pos_eq by (left; apply exp_pos).
      rewrite power_of_exp, <- exp_plus. apply exp_le. fold (level k).
      pose proof (level_below (Z.abs_nat k)) as B. rewrite Zabs2Nat.id_abs in B.
      replace (level k) with (level (Z.abs k)); [exact B |].
      destruct (Z.abs_spec k) as [[_ ->] | [_ ->]]; [reflexivity | apply level_mirrored].
  Qed.

  (* The loss at k of inputs some steps apart, measured from the lower: ln of the quotient of the weights. *)
  Definition loss_at (steps k : Z) : R := level (k - steps) - level k.
  Lemma one_step_grows k : loss_at 1 k <= loss_at 1 (k + 1).
  Proof.
    unfold loss_at. replace (k + 1 - 1)%Z with k by lia.
    destruct (Z_lt_dec k 0) as [left | right]; [| destruct (Z.eq_dec k 0) as [-> | after]].
    - rewrite <- (level_mirrored (k - 1)), <- (level_mirrored k), <- (level_mirrored (k + 1)).
      destruct (level_falls (- (k + 1)) (- (k + 1) + 1)) as [F _]; try lia.
      replace (- (k + 1) + 1 + 1)%Z with (- (k - 1))%Z in F by lia.
      replace (- (k + 1) + 1)%Z with (- k)%Z in F by lia. lra.
    - destruct (level_falls 0 0) as [_ F]; try lia. pose proof (level_mirrored 1) as M. simpl in *. lra.
    - destruct (level_falls (k - 1) k) as [F _]; try lia. replace (k - 1 + 1)%Z with k in F by lia. lra.
  Qed.
  Lemma loss_grows_by_one steps k : (0 <= steps)%Z -> loss_at steps k <= loss_at steps (k + 1).
  Proof.
    intro S. revert k. pattern steps. apply natlike_ind; [| | exact S].
    - intro k. unfold loss_at. rewrite !Z.sub_0_r. lra.
    - intros s N IH k. specialize (IH (k - 1)%Z). pose proof (one_step_grows k) as one. unfold loss_at in *.
      replace (k - 1 + 1)%Z with k in IH by lia. replace (k + 1 - 1)%Z with k in one by lia.
      replace (k - Z.succ s)%Z with (k - 1 - s)%Z by lia. replace (k + 1 - Z.succ s)%Z with (k - s)%Z by lia. lra.
  Qed.
  Lemma loss_grows steps k k' : (0 <= steps)%Z -> (k <= k')%Z -> loss_at steps k <= loss_at steps k'.
  Proof.
    intros S order. replace k' with (k + Z.of_nat (Z.to_nat (k' - k)))%Z by lia.
    induction (Z.to_nat (k' - k)) as [| n IH]; [rewrite Z.add_0_r; lra |].
    replace (k + Z.of_nat (Datatypes.S n))%Z with (k + Z.of_nat n + 1)%Z by lia.
    eapply Rle_trans; [exact IH | apply loss_grows_by_one, S].
  Qed.
  Lemma loss_at_zero steps : (0 <= steps)%Z -> loss_at steps 0 <= 0.
  Proof.
    intro S. unfold loss_at. rewrite Z.sub_0_l, level_mirrored.
    pose proof (level_below (Z.to_nat steps)) as B. rewrite Z2Nat.id in B by exact S.
    destruct (level_falls 0 0) as [_ F]; try lia. rewrite Z.add_0_l in F. pose proof (pos_INR (Z.to_nat steps)).
    assert (0 <= INR (Z.to_nat steps) * - (level 1 - level 0)) by (apply Rmult_le_pos; lra). lra.
  Qed.

  (* The first index at which the loss is more than epsilon. *)
  Definition first_exceeding (steps : Z) (epsilon : R) (start : Z) :=
    epsilon < loss_at steps start /\ loss_at steps (start - 1) <= epsilon.
  Lemma there_is_a_first steps epsilon k : (0 <= steps)%Z -> 0 <= epsilon -> epsilon < loss_at steps k ->
    exists start, first_exceeding steps epsilon start.
  Proof.
    intros S N. pose proof (loss_at_zero steps S) as zero.
    assert (climb : forall n, epsilon < loss_at steps (Z.of_nat n) ->
      exists start, first_exceeding steps epsilon start).
    { induction n; intro more; [simpl in more; lra |].
      destruct (Rlt_dec epsilon (loss_at steps (Z.of_nat n))) as [before | not]; [apply IHn, before |].
      exists (Z.of_nat (Datatypes.S n)). split; [exact more |].
      replace (Z.of_nat (Datatypes.S n) - 1)%Z with (Z.of_nat n) by lia. lra. }
    intro more. apply (climb (Z.to_nat k)). destruct (Z_le_dec 0 k).
    - rewrite Z2Nat.id by assumption. exact more.
    - pose proof (loss_grows steps k 0 S ltac:(lia)). lra.
  Qed.

  (* Sums over half lines. *)
  Definition from (start k : Z) : R := if Z_le_dec start k then weight k else 0.
  Definition tail_sum (start : Z) : R := total (from start).
  Let has_a_sum := log_concave_summable.
  Let positive k : 0 < weight k := weight_positive log_weight granularity k.

  Lemma from_between start k : 0 <= from start k <= weight k.
  Proof. pose proof (positive k). unfold from. destruct Z_le_dec; lra. Qed.
  Lemma from_summable start : summable (from start).
  Proof.
    apply (summable_below _ weight); [exact has_a_sum |]. intro k. destruct (from_between start k).
    rewrite Rabs_pos_eq; assumption.
  Qed.
  Lemma tail_sum_falls start start' : (start' <= start)%Z -> tail_sum start <= tail_sum start'.
  Proof.
    intro order. apply total_monotone; try apply from_summable. intro k. pose proof (positive k). unfold from.
    repeat destruct Z_le_dec; try lia; lra.
  Qed.
  Lemma tail_sum_moved start steps : total (fun k => from (start - steps) (k - steps)) = tail_sum (start - steps).
  Proof. exact (total_moved (- steps) (from (start - steps)) (from_summable _)). Qed.

  (* The greatest sum of f (weight (k - steps) - t weight k) is that of a half line. *)
  Lemma best_half_line steps epsilon start f :
    (0 <= steps)%Z -> first_exceeding steps epsilon start -> (forall k : Z, 0 <= f k <= 1) ->
    total (fun k => f k * weight (k - steps)%Z) - exp epsilon * total (fun k => f k * weight k) <=
    tail_sum (start - steps) - exp epsilon * tail_sum start.
  Proof.
    intros S [more less] between.
    assert (B : bounded f) by (exists 1; intro k; specialize (between k); lra).
    pose proof (summable_moved (- steps) weight has_a_sum) as moved.
    rewrite <- (tail_sum_moved start steps). unfold tail_sum at 1. rewrite <- !total_multiple.
    pose proof (summable_bounded_times f _ B moved) as A1. pose proof (summable_bounded_times f _ B has_a_sum) as A2.
    pose proof (summable_moved (- steps) (from (start - steps)) (from_summable _)) as A3.
    rewrite <- !total_difference; try assumption; try (apply summable_multiple; (exact A2 || apply from_summable)).
    apply total_monotone; try (apply summable_difference; try assumption; apply summable_multiple;
      (exact A2 || apply from_summable)).
    intro k. specialize (between k). unfold from.
    assert (quotient : weight (k - steps)%Z = exp (loss_at steps k) * weight k).
    { unfold weight, grid_weight, loss_at. rewrite <- exp_plus. f_equal. fold (level (k - steps)) (level k). lra. }
    fold (weight (k - steps)%Z) in *. rewrite quotient. pose proof (positive k) as P.
    replace (f k * (exp (loss_at steps k) * weight k) - exp epsilon * (f k * weight k))
      with (f k * ((exp (loss_at steps k) - exp epsilon) * weight k)) by ring.
    destruct (Z_le_dec start k) as [beyond | before]; destruct (Z_le_dec (start - steps) (k - steps)); try lia.
    - pose proof (loss_grows steps start k S beyond).
      assert (0 <= (exp (loss_at steps k) - exp epsilon) * weight k).
      { apply Rmult_le_pos; [| lra]. pose proof (exp_le epsilon (loss_at steps k) ltac:(lra)). lra. }
      assert (f k * ((exp (loss_at steps k) - exp epsilon) * weight k) <= 1 * ((exp (loss_at steps k) - exp
        epsilon) * weight k))
        by (apply Rmult_le_compat_r; lra). lra.
    - pose proof (loss_grows steps k (start - 1) S ltac:(lia)).
      assert (0 <= f k * ((exp epsilon - exp (loss_at steps k)) * weight k)).
      { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [| lra].
        pose proof (exp_le (loss_at steps k) epsilon ltac:(lra)). lra. }
      lra.
  Qed.
  (* Where the loss is never more than epsilon, no sum is positive. *)
  Lemma no_gain steps epsilon f : (forall k, loss_at steps k <= epsilon) -> (forall k : Z, 0 <= f k <= 1) ->
    total (fun k => f k * weight (k - steps)%Z) - exp epsilon * total (fun k => f k * weight k) <= 0.
  Proof.
    intros less between. assert (B : bounded f) by (exists 1; intro k; specialize (between k); lra).
    rewrite <- total_multiple. apply Rle_minus. apply total_monotone.
    - apply (summable_bounded_times f _ B (summable_moved (- steps) weight has_a_sum)).
    - apply summable_multiple, (summable_bounded_times f _ B has_a_sum).
    - intro k. specialize (between k). specialize (less k). unfold weight, grid_weight.
      replace (exp epsilon * (f k * exp (log_weight (IZR k * granularity))))
        with (f k * (exp epsilon * exp (log_weight (IZR k * granularity)))) by ring.
      apply Rmult_le_compat_l; [lra |]. rewrite <- exp_plus. apply exp_le. unfold loss_at, level in less. lra.
  Qed.

  (* P(S) - e^epsilon Q(S) of the half line from `start` on, for inputs some steps apart. *)
  Definition half_line_delta (steps : Z) (epsilon : R) (start : Z) : R :=
    (tail_sum (start - steps) - exp epsilon * tail_sum start) / total weight.

  Variable sum : summable (grid_weight log_weight granularity).
  Let noisy := add_noise log_weight granularity sum.

  Lemma noisy_above x steps f : test (O := plain R) f ->
    E (noisy (x + IZR steps * granularity)) f =
    total (fun k => f (x + IZR k * granularity) * weight (k - steps)%Z) / total weight.
  Proof.
    intros [[c C] _]. unfold noisy. rewrite add_noise_at. f_equal. fold weight.
    assert (M : summable (fun k => f (x + IZR k * granularity) * weight (k + - steps)%Z)).
    { apply (summable_bounded_times (fun k => f (x + IZR k * granularity))); [exists c; intro; apply C |].
      apply (summable_moved (- steps) weight), sum. }
    etransitivity; [| exact (total_moved steps _ M)]. apply total_same. intro k. f_equal; [f_equal | f_equal; lia].
    rewrite plus_IZR. ring.
  Qed.
  (* The other way round: the law is its own reflection. *)
  Lemma noisy_mirrored x y f : test (O := plain R) f -> E (noisy x) f = E (noisy y) (fun o => f (x + y - o)).
  Proof.
    intros [[c C] _]. unfold noisy. rewrite !add_noise_at. f_equal. fold weight.
    assert (M : summable (fun k => f (x + IZR k * granularity) * weight k)).
    { apply (summable_bounded_times (fun k => f (x + IZR k * granularity))); [exists c; intro; apply C | exact sum]. }
    rewrite <- (total_mirrored _ M). apply total_same. intro k. f_equal.
    - f_equal. rewrite opp_IZR. ring.
    - unfold weight, grid_weight. f_equal. apply level_mirrored.
  Qed.

  Section within.
    Variables (steps : Z) (d_in epsilon delta : R).
    Hypothesis farthest : IZR steps * granularity <= d_in < (IZR steps + 1) * granularity.
    Hypothesis epsilon_nonnegative : 0 <= epsilon.
    Hypothesis delta_nonnegative : 0 <= delta.
    Hypothesis no_half_line_is_worse : forall start, half_line_delta steps epsilon start <= delta.

    Lemma whole_positive : 0 < total weight.
    Proof. apply total_positive; [exact has_a_sum | exact positive]. Qed.
    Lemma upper_input_within x between : (0 <= between)%Z -> (between <= steps)%Z ->
      approximate epsilon delta (noisy (x + IZR between * granularity)) (noisy x).
    Proof.
      intros N order f F. pose proof whole_positive as T. rewrite (noisy_above x between f F).
      change (E (noisy x) f) with (total (fun k => f (x + IZR k * granularity) * weight k) / total weight).
      assert (B : forall k, 0 <= f (x + IZR k * granularity) <= 1) by (intro; apply F).
      assert (small : total (fun k => f (x + IZR k * granularity) * weight (k - between)%Z) -
        exp epsilon * total (fun k => f (x + IZR k * granularity) * weight k) <= delta * total weight).
      { destruct (classic (exists k, epsilon < loss_at between k)) as [[k more] | never].
        - destruct (there_is_a_first between epsilon k N epsilon_nonnegative more) as [start first].
          eapply Rle_trans; [apply (best_half_line between epsilon start _ N first B) |].
          pose proof (tail_sum_falls (start - between) (start - steps) ltac:(lia)).
          pose proof (no_half_line_is_worse start) as W. unfold half_line_delta in W.
          apply (Rmult_le_compat_r (total weight)) in W; [| lra].
          unfold Rdiv in W. rewrite Rmult_assoc, Rinv_l in W by lra. lra.
        - eapply Rle_trans; [apply (no_gain between epsilon _) |].
          + intro k. apply Rnot_lt_le. intro more. apply never. exists k. exact more.
          + exact B.
          + apply Rmult_le_pos; lra. }
      apply (Rmult_le_reg_r (total weight)); [exact T |]. unfold Rdiv.
      rewrite Rmult_plus_distr_r, <- Rmult_assoc, !Rmult_assoc, Rinv_l by lra. lra.
    Qed.
    Lemma no_half_line_suffices : private (absolute granularity d_in) noisy (approximate epsilon delta).
    Proof.
      intros x y ((i & X) & (j & Y) & near).
      assert (apart : (Z.abs (i - j) <= steps)%Z).
      { enough (Z.abs (i - j) < steps + 1)%Z by lia. apply lt_IZR. rewrite plus_IZR, abs_IZR, minus_IZR.
        apply (Rmult_lt_reg_r granularity); [exact granularity_positive |].
        rewrite <- (Rabs_pos_eq granularity) at 1 by lra. rewrite <- Rabs_mult.
        replace ((IZR i - IZR j) * granularity) with (x - y) by (rewrite X, Y; ring). lra. }
      destruct (Z_le_dec j i) as [up | down].
      - replace x with (y + IZR (i - j) * granularity) by (rewrite minus_IZR, X, Y; ring).
        apply upper_input_within; lia.
      - intros f F. rewrite (noisy_mirrored x y f F), (noisy_mirrored y x f F).
        assert (T : test (O := plain R) (fun o => f (x + y - o))).
        { destruct F as [[c C] between]. split; [exists c; intro; apply C | intro; apply between]. }
        pose proof (upper_input_within x (j - i) ltac:(lia) ltac:(lia) _ T) as K.
        replace (x + IZR (j - i) * granularity) with y in K by (rewrite minus_IZR, X, Y; ring).
        rewrite (E_same (noisy x) (fun o => f (y + x - o)) (fun o => f (x + y - o))); [exact K | |].
        + destruct F as [[c C] _]. exists c. intro. apply C.
        + intro o. f_equal. ring.
    Qed.
  End within.

  (* The half line as an event, and what both laws give it. *)
  Lemma half_line_event start steps :
    test (O := plain R) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0) /\
    E (noisy (IZR steps * granularity)) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0) =
    tail_sum (start - steps) / total weight.
  Proof.
    assert (T : test (O := plain R) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0)).
    { split; [exists 1 |]; intro o; destruct Rle_dec; lra. }
    split; [exact T |]. replace (IZR steps * granularity) with (0 + IZR steps * granularity) by ring.
    rewrite (noisy_above 0 steps _ T), <- tail_sum_moved. f_equal. apply total_same. intro k. rewrite Rplus_0_l.
    unfold from. destruct Rle_dec as [above | below], Z_le_dec as [after | before]; try ring; exfalso.
    - apply before. apply Rmult_le_reg_r in above; [| exact granularity_positive]. apply le_IZR in above. lia.
    - apply below. apply Rmult_le_compat_r; [lra |]. apply IZR_le. lia.
  Qed.
  Lemma private_half_line steps d_in epsilon delta start : (0 <= steps)%Z -> IZR steps * granularity <= d_in ->
    private (absolute granularity d_in) noisy (approximate epsilon delta) ->
    half_line_delta steps epsilon start <= delta.
  Proof.
    intros S far close. destruct (half_line_event start steps) as [T there].
    destruct (half_line_event start 0) as [_ here]. apply IZR_le in S.
    specialize (close (IZR steps * granularity) (IZR 0 * granularity)).
    specialize (close ltac:(split; [exists steps; reflexivity | split; [exists 0%Z; reflexivity |]];
      rewrite Rmult_0_l, Rminus_0_r, Rabs_pos_eq by (apply Rmult_le_pos; lra); exact far) _ T).
    rewrite there, here, Z.sub_0_r in close. unfold half_line_delta, Rdiv in *. lra.
  Qed.

  (* grid_noise: the delta of the half line from the first index on at which the loss is more than epsilon will do *)
  Theorem grid_noise steps d_in epsilon delta start :
    (1 <= steps)%Z -> IZR steps * granularity <= d_in < (IZR steps + 1) * granularity -> 0 <= epsilon ->
    first_exceeding steps epsilon start -> half_line_delta steps epsilon start <= delta ->
    private (absolute granularity d_in) noisy (approximate epsilon delta).
  Proof.
    intros S farthest N first small. pose proof whole_positive as T.
    assert (best : forall other, half_line_delta steps epsilon other <= half_line_delta steps epsilon start).
    { intro other. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, T |].
      pose proof (best_half_line steps epsilon start (fun k => if Z_le_dec other k then 1 else 0)
        ltac:(lia) first) as K.
      rewrite <- (tail_sum_moved other steps). unfold tail_sum at 1.
      rewrite (total_same (fun k => from (other - steps) (k - steps))
        (fun k => (if Z_le_dec other k then 1 else 0) * weight (k - steps)%Z)).
      rewrite (total_same (from other) (fun k => (if Z_le_dec other k then 1 else 0) * weight k)).
      - apply K. intro k. destruct Z_le_dec; lra.
      - intro k. unfold from. destruct Z_le_dec; ring.
      - intro k. unfold from. repeat destruct Z_le_dec; try lia; ring. }
    assert (nonnegative : 0 <= half_line_delta steps epsilon start).
    { apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat, T].
      pose proof (best_half_line steps epsilon start (fun _ => 0) ltac:(lia) first ltac:(intro; lra)) as K.
      cbv beta in K. rewrite (total_multiple 0 (fun k => weight (k - steps)%Z)), (total_multiple 0 weight) in K. lra. }
    apply (no_half_line_suffices steps); try assumption; [lra |]. intro other. specialize (best other). lra.
  Qed.
  (* grid_noise, exactly: no half line is worse if and only if the claim is true *)
  Theorem grid_noise_exactly steps d_in epsilon delta :
    (0 <= steps)%Z -> IZR steps * granularity <= d_in < (IZR steps + 1) * granularity -> 0 <= epsilon -> 0 <= delta ->
    (private (absolute granularity d_in) noisy (approximate epsilon delta) <->
     forall start, half_line_delta steps epsilon start <= delta).
  Proof.
    intros S farthest N D. split.
    - intros close start. apply (private_half_line steps d_in); [exact S | apply farthest | exact close].
    - apply no_half_line_suffices; assumption.
  Qed.
  (* grid_noise_exceeds: a half line of which the delta is more, whichever it is, refutes the claim *)
  Theorem grid_noise_exceeds steps d_in epsilon delta start :
    (0 <= steps)%Z -> IZR steps * granularity <= d_in -> delta < half_line_delta steps epsilon start ->
    ~ private (absolute granularity d_in) noisy (approximate epsilon delta).
  Proof.
    intros S far more close. pose proof (private_half_line steps d_in epsilon delta start S far close). lra.
  Qed.

  (* The sums are enclosed: finitely many weights, and a rest that is at most geometric from an index k >= 0 on. *)
  Fixpoint finite_sum (start : Z) (count : nat) : R :=
    match count with O => 0 | S n => weight start + finite_sum (start + 1) n end.
  Lemma tail_sum_first start : tail_sum start = weight start + tail_sum (start + 1).
  Proof.
    pose proof (total_point (weight start)) as P. pose proof (summable_point (weight start)) as S.
    rewrite <- (total_moved (- start) _ S) in P. pose proof (summable_moved (- start) _ S) as S'.
    rewrite <- P. unfold tail_sum. rewrite <- (total_sum _ _ S' (from_summable (start + 1))).
    apply total_same. intro k. unfold from. destruct Z.eq_dec as [same | other].
    - replace k with start by lia. repeat destruct Z_le_dec; try lia; ring.
    - repeat destruct Z_le_dec; try lia; ring.
  Qed.
  Theorem tail_sum_enclosed start count :
    tail_sum start = finite_sum start count + tail_sum (start + Z.of_nat count).
  Proof.
    revert start. induction count as [| n IH]; intro start.
    - replace (start + Z.of_nat 0)%Z with start by lia. simpl. ring.
    - rewrite tail_sum_first, (IH (start + 1)%Z). simpl finite_sum.
      replace (start + 1 + Z.of_nat n)%Z with (start + Z.of_nat (S n))%Z by lia. ring.
  Qed.
  Theorem rest_enclosed start : (0 <= start)%Z ->
    0 <= tail_sum start <= weight start / (1 - weight (start + 1)%Z / weight start).
  Proof.
    intro S0. pose proof (positive start) as P. set (ratio := weight (start + 1)%Z / weight start).
    assert (falls : 0 < ratio < 1).
    { unfold ratio, weight, grid_weight, Rdiv. rewrite <- exp_Ropp, <- exp_plus. split; [apply exp_pos |].
      rewrite <- exp_0. apply exp_increasing. destruct (level_falls start start) as [_ F]; try lia.
      unfold level in F. lra. }
    split; [apply total_nonnegative; [apply from_summable | intro; apply from_between] |].
    assert (next : tail_sum (start + 1) <= ratio * tail_sum start).
    { unfold tail_sum. rewrite <- total_multiple, <- (total_moved 1 _ (from_summable (start + 1))).
      apply total_monotone; [apply (summable_moved 1), from_summable | apply summable_multiple, from_summable |].
      intro k. unfold from. repeat destruct Z_le_dec; try lia; [| lra].
      unfold ratio, weight, grid_weight, Rdiv. rewrite <- exp_Ropp, <- !exp_plus. apply exp_le.
      destruct (level_falls start k) as [F _]; try lia. unfold level in F. lra. }
    rewrite (tail_sum_first start) in next |- *.
    assert (K : (1 - ratio) * (weight start + tail_sum (start + 1)) <= weight start) by lra.
    apply (Rmult_le_reg_l (1 - ratio)); [lra |].
    replace ((1 - ratio) * (weight start / (1 - ratio))) with (weight start) by (field; lra). exact K.
  Qed.
  Theorem whole_enclosed : total weight = weight 0 + 2 * tail_sum 1.
  Proof.
    rewrite <- (total_point (weight 0)). pose proof (from_summable 1) as A. pose proof (summable_mirrored _ A) as B.
    replace (2 * tail_sum 1) with (total (from 1) + total (fun k => from 1 (- k))).
    - rewrite <- !total_sum; try assumption; [| apply summable_point | apply summable_sum; assumption].
      apply total_same. intro k. unfold from. destruct Z.eq_dec as [-> | other]; [repeat destruct Z_le_dec;
        try lia; ring |].
      assert (mirrored : weight (- k) = weight k) by (unfold weight, grid_weight; f_equal; apply level_mirrored).
      repeat destruct Z_le_dec; try lia; rewrite ?mirrored; ring.
    - rewrite (total_mirrored _ A). unfold tail_sum. ring.
  Qed.
End grid_noise.

(* Whole numbers, weights e^-|k|: at epsilon = 1/2 inputs 1 apart have the delta of the half line from 1 on. *)
Example discrete_laplace_delta (one : 0 < 1) :
  private (absolute 1 1) (discrete_laplace 1 1 one one)
    (approximate (1 / 2) (half_line_delta (fun z => - Rabs z / 1) 1 1 (1 / 2) 1)).
Proof.
  apply (grid_noise _ 1 one) with (steps := 1%Z) (start := 1%Z); try lra; try lia.
  - intros k j K J. rewrite !Rmult_1_r, Rabs_Ropp, !Rabs_pos_eq by lra. repeat split; lra.
  - unfold first_exceeding, loss_at. simpl. rewrite !Rmult_0_l, !Rmult_1_r, Rabs_R0, Rabs_R1.
    replace (-1) with (- (1)) by ring. rewrite Rabs_Ropp, Rabs_R1. lra.
Qed.

(* ---- Normal noise: no smaller delta is true ---- *)
Notation normal_tail := GaussianPrivacy.normal_tail.
Notation density := GaussianPrivacy.density.
Notation standard_normal := GaussianPrivacy.standard_normal.

(* The delta of numbers at most d_in apart, which normal_noise is about. *)
Definition exact_delta (deviation d_in epsilon : R) : R :=
  normal_tail (epsilon * deviation / d_in - d_in / (2 * deviation)) -
  exp epsilon * normal_tail (epsilon * deviation / d_in + d_in / (2 * deviation)).

Lemma root_above_1 : 1 < sqrt (2 * PI).
Proof. rewrite <- sqrt_1. apply sqrt_lt_1_alt. pose proof PI2_3_2 as P. unfold PI2 in P. lra. Qed.
Lemma density_at_most x : density x <= exp (- (x * x) / 2) /\ density x <= 1.
Proof.
  pose proof root_above_1 as R1. unfold density, GaussianPrivacy.bell.
  pose proof (exp_pos (- (x * x) / 2)) as P.
  assert (A : exp (- (x * x) / 2) / sqrt (2 * PI) <= exp (- (x * x) / 2)).
  { apply (Rmult_le_reg_r (sqrt (2 * PI))); [lra |].
    replace (exp (- (x * x) / 2) / sqrt (2 * PI) * sqrt (2 * PI)) with (exp (- (x * x) / 2) * 1) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  split; [exact A |]. eapply Rle_trans; [exact A |]. rewrite <- exp_0. apply exp_le. pose proof (Rle_0_sqr x) as S.
  unfold Rsqr in S. lra.
Qed.
Lemma normal_tail_steepness x w : 0 <= w -> normal_tail (x - w) <= normal_tail x + w.
Proof.
  intro W. assert (K : normal_tail (x - w) + (x - w) <= normal_tail x + x); [| lra].
  apply (GaussianPrivacy.increases (fun x => normal_tail x + x) (fun x => - density x + 1)); [lra | |].
  - intros y _. apply (is_derive_plus normal_tail (fun y => y)); [apply GaussianPrivacy.normal_tail_derive |].
    apply (is_derive_id (K := R_AbsRing)).
  - intros y _. destruct (density_at_most y). lra.
Qed.

(* What a test that accepts all from b on accepts of the standard normal law, and one that accepts nothing below b. *)
Lemma accepts_beyond (g : GaussianPrivacy.line -> R) b :
  test g -> (forall z, b <= z -> g z = 1) -> normal_tail b <= E standard_normal g.
Proof.
  intros [[B C] between] all.
  pose proof (GaussianPrivacy.partial_converges g B C) as L.
  assert (K : is_lim_seq (fun n => normal_tail b - normal_tail (INR n)) (Finite (normal_tail b - 0))).
  { apply is_lim_seq_minus'; [apply is_lim_seq_const | apply GaussianPrivacy.tail_vanishes]. }
  assert (order : normal_tail b - 0 <= real (Lim_seq (GaussianPrivacy.partial g))); [| simpl; lra].
  apply (is_lim_seq_le_loc _ _ _ _) with (2 := K) (3 := L).
  destruct (GaussianPrivacy.INR_unbounded (Rabs b)) as [N high]. exists N. intros n later. apply le_INR in later.
  pose proof (Rle_abs b). pose proof (Rle_abs (- b)) as below. rewrite Rabs_Ropp in below.
  assert (I : forall x y, ex_RInt (fun z => g z * density z) x y).
  { intros. apply GaussianPrivacy.integrable. intros.
    apply GaussianPrivacy.weighed_continuous; [exact C | apply GaussianPrivacy.density_continuity]. }
  assert (P : forall z, 0 <= g z * density z).
  { intro z. apply Rmult_le_pos; [apply between | left; apply GaussianPrivacy.density_positive]. }
  unfold GaussianPrivacy.partial.
  rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ (- INR n) b (INR n)) by apply I.
  pose proof (RInt_ge_0 (fun z => g z * density z) (- INR n) b ltac:(lra) (I _ _) (fun z _ => P z)) as left.
  assert (right : RInt (fun z => g z * density z) b (INR n) = normal_tail b - normal_tail (INR n)).
  { rewrite (RInt_ext _ (fun z => 1 * density z)).
    - rewrite (GaussianPrivacy.integral_by (fun z => - normal_tail z));
        [match goal with |- ?a = ?b => change (@eq R a b) end; ring | |].
      + intro z. evar_last; [apply (is_derive_opp normal_tail), GaussianPrivacy.normal_tail_derive |].
        unfold opp. simpl. ring.
      + intro z. apply (GaussianPrivacy.weighed_continuous (fun _ => 1));
          [apply GaussianPrivacy.constant_continuity | apply GaussianPrivacy.density_continuity].
    - intros z Z. rewrite Rmin_left in Z by lra. rewrite all by lra. reflexivity. }
  rewrite right. unfold plus. simpl. lra.
Qed.
Lemma accepts_nothing_below (g : GaussianPrivacy.line -> R) b :
  test g -> (forall z, z <= b -> g z = 0) -> E standard_normal g <= normal_tail b.
Proof.
  intros T none. pose proof (test_complement g T) as T'.
  pose proof (GaussianPrivacy.reflected_normal _ (proj1 T')) as same.
  assert (R : test (O := GaussianPrivacy.line) (fun z => 1 - g (0 + -1 * z))).
  { split; [apply (GaussianPrivacy.affine_observable (fun z => 1 - g z) 0 (-1)), T' | intro; apply T']. }
  pose proof (accepts_beyond _ (- b) R) as K. rewrite GaussianPrivacy.normal_tail_reflected in K.
  rewrite E_difference, E_one in same; [| apply observable_constant | apply T].
  assert (1 - normal_tail b <= 1 - E standard_normal g); [| lra]. rewrite <- same. apply K.
  intros z Z. rewrite none by lra. ring.
Qed.

(* A test that rises from 0 at b - w to 1 at b. *)
Definition ramp (b w z : R) : R := Rmin 1 (/ 2 * (((z - b) / w + 1) + Rabs ((z - b) / w + 1))).
Lemma ramp_test deviation b w : 0 < w -> test (O := GaussianPrivacy.line) (fun o => ramp b w (o / deviation)).
Proof.
  intro W.
  assert (between : forall z, 0 <= ramp b w z <= 1).
  { intro z. unfold ramp. set (u := (z - b) / w + 1). pose proof (Rle_abs (- u)) as A. rewrite Rabs_Ropp in A.
    split; [apply Rmin_glb; lra | apply Rmin_l]. }
  split; [split |]; [exists 1; intro o; specialize (between (o / deviation)); lra | | intro; apply between].
  assert (C : continuity (fun o => (o / deviation - b) / w + 1)).
  { apply derivable_continuous. intro o. exists (/ deviation * / w). apply is_derive_Reals. auto_derive; [exact I |].
    unfold Rdiv. ring. }
  apply (GaussianPrivacy.continuity_least (fun _ => 1) (fun o => / 2 * (((o / deviation - b) / w + 1) +
    Rabs ((o / deviation - b) / w + 1)))); [apply GaussianPrivacy.constant_continuity |].
  apply (continuity_scal (fun o => ((o / deviation - b) / w + 1) + Rabs ((o / deviation - b) / w + 1))).
  apply (continuity_plus (fun o => (o / deviation - b) / w + 1)); [exact C |].
  apply (continuity_comp (fun o => (o / deviation - b) / w + 1) Rabs); [exact C | apply Rcontinuity_abs].
Qed.
Lemma ramp_ends b w z : 0 < w -> (b <= z -> ramp b w z = 1) /\ (z <= b - w -> ramp b w z = 0).
Proof.
  intro W. unfold ramp. assert (times : (z - b) / w * w = z - b) by (field; lra). split; intro Z.
  - assert (0 <= (z - b) / w) by (apply (Rmult_le_reg_r w); lra).
    rewrite Rabs_pos_eq, Rmin_left by lra. reflexivity.
  - assert ((z - b) / w <= - (1)) by (apply (Rmult_le_reg_r w); lra).
    rewrite Rabs_left1, Rmin_right by lra. ring.
Qed.

(* Two normal laws with means d_in apart. *)
Lemma exact_delta_is_needed deviation d_in epsilon delta : 0 < deviation -> 0 < d_in ->
  approximate epsilon delta (GaussianPrivacy.plus_normal deviation d_in) (GaussianPrivacy.plus_normal deviation 0) ->
  exact_delta deviation d_in epsilon <= delta.
Proof.
  intros S D close. unfold exact_delta. set (b := epsilon * deviation / d_in + d_in / (2 * deviation)).
  replace (epsilon * deviation / d_in - d_in / (2 * deviation)) with (b - d_in / deviation) by (unfold b; field; lra).
  pose proof (exp_pos epsilon) as P. apply Rnot_lt_le. intro more.
  pose (w := (normal_tail (b - d_in / deviation) - exp epsilon * normal_tail b - delta) / (2 * exp epsilon)).
  assert (W : 0 < w) by (apply Rdiv_lt_0_compat; lra).
  pose proof (ramp_test deviation b w W) as T. specialize (close _ T).
  change (E standard_normal (fun z => ramp b w ((d_in + deviation * z) / deviation)) <=
    exp epsilon * E standard_normal (fun z => ramp b w ((0 + deviation * z) / deviation)) + delta) in close.
  assert (moved : forall x, test (O := GaussianPrivacy.line) (fun z => ramp b w ((x + deviation * z) / deviation))).
  { intro x. split; [apply (GaussianPrivacy.affine_observable (fun o => ramp b w (o / deviation)) x deviation), T |].
    intro. apply T. }
  pose proof (accepts_beyond _ (b - d_in / deviation) (moved d_in)) as U.
  pose proof (accepts_nothing_below _ (b - w) (moved 0)) as V.
  assert (U' : normal_tail (b - d_in / deviation) <=
    E standard_normal (fun z => ramp b w ((d_in + deviation * z) / deviation))).
  { apply U. intros z Z. apply ramp_ends; [exact W |].
    replace ((d_in + deviation * z) / deviation) with (d_in / deviation + z) by (field; lra). lra. }
  assert (V' : E standard_normal (fun z => ramp b w ((0 + deviation * z) / deviation)) <= normal_tail (b - w)).
  { apply V. intros z Z. apply ramp_ends; [exact W |].
    replace ((0 + deviation * z) / deviation) with z by (field; lra). exact Z. }
  pose proof (normal_tail_steepness b w ltac:(lra)) as near.
  assert (exp epsilon * normal_tail (b - w) <= exp epsilon * (normal_tail b + w)) by (apply Rmult_le_compat_l; lra).
  assert (exp epsilon * E standard_normal (fun z => ramp b w ((0 + deviation * z) / deviation)) <=
    exp epsilon * normal_tail (b - w)) by (apply Rmult_le_compat_l; lra).
  assert (exp epsilon * w = (normal_tail (b - d_in / deviation) - exp epsilon * normal_tail b - delta) / 2)
    by (unfold w; field; lra).
  lra.
Qed.

Section normal_noise_exceeds.
  Variables (log_weight : R -> R) (normaliser sigma d_in epsilon delta : R) (M : mechanism R GaussianPrivacy.line).
  Hypothesis weight_is_normal : forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2).
  Hypothesis noise : GaussianPrivacy.noise_of log_weight normaliser sigma M.
  Hypothesis d_in_positive : 0 < d_in.

  (* normal_noise, exactly: the claim is true if and only if delta is no less than the exact one *)
  Theorem normal_noise_exactly :
    private (fun x y => Rabs (x - y) <= d_in) M (approximate epsilon delta) <-> exact_delta sigma d_in epsilon <= delta.
  Proof.
    split.
    - intro close. apply exact_delta_is_needed; [apply (weight_is_normal 0) | exact d_in_positive |]. intros f F.
      rewrite <- !(GaussianPrivacy.noise_of_normal_weight log_weight normaliser sigma M) by (assumption || apply F).
      apply (close d_in 0); [| exact F]. rewrite Rminus_0_r, Rabs_pos_eq; lra.
    - intros small x y near. eapply weaken_approximate; [apply Rle_refl | exact small |].
      exact (GaussianPrivacy.normal_noise log_weight normaliser sigma d_in epsilon M weight_is_normal noise
        d_in_positive x y near).
  Qed.
  (* normal_noise_exceeds *)
  Theorem normal_noise_exceeds : delta < exact_delta sigma d_in epsilon ->
    ~ private (fun x y => Rabs (x - y) <= d_in) M (approximate epsilon delta).
  Proof. intros more close. apply normal_noise_exactly in close. lra. Qed.
End normal_noise_exceeds.
(* normal_noise_exceeds, under pure *)
Theorem normal_noise_exceeds_pure log_weight normaliser sigma d_in epsilon (M : mechanism R GaussianPrivacy.line) :
  (forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2)) ->
  GaussianPrivacy.noise_of log_weight normaliser sigma M -> 0 < d_in -> 0 < exact_delta sigma d_in epsilon ->
  ~ private (fun x y => Rabs (x - y) <= d_in) M (pure epsilon).
Proof. intros weight noise D more. apply (normal_noise_exceeds log_weight normaliser sigma); assumption. Qed.

(* gaussian_to_approximate: no smaller delta holds of every mechanism that is mu-Gaussian DP *)
Theorem gaussian_to_approximate_exactly mu_squared epsilon delta : 0 < mu_squared ->
  let mu := sqrt mu_squared in
  (forall (X : Type) (O : space) (near : X -> X -> Prop) (M : mechanism X O),
    private near M (GaussianPrivacy.gaussian mu_squared) -> private near M (approximate epsilon delta)) <->
  normal_tail (epsilon / mu - mu / 2) - exp epsilon * normal_tail (epsilon / mu + mu / 2) <= delta.
Proof.
  intros positive mu. assert (U : 0 < mu) by (apply sqrt_lt_R0, positive). split.
  - intro all. specialize (all R GaussianPrivacy.line (fun x y => Rabs (x - y) <= mu) (GaussianPrivacy.plus_normal 1)).
    assert (G : private (fun x y => Rabs (x - y) <= mu) (GaussianPrivacy.plus_normal 1) (GaussianPrivacy.gaussian
      mu_squared)).
    { replace mu_squared with (mu ^ 2 / 1 ^ 2) by (unfold mu; rewrite pow2_sqrt by lra; field).
      apply GaussianPrivacy.plus_normal_gaussian. lra. }
    specialize (all G mu 0). assert (N : Rabs (mu - 0) <= mu) by (rewrite Rminus_0_r, Rabs_pos_eq; lra).
    pose proof (exact_delta_is_needed 1 mu epsilon delta Rlt_0_1 U (all N)) as K. unfold exact_delta in K.
    replace (epsilon * 1 / mu - mu / (2 * 1)) with (epsilon / mu - mu / 2) in K by (field; lra).
    replace (epsilon * 1 / mu + mu / (2 * 1)) with (epsilon / mu + mu / 2) in K by (field; lra). exact K.
  - intros small X O near M G x y n. eapply weaken_approximate; [apply Rle_refl | exact small |].
    exact (GaussianPrivacy.gaussian_to_approximate near M mu_squared epsilon positive G x y n).
Qed.

(* ---- classical_noise ---- *)

(* Two bounds of the normal tail. *)
Lemma normal_tail_vanishes f : (forall x y, 0 < x -> x <= y -> f y <= f x) ->
  (forall low, 0 < low -> exists x, forall y, x <= y -> - low <= f y) -> forall x, 0 < x -> 0 <= f x.
Proof.
  intros falls vanishes x X. apply Rnot_lt_le. intro negative.
  destruct (vanishes (- f x / 2) ltac:(lra)) as [z far].
  pose proof (far (Rmax x z) (Rmax_r x z)). pose proof (falls x (Rmax x z) X (Rmax_l x z)). lra.
Qed.
Lemma bell_derive x : is_derive (fun x => exp (- (x * x) / 2)) x (- x * exp (- (x * x) / 2)).
Proof. auto_derive; [exact I | unfold Rdiv; field]. Qed.
Lemma normal_tail_half x : 0 <= x -> normal_tail x <= exp (- (x * x) / 2) / 2.
Proof.
  intro X. pose proof root_above_1 as R1. set (s := sqrt (2 * PI)) in *.
  pose (h x := exp (- (x * x) / 2) / 2 - normal_tail x).
  assert (D : forall x, is_derive h x (exp (- (x * x) / 2) * (/ s - x / 2))).
  { intro y. evar_last.
    - apply (is_derive_minus (fun x => exp (- (x * x) / 2) / 2) normal_tail);
        [| apply GaussianPrivacy.normal_tail_derive].
      apply (is_derive_ext (fun x => / 2 * exp (- (x * x) / 2))); [intro; apply Rmult_comm |].
      apply (is_derive_scal (fun x => exp (- (x * x) / 2)) y (/ 2)), bell_derive.
    - unfold minus, plus, opp, scal. simpl. unfold mult. simpl. unfold density, GaussianPrivacy.bell. fold s.
      field. lra. }
  assert (E : forall y, 0 < exp (- (y * y) / 2)) by (intro; apply exp_pos).
  assert (S : 0 < 2 / s) by (apply Rdiv_lt_0_compat; lra).
  assert (sign : forall y, (y <= 2 / s -> 0 <= / s - y / 2) /\ (2 / s <= y -> / s - y / 2 <= 0)).
  { intro y. replace (/ s) with (2 / s / 2) by (field; lra). split; lra. }
  enough (0 <= h x) by (unfold h in *; lra).
  destruct (Rle_lt_dec x (2 / s)) as [near | far].
  - apply Rle_trans with (h 0).
    + unfold h. rewrite GaussianPrivacy.normal_tail_0, Rmult_0_l, Ropp_0. unfold Rdiv at 2.
      rewrite Rmult_0_l, exp_0. lra.
    + apply (GaussianPrivacy.increases h (fun x => exp (- (x * x) / 2) * (/ s - x / 2))); [exact X | intros; apply D |].
      intros y Y. apply Rmult_le_pos; [left; apply E | apply sign; lra].
  - pose (g y := h (2 / s + y)). replace (h x) with (g (x - 2 / s)) by (unfold g; f_equal; ring).
    apply (normal_tail_vanishes g); [| | lra].
    + intros y z Y order. unfold g.
      apply (GaussianPrivacy.decreases h (fun x => exp (- (x * x) / 2) * (/ s - x / 2))); [lra | intros; apply D |].
      intros u U. destruct (sign u) as [_ less]. specialize (less ltac:(lra)). pose proof (E u).
      assert (exp (- (u * u) / 2) * (/ s - u / 2) <= exp (- (u * u) / 2) * 0) by (apply Rmult_le_compat_l; lra). lra.
    + intros low L. destruct (GaussianPrivacy.normal_tail_far low L) as (z & Z & small). exists z. intros y Y.
      unfold g, h. pose proof (small (2 / s + y) ltac:(lra)). pose proof (E (2 / s + y)). lra.
Qed.
Lemma normal_tail_at_least x : 0 < x -> x / (1 + x ^ 2) * density x <= normal_tail x.
Proof.
  pose (f x := normal_tail x - x / (1 + x ^ 2) * density x).
  assert (D : forall x, is_derive f x (- (2 / (1 + x ^ 2) ^ 2 * density x))).
  { intro y. pose proof (pow2_ge_0 y) as S. evar_last.
    - apply (is_derive_minus normal_tail (fun x => x / (1 + x ^ 2) * density x));
        [apply GaussianPrivacy.normal_tail_derive |].
      apply (is_derive_mult (fun x => x / (1 + x ^ 2)) density); [| apply GaussianPrivacy.density_derive | intros;
        apply Rmult_comm].
      instantiate (1 := (1 - y ^ 2) / (1 + y ^ 2) ^ 2). auto_derive; [simpl in *; lra | field; simpl in *; lra].
    - unfold minus, plus, opp. simpl. unfold mult. simpl. field. simpl in *. lra. }
  intro X. enough (0 <= f x) by (unfold f in *; lra). apply (normal_tail_vanishes f); [| | exact X].
  - intros y z Y order. apply (GaussianPrivacy.decreases f (fun x => - (2 / (1 + x ^ 2) ^ 2 * density x)));
      [exact order | intros; apply D |].
    intros u U. pose proof (pow2_ge_0 u) as S. pose proof (GaussianPrivacy.density_positive u) as P.
    assert (0 < 2 / (1 + u ^ 2) ^ 2) by (apply Rdiv_lt_0_compat; [lra | apply pow_lt; lra]).
    assert (0 <= 2 / (1 + u ^ 2) ^ 2 * density u) by (apply Rmult_le_pos; lra). lra.
  - intros low L. exists (1 + Rabs (2 * ln low)). intros y Y. pose proof (Rabs_pos (2 * ln low)).
    pose proof (pow2_ge_0 y) as S. pose proof (GaussianPrivacy.normal_tail_between y).
    pose proof (GaussianPrivacy.density_positive y) as P. destruct (density_at_most y) as [small _].
    assert (exp (- (y * y) / 2) <= low).
    { rewrite <- (exp_ln low L). apply exp_le. assert (y * 1 <= y * y) by (apply Rmult_le_compat_l; lra).
      pose proof (Rle_abs (- (2 * ln low))) as B. rewrite Rabs_Ropp in B. lra. }
    assert (y / (1 + y ^ 2) <= 1).
    { apply (Rmult_le_reg_r (1 + y ^ 2)); [lra |]. replace (y / (1 + y ^ 2) * (1 + y ^ 2)) with y by (field; lra).
      simpl in *. nra. }
    assert (y / (1 + y ^ 2) * density y <= 1 * density y) by (apply Rmult_le_compat_r; lra). unfold f. lra.
Qed.
(* Mills' ratio Q / phi falls by at most (b - a) / (1 + a^2). *)
Lemma mills_falls a b : 0 < a -> a <= b ->
  normal_tail a / density a - normal_tail b / density b <= (b - a) / (1 + a ^ 2).
Proof.
  intros A order. pose proof (pow2_ge_0 a) as SA.
  assert (K : normal_tail a / density a + a / (1 + a ^ 2) <= normal_tail b / density b + b / (1 + a ^ 2));
    [| unfold Rdiv in *; lra].
  apply (GaussianPrivacy.increases (fun x => normal_tail x / density x + x / (1 + a ^ 2))
    (fun x => (x * (normal_tail x / density x) - 1) + / (1 + a ^ 2))); [exact order | |].
  - intros x X. pose proof (GaussianPrivacy.density_positive x) as P.
    apply (is_derive_plus (fun x => normal_tail x / density x) (fun x => x / (1 + a ^ 2))).
    + evar_last; [apply (is_derive_div normal_tail density);
        [apply GaussianPrivacy.normal_tail_derive | apply GaussianPrivacy.density_derive | lra] |].
      simpl. field. lra.
    + auto_derive; [exact I | simpl in *; field; lra].
  - intros x X. pose proof (GaussianPrivacy.density_positive x) as P. pose proof (pow2_ge_0 x) as SX.
    pose proof (normal_tail_at_least x ltac:(lra)) as M.
    assert (ratio : x / (1 + x ^ 2) <= normal_tail x / density x).
    { apply (Rmult_le_reg_r (density x)); [exact P |].
      replace (normal_tail x / density x * density x) with (normal_tail x) by (field; lra). exact M. }
    apply (Rmult_le_compat_l x) in ratio; [| lra].
    replace (x * (x / (1 + x ^ 2))) with (1 - / (1 + x ^ 2)) in ratio by (field; lra).
    assert (/ (1 + x ^ 2) <= / (1 + a ^ 2)); [| lra]. apply Rinv_le_contravar; [lra |].
    assert (a ^ 2 <= x ^ 2) by (apply pow_incr; lra). lra.
Qed.

(* The calibration, and the obligations of refdp/spec/classical.py about a region of epsilon and delta. *)
Definition classical_deviation (constant d_in epsilon delta : R) : R :=
  d_in * sqrt (2 * ln (constant / delta)) / epsilon.
Definition elementary (constant largest_epsilon largest_delta : R) :=
  exp (largest_epsilon / 2) <= 2 * constant /\ largest_epsilon <= 4 * ln (constant / largest_delta).
Definition body (constant largest_epsilon largest_delta cut : R) := forall c epsilon,
  0 < epsilon -> epsilon <= largest_epsilon -> sqrt (2 * ln (constant / largest_delta)) <= c -> c <= cut ->
  exp (c ^ 2 / 2) * (normal_tail (c - epsilon / (2 * c)) - exp epsilon * normal_tail (c + epsilon / (2 * c))) <=
    constant.
Definition rise (largest_epsilon cut : R) := forall c epsilon, 0 < epsilon -> epsilon <= largest_epsilon -> cut <= c ->
  cut - largest_epsilon / (2 * cut) <= c - epsilon / (2 * c).
Definition tail (constant largest_epsilon cut : R) :=
  0 < cut - largest_epsilon / (2 * cut) /\
  exp (largest_epsilon / 2) * largest_epsilon <=
    constant * sqrt (2 * PI) * cut * (1 + (cut - largest_epsilon / (2 * cut)) ^ 2).

Section classical_noise.
  Variables constant largest_epsilon largest_delta : R.
  (* A region's largest delta is less than its constant. *)
  Hypothesis constant_larger : 0 < largest_delta < constant.
  Definition on_the_region : Prop := elementary constant largest_epsilon largest_delta \/
    exists cut, body constant largest_epsilon largest_delta cut /\ rise largest_epsilon cut /\
      tail constant largest_epsilon cut.

  Lemma delta_at c epsilon : 0 < c -> 0 < epsilon -> epsilon <= largest_epsilon ->
    sqrt (2 * ln (constant / largest_delta)) <= c -> on_the_region ->
    normal_tail (c - epsilon / (2 * c)) - exp epsilon * normal_tail (c + epsilon / (2 * c)) <=
    constant * exp (- (c ^ 2 / 2)).
  Proof.
    intros C N less from_least region. set (a := c - epsilon / (2 * c)). set (b := c + epsilon / (2 * c)).
    pose proof (exp_pos epsilon) as T. pose proof (exp_pos (- (c ^ 2 / 2))) as P.
    assert (log : 0 < ln (constant / largest_delta)).
    { rewrite <- ln_1. apply ln_increasing; [lra |]. apply (Rmult_lt_reg_r largest_delta); [lra |].
      replace (constant / largest_delta * largest_delta) with constant by (field; lra). lra. }
    assert (bell_a : exp (- (a * a) / 2) <= exp (largest_epsilon / 2) * exp (- (c ^ 2 / 2))).
    { rewrite <- exp_plus. apply exp_le. pose proof (Rle_0_sqr (epsilon / (2 * c))) as S. unfold Rsqr in S.
      replace (a * a) with (c ^ 2 - epsilon + epsilon / (2 * c) * (epsilon / (2 * c))) by (unfold a; field; lra). lra. }
    destruct region as [[half small] | (cut & inside & rises & positive & beyond)].
    - assert (A : 0 <= a).
      { pose proof (sqrt_pos (2 * ln (constant / largest_delta))) as S.
        assert (sq : sqrt (2 * ln (constant / largest_delta)) * sqrt (2 * ln (constant / largest_delta)) <= c * c)
          by (apply Rmult_le_compat; lra).
        rewrite sqrt_sqrt in sq by lra. unfold a. apply (Rmult_le_reg_r (2 * c)); [lra |].
        replace ((c - epsilon / (2 * c)) * (2 * c)) with (2 * (c * c) - epsilon) by (field; lra). lra. }
      pose proof (normal_tail_half a A) as Q. pose proof (GaussianPrivacy.normal_tail_between b) as B.
      assert (0 <= exp epsilon * normal_tail b) by (apply Rmult_le_pos; lra).
      apply (Rmult_le_compat_r (exp (- (c ^ 2 / 2)))) in half; lra.
    - assert (E0 : 0 < exp (largest_epsilon / 2)) by apply exp_pos.
      pose proof root_above_1 as R1. set (a_0 := cut - largest_epsilon / (2 * cut)) in *.
      pose proof (pow2_ge_0 a_0) as S0.
      assert (cut_positive : 0 < cut).
      { assert (left : 0 < exp (largest_epsilon / 2) * largest_epsilon) by (apply Rmult_lt_0_compat; lra).
        apply Rnot_le_lt. intro no.
        assert (0 <= constant * sqrt (2 * PI) * (1 + a_0 ^ 2)) by (repeat apply Rmult_le_pos; lra).
        assert (constant * sqrt (2 * PI) * (1 + a_0 ^ 2) * cut <= constant * sqrt (2 * PI) * (1 + a_0 ^ 2) * 0)
          by (apply Rmult_le_compat_l; assumption). lra. }
      destruct (Rle_lt_dec c cut) as [below | above].
      + pose proof (inside c epsilon N less from_least below) as K. fold a b in K.
        apply (Rmult_le_compat_r (exp (- (c ^ 2 / 2)))) in K; [| lra].
        rewrite (Rmult_comm (exp (c ^ 2 / 2))), Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0, Rmult_1_r in K. exact K.
      + pose proof (rises c epsilon N less ltac:(lra)) as A. fold a a_0 in A.
        assert (order : a <= b).
        { assert (0 < epsilon / (2 * c)) by (apply Rdiv_lt_0_compat; lra). unfold a, b. lra. }
        pose proof (GaussianPrivacy.density_positive a) as DA. pose proof (GaussianPrivacy.density_positive b) as DB.
        assert (same : exp epsilon * density b = density a).
        { unfold density, GaussianPrivacy.bell, Rdiv. rewrite <- Rmult_assoc, <- exp_plus. do 2 f_equal.
          unfold a, b. field. lra. }
        pose proof (mills_falls a b ltac:(lra) order) as M.
        replace (normal_tail a - exp epsilon * normal_tail b)
          with (density a * (normal_tail a / density a - normal_tail b / density b))
          by (rewrite <- same; field; lra).
        apply (Rmult_le_compat_l (density a)) in M; [| lra]. eapply Rle_trans; [exact M |].
        replace (b - a) with (epsilon / c) by (unfold a, b; field; lra).
        assert (ends : epsilon / c / (1 + a ^ 2) <= largest_epsilon / cut / (1 + a_0 ^ 2)).
        { assert (a_0 ^ 2 <= a ^ 2) by (apply pow_incr; lra). unfold Rdiv.
          repeat apply Rmult_le_compat; try (left; apply Rinv_0_lt_compat; lra); try lra.
          - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
          - apply Rinv_le_contravar; lra.
          - apply Rinv_le_contravar; lra. }
        apply (Rmult_le_compat_l (density a)) in ends; [| lra]. eapply Rle_trans; [exact ends |].
        assert (factor : 0 < largest_epsilon / cut / (1 + a_0 ^ 2)) by (repeat apply Rdiv_lt_0_compat; lra).
        apply Rle_trans with (exp (largest_epsilon / 2) * exp (- (c ^ 2 / 2)) / sqrt (2 * PI) *
          (largest_epsilon / cut / (1 + a_0 ^ 2))).
        * apply Rmult_le_compat_r; [lra |]. unfold density, GaussianPrivacy.bell.
          apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact bell_a].
        * assert (D0 : 0 < sqrt (2 * PI) * cut * (1 + a_0 ^ 2)) by (repeat apply Rmult_lt_0_compat; lra).
          apply (Rmult_le_reg_r (sqrt (2 * PI) * cut * (1 + a_0 ^ 2))); [exact D0 |].
          replace (exp (largest_epsilon / 2) * exp (- (c ^ 2 / 2)) / sqrt (2 * PI) *
            (largest_epsilon / cut / (1 + a_0 ^ 2)) * (sqrt (2 * PI) * cut * (1 + a_0 ^ 2)))
            with (exp (largest_epsilon / 2) * largest_epsilon * exp (- (c ^ 2 / 2))) by (field; lra).
          apply (Rmult_le_compat_r (exp (- (c ^ 2 / 2)))) in beyond; lra.
  Qed.

  Variables d_in epsilon delta : R.
  Hypothesis d_in_positive : 0 < d_in.
  Hypothesis epsilon_between : 0 < epsilon <= largest_epsilon.
  Hypothesis delta_between : 0 < delta <= largest_delta.

  Lemma classical_level : 0 < 2 * ln (constant / delta) /\
    sqrt (2 * ln (constant / largest_delta)) <= sqrt (2 * ln (constant / delta)).
  Proof.
    assert (P : 0 < constant / largest_delta) by (apply Rdiv_lt_0_compat; lra).
    assert (order : constant / largest_delta <= constant / delta).
    { apply Rmult_le_compat_l; [lra | apply Rinv_le_contravar; lra]. }
    assert (one : 1 < constant / largest_delta).
    { apply (Rmult_lt_reg_r largest_delta); [lra |].
      replace (constant / largest_delta * largest_delta) with constant by (field; lra). lra. }
    pose proof (Rcomplements.ln_le _ _ P order) as L. pose proof (ln_increasing 1 _ Rlt_0_1 one) as L'.
    rewrite ln_1 in L'. split; [lra | apply sqrt_le_1_alt; lra].
  Qed.
  Lemma classical_deviation_positive : 0 < classical_deviation constant d_in epsilon delta.
  Proof.
    destruct classical_level as [L _]. pose proof (sqrt_lt_R0 _ L).
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra.
  Qed.
  (* The exact delta is at most delta on the region. *)
  Lemma classical_delta : on_the_region ->
    exact_delta (classical_deviation constant d_in epsilon delta) d_in epsilon <= delta.
  Proof.
    intro region. destruct classical_level as [L least]. pose proof (sqrt_lt_R0 _ L) as C.
    set (c := sqrt (2 * ln (constant / delta))) in *.
    pose proof (delta_at c epsilon C (proj1 epsilon_between) (proj2 epsilon_between) least region) as K.
    unfold exact_delta, classical_deviation. fold c.
    replace (epsilon * (d_in * c / epsilon) / d_in) with c by (field; lra).
    replace (d_in / (2 * (d_in * c / epsilon))) with (epsilon / (2 * c)) by (field; lra).
    eapply Rle_trans; [exact K |]. right.
    replace (c ^ 2 / 2) with (ln (constant / delta))
      by (unfold c; simpl; rewrite Rmult_1_r, sqrt_sqrt by lra; field).
    rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; lra). field. lra.
  Qed.

  (* classical_noise: M sigma has the exact delta for every deviation sigma > 0; with sigma calibrated, and epsilon and
     delta in the region, it is (epsilon, delta)-DP. *)
  Theorem classical_noise {X : Type} {O : space} (near : R -> X -> X -> Prop) (M : R -> mechanism X O) :
    (forall sigma d_in epsilon, 0 < sigma -> 0 < d_in ->
      private (near d_in) (M sigma) (approximate epsilon (exact_delta sigma d_in epsilon))) ->
    on_the_region ->
    private (near d_in) (M (classical_deviation constant d_in epsilon delta)) (approximate epsilon delta).
  Proof.
    intros exact region x y n. eapply weaken_approximate; [apply Rle_refl | apply classical_delta, region |].
    apply exact; [exact classical_deviation_positive | exact d_in_positive | exact n].
  Qed.
End classical_noise.

(* The classical constant 5/4, for epsilon up to 2 ln(5/2) and delta up to 1/2. *)
Example classical_noise_5_4 d_in epsilon delta : 0 < d_in -> 0 < epsilon <= 2 * ln (5 / 2) -> 0 < delta <= 1 / 2 ->
  private (fun x y => Rabs (x - y) <= d_in)
    (GaussianPrivacy.plus_normal (classical_deviation (5 / 4) d_in epsilon delta)) (approximate epsilon delta).
Proof.
  intros D N S.
  apply (classical_noise (5 / 4) (2 * ln (5 / 2)) (1 / 2) ltac:(lra) d_in epsilon delta D N S
    (fun d_in x y => Rabs (x - y) <= d_in) GaussianPrivacy.plus_normal).
  - intros sigma d e P Q. apply (GaussianPrivacy.normal_noise
      (fun z => - z ^ 2 / (2 * sigma ^ 2)) (sigma * sqrt (2 * PI)));
      [split; [exact P | reflexivity] | | exact Q].
    apply GaussianPrivacy.plus_normal_is_noise. split; [exact P | reflexivity].
  - left. split.
    + replace (2 * ln (5 / 2) / 2) with (ln (5 / 2)) by field. rewrite exp_ln by lra. lra.
    + replace (5 / 4 / (1 / 2)) with (5 / 2) by field. pose proof (ln_increasing 1 (5 / 2) Rlt_0_1 ltac:(lra)) as L.
      rewrite ln_1 in L. lra.
Qed.

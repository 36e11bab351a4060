(* Noise in accounts, and Gaussian DP.

   The pair of two normal laws dominates what is told apart no better than they are; and that of log-concave noise on a
   grid and the same moved by some steps dominates it moved by fewer. *)
From Coq Require Import Reals Lra Lia List ZArith Permutation FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Tables Rounds Sampling Optimal Accounts.
From Refdp Require GaussianPrivacy Grid Noise GridNoise Definitions General.
Import GaussianPrivacy.
Import ListNotations.
Open Scope R_scope.

Section normal_pair.
  Variable mu : R.
  (* The share of N(mu, 1) in it and N(0, 1): their densities are as e^(mu z - mu^2 / 2) to 1. *)
  Definition normal_share (z : R) : R := / (1 + exp (mu * mu / 2 - mu * z)).
  Lemma normal_share_between z : 0 <= normal_share z <= 1.
  Proof.
    unfold normal_share. pose proof (exp_pos (mu * mu / 2 - mu * z)). split; [left; apply Rinv_0_lt_compat; lra |].
    rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  Qed.
  Lemma normal_share_observable : observable (s := line) normal_share.
  Proof.
    split; [exists 1; intro z; pose proof (normal_share_between z); lra |].
    apply derivable_continuous. intro z. unfold normal_share. eexists. apply is_derive_Reals.
    auto_derive; [| reflexivity]. pose proof (exp_pos (mu * mu / 2 + - (mu * z))). lra.
  Qed.
  Lemma normal_share_mirrored z : 1 - normal_share (mu + 1 * z) = normal_share (0 + -1 * z).
  Proof.
    unfold normal_share. set (w := mu * mu / 2 - mu * (mu + 1 * z)).
    replace (mu * mu / 2 - mu * (0 + -1 * z)) with (- w) by (unfold w; field).
    rewrite exp_Ropp. pose proof (exp_pos w). field. lra.
  Qed.
  Lemma normal_share_densities z : (1 - normal_share z) * density (z - mu) = normal_share z * density z.
  Proof.
    rewrite density_shifted. unfold normal_share. set (w := mu * mu / 2 - mu * z).
    replace (mu * z - mu * mu / 2) with (- w) by (unfold w; ring). rewrite exp_Ropp. pose proof (exp_pos w). field.
    lra.
  Qed.

  Lemma shifted_at_most (f : R -> R) c n : continuity f -> (forall z, 0 <= f z <= c) -> 0 <= mu -> mu <= INR n ->
    partial (fun z => (1 - normal_share (mu + 1 * z)) * f (mu + 1 * z)) n <=
    partial (fun z => normal_share z * f z) n + c * normal_tail (INR n).
  Proof.
    intros F B U high. pose proof (proj2 normal_share_observable) as S.
    pose (k := fun z => normal_share z * f z). assert (K : continuity k) by (apply continuity_mult; assumption).
    assert (KB : forall z, 0 <= k z <= c).
    { intro z. specialize (B z). pose proof (normal_share_between z). unfold k.
      split; [apply Rmult_le_pos; lra |]. rewrite <- (Rmult_1_l c). apply Rmult_le_compat; lra. }
    pose (low := - INR n + mu). pose (top := INR n + mu).
    assert (KD : forall x y, ex_RInt (fun z => k z * density z) x y).
    { intros. apply integrable. intros. apply weighed_continuous; auto using density_continuity. }
    assert (shift : partial (fun z => (1 - normal_share (mu + 1 * z)) * f (mu + 1 * z)) n =
      RInt (fun z => k z * density z) low top).
    { transitivity (RInt (fun z => k z * density z) (1 * - INR n + mu) (1 * INR n + mu));
        [| f_equal; unfold low, top; ring].
      rewrite <- (RInt_comp_lin (V := R_CompleteNormedModule) (fun z => k z * density z) 1 mu) by apply KD.
      unfold partial. apply RInt_ext. intros z _. unfold scal. simpl. unfold mult. simpl.
      pose proof (normal_share_densities (mu + 1 * z)) as same. replace (mu + 1 * z - mu) with z in same by ring.
      unfold k. replace (1 * z + mu) with (mu + 1 * z) by ring.
      match goal with |- ?a = ?b => change (@eq R a b) end.
      transitivity (f (mu + 1 * z) * ((1 - normal_share (mu + 1 * z)) * density z)); [ring |]. rewrite same. ring. }
    assert (P : forall z, 0 <= k z * density z).
    { intro z. apply Rmult_le_pos; [apply KB | left; apply density_positive]. }
    rewrite shift. unfold partial. fold k.
    change (RInt (fun z => normal_share z * f z * density z)) with (RInt (fun z => k z * density z)).
    rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ (- INR n) low (INR n)) by apply KD.
    rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ low (INR n) top) by apply KD.
    pose proof (RInt_ge_0 (fun z => k z * density z) (- INR n) low ltac:(unfold low; lra) (KD _ _) (fun z _ => P z)).
    assert (RInt (fun z => k z * density z) (INR n) top <= c * normal_tail (INR n)).
    { apply Rle_trans with (RInt (fun z => c * density z) (INR n) top).
      - apply integral_monotone; [unfold top; lra | | |].
        + intro z. apply weighed_continuous; auto using density_continuity.
        + intro z. apply (weighed_continuous (fun _ => c)); auto using constant_continuity, density_continuity.
        + intros z _. apply Rmult_le_compat_r; [left; apply density_positive | apply KB].
      - rewrite (integral_by (fun z => - (c * normal_tail z))).
        + pose proof (normal_tail_between top). specialize (B 0).
          assert (0 <= c * normal_tail top) by (apply Rmult_le_pos; lra). lra.
        + intro z. evar_last; [apply (is_derive_opp (fun z => c * normal_tail z)),
            (is_derive_scal normal_tail z c), normal_tail_derive |]. unfold opp. simpl. ring.
        + intro z. apply (weighed_continuous (fun _ => c)); auto using constant_continuity, density_continuity. }
    unfold plus. simpl. lra.
  Qed.

  Lemma shares_at_most (f : line -> R) c : 0 <= mu -> observable f -> (forall z, 0 <= f z <= c) ->
    E (plus_normal 1 mu) (fun z => (1 - normal_share z) * f z) <= E (plus_normal 1 0) (fun z => normal_share z * f z).
  Proof.
    intros U F B.
    assert (A1 : observable (s := line) (fun z => (1 - normal_share z) * f z)).
    { apply Definitions.observable_product; [| exact F].
      apply observable_difference; [apply observable_constant | apply normal_share_observable]. }
    assert (A2 : observable (s := line) (fun z => normal_share z * f z)).
    { apply Definitions.observable_product; [apply normal_share_observable | exact F]. }
    pose proof (affine_observable _ mu 1 A1) as [B1 C1].
    pose proof (partial_converges _ B1 C1) as L. pose proof (partial_converges _ (proj1 A2) (proj2 A2)) as L'.
    assert (K : is_lim_seq (fun n => partial (fun z => normal_share z * f z) n + c * normal_tail (INR n))
      (Finite (real (Lim_seq (partial (fun z => normal_share z * f z))) + c * 0))).
    { apply is_lim_seq_plus'; [exact L' | apply (is_lim_seq_scal_l _ c (Finite _) tail_vanishes)]. }
    assert (order : real (Lim_seq (partial (fun z => (1 - normal_share (mu + 1 * z)) * f (mu + 1 * z)))) <=
      real (Lim_seq (partial (fun z => normal_share z * f z))) + c * 0).
    { apply (is_lim_seq_le_loc _ _ _ _) with (2 := L) (3 := K).
      destruct (INR_unbounded mu) as [N high]. exists N. intros n later. apply le_INR in later.
      apply shifted_at_most; [apply F | exact B | exact U | lra]. }
    change (E (plus_normal 1 mu) (fun z => (1 - normal_share z) * f z)) with
      (real (Lim_seq (partial (fun z => (1 - normal_share (mu + 1 * z)) * f (mu + 1 * z))))).
    replace (E (plus_normal 1 0) (fun z => normal_share z * f z)) with
      (real (Lim_seq (partial (fun z => normal_share z * f z)))); [lra |].
    simpl. do 3 f_equal. extensionality z. replace (0 + 1 * z) with z by ring. reflexivity.
  Qed.

  Lemma normal_shares : 0 <= mu -> is_share (plus_normal 1 mu) (plus_normal 1 0) normal_share.
  Proof.
    intro U. split; [exact normal_share_observable |]. split; [exact normal_share_between |].
    intros f [F N]. destruct (observable_bounded line f F) as [c B].
    pose proof normal_share_observable as S.
    assert (R : observable (s := line) (fun z => 1 - normal_share z)).
    { apply observable_difference; [apply observable_constant | exact S]. }
    assert (A1 : observable (s := line) (fun z => (1 - normal_share z) * f z)) by
      (apply Definitions.observable_product; assumption).
    assert (A2 : observable (s := line) (fun z => normal_share z * f z)) by
      (apply Definitions.observable_product; assumption).
    apply Rle_antisym; [apply (shares_at_most f c U F); intro z; split; [apply N | apply B] |].
    assert (G : observable (s := line) (fun z => c - f z)).
    { apply observable_difference; [apply observable_constant | exact F]. }
    pose proof (shares_at_most (fun z => c - f z) c U G) as K.
    assert (GB : forall z, 0 <= c - f z <= c) by (intro z; specialize (B z); specialize (N z); lra).
    specialize (K GB).
    assert (split1 : E (plus_normal 1 mu) (fun z => (1 - normal_share z) * (c - f z)) =
      c * E (plus_normal 1 mu) (fun z => 1 - normal_share z) -
      E (plus_normal 1 mu) (fun z => (1 - normal_share z) * f z)).
    { rewrite <- E_multiple by exact R. rewrite <- E_difference by (exact A1 || apply observable_multiple, R).
      f_equal. extensionality z. ring. }
    assert (split2 : E (plus_normal 1 0) (fun z => normal_share z * (c - f z)) =
      c * E (plus_normal 1 0) normal_share - E (plus_normal 1 0) (fun z => normal_share z * f z)).
    { rewrite <- E_multiple by exact S. rewrite <- E_difference by (exact A2 || apply observable_multiple, S).
      f_equal. extensionality z. ring. }
    assert (same : E (plus_normal 1 mu) (fun z => 1 - normal_share z) = E (plus_normal 1 0) normal_share).
    { change (E standard_normal (fun z => 1 - normal_share (mu + 1 * z)) =
        E standard_normal (fun z => normal_share (0 + 1 * z))).
      replace (fun z : line => 1 - normal_share (mu + 1 * z)) with (fun z : line => normal_share (0 + -1 * z))
        by (extensionality z; symmetry; apply normal_share_mirrored).
      replace (fun z : line => normal_share (0 + 1 * z)) with normal_share
        by (extensionality z; f_equal; ring).
      apply (reflected_normal normal_share S). }
    cbv beta in K. rewrite split1, split2, same in K. lra.
  Qed.
End normal_pair.

(* (N(mu, 1), N(0, 1)) *)
Definition gaussian_pair (mu : R) (U : 0 <= mu) : pair :=
  of_laws (plus_normal 1 mu) (plus_normal 1 0) (normal_share mu) (normal_shares mu U).

(* What it has at t > 0. *)
Lemma normal_is_told_apart mu : 0 < mu -> told_apart mu (plus_normal 1 mu) (plus_normal 1 0).
Proof.
  intro U. pose proof (plus_normal_gaussian 1 mu ltac:(lra) mu 0) as K. unfold gaussian in K.
  replace (mu ^ 2 / 1 ^ 2) with (mu ^ 2) in K by field. rewrite sqrt_pow2 in K by lra. apply K.
  rewrite Rminus_0_r, Rabs_pos_eq; lra.
Qed.
Theorem hockey_stick_gaussian mu (U : 0 <= mu) t : 0 < mu -> 0 < t ->
  hockey_stick [gaussian_pair mu U] t = GaussianPrivacy.profile mu t.
Proof.
  intros M T. apply Rle_antisym.
  - apply (of_laws_least (plus_normal 1 mu) (plus_normal 1 0)); [lra |]. intros f F.
    pose proof (told_apart_within _ _ mu t M T (normal_is_told_apart mu M) f F). lra.
  - assert (K : approximate (ln t) (hockey_stick [gaussian_pair mu U] t) (plus_normal 1 mu) (plus_normal 1 0)).
    { intros f F. rewrite exp_ln by exact T.
      pose proof (of_laws_dominated _ _ _ (normal_shares mu U) f F t ltac:(lra)) as K.
      fold (gaussian_pair mu U) in K. lra. }
    apply GridNoise.exact_delta_is_needed in K; [| lra | exact M]. unfold GridNoise.exact_delta in K.
    rewrite exp_ln in K by exact T. unfold GaussianPrivacy.profile.
    replace (ln t * 1 / mu) with (ln t / mu) in K by (field; lra).
    replace (mu / (2 * 1)) with (mu / 2) in K by field. exact K.
Qed.
(* Gaussian DP, in each order. *)
Theorem dominated_gaussian mu_squared (U : 0 <= sqrt mu_squared) {O : space} (p q : law O) : 0 < mu_squared ->
  gaussian mu_squared p q -> dominated (gaussian_pair (sqrt mu_squared) U) p q.
Proof.
  intros positive H f F t [T | <-].
  - pose proof (sqrt_lt_R0 _ positive) as M. rewrite hockey_stick_gaussian by assumption.
    pose proof (told_apart_within p q _ t M T H f F). lra.
  - pose proof (apart_at_least (gaussian_pair (sqrt mu_squared) U) 1 0
      (whole_of_laws _ _ _ (normal_shares _ U)) ltac:(lra) ltac:(lra)) as K.
    pose proof (E_test p f F). unfold hockey_stick. lra.
Qed.

Lemma root_nonnegative : 0 <= sqrt 1.
Proof. apply sqrt_pos. Qed.
Definition noise_pair : pair := gaussian_pair (sqrt 1) root_nonnegative.
Lemma noise_dominated {X : Type} (near : X -> X -> Prop) (bit : X -> bool) :
  private near (fun x => plus_normal 1 (if bit x then 1 else 0)) (dominated noise_pair).
Proof.
  intros x y _. apply (dominated_gaussian 1 root_nonnegative); [lra |].
  pose proof (plus_normal_gaussian 1 1 ltac:(lra) (if bit x then 1 else 0) (if bit y then 1 else 0)) as K.
  replace (1 ^ 2 / 1 ^ 2) with 1 in K by field. apply K.
  destruct (bit x), (bit y); unfold Rabs; destruct (Rcase_abs _); lra.
Qed.
(* An answer of odds 3 and another pair have at ln 3 three quarters of what that has at 0, and a quarter of what it has
   at ln 9. *)
Lemma response_and_another P : hockey_stick [response_pair (ln 3) 0; P] 3 =
  3 / 4 * hockey_stick [P] 1 + 1 / 4 * hockey_stick [P] 9.
Proof.
  unfold hockey_stick. destruct (profile_apart [P]) as [steepness H].
  change (apart [response_pair (ln 3) 0; P] 1 3) with
    (mass (response_pair (ln 3) 0) (fun s => apart [P] (1 * share (response_pair (ln 3) 0) s)
      (3 * (1 - share (response_pair (ln 3) 0) s)))).
  unfold response_pair. rewrite (over_finite (apart [P]) _ 1 3 (fun c a b => profile_multiple H c a b))
    by (lra || (apply response_weighty; lra)).
  unfold response_weights. rewrite exp_ln by lra. unfold over. cbn [fold_right fst snd].
  rewrite !(Rmult_0_r 1), !(Rmult_0_r 3), !(profile_nothing H 0) by lra.
  rewrite <- !(profile_multiple H) by lra.
  replace (1 * ((1 - 0) * (3 / (1 + 3)))) with (3 / 4 * 1) by field.
  replace (3 * ((1 - 0) * (1 / (1 + 3)))) with (3 / 4 * 1) by field.
  replace (1 * ((1 - 0) * (1 / (1 + 3)))) with (1 / 4 * 1) by field.
  replace (3 * ((1 - 0) * (3 / (1 + 3)))) with (1 / 4 * 9) by field. ring.
Qed.
Lemma answer_and_noise_apart : hockey_stick [response_pair (ln 3) 0; noise_pair] (exp (ln 3)) <=
  3 / 4 * GaussianPrivacy.profile 1 1 + 1 / 4 * GaussianPrivacy.profile 1 9.
Proof.
  rewrite exp_ln, response_and_another by lra. unfold noise_pair.
  rewrite !hockey_stick_gaussian by (rewrite ?sqrt_1; lra). rewrite sqrt_1. lra.
Qed.
(* A bit is told with probability 3/4, else its opposite, and independently with normal noise. *)
Example answer_beside_noise_accounted : private anything
    (fun bit : bool => both (answered bit) (always (plus_normal 1 (if bit then 1 else 0))))
    (approximate (ln 3) (3 / 4 * GaussianPrivacy.profile 1 1 + 1 / 4 * GaussianPrivacy.profile 1 9)).
Proof.
  intros x y n. apply (dominated_by_is_approximate ([response_pair (ln 3) 0] ++ [noise_pair]));
    [| exact answer_and_noise_apart].
  revert x y n. apply (account_drawn anything General.both_told answered (fun bit : bool => plus_normal 1
    (if bit then 1 else 0))).
  - apply General.independent_both.
  - apply (answered_dominated anything (fun bit => bit)).
  - apply (noise_dominated anything (fun bit => bit)).
Qed.
(* The same where the answer says whether the bit or its opposite is told with noise. *)
Definition told_with_noise (bit yes : bool) : law (product line (plain unit)) :=
  both (plus_normal 1 (if xorb bit yes then 1 else 0)) (regardless (certain (O := plain unit) tt)
    (nothing_integrates line)).
Example answer_then_noise_accounted : private anything
    (fun bit => both (answered bit) (plain_kernel (told_with_noise bit)))
    (approximate (ln 3) (3 / 4 * GaussianPrivacy.profile 1 1 + 1 / 4 * GaussianPrivacy.profile 1 9)).
Proof.
  apply (account_rounds anything [[response_pair (ln 3) 0]; [noise_pair]]); [| exact answer_and_noise_apart].
  apply (next_round anything (fun all => @dominated_by all) [response_pair (ln 3) 0] [[noise_pair]]
    (plain bool) _ answered
    (fun bit => plain_kernel (told_with_noise bit))).
  - apply (answered_dominated anything (fun bit => bit)).
  - intro yes. apply (next_round anything (fun all => @dominated_by all) [noise_pair] [] line (plain unit)
      (fun bit : bool => plus_normal 1 (if xorb bit yes then 1 else 0))
      (fun _ => regardless (certain (O := plain unit) tt) (nothing_integrates line))).
    + apply (noise_dominated anything (fun bit => xorb bit yes)).
    + intro o. apply (nothing_more anything (fun all => @dominated_by all) (plain unit) (certain (O
        := plain unit) tt)).
Qed.

(* How many rows a Poisson sample of rate 1/2 has, told with normal noise of deviation 1: at ln 2 half of what the
   noise has at ln 3; in the other order nothing. *)
Definition count_with_noise (x : table nat) : law line := plus_normal 1 (INR (length x)).
Lemma count_dominated : private (a_row_more any_row) count_with_noise (dominated noise_pair).
Proof.
  intros x y (_ & _ & differ). apply (dominated_gaussian 1 root_nonnegative); [lra |].
  pose proof (plus_normal_gaussian 1 1 ltac:(lra) (INR (length x)) (INR (length y))) as K.
  replace (1 ^ 2 / 1 ^ 2) with 1 in K by field. apply K.
  destruct differ as [same | [r more]]; [rewrite (Permutation_length same) | rewrite (Permutation_length more)].
  - rewrite Rminus_eq_0, Rabs_R0. lra.
  - simpl length. rewrite S_INR. apply Rabs_le. lra.
Qed.
Lemma half_of_them : 0 < / 2 <= 1.
Proof. lra. Qed.
Example sampled_count_accounted : private (restricted (table_of any_row) (symmetric 1))
    (on_poisson_sample (/ 2) one_half count_with_noise) (approximate (ln 2) (1 / 2 * GaussianPrivacy.profile 1 3)).
Proof.
  pose proof (whole_of_laws _ _ _ (normal_shares (sqrt 1) root_nonnegative)) as W.
  destruct (sampled_dominated any_row (/ 2) one_half count_with_noise) with (P := noise_pair) (some := half_of_them)
    as [one other]; [| exact W | exact count_dominated |].
  { intros x y _ _ same f F. unfold count_with_noise. rewrite (Permutation_length same). reflexivity. }
  assert (value : apart [noise_pair] (/ 2) (/ 2 * 3) = 1 / 2 * GaussianPrivacy.profile 1 3).
  { destruct (profile_apart [noise_pair]) as [steepness H].
    rewrite <- (Rmult_1_r (/ 2)) at 1. rewrite (profile_multiple H) by lra.
    change (apart [noise_pair] 1 3) with (hockey_stick [noise_pair] 3). unfold noise_pair.
    rewrite hockey_stick_gaussian by (rewrite ?sqrt_1; lra). rewrite sqrt_1. lra. }
  intros x y near. destruct (one_edit_in_order any_row x y near) as [more | less].
  - apply (dominated_by_is_approximate [sampled (/ 2) half_of_them noise_pair]); [apply one, more |].
    rewrite exp_ln, hockey_stick_sampled by lra. rewrite <- value. right. f_equal; field.
  - apply (dominated_by_is_approximate [reversed (sampled (/ 2) half_of_them noise_pair)]); [apply other, less |].
    rewrite exp_ln, hockey_stick_sampled_reversed by lra.
    destruct (profile_apart [reversed noise_pair]) as [steepness H].
    replace (1 - 2 * (1 - / 2)) with 0 by field. rewrite (profile_nothing H) by lra. rewrite <- value.
    apply apart_nonnegative; lra.
Qed.

(* ---- Noise on a grid ---- *)

(* The pair of log-concave noise and the same moved by some steps dominates it moved by fewer, in each order. *)
Section grid_pair.
  Variables (log_weight : R -> R) (granularity : R).
  Hypothesis granularity_positive : 0 < granularity.
  Hypothesis concave : GridNoise.weights_are_log_concave log_weight granularity.
  Variable sums : Grid.summable (Noise.grid_weight log_weight granularity).
  Let noisy := Noise.add_noise log_weight granularity sums.
  Variable steps : Z.
  Let far := IZR steps * granularity.

  Definition grid_share (z : R) : R := / (1 + exp (log_weight z - log_weight (z - far))).
  Lemma grid_share_between z : 0 <= grid_share z <= 1.
  Proof.
    unfold grid_share. pose proof (exp_pos (log_weight z - log_weight (z - far))).
    split; [left; apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  Qed.
  Lemma grid_shares : is_share (noisy far) (noisy 0) grid_share.
  Proof.
    split; [exists 1; intro z; pose proof (grid_share_between z); lra |]. split; [exact grid_share_between |].
    intros f [[c C] _]. unfold noisy. rewrite !Noise.add_noise_at. f_equal.
    set (weight := Noise.grid_weight log_weight granularity).
    pose (a := fun k : Z => (1 - grid_share (IZR k * granularity)) * f (IZR k * granularity) * weight (k + - steps)%Z).
    assert (A : Grid.summable a).
    { apply (Grid.summable_bounded_times
        (fun k => (1 - grid_share (IZR k * granularity)) * f (IZR k * granularity))).
      - exists (Rabs c). intro k. specialize (C (IZR k * granularity)).
        pose proof (grid_share_between (IZR k * granularity)).
        pose proof (Rle_abs c) as up. apply Rabs_le_between. rewrite Rabs_mult.
        rewrite <- (Rmult_1_l (Rabs c)). apply Rmult_le_compat; try apply Rabs_pos; [apply Rabs_le; lra |].
        apply Rabs_le. lra.
      - apply (Grid.summable_moved (- steps) weight), sums. }
    transitivity (Grid.total a).
    - rewrite <- (Grid.total_moved steps a A). apply Grid.total_same. intro k. unfold a, far.
      replace (IZR (k + steps) * granularity) with (IZR steps * granularity + IZR k * granularity)
        by (rewrite plus_IZR; ring).
      do 2 f_equal. lia.
    - apply Grid.total_same. intro k. unfold a. rewrite Rplus_0_l. set (z := IZR k * granularity).
      assert (moved : weight (k + - steps)%Z = exp (log_weight (z - far))).
      { unfold weight, Noise.grid_weight, z, far. rewrite plus_IZR, opp_IZR. do 2 f_equal. ring. }
      rewrite moved. unfold weight, Noise.grid_weight. fold z. unfold grid_share.
      replace (exp (log_weight z)) with (exp (log_weight z - log_weight (z - far)) * exp (log_weight (z - far)))
        by (rewrite <- exp_plus; f_equal; ring).
      pose proof (exp_pos (log_weight z - log_weight (z - far))). field. lra.
  Qed.
  Definition grid_pair : pair := of_laws (noisy far) (noisy 0) grid_share grid_shares.

  Theorem dominated_grid_noise d_in : far <= d_in < (IZR steps + 1) * granularity ->
    private (Noise.absolute granularity d_in) noisy (dominated grid_pair).
  Proof.
    intro farthest. pose proof (whole_of_laws _ _ _ grid_shares) as W. fold grid_pair in W.
    assert (half_lines : forall start, test (O := plain R) (fun o => if Rle_dec
      (IZR start * granularity) o then 1 else 0)).
    { intro start. split; [exists 1 |]; intro o; destruct (Rle_dec _ _); lra. }
    assert (values : forall start,
      E (noisy far) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0) =
        GridNoise.tail_sum log_weight granularity (start - steps) / Grid.total
          (Noise.grid_weight log_weight granularity) /\
      E (noisy 0) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0) =
        GridNoise.tail_sum log_weight granularity start / Grid.total (Noise.grid_weight log_weight granularity)).
    { intro start.
      pose proof (GridNoise.half_line_event log_weight granularity granularity_positive concave sums start) as K.
      destruct (K steps) as [_ there]. destruct (K 0%Z) as [_ here].
      rewrite Rmult_0_l, Z.sub_0_r in here. split; [exact there | exact here]. }
    assert (own : dominated grid_pair (noisy far) (noisy 0)) by apply of_laws_dominated.
    assert (back : dominated (reversed grid_pair) (noisy 0) (noisy far)) by (apply dominated_reversed; assumption).
    assert (enough : forall t delta, 1 <= t -> 0 <= delta ->
      (forall start, GridNoise.half_line_delta log_weight granularity steps (ln t) start <= delta) ->
      private (Noise.absolute granularity d_in) noisy (within t delta)).
    { intros t delta T D no_worse. rewrite <- (exp_ln t) by lra.
      apply (GridNoise.no_half_line_suffices log_weight granularity granularity_positive concave sums steps d_in
        (ln t) delta);
        try assumption.
      rewrite <- ln_1. destruct T as [T | <-]; [left; apply ln_increasing; lra | lra]. }
    assert (delta_of : forall t start, 1 <= t -> GridNoise.half_line_delta log_weight granularity steps (ln t) start =
      E (noisy far) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0) -
      t * E (noisy 0) (fun o => if Rle_dec (IZR start * granularity) o then 1 else 0)).
    { intros t start T. destruct (values start) as [-> ->]. unfold GridNoise.half_line_delta. rewrite exp_ln by lra.
      unfold Rdiv. ring. }
    intros x y near.
    assert (near' : Noise.absolute granularity d_in y x).
    { destruct near as (X & Y & near). repeat split; try assumption. rewrite Rabs_minus_sym. exact near. }
    apply dominated_from_one; [exact W | |].
    - intros f F t T.
      pose proof (enough t (hockey_stick [grid_pair] t) T
        (apart_nonnegative [grid_pair] 1 t ltac:(lra) ltac:(lra))) as K.
      specialize (K ltac:(intro start; rewrite delta_of by exact T; apply own;
        [apply half_lines | lra]) x y near f F). lra.
    - intros f F t T.
      pose proof (enough t (hockey_stick [reversed grid_pair] t) T
        (apart_nonnegative [reversed grid_pair] 1 t ltac:(lra) ltac:(lra))) as K.
      assert (no_worse : forall start, GridNoise.half_line_delta log_weight granularity steps (ln t) start <=
        hockey_stick [reversed grid_pair] t).
      { intro start. rewrite delta_of by exact T.
        pose proof (half_lines start) as L. set (g := fun o : plain R => if Rle_dec
          (IZR start * granularity) o then 1 else 0) in *.
        pose proof (GridNoise.noisy_mirrored log_weight granularity concave sums far 0 g L) as M.
        pose proof (GridNoise.noisy_mirrored log_weight granularity concave sums 0 far g L) as M'.
        fold noisy in M, M'. replace (0 + far) with (far + 0) in M' by ring. rewrite M, M'.
        assert (L' : test (O := plain R) (fun o => g (far + 0 - o))).
        { split; [exists 1; intro o; pose proof (proj2 L (far + 0 - o)); lra | intro o; apply L]. }
        apply (back _ L' t). lra. }
      specialize (K no_worse y x near' f F). lra.
  Qed.
End grid_pair.

(* A bit is told with probability 3/4, else its opposite, and independently with discrete Laplace noise of scale 1: at
   ln 3 three quarters of what the noise alone has at 0. *)
Definition two_sided (z : R) : R := - Rabs z.
Lemma two_sided_concave : GridNoise.weights_are_log_concave two_sided 1.
Proof. intros k j K J. unfold two_sided. rewrite !Rmult_1_r, Rabs_Ropp, !Rabs_pos_eq by lra. repeat split; lra. Qed.
Definition two_sided_sums := GridNoise.log_concave_summable two_sided 1 two_sided_concave.
Definition whole_noise : mechanism R (plain R) := Noise.add_noise two_sided 1 two_sided_sums.
Definition whole_noise_pair : pair := grid_pair two_sided 1 two_sided_sums 1.
Definition loud (bit : bool) : law (plain R) := whole_noise (if bit then 1 else 0).
Definition delta_of_a_step (t : R) : R := GridNoise.half_line_delta two_sided 1 1 (ln t) 1.
Lemma whole_noise_apart :
  hockey_stick [whole_noise_pair] 1 <= delta_of_a_step 1 /\ hockey_stick [whole_noise_pair] 9 <= 0.
Proof.
  assert (near : Noise.absolute 1 1 (1 * 1) 0).
  { repeat split; [exists 1%Z; simpl; ring | exists 0%Z; simpl; ring |]. rewrite Rmult_1_r, Rminus_0_r, Rabs_R1. lra. }
  split; apply of_laws_least; try lra; intros f F.
  - pose proof (GridNoise.grid_noise two_sided 1 ltac:(lra) two_sided_concave two_sided_sums 1 1 0
      (delta_of_a_step 1) 1) as K.
    unfold delta_of_a_step in K. rewrite ln_1 in K.
    assert (first : GridNoise.first_exceeding two_sided 1 1 0 1).
    { unfold GridNoise.first_exceeding, GridNoise.loss_at, two_sided. simpl.
      rewrite !Rmult_1_r, Rabs_R0, Rabs_R1. replace (-1) with (- (1)) by ring. rewrite Rabs_Ropp, Rabs_R1. lra. }
    specialize (K ltac:(lia) ltac:(lra) ltac:(lra) first ltac:(lra) _ _ near f F). rewrite exp_0 in K.
    unfold delta_of_a_step. rewrite ln_1. fold whole_noise in K. unfold whole_noise in K. lra.
  - pose proof (Noise.additive_noise_from_a_sum two_sided 1 two_sided_sums (fun d => d) 1) as K.
    assert (loss : Noise.loss_is_bounded two_sided (fun d => d)).
    { intros y a b d close. unfold two_sided. pose proof (Rabs_triang (y - a) (a - b)) as T.
      replace (y - a + (a - b)) with (y - b) in T by ring. lra. }
    specialize (K loss _ _ near f F). pose proof (E_test (Noise.add_noise two_sided 1 two_sided_sums 0) f F) as U.
    pose proof exp_le_3.
    assert (exp 1 * E (Noise.add_noise two_sided 1 two_sided_sums 0) f <=
      9 * E (Noise.add_noise two_sided 1 two_sided_sums 0) f) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Example answer_beside_whole_noise_accounted : private anything
    (fun bit : bool => both (answered bit) (always (loud bit))) (approximate (ln 3) (3 / 4 * delta_of_a_step 1)).
Proof.
  intros x y n. apply (dominated_by_is_approximate ([response_pair (ln 3) 0] ++ [whole_noise_pair])).
  - revert x y n. apply (account_drawn anything General.both_told answered loud).
    + apply General.independent_both.
    + apply (answered_dominated anything (fun bit => bit)).
    + intros x y _. apply (dominated_grid_noise two_sided 1 ltac:(lra) two_sided_concave two_sided_sums 1 1);
        [lra |].
      destruct x, y; (repeat split; [(exists 1%Z; simpl; ring) || (exists 0%Z; simpl; ring).. |]);
        unfold Rabs; destruct (Rcase_abs _); lra.
  - rewrite exp_ln by lra.
    pose proof (response_and_another whole_noise_pair) as same. simpl app. rewrite same.
    destruct whole_noise_apart. lra.
Qed.

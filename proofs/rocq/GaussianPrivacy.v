(* Gaussian DP: no test tells two laws apart better than the best one does the normal laws N(0, 1) and N(mu, 1).

   The normal tail is an integral here, and the Gauss integral is proved, so nothing about it is assumed.  What Gaussian
   DP says of tests is turned into approximate DP at every epsilon at once and back; from that follow zCDP, and that the
   squares of mu add up under composition.  At the end normal noise on the line is shown to have it. *)
From Coq Require Import Reals Lra Lia ZArith FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Renyi Optimal.
Open Scope R_scope.

(* Functions with a derivative on an interval. *)
Lemma increases (f f' : R -> R) a b : a <= b -> (forall x, a <= x <= b -> is_derive f x (f' x)) ->
  (forall x, a <= x <= b -> 0 <= f' x) -> f a <= f b.
Proof.
  intros [order | ->] D P; [| lra].
  destruct (MVT_cor2 f f' a b order) as (c & same & C).
  - intros c C. apply is_derive_Reals, D, C.
  - assert (0 <= f' c * (b - a)) by (apply Rmult_le_pos; [apply P |]; lra). lra.
Qed.
Lemma decreases (f f' : R -> R) a b : a <= b -> (forall x, a <= x <= b -> is_derive f x (f' x)) ->
  (forall x, a <= x <= b -> f' x <= 0) -> f b <= f a.
Proof.
  intros order D P. pose proof (increases (fun x => - f x) (fun x => - f' x) a b order) as K.
  assert (- f a <= - f b); [apply K | lra].
  - intros x X. apply (is_derive_opp f x (f' x)), D, X.
  - intros x X. specialize (P x X). lra.
Qed.
Lemma stays (f f' : R -> R) : (forall x, is_derive f x (f' x)) -> (forall x, f' x = 0) -> forall x, f x = f 0.
Proof.
  intros D Z x.
  assert (up : forall a b, a <= b -> f a <= f b).
  { intros a b order. apply (increases f f' a b order); [intros; apply D | intros y _; rewrite Z; lra]. }
  assert (down : forall a b, a <= b -> f b <= f a).
  { intros a b order. apply (decreases f f' a b order); [intros; apply D | intros y _; rewrite Z; lra]. }
  destruct (Rle_dec 0 x) as [order | order].
  - apply Rle_antisym; auto.
  - apply Rle_antisym; [apply up | apply down]; lra.
Qed.

Lemma integrable (f : R -> R) a b : (forall x, Rmin a b <= x <= Rmax a b -> continuous f x) -> ex_RInt f a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). Qed.

(* The Gauss integral. *)
Definition bell (t : R) : R := exp (- (t * t) / 2).
Definition area (x : R) : R := RInt bell 0 x.
Definition slab (x t : R) : R := 2 * exp (- (x * x) * (1 + t * t) / 2) / (1 + t * t).
Definition complement (x : R) : R := RInt (slab x) 0 1.

Lemma bell_continuous x : continuous bell x.
Proof. apply (ex_derive_continuous bell). unfold bell. auto_derive. exact I. Qed.
Lemma area_derive x : is_derive area x (bell x).
Proof.
  unfold area. apply (is_derive_RInt bell (RInt bell 0) 0 x); [| apply bell_continuous].
  exists (mkposreal 1 Rlt_0_1). intros y _. apply (RInt_correct (V := R_CompleteNormedModule)), integrable.
  intros; apply bell_continuous.
Qed.
Lemma area_0 : area 0 = 0.
Proof. apply (RInt_point 0 bell). Qed.

Lemma square_and_1 t : 0 < 1 + t * t.
Proof. pose proof (Rle_0_sqr t). unfold Rsqr in *. lra. Qed.
Lemma slab_continuous x t : continuous (slab x) t.
Proof.
  apply (ex_derive_continuous (slab x)). unfold slab. auto_derive. pose proof (square_and_1 t). lra.
Qed.
Lemma slab_derive x t : is_derive (fun x => slab x t) x (- 2 * x * exp (- (x * x) * (1 + t * t) / 2)).
Proof.
  unfold slab. pose proof (square_and_1 t). auto_derive; [lra |]. unfold Rdiv. field. lra.
Qed.

Lemma complement_derive x : is_derive complement x (- 2 * bell x * area x).
Proof.
  assert (same : RInt (fun t => Derive (fun x => slab x t) x) 0 1 = - 2 * bell x * area x).
  { transitivity (RInt (fun t => scal (- 2 * bell x) (scal x (bell (x * t + 0)))) 0 1).
    - apply RInt_ext. intros t _.
      replace (Derive (fun x => slab x t) x) with (- 2 * x * exp (- (x * x) * (1 + t * t) / 2))
        by (symmetry; apply is_derive_unique, slab_derive).
      unfold scal, bell. simpl. unfold mult. simpl.
      replace (- (x * x) * (1 + t * t) / 2) with (- (x * x) / 2 + - ((x * t + 0) * (x * t + 0)) / 2) by field.
      rewrite exp_plus. ring.
    - etransitivity.
      + apply (RInt_scal (V := R_CompleteNormedModule) (fun t => scal x (bell (x * t + 0))) 0 1 (- 2 * bell x)).
        apply integrable. intros z _.
        apply (ex_derive_continuous (fun t => scal x (bell (x * t + 0)))). unfold scal, bell. simpl. unfold mult.
          simpl.
        auto_derive. exact I.
      + apply (f_equal (fun z => - 2 * bell x * z)). unfold area.
        transitivity (RInt bell (x * 0 + 0) (x * 1 + 0)); [| f_equal; ring].
        apply (RInt_comp_lin (V := R_CompleteNormedModule) bell x 0 0 1).
        apply integrable. intros; apply bell_continuous. }
  rewrite <- same. apply is_derive_RInt_param.
  - exists (mkposreal 1 Rlt_0_1). intros y _ t _. eexists. apply slab_derive.
  - intros t _. apply continuity_2d_pt_ext with (f := fun u v => - 2 * u * exp (- (u * u) * (1 + v * v) / 2)).
    + intros u v. symmetry. apply is_derive_unique, slab_derive.
    + apply continuity_2d_pt_mult.
      * apply continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id1].
      * apply continuity_1d_2d_pt_comp; [apply derivable_continuous_pt, derivable_pt_exp |].
        apply continuity_2d_pt_mult; [| apply continuity_2d_pt_const].
        apply continuity_2d_pt_mult.
        -- apply continuity_2d_pt_opp, continuity_2d_pt_mult; apply continuity_2d_pt_id1.
        -- apply continuity_2d_pt_plus; [apply continuity_2d_pt_const |].
           apply continuity_2d_pt_mult; apply continuity_2d_pt_id2.
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply integrable. intros; apply slab_continuous.
Qed.

Lemma complement_0 : complement 0 = PI / 2.
Proof.
  unfold complement. apply is_RInt_unique.
  replace (PI / 2) with (minus (2 * atan 1) (2 * atan 0)).
  2:{ rewrite atan_1, atan_0. unfold minus, plus, opp. simpl. field. }
  apply (is_RInt_derive (fun t => 2 * atan t) (slab 0)).
  - intros t _. unfold slab. pose proof (square_and_1 t). evar_last.
    + apply (is_derive_scal atan t 2). apply is_derive_Reals, derivable_pt_lim_atan.
    + simpl. unfold Rsqr, mult. simpl. replace (- (0 * 0) * (1 + t * t) / 2) with 0 by field. rewrite exp_0.
      field. lra.
  - intros; apply slab_continuous.
Qed.

Lemma area_square x : area x * area x = PI / 2 - complement x.
Proof.
  assert (K : area x * area x + complement x = area 0 * area 0 + complement 0).
  { apply (stays (fun x => area x * area x + complement x)
      (fun x => bell x * area x + area x * bell x + - 2 * bell x * area x)).
    - intro y. apply (is_derive_plus (fun x => area x * area x) complement).
      + apply (is_derive_mult area area y); [apply area_derive | apply area_derive | intros; apply Rmult_comm].
      + apply complement_derive.
    - intro y. ring. }
  rewrite area_0, complement_0 in K. lra.
Qed.
Lemma complement_bounds x : 0 <= complement x <= 2 * bell x.
Proof.
  assert (bounds : forall t, 0 <= slab x t <= 2 * bell x).
  { intro t. unfold slab, bell. pose proof (square_and_1 t) as P. pose proof (exp_pos (- (x * x) * (1 + t * t) / 2)).
    pose proof (Rle_0_sqr t). pose proof (Rle_0_sqr x). unfold Rsqr in *.
    assert (exp (- (x * x) * (1 + t * t) / 2) <= exp (- (x * x) / 2)).
    { apply exp_le. assert (0 <= x * x * (t * t)) by (apply Rmult_le_pos; assumption). lra. }
    split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, P] |].
    apply (Rmult_le_reg_r (1 + t * t)); [exact P |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
    assert (0 <= 2 * exp (- (x * x) / 2) * (t * t)).
    { apply Rmult_le_pos; [|assumption]. pose proof (exp_pos (- (x * x) / 2)). lra. }
    lra. }
  unfold complement. assert (I : ex_RInt (slab x) 0 1) by (apply integrable; intros; apply slab_continuous).
  split.
  - apply Rle_trans with (RInt (fun _ => 0) 0 1); [right; rewrite RInt_const; symmetry; apply Rmult_0_r |].
    apply RInt_le; [lra | apply ex_RInt_const | exact I | intros; apply bounds].
  - replace (2 * bell x) with (RInt (fun _ => 2 * bell x) 0 1).
    + apply RInt_le; [lra | exact I | apply ex_RInt_const | intros; apply bounds].
    + rewrite RInt_const. unfold scal. simpl. unfold mult. simpl. ring.
Qed.

(* The tail of the normal law: how likely it is to be beyond x. *)
Definition density (x : R) : R := bell x / sqrt (2 * PI).
Definition normal_tail (x : R) : R := 1 / 2 - area x / sqrt (2 * PI).

Lemma two_pi : 0 < 2 * PI.
Proof. pose proof PI_RGT_0. lra. Qed.
Lemma root_of_two_pi : 0 < sqrt (2 * PI).
Proof. apply sqrt_lt_R0, two_pi. Qed.
Lemma density_positive x : 0 < density x.
Proof. apply Rmult_lt_0_compat; [apply exp_pos | apply Rinv_0_lt_compat, root_of_two_pi]. Qed.
Lemma normal_tail_derive x : is_derive normal_tail x (- density x).
Proof.
  unfold normal_tail, density. evar_last.
  - apply (is_derive_minus (fun _ => 1 / 2) (fun x => area x / sqrt (2 * PI))); [apply is_derive_const |].
    apply (is_derive_ext (fun x => / sqrt (2 * PI) * area x)); [intro; apply Rmult_comm |].
    apply (is_derive_scal area x (/ sqrt (2 * PI))), area_derive.
  - unfold minus, plus, opp, zero. simpl. unfold mult. simpl. pose proof root_of_two_pi. field. lra.
Qed.
Lemma normal_tail_falls x y : x <= y -> normal_tail y <= normal_tail x.
Proof.
  intro order. apply (decreases normal_tail (fun x => - density x)); [exact order | |].
  - intros; apply normal_tail_derive.
  - intros z _. pose proof (density_positive z). lra.
Qed.
Lemma normal_tail_0 : normal_tail 0 = 1 / 2.
Proof. unfold normal_tail. rewrite area_0. unfold Rdiv. ring. Qed.
Lemma normal_tail_reflected x : normal_tail (- x) = 1 - normal_tail x.
Proof.
  assert (K : normal_tail x + normal_tail (- x) = normal_tail 0 + normal_tail (- 0)).
  { apply (stays (fun x => normal_tail x + normal_tail (- x)) (fun x => - density x + - 1 * - density (- x))).
    - intro y. apply (is_derive_plus normal_tail (fun x => normal_tail (- x))); [apply normal_tail_derive |].
      apply (is_derive_comp normal_tail Ropp); [apply normal_tail_derive |]. auto_derive; [exact I | ring].
    - intro y. unfold density, bell. replace (- y * - y) with (y * y) by ring. ring. }
  rewrite Ropp_0, normal_tail_0 in K. lra.
Qed.
Lemma normal_tail_bound x : 0 <= x -> 0 < normal_tail x <= exp (- (x * x) / 2).
Proof.
  intro X. pose proof root_of_two_pi as S. pose proof (sqrt_sqrt (2 * PI) (Rlt_le _ _ two_pi)) as SS.
  pose proof (area_square x) as A. pose proof (complement_bounds x) as B.
  assert (low : forall y, 0 <= y -> 0 <= normal_tail y /\ (normal_tail y - 1 / 2) * (normal_tail y - 1 / 2) <= 1 / 4 /\
    1 / 4 - (normal_tail y - 1 / 2) * (normal_tail y - 1 / 2) = complement y / (2 * PI) /\ normal_tail y <= 1 / 2).
  { intros y Y. pose proof (area_square y) as A'. pose proof (complement_bounds y) as B'.
    pose proof (normal_tail_falls 0 y Y) as half. rewrite normal_tail_0 in half.
    assert (E : 1 / 4 - (normal_tail y - 1 / 2) * (normal_tail y - 1 / 2) = complement y / (2 * PI)).
    { unfold normal_tail. replace (complement y) with (PI / 2 - area y * area y) by lra.
      replace ((1 / 2 - area y / sqrt (2 * PI) - 1 / 2) * (1 / 2 - area y / sqrt (2 * PI) - 1 / 2))
        with (area y * area y / (sqrt (2 * PI) * sqrt (2 * PI))) by (field; lra).
      rewrite SS. pose proof PI_RGT_0. field. lra. }
    assert (0 <= complement y / (2 * PI)).
    { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, two_pi]. }
    split; [| lra]. apply Rnot_lt_le. intro negative. nra. }
  split.
  - destruct (low (x + 1)) as [L _]; [lra |].
    assert (strict : normal_tail (x + 1) < normal_tail x); [| lra].
    destruct (MVT_cor2 normal_tail (fun x => - density x) x (x + 1)) as (c & same & _); [lra | |].
    + intros c _. apply is_derive_Reals, normal_tail_derive.
    + pose proof (density_positive c). lra.
  - destruct (low x X) as (L & _ & E & half).
    assert (normal_tail x * (1 - normal_tail x) = complement x / (2 * PI)) by lra.
    assert (normal_tail x <= 2 * (complement x / (2 * PI))) by nra.
    assert (2 * (complement x / (2 * PI)) <= bell x); [| fold (bell x); lra].
    pose proof PI2_3_2 as P. pose proof two_pi. apply (Rmult_le_reg_r (2 * PI)); [assumption |].
    replace (2 * (complement x / (2 * PI)) * (2 * PI)) with (2 * complement x) by (field; lra).
    pose proof (exp_pos (- (x * x) / 2)) as bp. fold (bell x) in bp.
    assert (bell x * 4 <= bell x * (2 * PI)) by (apply Rmult_le_compat_l; [lra |]; unfold PI2 in *; lra). lra.
Qed.
Lemma normal_tail_between x : 0 < normal_tail x < 1.
Proof.
  destruct (Rle_dec 0 x) as [X | X].
  - pose proof (normal_tail_bound x X). pose proof (normal_tail_falls 0 x X) as half. rewrite normal_tail_0 in half.
    lra.
  - pose proof (normal_tail_bound (- x) ltac:(lra)). pose proof (normal_tail_reflected (- x)) as R.
    rewrite Ropp_involutive in R. pose proof (normal_tail_falls 0 (- x) ltac:(lra)) as half.
    rewrite normal_tail_0 in half. lra.
Qed.
Lemma normal_tail_far low : 0 < low -> exists x, 0 <= x /\ forall y, x <= y -> normal_tail y <= low.
Proof.
  intro L. exists (1 + Rabs (2 * ln low)). pose proof (Rabs_pos (2 * ln low)) as A. split; [lra |].
  intros y Y. eapply Rle_trans; [apply normal_tail_bound; lra |]. rewrite <- (exp_ln low L). apply exp_le.
  assert (y * 1 <= y * y) by (apply Rmult_le_compat_l; lra).
  pose proof (Rle_abs (- (2 * ln low))) as B. rewrite Rabs_Ropp in B. lra.
Qed.
Lemma normal_tail_reached y : 0 < y < 1 -> exists z, normal_tail z = y.
Proof.
  intro Y. destruct (normal_tail_far (Rmin y (1 - y))) as (x & X & far); [apply Rmin_glb_lt; lra |].
  pose proof (far x (Rle_refl x)) as low. pose proof (Rmin_l y (1 - y)). pose proof (Rmin_r y (1 - y)).
  destruct (IVT_gen normal_tail (- x) x y) as (z & _ & same).
  - intro z. apply derivable_continuous_pt. exists (- density z). apply is_derive_Reals, normal_tail_derive.
  - rewrite normal_tail_reflected. rewrite Rmin_right, Rmax_left by lra. lra.
  - exists z. exact same.
Qed.

(* Gaussian DP, by mu^2. *)
Definition told_apart (mu : R) : measure := fun O p q =>
  forall f z, test f -> E q f <= normal_tail z -> E p f <= normal_tail (z - mu).
Definition gaussian (mu_squared : R) : measure := told_apart (sqrt mu_squared).
Arguments told_apart _ {O} _ _.
Arguments gaussian _ {O} _ _.

(* The profile of N(mu, 1) and N(0, 1): the greatest P - t Q of a half line. *)
Definition profile (mu t : R) : R :=
  normal_tail (ln t / mu - mu / 2) - t * normal_tail (ln t / mu + mu / 2).

Lemma density_shifted mu z : density (z - mu) = exp (mu * z - mu * mu / 2) * density z.
Proof.
  unfold density, bell. replace (- ((z - mu) * (z - mu)) / 2) with ((mu * z - mu * mu / 2) + - (z * z) / 2) by field.
  rewrite exp_plus. unfold Rdiv. ring.
Qed.
Lemma half_line_derive mu t z :
  is_derive (fun z => normal_tail (z - mu) - t * normal_tail z) z ((t - exp (mu * z - mu * mu / 2)) * density z).
Proof.
  evar_last.
  - apply (is_derive_minus (fun z => normal_tail (z - mu)) (fun z => t * normal_tail z)).
    + apply (is_derive_comp normal_tail (fun z => z - mu)); [apply normal_tail_derive |].
      instantiate (1 := 1). auto_derive; [exact I | ring].
    + apply (is_derive_scal normal_tail z t), normal_tail_derive.
  - unfold minus, plus, opp, scal. simpl. unfold mult. simpl. rewrite density_shifted. ring.
Qed.
Lemma half_line_below_profile mu t z : 0 < mu -> 0 < t -> normal_tail (z - mu) - t * normal_tail z <= profile mu t.
Proof.
  intros M T. unfold profile. set (b := ln t / mu + mu / 2).
  replace (ln t / mu - mu / 2) with (b - mu) by (unfold b; field; lra).
  assert (at_b : mu * b - mu * mu / 2 = ln t) by (unfold b; field; lra).
  destruct (Rle_dec z b) as [order | order].
  - apply (increases (fun z => normal_tail (z - mu) - t * normal_tail z) (fun z =>
      (t - exp (mu * z - mu * mu / 2)) * density z) z b order).
    + intros x _. apply half_line_derive.
    + intros x X. apply Rmult_le_pos; [| left; apply density_positive].
      assert (exp (mu * x - mu * mu / 2) <= t); [| lra]. rewrite <- (exp_ln t T). apply exp_le. rewrite <- at_b.
      assert (mu * x <= mu * b) by (apply Rmult_le_compat_l; lra). lra.
  - apply (decreases (fun z => normal_tail (z - mu) - t * normal_tail z) (fun z =>
      (t - exp (mu * z - mu * mu / 2)) * density z) b z); [lra | |].
    + intros x _. apply half_line_derive.
    + intros x X. rewrite <- (Rmult_0_l (density x)). apply Rmult_le_compat_r; [left; apply density_positive |].
      assert (t <= exp (mu * x - mu * mu / 2)); [| lra]. rewrite <- (exp_ln t T). apply exp_le. rewrite <- at_b.
      assert (mu * b <= mu * x) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Gaussian DP is approximate DP at every epsilon, by the profile (the lemma "Profiles", 4). *)
Lemma told_apart_within {O : space} (p q : law O) mu t :
  0 < mu -> 0 < t -> told_apart mu p q -> within t (profile mu t) p q.
Proof.
  intros M T H f F. pose proof (E_test p f F) as P. pose proof (E_test q f F) as Q.
  apply Rnot_lt_le. intro more. set (gap := E p f - (t * E q f + profile mu t)).
  assert (G : 0 < gap) by (unfold gap; lra).
  destruct (Rlt_le_dec (E q f) 1) as [some | all].
  - pose (y := Rmin (E q f + gap / (2 * t)) ((1 + E q f) / 2)).
    assert (0 < gap / (2 * t)) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
    assert (Y : E q f <= y /\ 0 < y < 1 /\ y <= E q f + gap / (2 * t)).
    { unfold y. pose proof (Rmin_l (E q f + gap / (2 * t)) ((1 + E q f) / 2)).
      pose proof (Rmin_r (E q f + gap / (2 * t)) ((1 + E q f) / 2)).
      repeat split; try lra; [apply Rmin_glb; lra | apply Rmin_glb_lt; lra]. }
    destruct (normal_tail_reached y) as (z & same); [lra |].
    pose proof (H f z F ltac:(lra)) as K. pose proof (half_line_below_profile mu t z M T) as B. rewrite same in B.
    assert (t * y <= t * (E q f + gap / (2 * t))) by (apply Rmult_le_compat_l; lra).
    replace (t * (E q f + gap / (2 * t))) with (t * E q f + gap / 2) in H1 by (field; lra). unfold gap in *. lra.
  - destruct (normal_tail_far (gap / 2)) as (x & X & far); [lra |].
    pose proof (half_line_below_profile mu t (- x) M T) as B.
    replace (- x - mu) with (- (x + mu)) in B by ring. rewrite !normal_tail_reflected in B.
    pose proof (far (x + mu) ltac:(lra)). pose proof (normal_tail_between x).
    assert (t * (1 - normal_tail x) <= t * E q f) by (apply Rmult_le_compat_l; lra). unfold gap in *. lra.
Qed.
Lemma within_told_apart {O : space} (p q : law O) mu :
  0 < mu -> (forall t, 0 < t -> within t (profile mu t) p q) -> told_apart mu p q.
Proof.
  intros M H f z F below. pose (t := exp (mu * z - mu * mu / 2)).
  pose proof (H t (exp_pos _) f F) as K. unfold profile in K.
  replace (ln t / mu - mu / 2) with (z - mu) in K by (unfold t; rewrite ln_exp; field; lra).
  replace (ln t / mu + mu / 2) with z in K by (unfold t; rewrite ln_exp; field; lra).
  assert (t * E q f <= t * normal_tail z) by (apply Rmult_le_compat_l; [left; apply exp_pos | exact below]). lra.
Qed.

(* gaussian_to_approximate: the delta of normal noise, at every epsilon (BW18). *)
Theorem gaussian_to_approximate {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) mu_squared epsilon :
  0 < mu_squared -> private near M (gaussian mu_squared) ->
  let mu := sqrt mu_squared in
  private near M (approximate epsilon
    (normal_tail (epsilon / mu - mu / 2) - exp epsilon * normal_tail (epsilon / mu + mu / 2))).
Proof.
  intros positive H mu x y n. pose proof (told_apart_within (M x) (M y) mu (exp epsilon)) as K.
  unfold profile in K. rewrite ln_exp in K. apply K; [apply sqrt_lt_R0, positive | apply exp_pos | apply H, n].
Qed.

(* weaken, under Gaussian DP *)
Theorem weaken_gaussian {O : space} (p q : law O) c c' : c <= c' -> gaussian c p q -> gaussian c' p q.
Proof.
  intros order H f z F below. eapply Rle_trans; [apply (H f z F below) |]. apply normal_tail_falls.
  pose proof (sqrt_le_1_alt c c' order). lra.
Qed.

(* pure_to_gaussian *)
Lemma beyond_half mu t z : 0 <= mu -> 1 <= t -> (1 + t) * normal_tail (mu / 2) <= 1 -> mu / 2 <= z ->
  t * normal_tail z <= normal_tail (z - mu).
Proof.
  intros M T half Z. pose (gap := fun z => normal_tail (z - mu) - t * normal_tail z).
  assert (start : 0 <= gap (mu / 2)).
  { unfold gap. replace (mu / 2 - mu) with (- (mu / 2)) by field. rewrite normal_tail_reflected. lra. }
  enough (0 <= gap z) by (unfold gap in *; lra).
  destruct (Rle_dec (exp (mu * z - mu * mu / 2)) t) as [rising | falling].
  - (* the gap has grown since mu / 2 *)
    eapply Rle_trans; [exact start |].
    apply (increases gap (fun z => (t - exp (mu * z - mu * mu / 2)) * density z)); [exact Z | |].
    + intros x _. unfold gap. apply half_line_derive.
    + intros x X. apply Rmult_le_pos; [| left; apply density_positive].
      assert (mu * x <= mu * z) by (apply Rmult_le_compat_l; lra).
      assert (exp (mu * x - mu * mu / 2) <= exp (mu * z - mu * mu / 2)) by (apply exp_le; lra). lra.
  - (* from here on the gap falls, to 0 *)
    apply Rnot_lt_le. intro negative.
    destruct (normal_tail_far (- gap z / 2 / t)) as (x & X & far).
    { apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]. }
    pose (w := Rmax x z). pose proof (Rmax_l x z). pose proof (Rmax_r x z). fold w in H, H0.
    assert (fall : gap w <= gap z).
    { apply (decreases gap (fun z => (t - exp (mu * z - mu * mu / 2)) * density z)); [assumption | |].
      - intros y _. unfold gap. apply half_line_derive.
      - intros y Y. rewrite <- (Rmult_0_l (density y)). apply Rmult_le_compat_r; [left; apply density_positive |].
        assert (mu * z <= mu * y) by (apply Rmult_le_compat_l; lra).
        assert (exp (mu * z - mu * mu / 2) <= exp (mu * y - mu * mu / 2)) by (apply exp_le; lra). lra. }
    pose proof (normal_tail_between (w - mu)). specialize (far w H).
    assert (t * normal_tail w <= t * (- gap z / 2 / t)) by (apply Rmult_le_compat_l; lra).
    replace (t * (- gap z / 2 / t)) with (- gap z / 2) in H2 by (field; lra).
    unfold gap at 1 in fall. lra.
Qed.
Lemma pure_told_apart {O : space} (p q : law O) epsilon mu :
  0 <= mu -> (1 + exp epsilon) * normal_tail (mu / 2) <= 1 ->
  pure epsilon p q -> pure epsilon q p -> told_apart mu p q.
Proof.
  intros M half P Q f z F below.
  assert (T : 1 <= exp epsilon).
  { pose proof (P _ (conj (observable_constant O 1) (fun _ => conj Rle_0_1 (Rle_refl 1)))) as all.
    rewrite !E_one in all. lra. }
  destruct (Rle_dec (mu / 2) z) as [right | left].
  - eapply Rle_trans; [apply (P f F) |]. eapply Rle_trans; [| apply (beyond_half mu (exp epsilon) z M T half right)].
    rewrite Rplus_0_r. apply Rmult_le_compat_l; lra.
  - pose proof (Q _ (test_complement f F)) as K. rewrite !E_difference, !E_one in K;
      try apply observable_constant; try apply F. fold (exp epsilon) in K.
    pose proof (beyond_half mu (exp epsilon) (mu - z) M T half ltac:(lra)) as B.
    replace (mu - z - mu) with (- z) in B by ring. replace (mu - z) with (- (z - mu)) in B by ring.
    rewrite !normal_tail_reflected in B.
    apply (Rmult_le_reg_l (exp epsilon)); lra.
Qed.
Theorem pure_to_gaussian {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) epsilon mu_squared :
  (forall x y, near x y -> near y x) -> 0 <= mu_squared ->
  (1 + exp epsilon) * normal_tail (sqrt mu_squared / 2) <= 1 ->
  private near M (pure epsilon) -> private near M (gaussian mu_squared).
Proof.
  intros symmetric _ half H x y n. apply (pure_told_apart (M x) (M y) epsilon); auto using sqrt_pos.
Qed.

(* post_process, under Gaussian DP *)
Theorem post_process_gaussian {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (k : kernel O P)
  mu_squared :
  private near M (gaussian mu_squared) -> private near (fun x => then_run (M x) k) (gaussian mu_squared).
Proof.
  intros H x y n f z F below. apply (H x y n (fun o => E (k o) f) z); [| exact below]. split.
  - apply (run_observable k (fun _ => f)), jointly_of_the_second, F.
  - intro o. apply E_test, F.
Qed.

(* group, under Gaussian DP: k steps of mu each *)
Theorem group_gaussian {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) mu_squared (path : nat -> X) k :
  0 <= mu_squared -> private near M (gaussian mu_squared) -> (forall i, (i < k)%nat -> near (path i) (path (S i))) ->
  (1 <= k)%nat -> gaussian (INR k ^ 2 * mu_squared) (M (path 0%nat)) (M (path k)).
Proof.
  intros positive H steps K. unfold gaussian. rewrite sqrt_mult by (apply pow2_ge_0 || exact positive).
  rewrite sqrt_pow2 by apply pos_INR. clear positive. induction k as [| k IH]; [lia |].
  destruct k as [| k].
  - simpl. rewrite Rmult_1_l. apply (H _ _ (steps 0%nat K)).
  - intros f z F below. rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l.
    replace (z - _) with (z - sqrt mu_squared - INR (S k) * sqrt mu_squared) by ring.
    apply IH; [intros i I; apply steps; lia | lia | exact F |].
    apply (H _ _ (steps (S k) (Nat.lt_succ_diag_r _)) f z F below).
Qed.

(* From Gaussian DP to zCDP.  An observable is cut into layers; each is a test, so the profile bounds how much more it
   has under p.  The sum over the layers is at most an integral, of which `rest` is an antiderivative. *)
Lemma profile_falls mu t t' : 0 < mu -> 0 < t -> t <= t' -> profile mu t' <= profile mu t.
Proof.
  intros M T order. pose proof (half_line_below_profile mu t (ln t' / mu + mu / 2) M T) as B.
  replace (ln t' / mu + mu / 2 - mu) with (ln t' / mu - mu / 2) in B by (field; lra).
  unfold profile at 1. pose proof (normal_tail_between (ln t' / mu + mu / 2)).
  assert (t * normal_tail (ln t' / mu + mu / 2) <= t' * normal_tail (ln t' / mu + mu / 2))
    by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma profile_below_1 mu t : 0 < t -> profile mu t <= 1.
Proof.
  intro T. unfold profile. pose proof (normal_tail_between (ln t / mu - mu / 2)).
  pose proof (normal_tail_between (ln t / mu + mu / 2)).
  assert (0 <= t * normal_tail (ln t / mu + mu / 2)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma INR_unbounded x : exists n, x < INR n.
Proof.
  exists (Z.to_nat (up (Rabs x))). destruct (archimed (Rabs x)) as [high _]. pose proof (Rabs_pos x).
  rewrite INR_IZR_INZ, Z2Nat.id by (apply le_IZR; lra). pose proof (Rle_abs x). lra.
Qed.

Section layers.
  Variables (mu power : R).
  Hypotheses (positive : 0 < mu) (above : 0 < power).
  (* The order of the divergence is 1 + 1 / power, and 1 + power is its conjugate. *)
  Let start (c : R) := power * ln c / mu - mu / 2.
  Let shift := mu / power.
  Let most := exp (shift * (shift + mu) / 2).
  Let rest (c : R) := c * normal_tail (start c) - Rpower c (1 + power) / (1 + power) * normal_tail (start c + mu)
    - power / (1 + power) * most * normal_tail (start c - shift).

  Lemma rest_derive c : 0 < c -> is_derive rest c (profile mu (Rpower c power)).
  Proof using positive above.
    intro C.
    assert (S : is_derive start c (power / (mu * c))) by (unfold start; auto_derive; [lra | field; lra]).
    assert (tail : forall k, is_derive (fun c => normal_tail (start c + k)) c (- density (start c + k) * (power / (mu
      * c)))).
    { intro k. evar_last.
      - apply (is_derive_comp normal_tail (fun c => start c + k)); [apply normal_tail_derive |].
        apply (is_derive_plus start (fun _ => k)); [exact S | apply is_derive_const].
      - unfold scal, plus, zero. simpl. unfold mult. simpl. ring. }
    assert (P : is_derive (fun c => Rpower c (1 + power)) c ((1 + power) * Rpower c power)).
    { pose proof (derivable_pt_lim_power c (1 + power) C) as K. replace (1 + power - 1) with power in K by ring.
      apply is_derive_Reals, K. }
    assert (d1 : density (start c + mu) * Rpower c power = density (start c)).
    { replace (start c) with (start c + mu - mu) at 2 by ring. rewrite density_shifted, Rmult_comm. f_equal.
      unfold Rpower, start. f_equal. field. lra. }
    assert (d2 : most * density (start c - shift) = c * density (start c)).
    { rewrite density_shifted, <- Rmult_assoc. f_equal. unfold most. rewrite <- exp_plus.
      rewrite <- (exp_ln c C) at 2. f_equal. unfold start, shift. field. lra. }
    assert (same : Rpower c (1 + power) = c * Rpower c power) by (rewrite Rpower_plus, Rpower_1 by exact C;
      reflexivity).
    replace (profile mu (Rpower c power)) with
      ((normal_tail (start c + 0) + c * (- density (start c + 0) * (power / (mu * c)))) -
       ((1 + power) * Rpower c power / (1 + power) * normal_tail (start c + mu) +
         Rpower c (1 + power) / (1 + power) * (- density (start c + mu) * (power / (mu * c)))) -
       power / (1 + power) * most * (- density (start c + - shift) * (power / (mu * c)))).
    - unfold rest.
      apply (is_derive_ext (fun c => c * normal_tail (start c + 0) -
        / (1 + power) * Rpower c (1 + power) * normal_tail (start c + mu)
        - power / (1 + power) * most * normal_tail (start c + - shift))).
      { intro x. rewrite Rplus_0_r. unfold Rminus, Rdiv.
        match goal with |- ?a = ?b => change (@eq R a b) end. ring. }
      evar_last.
      + apply (is_derive_minus (fun c => c * normal_tail (start c + 0) -
          / (1 + power) * Rpower c (1 + power) * normal_tail (start c + mu))
          (fun c => power / (1 + power) * most * normal_tail (start c + - shift))).
        * apply (is_derive_minus (fun c => c * normal_tail (start c + 0))
            (fun c => / (1 + power) * Rpower c (1 + power) * normal_tail (start c + mu))).
          -- apply (is_derive_mult (fun c => c) (fun c => normal_tail (start c + 0)));
               [apply is_derive_id | apply tail | intros; apply Rmult_comm].
          -- apply (is_derive_mult (fun c => / (1 + power) * Rpower c (1 + power)) (fun c => normal_tail (start c +
            mu)));
               [| apply tail | intros; apply Rmult_comm].
             apply (is_derive_scal (fun c => Rpower c (1 + power)) c), P.
        * apply (is_derive_scal (fun c => normal_tail (start c + - shift)) c), tail.
      + unfold minus, plus, opp, one. simpl. unfold mult. simpl. field. lra.
    - unfold profile. replace (ln (Rpower c power)) with (power * ln c) by (unfold Rpower; rewrite ln_exp;
      reflexivity).
      replace (power * ln c / mu - mu / 2) with (start c) by reflexivity.
      replace (power * ln c / mu + mu / 2) with (start c + mu) by (unfold start; field; lra).
      rewrite Rplus_0_r, same. replace (start c + - shift) with (start c - shift) by ring.
      replace (power / (1 + power) * most * (- density (start c - shift) * (power / (mu * c)))) with
        (- (power / (1 + power) * (most * density (start c - shift)) * (power / (mu * c)))) by ring.
      rewrite d2.
      replace (c * Rpower c power / (1 + power) * (- density (start c + mu) * (power / (mu * c)))) with
        (- (c / (1 + power) * (density (start c + mu) * Rpower c power) * (power / (mu * c)))) by (unfold Rdiv; ring).
      rewrite d1. field. lra.
  Qed.

  Lemma rest_grows c c' : 0 < c -> c <= c' -> (c' - c) * profile mu (Rpower c' power) <= rest c' - rest c.
  Proof using positive above.
    intros C order. pose proof (increases (fun x => rest x - x * profile mu (Rpower c' power))
      (fun x => profile mu (Rpower x power) - profile mu (Rpower c' power)) c c' order) as K.
    enough (rest c - c * profile mu (Rpower c' power) <= rest c' - c' * profile mu (Rpower c' power)) by lra.
    apply K.
    - intros x X. evar_last.
      + apply (is_derive_minus rest (fun x => x * profile mu (Rpower c' power))); [apply rest_derive; lra |].
        apply (is_derive_ext (fun x => profile mu (Rpower c' power) * x)); [intro; apply Rmult_comm |].
        apply (is_derive_scal (fun x => x) x (profile mu (Rpower c' power))), is_derive_id.
      + unfold minus, plus, opp, one. simpl. unfold mult. simpl. ring.
    - intros x X. pose proof (profile_falls mu (Rpower x power) (Rpower c' power) positive (exp_pos _)) as F.
      assert (Rpower x power <= Rpower c' power); [| lra]. apply exp_le. apply Rmult_le_compat_l; [lra |].
      destruct (Req_dec x c') as [-> | other]; [lra | left; apply ln_increasing; lra].
  Qed.

  Lemma profile_nonnegative t : 0 < t -> 0 <= profile mu t.
  Proof using positive.
    intro T. apply Rnot_lt_le. intro negative.
    destruct (normal_tail_far (- profile mu t / 2 / t)) as (x & X & far).
    { apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]. }
    pose proof (half_line_below_profile mu t x positive T) as B. specialize (far x (Rle_refl x)).
    assert (K : t * normal_tail x <= t * (- profile mu t / 2 / t)) by (apply Rmult_le_compat_l; lra).
    replace (t * (- profile mu t / 2 / t)) with (- profile mu t / 2) in K by (field; lra).
    pose proof (normal_tail_between (x - mu)). lra.
  Qed.

  Lemma rest_negative c : 0 < c -> rest c <= 0.
  Proof using positive above.
    intro C. apply Rnot_lt_le. intro more.
    assert (SP : 0 < shift) by (apply Rmult_lt_0_compat; [| apply Rinv_0_lt_compat]; assumption).
    (* far out, c times the tail beyond its start is less than any number *)
    pose (x := Rmax (Rmax (2 * (shift + 1)) (start c)) (shift * mu / 2 - ln (rest c / 2))).
    assert (X : 2 * (shift + 1) <= x /\ start c <= x /\ shift * mu / 2 - ln (rest c / 2) <= x).
    { unfold x. repeat split; [eapply Rle_trans; [apply Rmax_l | apply Rmax_l] |
        eapply Rle_trans; [apply Rmax_r | apply Rmax_l] | apply Rmax_r]. }
    pose (c' := exp (shift * (x + mu / 2))).
    assert (S' : start c' = x) by (unfold start, c', shift; rewrite ln_exp; field; lra).
    assert (order : c <= c').
    { rewrite <- (exp_ln c C). apply exp_le. replace (ln c) with (shift * (start c + mu / 2))
        by (unfold start, shift; field; lra). apply Rmult_le_compat_l; lra. }
    pose proof (rest_grows c c' C order) as G.
    assert (0 <= (c' - c) * profile mu (Rpower c' power)).
    { apply Rmult_le_pos; [lra | apply profile_nonnegative, exp_pos]. }
    assert (K : rest c' <= c' * normal_tail x).
    { unfold rest. rewrite S'. pose proof (normal_tail_between (x + mu)). pose proof (normal_tail_between (x - shift)).
      assert (0 <= Rpower c' (1 + power) / (1 + power) * normal_tail (x + mu)).
      { apply Rmult_le_pos; [| lra]. apply Rmult_le_pos; [left; apply exp_pos | left; apply Rinv_0_lt_compat; lra]. }
      assert (0 <= power / (1 + power) * most * normal_tail (x - shift)).
      { apply Rmult_le_pos; [| lra]. apply Rmult_le_pos; [| left; apply exp_pos].
        apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
      lra. }
    assert (L : c' * normal_tail x <= rest c / 2).
    { eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos | apply normal_tail_bound; lra] |].
      unfold c'. rewrite <- exp_plus, <- (exp_ln (rest c / 2)) by lra. apply exp_le.
      assert (0 <= x * (x - 2 * (shift + 1))) by (apply Rmult_le_pos; lra). lra. }
    lra.
  Qed.

  Lemma rest_from c : 0 < c -> - rest c <= Rpower c (1 + power) / (1 + power) + power / (1 + power) * most.
  Proof using positive above.
    intro C. unfold rest. pose proof (normal_tail_between (start c)) as T.
      pose proof (normal_tail_between (start c + mu)).
    pose proof (normal_tail_between (start c - shift)).
    assert (0 <= c * normal_tail (start c)) by (apply Rmult_le_pos; lra).
    assert (I : 0 < / (1 + power)) by (apply Rinv_0_lt_compat; lra).
    assert (0 <= Rpower c (1 + power) / (1 + power)) by (apply Rmult_le_pos; [left; apply exp_pos | lra]).
    assert (0 <= power / (1 + power) * most).
    { apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply exp_pos]. }
    assert (Rpower c (1 + power) / (1 + power) * normal_tail (start c + mu) <= Rpower c (1 + power) / (1 + power) * 1)
      by (apply Rmult_le_compat_l; lra).
    assert (power / (1 + power) * most * normal_tail (start c - shift) <= power / (1 + power) * most * 1)
      by (apply Rmult_le_compat_l; lra). lra.
  Qed.

  (* Layers of width w: the one of number i is from (i + 1) w to (i + 2) w. *)
  Variable w : R.
  Hypothesis width : 0 < w.
  Let floor (i : nat) := INR (S i) * w.
  Definition layer (i : nat) (x : R) := Rmax 0 (Rmin 1 (x / w - INR (S i))).
  Fixpoint layered (weight : nat -> R) (count : nat) (x : R) : R :=
    match count with O => 0 | S i => layered weight i x + weight i * layer i x end.

  Lemma floor_positive i : 0 < floor i.
  Proof using width. apply Rmult_lt_0_compat; [apply lt_0_INR; lia | exact width]. Qed.
  Lemma floor_next i : floor (S i) = floor i + w.
  Proof. unfold floor. rewrite (S_INR (S i)). ring. Qed.
  Lemma layer_width i x : w * layer i x = Rmax 0 (Rmin w (x - floor i)).
  Proof using width.
    unfold layer. set (y := x / w - INR (S i)).
    replace (x - floor i) with (w * y) by (unfold y, floor; field; lra).
    unfold Rmin, Rmax. repeat destruct (Rle_dec _ _); nra.
  Qed.
  Lemma layers_above count x : Rmin x (floor count) <= w + layered (fun _ => w) count x.
  Proof using width.
    induction count as [| i IH]; simpl layered.
    - unfold floor. simpl. eapply Rle_trans; [apply Rmin_r | lra].
    - rewrite layer_width, floor_next. unfold Rmin, Rmax in *. repeat destruct (Rle_dec _ _); lra.
  Qed.
  Lemma layers_below count x : 0 < x ->
    layered (fun i => w * Rpower (floor i) power) count x <= Rpower (Rmin x (floor count)) (1 + power) / (1 + power).
  Proof using width above.
    intro X. induction count as [| i IH]; simpl layered.
    - apply Rmult_le_pos; [left; apply exp_pos | left; apply Rinv_0_lt_compat; lra].
    - pose proof (floor_positive i) as F.
      replace (w * Rpower (floor i) power * layer i x) with (Rpower (floor i) power * (w * layer i x)) by ring.
      rewrite layer_width, floor_next. destruct (Rle_dec x (floor i)) as [low | high].
      + rewrite (Rmin_left x (floor i + w)) by lra. rewrite (Rmin_left x (floor i)) in IH by lra.
        rewrite (Rmin_right w) by lra. rewrite Rmax_left by lra. lra.
      + rewrite (Rmin_right x (floor i)) in IH by lra.
        replace (Rmax 0 (Rmin w (x - floor i))) with (Rmin x (floor i + w) - floor i).
        2:{ unfold Rmin, Rmax. repeat destruct (Rle_dec _ _); lra. }
        set (y := Rmin x (floor i + w)). assert (Y : floor i <= y) by (apply Rmin_glb; lra).
        pose proof (increases (fun z => Rpower z (1 + power) / (1 + power) - z * Rpower (floor i) power)
          (fun z => Rpower z power - Rpower (floor i) power) (floor i) y Y) as K.
        enough (Rpower (floor i) (1 + power) / (1 + power) - floor i * Rpower (floor i) power <=
                Rpower y (1 + power) / (1 + power) - y * Rpower (floor i) power) by lra.
        apply K.
        * intros z Z. evar_last.
          -- apply (is_derive_minus (fun z => Rpower z (1 + power) / (1 + power)) (fun z => z * Rpower (floor i)
            power)).
             ++ apply (is_derive_ext (fun z => / (1 + power) * Rpower z (1 + power))); [intro; apply Rmult_comm |].
                apply (is_derive_scal (fun z => Rpower z (1 + power)) z (/ (1 + power))).
                apply is_derive_Reals, derivable_pt_lim_power. lra.
             ++ apply (is_derive_ext (fun z => Rpower (floor i) power * z)); [intro; apply Rmult_comm |].
                apply (is_derive_scal (fun z => z) z (Rpower (floor i) power)), is_derive_id.
          -- unfold minus, plus, opp, one. simpl. unfold mult. simpl.
             replace (1 + power - 1) with power by ring. field. lra.
        * intros z Z. assert (Rpower (floor i) power <= Rpower z power); [| lra].
          apply Rle_Rpower_l; lra.
  Qed.

  Context {O : space} (p q : law O) (f : O -> R).
  Hypotheses (F : observable f) (apart : told_apart mu p q).
  Lemma layer_test i : test (fun o => layer i (f o)).
  Proof using F.
    split.
    - apply observable_greatest; [apply observable_constant |].
      apply observable_least; [apply observable_constant |].
      apply (observable_same O (fun o => / w * f o + - INR (S i))); [intro; unfold Rdiv; ring |].
      apply observable_shifted, observable_multiple, F.
    - intro o. unfold layer. split; [apply Rmax_l | apply Rmax_lub; [lra | apply Rmin_l]].
  Qed.
  Lemma layered_observable weight count : observable (fun o => layered weight count (f o)).
  Proof using F.
    induction count as [| i IH]; simpl; [apply observable_constant |].
    apply (observable_sum O (fun o => layered weight i (f o)) (fun o => weight i * layer i (f o)) IH).
    apply (observable_multiple O (weight i) (fun o => layer i (f o))), layer_test.
  Qed.
  Lemma layered_E (r : law O) weight i :
    E r (fun o => layered weight (S i) (f o)) =
    E r (fun o => layered weight i (f o)) + weight i * E r (fun o => layer i (f o)).
  Proof using F.
    simpl. rewrite (E_sum r (fun o => layered weight i (f o)) (fun o => weight i * layer i (f o))).
    - rewrite (E_multiple r (weight i) (fun o => layer i (f o))); [reflexivity | apply layer_test].
    - apply layered_observable.
    - apply (observable_multiple O (weight i) (fun o => layer i (f o))), layer_test.
  Qed.
  Lemma layers_told_apart count :
    E p (fun o => layered (fun _ => w) (S count) (f o)) -
    E q (fun o => layered (fun i => w * Rpower (floor i) power) (S count) (f o)) <= w + rest (floor count) - rest
      (floor 0).
  Proof using positive above width F apart.
    assert (one : forall i, E p (fun o => layer i (f o)) - Rpower (floor i) power * E q (fun o => layer i (f o)) <=
      profile mu (Rpower (floor i) power)).
    { intro i. pose proof (told_apart_within p q mu (Rpower (floor i) power) positive (exp_pos _) apart _ (layer_test
      i)).
      lra. }
    induction count as [| i IH]; rewrite !layered_E.
    - simpl layered. rewrite !E_constant. pose proof (one 0%nat) as K. apply (Rmult_le_compat_l w) in K; [| lra].
      pose proof (profile_below_1 mu (Rpower (floor 0) power) (exp_pos _)) as P.
      apply (Rmult_le_compat_l w) in P; [| lra]. lra.
    - rewrite !layered_E in IH.
      pose proof (one (S i)) as K. apply (Rmult_le_compat_l w) in K; [| lra].
      assert (up : floor i <= floor (S i)) by (rewrite floor_next; lra).
      pose proof (rest_grows (floor i) (floor (S i)) (floor_positive i) up) as G.
      replace (floor (S i) - floor i) with w in G by (rewrite floor_next; ring). lra.
  Qed.

  Lemma layers_young : (forall o, 0 < f o) -> observable (fun o => Rpower (f o) (1 + power)) ->
    E p f <= E q (fun o => Rpower (f o) (1 + power)) / (1 + power) + power / (1 + power) * most
             + (2 * w + Rpower w (1 + power) / (1 + power)).
  Proof using positive above width F apart.
    intros P H. destruct (observable_bounded O f F) as [top T].
    destruct (INR_unbounded (top / w)) as [count enough].
    assert (high : top <= floor count).
    { unfold floor. rewrite S_INR. assert (top < INR count * w); [| lra].
      apply (Rmult_lt_compat_r w) in enough; [| exact width]. replace (top / w * w) with top in enough by (field; lra).
      exact enough. }
    pose proof (layers_told_apart count) as K.
    assert (A : E p f <= w + E p (fun o => layered (fun _ => w) (S count) (f o))).
    { rewrite Rplus_comm, <- E_shifted by apply layered_observable.
      apply E_monotone; [exact F | apply observable_shifted, layered_observable |].
      intro o. pose proof (layers_above (S count) (f o)) as L. specialize (T o). pose proof (floor_next count).
      rewrite Rmin_left in L by lra. lra. }
    assert (B : E q (fun o => layered (fun i => w * Rpower (floor i) power) (S count) (f o)) <=
      E q (fun o => Rpower (f o) (1 + power)) / (1 + power)).
    { unfold Rdiv. rewrite Rmult_comm, <- E_multiple by exact H.
      apply E_monotone; [apply layered_observable | apply observable_multiple, H |].
      intro o. pose proof (layers_below (S count) (f o) (P o)) as L. specialize (T o). pose proof (floor_next count).
      rewrite Rmin_left in L by lra. unfold Rdiv in L. lra. }
    pose proof (rest_negative (floor count) (floor_positive count)).
    pose proof (rest_from (floor 0) (floor_positive 0)) as R0.
    replace (floor 0) with w in * by (unfold floor; simpl; ring). lra.
  Qed.
End layers.

Lemma told_apart_renyi {O : space} (p q : law O) mu order :
  0 < mu -> 1 < order -> told_apart mu p q -> renyi order (mu * mu / 2 * order) p q.
Proof.
  intros M A apart f F away. pose (power := / (order - 1)).
  assert (P : 0 < power) by (apply Rinv_0_lt_compat; lra).
  assert (conjugate : order / (order - 1) = 1 + power) by (unfold power; field; lra). rewrite conjugate.
  pose proof (power_observable f (1 + power) F away) as H.
  pose proof (E_positive q _ H (power_away_from_0 f (1 + power) ltac:(lra) away)) as Y.
  set (y := E q (fun o => Rpower (f o) (1 + power))) in *.
  pose (most := exp (mu / power * (mu / power + mu) / 2)). pose (scale := Rpower (most / y) (/ (1 + power))).
  assert (S : 0 < scale) by apply exp_pos. assert (B : 0 < most) by apply exp_pos.
  assert (ratio : 0 < most / y) by (apply Rdiv_lt_0_compat; assumption).
  assert (scaled : forall o, Rpower (scale * f o) (1 + power) = most / y * Rpower (f o) (1 + power)).
  { intro o. pose proof (positive_away_from_0 f o away). rewrite <- Rpower_mult_distr by assumption.
    unfold scale. rewrite power_of_root; [reflexivity | lra | exact ratio]. }
  assert (young : scale * E p f <= most).
  { apply Rnot_lt_le. intro more. set (gap := scale * E p f - most). assert (G : 0 < gap) by (unfold gap; lra).
    pose (w := Rmin 1 (gap / 4)). assert (W : 0 < w <= 1 /\ w <= gap / 4).
    { unfold w. repeat split; [apply Rmin_glb_lt; lra | apply Rmin_l | apply Rmin_r]. }
    pose proof (layers_young mu power M P w (proj1 (proj1 W)) p q (fun o => scale * f o)
      (observable_multiple O scale f F) apart) as L.
    rewrite E_multiple in L by exact F.
    assert (same : E q (fun o => Rpower (scale * f o) (1 + power)) = most).
    { rewrite (E_same q _ (fun o => most / y * Rpower (f o) (1 + power))); [| | exact scaled].
      - rewrite E_multiple by exact H. fold y. field. lra.
      - apply (observable_same O (fun o => most / y * Rpower (f o) (1 + power))); [intro; symmetry; apply scaled |].
        apply observable_multiple, H. }
    rewrite same in L. fold most in L.
    assert (small : Rpower w (1 + power) / (1 + power) <= w).
    { apply (Rmult_le_reg_r (1 + power)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (w * 1); [| apply Rmult_le_compat_l; lra]. rewrite Rmult_1_r.
      rewrite <- (Rpower_1 w) at 2 by lra. apply exp_le.
      assert (ln w <= 0) by (rewrite <- ln_1; apply ln_at_most; lra).
      assert (0 <= power * - ln w) by (apply Rmult_le_pos; lra). lra. }
    assert (all : most / (1 + power) + power / (1 + power) * most = most) by (field; lra).
    specialize (L (fun o => Rmult_lt_0_compat _ _ S (positive_away_from_0 f o away))).
    unfold gap in *. enough (scale * E p f <= most + (2 * w + w)) by lra.
    eapply Rle_trans; [apply L |].
    - apply (observable_same O (fun o => most / y * Rpower (f o) (1 + power))); [intro; symmetry; apply scaled |].
      apply observable_multiple, H.
    - lra. }
  apply (Rmult_le_reg_l scale); [exact S |]. eapply Rle_trans; [exact young |]. right.
  unfold scale, Rpower. rewrite <- !exp_plus. unfold most at 1. f_equal.
  replace (ln (most / y)) with (ln most - ln y).
  2:{ unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring | apply Rinv_0_lt_compat, Y]. }
  unfold most. rewrite ln_exp. unfold power. field. lra.
Qed.

Lemma squeezed x y rate : 0 < y -> 0 < rate -> (forall c, 0 < c -> x <= exp (rate * c) * y) -> x <= y.
Proof.
  intros Y T H. apply Rnot_lt_le. intro more. pose (g := ln (x / y)).
  assert (ratio : 1 < x / y) by (apply (Rmult_lt_reg_r y); [lra |]; replace (x / y * y) with x by (field; lra); lra).
  assert (G : 0 < g) by (unfold g; rewrite <- ln_1; apply ln_increasing; lra).
  assert (C : 0 < g / (2 * rate)) by (apply Rdiv_lt_0_compat; lra).
  specialize (H _ C). replace (rate * (g / (2 * rate))) with (g / 2) in H by (field; lra).
  assert (K : exp (g / 2) * y < exp g * y) by (apply Rmult_lt_compat_r; [lra | apply exp_increasing; lra]).
  unfold g in K at 2. rewrite exp_ln in K by lra. replace (x / y * y) with x in K by (field; lra). lra.
Qed.

(* gaussian_to_concentrated *)
Theorem gaussian_to_concentrated {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) mu_squared :
  0 <= mu_squared -> private near M (gaussian mu_squared) -> private near M (concentrated (mu_squared / 2)).
Proof.
  intros positive H x y n order A.
  assert (K : forall c, 0 < c -> mu_squared <= c -> renyi order (c / 2 * order) (M x) (M y)).
  { intros c C order'. pose proof (told_apart_renyi (M x) (M y) (sqrt c) order (sqrt_lt_R0 c C) A
      (weaken_gaussian _ _ mu_squared c order' (H x y n))) as R. rewrite sqrt_sqrt in R by lra. exact R. }
  destruct positive as [some | <-]; [apply K; lra |].
  intros f F away. replace ((order - 1) / order * (0 / 2 * order)) with 0 by (field; lra). rewrite exp_0, Rmult_1_l.
  apply (squeezed _ _ ((order - 1) / 2)); [apply exp_pos | lra |]. intros c C.
  eapply Rle_trans; [apply (K c C (Rlt_le _ _ C) f F away) |]. right. f_equal. f_equal. field. lra.
Qed.

(* The sum of independent normal variables is normal: integrals on bounded intervals, and what they are at most. *)
Lemma section_continuous (f : R -> R -> R) x y : continuity_2d_pt f x y -> continuous (f x) y.
Proof.
  intro C. apply continuity_pt_filterlim. intros eps positive.
  destruct (C (mkposreal eps positive)) as (delta & near). exists delta. split; [apply cond_pos |].
  intros z [_ Z]. apply near; [rewrite Rminus_eq_0, Rabs_R0; apply cond_pos | exact Z].
Qed.
Lemma derive_under (f g : R -> R -> R) a b c :
  (forall c z, is_derive (fun c => f c z) c (g c z)) -> (forall c z, continuity_2d_pt f c z) ->
  (forall c z, continuity_2d_pt g c z) -> is_derive (fun c => RInt (f c) a b) c (RInt (g c) a b).
Proof.
  intros D F G.
  replace (RInt (g c) a b) with (RInt (fun z => Derive (fun c => f c z) c) a b).
  2:{ apply RInt_ext. intros z _. apply is_derive_unique, D. }
  apply is_derive_RInt_param.
  - exists (mkposreal 1 Rlt_0_1). intros y _ z _. eexists. apply D.
  - intros z _. apply continuity_2d_pt_ext with (f := g); [| apply G].
    intros u v. symmetry. apply is_derive_unique, D.
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply integrable. intros z _. apply section_continuous, F.
Qed.
Lemma integral_by (whole f : R -> R) a b :
  (forall x, is_derive whole x (f x)) -> (forall x, continuous f x) -> RInt f a b = whole b - whole a.
Proof. intros D C. apply is_RInt_unique, (is_RInt_derive (V := R_CompleteNormedModule)); auto. Qed.
Lemma integral_monotone (f g : R -> R) a b : a <= b -> (forall x, continuous f x) -> (forall x, continuous g x) ->
  (forall x, a <= x <= b -> f x <= g x) -> RInt f a b <= RInt g a b.
Proof. intros order F G below. apply RInt_le; auto using integrable. intros x X. apply below. lra. Qed.

Lemma density_derive x : is_derive density x (- x * density x).
Proof. unfold density, bell. pose proof root_of_two_pi. auto_derive; [lra | unfold Rdiv; field; lra]. Qed.
Lemma density_continuity : continuity density.
Proof. intro x. apply derivable_continuous_pt. eexists. apply is_derive_Reals, density_derive. Qed.
Lemma tail_continuity : continuity normal_tail.
Proof. intro x. apply derivable_continuous_pt. eexists. apply is_derive_Reals, normal_tail_derive. Qed.

Section normal_sum.
  Variables m n half : R.
  Hypotheses (M : 0 < m) (N : 0 < n) (wide : 0 <= half).
  Let k := sqrt (m * m + n * n).
  Lemma root_positive : 0 < k.
  Proof using M N. apply sqrt_lt_R0. assert (0 < m * m) by (apply Rmult_lt_0_compat; lra). nra. Qed.
  Lemma root_square : k * k = m * m + n * n.
  Proof using M N. apply sqrt_sqrt. nra. Qed.

  Lemma density_of_sum c z :
    density z * (density ((c - n * z) / m) / m) = density (c / k) / k * (density ((z - n * c / (k * k)) * k / m) * (k
      / m)).
  Proof using M N.
    pose proof root_positive as K. pose proof root_square as S. pose proof root_of_two_pi.
    assert (E : bell z * bell ((c - n * z) / m) = bell (c / k) * bell ((z - n * c / (k * k)) * k / m)).
    { unfold bell. rewrite <- !exp_plus. f_equal.
      replace (c / k * (c / k)) with (c * c / (k * k)) by (field; lra).
      replace ((z - n * c / (k * k)) * k / m * ((z - n * c / (k * k)) * k / m))
        with ((z - n * c / (k * k)) * (z - n * c / (k * k)) * (k * k) / (m * m)) by (field; lra).
      rewrite S. field. split; [nra | lra]. }
    unfold density.
    replace (bell z / sqrt (2 * PI) * (bell ((c - n * z) / m) / sqrt (2 * PI) / m))
      with (bell z * bell ((c - n * z) / m) / (sqrt (2 * PI) * sqrt (2 * PI) * m)) by (field; lra).
    rewrite E. field. lra.
  Qed.

  Definition joint (c z : R) := density z * normal_tail ((c - n * z) / m).
  Definition joint_falls (c z : R) := - (density z * (density ((c - n * z) / m) / m)).
  Lemma line_continuous c z : continuity_2d_pt (fun c z => (c - n * z) / m) c z.
  Proof.
    unfold Rdiv. apply continuity_2d_pt_mult; [| apply continuity_2d_pt_const].
    apply continuity_2d_pt_minus; [apply continuity_2d_pt_id1 |].
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id2].
  Qed.
  Lemma joint_continuous c z : continuity_2d_pt joint c z.
  Proof.
    apply continuity_2d_pt_mult.
    - apply (continuity_1d_2d_pt_comp density (fun _ z => z)); [apply density_continuity | apply continuity_2d_pt_id2].
    - apply (continuity_1d_2d_pt_comp normal_tail); [apply tail_continuity | apply line_continuous].
  Qed.
  Lemma joint_falls_continuous c z : continuity_2d_pt joint_falls c z.
  Proof.
    apply continuity_2d_pt_opp, continuity_2d_pt_mult.
    - apply (continuity_1d_2d_pt_comp density (fun _ z => z)); [apply density_continuity | apply continuity_2d_pt_id2].
    - unfold Rdiv at 1. apply continuity_2d_pt_mult; [| apply continuity_2d_pt_const].
      apply (continuity_1d_2d_pt_comp density); [apply density_continuity | apply line_continuous].
  Qed.
  Lemma joint_derive c z : is_derive (fun c => joint c z) c (joint_falls c z).
  Proof using M.
    unfold joint, joint_falls. evar_last.
    - apply (is_derive_scal (fun c => normal_tail ((c - n * z) / m)) c (density z)).
      apply (is_derive_comp normal_tail (fun c => (c - n * z) / m)); [apply normal_tail_derive |].
      instantiate (1 := / m). auto_derive; [exact I | field; lra].
    - unfold scal. simpl. unfold mult. simpl. field. lra.
  Qed.

  Lemma joint_falls_at_most c : - (density (c / k) / k) <= RInt (joint_falls c) (- half) half.
  Proof using M N wide.
    pose proof root_positive as K. pose (centre := n * c / (k * k)).
    rewrite (integral_by (fun z => density (c / k) / k * normal_tail ((z - centre) * k / m))).
    - pose proof (normal_tail_between ((half - centre) * k / m)) as T.
      pose proof (normal_tail_between ((- half - centre) * k / m)) as T'.
      assert (D : 0 < density (c / k) / k) by (apply Rdiv_lt_0_compat; [apply density_positive | exact K]).
      set (d := density (c / k) / k) in *.
      assert (d * normal_tail ((- half - centre) * k / m) <= d * 1) by (apply Rmult_le_compat_l; lra).
      assert (0 <= d * normal_tail ((half - centre) * k / m)) by (apply Rmult_le_pos; lra). lra.
    - intro z. unfold joint_falls. rewrite density_of_sum. fold centre. evar_last.
      + apply (is_derive_scal (fun z => normal_tail ((z - centre) * k / m)) z (density (c / k) / k)).
        apply (is_derive_comp normal_tail (fun z => (z - centre) * k / m)); [apply normal_tail_derive |].
        instantiate (1 := k / m). auto_derive; [exact I | field; lra].
      + unfold scal. simpl. unfold mult. simpl. ring.
    - intro z. apply section_continuous, joint_falls_continuous.
  Qed.

  Lemma joint_at_most c : RInt (joint c) (- half) half <= normal_tail (c / k).
  Proof using M N wide.
    pose proof root_positive as K. apply Rnot_lt_le. intro more.
    set (gap := RInt (joint c) (- half) half - normal_tail (c / k)). assert (G : 0 < gap) by (unfold gap; lra).
    destruct (normal_tail_far (gap / 2)) as (x & X & far); [lra |].
    pose (c' := Rmax c (m * x + n * half)). pose proof (Rmax_l c (m * x + n * half)) as up.
    pose proof (Rmax_r c (m * x + n * half)) as out. fold c' in up, out.
    assert (falls : normal_tail (c' / k) - RInt (joint c') (- half) half <= normal_tail (c / k) - RInt (joint c) (-
      half) half).
    { apply (decreases (fun c => normal_tail (c / k) - RInt (joint c) (- half) half)
        (fun c => - (density (c / k) / k) - RInt (joint_falls c) (- half) half) c c' up).
      - intros y _. apply (is_derive_minus (fun c => normal_tail (c / k)) (fun c => RInt (joint c) (- half) half)).
        + evar_last.
          * apply (is_derive_comp normal_tail (fun c => c / k)); [apply normal_tail_derive |].
            instantiate (1 := / k). auto_derive; [exact I | field; lra].
          * unfold scal. simpl. unfold mult. simpl. field. lra.
        + apply derive_under; [apply joint_derive | apply joint_continuous | apply joint_falls_continuous].
      - intros y _. pose proof (joint_falls_at_most y). lra. }
    assert (small : RInt (joint c') (- half) half <= gap / 2).
    { apply Rle_trans with (RInt (fun z => gap / 2 * density z) (- half) half).
      - apply integral_monotone; [lra | intro; apply section_continuous, joint_continuous | |].
        + intro z. apply (ex_derive_continuous (fun z => gap / 2 * density z)). eexists.
          apply (is_derive_scal density z (gap / 2)), density_derive.
        + intros z Z. unfold joint. rewrite Rmult_comm. apply Rmult_le_compat_r; [left; apply density_positive |].
          apply far. apply (Rmult_le_reg_l m); [exact M |].
          replace (m * ((c' - n * z) / m)) with (c' - n * z) by (field; lra).
          assert (n * z <= n * half) by (apply Rmult_le_compat_l; lra). lra.
      - rewrite (integral_by (fun z => gap / 2 * - normal_tail z)).
        + pose proof (normal_tail_between half). pose proof (normal_tail_between (- half)).
          assert (gap / 2 * (normal_tail (- half) - normal_tail half) <= gap / 2 * 1) by (apply Rmult_le_compat_l;
            lra). lra.
        + intro z. evar_last.
          * apply (is_derive_scal (fun z => - normal_tail z) z (gap / 2)).
            apply (is_derive_opp normal_tail), normal_tail_derive.
          * unfold opp. simpl. ring.
        + intro z. apply (ex_derive_continuous (fun z => gap / 2 * density z)). eexists.
          apply (is_derive_scal density z (gap / 2)), density_derive. }
    pose proof (normal_tail_between (c' / k)). unfold gap in *. lra.
  Qed.

  (* The profile at exp c, and its mean over a second normal variable. *)
  Definition profile_at (mu c : R) := normal_tail (c / mu - mu / 2) - exp c * normal_tail (c / mu + mu / 2).
  Lemma profile_at_derive mu c : 0 < mu -> is_derive (profile_at mu) c (- exp c * normal_tail (c / mu + mu / 2)).
  Proof.
    intro U. unfold profile_at.
    assert (D : forall b, is_derive (fun c => normal_tail (c / mu + b)) c (/ mu * - density (c / mu + b))).
    { intro b. apply (is_derive_comp normal_tail (fun c => c / mu + b)); [apply normal_tail_derive |].
      auto_derive; [exact I | field; lra]. }
    assert (same : density (c / mu + - (mu / 2)) = exp c * density (c / mu + mu / 2)).
    { replace (c / mu + - (mu / 2)) with (c / mu + mu / 2 - mu) by (field; lra).
      rewrite density_shifted. do 2 f_equal. field. lra. }
    apply (is_derive_ext (fun c => normal_tail (c / mu + - (mu / 2)) - exp c * normal_tail (c / mu + mu / 2)));
      [reflexivity |].
    evar_last.
    - apply (is_derive_minus (fun c => normal_tail (c / mu + - (mu / 2))) (fun c => exp c * normal_tail (c / mu + mu
      / 2)));
        [apply D |].
      apply (is_derive_mult exp (fun c => normal_tail (c / mu + mu / 2))); [| apply D | intros; apply Rmult_comm].
      apply is_derive_Reals, derivable_pt_lim_exp.
    - unfold minus, plus, opp. simpl. unfold mult. simpl. rewrite same. ring.
  Qed.
  Definition mixed (c z : R) := density (z - n) * profile_at m (c - n * z + n * n / 2).
  Definition mixed_falls (c z : R) := - exp c * joint (c + (m * m + n * n) / 2) z.

  Lemma shifted_continuous c z : continuity_2d_pt (fun c z => c - n * z + n * n / 2) c z.
  Proof.
    apply continuity_2d_pt_plus; [| apply continuity_2d_pt_const].
    apply continuity_2d_pt_minus; [apply continuity_2d_pt_id1 |].
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id2].
  Qed.
  Lemma mixed_continuous c z : continuity_2d_pt mixed c z.
  Proof using M.
    apply continuity_2d_pt_mult.
    - apply (continuity_1d_2d_pt_comp density (fun _ z => z - n)); [apply density_continuity |].
      apply continuity_2d_pt_minus; [apply continuity_2d_pt_id2 | apply continuity_2d_pt_const].
    - apply (continuity_1d_2d_pt_comp (profile_at m)); [| apply shifted_continuous].
      apply derivable_continuous_pt. eexists. apply is_derive_Reals, profile_at_derive, M.
  Qed.
  Lemma mixed_falls_continuous c z : continuity_2d_pt mixed_falls c z.
  Proof.
    apply continuity_2d_pt_mult.
    - apply continuity_2d_pt_opp, (continuity_1d_2d_pt_comp exp (fun c _ => c)); [| apply continuity_2d_pt_id1].
      apply derivable_continuous_pt, derivable_pt_exp.
    - unfold joint. apply continuity_2d_pt_mult.
      + apply (continuity_1d_2d_pt_comp density (fun _ z => z));
        [apply density_continuity | apply continuity_2d_pt_id2].
      + apply (continuity_1d_2d_pt_comp normal_tail); [apply tail_continuity |].
        unfold Rdiv. apply continuity_2d_pt_mult; [| apply continuity_2d_pt_const].
        apply continuity_2d_pt_minus; [apply continuity_2d_pt_plus;
          [apply continuity_2d_pt_id1 | apply continuity_2d_pt_const] |].
        apply continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id2].
  Qed.
  Lemma mixed_derive c z : is_derive (fun c => mixed c z) c (mixed_falls c z).
  Proof using M.
    unfold mixed, mixed_falls, joint. evar_last.
    - apply (is_derive_scal (fun c => profile_at m (c - n * z + n * n / 2)) c (density (z - n))).
      apply (is_derive_comp (profile_at m) (fun c => c - n * z + n * n / 2)); [apply profile_at_derive, M |].
      instantiate (1 := 1). auto_derive; [exact I | ring].
    - unfold scal. simpl. unfold mult. simpl. rewrite density_shifted.
      replace ((c + (m * m + n * n) / 2 - n * z) / m) with ((c - n * z + n * n / 2) / m + m / 2) by (field; lra).
      replace (exp c) with (exp (n * z - n * n / 2) * exp (c - n * z + n * n / 2))
        by (rewrite <- exp_plus; f_equal; ring). ring.
  Qed.
  Lemma profile_at_nonnegative mu c : 0 < mu -> 0 <= profile_at mu c.
  Proof.
    intro U. pose proof (profile_nonnegative mu U (exp c) (exp_pos c)) as P. unfold profile in P.
    rewrite ln_exp in P. exact P.
  Qed.

  Lemma mixed_at_most c : RInt (mixed c) (- half) half <= profile_at k c.
  Proof using M N wide.
    pose proof root_positive as K. pose proof root_square as KK. apply Rnot_lt_le. intro more.
    set (gap := RInt (mixed c) (- half) half - profile_at k c). assert (G : 0 < gap) by (unfold gap; lra).
    destruct (normal_tail_far (gap / 2)) as (x & X & far); [lra |].
    pose (c' := Rmax c (m * (x + m / 2) + n * half - n * n / 2)).
    pose proof (Rmax_l c (m * (x + m / 2) + n * half - n * n / 2)) as up.
    pose proof (Rmax_r c (m * (x + m / 2) + n * half - n * n / 2)) as out. fold c' in up, out.
    assert (falls : profile_at k c' - RInt (mixed c') (- half) half <= profile_at k c - RInt (mixed c) (- half) half).
    { apply (decreases (fun c => profile_at k c - RInt (mixed c) (- half) half)
        (fun c => - exp c * normal_tail (c / k + k / 2) - RInt (mixed_falls c) (- half) half) c c' up).
      - intros y _. apply (is_derive_minus (profile_at k) (fun c => RInt (mixed c) (- half) half)).
        + apply profile_at_derive, K.
        + apply derive_under; [apply mixed_derive | apply mixed_continuous | apply mixed_falls_continuous].
      - intros y _. pose proof (joint_at_most (y + (m * m + n * n) / 2)) as J.
        replace ((y + (m * m + n * n) / 2) / k) with (y / k + k / 2) in J by (rewrite <- KK; field; lra).
        assert (R0 : RInt (mixed_falls y) (- half) half =
          - exp y * RInt (joint (y + (m * m + n * n) / 2)) (- half) half).
        { apply (RInt_scal (V := R_CompleteNormedModule) (joint (y + (m * m + n * n) / 2)) (- half) half (- exp y)).
          apply integrable. intros z _. apply section_continuous, joint_continuous. }
        rewrite R0. pose proof (exp_pos y) as E0.
        assert (exp y * RInt (joint (y + (m * m + n * n) / 2)) (- half) half <= exp y * normal_tail (y / k + k / 2))
          by (apply Rmult_le_compat_l; lra). lra. }
    assert (small : RInt (mixed c') (- half) half <= gap / 2).
    { assert (C : forall z, continuous (fun z => gap / 2 * density (z - n)) z).
      { intro z. apply (ex_derive_continuous (fun z => gap / 2 * density (z - n))). eexists.
        apply (is_derive_scal (fun z => density (z - n)) z (gap / 2)).
        apply (is_derive_comp density (fun z => z - n)); [apply density_derive |].
        instantiate (1 := 1). auto_derive; [exact I | ring]. }
      apply Rle_trans with (RInt (fun z => gap / 2 * density (z - n)) (- half) half).
      - apply integral_monotone; [lra | intro; apply section_continuous, mixed_continuous | exact C |].
        intros z Z. unfold mixed. rewrite Rmult_comm. apply Rmult_le_compat_r; [left; apply density_positive |].
        unfold profile_at.
        pose proof (normal_tail_between ((c' - n * z + n * n / 2) / m + m / 2)).
        pose proof (exp_pos (c' - n * z + n * n / 2)).
        assert (0 <= exp (c' - n * z + n * n / 2) * normal_tail ((c' - n * z + n * n / 2) / m + m / 2))
          by (apply Rmult_le_pos; lra).
        assert (normal_tail ((c' - n * z + n * n / 2) / m - m / 2) <= gap / 2); [| lra].
        apply far. apply (Rmult_le_reg_l m); [exact M |].
        replace (m * ((c' - n * z + n * n / 2) / m - m / 2)) with (c' - n * z + n * n / 2 - m * (m / 2)) by (field;
          lra).
        assert (n * z <= n * half) by (apply Rmult_le_compat_l; lra). lra.
      - rewrite (integral_by (fun z => gap / 2 * - normal_tail (z - n))).
        + pose proof (normal_tail_between (half - n)). pose proof (normal_tail_between (- half - n)).
          assert (gap / 2 * (normal_tail (- half - n) - normal_tail (half - n)) <= gap / 2 * 1)
            by (apply Rmult_le_compat_l; lra). lra.
        + intro z. evar_last.
          * apply (is_derive_scal (fun z => - normal_tail (z - n)) z (gap / 2)).
            apply (is_derive_opp (fun z => normal_tail (z - n))).
            apply (is_derive_comp normal_tail (fun z => z - n)); [apply normal_tail_derive |].
            instantiate (1 := 1). auto_derive; [exact I | ring].
          * unfold opp, scal. simpl. unfold mult. simpl. ring.
        + exact C. }
    pose proof (profile_at_nonnegative k c' K). unfold gap in *. lra.
  Qed.
End normal_sum.

(* Two steps.  How likely the test is to accept in view of the first outcome is cut into stairs between normal tails;
   each stair is a test of the first outcome, and the sum over the stairs is at most the integral above. *)
Lemma normal_tail_strictly x y : x < y -> normal_tail y < normal_tail x.
Proof.
  intro order. destruct (MVT_cor2 normal_tail (fun x => - density x) x y order) as (c & same & _).
  - intros c _. apply is_derive_Reals, normal_tail_derive.
  - pose proof (density_positive c). assert (0 < density c * (y - x)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma profile_of_exp mu c : profile mu (exp c) = profile_at mu c.
Proof. unfold profile, profile_at. rewrite ln_exp. reflexivity. Qed.
Lemma profile_steepness mu t t' : 0 < mu -> 0 < t' -> t' <= t -> profile mu t' <= profile mu t + (t - t').
Proof.
  intros U T order. pose proof (half_line_below_profile mu t (ln t' / mu + mu / 2) U ltac:(lra)) as B.
  replace (ln t' / mu + mu / 2 - mu) with (ln t' / mu - mu / 2) in B by (field; lra).
  unfold profile at 1. pose proof (normal_tail_between (ln t' / mu + mu / 2)).
  assert ((t - t') * normal_tail (ln t' / mu + mu / 2) <= (t - t') * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section stairs.
  Variables m n half step : R.
  Hypotheses (M : 0 < m) (N : 0 < n) (wide : 0 < half) (fine : 0 < step).
  Let place (i : nat) := - half + INR i * step.
  Let height (i : nat) := normal_tail (place i) - normal_tail (place (S i)).
  Let gain (i : nat) := normal_tail (place i - n) - normal_tail (place (S i) - n).
  Let slack := step * (half + n + step).
  Definition stair (i : nat) (x : R) := Rmax 0 (Rmin 1 ((x - normal_tail (place (S i))) / height i)).
  Fixpoint stairs (weight : nat -> R) (count : nat) (x : R) : R :=
    match count with O => 0 | S i => stairs weight i x + weight i * stair (S i) x end.

  Lemma place_next i : place (S i) = place i + step.
  Proof. unfold place. rewrite S_INR. ring. Qed.
  Lemma height_positive i : 0 < height i.
  Proof using fine.
    unfold height. pose proof (place_next i). pose proof (normal_tail_strictly (place i) (place (S i)) ltac:(lra)).
      lra.
  Qed.
  Lemma gain_positive i : 0 < gain i.
  Proof using fine.
    unfold gain. pose proof (place_next i).
    pose proof (normal_tail_strictly (place i - n) (place (S i) - n) ltac:(lra)). lra.
  Qed.
  Lemma stair_between i x : 0 <= stair i x <= 1.
  Proof. unfold stair. split; [apply Rmax_l | apply Rmax_lub; [lra | apply Rmin_l]]. Qed.
  Lemma stair_full i x : normal_tail (place i) <= x -> stair i x = 1.
  Proof using fine.
    intro above. pose proof (height_positive i) as H. unfold stair.
    assert (1 <= (x - normal_tail (place (S i))) / height i).
    { apply (Rmult_le_reg_r (height i)); [exact H |].
      replace ((x - normal_tail (place (S i))) / height i * height i) with (x - normal_tail (place (S i))) by (field;
        lra).
      unfold height. lra. }
    rewrite Rmin_left, Rmax_right; lra.
  Qed.
  Lemma stair_height i x : height i * stair i x = Rmax 0 (Rmin (height i) (x - normal_tail (place (S i)))).
  Proof using fine.
    pose proof (height_positive i) as H. unfold stair. set (y := (x - normal_tail (place (S i))) / height i).
    replace (x - normal_tail (place (S i))) with (height i * y) by (unfold y; field; lra).
    unfold Rmin, Rmax. repeat destruct (Rle_dec _ _); nra.
  Qed.
  Lemma stairs_below count x : stairs (fun i => height (S i)) count x <= Rmax 0 (x - normal_tail (place (S count))).
  Proof using fine.
    induction count as [| i IH]; simpl stairs; [apply Rmax_l |].
    rewrite stair_height. pose proof (height_positive (S i)) as H. unfold height in *.
    unfold Rmin, Rmax in *. repeat destruct (Rle_dec _ _); lra.
  Qed.
  Lemma stairs_nonnegative weight count x : (forall i, 0 <= weight i) -> 0 <= stairs weight count x.
  Proof.
    intro W. induction count as [| i IH]; simpl stairs; [lra |]. pose proof (stair_between (S i) x).
    assert (0 <= weight i * stair (S i) x) by (apply Rmult_le_pos; [apply W | lra]). lra.
  Qed.
  Lemma stairs_above count x y : y <= 1 -> (forall z, x <= normal_tail z -> y <= normal_tail (z - n)) ->
    y <= 1 - normal_tail (place 0 - n) + normal_tail (place count - n) + stairs gain count x.
  Proof using fine.
    intros one apart. induction count as [| i IH]; simpl stairs; [lra |].
    destruct (Rle_dec x (normal_tail (place (S i)))) as [low | high].
    - pose proof (apart _ low). pose proof (normal_tail_between (place 0 - n)).
      pose proof (stairs_nonnegative gain (S i) x (fun i => Rlt_le _ _ (gain_positive i))) as P. simpl stairs in P.
        lra.
    - rewrite stair_full by lra. unfold gain at 2. lra.
  Qed.

  Lemma ratio_at_least x z : x <= z <= x + step -> x + step <= half ->
    exp (- slack - n * z + n * n / 2) * (normal_tail (x - n) - normal_tail (x + step - n)) <=
    normal_tail (x + step) - normal_tail (x + step + step).
  Proof using N fine.
    intros Z inside. set (rate := exp _).
    pose proof (increases (fun y => - normal_tail (y + step) - - (rate * normal_tail (y - n)))
      (fun y => density (y + step) - rate * density (y - n)) x (x + step) ltac:(lra)) as K.
    enough (- normal_tail (x + step) - - (rate * normal_tail (x - n)) <=
            - normal_tail (x + step + step) - - (rate * normal_tail (x + step - n))) by lra.
    apply K.
    - intros y _. evar_last.
      + apply (is_derive_minus (fun y => - normal_tail (y + step)) (fun y => - (rate * normal_tail (y - n)))).
        * apply (is_derive_opp (fun y => normal_tail (y + step))).
          apply (is_derive_comp normal_tail (fun y => y + step)); [apply normal_tail_derive |].
          instantiate (1 := 1). auto_derive; [exact I | ring].
        * apply (is_derive_opp (fun y => rate * normal_tail (y - n))).
          apply (is_derive_scal (fun y => normal_tail (y - n)) y rate).
          apply (is_derive_comp normal_tail (fun y => y - n)); [apply normal_tail_derive |].
          instantiate (1 := 1). auto_derive; [exact I | ring].
      + unfold minus, plus, opp, scal. simpl. unfold mult. simpl. ring.
    - intros y Y. replace (y + step) with (y - - step) by ring. rewrite !density_shifted.
      pose proof (density_positive y) as D.
      enough (rate * exp (n * y - n * n / 2) <= exp (- step * y - - step * - step / 2)).
      { assert (rate * exp (n * y - n * n / 2) * density y <= exp (- step * y - - step * - step / 2) * density y)
          by (apply Rmult_le_compat_r; lra). lra. }
      unfold rate. rewrite <- exp_plus. apply exp_le. unfold slack.
      assert (n * (y - z) <= n * step) by (apply Rmult_le_compat_l; lra).
      assert (step * y <= step * half) by (apply Rmult_le_compat_l; lra). nra.
  Qed.

  Lemma slice i t : 0 < t -> place (S i) <= half ->
    gain i * profile m (t * height (S i) / gain i) <= RInt (mixed m n (ln t - slack)) (place i) (place (S i)).
  Proof using M N fine.
    intros T inside. pose proof (gain_positive i) as G. pose proof (height_positive (S i)) as H.
    set (value := profile m (t * height (S i) / gain i)). pose proof (place_next i) as next.
    assert (C : forall z, continuous (fun z => value * density (z - n)) z).
    { intro z. apply (ex_derive_continuous (fun z => value * density (z - n))). eexists.
      apply (is_derive_scal (fun z => density (z - n)) z value).
      apply (is_derive_comp density (fun z => z - n)); [apply density_derive |].
      instantiate (1 := 1). auto_derive; [exact I | ring]. }
    apply Rle_trans with (RInt (fun z => value * density (z - n)) (place i) (place (S i))).
    - rewrite (integral_by (fun z => value * - normal_tail (z - n))); [| | exact C].
      + unfold gain. right. ring.
      + intro z. evar_last.
        * apply (is_derive_scal (fun z => - normal_tail (z - n)) z value).
          apply (is_derive_opp (fun z => normal_tail (z - n))).
          apply (is_derive_comp normal_tail (fun z => z - n)); [apply normal_tail_derive |].
          instantiate (1 := 1). auto_derive; [exact I | ring].
        * unfold opp, scal. simpl. unfold mult. simpl. ring.
    - apply integral_monotone; [lra | exact C | intro; apply section_continuous, mixed_continuous, M |].
      intros z Z. unfold mixed. rewrite Rmult_comm.
      apply Rmult_le_compat_l; [left; apply density_positive |].
      rewrite <- profile_of_exp. unfold value. apply profile_falls; [exact M | apply exp_pos |].
      pose proof (ratio_at_least (place i) z ltac:(lra) ltac:(lra)) as K.
      rewrite <- next, <- place_next in K. fold (gain i) in K. fold (height (S i)) in K.
      apply (Rmult_le_reg_r (gain i)); [exact G |].
      replace (t * height (S i) / gain i * gain i) with (t * height (S i)) by (field; lra).
      replace (ln t - slack - n * z + n * n / 2) with (ln t + (- slack - n * z + n * n / 2)) by ring.
      rewrite exp_plus, exp_ln by exact T. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
  Qed.

  Context {O : space} (p q : law O) (v : O -> R).
  Hypotheses (V : test v) (apart : told_apart m p q).
  Lemma stair_test i : test (fun o => stair i (v o)).
  Proof using V.
    split; [| intro; apply stair_between].
    apply observable_greatest; [apply observable_constant |].
    apply observable_least; [apply observable_constant |].
    apply (observable_same O (fun o => / height i * (v o + - normal_tail (place (S i)))));
      [intro; unfold Rdiv; apply Rmult_comm |].
    apply (observable_multiple O (/ height i) (fun o => v o + - normal_tail (place (S i)))).
    apply observable_shifted, V.
  Qed.
  Lemma stairs_observable weight count : observable (fun o => stairs weight count (v o)).
  Proof using V.
    induction count as [| i IH]; simpl stairs; [apply observable_constant |].
    apply (observable_sum O (fun o => stairs weight i (v o)) (fun o => weight i * stair (S i) (v o)) IH).
    apply (observable_multiple O (weight i) (fun o => stair (S i) (v o))), stair_test.
  Qed.
  Lemma stairs_E (r : law O) weight i :
    E r (fun o => stairs weight (S i) (v o)) =
    E r (fun o => stairs weight i (v o)) + weight i * E r (fun o => stair (S i) (v o)).
  Proof using V.
    simpl stairs. rewrite (E_sum r (fun o => stairs weight i (v o)) (fun o => weight i * stair (S i) (v o))).
    - rewrite (E_multiple r (weight i) (fun o => stair (S i) (v o))); [reflexivity | apply stair_test].
    - apply stairs_observable.
    - apply (observable_multiple O (weight i) (fun o => stair (S i) (v o))), stair_test.
  Qed.
  Lemma stairs_told_apart count t : 0 < t -> place count <= half ->
    E p (fun o => stairs gain count (v o)) - t * E q (fun o => stairs (fun i => height (S i)) count (v o)) <=
    RInt (mixed m n (ln t - slack)) (place 0) (place count).
  Proof using M N fine V apart.
    intros T. induction count as [| i IH]; intro inside.
    - simpl stairs. rewrite !E_constant, RInt_point. unfold zero. simpl. lra.
    - rewrite !stairs_E. pose proof (place_next i). pose proof (IH ltac:(lra)) as before.
      pose proof (slice i t T inside) as S0. pose proof (gain_positive i) as G.
        pose proof (height_positive (S i)) as H'.
      assert (ratio : 0 < t * height (S i) / gain i).
      { apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; assumption. }
      pose proof (told_apart_within p q m _ M ratio apart _ (stair_test (S i))) as one.
      apply (Rmult_le_compat_l (gain i)) in one; [| lra].
      replace (gain i * (t * height (S i) / gain i * E q (fun o => stair (S i) (v o)) + profile m (t * height (S i) /
        gain i)))
        with (t * (height (S i) * E q (fun o => stair (S i) (v o))) + gain i * profile m (t * height (S i) / gain i))
        in one by (field; lra).
      assert (chain : RInt (mixed m n (ln t - slack)) (place 0) (place (S i)) =
        RInt (mixed m n (ln t - slack)) (place 0) (place i) + RInt (mixed m n (ln t - slack)) (place i) (place (S i))).
      { symmetry. apply (RInt_Chasles (V := R_CompleteNormedModule)); apply integrable; intros z _;
          apply section_continuous, mixed_continuous, M. }
      rewrite chain. lra.
  Qed.

  Lemma two_told_apart (u : O -> R) count t : 0 < t -> INR count * step = 2 * half -> test u ->
    (forall o z, v o <= normal_tail z -> u o <= normal_tail (z - n)) ->
    E p u - t * E q v <= normal_tail (half + n) + normal_tail (half - n)
                         + profile_at (sqrt (m * m + n * n)) (ln t - slack).
  Proof using M N wide fine V apart.
    intros T whole U after.
    assert (last : place count = half) by (unfold place; lra).
    assert (first : place 0 = - half) by (unfold place; simpl; ring).
    pose proof (stairs_told_apart count t T ltac:(lra)) as K. rewrite first, last in K.
    pose proof (mixed_at_most m n half M N (Rlt_le _ _ wide) (ln t - slack)) as J.
    assert (A : E p u <= E p (fun o => stairs gain count (v o)) + (normal_tail (half + n) + normal_tail (half - n))).
    { rewrite <- E_shifted by apply stairs_observable.
      apply E_monotone; [apply U | apply observable_shifted, stairs_observable |].
      intro o. pose proof (stairs_above count (v o) (u o) (proj2 (proj2 U o)) (after o)) as L.
      rewrite first, last in L. replace (- half - n) with (- (half + n)) in L by ring.
      rewrite normal_tail_reflected in L. lra. }
    assert (B : E q (fun o => stairs (fun i => height (S i)) count (v o)) <= E q v).
    { apply E_monotone; [apply stairs_observable | apply V |]. intro o.
      eapply Rle_trans; [apply stairs_below |]. apply Rmax_lub; [apply V |].
      pose proof (normal_tail_between (place (S count))). lra. }
    apply (Rmult_le_compat_l t) in B; [| lra]. lra.
  Qed.
End stairs.

Lemma composed_told_apart {O P : space} (p q : law O) (k l : kernel O P) m n :
  0 < m -> 0 < n -> told_apart m p q -> (forall o, told_apart n (k o) (l o)) ->
  told_apart (sqrt (m * m + n * n)) (both p k) (both q l).
Proof.
  intros M N H H'. pose proof (root_positive m n M N) as K. apply within_told_apart; [exact K |].
  intros t T f F. simpl.
  assert (S : forall o, test (fun b => f (o, b))).
  { intro o. split; [apply F | intro; apply F]. }
  assert (V : forall g : kernel O P, test (fun o => E (g o) (fun b => f (o, b)))).
  { intro g. split; [exact (run_observable g (fun o b => f (o, b)) (proj1 F)) | intro o; apply E_test, S]. }
  apply Rnot_lt_le. intro more. set (u := fun o => E (k o) (fun b => f (o, b))) in *.
  set (v := fun o => E (l o) (fun b => f (o, b))) in *.
  set (gap := E p u - (t * E q v + profile (sqrt (m * m + n * n)) t)). assert (G : 0 < gap) by (unfold gap; lra).
  destruct (normal_tail_far (gap / 4)) as (x & X & far); [lra |].
  pose (half := n + x). assert (wide : 0 < half) by (unfold half; lra).
  destruct (INR_unbounded (1 + 4 * half * t * (3 * half + n) / gap)) as [count C].
  assert (0 <= 4 * half * t * (3 * half + n) / gap).
  { apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; lra]. repeat apply Rmult_le_pos; lra. }
  assert (many : 1 < INR count) by lra.
  pose (step := 2 * half / INR count). assert (fine : 0 < step) by (apply Rdiv_lt_0_compat; lra).
  assert (whole : INR count * step = 2 * half) by (unfold step; field; lra).
  pose proof (two_told_apart m n half step M N wide fine p q v (V l) H u count t T whole (V k)
    (fun o z below => H' o _ z (S o) below)) as A.
  pose proof (far (half + n) ltac:(unfold half; lra)). pose proof (far (half - n) ltac:(unfold half; lra)).
  set (slack := step * (half + n + step)) in *.
  assert (S0 : 0 < slack) by (apply Rmult_lt_0_compat; lra).
  assert (small : t * slack < gap / 2).
  { assert (step <= 2 * half).
    { rewrite <- whole. rewrite <- (Rmult_1_l step) at 1. apply Rmult_le_compat_r; lra. }
    apply Rle_lt_trans with (t * (step * (3 * half + n))).
    - apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l; lra.
    - apply (Rmult_lt_reg_l (INR count)); [lra |].
      replace (INR count * (t * (step * (3 * half + n)))) with (INR count * step * t * (3 * half + n)) by ring.
      rewrite whole.
      assert (D : 4 * half * t * (3 * half + n) / gap * gap < INR count * gap) by (apply Rmult_lt_compat_r; lra).
      replace (4 * half * t * (3 * half + n) / gap * gap) with (4 * half * t * (3 * half + n)) in D by (field; lra).
        lra. }
  rewrite <- profile_of_exp in A. unfold Rminus in A at 3. rewrite exp_plus, exp_ln in A by exact T.
  assert (E0 : 1 - slack <= exp (- slack) <= 1).
  { pose proof (exp_ineq1_le (- slack)). split; [lra |]. rewrite <- exp_0. apply exp_le. lra. }
  assert (t * exp (- slack) <= t * 1) by (apply Rmult_le_compat_l; lra).
  assert (t * (1 - slack) <= t * exp (- slack)) by (apply Rmult_le_compat_l; lra).
  pose proof (profile_steepness (sqrt (m * m + n * n)) t (t * exp (- slack)) K
    (Rmult_lt_0_compat _ _ T (exp_pos _)) ltac:(lra)). unfold gap in *. lra.
Qed.

(* What is so for every larger number is so for the number. *)
Lemma gaussian_limit {O : space} (p q : law O) c :
  0 <= c -> (forall more, 0 < more -> gaussian (c + more) p q) -> gaussian c p q.
Proof.
  intros C H f z F below. apply Rnot_lt_le. intro high.
  set (gap := E p f - normal_tail (z - sqrt c)). assert (G : 0 < gap) by (unfold gap; lra).
  assert (step : sqrt (c + gap / 2 * (gap / 2)) <= sqrt c + gap / 2).
  { rewrite <- (sqrt_square (sqrt c + gap / 2)) by (pose proof (sqrt_pos c); lra). apply sqrt_le_1_alt.
    pose proof (sqrt_sqrt c C). pose proof (sqrt_pos c).
    assert (0 <= sqrt c * gap) by (apply Rmult_le_pos; lra). lra. }
  pose proof (H (gap / 2 * (gap / 2)) ltac:(apply Rmult_lt_0_compat; lra) f z F below) as K.
  pose proof (normal_tail_falls (z - (sqrt c + gap / 2)) (z - sqrt (c + gap / 2 * (gap / 2))) ltac:(lra)).
  destruct (MVT_cor2 normal_tail (fun x => - density x) (z - (sqrt c + gap / 2)) (z - sqrt c)) as (y & same & _);
    [lra | |].
  - intros y _. apply is_derive_Reals, normal_tail_derive.
  - assert (D : density y <= 1).
    { unfold density. pose proof root_of_two_pi as S.
      assert (1 <= sqrt (2 * PI)).
      { rewrite <- sqrt_1. apply sqrt_le_1_alt. pose proof PI2_3_2. unfold PI2 in *. lra. }
      apply (Rmult_le_reg_r (sqrt (2 * PI))); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (bell y <= 1); [| lra]. unfold bell. rewrite <- exp_0. apply exp_le. pose proof (Rle_0_sqr y).
      unfold Rsqr in *. lra. }
    replace (z - sqrt c - (z - (sqrt c + gap / 2))) with (gap / 2) in same by ring.
    assert (density y * (gap / 2) <= 1 * (gap / 2)) by (apply Rmult_le_compat_r; lra). unfold gap in *. lra.
Qed.

(* adaptive, under Gaussian DP: the squares of mu add up, whatever the second step reads *)
Theorem adaptive_gaussian {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (N : X -> kernel O P) c1 c2 :
  0 <= c1 -> 0 <= c2 -> private near M (gaussian c1) ->
  (forall previous, private near (fun x => N x previous) (gaussian c2)) ->
  private near (fun x => both (M x) (N x)) (gaussian (c1 + c2)).
Proof.
  intros P1 P2 H H' x y n. apply gaussian_limit; [lra |]. intros more some.
  assert (A : 0 < c1 + more / 2) by lra. assert (B : 0 < c2 + more / 2) by lra. unfold gaussian.
  replace (c1 + c2 + more) with (sqrt (c1 + more / 2) * sqrt (c1 + more / 2) + sqrt (c2 + more / 2) * sqrt (c2 + more
    / 2)).
  2:{ rewrite !sqrt_sqrt by lra. field. }
  apply composed_told_apart; try (apply sqrt_lt_R0; assumption).
  - apply (weaken_gaussian _ _ c1); [lra | apply H, n].
  - intro o. apply (weaken_gaussian _ _ c2); [lra | apply (H' o), n].
Qed.

(* compose, under Gaussian DP *)
Theorem compose_gaussian {X} {T : Type} {P : space} (near : X -> X -> Prop) (M : mechanism X (plain T))
    (N : mechanism X P) c1 c2 :
  0 <= c1 -> 0 <= c2 -> private near M (gaussian c1) -> private near N (gaussian c2) ->
  private near (fun x => both (M x) (always (N x))) (gaussian (c1 + c2)).
Proof. intros P1 P2 H H'. apply (adaptive_gaussian near M (fun x => always (N x))); auto. Qed.

(* compose_many, under Gaussian DP: k independent draws *)
Lemma gaussian_same {O : space} (p : law O) : gaussian 0 p p.
Proof. intros f z _ below. rewrite sqrt_0, Rminus_0_r. exact below. Qed.
Theorem compose_many_gaussian {X} {O : space} (near : X -> X -> Prop) ignoring (M : mechanism X O) c k :
  (forall P (p : law P) previous, run (ignoring P p) previous = p) -> 0 <= c -> private near M (gaussian c) ->
  private near (repeated ignoring M k) (gaussian (INR k * c)).
Proof.
  intros ignores C H. induction k as [| k IH].
  - intros x y _. simpl. rewrite Rmult_0_l. apply gaussian_same.
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Rplus_comm.
    apply (adaptive_gaussian near M (fun x => ignoring _ (repeated ignoring M k x))); [exact C | | exact H |].
    + apply Rmult_le_pos; [apply pos_INR | exact C].
    + intros previous x y n. rewrite !ignores. apply IH, n.
Qed.

(* A truth told with probability 3/4 is within mu = 4; told twice, mu^2 = 32, which is 16-zCDP. *)
Example told_3_of_4_gaussian : private (fun _ _ => True) told_3_of_4 (gaussian (4 * 4)).
Proof.
  apply (pure_to_gaussian _ _ (ln 3)); [auto | lra | | exact told_3_of_4_private].
  rewrite sqrt_square, exp_ln by lra. pose proof (normal_tail_bound (4 / 2) ltac:(lra)) as B.
  replace (- (4 / 2 * (4 / 2)) / 2) with (- (1 + 1)) in B by field. rewrite exp_Ropp, exp_plus in B.
  pose proof (exp_ineq1_le 1) as two.
  assert (/ (exp 1 * exp 1) <= / 4); [| lra]. apply Rinv_le_contravar; [lra |].
  replace 4 with (2 * 2) by ring. apply Rmult_le_compat; lra.
Qed.
Example told_twice_concentrated :
  private (fun _ _ => True) (repeated (fun P p => always p) told_3_of_4 2) (concentrated 16).
Proof.
  replace 16 with (INR 2 * (4 * 4) / 2) by (simpl; lra).
  apply gaussian_to_concentrated; [simpl; lra |].
  apply compose_many_gaussian; [reflexivity | lra | exact told_3_of_4_gaussian].
Qed.

(* Normal noise.  On the line bounded continuous functions are integrated, which determines a law of real numbers. *)
Lemma continuity_least (f g : R -> R) : continuity f -> continuity g -> continuity (fun x => Rmin (f x) (g x)).
Proof.
  intros F G.
  replace (fun x => Rmin (f x) (g x)) with (fun x => / 2 * (f x + g x - Rabs (f x - g x))).
  - apply (continuity_scal (fun x => f x + g x - Rabs (f x - g x))).
    apply (continuity_minus (fun x => f x + g x) (fun x => Rabs (f x - g x))); [apply continuity_plus; assumption |].
    apply (continuity_comp (fun x => f x - g x) Rabs); [apply continuity_minus; assumption | apply Rcontinuity_abs].
  - extensionality x. unfold Rmin, Rabs. destruct (Rle_dec (f x) (g x)), (Rcase_abs (f x - g x)); lra.
Qed.
Definition line : space.
Proof.
  refine (Space R (fun f => bounded f /\ continuity f) _ _ _ _ _ _ _).
  - intros f [B _]. exact B.
  - intros f g same [B C]. replace g with f by (extensionality o; apply same). auto.
  - intro c. split; [apply bounded_constant | intro x; apply continuity_pt_const; intros ? ?; reflexivity].
  - intros f g [B C] [B' C']. split; [apply bounded_sum; assumption | apply (continuity_plus f g); assumption].
  - intros c f [B C]. split; [apply bounded_multiple, B | apply (continuity_scal f c), C].
  - intros f g [B C] [B' C']. split; [apply bounded_least; assumption | apply continuity_least; assumption].
  - intros g f G [B C]. split; [apply bounded_image; assumption | apply (continuity_comp f g); assumption].
Defined.

Definition partial (f : R -> R) (n : nat) : R := RInt (fun z => f z * density z) (- INR n) (INR n).
Lemma weighed_continuous (f w : R -> R) z : continuity f -> continuity w -> continuous (fun z => f z * w z) z.
Proof. intros F W. apply continuity_pt_filterlim, (continuity_pt_mult f w); [apply F | apply W]. Qed.
Lemma partial_monotone f g n : continuity f -> continuity g -> (forall x, f x <= g x) -> partial f n <= partial g n.
Proof.
  intros F G below. pose proof (pos_INR n).
  apply integral_monotone; try (intro; apply weighed_continuous; auto using density_continuity); [lra |].
  intros z _. apply Rmult_le_compat_r; [left; apply density_positive | apply below].
Qed.
Lemma partial_sum f g n : continuity f -> continuity g -> partial (fun x => f x + g x) n = partial f n + partial g n.
Proof.
  intros F G. unfold partial. etransitivity.
  - apply (RInt_ext _ (fun z => plus (f z * density z) (g z * density z))). intros z _. apply Rmult_plus_distr_r.
  - apply (RInt_plus (V := R_CompleteNormedModule) (fun z => f z * density z) (fun z => g z * density z));
      apply integrable; intros; apply weighed_continuous; auto using density_continuity.
Qed.
Lemma partial_multiple c f n : continuity f -> partial (fun x => c * f x) n = c * partial f n.
Proof.
  intro F. unfold partial. etransitivity.
  - apply (RInt_ext _ (fun z => scal c (f z * density z))). intros z _. apply Rmult_assoc.
  - apply (RInt_scal (V := R_CompleteNormedModule) (fun z => f z * density z)).
    apply integrable; intros; apply weighed_continuous; auto using density_continuity.
Qed.
Lemma partial_one n : partial (fun _ => 1) n = 1 - 2 * normal_tail (INR n).
Proof.
  unfold partial. rewrite (integral_by (fun z => - normal_tail z)).
  - rewrite normal_tail_reflected. ring.
  - intro z. evar_last; [apply (is_derive_opp normal_tail), normal_tail_derive |]. unfold opp. simpl. ring.
  - intro z. apply (weighed_continuous (fun _ => 1)); [| apply density_continuity].
    intro x. apply continuity_pt_const. intros ? ?. reflexivity.
Qed.
Lemma tail_vanishes : is_lim_seq (fun n => normal_tail (INR n)) 0.
Proof.
  apply is_lim_seq_spec. intros [eps positive]. destruct (normal_tail_far (eps / 2)) as (x & X & far); [lra |].
  destruct (INR_unbounded x) as [N high]. exists N. intros n order. apply le_INR in order. simpl.
  specialize (far (INR n) ltac:(lra)). pose proof (normal_tail_between (INR n)).
  rewrite Rminus_0_r, Rabs_pos_eq; lra.
Qed.
Lemma partial_grows f n : continuity f -> (forall x, 0 <= f x) -> partial f n <= partial f (S n).
Proof.
  intros F P. pose proof (pos_INR n). unfold partial. rewrite S_INR.
  assert (C : forall a b, ex_RInt (fun z => f z * density z) a b).
  { intros. apply integrable. intros. apply weighed_continuous; auto using density_continuity. }
  assert (Q : forall z, 0 <= f z * density z) by (intro; apply Rmult_le_pos; [apply P | left; apply density_positive]).
  rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ (- (INR n + 1)) (- INR n) (INR n + 1)) by apply C.
  rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ (- INR n) (INR n) (INR n + 1)) by apply C.
  pose proof (RInt_ge_0 (fun z => f z * density z) (- (INR n + 1)) (- INR n) ltac:(lra) (C _ _) (fun z _ => Q z)).
  pose proof (RInt_ge_0 (fun z => f z * density z) (INR n) (INR n + 1) ltac:(lra) (C _ _) (fun z _ => Q z)).
  unfold plus. simpl. lra.
Qed.
Lemma constant_continuity c : continuity (fun _ => c).
Proof. intro x. apply continuity_pt_const. intros ? ?. reflexivity. Qed.
Lemma partial_converges f : bounded f -> continuity f -> is_lim_seq (partial f) (Finite (real (Lim_seq (partial f)))).
Proof.
  intros [c B] F. apply Lim_seq_correct'.
  assert (C : continuity (fun x => f x + c)) by (apply (continuity_plus f (fun _ => c));
    auto using constant_continuity).
  assert (one : forall a n, partial (fun _ => a) n = a * (1 - 2 * normal_tail (INR n))).
  { intros a n. rewrite <- partial_one, <- (partial_multiple a (fun _ => 1)) by apply constant_continuity.
    f_equal. extensionality x. ring. }
  destruct (ex_finite_lim_seq_incr (partial (fun x => f x + c)) (2 * Rabs c)) as [l L].
  - intro n. apply partial_grows; [exact C |]. intro x. specialize (B x). lra.
  - intro n. apply Rle_trans with (partial (fun _ => 2 * Rabs c) n).
    + apply partial_monotone; auto using constant_continuity. intro x. specialize (B x). pose proof (Rle_abs c). lra.
    + rewrite one. pose proof (normal_tail_between (INR n)). pose proof (Rabs_pos c).
      assert (0 <= Rabs c * normal_tail (INR n)) by (apply Rmult_le_pos; lra). lra.
  - exists (l - c * (1 - 2 * 0)).
    apply (is_lim_seq_ext (fun n => partial (fun x => f x + c) n - c * (1 - 2 * normal_tail (INR n)))).
    + intro n. rewrite (partial_sum f (fun _ => c)), one by auto using constant_continuity. ring.
    + apply is_lim_seq_minus'; [exact L |]. apply (is_lim_seq_scal_l _ c (1 - 2 * 0)).
      apply is_lim_seq_minus'; [apply is_lim_seq_const | apply (is_lim_seq_scal_l _ 2 0), tail_vanishes].
Qed.

Definition standard_normal : law line.
Proof.
  refine (Law line (fun f => real (Lim_seq (partial f))) _ _ _ _).
  - intros f g [B F] [B' G] below.
    exact (is_lim_seq_le (partial f) (partial g) _ _ (fun n => partial_monotone f g n F G below)
      (partial_converges f B F) (partial_converges g B' G)).
  - intros f g [B F] [B' G]. rewrite (Lim_seq_ext _ (fun n => partial f n + partial g n)) by (intro;
    apply partial_sum; assumption).
    rewrite (is_lim_seq_unique _ _ (is_lim_seq_plus' _ _ _ _ (partial_converges f B F) (partial_converges g B' G))).
    reflexivity.
  - intros c f [B F]. rewrite (Lim_seq_ext _ (fun n => c * partial f n)) by (intro; apply partial_multiple;
    assumption).
    rewrite (is_lim_seq_unique _ _ (is_lim_seq_scal_l _ c _ (partial_converges f B F))). reflexivity.
  - rewrite (is_lim_seq_unique _ (1 - 2 * 0)); [simpl; ring |].
    apply (is_lim_seq_ext (fun n => 1 - 2 * normal_tail (INR n))); [intro; symmetry; apply partial_one |].
    apply is_lim_seq_minus'; [apply is_lim_seq_const | apply (is_lim_seq_scal_l _ 2 0), tail_vanishes].
Defined.

Lemma affine_observable (f : line -> R) a b : observable f -> observable (s := line) (fun z => f (a + b * z)).
Proof.
  intros [[c B] F]. split; [exists c; intro; apply B |].
  apply (continuity_comp (fun z => a + b * z) f); [| exact F].
  apply (continuity_plus (fun _ => a) (fun z => b * z)); [apply constant_continuity |].
  apply (continuity_scal (fun z => z) b). intro x. apply derivable_continuous_pt, derivable_pt_id.
Qed.
(* x + Z for Z of deviation sigma. *)
Definition plus_normal (sigma : R) : mechanism R line.
Proof.
  refine (fun x => Law line (fun f => E standard_normal (fun z => f (x + sigma * z))) _ _ _ _).
  - intros f g F G below. apply E_monotone; auto using affine_observable.
  - intros f g F G. apply (E_sum standard_normal (fun z => f (x + sigma * z)) (fun z => g (x + sigma * z)));
      apply affine_observable; assumption.
  - intros c f F. apply (E_multiple standard_normal c (fun z => f (x + sigma * z))), affine_observable, F.
  - apply (E_one standard_normal).
Defined.

(* What it integrates to on a bounded interval is what the density exp(log_weight) / N says. *)
Lemma plus_normal_density (log_weight : R -> R) sigma x (f : R -> R) n :
  continuity f -> (forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2)) ->
  partial (fun z => f (x + sigma * z)) n =
  RInt (fun z => f (x + z) * (exp (log_weight z) / (sigma * sqrt (2 * PI)))) (- (sigma * INR n)) (sigma * INR n).
Proof.
  intros F weight_is_normal. pose proof (proj1 (weight_is_normal 0)) as S. pose proof root_of_two_pi as T.
  set (g := fun z => f (x + z) * (exp (log_weight z) / (sigma * sqrt (2 * PI)))).
  assert (C : forall z, continuous g z).
  { intro z. apply continuity_pt_filterlim.
    apply (continuity_pt_mult (fun z => f (x + z)) (fun z => exp (log_weight z) / (sigma * sqrt (2 * PI)))).
    - apply (continuity_pt_comp (fun z => x + z) f); [| apply F].
      apply continuity_pt_plus; [apply constant_continuity | apply derivable_continuous_pt, derivable_pt_id].
    - replace (fun z => exp (log_weight z) / (sigma * sqrt (2 * PI)))
        with (fun z => exp (- z ^ 2 / (2 * sigma ^ 2)) / (sigma * sqrt (2 * PI)))
        by (extensionality y; rewrite (proj2 (weight_is_normal y)); reflexivity).
      apply derivable_continuous_pt. eexists. apply is_derive_Reals. auto_derive; [| reflexivity].
      repeat split; nra. }
  transitivity (RInt g (sigma * - INR n + 0) (sigma * INR n + 0)); [| f_equal; ring].
  rewrite <- (RInt_comp_lin (V := R_CompleteNormedModule) g sigma 0) by (apply integrable; intros; apply C).
  unfold partial. apply RInt_ext. intros z _. unfold scal. simpl. unfold mult. simpl. unfold g, density, bell.
  rewrite (proj2 (weight_is_normal _)), Rplus_0_r.
  replace (- (sigma * z) ^ 2 / (2 * sigma ^ 2)) with (- (z * z) / 2) by (field; lra). field. lra.
Qed.

(* M draws x + Z, and the density of Z is exp(log_weight) / normaliser: M is the limit of integrals. *)
Definition noise_of (log_weight : R -> R) (normaliser width : R) (M : mechanism R line) :=
  forall x (f : R -> R), observable (s := line) f ->
  is_lim_seq (fun n => RInt (fun z => f (x + z) * (exp (log_weight z) / normaliser))
    (- (width * INR n)) (width * INR n)) (Finite (E (M x) f)).
Lemma plus_normal_is_noise (log_weight : R -> R) sigma :
  (forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2)) ->
  noise_of log_weight (sigma * sqrt (2 * PI)) sigma (plus_normal sigma).
Proof.
  intros weight_is_normal x f [B F].
  apply (is_lim_seq_ext (partial (fun z => f (x + sigma * z)))).
  - intro n. apply plus_normal_density; assumption.
  - destruct (affine_observable f x sigma (conj B F)) as [B' F']. apply (partial_converges _ B' F').
Qed.
Lemma noise_of_normal_weight (log_weight : R -> R) normaliser sigma M x (f : line -> R) :
  (forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2)) -> noise_of log_weight normaliser sigma M ->
  observable f -> E (M x) f = E (plus_normal sigma x) f.
Proof.
  intros weight_is_normal noise F. pose proof (proj1 (weight_is_normal 0)) as S. pose proof root_of_two_pi as T.
  pose (factor := sigma * sqrt (2 * PI) * / normaliser).
  assert (K : forall g : line -> R, observable g -> E (M x) g = factor * E (plus_normal sigma x) g).
  { intros g G. pose proof (plus_normal_is_noise log_weight sigma weight_is_normal x g G) as L.
    apply (is_lim_seq_scal_l _ factor) in L. pose proof (noise x g G) as L'.
    apply (is_lim_seq_ext _ (fun n => factor * RInt (fun z => g (x + z) * (exp (log_weight z) / (sigma * sqrt (2 *
      PI))))
      (- (sigma * INR n)) (sigma * INR n))) in L'.
    - apply is_lim_seq_unique in L. apply is_lim_seq_unique in L'. rewrite L' in L. injection L. auto.
    - intro n. rewrite <- (plus_normal_density log_weight sigma x g n (proj2 G) weight_is_normal).
      rewrite <- (partial_multiple factor (fun z => g (x + sigma * z))) by apply (affine_observable g x sigma G).
      rewrite (plus_normal_density log_weight sigma x (fun z => factor * g z) n) by
        (assumption || apply (observable_multiple line factor g G)).
      apply RInt_ext. intros z _. unfold factor, Rdiv.
      assert (J : sigma * sqrt (2 * PI) * / (sigma * sqrt (2 * PI)) = 1).
      { apply Rinv_r. assert (0 < sigma * sqrt (2 * PI)) by (apply Rmult_lt_0_compat; assumption). lra. }
      set (j := / (sigma * sqrt (2 * PI))) in *.
      match goal with |- ?a = ?b => change (@eq R a b) end.
      transitivity (g (x + z) * (exp (log_weight z) * / normaliser) * (sigma * sqrt (2 * PI) * j)); [| ring].
      rewrite J. symmetry. apply Rmult_1_r. }
  pose proof (K (fun _ => 1) (observable_constant line 1)) as one. rewrite !E_one in one.
  rewrite (K f F), <- (Rmult_1_r factor), <- one. ring.
Qed.

(* What a test gains when normal noise is shifted is at most the profile. *)
Lemma shifted_partial (g : R -> R) mu t n : 0 < mu -> 0 < t -> continuity g -> (forall x, 0 <= g x <= 1) ->
  Rabs (ln t / mu + mu / 2) + mu <= INR n ->
  partial (fun z => g (mu + 1 * z)) n <= t * partial g n + profile mu t + 2 * t * normal_tail (INR n).
Proof.
  intros U T G B high. set (b := ln t / mu + mu / 2) in *. pose proof (Rle_abs b). pose proof (Rle_abs (- b)) as below.
  rewrite Rabs_Ropp in below. pose proof (Rabs_pos b).
  assert (D : continuity (fun z => density (z - mu))).
  { intro z. apply derivable_continuous_pt. eexists. apply is_derive_Reals.
    apply (is_derive_comp density (fun z => z - mu)); [apply density_derive |].
    instantiate (1 := 1). auto_derive; [exact I | ring]. }
  assert (W : continuity (fun z => density (z - mu) - t * density z)).
  { apply (continuity_minus (fun z => density (z - mu)) (fun z => t * density z)); [exact D |].
    apply (continuity_scal density t), density_continuity. }
  set (w := fun z => density (z - mu) - t * density z) in *.
  pose (low := - INR n + mu). pose (top := INR n + mu).
  assert (GW : forall x y, ex_RInt (fun z => g z * w z) x y).
  { intros. apply integrable. intros. apply weighed_continuous; assumption. }
  assert (GD : forall x y, ex_RInt (fun z => g z * density z) x y).
  { intros. apply integrable. intros. apply weighed_continuous; auto using density_continuity. }
  (* with the shift in the density *)
  assert (shift : partial (fun z => g (mu + 1 * z)) n = RInt (fun z => g z * density (z - mu)) low top).
  { transitivity (RInt (fun z => g z * density (z - mu)) (1 * - INR n + mu) (1 * INR n + mu));
      [| f_equal; unfold low, top; ring].
    rewrite <- (RInt_comp_lin (V := R_CompleteNormedModule) (fun z => g z * density (z - mu)) 1 mu).
    - unfold partial. apply RInt_ext. intros z _. unfold scal. simpl. unfold mult. simpl.
      replace (1 * z + mu - mu) with z by ring. replace (mu + 1 * z) with (1 * z + mu) by ring. ring.
    - apply integrable. intros. apply weighed_continuous; assumption. }
  assert (split : RInt (fun z => g z * density (z - mu)) low top =
    RInt (fun z => g z * w z) low top + t * RInt (fun z => g z * density z) low top).
  { symmetry. etransitivity; [apply Rplus_eq_compat_l; symmetry;
      apply (RInt_scal (V := R_CompleteNormedModule) (fun z => g z * density z) low top t), GD |].
    etransitivity; [symmetry; apply (RInt_plus (V := R_CompleteNormedModule));
      [apply GW | apply (ex_RInt_scal (V := R_NormedModule)), GD] |].
    apply RInt_ext. intros z _. unfold scal, plus, w. simpl. unfold mult. simpl. ring. }
  (* the excess is negative below b, and that of the half line above *)
  assert (sign : forall z, (z <= b -> w z <= 0) /\ (b <= z -> 0 <= w z)).
  { intro z. unfold w. rewrite density_shifted. pose proof (density_positive z) as P.
    assert (at_b : mu * b - mu * mu / 2 = ln t) by (unfold b; field; lra). split; intro Z.
    - assert (exp (mu * z - mu * mu / 2) <= t).
      { rewrite <- (exp_ln t T). apply exp_le. rewrite <- at_b.
        assert (mu * z <= mu * b) by (apply Rmult_le_compat_l; lra). lra. }
      assert (exp (mu * z - mu * mu / 2) * density z <= t * density z) by (apply Rmult_le_compat_r; lra). lra.
    - assert (t <= exp (mu * z - mu * mu / 2)).
      { rewrite <- (exp_ln t T). apply exp_le. rewrite <- at_b.
        assert (mu * b <= mu * z) by (apply Rmult_le_compat_l; lra). lra. }
      assert (t * density z <= exp (mu * z - mu * mu / 2) * density z) by (apply Rmult_le_compat_r; lra). lra. }
  assert (excess : RInt (fun z => g z * w z) low top <= profile mu t + t * normal_tail (INR n)).
  { rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ low b top) by apply GW.
    assert (left : RInt (fun z => g z * w z) low b <= 0).
    { apply Rle_trans with (RInt (fun _ => 0 * 0) low b).
      - apply integral_monotone; [unfold low; lra | intro; apply weighed_continuous; assumption | |].
        + intro z. apply (weighed_continuous (fun _ => 0) (fun _ => 0)); apply constant_continuity.
        + intros z Z. destruct (sign z) as [S _]. specialize (S ltac:(lra)). specialize (B z).
          assert (0 <= g z * - w z) by (apply Rmult_le_pos; lra). lra.
      - rewrite RInt_const. unfold scal. simpl. unfold mult. simpl. lra. }
    assert (right : RInt (fun z => g z * w z) b top <= profile mu t + t * normal_tail top).
    { apply Rle_trans with (RInt (fun z => 1 * w z) b top).
      - apply integral_monotone; [unfold top; lra | intro; apply weighed_continuous; assumption | |].
        + intro z. apply (weighed_continuous (fun _ => 1)); [apply constant_continuity | exact W].
        + intros z Z. destruct (sign z) as [_ S]. apply Rmult_le_compat_r; [apply S; lra | apply B].
      - rewrite (integral_by (fun z => - (normal_tail (z - mu) - t * normal_tail z))).
        + pose proof (half_line_below_profile mu t b U T). pose proof (normal_tail_between (top - mu)). lra.
        + intro z. evar_last; [apply (is_derive_opp (fun z => normal_tail (z - mu) - t * normal_tail z)),
          half_line_derive |].
          unfold opp, w. simpl. rewrite density_shifted. ring.
        + intro z. apply (weighed_continuous (fun _ => 1)); [apply constant_continuity | exact W]. }
    pose proof (normal_tail_falls (INR n) top ltac:(unfold top; lra)) as F.
    apply (Rmult_le_compat_l t) in F; [| lra]. unfold plus. simpl. lra. }
  (* the interval may be taken back *)
  assert (back : RInt (fun z => g z * density z) low top <= partial g n + normal_tail (INR n)).
  { assert (P : forall z, 0 <= g z * density z) by
      (intro z; apply Rmult_le_pos; [apply B | left; apply density_positive]).
    unfold partial. rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ (- INR n) low (INR n)) by apply GD.
    rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ low (INR n) top) by apply GD.
    pose proof (RInt_ge_0 (fun z => g z * density z) (- INR n) low ltac:(unfold low; lra) (GD _ _) (fun z _ => P z)).
    assert (RInt (fun z => g z * density z) (INR n) top <= normal_tail (INR n)).
    { apply Rle_trans with (RInt (fun z => 1 * density z) (INR n) top).
      - apply integral_monotone; [unfold top; lra | | |].
        + intro z. apply weighed_continuous; auto using density_continuity.
        + intro z. apply (weighed_continuous (fun _ => 1)); auto using constant_continuity, density_continuity.
        + intros z _. apply Rmult_le_compat_r; [left; apply density_positive | apply B].
      - rewrite (integral_by (fun z => - normal_tail z)).
        + pose proof (normal_tail_between top). lra.
        + intro z. evar_last; [apply (is_derive_opp normal_tail), normal_tail_derive |]. unfold opp. simpl. ring.
        + intro z. apply (weighed_continuous (fun _ => 1)); auto using constant_continuity, density_continuity. }
    unfold plus. simpl. lra. }
  rewrite shift, split. apply (Rmult_le_compat_l t) in back; lra.
Qed.

Lemma shifted_normal (g : line -> R) mu t : 0 < mu -> 0 < t -> test g ->
  E standard_normal (fun z => g (mu + 1 * z)) <= t * E standard_normal g + profile mu t.
Proof.
  intros U T [[B G] between].
  pose proof (affine_observable g mu 1 (conj B G)) as [B' G'].
  pose proof (partial_converges _ B' G') as L. pose proof (partial_converges g B G) as R0.
  assert (K : is_lim_seq (fun n => t * partial g n + profile mu t + 2 * t * normal_tail (INR n))
    (Finite (t * real (Lim_seq (partial g)) + profile mu t + 2 * t * 0))).
  { apply is_lim_seq_plus'; [apply is_lim_seq_plus' |]; [| apply is_lim_seq_const |].
    - apply (is_lim_seq_scal_l _ t (Finite _) R0).
    - apply (is_lim_seq_scal_l _ (2 * t) (Finite _) tail_vanishes). }
  assert (order : real (Lim_seq (partial (fun z => g (mu + 1 * z)))) <=
    t * real (Lim_seq (partial g)) + profile mu t + 2 * t * 0).
  { apply (is_lim_seq_le_loc _ _ _ _) with (2 := L) (3 := K).
    destruct (INR_unbounded (Rabs (ln t / mu + mu / 2) + mu)) as [N high]. exists N. intros n later.
    apply le_INR in later. apply shifted_partial; auto. lra. }
  simpl. lra.
Qed.
Lemma reflected_normal (g : line -> R) :
  observable g -> E standard_normal (fun z => g (0 + -1 * z)) = E standard_normal g.
Proof.
  intros [B G]. simpl. f_equal. apply Lim_seq_ext. intro n. unfold partial.
  assert (C : forall x y, ex_RInt (fun z => g z * density z) x y).
  { intros. apply integrable. intros. apply weighed_continuous; auto using density_continuity. }
  transitivity (- RInt (fun z => scal (-1) (g (-1 * z + 0) * density (-1 * z + 0))) (- INR n) (INR n)).
  - etransitivity; [| apply (RInt_opp (V := R_CompleteNormedModule))].
    + apply RInt_ext. intros z _. unfold opp, scal. simpl. unfold mult. simpl.
      replace (density z) with (density (-1 * z + 0)) by (unfold density, bell; f_equal; f_equal; f_equal; ring).
      replace (0 + -1 * z) with (-1 * z + 0) by ring. ring.
    + apply (ex_RInt_comp_lin (V := R_NormedModule) (fun z => g z * density z)), C.
  - rewrite (RInt_comp_lin (V := R_CompleteNormedModule) (fun z => g z * density z) (-1) 0) by apply C.
    replace (-1 * - INR n + 0) with (INR n) by ring. replace (-1 * INR n + 0) with (- INR n) by ring.
    rewrite <- (opp_RInt_swap (V := R_CompleteNormedModule)) by apply C. unfold opp. simpl. ring.
Qed.

Lemma plus_normal_gaussian sigma d_in : 0 < sigma ->
  private (fun x y => Rabs (x - y) <= d_in) (plus_normal sigma) (gaussian (d_in ^ 2 / sigma ^ 2)).
Proof.
  intros S x y near. pose proof (Rabs_pos (x - y)) as P.
  assert (root : sqrt (d_in ^ 2 / sigma ^ 2) = d_in / sigma).
  { replace (d_in ^ 2 / sigma ^ 2) with ((d_in / sigma) ^ 2) by (field; lra). apply sqrt_pow2.
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, S]. }
  unfold gaussian. rewrite root.
  assert (enough : forall mu, 0 < mu -> mu <= d_in / sigma ->
    (forall f : line -> R, test f -> exists g : line -> R, test g /\ E (plus_normal sigma y) f = E standard_normal g /\
      E (plus_normal sigma x) f = E standard_normal (fun z => g (mu + 1 * z))) ->
    told_apart (d_in / sigma) (plus_normal sigma x) (plus_normal sigma y)).
  { intros mu U below same f z F rare. apply Rle_trans with (normal_tail (z - mu)); [| apply normal_tail_falls; lra].
    apply (within_told_apart (plus_normal sigma x) (plus_normal sigma y) mu U); [| exact F | exact rare].
    intros t T h H. destruct (same h H) as (g & G & -> & ->). apply shifted_normal; assumption. }
  assert (less : forall gap, gap <= d_in -> gap / sigma <= d_in / sigma).
  { intros gap G. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, S | exact G]. }
  destruct (Rtotal_order x y) as [left | [<- | right]].
  - apply (enough ((y - x) / sigma)); [apply Rdiv_lt_0_compat; lra | apply less; rewrite Rabs_left in near; lra |].
    intros f [F B]. exists (fun z => f (y + - sigma * z)).
    split; [split; [apply affine_observable, F | intro; apply B] |]. split.
    + change (E (plus_normal sigma y) f) with (E standard_normal (fun z => f (y + sigma * z))).
      rewrite <- (reflected_normal (fun z => f (y + sigma * z)) (affine_observable f y sigma F)).
      f_equal. extensionality z. f_equal. ring.
    + change (E (plus_normal sigma x) f) with (E standard_normal (fun z => f (x + sigma * z))).
      rewrite <- (reflected_normal (fun z => f (x + sigma * z)) (affine_observable f x sigma F)).
      f_equal. extensionality z. f_equal. field. lra.
  - intros f z F rare. eapply Rle_trans; [exact rare |]. apply normal_tail_falls.
    rewrite Rminus_eq_0, Rabs_R0 in near. specialize (less 0 near). unfold Rdiv at 1 in less. lra.
  - apply (enough ((x - y) / sigma)); [apply Rdiv_lt_0_compat; lra | apply less; rewrite Rabs_pos_eq in near; lra |].
    intros f [F B]. exists (fun z => f (y + sigma * z)).
    split; [split; [apply affine_observable, F | intro; apply B] |]. split; [reflexivity |].
    change (E (plus_normal sigma x) f) with (E standard_normal (fun z => f (x + sigma * z))).
    f_equal. extensionality z. f_equal. field. lra.
Qed.

(* gaussian_noise: x + Z where Z has a density in proportion to exp(log_weight), by the obligation weight_is_normal;
   the other obligations, loss_is_linear and half_line_begins, are proved above for every such weight *)
Theorem gaussian_noise (log_weight : R -> R) normaliser sigma d_in (M : mechanism R line) :
  (forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2)) -> noise_of log_weight normaliser sigma M ->
  private (fun x y => Rabs (x - y) <= d_in) M (gaussian (d_in ^ 2 / sigma ^ 2)).
Proof.
  intros weight_is_normal noise x y near f z F.
  rewrite !(noise_of_normal_weight log_weight normaliser sigma M) by (assumption || apply F).
  apply plus_normal_gaussian; [apply (weight_is_normal 0) | exact near | exact F].
Qed.

(* normal_noise: its exact delta, at every epsilon *)
Theorem normal_noise (log_weight : R -> R) normaliser sigma d_in epsilon (M : mechanism R line) :
  (forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2)) -> noise_of log_weight normaliser sigma M ->
  0 < d_in -> private (fun x y => Rabs (x - y) <= d_in) M (approximate epsilon
    (normal_tail (epsilon * sigma / d_in - d_in / (2 * sigma)) -
     exp epsilon * normal_tail (epsilon * sigma / d_in + d_in / (2 * sigma)))).
Proof.
  intros weight_is_normal noise D. destruct (weight_is_normal 0) as [S _].
  assert (root : sqrt (d_in ^ 2 / sigma ^ 2) = d_in / sigma).
  { replace (d_in ^ 2 / sigma ^ 2) with ((d_in / sigma) ^ 2) by (field; lra). apply sqrt_pow2.
    left. apply Rdiv_lt_0_compat; assumption. }
  assert (positive : 0 < d_in ^ 2 / sigma ^ 2) by (apply Rdiv_lt_0_compat; apply pow_lt; assumption).
  pose proof (gaussian_to_approximate _ _ _ epsilon positive
    (gaussian_noise log_weight normaliser sigma d_in M weight_is_normal noise)) as K. cbv zeta in K.
  rewrite root in K.
  replace (epsilon * sigma / d_in) with (epsilon / (d_in / sigma)) by (field; lra).
  replace (d_in / (2 * sigma)) with (d_in / sigma / 2) by (field; lra). exact K.
Qed.

(* Deviation 2, numbers at most 1 apart: at epsilon = 1 the delta is Q(7/4) - e Q(9/4). *)
Example deviation_2 :
  private (fun x y => Rabs (x - y) <= 1) (plus_normal 2)
    (approximate 1 (normal_tail (7 / 4) - exp 1 * normal_tail (9 / 4))).
Proof.
  replace (7 / 4) with (1 * 2 / 1 - 1 / (2 * 2)) by field. replace (9 / 4) with (1 * 2 / 1 + 1 / (2 * 2)) by field.
  apply (normal_noise (fun z => - z ^ 2 / (2 * 2 ^ 2)) (2 * sqrt (2 * PI))); [intro; split;
    [lra | reflexivity] | | lra].
  apply plus_normal_is_noise. intro; split; [lra | reflexivity].
Qed.

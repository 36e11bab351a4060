(* Normal noise on vectors: refdp's rules gaussian_noise, normal_noise and classical_noise for vectors.

   Each coordinate of a vector gets an independent draw.  Its mu is how far the coordinate moves, in deviations; under
   Gaussian DP the squares of mu add up, so that vectors at Euclidean distance at most d_in are told apart no better
   than numbers at most d_in apart.  No rotation is needed: Gaussian DP of the numbers is all that is used. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy GaussianPrivacy.
From Refdp Require Definitions RenyiOfNoise GridNoise.
Import ListNotations.
Open Scope R_scope.

(* ---- What is integrated in two steps ---- *)

(* A coin that says yes with the probability f(o). *)
Lemma coin_between {O : space} (f : O -> R) (F : test f) o : 0 <= f o <= 1.
Proof. apply F. Qed.
Definition coin_of {O : space} (f : O -> R) (F : test f) : kernel O (plain bool).
Proof.
  refine (Kernel (O := O) (P := plain bool) (fun o => mixture (f o) (coin_between f F o)
    (certain (O := plain bool) true) (certain (O := plain bool) false)) _).
  intros g (_ & _ & sections).
  apply (observable_same O (fun o => f o * (g o true - g o false) + g o false)); [intro o; simpl; ring |].
  apply observable_sum; [| apply sections].
  apply Definitions.observable_product; [apply F | apply observable_difference; apply sections].
Defined.

(* A test of two independent outcomes, integrated over the second: the squares of mu add up. *)
Lemma two_steps_gaussian {O V : space} (p q : law O) (r s : law V) (f : O -> V -> R) c1 c2 z :
  0 <= c1 -> 0 <= c2 -> gaussian c1 p q -> gaussian c2 r s -> (forall o, test (f o)) ->
  observable (fun o => E r (f o)) -> observable (fun o => E s (f o)) ->
  E q (fun o => E s (f o)) <= normal_tail z -> E p (fun o => E r (f o)) <= normal_tail (z - sqrt (c1 + c2)).
Proof.
  intros C1 C2 first second T OR OS below.
  assert (FR : test (fun o => E r (f o))) by (split; [exact OR | intro; apply E_test, T]).
  assert (FS : test (fun o => E s (f o))) by (split; [exact OS | intro; apply E_test, T]).
  (* the second outcome is told by a coin *)
  assert (coins : forall o, gaussian c2 (coin_of _ FR o) (coin_of _ FS o)).
  { intros o g y [_ G] less. pose (h v := f o v * g true + (1 - f o v) * g false).
    assert (H : test h).
    { split.
      - apply (observable_same V (fun v => (g true - g false) * f o v + g false)); [intro; unfold h; ring |].
        apply observable_shifted, observable_multiple, T.
      - intro v. destruct (proj2 (T o) v) as [A B]. pose proof (G true) as [G1 G2]. pose proof (G false) as [G3 G4].
        unfold h. split; [apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra |].
        assert (f o v * g true <= f o v * 1) by (apply Rmult_le_compat_l; lra).
        assert ((1 - f o v) * g false <= (1 - f o v) * 1) by (apply Rmult_le_compat_l; lra). lra. }
    assert (same : forall l : law V, E l h = E l (f o) * g true + (1 - E l (f o)) * g false).
    { intro l. rewrite (E_same l h (fun v => (g true - g false) * f o v + g false)).
      - rewrite E_shifted, E_multiple; [ring | apply T | apply observable_multiple, T].
      - apply H.
      - intro v. unfold h. ring. }
    change (E r (f o) * g true + (1 - E r (f o)) * g false <= normal_tail (y - sqrt c2)). rewrite <- same.
    apply second; [exact H |]. rewrite same. exact less. }
  pose proof (adaptive_gaussian (fun x y => x = true /\ y = false) (fun x : bool => if x then p else q)
    (fun x : bool => if x then coin_of _ FR else coin_of _ FS) c1 c2 C1 C2) as K.
  assert (together : gaussian (c1 + c2) (both p (coin_of _ FR)) (both q (coin_of _ FS))).
  { apply (K ltac:(intros x y [-> ->]; exact first) ltac:(intros o x y [-> ->]; apply coins) true false). auto. }
  assert (yes : test (O := product O (plain bool)) (fun told => if snd told then 1 else 0)).
  { split; [| intros [o []]; simpl; lra]. split; [exists 1; intros o []; simpl; lra |].
    split; [intro o; exists 1; intros []; simpl; lra |].
    intros []; [apply (observable_constant O 1) | apply (observable_constant O 0)]. }
  specialize (together _ z yes).
  assert (at_coin : forall (l : law O) (g : O -> R) (G : test g),
    E (both l (coin_of g G)) (fun told => if snd told then 1 else 0) = E l g).
  { intros l g G. change (E l (fun o => g o * 1 + (1 - g o) * 0) = E l g). symmetry.
    apply E_same; [apply G | intro; ring]. }
  rewrite !at_coin in together. apply together, below.
Qed.

(* ---- Independent draws of real numbers ---- *)
Notation vectors := RenyiOfNoise.vectors.

Lemma integrated_continuous (rest : law vectors) (f : vectors -> R) :
  observable f -> observable (s := line) (fun o => E rest (fun os => f (o :: os))).
Proof.
  intro O. pose proof O as [[c C] F]. pose proof (fun o => RenyiOfNoise.section_observable f o O) as S. split.
  - exists c. intro o. apply E_between; [apply S | intro; apply C].
  - intros x eps more. destruct (F (eps / 2) ltac:(lra)) as (gap & G & H).
    exists gap. split; [exact G |]. intros y [_ near]. simpl in *. unfold R_dist in *.
    apply Rle_lt_trans with (eps / 2); [| lra]. rewrite <- E_difference by apply S.
    apply Rabs_le, E_between; [apply observable_difference; apply S |]. intro os.
    apply Rabs_le_between, H. constructor; [lra | apply RenyiOfNoise.close_reflexive; lra].
Qed.
(* A draw from p, then the rest, which does not depend on it; all are told, in order. *)
Definition draw_before (p : law line) (rest : law vectors) : law vectors.
Proof.
  refine (Law vectors (fun f => E p (fun o => E rest (fun os => f (o :: os)))) _ _ _ _).
  - intros f g F G below. apply E_monotone; try (apply integrated_continuous; assumption).
    intro o. apply E_monotone; try (apply RenyiOfNoise.section_observable; assumption). intro os. apply below.
  - intros f g F G. rewrite <- E_sum by (apply integrated_continuous; assumption). symmetry. apply E_same.
    + apply (observable_sum line); apply integrated_continuous; assumption.
    + intro o. symmetry. apply (E_sum rest (fun os => f (o :: os)) (fun os => g (o :: os)));
        apply RenyiOfNoise.section_observable; assumption.
  - intros c f F. rewrite <- E_multiple by (apply integrated_continuous; assumption). symmetry. apply E_same.
    + apply (observable_multiple line), integrated_continuous, F.
    + intro o. symmetry. apply (E_multiple rest c (fun os => f (o :: os))), RenyiOfNoise.section_observable, F.
  - rewrite (E_same p _ (fun _ => 1)).
    + apply E_one.
    + apply (integrated_continuous rest (fun _ => 1)), (observable_constant vectors).
    + intro. apply E_one.
Defined.
(* coordinatewise(M, dimension): M on each coordinate of a vector, on fresh coins. *)
Definition coordinatewise (M : mechanism R line) : mechanism (list R) vectors := fun x =>
  fold_right draw_before (certain (O := vectors) []) (map M x).

Lemma draw_before_gaussian p q rest rest' c1 c2 : 0 <= c1 -> 0 <= c2 ->
  gaussian c1 p q -> gaussian c2 rest rest' -> gaussian (c1 + c2) (draw_before p rest) (draw_before q rest').
Proof.
  intros C1 C2 first second f z [F between].
  apply (two_steps_gaussian p q rest rest' (fun o os => f (o :: os)) c1 c2 z C1 C2 first second).
  - intro o. split; [apply RenyiOfNoise.section_observable, F | intro; apply between].
  - apply integrated_continuous, F.
  - apply integrated_continuous, F.
Qed.

(* If numbers at each distance are private by its square, so are vectors at each Euclidean distance. *)
Lemma coordinatewise_gaussian (M : mechanism R line) rate : 0 <= rate ->
  (forall d_in, private (fun x y => Rabs (x - y) <= d_in) M (gaussian (d_in ^ 2 * rate))) ->
  forall x y, length x = length y ->
  gaussian (RenyiOfNoise.l2_square x y * rate) (coordinatewise M x) (coordinatewise M y).
Proof.
  intros P one. induction x as [| a x IH]; intros [| b y] same; try discriminate.
  - simpl. rewrite Rmult_0_l. apply gaussian_same.
  - injection same as same. cbn [RenyiOfNoise.l2_square]. rewrite Rmult_plus_distr_r.
    apply draw_before_gaussian; [| | | apply IH, same].
    + apply Rmult_le_pos; [apply pow2_ge_0 | exact P].
    + apply Rmult_le_pos; [apply RenyiOfNoise.l2_square_nonnegative | exact P].
    + rewrite <- (pow2_abs (a - b)). apply (one (Rabs (a - b)) a b). lra.
Qed.

(* ---- The rules ---- *)
Section normal_noise_vector.
  Variables (log_weight : R -> R) (normaliser sigma d_in : R) (M : mechanism R line).
  Hypothesis weight_is_normal : forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2).
  Hypothesis noise : noise_of log_weight normaliser sigma M.

  (* gaussian_noise, vectors: x + (Z, ..., Z) : l2(d_in) |-> gaussian(d_in^2 / sigma^2), in any dimension *)
  Theorem gaussian_noise_vector :
    private (RenyiOfNoise.l2_reals d_in) (coordinatewise M) (gaussian (d_in ^ 2 / sigma ^ 2)).
  Proof.
    destruct (weight_is_normal 0) as [S _]. pose proof (pow_lt sigma 2 S) as S2.
    intros x y (same & _ & near). apply (weaken_gaussian _ _ (RenyiOfNoise.l2_square x y * / sigma ^ 2)).
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, S2 | exact near].
    - apply coordinatewise_gaussian; [left; apply Rinv_0_lt_compat, S2 | | exact same].
      intro d. exact (gaussian_noise log_weight normaliser sigma d M weight_is_normal noise).
  Qed.
  (* normal_noise, vectors: x + (Z, ..., Z) : l2(d_in) |-> approximate(epsilon, the exact delta), in any dimension *)
  Theorem normal_noise_vector epsilon : 0 < d_in ->
    private (RenyiOfNoise.l2_reals d_in) (coordinatewise M) (approximate epsilon
      (normal_tail (epsilon * sigma / d_in - d_in / (2 * sigma)) -
       exp epsilon * normal_tail (epsilon * sigma / d_in + d_in / (2 * sigma)))).
  Proof.
    intro D. destruct (weight_is_normal 0) as [S _].
    assert (root : sqrt (d_in ^ 2 / sigma ^ 2) = d_in / sigma).
    { replace (d_in ^ 2 / sigma ^ 2) with ((d_in / sigma) ^ 2) by (field; lra). apply sqrt_pow2.
      left. apply Rdiv_lt_0_compat; assumption. }
    assert (positive : 0 < d_in ^ 2 / sigma ^ 2) by (apply Rdiv_lt_0_compat; apply pow_lt; assumption).
    pose proof (gaussian_to_approximate _ _ _ epsilon positive gaussian_noise_vector) as K. cbv zeta in K.
    rewrite root in K.
    replace (epsilon * sigma / d_in) with (epsilon / (d_in / sigma)) by (field; lra).
    replace (d_in / (2 * sigma)) with (d_in / sigma / 2) by (field; lra). exact K.
  Qed.
End normal_noise_vector.

(* classical_noise, vectors: on a region, for the calibrated deviation *)
Theorem classical_noise_vector constant largest_epsilon largest_delta d_in epsilon delta :
  0 < largest_delta < constant -> GridNoise.on_the_region constant largest_epsilon largest_delta ->
  0 < d_in -> 0 < epsilon <= largest_epsilon -> 0 < delta <= largest_delta ->
  private (RenyiOfNoise.l2_reals d_in)
    (coordinatewise (plus_normal (GridNoise.classical_deviation constant d_in epsilon delta)))
    (approximate epsilon delta).
Proof.
  intros larger region D N S.
  apply (GridNoise.classical_noise constant largest_epsilon largest_delta larger d_in epsilon delta D N S
    RenyiOfNoise.l2_reals (fun sigma => coordinatewise (plus_normal sigma))); [| exact region].
  intros sigma d e P Q.
  apply (normal_noise_vector (fun z => - z ^ 2 / (2 * sigma ^ 2)) (sigma * sqrt (2 * PI))); [| | exact Q].
  - intro. split; [exact P | reflexivity].
  - apply plus_normal_is_noise. intro. split; [exact P | reflexivity].
Qed.

(* Deviation 2 on each of two coordinates: mu = 5/2 between (0, 0) and (3, 4), which are 5 apart. *)
Example deviation_2_vector :
  gaussian (5 ^ 2 / 2 ^ 2) (coordinatewise (plus_normal 2) [3; 4]) (coordinatewise (plus_normal 2) [0; 0]).
Proof.
  apply (gaussian_noise_vector (fun z => - z ^ 2 / (2 * 2 ^ 2)) (2 * sqrt (2 * PI))).
  - intro. split; [lra | reflexivity].
  - apply plus_normal_is_noise. intro. split; [lra | reflexivity].
  - repeat split; simpl; lra.
Qed.

(* Noise in proportion to a bound: refdp's rules bound_noise, laplace_bound_noise and student_bound_noise.

   An input is a pair of a number and a bound, and M(value, bound) = value + scale bound Z, where Z has a density on the
   real line in proportion to a shape: 1 / rarity(z).  Inputs are within growth under `smooth`: the numbers are at most
   either bound apart, and no bound is more than growth times the other.  Measured in units of the smaller bound, the
   laws are those of Z and of h + c Z with |h| scale <= 1 and 1 <= c <= growth.  First what integrals over the line are
   needed, and the law of a density; then each rule, for outcomes as they are and rounded to a grid. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Definitions.
From Refdp Require Line Tables GaussianPrivacy.
Open Scope R_scope.

(* ---- Integrals over the line ---- *)
Lemma on_line_multiple c f l : is_on_line f l -> is_on_line (fun x => c * f x) (c * l).
Proof. intro F. exact (is_RInt_gen_scal f c l F). Qed.
Lemma on_line_sum f g k l : is_on_line f k -> is_on_line g l -> is_on_line (fun x => f x + g x) (k + l).
Proof. intros F G. exact (is_RInt_gen_plus f g k l F G). Qed.
Lemma on_line_mirrored f l : is_on_line f l -> is_on_line (fun x => f (- x)) l.
Proof.
  intro F. destruct (line_is f l F) as [I same].
  destruct (line_mirrored f l I same) as [J same']. rewrite <- same'. apply line_has, J.
Qed.
Lemma on_line_scaled f l v w : 0 < w -> is_on_line f l -> is_on_line (fun x => f ((x - v) / w)) (w * l).
Proof.
  intros W F. apply on_line_iff. intros r positive. rewrite on_line_iff in F.
  destruct (F (r / w) ltac:(apply Rdiv_lt_0_compat; lra)) as [far reach].
  assert (times : forall x, x / w * w = x) by (intro; field; lra).
  exists (w * Rabs far + Rabs v). intros a b A B.
  pose proof (Rle_abs far) as P. apply (Rmult_le_compat_l w) in P; [| lra].
  pose proof (Rle_abs v) as V. pose proof (Rle_abs (- v)) as V'. rewrite Rabs_Ropp in V'.
  assert (A' : (a - v) / w < - far).
  { apply (Rmult_lt_reg_r w); [exact W |]. rewrite times. lra. }
  assert (B' : far < (b - v) / w).
  { apply (Rmult_lt_reg_r w); [exact W |]. rewrite times. lra. }
  destruct (reach _ _ A' B') as (y & Y & near). exists (w * y). split.
  - apply (is_RInt_ext (fun x => scal w (scal (/ w) (f (/ w * x + - v / w))))).
    + intros x _. change (w * (/ w * f (/ w * x + - v / w)) = f ((x - v) / w)).
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. f_equal. field. lra.
    + apply (is_RInt_scal (V := R_NormedModule) (fun x => scal (/ w) (f (/ w * x + - v / w))) a b w y).
      apply (is_RInt_comp_lin (V := R_NormedModule) f (/ w) (- v / w) a b y).
      replace (/ w * a + - v / w) with ((a - v) / w) by (field; lra).
      replace (/ w * b + - v / w) with ((b - v) / w) by (field; lra). exact Y.
  - rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq w) by lra.
    apply (Rmult_lt_compat_l w) in near; [| exact W]. replace (w * (r / w)) with r in near by (field; lra). exact near.
Qed.

(* Exponential functions on a half line; what is at its end does not matter. *)
Lemma exponential_beyond f rate start : 0 < rate ->
  (forall z, start < z -> f z = exp (- rate * (z - start))) -> (forall z, z < start -> f z = 0) ->
  is_on_line f (/ rate).
Proof.
  intros P beyond before. apply on_line_iff. intros r positive.
  assert (square : 0 < rate * rate * r) by (repeat apply Rmult_lt_0_compat; assumption).
  exists (Rabs start + / (rate * rate * r)). intros a b A B.
  pose proof (Rle_abs start). pose proof (Rle_abs (- start)) as S. rewrite Rabs_Ropp in S.
  pose proof (Rinv_0_lt_compat _ square) as I.
  exists (0 + (- exp (- rate * (b - start)) / rate - - exp (- rate * (start - start)) / rate)). split.
  - apply (is_RInt_Chasles (V := R_NormedModule) f a start b).
    + apply (is_RInt_ext (fun _ => 0)).
      * rewrite Rmin_left, Rmax_right by lra. intros x X. symmetry. apply before. lra.
      * pose proof (is_RInt_const (V := R_NormedModule) a start 0) as Z.
        change (is_RInt (fun _ : R => 0) a start ((start - a) * 0)) in Z. rewrite Rmult_0_r in Z. exact Z.
    + apply (is_RInt_ext (fun z => exp (- rate * (z - start)))).
      * rewrite Rmin_left, Rmax_right by lra. intros x X. symmetry. apply beyond. lra.
      * apply (is_RInt_derive (fun z => - exp (- rate * (z - start)) / rate) (fun z => exp (- rate * (z - start)))).
        -- intros x _. auto_derive; [exact Logic.I | unfold Rminus; field; lra].
        -- intros x _. apply (ex_derive_continuous (fun z => exp (- rate * (z - start)))). auto_derive. exact Logic.I.
  - replace (start - start) with 0 by ring. rewrite Rmult_0_r, exp_0.
    replace (0 + (- exp (- rate * (b - start)) / rate - - (1) / rate) - / rate)
      with (- (exp (- rate * (b - start)) / rate)) by (field; lra).
    pose proof (exp_pos (- rate * (b - start))) as E. rewrite Rabs_Ropp, Rabs_pos_eq.
    + set (x := b - start). assert (X : / (rate * rate * r) < x) by (unfold x; lra).
      replace (- rate * x) with (- (rate * x)) by ring. rewrite exp_Ropp.
      pose proof (exp_ineq1_le (rate * x)) as big. pose proof (exp_pos (rate * x)).
      assert (1 < rate * rate * r * x).
      { rewrite <- (Rinv_r (rate * rate * r)) by lra. apply Rmult_lt_compat_l; assumption. }
      apply (Rmult_lt_reg_r (exp (rate * x) * rate)); [apply Rmult_lt_0_compat; lra |].
      replace (/ exp (rate * x) / rate * (exp (rate * x) * rate)) with 1 by (field; lra).
      assert (0 < r * rate) by (apply Rmult_lt_0_compat; lra).
      apply (Rmult_le_compat_l (r * rate)) in big; lra.
    + apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, P].
Qed.
Lemma exponential_below f rate start : 0 < rate ->
  (forall z, z < start -> f z = exp (- rate * (start - z))) -> (forall z, start < z -> f z = 0) ->
  is_on_line f (/ rate).
Proof.
  intros P below after.
  apply (on_line_same (fun z => (fun x => f (- x)) (- z))); [intro; f_equal; ring |].
  apply (on_line_mirrored (fun x => f (- x))), (exponential_beyond _ rate (- start) P).
  - intros z Z. rewrite below by lra. f_equal. ring.
  - intros z Z. apply after. lra.
Qed.

(* What is nowhere more than a multiple of a function with an integral has one. *)
Lemma on_line_below f g l c :
  is_on_line g l -> Line.integrable g -> Line.integrable f -> (forall x, Rabs (f x) <= c * g x) ->
  exists k, is_on_line f k.
Proof.
  intros H G F below. rewrite on_line_iff in H.
  assert (positive : 0 <= c * g 0 /\ forall x, 0 <= c * g x).
  { split; [| intro x]; eapply Rle_trans; try apply below; apply Rabs_pos. }
  assert (part : forall a b, Rabs (RInt f a b) <= Rabs c * Rabs (RInt g a b)).
  { assert (ordered : forall a b, a <= b -> Rabs (RInt f a b) <= Rabs c * Rabs (RInt g a b)).
    { intros a b order. rewrite <- Rabs_mult. eapply Rle_trans; [| apply Rle_abs].
      apply (norm_RInt_le f (fun x => c * g x) a b); [exact order | intros; apply below | apply Line.integral_on, F |].
      apply (is_RInt_scal (V := R_NormedModule) g a b c), Line.integral_on, G. }
    intros a b. destruct (Rle_lt_dec a b) as [order | order]; [apply ordered, order |].
    rewrite <- (opp_RInt_swap f), <- (opp_RInt_swap g) by (apply F || apply G).
    change (Rabs (- RInt f b a) <= Rabs c * Rabs (- RInt g b a)). rewrite !Rabs_Ropp. apply ordered. lra. }
  destruct (proj1 (filterlim_locally_cauchy (U := R_CompleteSpace)
    (F := filter_prod (Rbar_locally m_infty) (Rbar_locally p_infty))
    (fun ab => RInt f (fst ab) (snd ab)))) as [I lim].
  - intro eps. pose proof (cond_pos eps) as E. pose proof (Rabs_pos c) as C.
    pose (e := eps / (4 * (Rabs c + 1))). assert (E' : 0 < e) by (apply Rdiv_lt_0_compat; lra).
    destruct (H e E') as [far reach]. exists (fun ab => fst ab < - far /\ far < snd ab). split; [apply Line.beyond |].
    intros [a b] [a' b'] [A B] [A' B']. simpl in A, B, A', B'. change (Rabs (RInt f a' b' - RInt f a b) < eps).
    assert (near : forall a b, a < - far -> far < b -> Rabs (RInt g a b - l) < e).
    { intros u v U V. destruct (reach u v U V) as (y & Y & close). rewrite (is_RInt_unique g u v y Y). exact close. }
    assert (left : Rabs (RInt g a' a) < 2 * e).
    { pose proof (RInt_Chasles g a' a b (G _ _) (G _ _)) as X. unfold plus in X. simpl in X.
      replace (RInt g a' a) with ((RInt g a' b - l) - (RInt g a b - l)) by lra.
      pose proof (near a' b A' B). pose proof (near a b A B).
      eapply Rle_lt_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
    assert (right : Rabs (RInt g b b') < 2 * e).
    { pose proof (RInt_Chasles g a b b' (G _ _) (G _ _)) as X. unfold plus in X. simpl in X.
      replace (RInt g b b') with ((RInt g a b' - l) - (RInt g a b - l)) by lra.
      pose proof (near a b' A B'). pose proof (near a b A B).
      eapply Rle_lt_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
    pose proof (RInt_Chasles f a' a b' (F _ _) (F _ _)) as X. pose proof (RInt_Chasles f a b b' (F _ _) (F _ _)) as Y.
    unfold plus in X, Y. simpl in X, Y.
    replace (RInt f a' b' - RInt f a b) with (RInt f a' a + RInt f b b') by lra.
    eapply Rle_lt_trans; [apply Rabs_triang |].
    pose proof (part a' a). pose proof (part b b').
    pose proof (Rmult_le_compat_l (Rabs c) _ _ C (Rlt_le _ _ left)).
    pose proof (Rmult_le_compat_l (Rabs c) _ _ C (Rlt_le _ _ right)).
    assert (whole : 4 * (Rabs c + 1) * e = eps) by (unfold e; field; lra). lra.
  - exists I. intros P near. unfold filtermapi.
    apply (filter_imp (fun ab => P (RInt f (fst ab) (snd ab)))); [| exact (lim P near)]. intros [a b] there.
    exists (RInt f a b). split; [apply Line.integral_on, F | exact there].
Qed.

(* The integral of 1 / (1 + z^2). *)
Lemma atan_derive x : is_derive atan x (/ (1 + x ^ 2)).
Proof. apply is_derive_Reals, derivable_pt_lim_atan. Qed.
Lemma atan_below x : 0 <= x -> atan x <= x.
Proof.
  intro X. assert (K : 0 - atan 0 <= x - atan x).
  { apply (GaussianPrivacy.increases (fun x => x - atan x) (fun x => 1 - / (1 + x ^ 2))); [exact X | |].
    - intros y _. apply (is_derive_minus (fun y => y) atan); [apply (is_derive_id (K := R_AbsRing)) |].
      apply atan_derive.
    - intros y _. pose proof (pow2_ge_0 y). assert (/ (1 + y ^ 2) <= / 1); [| lra].
      apply Rinv_le_contravar; lra. }
  rewrite atan_0 in K. lra.
Qed.
Lemma cauchy_on_line : is_on_line (fun z => / (1 + z ^ 2)) PI.
Proof.
  assert (far : forall x, 0 < x -> PI / 2 - / x <= atan x < PI / 2).
  { intros x X. split; [| apply atan_bound]. pose proof (atan_inv x X) as same.
    pose proof (atan_below (/ x) ltac:(left; apply Rinv_0_lt_compat, X)). lra. }
  apply on_line_iff. intros r R0. exists (2 / r). intros a b A B.
  pose proof (Rdiv_lt_0_compat 2 r ltac:(lra) R0).
  exists (atan b - atan a). split.
  - apply (is_RInt_derive atan (fun z => / (1 + z ^ 2))).
    + intros x _. apply atan_derive.
    + intros x _. apply (ex_derive_continuous (fun z => / (1 + z ^ 2))). auto_derive. pose proof (pow2_ge_0 x).
      simpl in *. lra.
  - destruct (far b) as [B1 B2]; [lra |]. destruct (far (- a)) as [A1 A2]; [lra |]. rewrite atan_opp in A1, A2.
    assert (small : forall x, 2 / r < x -> / x < r / 2).
    { intros x X. replace (r / 2) with (/ (2 / r)) by (field; lra). apply Rinv_lt_contravar; [| exact X].
      apply Rmult_lt_0_compat; lra. }
    pose proof (small b B). pose proof (small (- a) ltac:(lra)). apply Rabs_def1; lra.
Qed.
Lemma cauchy_continuous : continuity (fun z => / (1 + z ^ 2)).
Proof.
  intro z. apply continuity_pt_filterlim, (ex_derive_continuous (fun z => / (1 + z ^ 2))). auto_derive.
  pose proof (pow2_ge_0 z). simpl in *. lra.
Qed.

(* ---- The law of a density ---- *)
Notation has_density_on_the_line := (has_density line (fun o : Line.line => o)).

Section law_of_density.
  Variable p : R -> R.
  Hypothesis nonnegative : forall y, 0 <= p y.
  Hypothesis at_most_somewhere : bounded p.
  Hypothesis measurable : Line.integrable p.
  Hypothesis whole : is_on_line p 1.

  Lemma observed_on_the_line (f : Line.line -> R) :
    observable f -> integrable line (fun y => f y * p y).
  Proof.
    intros [[c C] F]. destruct (on_line_below (fun y => f y * p y) p 1 c whole measurable) as [k K].
    - apply Line.integrable_product; [exists c; exact C | exact F | exact at_most_somewhere | exact measurable].
    - intro y. rewrite Rabs_mult, (Rabs_pos_eq (p y)) by apply nonnegative.
      apply Rmult_le_compat_r; [apply nonnegative | apply Rabs_le, C].
    - exists k. exact K.
  Qed.
  Definition law_of_density : law Line.line.
  Proof.
    refine (Law Line.line (fun f => line (fun y => f y * p y)) _ _ _ _).
    - intros f g F G below. apply integral_monotone; try (apply observed_on_the_line; assumption).
      intro y. apply Rmult_le_compat_r; [apply nonnegative | apply below].
    - intros f g F G. rewrite <- integral_sum by (apply observed_on_the_line; assumption).
      apply integral_same; [| intro; ring].
      apply observed_on_the_line, (observable_sum Line.line f g F G).
    - intros c f F. rewrite <- integral_multiple by (apply observed_on_the_line; assumption).
      apply integral_same; [| intro; ring].
      apply observed_on_the_line, (observable_multiple Line.line c f F).
    - destruct (line_is p 1 whole) as [P one]. transitivity (line p); [| exact one].
      symmetry. apply integral_same; [exact P | intro; ring].
  Defined.
  Lemma law_of_density_has_it : has_density_on_the_line law_of_density p.
  Proof. split; [exact nonnegative |]. intros f F. split; [apply observed_on_the_line, F | reflexivity]. Qed.
End law_of_density.

(* ---- Noise in proportion to a bound ---- *)

(* M(value, bound) = value + scale bound Z, where the density of Z is shape / normaliser. *)
Definition scales_noise (shape : R -> R) (normaliser scale : R) (M : mechanism (R * R) Line.line) :=
  0 < normaliser /\ forall v S, 0 < S ->
    has_density_on_the_line (M (v, S)) (fun y => shape ((y - v) / (scale * S)) / (normaliser * (scale * S))).
(* The inputs: a number and a bound that is not negative, within growth. *)
Notation within_growth growth := (Tables.restricted (fun input : R * R => 0 <= snd input) (Tables.smooth growth)).

Lemma smooth_cases growth x y : within_growth growth x y -> x = y \/ 0 < snd x /\ 0 < snd y.
Proof.
  intros (X & Y & near & xy & yx). destruct x as [v S], y as [u T]. simpl in *.
  pose proof (Rmin_l S T). pose proof (Rmin_r S T). pose proof (Rabs_pos (v - u)).
  destruct X as [X | <-]; destruct Y as [Y | <-]; [right; auto | | |]; left.
  - rewrite Rmult_0_r in xy. lra.
  - rewrite Rmult_0_r in yx. lra.
  - f_equal. assert (zero : Rabs (v - u) = 0) by lra. destruct (Req_dec (v - u) 0) as [|no]; [lra |].
    apply Rabs_no_R0 in no. lra.
Qed.

(* Densities within a factor of each other. *)
Lemma within_by_densities (P Q : law Line.line) p q t :
  has_density_on_the_line P p -> has_density_on_the_line Q q -> (forall y, p y <= t * q y) -> within t 0 P Q.
Proof.
  intros [P0 HP] [Q0 HQ] below f [F between]. destruct (HP f F) as [IP EP]. destruct (HQ f F) as [IQ EQ].
  change (E P f = line (fun y => f y * p y)) in EP. change (E Q f = line (fun y => f y * q y)) in EQ.
  rewrite EP, EQ, <- integral_multiple, Rplus_0_r by exact IQ.
  apply integral_monotone; [exact IP | apply integrable_multiple, IQ |]. intro y.
  replace (t * (f y * q y)) with (f y * (t * q y)) by ring. apply Rmult_le_compat_l; [apply between | apply below].
Qed.
(* A density whose excess is at most a function with an integral. *)
Lemma within_by_excess (P Q : law Line.line) p q t excess delta :
  has_density_on_the_line P p -> has_density_on_the_line Q q -> is_on_line excess delta ->
  (forall y, 0 <= excess y /\ p y - t * q y <= excess y) -> within t delta P Q.
Proof.
  intros [P0 HP] [Q0 HQ] D below f [F between]. destruct (HP f F) as [IP EP]. destruct (HQ f F) as [IQ EQ].
  change (E P f = line (fun y => f y * p y)) in EP. change (E Q f = line (fun y => f y * q y)) in EQ.
  destruct (line_is excess delta D) as [ID <-]. rewrite EP, EQ, <- integral_multiple by exact IQ.
  rewrite <- integral_sum by (exact ID || apply integrable_multiple, IQ).
  apply integral_monotone; [exact IP | apply integrable_sum; [apply integrable_multiple, IQ | exact ID] |].
  intro y. destruct (below y) as [N B]. specialize (between y).
  assert (f y * (p y - t * q y) <= f y * excess y) by (apply Rmult_le_compat_l; lra).
  assert (f y * excess y <= 1 * excess y) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* The densities of the noise beside the smaller bound and beside the greater one, at y = v' + scale S' w. *)
Section two_inputs.
  Variables (shape : R -> R) (normaliser scale growth v S v' S' : R).
  Hypothesis scale_positive : 0 < scale.
  Hypothesis normaliser_positive : 0 < normaliser.
  Hypothesis bounds : 0 < S <= S' /\ S' <= growth * S.
  Hypothesis near : Rabs (v - v') <= S.
  Let c := S' / S.
  Let h := (v' - v) / (scale * S).

  Lemma stretch_between : 1 <= c <= growth.
  Proof.
    unfold c. split; apply (Rmult_le_reg_r S); try lra; replace (S' / S * S) with S' by (field; lra); lra.
  Qed.
  Lemma shift_between : -1 <= h * scale <= 1.
  Proof.
    unfold h. replace ((v' - v) / (scale * S) * scale) with ((v' - v) / S) by (field; lra).
    apply Rabs_le_between in near.
    split; apply (Rmult_le_reg_r S); try lra; replace ((v' - v) / S * S) with (v' - v) by (field; lra); lra.
  Qed.
  Lemma in_units y : (y - v) / (scale * S) = h + c * ((y - v') / (scale * S')).
  Proof. unfold h, c. field. repeat split; lra. Qed.
  Lemma wider_unit : normaliser * (scale * S') = c * (normaliser * (scale * S)).
  Proof. unfold c. field. lra. Qed.
  Lemma unit_positive : 0 < normaliser * (scale * S).
  Proof. repeat apply Rmult_lt_0_compat; lra. Qed.
End two_inputs.

(* In units of the smaller bound: if the densities of Z and of h + c Z are within a factor, the mechanism is private. *)
Theorem scaled_noise_within shape normaliser scale growth t M :
  0 < scale -> 1 <= t -> scales_noise shape normaliser scale M ->
  (forall c h w, 1 <= c -> c <= growth -> -1 <= h * scale <= 1 ->
    c * shape (h + c * w) <= t * shape w /\ shape w <= t * (c * shape (h + c * w))) ->
  private (within_growth growth) M (within t 0).
Proof.
  intros W T [N law] close x y near. destruct (smooth_cases growth x y near) as [<- | [X Y]].
  { apply (within_weaker (M x) (M x) 1 0); [exact T | lra |]. intros f F. lra. }
  destruct near as (_ & _ & near & xy & yx). destruct x as [v S], y as [u U]. simpl in *.
  pose proof (Rmin_l S U). pose proof (Rmin_r S U).
  apply (within_by_densities _ _ _ _ _ (law v S X) (law u U Y)). intro o.
  assert (divided : forall a b c s, 0 < s -> 0 < c -> c * a <= t * b -> a / s <= t * (b / (c * s))).
  { intros a b c s P C L. apply (Rmult_le_reg_r (c * s)); [apply Rmult_lt_0_compat; assumption |].
    replace (a / s * (c * s)) with (c * a) by (field; lra).
    replace (t * (b / (c * s)) * (c * s)) with (t * b) by (field; lra). exact L. }
  assert (divided' : forall a b c s, 0 < s -> 0 < c -> b <= t * (c * a) -> b / (c * s) <= t * (a / s)).
  { intros a b c s P C L. apply (Rmult_le_reg_r (c * s)); [apply Rmult_lt_0_compat; assumption |].
    replace (b / (c * s) * (c * s)) with b by (field; lra).
    replace (t * (a / s) * (c * s)) with (t * (c * a)) by (field; lra). exact L. }
  destruct (Rle_lt_dec S U) as [order | order].
  - destruct (stretch_between growth S U) as [C1 C2]; [lra |].
    pose proof (shift_between scale growth v S u U W ltac:(lra) ltac:(lra)) as H'.
    rewrite (in_units scale growth v S u U W ltac:(lra)), (wider_unit normaliser scale growth S U ltac:(lra)).
    apply divided; [apply unit_positive with growth U; lra | lra | apply close; assumption].
  - destruct (stretch_between growth U S) as [C1 C2]; [lra |]. rewrite Rabs_minus_sym in near.
    pose proof (shift_between scale growth u U v S W ltac:(lra) ltac:(lra)) as H'.
    rewrite (in_units scale growth u U v S W ltac:(lra)), (wider_unit normaliser scale growth U S ltac:(lra)).
    pose proof (unit_positive normaliser scale growth U S W N ltac:(lra)) as P.
    apply divided'; [exact P | lra | apply close; assumption].
Qed.

(* Rounding to the nearest multiple of a granularity, the greater of two. *)
Definition nearest (granularity o : R) : R := IZR (Int_part (o / granularity + 1 / 2)) * granularity.
Lemma nearest_on_cell granularity k o : 0 < granularity ->
  (IZR k - 1 / 2) * granularity < o < (IZR k + 1 / 2) * granularity -> nearest granularity o = IZR k * granularity.
Proof.
  intros G inside. unfold nearest. do 2 f_equal.
  assert (times : o / granularity * granularity = o) by (field; lra).
  destruct (base_Int_part (o / granularity + 1 / 2)) as [below above].
  assert (low : IZR k - 1 / 2 < o / granularity) by (apply (Rmult_lt_reg_r granularity); lra).
  assert (high : o / granularity < IZR k + 1 / 2) by (apply (Rmult_lt_reg_r granularity); lra).
  assert (k < Int_part (o / granularity + 1 / 2) + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (Int_part (o / granularity + 1 / 2) < k + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra). lia.
Qed.
Lemma rounded_observable granularity (f : Line.line -> plain R -> R) : 0 < granularity -> jointly f ->
  observable (fun o => f o (nearest granularity o)).
Proof.
  intros G [[c C] [_ sections]]. split; [exists c; intro; apply C |].
  pose (edge k := (IZR k - 1 / 2) * granularity).
  assert (cells : forall n k, ex_RInt (fun o => f o (nearest granularity o)) (edge k) (edge (k + Z.of_nat n)%Z)).
  { induction n; intro k.
    - replace (k + Z.of_nat 0)%Z with k by lia. apply ex_RInt_point.
    - apply ex_RInt_Chasles with (edge (k + 1)%Z).
      + apply (ex_RInt_ext (fun o => f o (IZR k * granularity))); [| apply sections].
        intros o O. unfold edge in O. rewrite plus_IZR in O. rewrite Rmin_left, Rmax_right in O by lra.
        f_equal. symmetry. apply nearest_on_cell; [exact G | lra].
      + replace (k + Z.of_nat (S n))%Z with (k + 1 + Z.of_nat n)%Z by lia. apply IHn. }
  assert (ordered : forall a b, a <= b -> ex_RInt (fun o => f o (nearest granularity o)) a b).
  { intros a b order. pose (first := Int_part (a / granularity)). pose (last := up (b / granularity + 1 / 2)).
    destruct (base_Int_part (a / granularity)) as [A1 A2]. destruct (archimed (b / granularity + 1 / 2)) as [B1 _].
    fold first in A1, A2. fold last in B1.
    assert (times : forall x, x / granularity * granularity = x) by (intro; field; lra).
    assert (low : edge first <= a).
    { rewrite <- (times a). apply Rmult_le_compat_r; lra. }
    assert (high : b <= edge last).
    { rewrite <- (times b). apply Rmult_le_compat_r; lra. }
    assert (first_last : (first <= last)%Z).
    { apply le_IZR. assert (IZR first - 1 / 2 <= IZR last - 1 / 2); [| lra].
      apply (Rmult_le_reg_r granularity); [exact G |]. fold (edge first) (edge last). lra. }
    pose proof (cells (Z.to_nat (last - first)) first) as all.
    replace (first + Z.of_nat (Z.to_nat (last - first)))%Z with last in all by lia.
    apply (ex_RInt_Chasles_2 (V := R_CompleteNormedModule) _ (edge first)); [lra |].
    apply (ex_RInt_Chasles_1 (V := R_CompleteNormedModule) _ _ _ (edge last)); [lra | exact all]. }
  intros a b. destruct (Rle_lt_dec a b); [apply ordered; assumption | apply ex_RInt_swap, ordered; lra].
Qed.
Definition rounding (granularity : R) (positive : 0 < granularity) : kernel Line.line (plain R) :=
  Kernel (O := Line.line) (P := plain R) (fun o => certain (O := plain R) (nearest granularity o))
    (fun f F => rounded_observable granularity f positive F).

(* Every continuous shape that falls as 1 / z^2 at least has such a noise. *)
Section noise_of_a_shape.
  Variables (shape : R -> R) (most scale : R).
  Hypothesis scale_positive : 0 < scale.
  Hypothesis positive : forall z, 0 < shape z.
  Hypothesis continuous : continuity shape.
  Hypothesis falls : forall z, shape z <= most * / (1 + z ^ 2).

  Lemma shape_on_line : is_on_line shape (line shape).
  Proof.
    destruct (on_line_below shape (fun z => / (1 + z ^ 2)) PI most cauchy_on_line) as [l L].
    - apply Line.integrable_continuous, cauchy_continuous.
    - apply Line.integrable_continuous, continuous.
    - intro z. rewrite Rabs_pos_eq by (left; apply positive). apply falls.
    - apply line_has. exists l. exact L.
  Qed.
  Lemma shape_total_positive : 0 < line shape.
  Proof.
    assert (C : forall z, Continuity.continuous shape z) by (intro; apply continuity_pt_filterlim, continuous).
    pose proof (Line.integrable_continuous shape continuous 0 1) as X.
    destruct (line_is _ _ (line_on_interval shape 0 1 _ ltac:(lra)
      (RInt_correct (V := R_CompleteNormedModule) shape _ _ X))) as [A B].
    apply Rlt_le_trans with (RInt shape 0 1); [apply RInt_gt_0; [lra | intros; apply positive | intros; apply C] |].
    rewrite <- B. apply integral_monotone; [exact A | exists (line shape); apply shape_on_line |]. intro z.
    specialize (positive z). unfold in_interval, at_least, at_most. destruct (Rle_dec 0 z), (Rle_dec z 1); lra.
  Qed.
  Lemma shape_bounded : forall z, 0 <= shape z <= most.
  Proof.
    intro z. specialize (falls z). specialize (positive z). pose proof (pow2_ge_0 z) as S.
    assert (P : 0 < / (1 + z ^ 2)) by (apply Rinv_0_lt_compat; lra).
    assert (one : / (1 + z ^ 2) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 < most); [| split; [lra |]].
    - apply Rnot_le_lt. intro no. apply (Rmult_le_compat_r (/ (1 + z ^ 2))) in no; lra.
    - apply (Rmult_le_compat_l most) in one; lra.
  Qed.
  Section beside_a_bound.
    Variables v S : R.
    Hypothesis S_positive : 0 < S.
    Let p y := shape ((y - v) / (scale * S)) / (line shape * (scale * S)).
    Let unit_is_positive : 0 < line shape * (scale * S) :=
      Rmult_lt_0_compat _ _ shape_total_positive (Rmult_lt_0_compat _ _ scale_positive S_positive).
    Lemma noisy_nonnegative y : 0 <= p y.
    Proof. apply Rmult_le_pos; [apply shape_bounded | left; apply Rinv_0_lt_compat, unit_is_positive]. Qed.
    Lemma noisy_bounded : bounded p.
    Proof.
      exists (most / (line shape * (scale * S))). intro y. pose proof (noisy_nonnegative y) as N.
      assert (p y <= most / (line shape * (scale * S))); [| lra].
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, unit_is_positive | apply shape_bounded].
    Qed.
    Lemma noisy_measurable : Line.integrable p.
    Proof.
      apply Line.integrable_continuous.
      apply (continuity_mult (fun y => shape ((y - v) / (scale * S))) (fun _ => / (line shape * (scale * S)))).
      - apply (continuity_comp (fun y => (y - v) / (scale * S)) shape); [| exact continuous].
        apply derivable_continuous. intro y. eexists. apply is_derive_Reals. auto_derive; [| reflexivity].
        repeat split; exact Logic.I || (apply Rmult_integral_contrapositive; lra).
      - apply continuity_const. intros a b. reflexivity.
    Qed.
    Lemma noisy_whole : is_on_line p 1.
    Proof.
      pose proof (on_line_scaled shape (line shape) v (scale * S) (Rmult_lt_0_compat _ _ scale_positive S_positive)
        shape_on_line) as K.
      apply (on_line_multiple (/ (line shape * (scale * S)))) in K.
      replace (/ (line shape * (scale * S)) * (scale * S * line shape)) with 1 in K.
      - apply (on_line_same _ p _ (fun y => Rmult_comm _ _) K).
      - pose proof unit_is_positive. pose proof shape_total_positive. field. repeat split; lra.
    Qed.
    Definition noise_beside : law Line.line :=
      law_of_density p noisy_nonnegative noisy_bounded noisy_measurable noisy_whole.
    Lemma noise_beside_has_its_density : has_density_on_the_line noise_beside p.
    Proof. exact (law_of_density_has_it p noisy_nonnegative noisy_bounded noisy_measurable noisy_whole). Qed.
  End beside_a_bound.

  (* value + scale bound Z; where the bound is 0, the noise is, too. *)
  Definition add_bound_noise : mechanism (R * R) Line.line := fun input =>
    match Rlt_dec 0 (snd input) with
    | left bound_positive => noise_beside (fst input) (snd input) bound_positive
    | right _ => certain (O := Line.line) (fst input)
    end.
  Theorem add_bound_noise_scales_noise : scales_noise shape (line shape) scale add_bound_noise.
  Proof.
    split; [exact shape_total_positive |]. intros v S P. unfold add_bound_noise. cbn [fst snd].
    destruct (Rlt_dec 0 S) as [inside | no]; [| contradiction]. apply noise_beside_has_its_density.
  Qed.
End noise_of_a_shape.

(* ---- bound_noise ---- *)

Definition arcosh (a : R) : R := ln (a + sqrt (a ^ 2 - 1)).
Lemma arcosh_larger a t : 1 <= a -> exp (arcosh a) < t -> 1 <= t /\ 2 * a * t < t ^ 2 + 1.
Proof.
  intros A. assert (S : 0 <= a ^ 2 - 1) by (simpl; rewrite Rmult_1_r; nra).
  pose proof (sqrt_pos (a ^ 2 - 1)) as P. pose proof (sqrt_sqrt _ S) as square.
  unfold arcosh. rewrite exp_ln by lra. set (r := sqrt (a ^ 2 - 1)) in *. intro T. split; [lra |].
  assert (0 < (t - a - r) * (t - a + r)) by (apply Rmult_lt_0_compat; lra). simpl in *. nra.
Qed.
Lemma at_most_for_every_larger a b T : 0 <= b -> (forall t, T < t -> a <= t * b) -> a <= T * b.
Proof.
  intros B H. apply Rnot_lt_le. intro more. pose (t := T + (a - T * b) / (2 * (b + 1))).
  assert (gap : 0 < (a - T * b) / (2 * (b + 1))) by (apply Rdiv_lt_0_compat; lra).
  specialize (H t ltac:(unfold t; lra)).
  assert (t * b <= T * b + (a - T * b) / 2); [| lra]. unfold t. rewrite Rmult_plus_distr_r.
  apply Rplus_le_compat_l. apply (Rmult_le_reg_r (2 * (b + 1))); [lra |].
  replace ((a - T * b) / (2 * (b + 1)) * b * (2 * (b + 1))) with ((a - T * b) * b) by (field; lra).
  replace ((a - T * b) / 2 * (2 * (b + 1))) with ((a - T * b) * (b + 1)) by field.
  apply Rmult_le_compat_l; lra.
Qed.

(* The obligations of refdp/spec/bound_noise.py. *)
Definition density_falls_as_a_square (rarity : R -> R) := forall z, 1 + z ^ 2 <= rarity z.
Definition narrow_noise_is_at_most_so_much_denser (rarity : R -> R) (spread : R -> R -> R) :=
  forall c h t z, 1 <= c -> 1 <= t -> spread c h * t < c * (t ^ 2 + 1) -> c * rarity z <= t * rarity (h + c * z).
Definition wide_noise_is_at_most_so_much_denser (rarity : R -> R) (spread : R -> R -> R) :=
  forall c h t z, 1 <= c -> 1 <= t -> spread c h * t < c * (t ^ 2 + 1) -> rarity (h + c * z) <= t * (c * rarity z).
Definition spread_is_greatest_at_the_ends (spread : R -> R -> R) := forall c h growth cosh,
  1 <= c -> c <= growth -> spread 1 h <= 2 * cosh -> spread growth h <= 2 * growth * cosh -> spread c h <= 2 * c * cosh.
Definition spread_is_within_the_map (spread : R -> R -> R) (cosh_of_loss : R -> R) (scale : R) := forall h growth,
  1 <= growth -> -1 <= h * scale -> h * scale <= 1 ->
  spread 1 h <= 2 * cosh_of_loss growth /\ spread growth h <= 2 * growth * cosh_of_loss growth.
Definition cosh_is_at_least_1 (cosh_of_loss : R -> R) := forall growth, 1 <= growth -> 1 <= cosh_of_loss growth.

Section bound_noise.
  Variables (rarity : R -> R) (spread : R -> R -> R) (cosh_of_loss : R -> R) (scale growth normaliser : R).
  Variable M : mechanism (R * R) Line.line.
  Hypothesis scale_positive : 0 < scale.
  Hypothesis growth_at_least_1 : 1 <= growth.
  Hypothesis falls : density_falls_as_a_square rarity.
  Hypothesis narrow : narrow_noise_is_at_most_so_much_denser rarity spread.
  Hypothesis wide : wide_noise_is_at_most_so_much_denser rarity spread.
  Hypothesis ends : spread_is_greatest_at_the_ends spread.
  Hypothesis reached : spread_is_within_the_map spread cosh_of_loss scale.
  Hypothesis cosh : cosh_is_at_least_1 cosh_of_loss.
  (* The density of Z is 1 / rarity, up to a constant. *)
  Hypothesis noise : scales_noise (fun z => / rarity z) normaliser scale M.

  Lemma rarity_positive z : 0 < rarity z.
  Proof. specialize (falls z). pose proof (pow2_ge_0 z). lra. Qed.

  (* bound_noise: value + scale bound Z : smooth(growth) |-> pure(arcosh(m(growth))) *)
  Theorem bound_noise : private (within_growth growth) M (pure (arcosh (cosh_of_loss growth))).
  Proof.
    pose proof (cosh growth growth_at_least_1) as one. set (m := cosh_of_loss growth) in *.
    assert (T : 1 <= exp (arcosh m)).
    { apply exp_at_least_1. unfold arcosh. rewrite <- ln_1. pose proof (sqrt_pos (m ^ 2 - 1)).
      apply Rcomplements.ln_le; lra. }
    apply (scaled_noise_within _ _ _ _ _ _ scale_positive T noise). intros c h w C1 C2 [H1 H2].
    destruct (reached h growth growth_at_least_1 H1 H2) as [R1 R2]. fold m in R1, R2.
    pose proof (ends c h growth m C1 C2 R1 R2) as S.
    pose proof (rarity_positive w) as P. pose proof (rarity_positive (h + c * w)) as Q.
    assert (larger : forall t, exp (arcosh m) < t -> c * rarity w <= t * rarity (h + c * w) /\
      rarity (h + c * w) <= t * (c * rarity w)).
    { intros t more. destruct (arcosh_larger m t one more) as [T1 T2].
      assert (spread c h * t < c * (t ^ 2 + 1)).
      { apply Rle_lt_trans with (2 * c * m * t); [apply Rmult_le_compat_r; lra |].
        replace (2 * c * m * t) with (c * (2 * m * t)) by ring. apply Rmult_lt_compat_l; lra. }
      split; [apply narrow | apply wide]; assumption. }
    pose proof (at_most_for_every_larger (c * rarity w) (rarity (h + c * w)) _ ltac:(lra)
      (fun t more => proj1 (larger t more))) as N.
    pose proof (at_most_for_every_larger (rarity (h + c * w)) (c * rarity w) _
      ltac:(apply Rmult_le_pos; lra) (fun t more => proj2 (larger t more))) as D.
    set (a := rarity w) in *. set (b := rarity (h + c * w)) in *. set (t := exp (arcosh m)) in *.
    assert (ab : 0 < a * b) by (apply Rmult_lt_0_compat; assumption).
    split; apply (Rmult_le_reg_r (a * b)); try exact ab.
    - replace (c * / b * (a * b)) with (c * a) by (field; lra).
      replace (t * / a * (a * b)) with (t * b) by (field; lra). exact N.
    - replace (/ a * (a * b)) with b by (field; lra).
      replace (t * (c * / b) * (a * b)) with (t * (c * a)) by (field; lra). exact D.
  Qed.
  (* bound_noise, rounded to the nearest multiple of a granularity *)
  Theorem bound_noise_rounded granularity (positive : 0 < granularity) :
    private (within_growth growth) (fun x => then_run (M x) (rounding granularity positive))
      (pure (arcosh (cosh_of_loss growth))).
  Proof. apply post_process. exact bound_noise. Qed.
End bound_noise.

(* Cauchy noise: rarity 1 + z^2, and spread 1 + c^2 + h^2. *)
Section cauchy_noise.
  Variable scale : R.
  Hypothesis scale_positive : 0 < scale.
  Let rarity z := 1 + z ^ 2.
  Let spread c h := 1 + c ^ 2 + h ^ 2.

  Lemma cauchy_ratio c h t z : 1 <= c -> 1 <= t -> spread c h * t < c * (t ^ 2 + 1) ->
    c * rarity z <= t * rarity (h + c * z) /\ rarity (h + c * z) <= t * (c * rarity z).
  Proof.
    unfold spread, rarity. intros C T F. pose proof (pow2_ge_0 h) as H2.
    set (F0 := c * (t ^ 2 + 1) - (1 + c ^ 2 + h ^ 2) * t). assert (F1 : 0 < F0) by (unfold F0; lra).
    assert (product : 0 < (t - c) * (c * t - 1)).
    { replace ((t - c) * (c * t - 1)) with (F0 + t * h ^ 2) by (unfold F0; ring).
      assert (0 <= t * h ^ 2) by (apply Rmult_le_pos; lra). lra. }
    assert (one : 0 < c * t - 1).
    { assert (1 * 1 <= c * t) by (apply Rmult_le_compat; lra). destruct (Req_dec (c * t) 1) as [same |]; [| lra].
      rewrite same, Rminus_eq_0, Rmult_0_r in product. lra. }
    assert (other : 0 < t - c) by (apply (Rmult_lt_reg_r (c * t - 1)); lra).
    split.
    - apply Rminus_le. apply (Rmult_le_reg_l (c * t - 1)); [exact one |]. rewrite Rmult_0_r.
      replace ((c * t - 1) * (c * (1 + z ^ 2) - t * (1 + (h + c * z) ^ 2)))
        with (- (c * ((t * c - 1) * z + t * h) ^ 2 + F0)) by (unfold F0; ring).
      pose proof (pow2_ge_0 ((t * c - 1) * z + t * h)) as S. assert (0 <= c * ((t * c - 1) * z + t * h) ^ 2)
        by (apply Rmult_le_pos; lra). lra.
    - apply Rminus_le. apply (Rmult_le_reg_l (t - c)); [exact other |]. rewrite Rmult_0_r.
      replace ((t - c) * (1 + (h + c * z) ^ 2 - t * (c * (1 + z ^ 2))))
        with (- (c * ((t - c) * z - h) ^ 2 + F0)) by (unfold F0; ring).
      pose proof (pow2_ge_0 ((t - c) * z - h)) as S. assert (0 <= c * ((t - c) * z - h) ^ 2)
        by (apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma cauchy_shape_positive z : 0 < / (1 + z ^ 2).
  Proof. pose proof (pow2_ge_0 z). apply Rinv_0_lt_compat. lra. Qed.
  Lemma cauchy_shape_falls z : / (1 + z ^ 2) <= 1 * / (1 + z ^ 2).
  Proof. lra. Qed.
  Definition cauchy_bound_noise :=
    add_bound_noise (fun z => / (1 + z ^ 2)) 1 scale scale_positive cauchy_shape_positive cauchy_continuous
      cauchy_shape_falls.

  (* The cosh of the loss is the greater of those of equal bounds and of the most different ones, with h = 1 / scale. *)
  Theorem cauchy_bound_noise_private growth : 1 <= growth ->
    private (within_growth growth) cauchy_bound_noise
      (pure (arcosh (Rmax (1 + / scale ^ 2 / 2) ((1 + growth ^ 2 + / scale ^ 2) / (2 * growth))))).
  Proof.
    intro G. pose proof (pow_lt scale 2 scale_positive) as S2. pose proof (Rinv_0_lt_compat _ S2) as I.
    apply (bound_noise rarity spread
      (fun growth => Rmax (1 + / scale ^ 2 / 2) ((1 + growth ^ 2 + / scale ^ 2) / (2 * growth))) scale growth PI); auto.
    - intro z. unfold rarity. lra.
    - intros c h t z C T F. apply (cauchy_ratio c h t z C T F).
    - intros c h t z C T F. apply (cauchy_ratio c h t z C T F).
    - intros c h g cosh C C' low high. unfold spread in *.
      assert (0 <= (c - 1) * (g - c)) by (apply Rmult_le_pos; lra).
      destruct (Req_dec g 1) as [one | more].
      + assert (c = 1) by lra. subst. lra.
      + apply (Rmult_le_reg_l (g - 1)); [lra |].
        assert (A : (c - 1) * (1 + g ^ 2 + h ^ 2) <= (c - 1) * (2 * g * cosh)) by (apply Rmult_le_compat_l; lra).
        assert (B : (g - c) * (1 + 1 ^ 2 + h ^ 2) <= (g - c) * (2 * cosh)) by (apply Rmult_le_compat_l; lra).
        assert (K : (g - 1) * (1 + c ^ 2 + h ^ 2) <= (c - 1) * (1 + g ^ 2 + h ^ 2) + (g - c) * (1 + 1 ^ 2 + h ^ 2)).
        { assert (0 <= (g - 1) * ((c - 1) * (g - c))) by (apply Rmult_le_pos; lra). nra. }
        lra.
    - intros h g G' H1 H2. unfold spread.
      assert (square : h ^ 2 <= / scale ^ 2).
      { apply (Rmult_le_reg_r (scale ^ 2)); [exact S2 |]. rewrite Rinv_l by lra.
        replace (h ^ 2 * scale ^ 2) with ((h * scale) ^ 2) by ring.
        rewrite <- Rsqr_pow2. replace 1 with (Rsqr 1) by (unfold Rsqr; ring). apply neg_pos_Rsqr_le; lra. }
      pose proof (Rmax_l (1 + / scale ^ 2 / 2) ((1 + g ^ 2 + / scale ^ 2) / (2 * g))) as A.
      pose proof (Rmax_r (1 + / scale ^ 2 / 2) ((1 + g ^ 2 + / scale ^ 2) / (2 * g))) as B.
      apply (Rmult_le_compat_l (2 * g)) in B; [| lra].
      replace (2 * g * ((1 + g ^ 2 + / scale ^ 2) / (2 * g))) with (1 + g ^ 2 + / scale ^ 2) in B by (field; lra). lra.
    - intros g G'. eapply Rle_trans; [| apply Rmax_l]. lra.
    - pose proof (add_bound_noise_scales_noise _ 1 scale scale_positive cauchy_shape_positive cauchy_continuous
        cauchy_shape_falls) as K.
      rewrite (proj2 (line_is _ _ cauchy_on_line)) in K. exact K.
  Qed.
End cauchy_noise.

(* ---- laplace_bound_noise ---- *)

(* The greatest P(E) - e^epsilon Q(E) over events and inputs within growth > 1: that of the widest noise and the
   farthest shift. *)
Definition laplace_delta (scale growth epsilon : R) : R :=
  (1 - 1 / growth) * (exp (- ((epsilon + ln growth - 1 / scale) / (growth - 1))) +
    exp (- ((epsilon + ln growth + 1 / scale) / (growth - 1)))) / 2.
Lemma laplace_delta_is scale growth epsilon : 0 < scale -> 1 < growth -> laplace_delta scale growth epsilon =
  (1 - 1 / growth) * exp (- (epsilon + ln growth) / (growth - 1)) * cosh (1 / (scale * (growth - 1))).
Proof.
  intros S G. unfold laplace_delta, cosh.
  replace (exp (- ((epsilon + ln growth - 1 / scale) / (growth - 1))))
    with (exp (- (epsilon + ln growth) / (growth - 1)) * exp (1 / (scale * (growth - 1))))
    by (rewrite <- exp_plus; f_equal; field; lra).
  replace (exp (- ((epsilon + ln growth + 1 / scale) / (growth - 1))))
    with (exp (- (epsilon + ln growth) / (growth - 1)) * exp (- (1 / (scale * (growth - 1)))))
    by (rewrite <- exp_plus; f_equal; field; lra).
  field. lra.
Qed.

Lemma cosh_grows x y : Rabs x <= y -> exp x + exp (- x) <= exp y + exp (- y).
Proof.
  intro near. apply Rabs_le_between in near.
  assert (0 <= (exp y - exp x) * (1 - exp (- (x + y)))).
  { apply Rmult_le_pos; [pose proof (exp_le x y ltac:(lra)); lra |].
    pose proof (exp_le (- (x + y)) 0 ltac:(lra)) as E. rewrite exp_0 in E. lra. }
  replace ((exp y - exp x) * (1 - exp (- (x + y)))) with (exp y - exp x - exp y * exp (- (x + y)) +
    exp x * exp (- (x + y))) in H by ring.
  rewrite <- !exp_plus in H. replace (y + - (x + y)) with (- x) in H by ring.
  replace (x + - (x + y)) with (- y) in H by ring. lra.
Qed.
Lemma far_end_grows u c growth : 0 <= u -> 1 < c -> c <= growth ->
  (1 - 1 / c) * exp (- ((u + ln c) / (c - 1))) <= (1 - 1 / growth) * exp (- ((u + ln growth) / (growth - 1))).
Proof.
  intros U C G.
  assert (logs : forall x, 1 < x -> (1 - 1 / x) * exp (- ((u + ln x) / (x - 1))) =
    exp (ln (x - 1) - ln x - (u + ln x) / (x - 1))).
  { intros x X. replace (ln (x - 1) - ln x - (u + ln x) / (x - 1))
      with (ln (x - 1) + - ln x + - ((u + ln x) / (x - 1))) by ring.
    rewrite !exp_plus, (exp_Ropp (ln x)), !exp_ln by lra. f_equal. field. lra. }
  rewrite !logs by lra. apply exp_le.
  apply (GaussianPrivacy.increases (fun x => ln (x - 1) - ln x - (u + ln x) / (x - 1))
    (fun x => (u + ln x) / (x - 1) ^ 2)); [exact G | |].
  - intros x X. auto_derive; [repeat split; lra |]. field. lra.
  - intros x X. apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat, pow_lt; lra].
    assert (0 <= ln x); [| lra]. rewrite <- ln_1. apply Rcomplements.ln_le; lra.
Qed.
Lemma ln_at_least x : 0 < x -> 1 - / x <= ln x.
Proof.
  intro X. pose proof (exp_ineq1_le (- ln x)) as E. rewrite exp_Ropp, exp_ln in E by exact X. lra.
Qed.
(* ln c + a / c falls first and then grows: it is greatest at an end. *)
Lemma narrow_loss a c growth epsilon : 0 <= a -> 1 <= c -> c <= growth -> a <= epsilon ->
  ln growth + a / growth <= epsilon ->
  ln c + a / c <= epsilon.
Proof.
  intros A C G low high. destruct (Rle_lt_dec c a) as [less | more].
  - pose proof (ln_at_least (/ c) ltac:(apply Rinv_0_lt_compat; lra)) as L. rewrite Rinv_inv, ln_Rinv in L by lra.
    assert (c - 1 <= a * (1 - / c)).
    { replace (c - 1) with (c * (1 - / c)) by (field; lra). apply Rmult_le_compat_r; [| exact less].
      assert (/ c <= / 1) by (apply Rinv_le_contravar; lra). lra. }
    unfold Rdiv. lra.
  - pose proof (ln_at_least (growth / c) ltac:(apply Rdiv_lt_0_compat; lra)) as L.
    unfold Rdiv in L at 2. rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; lra).
    replace (/ (growth / c)) with (c / growth) in L by (field; lra).
    assert (a / c - a / growth <= 1 * (1 - c / growth)); [| lra].
    replace (a / c - a / growth) with (a / c * (1 - c / growth)) by (field; lra). apply Rmult_le_compat_r.
    + assert (c / growth <= 1); [| lra]. apply (Rmult_le_reg_r growth); [lra |].
      replace (c / growth * growth) with c by (field; lra). lra.
    + apply (Rmult_le_reg_r c); [lra |]. replace (a / c * c) with a by (field; lra). lra.
Qed.

(* Where the density of h + c Z is more than e^epsilon times that of Z: beyond two ends. *)
Section wider_noise.
  Variables c h epsilon : R.
  Hypothesis wider : 1 < c.
  Hypothesis shift : Rabs h <= epsilon.
  Let level := epsilon + ln c.
  Let last h := (level - h / c) / (1 - 1 / c).
  Let falls h z := if Rlt_dec (last h) z then
    exp (- / c * (z - last h)) + -1 * exp (- (z - last h)) else 0.
  Let share h := exp (- (last h - h) / c) / (2 * c).

  Lemma level_at_least : Rabs h <= level /\ 0 < 1 - 1 / c /\ 0 < level.
  Proof.
    assert (0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra). pose proof (Rabs_pos h). unfold level.
    repeat split; try lra. apply (Rmult_lt_reg_r c); [lra |].
    replace ((1 - 1 / c) * c) with (c - 1) by (field; lra). lra.
  Qed.
  Lemma last_at g : last g * (1 - 1 / c) = level - g / c.
  Proof. unfold last. field. destruct level_at_least as (_ & P & _). lra. Qed.
  Lemma last_beyond g : Rabs g <= epsilon -> 0 <= last g /\ g <= last g.
  Proof.
    intro G. destruct level_at_least as (_ & P & _). apply Rabs_le_between in G.
    assert (0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (over : forall x, x <= epsilon -> x / c <= level).
    { intros x X. apply (Rmult_le_reg_r c); [lra |]. replace (x / c * c) with x by (field; lra).
      assert (level * 1 <= level * c) by (apply Rmult_le_compat_l; unfold level; lra). unfold level in *. lra. }
    pose proof (last_at g) as L. split; apply (Rmult_le_reg_r (1 - 1 / c)); try exact P; rewrite L.
    - specialize (over g ltac:(lra)). lra.
    - replace (g * (1 - 1 / c)) with (g - g / c) by (field; lra). unfold level. lra.
  Qed.
  Lemma falls_nonnegative g z : 0 <= falls g z.
  Proof.
    unfold falls. destruct Rlt_dec as [beyond |]; [| lra].
    assert (exp (- (z - last g)) <= exp (- / c * (z - last g))); [| lra]. apply exp_le.
    assert (one : / c <= / 1) by (apply Rinv_le_contravar; lra). rewrite Rinv_1 in one.
    apply (Rmult_le_compat_r (z - last g)) in one; lra.
  Qed.
  Lemma falls_on_line g : is_on_line (falls g) (c - 1).
  Proof.
    pose (tail rate z := if Rlt_dec (last g) z then exp (- rate * (z - last g)) else 0).
    assert (one : forall rate, 0 < rate -> is_on_line (tail rate) (/ rate)).
    { intros rate P. apply (exponential_beyond _ rate (last g) P); intros z Z; unfold tail; destruct Rlt_dec; lra. }
    pose proof (on_line_sum _ _ _ _ (one (/ c) ltac:(apply Rinv_0_lt_compat;
      lra)) (on_line_multiple (-1) _ _ (one 1 Rlt_0_1)))
      as K.
    rewrite Rinv_inv, Rinv_1 in K. replace (c + -1 * 1) with (c - 1) in K by ring.
    apply (fun same => on_line_same _ (falls g) _ same K). intro z. unfold tail, falls.
    destruct Rlt_dec; [| ring]. replace (- (1) * (z - last g)) with (- (z - last g)) by ring. reflexivity.
  Qed.

  Definition excess (z : R) : R := share h * falls h z + share (- h) * falls (- h) (- z).
  Lemma share_positive g : 0 < share g.
  Proof. apply Rdiv_lt_0_compat; [apply exp_pos | lra]. Qed.
  Lemma excess_nonnegative z : 0 <= excess z.
  Proof.
    pose proof (share_positive h). pose proof (share_positive (- h)). unfold excess.
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; (apply falls_nonnegative || lra).
  Qed.
  Lemma excess_on_line : is_on_line excess
    ((1 - 1 / c) * (exp (- ((level - h) / (c - 1))) + exp (- ((level + h) / (c - 1)))) / 2).
  Proof.
    pose proof (on_line_sum _ _ _ _ (on_line_multiple (share h) _ _ (falls_on_line h))
      (on_line_multiple (share (- h)) _ _ (on_line_mirrored _ _ (falls_on_line (- h))))) as K.
    assert (end_at : forall g, - (last g - g) / c = - ((level - g) / (c - 1))).
    { intro g. unfold last. field. lra. }
    replace ((1 - 1 / c) * (exp (- ((level - h) / (c - 1))) + exp (- ((level + h) / (c - 1)))) / 2)
      with (share h * (c - 1) + share (- h) * (c - 1))
      by (unfold share; rewrite !end_at; replace (level - - h) with (level + h) by ring; field; lra).
    exact K.
  Qed.
  (* Beyond an end the excess is the difference of the densities. *)
  Lemma beyond_an_end g z : last g < z -> exp (- (z - g) / c) / (2 * c) - exp epsilon * (exp (- z) / 2)
    = share g * falls g z.
  Proof.
    intro Z. unfold falls. destruct Rlt_dec as [_ |]; [| lra].
    assert (at_end : exp (- (last g - g) / c) / (2 * c) = exp epsilon * exp (- last g) / 2).
    { rewrite <- exp_plus. replace (exp (- (last g - g) / c) / (2 * c)) with (exp (- (last g - g) / c) * / c / 2)
        by (field; lra).
      f_equal. rewrite <- (exp_ln (/ c)) at 1 by (apply Rinv_0_lt_compat; lra). rewrite ln_Rinv, <- exp_plus by lra.
      f_equal. pose proof (last_at g) as L. unfold level in L.
      replace (last g * (1 - 1 / c)) with (last g - last g / c) in L by (field; lra).
      replace (- (last g - g) / c) with (- (last g / c) + g / c) by (field; lra). lra. }
    unfold share. rewrite Rmult_plus_distr_l.
    replace (exp (- (last g - g) / c) / (2 * c) * exp (- / c * (z - last g))) with (exp (- (z - g) / c) / (2 * c)).
    - rewrite at_end.
      replace (exp epsilon * exp (- last g) / 2 * (-1 * exp (- (z - last g))))
        with (- (exp epsilon * (exp (- last g) * exp (- (z - last g)) / 2))) by field.
      rewrite <- exp_plus. replace (- last g + - (z - last g)) with (- z) by ring. ring.
    - replace (exp (- (last g - g) / c) / (2 * c) * exp (- / c * (z - last g)))
        with (exp (- (last g - g) / c) * exp (- / c * (z - last g)) / (2 * c)) by (field; lra).
      rewrite <- exp_plus. do 2 f_equal. field. lra.
  Qed.
  Lemma below_the_excess z : exp (- Rabs ((z - h) / c)) / (2 * c) - exp epsilon * (exp (- Rabs z) / 2) <= excess z.
  Proof.
    pose proof (share_positive h) as P. pose proof (share_positive (- h)) as P'.
    pose proof (Rmult_le_pos _ _ (Rlt_le _ _ P) (falls_nonnegative h z)) as N.
    pose proof (Rmult_le_pos _ _ (Rlt_le _ _ P') (falls_nonnegative (- h) (- z))) as N'.
    destruct (last_beyond h shift) as [B1 B2]. destruct (last_beyond (- h) ltac:(rewrite Rabs_Ropp;
      exact shift)) as [B3 B4].
    assert (over : Rabs ((z - h) / c) = Rabs (z - h) / c).
    { unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ c)); [reflexivity | left; apply Rinv_0_lt_compat; lra]. }
    rewrite over. destruct (Rlt_le_dec (last h) z) as [right | inner].
    { pose proof (beyond_an_end h z right) as K. rewrite !Rabs_pos_eq by lra.
      replace (- ((z - h) / c)) with (- (z - h) / c) by (field; lra). unfold excess. lra. }
    destruct (Rlt_le_dec (last (- h)) (- z)) as [left | inside].
    { pose proof (beyond_an_end (- h) (- z) left) as K. rewrite !Rabs_left1 by lra.
      replace (- (- (z - h) / c)) with (- (- z - - h) / c) by (field; lra). unfold excess. lra. }
    assert (less : exp (- (Rabs (z - h) / c)) / (2 * c) <= exp epsilon * (exp (- Rabs z) / 2));
      [| unfold excess; lra].
    rewrite <- (exp_ln c) at 2 by lra.
    replace (exp (- (Rabs (z - h) / c)) / (2 * exp (ln c))) with (exp (- (Rabs (z - h) / c)) * / exp (ln c) / 2)
      by (field; pose proof (exp_pos (ln c)); lra).
    rewrite <- exp_Ropp, <- exp_plus. unfold Rdiv at 3. rewrite <- Rmult_assoc, <- exp_plus.
    apply Rmult_le_compat_r; [lra |]. apply exp_le.
    assert (0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
    destruct level_at_least as (_ & K & _).
    pose proof (Rmult_le_compat_r (1 - 1 / c) _ _ ltac:(lra) inner) as R1. rewrite last_at in R1.
    pose proof (Rmult_le_compat_r (1 - 1 / c) _ _ ltac:(lra) inside) as R2. rewrite last_at in R2.
    replace (z * (1 - 1 / c)) with (z - z / c) in R1 by (field; lra).
    replace (- z * (1 - 1 / c)) with (- z + z / c) in R2 by (field; lra).
    replace (- h / c) with (- (h / c)) in R2 by (field; lra).
    apply Rabs_le_between in shift. unfold level in R1, R2.
    pose proof (Rabs_pos (z - h)) as Q.
    assert (0 <= Rabs (z - h) / c) by (apply Rmult_le_pos; [exact Q | left; apply Rinv_0_lt_compat; lra]).
    destruct (Rle_lt_dec 0 z) as [up | down]; [rewrite (Rabs_pos_eq z) by lra | rewrite (Rabs_left1 z) by lra].
    - destruct (Rle_lt_dec h z); [| lra]. rewrite Rabs_pos_eq by lra.
      replace ((z - h) / c) with (z / c - h / c) by (field; lra). lra.
    - destruct (Rle_lt_dec z h); [| lra]. rewrite Rabs_left1 by lra.
      replace (- (z - h) / c) with (- (z / c) + h / c) by (field; lra). lra.
  Qed.
End wider_noise.

(* laplace_bound_noise: value + scale bound Z : smooth(growth) |-> approximate(epsilon, laplace_delta), where the
   density of Z is e^-|z| / 2 *)
Theorem laplace_bound_noise scale growth epsilon (M : mechanism (R * R) Line.line) :
  0 < scale -> 1 < growth -> 1 / scale <= epsilon -> ln growth + 1 / (scale * growth) <= epsilon ->
  scales_noise (fun z => exp (- Rabs z)) 2 scale M ->
  private (within_growth growth) M (approximate epsilon (laplace_delta scale growth epsilon)).
Proof.
  intros W G low high [_ law] x y near.
  assert (a_positive : 0 < 1 / scale) by (apply Rdiv_lt_0_compat; lra).
  assert (inverse : 0 < 1 - 1 / growth).
  { apply (Rmult_lt_reg_r growth); [lra |]. replace ((1 - 1 / growth) * growth) with (growth - 1) by (field; lra).
  lra. }
  assert (delta : 0 <= laplace_delta scale growth epsilon).
  { unfold laplace_delta. pose proof (exp_pos (- ((epsilon + ln growth - 1 / scale) / (growth - 1)))).
    pose proof (exp_pos (- ((epsilon + ln growth + 1 / scale) / (growth - 1)))).
    repeat apply Rmult_le_pos; lra. }
  assert (T : 1 <= exp epsilon) by (apply exp_at_least_1; lra).
  destruct (smooth_cases growth x y near) as [<- | [X Y]].
  { apply (within_weaker (M x) (M x) 1 0); [exact T | exact delta |]. intros f F. lra. }
  destruct near as (_ & _ & near & xy & yx). destruct x as [v S], y as [u U]. simpl in *.
  pose proof (Rmin_l S U). pose proof (Rmin_r S U).
  assert (shifted : forall h, -1 <= h * scale <= 1 -> Rabs h <= 1 / scale).
  { intros h between. apply (Rmult_le_reg_r scale); [exact W |].
    rewrite <- (Rabs_pos_eq scale) at 1 by lra. rewrite <- Rabs_mult.
    replace (1 / scale * scale) with 1 by (field; lra). apply Rabs_le, between. }
  destruct (Rle_lt_dec S U) as [order | order].
  - (* the narrower noise beside the wider one *)
    destruct (stretch_between growth S U) as [C1 C2]; [lra |].
    pose proof (shifted _ (shift_between scale growth v S u U W ltac:(lra) ltac:(lra))) as H'.
    apply (within_weaker _ _ (exp epsilon) 0); [lra | exact delta |].
    apply (within_by_densities _ _ _ _ _ (law v S X) (law u U Y)). intro o.
    rewrite (in_units scale growth v S u U W ltac:(lra)), (wider_unit 2 scale growth S U ltac:(lra)).
    set (c := U / S) in *. set (h := (u - v) / (scale * S)) in *. set (w := (o - u) / (scale * U)).
    pose proof (unit_positive 2 scale growth S U W Rlt_0_2 ltac:(lra)) as P.
    apply (Rmult_le_reg_r (c * (2 * (scale * S)))); [apply Rmult_lt_0_compat; lra |].
    replace (exp (- Rabs (h + c * w)) / (2 * (scale * S)) * (c * (2 * (scale * S))))
      with (exp (- Rabs (h + c * w)) * c) by (field; lra).
    replace (exp epsilon * (exp (- Rabs w) / (c * (2 * (scale * S)))) * (c * (2 * (scale * S))))
      with (exp epsilon * exp (- Rabs w)) by (field; lra).
    rewrite <- (exp_ln c) at 2 by lra. rewrite <- !exp_plus. apply exp_le.
    pose proof (narrow_loss (1 / scale) c growth epsilon ltac:(lra) C1 C2 low
      ltac:(replace (1 / scale / growth) with (1 / (scale * growth)) by (field; lra); exact high)) as loss.
    pose proof (Rabs_triang (h + c * w) (- h)) as three. rewrite Rabs_Ropp in three.
    replace (h + c * w + - h) with (c * w) in three by ring. rewrite Rabs_mult, (Rabs_pos_eq c) in three by lra.
    (* |w| - |h + c w| <= |h| / c *)
    assert (Rabs w - Rabs (h + c * w) <= 1 / scale / c); [| lra].
    apply (Rmult_le_reg_r c); [lra |]. replace (1 / scale / c * c) with (1 / scale) by (field; lra).
    pose proof (Rabs_pos (h + c * w)) as Q.
    assert (Rabs (h + c * w) * 1 <= Rabs (h + c * w) * c) by (apply Rmult_le_compat_l; lra). lra.
  - (* the wider noise beside the narrower one *)
    destruct (stretch_between growth U S) as [C1 C2]; [lra |]. rewrite Rabs_minus_sym in near.
    pose proof (shifted _ (shift_between scale growth u U v S W ltac:(lra) ltac:(lra))) as H'.
    assert (C3 : 1 < S / U).
    { apply (Rmult_lt_reg_r U); [exact Y |]. replace (S / U * U) with S by (field; lra). lra. }
    pose proof (in_units scale growth u U v S W ltac:(lra)) as same.
    pose proof (wider_unit 2 scale growth U S ltac:(lra)) as wide.
    set (c := S / U) in *. set (h := (v - u) / (scale * U)) in *.
    assert (unit_positive : 0 < scale * U) by (apply Rmult_lt_0_compat; lra).
    pose proof (excess_on_line c h epsilon C3) as K.
    apply (on_line_scaled _ _ u (scale * U) unit_positive), (on_line_multiple (/ (scale * U))) in K.
    apply (within_weaker _ _ (exp epsilon)
      ((1 - 1 / c) * (exp (- ((epsilon + ln c - h) / (c - 1))) + exp (- ((epsilon + ln c + h) / (c - 1)))) / 2));
      [lra | |].
    + assert (0 < 1 - 1 / c).
      { apply (Rmult_lt_reg_r c); [lra |]. replace ((1 - 1 / c) * c) with (c - 1) by (field; lra). lra. }
      apply Rle_trans with ((1 - 1 / c) * (exp (- ((epsilon - 1 / scale + ln c) / (c - 1))) +
        exp (- ((epsilon + 1 / scale + ln c) / (c - 1)))) / 2).
      * apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; [lra |].
        assert (by_cosh : forall g, exp (- ((epsilon + ln c - g) / (c - 1))) + exp (- ((epsilon + ln c + g) / (c -
          1))) =
          exp (- ((epsilon + ln c) / (c - 1))) * (exp (g / (c - 1)) + exp (- (g / (c - 1))))).
        { intro g. rewrite Rmult_plus_distr_l, <- !exp_plus. f_equal; f_equal; field; lra. }
        replace (epsilon - 1 / scale + ln c) with (epsilon + ln c - 1 / scale) by ring.
        replace (epsilon + 1 / scale + ln c) with (epsilon + ln c + 1 / scale) by ring. rewrite !by_cosh.
        apply Rmult_le_compat_l; [left; apply exp_pos |]. apply cosh_grows.
        unfold Rdiv at 1. rewrite Rabs_mult, (Rabs_pos_eq (/ (c - 1))) by (left; apply Rinv_0_lt_compat; lra).
        apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact H'].
      * unfold laplace_delta. apply Rmult_le_compat_r; [lra |]. rewrite !Rmult_plus_distr_l.
        replace (epsilon + ln growth - 1 / scale) with (epsilon - 1 / scale + ln growth) by ring.
        replace (epsilon + ln growth + 1 / scale) with (epsilon + 1 / scale + ln growth) by ring.
        apply Rplus_le_compat; apply far_end_grows; lra.
    + apply (within_by_excess _ _ _ _ _ (fun o => / (scale * U) * excess c h epsilon ((o - u) / (scale * U))) _
        (law v S X) (law u U Y)).
      * rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l in K by lra. exact K.
      * intro o. pose proof (Rinv_0_lt_compat _ unit_positive) as I. split.
        -- apply Rmult_le_pos; [lra | apply excess_nonnegative, C3].
        -- rewrite wide. set (z := (o - u) / (scale * U)) in *.
           pose proof (below_the_excess c h epsilon C3 ltac:(lra) z) as B.
           replace ((z - h) / c) with ((o - v) / (scale * S)) in B by
             (unfold z; rewrite same; field; repeat split; lra).
           apply (Rmult_le_compat_l (/ (scale * U))) in B; [| lra].
           replace (exp (- Rabs ((o - v) / (scale * S))) / (c * (2 * (scale * U))) -
             exp epsilon * (exp (- Rabs z) / (2 * (scale * U))))
             with (/ (scale * U) * (exp (- Rabs ((o - v) / (scale * S))) / (2 * c) - exp epsilon * (exp (- Rabs z)
               / 2)))
             by (field; lra).
           exact B.
Qed.
(* laplace_bound_noise, rounded to the nearest multiple of a granularity *)
Theorem laplace_bound_noise_rounded scale growth epsilon (M : mechanism (R * R) Line.line)
    granularity (positive : 0 < granularity) :
  0 < scale -> 1 < growth -> 1 / scale <= epsilon -> ln growth + 1 / (scale * growth) <= epsilon ->
  scales_noise (fun z => exp (- Rabs z)) 2 scale M ->
  private (within_growth growth) (fun x => then_run (M x) (rounding granularity positive))
    (approximate epsilon (laplace_delta scale growth epsilon)).
Proof. intros W G low high law. apply post_process, laplace_bound_noise; assumption. Qed.

(* Laplace noise is one of those that there are: its integral is 2. *)
Section laplace_noise.
  Variable scale : R.
  Hypothesis scale_positive : 0 < scale.
  Let shape z := exp (- Rabs z).

  Lemma laplace_shape_positive z : 0 < shape z.
  Proof. apply exp_pos. Qed.
  Lemma laplace_shape_continuous : continuity shape.
  Proof.
    apply (continuity_comp (fun z => - Rabs z) exp); [| apply derivable_continuous, derivable_exp].
    apply continuity_opp, Rcontinuity_abs.
  Qed.
  Lemma laplace_shape_falls z : shape z <= 4 * / (1 + z ^ 2).
  Proof.
    unfold shape. pose proof (Rabs_pos z) as P. pose proof (exp_ineq1_le (Rabs z / 2)) as E.
    assert (S : 0 < 1 + z ^ 2) by (pose proof (pow2_ge_0 z); lra).
    apply (Rmult_le_reg_r (exp (Rabs z) * (1 + z ^ 2))); [apply Rmult_lt_0_compat; [apply exp_pos | exact S] |].
    rewrite exp_Ropp. pose proof (exp_pos (Rabs z)).
    replace (/ exp (Rabs z) * (exp (Rabs z) * (1 + z ^ 2))) with (1 + z ^ 2) by (field; lra).
    replace (4 * / (1 + z ^ 2) * (exp (Rabs z) * (1 + z ^ 2))) with (4 * exp (Rabs z)) by (field; lra).
    replace (exp (Rabs z)) with (exp (Rabs z / 2) * exp (Rabs z / 2)) by (rewrite <- exp_plus; f_equal; field).
    assert ((1 + Rabs z / 2) * (1 + Rabs z / 2) <= exp (Rabs z / 2) * exp (Rabs z / 2))
      by (apply Rmult_le_compat; lra).
    rewrite <- (pow2_abs z). simpl in *. lra.
  Qed.
  Lemma laplace_total : line shape = 2.
  Proof.
    pose (right z := if Rle_dec 0 z then exp (- (1) * (z - 0)) else 0).
    pose (left z := if Rle_dec 0 z then 0 else exp (- (1) * (0 - z))).
    assert (A : is_on_line right (/ 1)).
    { apply (exponential_beyond _ 1 0 Rlt_0_1); intros z Z; unfold right; destruct Rle_dec; lra. }
    assert (B : is_on_line left (/ 1)).
    { apply (exponential_below _ 1 0 Rlt_0_1); intros z Z; unfold left; destruct Rle_dec; lra. }
    pose proof (on_line_sum _ _ _ _ A B) as K. rewrite Rinv_1 in K. apply line_is.
    apply (fun same => on_line_same _ shape _ same K). intro z. unfold shape, left, right.
    destruct Rle_dec; [rewrite (Rabs_pos_eq z) by lra | rewrite (Rabs_left z) by lra];
      [rewrite Rplus_0_r | rewrite Rplus_0_l];
      f_equal; ring.
  Qed.
  Definition laplace_noise_beside_a_bound :=
    add_bound_noise shape 4 scale scale_positive laplace_shape_positive laplace_shape_continuous laplace_shape_falls.
  Lemma laplace_noise_scales : scales_noise shape 2 scale laplace_noise_beside_a_bound.
  Proof. rewrite <- laplace_total. apply add_bound_noise_scales_noise. Qed.
End laplace_noise.

(* Scale 4, bounds that differ by a factor of at most 3/2, at epsilon = 1. *)
Example laplace_noise_of_scale_4 (four : 0 < 4) :
  private (within_growth (3 / 2)) (laplace_noise_beside_a_bound 4 four) (approximate 1 (laplace_delta 4 (3 / 2) 1)).
Proof.
  apply laplace_bound_noise; try lra; [| apply laplace_noise_scales].
  pose proof (ln_at_least (/ (3 / 2)) ltac:(lra)) as L. rewrite ln_Rinv, Rinv_inv in L by lra. lra.
Qed.

(* ---- student_bound_noise ---- *)

Lemma arcosh_derive m : 1 < m -> is_derive arcosh m (/ sqrt (m ^ 2 - 1)).
Proof.
  intro M. assert (S : 0 < m ^ 2 - 1) by (simpl; nra). pose proof (sqrt_lt_R0 _ S) as P.
  unfold arcosh. auto_derive.
  - replace (m * (m * 1) + - (1)) with (m ^ 2 - 1) by ring. repeat split; lra.
  - replace (m * (m * 1) + - (1)) with (m ^ 2 - 1) by ring. set (r := sqrt (m ^ 2 - 1)) in *. clearbody r. field. lra.
Qed.
(* arcosh is the inverse of t |-> (t + 1 / t) / 2 *)
Lemma arcosh_at_most a t : 1 <= a -> 1 <= t -> 2 * a <= t + / t -> arcosh a <= ln t.
Proof.
  intros A T below. apply Rnot_lt_le. intro more. apply exp_increasing in more. rewrite exp_ln in more by lra.
  assert (S : 0 <= a ^ 2 - 1) by (simpl; nra). pose proof (sqrt_pos (a ^ 2 - 1)) as P.
  pose proof (sqrt_sqrt _ S) as square. unfold arcosh in more. rewrite exp_ln in more by lra.
  set (r := sqrt (a ^ 2 - 1)) in *.
  assert (inverse : / (a + r) = a - r).
  { apply (Rmult_eq_reg_l (a + r)); [| lra]. rewrite Rinv_r by lra. simpl in square. lra. }
  assert (0 < (a + r - t) * (1 - / ((a + r) * t))).
  { apply Rmult_lt_0_compat; [lra |]. assert (1 * 1 < (a + r) * t) by nra.
    assert (/ ((a + r) * t) < / 1); [| lra]. apply Rinv_lt_contravar; lra. }
  replace ((a + r - t) * (1 - / ((a + r) * t))) with (a + r + / (a + r) - (t + / t)) in H by (field; lra). lra.
Qed.
Lemma exp_cosh x : 0 <= x -> 2 + x ^ 2 <= exp x + exp (- x).
Proof.
  assert (sinh : forall u, 0 <= u -> 2 * u <= exp u - exp (- u)).
  { intros u U. assert (K : exp 0 - exp (- 0) - 2 * 0 <= exp u - exp (- u) - 2 * u).
    { apply (GaussianPrivacy.increases (fun u => exp u - exp (- u) - 2 * u) (fun u => exp u + exp (- u) - 2));
      [exact U | |].
      - intros y _. auto_derive; [exact Logic.I | ring].
      - intros y _. pose proof (exp_pos y). rewrite exp_Ropp.
        assert (0 <= (exp y - 1) * (exp y - 1) * / exp y) by
          (apply Rmult_le_pos; [apply Rle_0_sqr | left; apply Rinv_0_lt_compat; lra]).
        replace ((exp y - 1) * (exp y - 1) * / exp y) with (exp y + / exp y - 2) in H0 by (field; lra). exact H0. }
    rewrite Ropp_0, exp_0 in K. lra. }
  intro X. pose proof (sinh (x / 2) ltac:(lra)) as S.
  assert (x * x <= (exp (x / 2) - exp (- (x / 2))) * (exp (x / 2) - exp (- (x / 2)))) by (apply Rmult_le_compat; lra).
  replace ((exp (x / 2) - exp (- (x / 2))) * (exp (x / 2) - exp (- (x / 2)))) with
    (exp (x / 2) * exp (x / 2) + exp (- (x / 2)) * exp (- (x / 2)) - 2 * (exp (x / 2) * exp (- (x / 2)))) in H by ring.
  rewrite <- !exp_plus in H. replace (x / 2 + x / 2) with x in H by field.
  replace (- (x / 2) + - (x / 2)) with (- x) in H by field.
  replace (x / 2 + - (x / 2)) with 0 in H by ring. rewrite exp_0 in H. simpl. lra.
Qed.

(* The loss k arcosh((1 + c^2 + b) / (2 c)) + (k - 1) ln c falls first and then grows with c. *)
Section student_loss.
  Variables k b : R.
  Hypothesis power : 1 <= k.
  Hypothesis shift : 0 < b.
  Let w c := (c ^ 2 - 1 - b) / (2 * c).
  Definition stretched_loss (c : R) : R := k * arcosh ((1 + c ^ 2 + b) / (2 * c)) + (k - 1) * ln c.
  Let slope c := k * (w c / sqrt (w c ^ 2 + b)) + (k - 1).

  Lemma cosh_at_least c : 0 < c -> 1 < (1 + c ^ 2 + b) / (2 * c).
  Proof.
    intro C. apply (Rmult_lt_reg_r (2 * c)); [lra |].
    replace ((1 + c ^ 2 + b) / (2 * c) * (2 * c)) with (1 + c ^ 2 + b) by (field; lra).
    pose proof (pow2_ge_0 (c - 1)). simpl in *. lra.
  Qed.
  Lemma stretched_loss_derive c : 0 < c -> is_derive stretched_loss c (slope c / c).
  Proof.
    intro C. evar_last.
    - apply (is_derive_plus (fun c => k * arcosh ((1 + c ^ 2 + b) / (2 * c))) (fun c => (k - 1) * ln c)).
      + apply (is_derive_scal (fun c => arcosh ((1 + c ^ 2 + b) / (2 * c))) c k).
        apply (is_derive_comp arcosh (fun c => (1 + c ^ 2 + b) / (2 * c))); [apply arcosh_derive, cosh_at_least, C |].
        instantiate (1 := w c / c). auto_derive; [lra |]. unfold w. field. lra.
      + apply (is_derive_scal ln c (k - 1)). apply is_derive_Reals, derivable_pt_lim_ln, C.
    - unfold plus, scal. simpl. unfold mult. simpl. unfold slope.
      replace ((1 + c * (c * 1) + b) / (2 * c) * ((1 + c * (c * 1) + b) / (2 * c) * 1) - 1) with (w c ^ 2 + b)
        by (unfold w; field; lra).
      set (r := sqrt (w c ^ 2 + b)).
      assert (0 < r) by (apply sqrt_lt_R0; pose proof (pow2_ge_0 (w c)); lra). field. lra.
  Qed.
  Lemma root_grows x y : x <= y -> x / sqrt (x ^ 2 + b) <= y / sqrt (y ^ 2 + b).
  Proof.
    intro order. apply (GaussianPrivacy.increases (fun x => x / sqrt (x ^ 2 + b))
      (fun x => b / sqrt (x ^ 2 + b) ^ 3) x y order).
    - intros u _. pose proof (pow2_ge_0 u) as S. assert (P : 0 < u ^ 2 + b) by lra. pose proof (sqrt_lt_R0 _ P) as Q.
      auto_derive; replace (u * (u * 1) + b) with (u ^ 2 + b) by ring; [split; [exact P | split;
        [lra | exact Logic.I]] |].
      pose proof (sqrt_sqrt (u ^ 2 + b) ltac:(lra)) as square. set (r := sqrt (u ^ 2 + b)) in *. clearbody r.
      replace b with (r * r - u ^ 2) by lra. field. lra.
    - intros u _. pose proof (pow2_ge_0 u) as S. assert (P : 0 < u ^ 2 + b) by lra.
      apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, pow_lt, sqrt_lt_R0, P].
  Qed.
  Lemma slope_grows c c' : 0 < c -> c <= c' -> slope c <= slope c'.
  Proof.
    intros C order. unfold slope. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra |]. apply root_grows. unfold w.
    apply (Rmult_le_reg_r (2 * (c * c'))); [repeat apply Rmult_lt_0_compat; lra |].
    replace ((c ^ 2 - 1 - b) / (2 * c) * (2 * (c * c'))) with ((c ^ 2 - 1 - b) * c') by (field; lra).
    replace ((c' ^ 2 - 1 - b) / (2 * c') * (2 * (c * c'))) with ((c' ^ 2 - 1 - b) * c) by (field; lra).
    assert (0 <= (c' - c) * (c * c' + 1 + b)).
    { apply Rmult_le_pos; [lra |]. assert (0 < c * c') by (apply Rmult_lt_0_compat; lra). lra. }
    simpl in *. lra.
  Qed.
  Lemma stretched_loss_at_an_end c growth : 1 <= c -> c <= growth ->
    stretched_loss c <= Rmax (stretched_loss 1) (stretched_loss growth).
  Proof.
    intros C G. destruct (Rle_lt_dec (slope c) 0) as [falling | rising].
    - eapply Rle_trans; [| apply Rmax_l]. apply (GaussianPrivacy.decreases stretched_loss (fun c => slope c / c));
        [exact C | |].
      + intros x X. apply stretched_loss_derive. lra.
      + intros x X. pose proof (slope_grows x c ltac:(lra) ltac:(lra)).
        assert (0 < / x) by (apply Rinv_0_lt_compat; lra).
        assert (slope x * / x <= 0 * / x) by (apply Rmult_le_compat_r; lra). unfold Rdiv. lra.
    - eapply Rle_trans; [| apply Rmax_r]. apply (GaussianPrivacy.increases stretched_loss (fun c => slope c / c));
        [exact G | |].
      + intros x X. apply stretched_loss_derive. lra.
      + intros x X. pose proof (slope_grows c x ltac:(lra) ltac:(lra)).
        apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  Qed.
End student_loss.

(* The greater of the losses of equal bounds and of the most different ones. *)
Definition student_loss (degrees scale growth : R) : R :=
  let k := (degrees + 1) / 2 in let b := 1 / (degrees * scale ^ 2) in
  Rmax (k * arcosh (1 + b / 2)) (k * arcosh ((1 + growth ^ 2 + b) / (2 * growth)) + (k - 1) * ln growth).
Definition student_linear_loss (degrees scale growth : R) : R :=
  degrees * ln growth + (degrees + 1) / (2 * sqrt degrees * scale).

Section student_bound_noise.
  Variables (degrees scale growth normaliser : R) (M : mechanism (R * R) Line.line).
  Hypothesis scale_positive : 0 < scale.
  Hypothesis degrees_at_least_1 : 1 <= degrees.
  Hypothesis growth_at_least_1 : 1 <= growth.
  Let k := (degrees + 1) / 2.
  Let b := 1 / (degrees * scale ^ 2).
  Let rarity z := 1 + z ^ 2 / degrees.
  Let shape z := Rpower (rarity z) (- k).

  Lemma student_shift_positive : 0 < b.
  Proof. apply Rdiv_lt_0_compat; [lra |]. apply Rmult_lt_0_compat; [lra | apply pow_lt, scale_positive]. Qed.
  Lemma student_rarity_positive z : 1 <= rarity z.
  Proof.
    assert (0 <= z ^ 2 / degrees); [| unfold rarity; lra].
    apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra].
  Qed.
  Lemma student_loss_is : student_loss degrees scale growth = Rmax (stretched_loss k b 1) (stretched_loss k b growth).
  Proof.
    unfold student_loss, stretched_loss. fold k b. rewrite ln_1. f_equal.
    replace ((1 + 1 ^ 2 + b) / (2 * 1)) with (1 + b / 2) by field. ring.
  Qed.
  Lemma student_loss_nonnegative : 0 <= student_loss degrees scale growth.
  Proof.
    pose proof student_shift_positive as B. eapply Rle_trans; [| apply Rmax_l].
    apply Rmult_le_pos; [lra |]. fold b. unfold arcosh. rewrite <- ln_1 at 1.
    pose proof (sqrt_pos ((1 + b / 2) ^ 2 - 1)). apply Rcomplements.ln_le; lra.
  Qed.
  (* The densities of Z and of h + c Z. *)
  Lemma student_ratio c h w : 1 <= c -> c <= growth -> -1 <= h * scale <= 1 ->
    c * shape (h + c * w) <= exp (student_loss degrees scale growth) * shape w /\
    shape w <= exp (student_loss degrees scale growth) * (c * shape (h + c * w)).
  Proof.
    intros C G H. pose proof student_shift_positive as B.
    assert (root : 0 < sqrt degrees) by (apply sqrt_lt_R0; lra).
    pose proof (sqrt_sqrt degrees ltac:(lra)) as square.
    pose (theta := arcosh ((1 + c ^ 2 + b) / (2 * c))).
    pose proof (cosh_at_least b B c ltac:(lra)) as one.
    assert (moved : (h / sqrt degrees) ^ 2 <= b).
    { unfold b. replace ((h / sqrt degrees) ^ 2) with (h ^ 2 / degrees) by (rewrite <- square at 1; field; lra).
      pose proof (pow_lt scale 2 scale_positive) as S2.
      apply (Rmult_le_reg_r (degrees * scale ^ 2)); [apply Rmult_lt_0_compat; lra |].
      replace (1 / (degrees * scale ^ 2) * (degrees * scale ^ 2)) with 1 by (field; lra).
      replace (h ^ 2 / degrees * (degrees * scale ^ 2)) with ((h * scale) ^ 2) by (field; lra).
      rewrite <- Rsqr_pow2. replace 1 with (Rsqr 1) by (unfold Rsqr; ring). apply neg_pos_Rsqr_le; lra. }
    assert (scaled : forall z, rarity z = 1 + (z / sqrt degrees) ^ 2).
    { intro z. unfold rarity. rewrite <- square at 1. field. lra. }
    assert (larger : forall t, exp theta < t -> c * rarity w <= t * rarity (h + c * w) /\
      rarity (h + c * w) <= t * (c * rarity w)).
    { intros t more. destruct (arcosh_larger _ t (Rlt_le _ _ one) more) as [T1 T2].
      rewrite !scaled. replace ((h + c * w) / sqrt degrees) with (h / sqrt degrees + c * (w / sqrt degrees))
        by (field; lra).
      apply (cauchy_ratio c (h / sqrt degrees) t (w / sqrt degrees) C T1).
      apply Rle_lt_trans with ((1 + c ^ 2 + b) * t); [apply Rmult_le_compat_r; lra |].
      apply (Rmult_lt_compat_l c) in T2; [| lra].
      replace (c * (2 * ((1 + c ^ 2 + b) / (2 * c)) * t)) with ((1 + c ^ 2 + b) * t) in T2 by (field; lra). exact T2. }
    pose proof (student_rarity_positive w) as P. pose proof (student_rarity_positive (h + c * w)) as Q.
    pose proof (at_most_for_every_larger (c * rarity w) (rarity (h + c * w)) _ ltac:(lra)
      (fun t more => proj1 (larger t more))) as N.
    pose proof (at_most_for_every_larger (rarity (h + c * w)) (c * rarity w) _
      ltac:(apply Rmult_le_pos; lra) (fun t more => proj2 (larger t more))) as D.
    apply Rcomplements.ln_le in N; [| apply Rmult_lt_0_compat; lra]. apply Rcomplements.ln_le in D; [| lra].
    rewrite !ln_mult, ln_exp in N by (try apply exp_pos; lra).
    rewrite !ln_mult, ln_exp in D by (try apply exp_pos; try (apply Rmult_lt_0_compat); lra).
    assert (c_log : 0 <= ln c) by (rewrite <- ln_1; apply Rcomplements.ln_le; lra).
    assert (K : 1 <= k) by (unfold k; lra).
    pose proof (stretched_loss_at_an_end k b K B c growth C G) as L. rewrite <- student_loss_is in L.
    unfold stretched_loss in L. fold theta in L.
    pose proof (Rmult_le_compat_l k _ _ ltac:(lra) N) as N'. pose proof (Rmult_le_compat_l k _ _ ltac:(lra) D) as D'.
    assert (0 <= (k - 1) * ln c) by (apply Rmult_le_pos; lra).
    unfold shape, Rpower. rewrite <- (exp_ln c) at 1 3 by lra. rewrite <- !exp_plus. split; apply exp_le; lra.
  Qed.

  (* The density of Z is in proportion to 1 / (1 + z^2 / degrees)^((degrees + 1) / 2). *)
  Hypothesis noise : scales_noise shape normaliser scale M.

  (* student_bound_noise: value + scale bound Z : smooth(growth) |-> pure(student_loss) *)
  Theorem student_bound_noise : private (within_growth growth) M (pure (student_loss degrees scale growth)).
  Proof.
    apply (scaled_noise_within shape normaliser scale growth); [exact scale_positive | | exact noise |].
    - apply exp_at_least_1, student_loss_nonnegative.
    - intros c h w C G H. apply student_ratio; assumption.
  Qed.
  Theorem student_bound_noise_rounded granularity (positive : 0 < granularity) :
    private (within_growth growth) (fun x => then_run (M x) (rounding granularity positive))
      (pure (student_loss degrees scale growth)).
  Proof. apply post_process. exact student_bound_noise. Qed.

  Lemma student_loss_at_most_linear : student_loss degrees scale growth <= student_linear_loss degrees scale growth.
  Proof.
    pose proof student_shift_positive as B. pose proof (sqrt_lt_R0 b B) as P.
    pose proof (sqrt_sqrt b (Rlt_le _ _ B)) as square.
    assert (root : 0 < sqrt degrees) by (apply sqrt_lt_R0; lra).
    assert (same : student_linear_loss degrees scale growth = degrees * ln growth + k * sqrt b).
    { unfold student_linear_loss, k. f_equal.
      assert (sqrt b = / (sqrt degrees * scale)).
      { apply sqrt_lem_1; [lra | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra |].
        unfold b. rewrite <- (sqrt_sqrt degrees) at 3 by lra. field. lra. }
      rewrite H. field. lra. }
    assert (G : 0 <= ln growth) by (rewrite <- ln_1; apply Rcomplements.ln_le; lra).
    pose proof (exp_cosh (sqrt b) ltac:(lra)) as E. replace (sqrt b ^ 2) with b in E by (simpl; lra).
    pose proof (exp_at_least_1 (sqrt b) ltac:(lra)) as X. rewrite exp_Ropp in E. set (e := exp (sqrt b)) in *.
    assert (bound : forall c, 1 <= c -> arcosh ((1 + c ^ 2 + b) / (2 * c)) <= ln c + sqrt b).
    { intros c C. replace (ln c + sqrt b) with (ln (c * e)) by (rewrite ln_mult by lra; unfold e; rewrite ln_exp;
      reflexivity).
      assert (1 * 1 <= c * e) by (apply Rmult_le_compat; lra).
      apply arcosh_at_most; [left; apply cosh_at_least; lra | lra |].
      apply (Rmult_le_reg_r c); [lra |].
      replace (2 * ((1 + c ^ 2 + b) / (2 * c)) * c) with (1 + c ^ 2 + b) by (field; lra).
      replace ((c * e + / (c * e)) * c) with (c ^ 2 * e + / e) by (field; lra).
      assert (1 <= c ^ 2) by (simpl; nra).
      assert (1 * (e - 1) <= c ^ 2 * (e - 1)) by (apply Rmult_le_compat_r; lra). lra. }
    assert (K : 1 <= k) by (unfold k; lra). rewrite student_loss_is, same. unfold stretched_loss.
    replace degrees with (2 * k - 1) by (unfold k; field).
    apply Rmax_lub.
    - pose proof (Rmult_le_compat_l k _ _ ltac:(lra) (bound 1 ltac:(lra))) as L. rewrite ln_1 in *.
      assert (0 <= (2 * k - 1) * ln growth) by (apply Rmult_le_pos; lra). lra.
    - pose proof (Rmult_le_compat_l k _ _ ltac:(lra) (bound growth growth_at_least_1)) as L. lra.
  Qed.
  (* student_bound_noise, linear *)
  Theorem student_bound_noise_linear :
    private (within_growth growth) M (pure (student_linear_loss degrees scale growth)).
  Proof. intros x y near. eapply weaken_pure; [apply student_loss_at_most_linear | apply student_bound_noise,
    near]. Qed.
  Theorem student_bound_noise_linear_rounded granularity (positive : 0 < granularity) :
    private (within_growth growth) (fun x => then_run (M x) (rounding granularity positive))
      (pure (student_linear_loss degrees scale growth)).
  Proof. apply post_process. exact student_bound_noise_linear. Qed.
End student_bound_noise.

(* There is such noise, for every number of degrees from 1 on. *)
Section student_noise.
  Variables degrees scale : R.
  Hypothesis scale_positive : 0 < scale.
  Hypothesis degrees_at_least_1 : 1 <= degrees.
  Let shape z := Rpower (1 + z ^ 2 / degrees) (- ((degrees + 1) / 2)).

  Lemma student_shape_positive z : 0 < shape z.
  Proof. apply exp_pos. Qed.
  Lemma student_shape_continuous : continuity shape.
  Proof.
    intro z. apply continuity_pt_filterlim, (ex_derive_continuous shape). unfold shape, Rpower.
    pose proof (student_rarity_positive degrees degrees_at_least_1 z). auto_derive. unfold Rdiv in *.
    simpl in *. lra.
  Qed.
  Lemma student_shape_falls z : shape z <= degrees * / (1 + z ^ 2).
  Proof.
    pose proof (student_rarity_positive degrees degrees_at_least_1 z) as P. pose proof (pow2_ge_0 z) as S.
    apply Rle_trans with (Rpower (1 + z ^ 2 / degrees) (- (1))).
    - apply Rle_Rpower; lra.
    - rewrite Rpower_Ropp, Rpower_1 by lra.
      apply (Rmult_le_reg_r ((1 + z ^ 2 / degrees) * (1 + z ^ 2))); [apply Rmult_lt_0_compat; lra |].
      replace (/ (1 + z ^ 2 / degrees) * ((1 + z ^ 2 / degrees) * (1 + z ^ 2))) with (1 + z ^ 2) by (field; lra).
      replace (degrees * / (1 + z ^ 2) * ((1 + z ^ 2 / degrees) * (1 + z ^ 2))) with (degrees + z ^ 2) by (field;
        lra). lra.
  Qed.
  Definition student_noise_beside_a_bound :=
    add_bound_noise shape degrees scale scale_positive student_shape_positive student_shape_continuous
      student_shape_falls.
  Theorem student_noise_private growth : 1 <= growth ->
    private (within_growth growth) student_noise_beside_a_bound (pure (student_loss degrees scale growth)).
  Proof.
    intro G. apply (student_bound_noise degrees scale growth (line shape)); try assumption.
    apply add_bound_noise_scales_noise.
  Qed.
End student_noise.

(* Additive noise as claims speak of it: closed expressions for the mechanisms, with the relations of Tables.v.

   A noise is written with its log weight, a function of numbers.  Where the weights have no law the mechanism adds no
   noise at all: of such weights nothing is claimed, and no theorem here could be.  Each rule is restated for these
   mechanisms, with its obligations as they are proved of a claim's formulas. *)
From Coq Require Import Reals Lra Lia ZArith List ClassicalDedekindReals Classical.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Grid Noise Line Algebra Renyi RenyiOfNoise GaussianPrivacy.
Import ListNotations.
Open Scope R_scope.

Definition decided (P : Prop) : {P} + {~ P} :=
  match sig_not_dec P with left not_not => left (NNPP P not_not) | right not => right not end.

(* bounded(step, lower, upper) and interval(lower, upper); vectors of which each coordinate is in a domain *)
Definition bounded (step lower upper x : R) := Tables.on_grid step x /\ lower <= x <= upper.
Definition interval (lower upper x : R) := lower <= x <= upper.
Definition vector_of (inside : R -> Prop) (dimension : nat) (v : Tables.vector) :=
  forall j, (j < dimension)%nat -> inside (v j).

Lemma same_grid step x : Tables.on_grid step x <-> Noise.on_grid step x.
Proof. split; intros [k K]; exists k; rewrite K; ring. Qed.
Lemma same_absolute step d x y :
  Tables.restricted (Tables.on_grid step) (Tables.absolute d) x y <-> Noise.absolute step d x y.
Proof. unfold Tables.restricted, Tables.absolute, Noise.absolute. rewrite !same_grid. tauto. Qed.

(* x + Z on a grid: Z is k * granularity with probability proportional to exp (log_weight (k * granularity)). *)
Definition grid_noise (log_weight : R -> R) (granularity : R) : mechanism R (plain R) :=
  match decided (Grid.summable (Noise.grid_weight log_weight granularity)) with
  | left has_a_sum => Noise.add_noise log_weight granularity has_a_sum
  | right _ => fun x => certain (O := plain R) x
  end.
(* Independent outcomes, one for each of the first coordinates. *)
Definition coordinatewise {T : Type} (M : mechanism R (plain T)) (dimension : nat) :
    mechanism Tables.vector (plain (list T)) :=
  fun v => Noise.independent (map (fun j => M (v j)) (seq 0 dimension)).

Lemma grid_noise_is log_weight granularity :
  Grid.summable (Noise.grid_weight log_weight granularity) ->
  exists has_a_sum, grid_noise log_weight granularity = Noise.add_noise log_weight granularity has_a_sum.
Proof.
  intro S. unfold grid_noise. destruct decided as [has_a_sum | not]; [exists has_a_sum; reflexivity | contradiction].
Qed.
Lemma grid_noise_has_a_law log_weight tail_rate tail_offset granularity :
  Noise.tail_is_geometric log_weight tail_rate tail_offset granularity ->
  Grid.summable (Noise.grid_weight log_weight granularity).
Proof. apply Noise.weights_summable. Qed.

(* additive_noise *)
Theorem additive_noise log_weight tail_rate tail_offset granularity privacy_map d_in :
  Noise.tail_is_geometric log_weight tail_rate tail_offset granularity ->
  Noise.loss_is_bounded log_weight privacy_map ->
  private (Tables.restricted (Tables.on_grid granularity) (Tables.absolute d_in)) (grid_noise log_weight granularity)
    (pure (privacy_map d_in)).
Proof.
  intros tail loss x y near. destruct (grid_noise_is _ _ (Noise.weights_summable _ _ _ _ tail)) as [sum ->].
  apply (Noise.additive_noise_from_a_sum log_weight granularity sum privacy_map d_in loss).
  apply same_absolute, near.
Qed.

(* additive_noise, vectors *)
Lemma l1_distance_append a b x y : length a = length b ->
  Noise.l1_distance (a ++ x) (b ++ y) = Noise.l1_distance a b + Noise.l1_distance x y.
Proof.
  revert b. induction a as [| one a IH]; intros [| other b] same; try discriminate; simpl; [ring |].
  rewrite IH by (injection same; auto). ring.
Qed.
Lemma l1_distance_is dimension (u v : Tables.vector) :
  Noise.l1_distance (map u (seq 0 dimension)) (map v (seq 0 dimension)) =
  Tables.total dimension (fun j => Rabs (u j - v j)).
Proof.
  induction dimension as [| n IH]; [reflexivity |].
  rewrite seq_S, !map_app, l1_distance_append by (rewrite !map_length; reflexivity). rewrite IH. simpl. ring.
Qed.
Lemma on_grid_each dimension step (v : Tables.vector) :
  Tables.vector_on_grid dimension step v -> List.Forall (Noise.on_grid step) (map v (seq 0 dimension)).
Proof.
  intro V. apply Forall_forall. intros x X. apply in_map_iff in X as (j & <- & J). apply in_seq in J.
  apply same_grid, V. lia.
Qed.
Lemma same_vectors dimension step d (u v : Tables.vector) :
  Tables.restricted (Tables.vector_on_grid dimension step) (Tables.l1 dimension d) u v ->
  Noise.l1 step d (map u (seq 0 dimension)) (map v (seq 0 dimension)).
Proof.
  intros (U & V & near). split; [apply on_grid_each, U | split; [apply on_grid_each, V | split]].
  - rewrite !map_length. reflexivity.
  - rewrite l1_distance_is. exact near.
Qed.
Theorem additive_noise_vector log_weight tail_rate tail_offset granularity privacy_map d_in dimension :
  Noise.tail_is_geometric log_weight tail_rate tail_offset granularity ->
  Noise.loss_is_bounded log_weight privacy_map -> Noise.losses_accumulate privacy_map ->
  private (Tables.restricted (Tables.vector_on_grid dimension granularity) (Tables.l1 dimension d_in))
    (coordinatewise (grid_noise log_weight granularity) dimension) (pure (privacy_map d_in)).
Proof.
  intros tail loss accumulate u v near.
  destruct (grid_noise_is _ _ (Noise.weights_summable _ _ _ _ tail)) as [sum is]. unfold coordinatewise. rewrite is.
  rewrite <- (map_map u (Noise.add_noise log_weight granularity sum)).
  rewrite <- (map_map v (Noise.add_noise log_weight granularity sum)).
  apply (Noise.additive_noise_to_vector_from_a_sum log_weight granularity sum privacy_map d_in loss accumulate).
  apply same_vectors, near.
Qed.

(* additive_noise under zCDP, on a grid *)
Theorem additive_noise_concentrated_on_a_grid log_weight tail_rate tail_offset granularity privacy_map d_in :
  Noise.tail_is_geometric log_weight tail_rate tail_offset granularity ->
  RenyiOfNoise.renyi_exponent_is_bounded log_weight privacy_map -> RenyiOfNoise.map_grows privacy_map ->
  RenyiOfNoise.parallelogram_law_holds log_weight ->
  private (Tables.restricted (Tables.on_grid granularity) (Tables.absolute d_in)) (grid_noise log_weight granularity)
    (Renyi.concentrated (privacy_map d_in)).
Proof.
  intros tail exponent grows parallelogram x y near.
  destruct (grid_noise_is _ _ (Noise.weights_summable _ _ _ _ tail)) as [sum ->].
  apply (RenyiOfNoise.additive_noise_concentrated_from_a_sum _ _ _ _ _ tail exponent grows parallelogram sum d_in).
  apply same_absolute, near.
Qed.

Lemma l2_square_append a b x y : length a = length b ->
  RenyiOfNoise.l2_square (a ++ x) (b ++ y) = RenyiOfNoise.l2_square a b + RenyiOfNoise.l2_square x y.
Proof.
  revert b. induction a as [| one a IH]; intros [| other b] same; try discriminate; simpl; [ring |].
  rewrite IH by (injection same; auto). ring.
Qed.
Lemma l2_square_is dimension (u v : Tables.vector) :
  RenyiOfNoise.l2_square (map u (seq 0 dimension)) (map v (seq 0 dimension)) =
  Tables.total dimension (fun j => (u j - v j) ^ 2).
Proof.
  induction dimension as [| n IH]; [reflexivity |].
  rewrite seq_S, !map_app, l2_square_append by (rewrite !map_length; reflexivity). rewrite IH. simpl. ring.
Qed.
Lemma same_vectors_l2 dimension step d (u v : Tables.vector) :
  Tables.restricted (Tables.vector_on_grid dimension step) (Tables.l2 dimension d) u v ->
  RenyiOfNoise.l2 step d (map u (seq 0 dimension)) (map v (seq 0 dimension)).
Proof.
  intros (U & V & D & near).
  split; [apply on_grid_each, U | split; [apply on_grid_each, V | split; [| split; [exact D |]]]].
  - rewrite !map_length. reflexivity.
  - rewrite l2_square_is. exact near.
Qed.
Theorem additive_noise_concentrated_on_a_grid_vector log_weight tail_rate tail_offset granularity privacy_map d_in
    dimension :
  Noise.tail_is_geometric log_weight tail_rate tail_offset granularity ->
  RenyiOfNoise.renyi_exponent_is_bounded log_weight privacy_map -> RenyiOfNoise.map_grows privacy_map ->
  RenyiOfNoise.parallelogram_law_holds log_weight -> RenyiOfNoise.losses_accumulate_concentrated privacy_map ->
  private (Tables.restricted (Tables.vector_on_grid dimension granularity) (Tables.l2 dimension d_in))
    (coordinatewise (grid_noise log_weight granularity) dimension) (Renyi.concentrated (privacy_map d_in)).
Proof.
  intros tail exponent grows parallelogram accumulate u v near.
  destruct (grid_noise_is _ _ (Noise.weights_summable _ _ _ _ tail)) as [sum is]. unfold coordinatewise. rewrite is.
  rewrite <- (map_map u (Noise.add_noise log_weight granularity sum)).
  rewrite <- (map_map v (Noise.add_noise log_weight granularity sum)).
  apply (RenyiOfNoise.additive_noise_vector_concentrated_from_a_sum _ _ _ _ _ tail exponent grows parallelogram sum d_in
    accumulate).
  apply same_vectors_l2, near.
Qed.

(* x + Z on the reals: the density of Z at z is proportional to exp (log_weight z). *)
Definition has_a_density (log_weight : R -> R) := continuity log_weight /\
  exists tail_rate tail_offset, Line.tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
Definition line_law (log_weight : R -> R) (has : has_a_density log_weight) : mechanism R Line.line.
Proof.
  intro x. refine (Law Line.line (fun f => Line.integral (fun y => f y * exp (log_weight (y - x))) /
    Line.integral (fun z => exp (log_weight z))) _ _ _ _); destruct has as (continuous & rate & offset & tail).
  - exact (E_monotone (Line.add_line_noise log_weight rate offset continuous tail x)).
  - exact (E_sum (Line.add_line_noise log_weight rate offset continuous tail x)).
  - exact (E_multiple (Line.add_line_noise log_weight rate offset continuous tail x)).
  - exact (E_one (Line.add_line_noise log_weight rate offset continuous tail x)).
Defined.
Definition line_noise (log_weight : R -> R) : mechanism R Line.line :=
  match decided (has_a_density log_weight) with
  | left has => line_law log_weight has
  | right _ => fun x => certain (O := Line.line) x
  end.

Lemma line_noise_at log_weight x f : has_a_density log_weight ->
  E (line_noise log_weight x) f =
  Line.integral (fun y => f y * exp (log_weight (y - x))) / Line.integral (fun z => exp (log_weight z)).
Proof. intro has. unfold line_noise. destruct decided; [reflexivity | contradiction]. Qed.

(* additive_noise, on the reals *)
Theorem additive_noise_on_the_line log_weight tail_rate tail_offset privacy_map d_in :
  continuity log_weight -> Line.tail_is_geometric_on_the_line log_weight tail_rate tail_offset ->
  Noise.loss_is_bounded log_weight privacy_map ->
  private (Tables.absolute d_in) (line_noise log_weight) (pure (privacy_map d_in)).
Proof.
  intros continuous tail loss x y near f F.
  assert (has : has_a_density log_weight) by (split; [exact continuous | exists tail_rate, tail_offset; exact tail]).
  rewrite !line_noise_at by exact has.
  exact (Line.additive_noise_on_the_line _ _ _ continuous tail privacy_map d_in loss x y near f F).
Qed.

(* That a formula is continuous, by how it is made. *)
Lemma continuity_of_constant (c : R) : continuity (fun _ => c).
Proof. apply continuity_const. intros u v. reflexivity. Qed.
Lemma continuity_of_itself : continuity (fun z => z).
Proof. apply derivable_continuous, derivable_id. Qed.
Lemma continuity_of_a_multiple f (c : R) : continuity f -> continuity (fun z => f z / c).
Proof. intro F. apply (continuity_mult f (fun _ => / c) F), continuity_of_constant. Qed.
Lemma continuity_of_a_power f n : continuity f -> continuity (fun z => f z ^ n).
Proof.
  intro F. induction n; [exact (continuity_of_constant 1) |]. exact (continuity_mult f (fun z => f z ^ n) F IHn).
Qed.
Lemma continuity_of_the_greatest f g : continuity f -> continuity g -> continuity (fun z => Rmax (f z) (g z)).
Proof.
  intros F G x. apply (continuity_pt_ext (fun z => (f z + g z + Rabs (f z - g z)) * / 2)).
  - intro z. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
  - revert x. apply (continuity_mult (fun z => f z + g z + Rabs (f z - g z)) (fun _ => / 2));
      [| apply continuity_of_constant].
    apply (continuity_plus (fun z => f z + g z) (fun z => Rabs (f z - g z))); [apply continuity_plus; assumption |].
    apply (continuity_comp (fun z => f z - g z) Rabs); [apply continuity_minus; assumption | apply Rcontinuity_abs].
Qed.
Lemma continuity_of_the_least f g : continuity f -> continuity g -> continuity (fun z => Rmin (f z) (g z)).
Proof.
  intros F G x. apply (continuity_pt_ext (fun z => - Rmax (- f z) (- g z))).
  - intro z. unfold Rmax, Rmin. repeat destruct Rle_dec; lra.
  - revert x. apply continuity_opp, continuity_of_the_greatest; apply continuity_opp; assumption.
Qed.
Ltac continuous :=
  match goal with
  | |- continuity (fun _ => ?c) => apply (continuity_of_constant c)
  | |- continuity (fun z => z) => apply continuity_of_itself
  | |- continuity (fun z => @?f z + @?g z) => apply (continuity_plus f g); continuous
  | |- continuity (fun z => @?f z - @?g z) => apply (continuity_minus f g); continuous
  | |- continuity (fun z => @?f z * @?g z) => apply (continuity_mult f g); continuous
  | |- continuity (fun z => - @?f z) => apply (continuity_opp f); continuous
  | |- continuity (fun z => @?f z / ?c) => apply (continuity_of_a_multiple f c); continuous
  | |- continuity (fun z => @?f z ^ ?n) => apply (continuity_of_a_power f n); continuous
  | |- continuity (fun z => Rabs (@?f z)) => apply (continuity_comp f Rabs); [continuous | apply Rcontinuity_abs]
  | |- continuity (fun z => exp (@?f z)) =>
      apply (continuity_comp f exp); [continuous | apply derivable_continuous, derivable_exp]
  | |- continuity (fun z => Rmin (@?f z) (@?g z)) => apply (continuity_of_the_least f g); continuous
  | |- continuity (fun z => Rmax (@?f z) (@?g z)) => apply (continuity_of_the_greatest f g); continuous
  end.

(* clamp(x + Z), by its masses: edge at either end, interior at the grid's points between. *)
Definition clamped_mass (log_weight : R -> R) (interior edge : R -> R -> R) (granularity lower upper x : R) (k : Z) :=
  let y := IZR k * granularity in
  let weight := exp (log_weight (y - x)) in
  let ratio := exp (log_weight granularity) in
  if Req_EM_T y lower then edge weight ratio else if Req_EM_T y upper then edge weight ratio
  else if Rlt_dec lower y then if Rlt_dec y upper then interior weight ratio else 0 else 0.
Definition is_a_law (mass : Z -> R) := (forall k, 0 <= mass k) /\ Grid.summable mass /\ Grid.total mass = 1.
Lemma positive_total mass : is_a_law mass -> 0 < Grid.total mass.
Proof. intros (_ & _ & T). lra. Qed.
Definition law_of_masses {T : Type} (value : Z -> T) (mass : Z -> R) (otherwise : T) : law (plain T) :=
  match decided (is_a_law mass) with
  | left is =>
      Grid.law_of_weights value mass (proj1 is) (proj1 (proj2 is)) (positive_total mass is)
  | right _ => certain (O := plain T) otherwise
  end.
Definition clamped_noise (log_weight : R -> R) (interior edge : R -> R -> R) (granularity lower upper : R) :
    mechanism R (plain R) :=
  fun x => law_of_masses (fun k => IZR k * granularity)
    (clamped_mass log_weight interior edge granularity lower upper x) x.

Section clamped_noise.
  Variables (log_weight privacy_map : R -> R) (interior edge : R -> R -> R) (granularity lower upper : R).
  Hypothesis lower_on_grid : Algebra.multiple lower granularity.
  Hypothesis upper_on_grid : Algebra.multiple upper granularity.
  Hypothesis range_is_a_range : 0 < granularity /\ lower < upper.
  Hypothesis geometric : Noise.weights_are_geometric log_weight granularity.
  Hypothesis masses_scale_with_the_weight : forall c ratio weight, 0 < ratio -> ratio < 1 ->
    interior (c * weight) ratio = c * interior weight ratio /\ edge (c * weight) ratio = c * edge weight ratio.
  Hypothesis masses_are_positive : forall ratio, 0 < ratio -> ratio < 1 -> 0 < interior 1 ratio /\ 0 < edge 1 ratio.
  Hypothesis tail_telescopes : forall ratio weight, 0 < ratio -> ratio < 1 ->
    edge weight ratio = interior weight ratio + edge (weight * ratio) ratio.
  Hypothesis tails_sum_to_1 : forall ratio, 0 < ratio -> ratio < 1 -> edge 1 ratio + edge ratio ratio = 1.

  Let mass := clamped_mass log_weight interior edge granularity lower upper.

  Lemma same_clamped_mass first last x k :
    lower = IZR first * granularity -> upper = IZR last * granularity ->
    mass x k = Noise.clamped_mass log_weight interior edge granularity first last x k.
  Proof.
    intros L U. destruct range_is_a_range as [step _]. unfold mass, clamped_mass, Noise.clamped_mass. rewrite L, U.
    assert (order : forall a b, IZR a * granularity < IZR b * granularity <-> (a < b)%Z).
    { intros a b. split; intro H.
      - apply lt_IZR, (Rmult_lt_reg_r granularity); assumption.
      - apply Rmult_lt_compat_r; [assumption | apply IZR_lt, H]. }
    assert (same : forall a b, IZR a * granularity = IZR b * granularity <-> a = b).
    { intros a b. split; intro H; [| subst; reflexivity]. apply eq_IZR, (Rmult_eq_reg_r granularity); lra. }
    destruct (Req_EM_T (IZR k * granularity) (IZR first * granularity)) as [H | H]; rewrite same in H;
      destruct (Z.eq_dec k first); try contradiction; try reflexivity.
    destruct (Req_EM_T (IZR k * granularity) (IZR last * granularity)) as [H' | H']; rewrite same in H';
      destruct (Z.eq_dec k last); try contradiction; try reflexivity.
    destruct (Rlt_dec (IZR first * granularity) (IZR k * granularity)) as [H1 | H1]; rewrite order in H1;
      destruct (Z_lt_dec first k); try contradiction; try reflexivity.
    destruct (Rlt_dec (IZR k * granularity) (IZR last * granularity)) as [H2 | H2]; rewrite order in H2;
      destruct (Z_lt_dec k last); try contradiction; reflexivity.
  Qed.

  (* normalised, for clamped noise *)
  Theorem normalised_clamped x : bounded granularity lower upper x -> is_a_law (mass x).
  Proof.
    intros ((j & X) & between). destruct lower_on_grid as (first & L). destruct upper_on_grid as (last & U).
    pose proof (same_clamped_mass first last x) as same.
    assert (scale : forall c weight ratio, 0 < ratio /\ ratio < 1 ->
      interior (c * weight) ratio = c * interior weight ratio /\ edge (c * weight) ratio = c * edge weight ratio)
      by (intros c weight ratio [A B]; apply masses_scale_with_the_weight; assumption).
    assert (positive : forall ratio, 0 < ratio /\ ratio < 1 -> 0 < interior 1 ratio /\ 0 < edge 1 ratio)
      by (intros ratio [A B]; apply masses_are_positive; assumption).
    split; [| split].
    - intro k. rewrite (same k L U).
      apply (Noise.clamped_mass_nonnegative log_weight interior edge granularity first last geometric scale positive).
    - apply (Grid.summable_same (Noise.clamped_mass log_weight interior edge granularity first last x));
        [intro k; symmetry; apply (same k L U) |].
      exact (Noise.clamped_mass_summable log_weight interior edge granularity lower upper first last L U
        range_is_a_range x).
    - rewrite (Grid.total_same _ _ (fun k => same k L U)), X, (Rmult_comm granularity).
      apply (Noise.normalised_clamped log_weight interior edge granularity lower upper first last L U
        range_is_a_range geometric scale).
      + intros weight ratio [A B]. apply tail_telescopes; assumption.
      + intros ratio [A B]. apply tails_sum_to_1; assumption.
      + destruct range_is_a_range as [step _].
        split; apply le_IZR, (Rmult_le_reg_r granularity); try assumption; lra.
  Qed.
  Lemma clamped_noise_at x f : bounded granularity lower upper x ->
    E (clamped_noise log_weight interior edge granularity lower upper x) f =
    Grid.total (fun k => f (IZR k * granularity) * mass x k).
  Proof.
    intro X. pose proof (normalised_clamped x X) as is. unfold clamped_noise, law_of_masses. fold mass.
    destruct decided as [law | not]; [| contradiction]. rewrite Grid.law_of_weights_at.
    destruct is as (_ & _ & ->). unfold Rdiv. rewrite Rinv_1. ring.
  Qed.

  (* clamped_noise *)
  Theorem clamped_noise_private d_in :
    (forall a b d_in y, Rabs (a - b) <= d_in -> log_weight (y - a) - log_weight (y - b) <= privacy_map d_in) ->
    private (Tables.restricted (bounded granularity lower upper) (Tables.absolute d_in))
      (clamped_noise log_weight interior edge granularity lower upper) (pure (privacy_map d_in)).
  Proof.
    intros loss x y (X & Y & near).
    pose proof (normalised_clamped x X) as P. pose proof (normalised_clamped y Y) as Q.
    unfold clamped_noise, law_of_masses. fold mass.
    destruct (decided (is_a_law (mass x))) as [p |]; [| contradiction].
    destruct (decided (is_a_law (mass y))) as [q |]; [| contradiction].
    apply Grid.weights_within; [destruct p as (_ & _ & ->); destruct q as (_ & _ & ->); reflexivity |].
    intro k. unfold mass, clamped_mass. pose proof (Noise.geometric_ratio _ _ geometric) as [R S].
    set (ratio := exp (log_weight granularity)) in *. set (z := IZR k * granularity).
    assert (scaled : forall w, edge w ratio = w * edge 1 ratio /\ interior w ratio = w * interior 1 ratio).
    { intro w. destruct (masses_scale_with_the_weight w ratio 1 R S) as [I J]. rewrite Rmult_1_r in I, J. auto. }
    destruct (scaled (exp (log_weight (z - x)))) as [-> ->]. destruct (scaled (exp (log_weight (z - y)))) as [-> ->].
    destruct (masses_are_positive ratio R S) as [I J].
    assert (W : exp (log_weight (z - x)) <= exp (privacy_map d_in) * exp (log_weight (z - y))).
    { rewrite <- exp_plus. apply exp_le. pose proof (loss x y d_in z near). lra. }
    repeat (destruct Req_EM_T || destruct Rlt_dec); rewrite <- ?Rmult_assoc; try lra;
      apply Rmult_le_compat_r; lra.
  Qed.
End clamped_noise.

(* normalised, on a grid and on the reals *)
Theorem normalised log_weight granularity normaliser :
  Noise.weights_are_geometric log_weight granularity ->
  (forall ratio, 0 < ratio -> ratio < 1 -> normaliser ratio * (1 - ratio) = 1 + ratio) ->
  is_a_law (fun k => Noise.grid_weight log_weight granularity k / normaliser (exp (log_weight granularity))).
Proof.
  intros geometric closed.
  destruct (Noise.normalised log_weight granularity normaliser geometric) as (positive & sum & one).
  - intros ratio [A B]. apply closed; assumption.
  - split; [intro k; left; apply positive | split; assumption].
Qed.

(* What a lemma says, of names that are introduced already. *)
Ltac known lemma := let said := fresh in pose proof lemma as said; cbv beta in said |- *; tauto.

(* normalised: the masses of Z are a law, and x + Z is the law of them. *)
Definition sum_of_weights (log_weight : R -> R) (granularity : R) :=
  Grid.total (fun k => exp (log_weight (IZR k * granularity))).
Definition normalised_noise (log_weight : R -> R) (granularity normaliser : R) :=
  let mass k := exp (log_weight (IZR k * granularity)) / normaliser in
  is_a_law mass /\ forall x f,
    E (grid_noise log_weight granularity x) f = Grid.total (fun k => f (x + IZR k * granularity) * mass k).
Theorem noise_is_normalised log_weight granularity normaliser :
  Noise.weights_are_geometric log_weight granularity ->
  (forall ratio, 0 < ratio -> ratio < 1 -> normaliser ratio * (1 - ratio) = 1 + ratio) ->
  normalised_noise log_weight granularity (normaliser (exp (log_weight granularity))).
Proof.
  intros geometric closed. assert (closed' : Noise.sum_is_the_normaliser normaliser) by
    (intros ratio [A B]; apply closed; assumption).
  split; [apply (normalised log_weight granularity normaliser); assumption |]. intros x f.
  assert (S : Grid.summable (Noise.grid_weight log_weight granularity)).
  { apply (Grid.summable_same _ _ (fun k => eq_sym (Noise.geometric_weight _ _ geometric k))).
    apply Grid.summable_geometric. pose proof (Noise.geometric_ratio _ _ geometric). lra. }
  destruct (grid_noise_is _ _ S) as [sum ->]. apply (Noise.normalised_law _ _ normaliser); assumption.
Qed.
Theorem noise_is_normalised_by_its_sum log_weight tail_rate tail_offset granularity :
  Noise.tail_is_geometric log_weight tail_rate tail_offset granularity ->
  normalised_noise log_weight granularity (sum_of_weights log_weight granularity).
Proof.
  intro tail. pose proof (Noise.weights_summable _ _ _ _ tail) as S.
  assert (P : 0 < sum_of_weights log_weight granularity).
  { apply (Grid.total_positive _ S). intro k. apply exp_pos. }
  split; [split; [| split] |].
  - intro k. left. apply Rdiv_lt_0_compat; [apply exp_pos | exact P].
  - apply (Grid.summable_same (fun k => / sum_of_weights log_weight granularity *
      exp (log_weight (IZR k * granularity)))); [intro k; apply Rmult_comm |].
    apply Grid.summable_multiple, S.
  - rewrite (Grid.total_same _ (fun k => / sum_of_weights log_weight granularity *
      exp (log_weight (IZR k * granularity)))) by (intro k; apply Rmult_comm).
    rewrite Grid.total_multiple. apply Rinv_l, Rgt_not_eq, P.
  - intros x f. destruct (grid_noise_is _ _ S) as [sum ->]. rewrite Noise.add_noise_at.
    rewrite (Grid.total_same (fun k => f (x + IZR k * granularity) *
      (exp (log_weight (IZR k * granularity)) / sum_of_weights log_weight granularity))
      (fun k => / sum_of_weights log_weight granularity *
        (f (x + IZR k * granularity) * exp (log_weight (IZR k * granularity))))) by (intro; unfold Rdiv; ring).
    rewrite Grid.total_multiple. apply Rmult_comm.
Qed.
Definition normalised_clamped_noise (log_weight : R -> R) (interior edge : R -> R -> R)
    (granularity lower upper : R) :=
  forall x, bounded granularity lower upper x ->
  let mass := clamped_mass log_weight interior edge granularity lower upper x in
  is_a_law mass /\ forall f, E (clamped_noise log_weight interior edge granularity lower upper x) f =
    Grid.total (fun k => f (IZR k * granularity) * mass k).
Theorem clamped_noise_is_normalised log_weight interior edge granularity lower upper :
  Algebra.multiple lower granularity -> Algebra.multiple upper granularity ->
  0 < granularity /\ lower < upper -> Noise.weights_are_geometric log_weight granularity ->
  (forall c ratio weight, 0 < ratio -> ratio < 1 ->
    interior (c * weight) ratio = c * interior weight ratio /\ edge (c * weight) ratio = c * edge weight ratio) ->
  (forall ratio, 0 < ratio -> ratio < 1 -> 0 < interior 1 ratio /\ 0 < edge 1 ratio) ->
  (forall ratio weight, 0 < ratio -> ratio < 1 ->
    edge weight ratio = interior weight ratio + edge (weight * ratio) ratio) ->
  (forall ratio, 0 < ratio -> ratio < 1 -> edge 1 ratio + edge ratio ratio = 1) ->
  normalised_clamped_noise log_weight interior edge granularity lower upper.
Proof.
  intros L U range geometric scale positive telescopes one x X. split.
  - apply normalised_clamped; assumption.
  - intro f. apply clamped_noise_at; assumption.
Qed.

(* noise_tail, on a grid *)
Section noise_tail.
  Variables (log_weight : R -> R) (tail_rate tail_offset granularity : R) (log_tail : R -> R).
  Hypothesis tail : Noise.tail_is_geometric log_weight tail_rate tail_offset granularity.
  Let noisy := grid_noise log_weight granularity.
  Lemma noisy_at x f :
    E (noisy x) f = E (Noise.add_noise log_weight granularity (Noise.weights_summable _ _ _ _ tail) x) f.
  Proof.
    unfold noisy. destruct (grid_noise_is _ _ (Noise.weights_summable _ _ _ _ tail)) as [sum ->]. reflexivity.
  Qed.
  Theorem noise_tail_at_least alpha x : Noise.tail_is_bounded log_weight log_tail -> 0 <= alpha ->
    E (noisy x) (Noise.at_least alpha x) <= 2 * exp (log_tail alpha).
  Proof. intros falls A. rewrite noisy_at. apply (Noise.noise_tail _ _ _ _ _ tail falls), A. Qed.
  Theorem noise_tail_more_than alpha x : Noise.tail_is_bounded log_weight log_tail -> 0 <= alpha ->
    Algebra.multiple alpha granularity -> E (noisy x) (Noise.more_than alpha x) <= exp (log_tail alpha).
  Proof. intros falls A G. rewrite noisy_at. apply (Noise.noise_tail_more_than _ _ _ _ _ tail falls _ x A G). Qed.
  Theorem noise_tail_inverted radius beta x : Noise.tail_is_bounded log_weight log_tail ->
    Noise.radius_has_the_level log_tail radius -> 0 < beta -> beta <= 1 ->
    E (noisy x) (Noise.at_least (radius (ln (2 / beta))) x) <= beta.
  Proof. intros falls has B one. rewrite noisy_at. apply (Noise.noise_tail_inverted _ log_tail); assumption. Qed.
  Theorem noise_tail_exactly_at_least alpha x : Noise.tail_is_exact log_weight log_tail -> 0 < alpha ->
    Algebra.multiple alpha granularity ->
    E (noisy x) (Noise.at_least alpha x) = 2 * exp (log_tail alpha) / (1 + exp (log_tail granularity)).
  Proof. intros exactly A G. rewrite noisy_at. apply (Noise.noise_tail_exactly _ _ _ _ _ tail exactly _ x A G). Qed.
  Theorem noise_tail_exactly_more_than alpha x : Noise.tail_is_exact log_weight log_tail -> 0 <= alpha ->
    Algebra.multiple alpha granularity ->
    E (noisy x) (Noise.more_than alpha x) =
    2 * exp (log_tail (alpha + granularity)) / (1 + exp (log_tail granularity)).
  Proof.
    intros exactly A G. rewrite noisy_at. apply (Noise.noise_tail_more_than_exactly _ _ _ _ _ tail exactly _ x A G).
  Qed.
End noise_tail.

(* Normal noise on the reals, told by tests that are continuous: the outcomes of GaussianPrivacy.v. *)
Definition continuous_tests (p : law Line.line) : law GaussianPrivacy.line.
Proof.
  refine (Law GaussianPrivacy.line (fun f => E p f) _ _ _ _);
    assert (O : forall f, observable (s := GaussianPrivacy.line) f -> observable (s := Line.line) f) by
      (intros f [B C]; exact (conj B (Line.integrable_continuous f C))).
  - intros f g F G. exact (E_monotone p f g (O f F) (O g G)).
  - intros f g F G. exact (E_sum p f g (O f F) (O g G)).
  - intros c f F. exact (E_multiple p c f (O f F)).
  - exact (E_one p).
Defined.
Definition normal_noise (log_weight : R -> R) : mechanism R GaussianPrivacy.line :=
  fun x => continuous_tests (line_noise log_weight x).

Lemma dominated_multiple f c : Line.dominated f -> Line.dominated (fun x => c * f x).
Proof.
  intros (F & d & rate & R & below). split; [exact (Line.integrable_multiple c f F) |].
  exists (Rabs c * d), rate. split; [exact R |]. intro x. rewrite Rabs_mult, Rmult_assoc.
  apply Rmult_le_compat_l; [apply Rabs_pos | apply below].
Qed.

Section normal.
  Variables (log_weight : R -> R) (sigma : R).
  Hypothesis weight_is_normal : forall z, 0 < sigma /\ log_weight z = - z ^ 2 / (2 * sigma ^ 2).
  Let sigma_positive : 0 < sigma := proj1 (weight_is_normal 0).
  Lemma normal_continuous : continuity log_weight.
  Proof.
    assert (C : continuity (fun z => - z ^ 2 / (2 * sigma ^ 2))) by continuous.
    intro x. apply (continuity_pt_ext (fun z => - z ^ 2 / (2 * sigma ^ 2))); [| exact (C x)].
    intro z. symmetry. apply weight_is_normal.
  Qed.
  Lemma normal_tail_falls : Line.tail_is_geometric_on_the_line log_weight (1 / sigma) (1 / 2).
  Proof.
    intro z. destruct (weight_is_normal z) as [S ->]. split; [| apply Rdiv_lt_0_compat; lra].
    assert (K : 0 <= (Rabs z / sigma - 1) ^ 2) by apply pow2_ge_0.
    replace (- z ^ 2 / (2 * sigma ^ 2)) with (- (Rabs z / sigma) ^ 2 / 2).
    - replace (1 / sigma * Rabs z) with (Rabs z / sigma) by (field; lra). lra.
    - rewrite <- (pow2_abs z). field. lra.
  Qed.
  Lemma normal_has_a_density : has_a_density log_weight.
  Proof. split; [apply normal_continuous | exists (1 / sigma), (1 / 2); apply normal_tail_falls]. Qed.
  Lemma normal_noise_is :
    GaussianPrivacy.noise_of log_weight (Line.integral (fun z => exp (log_weight z))) sigma (normal_noise log_weight).
  Proof.
    intros x f [B C]. pose (N := Line.integral (fun z => exp (log_weight z))). fold N.
    pose (F := fun z => f (x + z) * exp (log_weight z)).
    assert (moved : continuity (fun z => f (x + z))).
    { apply (continuity_comp (fun z => x + z) f); [| exact C].
      apply (continuity_plus (fun _ => x) (fun z => z)); continuous. }
    assert (D : Line.dominated F).
    { destruct (Line.line_observed log_weight _ _ normal_continuous normal_tail_falls (fun z => f (x + z)) 0)
        as (I & c & rate & R & below).
      - split; [destruct B as [c B]; exists c; intro; apply B | apply Line.integrable_continuous, moved].
      - split.
        + apply (Line.integrable_same (fun y => f (x + y) * exp (log_weight (y - 0)))); [| exact I].
          intro y. rewrite Rminus_0_r. reflexivity.
        + exists c, rate. split; [exact R |]. intro y. specialize (below y). rewrite Rminus_0_r in below. exact below. }
    assert (V : E (normal_noise log_weight x) f = Line.integral F * / N).
    { change (E (normal_noise log_weight x) f) with (E (line_noise log_weight x) f).
      rewrite line_noise_at by apply normal_has_a_density. unfold Rdiv. fold N. f_equal.
      rewrite <- (Line.integral_moved F (- x) D). apply Line.integral_same.
      - intro y. unfold F. f_equal; f_equal; ring.
      - apply Line.line_observed with (1 / sigma) (1 / 2); [apply normal_continuous | apply normal_tail_falls |].
        exact (conj B (Line.integrable_continuous f C)). }
    rewrite V. apply (is_lim_seq_ext (fun n => RInt F (- (sigma * INR n)) (sigma * INR n) * / N)).
    - intro n. symmetry. apply is_RInt_unique.
      apply (is_RInt_ext (fun z => scal (/ N) (F z))).
      + intros z _. unfold scal. simpl. unfold mult. simpl. unfold F, Rdiv. ring.
      + replace (RInt F (- (sigma * INR n)) (sigma * INR n) * / N)
          with (scal (/ N) (RInt F (- (sigma * INR n)) (sigma * INR n))) by apply Rmult_comm.
        apply (is_RInt_scal F), Line.integral_on, D.
    - apply (is_lim_seq_scal_r _ (/ N) (Line.integral F)). intros P near.
      destruct (Line.integral_correct F D P near) as [Q S [a A] [b B'] there].
      destruct (nfloor_ex (Rmax 0 (Rmax (- a) b) / sigma)) as [n [_ after]].
      { apply Rmult_le_pos; [apply Rmax_l | left; apply Rinv_0_lt_compat, sigma_positive]. }
      assert (K : forall m, (Datatypes.S n <= m)%nat -> Rmax (- a) b < sigma * INR m).
      { intros m M. apply le_INR in M. rewrite S_INR in M.
        assert (X : Rmax 0 (Rmax (- a) b) / sigma * sigma < INR m * sigma) by (apply Rmult_lt_compat_r; lra).
        unfold Rdiv in X. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in X by lra.
        pose proof (Rmax_r 0 (Rmax (- a) b)). lra. }
      exists (Datatypes.S n). intros m M. specialize (K m M).
      pose proof (Rmax_l (- a) b). pose proof (Rmax_r (- a) b).
      destruct (there (- (sigma * INR m)) (sigma * INR m)) as (y & Y & inside); [apply A; lra | apply B'; lra |].
      simpl in Y. rewrite (is_RInt_unique _ _ _ _ Y). exact inside.
  Qed.
  (* gaussian_noise *)
  Theorem gaussian_noise d_in :
    private (Tables.absolute d_in) (normal_noise log_weight) (GaussianPrivacy.gaussian (d_in ^ 2 / sigma ^ 2)).
  Proof. exact (GaussianPrivacy.gaussian_noise _ _ _ d_in _ weight_is_normal normal_noise_is). Qed.
  Theorem normal_noise_approximately d_in epsilon : 0 < d_in ->
    private (Tables.absolute d_in) (normal_noise log_weight) (approximate epsilon
      (GaussianPrivacy.normal_tail (epsilon * sigma / d_in - d_in / (2 * sigma)) -
       exp epsilon * GaussianPrivacy.normal_tail (epsilon * sigma / d_in + d_in / (2 * sigma)))).
  Proof. exact (GaussianPrivacy.normal_noise _ _ _ d_in epsilon _ weight_is_normal normal_noise_is). Qed.
End normal.

(* additive_noise under concentrated, on the reals: by the obligation the weight is normal, but for a constant and for
   where its middle lies. *)
Section concentrated.
  Variables (log_weight rho : R -> R) (tail_rate tail_offset : R).
  Hypothesis tail : Line.tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
  Hypothesis renyi_exponent_is_bounded : forall a alpha b y,
    alpha * log_weight (y - a) + (1 - alpha) * log_weight (y - b) =
    log_weight (y - (alpha * a + (1 - alpha) * b)) + alpha * (alpha - 1) * rho (Rabs (a - b)).
  Let slope := log_weight 1 - log_weight 0 + rho 1.
  Lemma weight_is_quadratic z : log_weight z = log_weight 0 + slope * z - rho 1 * z ^ 2.
  Proof.
    pose proof (renyi_exponent_is_bounded (-1) z 0 0) as H. unfold slope.
    replace (0 - -1) with 1 in H by ring. replace (0 - 0) with 0 in H by ring.
    replace (0 - (z * -1 + (1 - z) * 0)) with z in H by ring.
    replace (Rabs (-1 - 0)) with 1 in H by (rewrite Rabs_left; lra). lra.
  Qed.
  Lemma rho_is_quadratic d : 0 <= d -> rho d = rho 1 * d ^ 2.
  Proof.
    intro D. pose proof (renyi_exponent_is_bounded (- d) 2 0 0) as H.
    replace (0 - - d) with d in H by ring. replace (0 - 0) with 0 in H by ring.
    replace (0 - (2 * - d + (1 - 2) * 0)) with (2 * d) in H by ring.
    replace (Rabs (- d - 0)) with d in H by (replace (- d - 0) with (- d) by ring; rewrite Rabs_Ropp, Rabs_pos_eq; lra).
    rewrite (weight_is_quadratic d), (weight_is_quadratic (2 * d)) in H. lra.
  Qed.
  Lemma rho_positive : 0 < rho 1.
  Proof.
    destruct (Rlt_le_dec 0 (rho 1)) as [| not]; [assumption | exfalso].
    destruct (tail 0) as [_ rate].
    assert (both : forall n, 0 <= n -> log_weight 0 - rho 1 * n ^ 2 <= tail_offset - tail_rate * n).
    { intros n N. destruct (tail n) as [A _]. destruct (tail (- n)) as [B _].
      rewrite weight_is_quadratic in A, B. rewrite Rabs_Ropp in B. rewrite Rabs_pos_eq in A, B by lra. nra. }
    specialize (both ((Rabs (tail_offset - log_weight 0) + 1) / tail_rate)).
    pose proof (Rabs_pos (tail_offset - log_weight 0)) as P. pose proof (Rle_abs (tail_offset - log_weight 0)) as Q.
    assert (N : 0 <= (Rabs (tail_offset - log_weight 0) + 1) / tail_rate)
      by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, rate]).
    specialize (both N). set (n := (Rabs (tail_offset - log_weight 0) + 1) / tail_rate) in *.
    assert (T : tail_rate * n = Rabs (tail_offset - log_weight 0) + 1) by (unfold n; field; lra).
    assert (0 <= - rho 1 * n ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). lra.
  Qed.
  Let sigma := sqrt (/ (2 * rho 1)).
  Let middle := slope / (2 * rho 1).
  Let centred z := - z ^ 2 / (2 * sigma ^ 2).
  Lemma sigma_squared : sigma ^ 2 = / (2 * rho 1).
  Proof. apply pow2_sqrt. left. apply Rinv_0_lt_compat. pose proof rho_positive. lra. Qed.
  Lemma centred_is_normal z : 0 < sigma /\ centred z = - z ^ 2 / (2 * sigma ^ 2).
  Proof. split; [| reflexivity]. apply sqrt_lt_R0, Rinv_0_lt_compat. pose proof rho_positive. lra. Qed.
  Lemma weight_is_centred z : log_weight z = (log_weight 0 + rho 1 * middle ^ 2) + centred (z - middle).
  Proof.
    pose proof rho_positive. unfold centred. rewrite sigma_squared, weight_is_quadratic at 1. unfold middle. field. lra.
  Qed.
  Lemma concentrated_has_a_density : has_a_density log_weight.
  Proof.
    split; [| exists tail_rate, tail_offset; exact tail].
    assert (C : continuity (fun z => log_weight 0 + slope * z - rho 1 * z ^ 2)) by continuous.
    intro x. apply (continuity_pt_ext (fun z => log_weight 0 + slope * z - rho 1 * z ^ 2)); [| exact (C x)].
    intro z. symmetry. apply weight_is_quadratic.
  Qed.
  Lemma noise_is_centred x f : observable (s := GaussianPrivacy.line) f ->
    E (normal_noise log_weight x) f = E (normal_noise centred (x + middle)) f.
  Proof.
    intros [B C]. change (E (line_noise log_weight x) f = E (line_noise centred (x + middle)) f).
    pose proof (normal_continuous centred sigma centred_is_normal) as continuous_.
    pose proof (normal_tail_falls centred sigma centred_is_normal) as falls.
    pose proof (Line.line_total_positive centred _ _ continuous_ falls) as T.
    rewrite (line_noise_at log_weight) by apply concentrated_has_a_density.
    rewrite (line_noise_at centred) by apply (normal_has_a_density centred sigma centred_is_normal).
    set (c := exp (log_weight 0 + rho 1 * middle ^ 2)). assert (c_positive : 0 < c) by apply exp_pos.
    assert (W : forall z, exp (log_weight z) = c * exp (centred (z - middle))).
    { intro z. rewrite weight_is_centred, exp_plus. reflexivity. }
    pose proof (Line.line_observed centred _ _ continuous_ falls f (x + middle)
      (conj B (Line.integrable_continuous f C))) as D.
    pose proof (Line.line_weight_dominated centred _ _ continuous_ falls middle) as D'.
    rewrite <- (Line.line_weight_total centred _ _ continuous_ falls middle) in T |- *.
    assert (top : Line.integral (fun y => f y * exp (log_weight (y - x))) =
      c * Line.integral (fun y => f y * exp (centred (y - (x + middle))))).
    { rewrite <- (Line.integral_multiple c _ D). symmetry. apply Line.integral_same; [| apply dominated_multiple, D].
      intro y. rewrite W. replace (y - x - middle) with (y - (x + middle)) by ring. ring. }
    assert (bottom : Line.integral (fun z => exp (log_weight z)) =
      c * Line.integral (fun z => exp (centred (z - middle)))).
    { rewrite <- (Line.integral_multiple c _ D'). symmetry. apply Line.integral_same; [| apply dominated_multiple, D'].
      intro z. symmetry. apply W. }
    rewrite top, bottom. field. split; lra.
  Qed.
  Theorem additive_noise_concentrated d_in : 0 <= d_in ->
    private (Tables.absolute d_in) (normal_noise log_weight) (Renyi.concentrated (rho d_in)).
  Proof.
    intros D x y near. pose proof rho_positive as P.
    assert (G : private (Tables.absolute d_in) (normal_noise centred) (Renyi.concentrated (rho d_in))).
    { replace (rho d_in) with (d_in ^ 2 / sigma ^ 2 / 2)
        by (rewrite sigma_squared, (rho_is_quadratic d_in D); field; lra).
      apply GaussianPrivacy.gaussian_to_concentrated; [| apply (gaussian_noise centred sigma centred_is_normal)].
      apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; rewrite sigma_squared;
        apply Rinv_0_lt_compat; lra]. }
    assert (near' : Tables.absolute d_in (x + middle) (y + middle)).
    { unfold Tables.absolute in *. replace (x + middle - (y + middle)) with (x - y) by ring. exact near. }
    intros order A f F away. rewrite !noise_is_centred.
    - apply (G _ _ near' order A f F away).
    - apply (Renyi.power_observable (O := GaussianPrivacy.line) f (order / (order - 1)) F away).
    - exact F.
  Qed.
End concentrated.

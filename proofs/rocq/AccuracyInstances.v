(* Theorems about errors and estimates, applied to something concrete: Laplace's and normal noise, and told bits.

   No example here assumes anything: see Instances.v. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Interval Require Import Tactic.
From Refdp Require Import Laws Privacy.
From Refdp Require Finite Definitions Noise Line RenyiOfNoise Accuracy Selection.
Import ListNotations.
Open Scope R_scope.

Lemma one : 0 < 1.
Proof. lra. Qed.
Lemma two : 0 < 2.
Proof. lra. Qed.
Lemma six : 0 < 6.
Proof. lra. Qed.

(** * How often noise is large *)

Definition laplace := Line.laplace 2 two.
Definition laplace_noise := Definitions.noise_on_the_line _ _ _ (Line.laplace_continuous 2) (Line.laplace_tail 2 two).
Lemma laplace_tail_is_exact : Accuracy.tail_is_exact (fun z => - Rabs z / 2) (fun alpha => - alpha / 2).
Proof. exact (Noise.discrete_laplace_log_tail 2 two). Qed.
Lemma laplace_tail_is_bounded : Accuracy.tail_is_bounded (fun z => - Rabs z / 2) (fun alpha => - alpha / 2).
Proof.
  intros alpha h A H. destruct (laplace_tail_is_exact alpha h A H) as (same & rest). split; [lra | exact rest].
Qed.
Lemma radius level : 0 <= level -> 0 <= 2 * level /\ - (2 * level) / 2 = - level.
Proof. intro L. split; [lra | field]. Qed.
Definition error (x o : R) := Rabs (o - x).
Definition any_number := Accuracy.any_number.
Example laplace_at_least : Accuracy.tail any_number laplace error Definitions.at_least 3 eq (exp (- 3 / 2)).
Proof. apply (Accuracy.laplace_tail_just two). lra. Qed.
Example laplace_at_most : Accuracy.tail any_number laplace error Definitions.at_least 3 Rle (exp (- 3 / 2)).
Proof.
  apply (Accuracy.noise_tail _ _ (fun alpha => - alpha / 2) _ laplace_noise Definitions.line_tells_half_lines);
    [lra | exact laplace_tail_is_bounded].
Qed.
Example laplace_more_than : Accuracy.tail any_number laplace error Definitions.more_than 3 Rle (exp (- 3 / 2)).
Proof.
  apply (Accuracy.noise_tail_more_than _ _ (fun alpha => - alpha / 2) _ laplace_noise
    Definitions.line_tells_half_lines); [lra | exact laplace_tail_is_bounded].
Qed.
Example laplace_more_than_exactly : Accuracy.tail any_number laplace error Definitions.more_than 3 eq (exp (- 3 / 2)).
Proof.
  apply (Accuracy.noise_tail_exactly_more_than _ _ (fun alpha => - alpha / 2) _ laplace_noise
    Definitions.line_tells_half_lines); [lra | exact laplace_tail_is_exact].
Qed.
Example laplace_inverted :
  Accuracy.tail any_number laplace error Definitions.at_least (2 * ln (1 / (1 / 20))) Rle (1 / 20).
Proof.
  apply (Accuracy.noise_tail_inverted _ _ (fun alpha => - alpha / 2) (fun level => 2 * level) _ (1 / 20) laplace_noise
    Definitions.line_tells_half_lines laplace_tail_is_bounded radius); lra.
Qed.
Example laplace_restated : Accuracy.tail any_number laplace error Definitions.at_least (1 + 2) eq (exp (- 3 / 2)).
Proof. apply (Accuracy.tail_restated _ _ _ _ 3); [ring | exact laplace_at_least]. Qed.
Example laplace_errs_oftener : ~ Accuracy.tail any_number laplace error Definitions.at_least 3 Rle (1 / 5).
Proof.
  apply (Accuracy.another_probability any_number laplace error Definitions.at_least Definitions.at_least 3 3 Rle
    (exp (- 3 / 2)) (1 / 5) 0 I laplace_at_least); [auto | intro; apply Rle_refl | interval].
Qed.
Example laplace_does_not_err_so_often : ~ Accuracy.tail any_number laplace error Definitions.at_least 3 eq (1 / 4).
Proof.
  apply (Accuracy.another_probability_below any_number laplace error Definitions.at_least Definitions.at_least 3 3
    (exp (- 3 / 2)) (1 / 4) 0 I laplace_at_least); [intro; apply Rle_refl | interval].
Qed.

Lemma weights_are_normal u : 0 < 2 /\ RenyiOfNoise.normal_log_weight 2 (2 * u) = - u ^ 2 / 2.
Proof. split; [lra | unfold RenyiOfNoise.normal_log_weight; field]. Qed.
Definition normal_noise := Definitions.noise_on_the_line _ _ _ (RenyiOfNoise.gaussian_continuous 2)
  (RenyiOfNoise.normal_weight_tail 2 two).
Example normal_at_least : Accuracy.tail any_number (RenyiOfNoise.continuous_gaussian 2 two) error
  Definitions.at_least 3 eq (2 * Accuracy.normal_tail (3 / 2)).
Proof.
  apply (Accuracy.noise_tail_normal _ _ 2 _ normal_noise Definitions.line_tells_half_lines weights_are_normal). lra.
Qed.
Example normal_more_than : Accuracy.tail any_number (RenyiOfNoise.continuous_gaussian 2 two) error
  Definitions.more_than 3 eq (2 * Accuracy.normal_tail (3 / 2)).
Proof.
  apply (Accuracy.noise_tail_normal_more_than _ _ 2 _ normal_noise Definitions.line_tells_half_lines
    weights_are_normal). lra.
Qed.

Definition summable := Noise.weights_summable _ _ _ _ (Noise.discrete_laplace_tail 6 1 six one).
Definition on_a_grid := Noise.discrete_laplace 6 1 six one.
Definition noise_on_a_grid := Definitions.noise_on_a_grid (fun z => - Rabs z / 6) 1 summable.
Definition half_lines := Definitions.plain_tells_half_lines (fun y : R => y).
Lemma tail_on_a_grid_is_exact : Accuracy.tail_is_exact (fun z => - Rabs z / 6) (fun alpha => - alpha / 6).
Proof. exact (Noise.discrete_laplace_log_tail 6 six). Qed.
Lemma tail_on_a_grid_is_bounded : Accuracy.tail_is_bounded (fun z => - Rabs z / 6) (fun alpha => - alpha / 6).
Proof.
  intros alpha h A H. destruct (tail_on_a_grid_is_exact alpha h A H) as (same & rest).
  split; [lra | exact rest].
Qed.
Lemma twelve_is_whole : Definitions.multiple 12 1.
Proof. exists 12%Z. ring. Qed.
Example grid_at_least : Accuracy.tail (O := plain R) any_number on_a_grid error Definitions.at_least 12 eq
  (2 * exp (-12 / 6) / (1 + exp (-1 / 6))).
Proof. exact (Accuracy.discrete_laplace_tail summable). Qed.
Example grid_at_most : Accuracy.tail (O := plain R) any_number on_a_grid error Definitions.at_least 12 Rle
  (2 * exp (- 12 / 6)).
Proof.
  apply (Accuracy.noise_tail_on_a_grid (O := plain R) 1 _ _ (fun alpha => - alpha / 6) _ one noise_on_a_grid
    half_lines); [lra | exact tail_on_a_grid_is_bounded].
Qed.
Example grid_more_than : Accuracy.tail (O := plain R) any_number on_a_grid error Definitions.more_than 12 Rle
  (exp (- 12 / 6)).
Proof.
  apply (Accuracy.noise_tail_on_a_grid_more_than (O := plain R) 1 _ _ (fun alpha => - alpha / 6) _ noise_on_a_grid
    half_lines); [lra | exact twelve_is_whole | exact tail_on_a_grid_is_bounded].
Qed.
Example grid_more_than_exactly : Accuracy.tail (O := plain R) any_number on_a_grid error Definitions.more_than 12 eq
  (2 * exp (- (12 + 1) / 6) / (1 + exp (- 1 / 6))).
Proof.
  apply (Accuracy.noise_tail_on_a_grid_exactly_more_than (O := plain R) 1 _ _ (fun alpha => - alpha / 6) _ one
    noise_on_a_grid half_lines); [lra | exact twelve_is_whole | exact tail_on_a_grid_is_exact].
Qed.
Lemma radius_on_a_grid level : 0 <= level -> 0 <= 6 * level /\ - (6 * level) / 6 = - level.
Proof. intro L. split; [lra | field]. Qed.
Example grid_inverted :
  Accuracy.tail (O := plain R) any_number on_a_grid error Definitions.at_least (6 * ln (2 / (1 / 20))) Rle (1 / 20).
Proof.
  apply (Accuracy.noise_tail_on_a_grid_inverted (O := plain R) 1 _ _ (fun alpha => - alpha / 6) (fun level => 6 * level)
    _ (1 / 20) one noise_on_a_grid half_lines tail_on_a_grid_is_bounded radius_on_a_grid); lra.
Qed.
(* More than half of the noise is not 0. *)
Lemma at_least_1 k : Definitions.at_least 1 (Rabs (IZR k * 1)) = if Z.eq_dec k 0 then 0 else 1.
Proof.
  unfold Definitions.at_least. rewrite Rmult_1_r, <- abs_IZR. destruct (Z.eq_dec k 0) as [-> | other].
  - simpl. destruct (Rle_dec 1 0); lra.
  - assert (1 <= IZR (Z.abs k)) by (apply IZR_le; lia). destruct (Rle_dec 1 (IZR (Z.abs k))); lra.
Qed.
Example grid_errs_oftener :
  ~ Accuracy.tail (O := plain R) any_number on_a_grid error Definitions.at_least 1 Rle (1 / 2).
Proof.
  apply (Accuracy.likelier_noise (O := plain R) 1 (fun y => y) (fun z => - Rabs z / 6) on_a_grid any_number
    Definitions.at_least 1 Rle (1 / 2) [0%Z] [1%Z; (-1)%Z] 0); auto.
  - exact noise_on_a_grid.
  - left. reflexivity.
  - exact I.
  - repeat constructor. intros [].
  - intro k. rewrite at_least_1. simpl. destruct (Z.eq_dec k 0) as [-> |]; split; intro H; auto; try lra.
    destruct H as [<- | []]. contradiction.
  - repeat constructor; simpl; [intros [D | []]; discriminate | intros []].
  - discriminate.
  - intros k [<- | [<- | []]]; rewrite at_least_1; reflexivity.
  - simpl. rewrite !Rmult_1_r, Rabs_R0, Rabs_R1. replace (-1) with (- (1)) by ring. rewrite Rabs_Ropp, Rabs_R1.
    replace (- 0 / 6) with 0 by field. rewrite exp_0. assert (1 / 2 < exp (- (1) / 6)) by interval. lra.
Qed.

(* A hundred draws. *)
Definition hundred (x : nat -> R) := Definitions.drawn 0 100 (fun i => on_a_grid (x i)).
Lemma hundred_is_independent x : Definitions.independent_draws (J := plain (nat -> R)) (O := plain R) 100 (hundred x)
  (fun i y => y i) (fun i => on_a_grid (x i)).
Proof. apply Definitions.drawn_independent. Qed.
Definition greatest (x : nat -> R) (y : nat -> R) : R :=
  Accuracy.greatest_error (J := plain (nat -> R)) (O := plain R) error 100 (fun i y => y i) x y.
Example greatest_of_a_hundred : Accuracy.tail (O := plain (nat -> R)) (Accuracy.each_in any_number 100) hundred greatest
  Definitions.at_least 12 Rle (INR 100 * (2 * exp (- 12 / 6))).
Proof.
  apply (Accuracy.tail_of_many (J := plain (nat -> R)) (O := plain R) any_number on_a_grid error
    Definitions.at_least 100 hundred (fun i y => y i) 12 _ (or_introl eq_refl) hundred_is_independent ltac:(lia)).
  exact grid_at_most.
Qed.
Example greatest_of_a_hundred_just : Accuracy.tail (O := plain (nat -> R)) (Accuracy.each_in any_number 100) hundred
  greatest Definitions.at_least 12 Rle (INR 100 * (2 * exp (-12 / 6) / (1 + exp (-1 / 6)))).
Proof.
  apply (Accuracy.tail_of_many_just (J := plain (nat -> R)) (O := plain R) any_number on_a_grid error
    Definitions.at_least 100 hundred (fun i y => y i) 12 _ (or_introl eq_refl) hundred_is_independent ltac:(lia)).
  exact grid_at_least.
Qed.
Example greatest_of_a_hundred_exactly : Accuracy.tail (O := plain (nat -> R)) (Accuracy.each_in any_number 100) hundred
  greatest Definitions.at_least 12 eq (1 - exp (INR 100 * ln (1 - 2 * exp (-12 / 6) / (1 + exp (-1 / 6))))).
Proof.
  apply (Accuracy.tail_of_many_exactly (J := plain (nat -> R)) (O := plain R) any_number on_a_grid error
    Definitions.at_least 100 hundred (fun i y => y i) 12 _ (or_introl eq_refl) hundred_is_independent ltac:(lia)).
  - interval.
  - exact grid_at_least.
Qed.
Example greatest_of_a_hundred_at_most : Accuracy.tail (O := plain (nat -> R)) (Accuracy.each_in any_number 100) hundred
  greatest Definitions.at_least 12 Rle (1 - exp (INR 100 * ln (1 - 2 * exp (- 12 / 6)))).
Proof.
  apply (Accuracy.tail_of_many_exactly_at_most (J := plain (nat -> R)) (O := plain R) any_number on_a_grid error
    Definitions.at_least 100 hundred (fun i y => y i) 12 _ (or_introl eq_refl) hundred_is_independent ltac:(lia)).
  - interval.
  - exact grid_at_most.
Qed.
(* Permute-and-flip with coins of probability e^-gap, among ten. *)
Lemma flips_are_probabilities gap : 0 <= gap -> - gap <= 0 /\ - 0 = 0.
Proof. intro G. split; lra. Qed.
Example flips_choose_well : Accuracy.tail (O := plain nat) (fun scores => length scores = 10%nat)
  (Selection.permute_and_flip (fun gap => - gap) flips_are_probabilities) Accuracy.shortfall Definitions.at_least 8 Rle
  (INR 10 * exp (- 8)).
Proof.
  apply (Accuracy.selection_tail_flips _ (fun alpha => - alpha)); [intros gap G; lra | lra | lia].
Qed.

(** * Estimates from reports *)

(* A bit is told with probability 3/4, else its opposite. *)
Definition mass (input output : bool) : R := if Bool.eqb input output then 3 / 4 else 1 / 4.
Definition told (input : bool) := Finite.listed false [true; false] (mass input).
Lemma mass_is_a_law input : Finite.is_law [true; false] (mass input).
Proof. unfold mass. split; [intros [] _; destruct input; simpl; lra | destruct input; simpl; lra]. Qed.
Definition shown (bit : bool) : R := if bit then 1 else 0.
Definition reports (n : nat) (x : nat -> bool) := Definitions.drawn false n (fun i => told (x i)).
Lemma reports_are_independent n x :
  Definitions.independent_draws (J := plain (nat -> bool)) (O := plain bool) n (reports n x) (fun i y => y i)
    (fun i => told (x i)).
Proof. apply Definitions.drawn_independent. Qed.
Example wrong_mean : ~ forall n x, True ->
  E (reports n x) (Accuracy.summed (J := plain (nat -> bool)) (O := plain bool) n (fun i y => y i) shown) = 1 /\
  Accuracy.variance (reports n x)
    (Accuracy.summed (J := plain (nat -> bool)) (O := plain bool) n (fun i y => y i) shown) = 3 / 16.
Proof.
  apply (Accuracy.another_estimate (fun _ _ => True) [true; false] false mass shown (fun _ _ => 1) (fun _ _ => 3 / 16)
    reports (fun i y => y i) 1 (fun _ => true)).
  - intros n x _. apply reports_are_independent.
  - exact (proj1 (Finite.plain_test shown ltac:(intros [|]; unfold shown; lra))).
  - exact I.
  - intros. apply mass_is_a_law.
  - left. unfold mass, shown. simpl. lra.
Qed.
Example often_wrong : ~ Accuracy.tail (O := plain bool) (fun x : bool => True) told
  (fun x o => if Bool.eqb x o then 0 else 1) Definitions.at_least 1 Rle (1 / 10).
Proof.
  apply (Accuracy.likelier_error _ told (fun x o => if Bool.eqb x o then 0 else 1) Definitions.at_least 1 Rle (1 / 10)
    true false [true; false] (mass true) I eq_refl (mass_is_a_law true)).
  left. split; [reflexivity |]. unfold mass, Definitions.at_least. simpl.
  destruct (Rle_dec 1 0), (Rle_dec 1 1); lra.
Qed.

(* The same as whole numbers, by masses and cumulative masses. *)
Definition pmf (output input : Z) : R := if Z.eqb output input then 3 / 4 else 1 / 4.
Definition cumulative (output input : Z) : R :=
  if Z.eqb output (-1) then 0 else if Z.eqb output 1 then 1 else if Z.eqb input 0 then 3 / 4 else 1 / 4.
Definition response (input : Z) := Finite.listed 0%Z (Finite.whole 2) (fun output => pmf output input).
Lemma not_negative output input : (0 <= input <= 2 - 1)%Z -> (0 <= output <= 2 - 1)%Z -> 0 <= pmf output input.
Proof. intros _ _. unfold pmf. destruct (Z.eqb output input); lra. Qed.
Lemma grows output input : (0 <= input <= 2 - 1)%Z -> (0 <= output <= 2 - 1)%Z ->
  cumulative output input - cumulative (output - 1) input = pmf output input.
Proof.
  intros J O. assert (output = 0 \/ output = 1)%Z as [-> | ->] by lia;
    assert (input = 0 \/ input = 1)%Z as [-> | ->] by lia; unfold cumulative, pmf; simpl; lra.
Qed.
Lemma ends input : (0 <= input <= 2 - 1)%Z -> cumulative (-1) input = 0 /\ cumulative (2 - 1) input = 1.
Proof. intros _. split; reflexivity. Qed.
Lemma likelier_if_set input : (0 <= input <= 2 - 1)%Z -> (pmf 1 input - 1 / 4) * 2 = IZR input.
Proof. intro J. assert (input = 0 \/ input = 1)%Z as [-> | ->] by lia; unfold pmf; simpl; lra. Qed.
Definition bits (n : nat) (x : nat -> Z) := Definitions.drawn 0%Z n (fun i => response (x i)).
Lemma bits_are_independent n x :
  Definitions.independent_draws (J := plain (nat -> Z)) (O := plain Z) n (bits n x) (fun i y => y i)
    (fun i => response (x i)).
Proof. apply Definitions.drawn_independent. Qed.
Definition estimate (y : nat -> Z) : R :=
  (Accuracy.mean 10 (fun i => if Z.eq_dec (y i) 1 then 1 else 0) - 1 / 4) * 2.
Definition off (x y : nat -> Z) : R := Rabs (estimate y - Accuracy.mean 10 (fun i => IZR (x i))).
Example mean_of_ten : Accuracy.tail (O := plain (nat -> Z)) (fun x => forall i, (i < 10)%nat -> (0 <= x i <= 2 - 1)%Z)
  (bits 10) off Definitions.at_least (2 * sqrt (ln (2 / (1 / 20)) / (2 * INR 10))) Rle (1 / 20).
Proof.
  apply (Accuracy.estimate_tail (J := plain (nat -> Z)) pmf cumulative (1 / 4) 2 (1 / 20) 10 (bits 10) (fun i y => y i)
    not_negative grows ends likelier_if_set); try lra; try lia.
  - apply bits_are_independent.
  - intro x. apply (Definitions.plain_event (fun y => Definitions.at_least _ (off x y))). intro y.
    apply Definitions.at_least_is.
Qed.
Lemma hit_or_miss output input : (0 <= input <= 2 - 1)%Z -> (0 <= output <= 2 - 1)%Z ->
  pmf output input = if Z.eqb output input then 3 / 4 else 1 / 4.
Proof. reflexivity. Qed.
Definition says_0 (y : Z) := Accuracy.decoded (3 / 4) (1 / 4) 1 (Some (Z.eqb y 0)).
Definition zeros := Accuracy.summed (J := plain (nat -> Z)) (O := plain Z) 10 (fun i y => y i) says_0.
Example zeros_of_ten : E (bits 10 (fun _ => 0%Z)) zeros = Accuracy.how_many 10 (fun _ => Z.eqb 0 0) /\
  Accuracy.variance (bits 10 (fun _ => 0%Z)) zeros =
    Accuracy.how_many 10 (fun _ => Z.eqb 0 0) * (3 / 4 * (1 - 3 / 4) / (3 / 4 - 1 / 4) ^ 2) +
    (INR 10 - Accuracy.how_many 10 (fun _ => Z.eqb 0 0)) * (1 / 4 * (1 - 1 / 4) / (3 / 4 - 1 / 4) ^ 2).
Proof.
  apply (Accuracy.frequency_estimate_of_a_finite_law (J := plain (nat -> Z)) 2 pmf cumulative (3 / 4) (1 / 4) 0 10
    (fun _ => 0%Z) (bits 10 (fun _ => 0%Z)) (fun i y => y i) not_negative grows ends hit_or_miss); try lra; try lia.
  apply (bits_are_independent 10 (fun _ => 0%Z)).
Qed.
Lemma hit input : (0 <= input <= 2 - 1)%Z -> pmf input input = 3 / 4.
Proof. intros _. unfold pmf. rewrite Z.eqb_refl. reflexivity. Qed.
Example mistaken : Accuracy.tail (O := plain Z) (fun i => 0 <= i <= 2 - 1)%Z response Accuracy.mistake
  Definitions.at_least 1 eq (1 - 3 / 4).
Proof. exact (Accuracy.mistake_tail 2 pmf cumulative (3 / 4) not_negative grows ends hit). Qed.
Definition rate (x : R) : R := (1 + 2 * x) / 4.
Example half_told : let estimate (bit : bool) := 2 * ((if bit then 1 else 0) - 1 / 4) in
  E (Finite.coin (rate (1 / 2))) estimate = 1 / 2 /\
  Accuracy.variance (Finite.coin (rate (1 / 2))) estimate = 2 ^ 2 * (rate (1 / 2) * (1 - rate (1 / 2))).
Proof. apply (Accuracy.number_estimate 0 1); unfold rate; intros; lra. Qed.

(* Two hashes: one of them at random is told, and the bit under it.  Of two inputs one has the bits that are counted,
   true under both, and the other has one of them. *)
Definition half : 0 <= 1 / 2 <= 1. Proof. lra. Qed.
Definition under (hash : nat) (p : law (plain bool)) : law (plain (nat * bool)) :=
  then_run p (plain_kernel (fun bit => certain (O := plain (nat * bool)) (hash, bit))).
Definition hashed (x : nat -> bool) : law (plain (nat * bool)) :=
  mixture (1 / 2) half (under 0 (told (x 0%nat))) (under 1 (told (x 1%nat))).
Definition inputs (i : nat) : nat -> bool := if Nat.eqb i 0 then fun _ => true else Nat.even.
Definition counted := Accuracy.summed (J := plain (nat -> nat * bool)) (O := plain (nat * bool)) 2 (fun i y => y i)
  (fun r => Accuracy.decoded (3 / 4) (1 / 4 + (3 / 4 - 1 / 4) / 2) 1 (Some (Bool.eqb true (snd r)))).
Definition two_reports := Definitions.drawn (0%nat, false) 2 (fun i => hashed (inputs i)).
Lemma E_told input f : E (told input) f = mass input true * f true + mass input false * f false.
Proof. unfold told. rewrite Finite.E_listed by apply mass_is_a_law. simpl. ring. Qed.
Example balanced : let having := Accuracy.how_many 2 (fun i => inputs i 1%nat) in E two_reports counted = having /\
  Accuracy.variance two_reports counted =
    having * (3 / 4 * (1 - 3 / 4) / (3 / 4 - (1 / 4 + (3 / 4 - 1 / 4) / 2)) ^ 2) +
    (INR 2 - having) * ((1 / 4 + (3 / 4 - 1 / 4) / 2) * (1 - (1 / 4 + (3 / 4 - 1 / 4) / 2)) /
      (3 / 4 - (1 / 4 + (3 / 4 - 1 / 4) / 2)) ^ 2).
Proof.
  apply (Accuracy.balanced_estimate (J := plain (nat -> nat * bool)) (fun _ : bool => True) told
    (fun r y => Some (Bool.eqb r y)) Bool.bool_dec (fun x => x 1%nat) 2 2 (3 / 4) (1 / 4) (fun _ => true) 2 inputs
    hashed two_reports (fun i y => y i)); try lra; try lia; auto.
  - intros x f _. unfold hashed. simpl. field.
  - discriminate.
  - intros a r _ _. rewrite E_told. unfold mass. destruct (Bool.bool_dec a r) as [<- |], a; try destruct r; simpl;
      try congruence; lra.
  - intros i small. unfold inputs. destruct (Nat.eqb i 0); simpl; lra.
  - apply Definitions.drawn_independent.
Qed.
Example two_of_three : exists reports : law (plain (nat -> nat)), let masses (input y : nat) :=
    if Nat.eqb y input then 1 / 2 else 1 / 4 in
  let D y := Accuracy.decoded (1 / 2) (1 / 4) 1 (Some (Nat.eqb y 0)) in
  Definitions.independent_draws (J := plain (nat -> nat)) (O := plain nat) 2 reports (fun i y => y i)
    (fun i => Finite.listed 0%nat (0 :: 1 :: 2 :: nil)%nat (masses i)) /\
  E reports (Accuracy.summed (J := plain (nat -> nat)) (O := plain nat) 2 (fun i y => y i) D) = 1 /\
  Accuracy.variance reports (Accuracy.summed (J := plain (nat -> nat)) (O := plain nat) 2 (fun i y => y i) D) = 7.
Proof. exact Accuracy.estimate_of_two_reports. Qed.

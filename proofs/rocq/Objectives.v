(* Objective perturbation: refdp's rule perturbed_objective.

   What is released is the minimum w of a sum of losses l(w . z) over the rows' images z, plus L / 2 |w|^2, plus b . w,
   where the random vector b has a density in proportion to exp(-rate |b|).  To each w belongs one b that makes it the
   minimum: the opposite of the gradient at w.  By the change of variables the minimum has at w the density of b there,
   times the determinant of the second derivatives.  A row more moves the gradient by at most the pull of its loss, and
   the determinant by a factor from 1 to 1 + curving reach^2 / L, since it changes the matrix by one of rank 1.

   All of that is proved here in every dimension, but for the change of variables, which is a premise.  In one dimension
   it is proved as well, in ObjectivesOnTheLine.v. *)
From Coq Require Import Reals Lra Lia List Permutation.
From Refdp Require Import Laws Privacy Tables Sensitivity Definitions.
Import ListNotations.
Open Scope R_scope.

(** * Determinants of symmetric positive matrices *)

Definition matrix := nat -> nat -> R.
Definition is_symmetric (A : matrix) := forall i j, A i j = A j i.
(* What elimination of the variable n leaves of the others, where the entry A n n is not 0. *)
Definition eliminated (n : nat) (A : matrix) : matrix := fun i j => A i j - A i n * A n j / A n n.
(* The determinant, by elimination: the product of the pivots.  It is meant for matrices whose pivots are not 0. *)
Fixpoint determinant (n : nat) (A : matrix) : R :=
  match n with O => 1 | S m => A m m * determinant m (eliminated m A) end.
Fixpoint positive_pivots (n : nat) (A : matrix) : Prop :=
  match n with O => True | S m => 0 < A m m /\ positive_pivots m (eliminated m A) end.
(* z^T A^-1 z *)
Fixpoint inverse_form (n : nat) (A : matrix) (z : vector) : R :=
  match n with
  | O => 0
  | S m => z m ^ 2 / A m m + inverse_form m (eliminated m A) (fun i => z i - z m / A m m * A i m)
  end.
Definition quadratic (n : nat) (A : matrix) (x : vector) : R := total n (fun i => total n (fun j => x i * A i j * x j)).
(* A is at least c times the identity. *)
Definition at_least (n : nat) (A : matrix) (c : R) := forall x, c * total n (fun j => x j ^ 2) <= quadratic n A x.
Definition with_rank_one (A : matrix) (c : R) (z : vector) : matrix := fun i j => A i j + c * (z i * z j).

Lemma determinant_of_two a b c d : a <> 0 -> d <> 0 ->
  determinant 2 (fun i j => match i, j with O, O => a | O, _ => b | _, O => c | _, _ => d end) = a * d - b * c.
Proof. intros A D. cbn. unfold eliminated. field. exact D. Qed.
Lemma determinant_same n A B : (forall i j, A i j = B i j) -> determinant n A = determinant n B.
Proof.
  revert A B. induction n as [| n IH]; intros A B same; [reflexivity |]. simpl. rewrite same. f_equal. apply IH.
  intros i j. unfold eliminated. rewrite !same. reflexivity.
Qed.
Lemma determinant_positive n A : positive_pivots n A -> 0 < determinant n A.
Proof.
  revert A. induction n as [| n IH]; intros A P; simpl; [lra |]. destruct P as [first rest].
  apply Rmult_lt_0_compat; auto.
Qed.
Lemma eliminated_is_symmetric n A : is_symmetric A -> is_symmetric (eliminated n A).
Proof. intros S i j. unfold eliminated. rewrite (S i j), (S i n), (S n j). unfold Rdiv. ring. Qed.

(* A matrix of rank 1 more multiplies the determinant by 1 + c z^T A^-1 z. *)
Lemma eliminated_with_rank_one n A c z i j : is_symmetric A -> 0 < A n n -> 0 <= c ->
  eliminated n (with_rank_one A c z) i j =
  with_rank_one (eliminated n A) (c * A n n / (A n n + c * z n ^ 2)) (fun i => z i - z n / A n n * A i n) i j.
Proof.
  intros S P C. assert (0 <= c * z n ^ 2) by (apply Rmult_le_pos; [exact C | apply pow2_ge_0]).
  unfold eliminated, with_rank_one. rewrite (S n j). field. split; [| lra].
  replace (c * z n ^ 2) with (c * (z n * z n)) in * by ring. simpl. lra.
Qed.
Lemma determinant_with_rank_one n A c z : is_symmetric A -> positive_pivots n A -> 0 <= c ->
  determinant n (with_rank_one A c z) = determinant n A * (1 + c * inverse_form n A z).
Proof.
  revert A c z. induction n as [| n IH]; intros A c z S P C; simpl determinant; simpl inverse_form; [ring |].
  destruct P as [first rest]. assert (0 <= c * z n ^ 2) by (apply Rmult_le_pos; [exact C | apply pow2_ge_0]).
  rewrite (determinant_same n _ _ (fun i j => eliminated_with_rank_one n A c z i j S first C)).
  rewrite IH; [| apply eliminated_is_symmetric, S | exact rest |].
  - unfold with_rank_one. replace (c * (z n * z n)) with (c * z n ^ 2) by ring. field. split; lra.
  - apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra].
Qed.

Section forms.
  Variables (n : nat) (A : matrix).
  Hypothesis A_is_symmetric : is_symmetric A.
  Lemma quadratic_next x : quadratic (S n) A x =
    quadratic n A x + 2 * x n * total n (fun i => x i * A i n) + x n ^ 2 * A n n.
  Proof.
    unfold quadratic. cbn [total]. rewrite total_sum.
    rewrite (total_same n (fun j => x n * A n j * x j) (fun i => x n * (x i * A i n)))
      by (intros j _; rewrite (A_is_symmetric n j); ring).
    rewrite (total_same n (fun i => x i * A i n * x n) (fun i => x n * (x i * A i n))) by (intros; ring).
    rewrite total_multiple. ring.
  Qed.
  Lemma quadratic_eliminated x : 0 < A n n ->
    quadratic n (eliminated n A) x = quadratic n A x - total n (fun i => x i * A i n) ^ 2 / A n n.
  Proof.
    intro P. unfold quadratic. set (a := total n (fun i => x i * A i n)).
    rewrite (total_same n _ (fun i => total n (fun j => x i * A i j * x j) - a / A n n * (x i * A i n))).
    - rewrite total_difference, total_multiple. fold a. field. lra.
    - intros i _. replace (a / A n n * (x i * A i n)) with (x i * A i n / A n n * a) by (field; lra).
      unfold a. rewrite <- total_multiple, <- total_difference. apply total_same. intros j _. unfold eliminated.
      rewrite (A_is_symmetric n j). field. lra.
  Qed.
  Definition then_at_n (x : vector) (t : R) : vector := fun j => if Nat.eq_dec j n then t else x j.
  Lemma then_at_n_next x t : quadratic (S n) A (then_at_n x t) =
    quadratic n A x + 2 * t * total n (fun i => x i * A i n) + t ^ 2 * A n n.
  Proof.
    assert (below : forall j, (j < n)%nat -> then_at_n x t j = x j).
    { intros j J. unfold then_at_n. destruct (Nat.eq_dec j n); [lia | reflexivity]. }
    assert (last : then_at_n x t n = t) by (unfold then_at_n; destruct (Nat.eq_dec n n); [reflexivity | lia]).
    rewrite quadratic_next, last. unfold quadratic.
    rewrite (total_same n (fun i => then_at_n x t i * A i n) (fun i => x i * A i n))
      by (intros j J; rewrite (below j J); reflexivity).
    do 2 f_equal. apply total_same. intros i I. apply total_same. intros j J. rewrite (below i I), (below j J).
    reflexivity.
  Qed.
  Lemma total_then_at_n (f : R -> nat -> R) x t :
    total (S n) (fun j => f (then_at_n x t j) j) = total n (fun j => f (x j) j) + f t n.
  Proof.
    cbn [total]. f_equal.
    - apply total_same. intros j J. unfold then_at_n. destruct (Nat.eq_dec j n); [lia | reflexivity].
    - unfold then_at_n. destruct (Nat.eq_dec n n); [reflexivity | lia].
  Qed.
  Lemma at_least_eliminated c : 0 < c -> at_least (S n) A c -> 0 < A n n /\ at_least n (eliminated n A) c.
  Proof.
    intros C H. assert (P : 0 < A n n).
    { pose proof (H (then_at_n (fun _ => 0) 1)) as one. rewrite then_at_n_next in one.
      rewrite (total_then_at_n (fun y _ => y ^ 2)) in one. unfold quadratic in one.
      rewrite !total_nothing in one; try (intros; ring); try (intros; apply total_nothing; intros; ring). lra. }
    split; [exact P |]. intro x. rewrite quadratic_eliminated by exact P.
    set (a := total n (fun i => x i * A i n)). pose proof (H (then_at_n x (- a / A n n))) as B.
    rewrite then_at_n_next in B. rewrite (total_then_at_n (fun y _ => y ^ 2)) in B. fold a in B.
    replace (quadratic n A x + 2 * (- a / A n n) * a + (- a / A n n) ^ 2 * A n n)
      with (quadratic n A x - a ^ 2 / A n n) in B by (field; lra).
    pose proof (pow2_ge_0 (- a / A n n)). nra.
  Qed.
End forms.

Lemma at_least_has_positive_pivots n A c : is_symmetric A -> 0 < c -> at_least n A c -> positive_pivots n A.
Proof.
  revert A. induction n as [| n IH]; intros A S C H; simpl; [exact I |].
  destruct (at_least_eliminated n A S c C H) as [P R_]. split; [exact P |].
  apply IH; [apply eliminated_is_symmetric, S | exact C | exact R_].
Qed.
(* There is an x with A x = z. *)
Lemma inverse_form_is_of_a_vector n A z : is_symmetric A -> positive_pivots n A ->
  exists x, inner n z x = inverse_form n A z /\ quadratic n A x = inverse_form n A z.
Proof.
  revert A z. induction n as [| n IH]; intros A z S P; [exists z; split; reflexivity |]. destruct P as [first rest].
  pose (y := fun i => z i - z n / A n n * A i n).
  destruct (IH (eliminated n A) y (eliminated_is_symmetric n A S) rest) as (x & Z & Q).
  pose (a := total n (fun i => x i * A i n)). exists (then_at_n n x ((z n - a) / A n n)).
  rewrite then_at_n_next by exact S. unfold inner. rewrite (total_then_at_n n (fun t j => z j * t)). fold a.
  rewrite quadratic_eliminated in Q by assumption. fold a in Q.
  assert (together : inner n y x = total n (fun j => z j * x j) - z n / A n n * a).
  { unfold a. rewrite <- total_multiple, <- total_difference. apply total_same. intros. unfold y. ring. }
  rewrite Z in together. simpl inverse_form. fold y. split.
  - rewrite together. field. lra.
  - rewrite <- Q. field. lra.
Qed.
Lemma inverse_form_between n A z c : is_symmetric A -> 0 < c -> at_least n A c ->
  0 <= inverse_form n A z <= total n (fun j => z j ^ 2) / c.
Proof.
  intros S C H.
  destruct (inverse_form_is_of_a_vector n A z S (at_least_has_positive_pivots n A c S C H)) as (x & Z & Q).
  set (q := inverse_form n A z) in *. pose proof (H x) as B. rewrite Q in B.
  pose proof (squares_nonnegative n x) as X. pose proof (squares_nonnegative n z) as Y.
  pose proof (cauchy_schwarz_squared n z x) as D. rewrite Z in D.
  set (s := total n (fun j => z j ^ 2)) in *. set (r := total n (fun j => x j ^ 2)) in *.
  assert (N : 0 <= q) by nra. split; [exact N |].
  apply (Rmult_le_reg_r c); [exact C |]. replace (s / c * c) with s by (field; lra).
  destruct N as [N | <-]; [| lra]. apply (Rmult_le_reg_l q); [exact N |]. nra.
Qed.
(* The determinant grows, and by no more than 1 + c |z|^2 / least. *)
Lemma determinant_grows n A c z least : is_symmetric A -> 0 < least -> at_least n A least -> 0 <= c ->
  determinant n A <= determinant n (with_rank_one A c z) /\
  determinant n (with_rank_one A c z) <= (1 + c * total n (fun j => z j ^ 2) / least) * determinant n A.
Proof.
  intros S L H C. pose proof (at_least_has_positive_pivots n A least S L H) as P.
  rewrite determinant_with_rank_one by assumption. pose proof (determinant_positive n A P) as D.
  destruct (inverse_form_between n A z least S L H) as [low high].
  assert (0 <= c * inverse_form n A z) by (apply Rmult_le_pos; assumption).
  pose proof (Rmult_le_compat_l c _ _ C high) as M.
  replace (c * (total n (fun j => z j ^ 2) / least)) with (c * total n (fun j => z j ^ 2) / least) in M
    by (unfold Rdiv; ring).
  split; nra.
Qed.
Lemma quadratic_with_rank_one n A c z x :
  quadratic n (with_rank_one A c z) x = quadratic n A x + c * inner n z x ^ 2.
Proof.
  unfold quadratic, with_rank_one.
  rewrite (total_same n _ (fun i => total n (fun j => x i * A i j * x j) + c * inner n z x * (z i * x i))).
  - rewrite total_sum, total_multiple. unfold inner. ring.
  - intros i _. replace (c * inner n z x * (z i * x i)) with (c * (z i * x i) * inner n z x) by ring.
    unfold inner. rewrite <- total_multiple, <- total_sum. apply total_same. intros. ring.
Qed.

(** * The rule *)

Section perturbed_objective.
  Context (n : neighbours) (dimension : nat) (granularity reach steepness curving regularisation rate d_in : R).
  Context (factor : R -> R -> R) (root_above : R -> R) (slope rise : R -> R -> R).
  Hypothesis granularity_is_positive : 0 < granularity.
  Hypothesis root_is_above :
    forall square, 0 <= square -> 0 <= root_above square /\ square <= root_above square ^ 2.
  Hypothesis reach_is_not_negative : 0 <= reach.
  Hypothesis factor_keeps_the_square : forall square root,
    0 <= square -> 0 <= root -> square <= root ^ 2 -> factor square root ^ 2 * square <= reach ^ 2.
  Hypothesis slope_is_within_steepness : forall margin power, 0 < power -> Rabs (slope margin power) <= steepness.
  (* rise is what the rule makes of the slope by the rules of calculus. *)
  Hypothesis rise_is_the_derivative : forall margin,
    derivable_pt_lim (fun m => slope m (exp m)) margin (rise margin (exp margin)).
  Hypothesis slope_rises_within_curving : forall margin power, 0 < power -> 0 <= rise margin power <= curving.
  Hypothesis regularisation_is_positive : 0 < regularisation.
  Hypothesis rate_is_positive : 0 < rate.

  (* The clipped row; the gradient at w without the random term, and the second derivatives there. *)
  Let image := rescaled towards_zero granularity dimension factor root_above.
  Let gradient_at := gradient dimension granularity factor root_above slope regularisation.
  Definition rise_at (w row : vector) : R := rise (inner dimension w (image row)) (exp (inner dimension w (image row))).
  Definition second_derivatives (u : table vector) (w : vector) : matrix := fun i j =>
    (if Nat.eq_dec i j then regularisation else 0) + sum_of (fun row => rise_at w row * (image row i * image row j)) u.
  (* What one edit costs at most. *)
  Definition objective_loss : R :=
    rate * match n with add_remove => steepness * reach | replace_one => 2 * (steepness * reach) end +
    ln (1 + curving * reach ^ 2 / regularisation).

  Lemma second_derivatives_symmetric u w : is_symmetric (second_derivatives u w).
  Proof.
    intros i j. unfold second_derivatives. f_equal.
    - destruct (Nat.eq_dec i j), (Nat.eq_dec j i); congruence.
    - unfold sum_of. induction u as [| row u IH]; simpl; [reflexivity |]. rewrite IH. ring.
  Qed.
  Lemma second_derivatives_next row u w i j :
    second_derivatives (row :: u) w i j = with_rank_one (second_derivatives u w) (rise_at w row) (image row) i j.
  Proof. unfold second_derivatives, with_rank_one. simpl. ring. Qed.
  Lemma rise_between w row : 0 <= rise_at w row <= curving.
  Proof. apply slope_rises_within_curving, exp_pos. Qed.
  Lemma curving_nonnegative : 0 <= curving.
  Proof. pose proof (slope_rises_within_curving 0 1 Rlt_0_1). lra. Qed.
  Lemma second_derivatives_at_least u w : at_least dimension (second_derivatives u w) regularisation.
  Proof.
    intro x. induction u as [| row u IH].
    - right. rewrite <- total_multiple. unfold quadratic. apply total_same. intros i I.
      rewrite (total_one dimension i).
      + unfold second_derivatives. destruct (Nat.eq_dec i i); [simpl; ring | lia].
      + exact I.
      + intros j _ other. unfold second_derivatives. destruct (Nat.eq_dec i j); [lia |]. simpl. ring.
    - eapply Rle_trans; [exact IH |].
      replace (quadratic dimension (second_derivatives (row :: u) w) x) with
        (quadratic dimension (with_rank_one (second_derivatives u w) (rise_at w row) (image row)) x).
      + rewrite quadratic_with_rank_one. pose proof (rise_between w row).
        pose proof (Rmult_le_pos (rise_at w row) (inner dimension (image row) x ^ 2) ltac:(lra) (pow2_ge_0 _)). lra.
      + unfold quadratic. apply total_same. intros i _. apply total_same. intros j _.
        rewrite second_derivatives_next. reflexivity.
  Qed.
  (* How much volume around the linear term belongs to a unit of volume around w. *)
  Definition volume (u : table vector) (w : vector) : R := determinant dimension (second_derivatives u w).
  Lemma volume_positive u w : 0 < volume u w.
  Proof.
    apply determinant_positive, (at_least_has_positive_pivots _ _ regularisation);
      auto using second_derivatives_symmetric, second_derivatives_at_least.
  Qed.
  (* What one row more does to it. *)
  Lemma volume_after_a_row row u w :
    volume u w <= volume (row :: u) w /\
    volume (row :: u) w <= (1 + curving * reach ^ 2 / regularisation) * volume u w.
  Proof.
    unfold volume. rewrite (determinant_same _ _ _ (second_derivatives_next row u w)).
    destruct (determinant_grows dimension (second_derivatives u w) (rise_at w row) (image row) regularisation)
      as [low high]; auto using second_derivatives_symmetric, second_derivatives_at_least; [apply rise_between |].
    split; [exact low |]. eapply Rle_trans; [exact high |]. apply Rmult_le_compat_r; [left; apply volume_positive |].
    apply Rplus_le_compat_l. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, regularisation_is_positive |].
    apply Rmult_le_compat; [apply rise_between | apply squares_nonnegative | apply rise_between |].
    rewrite <- norm_squared. apply pow_incr. split; [apply norm_nonnegative |].
    apply image_is_short; assumption.
  Qed.

  (* The logarithm of the minimum's density at w, but for a constant. *)
  Definition log_density (w : vector) (u : table vector) : R :=
    ln (volume u w) - rate * norm dimension (gradient_at u w).
  Let curved := ln (1 + curving * reach ^ 2 / regularisation).
  Lemma room_for_curving : 0 <= curving * reach ^ 2 / regularisation.
  Proof.
    apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat, regularisation_is_positive].
    apply Rmult_le_pos; [apply curving_nonnegative | apply pow2_ge_0].
  Qed.
  Lemma log_volume_after_a_row row u w : ln (volume u w) <= ln (volume (row :: u) w) <= ln (volume u w) + curved.
  Proof.
    destruct (volume_after_a_row row u w) as [low high]. pose proof (volume_positive u w) as P.
    pose proof (volume_positive (row :: u) w) as Q. pose proof room_for_curving.
    assert (grows : forall a b, 0 < a -> a <= b -> ln a <= ln b).
    { intros a b A [B | <-]; [left; apply ln_increasing; assumption | right; reflexivity]. }
    split; [apply grows; assumption |]. unfold curved. rewrite Rplus_comm, <- ln_mult by lra. apply grows; assumption.
  Qed.
  Lemma gradient_after_a_row row u w :
    Rabs (norm dimension (gradient_at (row :: u) w) - norm dimension (gradient_at u w)) <= steepness * reach.
  Proof.
    pose (slope_of_row := fun j => slope_at dimension granularity factor root_above slope w row * image row j).
    assert (short : norm dimension slope_of_row <= steepness * reach) by (apply one_row_pulls; assumption).
    assert (more : forall j, gradient_at (row :: u) w j = gradient_at u w j + slope_of_row j).
    { intro j. unfold gradient_at, gradient.
      change (pulled dimension granularity factor root_above slope w (row :: u) j)
        with (slope_of_row j + pulled dimension granularity factor root_above slope w u j). ring. }
    assert (A : norm dimension (gradient_at (row :: u) w) <= norm dimension (gradient_at u w) + steepness * reach).
    { rewrite (norm_same _ _ (fun j => gradient_at u w j + slope_of_row j)) by auto.
      eapply Rle_trans; [apply norm_triangle | lra]. }
    assert (B : norm dimension (gradient_at u w) <= norm dimension (gradient_at (row :: u) w) + steepness * reach).
    { rewrite (norm_same _ _ (difference (gradient_at (row :: u) w) slope_of_row))
        by (intros; unfold difference; rewrite more; ring).
      eapply Rle_trans; [apply norm_difference | lra]. }
    apply Rabs_le. lra.
  Qed.
  Lemma gradient_after_a_replacement row other u w :
    norm dimension (gradient_at (row :: u) w) <= norm dimension (gradient_at (other :: u) w) + 2 * (steepness * reach).
  Proof.
    pose proof (gradient_after_a_row row u w) as A. pose proof (gradient_after_a_row other u w) as B.
    revert A B. unfold Rabs. repeat destruct Rcase_abs; lra.
  Qed.
  Lemma log_density_reordered w u v : Permutation u v -> log_density w u = log_density w v.
  Proof.
    intro P. unfold log_density, volume. rewrite (determinant_same _ _ (second_derivatives v w)).
    - f_equal. f_equal. apply norm_same. intros j _. unfold gradient_at, gradient.
      rewrite (pulled_reordered _ _ _ _ _ w u v j P). reflexivity.
    - intros i j. unfold second_derivatives. f_equal. apply sum_of_reordered, P.
  Qed.
  Lemma objective_loss_nonnegative : 0 <= objective_loss.
  Proof.
    assert (P : 0 <= steepness * reach) by (apply (pull_nonnegative reach steepness slope); assumption).
    assert (C : 0 <= curved).
    { unfold curved. rewrite <- ln_1. destruct room_for_curving as [more | <-].
      - left. apply ln_increasing; lra.
      - right. f_equal. ring. }
    unfold objective_loss. fold curved. destruct n; apply Rplus_le_le_0_compat; try exact C; apply Rmult_le_pos; lra.
  Qed.
  (* One edit moves the logarithm by at most the loss, and so d_in of them by at most d_in times that. *)
  Lemma log_density_moves w u v : edits n d_in u v -> log_density w u - log_density w v <= d_in * objective_loss.
  Proof.
    intro near. pose proof objective_loss_nonnegative as positive.
    assert (one : forall row t, rate * Rabs (norm dimension (gradient_at (row :: t) w) -
        norm dimension (gradient_at t w)) <= rate * (steepness * reach)).
    { intros row t. apply Rmult_le_compat_l; [lra | apply gradient_after_a_row]. }
    unfold objective_loss in *. fold curved in positive |- *. destruct n; simpl in near.
    - apply (many_edits (fun _ => True) (fun a b => a - b) (log_density w)); [intros; lra | | exact positive | |].
      + intros a b _ _ P. rewrite (log_density_reordered w a b P). lra.
      + intros row t _ _. pose proof (log_volume_after_a_row row t w). specialize (one row t).
        unfold log_density. revert one. unfold Rabs. destruct Rcase_abs; intro one; split; nra.
      + repeat split; auto using every_row.
    - apply (many_replacements (fun _ => True) (fun a b => a - b) (log_density w)); [intros; lra | | exact positive | |].
      + intros a b _ _ P. rewrite (log_density_reordered w a b P). lra.
      + intros row other t _ _ _. pose proof (log_volume_after_a_row row t w).
        pose proof (log_volume_after_a_row other t w). unfold log_density.
        pose proof (Rmult_le_compat_l rate _ _ ltac:(lra) (gradient_after_a_replacement other row t w)). lra.
      + repeat split; auto using every_row.
  Qed.

  (* Where the gradients are the same, the coefficients are: there is one minimum. *)
  Lemma slope_does_not_fall x y : x <= y -> slope x (exp x) <= slope y (exp y).
  Proof.
    intros [less | <-]; [| lra].
    destruct (MVT_cor2 (fun m => slope m (exp m)) (fun m => rise m (exp m)) x y less
      (fun m _ => rise_is_the_derivative m)) as (m & same & _).
    pose proof (slope_rises_within_curving m (exp m) (exp_pos m)). nra.
  Qed.
  Lemma pulled_apart a b u : 0 <= inner dimension (difference (pulled dimension granularity factor root_above slope a u)
    (pulled dimension granularity factor root_above slope b u)) (difference a b).
  Proof.
    induction u as [| row u IH].
    - right. symmetry. apply total_nothing. intros. unfold difference, pulled, vector_sum. simpl. ring.
    - pose (s w := slope_at dimension granularity factor root_above slope w row).
      rewrite (inner_same _ _ (fun j => (s a - s b) * image row j +
        difference (pulled dimension granularity factor root_above slope a u)
          (pulled dimension granularity factor root_above slope b u) j)).
      + rewrite inner_sum, inner_multiple. apply Rplus_le_le_0_compat; [| exact IH].
        replace (inner dimension (image row) (difference a b)) with
          (inner dimension a (image row) - inner dimension b (image row)).
        * unfold s, slope_at. fold image. set (x := inner dimension a (image row)).
          set (y := inner dimension b (image row)). destruct (Rle_lt_dec x y) as [order | order].
          -- pose proof (slope_does_not_fall x y order). nra.
          -- pose proof (slope_does_not_fall y x (Rlt_le _ _ order)). nra.
        * unfold inner. rewrite <- total_difference. apply total_same. intros. unfold difference. ring.
      + intro j. unfold difference. change (pulled dimension granularity factor root_above slope a (row :: u) j)
          with (s a * image row j + pulled dimension granularity factor root_above slope a u j).
        change (pulled dimension granularity factor root_above slope b (row :: u) j)
          with (s b * image row j + pulled dimension granularity factor root_above slope b u j). ring.
  Qed.
  Lemma same_gradients u a b : (forall j, (j < dimension)%nat -> gradient_at u a j = gradient_at u b j) ->
    forall j, (j < dimension)%nat -> a j = b j.
  Proof.
    intros same j J. pose proof (pulled_apart a b u) as P.
    assert (zero : regularisation * total dimension (fun j => (a j - b j) ^ 2) + inner dimension
      (difference (pulled dimension granularity factor root_above slope a u)
        (pulled dimension granularity factor root_above slope b u)) (difference a b) = 0).
    { unfold inner. rewrite <- total_multiple, <- total_sum. apply total_nothing. intros i K. specialize (same i K).
      unfold gradient_at, gradient in same. unfold difference. nra. }
    pose proof (total_at_least dimension j (fun j => (a j - b j) ^ 2) (fun i _ => pow2_ge_0 _) J) as some.
    cbv beta in some.
    pose proof (pow2_ge_0 (a j - b j)). assert (square : (a j - b j) ^ 2 = 0) by nra. nra.
  Qed.

  (* What is premised of the mechanism, and of integrals over all vectors: outcomes are vectors of so many coefficients;
     the random term has the density exp(-rate |b|) over its integral; what is released is where the gradient and the
     random term cancel; and the change of variables from the term to the minimum holds. *)
  Context {O : space} (coefficients : O -> vector) (of_coefficients : vector -> O) (I : integral O).
  Context (noise : law O) (normaliser : R) (minimum : table vector -> O -> O) (M : mechanism (table vector) O).
  Definition noise_density (b : O) : R := exp (- rate * norm dimension (coefficients b)) / normaliser.
  (* The one linear term that belongs to w. *)
  Definition term_of (u : table vector) (w : O) : O := of_coefficients (fun j => - gradient_at u (coefficients w) j).
  Hypothesis vectors_are_outcomes : forall v j, (j < dimension)%nat -> coefficients (of_coefficients v) j = v j.
  Hypothesis coefficients_say_which : forall x y,
    (forall j, (j < dimension)%nat -> coefficients x j = coefficients y j) -> x = y.
  Hypothesis normaliser_is_positive : 0 < normaliser.
  Hypothesis noise_has_its_density : has_density I (fun b => b) noise noise_density.
  Hypothesis gradient_is_zero_at_the_minimum : forall u b j, (j < dimension)%nat ->
    gradient_at u (coefficients (minimum u b)) j + coefficients b j = 0.
  Hypothesis minimum_is_released : forall u f, observable f ->
    observable (fun b => f (minimum u b)) /\ E (M u) f = E noise (fun b => f (minimum u b)).
  Hypothesis change_of_variables : forall u f, observable f ->
    integrable I (fun w => f (term_of u w) * noise_density (term_of u w) * volume u (coefficients w)) /\
    I (fun w => f (term_of u w) * noise_density (term_of u w) * volume u (coefficients w)) =
      I (fun b => f b * noise_density b).

  Lemma minimum_of_its_term u w : minimum u (term_of u w) = w.
  Proof.
    apply coefficients_say_which, (same_gradients u). intros j J.
    pose proof (gradient_is_zero_at_the_minimum u (term_of u w) j J) as zero.
    unfold term_of in zero at 2. rewrite vectors_are_outcomes in zero by exact J. lra.
  Qed.
  Lemma minimum_has_a_density u :
    has_density I (fun w => w) (M u) (fun w => exp (log_density (coefficients w) u) / normaliser).
  Proof.
    split; [intro w; apply Rmult_le_pos; left; [apply exp_pos | apply Rinv_0_lt_compat, normaliser_is_positive] |].
    intros f F. change (observable f) in F. destruct (minimum_is_released u f F) as [F' same].
    destruct (change_of_variables u _ F') as [J there].
    destruct (proj2 noise_has_its_density (fun b => f (minimum u b)) F') as [_ K].
    change (E (M u) f = E noise (fun b => f (minimum u b))) in same.
    change (E noise (fun b => f (minimum u b)) = I (fun b => f (minimum u b) * noise_density b)) in K.
    assert (pointwise : forall w, f (minimum u (term_of u w)) * noise_density (term_of u w) * volume u (coefficients w) =
              f w * (exp (log_density (coefficients w) u) / normaliser)).
    { intro w. rewrite minimum_of_its_term. unfold noise_density, log_density.
      rewrite (norm_same dimension (coefficients (term_of u w)) (fun j => - gradient_at u (coefficients w) j))
        by (intros; apply vectors_are_outcomes; assumption).
      rewrite norm_opposite. unfold Rminus. rewrite exp_plus, exp_ln by apply volume_positive.
      replace (- (rate * norm dimension (gradient_at u (coefficients w))))
        with (- rate * norm dimension (gradient_at u (coefficients w))) by ring.
      unfold Rdiv. ring. }
    split; [apply (integrable_same I _ _ pointwise J) |].
    change (E (M u) f = I (fun w => f w * (exp (log_density (coefficients w) u) / normaliser))).
    rewrite same, K, <- there. apply integral_same; assumption.
  Qed.

  (* perturbed_objective *)
  Theorem perturbed_objective :
    private (edits n d_in) M (pure (d_in * objective_loss)).
  Proof.
    intros u v near f F. rewrite Rplus_0_r.
    destruct (proj2 (minimum_has_a_density u) f (proj1 F)) as [IU EU].
    destruct (proj2 (minimum_has_a_density v) f (proj1 F)) as [IV EV].
    change (E (M u) f = I (fun w => f w * (exp (log_density (coefficients w) u) / normaliser))) in EU.
    change (E (M v) f = I (fun w => f w * (exp (log_density (coefficients w) v) / normaliser))) in EV.
    rewrite EU, EV, <- integral_multiple by exact IV.
    apply integral_monotone; [exact IU | apply integrable_multiple, IV |]. intro w.
    set (a := log_density (coefficients w) u). set (b := log_density (coefficients w) v).
    replace (exp (d_in * objective_loss) * (f w * (exp b / normaliser))) with
      (f w * ((exp (d_in * objective_loss) * exp b) / normaliser)) by (unfold Rdiv; ring).
    apply Rmult_le_compat_l; [apply (proj2 F) |].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, normaliser_is_positive |].
    rewrite <- exp_plus. apply exp_le.
    pose proof (log_density_moves (coefficients w) u v near) as L. fold a b in L. lra.
  Qed.
  (* perturbed_objective, of the minimum rounded, or processed in any other way *)
  Theorem perturbed_objective_rounded {P : space} (round : kernel O P) :
    private (edits n d_in) (fun u => then_run (M u) round) (pure (d_in * objective_loss)).
  Proof. apply (post_process (edits n d_in) M round), perturbed_objective. Qed.
End perturbed_objective.

(* How far transformations of tables and of vectors move: the rules of refdp/kernel/rules/stability.py and linear.py.

   Each theorem bears the name of its rule.  Its hypotheses are the rule's obligations, as refdp/spec states them, for
   the formulas of a registered transformation; those that speak of no formula are proved here once.  `inside` is what
   rows lie in, and `n` says whether rows are added and removed or replaced. *)
From Coq Require Import Reals Lra Lia List Permutation Sorted ZArith.
From Refdp Require Import Laws Privacy Tables.
Import ListNotations.
Open Scope R_scope.

(** * Grids *)

Lemma zero_on_grid step : on_grid step 0.
Proof. exists 0%Z. ring. Qed.
Lemma sum_on_grid step x y : on_grid step x -> on_grid step y -> on_grid step (x + y).
Proof. intros [a ->] [b ->]. exists (a + b)%Z. rewrite plus_IZR. ring. Qed.
Lemma product_on_grid step step' x y : on_grid step x -> on_grid step' y -> on_grid (step * step') (x * y).
Proof. intros [a ->] [b ->]. exists (a * b)%Z. rewrite mult_IZR. ring. Qed.
Lemma quotient_on_grid step divisor x : on_grid step x -> on_grid (step / divisor) (x / divisor).
Proof. intros [a ->]. exists a. unfold Rdiv. ring. Qed.
Lemma total_on_grid step n f : (forall j, (j < n)%nat -> on_grid step (f j)) -> on_grid step (total n f).
Proof.
  induction n; simpl; intro H; [apply zero_on_grid |].
  apply sum_on_grid; [apply IHn; intros; apply H; lia | apply H; lia].
Qed.

(** * Sums of rows *)

Definition sum_of {Row : Type} (contribution : Row -> R) (u : table Row) : R :=
  fold_right (fun row rest => contribution row + rest) 0 u.
Definition vector_sum {Row : Type} (contribution : Row -> vector) (u : table Row) : vector :=
  fun j => sum_of (fun row => contribution row j) u.

Lemma sum_of_reordered {Row} (contribution : Row -> R) u v :
  Permutation u v -> sum_of contribution u = sum_of contribution v.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_of_on_grid {Row} (inside : Row -> Prop) contribution step u :
  (forall row, inside row -> on_grid step (contribution row)) -> table_of inside u ->
    on_grid step (sum_of contribution u).
Proof. intros H. induction 1; simpl; auto using zero_on_grid, sum_on_grid. Qed.

(* A way to measure vectors: a seminorm. *)
Definition seminorm (N : vector -> R) :=
  (forall u v, N (fun j => u j + v j) <= N u + N v) /\ (forall v, N (fun j => - v j) = N v) /\
  (forall u v, (forall j, u j = v j) -> N u = N v) /\ N (fun _ => 0) = 0.
Lemma seminorm_l1 dimension : seminorm (fun v => total dimension (fun j => Rabs (v j))).
Proof.
  repeat split.
  - intros u v. rewrite <- total_sum. apply total_le. intros. apply Rabs_triang.
  - intro v. apply total_same. intros. apply Rabs_Ropp.
  - intros u v same. apply total_same. intros. rewrite same. reflexivity.
  - apply total_nothing. intros. apply Rabs_R0.
Qed.
Lemma seminorm_l2 dimension : seminorm (norm dimension).
Proof.
  repeat split; intros; auto using norm_triangle, norm_opposite, norm_same, norm_zero.
Qed.
Lemma seminorm_of_coordinate j : seminorm (fun v => Rabs (v j)).
Proof. repeat split; intros; auto using Rabs_triang, Rabs_Ropp, Rabs_R0. rewrite H. reflexivity. Qed.

(* What one edit moves in a seminorm: what a row contributes, or by how much two rows differ in it. *)
Definition moved_in {Row : Type} (N : vector -> R) (n : neighbours) (contribution : Row -> vector) (row other : Row) :=
  match n with
  | add_remove => N (contribution row)
  | replace_one => N (difference (contribution row) (contribution other))
  end.

(* The lemma on edits and sums: d_in edits move a sum by at most d_in times what one does. *)
Lemma edits_and_sums {Row : Type} (n : neighbours) (inside : Row -> Prop) (N : vector -> R)
    (contribution : Row -> vector) (bound d_in : R) u v :
  seminorm N -> 0 <= bound ->
  (forall row other, inside row -> inside other -> moved_in N n contribution row other <= bound) ->
  restricted (table_of inside) (edits n d_in) u v ->
  N (difference (vector_sum contribution u) (vector_sum contribution v)) <= d_in * bound.
Proof.
  intros (triangle & opposite & same & zero) positive one near.
  pose (distance := fun a b => N (difference a b)).
  change (distance (vector_sum contribution u) (vector_sum contribution v) <= d_in * bound).
  assert (T : forall a b c, distance a c <= distance a b + distance b c).
  { intros a b c. unfold distance, difference. eapply Rle_trans; [| apply triangle]. right. apply same. intro. ring. }
  assert (P : forall u v, table_of inside u -> table_of inside v -> Permutation u v ->
              distance (vector_sum contribution u) (vector_sum contribution v) <= 0).
  { intros w x _ _ H. unfold distance. right. rewrite <- zero. apply same. intro j.
    unfold difference, vector_sum. rewrite (sum_of_reordered _ _ _ H). ring. }
  destruct n; simpl in *.
  - revert u v near. apply many_edits; auto. intros row u Row_ _. specialize (one row row Row_ Row_).
    unfold distance, vector_sum. simpl. split.
    + rewrite <- opposite in one. erewrite same; [exact one |]. intro. unfold difference. simpl. ring.
    + erewrite same; [exact one |]. intro. unfold difference. simpl. ring.
  - revert u v near. apply many_replacements; auto. intros row other u Row_ Other _.
    specialize (one row other Row_ Other).
    unfold distance, vector_sum. simpl. erewrite same; [exact one |]. intro. unfold difference. simpl. ring.
Qed.

(* What one edit moves a coordinate by: the contribution, or the difference of two, in absolute value. *)
Definition moved {Row : Type} (n : neighbours) (contribution : Row -> R) (row other : Row) :=
  match n with
  | add_remove => Rabs (contribution row)
  | replace_one => Rabs (contribution row - contribution other)
  end.

Section sum_of_rows.
  Context {Row : Type} (n : neighbours) (inside : Row -> Prop) (finish : R -> R) (output_step bound d_in : R).
  Hypothesis some_row : exists row, inside row.
  Hypothesis finish_stays_on_the_grid : forall x, on_grid output_step x -> on_grid output_step (finish x).
  Hypothesis finish_moves_no_farther : forall x other, Rabs (finish x - finish other) <= Rabs (x - other).

  (* sum_of_rows, of numbers: if one edit moves the sum by at most the bound, d_in edits move it by d_in bound. *)
  Theorem sum_of_rows (contribution : Row -> R) :
    (forall row, inside row -> on_grid output_step (contribution row)) ->
    (forall row other, inside row -> inside other -> moved n contribution row other <= bound) ->
    stable (restricted (table_of inside) (edits n d_in)) (fun u => finish (sum_of contribution u))
           (restricted (on_grid output_step) (absolute (d_in * bound))).
  Proof.
    intros grid edit_is_bounded u v near. pose proof near as (U & V & _).
    repeat split; [eauto using sum_of_on_grid | eauto using sum_of_on_grid |].
    unfold absolute. eapply Rle_trans; [apply finish_moves_no_farther |].
    refine (edits_and_sums n inside _ (fun row _ => contribution row) bound d_in u v
              (seminorm_of_coordinate 0) _ _ near).
    - destruct some_row as [row Row_]. pose proof (edit_is_bounded row row Row_ Row_) as H.
      destruct n; simpl in H; eapply Rle_trans; try apply H; apply Rabs_pos.
    - intros row other A B. specialize (edit_is_bounded row other A B). destruct n; exact edit_is_bounded.
  Qed.

  Context (dimension : nat) (contribution : Row -> vector) (prefix : Row -> Row -> nat -> R).
  Hypothesis sum_stays_on_the_grid :
    forall row j, inside row -> (j < dimension)%nat -> on_grid output_step (contribution row j).
  Let T (u : table Row) : vector := fun j => finish (vector_sum contribution u j).

  Lemma vector_sum_on_grid u : table_of inside u -> vector_on_grid dimension output_step (T u).
  Proof. intros U j J. apply finish_stays_on_the_grid. apply (sum_of_on_grid inside); auto. Qed.
  Lemma prefix_bounds_the_move (size : R -> R) :
    (forall row other, inside row -> inside other -> 0 <= prefix row other 0) ->
    (forall row other j, inside row -> inside other -> (j < dimension)%nat ->
       prefix row other j + size (moved n (fun r => contribution r j) row other) <= prefix row other (S j)) ->
    (forall row other, inside row -> inside other -> prefix row other dimension <= bound) ->
    forall row other, inside row -> inside other ->
      total dimension (fun j => size (moved n (fun r => contribution r j) row other)) <= bound.
  Proof.
    intros starts grows ends row other A B. eapply Rle_trans; [| apply (ends row other A B)].
    specialize (starts row other A B). pose proof (fun j => grows row other j A B) as H. clear grows ends.
    assert (K : forall m, (m <= dimension)%nat ->
              total m (fun j => size (moved n (fun r => contribution r j) row other)) <= prefix row other m).
    { induction m as [| m IH]; intro M; simpl; [exact starts |].
      specialize (IH ltac:(lia)). specialize (H m ltac:(lia)). lra. }
    apply K. lia.
  Qed.

  (* sum_of_rows in the greatest coordinate: each is a sum of numbers. *)
  Theorem sum_of_rows_linf :
    (forall row other j, inside row -> inside other -> (j < dimension)%nat ->
       moved n (fun r => contribution r j) row other <= bound) -> (0 < dimension)%nat ->
    stable (restricted (table_of inside) (edits n d_in)) T
           (restricted (vector_on_grid dimension output_step) (linf dimension (d_in * bound))).
  Proof.
    intros edit_is_bounded some u v near. pose proof near as (U & V & _).
    assert (each : forall j, (j < dimension)%nat -> Rabs (T u j - T v j) <= d_in * bound).
    { intros j J. apply (sum_of_rows (fun row => contribution row j)); auto. }
    repeat split; [apply vector_sum_on_grid, U | apply vector_sum_on_grid, V | | exact each].
    eapply Rle_trans; [apply Rabs_pos | apply (each 0%nat some)].
  Qed.

  (* sum_of_rows in L1: the coordinates of what one edit moves add up to at most the bound. *)
  Theorem sum_of_rows_l1 :
    (forall row other, inside row -> inside other -> 0 <= prefix row other 0) ->
    (forall row other j, inside row -> inside other -> (j < dimension)%nat ->
       prefix row other j + moved n (fun r => contribution r j) row other <= prefix row other (S j)) ->
    (forall row other, inside row -> inside other -> prefix row other dimension <= bound) ->
    stable (restricted (table_of inside) (edits n d_in)) T
           (restricted (vector_on_grid dimension output_step) (l1 dimension (d_in * bound))).
  Proof.
    intros starts grows ends u v near. pose proof near as (U & V & _).
    repeat split; [apply vector_sum_on_grid, U | apply vector_sum_on_grid, V |]. unfold l1.
    eapply Rle_trans; [apply total_le; intros; apply finish_moves_no_farther |].
    pose proof (prefix_bounds_the_move (fun x => x) starts grows ends) as B.
    refine (edits_and_sums n inside _ contribution bound d_in u v (seminorm_l1 dimension) _ _ near).
    - destruct some_row as [row Row_]. eapply Rle_trans; [| apply (B row row Row_ Row_)].
      apply total_nonnegative. intros. destruct n; apply Rabs_pos.
    - intros row other Row_ Other. specialize (B row other Row_ Other). destruct n; exact B.
  Qed.

  (* sum_of_rows in L2: the bound is that of the square, and d_in edits move by d_in sqrt(bound). *)
  Theorem sum_of_rows_l2 :
    (forall row other, inside row -> inside other -> 0 <= prefix row other 0) ->
    (forall row other j, inside row -> inside other -> (j < dimension)%nat ->
       prefix row other j + moved n (fun r => contribution r j) row other ^ 2 <= prefix row other (S j)) ->
    (forall row other, inside row -> inside other -> prefix row other dimension <= bound) ->
    stable (restricted (table_of inside) (edits n d_in)) T
           (restricted (vector_on_grid dimension output_step) (l2 dimension (d_in * sqrt bound))).
  Proof.
    intros starts grows ends u v near. pose proof near as (U & V & _).
    split; [apply vector_sum_on_grid, U | split; [apply vector_sum_on_grid, V | apply l2_by_norm]].
    apply Rle_trans with (norm dimension (difference (vector_sum contribution u) (vector_sum contribution v))).
    { apply sqrt_le_1_alt, total_le. intros j _. unfold difference, T. rewrite <- !(pow2_abs (_ - _)).
      apply pow_incr. split; [apply Rabs_pos | apply finish_moves_no_farther]. }
    pose proof (prefix_bounds_the_move (fun x => x ^ 2) starts grows ends) as B.
    refine (edits_and_sums n inside _ contribution (sqrt bound) d_in u v (seminorm_l2 dimension) (sqrt_pos _) _ near).
    intros row other Row_ Other. specialize (B row other Row_ Other).
    destruct n; apply sqrt_le_1_alt; eapply Rle_trans; try exact B; right; apply total_same; intros j _; simpl moved;
      rewrite pow2_abs; reflexivity.
  Qed.
End sum_of_rows.

(* A count, a sum of numbers clamped to an interval, a histogram of categories. *)
Example count_is_stable {Row : Type} (row : Row) d_in :
  stable (symmetric d_in) (sum_of (fun _ : Row => 1)) (absolute d_in).
Proof.
  intros u v near.
  assert (all : forall w : table Row, table_of (fun _ => True) w) by (intro w; induction w; constructor; auto).
  destruct (sum_of_rows add_remove (fun _ : Row => True) (fun x => x) 1 1 d_in) with (contribution := fun _ : Row => 1)
    (x := u) (y := v) as (_ & _ & H); auto.
  - exists row. exact I.
  - intros. apply Rle_refl.
  - intros. exists 1%Z. ring.
  - intros. simpl. rewrite Rabs_R1. lra.
  - repeat split; auto.
  - rewrite Rmult_1_r in H. exact H.
Qed.

Definition clamped (lower upper x : R) := Rmax lower (Rmin x upper).
Lemma clamped_between lower upper x : lower <= upper -> lower <= clamped lower upper x <= upper.
Proof.
  intro order. unfold clamped, Rmax, Rmin. destruct (Rle_dec x upper); destruct (Rle_dec lower _); lra.
Qed.
(* Prices in cents, clamped to 0 and 100 each: one of them replaced moves their sum by at most 100. *)
Example clamped_sum_is_stable d_in :
  stable (restricted (table_of (on_grid (1 / 100))) (edits replace_one d_in)) (sum_of (clamped 0 100))
         (restricted (on_grid (1 / 100)) (absolute (d_in * 100))).
Proof.
  apply (sum_of_rows replace_one (on_grid (1 / 100)) (fun x => x)).
  - exists 0. apply zero_on_grid.
  - auto.
  - intros. apply Rle_refl.
  - intros row G. unfold clamped, Rmax, Rmin.
    destruct (Rle_dec row 100); destruct (Rle_dec 0 _); auto using zero_on_grid; exists 10000%Z; lra.
  - intros row other _ _. simpl. pose proof (clamped_between 0 100 row ltac:(lra)).
    pose proof (clamped_between 0 100 other ltac:(lra)). apply Rabs_le. lra.
Qed.
(* How many rows there are of each category: one row replaced moves two counts by 1, in L2 by sqrt(2). *)
Definition is_one (row j : nat) := if Nat.eqb row j then 1 else 0.
Definition is_below (row j : nat) := if Nat.ltb row j then 1 else 0.
Example histogram_is_stable categories d_in :
  stable (restricted (table_of (fun _ => True)) (edits replace_one d_in)) (vector_sum is_one)
         (restricted (vector_on_grid categories 1) (l2 categories (d_in * sqrt 2))).
Proof.
  apply (sum_of_rows_l2 replace_one (fun _ => True) (fun x => x)) with
    (prefix := fun row other j => is_below row j + is_below other j).
  - auto.
  - intros. apply Rle_refl.
  - intros row j _ _. unfold is_one. destruct (Nat.eqb row j); [exists 1%Z | exists 0%Z]; ring.
  - intros row other _ _. unfold is_below. simpl. lra.
  - intros row other j _ _ _. simpl moved. rewrite pow2_abs. unfold is_one, is_below.
    destruct (Nat.eqb_spec row j), (Nat.eqb_spec other j), (Nat.ltb_spec row j), (Nat.ltb_spec other j),
      (Nat.ltb_spec row (S j)), (Nat.ltb_spec other (S j)); try lia; lra.
  - intros row other _ _. unfold is_below. destruct (Nat.ltb row categories), (Nat.ltb other categories); lra.
Qed.

(* row_exceeds_every_bound: where a row contributes more than any whole number of steps, no distance bounds it. *)
Theorem row_exceeds_every_bound {Row : Type} (n : neighbours) (inside : Row -> Prop) (contribution : Row -> R)
    (output_step : R) (unbounded_row : nat -> Row) :
  (forall bound, inside (unbounded_row bound)) -> 0 < output_step ->
  (forall bound, output_step * INR bound < Rabs (contribution (unbounded_row bound))) ->
  ~ exists d_out, stable (restricted (table_of inside) (edits n 1)) (sum_of contribution) (absolute d_out).
Proof.
  intros rows step exceeds [d_out H].
  assert (archimedes : forall x, exists bound, x < output_step * INR bound).
  { intro x. destruct (archimed_cor1 (output_step / (Rabs x + 1))) as (N & small & N0).
    - pose proof (Rabs_pos x). apply Rdiv_lt_0_compat; lra.
    - exists N. pose proof (Rabs_pos x). assert (0 < INR N) by (apply lt_0_INR; lia).
      apply (Rmult_lt_compat_r (INR N * (Rabs x + 1))) in small; [| apply Rmult_lt_0_compat; lra].
      replace (/ INR N * (INR N * (Rabs x + 1))) with (Rabs x + 1) in small by (field; lra).
      replace (output_step / (Rabs x + 1) * (INR N * (Rabs x + 1))) with (output_step * INR N) in small by (field; lra).
      pose proof (Rle_abs x). lra. }
  destruct n.
  - destruct (archimedes d_out) as [bound beyond].
    assert (near : restricted (table_of inside) (symmetric 1) [unbounded_row bound] []).
    { repeat split; try (constructor; auto).
      exists [unbounded_row bound], []. split; [exists []; auto |]. simpl. lra. }
    specialize (H _ _ near). unfold absolute in H. simpl in H. specialize (exceeds bound).
    rewrite Rplus_0_r, Rminus_0_r in H. lra.
  - destruct (archimedes (d_out + Rabs (contribution (unbounded_row 0%nat)))) as [bound beyond].
    assert (near : restricted (table_of inside) (change_one 1) [unbounded_row bound] [unbounded_row 0%nat]).
    { repeat split; try (constructor; auto).
      exists [unbounded_row bound], [unbounded_row 0%nat]. repeat split; [exists []; auto |]. simpl. lra. }
    specialize (H _ _ near). unfold absolute in H. simpl in H. specialize (exceeds bound). rewrite !Rplus_0_r in H.
    pose proof (Rabs_triang_inv (contribution (unbounded_row bound)) (contribution (unbounded_row 0%nat))). lra.
Qed.
(* The sum of whole numbers as they are. *)
Example plain_sum_has_no_sensitivity :
  ~ exists d_out, stable (restricted (table_of (on_grid 1)) (edits add_remove 1)) (sum_of (fun x => x))
                         (absolute d_out).
Proof.
  apply (row_exceeds_every_bound _ _ _ 1 (fun bound => INR bound + 1)).
  - intro bound. exists (Z.of_nat bound + 1)%Z. rewrite plus_IZR, <- INR_IZR_INZ. ring.
  - lra.
  - intro bound. pose proof (pos_INR bound). rewrite Rabs_right; lra.
Qed.

(** * Row by row *)

(* row_by_row: a function of each row alone keeps d_in edits d_in edits, and each row in the output domain. *)
Theorem row_by_row {Row Image : Type} (n : neighbours) (inside : Row -> Prop) (outside : Image -> Prop)
    (f : Row -> Image) (d_in : R) :
  (forall row, inside row -> outside (f row)) ->
  stable (restricted (table_of inside) (edits n d_in)) (map f) (restricted (table_of outside) (edits n d_in)).
Proof.
  intros keeps u v (U & V & near).
  assert (images : forall w, table_of inside w -> table_of outside (map f w)).
  { intros w W. apply Forall_map. eapply Forall_impl; eauto. }
  repeat split; auto.
  assert (D : forall removed added, differ u v removed added ->
    differ (map f u) (map f v) (map f removed) (map f added)).
  { intros removed added (common & A & B). exists (map f common). rewrite <- !map_app. auto using Permutation_map. }
  destruct n; simpl in *; destruct near as (removed & added & H); exists (map f removed), (map f added);
    rewrite !map_length; intuition.
Qed.
(* ... on tables of public size, too. *)
Theorem row_by_row_sized {Row Image : Type} (n : neighbours) (inside : Row -> Prop) (outside : Image -> Prop)
    (size : nat) (f : Row -> Image) (d_in : R) :
  (forall row, inside row -> outside (f row)) ->
  stable (restricted (sized_table_of inside size) (edits n d_in)) (map f)
         (restricted (sized_table_of outside size) (edits n d_in)).
Proof.
  intros keeps u v ([U size_u] & [V size_v] & near).
  destruct (row_by_row n inside outside f d_in keeps u v) as (U' & V' & near'); [repeat split; assumption |].
  repeat split; try assumption; rewrite map_length; assumption.
Qed.
(* ... and of a filter, which may drop rows: a replaced row becomes a removed and an added one. *)
Definition kept {Row Image : Type} (f : Row -> option Image) (row : Row) : list Image :=
  match f row with Some image => [image] | None => [] end.
Definition filtered {Row Image : Type} (f : Row -> option Image) : table Row -> table Image := flat_map (kept f).
Theorem row_by_row_dropping {Row Image : Type} (n : neighbours) (inside : Row -> Prop) (outside : Image -> Prop)
    (f : Row -> option Image) (d_in : R) :
  (forall row image, inside row -> f row = Some image -> outside image) ->
  stable (restricted (table_of inside) (edits n d_in)) (filtered f)
         (restricted (table_of outside) (symmetric (match n with add_remove => d_in | replace_one => 2 * d_in end))).
Proof.
  intros keeps u v (U & V & near).
  assert (images : forall w, table_of inside w -> table_of outside (filtered f w)).
  { intros w W. induction W as [| row w R_ W IH]; simpl; [constructor |]. apply Forall_app. split; [| exact IH].
    unfold kept. destruct (f row) eqn:image; constructor; [eapply keeps; eauto | constructor]. }
  assert (short : forall w, (length (filtered f w) <= length w)%nat).
  { induction w as [| row w IH]; simpl; [lia |]. rewrite app_length. unfold kept. destruct (f row); simpl; lia. }
  assert (near' : symmetric (match n with add_remove => d_in | replace_one => 2 * d_in end) u v).
  { destruct n; [exact near | apply change_one_is_half, near]. }
  clear near. split; [auto | split; [auto |]]. destruct near' as (removed & added & (common & A & B) & L).
  exists (filtered f removed), (filtered f added). split.
  - exists (filtered f common). unfold filtered. rewrite <- !flat_map_app.
    split; apply Permutation_flat_map; assumption.
  - eapply Rle_trans; [apply le_INR | exact L]. pose proof (short removed). pose proof (short added). lia.
Qed.
(* Clamping each row keeps tables as near as they were. *)
Example clamping_is_row_by_row n d_in :
  stable (restricted (table_of (fun _ => True)) (edits n d_in)) (map (clamped 0 1))
         (restricted (table_of (fun x => 0 <= x <= 1)) (edits n d_in)).
Proof. apply row_by_row. intros row _. apply clamped_between. lra. Qed.

(** * Sums in cells *)

(* The sum of a vector of blocks, block after block. *)
Lemma total_blocks blocks width (f : nat -> R) :
  total (blocks * width) f = total blocks (fun i => total width (fun k => f (i * width + k)%nat)).
Proof.
  induction blocks as [| blocks IH]; [reflexivity |].
  replace (S blocks * width)%nat with (blocks * width + width)%nat by lia.
  rewrite total_append, IH. reflexivity.
Qed.
Lemma place_in_blocks width i k : (k < width)%nat -> ((i * width + k) / width = i /\ (i * width + k) mod width = k)%nat.
Proof.
  intro K. split.
  - rewrite Nat.div_add_l, Nat.div_small by lia. lia.
  - rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

Definition indicator (cells : list nat) (cell : nat) : R := if existsb (Nat.eqb cell) cells then 1 else 0.
Lemma indicator_cases cells cell : indicator cells cell = 0 \/ indicator cells cell = 1.
Proof. unfold indicator. destruct (existsb _ _); auto. Qed.
Lemma total_indicator n cells : total n (indicator cells) <= INR (length cells).
Proof.
  induction cells as [| cell cells IH].
  - rewrite total_nothing; [simpl; lra | reflexivity].
  - change (length (cell :: cells)) with (S (length cells)). rewrite S_INR.
    apply Rle_trans with (total n (fun c => (if Nat.eqb c cell then 1 else 0) + indicator cells c)).
    + apply total_le. intros c _. unfold indicator. simpl. destruct (Nat.eqb c cell), (existsb _ _); simpl; lra.
    + rewrite total_sum. enough (total n (fun c => if Nat.eqb c cell then 1 else 0) <= 1) by lra.
      destruct (Nat.lt_ge_cases cell n) as [inside | outside].
      * rewrite (total_one n cell); [rewrite Nat.eqb_refl; lra | exact inside |].
        intros j _ other. apply Nat.eqb_neq in other. rewrite other. reflexivity.
      * rewrite total_nothing; [lra |]. intros j J. destruct (Nat.eqb_spec j cell); [lia | reflexivity].
Qed.

(* What a row adds to each of its cells: 1, and then what its coordinates contribute. *)
Definition added_to_a_cell {Row : Type} (contribution : Row -> nat -> R) (row : Row) (k : nat) : R :=
  match k with O => 1 | S j => contribution row j end.
Definition in_cells {Row : Type} (coordinates : nat) (places : Row -> list nat) (contribution : Row -> nat -> R)
    (row : Row) : vector :=
  fun i => indicator (places row) (i / S coordinates) * added_to_a_cell contribution row (i mod S coordinates).
Definition sums_in {Row : Type} (coordinates : nat) (places : Row -> list nat) (contribution : Row -> nat -> R) :
  table Row -> vector := vector_sum (in_cells coordinates places contribution).

Section sums_in_cells.
  Context {Row : Type} (n : neighbours) (inside : Row -> Prop).
  Context (places : Row -> list nat) (hits cells coordinates : nat).
  Context (contribution : Row -> nat -> R) (output_step bound d_in : R) (alone together : nat -> R).
  Hypothesis lies_in_few_cells : forall row, inside row -> (length (places row) <= hits)%nat.
  Hypothesis one_is_on_the_grid : on_grid output_step 1.
  Hypothesis sum_stays_on_the_grid :
    forall row j, inside row -> (j < coordinates)%nat -> on_grid output_step (contribution row j).

  Let rows := match n with add_remove => 1 | replace_one => 2 end.
  Section sized.
    (* How a coordinate is measured: by its absolute value in L1, by its square in L2. *)
    Context (size : R -> R).
    Hypothesis size_of_nothing : size 0 = 0.
    Hypothesis size_nonnegative : forall x, 0 <= size x.
    Hypothesis size_opposite : forall x, size (- x) = size x.
    Hypothesis alone_starts_at_1 : 1 <= alone 0.
    Hypothesis alone_grows_by_the_row :
      forall row j, inside row -> (j < coordinates)%nat -> alone j + size (contribution row j) <= alone (S j).
    Hypothesis alone_ends_at_the_bound : rows * INR hits * alone coordinates <= bound.
    Hypothesis together_starts_at_0 : n = replace_one -> 0 <= together 0.
    Hypothesis together_grows_by_two_rows :
      n = replace_one -> forall row other j, inside row -> inside other -> (j < coordinates)%nat ->
      together j + size (contribution row j - contribution other j) <= together (S j).
    Hypothesis together_ends_at_the_bound : n = replace_one -> INR hits * together coordinates <= bound.
    Hypothesis size_one : size 1 = 1.

    Let added := added_to_a_cell contribution.
    Lemma added_alone row : inside row -> total (S coordinates) (fun k => size (added row k)) <= alone coordinates.
    Proof.
      intro Row_. enough (K : forall m, (m <= coordinates)%nat -> total (S m) (fun k => size (added row k)) <= alone m)
        by (apply K; lia).
      induction m as [| m IH]; intro M.
      - simpl. rewrite size_one. lra.
      - specialize (IH ltac:(lia)). pose proof (alone_grows_by_the_row row m Row_ ltac:(lia)).
        simpl total in *. simpl (added row (S m)). lra.
    Qed.
    Lemma alone_nonnegative : 0 <= alone coordinates \/ forall row, ~ inside row.
    Proof.
      enough (K : forall m, (m <= coordinates)%nat -> (exists row, inside row) -> 0 <= alone m).
      { destruct (Rle_lt_dec 0 (alone coordinates)) as [yes | no]; [left; exact yes |].
        right. intros row Row_. specialize (K coordinates ltac:(lia) (ex_intro _ row Row_)). lra. }
      induction m as [| m IH]; intros M some; [lra |]. pose proof (IH ltac:(lia) some). destruct some as [row Row_].
      pose proof (alone_grows_by_the_row row m Row_ ltac:(lia)). pose proof (size_nonnegative (contribution row m)).
      lra.
    Qed.
    Lemma added_together row other :
      n = replace_one -> inside row -> inside other ->
      total (S coordinates) (fun k => size (added row k - added other k)) <= together coordinates.
    Proof.
      intros replaced Row_ Other.
      enough (K : forall m, (m <= coordinates)%nat ->
                total (S m) (fun k => size (added row k - added other k)) <= together m) by (apply K; lia).
      induction m as [| m IH]; intro M.
      - simpl. rewrite Rminus_eq_0, size_of_nothing. specialize (together_starts_at_0 replaced). lra.
      - specialize (IH ltac:(lia)). pose proof (together_grows_by_two_rows replaced row other m Row_ Other ltac:(lia)).
        simpl total in *. simpl (added row (S m) - added other (S m)). lra.
    Qed.
    Lemma total_in_cells (f : nat -> nat -> R) :
      total (cells * S coordinates) (fun i => f (i / S coordinates)%nat (i mod S coordinates)%nat) =
      total cells (fun cell => total (S coordinates) (f cell)).
    Proof.
      rewrite total_blocks. apply total_same. intros i _. apply total_same. intros k K.
      destruct (place_in_blocks (S coordinates) i k K) as [-> ->]. reflexivity.
    Qed.
    Lemma one_row_in_cells row :
      inside row ->
      total (cells * S coordinates) (fun i => size (in_cells coordinates places contribution row i)) <=
      INR hits * alone coordinates.
    Proof.
      intro Row_. unfold in_cells. fold added.
      rewrite (total_in_cells (fun cell k => size (indicator (places row) cell * added row k))).
      assert (positive : 0 <= alone coordinates)
        by (destruct alone_nonnegative as [| none]; [assumption | elim (none row Row_)]).
      apply Rle_trans with (total cells (fun cell => alone coordinates * indicator (places row) cell)).
      - apply total_le. intros cell _. destruct (indicator_cases (places row) cell) as [-> | ->].
        + rewrite total_nothing; [lra |]. intros. rewrite Rmult_0_l. exact size_of_nothing.
        + rewrite (total_same _ _ (fun k => size (added row k))) by (intros; f_equal; ring).
          pose proof (added_alone row Row_). lra.
      - rewrite total_multiple, Rmult_comm. apply Rmult_le_compat_r; [exact positive |].
        eapply Rle_trans; [apply total_indicator | apply le_INR, lies_in_few_cells, Row_].
    Qed.
    Lemma two_rows_in_cells row other :
      n = replace_one -> inside row -> inside other ->
      total (cells * S coordinates)
        (fun i =>
          size (in_cells coordinates places contribution row i - in_cells coordinates places contribution other i))
      <= bound.
    Proof.
      intros replaced Row_ Other. unfold in_cells. fold added.
      rewrite (total_in_cells (fun cell k =>
        size (indicator (places row) cell * added row k - indicator (places other) cell * added other k))).
      assert (positive : 0 <= alone coordinates)
        by (destruct alone_nonnegative as [| none]; [assumption | elim (none row Row_)]).
      pose proof (added_alone row Row_) as A. pose proof (added_alone other Other) as B.
      pose proof (added_together row other replaced Row_ Other) as C.
      specialize (together_ends_at_the_bound replaced). unfold rows in alone_ends_at_the_bound. rewrite replaced in *.
      set (p := indicator (places row)). set (q := indicator (places other)).
      set (a := alone coordinates) in *. set (t := together coordinates) in *.
      apply Rle_trans with (total cells (fun cell => a * (p cell + q cell) + (t - 2 * a) * (p cell * q cell))).
      - apply total_le. intros cell _. unfold p, q.
        destruct (indicator_cases (places row) cell) as [-> | ->], (indicator_cases (places other) cell) as [-> | ->].
        + rewrite total_nothing; [lra |]. intros. rewrite !Rmult_0_l, Rminus_0_r. exact size_of_nothing.
        + rewrite (total_same _ _ (fun k => size (added other k))); [lra |].
          intros. rewrite <- size_opposite. f_equal. ring.
        + rewrite (total_same _ _ (fun k => size (added row k))); [lra |]. intros. f_equal. ring.
        + rewrite (total_same _ _ (fun k => size (added row k - added other k))); [lra |]. intros. f_equal. ring.
      - rewrite total_sum, !total_multiple, total_sum.
        assert (P : total cells p <= INR hits).
        { eapply Rle_trans; [apply total_indicator | apply le_INR, lies_in_few_cells, Row_]. }
        assert (Q : total cells q <= INR hits).
        { eapply Rle_trans; [apply total_indicator | apply le_INR, lies_in_few_cells, Other]. }
        assert (S0 : 0 <= total cells (fun cell => p cell * q cell)).
        { apply total_nonnegative. intros cell _. unfold p, q.
          destruct (indicator_cases (places row) cell) as [-> | ->], (indicator_cases (places other) cell)
            as [-> | ->]; lra. }
        assert (S1 : total cells (fun cell => p cell * q cell) <= total cells p).
        { apply total_le. intros cell _. unfold p, q.
          destruct (indicator_cases (places row) cell) as [-> | ->], (indicator_cases (places other) cell)
            as [-> | ->]; lra. }
        set (shared := total cells (fun cell => p cell * q cell)) in *.
        destruct (Rle_lt_dec t (2 * a)) as [nearer | farther].
        + assert (a * (total cells p + total cells q) <= a * (2 * INR hits)) by (apply Rmult_le_compat_l; lra).
          assert (0 <= (2 * a - t) * shared) by (apply Rmult_le_pos; lra). lra.
        + assert ((t - 2 * a) * shared <= (t - 2 * a) * INR hits) by (apply Rmult_le_compat_l; lra).
          assert (a * (total cells p + total cells q) <= a * (2 * INR hits)) by (apply Rmult_le_compat_l; lra). lra.
    Qed.
    Lemma moved_in_cells row other :
      inside row -> inside other ->
      match n with
      | add_remove => total (cells * S coordinates) (fun i => size (in_cells coordinates places contribution row i))
      | replace_one => total (cells * S coordinates) (fun i =>
          size (difference (in_cells coordinates places contribution row)
                           (in_cells coordinates places contribution other) i))
      end <= bound.
    Proof.
      intros Row_ Other. pose proof (one_row_in_cells row Row_) as one.
      pose proof (fun which => two_rows_in_cells row other which Row_ Other) as two.
      pose proof alone_ends_at_the_bound as ends. unfold rows in ends. destruct n; [lra | exact (two eq_refl)].
    Qed.
  End sized.

  Lemma sums_in_on_grid u :
    table_of inside u -> vector_on_grid (cells * S coordinates) output_step (sums_in coordinates places contribution u).
  Proof.
    intros U i _. apply (sum_of_on_grid inside); [| exact U]. intros row Row_. unfold in_cells, added_to_a_cell.
    destruct (indicator_cases (places row) (i / S coordinates)) as [-> | ->].
    - rewrite Rmult_0_l. apply zero_on_grid.
    - rewrite Rmult_1_l. pose proof (Nat.mod_upper_bound i (S coordinates) ltac:(lia)) as place.
      destruct (i mod S coordinates); [exact one_is_on_the_grid | apply sum_stays_on_the_grid; [exact Row_ | lia]].
  Qed.

  (* sums_in_cells: a row lies in few cells, and adds to each 1 and numbers of its own. *)
  Theorem sums_in_cells :
    (exists row, inside row) -> 1 <= alone 0 ->
    (forall row j, inside row -> (j < coordinates)%nat -> alone j + Rabs (contribution row j) <= alone (S j)) ->
    rows * INR hits * alone coordinates <= bound ->
    (n = replace_one -> 0 <= together 0) ->
    (n = replace_one -> forall row other j, inside row -> inside other -> (j < coordinates)%nat ->
      together j + Rabs (contribution row j - contribution other j) <= together (S j)) ->
    (n = replace_one -> INR hits * together coordinates <= bound) ->
    stable (restricted (table_of inside) (edits n d_in)) (sums_in coordinates places contribution)
           (restricted (vector_on_grid (cells * S coordinates) output_step)
                       (l1 (cells * S coordinates) (d_in * bound))).
  Proof.
    intros [some Some_] starts grows ends starts' grows' ends' u v near. pose proof near as (U & V & _).
    repeat split; [apply sums_in_on_grid, U | apply sums_in_on_grid, V |].
    assert (positive : 0 <= bound).
    { destruct (alone_nonnegative Rabs Rabs_pos starts grows) as [A | none]; [| elim (none some Some_)].
      eapply Rle_trans; [| exact ends]. apply Rmult_le_pos; [| exact A]. apply Rmult_le_pos; [| apply pos_INR].
      unfold rows. destruct n; lra. }
    refine (edits_and_sums n inside _ _ bound d_in u v (seminorm_l1 _) positive _ near).
    intros row other Row_ Other.
    pose proof (moved_in_cells Rabs Rabs_R0 Rabs_pos Rabs_Ropp starts grows ends starts' grows' ends' Rabs_R1
                  row other Row_ Other) as H.
    destruct n; exact H.
  Qed.
  Theorem sums_in_cells_l2 :
    1 <= alone 0 ->
    (forall row j, inside row -> (j < coordinates)%nat -> alone j + contribution row j ^ 2 <= alone (S j)) ->
    rows * INR hits * alone coordinates <= bound ->
    (n = replace_one -> 0 <= together 0) ->
    (n = replace_one -> forall row other j, inside row -> inside other -> (j < coordinates)%nat ->
      together j + (contribution row j - contribution other j) ^ 2 <= together (S j)) ->
    (n = replace_one -> INR hits * together coordinates <= bound) ->
    stable (restricted (table_of inside) (edits n d_in)) (sums_in coordinates places contribution)
           (restricted (vector_on_grid (cells * S coordinates) output_step)
                       (l2 (cells * S coordinates) (d_in * sqrt bound))).
  Proof.
    intros starts grows ends starts' grows' ends' u v near. pose proof near as (U & V & _).
    split; [apply sums_in_on_grid, U | split; [apply sums_in_on_grid, V | apply l2_by_norm]].
    refine (edits_and_sums n inside _ _ (sqrt bound) d_in u v (seminorm_l2 _) (sqrt_pos _) _ near).
    intros row other Row_ Other.
    pose proof (moved_in_cells (fun x => x ^ 2) ltac:(cbv beta; ring) pow2_ge_0 ltac:(intro; cbv beta; ring)
                  starts grows
                  ends starts' grows' ends' ltac:(cbv beta; ring) row other Row_ Other) as H.
    destruct n; apply sqrt_le_1_alt; exact H.
  Qed.
End sums_in_cells.

(* The cells that rows have: that of the nearest public centre, the first of several... *)
Definition distance_squared (dimension : nat) (u v : vector) := total dimension (fun j => (u j - v j) ^ 2).
Fixpoint nearest_centre (dimension : nat) (centres : nat -> vector) (clusters : nat) (point : vector) : nat :=
  match clusters with
  | O => O
  | S last =>
      let before := nearest_centre dimension centres last point in
      if Nat.eqb last 0 then 0%nat
      else if Rlt_dec (distance_squared dimension point (centres last))
                      (distance_squared dimension point (centres before))
      then last else before
  end.
Definition by_nearest dimension centres clusters (added : vector) : list nat :=
  [nearest_centre dimension centres clusters added].
Lemma nearest_hits dimension centres clusters added : (length (by_nearest dimension centres clusters added) <= 1)%nat.
Proof. simpl. lia. Qed.
Lemma nearest_is_nearest dimension centres clusters point other :
  (other < clusters)%nat ->
  distance_squared dimension point (centres (nearest_centre dimension centres clusters point)) <=
  distance_squared dimension point (centres other).
Proof.
  induction clusters as [| last IH]; intro O_; [lia |]. simpl. destruct (Nat.eqb_spec last 0) as [-> | more].
  - assert (other = 0%nat) as -> by lia. lra.
  - destruct (Nat.eq_dec other last) as [-> | before].
    + destruct (Rlt_dec _ _); lra.
    + specialize (IH ltac:(lia)). destruct (Rlt_dec _ _); lra.
Qed.
(* ... or that of its class, the first entry, and for each further entry that of the class and its value. *)
Definition by_class_and_value (classes values dimension : nat) (row : nat -> option nat) : list nat :=
  match row 0%nat with
  | Some label => if Nat.ltb label classes
      then label :: flat_map (fun j => match row (S j) with
             | Some value => if Nat.ltb value values
                 then [classes + label * values + j * classes * values + value]%nat else []
             | None => [] end) (seq 0 (dimension - 1))
      else []
  | None => [] end.
Lemma class_hits classes values dimension row :
  (1 <= dimension)%nat -> (length (by_class_and_value classes values dimension row) <= dimension)%nat.
Proof.
  intro D. unfold by_class_and_value. destruct (row 0%nat) as [label |]; [| simpl; lia].
  destruct (Nat.ltb label classes); [| simpl; lia].
  simpl. enough (K : forall start m, (length (flat_map (fun j => match row (S j) with
             | Some value => if Nat.ltb value values
                 then [classes + label * values + j * classes * values + value]%nat else []
             | None => [] end) (seq start m)) <= m)%nat) by (specialize (K 0%nat (dimension - 1)%nat); lia).
  intros start m. revert start. induction m as [| m IH]; intro start; simpl; [lia |].
  rewrite app_length. specialize (IH (S start)). destruct (row (S start)) as [value |]; [| simpl; lia].
  destruct (Nat.ltb value values); simpl; lia.
Qed.
(* No cell is listed twice, so that to add 1 for each cell that is listed is to add 1 to each cell. *)
Lemma cells_by_class_and_value_differ classes values dimension row :
  NoDup (by_class_and_value classes values dimension row).
Proof.
  unfold by_class_and_value. destruct (row 0%nat) as [label |]; [| constructor].
  destruct (Nat.ltb_spec label classes) as [a_class | ]; [| constructor].
  set (cells_of := fun j => match row (S j) with
             | Some value => if Nat.ltb value values
                 then [classes + label * values + j * classes * values + value]%nat else []
             | None => [] end).
  assert (range : forall j cell, In cell (cells_of j) ->
            (classes + label * values + j * classes * values <= cell
             < classes + label * values + j * classes * values + values)%nat).
  { intros j cell. unfold cells_of. destruct (row (S j)) as [value |]; [| intros []].
    destruct (Nat.ltb_spec value values); [| intros []]. intros [<- | []]. lia. }
  constructor.
  - intro among. apply in_flat_map in among as (j & _ & among). apply range in among. lia.
  - assert (K : forall m start, NoDup (flat_map cells_of (seq start m))).
    { induction m as [| m IH]; intro start; simpl; [constructor |].
      destruct (cells_of start) as [| cell rest] eqn:here; [apply IH |].
      assert (rest = []) as ->.
      { unfold cells_of in here. destruct (row (S start)) as [value |]; [| discriminate].
        destruct (Nat.ltb value values); congruence. }
      simpl. constructor; [| apply IH]. intro among. apply in_flat_map in among as (j & J & among).
      apply in_seq in J. apply range in among. pose proof (range start cell) as first. rewrite here in first.
      specialize (first (or_introl eq_refl)).
      assert (start * classes * values + values <= j * classes * values)%nat; [| lia].
      assert (S start * classes * values <= j * classes * values)%nat by (do 2 apply Nat.mul_le_mono_r; lia).
      assert (1 * values <= classes * values)%nat by (apply Nat.mul_le_mono_r; lia).
      rewrite !Nat.mul_succ_l, Nat.mul_add_distr_r in *. lia. }
    apply K.
Qed.

(* How many rows lie in each of 3 cells: one row replaced moves two counts. *)
Example sizes_of_cells d_in :
  stable (restricted (table_of (fun _ => True)) (edits replace_one d_in))
         (sums_in 0 (fun cell : nat => [cell]) (fun _ _ => 0))
         (restricted (vector_on_grid (3 * 1) 1) (l1 (3 * 1) (d_in * 2))).
Proof.
  apply (sums_in_cells replace_one (fun _ => True) (fun cell => [cell]) 1 3 0 (fun _ _ => 0) 1 2 d_in
           (fun _ => 1) (fun _ => 0)); intros; simpl; try lra; try lia.
  - exists 1%Z. ring.
  - exists 0%nat. exact I.
Qed.

(** * Rounding to a grid *)

Inductive rounding := towards_zero | to_the_nearest.
(* The multiple of step nearest to x, the greater of two equally near; and the nearest of those between 0 and x. *)
Definition nearest (step x : R) := step * IZR (Int_part (x / step + 1 / 2)).
Definition truncated (step x : R) :=
  if Rle_dec 0 x then step * IZR (Int_part (x / step)) else step * IZR (- Int_part (- x / step)).
Definition rounded_to (way : rounding) : R -> R -> R :=
  match way with towards_zero => truncated | to_the_nearest => nearest end.

Lemma rounded_to_grid way step x : on_grid step (rounded_to way step x).
Proof.
  destruct way; simpl; unfold truncated, nearest; [destruct (Rle_dec 0 x) |]; eexists; reflexivity.
Qed.
Lemma below_a_step step x : 0 < step -> step * IZR (Int_part (x / step)) <= x < step * IZR (Int_part (x / step)) + step.
Proof.
  intro positive. destruct (base_Int_part (x / step)) as [below above].
  apply (Rmult_le_compat_l step) in below; [| lra].
  assert (step * (x / step) < step * (IZR (Int_part (x / step)) + 1)) by (apply Rmult_lt_compat_l; lra).
  replace (step * (x / step)) with x in * by (field; lra). lra.
Qed.
Lemma floor_nonnegative y : 0 <= y -> 0 <= IZR (Int_part y).
Proof.
  intro Y. apply IZR_le. destruct (base_Int_part y) as [_ above].
  assert (IZR (-1) < IZR (Int_part y)) as H by (simpl; lra). apply lt_IZR in H. lia.
Qed.
Lemma quotient_nonnegative x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros X Y. apply Rmult_le_pos; [exact X | left; apply Rinv_0_lt_compat, Y]. Qed.
Lemma truncated_is_shorter step x : 0 < step -> truncated step x ^ 2 <= x ^ 2.
Proof.
  intro positive. unfold truncated. destruct (Rle_dec 0 x) as [N | N].
  - pose proof (below_a_step step x positive). apply pow_incr. split; [| lra].
    apply Rmult_le_pos; [lra | apply floor_nonnegative, quotient_nonnegative; lra].
  - pose proof (below_a_step step (- x) positive). rewrite opp_IZR.
    replace ((step * - IZR (Int_part (- x / step))) ^ 2) with ((step * IZR (Int_part (- x / step))) ^ 2) by ring.
    replace (x ^ 2) with ((- x) ^ 2) by ring. apply pow_incr. split; [| lra].
    apply Rmult_le_pos; [lra | apply floor_nonnegative, quotient_nonnegative; lra].
Qed.
Lemma nearest_slips step x : 0 < step -> Rabs (nearest step x - x) <= step / 2.
Proof.
  intro positive. unfold nearest. pose proof (below_a_step step (x + step / 2) positive) as H.
  replace ((x + step / 2) / step) with (x / step + 1 / 2) in H by (field; lra). apply Rabs_le. lra.
Qed.
Lemma nearest_moves step x y : 0 < step -> Rabs (nearest step x - nearest step y) <= Rabs (x - y) + step.
Proof.
  intro positive. pose proof (nearest_slips step x positive). pose proof (nearest_slips step y positive).
  replace (nearest step x - nearest step y) with ((nearest step x - x) + ((x - y) - (nearest step y - y))) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. pose proof (Rabs_triang (x - y) (- (nearest step y - y))) as T.
  rewrite Rabs_Ropp in T. unfold Rminus in *. lra.
Qed.
Lemma nearest_grows step x y : 0 < step -> x <= y -> nearest step x <= nearest step y.
Proof.
  intros positive order. unfold nearest. apply Rmult_le_compat_l; [lra |]. apply IZR_le.
  destruct (base_Int_part (x / step + 1 / 2)) as [below _]. destruct (base_Int_part (y / step + 1 / 2)) as [_ above].
  assert (x / step <= y / step) by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, positive | exact order]).
  apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra.
Qed.
Lemma nearest_shifted step x (k : Z) : 0 < step -> nearest step (x + step * IZR k) = nearest step x + step * IZR k.
Proof.
  intro positive. unfold nearest.
  replace ((x + step * IZR k) / step + 1 / 2) with (x / step + 1 / 2 + IZR k) by (field; lra).
  set (y := x / step + 1 / 2). destruct (base_Int_part y) as [below above].
  replace (Int_part (y + IZR k)) with (Int_part y + k)%Z; [rewrite plus_IZR; ring |].
  enough (Int_part y + k + 1 = up (y + IZR k))%Z by (unfold Int_part at 2; lia).
  apply tech_up; rewrite !plus_IZR; lra.
Qed.

(* rounded: numbers that are a whole multiple of the granularity apart stay so near... *)
Theorem rounded granularity d_in :
  0 < granularity -> on_grid granularity d_in ->
  stable (absolute d_in) (nearest granularity) (restricted (on_grid granularity) (absolute d_in)).
Proof.
  intros positive [k ->] x y near. repeat split; try apply (rounded_to_grid to_the_nearest). unfold absolute in *.
  assert (X : x <= y + granularity * IZR k) by (pose proof (Rle_abs (x - y)); lra).
  assert (Y : y <= x + granularity * IZR k) by (rewrite Rabs_minus_sym in near; pose proof (Rle_abs (y - x)); lra).
  apply (nearest_grows granularity _ _ positive) in X. apply (nearest_grows granularity _ _ positive) in Y.
  rewrite nearest_shifted in X, Y by exact positive. apply Rabs_le. lra.
Qed.
(* ... each coordinate of a vector too; in L1 and L2 each coordinate moves less than one step further. *)
Theorem rounded_linf dimension granularity d_in :
  0 < granularity -> on_grid granularity d_in ->
  stable (linf dimension d_in) (fun v j => nearest granularity (v j))
         (restricted (vector_on_grid dimension granularity) (linf dimension d_in)).
Proof.
  intros positive grid x y [N near]. repeat split; try (intros j _; apply (rounded_to_grid to_the_nearest));
    [exact N |].
  intros j J. apply (rounded granularity d_in positive grid (x j) (y j)). apply near, J.
Qed.
Theorem rounded_l1 dimension granularity d_in :
  0 < granularity ->
  stable (l1 dimension d_in) (fun v j => nearest granularity (v j))
         (restricted (vector_on_grid dimension granularity) (l1 dimension (d_in + INR dimension * granularity))).
Proof.
  intros positive x y near. repeat split; try (intros j _; apply (rounded_to_grid to_the_nearest)). unfold l1 in *.
  rewrite <- total_constant. eapply Rle_trans; [apply total_le; intros j _; apply (nearest_moves _ _ _ positive) |].
  rewrite total_sum. lra.
Qed.
Lemma norm_constant dimension c : 0 <= c -> norm dimension (fun _ => c) = sqrt (INR dimension) * c.
Proof.
  intro C. unfold norm. rewrite total_constant, sqrt_mult by (apply pos_INR || apply pow2_ge_0).
  rewrite sqrt_pow2 by exact C. reflexivity.
Qed.
Lemma norm_le dimension u v : (forall j, (j < dimension)%nat -> Rabs (u j) <= v j) ->
  norm dimension u <= norm dimension v.
Proof.
  intro H. apply sqrt_le_1_alt, total_le. intros j J. rewrite <- pow2_abs. apply pow_incr.
  split; [apply Rabs_pos | apply H, J].
Qed.
Lemma norm_of_absolute dimension v : norm dimension (fun j => Rabs (v j)) = norm dimension v.
Proof. unfold norm. f_equal. apply total_same. intros. apply pow2_abs. Qed.
Theorem rounded_l2 dimension granularity d_in :
  0 < granularity ->
  stable (l2 dimension d_in) (fun v j => nearest granularity (v j))
         (restricted (vector_on_grid dimension granularity) (l2 dimension (d_in + sqrt (INR dimension) * granularity))).
Proof.
  intros positive x y near.
  split; [intros j _; apply (rounded_to_grid to_the_nearest) |].
  split; [intros j _; apply (rounded_to_grid to_the_nearest) |].
  apply l2_by_norm in near. apply l2_by_norm. rewrite <- (norm_constant dimension granularity) by lra.
  eapply Rle_trans; [apply (norm_le _ _ (fun j => Rabs (difference x y j) + granularity)) |].
  - intros j _. apply nearest_moves, positive.
  - eapply Rle_trans; [apply norm_triangle |]. rewrite norm_of_absolute. lra.
Qed.
(* Prices to the cent: a euro apart they stay. *)
Example prices_are_rounded : stable (absolute 1) (nearest (1 / 100)) (restricted (on_grid (1 / 100)) (absolute 1)).
Proof. apply rounded; [lra |]. exists 100%Z. lra. Qed.

(** * Rescaled rows: clipping in every dimension *)

(* A vector of so many layers, each of so many entries: each layer is multiplied by a factor of its square and of a root
   of that, and each entry is rounded to the grid. *)
Definition square_of_layer (size : nat) (v : vector) (layer : nat) :=
  total size (fun k => v (layer * size + k)%nat ^ 2).
Definition scaled (size : nat) (factor : R -> R -> R) (root_above : R -> R) (v : vector) : vector := fun j =>
  let square := square_of_layer size v (j / size) in factor square (root_above square) * v j.
Definition rescaled (way : rounding) (granularity : R) size factor root_above (v : vector) : vector := fun j =>
  rounded_to way granularity (scaled size factor root_above v j).
(* How long such a vector is at most. *)
Definition rescaled_length (way : rounding) (layers size : nat) (granularity reach : R) :=
  sqrt (INR layers) * reach +
  match way with towards_zero => 0 | to_the_nearest => sqrt (INR (layers * size)) * (granularity / 2) end.

Lemma sum_of_multiple {Row : Type} (c : R) (contribution : Row -> R) u :
  sum_of (fun row => contribution row * c) u = sum_of contribution u * c.
Proof. induction u as [| row u IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma every_row {Row : Type} (u : table Row) : table_of (fun _ => True) u.
Proof. induction u; constructor; auto. Qed.
Lemma norm_difference_symmetric dimension u v : norm dimension (difference u v) = norm dimension (difference v u).
Proof. rewrite <- norm_opposite. apply norm_same. intros. unfold difference. ring. Qed.
Lemma norm_difference dimension u v : norm dimension (difference u v) <= norm dimension u + norm dimension v.
Proof.
  rewrite <- (norm_opposite dimension v). eapply Rle_trans; [| apply norm_triangle]. right. apply norm_same.
  intros. unfold difference. ring.
Qed.
(* factor_keeps_the_square follows where the factor keeps the root: square_follows_the_root. *)
Lemma square_follows_the_root factor square root length :
  0 <= square -> 0 <= root -> square <= root ^ 2 -> Rabs factor * root <= length -> factor ^ 2 * square <= length ^ 2.
Proof.
  intros S R_ above kept. apply Rle_trans with (factor ^ 2 * root ^ 2).
  - apply Rmult_le_compat_l; [apply pow2_ge_0 | exact above].
  - rewrite <- (pow2_abs factor), <- Rpow_mult_distr. apply pow_incr. split; [| exact kept].
    apply Rmult_le_pos; [apply Rabs_pos | exact R_].
Qed.

Section rescaled_rows.
  Context (n : neighbours) (way : rounding) (layers size : nat) (granularity reach divisor d_in : R).
  Context (factor : R -> R -> R) (root_above : R -> R).
  Hypothesis granularity_is_positive : 0 < granularity.
  Hypothesis root_is_above :
    forall square, 0 <= square -> 0 <= root_above square /\ square <= root_above square ^ 2.
  Hypothesis reach_is_not_negative : 0 <= reach.
  Hypothesis divisor_is_positive : 0 < divisor.
  Hypothesis factor_keeps_the_square : forall square root,
    0 <= square -> 0 <= root -> square <= root ^ 2 -> factor square root ^ 2 * square <= reach ^ 2.

  Let dimension := (layers * size)%nat.
  Let image := rescaled way granularity size factor root_above.
  Let length_ := rescaled_length way layers size granularity reach.

  Lemma scaled_is_short v : norm dimension (scaled size factor root_above v) <= sqrt (INR layers) * reach.
  Proof.
    apply norm_at_most; [apply Rmult_le_pos; [apply sqrt_pos | exact reach_is_not_negative] |].
    rewrite Rpow_mult_distr, pow2_sqrt by apply pos_INR. unfold dimension. rewrite total_blocks, <- total_constant.
    apply total_le. intros i _. set (square := square_of_layer size v i).
    assert (positive : 0 <= square) by (apply total_nonnegative; intros; apply pow2_ge_0).
    destruct (root_is_above square positive) as [R_ above].
    eapply Rle_trans; [| exact (factor_keeps_the_square square (root_above square) positive R_ above)].
    right. rewrite <- (total_multiple size _ (fun k => v (i * size + k)%nat ^ 2) : _ = _ * square).
    apply total_same. intros k K.
    unfold scaled. destruct (place_in_blocks size i k K) as [-> _]. fold square. ring.
  Qed.
  Lemma rescaled_is_short v : norm dimension (image v) <= length_.
  Proof.
    pose proof (scaled_is_short v) as short. unfold length_, rescaled_length, image, rescaled.
    destruct way; simpl.
    - rewrite Rplus_0_r. eapply Rle_trans; [apply sqrt_le_1_alt, total_le | exact short].
      intros j _. apply truncated_is_shorter, granularity_is_positive.
    - pose proof (norm_triangle dimension (scaled size factor root_above v)
        (fun j => nearest granularity (scaled size factor root_above v j) - scaled size factor root_above v j)) as T.
      rewrite (norm_same dimension _ (fun j => nearest granularity (scaled size factor root_above v j))) in T
        by (intros; ring).
      assert (norm dimension (fun j => nearest granularity (scaled size factor root_above v j)
                - scaled size factor root_above v j) <= sqrt (INR dimension) * (granularity / 2)).
      { rewrite <- norm_constant by lra. apply norm_le. intros. apply nearest_slips, granularity_is_positive. }
      fold dimension. lra.
  Qed.
  Lemma length_nonnegative : 0 <= length_.
  Proof. eapply Rle_trans; [apply norm_nonnegative | apply (rescaled_is_short (fun _ => 0))]. Qed.
  Lemma divided_is_short v : norm dimension (fun j => image v j / divisor) <= length_ / divisor.
  Proof.
    assert (positive : 0 < / divisor) by (apply Rinv_0_lt_compat, divisor_is_positive).
    rewrite (norm_same _ _ (fun j => / divisor * image v j)) by (intros; unfold Rdiv; ring).
    rewrite norm_multiple, Rabs_right by lra. unfold Rdiv. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [lra | apply rescaled_is_short].
  Qed.
  Lemma image_on_grid v j : on_grid granularity (image v j).
  Proof. apply rounded_to_grid. Qed.

  (* How far one edit moves the sum at most. *)
  Definition far_by_one (length : R) := match n with add_remove => length | replace_one => 2 * length end.

  (* rescaled_rows: the sum of the rows, each rescaled to a length, over a public number. *)
  Theorem rescaled_rows :
    stable (edits n d_in) (fun u j => vector_sum image u j / divisor)
           (restricted (vector_on_grid dimension (granularity / divisor))
                       (l2 dimension (d_in * far_by_one (length_ / divisor)))).
  Proof.
    assert (grid : forall u,
      vector_on_grid dimension (granularity / divisor) (fun j => vector_sum image u j / divisor)).
    { intros u j _. apply quotient_on_grid. apply (sum_of_on_grid (fun _ => True));
      auto using every_row, image_on_grid. }
    intros u v near. split; [apply grid | split; [apply grid | apply l2_by_norm]].
    rewrite (norm_same _ _ (difference (vector_sum (fun v j => image v j / divisor) u)
                                       (vector_sum (fun v j => image v j / divisor) v)))
      by (intros; unfold difference, vector_sum, Rdiv; rewrite !sum_of_multiple; reflexivity).
    assert (positive : 0 <= length_ / divisor) by (apply quotient_nonnegative; auto using length_nonnegative).
    apply (edits_and_sums n (fun _ => True)); [apply seminorm_l2 | | | repeat split; auto using every_row].
    - unfold far_by_one. destruct n; lra.
    - intros row other _ _. pose proof (divided_is_short row). pose proof (divided_is_short other).
      unfold far_by_one. destruct n; simpl; [assumption |]. eapply Rle_trans; [apply norm_difference | lra].
  Qed.

  (* rescaled_rows, where the sum of the rows is rescaled in their place. *)
  Theorem rescaled_rows_total :
    stable (edits n d_in) (fun u j => image (vector_sum (fun v => v) u) j / divisor)
           (restricted (vector_on_grid dimension (granularity / divisor))
                       (l2 dimension (d_in * (2 * (length_ / divisor))))).
  Proof.
    intros u v near.
    split; [intros j _; apply quotient_on_grid, image_on_grid |].
    split; [intros j _; apply quotient_on_grid, image_on_grid | apply l2_by_norm].
    pose (T := fun (u : table vector) j => image (vector_sum (fun v => v) u) j / divisor).
    assert (positive : 0 <= length_ / divisor) by (apply quotient_nonnegative; auto using length_nonnegative).
    assert (any : forall u v, norm dimension (difference (T u) (T v)) <= 2 * (length_ / divisor)).
    { intros a b. eapply Rle_trans; [apply norm_difference |].
      pose proof (divided_is_short (vector_sum (fun v => v) a)).
      pose proof (divided_is_short (vector_sum (fun v => v) b)).
      unfold T. lra. }
    assert (P : forall u v, table_of (fun _ => True) u -> table_of (fun _ => True) v -> Permutation u v ->
              norm dimension (difference (T u) (T v)) <= 0).
    { intros a b _ _ H. right. apply norm_zero. intros j _. unfold difference, T. apply Rminus_diag_eq. f_equal.
      unfold image, rescaled, scaled. f_equal.
      assert (same : forall i, vector_sum (fun v => v) a i = vector_sum (fun v => v) b i)
        by (intro i; apply sum_of_reordered, H).
      assert (squares : square_of_layer size (vector_sum (fun v => v) a) (j / size) =
                        square_of_layer size (vector_sum (fun v => v) b) (j / size))
        by (apply total_same; intros; rewrite same; reflexivity).
      rewrite squares, same. reflexivity. }
    assert (N : restricted (table_of (fun _ => True)) (edits n d_in) u v) by (repeat split; auto using every_row).
    destruct n; revert u v near N.
    - intros u v _. apply (many_edits (fun _ => True) (fun a b => norm dimension (difference a b)) T); auto; try lra.
      intros. apply norm_difference_triangle.
    - intros u v _. apply (many_replacements (fun _ => True) (fun a b => norm dimension (difference a b)) T); auto;
        try lra.
      intros. apply norm_difference_triangle.
  Qed.

  (* rescaled_rows, of averages over the private number of rows, or over 1 where there is none. *)
  Definition average (u : table vector) : vector := fun j => vector_sum image u j / INR (Nat.max 1 (length u)).
  Lemma sum_is_short u : norm dimension (vector_sum image u) <= INR (length u) * length_.
  Proof.
    induction u as [| row u IH].
    - right. simpl. rewrite Rmult_0_l. apply norm_zero. reflexivity.
    - change (length (row :: u)) with (S (length u)). rewrite S_INR.
      change (norm dimension (fun j => image row j + vector_sum image u j) <= (INR (length u) + 1) * length_).
      eapply Rle_trans; [apply norm_triangle |]. pose proof (rescaled_is_short row). lra.
  Qed.
  Lemma average_after_a_row row u : norm dimension (difference (average u) (average (row :: u))) <= length_.
  Proof.
    destruct u as [| first rest].
    - rewrite <- norm_opposite. rewrite (norm_same _ _ (image row)); [apply rescaled_is_short |].
      intros. unfold difference, average, vector_sum. simpl. field.
    - set (u := first :: rest). set (m := INR (length u)).
      assert (M : 1 <= m) by (unfold m, u; change (length (first :: rest)) with (S (length rest)); rewrite S_INR;
                              pose proof (pos_INR (length rest)); lra).
      assert (m0 : INR (Nat.max 1 (length u)) = m) by reflexivity.
      assert (m1 : INR (Nat.max 1 (length (row :: u))) = m + 1).
      { change (Nat.max 1 (length (row :: u))) with (S (length u)). apply S_INR. }
      rewrite (norm_same _ _ (fun j => / (m * (m + 1)) * difference (vector_sum image u) (fun j => m * image row j) j)).
      + rewrite norm_multiple, Rabs_right by (apply Rle_ge; left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
        pose proof (norm_difference dimension (vector_sum image u) (fun j => m * image row j)) as D.
        rewrite norm_multiple, (Rabs_right m) in D by lra.
        pose proof (sum_is_short u) as U. fold m in U. pose proof (rescaled_is_short row) as R_.
        pose proof length_nonnegative.
        assert (m * norm dimension (image row) <= m * length_) by (apply Rmult_le_compat_l; lra).
        apply Rle_trans with (/ (m * (m + 1)) * (2 * m * length_)).
        * apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra | lra].
        * replace (/ (m * (m + 1)) * (2 * m * length_)) with (2 / (m + 1) * length_) by (field; lra).
          rewrite <- (Rmult_1_l length_) at 2. apply Rmult_le_compat_r; [assumption |].
          apply (Rmult_le_reg_r (m + 1)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
      + intros j _. unfold difference, average. rewrite m0, m1.
        replace (vector_sum image (row :: u) j) with (image row j + vector_sum image u j) by reflexivity. field. lra.
  Qed.
  Theorem rescaled_rows_average : stable (edits n d_in) average (l2 dimension (d_in * far_by_one length_)).
  Proof.
    pose proof length_nonnegative as positive.
    assert (P : forall u v, table_of (fun _ => True) u -> table_of (fun _ => True) v -> Permutation u v ->
              norm dimension (difference (average u) (average v)) <= 0).
    { intros a b _ _ H. right. apply norm_zero. intros j _. unfold difference, average, vector_sum.
      rewrite (sum_of_reordered _ _ _ H), (Permutation_length H). ring. }
    intros u v near. apply l2_by_norm. unfold far_by_one.
    assert (N : restricted (table_of (fun _ => True)) (edits n d_in) u v) by (repeat split; auto using every_row).
    destruct n; revert u v near N.
    - intros u v _. apply (many_edits (fun _ => True) (fun a b => norm dimension (difference a b)) average); auto.
      + intros. apply norm_difference_triangle.
      + intros row w _ _. split; [| rewrite norm_difference_symmetric]; apply average_after_a_row.
    - intros u v _. apply (many_replacements (fun _ => True) (fun a b => norm dimension (difference a b)) average);
        auto.
      + intros. apply norm_difference_triangle.
      + lra.
      + intros row other w _ _ _. set (m := INR (S (length w))).
        assert (M : 1 <= m) by (unfold m; rewrite S_INR; pose proof (pos_INR (length w)); lra).
        rewrite (norm_same _ _ (fun j => / m * difference (image row) (image other) j)).
        * rewrite norm_multiple, Rabs_right by (apply Rle_ge; left; apply Rinv_0_lt_compat; lra).
          pose proof (norm_difference dimension (image row) (image other)) as D. pose proof (rescaled_is_short row).
          pose proof (rescaled_is_short other). pose proof (norm_nonnegative dimension
            (difference (image row) (image other))).
          assert (/ m <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
          apply Rle_trans with (1 * norm dimension (difference (image row) (image other))); [| lra].
          apply Rmult_le_compat_r; assumption.
        * intros j _. unfold difference, average.
          replace (INR (Nat.max 1 (length (row :: w)))) with m by reflexivity.
          replace (INR (Nat.max 1 (length (other :: w)))) with m by reflexivity.
          unfold vector_sum. simpl. field. lra.
  Qed.
End rescaled_rows.

Section moments.
  Context (n : neighbours) (dimension : nat) (granularity reach d_in : R).
  Context (factor : R -> R -> R) (root_above : R -> R).
  Hypothesis granularity_is_positive : 0 < granularity.
  Hypothesis root_is_above :
    forall square, 0 <= square -> 0 <= root_above square /\ square <= root_above square ^ 2.
  Hypothesis reach_is_not_negative : 0 <= reach.
  Hypothesis factor_keeps_the_square : forall square root,
    0 <= square -> 0 <= root -> square <= root ^ 2 -> factor square root ^ 2 * square <= reach ^ 2.

  (* z z^T, row by row. *)
  Let image := rescaled towards_zero granularity dimension factor root_above.
  Definition moment (row : vector) : vector := fun i => image row (i / dimension)%nat * image row (i mod dimension)%nat.

  Lemma moments_differ (z w : vector) :
    total (dimension * dimension)
      (fun i =>
        (z (i / dimension)%nat * z (i mod dimension)%nat - w (i / dimension)%nat * w (i mod dimension)%nat) ^ 2) =
    total dimension (fun j => z j ^ 2) ^ 2 + total dimension (fun j => w j ^ 2) ^ 2 - 2 * inner dimension z w ^ 2.
  Proof.
    rewrite total_blocks.
    set (zz := total dimension (fun j => z j ^ 2)). set (ww := total dimension (fun j => w j ^ 2)).
    set (zw := inner dimension z w).
    rewrite (total_same dimension _ (fun i => zz * z i ^ 2 + ww * w i ^ 2 + (-2 * zw) * (z i * w i))).
    - rewrite !total_sum, !total_multiple. fold zz ww. change (total dimension (fun j => z j * w j)) with zw. ring.
    - intros i _.
      rewrite (total_same dimension _
        (fun k => z i ^ 2 * z k ^ 2 + w i ^ 2 * w k ^ 2 + (-2 * (z i * w i)) * (z k * w k))).
      + rewrite !total_sum, !total_multiple. fold zz ww. change (total dimension (fun j => z j * w j)) with zw. ring.
      + intros k K. destruct (place_in_blocks dimension i k K) as [-> ->]. ring.
  Qed.
  Lemma image_square v : 0 <= total dimension (fun j => image v j ^ 2) <= reach ^ 2.
  Proof.
    split; [apply squares_nonnegative |]. rewrite <- norm_squared. apply pow_incr. split; [apply norm_nonnegative |].
    pose proof (rescaled_is_short towards_zero 1 dimension granularity reach factor root_above granularity_is_positive
                  root_is_above reach_is_not_negative factor_keeps_the_square v) as H.
    unfold rescaled_length in H. change (INR 1) with 1 in H. rewrite Nat.mul_1_l, sqrt_1 in H. fold image in H. lra.
  Qed.
  (* rescaled_rows, of moments: the sum of z z^T over the rescaled rows z. *)
  Theorem rescaled_rows_moments :
    stable (edits n d_in) (vector_sum moment)
      (restricted (vector_on_grid (dimension * dimension) (granularity * granularity))
        (l2 (dimension * dimension)
            (d_in * match n with add_remove => reach ^ 2 | replace_one => sqrt 2 * reach ^ 2 end))).
  Proof.
    assert (grid : forall u, vector_on_grid (dimension * dimension) (granularity * granularity) (vector_sum moment u)).
    { intros u i _. apply (sum_of_on_grid (fun _ => True)); [| apply every_row].
      intros. apply product_on_grid; apply (rounded_to_grid towards_zero). }
    pose proof (pow2_ge_0 reach) as R_. pose proof (sqrt_pos 2) as two.
    intros u v near. split; [apply grid | split; [apply grid | apply l2_by_norm]].
    apply (edits_and_sums n (fun _ => True)); [apply seminorm_l2 | | | repeat split; auto using every_row].
    - destruct n; [exact R_ | apply Rmult_le_pos; assumption].
    - intros row other _ _. pose proof (image_square row) as A. pose proof (image_square other) as B.
      destruct n; simpl moved_in; apply norm_at_most; try (exact R_ || apply Rmult_le_pos; assumption).
      + pose proof (moments_differ (image row) (fun _ => 0)) as D. unfold inner in D.
        rewrite (total_nothing dimension (fun j => image row j * 0)) in D by (intros; ring).
        rewrite (total_nothing dimension (fun _ => 0 ^ 2)) in D by (intros; ring).
        rewrite (total_same _ _ (fun i => moment row i ^ 2)) in D by (intros; unfold moment; ring).
        rewrite D. replace (_ ^ 2 + 0 ^ 2 - 2 * 0 ^ 2) with (total dimension (fun j => image row j ^ 2) ^ 2) by ring.
        apply pow_incr. exact A.
      + rewrite (total_same _ _ (fun i => (image row (i / dimension)%nat * image row (i mod dimension)%nat -
          image other (i / dimension)%nat * image other (i mod dimension)%nat) ^ 2)) by (intros; reflexivity).
        rewrite moments_differ, Rpow_mult_distr, pow2_sqrt by lra.
        pose proof (pow2_ge_0 (inner dimension (image row) (image other))).
        pose proof (pow_incr _ _ 2 A). pose proof (pow_incr _ _ 2 B). lra.
  Qed.
End moments.

(* Clipping: v goes to C v / max(C, |v|), which is never longer than C. *)
Definition clipping (C square root : R) := C / Rmax C root.
Lemma clipping_keeps_the_square C square root :
  0 < C -> 0 <= square -> 0 <= root -> square <= root ^ 2 -> clipping C square root ^ 2 * square <= C ^ 2.
Proof.
  intros positive S R_ above. apply (square_follows_the_root _ _ root); try assumption. unfold clipping.
  pose proof (Rmax_l C root). pose proof (Rmax_r C root).
  rewrite Rabs_right by (apply Rle_ge, quotient_nonnegative; lra).
  apply (Rmult_le_reg_r (Rmax C root)); [lra |].
  replace (C / Rmax C root * root * Rmax C root) with (C * root) by (field; lra). apply Rmult_le_compat_l; lra.
Qed.
Example clipped_sum_is_stable dimension d_in :
  stable (edits add_remove d_in)
    (fun u j => vector_sum (rescaled towards_zero (1 / 1024) dimension (clipping 5) sqrt) u j / 1)
    (restricted (vector_on_grid (1 * dimension) (1 / 1024 / 1))
                (l2 (1 * dimension) (d_in * (rescaled_length towards_zero 1 dimension (1 / 1024) 5 / 1)))).
Proof.
  apply (rescaled_rows add_remove); try lra.
  - intros square S. split; [apply sqrt_pos | rewrite pow2_sqrt; lra].
  - intros. apply clipping_keeps_the_square; lra.
Qed.

(** * Linear maps *)

(* C x, for a matrix of so many columns. *)
Definition matrix := nat -> nat -> R.
Definition linear (columns : nat) (C : matrix) (x : vector) : vector := fun i => total columns (fun j => C i j * x j).

Lemma linear_on_grid rows columns granularity step C x :
  (forall i j, (i < rows)%nat -> (j < columns)%nat -> on_grid step (C i j)) ->
  vector_on_grid columns granularity x -> vector_on_grid rows (granularity * step) (linear columns C x).
Proof.
  intros entries X i I. apply total_on_grid. intros j J. rewrite Rmult_comm.
  apply product_on_grid; [apply entries; assumption | apply X, J].
Qed.
Lemma linear_of_a_difference columns C x y i :
  difference (linear columns C x) (linear columns C y) i = linear columns C (difference x y) i.
Proof.
  unfold difference, linear. rewrite <- total_difference. apply total_same. intros. ring.
Qed.

(* A sum of multiples of columns, in a seminorm. *)
Lemma seminorm_of_columns (N : vector -> R) columns (C : matrix) z bound :
  seminorm N -> (forall c v, N (fun j => c * v j) = Rabs c * N v) ->
  (forall j, (j < columns)%nat -> N (fun i => C i j) <= bound) ->
  N (linear columns C z) <= total columns (fun j => Rabs (z j)) * bound.
Proof.
  intros (triangle & _ & same & zero) multiple column. induction columns as [| columns IH].
  - simpl. rewrite (same _ (fun _ => 0)) by reflexivity. lra.
  - rewrite (same _ (fun i => linear columns C z i + z columns * C i columns)) by (intro; unfold linear; simpl; ring).
    eapply Rle_trans; [apply triangle |]. rewrite multiple. simpl. rewrite Rmult_plus_distr_r.
    apply Rplus_le_compat; [apply IH; intros; apply column; lia |].
    apply Rmult_le_compat_l; [apply Rabs_pos | apply column; lia].
Qed.
Lemma multiple_of_l1 dimension c v :
  total dimension (fun j => Rabs (c * v j)) = Rabs c * total dimension (fun j => Rabs (v j)).
Proof. rewrite <- total_multiple. apply total_same. intros. apply Rabs_mult. Qed.

(* |C z|^2 is z^T (C^T C) z. *)
Lemma form_of_columns rows columns C z :
  total rows (fun i => linear columns C z i ^ 2) =
  total columns (fun j => total columns (fun k => z j * z k * total rows (fun i => C i j * C i k))).
Proof.
  transitivity (total rows (fun i => total columns (fun j => total columns (fun k => z j * z k * (C i j * C i k))))).
  - apply total_same. intros i _. unfold linear at 1. simpl pow. rewrite Rmult_1_r.
    rewrite <- (total_multiple columns _ (fun j => C i j * z j)). apply total_same. intros j _.
    rewrite Rmult_comm. unfold linear. rewrite <- total_multiple. apply total_same. intros k _. ring.
  - rewrite total_swap. apply total_same. intros j _. rewrite total_swap. apply total_same. intros k _.
    apply total_multiple.
Qed.

(* Vectors of which one coordinate differs by at most d are at most d apart in L1. *)
Lemma one_coordinate_in_l1 dimension d u v : one_coordinate dimension d u v -> l1 dimension d u v.
Proof.
  intros [[D near] [i rest]]. unfold l1. destruct (Nat.lt_ge_cases i dimension) as [I | I].
  - rewrite (total_one dimension i); [apply near, I | exact I |].
    intros j J other. rewrite (rest j J other). rewrite Rminus_eq_0. apply Rabs_R0.
  - rewrite total_nothing; [exact D |]. intros j J. rewrite (rest j J ltac:(lia)), Rminus_eq_0. apply Rabs_R0.
Qed.

(* Who changes which entries of a stream: those that differ, each by at most d, lie in one set of a family. *)
Definition changed_within (family : (nat -> bool) -> Prop) (dimension : nat) (d : R) (x y : vector) :=
  linf dimension d x y /\
  exists positions, family positions /\ forall j, (j < dimension)%nat -> positions j = false -> x j = y j.
(* every position, and those of a window of so many consecutive ones *)
Definition all_positions (positions : nat -> bool) := forall j, positions j = true.
Definition window (width : nat) (positions : nat -> bool) :=
  exists start, forall j, positions j = true <-> (start <= j < start + width)%nat.
(* at most so many positions, all of them a multiple of the gap apart; or any two of them at least the gap apart *)
Definition spaced (most gap : nat) (positions : nat -> bool) :=
  exists start, forall j, positions j = true <-> exists m, (m < most)%nat /\ j = (start + m * gap)%nat.
Fixpoint counted (positions : nat -> bool) (n : nat) : nat :=
  match n with O => O | S n => (if positions n then 1 else 0) + counted positions n end.
Definition apart (most gap : nat) (positions : nat -> bool) :=
  (forall n, (counted positions n <= most)%nat) /\
  forall j k, positions j = true -> positions k = true -> (j < k)%nat -> (j + gap <= k)%nat.
(* A corner: each position has a sign, and elsewhere there is nothing. *)
Definition corner (columns : nat) (positions : nat -> bool) (s : vector) :=
  forall j, (j < columns)%nat -> if positions j then s j = 1 \/ s j = -1 else s j = 0.

Section linear_map.
  Context (rows columns : nat) (C : matrix) (granularity step d_in bound : R).
  Hypothesis entries_are_multiples :
    forall i j, (i < rows)%nat -> (j < columns)%nat -> on_grid step (C i j).
  Let inputs := vector_on_grid columns granularity.
  Let outputs := vector_on_grid rows (granularity * step).
  Hypothesis bound_is_not_negative : 0 <= bound.

  (* linear_map from L1: no column is longer than the bound, in L1... *)
  Theorem linear_map :
    (forall j, (j < columns)%nat -> total rows (fun i => Rabs (C i j)) <= bound) ->
    stable (restricted inputs (l1 columns d_in)) (linear columns C) (restricted outputs (l1 rows (d_in * bound))).
  Proof.
    intros column x y (X & Y & near).
    repeat split; try (eapply linear_on_grid; eauto; fail). unfold l1 in *.
    rewrite (total_same _ _ (fun i => Rabs (linear columns C (difference x y) i)))
      by (intros; rewrite <- linear_of_a_difference; reflexivity).
    eapply Rle_trans; [apply (seminorm_of_columns (fun v => total rows (fun i => Rabs (v i)))) |].
    - apply seminorm_l1.
    - apply multiple_of_l1.
    - exact column.
    - apply Rmult_le_compat_r; [exact bound_is_not_negative | exact near].
  Qed.
  (* ... or in L2, where the bound is that of the square. *)
  Theorem linear_map_l2 :
    (forall j, (j < columns)%nat -> total rows (fun i => C i j ^ 2) <= bound) ->
    stable (restricted inputs (l1 columns d_in)) (linear columns C) (restricted outputs (l2 rows (d_in * sqrt bound))).
  Proof.
    intros column x y (X & Y & near).
    split; [eapply linear_on_grid; eauto | split; [eapply linear_on_grid; eauto | apply l2_by_norm]].
    rewrite (norm_same _ _ (linear columns C (difference x y))) by (intros; apply linear_of_a_difference).
    eapply Rle_trans; [apply (seminorm_of_columns (norm rows)) |].
    - apply seminorm_l2.
    - apply norm_multiple.
    - intros j J. apply sqrt_le_1_alt, column, J.
    - apply Rmult_le_compat_r; [apply sqrt_pos | exact near].
  Qed.
  (* linear_map where one coordinate differs: it is no farther in L1. *)
  Theorem linear_map_one_coordinate :
    (forall j, (j < columns)%nat -> total rows (fun i => Rabs (C i j)) <= bound) ->
    stable (restricted inputs (one_coordinate columns d_in)) (linear columns C)
           (restricted outputs (l1 rows (d_in * bound))).
  Proof.
    intros column x y (X & Y & near). apply linear_map; [exact column |]. repeat split; auto using one_coordinate_in_l1.
  Qed.
  Theorem linear_map_one_coordinate_l2 :
    (forall j, (j < columns)%nat -> total rows (fun i => C i j ^ 2) <= bound) ->
    stable (restricted inputs (one_coordinate columns d_in)) (linear columns C)
           (restricted outputs (l2 rows (d_in * sqrt bound))).
  Proof.
    intros column x y (X & Y & near). apply linear_map_l2; [exact column |].
    repeat split; auto using one_coordinate_in_l1.
  Qed.
  (* linear_map from L2 to L2: bound I - C^T C is positive semidefinite. *)
  Theorem linear_map_l2_to_l2 :
    (forall z : vector, 0 <= total columns (fun j => total columns (fun k =>
       z j * ((if Nat.eqb j k then bound else 0) - total rows (fun i => C i j * C i k)) * z k))) ->
    stable (restricted inputs (l2 columns d_in)) (linear columns C) (restricted outputs (l2 rows (d_in * sqrt bound))).
  Proof.
    intros semidefinite x y (X & Y & near).
    split; [eapply linear_on_grid; eauto | split; [eapply linear_on_grid; eauto | apply l2_by_norm]].
    rewrite (norm_same _ _ (linear columns C (difference x y))) by (intros; apply linear_of_a_difference).
    apply l2_by_norm in near. set (z := difference x y) in *. specialize (semidefinite z).
    assert (form : total columns (fun j => total columns (fun k =>
              z j * ((if Nat.eqb j k then bound else 0) - total rows (fun i => C i j * C i k)) * z k)) =
            bound * total columns (fun j => z j ^ 2) - total rows (fun i => linear columns C z i ^ 2)).
    { rewrite form_of_columns, <- total_multiple, <- total_difference. apply total_same. intros j J.
      rewrite (total_same columns _ (fun k => (if Nat.eqb j k then bound * z j ^ 2 else 0) +
        -1 * (z j * z k * total rows (fun i => C i j * C i k)))).
      - rewrite total_sum, total_multiple. rewrite (total_one columns j (fun k => if Nat.eqb j k then _ else _)).
        + rewrite Nat.eqb_refl. ring.
        + exact J.
        + intros k _ other. destruct (Nat.eqb_spec j k); [congruence | reflexivity].
      - intros k _. destruct (Nat.eqb_spec j k) as [-> |]; ring. }
    rewrite form in semidefinite. apply norm_at_most.
    - pose proof (norm_nonnegative columns z). apply Rmult_le_pos; [lra | apply sqrt_pos].
    - rewrite Rpow_mult_distr, pow2_sqrt by exact bound_is_not_negative. rewrite <- norm_squared in semidefinite.
      pose proof (pow_incr _ d_in 2 (conj (norm_nonnegative columns z) near)).
      pose proof (Rmult_le_compat_l bound _ _ bound_is_not_negative H). lra.
  Qed.

  (* A convex distance is greatest at a corner. *)
  Lemma greatest_at_a_corner (N : vector -> R) positions K (z : vector) :
    seminorm N -> (forall c v, N (fun j => c * v j) = Rabs c * N v) ->
    (forall s, corner columns positions s -> N (linear columns C s) <= K) -> 0 <= d_in ->
    (forall j, (j < columns)%nat -> Rabs (z j) <= d_in) ->
    (forall j, (j < columns)%nat -> positions j = false -> z j = 0) ->
    N (linear columns C z) <= d_in * K.
  Proof.
    intros (triangle & _ & same & _) multiple at_corners D box elsewhere.
    enough (claim : forall m, (m <= columns)%nat -> forall z : vector,
              (forall j, (j < columns)%nat -> Rabs (z j) <= d_in) ->
              (forall j, (j < columns)%nat -> positions j = false -> z j = 0) ->
              (forall j, (m <= j < columns)%nat -> positions j = true -> z j = d_in \/ z j = - d_in) ->
              N (linear columns C z) <= d_in * K).
    { apply (claim columns); auto. intros; lia. }
    clear z box elsewhere. induction m as [| m IH]; intros M z box elsewhere rest.
    - pose (s := fun j => if positions j then if Req_EM_T (z j) d_in then 1 else -1 else 0).
      rewrite (same _ (fun i => d_in * linear columns C s i)).
      + rewrite multiple, Rabs_right by lra. apply Rmult_le_compat_l; [exact D |]. apply at_corners.
        intros j _. unfold s. destruct (positions j); [| reflexivity]. destruct (Req_EM_T (z j) d_in); auto.
      + intro i. unfold linear. rewrite <- total_multiple. apply total_same. intros j J.
        enough (z j = d_in * s j) as -> by ring. unfold s. destruct (positions j) eqn:P.
        * destruct (Req_EM_T (z j) d_in) as [-> | other]; [ring |].
          destruct (rest j ltac:(lia) P) as [top | low]; [contradiction | rewrite low; ring].
        * rewrite (elsewhere j J P). ring.
    - destruct (positions m) eqn:P.
      2: { apply IH; auto; [lia |]. intros j J Pj.
           destruct (Nat.eq_dec j m) as [-> |]; [congruence | apply rest; auto; lia]. }
      destruct (Req_dec d_in 0) as [nothing | something].
      { apply IH; auto; [lia |]. intros j J _. specialize (box j ltac:(lia)). rewrite nothing in *.
        pose proof (Rle_abs (z j)). pose proof (Rle_abs (- z j)). rewrite Rabs_Ropp in *. lra. }
      pose (with_ := fun c j => if Nat.eqb j m then c else z j). pose (t := (z m + d_in) / (2 * d_in)).
      specialize (box m ltac:(lia)) as at_m. pose proof (Rle_abs (z m)). pose proof (Rle_abs (- z m)).
      rewrite Rabs_Ropp in *.
      assert (T : 0 <= t <= 1).
      { split; [apply quotient_nonnegative; lra |]. apply (Rmult_le_reg_r (2 * d_in)); [lra |].
        unfold t. replace ((z m + d_in) / (2 * d_in) * (2 * d_in)) with (z m + d_in) by (field; lra). lra. }
      assert (at_end : forall c, c = d_in \/ c = - d_in -> N (linear columns C (with_ c)) <= d_in * K).
      { intros c which. apply IH; [lia | | |]; intros j J; unfold with_; destruct (Nat.eqb_spec j m) as [-> | other].
        - destruct which as [-> | ->]; [| rewrite Rabs_Ropp]; rewrite Rabs_right; lra.
        - apply box, J.
        - congruence.
        - apply elsewhere, J.
        - intros _. exact which.
        - apply rest. lia. }
      rewrite (same _ (fun i => t * linear columns C (with_ d_in) i + (1 - t) * linear columns C (with_ (- d_in)) i)).
      + eapply Rle_trans; [apply triangle |]. rewrite !multiple, !Rabs_right by lra.
        pose proof (at_end d_in (or_introl eq_refl)) as A. pose proof (at_end (- d_in) (or_intror eq_refl)) as B.
        apply (Rmult_le_compat_l t) in A; [| lra]. apply (Rmult_le_compat_l (1 - t)) in B; lra.
      + intro i. unfold linear. rewrite <- !total_multiple, <- total_sum. apply total_same. intros j _.
        unfold with_. destruct (Nat.eqb_spec j m) as [-> | _]; [| ring]. unfold t. field. lra.
  Qed.
  (* linear_map where the entries that differ lie in one of some sets: the bound is that of every corner of each. *)
  Theorem linear_map_within (family : (nat -> bool) -> Prop) :
    (forall positions s, family positions -> corner columns positions s ->
       total rows (fun i => Rabs (linear columns C s i)) <= bound) ->
    stable (restricted inputs (changed_within family columns d_in)) (linear columns C)
           (restricted outputs (l1 rows (d_in * bound))).
  Proof.
    intros corners x y (X & Y & [D near] & positions & P & elsewhere).
    repeat split; try (eapply linear_on_grid; eauto; fail). unfold l1 in *.
    rewrite (total_same _ _ (fun i => Rabs (linear columns C (difference x y) i)))
      by (intros; rewrite <- linear_of_a_difference; reflexivity).
    apply (greatest_at_a_corner (fun v => total rows (fun i => Rabs (v i))) positions); auto.
    - apply seminorm_l1.
    - apply multiple_of_l1.
    - intros s S_. apply (corners positions); assumption.
    - intros j J Pj. unfold difference. rewrite (elsewhere j J Pj). ring.
  Qed.
  Theorem linear_map_within_l2 (family : (nat -> bool) -> Prop) :
    (forall positions s, family positions -> corner columns positions s ->
       total rows (fun i => linear columns C s i ^ 2) <= bound) ->
    stable (restricted inputs (changed_within family columns d_in)) (linear columns C)
           (restricted outputs (l2 rows (d_in * sqrt bound))).
  Proof.
    intros corners x y (X & Y & [D near] & positions & P & elsewhere).
    split; [eapply linear_on_grid; eauto | split; [eapply linear_on_grid; eauto | apply l2_by_norm]].
    rewrite (norm_same _ _ (linear columns C (difference x y))) by (intros; apply linear_of_a_difference).
    apply (greatest_at_a_corner (norm rows) positions); auto.
    - apply seminorm_l2.
    - apply norm_multiple.
    - intros s S_. apply sqrt_le_1_alt. apply (corners positions); assumption.
    - intros j J Pj. unfold difference. rewrite (elsewhere j J Pj). ring.
  Qed.
End linear_map.

(* A bound at every corner that looks at no sign: the sum of the absolute values at the positions. *)
Definition chosen (positions : nat -> bool) (j : nat) : R := if positions j then 1 else 0.
Lemma corner_is_chosen columns positions s j : corner columns positions s -> (j < columns)%nat ->
  Rabs (s j) = chosen positions j.
Proof.
  intros S_ J. specialize (S_ j J). unfold chosen. destruct (positions j).
  - destruct S_ as [-> | ->]; unfold Rabs; destruct (Rcase_abs _); lra.
  - rewrite S_. apply Rabs_R0.
Qed.
Lemma corners_without_signs rows columns C positions s :
  corner columns positions s ->
  total rows (fun i => Rabs (linear columns C s i)) <=
  total rows (fun i => total columns (fun j => chosen positions j * Rabs (C i j))).
Proof.
  intro S_. apply total_le. intros i _. eapply Rle_trans; [apply total_absolute |]. apply total_le. intros j J.
  rewrite Rabs_mult, (corner_is_chosen _ _ _ _ S_ J). right. ring.
Qed.
Lemma corners_without_signs_l2 rows columns C positions s :
  corner columns positions s ->
  total rows (fun i => linear columns C s i ^ 2) <=
  total columns (fun j => total columns (fun k =>
    chosen positions j * chosen positions k * Rabs (total rows (fun i => C i j * C i k)))).
Proof.
  intro S_. rewrite form_of_columns. apply total_le. intros j J. apply total_le. intros k K.
  rewrite <- (corner_is_chosen _ _ _ _ S_ J), <- (corner_is_chosen _ _ _ _ S_ K), <- !Rabs_mult. apply Rle_abs.
Qed.
(* Where columns so far apart are orthogonal, only the squares of columns are left. *)
Lemma corners_of_orthogonal_columns rows columns C most gap positions s :
  apart most gap positions -> corner columns positions s ->
  (forall j k, (j < columns)%nat -> (k < columns)%nat -> (j + gap <= k)%nat ->
    total rows (fun i => C i j * C i k) = 0) ->
  total rows (fun i => linear columns C s i ^ 2) =
  total columns (fun j => chosen positions j * total rows (fun i => C i j ^ 2)).
Proof.
  intros [_ far] S_ orthogonal. rewrite form_of_columns. apply total_same. intros j J.
  rewrite (total_one columns j); [| exact J |].
  - replace (s j * s j) with (Rabs (s j) * Rabs (s j)) by (rewrite <- Rabs_mult; apply Rabs_right; nra).
    rewrite (corner_is_chosen _ _ _ _ S_ J). rewrite (total_same rows (fun i => C i j ^ 2) (fun i => C i j * C i j)).
    + unfold chosen. destruct (positions j); ring.
    + intros. ring.
  - intros k K other. pose proof (S_ j J) as Sj. pose proof (S_ k K) as Sk.
    destruct (positions j) eqn:Pj; [| rewrite Sj; ring]. destruct (positions k) eqn:Pk; [| rewrite Sk; ring].
    enough (total rows (fun i => C i j * C i k) = 0) as -> by ring.
    destruct (Nat.lt_ge_cases j k) as [L | L].
    + apply orthogonal; auto.
    + rewrite (total_same _ _ (fun i => C i k * C i j)) by (intros; ring). apply orthogonal; auto. apply far; auto. lia.
Qed.

(* The greatest sum of so many squares of columns among the first, each at least the gap after the one before. *)
Fixpoint best (squares : nat -> R) (gap most : nat) : nat -> R :=
  match most with
  | O => fun _ => 0
  | S fewer =>
      fix among (first : nat) : R :=
        match first with
        | O => 0
        | S last => Rmax (among last) (best squares gap fewer (S last - gap) + squares last)
        end
  end.
Lemma counted_rises positions n m : (n <= m)%nat -> (counted positions n <= counted positions m)%nat.
Proof. induction 1; simpl; [lia |]. destruct (positions m); lia. Qed.
Lemma best_is_greatest squares gap most positions n :
  (1 <= gap)%nat -> (forall j k, positions j = true -> positions k = true -> (j < k)%nat -> (j + gap <= k)%nat) ->
  (counted positions n <= most)%nat -> total n (fun j => chosen positions j * squares j) <= best squares gap most n.
Proof.
  intros some far. revert n. induction most as [| most IH]; intros n few.
  - simpl. right. apply total_nothing. intros j J. unfold chosen. destruct (positions j) eqn:P; [| ring].
    pose proof (counted_rises positions (S j) n J) as L. simpl in L. rewrite P in L. lia.
  - induction n as [| n IHn]; [simpl; lra |]. cbn [total]. unfold chosen at 2. destruct (positions n) eqn:P.
    + eapply Rle_trans; [| apply Rmax_r]. rewrite Rmult_1_l. apply Rplus_le_compat_r.
      assert (before : total n (fun j => chosen positions j * squares j) =
                       total (S n - gap) (fun j => chosen positions j * squares j)).
      { replace n with (S n - gap + (n - (S n - gap)))%nat at 1 by lia.
        rewrite total_append, (total_nothing (n - (S n - gap))); [ring |]. intros j J. unfold chosen.
        destruct (positions (S n - gap + j)%nat) eqn:Q; [| ring]. specialize (far _ _ Q P). lia. }
      rewrite before. apply IH. simpl in few. rewrite P in few.
      pose proof (counted_rises positions (S n - gap) n ltac:(lia)). lia.
    + eapply Rle_trans; [| apply Rmax_l]. rewrite Rmult_0_l, Rplus_0_r. apply IHn.
      simpl in few. rewrite P in few. exact few.
Qed.
(* linear_map where at most so many entries differ, a gap apart, and columns that far apart are orthogonal. *)
Theorem linear_map_apart_l2 rows columns C granularity step d_in bound most gap :
  (forall i j, (i < rows)%nat -> (j < columns)%nat -> on_grid step (C i j)) -> (1 <= gap)%nat ->
  (forall j k, (j < columns)%nat -> (k < columns)%nat -> (j + gap <= k)%nat ->
    total rows (fun i => C i j * C i k) = 0) ->
  best (fun j => total rows (fun i => C i j ^ 2)) gap most columns <= bound ->
  stable (restricted (vector_on_grid columns granularity) (changed_within (apart most gap) columns d_in))
         (linear columns C)
         (restricted (vector_on_grid rows (granularity * step)) (l2 rows (d_in * sqrt bound))).
Proof.
  intros entries some orthogonal at_most. apply linear_map_within_l2; [exact entries |]. intros positions s P S_.
  rewrite (corners_of_orthogonal_columns rows columns C most gap positions s P S_ orthogonal).
  eapply Rle_trans; [| exact at_most]. destruct P as [few far]. apply best_is_greatest; auto.
Qed.

(* Prefix sums of 3 numbers: one of them moves them by at most 3 in L1; all of them, each by 1, by 6. *)
Definition prefix_matrix : matrix := fun i j => if Nat.leb j i then 1 else 0.
Lemma prefix_matrix_is_whole i j : on_grid 1 (prefix_matrix i j).
Proof. unfold prefix_matrix. destruct (Nat.leb j i); [exists 1%Z | exists 0%Z]; ring. Qed.
Example prefix_sums_of_three d_in :
  stable (restricted (vector_on_grid 3 1) (one_coordinate 3 d_in)) (linear 3 prefix_matrix)
         (restricted (vector_on_grid 3 (1 * 1)) (l1 3 (d_in * 3))).
Proof.
  apply linear_map_one_coordinate; [intros; apply prefix_matrix_is_whole | lra |].
  intros j J. unfold prefix_matrix. destruct j as [| [| [| j]]]; [| | | lia]; simpl; rewrite ?Rabs_R0, ?Rabs_R1; lra.
Qed.
Example prefix_sums_where_all_change d_in :
  stable (restricted (vector_on_grid 3 1) (changed_within all_positions 3 d_in)) (linear 3 prefix_matrix)
         (restricted (vector_on_grid 3 (1 * 1)) (l1 3 (d_in * 6))).
Proof.
  apply linear_map_within; [intros; apply prefix_matrix_is_whole |].
  intros positions s P S_. eapply Rle_trans; [apply (corners_without_signs _ _ _ positions), S_ |].
  unfold prefix_matrix, chosen. simpl. rewrite !P, Rabs_R0, Rabs_R1. lra.
Qed.

(** * Sums by levels *)

(* The first so many blocks of so many consecutive entries; signed, the second half of each is taken off. *)
Record level := Level { block_size : nat; blocks : nat; is_signed : bool }.
Definition sign (l : level) (k : nat) : R := if (is_signed l && Nat.leb (block_size l / 2) k)%bool then -1 else 1.
Definition block_sum (l : level) (x : vector) (c : nat) : R :=
  total (block_size l) (fun k => sign l k * x (c * block_size l + k)%nat).
Definition sums_by_level (levels : list level) (x : vector) : list R :=
  flat_map (fun l => map (block_sum l x) (seq 0 (blocks l))) levels.
Definition vector_of (entries : list R) : vector := fun i => nth i entries 0.
Definition number_of_sums (levels : list level) : nat := fold_right (fun l n => blocks l + n)%nat 0%nat levels.
Definition sum_over {A : Type} (f : A -> R) (l : list A) : R := fold_right (fun a rest => f a + rest) 0 l.

Lemma sum_over_at_most {A} (f : A -> R) l c : (forall a, In a l -> f a <= c) -> sum_over f l <= INR (length l) * c.
Proof.
  induction l as [| a l IH]; intro H; [simpl; lra |].
  change (length (a :: l)) with (S (length l)). rewrite S_INR. simpl.
  pose proof (H a (or_introl eq_refl)). pose proof (IH (fun b B => H b (or_intror B))). lra.
Qed.
Lemma total_by_level (measured : R -> R -> R) levels x y :
  total (number_of_sums levels)
    (fun i => measured (vector_of (sums_by_level levels x) i) (vector_of (sums_by_level levels y) i)) =
  sum_over (fun l => total (blocks l) (fun c => measured (block_sum l x c) (block_sum l y c))) levels.
Proof.
  induction levels as [| l levels IH]; [reflexivity |]. simpl. rewrite total_append, <- IH.
  assert (size : forall z, length (map (block_sum l z) (seq 0 (blocks l))) = blocks l)
    by (intro; rewrite map_length, seq_length; reflexivity).
  f_equal; apply total_same; intros i I; unfold vector_of.
  - rewrite !app_nth1 by (rewrite size; exact I).
    assert (at_ : forall z, nth i (map (block_sum l z) (seq 0 (blocks l))) 0 = block_sum l z i).
    { intro z. rewrite (nth_indep _ 0 (block_sum l z 0%nat)) by (rewrite size; exact I).
      rewrite map_nth, seq_nth by exact I. reflexivity. }
    rewrite !at_. reflexivity.
  - rewrite !app_nth2 by (rewrite size; lia). rewrite !size. f_equal; f_equal; lia.
Qed.
Lemma total_of_fewer n m f : (n <= m)%nat -> (forall j, 0 <= f j) -> total n f <= total m f.
Proof.
  intros less positive. replace m with (n + (m - n))%nat by lia. rewrite total_append.
  pose proof (total_nonnegative (m - n) (fun j => f (n + j)%nat) ltac:(intros; apply positive)). lra.
Qed.
Lemma squares_within_the_square n f : total n (fun j => f j ^ 2) <= total n (fun j => Rabs (f j)) ^ 2.
Proof.
  induction n as [| n IH]; cbn [total]; [lra |]. rewrite <- (pow2_abs (f n)).
  pose proof (total_nonnegative n (fun j => Rabs (f j)) ltac:(intros; apply Rabs_pos)). pose proof (Rabs_pos (f n)).
  assert (0 <= total n (fun j => Rabs (f j)) * Rabs (f n)) by (apply Rmult_le_pos; assumption). lra.
Qed.
(* The blocks of a level do not overlap: together they move no farther than the entries. *)
Lemma level_moves_no_farther l entries x y :
  (blocks l * block_size l <= entries)%nat ->
  total (blocks l) (fun c => Rabs (block_sum l x c - block_sum l y c)) <= total entries (fun j => Rabs (x j - y j)).
Proof.
  intro fits. eapply Rle_trans; [| apply (total_of_fewer _ _ _ fits); intro; apply Rabs_pos].
  rewrite total_blocks. apply total_le. intros c _. unfold block_sum. rewrite <- total_difference.
  eapply Rle_trans; [apply total_absolute |]. apply total_le. intros k _.
  rewrite <- Rmult_minus_distr_l, Rabs_mult. unfold sign.
  destruct (_ && _)%bool; unfold Rabs at 1; destruct (Rcase_abs _); lra.
Qed.

Section level_sums.
  Context (levels : list level) (entries : nat) (granularity d_in : R).
  Hypothesis levels_fit : forall l, In l levels -> (blocks l * block_size l <= entries)%nat.
  Let T x := vector_of (sums_by_level levels x).
  Let inputs := vector_on_grid entries granularity.
  Let outputs := vector_on_grid (number_of_sums levels) granularity.

  Lemma sums_by_level_on_grid x : inputs x -> outputs (T x).
  Proof.
    intros X i _. unfold T, vector_of.
    destruct (nth_in_or_default i (sums_by_level levels x) 0) as [among | ->]; [| apply zero_on_grid].
    apply in_flat_map in among as (l & L & among). apply in_map_iff in among as (c & <- & among). apply in_seq in among.
    apply total_on_grid. intros k K. rewrite <- (Rmult_1_l granularity).
    apply product_on_grid.
    - unfold sign. destruct (_ && _)%bool; [exists (-1)%Z | exists 1%Z]; ring.
    - apply X. specialize (levels_fit l L). nia.
  Qed.
  (* level_sums: each entry stands in at most one sum of each level. *)
  Theorem level_sums :
    stable (restricted inputs (l1 entries d_in)) T
           (restricted outputs (l1 (number_of_sums levels) (d_in * INR (length levels)))).
  Proof.
    intros x y (X & Y & near). repeat split; auto using sums_by_level_on_grid. unfold l1, T in *.
    rewrite (total_by_level (fun a b => Rabs (a - b))), Rmult_comm. apply sum_over_at_most. intros l L.
    eapply Rle_trans; [apply level_moves_no_farther, levels_fit, L | exact near].
  Qed.
  Theorem level_sums_l2 :
    stable (restricted inputs (l1 entries d_in)) T
           (restricted outputs (l2 (number_of_sums levels) (d_in * sqrt (INR (length levels))))).
  Proof.
    intros x y (X & Y & near).
    assert (D : 0 <= d_in) by (eapply Rle_trans; [| exact near]; apply total_nonnegative; intros; apply Rabs_pos).
    split; [auto using sums_by_level_on_grid | split; [auto using sums_by_level_on_grid |]].
    split; [apply Rmult_le_pos; [exact D | apply sqrt_pos] |]. unfold T.
    rewrite (total_by_level (fun a b => (a - b) ^ 2)), Rpow_mult_distr, pow2_sqrt, Rmult_comm by apply pos_INR.
    apply sum_over_at_most. intros l L. eapply Rle_trans; [apply squares_within_the_square |]. apply pow_incr.
    split; [apply total_nonnegative; intros; apply Rabs_pos |].
    eapply Rle_trans; [apply level_moves_no_farther, levels_fit, L | exact near].
  Qed.
  (* level_sums where one entry moves. *)
  Theorem level_sums_one_coordinate :
    stable (restricted inputs (one_coordinate entries d_in)) T
           (restricted outputs (l1 (number_of_sums levels) (d_in * INR (length levels)))).
  Proof. intros x y (X & Y & near). apply level_sums. repeat split; auto using one_coordinate_in_l1. Qed.
  Theorem level_sums_one_coordinate_l2 :
    stable (restricted inputs (one_coordinate entries d_in)) T
           (restricted outputs (l2 (number_of_sums levels) (d_in * sqrt (INR (length levels))))).
  Proof. intros x y (X & Y & near). apply level_sums_l2. repeat split; auto using one_coordinate_in_l1. Qed.
End level_sums.

(* The forms: a tree and a wavelet of every depth, blocks, and prefixes; each fits its entries, and has its sums. *)
Definition tree (branching depth : nat) : list level :=
  map (fun i => Level (branching ^ i) (branching ^ (depth - 1 - i)) false) (seq 0 depth).
Definition wavelet (depth : nat) : list level :=
  Level (2 ^ (depth - 1)) 1 false :: map (fun i => Level (2 ^ i) (2 ^ (depth - 1 - i)) true) (seq 1 (depth - 1)).
Definition two_level (block blocks : nat) : list level := [Level 1 (block * blocks) false; Level block blocks false].
Definition prefixes (entries : nat) : list level := map (fun length => Level length 1 false) (seq 1 entries).

Lemma power_of_parts branching depth i :
  (i < depth)%nat -> (branching ^ (depth - 1 - i) * branching ^ i = branching ^ (depth - 1))%nat.
Proof. intro I. rewrite <- Nat.pow_add_r. f_equal. lia. Qed.
Lemma tree_fits branching depth l : In l (tree branching depth) ->
  (blocks l * block_size l <= branching ^ (depth - 1))%nat.
Proof.
  intro L. apply in_map_iff in L as (i & <- & I). apply in_seq in I. simpl. rewrite power_of_parts; lia.
Qed.
Lemma tree_levels branching depth : length (tree branching depth) = depth.
Proof. unfold tree. rewrite map_length, seq_length. reflexivity. Qed.
Lemma tree_sums branching depth :
  (1 <= branching)%nat -> (number_of_sums (tree branching depth) * (branching - 1) + 1 = branching ^ depth)%nat.
Proof.
  intro some. unfold tree.
  assert (K : forall m start, (start + m = depth)%nat ->
    (number_of_sums (map (fun i => Level (branching ^ i) (branching ^ (depth - 1 - i)) false) (seq start m)) *
     (branching - 1) + 1 = branching ^ m)%nat).
  { induction m as [| m IH]; intros start whole; [reflexivity |]. simpl.
    specialize (IH (S start) ltac:(lia)). replace (depth - 1 - start)%nat with m by lia.
    rewrite Nat.mul_add_distr_r, <- Nat.add_assoc, IH, Nat.mul_sub_distr_l.
    assert (branching ^ m * 1 <= branching ^ m * branching)%nat by (apply Nat.mul_le_mono_l; lia). lia. }
  apply (K depth 0%nat). reflexivity.
Qed.
Lemma wavelet_fits depth l : In l (wavelet depth) -> (blocks l * block_size l <= 2 ^ (depth - 1))%nat.
Proof.
  intros [<- | L]; [simpl; lia |]. apply in_map_iff in L as (i & <- & I). apply in_seq in I.
  cbn [blocks block_size]. rewrite power_of_parts; lia.
Qed.
Lemma wavelet_levels depth : (1 <= depth)%nat -> length (wavelet depth) = depth.
Proof. intro some. unfold wavelet. simpl. rewrite map_length, seq_length. lia. Qed.
Lemma wavelet_sums depth : number_of_sums (wavelet depth) = (2 ^ (depth - 1))%nat.
Proof.
  unfold wavelet. cbn [number_of_sums fold_right blocks].
  assert (K : forall m start, (start + m = depth)%nat -> (1 + number_of_sums
    (map (fun i => Level (2 ^ i) (2 ^ (depth - 1 - i)) true) (seq start m)) = 2 ^ m)%nat).
  { induction m as [| m IH]; intros start whole; [reflexivity |]. specialize (IH (S start) ltac:(lia)).
    cbn [seq map number_of_sums fold_right blocks]. replace (depth - 1 - start)%nat with m by lia.
    unfold number_of_sums in IH. rewrite Nat.pow_succ_r'. lia. }
  destruct depth as [| depth]; [reflexivity |]. replace (S depth - 1)%nat with depth by lia.
  rewrite <- (K depth 1%nat) by lia. unfold number_of_sums. replace (S depth - 1)%nat with depth by lia. reflexivity.
Qed.
Lemma two_level_fits block blocks_ l :
  In l (two_level block blocks_) -> (blocks l * block_size l <= block * blocks_)%nat.
Proof. intros [<- | [<- | []]]; simpl; lia. Qed.
Lemma two_level_sums block blocks_ : number_of_sums (two_level block blocks_) = (block * blocks_ + blocks_)%nat.
Proof. simpl. lia. Qed.
Lemma prefixes_fit entries l : In l (prefixes entries) -> (blocks l * block_size l <= entries)%nat.
Proof. intro L. apply in_map_iff in L as (i & <- & I). apply in_seq in I. simpl. lia. Qed.
Lemma prefixes_levels entries : length (prefixes entries) = entries.
Proof. unfold prefixes. rewrite map_length, seq_length. reflexivity. Qed.
Lemma prefixes_sums entries : number_of_sums (prefixes entries) = entries.
Proof.
  unfold prefixes.
  enough (K : forall start, number_of_sums (map (fun length => Level length 1 false) (seq start entries)) = entries)
    by apply K.
  induction entries as [| entries IH]; intro start; [reflexivity |]. simpl. f_equal. apply IH.
Qed.
(* The binary tree of every depth, under a change of one entry. *)
Example binary_tree_is_stable depth d_in :
  stable (restricted (vector_on_grid (2 ^ (depth - 1)) 1) (one_coordinate (2 ^ (depth - 1)) d_in))
    (fun x => vector_of (sums_by_level (tree 2 depth) x))
    (restricted (vector_on_grid (number_of_sums (tree 2 depth)) 1)
                (l1 (number_of_sums (tree 2 depth)) (d_in * INR depth))).
Proof.
  pose proof (level_sums_one_coordinate (tree 2 depth) _ 1 d_in (tree_fits 2 depth)) as H.
  rewrite tree_levels in H. exact H.
Qed.
Example prefix_sums_are_stable entries d_in :
  stable (restricted (vector_on_grid entries 1) (one_coordinate entries d_in))
    (fun x => vector_of (sums_by_level (prefixes entries) x))
    (restricted (vector_on_grid (number_of_sums (prefixes entries)) 1)
                (l2 (number_of_sums (prefixes entries)) (d_in * sqrt (INR entries)))).
Proof.
  pose proof (level_sums_one_coordinate_l2 (prefixes entries) entries 1 d_in (prefixes_fit entries)) as H.
  rewrite prefixes_levels in H. exact H.
Qed.

(** * The error of a decoder *)

(* Noise of mean 0 and variance 1 without correlations: an expectation of what can be integrated, which is linear. *)
Section squared_error.
  Context (outcome : Type) (integrable : (outcome -> R) -> Prop) (expectation : (outcome -> R) -> R).
  Hypothesis expectation_of_a_constant : forall c, integrable (fun _ => c) /\ expectation (fun _ => c) = c.
  Hypothesis expectation_of_a_sum : forall f g, integrable f -> integrable g ->
    integrable (fun o => f o + g o) /\ expectation (fun o => f o + g o) = expectation f + expectation g.
  Hypothesis expectation_of_a_multiple : forall c f, integrable f ->
    integrable (fun o => c * f o) /\ expectation (fun o => c * f o) = c * expectation f.
  Hypothesis expectation_of_the_same : forall f g, (forall o, f o = g o) -> integrable f ->
    integrable g /\ expectation f = expectation g.
  (* A workload of so many answers, a strategy of so many with noise on each, and data of so many entries. *)
  Context (answers measured entries : nat) (strategy decoder workload : matrix) (noise : nat -> outcome -> R).
  Hypothesis noise_of_mean_0 :
    forall j, (j < measured)%nat -> integrable (noise j) /\ expectation (noise j) = 0.
  Hypothesis noise_of_variance_1_without_correlations : forall j k, (j < measured)%nat -> (k < measured)%nat ->
    integrable (fun o => noise j o * noise k o) /\
    expectation (fun o => noise j o * noise k o) = if Nat.eqb j k then 1 else 0.

  Lemma expectation_of_a_total n (f : nat -> outcome -> R) : (forall j, (j < n)%nat -> integrable (f j)) ->
    integrable (fun o => total n (fun j => f j o)) /\
    expectation (fun o => total n (fun j => f j o)) = total n (fun j => expectation (f j)).
  Proof.
    induction n as [| n IHn]; intro F; simpl; [apply expectation_of_a_constant |].
    destruct IHn as [IH IH']; [auto with arith |].
    destruct (expectation_of_a_sum (fun o => total n (fun j => f j o)) (f n) IH (F n (Nat.lt_succ_diag_r n))) as [A ->].
    rewrite IH'. split; [exact A | reflexivity].
  Qed.

  Definition product_of (i j : nat) : R := total measured (fun k => decoder i k * strategy k j).
  Definition decoded (x : vector) (o : outcome) : vector :=
    linear measured decoder (fun k => linear entries strategy x k + noise k o).
  Definition total_squared_error (x : vector) : R :=
    expectation (fun o => total answers (fun i => (decoded x o i - linear entries workload x i) ^ 2)).
  Definition squares_of_the_decoder : R := total answers (fun i => total measured (fun k => decoder i k ^ 2)).

  Lemma bias_and_variance x :
    total_squared_error x =
    total answers (fun i => linear entries (fun i j => product_of i j - workload i j) x i ^ 2) + squares_of_the_decoder.
  Proof.
    unfold total_squared_error, squares_of_the_decoder. rewrite <- total_sum.
    set (bias := linear entries (fun i j => product_of i j - workload i j) x).
    pose (error := fun i o => bias i ^ 2 + (2 * bias i * total measured (fun k => decoder i k * noise k o) +
      total measured (fun j => total measured (fun k => decoder i j * decoder i k * (noise j o * noise k o))))).
    assert (pointwise : forall o i, error i o = (decoded x o i - linear entries workload x i) ^ 2).
    { intros o i.
      assert (split_ : decoded x o i - linear entries workload x i =
                       bias i + total measured (fun k => decoder i k * noise k o)).
      { unfold decoded, bias, linear. unfold product_of.
        rewrite (total_same entries
          (fun j => (total measured (fun k => decoder i k * strategy k j) - workload i j) * x j)
          (fun j => total measured (fun k => decoder i k * (strategy k j * x j)) - workload i j * x j)).
        - rewrite total_difference, total_swap.
          rewrite (total_same measured (fun k => total entries _)
            (fun k => decoder i k * total entries (fun j => strategy k j * x j))) by (intros; apply total_multiple).
          rewrite (total_same measured (fun k => decoder i k * (_ + noise k o))
            (fun k => decoder i k * total entries (fun j => strategy k j * x j) + decoder i k * noise k o))
              by (intros; ring).
          rewrite total_sum. ring.
        - intros j _. rewrite Rmult_minus_distr_r. f_equal. rewrite Rmult_comm, <- total_multiple.
          apply total_same. intros. ring. }
      rewrite split_. unfold error. set (s := total measured (fun k => decoder i k * noise k o)).
      replace (total measured (fun j => total measured _)) with (s * s); [ring |].
      unfold s at 1. rewrite Rmult_comm, <- total_multiple. apply total_same. intros j _.
      rewrite Rmult_comm. unfold s. rewrite <- total_multiple. apply total_same. intros. ring. }
    assert (one : forall i, integrable (error i) /\
              expectation (error i) = bias i ^ 2 + total measured (fun k => decoder i k ^ 2)).
    { intro i.
      destruct (expectation_of_a_constant (bias i ^ 2)) as [I1 E1].
      destruct (expectation_of_a_total measured (fun k o => decoder i k * noise k o)) as [I2 E2].
      { intros k K. apply expectation_of_a_multiple, noise_of_mean_0, K. }
      rewrite (total_nothing measured (fun k => expectation (fun o => decoder i k * noise k o))) in E2.
      2: { intros k K. destruct (noise_of_mean_0 k K) as [A B].
           rewrite (proj2 (expectation_of_a_multiple (decoder i k) (noise k) A)), B. ring. }
      destruct (expectation_of_a_multiple (2 * bias i) _ I2) as [I3 E3].
      assert (product : forall j k, (j < measured)%nat -> (k < measured)%nat ->
                integrable (fun o => decoder i j * decoder i k * (noise j o * noise k o))).
      { intros. apply expectation_of_a_multiple, noise_of_variance_1_without_correlations; assumption. }
      destruct (expectation_of_a_total measured
        (fun j o => total measured (fun k => decoder i j * decoder i k * (noise j o * noise k o)))) as [I4 E4].
      { intros j J. apply expectation_of_a_total. intros k K. apply product; assumption. }
      destruct (expectation_of_a_sum _ _ I3 I4) as [I5 E5]. destruct (expectation_of_a_sum _ _ I1 I5) as [I6 E6].
      split; [exact I6 |]. unfold error. rewrite E6, E1, E5, E3, E2, E4.
      replace (2 * bias i * 0) with 0 by ring. rewrite Rplus_0_l. f_equal. apply total_same. intros j J.
      rewrite (proj2 (expectation_of_a_total measured
        (fun k o => decoder i j * decoder i k * (noise j o * noise k o)) (fun k => product j k J))).
      rewrite (total_one measured j); [| exact J |].
      - destruct (noise_of_variance_1_without_correlations j j J J) as [A B]. rewrite Nat.eqb_refl in B.
        rewrite (proj2 (expectation_of_a_multiple (decoder i j * decoder i j) _ A)), B. ring.
      - intros k K other. destruct (noise_of_variance_1_without_correlations j k J K) as [A B].
        rewrite (proj2 (expectation_of_a_multiple (decoder i j * decoder i k) _ A)), B.
        destruct (Nat.eqb_spec j k); [congruence | ring]. }
    destruct (expectation_of_a_total answers error (fun i _ => proj1 (one i))) as [I7 E7].
    transitivity (expectation (fun o => total answers (fun i => error i o))).
    - symmetry. apply (expectation_of_the_same (fun o => total answers (fun i => error i o))); [| exact I7].
      intro o. apply total_same. intros. apply pointwise.
    - rewrite E7. apply total_same. intros. apply one.
  Qed.

  (* squared_error: B C = W, and the error of B (C x + Z) on W x is the sum of the squares of B, for every x. *)
  Theorem squared_error :
    (forall i j, (i < answers)%nat -> (j < entries)%nat -> product_of i j = workload i j) ->
    forall x, total_squared_error x = squares_of_the_decoder.
  Proof.
    intros unbiased x. rewrite bias_and_variance, total_nothing; [ring |]. intros i I.
    unfold linear. rewrite total_nothing; [ring |]. intros j J. rewrite unbiased by assumption. ring.
  Qed.
  (* another_squared_error: the number stated is another one, or B C is not W. *)
  Theorem another_squared_error stated :
    (squares_of_the_decoder <> stated \/
     exists i j, (i < answers)%nat /\ (j < entries)%nat /\ product_of i j <> workload i j) ->
    ~ forall x, total_squared_error x = stated.
  Proof.
    intros wrong same. pose proof (same (fun _ => 0)) as at_0. rewrite bias_and_variance, total_nothing in at_0.
    2: { intros i _. unfold linear. rewrite total_nothing; [ring | intros; ring]. }
    destruct wrong as [other | (i & j & I & J & differs)]; [lra |].
    pose proof (same (fun k => if Nat.eqb k j then 1 else 0)) as at_j. rewrite bias_and_variance in at_j.
    set (bias := linear entries _ _) in at_j.
    assert (positive : forall k, (k < answers)%nat -> 0 <= bias k ^ 2) by (intros; apply pow2_ge_0).
    pose proof (total_at_least answers i (fun k => bias k ^ 2) positive I) as least. cbv beta in least.
    replace (bias i) with (product_of i j - workload i j) in least.
    - assert (0 < (product_of i j - workload i j) ^ 2).
      { rewrite <- Rsqr_pow2. apply Rsqr_pos_lt. lra. }
      lra.
    - unfold bias, linear. rewrite (total_one entries j); [rewrite Nat.eqb_refl; ring | exact J |].
      intros k _ other. destruct (Nat.eqb_spec k j); [contradiction | ring].
  Qed.
End squared_error.

(* Two fair coins, told as 1 and -1: prefix sums of two entries with noise on each entry have an error of 3. *)
Definition coins : Type := bool * bool.
Definition fair (f : coins -> R) : R := (f (true, true) + f (true, false) + f (false, true) + f (false, false)) / 4.
Definition coin (j : nat) (o : coins) : R :=
  let told (b : bool) := if b then 1 else -1 in
  match j with O => told (fst o) | 1%nat => told (snd o) | _ => 0 end.
Example error_of_two_prefix_sums x :
  total_squared_error coins fair 2 2 2 (fun i j => if Nat.eqb i j then 1 else 0) prefix_matrix prefix_matrix coin x = 3.
Proof.
  rewrite (squared_error coins (fun _ => True)).
  - unfold squares_of_the_decoder, prefix_matrix. simpl. ring.
  - intro c. split; [exact I | unfold fair; field].
  - intros f g _ _. split; [exact I | unfold fair; field].
  - intros c f _. split; [exact I | unfold fair; field].
  - intros f g same _. split; [exact I | unfold fair; rewrite !same; reflexivity].
  - intros j _. split; [exact I |]. unfold fair, coin. destruct j as [| [| j]]; simpl; field.
  - intros j k J K. split; [exact I |]. unfold fair, coin.
    destruct j as [| [| j]]; [| | lia]; (destruct k as [| [| k]]; [| | lia]); simpl; field.
  - intros i j J K. unfold product_of, prefix_matrix.
    destruct i as [| [| i]]; [| | lia]; (destruct j as [| [| j]]; [| | lia]); simpl; ring.
Qed.

(** * The median, and how far it may move *)

Fixpoint put_in (a : R) (l : list R) : list R :=
  match l with [] => [a] | b :: rest => if Rle_dec a b then a :: b :: rest else b :: put_in a rest end.
Definition sorted (u : table R) : list R := fold_right put_in [] u.
Definition rising := StronglySorted Rle.

Lemma put_in_commutes a b l : put_in a (put_in b l) = put_in b (put_in a l).
Proof.
  induction l as [| c l IH]; simpl.
  - destruct (Rle_dec a b), (Rle_dec b a); try reflexivity; [| lra]. replace a with b by lra. reflexivity.
  - destruct (Rle_dec b c) as [bc | bc], (Rle_dec a c) as [ac | ac]; simpl;
      repeat (match goal with |- context [Rle_dec ?x ?y] => destruct (Rle_dec x y) end; simpl);
      try lra; try reflexivity; try (replace a with b by lra; reflexivity). rewrite IH. reflexivity.
Qed.
Lemma sorted_reordered u v : Permutation u v -> sorted u = sorted v.
Proof. induction 1; simpl; [reflexivity | congruence | apply put_in_commutes | congruence]. Qed.
Lemma put_in_members a l : Permutation (a :: l) (put_in a l).
Proof.
  induction l as [| b l IH]; simpl; [reflexivity |]. destruct (Rle_dec a b); [reflexivity |].
  rewrite <- IH. apply perm_swap.
Qed.
Lemma sorted_members u : Permutation u (sorted u).
Proof. induction u as [| a u IH]; simpl; [reflexivity |]. rewrite <- put_in_members. auto. Qed.
Lemma put_in_rising a l : rising l -> rising (put_in a l).
Proof.
  induction 1 as [| b l L IH B]; simpl; [repeat constructor |]. destruct (Rle_dec a b) as [below | above].
  - constructor; [constructor; assumption |]. constructor; [exact below |].
    eapply Forall_impl; [| exact B]. simpl. intros. lra.
  - constructor; [exact IH |]. apply (Permutation_Forall (put_in_members a l)). constructor; [lra | exact B].
Qed.
Lemma sorted_rising u : rising (sorted u).
Proof. induction u; simpl; [constructor | apply put_in_rising; assumption]. Qed.

Section median.
  Context (lower upper : R).
  Hypothesis ends_are_in_order : lower < upper.
  Definition in_range (x : R) := lower <= x <= upper.
  (* x_i of the sorted rows, counted from 1: lower before them, upper after them. *)
  Definition padded (l : list R) (i : Z) : R := if Z.leb i 0 then lower else nth (Z.to_nat (i - 1)) l upper.

  Lemma padded_before l i : (i <= 0)%Z -> padded l i = lower.
  Proof. intro I. unfold padded. apply Z.leb_le in I. rewrite I. reflexivity. Qed.
  Lemma padded_from_1 l i : (0 < i)%Z -> padded l i = nth (Z.to_nat (i - 1)) l upper.
  Proof. intro I. unfold padded. apply Z.leb_gt in I. rewrite I. reflexivity. Qed.
  Lemma nth_in_range l i : Forall in_range l -> in_range (nth i l upper).
  Proof.
    intro L. destruct (nth_in_or_default i l upper) as [among | ->]; [| unfold in_range; lra].
    rewrite Forall_forall in L. apply L, among.
  Qed.
  Lemma padded_in_range l i : Forall in_range l -> in_range (padded l i).
  Proof. intro L. unfold padded. destruct (Z.leb i 0); [unfold in_range; lra | apply nth_in_range, L]. Qed.
  Lemma nth_rises l i : rising l -> Forall in_range l -> nth i l upper <= nth (S i) l upper.
  Proof.
    intro L. revert i. induction L as [| a l L IH A]; intros i inside.
    - destruct i; simpl; lra.
    - inversion inside; subst. destruct i as [| i]; [| apply IH; assumption]. simpl.
      destruct l as [| b l]; simpl; [unfold in_range in *; lra | inversion A; assumption].
  Qed.
  Lemma padded_rises l i : rising l -> Forall in_range l -> padded l i <= padded l (i + 1).
  Proof.
    intros L inside. destruct (Z.leb_spec i 0) as [low | high].
    - rewrite (padded_before l i low). apply (padded_in_range l (i + 1) inside).
    - rewrite !padded_from_1 by lia. replace (Z.to_nat (i + 1 - 1)) with (S (Z.to_nat (i - 1))) by lia.
      apply nth_rises; assumption.
  Qed.
  Lemma nth_after_a_row a l i :
    rising l -> Forall in_range l -> in_range a ->
    nth i (put_in a l) upper <= nth i l upper <= nth (S i) (put_in a l) upper.
  Proof.
    intros L inside A. revert i. induction L as [| b l L IH B]; intro i.
    - simpl. unfold in_range in A. destruct i as [| [| i]]; simpl; lra.
    - pose proof (nth_rises (b :: l) i ltac:(constructor; assumption) inside) as rises.
      pose proof inside as inside_. inversion inside_; subst. simpl put_in. destruct (Rle_dec a b) as [below | above].
      + split; [| simpl; lra]. destruct i as [| i]; [exact below |].
        change (nth i (b :: l) upper <= nth (S i) (b :: l) upper). apply nth_rises; [constructor |]; assumption.
      + destruct i as [| i]; [| apply IH; assumption]. split; [simpl; lra |]. simpl.
        assert (Forall (Rle b) (put_in a l)) as F.
        { apply (Permutation_Forall (put_in_members a l)). constructor; [lra | exact B]. }
        destruct (put_in a l); simpl; [unfold in_range in *; lra | inversion F; assumption].
  Qed.
  Lemma nth_of_a_greater_row a b l i :
    rising l -> Forall in_range l -> in_range a -> in_range b -> a <= b ->
    nth i (put_in a l) upper <= nth i (put_in b l) upper.
  Proof.
    intros L inside A B order. revert i. induction L as [| c l L IH C]; intro i.
    - destruct i as [| [| i]]; simpl; lra.
    - pose proof inside as inside_. inversion inside_; subst.
      simpl put_in. destruct (Rle_dec a c) as [ac | ac], (Rle_dec b c) as [bc | bc]; try lra.
      + destruct i as [| i]; simpl; lra.
      + destruct i as [| i]; [simpl; lra |].
        change (nth i (c :: l) upper <= nth i (put_in b l) upper).
        destruct i as [| i].
        * simpl. assert (Forall (Rle c) (put_in b l)) as F.
          { apply (Permutation_Forall (put_in_members b l)). constructor; [lra | exact C]. }
          destruct (put_in b l); simpl; [unfold in_range in *; lra | inversion F; assumption].
        * change (nth i l upper <= nth (S i) (put_in b l) upper). apply nth_after_a_row; assumption.
      + destruct i as [| i]; [simpl; lra | apply IH; assumption].
  Qed.

  Lemma padded_after_a_row a l i :
    rising l -> Forall in_range l -> in_range a ->
    padded (put_in a l) i <= padded l i <= padded (put_in a l) (i + 1).
  Proof.
    intros L inside A. assert (more : Forall in_range (put_in a l)).
    { apply (Permutation_Forall (put_in_members a l)). constructor; assumption. }
    destruct (Z.leb_spec i 0) as [low | high].
    - pose proof (padded_in_range (put_in a l) (i + 1) more) as P. rewrite !(padded_before _ i low).
      unfold in_range in P. lra.
    - rewrite !padded_from_1 by lia. replace (Z.to_nat (i + 1 - 1)) with (S (Z.to_nat (i - 1))) by lia.
      apply nth_after_a_row; assumption.
  Qed.
  Lemma padded_of_a_greater_row a b l i :
    rising l -> Forall in_range l -> in_range a -> in_range b -> a <= b ->
      padded (put_in a l) i <= padded (put_in b l) i.
  Proof.
    intros. unfold padded. destruct (Z.leb i 0); [lra | apply nth_of_a_greater_row; assumption].
  Qed.

  (* The greatest of f 0, ..., f n. *)
  Fixpoint greatest (n : nat) (f : nat -> R) : R := match n with O => f O | S n => Rmax (greatest n f) (f (S n)) end.
  Lemma greatest_at_least n f k : (k <= n)%nat -> f k <= greatest n f.
  Proof.
    induction n as [| n IH]; intro K; simpl; [replace k with 0%nat by lia; lra |].
    destruct (Nat.eq_dec k (S n)) as [-> | other]; [apply Rmax_r |].
    eapply Rle_trans; [apply IH; lia | apply Rmax_l].
  Qed.
  Lemma greatest_at_most n f c : (forall k, (k <= n)%nat -> f k <= c) -> greatest n f <= c.
  Proof. induction n as [| n IH]; intro H; simpl; [auto |]. apply Rmax_lub; auto with arith. Qed.

  (* The place of the median, and A^(k): how far it may move where k rows more are replaced, and then one. *)
  Definition middle (n : nat) : Z := Z.of_nat ((n + 1) / 2).
  Definition greatest_move (x : Z -> R) (n k : nat) : R :=
    greatest (S k) (fun t => x (middle n + Z.of_nat t)%Z - x (middle n + Z.of_nat t - Z.of_nat k - 1)%Z).
  Definition median (u : table R) : R := padded (sorted u) (middle (length u)).
  Definition move (u : table R) : nat -> R := greatest_move (padded (sorted u)) (length u).

  (* What is needed of two tables: their medians are within A^(0) of either, and A^(k) within A^(k + 1) of the other. *)
  Definition alike (u v : table R) :=
    (length u <= length v + 1)%nat /\ (length v <= length u + 1)%nat /\
    Rabs (median u - median v) <= move u 0 /\ Rabs (median u - median v) <= move v 0 /\
    forall k, move u k <= move v (S k) /\ move v k <= move u (S k).
  Lemma alike_symmetric u v : alike u v -> alike v u.
  Proof.
    intros (A & B & C & D & M). rewrite Rabs_minus_sym in C, D. repeat split; try assumption; apply M.
  Qed.
  Lemma moves_at (x : Z -> R) n k j :
    (middle n <= j <= middle n + Z.of_nat k + 1)%Z -> x j - x (j - Z.of_nat k - 1)%Z <= greatest_move x n k.
  Proof.
    intro J. pose proof (greatest_at_least (S k)
      (fun t => x (middle n + Z.of_nat t)%Z - x (middle n + Z.of_nat t - Z.of_nat k - 1)%Z) (Z.to_nat (j - middle n)))
        as H.
    cbv beta in H. rewrite Z2Nat.id in H by lia. replace (middle n + (j - middle n))%Z with j in H by lia. apply H. lia.
  Qed.
  Lemma moves_within (x : Z -> R) n k c :
    (forall j, (middle n <= j <= middle n + Z.of_nat k + 1)%Z -> x j - x (j - Z.of_nat k - 1)%Z <= c) ->
    greatest_move x n k <= c.
  Proof. intro H. apply greatest_at_most. intros t T. apply H. lia. Qed.
  Lemma middle_next n : middle (S n) = middle n \/ middle (S n) = (middle n + 1)%Z.
  Proof.
    unfold middle. pose proof (Nat.div_mod (n + 1) 2 ltac:(lia)). pose proof (Nat.div_mod (S n + 1) 2 ltac:(lia)).
    pose proof (Nat.mod_upper_bound (n + 1) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (S n + 1) 2 ltac:(lia)). lia.
  Qed.

  Lemma alike_after_a_row a u : table_of in_range u -> in_range a -> alike u (a :: u).
  Proof.
    intros U A. unfold alike, move, median. simpl length. simpl sorted.
    assert (inside : Forall in_range (sorted u)) by (apply (Permutation_Forall (sorted_members u)), U).
    pose proof (fun i => padded_after_a_row a (sorted u) i (sorted_rising u) inside A) as between.
    set (x := padded (sorted u)) in *. set (y := padded (put_in a (sorted u))) in *.
    set (n := length u). pose proof (middle_next n) as next.
    repeat split; try lia.
    - destruct next as [-> | ->]; set (m := middle n).
      + pose proof (moves_at x n 0 m ltac:(unfold m; lia)) as M. pose proof (between m).
        pose proof (between (m - 1)%Z) as B.
        replace (m - Z.of_nat 0 - 1)%Z with (m - 1)%Z in M by lia. replace (m - 1 + 1)%Z with m in B by lia.
        apply Rabs_le. lra.
      + pose proof (moves_at x n 0 (m + 1)%Z ltac:(unfold m; lia)) as M. pose proof (between m).
        pose proof (between (m + 1)%Z). replace (m + 1 - Z.of_nat 0 - 1)%Z with m in M by lia. apply Rabs_le. lra.
    - pose proof (moves_at y (S n) 0 (middle n + 1)%Z ltac:(lia)) as M. pose proof (between (middle n)) as B.
      replace (middle n + 1 - Z.of_nat 0 - 1)%Z with (middle n) in M by lia.
      destruct next as [-> | ->]; apply Rabs_le; lra.
    - apply moves_within. intros j J. pose proof (moves_at y (S n) (S k) (j + 1)%Z ltac:(lia)) as M.
      replace (j + 1 - Z.of_nat (S k) - 1)%Z with (j - Z.of_nat k - 1)%Z in M by lia.
      pose proof (between j). pose proof (between (j - Z.of_nat k - 1)%Z). lra.
    - apply moves_within. intros j J. pose proof (moves_at x n (S k) j ltac:(lia)) as M.
      pose proof (between j). pose proof (between (j - Z.of_nat (S k) - 1)%Z) as B.
      replace (j - Z.of_nat (S k) - 1 + 1)%Z with (j - Z.of_nat k - 1)%Z in B by lia. lra.
  Qed.
  Lemma alike_after_a_replacement a b u :
    table_of in_range u -> in_range a -> in_range b -> a <= b -> alike (a :: u) (b :: u).
  Proof.
    intros U A B order. unfold alike, move, median. simpl length. simpl sorted.
    assert (inside : Forall in_range (sorted u)) by (apply (Permutation_Forall (sorted_members u)), U).
    pose proof (fun i => padded_after_a_row a (sorted u) i (sorted_rising u) inside A) as after_a.
    pose proof (fun i => padded_after_a_row b (sorted u) i (sorted_rising u) inside B) as after_b.
    pose proof (fun i => padded_of_a_greater_row a b (sorted u) i (sorted_rising u) inside A B order) as grows.
    set (x := padded (put_in a (sorted u))) in *. set (y := padded (put_in b (sorted u))) in *.
    set (z := padded (sorted u)) in *. set (n := S (length u)). set (m := middle n).
    repeat split; try lia.
    - pose proof (moves_at x n 0 (m + 1)%Z ltac:(unfold m; lia)) as M. pose proof (grows m). pose proof (after_a m).
      pose proof (after_b m). replace (m + 1 - Z.of_nat 0 - 1)%Z with m in M by lia. apply Rabs_le. lra.
    - pose proof (moves_at y n 0 m ltac:(unfold m; lia)) as M. pose proof (grows m).
      pose proof (after_a (m - 1)%Z) as L. pose proof (after_b (m - 1)%Z). replace (m - 1 + 1)%Z with m in L by lia.
      replace (m - Z.of_nat 0 - 1)%Z with (m - 1)%Z in M by lia. apply Rabs_le. lra.
    - apply moves_within. intros j J. pose proof (moves_at y n (S k) j ltac:(lia)) as M. pose proof (grows j).
      pose proof (after_a (j - Z.of_nat (S k) - 1)%Z) as L. pose proof (after_b (j - Z.of_nat (S k) - 1)%Z).
      replace (j - Z.of_nat (S k) - 1 + 1)%Z with (j - Z.of_nat k - 1)%Z in L by lia. lra.
    - apply moves_within. intros j J. pose proof (moves_at x n (S k) (j + 1)%Z ltac:(lia)) as M.
      pose proof (grows (j - Z.of_nat k - 1)%Z). pose proof (after_a j). pose proof (after_b j).
      replace (j + 1 - Z.of_nat (S k) - 1)%Z with (j - Z.of_nat k - 1)%Z in M by lia. lra.
  Qed.
  Lemma median_reordered u v : Permutation u v -> median u = median v /\ move u = move v /\ length u = length v.
  Proof.
    intro P. unfold median, move. rewrite (sorted_reordered _ _ P), (Permutation_length P). auto.
  Qed.
  Lemma alike_reordered u v u' v' : Permutation u u' -> Permutation v v' -> alike u v -> alike u' v'.
  Proof.
    intros P Q. destruct (median_reordered u u' P) as (M & A & L), (median_reordered v v' Q) as (M' & A' & L').
    unfold alike. rewrite M, A, L, M', A', L'. auto.
  Qed.
  Lemma move_grows u k : table_of in_range u -> move u k <= move u (S k).
  Proof.
    intro U. apply moves_within. intros j J. unfold move. set (x := padded (sorted u)).
    assert (inside : Forall in_range (sorted u)) by (apply (Permutation_Forall (sorted_members u)), U).
    pose proof (moves_at x (length u) (S k) j ltac:(lia)) as M. fold x.
    enough (x (j - Z.of_nat (S k) - 1)%Z <= x (j - Z.of_nat k - 1)%Z) by lra.
    replace (j - Z.of_nat k - 1)%Z with (j - Z.of_nat (S k) - 1 + 1)%Z by lia. set (i := (j - Z.of_nat (S k) - 1)%Z).
    apply padded_rises; [apply sorted_rising | exact inside].
  Qed.
  Lemma move_nonnegative u : table_of in_range u -> 0 <= move u 0.
  Proof.
    intro U. assert (inside : Forall in_range (sorted u)) by (apply (Permutation_Forall (sorted_members u)), U).
    unfold move. set (x := padded (sorted u)). set (m := middle (length u)).
    pose proof (moves_at x (length u) 0 m ltac:(unfold m; lia)) as M.
    replace (m - Z.of_nat 0 - 1)%Z with (m - 1)%Z in M by lia.
    pose proof (padded_rises (sorted u) (m - 1) (sorted_rising u) inside) as rises. fold x in rises.
    replace (m - 1 + 1)%Z with m in rises by lia. lra.
  Qed.
  Lemma neighbours_are_alike n u v : restricted (table_of in_range) (edits n 1) u v -> alike u v.
  Proof.
    intros (U & V & near).
    assert (itself : alike u u).
    { assert (N : 0 <= move u 0) by (apply move_nonnegative, U).
      unfold alike. rewrite Rminus_eq_0, Rabs_R0. repeat split; try lia; try assumption; apply move_grows, U. }
    destruct n; simpl in near;
      [apply (symmetric_counts_edits 1) in near | apply (change_one_counts_replacements 1) in near];
      destruct near as ([| [| m]] & M & H); try lia; simpl in H;
      try (apply (alike_reordered u u); [reflexivity | exact H | exact itself]).
    - destruct H as (w & (row & [P | P]) & Q).
      + apply (alike_reordered u (row :: u)); [reflexivity | rewrite <- Q; symmetry; exact P |].
        apply alike_after_a_row; [exact U |].
        assert (F : table_of in_range (row :: u))
          by (apply (Permutation_Forall P), (Permutation_Forall (Permutation_sym Q)), V).
        inversion F; assumption.
      + apply (alike_reordered (row :: w) w); [symmetry; exact P | exact Q |].
        assert (F : table_of in_range (row :: w)) by (apply (Permutation_Forall P), U).
        inversion F; subst. apply alike_symmetric, alike_after_a_row; assumption.
    - destruct H as (w & (row & other & rest & P & P') & Q).
      apply (alike_reordered (row :: rest) (other :: rest)); [symmetry; exact P | rewrite <- Q; symmetry; exact P' |].
      assert (F : table_of in_range (row :: rest)) by (apply (Permutation_Forall P), U).
      assert (F' : table_of in_range (other :: rest))
        by (apply (Permutation_Forall P'), (Permutation_Forall (Permutation_sym Q)), V).
      inversion F; inversion F'; subst. destruct (Rle_lt_dec row other) as [order | order].
      + apply alike_after_a_replacement; assumption.
      + apply alike_symmetric, alike_after_a_replacement; try assumption. lra.
  Qed.
  Lemma move_at_most u k : table_of in_range u -> move u k <= upper - lower.
  Proof.
    intro U. assert (inside : Forall in_range (sorted u)) by (apply (Permutation_Forall (sorted_members u)), U).
    apply moves_within. intros j _. pose proof (padded_in_range (sorted u) j inside) as A.
    pose proof (padded_in_range (sorted u) (j - Z.of_nat k - 1)%Z inside) as B. unfold in_range in *. lra.
  Qed.
  Lemma move_of_all u : table_of in_range u -> upper - lower <= move u (length u).
  Proof.
    intro U. set (n := length u).
    assert (place : (middle n <= Z.of_nat n + 1 <= middle n + Z.of_nat n + 1)%Z).
    { unfold middle. pose proof (Nat.div_mod (n + 1) 2 ltac:(lia)). lia. }
    pose proof (moves_at (padded (sorted u)) n n (Z.of_nat n + 1)%Z place) as M.
    replace (padded (sorted u) (Z.of_nat n + 1)%Z) with upper in M.
    - replace (padded (sorted u) (Z.of_nat n + 1 - Z.of_nat n - 1)%Z) with lower in M; [exact M |].
      replace (Z.of_nat n + 1 - Z.of_nat n - 1)%Z with 0%Z by lia. reflexivity.
    - rewrite padded_from_1 by lia. rewrite nth_overflow; [reflexivity |].
      rewrite <- (Permutation_length (sorted_members u)). fold n. lia.
  Qed.

  (* median_bounds, smooth: one row moves the bound, the greatest A^(k) / growth^k, by a factor of growth at most. *)
  Definition smooth_bound (growth : R) (u : table R) : R := greatest (length u) (fun k => move u k / growth ^ k).
  Lemma smooth_bound_at_least growth u k : (k <= length u)%nat -> move u k / growth ^ k <= smooth_bound growth u.
  Proof. apply (greatest_at_least (length u) (fun k => move u k / growth ^ k)). Qed.
  Lemma smooth_bound_positive growth u : 1 <= growth -> table_of in_range u -> 0 < smooth_bound growth u.
  Proof.
    intros G U. eapply Rlt_le_trans; [| apply (smooth_bound_at_least growth u (length u)); lia].
    pose proof (move_of_all u U). apply Rdiv_lt_0_compat; [lra | apply pow_lt; lra].
  Qed.
  Lemma smooth_bound_grows growth u v :
    1 <= growth -> table_of in_range u -> table_of in_range v -> alike u v ->
    smooth_bound growth u <= growth * smooth_bound growth v.
  Proof.
    intros G U V (_ & _ & _ & _ & M). apply greatest_at_most. intros k K.
    assert (P : 0 < growth ^ k) by (apply pow_lt; lra).
    destruct (Nat.lt_ge_cases k (length v)) as [fewer | more].
    - apply Rle_trans with (growth * (move v (S k) / growth ^ S k)).
      + simpl pow. replace (growth * (move v (S k) / (growth * growth ^ k))) with (move v (S k) / growth ^ k)
          by (field; lra).
        apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, P | apply M].
      + apply Rmult_le_compat_l; [lra | apply smooth_bound_at_least; lia].
    - pose proof (smooth_bound_positive growth v G V) as S_.
      apply Rle_trans with (smooth_bound growth v); [| nra].
      eapply Rle_trans; [| apply (smooth_bound_at_least growth v (length v)); lia].
      assert (Q : 0 < growth ^ length v) by (apply pow_lt; lra).
      pose proof (Rle_pow growth (length v) k G more). pose proof (move_at_most u k U). pose proof (move_of_all v V).
      unfold Rdiv. apply Rle_trans with ((upper - lower) * / growth ^ k).
      + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, P | assumption].
      + apply Rmult_le_compat; [lra | left; apply Rinv_0_lt_compat, P | assumption | apply Rinv_le_contravar;
          assumption].
  Qed.
  Theorem median_bounds (n : neighbours) (growth : R) :
    1 <= growth ->
    stable (restricted (table_of in_range) (edits n 1)) (fun u => (median u, smooth_bound growth u))
           (restricted (fun pair => 0 < snd pair) (smooth growth)).
  Proof.
    intros G u v near. pose proof near as (U & V & _). pose proof (neighbours_are_alike n u v near) as A.
    split; [apply smooth_bound_positive; assumption | split; [apply smooth_bound_positive; assumption |]].
    repeat split; simpl.
    - destruct A as (_ & _ & M & M' & _).
      pose proof (smooth_bound_at_least growth u 0 ltac:(lia)) as S_.
      pose proof (smooth_bound_at_least growth v 0 ltac:(lia)) as S'.
      simpl in S_, S'. unfold Rdiv in S_, S'. rewrite Rinv_1, Rmult_1_r in S_, S'. apply Rmin_glb; lra.
    - apply smooth_bound_grows; assumption.
    - apply smooth_bound_grows; try assumption. apply alike_symmetric, A.
  Qed.

  (* median_bounds, tested: the least k of which A^(k) is more than a bound moves by 1 at most. *)
  Fixpoint least_beyond (f : nat -> R) (bound : R) (from count : nat) : nat :=
    match count with
    | O => from
    | S count => if Rlt_dec bound (f from) then from else least_beyond f bound (S from) count
    end.
  Lemma least_beyond_is_least f bound count : forall from,
    (from <= least_beyond f bound from count <= from + count)%nat /\
    (forall k, (from <= k < least_beyond f bound from count)%nat -> f k <= bound) /\
    ((least_beyond f bound from count < from + count)%nat -> bound < f (least_beyond f bound from count)).
  Proof.
    induction count as [| count IH]; intro from; simpl.
    - repeat split; [lia | lia | intros k K; lia | lia].
    - destruct (Rlt_dec bound (f from)) as [beyond | within_].
      + repeat split; [lia | lia | intros k K; lia | auto].
      + destruct (IH (S from)) as (range & below & beyond). repeat split; [lia | lia | | intro; apply beyond; lia].
        intros k K. destruct (Nat.eq_dec k from) as [-> | other]; [lra | apply below; lia].
  Qed.
  Definition distance_of (bound : R) (u : table R) : nat := least_beyond (move u) bound 0 (S (length u)).
  Lemma distance_grows bound u v : alike u v -> (distance_of bound v <= distance_of bound u + 1)%nat.
  Proof.
    intros (_ & L & _ & _ & M). unfold distance_of.
    destruct (least_beyond_is_least (move u) bound (S (length u)) 0) as (range & _ & beyond).
    destruct (least_beyond_is_least (move v) bound (S (length v)) 0) as (range' & below' & _).
    set (g := least_beyond (move u) bound 0 (S (length u))) in *.
    set (g' := least_beyond (move v) bound 0 (S (length v))) in *.
    destruct (Nat.le_gt_cases g' (g + 1)) as [| farther]; [assumption |].
    destruct (Nat.lt_ge_cases g (0 + S (length u))) as [found | none]; [| lia].
    specialize (beyond found). specialize (below' (S g) ltac:(lia)). pose proof (proj1 (M g)). lra.
  Qed.
  Theorem median_bounds_tested (n : neighbours) (granularity bound : R) :
    0 <= bound -> on_grid granularity lower ->
    stable (restricted (table_of (fun x => on_grid granularity x /\ in_range x)) (edits n 1))
           (fun u => (INR (distance_of bound u), median u))
           (restricted (fun pair => on_grid 1 (fst pair) /\ on_grid granularity (snd pair)) (tested bound)).
  Proof.
    intros positive ends u v (U & V & near).
    assert (grid : forall w, table_of (fun x => on_grid granularity x /\ in_range x) w ->
              on_grid 1 (INR (distance_of bound w)) /\ on_grid granularity (median w)).
    { intros w W. split; [exists (Z.of_nat (distance_of bound w)); rewrite <- INR_IZR_INZ; ring |].
      unfold median, padded. destruct (Z.leb_spec (middle (length w)) 0) as [| some]; [exact ends |].
      assert (among : In (nth (Z.to_nat (middle (length w) - 1)) (sorted w) upper) (sorted w)).
      { apply nth_In. rewrite <- (Permutation_length (sorted_members w)). unfold middle in *.
        pose proof (Nat.div_mod (length w + 1) 2 ltac:(lia)). lia. }
      apply (Permutation_in _ (Permutation_sym (sorted_members w))) in among.
      unfold table_of in W. rewrite Forall_forall in W. apply (W _ among). }
    assert (inside : forall w, table_of (fun x => on_grid granularity x /\ in_range x) w -> table_of in_range w).
    { intros w W. eapply Forall_impl; [| exact W]. intros x [_ X]. exact X. }
    assert (A : alike u v) by (apply (neighbours_are_alike n); repeat split; auto).
    split; [exact (grid u U) | split; [exact (grid v V) |]]. split; [exact positive |]. simpl. split.
    - pose proof (distance_grows bound u v A) as L. pose proof (distance_grows bound v u (alike_symmetric _ _ A)) as L'.
      apply le_INR in L, L'. rewrite plus_INR in L, L'. simpl in L, L'. apply Rabs_le. lra.
    - destruct A as (_ & _ & M & M' & _).
      assert (near_ : forall w, (0 < distance_of bound w)%nat -> move w 0 <= bound).
      { intros w W. unfold distance_of in W.
        apply (least_beyond_is_least (move w) bound (S (length w)) 0). lia. }
      destruct (Nat.eq_dec (distance_of bound u) 0) as [zero | some]; [| left; specialize (near_ u ltac:(lia)); lra].
      destruct (Nat.eq_dec (distance_of bound v) 0) as [zero' | some]; [| left; specialize (near_ v ltac:(lia)); lra].
      right. rewrite zero, zero'. simpl. rewrite Rmax_left; lra.
  Qed.
End median.
(* The median of ages from 0 to 120, with a bound that a row at most doubles. *)
Example median_of_ages n :
  stable (restricted (table_of (in_range 0 120)) (edits n 1)) (fun u => (median 0 120 u, smooth_bound 0 120 2 u))
         (restricted (fun pair => 0 < snd pair) (smooth 2)).
Proof. apply median_bounds; lra. Qed.

(** * Minimisers of regularised losses *)

Section regularised_minimiser.
  Context (n : neighbours) (dimension : nat) (granularity reach steepness regularisation tolerance d_in : R).
  Context (factor : R -> R -> R) (root_above : R -> R) (slope : R -> R -> R).
  Hypothesis granularity_is_positive : 0 < granularity.
  Hypothesis root_is_above :
    forall square, 0 <= square -> 0 <= root_above square /\ square <= root_above square ^ 2.
  Hypothesis reach_is_not_negative : 0 <= reach.
  Hypothesis factor_keeps_the_square : forall square root,
    0 <= square -> 0 <= root -> square <= root ^ 2 -> factor square root ^ 2 * square <= reach ^ 2.
  Hypothesis slope_is_within_steepness : forall margin power, 0 < power -> Rabs (slope margin power) <= steepness.
  Hypothesis slope_does_not_fall : forall margin power other_margin other_power,
    margin <= other_margin -> 0 < power -> power <= other_power -> slope margin power <= slope other_margin other_power.
  Hypothesis regularisation_is_positive : 0 < regularisation.
  Hypothesis tolerance_is_positive : 0 < tolerance.

  (* The clipped row, the slope of its loss at the coefficients w, and what rows pull together. *)
  Let image := rescaled towards_zero granularity dimension factor root_above.
  Definition slope_at (w row : vector) : R :=
    slope (inner dimension w (image row)) (exp (inner dimension w (image row))).
  Definition pulled (w : vector) : table vector -> vector := vector_sum (fun row j => slope_at w row * image row j).
  Definition gradient (weight : R) (u : table vector) (w : vector) : vector := fun j => weight * w j + pulled w u j.
  Let pull := steepness * reach.

  Lemma inner_sum u v w : inner dimension (fun j => u j + v j) w = inner dimension u w + inner dimension v w.
  Proof. unfold inner. rewrite <- total_sum. apply total_same. intros. ring. Qed.
  Lemma inner_multiple c u w : inner dimension (fun j => c * u j) w = c * inner dimension u w.
  Proof. unfold inner. rewrite <- total_multiple. apply total_same. intros. ring. Qed.
  Lemma inner_same u v w : (forall j, u j = v j) -> inner dimension u w = inner dimension v w.
  Proof. intro same. apply total_same. intros. rewrite same. reflexivity. Qed.
  Lemma image_is_short row : norm dimension (image row) <= reach.
  Proof.
    pose proof (rescaled_is_short towards_zero 1 dimension granularity reach factor root_above granularity_is_positive
                  root_is_above reach_is_not_negative factor_keeps_the_square row) as H.
    unfold rescaled_length in H. change (INR 1) with 1 in H. rewrite Nat.mul_1_l, sqrt_1 in H. fold image in H. lra.
  Qed.
  Lemma pull_nonnegative : 0 <= pull.
  Proof.
    apply Rmult_le_pos; [| exact reach_is_not_negative].
    eapply Rle_trans; [apply Rabs_pos | apply (slope_is_within_steepness 0 1); lra].
  Qed.
  Lemma one_row_pulls w row : norm dimension (fun j => slope_at w row * image row j) <= pull.
  Proof.
    rewrite norm_multiple. apply Rmult_le_compat; [apply Rabs_pos | apply norm_nonnegative | | apply image_is_short].
    apply slope_is_within_steepness, exp_pos.
  Qed.
  Lemma rows_pull w u : norm dimension (pulled w u) <= INR (length u) * pull.
  Proof.
    induction u as [| row u IH].
    - right. simpl. rewrite Rmult_0_l. apply norm_zero. reflexivity.
    - change (length (row :: u)) with (S (length u)). rewrite S_INR.
      change (norm dimension (fun j => slope_at w row * image row j + pulled w u j) <= (INR (length u) + 1) * pull).
      eapply Rle_trans; [apply norm_triangle |]. pose proof (one_row_pulls w row). lra.
  Qed.
  Lemma pulled_reordered w u v j : Permutation u v -> pulled w u j = pulled w v j.
  Proof. apply sum_of_reordered. Qed.
  Lemma pulled_together w u v j : pulled w (u ++ v) j = pulled w u j + pulled w v j.
  Proof. unfold pulled, vector_sum. induction u as [| row u IH]; simpl; [ring |]. rewrite IH. ring. Qed.
  (* A slope that does not fall makes the losses convex. *)
  Lemma losses_are_convex a b u : 0 <= inner dimension (difference (pulled a u) (pulled b u)) (difference a b).
  Proof.
    induction u as [| row u IH].
    - right. symmetry. apply total_nothing. intros. unfold difference, pulled, vector_sum. simpl. ring.
    - rewrite (inner_same _
        (fun j => (slope_at a row - slope_at b row) * image row j + difference (pulled a u) (pulled b u) j))
        by (intro; unfold difference, pulled, vector_sum; simpl; ring).
      rewrite inner_sum, inner_multiple. apply Rplus_le_le_0_compat; [| exact IH].
      assert (margins : inner dimension (image row) (difference a b) =
                inner dimension a (image row) - inner dimension b (image row)).
      { unfold inner. rewrite <- total_difference. apply total_same. intros. unfold difference. ring. }
      rewrite margins. unfold slope_at.
      set (x := inner dimension a (image row)). set (y := inner dimension b (image row)).
      destruct (Rle_lt_dec x y) as [below | above].
      + pose proof (slope_does_not_fall x (exp x) y (exp y) below (exp_pos x) (exp_le x y below)).
        replace ((slope x (exp x) - slope y (exp y)) * (x - y)) with ((slope y (exp y) - slope x (exp x)) * (y - x))
          by ring.
        apply Rmult_le_pos; lra.
      + assert (order : y <= x) by lra.
        pose proof (slope_does_not_fall y (exp y) x (exp x) order (exp_pos y) (exp_le y x order)).
        apply Rmult_le_pos; lra.
  Qed.
  (* Points at which the gradient of one table is short are near each other: the ridge. *)
  Lemma short_gradients weight u a b p q :
    0 < weight -> norm dimension (gradient weight u a) <= p -> norm dimension (gradient weight u b) <= q ->
    weight * norm dimension (difference a b) <= p + q.
  Proof.
    intros positive P Q. set (D := norm dimension (difference a b)).
    pose proof (norm_nonnegative dimension (difference a b)) as D0. fold D in D0.
    pose proof (norm_nonnegative dimension (gradient weight u a)).
    pose proof (norm_nonnegative dimension (gradient weight u b)).
    destruct (Req_dec D 0) as [-> | more]; [lra |].
    apply (Rmult_le_reg_r D); [lra |].
    pose proof (cauchy_schwarz dimension (difference (gradient weight u a) (gradient weight u b)) (difference a b))
      as C.
    rewrite (inner_same _ (fun j => weight * difference a b j + difference (pulled a u) (pulled b u) j)) in C
      by (intro; unfold difference, gradient; ring).
    rewrite inner_sum, inner_multiple in C. pose proof (losses_are_convex a b u) as convex. fold D in C.
    replace (inner dimension (difference a b) (difference a b)) with (D * D) in C.
    - pose proof (norm_difference dimension (gradient weight u a) (gradient weight u b)) as G.
      assert (norm dimension (difference (gradient weight u a) (gradient weight u b)) * D <= (p + q) * D)
        by (apply Rmult_le_compat_r; lra). lra.
    - replace (D * D) with (D ^ 2) by ring. unfold D. rewrite norm_squared. apply total_same. intros. ring.
  Qed.
  (* The gradient at a point, after rows were removed and added. *)
  Lemma gradient_after_edits weight u v removed added w p :
    differ u v removed added -> norm dimension (gradient weight u w) <= p ->
    norm dimension (gradient weight v w) <= p + INR (length removed + length added) * pull.
  Proof.
    intros (common & U & V) P.
    rewrite (norm_same _ _ (fun j => gradient weight u w j + difference (pulled w added) (pulled w removed) j)).
    - eapply Rle_trans; [apply norm_triangle |].
      pose proof (norm_difference dimension (pulled w added) (pulled w removed)).
      pose proof (rows_pull w added). pose proof (rows_pull w removed). rewrite plus_INR. lra.
    - intros j _. unfold gradient, difference.
      rewrite (pulled_reordered w _ _ j U), (pulled_reordered w _ _ j V), !pulled_together. ring.
  Qed.

  (* How far d_in edits move the coefficients at most. *)
  Definition minimiser_moves : R :=
    (d_in * match n with add_remove => pull | replace_one => 2 * pull end + 2 * tolerance) / regularisation.
  Lemma so_many_edits (removed added : table vector) :
    match n with
    | add_remove => INR (length removed + length added) <= d_in
    | replace_one => length removed = length added /\ INR (length removed) <= d_in
    end -> INR (length removed + length added) * pull + 2 * tolerance <= minimiser_moves * regularisation.
  Proof.
    intro L. pose proof pull_nonnegative as P. unfold minimiser_moves.
    replace (_ / regularisation * regularisation) with
      (d_in * match n with add_remove => pull | replace_one => 2 * pull end + 2 * tolerance) by (field; lra).
    destruct n.
    - pose proof (Rmult_le_compat_r pull _ _ P L). lra.
    - destruct L as [same L]. rewrite plus_INR, <- same. pose proof (Rmult_le_compat_r pull _ _ P L). lra.
  Qed.
  Lemma edits_differ (u v : table vector) : edits n d_in u v ->
    exists removed added : table vector, differ u v removed added /\
    match n with
    | add_remove => INR (length removed + length added) <= d_in
    | replace_one => length removed = length added /\ INR (length removed) <= d_in
    end.
  Proof. intro near. destruct n; destruct near as (removed & added & H); exists removed, added; intuition. Qed.

  (* regularised_minimiser, of sums of losses: any coefficients at which the gradient is within the tolerance. *)
  Theorem regularised_minimiser (T : table vector -> vector) :
    (forall u, norm dimension (gradient regularisation u (T u)) <= tolerance) ->
    stable (edits n d_in) T (l2 dimension minimiser_moves).
  Proof.
    intros found u v near. destruct (edits_differ u v near) as (removed & added & D & L). apply l2_by_norm.
    pose proof (gradient_after_edits regularisation u v removed added (T u) tolerance D (found u)) as A.
    pose proof (short_gradients regularisation v (T u) (T v) _ _ regularisation_is_positive A (found v)) as S_.
    pose proof (so_many_edits removed added L).
    apply (Rmult_le_reg_r regularisation); [exact regularisation_is_positive |]. lra.
  Qed.
  Theorem regularised_minimiser_l1 (T : table vector -> vector) :
    (forall u, norm dimension (gradient regularisation u (T u)) <= tolerance) ->
    stable (edits n d_in) T (l1 dimension (sqrt (INR dimension) * minimiser_moves)).
  Proof.
    intros found u v near. pose proof (regularised_minimiser T found u v near) as H. apply l2_by_norm in H.
    unfold l1. eapply Rle_trans; [apply (l1_by_norm dimension (difference (T u) (T v))) |].
    apply Rmult_le_compat_l; [apply sqrt_pos | exact H].
  Qed.

  (* regularised_minimiser, of losses averaged over the rows, or over 1 where there is none. *)
  Definition rows_of (u : table vector) : R := INR (Nat.max 1 (length u)).
  Definition averaged_gradient (u : table vector) (w : vector) : vector :=
    fun j => regularisation * w j + pulled w u j / rows_of u.
  Lemma some_rows u : 1 <= rows_of u.
  Proof. unfold rows_of. change 1 with (INR 1). apply le_INR. lia. Qed.
  Lemma gradient_of_an_average u w :
    norm dimension (averaged_gradient u w) <= tolerance ->
    norm dimension (gradient (rows_of u * regularisation) u w) <= rows_of u * tolerance.
  Proof.
    intro H. pose proof (some_rows u) as N.
    rewrite (norm_same _ _ (fun j => rows_of u * averaged_gradient u w j))
      by (intros; unfold gradient, averaged_gradient; field; lra).
    rewrite norm_multiple, Rabs_right by lra. apply Rmult_le_compat_l; lra.
  Qed.
  Lemma average_is_short u w :
    norm dimension (averaged_gradient u w) <= tolerance -> regularisation * norm dimension w <= pull + tolerance.
  Proof.
    intro H. pose proof (some_rows u) as N. pose proof pull_nonnegative as P.
    assert (K : norm dimension (fun j => regularisation * w j) <= norm dimension (averaged_gradient u w) + pull).
    { rewrite (norm_same _ _ (difference (averaged_gradient u w) (fun j => / rows_of u * pulled w u j)))
        by (intros; unfold difference, averaged_gradient; field; lra).
      eapply Rle_trans; [apply norm_difference |]. apply Rplus_le_compat_l.
      rewrite norm_multiple, Rabs_right by (apply Rle_ge; left; apply Rinv_0_lt_compat; lra).
      apply (Rmult_le_reg_l (rows_of u)); [lra |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
      eapply Rle_trans; [apply rows_pull |]. apply Rmult_le_compat_r; [exact P |]. apply le_INR. lia. }
    rewrite norm_multiple, Rabs_right in K by lra. lra.
  Qed.
  Lemma averages_of_one_size u v removed added a b :
    rows_of u = rows_of v -> differ u v removed added ->
    norm dimension (averaged_gradient u a) <= tolerance -> norm dimension (averaged_gradient v b) <= tolerance ->
    regularisation * norm dimension (difference a b) <= INR (length removed + length added) * pull + 2 * tolerance.
  Proof.
    intros same D A B. pose proof (some_rows u) as N. apply gradient_of_an_average in A.
    apply gradient_of_an_average in B.
    rewrite <- same in B. apply (gradient_after_edits _ u v removed added) in A; [| exact D].
    assert (W : 0 < rows_of u * regularisation) by (apply Rmult_lt_0_compat; lra).
    pose proof (short_gradients _ v a b _ _ W A B) as S_.
    apply (Rmult_le_reg_l (rows_of u)); [lra |].
    assert (0 <= INR (length removed + length added) * pull)
      by (apply Rmult_le_pos; [apply pos_INR | apply pull_nonnegative]).
    assert (1 * (INR (length removed + length added) * pull) <=
      rows_of u * (INR (length removed + length added) * pull))
      by (apply Rmult_le_compat_r; assumption). lra.
  Qed.
  Lemma averages_after_a_row u v row a b :
    Permutation v (row :: u) ->
    norm dimension (averaged_gradient u a) <= tolerance -> norm dimension (averaged_gradient v b) <= tolerance ->
    regularisation * norm dimension (difference a b) <= pull + 2 * tolerance.
  Proof.
    intros V A B. assert (size : length v = S (length u)) by (apply Permutation_length in V; exact V).
    assert (D : differ u v [] [row]).
    { exists u. rewrite app_nil_r. split; [reflexivity |]. rewrite V. apply Permutation_cons_append. }
    destruct (Nat.eq_dec (length u) 0) as [none | some].
    - pose proof (averages_of_one_size u v [] [row] a b) as H. simpl in H. unfold rows_of in H.
      rewrite size, none in H. specialize (H eq_refl D A B). lra.
    - pose proof (average_is_short u a A) as short. apply gradient_of_an_average in A.
      apply gradient_of_an_average in B.
      set (m := INR (length u)). assert (M : 1 <= m) by (unfold m; change 1 with (INR 1); apply le_INR; lia).
      assert (m0 : rows_of u = m) by (unfold rows_of, m; f_equal; lia).
      assert (m1 : rows_of v = m + 1) by (unfold rows_of, m; rewrite size, <- S_INR; f_equal; lia).
      rewrite m0 in A. rewrite m1 in B.
      assert (A' : norm dimension (gradient ((m + 1) * regularisation) u a) <= m * tolerance + (pull + tolerance)).
      { rewrite (norm_same _ _ (fun j => gradient (m * regularisation) u a j + regularisation * a j))
          by (intros; unfold gradient; ring).
        eapply Rle_trans; [apply norm_triangle |]. rewrite norm_multiple, Rabs_right by lra. lra. }
      apply (gradient_after_edits _ u v [] [row]) in A'; [| exact D]. simpl in A'.
      assert (W : 0 < (m + 1) * regularisation) by (apply Rmult_lt_0_compat; lra).
      pose proof (short_gradients _ v a b _ _ W A' B) as S_. pose proof pull_nonnegative as P.
      apply (Rmult_le_reg_l (m + 1)); [lra |].
      assert (2 * pull <= (m + 1) * pull) by (apply Rmult_le_compat_r; lra). lra.
  Qed.
  Theorem regularised_minimiser_averaged (T : table vector -> vector) :
    (forall u, norm dimension (averaged_gradient u (T u)) <= tolerance) ->
    stable (edits n d_in) T (l2 dimension minimiser_moves).
  Proof.
    intros found u v near. destruct (edits_differ u v near) as (removed & added & D & L). apply l2_by_norm.
    pose proof (so_many_edits removed added L) as enough_.
    apply (Rmult_le_reg_r regularisation); [exact regularisation_is_positive |].
    eapply Rle_trans; [| exact enough_]. rewrite Rmult_comm. clear enough_. pose proof pull_nonnegative as P.
    pose proof (differ_length _ _ _ _ D) as sizes.
    destruct (Nat.eq_dec (length u) (length v)) as [same | other].
    { apply (averages_of_one_size u v removed added); auto. unfold rows_of. rewrite same. reflexivity. }
    destruct (Nat.le_gt_cases (length removed + length added) 1) as [one | more].
    - destruct D as (common & U & V).
      destruct removed as [| row [| ? ?]], added as [| row' [| ? ?]]; simpl in one, sizes; try lia;
        rewrite app_nil_r in *; simpl length; simpl INR.
      + pose proof (averages_after_a_row u v row' (T u) (T v)) as H.
        assert (Q : Permutation v (row' :: u)) by (rewrite V, U; symmetry; apply Permutation_cons_append).
        specialize (H Q (found u) (found v)). lra.
      + pose proof (averages_after_a_row v u row (T v) (T u)) as H.
        assert (Q : Permutation u (row :: v)) by (rewrite V, U; symmetry; apply Permutation_cons_append).
        specialize (H Q (found v) (found u)). rewrite norm_difference_symmetric in H. lra.
    - pose proof (average_is_short u (T u) (found u)). pose proof (average_is_short v (T v) (found v)).
      pose proof (norm_difference dimension (T u) (T v)) as N.
      apply (Rmult_le_compat_l regularisation) in N; [| lra].
      assert (two : 2 <= INR (length removed + length added)) by (apply (le_INR 2) in more; exact more).
      apply (Rmult_le_compat_r pull) in two; [| exact P]. lra.
  Qed.
  Theorem regularised_minimiser_averaged_l1 (T : table vector -> vector) :
    (forall u, norm dimension (averaged_gradient u (T u)) <= tolerance) ->
    stable (edits n d_in) T (l1 dimension (sqrt (INR dimension) * minimiser_moves)).
  Proof.
    intros found u v near. pose proof (regularised_minimiser_averaged T found u v near) as H. apply l2_by_norm in H.
    unfold l1. eapply Rle_trans; [apply (l1_by_norm dimension (difference (T u) (T v))) |].
    apply Rmult_le_compat_l; [apply sqrt_pos | exact H].
  Qed.
End regularised_minimiser.

(* Logistic regression on rows clipped to length 1: the slope of the loss ln(1 + e^-m) is -1 / (1 + e^m). *)
Definition logistic_slope (margin power : R) := - / (1 + power).
Example logistic_regression_is_stable dimension d_in T :
  (forall u, norm dimension (gradient dimension (1 / 1024) (clipping 1) sqrt logistic_slope 1 u (T u)) <= 1 / 100) ->
  stable (edits add_remove d_in) T (l2 dimension (minimiser_moves add_remove 1 1 1 (1 / 100) d_in)).
Proof.
  apply (regularised_minimiser add_remove); try lra.
  - intros square S. split; [apply sqrt_pos | rewrite pow2_sqrt; lra].
  - intros. apply clipping_keeps_the_square; lra.
  - intros margin power positive. unfold logistic_slope. rewrite Rabs_Ropp, Rabs_right.
    + rewrite <- Rinv_1 at 2. apply Rinv_le_contravar; lra.
    + apply Rle_ge. left. apply Rinv_0_lt_compat. lra.
  - intros margin power other other_power _ positive order. unfold logistic_slope. apply Ropp_le_contravar.
    apply Rinv_le_contravar; lra.
Qed.

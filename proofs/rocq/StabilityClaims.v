(* What exported claims of stability are written and proved with.

   Rows of a domain that a claim leaves open are values of any kind.  The lemmas turn what a domain says of a row, of a
   coordinate or of a dimension into what an obligation assumes of them. *)
From Coq Require Import Reals Lra Lia List ZArith ClassicalDedekindReals.
From Coq Require String.
From Refdp Require Import Laws Privacy Algebra Tables Sensitivity.
Import ListNotations.
Open Scope R_scope.

(** * Domains *)

(* What a cell or a row may be: refdp's exact numbers, texts, None, tuples of these, and columns with their cells. *)
Inductive value :=
| Number (x : R) | Text (written : String.string) | Missing | Tuple (parts : list value)
| Columns (columns : list (String.string * value)).
Definition any {X : Type} (_ : X) := True.
Definition is_cell (v : value) := match v with Number _ | Text _ | Missing => True | _ => False end.
(* records(): any columns, of different names, with a number, a text or nothing in each *)
Definition is_record (v : value) :=
  match v with
  | Columns columns => NoDup (map fst columns) /\ Forall (fun column => is_cell (snd column)) columns
  | _ => False
  end.
(* category(n), finite(n): the whole numbers from -1, or from 0, that are less than n *)
Definition category (n x : R) := integral x /\ -1 <= x /\ x < n.
Definition finite (n x : R) := integral x /\ 0 <= x /\ x < n.
Definition above (inside : R -> Prop) (lower x : R) := inside x /\ lower <= x.
Definition below (inside : R -> Prop) (upper x : R) := inside x /\ x <= upper.
Definition of_dimension {X : Type} (inside : X -> Prop) (dimension : nat) (v : nat -> X) :=
  forall j, (j < dimension)%nat -> inside (v j).

Lemma category_below (n x : R) : integral n -> category n x -> exists k : Z, x = IZR k /\ -1 <= IZR k /\ IZR k <= n - 1.
Proof.
  intros [m ->] ([k ->] & low & high). exists k. repeat split; [exact low |].
  apply lt_IZR in high. rewrite <- minus_IZR. apply IZR_le. lia.
Qed.
Lemma coordinate_below (j : nat) (dimension : Z) :
  (j < Z.to_nat dimension)%nat -> 0 <= IZR (Z.of_nat j) /\ IZR (Z.of_nat j) <= IZR dimension - 1.
Proof. intro J. rewrite <- minus_IZR. split; apply IZR_le; lia. Qed.
Lemma next_coordinate (j : nat) : IZR (Z.of_nat (S j)) = IZR (Z.of_nat j) + 1.
Proof. rewrite <- plus_IZR. f_equal. lia. Qed.
Lemma last_coordinate (dimension : Z) : 1 <= IZR dimension -> IZR (Z.of_nat (Z.to_nat dimension)) = IZR dimension.
Proof. intro D. apply le_IZR in D. f_equal. lia. Qed.
Lemma some_coordinate (dimension : Z) : 1 <= IZR dimension -> (0 < Z.to_nat dimension)%nat.
Proof. intro D. apply le_IZR in D. lia. Qed.
Lemma count_of (dimension : Z) : 1 <= IZR dimension -> INR (Z.to_nat dimension) = IZR dimension.
Proof. intro D. rewrite INR_IZR_INZ. apply last_coordinate, D. Qed.
Lemma in_steps (x step : R) : multiple x step -> exists k : Z, x = step * IZR k.
Proof. intros [k ->]. exists k. ring. Qed.

Lemma stable_on_sized {Row Y : Type} (inside : Row -> Prop) size (near : table Row -> table Row -> Prop)
    (T : table Row -> Y) far :
  stable (restricted (table_of inside) near) T far -> stable (restricted (sized_table_of inside size) near) T far.
Proof. intros H u v N. apply H. apply (sized_tables_are_tables _ _ _ _ _ N). Qed.
Lemma stable_within {X Y : Type} (near nearer : X -> X -> Prop) (T : X -> Y) (far farther : Y -> Y -> Prop) :
  (forall u v, nearer u v -> near u v) -> (forall u v, far u v -> farther u v) ->
  stable near T far -> stable nearer T farther.
Proof. intros N F H u v n. apply F, H, N, n. Qed.

(** * Whole numbers *)

Lemma integral_absolute a : integral a -> integral (Rabs a).
Proof. intro A. unfold Rabs. destruct (Rcase_abs a); [apply integral_opposite |]; exact A. Qed.
Lemma integral_least a b : integral a -> integral b -> integral (Rmin a b).
Proof. intros A B. unfold Rmin. destruct (Rle_dec a b); assumption. Qed.
Lemma integral_greatest a b : integral a -> integral b -> integral (Rmax a b).
Proof. intros A B. unfold Rmax. destruct (Rle_dec a b); assumption. Qed.
Lemma on_a_grid step x y : x = step * y -> integral y -> on_grid step x.
Proof. intros -> [k ->]. exists k. reflexivity. Qed.

Ltac whole :=
  first
  [ assumption | apply integral_constant
  | apply integral_sum; whole | apply integral_difference; whole | apply integral_product; whole
  | apply integral_opposite; whole | apply integral_power; whole | apply integral_absolute; whole
  | apply integral_least; whole | apply integral_greatest; whole
  | match goal with |- integral (if ?decision then _ else _) => destruct decision; whole end ].

(** * Rescaled rows *)

(* The root that refdp takes: where it is rational the square root, else the least multiple above it of 2^-k, with
   4^(e - 1) < square <= 4^e and k = 64 - e. *)
Definition rational (x : R) := exists p q : Z, (0 < q)%Z /\ x = IZR p / IZR q.
Definition ceiling (x : R) : Z := (- Int_part (- x))%Z.
Definition root_above (square : R) : R :=
  if sig_not_dec (rational (sqrt square)) then sqrt square else
    let e := ceiling (ln square / ln 4) in
    let scale := powerRZ 2 (64 - e) in IZR (ceiling (sqrt square * scale)) / scale.
Lemma ceiling_above x : x <= IZR (ceiling x).
Proof. unfold ceiling. rewrite opp_IZR. destruct (base_Int_part (- x)) as [below _]. lra. Qed.
Lemma root_is_above square : 0 <= square -> 0 <= root_above square /\ square <= root_above square ^ 2.
Proof.
  intro positive. pose proof (sqrt_pos square) as root.
  assert (enough_ : sqrt square <= root_above square).
  { unfold root_above. destruct (sig_not_dec _); [lra |]. set (scale := powerRZ 2 _).
    assert (S_ : 0 < scale) by (apply powerRZ_lt; lra). apply (Rmult_le_reg_r scale); [exact S_ |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r. apply ceiling_above. }
  split; [lra |]. rewrite <- (sqrt_sqrt square) at 1 by exact positive.
  simpl. rewrite Rmult_1_r. apply Rmult_le_compat; assumption.
Qed.
Lemma root_of_a_square (p q : Z) square :
  (0 <= p)%Z -> (0 < q)%Z -> square = (IZR p / IZR q) ^ 2 -> root_above square = IZR p / IZR q.
Proof.
  intros P Q ->. apply IZR_le in P. pose proof (IZR_lt _ _ Q) as Q'.
  assert (root : sqrt ((IZR p / IZR q) ^ 2) = IZR p / IZR q).
  { apply sqrt_pow2. apply Rmult_le_pos; [exact P | left; apply Rinv_0_lt_compat, Q']. }
  unfold root_above. rewrite root. destruct (sig_not_dec _) as [_ | none]; [reflexivity |].
  elim none. exists p, q. auto.
Qed.

(* Results that are the same, coordinate by coordinate, are as near. *)
Lemma stable_of_the_same {X : Type} (near : X -> X -> Prop) (T U : X -> vector) dimension step d :
  (forall u j, T u j = U u j) ->
  stable near U (restricted (vector_on_grid dimension step) (l2 dimension d)) ->
  stable near T (restricted (vector_on_grid dimension step) (l2 dimension d)).
Proof.
  intros same H u v N. destruct (H u v N) as (A & B & D & C).
  split; [intros j J; rewrite same; apply A, J |]. split; [intros j J; rewrite same; apply B, J |].
  split; [exact D |]. erewrite total_same; [exact C |]. intros j _. cbv beta. rewrite !same. reflexivity.
Qed.
Lemma stable_of_the_same_l2 {X : Type} (near : X -> X -> Prop) (T U : X -> vector) dimension d :
  (forall u j, T u j = U u j) -> stable near U (l2 dimension d) -> stable near T (l2 dimension d).
Proof.
  intros same H u v N. destruct (H u v N) as (D & C). split; [exact D |].
  erewrite total_same; [exact C |]. intros j _. cbv beta. rewrite !same. reflexivity.
Qed.

Section rescaled.
  Context (n : neighbours) (inside : vector -> Prop) (way : rounding) (layers size : nat).
  Context (granularity reach divisor d_in : R) (factor : R -> R -> R) (T : table vector -> vector).
  Context (dimension : nat) (step far : R).
  Hypothesis granularity_is_positive : 0 < granularity.
  Hypothesis reach_is_not_negative : 0 <= reach.
  Hypothesis divisor_is_positive : 0 < divisor.
  Hypothesis factor_keeps_the_square : forall square root,
    0 <= square -> 0 <= root -> square <= root ^ 2 -> factor square root ^ 2 * square <= reach ^ 2.
  Hypothesis dimension_is : dimension = (layers * size)%nat.
  Hypothesis step_is : step = granularity / divisor.
  Let image := rescaled way granularity size factor root_above.
  Let length_ := rescaled_length way layers size granularity reach / divisor.

  Theorem rescaled_rows :
    (forall u j, T u j = vector_sum image u j / divisor) -> far = far_by_one n length_ ->
    stable (restricted (table_of inside) (edits n d_in)) T
           (restricted (vector_on_grid dimension step) (l2 dimension (d_in * far))).
  Proof.
    intros same ->. rewrite dimension_is, step_is. apply (stable_of_the_same _ _ _ _ _ _ same).
    intros u v (_ & _ & near). revert u v near.
    apply (Sensitivity.rescaled_rows n way layers size granularity reach divisor d_in factor root_above);
      auto using root_is_above.
  Qed.
  Theorem rescaled_rows_total :
    (forall u j, T u j = image (vector_sum (fun v => v) u) j / divisor) -> far = 2 * length_ ->
    stable (restricted (table_of inside) (edits n d_in)) T
           (restricted (vector_on_grid dimension step) (l2 dimension (d_in * far))).
  Proof.
    intros same ->. rewrite dimension_is, step_is. apply (stable_of_the_same _ _ _ _ _ _ same).
    intros u v (_ & _ & near). revert u v near.
    apply (Sensitivity.rescaled_rows_total n way layers size granularity reach divisor d_in factor root_above);
      auto using root_is_above.
  Qed.
  Theorem rescaled_rows_average :
    (forall u j, T u j = vector_sum image u j / INR (Nat.max 1 (length u))) -> divisor = 1 ->
    far = far_by_one n length_ ->
    stable (restricted (table_of inside) (edits n d_in)) T (l2 dimension (d_in * far)).
  Proof.
    intros same one ->. rewrite dimension_is. apply (stable_of_the_same_l2 _ _ _ _ _ same).
    unfold length_. replace (rescaled_length way layers size granularity reach / divisor) with
      (rescaled_length way layers size granularity reach) by (rewrite one; field).
    intros u v (_ & _ & near). revert u v near.
    apply (Sensitivity.rescaled_rows_average n way layers size granularity reach d_in factor root_above);
      auto using root_is_above.
  Qed.
  Theorem rescaled_rows_moments (squared : nat) :
    (forall u j, T u j = vector_sum (moment size granularity factor root_above) u j) -> step = granularity ^ 2 ->
    squared = (size * size)%nat -> far = match n with add_remove => reach ^ 2 | replace_one => sqrt 2 * reach ^ 2 end ->
    stable (restricted (table_of inside) (edits n d_in)) T
           (restricted (vector_on_grid squared step) (l2 squared (d_in * far))).
  Proof.
    intros same step_is' -> ->. rewrite step_is'. replace (granularity ^ 2) with (granularity * granularity) by ring.
    apply (stable_of_the_same _ _ _ _ _ _ same). intros u v (_ & _ & near). revert u v near.
    apply Sensitivity.rescaled_rows_moments; auto using root_is_above.
  Qed.
End rescaled.
Lemma layers_of (dimension layers : Z) :
  1 <= IZR dimension -> 1 <= IZR layers -> multiple (IZR dimension) (IZR layers) ->
  Z.to_nat dimension = (Z.to_nat layers * (Z.to_nat dimension / Z.to_nat layers))%nat.
Proof.
  intros D L [k K]. rewrite <- mult_IZR in K. apply eq_IZR in K. apply le_IZR in D, L. subst dimension.
  assert (0 < k)%Z by nia. rewrite Z2Nat.inj_mul by lia.
  rewrite Nat.div_mul by lia. lia.
Qed.
Lemma one_layer (size : nat) : size = (1 * size)%nat.
Proof. lia. Qed.

(** * Rounding *)

(* A number, or every number of a vector, is moved to the nearest multiple of the granularity. *)
Class roundable (X : Type) := rounded : R -> X -> X.
#[global] Instance round_number : roundable R := nearest.
#[global] Instance round_vector : roundable vector := fun granularity v j => nearest granularity (v j).
Lemma multiple_on_grid x step : multiple x step -> on_grid step x.
Proof. intros [k ->]. exists k. ring. Qed.

(** * Linear maps *)

Definition matrix_of (rows : list (list R)) : matrix := fun i j => nth j (nth i rows []) 0.
(* lower triangular: entry (i, j) is coefficient i - j *)
Definition toeplitz (coefficients : list R) : matrix :=
  fun i j => if Nat.leb j i then nth (i - j) coefficients 0 else 0.

(** * Sums by levels *)

Section levels.
  Context (levels : list level) (entries sums : nat) (granularity d_in count : R).
  Hypothesis levels_fit : forall l, In l levels -> (blocks l * block_size l <= entries)%nat.
  Hypothesis sums_are : sums = number_of_sums levels.
  Hypothesis count_is : count = INR (length levels).
  Let T x := vector_of (sums_by_level levels x).
  Theorem level_sums_l1_l1 :
    stable (restricted (vector_on_grid entries granularity) (l1 entries d_in)) T
           (restricted (vector_on_grid sums granularity) (l1 sums (d_in * count))).
  Proof. rewrite sums_are, count_is. apply level_sums, levels_fit. Qed.
  Theorem level_sums_l1_l2 :
    stable (restricted (vector_on_grid entries granularity) (l1 entries d_in)) T
           (restricted (vector_on_grid sums granularity) (l2 sums (d_in * sqrt count))).
  Proof. rewrite sums_are, count_is. apply level_sums_l2, levels_fit. Qed.
  Theorem level_sums_one_coordinate_l1 :
    stable (restricted (vector_on_grid entries granularity) (one_coordinate entries d_in)) T
           (restricted (vector_on_grid sums granularity) (l1 sums (d_in * count))).
  Proof. rewrite sums_are, count_is. apply level_sums_one_coordinate, levels_fit. Qed.
  Theorem level_sums_one_coordinate_l2 :
    stable (restricted (vector_on_grid entries granularity) (one_coordinate entries d_in)) T
           (restricted (vector_on_grid sums granularity) (l2 sums (d_in * sqrt count))).
  Proof. rewrite sums_are, count_is. apply Sensitivity.level_sums_one_coordinate_l2, levels_fit. Qed.
End levels.
Lemma exponential_of_levels (branching : R) (levels : Z) : 0 < branching -> 1 <= IZR levels ->
  exp (IZR levels * ln branching) = branching ^ Z.to_nat levels.
Proof. intros B L. rewrite <- count_of by exact L. apply (Rpower_pow _ _ B). Qed.
Lemma leaves_of (branching levels leaves : Z) :
  2 <= IZR branching -> 1 <= IZR levels -> 1 <= IZR leaves ->
  IZR branching * IZR leaves = exp (IZR levels * ln (IZR branching)) ->
  Z.to_nat leaves = (Z.to_nat branching ^ (Z.to_nat levels - 1))%nat.
Proof.
  intros B L S_ perfect. rewrite exponential_of_levels in perfect by lra.
  apply INR_eq. rewrite count_of, pow_INR, count_of by lra.
  apply (Rmult_eq_reg_l (IZR branching)); [| lra]. rewrite perfect.
  apply le_IZR in L. replace (Z.to_nat levels) with (S (Z.to_nat levels - 1)) at 1 by lia. reflexivity.
Qed.
Lemma sums_of_a_tree (branching levels leaves : Z) :
  2 <= IZR branching -> 1 <= IZR levels -> 1 <= IZR leaves ->
  IZR branching * IZR leaves = exp (IZR levels * ln (IZR branching)) ->
  Z.to_nat (Int_part ((IZR branching * IZR leaves - 1) / (IZR branching - 1))) =
  number_of_sums (tree (Z.to_nat branching) (Z.to_nat levels)).
Proof.
  intros B L S_ perfect. rewrite exponential_of_levels in perfect by lra. pose proof B as B'. apply le_IZR in B'.
  pose proof (tree_sums (Z.to_nat branching) (Z.to_nat levels) ltac:(lia)) as sums.
  set (n := number_of_sums _) in *. apply (f_equal INR) in sums.
  rewrite plus_INR, mult_INR, pow_INR, minus_INR, count_of in sums by (lia || lra). change (INR 1) with 1 in sums.
  replace ((IZR branching * IZR leaves - 1) / (IZR branching - 1)) with (IZR (Z.of_nat n)).
  - replace (Int_part (IZR (Z.of_nat n))) with (Z.of_nat n); [apply Nat2Z.id |].
    symmetry. unfold Int_part. rewrite <- (tech_up (IZR (Z.of_nat n)) (Z.of_nat n + 1)); [lia | |]; rewrite plus_IZR;
      lra.
  - rewrite <- INR_IZR_INZ, perfect, <- sums. field. lra.
Qed.
Lemma tree_fits (branching levels leaves : Z) l :
  2 <= IZR branching -> 1 <= IZR levels -> 1 <= IZR leaves ->
  IZR branching * IZR leaves = exp (IZR levels * ln (IZR branching)) ->
  In l (tree (Z.to_nat branching) (Z.to_nat levels)) -> (blocks l * block_size l <= Z.to_nat leaves)%nat.
Proof. intros. rewrite (leaves_of branching levels leaves) by assumption. apply Sensitivity.tree_fits. assumption. Qed.
Lemma tree_count (branching : nat) (levels : Z) :
  1 <= IZR levels -> IZR levels = INR (length (tree branching (Z.to_nat levels))).
Proof. intro L. rewrite tree_levels, count_of; auto. Qed.
Lemma wavelet_fits (levels leaves : Z) l :
  1 <= IZR levels -> 1 <= IZR leaves -> 2 * IZR leaves = exp (IZR levels * ln 2) ->
  In l (wavelet (Z.to_nat levels)) -> (blocks l * block_size l <= Z.to_nat leaves)%nat.
Proof. intros. rewrite (leaves_of 2 levels leaves) by (assumption || lra). apply Sensitivity.wavelet_fits.
  assumption. Qed.
Lemma sums_of_a_wavelet (levels leaves : Z) :
  1 <= IZR levels -> 1 <= IZR leaves -> 2 * IZR leaves = exp (IZR levels * ln 2) ->
  Z.to_nat leaves = number_of_sums (wavelet (Z.to_nat levels)).
Proof. intros. rewrite wavelet_sums. apply (leaves_of 2 levels leaves); assumption || lra. Qed.
Lemma wavelet_count (levels : Z) : 1 <= IZR levels -> IZR levels = INR (length (wavelet (Z.to_nat levels))).
Proof. intro L. pose proof L as L'. apply le_IZR in L'. rewrite wavelet_levels, count_of; auto. lia. Qed.
Lemma two_level_fits (block blocks_ : Z) l :
  1 <= IZR block -> 1 <= IZR blocks_ -> In l (two_level (Z.to_nat block) (Z.to_nat blocks_)) ->
  (blocks l * block_size l <= Z.to_nat (block * blocks_))%nat.
Proof.
  intros B C L. apply le_IZR in B, C. rewrite Z2Nat.inj_mul by lia. apply Sensitivity.two_level_fits. exact L.
Qed.
Lemma sums_of_two_levels (block blocks_ : Z) :
  1 <= IZR block -> 1 <= IZR blocks_ ->
  Z.to_nat (block * blocks_ + blocks_) = number_of_sums (two_level (Z.to_nat block) (Z.to_nat blocks_)).
Proof. intros B C. apply le_IZR in B, C. rewrite two_level_sums, Z2Nat.inj_add, Z2Nat.inj_mul by lia. reflexivity. Qed.
Lemma prefixes_count (entries : Z) : 1 <= IZR entries -> IZR entries = INR (length (prefixes (Z.to_nat entries))).
Proof. intro L. rewrite prefixes_levels, count_of; auto. Qed.

(** * Cells *)

(* The natural number that a number is, if it is one. *)
Definition natural (x : R) : option nat :=
  if Req_EM_T x (IZR (Int_part x)) then if Z.leb 0 (Int_part x) then Some (Z.to_nat (Int_part x)) else None else None.
Definition by_class_and_value (classes values dimension : nat) (row : vector) : list nat :=
  Sensitivity.by_class_and_value classes values dimension (fun j => natural (row j)).
Lemma class_hits classes values (dimension : Z) row :
  1 <= IZR dimension -> (length (by_class_and_value classes values (Z.to_nat dimension) row) <= Z.to_nat dimension)%nat.
Proof. intro D. apply Sensitivity.class_hits. apply le_IZR in D. lia. Qed.
Lemma one_on_the_grid : on_grid 1 1.
Proof. exists 1%Z. ring. Qed.
Section counts_in_cells.
  Context (n : neighbours) (inside : vector -> Prop) (places : vector -> list nat) (hits cells : nat) (bound d_in : R).
  Hypothesis some_row : exists row, inside row.
  Hypothesis lies_in_few_cells : forall row, (length (places row) <= hits)%nat.
  Hypothesis bound_is_enough : match n with add_remove => 1 | replace_one => 2 end * INR hits * 1 <= bound.
  Lemma bound_is_not_negative : INR hits * 0 <= bound.
  Proof. pose proof (pos_INR hits). destruct n; lra. Qed.
  Theorem counts_in_cells_l1 :
    stable (restricted (table_of inside) (edits n d_in)) (sums_in 0 places (fun _ _ => 0))
           (restricted (vector_on_grid cells 1) (l1 cells (d_in * bound))).
  Proof.
    pose proof (sums_in_cells n inside places hits cells 0 (fun _ _ => 0) 1 bound d_in (fun _ => 1) (fun _ => 0)) as H.
    rewrite Nat.mul_1_r in H. pose proof bound_is_not_negative.
    apply H; intros; try lia; try lra; auto using one_on_the_grid.
  Qed.
  Theorem counts_in_cells_l2 :
    stable (restricted (table_of inside) (edits n d_in)) (sums_in 0 places (fun _ _ => 0))
           (restricted (vector_on_grid cells 1) (l2 cells (d_in * sqrt bound))).
  Proof.
    pose proof (sums_in_cells_l2 n inside places hits cells 0 (fun _ _ => 0) 1 bound d_in (fun _ => 1) (fun _ => 0))
      as H.
    rewrite Nat.mul_1_r in H. pose proof bound_is_not_negative.
    apply H; intros; try lia; try lra; auto using one_on_the_grid.
  Qed.
End counts_in_cells.

(** * The median *)

Definition pair_of {A B : Type} (inside : A -> Prop) (within : B -> Prop) (pair : A * B) :=
  inside (fst pair) /\ within (snd pair).
Section median.
  Context (lower upper : R) (n : neighbours).
  Hypothesis ends_are_in_order : lower < upper.
  Theorem median_with_smooth_bound (growth : R) :
    1 <= growth ->
    stable (restricted (table_of (fun x => lower <= x <= upper)) (edits n 1))
           (fun u => (median lower upper u, smooth_bound lower upper growth u))
           (restricted (pair_of (@any R) (above (@any R) 0)) (smooth growth)).
  Proof.
    intro G. apply (stable_within _ _ _ (restricted (fun pair => 0 < snd pair) (smooth growth)) _ (fun u v N => N)).
    - intros u v (A & B & N). repeat split; try apply N; unfold pair_of, above, any; lra.
    - apply median_bounds; assumption.
  Qed.
  Theorem median_with_distance (granularity bound : R) :
    0 <= bound -> multiple lower granularity ->
    stable (restricted (table_of (fun x => on_grid granularity x /\ lower <= x <= upper)) (edits n 1))
           (fun u => (INR (distance_of lower upper bound u), median lower upper u))
           (restricted (pair_of (on_grid 1) (on_grid granularity)) (tested bound)).
  Proof.
    intros B M. apply (median_bounds_tested lower upper ends_are_in_order n granularity bound B).
    apply multiple_on_grid, M.
  Qed.
End median.

(** * Instances that are written down *)

Lemma entries_on_grid step (steps : list (list Z)) rows :
  rows = map (map (fun k => step * IZR k)) steps -> forall i j, on_grid step (matrix_of rows i j).
Proof.
  intros -> i j. unfold matrix_of. destruct (nth_in_or_default i (map (map (fun k => step * IZR k)) steps) []) as [I
    | ->].
  - apply in_map_iff in I as (row & <- & _).
    destruct (nth_in_or_default j (map (fun k => step * IZR k) row) 0) as [J | ->]; [| apply zero_on_grid].
    apply in_map_iff in J as (k & <- & _). exists k. reflexivity.
  - destruct j; apply zero_on_grid.
Qed.
Lemma coefficients_on_grid step (steps : list Z) coefficients :
  coefficients = map (fun k => step * IZR k) steps -> forall i j, on_grid step (toeplitz coefficients i j).
Proof.
  intros -> i j. unfold toeplitz. destruct (Nat.leb j i); [| apply zero_on_grid].
  destruct (nth_in_or_default (i - j) (map (fun k => step * IZR k) steps) 0) as [J | ->]; [| apply zero_on_grid].
  apply in_map_iff in J as (k & <- & _). exists k. reflexivity.
Qed.
Lemma listed_on_grid step (steps : list Z) entries dimension :
  entries = map (fun k => step * IZR k) steps -> vector_on_grid dimension step (vector_of entries).
Proof.
  intros -> j _. unfold vector_of.
  destruct (nth_in_or_default j (map (fun k => step * IZR k) steps) 0) as [J | ->]; [| apply zero_on_grid].
  apply in_map_iff in J as (k & <- & _). exists k. reflexivity.
Qed.
Lemma integer_part x (k : Z) : IZR k <= x < IZR k + 1 -> Int_part x = k.
Proof.
  intros [low high]. unfold Int_part. rewrite <- (tech_up x (k + 1)); [lia | |]; rewrite plus_IZR; lra.
Qed.
Lemma nearest_is step x (k : Z) :
  0 < step -> step * IZR k - step / 2 <= x < step * IZR k + step / 2 -> nearest step x = step * IZR k.
Proof.
  intros positive [low high]. unfold nearest. rewrite (integer_part _ k); [reflexivity |].
  assert (same : x / step + 1 / 2 = (x + step / 2) / step) by (field; lra). rewrite same.
  split; apply (Rmult_le_reg_r step) || apply (Rmult_lt_reg_r step); try exact positive;
    replace ((x + step / 2) / step * step) with (x + step / 2) by (field; lra); lra.
Qed.
Lemma truncated_is step x (k : Z) :
  0 < step -> (0 <= x /\ step * IZR k <= x < step * IZR k + step \/ x < 0 /\ step * IZR k - step < x <= step * IZR k) ->
  truncated step x = step * IZR k.
Proof.
  intros positive H. unfold truncated. destruct (Rle_dec 0 x) as [N | N], H as [[X [low high]] | [X [low high]]]; try
    lra.
  - rewrite (integer_part _ k); [reflexivity |]. split; apply (Rmult_le_reg_r step) || apply (Rmult_lt_reg_r step);
      try exact positive; replace (x / step * step) with x by (field; lra); lra.
  - rewrite (integer_part _ (- k)%Z); [rewrite Z.opp_involutive; reflexivity |]. rewrite opp_IZR.
    split; apply (Rmult_le_reg_r step) || apply (Rmult_lt_reg_r step);
      try exact positive; replace (- x / step * step) with (- x) by (field; lra); lra.
Qed.
Lemma rescaled_at way granularity size factor v j square root exact_ image :
  square_of_layer size v (j / size) = square -> root_above square = root -> factor square root * v j = exact_ ->
  rounded_to way granularity exact_ = image -> rescaled way granularity size factor root_above v j = image.
Proof. intros S_ R_ F W. unfold rescaled, scaled. cbv zeta. rewrite S_, R_, F. exact W. Qed.
Lemma natural_is (k : nat) (x : R) : x = IZR (Z.of_nat k) -> natural x = Some k.
Proof.
  intros ->. unfold natural. rewrite (integer_part _ (Z.of_nat k)) by lra.
  destruct (Req_EM_T _ _) as [_ | no]; [| elim no; reflexivity].
  destruct (Z.leb_spec 0 (Z.of_nat k)); [| lia]. rewrite Nat2Z.id. reflexivity.
Qed.

(** * Proofs *)

(* What is written down is worked out, up to arithmetic of real numbers. *)
Ltac worked_out :=
  cbv -[Rplus Rminus Rmult Ropp Rinv Rdiv Rdefinitions.Rle Rdefinitions.Rlt Rdefinitions.Rge Rdefinitions.Rgt Rabs
    Rmin Rmax sqrt exp ln IZR PI Rle_dec Rlt_dec Req_EM_T
        Int_part root_above natural rescaled nearest truncated].
Ltac worked_out_in known :=
  cbv -[Rplus Rminus Rmult Ropp Rinv Rdiv Rdefinitions.Rle Rdefinitions.Rlt Rdefinitions.Rge Rdefinitions.Rgt Rabs
    Rmin Rmax sqrt exp ln IZR PI Rle_dec Rlt_dec Req_EM_T
        Int_part root_above natural rescaled nearest truncated] in known.
(* That two lists of numbers, or of lists of them, are the same. *)
Ltac listed :=
  cbv [map]; repeat match goal with |- _ :: _ = _ :: _ => apply f_equal2 end; first [reflexivity | lra].
Ltac decided := worked_out; settled; try lra.
(* A comparison of numbers that does not hold. *)
Ltac refuted known :=
  repeat (worked_out_in known;
    match goal with
    | image : rescaled _ _ _ _ _ _ _ = _ |- _ => worked_out_in image; rewrite ?image in known; clear image
    | image : nearest _ _ = _ |- _ => rewrite ?image in known; clear image
    | image : natural _ = _ |- _ => rewrite ?image in known; clear image
    end);
  worked_out_in known; revert known; apply Rlt_not_le; first [lra | settled; lra | number].
(* Every corner where at most so many entries change, a gap apart. *)
Ltac corners family n :=
  let few := fresh "few" in let far := fresh "far" in
  destruct family as [few far]; specialize (few n); cbn [counted] in few;
  repeat match goal with
  | at_j : if ?positions ?j then _ else _ |- _ =>
      let place := fresh "place" in
      destruct (positions j) eqn:place; try rewrite place in few; try rewrite place in at_j; cbn [Nat.add] in few;
      try (exfalso; lia);
      try (exfalso; match goal with
           | P : positions ?a = true, Q : positions ?b = true |- _ => pose proof (far a b P Q ltac:(lia)); lia
           end);
      cbv iota in at_j; try destruct at_j as [at_j | at_j]
  end;
  worked_out;
  repeat match goal with known : ?s _ = _ |- _ => rewrite ?known; clear known end; lra.
(* That a root is that of a square, a quotient of two numbers. *)
Ltac root_of p q := rewrite (root_of_a_square p q) by (lia || lra); lra.
(* A number that is worked out. *)
Ltac evaluated := worked_out; settled; first [lra | field; lra | lra].
(* At most so many positions are true, a gap apart. *)
Lemma counted_of_listed (positions : list bool) most gap n :
  n = length positions -> (counted (fun j => nth j positions false) n <= most)%nat ->
  (forall j k, (j < n)%nat -> (k < n)%nat -> nth j positions false = true -> nth k positions false = true ->
     (j < k)%nat -> (j + gap <= k)%nat) ->
  Sensitivity.apart most gap (fun j => nth j positions false).
Proof.
  intros size few far. split.
  - intro m. destruct (Nat.le_gt_cases m n) as [less_ | more].
    + eapply Nat.le_trans; [apply counted_rises, less_ | exact few].
    + replace m with (n + (m - n))%nat by lia. generalize (m - n)%nat. intro rest. induction rest as [| rest IH].
      * rewrite Nat.add_0_r. exact few.
      * rewrite Nat.add_succ_r. simpl. rewrite nth_overflow by lia. exact IH.
  - intros j k J K. assert (within_ : forall i, nth i positions false = true -> (i < n)%nat).
    { intros i I. destruct (Nat.lt_ge_cases i n) as [| beyond]; [assumption |]. rewrite nth_overflow in I by lia.
      discriminate. }
    auto.
Qed.
Ltac apart n :=
  apply (counted_of_listed _ _ _ n); [reflexivity | cbn; lia |];
  let j := fresh "j" in let k := fresh "k" in let J := fresh "J" in let K := fresh "K" in
  intros j k J K;
  repeat (destruct j as [| j]; [| try (exfalso; lia)]); try (exfalso; lia);
  repeat (destruct k as [| k]; [| try (exfalso; lia)]); try (exfalso; lia); cbn; intros; try discriminate; lia.
(* For each place below a number that is written down. *)
Ltac each_place j J := repeat (destruct j as [| j]; [| try (exfalso; lia)]); try (exfalso; lia).

(* The hypotheses of an instance of an obligation, from the context; its first part is then the fact. *)
Ltac granted known :=
  repeat match type of known with
  | ?given -> _ => let found := fresh "found" in
      assert (found : given) by first [assumption | lra | tauto]; specialize (known found); clear found
  end.
Ltac granted_on_the_grid known :=
  repeat match type of known with
  | ?given -> _ => let found := fresh "found" in
      assert (found : given) by first [assumption | apply multiple_on_grid; assumption];
      specialize (known found); clear found
  end.
Ltac from known :=
  first [ exact known | exact (proj1 known) | apply known | apply (proj1 known)
        | rewrite ?Rmult_1_l in known; rewrite ?Rmult_1_l; first [exact known | exact (proj1 known)]
        | number ].
(* That a number, known to be so many steps, lies on the grid. *)
Ltac on_the_grid known :=
  first [ eapply on_a_grid; [exact (proj1 known) | whole]
        | rewrite ?Rmult_1_l; rewrite ?Rmult_1_l in known; eapply on_a_grid; [exact (proj1 known) | whole]
        | rewrite ?Rmult_1_l; rewrite ?Rmult_1_l in known; eapply on_a_grid; [rewrite Rmult_1_l; exact (proj1 known)
          | whole] ].
(* That there is a row: 0, or zeros. *)
Ltac some_row :=
  unshelve eexists; [first [exact 0 | exact (fun _ => 0) | exact Missing] |];
  try (intros ? _); cbv beta; repeat split; try exact I;
  first [apply zero_on_grid | apply integral_constant | lra].
(* That a prefix starts at 0 or more. *)
Ltac starts known :=
  change (IZR (Z.of_nat 0)) with 0;
  first [ from known
        | change (0 - 1) with (-1); from known
        | replace (0 - 1) with (-1) by ring; from known | replace (0 - 1) with (- (1)) by ring; from known ].
(* That a length is not negative, or a divisor positive. *)
Ltac positive known := first [ assumption | lra | exact (proj1 known) | exact (proj2 known) | exact known ].
(* How far one edit moves a sum of rescaled rows, as claims write it. *)
Ltac rescaled_far :=
  unfold far_by_one, rescaled_length; cbv iota beta; rewrite ?Nat.mul_1_l; change (INR 1) with 1;
  rewrite ?count_of by assumption; rewrite ?sqrt_1; rewrite ?Rplus_0_r, ?Rmult_1_l; unfold Rdiv;
  rewrite ?Rinv_1, ?Rmult_1_r; first [ reflexivity | ring | field; lra ].

(* Tables and distances: what lies how far apart.

   A table is a list of rows in which the order does not count.  Two tables differ by rows removed and rows added;
   `symmetric` counts them, `change_one` counts replaced rows.  A vector has as many numbers as its dimension says;
   those beyond it are not looked at.  The definitions are those of refdp/spec/distances.py.  The lemma on paths says
   that what one edit moves by at most a bound, so many edits move by at most so many bounds. *)
From Coq Require Import Reals Lra Lia List Permutation.
From Refdp Require Import Laws Privacy.
Import ListNotations.
Open Scope R_scope.

Definition table (Row : Type) := list Row.
Definition vector := nat -> R.

(* Inputs, or outputs, that lie in a domain, and near each other. *)
Definition restricted {X : Type} (domain : X -> Prop) (near : X -> X -> Prop) (x y : X) :=
  domain x /\ domain y /\ near x y.
(* table(ROWS) and sized_table(ROWS, size) *)
Definition table_of {Row : Type} (inside : Row -> Prop) (u : table Row) := Forall inside u.
Definition sized_table_of {Row : Type} (inside : Row -> Prop) (size : nat) (u : table Row) :=
  Forall inside u /\ length u = size.
Lemma sized_tables_are_tables {Row : Type} (inside : Row -> Prop) size (near : table Row -> table Row -> Prop) u v :
  restricted (sized_table_of inside size) near u v -> restricted (table_of inside) near u v.
Proof. intros ([U _] & [V _] & N). repeat split; assumption. Qed.
(* grid(step), and vectors on it *)
Definition on_grid (step x : R) := exists k : Z, x = step * IZR k.
Definition vector_on_grid (dimension : nat) (step : R) (v : vector) := forall j, (j < dimension)%nat ->
  on_grid step (v j).

(** * How far tables are apart *)

(* From u the rows `removed` are taken out, and then the rows `added` are put in: that is v, but for the order. *)
Definition differ {Row : Type} (u v removed added : table Row) :=
  exists common, Permutation u (common ++ removed) /\ Permutation v (common ++ added).
(* at most d_in rows added or removed *)
Definition symmetric {Row : Type} (d_in : R) (u v : table Row) :=
  exists removed added, differ u v removed added /\ INR (length removed + length added) <= d_in.
(* at most d_in rows replaced, the number of rows being the same *)
Definition change_one {Row : Type} (d_in : R) (u v : table Row) :=
  exists removed added, differ u v removed added /\ length removed = length added /\ INR (length removed) <= d_in.

(* The two relations of neighbouring tables, as the command line calls them. *)
Inductive neighbours := add_remove | replace_one.
Definition edits {Row : Type} (n : neighbours) : R -> table Row -> table Row -> Prop :=
  match n with add_remove => symmetric | replace_one => change_one end.

Section tables.
  Context {Row : Type}.
  Implicit Types u v w removed added common : table Row.

  Lemma differ_symmetric u v removed added : differ u v removed added -> differ v u added removed.
  Proof. intros (common & U & V). exists common. auto. Qed.
  Lemma symmetric_symmetric d u v : symmetric d u v -> symmetric d v u.
  Proof.
    intros (removed & added & D & L). exists added, removed. rewrite Nat.add_comm. auto using differ_symmetric.
  Qed.
  Lemma change_one_symmetric d u v : change_one d u v -> change_one d v u.
  Proof.
    intros (removed & added & D & same & L). exists added, removed. rewrite <- same. auto using differ_symmetric.
  Qed.

  Lemma differ_length u v removed added :
    differ u v removed added -> (length u + length added = length v + length removed)%nat.
  Proof.
    intros (common & U & V). apply Permutation_length in U. apply Permutation_length in V.
    rewrite app_length in U, V. lia.
  Qed.
  (* change_one is half of symmetric between tables of one size, and infinite between others. *)
  Theorem change_one_is_half u v d : change_one d u v <-> length u = length v /\ symmetric (2 * d) u v.
  Proof.
    split.
    - intros (removed & added & D & same & L). pose proof (differ_length _ _ _ _ D). split; [lia |].
      exists removed, added. split; [exact D |]. rewrite plus_INR, <- same. lra.
    - intros (same & removed & added & D & L). pose proof (differ_length _ _ _ _ D).
      assert (S : length removed = length added) by lia.
      exists removed, added. repeat split; [exact D | exact S |]. rewrite plus_INR, <- S in L. lra.
  Qed.

  (* One row added or removed, one row replaced; and so many of these steps, one after another. *)
  Definition one_edit u v := exists row, Permutation v (row :: u) \/ Permutation u (row :: v).
  Definition one_replacement u v := exists row other rest, Permutation u (row :: rest) /\ Permutation v (other :: rest).
  Fixpoint reachable (step : table Row -> table Row -> Prop) (n : nat) u v : Prop :=
    match n with O => Permutation u v | S n => exists w, step u w /\ reachable step n w v end.

  Lemma reachable_same (step : table Row -> table Row -> Prop) n u u' v :
    (forall w w' x, Permutation w w' -> step w x -> step w' x) ->
    Permutation u u' -> reachable step n u v -> reachable step n u' v.
  Proof.
    intros respects P. destruct n; simpl.
    - intro Q. rewrite <- P. exact Q.
    - intros (w & S & H). exists w. split; [apply (respects u) |]; assumption.
  Qed.
  Lemma one_edit_same w w' x : Permutation w w' -> one_edit w x -> one_edit w' x.
  Proof.
    intros P (row & [H | H]); exists row.
    - left. rewrite <- P. exact H.
    - right. rewrite <- P. exact H.
  Qed.
  Lemma one_replacement_same w w' x : Permutation w w' -> one_replacement w x -> one_replacement w' x.
  Proof. intros P (row & other & rest & A & B). exists row, other, rest. rewrite <- P. auto. Qed.

  Lemma reachable_by_adding common added : reachable one_edit (length added) common (common ++ added).
  Proof.
    revert common. induction added as [| row added IH]; intro common; simpl.
    - rewrite app_nil_r. reflexivity.
    - exists (common ++ [row]). split.
      + exists row. left. rewrite <- Permutation_cons_append. reflexivity.
      + specialize (IH (common ++ [row])). rewrite <- app_assoc in IH. exact IH.
  Qed.
  Lemma reachable_by_edits u v removed added :
    differ u v removed added -> reachable one_edit (length removed + length added) u v.
  Proof.
    intros (common & U & V). revert u U. induction removed as [| row removed IH]; intros u U; simpl.
    - rewrite app_nil_r in U.
      apply (reachable_same _ _ common); [exact one_edit_same | symmetry; exact U |].
      assert (end_ : forall n w x y, Permutation x y -> reachable one_edit n w x -> reachable one_edit n w y).
      { induction n as [| n IHn]; simpl; intros w x y P H; [rewrite <- P; exact H |].
        destruct H as (z & S & H). exists z. eauto. }
      apply (end_ _ _ (common ++ added)); [symmetry; exact V | apply reachable_by_adding].
    - exists (common ++ removed). split; [| apply IH; reflexivity].
      exists row. right. rewrite U. symmetry. apply Permutation_middle.
  Qed.
  Lemma differ_after_an_edit u w v removed added :
    one_edit u w -> differ w v removed added ->
    exists removed' added', differ u v removed' added' /\
      (length removed' + length added' <= S (length removed + length added))%nat.
  Proof.
    intros (row & [H | H]) (common & W & V).
    - assert (among : In row (common ++ removed)).
      { apply (Permutation_in row W). apply (Permutation_in row (Permutation_sym H)). left. reflexivity. }
      apply in_app_or in among as [among | among]; apply in_split in among as (before & after & split_).
      + exists removed, (row :: added). split; [| simpl; lia]. exists (before ++ after). split.
        * apply (Permutation_cons_inv (a := row)). rewrite <- H, W, split_, <- !app_assoc. simpl.
          symmetry. apply Permutation_middle.
        * rewrite V, split_, <- !app_assoc. simpl. rewrite <- Permutation_middle, !(app_assoc before).
          apply Permutation_middle.
      + exists (before ++ after), added. split.
        * exists common. split; [| exact V].
          apply (Permutation_cons_inv (a := row)). rewrite <- H, W, split_, !app_assoc.
          symmetry. apply Permutation_middle.
        * rewrite split_. rewrite !app_length. simpl. lia.
    - exists (row :: removed), added. split; [| simpl; lia]. exists common. split; [| exact V].
      rewrite H, W. apply Permutation_middle.
  Qed.
  (* symmetric counts edits: at most n rows are added or removed iff at most n single edits lead there. *)
  Theorem symmetric_counts_edits n u v :
    symmetric (INR n) u v <-> exists m, (m <= n)%nat /\ reachable one_edit m u v.
  Proof.
    split.
    - intros (removed & added & D & L). exists (length removed + length added)%nat.
      split; [apply INR_le, L | apply reachable_by_edits, D].
    - intros (m & M & H).
      enough (found : exists removed added, differ u v removed added /\ (length removed + length added <= m)%nat).
      { destruct found as (removed & added & D & L). exists removed, added. split; [exact D | apply le_INR; lia]. }
      clear n M. revert u H. induction m as [| m IH]; simpl; intros u H.
      + exists [], []. split; [| simpl; lia]. exists v. rewrite app_nil_r. split; [exact H | reflexivity].
      + destruct H as (w & S & H). destruct (IH w H) as (removed & added & D & L).
        destruct (differ_after_an_edit _ _ _ _ _ S D) as (removed' & added' & D' & L').
        exists removed', added'. split; [exact D' | lia].
  Qed.
  (* change_one counts replacements: at most n of them lead there. *)
  Theorem change_one_counts_replacements n u v :
    change_one (INR n) u v <-> exists m, (m <= n)%nat /\ reachable one_replacement m u v.
  Proof.
    split.
    - intros (removed & added & (common & U & V) & same & L). exists (length removed).
      split; [apply INR_le, L |]. clear L n. revert common added u U V same.
      induction removed as [| row removed IH]; intros common [| other added] u U V same; try discriminate; simpl.
      + rewrite U, V. reflexivity.
      + exists (other :: common ++ removed). split.
        * exists row, other, (common ++ removed). split; [| reflexivity].
          rewrite U. symmetry. apply Permutation_middle.
        * apply (IH (other :: common) added); [reflexivity | | injection same; auto].
          rewrite V. symmetry. apply Permutation_middle.
    - intros (m & M & H). apply change_one_is_half.
      assert (sizes : length u = length v).
      { clear M. revert u H. induction m as [| m IH]; simpl; intros u H; [apply Permutation_length, H |].
        destruct H as (w & (row & other & rest & A & B) & H). rewrite <- (IH w H).
        apply Permutation_length in A. apply Permutation_length in B. simpl in *. congruence. }
      split; [exact sizes |].
      replace (2 * INR n) with (INR (2 * n)) by (rewrite mult_INR; simpl; lra).
      apply symmetric_counts_edits. exists (2 * m)%nat. split; [lia |].
      clear M sizes n. revert u H. induction m as [| m IH]; intros u H; [exact H |].
      destruct H as (w & (row & other & rest & A & B) & H).
      replace (2 * S m)%nat with (S (S (2 * m))) by lia. simpl.
      exists rest. split; [exists row; right; exact A |].
      exists w. split; [exists other; left; exact B | apply IH, H].
  Qed.
End tables.

(* Where rows can be told apart, symmetric is the size of the multiset u less v and of v less u, as in refdp/spec. *)
Section multisets.
  Context {Row : Type} (same : forall row other : Row, {row = other} + {row <> other}).
  Fixpoint without_one (row : Row) (u : table Row) : table Row :=
    match u with [] => [] | first :: rest => if same first row then rest else first :: without_one row rest end.
  Definition less (u v : table Row) : table Row := fold_right without_one u v.
  Definition symmetric_distance (u v : table Row) : nat := length (less u v) + length (less v u).

  Lemma count_less u v row : count_occ same (less u v) row = (count_occ same u row - count_occ same v row)%nat.
  Proof.
    assert (one : forall w other, count_occ same (without_one other w) row =
              (count_occ same w row - (if same other row then 1 else 0))%nat).
    { induction w as [| first w IH]; intro other; simpl; [lia |]. destruct (same first other) as [<- | differs]; simpl.
      - destruct (same first row); lia.
      - rewrite IH. destruct (same first row), (same other row); try lia. congruence. }
    induction v as [| other v IH]; simpl; [lia |]. rewrite one, IH. destruct (same other row); lia.
  Qed.
  Lemma differ_by_less (u v : table Row) : differ u v (less u v) (less v u).
  Proof.
    exists (less u (less u v)).
    split; apply (Permutation_count_occ same); intro row; rewrite count_occ_app, !count_less; lia.
  Qed.
  Lemma less_is_least (u v removed added : table Row) : differ u v removed added ->
    (length (less u v) <= length removed)%nat.
  Proof.
    intros (common & U & V).
    assert (P : Permutation removed (less u v ++ less removed (less u v))).
    { apply (Permutation_count_occ same). intro row. rewrite count_occ_app, !count_less.
      pose proof (proj1 (Permutation_count_occ same _ _) U row) as A.
      pose proof (proj1 (Permutation_count_occ same _ _) V row) as B. rewrite count_occ_app in A, B. lia. }
    apply Permutation_length in P. rewrite app_length in P. lia.
  Qed.
  Theorem symmetric_is_a_distance_of_multisets d u v : symmetric d u v <-> INR (symmetric_distance u v) <= d.
  Proof.
    split.
    - intros (removed & added & D & L). eapply Rle_trans; [apply le_INR | exact L].
      pose proof (less_is_least _ _ _ _ D). pose proof (less_is_least _ _ _ _ (differ_symmetric _ _ _ _ D)).
      unfold symmetric_distance. lia.
    - intro L. exists (less u v), (less v u). split; [apply differ_by_less | exact L].
  Qed.
End multisets.

(* Tables as sequences: rows inserted and deleted in any places, and positions changed. *)
Inductive subsequence {Row : Type} : table Row -> table Row -> Prop :=
| nothing_of u : subsequence [] u
| with_the_first row u v : subsequence u v -> subsequence (row :: u) (row :: v)
| without_the_first row u v : subsequence u v -> subsequence u (row :: v).
Definition insert_delete {Row : Type} (d_in : R) (u v : table Row) :=
  exists common, subsequence common u /\ subsequence common v /\
    INR (length u + length v - 2 * length common) <= d_in.
Inductive positions_differ {Row : Type} : nat -> table Row -> table Row -> Prop :=
| no_position : positions_differ 0 [] []
| the_same_row row n u v : positions_differ n u v -> positions_differ n (row :: u) (row :: v)
| another_row row other n u v : positions_differ n u v -> positions_differ (S n) (row :: u) (other :: v).
Definition hamming {Row : Type} (d_in : R) (u v : table Row) := exists n, positions_differ n u v /\ INR n <= d_in.

Lemma rest_of_a_subsequence {Row : Type} (common u : table Row) :
  subsequence common u -> exists rest, Permutation u (common ++ rest).
Proof.
  induction 1 as [u | row common u _ [rest P] | row common u _ [rest P]].
  - exists u. reflexivity.
  - exists rest. simpl. rewrite P. reflexivity.
  - exists (row :: rest). rewrite P. apply Permutation_middle.
Qed.
Lemma insert_delete_is_symmetric {Row : Type} (d_in : R) (u v : table Row) :
  insert_delete d_in u v -> symmetric d_in u v.
Proof.
  intros (common & U & V & L). apply rest_of_a_subsequence in U as [removed U].
  apply rest_of_a_subsequence in V as [added V]. exists removed, added. split; [exists common; auto |].
  eapply Rle_trans; [apply le_INR | exact L].
  apply Permutation_length in U. apply Permutation_length in V. rewrite app_length in U, V. lia.
Qed.
Lemma hamming_is_change_one {Row : Type} (d_in : R) (u v : table Row) : hamming d_in u v -> change_one d_in u v.
Proof.
  intros (n & D & L).
  enough (K : exists removed added, differ u v removed added /\ length removed = n /\ length added = n).
  { destruct K as (removed & added & E & A & B). exists removed, added.
    split; [exact E | split; [congruence | rewrite A; exact L]]. }
  clear L. induction D as [| row n u v _ (removed & added & (common & U & V) & A & B)
                           | row other n u v _ (removed & added & (common & U & V) & A & B)].
  - exists [], []. repeat split; try reflexivity. exists []. auto.
  - exists removed, added. repeat split; auto. exists (row :: common). simpl. auto using perm_skip.
  - exists (row :: removed), (other :: added). simpl. repeat split; auto.
    exists common. rewrite U, V. split; apply Permutation_middle.
Qed.

(* A replaced row is a row removed and a row added. *)
Lemma replaced_rows_metric {Row : Type} (d_in : R) (u v : table Row) : change_one (d_in / 2) u v -> symmetric d_in u v.
Proof. intro H. apply change_one_is_half in H as [_ H]. replace d_in with (2 * (d_in / 2)) by lra. exact H. Qed.
(* replaced_rows: what is private for d_in rows added or removed is as private for half as many rows replaced. *)
Theorem replaced_rows {Row : Type} {O : space} (inside : Row -> Prop) (d_in : R) (M : mechanism (table Row) O)
    (m : law O -> law O -> Prop) :
  private (restricted (table_of inside) (symmetric d_in)) M m ->
  private (restricted (table_of inside) (change_one (d_in / 2))) M m.
Proof. intros H x y (X & Y & N). apply H. repeat split; auto using replaced_rows_metric. Qed.

(** * Sums of finitely many numbers *)

(* The sum of f 0, ..., f (n - 1). *)
Fixpoint total (n : nat) (f : nat -> R) : R := match n with O => 0 | S n => total n f + f n end.

Lemma total_same n f g : (forall j, (j < n)%nat -> f j = g j) -> total n f = total n g.
Proof. intro same. induction n; simpl; [reflexivity |]. rewrite IHn, same by auto with arith. reflexivity. Qed.
Lemma total_le n f g : (forall j, (j < n)%nat -> f j <= g j) -> total n f <= total n g.
Proof. intro H. induction n; simpl; [lra |]. apply Rplus_le_compat; auto with arith. Qed.
Lemma total_sum n f g : total n (fun j => f j + g j) = total n f + total n g.
Proof. induction n; simpl; lra. Qed.
Lemma total_multiple n c f : total n (fun j => c * f j) = c * total n f.
Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.
Lemma total_difference n f g : total n (fun j => f j - g j) = total n f - total n g.
Proof. induction n; simpl; lra. Qed.
Lemma total_constant n c : total n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; ring |]. rewrite S_INR. simpl. rewrite IHn. ring. Qed.
Lemma total_nothing n f : (forall j, (j < n)%nat -> f j = 0) -> total n f = 0.
Proof. intro H. rewrite (total_same n f (fun _ => 0) H), total_constant. ring. Qed.
Lemma total_nonnegative n f : (forall j, (j < n)%nat -> 0 <= f j) -> 0 <= total n f.
Proof. intro H. rewrite <- (total_nothing n (fun _ => 0)) by reflexivity. apply total_le, H. Qed.
Lemma total_absolute n f : Rabs (total n f) <= total n (fun j => Rabs (f j)).
Proof. induction n; simpl; [rewrite Rabs_R0; lra |]. pose proof (Rabs_triang (total n f) (f n)). lra. Qed.
Lemma total_append n m f : total (n + m) f = total n f + total m (fun j => f (n + j)%nat).
Proof.
  induction m; simpl; [rewrite Nat.add_0_r; ring |].
  rewrite Nat.add_succ_r. simpl. rewrite IHm. ring.
Qed.
Lemma total_swap n m (f : nat -> nat -> R) :
  total n (fun i => total m (fun j => f i j)) = total m (fun j => total n (fun i => f i j)).
Proof.
  induction n; simpl; [rewrite total_nothing; auto |]. rewrite IHn, <- total_sum. reflexivity.
Qed.
Lemma total_one n i f : (i < n)%nat -> (forall j, (j < n)%nat -> j <> i -> f j = 0) -> total n f = f i.
Proof.
  induction n as [| n IH]; intros I rest; [lia |]. simpl.
  destruct (Nat.eq_dec i n) as [-> | other].
  - rewrite total_nothing; [ring | intros j J; apply rest; lia].
  - rewrite IH, (rest n); [ring | lia | lia | lia | intros; apply rest; lia].
Qed.
Lemma total_at_least n i f : (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> f i <= total n f.
Proof.
  induction n as [| n IH]; intros positive I; [lia |]. simpl.
  pose proof (positive n ltac:(lia)). destruct (Nat.eq_dec i n) as [-> | other].
  - pose proof (total_nonnegative n f ltac:(intros; apply positive; lia)). lra.
  - pose proof (IH ltac:(intros; apply positive; lia) ltac:(lia)). lra.
Qed.

(** * How far numbers and vectors are apart *)

Definition absolute (d x y : R) := Rabs (x - y) <= d.
Definition discrete {X : Type} (d : R) (x y : X) := x = y /\ 0 <= d \/ 1 <= d.
Definition l1 (dimension : nat) (d : R) (u v : vector) := total dimension (fun j => Rabs (u j - v j)) <= d.
Definition l2 (dimension : nat) (d : R) (u v : vector) := 0 <= d /\ total dimension (fun j => (u j - v j) ^ 2) <= d ^ 2.
Definition linf (dimension : nat) (d : R) (u v : vector) :=
  0 <= d /\ forall j, (j < dimension)%nat -> Rabs (u j - v j) <= d.
(* vectors of which one coordinate differs, by at most d *)
Definition one_coordinate (dimension : nat) (d : R) (u v : vector) :=
  linf dimension d u v /\ exists i, forall j, (j < dimension)%nat -> j <> i -> u j = v j.
(* vectors each of whose coordinates differs by at most d, all of them in one direction *)
Definition monotone (dimension : nat) (d : R) (u v : vector) :=
  linf dimension d u v /\
  ((forall j, (j < dimension)%nat -> u j <= v j) \/ forall j, (j < dimension)%nat -> v j <= u j).
(* vectors of one sum whose coordinates differ by at most 2 d in total *)
Definition exchange (dimension : nat) (d : R) (u v : vector) :=
  l1 dimension (2 * d) u v /\ total dimension u = total dimension v.
(* a number and a bound: numbers at most either bound apart, no bound more than growth times the other *)
Definition smooth (growth : R) (u v : R * R) :=
  Rabs (fst u - fst v) <= Rmin (snd u) (snd v) /\ snd u <= growth * snd v /\ snd v <= growth * snd u.
(* a distance and a number: distances at most 1 apart, numbers at most d apart unless both distances are 0 or less *)
Definition tested (d : R) (u v : R * R) :=
  0 <= d /\ Rabs (fst u - fst v) <= 1 /\ (Rabs (snd u - snd v) <= d \/ Rmax (fst u) (fst v) <= 0).

(* The Euclidean norm. *)
Definition norm (dimension : nat) (v : vector) := sqrt (total dimension (fun j => v j ^ 2)).
Definition inner (dimension : nat) (u v : vector) := total dimension (fun j => u j * v j).
Definition difference (u v : vector) : vector := fun j => u j - v j.

Lemma below_by_squares x y : 0 <= y -> x ^ 2 <= y ^ 2 -> x <= y.
Proof. intros Y H. destruct (Rle_lt_dec x y) as [| more]; [assumption |]. nra. Qed.
Lemma squares_nonnegative dimension (v : vector) : 0 <= total dimension (fun j => v j ^ 2).
Proof. apply total_nonnegative. intros. apply pow2_ge_0. Qed.
Lemma norm_nonnegative dimension v : 0 <= norm dimension v.
Proof. apply sqrt_pos. Qed.
Lemma norm_squared dimension v : norm dimension v ^ 2 = total dimension (fun j => v j ^ 2).
Proof. unfold norm. apply pow2_sqrt, squares_nonnegative. Qed.
Lemma norm_at_most dimension v d : 0 <= d -> total dimension (fun j => v j ^ 2) <= d ^ 2 -> norm dimension v <= d.
Proof. intros D H. apply below_by_squares; [exact D | rewrite norm_squared; exact H]. Qed.
Lemma norm_same dimension u v : (forall j, (j < dimension)%nat -> u j = v j) -> norm dimension u = norm dimension v.
Proof. intro same. unfold norm. f_equal. apply total_same. intros. rewrite same; auto. Qed.
Lemma cauchy_schwarz_squared dimension u v :
  inner dimension u v ^ 2 <= total dimension (fun j => u j ^ 2) * total dimension (fun j => v j ^ 2).
Proof.
  unfold inner. induction dimension as [| n IH]; cbn [total]; [lra |].
  pose proof (squares_nonnegative n u) as A. pose proof (squares_nonnegative n v) as B.
  set (a := total n (fun j => u j ^ 2)) in *. set (b := total n (fun j => v j ^ 2)) in *.
  set (p := total n (fun j => u j * v j)) in *. set (x := u n). set (y := v n).
  assert (X : 0 <= a * y ^ 2 + b * x ^ 2).
  { apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto using pow2_ge_0. }
  assert (cross : 2 * p * x * y <= a * y ^ 2 + b * x ^ 2).
  { apply below_by_squares; [exact X |].
    assert (p ^ 2 * (x * y) ^ 2 <= a * b * (x * y) ^ 2) by (apply Rmult_le_compat_r; auto using pow2_ge_0).
    pose proof (pow2_ge_0 (a * y ^ 2 - b * x ^ 2)). nra. }
  cbv beta. fold x y. nra.
Qed.
Lemma cauchy_schwarz dimension u v : inner dimension u v <= norm dimension u * norm dimension v.
Proof.
  apply below_by_squares; [apply Rmult_le_pos; apply norm_nonnegative |].
  rewrite Rpow_mult_distr, !norm_squared. apply cauchy_schwarz_squared.
Qed.
Lemma norm_triangle dimension u v : norm dimension (fun j => u j + v j) <= norm dimension u + norm dimension v.
Proof.
  pose proof (norm_nonnegative dimension u). pose proof (norm_nonnegative dimension v).
  apply norm_at_most; [lra |]. pose proof (cauchy_schwarz dimension u v) as C. unfold inner in C.
  rewrite (total_same _ _ (fun j => (u j ^ 2 + v j ^ 2) + 2 * (u j * v j))) by (intros; ring).
  rewrite total_sum, total_sum, total_multiple, <- !norm_squared. nra.
Qed.
Lemma norm_multiple dimension c v : norm dimension (fun j => c * v j) = Rabs c * norm dimension v.
Proof.
  unfold norm. rewrite (total_same _ _ (fun j => c ^ 2 * v j ^ 2)) by (intros; ring).
  rewrite total_multiple, sqrt_mult by (auto using pow2_ge_0, squares_nonnegative). f_equal.
  rewrite <- sqrt_Rsqr_abs. unfold Rsqr. f_equal. ring.
Qed.
Lemma norm_opposite dimension v : norm dimension (fun j => - v j) = norm dimension v.
Proof. unfold norm. f_equal. apply total_same. intros. ring. Qed.
Lemma norm_zero dimension v : (forall j, (j < dimension)%nat -> v j = 0) -> norm dimension v = 0.
Proof. intro Z. unfold norm. rewrite total_nothing; [apply sqrt_0 | intros; rewrite Z; auto; ring]. Qed.
Lemma norm_difference_triangle dimension u v w :
  norm dimension (difference u w) <= norm dimension (difference u v) + norm dimension (difference v w).
Proof.
  rewrite (norm_same _ (difference u w) (fun j => difference u v j + difference v w j)).
  - apply norm_triangle.
  - intros. unfold difference. ring.
Qed.
Lemma l2_by_norm dimension d u v : l2 dimension d u v <-> norm dimension (difference u v) <= d.
Proof.
  unfold l2. split.
  - intros [D H]. apply norm_at_most; assumption.
  - intro H. pose proof (norm_nonnegative dimension (difference u v)). split; [lra |].
    change (total dimension (fun j => difference u v j ^ 2) <= d ^ 2). rewrite <- norm_squared. nra.
Qed.
(* L1 is within the square root of the dimension times L2. *)
Lemma l1_by_norm dimension v : total dimension (fun j => Rabs (v j)) <= sqrt (INR dimension) * norm dimension v.
Proof.
  pose proof (cauchy_schwarz dimension (fun _ => 1) (fun j => Rabs (v j))) as C. unfold inner in C.
  replace (norm dimension (fun _ => 1)) with (sqrt (INR dimension)) in C.
  - replace (norm dimension (fun j => Rabs (v j))) with (norm dimension v) in C.
    + rewrite (total_same _ _ (fun j => 1 * Rabs (v j))) by (intros; ring). exact C.
    + unfold norm. f_equal. apply total_same. intros. rewrite pow2_abs. reflexivity.
  - unfold norm. f_equal. rewrite (total_same _ _ (fun _ => 1)), total_constant by (intros; ring). ring.
Qed.

(** * Many edits: the lemma on paths *)

Section paths.
  Context {Row Y : Type} (inside : Row -> Prop) (distance : Y -> Y -> R) (T : table Row -> Y) (bound : R).
  Hypothesis triangle : forall a b c, distance a c <= distance a b + distance b c.
  Hypothesis order_does_not_count :
    forall u v, table_of inside u -> table_of inside v -> Permutation u v -> distance (T u) (T v) <= 0.

  Lemma inside_parts u common rest :
    Permutation u (common ++ rest) -> table_of inside u -> table_of inside common /\ table_of inside rest.
  Proof. intros P U. apply Forall_app. apply (Permutation_Forall P). exact U. Qed.

  (* What one row added or removed moves by at most the bound, d_in of them move by at most d_in bound. *)
  Lemma many_edits d_in :
    0 <= bound ->
    (forall row u, inside row -> table_of inside u ->
       distance (T u) (T (row :: u)) <= bound /\ distance (T (row :: u)) (T u) <= bound) ->
    forall u v, restricted (table_of inside) (symmetric d_in) u v -> distance (T u) (T v) <= d_in * bound.
  Proof.
    intros positive one u v (U & V & removed & added & (common & PU & PV) & L).
    destruct (inside_parts _ _ _ PU U) as [C R]. destruct (inside_parts _ _ _ PV V) as [_ A].
    assert (taken : distance (T u) (T common) <= INR (length removed) * bound).
    { clear L A. revert u U PU. induction removed as [| row removed IH]; intros u U PU.
      - rewrite app_nil_r in PU. simpl. rewrite Rmult_0_l. apply order_does_not_count; assumption.
      - inversion R; subst. assert (W : table_of inside (common ++ removed)) by (apply Forall_app; auto).
        assert (P : Permutation u (row :: (common ++ removed))) by (rewrite PU; symmetry; apply Permutation_middle).
        pose proof (triangle (T u) (T (row :: (common ++ removed))) (T common)).
        pose proof (triangle (T (row :: (common ++ removed))) (T (common ++ removed)) (T common)).
        pose proof (order_does_not_count u (row :: (common ++ removed)) U ltac:(constructor; assumption) P).
        pose proof (one row (common ++ removed) ltac:(assumption) W).
        pose proof (IH ltac:(assumption) (common ++ removed) W ltac:(reflexivity)).
        change (length (row :: removed)) with (S (length removed)). rewrite S_INR. lra. }
    assert (put : distance (T common) (T v) <= INR (length added) * bound).
    { clear L R taken. revert v V PV. induction added as [| row added IH]; intros v V PV.
      - rewrite app_nil_r in PV. simpl. rewrite Rmult_0_l. apply order_does_not_count; [exact C | exact V |].
        symmetry. exact PV.
      - inversion A; subst. assert (W : table_of inside (common ++ added)) by (apply Forall_app; auto).
        assert (P : Permutation (row :: (common ++ added)) v) by (rewrite PV; apply Permutation_middle).
        pose proof (triangle (T common) (T (row :: (common ++ added))) (T v)).
        pose proof (triangle (T common) (T (common ++ added)) (T (row :: (common ++ added)))).
        pose proof (order_does_not_count (row :: (common ++ added)) v ltac:(constructor; assumption) V P).
        pose proof (one row (common ++ added) ltac:(assumption) W).
        pose proof (IH ltac:(assumption) (common ++ added) W ltac:(reflexivity)).
        change (length (row :: added)) with (S (length added)). rewrite S_INR. lra. }
    pose proof (triangle (T u) (T common) (T v)). rewrite plus_INR in L.
    pose proof (Rmult_le_compat_r bound _ _ positive L). lra.
  Qed.

  (* What one replaced row moves by at most the bound, d_in of them move by at most d_in bound. *)
  Lemma many_replacements d_in :
    0 <= bound ->
    (forall row other u, inside row -> inside other -> table_of inside u ->
       distance (T (row :: u)) (T (other :: u)) <= bound) ->
    forall u v, restricted (table_of inside) (change_one d_in) u v -> distance (T u) (T v) <= d_in * bound.
  Proof.
    intros positive one u v (U & V & removed & added & (common & PU & PV) & same & L).
    destruct (inside_parts _ _ _ PU U) as [C R]. destruct (inside_parts _ _ _ PV V) as [_ A].
    apply Rle_trans with (INR (length removed) * bound); [| apply Rmult_le_compat_r; assumption].
    clear L. revert common added u v C A U V PU PV same.
    induction removed as [| row removed IH]; intros common [| other added] u v C A U V PU PV same; try discriminate.
    - simpl. rewrite Rmult_0_l. apply order_does_not_count; try assumption. rewrite PU, PV. reflexivity.
    - inversion R; subst. inversion A; subst.
      assert (W : table_of inside (common ++ removed)) by (apply Forall_app; auto).
      assert (P : Permutation u (row :: (common ++ removed))) by (rewrite PU; symmetry; apply Permutation_middle).
      pose proof (triangle (T u) (T (row :: (common ++ removed))) (T v)).
      pose proof (triangle (T (row :: (common ++ removed))) (T (other :: (common ++ removed))) (T v)).
      pose proof (order_does_not_count u (row :: (common ++ removed)) U ltac:(constructor; assumption) P).
      pose proof (one row other (common ++ removed) ltac:(assumption) ltac:(assumption) W).
      assert (distance (T (other :: (common ++ removed))) (T v) <= INR (length removed) * bound).
      { apply (IH ltac:(assumption) (other :: common) added); try assumption.
        - constructor; assumption.
        - constructor; assumption.
        - reflexivity.
        - rewrite PV. symmetry. apply Permutation_middle.
        - injection same. auto. }
      change (length (row :: removed)) with (S (length removed)). rewrite S_INR. lra.
  Qed.
End paths.

(* Theorems about how far queries move, applied to something concrete.

   No example here assumes anything: see Instances.v. *)
From Coq Require Import Reals Lra Lia List.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Sensitivity.
Import ListNotations.
Open Scope R_scope.

Definition any_number (x : R) := True.
Example halves_of_a_hundred :
  stable (Tables.restricted (Tables.sized_table_of any_number 100) (Tables.edits Tables.replace_one 1))
    (map (fun x => x / 2))
    (Tables.restricted (Tables.sized_table_of any_number 100) (Tables.edits Tables.replace_one 1)).
Proof. apply Sensitivity.row_by_row_sized. intros. exact I. Qed.
Example positive_rows :
  stable (Tables.restricted (Tables.table_of any_number) (Tables.edits Tables.replace_one 1))
    (Sensitivity.filtered (fun x => if Rlt_dec 0 x then Some x else None))
    (Tables.restricted (Tables.table_of (fun x => 0 < x)) (Tables.symmetric (2 * 1))).
Proof.
  apply (Sensitivity.row_by_row_dropping Tables.replace_one any_number (fun x => 0 < x)).
  intros x y _. destruct (Rlt_dec 0 x); [intro same; injection same as <-; assumption | discriminate].
Qed.
Example prefix_sums_where_all_change :
  stable (Tables.restricted (Tables.vector_on_grid 3 1) (Sensitivity.changed_within Sensitivity.all_positions 3 1))
    (Sensitivity.linear 3 Sensitivity.prefix_matrix)
    (Tables.restricted (Tables.vector_on_grid 3 (1 * 1)) (Tables.l1 3 (1 * 6))).
Proof. exact (Sensitivity.prefix_sums_where_all_change 1). Qed.
(* Two numbers as they are: only one of them changes. *)
Definition identity : Sensitivity.matrix := fun i j => if Nat.eqb i j then 1 else 0.
Example one_of_two_numbers :
  stable (Tables.restricted (Tables.vector_on_grid 2 1)
      (Sensitivity.changed_within (Sensitivity.apart 1 2) 2 1)) (Sensitivity.linear 2 identity)
    (Tables.restricted (Tables.vector_on_grid 2 (1 * 1)) (Tables.l2 2 (1 * sqrt 1))).
Proof.
  apply Sensitivity.linear_map_apart_l2; try lia.
  - intros i j _ _. unfold identity. destruct (Nat.eqb i j); [exists 1%Z | exists 0%Z]; ring.
  - simpl. unfold identity. simpl. unfold Rmax. repeat destruct (Rle_dec _ _); lra.
Qed.
Example error_of_two_prefix_sums : ~ forall x, Sensitivity.total_squared_error Sensitivity.coins Sensitivity.fair 2 2 2
  identity Sensitivity.prefix_matrix Sensitivity.prefix_matrix Sensitivity.coin x = 4.
Proof.
  apply (Sensitivity.another_squared_error Sensitivity.coins (fun _ => True)).
  - intro c. split; [exact I | unfold Sensitivity.fair; field].
  - intros f g _ _. split; [exact I | unfold Sensitivity.fair; field].
  - intros c f _. split; [exact I | unfold Sensitivity.fair; field].
  - intros f g same _. split; [exact I | unfold Sensitivity.fair; rewrite !same; reflexivity].
  - intros j _. split; [exact I |]. unfold Sensitivity.fair, Sensitivity.coin. destruct j as [| [| j]]; simpl; field.
  - intros j k J K. split; [exact I |]. unfold Sensitivity.fair, Sensitivity.coin.
    destruct j as [| [| j]]; [| | lia]; (destruct k as [| [| k]]; [| | lia]); simpl; field.
  - left. unfold Sensitivity.squares_of_the_decoder, Sensitivity.prefix_matrix. simpl. lra.
Qed.
Example error_of_three : Sensitivity.total_squared_error Sensitivity.coins Sensitivity.fair 2 2 2
  identity Sensitivity.prefix_matrix Sensitivity.prefix_matrix Sensitivity.coin (fun _ => 0) = 3.
Proof. exact (Sensitivity.error_of_two_prefix_sums (fun _ => 0)). Qed.

(* Losses that fall as fast as the margin grows: their regularised minimiser is half the sum of the clipped rows. *)
Definition falling (margin power : R) : R := -1.
Definition pulled := Sensitivity.pulled 2 (1 / 1024) (Sensitivity.clipping 1) sqrt falling (fun _ => 0).
Definition minimiser (u : Tables.table Tables.vector) : Tables.vector := fun j => - pulled u j / 2.
Definition averaged_minimiser (u : Tables.table Tables.vector) : Tables.vector := fun j =>
  - (pulled u j / Sensitivity.rows_of u) / 2.
Lemma nothing_is_left u : Tables.norm 2
  (Sensitivity.gradient 2 (1 / 1024) (Sensitivity.clipping 1) sqrt falling 2 u (minimiser u)) <= 1 / 100.
Proof.
  rewrite Tables.norm_zero; [lra |]. intros j _. unfold Sensitivity.gradient, minimiser.
  change (Sensitivity.pulled 2 (1 / 1024) (Sensitivity.clipping 1) sqrt falling (fun j => - pulled u j / 2) u j)
    with (pulled u j). field.
Qed.
Lemma nothing_is_left_on_average u : Tables.norm 2
  (Sensitivity.averaged_gradient 2 (1 / 1024) 2 (Sensitivity.clipping 1) sqrt falling u (averaged_minimiser u))
  <= 1 / 100.
Proof.
  rewrite Tables.norm_zero; [lra |]. intros j _. unfold Sensitivity.averaged_gradient, averaged_minimiser.
  change (Sensitivity.pulled 2 (1 / 1024) (Sensitivity.clipping 1) sqrt falling _ u j) with (pulled u j).
  field. pose proof (Sensitivity.some_rows u). lra.
Qed.
Ltac falling_losses := first
  [ lra
  | intros square S; split; [apply sqrt_pos | rewrite pow2_sqrt; lra]
  | intros; apply Sensitivity.clipping_keeps_the_square; lra
  | intros; unfold falling; rewrite Rabs_left; lra
  | intros; unfold falling; lra
  | exact nothing_is_left
  | exact nothing_is_left_on_average ].
Example minimiser_is_stable : stable (Tables.edits Tables.add_remove 1) minimiser
  (Tables.l2 2 (Sensitivity.minimiser_moves Tables.add_remove 1 1 2 (1 / 100) 1)).
Proof.
  apply (Sensitivity.regularised_minimiser Tables.add_remove 2 (1 / 1024) 1 1 2 (1 / 100) 1 (Sensitivity.clipping 1)
    sqrt falling); falling_losses.
Qed.
Example minimiser_is_stable_l1 : stable (Tables.edits Tables.add_remove 1) minimiser
  (Tables.l1 2 (sqrt (INR 2) * Sensitivity.minimiser_moves Tables.add_remove 1 1 2 (1 / 100) 1)).
Proof.
  apply (Sensitivity.regularised_minimiser_l1 Tables.add_remove 2 (1 / 1024) 1 1 2 (1 / 100) 1 (Sensitivity.clipping 1)
    sqrt falling); falling_losses.
Qed.
Example averaged_minimiser_is_stable : stable (Tables.edits Tables.replace_one 1) averaged_minimiser
  (Tables.l2 2 (Sensitivity.minimiser_moves Tables.replace_one 1 1 2 (1 / 100) 1)).
Proof.
  apply (Sensitivity.regularised_minimiser_averaged Tables.replace_one 2 (1 / 1024) 1 1 2 (1 / 100) 1
    (Sensitivity.clipping 1) sqrt falling); falling_losses.
Qed.
Example averaged_minimiser_is_stable_l1 : stable (Tables.edits Tables.replace_one 1) averaged_minimiser
  (Tables.l1 2 (sqrt (INR 2) * Sensitivity.minimiser_moves Tables.replace_one 1 1 2 (1 / 100) 1)).
Proof.
  apply (Sensitivity.regularised_minimiser_averaged_l1 Tables.replace_one 2 (1 / 1024) 1 1 2 (1 / 100) 1
    (Sensitivity.clipping 1) sqrt falling); falling_losses.
Qed.

Lemma whole_number (a b : nat) : Tables.on_grid 1 (Sensitivity.is_one a b).
Proof. unfold Sensitivity.is_one. destruct (Nat.eqb a b); [exists 1%Z | exists 0%Z]; ring. Qed.
Example clamped_prices :
  stable (Tables.restricted (Tables.table_of (Tables.on_grid (1 / 100))) (Tables.edits Tables.replace_one 2))
    (Sensitivity.sum_of (Sensitivity.clamped 0 100))
    (Tables.restricted (Tables.on_grid (1 / 100)) (Tables.absolute (2 * 100))).
Proof. exact (Sensitivity.clamped_sum_is_stable 2). Qed.
Definition every (row : nat) := True.
Definition counts := Sensitivity.vector_sum Sensitivity.is_one.
Example counts_l1 : stable (Tables.restricted (Tables.table_of every) (Tables.edits Tables.add_remove 1)) counts
  (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.l1 3 (1 * 1))).
Proof.
  apply (Sensitivity.sum_of_rows_l1 Tables.add_remove every (fun x => x) 1 1 1) with
    (prefix := fun row _ j => Sensitivity.is_below row j).
  - exists 0%nat. exact I.
  - auto.
  - intros. apply Rle_refl.
  - intros. apply whole_number.
  - intros. unfold Sensitivity.is_below. simpl. lra.
  - intros row other j _ _ _. simpl. unfold Sensitivity.is_one, Sensitivity.is_below.
    destruct (Nat.eqb_spec row j), (Nat.ltb_spec row j), (Nat.ltb_spec row (S j)); try lia;
      rewrite ?Rabs_R0, ?Rabs_R1; lra.
  - intros row other _ _. unfold Sensitivity.is_below. destruct (Nat.ltb row 3); lra.
Qed.
Example counts_l2 : stable (Tables.restricted (Tables.table_of every) (Tables.edits Tables.replace_one 1)) counts
  (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.l2 3 (1 * sqrt 2))).
Proof. exact (Sensitivity.histogram_is_stable 3 1). Qed.
Example counts_linf : stable (Tables.restricted (Tables.table_of every) (Tables.edits Tables.add_remove 1)) counts
  (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.linf 3 (1 * 1))).
Proof.
  apply (Sensitivity.sum_of_rows_linf Tables.add_remove every (fun x => x) 1 1 1).
  - exists 0%nat. exact I.
  - auto.
  - intros. apply Rle_refl.
  - intros. apply whole_number.
  - intros row other j _ _ _. simpl. unfold Sensitivity.is_one.
    destruct (Nat.eqb row j); rewrite ?Rabs_R0, ?Rabs_R1; lra.
  - lia.
Qed.
Example three_cells : stable (Tables.restricted (Tables.table_of every) (Tables.edits Tables.replace_one 1))
  (Sensitivity.sums_in 0 (fun cell : nat => [cell]) (fun _ _ => 0))
  (Tables.restricted (Tables.vector_on_grid (3 * 1) 1) (Tables.l1 (3 * 1) (1 * 2))).
Proof. exact (Sensitivity.sizes_of_cells 1). Qed.
Example three_cells_l2 : stable (Tables.restricted (Tables.table_of every) (Tables.edits Tables.replace_one 1))
  (Sensitivity.sums_in 0 (fun cell : nat => [cell]) (fun _ _ => 0))
  (Tables.restricted (Tables.vector_on_grid (3 * 1) 1) (Tables.l2 (3 * 1) (1 * sqrt 2))).
Proof.
  apply (Sensitivity.sums_in_cells_l2 Tables.replace_one every (fun cell => [cell]) 1 3 0 (fun _ _ => 0) 1 2 1
    (fun _ => 1) (fun _ => 0)); intros; simpl; try lra; try lia. exists 1%Z. ring.
Qed.
Example rounded_prices_l1 : stable (Tables.l1 3 1) (fun v j => Sensitivity.nearest (1 / 100) (v j))
  (Tables.restricted (Tables.vector_on_grid 3 (1 / 100)) (Tables.l1 3 (1 + INR 3 * (1 / 100)))).
Proof. apply Sensitivity.rounded_l1. lra. Qed.
Example rounded_prices_l2 : stable (Tables.l2 3 1) (fun v j => Sensitivity.nearest (1 / 100) (v j))
  (Tables.restricted (Tables.vector_on_grid 3 (1 / 100)) (Tables.l2 3 (1 + sqrt (INR 3) * (1 / 100)))).
Proof. apply Sensitivity.rounded_l2. lra. Qed.
Example rounded_prices_linf : stable (Tables.linf 3 1) (fun v j => Sensitivity.nearest (1 / 100) (v j))
  (Tables.restricted (Tables.vector_on_grid 3 (1 / 100)) (Tables.linf 3 1)).
Proof. apply Sensitivity.rounded_linf; [lra |]. exists 100%Z. lra. Qed.

(* Rows clipped to length 5, in steps of 1/1024. *)
Ltac clipped := first
  [ lra
  | intros square S; split; [apply sqrt_pos | rewrite pow2_sqrt; lra]
  | intros; apply Sensitivity.clipping_keeps_the_square; lra ].
Example clipped_sum : stable (Tables.edits Tables.add_remove 1)
  (fun u j => Sensitivity.vector_sum
    (Sensitivity.rescaled Sensitivity.towards_zero (1 / 1024) 2 (Sensitivity.clipping 5) sqrt) u j / 1)
  (Tables.restricted (Tables.vector_on_grid (1 * 2) (1 / 1024 / 1)) (Tables.l2 (1 * 2)
    (1 * (Sensitivity.rescaled_length Sensitivity.towards_zero 1 2 (1 / 1024) 5 / 1)))).
Proof. exact (Sensitivity.clipped_sum_is_stable 2 1). Qed.
Example clipped_total : stable (Tables.edits Tables.replace_one 1)
  (fun u j => Sensitivity.rescaled Sensitivity.towards_zero (1 / 1024) 2 (Sensitivity.clipping 5) sqrt
    (Sensitivity.vector_sum (fun v => v) u) j / 2)
  (Tables.restricted (Tables.vector_on_grid (1 * 2) (1 / 1024 / 2)) (Tables.l2 (1 * 2)
    (1 * (2 * (Sensitivity.rescaled_length Sensitivity.towards_zero 1 2 (1 / 1024) 5 / 2))))).
Proof.
  apply (Sensitivity.rescaled_rows_total Tables.replace_one Sensitivity.towards_zero 1 2 (1 / 1024) 5 2); clipped.
Qed.
Example clipped_average : stable (Tables.edits Tables.add_remove 1)
  (Sensitivity.average Sensitivity.towards_zero 2 (1 / 1024) (Sensitivity.clipping 5) sqrt)
  (Tables.l2 (1 * 2) (1 * Sensitivity.far_by_one Tables.add_remove
    (Sensitivity.rescaled_length Sensitivity.towards_zero 1 2 (1 / 1024) 5))).
Proof.
  apply (Sensitivity.rescaled_rows_average Tables.add_remove Sensitivity.towards_zero 1 2 (1 / 1024) 5); clipped.
Qed.
Example clipped_moments : stable (Tables.edits Tables.replace_one 1)
  (Sensitivity.vector_sum (Sensitivity.moment 2 (1 / 1024) (Sensitivity.clipping 5) sqrt))
  (Tables.restricted (Tables.vector_on_grid (2 * 2) (1 / 1024 * (1 / 1024)))
    (Tables.l2 (2 * 2) (1 * (sqrt 2 * 5 ^ 2)))).
Proof. apply (Sensitivity.rescaled_rows_moments Tables.replace_one 2 (1 / 1024) 5); clipped. Qed.

Lemma prefix_entries i j : (i < 3)%nat -> (j < 3)%nat -> Tables.on_grid 1 (Sensitivity.prefix_matrix i j).
Proof. intros _ _. apply Sensitivity.prefix_matrix_is_whole. Qed.
Ltac prefix_columns :=
  intros j J; unfold Sensitivity.prefix_matrix; destruct j as [| [| [| j]]]; [| | | lia]; simpl;
  rewrite ?Rabs_R0, ?Rabs_R1; lra.
Example prefix_sums_l1 : stable (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.l1 3 1))
  (Sensitivity.linear 3 Sensitivity.prefix_matrix)
  (Tables.restricted (Tables.vector_on_grid 3 (1 * 1)) (Tables.l1 3 (1 * 3))).
Proof. apply Sensitivity.linear_map; [exact prefix_entries | lra | prefix_columns]. Qed.
Example prefix_sums_l2 : stable (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.l1 3 1))
  (Sensitivity.linear 3 Sensitivity.prefix_matrix)
  (Tables.restricted (Tables.vector_on_grid 3 (1 * 1)) (Tables.l2 3 (1 * sqrt 3))).
Proof. apply Sensitivity.linear_map_l2; [exact prefix_entries | prefix_columns]. Qed.
Example prefix_sums_of_one : stable (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.one_coordinate 3 1))
  (Sensitivity.linear 3 Sensitivity.prefix_matrix)
  (Tables.restricted (Tables.vector_on_grid 3 (1 * 1)) (Tables.l1 3 (1 * 3))).
Proof. exact (Sensitivity.prefix_sums_of_three 1). Qed.
Example prefix_sums_of_one_l2 : stable (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.one_coordinate 3 1))
  (Sensitivity.linear 3 Sensitivity.prefix_matrix)
  (Tables.restricted (Tables.vector_on_grid 3 (1 * 1)) (Tables.l2 3 (1 * sqrt 3))).
Proof. apply Sensitivity.linear_map_one_coordinate_l2; [exact prefix_entries | prefix_columns]. Qed.
Example as_they_are : stable (Tables.restricted (Tables.vector_on_grid 2 1) (Tables.l2 2 1))
  (Sensitivity.linear 2 identity) (Tables.restricted (Tables.vector_on_grid 2 (1 * 1)) (Tables.l2 2 (1 * sqrt 1))).
Proof.
  apply Sensitivity.linear_map_l2_to_l2.
  - intros i j _ _. unfold identity. destruct (Nat.eqb i j); [exists 1%Z | exists 0%Z]; ring.
  - lra.
  - intro z. unfold identity. simpl. lra.
Qed.
Lemma tree_fits l : In l (Sensitivity.tree 2 3) -> (Sensitivity.blocks l * Sensitivity.block_size l <= 2 ^ (3 - 1))%nat.
Proof. apply Sensitivity.tree_fits. Qed.
Definition tree_of_four (x : Tables.vector) :=
  Sensitivity.vector_of (Sensitivity.sums_by_level (Sensitivity.tree 2 3) x).
Definition sums_of_four := Sensitivity.number_of_sums (Sensitivity.tree 2 3).
Example tree_l1 : stable (Tables.restricted (Tables.vector_on_grid 4 1) (Tables.l1 4 1)) tree_of_four
  (Tables.restricted (Tables.vector_on_grid sums_of_four 1)
    (Tables.l1 sums_of_four (1 * INR (length (Sensitivity.tree 2 3))))).
Proof. apply (Sensitivity.level_sums (Sensitivity.tree 2 3) 4 1 1 tree_fits). Qed.
Example tree_l2 : stable (Tables.restricted (Tables.vector_on_grid 4 1) (Tables.l1 4 1)) tree_of_four
  (Tables.restricted (Tables.vector_on_grid sums_of_four 1)
    (Tables.l2 sums_of_four (1 * sqrt (INR (length (Sensitivity.tree 2 3)))))).
Proof. apply (Sensitivity.level_sums_l2 (Sensitivity.tree 2 3) 4 1 1 tree_fits). Qed.
Example tree_of_one : stable (Tables.restricted (Tables.vector_on_grid 4 1) (Tables.one_coordinate 4 1)) tree_of_four
  (Tables.restricted (Tables.vector_on_grid sums_of_four 1) (Tables.l1 sums_of_four (1 * INR 3))).
Proof. exact (Sensitivity.binary_tree_is_stable 3 1). Qed.
Example prefix_levels : stable (Tables.restricted (Tables.vector_on_grid 3 1) (Tables.one_coordinate 3 1))
  (fun x => Sensitivity.vector_of (Sensitivity.sums_by_level (Sensitivity.prefixes 3) x))
  (Tables.restricted (Tables.vector_on_grid (Sensitivity.number_of_sums (Sensitivity.prefixes 3)) 1)
    (Tables.l2 (Sensitivity.number_of_sums (Sensitivity.prefixes 3)) (1 * sqrt (INR 3)))).
Proof. exact (Sensitivity.prefix_sums_are_stable 3 1). Qed.
Example median_of_ages :
  stable (Tables.restricted (Tables.table_of (Sensitivity.in_range 0 120)) (Tables.edits Tables.add_remove 1))
    (fun u => (Sensitivity.median 0 120 u, Sensitivity.smooth_bound 0 120 2 u))
    (Tables.restricted (fun pair => 0 < snd pair) (Tables.smooth 2)).
Proof. exact (Sensitivity.median_of_ages Tables.add_remove). Qed.
Example tested_median : stable
  (Tables.restricted (Tables.table_of (fun x => Tables.on_grid 1 x /\ Sensitivity.in_range 0 120 x))
    (Tables.edits Tables.add_remove 1))
  (fun u => (INR (Sensitivity.distance_of 0 120 5 u), Sensitivity.median 0 120 u))
  (Tables.restricted (fun pair => Tables.on_grid 1 (fst pair) /\ Tables.on_grid 1 (snd pair)) (Tables.tested 5)).
Proof. apply Sensitivity.median_bounds_tested; [lra | lra |]. exists 0%Z. ring. Qed.

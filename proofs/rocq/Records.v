(* Rows as a file has them, columns with their cells, and the functions of one row that make numbers of them.

   refdp runs these functions as code, which its kernel trusts to read only the row and to stay in the output domain.
   Here they are definitions, and that they stay there is proved.  `fitted` functions move a cell into its declared
   domain: whatever a file holds, what comes after them reads rows of that domain. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coq Require String.
From Refdp Require Import Laws Privacy Tables Sensitivity NoiseClaims StabilityClaims Relations.
Import ListNotations.
Open Scope R_scope.

(** * Cells *)

(* The cell of a column; a column that is not there is one whose cell is missing. *)
Fixpoint cell_of (column : String.string) (columns : list (String.string * value)) : value :=
  match columns with
  | [] => Missing
  | (called, cell) :: rest => if String.eqb called column then cell else cell_of column rest
  end.
Definition cell (column : String.string) (row : value) : value :=
  match row with Columns columns => cell_of column columns | _ => Missing end.
Fixpoint with_cell (column : String.string) (v : value) (columns : list (String.string * value)) :=
  match columns with
  | [] => [(column, v)]
  | (called, w) :: rest => if String.eqb called column then (called, v) :: rest else (called, w) :: with_cell column v rest
  end.

(** * Missing cells *)

(* fill_missing: a declared value where the cell is missing.  drop_missing: no row there. *)
Definition filled (column : String.string) (replacement row : value) : value :=
  match row, cell column row with
  | Columns columns, Missing => Columns (with_cell column replacement columns)
  | _, _ => row
  end.
Definition complete (column : String.string) (row : value) : option value :=
  match cell column row with Missing => None | _ => Some row end.

Lemma with_cell_columns column v columns called :
  In called (map fst (with_cell column v columns)) -> called = column \/ In called (map fst columns).
Proof.
  induction columns as [| [one w] rest IH]; simpl; [intuition |].
  destruct (String.eqb one column); simpl; intuition.
Qed.
Lemma with_cell_record column v columns : is_cell v -> is_record (Columns columns) ->
  is_record (Columns (with_cell column v columns)).
Proof.
  intro V. unfold is_record. induction columns as [| [one w] rest IH]; simpl; intros [apart cells].
  - split; [constructor; [intros [] | constructor] | constructor; [exact V | constructor]].
  - inversion apart as [| ? ? new apart']; subst. inversion cells as [| ? ? W cells']; subst.
    destruct (String.eqb_spec one column) as [-> | differs]; simpl.
    + split; constructor; assumption.
    + destruct (IH (conj apart' cells')) as [A B]. split; constructor; try assumption.
      intro there. apply with_cell_columns in there. destruct there; [congruence | contradiction].
Qed.
Lemma filled_record column replacement row : is_cell replacement -> is_record row ->
  is_record (filled column replacement row).
Proof.
  intros V H. unfold filled. destruct row; try exact H. destruct (cell column (Columns columns)); try exact H.
  apply with_cell_record; assumption.
Qed.
Lemma complete_record column row kept : is_record row -> complete column row = Some kept -> is_record kept.
Proof. intro H. unfold complete. destruct (cell column row); intro same; inversion same; subst; exact H. Qed.

(** * Numbers *)

Definition number_of (c : value) : R := match c with Number x => x | _ => 0 end.
(* The multiple of step nearest to x, the even one of two equally near. *)
Definition even_nearest (x : R) : Z :=
  let below := Int_part x in
  if Rlt_dec (x - IZR below) (1 / 2) then below
  else if Rlt_dec (1 / 2) (x - IZR below) then (below + 1)%Z
  else if Z.even below then below else (below + 1)%Z.
Definition nearest_multiple (step x : R) : R := step * IZR (even_nearest (x / step)).
(* The whole number nearest to x, the greater of two equally near. *)
Definition whole (x : R) : R := IZR (Int_part (x + 1 / 2)).
(* column: the number of a column, rounded; no number counts as 0. *)
Definition numbered (column : String.string) (granularity : R) (row : value) : R :=
  nearest_multiple granularity (number_of (cell column row)).
Lemma numbered_on_grid column granularity row : on_grid granularity (numbered column granularity row).
Proof. eexists. reflexivity. Qed.
Lemma whole_on_grid x : on_grid 1 (whole x).
Proof. exists (Int_part (x + 1 / 2)). unfold whole. ring. Qed.
Lemma whole_is x k : IZR k - 1 / 2 <= x < IZR k + 1 / 2 -> whole x = IZR k.
Proof.
  intros [low high]. unfold whole. f_equal. pose proof (base_Int_part (x + 1 / 2)) as [A B].
  assert (C : IZR (Int_part (x + 1 / 2)) < IZR (k + 1)) by (rewrite plus_IZR; lra).
  assert (D : IZR (k - 1) < IZR (Int_part (x + 1 / 2))) by (rewrite minus_IZR; lra).
  apply lt_IZR in C, D. lia.
Qed.

(* What is nearest is within half a step, and is the even one where two are. *)
Lemma even_nearest_is_near x : Rabs (x - IZR (even_nearest x)) <= 1 / 2.
Proof.
  pose proof (base_Int_part x) as [A B]. unfold even_nearest.
  destruct (Rlt_dec (x - IZR (Int_part x)) (1 / 2)); [rewrite Rabs_right; lra |].
  destruct (Rlt_dec (1 / 2) (x - IZR (Int_part x))); [rewrite plus_IZR, Rabs_left1; lra |].
  destruct (Z.even (Int_part x)); [rewrite Rabs_right; lra | rewrite plus_IZR, Rabs_left1; lra].
Qed.
Lemma even_of_two_equally_near x : x - IZR (Int_part x) = 1 / 2 -> Z.even (even_nearest x) = true.
Proof.
  intro half. unfold even_nearest. destruct (Rlt_dec (x - IZR (Int_part x)) (1 / 2)); [lra |].
  destruct (Rlt_dec (1 / 2) (x - IZR (Int_part x))); [lra |]. destruct (Z.even (Int_part x)) eqn:even; [exact even |].
  rewrite Z.even_add, even. reflexivity.
Qed.

(* Nothing else is: the nearest whole number, and of two equally near the even one. *)
Lemma even_nearest_is x k : Rabs (x - IZR k) < 1 / 2 \/ Rabs (x - IZR k) = 1 / 2 /\ Z.even k = true ->
  even_nearest x = k.
Proof.
  intro near. pose proof (even_nearest_is_near x) as also. set (n := even_nearest x) in *.
  destruct (Z.eq_dec n k) as [same | differs]; [exact same |]. exfalso.
  assert (one : 1 <= Rabs (IZR n - IZR k)).
  { rewrite <- minus_IZR, <- abs_IZR. apply IZR_le. lia. }
  assert (between : Rabs (IZR n - IZR k) <= Rabs (x - IZR k) + Rabs (x - IZR n)).
  { replace (IZR n - IZR k) with ((x - IZR k) + - (x - IZR n)) by ring.
    eapply Rle_trans; [apply Rabs_triang | rewrite Rabs_Ropp; lra]. }
  destruct near as [near | [half even]]; [lra |].
  assert (other_half : Rabs (x - IZR n) = 1 / 2) by lra.
  assert (odd : Z.even n = true).
  { pose proof (base_Int_part x) as [A B].
    assert (cases : x - IZR (Int_part x) = 1 / 2).
    { unfold n, even_nearest in other_half. destruct (Rlt_dec (x - IZR (Int_part x)) (1 / 2));
        [rewrite Rabs_right in other_half; lra |].
      destruct (Rlt_dec (1 / 2) (x - IZR (Int_part x))); [rewrite plus_IZR, Rabs_left1 in other_half; lra | lra]. }
    apply even_of_two_equally_near, cases. }
  assert (apart : (Z.abs (n - k) = 1)%Z).
  { apply eq_IZR. rewrite abs_IZR, minus_IZR. simpl. lra. }
  rewrite Z.even_spec in even, odd. destruct even as [a ->], odd as [b odd]. lia.
Qed.

Lemma fits_interval lower upper x : lower <= upper -> interval lower upper (Rmax lower (Rmin x upper)).
Proof. intro L. split; [apply Rmax_l | apply Rmax_lub; [exact L | apply Rmin_r]]. Qed.
Lemma fits_bounded (a b : Z) lower upper x : lower <= IZR a -> IZR b <= upper -> IZR a <= IZR b ->
  bounded 1 lower upper (Rmax (IZR a) (Rmin (whole x) (IZR b))).
Proof.
  intros A B L. split.
  - unfold Rmax, Rmin. destruct (Rle_dec (whole x) (IZR b)) as [_ | _].
    + destruct (Rle_dec (IZR a) (whole x)); [apply whole_on_grid | exists a; ring].
    + destruct (Rle_dec (IZR a) (IZR b)); [exists b; ring | exists a; ring].
  - split; [pose proof (Rmax_l (IZR a) (Rmin (whole x) (IZR b))); lra |].
    apply Rle_trans with (IZR b); [| exact B]. apply Rmax_lub; [exact L | apply Rmin_r].
Qed.
Lemma fits_above lower x : above any lower (Rmax x lower).
Proof. split; [exact I | apply Rmax_r]. Qed.
Lemma fits_below upper x : below any upper (Rmin x upper).
Proof. split; [exact I | apply Rmin_r]. Qed.
Lemma fits_whole_above (a : Z) lower x : lower <= IZR a -> above (on_grid 1) lower (Rmax (whole x) (IZR a)).
Proof.
  intro A. split; [| pose proof (Rmax_r (whole x) (IZR a)); lra].
  unfold Rmax. destruct (Rle_dec (whole x) (IZR a)); [exists a; ring | apply whole_on_grid].
Qed.
Lemma fits_whole_below (b : Z) upper x : IZR b <= upper -> below (on_grid 1) upper (Rmin (whole x) (IZR b)).
Proof.
  intro B. split; [| pose proof (Rmin_r (whole x) (IZR b)); lra].
  unfold Rmin. destruct (Rle_dec (whole x) (IZR b)); [apply whole_on_grid | exists b; ring].
Qed.

(** * Labels *)

(* The position of a text among labels. *)
Fixpoint position (written : String.string) (labels : list String.string) : option nat :=
  match labels with
  | [] => None
  | label :: rest => if String.eqb label written then Some 0%nat else option_map S (position written rest)
  end.
(* category_of: the position of one column's text among the labels; of other rows nothing. *)
Definition category_of (column : String.string) (labels : list String.string) (row : value) : option nat :=
  match cell column row with Text written => position written labels | _ => None end.
(* The same as a number, -1 where there is none. *)
Definition category_number (column : String.string) (labels : list String.string) (row : value) : R :=
  match category_of column labels row with Some n => INR n | None => -1 end.
Lemma position_below written labels n : position written labels = Some n -> (n < length labels)%nat.
Proof.
  revert n. induction labels as [| label rest IH]; simpl; intro n; [discriminate |].
  destruct (String.eqb label written); [intro same; inversion same; lia |].
  destruct (position written rest) as [m |]; simpl; intro same; inversion same. specialize (IH m eq_refl). lia.
Qed.
Lemma category_number_fits column labels count row : count = INR (length labels) ->
  category count (category_number column labels row).
Proof.
  intros ->. unfold category_number. pose proof (pos_INR (length labels)).
  destruct (category_of column labels row) as [n |] eqn:there.
  - assert (N : (n < length labels)%nat).
    { unfold category_of in there. destruct (cell column row); try discriminate. eapply position_below, there. }
    apply lt_INR in N. pose proof (pos_INR n). split; [exists (Z.of_nat n); apply INR_IZR_INZ | lra].
  - split; [exists (-1)%Z; reflexivity | lra].
Qed.

(* Labels that are texts or whole numbers; a text is no number. *)
Definition same_label (label c : value) : bool :=
  match label, c with
  | Text a, Text b => String.eqb a b
  | Number a, Number b => if Req_EM_T a b then true else false
  | _, _ => false
  end.
Fixpoint place_of (labels : list value) (c : value) : option nat :=
  match labels with
  | [] => None
  | label :: rest => if same_label label c then Some 0%nat else option_map S (place_of rest c)
  end.
(* What is not listed counts as the first label, or where that is allowed as missing. *)
Definition labelled (labels : list value) (c : value) : Z :=
  match place_of labels c with Some n => Z.of_nat n | None => 0%Z end.
Definition if_listed (labels : list value) (c : value) : option Z := option_map Z.of_nat (place_of labels c).
Definition if_there {T : Type} (fitted : value -> T) (c : value) : option T :=
  match c with Missing => None | _ => Some (fitted c) end.
Lemma place_below labels c n : place_of labels c = Some n -> (n < length labels)%nat.
Proof.
  revert n. induction labels as [| one rest IH]; simpl; intro n; [discriminate |].
  destruct (same_label one c); [intro same; inversion same; lia |].
  destruct (place_of rest c) as [m |]; simpl; intro same; inversion same. specialize (IH m eq_refl). lia.
Qed.
Lemma fits_labels count labels c : count = Z.of_nat (length labels) -> (0 < count)%Z ->
  label count (labelled labels c).
Proof.
  intros -> some. unfold label, labelled. destruct (place_of labels c) as [n |] eqn:there; [| lia].
  apply place_below in there. lia.
Qed.
Lemma fits_if_listed count labels c : count = Z.of_nat (length labels) -> optional (label count) (if_listed labels c).
Proof.
  intros ->. unfold if_listed. destruct (place_of labels c) as [n |] eqn:there; simpl; [| exact I].
  apply place_below in there. unfold label. lia.
Qed.
Lemma fits_if_there {T : Type} (inside : T -> Prop) fitted c : (forall d, inside (fitted d)) ->
  optional inside (if_there fitted c).
Proof. intro fits. destruct c; simpl; auto. Qed.
Lemma fits_both {T U : Type} (inside : T -> Prop) (also : U -> Prop) x y : inside x -> also y ->
  both inside also (x, y).
Proof. split; assumption. Qed.

(* That a cell, moved into a domain, is in it. *)
Ltac fits :=
  first [ exact I
        | apply fits_both; fits
        | apply fits_if_listed; reflexivity
        | apply fits_if_there; intro; cbv beta; fits
        | apply fits_labels; [reflexivity | lia]
        | apply fits_interval; lra
        | apply fits_bounded; lra
        | apply fits_above | apply fits_below
        | apply fits_whole_above; lra | apply fits_whole_below; lra
        | apply whole_on_grid ].

(** * One row after another *)

(* declared_column, declared_columns: rows of any type and domain, where what is made of a cell, or a row, lies in it. *)
Theorem declared {Image : Type} (n : neighbours) (inside : Image -> Prop) (fitted : value -> Image) d_in :
  (forall row, inside (fitted row)) ->
  stable (restricted (table_of is_record) (edits n d_in)) (map fitted) (restricted (table_of inside) (edits n d_in)).
Proof. intro fits. apply row_by_row. intros row _. apply fits. Qed.

Example ages_are_fitted n d_in :
  stable (restricted (table_of is_record) (edits n d_in))
    (map (fun row => Rmax (IZR 0) (Rmin (whole (number_of (cell String.EmptyString row))) (IZR 120))))
    (restricted (table_of (bounded 1 0 120)) (edits n d_in)).
Proof. apply declared. intro. fits. Qed.
Example halves_of_a_column_go_to_the_even_and_declared_ones_up :
  nearest_multiple 1 (1 / 2) = 0 /\ whole (1 / 2) = 1.
Proof.
  split; [| apply whole_is; lra]. unfold nearest_multiple. replace (1 / 2 / 1) with (1 / 2) by field.
  rewrite (even_nearest_is _ 0); [ring |]. right. split; [rewrite Rabs_right; lra | reflexivity].
Qed.

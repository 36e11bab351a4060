(* Queries that move too far: two tables, what is answered on each, and how closed terms are worked out.

   A refuted claim comes with two tables.  What a query answers on a table of numbers is worked out from the inside, a
   row at a time: each real number on the way is shown to be a rational one, so that every comparison is decided. *)
From Coq Require Import Reals Lra Lia List Permutation ZArith Bool QArith Qreals Qround Qabs.
From Refdp Require Import Laws Privacy Tables Decisions Relations.
Import ListNotations.
Open Scope R_scope.

(* query_moves_too_far: two inputs within d_in, with answers that are more than d_out apart. *)
Theorem query_moves_too_far {X Y : Type} (domain : X -> Prop) (near : R -> X -> X -> Prop) (d_in : R) (T : X -> Y)
    (far : Y -> Y -> Prop) u v :
  domain u -> domain v -> near d_in u v -> ~ far (T u) (T v) -> ~ stable (restricted domain (near d_in)) T far.
Proof. intros U V N F claim. apply F, claim. repeat split; assumption. Qed.
(* machine_stays_near: what is within e of a function that moves by at most d. *)
Theorem machine_stays_near {X Y : Type} (domain : X -> Prop) (near : X -> X -> Prop) (T M : X -> Y)
    (far : R -> Y -> Y -> Prop) d e :
  distance_like far -> (forall u, domain u -> far e (M u) (T u)) -> stable (restricted domain near) T (far d) ->
  stable (restricted domain near) M (far (d + 2 * e)).
Proof.
  intros is_a_distance close exact_one u v N. pose proof N as (U & V & _).
  replace (d + 2 * e) with (e + d + e) by ring. apply (far_sum far is_a_distance _ _ _ (T v)).
  - apply (far_sum far is_a_distance _ _ _ (T u)); [apply close, U | apply exact_one, N].
  - apply (far_other_way far is_a_distance), close, V.
Qed.

(** * Numbers that are worked out *)

Lemma Q2R_reduced x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma whole_is k l : k = l -> IZR k = Q2R (l # 1).
Proof. intros ->. unfold Q2R. simpl. field. Qed.
Lemma sum_is a b x y z : a = Q2R x -> b = Q2R y -> Qred (x + y) = z -> a + b = Q2R z.
Proof. intros -> -> <-. rewrite Q2R_reduced, Q2R_plus. reflexivity. Qed.
Lemma difference_is a b x y z : a = Q2R x -> b = Q2R y -> Qred (x - y) = z -> a - b = Q2R z.
Proof. intros -> -> <-. rewrite Q2R_reduced, Q2R_minus. reflexivity. Qed.
Lemma product_is a b x y z : a = Q2R x -> b = Q2R y -> Qred (x * y) = z -> a * b = Q2R z.
Proof. intros -> -> <-. rewrite Q2R_reduced, Q2R_mult. reflexivity. Qed.
Lemma opposite_is a x z : a = Q2R x -> Qred (- x) = z -> - a = Q2R z.
Proof. intros -> <-. rewrite Q2R_reduced, Q2R_opp. reflexivity. Qed.
Lemma quotient_is a b x y z : a = Q2R x -> b = Q2R y -> Qeq_bool y 0 = false -> Qred (x / y) = z -> a / b = Q2R z.
Proof. intros -> -> some <-. rewrite Q2R_reduced, Q2R_div; [reflexivity | apply Qeq_bool_neq, some]. Qed.
Lemma size_is a x z : a = Q2R x -> Qabs x = z -> Rabs a = Q2R z.
Proof.
  intros -> <-. apply Qabs_case; intro sign; apply Qle_Rle in sign.
  - rewrite Rabs_pos_eq; [reflexivity |]. unfold Q2R in sign at 1. simpl in sign. lra.
  - rewrite Q2R_opp, Rabs_left1; [reflexivity |]. unfold Q2R in sign at 2. simpl in sign. lra.
Qed.
Lemma square_is a x z : a = Q2R x -> Qred (x * x) = z -> a ^ 2 = Q2R z.
Proof. intros -> <-. rewrite Q2R_reduced, Q2R_mult. simpl. ring. Qed.
Lemma Q2R_none : Q2R 0 = 0.
Proof. unfold Q2R. simpl. ring. Qed.
Lemma squared_root_is a x : a = Q2R x -> Qle_bool 0 x = true -> sqrt a ^ 2 = Q2R x.
Proof.
  intros -> positive. apply Qle_bool_iff, Qle_Rle in positive. rewrite Q2R_none in positive.
  apply pow2_sqrt, positive.
Qed.
Lemma floor_is_of a x z : a = Q2R x -> Qfloor x = z -> floored a = z.
Proof.
  intros -> <-. destruct (floor_is (Q2R x)) as [A B].
  pose proof (Qle_Rle _ _ (Qfloor_le x)) as C. pose proof (Qlt_Rlt _ _ (Qlt_floor x)) as D.
  unfold inject_Z in C, D. rewrite <- (whole_is _ _ eq_refl) in C. rewrite <- (whole_is _ _ eq_refl), plus_IZR in D.
  assert (E : (floored (Q2R x) < Qfloor x + 1)%Z) by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (F : (Qfloor x < floored (Q2R x) + 1)%Z) by (apply lt_IZR; rewrite plus_IZR; lra).
  lia.
Qed.

Lemma Qle_bool_not x y : Qle_bool x y = false -> Q2R y < Q2R x.
Proof. intro H. apply Qlt_Rlt, Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence. Qed.
Lemma at_most_is a b x y c : a = Q2R x -> b = Q2R y -> Qle_bool x y = c -> at_most a b = c.
Proof.
  intros -> -> <-. destruct (Qle_bool x y) eqn:E.
  - apply at_most_true, Qle_Rle, Qle_bool_iff, E.
  - apply at_most_false, Qle_bool_not, E.
Qed.
Lemma less_is a b x y c : a = Q2R x -> b = Q2R y -> negb (Qle_bool y x) = c -> Decisions.less a b = c.
Proof.
  intros -> -> <-. destruct (Qle_bool y x) eqn:E.
  - apply less_false, Qle_Rle, Qle_bool_iff, E.
  - apply less_true, Qle_bool_not, E.
Qed.
Lemma equal_is a b x y c : a = Q2R x -> b = Q2R y -> Qeq_bool x y = c -> equal a b = c.
Proof.
  intros -> -> <-. destruct (Qeq_bool x y) eqn:E.
  - apply equal_true, Qeq_eqR, Qeq_bool_eq, E.
  - apply equal_false. intro F. apply eqR_Qeq, Qeq_eq_bool in F. congruence.
Qed.
Lemma of_whole_numbers {A} (f : Z -> Z -> A) a b m n c : a = m -> b = n -> f m n = c -> f a b = c.
Proof. intros -> -> <-. reflexivity. Qed.
Lemma opposite_whole_is a m c : a = m -> Z.opp m = c -> Z.opp a = c.
Proof. intros -> <-. reflexivity. Qed.
Lemma not_is a b c : a = b -> negb b = c -> negb a = c.
Proof. intros -> <-. reflexivity. Qed.
Lemma both_are (a b c d : bool) : a = c -> (if c then b else false) = d -> andb a b = d.
Proof. intros -> <-. reflexivity. Qed.
Lemma either_is (a b c d : bool) : a = c -> (if c then true else b) = d -> orb a b = d.
Proof. intros -> <-. reflexivity. Qed.
Lemma alike_are a b c d e : a = c -> b = d -> Bool.eqb c d = e -> Bool.eqb a b = e.
Proof. intros -> -> <-. reflexivity. Qed.
Lemma choice_is {A} (b c : bool) (x y v : A) : b = c -> (if c then x else y) = v -> (if b then x else y) = v.
Proof. intros -> <-. reflexivity. Qed.
Lemma named_is {A B} (a b : A) (body : A -> B) v : a = b -> body b = v -> body a = v.
Proof. intros -> <-. reflexivity. Qed.
Lemma same_number a b x : a = Q2R x -> b = Q2R x -> a = b.
Proof. intros -> ->. reflexivity. Qed.
Lemma applied_alike {A B} (f g : A -> B) x y : f = g -> x = y -> f x = g y.
Proof. intros -> ->. reflexivity. Qed.

(* A term whose arguments are known numbers. *)
Ltac computed := lazymatch goal with |- ?a = _ => let v := eval vm_compute in a in exact (@eq_refl _ v <: a = v) end.
(* A closed term is so much: a = Q2R x for a real number, of which x may be found here.  What is not needed, such as a
   quotient in a branch that is not taken, is not looked at. *)
Ltac worked_out :=
  cbv beta iota;
  lazymatch goal with
  | |- (let name : R := ?a in @?body name) = ?v =>
    first [eapply (named_is a (Q2R _) body); [worked_out |] | change (body a = v)]; worked_out
  | |- (let name := ?a in @?body name) = ?v =>
    first [eapply (named_is a _ body); [worked_out |] | change (body a = v)]; worked_out
  | |- (if _ then _ else _) = _ => eapply choice_is; [worked_out | worked_out]
  | |- Q2R _ = Q2R _ => reflexivity
  | |- IZR _ = Q2R _ => eapply whole_is; worked_out
  | |- _ + _ = Q2R _ => eapply sum_is; [worked_out | worked_out | computed]
  | |- _ - _ = Q2R _ => eapply difference_is; [worked_out | worked_out | computed]
  | |- _ * _ = Q2R _ => eapply product_is; [worked_out | worked_out | computed]
  | |- - _ = Q2R _ => eapply opposite_is; [worked_out | computed]
  | |- _ / _ = Q2R _ => eapply quotient_is; [worked_out | worked_out | computed | computed]
  | |- Rabs _ = Q2R _ => eapply size_is; [worked_out | computed]
  | |- sqrt _ ^ 2 = Q2R _ => eapply squared_root_is; [worked_out | computed]
  | |- _ ^ 2 = Q2R _ => eapply square_is; [worked_out | computed]
  | |- floored _ = _ => eapply floor_is_of; [worked_out | computed]
  | |- at_most _ _ = _ => eapply at_most_is; [worked_out | worked_out | computed]
  | |- Decisions.less _ _ = _ => eapply less_is; [worked_out | worked_out | computed]
  | |- equal _ _ = _ => eapply equal_is; [worked_out | worked_out | computed]
  | |- andb _ _ = _ => eapply both_are; [worked_out | worked_out]
  | |- orb _ _ = _ => eapply either_is; [worked_out | worked_out]
  | |- negb _ = _ => eapply not_is; [worked_out | computed]
  | |- Bool.eqb _ _ = _ => eapply alike_are; [worked_out | worked_out | computed]
  | |- Z.leb _ _ = _ => eapply (of_whole_numbers Z.leb); [worked_out | worked_out | computed]
  | |- Z.ltb _ _ = _ => eapply (of_whole_numbers Z.ltb); [worked_out | worked_out | computed]
  | |- Z.eqb _ _ = _ => eapply (of_whole_numbers Z.eqb); [worked_out | worked_out | computed]
  | |- Z.add _ _ = _ => eapply (of_whole_numbers Z.add); [worked_out | worked_out | computed]
  | |- Z.sub _ _ = _ => eapply (of_whole_numbers Z.sub); [worked_out | worked_out | computed]
  | |- Z.mul _ _ = _ => eapply (of_whole_numbers Z.mul); [worked_out | worked_out | computed]
  | |- Z.opp _ = _ => eapply opposite_whole_is; [worked_out | computed]
  | |- _ = _ => reflexivity
  end.

(* An answer, or a state: each part is the number that is written down. *)
Ltac parts_are :=
  cbv beta iota;
  lazymatch goal with
  | |- @eq R _ _ => eapply same_number; [worked_out | worked_out]
  | |- @eq Z _ _ => worked_out
  | |- @eq bool _ _ => worked_out
  | |- vector_of _ = vector_of _ => apply f_equal; parts_are
  | |- [] = [] => reflexivity
  | |- ?x :: ?u = ?y :: ?v => apply (f_equal2 cons); [parts_are | parts_are]
  | |- ?f ?x = ?g ?y => apply (applied_alike f g x y); [parts_are | parts_are]
  | |- _ = _ => reflexivity
  end.

(** * Runs that are worked out *)

Section runs.
  Context {Row State : Type}.
  Implicit Types p : pass Row State.
  Lemma a_row p s x u s1 s2 : step p s x = s1 -> read p s1 u = s2 -> read p s (x :: u) = s2.
  Proof. intros <- <-. reflexivity. Qed.
  Lemma a_pass p passes s u s1 s2 s3 :
    start p s = s1 -> read p s1 u = s2 -> final passes s2 u = s3 -> final (p :: passes) s u = s3.
  Proof. intros <- <- <-. reflexivity. Qed.
End runs.
Lemma answers {Y} e (a b : Y) : e = 0%Z -> a = b -> outcome_of e a = Answers b.
Proof. intros -> ->. reflexivity. Qed.
Lemma raises {Y} e k (a : Y) : e = k -> Z.eqb k 0 = false -> outcome_of e a = Raises k.
Proof. intros -> H. unfold outcome_of. rewrite H. reflexivity. Qed.
Ltac answer_is :=
  cbv beta iota;
  lazymatch goal with
  | |- outcome_of _ _ = Answers _ => apply answers; [worked_out | parts_are]
  | |- outcome_of _ _ = Raises _ => apply raises; [worked_out | reflexivity]
  | |- _ => parts_are
  end.

(** * Tables that are near, and answers that are not *)

(* Lists of the same rows, each written alike in both. *)
Ltac before x u :=
  lazymatch u with
  | @cons ?Row x _ => constr:(@nil Row)
  | ?y :: ?rest => let found := before x rest in constr:(y :: found)
  end.
Ltac behind x u :=
  lazymatch u with
  | x :: ?rest => rest
  | _ :: ?rest => behind x rest
  end.
Ltac same_rows :=
  cbn [app];
  lazymatch goal with
  | |- Permutation [] [] => apply perm_nil
  | |- Permutation (?x :: ?u) ?v =>
    let b := before x v in let a := behind x v in apply (@Permutation_cons_app _ u b a x); same_rows
  end.
Ltac in_order :=
  lazymatch goal with
  | |- subsequence [] _ => apply nothing_of
  | |- subsequence (?x :: _) (?x :: _) => apply with_the_first; in_order
  | |- subsequence _ (_ :: _) => apply without_the_first; in_order
  end.
Ltac place_by_place :=
  lazymatch goal with
  | |- positions_differ _ [] [] => apply no_position
  | |- positions_differ _ (?x :: _) (?x :: _) => apply the_same_row; place_by_place
  | |- positions_differ _ (_ :: _) (_ :: _) => apply another_row; place_by_place
  end.
(* INR of so many rows is at most a number. *)
Ltac so_few := rewrite INR_IZR_INZ; apply IZR_le; cbn [length Nat.add Nat.sub Nat.mul]; lia.
(* A row, in the words of its domain. *)
Ltac row_lies :=
  lazymatch goal with
  | |- True => exact I
  | |- _ /\ _ => split; row_lies
  | |- on_grid 1 (IZR ?k) => exists k; symmetry; apply Rmult_1_l
  | |- _ => first [lra | lia]
  end.

Lemma exceeds a b p q : a = Q2R p -> b = Q2R q -> Qle_bool p q = false -> ~ a <= b.
Proof. intros -> -> H. apply Qle_bool_not in H. lra. Qed.
Lemma exceeds_root a b p q : a = Q2R p -> b = Q2R q -> Qle_bool 0 p = true -> Qle_bool 0 q = true ->
  Qle_bool (p * p) q = false -> ~ a <= sqrt b.
Proof.
  intros -> -> P Q H L. apply Qle_bool_iff, Qle_Rle in P, Q. apply Qle_bool_not in H.
  rewrite Q2R_none in P, Q. rewrite Q2R_mult in H.
  pose proof (sqrt_sqrt (Q2R q) Q). pose proof (sqrt_pos (Q2R q)).
  pose proof (Rmult_le_compat _ _ _ _ P P L L). lra.
Qed.
Ltac more :=
  lazymatch goal with
  | |- ~ _ <= sqrt _ => eapply exceeds_root; [worked_out | worked_out | computed | computed | computed]
  | |- ~ _ <= _ => eapply exceeds; [worked_out | worked_out | computed]
  end.
Lemma coordinate_too_far j n d u v : (j < n)%nat -> ~ Rabs (u j - v j) <= d -> ~ linf n d u v.
Proof. intros J H [_ all]. apply H, all, J. Qed.
Lemma l2_too_far n d u v : ~ total n (fun j => (u j - v j) ^ 2) <= d ^ 2 -> ~ l2 n d u v.
Proof. intros H [_ all]. exact (H all). Qed.
(* Answers that are too far apart: in coordinate j for the greatest difference, else all coordinates together. *)
Ltac counted_out far n := let size := eval vm_compute in n in change (far n) with (far size).
Ltac too_far_at j :=
  lazymatch goal with
  | |- ~ answered _ (Answers _) (Answers _) => cbv beta iota delta [answered]; too_far_at j
  | |- ~ answered _ _ _ => exact (fun none => none)
  | |- ~ outcomes _ _ (Answers _) (Answers _) => cbv beta iota delta [outcomes]; too_far_at j
  | |- ~ outcomes _ _ (Raises _) (Raises _) => intros [same _]; discriminate same
  | |- ~ outcomes _ _ _ _ => exact (fun none => none)
  | |- ~ absolute _ _ _ => unfold absolute; more
  | |- ~ l1 ?n _ _ _ => counted_out l1 n; unfold l1; cbn [total vector_of nth]; more
  | |- ~ l2 ?n _ _ _ => counted_out l2 n; apply l2_too_far; cbn [total vector_of nth]; more
  | |- ~ linf ?n _ _ _ => counted_out linf n; apply (coordinate_too_far j); [lia |]; cbn [vector_of nth]; more
  end.

(** * Examples *)

(* The sum of rows clamped to [0, 1] moves by 1 where 3 is added. *)
Example clamped_sum_moves_by_more_than_half :
  ~ stable (restricted (table_of any_number) (symmetric 1)) (final [clamped_total] 0) (absolute (1 / 2)).
Proof.
  assert (none : final [clamped_total] 0 [] = 0) by reflexivity.
  assert (one : final [clamped_total] 0 [3] = 1).
  { apply (a_pass _ _ _ _ 0 1); [reflexivity | | reflexivity].
    apply (a_row _ _ _ _ 1); [| reflexivity].
    cbv beta iota delta [step clamped_total clamped]. parts_are. }
  apply (query_moves_too_far _ _ _ _ _ [] [3]).
  - apply Forall_nil.
  - repeat constructor.
  - exists [], [3]. split; [exists []; split; same_rows | so_few].
  - rewrite none, one. too_far_at O.
Qed.
(* Answers that are cut down to whole numbers are within 1 of the exact ones. *)
Example cut_sums_move_by_two_more :
  stable (restricted (table_of any_number) (symmetric 3)) (fun u : table R => IZR (floored (final [clamped_total] 0 u)))
    (absolute (3 * 1 + 2 * 1)).
Proof.
  apply (machine_stays_near (X := table R) _ _ (final [clamped_total] 0) _ absolute); [exact absolute_is_a_distance | |].
  - intros u _. pose proof (floor_is (final [clamped_total] 0 u)). unfold absolute. split_Rabs; lra.
  - apply clamped_sum_is_stable.
Qed.

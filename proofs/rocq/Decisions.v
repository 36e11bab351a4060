(* Truth values that are decided: what programs branch on, and what conditions about them say.

   A program's comparisons are truth values here, so that it is a function.  A condition is that a truth value is true;
   the tactics read it as a proposition about numbers again. *)
From Coq Require Import Reals Lra Lia ZArith Bool.
Open Scope R_scope.

Definition at_most (a b : R) : bool := if Rle_dec a b then true else false.
Definition less (a b : R) : bool := if Rlt_dec a b then true else false.
Definition equal (a b : R) : bool := if Req_EM_T a b then true else false.
(* The greatest whole number up to a number. *)
Definition floored (a : R) : Z := Int_part a.
(* A hypothesis, or a conclusion: that it is true. *)
Definition holds (b : bool) : Prop := b = true.

Lemma at_most_true a b : at_most a b = true <-> a <= b.
Proof. unfold at_most. destruct Rle_dec; split; intros; try easy. Qed.
Lemma at_most_false a b : at_most a b = false <-> b < a.
Proof. unfold at_most. destruct Rle_dec; split; intros; try easy; lra. Qed.
Lemma less_true a b : less a b = true <-> a < b.
Proof. unfold less. destruct Rlt_dec; split; intros; try easy. Qed.
Lemma less_false a b : less a b = false <-> b <= a.
Proof. unfold less. destruct Rlt_dec; split; intros; try easy; lra. Qed.
Lemma equal_true a b : equal a b = true <-> a = b.
Proof. unfold equal. destruct Req_EM_T; split; intros; try easy. Qed.
Lemma equal_false a b : equal a b = false <-> a <> b.
Proof. unfold equal. destruct Req_EM_T; split; intros; try easy. Qed.
Lemma floor_is a : IZR (floored a) <= a /\ a < IZR (floored a) + 1.
Proof. unfold floored. pose proof (base_Int_part a). lra. Qed.

Lemma alike_either_way a b : Bool.eqb a b = true -> (a = true /\ b = true) \/ (a = false /\ b = false).
Proof. destruct a, b; simpl; auto; discriminate. Qed.
Lemma unlike_either_way a b : Bool.eqb a b = false -> (a = true /\ b = false) \/ (a = false /\ b = true).
Proof. destruct a, b; simpl; auto; discriminate. Qed.
Lemma alike_if a b : (a = true -> b = true) -> (a = false -> b = false) -> Bool.eqb a b = true.
Proof. intros H G. destruct a; [rewrite H by reflexivity | rewrite G by reflexivity]; reflexivity. Qed.

(* What a comparison that is decided says of numbers. *)
Ltac known_fact :=
  match goal with
  | H : andb _ _ = true |- _ => apply andb_true_iff in H; destruct H
  | H : orb _ _ = false |- _ => apply orb_false_iff in H; destruct H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : negb _ = false |- _ => apply negb_false_iff in H
  | H : at_most _ _ = true |- _ => apply at_most_true in H
  | H : at_most _ _ = false |- _ => apply at_most_false in H
  | H : less _ _ = true |- _ => apply less_true in H
  | H : less _ _ = false |- _ => apply less_false in H
  | H : equal _ _ = true |- _ => apply equal_true in H
  | H : equal _ _ = false |- _ => apply equal_false in H
  | H : Z.leb _ _ = true |- _ => apply Z.leb_le in H
  | H : Z.leb _ _ = false |- _ => apply Z.leb_gt in H
  | H : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in H
  | H : Z.ltb _ _ = false |- _ => apply Z.ltb_ge in H
  | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H
  | H : Z.eqb _ _ = false |- _ => apply Z.eqb_neq in H
  end.
Ltac known_facts := repeat known_fact.
(* Each comparison of the goal is decided, and what is left is linear arithmetic of reals or of whole numbers. *)
Ltac decide_each :=
  repeat first [known_fact | match goal with
  | H : context [if ?b then _ else _] |- _ => let E := fresh in destruct b eqn:E
  | |- context [if ?b then _ else _] => let E := fresh in destruct b eqn:E
  | H : Bool.eqb ?a ?b = true |- _ =>
      tryif first [is_var a | is_var b] then (apply eqb_prop in H; subst)
      else (apply alike_either_way in H; destruct H as [[? ?] | [? ?]])
  | H : Bool.eqb _ _ = false |- _ => apply unlike_either_way in H; destruct H as [[? ?] | [? ?]]
  | |- Bool.eqb _ _ = true => apply alike_if; intro
  | H : orb _ _ = true |- _ => apply orb_true_iff in H; destruct H
  | H : andb _ _ = false |- _ => apply andb_false_iff in H; destruct H
  | |- andb _ _ = true => apply andb_true_iff; split
  | |- at_most _ _ = true => apply at_most_true
  | |- less _ _ = true => apply less_true
  | |- equal _ _ = true => apply equal_true
  | |- Z.leb _ _ = true => apply Z.leb_le
  | |- Z.ltb _ _ = true => apply Z.ltb_lt
  | |- Z.eqb _ _ = true => apply Z.eqb_eq
  | |- ?b = true => let E := fresh in destruct b eqn:E; [reflexivity | exfalso]
  | |- ?b = false => let E := fresh in destruct b eqn:E; [exfalso | reflexivity]
  end].

(* Linear arithmetic in branches: of reals, or of whole numbers. *)
Ltac branches :=
  repeat match goal with b : bool |- _ => destruct b end; cbn [andb orb negb Bool.eqb] in *;
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : True |- _ => clear H
  end;
  repeat match goal with |- _ /\ _ => split end;
  decide_each;
  repeat match goal with H : not (@eq R _ _) |- _ => apply Rdichotomy in H; destruct H end;
  try reflexivity; try discriminate; try congruence; try (exfalso; congruence).
(* Sums and products of whole numbers as real numbers. *)
Ltac casts :=
  repeat match goal with
  | |- context [IZR (_ + _)] => rewrite plus_IZR
  | |- context [IZR (_ * _)] => rewrite mult_IZR
  | |- context [IZR (- _)] => rewrite opp_IZR
  | H : context [IZR (_ + _)] |- _ => rewrite plus_IZR in H
  | H : context [IZR (_ * _)] |- _ => rewrite mult_IZR in H
  | H : context [IZR (- _)] |- _ => rewrite opp_IZR in H
  end.
Ltac linear :=
  unfold holds in *;
  match goal with
  | |- Rabs (IZR _ - IZR _) <= _ => rewrite <- minus_IZR, <- abs_IZR; apply IZR_le; branches; lia
  | |- Rabs _ <= _ => apply Rabs_le; split; branches; first [lra | lia | casts; lra]
  | |- _ => branches; first [lra | lia | casts; lra]
  end.
Ltac without_facts :=
  repeat match goal with H : ?P |- _ => lazymatch type of P with Prop => clear H end end.
Ltac equations_alone :=
  repeat match goal with
  | H : ?P |- _ =>
    lazymatch type of P with Prop => lazymatch P with @eq R _ _ => fail | @eq Z _ _ => fail | _ => clear H end end
  end.
(* Each part of the conclusion is a hypothesis, or a sum of multiples of equations. *)
Ltac equations :=
  unfold holds in *;
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : andb _ _ = true |- _ => apply andb_true_iff in H; destruct H
  | H : equal _ _ = true |- _ => apply equal_true in H
  | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H
  end;
  repeat match goal with |- andb _ _ = true => apply andb_true_iff; split end;
  first
  [ reflexivity | assumption | apply equal_true; equations_alone; lra | apply Z.eqb_eq; equations_alone; lia
  | solve [without_facts; linear] | linear ].

(* Facts about public parameters: a product of what is positive is so, and a quotient is multiplied out. *)
Ltac whole_facts :=
  repeat match goal with
  | H : (?a <= ?b)%Z |- _ => lazymatch goal with G : IZR a <= IZR b |- _ => fail | _ => pose proof (IZR_le a b H) end
  | H : (?a < ?b)%Z |- _ => lazymatch goal with G : IZR a < IZR b |- _ => fail | _ => pose proof (IZR_lt a b H) end
  end.
Ltac is_positive :=
  first [ lra | apply Rmult_lt_0_compat; is_positive | apply Rdiv_lt_0_compat; is_positive
        | apply Rplus_lt_0_compat; is_positive | apply Rinv_0_lt_compat; is_positive ].
Ltac is_not_zero := first [lra | apply Rgt_not_eq; is_positive].
Ltac public_fact :=
  unfold holds in *; intros;
  repeat match goal with H : andb _ _ = true |- _ => apply andb_true_iff in H; destruct H end;
  repeat match goal with
  | H : less _ _ = true |- _ => apply less_true in H
  | H : at_most _ _ = true |- _ => apply at_most_true in H
  | H : Z.leb _ _ = true |- _ => apply Z.leb_le in H
  | H : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in H
  end;
  whole_facts; casts;
  first
  [ apply less_true; is_positive | apply at_most_true; left; is_positive
  | apply equal_true; field; repeat split; is_not_zero
  | apply at_most_true; right; field; repeat split; is_not_zero ].

(* What exported steps that hold for every mechanism are proved with.

   Relations of inputs that go both ways, and wider ones; independent mechanisms as rounds of which none looks at the
   outcomes before; and tactics: numbers that are the same or no greater, conditions that hold, a claim that another
   one says but for such numbers. *)
From Coq Require Import Reals Lra Lia ZArith List Permutation.
From Coq Require Import FunctionalExtensionality.
From Interval Require Import Tactic.
From Refdp Require Import Laws Privacy Algebra Tables.
From Refdp Require Renyi RenyiOfPure GaussianPrivacy Rounds Optimal Sampling Sensitivity.
Import ListNotations.
Open Scope R_scope.

(* ---- Relations of inputs ---- *)

Class mutual {X : Type} (near : X -> X -> Prop) := both_ways : forall x y, near x y -> near y x.

#[global] Instance mutual_restricted {X} (domain : X -> Prop) (near : X -> X -> Prop) {N : mutual near} :
  mutual (restricted domain near).
Proof. intros x y (A & B & n). repeat split; auto. Qed.
#[global] Instance mutual_symmetric {Row} d : mutual (@symmetric Row d).
Proof. intros x y. apply symmetric_symmetric. Qed.
#[global] Instance mutual_change_one {Row} d : mutual (@change_one Row d).
Proof. intros x y. apply change_one_symmetric. Qed.
#[global] Instance mutual_absolute d : mutual (absolute d).
Proof. intros x y n. unfold absolute in *. rewrite Rabs_minus_sym. exact n. Qed.
#[global] Instance mutual_absolute_written d : mutual (fun x y => Rabs (x - y) <= d).
Proof. exact (mutual_absolute d). Qed.
#[global] Instance mutual_discrete {X} d : mutual (@discrete X d).
Proof. intros x y [[same d0] | d1]; [left; auto | right; exact d1]. Qed.
#[global] Instance mutual_l1 dimension d : mutual (l1 dimension d).
Proof.
  intros x y n. unfold l1 in *. erewrite total_same; [exact n |]. intros j _. apply Rabs_minus_sym.
Qed.
#[global] Instance mutual_l2 dimension d : mutual (l2 dimension d).
Proof.
  intros x y [D n]. split; [exact D |]. erewrite total_same; [exact n |]. intros j _. simpl. ring.
Qed.
#[global] Instance mutual_linf dimension d : mutual (linf dimension d).
Proof. intros x y [D n]. split; [exact D |]. intros j J. rewrite Rabs_minus_sym. apply n, J. Qed.
#[global] Instance mutual_one_coordinate dimension d : mutual (one_coordinate dimension d).
Proof.
  intros x y [n [i others]]. split; [apply mutual_linf, n |]. exists i. intros j J other. symmetry. auto.
Qed.
#[global] Instance mutual_monotone dimension d : mutual (monotone dimension d).
Proof. intros x y [n [up | down]]; (split; [apply mutual_linf, n |]); [right | left]; assumption. Qed.
#[global] Instance mutual_exchange dimension d : mutual (exchange dimension d).
Proof. intros x y [n same]. split; [apply mutual_l1, n | auto]. Qed.
#[global] Instance mutual_tested d : mutual (tested d).
Proof.
  intros x y (D & one & n). split; [exact D | split; [rewrite Rabs_minus_sym; exact one |]].
  destruct n as [n | n]; [left; rewrite Rabs_minus_sym; exact n | right; rewrite Rmax_comm; exact n].
Qed.
#[global] Instance mutual_any {X : Type} : mutual (fun _ _ : X => True).
Proof. intros x y. auto. Qed.
#[global] Instance mutual_condition {X : Type} (P : Prop) : mutual (fun _ _ : X => P).
Proof. intros x y. auto. Qed.
Ltac mutual :=
  first [ match goal with |- forall x y, ?near x y -> _ => exact (@both_ways _ near _) end
        | solve [ intros ? ?; intuition ] ].

(* Of two distances the greater is the wider. *)
Class widening {X : Type} (far : R -> X -> X -> Prop) := wider : forall d d' x y, d <= d' -> far d x y -> far d' x y.
#[global] Instance widening_symmetric {Row} : widening (@symmetric Row).
Proof. intros d d' x y D (out & new & differ & few). exists out, new. split; [exact differ | lra]. Qed.
#[global] Instance widening_change_one {Row} : widening (@change_one Row).
Proof. intros d d' x y D (out & new & differ & same & few). exists out, new. repeat split; auto. lra. Qed.
#[global] Instance widening_absolute : widening absolute.
Proof. intros d d' x y D n. unfold absolute in *. lra. Qed.
#[global] Instance widening_discrete {X} : widening (@discrete X).
Proof. intros d d' x y D [[same d0] | d1]; [left; split; [exact same | lra] | right; lra]. Qed.
#[global] Instance widening_l1 dimension : widening (l1 dimension).
Proof. intros d d' x y D n. unfold l1 in *. lra. Qed.
#[global] Instance widening_l2 dimension : widening (l2 dimension).
Proof.
  intros d d' x y D [positive n]. split; [lra |]. apply Rle_trans with (1 := n). simpl. rewrite !Rmult_1_r.
  apply Rmult_le_compat; lra.
Qed.
#[global] Instance widening_linf dimension : widening (linf dimension).
Proof. intros d d' x y D [positive n]. split; [lra |]. intros j J. specialize (n j J). lra. Qed.
#[global] Instance widening_one_coordinate dimension : widening (one_coordinate dimension).
Proof. intros d d' x y D [n one]. split; [exact (widening_linf dimension d d' x y D n) | exact one]. Qed.
#[global] Instance widening_monotone dimension : widening (monotone dimension).
Proof. intros d d' x y D [n one]. split; [exact (widening_linf dimension d d' x y D n) | exact one]. Qed.

Lemma table_wider {Row : Type} (inside inside' : Row -> Prop) (x : table Row) :
  (forall r, inside r -> inside' r) -> table_of inside x -> table_of inside' x.
Proof. intros I. apply Forall_impl, I. Qed.
Lemma sized_table_wider {Row : Type} (inside inside' : Row -> Prop) size (x : table Row) :
  (forall r, inside r -> inside' r) -> sized_table_of inside size x -> sized_table_of inside' size x.
Proof. intros I [X same]. split; [exact (Forall_impl _ I X) | exact same]. Qed.
Lemma restricted_dropped {X : Type} (domain : X -> Prop) (near far : X -> X -> Prop) :
  (forall x y, near x y -> far x y) -> forall x y, restricted domain near x y -> far x y.
Proof. intros N x y (_ & _ & n). auto. Qed.
Lemma restricted_wider {X : Type} (domain domain' : X -> Prop) (near far : X -> X -> Prop) :
  (forall x, domain x -> domain' x) -> (forall x y, near x y -> far x y) ->
  forall x y, restricted domain near x y -> restricted domain' far x y.
Proof. intros D N x y (X0 & Y0 & n). repeat split; auto. Qed.

(* A claim as another one, of nearer inputs and of a measure that lets laws be further apart. *)
Lemma private_as {X} {O : space} (near nearer : X -> X -> Prop) (M M' : mechanism X O) (m m' : law O -> law O -> Prop) :
  private near M m -> M = M' -> (forall x y, nearer x y -> near x y) -> (forall p q, m p q -> m' p q) ->
  private nearer M' m'.
Proof. intros H <- N L. exact (weaken near nearer M m m' N L H). Qed.
Lemma stable_as {X Y} (near nearer : X -> X -> Prop) (T T' : X -> Y) (far further : Y -> Y -> Prop) :
  stable near T far -> T = T' -> (forall x y, nearer x y -> near x y) -> (forall x y, far x y -> further x y) ->
  stable nearer T' further.
Proof. intros H <- N L x y n. apply L, H, N, n. Qed.
Lemma renyi_as {O : space} (p q : law O) order order' epsilon epsilon' :
  order = order' -> 1 < order -> epsilon <= epsilon' ->
  Renyi.renyi order epsilon p q -> Renyi.renyi order' epsilon' p q.
Proof. intros <-. apply Renyi.weaken_renyi. Qed.

Lemma pure_as_approximate {O : space} (p q : law O) epsilon epsilon' delta :
  epsilon <= epsilon' -> 0 <= delta -> pure epsilon p q -> approximate epsilon' delta p q.
Proof. intros A B. apply weaken_approximate; assumption. Qed.

(* ---- Numbers ---- *)

Lemma exp_difference a b : exp (a - b) = exp a / exp b.
Proof. unfold Rminus, Rdiv. rewrite exp_plus, exp_Ropp. reflexivity. Qed.
Lemma exp_times p x : exp (IZR (Zpos p) * x) = exp x ^ Pos.to_nat p.
Proof.
  change (IZR (Zpos p)) with (IPR p). rewrite <- INR_IPR.
  induction (Pos.to_nat p) as [| n IH]; [rewrite Rmult_0_l; apply exp_0 |].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.
Lemma same_by_exp a b : exp a = exp b -> a = b.
Proof. apply exp_inv. Qed.

Ltac identical := match goal with |- ?a = ?b => constr_eq a b; reflexivity end.
Ltac nonzero_number := repeat split; first [ assumption | lra | apply Rgt_not_eq; number | apply Rlt_not_eq; number ].
(* Exponentials of sums and of logarithms. *)
Ltac exponents :=
  repeat match goal with
  | |- context [?a / 1] => replace (a / 1) with a by field
  | |- context [exp (?a + ?b)] => rewrite (exp_plus a b)
  | |- context [exp (?a - ?b)] => rewrite (exp_difference a b)
  | |- context [exp (- ?a)] => rewrite (exp_Ropp a)
  | |- context [exp (IZR (Zpos ?p) * ?a)] => rewrite (exp_times p a)
  | |- context [exp (IZR (Zneg ?p) * ?a)] =>
      replace (IZR (Zneg p) * a) with (- (IZR (Zpos p) * a)) by (change (IZR (Zneg p)) with (- IZR (Zpos p)); ring)
  | |- context [exp (ln ?a)] => rewrite (exp_ln a) by number
  | |- context [exp (0 * ?a)] => rewrite (Rmult_0_l a)
  | |- context [exp 0] => rewrite exp_0
  end;
  repeat match goal with
  | |- context [Pos.to_nat ?p] => let n := eval compute in (Pos.to_nat p) in change (Pos.to_nat p) with n
  end;
  cbn [pow].
(* Two numbers that are the same: by algebra, or as sums of logarithms. *)
Ltac by_powers :=
  apply same_by_exp; exponents;
  first [ identical | lra | solve [ field; nonzero_number ] | solve [ settled; field; nonzero_number ] ].
Ltac same_number :=
  first [ identical | lra | ring | solve [ field; nonzero_number ] | solve [ apply sqrt_lem_1; lra ]
        | solve [ by_powers ] | solve [ settled; lra ]
        | match goal with
          | |- ?f ?a = ?g ?b => constr_eq f g; apply (f_equal f); same_number
          | |- ?f ?a ?c = ?g ?b ?d => constr_eq f g; apply (f_equal2 f); same_number
          end ].
(* The first is no greater. *)
Ltac no_greater :=
  first [ match goal with |- ?a <= ?b => constr_eq a b; apply Rle_refl end
        | lra | solve [ interval ]
        | solve [ exponents; first [ lra | interval | settled; lra | right; field; nonzero_number | right; by_powers ] ]
        | solve [ right; same_number ] | solve [ number ] ].

(* ---- Conditions ---- *)
Lemma integral_name z : integral (IZR z).
Proof. exists z. reflexivity. Qed.
Lemma multiple_by z x step : x = IZR z * step -> multiple x step.
Proof. intro same. exists z. exact same. Qed.
Ltac whole_number :=
  first [ assumption | apply integral_constant
        | apply integral_sum; whole_number | apply integral_difference; whole_number
        | apply integral_product; whole_number | apply integral_opposite; whole_number
        | apply integral_power; whole_number ].
Lemma whole_below_part (k : Z) x : IZR k <= x -> IZR k <= IZR (Int_part x).
Proof.
  intro below. apply IZR_le. destruct (base_Int_part x) as [A B].
  assert (C : IZR k < IZR (Int_part x + 1)) by (rewrite plus_IZR; lra). apply lt_IZR in C. lia.
Qed.
Ltac one_condition :=
  first [ assumption | lra | solve [ whole_number ] | solve [ number ] | lia | solve [ nra ]
        | match goal with
          | |- _ <= IZR (Int_part _) => solve [ apply whole_below_part; assumption ]
          | |- multiple ?x ?step => solve [ apply (multiple_by 0); lra | apply (multiple_by 1); lra ]
          | |- _ <= _ => solve [ apply IZR_le; lia ]
          end ].
Ltac condition := lazymatch goal with |- _ /\ _ => split; condition | _ => solve [ one_condition ] end.
(* Whole numbers: sums and products of them, seen as real numbers or not. *)
Lemma part_of_whole z : Int_part (IZR z) = z.
Proof. unfold Int_part. rewrite <- (tech_up (IZR z) (z + 1)); [lia | |]; rewrite plus_IZR; lra. Qed.
Lemma whole_part x : integral x -> IZR (Int_part x) = x.
Proof. intros [z ->]. rewrite part_of_whole. reflexivity. Qed.
(* Whole parts in a claim: of what is whole it is that. *)
Ltac wholes claim :=
  repeat match type of claim with
  | context [IZR (Int_part ?x)] => rewrite (whole_part x) in claim by condition
  | context [Int_part ?x] =>
    let z := fresh "z" in
    evar (z : Z); replace (Int_part x) with z in claim
      by (repeat first [rewrite <- minus_IZR | rewrite <- plus_IZR | rewrite <- mult_IZR];
          rewrite part_of_whole; subst z; reflexivity); subst z
  end.
Ltac settle claim :=
  repeat match type of claim with
  | ?P -> _ => let known := fresh "known" in assert (known : P) by condition; specialize (claim known); clear known
  end.

(* ---- Claims that are the same but for numbers ---- *)
(* One domain lies in another. *)
Ltac inside_of :=
  first [ match goal with |- forall x, ?d x -> ?e x => constr_eq d e; exact (fun x n => n) end | exact (fun x n => I)
        | exact (fun x n i below => I)
        | intros ?; first [ apply table_wider; inside_of | apply sized_table_wider; inside_of ]
        | solve [ intros ? ?; auto ] | solve [ intros ? ?; repeat split; intuition (first [ lra | auto ]) ] ].
(* Written alike: nothing is computed to see it. *)
Ltac nearer :=
  first [ match goal with |- forall x y, ?near x y -> ?far x y => constr_eq near far; exact (fun x y n => n) end
        | apply restricted_wider; [ inside_of | nearer ]
        | match goal with |- forall x y, ?far ?d x y -> ?far ?d' x y =>
            let H := fresh in assert (H : d <= d') by no_greater; exact (fun x y n => wider d d' x y H n) end
        | apply restricted_dropped; nearer
        | exact (fun x y n => n) ].
Ltac further :=
  intros ? ?;
  first [ match goal with |- ?m ?p ?q -> ?n ?p ?q => constr_eq m n; exact (fun H => H) end
        | lazymatch goal with
          | |- pure _ _ _ -> pure _ _ _ => apply weaken_pure; no_greater
          | |- approximate _ _ _ _ -> approximate _ _ _ _ => apply weaken_approximate; no_greater
          | |- pure _ _ _ -> approximate _ _ _ _ => apply pure_as_approximate; no_greater
          | |- Renyi.concentrated _ _ _ -> _ => apply Renyi.weaken_concentrated; no_greater
          | |- Renyi.renyi _ _ _ _ -> _ => apply renyi_as; [ same_number | condition | no_greater ]
          | |- GaussianPrivacy.gaussian _ _ _ -> _ => apply GaussianPrivacy.weaken_gaussian; no_greater
          end ].
Ltac same_subject :=
  first [ identical
        | match goal with
          | |- @eq R _ _ => same_number
          | |- ?f ?a = ?g ?b => constr_eq f g; apply (f_equal f); same_subject
          | |- ?f ?a ?c = ?g ?b ?d => constr_eq f g; apply (f_equal2 f); same_subject
          | |- (fun _ => _) = (fun _ => _) => let x := fresh in extensionality x; same_subject
          end
        | reflexivity ].
Ltac conclude claim :=
  cbv beta in claim; cbv beta;
  let said := type of claim in
  first [ match goal with |- ?goal => constr_eq said goal; exact claim end
        | lazymatch goal with
          | |- private _ _ _ => refine (private_as _ _ _ _ _ _ claim _ _ _); [ same_subject | nearer | further ]
          | |- stable _ _ _ => refine (stable_as _ _ _ _ _ _ claim _ _ _); [ same_subject | nearer | nearer ]
          end ].

(* ---- Rules ---- *)

Theorem chained {X Y} {O : space} (near : X -> X -> Prop) (far far' : Y -> Y -> Prop) (T : X -> Y)
    (M : mechanism Y O) m :
  stable near T far -> private far' M m -> (forall x y, far x y -> far' x y) -> private near (fun x => M (T x)) m.
Proof. intros S H F. apply (chain near far'); [| exact H]. intros x y n. apply F, S, n. Qed.
Theorem chained_stable {X Y Z} (near : X -> X -> Prop) (middle middle' : Y -> Y -> Prop) (far : Z -> Z -> Prop)
    (T : X -> Y) (U : Y -> Z) :
  stable near T middle -> stable middle' U far -> (forall x y, middle x y -> middle' x y) ->
  stable near (fun x => U (T x)) far.
Proof. intros S H F x y n. apply H, F, S, n. Qed.
Theorem pure_to_approximate_below {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) e epsilon :
  (forall x y, near x y -> near y x) -> 0 <= epsilon -> epsilon <= e -> private near M (pure e) ->
  private near M (approximate epsilon ((exp e - exp epsilon) / (exp e + 1))).
Proof. intros both_ways N A H x y n. apply pure_to_approximate_below; auto. Qed.

(* ---- Independent mechanisms ---- *)

(* Outcomes beside which every law can be integrated, as those are that are plain. *)
Class discrete (O : space) := beside_any : forall (P : space) (p : law P), Rounds.integrates_beside O p.
#[global] Instance discrete_plain {T} : discrete (plain T).
Proof. intros P p. apply Rounds.plain_integrates. Qed.
#[global] Instance discrete_product {O P : space} {D : discrete O} {D' : discrete P} : discrete (product O P).
Proof.
  intros B p f [[c C] [sections others]]. simpl. split; [| split].
  - exists c. intros o b. apply E_between; [apply sections | intro; apply C].
  - intro o. apply (D' B p (fun b => f (o, b))). split; [exists c; intros; apply C | split].
    + intro b. apply sections.
    + intro b. destruct (others b) as [_ [A _]]. apply A.
  - intro b. apply (D B p (fun o => f (o, b))). split; [exists c; intros; apply C | split].
    + intro o. apply sections.
    + intro z. destruct (others z) as [_ [_ A]]. apply A.
Qed.

Definition ignoring {O : space} {D : discrete O} {P : space} (p : law P) : kernel O P := regardless p (beside_any P p).
Definition nothing {X : Type} : mechanism X (plain unit) := fun _ => certain (O := plain unit) tt.
(* Both are run, neither looks at the other's outcome, and both outcomes are told. *)
Definition alongside {X : Type} {O P : space} {D : discrete O} (M : mechanism X O) (N : mechanism X P) :
    mechanism X (product O P) := fun x => both (M x) (ignoring (N x)).
Fixpoint outcomes_of (O : space) (count : nat) : space :=
  match count with 0%nat => plain unit | S rest => product O (outcomes_of O rest) end.
#[global] Instance discrete_outcomes {O : space} {D : discrete O} count : discrete (outcomes_of O count).
Proof. induction count; simpl; [apply discrete_plain | apply discrete_product]. Qed.
(* So many runs, each on its own coins. *)
Fixpoint repeated {X : Type} {O : space} {D : discrete O} (M : mechanism X O) (count : nat) :
    mechanism X (outcomes_of O count) :=
  match count with 0%nat => nothing | S rest => alongside M (repeated M rest) end.

Lemma nothing_rounds {Loss X : Type} (near : X -> X -> Prop) (m : Loss -> measure) :
  Rounds.round_by_round near m [] (plain unit) nothing.
Proof. exact (Rounds.nothing_more near m (plain unit) (certain (O := plain unit) tt)). Qed.
Lemma alongside_rounds {Loss X : Type} (near : X -> X -> Prop) (m : Loss -> measure) loss losses {O P : space}
    {D : discrete O} (M : mechanism X O) (N : mechanism X P) :
  private near M (m loss O) -> Rounds.round_by_round near m losses P N ->
  Rounds.round_by_round near m (loss :: losses) (product O P) (alongside M N).
Proof.
  intros H rest. exact (Rounds.next_round near m loss losses O P M (fun x => ignoring (N x)) H (fun _ => rest)).
Qed.
Lemma repeated_rounds {Loss X : Type} (near : X -> X -> Prop) (m : Loss -> measure) loss {O : space} {D : discrete O}
    (M : mechanism X O) count :
  private near M (m loss O) ->
  Rounds.round_by_round near m (repeat loss count) (outcomes_of O count) (repeated M count).
Proof. intro H. induction count; simpl; [apply nothing_rounds | apply alongside_rounds; assumption]. Qed.
Lemma alongside_composition {X : Type} (near : X -> X -> Prop) e d losses {O P : space} {D : discrete O}
    (M : mechanism X O) (N : mechanism X P) :
  private near M (approximate e d) -> Optimal.composition near losses P N ->
  Optimal.composition near ((e, d) :: losses) (product O P) (alongside M N).
Proof.
  intros H rest. exact (Optimal.composition_first near O P M (fun x => ignoring (N x)) e d losses H (fun _ => rest)).
Qed.
Lemma nothing_composition {X : Type} (near : X -> X -> Prop) : Optimal.composition near [] (plain unit) nothing.
Proof. exact (Optimal.composition_nothing near (plain unit) (certain (O := plain unit) tt)). Qed.
Lemma repeated_composition {X : Type} (near : X -> X -> Prop) e d {O : space} {D : discrete O}
    (M : mechanism X O) count :
  private near M (approximate e d) ->
  Optimal.composition near (repeat (e, d) count) (outcomes_of O count) (repeated M count).
Proof. intro H. induction count; simpl; [apply nothing_composition | apply alongside_composition; assumption]. Qed.

(* Two that do not look at each other, in the other way to write them. *)
Section two.
  Context {X T : Type} {P : space} (near : X -> X -> Prop) (M : mechanism X (plain T)) (N : mechanism X P).
  Theorem two_pure e e' : private near M (pure e) -> private near N (pure e') ->
    private near (fun x => both (M x) (always (N x))) (pure (e + e')).
  Proof.
    intros H H'. unfold pure. replace 0 with (0 + 0) by ring. apply compose; [lra | exact H | exact H'].
  Qed.
  Theorem two_failures e d e' d' : 0 <= d' <= 1 -> d <= 1 ->
    private near M (approximate e d) -> private near N (approximate e' d') ->
    private near (fun x => both (M x) (always (N x))) (approximate (e + e') (1 - (1 - d) * (1 - d'))).
  Proof.
    intros D' D H H' x y n. unfold approximate. rewrite exp_plus.
    apply Rounds.composed_failures; try (left; apply exp_pos); [exact D' | exact D | apply H, n | intro o; apply H', n].
  Qed.
End two.

(* compose_many; how often is a whole number *)
Lemma count_of k : 1 <= IZR k -> INR (Z.to_nat k) = IZR k.
Proof. intro K. apply le_IZR in K. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity. Qed.
Class runs {X : Type} {O P : space} (M : mechanism X O) (count : nat) (N : mechanism X P) := {
  runs_rounds : forall Loss (near : X -> X -> Prop) (m : Loss -> measure) loss,
    private near M (m loss O) -> Rounds.round_by_round near m (repeat loss count) P N;
  runs_composition : forall (near : X -> X -> Prop) e d,
    private near M (approximate e d) -> Optimal.composition near (repeat (e, d) count) P N }.
#[global] Instance runs_repeated {X : Type} {O : space} {D : discrete O} (M : mechanism X O) count :
  runs M count (repeated M count).
Proof. split; intros; [apply repeated_rounds | apply repeated_composition]; assumption. Qed.
#[global] Instance runs_draws {X : Type} {O : space} (M : mechanism X O)
    (beside : forall x, Rounds.integrates_beside O (M x)) count :
  runs M count (fun x => Rounds.draws (M x) (beside x) count).
Proof.
  split; intros; [apply Rounds.draws_round_by_round; assumption |].
  induction count as [| count IH]; simpl.
  - exact (Optimal.composition_nothing near (plain unit) (certain (O := plain unit) tt)).
  - exact (Optimal.composition_first near O (Rounds.power O count) M
      (fun x => regardless (Rounds.draws (M x) (beside x) count)
        (proj2_sig (Rounds.draws_beside (M x) (beside x) count)))
      e d (repeat (e, d) count) H (fun _ => IH)).
Qed.
Section many.
  Context {X : Type} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (k : Z) (N : mechanism X P).
  Context {independent : runs M (Z.to_nat k) N}.
  Hypothesis some : 1 <= IZR k.
  Theorem many_pure e : private near M (pure e) -> private near N (pure (IZR k * e)).
  Proof.
    intro H. rewrite <- (count_of k some), <- Rounds.sum_repeated.
    apply Rounds.rounds_pure, (runs_rounds _ near (fun e => @pure e)), H.
  Qed.
  Theorem many_approximate e d :
    private near M (approximate e d) -> private near N (approximate (IZR k * e) (IZR k * d)).
  Proof.
    intro H. rewrite <- (count_of k some). apply Rounds.rounds_alike.
    exact (runs_rounds _ near Rounds.approximately (e, d) H).
  Qed.
  Theorem many_concentrated rho :
    private near M (Renyi.concentrated rho) -> private near N (Renyi.concentrated (IZR k * rho)).
  Proof.
    intro H. rewrite <- (count_of k some), <- Rounds.sum_repeated.
    apply Rounds.rounds_concentrated, (runs_rounds _ near (fun rho => @Renyi.concentrated rho)), H.
  Qed.
  Theorem many_renyi order e : 1 < order ->
    private near M (Renyi.renyi order e) -> private near N (Renyi.renyi order (IZR k * e)).
  Proof.
    intros A H. rewrite <- (count_of k some), <- Rounds.sum_repeated.
    apply Rounds.rounds_renyi; [exact A | apply (runs_rounds _ near (@Renyi.renyi order)), H].
  Qed.
  Theorem many_advanced e d delta : (forall x y, near x y -> near y x) -> 0 <= e -> 0 < delta < 1 ->
    private near M (approximate e d) -> private near N (approximate
      (e * sqrt (2 * IZR k * ln (1 / delta)) + IZR k * e * (exp e - 1) / (exp e + 1)) (IZR k * d + delta)).
  Proof.
    intros symmetric positive small H. rewrite <- (count_of k some).
    apply Optimal.compose_advanced_adaptive; try assumption; [apply le_IZR in some; lia |].
    apply (runs_composition near), H.
  Qed.
  Theorem many_optimal e d epsilon : (forall x y, near x y -> near y x) -> 0 <= e -> d <= 1 ->
    private near M (approximate e d) -> private near N
      (approximate epsilon (Optimal.least_delta_of_many e d (Z.to_nat k) epsilon)).
  Proof.
    intros symmetric positive small H. rewrite <- Optimal.least_delta_repeat.
    apply Optimal.compose_optimal; [exact symmetric | apply Optimal.allowed_repeat; assumption |].
    apply (runs_composition near), H.
  Qed.
End many.

(* group, on tables: k times as many edits *)
Section groups.
  Context {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O) (size d k : nat) (near far : R).
  Hypothesis (some : (1 <= k)%nat) (from : near = INR d) (to : far = INR k * INR d).
  Theorem group_pure e : private (restricted (table_of inside) (symmetric near)) M (pure e) ->
    private (restricted (table_of inside) (symmetric far)) M (pure (INR k * e)).
  Proof. subst. apply Rounds.group_pure, some. Qed.
  Theorem group_change_one_pure e : private (restricted (table_of inside) (change_one near)) M (pure e) ->
    private (restricted (table_of inside) (change_one far)) M (pure (INR k * e)).
  Proof. subst. apply Rounds.group_change_one_pure, some. Qed.
  Theorem group_sized_pure e : private (restricted (sized_table_of inside size) (change_one near)) M (pure e) ->
    private (restricted (sized_table_of inside size) (change_one far)) M (pure (INR k * e)).
  Proof. subst. apply Rounds.group_sized_pure, some. Qed.
  Theorem group_approximate e delta : private (restricted (table_of inside) (symmetric near)) M (approximate e delta) ->
    private (restricted (table_of inside) (symmetric far)) M (approximate (INR k * e) (delta * Rounds.powers e k)).
  Proof. subst. apply Rounds.group, some. Qed.
  Theorem group_change_one_approximate e delta :
    private (restricted (table_of inside) (change_one near)) M (approximate e delta) ->
    private (restricted (table_of inside) (change_one far)) M (approximate (INR k * e) (delta * Rounds.powers e k)).
  Proof. subst. apply Rounds.group_change_one, some. Qed.
  Theorem group_sized_approximate e delta :
    private (restricted (sized_table_of inside size) (change_one near)) M (approximate e delta) ->
    private (restricted (sized_table_of inside size) (change_one far)) M
      (approximate (INR k * e) (delta * Rounds.powers e k)).
  Proof. subst. apply Rounds.group_sized, some. Qed.
  Theorem group_concentrated rho : private (restricted (table_of inside) (symmetric near)) M (Renyi.concentrated rho) ->
    private (restricted (table_of inside) (symmetric far)) M (Renyi.concentrated (INR k ^ 2 * rho)).
  Proof. subst. apply Rounds.group_concentrated, some. Qed.
  Theorem group_change_one_concentrated rho :
    private (restricted (table_of inside) (change_one near)) M (Renyi.concentrated rho) ->
    private (restricted (table_of inside) (change_one far)) M (Renyi.concentrated (INR k ^ 2 * rho)).
  Proof. subst. apply Rounds.group_change_one_concentrated, some. Qed.
  Theorem group_sized_concentrated rho :
    private (restricted (sized_table_of inside size) (change_one near)) M (Renyi.concentrated rho) ->
    private (restricted (sized_table_of inside size) (change_one far)) M (Renyi.concentrated (INR k ^ 2 * rho)).
  Proof. subst. apply Rounds.group_sized_concentrated, some. Qed.
End groups.
Section pairs_of_edits.
  Context {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O) (size d : nat) (near far : R).
  Context (order e : R).
  Hypothesis (A : 2 < order) (from : near = INR d) (to : far = 2 * INR d).
  Theorem group_renyi : private (restricted (table_of inside) (symmetric near)) M (Renyi.renyi order e) ->
    private (restricted (table_of inside) (symmetric far)) M
      (Renyi.renyi (order / 2) (e * (2 * order - 1) / (order - 1))).
  Proof. subst. apply Rounds.group_renyi, A. Qed.
  Theorem group_change_one_renyi : private (restricted (table_of inside) (change_one near)) M (Renyi.renyi order e) ->
    private (restricted (table_of inside) (change_one far)) M
      (Renyi.renyi (order / 2) (e * (2 * order - 1) / (order - 1))).
  Proof. subst. apply Rounds.group_renyi_change_one, A. Qed.
  Theorem group_sized_renyi :
    private (restricted (sized_table_of inside size) (change_one near)) M (Renyi.renyi order e) ->
    private (restricted (sized_table_of inside size) (change_one far)) M
      (Renyi.renyi (order / 2) (e * (2 * order - 1) / (order - 1))).
  Proof. subst. apply Rounds.group_renyi_sized, A. Qed.
End pairs_of_edits.
Theorem replaced_rows {Row : Type} {O : space} (inside : Row -> Prop) (d half : R) (M : mechanism (table Row) O) m :
  half = d / 2 -> private (restricted (table_of inside) (symmetric d)) M m ->
  private (restricted (table_of inside) (change_one half)) M m.
Proof. intros -> H. apply Tables.replaced_rows, H. Qed.

Lemma vector_sum_reordered {Row : Type} (contribution : Row -> vector) u v :
  Permutation u v -> Sensitivity.vector_sum contribution u = Sensitivity.vector_sum contribution v.
Proof. intro same. extensionality j. apply Sensitivity.sum_of_reordered, same. Qed.
(* What reads a sum of the rows does not see their order. *)
Ltac unordered :=
  let x := fresh in let y := fresh in let same := fresh in
  intros x y _ _ same ? _; cbv beta;
  first [ rewrite (Sensitivity.sum_of_reordered _ x y same) | rewrite (vector_sum_reordered _ x y same) ]; reflexivity.

(* ---- Of rules ---- *)
Lemma count_positive k : 1 <= IZR k -> (1 <= Z.to_nat k)%nat.
Proof. intro K. apply le_IZR in K. lia. Qed.
Lemma square_over a b : 0 < b -> 0 <= a ^ 2 / b ^ 2.
Proof. intro B. apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat, pow_lt, B]. Qed.
Ltac positive :=
  first [ condition | solve [ apply square_over; condition ]
        | apply Rplus_le_le_0_compat; positive | apply Rmult_le_pos; positive ].
(* Numbers of edits that are written down. *)
Ltac edits := rewrite ?INR_IZR_INZ, ?Z2Nat.id by lia; first [ identical | lra | nra ].
Ltac all_of :=
  repeat first [ apply Forall_nil | apply Forall_cons; cbn [fst snd]; [ condition |] ].
(* What a theorem asks for besides its premises; what is left is the claim. *)
Ltac side :=
  lazymatch goal with
  | |- private _ _ _ => idtac
  | |- stable _ _ _ => idtac
  | |- forall x y : ?X, ?near x y -> ?far y x => mutual
  | |- forall x y : ?X, ?near x y -> ?far x y => nearer
  | |- Rounds.unordered _ _ => unordered
  | |- Optimal.allowed _ => unfold Optimal.allowed; all_of
  | |- Forall _ _ => all_of
  | _ => first [ solve [ edits ] | condition | solve [ positive ] | same_number ]
  end.

(* How often, where that is written down: sums over so many are written out. *)
Ltac counts claim :=
  repeat match type of claim with
  | context [INR ?n] =>
      let z := eval compute in (Z.of_nat n) in
      lazymatch z with Z0 => idtac | Zpos _ => idtac end;
      replace (INR n) with (IZR z) in claim by (rewrite INR_IZR_INZ; reflexivity)
  end.
Ltac powers claim :=
  match type of claim with
  | context [Rounds.powers ?e ?n] =>
      let m := eval compute in n in
      lazymatch m with O => idtac | S _ => idtac end;
      change (Rounds.powers e n) with (Rounds.powers e m) in claim; cbn [Rounds.powers] in claim
  | _ => idtac
  end; counts claim.
Ltac least_of_many claim :=
  match type of claim with
  | context [Optimal.least_delta_of_many ?e ?d ?n ?epsilon] =>
      let m := eval compute in n in
      change (Optimal.least_delta_of_many e d n epsilon) with (Optimal.least_delta_of_many e d m epsilon) in claim
  end;
  unfold Optimal.least_delta_of_many, Binomial.C in claim;
  cbn [sum_f_R0 Nat.sub fact Nat.mul Nat.add pow] in claim; counts claim.
Ltac least_of_some found :=
  unfold Optimal.least_delta, Optimal.told_by_coins, Optimal.none_fails, Optimal.normaliser, Optimal.sum_over in found;
  cbn in found.

(* ---- Samples ---- *)

(* A rate is a probability: less than 0 is 0, and more than 1 is 1. *)
Definition on_poisson_sample {Row : Type} {O : space} (rate : R) (M : mechanism (table Row) O) :
    mechanism (table Row) O := Sampling.on_poisson_sample (Rmax 0 (Rmin 1 rate)) (Optimal.clamped_between rate) M.
Lemma clamped_rate rate : 0 <= rate <= 1 -> Rmax 0 (Rmin 1 rate) = rate.
Proof. intros [low high]. rewrite Rmin_right by exact high. apply Rmax_right, low. Qed.
Section samples.
  Context {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O).
  Theorem poisson_sampled_pure rate e : 0 <= rate -> rate <= 1 -> Rounds.unordered (table_of inside) M ->
    private (restricted (table_of inside) (symmetric 1)) M (pure e) ->
    private (restricted (table_of inside) (symmetric 1)) (on_poisson_sample rate M)
      (pure (ln (1 + rate * (exp e - 1)))).
  Proof.
    intros low high order H.
    pose proof (Sampling.poisson_sampled_pure inside _ (Optimal.clamped_between rate) M order e H) as claim.
    replace (ln (1 + rate * (exp e - 1))) with (Sampling.amplified (Rmax 0 (Rmin 1 rate)) e); [exact claim |].
    unfold Sampling.amplified. rewrite clamped_rate by (split; assumption). reflexivity.
  Qed.
  Theorem poisson_sampled_approximate rate e d : 0 <= rate -> rate <= 1 -> 0 <= e ->
    Rounds.unordered (table_of inside) M -> private (restricted (table_of inside) (symmetric 1)) M (approximate e d) ->
    private (restricted (table_of inside) (symmetric 1)) (on_poisson_sample rate M)
      (approximate (ln (1 + rate * (exp e - 1))) (rate * d)).
  Proof.
    intros low high positive order H.
    pose proof (Sampling.poisson_sampled inside _ (Optimal.clamped_between rate) M order e d positive H) as claim.
    replace (ln (1 + rate * (exp e - 1))) with (Sampling.amplified (Rmax 0 (Rmin 1 rate)) e).
    - replace (rate * d) with (Rmax 0 (Rmin 1 rate) * d); [exact claim |].
      rewrite clamped_rate by (split; assumption). reflexivity.
    - unfold Sampling.amplified. rewrite clamped_rate by (split; assumption). reflexivity.
  Qed.
  Lemma unordered_sized m : Rounds.unordered (table_of inside) M -> Rounds.unordered (sized_table_of inside m) M.
  Proof. intros order x y [X _] [Y _]. apply order; assumption. Qed.
  Theorem fixed_size_sampled_pure m n e : 1 <= IZR m -> IZR m <= IZR n -> Rounds.unordered (table_of inside) M ->
    private (restricted (table_of inside) (change_one 1)) M (pure e) ->
    private (restricted (sized_table_of inside (Z.to_nat n)) (change_one 1))
      (Sampling.on_fixed_size_sample (Z.to_nat m) M) (pure (ln (1 + IZR m / IZR n * (exp e - 1)))).
  Proof.
    intros some fits order H. rewrite <- (count_of m), <- (count_of n) by lra. apply le_IZR in some, fits.
    apply (Sampling.fixed_size_sampled_of_tables_pure inside); [lia | apply unordered_sized, order | exact H].
  Qed.
  Theorem fixed_size_sampled_approximate m n e d : 1 <= IZR m -> IZR m <= IZR n -> 0 <= e ->
    Rounds.unordered (table_of inside) M -> private (restricted (table_of inside) (change_one 1)) M (approximate e d) ->
    private (restricted (sized_table_of inside (Z.to_nat n)) (change_one 1))
      (Sampling.on_fixed_size_sample (Z.to_nat m) M)
      (approximate (ln (1 + IZR m / IZR n * (exp e - 1))) (IZR m / IZR n * d)).
  Proof.
    intros some fits positive order H. rewrite <- (count_of m), <- (count_of n) by lra. apply le_IZR in some, fits.
    apply (Sampling.fixed_size_sampled_of_tables inside);
      [lia | apply unordered_sized, order | exact positive | exact H].
  Qed.
End samples.
(* ---- Mapped rows ---- *)
Section mapped.
  Context {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop) (M : mechanism (table Row') O).
  Context (near : table Row -> table Row -> Prop) (far : table Row' -> table Row' -> Prop) (k : Z).
  Context (P : space) (N : mechanism (table Row) P) (some : 1 <= IZR k).
  Context (kept : forall f : Row -> Row', (forall r, inside r -> inside' (f r)) -> stable near (map f) far).
  Context (sequence : Rounds.mapped_by_rows inside inside' M (Z.to_nat k) P N).
  Theorem mapped_rounds_pure e : private far M (pure e) -> private near N (pure (IZR k * e)).
  Proof.
    intro H. rewrite <- (count_of k some). apply (Rounds.mapped_rounds_pure inside inside' M near far); assumption.
  Qed.
  Theorem mapped_rounds_concentrated rho :
    private far M (Renyi.concentrated rho) -> private near N (Renyi.concentrated (IZR k * rho)).
  Proof.
    intro H. rewrite <- (count_of k some).
    apply (Rounds.mapped_rounds_concentrated inside inside' M near far); assumption.
  Qed.
  Theorem mapped_rounds_renyi order e : 1 < order ->
    private far M (Renyi.renyi order e) -> private near N (Renyi.renyi order (IZR k * e)).
  Proof.
    intros A H. rewrite <- (count_of k some).
    apply (Rounds.mapped_rounds_renyi inside inside' M near far); assumption.
  Qed.
End mapped.
Ltac kept d :=
  let f := fresh in let F := fresh in intros f F;
  first [ exact (proj1 (Rounds.maps_keep_tables_near _ _ 0 d f F))
        | exact (proj1 (proj2 (Rounds.maps_keep_tables_near _ _ 0 d f F)))
        | exact (proj2 (proj2 (Rounds.maps_keep_tables_near _ _ _ d f F))) ].

(* adaptive, after outcomes that are plain *)
Theorem adaptive_pure {X T : Type} {P : space} (near : X -> X -> Prop) (M : mechanism X (plain T))
    (N : T -> mechanism X P) e e' :
  private near M (pure e) -> (forall previous, private near (N previous) (pure e')) ->
  private near (fun x => both (M x) (plain_kernel (fun previous => N previous x))) (pure (e + e')).
Proof.
  intros H H'. unfold pure. replace 0 with (0 + 0) by ring.
  apply (adaptive near M (fun x => plain_kernel (fun previous => N previous x))); [lra | exact H | exact H'].
Qed.

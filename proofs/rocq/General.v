(* What rules say of all mechanisms, whatever their outcomes are.

   Outcomes need not be countable.  The joint law of independent draws is not built here but described: a law of what is
   told of both outcomes, by which a function is integrated over one outcome and then over the other.  Where a space has
   the bounded measurable functions as its observables, and a law is a probability measure, that is the product measure,
   by Fubini's theorem; where outcomes are plain, it is `both`. *)
From Coq Require Import Reals Lra Lia List ZArith Permutation.
From Refdp Require Import Laws Privacy Renyi RenyiOfPure Tables Rounds.
Import ListNotations.
Open Scope R_scope.

(* ---- A function of the outcome ---- *)

(* What can be integrated after a function has been applied. *)
Definition measurable {O P : space} (f : O -> P) := forall g : P -> R, observable g -> observable (fun o => g (f o)).
Definition image {O P : space} (f : O -> P) (F : measurable f) (p : law O) : law P.
Proof.
  refine (Law P (fun g => E p (fun o => g (f o))) _ _ _ _).
  - intros g h G H below. apply E_monotone; [apply F, G | apply F, H | intro o; apply below].
  - intros g h G H. apply (E_sum p (fun o => g (f o)) (fun o => h (f o))); apply F; assumption.
  - intros c g G. apply (E_multiple p c (fun o => g (f o))), F, G.
  - apply E_one.
Defined.

Theorem post_process_approximate {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (f : O -> P)
    (F : measurable f) e d :
  private near M (approximate e d) -> private near (fun x => image f F (M x)) (approximate e d).
Proof.
  intros H x y n g [G between]. apply (H x y n (fun o => g (f o))). split; [apply F, G | intro o; apply between].
Qed.
Theorem post_process_pure {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (f : O -> P)
    (F : measurable f) e :
  private near M (pure e) -> private near (fun x => image f F (M x)) (pure e).
Proof. apply post_process_approximate. Qed.

(* ---- Independent draws ---- *)

Definition both_told {O P : space} : O -> P -> product O P := fun o b => (o, b).

(* j is the law of what is told of an outcome of p and one of q, drawn independently. *)
Definition drawn {O P Q : space} (tell : O -> P -> Q) (p : law O) (q : law P) (j : law Q) := forall f, observable f ->
  (forall o, observable (fun b => f (tell o b))) /\
  observable (fun o => E q (fun b => f (tell o b))) /\
  E j f = E p (fun o => E q (fun b => f (tell o b))).
Definition independent {X} {O P Q : space} (tell : O -> P -> Q) (M : mechanism X O) (N : mechanism X P)
    (J : mechanism X Q) := forall x, drawn tell (M x) (N x) (J x).
(* J 0 tells nothing of the input, and J (n + 1) an independent draw of M beside what J n tells. *)
Definition independent_runs {X} {O : space} {Q : nat -> space} (tell : forall n, O -> Q n -> Q (S n))
    (M : mechanism X O) (J : forall n, mechanism X (Q n)) :=
  (forall x y, same_law (J 0%nat x) (J 0%nat y)) /\ forall n, independent (tell n) M (J n) (J (S n)).

Lemma drawn_both {T : Type} {P : space} (p : law (plain T)) (q : law P) :
  drawn both_told p q (both p (always q)).
Proof.
  intros f F. split; [apply F | split; [| reflexivity]]. exact (run_observable (always q) (fun o b => f (o, b)) F).
Qed.
(* What both mechanisms tell with plain outcomes is told as here. *)
Theorem independent_both {X} {T : Type} {P : space} (M : mechanism X (plain T)) (N : mechanism X P) :
  independent both_told M N (fun x => both (M x) (always (N x))).
Proof. intro x. apply drawn_both. Qed.

Section two.
  Context {O P Q : space} (tell : O -> P -> Q) (p q : law O) (p' q' : law P) (j l : law Q).
  Hypothesis (J : drawn tell p p' j) (L : drawn tell q q' l).

  Lemma drawn_within t d t' d' : 0 <= t -> 0 <= t' -> within t d p q -> within t' d' p' q' ->
    within (t * t') (d + d') j l.
  Proof.
    intros T T' H H' f [F between].
    destruct (J f F) as (sections & K & ->). destruct (L f F) as (_ & Lh & ->).
    assert (S : forall o, test (fun b => f (tell o b))) by (intro o; split; [apply sections | intro b; apply between]).
    apply (weighed_within p q t d t' d'); auto.
    - split; [exact Lh | intro o; apply E_test, S].
    - intro o. split; [apply (E_test p' _ (S o)) | apply H', S].
    - apply (within_delta_nonnegative _ _ _ _ H').
  Qed.

  Lemma drawn_renyi order e e' : 1 < order -> renyi order e p q -> renyi order e' p' q' -> renyi order (e + e') j l.
  Proof.
    intros A H H' f F above. pose proof (exponents order A) as (B & C & same).
    set (s := order / (order - 1)) in *. set (r := (order - 1) / order) in *.
    assert (power : observable (fun c => Rpower (f c) s)) by (apply power_observable; assumption).
    destruct (J f F) as (sections & K & ->). destruct (L _ power) as (power_sections & G & ->).
    pose (g := fun o => E q' (fun b => Rpower (f (tell o b)) s)). fold g in G.
    destruct above as (low & positive & above).
    assert (away : forall o, away_from_0 (fun b => f (tell o b))) by (intro o; exists low; auto).
    assert (g_away : away_from_0 g).
    { apply E_away_from_0; [exact power_sections |]. exists (Rpower low s). split; [apply power_positive |].
      intros o b. apply Rle_Rpower_l; [lra | split; auto]. }
    assert (G' : observable (fun o => Rpower (g o) r)) by (apply power_observable; assumption).
    assert (g_away' : away_from_0 (fun o => Rpower (g o) r)) by (apply power_away_from_0; [lra | exact g_away]).
    apply Rle_trans with (E p (fun o => exp (r * e') * Rpower (g o) r)).
    - apply E_monotone; [exact K | apply observable_multiple, G' |].
      intro o. apply (H' (fun b => f (tell o b))); [apply sections | apply away].
    - rewrite E_multiple by exact G'.
      eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos |]; apply H; assumption |].
      fold s r. rewrite (E_same q _ g); [| apply power_observable; assumption |].
      + rewrite <- Rmult_assoc, <- exp_plus. right. fold g. f_equal. f_equal. ring.
      + intro o. rewrite same. apply power_of_root; [lra | apply positive_away_from_0, g_away].
  Qed.
End two.

Section compose.
  Context {X : Type} {O P Q : space} (near : X -> X -> Prop) (tell : O -> P -> Q).
  Context (M : mechanism X O) (N : mechanism X P) (J : mechanism X Q) (draws : independent tell M N J).

  Theorem compose_approximate a c b d : private near M (approximate a c) -> private near N (approximate b d) ->
    private near J (approximate (a + b) (c + d)).
  Proof.
    intros H H' x y n. unfold approximate. rewrite exp_plus.
    apply (drawn_within tell (M x) (M y) (N x) (N y)); try (left; apply exp_pos);
      [apply draws | apply draws | apply H, n | apply H', n].
  Qed.
  Theorem compose_pure a b : private near M (pure a) -> private near N (pure b) -> private near J (pure (a + b)).
  Proof.
    intros H H' x y n. pose proof (compose_approximate a 0 b 0 H H' x y n) as found. rewrite Rplus_0_r in found. exact found.
  Qed.
  Theorem compose_renyi order a b : 1 < order -> private near M (renyi order a) -> private near N (renyi order b) ->
    private near J (renyi order (a + b)).
  Proof.
    intros A H H' x y n. apply (drawn_renyi tell (M x) (M y) (N x) (N y));
      [apply draws | apply draws | exact A | apply H, n | apply H', n].
  Qed.
  Theorem compose_concentrated a b : private near M (concentrated a) -> private near N (concentrated b) ->
    private near J (concentrated (a + b)).
  Proof.
    intros H H' x y n order A. rewrite Rmult_plus_distr_r.
    apply (drawn_renyi tell (M x) (M y) (N x) (N y));
      [apply draws | apply draws | exact A | apply H; assumption | apply H'; assumption].
  Qed.
End compose.

Theorem compose_many_pure {X} {O : space} {Q : nat -> space} (near : X -> X -> Prop)
    (tell : forall n, O -> Q n -> Q (S n)) (M : mechanism X O) (J : forall n, mechanism X (Q n)) e k :
  independent_runs tell M J -> 1 <= IZR k -> private near M (pure e) -> private near (J (Z.to_nat k)) (pure (IZR k * e)).
Proof.
  intros [nothing more] some H. apply le_IZR in some.
  replace (IZR k) with (INR (Z.to_nat k)) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; reflexivity).
  induction (Z.to_nat k) as [| n IH].
  - intros x y _. rewrite Rmult_0_l. apply within_same; [rewrite exp_0; lra | lra | apply nothing].
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Rplus_comm.
    apply (compose_pure near (tell n) M (J n) (J (S n)) (more n)); assumption.
Qed.

(* ---- Parts of a table ---- *)

Lemma same_part_pure {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O) x y :
  unordered (table_of inside) M -> table_of inside x -> table_of inside y -> Permutation x y ->
  approximate 0 0 (M x) (M y).
Proof.
  intros order X Y same. apply within_same; [rewrite exp_0; lra | lra | apply order; assumption].
Qed.

Section parallel.
  Context {Row : Type} (inside : Row -> Prop) (partition : Row -> option nat) {O P Q : space} (tell : O -> P -> Q).
  Context (M : mechanism (table Row) O) (N : mechanism (table Row) P) (J : mechanism (table Row) Q).
  Hypothesis (M_order : unordered (table_of inside) M) (N_order : unordered (table_of inside) N).
  Hypothesis draws : independent tell (fun x => M (part partition 0 x)) (fun x => N (part partition 1 x)) J.

  Theorem parallel_pure a b :
    private (restricted (table_of inside) (symmetric 1)) M (pure a) ->
    private (restricted (table_of inside) (symmetric 1)) N (pure b) ->
    private (restricted (table_of inside) (symmetric 1)) J (pure (Rmax a b)).
  Proof.
    intros H H' x y (X & Y & near).
    destruct (one_part_of_one_edit partition 1 x y near) as (c & C & apart & rest).
    pose proof (fun i => part_inside inside partition i x X) as in_x.
    pose proof (fun i => part_inside inside partition i y Y) as in_y.
    assert (first : c = 0%nat \/ c = 1%nat) by lia. destruct first as [-> | ->].
    - assert (found : within (exp a * exp 0) (0 + 0) (J x) (J y)).
      { apply (drawn_within tell _ _ _ _ _ _ (draws x) (draws y)); try (left; apply exp_pos).
        - apply H. repeat split; auto.
        - apply (same_part_pure inside); auto; apply rest; lia. }
      rewrite <- exp_plus, !Rplus_0_r in found. apply weaken_pure with a; [apply Rmax_l | exact found].
    - assert (found : within (exp 0 * exp b) (0 + 0) (J x) (J y)).
      { apply (drawn_within tell _ _ _ _ _ _ (draws x) (draws y)); try (left; apply exp_pos).
        - apply (same_part_pure inside); auto; apply rest; lia.
        - apply H'. repeat split; auto. }
      rewrite <- exp_plus, !Rplus_0_l in found. apply weaken_pure with b; [apply Rmax_r | exact found].
  Qed.
  Theorem parallel_replaced a b :
    private (restricted (table_of inside) (symmetric 1)) M (pure a) ->
    private (restricted (table_of inside) (symmetric 1)) N (pure b) ->
    private (restricted (table_of inside) (change_one 1)) J (pure (Rmax a b + Rmax a b)).
  Proof.
    intros H H'. pose proof (Rounds.group_pure inside _ 1 2 _ ltac:(lia) (parallel_pure a b H H')) as twice.
    simpl INR in twice. apply replaced_rows in twice.
    replace ((1 + 1) * 1 / 2) with 1 in twice by field.
    replace ((1 + 1) * Rmax a b) with (Rmax a b + Rmax a b) in twice by ring. exact twice.
  Qed.
End parallel.

(* ---- Examples: the parity of the rows, told with probability 3/4, of all rows or of a part; and functions of it ---- *)

Definition any_number (n : nat) := True.
Definition one_edit_of_numbers := restricted (table_of any_number) (symmetric 1).
Lemma parity_is_pure (near : table nat -> table nat -> Prop) : private near parity (pure (ln 3)).
Proof. apply (answered_pure near (fun x => Nat.even (length x))). Qed.
Lemma parity_sees_no_order : unordered (table_of any_number) parity.
Proof. intros x y _ _ same f F. unfold parity. rewrite (Permutation_length same). reflexivity. Qed.
Lemma plain_is_measurable {S T : Type} (f : S -> T) : measurable (O := plain S) (P := plain T) f.
Proof. intros g [c C]. exists c. intro o. apply C. Qed.

Example parity_turned_round : private one_edit_of_numbers
  (fun x => image (O := plain bool) (P := plain bool) negb (plain_is_measurable negb) (parity x)) (pure (ln 3)).
Proof. apply post_process_pure, parity_is_pure. Qed.
Definition two_parities : mechanism (table nat) (product (plain bool) (plain bool)) :=
  fun x => both (parity x) (always (parity x)).
Example two_parities_pure : private one_edit_of_numbers two_parities (pure (ln 3 + ln 3)).
Proof.
  apply (compose_pure _ both_told parity parity two_parities (independent_both parity parity)); apply parity_is_pure.
Qed.
Lemma parity_is_concentrated : private one_edit_of_numbers parity (concentrated (ln 3 ^ 2 / 2)).
Proof.
  apply pure_to_concentrated; [| apply parity_is_pure].
  intros x y (X & Y & near). repeat split; auto. apply symmetric_symmetric, near.
Qed.
Example two_parities_concentrated :
  private one_edit_of_numbers two_parities (concentrated (ln 3 ^ 2 / 2 + ln 3 ^ 2 / 2)).
Proof.
  apply (compose_concentrated _ both_told parity parity two_parities (independent_both parity parity));
    apply parity_is_concentrated.
Qed.
Example two_parities_renyi : private one_edit_of_numbers two_parities (renyi 2 (ln 3 ^ 2 / 2 * 2 + ln 3 ^ 2 / 2 * 2)).
Proof.
  apply (compose_renyi _ both_told parity parity two_parities (independent_both parity parity));
    [lra | |]; intros x y near; apply parity_is_concentrated; [exact near | lra | exact near | lra].
Qed.
Definition even_or_odd (n : nat) : option nat := if Nat.even n then Some 0%nat else Some 1%nat.
Definition parities_of_parts : mechanism (table nat) (product (plain bool) (plain bool)) :=
  fun x => both (parity (part even_or_odd 0 x)) (always (parity (part even_or_odd 1 x))).
Example parities_of_parts_pure : private one_edit_of_numbers parities_of_parts (pure (Rmax (ln 3) (ln 3))).
Proof.
  apply (parallel_pure any_number even_or_odd both_told parity parity);
    [apply parity_sees_no_order | apply parity_sees_no_order | | apply parity_is_pure | apply parity_is_pure].
  apply (independent_both (fun x => parity (part even_or_odd 0 x)) (fun x => parity (part even_or_odd 1 x))).
Qed.
Example replaced_parities_of_parts : private (restricted (table_of any_number) (change_one 1)) parities_of_parts
  (pure (Rmax (ln 3) (ln 3) + Rmax (ln 3) (ln 3))).
Proof.
  apply (parallel_replaced any_number even_or_odd both_told parity parity);
    [apply parity_sees_no_order | apply parity_sees_no_order | | apply parity_is_pure | apply parity_is_pure].
  apply (independent_both (fun x => parity (part even_or_odd 0 x)) (fun x => parity (part even_or_odd 1 x))).
Qed.
(* So many parities: told are the last one and those before. *)
Fixpoint parities_told (n : nat) : space :=
  match n with O => plain unit | S n => product (plain bool) (parities_told n) end.
Fixpoint parities (n : nat) : mechanism (table nat) (parities_told n) :=
  match n with O => fun _ => certain (O := plain unit) tt | S n => fun x => both (parity x) (always (parities n x)) end.
Example ten_parities : private one_edit_of_numbers (parities (Z.to_nat 10)) (pure (10 * ln 3)).
Proof.
  apply (compose_many_pure _ (fun n => both_told) parity parities); [| lra | apply parity_is_pure].
  split; [intros x y f F; reflexivity | intro n; apply independent_both].
Qed.

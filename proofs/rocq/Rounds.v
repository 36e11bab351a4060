(* Many releases about the same data.

   Mechanisms run one after another, each chosen in view of all earlier outcomes; a budget that no sequence of losses
   exceeds; many independent draws; parts of a table that are answered by themselves; reports of one outcome that is
   kept.  And what a claim about few edits of a table says of more edits. *)
From Coq Require Import Reals Lra Lia List Permutation PeanoNat.
From Refdp Require Import Laws Privacy Tables.
From Refdp Require Renyi.
Import ListNotations.
Open Scope R_scope.

(* ---- Laws that are the same, laws within a measure ---- *)

Definition same_law {O : space} (p q : law O) := forall f, observable f -> E p f = E q f.

Lemma within_same {O : space} (p q : law O) t delta : 1 <= t -> 0 <= delta -> same_law p q -> within t delta p q.
Proof. intros T D same f F. rewrite (same f (proj1 F)). pose proof (E_test q f F). nra. Qed.

Lemma within_delta_nonnegative {O : space} (p q : law O) t delta : within t delta p q -> 0 <= delta.
Proof.
  intro H. assert (Z : test (O := O) (fun _ => 0)) by (split; [apply observable_constant | intro; lra]).
  specialize (H _ Z). rewrite !E_constant in H. lra.
Qed.

Lemma within_itself {O : space} (p : law O) t delta : within t delta p p -> 1 <= t + delta.
Proof.
  intro H. assert (Z : test (O := O) (fun _ => 1)) by (split; [apply observable_constant | intro; lra]).
  specialize (H _ Z). rewrite !E_constant in H. lra.
Qed.

(* What holds whatever the outcome is holds: a law has an outcome. *)
Lemma whatever_the_outcome {O : space} (p : law O) a b : (O -> a <= b) -> a <= b.
Proof.
  intro H. rewrite <- (E_constant p a), <- (E_constant p b).
  apply E_monotone; auto using observable_constant.
Qed.

Lemma within_then {O : space} (p q r : law O) t delta t' delta' :
  0 <= t -> within t delta p q -> within t' delta' q r -> within (t * t') (delta + t * delta') p r.
Proof. intros T H H' f F. specialize (H f F). specialize (H' f F). nra. Qed.

(* compose_failures for two steps, the second of which may read the outcome of the first. *)
Lemma composed_failures {O P : space} (p q : law O) (k l : kernel O P) t d t' d' :
  0 <= t -> 0 <= t' -> 0 <= d' <= 1 -> d <= 1 -> within t d p q -> (forall o, within t' d' (k o) (l o)) ->
  within (t * t') (1 - (1 - d) * (1 - d')) (both p k) (both q l).
Proof.
  intros T T' D' D H H' f F. pose proof (E_test (both q l) f F) as positive.
  destruct (Req_dec d' 1) as [always_fails | sometimes].
  - subst d'. pose proof (E_test (both p k) f F).
    assert (0 <= t * t' * E (both q l) f) by (repeat apply Rmult_le_pos; lra). lra.
  - clear positive. destruct F as [F B]. simpl.
    assert (J : jointly (fun o b => f (o, b))) by exact F.
    assert (S : forall o, test (fun b => f (o, b))) by (intro o; split; [apply F | intro b; apply B]).
    pose (h := fun o => E (l o) (fun b => f (o, b))). pose (s := t' / (1 - d')). pose (g := fun o => Rmin 1 (s * h o)).
    assert (s_positive : 0 <= s) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    assert (Hh : test h) by (split; [exact (run_observable l _ J) | intro o; apply E_test, S]).
    assert (Hg : test g).
    { split; [apply observable_least; [apply observable_constant | apply observable_multiple, Hh] |].
      intro o. unfold g. assert (0 <= s * h o) by (apply Rmult_le_pos; [lra | apply Hh]).
      split; [apply Rmin_glb; lra | apply Rmin_l]. }
    (* the second step accepts with probability at most d' + (1 - d') g *)
    apply Rle_trans with (E p (fun o => (1 - d') * g o + d')).
    + apply E_monotone; [exact (run_observable k _ J) | apply observable_shifted, observable_multiple, Hg |].
      intro o. unfold g. pose proof (H' o _ (S o)) as X. pose proof (E_test (k o) _ (S o)) as Y. fold (h o) in X.
      assert ((1 - d') * (s * h o) = t' * h o) by (unfold s; field; lra).
      unfold Rmin. destruct (Rle_dec 1 (s * h o)); lra.
    + rewrite E_shifted by apply observable_multiple, Hg. rewrite E_multiple by apply Hg.
      pose proof (H g Hg) as first.
      assert (second : E q g <= s * E q h).
      { rewrite <- E_multiple by apply Hh. apply E_monotone; [apply Hg | apply observable_multiple, Hh |].
        intro o. apply Rmin_r. }
      assert (t * E q g <= t * (s * E q h)) by (apply Rmult_le_compat_l; lra).
      assert ((1 - d') * E p g <= (1 - d') * (t * (s * E q h) + d)) by (apply Rmult_le_compat_l; lra).
      assert ((1 - d') * (t * (s * E q h)) = t * t' * E q h) by (unfold s; field; lra).
      fold h. lra.
Qed.

(* ---- Rounds ---- *)

(* Losses that add up: of two steps, the second of which reads the first outcome, the loss is `plus` of theirs. *)
Record additive {Loss : Type} (none : Loss) (plus : Loss -> Loss -> Loss) (allowed : Loss -> Prop)
    (m : Loss -> measure) := {
  none_allowed : allowed none;
  plus_allowed : forall a b, allowed a -> allowed b -> allowed (plus a b);
  plus_none : forall a, plus none a = a;
  plus_none_last : forall a, plus a none = a;
  none_same : forall (O : space) (p q : law O), same_law p q -> m none O p q;
  plus_composed : forall (O P : space) (p q : law O) (k l : kernel O P) a b,
    allowed a -> allowed b -> m a O p q -> (forall o, m b P (k o) (l o)) ->
    m (plus a b) (product O P) (both p k) (both q l) }.
Arguments none_allowed {Loss none plus allowed m} _.
Arguments plus_allowed {Loss none plus allowed m} _.
Arguments plus_none {Loss none plus allowed m} _.
Arguments plus_none_last {Loss none plus allowed m} _.
Arguments none_same {Loss none plus allowed m} _.
Arguments plus_composed {Loss none plus allowed m} _.

(* Mechanisms that draw in rounds of the losses listed.  Each round is chosen in view of the outcomes before, and of
   coins that do not look at the input; its loss is that listed for it, whatever these were.  All outcomes are told. *)
Inductive round_by_round {Loss X : Type} (near : X -> X -> Prop) (m : Loss -> measure) :
    list Loss -> forall O : space, mechanism X O -> Prop :=
  | nothing_more (O : space) (p : law O) : round_by_round near m [] O (fun _ => p)
  | coins losses (O P : space) (p : law O) (N : X -> kernel O P) :
      (forall o, round_by_round near m losses P (fun x => N x o)) ->
      round_by_round near m losses (product O P) (fun x => both p (N x))
  | next_round loss losses (O P : space) (M : mechanism X O) (N : X -> kernel O P) :
      private near M (m loss O) ->
      (forall o, round_by_round near m losses P (fun x => N x o)) ->
      round_by_round near m (loss :: losses) (product O P) (fun x => both (M x) (N x)).

(* The same with a budget: the loss of each round is chosen, too, and what is left after it is still a budget. *)
Inductive on_budget {Loss X : Type} (near : X -> X -> Prop) (m : Loss -> measure) (plus : Loss -> Loss -> Loss)
    (budget : Loss -> Prop) : Loss -> forall O : space, mechanism X O -> Prop :=
  | stopped left (O : space) (p : law O) : budget left -> on_budget near m plus budget left O (fun _ => p)
  | spent loss left total (O P : space) (M : mechanism X O) (N : X -> kernel O P) :
      total = plus loss left -> budget loss -> budget left -> private near M (m loss O) ->
      (forall o, on_budget near m plus budget left P (fun x => N x o)) ->
      on_budget near m plus budget total (product O P) (fun x => both (M x) (N x)).

Theorem rounds_additive {Loss X : Type} none plus allowed (m : Loss -> measure) (near : X -> X -> Prop) losses
    (O : space) (M : mechanism X O) :
  additive none plus allowed m -> round_by_round near m losses O M -> Forall allowed losses ->
  private near M (m (fold_right plus none losses) O).
Proof.
  intros A sequence.
  assert (total_allowed : forall l, Forall allowed l -> allowed (fold_right plus none l)).
  { intros l all. induction all; simpl; [apply (none_allowed A) | apply (plus_allowed A); assumption]. }
  induction sequence as [O p | losses O P p N _ IH | loss losses O P M N first _ IH]; intros all x y n.
  - apply (none_same A). intros f F. reflexivity.
  - rewrite <- (plus_none A (fold_right plus none losses)).
    apply (plus_composed A); auto using (none_allowed A); [| intro o; apply (IH o all x y n)].
    apply (none_same A). intros f F. reflexivity.
  - inversion all as [| ? ? head tail]; subst. simpl.
    apply (plus_composed A); auto. intro o. apply (IH o tail x y n).
Qed.

Theorem filtered_additive {Loss X : Type} none plus allowed (m : Loss -> measure) (budget : Loss -> Prop)
    (near : X -> X -> Prop) total (O : space) (M : mechanism X O) :
  additive none plus allowed m -> (forall b, budget b -> allowed b) ->
  (forall b (P : space) (p : law P), budget b -> m b P p p) ->
  on_budget near m plus budget total O M -> private near M (m total O).
Proof.
  intros A may same sequence. induction sequence as [left O p B | loss left total O P M N E B B' first _ IH].
  - intros x y _. apply same, B.
  - intros x y n. subst total. apply (plus_composed A); auto. intro o. apply (IH o x y n).
Qed.

(* Losses under approximate DP are pairs. *)
Definition approximately (loss : R * R) : measure := @approximate (fst loss) (snd loss).
Definition added (a b : R * R) : R * R := (fst a + fst b, snd a + snd b).
Definition added_failures (a b : R * R) : R * R := (fst a + fst b, 1 - (1 - snd a) * (1 - snd b)).
Definition sum (l : list R) := fold_right Rplus 0 l.
Definition times (l : list R) := fold_right Rmult 1 l.

Lemma additive_approximate : additive (0, 0) added (fun _ => True) approximately.
Proof.
  split; auto.
  - intros [e d]. unfold added. simpl. f_equal; ring.
  - intros [e d]. unfold added. simpl. f_equal; ring.
  - intros O p q same. apply within_same; simpl; [rewrite exp_0; lra | lra | exact same].
  - intros O P p q k l [e d] [e' d'] _ _ H H'. unfold approximately, approximate in *. simpl in *. rewrite exp_plus.
    apply composed_within; try (left; apply exp_pos); try assumption.
    apply (whatever_the_outcome p). intro o. apply (within_delta_nonnegative _ _ _ _ (H' o)).
Qed.

Lemma additive_failures : additive (0, 0) added_failures (fun loss => snd loss <= 1) approximately.
Proof.
  split.
  - simpl. lra.
  - intros [e d] [e' d'] D D'. simpl in *. assert (0 <= (1 - d) * (1 - d')) by (apply Rmult_le_pos; lra). lra.
  - intros [e d]. unfold added_failures. simpl. f_equal; ring.
  - intros [e d]. unfold added_failures. simpl. f_equal; ring.
  - apply (none_same additive_approximate).
  - intros O P p q k l [e d] [e' d'] D D' H H'. unfold approximately, approximate in *. simpl in *. rewrite exp_plus.
    apply composed_failures; try (left; apply exp_pos); try assumption. split; [| assumption].
    apply (whatever_the_outcome p). intro o. apply (within_delta_nonnegative _ _ _ _ (H' o)).
Qed.

Lemma additive_pure : additive 0 Rplus (fun _ => True) (fun e => @pure e).
Proof.
  split; auto.
  - intro. ring.
  - intro. ring.
  - intros O p q. apply (none_same additive_approximate).
  - intros O P p q k l e e' _ _ H H'. pose proof (plus_composed additive_approximate O P p q k l (e, 0) (e', 0)) as C.
    unfold approximately, added in C. simpl in C. rewrite Rplus_0_l in C. apply C; auto.
Qed.

Lemma additive_renyi order : 1 < order -> additive 0 Rplus (fun _ => True) (@Renyi.renyi order).
Proof.
  intro A. split; auto; try (intro; ring).
  - intros O p q same. apply (Renyi.renyi_same q p q q); [exact A | | reflexivity | apply Renyi.renyi_reflexive, A].
    intros f F. symmetry. apply same, F.
  - intros O P p q k l e e' _ _. apply Renyi.composed_renyi, A.
Qed.
Lemma additive_concentrated : additive 0 Rplus (fun _ => True) (fun rho => @Renyi.concentrated rho).
Proof.
  split; auto; try (intro; ring).
  - intros O p q same order A. rewrite Rmult_0_l. apply (none_same (additive_renyi order A)), same.
  - intros O P p q k l e e' _ _. apply Renyi.composed_concentrated.
Qed.

Lemma added_is_sums losses : fold_right added (0, 0) losses = (sum (map fst losses), sum (map snd losses)).
Proof. induction losses as [| loss losses IH]; [reflexivity |]. simpl. rewrite IH. reflexivity. Qed.

(* rounds: mechanisms chosen one after another in view of all outcomes so far cost the sum of their losses, if these
   were fixed beforehand. *)
Theorem rounds {X : Type} (near : X -> X -> Prop) (losses : list (R * R)) (O : space) (M : mechanism X O) :
  round_by_round near approximately losses O M ->
  private near M (approximate (sum (map fst losses)) (sum (map snd losses))).
Proof.
  intro sequence. pose proof (rounds_additive _ _ _ _ near losses O M additive_approximate sequence) as claim.
  rewrite added_is_sums in claim. apply claim, Forall_forall. auto.
Qed.
Theorem rounds_pure {X : Type} (near : X -> X -> Prop) (losses : list R) (O : space) (M : mechanism X O) :
  round_by_round near (fun e => @pure e) losses O M -> private near M (pure (sum losses)).
Proof. intro sequence. apply (rounds_additive _ _ _ _ near losses O M additive_pure sequence), Forall_forall. auto. Qed.

Theorem rounds_renyi {X : Type} (near : X -> X -> Prop) order (losses : list R) (O : space) (M : mechanism X O) :
  1 < order -> round_by_round near (@Renyi.renyi order) losses O M -> private near M (Renyi.renyi order (sum losses)).
Proof.
  intros A sequence.
  apply (rounds_additive _ _ _ _ near losses O M (additive_renyi order A) sequence), Forall_forall. auto.
Qed.
Theorem rounds_concentrated {X : Type} (near : X -> X -> Prop) (losses : list R) (O : space) (M : mechanism X O) :
  round_by_round near (fun rho => @Renyi.concentrated rho) losses O M ->
  private near M (Renyi.concentrated (sum losses)).
Proof.
  intro sequence. apply (rounds_additive _ _ _ _ near losses O M additive_concentrated sequence), Forall_forall. auto.
Qed.

(* filtered: losses that are chosen in view of the outcomes, too, cost no more than a budget that no sequence of them
   exceeds. *)
Theorem filtered {X : Type} (near : X -> X -> Prop) epsilon delta (O : space) (M : mechanism X O) :
  on_budget near approximately added (fun b => 0 <= fst b /\ 0 <= snd b) (epsilon, delta) O M ->
  private near M (approximate epsilon delta).
Proof.
  apply (filtered_additive (0, 0) _ (fun _ => True) approximately _ near (epsilon, delta)).
  - apply additive_approximate.
  - auto.
  - intros b P p [e d]. apply within_same; [apply exp_at_least_1, e | exact d | intros f F; reflexivity].
Qed.
Theorem filtered_pure {X : Type} (near : X -> X -> Prop) epsilon (O : space) (M : mechanism X O) :
  on_budget near (fun e => @pure e) Rplus (fun b => 0 <= b) epsilon O M -> private near M (pure epsilon).
Proof.
  apply (filtered_additive 0 _ (fun _ => True) (fun e => @pure e) _ near epsilon).
  - apply additive_pure.
  - auto.
  - intros b P p e. apply within_same; [apply exp_at_least_1, e | lra | intros f F; reflexivity].
Qed.

Theorem filtered_renyi {X : Type} (near : X -> X -> Prop) order epsilon (O : space) (M : mechanism X O) :
  1 < order -> on_budget near (@Renyi.renyi order) Rplus (fun b => 0 <= b) epsilon O M ->
  private near M (Renyi.renyi order epsilon).
Proof.
  intro A. apply (filtered_additive 0 _ (fun _ => True) (@Renyi.renyi order) _ near epsilon).
  - apply additive_renyi, A.
  - auto.
  - intros b P p e. apply (Renyi.weaken_renyi p p order 0 b A e), Renyi.renyi_reflexive, A.
Qed.
Theorem filtered_concentrated {X : Type} (near : X -> X -> Prop) rho (O : space) (M : mechanism X O) :
  on_budget near (fun rho => @Renyi.concentrated rho) Rplus (fun b => 0 <= b) rho O M ->
  private near M (Renyi.concentrated rho).
Proof.
  apply (filtered_additive 0 _ (fun _ => True) (fun rho => @Renyi.concentrated rho) _ near rho).
  - apply additive_concentrated.
  - auto.
  - intros b P p e. apply (Renyi.weaken_concentrated p p 0 b e), (none_same additive_concentrated).
    intros f F. reflexivity.
Qed.

(* compose_failures: together they have the delta of an event that happens where one of them fails.  Mechanisms that
   draw independently are the rounds of which none looks at the outcomes before. *)
Theorem compose_failures {X : Type} (near : X -> X -> Prop) (losses : list (R * R)) (O : space) (M : mechanism X O) :
  Forall (fun loss => snd loss <= 1) losses -> round_by_round near approximately losses O M ->
  private near M (approximate (sum (map fst losses)) (1 - times (map (fun loss => 1 - snd loss) losses))).
Proof.
  intros D sequence. pose proof (rounds_additive _ _ _ _ near losses O M additive_failures sequence D) as claim.
  assert (same : forall l, fold_right added_failures (0, 0) l =
      (sum (map fst l), 1 - times (map (fun loss => 1 - snd loss) l))).
  { induction l as [| loss l IH]; simpl; [f_equal; ring |]. rewrite IH. unfold added_failures. simpl. f_equal. ring. }
  rewrite same in claim. exact claim.
Qed.

(* Independent draws of one law.  Where outcomes are plain, every law can be integrated beside others. *)
Definition integrates_beside (O : space) {P : space} (p : law P) :=
  forall f : O -> P -> R, jointly f -> observable (fun o => E p (f o)).

Lemma plain_integrates {T : Type} {P : space} (p : law P) : integrates_beside (plain T) p.
Proof. exact (run_observable (always p : kernel (plain T) P)). Qed.

Fixpoint power (O : space) (k : nat) : space :=
  match k with O%nat => plain unit | S k => product O (power O k) end.

Lemma integrates_both (O : space) {A B : space} (p : law A) (q : law B) (beside : integrates_beside A q) :
  integrates_beside O p -> integrates_beside O q -> integrates_beside O (both p (regardless q beside)).
Proof.
  intros P Q f [[c C] [sections others]]. simpl. apply (P (fun o a => E q (fun b => f o (a, b)))).
  split; [| split].
  - exists c. intros o a. apply E_between; [apply (sections o) | intro b; apply C].
  - intro o. apply (beside (fun a b => f o (a, b))), (sections o).
  - intro a. apply (Q (fun o b => f o (a, b))).
    split; [exists c; intros; apply C | split; [intro o; apply (sections o) | intro b; apply others]].
Qed.

Lemma nothing_integrates (O : space) : integrates_beside O (certain (O := plain unit) tt).
Proof. intros f J. apply J. Qed.

Section draws.
  Context {O : space} (p : law O) (beside : integrates_beside O p).
  Fixpoint draws_beside (k : nat) : {q : law (power O k) | integrates_beside O q} :=
    match k with
    | 0%nat => exist _ (certain (O := plain unit) tt) (nothing_integrates O)
    | S k => exist _ (both p (regardless (proj1_sig (draws_beside k)) (proj2_sig (draws_beside k))))
               (integrates_both O p _ _ beside (proj2_sig (draws_beside k)))
    end.
  Definition draws (k : nat) : law (power O k) := proj1_sig (draws_beside k).
End draws.

Lemma draws_round_by_round {Loss X : Type} (near : X -> X -> Prop) (m : Loss -> measure) loss {O : space}
    (M : mechanism X O) (beside : forall x, integrates_beside O (M x)) k :
  private near M (m loss O) ->
  round_by_round near m (repeat loss k) (power O k) (fun x => draws (M x) (beside x) k).
Proof.
  intro H. induction k as [| k IH]; simpl.
  - apply (nothing_more near m (plain unit) (certain (O := plain unit) tt)).
  - exact (next_round near m loss (repeat loss k) O (power O k) M
      (fun x => regardless (draws (M x) (beside x) k) (proj2_sig (draws_beside (M x) (beside x) k))) H (fun _ => IH)).
Qed.

Lemma sum_repeated c k : sum (repeat c k) = INR k * c.
Proof. induction k as [| k IH]; [simpl; ring |]. rewrite S_INR. simpl. fold (sum (repeat c k)). rewrite IH. ring. Qed.

Lemma rounds_alike {X : Type} (near : X -> X -> Prop) epsilon delta k (O : space) (M : mechanism X O) :
  round_by_round near approximately (repeat (epsilon, delta) k) O M ->
  private near M (approximate (INR k * epsilon) (INR k * delta)).
Proof.
  intro sequence. apply rounds in sequence. rewrite <- !sum_repeated.
  assert (columns : forall (f : R * R -> R), map f (repeat (epsilon, delta) k) = repeat (f (epsilon, delta)) k).
  { intro f. clear. induction k; simpl; f_equal; auto. }
  rewrite !columns in sequence. exact sequence.
Qed.

(* compose_many: k independent draws of one mechanism cost k times its loss. *)
Theorem compose_many {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O)
    (beside : forall x, integrates_beside O (M x)) epsilon delta k :
  private near M (approximate epsilon delta) ->
  private near (fun x => draws (M x) (beside x) k) (approximate (INR k * epsilon) (INR k * delta)).
Proof.
  intro H. apply rounds_alike, (draws_round_by_round near approximately (epsilon, delta)), H.
Qed.
Theorem compose_many_pure {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O)
    (beside : forall x, integrates_beside O (M x)) epsilon k :
  private near M (pure epsilon) -> private near (fun x => draws (M x) (beside x) k) (pure (INR k * epsilon)).
Proof.
  intro H. rewrite <- sum_repeated. apply rounds_pure, (draws_round_by_round near (fun e => @pure e)), H.
Qed.

Theorem compose_many_renyi {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O)
    (beside : forall x, integrates_beside O (M x)) order epsilon k :
  1 < order -> private near M (Renyi.renyi order epsilon) ->
  private near (fun x => draws (M x) (beside x) k) (Renyi.renyi order (INR k * epsilon)).
Proof.
  intros A H. rewrite <- sum_repeated. apply rounds_renyi, (draws_round_by_round near (@Renyi.renyi order)), H. exact A.
Qed.
Theorem compose_many_concentrated {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O)
    (beside : forall x, integrates_beside O (M x)) rho k :
  private near M (Renyi.concentrated rho) ->
  private near (fun x => draws (M x) (beside x) k) (Renyi.concentrated (INR k * rho)).
Proof.
  intro H. rewrite <- sum_repeated.
  apply rounds_concentrated, (draws_round_by_round near (fun rho => @Renyi.concentrated rho)), H.
Qed.

(* reports_of_one: however many reports are made of one outcome, which is kept, together they have its loss. *)
Theorem reports_of_one {X Kept : Type} {Report : space} (near : X -> X -> Prop) (M : mechanism X (plain Kept))
    (N : Kept -> law Report) (beside : forall kept, integrates_beside Report (N kept)) epsilon delta n :
  private near M (approximate epsilon delta) ->
  private near (fun x => then_run (M x) (plain_kernel (fun kept => draws (N kept) (beside kept) n)))
    (approximate epsilon delta).
Proof. apply post_process. Qed.
Theorem reports_of_one_pure {X Kept : Type} {Report : space} (near : X -> X -> Prop) (M : mechanism X (plain Kept))
    (N : Kept -> law Report) (beside : forall kept, integrates_beside Report (N kept)) epsilon n :
  private near M (pure epsilon) ->
  private near (fun x => then_run (M x) (plain_kernel (fun kept => draws (N kept) (beside kept) n))) (pure epsilon).
Proof. apply reports_of_one. Qed.

(* Rounds as a strategy plays them: the mechanism of a round is a function of the outcomes before, the last first. *)
Fixpoint played {X T : Type} (choose : list T -> mechanism X (plain T)) (past : list T) (k : nat) (x : X) :
    law (power (plain T) k) :=
  match k with
  | 0%nat => certain (O := plain unit) tt
  | S k => both (choose past x) (plain_kernel (fun o => played choose (o :: past) k x))
  end.
Lemma played_round_by_round {Loss X T : Type} (near : X -> X -> Prop) (m : Loss -> measure)
    (choose : list T -> mechanism X (plain T)) (loss : nat -> Loss) k past :
  (forall past, private near (choose past) (m (loss (length past)) (plain T))) ->
  round_by_round near m (map loss (seq (length past) k)) (power (plain T) k) (played choose past k).
Proof.
  intro H. revert past. induction k as [| k IH]; intro past; simpl.
  - apply (nothing_more near m (plain unit) (certain (O := plain unit) tt)).
  - exact (next_round near m (loss (length past)) (map loss (seq (S (length past)) k)) (plain T) (power (plain T) k)
      (choose past) (fun x => plain_kernel (fun o => played choose (o :: past) k x)) (H past)
      (fun o => IH (o :: past))).
Qed.
(* rounds, for a strategy: whatever the outcomes before, the mechanism of round i is within epsilon i and delta i. *)
Theorem rounds_played {X T : Type} (near : X -> X -> Prop) (choose : list T -> mechanism X (plain T))
    (epsilon delta : nat -> R) k :
  (forall past, private near (choose past) (approximate (epsilon (length past)) (delta (length past)))) ->
  private near (played choose [] k) (approximate (sum (map epsilon (seq 0 k))) (sum (map delta (seq 0 k)))).
Proof.
  intro H. pose proof (played_round_by_round near approximately choose (fun i => (epsilon i, delta i)) k [] H)
    as sequence.
  apply rounds in sequence. rewrite !map_map in sequence. exact sequence.
Qed.

(* ---- Tables ---- *)

(* A mechanism that does not see the order of the rows. *)
Definition unordered {Row : Type} {O : space} (domain : table Row -> Prop) (M : mechanism (table Row) O) :=
  forall x y, domain x -> domain y -> Permutation x y -> same_law (M x) (M y).

Lemma symmetric_reordered {Row : Type} (d : R) (x y : table Row) : 0 <= d -> Permutation x y -> symmetric d x y.
Proof.
  intros D same. exists [], []. split; [| simpl; lra]. exists x. rewrite app_nil_r.
  split; [apply Permutation_refl | apply Permutation_sym, same].
Qed.
Lemma symmetric_one_more {Row : Type} (r : Row) (x y : table Row) : Permutation y (r :: x) -> symmetric 1 x y.
Proof.
  intro more. exists [], [r]. split; [| simpl; lra]. exists x. rewrite app_nil_r.
  split; [apply Permutation_refl | rewrite more; apply Permutation_cons_append].
Qed.
(* Tables within one edit, and within one replaced row. *)
Lemma symmetric_one {Row : Type} (x y : table Row) : symmetric 1 x y ->
  Permutation x y \/ (exists r, Permutation y (r :: x)) \/ (exists r, Permutation x (r :: y)).
Proof.
  intros (gone & new & (common & X & Y) & D). apply (INR_le _ 1) in D.
  destruct gone as [| r [| ? ?]], new as [| r' [| ? ?]]; simpl in D; try lia; rewrite ?app_nil_r in *.
  - left. rewrite X, Y. apply Permutation_refl.
  - right. left. exists r'. rewrite X, Y. apply Permutation_sym, Permutation_cons_append.
  - right. right. exists r. rewrite X, Y. apply Permutation_sym, Permutation_cons_append.
Qed.
Lemma change_one_one {Row : Type} (x y : table Row) : change_one 1 x y ->
  Permutation x y \/ exists rest r r', Permutation x (r :: rest) /\ Permutation y (r' :: rest).
Proof.
  intros (gone & new & (common & X & Y) & same & D). apply (INR_le _ 1) in D.
  destruct gone as [| r [| ? ?]], new as [| r' [| ? ?]]; simpl in *; try lia; rewrite ?app_nil_r in *.
  - left. rewrite X, Y. apply Permutation_refl.
  - right. exists common, r, r'. split; [rewrite X | rewrite Y]; apply Permutation_sym, Permutation_cons_append.
Qed.

(* A map of single rows moves tables no further apart. *)
Lemma differ_mapped {Row Row' : Type} (f : Row -> Row') x y gone new :
  differ x y gone new -> differ (map f x) (map f y) (map f gone) (map f new).
Proof. intros (common & X & Y). exists (map f common). rewrite <- !map_app. auto using Permutation_map. Qed.
Lemma symmetric_mapped {Row Row' : Type} (f : Row -> Row') d : stable (symmetric d) (map f) (symmetric d).
Proof.
  intros x y (gone & new & D & size). exists (map f gone), (map f new). rewrite !map_length.
  auto using differ_mapped.
Qed.
Lemma change_one_mapped {Row Row' : Type} (f : Row -> Row') d : stable (change_one d) (map f) (change_one d).
Proof.
  intros x y (gone & new & D & same & size). exists (map f gone), (map f new). rewrite !map_length.
  auto using differ_mapped.
Qed.
Lemma table_mapped {Row Row' : Type} (inside : Row -> Prop) (inside' : Row' -> Prop) (f : Row -> Row') x :
  (forall r, inside r -> inside' (f r)) -> table_of inside x -> table_of inside' (map f x).
Proof. intros F X. unfold table_of in *. rewrite Forall_map. eapply Forall_impl; eauto. Qed.

(* k rounds of M, each on the rows after a map into rows that M reads, which reads one row at a time and is chosen in
   view of the outcomes before. *)
Inductive mapped_by_rows {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O) : nat -> forall P : space, mechanism (table Row) P -> Prop :=
  | no_more (P : space) (p : law P) : mapped_by_rows inside inside' M 0 P (fun _ => p)
  | mapped_coins k (C P : space) (p : law C) (N : table Row -> kernel C P) :
      (forall c, mapped_by_rows inside inside' M k P (fun x => N x c)) ->
      mapped_by_rows inside inside' M k (product C P) (fun x => both p (N x))
  | mapped_round (f : Row -> Row') k (P : space) (N : table Row -> kernel O P) :
      (forall r, inside r -> inside' (f r)) ->
      (forall o, mapped_by_rows inside inside' M k P (fun x => N x o)) ->
      mapped_by_rows inside inside' M (S k) (product O P) (fun x => both (M (map f x)) (N x)).

(* Under every measure of which losses add up; what must be shown of the tables is that maps keep them near. *)
Lemma mapped_round_by_round {Loss Row Row' : Type} {O : space} (near : table Row -> table Row -> Prop) far
    (m : Loss -> measure) loss (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O) k (P : space) (N : mechanism (table Row) P) :
  (forall f : Row -> Row', (forall r, inside r -> inside' (f r)) -> stable near (map f) far) ->
  private far M (m loss O) -> mapped_by_rows inside inside' M k P N -> round_by_round near m (repeat loss k) P N.
Proof.
  intros S H sequence. induction sequence as [P p | k C P p N _ IH | f k P N F _ IH].
  - apply nothing_more.
  - apply coins, IH.
  - simpl. apply (next_round near m loss _ O P (fun x => M (map f x)) N); [apply (chain near far); auto | exact IH].
Qed.
Lemma maps_keep_tables_near {Row Row' : Type} (inside : Row -> Prop) (inside' : Row' -> Prop) n d (f : Row -> Row') :
  (forall r, inside r -> inside' (f r)) ->
  stable (restricted (table_of inside) (symmetric d)) (map f) (restricted (table_of inside') (symmetric d)) /\
  stable (restricted (table_of inside) (change_one d)) (map f) (restricted (table_of inside') (change_one d)) /\
  stable (restricted (sized_table_of inside n) (change_one d)) (map f)
    (restricted (sized_table_of inside' n) (change_one d)).
Proof.
  intro F. repeat split; try apply H; try (apply symmetric_mapped, H); try (apply change_one_mapped, H);
    try (rewrite map_length; apply H); apply (table_mapped inside inside' f _ F), H.
Qed.

(* mapped_rounds: a mechanism on tables that is run k times on mapped rows costs k times its loss, under symmetric and
   under change_one, for tables of any size and of n rows. *)
Theorem mapped_rounds {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O) d epsilon delta k
    (P : space) (N : mechanism (table Row) P) :
  private (restricted (table_of inside') (symmetric d)) M (approximate epsilon delta) ->
  mapped_by_rows inside inside' M k P N ->
  private (restricted (table_of inside) (symmetric d)) N (approximate (INR k * epsilon) (INR k * delta)).
Proof.
  intros H sequence. apply rounds_alike.
  refine (mapped_round_by_round _ _ approximately (epsilon, delta) inside inside' M _ _ _ _ H sequence).
  intros f F. apply (maps_keep_tables_near inside inside' 0 d f F).
Qed.
Theorem mapped_rounds_change_one {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O)
    d epsilon delta k (P : space) (N : mechanism (table Row) P) :
  private (restricted (table_of inside') (change_one d)) M (approximate epsilon delta) ->
  mapped_by_rows inside inside' M k P N ->
  private (restricted (table_of inside) (change_one d)) N (approximate (INR k * epsilon) (INR k * delta)).
Proof.
  intros H sequence. apply rounds_alike.
  refine (mapped_round_by_round _ _ approximately (epsilon, delta) inside inside' M _ _ _ _ H sequence).
  intros f F. apply (maps_keep_tables_near inside inside' 0 d f F).
Qed.
Theorem mapped_rounds_sized {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O)
    n d epsilon delta k (P : space) (N : mechanism (table Row) P) :
  private (restricted (sized_table_of inside' n) (change_one d)) M (approximate epsilon delta) ->
  mapped_by_rows inside inside' M k P N ->
  private (restricted (sized_table_of inside n) (change_one d)) N (approximate (INR k * epsilon) (INR k * delta)).
Proof.
  intros H sequence. apply rounds_alike.
  refine (mapped_round_by_round _ _ approximately (epsilon, delta) inside inside' M _ _ _ _ H sequence).
  intros f F. apply (maps_keep_tables_near inside inside' n d f F).
Qed.
(* The pure ones at once: near and far are such relations, by maps_keep_tables_near. *)
Theorem mapped_rounds_pure {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O)
    (near : table Row -> table Row -> Prop) far epsilon k (P : space) (N : mechanism (table Row) P) :
  (forall f : Row -> Row', (forall r, inside r -> inside' (f r)) -> stable near (map f) far) ->
  private far M (pure epsilon) -> mapped_by_rows inside inside' M k P N -> private near N (pure (INR k * epsilon)).
Proof.
  intros S H sequence. rewrite <- sum_repeated. apply rounds_pure.
  apply (mapped_round_by_round near far (fun e => @pure e) epsilon inside inside' M); auto.
Qed.

Theorem mapped_rounds_renyi {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O) (near : table Row -> table Row -> Prop) far order epsilon k
    (P : space) (N : mechanism (table Row) P) :
  1 < order -> (forall f : Row -> Row', (forall r, inside r -> inside' (f r)) -> stable near (map f) far) ->
  private far M (Renyi.renyi order epsilon) -> mapped_by_rows inside inside' M k P N ->
  private near N (Renyi.renyi order (INR k * epsilon)).
Proof.
  intros A S H sequence. rewrite <- sum_repeated. apply rounds_renyi; [exact A |].
  apply (mapped_round_by_round near far (@Renyi.renyi order) epsilon inside inside' M); auto.
Qed.
Theorem mapped_rounds_concentrated {Row Row' : Type} {O : space} (inside : Row -> Prop) (inside' : Row' -> Prop)
    (M : mechanism (table Row') O) (near : table Row -> table Row -> Prop) far rho k
    (P : space) (N : mechanism (table Row) P) :
  (forall f : Row -> Row', (forall r, inside r -> inside' (f r)) -> stable near (map f) far) ->
  private far M (Renyi.concentrated rho) -> mapped_by_rows inside inside' M k P N ->
  private near N (Renyi.concentrated (INR k * rho)).
Proof.
  intros S H sequence. rewrite <- sum_repeated. apply rounds_concentrated.
  apply (mapped_round_by_round near far (fun rho => @Renyi.concentrated rho) rho inside inside' M); auto.
Qed.

(* ---- More edits ---- *)

(* 1 + e^e + ... + e^((k-1) e) *)
Fixpoint powers (epsilon : R) (k : nat) : R :=
  match k with 0%nat => 0 | S k => powers epsilon k + exp (INR k * epsilon) end.
Lemma powers_shifted epsilon k : powers epsilon (S k) = 1 + exp epsilon * powers epsilon k.
Proof.
  induction k as [| k IH]; [simpl; rewrite Rmult_0_l, exp_0; ring |].
  change (powers epsilon (S (S k))) with (powers epsilon (S k) + exp (INR (S k) * epsilon)).
  rewrite IH at 1. change (powers epsilon (S k)) with (powers epsilon k + exp (INR k * epsilon)).
  rewrite S_INR, (Rmult_plus_distr_r (INR k) 1), exp_plus, Rmult_1_l. ring.
Qed.
Lemma powers_closed epsilon k : 0 < epsilon -> powers epsilon k = (exp (INR k * epsilon) - 1) / (exp epsilon - 1).
Proof.
  intro positive. assert (1 < exp epsilon) by (rewrite <- exp_0; apply exp_increasing, positive).
  induction k as [| k IH]; [simpl; rewrite Rmult_0_l, exp_0; field; lra |].
  rewrite powers_shifted, IH, S_INR, (Rmult_plus_distr_r (INR k) 1), exp_plus, Rmult_1_l. field. lra.
Qed.

(* Where far (k + 1) is k + 1 steps that are near, whatever the inputs are. *)
Lemma group_along {X : Type} {O : space} (near : X -> X -> Prop) (far : nat -> X -> X -> Prop) (M : mechanism X O)
    epsilon delta k :
  (forall x y, far 1%nat x y -> near x y) ->
  (forall k x y, far (S (S k)) x y -> exists z, near x z /\ far (S k) z y) ->
  (1 <= k)%nat -> private near M (approximate epsilon delta) ->
  private (far k) M (approximate (INR k * epsilon) (delta * powers epsilon k)).
Proof.
  intros one step positive H. destruct k as [| k]; [lia |]. clear positive.
  induction k as [| k IH]; intros x y n.
  - simpl powers. rewrite Rmult_0_l, exp_0, Rplus_0_l, Rmult_1_r, Rmult_1_l. apply H, one, n.
  - destruct (step _ _ _ n) as (z & first & rest). rewrite powers_shifted.
    replace (INR (S (S k)) * epsilon) with (epsilon + INR (S k) * epsilon) by (rewrite (S_INR (S k)); ring).
    replace (delta * (1 + exp epsilon * powers epsilon (S k)))
      with (delta + exp epsilon * (delta * powers epsilon (S k))) by ring.
    unfold approximate. rewrite exp_plus.
    apply (within_then _ (M z)); [left; apply exp_pos | apply H, first | apply IH, rest].
Qed.

(* Tables k d edits apart are joined by k steps of d edits, of tables of the same rows. *)
Lemma moved_apart {Row : Type} (l a b : list Row) : Permutation (l ++ a ++ b) ((l ++ b) ++ a).
Proof. rewrite <- app_assoc. apply Permutation_app_head, Permutation_app_comm. Qed.
Lemma rows_between {Row : Type} (inside : Row -> Prop) (x y common out left put missing : list Row) :
  Permutation x (common ++ out ++ left) -> Permutation y (common ++ put ++ missing) ->
  table_of inside x -> table_of inside y -> table_of inside ((common ++ left) ++ put).
Proof.
  unfold table_of. intros X Y IX IY. apply (Permutation_Forall X) in IX. apply (Permutation_Forall Y) in IY.
  rewrite !Forall_app in *. tauto.
Qed.
Lemma symmetric_step {Row : Type} (d k : nat) (x y : table Row) : symmetric (INR (S k) * INR d) x y ->
  exists z, symmetric (INR d) x z /\ symmetric (INR k * INR d) z y /\
    forall inside, table_of inside x -> table_of inside y -> table_of inside z.
Proof.
  intros (gone & new & (common & X & Y) & D). rewrite <- mult_INR in D. apply INR_le in D.
  pose (out := firstn d gone). pose (left := skipn d gone).
  pose (put := firstn (d - length out) new). pose (missing := skipn (d - length out) new).
  assert (G : gone = out ++ left) by (symmetry; apply firstn_skipn).
  assert (N : new = put ++ missing) by (symmetry; apply firstn_skipn).
  assert (out_size : length out = Nat.min d (length gone)) by apply firstn_length.
  assert (put_size : length put = Nat.min (d - length out) (length new)) by apply firstn_length.
  assert (left_size : length left = (length gone - d)%nat) by apply skipn_length.
  assert (missing_size : length missing = (length new - (d - length out))%nat) by apply skipn_length.
  clearbody out left put missing. rewrite G in X. rewrite N in Y.
  exists ((common ++ left) ++ put). split; [| split].
  - exists out, put. split; [exists (common ++ left) | apply le_INR; lia].
    split; [rewrite X; apply moved_apart | apply Permutation_refl].
  - exists left, missing. split; [exists (common ++ put) | rewrite <- mult_INR; apply le_INR; simpl in D; lia].
    split; [rewrite <- app_assoc; apply moved_apart | rewrite Y, <- app_assoc; apply Permutation_refl].
  - intro inside. apply (rows_between inside x y common out left put missing X Y).
Qed.
Lemma change_one_step {Row : Type} (d k : nat) (x y : table Row) : change_one (INR (S k) * INR d) x y ->
  exists z, change_one (INR d) x z /\ change_one (INR k * INR d) z y /\
    forall inside, table_of inside x -> table_of inside y -> table_of inside z.
Proof.
  intros (gone & new & (common & X & Y) & same & D). rewrite <- mult_INR in D. apply INR_le in D.
  rewrite <- (firstn_skipn d gone) in X. rewrite <- (firstn_skipn d new) in Y.
  exists ((common ++ skipn d gone) ++ firstn d new). split; [| split].
  - exists (firstn d gone), (firstn d new). rewrite !firstn_length.
    split; [exists (common ++ skipn d gone) | split; [lia | apply le_INR; lia]].
    split; [rewrite X; apply moved_apart | apply Permutation_refl].
  - exists (skipn d gone), (skipn d new). rewrite !skipn_length.
    split; [exists (common ++ firstn d new) | split; [lia | rewrite <- mult_INR; apply le_INR; simpl in D; lia]].
    split; [rewrite <- app_assoc; apply moved_apart | rewrite Y, <- app_assoc; apply Permutation_refl].
  - intro inside. apply (rows_between inside x y common (firstn d gone) _ _ (skipn d new) X Y).
Qed.

(* group: on tables, what costs (e, delta) for d edits costs (k e, delta (1 + e^e + ... + e^((k-1) e))) for k d. *)
Theorem group {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O) (d k : nat) epsilon delta :
  (1 <= k)%nat -> private (restricted (table_of inside) (symmetric (INR d))) M (approximate epsilon delta) ->
  private (restricted (table_of inside) (symmetric (INR k * INR d))) M
    (approximate (INR k * epsilon) (delta * powers epsilon k)).
Proof.
  apply (group_along _ (fun k => restricted (table_of inside) (symmetric (INR k * INR d)))).
  - intros x y near. rewrite Rmult_1_l in near. exact near.
  - intros j x y (X & Y & far). destruct (symmetric_step d (S j) x y far) as (z & first & rest & between).
    exists z. repeat split; auto.
Qed.
Theorem group_change_one {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d k : nat) epsilon delta :
  (1 <= k)%nat -> private (restricted (table_of inside) (change_one (INR d))) M (approximate epsilon delta) ->
  private (restricted (table_of inside) (change_one (INR k * INR d))) M
    (approximate (INR k * epsilon) (delta * powers epsilon k)).
Proof.
  apply (group_along _ (fun k => restricted (table_of inside) (change_one (INR k * INR d)))).
  - intros x y near. rewrite Rmult_1_l in near. exact near.
  - intros j x y (X & Y & far). destruct (change_one_step d (S j) x y far) as (z & first & rest & between).
    exists z. repeat split; auto.
Qed.
Theorem group_sized {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (n d k : nat) epsilon delta :
  (1 <= k)%nat -> private (restricted (sized_table_of inside n) (change_one (INR d))) M (approximate epsilon delta) ->
  private (restricted (sized_table_of inside n) (change_one (INR k * INR d))) M
    (approximate (INR k * epsilon) (delta * powers epsilon k)).
Proof.
  apply (group_along _ (fun k => restricted (sized_table_of inside n) (change_one (INR k * INR d)))).
  - intros x y near. rewrite Rmult_1_l in near. exact near.
  - intros j x y ([X size] & [Y size'] & far).
    destruct (change_one_step d (S j) x y far) as (z & first & rest & between).
    assert (length z = n) by (rewrite <- size; symmetry; apply (proj1 (change_one_is_half x z (INR d)) first)).
    exists z. repeat split; auto; apply between; assumption.
Qed.
Theorem group_pure {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O) (d k : nat) epsilon :
  (1 <= k)%nat -> private (restricted (table_of inside) (symmetric (INR d))) M (pure epsilon) ->
  private (restricted (table_of inside) (symmetric (INR k * INR d))) M (pure (INR k * epsilon)).
Proof.
  intros positive H. pose proof (group inside M d k epsilon 0 positive H) as claim.
  rewrite Rmult_0_l in claim. exact claim.
Qed.
Theorem group_change_one_pure {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d k : nat) epsilon :
  (1 <= k)%nat -> private (restricted (table_of inside) (change_one (INR d))) M (pure epsilon) ->
  private (restricted (table_of inside) (change_one (INR k * INR d))) M (pure (INR k * epsilon)).
Proof.
  intros positive H. pose proof (group_change_one inside M d k epsilon 0 positive H) as claim.
  rewrite Rmult_0_l in claim. exact claim.
Qed.
Theorem group_sized_pure {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (n d k : nat) epsilon :
  (1 <= k)%nat -> private (restricted (sized_table_of inside n) (change_one (INR d))) M (pure epsilon) ->
  private (restricted (sized_table_of inside n) (change_one (INR k * INR d))) M (pure (INR k * epsilon)).
Proof.
  intros positive H. pose proof (group_sized inside M n d k epsilon 0 positive H) as claim.
  rewrite Rmult_0_l in claim. exact claim.
Qed.
(* The same for every k at once: delta (e^(k e) - 1) / (e^e - 1). *)
Theorem group_any_size {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d : nat) epsilon delta :
  0 < epsilon -> private (restricted (table_of inside) (symmetric (INR d))) M (approximate epsilon delta) ->
  forall k, (1 <= k)%nat -> private (restricted (table_of inside) (symmetric (INR k * INR d))) M
    (approximate (INR k * epsilon) (delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1)))).
Proof. intros E H k positive. rewrite <- powers_closed by exact E. apply group; assumption. Qed.
Theorem group_any_size_change_one {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d : nat) epsilon delta :
  0 < epsilon -> private (restricted (table_of inside) (change_one (INR d))) M (approximate epsilon delta) ->
  forall k, (1 <= k)%nat -> private (restricted (table_of inside) (change_one (INR k * INR d))) M
    (approximate (INR k * epsilon) (delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1)))).
Proof. intros E H k positive. rewrite <- powers_closed by exact E. apply group_change_one; assumption. Qed.
Theorem group_any_size_sized {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (n d : nat) epsilon delta :
  0 < epsilon -> private (restricted (sized_table_of inside n) (change_one (INR d))) M (approximate epsilon delta) ->
  forall k, (1 <= k)%nat -> private (restricted (sized_table_of inside n) (change_one (INR k * INR d))) M
    (approximate (INR k * epsilon) (delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1)))).
Proof. intros E H k positive. rewrite <- powers_closed by exact E. apply group_sized; assumption. Qed.

(* Under concentrated DP rho becomes k^2 rho; group_renyi: at half the order epsilon becomes at most 3 epsilon. *)
Lemma steps_along {X : Type} (near : X -> X -> Prop) (far : nat -> X -> X -> Prop) k x y :
  (forall x y, far 1%nat x y -> near x y) ->
  (forall k x y, far (S (S k)) x y -> exists z, near x z /\ far (S k) z y) ->
  (1 <= k)%nat -> far k x y -> Renyi.steps near k x y.
Proof.
  intros one step positive. destruct k as [| k]; [lia |]. clear positive. revert x.
  induction k as [| k IH]; intros x n; [exists y; split; [apply one, n | reflexivity] |].
  destruct (step _ _ _ n) as (z & first & rest). exists z. split; [exact first | apply IH, rest].
Qed.
Lemma table_steps {Row : Type} (inside : Row -> Prop) (d k : nat) (x y : table Row) : (1 <= k)%nat ->
  restricted (table_of inside) (symmetric (INR k * INR d)) x y ->
  Renyi.steps (restricted (table_of inside) (symmetric (INR d))) k x y.
Proof.
  apply (steps_along _ (fun k => restricted (table_of inside) (symmetric (INR k * INR d)))).
  - intros u v near. rewrite Rmult_1_l in near. exact near.
  - intros j u v (U & V & far). destruct (symmetric_step d (S j) u v far) as (z & first & rest & between).
    exists z. repeat split; auto.
Qed.
Lemma table_steps_change_one {Row : Type} (inside : Row -> Prop) (d k : nat) (x y : table Row) : (1 <= k)%nat ->
  restricted (table_of inside) (change_one (INR k * INR d)) x y ->
  Renyi.steps (restricted (table_of inside) (change_one (INR d))) k x y.
Proof.
  apply (steps_along _ (fun k => restricted (table_of inside) (change_one (INR k * INR d)))).
  - intros u v near. rewrite Rmult_1_l in near. exact near.
  - intros j u v (U & V & far). destruct (change_one_step d (S j) u v far) as (z & first & rest & between).
    exists z. repeat split; auto.
Qed.
Lemma table_steps_sized {Row : Type} (inside : Row -> Prop) (n d k : nat) (x y : table Row) : (1 <= k)%nat ->
  restricted (sized_table_of inside n) (change_one (INR k * INR d)) x y ->
  Renyi.steps (restricted (sized_table_of inside n) (change_one (INR d))) k x y.
Proof.
  apply (steps_along _ (fun k => restricted (sized_table_of inside n) (change_one (INR k * INR d)))).
  - intros u v near. rewrite Rmult_1_l in near. exact near.
  - intros j u v ([U size] & [V size'] & far).
    destruct (change_one_step d (S j) u v far) as (z & first & rest & between).
    assert (length z = n) by (rewrite <- size; symmetry; apply (proj1 (change_one_is_half u z (INR d)) first)).
    exists z. repeat split; auto; apply between; assumption.
Qed.
Theorem group_concentrated {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d k : nat) rho :
  (1 <= k)%nat -> private (restricted (table_of inside) (symmetric (INR d))) M (Renyi.concentrated rho) ->
  private (restricted (table_of inside) (symmetric (INR k * INR d))) M (Renyi.concentrated (INR k ^ 2 * rho)).
Proof. intro positive. apply Renyi.group_concentrated. intros x y. apply table_steps, positive. Qed.
Theorem group_change_one_concentrated {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d k : nat) rho :
  (1 <= k)%nat -> private (restricted (table_of inside) (change_one (INR d))) M (Renyi.concentrated rho) ->
  private (restricted (table_of inside) (change_one (INR k * INR d))) M (Renyi.concentrated (INR k ^ 2 * rho)).
Proof. intro positive. apply Renyi.group_concentrated. intros x y. apply table_steps_change_one, positive. Qed.
Theorem group_sized_concentrated {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (n d k : nat) rho :
  (1 <= k)%nat -> private (restricted (sized_table_of inside n) (change_one (INR d))) M (Renyi.concentrated rho) ->
  private (restricted (sized_table_of inside n) (change_one (INR k * INR d))) M (Renyi.concentrated (INR k ^ 2 * rho)).
Proof. intro positive. apply Renyi.group_concentrated. intros x y. apply table_steps_sized, positive. Qed.
Theorem group_renyi {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d : nat) order epsilon :
  2 < order -> private (restricted (table_of inside) (symmetric (INR d))) M (Renyi.renyi order epsilon) ->
  private (restricted (table_of inside) (symmetric (2 * INR d))) M
    (Renyi.renyi (order / 2) (epsilon * (2 * order - 1) / (order - 1))).
Proof.
  intro A. apply Renyi.group_renyi; [exact A |]. intros x y near.
  destruct (table_steps inside d 2 x y ltac:(lia) near) as (z & first & z' & rest & last). subst. eauto.
Qed.
Theorem group_renyi_change_one {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (d : nat) order epsilon :
  2 < order -> private (restricted (table_of inside) (change_one (INR d))) M (Renyi.renyi order epsilon) ->
  private (restricted (table_of inside) (change_one (2 * INR d))) M
    (Renyi.renyi (order / 2) (epsilon * (2 * order - 1) / (order - 1))).
Proof.
  intro A. apply Renyi.group_renyi; [exact A |]. intros x y near.
  destruct (table_steps_change_one inside d 2 x y ltac:(lia) near) as (z & first & z' & rest & last). subst. eauto.
Qed.
Theorem group_renyi_sized {Row : Type} {O : space} (inside : Row -> Prop) (M : mechanism (table Row) O)
    (n d : nat) order epsilon :
  2 < order -> private (restricted (sized_table_of inside n) (change_one (INR d))) M (Renyi.renyi order epsilon) ->
  private (restricted (sized_table_of inside n) (change_one (2 * INR d))) M
    (Renyi.renyi (order / 2) (epsilon * (2 * order - 1) / (order - 1))).
Proof.
  intro A. apply Renyi.group_renyi; [exact A |]. intros x y near.
  destruct (table_steps_sized inside n d 2 x y ltac:(lia) near) as (z & first & z' & rest & last). subst. eauto.
Qed.

(* ---- Parts of a table ---- *)

(* Mechanisms 0, ..., n - 1 that draw independently.  Where answers are plain, plain_integrates is the premise. *)
Section together.
  Context {X : Type} {Answer : nat -> space} (M : forall i, mechanism X (Answer i)).
  Context (beside : forall i j x, integrates_beside (Answer j) (M i x)).
  Fixpoint answers (n : nat) : space :=
    match n with 0%nat => plain unit | S i => product (Answer i) (answers i) end.
  Definition beside_all (n : nat) (q : law (answers n)) := forall j, integrates_beside (Answer j) q.
  Fixpoint together_beside (n : nat) (x : X) : {q : law (answers n) | beside_all n q} :=
    match n with
    | 0%nat => exist (beside_all 0) (certain (O := plain unit) tt) (fun j => nothing_integrates (Answer j))
    | S i =>
      let rest := together_beside i x in
      exist (beside_all (S i)) (both (M i x) (regardless (proj1_sig rest) (proj2_sig rest i)))
        (fun j => integrates_both (Answer j) (M i x) (proj1_sig rest) (proj2_sig rest i) (beside i j x)
          (proj2_sig rest j))
    end.
  Definition together (n : nat) (x : X) : law (answers n) := proj1_sig (together_beside n x).
  (* The mechanisms after the one numbered n, whatever that answers. *)
  Definition others (n : nat) (x : X) : kernel (Answer n) (answers n) :=
    regardless (together n x) (proj2_sig (together_beside n x) n).

  Lemma together_same n x y : (forall i, (i < n)%nat -> same_law (M i x) (M i y)) ->
    same_law (together n x) (together n y).
  Proof.
    induction n as [| n IH]; intros same f F; [reflexivity |].
    change (E (both (M n x) (others n x)) f = E (both (M n y) (others n y)) f). simpl.
    rewrite (same n (Nat.lt_succ_diag_r n)) by apply (run_observable (others n x) (fun o b => f (o, b))), F.
    apply E_same; [apply (run_observable (others n x) (fun o b => f (o, b))), F |].
    intro o. apply (IH ltac:(intros; apply same; lia)), F.
  Qed.
  (* If one alone answers two inputs differently, they are as far apart as that. *)
  Lemma together_one_differs {Loss : Type} none plus allowed (m : Loss -> measure) loss n c x y :
    additive none plus allowed m -> allowed loss ->
    (c < n)%nat -> (forall i, (i < n)%nat -> i <> c -> same_law (M i x) (M i y)) ->
    m loss _ (M c x) (M c y) -> m loss _ (together n x) (together n y).
  Proof.
    intros A may C same H.
    induction n as [| n IH]; [lia |]. change (m loss _ (both (M n x) (others n x)) (both (M n y) (others n y))).
    destruct (Nat.eq_dec n c) as [it_is | other].
    - subst n. rewrite <- (plus_none_last A loss).
      apply (plus_composed A); [exact may | apply (none_allowed A) | exact H |].
      intro o. apply (none_same A), together_same. intros i I. apply same; lia.
    - rewrite <- (plus_none A loss).
      apply (plus_composed A); [apply (none_allowed A) | exact may | apply (none_same A), same; lia |].
      intro o. apply IH; [lia |]. intros i I. apply same. lia.
  Qed.
  (* compose for n mechanisms: none looks at the outcomes before. *)
  Lemma together_round_by_round {Loss : Type} (near : X -> X -> Prop) (m : Loss -> measure) (loss : nat -> Loss) n :
    (forall i, (i < n)%nat -> private near (M i) (m (loss i) (Answer i))) ->
    round_by_round near m (map loss (rev (seq 0 n))) (answers n) (together n).
  Proof.
    induction n as [| n IH]; intro H.
    - apply (nothing_more near m (plain unit) (certain (O := plain unit) tt)).
    - rewrite seq_S, rev_app_distr. simpl.
      apply (next_round near m (loss n) (map loss (rev (seq 0 n))) (Answer n) (answers n) (M n) (others n));
        [apply H; lia | intro; apply IH; intros; apply H; lia].
  Qed.
End together.

(* compose and compose_failures, for mechanisms 0, ..., n - 1 that draw independently. *)
Fixpoint none_fails (delta : nat -> R) (n : nat) : R :=
  match n with 0%nat => 1 | S i => none_fails delta i * (1 - delta i) end.
Lemma sum_in_reverse f n : sum (map f (rev (seq 0 n))) = total n f.
Proof. induction n as [| n IH]; [reflexivity |]. rewrite seq_S, rev_app_distr. simpl. rewrite IH. ring. Qed.
Lemma times_in_reverse delta n : times (map (fun i => 1 - delta i) (rev (seq 0 n))) = none_fails delta n.
Proof. induction n as [| n IH]; [reflexivity |]. rewrite seq_S, rev_app_distr. simpl. rewrite IH. ring. Qed.
Section independent.
  Context {X : Type} (near : X -> X -> Prop) {Answer : nat -> space} (M : forall i, mechanism X (Answer i)).
  Context (beside : forall i j x, integrates_beside (Answer j) (M i x)) (epsilon delta : nat -> R) (n : nat).
  Hypothesis parts : forall i, (i < n)%nat -> private near (M i) (approximate (epsilon i) (delta i)).

  Theorem compose_together : private near (together M beside n) (approximate (total n epsilon) (total n delta)).
  Proof.
    pose proof (rounds near _ _ _ (together_round_by_round M beside near approximately
      (fun i => (epsilon i, delta i)) n parts)) as claim.
    rewrite !map_map in claim. simpl in claim. rewrite !sum_in_reverse in claim. exact claim.
  Qed.
  Theorem compose_failures_together : (forall i, (i < n)%nat -> delta i <= 1) ->
    private near (together M beside n) (approximate (total n epsilon) (1 - none_fails delta n)).
  Proof.
    intro D. assert (all : Forall (fun loss : R * R => snd loss <= 1)
        (map (fun i => (epsilon i, delta i)) (rev (seq 0 n)))).
    { rewrite Forall_map, Forall_forall. intros i I. apply in_rev, in_seq in I. apply D. lia. }
    pose proof (compose_failures near _ _ _ all (together_round_by_round M beside near approximately
      (fun i => (epsilon i, delta i)) n parts)) as claim.
    rewrite !map_map in claim. simpl in claim. rewrite sum_in_reverse, times_in_reverse in claim. exact claim.
  Qed.
End independent.

(* A public function sends each row to a part, or to none. *)
Definition part {Row : Type} (partition : Row -> option nat) (i : nat) (x : list Row) : list Row :=
  filter (fun r => match partition r with Some j => Nat.eqb i j | None => false end) x.
Definition on_parts {Row : Type} {Answer : nat -> space} (partition : Row -> option nat)
    (M : forall i, mechanism (table Row) (Answer i)) (beside : forall i j x, integrates_beside (Answer j) (M i x))
    (n : nat) : mechanism (table Row) (answers n) :=
  together (fun i x => M i (part partition i x)) (fun i j x => beside i j (part partition i x)) n.
(* The greatest of the numbers 0, ..., n. *)
Fixpoint greatest (numbers : nat -> R) (n : nat) : R :=
  match n with 0%nat => numbers 0%nat | S i => Rmax (greatest numbers i) (numbers (S i)) end.

Lemma greatest_above numbers n i : (i <= n)%nat -> numbers i <= greatest numbers n.
Proof.
  induction n as [| n IH]; intro below; simpl.
  - replace i with 0%nat by lia. lra.
  - destruct (Nat.eq_dec i (S n)) as [last | before]; [subst; apply Rmax_r |].
    apply Rle_trans with (greatest numbers n); [apply IH; lia | apply Rmax_l].
Qed.
Lemma filter_reordered {T : Type} (keep : T -> bool) (x y : list T) :
  Permutation x y -> Permutation (filter keep x) (filter keep y).
Proof.
  induction 1 as [| a x y _ IH | a b x | x y z _ IH _ IH']; simpl; auto.
  - destruct (keep a); auto.
  - destruct (keep a), (keep b); auto. apply perm_swap.
  - rewrite IH. exact IH'.
Qed.
Lemma part_inside {Row : Type} (inside : Row -> Prop) partition i (x : table Row) :
  table_of inside x -> table_of inside (part partition i x).
Proof. unfold table_of. rewrite !Forall_forall. intros X r I. apply X. apply filter_In in I. apply I. Qed.
(* One row more changes one part alone, by that row. *)
Lemma part_of_one_more {Row : Type} partition (x y : table Row) r i : Permutation y (r :: x) ->
  Permutation (part partition i x) (part partition i y) \/
  (partition r = Some i /\ Permutation (part partition i y) (r :: part partition i x)).
Proof.
  intro more.
  apply (filter_reordered (fun r => match partition r with Some j => Nat.eqb i j | None => false end)) in more.
  fold (part partition i y) in more. simpl in more. fold (part partition i x) in more.
  destruct (partition r) as [j |]; [| left; apply Permutation_sym, more].
  destruct (Nat.eqb_spec i j) as [it_is | other]; [| left; apply Permutation_sym, more].
  right. subst. auto.
Qed.
(* So of all parts up to n there is one, c, besides which they have the same rows; those of c are within one row. *)
Definition one_part_differs {Row : Type} (partition : Row -> option nat) n (x y : table Row) :=
  exists c, (c <= n)%nat /\ symmetric 1 (part partition c x) (part partition c y) /\
    forall i, i <> c -> (i <= n)%nat -> Permutation (part partition i x) (part partition i y).
Lemma one_part_of_one_more {Row : Type} (partition : Row -> option nat) n (x y : table Row) r :
  Permutation y (r :: x) -> one_part_differs partition n x y.
Proof.
  intro more. pose proof (fun i => part_of_one_more partition x y r i more) as parts.
  assert (near : forall i, symmetric 1 (part partition i x) (part partition i y)).
  { intro i. destruct (parts i) as [same | [_ one]]; [| apply (symmetric_one_more r), one].
    apply symmetric_reordered; [lra | exact same]. }
  exists (match partition r with Some c => if le_dec c n then c else 0%nat | None => 0%nat end).
  destruct (partition r) as [c |]; [destruct (le_dec c n) |]; (split; [lia | split; [apply near |]]);
    intros i other I; (destruct (parts i) as [same | [it_is _]]; [exact same |]); try discriminate;
    injection it_is; intro; subst; exfalso; auto.
Qed.
Lemma one_part_of_one_edit {Row : Type} (partition : Row -> option nat) n (x y : table Row) :
  symmetric 1 x y -> one_part_differs partition n x y.
Proof.
  intro near. destruct (symmetric_one x y near) as [same | [[r more] | [r more]]].
  - exists 0%nat. split; [lia | split].
    + apply symmetric_reordered; [lra | apply filter_reordered, same].
    + intros i _ _. apply filter_reordered, same.
  - apply (one_part_of_one_more partition n x y r more).
  - destruct (one_part_of_one_more partition n y x r more) as (c & C & apart & rest).
    exists c. split; [exact C | split; [apply symmetric_symmetric, apart |]].
    intros i other I. apply Permutation_sym, rest; assumption.
Qed.

Section parallel.
  Context {Row : Type} (inside : Row -> Prop) (partition : Row -> option nat) {Answer : nat -> space}.
  Context (M : forall i, mechanism (table Row) (Answer i)) (n : nat).
  Context (beside : forall i j x, integrates_beside (Answer j) (M i x)).
  Hypothesis no_order : forall i, (i <= n)%nat -> unordered (table_of inside) (M i).

  Lemma parallel_additive {Loss : Type} none plus (m : Loss -> measure) (loss : nat -> Loss) :
    additive none plus (fun _ => True) m ->
    (forall i, (i <= n)%nat -> private (restricted (table_of inside) (symmetric 1)) (M i) (m (loss i) (Answer i))) ->
    forall x y, restricted (table_of inside) (symmetric 1) x y -> exists c, (c <= n)%nat /\
      m (loss c) _ (on_parts partition M beside (S n) x) (on_parts partition M beside (S n) y).
  Proof.
    intros A H x y (X & Y & near). destruct (one_part_of_one_edit partition n x y near) as (c & C & apart & rest).
    exists c. split; [exact C |].
    apply (together_one_differs (fun i x => M i (part partition i x))
      (fun i j x => beside i j (part partition i x)) none plus (fun _ => True) m (loss c) (S n) c);
      [exact A | exact I | lia | |].
    - intros i below other. apply no_order; [lia | | | apply rest; [exact other | lia]]; apply part_inside; assumption.
    - apply H; [exact C |]. repeat split; [apply part_inside, X | apply part_inside, Y | exact apart].
  Qed.

  (* parallel: mechanisms 0, ..., n on the parts of a table have together the worst of their losses for one row added or
     removed, and under pure DP twice that for one row replaced. *)
  Theorem parallel (epsilon delta : nat -> R) :
    (forall i, (i <= n)%nat ->
      private (restricted (table_of inside) (symmetric 1)) (M i) (approximate (epsilon i) (delta i))) ->
    private (restricted (table_of inside) (symmetric 1)) (on_parts partition M beside (S n))
      (approximate (greatest epsilon n) (greatest delta n)).
  Proof.
    intros H x y near.
    destruct (parallel_additive _ _ approximately (fun i => (epsilon i, delta i)) additive_approximate H x y near)
      as (c & C & found).
    eapply weaken_approximate; [| | exact found]; apply greatest_above, C.
  Qed.
  Theorem parallel_pure (epsilon : nat -> R) :
    (forall i, (i <= n)%nat -> private (restricted (table_of inside) (symmetric 1)) (M i) (pure (epsilon i))) ->
    private (restricted (table_of inside) (symmetric 1)) (on_parts partition M beside (S n))
      (pure (greatest epsilon n)).
  Proof.
    intros H x y near.
    destruct (parallel_additive _ _ (fun e => @pure e) epsilon additive_pure H x y near) as (c & C & found).
    eapply weaken_pure; [apply greatest_above, C | exact found].
  Qed.
  Theorem parallel_renyi order (epsilon : nat -> R) : 1 < order ->
    (forall i, (i <= n)%nat ->
      private (restricted (table_of inside) (symmetric 1)) (M i) (Renyi.renyi order (epsilon i))) ->
    private (restricted (table_of inside) (symmetric 1)) (on_parts partition M beside (S n))
      (Renyi.renyi order (greatest epsilon n)).
  Proof.
    intros A H x y near.
    destruct (parallel_additive _ _ (@Renyi.renyi order) epsilon (additive_renyi order A) H x y near)
      as (c & C & found).
    eapply Renyi.weaken_renyi; [exact A | apply greatest_above, C | exact found].
  Qed.
  Theorem parallel_concentrated (rho : nat -> R) :
    (forall i, (i <= n)%nat ->
      private (restricted (table_of inside) (symmetric 1)) (M i) (Renyi.concentrated (rho i))) ->
    private (restricted (table_of inside) (symmetric 1)) (on_parts partition M beside (S n))
      (Renyi.concentrated (greatest rho n)).
  Proof.
    intros H x y near.
    destruct (parallel_additive _ _ (fun r => @Renyi.concentrated r) rho additive_concentrated H x y near)
      as (c & C & found).
    eapply Renyi.weaken_concentrated; [apply greatest_above, C | exact found].
  Qed.
  Theorem parallel_change_one (epsilon : nat -> R) :
    (forall i, (i <= n)%nat -> private (restricted (table_of inside) (symmetric 1)) (M i) (pure (epsilon i))) ->
    private (restricted (table_of inside) (change_one 1)) (on_parts partition M beside (S n))
      (pure (2 * greatest epsilon n)).
  Proof.
    intro H. pose proof (group_pure inside _ 1 2 _ ltac:(lia) (parallel_pure epsilon H)) as twice.
    simpl INR in twice. apply replaced_rows in twice.
    replace ((1 + 1) * 1 / 2) with 1 in twice by field. replace (1 + 1) with 2 in twice by ring. exact twice.
  Qed.
End parallel.

(* ---- Examples: a bit of the input is told with probability 3/4, else the other one ---- *)

Lemma mostly : 0 <= 3 / 4 <= 1.
Proof. lra. Qed.
Definition answered (bit : bool) : law (plain bool) :=
  mixture (3 / 4) mostly (certain (O := plain bool) bit) (certain (O := plain bool) (negb bit)).
Lemma answered_pure {X : Type} (near : X -> X -> Prop) (bit : X -> bool) :
  private near (fun x => answered (bit x)) (pure (ln 3)).
Proof.
  intros x y _ f [_ F]. simpl. rewrite exp_ln by lra. pose proof (F true). pose proof (F false).
  destruct (bit x), (bit y); simpl; lra.
Qed.
Definition anything {X : Type} (x y : X) := True.
Definition parity {Row : Type} (x : table Row) : law (plain bool) := answered (Nat.even (length x)).

Example ten_answers :
  private anything (fun bit => draws (answered bit) (plain_integrates (answered bit)) 10) (pure (10 * ln 3)).
Proof.
  replace 10 with (INR 10) by (simpl; ring).
  apply (compose_many_pure anything answered (fun bit => plain_integrates (answered bit))).
  apply (answered_pure anything (fun bit => bit)).
Qed.
(* The bit is told with probability 1/10, else nothing: twice that fails with probability 19/100. *)
Lemma a_tenth : 0 <= / 10 <= 1.
Proof. lra. Qed.
Definition leaked (bit : bool) : law (plain bool) :=
  mixture (/ 10) a_tenth (certain (O := plain bool) bit) (certain (O := plain bool) true).
Example two_leaks : private anything (together (fun _ => leaked) (fun _ _ bit => plain_integrates (leaked bit)) 2)
    (approximate 0 (19 / 100)).
Proof.
  replace 0 with (total 2 (fun _ => 0)) by (simpl; ring).
  replace (19 / 100) with (1 - none_fails (fun _ => / 10) 2) by (simpl; field).
  apply compose_failures_together; [| intros; lra].
  intros _ _ x y _ f [_ F]. simpl. rewrite exp_0. pose proof (F true). pose proof (F false).
  destruct x, y; lra.
Qed.
(* What the second question is depends on the first answer. *)
Example two_questions : private anything
    (played (fun past x => answered (xorb x (hd true past))) [] 2) (approximate (ln 3 + (ln 3 + 0)) (0 + (0 + 0))).
Proof.
  apply (rounds_played anything (fun past x => answered (xorb x (hd true past))) (fun _ => ln 3) (fun _ => 0)).
  intro past. apply (answered_pure anything (fun x => xorb x (hd true past))).
Qed.
(* Whether there is a second question depends on the first answer. *)
Definition asked_again (x yes : bool) : law (product (plain bool) (plain unit)) :=
  if yes then both (answered (negb x)) (always (certain (O := plain unit) tt))
  else certain (O := product (plain bool) (plain unit)) (true, tt).
Example perhaps_two_questions : private anything
    (fun x => both (answered x) (plain_kernel (asked_again x))) (pure (ln 3 + ln 3)).
Proof.
  assert (0 <= ln 3) by (rewrite <- ln_1; left; apply ln_increasing; lra).
  apply filtered_pure.
  apply (spent _ _ _ _ (ln 3) (ln 3) _ (plain bool) _ answered (fun x => plain_kernel (asked_again x))); auto.
  - apply (answered_pure anything (fun x => x)).
  - intros [|].
    + apply (spent _ _ _ _ (ln 3) 0 _ (plain bool) (plain unit) (fun x => answered (negb x))
        (fun x => always (certain (O := plain unit) tt))); auto; try lra.
      * apply (answered_pure anything negb).
      * intro o. apply stopped. lra.
    + apply (stopped anything _ _ _ (ln 3) _ (certain (O := product (plain bool) (plain unit)) (true, tt))). assumption.
Qed.
Definition any_row {Row : Type} (r : Row) := True.
Example two_parts : private (restricted (table_of any_row) (change_one 1))
    (on_parts (fun n : nat => if Nat.even n then Some 0%nat else Some 1%nat) (fun _ => parity)
      (fun _ _ x => plain_integrates (parity x)) 2) (pure (2 * greatest (fun _ => ln 3) 1)).
Proof.
  apply parallel_change_one; intros i _.
  - intros x y _ _ same f F. unfold parity. rewrite (Permutation_length same). reflexivity.
  - apply answered_pure.
Qed.
Example ten_edits : private (restricted (table_of any_row) (symmetric (INR 10 * INR 1))) (parity (Row := nat))
    (pure (INR 10 * ln 3)).
Proof. apply group_pure; [lia | apply answered_pure]. Qed.
(* The second map depends on the first answer. *)
Definition mapped_again (x : table nat) (yes : bool) : law (product (plain bool) (plain unit)) :=
  both (parity (map (fun n => if yes then Nat.even n else Nat.odd n) x)) (always (certain (O := plain unit) tt)).
Example two_maps : private (restricted (table_of any_row) (symmetric 1))
    (fun x => both (parity (map Nat.even x)) (plain_kernel (mapped_again x))) (approximate (INR 2 * ln 3) (INR 2 * 0)).
Proof.
  apply (mapped_rounds any_row any_row (parity (Row := bool))); [apply answered_pure |].
  apply (mapped_round any_row any_row parity Nat.even 1 _ (fun x => plain_kernel (mapped_again x)));
    [intros; exact I |].
  intro yes. apply (mapped_round any_row any_row parity (fun n => if yes then Nat.even n else Nat.odd n) 0 (plain unit)
    (fun _ => always (certain (O := plain unit) tt))); [intros; exact I |].
  intro. apply (no_more any_row any_row parity (plain unit) (certain (O := plain unit) tt)).
Qed.
Example many_reports n : private anything
    (fun bit => then_run (answered bit) (plain_kernel (fun kept =>
      draws (answered kept) (plain_integrates (answered kept)) n)))
    (pure (ln 3)).
Proof.
  apply (reports_of_one_pure anything answered answered (fun kept => plain_integrates (answered kept))).
  apply (answered_pure anything (fun bit => bit)).
Qed.

(* Wrong rules: what is false if a hypothesis of a rule of refdp is left out, or its loss is counted too low.

   Each theorem says of a tempting rule that it does not hold, and its proof is a mechanism on a few outcomes, with
   rational probabilities, of which the hypotheses of the wrong rule are true and its conclusion is false.  So the
   right rules say no more than they need to. *)
From Coq Require Import Reals Lra Lia List Bool.
From Refdp Require Import Laws Privacy Finite.
Import ListNotations.
Open Scope R_scope.

Definition one {T : Type} (chosen : T -> bool) (o : T) : R := if chosen o then 1 else 0.
Lemma one_test {T} (chosen : T -> bool) : test (O := plain T) (one chosen).
Proof. apply plain_test. intro o. unfold one. destruct (chosen o); lra. Qed.
Lemma one_pair_test {T U} (chosen : T * U -> bool) : test (O := product (plain T) (plain U)) (one chosen).
Proof.
  assert (between : forall o, 0 <= one chosen o <= 1) by (intro o; unfold one; destruct (chosen o); lra).
  split; [| exact between]. split; [exists 1; intros o b; specialize (between (o, b)); simpl in *; lra |].
  split; intro; exists 1; intro; match goal with |- context [one chosen ?o] => specialize (between o); simpl in *; lra
    end.
Qed.
Lemma E_both {O P : space} (p : law O) (k : kernel O P) f : E (both p k) f = E p (fun o => E (k o) (fun b => f (o, b))).
Proof. reflexivity. Qed.
Definition both_true (o : bool * bool) := fst o && snd o.
Lemma E_both_true a b : 0 <= a <= 1 -> 0 <= b <= 1 -> E (both (coin a) (always (coin b))) (one both_true) = a * b.
Proof.
  intros A B. rewrite E_both, E_coin by exact A. simpl. rewrite !E_coin by exact B. unfold one, both_true. simpl. ring.
Qed.

(* Any two inputs are neighbours. *)
Definition any (_ _ : bool) := True.
(* The input, a bit, by a coin that shows it with probability c. *)
Definition answer (c : R) : mechanism bool (plain bool) := fun input => coin (if input then c else 1 - c).
Lemma answer_private c t delta : 1 / 2 <= c <= 1 -> 0 <= delta -> 1 <= t -> c <= t * (1 - c) + delta ->
  private any (answer c) (within t delta).
Proof.
  intros C D T B [|] [|] _; unfold answer; apply coin_within; try lra;
    assert (0 <= (t - 1) * c) by (apply Rmult_le_pos; lra);
    assert (0 <= (t - 1) * (1 - c)) by (apply Rmult_le_pos; lra); lra.
Qed.
(* 3 times out of 4: the loss is ln 3. *)
Lemma answer_at_ln_3 delta : 0 <= delta -> private any (answer (3 / 4)) (approximate (ln 3) delta).
Proof. intro D. unfold private, approximate. rewrite exp_ln by lra. apply answer_private; lra. Qed.
(* The truth with probability 1, or a fair coin, is within delta with epsilon = 0. *)
Definition sometimes_told : mechanism bool (plain bool) := fun input => coin (if input then 1 / 2 else 0).
Lemma sometimes_told_private : private any sometimes_told (approximate 0 (1 / 2)).
Proof. unfold private, approximate. rewrite exp_0. intros [|] [|] _; unfold sometimes_told; apply coin_within; lra. Qed.

(* compose: the losses add up; the greater of them is too little. *)
Theorem wrong_compose_greatest_epsilon : ~ forall (X T : Type) (P : space) near
    (M : mechanism X (plain T)) (N : mechanism X P) e1 e2,
  private near M (pure e1) -> private near N (pure e2) ->
  private near (fun x => both (M x) (always (N x))) (pure (Rmax e1 e2)).
Proof.
  intro claim.
  specialize (claim _ _ _ any (answer (3 / 4)) (answer (3 / 4)) (ln 3) (ln 3) (answer_at_ln_3 0 ltac:(lra))
    (answer_at_ln_3 0 ltac:(lra))).
  specialize (claim true false I _ (one_pair_test both_true)). unfold answer in claim.
  rewrite !E_both_true, Rmax_left, exp_ln in claim by lra. lra.
Qed.

(* compose_many: k rounds cost k epsilon under pure DP, and not its square root. *)
Theorem wrong_compose_root : ~ forall (X T : Type) (P : space) near (M : mechanism X (plain T)) (N : mechanism X P) e,
  private near M (pure e) -> private near N (pure e) ->
  private near (fun x => both (M x) (always (N x))) (pure (sqrt 2 * e)).
Proof.
  intro claim.
  specialize (claim _ _ _ any (answer (3 / 4)) (answer (3 / 4)) (ln 3) (answer_at_ln_3 0 ltac:(lra))
    (answer_at_ln_3 0 ltac:(lra))).
  specialize (claim true false I _ (one_pair_test both_true)). unfold answer in claim.
  rewrite !E_both_true in claim by lra.
  assert (exp (sqrt 2 * ln 3) < exp (ln 3 + ln 3)).
  { apply exp_increasing. assert (0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (sqrt 2 < 2) by (rewrite <- (sqrt_square 2) at 2 by lra; apply sqrt_lt_1; lra).
    replace (ln 3 + ln 3) with (2 * ln 3) by ring. apply Rmult_lt_compat_r; assumption. }
  rewrite exp_plus, exp_ln in * by lra. lra.
Qed.

(* rounds: every round counts, not only the first. *)
Theorem wrong_rounds_first_loss : ~ forall (X T : Type) (P : space) near
    (M : mechanism X (plain T)) (N : mechanism X P) e1 e2,
  private near M (pure e1) -> private near N (pure e2) -> private near (fun x => both (M x) (always (N x))) (pure e1).
Proof.
  intro claim. apply wrong_compose_greatest_epsilon. intros X T P near M N e1 e2 H H' x y n f F.
  pose proof (claim X T P near M N _ _ H H' x y n f F) as first.
  pose proof (exp_le _ _ (Rmax_l e1 e2)) as more.
  pose proof (E_test (both (M y) (always (N y))) f F) as positive.
  assert (exp e1 * E (both (M y) (always (N y))) f <= exp (Rmax e1 e2) * E (both (M y) (always (N y))) f)
    by (apply Rmult_le_compat_r; lra). lra.
Qed.

Definition some_true (o : bool * bool) := fst o || snd o.
Lemma E_some_true a b : 0 <= a <= 1 -> 0 <= b <= 1 ->
  E (both (coin a) (always (coin b))) (one some_true) = a + b - a * b.
Proof.
  intros A B. rewrite E_both, E_coin by exact A. simpl. rewrite !E_coin by exact B. unfold one, some_true. simpl. ring.
Qed.

(* compose: the deltas add up (compose_failures: 1 - (1 - d1) (1 - d2)); their product is too little, *)
Theorem wrong_compose_product_of_deltas : ~ forall (X T : Type) (P : space) near
    (M : mechanism X (plain T)) (N : mechanism X P) e1 d1 e2 d2,
  private near M (approximate e1 d1) -> private near N (approximate e2 d2) ->
  private near (fun x => both (M x) (always (N x))) (approximate (e1 + e2) (d1 * d2)).
Proof.
  intro claim. specialize (claim _ _ _ any _ _ _ _ _ _ sometimes_told_private sometimes_told_private).
  specialize (claim true false I _ (one_pair_test some_true)). unfold sometimes_told in claim.
  rewrite !E_some_true, Rplus_0_r, exp_0 in claim by lra. lra.
Qed.
(* and so is the greater of them. *)
Theorem wrong_compose_greatest_delta : ~ forall (X T : Type) (P : space) near
    (M : mechanism X (plain T)) (N : mechanism X P) e1 d1 e2 d2,
  private near M (approximate e1 d1) -> private near N (approximate e2 d2) ->
  private near (fun x => both (M x) (always (N x))) (approximate (e1 + e2) (Rmax d1 d2)).
Proof.
  intro claim. specialize (claim _ _ _ any _ _ _ _ _ _ sometimes_told_private sometimes_told_private).
  specialize (claim true false I _ (one_pair_test some_true)). unfold sometimes_told in claim.
  rewrite !E_some_true, Rmax_left, Rplus_0_r, exp_0 in claim by lra. lra.
Qed.

(* adaptive: the second step must be private whatever the first has told, not for some outcome of it. *)
Theorem wrong_adaptive_for_some_previous : ~ forall (X T : Type) (P : space) near (M : mechanism X (plain T))
    (N : X -> kernel (plain T) P) e1 e2, private near M (pure e1) ->
  (exists previous, private near (fun x => N x previous) (pure e2)) ->
  private near (fun x => both (M x) (N x)) (pure (e1 + e2)).
Proof.
  intro claim. pose (tells := fun x : bool => plain_kernel (fun previous : bool =>
    if previous then coin (1 / 2) else coin (if x then 1 else 0))).
  specialize (claim _ _ _ any (fun _ => coin (1 / 2)) tells 0 0).
  assert (fair : within (exp 0) 0 (coin (1 / 2)) (coin (1 / 2))) by (rewrite exp_0; apply coin_within; lra).
  specialize (claim ltac:(intros x y _; exact fair) ltac:(exists true; intros x y _; exact fair)).
  specialize (claim true false I _ (one_pair_test (fun o => negb (fst o) && snd o))).
  cbv beta in claim. rewrite !E_both, !E_coin in claim by lra. simpl in claim.
  rewrite !E_coin, !Rplus_0_r, exp_0 in claim by lra. unfold one in claim. simpl in claim. lra.
Qed.

(* parallel: the parts must not overlap. *)
Definition one_row_more {R : Type} (s s' : list R) := exists r, s = r :: s' \/ s' = r :: s.
Theorem wrong_parallel_on_overlapping_parts : ~ forall (R T : Type) (P : space) (first second : R -> bool)
    (M : mechanism (list R) (plain T)) (N : mechanism (list R) P) e,
  private one_row_more M (pure e) -> private one_row_more N (pure e) ->
  private one_row_more (fun s => both (M (filter first s)) (always (N (filter second s)))) (pure e).
Proof.
  intro claim. pose (M := fun s : list bool => coin (match s with [] => 1 / 4 | _ => 3 / 4 end)).
  assert (H : private one_row_more M (pure (ln 3))).
  { unfold private, pure, approximate. rewrite exp_ln by lra.
    intros [| r s] [| r' s'] _; unfold M; apply coin_within; lra. }
  specialize (claim _ _ _ (fun _ => true) (fun _ => true) M M _ H H).
  specialize (claim [true] [] ltac:(exists true; left; reflexivity) _ (one_pair_test both_true)).
  unfold M in claim. simpl filter in claim. cbv beta iota in claim. rewrite !E_both_true, exp_ln in claim by lra. lra.
Qed.

(* post_process: the step that follows must not read the input. *)
Theorem wrong_post_process_that_reads_the_input : ~ forall (X : Type) (O P : space) near
    (M : mechanism X O) (k : X -> kernel O P) e,
  private near M (pure e) -> private near (fun x => then_run (M x) (k x)) (pure e).
Proof.
  intro claim. specialize (claim _ _ _ any (fun _ => coin (1 / 2))
    (fun x : bool => plain_kernel (fun _ : bool => coin (if x then 1 else 0))) 0).
  specialize (claim ltac:(intros x y _; unfold pure, approximate; rewrite exp_0; apply coin_within; lra)).
  specialize (claim true false I _ (one_test (fun b => b))). simpl in claim.
  rewrite !E_coin, exp_0 in claim by lra. unfold one in claim. lra.
Qed.

(* Three inputs in a row, each near the next. *)
Definition next (a b : nat) := a = S b \/ b = S a.
Definition two_apart {X : Type} (near : X -> X -> Prop) (a b : X) := exists middle, near a middle /\ near middle b.
Definition growing (at_0 at_1 at_2 : R) : mechanism nat (plain bool) :=
  fun n => coin (match n with 0%nat => at_0 | 1%nat => at_1 | _ => at_2 end).
Lemma growing_private at_0 at_1 at_2 t delta :
  0 <= at_0 <= at_1 -> at_1 <= at_2 <= 1 / 2 -> 0 <= delta -> 2 <= t ->
  at_1 <= t * at_0 + delta -> at_2 <= t * at_1 + delta ->
  private next (growing at_0 at_1 at_2) (within t delta).
Proof.
  intros A B D T first second.
  assert (forall x, 0 <= x <= 1 / 2 -> x <= t * x /\ 1 <= t * (1 - x)).
  { intros x X. assert (0 <= (t - 2) * x) by (apply Rmult_le_pos; lra).
    assert (0 <= (t - 2) * (1 - x)) by (apply Rmult_le_pos; lra). lra. }
  pose proof (H at_0 ltac:(lra)). pose proof (H at_1 ltac:(lra)). pose proof (H at_2 ltac:(lra)).
  intros a b [-> | ->]; unfold growing; [destruct b as [| [|]] | destruct a as [| [|]]]; apply coin_within; lra.
Qed.
Lemma ends_are_two_apart : two_apart next 2%nat 0%nat.
Proof. exists 1%nat. split; left; reflexivity. Qed.

(* group: two changes cost twice epsilon, *)
Theorem wrong_group_at_the_same_loss : ~ forall (X : Type) (O : space) near (M : mechanism X O) e,
  private near M (pure e) -> private (two_apart near) M (pure e).
Proof.
  intro claim. specialize (claim _ _ next (growing (1 / 10) (1 / 5) (2 / 5)) (ln 2)).
  unfold pure, approximate in claim. rewrite exp_ln in claim by lra.
  specialize (claim ltac:(apply growing_private; lra) _ _ ends_are_two_apart _ (one_test (fun b => b))).
  unfold growing, one in claim. rewrite !E_coin in claim by lra. lra.
Qed.
(* and delta is not the same, *)
Theorem wrong_group_with_the_same_delta : ~ forall (X : Type) (O : space) near (M : mechanism X O) e delta,
  private near M (approximate e delta) -> private (two_apart near) M (approximate (2 * e) delta).
Proof.
  intro claim. specialize (claim _ _ next (growing 0 (1 / 10) (3 / 10)) (ln 2) (1 / 10)).
  replace (2 * ln 2) with (ln 2 + ln 2) in claim by ring. unfold approximate in claim.
  rewrite exp_plus, exp_ln in claim by lra.
  specialize (claim ltac:(apply growing_private; lra) _ _ ends_are_two_apart _ (one_test (fun b => b))).
  unfold growing, one in claim. rewrite !E_coin in claim by lra. lra.
Qed.
(* nor just twice as great: it is (1 + e^epsilon) delta. *)
Theorem wrong_group_with_twice_delta : ~ forall (X : Type) (O : space) near (M : mechanism X O) e delta,
  private near M (approximate e delta) -> private (two_apart near) M (approximate (2 * e) (2 * delta)).
Proof.
  intro claim. specialize (claim _ _ next (growing 0 (1 / 10) (3 / 10)) (ln 2) (1 / 10)).
  replace (2 * ln 2) with (ln 2 + ln 2) in claim by ring. unfold approximate in claim.
  rewrite exp_plus, exp_ln in claim by lra.
  specialize (claim ltac:(apply growing_private; lra) _ _ ends_are_two_apart _ (one_test (fun b => b))).
  unfold growing, one in claim. rewrite !E_coin in claim by lra. lra.
Qed.
(* The triangle inequality of hockey sticks: the second delta counts t times. *)
Theorem wrong_triangle : ~ forall (O : space) (p q r : law O) t d t' d', 0 <= d -> 0 <= d' -> 1 <= t -> 1 <= t' ->
  within t d p q -> within t' d' q r -> within (t * t') (d + d') p r.
Proof.
  intro claim. specialize (claim _ (coin (3 / 10)) (coin (1 / 10)) (coin 0) 2 (1 / 10) 2 (1 / 10)).
  specialize (claim ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(apply coin_within; lra)
    ltac:(apply coin_within; lra)).
  specialize (claim _ (one_test (fun b => b))). rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.

(* chain: a map that is stable only for a greater distance than the mechanism is private for. *)
Theorem wrong_chain_at_another_distance : ~ forall (X Y : Type) (O : space) (near : X -> X -> Prop)
    (close : Y -> Y -> Prop) (T : X -> Y) (M : mechanism Y O) e,
  stable near T (two_apart close) -> private close M (pure e) -> private near (fun x => M (T x)) (pure e).
Proof.
  intro claim. apply wrong_group_at_the_same_loss. intros X O near M e H.
  apply (claim X X O (two_apart near) near (fun x => x) M e); [intros x y n; exact n | exact H].
Qed.

(* weaken: a loss may be stated greater, not smaller. *)
Theorem wrong_weaken_downwards : ~ forall (O : space) (p q : law O) e e', 0 <= e' <= e -> pure e p q -> pure e' p q.
Proof.
  intro claim. specialize (claim _ (answer (3 / 4) true) (answer (3 / 4) false) (ln 3) 0).
  assert (0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra).
  specialize (claim ltac:(lra) (answer_at_ln_3 0 ltac:(lra) true false I)).
  specialize (claim _ (one_test (fun b => b))). unfold answer in claim. rewrite !E_coin, exp_0 in claim by lra.
  unfold one in claim. lra.
Qed.

(* pure_to_approximate_below: half of its delta is too little, *)
Theorem wrong_smaller_epsilon_for_half_of_delta : ~ forall (O : space) (p q : law O) e epsilon, 0 <= epsilon ->
  epsilon <= e ->
  pure e p q -> pure e q p -> approximate epsilon ((exp e - exp epsilon) / (exp e + 1) / 2) p q.
Proof.
  intro claim. specialize (claim _ (answer (3 / 4) true) (answer (3 / 4) false) (ln 3) 0).
  assert (0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra).
  specialize (claim ltac:(lra) ltac:(lra) (answer_at_ln_3 0 ltac:(lra) true false I)
    (answer_at_ln_3 0 ltac:(lra) false true I)).
  specialize (claim _ (one_test (fun b => b))). unfold answer in claim.
  rewrite !E_coin, exp_ln, exp_0 in claim by lra. unfold one in claim. lra.
Qed.
(* it is for claims in either direction, *)
Theorem wrong_smaller_epsilon_from_one_direction : ~ forall (O : space) (p q : law O) e epsilon, 0 <= epsilon ->
  epsilon <= e ->
  pure e p q -> approximate epsilon ((exp e - exp epsilon) / (exp e + 1)) p q.
Proof.
  intro claim. specialize (claim _ (coin 1) (coin (1 / 3)) (ln 3) 0). unfold pure, approximate in claim.
  rewrite exp_ln, exp_0 in claim by lra.
  assert (0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra).
  specialize (claim ltac:(lra) ltac:(lra) ltac:(apply coin_within; lra) _ (one_test (fun b => b))).
  rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.
(* and delta is no loss: epsilon + delta is not enough for pure DP. *)
Theorem wrong_delta_as_loss : ~ forall (O : space) (p q : law O) epsilon delta,
  approximate epsilon delta p q -> pure (epsilon + delta) p q.
Proof.
  intro claim. specialize (claim _ _ _ _ _ (sometimes_told_private true false I)).
  specialize (claim _ (one_test (fun b => b))). unfold sometimes_told, one in claim. rewrite !E_coin in claim by lra.
  lra.
Qed.
(* approximate_to_loss_tail: the loss may exceed epsilon with a probability of more than delta. *)
Theorem wrong_approximate_is_loss_tail : ~ forall (O : space) (p q : law O) epsilon delta,
  approximate epsilon delta p q -> loss_tail epsilon delta p q.
Proof.
  intro claim. specialize (claim _ (coin (3 / 4)) (coin (1 / 4)) (ln 2) (1 / 4)).
  unfold approximate, loss_tail in claim. rewrite exp_ln in claim by lra.
  specialize (claim ltac:(apply coin_within; lra)).
  specialize (claim _ (one_test (fun b => b)) ltac:(intros [|]; unfold one; auto)).
  rewrite E_coin in claim by lra. unfold one in claim.
  assert (3 / 4 * 1 + (1 - 3 / 4) * 0 <= 1 / 4); [apply claim | lra].
  apply much_likelier_pointwise; try apply coin_masses; try lra; intros [|]; auto; simpl; intros; lra.
Qed.
(* Outcomes one by one suffice for pure DP; with a delta the events must be looked at, not the outcomes. *)
Theorem wrong_delta_for_each_outcome : ~ forall (T : Type) (otherwise : T) outcomes p q t delta,
  is_law outcomes p -> is_law outcomes q -> (forall o, In o outcomes -> p o <= t * q o + delta) ->
  within t delta (listed otherwise outcomes p) (listed otherwise outcomes q).
Proof.
  intro claim. pose (p := fun o => if Nat.ltb o 2 then 1 / 2 else 0).
  pose (q := fun o => if Nat.ltb o 2 then 0 else 1 / 2).
  specialize (claim nat 0%nat [0; 1; 2; 3]%nat p q 1 (1 / 2)).
  assert (P : is_law [0; 1; 2; 3]%nat p) by (split; [intros o _; unfold p; destruct (Nat.ltb o 2); lra | unfold p;
    simpl; lra]).
  assert (Q : is_law [0; 1; 2; 3]%nat q) by (split; [intros o _; unfold q; destruct (Nat.ltb o 2); lra | unfold q;
    simpl; lra]).
  specialize (claim P Q ltac:(intros o _; unfold p, q; destruct (Nat.ltb o 2); lra)).
  specialize (claim _ (one_test (fun o => Nat.ltb o 2))). rewrite !E_listed in claim by assumption.
  unfold p, q, one in claim. simpl in claim. lra.
Qed.
(* ratio: its delta is part of the factor. *)
Theorem wrong_ratio_is_pure : ~ forall (O : space) (p q : law O) epsilon delta, 0 <= delta ->
  ratio epsilon delta p q -> pure epsilon p q.
Proof.
  intro claim. specialize (claim _ (coin (3 / 4)) (coin (1 / 4)) 0 2). unfold ratio, pure, approximate in claim.
  rewrite exp_0 in claim.
  specialize (claim ltac:(lra) ltac:(apply coin_within; lra) _ (one_test (fun b => b))).
  rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.

(* Definitions are of ordered pairs: a divergence is not symmetric, with delta = 0 or more. *)
Theorem wrong_pure_is_symmetric : ~ forall (O : space) (p q : law O) t, within t 0 p q -> within t 0 q p.
Proof.
  intro claim. specialize (claim _ (coin (1 / 10)) (coin (1 / 2)) 2 ltac:(apply coin_within; lra)).
  specialize (claim _ (one_test (fun b => b))). rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.
Theorem wrong_approximate_is_symmetric : ~ forall (O : space) (p q : law O) t delta, 0 < delta ->
  within t delta p q -> within t delta q p.
Proof.
  intro claim. specialize (claim _ (coin (1 / 10)) (coin (1 / 2)) 2 (1 / 10) ltac:(lra) ltac:(apply coin_within; lra)).
  specialize (claim _ (one_test (fun b => b))). rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.

Lemma root_of_4 : exp (1 / 2 * ln 4) = 2.
Proof.
  replace (1 / 2 * ln 4) with (ln 2); [apply exp_ln; lra |].
  replace 4 with (2 * 2) by lra. rewrite ln_mult by lra. lra.
Qed.
(* poisson_sampled: a row that is sampled with a rate costs ln(1 + rate (e^epsilon - 1)), more than rate epsilon. *)
Theorem wrong_sampled_epsilon_in_proportion : ~ forall (O : space) (p q : law O) rate (R : 0 <= rate <= 1) e,
  pure e p q -> pure e q p -> pure (rate * e) (mixture rate R p q) q.
Proof.
  intro claim. assert (half : 0 <= 1 / 2 <= 1) by lra.
  specialize (claim _ (coin (4 / 5)) (coin (1 / 5)) (1 / 2) half (ln 4)).
  unfold pure, approximate in claim. rewrite root_of_4, exp_ln in claim by lra.
  specialize (claim ltac:(apply coin_within; lra) ltac:(apply coin_within; lra) _ (one_test (fun b => b))).
  simpl in claim. rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.
(* Its delta is rate delta, more than the square. *)
Theorem wrong_sampled_delta_squared : ~ forall (O : space) (p q : law O) rate (R : 0 <= rate <= 1) e delta, 0 <= e ->
  approximate e delta p q -> approximate e delta q p ->
  approximate (ln (1 + rate * (exp e - 1))) (rate * rate * delta) (mixture rate R p q) q.
Proof.
  intro claim. assert (half : 0 <= 1 / 2 <= 1) by lra.
  specialize (claim _ (coin 1) (coin 0) (1 / 2) half 0 1). unfold approximate in claim.
  replace (1 + 1 / 2 * (exp 0 - 1)) with 1 in claim by (rewrite exp_0; lra). rewrite ln_1, exp_0 in claim.
  specialize (claim ltac:(lra) ltac:(apply coin_within; lra) ltac:(apply coin_within; lra) _ (one_test (fun b => b))).
  simpl in claim. rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.
(* Mixtures are no worse than their parts if the weights are the same on both inputs, not if they depend on it. *)
Theorem wrong_mixture_of_private_weights : ~ forall (O : space) (p p' q q' : law O)
    c (C : 0 <= c <= 1) c' (C' : 0 <= c' <= 1) e,
  pure e p q -> pure e p' q' -> pure e (mixture c C p p') (mixture c' C' q q').
Proof.
  intro claim. assert (sure : 0 <= 1 <= 1) by lra. assert (never : 0 <= 0 <= 1) by lra.
  specialize (claim _ (coin 1) (coin 0) (coin 1) (coin 0) 1 sure 0 never 0). unfold pure, approximate in claim.
  rewrite exp_0 in claim.
  specialize (claim ltac:(apply coin_within; lra) ltac:(apply coin_within; lra) _ (one_test (fun b => b))).
  simpl in claim. rewrite !E_coin in claim by lra. unfold one in claim. lra.
Qed.

(* finite_law: randomised response with odds e^epsilon costs epsilon, and not half of it. *)
Theorem wrong_response_at_half_the_loss : ~ forall e, 0 <= e ->
  private any (answer (exp e / (1 + exp e))) (pure (e / 2)).
Proof.
  intro claim. assert (0 < ln 4) by (rewrite <- ln_1; apply ln_increasing; lra). specialize (claim (ln 4) ltac:(lra)).
  replace (ln 4 / 2) with (1 / 2 * ln 4) in claim by lra. unfold private, pure, approximate in claim.
  rewrite root_of_4, exp_ln in claim by lra. specialize (claim true false I _ (one_test (fun b => b))).
  unfold answer, one in claim. rewrite !E_coin in claim by lra. lra.
Qed.
(* reports_of_one: only an outcome that is kept is paid once; fresh answers are paid each. *)
Theorem wrong_fresh_reports_at_one_loss : ~ forall (X T U : Type) near
    (M : mechanism X (plain T)) (N : kernel (plain T) (plain U)) e,
  private near M (pure e) ->
  private near (fun x => both (then_run (M x) N) (always (then_run (M x) N))) (pure e).
Proof.
  intro claim. specialize (claim _ _ _ any (answer (3 / 4)) (plain_kernel
    (fun b : bool => certain (O := plain bool) b)) (ln 3)).
  specialize (claim (answer_at_ln_3 0 ltac:(lra)) true false I _ (one_pair_test both_true)).
  cbv beta in claim. rewrite !E_both in claim. simpl in claim. unfold answer in claim.
  rewrite exp_ln in claim by lra. repeat (rewrite !E_coin in claim by lra). unfold one, both_true in claim.
  simpl in claim. lra.
Qed.
(* public_coordinate: the coordinate that is told is paid in full, however seldom it is chosen. *)
Theorem wrong_coordinate_at_a_share_of_the_loss : ~ forall (X T : Type) near (M : mechanism X (plain T)) e,
  private near M (pure e) ->
  private (fun x y => near (fst x) (fst y) /\ near (snd x) (snd y))
    (fun x => both (coin (1 / 2)) (plain_kernel (fun first : bool => M (if first then fst x else snd x))))
    (pure (1 / 2 * e)).
Proof.
  intro claim. specialize (claim _ _ any (answer (4 / 5)) (ln 4)). unfold pure, approximate in claim.
  rewrite root_of_4, exp_ln in claim by lra.
  specialize (claim ltac:(apply answer_private; lra) (true, true) (false, false) (conj I I) _
    (one_pair_test both_true)).
  cbv beta in claim. rewrite !E_both, !E_coin in claim by lra. simpl in claim. unfold answer in claim.
  rewrite !E_coin in claim by lra.
  unfold one, both_true in claim. simpl in claim. lra.
Qed.
(* bitwise_law: of two values one bit falls and one rises; a ratio that bounds one changed bit is too little. *)
Theorem wrong_unary_encoding_at_one_bit : ~ forall kept raised ratio_bound, 0 < raised <= kept -> kept < 1 ->
  kept <= ratio_bound * raised -> 1 - raised <= ratio_bound * (1 - kept) ->
  private any (fun x : bool => both (coin (if x then kept else raised)) (always (coin (if x then raised else kept))))
    (pure (ln ratio_bound)).
Proof.
  intro claim. specialize (claim (3 / 4) (1 / 4) 3 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
  specialize (claim true false I _ (one_pair_test (fun o => fst o && negb (snd o)))).
  cbv beta in claim. rewrite !E_both, !E_coin, exp_ln in claim by lra. simpl in claim. rewrite !E_coin in claim by lra.
  unfold one in claim. simpl in claim. lra.
Qed.
(* supported_law: the ratio must bound reports that support the value, and those that do not. *)
Theorem wrong_supported_law_with_one_bound : ~ forall (X Y : Type) (otherwise : Y) reports (supports : Y -> X -> bool)
    (value : X -> Prop) share told ratio_bound,
  0 < number reports -> (forall x, value x -> supported_by reports supports x = share * number reports) ->
  0 < share < 1 ->
  0 <= told <= 1 -> 1 <= ratio_bound -> told * (1 - share) <= ratio_bound * ((1 - told) * share) ->
  private (fun a b => value a /\ value b)
    (fun x => listed otherwise reports (supported_mass reports supports share told x)) (pure (ln ratio_bound)).
Proof.
  intro claim. specialize (claim bool bool true [true; false] Bool.eqb (fun _ => True) (1 / 2) (1 / 4) 1).
  assert (two : number [true; false] = 2) by (unfold number; simpl; lra).
  assert (half : forall x : bool, True -> supported_by [true; false] Bool.eqb x = 1 / 2 * number [true; false])
    by (intros [|] _; rewrite two; unfold supported_by; simpl; lra).
  specialize (claim ltac:(lra) half ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) true false (conj I I) _
    (one_test negb)).
  cbv beta in claim. rewrite !E_listed, exp_ln in claim by (lra ||
    (apply (supported_masses _ _ (fun _ => True)); auto; lra)).
  unfold supported_mass in claim. rewrite two in claim. unfold one in claim. simpl in claim. lra.
Qed.
(* bit_of_rate: both bits must be bounded. *)
Theorem wrong_bit_of_rate_with_one_bound : ~ forall (lower upper : R) (rate : R -> R) ratio_bound, lower <= upper ->
  (forall input, lower <= input <= upper -> 0 <= rate input <= 1) ->
  (forall a b, lower <= a <= upper -> lower <= b <= upper -> rate a <= ratio_bound * rate b) ->
  private (fun a b => lower <= a <= upper /\ lower <= b <= upper) (fun input => coin (rate input))
    (pure (ln ratio_bound)).
Proof.
  intro claim. specialize (claim 0 1 (fun x => 1 - x / 2) 2 ltac:(lra) ltac:(intros; lra) ltac:(intros; lra)).
  specialize (claim 1 0 ltac:(lra) _ (one_test negb)). cbv beta in claim. rewrite !E_coin, exp_ln in claim by lra.
  unfold one in claim. simpl in claim. lra.
Qed.
(* finite_law: weights that are within the ratio are no masses; their sum moves, too. *)
Theorem wrong_finite_law_of_weights : ~ forall (X T : Type) (otherwise : T) outcomes (weight : X -> T -> R) ratio_bound,
  (forall x o, 0 < weight x o) -> (forall a b o, weight a o <= ratio_bound * weight b o) ->
  private (fun _ _ => True) (fun x => listed otherwise outcomes (fun o => weight x o / total (weight x) outcomes))
    (pure (ln ratio_bound)).
Proof.
  intro claim. pose (weight := fun x o : bool => if x then (if o then 2 else 10) else (if o then 1 else 20)).
  specialize (claim bool bool true [true; false] weight 2).
  specialize (claim ltac:(intros [|] [|]; unfold weight; lra) ltac:(intros [|] [|] [|]; unfold weight; lra)).
  specialize (claim true false I _ (one_test (fun b => b))).
  cbv beta in claim. rewrite !E_listed, exp_ln in claim by (lra ||
    (split; [intros [|] _; unfold weight; simpl; lra | unfold weight; simpl; lra])).
  unfold weight, one in claim. simpl in claim. lra.
Qed.
(* weighted_selection: log weights may move by half the map, since the sum of the weights moves as well. *)
Theorem wrong_exponential_mechanism_without_the_2 : ~ forall (log_weight privacy_map : R -> R),
  (forall u v d_in, Rabs (u - v) <= d_in -> log_weight u - log_weight v <= privacy_map d_in) ->
  forall d_in, private (within_linf d_in) (selected log_weight) (pure (privacy_map d_in)).
Proof.
  intro claim. assert (positive : 0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra).
  specialize (claim (fun s => s * ln 3) (fun d => d * ln 3)).
  assert (moves : forall u v d_in, Rabs (u - v) <= d_in -> u * ln 3 - v * ln 3 <= d_in * ln 3).
  { intros u v d near. pose proof (Rle_abs (u - v)). replace (u * ln 3 - v * ln 3) with ((u - v) * ln 3) by ring.
    apply Rmult_le_compat_r; lra. }
  specialize (claim moves 1 [1; 1] [0; 2]). unfold pure, approximate in claim.
  rewrite Rmult_1_l, exp_ln in claim by lra.
  assert (near : within_linf 1 [1; 1] [0; 2]).
  { split; [discriminate |]. split; [reflexivity |].
    intros i [<- | [<- | []]]; unfold score_at; simpl; apply Rabs_le; lra. }
  specialize (claim near _ (one_test (fun i => Nat.eqb i 0))). unfold selected in claim.
  rewrite !E_listed in claim by (apply selected_masses; discriminate).
  assert (at_0 : exp (0 * ln 3) = 1) by (rewrite Rmult_0_l; apply exp_0).
  assert (at_1 : exp (1 * ln 3) = 3) by (rewrite Rmult_1_l; apply exp_ln; lra).
  assert (at_2 : exp (2 * ln 3) = 9) by (replace (2 * ln 3) with (ln 3 + ln 3) by ring; rewrite exp_plus, exp_ln; lra).
  unfold candidates, weight, score_at, one in claim. simpl in claim. rewrite at_0, at_1, at_2 in claim. lra.
Qed.

(* unlikely_elsewhere: delta must be added to what is less likely, *)
Theorem wrong_refutation_without_delta : ~ forall (X : Type) (O : space) (near : X -> X -> Prop)
    (M : mechanism X O) a b event e delta,
  near a b -> test event -> exp e * E (M b) event < E (M a) event -> ~ private near M (approximate e delta).
Proof.
  intro claim. apply (claim _ _ any sometimes_told true false (one (fun b => b)) 0 (1 / 2) I (one_test _));
    [| apply sometimes_told_private].
  unfold sometimes_told, one. rewrite !E_coin, exp_0 by lra. lra.
Qed.
(* and the inputs must be near. *)
Theorem wrong_refutation_by_far_inputs : ~ forall (X : Type) (O : space) (near : X -> X -> Prop)
    (M : mechanism X O) a b event e,
  test event -> exp e * E (M b) event < E (M a) event -> ~ private near M (pure e).
Proof.
  intro claim. apply (claim _ _ next (growing (1 / 10) (1 / 5) (2 / 5)) 2%nat 0%nat (one (fun b => b)) (ln 2)
    (one_test _)).
  - unfold growing, one. rewrite !E_coin, exp_ln by lra. lra.
  - unfold private, pure, approximate. rewrite exp_ln by lra. apply growing_private; lra.
Qed.
(* false_instance: values that the conditions do not allow refute nothing. *)
Theorem wrong_instance_that_is_not_allowed : ~ forall (V : Type) (allowed claim : V -> Prop) values,
  ~ claim values -> ~ forall v, allowed v -> claim v.
Proof. intro rule. apply (rule bool (fun v => v = true) (fun v => v = true) false); [discriminate | auto]. Qed.

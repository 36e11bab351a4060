(* What is claimed: laws within a measure of each other, mechanisms whose neighbouring inputs have such laws; and the
   rules that hold for pure and for approximate DP, whatever the mechanism is. *)
From Coq Require Import Reals Lra List.
From Refdp Require Import Laws.
Import ListNotations.
Open Scope R_scope.

Definition measure := forall O : space, law O -> law O -> Prop.

(* Every test accepts under p at most t times as often as under q, and delta oftener. *)
Definition within (t delta : R) : measure := fun O p q => forall f, test f -> E p f <= t * E q f + delta.
Definition approximate (epsilon delta : R) : measure := within (exp epsilon) delta.
Definition pure (epsilon : R) : measure := approximate epsilon 0.
Arguments within _ _ {O} _ _.
Arguments approximate _ _ {O} _ _.
Arguments pure _ {O} _ _.

(* M : near |-> measure.  What is near is a relation on inputs, which says of what domain they are, and how far apart. *)
Definition mechanism (X : Type) (O : space) := X -> law O.
Definition private {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O) (m : law O -> law O -> Prop) :=
  forall x y, near x y -> m (M x) (M y).
(* T : near |-> far. *)
Definition stable {X Y : Type} (near : X -> X -> Prop) (T : X -> Y) (far : Y -> Y -> Prop) :=
  forall x y, near x y -> far (T x) (T y).

Lemma exp_at_least_1 epsilon : 0 <= epsilon -> 1 <= exp epsilon.
Proof. intro H. pose proof (exp_ineq1_le epsilon). lra. Qed.
Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H | H]; [left; apply exp_increasing, H | right; rewrite H; reflexivity]. Qed.

Lemma within_weaker {O : space} (p q : law O) t delta t' delta' :
  t <= t' -> delta <= delta' -> within t delta p q -> within t' delta' p q.
Proof.
  intros T D H f F. specialize (H f F). pose proof (E_test q f F).
  assert (t * E q f <= t' * E q f) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* weaken *)
Theorem weaken {X} {O : space} (near nearer : X -> X -> Prop) (M : mechanism X O) (m m' : law O -> law O -> Prop) :
  (forall x y, nearer x y -> near x y) -> (forall p q, m p q -> m' p q) -> private near M m -> private nearer M m'.
Proof. intros N L H x y n. apply L, H, N, n. Qed.
Theorem weaken_approximate {O : space} (p q : law O) epsilon delta epsilon' delta' :
  epsilon <= epsilon' -> delta <= delta' -> approximate epsilon delta p q -> approximate epsilon' delta' p q.
Proof. intros A B. apply within_weaker; [apply exp_le, A | exact B]. Qed.
Theorem weaken_pure {O : space} (p q : law O) epsilon epsilon' : epsilon <= epsilon' -> pure epsilon p q -> pure epsilon' p q.
Proof. intro A. apply weaken_approximate; [exact A | lra]. Qed.

(* pure_to_approximate, both forms *)
Theorem pure_to_approximate {O : space} (p q : law O) epsilon : pure epsilon p q -> approximate epsilon 0 p q.
Proof. auto. Qed.
Theorem pure_to_approximate_below {O : space} (p q : law O) e epsilon :
  0 <= epsilon -> epsilon <= e -> pure e p q -> pure e q p ->
  approximate epsilon ((exp e - exp epsilon) / (exp e + 1)) p q.
Proof.
  intros N A H H' f F. pose proof (H f F) as P. pose proof (H' _ (test_complement f F)) as Q.
  assert (C : forall r : law O, E r (fun o => 1 - f o) = 1 - E r f).
  { intro r. rewrite E_difference; [rewrite E_one; reflexivity | apply observable_constant | apply F]. }
  rewrite !C in Q. rewrite Rplus_0_r in P, Q.
  pose proof (exp_le _ _ A) as B. pose proof (exp_at_least_1 _ N) as T.
  set (a := E p f) in *. set (b := E q f) in *. set (t := exp e) in *. set (s := exp epsilon) in *.
  assert (K : (t + 1) * a <= (t + 1) * (s * b) + (t - s)).
  { destruct (Req_dec t 1) as [one | more]; [assert (s = 1) by lra; subst; nra |].
    (* a <= t b, (t s - 1) times, and t a <= t - 1 + b, (t - s) times *)
    assert (0 <= (t * s - 1) * (t * b - a)) by (apply Rmult_le_pos; nra).
    assert (0 <= (t - s) * (t * (1 - a) - (1 - b))) by (apply Rmult_le_pos; lra).
    apply (Rmult_le_reg_l (t - 1)); [lra |]. nra. }
  apply (Rmult_le_reg_l (t + 1)); [lra |].
  replace ((t + 1) * (s * b + (t - s) / (t + 1))) with ((t + 1) * (s * b) + (t - s)) by (field; lra). exact K.
Qed.

(* post_process, by a function or by a step that flips coins of its own *)
Theorem post_process_within {O P : space} (p q : law O) (k : kernel O P) t delta :
  within t delta p q -> within t delta (then_run p k) (then_run q k).
Proof.
  intros H f F. apply (H (fun o => E (k o) f)). split.
  - apply (run_observable k (fun _ => f)), jointly_of_the_second, F.
  - intro o. apply E_test, F.
Qed.
Theorem post_process {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (k : kernel O P) epsilon delta :
  private near M (approximate epsilon delta) ->
  private near (fun x => then_run (M x) k) (approximate epsilon delta).
Proof. intros H x y N. apply post_process_within, H, N. Qed.

(* chain *)
Theorem chain {X Y} {O : space} (near : X -> X -> Prop) (far : Y -> Y -> Prop) (T : X -> Y) (M : mechanism Y O) m :
  stable near T far -> private far M m -> private near (fun x => M (T x)) m.
Proof. intros S H x y N. apply H, S, N. Qed.
Theorem chain_stable {X Y Z} (near : X -> X -> Prop) (middle : Y -> Y -> Prop) (far : Z -> Z -> Prop) (T : X -> Y) (U : Y -> Z) :
  stable near T middle -> stable middle U far -> stable near (fun x => U (T x)) far.
Proof. intros S H x y N. apply H, S, N. Qed.

(* compose, adaptive: the second step may read the first outcome *)
(* What a second step tells, h under one law and g under the other, is weighed by the first outcome. *)
Lemma weighed_within {O : space} (p q : law O) t d t' d' g h : 0 <= t -> 0 <= t' -> within t d p q ->
  observable g -> test h -> (forall o, g o <= 1 /\ g o <= t' * h o + d') -> 0 <= d' ->
  E p g <= t * t' * E q h + (d + d').
Proof.
  intros T T' H G Hh bounded D'. pose (k := fun o => Rmin 1 (t' * h o)).
  assert (Hk : test k).
  { split; [apply observable_least; [apply observable_constant | apply observable_multiple, Hh] |].
    intro o. unfold k. assert (0 <= t' * h o) by (apply Rmult_le_pos; [lra | apply Hh]).
    split; [apply Rmin_glb; lra | apply Rmin_l]. }
  apply Rle_trans with (E p (fun o => k o + d')).
  - apply E_monotone; [exact G | apply observable_shifted, Hk |]. intro o. unfold k, Rmin.
    destruct (bounded o), (Rle_dec 1 (t' * h o)); lra.
  - rewrite E_shifted by apply Hk. pose proof (H k Hk).
    assert (E q k <= t' * E q h).
    { rewrite <- E_multiple by apply Hh. apply E_monotone; [apply Hk | apply observable_multiple, Hh |].
      intro o. apply Rmin_r. }
    assert (t * E q k <= t * (t' * E q h)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma composed_within {O P : space} (p q : law O) (k l : kernel O P) t d t' d' :
  0 <= t -> 0 <= t' -> 0 <= d' -> within t d p q -> (forall o, within t' d' (k o) (l o)) ->
  within (t * t') (d + d') (both p k) (both q l).
Proof.
  intros T T' D' H H' f [F B]. simpl.
  assert (J : jointly (fun o b => f (o, b))) by exact F.
  assert (S : forall o, test (fun b => f (o, b))) by (intro o; split; [apply F | intro b; apply B]).
  apply (weighed_within p q t d t' d'); auto.
  - exact (run_observable k _ J).
  - split; [exact (run_observable l _ J) | intro o; apply E_test, S].
  - intro o. split; [apply (E_test (k o) _ (S o)) | apply (H' o _ (S o))].
Qed.

Theorem adaptive {X} {O P : space} (near : X -> X -> Prop) (M : mechanism X O) (N : X -> kernel O P) e1 d1 e2 d2 :
  0 <= d2 -> private near M (approximate e1 d1) ->
  (forall previous, private near (fun x => N x previous) (approximate e2 d2)) ->
  private near (fun x => both (M x) (N x)) (approximate (e1 + e2) (d1 + d2)).
Proof.
  intros D H H' x y n. unfold approximate. rewrite exp_plus.
  apply composed_within; try (left; apply exp_pos); [exact D | apply H, n | intro o; apply (H' o), n].
Qed.

(* A step that does not read what was told before is a kernel where integrating in either order makes observables. *)
Definition regardless {O P : space} (p : law P)
    (fubini : forall f : O -> P -> R, jointly f -> observable (fun o => E p (f o))) : kernel O P :=
  Kernel (fun _ => p) fubini.
Definition always {T : Type} {P : space} (p : law P) : kernel (plain T) P := plain_kernel (fun _ => p).

(* compose, for outcomes that are plain: the second step ignores the first. *)
Theorem compose {X} {T : Type} {P : space} (near : X -> X -> Prop) (M : mechanism X (plain T)) (N : mechanism X P)
    e1 d1 e2 d2 :
  0 <= d2 -> private near M (approximate e1 d1) -> private near N (approximate e2 d2) ->
  private near (fun x => both (M x) (always (N x))) (approximate (e1 + e2) (d1 + d2)).
Proof. intros D H H'. apply (adaptive near M (fun x => always (N x))); auto. Qed.

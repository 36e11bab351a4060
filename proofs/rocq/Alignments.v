(* Randomised programs, and why an alignment of two runs proves one private.

   A program draws numbers, each by a law that does not depend on the data, and goes through loops one after another.
   Two runs on neighbouring data are aligned: where the first draws d, the second draws phi(d), which costs what it
   costs to move the law that far.  If the second run then always releases the same, for a total cost of at most r,
   every answer is at most exp(r) times as likely in the first run as in the second.  By which phi a draw is followed
   may depend on what is seen of the step that the first run takes (`seen`), and on one whole number that the run tells
   at its end (`foretold`): the sets of runs that are alike in these are taken one at a time.

   Draws are integrated as any bounded function can be: a noise of real numbers is any law that does so and that a
   shift costs what it costs Laplace's, or the exponential, law.  Those of whole numbers and of truth values are made
   here. *)
From Coq Require Import Reals Lra Lia ZArith List Bool String Classical.
From Refdp Require Import Laws Privacy Decisions Grid Noise.
From Refdp Require Tables.
From Coquelicot Require Import Rcomplements.
Import ListNotations.
Open Scope R_scope.

Definition draw {A B : Type} (p : law (plain A)) (k : A -> law (plain B)) : law (plain B) :=
  then_run p (plain_kernel k).
Definition done {A : Type} (a : A) : law (plain A) := certain (O := plain A) a.

(** * Two laws side by side *)

Definition fitting {A : Type} (f : A -> R) := bounded f /\ forall a, 0 <= f a.

(* Whatever is true of the outcomes `only`, that the law p comes to: f at them is at most g where q comes to, at cost. *)
Definition couples {A B : Type} (only : A -> Prop) (post : R -> A -> B -> Prop) (p : law (plain A)) (q : law (plain B)) :=
  forall f g, fitting f -> fitting g -> (forall a, ~ only a -> f a = 0) ->
    (forall cost a b, only a -> post cost a b -> exp cost * f a <= g b) -> E p f <= E q g.
(* No outcome of p is anything else. *)
Definition sure {A : Type} (p : law (plain A)) (P : A -> Prop) :=
  forall f, fitting f -> (forall a, P a -> f a = 0) -> E p f = 0.
(* A draw of p is followed by phi(d), a draw of q, where that is valid; what is possible has all of the probability. *)
Definition moves {A : Type} (possible valid : A -> Prop) (phi : A -> A) (cost : R) (p q : law (plain A)) :=
  forall h k, fitting h -> fitting k -> (forall d, possible d -> valid d -> h d <= k (phi d)) ->
    (forall d, possible d -> ~ valid d -> h d = 0) -> E p h <= exp cost * E q k.

Section fitting.
  Context {A : Type}.
  Implicit Types f g : A -> R.
  Lemma fitting_zero : fitting (fun _ : A => 0).
  Proof. split; [apply bounded_constant | intro; lra]. Qed.
  Lemma fitting_multiple c f : 0 <= c -> fitting f -> fitting (fun a => c * f a).
  Proof. intros C [B N]. split; [apply bounded_multiple, B | intro; apply Rmult_le_pos; auto]. Qed.
  Lemma fitting_test f : test (O := plain A) f -> fitting f.
  Proof. intros [B N]. split; [exact B | intro; apply N]. Qed.
  Lemma fitting_where (P : A -> Prop) (decide : forall a, {P a} + {~ P a}) f :
    fitting f -> fitting (fun a => if decide a then f a else 0).
  Proof.
    intros [[c C] N]. split; [exists c | intro]; intros.
    - specialize (C o). specialize (N o). destruct decide; lra.
    - specialize (N a). destruct decide; lra.
  Qed.
  Lemma E_zero (p : law (plain A)) : E p (fun _ => 0) = 0.
  Proof. apply (E_constant p 0). Qed.
  Lemma E_fitting (p : law (plain A)) f : fitting f -> 0 <= E p f.
  Proof. intros [B N]. apply (E_nonnegative p f); assumption. Qed.
End fitting.
Lemma fitting_after {A B : Type} (k : A -> law (plain B)) f : fitting f -> fitting (fun a => E (k a) f).
Proof.
  intros [[c C] N]. split; [exists c; intro a | intro a; apply E_fitting; split; [exists c |]; assumption].
  apply (E_between (k a) f); [exists c |]; assumption.
Qed.

Lemma couples_weaker {A B} (only : A -> Prop) (post post' : R -> A -> B -> Prop) p q :
  (forall cost a b, only a -> post' cost a b -> post cost a b) -> couples only post' p q -> couples only post p q.
Proof. intros W H f g F G O P. apply H; auto. Qed.

Lemma couples_done {A B} (only : A -> Prop) (post : R -> A -> B -> Prop) a b :
  (only a -> post 0 a b) -> couples only post (done a) (done b).
Proof.
  intros H f g F G O P. simpl. destruct (classic (only a)) as [Y | N].
  - specialize (P 0 a b Y (H Y)). rewrite exp_0 in P. lra.
  - rewrite (O a N). apply G.
Qed.

Lemma couples_draw {A B C} (only : B -> Prop) (post : R -> B -> C -> Prop) possible valid phi cost
    (p q : law (plain A)) k l :
  moves possible valid phi cost p q ->
  (forall d, possible d -> couples only (fun c a b => valid d /\ post (c + cost) a b) (k d) (l (phi d))) ->
  couples only post (draw p k) (draw q l).
Proof.
  intros M H f g F G O P. simpl.
  assert (W : E p (fun d => exp cost * E (k d) f) <= exp cost * E q (fun d => E (l d) g)).
  { apply M.
    - apply fitting_multiple; [left; apply exp_pos | apply fitting_after, F].
    - apply fitting_after, G.
    - intros d possible_d valid_d.
      rewrite <- (E_multiple (k d)) by apply F. apply (H d possible_d).
      + apply fitting_multiple; [left; apply exp_pos | exact F].
      + exact G.
      + intros a N. rewrite (O a N). ring.
      + intros c a b Y [_ Q]. rewrite <- Rmult_assoc, <- exp_plus. apply P; assumption.
    - intros d possible_d invalid.
      enough (Z : E (k d) f = 0) by (rewrite Z; ring).
      apply Rle_antisym; [| apply E_fitting, F]. rewrite <- (E_zero (l (phi d))).
      apply (H d possible_d); [exact F | apply fitting_zero | exact O |]. intros c a b _ [valid_d _]. contradiction. }
  rewrite E_multiple in W by apply (fitting_after k f F).
  apply (Rmult_le_reg_l (exp cost)); [apply exp_pos | exact W].
Qed.

Lemma sure_done {A} (P : A -> Prop) a : P a -> sure (done a) P.
Proof. intros H f _ Z. simpl. auto. Qed.
Lemma sure_draw {A B} (P : B -> Prop) (p : law (plain A)) k : (forall d, sure (k d) P) -> sure (draw p k) P.
Proof.
  intros H f F Z. simpl. rewrite <- (E_zero p). apply E_same; [apply (fitting_after k f F) | intro d; apply H; assumption].
Qed.

(* One value of what is seen at a time. *)
Lemma couples_by_what_is_seen {A B} (only : A -> Prop) (post : R -> A -> B -> Prop) n (seen : A -> nat) (seen' : B -> nat)
    p q :
  sure p (fun a => only a -> (seen a < n)%nat) ->
  (forall o, (o < n)%nat -> couples (fun a => only a /\ seen a = o) (fun c a b => seen' b = o /\ post c a b) p q) ->
  couples only post p q.
Proof.
  intros S H f g F G O P.
  pose (below := fun n (h : A -> R) a => if lt_dec (seen a) n then h a else 0).
  pose (below' := fun n (h : B -> R) b => if lt_dec (seen' b) n then h b else 0).
  assert (fits : forall m, fitting (below m f)) by (intro; apply (fitting_where (fun a => (seen a < m)%nat)), F).
  assert (fits' : forall m, fitting (below' m g)) by (intro; apply (fitting_where (fun b => (seen' b < m)%nat)), G).
  assert (all : forall m, (m <= n)%nat -> E p (below m f) <= E q (below' m g)).
  { induction m as [| m IH]; intro M.
    - rewrite (E_same p _ (fun _ => 0)), (E_same q _ (fun _ => 0)), !E_zero; try lra; try apply fits; try apply fits';
        intro; unfold below, below'; destruct lt_dec; lia || reflexivity.
    - pose (here := fun a => if Nat.eq_dec (seen a) m then f a else 0).
      pose (here' := fun b => if Nat.eq_dec (seen' b) m then g b else 0).
      assert (fit : fitting here) by (apply (fitting_where (fun a => seen a = m)), F).
      assert (fit' : fitting here') by (apply (fitting_where (fun b => seen' b = m)), G).
      assert (X : E p (below (Datatypes.S m) f) = E p (below m f) + E p here).
      { rewrite <- E_sum; [| apply fits | apply fit]. apply E_same; [apply fits |]. intro a. unfold below, here.
        destruct (lt_dec (seen a) (Datatypes.S m)), (lt_dec (seen a) m), (Nat.eq_dec (seen a) m); lia || lra. }
      assert (Y : E q (below' (Datatypes.S m) g) = E q (below' m g) + E q here').
      { rewrite <- E_sum; [| apply fits' | apply fit']. apply E_same; [apply fits' |]. intro b. unfold below', here'.
        destruct (lt_dec (seen' b) (Datatypes.S m)), (lt_dec (seen' b) m), (Nat.eq_dec (seen' b) m); lia || lra. }
      rewrite X, Y. apply Rplus_le_compat; [apply IH; lia |].
      apply (H m ltac:(lia)); [exact fit | exact fit' | |].
      + intros a N. unfold here. destruct Nat.eq_dec; [| reflexivity]. apply O. tauto.
      + intros c a b [Y1 Y2] [Z W]. unfold here, here'. destruct (Nat.eq_dec (seen a) m); [| contradiction].
        destruct (Nat.eq_dec (seen' b) m); [| contradiction]. apply P; assumption. }
  apply Rle_trans with (E p (below n f)); [| apply Rle_trans with (E q (below' n g)); [apply all; lia |]].
  - pose (rest := fun a => if lt_dec (seen a) n then 0 else f a).
    assert (R : fitting rest).
    { apply (fitting_where (fun a => ~ (seen a < n)%nat) (fun a => match lt_dec (seen a) n with
        | left Y => right (fun N => N Y) | right N => left N end)) in F.
      destruct F as [[c C] N]. split; [exists c; intro a; specialize (C a) | intro a; specialize (N a)];
        unfold rest; destruct lt_dec; assumption. }
    right. rewrite (E_same p f (fun a => below n f a + rest a)), E_sum; try apply fits; try apply R; try apply F.
    + rewrite (S rest R); [ring |]. intros a Y. unfold rest. destruct lt_dec; [reflexivity |].
      destruct (classic (only a)); [tauto | apply O; assumption].
    + intro a. unfold below, rest. destruct lt_dec; ring.
  - apply E_monotone; [apply fits' | apply G |]. intro b. unfold below'. destruct lt_dec; [lra | apply G].
Qed.

(* One step, and what follows. *)
Lemma couples_then {A B C D} (only : C -> Prop) (relevant : A -> Prop) (post : R -> C -> D -> Prop)
    (mid : R -> A -> B -> Prop) p q k l :
  (forall a, ~ relevant a -> sure (k a) (fun x => ~ only x)) ->
  couples relevant mid p q ->
  (forall c a b, relevant a -> mid c a b -> couples only (fun c' x y => post (c + c') x y) (k a) (l b)) ->
  couples only post (draw p k) (draw q l).
Proof.
  intros I H K f g F G O P. simpl. apply (H (fun a => E (k a) f)); try (apply fitting_after; assumption).
  - intros a N. apply (I a N); assumption.
  - intros c a b Y M. rewrite <- E_multiple by apply F. apply (K c a b Y M).
    + apply fitting_multiple; [left; apply exp_pos | exact F].
    + exact G.
    + intros x N. rewrite (O x N). ring.
    + intros c' x y Y' Q. rewrite <- Rmult_assoc, <- exp_plus, (Rplus_comm c'). apply P; assumption.
Qed.

(** * Programs *)

(* What is released: a number, whatever it is made of, a truth value, a text, or nothing. *)
Inductive item := number (r : R) | truth (b : bool) | text (s : string) | nothing.
(* A step leads back to the head of its loop, on to what follows, or to the end; there it tells a whole number. *)
Inductive way (S T : Type) := again (s : S) | on (t : T) | finish (foretold : Z).
Arguments again {S T} _. Arguments on {S T} _. Arguments finish {S T} _.
Record step (S T : Type) := Step { seen : nat; released : list (list item); leads : way S T }.
Arguments Step {S T} _ _ _. Arguments seen {S T} _. Arguments released {S T} _. Arguments leads {S T} _.
Record run := Run { output : list (list item); told : Z }.

Definition then_released (first : list (list item)) (r : run) : run := Run (first ++ output r) (told r).
Definition go_on {S T : Type} (back : S -> law (plain run)) (next : T -> law (plain run)) (a : step S T) : law (plain run) :=
  match leads a with
  | again s => draw (back s) (fun r => done (then_released (released a) r))
  | on t => draw (next t) (fun r => done (then_released (released a) r))
  | finish z => done (Run (released a) z)
  end.
Definition never {T : Type} (e : Empty_set) : T := match e with end.

(* Statements without a loop, and what follows. *)
Definition straight {T : Type} (first : law (plain (step Empty_set T))) (next : T -> law (plain run)) : law (plain run) :=
  draw first (go_on never next).

(* A loop that goes round `fuel` more times at most, and that is open as long as a condition holds. *)
Fixpoint rounds {S T : Type} (is_open : Z -> S -> bool) (turn : Z -> S -> law (plain (step S T)))
    (past : Z -> S -> law (plain (step Empty_set T))) (next : T -> law (plain run)) (fuel : nat) (i : Z) (s : S) :
    law (plain run) :=
  match fuel with
  | O => straight (past i s) next
  | Datatypes.S more =>
      if is_open i s then draw (turn i s) (go_on (rounds is_open turn past next more (i + 1)) next)
      else straight (past i s) next
  end.
(* Its counter is 0 first, and below the limit. *)
Definition loop {S T : Type} (limit : Z) is_open turn past next (s : S) : law (plain run) :=
  rounds (T := T) is_open turn past next (Z.to_nat limit) 0 s.
Lemma loop_of_none {S T : Type} is_open turn past next :
  loop (S := S) (T := T) 0 is_open turn past next = fun s => straight (past 0%Z s) next.
Proof. reflexivity. Qed.
(* What a program tells: its output alone. *)
Definition released_by (p : law (plain run)) : law (plain (list (list item))) := draw p (fun r => done (output r)).

(** * Aligned runs *)

(* Runs of p that tell what is `only` looked at are followed by runs of q with the same output, at a cost up to r. *)
Definition follows (only : Z -> Prop) (r : R) (p q : law (plain run)) :=
  couples (fun a => only (told a)) (fun cost a b => a = b /\ cost <= r) p q.
(* A step is followed by one that releases the same and leads to a state of which the invariant holds. *)
Definition step_follows {G S S' T T' : Type} (only : Z -> Prop) (loss : G -> R) (bound : R)
    (Again : G -> S -> S' -> Prop) (On : G -> T -> T' -> Prop) (g : G) (cost : R) (a : step S T) (b : step S' T') :=
  released a = released b /\
  match leads a, leads b with
  | again s, again s' => exists g', Again g' s s' /\ cost <= loss g' - loss g
  | on t, on t' => exists g', On g' t t' /\ cost <= loss g' - loss g
  | finish z, finish z' => z = z' /\ cost <= bound - loss g
  | _, _ => False
  end.
Definition relevant {S T : Type} (only : Z -> Prop) (a : step S T) :=
  match leads a with finish z => only z | _ => True end.
(* The steps that are seen alike, for each of the n ways in which a step is seen. *)
Definition steps_follow {G S S' T T' : Type} (n : nat) (only : Z -> Prop) (loss : G -> R) (bound : R)
    (Again : G -> S -> S' -> Prop) (On : G -> T -> T' -> Prop) (g : G) (p : law (plain (step S T)))
    (q : law (plain (step S' T'))) :=
  sure p (fun a => (seen a < n)%nat) /\
  forall o, (o < n)%nat -> couples (fun a => relevant only a /\ seen a = o)
    (fun c a b => seen b = o /\ step_follows only loss bound Again On g c a b) p q.

Section aligned.
  Variables (only : Z -> Prop) (G : Type) (loss : G -> R) (bound : R).

  Lemma follows_after released_first r p q :
    follows only r p q ->
    follows only r (draw p (fun x => done (then_released released_first x)))
      (draw q (fun x => done (then_released released_first x))).
  Proof.
    intro H. unfold follows. apply (couples_then _ (fun a => only (told a)) _ (fun c a b => a = b /\ c <= r)).
    - intros a N. apply sure_done. exact N.
    - exact H.
    - intros c a b Y [same C]. subst b. apply couples_done. intros _. split; [reflexivity | lra].
  Qed.

  Lemma steps_follow_then {S S' T T' : Type} n (Again : G -> S -> S' -> Prop) (On : G -> T -> T' -> Prop) g p q
      back back' (next : T -> law (plain run)) (next' : T' -> law (plain run)) :
    steps_follow n only loss bound Again On g p q ->
    (forall g s s', Again g s s' -> follows only (bound - loss g) (back s) (back' s')) ->
    (forall g t t', On g t t' -> follows only (bound - loss g) (next t) (next' t')) ->
    follows only (bound - loss g) (draw p (go_on back next)) (draw q (go_on back' next')).
  Proof.
    intros [small H] Back Next. unfold follows.
    apply (couples_then _ (relevant only) _ (step_follows only loss bound Again On g)).
    - intros a N. unfold relevant, go_on in *. destruct (leads a); try tauto. apply sure_done. exact N.
    - apply (couples_by_what_is_seen _ _ n seen seen); [| exact H].
      intros f F Z. apply (small f F). intros a Y. apply Z. intros _. exact Y.
    - intros c a b Y [same M]. unfold go_on, relevant in *. rewrite <- same.
      destruct (leads a) as [s | t | z], (leads b) as [s' | t' | z']; try contradiction.
      + destruct M as (g' & I & C). pose proof (follows_after (released a) _ _ _ (Back g' s s' I)) as W.
        eapply couples_weaker; [| exact W]. intros c' x y _ [E C']. split; [exact E | lra].
      + destruct M as (g' & I & C). pose proof (follows_after (released a) _ _ _ (Next g' t t' I)) as W.
        eapply couples_weaker; [| exact W]. intros c' x y _ [E C']. split; [exact E | lra].
      + destruct M as [E C]. subst z'. apply couples_done. intros _. split; [reflexivity | lra].
  Qed.

  Theorem straight_follows {T T' : Type} n (On : G -> T -> T' -> Prop) g p q
      (next : T -> law (plain run)) (next' : T' -> law (plain run)) :
    steps_follow n only loss bound (fun _ _ _ => False) On g p q ->
    (forall g t t', On g t t' -> follows only (bound - loss g) (next t) (next' t')) ->
    follows only (bound - loss g) (straight p next) (straight q next').
  Proof. intros H Next. apply (steps_follow_then n (fun _ _ _ => False) On); [exact H | contradiction | exact Next]. Qed.

  (* An alignment whose invariant is kept by every pair of steps, for any number of rounds. *)
  Theorem loop_follows {S S' T T' : Type} n m (limit : Z) (Invariant : Z -> G -> S -> S' -> Prop)
      (On : G -> T -> T' -> Prop) is_open is_open' turn turn' past past'
      (next : T -> law (plain run)) (next' : T' -> law (plain run)) :
    (forall i g s s', (0 <= i < limit)%Z -> Invariant i g s s' -> is_open i s = is_open' i s') ->
    (forall i g s s', (0 <= i < limit)%Z -> Invariant i g s s' -> is_open i s = true ->
      steps_follow n only loss bound (Invariant (i + 1)%Z) On g (turn i s) (turn' i s')) ->
    (forall i g s s', (0 <= i)%Z -> Invariant i g s s' -> ((i < limit)%Z -> is_open i s = false) ->
      steps_follow m only loss bound (fun _ _ _ => False) On g (past i s) (past' i s')) ->
    (forall g t t', On g t t' -> follows only (bound - loss g) (next t) (next' t')) ->
    forall g s s', Invariant 0%Z g s s' ->
      follows only (bound - loss g) (loop limit is_open turn past next s) (loop limit is_open' turn' past' next' s').
  Proof.
    intros Open Turn Past Next. unfold loop.
    enough (all : forall fuel i g s s', (0 <= i)%Z -> fuel = Z.to_nat (limit - i) -> Invariant i g s s' ->
      follows only (bound - loss g) (rounds is_open turn past next fuel i s) (rounds is_open' turn' past' next' fuel i s')).
    { intros g s s' I. apply all; [lia | f_equal; lia | exact I]. }
    induction fuel as [| fuel IH]; intros i g s s' N F I; simpl.
    - apply (straight_follows m On); [| exact Next]. apply Past; [exact N | exact I | lia].
    - assert (L : (0 <= i < limit)%Z) by lia. rewrite <- (Open i g s s' L I). destruct (is_open i s) eqn:O.
      + apply (steps_follow_then n (Invariant (i + 1)%Z) On); [apply Turn; assumption | | exact Next].
        intros g' t t' I'. apply IH; [lia | lia | exact I'].
      + apply (straight_follows m On); [| exact Next]. apply Past; [exact N | exact I | auto].
  Qed.
End aligned.

(* From aligned runs to privacy. *)
Theorem aligned_is_pure epsilon p q :
  follows (fun _ => True) epsilon p q -> pure epsilon (released_by p) (released_by q).
Proof.
  intros H f F. rewrite Rplus_0_r. apply fitting_test in F. pose proof F as [[c C] N].
  change (E p (fun r => f (output r)) <= exp epsilon * E q (fun r => f (output r))).
  assert (G : fitting (fun r => f (output r))) by (split; [exists c; intro; apply C | intro; apply N]).
  rewrite <- (E_multiple q) by apply G. apply H; [exact G | apply fitting_multiple; [left; apply exp_pos | exact G] | tauto |].
  intros cost a b _ [same below]. subst b. apply Rmult_le_compat_r; [apply N | apply exp_le, below].
Qed.

(* What is foretold is one of finitely many whole numbers. *)
Theorem follows_by_what_is_foretold low high r p q :
  sure p (fun a => (low <= told a <= high)%Z) ->
  (forall z, (low <= z <= high)%Z -> follows (fun k => k = z) r p q) -> follows (fun _ => True) r p q.
Proof.
  intros S H. unfold follows.
  apply (couples_by_what_is_seen _ _ (Z.to_nat (high - low + 1)) (fun a => Z.to_nat (Z.max 0 (told a - low)))
    (fun b => Z.to_nat (Z.max 0 (told b - low)))).
  - intros f F Z. apply (S f F). intros a Y. apply Z. lia.
  - intros o O f g F G N P. destruct (Z_le_dec 0 (high - low)) as [W | W]; [| lia].
    (* Runs that tell less than low have no share; f is cut down to those that tell one number. *)
    pose (f' := fun a => if Z.eq_dec (told a) (low + Z.of_nat o) then f a else 0).
    assert (F' : fitting f') by (apply (fitting_where (fun a => told a = (low + Z.of_nat o)%Z)), F).
    assert (same : E p f = E p f').
    { pose (rest := fun a => if Z.eq_dec (told a) (low + Z.of_nat o) then 0 else f a).
      assert (R : fitting rest).
      { destruct F as [[c C] P0]. split; [exists c; intro a; specialize (C a); specialize (P0 a) | intro a; specialize (P0 a)];
          unfold rest; destruct Z.eq_dec; lra. }
      rewrite (E_same p f (fun a => f' a + rest a)), E_sum; try apply F'; try apply R; try apply F.
      - rewrite (S rest R); [ring |]. intros a Y. unfold rest. destruct Z.eq_dec; [reflexivity |].
        apply N. intros [_ A]. lia.
      - intro a. unfold f', rest. destruct Z.eq_dec; ring. }
    rewrite same. apply (H (low + Z.of_nat o)%Z ltac:(lia) f' g F' G).
    + intros a A. unfold f'. destruct Z.eq_dec; [contradiction | reflexivity].
    + intros cost a b A [E C]. subst b. unfold f'. destruct Z.eq_dec; [| contradiction].
      apply P; [split; [exact I | lia] |]. split; [lia | split; [reflexivity | exact C]].
Qed.

(** * What a run may tell *)

Definition tells (low high : Z) (p : law (plain run)) := sure p (fun a => (low <= told a <= high)%Z).
(* A step ends telling a number between, or leads to a state with the property. *)
Definition step_tells {S T : Type} (low high : Z) (Again : S -> Prop) (On : T -> Prop) (a : step S T) :=
  match leads a with again s => Again s | on t => On t | finish z => (low <= z <= high)%Z end.

Lemma sure_then {A B} (P : A -> Prop) (Q : B -> Prop) (p : law (plain A)) k :
  sure p P -> (forall a, P a -> sure (k a) Q) -> sure (draw p k) Q.
Proof.
  intros H K f F Z. simpl. apply H; [apply fitting_after, F |]. intros a Y. apply (K a Y); assumption.
Qed.
Lemma tells_go_on {S T : Type} low high (Again : S -> Prop) (On : T -> Prop) (p : law (plain (step S T))) back next :
  sure p (step_tells low high Again On) -> (forall s, Again s -> tells low high (back s)) ->
  (forall t, On t -> tells low high (next t)) -> tells low high (draw p (go_on back next)).
Proof.
  intros H Back Next. apply (sure_then _ _ _ _ H). intros a Y. unfold step_tells, go_on in *.
  destruct (leads a); [apply (sure_then _ _ _ _ (Back s Y)) | apply (sure_then _ _ _ _ (Next t Y)) |
    apply sure_done; exact Y]; intros x X; apply sure_done; exact X.
Qed.
Lemma tells_straight {T : Type} low high (On : T -> Prop) (p : law (plain (step Empty_set T))) next :
  sure p (step_tells low high (fun _ => False) On) -> (forall t, On t -> tells low high (next t)) ->
  tells low high (straight p next).
Proof. intros H Next. apply (tells_go_on _ _ (fun _ => False) On); [exact H | contradiction | exact Next]. Qed.
Lemma tells_loop {S T : Type} low high limit (Range : Z -> S -> Prop) (On : T -> Prop) is_open turn past next :
  (forall i s, (0 <= i < limit)%Z -> Range i s -> sure (turn i s) (step_tells low high (Range (i + 1)%Z) On)) ->
  (forall i s, (0 <= i)%Z -> Range i s -> sure (past i s) (step_tells low high (fun _ => False) On)) ->
  (forall t, On t -> tells low high (next t)) ->
  forall s, Range 0%Z s -> tells low high (loop (T := T) limit is_open turn past next s).
Proof.
  intros Turn Past Next. unfold loop.
  enough (all : forall fuel i s, (0 <= i)%Z -> fuel = Z.to_nat (limit - i) -> Range i s ->
    tells low high (rounds is_open turn past next fuel i s)).
  { intros s I. apply all; [lia | f_equal; lia | exact I]. }
  induction fuel as [| fuel IH]; intros i s N F I; simpl.
  - apply (tells_straight _ _ On); [apply Past; assumption | exact Next].
  - destruct (is_open i s).
    + apply (tells_go_on _ _ (Range (i + 1)%Z) On); [apply Turn; [lia | exact I] | | exact Next].
      intros t R. apply IH; [lia | lia | exact R].
    + apply (tells_straight _ _ On); [apply Past; assumption | exact Next].
Qed.

(** * Draws *)

Lemma moves_nowhere {A} (possible : A -> Prop) (p : law (plain A)) :
  sure p possible -> moves possible (fun _ => True) (fun d => d) 0 p p.
Proof.
  intros S h k H K le _. rewrite exp_0, Rmult_1_l.
  pose (high := fun d => Rmax 0 (h d - k d)).
  assert (F : fitting high).
  { destruct H as [[a A0] N], K as [[b B] M]. split; [exists (a + b) |]; intro d; unfold high, Rmax.
    - specialize (A0 d). specialize (N d). specialize (B d). specialize (M d). destruct Rle_dec; lra.
    - destruct Rle_dec; lra. }
  assert (Z : E p high = 0).
  { apply (S high F). intros d Y. specialize (le d Y I). unfold high, Rmax. destruct Rle_dec; lra. }
  assert (W : E p h <= E p (fun d => k d + high d)).
  { apply E_monotone; [apply H | apply (bounded_sum k high); [apply K | apply F] |].
    intro d. unfold high, Rmax. destruct Rle_dec; lra. }
  rewrite E_sum in W; [lra | apply K | apply F].
Qed.

(* Noise of real numbers.  Single numbers have no share of it, so ties may be left out. *)
Record noises := Noises {
  laplace : R -> law (plain R);
  laplace_moves : forall scale shift ties, 0 < scale ->
    moves (fun d => ~ In d ties) (fun _ => True) (fun d => d + shift) (Rabs shift / scale) (laplace scale) (laplace scale);
  exponential : R -> law (plain R);
  exponential_moves : forall scale shift ties, 0 < scale ->
    moves (fun d => 0 <= d /\ ~ In d ties) (fun d => 0 <= d + shift) (fun d => d + shift) (shift / scale)
      (exponential scale) (exponential scale);
  gaussian : R -> law (plain R);
  gaussian_stays : forall sigma ties, 0 < sigma -> sure (gaussian sigma) (fun d => ~ In d ties) }.

Section shifted.
  Variable scale : R.
  Hypothesis positive : 0 < scale.
  Let weight := grid_weight (fun z => - Rabs z / scale) 1.
  Let summable := weights_summable _ _ _ _ (discrete_laplace_tail scale 1 positive Rlt_0_1).
  Lemma weight_positive k : 0 < weight k.
  Proof. apply exp_pos. Qed.
  Definition discrete_laplace_law : law (plain Z) :=
    law_of_weights (fun k => k) weight (fun k => Rlt_le _ _ (weight_positive k)) summable
      (total_positive weight summable weight_positive).
  Lemma discrete_laplace_law_moves shift :
    moves (fun _ => True) (fun _ => True) (fun d => (d + shift)%Z) (Rabs (IZR shift) / scale) discrete_laplace_law
      discrete_laplace_law.
  Proof.
    intros h k [H _] [K nonnegative] le _.
    change (total (fun d => h d * weight d) / total weight <=
      exp (Rabs (IZR shift) / scale) * (total (fun d => k d * weight d) / total weight)).
    unfold Rdiv at 1 3. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, total_positive, weight_positive; exact summable |].
    pose (moved := fun d => k d * weight d).
    assert (M : Grid.summable moved) by (apply summable_bounded_times; [exact K | exact summable]).
    change (fun d => k d * weight d) with moved.
    rewrite <- (total_moved shift moved M), <- total_multiple. apply total_monotone.
    - apply summable_bounded_times; [exact H | exact summable].
    - apply summable_multiple, (summable_moved shift moved), M.
    - intro d. unfold moved. specialize (le d I I). specialize (nonnegative (d + shift)%Z).
      assert (W : weight d <= exp (Rabs (IZR shift) / scale) * weight (d + shift)%Z).
      { unfold weight, grid_weight. rewrite <- exp_plus. apply exp_le. rewrite !Rmult_1_r, plus_IZR. unfold Rdiv.
        rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, positive |].
        unfold Rabs. repeat destruct Rcase_abs; lra. }
      apply Rle_trans with (k (d + shift)%Z * weight d).
      + apply Rmult_le_compat_r; [left; apply weight_positive | exact le].
      + rewrite Rmult_comm, (Rmult_comm (k _)), <- Rmult_assoc. apply Rmult_le_compat_r; assumption.
  Qed.
End shifted.

(* Where there is no such law, one number for certain. *)
Definition discrete_laplace (scale : R) : law (plain Z) :=
  match Rlt_dec 0 scale with left positive => discrete_laplace_law scale positive | right _ => done 0%Z end.
Lemma discrete_laplace_moves scale shift : 0 < scale ->
  moves (fun _ => True) (fun _ => True) (fun d => (d + shift)%Z) (Rabs (IZR shift) / scale) (discrete_laplace scale)
    (discrete_laplace scale).
Proof.
  intro P. unfold discrete_laplace. destruct Rlt_dec; [apply discrete_laplace_law_moves | contradiction].
Qed.

Definition bernoulli (p : R) : law (plain bool) :=
  match Rle_dec 0 p, Rle_dec p 1 with
  | left low, left high => mixture (O := plain bool) p (conj low high) (done true) (done false)
  | _, _ => done false
  end.
Lemma laplace_stays (n : noises) scale ties : 0 < scale ->
  moves (fun d => ~ In d ties) (fun _ => True) (fun d => d) 0 (laplace n scale) (laplace n scale).
Proof.
  intros positive h k H K le only.
  replace 0 with (Rabs 0 / scale) by (rewrite Rabs_R0; field; lra).
  apply (laplace_moves n scale 0 ties positive); try assumption. intros d P V. rewrite Rplus_0_r. apply le; assumption.
Qed.
Lemma exponential_stays (n : noises) scale ties : 0 < scale ->
  moves (fun d => 0 <= d /\ ~ In d ties) (fun _ => True) (fun d => d) 0 (exponential n scale) (exponential n scale).
Proof.
  intros positive h k H K le only. replace 0 with (0 / scale) at 1 by (field; lra).
  apply (exponential_moves n scale 0 ties positive); try assumption.
  - intros d P V. rewrite Rplus_0_r. apply le; [exact P | exact I].
  - intros d [P _] N. lra.
Qed.
Lemma possible_always {A} (p : law (plain A)) : sure p (fun _ => True).
Proof. intros f [B _] Z. rewrite <- (E_zero p). apply E_same; [exact B | auto]. Qed.
Lemma gaussian_stays_there (n : noises) sigma ties : 0 < sigma ->
  moves (fun d => ~ In d ties) (fun _ => True) (fun d => d) 0 (gaussian n sigma) (gaussian n sigma).
Proof. intro positive. apply moves_nowhere, gaussian_stays, positive. Qed.
Lemma discrete_laplace_stays scale : moves (fun _ => True) (fun _ => True) (fun d => d) 0 (discrete_laplace scale) (discrete_laplace scale).
Proof. apply moves_nowhere, possible_always. Qed.
Lemma bernoulli_stays p : moves (fun _ => True) (fun _ => True) (fun d => d) 0 (bernoulli p) (bernoulli p).
Proof. apply moves_nowhere, possible_always. Qed.

Lemma couples_none {A B} (only : A -> Prop) (post : R -> A -> B -> Prop) a (q : law (plain B)) :
  ~ only a -> couples only post (done a) q.
Proof. intros N f g F G O P. simpl. rewrite (O a N). apply E_fitting, G. Qed.
Lemma follows_weaker only r r' p q : r <= r' -> follows only r p q -> follows only r' p q.
Proof. intros L H. eapply couples_weaker; [| exact H]. intros c a b _ [E C]. split; [exact E | lra]. Qed.

Lemma follows_itself only r p : 0 <= r -> follows only r p p.
Proof.
  intros N f g F G O P. apply E_monotone; [apply F | apply G |]. intro a. destruct (classic (only (told a))) as [Y | X].
  - specialize (P 0 a a Y (conj eq_refl N)). rewrite exp_0 in P. lra.
  - rewrite (O a X). apply G.
Qed.
Lemma floored_whole k : floored (IZR k) = k.
Proof.
  unfold floored. destruct (base_Int_part (IZR k)) as [below above]. generalize dependent (Int_part (IZR k)). intros m below above.
  assert (H : IZR k < IZR m + 1) by lra. rewrite <- plus_IZR in H.
  apply le_IZR in below. apply lt_IZR in H. lia.
Qed.
Lemma next_place i : (0 <= i)%Z -> Z.to_nat (i + 1) = Datatypes.S (Z.to_nat i).
Proof. lia. Qed.

(* A shift that is charged costs its share of the rate. *)
Lemma charged_is weight rate scale shift charge : weight * rate * scale = 1 -> charge = weight * Rabs shift ->
  Rabs shift / scale = rate * charge.
Proof.
  intros W C. assert (scale <> 0) by (intro Z; rewrite Z in W; lra). subst charge.
  replace (rate * (weight * Rabs shift)) with (weight * rate * scale * Rabs shift / scale) by (field; assumption).
  rewrite W. field. assumption.
Qed.
Lemma charged_as_it_is weight rate scale shift charge : weight * rate * scale = 1 -> charge = weight * shift ->
  shift / scale = rate * charge.
Proof.
  intros W C. assert (scale <> 0) by (intro Z; rewrite Z in W; lra). subst charge.
  replace (rate * (weight * shift)) with (weight * rate * scale * shift / scale) by (field; assumption).
  rewrite W. field. assumption.
Qed.

(** * Neighbouring data *)

(* What an element that changes takes of a budget: its change, or 1. *)
Definition change (old new : R) := if less (new + - (1) * old) 0 then - (1) * (new + - (1) * old) else new + - (1) * old.
Definition changed (old new : R) := if equal old new then 0 else 1.
Definition spent (taken : R -> R -> R) (x y : Tables.vector) (k : nat) := Tables.total k (fun j => taken (x j) (y j)).
Lemma change_at old new : change old new =
  if less (new + - (1) * old) 0 then - (1) * (new + - (1) * old) else new + - (1) * old.
Proof. reflexivity. Qed.
Lemma changed_at old new : changed old new = if equal old new then 0 else 1.
Proof. reflexivity. Qed.
Lemma change_is old new : change old new = Rabs (old - new).
Proof.
  unfold change, less. destruct Rlt_dec; unfold Rabs; destruct Rcase_abs; lra.
Qed.
Lemma change_between old new : 0 <= change old new.
Proof. rewrite change_is. apply Rabs_pos. Qed.
Lemma changed_between old new : 0 <= changed old new <= 1.
Proof. unfold changed. destruct equal; lra. Qed.
Lemma spent_next taken x y k : spent taken x y (Datatypes.S k) = spent taken x y k + taken (x k) (y k).
Proof. reflexivity. Qed.

Section related.
  Variables (size : nat) (x y : Tables.vector).
  Definition related (low high : R) := forall j, (j < size)%nat -> low <= y j - x j <= high.
  Definition on_budget (taken : R -> R -> R) := forall k, (k <= size)%nat -> spent taken x y k <= 1.

  Lemma linf_related : Tables.linf size 1 x y -> related (-1) 1.
  Proof. intros [_ H] j J. specialize (H j J). apply Rabs_le_between in H. lra. Qed.
  Lemma one_coordinate_related : Tables.one_coordinate size 1 x y -> related (-1) 1.
  Proof. intros [H _]. apply linf_related, H. Qed.
  Lemma monotone_related : Tables.monotone size 1 x y -> related 0 1 \/ related (-1) 0.
  Proof.
    intros [[_ H] [up | down]]; [left | right]; intros j J; specialize (H j J); apply Rabs_le_between in H.
    - specialize (up j J). lra.
    - specialize (down j J). lra.
  Qed.
  Lemma part_of_total (f : nat -> R) k : (forall j, 0 <= f j) -> (k <= size)%nat -> Tables.total k f <= Tables.total size f.
  Proof.
    intros N K. induction K as [| m K IH]; [lra |]. simpl. specialize (N m). lra.
  Qed.
  Lemma l1_budget : Tables.l1 size 1 x y -> on_budget change.
  Proof.
    intros H k K. eapply Rle_trans; [| exact H]. unfold spent.
    apply Rle_trans with (Tables.total k (fun j => Rabs (x j - y j))).
    - right. clear K. induction k as [| k IH]; simpl; [reflexivity | rewrite IH, change_is; reflexivity].
    - apply part_of_total; [intro; apply Rabs_pos | exact K].
  Qed.
  Lemma l1_related : Tables.l1 size 1 x y -> related (-1) 1.
  Proof.
    intros H j J. pose proof (l1_budget H (Datatypes.S j) J) as B. rewrite spent_next, change_is in B.
    assert (0 <= spent change x y j).
    { unfold spent. clear. induction j as [| j IH]; simpl; [lra |]. pose proof (change_between (x j) (y j)). lra. }
    assert (near : Rabs (x j - y j) <= 1) by lra. apply Rabs_le_between in near. lra.
  Qed.
  Lemma one_coordinate_budget : Tables.one_coordinate size 1 x y -> on_budget changed.
  Proof.
    intros [_ [i H]] k K. unfold spent.
    enough (all : Tables.total k (fun j => changed (x j) (y j)) <= if lt_dec i k then 1 else 0).
    { destruct (lt_dec i k); lra. }
    induction k as [| k IH]; cbn [Tables.total]; [destruct (lt_dec i 0); lia || lra |].
    specialize (IH ltac:(lia)). pose proof (changed_between (x k) (y k)).
    destruct (Nat.eq_dec k i) as [-> | other].
    - destruct (lt_dec i i); [lia |]. destruct (lt_dec i (Datatypes.S i)); [lra | lia].
    - assert (Z : changed (x k) (y k) = 0).
      { unfold changed. rewrite (proj2 (equal_true _ _)); [reflexivity | apply H; lia]. }
      destruct (lt_dec i k), (lt_dec i (Datatypes.S k)); lia || lra.
  Qed.
End related.
Lemma absolute_related x y : Tables.absolute 1 x y -> -1 <= y - x <= 1.
Proof. intro H. apply Rabs_le_between in H. lra. Qed.

(** * Tactics of exported programs *)

Ltac numbers_ := first [lra | lia | apply le_IZR; casts; lra | apply lt_IZR; casts; lra | casts; lra | nra].
(* Of a function of one or two things: that these are the same.  The tactic of Coq's library looks at all hypotheses
   by congruence, which takes seconds where there are many. *)
Ltac arguments_alike :=
  lazymatch goal with
  | |- ?f ?a ?b = ?f ?a ?c => apply (f_equal (f a))
  | |- ?f ?a ?b = ?f ?c ?d => apply (f_equal2 f)
  | |- ?f ?a = ?f ?b => apply (f_equal f)
  end.
Ltac same :=
  lazymatch goal with
  | |- ?a = ?a => reflexivity
  | |- @eq bool _ _ => arguments_alike; same
  | |- _ => first [reflexivity | ring | lra | arguments_alike; same]
  end.
Ltac aim :=
  lazymatch goal with
  | |- andb _ _ = true => apply andb_true_iff; split; aim
  | |- negb (equal _ _) = true => apply negb_true_iff, equal_false; intro; tie
  | |- negb (at_most _ _) = true => apply negb_true_iff, at_most_false; numbers_
  | |- negb (less _ _) = true => apply negb_true_iff, less_false; numbers_
  | |- negb (Z.leb _ _) = true => apply negb_true_iff, Z.leb_gt; numbers_
  | |- negb (Z.ltb _ _) = true => apply negb_true_iff, Z.ltb_ge; numbers_
  | |- negb (Z.eqb _ _) = true => apply negb_true_iff, Z.eqb_neq; numbers_
  | |- negb (orb _ _) = true => apply negb_true_iff, orb_false_iff; split; apply negb_true_iff; aim
  | |- at_most _ _ = true => apply at_most_true; numbers_
  | |- less _ _ = true => apply less_true; numbers_
  | |- equal _ _ = true => apply equal_true; numbers_
  | |- Z.leb _ _ = true => apply Z.leb_le; numbers_
  | |- Z.ltb _ _ = true => apply Z.ltb_lt; numbers_
  | |- Z.eqb _ _ = true => apply Z.eqb_eq; numbers_
  | |- true = true => reflexivity
  | |- orb _ _ = true => apply orb_true_iff; first [left; aim | right; aim]
  | |- _ => assumption
  end
with tie :=
  match goal with
  | H : ~ In _ _ |- False => apply H; simpl; first [left; lra | right; left; lra | right; right; left; lra]
  | _ => lra
  end.
(* A truth value that is written otherwise. *)
Ltac bridge :=
  match goal with
  | H : ?b = true |- ?c = true => replace c with b; [exact H | solve [same]]
  end.
(* A conjunction from one whose parts are the same but for how they are written. *)
Ltac pairwise H :=
  lazymatch type of H with
  | andb _ _ = true =>
      let A := fresh in let B := fresh in
      apply andb_true_iff in H; destruct H as [A B]; apply andb_true_iff; split; [pairwise A | pairwise B]
  | ?b = true => match goal with |- ?c = true => first [exact H | replace c with b; [exact H | solve [same]]] end
  end.
(* The same where parts stand in another order, or once for twice. *)
Ltac part_by_part :=
  repeat match goal with H : andb _ _ = true |- _ => apply andb_true_iff in H; destruct H end;
  lazymatch goal with
  | |- andb _ _ = true => apply andb_true_iff; split; part_by_part
  | |- (if ?c then _ else _) = true => let E := fresh in destruct c eqn:E; rewrite ?E in *; part_by_part
  | |- _ => first [assumption | reflexivity | bridge | known_facts; aim]
  end.
Ltac premise :=
  unfold holds in *;
  first
    [ assumption | reflexivity | match goal with H : andb _ _ = true |- andb _ _ = true => solve [pairwise H] end
    | bridge | solve [known_facts; aim] | solve [part_by_part]
    | decide_each; first [reflexivity | congruence | numbers_] ].
(* All parts of what was proved; and a part of it, which is the goal but for how it is written. *)
Ltac all_parts H :=
  lazymatch type of H with
  | andb _ _ = true => let A := fresh in let B := fresh in
      apply andb_true_iff in H; destruct H as [A B]; all_parts A; all_parts B
  | _ => idtac
  end.
Ltac said_as b :=
  first
    [ let H := fresh in
      assert (H : b = true) by (repeat (apply andb_true_iff; split); assumption);
      match goal with |- ?c = true => first [exact H | replace c with b; [exact H | solve [same]]] end
    | solve [premise] ].
Ltac discharge C :=
  lazymatch type of C with
  | holds ?A -> _ => let K := fresh in assert (K : holds A); [solve [premise] | specialize (C K); clear K; discharge C]
  | _ => idtac
  end.
Ltac size_is :=
  repeat match goal with
  | |- context [if ?b then _ else _] => lazymatch b with context [if _ then _ else _] => fail | _ => destruct b eqn:? end
  end;
  repeat match goal with
  | H : less _ _ = true |- _ => apply less_true in H
  | H : less _ _ = false |- _ => apply less_false in H
  | H : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in H; apply IZR_lt in H
  | H : Z.ltb _ _ = false |- _ => apply Z.ltb_ge in H; apply IZR_le in H
  end;
  unfold Rabs; repeat destruct Rcase_abs; casts; lra.

(* Every way of a step is one of those that are looked at; and what it tells. *)
Ltac each_way :=
  repeat first [apply sure_draw; intro | match goal with |- sure (if ?b then _ else _) _ => destruct b end];
  apply sure_done.
Ltac all_seen := each_way; cbn [seen]; lia.
Ltac all_told := each_way; unfold step_tells; cbn [leads].
Ltac same_item := unfold holds in *; known_facts; first [assumption | congruence | lra | lia].
Ltac whole_element H :=
  let k := fresh in let E := fresh in
  destruct H as [k E]; rewrite Rmult_1_l in E; rewrite E, floored_whole; reflexivity.

(** * An example *)

(* Two rounds, each of which releases x plus discrete Laplace noise of scale 1; at the end 7 is told. *)
Definition noisy_run (x : Z) : law (plain run) :=
  straight (done (Step 0 [] (on tt)))
    (loop 2 (fun _ _ => true)
      (fun _ _ => draw (discrete_laplace 1) (fun d => done (Step 0 [[number (IZR (x + d))]] (again tt))))
      (fun _ _ => done (Step 0 [] (finish 7%Z))) never).
Lemma noisy_run_tells x : tells 7 7 (noisy_run x).
Proof.
  apply (tells_straight _ _ (fun _ => True)); [apply sure_done; exact I |]. intros s _.
  refine (tells_loop _ _ _ (fun _ _ => True) (fun _ => True) _ _ _ _ _ _ _ s I).
  - intros i t _ _. apply sure_draw. intro d. apply sure_done. exact I.
  - intros i t _ _. apply sure_done. cbv. split; discriminate.
  - intros [].
Qed.
Example two_noisy_rounds : pure 2 (released_by (noisy_run 10)) (released_by (noisy_run 11)).
Proof.
  apply aligned_is_pure. apply (follows_by_what_is_foretold 7 7); [apply noisy_run_tells |]. intros z _.
  replace 2 with (2 - 0) by lra.
  refine (straight_follows (fun k => k = z) R (fun g => g) 2 1 (fun g _ _ => g = 0) 0 _ _ _ _ _ _).
  - split; [apply sure_done; apply Nat.lt_0_1 |]. intros o small. apply couples_done. cbn [seen]. intros [_ <-].
    split; [reflexivity |]. split; [reflexivity |]. exists 0. split; [reflexivity | lra].
  - intros g s s' zero. assert (at_first : (0 <= 2)%Z) by lia.
    refine (loop_follows (fun k => k = z) R (fun g => g) 2 1 1 2 (fun i g _ _ => g = IZR i /\ (i <= 2)%Z)
      (fun _ _ _ => False) _ _ _ _ _ _ _ _ _ _ _ _ g s s' (conj zero at_first)).
    + reflexivity.
    + intros i h t t' inside [rounds_so_far _] _.
      split; [apply sure_draw; intro; apply sure_done; apply Nat.lt_0_1 |]. intros o small.
      refine (couples_draw _ _ _ _ _ _ _ _ _ _ (discrete_laplace_moves 1 (-1) Rlt_0_1) _). intros d _.
      apply couples_done. cbn [seen]. intros [_ <-]. split; [exact I |]. split; [reflexivity |].
      split; [cbn [released]; replace (11 + (d + -1))%Z with (10 + d)%Z by lia; reflexivity |]. exists (IZR (i + 1)). split; [split; [reflexivity | lia] |].
      rewrite rounds_so_far, plus_IZR. unfold Rabs. destruct Rcase_abs; lra.
    + intros i h t t' positive [rounds_so_far below] outside.
      assert (i = 2)%Z by (apply Z.le_antisymm; [exact below | apply Z.nlt_ge; intro L; discriminate (outside L)]).
      split; [apply sure_done; apply Nat.lt_0_1 |]. intros o small. apply couples_done. cbn [seen]. intros [_ <-].
      split; [reflexivity |]. split; [reflexivity |]. split; [reflexivity |]. subst i. rewrite rounds_so_far. lra.
    + intros h t. destruct t.
Qed.

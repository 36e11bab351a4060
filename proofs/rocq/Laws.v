(* Laws of outcomes, as what they are integrated by.

   A law is its expectation: a positive, linear, normalised functional on the observables of a space of outcomes.
   Observables are bounded.  Every bounded function is one where outcomes are countable; on the line they are those
   that can be integrated.  Nothing here needs a theory of measure, and sums and integrals are treated at once. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

Definition bounded {O : Type} (f : O -> R) := exists c, forall o, - c <= f o <= c.

Record space := Space {
  point :> Type;
  observable : (point -> R) -> Prop;
  observable_bounded : forall f, observable f -> bounded f;
  observable_same : forall f g, (forall o, f o = g o) -> observable f -> observable g;
  observable_constant : forall c, observable (fun _ => c);
  observable_sum : forall f g, observable f -> observable g -> observable (fun o => f o + g o);
  observable_multiple : forall c f, observable f -> observable (fun o => c * f o);
  observable_least : forall f g, observable f -> observable g -> observable (fun o => Rmin (f o) (g o));
  observable_image : forall g f, continuity g -> observable f -> observable (fun o => g (f o)) }.
Arguments observable {s} _.

Record law (O : space) := Law {
  E : (O -> R) -> R;
  E_monotone : forall f g, observable f -> observable g -> (forall o, f o <= g o) -> E f <= E g;
  E_sum : forall f g, observable f -> observable g -> E (fun o => f o + g o) = E f + E g;
  E_multiple : forall c f, observable f -> E (fun o => c * f o) = c * E f;
  E_one : E (fun _ => 1) = 1 }.
Arguments E {O} _ _.
Arguments E_monotone {O} _ _ _ _ _ _.
Arguments E_sum {O} _ _ _ _ _.
Arguments E_multiple {O} _ _ _ _.
Arguments E_one {O} _.

(* What a test accepts with a probability: an observable from 0 to 1.  Events are those of which each value is 0 or 1. *)
Definition test {O : space} (f : O -> R) := observable f /\ forall o, 0 <= f o <= 1.

Section bounded_functions.
  Context {O : Type}.
  Lemma bounded_constant c : bounded (fun _ : O => c).
  Proof. exists (Rabs c). intro. unfold Rabs. destruct (Rcase_abs c); lra. Qed.
  Lemma bounded_same (f g : O -> R) : (forall o, f o = g o) -> bounded f -> bounded g.
  Proof. intros same [c C]. exists c. intro o. rewrite <- same. apply C. Qed.
  Lemma bounded_sum (f g : O -> R) : bounded f -> bounded g -> bounded (fun o => f o + g o).
  Proof. intros [a A] [b B]. exists (a + b). intro o. specialize (A o). specialize (B o). lra. Qed.
  Lemma bounded_multiple c (f : O -> R) : bounded f -> bounded (fun o => c * f o).
  Proof.
    intros [a A]. exists (Rabs c * a). intro o. specialize (A o). unfold Rabs. destruct (Rcase_abs c); nra.
  Qed.
  Lemma bounded_least (f g : O -> R) : bounded f -> bounded g -> bounded (fun o => Rmin (f o) (g o)).
  Proof.
    intros [a A] [b B]. exists (Rmax a b). intro o. specialize (A o). specialize (B o).
    pose proof (Rmax_l a b). pose proof (Rmax_r a b). unfold Rmin. destruct (Rle_dec (f o) (g o)); lra.
  Qed.
  Lemma bounded_image (g : R -> R) (f : O -> R) : continuity g -> bounded f -> bounded (fun o => g (f o)).
  Proof.
    intros continuous [c C].
    destruct (Rle_lt_dec (- c) c) as [order | empty].
    - destruct (continuity_ab_maj g (- c) c order ltac:(intros; apply continuous)) as (top & above & _).
      destruct (continuity_ab_min g (- c) c order ltac:(intros; apply continuous)) as (low & below & _).
      exists (Rmax (g top) (- g low)). intro o. specialize (above (f o) (C o)). specialize (below (f o) (C o)).
      pose proof (Rmax_l (g top) (- g low)). pose proof (Rmax_r (g top) (- g low)). lra.
    - exists 0. intro o. specialize (C o). lra.
  Qed.
End bounded_functions.

(* Outcomes of which every bounded function is an observable: finite and countable ones, and all that is only told. *)
Definition plain (T : Type) : space :=
  Space T bounded (fun _ B => B) bounded_same bounded_constant bounded_sum bounded_multiple bounded_least
    bounded_image.

Section expectations.
  Context {O : space}.
  Implicit Types (p : law O) (f g : O -> R).

  Lemma observable_difference f g : observable f -> observable g -> observable (fun o => f o - g o).
  Proof.
    intros F G. apply (observable_same O (fun o => f o + -1 * g o)); [intro; ring |].
    apply observable_sum; [exact F | apply observable_multiple, G].
  Qed.
  Lemma observable_shifted f c : observable f -> observable (fun o => f o + c).
  Proof. intro F. apply observable_sum; [exact F | apply observable_constant]. Qed.
  Lemma observable_greatest f g : observable f -> observable g -> observable (fun o => Rmax (f o) (g o)).
  Proof.
    intros F G. apply (observable_same O (fun o => f o + g o - Rmin (f o) (g o))).
    - intro o. unfold Rmin, Rmax. destruct (Rle_dec (f o) (g o)); lra.
    - apply observable_difference; [apply observable_sum | apply observable_least]; assumption.
  Qed.

  Lemma E_same p f g : observable f -> (forall o, f o = g o) -> E p f = E p g.
  Proof.
    intros F same. assert (G : observable g) by (eapply observable_same; eauto).
    apply Rle_antisym; apply E_monotone; auto; intro o; rewrite same; lra.
  Qed.
  Lemma E_constant p c : E p (fun _ => c) = c.
  Proof.
    rewrite (E_same p _ (fun o => c * (fun _ => 1) o)); [| apply observable_constant | intro; ring].
    rewrite E_multiple, E_one; [ring | apply observable_constant].
  Qed.
  Lemma E_shifted p f c : observable f -> E p (fun o => f o + c) = E p f + c.
  Proof.
    intro F. rewrite (E_sum p f (fun _ => c)); [| exact F | apply observable_constant].
    rewrite E_constant. reflexivity.
  Qed.
  Lemma E_difference p f g : observable f -> observable g -> E p (fun o => f o - g o) = E p f - E p g.
  Proof.
    intros F G. rewrite (E_same p _ (fun o => f o + -1 * g o)); [| apply observable_difference; assumption | intro; ring].
    rewrite E_sum, E_multiple; try assumption; [ring | apply observable_multiple, G].
  Qed.
  Lemma E_between p f a b : observable f -> (forall o, a <= f o <= b) -> a <= E p f <= b.
  Proof.
    intros F between.
    split; [rewrite <- (E_constant p a) | rewrite <- (E_constant p b)];
      apply E_monotone; auto using observable_constant; intro o; apply between.
  Qed.
  Lemma E_nonnegative p f : observable f -> (forall o, 0 <= f o) -> 0 <= E p f.
  Proof. intros F positive. rewrite <- (E_constant p 0). apply E_monotone; auto using observable_constant. Qed.
  Lemma E_test p f : test f -> 0 <= E p f <= 1.
  Proof. intros [F between]. apply E_between; assumption. Qed.
  Lemma test_complement f : test f -> test (fun o => 1 - f o).
  Proof.
    intros [F between]. split; [apply observable_difference; [apply observable_constant | exact F] |].
    intro o. specialize (between o). lra.
  Qed.
End expectations.

(* One outcome for certain. *)
Definition certain {O : space} (o : O) : law O.
Proof. refine (Law O (fun f => f o) _ _ _ _); intros; auto. Defined.

(* The outcome of p with probability c, else that of q. *)
Definition mixture {O : space} (c : R) (C : 0 <= c <= 1) (p q : law O) : law O.
Proof.
  refine (Law O (fun f => c * E p f + (1 - c) * E q f) _ _ _ _).
  - intros f g F G below. apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply E_monotone; assumption.
  - intros f g F G. rewrite !E_sum by assumption. ring.
  - intros a f F. rewrite !E_multiple by assumption. ring.
  - rewrite !E_one. ring.
Defined.

(* Functions of two outcomes that can be integrated in either.  A step whose law reads an earlier outcome is a kernel:
   what it integrates such a function to is an observable of the earlier outcome. *)
Definition jointly {O P : space} (f : O -> P -> R) :=
  (exists c, forall o b, - c <= f o b <= c) /\ (forall o, observable (f o)) /\ forall b, observable (fun o => f o b).

Record kernel (O P : space) := Kernel {
  run :> O -> law P;
  run_observable : forall f : O -> P -> R, jointly f -> observable (fun o => E (run o) (f o)) }.
Arguments Kernel {O P} _ _.
Arguments run {O P} _ _.
Arguments run_observable {O P} _ _ _.

Lemma jointly_of_the_second {O P : space} (f : P -> R) : observable f -> jointly (fun (_ : O) b => f b).
Proof.
  intro F. destruct (observable_bounded P f F) as [c C].
  split; [exists c; intros; apply C | split; [auto | intro b; apply observable_constant]].
Qed.

(* From outcomes that are plain, every choice of a law is a kernel. *)
Definition plain_kernel {T : Type} {P : space} (k : T -> law P) : kernel (plain T) P.
Proof.
  refine (Kernel (O := plain T) k _). intros f [[c C] [sections _]]. exists c. intro o.
  apply E_between; [apply sections | apply C].
Defined.

(* Two outcomes, both told. *)
Definition product (O P : space) : space.
Proof.
  refine (Space (O * P) (fun f => jointly (fun o b => f (o, b))) _ _ _ _ _ _ _).
  - intros f [[c C] _]. exists c. intros [o b]. apply C.
  - intros f g same [[c C] [A B]]. split; [exists c; intros; rewrite <- same; apply C | split].
    + intro o. apply (observable_same P (fun b => f (o, b))); [intro; apply same | apply A].
    + intro b. apply (observable_same O (fun o => f (o, b))); [intro; apply same | apply B].
  - intro c. destruct (@bounded_constant unit c) as [d D].
    split; [exists d; intros; apply (D tt) | split; intros; apply observable_constant].
  - intros f g [[c C] [A B]] [[c' C'] [A' B']]. split; [| split; intros; apply observable_sum; auto].
    exists (c + c'). intros o b. specialize (C o b). specialize (C' o b). lra.
  - intros a f [[c C] [A B]]. split; [| split; intros; apply observable_multiple; auto].
    destruct (bounded_multiple a (fun ob : O * P => f ob)) as [d D]; [exists c; intros [o b]; apply C |].
    exists d. intros o b. apply (D (o, b)).
  - intros f g [[c C] [A B]] [[c' C'] [A' B']]. split; [| split; intros; apply observable_least; auto].
    destruct (bounded_least (fun ob : O * P => f ob) (fun ob => g ob)) as [d D];
      [exists c; intros [o b]; apply C | exists c'; intros [o b]; apply C' |].
    exists d. intros o b. apply (D (o, b)).
  - intros g f continuous [[c C] [A B]].
    split; [| split; intros; apply (observable_image _ g (fun x => f (_, x))) ||
                             apply (observable_image _ g (fun x => f (x, _))); auto].
    destruct (bounded_image g (fun ob : O * P => f ob) continuous) as [d D]; [exists c; intros [o b]; apply C |].
    exists d. intros o b. apply (D (o, b)).
Defined.

(* The outcome of p, then one by k in view of it: k's alone is told, or both are. *)
Definition then_run {O P : space} (p : law O) (k : kernel O P) : law P.
Proof.
  refine (Law P (fun f => E p (fun o => E (k o) f)) _ _ _ _);
    assert (K : forall f, observable f -> observable (fun o => E (k o) f)) by
      (intros f F; apply (run_observable k (fun _ => f)), jointly_of_the_second, F).
  - intros f g F G below. apply E_monotone; auto. intro o. apply E_monotone; auto.
  - intros f g F G. rewrite <- E_sum by auto.
    symmetry. apply E_same; [apply observable_sum; auto | intro o; symmetry; apply E_sum; assumption].
  - intros c f F. rewrite <- E_multiple by auto.
    symmetry. apply E_same; [apply observable_multiple; auto | intro o; symmetry; apply E_multiple; assumption].
  - rewrite (E_same p _ (fun _ => 1)); [apply E_one | | intro; apply E_one].
    apply K, observable_constant.
Defined.

Definition both {O P : space} (p : law O) (k : kernel O P) : law (product O P).
Proof.
  refine (Law (product O P) (fun f => E p (fun o => E (k o) (fun b => f (o, b)))) _ _ _ _);
    assert (K : forall f : product O P -> R, observable f -> observable (fun o => E (k o) (fun b => f (o, b)))) by
      (intros f F; apply (run_observable k (fun o b => f (o, b))), F);
    assert (S : forall f : product O P -> R, observable f -> forall o, observable (fun b => f (o, b))) by
      (intros f [_ [A _]]; exact A).
  - intros f g F G below. apply E_monotone; auto. intro o. apply E_monotone; auto.
  - intros f g F G. rewrite <- E_sum by auto. symmetry.
    apply E_same; [apply observable_sum; auto |].
    intro o. symmetry. apply (E_sum (k o) (fun b => f (o, b)) (fun b => g (o, b))); auto.
  - intros c f F. rewrite <- E_multiple by auto. symmetry.
    apply E_same; [apply observable_multiple; auto |].
    intro o. symmetry. apply (E_multiple (k o) c (fun b => f (o, b))); auto.
  - rewrite (E_same p _ (fun _ => 1)); [apply E_one | | intro; apply E_one].
    apply (K (fun _ => 1)), observable_constant.
Defined.

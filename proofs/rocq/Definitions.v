(* The definitions that are taken for approximate DP, and refutations by densities and by events.

   First what the rest speaks of: sums and integrals as positive linear functionals, laws that have densities with
   respect to them, and independent draws.  Then loss_tail and ratio (defined in Finite.v) against pure and approximate
   DP; noise whose loss has no bound; and what refutes a claim: an output around which one density is greater by more
   than e^epsilon, an event far out, an event in some of several rounds, and a density that does not integrate to 1. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Finite.
From Refdp Require Grid Noise Line.
Open Scope R_scope.

(* ---- Sums and products of the first n numbers ---- *)
Fixpoint sum_below (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum_below m f + f m end.
Fixpoint product_below (n : nat) (f : nat -> R) : R := match n with O => 1 | S m => product_below m f * f m end.

Lemma sum_below_same n f g : (forall i, (i < n)%nat -> f i = g i) -> sum_below n f = sum_below n g.
Proof. induction n; intro H; simpl; [reflexivity | rewrite IHn, (H n); auto]. Qed.
Lemma sum_below_sum n f g : sum_below n (fun i => f i + g i) = sum_below n f + sum_below n g.
Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.
Lemma sum_below_multiple n c f : sum_below n (fun i => c * f i) = c * sum_below n f.
Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.
Lemma sum_below_constant n c : sum_below n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; ring | rewrite S_INR; simpl; rewrite IHn; ring]. Qed.
Lemma sum_below_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum_below n f <= sum_below n g.
Proof. induction n; intro H; simpl; [lra | apply Rplus_le_compat; auto]. Qed.
Lemma sum_below_nonnegative n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum_below n f.
Proof. intro H. rewrite <- (Rmult_0_r (INR n)), <- sum_below_constant. apply sum_below_le, H. Qed.

Lemma product_below_same n f g : (forall i, (i < n)%nat -> f i = g i) -> product_below n f = product_below n g.
Proof. induction n; intro H; simpl; [reflexivity | rewrite IHn, (H n); auto]. Qed.
Lemma product_below_constant n c : product_below n (fun _ => c) = c ^ n.
Proof. induction n; simpl; [reflexivity | rewrite IHn; ring]. Qed.
Lemma product_below_nonnegative n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= product_below n f.
Proof. induction n; intro H; simpl; [lra | apply Rmult_le_pos; auto]. Qed.
Lemma product_below_le n f g : (forall i, (i < n)%nat -> 0 <= f i <= g i) -> product_below n f <= product_below n g.
Proof.
  induction n; intro H; simpl; [lra |]. apply Rmult_le_compat; try apply H; auto.
  apply product_below_nonnegative. intros. apply H. lia.
Qed.
Lemma product_below_of_one n f i : (i < n)%nat -> (forall j, (j < n)%nat -> j <> i -> f j = 1) -> product_below n f =
    f i.
Proof.
  induction n; intros I H; [lia |]. simpl. destruct (Nat.eq_dec i n) as [-> |].
  - rewrite (product_below_same n f (fun _ => 1)), product_below_constant, pow1; [ring | intros; apply H; lia].
  - rewrite IHn, (H n); try lia; [ring | intros; apply H; lia].
Qed.
Lemma product_below_of_two n f i j : (i < n)%nat -> (j < n)%nat -> i <> j ->
  (forall k, (k < n)%nat -> k <> i -> k <> j -> f k = 1) -> product_below n f = f i * f j.
Proof.
  induction n; intros I J D H; [lia |]. simpl.
  destruct (Nat.eq_dec j n) as [-> |]; [| destruct (Nat.eq_dec i n) as [-> |]].
  - rewrite (product_below_of_one n f i); [reflexivity | lia | intros; apply H; lia].
  - rewrite (product_below_of_one n f j); [ring | lia | intros; apply H; lia].
  - rewrite IHn, (H n); try lia; [ring | intros; apply H; lia].
Qed.
Lemma product_below_exp n f : product_below n (fun i => exp (f i)) = exp (sum_below n f).
Proof. induction n; simpl; [symmetry; apply exp_0 | rewrite IHn, exp_plus; reflexivity]. Qed.

Section observables.
  Context {O : space}.
  Lemma observable_product (f g : O -> R) : observable f -> observable g -> observable (fun o => f o * g o).
  Proof.
    intros F G.
    assert (square : forall h : O -> R, observable h -> observable (fun o => Rsqr (h o))).
    { intros h H. apply (observable_image O Rsqr); [apply derivable_continuous, derivable_Rsqr | exact H]. }
    apply (observable_same O (fun o => / 4 * (Rsqr (f o + g o) - Rsqr (f o - g o)))).
    - intro o. unfold Rsqr. field.
    - apply observable_multiple, observable_difference; apply square;
        [apply observable_sum | apply observable_difference]; assumption.
  Qed.
  Lemma observable_sum_below n (f : nat -> O -> R) :
    (forall i, (i < n)%nat -> observable (f i)) -> observable (fun o => sum_below n (fun i => f i o)).
  Proof.
    induction n; intro H; simpl; [apply observable_constant |].
    apply observable_sum; [apply IHn; auto | apply H; lia].
  Qed.
  Lemma observable_product_below n (f : nat -> O -> R) :
    (forall i, (i < n)%nat -> observable (f i)) -> observable (fun o => product_below n (fun i => f i o)).
  Proof.
    induction n; intro H; simpl; [apply observable_constant |].
    apply observable_product; [apply IHn; auto | apply H; lia].
  Qed.
  Lemma E_sum_below (P : law O) n (f : nat -> O -> R) : (forall i, (i < n)%nat -> observable (f i)) ->
    E P (fun o => sum_below n (fun i => f i o)) = sum_below n (fun i => E P (f i)).
  Proof.
    induction n; intro H; simpl; [apply E_constant |].
    rewrite E_sum, IHn; auto. apply observable_sum_below; auto.
  Qed.
  Lemma test_product (f g : O -> R) : test f -> test g -> test (fun o => f o * g o).
  Proof.
    intros [F A] [G B]. split; [apply observable_product; assumption |].
    intro o. specialize (A o). specialize (B o). split; [apply Rmult_le_pos; lra | nra].
  Qed.
End observables.

(* Events are tests of which each value is 0 or 1. *)
Definition event {O : space} (S : O -> R) := observable S /\ forall o, S o = 0 \/ S o = 1.
Lemma event_test {O : space} (S : O -> R) : event S -> test S.
Proof. intros [F V]. split; [exact F |]. intro o. destruct (V o); lra. Qed.
Definition at_least (threshold size : R) : R := if Rle_dec threshold size then 1 else 0.
Definition more_than (threshold size : R) : R := if Rlt_dec threshold size then 1 else 0.
Lemma at_least_is a s : at_least a s = 0 \/ at_least a s = 1.
Proof. unfold at_least. destruct (Rle_dec a s); auto. Qed.
Lemma more_than_is a s : more_than a s = 0 \/ more_than a s = 1.
Proof. unfold more_than. destruct (Rlt_dec a s); auto. Qed.
Lemma plain_event {T : Type} (S : T -> R) : (forall o, S o = 0 \/ S o = 1) -> event (O := plain T) S.
Proof. intro V. split; [exists 1; intro o; destruct (V o); lra | exact V]. Qed.

(* What adds up: sums and integrals *)
Record integral (T : Type) := Integral {
  integrable : (T -> R) -> Prop;
  integrate :> (T -> R) -> R;
  integrable_same : forall f g, (forall t, f t = g t) -> integrable f -> integrable g;
  integrable_sum : forall f g, integrable f -> integrable g -> integrable (fun t => f t + g t);
  integrable_multiple : forall c f, integrable f -> integrable (fun t => c * f t);
  integral_monotone : forall f g, integrable f -> integrable g -> (forall t, f t <= g t) -> integrate f <= integrate g;
  integral_sum : forall f g, integrable f -> integrable g -> integrate (fun t => f t + g t) = integrate f + integrate g;
  integral_multiple : forall c f, integrable f -> integrate (fun t => c * f t) = c * integrate f }.
Arguments integrable {T} _ _.
Arguments integrable_same {T} _ _ _ _ _.
Arguments integrable_sum {T} _ _ _ _ _.
Arguments integrable_multiple {T} _ _ _ _.
Arguments integral_monotone {T} _ _ _ _ _ _.
Arguments integral_sum {T} _ _ _ _ _.
Arguments integral_multiple {T} _ _ _ _.

Lemma integral_same {T} (I : integral T) f g : integrable I f -> (forall t, f t = g t) -> I f = I g.
Proof.
  intros F same. assert (G : integrable I g) by (eapply integrable_same; eauto).
  apply Rle_antisym; apply integral_monotone; auto; intro t; rewrite same; lra.
Qed.
Lemma integrable_difference {T} (I : integral T) f g :
  integrable I f -> integrable I g -> integrable I (fun t => f t - g t).
Proof.
  intros F G. apply (integrable_same I (fun t => f t + -1 * g t)); [intro; ring |].
  apply integrable_sum; [exact F | apply integrable_multiple, G].
Qed.
Lemma integral_difference {T} (I : integral T) f g :
  integrable I f -> integrable I g -> I (fun t => f t - g t) = I f - I g.
Proof.
  intros F G. rewrite (integral_same I _ (fun t => f t + -1 * g t));
    [| apply integrable_difference; auto | intro; ring].
  rewrite integral_sum, integral_multiple; auto; [ring | apply integrable_multiple, G].
Qed.
Lemma integrable_zero {T} (I : integral T) f : integrable I f -> integrable I (fun _ => 0).
Proof. intro F. apply (integrable_same I (fun t => 0 * f t)); [intro; ring | apply integrable_multiple, F]. Qed.
Lemma integral_zero {T} (I : integral T) f : integrable I f -> I (fun _ => 0) = 0.
Proof.
  intro F. rewrite <- (integral_same I (fun t => 0 * f t)); [| apply integrable_multiple, F | intro; ring].
  rewrite integral_multiple by exact F. ring.
Qed.
Lemma integral_nonnegative {T} (I : integral T) f : integrable I f -> (forall t, 0 <= f t) -> 0 <= I f.
Proof.
  intros F positive. rewrite <- (integral_zero I f F). apply integral_monotone; auto. apply (integrable_zero I f F).
Qed.

(* The expectation of a law is one. *)
Definition expectation {O : space} (P : law O) : integral O :=
  Integral O observable (E P) (observable_same O) (observable_sum O) (observable_multiple O)
    (fun f g => E_monotone P f g) (fun f g => E_sum P f g) (fun c f => E_multiple P c f).

Definition has_density {T : Type} {O : space} (I : integral T) (value : O -> T) (P : law O) (p : T -> R) :=
  (forall t, 0 <= p t) /\ forall f, observable (fun o => f (value o)) ->
    integrable I (fun t => f t * p t) /\ E P (fun o => f (value o)) = I (fun t => f t * p t).

(* independent draws *)
Record independent_draws {J O : space} (n : nat) (P : law J) (draw : nat -> J -> O) (laws : nat -> law O) : Prop := {
  draw_observable : forall i f, (i < n)%nat -> observable f -> observable (fun j => f (draw i j));
  draws_multiply : forall f : nat -> O -> R, (forall i, (i < n)%nat -> observable (f i)) ->
    E P (fun j => product_below n (fun i => f i (draw i j))) = product_below n (fun i => E (laws i) (f i)) }.

Section draws.
  Context {J O : space} (n : nat) (P : law J) (draw : nat -> J -> O) (laws : nat -> law O).
  Hypothesis independent : independent_draws n P draw laws.
  Lemma one_draw i f : (i < n)%nat -> observable f -> E P (fun j => f (draw i j)) = E (laws i) f.
  Proof.
    intros I F. pose (g k := if Nat.eq_dec k i then f else fun _ => 1).
    assert (G : forall k, (k < n)%nat -> observable (g k)).
    { intros k K. unfold g. destruct (Nat.eq_dec k i); [exact F | apply observable_constant]. }
    pose proof (draws_multiply _ _ _ _ independent g G) as H.
    rewrite (product_below_of_one n _ i I) in H.
    - unfold g at 2 in H. destruct (Nat.eq_dec i i); [| lia]. rewrite <- H.
      apply E_same; [exact (draw_observable _ _ _ _ independent i f I F) |].
      intro j. rewrite (product_below_of_one n _ i I); unfold g.
      + destruct (Nat.eq_dec i i); [reflexivity | lia].
      + intros k K D. destruct (Nat.eq_dec k i); [lia | reflexivity].
    - intros k K D. unfold g. destruct (Nat.eq_dec k i); [lia | apply E_one].
  Qed.
  Lemma two_draws i k f g : (i < n)%nat -> (k < n)%nat -> i <> k -> observable f -> observable g ->
    E P (fun j => f (draw i j) * g (draw k j)) = E (laws i) f * E (laws k) g.
  Proof.
    intros I K D F G. pose (h l := if Nat.eq_dec l i then f else if Nat.eq_dec l k then g else fun _ => 1).
    assert (H : forall l, (l < n)%nat -> observable (h l)).
    { intros l L. unfold h. destruct (Nat.eq_dec l i); [| destruct (Nat.eq_dec l k)]; auto using observable_constant. }
    assert (at_i : h i = f) by (unfold h; destruct (Nat.eq_dec i i); [reflexivity | lia]).
    assert (at_k : h k = g).
    { unfold h. destruct (Nat.eq_dec k i); [lia |]. destruct (Nat.eq_dec k k); [reflexivity | lia]. }
    assert (beyond : forall l, l <> i -> l <> k -> h l = fun _ => 1).
    { intros l A B. unfold h. destruct (Nat.eq_dec l i); [lia |]. destruct (Nat.eq_dec l k); [lia | reflexivity]. }
    pose proof (draws_multiply _ _ _ _ independent h H) as M.
    rewrite (product_below_of_two n _ i k I K D) in M.
    - rewrite at_i, at_k in M. rewrite <- M. apply E_same.
      + apply observable_product; apply (draw_observable _ _ _ _ independent); auto.
      + intro j. rewrite (product_below_of_two n _ i k I K D); [rewrite at_i, at_k; reflexivity |].
        intros l L A B. rewrite beyond; auto.
    - intros l L A B. rewrite beyond by auto. apply E_one.
  Qed.
End draws.

(* n draws from laws on a plain space do exist. *)
Definition put {T : Type} (y : nat -> T) (n : nat) (o : T) : nat -> T := fun i => if Nat.eq_dec i n then o else y i.
Definition drawn {T : Type} (o : T) : nat -> (nat -> law (plain T)) -> law (plain (nat -> T)) :=
  fix drawn n laws := match n with
  | O => certain (O := plain (nat -> T)) (fun _ => o)
  | S m => then_run (drawn m laws) (plain_kernel (fun y =>
             then_run (laws m) (plain_kernel (fun b => certain (O := plain (nat -> T)) (put y m b)))))
  end.
Theorem drawn_independent {T : Type} (o : T) n laws :
  independent_draws (J := plain (nat -> T)) (O := plain T) n (drawn o n laws) (fun i y => y i) laws.
Proof.
  split.
  - intros i f _ [c C]. exists c. intro y. apply C.
  - induction n; intros f F; [reflexivity |].
    change (E (drawn o n laws) (fun y => E (laws n) (fun b => product_below (S n) (fun i => f i (put y n b i)))) =
            product_below (S n) (fun i => E (laws i) (f i))).
    simpl product_below. rewrite <- IHn by auto. rewrite Rmult_comm.
    assert (B : observable (s := plain (nat -> T)) (fun y => product_below n (fun i => f i (y i)))).
    { apply (observable_product_below (O := plain (nat -> T)) n (fun i y => f i (y i))).
      intros i I. destruct (F i ltac:(lia)) as [c C]. exists c. intro y. apply C. }
    rewrite <- (E_multiple (drawn o n laws)) by exact B.
    symmetry. apply E_same; [apply observable_multiple, B |]. intro y.
    transitivity (E (laws n) (fun b => product_below n (fun i => f i (y i)) * f n b)).
    + rewrite (E_multiple (laws n)); [ring | apply F; lia].
    + apply E_same; [apply observable_multiple, F; lia |]. intro b.
      unfold put at 2. destruct (Nat.eq_dec n n); [| lia]. f_equal. apply product_below_same.
      intros i I. unfold put. destruct (Nat.eq_dec i n); [lia | reflexivity].
Qed.

Definition counting : integral nat.
Proof.
  refine (Integral nat (fun f => ex_series (fun n => Rabs (f n))) Series _ _ _ _ _ _).
  - intros f g same. apply ex_series_ext. intro n. rewrite same. reflexivity.
  - intros f g F G. apply (ex_series_le (fun n => Rabs (f n + g n)) (fun n => Rabs (f n) + Rabs (g n))).
    + intro n. unfold norm; simpl. unfold abs; simpl. rewrite Rabs_Rabsolu. apply Rabs_triang.
    + apply (ex_series_plus (fun n => Rabs (f n)) (fun n => Rabs (g n)) F G).
  - intros c f F. apply (ex_series_ext (fun n => scal (Rabs c) (Rabs (f n)))).
    + intro n. symmetry. apply Rabs_mult.
    + apply (ex_series_scal (V := R_NormedModule) (Rabs c) _ F).
  - intros f g F G below.
    assert (D : Series (fun n => g n - f n) = Series g - Series f) by
      (apply Series_minus; apply ex_series_Rabs; assumption).
    assert (N : 0 <= Series (fun n => g n - f n)); [| lra].
    rewrite <- (Rmult_0_l (Series (fun n => g n - f n))), <- Series_scal_l. apply Series_le.
    + intro n. specialize (below n). lra.
    + apply (ex_series_minus g f); apply ex_series_Rabs; assumption.
  - intros f g F G. apply Series_plus; apply ex_series_Rabs; assumption.
  - intros c f _. apply Series_scal_l.
Defined.

(* Numbers of one sign add up to 0 only where all of them are 0. *)
Lemma counting_sees_all f n : integrable counting f -> (forall i, 0 <= f i) -> f n <= counting f.
Proof.
  revert f. induction n; intros f F positive.
  - simpl. rewrite Series_incr_1 by (apply ex_series_Rabs, F).
    assert (0 <= counting (fun k => f (S k))); [| simpl in *; lra].
    apply (integral_nonnegative counting); [| auto]. apply (ex_series_incr_1 (fun n => Rabs (f n))), F.
  - simpl. rewrite Series_incr_1 by (apply ex_series_Rabs, F).
    assert (f (S n) <= counting (fun k => f (S k))); [| specialize (positive O); simpl in *; lra].
    apply (IHn (fun k => f (S k))); [apply (ex_series_incr_1 (fun n => Rabs (f n))), F | auto].
Qed.

(* Sums over the multiples of a granularity. *)
Definition grid (granularity : R) : integral R.
Proof.
  pose (a (f : R -> R) (k : Z) := f (IZR k * granularity)).
  refine (Integral R (fun f => Grid.summable (a f)) (fun f => Grid.total (a f)) _ _ _ _ _ _).
  - intros f g same. apply Grid.summable_same. intro. apply same.
  - intros f g F G. apply (Grid.summable_sum (a f) (a g) F G).
  - intros c f F. apply (Grid.summable_multiple c (a f) F).
  - intros f g F G below. apply Grid.total_monotone; try assumption. intro. apply below.
  - intros f g F G. apply (Grid.total_sum (a f) (a g) F G).
  - intros c f _. apply (Grid.total_multiple c (a f)).
Defined.

(* Integrals over the whole line: limits of integrals from far below to far above. *)
Definition is_on_line (f : R -> R) (l : R) := is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) l.
Lemma on_line_iff f l : is_on_line f l <-> forall r, 0 < r -> exists far, forall a b, a < - far -> far < b ->
  exists y, is_RInt f a b y /\ Rabs (y - l) < r.
Proof.
  split.
  - intros H r R0. destruct (H _ (locally_ball l (mkposreal r R0))) as [A B [c C] [d D] inside].
    exists (Rmax (- c) d). intros a b LA LB. pose proof (Rmax_l (- c) d). pose proof (Rmax_r (- c) d).
    destruct (inside a b) as [y [Y1 Y2]]; [apply C; lra | apply D; lra |]. exists y. split; [exact Y1 | exact Y2].
  - intros H P [r inside]. destruct (H r (cond_pos r)) as [far reach].
    apply (Filter_prod _ _ _ (fun a => a < - far) (fun b => far < b)).
    + exists (- far). auto.
    + exists far. auto.
    + intros a b A B. destruct (reach a b A B) as [y [Y1 Y2]]. exists y. split; [exact Y1 | apply inside, Y2].
Qed.
Lemma on_line_unique f l : is_on_line f l -> RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) = l.
Proof.
  intro H. exact (@is_RInt_gen_unique R_CompleteNormedModule (Rbar_locally m_infty) (Rbar_locally p_infty) _ _ f l H).
Qed.
Lemma on_line_same f g l : (forall x, f x = g x) -> is_on_line f l -> is_on_line g l.
Proof. intros same. apply is_RInt_gen_ext. apply filter_forall. intros. apply same. Qed.
Definition line : integral R.
Proof.
  refine (Integral R (fun f => exists l, is_on_line f l)
            (fun f => RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty)) _ _ _ _ _ _).
  - intros f g same [l H]. exists l. apply (on_line_same f); assumption.
  - intros f g [k K] [l L]. exists (k + l). apply (is_RInt_gen_plus f g k l K L).
  - intros c f [l L]. exists (c * l). apply (is_RInt_gen_scal f c l L).
  - intros f g [k K] [l L] below. rewrite (on_line_unique f k K), (on_line_unique g l L).
    pose proof (is_RInt_gen_minus g f l k L K) as D.
    assert (N : norm (minus l k) <= minus l k).
    { refine (RInt_gen_norm (fun x => minus (g x) (f x)) (fun x => minus (g x) (f x)) _ _ _ _ D D).
      - apply (Filter_prod _ _ _ (fun a => a < 0) (fun b => 0 < b)); [exists 0; auto | exists 0; auto |].
        simpl. intros; lra.
      - apply filter_forall. intros ab x _. unfold minus, plus, opp, norm; simpl. unfold abs; simpl.
        specialize (below x). rewrite Rabs_pos_eq; lra. }
    unfold minus, plus, opp, norm in N; simpl in N. unfold abs in N; simpl in N.
    pose proof (Rabs_pos (l + - k)). lra.
  - intros f g [k K] [l L]. rewrite (on_line_unique f k K), (on_line_unique g l L).
    apply on_line_unique, (is_RInt_gen_plus f g k l K L).
  - intros c f [l L]. rewrite (on_line_unique f l L). apply on_line_unique, (is_RInt_gen_scal f c l L).
Defined.

Lemma line_is f l : is_on_line f l -> integrable line f /\ line f = l.
Proof. intro H. split; [exists l; exact H | exact (on_line_unique f l H)]. Qed.
Lemma line_has f : integrable line f -> is_on_line f (line f).
Proof. intros [l H]. rewrite (proj2 (line_is f l H)). exact H. Qed.

(* What integrals of noise have in common. *)
Definition moves_by (I : integral R) (h : R) := forall f l, integrable I f -> I f = l ->
  integrable I (fun z => f (z + h)) /\ I (fun z => f (z + h)) = l.
Definition mirrored (I : integral R) := forall f l, integrable I f -> I f = l ->
  integrable I (fun z => f (- z)) /\ I (fun z => f (- z)) = l.

Lemma line_moves h : moves_by line h.
Proof.
  intros f l F <-. pose proof (line_has f F) as K. set (k := line f) in *. clearbody k.
  assert (M : is_on_line (fun z => f (z + h)) k).
  { apply on_line_iff. rewrite on_line_iff in K. intros r R0. destruct (K r R0) as [far reach].
    exists (far + Rabs h). intros a b A B.
    destruct (reach (1 * a + h) (1 * b + h)) as [y [Y1 Y2]].
    - pose proof (Rle_abs h). lra.
    - pose proof (Rle_abs (- h)). rewrite Rabs_Ropp in *. lra.
    - exists y. split; [| exact Y2]. apply (is_RInt_ext (fun z => scal 1 (f (1 * z + h)))).
      + intros z _. change (1 * f (1 * z + h) = f (z + h)). rewrite !Rmult_1_l. reflexivity.
      + apply (is_RInt_comp_lin f 1 h a b y Y1). }
  exact (line_is _ k M).
Qed.
Lemma line_mirrored : mirrored line.
Proof.
  intros f l F <-. pose proof (line_has f F) as K. set (k := line f) in *. clearbody k.
  assert (M : is_on_line (fun z => f (- z)) k).
  { apply on_line_iff. rewrite on_line_iff in K. intros r R0. destruct (K r R0) as [far reach].
    exists far. intros a b A B. destruct (reach (- b) (- a) ltac:(lra) ltac:(lra)) as [y [Y1 Y2]].
    exists y. split; [| exact Y2].
    apply is_RInt_swap in Y1. pose proof (is_RInt_comp_opp f a b _ Y1) as C.
    apply is_RInt_opp in C. rewrite opp_opp in C.
    apply (is_RInt_ext (fun z => opp (opp (f (- z))))); [intros; apply opp_opp | exact C]. }
  exact (line_is _ k M).
Qed.
Lemma line_of_interval f a b l : a <= b -> (forall x, x < a \/ b < x -> f x = 0) -> is_RInt f a b l -> is_on_line f l.
Proof.
  intros order outside inside. apply on_line_iff. intros r R0. exists (Rmax (- a) b). intros c d C D.
  pose proof (Rmax_l (- a) b). pose proof (Rmax_r (- a) b).
  exists l. split; [| rewrite Rminus_eq_0, Rabs_R0; exact R0].
  assert (zero : forall c d, (forall x, c < x < d -> f x = 0) -> c <= d -> is_RInt f c d 0).
  { intros u v none UV. apply (is_RInt_ext (fun _ => 0)).
    - rewrite Rmin_left, Rmax_right by exact UV. intros x X. symmetry. apply none, X.
    - pose proof (is_RInt_const (V := R_NormedModule) u v 0) as Z.
      change (is_RInt (fun _ : R => 0) u v ((v - u) * 0)) in Z. rewrite Rmult_0_r in Z. exact Z. }
  pose proof (is_RInt_Chasles f c a b 0 l (zero c a ltac:(intros; apply outside; lra) ltac:(lra)) inside) as left_part.
  pose proof (is_RInt_Chasles f c b d _ 0 left_part (zero b d ltac:(intros; apply outside; lra) ltac:(lra))) as all.
  change (is_RInt f c d ((0 + l) + 0)) in all. rewrite Rplus_0_l, Rplus_0_r in all. exact all.
Qed.
Lemma line_of_a_point f c : (forall x, x <> c -> f x = 0) -> is_on_line f 0.
Proof.
  intro none. apply (line_of_interval f c c 0); [lra | intros x [|]; apply none; lra |].
  pose proof (is_RInt_point f c) as P. exact P.
Qed.

Definition multiple (h granularity : R) := exists k, h = IZR k * granularity.
Lemma grid_moves granularity h : multiple h granularity -> moves_by (grid granularity) h.
Proof.
  intros [m ->] f l F <-. pose (a := fun k => f (IZR k * granularity)).
  assert (same : forall k, a (k + m)%Z = f (IZR k * granularity + IZR m * granularity)).
  { intro k. unfold a. f_equal. rewrite plus_IZR. ring. }
  split; [apply (Grid.summable_same _ _ same), Grid.summable_moved, F |].
  transitivity (Grid.total (fun k => a (k + m)%Z)); [symmetry; apply Grid.total_same, same | apply Grid.total_moved, F].
Qed.
Lemma grid_mirrored granularity : mirrored (grid granularity).
Proof.
  intros f l F <-. pose (a := fun k => f (IZR k * granularity)).
  assert (same : forall k, a (- k)%Z = f (- (IZR k * granularity))).
  { intro k. unfold a. f_equal. rewrite opp_IZR. ring. }
  split; [apply (Grid.summable_same _ _ same), Grid.summable_mirrored, F |].
  transitivity (Grid.total (fun k => a (- k)%Z)); [symmetry; apply Grid.total_same, same | apply Grid.total_mirrored,
    F].
Qed.
Lemma grid_reads_the_grid granularity f g : (forall z, multiple z granularity -> f z = g z) ->
  integrable (grid granularity) f -> integrable (grid granularity) g /\ grid granularity f = grid granularity g.
Proof.
  intros same F.
  assert (alike : forall k, f (IZR k * granularity) = g (IZR k * granularity)) by
    (intro k; apply same; exists k; reflexivity).
  split; [apply (Grid.summable_same _ _ alike), F | apply Grid.total_same, alike].
Qed.

Definition at_most (threshold size : R) : R := if Rle_dec size threshold then 1 else 0.
Lemma at_most_is a s : at_most a s = 0 \/ at_most a s = 1.
Proof. unfold at_most. destruct (Rle_dec s a); auto. Qed.

(* ---- The definitions that are taken for approximate DP ---- *)

(* pure_to_loss_tail: under e-DP the loss is never more than e. *)
Theorem pure_to_loss_tail {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) e :
  private near M (pure e) -> private near M (loss_tail e 0).
Proof.
  intros H x y n S T zero_or_one likelier. apply Rnot_lt_le. intro possible.
  pose proof (likelier S T ltac:(intro; lra) possible). pose proof (H x y n S T). lra.
Qed.

(* approximate_to_loss_tail: under (e, d)-DP the loss is more than a larger epsilon with probability at most
   d e^epsilon / (e^epsilon - e^e). *)
Theorem approximate_to_loss_tail {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) e d epsilon :
  e < epsilon -> private near M (approximate e d) ->
  private near M (loss_tail epsilon (d * exp epsilon / (exp epsilon - exp e))).
Proof.
  intros wider H x y n S T zero_or_one likelier. pose proof (exp_increasing _ _ wider) as order.
  pose proof (exp_pos e) as positive.
  assert (nothing : test (O := O) (fun _ => 0)) by (split; [apply observable_constant | intro; lra]).
  pose proof (H x y n _ nothing) as D. rewrite !E_constant in D.
  pose proof (H x y n S T) as close. pose proof (likelier S T ltac:(intro; lra)) as loss.
  set (t := exp e) in *. set (s := exp epsilon) in *. pose proof (E_test (M x) S T).
  apply (Rmult_le_reg_r (s - t)); [lra |].
  replace (d * s / (s - t) * (s - t)) with (d * s) by (field; lra).
  destruct (Rle_lt_dec (E (M x) S) 0) as [none | possible]; [| specialize (loss possible)].
  - replace (E (M x) S) with 0 by lra. rewrite Rmult_0_l. apply Rmult_le_pos; lra.
  - (* t q <= t p / s on the event, so p - t q >= p (1 - t / s) *)
    assert (t * (s * E (M y) S) <= t * E (M x) S) by (apply Rmult_le_compat_l; lra).
    assert (s * E (M x) S <= s * (t * E (M y) S + d)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* The event that the loss is more than ln t, where the laws have densities. *)
Definition loss_above {T : Type} (t : R) (p q : T -> R) : T -> R := fun o => more_than (t * q o) (p o).
(* Where it is nothing in total, a function that is not negative is nowhere seen: true of sums, and of integrals. *)
Definition sees_what_is_positive {T : Type} (I : integral T) := forall g h,
  integrable I g -> integrable I h -> (forall t, 0 <= g t) -> (forall t, 0 <= h t) -> (forall t, g t = 0 -> h t = 0) ->
  I g = 0 -> I h = 0.

Section losses.
  Context {O : space} (I : integral O) (P Q : law O) (p q : O -> R) (t : R).
  Hypothesis sees : sees_what_is_positive I.
  Hypothesis P_density : has_density I (fun o => o) P p.
  Hypothesis Q_density : has_density I (fun o => o) Q q.
  Hypothesis loss_observable : observable (loss_above t p q).
  Let L := loss_above t p q.

  Lemma loss_event : event L.
  Proof. split; [exact loss_observable | intro o; apply more_than_is]. Qed.
  Lemma loss_is_much_likelier : much_likelier t P Q L.
  Proof.
    intros f [F between] below possible. apply Rnot_le_lt. intro less.
    destruct (proj2 P_density f F) as [A E1]. destruct (proj2 Q_density f F) as [B E2].
    change (E P f = I (fun o => f o * p o)) in E1. change (E Q f = I (fun o => f o * q o)) in E2.
    assert (more : forall o, 0 <= f o * p o - t * (f o * q o)).
    { intro o. specialize (between o). specialize (below o). unfold L, loss_above, more_than in below.
      destruct (Rlt_dec (t * q o) (p o)); [nra | replace (f o) with 0 by lra; lra]. }
    enough (none : I (fun o => f o * p o) = 0) by (rewrite E1 in possible; lra).
    apply (sees (fun o => f o * p o - t * (f o * q o))); auto.
    - apply integrable_difference; [exact A | apply integrable_multiple, B].
    - intro o. apply Rmult_le_pos; [apply between | apply P_density].
    - intros o zero. specialize (between o). specialize (below o). unfold L, loss_above, more_than in below.
      destruct (Rlt_dec (t * q o) (p o)); [| replace (f o) with 0 by lra; ring].
      destruct (Req_dec (f o) 0) as [-> | some]; [ring | nra].
    - apply Rle_antisym.
      + rewrite integral_difference, integral_multiple; auto; [| apply integrable_multiple, B]. rewrite <- E1, <- E2.
        lra.
      + apply integral_nonnegative; auto. apply integrable_difference; [exact A | apply integrable_multiple, B].
  Qed.
  Lemma beyond_the_loss f : test f -> (forall o, L o = 1 -> f o = 0) -> E P f <= t * E Q f.
  Proof.
    intros [F between] none. destruct (proj2 P_density f F) as [A E1]. destruct (proj2 Q_density f F) as [B E2].
    change (E P f = I (fun o => f o * p o)) in E1. change (E Q f = I (fun o => f o * q o)) in E2. rewrite E1, E2.
    rewrite <- integral_multiple by exact B. apply integral_monotone; [exact A | apply integrable_multiple, B |].
    intro o. specialize (between o). specialize (none o). unfold L, loss_above, more_than in none.
    destruct (Rlt_dec (t * q o) (p o)); [rewrite none by reflexivity; lra | nra].
  Qed.
  Lemma split_by_the_loss (R : law O) f : test f -> E R f = E R (fun o => f o * L o) + E R (fun o => f o * (1 - L o)).
  Proof.
    intros T. pose proof (test_product f L T (event_test L loss_event)) as A.
    pose proof (test_product f _ T (test_complement L (event_test L loss_event))) as B.
    rewrite <- E_sum; [apply E_same; [apply T | intro; ring] | apply A | apply B].
  Qed.
  (* What loss_tail means: drawn from P, p > t q with probability at most delta. *)
  Theorem loss_tail_by_densities delta : tail_within t delta P Q <-> E P L <= delta.
  Proof.
    pose proof loss_event as [LO LV]. split.
    - intro H. apply H; [apply (event_test L loss_event) | exact LV | exact loss_is_much_likelier].
    - intros H S T zero_or_one likelier. apply Rle_trans with (2 := H). rewrite (split_by_the_loss P S T).
      pose proof (test_product S L T (event_test L loss_event)) as A.
      pose proof (test_product S _ T (test_complement L (event_test L loss_event))) as B.
      assert (E P (fun o => S o * L o) <= E P L).
      { apply E_monotone; [apply A | exact LO |]. intro o. destruct (zero_or_one o) as [-> | ->], (LV o) as [-> | ->];
        lra. }
      assert (E P (fun o => S o * (1 - L o)) <= 0); [| lra].
      apply Rnot_lt_le. intro possible.
      assert (small : forall o, S o * (1 - L o) <= S o).
      { intro o. destruct (zero_or_one o) as [-> | ->], (LV o) as [-> | ->]; lra. }
      pose proof (likelier _ B small possible).
      assert (E P (fun o => S o * (1 - L o)) <= t * E Q (fun o => S o * (1 - L o))); [| lra].
      apply (beyond_the_loss _ B). intros o one. fold L. rewrite one. ring.
  Qed.
  Lemma loss_tail_within delta : 0 <= t -> tail_within t delta P Q -> within t delta P Q.
  Proof.
    intros T0 H f T. rewrite loss_tail_by_densities in H. rewrite (split_by_the_loss P f T), (split_by_the_loss Q f T).
    pose proof (test_product f L T (event_test L loss_event)) as A.
    pose proof (test_product f _ T (test_complement L (event_test L loss_event))) as B.
    assert (E P (fun o => f o * L o) <= E P L).
    { apply E_monotone; [apply A | apply loss_event |]. intro o. destruct T as [_ between]. specialize (between o).
      destruct (proj2 loss_event o) as [-> | ->]; lra. }
    assert (E P (fun o => f o * (1 - L o)) <= t * E Q (fun o => f o * (1 - L o))).
    { apply (beyond_the_loss _ B). intros o one. fold L. rewrite one. ring. }
    assert (0 <= t * E Q (fun o => f o * L o)) by (apply Rmult_le_pos; [exact T0 | apply (E_test Q _ A)]). lra.
  Qed.
End losses.

(* loss_tail_to_approximate: if the loss is more than e with probability at most d, the mechanism is (e, d)-DP.  Its
   laws
   have densities with respect to one sum or integral. *)
Theorem loss_tail_to_approximate {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O)
    (I : integral O) (density : X -> O -> R) e d :
  sees_what_is_positive I -> (forall x, has_density I (fun o => o) (M x) (density x)) ->
  (forall x y, near x y -> observable (loss_above (exp e) (density x) (density y))) ->
  private near M (loss_tail e d) -> private near M (approximate e d).
Proof.
  intros sees has seen H x y n. apply (loss_tail_within I (M x) (M y) (density x) (density y)); auto.
  - left. apply exp_pos.
  - apply (H x y n).
Qed.

(* Sums see what is positive: countable outcomes, and in particular finitely many. *)
Lemma counting_sees : sees_what_is_positive counting.
Proof.
  intros g h G H gp hp alike zero. rewrite <- (integral_zero counting g G). apply integral_same; [exact H |].
  intro n. apply alike, Rle_antisym; [| apply gp]. rewrite <- zero. apply counting_sees_all; auto.
Qed.

(* A law on numbered outcomes with these masses. *)
Definition law_of_masses (mass : nat -> R) (positive : forall n, 0 <= mass n) (whole : is_series mass 1) :
  law (plain nat).
Proof.
  assert (S : forall f, observable (s := plain nat) f -> ex_series (fun n => Rabs (f n * mass n))).
  { intros f [c C]. apply (ex_series_le (fun n => Rabs (f n * mass n)) (fun n => c * mass n)).
    - intro n. unfold norm; simpl. unfold abs; simpl. rewrite Rabs_Rabsolu, Rabs_mult, (Rabs_pos_eq (mass n)) by auto.
      apply Rmult_le_compat_r; [auto | apply Rabs_le, C].
    - apply (ex_series_scal (V := R_NormedModule) c mass). exists 1. exact whole. }
  refine (Law (plain nat) (fun f => counting (fun n => f n * mass n)) _ _ _ _).
  - intros f g F G below. apply integral_monotone; try (apply S; assumption).
    intro n. apply Rmult_le_compat_r; auto.
  - intros f g F G. rewrite <- (integral_sum counting _ _ (S f F) (S g G)).
    apply Series_ext. intro. ring.
  - intros c f F. rewrite <- (integral_multiple counting c _ (S f F)). apply Series_ext. intro. ring.
  - transitivity (Series mass); [apply Series_ext; intro; ring | apply is_series_unique, whole].
Defined.
Definition has_masses (P : law (plain nat)) (mass : nat -> R) :=
    has_density (O := plain nat) counting (fun n => n) P mass.
Lemma law_of_masses_has_them mass positive whole : has_masses (law_of_masses mass positive whole) mass.
Proof.
  split; [exact positive |]. intros f F. split; [| reflexivity]. simpl. destruct F as [c C].
  apply (ex_series_le (fun n => Rabs (f n * mass n)) (fun n => c * mass n)).
  - intro n. unfold norm; simpl. unfold abs; simpl. rewrite Rabs_Rabsolu, Rabs_mult, (Rabs_pos_eq (mass n)) by auto.
    apply Rmult_le_compat_r; [auto | apply Rabs_le, C].
  - apply (ex_series_scal (V := R_NormedModule) c mass). exists 1. exact whole.
Qed.
Lemma loss_above_plain {T : Type} t (p q : T -> R) : observable (s := plain T) (loss_above t p q).
Proof. apply (plain_event (loss_above t p q)). intro o. apply more_than_is. Qed.
Theorem loss_tail_to_approximate_countable {X} (near : X -> X -> Prop) (M : mechanism X (plain nat)) mass e d :
  (forall x, has_masses (M x) (mass x)) -> private near M (loss_tail e d) -> private near M (approximate e d).
Proof.
  intros has. apply (loss_tail_to_approximate (O := plain nat) near M counting mass e d counting_sees has).
  intros. apply (loss_above_plain (exp e) (mass x) (mass y)).
Qed.

(* ratio_to_pure: P(S) <= (e^e + d) Q(S) is pure DP with ln(e^e + d). *)
Theorem ratio_to_pure {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) e d :
  private near M (ratio e d) -> private near M (pure (ln (exp e + d))).
Proof.
  intros H x y n. pose proof (H x y n) as close. unfold pure, approximate, ratio in *.
  rewrite exp_ln; [exact close |].
  (* of the whole space: 1 <= e^e + d *)
  specialize (close (fun _ => 1) ltac:(split; [apply observable_constant | intro; lra])). rewrite !E_one in close. lra.
Qed.
(* pure_to_ratio: e-DP has the form P(S) <= (e^epsilon + d) Q(S), d = e^e - e^epsilon, for every epsilon <= e. *)
Theorem pure_to_ratio {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) e epsilon :
  epsilon <= e -> private near M (pure e) -> private near M (ratio epsilon (exp e - exp epsilon)).
Proof.
  intros _ H x y n. unfold ratio. replace (exp epsilon + (exp e - exp epsilon)) with (exp e) by ring. apply H, n.
Qed.
(* weaken, under ratio and loss_tail *)
Theorem weaken_ratio {O : space} (p q : law O) e d e' d' : e <= e' -> d <= d' -> ratio e d p q -> ratio e' d' p q.
Proof. intros A B. pose proof (exp_le _ _ A). apply within_weaker; lra. Qed.
Theorem weaken_loss_tail {O : space} (p q : law O) e d e' d' :
  e <= e' -> d <= d' -> loss_tail e d p q -> loss_tail e' d' p q.
Proof.
  intros A B H S T zero_or_one likelier. apply Rle_trans with d; [| exact B]. apply H; auto.
  intros f F below possible. apply Rle_lt_trans with (2 := likelier f F below possible).
  apply Rmult_le_compat_r; [apply (E_test q f F) | apply exp_le, A].
Qed.

(* instantiate: a claim for all values of its names, under conditions, at values that meet them. *)
Theorem instantiate {V W : Type} (conditions claim : V -> Prop) (values : W -> V) :
  (forall v, conditions v -> claim v) -> forall w, conditions (values w) -> claim (values w).
Proof. intros H w. apply H. Qed.

(* M has no finite loss between inputs that are so far apart, the first and the second in this order. *)
Definition loss_is_unbounded {X} {O : space} (apart : X -> X -> Prop) (M : mechanism X O) := forall x y, apart x y ->
  forall bound, exists S, event S /\ exp bound * E (M y) S < E (M x) S /\ 0 < E (M y) S.
(* never_private: neither pure DP nor the printed ratio holds of such inputs, whatever epsilon and delta are. *)
Theorem never_private {X} {O : space} (apart : X -> X -> Prop) (M : mechanism X O) :
  loss_is_unbounded apart M -> forall x y, apart x y -> forall epsilon, ~ pure epsilon (M x) (M y).
Proof.
  intros H x y n epsilon close. destruct (H x y n epsilon) as (S & T & more & _).
  specialize (close S (event_test S T)). lra.
Qed.
Theorem never_private_ratio {X} {O : space} (apart : X -> X -> Prop) (M : mechanism X O) :
  loss_is_unbounded apart M -> forall x y, apart x y -> forall epsilon delta, ~ ratio epsilon delta (M x) (M y).
Proof.
  intros H x y n epsilon delta close.
  assert (positive : 0 < exp epsilon + delta).
  { specialize (close (fun _ => 1) ltac:(split; [apply observable_constant | intro; lra])). rewrite !E_one in close.
    lra. }
  destruct (H x y n (ln (exp epsilon + delta))) as (S & T & more & _). rewrite exp_ln in more by exact positive.
  specialize (close S (event_test S T)). lra.
Qed.
(* So no claim of pure DP, or of the printed ratio, about inputs that may be so far apart is true. *)
Theorem never_private_claim {X} {O : space} (apart near : X -> X -> Prop) (M : mechanism X O) epsilon delta :
  loss_is_unbounded apart M -> (forall x y, apart x y -> near x y) -> (exists x y, apart x y) ->
  ~ private near M (pure epsilon) /\ ~ private near M (ratio epsilon delta).
Proof.
  intros H inside (x & y & n). split; intro false.
  - apply (never_private apart M H x y n epsilon), false, inside, n.
  - apply (never_private_ratio apart M H x y n epsilon delta), false, inside, n.
Qed.

(* ---- Noise: x + Z, where Z has the density exp(log_weight(z)) / N with respect to a sum or an integral ---- *)
Definition adds_noise {O : space} (I : integral R) (value : O -> R) (log_weight : R -> R) (M : mechanism R O) :=
  integrable I (fun z => exp (log_weight z)) /\ 0 < I (fun z => exp (log_weight z)) /\
  forall x f, observable (fun o => f (value o)) ->
    integrable I (fun z => f (x + z) * exp (log_weight z)) /\
    E (M x) (fun o => f (value o)) = I (fun z => f (x + z) * exp (log_weight z)) / I (fun z => exp (log_weight z)).
(* Whether a number is above or below another one, or just that, is an event. *)
Definition tells_half_lines {O : space} (value : O -> R) := forall c,
  observable (fun o => at_least c (value o)) /\ observable (fun o => more_than c (value o)).
Lemma at_most_is_not_more c s : at_most c s = 1 - more_than c s.
Proof. unfold at_most, more_than. destruct (Rle_dec s c), (Rlt_dec c s); lra. Qed.
Lemma tells_half_lines_below {O : space} (value : O -> R) c :
  tells_half_lines value -> observable (fun o => at_most c (value o)).
Proof.
  intro H. apply (observable_same O (fun o => 1 - more_than c (value o))).
  - intro. symmetry. apply at_most_is_not_more.
  - apply observable_difference; [apply observable_constant | apply H].
Qed.
Lemma plain_tells_half_lines {T : Type} (value : T -> R) : tells_half_lines (O := plain T) value.
Proof.
  intro c. split; [apply (plain_event (fun o => at_least c (value o))); intro; apply at_least_is |
                   apply (plain_event (fun o => more_than c (value o))); intro; apply more_than_is].
Qed.

(* unbounded_loss: if from far_output down the loss between 0 and d_in exceeds any bound, then noise has no finite loss
   between inputs d_in apart: at any a and a + d_in. *)
Section unbounded_loss.
  Context {O : space} (I : integral R) (value : O -> R) (log_weight : R -> R) (M : mechanism R O).
  Variables (far_output : R -> R -> R) (d_in : R).
  Hypothesis noise : adds_noise I value log_weight M.
  Hypothesis half_lines : tells_half_lines value.
  Hypothesis distance_positive : 0 < d_in.
  Hypothesis moved : moves_by I d_in.
  (* Positive weights have a positive sum, or integral, over half-lines. *)
  Hypothesis weighs_half_lines : forall c, integrable I (fun z => at_most c z * exp (log_weight z)) ->
    0 < I (fun z => at_most c z * exp (log_weight z)).
  Hypothesis loss_exceeds_every_bound : forall h bound, 0 <= bound -> 0 <= h ->
    bound < log_weight (far_output bound d_in - h) - log_weight (far_output bound d_in - h - d_in).

  Theorem unbounded_loss : loss_is_unbounded (fun a b => b = a + d_in) M.
  Proof.
    destruct noise as (_ & N & law). intros a b -> bound.
    set (B := Rmax 0 (bound + 1)). pose proof (Rmax_l 0 (bound + 1)) as B0. pose proof (Rmax_r 0 (bound + 1)) as B1.
      fold B in B0, B1.
    set (far := far_output B d_in). set (W z := exp (log_weight z)) in *.
    assert (S : observable (fun o => at_most (a + far) (value o))) by (apply tells_half_lines_below, half_lines).
    destruct (law a (at_most (a + far)) S) as [A1 A2]. destruct (law (a + d_in) (at_most (a + far)) S) as [C1 C2].
    exists (fun o => at_most (a + far) (value o)).
    split; [split; [exact S | intro; apply at_most_is] |]. rewrite A2, C2. clear A2 C2.
    assert (here : forall z, at_most (a + far) (a + z) = at_most far z).
    { intro z. unfold at_most. destruct (Rle_dec _ _), (Rle_dec _ _); lra. }
    assert (there : forall z, at_most (a + far) (a + d_in + z) = at_most (far - d_in) z).
    { intro z. unfold at_most. destruct (Rle_dec _ _), (Rle_dec _ _); lra. }
    pose proof (integrable_same I _ (fun z => at_most far z * W z) (fun z => f_equal (fun t => t * W z) (here z)) A1)
      as A3.
    pose proof (integrable_same I _ (fun z => at_most (far - d_in) z * W z)
      (fun z => f_equal (fun t => t * W z) (there z)) C1) as C3.
    rewrite (integral_same I _ (fun z => at_most far z * W z) A1) by (intro; unfold W; rewrite here; reflexivity).
    rewrite (integral_same I _ (fun z => at_most (far - d_in) z * W z) C1) by
      (intro; unfold W; rewrite there; reflexivity).
    pose proof (weighs_half_lines (far - d_in) C3) as Q.
    assert (more : exp B * I (fun z => at_most (far - d_in) z * W z) <= I (fun z => at_most far z * W z)).
    { (* move the half-line of the second input by d_in, where each weight is at least e^B times as large *)
      assert (same : forall z, at_most far (z + d_in) * W (z + d_in) = at_most (far - d_in) z * W (z + d_in)).
      { intro z. f_equal. unfold at_most. destruct (Rle_dec _ _), (Rle_dec _ _); lra. }
      destruct (moved _ _ A3 eq_refl) as [A4 <-].
      rewrite <- integral_multiple by exact C3. apply integral_monotone; [apply integrable_multiple, C3 | exact A4 |].
      intro z. rewrite same. unfold at_most, W. destruct (Rle_dec z (far - d_in)) as [below |]; [| lra].
      rewrite !Rmult_1_l, <- exp_plus. apply exp_le.
      pose proof (loss_exceeds_every_bound (far - d_in - z) B B0 ltac:(lra)) as L. fold far in L.
      replace (far - (far - d_in - z)) with (z + d_in) in L by ring. replace (z + d_in - d_in) with z in L by ring.
        lra. }
    assert (positive : 0 < I (fun z => at_most (far - d_in) z * W z) / I W) by (apply Rdiv_lt_0_compat; assumption).
    split; [| exact positive].
    apply Rlt_le_trans with (exp B * (I (fun z => at_most (far - d_in) z * W z) / I W)).
    - apply Rmult_lt_compat_r; [exact positive | apply exp_increasing; lra].
    - unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, N | exact more].
  Qed.
End unbounded_loss.

(* Half-lines hold points of a grid, and intervals of the line. *)
Lemma grid_weighs_half_lines granularity log_weight c : 0 < granularity ->
  integrable (grid granularity) (fun z => at_most c z * exp (log_weight z)) ->
  0 < grid granularity (fun z => at_most c z * exp (log_weight z)).
Proof.
  intros G F. pose (k := (up (c / granularity) - 1)%Z).
  assert (below : IZR k * granularity <= c).
  { unfold k. rewrite minus_IZR. destruct (archimed (c / granularity)) as [_ A].
    replace c with (c / granularity * granularity) at 2 by (field; lra). apply Rmult_le_compat_r; lra. }
  apply Rlt_le_trans with (at_most c (IZR k * granularity) * exp (log_weight (IZR k * granularity))).
  - unfold at_most. destruct (Rle_dec (IZR k * granularity) c); [| lra]. rewrite Rmult_1_l. apply exp_pos.
  - apply (Grid.total_at_least (fun k => at_most c (IZR k * granularity) * exp (log_weight (IZR k * granularity))));
      [exact F |]. intro j. apply Rmult_le_pos; [destruct (at_most_is c (IZR j * granularity)); lra | left;
        apply exp_pos].
Qed.
Definition in_interval (a b x : R) := at_least a x * at_most b x.
Lemma in_interval_is a b x : in_interval a b x = 0 \/ in_interval a b x = 1.
Proof. unfold in_interval. destruct (at_least_is a x) as [-> | ->], (at_most_is b x) as [-> | ->]; lra. Qed.
Lemma in_interval_outside a b x : x < a \/ b < x -> in_interval a b x = 0.
Proof. unfold in_interval, at_least, at_most. destruct (Rle_dec a x), (Rle_dec x b); lra. Qed.
Lemma in_interval_inside a b x : a <= x <= b -> in_interval a b x = 1.
Proof. unfold in_interval, at_least, at_most. destruct (Rle_dec a x), (Rle_dec x b); lra. Qed.
Lemma line_on_interval f a b l : a <= b -> is_RInt f a b l -> is_on_line (fun x => in_interval a b x * f x) l.
Proof.
  intros order F. apply (line_of_interval _ a b l order).
  - intros x outside. rewrite in_interval_outside by exact outside. ring.
  - apply (is_RInt_ext f); [| exact F]. rewrite Rmin_left, Rmax_right by exact order.
    intros x X. rewrite in_interval_inside by lra. symmetry. apply Rmult_1_l.
Qed.
Lemma line_weighs_half_lines (log_weight : R -> R) c : (forall z, continuous log_weight z) ->
  integrable line (fun z => at_most c z * exp (log_weight z)) ->
  0 < line (fun z => at_most c z * exp (log_weight z)).
Proof.
  intros smooth F. set (W z := exp (log_weight z)).
  assert (C : forall z, continuous W z).
  { intro z. apply (continuous_comp log_weight exp); [apply smooth |]. apply continuity_pt_filterlim,
    derivable_continuous_pt, derivable_pt_exp. }
  assert (X : ex_RInt W (c - 1) c) by (apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply C).
  destruct (line_is _ _ (line_on_interval W (c - 1) c _ ltac:(lra)
    (RInt_correct (V := R_CompleteNormedModule) W _ _ X))) as [A B].
  apply Rlt_le_trans with (RInt W (c - 1) c).
  - apply RInt_gt_0; [lra | intros; apply exp_pos | intros; apply C].
  - rewrite <- B. apply integral_monotone; [exact A | exact F |]. intro z. pose proof (exp_pos (log_weight z)).
    fold (W z) in *.
    unfold in_interval, at_least, at_most. destruct (Rle_dec (c - 1) z), (Rle_dec z c); lra.
Qed.
Theorem unbounded_loss_on_a_grid {O : space} granularity (value : O -> R) log_weight (M : mechanism R O) far_output
    d_in :
  0 < granularity -> adds_noise (grid granularity) value log_weight M -> tells_half_lines value ->
  0 < d_in -> multiple d_in granularity ->
  (forall h bound, 0 <= bound -> 0 <= h ->
    bound < log_weight (far_output bound d_in - h) - log_weight (far_output bound d_in - h - d_in)) ->
  loss_is_unbounded (fun a b => b = a + d_in) M.
Proof.
  intros G noise half positive whole exceeds. apply (unbounded_loss (grid granularity) value log_weight M far_output
    d_in); auto.
  - apply grid_moves, whole.
  - intros c F. apply grid_weighs_half_lines; assumption.
Qed.
Theorem unbounded_loss_on_the_line {O : space} (value : O -> R) log_weight (M : mechanism R O) far_output d_in :
  (forall z, continuous log_weight z) -> adds_noise line value log_weight M -> tells_half_lines value -> 0 < d_in ->
  (forall h bound, 0 <= bound -> 0 <= h ->
    bound < log_weight (far_output bound d_in - h) - log_weight (far_output bound d_in - h - d_in)) ->
  loss_is_unbounded (fun a b => b = a + d_in) M.
Proof.
  intros smooth noise half positive exceeds. apply (unbounded_loss line value log_weight M far_output d_in); auto.
  - apply line_moves.
  - intros c F. apply line_weighs_half_lines; assumption.
Qed.

(* ---- Refutations by densities ---- *)
Section denser_elsewhere.
  Context {O : space} {T : UniformSpace} (I : integral T) (value : O -> T) (P Q : law O) (p q : T -> R) (y : T).
  Hypothesis P_density : has_density I value P p.
  Hypothesis Q_density : has_density I value Q q.
  (* Each neighbourhood of the output holds an event that has a length, area, or volume. *)
  Hypothesis charged : forall near : T -> Prop, locally y near -> exists S : T -> R,
    event (fun o => S (value o)) /\ (forall t, S t <> 0 -> near t) /\ integrable I S /\ 0 < I S.
  Hypothesis values_are : forall t, exists o, value o = t.

  Lemma indicator_is (S : T -> R) t : event (fun o => S (value o)) -> S t = 0 \/ S t = 1.
  Proof. intros [_ V]. destruct (values_are t) as [o <-]. apply V. Qed.

  (* denser_elsewhere: the densities are continuous at the output, and the logarithm of their ratio is more than
     epsilon. *)
  Theorem denser_elsewhere epsilon :
    continuous p y -> continuous q y -> 0 < p y -> 0 < q y -> epsilon < ln (p y / q y) -> ~ pure epsilon P Q.
  Proof.
    intros cp cq py qy denser close. set (t := exp epsilon).
    assert (more : t * q y < p y).
    { apply exp_increasing in denser. rewrite exp_ln in denser by (apply Rdiv_lt_0_compat; assumption).
      fold t in denser.
      apply (Rmult_lt_compat_r (q y)) in denser; [| exact qy]. replace (p y / q y * q y) with (p y) in denser by
        (field; lra).
      exact denser. }
    pose (c := (p y - t * q y) / 2). pose (g z := minus (p z) (scal t (q z))).
    assert (cg : continuous g y) by (apply (continuous_minus p (fun z => scal t (q z)));
      [exact cp | apply (continuous_scal_r t q), cq]).
    destruct (charged (fun z => c < g z)) as (S & ev & inside & S1 & S2).
    { apply (cg (fun r => c < r)). apply open_gt. change (c < p y - t * q y). unfold c. lra. }
    destruct (proj2 P_density S (proj1 ev)) as [A E1]. destruct (proj2 Q_density S (proj1 ev)) as [B E2].
    specialize (close _ (event_test _ ev)). fold t in close. rewrite E1, E2, <- integral_multiple in close by exact B.
    assert (c * I S <= I (fun z => S z * p z) - I (fun z => t * (S z * q z))).
    { rewrite <- integral_difference, <- integral_multiple; auto; [| apply integrable_multiple, B].
      apply integral_monotone; [apply integrable_multiple, S1 | |].
      - apply integrable_difference; [exact A | apply integrable_multiple, B].
      - intro z. destruct (indicator_is S z ev) as [zero | one]; [rewrite zero; lra |].
        specialize (inside z ltac:(lra)). change (c < p z - t * q z) in inside. rewrite one. lra. }
    assert (0 < c * I S) by (apply Rmult_lt_0_compat; [unfold c; lra | exact S2]). lra.
  Qed.
  (* The density of the second is 0 around the output, that of the first is not. *)
  Theorem denser_elsewhere_than_nowhere epsilon :
    continuous p y -> 0 < p y -> locally y (fun z => q z = 0) -> ~ pure epsilon P Q.
  Proof.
    intros cp py none close.
    destruct (charged (fun z => p y / 2 < p z /\ q z = 0)) as (S & ev & inside & S1 & S2).
    { apply filter_and; [| exact none]. apply (cp (fun r => p y / 2 < r)), open_gt. lra. }
    destruct (proj2 P_density S (proj1 ev)) as [A E1]. destruct (proj2 Q_density S (proj1 ev)) as [B E2].
    specialize (close _ (event_test _ ev)). rewrite E1, E2 in close.
    assert (zero : I (fun z => S z * q z) = 0).
    { rewrite <- (integral_zero I _ B). apply integral_same; [exact B |].
      intro z. destruct (indicator_is S z ev) as [-> | one]; [ring |]. rewrite (proj2 (inside z ltac:(lra))). ring. }
    assert (p y / 2 * I S <= I (fun z => S z * p z)).
    { rewrite <- integral_multiple by exact S1. apply integral_monotone; [apply integrable_multiple, S1 | exact A |].
      intro z. destruct (indicator_is S z ev) as [-> | one]; [lra |]. destruct (inside z ltac:(lra)). rewrite one.
        lra. }
    assert (0 < p y / 2 * I S) by (apply Rmult_lt_0_compat; lra). rewrite zero in close. lra.
  Qed.
End denser_elsewhere.
Lemma line_charges {O : space} (value : O -> R) y : tells_half_lines value ->
  forall near : R -> Prop, locally y near -> exists S : R -> R,
    event (fun o => S (value o)) /\ (forall t, S t <> 0 -> near t) /\ integrable line S /\ 0 < line S.
Proof.
  intros half near [[r positive] inside]. simpl in inside. exists (fun x => in_interval (y - r / 2) (y + r / 2) x * 1).
  destruct (line_is _ _ (line_on_interval (fun _ => 1) (y - r / 2) (y + r / 2) _ ltac:(lra)
    (is_RInt_const (V := R_NormedModule) (y - r / 2) (y + r / 2) 1))) as [A B].
  repeat split.
  - apply (observable_same O (fun o => at_least (y - r / 2) (value o) * at_most (y + r / 2) (value o))).
    + intro o. unfold in_interval. ring.
    + apply observable_product; [apply half | apply tells_half_lines_below, half].
  - intro o. rewrite Rmult_1_r. apply in_interval_is.
  - intros t T. apply inside. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
    destruct (Rlt_le_dec t (y - r / 2)); [exfalso; apply T; rewrite in_interval_outside by auto; ring |].
    destruct (Rlt_le_dec (y + r / 2) t); [exfalso; apply T; rewrite in_interval_outside by auto; ring |].
    apply Rabs_def1; lra.
  - exact A.
  - rewrite B. change (0 < (y + r / 2 - (y - r / 2)) * 1). lra.
Qed.

(* wrong_normaliser: if the integral of exp(w) is N, and at some parameters N is not the normaliser of a stated density
   exp(w) / N', then that does not integrate to 1 for all parameters. *)
Theorem wrong_normaliser {V : Type} (I : integral R) (conditions : V -> Prop) (log_weight : V -> R -> R)
    (normaliser stated : V -> R) (values : V) :
  (forall v, conditions v -> integrable I (fun z => exp (log_weight v z)) /\
    I (fun z => exp (log_weight v z)) = normaliser v) ->
  conditions values -> stated values <> 0 -> normaliser values - stated values <> 0 ->
  ~ forall v, conditions v -> I (fun z => exp (log_weight v z) / stated v) = 1.
Proof.
  intros integral_is_the_normaliser met some other normalised.
  destruct (integral_is_the_normaliser values met) as [A B]. specialize (normalised values met).
  rewrite <- (integral_same I (fun z => / stated values * exp (log_weight values z))) in normalised;
    [| apply integrable_multiple, A | intro; unfold Rdiv; ring].
  rewrite integral_multiple, B in normalised by exact A. apply other.
  assert (normaliser values = stated values * (/ stated values * normaliser values)) by (field; exact some).
  rewrite normalised in *. lra.
Qed.

(* ---- Refutations by events ---- *)

(* likelier_far_out: for Laplace's or normal noise scaled to a bound, v + scale S Z, the outcome falls beyond two ends
   with too large a probability under one of two neighbours. *)
Section likelier_far_out.
  Context {O P : space} (noise : O -> R) (value : P -> R) (Z : law O) (scale : R) (M : mechanism (R * R) P).
  Variable tail : R -> R.
  Hypothesis half_lines : tells_half_lines noise.
  Hypothesis half_lines' : tells_half_lines value.
  (* P[Z >= z] = tail(z), and Z is symmetric. *)
  Hypothesis tail_is : forall z, E Z (fun o => at_least z (noise o)) = tail z.
  Hypothesis symmetric : forall z, E Z (fun o => at_most (- z) (noise o)) = tail z.
  (* A single point has probability 0. *)
  Hypothesis no_point_weighs : forall z, tail z + tail (- z) = 1.
  (* M(v, S) = v + scale S Z *)
  Hypothesis scaled : forall v S f, observable (fun o => f (value o)) ->
    observable (fun o => f (v + scale * S * noise o)) ->
    E (M (v, S)) (fun o => f (value o)) = E Z (fun o => f (v + scale * S * noise o)).
  Hypothesis scale_positive : 0 < scale.

  Definition probability_beyond (below above : R) (x : R * R) : R :=
    tail ((above - fst x) / (scale * snd x)) + tail ((fst x - below) / (scale * snd x)).
  Definition beyond (below above y : R) : R := Rmax (at_most below y) (at_least above y).

  Lemma beyond_test below above : test (fun o => beyond below above (value o)).
  Proof.
    split; [apply observable_greatest; [apply tells_half_lines_below, half_lines' | apply half_lines'] |].
    intro o. unfold beyond. destruct (at_most_is below (value o)) as [-> | ->],
      (at_least_is above (value o)) as [-> | ->];
      unfold Rmax; destruct (Rle_dec _ _); lra.
  Qed.
  Lemma far_out below above v S : below <= above -> 0 < S ->
    E (M (v, S)) (fun o => beyond below above (value o)) = probability_beyond below above (v, S).
  Proof.
    intros [order | <-] positive; set (w := scale * S); assert (W : 0 < w) by (apply Rmult_lt_0_compat; assumption).
    2: { (* the ends are one point: all outcomes are beyond it *)
      transitivity (E (M (v, S)) (fun _ => 1)).
      - apply E_same; [apply beyond_test |]. intro o. unfold beyond, at_most, at_least.
        destruct (Rle_dec (value o) below), (Rle_dec below (value o)); 
          unfold Rmax; cbv beta; destruct (Rle_dec _ _); lra.
      - rewrite E_one. unfold probability_beyond. simpl. fold w.
        replace ((v - below) / w) with (- ((below - v) / w)) by (field; lra). symmetry. apply no_point_weighs. }
    assert (apart : forall y, beyond below above y = at_least above y + at_most below y).
    { intro y. unfold beyond, at_most, at_least, Rmax. destruct (Rle_dec y below), (Rle_dec above y), (Rle_dec _ _);
      lra. }
    assert (up : forall z, at_least above (v + w * z) = at_least ((above - v) / w) z).
    { intro z. unfold at_least.
      assert (above <= v + w * z <-> (above - v) / w <= z) as same.
      { split; intro H.
        - apply (Rmult_le_reg_r w); [exact W |]. replace ((above - v) / w * w) with (above - v) by (field; lra). lra.
        - apply (Rmult_le_compat_r w) in H; [| lra]. replace ((above - v) / w * w) with (above - v) in H by
          (field; lra). lra. }
      destruct (Rle_dec _ _), (Rle_dec _ _); tauto. }
    assert (down : forall z, at_most below (v + w * z) = at_most (- ((v - below) / w)) z).
    { intro z. unfold at_most.
      assert (v + w * z <= below <-> z <= - ((v - below) / w)) as same.
      { split; intro H.
        - apply (Rmult_le_reg_r w); [exact W |]. replace (- ((v - below) / w) * w) with (below - v) by (field; lra).
          lra.
        - apply (Rmult_le_compat_r w) in H; [| lra]. replace (- ((v - below) / w) * w) with (below - v) in H by
          (field; lra). lra. }
      destruct (Rle_dec _ _), (Rle_dec _ _); tauto. }
    rewrite (E_same _ _ (fun o => at_least above (value o) + at_most below (value o)));
      [| apply beyond_test | intro; apply apart].
    rewrite E_sum; [| apply half_lines' | apply tells_half_lines_below, half_lines'].
    assert (U : observable (fun o => at_least above (v + scale * S * noise o))).
    { apply (observable_same O (fun o => at_least ((above - v) / w) (noise o)));
      [intro; symmetry; apply up | apply half_lines]. }
    assert (D : observable (fun o => at_most below (v + scale * S * noise o))).
    { apply (observable_same O (fun o => at_most (- ((v - below) / w)) (noise o))); [intro; symmetry; apply down |].
      apply tells_half_lines_below, half_lines. }
    rewrite (scaled v S (at_least above)), (scaled v S (at_most below));
      [| apply tells_half_lines_below, half_lines' | exact D | apply half_lines' | exact U].
    unfold probability_beyond. simpl. f_equal.
    - rewrite <- tail_is. apply E_same; [exact U | intro; apply up].
    - rewrite <- symmetric. apply E_same; [exact D | intro; apply down].
  Qed.

  Theorem likelier_far_out (near : R * R -> R * R -> Prop) epsilon delta (a b : R * R) below above :
    near a b -> 0 < snd a -> 0 < snd b -> below <= above ->
    exp epsilon * probability_beyond below above b + delta < probability_beyond below above a ->
    ~ private near M (approximate epsilon delta).
  Proof.
    intros n A B order more H. specialize (H a b n _ (beyond_test below above)).
    destruct a as [v S], b as [u T]. rewrite !far_out in H by assumption. lra.
  Qed.
End likelier_far_out.

(* likelier_in_some_round: that some of k independent rounds has an outcome in the event has the probability
   1 - (1 - p)^k. *)
Lemma in_some_round {J O : space} k (P : law J) (draw : nat -> J -> O) (laws : nat -> law O) (S : O -> R) :
  independent_draws k P draw laws -> test S ->
  test (fun j => 1 - product_below k (fun i => 1 - S (draw i j))) /\
  E P (fun j => 1 - product_below k (fun i => 1 - S (draw i j))) = 1 - product_below k (fun i => 1 - E (laws i) S).
Proof.
  intros independent T. pose proof (test_complement S T) as C.
  assert (B : observable (fun j => product_below k (fun i => 1 - S (draw i j)))).
  { apply (observable_product_below k (fun i j => 1 - S (draw i j))). intros i I.
    apply (draw_observable _ _ _ _ independent i (fun o => 1 - S o) I), C. }
  split; [split |].
  - apply observable_difference; [apply observable_constant | exact B].
  - intro j. assert (0 <= product_below k (fun i => 1 - S (draw i j)) <= 1); [| lra].
    split; [apply product_below_nonnegative; intros; apply (proj2 C) |].
    apply Rle_trans with (product_below k (fun _ => 1)); [apply product_below_le; intros; apply (proj2 C) |].
    rewrite product_below_constant, pow1. lra.
  - rewrite E_difference, E_constant; [| apply observable_constant | exact B]. f_equal.
    rewrite (draws_multiply _ _ _ _ independent (fun _ o => 1 - S o)) by (intros; apply C).
    apply product_below_same. intros i _. rewrite E_difference, E_constant;
      [reflexivity | apply observable_constant | apply T].
Qed.
(* repeated(M, k): k independent draws from M(x). *)
Definition repeats {X} {J O : space} (k : nat) (rounds : mechanism X J) (draw : nat -> J -> O) (M : mechanism X O) :=
  forall x, independent_draws k (rounds x) draw (fun _ => M x).
Theorem likelier_in_some_round {X} {J O : space} (near : X -> X -> Prop) k (rounds : mechanism X J) draw
    (M : mechanism X O)
    epsilon delta a b (S : O -> R) p q :
  repeats k rounds draw M -> near a b -> test S -> E (M a) S = p -> E (M b) S = q ->
  exp epsilon * (1 - (1 - q) ^ k) + delta < 1 - (1 - p) ^ k ->
  ~ private near rounds (approximate epsilon delta).
Proof.
  intros independent n T <- <- more H.
  destruct (in_some_round k (rounds a) draw _ S (independent a) T) as [tested A].
  destruct (in_some_round k (rounds b) draw _ S (independent b) T) as [_ B].
  rewrite product_below_constant in A, B. specialize (H a b n _ tested). rewrite A, B in H. lra.
Qed.
(* The same of mapped_rounds(M, k), where somebody chooses a map of the rows before each round in view of the outcomes
   before: a claim is about every choice, and the map of a row to itself is one. *)
Fixpoint mapped_rounds {Row T : Type} (o : T) (M : list Row -> law (plain T)) (k : nat)
    (choose : nat -> (nat -> T) -> Row -> Row) (x : list Row) : law (plain (nat -> T)) :=
  match k with
  | 0%nat => certain (O := plain (nat -> T)) (fun _ => o)
  | S m => then_run (mapped_rounds o M m choose x) (plain_kernel (fun before =>
             then_run (M (map (choose m before) x)) (plain_kernel
               (fun b => certain (O := plain (nat -> T)) (put before m b)))))
  end.
Lemma unmapped_rounds {Row T : Type} (o : T) (M : list Row -> law (plain T)) k x :
  mapped_rounds o M k (fun _ _ row => row) x = drawn o k (fun _ => M x).
Proof. induction k; [reflexivity |]. simpl. rewrite IHk, map_id. reflexivity. Qed.
Theorem likelier_in_some_mapped_round {Row T : Type} (near : list Row -> list Row -> Prop) o k
    (M : list Row -> law (plain T))
    epsilon delta a b (S : T -> R) p q :
  near a b -> test (O := plain T) S -> E (M a) S = p -> E (M b) S = q ->
  exp epsilon * (1 - (1 - q) ^ k) + delta < 1 - (1 - p) ^ k ->
  ~ forall choose, private near (mapped_rounds o M k choose) (approximate epsilon delta).
Proof.
  intros n T1 P Q more H. specialize (H (fun _ _ row => row)).
  refine (likelier_in_some_round (J := plain (nat -> T)) (O := plain T) near k
    (fun x => drawn o k (fun _ => M x)) (fun i y => y i) M epsilon delta a b S p q _ n T1 P Q more _).
  - intro x. apply drawn_independent.
  - intros x y N. rewrite <- !unmapped_rounds. apply (H x y N).
Qed.

(* A coin that shows a bit with probability 3/4, and its opposite else: that some of two throws shows true is 15/16
   under
   true, and 7/16 under false, more than (3/2) 7/16. *)
Example two_throws : ~ private (fun x y : bool => True)
  (fun x => drawn false 2 (fun _ => coin (if x then 3 / 4 else 1 / 4))) (approximate 0 (1 / 4)).
Proof.
  apply (likelier_in_some_round (J := plain (nat -> bool)) (O := plain bool) _ 2 _ (fun i y => y i)
    (fun x : bool => coin (if x then 3 / 4 else 1 / 4)) 0 (1 / 4) true false (fun bit : bool => if bit then 1 else 0)
      (3 / 4) (1 / 4)).
  - intro x. apply drawn_independent.
  - exact Logic.I.
  - apply event_test, (plain_event (fun bit : bool => if bit then 1 else 0)). intros [|]; auto.
  - rewrite E_coin; lra.
  - rewrite E_coin; lra.
  - rewrite exp_0. simpl. lra.
Qed.

(* Noise.v's additive noise on a grid is x + Z in this sense. *)
Lemma noise_on_a_grid log_weight granularity S :
  adds_noise (O := plain R) (grid granularity) (fun y => y) log_weight (Noise.add_noise log_weight granularity S).
Proof.
  split; [exact S |]. split; [apply (Grid.total_positive _ S); intro; apply exp_pos |].
  intros x f [c C]. split; [| reflexivity].
  apply (Grid.summable_bounded_times (fun k => f (x + IZR k * granularity))); [exists c; intro; apply C | exact S].
Qed.
(* Discrete Gaussian noise is never private under pure DP, whatever its deviation. *)
Lemma gaussian_tail_is_geometric sigma granularity : 0 < sigma -> 0 < granularity ->
  Noise.tail_is_geometric (fun z => - z ^ 2 / (2 * sigma ^ 2)) 1 (sigma ^ 2 / 2) granularity.
Proof.
  intros S G z. assert (0 < sigma ^ 2) by (apply pow_lt, S). repeat split; [| lra | exact G].
  assert (same : sigma ^ 2 / 2 - 1 * Rabs z - - z ^ 2 / (2 * sigma ^ 2) = (Rabs z - sigma ^ 2) ^ 2 * / (2 * sigma ^ 2)).
  { rewrite <- (pow2_abs z). field. lra. }
  assert (0 <= (Rabs z - sigma ^ 2) ^ 2 * / (2 * sigma ^ 2)); [| lra].
  apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra].
Qed.
Example discrete_gaussian_is_never_private sigma granularity (S : 0 < sigma) (G : 0 < granularity) epsilon a :
  let M := Noise.add_noise _ granularity (Noise.weights_summable _ _ _ _
    (gaussian_tail_is_geometric sigma granularity S G)) in
  ~ pure epsilon (M a) (M (a + granularity)).
Proof.
  intro M. apply (never_private (fun a b => b = a + granularity) M); [| reflexivity].
  refine (unbounded_loss_on_a_grid (O := plain R) granularity (fun y => y) _ M
    (fun bound d_in => - (sigma ^ 2 * bound / d_in)) granularity G _ _ G _ _).
  - apply noise_on_a_grid.
  - apply plain_tells_half_lines.
  - exists 1%Z. ring.
  - intros h bound B H. assert (0 < sigma ^ 2) by (apply pow_lt, S).
    set (y := - (sigma ^ 2 * bound / granularity) - h).
    assert (same : - y ^ 2 / (2 * sigma ^ 2) - - (y - granularity) ^ 2 / (2 * sigma ^ 2) =
      bound + (granularity ^ 2 + 2 * h * granularity) * / (2 * sigma ^ 2)) by (unfold y; field; lra).
    cbv beta. fold y. rewrite same.
    assert (0 < (granularity ^ 2 + 2 * h * granularity) * / (2 * sigma ^ 2)); [| lra].
    apply Rmult_lt_0_compat; [| apply Rinv_0_lt_compat; lra]. assert (0 < granularity ^ 2) by (apply pow_lt, G). nra.
Qed.
(* Geometric masses 1/2, 1/4, ... and the same a step further: the loss is ln 2, or infinite, with probability 1/2. *)

(* Line.v's additive noise on the reals is x + Z in this sense, and its outcomes tell half-lines. *)
Lemma noise_on_the_line log_weight rate offset C T :
  adds_noise (O := Line.line) line (fun y => y) log_weight (Line.add_line_noise log_weight rate offset C T).
Proof.
  assert (W : Line.dominated (fun z => exp (log_weight z))).
  { destruct (Line.line_weight_dominated log_weight rate offset C T 0) as (F & c & r & R0 & B). split.
    - apply (Line.integrable_same (fun y => exp (log_weight (y - 0))));
      [intro; rewrite Rminus_0_r; reflexivity | exact F].
    - exists c, r. split; [exact R0 |]. intro z. specialize (B z). rewrite Rminus_0_r in B. exact B. }
  split; [exists (Line.integral (fun z => exp (log_weight z))); exact (Line.integral_correct _ W) |].
  split; [exact (Line.line_total_positive log_weight rate offset C T) |]. intros x f F.
  pose proof (Line.integral_correct _ (Line.line_observed log_weight rate offset C T f x F)) as A.
  destruct (line_is _ _ A) as [B1 B2]. destruct (line_moves x _ _ B1 B2) as [D1 D2].
  assert (same : forall z, f (z + x) * exp (log_weight (z + x - x)) = f (x + z) * exp (log_weight z)).
  { intro z. rewrite (Rplus_comm z x). replace (x + z - x) with z by ring. reflexivity. }
  split; [apply (integrable_same line _ _ same D1) |].
  rewrite <- (integral_same line _ _ D1 same), D2. reflexivity.
Qed.
Lemma line_tells_half_lines : tells_half_lines (O := Line.line) (fun y => y).
Proof.
  intro c. split.
  - split; [exists 1; intro x; destruct (at_least_is c x) as [-> | ->]; lra |]. intros a b.
    assert (to : forall d, ex_RInt (at_least c) c d).
    { intro d. destruct (Rle_lt_dec c d) as [up | down].
      - apply (ex_RInt_ext (fun _ => 1)); [| apply ex_RInt_const].
        rewrite Rmin_left, Rmax_right by exact up. intros x X. unfold at_least. destruct (Rle_dec c x); lra.
      - apply (ex_RInt_ext (fun _ => 0)); [| apply ex_RInt_const].
        rewrite Rmin_right, Rmax_left by lra. intros x X. unfold at_least. destruct (Rle_dec c x); lra. }
    apply (ex_RInt_Chasles _ a c b); [apply ex_RInt_swap, to | apply to].
  - apply (observable_same Line.line (fun x => 1 - at_most c x)).
    + intro x. rewrite at_most_is_not_more. ring.
    + apply observable_difference; [apply observable_constant | exact (Line.half_line_observable c)].
Qed.
(* The density of noise on the line at an input. *)
Lemma line_noise_density log_weight rate offset C T x :
  has_density (O := Line.line) line (fun y => y) (Line.add_line_noise log_weight rate offset C T x)
    (fun y => exp (log_weight (y - x)) / line (fun z => exp (log_weight z))).
Proof.
  destruct (noise_on_the_line log_weight rate offset C T) as (_ & N & _).
    set (N0 := line (fun z => exp (log_weight z))) in *.
  split; [intro y; apply Rmult_le_pos; left; [apply exp_pos | apply Rinv_0_lt_compat, N] |]. intros f F.
  pose proof (Line.integral_correct _ (Line.line_observed log_weight rate offset C T f x F)) as A.
  destruct (line_is _ _ A) as [B1 B2].
  assert (same : forall y, / N0 * (f y * exp (log_weight (y - x))) = f y * (exp (log_weight (y - x)) / N0)) by
    (intro; unfold Rdiv; ring).
  split; [apply (integrable_same line _ _ same), integrable_multiple, B1 |].
  rewrite <- (integral_same line _ _ (integrable_multiple line (/ N0) _ B1) same), integral_multiple, B2 by exact B1.
  change (Line.integral (fun y => f y * exp (log_weight (y - x))) / N0 =
    / N0 * Line.integral (fun y => f y * exp (log_weight (y - x)))).
  apply Rmult_comm.
Qed.
(* Laplace noise of scale 2 is not (1/4)-DP at distance 1: at the output -1 the logarithm of the ratio is 1/2. *)
Example laplace_is_denser (two : 0 < 2) : ~ pure (1 / 4) (Line.laplace 2 two 0) (Line.laplace 2 two 1).
Proof.
  set (w z := - Rabs z / 2). set (N := line (fun z => exp (w z))).
  destruct (noise_on_the_line w _ _ (Line.laplace_continuous 2) (Line.laplace_tail 2 two)) as (_ & positive & _).
    fold N in positive.
  assert (smooth : forall x y, continuous (fun y => exp (w (y - x)) / N) y).
  { intros x y. apply (continuous_comp (fun y => w (y - x)) (fun a => exp a / N)).
    - apply (continuous_comp (fun y => y - x) w).
      + apply (continuous_minus (fun y => y) (fun _ => x)); [apply continuous_id | apply continuous_const].
      + apply continuity_pt_filterlim, (Line.laplace_continuous 2).
    - apply (ex_derive_continuous (fun a => exp a / N)). auto_derive. exact Logic.I. }
  assert (above : forall x y, 0 < exp (w (y - x)) / N) by (intros; apply Rdiv_lt_0_compat;
    [apply exp_pos | exact positive]).
  apply (denser_elsewhere (O := Line.line) (T := R_UniformSpace) line (fun y => y) _ _ _ _ (-1)
    (line_noise_density w _ _ _ _ 0) (line_noise_density w _ _ _ _ 1)); fold N; auto.
  - apply (line_charges (O := Line.line) (fun y => y)), line_tells_half_lines.
  - intro t. exists t. reflexivity.
  - replace (exp (w (-1 - 0)) / N / (exp (w (-1 - 1)) / N)) with (exp (1 / 2)).
    + rewrite ln_exp. lra.
    + unfold w. rewrite !Rabs_left1 by lra.
      replace (exp (- - (-1 - 0) / 2) / N / (exp (- - (-1 - 1) / 2) / N)) with
        (exp (- - (-1 - 0) / 2) * / exp (- - (-1 - 1) / 2)).
      * rewrite <- exp_Ropp, <- exp_plus. f_equal. field.
      * field. split; [lra |]. pose proof (exp_pos (- - (-1 - 1) / 2)). lra.
Qed.

(* Mechanisms that see a random part of their input.

   A Poisson sample holds each row of a table with one probability, independently; a sample of a fixed size holds one of
   the sets of m of its n rows, each as likely; and one coordinate of a vector is chosen, each as likely, and told.
   Losses on samples are smaller, as far as the sample does not hold the row that differs. *)
From Coq Require Import Reals Lra Lia List Permutation PeanoNat.
From Refdp Require Import Laws Privacy Tables Rounds.
Import ListNotations.
Open Scope R_scope.

(* The loss on a sample that holds a row with probability rate. *)
Definition amplified (rate epsilon : R) : R := ln (1 + rate * (exp epsilon - 1)).
Lemma exp_amplified rate epsilon : 0 <= rate <= 1 -> exp (amplified rate epsilon) = 1 + rate * (exp epsilon - 1).
Proof. intro R. apply exp_ln. pose proof (exp_pos epsilon). nra. Qed.

Lemma pure_epsilon_nonnegative {O : space} (p : law O) epsilon : pure epsilon p p -> 0 <= epsilon.
Proof.
  intro H. apply within_itself in H. rewrite Rplus_0_r, <- exp_0 in H.
  destruct (Rle_dec 0 epsilon) as [fine | less]; [exact fine |].
  pose proof (exp_increasing epsilon 0). lra.
Qed.

(* ---- Poisson samples ---- *)

(* Each row is kept with probability rate, whatever becomes of the others. *)
Fixpoint poisson_sample {Row : Type} (rate : R) (between : 0 <= rate <= 1) (rows : table Row) :
    law (plain (table Row)) :=
  match rows with
  | [] => certain (O := plain (table Row)) []
  | row :: rest => then_run (poisson_sample rate between rest) (plain_kernel (fun sample =>
      mixture rate between (certain (O := plain (table Row)) (row :: sample))
        (certain (O := plain (table Row)) sample)))
  end.
Definition on_poisson_sample {Row : Type} {O : space} rate (between : 0 <= rate <= 1) (M : mechanism (table Row) O) :
    mechanism (table Row) O :=
  fun rows => then_run (poisson_sample rate between rows) (plain_kernel M).

Definition sees_no_order {Row : Type} (domain : table Row -> Prop) (g : table Row -> R) :=
  forall x y, domain x -> domain y -> Permutation x y -> g x = g y.

(* The mean over whether a row is kept. *)
Definition kept_or_not {Row : Type} (rate : R) (row : Row) (g : table Row -> R) (sample : table Row) : R :=
  rate * g (row :: sample) + (1 - rate) * g sample.
Lemma kept_or_not_bounded {Row : Type} rate (row : Row) g : bounded g -> bounded (kept_or_not rate row g).
Proof.
  intros [c C]. apply bounded_sum; apply bounded_multiple; exists c; intro s; apply C.
Qed.

Section poisson_sample.
  Context {Row : Type} (inside : Row -> Prop) (rate : R) (between : 0 <= rate <= 1).

  (* All samples of a table in the domain are in it. *)
  Lemma poisson_sample_monotone (x : table Row) g h :
    table_of inside x -> bounded g -> bounded h -> (forall s, table_of inside s -> g s <= h s) ->
    E (poisson_sample rate between x) g <= E (poisson_sample rate between x) h.
  Proof.
    intro X. revert g h. induction X as [| row x in_row X IH]; intros g h G H below; simpl.
    - apply below. constructor.
    - apply (IH (kept_or_not rate row g) (kept_or_not rate row h)); auto using kept_or_not_bounded.
      intros s S. unfold kept_or_not.
      apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply below; [constructor |]; assumption.
  Qed.
  Lemma poisson_sample_same (x : table Row) g h :
    table_of inside x -> bounded g -> bounded h -> (forall s, table_of inside s -> g s = h s) ->
    E (poisson_sample rate between x) g = E (poisson_sample rate between x) h.
  Proof.
    intros X G H same. apply Rle_antisym; apply poisson_sample_monotone; auto; intros s S; rewrite (same s S); lra.
  Qed.
  Lemma poisson_sample_reordered (x y : table Row) g :
    Permutation x y -> table_of inside x -> bounded g -> sees_no_order (table_of inside) g ->
    E (poisson_sample rate between x) g = E (poisson_sample rate between y) g.
  Proof.
    intro same. revert g.
    induction same as [| row x y _ IH | a b x | x y z same IH _ IH']; intros g X G order; simpl.
    - reflexivity.
    - inversion X as [| ? ? in_row rest]; subst.
      apply (IH (kept_or_not rate row g)); [exact rest | apply kept_or_not_bounded, G |].
      intros u v U V equal. unfold kept_or_not. rewrite (order u v U V equal).
      rewrite (order (row :: u) (row :: v)); [reflexivity | | | constructor; exact equal]; constructor; assumption.
    - inversion X as [| ? ? in_b others]; inversion others as [| ? ? in_a rest]; subst.
      apply (poisson_sample_same x (kept_or_not rate a (kept_or_not rate b g))
        (kept_or_not rate b (kept_or_not rate a g)));
        auto using kept_or_not_bounded.
      intros s S. unfold kept_or_not.
      rewrite (order (a :: b :: s) (b :: a :: s)); [ring | | | apply perm_swap]; repeat constructor; assumption.
    - rewrite IH by assumption. apply IH'; try assumption. apply (Permutation_Forall same), X.
  Qed.

  Context {O : space} (M : mechanism (table Row) O) (no_order : unordered (table_of inside) M).

  Lemma poisson_unordered : unordered (table_of inside) (on_poisson_sample rate between M).
  Proof.
    intros x y X Y same f F. apply poisson_sample_reordered; [exact same | exact X | |].
    - exact (run_observable (plain_kernel M) (fun _ => f) (jointly_of_the_second f F)).
    - intros u v U V equal. apply no_order; assumption.
  Qed.
  Lemma answer_bounded f : test f -> bounded (fun s => E (M s) f).
  Proof. intro F. exists 1. intro s. pose proof (E_test (M s) f F). lra. Qed.
  (* One row more: its sample has that row or not, beside a sample of the others. *)
  Lemma poisson_one_more (x y : table Row) r f : Permutation y (r :: x) -> table_of inside y -> test f ->
    E (on_poisson_sample rate between M y) f =
    E (poisson_sample rate between x) (kept_or_not rate r (fun s => E (M s) f)).
  Proof.
    intros more Y F. rewrite (poisson_unordered y (r :: x) Y (Permutation_Forall more Y) more f (proj1 F)). reflexivity.
  Qed.

  (* poisson_sampled: on a Poisson sample (epsilon, delta) for one row added or removed becomes
     (ln(1 + rate (e^epsilon - 1)), rate delta). *)
  Theorem poisson_sampled epsilon delta :
    0 <= epsilon -> private (restricted (table_of inside) (symmetric 1)) M (approximate epsilon delta) ->
    private (restricted (table_of inside) (symmetric 1)) (on_poisson_sample rate between M)
      (approximate (amplified rate epsilon) (rate * delta)).
  Proof.
    intros positive H. unfold approximate. rewrite exp_amplified by exact between.
    pose proof (exp_at_least_1 epsilon positive) as T.
    assert (nothing : restricted (table_of inside) (symmetric 1) [] []).
    { repeat split; try constructor. apply symmetric_reordered; [lra | constructor]. }
    pose proof (within_delta_nonnegative _ _ _ _ (H _ _ nothing)) as D.
    unfold approximate in H. set (t := exp epsilon) in *.
    assert (T' : 1 <= 1 + rate * (t - 1)) by nra. assert (D' : 0 <= rate * delta) by nra.
    intros x y (X & Y & near). destruct (symmetric_one x y near) as [same | [[r more] | [r more]]].
    - apply within_same; [exact T' | exact D' | apply poisson_unordered; assumption].
    - (* y has the row r more *)
      intros f F. rewrite (poisson_one_more x y r f more Y F). pose proof (answer_bounded f F) as B.
      pose proof (kept_or_not_bounded rate r _ B) as K. pose proof (Permutation_Forall more Y) as others.
      inversion others as [| ? ? in_r _]; subst.
      change (E (on_poisson_sample rate between M x) f) with (E (poisson_sample rate between x) (fun s => E (M s) f)).
      rewrite <- (E_multiple (O := plain (table Row))) by exact K.
      rewrite <- (E_shifted (O := plain (table Row))) by (apply bounded_multiple, K).
      apply poisson_sample_monotone; [exact X | exact B | |].
      + apply bounded_sum; [apply bounded_multiple, K | apply bounded_constant].
      + intros s S. assert (one : restricted (table_of inside) (symmetric 1) s (r :: s)).
        { split; [exact S | split; [constructor; assumption |]]. apply (symmetric_one_more r), Permutation_refl. }
        pose proof (H _ _ one f F) as two. unfold kept_or_not.
        set (b := E (M s) f) in *. set (a := E (M (r :: s)) f) in *.
        assert (0 <= b <= 1) by (apply E_test, F).
        destruct (Rle_dec b a) as [less | greater].
        * assert (0 <= rate * (a - b)) by (apply Rmult_le_pos; lra).
          assert (0 <= rate * (t - 1) * (b + rate * (a - b))) by (repeat apply Rmult_le_pos; lra). lra.
        * assert (0 <= rate * (1 - rate) * ((t - 1) * (b - a))) by (repeat apply Rmult_le_pos; lra).
          assert (rate * b <= rate * (t * a + delta)) by (apply Rmult_le_compat_l; lra). lra.
    - (* x has the row r more *)
      intros f F. rewrite (poisson_one_more y x r f more X F). pose proof (answer_bounded f F) as B.
      pose proof (kept_or_not_bounded rate r _ B) as K. pose proof (Permutation_Forall more X) as others.
      inversion others as [| ? ? in_r _]; subst.
      change (E (on_poisson_sample rate between M y) f) with (E (poisson_sample rate between y) (fun s => E (M s) f)).
      rewrite <- (E_multiple (O := plain (table Row))) by exact B.
      rewrite <- (E_shifted (O := plain (table Row))) by (apply bounded_multiple, B).
      apply poisson_sample_monotone; [exact Y | exact K | |].
      + apply bounded_sum; [apply bounded_multiple, B | apply bounded_constant].
      + intros s S. assert (one : restricted (table_of inside) (symmetric 1) (r :: s) s).
        { split; [constructor; assumption | split; [exact S |]].
          apply symmetric_symmetric, (symmetric_one_more r), Permutation_refl. }
        pose proof (H _ _ one f F) as two. unfold kept_or_not.
        set (b := E (M s) f) in *. set (a := E (M (r :: s)) f) in *.
        assert (rate * a <= rate * (t * b + delta)) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  (* Pure DP has epsilon >= 0, as the empty table is its own neighbour. *)
  Theorem poisson_sampled_pure epsilon :
    private (restricted (table_of inside) (symmetric 1)) M (pure epsilon) ->
    private (restricted (table_of inside) (symmetric 1)) (on_poisson_sample rate between M)
      (pure (amplified rate epsilon)).
  Proof.
    intro H. assert (positive : 0 <= epsilon).
    { apply (pure_epsilon_nonnegative (M [])), H. repeat split; try constructor.
      apply symmetric_reordered; [lra | constructor]. }
    pose proof (poisson_sampled epsilon 0 positive H) as claim. rewrite Rmult_0_r in claim. exact claim.
  Qed.
End poisson_sample.

(* ---- One of finitely many, each as likely ---- *)

Fixpoint sum_over {T : Type} (l : list T) (f : T -> R) : R :=
  match l with [] => 0 | a :: l => f a + sum_over l f end.
Lemma sum_over_monotone {T : Type} (l : list T) f g : (forall a, In a l -> f a <= g a) -> sum_over l f <= sum_over l g.
Proof.
  induction l as [| a l IH]; intro below; simpl; [lra |].
  pose proof (below a (or_introl eq_refl)). specialize (IH (fun b B => below b (or_intror B))). lra.
Qed.
Lemma sum_over_same {T : Type} (l : list T) f g : (forall a, In a l -> f a = g a) -> sum_over l f = sum_over l g.
Proof. intro same. apply Rle_antisym; apply sum_over_monotone; intros a A; rewrite (same a A); lra. Qed.
Lemma sum_over_sum {T : Type} (l : list T) f g : sum_over l (fun a => f a + g a) = sum_over l f + sum_over l g.
Proof. induction l as [| a l IH]; simpl; [ring |]. rewrite IH. ring. Qed.
Lemma sum_over_multiple {T : Type} (l : list T) c f : sum_over l (fun a => c * f a) = c * sum_over l f.
Proof. induction l as [| a l IH]; simpl; [ring |]. rewrite IH. ring. Qed.
Lemma sum_over_app {T : Type} (l l' : list T) f : sum_over (l ++ l') f = sum_over l f + sum_over l' f.
Proof. induction l as [| a l IH]; simpl; [ring |]. rewrite IH. ring. Qed.
Lemma sum_over_map {T U : Type} (h : T -> U) (l : list T) f : sum_over (map h l) f = sum_over l (fun a => f (h a)).
Proof. induction l as [| a l IH]; simpl; [reflexivity |]. rewrite IH. reflexivity. Qed.
Lemma sum_over_count {T : Type} (l : list T) : sum_over l (fun _ => 1) = INR (length l).
Proof. induction l as [| a l IH]; [reflexivity |]. simpl length. rewrite S_INR, <- IH. simpl. ring. Qed.

(* One member of a list; where it lists none, the default. *)
Definition uniform {T : Type} (default : T) (l : list T) : law (plain T).
Proof.
  refine (Law (plain T) (fun f => match l with [] => f default | _ => sum_over l f / INR (length l) end) _ _ _ _);
    (destruct l as [| a l]; [intros; auto |]); assert (0 < INR (length (a :: l))) by (apply lt_0_INR; simpl; lia).
  - intros f g F G below. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; assumption |].
    apply sum_over_monotone. auto.
  - intros f g F G. rewrite sum_over_sum. field. lra.
  - intros c f F. rewrite sum_over_multiple. field. lra.
  - rewrite sum_over_count. field. lra.
Defined.
Lemma E_uniform {T : Type} (default : T) (l : list T) f : l <> [] ->
  E (uniform default l) f = sum_over l f / INR (length l).
Proof. destruct l; [congruence | reflexivity]. Qed.

(* ---- Samples of a fixed size ---- *)

(* The rows at each set of m positions. *)
Fixpoint subsets {Row : Type} (m : nat) (rows : table Row) : list (table Row) :=
  match m, rows with
  | 0%nat, _ => [[]]
  | S _, [] => []
  | S fewer, row :: rest => map (cons row) (subsets fewer rest) ++ subsets m rest
  end.
(* A table of fewer than m rows would be read whole: it is none of those that the rule is about. *)
Definition on_fixed_size_sample {Row : Type} {O : space} (m : nat) (M : mechanism (table Row) O) :
    mechanism (table Row) O :=
  fun rows => then_run (uniform rows (subsets m rows)) (plain_kernel M).

Definition over_subsets {Row : Type} (m : nat) (rows : table Row) (f : table Row -> R) : R :=
  sum_over (subsets m rows) f.

Lemma over_no_rows {Row : Type} (rows : table Row) f : over_subsets 0 rows f = f [].
Proof. unfold over_subsets. destruct rows; simpl; ring. Qed.
Lemma over_row_and_rest {Row : Type} m row (rest : table Row) f :
  over_subsets (S m) (row :: rest) f = over_subsets m rest (fun s => f (row :: s)) + over_subsets (S m) rest f.
Proof. unfold over_subsets. simpl. rewrite sum_over_app, sum_over_map. reflexivity. Qed.
Lemma subsets_inside {Row : Type} (inside : Row -> Prop) m (rows s : table Row) :
  table_of inside rows -> In s (subsets m rows) -> sized_table_of inside m s.
Proof.
  intro X. revert m s. induction X as [| row rest in_row X IH]; intros [| m] s; simpl;
    try (intros [it_is | []]; subst; split; [constructor | reflexivity]).
  - intros [].
  - intro S. apply in_app_or in S. destruct S as [with_row | without]; [| apply IH, without].
    apply in_map_iff in with_row. destruct with_row as (u & it_is & U). subst.
    destruct (IH m u U) as [U' size]. split; [constructor; assumption | simpl; f_equal; exact size].
Qed.
Lemma subsets_exist {Row : Type} m (rows : table Row) : (m <= length rows)%nat -> subsets m rows <> [].
Proof.
  revert m. induction rows as [| row rest IH]; intros [| m] size; simpl in *; try lia; try discriminate.
  specialize (IH m ltac:(lia)). destruct (subsets m rest); [congruence | discriminate].
Qed.
Lemma over_subsets_monotone {Row : Type} (inside : Row -> Prop) m (rows : table Row) f g :
  table_of inside rows -> (forall s, sized_table_of inside m s -> f s <= g s) ->
  over_subsets m rows f <= over_subsets m rows g.
Proof. intros X below. apply sum_over_monotone. intros s S. apply below, (subsets_inside inside m rows s X S). Qed.
Lemma over_subsets_same {Row : Type} (inside : Row -> Prop) m (rows : table Row) f g :
  table_of inside rows -> (forall s, sized_table_of inside m s -> f s = g s) ->
  over_subsets m rows f = over_subsets m rows g.
Proof. intros X same. apply sum_over_same. intros s S. apply same, (subsets_inside inside m rows s X S). Qed.
Lemma over_subsets_line {Row : Type} m (rows : table Row) f t c :
  over_subsets m rows (fun s => t * f s + c * 1) = t * over_subsets m rows f + c * over_subsets m rows (fun _ => 1).
Proof. unfold over_subsets. rewrite sum_over_sum, !sum_over_multiple. reflexivity. Qed.

Lemma sees_no_order_beside {Row : Type} (inside : Row -> Prop) m row f :
  inside row -> sees_no_order (sized_table_of inside (S m)) f ->
  sees_no_order (sized_table_of inside m) (fun s => f (row :: s)).
Proof.
  intros I order u v [U size] [V size'] equal.
  apply order; [split; [constructor | simpl; congruence].. | constructor; exact equal]; assumption.
Qed.
Lemma over_subsets_reordered {Row : Type} (inside : Row -> Prop) m (x y : table Row) f :
  Permutation x y -> table_of inside x -> sees_no_order (sized_table_of inside m) f ->
  over_subsets m x f = over_subsets m y f.
Proof.
  intro same. revert m f.
  induction same as [| row x y _ IH | a b x | x y z same IH _ IH']; intros m f X order.
  - reflexivity.
  - inversion X as [| ? ? in_row rest]; subst.
    destruct m as [| m]; [rewrite !over_no_rows; reflexivity |]. rewrite !over_row_and_rest, (IH (S m) f rest order).
    rewrite (IH m (fun s => f (row :: s)) rest (sees_no_order_beside inside m row f in_row order)). reflexivity.
  - inversion X as [| ? ? in_b others]; inversion others as [| ? ? in_a rest]; subst.
    destruct m as [| m]; [rewrite !over_no_rows; reflexivity |]. rewrite !over_row_and_rest.
    destruct m as [| m]; [rewrite !over_no_rows; ring |]. rewrite !over_row_and_rest.
    rewrite (over_subsets_same inside m x (fun s => f (b :: a :: s)) (fun s => f (a :: b :: s)) rest); [ring |].
    intros s [S size].
    apply order; [| | apply perm_swap]; (split; [repeat constructor; assumption | simpl; congruence]).
  - rewrite IH by assumption. apply IH'; try assumption. apply (Permutation_Forall same), X.
Qed.

(* Each set of m of the rows, with one of the other rows beside it, is a set of m + 1 rows with one of them apart: what
   is at most w of the larger set, whichever row is beside, is so on the whole. *)
Lemma over_one_more {Row : Type} (inside : Row -> Prop) m (rows : table Row) (u w : table Row -> R) :
  table_of inside rows -> sees_no_order (sized_table_of inside (S m)) w ->
  (forall s row, sized_table_of inside m s -> inside row -> u s <= w (row :: s)) ->
  (INR (length rows) - INR m) * over_subsets m rows u <= (INR m + 1) * over_subsets (S m) rows w.
Proof.
  intro X. revert m u w. induction X as [| row rest in_row X IH]; intros m u w order below.
  - destruct m as [| m]; unfold over_subsets; simpl; lra.
  - rewrite over_row_and_rest. simpl length. rewrite S_INR.
    pose proof (IH m u w order below) as without.
    assert (here : over_subsets m rest u <= over_subsets m rest (fun s => w (row :: s))).
    { apply (over_subsets_monotone inside); [exact X |]. intros s S. apply below; assumption. }
    destruct m as [| m].
    + rewrite !over_no_rows in *. simpl INR in *. lra.
    + rewrite (over_row_and_rest m row rest u).
      assert (with_row : (INR (length rest) - INR m) * over_subsets m rest (fun s => u (row :: s)) <=
          (INR m + 1) * over_subsets (S m) rest (fun s => w (row :: s))).
      { apply IH.
        - apply sees_no_order_beside; assumption.
        - intros s other [S size] in_other.
          rewrite (order (row :: other :: s) (other :: row :: s)); [| | | apply perm_swap];
            [apply below; [split; [constructor; assumption | simpl; congruence] | exact in_other] | |];
            (split; [repeat constructor; assumption | simpl; congruence]). }
      rewrite S_INR in *. lra.
Qed.
(* So they are as many. *)
Lemma count_one_more {Row : Type} m (rows : table Row) :
  (INR (length rows) - INR m) * over_subsets m rows (fun _ => 1) = (INR m + 1) * over_subsets (S m) rows (fun _ => 1).
Proof.
  assert (all : table_of (fun _ => True) rows) by (unfold table_of; rewrite Forall_forall; auto).
  apply Rle_antisym.
  - apply (over_one_more (fun _ => True)); [exact all | intros u v _ _ _; reflexivity | intros; lra].
  - pose proof (over_one_more (fun _ => True) m rows (fun _ => -1 * 1) (fun _ => -1 * 1) all) as H.
    unfold over_subsets in *. rewrite !sum_over_multiple in H.
    specialize (H ltac:(intros u v _ _ _; reflexivity) ltac:(intros; lra)). lra.
Qed.

(* With the row against it on other samples of m, and against another row in its place: t' = 1 + rate (t - 1). *)
Lemma sampled_by_both t rate delta seen seen' unseen many :
  1 <= t -> 0 <= rate <= 1 -> seen <= t * seen' + delta * many ->
  (1 - rate) * seen <= rate * (t * unseen) + (1 - rate) * (delta * many) ->
  seen + unseen <= (1 + rate * (t - 1)) * (seen' + unseen) + delta * many.
Proof.
  intros T R replaced another.
  assert ((1 + rate * (t - 1)) * seen <= (1 + rate * (t - 1)) * (t * seen' + delta * many))
    by (apply Rmult_le_compat_l; nra).
  assert ((t - 1) * ((1 - rate) * seen) <= (t - 1) * (rate * (t * unseen) + (1 - rate) * (delta * many)))
    by (apply Rmult_le_compat_l; lra).
  apply (Rmult_le_reg_l t); [lra |]. lra.
Qed.

Section fixed_size_sample.
  Context {Row : Type} (inside : Row -> Prop) (m n : nat) (whole : (1 <= m <= n)%nat).
  Context {O : space} (M : mechanism (table Row) O) (no_order : unordered (sized_table_of inside m) M).

  Lemma E_on_fixed_size_sample (x : table Row) f : (m <= length x)%nat ->
    E (on_fixed_size_sample m M x) f =
    over_subsets m x (fun s => E (M s) f) / over_subsets m x (fun _ => 1) /\ 0 < over_subsets m x (fun _ => 1).
  Proof.
    clear n whole. intro size. pose proof (subsets_exist m x size) as some.
    unfold over_subsets at 2 3. rewrite sum_over_count. split.
    - apply (E_uniform x (subsets m x) (fun s => E (M s) f) some).
    - apply lt_0_INR. destruct (subsets m x); [congruence | simpl; lia].
  Qed.
  Lemma answer_sees_no_order f : observable f -> sees_no_order (sized_table_of inside m) (fun s => E (M s) f).
  Proof. intros F u v U V equal. apply no_order; assumption. Qed.
  Lemma fixed_size_unordered : unordered (sized_table_of inside n) (on_fixed_size_sample m M).
  Proof.
    intros x y [X size] [Y size'] same f F.
    rewrite (proj1 (E_on_fixed_size_sample x f ltac:(lia))), (proj1 (E_on_fixed_size_sample y f ltac:(lia))).
    rewrite (over_subsets_reordered inside m x y (fun s => E (M s) f) same X (answer_sees_no_order f F)).
    rewrite (over_subsets_reordered inside m x y (fun _ => 1) same X ltac:(intros u v _ _ _; reflexivity)). reflexivity.
  Qed.
  (* There is a table of m rows, if there is one of n: its first rows. *)
  Lemma a_sample (x : table Row) : sized_table_of inside n x ->
    restricted (sized_table_of inside m) (change_one 1) (firstn m x) (firstn m x).
  Proof.
    intros [X size]. assert (sized_table_of inside m (firstn m x)).
    { split; [| rewrite firstn_length; lia]. rewrite <- (firstn_skipn m x) in X. apply Forall_app in X. apply X. }
    split; [assumption | split; [assumption |]]. exists [], []. repeat split; [| simpl; lra].
    exists (firstn m x). rewrite app_nil_r. split; apply Permutation_refl.
  Qed.

  (* fixed_size_sampled: on a sample of m of n rows (epsilon, delta) for one row replaced becomes
     (ln(1 + (m / n) (e^epsilon - 1)), (m / n) delta). *)
  Theorem fixed_size_sampled epsilon delta :
    0 <= epsilon -> private (restricted (sized_table_of inside m) (change_one 1)) M (approximate epsilon delta) ->
    private (restricted (sized_table_of inside n) (change_one 1)) (on_fixed_size_sample m M)
      (approximate (amplified (INR m / INR n) epsilon) (INR m / INR n * delta)).
  Proof.
    intros positive H x y (X & Y & near). pose proof (exp_at_least_1 epsilon positive) as T.
    pose proof (within_delta_nonnegative _ _ _ _ (H _ _ (a_sample x X))) as D.
    assert (N : 0 < INR n) by (apply lt_0_INR; lia).
    assert (between : 0 <= INR m / INR n <= 1).
    { assert (INR m <= INR n) by (apply le_INR; lia). pose proof (pos_INR m).
      split; [apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat, N] |].
      apply (Rmult_le_reg_r (INR n)); [exact N |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    unfold approximate in *. rewrite exp_amplified by exact between. set (t := exp epsilon) in *.
    destruct (change_one_one x y near) as [same | (rest & r & r' & x_is & y_is)].
    { apply within_same; [nra | nra | apply fixed_size_unordered; assumption]. }
    destruct X as [X size], Y as [Y size'].
    pose proof (Permutation_Forall x_is X) as X'. pose proof (Permutation_Forall y_is Y) as Y'.
    inversion X' as [| ? ? in_r rest_inside]; inversion Y' as [| ? ? in_r' _]; subst.
    assert (rest_size : length x = S (length rest)) by (rewrite (Permutation_length x_is); reflexivity).
    intros f F. destruct (E_on_fixed_size_sample x f ltac:(lia)) as [mean some].
    destruct (E_on_fixed_size_sample y f ltac:(lia)) as [mean' _]. rewrite mean, mean'. clear mean mean'.
    pose proof (answer_sees_no_order f (proj1 F)) as order. pose (g := fun s => E (M s) f).
    fold g in order. fold g.
    assert (constant_order : sees_no_order (sized_table_of inside m) (fun _ => 1)) by (intros u v _ _ _; reflexivity).
    rewrite (over_subsets_reordered inside m x (r :: rest) g x_is X order).
    rewrite (over_subsets_reordered inside m y (r' :: rest) g y_is Y order).
    rewrite (over_subsets_reordered inside m x (r :: rest) (fun _ => 1) x_is X constant_order) in *.
    rewrite (over_subsets_reordered inside m y (r' :: rest) (fun _ => 1) y_is Y constant_order).
    rewrite rest_size in *. clear x_is y_is. destruct m as [| k]; [lia |]. rewrite !over_row_and_rest in *.
    set (seen := over_subsets k rest (fun s => g (r :: s))). set (seen' := over_subsets k rest (fun s => g (r' :: s))).
    set (unseen := over_subsets (S k) rest g). set (many := over_subsets k rest (fun _ => 1)) in *.
    set (others := over_subsets (S k) rest (fun _ => 1)) in *.
    (* one row replaced by another that is inside, beside k rows *)
    assert (replaced : forall a b s, inside a -> inside b -> sized_table_of inside k s ->
      g (a :: s) <= t * g (b :: s) + delta * 1).
    { intros a b s A B [S sized]. rewrite Rmult_1_r. apply (H (a :: s) (b :: s)); [| exact F].
      split; [split; [constructor; assumption | simpl; congruence] |].
      split; [split; [constructor; assumption | simpl; congruence] |].
      exists [a], [b]. repeat split; [exists s | simpl; lra]. split; apply Permutation_cons_append. }
    pose proof (count_one_more k rest) as counted. fold many others in counted.
    assert (by_replaced : seen <= t * seen' + delta * many).
    { unfold seen, seen', many. rewrite <- over_subsets_line. apply (over_subsets_monotone inside); [assumption |].
      intros s S. apply replaced; assumption. }
    assert (by_another : (INR (length rest) - INR k) * seen <= (INR k + 1) * (t * unseen + delta * others)).
    { unfold unseen, others. rewrite <- over_subsets_line.
      apply (over_one_more inside k rest (fun s => g (r :: s)) (fun s => t * g s + delta * 1)); [assumption | |].
      - intros u v U V equal. rewrite (order u v U V equal). reflexivity.
      - intros s row S in_row. apply replaced; assumption. }
    set (rate := INR (S k) / INR (S (length rest))) in *.
    assert (rate_is : rate * (INR (length rest) + 1) = INR k + 1).
    { unfold rate. rewrite !S_INR in *. field. lra. }
    assert (part_is : rate * (many + others) = many).
    { apply (Rmult_eq_reg_r (INR (length rest) + 1)); [| rewrite S_INR in N; lra].
      replace (rate * (many + others) * (INR (length rest) + 1))
        with (rate * (INR (length rest) + 1) * (many + others)) by ring.
      rewrite rate_is. lra. }
    assert (total : seen + unseen <= (1 + rate * (t - 1)) * (seen' + unseen) + delta * many).
    { apply sampled_by_both; [exact T | exact between | exact by_replaced |].
      apply (Rmult_le_reg_r (INR (length rest) + 1)); [rewrite S_INR in N; lra |].
      replace ((1 - rate) * seen * (INR (length rest) + 1)) with ((INR (length rest) - INR k) * seen) by
        (replace (INR k) with (rate * (INR (length rest) + 1) - 1) by lra; ring).
      replace ((rate * (t * unseen) + (1 - rate) * (delta * many)) * (INR (length rest) + 1))
        with ((INR k + 1) * (t * unseen) + delta * ((INR (length rest) - INR k) * many)).
      - rewrite counted. lra.
      - replace (INR k) with (rate * (INR (length rest) + 1) - 1) by lra. ring. }
    apply (Rmult_le_reg_r (many + others)); [exact some |].
    replace ((seen + unseen) / (many + others) * (many + others)) with (seen + unseen) by (field; lra).
    replace (((1 + rate * (t - 1)) * ((seen' + unseen) / (many + others)) + rate * delta) * (many + others))
      with ((1 + rate * (t - 1)) * (seen' + unseen) + delta * (rate * (many + others))) by (field; lra).
    rewrite part_is. exact total.
  Qed.
  (* Pure DP has epsilon >= 0, if there is a table. *)
  Theorem fixed_size_sampled_pure epsilon :
    private (restricted (sized_table_of inside m) (change_one 1)) M (pure epsilon) ->
    private (restricted (sized_table_of inside n) (change_one 1)) (on_fixed_size_sample m M)
      (pure (amplified (INR m / INR n) epsilon)).
  Proof.
    intros H x y near. assert (positive : 0 <= epsilon).
    { apply (pure_epsilon_nonnegative (M (firstn m x))), H, a_sample, near. }
    pose proof (fixed_size_sampled epsilon 0 positive H x y near) as claim. rewrite Rmult_0_r in claim. exact claim.
  Qed.
  (* A mechanism that reads tables of any size reads those of m rows. *)
  Theorem fixed_size_sampled_of_tables epsilon delta :
    0 <= epsilon -> private (restricted (table_of inside) (change_one 1)) M (approximate epsilon delta) ->
    private (restricted (sized_table_of inside n) (change_one 1)) (on_fixed_size_sample m M)
      (approximate (amplified (INR m / INR n) epsilon) (INR m / INR n * delta)).
  Proof.
    intros positive H. apply (fixed_size_sampled epsilon delta positive).
    intros x y near. apply H, (sized_tables_are_tables inside m _ _ _ near).
  Qed.
  Theorem fixed_size_sampled_of_tables_pure epsilon :
    private (restricted (table_of inside) (change_one 1)) M (pure epsilon) ->
    private (restricted (sized_table_of inside n) (change_one 1)) (on_fixed_size_sample m M)
      (pure (amplified (INR m / INR n) epsilon)).
  Proof.
    intros H. apply fixed_size_sampled_pure. intros x y near. apply H, (sized_tables_are_tables inside m _ _ _ near).
  Qed.
End fixed_size_sample.

(* ---- One coordinate ---- *)

(* A vector is a function of the coordinate, of which the first n are looked at. *)
Definition vector_of {D : Type} (domain : D -> Prop) (n : nat) (x : nat -> D) := forall i, (i < n)%nat -> domain (x i).
Definition on_public_coordinate {D : Type} {O : space} (n : nat) (M : mechanism D O) :
    mechanism (nat -> D) (product (plain nat) O) :=
  fun x => both (uniform 0%nat (seq 0 n)) (plain_kernel (fun i => M (x i))).

(* public_coordinate: to give a mechanism one coordinate, chosen whatever the vector is, and to tell which one, has the
   mechanism's loss between any two vectors, if that holds between any two coordinates. *)
Theorem public_coordinate {D : Type} {O : space} (domain : D -> Prop) n (M : mechanism D O) epsilon delta :
  (1 <= n)%nat -> private (restricted domain (discrete 1)) M (approximate epsilon delta) ->
  private (restricted (vector_of domain n) (discrete 1)) (on_public_coordinate n M) (approximate epsilon delta).
Proof.
  intros some H x y (X & Y & _) f [[_ [sections _]] F].
  assert (listed : seq 0 n <> []) by (destruct n; [lia | discriminate]).
  assert (many : 0 < INR (length (seq 0 n))) by (rewrite seq_length; apply lt_0_INR; lia).
  pose (p := fun i => E (M (x i)) (fun b => f (i, b))). pose (q := fun i => E (M (y i)) (fun b => f (i, b))).
  change (E (uniform 0%nat (seq 0 n)) p <= exp epsilon * E (uniform 0%nat (seq 0 n)) q + delta).
  rewrite !E_uniform by exact listed.
  assert (below : sum_over (seq 0 n) p <= exp epsilon * sum_over (seq 0 n) q + delta * INR (length (seq 0 n))).
  { rewrite <- sum_over_count, <- !sum_over_multiple, <- sum_over_sum. apply sum_over_monotone.
    intros i I. apply in_seq in I. rewrite Rmult_1_r. unfold p, q. apply (H (x i) (y i)).
    - split; [apply X; lia | split; [apply Y; lia |]]. right. lra.
    - split; [apply sections | intro b; apply F]. }
  apply (Rmult_le_reg_r (INR (length (seq 0 n)))); [exact many |].
  replace (sum_over (seq 0 n) p / INR (length (seq 0 n)) * INR (length (seq 0 n))) with (sum_over (seq 0 n) p)
    by (field; lra).
  replace ((exp epsilon * (sum_over (seq 0 n) q / INR (length (seq 0 n))) + delta) * INR (length (seq 0 n)))
    with (exp epsilon * sum_over (seq 0 n) q + delta * INR (length (seq 0 n))) by (field; lra).
  exact below.
Qed.
Theorem public_coordinate_pure {D : Type} {O : space} (domain : D -> Prop) n (M : mechanism D O) epsilon :
  (1 <= n)%nat -> private (restricted domain (discrete 1)) M (pure epsilon) ->
  private (restricted (vector_of domain n) (discrete 1)) (on_public_coordinate n M) (pure epsilon).
Proof. apply public_coordinate. Qed.

(* ---- Examples: whether the rows that are seen are even in number, and a bit, told with probability 3/4 ---- *)

Lemma parity_unordered {Row : Type} (domain : table Row -> Prop) : unordered domain parity.
Proof. intros x y _ _ same f F. unfold parity. rewrite (Permutation_length same). reflexivity. Qed.
Example parity_of_a_sample : private (restricted (table_of any_row) (symmetric 1))
    (on_poisson_sample (/ 10) a_tenth (parity (Row := nat))) (pure (ln (1 + / 10 * (3 - 1)))).
Proof.
  pose proof (poisson_sampled_pure any_row (/ 10) a_tenth (parity (Row := nat)) (parity_unordered _) (ln 3)
    (answered_pure _ _)) as claim.
  unfold amplified in claim. rewrite exp_ln in claim by lra. exact claim.
Qed.
(* How many of the rows are even: their number is told as even or odd. *)
Definition parity_of_even_rows (x : table nat) := parity (filter Nat.even x).
Example parity_of_ten_rows : private (restricted (sized_table_of any_row 100) (change_one 1))
    (on_fixed_size_sample 10 parity_of_even_rows) (pure (amplified (INR 10 / INR 100) (ln 3))).
Proof.
  apply fixed_size_sampled_pure; [lia | | apply (answered_pure _ (fun x => Nat.even (length (filter Nat.even x))))].
  intros x y _ _ same. unfold parity_of_even_rows.
  apply (parity_unordered (fun _ => True)); try exact I. apply filter_reordered, same.
Qed.
Example one_bit_of_a_hundred : private (restricted (vector_of (fun _ => True) 100) (discrete 1))
    (on_public_coordinate 100 answered) (pure (ln 3)).
Proof. apply public_coordinate_pure; [lia | apply (answered_pure _ (fun bit => bit))]. Qed.

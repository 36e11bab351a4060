(* Queries: functions of a table that read its rows once or several times, and how far their answers move.

   A query is a list of passes over the rows.  A pass has a start and a step; both act on one state, which holds what
   every pass remembers, and a pass leaves alone what earlier passes have found.  Two runs, on tables that differ by one
   edit, stay in a relation if each pass keeps it: before the edit, at it, and after it.  That is lemma 1 of
   docs/sensitivity.md, proved here for tables of every length.  Its lemma 2 leads from one edit to many, and what
   exchanging two rows does not change, no other order changes. *)
From Coq Require Import Reals Lra Lia List Permutation ZArith Bool.
From Refdp Require Import Laws Privacy Tables Decisions.
Import ListNotations.
Open Scope R_scope.

Definition rows_of {Row : Type} (u : list Row) : Z := Z.of_nat (length u).

Lemma rows_of_app {Row : Type} (u v : list Row) : rows_of (u ++ v) = (rows_of u + rows_of v)%Z.
Proof. unfold rows_of. rewrite app_length. lia. Qed.
Lemma rows_of_cons {Row : Type} x (u : list Row) : rows_of (x :: u) = (rows_of u + 1)%Z.
Proof. unfold rows_of. simpl length. lia. Qed.
Lemma rows_of_positive {Row : Type} (u : list Row) : (0 <= rows_of u)%Z.
Proof. unfold rows_of. lia. Qed.

(** * Runs *)

Section runs.
  Context {Row State : Type}.

  Record pass := Pass { start : State -> State; step : State -> Row -> State }.
  Definition read (p : pass) (s : State) (u : list Row) : State := fold_left (step p) u s.
  Definition after_pass (u : list Row) (s : State) (p : pass) : State := read p (start p s) u.
  (* The state after all passes over the rows u. *)
  Definition final (passes : list pass) (first : State) (u : list Row) : State := fold_left (after_pass u) passes first.

  Context (inside : Row -> Prop).

  (** ** What holds of a single run *)

  (* J s r: it holds of the state after r of l rows, where F holds of the state before the pass. *)
  Record kept (l : Z) (F : State -> Prop) (p : pass) (J : State -> Z -> Prop) : Prop := Kept {
    kept_at_start : forall s, F s -> J (start p s) 0%Z;
    kept_by_steps : forall s r x, inside x -> (0 <= r < l)%Z -> J s r -> J (step p s x) (r + 1)%Z
  }.
  Inductive all_kept (l : Z) : (State -> Prop) -> list pass -> (State -> Prop) -> Prop :=
  | no_pass_keeps F : all_kept l F [] F
  | a_pass_keeps F p passes J F' :
      kept l F p J -> all_kept l (fun s => J s l) passes F' -> all_kept l F (p :: passes) F'.

  Lemma reading_keeps l F p J u s r :
    kept l F p J -> Forall inside u -> (0 <= r)%Z -> (r + rows_of u <= l)%Z -> J s r ->
    J (read p s u) (r + rows_of u)%Z.
  Proof.
    intros [_ steps] U. revert s r. induction U as [| x u X U IH]; intros s r R L H.
    - cbn. rewrite Z.add_0_r. exact H.
    - rewrite rows_of_cons in *. pose proof (rows_of_positive u).
      replace (r + (rows_of u + 1))%Z with (r + 1 + rows_of u)%Z by lia.
      apply IH; [lia | lia |]. apply steps; [exact X | lia | exact H].
  Qed.
  Theorem runs_keep l F passes F' u first :
    all_kept l F passes F' -> Forall inside u -> rows_of u = l -> F first -> F' (final passes first u).
  Proof.
    intros K U L. revert first. induction K as [F | F p passes J F' one _ IH]; intros first H; [exact H |].
    apply IH. pose proof (reading_keeps l F p J u (start p first) 0 one U) as K. rewrite L in K.
    apply K; [lia | lia |]. apply (kept_at_start _ _ _ _ one), H.
  Qed.

  (** ** What holds of two runs *)

  (* The second table has `theirs` in the place where the first one has `mine`; l is the length of the first.
     I edited s t r: it holds of the states of both runs when the first has read r rows. *)
  Record related (l : Z) (mine theirs : list Row) (K : State -> State -> Prop) (p : pass)
      (I : bool -> State -> State -> Z -> Prop) : Prop := Related {
    related_at_start : forall s t, K s t -> I false (start p s) (start p t) 0%Z;
    related_before : forall s t r x, inside x -> (0 <= r < l)%Z -> I false s t r ->
      I false (step p s x) (step p t x) (r + 1)%Z;
    related_at_the_edit : forall s t r, (0 <= r)%Z -> (r + rows_of mine <= l)%Z -> I false s t r ->
      I true (read p s mine) (read p t theirs) (r + rows_of mine)%Z;
    related_after : forall s t r x, inside x -> (0 <= r < l)%Z -> I true s t r ->
      I true (step p s x) (step p t x) (r + 1)%Z
  }.
  Inductive all_related (l : Z) (mine theirs : list Row) :
      (State -> State -> Prop) -> list pass -> (State -> State -> Prop) -> Prop :=
  | no_pass_relates K : all_related l mine theirs K [] K
  | a_pass_relates K p passes I K' :
      related l mine theirs K p I -> all_related l mine theirs (fun s t => I true s t l) passes K' ->
      all_related l mine theirs K (p :: passes) K'.

  Lemma reading_relates l p (I : State -> State -> Z -> Prop) u s t r :
    (forall s t r x, inside x -> (0 <= r < l)%Z -> I s t r -> I (step p s x) (step p t x) (r + 1)%Z) ->
    Forall inside u -> (0 <= r)%Z -> (r + rows_of u <= l)%Z -> I s t r ->
    I (read p s u) (read p t u) (r + rows_of u)%Z.
  Proof.
    intros steps U. revert s t r. induction U as [| x u X U IH]; intros s t r R L H.
    - cbn. rewrite Z.add_0_r. exact H.
    - rewrite rows_of_cons in *. pose proof (rows_of_positive u).
      replace (r + (rows_of u + 1))%Z with (r + 1 + rows_of u)%Z by lia.
      apply IH; [lia | lia |]. apply steps; [exact X | lia | exact H].
  Qed.
  Lemma read_app p s u v : read p s (u ++ v) = read p (read p s u) v.
  Proof. apply fold_left_app. Qed.
  (* Lemma 1: what is related at the start of both runs is related at their ends. *)
  Theorem runs_stay_related l mine theirs K passes K' before after first :
    all_related l mine theirs K passes K' -> Forall inside before -> Forall inside after ->
    rows_of (before ++ mine ++ after) = l -> K first first ->
    K' (final passes first (before ++ mine ++ after)) (final passes first (before ++ theirs ++ after)).
  Proof.
    intros A B C L H.
    assert (G : forall s t, K s t ->
              K' (final passes s (before ++ mine ++ after)) (final passes t (before ++ theirs ++ after))).
    { clear H first. induction A as [K | K p passes I K' one _ IH]; intros s t H; [exact H |]. apply IH.
      unfold after_pass. rewrite !read_app. destruct one as [at_start before_ at_edit after_].
      pose proof (rows_of_positive before). pose proof (rows_of_positive mine). pose proof (rows_of_positive after).
      rewrite !rows_of_app in L.
      replace l with (0 + rows_of before + rows_of mine + rows_of after)%Z by lia.
      apply (reading_relates l p (I true)); [exact after_ | exact C | lia | lia |].
      apply at_edit; [lia | lia |].
      apply (reading_relates l p (I false)); [exact before_ | exact B | lia | lia |]. apply at_start, H. }
    apply G, H.
  Qed.

  (** ** A relation, with what is known of earlier passes and of each run alone *)

  Definition together (K : State -> State -> Prop) (I : bool -> State -> State -> Z -> Prop)
      (J J' : State -> Z -> Prop) (shift : Z) : bool -> State -> State -> Z -> Prop :=
    fun edited s t r => K s t /\ I edited s t r /\ J s r /\ J' t (if edited then r + shift else r)%Z.
  Definition nothing_known (_ : State) (_ : Z) : Prop := True.
  (* A pass leaves alone whatever this speaks of. *)
  Definition unmoved (p : pass) (K : State -> State -> Prop) :=
    (forall s t, K s t -> K (start p s) (start p t)) /\
    (forall s t x, K s t -> K (step p s x) t) /\ (forall s t x, K s t -> K s (step p t x)).
  Lemma unmoved_by_reading p K s t u v : unmoved p K -> K s t -> K (read p s u) (read p t v).
  Proof.
    intros (_ & first & second) H.
    assert (A : forall s, K s t -> K (read p s u) t).
    { induction u as [| x u IH]; intros w W; [exact W |]. apply IH, first, W. }
    specialize (A s H). clear H. revert t A. generalize (read p s u) as w.
    induction v as [| x v IH]; intros w t W; [exact W |]. apply IH, second, W.
  Qed.
  (* The clauses of docs/sensitivity.md, each with all that is known at its place. *)
  Theorem related_together l l' mine theirs F F' (K : State -> State -> Prop) p
      (I : bool -> State -> State -> Z -> Prop) J J' :
    let shift := (rows_of theirs - rows_of mine)%Z in
    l' = (l + shift)%Z -> Forall inside mine -> Forall inside theirs ->
    (forall s t, K s t -> F s /\ F' t) -> kept l F p J -> kept l' F' p J' -> unmoved p K ->
    (forall s t, K s t -> I false (start p s) (start p t) 0%Z) ->
    (forall s t r x, inside x -> (0 <= r < l)%Z -> together K I J J' shift false s t r ->
       I false (step p s x) (step p t x) (r + 1)%Z) ->
    (forall s t r, (0 <= r)%Z -> (r + rows_of mine <= l)%Z -> together K I J J' shift false s t r ->
       I true (read p s mine) (read p t theirs) (r + rows_of mine)%Z) ->
    (forall s t r x, inside x -> (0 <= r < l)%Z -> together K I J J' shift true s t r ->
       I true (step p s x) (step p t x) (r + 1)%Z) ->
    (0 <= shift)%Z ->
    related l mine theirs K p (together K I J J' shift).
  Proof.
    intros shift L M T alone first second same at_start before at_edit after positive. split.
    - intros s t H. destruct (alone s t H). split; [apply same, H |]. split; [apply at_start, H |].
      split; [apply (kept_at_start _ _ _ _ first) | apply (kept_at_start _ _ _ _ second)]; assumption.
    - intros s t r x X R H. pose proof H as (A & B & C & D).
      split; [apply (unmoved_by_reading p K s t [x] [x]); assumption |]. split; [apply before; assumption |].
      split; [apply (kept_by_steps _ _ _ _ first) | apply (kept_by_steps _ _ _ _ second)]; try assumption; lia.
    - intros s t r R E H. pose proof H as (A & B & C & D).
      split; [apply unmoved_by_reading; assumption |]. split; [apply at_edit; assumption |].
      split; [apply (reading_keeps l F p J mine s r first); assumption |].
      replace (r + rows_of mine + shift)%Z with (r + rows_of theirs)%Z by (unfold shift; lia).
      apply (reading_keeps l' F' p J' theirs t r second); try assumption. unfold shift in L. lia.
    - intros s t r x X R H. pose proof H as (A & B & C & D).
      split; [apply (unmoved_by_reading p K s t [x] [x]); assumption |]. split; [apply after; assumption |].
      split; [apply (kept_by_steps _ _ _ _ first); assumption |].
      replace (r + 1 + shift)%Z with (r + shift + 1)%Z by lia.
      apply (kept_by_steps _ _ _ _ second); try assumption. lia.
  Qed.
  Lemma nothing_is_kept l F p : kept l F p nothing_known.
  Proof. split; intros; exact I. Qed.
  (* An invariant of a single run, with what earlier passes have found. *)
  Theorem kept_with_earlier l (F : State -> Prop) p (J : State -> Z -> Prop) :
    (forall s, F s -> F (start p s)) -> (forall s x, F s -> F (step p s x)) ->
    (forall s, F s -> J (start p s) 0%Z) ->
    (forall s r x, F s -> inside x -> (0 <= r < l)%Z -> J s r -> J (step p s x) (r + 1)%Z) ->
    kept l F p (fun s r => F s /\ J s r).
  Proof. intros A B C D. split; [auto |]. intros s r x X R [H H']. split; auto. Qed.
End runs.
Arguments pass : clear implicits.
Arguments Pass {Row State} _ _.

(** * What queries answer, and how far answers are apart *)

(* An answer, or which exception is raised: its place in refdp's list, which begins with 1. *)
Inductive outcome (Y : Type) := Answers (y : Y) | Raises (exception : Z).
Arguments Answers {Y} _.
Arguments Raises {Y} _.
Definition outcome_of {Y : Type} (exception : Z) (y : Y) : outcome Y :=
  if Z.eqb exception 0 then Answers y else Raises exception.
(* The same exception, or answers within the distance. *)
Definition outcomes {Y : Type} (far : R -> Y -> Y -> Prop) (d : R) (a b : outcome Y) : Prop :=
  match a, b with
  | Answers x, Answers y => far d x y
  | Raises e, Raises e' => e = e' /\ 0 <= d
  | _, _ => False
  end.
(* Both are answers, and these are near. *)
Definition answered {Y : Type} (far : Y -> Y -> Prop) (a b : outcome Y) : Prop :=
  match a, b with Answers x, Answers y => far x y | _, _ => False end.
Definition vector_of (numbers : list R) : vector := fun place => nth place numbers 0.
(* A truth value as a number. *)
Definition indicated (b : bool) : R := if b then 1 else 0.

(* A distance, as a relation for each bound. *)
Record distance_like {Y : Type} (far : R -> Y -> Y -> Prop) : Prop := DistanceLike {
  far_none : forall x, far 0 x x;
  far_other_way : forall d x y, far d x y -> far d y x;
  far_sum : forall d e x y z, far d x y -> far e y z -> far (d + e) x z;
  far_more : forall d e x y, d <= e -> far d x y -> far e x y
}.

Lemma absolute_is_a_distance : distance_like absolute.
Proof.
  unfold absolute. split.
  - intro x. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
  - intros d x y. rewrite Rabs_minus_sym. auto.
  - intros d e x y z. split_Rabs; lra.
  - intros. lra.
Qed.
Lemma l1_is_a_distance n : distance_like (l1 n).
Proof.
  unfold l1. split.
  - intro x. rewrite total_nothing; [lra |]. intros. rewrite Rminus_diag_eq, Rabs_R0; reflexivity.
  - intros d x y H. erewrite total_same; [exact H |]. intros. cbv beta. apply Rabs_minus_sym.
  - intros d e x y z A B.
    assert (C : total n (fun j => Rabs (x j - z j)) <=
              total n (fun j => Rabs (x j - y j)) + total n (fun j => Rabs (y j - z j))).
    { rewrite <- total_sum. apply total_le. intros. split_Rabs; lra. }
    lra.
  - intros. lra.
Qed.
Lemma l2_is_a_distance n : distance_like (l2 n).
Proof.
  split.
  - intro x. split; [lra |]. rewrite total_nothing; [lra |]. intros. ring.
  - intros d x y [D H]. split; [exact D |]. erewrite total_same; [exact H |]. intros. cbv beta. ring.
  - intros d e x y z. rewrite !l2_by_norm. pose proof (norm_difference_triangle n x y z). lra.
  - intros d e x y L. rewrite !l2_by_norm. lra.
Qed.
Lemma linf_is_a_distance n : distance_like (linf n).
Proof.
  unfold linf. split.
  - intro x. split; [lra |]. intros. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
  - intros d x y [D H]. split; [exact D |]. intros j J. rewrite Rabs_minus_sym. apply H, J.
  - intros d e x y z [D A] [E B]. split; [lra |]. intros j J. specialize (A j J). specialize (B j J).
    revert A B. split_Rabs; lra.
  - intros d e x y L [D A]. split; [lra |]. intros j J. specialize (A j J). lra.
Qed.
Lemma outcomes_are_a_distance {Y : Type} (far : R -> Y -> Y -> Prop) :
  (forall d x y, far d x y -> 0 <= d) -> distance_like far -> distance_like (outcomes far).
Proof.
  intros positive [none other sum more]. split.
  - intros [y | e]; simpl; [apply none | split; [reflexivity | lra]].
  - intros d [y | e] [y' | e'] H; simpl in *; try contradiction.
    + apply other, H.
    + destruct H as [-> D]. auto.
  - intros d e [x | a] [y | b] [z | c] H H'; simpl in *; try contradiction.
    + exact (sum _ _ _ _ _ H H').
    + destruct H as [-> D], H' as [-> E]. split; [reflexivity | lra].
  - intros d e [x | a] [y | b] L H; simpl in *; try contradiction.
    + exact (more _ _ _ _ L H).
    + destruct H as [-> D]. split; [reflexivity | lra].
Qed.
Lemma absolute_positive d x y : absolute d x y -> 0 <= d.
Proof. unfold absolute. pose proof (Rabs_pos (x - y)). lra. Qed.
Lemma l1_positive n d x y : l1 n d x y -> 0 <= d.
Proof.
  unfold l1. intro H. eapply Rle_trans; [| exact H]. apply total_nonnegative. intros. apply Rabs_pos.
Qed.
Lemma l2_positive n d x y : l2 n d x y -> 0 <= d.
Proof. intros [D _]. exact D. Qed.
Lemma linf_positive n d x y : linf n d x y -> 0 <= d.
Proof. intros [D _]. exact D. Qed.
(* Equal coordinates are at no distance in any norm. *)
Lemma same_coordinates n x y : linf n 0 x y -> forall j, (j < n)%nat -> x j = y j.
Proof. intros [_ H] j J. specialize (H j J). revert H. split_Rabs; lra. Qed.
Lemma same_l1 n x y : linf n 0 x y -> l1 n 0 x y.
Proof.
  intro H. unfold l1. rewrite total_nothing; [lra |]. intros j J. rewrite (same_coordinates n x y H j J).
  rewrite Rminus_diag_eq, Rabs_R0; reflexivity.
Qed.
Lemma same_l2 n x y : linf n 0 x y -> l2 n 0 x y.
Proof.
  intro H. split; [lra |]. rewrite total_nothing; [lra |]. intros j J. rewrite (same_coordinates n x y H j J). ring.
Qed.
Lemma outcomes_within {Y : Type} (near far : R -> Y -> Y -> Prop) d a b :
  (forall x y, near d x y -> far d x y) -> outcomes near d a b -> outcomes far d a b.
Proof. intro H. destruct a, b; simpl; auto. Qed.
Lemma answers_of {Y : Type} (far : R -> Y -> Y -> Prop) d e e' a b :
  e = 0%Z -> e' = 0%Z -> outcomes far d (outcome_of e a) (outcome_of e' b) ->
  answered (far d) (outcome_of e a) (outcome_of e' b).
Proof. intros -> ->. exact (fun H => H). Qed.

(** * From one edit to many *)

Section edits.
  Context {Row Y : Type} (inside : Row -> Prop) (allowed : nat -> Prop) (T : table Row -> Y).
  Context (far : R -> Y -> Y -> Prop) (c : R).
  Hypothesis is_a_distance : distance_like far.
  Hypothesis positive : 0 <= c.

  (* Two rows that follow each other are exchanged. *)
  Definition order_is_free := forall before after x y,
    table_of inside (before ++ x :: y :: after) -> allowed (length (before ++ x :: y :: after)) ->
    far 0 (T (before ++ x :: y :: after)) (T (before ++ y :: x :: after)).
  Definition one_more := forall before after x, table_of inside (before ++ x :: after) ->
    allowed (length (before ++ after)) -> far c (T (before ++ after)) (T (before ++ x :: after)).
  Definition one_other := forall before after x y, table_of inside (before ++ x :: after) -> inside y ->
    allowed (length (before ++ x :: after)) -> far c (T (before ++ x :: after)) (T (before ++ y :: after)).

  Lemma none_twice x y z : far 0 x y -> far 0 y z -> far 0 x z.
  Proof. intros A B. rewrite <- (Rplus_0_r 0). exact (far_sum far is_a_distance _ _ _ _ _ A B). Qed.
  Lemma then_none d x y z : far d x y -> far 0 y z -> far d x z.
  Proof. intros A B. rewrite <- (Rplus_0_r d). exact (far_sum far is_a_distance _ _ _ _ _ A B). Qed.
  Lemma none_then d x y z : far 0 x y -> far d y z -> far d x z.
  Proof. intros A B. rewrite <- (Rplus_0_l d). exact (far_sum far is_a_distance _ _ _ _ _ A B). Qed.

  (* What exchanging two rows does not change, no other order changes. *)
  Theorem any_order : order_is_free -> forall u v,
    Permutation u v -> table_of inside u -> allowed (length u) -> far 0 (T u) (T v).
  Proof.
    intro free.
    assert (G : forall u v, Permutation u v -> forall before, table_of inside (before ++ u) ->
              allowed (length (before ++ u)) -> far 0 (T (before ++ u)) (T (before ++ v))).
    { induction 1 as [| x u v _ IH | x y u | u v w P IH _ IH']; intros before U A.
      - apply (far_none far is_a_distance).
      - specialize (IH (before ++ [x])). rewrite <- !app_assoc in IH. exact (IH U A).
      - apply free; assumption.
      - apply (none_twice _ (T (before ++ v))); [apply IH; assumption |].
        assert (Q : Permutation (before ++ u) (before ++ v)) by (apply Permutation_app_head, P).
        apply IH'; [apply (Permutation_Forall Q), U | rewrite <- (Permutation_length Q); exact A]. }
    intros u v P. exact (G u v P []).
  Qed.

  Lemma none_of_multiple x : far (0 * c) x x.
  Proof. rewrite Rmult_0_l. apply (far_none far is_a_distance). Qed.
  Lemma one_step_more m x y z : far c x y -> far (INR m * c) y z -> far (INR (S m) * c) x z.
  Proof.
    intros A B. rewrite S_INR. replace ((INR m + 1) * c) with (c + INR m * c) by ring.
    exact (far_sum far is_a_distance _ _ _ _ _ A B).
  Qed.
  Lemma so_many d m x y : INR m <= d -> far (INR m * c) x y -> far (d * c) x y.
  Proof. intros L. apply (far_more far is_a_distance), Rmult_le_compat_r; assumption. Qed.

  (** ** Lists *)

  Lemma inserted common u : (forall m, allowed m) -> one_more -> subsequence common u -> forall before,
    table_of inside (before ++ u) ->
    far (INR (length u - length common) * c) (T (before ++ common)) (T (before ++ u)) /\
    (length common <= length u)%nat.
  Proof.
    intros any one. induction 1 as [u | x common u _ IH | x common u _ IH]; intros before U.
    - split; [| simpl; lia]. simpl length. rewrite Nat.sub_0_r. revert before U.
      induction u as [| x u IH]; intros before U; [apply none_of_multiple |].
      apply (one_step_more (length u) _ (T (before ++ [x]))).
      + rewrite app_nil_r. pose proof (one before [] x) as O. rewrite app_nil_r in O. apply O; [| apply any].
        apply Forall_app in U as [B U]. inversion U; subst. apply Forall_app. auto.
      + specialize (IH (before ++ [x])). rewrite <- !app_assoc, app_nil_r in IH. apply IH, U.
    - specialize (IH (before ++ [x])). rewrite <- !app_assoc in IH. destruct (IH U) as [A L].
      split; [exact A | simpl; lia].
    - destruct (IH before) as [A L].
      { apply Forall_app in U as [B U]. inversion U; subst. apply Forall_app. auto. }
      split; [| simpl; lia]. simpl length.
      replace (S (length u) - length common)%nat with (S (length u - length common)) by lia. rewrite S_INR.
      replace ((INR (length u - length common) + 1) * c) with (INR (length u - length common) * c + c) by ring.
      apply (far_sum far is_a_distance _ _ _ _ _ A). apply one; [exact U | apply any].
  Qed.
  Theorem stable_insert_delete d_in : (forall m, allowed m) -> one_more ->
    stable (restricted (table_of inside) (insert_delete d_in)) T (far (d_in * c)).
  Proof.
    intros any one u v (U & V & common & S & S' & L).
    destruct (inserted common u any one S [] U) as [A A']. destruct (inserted common v any one S' [] V) as [B B'].
    simpl app in A, B. apply (far_other_way far is_a_distance) in A.
    pose proof (far_sum far is_a_distance _ _ _ _ _ A B) as C. rewrite <- Rmult_plus_distr_r, <- plus_INR in C.
    eapply so_many; [| exact C].
    replace (length u - length common + (length v - length common))%nat
      with (length u + length v - 2 * length common)%nat by lia. exact L.
  Qed.
  Lemma positions_changed m u v : one_other -> positions_differ m u v -> forall before,
    table_of inside (before ++ u) -> table_of inside (before ++ v) -> allowed (length (before ++ u)) ->
    far (INR m * c) (T (before ++ u)) (T (before ++ v)).
  Proof.
    intro one. induction 1 as [| x m u v _ IH | x y m u v _ IH]; intros before U V A.
    - apply none_of_multiple.
    - specialize (IH (before ++ [x])). rewrite <- !app_assoc in IH. apply IH; assumption.
    - apply Forall_app in V as [B V]. inversion V; subst. pose proof U as U'. apply Forall_app in U' as [_ U'].
      inversion U'; subst. apply (one_step_more m _ (T (before ++ y :: u))).
      + apply one; assumption.
      + specialize (IH (before ++ [y])). rewrite <- !app_assoc in IH. apply IH.
        * apply Forall_app. split; [assumption |]. constructor; assumption.
        * apply Forall_app. auto.
        * rewrite app_length in *. exact A.
  Qed.
  Theorem stable_hamming d_in : one_other ->
    forall u v, allowed (length u) -> restricted (table_of inside) (hamming d_in) u v -> far (d_in * c) (T u) (T v).
  Proof.
    intros one u v A (U & V & m & D & L). eapply so_many; [exact L |].
    exact (positions_changed m u v one D [] U V A).
  Qed.

  (** ** Multisets *)

  Theorem stable_symmetric d_in : (forall m, allowed m) -> order_is_free -> one_more ->
    stable (restricted (table_of inside) (symmetric d_in)) T (far (d_in * c)).
  Proof.
    intros any free one u v (U & V & removed & added & (common & P & Q) & L).
    assert (S : forall some, table_of inside (common ++ some) ->
              far (INR (length some) * c) (T common) (T (common ++ some))).
    { intros some W. destruct (inserted common (common ++ some) any one) with (before := @nil Row) as [A _].
      - clear. induction common as [| x common IH]; simpl; [apply nothing_of | apply with_the_first, IH].
      - exact W.
      - rewrite app_length in A.
        replace (length common + length some - length common)%nat with (length some) in A by lia.
        exact A. }
    assert (U' : table_of inside (common ++ removed)) by (apply (Permutation_Forall P), U).
    assert (V' : table_of inside (common ++ added)) by (apply (Permutation_Forall Q), V).
    pose proof (far_other_way far is_a_distance _ _ _ (S removed U')) as back.
    pose proof (far_sum far is_a_distance _ _ _ _ _ back (S added V')) as C.
    rewrite <- Rmult_plus_distr_r, <- plus_INR in C. eapply so_many; [exact L |].
    apply (none_then _ _ (T (common ++ removed))); [apply any_order; auto |].
    apply (then_none _ _ (T (common ++ added))); [exact C |].
    apply any_order; auto. symmetry. exact Q.
  Qed.
  Theorem stable_change_one d_in : order_is_free -> one_other ->
    forall u v, allowed (length u) -> restricted (table_of inside) (change_one d_in) u v -> far (d_in * c) (T u) (T v).
  Proof.
    intros free one u v A (U & V & removed & added & (common & P & Q) & same & L).
    assert (U' : table_of inside (removed ++ common)).
    { apply (Permutation_Forall P) in U. apply Forall_app in U as [B C]. apply Forall_app. auto. }
    assert (V' : table_of inside (added ++ common)).
    { apply (Permutation_Forall Q) in V. apply Forall_app in V as [B C]. apply Forall_app. auto. }
    assert (P' : Permutation u (removed ++ common)) by (rewrite P; apply Permutation_app_comm).
    assert (Q' : Permutation v (added ++ common)) by (rewrite Q; apply Permutation_app_comm).
    assert (D : positions_differ (length removed) (removed ++ common) (added ++ common)).
    { clear - same. revert added same. induction removed as [| x removed IH]; intros [| y added] same; try discriminate.
      - simpl. induction common; constructor; assumption.
      - simpl. constructor. apply IH. injection same. auto. }
    assert (B : allowed (length (removed ++ common))) by (rewrite <- (Permutation_length P'); exact A).
    pose proof (positions_changed _ _ _ one D [] U' V' B) as C. simpl app in C.
    eapply so_many; [exact L |].
    apply (none_then _ _ (T (removed ++ common))); [apply any_order; assumption |].
    apply (then_none _ _ (T (added ++ common))); [exact C |].
    apply any_order; [assumption | symmetry; exact Q' | exact V' |].
    rewrite app_length, <- same, <- app_length. exact B.
  Qed.
End edits.

(** * What claims of queries say *)

Definition any_size (_ : nat) : Prop := True.
(* A claim of every distance, from what its conditions show of one edit. *)
Section claims.
  Context {Row Y : Type} (inside : Row -> Prop) (allowed : nat -> Prop) (T : table Row -> Y).
  Context (far : R -> Y -> Y -> Prop) (c : R) (domain : table Row -> Prop).
  Hypothesis is_a_distance : distance_like far.
  Hypothesis positive : 0 <= c.
  Hypothesis domain_is_inside : forall u, domain u -> table_of inside u /\ allowed (length u).

  Theorem query_symmetric d_in : (forall m, allowed m) -> order_is_free inside allowed T far ->
    one_more inside allowed T far c -> stable (restricted domain (symmetric d_in)) T (far (d_in * c)).
  Proof.
    intros any free one u v (U & V & N). apply domain_is_inside in U, V.
    apply (stable_symmetric inside allowed T far c is_a_distance positive d_in any free one). split; tauto.
  Qed.
  Theorem query_change_one d_in : order_is_free inside allowed T far -> one_other inside allowed T far c ->
    stable (restricted domain (change_one d_in)) T (far (d_in * c)).
  Proof.
    intros free one u v (U & V & N). apply domain_is_inside in U, V.
    apply (stable_change_one inside allowed T far c is_a_distance positive d_in free one); [tauto |]. split; tauto.
  Qed.
  Theorem query_insert_delete d_in : (forall m, allowed m) -> one_more inside allowed T far c ->
    stable (restricted domain (insert_delete d_in)) T (far (d_in * c)).
  Proof.
    intros any one u v (U & V & N). apply domain_is_inside in U, V.
    apply (stable_insert_delete inside allowed T far c is_a_distance positive d_in any one). split; tauto.
  Qed.
  Theorem query_hamming d_in : one_other inside allowed T far c ->
    stable (restricted domain (hamming d_in)) T (far (d_in * c)).
  Proof.
    intros one u v (U & V & N). apply domain_is_inside in U, V.
    apply (stable_hamming inside allowed T far c is_a_distance positive d_in one); [tauto |]. split; tauto.
  Qed.
End claims.

(* Answers also lie where the claim says; and where no run raises, what is near are answers. *)
Theorem answers_lie_in {X Y : Type} (domain : X -> Prop) near (T : X -> Y) (outputs : Y -> Prop) far :
  (forall u, domain u -> outputs (T u)) -> stable (restricted domain near) T far ->
  stable (restricted domain near) T (restricted outputs far).
Proof. intros A S u v N. pose proof N as (U & V & _). split; [auto |]. split; [auto |]. apply S, N. Qed.
Theorem no_run_raises {X Y : Type} (domain : X -> Prop) near (raised : X -> Z) (answer : X -> Y)
    (far : R -> Y -> Y -> Prop) d :
  (forall u, domain u -> raised u = 0%Z) ->
  stable (restricted domain near) (fun u => outcome_of (raised u) (answer u)) (outcomes far d) ->
  stable (restricted domain near) (fun u => outcome_of (raised u) (answer u)) (answered (far d)).
Proof.
  intros none S u v N. specialize (S u v N). destruct N as (U & V & _). cbv beta in *.
  rewrite (none u U), (none v V) in *. exact S.
Qed.
Theorem no_run_raises_and_answers_lie_in {X Y : Type} (domain : X -> Prop) near (raised : X -> Z) (answer : X -> Y)
    (outputs : Y -> Prop) (far : R -> Y -> Y -> Prop) d :
  (forall u, domain u -> raised u = 0%Z) -> (forall u, domain u -> outputs (answer u)) ->
  stable (restricted domain near) (fun u => outcome_of (raised u) (answer u)) (outcomes far d) ->
  stable (restricted domain near) (fun u => outcome_of (raised u) (answer u)) (answered (restricted outputs (far d))).
Proof.
  intros none lie S u v N. specialize (S u v N). destruct N as (U & V & _). cbv beta in *.
  rewrite (none u U), (none v V) in *. split; [auto |]. split; [auto | exact S].
Qed.

(* A claim of one edit, whose bound may speak of n, the number of rows of the smaller table. *)
Definition list_edit {Row : Type} (u v : table Row) := exists before row after,
  (u = before ++ after /\ v = before ++ row :: after) \/ (v = before ++ after /\ u = before ++ row :: after).
Definition list_replacement {Row : Type} (u v : table Row) := exists before row other after,
  u = before ++ row :: after /\ v = before ++ other :: after.
Definition smaller {Row : Type} (u v : table Row) : Z := Z.min (rows_of u) (rows_of v).

Section one_edit.
  Context {Row Y : Type} (inside : Row -> Prop) (T : table Row -> Y) (far : R -> Y -> Y -> Prop) (c : R) (n : Z).
  Hypothesis is_a_distance : distance_like far.
  Definition of_rows (m : nat) := Z.of_nat m = n.
  Definition of_rows_or_one_more (m : nat) := Z.of_nat m = n \/ Z.of_nat m = (n + 1)%Z.

  Theorem query_one_edit : order_is_free inside of_rows_or_one_more T far -> one_more inside of_rows T far c ->
    forall u v, table_of inside u -> table_of inside v -> one_edit u v -> smaller u v = n -> far c (T u) (T v).
  Proof.
    intros free one.
    assert (G : forall u v row, table_of inside v -> Permutation v (row :: u) -> smaller u v = n -> far c (T u) (T v)).
    { intros u v row V P S. assert (W : table_of inside (row :: u)) by (apply (Permutation_Forall P), V).
      pose proof (Permutation_length P) as L. unfold smaller, rows_of in S. simpl in L.
      apply (then_none far is_a_distance _ _ (T (row :: u))).
      - apply (one [] u row W). unfold of_rows. simpl. lia.
      - apply (any_order inside of_rows_or_one_more T far is_a_distance free); [symmetry; exact P | exact W |].
        unfold of_rows_or_one_more. simpl. lia. }
    intros u v U V (row & [P | P]) S.
    - exact (G u v row V P S).
    - apply (far_other_way far is_a_distance). apply (G v u row U P). unfold smaller in *. rewrite Z.min_comm. exact S.
  Qed.
  Theorem query_one_replacement : order_is_free inside of_rows T far -> one_other inside of_rows T far c ->
    forall u v, table_of inside u -> table_of inside v -> one_replacement u v -> smaller u v = n -> far c (T u) (T v).
  Proof.
    intros free one u v U V (row & other & rest & P & Q) S.
    assert (U' : table_of inside (row :: rest)) by (apply (Permutation_Forall P), U).
    assert (V' : table_of inside (other :: rest)) by (apply (Permutation_Forall Q), V).
    pose proof (Permutation_length P) as L. pose proof (Permutation_length Q) as L'. simpl in L, L'.
    unfold smaller, rows_of in S.
    apply (none_then far is_a_distance _ _ (T (row :: rest))).
    { apply (any_order inside of_rows T far is_a_distance free); [exact P | exact U |].
      unfold of_rows. lia. }
    apply (then_none far is_a_distance _ _ (T (other :: rest))).
    { apply (one [] rest row other U'); [inversion V'; assumption |]. unfold of_rows. simpl. lia. }
    apply (any_order inside of_rows T far is_a_distance free); [symmetry; exact Q | exact V' |].
    unfold of_rows. simpl. lia.
  Qed.
  Theorem query_list_edit : one_more inside of_rows T far c ->
    forall u v, table_of inside u -> table_of inside v -> list_edit u v -> smaller u v = n -> far c (T u) (T v).
  Proof.
    intros one u v U V (before & row & after & [[-> ->] | [-> ->]]) S; unfold smaller in S;
      rewrite !rows_of_app, rows_of_cons in S.
    - apply one; [exact V |]. unfold of_rows. fold (rows_of (before ++ after)). rewrite rows_of_app. lia.
    - apply (far_other_way far is_a_distance), one; [exact U |].
      unfold of_rows. fold (rows_of (before ++ after)). rewrite rows_of_app. lia.
  Qed.
  Theorem query_list_replacement : one_other inside of_rows T far c ->
    forall u v, table_of inside u -> table_of inside v -> list_replacement u v -> smaller u v = n -> far c (T u) (T v).
  Proof.
    intros one u v U V (before & row & other & after & -> & ->) S. unfold smaller in S.
    rewrite !rows_of_app, !rows_of_cons in S. apply one; [exact U | |].
    - apply Forall_app in V as [_ V]. inversion V; assumption.
    - unfold of_rows. fold (rows_of (before ++ row :: after)). rewrite rows_of_app, rows_of_cons. lia.
  Qed.
End one_edit.

(** * Records *)

(* labels(...): the place of a label in their list; optional(D); record(...): pairs of columns. *)
Definition label (count : Z) (x : Z) := (0 <= x < count)%Z.
Definition optional {X : Type} (inside : X -> Prop) (x : option X) :=
  match x with Some present => inside present | None => True end.
Definition both {X Y : Type} (inside : X -> Prop) (also : Y -> Prop) (x : X * Y) := inside (fst x) /\ also (snd x).
(* How a query reads a value that may be missing. *)
Definition missing {X : Type} (x : option X) : bool := match x with Some _ => false | None => true end.
Definition present {X : Type} (otherwise : X) (x : option X) : X := match x with Some v => v | None => otherwise end.

Lemma floor_of_whole x : on_grid 1 x -> IZR (floored x) = x.
Proof.
  intros [k ->]. rewrite Rmult_1_l. unfold floored. f_equal. destruct (base_Int_part (IZR k)) as [A B].
  rewrite <- minus_IZR in B. apply le_IZR in A. apply (lt_IZR (-1)) in B. lia.
Qed.
Lemma whole_on_grid step k z : step * IZR k = 1 -> on_grid step (IZR z).
Proof.
  intro H. exists (z * k)%Z. rewrite mult_IZR.
  replace (step * (IZR z * IZR k)) with (step * IZR k * IZR z) by ring. rewrite H. ring.
Qed.
Lemma steps_on_grid step x : step <> 0 -> IZR (floored (x / step)) = x / step -> on_grid step x.
Proof. intros S H. exists (floored (x / step)). rewrite H. field. exact S. Qed.

(** * Tactics of exported claims *)

(* A row in its columns, each there or not. *)
Ltac columns :=
  repeat match goal with
  | x : prod _ _ |- _ => destruct x
  | x : option _ |- _ => destruct x
  end.
(* That what a domain says of a row is what its query may assume. *)
Ltac row_is_inside :=
  repeat match goal with H : _ /\ _ |- _ => destruct H end;
  repeat match goal with H : on_grid 1 _ |- _ => apply floor_of_whole in H end;
  repeat match goal with
  | |- andb _ _ = true => apply andb_true_iff; split
  | |- orb _ _ = true => apply orb_true_iff; first [left; reflexivity | right]
  | |- at_most _ _ = true => apply at_most_true
  | |- Z.leb _ _ = true => apply Z.leb_le
  end;
  first [reflexivity | assumption | lra | lia | apply le_IZR; lra].
(* States in their parts. *)
Ltac taken_apart state := repeat match goal with s : state |- _ => destruct s end.
(* A bound that is a number. *)
Ltac positive := first [lra | apply sqrt_pos | apply Rmult_le_pos; positive].
(* What is known before a run on a whole table, whose number of rows is n. *)
Ltac whole_table := intros; repeat split; first [assumption | reflexivity | left; reflexivity].
(* A coordinate beyond the last one. *)
Ltac beyond := exfalso; cbn in *; lia.
(* Facts about numbers of rows. *)
Ltac counted := cbn; lia.
Ltac lengths := unfold smaller, rows_of in *; rewrite ?app_length in *; cbn [length] in *; lia.
Ltac facts :=
  intros; repeat match goal with H : _ /\ _ |- _ => destruct H end; repeat split;
  first [assumption | lia | lengths].

(** * An example, and what a clause is for *)

(* The sum of rows clamped to [0, 1] moves by at most d_in where d_in rows are added or removed: its two runs are in the
   relation that the second is ahead by what the added row is clamped to. *)
Section clamped_sum.
  Definition clamped (x : R) : R := if at_most x 0 then 0 else if at_most 1 x then 1 else x.
  Definition clamped_total : pass R R := Pass (fun _ => 0) (fun s x => s + clamped x).
  Definition clamped_ahead (added : R) (edited : bool) (s t : R) (r : Z) : Prop :=
    t = if edited then s + clamped added else s.
  Definition any_number (_ : R) : Prop := True.

  Lemma clamped_is_between x : 0 <= clamped x <= 1.
  Proof. unfold clamped. decide_each; lra. Qed.
  Lemma clamped_sums_are_related n added :
    all_related any_number n [] [added] (fun _ _ => True) [clamped_total]
      (fun s t => clamped_ahead added true s t n).
  Proof.
    apply (a_pass_relates _ _ _ _ _ clamped_total _ (clamped_ahead added)); [| apply no_pass_relates]. split.
    - reflexivity.
    - intros s t r x _ _ H. unfold clamped_ahead in *. simpl. rewrite H. reflexivity.
    - intros s t r _ _ H. unfold clamped_ahead in *. simpl. rewrite H. reflexivity.
    - intros s t r x _ _ H. unfold clamped_ahead in *. simpl. rewrite H. ring.
  Qed.
  Lemma clamped_sum_in_any_order before after x y :
    final [clamped_total] 0 (before ++ x :: y :: after) = final [clamped_total] 0 (before ++ y :: x :: after).
  Proof.
    unfold final, after_pass, read. simpl. rewrite !fold_left_app. simpl. f_equal. ring.
  Qed.
  Lemma clamped_sums_of_old_and_new n old new :
    all_related any_number n [old] [new] (fun _ _ => True) [clamped_total]
      (fun s t => t = s + (clamped new - clamped old)).
  Proof.
    apply (a_pass_relates _ _ _ _ _ clamped_total _
             (fun edited s t _ => t = s + if edited then clamped new - clamped old else 0)); [| apply no_pass_relates].
    split.
    - intros. simpl. ring.
    - intros s t r x _ _ H. simpl. rewrite H. ring.
    - intros s t r _ _ H. simpl. rewrite H. ring.
    - intros s t r x _ _ H. simpl. rewrite H. ring.
  Qed.
  Lemma all_numbers (u : table R) : Forall any_number u.
  Proof. apply Forall_forall. intros. exact I. Qed.
  Lemma one_more_number : one_more any_number any_size (final [clamped_total] 0) absolute 1.
  Proof.
    intros before after x _ _.
    pose proof (runs_stay_related any_number (rows_of (before ++ after)) [] [x] (fun _ _ => True) [clamped_total] _
                  before after 0 (clamped_sums_are_related _ x) (all_numbers _) (all_numbers _) eq_refl I) as H.
    unfold clamped_ahead in H. simpl app in H. unfold absolute. rewrite H.
    pose proof (clamped_is_between x). split_Rabs; lra.
  Qed.
  Lemma one_other_number : one_other any_number any_size (final [clamped_total] 0) absolute 1.
  Proof.
    intros before after x y _ _ _.
    pose proof (runs_stay_related any_number (rows_of (before ++ [x] ++ after)) [x] [y] (fun _ _ => True)
                  [clamped_total] _ before after 0 (clamped_sums_of_old_and_new _ x y) (all_numbers _) (all_numbers _)
                  eq_refl I) as H.
    simpl app in H. unfold absolute. rewrite H.
    pose proof (clamped_is_between x). pose proof (clamped_is_between y). split_Rabs; lra.
  Qed.
  Lemma order_of_numbers : order_is_free any_number any_size (final [clamped_total] 0) absolute.
  Proof.
    intros before after x y _ _. rewrite (clamped_sum_in_any_order before after x y).
    apply (far_none _ absolute_is_a_distance).
  Qed.
  Lemma numbers_are_any (u : table R) : table_of any_number u -> table_of any_number u /\ any_size (length u).
  Proof. intro U. split; [exact U | exact I]. Qed.
  Theorem clamped_sum_is_stable d_in :
    stable (restricted (table_of any_number) (symmetric d_in)) (final [clamped_total] 0) (absolute (d_in * 1)).
  Proof.
    apply (query_symmetric any_number any_size (final [clamped_total] 0) absolute 1 (table_of any_number)).
    - exact absolute_is_a_distance.
    - lra.
    - exact numbers_are_any.
    - intro m. exact I.
    - exact order_of_numbers.
    - exact one_more_number.
  Qed.

  Example three_rows_of_a_clamped_sum :
    stable (restricted (table_of any_number) (symmetric 3)) (final [clamped_total] 0) (absolute (3 * 1)).
  Proof. apply clamped_sum_is_stable. Qed.
  Example three_new_rows_of_a_clamped_sum :
    stable (restricted (table_of any_number) (change_one 3)) (final [clamped_total] 0) (absolute (3 * 1)).
  Proof.
    apply (query_change_one any_number any_size (final [clamped_total] 0) absolute 1 (table_of any_number)
             absolute_is_a_distance ltac:(lra) numbers_are_any 3 order_of_numbers one_other_number).
  Qed.
  Example three_rows_of_a_list :
    stable (restricted (table_of any_number) (insert_delete 3)) (final [clamped_total] 0) (absolute (3 * 1)).
  Proof.
    apply (query_insert_delete any_number any_size (final [clamped_total] 0) absolute 1 (table_of any_number)
             absolute_is_a_distance ltac:(lra) numbers_are_any 3 (fun _ => I) one_more_number).
  Qed.
  Example three_places_of_a_list :
    stable (restricted (table_of any_number) (hamming 3)) (final [clamped_total] 0) (absolute (3 * 1)).
  Proof.
    apply (query_hamming any_number any_size (final [clamped_total] 0) absolute 1 (table_of any_number)
             absolute_is_a_distance ltac:(lra) numbers_are_any 3 one_other_number).
  Qed.
  (* One edit of a given table: a row in any place, in another order or in none, and a row replaced. *)
  Example a_row_more_in_another_order :
    absolute 1 (final [clamped_total] 0 [1 / 2; 3]) (final [clamped_total] 0 [3; 7; 1 / 2]).
  Proof.
    apply (query_one_edit any_number _ absolute 1 2 absolute_is_a_distance).
    - intros before after x y _ _. rewrite (clamped_sum_in_any_order before after x y).
      apply (far_none _ absolute_is_a_distance).
    - intros before after x W _. exact (one_more_number before after x W I).
    - apply all_numbers.
    - apply all_numbers.
    - exists 7. left. apply (Permutation_trans (l' := [3; 1 / 2; 7])).
      + apply perm_skip, perm_swap.
      + exact (Permutation_rev [3; 1 / 2; 7]).
    - reflexivity.
  Qed.
  Example another_row_in_another_order :
    absolute 1 (final [clamped_total] 0 [1 / 2; 3]) (final [clamped_total] 0 [3; 7]).
  Proof.
    apply (query_one_replacement any_number _ absolute 1 2 absolute_is_a_distance).
    - intros before after x y _ _. rewrite (clamped_sum_in_any_order before after x y).
      apply (far_none _ absolute_is_a_distance).
    - intros before after x y W Y _. exact (one_other_number before after x y W Y I).
    - apply all_numbers.
    - apply all_numbers.
    - exists (1 / 2), 7, [3]. split; [reflexivity | apply perm_swap].
    - reflexivity.
  Qed.
  Example a_row_more_of_a_list :
    absolute 1 (final [clamped_total] 0 [1 / 2; 3]) (final [clamped_total] 0 [1 / 2; 7; 3]).
  Proof.
    apply (query_list_edit any_number _ absolute 1 2 absolute_is_a_distance).
    - intros before after x W _. exact (one_more_number before after x W I).
    - apply all_numbers.
    - apply all_numbers.
    - exists [1 / 2], 7, [3]. left. split; reflexivity.
    - reflexivity.
  Qed.
  Example another_row_of_a_list :
    absolute 1 (final [clamped_total] 0 [1 / 2; 3]) (final [clamped_total] 0 [1 / 2; 7]).
  Proof.
    apply (query_list_replacement any_number _ absolute 1 2).
    - intros before after x y W Y _. exact (one_other_number before after x y W Y I).
    - apply all_numbers.
    - apply all_numbers.
    - exists [1 / 2], 3, 7, []. split; reflexivity.
    - reflexivity.
  Qed.
  (* What a single run keeps: the sum lies between 0 and the number of rows. *)
  Lemma clamped_sum_lies (u : table R) : 0 <= final [clamped_total] 0 u <= IZR (rows_of u).
  Proof.
    apply (runs_keep any_number (rows_of u) (fun _ => True) [clamped_total] (fun s => 0 <= s <= IZR (rows_of u)) u 0).
    - apply (a_pass_keeps _ _ _ clamped_total _ (fun s r => 0 <= s <= IZR r)); [| apply no_pass_keeps]. split.
      + intros s _. simpl. lra.
      + intros s r x _ _ H. simpl. rewrite plus_IZR. pose proof (clamped_is_between x). lra.
    - apply all_numbers.
    - reflexivity.
    - exact I.
  Qed.
  Definition not_negative (y : R) : Prop := 0 <= y.
  Example clamped_sums_are_not_negative :
    stable (restricted (table_of any_number) (symmetric 3)) (final [clamped_total] 0)
      (restricted not_negative (absolute (3 * 1))).
  Proof.
    apply answers_lie_in; [| apply clamped_sum_is_stable]. intros u _. apply (clamped_sum_lies u).
  Qed.
  (* It would raise if it were less than 0. *)
  Definition raised_below_0 (u : table R) : Z := if less (final [clamped_total] 0 u) 0 then 1%Z else 0%Z.
  Example clamped_sums_are_answers :
    stable (restricted (table_of any_number) (symmetric 3))
      (fun u => outcome_of (raised_below_0 u) (final [clamped_total] 0 u)) (answered (absolute (3 * 1))).
  Proof.
    assert (none : forall u, raised_below_0 u = 0%Z).
    { intro u. unfold raised_below_0. pose proof (clamped_sum_lies u). decide_each; [lra | reflexivity]. }
    apply no_run_raises; [auto |]. intros u v N. cbv beta. rewrite !none. apply (clamped_sum_is_stable 3 u v N).
  Qed.
End clamped_sum.

(* Without the clause about rows after the edit nothing follows: here all others hold of the relation, and it implies
   that the answers are at most 1 apart, but they are 2 apart on tables that differ by one row. *)
Section sum_from_a_first_one.
  Definition unit_interval (x : R) : Prop := 0 <= x <= 1.
  Definition step_from_one (s x : R) : R := if at_most s 0 then (if at_most 1 x then s + 1 else s) else s + x.
  Definition total_from_one : pass R R := Pass (fun _ => 0) step_from_one.
  Definition near_by_one (edited : bool) (s t : R) (r : Z) : Prop := if edited then Rabs (s - t) <= 1 else s = t.
  Theorem all_clauses_but_one :
    near_by_one false (start total_from_one 0) (start total_from_one 0) 0 /\
    (forall s t r x, unit_interval x -> near_by_one false s t r ->
      near_by_one false (step total_from_one s x) (step total_from_one t x) (r + 1)) /\
    (forall s t r added, unit_interval added -> near_by_one false s t r ->
      near_by_one true (read total_from_one s []) (read total_from_one t [added]) r) /\
    (forall s t r, near_by_one true s t r -> absolute 1 s t) /\
    table_of unit_interval [1 / 2; 1 / 2] /\ unit_interval 1 /\
    ~ absolute 1 (final [total_from_one] 0 [1 / 2; 1 / 2]) (final [total_from_one] 0 [1; 1 / 2; 1 / 2]).
  Proof.
    unfold near_by_one, absolute, unit_interval. split; [reflexivity |].
    split; [| split; [| split; [| split; [| split]]]].
    - intros s t r x _ ->. reflexivity.
    - intros s t r x I ->. simpl. unfold step_from_one. decide_each; split_Rabs; lra.
    - auto.
    - repeat constructor; lra.
    - lra.
    - unfold final, after_pass, read. simpl. unfold step_from_one. decide_each; split_Rabs; lra.
  Qed.
End sum_from_a_first_one.

(* Distances and measures that are computed: the twins of refdp's executable definitions.

   Each distance of Tables.v and Sensitivity.v, and each measure that rational numbers decide, has a form here that
   computes true or false of rational inputs, and a theorem that it computes true just where the definition holds.
   `make rocq` has these forms and refdp's decide the same random inputs.  A loss epsilon is given by e^epsilon, which
   is rational.

   Of zCDP and Gaussian DP there is none: each bounds a law at infinitely many orders, or thresholds, and no finite
   number of rational ones is its definition. *)
From Coq Require Import Reals Lra Lia List Bool ZArith QArith Qreals Qabs Qminmax.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Finite Renyi Sensitivity.
Import ListNotations.
Open Scope R_scope.

(** * Rational numbers *)

Local Notation "a <=? b" := (Qle_bool a b) : Q_scope.
Local Notation "a =? b" := (Qeq_bool a b) : Q_scope.

Lemma decides_le a b : (a <=? b)%Q = true <-> Q2R a <= Q2R b.
Proof. apply Finite.Qle_bool_real. Qed.
Lemma decides_eq a b : (a =? b)%Q = true <-> Q2R a = Q2R b.
Proof. rewrite Qeq_bool_iff. split; [apply Qeq_eqR | apply eqR_Qeq]. Qed.
Lemma Q2R_abs a : Q2R (Qabs a) = Rabs (Q2R a).
Proof.
  apply Qabs_case; intro sign; apply Qle_Rle in sign; rewrite Finite.Q2R_0 in sign; [| rewrite Q2R_opp].
  - rewrite Rabs_right; lra.
  - rewrite Rabs_left1; lra.
Qed.
Lemma Q2R_natural n : Q2R (inject_Z (Z.of_nat n)) = INR n.
Proof. unfold Q2R. simpl. rewrite Rinv_1, Rmult_1_r. symmetry. apply INR_IZR_INZ. Qed.
Lemma Q2R_least a b : Q2R (Qmin a b) = Rmin (Q2R a) (Q2R b).
Proof.
  destruct (Q.min_spec a b) as [[order ->] | [order ->]]; [apply Qlt_Rlt in order | apply Qle_Rle in order].
  - rewrite Rmin_left; lra.
  - rewrite Rmin_right; lra.
Qed.
Lemma Q2R_greatest a b : Q2R (Qmax a b) = Rmax (Q2R a) (Q2R b).
Proof.
  destruct (Q.max_spec a b) as [[order ->] | [order ->]]; [apply Qlt_Rlt in order | apply Qle_Rle in order].
  - rewrite Rmax_right; lra.
  - rewrite Rmax_left; lra.
Qed.
Lemma Q2R_reduced a : Q2R (Qred a) = Q2R a.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_2 : Q2R 2 = 2.
Proof. unfold Q2R. simpl. lra. Qed.

Ltac as_reals := rewrite ?Q2R_abs, ?Q2R_natural, ?Q2R_least, ?Q2R_greatest, ?Q2R_reduced, ?Q2R_plus, ?Q2R_minus,
  ?Q2R_mult, ?Q2R_abs, ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_2, ?Finite.Q2R_0, ?Finite.Q2R_1.

(** * Numbers and vectors *)

(* The coordinates of a vector; those that the list lacks are 0. *)
Definition coordinate (v : list Q) (j : nat) : Q := nth j v 0%Q.
Definition vector_of (v : list Q) : Tables.vector := fun j => Q2R (coordinate v j).
Definition pair_of (u : Q * Q) : R * R := (Q2R (fst u), Q2R (snd u)).

Fixpoint sum (n : nat) (f : nat -> Q) : Q := match n with O => 0%Q | S n => Qred (sum n f + f n) end.
Definition everywhere (n : nat) (holds : nat -> bool) : bool := forallb holds (seq 0 n).
Definition somewhere (n : nat) (holds : nat -> bool) : bool := existsb holds (seq 0 n).

Lemma Q2R_sum n f : Q2R (sum n f) = Tables.total n (fun j => Q2R (f j)).
Proof. induction n as [| n I]; cbn [sum Tables.total]; as_reals; [| rewrite I]; reflexivity. Qed.
Lemma decides_everywhere n holds : everywhere n holds = true <-> forall j, (j < n)%nat -> holds j = true.
Proof.
  unfold everywhere. rewrite forallb_forall. split; intros H j J; apply H; [apply in_seq; lia |].
  apply in_seq in J. lia.
Qed.
Lemma decides_somewhere n holds : somewhere n holds = true <-> exists j, (j < n)%nat /\ holds j = true.
Proof.
  unfold somewhere. rewrite existsb_exists. split; intros (j & J & H); exists j; (split; [| exact H]).
  - apply in_seq in J. lia.
  - apply in_seq. lia.
Qed.

Definition absolute_dec (d x y : Q) : bool := (Qabs (x - y) <=? d)%Q.
Definition discrete_dec {X : Type} (same : forall x y : X, {x = y} + {x <> y}) (d : Q) (x y : X) : bool :=
  (if same x y then 0 <=? d else false)%Q || (1 <=? d)%Q.

Theorem absolute_dec_decides d x y : absolute_dec d x y = true <-> Tables.absolute (Q2R d) (Q2R x) (Q2R y).
Proof. unfold absolute_dec, Tables.absolute. rewrite decides_le. as_reals. reflexivity. Qed.
Theorem discrete_dec_decides {X : Type} same d (x y : X) :
  discrete_dec same d x y = true <-> Tables.discrete (Q2R d) x y.
Proof.
  unfold discrete_dec, Tables.discrete. rewrite orb_true_iff, decides_le. as_reals.
  destruct (same x y) as [-> | differ]; [rewrite decides_le; as_reals |]; intuition discriminate.
Qed.

Section vectors.
  Context (n : nat) (d : Q) (u v : list Q).
  Let same (j : nat) : bool := (coordinate u j =? coordinate v j)%Q.

  Definition l1_dec : bool := (sum n (fun j => Qabs (coordinate u j - coordinate v j)) <=? d)%Q.
  Definition l2_dec : bool := ((0 <=? d) &&
    (sum n (fun j => (coordinate u j - coordinate v j) * (coordinate u j - coordinate v j)) <=? d * d))%Q.
  Definition linf_dec : bool :=
    (0 <=? d)%Q && everywhere n (fun j => absolute_dec d (coordinate u j) (coordinate v j)).
  Definition monotone_dec : bool := linf_dec &&
    (everywhere n (fun j => coordinate u j <=? coordinate v j)%Q ||
     everywhere n (fun j => coordinate v j <=? coordinate u j)%Q).
  Definition exchange_dec : bool :=
    (sum n (fun j => Qabs (coordinate u j - coordinate v j)) <=? 2 * d)%Q &&
    (sum n (coordinate u) =? sum n (coordinate v))%Q.
  (* Coordinates that may differ: where the set of them is that of one of `starts`. *)
  Definition covered (starts : nat) (may_differ : nat -> nat -> bool) : bool := linf_dec &&
    somewhere starts (fun start => everywhere n (fun j => may_differ start j || same j)).
  Definition one_coordinate_dec : bool := covered (S n) Nat.eqb.
  Definition window_dec (width : nat) : bool :=
    covered (S n) (fun start j => Nat.leb start j && Nat.ltb j (start + width)).
  Definition spaced_dec (most gap : nat) : bool :=
    covered (S n) (fun start j => somewhere most (fun m => Nat.eqb j (start + m * gap))).
  Definition changed (j : nat) : bool := Nat.ltb j n && negb (same j).
  Definition apart_dec (most gap : nat) : bool := linf_dec && Nat.leb (Sensitivity.counted changed n) most &&
    everywhere n (fun k => everywhere k (fun j => negb (changed j && changed k) || Nat.leb (j + gap) k)).

  Lemma decides_same j : same j = true <-> vector_of u j = vector_of v j.
  Proof. apply decides_eq. Qed.
  Lemma differs_where_not_same j : same j = false <-> vector_of u j <> vector_of v j.
  Proof. rewrite <- decides_same. destruct (same j); intuition congruence. Qed.

  Theorem l1_dec_decides : l1_dec = true <-> Tables.l1 n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold l1_dec, Tables.l1. rewrite decides_le, Q2R_sum.
    rewrite (Tables.total_same n _ (fun j => Rabs (vector_of u j - vector_of v j))); [reflexivity |].
    intros. as_reals. reflexivity.
  Qed.
  Theorem l2_dec_decides : l2_dec = true <-> Tables.l2 n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold l2_dec, Tables.l2. rewrite andb_true_iff, !decides_le, Q2R_sum. as_reals.
    rewrite (Tables.total_same n _ (fun j => (vector_of u j - vector_of v j) ^ 2)).
    - replace (Q2R d ^ 2) with (Q2R d * Q2R d) by ring. reflexivity.
    - intros. as_reals. unfold vector_of. ring.
  Qed.
  Theorem linf_dec_decides : linf_dec = true <-> Tables.linf n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold linf_dec, Tables.linf. rewrite andb_true_iff, decides_le, decides_everywhere. as_reals.
    split; intros [D H]; (split; [exact D |]); intros j J; apply absolute_dec_decides, H, J.
  Qed.
  Theorem monotone_dec_decides : monotone_dec = true <-> Tables.monotone n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold monotone_dec, Tables.monotone. rewrite andb_true_iff, linf_dec_decides, orb_true_iff, !decides_everywhere.
    unfold vector_of. split; intros (L & [up | down]); (split; [exact L |]).
    - left. intros. apply decides_le. auto.
    - right. intros. apply decides_le. auto.
    - left. intros. apply decides_le. auto.
    - right. intros. apply decides_le. auto.
  Qed.
  Theorem exchange_dec_decides : exchange_dec = true <-> Tables.exchange n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold exchange_dec, Tables.exchange, Tables.l1. rewrite andb_true_iff, decides_le, decides_eq, !Q2R_sum.
    as_reals.
    rewrite (Tables.total_same n _ (fun j => Rabs (vector_of u j - vector_of v j))); [reflexivity |].
    intros. as_reals. reflexivity.
  Qed.

  Lemma covered_decides starts may_differ : covered starts may_differ = true <->
    Tables.linf n (Q2R d) (vector_of u) (vector_of v) /\ exists start, (start < starts)%nat /\
      forall j, (j < n)%nat -> may_differ start j = false -> vector_of u j = vector_of v j.
  Proof.
    unfold covered. rewrite andb_true_iff, linf_dec_decides, decides_somewhere.
    split; intros (L & start & S & H); (split; [exact L |]); exists start; (split; [exact S |]).
    - intros j J other. apply decides_same. rewrite decides_everywhere in H. specialize (H j J).
      rewrite other in H. exact H.
    - apply decides_everywhere. intros j J. destruct (may_differ start j) eqn:M; [reflexivity |].
      apply decides_same, H; assumption.
  Qed.
  Theorem one_coordinate_dec_decides :
    one_coordinate_dec = true <-> Tables.one_coordinate n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold one_coordinate_dec, Tables.one_coordinate. rewrite covered_decides.
    split; intros [L H]; (split; [exact L |]).
    - destruct H as (i & _ & H). exists i. intros j J other. apply H; [exact J |]. apply Nat.eqb_neq. congruence.
    - destruct H as (i & H). exists (Nat.min i n). split; [lia |]. intros j J other. apply Nat.eqb_neq in other.
      apply H; [exact J |]. intro. subst. apply other. lia.
  Qed.
  (* The sets of a family, as far as there are coordinates, are those of finitely many starts. *)
  Lemma family_decides (family : (nat -> bool) -> Prop) may_differ :
    (forall positions, family positions ->
       exists start, (start <= n)%nat /\ forall j, (j < n)%nat -> positions j = may_differ start j) ->
    (forall start, exists positions, family positions /\
       forall j, (j < n)%nat -> positions j = may_differ start j) ->
    (covered (S n) may_differ = true <->
     Sensitivity.changed_within family n (Q2R d) (vector_of u) (vector_of v)).
  Proof.
    intros into out. rewrite covered_decides. unfold Sensitivity.changed_within.
    split; intros [L H]; (split; [exact L |]).
    - destruct H as (start & _ & H). destruct (out start) as (positions & F & equal). exists positions.
      split; [exact F |]. intros j J none. rewrite equal in none by exact J. auto.
    - destruct H as (positions & F & H). destruct (into positions F) as (start & S & equal). exists start.
      split; [lia |]. intros j J none. rewrite <- equal in none by exact J. auto.
  Qed.
  Lemma same_truth a b : (a = true <-> b = true) -> a = b.
  Proof. destruct a, b; intuition congruence. Qed.
  Theorem window_dec_decides width : window_dec width = true <->
    Sensitivity.changed_within (Sensitivity.window width) n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    set (inside start j := Nat.leb start j && Nat.ltb j (start + width)).
    assert (is_inside : forall start j, inside start j = true <-> (start <= j < start + width)%nat).
    { intros. unfold inside. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt. reflexivity. }
    apply family_decides.
    - intros positions [start S]. exists (Nat.min start n). split; [lia |]. intros j J. apply same_truth.
      fold (inside (Nat.min start n) j). rewrite S, is_inside. lia.
    - intro start. exists (inside start). split; [exists start; intro; apply is_inside | reflexivity].
  Qed.
  Theorem spaced_dec_decides most gap : spaced_dec most gap = true <->
    Sensitivity.changed_within (Sensitivity.spaced most gap) n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    set (inside start j := somewhere most (fun m => Nat.eqb j (start + m * gap))).
    assert (is_inside : forall start j,
      inside start j = true <-> exists m, (m < most)%nat /\ j = (start + m * gap)%nat).
    { intros. unfold inside. rewrite decides_somewhere.
      split; intros (m & M & H); exists m; (split; [exact M |]); apply Nat.eqb_eq, H. }
    apply family_decides.
    - intros positions [start S]. exists (Nat.min start n). split; [lia |]. intros j J. apply same_truth.
      fold (inside (Nat.min start n) j). rewrite S, is_inside. split; intros (m & M & H); exists m; split; lia.
    - intro start. exists (inside start). split; [exists start; intro; apply is_inside | reflexivity].
  Qed.

  Lemma changed_here j : changed j = true <-> (j < n)%nat /\ vector_of u j <> vector_of v j.
  Proof.
    unfold changed. rewrite andb_true_iff, Nat.ltb_lt, negb_true_iff, differs_where_not_same. reflexivity.
  Qed.
  Lemma counted_beyond k : (n <= k)%nat -> Sensitivity.counted changed k = Sensitivity.counted changed n.
  Proof.
    induction k as [| k I]; intro K; [replace n with 0%nat by lia; reflexivity |].
    destruct (Nat.eq_dec n (S k)) as [-> | differ]; [reflexivity |]. simpl. rewrite I by lia.
    unfold changed. replace (Nat.ltb k n) with false; [reflexivity |]. symmetry. apply Nat.ltb_ge. lia.
  Qed.
  Lemma counted_grows positions k l : (k <= l)%nat ->
    (Sensitivity.counted positions k <= Sensitivity.counted positions l)%nat.
  Proof. induction 1; simpl; [lia | destruct (positions m); lia]. Qed.
  Lemma counted_less (positions : nat -> bool) k : (forall j, changed j = true -> positions j = true) ->
    (Sensitivity.counted changed k <= Sensitivity.counted positions k)%nat.
  Proof.
    intro less. induction k as [| k I]; simpl; [lia |]. specialize (less k). destruct (changed k).
    - rewrite less by reflexivity. lia.
    - destruct (positions k); lia.
  Qed.
  Theorem apart_dec_decides most gap : apart_dec most gap = true <->
    Sensitivity.changed_within (Sensitivity.apart most gap) n (Q2R d) (vector_of u) (vector_of v).
  Proof.
    unfold apart_dec, Sensitivity.changed_within. rewrite !andb_true_iff, linf_dec_decides, Nat.leb_le.
    rewrite decides_everywhere. split.
    - intros [[L C] H]. split; [exact L |]. exists changed. split; [split |].
      + intro k. destruct (Nat.le_ge_cases n k) as [K | K]; [rewrite counted_beyond by exact K; exact C |].
        eapply Nat.le_trans; [apply counted_grows, K | exact C].
      + intros j k A B less. pose proof (proj1 (proj1 (changed_here k) B)) as K. specialize (H k K).
        rewrite decides_everywhere in H. specialize (H j less). rewrite A, B in H. apply Nat.leb_le, H.
      + intros j J none. destruct (same j) eqn:equal; [apply decides_same, equal |].
        apply differs_where_not_same in equal. rewrite (proj2 (changed_here j)) in none; [discriminate | auto].
    - intros (L & positions & [C H] & covers).
      assert (less : forall j, changed j = true -> positions j = true).
      { intros j J. apply changed_here in J as [J differ]. destruct (positions j) eqn:none; [reflexivity |].
        elim differ. auto. }
      split; [split; [exact L |] |].
      + eapply Nat.le_trans; [apply counted_less, less | apply C].
      + intros k K. apply decides_everywhere. intros j J.
        destruct (changed j) eqn:A, (changed k) eqn:B; try reflexivity. apply Nat.leb_le, H; auto.
  Qed.
End vectors.

Definition smooth_dec (growth : Q) (u v : Q * Q) : bool :=
  ((Qabs (fst u - fst v) <=? Qmin (snd u) (snd v)) && (snd u <=? growth * snd v) && (snd v <=? growth * snd u))%Q.
Definition tested_dec (d : Q) (u v : Q * Q) : bool :=
  ((0 <=? d) && (Qabs (fst u - fst v) <=? 1) &&
   ((Qabs (snd u - snd v) <=? d) || (Qmax (fst u) (fst v) <=? 0)))%Q.

Theorem smooth_dec_decides growth u v :
  smooth_dec growth u v = true <-> Tables.smooth (Q2R growth) (pair_of u) (pair_of v).
Proof.
  unfold smooth_dec, Tables.smooth, pair_of. rewrite !andb_true_iff, !decides_le. as_reals. simpl.
  tauto.
Qed.
Theorem tested_dec_decides d u v : tested_dec d u v = true <-> Tables.tested (Q2R d) (pair_of u) (pair_of v).
Proof.
  unfold tested_dec, Tables.tested, pair_of. rewrite !andb_true_iff, orb_true_iff, !decides_le.
  as_reals. simpl. tauto.
Qed.

(** * Tables *)

Section tables.
  Context {Row : Type} (same : forall row other : Row, {row = other} + {row <> other}).
  Implicit Types u v : list Row.
  Let natural (n : nat) : Q := inject_Z (Z.of_nat n).

  Definition symmetric_dec (d : Q) u v : bool := (natural (Tables.symmetric_distance same u v) <=? d)%Q.
  Definition change_one_dec (d : Q) u v : bool :=
    Nat.eqb (length u) (length v) && (natural (Tables.symmetric_distance same u v) <=? 2 * d)%Q.
  Definition edits_dec (n : Tables.neighbours) : Q -> list Row -> list Row -> bool :=
    match n with Tables.add_remove => symmetric_dec | Tables.replace_one => change_one_dec end.
  Fixpoint positions_changed u v : nat :=
    match u, v with
    | row :: u, other :: v => ((if same row other then 0 else 1) + positions_changed u v)%nat
    | _, _ => 0%nat
    end.
  Definition hamming_dec (d : Q) u v : bool :=
    Nat.eqb (length u) (length v) && (natural (positions_changed u v) <=? d)%Q.
  (* How many rows two sequences have in common, in one order. *)
  Fixpoint most_common u : list Row -> nat :=
    match u with
    | [] => fun _ => 0%nat
    | row :: u' => fix common_with v :=
        match v with
        | [] => 0%nat
        | other :: v' => if same row other then S (most_common u' v') else Nat.max (most_common u' v) (common_with v')
        end
    end.
  Definition insert_delete_dec (d : Q) u v : bool :=
    (natural (length u + length v - 2 * most_common u v) <=? d)%Q.

  Theorem symmetric_dec_decides d u v : symmetric_dec d u v = true <-> Tables.symmetric (Q2R d) u v.
  Proof.
    unfold symmetric_dec, natural. rewrite decides_le, Q2R_natural.
    symmetry. apply Tables.symmetric_is_a_distance_of_multisets.
  Qed.
  Theorem change_one_dec_decides d u v : change_one_dec d u v = true <-> Tables.change_one (Q2R d) u v.
  Proof.
    unfold change_one_dec, natural.
    rewrite Tables.change_one_is_half, andb_true_iff, Nat.eqb_eq, decides_le, Q2R_natural, Q2R_mult, Q2R_2.
    rewrite (Tables.symmetric_is_a_distance_of_multisets same). reflexivity.
  Qed.
  Theorem edits_dec_decides n d u v : edits_dec n d u v = true <-> Tables.edits n (Q2R d) u v.
  Proof. destruct n; [apply symmetric_dec_decides | apply change_one_dec_decides]. Qed.

  Lemma positions_changed_is_least n u v : Tables.positions_differ n u v ->
    length u = length v /\ (positions_changed u v <= n)%nat.
  Proof.
    induction 1 as [| row n u v _ [L I] | row other n u v _ [L I]]; simpl; (split; [lia |]); [lia | |].
    - destruct (same row row); [lia | congruence].
    - destruct (same row other); lia.
  Qed.
  Lemma positions_changed_differ u : forall v, length u = length v ->
    Tables.positions_differ (positions_changed u v) u v.
  Proof.
    induction u as [| row u I]; intros [| other v] L; try discriminate; simpl; [constructor |].
    injection L as L. destruct (same row other) as [<- |]; cbn [Nat.add]; constructor; auto.
  Qed.
  Theorem hamming_dec_decides d u v : hamming_dec d u v = true <-> Tables.hamming (Q2R d) u v.
  Proof.
    unfold hamming_dec, Tables.hamming, natural. rewrite andb_true_iff, Nat.eqb_eq, decides_le, Q2R_natural. split.
    - intros [L few]. exists (positions_changed u v). auto using positions_changed_differ.
    - intros (n & D & few). apply positions_changed_is_least in D as [L least]. apply le_INR in least.
      split; [exact L | lra].
  Qed.

  Lemma most_common_step row u other v : most_common (row :: u) (other :: v) =
    if same row other then S (most_common u v) else Nat.max (most_common u (other :: v)) (most_common (row :: u) v).
  Proof. reflexivity. Qed.
  Lemma most_common_is_met u : forall v, exists common, Tables.subsequence common u /\ Tables.subsequence common v /\
    length common = most_common u v.
  Proof.
    induction u as [| row u I]; intro v; [exists []; repeat split; constructor |].
    induction v as [| other v J]; [exists []; repeat split; constructor |].
    rewrite most_common_step. destruct (same row other) as [<- |].
    - destruct (I v) as (common & U & V & L). exists (row :: common). simpl. auto using Tables.with_the_first.
    - destruct (Nat.max_spec (most_common u (other :: v)) (most_common (row :: u) v)) as [[_ ->] | [_ ->]].
      + destruct J as (common & U & V & L). exists common. auto using Tables.without_the_first.
      + destruct (I (other :: v)) as (common & U & V & L). exists common. auto using Tables.without_the_first.
  Qed.
  Lemma rest_of_common row common u : Tables.subsequence (row :: common) u -> Tables.subsequence common u.
  Proof.
    remember (row :: common) as whole eqn:W. induction 1 as [u | first c u S _ | first c u S I]; [discriminate | |].
    - injection W as -> ->. apply Tables.without_the_first, S.
    - apply Tables.without_the_first, I, W.
  Qed.
  Lemma common_after_the_first row common first u : Tables.subsequence (row :: common) (first :: u) ->
    Tables.subsequence common u /\ (row = first \/ Tables.subsequence (row :: common) u).
  Proof. intro S. inversion S; subst; [auto |]. split; [eapply rest_of_common; eassumption | auto]. Qed.
  Lemma most_common_is_greatest u : forall v common, Tables.subsequence common u -> Tables.subsequence common v ->
    (length common <= most_common u v)%nat.
  Proof.
    induction u as [| row u I]; intros v common U V; [inversion U; subst; simpl; lia |].
    revert common U V. induction v as [| other v J]; intros common U V; [inversion V; subst; simpl; lia |].
    destruct common as [| first common]; [simpl; lia |]. rewrite most_common_step.
    apply common_after_the_first in U as [U begins], V as [V begins'].
    destruct (same row other) as [<- | differ].
    - specialize (I v common U V). simpl. lia.
    - destruct begins as [-> | U'].
      + destruct begins' as [-> | V']; [congruence |].
        specialize (J (row :: common) (Tables.with_the_first _ _ _ U) V'). lia.
      + assert (V' : Tables.subsequence (first :: common) (other :: v)).
        { destruct begins' as [-> | V']; [apply Tables.with_the_first, V | apply Tables.without_the_first, V']. }
        specialize (I (other :: v) (first :: common) U' V'). lia.
  Qed.
  Theorem insert_delete_dec_decides d u v :
    insert_delete_dec d u v = true <-> Tables.insert_delete (Q2R d) u v.
  Proof.
    unfold insert_delete_dec, Tables.insert_delete, natural. rewrite decides_le, Q2R_natural. split.
    - intro few. destruct (most_common_is_met u v) as (common & U & V & L). exists common. rewrite L. auto.
    - intros (common & U & V & few). eapply Rle_trans; [apply le_INR | exact few].
      pose proof (most_common_is_greatest u v common U V). lia.
  Qed.
End tables.

(** * Measures of two laws on the outcomes 0, 1, 2, ... *)

Import Finite.

(* The numbers of e^epsilon, and of delta. *)
Definition pure_dec (t : Q) (ps qs : list Q) : bool := are_masses ps && are_masses qs &&
  match rational_ratio (seq 0 (max (length ps) (length qs))) (mass_at ps) (mass_at qs) with
  | None => false
  | Some r => (r <=? t)%Q
  end.
Definition approximate_dec : Q -> Q -> list Q -> list Q -> bool := within_dec.
Definition ratio_dec (t delta : Q) : list Q -> list Q -> bool := within_dec (t + delta) 0.
Definition loss_tail_dec (t delta : Q) (ps qs : list Q) : bool := are_masses ps && are_masses qs &&
  (rational_tail (seq 0 (max (length ps) (length qs))) t (mass_at ps) (mass_at qs) <=? delta)%Q.

Section measures.
  Context (ps qs : list Q).
  Hypothesis (P : are_masses ps = true) (Q : are_masses qs = true).
  Let outcomes := seq 0 (max (length ps) (length qs)).
  Let a := real (mass_at ps).
  Let b := real (mass_at qs).
  Let p := law_of ps.
  Let q := law_of qs.

  Lemma both_laws : is_law outcomes a /\ is_law outcomes b.
  Proof. split; [apply (padded_law ps) | apply (padded_law qs)]; auto; lia. Qed.
  Lemma E_first f : E p f = total (fun o => a o * f o) outcomes.
  Proof.
    destruct (padded_law ps (max (length ps) (length qs)) ltac:(lia) P) as [L same].
    unfold p. rewrite same. apply E_listed, L.
  Qed.
  Lemma E_second f : E q f = total (fun o => b o * f o) outcomes.
  Proof.
    destruct (padded_law qs (max (length ps) (length qs)) ltac:(lia) Q) as [L same].
    unfold q. rewrite same. apply E_listed, L.
  Qed.

  Theorem approximate_dec_decides epsilon t delta : exp epsilon = Q2R t ->
    (approximate_dec t delta ps qs = true <-> approximate epsilon (Q2R delta) p q).
  Proof. intro T. unfold approximate. rewrite T. apply within_dec_is_within; assumption. Qed.
  Theorem pure_dec_decides epsilon t : exp epsilon = Q2R t -> (pure_dec t ps qs = true <-> pure epsilon p q).
  Proof.
    intro T. pose proof both_laws as [A B]. pose proof (exp_pos epsilon) as positive.
    assert (pointwise : pure epsilon p q <-> forall o, In o outcomes -> a o <= Q2R t * b o).
    { rewrite <- T, <- (pure_is_pointwise 0%nat outcomes a b A B). unfold pure, approximate, within.
      split; intros H f F; specialize (H f F).
      - rewrite E_first, E_second in H. rewrite !E_listed by assumption. exact H.
      - rewrite !E_listed in H by assumption. rewrite E_first, E_second. exact H. }
    rewrite pointwise. unfold pure_dec. rewrite P, Q. cbn [andb]. fold outcomes.
    destruct (rational_ratio outcomes (mass_at ps) (mass_at qs)) as [r |] eqn:found.
    - rewrite decides_le. apply rational_ratio_bounds; [apply B | exact found | lra].
    - split; [discriminate |]. intro H. exfalso. revert H. apply rational_ratio_infinite; [apply B | exact found].
  Qed.
  Theorem ratio_dec_decides epsilon t delta : exp epsilon = Q2R t ->
    (ratio_dec t delta ps qs = true <-> ratio epsilon (Q2R delta) p q).
  Proof.
    intro T. unfold ratio_dec, ratio. rewrite T, <- Q2R_plus, <- Q2R_0. apply within_dec_is_within; assumption.
  Qed.
  Theorem loss_tail_dec_decides epsilon t delta : exp epsilon = Q2R t ->
    (loss_tail_dec t delta ps qs = true <-> loss_tail epsilon (Q2R delta) p q).
  Proof.
    intro T. pose proof both_laws as [A B]. unfold loss_tail_dec, loss_tail. rewrite P, Q. cbn [andb].
    rewrite decides_le, Q2R_tail, <- T. fold outcomes a b.
    rewrite <- (loss_tail_is_a_sum 0%nat outcomes a b (exp epsilon) (Q2R delta) A B) by (left; apply exp_pos).
    unfold tail_within, much_likelier.
    assert (first : forall f, E p f = E (listed 0%nat outcomes a) f)
      by (intro; rewrite E_first, E_listed by exact A; reflexivity).
    assert (second : forall f, E q f = E (listed 0%nat outcomes b) f)
      by (intro; rewrite E_second, E_listed by exact B; reflexivity).
    split; intros H event tested whole likely; specialize (H event tested whole).
    - rewrite first. apply H. intros part part_tested below. rewrite <- first, <- second.
      apply likely; assumption.
    - rewrite <- first. apply H. intros part part_tested below. rewrite first, second.
      apply likely; assumption.
  Qed.
End measures.

(* Renyi divergences of whole orders: exp ((order - 1) D) is the sum of p^order q^(1 - order); None is infinity. *)
Fixpoint power (x : Q) (n : nat) : Q := match n with O => 1%Q | S n => Qred (x * power x n) end.
Definition moment_at (order : nat) (p q : Q) : Q :=
  if Qlt_le_dec 0 q then (power p order / power q (order - 1))%Q else 0%Q.
Definition impossible_elsewhere (p q : Q) : bool := negb (p <=? 0)%Q && (q <=? 0)%Q.
Definition rational_moment (order : nat) (ps qs : list Q) : option Q :=
  let outcomes := seq 0 (max (length ps) (length qs)) in
  if existsb (fun o => impossible_elsewhere (mass_at ps o) (mass_at qs o)) outcomes then None
  else Some (rational_total (fun o => moment_at order (mass_at ps o) (mass_at qs o)) outcomes).
(* The bound is exp ((order - 1) epsilon). *)
Definition renyi_dec (order : nat) (bound : Q) (ps qs : list Q) : bool := are_masses ps && are_masses qs &&
  match rational_moment order ps qs with None => false | Some m => (m <=? bound)%Q end.

Lemma Q2R_power x n : Q2R (power x n) = Q2R x ^ n.
Proof. induction n as [| n I]; cbn [power pow]; as_reals; [| rewrite I]; reflexivity. Qed.
Lemma bounded_below_a_number n : forall f : nat -> R, (forall o, (n <= o)%nat -> f o = 0) -> bounded f.
Proof.
  induction n as [| n I]; intros f none.
  - exists 0. intro o. rewrite none by lia. lra.
  - destruct (I (fun o => if Nat.eqb o n then 0 else f o)) as [c C].
    { intros o O. destruct (Nat.eqb_spec o n); [reflexivity | apply none; lia]. }
    exists (c + Rabs (f n)). intro o. specialize (C o). pose proof (Rabs_pos (f n)). cbv beta in C.
    destruct (Nat.eqb_spec o n) as [equal | other]; [rewrite equal | lra].
    pose proof (Rle_abs (f n)). pose proof (Rle_abs (- f n)). rewrite Rabs_Ropp in *. lra.
Qed.

Section renyi.
  Context (ps qs : list Q).
  Hypothesis (P : are_masses ps = true) (Q : are_masses qs = true).
  Let n := max (length ps) (length qs).
  Let outcomes := seq 0 n.
  Let a := real (mass_at ps).
  Let b := real (mass_at qs).
  Let density (o : nat) : R := if Rlt_dec 0 (b o) then a o / b o else 0.

  Lemma masses_beyond masses o : (length masses <= o)%nat -> real (mass_at masses) o = 0.
  Proof. intro beyond. unfold real, mass_at. rewrite nth_overflow by exact beyond. apply Q2R_0. Qed.
  Lemma a_nonnegative o : 0 <= a o.
  Proof.
    destruct (Nat.lt_ge_cases o n) as [O | O]; [apply (both_laws ps qs P Q), in_seq; fold n; lia |].
    unfold a. rewrite masses_beyond by lia. lra.
  Qed.
  Lemma b_nonnegative o : 0 <= b o.
  Proof.
    destruct (Nat.lt_ge_cases o n) as [O | O]; [apply (both_laws ps qs P Q), in_seq; fold n; lia |].
    unfold b. rewrite masses_beyond by lia. lra.
  Qed.
  Lemma density_nonnegative o : 0 <= density o.
  Proof.
    unfold density. destruct (Rlt_dec 0 (b o)); [| lra]. unfold Rdiv.
    apply Rmult_le_pos; [apply a_nonnegative | left; apply Rinv_0_lt_compat; assumption].
  Qed.
  Lemma density_beyond o : (n <= o)%nat -> density o = 0.
  Proof. intro O. unfold density, b. rewrite masses_beyond by lia. destruct (Rlt_dec 0 0); [lra | reflexivity]. Qed.

  (* Where the second law has every outcome that the first has, the divergence is that of the sum. *)
  Lemma renyi_is_a_moment order epsilon : (2 <= order)%nat ->
    (forall o, (o < n)%nat -> impossible_elsewhere (mass_at ps o) (mass_at qs o) = false) ->
    (Q2R (rational_total (fun o => moment_at order (mass_at ps o) (mass_at qs o)) outcomes)
       <= exp ((INR order - 1) * epsilon) <-> Renyi.renyi (INR order) epsilon (law_of ps) (law_of qs)).
  Proof.
    intros A possible. apply le_INR in A as A'. simpl in A'.
    rewrite <- (Renyi.renyi_by_density (law_of ps) (law_of qs) density (INR order) epsilon).
    - rewrite (E_second ps qs Q). fold n outcomes b. rewrite Q2R_total.
      rewrite (total_same _ (fun o => b o * Renyi.power_from_0 (density o) (INR order)) outcomes); [reflexivity |].
      intros o _. unfold real at 1, moment_at. fold b. destruct (Qlt_le_dec 0 (mass_at qs o)) as [more | none].
      + apply Qlt_Rlt in more. rewrite Q2R_0 in more. fold (real (mass_at qs) o) in more. fold b in more.
        rewrite Q2R_div, !Q2R_power.
        * fold (real (mass_at ps) o) (real (mass_at qs) o). fold a b. unfold density.
          destruct (Rlt_dec 0 (b o)) as [_ |]; [| lra]. pose proof (a_nonnegative o) as none.
          destruct order as [| order]; [lia |]. replace (S order - 1)%nat with order by lia.
          destruct (Req_dec (a o) 0) as [zero | some].
          -- rewrite zero. unfold Rdiv at 2. rewrite Rmult_0_l, Renyi.power_from_0_at_0. simpl. unfold Rdiv. ring.
          -- rewrite Renyi.power_from_0_positive by (apply Rdiv_lt_0_compat; lra).
             rewrite Rpower_pow by (apply Rdiv_lt_0_compat; lra). unfold Rdiv.
             rewrite Rpow_mult_distr, pow_inv. simpl. field. split; [apply pow_nonzero |]; lra.
        * intro zero. apply Qeq_eqR in zero. rewrite Q2R_power, Q2R_0 in zero.
          revert zero. apply pow_nonzero. fold (real (mass_at qs) o). fold b. lra.
      + apply Qle_Rle in none. rewrite Q2R_0 in none. fold (real (mass_at qs) o) in none. fold b in none.
        pose proof (b_nonnegative o). replace (b o) with 0 by lra. rewrite Q2R_0. ring.
    - lra.
    - apply (bounded_below_a_number n). exact density_beyond.
    - exact density_nonnegative.
    - apply (bounded_below_a_number n). intros o O. rewrite density_beyond by exact O. apply Renyi.power_from_0_at_0.
    - intros f _. rewrite (E_first ps qs P), (E_second ps qs Q). fold n outcomes a b. apply total_same.
      intros o O. apply in_seq in O. specialize (possible o ltac:(lia)). unfold density.
      destruct (Rlt_dec 0 (b o)) as [more | none]; [field; lra |].
      unfold impossible_elsewhere in possible. rewrite andb_false_iff, negb_false_iff in possible.
      pose proof (a_nonnegative o). pose proof (b_nonnegative o).
      destruct possible as [possible | possible].
      + apply decides_le in possible. rewrite Q2R_0 in possible. fold (real (mass_at ps) o) in possible.
        fold a in possible. replace (a o) with 0 by lra. ring.
      + exfalso. assert (below : (mass_at qs o <=? 0)%Q = true).
        { apply decides_le. rewrite Q2R_0. fold (real (mass_at qs) o). fold b. lra. }
        congruence.
  Qed.
  (* Where the second law lacks an outcome that the first has, no number bounds it. *)
  Lemma renyi_is_infinite order epsilon o : 1 < order -> (o < n)%nat -> 0 < a o -> b o = 0 ->
    ~ Renyi.renyi order epsilon (law_of ps) (law_of qs).
  Proof.
    intros A O more none claim. set (K := exp ((order - 1) / order * epsilon)).
    assert (0 < K) by apply exp_pos. pose (f := fun i => if Nat.eqb i o then 1 + K / a o else 1).
    assert (positive : 0 < K / a o) by (apply Rdiv_lt_0_compat; assumption).
    assert (tested : observable (s := plain nat) f).
    { exists (1 + K / a o). intro i. unfold f. destruct (Nat.eqb i o); lra. }
    assert (above : Renyi.away_from_0 f).
    { exists 1. split; [lra |]. intro i. unfold f. destruct (Nat.eqb i o); lra. }
    specialize (claim f tested above). fold K in claim.
    pose proof (both_laws ps qs P Q) as [[_ a_one] [_ b_one]]. fold n outcomes a b in a_one, b_one.
    assert (at_q : E (law_of qs) (fun i => Rpower (f i) (order / (order - 1))) = 1).
    { rewrite (E_second ps qs Q), <- b_one. fold n outcomes b. apply total_same. intros i _. unfold f.
      destruct (Nat.eqb_spec i o) as [-> |]; [rewrite none; ring | rewrite Renyi.power_of_1; ring]. }
    rewrite at_q, Renyi.power_of_1, Rmult_1_r in claim. revert claim. apply Rlt_not_le.
    rewrite (E_first ps qs P). fold n outcomes a.
    rewrite (total_same _ (fun i => a i + (if Nat.eqb i o then K else 0))).
    - rewrite total_sum, a_one. apply Rlt_le_trans with (1 + K); [lra |]. apply Rplus_le_compat_l.
      assert (inside : In o outcomes) by (apply in_seq; lia).
      clear - inside H. induction outcomes as [| first rest I]; [elim inside |]. cbn [total].
      assert (0 <= total (fun i => if Nat.eqb i o then K else 0) rest).
      { apply total_nonnegative. intros i _. destruct (Nat.eqb i o); lra. }
      destruct inside as [-> | inside]; [rewrite Nat.eqb_refl; lra |]. specialize (I inside).
      destruct (Nat.eqb first o); lra.
    - intros i _. unfold f. destruct (Nat.eqb_spec i o) as [-> |]; [field; lra | ring].
  Qed.
  Theorem renyi_dec_decides order epsilon bound : (2 <= order)%nat -> exp ((INR order - 1) * epsilon) = Q2R bound ->
    (renyi_dec order bound ps qs = true <-> Renyi.renyi (INR order) epsilon (law_of ps) (law_of qs)).
  Proof.
    intros A B. unfold renyi_dec, rational_moment. rewrite P, Q. cbn [andb]. fold n outcomes.
    destruct (existsb _ outcomes) eqn:lacking.
    - apply existsb_exists in lacking as (o & O & lacking). apply in_seq in O.
      unfold impossible_elsewhere in lacking. rewrite andb_true_iff, negb_true_iff in lacking.
      destruct lacking as [some none]. apply decides_le in none. rewrite Q2R_0 in none.
      fold (real (mass_at qs) o) in none. fold b in none. pose proof (b_nonnegative o).
      split; [discriminate |]. intro claim. exfalso. revert claim. apply (renyi_is_infinite _ _ o).
      + apply le_INR in A. simpl in A. lra.
      + lia.
      + apply Rnot_le_lt. intro zero. assert (below : (mass_at ps o <=? 0)%Q = true).
        { apply decides_le. rewrite Q2R_0. exact zero. }
        congruence.
      + lra.
    - rewrite decides_le, <- B. apply renyi_is_a_moment; [exact A |]. intros o O.
      destruct (impossible_elsewhere (mass_at ps o) (mass_at qs o)) eqn:here; [| reflexivity].
      rewrite <- lacking. symmetry. apply existsb_exists. exists o. split; [apply in_seq; lia | exact here].
  Qed.
End renyi.

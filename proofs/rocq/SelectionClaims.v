(* Claims about selections, as refdp writes them: a vector of scores goes in, the number of a candidate comes out. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Refdp Require Import Laws Privacy.
From Refdp Require Tables Finite Selection.
Import ListNotations.
Open Scope R_scope.

(* The first numbers of a vector. *)
Definition scores (size : nat) (x : Tables.vector) : list R := map x (seq 0 size).
(* Candidate i with a probability in proportion to exp(log_weight(score i)). *)
Definition by_weights (log_weight : R -> R) (size : nat) : mechanism Tables.vector (plain nat) :=
  fun x => Finite.selected log_weight (scores size x).

Lemma scores_length size x : length (scores size x) = size.
Proof. unfold scores. rewrite map_length, seq_length. reflexivity. Qed.
Lemma score_is size x i : (i < size)%nat -> nth i (scores size x) 0 = x i.
Proof.
  intro I. unfold scores. rewrite (nth_indep _ 0 (x O)) by (rewrite map_length, seq_length; exact I).
  rewrite map_nth, seq_nth by exact I. reflexivity.
Qed.
Lemma some_scores size x : (1 <= size)%nat -> scores size x <> [].
Proof. intros some none. apply (f_equal (@length R)) in none. rewrite scores_length in none. simpl in none. lia. Qed.

(* That a whole number that is at least 1 counts one thing or more. *)
Ltac at_least_one :=
  repeat match goal with H : 1 <= IZR _ |- _ => apply (le_IZR 1) in H end; lia.

(* weighted_selection: linf(d_in) |-> pure(map(d_in)). *)
Theorem weighted_selection (log_weight privacy_map : R -> R) size d_in : (1 <= size)%nat ->
  (forall u v d_in, Rabs (u - v) <= d_in -> 2 * (log_weight u - log_weight v) <= privacy_map d_in) ->
  private (Tables.linf size d_in) (by_weights log_weight size) (pure (privacy_map d_in)).
Proof.
  intros some moves x y [_ near]. apply (Finite.weighted_selection log_weight privacy_map moves d_in).
  split; [apply some_scores, some | split; [rewrite !scores_length; reflexivity |]].
  intros i I. unfold Finite.candidates in I. apply in_seq in I. rewrite scores_length in I.
  unfold Finite.score_at. rewrite !score_is by lia. apply near. lia.
Qed.

Lemma total_is_over n (g : nat -> R) : Finite.total g (seq 0 n) = Selection.over n g.
Proof.
  induction n as [| n IH]; [reflexivity |].
  rewrite seq_S, Finite.total_app, IH. simpl. ring.
Qed.
Lemma selected_has_masses log_weight s : s <> [] ->
  Selection.has_masses (Finite.selected log_weight s) (length s) (Selection.weighted_mass log_weight s).
Proof.
  intros some f F. unfold Finite.selected. rewrite Finite.E_listed by (apply Finite.selected_masses, some).
  unfold Finite.candidates. rewrite total_is_over. apply Selection.over_same. intros i _.
  unfold Selection.weighted_mass, Selection.all_weights. rewrite total_is_over. reflexivity.
Qed.
Lemma scores_rise size d_in x y : (1 <= size)%nat -> Tables.linf size d_in x y ->
  (forall j, (j < size)%nat -> x j <= y j) -> Selection.scores_rise d_in (scores size x) (scores size y).
Proof.
  intros some [_ near] up. split; [apply some_scores, some |]. unfold scores.
  assert (inside : forall j, In j (seq 0 size) -> (j < size)%nat) by (intros j J; apply in_seq in J; lia).
  revert inside. generalize (seq 0 size). intro places.
  induction places as [| j places IH]; intro inside; simpl; constructor.
  - specialize (near j (inside j (or_introl eq_refl))). specialize (up j (inside j (or_introl eq_refl))).
    revert near. unfold Rabs. destruct Rcase_abs; lra.
  - apply IH. intros k K. apply inside. right. exact K.
Qed.
(* monotone_selection: monotone(d_in) |-> pure(map(d_in) / 2). *)
Theorem monotone_selection (log_weight privacy_map : R -> R) size d_in : (1 <= size)%nat ->
  (forall u v d_in, Rabs (u - v) <= d_in -> 2 * (log_weight u - log_weight v) <= privacy_map d_in) ->
  (forall u v, u <= v -> log_weight u <= log_weight v) ->
  private (Tables.monotone size d_in) (by_weights log_weight size) (pure (privacy_map d_in / 2)).
Proof.
  intros some moves grows x y [near direction].
  apply (Selection.monotone_selection log_weight (Finite.selected log_weight) privacy_map d_in
    (selected_has_masses log_weight) (fun d u v => moves u v d) grows).
  destruct near as [positive near]. destruct direction as [up | down]; [left | right]; apply scores_rise; try assumption.
  - split; assumption.
  - split; [exact positive |]. intros j J. rewrite Rabs_minus_sym. apply near, J.
Qed.

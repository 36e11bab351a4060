(* Laws on finitely many outcomes, given by their masses.

   What Laws.v and Privacy.v define by all tests is here a sum over outcomes: laws are within (t, delta) just if the sum
   of the excesses max(0, p - t q) is at most delta, and with delta = 0 just if no mass is more than t times the other.
   For rational masses that is computed, and the computed answer is the defined one.  The rules of refdp about finite
   mechanisms, local randomisers, selection by weights and refutations by an event follow from that. *)
From Coq Require Import Reals Lra Lia List Bool ZArith QArith Qreals Qminmax.
From Refdp Require Import Laws Privacy.
Import ListNotations.
Open Scope R_scope.

(* Sums over a list. *)
Section sums.
  Context {T : Type}.
  Implicit Types (f g : T -> R) (outcomes : list T).

  Fixpoint total f outcomes : R := match outcomes with [] => 0 | o :: rest => f o + total f rest end.

  Lemma total_same f g outcomes : (forall o, In o outcomes -> f o = g o) -> total f outcomes = total g outcomes.
  Proof. induction outcomes; simpl; intro same; [reflexivity | rewrite same, IHoutcomes; auto]. Qed.
  Lemma total_monotone f g outcomes : (forall o, In o outcomes -> f o <= g o) -> total f outcomes <= total g outcomes.
  Proof. induction outcomes; simpl; intro below; [lra | apply Rplus_le_compat; auto]. Qed.
  Lemma total_sum f g outcomes : total (fun o => f o + g o) outcomes = total f outcomes + total g outcomes.
  Proof. induction outcomes; simpl; [ring | rewrite IHoutcomes; ring]. Qed.
  Lemma total_multiple c f outcomes : total (fun o => c * f o) outcomes = c * total f outcomes.
  Proof. induction outcomes; simpl; [ring | rewrite IHoutcomes; ring]. Qed.
  Lemma total_difference f g outcomes : total (fun o => f o - g o) outcomes = total f outcomes - total g outcomes.
  Proof. induction outcomes; simpl; [ring | rewrite IHoutcomes; ring]. Qed.
  Lemma total_nonnegative f outcomes : (forall o, In o outcomes -> 0 <= f o) -> 0 <= total f outcomes.
  Proof.
    induction outcomes; simpl; intro positive; [lra |].
    apply Rplus_le_le_0_compat; [apply positive | apply IHoutcomes]; auto.
  Qed.
  Lemma total_app f outcomes others : total f (outcomes ++ others) = total f outcomes + total f others.
  Proof. induction outcomes; simpl; [ring | rewrite IHoutcomes; ring]. Qed.
  Lemma total_zero f outcomes :
    (forall o, In o outcomes -> 0 <= f o) -> total f outcomes <= 0 -> forall o, In o outcomes -> f o = 0.
  Proof.
    induction outcomes as [| first rest I]; simpl; intros positive none o inside; [tauto |].
    pose proof (total_nonnegative f rest ltac:(auto)). pose proof (positive first ltac:(auto)).
    destruct inside as [-> | inside]; [lra | apply I; auto; lra].
  Qed.
End sums.

Lemma total_map {T U} (h : T -> U) f outcomes : total f (map h outcomes) = total (fun o => f (h o)) outcomes.
Proof. induction outcomes; simpl; congruence. Qed.

(* The masses of a law: they are not negative and sum to 1. *)
Definition is_law {T} (outcomes : list T) (mass : T -> R) :=
  (forall o, In o outcomes -> 0 <= mass o) /\ total mass outcomes = 1.

Lemma is_law_or_not {T} (outcomes : list T) mass : {is_law outcomes mass} + {~ is_law outcomes mass}.
Proof.
  destruct (Forall_dec (fun o => 0 <= mass o) (fun o => Rle_dec 0 (mass o)) outcomes) as [positive | negative].
  - rewrite Forall_forall in positive.
    destruct (Req_EM_T (total mass outcomes) 1) as [one | other];
      [left; split; assumption | right; intros [_ H]; tauto].
  - right. intros [positive _]. apply negative, Forall_forall, positive.
Qed.

Definition law_by {T} (outcomes : list T) (mass : T -> R) (L : is_law outcomes mass) : law (plain T).
Proof.
  refine (Law (plain T) (fun f => total (fun o => mass o * f o) outcomes) _ _ _ _).
  - intros f g _ _ below. apply total_monotone. intros o inside.
    apply Rmult_le_compat_l; [apply L, inside | apply below].
  - intros f g _ _. rewrite <- total_sum. apply total_same. intros; ring.
  - intros c f _. rewrite <- total_multiple. apply total_same. intros; ring.
  - rewrite (total_same _ mass); [apply L | intros; ring].
Defined.

(* The law with these masses; where they are those of no law, one outcome for certain. *)
Definition listed {T} (otherwise : T) (outcomes : list T) (mass : T -> R) : law (plain T) :=
  match is_law_or_not outcomes mass with
  | left L => law_by outcomes mass L
  | right _ => certain (O := plain T) otherwise
  end.

Lemma E_listed {T} (otherwise : T) outcomes mass f :
  is_law outcomes mass -> E (listed otherwise outcomes mass) f = total (fun o => mass o * f o) outcomes.
Proof. intro L. unfold listed. destruct (is_law_or_not outcomes mass); [reflexivity | contradiction]. Qed.

Lemma plain_test {T} (f : T -> R) : (forall o, 0 <= f o <= 1) -> test (O := plain T) f.
Proof. intro between. split; [exists 1; intro o; specialize (between o); lra | exact between]. Qed.

Definition one_if {A B} (condition : {A} + {B}) : R := if condition then 1 else 0.

(* By how much a mass is more than t times another. *)
Definition excess (t p q : R) := Rmax 0 (p - t * q).

Section two_laws.
  Context {T : Type} (otherwise : T) (outcomes : list T) (p q : T -> R).
  Hypothesis (P : is_law outcomes p) (Q : is_law outcomes q).
  Let one := listed otherwise outcomes p.
  Let other := listed otherwise outcomes q.

  (* hockey_stick: the greatest excess of any test is the sum of the excesses of the masses. *)
  Definition hockey_stick t := total (fun o => excess t (p o) (q o)) outcomes.

  Theorem within_is_hockey_stick t delta : within t delta one other <-> hockey_stick t <= delta.
  Proof.
    unfold one, other, hockey_stick. split.
    - intro close. pose (event := fun o => one_if (Rlt_dec (t * q o) (p o))).
      assert (tested : test (O := plain T) event).
      { apply plain_test. intro o. unfold event, one_if. destruct (Rlt_dec _ _); lra. }
      specialize (close event tested). rewrite !E_listed, <- total_multiple in close by assumption.
      rewrite (total_same _ (fun o => p o * event o - t * (q o * event o))); [rewrite total_difference; lra |].
      intros o _. unfold excess, event, one_if, Rmax. destruct (Rlt_dec _ _), (Rle_dec _ _); lra.
    - intros few f [_ between]. rewrite !E_listed, <- total_multiple by assumption.
      enough (total (fun o => p o * f o - t * (q o * f o)) outcomes <= delta) by (rewrite total_difference in *; lra).
      eapply Rle_trans; [| exact few]. apply total_monotone. intros o _. specialize (between o).
      unfold excess, Rmax. destruct (Rle_dec 0 (p o - t * q o)); nra.
  Qed.

  (* pure, and any measure of which delta is 0: no mass is more than t times the other. *)
  Theorem within_is_pointwise t : within t 0 one other <-> forall o, In o outcomes -> p o <= t * q o.
  Proof.
    rewrite within_is_hockey_stick. unfold hockey_stick. split; intro H.
    - intros o inside. pose proof (total_zero (fun o => excess t (p o) (q o)) outcomes) as none.
      specialize (none ltac:(intros; apply Rmax_l) H o inside). pose proof (Rmax_r 0 (p o - t * q o)).
      unfold excess in none. lra.
    - rewrite (total_same _ (fun _ => 0 * 1)); [rewrite total_multiple; lra |].
      intros o inside. specialize (H o inside). unfold excess. rewrite Rmax_left; lra.
  Qed.
  Theorem approximate_is_hockey_stick epsilon delta :
    approximate epsilon delta one other <-> hockey_stick (exp epsilon) <= delta.
  Proof. apply within_is_hockey_stick. Qed.
  Theorem pure_is_pointwise epsilon : pure epsilon one other <-> forall o, In o outcomes -> p o <= exp epsilon * q o.
  Proof. apply within_is_pointwise. Qed.

  (* The factor of a pure claim is at least 1, as both laws sum to 1. *)
  Lemma ratio_at_least_1 t : (forall o, In o outcomes -> p o <= t * q o) -> 1 <= t.
  Proof.
    intro bounded. apply total_monotone in bounded. rewrite total_multiple in bounded.
    destruct P as [_ P1], Q as [_ Q1]. rewrite P1, Q1 in bounded. lra.
  Qed.
  Lemma pure_of_ratio t : (forall o, In o outcomes -> p o <= t * q o) -> pure (ln t) one other.
  Proof.
    intro bounded. apply pure_is_pointwise. rewrite exp_ln; [exact bounded |].
    apply ratio_at_least_1 in bounded. lra.
  Qed.
End two_laws.

(* ratio: the factor is e^epsilon + delta. *)
Definition ratio (epsilon delta : R) {O : space} (p q : law O) := within (exp epsilon + delta) 0 p q.

(* loss_tail: events on all parts of which p is more than e^epsilon times q have at most the probability delta under p.
   Where p and q have densities, p(event) > e^epsilon q(event) on all parts means that p > e^epsilon q on the event. *)
Definition much_likelier (t : R) {O : space} (p q : law O) (event : O -> R) :=
  forall part, test part -> (forall o, part o <= event o) -> 0 < E p part -> t * E q part < E p part.
Definition tail_within (t delta : R) {O : space} (p q : law O) :=
  forall event, test event -> (forall o, event o = 0 \/ event o = 1) -> much_likelier t p q event -> E p event <= delta.
Definition loss_tail (epsilon delta : R) {O : space} (p q : law O) := tail_within (exp epsilon) delta p q.

(* Of finite laws: the outcomes at which p is more than t times q have that probability. *)
Theorem loss_tail_is_a_sum {T} (otherwise : T) outcomes p q t delta : is_law outcomes p -> is_law outcomes q ->
  0 <= t -> (tail_within t delta (listed otherwise outcomes p) (listed otherwise outcomes q) <->
  total (fun o => p o * one_if (Rlt_dec (t * q o) (p o))) outcomes <= delta).
Proof.
  intros P Q T0. pose (likely := fun o => one_if (Rlt_dec (t * q o) (p o))).
  assert (tested : test (O := plain T) likely).
  { apply plain_test. intro o. unfold likely, one_if. destruct (Rlt_dec _ _); lra. }
  split.
  - intro close. specialize (close likely tested). rewrite E_listed in close by assumption. apply close.
    + intro o. unfold likely, one_if. destruct (Rlt_dec _ _); auto.
    + intros part [_ between] below. rewrite !E_listed, <- total_multiple by assumption. intro possible.
      apply Rnot_le_lt. intro less.
      assert (pointwise : forall o, In o outcomes -> 0 <= p o * part o - t * (q o * part o)).
      { intros o _. specialize (below o). specialize (between o). unfold likely, one_if in below.
        destruct (Rlt_dec (t * q o) (p o)); [| replace (part o) with 0 by lra; lra].
        replace (p o * part o - t * (q o * part o)) with ((p o - t * q o) * part o) by ring. apply Rmult_le_pos; lra. }
      assert (nothing : forall o, In o outcomes -> p o * part o - t * (q o * part o) = 0).
      { apply total_zero; [exact pointwise | rewrite total_difference; lra]. }
      enough (total (fun o => p o * part o) outcomes <= 0) by lra.
      rewrite (total_same _ (fun _ => 0 * 1)); [rewrite total_multiple; lra |].
      intros o inside. specialize (nothing o inside). specialize (below o). specialize (between o).
      unfold likely, one_if in below. destruct (Rlt_dec (t * q o) (p o)); [| replace (part o) with 0 by lra; lra].
      enough (part o = 0) as -> by lra. apply (Rmult_eq_reg_r (p o - t * q o)); [lra | lra].
  - intros few event [_ between] zero_or_one likelier. rewrite E_listed by assumption.
    eapply Rle_trans; [| exact few]. apply total_monotone. intros o inside.
    fold (likely o). specialize (between o). pose proof (proj1 P o inside) as positive.
    unfold likely, one_if. destruct (Rlt_dec (t * q o) (p o)) as [| not_much]; [nra |].
    destruct (zero_or_one o) as [-> | ones]; [lra |].
    (* p o = 0: else the part of the event at which p is at most t q would be likelier by less than t *)
    pose (part := fun o => event o * (1 - likely o)).
    assert (part_tested : test (O := plain T) part).
    { apply plain_test. intro v. unfold part. destruct (zero_or_one v) as [-> | ->]; [lra |].
      pose proof (proj2 tested v) as b. simpl in b. lra. }
    assert (small : forall v, In v outcomes -> p v * part v <= t * (q v * part v)).
    { intros v _. unfold part, likely, one_if. destruct (zero_or_one v) as [-> | ->]; [lra |].
      destruct (Rlt_dec (t * q v) (p v)); lra. }
    destruct (Rlt_le_dec 0 (p o)) as [possible | impossible]; [exfalso | nra].
    specialize (likelier part part_tested). rewrite !E_listed, <- total_multiple in likelier by assumption.
    apply total_monotone in small.
    assert (0 < total (fun v => p v * part v) outcomes).
    { apply Rnot_le_lt. intro none. pose proof (total_zero (fun v => p v * part v) outcomes) as zero.
      assert (zero_here : p o * part o = 0).
      { apply zero; auto. intros v here. apply Rmult_le_pos; [apply P, here | apply part_tested]. }
      unfold part, likely, one_if in zero_here. rewrite ones in zero_here.
      destruct (Rlt_dec (t * q o) (p o)); lra. }
    assert (below : forall v, part v <= event v).
    { intro v. unfold part. destruct (zero_or_one v) as [-> | ->]; [lra |]. pose proof (proj2 tested v) as b.
      simpl in b. lra. }
    specialize (likelier below). lra.
Qed.

(* What follows of rational masses is computed. *)
Section rational_masses.
  Context {T : Type}.
  Local Open Scope Q_scope.
  Implicit Types (outcomes : list T) (p q mass : T -> Q).

  Definition rational_total mass outcomes : Q := fold_right (fun o sum => Qred (mass o + sum)) 0 outcomes.
  Definition is_rational_law outcomes mass : bool :=
    forallb (fun o => Qle_bool 0 (mass o)) outcomes && Qeq_bool (rational_total mass outcomes) 1.
  Definition rational_hockey_stick outcomes (t : Q) p q : Q :=
    rational_total (fun o => if Qlt_le_dec (t * q o) (p o) then p o - t * q o else 0) outcomes.
  Definition rational_tail outcomes (t : Q) p q : Q :=
    rational_total (fun o => if Qlt_le_dec (t * q o) (p o) then p o else 0) outcomes.
  (* The greatest ratio of masses; None stands for infinity. *)
  Fixpoint rational_ratio outcomes p q : option Q :=
    match outcomes with
    | [] => Some 0
    | o :: rest =>
        match rational_ratio rest p q with
        | None => None
        | Some r =>
            if Qlt_le_dec 0 (q o) then Some (if Qlt_le_dec r (p o / q o) then Qred (p o / q o) else r)
            else if Qlt_le_dec 0 (p o) then None else Some r
        end
    end.
End rational_masses.

Definition real {T} (mass : T -> Q) : T -> R := fun o => Q2R (mass o).
(* The law with these rational masses. *)
Definition rational_law {T} (otherwise : T) (outcomes : list T) (mass : T -> Q) : law (plain T) :=
  listed otherwise outcomes (real mass).

Lemma Q2R_total {T} (mass : T -> Q) outcomes : Q2R (rational_total mass outcomes) = total (real mass) outcomes.
Proof.
  unfold rational_total. induction outcomes as [| o rest I]; cbn [fold_right total]; [unfold Q2R; simpl; lra |].
  rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_plus, I. reflexivity.
Qed.
Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Qle_bool_real a b : Qle_bool a b = true <-> Q2R a <= Q2R b.
Proof. rewrite Qle_bool_iff. split; [apply Qle_Rle | apply Rle_Qle]. Qed.

Lemma is_rational_law_is_law {T} (outcomes : list T) mass :
  is_rational_law outcomes mass = true <-> is_law outcomes (real mass).
Proof.
  unfold is_rational_law, is_law. rewrite andb_true_iff, forallb_forall, Qeq_bool_iff, <- Q2R_total, <- Q2R_1.
  split; intros [positive one]; split.
  - intros o inside. rewrite <- Q2R_0. apply Qle_bool_real, positive, inside.
  - apply Qeq_eqR, one.
  - intros o inside. apply Qle_bool_real. rewrite Q2R_0. apply positive, inside.
  - apply eqR_Qeq, one.
Qed.

Lemma Q2R_hockey_stick {T} (outcomes : list T) t p q :
  Q2R (rational_hockey_stick outcomes t p q) = hockey_stick outcomes (real p) (real q) (Q2R t).
Proof.
  unfold rational_hockey_stick, hockey_stick. rewrite Q2R_total. apply total_same. intros o _.
  unfold real, excess. destruct (Qlt_le_dec (t * q o) (p o)) as [more | less].
  - apply Qlt_Rlt in more. rewrite Q2R_mult in more. rewrite Q2R_minus, Q2R_mult, Rmax_right; lra.
  - apply Qle_Rle in less. rewrite Q2R_mult in less. rewrite Q2R_0, Rmax_left; lra.
Qed.
Lemma Q2R_tail {T} (outcomes : list T) t p q : Q2R (rational_tail outcomes t p q) =
  total (fun o => real p o * one_if (Rlt_dec (Q2R t * real q o) (real p o))) outcomes.
Proof.
  unfold rational_tail. rewrite Q2R_total. apply total_same. intros o _. unfold real, one_if.
  destruct (Qlt_le_dec (t * q o) (p o)) as [more | less].
  - apply Qlt_Rlt in more. rewrite Q2R_mult in more. destruct (Rlt_dec _ _); lra.
  - apply Qle_Rle in less. rewrite Q2R_mult in less. rewrite Q2R_0. destruct (Rlt_dec _ _); lra.
Qed.

(* A finite ratio bounds each mass, and is the least number that does. *)
Lemma rational_ratio_bounds {T} (outcomes : list T) p q r :
  (forall o, In o outcomes -> 0 <= real q o) -> rational_ratio outcomes p q = Some r ->
  0 <= Q2R r /\ forall t, 0 <= t -> (Q2R r <= t <-> forall o, In o outcomes -> real p o <= t * real q o).
Proof.
  revert r. induction outcomes as [| o rest I]; cbn [rational_ratio In]; intros r positive found.
  - injection found as <-. rewrite Q2R_0. split; [lra | tauto].
  - destruct (rational_ratio rest p q) as [s |]; [| discriminate].
    destruct (I s ltac:(auto) eq_refl) as [S least]. clear I. pose proof (positive o ltac:(auto)) as here.
    unfold real in *.
    assert (rewritten : forall t, (forall v, o = v \/ In v rest -> Q2R (p v) <= t * Q2R (q v)) <->
      Q2R (p o) <= t * Q2R (q o) /\ forall v, In v rest -> Q2R (p v) <= t * Q2R (q v)).
    { intro t. split; [intro H; split; auto | intros [A B] v [<- | V]; auto]. }
    destruct (Qlt_le_dec 0 (q o)) as [some | none].
    + pose proof (Qlt_Rlt _ _ some) as some'. rewrite Q2R_0 in some'.
      assert (quotient : Q2R (p o / q o) = Q2R (p o) / Q2R (q o)).
      { apply Q2R_div. intro zero. rewrite zero in some. discriminate. }
      assert (as_product : forall t, Q2R (p o) <= t * Q2R (q o) <-> Q2R (p o / q o) <= t).
      { intro t. rewrite quotient. split; intro H.
        - apply (Rmult_le_reg_r (Q2R (q o))); [exact some' |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
        - apply (Rmult_le_compat_r (Q2R (q o))) in H; [| lra]. unfold Rdiv in H.
          rewrite Rmult_assoc, Rinv_l in H; lra. }
      destruct (Qlt_le_dec s (p o / q o)) as [more | less];
        [assert (r = Qred (p o / q o)) as -> by congruence | assert (r = s) as -> by congruence];
        [apply Qlt_Rlt in more; rewrite (Qeq_eqR _ _ (Qred_correct _)) | apply Qle_Rle in less];
        (split; [lra |]); intros t T0;
        rewrite rewritten, as_product, <- least by exact T0; lra.
    + apply Qle_Rle in none. rewrite Q2R_0 in none.
      destruct (Qlt_le_dec 0 (p o)) as [| nothing]; [discriminate | injection found as <-].
      apply Qle_Rle in nothing. rewrite Q2R_0 in nothing.
      split; [exact S |]. intros t T0. rewrite rewritten, <- least by exact T0.
      replace (Q2R (q o)) with 0 by lra. intuition lra.
Qed.
Lemma rational_ratio_infinite {T} (outcomes : list T) p q t : (forall o, In o outcomes -> 0 <= real q o) ->
  rational_ratio outcomes p q = None -> ~ forall o, In o outcomes -> real p o <= t * real q o.
Proof.
  induction outcomes as [| o rest I]; simpl; intros positive infinite bounded; [discriminate |].
  destruct (rational_ratio rest p q); [| apply I; auto].
  destruct (Qlt_le_dec 0 (q o)) as [| none]; [discriminate |].
  destruct (Qlt_le_dec 0 (p o)) as [some |]; [| discriminate].
  specialize (bounded o ltac:(auto)). specialize (positive o ltac:(auto)). unfold real in *.
  apply Qlt_Rlt in some. apply Qle_Rle in none. rewrite Q2R_0 in *.
  replace (Q2R (q o)) with 0 in bounded by lra. lra.
Qed.

(* Lists of masses of the outcomes 0, 1, 2, ...; the masses that a shorter list lacks are 0. *)
Definition mass_at (masses : list Q) (o : nat) : Q := nth o masses 0%Q.
Definition law_of (masses : list Q) : law (plain nat) := rational_law 0%nat (seq 0 (length masses)) (mass_at masses).
Definition are_masses (masses : list Q) : bool := is_rational_law (seq 0 (length masses)) (mass_at masses).

Definition within_dec (t delta : Q) (ps qs : list Q) : bool :=
  are_masses ps && are_masses qs &&
  Qle_bool (rational_hockey_stick (seq 0 (max (length ps) (length qs))) t (mass_at ps) (mass_at qs)) delta.

Lemma padded masses n (g : nat -> R) : (length masses <= n)%nat ->
  total (fun o => real (mass_at masses) o * g o) (seq 0 (length masses)) =
  total (fun o => real (mass_at masses) o * g o) (seq 0 n).
Proof.
  intro long. replace n with (length masses + (n - length masses))%nat by lia. rewrite seq_app, total_app.
  rewrite (total_same _ (fun _ => 0 * 1) (seq (0 + length masses) _)); [rewrite total_multiple; ring |].
  intros o inside. apply in_seq in inside. unfold real, mass_at. rewrite nth_overflow by lia. rewrite Q2R_0. ring.
Qed.
Lemma padded_law masses n : (length masses <= n)%nat -> are_masses masses = true ->
  is_law (seq 0 n) (real (mass_at masses)) /\
  forall f, E (law_of masses) f = E (listed 0%nat (seq 0 n) (real (mass_at masses))) f.
Proof.
  intros long L. apply is_rational_law_is_law in L.
  assert (L' : is_law (seq 0 n) (real (mass_at masses))).
  { destruct L as [positive one]. split.
    - intros o _. unfold real, mass_at. destruct (Nat.lt_ge_cases o (length masses)) as [here | beyond].
      + apply positive, in_seq. lia.
      + rewrite nth_overflow, Q2R_0; [lra | exact beyond].
    - rewrite <- one. pose proof (padded masses n (fun _ => 1) long) as same.
      rewrite !(total_same (fun o => _ * 1) (real (mass_at masses))) in same by (intros; ring). congruence. }
  split; [exact L' |]. intro f. unfold law_of, rational_law. rewrite !E_listed by assumption. apply padded, long.
Qed.

(* The decision is right, in either direction: by numbers alone, for any number of outcomes. *)
Theorem within_dec_is_within t delta ps qs : are_masses ps = true -> are_masses qs = true ->
  (within_dec t delta ps qs = true <-> within (Q2R t) (Q2R delta) (law_of ps) (law_of qs)).
Proof.
  intros P Q. unfold within_dec. rewrite P, Q. simpl. rewrite Qle_bool_real, Q2R_hockey_stick.
  destruct (padded_law ps (max (length ps) (length qs)) ltac:(lia) P) as [P' same].
  destruct (padded_law qs (max (length ps) (length qs)) ltac:(lia) Q) as [Q' same'].
  rewrite <- (within_is_hockey_stick 0%nat) by assumption.
  split; intros close f F; specialize (close f F); rewrite same, same' in *; exact close.
Qed.
(* What is decided is a claim with epsilon = ln t. *)
Theorem within_dec_approximate t delta ps qs : within_dec t delta ps qs = true -> 0 < Q2R t ->
  approximate (ln (Q2R t)) (Q2R delta) (law_of ps) (law_of qs).
Proof.
  intros decided T0. unfold approximate. rewrite exp_ln by exact T0. apply within_dec_is_within; [| | exact decided];
    unfold within_dec in decided; apply andb_prop in decided; destruct decided as [laws _]; apply andb_prop in laws;
      tauto.
Qed.

Example three_quarters_at_ln_3 : approximate (ln (Q2R 3)) (Q2R 0) (law_of [3#4; 1#4]) (law_of [1#4; 3#4]).
Proof. apply within_dec_approximate; [vm_compute; reflexivity | unfold Q2R; simpl; lra]. Qed.
Example three_quarters_not_at_ln_2 : ~ within (Q2R 2) (Q2R (1#5)) (law_of [3#4; 1#4]) (law_of [1#4; 3#4]).
Proof. rewrite <- within_dec_is_within; vm_compute; [discriminate | reflexivity | reflexivity]. Qed.

(* finite_mechanism: every law of a mechanism on finitely many inputs is computed in rationals; the loss is the worst
   over all pairs of neighbours. *)
Section finite_mechanism.
  Context {X T : Type} (otherwise : T) (outcomes : list T).
  Context (members : list X) (close : X -> X -> bool) (mass : X -> T -> Q).

  Definition all_laws : bool := forallb (fun x => is_rational_law outcomes (mass x)) members.
  Definition neighbours : list (X * X) := filter (fun pair => close (fst pair) (snd pair)) (list_prod members members).
  Definition greatest_over_pairs (divergence : (T -> Q) -> (T -> Q) -> Q) : Q :=
    fold_right Qmax 0%Q (map (fun pair => divergence (mass (fst pair)) (mass (snd pair))) neighbours).
  Definition greatest_hockey_stick (t : Q) : Q := greatest_over_pairs (rational_hockey_stick outcomes t).
  Definition greatest_tail (t : Q) : Q := greatest_over_pairs (rational_tail outcomes t).
  Definition greatest_ratio : option Q :=
    fold_right (fun pair worst =>
      match rational_ratio outcomes (mass (fst pair)) (mass (snd pair)), worst with
      | Some r, Some s => Some (Qmax r s)
      | _, _ => None
      end) (Some 0%Q) neighbours.
  Definition are_neighbours (a b : X) := In a members /\ In b members /\ close a b = true.
  Definition enumerated : mechanism X (plain T) := fun x => rational_law otherwise outcomes (mass x).

  Lemma neighbours_are_listed a b : are_neighbours a b <-> In (a, b) neighbours.
  Proof. unfold neighbours, are_neighbours. rewrite filter_In, in_prod_iff. simpl. tauto. Qed.
  Lemma at_a_pair (m : law (plain T) -> law (plain T) -> Prop) :
    private are_neighbours enumerated m <->
    forall pair, In pair neighbours -> m (enumerated (fst pair)) (enumerated (snd pair)).
  Proof.
    split; intro H.
    - intros [a b] inside. apply H, neighbours_are_listed, inside.
    - intros a b near. apply (H (a, b)), neighbours_are_listed, near.
  Qed.
  Lemma Q2R_max a b : Q2R (Qmax a b) = Rmax (Q2R a) (Q2R b).
  Proof.
    destruct (Q.max_spec a b) as [[order same] | [order same]]; rewrite (Qeq_eqR _ _ same).
    - apply Qlt_Rlt in order. rewrite Rmax_right; lra.
    - apply Qle_Rle in order. rewrite Rmax_left; lra.
  Qed.
  Lemma greatest_is_least_bound divergence delta : 0 <= delta ->
    (Q2R (greatest_over_pairs divergence) <= delta <->
     forall pair, In pair neighbours -> Q2R (divergence (mass (fst pair)) (mass (snd pair))) <= delta).
  Proof.
    intro D. unfold greatest_over_pairs. induction neighbours as [| pair rest I]; cbn [map fold_right In].
    - rewrite Q2R_0. split; [tauto | auto].
    - rewrite Q2R_max. split.
      + intros H other [<- | inside].
        * eapply Rle_trans; [apply Rmax_l | exact H].
        * apply I; [| exact inside]. eapply Rle_trans; [apply Rmax_r | exact H].
      + intro H. apply Rmax_lub; [apply H; auto |]. apply I. auto.
  Qed.
  Lemma greatest_nonnegative divergence : 0 <= Q2R (greatest_over_pairs divergence).
  Proof.
    unfold greatest_over_pairs. induction neighbours; cbn [map fold_right]; [rewrite Q2R_0; lra |].
    rewrite Q2R_max. eapply Rle_trans; [eassumption | apply Rmax_r].
  Qed.

  Hypothesis laws : all_laws = true.
  Lemma member_is_law x : In x members -> is_law outcomes (real (mass x)).
  Proof. intro inside. apply is_rational_law_is_law. exact (proj1 (forallb_forall _ _) laws x inside). Qed.
  Lemma pair_is_laws pair : In pair neighbours ->
    is_law outcomes (real (mass (fst pair))) /\ is_law outcomes (real (mass (snd pair))).
  Proof. destruct pair as [a b]. intro inside. apply neighbours_are_listed in inside.
  split; apply member_is_law, inside. Qed.

  (* The greatest hockey stick is the least delta: no smaller one is true. *)
  Theorem finite_mechanism_exact t delta : 0 <= delta ->
    (private are_neighbours enumerated (within (Q2R t) delta) <-> Q2R (greatest_hockey_stick t) <= delta).
  Proof.
    intro D. rewrite at_a_pair. unfold greatest_hockey_stick. rewrite greatest_is_least_bound by exact D.
    split; intros H pair inside; destruct (pair_is_laws pair inside) as [A B]; specialize (H pair inside).
    - rewrite Q2R_hockey_stick. apply (within_is_hockey_stick otherwise) in H; assumption.
    - rewrite Q2R_hockey_stick in H. apply within_is_hockey_stick; assumption.
  Qed.
  (* finite_mechanism, approximate(ln t, greatest hockey stick) for a t >= 1 of the caller's choice. *)
  Theorem finite_mechanism t : 1 <= Q2R t ->
    private are_neighbours enumerated (approximate (ln (Q2R t)) (Q2R (greatest_hockey_stick t))).
  Proof.
    intro T1. unfold approximate. rewrite exp_ln by lra.
    apply finite_mechanism_exact; [apply greatest_nonnegative | lra].
  Qed.

  Lemma greatest_ratio_bounds r : greatest_ratio = Some r -> 0 <= Q2R r /\ forall t, 0 <= t ->
    (Q2R r <= t <-> forall pair, In pair neighbours ->
                    forall o, In o outcomes -> real (mass (fst pair)) o <= t * real (mass (snd pair)) o).
  Proof.
    unfold greatest_ratio. pose proof pair_is_laws as L. revert r.
    induction neighbours as [| pair rest I]; cbn [fold_right In]; intros r found.
    - injection found as <-. rewrite Q2R_0. split; [lra | tauto].
    - destruct (rational_ratio outcomes (mass (fst pair)) (mass (snd pair))) as [here |] eqn:H; [| discriminate].
      destruct (fold_right _ _ rest) as [there |]; [| discriminate]. injection found as <-.
      destruct (I ltac:(intros; apply L; right; assumption) there eq_refl) as [positive least].
      apply rational_ratio_bounds in H; [| intros o inside; apply (L pair); [left; reflexivity | exact inside]].
      destruct H as [positive' least'].
      rewrite Q2R_max. split; [eapply Rle_trans; [exact positive | apply Rmax_r] |]. intros t T0. split.
      + intros bounded other [<- | inside].
        * apply least'; [exact T0 |]. eapply Rle_trans; [apply Rmax_l | exact bounded].
        * apply least; [exact T0 | | exact inside]. eapply Rle_trans; [apply Rmax_r | exact bounded].
      + intro bounded. apply Rmax_lub; [apply least' | apply least]; auto.
  Qed.
  (* With a factor that bounds all ratios; and no smaller one does. *)
  Theorem finite_mechanism_pure_exact r t : greatest_ratio = Some r -> 0 <= t ->
    (private are_neighbours enumerated (within t 0) <-> Q2R r <= t).
  Proof.
    intros found T0. rewrite at_a_pair, (proj2 (greatest_ratio_bounds r found) t T0).
    split; intros H pair inside; destruct (pair_is_laws pair inside) as [A B]; specialize (H pair inside).
    - exact (proj1 (within_is_pointwise otherwise outcomes _ _ A B t) H).
    - apply within_is_pointwise; assumption.
  Qed.
  (* finite_mechanism, pure(ln(greatest ratio)). *)
  Theorem finite_mechanism_pure r : greatest_ratio = Some r -> private are_neighbours enumerated (pure (ln (Q2R r))).
  Proof.
    intro found. apply at_a_pair. intros pair inside. destruct (pair_is_laws pair inside) as [A B].
    apply pure_of_ratio; [exact A | exact B |].
    destruct (greatest_ratio_bounds r found) as [positive least]. apply (least (Q2R r) positive); [lra | exact inside].
  Qed.
  (* finite_mechanism, ratio(ln t, greatest ratio - t, at least 0). *)
  Theorem finite_mechanism_ratio r t : greatest_ratio = Some r -> 1 <= Q2R t ->
    private are_neighbours enumerated (ratio (ln (Q2R t)) (Rmax (Q2R r - Q2R t) 0)).
  Proof.
    intros found T1. pose proof (Rmax_l (Q2R r - Q2R t) 0). pose proof (Rmax_r (Q2R r - Q2R t) 0).
    unfold ratio. rewrite exp_ln by lra. apply (finite_mechanism_pure_exact r _ found); lra.
  Qed.
  (* finite_mechanism, loss_tail(ln t, greatest probability that the loss is more); no smaller delta is true. *)
  Theorem finite_mechanism_loss_tail_exact t delta : 0 <= Q2R t -> 0 <= delta ->
    (private are_neighbours enumerated (tail_within (Q2R t) delta) <-> Q2R (greatest_tail t) <= delta).
  Proof.
    intros T0 D. rewrite at_a_pair. unfold greatest_tail. rewrite greatest_is_least_bound by exact D.
    split; intros H pair inside; destruct (pair_is_laws pair inside) as [A B]; specialize (H pair inside).
    - rewrite Q2R_tail. apply (loss_tail_is_a_sum otherwise) in H; assumption.
    - rewrite Q2R_tail in H. apply loss_tail_is_a_sum; assumption.
  Qed.
  Theorem finite_mechanism_loss_tail t : 1 <= Q2R t ->
    private are_neighbours enumerated (loss_tail (ln (Q2R t)) (Q2R (greatest_tail t))).
  Proof.
    intro T1. unfold private, loss_tail. rewrite exp_ln by lra.
    apply finite_mechanism_loss_tail_exact; [lra | apply greatest_nonnegative | lra].
  Qed.
End finite_mechanism.

(* Randomised response that tells the truth 3 times out of 4: its loss is ln 3, by computation. *)
Definition three_quarters (x y : bool) : Q := if Bool.eqb x y then (3#4)%Q else (1#4)%Q.
Example response_by_enumeration : private (are_neighbours [true; false] (fun _ _ => true))
  (enumerated true [true; false] three_quarters) (pure (ln (Q2R 3))).
Proof. apply finite_mechanism_pure; vm_compute; reflexivity. Qed.

(* The numbers 0, 1, ..., size - 1. *)
Definition whole (size : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat size)).
Lemma in_whole size i : In i (whole size) <-> (0 <= i <= size - 1)%Z.
Proof.
  unfold whole. rewrite in_map_iff. split.
  - intros (n & <- & inside). apply in_seq in inside. lia.
  - intro inside. exists (Z.to_nat i). rewrite in_seq. lia.
Qed.
Lemma total_telescopes (f : Z -> R) n :
  total (fun i => f i - f (i - 1)%Z) (map Z.of_nat (seq 0 n)) = f (Z.of_nat n - 1)%Z - f (-1)%Z.
Proof.
  induction n as [| n I]; [simpl; ring |].
  rewrite seq_S, map_app, total_app, I. cbn [map total]. replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia.
  simpl (0 + n)%nat. ring.
Qed.

(* finite_law: masses that are not negative and sum to 1, no outcome more than ratio_bound times likelier under one
   input than under another.  finite_law_masses: they are a law; finite_law: its loss is ln(ratio_bound). *)
Section finite_law.
  Variables (size : Z) (pmf cumulative : Z -> Z -> R) (ratio_bound : R).
  Local Notation inside i := (0 <= i <= size - 1)%Z.
  Hypothesis masses_are_not_negative : forall output input, inside input -> inside output -> 0 <= pmf output input.
  Hypothesis cumulative_grows_by_the_mass : forall output input, inside input -> inside output ->
    cumulative output input - cumulative (output - 1)%Z input = pmf output input.
  Hypothesis cumulative_runs_from_0_to_1 : forall input, inside input ->
    cumulative (-1)%Z input = 0 /\ cumulative (size - 1)%Z input = 1.

  Lemma finite_law_masses input : inside input -> is_law (whole size) (fun output => pmf output input).
  Proof.
    intro here. split.
    - intros output there. apply in_whole in there. apply masses_are_not_negative; assumption.
    - rewrite (total_same _ (fun i => cumulative i input - cumulative (i - 1)%Z input)).
      + unfold whole. rewrite total_telescopes. rewrite Z2Nat.id by lia.
        destruct (cumulative_runs_from_0_to_1 input here) as [-> ->]. ring.
      + intros output there. apply in_whole in there. symmetry. apply cumulative_grows_by_the_mass; assumption.
  Qed.

  Hypothesis ratio_is_bounded : forall output a b, inside output -> inside a -> inside b ->
    pmf output a <= ratio_bound * pmf output b /\ 1 <= ratio_bound.

  (* finite_law: discrete(1) |-> pure(ln(ratio_bound)). *)
  Theorem finite_law : private (fun a b => inside a /\ inside b)
    (fun input => listed 0%Z (whole size) (fun output => pmf output input)) (pure (ln ratio_bound)).
  Proof.
    intros a b [A B]. apply pure_of_ratio; try (apply finite_law_masses; assumption).
    intros output there. apply in_whole in there. apply ratio_is_bounded; assumption.
  Qed.
End finite_law.

(* Masses 3/4 and 1/4 on two outcomes. *)
Example response_by_masses : private (fun a b => (0 <= a <= 2 - 1)%Z /\ (0 <= b <= 2 - 1)%Z)
  (fun input => listed 0%Z (whole 2) (fun output => if Z.eqb output input then 3 / 4 else 1 / 4)) (pure (ln 3)).
Proof.
  apply (finite_law 2 _ (fun output input =>
    if Z.eqb output (-1) then 0 else if Z.eqb output 1 then 1 else if Z.eqb input 0 then 3 / 4 else 1 / 4)).
  - intros output input I O. destruct (Z.eqb output input); lra.
  - intros output input I O. assert (output = 0 \/ output = 1)%Z as [-> | ->] by lia;
      assert (input = 0 \/ input = 1)%Z as [-> | ->] by lia; simpl; lra.
  - intros input I. simpl. split; reflexivity.
  - intros output a b O A B. destruct (Z.eqb output a), (Z.eqb output b); lra.
Qed.

(* A bit that is true with probability c. *)
Definition coin (c : R) : law (plain bool) := listed false [true; false] (fun bit => if bit : bool then c else 1 - c).
Lemma coin_masses c : 0 <= c <= 1 -> is_law [true; false] (fun bit => if bit : bool then c else 1 - c).
Proof. intro C. split; [intros [|] _; lra | simpl; ring]. Qed.
Lemma E_coin c f : 0 <= c <= 1 -> E (coin c) f = c * f true + (1 - c) * f false.
Proof. intro C. unfold coin. rewrite E_listed by (apply coin_masses, C). simpl. ring. Qed.
(* Two coins are within (t, delta) if each bit is, and t + delta >= 1. *)
Lemma coin_within a b t delta : 0 <= a <= 1 -> 0 <= b <= 1 ->
  0 <= delta -> 1 <= t + delta -> a <= t * b + delta -> 1 - a <= t * (1 - b) + delta -> within t delta (coin a)
    (coin b).
Proof.
  intros A B D whole one other f [_ between]. rewrite !E_coin by assumption.
  pose proof (between true) as x. pose proof (between false) as y. simpl in x, y.
  destruct (Rle_dec (f true) (f false)).
  - assert (0 <= f true * (t + delta - 1)) by (apply Rmult_le_pos; lra).
    assert (0 <= (f false - f true) * (t * (1 - b) + delta - (1 - a))) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - f false) * delta) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= f false * (t + delta - 1)) by (apply Rmult_le_pos; lra).
    assert (0 <= (f true - f false) * (t * b + delta - a)) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - f true) * delta) by (apply Rmult_le_pos; lra). lra.
Qed.

(* bit_of_rate: one bit, 1 with a probability that depends on a number in an interval. *)
Theorem bit_of_rate (lower upper : R) (rate : R -> R) (ratio_bound : R) :
  lower <= upper ->
  (forall input, lower <= input <= upper -> 0 <= rate input <= 1) ->
  (forall a b, lower <= a <= upper -> lower <= b <= upper ->
     rate a <= ratio_bound * rate b /\ 1 - rate a <= ratio_bound * (1 - rate b)) ->
  private (fun a b => lower <= a <= upper /\ lower <= b <= upper) (fun input => coin (rate input))
    (pure (ln ratio_bound)).
Proof.
  intros _ probability bounded a b [A B].
  apply pure_of_ratio; try (apply coin_masses, probability; assumption). intros [|] _; apply bounded; assumption.
Qed.
(* A number in [0, 1] told by one bit, with the odds of randomised response at either end. *)
Example bit_of_a_number : private (fun a b => 0 <= a <= 1 /\ 0 <= b <= 1) (fun x => coin ((1 + 2 * x) / 4))
  (pure (ln 3)).
Proof. apply bit_of_rate; [lra | intros; lra | intros; lra]. Qed.

(* The share of all reports that support any one value. *)
Definition supported_by {X Y} (reports : list Y) (supports : Y -> X -> bool) (x : X) : R :=
  total (fun y => if supports y x then 1 else 0) reports.
Definition number {Y} (reports : list Y) : R := INR (length reports).
Lemma number_is_total {Y} (reports : list Y) : number reports = total (fun _ => 1) reports.
Proof. unfold number. induction reports; [reflexivity |]. simpl length. rewrite S_INR, IHreports. simpl. ring. Qed.

(* supported_law: a report that supports its input with probability told, each such report as likely, and each other. *)
Section supported_law.
  Context {X Y : Type} (otherwise : Y) (reports : list Y) (supports : Y -> X -> bool) (value : X -> Prop).
  Variables (share told ratio_bound : R).
  Definition supported_mass (x : X) (y : Y) : R :=
    if supports y x then told / (share * number reports) else (1 - told) / ((1 - share) * number reports).
  (* What is shown of each relation of reports and values below. *)
  Hypothesis some_reports : 0 < number reports.
  Hypothesis share_supports : forall x, value x -> supported_by reports supports x = share * number reports.
  Hypothesis share_is_a_part : 0 < share < 1.
  Hypothesis support_has_a_probability : 0 <= told <= 1.

  Lemma supported_masses x : value x -> is_law reports (supported_mass x).
  Proof.
    intro here. specialize (share_supports x here). unfold supported_mass. split.
    - intros y _. destruct (supports y x); apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat,
        Rmult_lt_0_compat; lra.
    - rewrite (total_same _ (fun y => told / (share * number reports) * (if supports y x then 1 else 0) +
        (1 - told) / ((1 - share) * number reports) * (1 - (if supports y x then 1 else 0)))).
      + rewrite total_sum, !total_multiple, total_difference, <- number_is_total.
        unfold supported_by in share_supports. rewrite share_supports. field. lra.
      + intros y _. destruct (supports y x); ring.
  Qed.

  Hypothesis masses_are_within_the_ratio :
    told * (1 - share) <= ratio_bound * ((1 - told) * share) /\
    (1 - told) * share <= ratio_bound * (told * (1 - share)).

  (* supported_law, for any relation with such a share: discrete(1) |-> pure(ln(ratio_bound)). *)
  Theorem supported_law : private (fun a b => value a /\ value b)
    (fun x => listed otherwise reports (supported_mass x)) (pure (ln ratio_bound)).
  Proof.
    intros a b [A B]. apply pure_of_ratio; try (apply supported_masses; assumption). intros y _.
    set (u := told * (1 - share)) in *. set (v := (1 - told) * share) in *.
    set (scale := share * (1 - share) * number reports).
    assert (positive : 0 < scale) by (repeat apply Rmult_lt_0_compat; lra).
    assert (hit : told / (share * number reports) = u / scale) by (unfold u, scale; field; lra).
    assert (miss : (1 - told) / ((1 - share) * number reports) = v / scale) by (unfold v, scale; field; lra).
    assert (0 <= u) by (apply Rmult_le_pos; lra). assert (0 <= v) by (apply Rmult_le_pos; lra).
    destruct masses_are_within_the_ratio as [above below].
    assert (0 < u + v).
    { destruct (Req_dec told 0) as [-> | some]; unfold u, v in *; [lra |].
      assert (0 < told * (1 - share)) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (one : 1 <= ratio_bound).
    { apply (Rmult_le_reg_r (u + v)); lra. }
    unfold supported_mass. rewrite hit, miss. unfold Rdiv.
    pose proof (Rinv_0_lt_compat _ positive).
    destruct (supports y a), (supports y b); rewrite <- Rmult_assoc; apply Rmult_le_compat_r; try lra;
      rewrite <- (Rmult_1_l u) at 1 || rewrite <- (Rmult_1_l v) at 1; apply Rmult_le_compat_r; lra.
  Qed.
End supported_law.

(* weighted_selection: candidate i is named with a probability in proportion to exp(log_weight(score i)).  If scores
   that move by d_in move a log weight by half the map, then the choice is private with that map, for any number of
   candidates. *)
Definition score_at (scores : list R) (i : nat) : R := nth i scores 0.
Definition candidates (scores : list R) : list nat := seq 0 (length scores).
Definition within_linf (d_in : R) (s s' : list R) :=
  s <> [] /\ length s = length s' /\ forall i, In i (candidates s) -> Rabs (score_at s i - score_at s' i) <= d_in.
Definition weight (log_weight : R -> R) (scores : list R) (i : nat) : R := exp (log_weight (score_at scores i)).
Definition selected (log_weight : R -> R) (scores : list R) : law (plain nat) :=
  listed 0%nat (candidates scores)
    (fun i => weight log_weight scores i / total (weight log_weight scores) (candidates scores)).

Lemma total_positive {T} (f : T -> R) outcomes : outcomes <> [] -> (forall o, 0 < f o) -> 0 < total f outcomes.
Proof.
  intros some positive. destruct outcomes as [| o rest]; [contradiction |]. simpl.
  pose proof (total_nonnegative f rest ltac:(intros v _; left; apply positive)). specialize (positive o). lra.
Qed.
Lemma selected_masses log_weight scores : scores <> [] -> is_law (candidates scores)
  (fun i => weight log_weight scores i / total (weight log_weight scores) (candidates scores)).
Proof.
  intro some. assert (positive : 0 < total (weight log_weight scores) (candidates scores)).
  { apply total_positive; [destruct scores; [contradiction | discriminate] | intro; apply exp_pos]. }
  split.
  - intros i _. apply Rmult_le_pos; left; [apply exp_pos | apply Rinv_0_lt_compat, positive].
  - rewrite (total_same _
      (fun i => / total (weight log_weight scores) (candidates scores) * weight log_weight scores i)).
    + rewrite total_multiple. apply Rinv_l. lra.
    + intros. unfold Rdiv. ring.
Qed.

(* weighted_selection: linf(d_in) |-> pure(map(d_in)). *)
Theorem weighted_selection (log_weight privacy_map : R -> R) :
  (forall u v d_in, Rabs (u - v) <= d_in -> 2 * (log_weight u - log_weight v) <= privacy_map d_in) ->
  forall d_in, private (within_linf d_in) (selected log_weight) (pure (privacy_map d_in)).
Proof.
  intros weight_moves_by_half_the_map d_in s s' (some & same & near). unfold selected, candidates. rewrite <- same.
  assert (some' : s' <> []) by (destruct s, s'; discriminate || contradiction).
  pose proof (selected_masses log_weight s some) as S. pose proof (selected_masses log_weight s' some') as S'.
  unfold candidates in *. rewrite <- same in S'. apply pure_is_pointwise; [exact S | exact S' |]. intros i inside.
  set (half := exp (privacy_map d_in / 2)).
  assert (whole_map : exp (privacy_map d_in) = half * half).
  { unfold half. rewrite <- exp_plus. f_equal. lra. }
  assert (H0 : 0 < half) by apply exp_pos.
  assert (one_way : forall j, In j (seq 0 (length s)) -> weight log_weight s j <= half * weight log_weight s' j).
  { intros j J. unfold weight, half. rewrite <- exp_plus. apply exp_le.
    specialize (weight_moves_by_half_the_map _ _ _ (near j J)). lra. }
  assert (other_way : forall j, In j (seq 0 (length s)) -> weight log_weight s' j <= half * weight log_weight s j).
  { intros j J. unfold weight, half. rewrite <- exp_plus. apply exp_le.
    specialize (near j J). rewrite Rabs_minus_sym in near. specialize (weight_moves_by_half_the_map _ _ _ near). lra. }
  apply total_monotone in other_way. rewrite total_multiple in other_way. specialize (one_way i inside).
  assert (listed_some : seq 0 (length s) <> []) by (destruct s; [contradiction | discriminate]).
  set (W := total (weight log_weight s) (seq 0 (length s))) in *.
  set (W' := total (weight log_weight s') (seq 0 (length s))) in *.
  assert (0 < W) by (apply total_positive; [exact listed_some | intro; apply exp_pos]).
  assert (0 < W') by (apply total_positive; [exact listed_some | intro; apply exp_pos]).
  rewrite whole_map. pose proof (exp_pos (log_weight (score_at s' i))). fold (weight log_weight s' i) in *.
  apply (Rmult_le_reg_r (W * W')); [apply Rmult_lt_0_compat; assumption |].
  replace (weight log_weight s i / W * (W * W')) with (weight log_weight s i * W') by (field; lra).
  replace (half * half * (weight log_weight s' i / W') * (W * W')) with (half * weight log_weight s' i * (half * W))
    by (field; lra).
  apply Rmult_le_compat; try lra. left; apply exp_pos.
Qed.

(* The exponential mechanism: weights exp(epsilon score / (2 sensitivity)). *)
Example exponential_mechanism epsilon sensitivity : 0 < epsilon -> 0 < sensitivity ->
  private (within_linf sensitivity) (selected (fun score => epsilon * score / (2 * sensitivity))) (pure epsilon).
Proof.
  intros E S. assert (same : epsilon * sensitivity / sensitivity = epsilon) by (field; lra).
  refine (eq_ind _ (fun loss => private _ _ (pure loss)) _ _ same).
  apply (weighted_selection _ (fun d_in => epsilon * d_in / sensitivity)). intros u v d_in near.
  replace (2 * _) with (epsilon * (u - v) / sensitivity) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, S |]. apply Rmult_le_compat_l; [lra |].
  eapply Rle_trans; [apply Rle_abs | exact near].
Qed.

(* k-ary randomised response: the input with probability hit, any other value with miss, hit + (k - 1) miss = 1. *)
Definition response (k : nat) (hit miss : R) (input : nat) : law (plain nat) :=
  listed 0%nat (seq 0 k) (fun output => if Nat.eqb output input then hit else miss).
Lemma response_masses k hit miss input : (input < k)%nat -> 0 <= hit -> 0 <= miss -> hit + INR (k - 1) * miss = 1 ->
  is_law (seq 0 k) (fun output => if Nat.eqb output input then hit else miss).
Proof.
  intros here H M one. split; [intros o _; destruct (Nat.eqb o input); assumption |].
  replace k with (input + (1 + (k - 1 - input)))%nat by lia. rewrite !seq_app, !total_app. cbn [seq total].
  rewrite Nat.eqb_refl.
  rewrite (total_same _ (fun _ => miss * 1) (seq 0 input)), (total_same _ (fun _ => miss * 1) (seq (_ + 1) _)).
  - rewrite !total_multiple, <- !number_is_total. unfold number. rewrite !seq_length.
    replace (k - 1)%nat with (input + (k - 1 - input))%nat in one at 1 by lia. rewrite plus_INR in one. lra.
  - intros o O. apply in_seq in O. destruct (Nat.eqb_spec o input); [lia | ring].
  - intros o O. apply in_seq in O. destruct (Nat.eqb_spec o input); [lia | ring].
Qed.
(* Its law with odds e^epsilon to 1: pure(epsilon); binary randomised response is k = 2. *)
Theorem response_is_private (k : nat) (epsilon : R) : (1 <= k)%nat -> 0 <= epsilon ->
  private (fun a b => (a < k)%nat /\ (b < k)%nat)
    (response k (exp epsilon / (INR (k - 1) + exp epsilon)) (1 / (INR (k - 1) + exp epsilon))) (pure epsilon).
Proof.
  intros K N a b [A B]. pose proof (exp_at_least_1 epsilon N). pose proof (pos_INR (k - 1)).
  assert (positive : 0 < / (INR (k - 1) + exp epsilon)) by (apply Rinv_0_lt_compat; lra).
  assert (masses : forall x, (x < k)%nat -> is_law (seq 0 k) (fun output =>
    if Nat.eqb output x then exp epsilon / (INR (k - 1) + exp epsilon) else 1 / (INR (k - 1) + exp epsilon))).
  { intros x X. apply response_masses; [exact X | apply Rmult_le_pos; lra | apply Rmult_le_pos; lra | field; lra]. }
  apply pure_is_pointwise; auto. intros o _. unfold Rdiv.
  destruct (Nat.eqb o a), (Nat.eqb o b); rewrite <- Rmult_assoc; apply Rmult_le_compat_r; nra.
Qed.

(* Selections of d elements of a list, in its order: all sets of so many. *)
Fixpoint choices {T} (d : nat) (from : list T) : list (list T) :=
  match d, from with
  | O, _ => [[]]
  | S _, [] => []
  | S d', first :: rest => map (cons first) (choices d' rest) ++ choices d rest
  end.
Lemma choices_are_sets {T} d (from : list T) : NoDup from ->
  forall chosen, In chosen (choices d from) -> NoDup chosen /\ incl chosen from.
Proof.
  revert d. induction from as [| first rest I]; intros [| d] distinct chosen; simpl; try tauto.
  - intros [<- | []]. split; [constructor | intros ? []].
  - intros [<- | []]. split; [constructor | intros ? []].
  - apply NoDup_cons_iff in distinct. destruct distinct as [new distinct]. rewrite in_app_iff, in_map_iff.
    intros [(others & <- & inside) | inside]; destruct (I _ distinct _ inside) as [once within_rest].
    + split; [constructor; auto |]. intros v [<- | V]; [left; reflexivity | right; auto].
    + split; [exact once | intros v V; right; auto].
Qed.
Lemma choices_exist {T} d (from : list T) : (d <= length from)%nat -> choices d from <> [].
Proof.
  revert d. induction from as [| first rest I]; intros [| d] long; simpl in *; try discriminate; [lia |].
  specialize (I d ltac:(lia)). destruct (choices d rest); [contradiction | discriminate].
Qed.

(* Independent bits, each by its own law. *)
Definition told (bits : list bool) : law (plain (list bool)) := certain (O := plain (list bool)) bits.
Fixpoint independent (bits : list (law (plain bool))) : law (plain (list bool)) :=
  match bits with
  | [] => told []
  | first :: rest =>
      then_run first (plain_kernel (fun bit : bool =>
        then_run (independent rest) (plain_kernel (fun others : list bool => told (bit :: others)))))
  end.
Lemma independent_within t t' p q ps qs : 0 <= t -> 0 <= t' ->
  within t 0 p q -> within t' 0 (independent ps) (independent qs) ->
  within (t * t') 0 (independent (p :: ps)) (independent (q :: qs)).
Proof.
  intros T T' first rest f [[c C] between]. simpl.
  assert (sections : forall bit, test (O := plain (list bool)) (fun others => f (bit :: others))).
  { intro bit. apply plain_test. intro others. apply between. }
  assert (tested : test (O := plain bool) (fun bit => E (independent qs) (fun others => f (bit :: others)))).
  { apply plain_test. intro bit. apply E_test, sections. }
  assert (tested' : test (O := plain bool) (fun bit => E (independent ps) (fun others => f (bit :: others)))).
  { apply plain_test. intro bit. apply E_test, sections. }
  specialize (first _ tested).
  apply Rle_trans with (E p (fun bit => t' * E (independent qs) (fun others => f (bit :: others)))).
  - apply E_monotone; [apply tested' | apply observable_multiple, tested |].
    intro bit. specialize (rest _ (sections bit)). rewrite Rplus_0_r in rest. exact rest.
  - rewrite E_multiple by apply tested. rewrite Rplus_0_r in *. rewrite (Rmult_comm t t'), Rmult_assoc.
    apply Rmult_le_compat_l; assumption.
Qed.

(* How many of a list of places satisfy a condition. *)
Definition count (condition : nat -> bool) (places : list nat) : nat := length (filter condition places).
Lemma count_splits f g places :
  (count f places = count (fun i => f i && g i) places + count (fun i => f i && negb (g i)) places)%nat.
Proof.
  unfold count. induction places as [| i rest I]; simpl; [reflexivity |].
  destruct (f i), (g i); simpl; lia.
Qed.
Lemma count_below condition places size : NoDup places -> (forall i, condition i = true -> (i < size)%nat) ->
  (count condition places <= count condition (seq 0 size))%nat.
Proof.
  intros once below. unfold count. apply NoDup_incl_length; [apply NoDup_filter, once |].
  intros i inside. apply filter_In in inside. apply filter_In. split; [| apply inside]. apply in_seq.
  split; [lia | apply below, inside].
Qed.

(* bitwise_law: each bit of the report is 1 with probability kept where the input sets it, else raised. *)
Section bitwise_law.
  Variables (kept raised ratio_bound : R).
  Hypothesis bits_are_likelier_where_set : 0 < raised /\ raised <= kept /\ kept < 1.
  Implicit Types (sets : nat -> bool) (places : list nat).

  (* What is told of the bits at the places. *)
  Definition report places sets : law (plain (list bool)) :=
    independent (map (fun i => coin (if sets i then kept else raised)) places).
  (* Bits that the first input sets and not the second. *)
  Definition fall f g places : nat := count (fun i => f i && negb (g i)) places.

  Let a_bit_falls := kept / raised.
  Let a_bit_rises := (1 - raised) / (1 - kept).
  Lemma factors_are_at_least_1 : 1 <= a_bit_falls /\ 1 <= a_bit_rises.
  Proof.
    unfold a_bit_falls, a_bit_rises. split.
    - apply (Rmult_le_reg_r raised); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    - apply (Rmult_le_reg_r (1 - kept)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.
  Lemma bits_compared f g places :
    within (a_bit_falls ^ fall f g places * a_bit_rises ^ fall g f places) 0 (report places f) (report places g).
  Proof.
    destruct factors_are_at_least_1 as [F R]. unfold report. induction places as [| i rest I].
    - simpl. intros t T. simpl. lra.
    - pose proof (pow_le a_bit_falls (fall f g rest) ltac:(lra)).
      pose proof (pow_le a_bit_rises (fall g f rest) ltac:(lra)).
      assert (0 <= a_bit_falls ^ fall f g rest * a_bit_rises ^ fall g f rest) by (apply Rmult_le_pos; assumption).
      assert (falls : kept = a_bit_falls * raised) by (unfold a_bit_falls; field; lra).
      assert (rises : 1 - raised = a_bit_rises * (1 - kept)) by (unfold a_bit_rises; field; lra).
      assert (0 <= (a_bit_falls - 1) * (1 - raised)) by (apply Rmult_le_pos; lra).
      assert (0 <= (a_bit_rises - 1) * kept) by (apply Rmult_le_pos; lra).
      unfold fall, count. simpl map. simpl filter.
      destruct (f i), (g i); simpl andb; cbv iota; cbn [length pow];
        fold (count (fun i => f i && negb (g i)) rest) (count (fun i => g i && negb (f i)) rest);
        fold (fall f g rest) (fall g f rest).
      + rewrite <- (Rmult_1_l (_ * _)). apply independent_within; [lra | lra | apply coin_within; lra | exact I].
      + rewrite Rmult_assoc. apply independent_within; [lra | lra | apply coin_within; lra | exact I].
      + replace (a_bit_falls ^ fall f g rest * (a_bit_rises * a_bit_rises ^ fall g f rest))
          with (a_bit_rises * (a_bit_falls ^ fall f g rest * a_bit_rises ^ fall g f rest)) by ring.
        apply independent_within; [lra | lra | apply coin_within; lra | exact I].
      + rewrite <- (Rmult_1_l (_ * _)). apply independent_within; [lra | lra | apply coin_within; lra | exact I].
  Qed.

  (* So many positions, chosen whatever the input is and told with their bits. *)
  Definition sent_report (dimension sent : nat) sets : law (product (plain (list nat)) (plain (list bool))) :=
    both (listed [] (choices sent (seq 0 dimension)) (fun _ => / number (choices sent (seq 0 dimension))))
      (plain_kernel (fun places : list nat => report places sets)).
  Lemma sent_within t dimension sent f g : (sent <= dimension)%nat ->
    (forall places, NoDup places -> within t 0 (report places f) (report places g)) ->
    within t 0 (sent_report dimension sent f) (sent_report dimension sent g).
  Proof.
    intros some each h [[[c C] [sections _]] between]. unfold sent_report. simpl.
    set (all := choices sent (seq 0 dimension)) in *.
    assert (positive : 0 < / number all).
    { apply Rinv_0_lt_compat. rewrite number_is_total. apply total_positive; [| intro; lra].
      apply choices_exist. rewrite seq_length. exact some. }
    assert (L : is_law all (fun _ => / number all)).
    { split; [intros; lra |]. rewrite (total_same _ (fun _ => / number all * 1)) by (intros; ring).
      rewrite total_multiple, <- number_is_total. apply Rinv_l. intro zero. rewrite zero, Rinv_0 in positive. lra. }
    rewrite !E_listed, Rplus_0_r, <- total_multiple by exact L. apply total_monotone. intros places inside.
    rewrite <- Rmult_assoc, (Rmult_comm t), Rmult_assoc. apply Rmult_le_compat_l; [lra |].
    apply choices_are_sets in inside; [| apply seq_NoDup].
    specialize (each places (proj1 inside) (fun b => h (places, b))). rewrite Rplus_0_r in each. apply each.
    apply plain_test. intro b. apply between.
  Qed.

  Definition ratio_bounds_an_exchanged_bit := kept * (1 - raised) <= ratio_bound * (raised * (1 - kept)).
  Definition ratio_bounds_a_changed_bit := kept <= ratio_bound * raised /\ 1 - raised <= ratio_bound * (1 - kept).

  Lemma exchanged_factor : ratio_bounds_an_exchanged_bit -> 1 <= a_bit_falls * a_bit_rises <= ratio_bound.
  Proof.
    destruct factors_are_at_least_1 as [F R]. intro bounded. split.
    - rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
    - unfold a_bit_falls, a_bit_rises. assert (0 < raised * (1 - kept)) by (apply Rmult_lt_0_compat; lra).
      replace (kept / raised * ((1 - raised) / (1 - kept))) with (kept * (1 - raised) / (raised * (1 - kept))) by
        (field; lra).
      apply (Rmult_le_reg_r (raised * (1 - kept))); [lra |]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r; [exact bounded | lra].
  Qed.
  Lemma changed_factors : ratio_bounds_a_changed_bit -> a_bit_falls <= ratio_bound /\ a_bit_rises <= ratio_bound.
  Proof.
    intros [one other]. unfold a_bit_falls, a_bit_rises. split.
    - apply (Rmult_le_reg_r raised); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    - apply (Rmult_le_reg_r (1 - kept)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.
  Lemma power_within_loss base k d_in :
    1 <= base -> base <= ratio_bound -> INR k <= d_in -> base ^ k <= exp (d_in * ln ratio_bound).
  Proof.
    intros one below near. apply Rle_trans with (ratio_bound ^ k); [apply pow_incr; lra |].
    rewrite <- (exp_ln (ratio_bound ^ k)) by (apply pow_lt; lra). apply exp_le. rewrite ln_pow by lra.
    apply Rmult_le_compat_r; [| exact near]. rewrite <- ln_1. destruct (Req_dec ratio_bound 1) as [-> | more]; [lra |].
    left. apply ln_increasing; lra.
  Qed.
  Lemma exchanged_within f g places d_in : ratio_bounds_an_exchanged_bit ->
    INR (fall f g places) <= d_in -> INR (fall g f places) <= d_in ->
    within (exp (d_in * ln ratio_bound)) 0 (report places f) (report places g).
  Proof.
    intros bounded falls rises. eapply within_weaker; [| apply Rle_refl | apply bits_compared].
    destruct factors_are_at_least_1 as [F R], (exchanged_factor bounded) as [one below].
    pose (k := max (fall f g places) (fall g f places)).
    apply Rle_trans with ((a_bit_falls * a_bit_rises) ^ k).
    - rewrite Rpow_mult_distr. apply Rmult_le_compat; try (apply pow_le; lra); apply Rle_pow; try lra; unfold k; lia.
    - apply power_within_loss; [exact one | exact below |]. unfold k.
      destruct (Nat.max_spec (fall f g places) (fall g f places)) as [[_ ->] | [_ ->]]; assumption.
  Qed.
  Lemma changed_within f g places d_in : ratio_bounds_a_changed_bit ->
    INR (fall f g places + fall g f places) <= d_in ->
    within (exp (d_in * ln ratio_bound)) 0 (report places f) (report places g).
  Proof.
    intros bounded changes. eapply within_weaker; [| apply Rle_refl | apply bits_compared].
    destruct factors_are_at_least_1 as [F R], (changed_factors bounded) as [one other].
    apply Rle_trans with (ratio_bound ^ (fall f g places + fall g f places)).
    - rewrite pow_add. apply Rmult_le_compat; try (apply pow_le; lra); apply pow_incr; lra.
    - apply power_within_loss; lra.
  Qed.

  (* Values from 0 below dimension, each of which sets its own bit, and -1, which sets none: any two. *)
  Definition value_sets (x : Z) (i : nat) : bool := Z.eqb (Z.of_nat i) x.
  Definition any_values (dimension : nat) (a b : Z) := (-1 <= a < Z.of_nat dimension)%Z /\
    (-1 <= b < Z.of_nat dimension)%Z.
  Lemma one_bit_falls a b places : NoDup places -> INR (fall (value_sets a) (value_sets b) places) <= 1.
  Proof.
    intro once. change 1 with (INR 1). apply le_INR. unfold fall, count. change 1%nat with (length [Z.to_nat a]).
    apply NoDup_incl_length; [apply NoDup_filter, once |]. intros i inside. apply filter_In in inside.
    destruct inside as [_ set]. apply andb_prop in set. destruct set as [set _]. apply Z.eqb_eq in set. left. lia.
  Qed.
  Lemma values_within a b places : ratio_bounds_an_exchanged_bit -> NoDup places ->
    within (exp (ln ratio_bound)) 0 (report places (value_sets a)) (report places (value_sets b)).
  Proof.
    intros bounded once. rewrite <- (Rmult_1_l (ln ratio_bound)).
    apply exchanged_within; [exact bounded | apply one_bit_falls, once | apply one_bit_falls, once].
  Qed.
  (* bitwise_law, relation value: any two values, at the loss ln(ratio_bound). *)
  Theorem bitwise_law dimension : ratio_bounds_an_exchanged_bit ->
    private (any_values dimension) (fun x => report (seq 0 dimension) (value_sets x)) (pure (ln ratio_bound)).
  Proof. intros bounded a b _. apply values_within; [exact bounded | apply seq_NoDup]. Qed.
  (* bitwise_law, relation value, where just so many positions are sent. *)
  Theorem bitwise_law_sent dimension sent : (1 <= sent <= dimension)%nat -> ratio_bounds_an_exchanged_bit ->
    private (any_values dimension) (fun x => sent_report dimension sent (value_sets x)) (pure (ln ratio_bound)).
  Proof.
    intros some bounded a b _. apply sent_within; [lia |]. intros places once. apply values_within; assumption.
  Qed.

  (* Filters, lists of so many bits: under l1(d_in) as many may differ; under exchange(d_in) twice as many, and the
     filters have as many ones. *)
  Definition filter_sets (x : list bool) (i : nat) : bool := nth i x false.
  Definition ones (dimension : nat) (x : list bool) : nat := count (filter_sets x) (seq 0 dimension).
  Definition differ (dimension : nat) (x y : list bool) : nat :=
    (fall (filter_sets x) (filter_sets y) (seq 0 dimension) +
     fall (filter_sets y) (filter_sets x) (seq 0 dimension))%nat.
  Definition l1_filters (dimension : nat) (d_in : R) (x y : list bool) :=
    length x = dimension /\ length y = dimension /\ INR (differ dimension x y) <= d_in.
  Definition exchanged_filters (dimension : nat) (d_in : R) (x y : list bool) :=
    length x = dimension /\ length y = dimension /\
    INR (differ dimension x y) <= 2 * d_in /\ ones dimension x = ones dimension y.

  Lemma fewer_at_places x y dimension places : length x = dimension -> NoDup places ->
    (fall (filter_sets x) (filter_sets y) places <= fall (filter_sets x) (filter_sets y) (seq 0 dimension))%nat.
  Proof.
    intros long once. apply count_below; [exact once |]. intros i set. apply andb_prop in set. destruct set as [set _].
    destruct (Nat.lt_ge_cases i dimension); [assumption |]. unfold filter_sets in set.
    rewrite nth_overflow in set by lia. discriminate.
  Qed.
  Lemma as_many_rise dimension x y : ones dimension x = ones dimension y ->
    fall (filter_sets x) (filter_sets y) (seq 0 dimension) = fall (filter_sets y) (filter_sets x) (seq 0 dimension).
  Proof.
    unfold ones, fall. intro same.
    rewrite (count_splits (filter_sets x) (filter_sets y)), (count_splits (filter_sets y) (filter_sets x)) in same.
    assert (count (fun i => filter_sets x i && filter_sets y i) (seq 0 dimension) =
            count (fun i => filter_sets y i && filter_sets x i) (seq 0 dimension)).
    { unfold count. f_equal. apply filter_ext. intro i. apply andb_comm. }
    lia.
  Qed.
  Lemma exchange_within dimension d_in x y places :
    ratio_bounds_an_exchanged_bit -> exchanged_filters dimension d_in x y -> NoDup places ->
    within (exp (d_in * ln ratio_bound)) 0 (report places (filter_sets x)) (report places (filter_sets y)).
  Proof.
    intros bounded (long & long' & near & same) once. apply as_many_rise in same. unfold differ in near.
    rewrite plus_INR, <- same in near. apply exchanged_within; [exact bounded | |].
    - eapply Rle_trans; [apply le_INR, (fewer_at_places x y dimension); assumption | lra].
    - eapply Rle_trans; [apply le_INR, (fewer_at_places y x dimension); assumption | rewrite <- same; lra].
  Qed.
  Lemma l1_within dimension d_in x y places :
    ratio_bounds_a_changed_bit -> l1_filters dimension d_in x y -> NoDup places ->
    within (exp (d_in * ln ratio_bound)) 0 (report places (filter_sets x)) (report places (filter_sets y)).
  Proof.
    intros bounded (long & long' & near) once. apply changed_within; [exact bounded |].
    eapply Rle_trans; [apply le_INR | exact near]. unfold differ.
    pose proof (fewer_at_places x y dimension places long once).
    pose proof (fewer_at_places y x dimension places long' once). lia.
  Qed.
  (* bitwise_law, relation exchange: exchange(d_in) |-> pure(d_in ln(ratio_bound)). *)
  Theorem bitwise_law_exchange dimension d_in : ratio_bounds_an_exchanged_bit ->
    private (exchanged_filters dimension d_in) (fun x => report (seq 0 dimension) (filter_sets x))
      (pure (d_in * ln ratio_bound)).
  Proof. intros bounded x y near. eapply exchange_within; [exact bounded | exact near | apply seq_NoDup]. Qed.
  (* The same, where just so many positions are sent. *)
  Theorem bitwise_law_exchange_sent dimension sent d_in : (1 <= sent <= dimension)%nat ->
    ratio_bounds_an_exchanged_bit ->
    private (exchanged_filters dimension d_in) (fun x => sent_report dimension sent (filter_sets x))
      (pure (d_in * ln ratio_bound)).
  Proof.
    intros some bounded x y near. apply sent_within; [lia |]. intros places once. eapply exchange_within; eassumption.
  Qed.
  (* bitwise_law, relation l1: l1(d_in) |-> pure(d_in ln(ratio_bound)), if the ratio bounds one changed bit. *)
  Theorem bitwise_law_l1 dimension d_in : ratio_bounds_a_changed_bit ->
    private (l1_filters dimension d_in) (fun x => report (seq 0 dimension) (filter_sets x))
      (pure (d_in * ln ratio_bound)).
  Proof. intros bounded x y near. eapply l1_within; [exact bounded | exact near | apply seq_NoDup]. Qed.
  (* The same, where just so many positions are sent. *)
  Theorem bitwise_law_l1_sent dimension sent d_in : (1 <= sent <= dimension)%nat -> ratio_bounds_a_changed_bit ->
    private (l1_filters dimension d_in) (fun x => sent_report dimension sent (filter_sets x))
      (pure (d_in * ln ratio_bound)).
  Proof. intros some bounded x y near. apply sent_within; [lia |]. intros places once. eapply l1_within; eassumption.
  Qed.
End bitwise_law.

(* Symmetric unary encoding of 10 values: either bit is right 3 times out of 4; one falls and one rises. *)
Example unary_encoding : private (any_values 10) (fun x => report (3 / 4) (1 / 4) (seq 0 10) (value_sets x))
  (pure (ln 9)).
Proof. apply bitwise_law; unfold ratio_bounds_an_exchanged_bit; lra. Qed.

(* The relations of reports and values that supported_law knows, and the share of reports that supports any value. *)
Lemma supported_by_count {X Y} (reports : list Y) (supports : Y -> X -> bool) x :
  supported_by reports supports x = INR (length (filter (fun y => supports y x) reports)).
Proof.
  unfold supported_by. induction reports as [| y rest I]; [reflexivity |]. cbn [total filter]. rewrite I.
  destruct (supports y x); [cbn [length]; rewrite S_INR; ring | ring].
Qed.

(* Rows, each with either bit, of which the row says which one supports the value: half of all.  hadamard_entry is such
   a relation, and so is one_bit, where bit 1 of a bucket supports the bucket itself and bit 0 all others. *)
Definition rows_with_a_bit (size : nat) : list (nat * bool) := list_prod (seq 0 size) [false; true].
Definition bit_supports {X} (says : nat -> X -> bool) (y : nat * bool) (x : X) : bool :=
  Bool.eqb (says (fst y) x) (snd y).
Lemma half_of_rows {X} (says : nat -> X -> bool) size x :
  supported_by (rows_with_a_bit size) (bit_supports says) x = 1 / 2 * number (rows_with_a_bit size).
Proof.
  rewrite number_is_total. unfold supported_by, rows_with_a_bit.
  induction (seq 0 size) as [| row rest I]; [simpl; ring |].
  cbn [list_prod map app total]. rewrite I. unfold bit_supports. simpl. destruct (says row x); simpl; lra.
Qed.
Lemma some_rows size : (1 <= size)%nat -> 0 < number (rows_with_a_bit size).
Proof. intro some. unfold number, rows_with_a_bit. rewrite prod_length, seq_length. apply lt_0_INR. simpl. lia. Qed.

(* Whether row and column, as binary numbers, have an odd number of ones in common among their lowest bits. *)
Fixpoint is_odd (bits row column : nat) : bool :=
  match bits with
  | O => false
  | S bit => xorb (Nat.testbit row bit && Nat.testbit column bit) (is_odd bit row column)
  end.
Lemma is_odd_of_bits bits row column column' :
  (forall bit, (bit < bits)%nat -> Nat.testbit column bit = Nat.testbit column' bit) ->
  is_odd bits row column = is_odd bits row column'.
Proof. induction bits as [| bit I]; intro same; simpl; [reflexivity |]. rewrite same, I by (auto; lia). reflexivity.
Qed.
Lemma total_from {start n} (f : nat -> R) : total f (seq start n) = total (fun i => f (start + i)%nat) (seq 0 n).
Proof. induction n as [| n I]; [reflexivity |]. rewrite !seq_S, !total_app, I. simpl. reflexivity. Qed.
Lemma half_is_even bits row : (exists bit, (bit < bits)%nat /\ Nat.testbit row bit = true) ->
  total (fun column => if negb (is_odd bits row column) then 1 else 0) (seq 0 (2 ^ bits)) =
  1 / 2 * number (seq 0 (2 ^ bits)).
Proof.
  induction bits as [| top I]; intros (bit & below & set); [lia |].
  assert (nonzero : (2 ^ top <> 0)%nat) by (apply Nat.pow_nonzero; lia).
  replace (2 ^ S top)%nat with (2 ^ top + 2 ^ top)%nat by (simpl; lia).
  rewrite number_is_total, seq_app, !total_app, (total_from (start := 0 + _)),
    (total_from (start := 0 + _) (fun _ => 1)).
  rewrite <- (number_is_total (seq 0 (2 ^ top))).
  assert (low : forall z, In z (seq 0 (2 ^ top)) -> is_odd (S top) row z = is_odd top row z).
  { intros z inside. apply in_seq in inside. simpl.
    replace (Nat.testbit z top) with false; [rewrite andb_false_r; apply xorb_false_l |].
    symmetry. apply Nat.testbit_false. rewrite Nat.div_small by lia. reflexivity. }
  assert (high : forall z, In z (seq 0 (2 ^ top)) ->
    is_odd (S top) row (0 + 2 ^ top + z) = xorb (Nat.testbit row top) (is_odd top row z)).
  { intros z inside. apply in_seq in inside. simpl is_odd. f_equal.
    - replace (Nat.testbit (2 ^ top + z) top) with true; [apply andb_true_r |].
      symmetry. apply Nat.testbit_true. replace (2 ^ top + z)%nat with (1 * 2 ^ top + z)%nat by lia.
      rewrite Nat.div_add_l, Nat.div_small by lia. reflexivity.
    - apply is_odd_of_bits. intros i I'. rewrite <- (Nat.mod_pow2_bits_low (2 ^ top + z) top i) by exact I'.
      replace (2 ^ top + z)%nat with (z + 1 * 2 ^ top)%nat by lia. rewrite Nat.mod_add by exact nonzero.
      apply Nat.mod_pow2_bits_low, I'. }
  assert (lower : total (fun z => if negb (is_odd (S top) row z) then 1 else 0) (seq 0 (2 ^ top)) =
                  total (fun z => if negb (is_odd top row z) then 1 else 0) (seq 0 (2 ^ top))).
  { apply total_same. intros z inside. rewrite low by exact inside. reflexivity. }
  assert (upper : total (fun z => if negb (is_odd (S top) row (0 + 2 ^ top + z)) then 1 else 0) (seq 0 (2 ^ top)) =
                  total (fun z => if negb (xorb (Nat.testbit row top) (is_odd top row z)) then 1 else 0)
                    (seq 0 (2 ^ top))).
  { apply total_same. intros z inside. rewrite high by exact inside. reflexivity. }
  rewrite lower, upper.
  destruct (Nat.testbit row top) eqn:top_bit.
  - rewrite <- total_sum, (total_same _ (fun _ => 1)); [rewrite <- number_is_total; lra |].
    intros z _. destruct (is_odd top row z); simpl; lra.
  - assert (same : total (fun z => if negb (xorb false (is_odd top row z)) then 1 else 0) (seq 0 (2 ^ top)) =
                   total (fun z => if negb (is_odd top row z) then 1 else 0) (seq 0 (2 ^ top))).
    { apply total_same. intros z _. rewrite xorb_false_l. reflexivity. }
    rewrite same, I; [lra |]. exists bit. split; [| exact set]. enough (bit <> top) by lia. intros ->. congruence.
Qed.
(* hadamard: column z supports the value x where the entry in row x + 1 is +1; row 0 is left out. *)
Definition column_supports (bits : nat) (column x : nat) : bool := negb (is_odd bits (S x) column).
Lemma half_of_columns size bits x : (size < 2 ^ bits)%nat -> (x < size)%nat ->
  supported_by (seq 0 (2 ^ bits)) (column_supports bits) x = 1 / 2 * number (seq 0 (2 ^ bits)).
Proof.
  intros small inside. apply half_is_even. exists (Nat.log2 (S x)). split.
  - apply Nat.log2_lt_pow2; lia.
  - apply Nat.bit_log2. lia.
Qed.

(* subset: sets of so many values support their members, a part chosen / size of all. *)
Fixpoint binomial (n d : nat) : nat :=
  match n, d with
  | _, O => 1
  | O, S _ => 0
  | S n', S d' => binomial n' d' + binomial n' d
  end.
Lemma binomial_absorbs n : forall d, (S n * binomial n d = S d * binomial (S n) (S d))%nat.
Proof.
  induction n as [| n I]; intros [| d]; try (simpl; lia).
  - pose proof (I 0%nat) as I0. cbn [binomial] in *. destruct n; simpl in *; lia.
  - pose proof (I d) as one. pose proof (I (S d)) as two. cbn [binomial] in *. nia.
Qed.
Lemma choices_length {T} d (from : list T) : length (choices d from) = binomial (length from) d.
Proof.
  revert d. induction from as [| first rest I]; intros [| d]; try reflexivity.
  cbn [choices length binomial]. rewrite app_length, map_length, !I. reflexivity.
Qed.
Definition set_supports (chosen : list nat) (x : nat) : bool := existsb (Nat.eqb x) chosen.
Lemma sets_with_a_member x d : forall from, NoDup from -> In x from ->
  length (filter (fun chosen => set_supports chosen x) (choices (S d) from)) = binomial (length from - 1) d.
Proof.
  assert (prefixed : forall first sets, length (filter (fun chosen => set_supports chosen x) (map (cons first) sets)) =
    if Nat.eqb x first then length sets else length (filter (fun chosen => set_supports chosen x) sets)).
  { intros first sets. unfold set_supports.
    induction sets as [| s rest I]; simpl; [destruct (Nat.eqb x first); reflexivity |].
    destruct (Nat.eqb x first); simpl; [rewrite I; reflexivity |].
    destruct (existsb (Nat.eqb x) s); simpl; rewrite I; reflexivity. }
  intro from. revert d. induction from as [| first rest I]; intros d once inside; [destruct inside |].
  apply NoDup_cons_iff in once. destruct once as [new once].
  cbn [choices]. rewrite filter_app, app_length, prefixed. cbn [length]. rewrite Nat.sub_succ, Nat.sub_0_r.
  destruct (Nat.eqb_spec x first) as [-> | other].
  - rewrite choices_length.
    enough (filter (fun chosen => set_supports chosen first) (choices (S d) rest) = []) as -> by (simpl; lia).
    destruct (filter _ _) as [| s others] eqn:F; [reflexivity | exfalso].
    assert (here : In s (filter (fun chosen => set_supports chosen first) (choices (S d) rest))) by
      (rewrite F; left; reflexivity).
    apply filter_In in here. destruct here as [is_set supports]. apply choices_are_sets in is_set; [| exact once].
    unfold set_supports in supports. apply existsb_exists in supports. destruct supports as (v & V & same).
    apply Nat.eqb_eq in same. subst v. apply new, is_set, V.
  - destruct inside as [<- | inside]; [contradiction |]. rewrite (I d once inside).
    destruct rest as [| second rest]; [destruct inside |]. cbn [length] in *. rewrite Nat.sub_succ, Nat.sub_0_r in *.
    destruct d as [| d]; [destruct rest; reflexivity |]. rewrite (I d once inside). reflexivity.
Qed.
Lemma share_of_sets size chosen x : (1 <= chosen)%nat -> (x < size)%nat ->
  supported_by (choices chosen (seq 0 size)) set_supports x = INR chosen / INR size * number
    (choices chosen (seq 0 size)).
Proof.
  intros some inside. destruct chosen as [| d]; [lia |]. destruct size as [| n]; [lia |].
  rewrite supported_by_count, sets_with_a_member; [| apply seq_NoDup | apply in_seq; lia].
  unfold number. rewrite choices_length, seq_length, Nat.sub_succ, Nat.sub_0_r.
  pose proof (f_equal INR (binomial_absorbs n d)) as absorbed. rewrite !mult_INR in absorbed.
  assert (INR (S n) <> 0) by (apply not_0_INR; lia).
  apply (Rmult_eq_reg_l (INR (S n))); [| assumption]. rewrite absorbed. field. assumption.
Qed.

Section supported_laws.
  Variables (told ratio_bound : R).
  Hypothesis support_has_a_probability : 0 <= told <= 1.
  Local Notation within_the_ratio share := (
    told * (1 - share) <= ratio_bound * ((1 - told) * share) /\
    (1 - told) * share <= ratio_bound * (told * (1 - share))).
  Local Notation any_two size := (fun a b => (a < size)%nat /\ (b < size)%nat).

  (* supported_law, support subset: the sets of so many values. *)
  Theorem supported_law_subset size chosen : (1 <= size)%nat -> (1 <= chosen <= size - 1)%nat ->
    within_the_ratio (INR chosen / INR size) ->
    private (any_two size) (fun x => listed [] (choices chosen (seq 0 size))
      (supported_mass (choices chosen (seq 0 size)) set_supports (INR chosen / INR size) told x))
      (pure (ln ratio_bound)).
  Proof.
    intros some some_reports_support ratio. assert (0 < INR size) by (apply lt_0_INR; lia).
    apply (supported_law _ _ _ (fun x => (x < size)%nat)); try assumption.
    - rewrite number_is_total. apply total_positive; [apply choices_exist; rewrite seq_length; lia | intro; lra].
    - intros x X. apply share_of_sets; [lia | exact X].
    - assert (0 < INR chosen < INR size) by (split; [apply lt_0_INR | apply lt_INR]; lia). split.
      + apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; assumption].
      + apply (Rmult_lt_reg_r (INR size)); [assumption |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  Qed.
  (* supported_law, support hadamard: the columns below a power of 2 that is greater than size, the least or another. *)
  Theorem supported_law_hadamard size bits : (1 <= size)%nat -> (size < 2 ^ bits)%nat -> within_the_ratio (1 / 2) ->
    private (any_two size) (fun x => listed 0%nat (seq 0 (2 ^ bits))
      (supported_mass (seq 0 (2 ^ bits)) (column_supports bits) (1 / 2) told x)) (pure (ln ratio_bound)).
  Proof.
    intros some small ratio. apply (supported_law _ _ _ (fun x => (x < size)%nat)); try assumption; try lra.
    - unfold number. rewrite seq_length. apply lt_0_INR. lia.
    - intros x X. apply (half_of_columns size); assumption.
  Qed.
  (* supported_law, support hadamard_entry: a row and a bit. *)
  Theorem supported_law_hadamard_entry size bits : (1 <= size)%nat -> within_the_ratio (1 / 2) ->
    private (any_two size) (fun x => listed (0%nat, false) (rows_with_a_bit size)
      (supported_mass (rows_with_a_bit size) (bit_supports (is_odd bits)) (1 / 2) told x)) (pure (ln ratio_bound)).
  Proof.
    intros some ratio. apply (supported_law _ _ _ (fun x => (x < size)%nat)); try assumption; try lra.
    - apply some_rows, some.
    - intros x _. apply half_of_rows.
  Qed.
  (* supported_law, support one_bit: a bucket and a bit. *)
  Theorem supported_law_one_bit size : (1 <= size)%nat -> within_the_ratio (1 / 2) ->
    private (any_two size) (fun x => listed (0%nat, false) (rows_with_a_bit size)
      (supported_mass (rows_with_a_bit size) (bit_supports Nat.eqb) (1 / 2) told x)) (pure (ln ratio_bound)).
  Proof.
    intros some ratio. apply (supported_law _ _ _ (fun x => (x < size)%nat)); try assumption; try lra.
    - apply some_rows, some.
    - intros x _. apply half_of_rows.
  Qed.
End supported_laws.

(* Subsets of 2 of 4 values that hold the input 3 times out of 4. *)
Example subset_selection : private (fun a b => (a < 4)%nat /\ (b < 4)%nat) (fun x => listed [] (choices 2 (seq 0 4))
  (supported_mass (choices 2 (seq 0 4)) set_supports (INR 2 / INR 4) (3 / 4) x)) (pure (ln 3)).
Proof. apply supported_law_subset; try lia; simpl; lra. Qed.

(* unlikely_elsewhere: an event that is too much likelier on one of two neighbours refutes a claim.  Any test does. *)
Section refutations.
  Context {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O) (a b : X) (event : O -> R).
  Hypothesis (inputs : near a b) (tested : test event).

  (* unlikely_elsewhere: P[M(a) in E] > e^epsilon P[M(b) in E] + delta. *)
  Theorem unlikely_elsewhere epsilon delta :
    exp epsilon * E (M b) event + delta < E (M a) event -> ~ private near M (approximate epsilon delta).
  Proof. intros more claim. specialize (claim a b inputs event tested). lra. Qed.
  Theorem unlikely_elsewhere_pure epsilon :
    exp epsilon * E (M b) event < E (M a) event -> ~ private near M (pure epsilon).
  Proof. intro more. apply unlikely_elsewhere. lra. Qed.
  (* unlikely_elsewhere, under ratio: P[M(a) in E] > (e^epsilon + delta) P[M(b) in E]. *)
  Theorem unlikely_elsewhere_ratio epsilon delta :
    (exp epsilon + delta) * E (M b) event < E (M a) event -> ~ private near M (ratio epsilon delta).
  Proof. intros more claim. specialize (claim a b inputs event tested). lra. Qed.
  (* Under loss_tail: the event is too likely, and much likelier with all its parts. *)
  Theorem unlikely_elsewhere_loss_tail epsilon delta : (forall o, event o = 0 \/ event o = 1) ->
    much_likelier (exp epsilon) (M a) (M b) event -> delta < E (M a) event -> ~ private near M
      (loss_tail epsilon delta).
  Proof. intros zero_or_one likelier more claim. specialize (claim a b inputs event tested zero_or_one likelier). lra.
  Qed.
  (* An outcome whose masses are in the ratio of the exponentials of log weights: that of additive noise. *)
  Theorem unlikely_elsewhere_in_logarithms epsilon log_here log_there scale : 0 < scale ->
    E (M a) event = exp log_here * scale -> E (M b) event = exp log_there * scale -> epsilon < log_here - log_there ->
    ~ private near M (pure epsilon).
  Proof.
    intros positive here there more. apply unlikely_elsewhere_pure. rewrite here, there, <- Rmult_assoc, <- exp_plus.
    apply Rmult_lt_compat_r; [exact positive | apply exp_increasing; lra].
  Qed.
End refutations.

(* Of finite laws: it suffices that each outcome of the event is more than e^epsilon times likelier. *)
Lemma much_likelier_pointwise {T} (otherwise : T) outcomes p q t (event : T -> R) :
  is_law outcomes p -> is_law outcomes q -> 0 <= t -> (forall o, event o = 0 \/ event o = 1) ->
  (forall o, In o outcomes -> event o = 1 -> t * q o < p o) ->
  much_likelier t (listed otherwise outcomes p) (listed otherwise outcomes q) event.
Proof.
  intros P Q T0 zero_or_one each part [_ between] below. rewrite !E_listed, <- total_multiple by assumption.
  intro possible.
  apply Rnot_le_lt. intro less.
  assert (pointwise : forall o, In o outcomes -> 0 <= p o * part o - t * (q o * part o)).
  { intros o inside. replace (p o * part o - t * (q o * part o)) with ((p o - t * q o) * part o) by ring.
    specialize (below o). specialize (between o). destruct (zero_or_one o) as [zero | one].
    - replace (part o) with 0 by lra. lra.
    - specialize (each o inside one). apply Rmult_le_pos; lra. }
  pose proof (total_zero _ outcomes pointwise) as nothing. rewrite total_difference in nothing.
  specialize (nothing ltac:(lra)).
  enough (total (fun o => p o * part o) outcomes <= 0) by lra.
  rewrite (total_same _ (fun _ => 0 * 1)); [rewrite total_multiple; lra |].
  intros o inside. specialize (nothing o inside). specialize (below o). specialize (between o).
  destruct (zero_or_one o) as [zero | one]; [replace (part o) with 0 by lra; lra |].
  specialize (each o inside one). enough (part o = 0) as -> by lra. apply (Rmult_eq_reg_r (p o - t * q o)); lra.
Qed.

(* unstable_pair: two inputs that are near, with images that are not within d_out, refute a claim of stability. *)
Theorem unstable_pair {X Y} (near : X -> X -> Prop) (T : X -> Y) (far : Y -> Y -> Prop) a b :
  near a b -> ~ far (T a) (T b) -> ~ stable near T far.
Proof. intros N F claim. apply F, claim, N. Qed.

(* false_instance: what implies a false claim, for values that the conditions allow, makes the general claim false. *)
Theorem false_instance {V : Type} (allowed : V -> Prop) (claim : V -> Prop) (false_claim : Prop) values :
  allowed values -> (claim values -> false_claim) -> ~ false_claim -> ~ forall v, allowed v -> claim v.
Proof. intros A implies no general. apply no, implies, general, A. Qed.
(* The instance may claim more: a smaller loss than the one that is refuted. *)
Theorem false_instance_approximate {V X : Type} {O : space} (allowed : V -> Prop) (near : V -> X -> X -> Prop)
    (M : V -> mechanism X O) (epsilon delta : V -> R) values e d :
  allowed values -> epsilon values <= e -> delta values <= d -> ~ private (near values) (M values) (approximate e d) ->
  ~ forall v, allowed v -> private (near v) (M v) (approximate (epsilon v) (delta v)).
Proof.
  intros A below below' no.
  apply (false_instance allowed _ (private (near values) (M values) (approximate e d)) values A); [| exact no].
  intros H x y N. eapply weaken_approximate; [exact below | exact below' | apply H, N].
Qed.

(* false_statement: hypotheses hold at the values and the conclusion does not. *)
Theorem false_statement {V : Type} (hypotheses conclusion : V -> Prop) values :
  hypotheses values -> ~ conclusion values -> ~ forall v, hypotheses v -> conclusion v.
Proof. intros H no general. apply no, general, H. Qed.

Example response_is_not_ln_2 : ~ private (are_neighbours [true; false] (fun _ _ => true))
  (enumerated true [true; false] three_quarters) (pure (ln 2)).
Proof.
  apply (unlikely_elsewhere_pure _ _ true false (fun o : plain bool => if (o : bool) then 1 else 0)).
  - repeat split; simpl; auto.
  - apply plain_test. intros [|]; lra.
  - unfold enumerated, rational_law.
    rewrite exp_ln, !E_listed by (lra || (apply is_rational_law_is_law; vm_compute; reflexivity)).
    unfold real, three_quarters, Q2R. simpl. lra.
Qed.

(* Twice a number moves by 2 where the number moves by 1. *)
Example doubling_moves_by_2 : ~ stable (fun a b : Z => Z.abs (a - b) <= 1)%Z (fun a => 2 * a)%Z
  (fun a b => Z.abs (a - b) <= 1)%Z.
Proof. apply (unstable_pair _ _ _ 1%Z 0%Z); simpl; lia. Qed.
(* That no square is more than twice its root is false at 3. *)
Example squares_grow : ~ forall x, 0 <= x -> x * x <= 2 * x.
Proof. apply (false_statement _ _ 3); simpl; lra. Qed.

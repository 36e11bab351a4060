(* Selections: mechanisms that see a vector of scores and name one candidate, or several.

   The law of a selection is given by masses on the places 0, ..., n - 1 of n scores.  Permute-and-flip and report noisy
   max are treated by the integrals that their masses are; a noisy maximum of any noise by conditioning on the winner's
   noise.  Privacy always follows from masses that differ by a factor. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy SparseVector.
Import ListNotations.
Open Scope R_scope.

(* Sums over the first n places. *)
Fixpoint over (n : nat) (g : nat -> R) : R :=
  match n with O => 0 | S fewer => over fewer g + g fewer end.

Section sums.
  Lemma over_same n g h : (forall i, (i < n)%nat -> g i = h i) -> over n g = over n h.
  Proof. induction n as [| n IH]; intro same; simpl; [reflexivity |]. rewrite IH, same by auto. reflexivity. Qed.
  Lemma over_monotone n g h : (forall i, (i < n)%nat -> g i <= h i) -> over n g <= over n h.
  Proof.
    induction n as [| n IH]; intro below; simpl; [lra |]. apply Rplus_le_compat; [apply IH; auto | apply below; auto].
  Qed.
  Lemma over_sum n g h : over n (fun i => g i + h i) = over n g + over n h.
  Proof. induction n as [| n IH]; simpl; [ring |]. rewrite IH. ring. Qed.
  Lemma over_multiple n c g : over n (fun i => c * g i) = c * over n g.
  Proof. induction n as [| n IH]; simpl; [ring |]. rewrite IH. ring. Qed.
  Lemma over_first n g : over (S n) g = g O + over n (fun i => g (S i)).
  Proof. induction n as [| n IH]; [simpl; ring |]. simpl in *. rewrite IH. ring. Qed.
End sums.

(* The law of a place of n, by its masses. *)
Definition selected (n : nat) (mass : nat -> R) (nonnegative : forall i, (i < n)%nat -> 0 <= mass i)
    (normalised : over n mass = 1) : law (plain nat).
Proof.
  refine (Law (plain nat) (fun f => over n (fun i => mass i * f i)) _ _ _ _).
  - intros f g _ _ below. apply over_monotone. intros i I. apply Rmult_le_compat_l; auto.
  - intros f g _ _. rewrite <- over_sum. apply over_same. intros. ring.
  - intros c f _. rewrite <- over_multiple. apply over_same. intros. ring.
  - transitivity (over n mass); [apply over_same; intros; ring | exact normalised].
Defined.

(* A law that has these masses, however it came about. *)
Definition has_masses (p : law (plain nat)) (n : nat) (mass : nat -> R) :=
  forall f : plain nat -> R, observable f -> E p f = over n (fun i => mass i * f i).

Lemma pure_by_masses p q n mass mass' epsilon : has_masses p n mass -> has_masses q n mass' ->
  (forall i, (i < n)%nat -> mass i <= exp epsilon * mass' i) -> pure epsilon p q.
Proof.
  intros P Q below f [F between]. rewrite P, Q, Rplus_0_r, <- over_multiple by exact F.
  apply over_monotone. intros i I. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply between | auto].
Qed.

(* Vectors of scores, at least one, each of which moves by at most d; the same, all in one direction. *)
Definition scores_within (d : R) (s s' : list R) := s <> [] /\ Forall2 (fun a b => Rabs (a - b) <= d) s s'.
Definition scores_rise (d : R) (s s' : list R) := s <> [] /\ Forall2 (fun a b => a <= b <= a + d) s s'.
Definition scores_monotone (d : R) (s s' : list R) := scores_rise d s s' \/ scores_rise d s' s.

Lemma Forall2_nth {A B} (r : A -> B -> Prop) l m a b i : Forall2 r l m -> (i < length l)%nat ->
  r (nth i l a) (nth i m b).
Proof.
  intro all. revert i. induction all as [| x y l m here _ IH]; intros [| i] I; simpl in *; try lia; [exact here |].
  apply IH. lia.
Qed.

Lemma Forall2_length {A B} (r : A -> B -> Prop) l m : Forall2 r l m -> length l = length m.
Proof. induction 1; simpl; congruence. Qed.

(* by_the_same_law: what has the law of a private mechanism is private. *)
Definition same_laws {X : Type} {O : space} (domain : X -> Prop) (M N : mechanism X O) :=
  forall x, domain x -> forall f, observable f -> E (M x) f = E (N x) f.
Theorem by_the_same_law {X : Type} {O : space} (domain : X -> Prop) (near : X -> X -> Prop) (M N : mechanism X O)
    (epsilon delta : R) :
  (forall x y, near x y -> domain x /\ domain y) ->
  private near N (approximate epsilon delta) -> same_laws domain M N -> private near M (approximate epsilon delta).
Proof.
  intros within_domain H same x y near_xy f test_f. destruct (within_domain x y near_xy) as [home home'].
  rewrite (same x home f), (same y home' f) by apply test_f. apply H; assumption.
Qed.

(* Several candidates, each named by M among those that are left. *)
Section peeled.
  Variable M : mechanism (list R) (plain nat).

  Fixpoint without {A} (i : nat) (l : list A) : list A :=
    match i, l with
    | _, [] => []
    | O, _ :: later => later
    | S i, first :: later => first :: without i later
    end.
  (* Each of the candidates that are left is a number and its score. *)
  Fixpoint peel (k : nat) (left : list (nat * R)) (f : list nat -> R) : R :=
    match k with
    | O => f []
    | S fewer => E (M (map snd left)) (fun i =>
        peel fewer (without i left) (fun later => f (nth i (map fst left) O :: later)))
    end.

  Lemma peel_between k : forall left f a b, (forall o, a <= f o <= b) -> a <= peel k left f <= b.
  Proof.
    induction k as [| k IH]; intros left f a b between; simpl; [apply between |].
    assert (B : forall i, a <= peel k (without i left) (fun later => f (nth i (map fst left) O :: later)) <= b)
      by (intro; apply IH; auto).
    apply E_between; [| exact B]. exists (Rmax (- a) b). intro i. specialize (B i).
    pose proof (Rmax_l (- a) b). pose proof (Rmax_r (- a) b). lra.
  Qed.
  Lemma peel_observable k left (g : nat -> list nat -> list nat) f : bounded f ->
    bounded (fun i => peel k (without i left) (fun later => f (g i later))).
  Proof. intros [c C]. exists c. intro i. apply peel_between. intro o. apply C. Qed.

  Definition peeled_law (k : nat) (scores : list R) : law (plain (list nat)).
  Proof.
    refine (Law (plain (list nat)) (peel k (combine (seq 0 (length scores)) scores)) _ _ _ _);
      generalize (combine (seq 0 (length scores)) scores).
    - induction k as [| k IH]; intros left f g F G below; simpl; [apply below |].
      apply E_monotone; try (apply (peel_observable k left (fun i later => nth i (map fst left) O :: later));
        assumption).
      intro i. apply IH; [destruct F as [c C]; exists c; auto | destruct G as [c C]; exists c; auto | auto].
    - induction k as [| k IH]; intros left f g F G; simpl; [reflexivity |].
      rewrite <- E_sum by (apply (peel_observable k left (fun i later => nth i (map fst left) O :: later)); assumption).
      apply E_same.
      + apply (peel_observable k left (fun i later => nth i (map fst left) O :: later) (fun o => f o + g o)).
        apply bounded_sum; assumption.
      + intro i. apply IH; [destruct F as [c C]; exists c; auto | destruct G as [c C]; exists c; auto].
    - induction k as [| k IH]; intros left c f F; simpl; [reflexivity |].
      rewrite <- E_multiple by (apply (peel_observable k left (fun i later => nth i (map fst left) O :: later));
        assumption).
      apply E_same.
      + apply (peel_observable k left (fun i later => nth i (map fst left) O :: later) (fun o => c * f o)).
        apply bounded_multiple, F.
      + intro i. apply IH. destruct F as [b B]. exists b. auto.
    - intro left. apply Rle_antisym; apply (peel_between k left (fun _ => 1) 1 1); intro; lra.
  Defined.

  Lemma without_length {A} i (l : list A) : (length l <= S (length (without i l)))%nat.
  Proof. revert i. induction l as [| x l IH]; intros [| i]; simpl; try lia. specialize (IH i). lia. Qed.
  Lemma without_near {A B} (r : A -> B -> Prop) l m : Forall2 r l m -> forall i, Forall2 r (without i l) (without i m).
  Proof.
    induction 1 as [| a b l m here all IH]; intros [| i]; simpl; [apply Forall2_nil | apply Forall2_nil | exact all |].
    apply Forall2_cons; [exact here | apply IH].
  Qed.

  (* A relation of single scores under which M is private, whatever their number. *)
  Lemma peel_private (r : R -> R -> Prop) epsilon :
    (forall s s', s <> [] -> Forall2 r s s' -> pure epsilon (M s) (M s')) ->
    forall k left left', (k <= length left)%nat -> Forall2 (fun a b => fst a = fst b /\ r (snd a) (snd b)) left left' ->
    forall f, (forall o, 0 <= f o <= 1) -> peel k left f <= exp (INR k * epsilon) * peel k left' f.
  Proof.
    intros H. induction k as [| k IH]; intros left left' enough near f between.
    - simpl. rewrite Rmult_0_l, exp_0. lra.
    - assert (names : map fst left = map fst left').
      { clear - near. induction near as [| a b l m [same _] _ IH]; simpl; congruence. }
      assert (scores : Forall2 r (map snd left) (map snd left')).
      { clear - near. induction near as [| a b l m [_ close] _ IH]; simpl; constructor; assumption. }
      rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus. simpl. rewrite <- names.
      set (g := fun i later => nth i (map fst left) O :: later).
      assert (B : forall left, bounded (fun i => peel k (without i left) (fun later => f (g i later)))).
      { intro l. apply peel_observable. exists 1. intro o. specialize (between o). lra. }
      apply Rle_trans with (E (M (map snd left)) (fun i =>
        exp (INR k * epsilon) * peel k (without i left') (fun later => f (g i later)))).
      + apply E_monotone; [apply B | apply bounded_multiple, B |]. intro i.
        apply IH; [pose proof (without_length i left); lia | apply without_near, near | intro; apply between].
      + rewrite E_multiple by apply B. rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos |].
        rewrite <- (Rplus_0_r (exp epsilon * _)). apply H; [| exact scores |].
        * destruct left; simpl in *; [lia | discriminate].
        * split; [apply B |]. intro i. apply peel_between. intro. apply between.
  Qed.
  Lemma peeled_private (r : R -> R -> Prop) epsilon k s s' :
    (forall s s', s <> [] -> Forall2 r s s' -> pure epsilon (M s) (M s')) ->
    (k <= length s)%nat -> Forall2 r s s' -> pure (INR k * epsilon) (peeled_law k s) (peeled_law k s').
  Proof.
    intros H enough near f [_ between]. rewrite Rplus_0_r. simpl.
    apply (peel_private r); [exact H | | | exact between].
    - rewrite combine_length, seq_length. lia.
    - rewrite <- (Forall2_length _ _ _ near). clear enough. revert near. generalize 0%nat.
      intros first near. revert first. induction near; intro first; simpl; constructor; auto.
  Qed.

  (* peeled: k candidates cost k times what one costs. *)
  Theorem peeled d epsilon k : private (scores_within d) M (pure epsilon) ->
    private (fun s s' => (k <= length s)%nat /\ scores_within d s s') (peeled_law k) (pure (INR k * epsilon)).
  Proof.
    intros H s s' [enough [_ near]]. apply (peeled_private (fun a b => Rabs (a - b) <= d));
      [| exact enough | exact near].
    intros t t' some near'. apply H. split; assumption.
  Qed.
  Theorem peeled_monotone d epsilon k : private (scores_monotone d) M (pure epsilon) ->
    private (fun s s' => (k <= length s)%nat /\ scores_monotone d s s') (peeled_law k) (pure (INR k * epsilon)).
  Proof.
    intros H s s' [enough [[_ near] | [_ near]]].
    - apply (peeled_private (fun a b => a <= b <= a + d)); [| exact enough | exact near].
      intros t t' some near'. apply H. left. split; assumption.
    - apply (peeled_private (fun a b => b <= a <= b + d)); [| exact enough |].
      + intros t t' some near'. apply H. right. split.
        * intro none. subst. inversion near'. subst. contradiction.
        * revert near'. apply Forall2_flipped. auto.
      + revert near. apply Forall2_flipped. auto.
  Qed.
End peeled.

(* Selection in proportion to weights. *)
Section weights.
  Variable log_weight : R -> R.

  Definition weight (s : list R) (i : nat) : R := exp (log_weight (nth i s 0)).
  Definition all_weights (s : list R) : R := over (length s) (weight s).
  Definition weighted_mass (s : list R) (i : nat) : R := weight s i / all_weights s.
  Lemma all_weights_positive s : s <> [] -> 0 < all_weights s.
  Proof.
    intro some. destruct s as [| q s]; [contradiction |]. unfold all_weights. simpl length. rewrite over_first.
    assert (0 <= over (length s) (fun i => weight (q :: s) (S i))).
    { replace 0 with (over (length s) (fun _ => 0 * 0)).
      - apply over_monotone. intros. rewrite Rmult_0_l. left. apply exp_pos.
      - rewrite over_multiple. ring. }
    pose proof (exp_pos (log_weight (nth 0 (q :: s) 0))). unfold weight at 1. lra.
  Qed.
  Lemma weighted_mass_nonnegative s : s <> [] -> forall i, (i < length s)%nat -> 0 <= weighted_mass s i.
  Proof.
    intros some i _.
    apply Rmult_le_pos; [left; apply exp_pos | left; apply Rinv_0_lt_compat, all_weights_positive, some].
  Qed.
  Lemma weighted_mass_total s : s <> [] -> over (length s) (weighted_mass s) = 1.
  Proof.
    intro some. pose proof (all_weights_positive s some).
    rewrite (over_same _ _ (fun i => / all_weights s * weight s i)) by (intros; unfold weighted_mass; field; lra).
    rewrite over_multiple. fold (all_weights s). field. lra.
  Qed.

  (* The law; of no scores it names 0. *)
  Definition by_weights : mechanism (list R) (plain nat).
  Proof.
    intro s. destruct s as [| q l]; [exact (@certain (plain nat) O) |].
    refine (selected (length (q :: l)) (weighted_mass (q :: l)) _ _).
    - apply weighted_mass_nonnegative. discriminate.
    - apply weighted_mass_total. discriminate.
  Defined.
  Lemma by_weights_masses s : s <> [] -> has_masses (by_weights s) (length s) (weighted_mass s).
  Proof. intros some f F. destruct s; [contradiction | reflexivity]. Qed.

  (* monotone_selection: half of what selection by weights costs suffices where no score rises while another falls. *)
  Theorem monotone_selection (M : mechanism (list R) (plain nat)) (privacy_map : R -> R) d_in :
    (forall s, s <> [] -> has_masses (M s) (length s) (weighted_mass s)) ->
    (forall d_in u v, Rabs (u - v) <= d_in -> 2 * (log_weight u - log_weight v) <= privacy_map d_in) ->
    (forall u v, u <= v -> log_weight u <= log_weight v) ->
    private (scores_monotone d_in) M (pure (privacy_map d_in / 2)).
  Proof.
    intros law_of moves grows.
    assert (weights : forall s s', scores_rise d_in s s' -> length s = length s' /\ s' <> [] /\
      forall i, (i < length s)%nat -> weight s i <= weight s' i <= exp (privacy_map d_in / 2) * weight s i).
    { intros s s' [some near].
      split; [apply (Forall2_length _ _ _ near) | split; [intro none; subst; inversion near; congruence |]].
      intros i I. destruct (Forall2_nth _ _ _ 0 0 i near I) as [low high]. unfold weight. rewrite <- exp_plus.
      split; apply exp_le; [apply grows, low |].
      specialize (moves d_in (nth i s' 0) (nth i s 0) ltac:(rewrite Rabs_pos_eq; lra)). lra. }
    assert (totals : forall s s', scores_rise d_in s s' ->
      all_weights s <= all_weights s' <= exp (privacy_map d_in / 2) * all_weights s).
    { intros s s' near. destruct (weights s s' near) as (same & _ & W). unfold all_weights.
      rewrite <- same, <- over_multiple.
      split; apply over_monotone; intros i I; apply (W i I). }
    assert (factor : forall a b A B t, 0 < A -> 0 < B -> 0 <= a -> 0 <= b -> a * B <= t * b * A ->
      a / A <= t * (b / B)).
    { intros a b A B t PA PB Pa Pb cross. apply (Rmult_le_reg_r (A * B)); [apply Rmult_lt_0_compat; assumption |].
      replace (a / A * (A * B)) with (a * B) by (field; lra).
      replace (t * (b / B) * (A * B)) with (t * b * A) by (field; lra). exact cross. }
    intros s s' [near | near].
    - destruct (weights s s' near) as (same & some' & W). destruct (totals s s' near) as [low high].
      apply (pure_by_masses _ _ (length s) (weighted_mass s) (weighted_mass s'));
        [apply law_of, near | rewrite same; apply law_of, some' |].
      intros i I. destruct (W i I) as [low_i high_i]. apply factor;
        try (apply all_weights_positive; assumption || apply near); try (left; apply exp_pos).
      rewrite (Rmult_comm (exp _)), Rmult_assoc.
      apply Rmult_le_compat; try assumption; [left; apply exp_pos | left; apply all_weights_positive, some'].
    - destruct (weights s' s near) as (same & some & W). destruct (totals s' s near) as [low high].
      apply (pure_by_masses _ _ (length s) (weighted_mass s) (weighted_mass s'));
        [apply law_of, some | rewrite <- same; apply law_of, near |].
      intros i I. destruct (W i ltac:(lia)) as [low_i high_i]. apply factor;
        try (apply all_weights_positive; assumption || apply near); try (left; apply exp_pos).
      apply Rmult_le_compat; try assumption; [left; apply exp_pos | left; apply all_weights_positive, near].
  Qed.
End weights.

(* monotone_selection and peeled, applied: three of the greatest counts, where a row more raises counts by at most 1. *)
Example three_greatest_counts (epsilon : R) : 0 <= epsilon ->
  private (fun s s' => (3 <= length s)%nat /\ scores_monotone 1 s s')
    (peeled_law (by_weights (fun q => epsilon * q)) 3) (pure (INR 3 * (2 * epsilon * 1 / 2))).
Proof.
  intro positive. apply peeled_monotone. apply (monotone_selection (fun q => epsilon * q) _ (fun d => 2 * epsilon * d)).
  - apply by_weights_masses.
  - intros d u v close. assert (u - v <= d) by (revert close; unfold Rabs; destruct Rcase_abs; lra).
    assert (epsilon * (u - v) <= epsilon * d) by (apply Rmult_le_compat_l; assumption). lra.
  - intros u v below. apply Rmult_le_compat_l; assumption.
Qed.

(* The score at a place, those at the other places, and the greatest. *)
Definition others {A} (i : nat) (s : list A) : list A := firstn i s ++ skipn (S i) s.
Fixpoint best (s : list R) : R :=
  match s with [] => 0 | [q] => q | q :: later => Rmax q (best later) end.

Lemma best_is_greatest s q : In q s -> q <= best s.
Proof.
  induction s as [| p s IH]; intros I; [destruct I |]. destruct s as [| p' s].
  - destruct I as [<- | []]. simpl. lra.
  - change (best (p :: p' :: s)) with (Rmax p (best (p' :: s))). destruct I as [<- | I]; [apply Rmax_l |].
    eapply Rle_trans; [apply IH, I | apply Rmax_r].
Qed.
Lemma best_is_one s : s <> [] -> In (best s) s.
Proof.
  induction s as [| p s IH]; intros some; [contradiction |]. destruct s as [| p' s]; [left; reflexivity |].
  change (best (p :: p' :: s)) with (Rmax p (best (p' :: s))).
  unfold Rmax. destruct Rle_dec; [right; apply IH; discriminate | left; reflexivity].
Qed.
Lemma others_near {A B} (r : A -> B -> Prop) l m i : Forall2 r l m -> Forall2 r (others i l) (others i m).
Proof.
  intro near. unfold others. apply Forall2_app.
  - revert i. induction near; intros [| i]; simpl; constructor; auto.
  - change (Forall2 r (skipn (S i) l) (skipn (S i) m)). generalize (S i). clear i.
    induction near; intros [| i]; simpl; auto.
Qed.
Lemma others_map {A B} (g : A -> B) i s : others i (map g s) = map g (others i s).
Proof. unfold others. rewrite firstn_map, skipn_map, map_app. reflexivity. Qed.
Lemma one_of_others {A} (s : list A) d q i : In q s -> (i < length s)%nat -> q = nth i s d \/ In q (others i s).
Proof.
  intros I L. rewrite <- (firstn_skipn i s) in I. apply in_app_or in I. destruct I as [I | I].
  - right. apply in_or_app. left. exact I.
  - revert i I L. induction s as [| p s IH]; intros [| i] I L; simpl in *; try lia.
    + destruct I as [<- | I]; [left; reflexivity | right; exact I].
    + destruct (IH i I ltac:(lia)) as [same | other]; [left; exact same | right; right; exact other].
Qed.

(* The product of 1 - x q, and that of what of 1 - x q is positive. *)
Fixpoint rests (qs : list R) (x : R) : R := match qs with [] => 1 | q :: later => (1 - x * q) * rests later x end.
Fixpoint positive_rests (qs : list R) (x : R) : R :=
  match qs with [] => 1 | q :: later => Rmax 0 (1 - x * q) * positive_rests later x end.
(* Minus the derivative of the product. *)
Fixpoint falls (qs : list R) (x : R) : R :=
  match qs with [] => 0 | q :: later => q * rests later x + (1 - x * q) * falls later x end.

Lemma rests_derive qs x : is_derive (rests qs) x (- falls qs x).
Proof.
  induction qs as [| q qs IH]; simpl.
  - replace (- 0) with 0 by ring. apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 1 x).
  - replace (- (q * rests qs x + (1 - x * q) * falls qs x)) with (- q * rests qs x + (1 - x * q) * (- falls qs x))
      by ring.
    apply (is_derive_mult (fun x => 1 - x * q) (rests qs) x (- q) (- falls qs x));
      [| exact IH | intros; apply Rmult_comm].
    auto_derive; [exact I | ring].
Qed.
Lemma rests_continuous qs x : continuous (rests qs) x.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply rests_derive. Qed.
Lemma line_continuous q x : continuous (fun x => 1 - x * q) x.
Proof. apply (ex_derive_continuous (V := R_NormedModule) (fun x => 1 - x * q)). auto_derive. exact I. Qed.
Lemma falls_continuous qs x : continuous (falls qs) x.
Proof.
  induction qs as [| q qs IH]; simpl; [apply continuous_const |].
  apply (continuous_plus (fun x => q * rests qs x)).
  - apply (continuous_mult (fun _ => q) (rests qs)); [apply continuous_const | apply rests_continuous].
  - apply (continuous_mult (fun x => 1 - x * q) (falls qs)); [apply line_continuous | exact IH].
Qed.
Lemma positive_rests_continuous qs x : continuous (positive_rests qs) x.
Proof.
  induction qs as [| q qs IH]; simpl; [apply continuous_const |].
  apply (continuous_mult (fun x => Rmax 0 (1 - x * q)) (positive_rests qs)); [| exact IH].
  apply (continuous_ext (fun x => / 2 * ((1 - x * q) + Rabs (1 - x * q)))).
  - intro y. unfold Rmax, Rabs. destruct (Rle_dec 0 (1 - y * q)), (Rcase_abs (1 - y * q)); lra.
  - apply (continuous_mult (fun _ => / 2)); [apply continuous_const |].
    apply (continuous_plus (fun x => 1 - x * q)); [apply line_continuous |].
    apply (continuous_comp (fun x => 1 - x * q) Rabs); [apply line_continuous | apply continuous_Rabs].
Qed.
Lemma integrable_where_continuous (f : R -> R) a b : (forall x, continuous f x) -> ex_RInt f a b.
Proof. intro C. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros. apply C. Qed.

Lemma rests_nonnegative qs x : 0 <= x <= 1 -> (forall q, In q qs -> 0 <= q <= 1) -> 0 <= rests qs x.
Proof.
  intros X. induction qs as [| q qs IH]; intro Q; simpl; [lra |].
  apply Rmult_le_pos; [| apply IH; intros; apply Q; right; assumption].
  specialize (Q q (or_introl eq_refl)). assert (x * q <= 1 * 1) by (apply Rmult_le_compat; lra). lra.
Qed.
Lemma positive_rests_nonnegative qs x : 0 <= positive_rests qs x.
Proof. induction qs as [| q qs IH]; simpl; [lra |]. apply Rmult_le_pos; [apply Rmax_l | exact IH]. Qed.
Lemma positive_rests_fall qs qs' x x' : Forall2 (fun q q' => x' * q' <= x * q) qs qs' ->
  positive_rests qs x <= positive_rests qs' x'.
Proof.
  induction 1 as [| q q' qs qs' below _ IH]; simpl; [lra |].
  apply Rmult_le_compat; [apply Rmax_l | apply positive_rests_nonnegative | | exact IH].
  apply Rle_max_compat_l. lra.
Qed.
Lemma positive_rests_none qs x q : In q qs -> 1 <= x * q -> positive_rests qs x = 0.
Proof.
  induction qs as [| p qs IH]; intros I far; [destruct I |]. simpl. destruct I as [-> | I].
  - rewrite Rmax_left by lra. ring.
  - rewrite IH by assumption. ring.
Qed.

(* Masses of the flips: q of a place, times the integral of the product over the others. *)
Definition flip_mass (qs : list R) (i : nat) : R := nth i qs 0 * RInt (rests (others i qs)) 0 1.

Lemma falls_is_the_sum qs x : over (length qs) (fun i => nth i qs 0 * rests (others i qs) x) = falls qs x.
Proof.
  induction qs as [| q qs IH]; [reflexivity |]. simpl length. rewrite over_first. simpl.
  rewrite <- IH, <- over_multiple. f_equal. apply over_same. intros i _. unfold others. simpl. ring.
Qed.
Lemma sum_of_integrals n (g : nat -> R -> R) : (forall i x, continuous (g i) x) ->
  ex_RInt (fun x => over n (fun i => g i x)) 0 1 /\
  RInt (fun x => over n (fun i => g i x)) 0 1 = over n (fun i => RInt (g i) 0 1).
Proof.
  intro C. induction n as [| n [ex IH]]; simpl.
  - split; [apply ex_RInt_const |]. rewrite RInt_const. apply Rmult_0_r.
  - assert (ex' : ex_RInt (g n) 0 1) by (apply integrable_where_continuous, C).
    split; [apply (ex_RInt_plus (V := R_NormedModule) _ _ _ _ ex ex') |].
    rewrite <- IH. apply (RInt_plus (V := R_CompleteNormedModule) _ _ _ _ ex ex').
Qed.
Lemma flip_mass_total qs : In 1 qs -> over (length qs) (flip_mass qs) = 1.
Proof.
  intro certain_one.
  assert (C : forall i x, continuous (fun x => nth i qs 0 * rests (others i qs) x) x).
  { intros i x. apply (continuous_mult (fun _ => nth i qs 0)); [apply continuous_const | apply rests_continuous]. }
  transitivity (over (length qs) (fun i => RInt (fun x => nth i qs 0 * rests (others i qs) x) 0 1)).
  - apply over_same. intros i _. unfold flip_mass. symmetry.
    apply (RInt_scal (V := R_CompleteNormedModule)). apply integrable_where_continuous, rests_continuous.
  - transitivity (RInt (fun x => over (length qs) (fun i => nth i qs 0 * rests (others i qs) x)) 0 1).
    { symmetry. apply (proj2 (sum_of_integrals (length qs) _ C)). }
    rewrite (RInt_ext _ (falls qs)) by (intros x _; apply falls_is_the_sum).
    apply is_RInt_unique.
    replace 1 with (minus (opp (rests qs 1)) (opp (rests qs 0))) at 2.
    + apply (is_RInt_derive (V := R_CompleteNormedModule) (fun x => opp (rests qs x))).
      * intros x _. replace (falls qs x) with (opp (- falls qs x)) by (unfold opp; simpl; ring).
        apply (is_derive_opp (rests qs)), rests_derive.
      * intros x _. apply falls_continuous.
    + assert (none : forall qs, In 1 qs -> rests qs 1 = 0).
      { clear. induction qs as [| q qs IH]; intro I; [destruct I |]. simpl.
        destruct I as [-> | I]; [ring | rewrite IH by exact I; ring]. }
      assert (all : forall qs, rests qs 0 = 1).
      { clear. induction qs as [| q qs IH]; simpl; [reflexivity | rewrite IH; ring]. }
      rewrite none, all by exact certain_one. unfold minus, plus, opp. simpl. ring.
Qed.
Lemma flip_mass_nonnegative qs : (forall q, In q qs -> 0 <= q <= 1) -> forall i, (i < length qs)%nat ->
  0 <= flip_mass qs i.
Proof.
  intros Q i I. apply Rmult_le_pos; [apply Q, nth_In, I |].
  apply RInt_ge_0; [lra | apply integrable_where_continuous, rests_continuous |].
  intros x X. apply rests_nonnegative; [lra |]. intros q member. apply Q.
  apply in_app_or in member. destruct member as [member | member].
  - rewrite <- (firstn_skipn i qs). apply in_or_app. left. exact member.
  - rewrite <- (firstn_skipn (S i) qs). apply in_or_app. right. exact member.
Qed.

(* The same integral, up to where the winner's own flip comes up. *)
Lemma flip_mass_by_ratios qs i : (forall q, In q qs -> 0 < q <= 1) -> In 1 qs -> (i < length qs)%nat ->
  flip_mass qs i = RInt (positive_rests (map (fun q => q / nth i qs 0) (others i qs))) 0 1.
Proof.
  intros Q one I. set (w := nth i qs 0). assert (W : 0 < w <= 1) by (apply Q, nth_In, I).
  set (ratios := map (fun q => q / w) (others i qs)).
  assert (member : forall q, In q (others i qs) -> In q qs).
  { intros q M. apply in_app_or in M. destruct M as [M | M];
      [rewrite <- (firstn_skipn i qs) | rewrite <- (firstn_skipn (S i) qs)]; apply in_or_app; auto. }
  assert (C : forall a b, ex_RInt (positive_rests ratios) a b)
    by (intros; apply integrable_where_continuous, positive_rests_continuous).
  rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) _ 0 w 1 (C 0 w) (C w 1)).
  assert (far : RInt (positive_rests ratios) w 1 = 0).
  { rewrite (RInt_ext _ (fun _ => 0)); [rewrite RInt_const; apply Rmult_0_r |].
    intros x [low high]. rewrite Rmin_left in low by lra. rewrite Rmax_right in high by lra.
    destruct (one_of_others qs 0 1 i one I) as [same | other]; [fold w in same; lra |].
    apply (positive_rests_none _ _ (1 / w)); [apply in_map_iff; exists 1; split; [reflexivity | exact other] |].
    unfold Rdiv. rewrite Rmult_1_l. apply (Rmult_le_reg_r w); [lra |]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  rewrite far. unfold flip_mass. fold w.
  pose proof (RInt_comp_lin (V := R_CompleteNormedModule) (positive_rests ratios) w 0 0 1) as scaled.
  rewrite Rmult_0_r, Rplus_0_r, Rmult_1_r, Rplus_0_r in scaled.
  replace (plus (RInt (positive_rests ratios) 0 w) 0) with (RInt (positive_rests ratios) 0 w)
    by (symmetry; apply Rplus_0_r).
  rewrite <- scaled by apply C.
  transitivity (RInt (fun x => w * rests (others i qs) x) 0 1).
  { symmetry. apply (RInt_scal (V := R_CompleteNormedModule) (rests (others i qs))).
    apply integrable_where_continuous, rests_continuous. }
  apply RInt_ext. intros x [low high]. rewrite Rmin_left in low by lra. rewrite Rmax_right in high by lra.
  unfold scal. simpl. unfold mult. simpl. f_equal. rewrite Rplus_0_r.
  assert (same : forall l, (forall q, In q l -> 0 < q <= 1) ->
    rests l x = positive_rests (map (fun q => q / w) l) (w * x)).
  { clear - W low high. induction l as [| q l IH]; intro L; simpl; [reflexivity |].
    rewrite <- IH by (intros; apply L; right; assumption). f_equal.
    replace (w * x * (q / w)) with (x * q) by (field; lra). rewrite Rmax_right; [reflexivity |].
    specialize (L q (or_introl eq_refl)). assert (x * q <= 1 * 1) by (apply Rmult_le_compat; lra). lra. }
  apply same. intros q M. apply Q, member, M.
Qed.

Lemma Forall2_maps {A B C D} (f : A -> C) (g : B -> D) (r : A -> B -> Prop) (p : C -> D -> Prop) :
  (forall a b, r a b -> p (f a) (g b)) -> forall l m, Forall2 r l m -> Forall2 p (map f l) (map g m).
Proof. intros leads l m. induction 1; simpl; constructor; auto. Qed.

(* Selection by random order and flips. *)
Section flips.
  Variable log_flip : R -> R.
  Hypothesis flip_is_a_probability : forall gap, 0 <= gap -> log_flip gap <= 0 /\ log_flip 0 = 0.

  Definition flips (s : list R) : list R := map (fun q => exp (log_flip (best s - q))) s.

  Lemma flips_between s q : In q (flips s) -> 0 < q <= 1.
  Proof.
    intro I. apply in_map_iff in I. destruct I as (score & <- & member). split; [apply exp_pos |].
    rewrite <- exp_0. apply exp_le, flip_is_a_probability. pose proof (best_is_greatest s score member). lra.
  Qed.
  Lemma flips_one s : s <> [] -> In 1 (flips s).
  Proof.
    intro some. apply in_map_iff. exists (best s). split; [| apply best_is_one, some].
    replace (best s - best s) with 0 by ring. destruct (flip_is_a_probability 0 ltac:(lra)) as [_ ->]. apply exp_0.
  Qed.

  (* The law exists, whatever the scores; of no scores it names 0. *)
  Definition permute_and_flip : mechanism (list R) (plain nat).
  Proof.
    intro s. destruct s as [| q l]; [exact (@certain (plain nat) O) |].
    refine (selected (length (q :: l)) (flip_mass (flips (q :: l))) _ _);
      replace (length (q :: l)) with (length (flips (q :: l))) by apply map_length.
    - apply flip_mass_nonnegative. intros f F. pose proof (flips_between _ _ F). lra.
    - apply flip_mass_total, flips_one. discriminate.
  Defined.
  Lemma permute_and_flip_masses s : s <> [] -> has_masses (permute_and_flip s) (length s) (flip_mass (flips s)).
  Proof. intros some f F. destruct s; [contradiction | reflexivity]. Qed.

  Variables log_survival privacy_map : R -> R.
  Hypothesis flip_is_the_survival : forall gap, 0 <= gap -> log_flip gap = log_survival gap.
  Hypothesis noise_is_one_sided : forall gap, gap <= 0 -> log_survival gap = 0.
  Hypothesis noise_has_no_memory : forall gap h, 0 <= gap -> 0 <= h ->
    log_survival (gap + h) = log_survival gap + log_survival h.
  Hypothesis survival_falls : forall z h, 0 <= h -> log_survival (z + h) <= log_survival z.
  Hypothesis shift_is_bounded : forall d_in z, 0 <= d_in ->
    log_survival z <= log_survival (z + 2 * d_in) + privacy_map d_in.

  (* The log survival, continued so that it is additive on both sides of 0. *)
  Let log_ratio (x : R) : R := if Rle_dec 0 x then log_survival x else - log_survival (- x).
  Lemma log_ratio_sum x y : log_ratio (x + y) = log_ratio x + log_ratio y.
  Proof.
    assert (split_up : forall a b, 0 <= b -> b <= a -> log_survival a = log_survival b + log_survival (a - b)).
    { intros a b B A. rewrite <- noise_has_no_memory by lra. f_equal. ring. }
    unfold log_ratio. destruct (Rle_dec 0 x), (Rle_dec 0 y), (Rle_dec 0 (x + y)); try lra.
    - apply noise_has_no_memory; assumption.
    - rewrite (split_up x (- y)) by lra. replace (x - - y) with (x + y) by ring. ring.
    - rewrite (split_up (- y) x) by lra. replace (- y - x) with (- (x + y)) by ring. ring.
    - rewrite (split_up y (- x)) by lra. replace (y - - x) with (x + y) by ring. ring.
    - rewrite (split_up (- x) y) by lra. replace (- x - y) with (- (x + y)) by ring. ring.
    - rewrite (split_up (- (x + y)) (- x)) by lra. replace (- (x + y) - - x) with (- y) by ring. ring.
  Qed.
  Lemma log_ratio_falls x y : x <= y -> log_ratio y <= log_ratio x.
  Proof.
    intro below. replace y with (x + (y - x)) by ring. rewrite log_ratio_sum.
    unfold log_ratio at 2. destruct (Rle_dec 0 (y - x)); [| lra].
    pose proof (survival_falls 0 (y - x) ltac:(lra)) as F. rewrite Rplus_0_l, (noise_is_one_sided 0) in F by lra. lra.
  Qed.
  Lemma flips_ratio s a b : In a s -> In b s ->
    exp (log_flip (best s - b)) / exp (log_flip (best s - a)) = exp (log_ratio (a - b)).
  Proof.
    intros A B. apply best_is_greatest in A. apply best_is_greatest in B.
    rewrite !flip_is_the_survival by lra. unfold Rdiv. rewrite <- exp_Ropp, <- exp_plus. f_equal.
    assert (up : forall z, 0 <= z -> log_survival z = log_ratio z).
    { intros z Z. unfold log_ratio. destruct (Rle_dec 0 z); [reflexivity | lra]. }
    rewrite !up by lra. replace (best s - b) with (best s - a + (a - b)) by ring. rewrite log_ratio_sum. ring.
  Qed.

  (* The mass of a place, as the probability that its noisy score is the greatest. *)
  Lemma flip_mass_by_scores s i : (i < length s)%nat -> flip_mass (flips s) i =
    RInt (positive_rests (map (fun q => exp (log_ratio (nth i s 0 - q))) (others i s))) 0 1.
  Proof.
    intro I. assert (some : s <> []) by (intro; subst; simpl in I; lia).
    rewrite flip_mass_by_ratios;
      [| apply flips_between | apply flips_one, some | unfold flips; rewrite map_length; exact I].
    unfold flips. rewrite others_map, map_map. f_equal. f_equal. apply map_ext_in. intros q member.
    rewrite (nth_indep _ 0 (exp (log_flip (best s - 0)))) by (rewrite map_length; exact I).
    rewrite (map_nth (fun q => exp (log_flip (best s - q)))).
    apply flips_ratio; [apply nth_In, I |]. apply in_app_or in member. destruct member as [member | member].
    - rewrite <- (firstn_skipn i s). apply in_or_app. left. exact member.
    - rewrite <- (firstn_skipn (S i) s). apply in_or_app. right. exact member.
  Qed.

  (* flip_selection: private with the map, for any number of candidates. *)
  Theorem flip_selection d_in : private (scores_within d_in) permute_and_flip (pure (privacy_map d_in)).
  Proof.
    intros s s' [some near].
    assert (D : 0 <= d_in).
    { destruct near as [| a b l l' close _]; [contradiction |]. pose proof (Rabs_pos (a - b)). lra. }
    assert (some' : s' <> []) by (intro; subst; inversion near; subst; contradiction).
    pose proof (Forall2_length _ _ _ near) as same.
    apply (pure_by_masses _ _ (length s) (flip_mass (flips s)) (flip_mass (flips s')));
      [apply permute_and_flip_masses, some | rewrite same; apply permute_and_flip_masses, some' |].
    intros i I. rewrite !flip_mass_by_scores by lia.
    set (mine := positive_rests (map _ (others i s))). set (other := positive_rests (map _ (others i s'))).
    assert (C : forall qs a b, ex_RInt (positive_rests qs) a b)
      by (intros; apply integrable_where_continuous, positive_rests_continuous).
    set (c := exp (log_survival (2 * d_in))).
    assert (bound : log_survival 0 <= log_survival (0 + 2 * d_in) + privacy_map d_in) by (apply shift_is_bounded, D).
    pose proof (survival_falls 0 (2 * d_in) ltac:(lra)) as small.
    rewrite Rplus_0_l in bound, small. rewrite (noise_is_one_sided 0) in bound, small by lra.
    assert (between : 0 < c <= 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_le; lra]).
    assert (enough : 1 <= exp (privacy_map d_in) * c).
    { unfold c. rewrite <- exp_plus, <- exp_0. apply exp_le. lra. }
    assert (scaled : c * RInt (fun x => other (c * x)) 0 1 = RInt other 0 c).
    { pose proof (RInt_comp_lin (V := R_CompleteNormedModule) other c 0 0 1) as S.
      rewrite Rmult_0_r, Rplus_0_r, Rmult_1_r, Rplus_0_r in S. rewrite <- S by apply C.
      symmetry. rewrite (RInt_ext _ (fun x => scal c (other (c * x)))) by (intros; rewrite Rplus_0_r; reflexivity).
      apply (RInt_scal (V := R_CompleteNormedModule) (fun x => other (c * x))).
      apply integrable_where_continuous. intro x.
      apply (continuous_comp (fun x => c * x) other); [| apply positive_rests_continuous].
      apply (continuous_mult (fun _ => c) (fun x => x)); [apply continuous_const | apply continuous_id]. }
    assert (moved : RInt mine 0 1 <= RInt (fun x => other (c * x)) 0 1).
    { apply RInt_le; [lra | apply C | |].
      - apply integrable_where_continuous. intro x.
        apply (continuous_comp (fun x => c * x) other); [| apply positive_rests_continuous].
        apply (continuous_mult (fun _ => c) (fun x => x)); [apply continuous_const | apply continuous_id].
      - intros x X. apply positive_rests_fall.
        assert (close : Rabs (nth i s 0 - nth i s' 0) <= d_in) by (apply (Forall2_nth _ _ _ 0 0 i near I)).
        apply Forall2_maps with (2 := others_near _ _ _ i near). intros q q' here.
        rewrite (Rmult_comm c), Rmult_assoc. apply Rmult_le_compat_l; [lra |]. unfold c. rewrite <- exp_plus.
        apply exp_le. replace (log_survival (2 * d_in)) with (log_ratio (2 * d_in))
          by (unfold log_ratio; destruct (Rle_dec 0 (2 * d_in)); [reflexivity | lra]).
        rewrite <- log_ratio_sum. apply log_ratio_falls.
        revert close here. unfold Rabs. destruct (Rcase_abs (nth i s 0 - nth i s' 0)), (Rcase_abs (q - q')); lra. }
    assert (whole : RInt other 0 c <= RInt other 0 1).
    { rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) other 0 c 1 (C _ 0 c) (C _ c 1)).
      assert (0 <= RInt other c 1).
      { apply RInt_ge_0; [lra | apply C |]. intros. apply positive_rests_nonnegative. }
      unfold plus. simpl. lra. }
    assert (nonnegative : 0 <= RInt mine 0 1).
    { apply RInt_ge_0; [lra | apply C |]. intros. apply positive_rests_nonnegative. }
    assert (c * RInt mine 0 1 <= RInt other 0 1).
    { apply Rle_trans with (c * RInt (fun x => other (c * x)) 0 1); [apply Rmult_le_compat_l; lra | lra]. }
    apply Rle_trans with (exp (privacy_map d_in) * c * RInt mine 0 1).
    - rewrite <- (Rmult_1_l (RInt mine 0 1)) at 1. apply Rmult_le_compat_r; assumption.
    - rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos | assumption].
  Qed.
End flips.

(* Noisy maxima: noise of its own is added to each score, and the greatest is named.  The mass of a place is what the
   winner's noise z gives on average to the product over the others of the probability that they stay below. *)
Fixpoint product_of (l : list R) : R := match l with [] => 1 | a :: later => a * product_of later end.

Fixpoint sum_of (l : list R) : R := match l with [] => 0 | a :: later => a + sum_of later end.

Lemma over_one_and_others (g : R -> R) s i : (i < length s)%nat ->
  over (length s) (fun j => g (nth j s 0)) = g (nth i s 0) + sum_of (map g (others i s)).
Proof.
  assert (all : forall s, over (length s) (fun j => g (nth j s 0)) = sum_of (map g s)).
  { clear. induction s as [| q s IH]; [reflexivity |]. simpl length. rewrite over_first. simpl. rewrite <- IH.
    reflexivity. }
  rewrite all. clear all. revert i. induction s as [| q s IH]; intros [| i] I; simpl in *; try lia; [reflexivity |].
  rewrite (IH i) by lia. unfold others. simpl. ring.
Qed.

(* The integral of y^w over y from 0 up. *)
Lemma integral_of_power w top : 0 <= w -> 0 < top ->
  is_RInt (fun y => exp (w * ln y)) 0 top (/ (w + 1) * exp ((w + 1) * ln top)).
Proof.
  intros W T. destruct (Req_dec w 0) as [-> | W'].
  { apply (is_RInt_ext (fun _ => 1)); [intros; rewrite Rmult_0_l, exp_0; reflexivity |].
    replace (/ (0 + 1) * exp ((0 + 1) * ln top)) with (scal (top - 0) 1).
    2: { rewrite Rplus_0_l, Rmult_1_l, exp_ln by exact T. unfold scal. simpl. unfold mult. simpl. field. }
    apply (is_RInt_const (V := R_NormedModule)). }
  assert (P : 0 < w) by lra.
  pose (power := fun c y => if Rle_dec y 0 then 0 else exp (c * ln y)).
  assert (near : forall y, 0 < y -> locally y (fun z => 0 < z)).
  { intros y Y. exists (mkposreal y Y). intros z Z. apply Rabs_def2 in Z. simpl in Z. unfold minus, plus, opp in Z.
    simpl in Z. lra. }
  assert (small : forall eps, 0 < eps -> forall y, 0 < y < exp (ln eps / w) -> exp (w * ln y) < eps).
  { intros eps Eps y [Y Y']. rewrite <- (exp_ln eps Eps) at 1. apply exp_increasing.
    apply ln_increasing in Y'; [| exact Y]. rewrite ln_exp in Y'.
    replace (ln eps) with (w * (ln eps / w)) by (field; lra). apply Rmult_lt_compat_l; assumption. }
  apply (is_RInt_ext (power w)).
  { intros y [Y _]. rewrite Rmin_left in Y by lra. unfold power. destruct (Rle_dec y 0); [lra | reflexivity]. }
  replace (/ (w + 1) * exp ((w + 1) * ln top)) with
    (minus (/ (w + 1) * power (w + 1) top) (/ (w + 1) * power (w + 1) 0)).
  2: { unfold minus, plus, opp, power. simpl. destruct (Rle_dec top 0), (Rle_dec 0 0); try lra. }
  apply (is_RInt_derive (V := R_CompleteNormedModule) (fun y => / (w + 1) * power (w + 1) y)); intros y Y;
    rewrite Rmin_left, Rmax_right in Y by lra; destruct Y as [[Y | <-] _].
  - apply (is_derive_ext_loc (fun z => / (w + 1) * exp ((w + 1) * ln z))).
    + apply (filter_imp (fun z => 0 < z)); [| apply near, Y]. intros z Z. unfold power.
      destruct (Rle_dec z 0); [lra | reflexivity].
    + unfold power. destruct (Rle_dec y 0); [lra |]. auto_derive; [exact Y |].
      replace ((w + 1) * ln y) with (w * ln y + ln y) by ring. rewrite exp_plus, exp_ln by exact Y. field. lra.
  - apply is_derive_Reals. intros eps Eps. exists (mkposreal _ (exp_pos (ln eps / w))). intros h H0 H. simpl in H.
    unfold power. rewrite Rplus_0_l. destruct (Rle_dec 0 0); [| lra]. destruct (Rle_dec h 0) as [low | high].
    + replace ((/ (w + 1) * 0 - / (w + 1) * 0) / h - 0) with 0 by (field; lra). rewrite Rabs_R0. exact Eps.
    + replace ((w + 1) * ln h) with (w * ln h + ln h) by ring. rewrite exp_plus, exp_ln by lra.
      replace ((/ (w + 1) * (exp (w * ln h) * h) - / (w + 1) * 0) / h - 0) with (/ (w + 1) * exp (w * ln h))
        by (field; lra).
      rewrite Rabs_pos_eq in H by lra. pose proof (small eps Eps h ltac:(lra)). pose proof (exp_pos (w * ln h)).
      rewrite Rabs_pos_eq by (apply Rmult_le_pos; [left; apply Rinv_0_lt_compat |]; lra).
      apply (Rmult_lt_reg_l (w + 1)); [lra |]. rewrite <- Rmult_assoc, Rinv_r by lra. nra.
  - apply (continuous_ext_loc _ (fun z => exp (w * ln z))).
    + apply (filter_imp (fun z => 0 < z)); [| apply near, Y]. intros z Z. unfold power.
      destruct (Rle_dec z 0); [lra | reflexivity].
    + apply (ex_derive_continuous (V := R_NormedModule) (fun z => exp (w * ln z))). auto_derive. exact Y.
  - apply continuity_pt_filterlim. intros eps Eps. exists (exp (ln eps / w)). split; [apply exp_pos |].
    intros h [_ H]. simpl in *. unfold R_dist in *. rewrite Rminus_0_r in H. unfold power.
    destruct (Rle_dec 0 0); [| lra]. rewrite Rminus_0_r. destruct (Rle_dec h 0); [rewrite Rabs_R0; exact Eps |].
    rewrite Rabs_pos_eq in H by lra. rewrite Rabs_pos_eq by (left; apply exp_pos). apply small; [exact Eps | lra].
Qed.

(* Exponential and Gumbel noise of a scale, by a uniform y: - scale ln y, and - scale ln (- ln y). *)
Section by_uniforms.
  Variable scale : R.
  Hypothesis scale_is_positive : 0 < scale.

  (* P[E < x] of exponential noise, and the masses of its maximum. *)
  Definition exponential_below (x : R) : R := if Rle_dec 0 x then 1 - exp (- (x / scale)) else 0.
  Definition exponential_winning (s : list R) (i : nat) : R :=
    RInt (fun y => product_of (map (fun q => exponential_below (nth i s 0 + - (scale * ln y) - q)) (others i s))) 0 1.

  Lemma exponential_below_of_uniform a q y : 0 < y ->
    exponential_below (a + - (scale * ln y) - q) = Rmax 0 (1 - y * exp ((q - a) / scale)).
  Proof.
    intro Y. set (x := a + - (scale * ln y) - q).
    replace (y * exp ((q - a) / scale)) with (exp (- (x / scale))).
    2: { rewrite <- (exp_ln y Y) at 1. rewrite <- exp_plus. f_equal. unfold x. field. lra. }
    unfold exponential_below. assert (P : 0 < / scale) by (apply Rinv_0_lt_compat, scale_is_positive).
    destruct (Rle_dec 0 x) as [above | below].
    - rewrite Rmax_right; [reflexivity |]. enough (exp (- (x / scale)) <= exp 0) by (rewrite exp_0 in *; lra).
      apply exp_le. unfold Rdiv. assert (0 <= x * / scale) by (apply Rmult_le_pos; lra). lra.
    - rewrite Rmax_left; [reflexivity |]. enough (exp 0 <= exp (- (x / scale))) by (rewrite exp_0 in *; lra).
      apply exp_le. unfold Rdiv. assert (0 <= - x * / scale) by (apply Rmult_le_pos; lra). lra.
  Qed.

  (* The masses of random order and flips, each of which comes up as the noise is beyond the gap. *)
  Lemma exponential_winning_is_flip_mass log_flip s i : (forall gap, 0 <= gap -> log_flip gap = - (gap / scale)) ->
    (i < length s)%nat -> exponential_winning s i = flip_mass (flips log_flip s) i.
  Proof.
    intros survival I. assert (some : s <> []) by (intro; subst; simpl in I; lia).
    assert (probability : forall gap, 0 <= gap -> log_flip gap <= 0 /\ log_flip 0 = 0).
    { intros gap G. rewrite !survival by lra. assert (0 < / scale) by (apply Rinv_0_lt_compat, scale_is_positive).
      assert (0 <= gap * / scale) by (apply Rmult_le_pos; lra). unfold Rdiv. lra. }
    rewrite flip_mass_by_ratios; [| apply flips_between, probability | apply flips_one; assumption |
      unfold flips; rewrite map_length; exact I].
    unfold exponential_winning, flips. rewrite others_map, map_map.
    apply RInt_ext. intros y [Y _]. rewrite Rmin_left in Y by lra.
    assert (own : nth i (map (fun q => exp (log_flip (best s - q))) s) 0 = exp (log_flip (best s - nth i s 0))).
    { rewrite (nth_indep _ 0 (exp (log_flip (best s - 0)))) by (rewrite map_length; exact I).
      apply (map_nth (fun q => exp (log_flip (best s - q)))). }
    rewrite own.
    assert (member : forall q, In q (others i s) -> In q s).
    { intros q M. apply in_app_or in M. destruct M as [M | M];
        [rewrite <- (firstn_skipn i s) | rewrite <- (firstn_skipn (S i) s)]; apply in_or_app; auto. }
    revert member. generalize (others i s). intro l. induction l as [| q l IH]; intro member; simpl; [reflexivity |].
    rewrite IH by (intros; apply member; right; assumption). f_equal.
    rewrite exponential_below_of_uniform by exact Y. do 3 f_equal. unfold Rdiv at 2.
    pose proof (best_is_greatest s q (member q (or_introl eq_refl))).
    pose proof (best_is_greatest s _ (nth_In s 0 I)).
    rewrite !survival, <- exp_Ropp, <- exp_plus by lra. f_equal. field. lra.
  Qed.
  (* same_law, for exponential noise (Gumbel noise: same_law_gumbel): that of flips which come up as the noise is beyond
     the gap. *)
  Theorem same_law log_flip (M N : mechanism (list R) (plain nat)) :
    (forall gap, 0 <= gap -> log_flip gap = - (gap / scale)) ->
    (forall s, s <> [] -> has_masses (M s) (length s) (exponential_winning s)) ->
    (forall s, s <> [] -> has_masses (N s) (length s) (flip_mass (flips log_flip s))) ->
    same_laws (fun s => s <> []) M N.
  Proof.
    intros survival noisy flipped s some f F. rewrite (noisy s some f F), (flipped s some f F).
    apply over_same. intros i I. rewrite (exponential_winning_is_flip_mass log_flip s i survival I). reflexivity.
  Qed.

  (* P[E < x] of Gumbel noise is e^(-e^(-x / scale)). *)
  Definition gumbel_below (x : R) : R := exp (- exp (- (x / scale))).
  Definition gumbel_winning (s : list R) (i : nat) : R :=
    RInt (fun y => product_of (map (fun q => gumbel_below (nth i s 0 + - (scale * ln (- ln y)) - q)) (others i s))) 0 1.

  Lemma gumbel_product a l y : 0 < y < 1 ->
    product_of (map (fun q => gumbel_below (a + - (scale * ln (- ln y)) - q)) l) =
    exp (sum_of (map (fun q => exp ((q - a) / scale)) l) * ln y).
  Proof.
    intros [Y Y']. pose proof (ln_increasing y 1 Y Y') as low. rewrite ln_1 in low.
    induction l as [| q l IH]; simpl; [rewrite Rmult_0_l, exp_0; reflexivity |].
    rewrite IH, Rmult_plus_distr_r, exp_plus. f_equal. unfold gumbel_below. f_equal.
    replace (- ((a + - (scale * ln (- ln y)) - q) / scale)) with ((q - a) / scale + ln (- ln y)) by (field; lra).
    rewrite exp_plus, exp_ln by lra. ring.
  Qed.
  Lemma sum_of_ratios a l : 0 <= sum_of (map (fun q => exp ((q - a) / scale)) l).
  Proof. induction l as [| q l IH]; simpl; [lra |]. pose proof (exp_pos ((q - a) / scale)). lra. Qed.
  (* The mass of the winner, of weights that move as the noise's shifts do. *)
  Lemma weighted_mass_is_share log_weight s i : (forall u v, log_weight v - log_weight u = (v - u) / scale) ->
    (i < length s)%nat ->
    weighted_mass log_weight s i = / (sum_of (map (fun q => exp ((q - nth i s 0) / scale)) (others i s)) + 1).
  Proof.
    intros shifts I. set (a := nth i s 0). set (ratios := map (fun q => exp ((q - a) / scale)) (others i s)).
    pose proof (sum_of_ratios a (others i s)) as positive. fold ratios in positive.
    unfold weighted_mass, all_weights, weight. fold a.
    rewrite (over_one_and_others (fun q => exp (log_weight q)) s i I). fold a.
    replace (sum_of (map (fun q => exp (log_weight q)) (others i s))) with (exp (log_weight a) * sum_of ratios).
    - pose proof (exp_pos (log_weight a)) as pos.
      assert (0 <= exp (log_weight a) * sum_of ratios) by (apply Rmult_le_pos; lra).
      field. split; lra.
    - unfold ratios. generalize (others i s). intro l. induction l as [| q l IH]; simpl; [ring |].
      rewrite <- IH, Rmult_plus_distr_l, <- exp_plus. f_equal. f_equal. specialize (shifts a q). lra.
  Qed.
  Lemma gumbel_winning_is_weighted_mass log_weight s i : (forall u v, log_weight v - log_weight u = (v - u) / scale) ->
    (i < length s)%nat -> gumbel_winning s i = weighted_mass log_weight s i.
  Proof.
    intros shifts I. rewrite (weighted_mass_is_share log_weight s i shifts I).
    set (a := nth i s 0). set (total := sum_of (map (fun q => exp ((q - a) / scale)) (others i s))).
    pose proof (sum_of_ratios a (others i s)) as positive. fold total in positive.
    replace (/ (total + 1)) with (/ (total + 1) * exp ((total + 1) * ln 1)) by (rewrite ln_1, Rmult_0_r, exp_0; ring).
    unfold gumbel_winning. apply is_RInt_unique. eapply is_RInt_ext; [| apply (integral_of_power _ 1 positive Rlt_0_1)].
    intros y Y. rewrite Rmin_left, Rmax_right in Y by lra. symmetry. apply gumbel_product, Y.
  Qed.
  (* same_law, for Gumbel noise: that of selection by weights that move as the noise's shifts do. *)
  Theorem same_law_gumbel log_weight (M N : mechanism (list R) (plain nat)) :
    (forall u v, log_weight v - log_weight u = (v - u) / scale) ->
    (forall s, s <> [] -> has_masses (M s) (length s) (gumbel_winning s)) ->
    (forall s, s <> [] -> has_masses (N s) (length s) (weighted_mass log_weight s)) ->
    same_laws (fun s => s <> []) M N.
  Proof.
    intros shifts noisy weighted s some f F. rewrite (noisy s some f F), (weighted s some f F).
    apply over_same. intros i I. rewrite (gumbel_winning_is_weighted_mass log_weight s i shifts I). reflexivity.
  Qed.
End by_uniforms.

(* by_the_same_law and same_law, applied: report noisy max with exponential noise costs 2 d_in / scale. *)
Example exponential_noisy_max (scale d_in : R) (M : mechanism (list R) (plain nat)) : 0 < scale ->
  (forall s, s <> [] -> has_masses (M s) (length s) (exponential_winning scale s)) ->
  private (scores_within d_in) M (pure (2 * d_in / scale)).
Proof.
  intros S law_of. assert (P : 0 < / scale) by (apply Rinv_0_lt_compat, S).
  assert (up : forall x, 0 <= x -> 0 <= x / scale) by (intros; apply Rmult_le_pos; lra).
  assert (probability : forall gap, 0 <= gap -> - (gap / scale) <= 0 /\ - (0 / scale) = 0).
  { intros gap G. specialize (up gap G). split; [lra | field; lra]. }
  apply (by_the_same_law (fun s => s <> []) _ M (permute_and_flip (fun gap => - (gap / scale)) probability)).
  - intros s s' [some near]. split; [exact some | intro; subst; inversion near; subst; contradiction].
  - apply (flip_selection _ probability (fun z => - (Rmax 0 z / scale)) (fun d => 2 * d / scale)).
    + intros gap G. rewrite Rmax_right by exact G. reflexivity.
    + intros gap G. rewrite Rmax_left by exact G. field. lra.
    + intros gap h G H. rewrite !Rmax_right by lra. field. lra.
    + intros z h H. enough (Rmax 0 z / scale <= Rmax 0 (z + h) / scale) by lra.
      apply Rmult_le_compat_r; [lra |]. apply Rle_max_compat_l. lra.
    + intros d z D. replace (- (Rmax 0 (z + 2 * d) / scale) + 2 * d / scale) with
        (- ((Rmax 0 (z + 2 * d) - 2 * d) / scale)) by (field; lra).
      enough ((Rmax 0 (z + 2 * d) - 2 * d) / scale <= Rmax 0 z / scale) by lra.
      apply Rmult_le_compat_r; [lra |]. unfold Rmax. destruct (Rle_dec 0 (z + 2 * d)), (Rle_dec 0 z); lra.
  - apply (same_law scale S (fun gap => - (gap / scale))); [reflexivity | exact law_of |].
    intros s some. apply permute_and_flip_masses, some.
Qed.

(* noisy_max: any noise whose density falls by at most e^map over a shift up of at most 2 d_in. *)
Section noisy_max.
  Variable n : noise.
  Definition winning (s : list R) (i : nat) : R :=
    E n (fun z => product_of (map (fun q => 1 - chance n (nth i s 0 + value z - q)) (others i s))).

  Lemma product_falls l m : Forall2 (fun a b => 0 <= a <= b) l m -> 0 <= product_of l <= product_of m.
  Proof.
    induction 1 as [| a b l m here _ IH]; simpl; [lra |].
    split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra].
  Qed.
  Lemma winning_observable a l :
    observable (fun z : line n => product_of (map (fun q => 1 - chance n (a + value z - q)) l)).
  Proof.
    induction l as [| q l IH]; simpl; [apply observable_constant |]. apply observable_product; [| exact IH].
    apply (observable_same _ (fun z => 1 + -1 * chance n (value z + (a - q)))).
    - intro z. replace (a + value z - q) with (value z + (a - q)) by ring. ring.
    - apply observable_sum; [apply observable_constant | apply observable_multiple, chance_observable].
  Qed.

  Lemma noisy_max_by_shift (M : mechanism (list R) (plain nat)) d_in loss :
    (forall s, s <> [] -> has_masses (M s) (length s) (winning s)) -> rarer n (2 * d_in) loss ->
    private (scores_within d_in) M (pure loss).
  Proof.
    intros law_of fall s s' [some near]. pose proof (Forall2_length _ _ _ near) as same.
    assert (some' : s' <> []) by (intro; subst; inversion near; subst; contradiction).
    apply (pure_by_masses _ _ (length s) (winning s) (winning s'));
      [apply law_of, some | rewrite same; apply law_of, some' |].
    intros i I. unfold winning.
    set (f := fun x => product_of (map (fun q => 1 - chance n (nth i s 0 + x - q)) (others i s))).
    assert (O : observable (fun z : line n => f (value z - 2 * d_in))).
    { apply (observable_same _ (fun z =>
        product_of (map (fun q => 1 - chance n (nth i s 0 - 2 * d_in + value z - q)) (others i s)))).
      - intro z. unfold f. f_equal. apply map_ext. intro q. do 2 f_equal. ring.
      - apply winning_observable. }
    apply Rle_trans with (exp loss * E n (fun z => f (value z - 2 * d_in))).
    - apply (fall f); [| apply winning_observable | exact O].
      intro x. apply (product_falls _ (map (fun q => 1 - chance n (nth i s 0 + x - q)) (others i s))).
      generalize (others i s). intro l. induction l; simpl; constructor; auto.
      match goal with |- _ <= 1 - chance n ?y <= _ => pose proof (chance_between n y) end. lra.
    - apply Rmult_le_compat_l; [left; apply exp_pos |].
      apply E_monotone; [exact O | apply winning_observable |]. intro z. unfold f.
      assert (close : Rabs (nth i s 0 - nth i s' 0) <= d_in) by (apply (Forall2_nth _ _ _ 0 0 i near I)).
      apply product_falls. apply Forall2_maps with (2 := others_near _ _ _ i near). intros q q' here.
      pose proof (chance_between n (nth i s 0 + (value z - 2 * d_in) - q)) as B.
      enough (chance n (nth i s' 0 + value z - q') <= chance n (nth i s 0 + (value z - 2 * d_in) - q)) by lra.
      apply chance_falls. revert close here.
      unfold Rabs. destruct (Rcase_abs (nth i s 0 - nth i s' 0)), (Rcase_abs (q - q')); lra.
  Qed.

  (* For noise with a density on the whole line, such as Laplace noise. *)
  Theorem noisy_max (M : mechanism (list R) (plain nat)) (log_density privacy_map : R -> R) d_in :
    (forall s, s <> [] -> has_masses (M s) (length s) (winning s)) ->
    has_density 0 n (fun z => exp (log_density z)) ->
    (forall d_in z h, 0 <= d_in -> 0 <= h -> h <= 2 * d_in ->
      log_density z - log_density (z + h) <= privacy_map d_in) ->
    0 <= d_in -> private (scores_within d_in) M (pure (privacy_map d_in)).
  Proof.
    intros law_of density moves D. apply noisy_max_by_shift; [exact law_of |].
    apply (rarer_by_log_density _ _ _ _ _ density); [left; reflexivity |]. intro z. apply moves; lra.
  Qed.
  (* For one-sided noise, such as exponential noise: the density is 0 below 0. *)
  Theorem noisy_max_one_sided (M : mechanism (list R) (plain nat)) (log_density privacy_map : R -> R) d_in :
    (forall s, s <> [] -> has_masses (M s) (length s) (winning s)) ->
    has_density 0 n (fun z => if Rle_dec 0 z then exp (log_density z) else 0) ->
    (forall d_in z h, 0 <= d_in -> 0 <= h -> h <= 2 * d_in -> 0 <= z ->
      log_density z - log_density (z + h) <= privacy_map d_in) ->
    0 <= d_in -> private (scores_within d_in) M (pure (privacy_map d_in)).
  Proof.
    intros law_of density moves D. apply noisy_max_by_shift; [exact law_of |].
    apply (rarer_by_density _ _ _ _ _ density); [left; reflexivity |]. intro z.
    destruct (Rle_dec 0 z) as [Z | Z]; destruct (Rle_dec 0 (z + 2 * d_in)); try lra.
    - rewrite <- exp_plus. apply exp_le.
      specialize (moves d_in z (2 * d_in) D ltac:(lra) ltac:(lra) Z). lra.
    - apply Rmult_le_pos; left; apply exp_pos.
  Qed.
End noisy_max.

(* Noise by levels: the density is one of steps.  Level k is where |z| is from k widths to k + 1; its part from inner on
   has the next height. *)
Section level_noise.
  Variables (width inner : R) (log_height : R -> R).
  Hypothesis levels_have_a_break : 0 < width /\ 0 <= inner /\ inner <= width.

  Definition level_of (z : R) : R := IZR (Int_part (Rabs z / width)).
  Definition height_of (level rest : R) : R := level + (if Rle_dec inner rest then 1 else 0).
  Definition height (z : R) : R := height_of (level_of z) (Rabs z - level_of z * width).

  (* Each number is on one level. *)
  Lemma on_a_level z : exists k : nat, level_of z = INR k /\ 0 <= Rabs z - level_of z * width < width.
  Proof.
    destruct levels_have_a_break as [W _]. destruct (base_Int_part (Rabs z / width)) as [below above].
    fold (level_of z) in *.
    assert (S : Rabs z / width * width = Rabs z) by (field; lra).
    assert (N : 0 <= Rabs z / width) by (apply Rmult_le_pos; [apply Rabs_pos | left; apply Rinv_0_lt_compat, W]).
    exists (Z.to_nat (Int_part (Rabs z / width))). split.
    - rewrite INR_IZR_INZ, Z2Nat.id; [reflexivity |].
      assert (L : -1 < IZR (Int_part (Rabs z / width))) by (unfold level_of in *; lra).
      apply lt_IZR in L. lia.
    - assert (level_of z * width <= Rabs z / width * width) by (apply Rmult_le_compat_r; lra).
      assert (Rabs z / width * width < (level_of z + 1) * width) by (apply Rmult_lt_compat_r; lra). lra.
  Qed.

  (* Outcomes are numbers; M(x) = x + Z has its density with respect to an integral over the line. *)
  Variables (O : space) (number : R -> O) (line_integral : integral 0) (normaliser : R).
  Variable M : mechanism R O.
  Hypothesis normaliser_positive : 0 < normaliser.
  Hypothesis density : forall x (f : O -> R), observable f ->
    integrable line_integral (fun y => exp (log_height (height (y - x))) * f (number y)) /\
    total line_integral (fun y => exp (log_height (height (y - x))) * f (number y)) = normaliser * E (M x) f.
  Variable privacy_map : R.
  Hypothesis loss_is_bounded : forall (k j : nat) p q, 0 <= p -> p < width -> 0 <= q -> q < width ->
    Rabs (INR k * width + p - (INR j * width + q)) <= width ->
    log_height (height_of (INR k) p) - log_height (height_of (INR j) q) <= privacy_map.

  (* level_noise: inputs at most one width apart. *)
  Theorem level_noise : private (fun a b => Rabs (a - b) <= width) M (pure privacy_map).
  Proof.
    intros a b near f [F between]. rewrite Rplus_0_r.
    destruct (density a f F) as [I S]. destruct (density b f F) as [I' S'].
    destruct (total_multiple _ line_integral (exp privacy_map) _ I') as [J T].
    apply (Rmult_le_reg_l normaliser); [exact normaliser_positive |].
    replace (normaliser * (exp privacy_map * E (M b) f)) with (exp privacy_map * (normaliser * E (M b) f)) by ring.
    rewrite <- S, <- S', <- T. apply total_monotone; [exact I | exact J |].
    intro y. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply between |]. rewrite <- exp_plus. apply exp_le.
    destruct (on_a_level (y - a)) as (k & K & P). destruct (on_a_level (y - b)) as (j & L & Q).
    unfold height.
    pose proof (loss_is_bounded k j (Rabs (y - a) - level_of (y - a) * width) (Rabs (y - b) - level_of (y - b) * width)
      (proj1 P) (proj2 P) (proj1 Q) (proj2 Q)) as bounded. rewrite <- K, <- L in bounded.
    enough (log_height (height_of (level_of (y - a)) (Rabs (y - a) - level_of (y - a) * width)) -
      log_height (height_of (level_of (y - b)) (Rabs (y - b) - level_of (y - b) * width)) <= privacy_map) by lra.
    apply bounded. replace (_ - _) with (Rabs (y - a) - Rabs (y - b)) by ring.
    eapply Rle_trans; [apply Rabs_triang_inv2 |]. replace (y - a - (y - b)) with (- (a - b)) by ring.
    rewrite Rabs_Ropp. exact near.
  Qed.
End level_noise.

(* Several candidates at once: those with the greatest scores with Gumbel noise, in their order. *)
Section one_shot.
  Variable scale : R.
  Hypothesis scale_is_positive : 0 < scale.

  (* The probability that noisy scores come in this order, all below x, and those of the rest below them: each by a
     uniform y, up to where its noisy score is x. *)
  Fixpoint ranked (names rest : list R) (x : R) : R :=
    match names with
    | [] => product_of (map (fun q => gumbel_below scale (x - q)) rest)
    | a :: later => RInt (fun y => ranked later rest (a + - (scale * ln (- ln y)))) 0 (gumbel_below scale (x - a))
    end.
  (* The same with nothing to be below. *)
  Definition ranked_first (names rest : list R) : R :=
    match names with
    | [] => 1
    | a :: later => RInt (fun y => ranked later rest (a + - (scale * ln (- ln y)))) 0 1
    end.

  (* The sum over the outcomes: k names of those that are left, after those named. *)
  Fixpoint ranking (k : nat) (left named : list (nat * R)) (f : list nat -> R) : R :=
    match k with
    | O => ranked_first (map snd named) (map snd left) * f (map fst named)
    | S fewer => over (length left) (fun i => ranking fewer (without i left) (named ++ [nth i left (O, 0)]) f)
    end.
  Definition is_one_shot (k : nat) (M : mechanism (list R) (plain (list nat))) :=
    forall s, (k <= length s)%nat -> forall f : plain (list nat) -> R, observable f ->
      E (M s) f = ranking k (combine (seq 0 (length s)) s) [] f.

  Definition rate (q : R) : R := exp (q / scale).
  Definition rates (l : list R) : R := sum_of (map rate l).
  (* Each rate over the sum of those from it on. *)
  Fixpoint shares (names rest : list R) : R :=
    match names with [] => 1 | a :: later => rate a / (rates (a :: later) + rates rest) * shares later rest end.

  Lemma rates_nonnegative l : 0 <= rates l.
  Proof.
    unfold rates. induction l as [| q l IH]; simpl; [lra |]. pose proof (exp_pos (q / scale)). unfold rate at 1. lra.
  Qed.
  Lemma rates_app l m : rates (l ++ m) = rates l + rates m.
  Proof. unfold rates. induction l as [| q l IH]; simpl; [ring |]. rewrite IH. ring. Qed.
  Lemma rate_positive q : 0 < rate q.
  Proof. apply exp_pos. Qed.

  Lemma below_by_rate x q : gumbel_below scale (x - q) = exp (- (rate q * exp (- (x / scale)))).
  Proof. unfold gumbel_below, rate. rewrite <- exp_plus. do 3 f_equal. field. lra. Qed.
  Lemma ranked_is_share names rest : forall x,
    ranked names rest x = shares names rest * exp (- ((rates names + rates rest) * exp (- (x / scale)))).
  Proof.
    induction names as [| a later IH]; intro x; simpl.
    - rewrite Rmult_1_l. unfold rates at 1. simpl. rewrite Rplus_0_l. unfold rates.
      induction rest as [| q rest IH]; simpl; [rewrite Rmult_0_l, Ropp_0, exp_0; reflexivity |].
      rewrite IH, below_by_rate, <- exp_plus. f_equal. ring.
    - pose proof (rate_positive a) as A. pose proof (rates_nonnegative later). pose proof (rates_nonnegative rest).
      set (others := rates later + rates rest) in *. set (w := others / rate a).
      assert (W : 0 <= w) by (apply Rmult_le_pos; [unfold others; lra | left; apply Rinv_0_lt_compat, A]).
      pose proof (integral_of_power w (gumbel_below scale (x - a)) W ltac:(unfold gumbel_below; apply exp_pos)) as P.
      apply is_RInt_unique.
      replace (rate a / (rates (a :: later) + rates rest) * shares later rest *
        exp (- ((rates (a :: later) + rates rest) * exp (- (x / scale))))) with
        (scal (shares later rest) (/ (w + 1) * exp ((w + 1) * ln (gumbel_below scale (x - a))))).
      2: { unfold scal. simpl. unfold mult. simpl. rewrite below_by_rate, ln_exp.
           replace (rates (a :: later) + rates rest) with (rate a + others)
             by (unfold rates, others; simpl; unfold rates; ring).
           replace ((w + 1) * - (rate a * exp (- (x / scale)))) with (- ((rate a + others) * exp (- (x / scale))))
             by (unfold w; field; lra).
           unfold w. field. unfold others. split; [lra |]. lra. }
      eapply is_RInt_ext; [| apply (is_RInt_scal (V := R_NormedModule)), P].
      intros y [Y Y']. rewrite Rmin_left in Y by (left; apply exp_pos).
      rewrite Rmax_right in Y' by (left; apply exp_pos).
      assert (Y1 : y < 1).
      { eapply Rlt_le_trans; [exact Y' |]. unfold gumbel_below. rewrite <- exp_0. apply exp_le.
        pose proof (exp_pos (- ((x - a) / scale))). lra. }
      pose proof (ln_increasing y 1 Y Y1) as low. rewrite ln_1 in low.
      rewrite IH. unfold scal. simpl. unfold mult. simpl. f_equal. f_equal. fold others.
      replace (- ((a + - (scale * ln (- ln y))) / scale)) with (- (a / scale) + ln (- ln y)) by (field; lra).
      rewrite exp_plus, exp_ln, exp_Ropp by lra. fold (rate a). unfold w. field. lra.
  Qed.
  Lemma ranked_first_is_share names rest : ranked_first names rest = shares names rest.
  Proof.
    destruct names as [| a later]; simpl; [reflexivity |].
    pose proof (rate_positive a) as A. pose proof (rates_nonnegative later). pose proof (rates_nonnegative rest).
    set (others := rates later + rates rest) in *. set (w := others / rate a).
    assert (W : 0 <= w) by (apply Rmult_le_pos; [unfold others; lra | left; apply Rinv_0_lt_compat, A]).
    pose proof (integral_of_power w 1 W Rlt_0_1) as P. rewrite ln_1, Rmult_0_r, exp_0, Rmult_1_r in P.
    apply is_RInt_unique.
    replace (rate a / (rates (a :: later) + rates rest) * shares later rest) with
      (scal (shares later rest) (/ (w + 1))).
    2: { unfold scal. simpl. unfold mult. simpl.
         replace (rates (a :: later) + rates rest) with (rate a + others)
             by (unfold rates, others; simpl; unfold rates; ring).
         unfold w. field. unfold others. split; lra. }
    eapply is_RInt_ext; [| apply (is_RInt_scal (V := R_NormedModule)), P].
    intros y Y. rewrite Rmin_left, Rmax_right in Y by lra.
    pose proof (ln_increasing y 1 ltac:(lra) ltac:(lra)) as low. rewrite ln_1 in low.
    rewrite ranked_is_share. unfold scal. simpl. unfold mult. simpl. f_equal. f_equal. fold others.
    replace (- ((a + - (scale * ln (- ln y))) / scale)) with (- (a / scale) + ln (- ln y)) by (field; lra).
    rewrite exp_plus, exp_ln, exp_Ropp by lra. fold (rate a). unfold w. field. lra.
  Qed.

  (* One more name: its share of those that are left. *)
  Lemma rates_without l i : (i < length l)%nat ->
    rates (map snd l) = rate (snd (nth i l (O, 0))) + rates (map snd (without i l)).
  Proof.
    revert i. induction l as [| q l IH]; intros [| i] I; simpl in *; try lia; unfold rates in *; simpl; [reflexivity |].
    rewrite (IH i) by lia. ring.
  Qed.
  Lemma shares_one_more names left i : (i < length left)%nat ->
    shares (names ++ [snd (nth i left (O, 0))]) (map snd (without i left)) =
    shares names (map snd left) * (rate (snd (nth i left (O, 0))) / rates (map snd left)).
  Proof.
    intro I. pose proof (rates_without left i I) as R. induction names as [| a names IH]; simpl.
    - unfold rates at 1. simpl. rewrite R. rewrite Rplus_0_r. ring.
    - rewrite IH. change (a :: names ++ [snd (nth i left (O, 0))]) with ((a :: names) ++ [snd (nth i left (O, 0))]).
      rewrite rates_app.
      replace (rates (a :: names) + rates [snd (nth i left (O, 0))] + rates (map snd (without i left))) with
        (rates (a :: names) + rates (map snd left)) by (rewrite R; unfold rates; simpl; ring). ring.
  Qed.

  (* The law of M, with Gumbel noise, on any scores. *)
  Lemma gumbel_winning_is_share s i : (i < length s)%nat -> gumbel_winning scale s i = rate (nth i s 0) / rates s.
  Proof.
    intro I. rewrite (gumbel_winning_is_weighted_mass scale scale_is_positive (fun q => q / scale));
      [| intros; field; lra | exact I].
    unfold weighted_mass, weight, all_weights, weight. f_equal. f_equal.
    rewrite (over_one_and_others (fun q => exp (q / scale)) s i I). unfold rates.
    assert (S : sum_of (map rate s) = rate (nth i s 0) + sum_of (map rate (others i s))).
    { revert i I. induction s as [| q s IH]; intros [| i] I; simpl in *; try lia; [reflexivity |].
      rewrite (IH i) by lia. unfold others. simpl. ring. }
    rewrite S. reflexivity.
  Qed.

  Lemma ranking_is_peeled (N : mechanism (list R) (plain nat)) k :
    (forall s, s <> [] -> has_masses (N s) (length s) (gumbel_winning scale s)) ->
    forall left named f, bounded f -> (k <= length left)%nat -> ranking k left named f =
    shares (map snd named) (map snd left) * peel N k left (fun later => f (map fst named ++ later)).
  Proof.
    intro gumbel. induction k as [| k IH]; intros left named f F enough; simpl.
    - rewrite ranked_first_is_share, app_nil_r. reflexivity.
    - assert (some : map snd left <> []) by (destruct left; simpl in *; [lia | discriminate]).
      rewrite (gumbel _ some) by (apply (peel_observable N k left (fun i later => nth i (map fst left) O :: later)
        (fun later => f (map fst named ++ later))); destruct F as [c C]; exists c; auto).
      rewrite map_length, <- over_multiple. apply over_same. intros i I.
      rewrite IH; [| exact F | pose proof (without_length i left); lia].
      rewrite map_app, map_app. simpl map at 2. rewrite shares_one_more by exact I.
      rewrite gumbel_winning_is_share by (rewrite map_length; exact I).
      rewrite (map_nth snd left (O, 0) i : nth i (map snd left) 0 = _).
      rewrite (map_nth fst left (O, 0) i : nth i (map fst left) O = _).
      rewrite Rmult_assoc. do 3 f_equal. apply functional_extensionality. intro later.
      rewrite <- app_assoc. reflexivity.
  Qed.

  (* one_shot_law: the k greatest noisy scores, in order, have the law of k selections by what has the law of M. *)
  Theorem one_shot_law (M N : mechanism (list R) (plain nat)) (one_shot : mechanism (list R) (plain (list nat))) k :
    (forall s, s <> [] -> has_masses (M s) (length s) (gumbel_winning scale s)) ->
    same_laws (fun s => s <> []) M N -> is_one_shot k one_shot ->
    same_laws (fun s => (k <= length s)%nat) one_shot (peeled_law N k).
  Proof.
    intros gumbel same shot s enough f F. rewrite (shot s enough f F). simpl.
    assert (law_of : forall s, s <> [] -> has_masses (N s) (length s) (gumbel_winning scale s)).
    { intros t some g G. rewrite <- (same t some g G). apply gumbel; assumption. }
    rewrite (ranking_is_peeled N k law_of _ [] f F); [apply Rmult_1_l |].
    rewrite combine_length, seq_length. lia.
  Qed.
End one_shot.

(* one_shot_law, applied: where Gumbel noise is that of scale 2, three at once have the law of three by weights. *)
Example three_at_once (two : 0 < 2) (one_shot : mechanism (list R) (plain (list nat))) : is_one_shot 2 3 one_shot ->
  same_laws (fun s => (3 <= length s)%nat) one_shot (peeled_law (by_weights (fun q => q / 2)) 3).
Proof.
  intro shot. apply (one_shot_law 2 two (by_weights (fun q => q / 2))); [| intros s some f F; reflexivity | exact shot].
  intros s some f F. rewrite (by_weights_masses _ s some f F). apply over_same. intros i I.
  rewrite (gumbel_winning_is_weighted_mass 2 two (fun q => q / 2)); [reflexivity | intros; field | exact I].
Qed.

(* What mechanisms cost together, by pairs of laws that dominate them.

   A pair (A, B) dominates two laws if no test tells these apart better than A and B can be told apart, at any exchange
   of one kind of error for the other.  Mechanisms that run one after another, each dominated by pairs that do not
   depend on the outcomes before, are together dominated by the product of these.  What the product has at e^epsilon is
   a number, which an engine encloses: here it is a premise.

   A pair is any measure in two parts, of which the share of the first is an observable.  So pairs are finite lists of
   weights, and two laws of which the share of one in both is known, as where both have densities. *)
From Coq Require Import Reals Lra Lia List Sorted Permutation PeanoNat FunctionalExtensionality.
From Refdp Require Import Laws Privacy Tables Rounds Sampling Optimal Definitions.
From Refdp Require General.
Import ListNotations.
Open Scope R_scope.

(* ---- Pairs ---- *)

(* Two measures, the first `share` of their sum `mass`, and the second the rest of it. *)
Record pair := Pair {
  mark : space;
  mass : (mark -> R) -> R;
  mass_part : Optimal.part mass;
  share : mark -> R;
  share_observable : observable share;
  share_between : forall s, 0 <= share s <= 1 }.

(* How far the product of pairs (A_i, B_i) is apart: the sum of the positive parts of x A_1 ... A_n - y B_1 ... B_n,
   over one mark after another.  Their order does not count, by apart_in_any_order. *)
Fixpoint apart (all : list pair) (x y : R) : R :=
  match all with
  | [] => Rmax 0 (x - y)
  | P :: rest => mass P (fun s => apart rest (x * share P s) (y * (1 - share P s)))
  end.
(* H_t, the hockey-stick divergence: what hockey_stick_finite says of finite pairs, and of_laws_least of two laws. *)
Definition hockey_stick (all : list pair) (t : R) : R := apart all 1 t.
(* For every t >= 0, no test accepts under p by more than H_t oftener than t times as often as under q. *)
Definition dominated_by (all : list pair) : measure := fun O p q =>
  forall f, test f -> forall t, 0 <= t -> E p f - t * E q f <= hockey_stick all t.
Arguments dominated_by _ {O} _ _.
Definition dominated (P : pair) : measure := @dominated_by [P].
Arguments dominated _ {O} _ _.

(* What such functions have in common. *)
Record profile (steepness : R) (G : R -> R -> R) : Prop := {
  profile_steepness : 0 <= steepness;
  profile_nonnegative : forall x y, 0 <= x -> 0 <= y -> 0 <= G x y;
  profile_nothing : forall y, 0 <= y -> G 0 y = 0;
  profile_multiple : forall c x y, 0 <= c -> 0 <= x -> 0 <= y -> G (c * x) (c * y) = c * G x y;
  profile_sum : forall x y x' y', 0 <= x -> 0 <= y -> 0 <= x' -> 0 <= y' -> G (x + x') (y + y') <= G x y + G x' y';
  profile_steady : forall x y x' y', 0 <= x -> 0 <= y -> 0 <= x' -> 0 <= y' ->
    G x y <= G x' y' + steepness * (Rabs (x - x') + Rabs (y - y')) }.
Arguments profile_steepness {steepness G} _.
Arguments profile_nonnegative {steepness G} _ _ _ _ _.
Arguments profile_nothing {steepness G} _ _ _.
Arguments profile_multiple {steepness G} _ _ _ _ _ _ _.
Arguments profile_sum {steepness G} _ _ _ _ _ _ _ _ _.
Arguments profile_steady {steepness G} _ _ _ _ _ _ _ _ _.

Lemma steady_continuity (h : R -> R) k : 0 <= k -> (forall a b, h a <= h b + k * Rabs (a - b)) -> continuity h.
Proof.
  intros K steady x eps positive. exists (eps / (k + 1)).
  split; [apply Rdiv_lt_0_compat; lra |]. intros z [_ close]. simpl in *. unfold R_dist in *.
  pose proof (steady z x) as up. pose proof (steady x z) as down. rewrite (Rabs_minus_sym x z) in down.
  assert (k * Rabs (z - x) < eps).
  { apply Rle_lt_trans with ((k + 1) * Rabs (z - x)); [pose proof (Rabs_pos (z - x)); lra |].
    apply (Rmult_lt_reg_l (/ (k + 1))); [apply Rinv_0_lt_compat; lra |].
    replace (/ (k + 1) * ((k + 1) * Rabs (z - x))) with (Rabs (z - x)) by (field; lra).
    replace (/ (k + 1) * eps) with (eps / (k + 1)) by (field; lra). exact close. }
  apply Rabs_def1; lra.
Qed.

Definition clip (z : R) : R := Rmax 0 (Rmin 1 z).
Lemma clip_between z : 0 <= clip z <= 1.
Proof. unfold clip, Rmax, Rmin. destruct (Rle_dec 1 z), (Rle_dec 0 _); lra. Qed.
Lemma clip_inside z : 0 <= z <= 1 -> clip z = z.
Proof. intro Z. unfold clip. rewrite Rmin_right, Rmax_right; lra. Qed.
Lemma clip_steady a b : Rabs (clip a - clip b) <= Rabs (a - b).
Proof.
  unfold clip, Rmax, Rmin, Rabs.
  destruct (Rle_dec 1 a), (Rle_dec 1 b), (Rcase_abs (a - b)); repeat destruct (Rle_dec 0 _);
    destruct (Rcase_abs _); lra.
Qed.

Lemma rate_nonnegative x s : 0 <= x -> 0 <= s <= 1 -> 0 <= x * s /\ 0 <= x * (1 - s).
Proof. intros X S. split; apply Rmult_le_pos; lra. Qed.
Lemma scaled_steady x a b : 0 <= x -> Rabs (x * a - x * b) = x * Rabs (a - b).
Proof. intro X. rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_right x); [reflexivity | lra]. Qed.

(* What a profile makes of the share can be integrated. *)
Lemma profile_of_share {steepness G} {O : space} (s : O -> R) x y : profile steepness G -> observable s ->
  (forall o, 0 <= s o <= 1) -> 0 <= x -> 0 <= y -> nonnegative (fun o => G (x * s o) (y * (1 - s o))).
Proof.
  intros H S between X Y. split.
  2:{ intro o. apply (profile_nonnegative H); apply rate_nonnegative; auto. }
  apply (observable_same O (fun o => (fun z => G (x * clip z) (y * (1 - clip z))) (s o))).
  { intro o. cbv beta. rewrite clip_inside by apply between. reflexivity. }
  apply (observable_image O (fun z => G (x * clip z) (y * (1 - clip z)))); [| exact S].
  apply (steady_continuity _ (steepness * (x + y))).
  { apply Rmult_le_pos; [apply (profile_steepness H) | lra]. }
  intros a b. pose proof (clip_between a) as A. pose proof (clip_between b) as B.
  destruct (rate_nonnegative x _ X A). destruct (rate_nonnegative y _ Y A).
  destruct (rate_nonnegative x _ X B). destruct (rate_nonnegative y _ Y B).
  eapply Rle_trans; [apply (profile_steady H _ _ (x * clip b) (y * (1 - clip b))); assumption |].
  apply Rplus_le_compat_l. rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply (profile_steepness H) |].
  rewrite !scaled_steady by assumption. replace (1 - clip a - (1 - clip b)) with (clip b - clip a) by ring.
  rewrite (Rabs_minus_sym (clip b)), <- Rmult_plus_distr_r.
  apply Rmult_le_compat_l; [lra | apply clip_steady].
Qed.

Definition hinge (x y : R) : R := Rmax 0 (x - y).
Lemma profile_hinge : profile 1 hinge.
Proof.
  unfold hinge. split.
  - lra.
  - intros x y _ _. apply Rmax_l.
  - intros y Y. apply Rmax_left. lra.
  - intros c x y C _ _. rewrite <- Rmult_minus_distr_l, <- RmaxRmult, Rmult_0_r; [reflexivity | exact C].
  - intros x y x' y' _ _ _ _. unfold Rmax. repeat destruct (Rle_dec 0 _); lra.
  - intros x y x' y' _ _ _ _. pose proof (Rle_abs (x - x')). pose proof (Rle_abs (- (y - y'))).
    rewrite Rabs_Ropp in *. pose proof (Rabs_pos (x - x')). pose proof (Rabs_pos (y - y')).
    unfold Rmax. repeat destruct (Rle_dec 0 _); lra.
Qed.
Lemma profile_of_pair (P : pair) {steepness G} : profile steepness G ->
  profile (steepness * mass P (fun _ => 1)) (fun x y => mass P (fun s => G (x * share P s) (y * (1 - share P s)))).
Proof.
  intro H. pose proof (mass_part P) as M. pose proof (share_between P) as B.
  assert (N : forall x y, 0 <= x -> 0 <= y -> nonnegative (fun s => G (x * share P s) (y * (1 - share P s)))).
  { intros x y. apply (profile_of_share (share P) x y H (share_observable P) B). }
  pose proof (nonnegative_constant (O := mark P) 1 ltac:(lra)) as one. split.
  - apply Rmult_le_pos; [apply (profile_steepness H) | apply (part_nonnegative M _ one)].
  - intros x y X Y. apply (part_nonnegative M), N; assumption.
  - intros y Y. replace (fun s => G (0 * share P s) (y * (1 - share P s))) with (fun _ : mark P => 0).
    + rewrite (part_constant _ 0 M) by lra. ring.
    + extensionality s. rewrite Rmult_0_l, (profile_nothing H); [reflexivity | apply rate_nonnegative; auto].
  - intros c x y C X Y. rewrite <- (part_multiple M c _ C (N x y X Y)). f_equal. extensionality s.
    rewrite !Rmult_assoc. apply (profile_multiple H); [exact C | apply rate_nonnegative; auto..].
  - intros x y x' y' X Y X' Y'. rewrite <- (part_sum M _ _ (N x y X Y) (N x' y' X' Y')).
    apply (part_monotone _ _ _ M).
    + apply N; lra.
    + apply nonnegative_sum; apply N; assumption.
    + intro s. rewrite !Rmult_plus_distr_r. apply (profile_sum H); apply rate_nonnegative; auto.
  - intros x y x' y' X Y X' Y'. set (d := Rabs (x - x') + Rabs (y - y')).
    replace (steepness * mass P (fun _ => 1) * d) with (steepness * d * mass P (fun _ => 1)) by ring.
    apply (part_between _ _ _ _ M (N x y X Y) (N x' y' X' Y')). intro s.
    eapply Rle_trans; [apply (profile_steady H _ _ (x' * share P s) (y' * (1 - share P s)));
      apply rate_nonnegative; auto |].
    apply Rplus_le_compat_l, Rmult_le_compat_l; [apply (profile_steepness H) |].
    rewrite <- !Rmult_minus_distr_r, !Rabs_mult. specialize (B s).
    rewrite (Rabs_right (share P s)), (Rabs_right (1 - share P s)) by lra. unfold d.
    apply Rplus_le_compat; [rewrite <- (Rmult_1_r (Rabs (x - x'))) at 2 | rewrite <- (Rmult_1_r (Rabs (y - y'))) at 2];
      apply Rmult_le_compat_l; try apply Rabs_pos; lra.
Qed.
Lemma profile_apart all : exists steepness, profile steepness (apart all).
Proof.
  induction all as [| P rest [steepness IH]]; [exists 1; exact profile_hinge |].
  exists (steepness * mass P (fun _ => 1)). exact (profile_of_pair P IH).
Qed.

(* ---- Laws that a pair dominates, and what is done in view of their outcome ---- *)

(* The sum of F over finitely many weights of a pair. *)
Definition over (F : R -> R -> R) (W : list (R * R)) (x y : R) : R :=
  fold_right (fun w rest => F (x * fst w) (y * snd w) + rest) 0 W.
Definition weighty (w : R * R) := 0 <= fst w /\ 0 <= snd w.
Definition steeper (w w' : R * R) := snd w * fst w' <= fst w * snd w'.

Lemma over_first F w W x y : over F (w :: W) x y = F (x * fst w) (y * snd w) + over F W x y.
Proof. reflexivity. Qed.
Lemma over_hinge_nonnegative W x y : 0 <= over hinge W x y.
Proof.
  induction W as [| w W IH]; simpl; [lra |]. pose proof (Rmax_l 0 (x * fst w - y * snd w)). unfold hinge in *. lra.
Qed.
(* Where the first of the weights is not steep enough, none is. *)
Lemma none_steep w W x y : Forall weighty W -> Forall (steeper w) W -> weighty w -> 0 < fst w -> 0 <= x -> 0 <= y ->
  x * fst w <= y * snd w -> over hinge W x y = 0.
Proof.
  intros N S [Na Nb] positive X Y flat. induction N as [| v W [Va Vb] N IH]; simpl; [reflexivity |].
  inversion S as [| ? ? steep others]; subst. rewrite (IH others). unfold hinge. rewrite Rmax_left; [ring |].
  unfold steeper in steep. assert (x * fst v <= y * snd v); [| lra].
  apply (Rmult_le_reg_l (fst w)); [exact positive |].
  apply Rle_trans with (y * (snd w * fst v)).
  - replace (fst w * (x * fst v)) with (x * fst w * fst v) by ring. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; assumption.
  - replace (fst w * (y * snd v)) with (y * (fst w * snd v)) by ring. apply Rmult_le_compat_l; assumption.
Qed.

Section in_view.
  Context {O : space} (p q : law O) (H : R -> R -> R).
  Hypothesis no_further : forall f, test f -> forall x y, 0 <= x -> 0 <= y -> x * E p f - y * E q f <= H x y.

  (* If what follows an outcome o is u o and v o, no further apart than a finite pair, then there are tests of each of
     its weights, in view of o, that make up u and no more than v. *)
  Lemma in_view_of_weights W : StronglySorted steeper W -> Forall weighty W -> forall u v : O -> R,
    observable u -> observable v -> (forall o, 0 <= u o) ->
    (forall o x y, 0 <= x -> 0 <= y -> x * u o - y * v o <= over hinge W x y) ->
    forall x y, 0 <= x -> 0 <= y -> x * E p u - y * E q v <= over H W x y.
  Proof.
    intros sorted all. induction sorted as [| [a b] W sorted IH steep]; intros u v U V positive told x y X Y.
    - simpl in *. assert (E p u <= 0).
      { rewrite <- (E_constant p 0). apply E_monotone; auto using observable_constant.
        intro o. pose proof (told o 1 0). lra. }
      assert (0 <= E q v).
      { apply E_nonnegative; [exact V |]. intro o. pose proof (told o 0 1). lra. }
      assert (0 <= x * - E p u) by (apply Rmult_le_pos; lra). assert (0 <= y * E q v) by (apply Rmult_le_pos; lra).
      lra.
    - inversion all as [| ? ? [A B] others]; subst. simpl in A, B. specialize (IH others).
      assert (S : exists f, test f /\ (forall o, 0 <= u o - a * f o) /\ forall o x y, 0 <= x -> 0 <= y ->
        x * (u o - a * f o) - y * (v o - b * f o) <= over hinge W x y).
      { destruct A as [A | <-].
        - exists (fun o => Rmin 1 (/ a * u o)). assert (0 < / a) by (apply Rinv_0_lt_compat, A). split; [split |].
          + apply observable_least; [apply observable_constant | apply observable_multiple, U].
          + intro o. split; [| apply Rmin_l].
            apply Rmin_glb; [lra | apply Rmult_le_pos; [lra | apply positive]].
          + assert (part : forall o, a * (/ a * u o) = u o) by (intro; field; lra). split.
            * intro o. assert (a * Rmin 1 (/ a * u o) <= a * (/ a * u o)) by (apply Rmult_le_compat_l; [lra |
                apply Rmin_r]). rewrite part in *. lra.
            * intros o x' y' X' Y'. specialize (part o). pose proof (told o b a B ltac:(lra)) as edge.
              rewrite over_first in edge. simpl fst in edge. simpl snd in edge.
              rewrite (none_steep (a, b) W b a) in edge; simpl; try assumption; try lra;
                [| split; simpl; lra].
              unfold hinge at 1 in edge. rewrite Rmax_left in edge by lra.
              pose proof (over_hinge_nonnegative W x' y') as zero.
              unfold Rmin. destruct (Rle_dec 1 (/ a * u o)) as [full | partly].
              -- assert (a <= u o) by (rewrite <- part, <- (Rmult_1_r a) at 1; apply Rmult_le_compat_l; lra).
                 rewrite !Rmult_1_r. pose proof (told o x' y' X' Y') as line.
                 rewrite over_first in line. simpl fst in line. simpl snd in line. unfold hinge at 1 in line.
                 destruct (Rle_dec (y' * b) (x' * a)) as [more | less].
                 ++ rewrite Rmax_right in line by lra. lra.
                 ++ assert (x' * (u o - a) <= y' * (v o - b)); [| lra].
                    apply (Rmult_le_reg_l a); [exact A |].
                    apply Rle_trans with (y' * b * (u o - a)).
                    ** rewrite <- Rmult_assoc, (Rmult_comm a x'). apply Rmult_le_compat_r; lra.
                    ** replace (y' * b * (u o - a)) with (y' * (b * (u o - a))) by ring.
                       replace (a * (y' * (v o - b))) with (y' * (a * (v o - b))) by ring.
                       apply Rmult_le_compat_l; lra.
              -- rewrite part. assert (b * (/ a * u o) <= v o).
                 { apply (Rmult_le_reg_l a); [exact A |].
                   replace (a * (b * (/ a * u o))) with (b * u o) by (field; lra). lra. }
                 assert (0 <= y' * (v o - b * (/ a * u o))) by (apply Rmult_le_pos; lra). lra.
        - exists (fun _ => 0). split; [split; [apply observable_constant | intro; lra] | split].
          + intro o. rewrite Rmult_0_l, Rminus_0_r. apply positive.
          + intros o x' y' X' Y'. rewrite !Rmult_0_r, !Rminus_0_r. pose proof (told o x' y' X' Y') as line.
            rewrite over_first in line. simpl fst in line. simpl snd in line. unfold hinge at 1 in line.
            rewrite Rmax_left in line; [lra |].
            assert (0 <= y' * b) by (apply Rmult_le_pos; assumption). lra. }
      destruct S as (f & F & left & rest).
      assert (U' : observable (fun o => u o - a * f o)) by (apply observable_difference; [exact U |
        apply observable_multiple, F]).
      assert (V' : observable (fun o => v o - b * f o)) by (apply observable_difference; [exact V |
        apply observable_multiple, F]).
      pose proof (IH _ _ U' V' left rest x y X Y) as tail.
      rewrite !E_difference, !E_multiple in tail; try assumption; try apply F; try apply observable_multiple, F.
      pose proof (no_further f F (x * a) (y * b) ltac:(apply Rmult_le_pos; assumption)
        ltac:(apply Rmult_le_pos; assumption)) as head.
      rewrite over_first. simpl fst. simpl snd. lra.
  Qed.
End in_view.

(* Every profile is nearly that of a finite pair, which is a little further apart: its chords. *)
Section chords.
  Context {steepness : R} {G : R -> R -> R} (H : profile steepness G) (n : nat) (some : (0 < n)%nat).
  Let N := INR n.
  Let level (k : nat) := G (INR k) (N - INR k).
  Let bend (k : nat) := level (S k) - 2 * level k + level (pred k).
  Let weights (k : nat) := (bend k * (N - INR k) / N, bend k * INR k / N).

  Lemma N_positive : 0 < N.
  Proof. apply lt_0_INR, some. Qed.
  Lemma level_0 : level 0 = 0.
  Proof. pose proof N_positive. apply (profile_nothing H). simpl. lra. Qed.
  Lemma bend_nonnegative k : (k < n)%nat -> 0 <= bend k.
  Proof.
    intro K. apply le_INR in K. rewrite S_INR in K. fold N in K. unfold bend.
    destruct k as [| k].
    - simpl pred. rewrite level_0. unfold level. simpl in *.
      pose proof (profile_nonnegative H 1 (N - 1) ltac:(lra) ltac:(lra)). lra.
    - simpl pred. unfold level. rewrite !S_INR in *. pose proof (pos_INR k). set (i := INR k) in *.
      pose proof (profile_sum H (i + 1 + 1) (N - (i + 1 + 1)) i
        (N - i) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as K'.
      replace (i + 1 + 1 + i) with (2 * (i + 1)) in K' by ring.
      replace (N - (i + 1 + 1) + (N - i)) with (2 * (N - (i + 1))) in K' by ring.
      rewrite (profile_multiple H) in K' by lra. lra.
  Qed.
  Lemma weights_weighty k : (k < n)%nat -> weighty (weights k).
  Proof.
    intro K. pose proof (bend_nonnegative k K). pose proof N_positive. apply le_INR in K. rewrite S_INR in K.
    fold N in K.
    pose proof (pos_INR k).
    split; simpl; apply Rmult_le_pos; try (left; apply Rinv_0_lt_compat; assumption); apply Rmult_le_pos; lra.
  Qed.
  Lemma weights_sorted from count : (from + count <= n)%nat ->
    Forall weighty (map weights (seq from count)) /\ StronglySorted steeper (map weights (seq from count)).
  Proof.
    revert from. induction count as [| count IH]; intros from below; simpl; [split; constructor |].
    destruct (IH (S from) ltac:(lia)) as [all sorted].
    split; constructor; try assumption; [apply weights_weighty; lia |].
    rewrite Forall_map, Forall_forall. intros k K. apply in_seq in K. unfold steeper. simpl.
    pose proof (bend_nonnegative from ltac:(lia)). pose proof (bend_nonnegative k ltac:(lia)). pose proof N_positive.
    assert (INR from <= INR k) by (apply le_INR; lia). pose proof (pos_INR from).
    assert (0 <= bend from * bend k / N * (INR k - INR from)).
    { apply Rmult_le_pos; [| lra]. apply Rmult_le_pos; [apply Rmult_le_pos; assumption |].
      left. apply Rinv_0_lt_compat; assumption. }
    assert (bend from * (N - INR from) / N * (bend k * INR k / N) - bend from * INR from / N * (bend k *
      (N - INR k) / N) =
      bend from * bend k / N * (INR k - INR from)) by (field; lra). lra.
  Qed.
  Lemma over_in_order F x y : over F (map weights (seq 0 n)) x y =
    sum_below n (fun k => F (x * fst (weights k)) (y * snd (weights k))).
  Proof.
    assert (last : forall W w, over F (W ++ [w]) x y = over F W x y + F (x * fst w) (y * snd w)).
    { intros W w. induction W as [| v W IH]; simpl; [ring |]. rewrite IH. ring. }
    clear some. generalize n at 1 2 as count. induction count as [| count IH]; [reflexivity |].
    rewrite seq_S, map_app. change (map weights [(0 + count)%nat]) with [weights count]. rewrite last, IH. reflexivity.
  Qed.
  (* Between two places the chord. *)
  Lemma chord j z : sum_below (S j) (fun k => bend k * (z - INR k)) = level j + (z - INR j) * (level (S j) - level j).
  Proof.
    induction j as [| j IH].
    - simpl. unfold bend. simpl pred. rewrite level_0. ring.
    - change (sum_below (S (S j)) ?f) with (sum_below (S j) f + f (S j)). rewrite IH. unfold bend. simpl pred.
      rewrite (S_INR j). ring.
  Qed.
  Lemma no_more_below f j m : (j <= m)%nat -> (forall k, (j <= k)%nat -> f k = 0) -> sum_below m f = sum_below j f.
  Proof.
    intros J zero. induction J as [| m J IH]; [reflexivity |]. simpl. rewrite IH, (zero m J). ring.
  Qed.
  Lemma a_place m z : (0 < m)%nat -> 0 <= z <= INR m -> exists j, (j < m)%nat /\ INR j <= z <= INR (S j).
  Proof.
    intros M Z. induction m as [| m IH]; [lia |]. destruct (Rle_dec (INR m) z) as [above | below].
    - exists m. split; [lia |]. lra.
    - destruct m as [| m]; [simpl in below; lra |]. destruct (IH ltac:(lia) ltac:(lra)) as (j & J & between).
      exists j. split; [lia | exact between].
  Qed.
  Lemma hinges_at z : 0 <= z <= N -> G z (N - z) <= sum_below n (fun k => bend k * Rmax 0 (z - INR k)) /\
    sum_below n (fun k => bend k * Rmax 0 (z - INR k)) <= G z (N - z) + 2 * steepness.
  Proof.
    intro Z. destruct (a_place n z some Z) as (j & J & [low high]). rewrite S_INR in high.
    assert (value : sum_below n (fun k => bend k * Rmax 0 (z - INR k)) =
      level j + (z - INR j) * (level (S j) - level j)).
    { rewrite <- chord, (no_more_below _ (S j) n ltac:(lia)).
      - apply sum_below_same. intros k K. rewrite Rmax_right; [reflexivity |].
        assert (INR k <= INR j) by (apply le_INR; lia). lra.
      - intros k K. apply le_INR in K. rewrite S_INR in K. rewrite Rmax_left by lra. ring. }
    rewrite value. apply le_INR in J. rewrite S_INR in J. fold N in J. pose proof (pos_INR j).
    unfold level. rewrite S_INR. set (i := INR j) in *. set (w := z - i).
    assert (W : 0 <= w <= 1) by (unfold w; lra).
    replace (G i (N - i) + w * (G (i + 1) (N - (i + 1)) - G i (N - i)))
      with ((1 - w) * G i (N - i) + w * G (i + 1) (N - (i + 1))) by ring.
    split.
    - rewrite <- !(profile_multiple H) by lra.
      replace (G z (N - z)) with (G ((1 - w) * i + w * (i + 1)) ((1 - w) * (N - i) + w * (N - (i + 1))))
        by (f_equal; unfold w; ring).
      apply (profile_sum H); apply Rmult_le_pos; lra.
    - pose proof (profile_steepness H).
      assert (near : forall x, 0 <= x <= N -> Rabs (x - z) <= 1 -> G x (N - x) <= G z (N - z) + 2 * steepness).
      { intros x X close. pose proof (profile_steady H x (N - x) z (N - z)) as K.
        replace (N - x - (N - z)) with (- (x - z)) in K by ring. rewrite Rabs_Ropp in K.
        assert (steepness * (Rabs (x - z) + Rabs (x - z)) <= steepness * 2) by (apply Rmult_le_compat_l; lra).
        specialize (K ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)). lra. }
      pose proof (near i ltac:(lra) ltac:(apply Rabs_le; lra)) as first.
      pose proof (near (i + 1) ltac:(lra) ltac:(apply Rabs_le; lra)) as second.
      apply (Rmult_le_compat_l (1 - w)) in first; [| lra]. apply (Rmult_le_compat_l w) in second; [| lra]. lra.
  Qed.
  Lemma bends k : sum_below (S k) bend = level (S k) - level k.
  Proof.
    induction k as [| k IH]; [simpl; unfold bend; simpl pred; rewrite level_0; ring |].
    change (sum_below (S (S k)) bend) with (sum_below (S k) bend + bend (S k)). rewrite IH. unfold bend. simpl pred.
    ring.
  Qed.
  Lemma chords : exists W, Forall weighty W /\ StronglySorted steeper W /\ over Rplus W 1 1 <= 2 * steepness /\
    forall x y, 0 <= x -> 0 <= y ->
    G x y <= over hinge W x y /\ over hinge W x y <= G x y + 2 * steepness / N * (x + y).
  Proof.
    exists (map weights (seq 0 n)). destruct (weights_sorted 0 n ltac:(lia)) as [all sorted].
    split; [exact all |]. split; [exact sorted |]. pose proof N_positive. split.
    { rewrite over_in_order, (sum_below_same n _ bend) by (intros; simpl; field; lra).
      pose proof (le_INR 1 n ltac:(lia)) as one. simpl in one. fold N in one.
      replace n with (S (pred n)) by lia. rewrite bends. replace (S (pred n)) with n by lia. unfold level.
      rewrite <- Nat.sub_1_r, minus_INR by lia. simpl (INR 1). fold N.
      pose proof (profile_steady H N (N - N) (N - 1) (N - (N - 1)) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as K.
      rewrite (Rabs_right (N - (N - 1))), (Rabs_left (N - N - (N - (N - 1)))) in K by lra. lra. }
    intros x y X Y. rewrite over_in_order.
    destruct (Req_dec (x + y) 0) as [none | both].
    - assert (x = 0) by lra. assert (y = 0) by lra. subst.
      rewrite (profile_nothing H) by lra. rewrite (sum_below_same n _ (fun _ => 0)).
      + rewrite sum_below_constant, Rplus_0_r, !Rmult_0_r. lra.
      + intros k _. unfold hinge. rewrite !Rmult_0_l. apply Rmax_left. lra.
    - pose (r := (x + y) / N). pose (z := N * x / (x + y)).
      assert (positive : 0 < r) by (apply Rdiv_lt_0_compat; lra).
      assert (Z : 0 <= z <= N).
      { assert (0 < / (x + y)) by (apply Rinv_0_lt_compat; lra). unfold z, Rdiv. rewrite Rmult_assoc.
        assert (0 <= x * / (x + y)) by (apply Rmult_le_pos; lra).
        assert (0 <= y * / (x + y)) by (apply Rmult_le_pos; lra).
        assert (x * / (x + y) + y * / (x + y) = 1) by (field; lra).
        split; [apply Rmult_le_pos; lra |]. rewrite <- (Rmult_1_r N) at 2. apply Rmult_le_compat_l; lra. }
      assert (value : G x y = r * G z (N - z)).
      { rewrite <- (profile_multiple H) by lra. f_equal; unfold r, z; field; lra. }
      rewrite (sum_below_same n _ (fun k => r * (bend k * Rmax 0 (z - INR k)))).
      + rewrite sum_below_multiple, value. destruct (hinges_at z Z) as [low high].
        replace (2 * steepness / N * (x + y)) with (r * (2 * steepness)) by (unfold r; field; lra).
        rewrite <- Rmult_plus_distr_l. split; apply Rmult_le_compat_l; lra.
      + intros k K. pose proof (bend_nonnegative k K). unfold hinge. rewrite <- Rmult_assoc.
        rewrite <- RmaxRmult, Rmult_0_r by (apply Rmult_le_pos; lra). f_equal. simpl. unfold r, z. field. lra.
  Qed.
End chords.

(* Many pairs before a profile, and finitely many weights after them. *)
Fixpoint onto (all : list pair) (G : R -> R -> R) (x y : R) : R :=
  match all with
  | [] => G x y
  | P :: rest => mass P (fun s => onto rest G (x * share P s) (y * (1 - share P s)))
  end.
Lemma apart_onto all : apart all = onto all hinge.
Proof. induction all as [| P rest IH]; [reflexivity |]. simpl. rewrite IH. reflexivity. Qed.
Lemma apart_joined all others : apart (all ++ others) = onto all (apart others).
Proof. induction all as [| P rest IH]; [reflexivity |]. simpl. rewrite IH. reflexivity. Qed.
Lemma profile_onto all {steepness G} : profile steepness G -> exists k, profile k (onto all G).
Proof.
  intro H. induction all as [| P rest [k IH]]; [exists steepness; exact H |].
  exists (k * mass P (fun _ => 1)). exact (profile_of_pair P IH).
Qed.
Lemma profile_over W {steepness G} : profile steepness G -> Forall weighty W -> exists k, profile k (over G W).
Proof.
  intros H all. induction all as [| [a b] W [A B] all [k IH]].
  - exists 0. split; simpl; intros; lra.
  - simpl in A, B. exists (steepness * (a + b) + k). pose proof (profile_steepness H) as S.
    pose proof (profile_steepness IH).
    assert (0 <= steepness * (a + b)) by (apply Rmult_le_pos; lra).
    assert (scaled : forall c d, 0 <= c -> 0 <= d -> 0 <= c * d) by (intros; apply Rmult_le_pos; assumption).
    split; intros; rewrite ?over_first; simpl fst; simpl snd.
    + lra.
    + pose proof (profile_nonnegative H (x * a) (y * b) ltac:(auto) ltac:(auto)).
      pose proof (profile_nonnegative IH x y ltac:(auto) ltac:(auto)). lra.
    + rewrite Rmult_0_l, (profile_nothing H), (profile_nothing IH) by auto. ring.
    + rewrite (profile_multiple IH), !Rmult_assoc, (profile_multiple H) by auto. ring.
    + rewrite !Rmult_plus_distr_r.
      pose proof (profile_sum H (x * a) (y * b) (x' * a) (y' * b) ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto)).
      pose proof (profile_sum IH x y x' y' ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto)). lra.
    + pose proof (profile_steady H (x * a) (y * b) (x' * a) (y' * b)) as K.
      specialize (K ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto)).
      pose proof (profile_steady IH x y x' y' ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto)).
      rewrite <- !Rmult_minus_distr_r, !Rabs_mult, (Rabs_right a), (Rabs_right b) in K by lra.
      set (u := Rabs (x - x')) in *. set (v := Rabs (y - y')) in *.
      assert (0 <= u) by apply Rabs_pos. assert (0 <= v) by apply Rabs_pos.
      assert (steepness * (u * a + v * b) <= steepness * ((a + b) * (u + v))); [| lra].
      apply Rmult_le_compat_l; [exact S |]. pose proof (scaled v a). pose proof (scaled u b). lra.
Qed.
Lemma over_onto all {steepness G} W x y : profile steepness G -> Forall weighty W -> 0 <= x -> 0 <= y ->
  over (onto all G) W x y = onto all (over G W) x y.
Proof.
  intros H weights. revert x y. induction all as [| P rest IH]; intros x y X Y; [reflexivity |].
  simpl onto. pose proof (mass_part P) as M. pose proof (share_between P) as B.
  destruct (profile_onto rest H) as [k K].
  transitivity (mass P (fun s => over (onto rest G) W (x * share P s) (y * (1 - share P s)))).
  - clear IH. assert (N : forall V, Forall weighty V ->
      nonnegative (fun s => over (onto rest G) V (x * share P s) (y * (1 - share P s)))).
    { intros V all. destruct (profile_over V K all) as [k' K'].
      apply (profile_of_share (share P) x y K' (share_observable P) B X Y). }
    induction weights as [| [a b] W [W1 W2] weights IHW].
    + simpl. rewrite (part_constant _ 0 M) by lra. ring.
    + assert (first : nonnegative (fun s => onto rest G (x * share P s * a) (y * (1 - share P s) * b))).
      { replace (fun s => onto rest G (x * share P s * a) (y * (1 - share P s) * b))
          with (fun s => onto rest G (x * a * share P s) (y * b * (1 - share P s)))
          by (extensionality s; f_equal; ring).
        apply (profile_of_share (share P) _ _ K (share_observable P) B); apply Rmult_le_pos; assumption. }
      rewrite over_first, IHW. simpl fst. simpl snd.
      transitivity (mass P (fun s => onto rest G (x * share P s * a) (y * (1 - share P s) * b)) +
        mass P (fun s => over (onto rest G) W (x * share P s) (y * (1 - share P s)))).
      * f_equal. f_equal. extensionality s. f_equal; ring.
      * rewrite <- (part_sum M _ _ first (N W weights)). reflexivity.
  - f_equal. extensionality s. apply IH; apply rate_nonnegative; auto.
Qed.
Fixpoint size (all : list pair) : R := match all with [] => 1 | P :: rest => size rest * mass P (fun _ => 1) end.
Lemma size_nonnegative all : 0 <= size all.
Proof.
  induction all as [| P rest IH]; simpl; [lra |]. apply Rmult_le_pos; [exact IH |].
  apply (part_nonnegative (mass_part P)), nonnegative_constant. lra.
Qed.
Lemma onto_at_most all {k k' G G'} c x y : profile k G -> profile k' G' -> 0 <= c ->
  (forall x y, 0 <= x -> 0 <= y -> G x y <= G' x y + c * (x + y)) -> 0 <= x -> 0 <= y ->
  onto all G x y <= onto all G' x y + c * size all * (x + y).
Proof.
  intros H H' C below. revert x y. induction all as [| P rest IH]; intros x y X Y; simpl.
  - rewrite Rmult_1_r. apply below; assumption.
  - destruct (profile_onto rest H) as [l L]. destruct (profile_onto rest H') as [l' L'].
    pose proof (share_between P) as B. pose proof (mass_part P) as M.
    replace (c * (size rest * mass P (fun _ => 1)) * (x + y)) with (c * size rest * (x + y) * mass P (fun _ => 1))
      by ring.
    apply (part_between _ _ _ _ M);
      [apply (profile_of_share (share P) x y L (share_observable P) B X Y) |
       apply (profile_of_share (share P) x y L' (share_observable P) B X Y) |].
    intro s. specialize (B s).
    eapply Rle_trans; [apply IH; apply rate_nonnegative; assumption |]. apply Rplus_le_compat_l, Rmult_le_compat_l.
    + apply Rmult_le_pos; [exact C | apply size_nonnegative].
    + apply Rplus_le_compat; [rewrite <- (Rmult_1_r x) at 2 | rewrite <- (Rmult_1_r y) at 2];
        apply Rmult_le_compat_l; lra.
Qed.

Lemma dominated_by_weighed all {O : space} (p q : law O) : dominated_by all p q ->
  forall f, test f -> forall x y, 0 <= x -> 0 <= y -> x * E p f - y * E q f <= apart all x y.
Proof.
  intros D f F x y X Y. destruct (profile_apart all) as [steepness H].
  pose proof (E_test q f F). destruct X as [X | <-].
  - assert (0 <= / x * y) by (apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, X | exact Y]).
    pose proof (D f F (/ x * y) ltac:(assumption)) as K. apply (Rmult_le_compat_l x) in K; [| lra].
    unfold hockey_stick in K. rewrite <- (profile_multiple H) in K by lra.
    replace (x * (/ x * y)) with y in K by (field; lra). rewrite Rmult_1_r in K.
    replace (x * (E p f - / x * y * E q f)) with (x * E p f - y * E q f) in K by (field; lra). exact K.
  - pose proof (profile_nonnegative H 0 y ltac:(lra) Y) as zero.
    assert (0 <= y * E q f) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma dominated_weighed (P : pair) {O : space} (p q : law O) : dominated P p q ->
  forall f, test f -> forall x y, 0 <= x -> 0 <= y -> x * E p f - y * E q f <= apart [P] x y.
Proof. apply (dominated_by_weighed [P]). Qed.

Lemma nearly a b c : 0 <= c -> (forall n, (0 < n)%nat -> a <= b + c / INR n) -> a <= b.
Proof.
  intros C close. destruct (Rle_dec a b) as [fine | more]; [exact fine | exfalso].
  assert (room : 0 < (a - b) / (c + 1)) by (apply Rdiv_lt_0_compat; lra).
  destruct (archimed_cor1 _ room) as (n & small & some). specialize (close n some). unfold Rdiv in close.
  assert (c * / INR n <= c * ((a - b) / (c + 1))) by (apply Rmult_le_compat_l; lra).
  assert (c * ((a - b) / (c + 1)) + (a - b) / (c + 1) = a - b) by (field; lra). lra.
Qed.
(* What follows outcomes of laws that these pairs dominate, itself no further apart than others whatever the outcome
   is. *)
Lemma dominated_then all others {O : space} (p q : law O) (u v : O -> R) x y :
  dominated_by all p q -> observable u -> observable v -> (forall o, 0 <= u o) ->
  (forall o x y, 0 <= x -> 0 <= y -> x * u o - y * v o <= apart others x y) -> 0 <= x -> 0 <= y ->
  x * E p u - y * E q v <= apart (all ++ others) x y.
Proof.
  intros D U V positive told X Y. rewrite apart_joined. destruct (profile_apart others) as [steepness H].
  set (c := 2 * steepness * size all * (x + y)).
  assert (C : 0 <= c).
  { pose proof (profile_steepness H). pose proof (size_nonnegative all). unfold c. repeat apply Rmult_le_pos; lra. }
  assert (close : forall n, (0 < n)%nat -> x * E p u - y * E q v <= onto all (apart others) x y + c / INR n).
  { intros n some. destruct (chords H n some) as (W & weights & sorted & _ & near).
    pose proof (in_view_of_weights p q (apart all) (dominated_by_weighed all p q D) W sorted weights) as K.
    specialize (K u v U V positive).
    specialize (K ltac:(intros o a b A A'; eapply Rle_trans; [apply told | apply near]; assumption) x y X Y).
    eapply Rle_trans; [exact K |]. rewrite apart_onto, (over_onto all W x y profile_hinge weights X Y).
    destruct (profile_over W profile_hinge weights) as [k' H'].
    assert (0 < INR n) by (apply lt_0_INR, some).
    replace (c / INR n) with (2 * steepness / INR n * size all * (x + y)) by (unfold c; field; lra).
    apply (onto_at_most all _ x y H' H); [| | exact X | exact Y].
    - apply Rmult_le_pos; [pose proof (profile_steepness H); lra | left; apply Rinv_0_lt_compat; assumption].
    - intros a b A B. apply near; assumption. }
  exact (nearly _ _ c C close).
Qed.

(* ---- The product of pairs ---- *)

Lemma over_at_most e F G W x y : 0 <= e -> (forall a b, 0 <= a -> 0 <= b -> F a b <= G a b + e * (a + b)) ->
  Forall weighty W -> 0 <= x -> 0 <= y -> over F W x y <= over G W x y + e * ((x + y) * over Rplus W 1 1).
Proof.
  intros E0 below all X Y. induction all as [| [a b] W [A B] all IH].
  - simpl. rewrite Rmult_0_r, Rmult_0_r. lra.
  - rewrite !over_first. simpl in A, B. simpl fst. simpl snd. rewrite !Rmult_1_l.
    pose proof (below (x * a) (y * b) ltac:(apply Rmult_le_pos; assumption) ltac:(apply Rmult_le_pos; assumption)).
    assert (e * (x * a + y * b) <= e * ((x + y) * (a + b))).
    { apply Rmult_le_compat_l; [exact E0 |]. pose proof (Rmult_le_pos x b X B). pose proof (Rmult_le_pos y a Y A).
      lra. }
    lra.
Qed.
Lemma over_swapped V W x y : over (over hinge V) W x y = over (over hinge W) V x y.
Proof.
  induction W as [| [a b] W IH].
  - induction V as [| v V IHV]; [reflexivity |]. rewrite over_first, <- IHV. simpl. ring.
  - rewrite over_first, IH. simpl fst. simpl snd. clear IH. induction V as [| [c d] V IHV]; [simpl; ring |].
    rewrite !over_first, <- IHV. simpl fst. simpl snd.
    replace (hinge (x * a * c) (y * b * d)) with (hinge (x * c * a) (y * d * b)) by (f_equal; ring). ring.
Qed.
(* At the weights of the chords of a profile, what they make of others is nearly what it makes of them. *)
Lemma chords_of all {steepness G} n : (0 < n)%nat -> profile steepness G -> exists W, Forall weighty W /\
  over Rplus W 1 1 <= 2 * steepness /\
  (forall x y, 0 <= x -> 0 <= y -> G x y <= over hinge W x y <= G x y + 2 * steepness / INR n * (x + y)) /\
  forall x y, 0 <= x -> 0 <= y -> onto all G x y <= over (apart all) W x y <=
    onto all G x y + 2 * steepness / INR n * size all * (x + y).
Proof.
  intros some H. destruct (chords H n some) as (W & weights & _ & few & near). exists W.
  split; [exact weights |]. split; [exact few |]. split; [exact near |]. intros x y X Y.
  destruct (profile_over W profile_hinge weights) as [k K].
  assert (0 <= 2 * steepness / INR n).
  { apply Rmult_le_pos; [pose proof (profile_steepness H); lra | left; apply Rinv_0_lt_compat, lt_0_INR, some]. }
  rewrite apart_onto, (over_onto all W x y profile_hinge weights X Y). split.
  - pose proof (onto_at_most all 0 x y H K ltac:(lra)) as L. rewrite !Rmult_0_l, Rplus_0_r in L.
    apply L; [| exact X | exact Y]. intros a b A B. rewrite Rmult_0_l, Rplus_0_r. apply near; assumption.
  - apply (onto_at_most all _ x y K H); try assumption. intros a b A B. apply near; assumption.
Qed.
(* Pairs may be replaced by such as are further apart, beside all others (the lemma "Profiles", 2). *)
Theorem apart_replaced all all' others x y :
  (forall x y, 0 <= x -> 0 <= y -> apart all x y <= apart all' x y) -> 0 <= x -> 0 <= y ->
  apart (all ++ others) x y <= apart (all' ++ others) x y.
Proof.
  intros below X Y. rewrite !apart_joined. destruct (profile_apart others) as [k H].
  apply (nearly _ _ (2 * k * size all' * (x + y))).
  { pose proof (profile_steepness H). pose proof (size_nonnegative all'). repeat apply Rmult_le_pos; lra. }
  intros n some. destruct (chords H n some) as (W & weights & _ & _ & near).
  destruct (profile_over W profile_hinge weights) as [k' K]. assert (0 < INR n) by (apply lt_0_INR, some).
  assert (0 <= 2 * k / INR n).
  { apply Rmult_le_pos; [pose proof (profile_steepness H); lra | left; apply Rinv_0_lt_compat; assumption]. }
  replace (2 * k * size all' * (x + y) / INR n) with (2 * k / INR n * size all' * (x + y)) by (field; lra).
  pose proof (onto_at_most all 0 x y H K ltac:(lra)) as L. rewrite !Rmult_0_l, Rplus_0_r in L.
  eapply Rle_trans; [apply L; [| exact X | exact Y] |].
  { intros a b A B. rewrite Rmult_0_l, Rplus_0_r. apply near; assumption. }
  eapply Rle_trans; [| apply (onto_at_most all' _ x y K H); [assumption | | exact X | exact Y]].
  2:{ intros a b A B. apply near; assumption. }
  rewrite <- !(over_onto _ W x y profile_hinge weights X Y), <- !apart_onto.
  pose proof (over_at_most 0 (apart all) (apart all') W x y ltac:(lra)) as M. rewrite Rmult_0_l, Rplus_0_r in M.
  apply M; try assumption. intros a b A B. rewrite Rmult_0_l, Rplus_0_r. apply below; assumption.
Qed.
Lemma apart_rotated_at_most all others x y : 0 <= x -> 0 <= y -> apart (all ++ others) x y <= apart
  (others ++ all) x y.
Proof.
  intros X Y. rewrite !apart_joined. destruct (profile_apart others) as [k H]. destruct (profile_apart all) as [l L].
  pose proof (profile_steepness H). pose proof (profile_steepness L). pose proof (size_nonnegative others).
  apply (nearly _ _ ((2 * k * (2 * l) + 2 * l * size others) * (x + y))).
  { apply Rmult_le_pos; [| lra]. apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra. }
  intros n some. assert (N : 0 < INR n) by (apply lt_0_INR, some). assert (0 < / INR n) by (apply Rinv_0_lt_compat, N).
  destruct (chords_of all n some H) as (W & W1 & _ & W3 & W4).
  destruct (chords_of others n some L) as (V & V1 & V2 & V3 & V4).
  assert (E1 : 0 <= 2 * k / INR n) by (apply Rmult_le_pos; lra).
  eapply Rle_trans; [apply (W4 x y X Y) |].
  assert (S1 : over (apart all) W x y <= over (over hinge V) W x y).
  { pose proof (over_at_most 0 (apart all) (over hinge V) W x y ltac:(lra)) as M. rewrite Rmult_0_l, Rplus_0_r in M.
    apply M; try assumption. intros a b A B. rewrite Rmult_0_l, Rplus_0_r. apply V3; assumption. }
  rewrite over_swapped in S1.
  pose proof (over_at_most (2 * k / INR n) (over hinge W) (apart others) V x y E1
    (fun a b A B => proj2 (W3 a b A B)) V1 X Y) as S2.
  assert (S3 : 2 * k / INR n * ((x + y) * over Rplus V 1 1) <= 2 * k / INR n * ((x + y) * (2 * l))).
  { apply Rmult_le_compat_l; [exact E1 |]. apply Rmult_le_compat_l; lra. }
  destruct (V4 x y X Y) as [_ S4].
  replace ((2 * k * (2 * l) + 2 * l * size others) * (x + y) / INR n) with
    (2 * k / INR n * ((x + y) * (2 * l)) + 2 * l / INR n * size others * (x + y)) by (field; lra). lra.
Qed.
Lemma apart_rotated all others x y : 0 <= x -> 0 <= y -> apart (all ++ others) x y = apart (others ++ all) x y.
Proof. intros. apply Rle_antisym; apply apart_rotated_at_most; assumption. Qed.
Lemma apart_after rest all others : (forall x y, 0 <= x -> 0 <= y -> apart all x y = apart others x y) ->
  forall x y, 0 <= x -> 0 <= y -> apart (rest ++ all) x y = apart (rest ++ others) x y.
Proof.
  intro same. induction rest as [| P rest IH]; [exact same |]. intros x y X Y. simpl.
  f_equal. extensionality s. apply IH; apply rate_nonnegative; try assumption; apply share_between.
Qed.
Lemma apart_exchanged first second rest x y : 0 <= x -> 0 <= y ->
  apart (first ++ second ++ rest) x y = apart (second ++ first ++ rest) x y.
Proof.
  intros X Y.
  assert (grouped : forall a b c : list pair, a ++ b ++ c = (a ++ b) ++ c).
  { intros a b c. induction a as [| P a IH]; [reflexivity |]. simpl. rewrite IH. reflexivity. }
  rewrite !grouped, !(apart_rotated _ rest) by assumption. apply apart_after; [| exact X | exact Y].
  intros a b A B. apply apart_rotated; assumption.
Qed.
(* Nor does their order count. *)
Theorem apart_in_any_order (P : nat -> list pair) l l' : Permutation l l' -> forall x y, 0 <= x -> 0 <= y ->
  apart (concat (map P l)) x y = apart (concat (map P l')) x y.
Proof.
  induction 1 as [| i l l' _ IH | i j l | l l' l'' _ IH _ IH']; intros x y X Y; simpl.
  - reflexivity.
  - apply apart_after; assumption.
  - apply apart_exchanged; assumption.
  - rewrite IH by assumption. apply IH'; assumption.
Qed.

(* ---- Mechanisms that run together ---- *)

(* Equal laws need no pair. *)
Lemma dominated_by_none {O : space} (p q : law O) : same_law p q -> dominated_by [] p q.
Proof.
  intros same f F t T. rewrite (same f (proj1 F)). pose proof (E_test q f F).
  unfold hockey_stick, apart, Rmax. destruct (Rle_dec 0 (1 - t)); nra.
Qed.
(* Of two steps, the second of which reads the outcome of the first, the pairs are those of both. *)
Theorem dominated_by_both all others {O P : space} (p q : law O) (k l : kernel O P) :
  dominated_by all p q -> (forall o, dominated_by others (k o) (l o)) ->
  dominated_by (all ++ others) (both p k) (both q l).
Proof.
  intros D D' f F t T.
  assert (S : forall o, test (fun c => f (o, c))) by (intro o; split; [apply F | intro; apply F]).
  assert (K : forall k : kernel O P, test (fun o => E (k o) (fun c => f (o, c)))).
  { intro z. split; [exact (run_observable z (fun o c => f (o, c)) (proj1 F)) | intro o; apply E_test, S]. }
  pose proof (dominated_then all others p q _ _ 1 t D (proj1 (K k)) (proj1 (K l)) (fun o => proj1 (proj2
    (K k) o))) as C.
  simpl. unfold hockey_stick. rewrite Rmult_1_l in C. apply C; [| lra | exact T].
  intros o x y X Y. apply (dominated_by_weighed others (k o) (l o) (D' o) _ (S o)); assumption.
Qed.
(* What pairs have at e^epsilon is the delta of what they dominate. *)
Lemma dominated_by_is_approximate all {O : space} (p q : law O) epsilon delta :
  dominated_by all p q -> hockey_stick all (exp epsilon) <= delta -> approximate epsilon delta p q.
Proof.
  intros D small f F. pose proof (D f F (exp epsilon) ltac:(left; apply exp_pos)). lra.
Qed.

(* Mechanisms that are chosen one after another, each in view of all outcomes so far, whose pairs were fixed
   beforehand, are together dominated by the product of these. *)
Theorem rounds_dominated {X : Type} (near : X -> X -> Prop) (pairs : list (list pair)) (O : space)
  (M : mechanism X O) :
  round_by_round near (fun all => @dominated_by all) pairs O M -> private near M (dominated_by (concat pairs)).
Proof.
  intro sequence.
  induction sequence as [O p | pairs O P p N _ IH | all pairs O P M N first _ IH]; intros x y n; simpl.
  - apply dominated_by_none. intros f F. reflexivity.
  - apply (dominated_by_both []); [apply dominated_by_none; intros f F; reflexivity | intro o; apply (IH o x y n)].
  - apply dominated_by_both; [apply first, n | intro o; apply (IH o x y n)].
Qed.

(* account_rounds: what the product has at e^epsilon is their delta.  Where neighbours have no order, `near` holds of
   them both ways, and each pair dominates both. *)
Theorem account_rounds {X : Type} (near : X -> X -> Prop) (pairs : list (list pair)) (O : space) (M : mechanism X O)
    epsilon delta :
  round_by_round near (fun all => @dominated_by all) pairs O M -> hockey_stick (concat pairs) (exp epsilon) <= delta ->
  private near M (approximate epsilon delta).
Proof.
  intros sequence small x y n. apply (dominated_by_is_approximate (concat pairs)); [| exact small].
  apply (rounds_dominated near pairs O M sequence x y n).
Qed.
(* The same where one of two neighbours has more: one product for each order. *)
Definition in_either_order {X : Type} (more : X -> X -> Prop) (x y : X) := more x y \/ more y x.
Definition in_reverse {X : Type} (more : X -> X -> Prop) (x y : X) := more y x.
Theorem account_rounds_in_order {X : Type} (more : X -> X -> Prop) (pairs pairs' : list (list pair)) (O : space)
    (M : mechanism X O) epsilon delta :
  round_by_round more (fun all => @dominated_by all) pairs O M ->
  round_by_round (in_reverse more) (fun all => @dominated_by all) pairs' O M ->
  hockey_stick (concat pairs) (exp epsilon) <= delta -> hockey_stick (concat pairs') (exp epsilon) <= delta ->
  private (in_either_order more) M (approximate epsilon delta).
Proof.
  intros sequence sequence' small small' x y [n | n].
  - apply (account_rounds more pairs); assumption.
  - apply (account_rounds (in_reverse more) pairs'); assumption.
Qed.

(* account: mechanisms 0, ..., n - 1 that draw independently, the one numbered i dominated by the pairs P i. *)
Section independent.
  Context {X : Type} {Answer : nat -> space} (M : forall i, mechanism X (Answer i)).
  Context (beside : forall i j x, integrates_beside (Answer j) (M i x)).
  Theorem account (near : X -> X -> Prop) (P : nat -> list pair) n epsilon delta :
    (forall i, (i < n)%nat -> private near (M i) (@dominated_by (P i) (Answer i))) ->
    hockey_stick (concat (map P (seq 0 n))) (exp epsilon) <= delta ->
    private near (together M beside n) (approximate epsilon delta).
  Proof.
    intros parts small. apply (account_rounds near (map P (rev (seq 0 n)))).
    - apply (together_round_by_round M beside near (fun all => @dominated_by all) P n parts).
    - unfold hockey_stick in *.
      rewrite (apart_in_any_order P (rev (seq 0 n)) (seq 0 n) (Permutation_sym (Permutation_rev _)));
        [exact small | lra | left; apply exp_pos].
  Qed.
  Theorem account_in_order (more : X -> X -> Prop) (P Q : nat -> list pair) n epsilon delta :
    (forall i, (i < n)%nat -> private more (M i) (@dominated_by (P i) (Answer i))) ->
    (forall i, (i < n)%nat -> private (in_reverse more) (M i) (@dominated_by (Q i) (Answer i))) ->
    hockey_stick (concat (map P (seq 0 n))) (exp epsilon) <= delta ->
    hockey_stick (concat (map Q (seq 0 n))) (exp epsilon) <= delta ->
    private (in_either_order more) (together M beside n) (approximate epsilon delta).
  Proof.
    intros parts parts' small small' x y [near | near].
    - apply (account more P); assumption.
    - apply (account (in_reverse more) Q); assumption.
  Qed.
End independent.
(* And k independent draws of one; `copies` are k times its pairs. *)
Definition copies (all : list pair) (k : nat) : list pair := concat (map (fun _ => all) (seq 0 k)).
Theorem account_many {X : Type} {O : space} (near : X -> X -> Prop) (M : mechanism X O)
    (beside : forall x, integrates_beside O (M x)) P k epsilon delta :
  private near M (dominated_by P) -> hockey_stick (copies P k) (exp epsilon) <= delta ->
  private near (fun x => draws (M x) (beside x) k) (approximate epsilon delta).
Proof.
  intros H small. refine (account_rounds near _ _ _ epsilon delta _ small). clear small. generalize 0%nat.
  induction k as [| k IH]; intro start; simpl.
  - apply (nothing_more near (fun all => @dominated_by all) (plain unit) (certain (O := plain unit) tt)).
  - exact (next_round near (fun all => @dominated_by all) P (map (fun _ => P) (seq (S start) k)) O (power O k) M
      (fun x => regardless (draws (M x) (beside x) k) (proj2_sig (draws_beside (M x) (beside x) k))) H
      (fun _ => IH (S start))).
Qed.
(* Two mechanisms that draw independently, whatever their outcomes are; what is dominated is so with others again. *)
Theorem account_drawn {X : Type} {O P Q : space} (near : X -> X -> Prop) (tell : O -> P -> Q) (M : mechanism X O)
    (N : mechanism X P) (J : mechanism X Q) all others :
  General.independent tell M N J -> private near M (dominated_by all) -> private near N (dominated_by others) ->
  private near J (dominated_by (all ++ others)).
Proof.
  intros independent H H' x y n f F t T. unfold hockey_stick.
  destruct (independent x f (proj1 F)) as (sections & K & ->). destruct (independent y f (proj1 F)) as (_ & L & ->).
  assert (S : forall o, test (fun b => f (tell o b))) by (intro o; split; [apply sections | intro; apply F]).
  rewrite <- (Rmult_1_l (E (M x) _)).
  apply (dominated_then all others); [apply H, n | exact K | exact L | | | lra | exact T].
  - intro o. apply E_test, S.
  - intros o a b A B. apply (dominated_by_weighed others (N x) (N y) (H' x y n) _ (S o)); assumption.
Qed.

(* ---- Finite pairs ---- *)

(* Weights (a_i, b_i); what is negative counts as 0. *)
Definition finite (W : list (R * R)) : pair.
Proof.
  pose (size := fun w : R * R => Rmax 0 (fst w) + Rmax 0 (snd w)).
  assert (zero : forall w, 0 <= Rmax 0 (fst w) /\ 0 <= Rmax 0 (snd w)) by (intro; split; apply Rmax_l).
  assert (between : forall w, 0 <= Rmax 0 (fst w) / size w <= 1).
  { intro w. destruct (zero w) as [A B]. unfold size. set (a := Rmax 0 (fst w)) in *. set (b := Rmax 0 (snd w)) in *.
    destruct (Req_dec a 0) as [-> | some]; [unfold Rdiv; lra |].
    assert (0 < / (a + b)) by (apply Rinv_0_lt_compat; lra). assert (0 <= b * / (a + b)) by (apply Rmult_le_pos; lra).
    assert (a * / (a + b) + b * / (a + b) = 1) by (field; lra). unfold Rdiv.
    split; [apply Rmult_le_pos; lra | lra]. }
  refine (Pair (plain (R * R)) (fun f => Sampling.sum_over W (fun w => size w * f w)) _
    (fun w => Rmax 0 (fst w) / size w) _ between).
  - split.
    + intros f [_ F]. replace 0 with (Sampling.sum_over W (fun _ => 0 * 0)).
      * apply Sampling.sum_over_monotone. intros w _. specialize (zero w). rewrite Rmult_0_l.
        apply Rmult_le_pos; [unfold size; lra | apply F].
      * rewrite Sampling.sum_over_multiple. ring.
    + intros f g _ _. rewrite <- Sampling.sum_over_sum. apply Sampling.sum_over_same. intros; ring.
    + intros c f _ _. rewrite <- Sampling.sum_over_multiple. apply Sampling.sum_over_same. intros; ring.
  - exists 1. intro w. specialize (between w). simpl in *. lra.
Defined.

Lemma over_finite (G : R -> R -> R) W x y :
  (forall c a b, 0 <= c -> 0 <= a -> 0 <= b -> G (c * a) (c * b) = c * G a b) -> Forall weighty W -> 0 <= x -> 0
    <= y ->
  mass (finite W) (fun s => G (x * share (finite W) s) (y * (1 - share (finite W) s))) = over G W x y.
Proof.
  intros multiple all X Y. simpl. induction all as [| [a b] W [A B] all IH]; simpl; [reflexivity |].
  rewrite IH. f_equal. simpl in A, B. rewrite !(Rmax_right 0) by assumption.
  destruct (Req_dec (a + b) 0) as [none | some].
  - assert (a = 0) by lra. assert (b = 0) by lra. subst.
    pose proof (multiple 0 0 0 ltac:(lra) ltac:(lra) ltac:(lra)) as zero. rewrite Rmult_0_l in zero.
    rewrite !Rmult_0_r, zero. ring.
  - assert (0 < / (a + b)) by (apply Rinv_0_lt_compat; lra).
    assert (S : 0 <= a / (a + b) <= 1).
    { assert (0 <= b * / (a + b)) by (apply Rmult_le_pos; lra).
      assert (a * / (a + b) + b * / (a + b) = 1) by (field; lra).
      split; [apply Rmult_le_pos; lra | unfold Rdiv; lra]. }
    rewrite <- multiple by (try apply rate_nonnegative; lra). f_equal; field; lra.
Qed.

(* The product of finite pairs has the products of their weights: so H_t is the sum of all (a - t b)+. *)
Fixpoint products (all : list (list (R * R))) : list (R * R) :=
  match all with
  | [] => [(1, 1)]
  | W :: rest => flat_map (fun w => map (fun v => (fst w * fst v, snd w * snd v)) (products rest)) W
  end.
Lemma apart_finite all x y : Forall (Forall weighty) all -> 0 <= x -> 0 <= y ->
  apart (map finite all) x y = over hinge (products all) x y.
Proof.
  intro W. revert x y. induction W as [| W rest here later IH]; intros x y X Y.
  - simpl. unfold hinge. rewrite !Rmult_1_r, Rplus_0_r. reflexivity.
  - destruct (profile_apart (map finite rest)) as [steepness H].
    change (apart (map finite (W :: rest)) x y) with
      (mass (finite W) (fun s => apart (map finite rest) (x * share (finite W) s) (y * (1 - share (finite W) s)))).
    rewrite (over_finite _ W x y (fun c a b => profile_multiple H c a b) here X Y). cbn [products].
    assert (joined : forall V V', over hinge (V ++ V') x y = over hinge V x y + over hinge V' x y).
    { intros V V'. induction V as [| v V IHV]; [simpl; ring |]. rewrite <- app_comm_cons, !over_first, IHV. ring. }
    clear H. induction here as [| [a b] W [A B] here IHW]; [reflexivity |]. cbn [flat_map].
    rewrite joined, <- IHW, over_first. f_equal. simpl in A, B. simpl fst. simpl snd.
    rewrite IH by (apply Rmult_le_pos; assumption). clear.
    induction (products rest) as [| v V IHV]; [reflexivity |]. simpl map. rewrite !over_first, IHV. simpl.
    f_equal. unfold hinge. f_equal. ring.
Qed.
Theorem hockey_stick_finite all t : Forall (Forall weighty) all -> 0 <= t ->
  hockey_stick (map finite all) t = sum (map (fun w => Rmax 0 (fst w - t * snd w)) (products all)).
Proof.
  intros W T. unfold hockey_stick. rewrite apart_finite by (assumption || lra).
  induction (products all) as [| w V IH]; [reflexivity |]. rewrite over_first, IH. simpl. unfold hinge, sum.
  rewrite Rmult_1_l. reflexivity.
Qed.

(* ---- Which pairs dominate what ---- *)

(* Two measures of mass 1. *)
Definition whole (P : pair) := mass P (share P) = 1 /\ mass P (fun s => 1 - share P s) = 1.
Lemma share_nonnegative P : nonnegative (share P).
Proof. split; [apply share_observable | intro s; apply (share_between P s)]. Qed.
Lemma rest_nonnegative P : nonnegative (fun s => 1 - share P s).
Proof.
  split; [apply observable_difference; [apply observable_constant | apply share_observable] |].
  intro s. pose proof (share_between P s). lra.
Qed.
Lemma hinge_nonnegative P x y : 0 <= x -> 0 <= y -> nonnegative (fun s => hinge (x * share P s) (y * (1 - share P s))).
Proof. apply (profile_of_share (share P) x y profile_hinge (share_observable P) (share_between P)). Qed.
(* x A - y B, of all and of nothing *)
Lemma apart_at_least P x y : whole P -> 0 <= x -> 0 <= y -> x - y <= apart [P] x y.
Proof.
  intros [first second] X Y. pose proof (mass_part P) as M. simpl.
  pose proof (nonnegative_multiple x _ X (share_nonnegative P)) as A.
  pose proof (nonnegative_multiple y _ Y (rest_nonnegative P)) as B.
  pose proof (hinge_nonnegative P x y X Y) as C.
  assert (K : mass P (fun s => x * share P s) <=
    mass P (fun s => y * (1 - share P s) + hinge (x * share P s) (y * (1 - share P s)))).
  { apply (part_monotone _ _ _ M A); [apply nonnegative_sum; assumption |]. intro s. unfold hinge.
    pose proof (Rmax_r 0 (x * share P s - y * (1 - share P s))). lra. }
  rewrite (part_sum M _ _ B C), (part_multiple M x _ X (share_nonnegative P)),
    (part_multiple M y _ Y (rest_nonnegative P)), first, second in K. unfold hinge in K. lra.
Qed.
Lemma apart_nonnegative all x y : 0 <= x -> 0 <= y -> 0 <= apart all x y.
Proof. intros X Y. destruct (profile_apart all) as [steepness H]. apply (profile_nonnegative H); assumption. Qed.

(* Equal laws are no further apart than any two. *)
Theorem dominated_same (P : pair) {O : space} (p q : law O) : whole P -> same_law p q -> dominated P p q.
Proof.
  intros W same f F t T. rewrite (same f (proj1 F)). pose proof (E_test q f F).
  pose proof (apart_at_least P 1 t W ltac:(lra) T). pose proof (apart_nonnegative [P] 1 t ltac:(lra) T).
  unfold hockey_stick. destruct (Rle_dec t 1); nra.
Qed.

(* (B, A) *)
Definition reversed (P : pair) : pair.
Proof.
  refine (Pair (mark P) (mass P) (mass_part P) (fun s => 1 - share P s) (proj1 (rest_nonnegative P)) _).
  intro s. pose proof (share_between P s). lra.
Defined.
Lemma apart_reversed P x y : whole P -> 0 <= x -> 0 <= y -> apart [reversed P] x y + y = apart [P] y x + x.
Proof.
  intros [first second] X Y. pose proof (mass_part P) as M.
  pose proof (hinge_nonnegative P y x Y X) as C. pose proof (hinge_nonnegative (reversed P) x y X Y) as C'.
  change (nonnegative (fun s : mark P => hinge (x * (1 - share P s)) (y * (1 - (1 - share P s))))) in C'.
  pose proof (nonnegative_multiple y _ Y (share_nonnegative P)) as A.
  pose proof (nonnegative_multiple x _ X (rest_nonnegative P)) as B.
  assert (S : mass P (fun s => hinge (x * (1 - share P s)) (y * (1 - (1 - share P s))) + y * share P s) =
    mass P (fun s => hinge (y * share P s) (x * (1 - share P s)) + x * (1 - share P s))).
  { f_equal. extensionality s. unfold hinge, Rmax. repeat destruct (Rle_dec 0 _); lra. }
  rewrite (part_sum M _ _ C' A), (part_sum M _ _ C B), (part_multiple M y _ Y (share_nonnegative P)),
    (part_multiple M x _ X (rest_nonnegative P)), first, second in S.
  simpl. unfold hinge in S. lra.
Qed.
(* What dominates two laws dominates them in reverse when it is reversed. *)
Theorem dominated_reversed (P : pair) {O : space} (p q : law O) : whole P -> dominated P p q ->
  dominated (reversed P) q p.
Proof.
  intros W D f F t T. pose proof (dominated_weighed P p q D _ (test_complement f F) t 1 T ltac:(lra)) as K.
  rewrite !E_difference, !E_one in K by (apply observable_constant || apply F).
  pose proof (apart_reversed P 1 t W ltac:(lra) T). unfold hockey_stick. lra.
Qed.
(* It is enough to look at both orders from t = 1 on. *)
Theorem dominated_from_one (P : pair) {O : space} (p q : law O) : whole P ->
  (forall f, test f -> forall t, 1 <= t -> E p f - t * E q f <= hockey_stick [P] t) ->
  (forall f, test f -> forall t, 1 <= t -> E q f - t * E p f <= hockey_stick [reversed P] t) -> dominated P p q.
Proof.
  intros W D D' f F t T. destruct (Rle_dec 1 t) as [above | below]; [apply D; assumption |].
  destruct T as [T | <-].
  - assert (inverse : t * / t = 1) by (apply Rinv_r; lra). assert (positive : 0 < / t) by (apply Rinv_0_lt_compat, T).
    assert (above : 1 <= / t) by nra. pose proof (D' _ (test_complement f F) (/ t) above) as K.
    rewrite !E_difference, !E_one in K by (apply observable_constant || apply F).
    apply (Rmult_le_compat_l t) in K; [| lra].
    destruct (profile_apart [reversed P]) as [steepness H]. unfold hockey_stick in K.
    rewrite <- (profile_multiple H t 1 (/ t)) in K by lra. rewrite inverse, Rmult_1_r in K.
    pose proof (apart_reversed P t 1 W ltac:(lra) ltac:(lra)). unfold hockey_stick.
    replace (t * (1 - E q f - / t * (1 - E p f))) with (t * (1 - E q f) - t * / t * (1 - E p f)) in K by ring.
    rewrite inverse in K. lra.
  - pose proof (apart_at_least P 1 0 W ltac:(lra) ltac:(lra)). pose proof (E_test p f F). unfold hockey_stick. lra.
Qed.

(* approximate and pure, in both orders: the response, which fails with probability d, and is else a coin of odds
   exp(e). *)
Definition response_weights (e d : R) : list (R * R) :=
  [(d, 0); ((1 - d) * (exp e / (1 + exp e)), (1 - d) * (1 / (1 + exp e)));
   ((1 - d) * (1 / (1 + exp e)), (1 - d) * (exp e / (1 + exp e))); (0, d)].
Definition response_pair (e d : R) : pair := finite (response_weights e d).
Lemma response_weighty e d : 0 <= d <= 1 -> Forall weighty (response_weights e d).
Proof.
  intro D. pose proof (exp_pos e). assert (0 < 1 / (1 + exp e)) by (apply Rdiv_lt_0_compat; lra).
  assert (0 < exp e / (1 + exp e)) by (apply Rdiv_lt_0_compat; lra).
  repeat (apply Forall_cons || apply Forall_nil); split; simpl; try apply Rmult_le_pos; lra.
Qed.
Theorem dominated_approximate {O : space} (p q : law O) e d : 0 <= e -> 0 <= d <= 1 ->
  approximate e d p q -> approximate e d q p -> dominated (response_pair e d) p q.
Proof.
  intros N D H H' f F y Y. pose proof (exp_at_least_1 e N) as T.
  unfold hockey_stick. change (apart [response_pair e d] 1 y) with (apart (map finite [response_weights e d]) 1 y).
  rewrite apart_finite by (lra || (apply Forall_cons; [apply response_weighty, D | apply Forall_nil])).
  specialize (H f F). specialize (H' _ (test_complement f F)).
  rewrite !E_difference, !E_one in H' by (apply observable_constant || apply F).
  pose proof (E_test p f F) as U. pose proof (E_test q f F) as V.
  simpl. unfold hinge. set (t := exp e) in *. set (u := E p f) in *. set (v := E q f) in *.
  pose (c := / (1 + t)). assert (C : 0 < c) by (apply Rinv_0_lt_compat; lra).
  assert (two : t * c + c = 1) by (unfold c; field; lra). unfold Rdiv. fold c.
  pose proof (Rmax_l 0 (1 * (0 * 1) - y * (d * 1))).
  assert (kept : 0 <= (1 - d) * c) by (apply Rmult_le_pos; lra).
  pose proof (Rmax_r 0 (1 * (d * 1) - y * (0 * 1))).
  pose proof (Rmax_r 0 (1 * ((1 - d) * (t * c) * 1) - y * ((1 - d) * (1 * c) * 1))) as toward.
  pose proof (Rmax_l 0 (1 * ((1 - d) * (t * c) * 1) - y * ((1 - d) * (1 * c) * 1))).
  pose proof (Rmax_r 0 (1 * ((1 - d) * (1 * c) * 1) - y * ((1 - d) * (t * c) * 1))) as against.
  pose proof (Rmax_l 0 (1 * ((1 - d) * (1 * c) * 1) - y * ((1 - d) * (t * c) * 1))).
  set (r1 := Rmax 0 (1 * (d * 1) - _)) in *. set (r2 := Rmax 0 (1 * ((1 - d) * (t * c) * 1) - _)) in *.
  set (r3 := Rmax 0 (1 * ((1 - d) * (1 * c) * 1) - _)) in *. set (r4 := Rmax 0 _) in *.
  destruct (Rle_dec t y) as [high | not_high]; [| destruct (Rle_dec 1 (y * t)) as [middle | low]].
  - assert (t * v <= y * v) by (apply Rmult_le_compat_r; lra). lra.
  - (* (y t - 1) times the first, (t - y) times the second *)
    assert (T1 : 1 < t) by nra.
    assert (A : (y * t - 1) * u <= (y * t - 1) * (t * v + d)) by (apply Rmult_le_compat_l; lra).
    assert (B : (t - y) * (1 - v) <= (t - y) * (t * (1 - u) + d)) by (apply Rmult_le_compat_l; lra).
    assert (K : (t * t - 1) * (u - y * v) <= (t * t - 1) * (d + (1 - d) * c * (t - y))).
    { replace ((t * t - 1) * (d + (1 - d) * c * (t - y))) with ((t - 1) * ((1 + t) * d + (1 - d) * (t - y)))
        by (unfold c; field; lra). lra. }
    apply Rmult_le_reg_l in K; [| nra]. lra.
  - assert (B : y * (1 - v) <= y * (t * (1 - u) + d)) by (apply Rmult_le_compat_l; lra).
    assert ((1 - y * t) * u <= (1 - y * t) * 1) by (apply Rmult_le_compat_l; lra).
    assert (S : d + ((1 - d) * (t * c) - y * ((1 - d) * c) + ((1 - d) * c - y * ((1 - d) * (t * c)))) = 1 - y + d * y).
    { replace (t * c) with (1 - c) by lra. ring. }
    lra.
Qed.
Theorem dominated_pure {O : space} (p q : law O) e : 0 <= e -> pure e p q -> pure e q p ->
  dominated (response_pair e 0) p q.
Proof. intros N. apply dominated_approximate; [exact N | lra]. Qed.
(* Finitely many weights that each sum to 1 are whole. *)
Lemma whole_finite W : Forall weighty W -> sum (map fst W) = 1 -> sum (map snd W) = 1 -> whole (finite W).
Proof.
  intros all first second.
  assert (K : mass (finite W) (share (finite W)) = sum (map fst W) /\
    mass (finite W) (fun s => 1 - share (finite W) s) = sum (map snd W)).
  { clear first second. simpl. induction all as [| [a b] W [A B] all [IH IH']]; [simpl; lra |].
    simpl. rewrite IH, IH'. simpl in A, B. rewrite !(Rmax_right 0) by assumption. unfold sum.
    split; f_equal; (destruct (Req_dec (a + b) 0) as [none | some]; [rewrite none; lra | field; exact some]). }
  rewrite first, second in K. exact K.
Qed.

(* ---- Pairs of two laws ---- *)

(* The share of A in A + B: what densities a and b make a / (a + b). *)
Definition is_share {S : space} (A B : law S) (s : S -> R) :=
  observable s /\ (forall o, 0 <= s o <= 1) /\
  forall f, nonnegative f -> E A (fun o => (1 - s o) * f o) = E B (fun o => s o * f o).
Theorem share_of_densities {S : space} (I : integral S) (A B : law S) (a b s : S -> R) :
  has_density I (fun o => o) A a -> has_density I (fun o => o) B b -> observable s -> (forall o, 0 <= s o <= 1) ->
  (forall o, (1 - s o) * a o = s o * b o) -> is_share A B s.
Proof.
  intros [_ DA] [_ DB] S1 between same. split; [exact S1 | split; [exact between |]]. intros f [F _].
  assert (FA : observable (fun o => (1 - s o) * f o)).
  { apply observable_product; [apply observable_difference; [apply observable_constant |] |]; assumption. }
  assert (FB : observable (fun o => s o * f o)) by (apply observable_product; assumption).
  destruct (DA _ FA) as [IA ->]. destruct (DB _ FB) as [_ ->].
  apply integral_same; [exact IA |]. intro o. replace ((1 - s o) * f o * a o) with (f o * ((1 - s o) * a o)) by ring.
  rewrite same. ring.
Qed.

Section two_laws.
  Context {S : space} (A B : law S) (s : S -> R) (shares : is_share A B s).
  Definition of_laws : pair.
  Proof.
    refine (Pair S (fun f => 1 * E A f + 1 * E B f) _ s (proj1 shares) (proj1 (proj2 shares))).
    apply part_combined; try apply law_part; lra.
  Defined.
  Lemma of_first f : nonnegative f -> mass of_laws (fun o => s o * f o) = E A f.
  Proof.
    intros F. destruct shares as (S1 & between & same). simpl. rewrite <- (same f F).
    assert (observable (fun o => s o * f o)) by (apply observable_product; [exact S1 | apply F]).
    assert (observable (fun o => (1 - s o) * f o)).
    { apply observable_product; [apply observable_difference; [apply observable_constant | exact S1] | apply F]. }
    rewrite !Rmult_1_l, <- E_sum by assumption. f_equal. extensionality o. ring.
  Qed.
  Lemma of_second f : nonnegative f -> mass of_laws (fun o => (1 - s o) * f o) = E B f.
  Proof.
    intros F. destruct shares as (S1 & between & same). simpl. rewrite (same f F).
    assert (observable (fun o => s o * f o)) by (apply observable_product; [exact S1 | apply F]).
    assert (observable (fun o => (1 - s o) * f o)).
    { apply observable_product; [apply observable_difference; [apply observable_constant | exact S1] | apply F]. }
    rewrite !Rmult_1_l, <- E_sum by assumption. f_equal. extensionality o. ring.
  Qed.
  Lemma whole_of_laws : whole of_laws.
  Proof.
    pose proof (nonnegative_constant (O := S) 1 ltac:(lra)) as one. split.
    - transitivity (mass of_laws (fun o => s o * 1)); [f_equal; extensionality o; simpl; ring |].
      rewrite (of_first _ one). apply E_one.
    - transitivity (mass of_laws (fun o => (1 - s o) * 1)); [f_equal; extensionality o; simpl; ring |].
      rewrite (of_second _ one). apply E_one.
  Qed.
  Lemma weighed_test f (F : test f) x y : 0 <= x -> 0 <= y ->
    nonnegative (O := mark of_laws) (fun o => x * (s o * f o)) /\ nonnegative (O := mark of_laws) (fun o => y *
      ((1 - s o) * f o)) /\
    mass of_laws (fun o : mark of_laws => x * (s o * f o)) = x * E A f /\ mass of_laws (fun o : mark of_laws => y *
      ((1 - s o) * f o)) = y * E B f.
  Proof.
    intros X Y. pose proof (nonnegative_test f F) as N.
    assert (L : nonnegative (fun o => s o * f o) /\ nonnegative (fun o => (1 - s o) * f o)).
    { split; (split; [apply observable_product; [| apply F] | intro o; apply Rmult_le_pos; [| apply F]]);
        [apply (share_nonnegative of_laws)..| apply (rest_nonnegative of_laws) | apply (rest_nonnegative of_laws)]. }
    destruct L as [L L']. rewrite <- (of_first f N), <- (of_second f N).
    repeat split; try (apply nonnegative_multiple; assumption); apply (part_multiple (mass_part of_laws)); assumption.
  Qed.
  (* H_t is the greatest of A f - t B f: no less, so that the pair dominates its own laws, and no more. *)
  Theorem of_laws_dominated : dominated of_laws A B.
  Proof.
    intros f F t T. destruct (weighed_test f F 1 t ltac:(lra) T) as (NA & NB & MA & MB).
    pose proof (hinge_nonnegative of_laws 1 t ltac:(lra) T) as H.
    change (nonnegative (O := mark of_laws) (fun o : mark of_laws => hinge (1 * s o) (t * (1 - s o)))) in H.
    pose proof (mass_part of_laws) as M.
    pose proof (nonnegative_sum _ _ NB H) as NS.
    assert (K : mass of_laws (fun o : mark of_laws => 1 * (s o * f o)) <=
      mass of_laws (fun o : mark of_laws => t * ((1 - s o) * f o) + hinge (1 * s o) (t * (1 - s o)))).
    { apply (part_monotone _ _ _ M NA NS). intro o. unfold hinge. set (z := 1 * s o - t * (1 - s o)).
      pose proof (proj2 F o) as V. assert (z * f o <= Rmax 0 z); [| unfold z in *; lra].
      unfold Rmax. destruct (Rle_dec 0 z).
      - rewrite <- (Rmult_1_r z) at 2. apply Rmult_le_compat_l; lra.
      - assert (0 <= - z * f o) by (apply Rmult_le_pos; lra). lra. }
    rewrite (part_sum M _ _ NB H), MA, MB in K. unfold hockey_stick. simpl in *. unfold hinge in K. lra.
  Qed.
  Theorem of_laws_least t d : 0 <= t -> (forall f, test f -> E A f - t * E B f <= d) -> hockey_stick [of_laws] t <= d.
  Proof.
    intros T bound. pose proof (mass_part of_laws) as M.
    pose proof (hinge_nonnegative of_laws 1 t ltac:(lra) T) as H.
    change (nonnegative (O := mark of_laws) (fun o : mark of_laws => hinge (1 * s o) (t * (1 - s o)))) in H.
    destruct (Rle_dec (hockey_stick [of_laws] t) d) as [fine | more]; [exact fine | exfalso].
    set (h := hockey_stick [of_laws] t) in *.
    destruct (archimed_cor1 ((h - d) / 2) ltac:(lra)) as (k & small & some).
    assert (K : 0 < INR k) by (apply lt_0_INR, some).
    pose (z := fun o => 1 * s o - t * (1 - s o)). pose (f := fun o => clip (INR k * z o)).
    assert (Z : observable z).
    { apply observable_difference; apply observable_multiple; [apply shares |].
      apply observable_difference; [apply observable_constant | apply shares]. }
    assert (F : test f).
    { split; [| intro o; apply clip_between]. apply (observable_image S clip); [| apply observable_multiple, Z].
      apply (steady_continuity clip 1); [lra |]. intros a b. pose proof (clip_steady a b).
      pose proof (Rle_abs (clip a - clip b)). lra. }
    destruct (weighed_test f F 1 t ltac:(lra) T) as (NA & NB & MA & MB).
    assert (L : mass of_laws (fun o : mark of_laws => t * ((1 - s o) * f o) + hinge (1 * s o) (t * (1 - s o))) <=
      mass of_laws (fun o : mark of_laws => 1 * (s o * f o)) + / INR k * mass of_laws (fun _ => 1)).
    { apply (part_between _ _ _ _ M (nonnegative_sum _ _ NB H) NA). intro o. unfold hinge. fold (z o).
      assert (Rmax 0 (z o) <= z o * f o + / INR k); [| unfold z in *; lra].
      assert (0 < / INR k) by (apply Rinv_0_lt_compat, K). unfold f. pose proof (clip_between (INR k * z o)) as C.
      assert (back : z o = / INR k * (INR k * z o)) by (field; lra). set (w := INR k * z o) in *.
      rewrite back. assert (Rmax 0 (/ INR k * w) = / INR k * Rmax 0 w) as ->.
      { rewrite <- RmaxRmult, Rmult_0_r by lra. reflexivity. }
      replace (/ INR k * w * clip w + / INR k) with (/ INR k * (w * clip w + 1)) by ring.
      apply Rmult_le_compat_l; [lra |]. clear. unfold clip, Rmax, Rmin.
      destruct (Rle_dec 1 w); repeat destruct (Rle_dec 0 _); nra. }
    rewrite (part_sum M _ _ NB H), MA, MB in L. change (mass of_laws (fun _ => 1)) with (1 * E A
      (fun _ => 1) + 1 * E B (fun _ => 1)) in L.
    rewrite !E_one in L. pose proof (bound f F).
    assert (mass of_laws (fun o : mark of_laws => hinge (1 * s o) (t * (1 - s o))) = h) by reflexivity. lra.
  Qed.
End two_laws.

(* ---- Poisson samples ---- *)

(* (q A + (1 - q) B, B) *)
Section sampled.
  Context (rate : R) (between : 0 < rate <= 1) (P : pair).
  Let size (s : mark P) := rate * share P s + (2 - rate) * (1 - share P s).
  Let first (s : mark P) := rate * share P s + (1 - rate) * (1 - share P s).
  Lemma size_at_least s : rate <= size s /\ 0 <= first s <= size s /\ size s - first s = 1 - share P s.
  Proof.
    pose proof (share_between P s) as S. unfold size, first. set (a := share P s) in *.
    assert (0 <= rate * a) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - rate) * (1 - a)) by (apply Rmult_le_pos; lra).
    assert (0 <= (2 - 2 * rate) * (1 - a)) by (apply Rmult_le_pos; lra).
    repeat split; lra.
  Qed.
  Lemma size_observable : observable size /\ observable first.
  Proof.
    split; apply observable_sum; apply observable_multiple;
      (apply (share_nonnegative P) || apply (rest_nonnegative P)).
  Qed.
  Definition sampled : pair.
  Proof.
    refine (Pair (mark P) (fun f => mass P (fun s => size s * f s)) _ (fun s => first s * / Rmax rate (size s)) _ _).
    - pose proof (mass_part P) as M.
      assert (W : forall f, nonnegative f -> nonnegative (fun s => size s * f s)).
      { intros f [F N]. split; [apply observable_product; [apply size_observable | exact F] |].
        intro s. apply Rmult_le_pos; [destruct (size_at_least s); lra | apply N]. }
      split.
      + intros f F. apply (part_nonnegative M), W, F.
      + intros f g F G. rewrite <- (part_sum M _ _ (W f F) (W g G)). f_equal. extensionality s. ring.
      + intros c f C F. rewrite <- (part_multiple M c _ C (W f F)). f_equal. extensionality s. ring.
    - apply observable_product; [apply size_observable |].
      apply (observable_image (mark P) (fun z => / Rmax rate z)); [| apply size_observable].
      apply (steady_continuity _ (/ (rate * rate))).
      { left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
      intros a b. set (u := Rmax rate a). set (v := Rmax rate b).
      assert (U : rate <= u) by apply Rmax_l. assert (V : rate <= v) by apply Rmax_l.
      assert (near : Rabs (v - u) <= Rabs (a - b)).
      { unfold u, v, Rmax, Rabs. destruct (Rle_dec rate a), (Rle_dec rate b), (Rcase_abs (a - b));
          destruct (Rcase_abs _); lra. }
      assert (K : / u - / v <= / (rate * rate) * Rabs (v - u)); [| ].
      { replace (/ u - / v) with (/ (u * v) * (v - u)) by (field; lra).
        apply Rle_trans with (/ (u * v) * Rabs (v - u)).
        - apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra | apply Rle_abs].
        - apply Rmult_le_compat_r; [apply Rabs_pos |]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra |].
          apply Rmult_le_compat; lra. }
      assert (/ (rate * rate) * Rabs (v - u) <= / (rate * rate) * Rabs (a - b)); [| lra].
      apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra | exact near].
    - intro s. destruct (size_at_least s) as (least & fits & _). rewrite Rmax_right by exact least.
      assert (0 < / size s) by (apply Rinv_0_lt_compat; lra).
      split; [apply Rmult_le_pos; lra |]. replace 1 with (size s * / size s) by (field; lra).
      apply Rmult_le_compat_r; lra.
  Defined.
  Lemma over_sampled (G : R -> R -> R) x y :
    (forall c a b, 0 <= c -> 0 <= a -> 0 <= b -> G (c * a) (c * b) = c * G a b) -> 0 <= x -> 0 <= y ->
    mass sampled (fun s => G (x * share sampled s) (y * (1 - share sampled s))) =
    mass P (fun s => G (x * (rate * share P s + (1 - rate) * (1 - share P s))) (y * (1 - share P s))).
  Proof.
    intros multiple X Y. simpl. f_equal. extensionality s. destruct (size_at_least s) as (least & fits & rest).
    assert (0 < / size s) by (apply Rinv_0_lt_compat; lra).
    assert (0 <= first s * / size s) by (apply Rmult_le_pos; lra).
    assert (first s * / size s + (size s - first s) * / size s = 1) by (field; lra).
    assert (0 <= (size s - first s) * / size s) by (apply Rmult_le_pos; lra).
    rewrite Rmax_right by exact least. rewrite <- multiple by (try apply Rmult_le_pos; lra).
    f_equal; [unfold first; field; lra |]. rewrite <- rest. field. lra.
  Qed.
  Lemma whole_sampled : whole P -> whole sampled.
  Proof.
    intros [one two]. pose proof (mass_part P) as M. split.
    - pose proof (share_nonnegative P) as A. pose proof (rest_nonnegative P) as B.
      transitivity (rate * mass P (share P) + (1 - rate) * mass P (fun s => 1 - share P s)); [| rewrite one, two;
        ring].
      rewrite <- (part_multiple M rate _ ltac:(lra) A), <- (part_multiple M (1 - rate) _ ltac:(lra) B),
        <- (part_sum M _ _ (nonnegative_multiple rate _ ltac:(lra) A) (nonnegative_multiple
          (1 - rate) _ ltac:(lra) B)).
      simpl. f_equal. extensionality s. destruct (size_at_least s) as (least & _ & _).
      rewrite Rmax_right by exact least.
      unfold first. field. lra.
    - transitivity (mass P (fun s => 1 - share P s)); [| exact two].
      simpl. f_equal. extensionality s. destruct (size_at_least s) as (least & _ & rest).
      rewrite Rmax_right by exact least. rewrite <- rest. field. lra.
  Qed.
End sampled.

(* What a sampled pair has, in closed form: of all rows it has the rate times what P has further on. *)
Lemma hockey_stick_sampled (P : pair) rate (between : 0 < rate <= 1) t : 1 - rate <= t ->
  hockey_stick [sampled rate between P] t = apart [P] rate (t - (1 - rate)).
Proof.
  intro T. unfold hockey_stick.
  change (apart [sampled rate between P] 1 t) with (mass (sampled rate between P) (fun s =>
    hinge (1 * share (sampled rate between P) s) (t * (1 - share (sampled rate between P) s)))).
  rewrite over_sampled; [| intros; apply (profile_multiple profile_hinge); assumption | lra | lra].
  simpl. f_equal. extensionality s. unfold hinge. f_equal. ring.
Qed.
(* And in the other order. *)
Lemma hockey_stick_sampled_reversed (P : pair) rate (between : 0 < rate <= 1) t : 0 <= t -> t * (1 - rate) <= 1 ->
  hockey_stick [reversed (sampled rate between P)] t = apart [reversed P] (1 - t * (1 - rate)) (t * rate).
Proof.
  intros T few. unfold hockey_stick. pose (G := fun a b => hinge (1 * b) (t * a)).
  assert (multiple : forall c a b, 0 <= c -> 0 <= a -> 0 <= b -> G (c * a) (c * b) = c * G a b).
  { intros c a b C A B. unfold G. assert (0 <= t * a) by (apply Rmult_le_pos; lra).
    rewrite <- (profile_multiple profile_hinge) by lra. f_equal; ring. }
  transitivity (mass (sampled rate between P) (fun s =>
    G (1 * share (sampled rate between P) s) (1 * (1 - share (sampled rate between P) s)))).
  { simpl. f_equal. extensionality s. unfold G, hinge. do 2 f_equal. ring. }
  rewrite over_sampled by (assumption || lra).
  simpl. f_equal. extensionality s. unfold G, hinge. f_equal. ring.
Qed.
(* The laws of p with probability rate and else of q, against q. *)
Lemma sampled_apart (P : pair) {O : space} (p q : law O) rate f t : whole P -> 0 <= rate <= 1 -> dominated P p q ->
  test f -> 0 <= t -> rate * E p f + (1 - rate) * E q f - t * E q f <=
    mass P (fun s => hinge (1 * (rate * share P s + (1 - rate) * (1 - share P s))) (t * (1 - share P s))).
Proof.
  intros W R D F T. pose proof (E_test q f F). pose proof (E_test p f F). pose proof (mass_part P) as M.
  pose proof (share_nonnegative P) as A. pose proof (rest_nonnegative P) as B.
  destruct (Rle_dec (1 - rate) t) as [more | less].
  - pose proof (dominated_weighed P p q D f F rate (t - (1 - rate)) ltac:(lra) ltac:(lra)) as K.
    eapply Rle_trans; [| eapply Rle_trans; [exact K |]]; [lra |]. right. simpl. f_equal. extensionality s.
    unfold hinge. f_equal. ring.
  - destruct W as [one two].
    apply Rle_trans with (mass P (fun s => rate * share P s + (1 - rate - t) * (1 - share P s))).
    + rewrite (part_sum M), (part_multiple M), (part_multiple M), one, two
        by (try apply nonnegative_multiple; (assumption || lra)).
      assert (rate * E p f <= rate * 1) by (apply Rmult_le_compat_l; lra).
      assert ((1 - rate - t) * E q f <= (1 - rate - t) * 1) by (apply Rmult_le_compat_l; lra). lra.
    + right. f_equal. extensionality s. pose proof (share_between P s). unfold hinge. rewrite Rmax_right; [ring |].
      assert (0 <= rate * share P s) by (apply Rmult_le_pos; lra).
      assert (0 <= (1 - rate - t) * (1 - share P s)) by (apply Rmult_le_pos; lra). lra.
Qed.
Theorem dominated_sampled (P : pair) {O : space} (p q : law O) rate (between : 0 < rate <= 1)
    (mixed : 0 <= rate <= 1) :
  whole P -> dominated P p q -> dominated (sampled rate between P) (mixture rate mixed p q) q.
Proof.
  intros W D f F t T. unfold hockey_stick.
  change (apart [sampled rate between P] 1 t) with (mass (sampled rate between P) (fun s =>
    hinge (1 * share (sampled rate between P) s) (t * (1 - share (sampled rate between P) s)))).
  rewrite over_sampled; [| intros; apply (profile_multiple profile_hinge); assumption | lra | exact T].
  simpl. apply sampled_apart; assumption.
Qed.
(* Finite pairs, sampled. *)
Definition sampled_weights (rate : R) (W : list (R * R)) : list (R * R) :=
  map (fun w => (rate * fst w + (1 - rate) * snd w, snd w)) W.
Lemma sampled_weighty rate W : 0 <= rate <= 1 -> Forall weighty W -> Forall weighty (sampled_weights rate W).
Proof.
  intros R all. unfold sampled_weights. rewrite Forall_map. apply (Forall_impl _ (P := weighty)); [| exact all].
  intros w [A B]. split; simpl; [| exact B].
  assert (0 <= rate * fst w) by (apply Rmult_le_pos; lra). assert (0 <= (1 - rate) * snd w) by (apply Rmult_le_pos;
    lra).
  lra.
Qed.
Theorem dominated_sampled_finite W {O : space} (p q : law O) rate (mixed : 0 <= rate <= 1) :
  Forall weighty W -> whole (finite W) -> dominated (finite W) p q ->
  dominated (finite (sampled_weights rate W)) (mixture rate mixed p q) q.
Proof.
  intros all one D f F t T. eapply Rle_trans; [apply (sampled_apart (finite W)); eassumption |]. right.
  unfold hockey_stick. pose (G := fun a b => hinge (1 * (rate * a + (1 - rate) * b)) (t * b)).
  assert (multiple : forall c a b, 0 <= c -> 0 <= a -> 0 <= b -> G (c * a) (c * b) = c * G a b).
  { intros c a b C A B. unfold G. assert (0 <= rate * a) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - rate) * b) by (apply Rmult_le_pos; lra). assert (0 <= t * b) by (apply Rmult_le_pos; lra).
    rewrite <- (profile_multiple profile_hinge) by lra. f_equal; ring. }
  transitivity (mass (finite W) (fun s => G (1 * share (finite W) s) (1 * (1 - share (finite W) s)))).
  { f_equal. extensionality s. unfold G. f_equal; ring. }
  rewrite (over_finite G W 1 1 multiple all) by lra.
  change (apart [finite (sampled_weights rate W)] 1 t) with (mass (finite (sampled_weights rate W)) (fun s =>
    hinge (1 * share (finite (sampled_weights rate W)) s) (t * (1 - share (finite (sampled_weights rate W)) s)))).
  rewrite (over_finite hinge _ 1 t (fun c a b => profile_multiple profile_hinge c a b)
    (sampled_weighty rate W mixed all)) by lra.
  clear. induction W as [| w W IH]; [reflexivity |].
  change (sampled_weights rate (w :: W)) with ((rate * fst w + (1 - rate) * snd w, snd w) :: sampled_weights rate W).
  rewrite !over_first, IH. f_equal. unfold G. simpl fst. simpl snd. f_equal; ring.
Qed.

(* Finite pairs, reversed. *)
Definition reversed_weights (W : list (R * R)) : list (R * R) := map (fun w => (snd w, fst w)) W.
Lemma reversed_weighty W : Forall weighty W -> Forall weighty (reversed_weights W).
Proof.
  intro all. unfold reversed_weights. rewrite Forall_map. apply (Forall_impl _ (P := weighty)); [| exact all].
  intros w [A B]. split; assumption.
Qed.
Theorem dominated_reversed_finite W {O : space} (p q : law O) : Forall weighty W -> whole (finite W) ->
  dominated (finite W) p q -> dominated (finite (reversed_weights W)) q p.
Proof.
  intros all one D f F t T. eapply Rle_trans; [apply (dominated_reversed (finite W) p q one D f F t T) |]. right.
  unfold hockey_stick. pose (G := fun a b => hinge (1 * b) (t * a)).
  assert (multiple : forall c a b, 0 <= c -> 0 <= a -> 0 <= b -> G (c * a) (c * b) = c * G a b).
  { intros c a b C A B. unfold G. assert (0 <= t * a) by (apply Rmult_le_pos; lra).
    rewrite <- (profile_multiple profile_hinge) by lra. f_equal; ring. }
  transitivity (mass (finite W) (fun s => G (1 * share (finite W) s) (1 * (1 - share (finite W) s)))).
  { simpl. f_equal. extensionality s. unfold G, hinge. do 2 f_equal. ring. }
  rewrite (over_finite G W 1 1 multiple all) by lra.
  change (apart [finite (reversed_weights W)] 1 t) with (mass (finite (reversed_weights W)) (fun s =>
    hinge (1 * share (finite (reversed_weights W)) s) (t * (1 - share (finite (reversed_weights W)) s)))).
  rewrite (over_finite hinge _ 1 t (fun c a b => profile_multiple profile_hinge c a b) (reversed_weighty W all))
    by lra.
  clear. induction W as [| w W IH]; [reflexivity |].
  change (reversed_weights (w :: W)) with ((snd w, fst w) :: reversed_weights W).
  rewrite !over_first, IH. f_equal. unfold G. simpl fst. simpl snd. f_equal; ring.
Qed.

(* The first table has the same rows, or one row more. *)
Definition a_row_more {Row : Type} (inside : Row -> Prop) (x y : table Row) :=
  table_of inside x /\ table_of inside y /\ (Permutation x y \/ exists r, Permutation x (r :: y)).
Lemma one_edit_in_order {Row : Type} (inside : Row -> Prop) (x y : table Row) :
  restricted (table_of inside) (symmetric 1) x y -> in_either_order (a_row_more inside) x y.
Proof.
  intros (X & Y & near). unfold in_either_order, a_row_more.
  destruct (symmetric_one x y near) as [same | [[r more] | [r more]]]; eauto 10.
Qed.
Section tables.
  Context {Row : Type} (inside : Row -> Prop) (rate : R) (between : 0 <= rate <= 1) {O : space}.
  Context (M : mechanism (table Row) O) (no_order : unordered (table_of inside) M).
  Lemma on_samples P Q : (forall p q : law O, dominated P p q -> dominated Q (mixture rate between p q) q) ->
    whole Q -> private (a_row_more inside) M (dominated P) ->
    private (a_row_more inside) (on_poisson_sample rate between M) (dominated Q).
  Proof.
    intros mixed one H x y (X & Y & [same | [r more]]).
    - apply dominated_same; [exact one |]. apply (poisson_unordered inside rate between M no_order); assumption.
    - intros f F t T. rewrite (poisson_one_more inside rate between M no_order y x r f more X F).
      pose proof (answer_bounded M f F) as B. pose proof (kept_or_not_bounded rate r _ B) as K.
      pose proof (Permutation_Forall more X) as others. inversion others as [| ? ? in_r _]; subst.
      change (E (on_poisson_sample rate between M y) f) with (E (poisson_sample rate between y) (fun s => E (M s) f)).
      rewrite <- (E_multiple (O := plain (table Row))) by exact B.
      rewrite <- (E_difference (O := plain (table Row))) by (exact K || apply bounded_multiple, B).
      rewrite <- (E_constant (O := plain (table Row)) (poisson_sample rate between y) (hockey_stick [Q] t)).
      apply (poisson_sample_monotone inside); [exact Y | | apply bounded_constant |].
      + apply (observable_difference (O := plain (table Row))); [exact K | apply bounded_multiple, B].
      + intros s S. apply (mixed (M (r :: s)) (M s)); [| exact F | exact T]. apply H.
        split; [constructor; assumption | split; [exact S |]]. right. exists r. apply Permutation_refl.
  Qed.
  (* A mechanism that sees a Poisson sample, where a table has a row more than the other. *)
  Theorem sampled_dominated P (some : 0 < rate <= 1) : whole P -> private (a_row_more inside) M (dominated P) ->
    private (a_row_more inside) (on_poisson_sample rate between M) (dominated (sampled rate some P)) /\
    private (in_reverse (a_row_more inside)) (on_poisson_sample rate between M)
      (dominated (reversed (sampled rate some P))).
  Proof.
    intros W H. pose proof (whole_sampled rate some P W) as W'.
    assert (K : private (a_row_more inside) (on_poisson_sample rate between M) (dominated (sampled rate some P))).
    { apply (on_samples P); [| exact W' | exact H]. intros p q D. apply dominated_sampled; assumption. }
    split; [exact K |]. intros x y n. apply dominated_reversed; [exact W' | apply K, n].
  Qed.
  Theorem sampled_dominated_finite W : Forall weighty W -> sum (map fst W) = 1 -> sum (map snd W) = 1 ->
    private (a_row_more inside) M (dominated (finite W)) ->
    private (a_row_more inside) (on_poisson_sample rate between M) (dominated (finite (sampled_weights rate W))) /\
    private (in_reverse (a_row_more inside)) (on_poisson_sample rate between M)
      (dominated (finite (reversed_weights (sampled_weights rate W)))).
  Proof.
    intros all first second H. pose proof (sampled_weighty rate W between all) as all'.
    assert (W' : whole (finite (sampled_weights rate W))).
    { apply whole_finite; [exact all' | | unfold sampled_weights; rewrite map_map; exact second].
      transitivity (rate * sum (map fst W) + (1 - rate) * sum (map snd W)); [| rewrite first, second; ring].
      clear. unfold sum. induction W as [| w W IH]; simpl in *; [ring |]. rewrite IH. ring. }
    assert (K : private (a_row_more inside) (on_poisson_sample rate between M)
      (dominated (finite (sampled_weights rate W)))).
    { apply (on_samples (finite W)); [| exact W' | exact H]. intros p q D.
      apply dominated_sampled_finite; [exact all | | exact D]. apply whole_finite; assumption. }
    split; [exact K |]. intros x y n. apply dominated_reversed_finite; [exact all' | exact W' | apply K, n].
  Qed.
End tables.

(* ---- Examples ---- *)

Lemma ln_3_nonnegative : 0 <= ln 3.
Proof. rewrite <- ln_1. left. apply ln_increasing; lra. Qed.
Lemma answered_dominated {X : Type} (near : X -> X -> Prop) (bit : X -> bool) :
  private near (fun x => answered (bit x)) (dominated (response_pair (ln 3) 0)).
Proof.
  intros x y _. apply dominated_pure; [apply ln_3_nonnegative | |];
    apply (answered_pure (fun _ _ => True) (fun bit => bit)); exact I.
Qed.
Lemma two_responses e d : 0 <= d <= 1 -> Forall (Forall weighty) [response_weights e d; response_weights e d].
Proof. intro D. apply Forall_cons; [| apply Forall_cons; [| apply Forall_nil]]; apply response_weighty, D. Qed.
Ltac find_maxima := unfold Rmax; repeat (destruct (Rle_dec _ _); try lra).
Lemma responses_apart : hockey_stick [response_pair (ln 3) 0; response_pair (ln 3) 0] (exp (ln 3)) <= 3 / 8.
Proof.
  rewrite exp_ln by lra.
  change [response_pair (ln 3) 0; response_pair (ln 3) 0] with
    (map finite [response_weights (ln 3) 0; response_weights (ln 3) 0]).
  rewrite hockey_stick_finite; [| apply two_responses; lra | lra].
  unfold response_weights. rewrite exp_ln by lra. simpl. find_maxima.
Qed.
(* Two answers cost (ln 3, 3/8), be the second question chosen in view of the first answer or not. *)
Example two_answers_accounted : private anything
    (together (fun _ => answered) (fun _ _ bit => plain_integrates (answered bit)) 2) (approximate (ln 3) (3 / 8)).
Proof.
  apply (account (fun _ => answered) (fun _ _ bit => plain_integrates (answered bit)) anything
    (fun _ => [response_pair (ln 3) 0])).
  - intros i _. apply (answered_dominated anything (fun bit => bit)).
  - exact responses_apart.
Qed.
Example two_draws_accounted :
  private anything (fun bit => draws (answered bit) (plain_integrates (answered bit)) 2) (approximate (ln 3) (3 / 8)).
Proof.
  apply (account_many anything answered (fun bit => plain_integrates (answered bit)) [response_pair (ln 3) 0]).
  - apply (answered_dominated anything (fun bit => bit)).
  - exact responses_apart.
Qed.
Example two_questions_accounted : private anything
    (played (fun past x => answered (xorb x (hd true past))) [] 2) (approximate (ln 3) (3 / 8)).
Proof.
  apply (account_rounds anything [[response_pair (ln 3) 0]; [response_pair (ln 3) 0]]); [| exact responses_apart].
  apply (played_round_by_round anything (fun all => @dominated_by all) (fun past x => answered (xorb x (hd true past)))
    (fun _ => [response_pair (ln 3) 0]) 2 []).
  intro past. apply (answered_dominated anything (fun x => xorb x (hd true past))).
Qed.
(* A bit that is told with probability 1/10, twice: as often as that is it told. *)
Example two_leaks_accounted : private anything
    (together (fun _ => leaked) (fun _ _ bit => plain_integrates (leaked bit)) 2) (approximate 0 (19 / 100)).
Proof.
  assert (once : forall x y, approximate 0 (/ 10) (leaked x) (leaked y)).
  { intros x y f [_ F]. simpl. rewrite exp_0. pose proof (F true). pose proof (F false). destruct x, y; lra. }
  apply (account (fun _ => leaked) (fun _ _ bit => plain_integrates (leaked bit)) anything
    (fun _ => [response_pair 0 (/ 10)])).
  - intros i _ x y _. apply dominated_approximate; try lra; apply once.
  - rewrite exp_0. change (concat (map (fun _ => [response_pair 0 (/ 10)]) (seq 0 2))) with
      (map finite [response_weights 0 (/ 10); response_weights 0 (/ 10)]).
    rewrite hockey_stick_finite; [| apply two_responses; lra | lra].
    unfold response_weights. rewrite exp_0. simpl. find_maxima.
Qed.
(* Two answers about Poisson samples of rate 1/2, the second question chosen in view of the first answer: (ln 2, 1/8).
   Where the first table has the row more, the product of the pairs has the delta 1/8, and in the other order 1/16. *)
Lemma one_half : 0 <= / 2 <= 1.
Proof. lra. Qed.
Definition asked (past : list bool) : mechanism (table nat) (plain bool) :=
  fun x => answered (xorb (hd true past) (Nat.even (length x))).
Definition sampled_responses : list (R * R) := sampled_weights (/ 2) (response_weights (ln 3) 0).
Lemma asked_on_samples past :
  private (a_row_more any_row) (on_poisson_sample (/ 2) one_half (asked past)) (dominated
    (finite sampled_responses)) /\
  private (in_reverse (a_row_more any_row)) (on_poisson_sample (/ 2) one_half (asked past))
    (dominated (finite (reversed_weights sampled_responses))).
Proof.
  apply sampled_dominated_finite.
  - intros x y _ _ same f F. unfold asked. rewrite (Permutation_length same). reflexivity.
  - apply response_weighty. lra.
  - unfold response_weights. rewrite exp_ln by lra. simpl. field.
  - unfold response_weights. rewrite exp_ln by lra. simpl. field.
  - apply (answered_dominated _ (fun x => xorb (hd true past) (Nat.even (length x)))).
Qed.
Lemma sampled_responses_weighty : Forall weighty sampled_responses.
Proof. apply sampled_weighty; [exact one_half | apply response_weighty; lra]. Qed.
Lemma sampled_responses_apart :
  hockey_stick [finite sampled_responses; finite sampled_responses] (exp (ln 2)) <= 1 / 8 /\
  hockey_stick [finite (reversed_weights sampled_responses); finite (reversed_weights sampled_responses)] (exp (ln 2))
    <= 1 / 8.
Proof.
  rewrite exp_ln by lra. pose proof sampled_responses_weighty as all. pose proof (reversed_weighty _ all) as all'.
  split.
  - change [finite sampled_responses; finite sampled_responses] with (map finite [sampled_responses;
      sampled_responses]).
    rewrite hockey_stick_finite by (lra || auto using Forall_cons, Forall_nil).
    unfold sampled_responses, response_weights. rewrite exp_ln by lra. simpl. find_maxima.
  - change [finite (reversed_weights sampled_responses); finite (reversed_weights sampled_responses)] with
      (map finite [reversed_weights sampled_responses; reversed_weights sampled_responses]).
    rewrite hockey_stick_finite by (lra || auto using Forall_cons, Forall_nil).
    unfold sampled_responses, response_weights. rewrite exp_ln by lra. simpl. find_maxima.
Qed.
Example sampled_questions_accounted : private (restricted (table_of any_row) (symmetric 1))
    (played (fun past => on_poisson_sample (/ 2) one_half (asked past)) [] 2) (approximate (ln 2) (1 / 8)).
Proof.
  apply (weaken (in_either_order (a_row_more any_row)) _ _ (approximate (ln 2) (1 / 8)));
    [intros x y; apply one_edit_in_order | auto |].
  apply (account_rounds_in_order (a_row_more any_row) [[finite sampled_responses]; [finite sampled_responses]]
    [[finite (reversed_weights sampled_responses)]; [finite (reversed_weights sampled_responses)]]);
    try apply sampled_responses_apart.
  - apply (played_round_by_round (a_row_more any_row) (fun all => @dominated_by all)
      (fun past => on_poisson_sample (/ 2) one_half (asked past)) (fun _ => [finite sampled_responses]) 2 []).
    intro past. apply asked_on_samples.
  - apply (played_round_by_round (in_reverse (a_row_more any_row)) (fun all => @dominated_by all)
      (fun past => on_poisson_sample (/ 2) one_half (asked past))
      (fun _ => [finite (reversed_weights sampled_responses)]) 2 []).
    intro past. apply asked_on_samples.
Qed.
Example sampled_answers_accounted : private (restricted (table_of any_row) (symmetric 1))
    (together (fun _ => on_poisson_sample (/ 2) one_half (asked []))
      (fun _ _ x => plain_integrates (on_poisson_sample (/ 2) one_half (asked []) x)) 2) (approximate (ln 2) (1 / 8)).
Proof.
  apply (weaken (in_either_order (a_row_more any_row)) _ _ (approximate (ln 2) (1 / 8)));
    [intros x y; apply one_edit_in_order | auto |].
  apply (account_in_order (fun _ => on_poisson_sample (/ 2) one_half (asked []))
      (fun _ _ x => plain_integrates (on_poisson_sample (/ 2) one_half (asked []) x)) (a_row_more any_row)
      (fun _ => [finite sampled_responses]) (fun _ => [finite (reversed_weights sampled_responses)]));
    try apply sampled_responses_apart; intros i _; apply asked_on_samples.
Qed.

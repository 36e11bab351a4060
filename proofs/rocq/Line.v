(* Laws with a density on the real line.

   Observables are the bounded functions that Riemann's integral exists for on every interval: indicators of intervals,
   continuous functions, and all that sums, least values and continuous functions make of them.  The integral over the
   whole line is Coquelicot's improper one.  A log weight that is continuous and falls at least linearly on either side
   has a law: additive_noise for noise on the reals, with continuous Laplace noise as the instance. *)
From Coq Require Import Reals Lra Lia ZArith List Classical.
From Coquelicot Require Import Coquelicot.
From Refdp Require Import Laws Privacy Grid Noise.
From Refdp Require Tables.
Open Scope R_scope.

Definition integrable (f : R -> R) := forall a b, ex_RInt f a b.

Lemma integrable_same f g : (forall x, f x = g x) -> integrable f -> integrable g.
Proof. intros same F a b. apply (ex_RInt_ext f); [intros; apply same | apply F]. Qed.
Lemma integrable_constant c : integrable (fun _ => c).
Proof. intros a b. apply ex_RInt_const. Qed.
Lemma integrable_sum f g : integrable f -> integrable g -> integrable (fun x => f x + g x).
Proof. intros F G a b. apply (ex_RInt_plus f g); [apply F | apply G]. Qed.
Lemma integrable_multiple c f : integrable f -> integrable (fun x => c * f x).
Proof. intros F a b. apply (ex_RInt_scal f), F. Qed.
Lemma integrable_absolute f : integrable f -> integrable (fun x => Rabs (f x)).
Proof. intros F a b. apply (ex_RInt_norm f), F. Qed.
Lemma integrable_least f g : integrable f -> integrable g -> integrable (fun x => Rmin (f x) (g x)).
Proof.
  intros F G. apply (integrable_same (fun x => / 2 * (f x + g x + -1 * Rabs (f x + -1 * g x)))).
  - intro x. unfold Rmin, Rabs. destruct Rle_dec, Rcase_abs; lra.
  - assert (D : integrable (fun x => f x + -1 * g x)) by exact (integrable_sum _ _ F (integrable_multiple _ _ G)).
    exact (integrable_multiple _ _ (integrable_sum _ _ (integrable_sum _ _ F G)
      (integrable_multiple _ _ (integrable_absolute _ D)))).
Qed.
Lemma integrable_moved f c : integrable f -> integrable (fun x => f (x + c)).
Proof.
  intros F a b. apply (ex_RInt_ext (fun y => scal 1 (f (1 * y + c)))).
  - intros x _. change (1 * f (1 * x + c) = f (x + c)). rewrite !Rmult_1_l. reflexivity.
  - apply (ex_RInt_comp_lin f 1 c), F.
Qed.
Lemma integrable_continuous f : continuity f -> integrable f.
Proof. intros C a b. apply (ex_RInt_continuous f). intros z _. apply continuity_pt_filterlim, C. Qed.

(* What integrable functions come as near as one likes, everywhere, is integrable. *)
Lemma integrable_limit f :
  (forall eps : posreal, exists h, integrable h /\ forall x, Rabs (h x - f x) < eps) -> integrable f.
Proof.
  intros close a b. pose (U := {h | integrable h}).
  pose (F := fun P : U -> Prop =>
    exists eps : posreal, forall u : U, (forall x, Rabs (proj1_sig u x - f x) < eps) -> P u).
  assert (proper : ProperFilter F).
  { constructor; [| constructor].
    - intros P [eps H]. destruct (close eps) as (h & I & C). exists (exist _ h I). apply H, C.
    - exists (mkposreal 1 Rlt_0_1). auto.
    - intros P Q [e H] [e' H']. exists (mkposreal (Rmin e e') (Rmin_pos _ _ (cond_pos e) (cond_pos e'))).
      intros u near. split; [apply H | apply H']; intro x; eapply Rlt_le_trans; try apply near; simpl;
        [apply Rmin_l | apply Rmin_r].
    - intros P Q stronger [e H]. exists e. intros u near. apply stronger, H, near. }
  destruct (filterlim_RInt (V := R_CompleteNormedModule) (fun u : U => proj1_sig u) a b F proper f
    (fun u => RInt (proj1_sig u) a b)) as (I & _ & H).
  - intro u. apply (RInt_correct (proj1_sig u)), (proj2_sig u).
  - intros P [eps H]. exists eps. intros u near. apply H. intro t. apply near.
  - exists I. exact H.
Qed.

(* The indicator of the numbers below a place, with or without it, of all numbers, or of none. *)
Lemma integrable_below (P : R -> Prop) (chosen : R -> R) :
  (forall z, P z -> chosen z = 1) -> (forall z, ~ P z -> chosen z = 0) -> (forall a b, a <= b -> P b -> P a) ->
  integrable chosen.
Proof.
  intros inside outside down.
  destruct (classic (exists z, P z)) as [[low L] | none].
  2: { apply (integrable_same (fun _ => 0)); [| apply integrable_constant].
       intro z. rewrite outside; [reflexivity |]. intro Z. apply none. exists z. exact Z. }
  destruct (classic (exists z, ~ P z)) as [[high H] | all].
  2: { apply (integrable_same (fun _ => 1)); [| apply integrable_constant].
       intro z. rewrite inside; [reflexivity |]. apply NNPP. intro Z. apply all. exists z. exact Z. }
  destruct (completeness P) as [c [above least]].
  { exists high. intros z Z. destruct (Rle_lt_dec z high) as [le | lt]; [exact le |].
    exfalso. apply H. apply (down high z); [lra | exact Z]. }
  { exists low. exact L. }
  assert (below_c : forall z, z < c -> P z).
  { intros z Z. apply NNPP. intro no. enough (c <= z) by lra. apply least. intros y Y.
    destruct (Rle_lt_dec y z) as [le | lt]; [exact le |]. exfalso. apply no. apply (down z y); [lra | exact Y]. }
  assert (up : forall b, ex_RInt chosen c b).
  { intro b. destruct (Rle_lt_dec c b) as [more | less].
    - apply (ex_RInt_ext (fun _ => 0)); [| apply ex_RInt_const].
      intros z [Z _]. rewrite Rmin_left in Z by exact more. symmetry. apply outside. intro Y.
      pose proof (above z Y). lra.
    - apply (ex_RInt_ext (fun _ => 1)); [| apply ex_RInt_const].
      intros z [_ Z]. rewrite Rmax_left in Z by lra. symmetry. apply inside, below_c, Z. }
  intros a b. apply (ex_RInt_Chasles chosen a c b); [apply ex_RInt_swap, up | apply up].
Qed.

(* What is bounded and falls is integrable: it is near steps of one height. *)
Lemma integrable_falling f : bounded f -> (forall a b, a <= b -> f b <= f a) -> integrable f.
Proof.
  intros [c C] fall. apply integrable_limit. intro eps.
  pose (height := fun z => Int_part (f z / eps)).
  pose proof (cond_pos eps) as E.
  assert (P : 0 < / eps) by (apply Rinv_0_lt_compat, E).
  assert (heights : forall z,
    (- Z.of_nat (S (Z.to_nat (up (c / eps)))) <= height z < Z.of_nat (S (Z.to_nat (up (c / eps)))))%Z).
  { intro z. destruct (base_Int_part (f z / eps)) as [A B]. fold (height z) in *.
    destruct (archimed (c / eps)) as [U _].
    assert (low : - (c / eps) <= f z / eps).
    { unfold Rdiv. pose proof (C z) as K. replace (- (c * / eps)) with (- c * / eps) by ring.
      apply Rmult_le_compat_r; [lra |]. lra. }
    assert (high : f z / eps <= c / eps).
    { unfold Rdiv. pose proof (C z) as K. apply Rmult_le_compat_r; [lra |]. lra. }
    rewrite Nat2Z.inj_succ. split.
    - enough (G : IZR (- up (c / eps)) < IZR (height z) + 1).
      { rewrite <- plus_IZR in G. apply lt_IZR in G. lia. }
      rewrite opp_IZR. lra.
    - enough (G : IZR (height z) < IZR (up (c / eps))) by (apply lt_IZR in G; lia). lra. }
  set (n := S (Z.to_nat (up (c / eps)))) in *.
  exists (fun z => eps * IZR (height z)). split.
  - (* A sum of indicators of what is at least so high. *)
    pose (least := fun (k : nat) z => if Z_le_dec (Z.of_nat k - Z.of_nat n + 1) (height z) then 1 else 0).
    assert (H : forall m z, (m <= 2 * n)%nat ->
      Tables.total m (fun k => least k z) = IZR (Z.min (Z.of_nat m) (height z + Z.of_nat n))).
    { intros m z M. specialize (heights z). induction m as [| m IH]; cbn [Tables.total].
      - rewrite Z.min_l by lia. reflexivity.
      - rewrite IH by lia. unfold least. destruct (Z_le_dec (Z.of_nat m - Z.of_nat n + 1) (height z)).
        + rewrite !Z.min_l by lia. rewrite Nat2Z.inj_succ, succ_IZR. ring.
        + rewrite !Z.min_r by lia. ring. }
    apply (integrable_same (fun z => eps * (Tables.total (2 * n) (fun k => least k z) + - INR n))).
    { intro z. rewrite H by lia. specialize (heights z). rewrite Z.min_r by lia.
      rewrite plus_IZR, <- INR_IZR_INZ. ring. }
    apply integrable_multiple.
    apply (integrable_sum (fun z => Tables.total (2 * n) (fun k => least k z)) (fun _ => - INR n));
      [| apply integrable_constant].
    generalize (2 * n)%nat. intro m. induction m as [| m IH]; cbn [Tables.total]; [apply integrable_constant |].
    apply integrable_sum; [exact IH |].
    apply (integrable_below (fun z => (Z.of_nat m - Z.of_nat n + 1 <= height z)%Z)).
    + intros z Z. unfold least. destruct Z_le_dec; [reflexivity | contradiction].
    + intros z Z. unfold least. destruct Z_le_dec; [contradiction | reflexivity].
    + intros a b order B. eapply Z.le_trans; [exact B |].
      destruct (base_Int_part (f a / eps)) as [_ A]. destruct (base_Int_part (f b / eps)) as [B' _].
      fold (height a) in A. fold (height b) in B'.
      assert (f b / eps <= f a / eps) by (apply Rmult_le_compat_r; [lra | apply fall, order]).
      assert (G : IZR (height b) < IZR (height a) + 1) by lra. rewrite <- plus_IZR in G. apply lt_IZR in G. lia.
  - intro z. destruct (base_Int_part (f z / eps)) as [A B]. fold (height z) in *.
    replace (f z) with (eps * (f z / eps)) at 1 by (field; lra).
    replace (eps * IZR (height z) - eps * (f z / eps)) with (- (eps * (f z / eps - IZR (height z)))) by ring.
    rewrite Rabs_Ropp, Rabs_pos_eq by (apply Rmult_le_pos; lra).
    apply Rlt_le_trans with (eps * 1); [apply Rmult_lt_compat_l; lra | lra].
Qed.

(* On an interval a continuous function is as near as one likes to one that is affine between points a step apart. *)
Section interpolation.
  Variables (g : R -> R) (start step : R).
  Hypothesis step_positive : 0 < step.
  Let node n := start + INR n * step.
  Fixpoint interpolated (n : nat) (x : R) : R :=
    match n with
    | O => g start
    | S m => interpolated m x + (g (node (S m)) - g (node m)) / step * Rmin step (Rmax 0 (x - node m))
    end.
  Lemma node_next n : node (S n) = node n + step.
  Proof. unfold node. rewrite S_INR. ring. Qed.
  Lemma interpolated_beyond n x : node n <= x -> interpolated n x = g (node n).
  Proof.
    revert x. induction n; intros x beyond.
    - simpl. f_equal. unfold node. simpl. ring.
    - pose proof (node_next n) as N. cbn [interpolated]. rewrite IHn by lra.
      rewrite Rmax_right, Rmin_left by lra. field. lra.
  Qed.
  Lemma interpolated_near eps n x :
    0 < eps ->
    (forall u v, start <= u <= node n -> start <= v <= node n -> Rabs (u - v) <= step -> Rabs (g u - g v) < eps) ->
    start <= x <= node n -> Rabs (interpolated n x - g x) < eps.
  Proof.
    intro E. induction n; intros near X.
    - replace x with start by (unfold node in X; simpl in X; lra).
      simpl. rewrite Rminus_eq_0, Rabs_R0. exact E.
    - pose proof (node_next n) as N. assert (P : start <= node n).
      { unfold node. pose proof (pos_INR n). assert (0 <= INR n * step) by (apply Rmult_le_pos; lra). lra. }
      cbn [interpolated]. destruct (Rle_lt_dec x (node n)) as [before | after].
      + rewrite Rmax_left, Rmin_right, Rmult_0_r, Rplus_0_r by lra.
        apply IHn; [| lra]. intros u v U V. apply near; lra.
      + rewrite interpolated_beyond, Rmax_right, Rmin_right by lra.
        assert (A : Rabs (g (node n) - g x) < eps) by (apply near; try lra; unfold Rabs; destruct Rcase_abs; lra).
        assert (B : Rabs (g (node (S n)) - g x) < eps) by (apply near; try lra; unfold Rabs; destruct Rcase_abs; lra).
        pose (s := (x - node n) / step).
        assert (S : 0 <= s <= 1).
        { unfold s. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, step_positive] |].
          apply (Rmult_le_reg_r step); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
        replace (g (node n) + (g (node (Datatypes.S n)) - g (node n)) / step * (x - node n) - g x)
          with ((1 - s) * (g (node n) - g x) + s * (g (node (Datatypes.S n)) - g x)) by (unfold s; field; lra).
        apply Rle_lt_trans with (Rmax (Rabs (g (node n) - g x)) (Rabs (g (node (Datatypes.S n)) - g x)));
          [| apply Rmax_lub_lt; assumption].
        apply Rabs_le_between.
        pose proof (Rmax_l (Rabs (g (node n) - g x)) (Rabs (g (node (Datatypes.S n)) - g x))) as U.
        pose proof (Rmax_r (Rabs (g (node n) - g x)) (Rabs (g (node (Datatypes.S n)) - g x))) as V.
        apply Rabs_le_between in U. apply Rabs_le_between in V. split; nra.
  Qed.
  Lemma interpolated_integrable f n : integrable f -> integrable (fun x => interpolated n (f x)).
  Proof.
    intro F. induction n; [exact (integrable_constant (g start)) |]. cbn [interpolated].
    assert (above : integrable (fun x => f x + - node n)) by exact (integrable_sum _ _ F (integrable_constant _)).
    assert (ramp : integrable (fun x => Rmax 0 (f x - node n))).
    { apply (integrable_same (fun x => / 2 * ((f x + - node n) + Rabs (f x + - node n)))).
      - intro x. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
      - exact (integrable_multiple _ _ (integrable_sum _ _ above (integrable_absolute _ above))). }
    exact (integrable_sum _ _ IHn (integrable_multiple _ _ (integrable_least _ _ (integrable_constant step) ramp))).
  Qed.
End interpolation.

Lemma integrable_image g f : continuity g -> bounded f -> integrable f -> integrable (fun x => g (f x)).
Proof.
  intros C [c B] F. apply integrable_limit. intro eps.
  destruct (Heine_cor2 (f := g) (a := - c) (b := c + 1) (fun x _ => C x) eps) as [delta near].
  assert (c_nonnegative : 0 <= c) by (specialize (B 0); lra).
  destruct (nfloor_ex ((2 * c + 1) / delta)) as [n [_ N]].
  { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, cond_pos]. }
  pose proof (cond_pos delta) as D. pose (step := (2 * c + 1) / INR (S n)).
  assert (K : 0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (small : 0 < step < delta).
  { unfold step. split; [apply Rdiv_lt_0_compat; lra |].
    apply (Rmult_lt_reg_r (INR (S n))); [exact K |]. rewrite <- S_INR in N.
    apply (Rmult_lt_compat_r delta) in N; [| exact D]. unfold Rdiv in *.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r in N |- * by lra. lra. }
  assert (last : - c + INR (S n) * step = c + 1) by (unfold step; field; lra).
  exists (fun x => interpolated g (- c) step (S n) (f x)). split; [apply interpolated_integrable, F |].
  intro x. apply interpolated_near; [apply small | apply cond_pos | |]; rewrite last.
  - intros u v U V close. apply near; lra.
  - specialize (B x). lra.
Qed.

Definition line : space.
Proof.
  refine (Space R (fun f => bounded f /\ integrable f) _ _ _ _ _ _ _).
  - intros f [B _]. exact B.
  - intros f g same [B I]. split; [apply (bounded_same f) | apply (integrable_same f)]; assumption.
  - intro c. exact (conj (bounded_constant c) (integrable_constant c)).
  - intros f g [B I] [B' I']. exact (conj (bounded_sum f g B B') (integrable_sum f g I I')).
  - intros c f [B I]. exact (conj (bounded_multiple c f B) (integrable_multiple c f I)).
  - intros f g [B I] [B' I']. exact (conj (bounded_least f g B B') (integrable_least f g I I')).
  - intros g f C [B I]. exact (conj (bounded_image g f C B) (integrable_image g f C B I)).
Defined.

Lemma integrable_product f g :
  bounded f -> integrable f -> bounded g -> integrable g -> integrable (fun x => f x * g x).
Proof.
  intros B F B' G. assert (square : forall h, bounded h -> integrable h -> integrable (fun x => Rsqr (h x))).
  { intros h H I. exact (integrable_image Rsqr h (derivable_continuous _ derivable_Rsqr) H I). }
  apply (integrable_same (fun x => / 2 * (Rsqr (f x + g x) + -1 * (Rsqr (f x) + Rsqr (g x))))).
  - intro x. unfold Rsqr. field.
  - exact (integrable_multiple _ _ (integrable_sum _ _
      (square _ (bounded_sum _ _ B B') (integrable_sum _ _ F G))
      (integrable_multiple _ _ (integrable_sum _ _ (square _ B F) (square _ B' G))))).
Qed.

(* The integral over the whole line of functions that fall exponentially on either side. *)
Notation leftward := (Rbar_locally m_infty).
Notation rightward := (Rbar_locally p_infty).
Definition has_integral (f : R -> R) (I : R) := is_RInt_gen f leftward rightward I.
Definition integral (f : R -> R) : R := RInt_gen f leftward rightward.
Definition dominated (f : R -> R) :=
  integrable f /\ exists c rate, 0 < rate /\ forall x, Rabs (f x) <= c * exp (- rate * Rabs x).

Lemma integral_is f I : has_integral f I -> integral f = I.
Proof. exact (is_RInt_gen_unique (Fa := leftward) (Fb := rightward) f I). Qed.

Lemma integral_on f a b : integrable f -> is_RInt f a b (RInt f a b).
Proof. intro F. exact (RInt_correct (V := R_CompleteNormedModule) f a b (F a b)). Qed.

(* An exponential function times a constant bounds an integral by its own. *)
Lemma integral_below_exponential f c rate a b :
  integrable f -> rate <> 0 -> a <= b -> (forall x, a <= x <= b -> Rabs (f x) <= c * exp (rate * x)) ->
  Rabs (RInt f a b) <= c / rate * exp (rate * b) - c / rate * exp (rate * a).
Proof.
  intros F nonzero order below.
  apply (norm_RInt_le f (fun x => c * exp (rate * x)) a b); [exact order | exact below | apply integral_on, F |].
  apply (is_RInt_derive (fun x => c / rate * exp (rate * x)) (fun x => c * exp (rate * x))).
  - intros x _. auto_derive; [exact I | field; exact nonzero].
  - intros x _. apply (ex_derive_continuous (fun x => c * exp (rate * x))). auto_derive. exact I.
Qed.

Lemma whole_line_filter : ProperFilter (filter_prod leftward rightward).
Proof. apply filter_prod_proper; apply Rbar_locally_filter. Qed.

Lemma beyond M : filter_prod leftward rightward (fun ab => fst ab < - M /\ M < snd ab).
Proof.
  apply (Filter_prod _ _ _ (fun a => a < - M) (fun b => M < b)); [exists (- M) | exists M |]; auto.
Qed.

Lemma dominated_has_integral f : dominated f -> exists I, has_integral f I.
Proof.
  intros (F & c & rate & rate_positive & below).
  assert (c_nonnegative : 0 <= c).
  { specialize (below 0). rewrite Rabs_R0, Rmult_0_r, exp_0 in below. pose proof (Rabs_pos (f 0)). lra. }
  destruct (proj1 (filterlim_locally_cauchy (U := R_CompleteSpace)
    (F := filter_prod leftward rightward) (fun ab => RInt f (fst ab) (snd ab)))) as [I H].
  - intro eps. pose proof (cond_pos eps) as eps_positive.
    pose (M := 2 * c / (rate * rate * eps)).
    assert (M_nonnegative : 0 <= M).
    { unfold M. apply Rmult_le_pos; [lra |]. left. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra. }
    assert (tail : 2 * (c / rate * exp (- rate * M)) < eps).
    { pose proof (exp_ineq1_le (rate * M)) as X. pose proof (exp_pos (rate * M)) as Y.
      replace (- rate * M) with (- (rate * M)) by ring. rewrite exp_Ropp.
      apply (Rmult_lt_reg_r (exp (rate * M))); [exact Y |].
      replace (2 * (c / rate * / exp (rate * M)) * exp (rate * M)) with (2 * c / rate) by (field; lra).
      apply Rlt_le_trans with (eps * (1 + rate * M)); [| apply Rmult_le_compat_l; lra].
      replace (eps * (1 + rate * M)) with (eps + 2 * c / rate) by (unfold M; field; lra). lra. }
    assert (right : forall a b, M <= a -> a <= b -> Rabs (RInt f a b) <= c / rate * exp (- rate * M)).
    { intros a b A B.
      eapply Rle_trans; [apply (integral_below_exponential f c (- rate)); [exact F | lra | exact B |] |].
      - intros x X. rewrite <- (Rabs_pos_eq x) at 2 by lra. apply below.
      - assert (0 <= c / rate) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
        assert (c / rate * exp (- rate * a) <= c / rate * exp (- rate * M)).
        { apply Rmult_le_compat_l; [assumption | apply exp_le; nra]. }
        assert (0 <= c / rate * exp (- rate * b)) by (apply Rmult_le_pos; [assumption | left; apply exp_pos]).
        replace (c / - rate) with (- (c / rate)) by (field; lra). lra. }
    assert (left : forall a b, a <= b -> b <= - M -> Rabs (RInt f a b) <= c / rate * exp (- rate * M)).
    { intros a b A B. eapply Rle_trans; [apply (integral_below_exponential f c rate); [exact F | lra | exact A |] |].
      - intros x X. replace (rate * x) with (- rate * Rabs x) by (rewrite Rabs_left1 by lra; ring). apply below.
      - assert (0 <= c / rate) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
        assert (c / rate * exp (rate * b) <= c / rate * exp (- rate * M)).
        { apply Rmult_le_compat_l; [assumption | apply exp_le; nra]. }
        assert (0 <= c / rate * exp (rate * a)) by (apply Rmult_le_pos; [assumption | left; apply exp_pos]).
        lra. }
    assert (either_right : forall a b, M <= a -> M <= b -> Rabs (RInt f a b) <= c / rate * exp (- rate * M)).
    { intros a b A B. destruct (Rle_lt_dec a b); [apply right; lra |].
      rewrite <- (opp_RInt_swap f b a) by apply F. unfold opp. simpl. rewrite Rabs_Ropp. apply right; lra. }
    assert (either_left : forall a b, a <= - M -> b <= - M -> Rabs (RInt f a b) <= c / rate * exp (- rate * M)).
    { intros a b A B. destruct (Rle_lt_dec a b); [apply left; lra |].
      rewrite <- (opp_RInt_swap f b a) by apply F. unfold opp. simpl. rewrite Rabs_Ropp. apply left; lra. }
    exists (fun ab => fst ab < - M /\ M < snd ab). split; [apply beyond |].
    intros [a b] [a' b'] [A B] [A' B']. simpl in *.
    apply Rle_lt_trans with (2 * (c / rate * exp (- rate * M))); [| exact tail].
    change (Rabs (RInt f a' b' - RInt f a b) <= 2 * (c / rate * exp (- rate * M))).
    replace (RInt f a' b' - RInt f a b) with (RInt f a' a + RInt f b b').
    + pose proof (Rabs_triang (RInt f a' a) (RInt f b b')).
      pose proof (either_left a' a ltac:(lra) ltac:(lra)). pose proof (either_right b b' ltac:(lra) ltac:(lra)). lra.
    + pose proof (RInt_Chasles f a' a b (F _ _) (F _ _)) as X.
      pose proof (RInt_Chasles f a' b b' (F _ _) (F _ _)) as Y. unfold plus in X, Y. simpl in X, Y. lra.
  - exists I. intros P near. unfold filtermapi.
    apply (filter_imp (fun ab => P (RInt f (fst ab) (snd ab)))); [| exact (H P near)]. intros [a b] there.
    exists (RInt f a b). split; [apply integral_on, F | exact there].
Qed.

Lemma integral_correct f : dominated f -> has_integral f (integral f).
Proof. intro D. destruct (dominated_has_integral f D) as [I H]. rewrite (integral_is f I H). exact H. Qed.
Lemma integral_same f g : (forall x, f x = g x) -> dominated f -> integral f = integral g.
Proof.
  intros same D. symmetry. apply integral_is.
  apply (is_RInt_gen_ext (Fa := leftward) (Fb := rightward) f g); [| apply integral_correct, D].
  apply filter_forall. intros ab x _. apply same.
Qed.
Lemma integral_sum f g : dominated f -> dominated g -> integral (fun x => f x + g x) = integral f + integral g.
Proof.
  intros F G. apply integral_is, (is_RInt_gen_plus (Fa := leftward) (Fb := rightward) f g);
    apply integral_correct; assumption.
Qed.
Lemma integral_multiple c f : dominated f -> integral (fun x => c * f x) = c * integral f.
Proof. intro F. apply integral_is, (is_RInt_gen_scal (Fa := leftward) (Fb := rightward) f c), integral_correct, F. Qed.
Lemma integral_nonnegative f : dominated f -> (forall x, 0 <= f x) -> 0 <= integral f.
Proof.
  intros D positive. pose proof (integral_correct f D) as H.
  apply Rle_trans with (Rabs (integral f)); [apply Rabs_pos |].
  apply (RInt_gen_norm (V := R_CompleteNormedModule) (Fa := leftward) (Fb := rightward) f f); try exact H.
  - generalize (beyond 0). apply filter_imp. intros [a b]. simpl. lra.
  - apply filter_forall. intros ab x _. right. apply (Rabs_pos_eq (f x)), positive.
Qed.
Lemma dominated_difference f g : dominated f -> dominated g -> dominated (fun x => g x - f x).
Proof.
  intros (F & c & r & R & C) (G & d & s & S & D). split.
  - apply (integrable_same (fun x => g x + -1 * f x)); [intro; ring |].
    exact (integrable_sum _ _ G (integrable_multiple _ _ F)).
  - exists (c + d), (Rmin r s). split; [apply Rmin_pos; assumption |]. intro x. specialize (C x). specialize (D x).
    assert (c_nonnegative : 0 <= c).
    { pose proof (exp_pos (- r * Rabs x)). pose proof (Rabs_pos (f x)). destruct (Rle_lt_dec 0 c); [assumption | nra]. }
    assert (d_nonnegative : 0 <= d).
    { pose proof (exp_pos (- s * Rabs x)). pose proof (Rabs_pos (g x)). destruct (Rle_lt_dec 0 d); [assumption | nra]. }
    assert (slower : forall q, Rmin r s <= q -> exp (- q * Rabs x) <= exp (- Rmin r s * Rabs x)).
    { intros q Q. apply exp_le. pose proof (Rabs_pos x). nra. }
    pose proof (Rmult_le_compat_l c _ _ c_nonnegative (slower r (Rmin_l r s))).
    pose proof (Rmult_le_compat_l d _ _ d_nonnegative (slower s (Rmin_r r s))).
    replace (g x - f x) with (g x + - f x) by ring.
    pose proof (Rabs_triang (g x) (- f x)) as T. rewrite Rabs_Ropp in T. lra.
Qed.
Lemma integral_monotone f g : dominated f -> dominated g -> (forall x, f x <= g x) -> integral f <= integral g.
Proof.
  intros F G below. pose proof (dominated_difference f g F G) as D.
  pose proof (integral_nonnegative _ D ltac:(intro x; specialize (below x); lra)) as N.
  pose proof (integral_sum f (fun x => g x - f x) F D) as S.
  rewrite (integral_same _ g) in S; [lra | intro; ring |].
  destruct G as (G & d & s & P & B). split; [| exists d, s; split; [exact P | intro x]].
  - apply (integrable_same g); [intro; ring | exact G].
  - replace (f x + (g x - f x)) with (g x) by ring. apply B.
Qed.
Lemma integral_moved f c : dominated f -> integral (fun x => f (x + c)) = integral f.
Proof.
  intro D. apply integral_is. intros P near. destruct (integral_correct f D P near) as [Q S [x X] [y Y] there].
  apply (Filter_prod _ _ _ (fun a => Q (a + c)) (fun b => S (b + c)));
    [exists (x - c); intros z Z; apply X; lra | exists (y - c); intros z Z; apply Y; lra |].
  intros a b A B. destruct (there _ _ A B) as (I & J & K). exists I. split; [| exact K]. simpl in *.
  apply (is_RInt_ext (fun z => scal 1 (f (1 * z + c)))).
  - intros z _. change (1 * f (1 * z + c) = f (z + c)). rewrite !Rmult_1_l. reflexivity.
  - apply (is_RInt_comp_lin f 1 c). rewrite !Rmult_1_l. exact J.
Qed.
Lemma integral_positive f : dominated f -> continuity f -> (forall x, 0 < f x) -> 0 < integral f.
Proof.
  intros D C positive. assert (F : integrable f) by apply D.
  assert (L : 0 < RInt f 0 1).
  { apply RInt_gt_0; [lra | intros; apply positive |]. intros x _. apply continuity_pt_filterlim, C. }
  apply Rlt_le_trans with (RInt f 0 1); [exact L |]. apply Rnot_lt_le. intro less.
  assert (N : forall a b, a <= b -> 0 <= RInt f a b).
  { intros a b order. apply RInt_ge_0; [exact order | apply F | intros; left; apply positive]. }
  pose proof (integral_correct f D (fun y => y < RInt f 0 1)
    (open_lt (RInt f 0 1) (integral f) less)) as near.
  pose proof (filter_and _ _ (beyond 1) near) as there.
  destruct (filter_ex (ProperFilter := whole_line_filter) _ there) as [[a b] [[A B] (y & Y & smaller)]]. simpl in *.
  pose proof (is_RInt_unique (V := R_CompleteNormedModule) f a b y Y) as whole.
  pose proof (RInt_Chasles f a 0 1 (F _ _) (F _ _)) as X. pose proof (RInt_Chasles f a 1 b (F _ _) (F _ _)) as Z.
  pose proof (N a 0 ltac:(lra)). pose proof (N 1 b ltac:(lra)). unfold plus in X, Z. simpl in X, Z. lra.
Qed.

(* A half line is an event, and so is what Boolean connectives make of half lines. *)
Lemma half_line_observable t : observable (s := line) (fun x => if Rle_dec x t then 1 else 0).
Proof.
  split; [exists 1; intro x; destruct Rle_dec; lra |]. intros a b.
  assert (below : forall c, c <= t -> ex_RInt (fun x => if Rle_dec x t then 1 else 0) c t).
  { intros c C. apply (ex_RInt_ext (fun _ => 1)); [| apply ex_RInt_const].
    rewrite Rmin_left, Rmax_right by exact C. intros x X. destruct Rle_dec; lra. }
  assert (above : forall c, t <= c -> ex_RInt (fun x => if Rle_dec x t then 1 else 0) t c).
  { intros c C. apply (ex_RInt_ext (fun _ => 0)); [| apply ex_RInt_const].
    rewrite Rmin_left, Rmax_right by exact C. intros x X. destruct Rle_dec; lra. }
  assert (to : forall c, ex_RInt (fun x => if Rle_dec x t then 1 else 0) t c).
  { intro c. destruct (Rle_lt_dec t c); [apply above; assumption | apply ex_RInt_swap, below; lra]. }
  apply (ex_RInt_Chasles _ a t b); [apply ex_RInt_swap, to | apply to].
Qed.

(* The obligation, for noise on the reals. *)
Definition tail_is_geometric_on_the_line (log_weight : R -> R) (tail_rate tail_offset : R) :=
  forall z, log_weight z <= tail_offset - tail_rate * Rabs z /\ 0 < tail_rate.

Section line_noise.
  Variables (log_weight : R -> R) (tail_rate tail_offset : R).
  Hypothesis continuous : continuity log_weight.
  Hypothesis tail : tail_is_geometric_on_the_line log_weight tail_rate tail_offset.
  Let weight z := exp (log_weight z).

  Lemma line_weight_continuous x : continuity (fun y => weight (y - x)).
  Proof.
    apply (continuity_comp (fun y => log_weight (y - x)) exp); [| apply derivable_continuous, derivable_exp].
    apply (continuity_comp (fun y => y - x) log_weight); [| exact continuous].
    apply continuity_minus; [apply derivable_continuous, derivable_id |].
    apply continuity_const. intros u v. reflexivity.
  Qed.
  Lemma line_weight_bounded x : bounded (fun y => weight (y - x)).
  Proof.
    exists (exp tail_offset). intro y. destruct (tail (y - x)) as [below rate]. pose proof (Rabs_pos (y - x)).
    pose proof (exp_pos (log_weight (y - x))). pose proof (exp_pos tail_offset).
    split; [unfold weight; lra | apply exp_le].
    assert (0 <= tail_rate * Rabs (y - x)) by (apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma line_observed (f : R -> R) x :
    bounded f /\ integrable f -> dominated (fun y => f y * weight (y - x)).
  Proof.
    intros [[c C] F]. destruct (tail 0) as [_ rate]. split.
    - apply integrable_product; [exists c; exact C | exact F | apply line_weight_bounded |].
      apply integrable_continuous, line_weight_continuous.
    - exists (c * exp (tail_offset + tail_rate * Rabs x)), tail_rate. split; [exact rate |]. intro y.
      rewrite Rabs_mult, Rmult_assoc, <- exp_plus, (Rabs_pos_eq (weight (y - x))) by (left; apply exp_pos).
      apply Rmult_le_compat; [apply Rabs_pos | left; apply exp_pos | apply Rabs_le, C | apply exp_le].
      destruct (tail (y - x)) as [below _]. pose proof (Rabs_triang (y - x) x) as T.
      replace (y - x + x) with y in T by ring. nra.
  Qed.
  Lemma line_weight_dominated x : dominated (fun y => weight (y - x)).
  Proof.
    destruct (line_observed (fun _ => 1) x (conj (bounded_constant 1) (integrable_constant 1)))
      as (F & c & rate & R & C).
    split; [apply integrable_continuous, line_weight_continuous |].
    exists c, rate. split; [exact R |]. intro y. specialize (C y). rewrite Rmult_1_l in C. exact C.
  Qed.
  Lemma line_weight_total x : integral (fun y => weight (y - x)) = integral weight.
  Proof.
    rewrite <- (integral_moved _ x (line_weight_dominated x)). apply integral_same; [intro y; f_equal; ring |].
    destruct (line_weight_dominated 0) as (F & c & rate & R & C). split.
    - apply (integrable_same weight); [intro; f_equal; ring |].
      apply (integrable_same (fun y => weight (y - 0))); [intro; f_equal; ring | exact F].
    - exists c, rate. split; [exact R |]. intro y. specialize (C y). rewrite Rminus_0_r in C.
      replace (y + x - x) with y by ring. exact C.
  Qed.
  Lemma line_total_positive : 0 < integral weight.
  Proof.
    rewrite <- (line_weight_total 0). apply integral_positive; [apply line_weight_dominated | |].
    - apply line_weight_continuous.
    - intro. apply exp_pos.
  Qed.

  (* x + Z: its density at y is weight (y - x) / integral weight. *)
  Definition add_line_noise : mechanism R line.
  Proof.
    intro x. refine (Law line (fun f => integral (fun y => f y * weight (y - x)) / integral weight) _ _ _ _).
    - intros f g F G below. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, line_total_positive |].
      apply integral_monotone; [apply line_observed, F | apply line_observed, G |].
      intro y. apply Rmult_le_compat_r; [left; apply exp_pos | apply below].
    - intros f g F G. unfold Rdiv. rewrite <- Rmult_plus_distr_r. f_equal.
      rewrite <- (integral_sum _ _ (line_observed f x F) (line_observed g x G)).
      apply integral_same; [intro; ring | apply line_observed, (observable_sum line), G; exact F].
    - intros c f F. unfold Rdiv. rewrite <- Rmult_assoc. f_equal.
      rewrite <- (integral_multiple _ _ (line_observed f x F)).
      apply integral_same; [intro; ring | apply line_observed, (observable_multiple line), F].
    - rewrite (integral_same _ (fun y => weight (y - x)));
        [| intro; ring | apply line_observed, (observable_constant line)].
      rewrite line_weight_total. apply Rinv_r. pose proof line_total_positive. lra.
  Defined.

  (* normalised, on the reals: the density integrates to 1, whatever the input. *)
  Theorem normalised_on_the_line normaliser x :
    integral (fun z => exp (log_weight z)) = normaliser -> integral (fun y => weight (y - x) / normaliser) = 1.
  Proof.
    intro integral_is_the_normaliser. pose proof line_total_positive as positive.
    rewrite <- integral_is_the_normaliser. fold weight.
    rewrite <- (integral_same (fun y => / integral weight * weight (y - x))).
    - rewrite integral_multiple by apply line_weight_dominated. rewrite line_weight_total. apply Rinv_l. lra.
    - intro y. apply Rmult_comm.
    - exact (line_observed _ x (conj (bounded_constant _) (integrable_constant _))).
  Qed.

  (* additive_noise, on the reals, under pure *)
  Theorem additive_noise_on_the_line privacy_map d_in :
    loss_is_bounded log_weight privacy_map ->
    private (fun x y => Rabs (x - y) <= d_in) add_line_noise (pure (privacy_map d_in)).
  Proof.
    intros loss x y near f [F between].
    change (integral (fun o => f o * weight (o - x)) / integral weight <=
      exp (privacy_map d_in) * (integral (fun o => f o * weight (o - y)) / integral weight) + 0).
    rewrite Rplus_0_r. unfold Rdiv. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, line_total_positive |].
    rewrite <- (integral_multiple _ _ (line_observed f y F)).
    pose proof (line_observed (fun o => exp (privacy_map d_in) * f o) y (observable_multiple line _ f F)) as D.
    apply Rle_trans with (integral (fun o => exp (privacy_map d_in) * f o * weight (o - y)));
      [| right; apply integral_same; [intro; ring | exact D]].
    apply integral_monotone; [apply line_observed, F | exact D |]. intro o.
    rewrite (Rmult_comm (exp _)), Rmult_assoc. apply Rmult_le_compat_l; [apply between |].
    unfold weight. rewrite <- exp_plus. apply exp_le. pose proof (loss o x y d_in near). lra.
  Qed.
End line_noise.

(* Continuous Laplace noise: every scale. *)
Section laplace.
  Variable scale : R.
  Hypothesis scale_positive : 0 < scale.
  Let log_weight z := - Rabs z / scale.

  Lemma laplace_continuous : continuity log_weight.
  Proof.
    apply (continuity_mult (fun z => - Rabs z) (fun _ => / scale)).
    - apply continuity_opp, Rcontinuity_abs.
    - apply continuity_const. intros u v. reflexivity.
  Qed.
  Lemma laplace_tail : tail_is_geometric_on_the_line log_weight (1 / scale) (0 * scale).
  Proof. intro z. destruct (discrete_laplace_tail scale 1 scale_positive Rlt_0_1 z) as (A & B & _). auto. Qed.

  Definition laplace := add_line_noise log_weight (1 / scale) (0 * scale) laplace_continuous laplace_tail.

  Theorem laplace_private d_in : private (fun x y => Rabs (x - y) <= d_in) laplace (pure (d_in / scale)).
  Proof.
    apply (additive_noise_on_the_line _ _ _ _ _ (fun d => d / scale)). apply discrete_laplace_loss, scale_positive.
  Qed.
End laplace.

(* Scale 2: at distance 1 the loss is 1/2, of the event that at most 0 comes out for instance. *)
Example laplace_of_scale_2 (two : 0 < 2) :
  let at_most_0 x := if Rle_dec x 0 then 1 else 0 in
  E (laplace 2 two 0) at_most_0 <= exp (1 / 2) * E (laplace 2 two 1) at_most_0.
Proof.
  intro at_most_0. rewrite <- Rplus_0_r. apply (laplace_private 2 two 1 0 1).
  - unfold Rabs. destruct Rcase_abs; lra.
  - split; [apply half_line_observable |]. intro x. unfold at_most_0. destruct Rle_dec; lra.
Qed.

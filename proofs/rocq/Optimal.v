(* The least delta of a composition under approximate DP.

   Whatever mechanisms with losses (e_i, d_i) are run one after another, no test tells two neighbours apart better than
   it tells the responses apart: a response fails with probability d_i, and is else a coin of odds exp(e_i).  For, laws
   that are within (e, d) both ways have parts in common that such coins toss up.  So the delta of coins, a sum over
   signs, is that of every composition, adaptive ones included; and it is at most that of advanced composition. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality.
From Coquelicot Require Import Rbar Lub Hierarchy Derive AutoDerive.
From Refdp Require Import Laws Privacy.
Import ListNotations.
Open Scope R_scope.

(* Part of a law: what it gives to observables that are not negative. *)
Definition nonnegative {O : space} (f : O -> R) := observable f /\ forall o, 0 <= f o.
Record part {O : space} (m : (O -> R) -> R) : Prop := Part {
  part_nonnegative : forall f, nonnegative f -> 0 <= m f;
  part_sum : forall f g, nonnegative f -> nonnegative g -> m (fun o => f o + g o) = m f + m g;
  part_multiple : forall c f, 0 <= c -> nonnegative f -> m (fun o => c * f o) = c * m f }.
Arguments part_nonnegative {O m} _ _ _.
Arguments part_sum {O m} _ _ _ _ _.
Arguments part_multiple {O m} _ _ _ _ _.

Section parts.
  Context {O : space}.
  Implicit Types (f g u v : O -> R) (m n : (O -> R) -> R) (p q : law O).

  Lemma nonnegative_constant c : 0 <= c -> nonnegative (fun _ : O => c).
  Proof. split; [apply observable_constant | auto]. Qed.
  Lemma nonnegative_sum f g : nonnegative f -> nonnegative g -> nonnegative (fun o => f o + g o).
  Proof.
    intros [F A] [G B]. split; [apply observable_sum; assumption | intro o; specialize (A o); specialize (B o); lra].
  Qed.
  Lemma nonnegative_multiple c f : 0 <= c -> nonnegative f -> nonnegative (fun o => c * f o).
  Proof. intros C [F A]. split; [apply observable_multiple, F | intro; apply Rmult_le_pos; auto]. Qed.
  Lemma nonnegative_difference f g : nonnegative f -> nonnegative g -> (forall o, g o <= f o) ->
    nonnegative (fun o => f o - g o).
  Proof.
    intros [F _] [G _] below. split; [apply observable_difference; assumption | intro o; specialize (below o); lra].
  Qed.
  Lemma nonnegative_test f : test f -> nonnegative f.
  Proof. intros [F B]. split; [exact F | apply B]. Qed.
  Lemma law_part p : part (E p).
  Proof.
    split; intros; [apply E_nonnegative | apply E_sum | apply E_multiple]; try apply H; try apply H0; assumption.
  Qed.
  Lemma part_monotone m f g : part m -> nonnegative f -> nonnegative g -> (forall o, f o <= g o) -> m f <= m g.
  Proof.
    intros M F G below. pose proof (nonnegative_difference g f G F below) as D.
    pose proof (part_sum M f _ F D) as S. cbv beta in S. pose proof (part_nonnegative M _ D).
    replace (fun o => f o + (g o - f o)) with g in S by (extensionality o; ring). lra.
  Qed.
  Lemma part_constant m c : part m -> 0 <= c -> m (fun _ => c) = c * m (fun _ => 1).
  Proof.
    intros M C. rewrite <- (part_multiple M c (fun _ => 1) C (nonnegative_constant 1 ltac:(lra))).
    f_equal. extensionality o. ring.
  Qed.
  Lemma part_combined m n a b : part m -> part n -> 0 <= a -> 0 <= b -> part (fun f => a * m f + b * n f).
  Proof.
    intros M N A B. split.
    - intros f F. pose proof (part_nonnegative M f F). pose proof (part_nonnegative N f F).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; assumption.
    - intros f g F G. rewrite (part_sum M), (part_sum N) by assumption. ring.
    - intros c f C F. rewrite (part_multiple M), (part_multiple N) by assumption. ring.
  Qed.
  (* What is left of a part when a smaller one is taken away. *)
  Lemma part_left m n a b : part m -> part n -> (forall f, nonnegative f -> b * n f <= a * m f) ->
    part (fun f => a * m f - b * n f).
  Proof.
    intros M N below. split.
    - intros f F. specialize (below f F). lra.
    - intros f g F G. rewrite (part_sum M), (part_sum N) by assumption. ring.
    - intros c f C F. rewrite (part_multiple M), (part_multiple N) by assumption. ring.
  Qed.

  (* What p and t times q have in common: the greatest part of both. *)
  Definition splits p q t f x :=
    exists g, nonnegative g /\ (forall o, g o <= f o) /\ x = E p g + t * E q (fun o => f o - g o).
  Definition common p q t f : R := real (Glb_Rbar (splits p q t f)).

  Lemma common_bounds p q t f : 0 <= t -> nonnegative f ->
    (forall g, nonnegative g -> (forall o, g o <= f o) -> common p q t f <= E p g + t * E q (fun o => f o - g o)) /\
    (forall c, (forall g, nonnegative g -> (forall o, g o <= f o) -> c <= E p g + t * E q (fun o => f o - g o)) ->
               c <= common p q t f).
  Proof.
    intros T F. unfold common. pose proof (Glb_Rbar_correct (splits p q t f)) as [below greatest].
    assert (some : splits p q t f (E p f + t * E q (fun o => f o - f o))).
    { exists f. split; [exact F | split; [intro; lra | reflexivity]]. }
    assert (positive : Rbar_le 0 (Glb_Rbar (splits p q t f))).
    { apply greatest. intros x (g & G & le & ->). simpl.
      apply Rplus_le_le_0_compat; [apply E_nonnegative; apply G |].
      apply Rmult_le_pos; [exact T | apply E_nonnegative; apply (nonnegative_difference f g F G le)]. }
    pose proof (below _ some) as top.
    destruct (Glb_Rbar (splits p q t f)) as [m | |]; simpl in *; try contradiction.
    split.
    - intros g G le. apply (below _). exists g. auto.
    - intros c C. apply (greatest c). intros x (g & G & le & ->). apply (C g G le).
  Qed.

  Lemma common_part p q t : 0 <= t -> part (common p q t).
  Proof.
    intro T. split.
    - intros f F. apply (common_bounds p q t f T F). intros g G le.
      apply Rplus_le_le_0_compat; [apply E_nonnegative; apply G |].
      apply Rmult_le_pos; [exact T | apply E_nonnegative; apply (nonnegative_difference f g F G le)].
    - intros f f' F F'. pose proof (nonnegative_sum f f' F F') as FF.
      destruct (common_bounds p q t f T F) as [B L]. destruct (common_bounds p q t f' T F') as [B' L'].
      destruct (common_bounds p q t _ T FF) as [BB LL].
      apply Rle_antisym.
      + (* The best splits of either split the sum. *)
        assert (K : forall g g', nonnegative g -> nonnegative g' ->
          (forall o, g o <= f o) -> (forall o, g' o <= f' o) ->
          common p q t (fun o => f o + f' o) <=
          (E p g + t * E q (fun o => f o - g o)) + (E p g' + t * E q (fun o => f' o - g' o))).
        { intros g g' G G' le le'. eapply Rle_trans; [apply (BB (fun o => g o + g' o)) |].
          - apply nonnegative_sum; assumption.
          - intro o. specialize (le o). specialize (le' o). lra.
          - replace (fun o => f o + f' o - (g o + g' o)) with (fun o => (f o - g o) + (f' o - g' o))
              by (extensionality o; ring).
            rewrite E_sum by (apply G || apply G').
            rewrite E_sum by (apply nonnegative_difference; assumption). lra. }
        assert (K1 : forall g', nonnegative g' -> (forall o, g' o <= f' o) ->
          common p q t (fun o => f o + f' o) - (E p g' + t * E q (fun o => f' o - g' o)) <= common p q t f).
        { intros g' G' le'. apply L. intros g G le. specialize (K g g' G G' le le'). lra. }
        assert (common p q t (fun o => f o + f' o) - common p q t f <= common p q t f'); [| lra].
        apply L'. intros g' G' le'. specialize (K1 g' G' le'). lra.
      + (* A split of the sum splits both. *)
        apply LL. intros g G le. pose (h := fun o => Rmin (g o) (f o)).
        assert (H : nonnegative h).
        { split; [apply observable_least; [apply G | apply F] |].
          intro o. apply Rmin_glb; [apply G | apply F]. }
        assert (hg : forall o, h o <= g o) by (intro; apply Rmin_l).
        assert (hf : forall o, h o <= f o) by (intro; apply Rmin_r).
        pose proof (nonnegative_difference g h G H hg) as H'.
        assert (rest : forall o, g o - h o <= f' o).
        { intro o. specialize (le o). pose proof (proj2 F' o). unfold h, Rmin. destruct (Rle_dec (g o) (f o)); lra. }
        pose proof (B h H hf) as X. pose proof (B' _ H' rest) as X'.
        replace (E p g) with (E p h + E p (fun o => g o - h o)).
        2:{ rewrite <- E_sum; [f_equal; extensionality o; ring | apply H | apply H']. }
        replace (E q (fun o => f o + f' o - g o)) with (E q (fun o => f o - h o) + E q (fun o => f' o - (g o - h o))).
        2:{ rewrite <- E_sum; [f_equal; extensionality o; ring | |]; apply nonnegative_difference; assumption. }
        lra.
    - assert (half : forall c f, 0 < c -> nonnegative f -> common p q t (fun o => c * f o) <= c * common p q t f).
      { intros c f C F. pose proof (nonnegative_multiple c f (Rlt_le _ _ C) F) as CF.
        destruct (common_bounds p q t f T F) as [_ L]. destruct (common_bounds p q t _ T CF) as [BB _].
        apply (Rmult_le_reg_l (/ c)); [apply Rinv_0_lt_compat, C |].
        replace (/ c * (c * common p q t f)) with (common p q t f) by (field; lra).
        apply L. intros g G le. apply (Rmult_le_reg_l c); [exact C |].
        replace (c * (/ c * common p q t (fun o => c * f o))) with (common p q t (fun o => c * f o)) by (field; lra).
        eapply Rle_trans; [apply (BB (fun o => c * g o) (nonnegative_multiple c g (Rlt_le _ _ C) G)) |].
        - intro o. apply Rmult_le_compat_l; [lra | apply le].
        - replace (fun o => c * f o - c * g o) with (fun o => c * (f o - g o)) by (extensionality o; ring).
          rewrite !E_multiple; [right; ring | apply nonnegative_difference; assumption | apply G]. }
      intros c f [C | <-] F.
      + apply Rle_antisym; [apply half; assumption |].
        pose proof (half (/ c) _ (Rinv_0_lt_compat _ C) (nonnegative_multiple c f (Rlt_le _ _ C) F)) as H.
        cbv beta in H. replace (fun o => / c * (c * f o)) with f in H by (extensionality o; field; lra).
        apply (Rmult_le_reg_l (/ c)); [apply Rinv_0_lt_compat, C |].
        replace (/ c * (c * common p q t f)) with (common p q t f) by (field; lra). exact H.
      + replace (fun o => 0 * f o) with (fun _ : O => 0) by (extensionality o; ring).
        pose proof (nonnegative_constant 0 (Rle_refl 0)) as Z. destruct (common_bounds p q t _ T Z) as [B L].
        apply Rle_antisym.
        * eapply Rle_trans; [apply (B (fun _ => 0) Z); intro; lra |].
          replace (fun _ : O => 0 - 0) with (fun _ : O => 0) by (extensionality o; ring). rewrite !E_constant. lra.
        * rewrite Rmult_0_l. apply L. intros g G le. apply Rplus_le_le_0_compat; [apply E_nonnegative; apply G |].
          apply Rmult_le_pos; [exact T | apply E_nonnegative; apply (nonnegative_difference _ g Z G le)].
  Qed.

  Lemma part_between m f g c : part m -> nonnegative f -> nonnegative g -> (forall o, f o <= g o + c) ->
    m f <= m g + c * m (fun _ => 1).
  Proof.
    intros M F G below. destruct (Rle_dec 0 c) as [C | C].
    - rewrite <- part_constant by assumption. pose proof (nonnegative_constant c C) as K.
      rewrite <- (part_sum M g (fun _ => c) G K).
      apply part_monotone; auto using nonnegative_sum.
    - assert (N : 0 <= - c) by lra. pose proof (nonnegative_constant (- c) N) as K.
      assert (S : m f + m (fun _ => - c) <= m g).
      { rewrite <- (part_sum M f (fun _ => - c) F K).
        apply part_monotone; auto using nonnegative_sum. intro o. specialize (below o). lra. }
      rewrite part_constant in S by assumption. lra.
  Qed.

  (* Two parts are made of one mass, at no cost where the first one counts t times. *)
  Lemma balanced m n t : part m -> part n -> 1 <= t -> m (fun _ => 1) <= n (fun _ => 1) ->
    exists a b, part a /\ part b /\ a (fun _ => 1) = b (fun _ => 1) /\
      (forall f, t * a f + b f = t * m f + n f) /\ (forall f, nonnegative f -> a f + t * b f <= m f + t * n f).
  Proof.
    intros M N T order. pose proof (nonnegative_constant 1 ltac:(lra)) as one.
    pose proof (part_nonnegative M _ one) as zero. set (x := m _) in *. set (y := n _) in *.
    assert (L : exists c, 0 <= c <= 1 /\ x + c / t * y = (1 - c) * y).
    { destruct (Req_dec y 0) as [-> | some].
      - exists 0. split; [lra |]. replace x with 0 by lra. field. lra.
      - exists ((y - x) / (y * (1 + / t))). assert (0 < / t) by (apply Rinv_0_lt_compat; lra).
        assert (0 < y * (1 + / t)) by (apply Rmult_lt_0_compat; lra).
        split; [split |].
        + apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; assumption].
        + apply (Rmult_le_reg_r (y * (1 + / t))); [assumption |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
          assert (0 <= y * / t) by (apply Rmult_le_pos; lra). lra.
        + field. split; lra. }
    destruct L as (c & C & same).
    assert (0 <= c / t) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    assert (below : c / t <= t * c).
    { apply (Rmult_le_reg_l t); [lra |]. replace (t * (c / t)) with (c * 1) by (field; lra).
      replace (t * (t * c)) with (c * (t * t)) by ring. apply Rmult_le_compat_l; [lra |].
      replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
    exists (fun f => 1 * m f + c / t * n f), (fun f => 0 * m f + (1 - c) * n f).
    split; [apply part_combined; (assumption || lra) |]. split; [apply part_combined; (assumption || lra) |].
    split; [fold x; fold y; lra |]. split.
    - intro f. field. lra.
    - intros f F. pose proof (part_nonnegative N f F).
      assert (c / t * n f <= t * c * n f) by (apply Rmult_le_compat_r; assumption). lra.
  Qed.

  Lemma common_facts p q t f : 1 <= t -> nonnegative f ->
    common p q t f <= E p f /\ common p q t f <= t * E q f /\ common p q t f <= t * common q p t f.
  Proof.
    intros T F. destruct (common_bounds p q t f ltac:(lra) F) as [B _].
    destruct (common_bounds q p t f ltac:(lra) F) as [_ L']. split; [| split].
    - pose proof (B f F ltac:(intro; lra)) as H.
      replace (fun o => f o - f o) with (fun _ : O => 0) in H by (extensionality o; ring).
      rewrite E_constant in H. lra.
    - pose proof (B _ (nonnegative_constant 0 (Rle_refl 0)) (proj2 F)) as H. rewrite E_constant in H.
      replace (fun o => f o - 0) with f in H by (extensionality o; ring). lra.
    - apply (Rmult_le_reg_l (/ t)); [apply Rinv_0_lt_compat; lra |].
      replace (/ t * (t * common q p t f)) with (common q p t f) by (field; lra).
      apply L'. intros g G le. apply (Rmult_le_reg_l t); [lra |].
      replace (t * (/ t * common p q t f)) with (common p q t f) by (field; lra).
      pose proof (nonnegative_difference f g F G le) as D.
      eapply Rle_trans; [apply (B _ D); intro o; pose proof (proj2 G o); lra |].
      replace (fun o => f o - (f o - g o)) with g by (extensionality o; ring).
      assert (0 <= E p (fun o => f o - g o)) by (apply E_nonnegative; apply D).
      assert (1 * E p (fun o => f o - g o) <= t * t * E p (fun o => f o - g o)).
      { apply Rmult_le_compat_r; [assumption |]. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
      lra.
  Qed.

  Lemma common_mass p q t d : 0 <= t -> within t d p q -> 1 - d <= common p q t (fun _ => 1).
  Proof.
    intros T H. pose proof (nonnegative_constant 1 ltac:(lra)) as one.
    apply (common_bounds p q t _ T one). intros g G le.
    assert (K : test (fun o => 1 - g o)).
    { split; [apply (nonnegative_difference _ g one G le) |]. intro o. pose proof (proj2 G o). specialize (le o).
      lra. }
    specialize (H _ K). rewrite E_difference, E_one in H; [lra | apply one | apply G].
  Qed.

  (* Laws within (t, d) both ways have two parts of one mass in common: one is t times as likely under p, the other
     under q. *)
  Lemma coins p q t d : 1 <= t -> within t d p q -> within t d q p ->
    exists a b, part a /\ part b /\ a (fun _ => 1) = b (fun _ => 1) /\ 1 - d <= (1 + t) * a (fun _ => 1) /\
      (forall f, nonnegative f -> t * a f + b f <= E p f) /\ (forall f, nonnegative f -> a f + t * b f <= E q f).
  Proof.
    intros T H H'. pose proof (common_part p q t ltac:(lra)) as P. pose proof (common_part q p t ltac:(lra)) as Q.
    pose proof (common_mass p q t d ltac:(lra) H) as MP. pose proof (common_mass q p t d ltac:(lra) H') as MQ.
    set (m := common p q t) in *. set (n := common q p t) in *.
    assert (facts : forall f, nonnegative f -> m f <= E p f /\ n f <= E q f /\ m f <= t * n f /\ n f <= t * m f).
    { intros f F. destruct (common_facts p q t f T F) as (? & _ & ?).
      destruct (common_facts q p t f T F) as (? & _ & ?). auto. }
    pose proof (nonnegative_constant 1 ltac:(lra)) as one.
    assert (K : exists a b, part a /\ part b /\
      (forall f, nonnegative f -> t * a f + b f <= E p f /\ a f + t * b f <= E q f) /\
      1 - d <= t * a (fun _ => 1) + b (fun _ => 1) /\ 1 - d <= a (fun _ => 1) + t * b (fun _ => 1)).
    { destruct (Req_dec t 1) as [-> | more].
      - assert (half : part (fun f => / 2 * m f + 0 * n f)) by (apply part_combined; (assumption || lra)).
        exists (fun f => / 2 * m f + 0 * n f), (fun f => / 2 * m f + 0 * n f).
        split; [exact half |]. split; [exact half |]. split; [| lra].
        intros f F. destruct (facts f F) as (? & ? & ? & _). lra.
      - assert (0 < t * t - 1) by nra. pose (s := / (t * t - 1)).
        assert (0 < s) by (apply Rinv_0_lt_compat; assumption).
        assert (first : forall f, t * (s * t * m f - s * n f) + (s * t * n f - s * m f) = m f).
        { intro f. unfold s. field. lra. }
        assert (second : forall f, (s * t * m f - s * n f) + t * (s * t * n f - s * m f) = n f).
        { intro f. unfold s. field. lra. }
        exists (fun f => s * t * m f - s * n f), (fun f => s * t * n f - s * m f).
        split; [| split; [| split]].
        + apply part_left; try assumption. intros f F. destruct (facts f F) as (_ & _ & _ & ?).
          rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
        + apply part_left; try assumption. intros f F. destruct (facts f F) as (_ & _ & ? & _).
          rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
        + intros f F. rewrite first, second. destruct (facts f F) as (? & ? & _). lra.
        + rewrite first, second. lra. }
    destruct K as (a & b & A & B & below & MA & MB).
    destruct (Rle_dec (a (fun _ => 1)) (b (fun _ => 1))) as [order | order].
    - destruct (balanced a b t A B T order) as (a' & b' & A' & B' & same & sum & less).
      exists a', b'. repeat (split; [assumption |]). split; [| split].
      + pose proof (sum (fun _ => 1)). lra.
      + intros f F. rewrite sum. apply (below f F).
      + intros f F. eapply Rle_trans; [apply (less f F) | apply (below f F)].
    - destruct (balanced b a t B A T ltac:(lra)) as (b' & a' & B' & A' & same & sum & less).
      exists a', b'. repeat (split; [(assumption || symmetry; assumption) |]). split; [| split].
      + pose proof (sum (fun _ => 1)) as S. rewrite same in S. lra.
      + intros f F. pose proof (less f F). destruct (below f F). lra.
      + intros f F. pose proof (sum f). destruct (below f F). lra.
  Qed.

  (* One step: if what follows can be told apart by G(x, y) at most, then with the step by that of its response. *)
  Lemma one_step p q t d u v (G : R -> R -> R) x y :
    1 <= t -> d <= 1 -> within t d p q -> within t d q p -> test u -> test v -> 0 <= x -> 0 <= y ->
    (forall x y, 0 <= x -> 0 <= y -> G x y <= x) ->
    (forall x y o, 0 <= x -> 0 <= y -> x * u o - y * v o <= G x y) ->
    x * E p u - y * E q v <= d * x + (1 - d) / (1 + t) * (G (x * t) y + G x (y * t)).
  Proof.
    intros T D H H' U V X Y small told. destruct (coins p q t d T H H') as (a & b & A & B & same & mass & P & Q).
    assert (XT : 0 <= x * t) by (apply Rmult_le_pos; lra). assert (YT : 0 <= y * t) by (apply Rmult_le_pos; lra).
    pose proof (nonnegative_test u U) as U'. pose proof (nonnegative_test v V) as V'.
    pose proof (nonnegative_constant 1 ltac:(lra)) as one.
    assert (KA : x * t * a u <= y * a v + G (x * t) y * a (fun _ => 1)).
    { rewrite <- (part_multiple A (x * t) u XT U'), <- (part_multiple A y v Y V').
      apply part_between; auto using nonnegative_multiple.
      intro o. pose proof (told (x * t) y o XT Y). lra. }
    assert (KB : x * b u <= y * t * b v + G x (y * t) * a (fun _ => 1)).
    { rewrite same, <- (part_multiple B x u X U'), <- (part_multiple B (y * t) v YT V').
      apply part_between; auto using nonnegative_multiple.
      intro o. pose proof (told x (y * t) o X YT). lra. }
    set (c := a (fun _ => 1)) in *.
    assert (left : E p u - (t * a u + b u) <= 1 - (1 + t) * c).
    { assert (L : part (fun f => 1 * E p f - 1 * (t * a f + 1 * b f))).
      { apply part_left; [apply law_part | apply part_combined; (assumption || lra) |].
        intros f F. specialize (P f F). lra. }
      pose proof (part_monotone _ u _ L U' one (fun o => proj2 (proj2 U o))) as K. cbv beta in K.
      rewrite E_one, <- same in K. fold c in K. lra. }
    pose proof (Rmult_le_compat_l x _ _ X left) as KL. pose proof (Rmult_le_compat_l y _ _ Y (Q v V')) as KV.
    pose proof (small (x * t) y XT Y) as S1. pose proof (small x (y * t) X YT) as S2.
    set (g := G (x * t) y) in *. set (h := G x (y * t)) in *.
    assert (C : (1 - d) / (1 + t) <= c).
    { apply (Rmult_le_reg_l (1 + t)); [lra |]. replace ((1 + t) * ((1 - d) / (1 + t))) with (1 - d) by (field; lra).
      exact mass. }
    replace (d * x) with (x - (1 - d) / (1 + t) * ((1 + t) * x)) by (field; lra).
    assert ((1 - d) / (1 + t) * ((1 + t) * x - (g + h)) <= c * ((1 + t) * x - (g + h))).
    { apply Rmult_le_compat_r; lra. }
    lra.
  Qed.
End parts.

(* What k responses are told apart by: a failure tells all; else the coin shows one side or the other. *)
Definition losses := list (R * R).
Definition allowed : losses -> Prop := List.Forall (fun loss => 0 <= fst loss /\ snd loss <= 1).
Fixpoint excess (all : losses) (x y : R) : R :=
  match all with
  | [] => Rmax 0 (x - y)
  | (e, d) :: rest => d * x + (1 - d) / (1 + exp e) * (excess rest (x * exp e) y + excess rest x (y * exp e))
  end.

Lemma excess_small all x y : allowed all -> 0 <= x -> 0 <= y -> excess all x y <= x.
Proof.
  intro A. revert x y. induction A as [| [e d] rest [N D] A IH]; simpl in *; intros x y X Y.
  - unfold Rmax. destruct (Rle_dec 0 (x - y)); lra.
  - pose proof (exp_pos e).
    assert (excess rest (x * exp e) y + excess rest x (y * exp e) <= (1 + exp e) * x).
    { assert (0 <= x * exp e) by (apply Rmult_le_pos; lra). assert (0 <= y * exp e) by (apply Rmult_le_pos; lra).
      pose proof (IH (x * exp e) y ltac:(assumption) Y). pose proof (IH x (y * exp e) X ltac:(assumption)). lra. }
    assert (0 <= (1 - d) / (1 + exp e)).
    { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
    replace x with (d * x + (1 - d) / (1 + exp e) * ((1 + exp e) * x)) at 4 by (field; lra).
    apply Rplus_le_compat_l, Rmult_le_compat_l; assumption.
Qed.

(* Mechanisms with these losses, run one after another.  Each may read the outcomes before it, or ignore them. *)
Inductive composition {X : Type} (near : X -> X -> Prop) : losses -> forall O : space, mechanism X O -> Prop :=
| composition_nothing (O : space) (p : law O) : composition near [] O (fun _ => p)
| composition_one (O : space) (M : mechanism X O) e d :
    private near M (approximate e d) -> composition near [(e, d)] O M
| composition_first (O P : space) (M : mechanism X O) (N : X -> kernel O P) e d rest :
    private near M (approximate e d) -> (forall previous, composition near rest P (fun x => N x previous)) ->
    composition near ((e, d) :: rest) (product O P) (fun x => both (M x) (N x)).

Lemma composition_excess {X} (near : X -> X -> Prop) all (O : space) (M : mechanism X O) :
  (forall x y, near x y -> near y x) -> composition near all O M -> allowed all ->
  forall x y, near x y -> forall f, test f -> forall a b, 0 <= a -> 0 <= b ->
  a * E (M x) f - b * E (M y) f <= excess all a b.
Proof.
  intros symmetric C. induction C as [O p | O M e d H | O P M N e d rest H _ IH]; intros allow x y n f F a b A B.
  - simpl. pose proof (E_test p f F). unfold Rmax. destruct (Rle_dec 0 (a - b)); nra.
  - simpl. inversion_clear allow as [| ? ? [nonneg small] _]. simpl in *.
    apply (one_step (M x) (M y) (exp e) d f f (fun x y => Rmax 0 (x - y))); try assumption;
      try apply exp_at_least_1, nonneg.
    + apply H, n.
    + apply H, symmetric, n.
    + intros a' b' A' B'. unfold Rmax. destruct (Rle_dec 0 (a' - b')); lra.
    + intros a' b' o A' B'. destruct F as [_ F]. specialize (F o). unfold Rmax. destruct (Rle_dec 0 (a' - b')); nra.
  - inversion_clear allow as [| ? ? [nonneg small] later]. simpl fst in *; simpl snd in *.
    assert (S : forall o, test (fun c => f (o, c))).
    { intro o. split; [apply F | intro; apply F]. }
    assert (K : forall z, test (fun o => E (N z o) (fun c => f (o, c)))).
    { intro z. split; [exact (run_observable (N z) (fun o c => f (o, c)) (proj1 F)) | intro o; apply E_test, S]. }
    apply (one_step (M x) (M y) (exp e) d _ _ (excess rest)); try assumption; try apply exp_at_least_1, nonneg.
    + apply H, n.
    + apply H, symmetric, n.
    + apply K.
    + apply K.
    + intros a' b' A' B'. apply excess_small; assumption.
    + intros a' b' o A' B'. apply IH; auto.
Qed.

(* The sum over all signs, as refdp writes it. *)
Definition sum_over {T : Type} (f : T -> R) (all : list T) : R := fold_right Rplus 0 (map f all).
Fixpoint all_signs (count : nat) : list (list bool) :=
  match count with
  | O => [[]]
  | S rest => map (cons true) (all_signs rest) ++ map (cons false) (all_signs rest)
  end.
(* The sum of the e_i that have this sign. *)
Fixpoint chosen (sign : bool) (all : losses) (signs : list bool) : R :=
  match all, signs with
  | (e, _) :: rest, s :: others => (if Bool.eqb s sign then e else 0) + chosen sign rest others
  | _, _ => 0
  end.
Definition none_fails (all : losses) : R := fold_right (fun loss rest => (1 - snd loss) * rest) 1 all.
Definition normaliser (all : losses) : R := fold_right (fun loss rest => (1 + exp (fst loss)) * rest) 1 all.
Definition told_by_coins (all : losses) (epsilon : R) : R :=
  sum_over (fun signs => Rmax 0 (exp (chosen true all signs) - exp (epsilon + chosen false all signs)))
    (all_signs (length all)) / normaliser all.
Definition least_delta (all : losses) (epsilon : R) : R := 1 - none_fails all * (1 - told_by_coins all epsilon).

Lemma sum_over_app {T} (f : T -> R) a b : sum_over f (a ++ b) = sum_over f a + sum_over f b.
Proof. unfold sum_over. induction a; simpl; [ring | rewrite IHa; ring]. Qed.
Lemma sum_over_map {T U} (f : U -> R) (g : T -> U) a : sum_over f (map g a) = sum_over (fun s => f (g s)) a.
Proof. unfold sum_over. rewrite map_map. reflexivity. Qed.
Lemma sum_over_same {T} (f g : T -> R) a : (forall s, f s = g s) -> sum_over f a = sum_over g a.
Proof. intro same. unfold sum_over. induction a; simpl; [reflexivity | rewrite IHa, same; reflexivity]. Qed.
Lemma normaliser_positive all : 0 < normaliser all.
Proof.
  induction all as [| [e d] rest IH]; simpl; [lra |]. pose proof (exp_pos e). apply Rmult_lt_0_compat; lra.
Qed.

Lemma excess_signs all a b :
  excess all (exp a) (exp b) = exp a * (1 - none_fails all) + none_fails all / normaliser all *
    sum_over (fun signs => Rmax 0 (exp (a + chosen true all signs) - exp (b + chosen false all signs)))
      (all_signs (length all)).
Proof.
  revert a b. induction all as [| [e d] rest IH]; intros a b.
  - unfold sum_over. simpl. rewrite !Rplus_0_r. field.
  - simpl excess. rewrite <- !exp_plus, !IH. simpl length. simpl all_signs. rewrite sum_over_app, !sum_over_map.
    pose proof (normaliser_positive rest). pose proof (exp_pos e). simpl none_fails. simpl normaliser.
    rewrite (sum_over_same (fun s => Rmax 0 (exp (a + chosen true ((e, d) :: rest) (true :: s)) - _))
      (fun s => Rmax 0 (exp (a + e + chosen true rest s) - exp (b + chosen false rest s)))).
    2:{ intro s. simpl. rewrite Rplus_0_l, Rplus_assoc. reflexivity. }
    rewrite (sum_over_same (fun s => Rmax 0 (exp (a + chosen true ((e, d) :: rest) (false :: s)) - _))
      (fun s => Rmax 0 (exp (a + chosen true rest s) - exp (b + e + chosen false rest s)))).
    2:{ intro s. simpl. rewrite Rplus_0_l, Rplus_assoc. reflexivity. }
    rewrite exp_plus. field. split; lra.
Qed.

Lemma excess_least_delta all epsilon : excess all 1 (exp epsilon) = least_delta all epsilon.
Proof.
  rewrite <- exp_0, excess_signs, exp_0. unfold least_delta, told_by_coins.
  rewrite (sum_over_same (fun s => Rmax 0 (exp (0 + chosen true all s) - _))
    (fun s => Rmax 0 (exp (chosen true all s) - exp (epsilon + chosen false all s)))).
  - pose proof (normaliser_positive all). field. lra.
  - intro s. rewrite Rplus_0_l. reflexivity.
Qed.

(* compose_optimal: mechanisms with losses (e_i, d_i) are together (epsilon, delta)-DP for the delta of their coins. *)
Theorem compose_optimal {X} (near : X -> X -> Prop) all (O : space) (M : mechanism X O) epsilon :
  (forall x y, near x y -> near y x) -> allowed all -> composition near all O M ->
  private near M (approximate epsilon (least_delta all epsilon)).
Proof.
  intros symmetric allow C x y n f F. rewrite <- excess_least_delta.
  pose proof (composition_excess near all O M symmetric C allow x y n f F 1 (exp epsilon) ltac:(lra)
    (Rlt_le _ _ (exp_pos epsilon))). lra.
Qed.

(* No smaller delta is true of all: the responses themselves, one after another, have these losses and that delta. *)
Lemma weight_between e : 0 <= exp e / (1 + exp e) <= 1.
Proof.
  pose proof (exp_pos e). split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] |].
  apply (Rmult_le_reg_r (1 + exp e)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma clamped_between d : 0 <= Rmax 0 (Rmin 1 d) <= 1.
Proof. split; [apply Rmax_l | apply Rmax_lub; [lra | apply Rmin_l]]. Qed.
(* Whether it failed, and which side it shows. *)
Definition response (e d : R) (input : bool) : law (plain (bool * bool)) :=
  mixture (Rmax 0 (Rmin 1 d)) (clamped_between d) (certain (O := plain (bool * bool)) (true, input))
    (mixture (exp e / (1 + exp e)) (weight_between e) (certain (O := plain (bool * bool)) (false, input))
      (certain (O := plain (bool * bool)) (false, negb input))).
Fixpoint response_outcomes (all : losses) : space :=
  match all with [] => plain unit | _ :: rest => product (plain (bool * bool)) (response_outcomes rest) end.
Fixpoint responses (all : losses) : mechanism bool (response_outcomes all) :=
  match all with
  | [] => fun _ => certain (O := plain unit) tt
  | (e, d) :: rest => fun input => both (response e d input) (always (responses rest input))
  end.

Lemma response_private e d : 0 <= e -> 0 <= d <= 1 -> private (fun _ _ => True) (response e d) (approximate e d).
Proof.
  intros N D x y _ f [_ B]. simpl. rewrite Rmin_right, Rmax_right by lra. pose proof (exp_at_least_1 e N) as T.
  set (t := exp e) in *. pose (a := 1 / (1 + t)). assert (A : 0 < a) by (apply Rdiv_lt_0_compat; lra).
  assert (W : t / (1 + t) = t * a) by (unfold a; field; lra). rewrite W.
  assert (other : 1 - t * a = a) by (unfold a; field; lra). rewrite other.
  assert (P : forall o, 0 <= f o) by apply B. assert (U : d * f (true, x) <= d * 1) by (apply Rmult_le_compat_l;
    [lra | apply B]).
  assert (Z : forall z, 0 <= t * (d * f (true, z))) by (intro; apply Rmult_le_pos; [lra | apply Rmult_le_pos;
    [lra | apply P]]).
  assert (S : forall z, (1 - d) * (t * a * f (false, z) + a * f (false, negb z)) <=
    t * ((1 - d) * (t * a * f (false, x) + a * f (false, negb x))) /\
    (1 - d) * (t * a * f (false, z) + a * f (false, negb z)) <=
    t * ((1 - d) * (t * a * f (false, negb x) + a * f (false, x)))).
  { assert (AT : a <= t * a) by nra. assert (TT : t * a <= t * (t * a)) by nra.
    assert (K : forall g h, 0 <= g -> 0 <= h -> t * a * g + a * h <= t * (t * a * h + a * g)).
    { intros g h G H. assert (a * h <= t * (t * a) * h) by (apply Rmult_le_compat_r; lra). lra. }
    assert (L : forall g h, 0 <= g -> 0 <= h -> t * a * g + a * h <= t * (t * a * g + a * h)).
    { intros g h G H. assert (t * a * g <= t * (t * a) * g) by (apply Rmult_le_compat_r; lra).
      assert (a * h <= t * a * h) by (apply Rmult_le_compat_r; lra). lra. }
    intro z. rewrite <- !(Rmult_assoc t (1 - d)), !(Rmult_comm t (1 - d)), !(Rmult_assoc (1 - d) t).
    destruct x, z; simpl; split; apply Rmult_le_compat_l; try lra; auto. }
  pose proof (Z y). pose proof (S x) as [S1 S2]. destruct x, y; simpl in *; lra.
Qed.

Theorem responses_composition all : List.Forall (fun loss => 0 <= fst loss /\ 0 <= snd loss <= 1) all ->
  composition (fun _ _ => True) all (response_outcomes all) (responses all).
Proof.
  intro A. induction A as [| [e d] rest [N D] A IH]; simpl in *; [apply composition_nothing |].
  apply composition_first; [apply response_private; assumption | intro; exact IH].
Qed.

Lemma responses_excess all : List.Forall (fun loss => 0 <= fst loss /\ 0 <= snd loss <= 1) all -> forall x y,
  exists f, test f /\ x * E (responses all true) f - y * E (responses all false) f = excess all x y.
Proof.
  intro A. induction A as [| [e d] rest [N D] A IH]; intros x y.
  - exists (fun _ => if Rle_dec y x then 1 else 0). split.
    + split; [exists 1; intro; destruct (Rle_dec y x); lra | intro; destruct (Rle_dec y x); lra].
    + simpl. unfold Rmax. destruct (Rle_dec y x), (Rle_dec 0 (x - y)); lra.
  - simpl in N, D. destruct (IH (x * exp e) y) as (f & [F B] & same).
    destruct (IH x (y * exp e)) as (g & [G C] & same').
    pose (h := fun o : (bool * bool) * response_outcomes rest => match fst o with
      | (true, side) => if side then 1 else 0
      | (false, side) => if side then f (snd o) else g (snd o)
      end).
    assert (H : forall o, 0 <= h o <= 1).
    { intros [[[] []] o]; unfold h; simpl; try lra; [apply B | apply C]. }
    exists h. split; [split; [| exact H] |].
    + split; [exists 1; intros o b; split; [apply Rle_trans with 0; [lra |] |]; apply (H (o, b)) | split].
      * intros [[] []]; unfold h; simpl; try apply observable_constant; assumption.
      * intro b. exists 1. intro o. split; [apply Rle_trans with 0; [lra |] |]; apply (H (o, b)).
    + simpl. rewrite Rmin_right, Rmax_right by lra. unfold h. simpl. rewrite !E_constant.
      change (fun b => f b) with f. change (fun b => g b) with g. rewrite <- same, <- same'.
      pose proof (exp_pos e). field. lra.
Qed.
Theorem compose_optimal_is_least all epsilon delta :
  List.Forall (fun loss => 0 <= fst loss /\ 0 <= snd loss <= 1) all ->
  private (fun _ _ => True) (responses all) (approximate epsilon delta) -> least_delta all epsilon <= delta.
Proof.
  intros A H. destruct (responses_excess all A 1 (exp epsilon)) as (f & F & same).
  rewrite <- excess_least_delta, <- same. pose proof (H true false I f F). lra.
Qed.

(* k independent draws: the tuple of their outcomes.  `ignoring p` is the step that draws from p whatever came before;
   it is there for plain outcomes (always), and wherever integrating in either order makes observables. *)
Fixpoint tuples (O : space) (count : nat) : space :=
  match count with O => plain unit | S rest => product O (tuples O rest) end.
Fixpoint repeated {X} {O : space} (ignoring : forall P : space, law P -> kernel O P) (M : mechanism X O)
    (count : nat) : mechanism X (tuples O count) :=
  match count with
  | O => fun _ => certain (O := plain unit) tt
  | S rest => fun x => both (M x) (ignoring _ (repeated ignoring M rest x))
  end.
Lemma repeated_composition {X} {O : space} (near : X -> X -> Prop) ignoring (M : mechanism X O) e d count :
  (forall P (p : law P) previous, run (ignoring P p) previous = p) -> private near M (approximate e d) ->
  composition near (repeat (e, d) count) (tuples O count) (repeated ignoring M count).
Proof.
  intros ignores H. induction count; simpl; [apply composition_nothing |].
  apply composition_first; [exact H |]. intro previous.
  replace (fun x => run (ignoring _ (repeated ignoring M count x)) previous) with (repeated ignoring M count)
    by (extensionality x; symmetry; apply ignores).
  exact IHcount.
Qed.
Lemma allowed_repeat e d count : 0 <= e -> d <= 1 -> allowed (repeat (e, d) count).
Proof. intros. induction count; simpl; constructor; auto. Qed.

(* Equal losses are counted together: a sum over how many of the signs are 1. *)
Fixpoint twofold (count : nat) (f : nat -> nat -> R) : R :=
  match count with
  | O => f O O
  | S rest => twofold rest (fun i j => f (S i) j) + twofold rest (fun i j => f i (S j))
  end.
Lemma C_n_0 n : C n 0 = 1.
Proof. unfold C. rewrite Nat.sub_0_r. simpl (fact 0). simpl (INR 1). field. apply INR_fact_neq_0. Qed.
Lemma C_n_n n : C n n = 1.
Proof. unfold C. rewrite Nat.sub_diag. simpl (fact 0). simpl (INR 1). field. apply INR_fact_neq_0. Qed.
Lemma pascal_sum n (f : nat -> R) :
  sum_f_R0 (fun i => C (S n) i * f i) (S n) =
  sum_f_R0 (fun i => C n i * f (S i)) n + sum_f_R0 (fun i => C n i * f i) n.
Proof.
  destruct n as [| n].
  - simpl. rewrite !C_n_0, !C_n_n. ring.
  - rewrite (decomp_sum (fun i => C (S (S n)) i * f i)) by lia. simpl pred. rewrite tech5.
    rewrite (tech5 (fun i => C (S n) i * f (S i))). rewrite (decomp_sum (fun i => C (S n) i * f i)) by lia. simpl pred.
    rewrite !C_n_0, !C_n_n.
    rewrite (sum_eq (fun i => C (S (S n)) (S i) * f (S i))
      (fun i => C (S n) i * f (S i) + C (S n) (S i) * f (S i))).
    + rewrite sum_plus. ring.
    + intros i I. rewrite <- pascal by lia. ring.
Qed.
Lemma twofold_binomial count : forall f,
  twofold count f = sum_f_R0 (fun i => C count i * f i (count - i)%nat) count.
Proof.
  induction count as [| n IH]; intro f; simpl twofold.
  - simpl. rewrite C_n_0. ring.
  - rewrite !IH, (pascal_sum n (fun i => f i (S n - i)%nat)). f_equal.
    apply sum_eq. intros i I. do 2 f_equal. lia.
Qed.

Definition least_delta_of_many (e d : R) (k : nat) (epsilon : R) : R :=
  1 - (1 - d) ^ k * (1 - sum_f_R0 (fun j => C k j *
    Rmax 0 (exp (INR j * e - INR k * ln (1 + exp e)) -
            exp (epsilon + INR (k - j) * e - INR k * ln (1 + exp e)))) k).

Lemma none_fails_repeat e d k : none_fails (repeat (e, d) k) = (1 - d) ^ k.
Proof. induction k; simpl; [reflexivity | rewrite IHk; reflexivity]. Qed.
Lemma normaliser_repeat e d k : normaliser (repeat (e, d) k) = exp (INR k * ln (1 + exp e)).
Proof.
  pose proof (exp_pos e). induction k; [simpl; rewrite Rmult_0_l, exp_0; reflexivity |].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, exp_ln by lra. simpl. rewrite IHk. ring.
Qed.
Lemma signs_repeat e d k : forall a b,
  sum_over (fun s => Rmax 0 (exp (a + chosen true (repeat (e, d) k) s) - exp (b + chosen false (repeat (e, d) k) s)))
    (all_signs (length (repeat (e, d) k))) =
  twofold k (fun i j => Rmax 0 (exp (a + INR i * e) - exp (b + INR j * e))).
Proof.
  induction k as [| k IH]; intros a b.
  - unfold sum_over. simpl. rewrite !Rmult_0_l, !Rplus_0_r. reflexivity.
  - simpl length. simpl all_signs. rewrite sum_over_app, !sum_over_map. cbn [twofold].
    rewrite (sum_over_same (fun s => Rmax 0 (exp (a + chosen true (repeat (e, d) (S k)) (true :: s)) - _))
      (fun s => Rmax 0 (exp (a + e + chosen true (repeat (e, d) k) s) - exp (b + chosen false (repeat (e, d) k) s)))).
    2:{ intro s. simpl. rewrite Rplus_0_l, Rplus_assoc. reflexivity. }
    rewrite (sum_over_same (fun s => Rmax 0 (exp (a + chosen true (repeat (e, d) (S k)) (false :: s)) - _))
      (fun s => Rmax 0 (exp (a + chosen true (repeat (e, d) k) s) - exp (b + e + chosen false (repeat (e, d) k) s)))).
    2:{ intro s. simpl. rewrite Rplus_0_l, Rplus_assoc. reflexivity. }
    assert (one_more : forall c n, c + INR (S n) * e = c + e + INR n * e) by (intros; rewrite S_INR; ring).
    rewrite !IH. f_equal; f_equal; extensionality i; extensionality j; rewrite one_more; reflexivity.
Qed.

Lemma least_delta_repeat e d k epsilon : least_delta (repeat (e, d) k) epsilon = least_delta_of_many e d k epsilon.
Proof.
  unfold least_delta, least_delta_of_many, told_by_coins. rewrite none_fails_repeat, normaliser_repeat.
  rewrite (sum_over_same _ (fun s => Rmax 0 (exp (0 + chosen true (repeat (e, d) k) s) -
    exp (epsilon + chosen false (repeat (e, d) k) s)))) by (intro s; rewrite Rplus_0_l; reflexivity).
  rewrite signs_repeat, twofold_binomial. do 2 f_equal.
  unfold Rdiv. rewrite Rmult_comm, scal_sum. f_equal. apply sum_eq. intros j J.
  rewrite Rplus_0_l. unfold Rminus. rewrite (exp_plus (INR j * e)), (exp_plus (epsilon + _)), exp_Ropp.
  set (z := / exp _). rewrite Rmult_assoc. f_equal.
  assert (0 < z) by (apply Rinv_0_lt_compat, exp_pos).
  rewrite Rmult_comm, <- RmaxRmult by lra. rewrite Rmult_0_r. f_equal. ring.
Qed.

(* compose_many_optimal: k independent draws of one (e, d)-DP mechanism (KOV15 Thm 3.3). *)
Theorem compose_many_optimal {X} {O : space} (near : X -> X -> Prop) ignoring (M : mechanism X O) e d k epsilon :
  (forall P (p : law P) previous, run (ignoring P p) previous = p) -> (forall x y, near x y -> near y x) ->
  (1 <= k)%nat -> 0 <= e -> d <= 1 -> private near M (approximate e d) ->
  private near (repeated ignoring M k) (approximate epsilon (least_delta_of_many e d k epsilon)).
Proof.
  intros ignores symmetric _ N D H. rewrite <- least_delta_repeat.
  apply compose_optimal; [exact symmetric | apply allowed_repeat; assumption | apply repeated_composition; assumption].
Qed.

(* Hoeffding's lemma for the loss of one coin: what its exponential moment is at most. *)
Lemma rises (f f' : R -> R) : (forall x, 0 <= x -> is_derive f x (f' x)) -> (forall x, 0 <= x -> 0 <= f' x) ->
  forall x, 0 <= x -> f 0 <= f x.
Proof.
  intros D P x [X | <-]; [| lra].
  destruct (MVT_cor2 f f' 0 x X) as (c & same & [C _]).
  - intros c C. apply is_derive_Reals, D. lra.
  - assert (0 <= f' c * (x - 0)) by (apply Rmult_le_pos; [apply P |]; lra). lra.
Qed.

Lemma coin_moment mean x : 0 <= mean <= 1 -> 0 <= x ->
  (1 + mean) / 2 * exp x + (1 - mean) / 2 * exp (- x) <= exp (x * mean + x * x / 2).
Proof.
  intros M X.
  pose (up := fun x => (1 + mean) / 2 * exp x). pose (down := fun x => (1 - mean) / 2 * exp (- x)).
  assert (U : forall x, 0 <= down x /\ (0 <= x -> down x <= up x)).
  { intro y. unfold up, down. pose proof (exp_pos (- y)). split; [apply Rmult_le_pos; lra |]. intro Y.
    assert (exp (- y) <= exp y) by (apply exp_le; lra). apply Rmult_le_compat; lra. }
  assert (gap : forall y, 0 <= y -> 0 <= (mean + y) * (up y + down y) - (up y - down y)).
  { intros y Y.
    replace 0 with ((mean + 0) * (up 0 + down 0) - (up 0 - down 0))
      by (unfold up, down; rewrite Ropp_0, exp_0; field).
    apply (rises (fun y => (mean + y) * (up y + down y) - (up y - down y)) (fun y => (mean + y) * (up y - down y)));
      [| | exact Y].
    - intros z _. unfold up, down. auto_derive; [exact I | field].
    - intros z Z. destruct (U z) as [_ ?]. apply Rmult_le_pos; [lra |]. specialize (H Z). lra. }
  pose (h := fun y => - (exp (- (y * mean + y * y / 2)) * (up y + down y))).
  assert (H : h 0 <= h x).
  { apply (rises h (fun y => exp (- (y * mean + y * y / 2)) * ((mean + y) * (up y + down y) - (up y - down y))));
      [| | exact X].
    - intros z _. unfold h, up, down. auto_derive; [exact I | unfold Rdiv; field].
    - intros z Z. apply Rmult_le_pos; [left; apply exp_pos | apply gap, Z]. }
  unfold h, up, down in H. rewrite !Rmult_0_l, Ropp_0, exp_0 in H.
  replace (- (0 + 0 / 2)) with 0 in H by field. rewrite exp_0 in H.
  rewrite exp_Ropp in H. pose proof (exp_pos (x * mean + x * x / 2)) as P.
  set (z := exp (x * mean + x * x / 2)) in *.
  apply (Rmult_le_reg_l (/ z)); [apply Rinv_0_lt_compat, P |]. rewrite Rinv_l by lra. lra.
Qed.

(* Markov's inequality at the exponential moment of the loss, step by step. *)
Lemma excess_by_moment e k l : 0 <= l -> forall a b,
  excess (repeat (e, 0) k) (exp a) (exp b) <=
  exp ((1 + l) * a - l * b) * ((exp ((1 + l) * e) + exp (- (l * e))) / (1 + exp e)) ^ k.
Proof.
  intro L. induction k as [| k IH]; intros a b.
  - simpl. rewrite Rmult_1_r. apply Rmax_lub; [left; apply exp_pos |].
    destruct (Rle_dec b a) as [order | order].
    + apply Rle_trans with (exp a); [pose proof (exp_pos b); lra |]. apply exp_le.
      assert (0 <= l * (a - b)) by (apply Rmult_le_pos; lra). lra.
    + assert (exp a <= exp b) by (apply exp_le; lra). pose proof (exp_pos ((1 + l) * a - l * b)). lra.
  - simpl. rewrite <- !exp_plus. pose proof (exp_pos e) as P. set (m := (_ + _) / _) in *.
    pose proof (IH (a + e) b) as A. pose proof (IH a (b + e)) as B.
    replace ((1 + l) * (a + e) - l * b) with (((1 + l) * a - l * b) + (1 + l) * e) in A by ring.
    replace ((1 + l) * a - l * (b + e)) with (((1 + l) * a - l * b) + - (l * e)) in B by ring.
    rewrite (exp_plus ((1 + l) * a - l * b)) in A, B. set (z := exp ((1 + l) * a - l * b)) in *.
    replace (z * (m * m ^ k)) with
      (0 * exp a + (1 - 0) / (1 + exp e) * (z * exp ((1 + l) * e) * m ^ k + z * exp (- (l * e)) * m ^ k)).
    + apply Rplus_le_compat_l, Rmult_le_compat_l; [| lra].
      apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    + unfold m at 3. field. lra.
Qed.

Lemma excess_of_no_loss k : forall x y, excess (repeat (0, 0) k) x y = Rmax 0 (x - y).
Proof. induction k as [| k IH]; intros; simpl; [reflexivity |]. rewrite !IH, exp_0, !Rmult_1_r. field. Qed.

Lemma coins_advanced e k delta : (1 <= k)%nat -> 0 <= e -> 0 < delta < 1 ->
  least_delta_of_many e 0 k (e * sqrt (2 * INR k * ln (1 / delta)) + INR k * e * (exp e - 1) / (exp e + 1)) <= delta.
Proof.
  intros K N D. set (epsilon := _ + _). rewrite <- least_delta_repeat, <- excess_least_delta, <- exp_0.
  assert (many : 1 <= INR k) by (apply (le_INR 1), K).
  pose proof (exp_at_least_1 e N) as T. pose (mean := (exp e - 1) / (exp e + 1)).
  assert (M : 0 <= mean <= 1).
  { unfold mean. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] |].
    apply (Rmult_le_reg_r (exp e + 1)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct N as [N | <-].
  2:{ (* no loss at all *)
    assert (Z : epsilon = 0) by (unfold epsilon; rewrite exp_0; field). rewrite Z.
    rewrite excess_of_no_loss. unfold Rmax. destruct (Rle_dec 0 (exp 0 - exp 0)); lra. }
  assert (G : 0 < ln (1 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra |]. apply (Rmult_lt_reg_r delta); [lra |].
    replace (1 / delta * delta) with 1 by (field; lra). lra. }
  set (g := ln (1 / delta)) in *. pose (s := sqrt (2 * INR k * g)).
  assert (square : s * s = 2 * INR k * g) by (apply sqrt_sqrt; left; repeat apply Rmult_lt_0_compat; lra).
  assert (S : 0 <= s) by apply sqrt_pos.
  pose (l := s / (INR k * e)).
  assert (L : 0 <= l).
  { apply Rmult_le_pos; [exact S | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra]. }
  assert (LE : l * e = s / INR k) by (unfold l; field; lra).
  eapply Rle_trans; [apply (excess_by_moment e k l L 0 epsilon) |].
  assert (one : (exp ((1 + l) * e) + exp (- (l * e))) / (1 + exp e) <= exp (l * e * mean + l * e * (l * e) / 2)).
  { eapply Rle_trans; [right | apply coin_moment; [exact M | apply Rmult_le_pos; lra]].
    replace ((1 + l) * e) with (e + l * e) by ring. rewrite exp_plus. unfold mean. field. lra. }
  assert (positive : 0 <= (exp ((1 + l) * e) + exp (- (l * e))) / (1 + exp e)).
  { pose proof (exp_pos ((1 + l) * e)). pose proof (exp_pos (- (l * e))).
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
  eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos | apply pow_incr; split;
    [exact positive | exact one]] |].
  rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp, <- exp_plus.
  rewrite <- (exp_ln delta) by lra. apply exp_le. right.
  replace (ln delta) with (- g) by (unfold g, Rdiv; rewrite Rmult_1_l, ln_Rinv; lra).
  rewrite LE. replace epsilon with (e * s + INR k * e * mean) by (unfold epsilon, mean, s; field; lra).
  replace (l * (e * s + INR k * e * mean)) with (l * e * (s + INR k * mean)) by ring. rewrite LE.
  replace g with (s * s / (2 * INR k)) by (rewrite square; field; lra). field. lra.
Qed.

Lemma none_of_many_fails d k : 0 <= d <= 1 -> 1 - INR k * d <= (1 - d) ^ k /\ 0 <= (1 - d) ^ k <= 1.
Proof.
  intro D. induction k as [| k [IH [L U]]]; [simpl; lra |]. rewrite S_INR. simpl. split; [| split].
  - assert (0 <= d * (1 - (1 - d) ^ k)) by (apply Rmult_le_pos; lra). lra.
  - apply Rmult_le_pos; lra.
  - assert (0 <= d * (1 - d) ^ k) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma first_delta {X} (near : X -> X -> Prop) all (O : space) (M : mechanism X O) x y :
  composition near all O M -> near x y -> match all with [] => True | loss :: _ => 0 <= snd loss end.
Proof.
  assert (K : forall P (N : mechanism X P) e d, private near N (approximate e d) -> near x y -> 0 <= d).
  { intros P N e d H n. pose proof (observable_constant P 0) as F.
    pose proof (H x y n (fun _ => 0) (conj F (fun _ => conj (Rle_refl 0) Rle_0_1))) as none.
    rewrite !E_constant in none. lra. }
  intros C n. destruct C; simpl; eauto.
Qed.

(* compose_advanced: k independent draws of an (e, d)-DP mechanism, for every delta between 0 and 1 (DRV10 Thm 3.3).
   It holds of every composition with k such losses, adaptive ones included. *)
Theorem compose_advanced_adaptive {X} {O : space} (near : X -> X -> Prop) (M : mechanism X O) e d k delta :
  (forall x y, near x y -> near y x) -> (1 <= k)%nat -> 0 <= e -> 0 < delta < 1 ->
  composition near (repeat (e, d) k) O M ->
  private near M (approximate
    (e * sqrt (2 * INR k * ln (1 / delta)) + INR k * e * (exp e - 1) / (exp e + 1)) (INR k * d + delta)).
Proof.
  intros symmetric K N D C x y n. pose proof (coins_advanced e k delta K N D) as A.
  set (epsilon := _ + _) in *.
  assert (positive : 0 <= d).
  { destruct k as [| k]; [lia |]. exact (first_delta near _ O M x y C n). }
  assert (many : 1 <= INR k) by (apply (le_INR 1), K).
  destruct (Rle_dec d 1) as [small | large].
  - apply (weaken_approximate _ _ epsilon (least_delta (repeat (e, d) k) epsilon)); [lra | |].
    + rewrite least_delta_repeat. destruct (none_of_many_fails d k ltac:(lra)) as (low & zero & one).
      unfold least_delta_of_many in *. rewrite Rminus_0_r, pow1, Rmult_1_l in A. set (coins := sum_f_R0 _ k) in *.
      assert ((1 - d) ^ k * coins <= (1 - d) ^ k * delta) by (apply Rmult_le_compat_l; lra).
      assert ((1 - d) ^ k * delta <= 1 * delta) by (apply Rmult_le_compat_r; lra). lra.
    + apply (compose_optimal near); try assumption. apply allowed_repeat; assumption.
  - intros f F. pose proof (E_test (M x) f F). pose proof (E_test (M y) f F).
    assert (0 <= exp epsilon * E (M y) f) by (apply Rmult_le_pos; [left; apply exp_pos | lra]).
    assert (1 * 1 <= INR k * d) by (apply Rmult_le_compat; lra). lra.
Qed.
Theorem compose_advanced {X} {O : space} (near : X -> X -> Prop) ignoring (M : mechanism X O) e d k delta :
  (forall P (p : law P) previous, run (ignoring P p) previous = p) -> (forall x y, near x y -> near y x) ->
  (1 <= k)%nat -> 0 <= e -> 0 < delta < 1 -> private near M (approximate e d) ->
  private near (repeated ignoring M k) (approximate
    (e * sqrt (2 * INR k * ln (1 / delta)) + INR k * e * (exp e - 1) / (exp e + 1)) (INR k * d + delta)).
Proof.
  intros ignores symmetric K N D H. apply compose_advanced_adaptive; try assumption.
  apply repeated_composition; assumption.
Qed.

(* A truth told with probability 3/4, else its opposite: twice, at its own epsilon, it has delta 3/8. *)
Section example.
  Definition told_3_of_4 (truth : bool) : law (plain bool) :=
    mixture (3 / 4) ltac:(lra) (certain (O := plain bool) truth) (certain (O := plain bool) (negb truth)).
  Lemma told_3_of_4_private : private (fun _ _ => True) told_3_of_4 (approximate (ln 3) 0).
  Proof.
    intros x y _ f [_ B]. rewrite exp_ln by lra. simpl. pose proof (B x). pose proof (B (negb x)).
    destruct x, y; simpl in *; lra.
  Qed.
  Example told_twice :
    private (fun _ _ => True) (repeated (fun P p => always p) told_3_of_4 2) (approximate (ln 3) (3 / 8)).
  Proof.
    assert (L : 0 <= ln 3) by (rewrite <- ln_1; left; apply ln_increasing; lra).
    apply (weaken (fun _ _ => True) _ _ (approximate (ln 3) (least_delta_of_many (ln 3) 0 2 (ln 3))));
      [auto | | apply compose_many_optimal; try lia; try lra; auto using told_3_of_4_private].
    intros p q. apply weaken_approximate; [lra |]. unfold least_delta_of_many. rewrite exp_ln by lra.
    assert (power : forall n z, exp (INR n * ln 3 - z) = 3 ^ n * exp (- z)).
    { intros n z. unfold Rminus. rewrite exp_plus. f_equal. rewrite <- Rpower_pow by lra. reflexivity. }
    rewrite (sum_eq _ (fun j => C 2 j * Rmax 0 (3 ^ j / 16 - 3 ^ (1 + (2 - j)) / 16))).
    - simpl. unfold C. simpl. unfold Rmax. repeat destruct (Rle_dec _ _); lra.
    - intros j _. rewrite power.
      replace (ln 3 + INR (2 - j) * ln 3 - INR 2 * ln (1 + 3)) with (INR (1 + (2 - j)) * ln 3 - INR 2 * ln (1 + 3))
        by (rewrite plus_INR; simpl (INR 1); ring).
      rewrite power, exp_Ropp. change (exp (INR 2 * ln (1 + 3))) with (Rpower (1 + 3) (INR 2)).
      rewrite Rpower_pow by lra. do 2 f_equal. field.
  Qed.
End example.

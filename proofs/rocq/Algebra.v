(* What exported obligations are proved with.

   An obligation is a statement about numbers.  Its certificate holds, for each way in which the signs inside it can
   turn out, a sum that is 0 by algebra and would be positive if the statement were false.  Here are the lemmas by
   which a hypothesis becomes a fact of such a sum: brought to one side, multiplied out, or sharpened between integers. *)
From Coq Require Import Reals Lra ZArith.
From Interval Require Import Tactic.
Open Scope R_scope.

Definition integral (x : R) := exists z : Z, x = IZR z.
Definition multiple (x step : R) := exists z : Z, x = IZR z * step.

Lemma fact_le a b c d : a <= b -> d - c = b - a -> c <= d.
Proof. lra. Qed.
Lemma fact_lt a b c d : a < b -> d - c = b - a -> c < d.
Proof. lra. Qed.
Lemma fact_eq a b c d : a = b -> d - c = b - a -> c = d.
Proof. lra. Qed.
Lemma fact_ne a b c d : a <> b -> d - c = b - a -> c <> d.
Proof. lra. Qed.

Lemma scaled_le a b m c d : a <= b -> 0 < m -> d - c = (b - a) * m -> c <= d.
Proof. intros. assert (0 <= (b - a) * m) by (apply Rmult_le_pos; lra). lra. Qed.
Lemma scaled_lt a b m c d : a < b -> 0 < m -> d - c = (b - a) * m -> c < d.
Proof. intros. assert (0 < (b - a) * m) by (apply Rmult_lt_0_compat; lra). lra. Qed.
Lemma scaled_eq a b m c d : a = b -> d - c = (b - a) * m -> c = d.
Proof. intros -> same. replace (b - b) with 0 in same by ring. lra. Qed.
Lemma scaled_ne a b m c d : a <> b -> m <> 0 -> d - c = (b - a) * m -> c <> d.
Proof.
  intros apart positive same equal. apply apart.
  assert (zero : (b - a) * m = 0) by lra. apply Rmult_integral in zero. lra.
Qed.

Lemma squared_apart a b : a <> b -> 0 < (a - b) ^ 2.
Proof. intro apart. replace ((a - b) ^ 2) with (Rsqr (a - b)) by (unfold Rsqr; ring). apply Rsqr_pos_lt. lra. Qed.
Lemma even_power f n : f <> 0 -> 0 < (f * f) ^ n.
Proof. intro apart. apply pow_lt. apply Rsqr_pos_lt in apart. exact apart. Qed.

Lemma sharpened a b : integral a -> integral b -> a < b -> a + 1 <= b.
Proof.
  intros [x ->] [y ->] below. apply lt_IZR in below. rewrite <- plus_IZR. apply IZR_le. apply Zlt_le_succ, below.
Qed.
Lemma integral_constant z : integral (IZR z).
Proof. exists z. reflexivity. Qed.
Lemma integral_sum a b : integral a -> integral b -> integral (a + b).
Proof. intros [x ->] [y ->]. exists (x + y)%Z. rewrite plus_IZR. reflexivity. Qed.
Lemma integral_difference a b : integral a -> integral b -> integral (a - b).
Proof. intros [x ->] [y ->]. exists (x - y)%Z. rewrite minus_IZR. reflexivity. Qed.
Lemma integral_product a b : integral a -> integral b -> integral (a * b).
Proof. intros [x ->] [y ->]. exists (x * y)%Z. rewrite mult_IZR. reflexivity. Qed.
Lemma integral_opposite a : integral a -> integral (- a).
Proof. intros [x ->]. exists (- x)%Z. rewrite opp_IZR. reflexivity. Qed.
Lemma integral_power a n : integral a -> integral (a ^ n).
Proof. intro A. induction n; [exists 1%Z; reflexivity | apply integral_product; assumption]. Qed.

Ltac whole :=
  first [ assumption | apply integral_constant
        | apply integral_sum; whole | apply integral_difference; whole | apply integral_product; whole
        | apply integral_opposite; whole | apply integral_power; whole | eexists; reflexivity ].

(* How often a certificate's sum uses a fact: 0 <= b - a for a <= b, and 0 < b - a for a < b. *)
Lemma order_le a b : a <= b -> 0 <= b - a.
Proof. lra. Qed.
Lemma order_lt a b : a < b -> 0 < b - a.
Proof. lra. Qed.
Lemma equation q a b : a = b -> 0 <= q * (b - a).
Proof. intros ->. replace (b - b) with 0 by ring. lra. Qed.
Lemma square q : 0 <= q * q.
Proof. apply Rle_0_sqr. Qed.
Lemma vanishes s : 0 < s -> s = 0 -> False.
Proof. lra. Qed.

Lemma least_right a b : b < a -> Rmin a b = b.
Proof. intro. apply Rmin_right. lra. Qed.
Lemma greatest_left a b : b < a -> Rmax a b = a.
Proof. intro. apply Rmax_left. lra. Qed.

(* That denominators are not 0: known already, or seen from their bounds. *)
Ltac nonzero := repeat split; first [assumption | apply Rgt_not_eq; assumption | apply Rlt_not_eq; assumption | lra].

(* Numbers that are written down: which of two is less, and what depends on that. *)
Ltac compared := first [ lra | interval | interval with (i_prec 128) ].
Ltac settled :=
  repeat match goal with
  | |- context [Rabs ?x] => first [ rewrite (Rabs_pos_eq x) by compared | rewrite (Rabs_left x) by compared ]
  | |- context [Rmin ?x ?y] => first [ rewrite (Rmin_left x y) by compared | rewrite (least_right x y) by compared ]
  | |- context [Rmax ?x ?y] => first [ rewrite (Rmax_right x y) by compared | rewrite (greatest_left x y) by compared ]
  | |- context [if ?d then _ else _] => destruct d as [?|?]; [try (exfalso; compared) | try (exfalso; compared)]
  end.
Ltac constant := settled; lra.
Ltac number := first [ lra | field; fail | interval | interval with (i_prec 128) | settled; compared ].

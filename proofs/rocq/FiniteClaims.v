(* Claims about laws on finitely many outcomes, as refdp writes them.

   Inputs and outcomes are real numbers, and those of finite(n) are whole.  A law at an input that is written down is
   a list of outcomes with their masses; what a test expects of it is a sum.  So claims about such laws, of several in
   a row too, are settled by numbers. *)
From Coq Require Import Reals Lra Lia List ZArith Bool QArith.
From Coq Require Qabs Qminmax.
From Refdp Require Import Laws Privacy Algebra.
From Refdp Require Tables Finite Rounds.
Import ListNotations.
Open Scope R_scope.

(* finite(n), category(n), interval(lower, upper) *)
Definition finite (n x : R) := integral x /\ 0 <= x <= n - 1.
Definition category (n x : R) := integral x /\ -1 <= x <= n - 1.
Definition interval (lower upper x : R) := lower <= x <= upper.

(* 0, 1, ..., size - 1 *)
Definition numbers (size : Z) : list R := map IZR (Finite.whole size).
Definition position (x : R) : nat := Z.to_nat (Int_part x).

Lemma Int_part_IZR z : Int_part (IZR z) = z.
Proof.
  unfold Int_part. rewrite <- (tech_up (IZR z) (z + 1)); [lia | |]; rewrite plus_IZR; lra.
Qed.

(* A law by a formula of its masses, and one by the rows of its masses: listed(tuple_of(tuple_of(MASSES), ...)). *)
Definition by_masses (size : Z) (mass : R -> R -> R) : mechanism R (plain R) :=
  fun input => Finite.listed 0 (numbers size) (fun output => mass output input).
Definition by_row (row : list R) : law (plain R) :=
  Finite.listed 0 (numbers (Z.of_nat (length row))) (fun output => nth (position output) row 0).
Definition by_rows (rows : list (list R)) : mechanism R (plain R) := fun input => by_row (nth (position input) rows []).
(* A bit of a rate, as a number. *)
Definition by_rate (rate : R -> R) : mechanism R (plain R) :=
  fun input => Finite.listed 0 [0; 1] (fun output => if Req_EM_T output 1 then rate input else 1 - rate input).

(* What is expected where these outcomes have these masses. *)
Fixpoint weighted {T : Type} (masses : list (T * R)) (f : T -> R) : R :=
  match masses with [] => 0 | (o, m) :: rest => m * f o + weighted rest f end.
Definition has_law {O : space} (p : law O) (masses : list (O * R)) := forall f, E p f = weighted masses f.
Fixpoint mass_of_all {T : Type} (masses : list (T * R)) : R :=
  match masses with [] => 0 | (_, m) :: rest => m + mass_of_all rest end.

Lemma weighted_total {T} outcomes (mass f : T -> R) :
  weighted (map (fun o => (o, mass o)) outcomes) f = Finite.total (fun o => mass o * f o) outcomes.
Proof. induction outcomes; simpl; [reflexivity | rewrite IHoutcomes; reflexivity]. Qed.
Lemma mass_of_all_total {T} outcomes (mass : T -> R) :
  mass_of_all (map (fun o => (o, mass o)) outcomes) = Finite.total mass outcomes.
Proof. induction outcomes; simpl; [reflexivity | rewrite IHoutcomes; reflexivity]. Qed.

Lemma listed_law {T} (otherwise : T) outcomes mass masses : map (fun o => (o, mass o)) outcomes = masses ->
  Forall (fun pair => 0 <= snd pair) masses -> mass_of_all masses = 1 ->
  forall f, E (Finite.listed otherwise outcomes mass) f = weighted masses f.
Proof.
  intros <- positive one f. rewrite weighted_total. apply Finite.E_listed. split.
  - intros o inside. rewrite Forall_forall in positive.
    apply (positive (o, mass o)), (in_map (fun o => (o, mass o))), inside.
  - rewrite <- mass_of_all_total. exact one.
Qed.
Lemma same_mass {T} (o : T) (m m' : R) rest rest' : m = m' -> rest = rest' -> (o, m) :: rest = (o, m') :: rest'.
Proof. intros -> ->. reflexivity. Qed.

Lemma E_both {T : Type} {P : space} (p : law (plain T)) (q : law P) f :
  E (both p (always q)) f = E p (fun o => E q (fun b => f (o, b))).
Proof. reflexivity. Qed.
Lemma E_draws {T : Type} (p : law (plain T)) k f :
  E (Rounds.draws p (Rounds.plain_integrates p) (S k)) f =
  E p (fun o => E (Rounds.draws p (Rounds.plain_integrates p) k) (fun others => f (o, others))).
Proof. reflexivity. Qed.
Lemma E_no_draws {T : Type} (p : law (plain T)) f :
  E (Rounds.draws p (Rounds.plain_integrates p) 0) f = f tt.
Proof. reflexivity. Qed.

(* M, drawn so often; and so many reports by N of one outcome of M. *)
Definition repeated {X T : Type} (M : mechanism X (plain T)) (k : nat) : mechanism X (Rounds.power (plain T) k) :=
  fun x => Rounds.draws (M x) (Rounds.plain_integrates (M x)) k.
Lemma E_then {T : Type} {P : space} (p : law (plain T)) (k : T -> law P) f :
  E (then_run p (plain_kernel k)) f = E p (fun o => E (k o) f).
Proof. reflexivity. Qed.
Definition reports_of_one {X K T : Type} (M : mechanism X (plain K)) (N : mechanism K (plain T)) (n : nat) :
    mechanism X (Rounds.power (plain T) n) :=
  fun x => then_run (M x) (plain_kernel (repeated N n)).

(* Spaces of which every bounded function is an observable. *)
Definition all_observable (O : space) := forall f : O -> R, bounded f -> observable f.
Lemma plain_observable T : all_observable (plain T).
Proof. intros f B. exact B. Qed.
Lemma product_observable O P : all_observable O -> all_observable P -> all_observable (product O P).
Proof.
  intros A B f [c C]. split; [exists c; intros; apply C |]. split.
  - intro o. apply B. exists c. intro. apply C.
  - intro b. apply A. exists c. intro. apply C.
Qed.
Lemma power_observable O k : all_observable O -> all_observable (Rounds.power O k).
Proof. intro A. induction k; [apply plain_observable | apply product_observable; assumption]. Qed.
Ltac all_observable :=
  repeat first [apply plain_observable | apply product_observable | apply power_observable].

(* An event by the whole numbers that tell its outcomes. *)
Fixpoint same_code (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => if Z.eqb x y then same_code a b else false
  | _, _ => false
  end.
Definition among (code : list Z) (codes : list (list Z)) : R := if existsb (same_code code) codes then 1 else 0.
Lemma event_tested {O : space} (code : O -> list Z) codes : all_observable O -> test (fun o : O => among (code o) codes).
Proof.
  intro A. assert (between : forall o, 0 <= among (code o) codes <= 1).
  { intro o. unfold among. destruct (existsb _ _); lra. }
  split; [| exact between]. apply A. exists 1. intro o. specialize (between o). lra.
Qed.

(* Two laws of the same outcomes: no mass is more than t times the other by more than its excess. *)
Fixpoint exceeds_by {T : Type} (t : R) (ps qs : list (T * R)) (excesses : list R) : Prop :=
  match ps, qs, excesses with
  | (o, p) :: ps, (o', q) :: qs, e :: rest => o = o' /\ 0 <= e /\ p <= t * q + e /\ exceeds_by t ps qs rest
  | [], [], [] => True
  | _, _, _ => False
  end.
Fixpoint sum (l : list R) : R := match l with [] => 0 | a :: rest => a + sum rest end.
Lemma weighted_exceeds {T} t (ps qs : list (T * R)) es f : (forall o, 0 <= f o <= 1) -> exceeds_by t ps qs es ->
  weighted ps f <= t * weighted qs f + sum es.
Proof.
  intro between. revert qs es. induction ps as [| [o p] ps I]; intros [| [o' q] qs] [| e es]; simpl; try tauto; [lra |].
  intros (<- & E0 & more & rest). specialize (I qs es rest). specialize (between o).
  assert (p * f o <= (t * q + e) * f o) by (apply Rmult_le_compat_r; lra).
  assert (e * f o <= e * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma within_by_masses {T} (p q : law (plain T)) ps qs es t delta :
  (forall f, E p f = weighted ps f) -> (forall f, E q f = weighted qs f) -> exceeds_by t ps qs es -> sum es <= delta ->
  within t delta p q.
Proof.
  intros P Q X D f [_ between]. rewrite P, Q. pose proof (weighted_exceeds t ps qs es f between X). lra.
Qed.

(* Tactics: masses that are numbers, and that inputs are near. *)
Ltac settle_number := settled; first [lra | field; lra | field; nra | compared].
Ltac explicit_numbers :=
  unfold by_row, numbers, Finite.whole; cbn [length map seq app Z.of_nat Z.to_nat Pos.to_nat Pos.iter_op Nat.add];
  cbn [Pos.of_succ_nat Pos.succ].
Ltac row_masses :=
  repeat (apply Forall_cons; [cbn [snd]; lra |]); apply Forall_nil.
Ltac by_row_law :=
  unfold has_law, by_rows, position; rewrite ?Int_part_IZR; unfold by_row;
  apply listed_law;
    [ unfold numbers, Finite.whole, position; cbn [length map seq Z.of_nat Z.to_nat nth Pos.of_succ_nat Pos.succ];
      cbv [Pos.to_nat Pos.iter_op Nat.add Z.of_nat Z.to_nat seq map Pos.of_succ_nat Pos.succ length nth];
      rewrite ?Int_part_IZR; cbv [Pos.to_nat Pos.iter_op Nat.add Z.to_nat nth]; reflexivity
    | row_masses | cbn [mass_of_all]; lra ].
Ltac by_masses_law :=
  unfold has_law, by_masses, by_rate;
  apply listed_law;
    [ cbv [numbers Finite.whole Pos.to_nat Pos.iter_op Nat.add Z.of_nat Z.to_nat seq map Pos.of_succ_nat Pos.succ];
      repeat (apply same_mass; [settle_number |]); reflexivity
    | row_masses | cbn [mass_of_all]; lra ].
Ltac whole_number := apply integral_constant.
Ltac nearby :=
  unfold Tables.restricted, finite, category, interval, Tables.discrete, Tables.absolute;
  repeat split;
  first [ whole_number | right; lra | left; split; [reflexivity | lra] | lra | settled; lra ].
Ltac evaluated :=
  cbn [weighted fst snd]; cbn [fst snd]; rewrite ?Int_part_IZR;
  cbv [among existsb same_code orb Z.eqb Pos.eqb].
Ltac expected laws :=
  repeat (first [rewrite E_both | rewrite E_draws | rewrite E_no_draws | rewrite E_then | laws]; cbn [weighted]).

(* Arithmetic of rational numbers that are written down, carried out: in a hypothesis, or in the goal. *)
Ltac rational e :=
  lazymatch e with
  | IZR ?z => constr:(inject_Z z)
  | (?a + ?b)%R => let x := rational a in let y := rational b in constr:(Qplus x y)
  | (?a - ?b)%R => let x := rational a in let y := rational b in constr:(Qminus x y)
  | (?a * ?b)%R => let x := rational a in let y := rational b in constr:(Qmult x y)
  | (?a / ?b)%R => let x := rational a in let y := rational b in constr:(Qdiv x y)
  | Ropp ?a => let x := rational a in constr:(Qopp x)
  | Rinv ?a => let x := rational a in constr:(Qinv x)
  | Rabs ?a => let x := rational a in constr:(Qabs.Qabs x)
  | Rmin ?a ?b => let x := rational a in let y := rational b in constr:(Qminmax.Qmin x y)
  | Rmax ?a ?b => let x := rational a in let y := rational b in constr:(Qminmax.Qmax x y)
  | (?a ^ ?n)%R => let x := rational a in constr:(Qpower x (Z.of_nat n))
  end.
Ltac written_positive p :=
  lazymatch p with xH => constr:(tt) | xO ?q => written_positive q | xI ?q => written_positive q end.
Ltac written_whole z :=
  lazymatch z with Z0 => constr:(tt) | Zpos ?p => written_positive p | Zneg ?p => written_positive p end.
Ltac folded e :=
  let q := rational e in
  let q := eval vm_compute in (Qred q) in
  lazymatch q with
  | Qmake ?n ?d => let top := written_whole n in let bottom := written_positive d in
      lazymatch d with xH => constr:(IZR n) | _ => constr:((IZR n / IZR (Zpos d))%R) end
  end.
Ltac same_numbers := first [lra | field; repeat split; lra | settled; first [lra | field; repeat split; lra]].
Ltac is_arithmetic e :=
  lazymatch e with
  | (_ + _)%R => idtac | (_ - _)%R => idtac | (_ * _)%R => idtac | (_ / _)%R => idtac | Ropp _ => idtac
  | Rabs _ => idtac | Rmin _ _ => idtac | Rmax _ _ => idtac | (_ ^ _)%R => idtac | Rinv _ => idtac
  end.
Ltac fold_numbers H :=
  repeat match type of H with
  | context [?e] => is_arithmetic e; let n := folded e in
      (tryif constr_eq e n then fail else replace e with n in H by same_numbers)
  end.
Ltac fold_goal :=
  repeat match goal with
  | |- context [?e] => is_arithmetic e; let n := folded e in
      (tryif constr_eq e n then fail else replace e with n by same_numbers)
  end.

(* An instance of a claim is another claim, or says more. *)
Ltac loss_below :=
  first
    [ number
    | repeat match goal with
      | |- context [IZR ?z * ln ?x] => let n := eval vm_compute in (Z.to_nat z) in
          replace (IZR z * ln x) with (ln (x ^ n)) by (rewrite ln_pow by lra; cbn [INR]; ring)
      end; fold_goal; number ].
Ltac says_no_less instance :=
  fold_numbers instance; fold_goal; rewrite ?Int_part_IZR in instance; rewrite ?Int_part_IZR;
  first
    [ exact instance
    | intros ? ? N; refine (weaken_pure _ _ _ _ _ (instance _ _ N)); loss_below
    | intros ? ? N; refine (weaken_approximate _ _ _ _ _ _ _ _ (instance _ _ N)); loss_below
    | intros ? ? N; destruct (instance _ _ N) as (A & B & far); split; [exact A | split; [exact B |]];
      unfold Tables.l1, Tables.l2, Tables.absolute in far |- *;
      first [ eapply Rle_trans; [exact far | number]
            | destruct far as [low far]; split; [number | eapply Rle_trans; [exact far | number]] ] ].
Ltac powers :=
  repeat match goal with
  | |- context [exp (IZR ?z * ln ?x)] => let n := eval vm_compute in (Z.to_nat z) in
      replace (exp (IZR z * ln x)) with (x ^ n)
        by (replace (IZR z * ln x) with (ln (x ^ n)) by (rewrite ln_pow by lra; cbn [INR]; ring); rewrite exp_ln; lra)
  end.
Ltac condition :=
  lazymatch goal with
  | |- integral _ => integral
  | |- _ /\ _ => split; condition
  | |- _ => first [number | powers; number]
  end.
Ltac counted :=
  repeat match goal with
  | |- context [Z.to_nat ?z] => let n := eval vm_compute in (Z.to_nat z) in change (Z.to_nat z) with n
  end.
Ltac told := unfold repeated, reports_of_one; counted.

(* finite_mechanism: any two laws are compared, mass by mass. *)
Fixpoint excesses {T : Type} (t : R) (ps qs : list (T * R)) : list R :=
  match ps, qs with (_, p) :: ps, (_, q) :: qs => Rmax 0 (p - t * q) :: excesses t ps qs | _, _ => [] end.
Fixpoint at_most {T : Type} (t : R) (ps qs : list (T * R)) : Prop :=
  match ps, qs with (_, p) :: ps, (_, q) :: qs => p <= t * q /\ at_most t ps qs | _, _ => True end.
Lemma exceeds_by_excesses {T} t (ps qs : list (T * R)) : map fst ps = map fst qs -> exceeds_by t ps qs (excesses t ps qs).
Proof.
  revert qs. induction ps as [| [o p] ps I]; intros [| [o' q] qs]; simpl; try discriminate; [trivial |].
  intro same. injection same as <- same. pose proof (Rmax_l 0 (p - t * q)). pose proof (Rmax_r 0 (p - t * q)).
  repeat split; [assumption | lra | apply I, same].
Qed.
Lemma within_by_excesses {T} (p q : law (plain T)) ps qs t delta :
  (forall f, E p f = weighted ps f) -> (forall f, E q f = weighted qs f) -> map fst ps = map fst qs ->
  sum (excesses t ps qs) <= delta -> within t delta p q.
Proof. intros P Q same below. eapply within_by_masses; eauto using exceeds_by_excesses. Qed.
Lemma within_by_ratios {T} (p q : law (plain T)) ps qs t :
  (forall f, E p f = weighted ps f) -> (forall f, E q f = weighted qs f) -> map fst ps = map fst qs ->
  at_most t ps qs -> within t 0 p q.
Proof.
  intros P Q same below. apply (within_by_masses p q ps qs (map (fun _ => 0) ps) t 0 P Q).
  - clear P Q. revert qs same below.
    induction ps as [| [o a] ps I]; intros [| [o' b] qs]; simpl; try discriminate; [trivial |].
    intros same [here below]. injection same as <- same. repeat split; [lra | lra | apply I; assumption].
  - clear. induction ps as [| first ps I]; cbn [map sum]; lra.
Qed.
Lemma finite_members size x : finite (IZR size) x -> In x (numbers size).
Proof.
  intros ([z ->] & low & high). apply in_map. apply Finite.in_whole.
  rewrite <- minus_IZR in high. apply le_IZR in low, high. lia.
Qed.
Ltac each A :=
  cbv [numbers Finite.whole Pos.to_nat Pos.iter_op Nat.add Z.of_nat Z.to_nat seq map Pos.of_succ_nat Pos.succ] in A;
  repeat destruct A as [<- | A]; try solve [destruct A].
Ltac too_far near := exfalso; unfold Tables.absolute in near; revert near; apply Rlt_not_le; settled; lra.
Ltac laws_compared law :=
  unfold pure, approximate; rewrite ?exp_0; rewrite ?exp_ln by lra;
  first [ eapply within_by_ratios; [law | law | reflexivity | cbn [at_most]; repeat split; lra]
        | eapply within_by_excesses; [law | law | reflexivity | cbn [excesses sum]; settled; lra] ].

(* finite_law and bit_of_rate, as refdp states their obligations. *)
Theorem finite_law (size : Z) (mass cumulative : R -> R -> R) (ratio : R) :
  (forall output input : Z, 0 <= IZR input <= IZR size - 1 -> 0 <= IZR output <= IZR size - 1 ->
     0 <= mass (IZR output) (IZR input)) ->
  (forall output input : Z, 0 <= IZR input <= IZR size - 1 -> 0 <= IZR output <= IZR size - 1 ->
     cumulative (IZR output) (IZR input) - cumulative (IZR output - 1) (IZR input) = mass (IZR output) (IZR input)) ->
  (forall input : Z, 0 <= IZR input <= IZR size - 1 ->
     cumulative (-1) (IZR input) = 0 /\ cumulative (IZR size - 1) (IZR input) = 1) ->
  (forall output a b : Z, 0 <= IZR output <= IZR size - 1 -> 0 <= IZR a <= IZR size - 1 ->
     0 <= IZR b <= IZR size - 1 ->
     mass (IZR output) (IZR a) <= ratio * mass (IZR output) (IZR b) /\ 1 <= ratio) ->
  private (Tables.restricted (finite (IZR size)) (Tables.discrete 1)) (by_masses size mass) (pure (ln ratio)).
Proof.
  intros positive grows runs bounded.
  assert (inside : forall z, (0 <= z <= size - 1)%Z -> 0 <= IZR z <= IZR size - 1).
  { intros z [low high]. apply IZR_le in low, high. rewrite minus_IZR in high. lra. }
  assert (outside : forall z, 0 <= IZR z <= IZR size - 1 -> (0 <= z <= size - 1)%Z).
  { intros z [low high]. rewrite <- minus_IZR in high. apply le_IZR in low, high. lia. }
  assert (L : forall z, (0 <= z <= size - 1)%Z -> Finite.is_law (numbers size) (fun output => mass output (IZR z))).
  { intros z Z0. pose proof (Finite.finite_law_masses size (fun o i => mass (IZR o) (IZR i))
      (fun o i => cumulative (IZR o) (IZR i))) as masses.
    specialize (masses ltac:(intros; apply positive; apply inside; assumption)).
    specialize (masses ltac:(intros o i I O; cbv beta; rewrite minus_IZR; apply grows; apply inside; assumption)).
    specialize (masses ltac:(intros i I; cbv beta; rewrite minus_IZR; apply runs, inside, I)).
    specialize (masses z Z0). destruct masses as [P T]. split.
    - intros o O. apply in_map_iff in O. destruct O as (i & <- & O). apply P, O.
    - unfold numbers. rewrite Finite.total_map. exact T. }
  intros a b (([x ->] & X) & ([y ->] & Y) & _). apply outside in X, Y.
  apply Finite.pure_of_ratio; [apply L, X | apply L, Y |].
  intros o O. apply in_map_iff in O. destruct O as (i & <- & O). apply Finite.in_whole in O.
  apply bounded; apply inside; assumption.
Qed.
Theorem bit_of_rate (lower upper : R) (rate : R -> R) (ratio : R) :
  (forall input, lower <= input -> input <= upper -> 0 <= rate input /\ rate input <= 1) ->
  (forall a b, lower <= a -> a <= upper -> lower <= b -> b <= upper ->
     rate a <= ratio * rate b /\ 1 - rate a <= ratio * (1 - rate b)) ->
  private (Tables.restricted (interval lower upper) (Tables.discrete 1)) (by_rate rate) (pure (ln ratio)).
Proof.
  intros probability bounded a b ([A A'] & [B B'] & _).
  assert (L : forall c, lower <= c -> c <= upper ->
    Finite.is_law [0; 1] (fun output => if Req_EM_T output 1 then rate c else 1 - rate c)).
  { intros c C C'. destruct (probability c C C'). split.
    - intros o [<- | [<- | []]]; destruct (Req_EM_T _ 1); lra.
    - simpl. destruct (Req_EM_T 0 1); [lra |]. destruct (Req_EM_T 1 1); lra. }
  apply Finite.pure_of_ratio; [apply L; assumption | apply L; assumption |].
  destruct (bounded a b A A' B B'). intros o [<- | [<- | []]]; destruct (Req_EM_T _ 1); lra.
Qed.
Ltac supposed known :=
  repeat match type of known with
  | ?given -> _ => let H := fresh in assert (H : given) by first [assumption | lra]; specialize (known H); clear H
  end.
Ltac parts_of known := lazymatch type of known with
  | _ /\ _ => let one := fresh in destruct known as [one known]; parts_of one; parts_of known
  | _ => idtac end.
Ltac assumed := first [assumption | split; assumed].
Ltac concluded known :=
  cbv beta; first [exact known | parts_of known; assumed | fold_numbers known; fold_goal; parts_of known; assumed].

(* Laws of several draws. *)
Fixpoint each_with {T U : Type} (o : T) (m : R) (others : list (U * R)) : list (T * U * R) :=
  match others with [] => [] | (b, q) :: rest => (o, b, m * q) :: each_with o m rest end.
Fixpoint with_each {T U : Type} (masses : list (T * R)) (others : list (U * R)) : list (T * U * R) :=
  match masses with [] => [] | (o, m) :: rest => each_with o m others ++ with_each rest others end.
Fixpoint in_a_row {T : Type} (masses : list (T * R)) (k : nat) : list (Rounds.power (plain T) k * R) :=
  match k with
  | 0%nat => [(tt, 1)]
  | S k => with_each masses (in_a_row masses k)
  end.
Lemma weighted_app {T} (l r : list (T * R)) f : weighted (l ++ r) f = weighted l f + weighted r f.
Proof. induction l as [| [o m] l I]; cbn [app weighted]; [ring | rewrite I; ring]. Qed.
Lemma weighted_each_with {T U} (o : T) m (others : list (U * R)) f :
  weighted (each_with o m others) f = m * weighted others (fun b => f (o, b)).
Proof. induction others as [| [b q] rest I]; cbn [each_with weighted]; [ring | rewrite I; ring]. Qed.
Lemma weighted_with_each {T U} (masses : list (T * R)) (others : list (U * R)) f :
  weighted (with_each masses others) f = weighted masses (fun o => weighted others (fun b => f (o, b))).
Proof.
  induction masses as [| [o m] rest I]; cbn [with_each weighted]; [reflexivity |].
  rewrite weighted_app, weighted_each_with, I. reflexivity.
Qed.
Lemma weighted_same {T} (masses : list (T * R)) f g : (forall o, f o = g o) -> weighted masses f = weighted masses g.
Proof. intro same. induction masses as [| [o m] rest I]; cbn [weighted]; [reflexivity | rewrite same, I; reflexivity]. Qed.
Lemma both_law {T : Type} {P : space} (p : law (plain T)) (q : law P) masses others :
  has_law p masses -> has_law q others -> has_law (both p (always q)) (with_each masses others).
Proof.
  intros L M f. rewrite E_both, L. transitivity (weighted masses (fun o => weighted others (fun b => f (o, b)))).
  - apply weighted_same. intro o. apply M.
  - symmetry. exact (weighted_with_each masses others f).
Qed.
Lemma repeated_law {X T : Type} (M : mechanism X (plain T)) k x masses :
  has_law (M x) masses -> has_law (repeated M k x) (in_a_row masses k).
Proof.
  intro L. unfold repeated. induction k as [| k I]; intro f.
  - rewrite E_no_draws. cbn [in_a_row weighted]. ring.
  - rewrite E_draws, L. transitivity (weighted masses (fun o => weighted (in_a_row masses k) (fun b => f (o, b)))).
    + apply weighted_same. intro o. apply I.
    + symmetry. exact (weighted_with_each masses (in_a_row masses k) f).
Qed.
(* One outcome that is kept, and reports of it. *)
Fixpoint of_one {T U : Type} (masses : list (T * R)) (reports : list (list (U * R))) : list (U * R) :=
  match masses, reports with
  | (_, m) :: masses, others :: reports => map (fun pair => (fst pair, m * snd pair)) others ++ of_one masses reports
  | _, _ => []
  end.
Lemma weighted_scaled {U} m (others : list (U * R)) f :
  weighted (map (fun pair => (fst pair, m * snd pair)) others) f = m * weighted others f.
Proof. induction others as [| [b q] rest I]; cbn [map weighted fst snd]; [ring | rewrite I; ring]. Qed.
Lemma then_law {T : Type} {P : space} (p : law (plain T)) (k : T -> law P) masses reports :
  has_law p masses -> Forall2 (fun pair others => has_law (k (fst pair)) others) masses reports ->
  has_law (then_run p (plain_kernel k)) (of_one masses reports).
Proof.
  intros L reported f. rewrite E_then, L. clear L p.
  induction reported as [| [o m] others masses reports here rest I]; cbn [weighted of_one]; [reflexivity |].
  rewrite weighted_app, weighted_scaled, I. cbn [fst] in here. rewrite here. reflexivity.
Qed.


(* Bitwise laws: of a value, which sets its own bit, and of a filter, a vector of bits. *)
Definition sets_own (x : R) (i : nat) : bool := if Req_EM_T (INR i) x then true else false.
Definition is_set (x : nat -> R) (i : nat) : bool := if Req_EM_T (x i) 1 then true else false.
Definition vector_of (inside : R -> Prop) (n : nat) (x : nat -> R) := forall j, (j < n)%nat -> inside (x j).
Definition bits_of_value (kept raised : R) (n : nat) : mechanism R (plain (list bool)) :=
  fun input => Finite.report kept raised (seq 0 n) (sets_own input).
Definition bits_sent_of_value (kept raised : R) (n sent : nat) :
    mechanism R (product (plain (list nat)) (plain (list bool))) :=
  fun input => Finite.sent_report kept raised n sent (sets_own input).
Definition bits_of_filter (kept raised : R) (n : nat) : mechanism (nat -> R) (plain (list bool)) :=
  fun input => Finite.report kept raised (seq 0 n) (is_set input).

Lemma report_same kept raised places f g : (forall i, f i = g i) ->
  Finite.report kept raised places f = Finite.report kept raised places g.
Proof. intro same. unfold Finite.report. f_equal. apply map_ext. intro i. rewrite same. reflexivity. Qed.
Lemma own_is_value z i : sets_own (IZR z) i = Finite.value_sets z i.
Proof.
  unfold sets_own, Finite.value_sets. rewrite INR_IZR_INZ. destruct (Req_EM_T _ _) as [same | other]; symmetry.
  - apply Z.eqb_eq, eq_IZR, same.
  - apply Z.eqb_neq. intro same. apply other. rewrite same. reflexivity.
Qed.
Section bitwise.
  Variables (kept raised ratio : R) (n : nat).
  Hypothesis likelier : 0 < raised /\ raised <= kept /\ kept < 1.
  Theorem bitwise_value size :
    kept * (1 - raised) <= ratio * (raised * (1 - kept)) ->
    private (Tables.restricted (category size) (Tables.discrete 1)) (bits_of_value kept raised n) (pure (ln ratio)).
  Proof.
    intros bounded a b (([x ->] & _) & ([y ->] & _) & _). unfold bits_of_value.
    rewrite (report_same _ _ _ _ _ (own_is_value x)), (report_same _ _ _ _ _ (own_is_value y)).
    apply Finite.values_within; [exact likelier | exact bounded | apply seq_NoDup].
  Qed.
  Theorem bitwise_value_sent size sent : (sent <= n)%nat ->
    kept * (1 - raised) <= ratio * (raised * (1 - kept)) ->
    private (Tables.restricted (category size) (Tables.discrete 1)) (bits_sent_of_value kept raised n sent)
      (pure (ln ratio)).
  Proof.
    intros some bounded a b (([x ->] & _) & ([y ->] & _) & _). unfold bits_sent_of_value.
    apply Finite.sent_within; [exact some |]. intros places once.
    rewrite (report_same _ _ _ _ _ (own_is_value x)), (report_same _ _ _ _ _ (own_is_value y)).
    apply Finite.values_within; [exact likelier | exact bounded | exact once].
  Qed.

  Lemma bit_is x : finite 2 x -> x = 0 \/ x = 1.
  Proof.
    intros ([z ->] & low & high). replace (2 - 1) with 1 in high by ring. apply le_IZR in low, high.
    assert (z = 0 \/ z = 1)%Z as [-> | ->] by lia; auto.
  Qed.
  Lemma bits_that_fall (u v : nat -> R) : vector_of (finite 2) n u -> vector_of (finite 2) n v ->
    INR (Finite.fall (is_set u) (is_set v) (seq 0 n)) + INR (Finite.fall (is_set v) (is_set u) (seq 0 n)) =
      Tables.total n (fun j => Rabs (u j - v j)) /\
    INR (Finite.fall (is_set u) (is_set v) (seq 0 n)) - INR (Finite.fall (is_set v) (is_set u) (seq 0 n)) =
      Tables.total n u - Tables.total n v.
  Proof.
    clear likelier. induction n as [| m I]; intros U V; [unfold Finite.fall, Finite.count; simpl; split; lra |].
    destruct I as [sums differences]; [intros j J; apply U; lia | intros j J; apply V; lia |].
    assert (longer : forall f, Finite.count f (seq 0 (S m)) = (Finite.count f (seq 0 m) + if f m then 1 else 0)%nat).
    { intro f. unfold Finite.count. rewrite seq_S, filter_app, app_length. simpl. destruct (f m); reflexivity. }
    assert (zero : forall x : nat -> R, x m = 0 -> is_set x m = false).
    { intros x X. unfold is_set. rewrite X. destruct (Req_EM_T 0 1); [lra | reflexivity]. }
    assert (one : forall x : nat -> R, x m = 1 -> is_set x m = true).
    { intros x X. unfold is_set. rewrite X. destruct (Req_EM_T 1 1); [reflexivity | lra]. }
    unfold Finite.fall in *. rewrite !longer, !plus_INR. cbn [Tables.total].
    destruct (bit_is _ (U m ltac:(lia))) as [A | A], (bit_is _ (V m ltac:(lia))) as [B | B];
      [rewrite (zero u A), (zero v B) | rewrite (zero u A), (one v B)
      | rewrite (one u A), (zero v B) | rewrite (one u A), (one v B)]; rewrite A, B; cbn [andb negb INR];
      (replace (Rabs (0 - 0)) with 0 by (rewrite Rminus_0_r, Rabs_R0; reflexivity)) ||
      (replace (Rabs (1 - 1)) with 0 by (rewrite Rminus_diag_eq, Rabs_R0; reflexivity)) ||
      (replace (Rabs (1 - 0)) with 1 by (rewrite Rminus_0_r, Rabs_R1; reflexivity)) ||
      (replace (Rabs (0 - 1)) with 1 by (rewrite Rabs_minus_sym, Rminus_0_r, Rabs_R1; reflexivity)); split; lra.
  Qed.
  Theorem bitwise_l1 d_in :
    kept <= ratio * raised /\ 1 - raised <= ratio * (1 - kept) ->
    private (Tables.restricted (vector_of (finite 2) n) (Tables.l1 n d_in)) (bits_of_filter kept raised n)
      (pure (d_in * ln ratio)).
  Proof.
    intros bounded u v (U & V & near). unfold Tables.l1 in near. destruct (bits_that_fall u v U V) as [sums _].
    apply Finite.changed_within; [exact likelier | exact bounded |]. rewrite plus_INR. lra.
  Qed.
  Theorem bitwise_exchange d_in :
    kept * (1 - raised) <= ratio * (raised * (1 - kept)) ->
    private (Tables.restricted (vector_of (finite 2) n) (Tables.exchange n d_in)) (bits_of_filter kept raised n)
      (pure (d_in * ln ratio)).
  Proof.
    intros bounded u v (U & V & near & same). unfold Tables.l1 in near.
    destruct (bits_that_fall u v U V) as [sums differences].
    apply Finite.exchanged_within; [exact likelier | exact bounded | lra | lra].
  Qed.
End bitwise.

(* Supported laws. *)
Definition subset_told (told : R) (size chosen : Z) : mechanism R (plain (list nat)) := fun input =>
  Finite.listed [] (Finite.choices (Z.to_nat chosen) (seq 0 (Z.to_nat size)))
    (Finite.supported_mass (Finite.choices (Z.to_nat chosen) (seq 0 (Z.to_nat size))) Finite.set_supports
      (IZR chosen / IZR size) told (position input)).
(* The order of the matrix: the least power of 2 above the number of values. *)
Definition binary_digits (size : Z) : nat := Z.to_nat (Z.log2 size + 1).
Definition column_told (told : R) (size : Z) : mechanism R (plain nat) := fun input =>
  Finite.listed 0%nat (seq 0 (2 ^ binary_digits size))
    (Finite.supported_mass (seq 0 (2 ^ binary_digits size)) (Finite.column_supports (binary_digits size))
      (1 / 2) told (position input)).
Definition entry_told (told : R) (size : Z) : mechanism R (plain (nat * bool)) := fun input =>
  Finite.listed (0%nat, false) (Finite.rows_with_a_bit (Z.to_nat size))
    (Finite.supported_mass (Finite.rows_with_a_bit (Z.to_nat size))
      (Finite.bit_supports (Finite.is_odd (binary_digits size))) (1 / 2) told (position input)).
Definition bucket_told (told : R) (size : Z) : mechanism R (plain (nat * bool)) := fun input =>
  Finite.listed (0%nat, false) (Finite.rows_with_a_bit (Z.to_nat size))
    (Finite.supported_mass (Finite.rows_with_a_bit (Z.to_nat size)) (Finite.bit_supports Nat.eqb)
      (1 / 2) told (position input)).
Lemma finite_position size x : finite (IZR size) x -> (position x < Z.to_nat size)%nat.
Proof.
  intros ([z ->] & low & high). unfold position. rewrite Int_part_IZR. rewrite <- minus_IZR in high.
  apply le_IZR in low, high. lia.
Qed.
Section supported.
  Variables (told ratio : R).
  Hypothesis probability : 0 <= told /\ told <= 1.
  Theorem supported_subset size chosen : 1 <= IZR size -> 1 <= IZR chosen -> IZR chosen <= IZR size - 1 ->
    told * (1 - IZR chosen / IZR size) <= ratio * ((1 - told) * (IZR chosen / IZR size)) /\
    (1 - told) * (IZR chosen / IZR size) <= ratio * (told * (1 - IZR chosen / IZR size)) ->
    private (Tables.restricted (finite (IZR size)) (Tables.discrete 1)) (subset_told told size chosen)
      (pure (ln ratio)).
  Proof.
    intros some low high bounded x y (X & Y & _). rewrite <- minus_IZR in high. apply le_IZR in some, low, high.
    apply finite_position in X, Y.
    assert (as_share : INR (Z.to_nat chosen) / INR (Z.to_nat size) = IZR chosen / IZR size).
    { rewrite !INR_IZR_INZ, !Z2Nat.id by lia. reflexivity. }
    unfold subset_told. rewrite <- as_share in bounded |- *.
    apply (Finite.supported_law_subset told ratio ltac:(lra) (Z.to_nat size) (Z.to_nat chosen) ltac:(lia) ltac:(lia)
      bounded (position x) (position y)).
    split; assumption.
  Qed.
  Hypothesis bounded : told * (1 - 1 / 2) <= ratio * ((1 - told) * (1 / 2)) /\
    (1 - told) * (1 / 2) <= ratio * (told * (1 - 1 / 2)).
  Theorem supported_column size : 1 <= IZR size ->
    private (Tables.restricted (finite (IZR size)) (Tables.discrete 1)) (column_told told size) (pure (ln ratio)).
  Proof.
    intros some x y (X & Y & _). apply le_IZR in some. apply finite_position in X, Y.
    assert (small : (Z.to_nat size < 2 ^ binary_digits size)%nat).
    { unfold binary_digits. pose proof (Z.log2_spec size ltac:(lia)) as [_ above]. pose proof (Z.log2_nonneg size).
      apply Nat2Z.inj_lt. rewrite Nat2Z.inj_pow, !Z2Nat.id by lia. exact above. }
    apply (Finite.supported_law_hadamard told ratio ltac:(lra) (Z.to_nat size) (binary_digits size) ltac:(lia) small
      bounded (position x) (position y)).
    split; assumption.
  Qed.
  Theorem supported_entry size : 1 <= IZR size ->
    private (Tables.restricted (finite (IZR size)) (Tables.discrete 1)) (entry_told told size) (pure (ln ratio)).
  Proof.
    intros some x y (X & Y & _). apply le_IZR in some. apply finite_position in X, Y.
    apply (Finite.supported_law_hadamard_entry told ratio ltac:(lra) (Z.to_nat size) (binary_digits size) ltac:(lia)
      bounded (position x) (position y)).
    split; assumption.
  Qed.
  Theorem supported_bucket size : 1 <= IZR size ->
    private (Tables.restricted (finite (IZR size)) (Tables.discrete 1)) (bucket_told told size) (pure (ln ratio)).
  Proof.
    intros some x y (X & Y & _). apply le_IZR in some. apply finite_position in X, Y.
    apply (Finite.supported_law_one_bit told ratio ltac:(lra) (Z.to_nat size) ltac:(lia)
      bounded (position x) (position y)).
    split; assumption.
  Qed.
End supported.
Lemma nat_below a b : IZR a <= IZR b -> (Z.to_nat a <= Z.to_nat b)%nat.
Proof. intro below. apply le_IZR in below. lia. Qed.

(* A filter of bits that are written down, and what is reported of it. *)
Definition as_vector (bits : list bool) : nat -> R := fun j => if nth j bits false then 1 else 0.
Definition from_bits {O : space} (N : mechanism (nat -> R) O) : mechanism (list bool) O := fun bits => N (as_vector bits).
Definition bit_codes (bits : list bool) : list Z := map (fun bit : bool => if bit then 1 else 0)%Z bits.
Lemma is_set_of_bits bits i : is_set (as_vector bits) i = nth i bits false.
Proof. unfold is_set, as_vector. destruct (nth i bits false); destruct (Req_EM_T _ 1); reflexivity || lra. Qed.
Fixpoint put_before {T : Type} (o : T) (m : R) (others : list (list T * R)) : list (list T * R) :=
  match others with [] => [] | (b, q) :: rest => (o :: b, m * q) :: put_before o m rest end.
Fixpoint bit_masses (kept raised : R) (bits : list bool) : list (list bool * R) :=
  match bits with
  | [] => [([], 1)]
  | bit :: rest =>
      let c := if bit then kept else raised in
      put_before true c (bit_masses kept raised rest) ++ put_before false (1 - c) (bit_masses kept raised rest)
  end.
Lemma weighted_put_before {T} (o : T) m others f :
  weighted (put_before o m others) f = m * weighted others (fun b => f (o :: b)).
Proof. induction others as [| [b q] rest I]; cbn [put_before weighted]; [ring | rewrite I; ring]. Qed.
Lemma weighted_bits kept raised (bit : bool) rest (f : list bool -> R) :
  weighted (bit_masses kept raised (bit :: rest)) f =
  (if bit then kept else raised) * weighted (bit_masses kept raised rest) (fun others => f (true :: others)) +
  (1 - (if bit then kept else raised)) * weighted (bit_masses kept raised rest) (fun others => f (false :: others)).
Proof. cbn [bit_masses]. rewrite weighted_app, !weighted_put_before. reflexivity. Qed.
Lemma E_first (p : law (plain bool)) ps f : E (Finite.independent (p :: ps)) f =
  E p (fun bit => E (Finite.independent ps) (fun others => f (bit :: others))).
Proof. reflexivity. Qed.
Lemma report_law kept raised sets places : 0 <= kept <= 1 -> 0 <= raised <= 1 ->
  has_law (Finite.report kept raised places sets) (bit_masses kept raised (map sets places)).
Proof.
  intros K D. unfold Finite.report. induction places as [| i rest I]; intro f; cbn [map].
  - cbn. ring.
  - etransitivity; [| symmetry; exact (weighted_bits kept raised (sets i) (map sets rest) f)].
    rewrite E_first. rewrite Finite.E_coin by (destruct (sets i); assumption). rewrite !I. reflexivity.
Qed.
Lemma bits_of_filter_law kept raised n bits : 0 <= kept <= 1 -> 0 <= raised <= 1 ->
  has_law (bits_of_filter kept raised n (as_vector bits))
    (bit_masses kept raised (map (fun i => nth i bits false) (seq 0 n))).
Proof.
  intros K D f. unfold bits_of_filter. rewrite (report_same _ _ _ _ _ (is_set_of_bits bits)).
  apply report_law; assumption.
Qed.
Lemma bits_of_value_law kept raised n z : 0 <= kept <= 1 -> 0 <= raised <= 1 ->
  has_law (bits_of_value kept raised n (IZR z))
    (bit_masses kept raised (map (fun i => Z.eqb (Z.of_nat i) z) (seq 0 n))).
Proof.
  intros K D f. unfold bits_of_value. rewrite (report_same _ _ _ _ _ (own_is_value z)).
  apply report_law; assumption.
Qed.
Lemma are_bits bits n : vector_of (finite 2) n (as_vector bits).
Proof.
  intros j _. unfold as_vector, finite. destruct (nth j bits false).
  - split; [exists 1%Z; reflexivity | lra].
  - split; [exists 0%Z; reflexivity | lra].
Qed.
Ltac nearby_filters :=
  split; [apply are_bits | split; [apply are_bits |]]; unfold Tables.exchange, Tables.l1; counted;
  cbv [Tables.total as_vector nth]; first [split; settled; lra | settled; lra].
Ltac counted_laws :=
  counted;
  cbv [in_a_row with_each each_with of_one app map weighted fst snd bit_masses put_before bit_codes nth seq
       Z.eqb Pos.eqb Z.of_nat Pos.of_succ_nat Pos.succ];
  rewrite ?Int_part_IZR; cbv [among existsb same_code orb app map Z.eqb Pos.eqb].

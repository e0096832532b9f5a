package berth.yard;

import static berth.yard.PlantedBug.inABudget;
import static berth.yard.PlantedBug.inASchedule;
import static berth.yard.PlantedBug.inMain;
import static berth.yard.PlantedBug.inTheDatabase;

import java.util.List;

/** The bugs that the yard must find, or the random oracle. */
final class PlantedBugs {

    private static final String WRITER = "engine/ClusterWriter.java";
    private static final String APPROVE = "scheduling/commands/Approve.java";
    private static final String DRAFT = "engine/Draft.java";
    private static final String PENDING = "engine/Pending.java";
    private static final String KEYS = "engine/Keys.java";
    private static final String TURNS = "engine/Turns.java";
    private static final String RESERVATION = "reservation/Reservation.java";
    private static final String SETTLING = "booking/CoallocationCompletion.java";
    private static final String MIRRORS = "booking/Mirrors.java";
    private static final String MEMBER = "instances/SharedInstance.java";
    private static final String ROUNDS = "booking/BrokerRounds.java";
    private static final String BOOKINGS = "series/SeriesBookings.java";
    private static final String MAINTENANCES = "series/Maintenances.java";

    private PlantedBugs() {}

    static final List<PlantedBug> ALL = List.of(
            // what is recorded
            inTheDatabase(
                    "a commit does not check its epoch",
                    "batch.epoch() != standing.epoch || batch.sequence() != standing.history.size()",
                    "batch.sequence() != standing.history.size()"),
            inTheDatabase(
                    "resolving does not shut out a commit that is still under way",
                    "new Ledger.Standing.Writer(++standing.epoch, standing.history.size())",
                    "new Ledger.Standing.Writer(standing.epoch, standing.history.size())"),
            inTheDatabase(
                    "a takeover does not shut out the previous writer",
                    "standing.epoch++; standing.isReplaced = false;",
                    "standing.isReplaced = false;"),
            inTheDatabase(
                    "a takeover does not raise the epoch if nothing was recorded",
                    "standing.epoch++; standing.isReplaced = false;",
                    "standing.epoch += standing.history.isEmpty() ? 0 : 1; standing.isReplaced = false;"),
            inTheDatabase(
                    "the keys of a commit are recorded with the next commit", "for (var key : batch.keys()) {", """
                    final class Late {
                        static final Map<Standing, List<RecordedKey>> KEYS = new java.util.WeakHashMap<>();
                    }
                    var before = Late.KEYS.put(standing, batch.keys());
                    for (var key : before == null ? List.<RecordedKey>of() : before) {
                    """),
            inTheDatabase(
                    "a takeover overlooks waiting requests",
                    "request.cluster().equals(Optional.of(cluster))",
                    "request.cluster().isEmpty()"),
            // the writer
            inMain(
                    "results are returned before the commit",
                    WRITER,
                    "return switch (meters.commit(() -> appended(batch))) {",
                    "draft.answer(); return switch (meters.commit(() -> appended(batch))) {"),
            inMain(
                    "resolving takes recorded batches for unrecorded ones, and the reverse",
                    WRITER,
                    "if (recorded == batch.lastSequence()) {",
                    "if (recorded != batch.lastSequence()) {"),
            inMain(
                    "a commit that resolving finds recorded is not applied",
                    WRITER,
                    "return applied(inDoubt.draft, batch, waiting, inDoubt.taken);",
                    "sequence = batch.lastSequence(); answer(inDoubt.draft); return done(waiting, inDoubt.taken);"),
            inMain("the writer does not adopt the epoch that resolving set", WRITER, "epoch = newEpoch;", ""),
            inMain(
                    "a commit of unknown outcome is reported as not recorded",
                    WRITER,
                    """
                    doubt = Optional.of(new Doubt(draft, batch, taken));
                    isRecording = false;
                    yield resolve(doubt.get(), waiting);
                    """,
                    "isRecording = false; yield notRecorded(draft, waiting, taken);"),
            inMain(
                    "a commit that failed is reported as recorded",
                    WRITER,
                    "private Next notRecorded(Draft draft, List<Pending> waiting, int taken) {",
                    "private Next notRecorded(Draft draft, List<Pending> waiting, int taken) { draft.answer();"),
            inMain(
                    "a replaced writer goes on as if its commit had succeeded",
                    WRITER,
                    """
                    var end = fenced();
                    draft.answerAll(new Answer.NotDecided(end.why()));
                    yield end;
                    """,
                    "yield applied(draft, batch, waiting, taken);"),
            inMain("time goes backwards", WRITER, "now = Math.max(now, time);", "now = time;"),
            inMain(
                    "Berth believes a clock that jumps",
                    "runtime/Timekeeper.java",
                    "isBelieved ? Duration.ZERO : jump.negated(),",
                    "Duration.ZERO,"),
            inMain("a start forgets outages", WRITER, "recovered.outages(),", "java.util.List.of(),"),
            inMain(
                    "a process that ends reports unknown outcomes as not recorded",
                    PENDING,
                    "answer.complete(claim() ? new Answer.NotDecided(why) : new Answer.OutcomeUnknown(why));",
                    "answer.complete(new Answer.NotDecided(why));"),
            inMain(
                    "a command is decided although its client has given up",
                    DRAFT,
                    "if (pending.claim()) {",
                    "if (pending.claim() || true) {"),
            inMain(
                    "a client gives up a command that is being decided",
                    PENDING,
                    "if (claim()) { var givenUp",
                    "if (claim() || true) { var givenUp"),
            inMain(
                    "a rejection is never returned",
                    DRAFT,
                    "answers.add(() -> pending.answer().complete(new Answer.Refused(reason)));",
                    ""),
            inMain(
                    "a moved reservation is returned instead of the requested one",
                    "engine/Answer.java",
                    """
                    .map(event -> ((ReservationEvent) event).reservation())
                    .reduce((_, last) -> last);
                    """,
                    ".map(event -> ((ReservationEvent) event).reservation()).findFirst();"),
            // keys
            inMain(
                    "a key is recorded for the wrong event",
                    DRAFT,
                    "new RecordedKey(key, sequence + events.size())",
                    "new RecordedKey(key, sequence + 1)"),
            inMain("a used key is not remembered", KEYS, "used.note(use.account(), use.key());", ""),
            inMain("a start does not read earlier keys", KEYS, "records.usedKeys(used::note);", ""),
            inMain(
                    "the turn of a key ends before its outcome is known",
                    KEYS,
                    "var unused = turn.end().whenComplete((_, _) -> release.get().run());",
                    "release.get().run();"),
            inMain(
                    "a request is rejected under a key that a successor may have granted",
                    KEYS,
                    "if (turn.isInVain()) {",
                    "if (turn == null) {"),
            inMain("two requests have the same turn", TURNS, "others.add(turn);", "turn.complete(true);"),
            // limits
            inMain(
                    "limits are read before the turn begins",
                    "engine/BookingLimits.java",
                    "() -> booking.apply(allowance(cluster, owner, limits)));",
                    """
                    ((Function<Allowance, Supplier<Pending>>) read -> () -> booking.apply(read))
                            .apply(allowance(cluster, owner, limits)));
                    """),
            inMain(
                    "limits do not count other clusters",
                    "engine/BookingLimits.java",
                    ".filter(schedule -> !Optional.of(schedule.cluster().id()).equals(here))",
                    ".filter(_ -> false)"),
            inMain(
                    "the turn of an account ends before its outcome is known",
                    TURNS,
                    "var unused = pending.answer() .whenComplete((answer, failure) -> release.get().run());",
                    "release.get().run();"),
            // reservations
            inMain(
                    "a hold expires ten hours late",
                    RESERVATION,
                    "due(status.holdExpiresAt().orElseThrow(), What.HOLD_EXPIRES)",
                    "due(status.holdExpiresAt().orElseThrow() + 36_000, What.HOLD_EXPIRES)"),
            inMain("held reservations are moved", RESERVATION, """
                    case CONFIRMED -> !awaitsPes();
                    case RUNNING -> placement.hasPartsToCome();
                    case HELD, PENDING, COMPLETED,
                    """, """
                    case CONFIRMED, HELD -> true;
                    case RUNNING -> placement.hasPartsToCome();
                    case PENDING, COMPLETED,
                    """),
            inMain(
                    "a move raises the price",
                    "scheduling/Moves.java",
                    "reservation.moved(after, rules.afterMove(price), now)",
                    """
                    reservation.moved(
                            after,
                            new berth.sla.Money(price.amount().add(java.math.BigDecimal.ONE), price.currency()),
                            now)
                    """),
            inMain(
                    "a move for an outage is not recorded",
                    "scheduling/places/Displacement.java",
                    "all.addAll(moves.values()); return all;",
                    """
                    moves.values().stream()
                            .filter(event -> event.type() != Event.Type.MOVED)
                            .forEach(all::add);
                    return all;
                    """),
            inMain(
                    "a run gives away PEs that it keeps",
                    "reservation/Losses.java",
                    "left.add(without(part, lack).during(slot));",
                    "lack.during(slot);"),
            inMain(
                    "PEs that two outages claim come back with the first",
                    "scheduling/Occupancy.java",
                    "free.giveBack(new OutageClaims(after.outages().values(), pes).left(outage))",
                    "free.giveBack(new OutageClaims(java.util.List.of(), pes).left(outage))"),
            inASchedule(
                    "PE-seconds that a run lost are owed",
                    "reservation/Reservation.java",
                    "return agreed - lost();",
                    "return agreed;"),
            inASchedule(
                    "a run that lacks PEs gets PEs that are not free until its end",
                    "scheduling/places/Displacement.java",
                    "var slot = new Slot(now, part.slot().end());",
                    "var slot = new Slot(now, now + 1);"),
            inMain(
                    "outages take no PEs",
                    "scheduling/Occupancy.java",
                    "free.take(claims(pes).left(outage)).outOfService(after.named())",
                    "free"),
            inMain(
                    "the version that a client names is ignored",
                    "scheduling/Lookup.java",
                    "if (!target.version().equals(OptionalInt.of(version)) && target.version().isPresent()) {",
                    "if (version < 0) {"),
            inMain(
                    "clients see the reservations of other accounts",
                    "booking/Reservations.java",
                    ".filter(isShown)",
                    ""),
            inMain(
                    "a change that took place is reported as rejected",
                    "booking/Renegotiations.java",
                    "if (!(answer instanceof Answer.Done done)) { return new Outcome.NotDone(before, answer); }",
                    """
                    if (!(answer instanceof Answer.Done done) || done.events().size() > 1) {
                        return new Outcome.NotDone(before, answer);
                    }
                    """),
            // several instances
            inMain(
                    "an instance responds after its lease has run out",
                    MEMBER,
                    "leaseLeft().isZero() ? new Turn.Nobody() : new Turn.Here()",
                    "new Turn.Here()"),
            inMain(
                    "a replaced instance goes on",
                    MEMBER,
                    "if (successor.isPresent()) {",
                    "if (successor.isPresent() && roll == null) {"),
            inMain(
                    "an instance that lost its session goes on responding",
                    MEMBER,
                    "heardUntil = threads.nanoTime(); if (roll != null) {",
                    "if (roll != null) {"),
            inMain(
                    "an instance opens its desks before it is the writer",
                    MEMBER,
                    "writerRole.take(); while (isRunning && !isOpened()) {",
                    "while (isRunning && !isOpened()) {"),
            // collected requests
            inMain(
                    "a withdrawn request stays pending",
                    "scheduling/ClusterSchedule.java",
                    "request.state() == IntakeRequest.State.PENDING",
                    "request.state() != IntakeRequest.State.GRANTED"),
            inMain(
                    "a collected request is decided twice at the same time",
                    "booking/Broker.java",
                    "Optional.of(ownKey(request.id(), request.origin().owner())), Broker::again",
                    "Optional.empty(), Broker::again"),
            inMain(
                    "a start forgets collected requests",
                    ROUNDS,
                    "store.waiting().forEach(collected -> waiting.put(collected.request().id(), collected));",
                    ""),
            inMain(
                    "a granted request is withdrawn",
                    "booking/Broker.java",
                    "_ -> Optional.of(new Withdrawal.Decided()),",
                    "_ -> Optional.empty(),"),
            inMain(
                    "a request that may still be granted is withdrawn",
                    "booking/BrokerRounds.java",
                    ": unlessDecided.apply(collected.request(), () -> {",
                    """
                    : ((BiFunction<IntakeRequest, Supplier<Withdrawal>, Withdrawal>)
                            (request, withdrawal) ->
                                    isBooked.test(id) ? new Withdrawal.Decided() : withdrawal.get()).apply(collected.request(), () -> {
                    """),
            inMain(
                    "the broker passes over a cluster whose outcome is unknown",
                    "booking/LocalCluster.java",
                    "case Answer.KeyReused _, Answer.OutcomeUnknown _, Answer.Declined _ -> new Taken.Ended(answer);",
                    """
                    case Answer.KeyReused _, Answer.Declined _ -> new Taken.Ended(answer);
                    case Answer.OutcomeUnknown _ -> new Taken.Lost(TriedCluster.Obstacle.UNAVAILABLE);
                    """),
            // other Berths
            inMain(
                    "the broker passes over a Berth that may have confirmed",
                    "booking/RemoteCluster.java",
                    "return new Taken.Ended(UNKNOWN);",
                    "return new Taken.Lost(TriedCluster.Obstacle.UNAVAILABLE);"),
            inMain(
                    "a message that another Berth did not receive is not repeated",
                    MIRRORS,
                    ".<Runnable>map(owing -> () -> pay(owing))",
                    ".<Runnable>map(owing -> () -> {})"),
            inMain(
                    "the key of a reservation at another Berth is not recorded",
                    MIRRORS,
                    "store.create(mirror, question, key);",
                    "store.create(mirror, question, Optional.empty());"),
            inMain(
                    "a Berth that does not respond counts as not having confirmed",
                    MIRRORS,
                    "case Reply.Heard _, Reply.Silent _ -> amended(owing, Mirror::unheard);",
                    "case Reply.Heard _, Reply.Silent _ -> lost(owing);"),
            inMain(
                    "the state of one mirror is taken for that of another",
                    MIRRORS,
                    "store.find(known.id()).filter(one -> one.isOf(known));",
                    "store.find(known.id());"),
            // co-allocations
            inMain(
                    "a co-allocation is confirmed although a part is gone",
                    SETTLING,
                    "return updated(held.becomes(CoallocationState.ABANDONED, false, now()));",
                    ""),
            inMain(
                    "interrupted co-allocations are not finished later",
                    SETTLING,
                    ".<Runnable>map(unfinished -> () -> tryCompleting(unfinished.id()))",
                    ".<Runnable>map(unfinished -> () -> {})"),
            inMain(
                    "an abandoned co-allocation keeps its parts",
                    SETTLING,
                    "return isToBeGivenUp ? giveUp(after) : after;",
                    "return isToBeGivenUp ? updated(after.becomes(after.state(), true, now())) : after;"),
            // series
            inMain(
                    "an occurrence is booked again while a commit is in doubt",
                    BOOKINGS,
                    "if (!desks.isNothingInDoubt(series.cluster())) { return new Again.NotDone(",
                    "if (series == null) { return new Again.NotDone("),
            inMain(
                    "an occurrence is booked again although its series has ended",
                    BOOKINGS,
                    "store.find(asked.id()).filter(one -> one.planned().contains(occurrence));",
                    "Optional.of(asked);"),
            inMain(
                    "a series that may still be lost is reported as booked",
                    BOOKINGS,
                    ".map(found -> isBooked(found) ? new Outcome.Done<>(found) : unknown())",
                    ".map(found -> new Outcome.Done<>(found))"),
            inMain(
                    "Berth looks if a series was booked while a commit is in doubt",
                    BOOKINGS,
                    "return desks.isNothingInDoubt(series.cluster()) ? inTurnOfReplaced",
                    "return series != null ? inTurnOfReplaced"),
            inMain(
                    "a series whose booking was interrupted is not completed",
                    BOOKINGS,
                    "isBooked(series) ? Optional.of(series) : completedInTurn(series);",
                    "Optional.of(series);"),
            inMain(
                    "a series that was never booked is decided day by day",
                    BOOKINGS,
                    "present.filter(SeriesBookings::isBooked)",
                    "present.filter(one -> one != null)"),
            inMain(
                    "days of a series are decided again",
                    BOOKINGS,
                    "if (!known.contains(next.date()) && present.latestStart(next) > now()",
                    "if (present.latestStart(next) > now()"),
            inMain(
                    "later occurrences are decided while a commit is in doubt",
                    BOOKINGS,
                    ".filter(one -> one.decided() < within(one) && desks.isNothingInDoubt(one.cluster()))",
                    ".filter(one -> one.decided() < within(one))"),
            inMain("a rejected later occurrence leaves no event", BOOKINGS, """
                    answer = admission.admitAtDesk( cluster, occurrences.booking(series, List.of(occurrence), 0, of), Optional.empty());
                    """, "return true;"),
            inMain(
                    "one occurrence fewer than required is enough",
                    "scheduling/commands/BookSeries.java",
                    "return granted < atLeast",
                    "return granted < atLeast - 1"),
            inMain(
                    "a series that ends also cancels the day before",
                    "scheduling/commands/BookSeries.java",
                    "!one.date().isBefore(from))",
                    "!one.date().plusDays(1).isBefore(from))"),
            inMain(
                    "a series that is ended twice keeps days that it was to cancel",
                    "series/Series.java",
                    "var first = givesUpFrom.filter(pending -> pending.isBefore(day)).orElse(day);",
                    "var first = day;"),
            inMain(
                    "days that a series booked after it was replaced stay",
                    BOOKINGS,
                    """
                    .ifPresent(ending -> {
                        // now, or later in advance()
                        var unused = given(updated(ending));
                    });
                    """,
                    ".map(Series::givenUp).ifPresent(store::update);"),
            inMain(
                    "a series books days while another replaces it",
                    BOOKINGS,
                    ".map(old -> inTurn(old.series(), work))",
                    ".map(old -> Optional.of(work.get()))"),
            inMain(
                    "the end of a series is reported as not done, and happens",
                    BOOKINGS,
                    "case Answer.NotDecided(var why) -> new Outcome.NotDone<>(new Answer.OutcomeUnknown(why));",
                    ""),
            inMain(
                    "a window of a maintenance is recorded twice",
                    "scheduling/commands/RecordOutage.java",
                    "if (schedule.find(id).isPresent()) {",
                    "if (schedule == null) {"),
            inMain(
                    "a cancelled maintenance leaves a window",
                    MAINTENANCES,
                    ".filter(next -> outage(maintenance, next).isPresent())",
                    ".filter(_ -> false)"),
            inMain(
                    "a maintenance is cancelled while a commit is in doubt",
                    MAINTENANCES,
                    "if (!desks.isNothingInDoubt(maintenance.cluster())) {",
                    "if (maintenance == null) {"),
            inMain(
                    "a maintenance is reported as not accepted, and is accepted",
                    MAINTENANCES,
                    """
                    return inTurn(maintenance.id()) instanceof Outcome.Done<Maintenance, Answer> done
                            ? done
                            // it is recorded and continues automatically
                            : new Outcome.Done<>(store.find(maintenance.id()).orElseThrow());
                    """,
                    "return inTurn(maintenance.id());"),
            inMain(
                    "money taken for a failed batch is not returned",
                    "engine/Purse.java",
                    "budgets.dropped(taken);",
                    ""),
            inMain(
                    "money is taken only when the decision is recorded",
                    "engine/Budgets.java",
                    "var after = before.pending(more);",
                    "var after = before.pending(BigDecimal.ZERO);"),
            inMain(
                    "a start forgets what was spent",
                    "engine/Budgets.java",
                    "before.and(since.spent())",
                    "since.spent()"),
            inMain(
                    "a request that its project cannot pay is accepted",
                    "scheduling/Decision.java",
                    ".shortage(after.origin().project(), next.funds())",
                    ".shortage(java.util.Optional.empty(), next.funds())"),
            // approval and hand-over
            inABudget(
                    "an approval does not ask for the budget again",
                    APPROVE,
                    ".or(() -> funds.overdrawn(pending).map(Rejection.BudgetExceeded::new));",
                    ";"),
            inABudget(
                    "an approval does not ask whether the owner may still file",
                    APPROVE,
                    ".filter(project -> !funds.filing().isOpen(origin.owner(), project))",
                    ".filter(String::isEmpty)"),
            inABudget(
                    "a transfer does not ask whether the new owner may file",
                    "scheduling/commands/Transfer.java",
                    ".filter(project -> !schedule.funds().filing().isOpen(to, project));",
                    ".filter(String::isEmpty);"),
            inMain(
                    "a reservation waits for approval ten hours too long",
                    RESERVATION,
                    "due(status.approval().orElseThrow().expiresAt(), What.HOLD_EXPIRES)",
                    "due(status.approval().orElseThrow().expiresAt() + 36_000, What.HOLD_EXPIRES)"));
}

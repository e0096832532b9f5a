package berth.yard;

import static berth.yard.PlantedBug.inMain;
import static berth.yard.PlantedBug.inTheDatabase;

import java.util.List;

/** The bugs that the yard must find. */
final class PlantedBugs {

    private static final String WRITER = "desk/ClusterWriter.java";
    private static final String DRAFT = "desk/Draft.java";
    private static final String PENDING = "desk/Pending.java";
    private static final String KEYS = "desk/Keys.java";
    private static final String TURNS = "desk/Turns.java";
    private static final String RESERVATION = "reservation/Reservation.java";
    private static final String SETTLING = "broker/CoallocationSettling.java";
    private static final String MIRRORS = "broker/Mirrors.java";
    private static final String MEMBER = "desk/Member.java";
    private static final String ROUNDS = "broker/BrokerRounds.java";
    private static final String BOOKINGS = "series/SeriesBookings.java";
    private static final String MAINTENANCES = "series/Maintenances.java";

    private PlantedBugs() {}

    static final List<PlantedBug> ALL = List.of(
            // what is recorded
            inTheDatabase(
                    "the epoch of a commit is not checked",
                    "batch.epoch() != standing.epoch || batch.sequence() != standing.history.size()",
                    "batch.sequence() != standing.history.size()"),
            inTheDatabase(
                    "to settle a doubt does not fence off what is under way",
                    "new Ledger.Standing.Writer(++standing.epoch, standing.history.size())",
                    "new Ledger.Standing.Writer(standing.epoch, standing.history.size())"),
            inTheDatabase(
                    "a takeover does not fence off who wrote before",
                    "standing.epoch++; standing.isReplaced = false;",
                    "standing.isReplaced = false;"),
            inTheDatabase(
                    "a takeover does not raise the epoch where nothing was recorded",
                    "standing.epoch++; standing.isReplaced = false;",
                    "standing.epoch += standing.history.isEmpty() ? 0 : 1; standing.isReplaced = false;"),
            inTheDatabase("the keys of a commit are recorded with the next one", "for (var key : batch.keys()) {", """
                    final class Late {
                        static final Map<Standing, List<RecordedKey>> KEYS = new java.util.WeakHashMap<>();
                    }
                    var before = Late.KEYS.put(standing, batch.keys());
                    for (var key : before == null ? List.<RecordedKey>of() : before) {
                    """),
            inTheDatabase(
                    "a takeover finds no requests that wait",
                    "request.cluster().equals(Optional.of(cluster))",
                    "request.cluster().isEmpty()"),
            // the writer
            inMain(
                    "answers come before the commit",
                    WRITER,
                    "return switch (meters.commit(() -> ledger.append(batch))) {",
                    "draft.answer(); return switch (meters.commit(() -> ledger.append(batch))) {"),
            inMain(
                    "a doubt is settled the wrong way round",
                    WRITER,
                    "if (recorded == batch.lastSequence()) {",
                    "if (recorded != batch.lastSequence()) {"),
            inMain(
                    "a commit that had succeeded is not applied",
                    WRITER,
                    "return applied(inDoubt.draft, batch, waiting, inDoubt.taken);",
                    "sequence = batch.lastSequence(); answer(inDoubt.draft); return done(waiting, inDoubt.taken);"),
            inMain("the epoch after a doubt is not taken on", WRITER, "epoch = newEpoch;", ""),
            inMain(
                    "who is in doubt hears that nothing has changed",
                    WRITER,
                    """
                    doubt = Optional.of(new Doubt(draft, batch, taken));
                    isRecording = false;
                    yield settle(doubt.get(), waiting);
                    """,
                    "isRecording = false; yield notRecorded(draft, waiting, taken);"),
            inMain(
                    "who was not recorded hears what was decided",
                    WRITER,
                    "private Next notRecorded(Draft draft, List<Pending> waiting, int taken) {",
                    "private Next notRecorded(Draft draft, List<Pending> waiting, int taken) { draft.answer();"),
            inMain(
                    "a writer that was replaced goes on as if it had recorded",
                    WRITER,
                    """
                    var end = fenced();
                    draft.answerAll(new Answer.NotDecided(end.why()));
                    yield end;
                    """,
                    "yield applied(draft, batch, waiting, taken);"),
            inMain("the clock goes back", WRITER, "now = Math.max(now, time);", "now = time;"),
            inMain(
                    "a clock that jumps is believed",
                    "desk/Timekeeper.java",
                    "isBelieved ? Duration.ZERO : jump.negated(),",
                    "Duration.ZERO,"),
            inMain("outages are forgotten at a start", WRITER, "recovered.outages(),", "java.util.List.of(),"),
            inMain(
                    "a doubt ends with the process, and all hear that nothing has changed",
                    PENDING,
                    "answer.complete(claim() ? new Answer.NotDecided(why) : new Answer.OutcomeUnknown(why));",
                    "answer.complete(new Answer.NotDecided(why));"),
            inMain(
                    "who has given up is decided after all",
                    DRAFT,
                    "if (pending.claim()) {",
                    "if (pending.claim() || true) {"),
            inMain(
                    "who waits gives up what is being decided",
                    PENDING,
                    "if (claim()) { var givenUp",
                    "if (claim() || true) { var givenUp"),
            inMain(
                    "a refusal is never told",
                    DRAFT,
                    "answers.add(() -> pending.answer().complete(new Answer.Refused(reason)));",
                    ""),
            inMain(
                    "another one is told than was asked for",
                    "desk/Answer.java",
                    """
                    .map(event -> ((ReservationEvent) event).reservation())
                    .reduce((_, last) -> last);
                    """,
                    ".map(event -> ((ReservationEvent) event).reservation()).findFirst();"),
            // keys
            inMain(
                    "a key is recorded for another event",
                    DRAFT,
                    "new RecordedKey(key, sequence + events.size())",
                    "new RecordedKey(key, sequence + 1)"),
            inMain("a key that is used is not kept in mind", KEYS, "used.note(use.account(), use.key());", ""),
            inMain("the keys of before are not read", KEYS, "records.usedKeys(used::note);", ""),
            inMain(
                    "the turn of a key ends before its outcome is known",
                    KEYS,
                    "var unused = turn.end().whenComplete((_, _) -> release.get().run());",
                    "release.get().run();"),
            inMain(
                    "what a successor may have granted under a key is refused",
                    KEYS,
                    "if (turn.isInVain()) {",
                    "if (turn == null) {"),
            inMain(
                    "turns let two in",
                    TURNS,
                    """
                    for (var other = underWay.putIfAbsent(key, mine); other != null; other = underWay.putIfAbsent(key, mine)) {
                    """,
                    "for (var other = underWay.putIfAbsent(key, mine); other == mine; other = null) {"),
            // limits
            inMain(
                    "limits are read before the turn",
                    "desk/Limits.java",
                    "() -> booking.apply(allowance(cluster, owner, limits)));",
                    """
                    ((Function<Allowance, Supplier<Pending>>) read -> () -> booking.apply(read))
                            .apply(allowance(cluster, owner, limits)));
                    """),
            inMain(
                    "limits do not count other clusters",
                    "desk/Limits.java",
                    ".filter(schedule -> counts.test(schedule.cluster().id()))",
                    ".filter(_ -> false)"),
            inMain(
                    "the turn of an account ends before its outcome is known",
                    TURNS,
                    "var unused = pending.answer() .whenComplete((answer, failure) -> release.get().run());",
                    "release.get().run();"),
            // reservations
            inMain(
                    "a hold ends hours late",
                    RESERVATION,
                    "due(status.holdExpiresAt().orElseThrow(), What.HOLD_EXPIRES)",
                    "due(status.holdExpiresAt().orElseThrow() + 36_000, What.HOLD_EXPIRES)"),
            inMain("what is held is moved", RESERVATION, """
                    case CONFIRMED -> true;
                    case RUNNING -> placement.hasPartsToCome();
                    case HELD, COMPLETED,
                    """, """
                    case CONFIRMED, HELD -> true;
                    case RUNNING -> placement.hasPartsToCome();
                    case COMPLETED,
                    """),
            inMain("who is moved pays more", "scheduling/Moves.java", "reservation.moved(after, price, now)", """
                    reservation.moved(
                            after,
                            new berth.sla.Money(price.amount().add(java.math.BigDecimal.ONE), price.currency()),
                            now)
                    """),
            inMain(
                    "a move is not recorded",
                    "scheduling/Displacement.java",
                    "return List.copyOf(events.values());",
                    """
                    return events.values().stream()
                            .filter(event -> event.type() != Event.Type.MOVED)
                            .<Event>map(event -> event)
                            .toList();
                    """),
            inMain(
                    "outages take nothing",
                    "scheduling/Occupancy.java",
                    "lost(outage, pes).map(part -> free.take(part, true)).orElse(free)",
                    "free"),
            inMain(
                    "which version is meant does not matter",
                    "scheduling/Lookup.java",
                    "if (!target.version().equals(OptionalInt.of(version)) && target.version().isPresent()) {",
                    "if (version < 0) {"),
            inMain(
                    "reservations of others are told",
                    "broker/Reservations.java",
                    ".filter(known -> isShown.test(known.owner()))",
                    ""),
            inMain(
                    "a refused change has taken place",
                    "broker/Renegotiations.java",
                    "if (!(answer instanceof Answer.Done done)) { return new Outcome.NotDone(before, answer); }",
                    """
                    if (!(answer instanceof Answer.Done done) || done.events().size() > 1) {
                        return new Outcome.NotDone(before, answer);
                    }
                    """),
            // several instances
            inMain(
                    "an instance answers that nobody has heard of",
                    MEMBER,
                    "leaseLeft().isZero() ? new Turn.Nobody() : new Turn.Here()",
                    "new Turn.Here()"),
            inMain(
                    "an instance that was replaced goes on",
                    MEMBER,
                    "if (successor.isPresent()) {",
                    "if (successor.isPresent() && roll == null) {"),
            inMain(
                    "whoever has lost its session goes on answering",
                    MEMBER,
                    "heardUntil = threads.nanoTime(); if (roll != null) {",
                    "if (roll != null) {"),
            inMain(
                    "an instance opens its desks before it is the writer",
                    MEMBER,
                    "succession.take(); while (isRunning && !isOpened()) {",
                    "while (isRunning && !isOpened()) {"),
            // collected requests
            inMain(
                    "a withdrawn request waits on",
                    "scheduling/ClusterSchedule.java",
                    "request.state() == IntakeRequest.State.PENDING",
                    "request.state() != IntakeRequest.State.GRANTED"),
            inMain(
                    "a collected request is decided once more while it is decided",
                    "broker/Broker.java",
                    "Optional.of(ownKey(request.id(), request.origin().owner())), Broker::again",
                    "Optional.empty(), Broker::again"),
            inMain(
                    "what was collected before a start is forgotten",
                    ROUNDS,
                    "store.waiting().forEach(collected -> waiting.put(collected.request().id(), collected));",
                    ""),
            inMain(
                    "what was granted is withdrawn",
                    "broker/Broker.java",
                    "_ -> Optional.of(new Withdrawal.Decided()),",
                    "_ -> Optional.empty(),"),
            inMain(
                    "what may be granted yet is withdrawn",
                    "broker/BrokerRounds.java",
                    ": unlessDecided.apply(collected.request(), () -> {",
                    """
                    : ((BiFunction<IntakeRequest, Supplier<Withdrawal>, Withdrawal>)
                            (request, withdrawal) ->
                                    isBooked.test(id) ? new Withdrawal.Decided() : withdrawal.get()).apply(collected.request(), () -> {
                    """),
            inMain(
                    "a cluster in doubt is passed over",
                    "broker/LocalCluster.java",
                    "case Answer.KeyReused _, Answer.OutcomeUnknown _ -> new Taken.Ended(answer);",
                    """
                    case Answer.KeyReused _ -> new Taken.Ended(answer);
                    case Answer.OutcomeUnknown _ -> new Taken.Lost(Tried.Obstacle.UNAVAILABLE);
                    """),
            // other Berths
            inMain(
                    "a Berth that may have confirmed is passed over",
                    "broker/RemoteCluster.java",
                    "return new Taken.Ended(UNKNOWN);",
                    "return new Taken.Lost(Tried.Obstacle.UNAVAILABLE);"),
            inMain(
                    "what another Berth has not heard is not told again",
                    MIRRORS,
                    ".forEach(owing -> tellers.execute(() -> settle(owing)));",
                    ".forEach(owing -> {});"),
            inMain(
                    "the key of what another Berth grants is not recorded",
                    MIRRORS,
                    "store.create(mirror, question, key);",
                    "store.create(mirror, question, Optional.empty());"),
            inMain(
                    "who does not answer has never confirmed",
                    MIRRORS,
                    "case Reply.Heard _, Reply.Silent _ -> amended(owing, Mirror::unheard);",
                    "case Reply.Heard _, Reply.Silent _ -> lost(owing);"),
            inMain(
                    "what is told of one mirror is taken for another",
                    MIRRORS,
                    "store.find(known.id()).filter(one -> one.isOf(known));",
                    "store.find(known.id());"),
            // co-allocations
            inMain(
                    "a co-allocation is confirmed though a part is gone",
                    SETTLING,
                    "return updated(held.becomes(CoallocationState.ABANDONED, false, now()));",
                    ""),
            inMain(
                    "co-allocations are not settled later",
                    SETTLING,
                    "store.unsettled().forEach(unsettled -> settlers.execute(() -> trySettling(unsettled.id())));",
                    ""),
            inMain(
                    "a co-allocation that is given up keeps its parts",
                    SETTLING,
                    "return isToBeGivenUp ? giveUp(after) : after;",
                    "return isToBeGivenUp ? updated(after.becomes(after.state(), true, now())) : after;"),
            // series
            inMain(
                    "an occurrence is booked again though a commit is in doubt",
                    BOOKINGS,
                    "if (!desks.isNothingInDoubt(series.cluster())) { return new Again.NotDone(",
                    "if (series == null) { return new Again.NotDone("),
            inMain(
                    "an occurrence of a series that has ended meanwhile is booked again",
                    BOOKINGS,
                    "store.find(asked.id()).filter(one -> one.planned().contains(occurrence));",
                    "Optional.of(asked);"),
            inMain(
                    "a series that may be forgotten still is told to be there",
                    BOOKINGS,
                    ".map(found -> isBooked(found) ? new Outcome.Done(found) : unknown())",
                    ".map(found -> new Outcome.Done(found))"),
            inMain(
                    "whether a series was booked is asked while a commit is in doubt",
                    BOOKINGS,
                    "return desks.isNothingInDoubt(series.cluster()) ? inTurnOfReplaced",
                    "return series != null ? inTurnOfReplaced"),
            inMain(
                    "a series that was left while it was booked stays so",
                    BOOKINGS,
                    "isBooked(series) ? Optional.of(series) : settledInTurn(series);",
                    "Optional.of(series);"),
            inMain(
                    "a series that was never booked is decided day by day",
                    BOOKINGS,
                    "present.filter(SeriesBookings::isBooked)",
                    "present.filter(one -> one != null)"),
            inMain(
                    "what was decided of a series before is decided again",
                    BOOKINGS,
                    "if (!known.contains(next.date()) && next.start() > now()",
                    "if (next.start() > now()"),
            inMain(
                    "later occurrences are decided while a commit is in doubt",
                    BOOKINGS,
                    ".filter(one -> one.decided() < within(one) && desks.isNothingInDoubt(one.cluster()))",
                    ".filter(one -> one.decided() < within(one))"),
            inMain("a later occurrence that is refused leaves no event", BOOKINGS, """
                    answer = desks.book(cluster, occurrences.booking(series, List.of(occurrence), 0, of), Optional.empty());
                    """, "return true;"),
            inMain(
                    "all but one of a series are enough",
                    "scheduling/BookSeries.java",
                    "return granted < atLeast",
                    "return granted < atLeast - 1"),
            inMain(
                    "a series that ends gives up the day before, too",
                    "scheduling/BookSeries.java",
                    "!one.date().isBefore(from))",
                    "!one.date().plusDays(1).isBefore(from))"),
            inMain(
                    "a series that ends once more keeps what it was to give up",
                    "series/Series.java",
                    "var first = givesUpFrom.filter(pending -> pending.isBefore(day)).orElse(day);",
                    "var first = day;"),
            inMain(
                    "what a series books after another has taken over stays",
                    BOOKINGS,
                    """
                    .ifPresent(ending -> {
                        // or soon
                        var unused = given(updated(ending));
                    });
                    """,
                    ".map(Series::givenUp).ifPresent(store::update);"),
            inMain(
                    "a series that goes on is taken over at the same time",
                    BOOKINGS,
                    ".map(old -> inTurn(old.series(), work))",
                    ".map(old -> Optional.of(work.get()))"),
            inMain(
                    "who ends a series hears that nothing has changed, and it ends",
                    BOOKINGS,
                    "case Answer.NotDecided(var why) -> new Outcome.NotDone(new Answer.OutcomeUnknown(why));",
                    ""),
            inMain(
                    "a window of a maintenance is recorded though it is",
                    "scheduling/RecordOutage.java",
                    "if (schedule.find(id).isPresent()) {",
                    "if (schedule == null) {"),
            inMain(
                    "a maintenance that is called off leaves a window",
                    MAINTENANCES,
                    ".filter(next -> outage(maintenance, next).isPresent())",
                    ".filter(_ -> false)"),
            inMain(
                    "a maintenance is called off while a commit is in doubt",
                    MAINTENANCES,
                    "if (!desks.isNothingInDoubt(maintenance.cluster())) {",
                    "if (maintenance == null) {"),
            inMain(
                    "who asks for a maintenance hears that nothing has changed, and it is taken",
                    MAINTENANCES,
                    """
                    return inTurn(maintenance.id()) instanceof Outcome.Done done
                            ? done
                            // it is taken, and goes on by itself
                            : new Outcome.Done(store.find(maintenance.id()).orElseThrow());
                    """,
                    "return inTurn(maintenance.id());"),
            inMain(
                    "what was taken for a batch that failed is not given back",
                    "desk/Purse.java",
                    "budgets.dropped(taken);",
                    ""),
            inMain(
                    "what is granted is taken when it is recorded",
                    "desk/Budgets.java",
                    "var after = before.pending(more);",
                    "var after = before.pending(BigDecimal.ZERO);"),
            inMain(
                    "after a start nothing is known to be spent",
                    "desk/Budgets.java",
                    "before.and(since.spent())",
                    "since.spent()"),
            inMain(
                    "what a project cannot pay is granted",
                    "scheduling/Decision.java",
                    ".shortage(project, next.funds())",
                    ".shortage(Optional.empty(), next.funds())"));
}

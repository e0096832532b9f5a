package berth.series;

import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.desk.Keys;
import berth.desk.Records.FirstResult.Stands;
import berth.desk.Records.Whose;
import berth.desk.Threads;
import berth.desk.Turns;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.scheduling.BookSeries;
import berth.scheduling.BookSeries.GivenUp;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import berth.series.Series.Planned;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Books series. What lies within the horizon is booked in one commit; then the series is open, and each later occurrence is decided once,
 * by {@link #advance}. Between the record of a series and that commit it is {@link SeriesState#BOOKING}: after a crash what is recorded of its
 * occurrences tells whether it was booked, and a series that was not is forgotten. Safe to use from any thread.
 */
public final class SeriesBookings {

    /** The most series of an account of which occurrences are still to be decided. */
    public static final int MAX_OF_AN_ACCOUNT = 100;

    private static final Logger log = LoggerFactory.getLogger(SeriesBookings.class);

    /** How long it is waited for whoever works on a series. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Desks desks;
    private final SeriesStore store;
    private final Function<AccountName, Optional<AccountLimits>> limits;
    private final Occurrences occurrences;
    private final InstantSource clock;

    /** One at a time works on each of them. */
    private final Turns<SeriesId> turns;

    private final Counter booked;
    private final Counter refused;

    /**
     * @param limits what an account may have booked; empty if there is no such account any more
     * @param ids makes those of the reservations
     */
    public SeriesBookings(
            Desks desks,
            SeriesStore store,
            Function<AccountName, Optional<AccountLimits>> limits,
            Supplier<ReservationId> ids,
            Threads threads,
            InstantSource clock,
            MeterRegistry registry) {
        this.desks = desks;
        this.store = store;
        this.limits = limits;
        this.occurrences = new Occurrences(desks, store, ids, clock);
        this.clock = clock;
        this.turns = new Turns<>(threads);
        this.booked = counter("booked", registry);
        this.refused = counter("refused", registry);
    }

    private static Counter counter(String outcome, MeterRegistry registry) {
        return Counter.builder("berth.series.occurrences")
                .description("Occurrences of series that were decided")
                .tag("outcome", outcome)
                .register(registry);
    }

    /** What became of what was asked for. */
    public sealed interface Outcome {

        /** It is done, and this is how the series is now. */
        record Done(Series series) implements Outcome {}

        /** Too few of its occurrences could be booked, and nothing has changed. */
        record TooFew(Rejection.TooFewOccurrences why) implements Outcome {}

        /** The account has as many series as it may. */
        record TooMany() implements Outcome {}

        /** Somebody else works on it; it can be asked for again in a moment. */
        record Busy() implements Outcome {}

        /** Its cluster did not do it. */
        record NotDone(Answer answer) implements Outcome {}
    }

    // ---- what would be

    /** How an occurrence would be decided, or is. */
    public sealed interface Decided {

        /** The day by which it is known. */
        LocalDate date();

        /** It has a reservation, live or not. */
        record Booked(LocalDate date, Reservation reservation) implements Decided {}

        /** It was refused. */
        record Refused(LocalDate date, RefusalCode why) implements Decided {}
    }

    /** How many occurrences of a series lie within its cluster's horizon at present. */
    public int within(Series series) {
        return occurrences.within(series);
    }

    /** What an occurrence asks for. */
    public RequestedTerms terms(Series series, Planned occurrence) {
        return occurrences.terms(series, occurrence);
    }

    /** How the occurrences within the horizon would be decided now, were any number enough; changes nothing. */
    public List<Decided> preview(Series series, AccountLimits of) {
        return occurrences.preview(series, of);
    }

    // ---- booking

    /**
     * Books a new series, and gives up what it takes over from another one in the same commit.
     *
     * @param series {@link SeriesState#BOOKING}, on a cluster of this Berth
     * @param of what its account may have booked
     * @param first how many of its occurrences are booked at once: those {@linkplain #within within} the horizon when it was asked for
     * @param atLeast how many of these must be granted, at most as many as there are
     */
    public Outcome create(Series series, AccountLimits of, int first, int atLeast, Optional<KeyUse> key) {
        return desks.keys()
                .once(
                        key,
                        this::before,
                        Outcome.NotDone::new,
                        turn -> inTurn(
                                        series.id(),
                                        () -> inTurnOfReplaced(
                                                series, () -> createInTurn(series, of, first, atLeast, turn)))
                                .flatMap(done -> done)
                                .orElseGet(Outcome.Busy::new));
    }

    /** What came of the same request when it came first; nothing, if that was forgotten. */
    private Optional<Outcome> before(Stands first) {
        return first instanceof Stands.Filed(var id)
                ? find(new SeriesId(id))
                        // one that is being booked may be forgotten still
                        .map(found -> isBooked(found) ? new Outcome.Done(found) : unknown())
                : Optional.of(new Outcome.NotDone(new Answer.KeyReused()));
    }

    private static Outcome unknown() {
        return new Outcome.NotDone(new Answer.OutcomeUnknown("The cluster did not answer in time."));
    }

    private Outcome createInTurn(Series series, AccountLimits of, int first, int atLeast, Keys.Turn turn) {
        var old = series.replaces().map(Series.Replaced::series);
        if (old.isPresent()
                && old.flatMap(store::find).filter(SeriesBookings::isBooked).isEmpty()) {
            return new Outcome.Busy();
        }
        if (store.atWork(series.origin().owner()) >= MAX_OF_AN_ACCOUNT) {
            return new Outcome.TooMany();
        }
        store.create(series, turn.use());
        var booking = occurrences.booking(series, series.planned().subList(0, first), atLeast, of);
        return switch (desks.book(series.cluster(), booking, Optional.empty())) {
            case Answer.Done(var events) -> {
                count(events);
                yield new Outcome.Done(opened(series, first));
            }
            case Answer.Refused(Rejection.TooFewOccurrences why) -> {
                store.delete(series.id());
                yield new Outcome.TooFew(why);
            }
            case Answer.Refused refusal -> {
                store.delete(series.id());
                yield new Outcome.NotDone(refusal);
            }
            case Answer.NotDecided nothing -> {
                store.delete(series.id());
                yield new Outcome.NotDone(nothing);
            }
            case Answer.KeyReused _, Answer.OutcomeUnknown _ ->
                // what is recorded tells, as soon as it can be asked
                unknown();
        };
    }

    private void count(List<Event> events) {
        events.forEach(event -> {
            switch (event.type()) {
                case CONFIRMED -> booked.increment();
                case REJECTED -> refused.increment();
                default -> {
                    // what is given up for it
                }
            }
        });
    }

    /** Its first occurrences are decided; what it takes over from has them no more, nor any that it was granted since. */
    private Series opened(Series series, int first) {
        series.replaces()
                .flatMap(old -> store.find(old.series()).map(one -> one.endingBefore(old.from())))
                .ifPresent(ending -> {
                    // or soon
                    var unused = given(updated(ending));
                });
        return updated(series.decided(first));
    }

    private Series updated(Series next) {
        store.update(next);
        return next;
    }

    // ---- what was booked

    /** A series as it stands. */
    public Optional<Series> find(SeriesId id) {
        return store.find(id).flatMap(found -> isBooked(found) ? Optional.of(found) : settled(id));
    }

    /** Series, newest first. */
    public List<Series> list(Whose whose, Optional<SeriesId> olderThan, int limit) {
        return store.list(whose, olderThan, limit);
    }

    /** What has become of its occurrences, those of one day in the order in which they were asked for. */
    public List<Decided> decided(SeriesId id) {
        return occurrences.decided(id);
    }

    /** Ends a series: it has no occurrence from that day on, but for one that has begun. */
    public Outcome end(SeriesId id, LocalDate from) {
        return inTurn(
                        id,
                        () -> store.find(id)
                                .filter(SeriesBookings::isBooked)
                                .map(one -> given(updated(one.endingBefore(from)))))
                .flatMap(done -> done)
                .orElseGet(Outcome.Busy::new);
    }

    /** Whether it is there for good. */
    private static boolean isBooked(Series series) {
        return series.state() != SeriesState.BOOKING;
    }

    private Outcome given(Series ending) {
        var command = new BookSeries(
                ending.givesUpFrom()
                        .map(day -> new GivenUp(ending.id(), ending.origin().owner(), day)),
                List.of(),
                0,
                ending.priority());
        var answer = desks.decide(ending.cluster(), command);
        return switch (answer) {
            case Answer.Done _ -> new Outcome.Done(updated(ending.givenUp()));
            // that it is to end is recorded: it goes on by itself
            case Answer.NotDecided(var why) -> new Outcome.NotDone(new Answer.OutcomeUnknown(why));
            default -> new Outcome.NotDone(answer);
        };
    }

    /** What became of an occurrence that was asked for once more. */
    public sealed interface Again {

        /** It has a reservation now. */
        record Booked(Reservation reservation) implements Again {}

        /** Its turn has not come. */
        record NotYet() implements Again {}

        /** It has one already. */
        record IsThere(Reservation reservation) implements Again {}

        /** Its cluster did not do it. */
        record NotDone(Answer answer) implements Again {}
    }

    /** Asks once more for an occurrence that was refused or has ended, as it was planned. What was granted under a key before is answered again. */
    public Again again(Series series, Planned occurrence, AccountLimits of, Optional<KeyUse> key) {
        return desks.keys()
                .once(
                        key,
                        first -> Optional.of(
                                first instanceof Stands.Happened(var event)
                                        ? again(new Answer.Done(List.of(event)))
                                        : new Again.NotDone(new Answer.KeyReused())),
                        Again.NotDone::new,
                        turn -> again(series, occurrence, of, turn));
    }

    private Again again(Series series, Planned occurrence, AccountLimits of, Keys.Turn turn) {
        return inTurn(series.id(), () -> againInTurn(series, occurrence, of, turn))
                .orElseGet(() -> new Again.NotDone(
                        new Answer.NotDecided("The series is being worked on; repeat this call in a moment.")));
    }

    private Again againInTurn(Series asked, Planned occurrence, AccountLimits of, Keys.Turn turn) {
        // it may have ended meanwhile
        var present = store.find(asked.id()).filter(one -> one.planned().contains(occurrence));
        if (present.isEmpty()) {
            return new Again.NotDone(new Answer.NotDecided("The series does not have that day any more."));
        }
        var series = present.get();
        if (series.planned().indexOf(occurrence) >= series.decided()) {
            return new Again.NotYet();
        }
        if (!desks.isNothingInDoubt(series.cluster())) {
            return new Again.NotDone(
                    new Answer.NotDecided("Its cluster does not answer; repeat this call in a moment."));
        }
        return occurrences
                .live(series, occurrence)
                .<Again>map(Again.IsThere::new)
                .orElseGet(
                        () -> again(desks.decide(series.cluster(), occurrences.booking(series, occurrence, of), turn)));
    }

    private static Again again(Answer answer) {
        return answer instanceof Answer.Done done && done.reservation().isPresent()
                ? new Again.Booked(done.reservation().get())
                : new Again.NotDone(answer);
    }

    // ---- what time brings

    /** Does what is still to be done about each series, and decides the occurrences that the horizon has reached; each by itself. */
    void advance() {
        // those first that may have taken over from others
        var all = store.atWork().stream()
                .sorted(Comparator.comparing(Series::state))
                .toList();
        for (var series : all) {
            if (!desks.isWorking()) {
                return;
            }
            try {
                var unused = inTurn(
                        series.id(), () -> advanced(store.find(series.id()).orElseThrow()));
            } catch (RuntimeException e) {
                log.debug("Series {} is not as far as it could be yet.", series.id(), e);
            }
        }
    }

    /** How far it is after that; empty: it was to be forgotten, or is to go on later. */
    private Optional<Series> advanced(Series series) {
        var present = isBooked(series) ? Optional.of(series) : settledInTurn(series);
        return present.filter(SeriesBookings::isBooked)
                .filter(one -> one.givesUpFrom().isEmpty() || given(one) instanceof Outcome.Done)
                .flatMap(one -> store.find(one.id()))
                .filter(one -> one.decided() < within(one) && desks.isNothingInDoubt(one.cluster()))
                .map(this::decidingNext);
    }

    private Series decidingNext(Series series) {
        var known = datesOf(series.id());
        var present = series;
        int within = within(series);
        while (present.decided() < within && desks.isWorking()) {
            var next = present.planned().get(present.decided());
            var of = limits.apply(series.origin().owner());
            if (of.isEmpty()) {
                // its account is gone
                return updated(present.endingBefore(next.date()).givenUp());
            }
            if (!known.contains(next.date()) && next.start() > now() && !isDecided(present, next, of.get())) {
                return present;
            }
            present = updated(present.decided(present.decided() + 1));
        }
        return present;
    }

    /** Decides an occurrence; whether its cluster has done so, either way. */
    private boolean isDecided(Series series, Planned occurrence, AccountLimits of) {
        var cluster = series.cluster();
        var answer = desks.decide(cluster, occurrences.booking(series, occurrence, of), Optional.empty());
        if (answer instanceof Answer.Refused) {
            // which is recorded, unless there is room by now
            answer = desks.book(cluster, occurrences.booking(series, List.of(occurrence), 0, of), Optional.empty());
        }
        if (answer instanceof Answer.Done(var events)) {
            count(events);
            return true;
        }
        return false;
    }

    private Optional<Series> settled(SeriesId id) {
        return inTurn(
                        id,
                        () -> store.find(id)
                                .flatMap(present -> isBooked(present) ? Optional.of(present) : settledInTurn(present)))
                .orElseGet(() -> store.find(id));
    }

    /** One that was left while it was booked: what is recorded of its occurrences tells whether that was done. */
    private Optional<Series> settledInTurn(Series series) {
        return desks.isNothingInDoubt(series.cluster())
                ? inTurnOfReplaced(series, () -> toldByItsOccurrences(series)).orElse(Optional.of(series))
                : Optional.of(series);
    }

    private Optional<Series> toldByItsOccurrences(Series series) {
        var dates = datesOf(series.id());
        if (dates.isEmpty()) {
            store.delete(series.id());
            return Optional.empty();
        }
        int first = (int) series.planned().stream()
                .takeWhile(one -> dates.contains(one.date()))
                .count();
        return Optional.of(opened(series, first));
    }

    private Set<LocalDate> datesOf(SeriesId id) {
        return decided(id).stream().map(Decided::date).collect(Collectors.toSet());
    }

    /** Works on a series while nobody else does; empty if somebody does for too long. */
    private <T> Optional<T> inTurn(SeriesId id, Supplier<T> work) {
        return turns.during(id, PATIENCE, work);
    }

    /** Works on what a series takes over from while nobody else does, too: that is older, so that nobody waits for each other. */
    private <T> Optional<T> inTurnOfReplaced(Series series, Supplier<T> work) {
        return series.replaces().map(old -> inTurn(old.series(), work)).orElseGet(() -> Optional.of(work.get()));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}

package berth.series;

import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Keys;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Records.Whose;
import berth.engine.Turns;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.runtime.Threads;
import berth.scheduling.Event;
import berth.scheduling.commands.BookSeries;
import berth.scheduling.commands.BookSeries.GivenUp;
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
 * Books series. Occurrences within the horizon are booked in one commit. After that the series is open, and {@link #advance} decides each
 * later occurrence once. Between the record of a series and that commit it is {@link SeriesState#BOOKING}: after a crash, the recorded
 * occurrences show whether it was booked; a series that was not is deleted. Thread-safe.
 */
public final class SeriesBookings {

    /** The most series of an account with undecided occurrences. */
    private static final int MAX_PER_ACCOUNT = 100;

    private static final Logger log = LoggerFactory.getLogger(SeriesBookings.class);

    /** How long to wait for another thread that works on the same series. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The account has the most series allowed. */
    private static final Answer TOO_MANY = new Answer.Declined(new Refusal.Enough(
            "The account has %d series that go on beyond the horizon, which is the maximum. End one first."
                    .formatted(MAX_PER_ACCOUNT)));

    /** Another thread works on the series. */
    private static final Answer BUSY = new Answer.Declined(new Refusal.Unavailable(
            "Nothing has changed, because another request is changing the series. Repeat this call in a moment."));

    private final Desks desks;
    private final AdmissionControl admission;
    private final SeriesStore store;
    private final Function<AccountName, Optional<AccountLimits>> limits;
    private final Occurrences occurrences;
    private final InstantSource clock;

    /** Ensures that one thread at a time works on a series. */
    private final Turns<SeriesId> turns;

    private final Counter booked;
    private final Counter refused;

    /**
     * Creates the component.
     *
     * @param limits returns an account's limits; empty if the account no longer exists
     * @param ids creates the ids of reservations
     */
    public SeriesBookings(
            Desks desks,
            AdmissionControl admission,
            SeriesStore store,
            Function<AccountName, Optional<AccountLimits>> limits,
            Supplier<ReservationId> ids,
            Threads threads,
            InstantSource clock,
            MeterRegistry registry) {
        this.desks = desks;
        this.admission = admission;
        this.store = store;
        this.limits = limits;
        this.occurrences = new Occurrences(desks, admission, store, ids, clock);
        this.clock = clock;
        this.turns = new Turns<>(threads);
        this.booked = counter("booked", registry);
        this.refused = counter("refused", registry);
    }

    private static Counter counter(String outcome, MeterRegistry registry) {
        return Counter.builder("berth.series.occurrences")
                .description("Occurrences of series that Berth has decided, by outcome.")
                .tag("outcome", outcome)
                .register(registry);
    }

    // ---- previews

    /** The expected or actual result of an occurrence. */
    public sealed interface Decided {

        /** Returns the day that identifies the occurrence. */
        LocalDate date();

        /** It has a reservation, live or not. */
        record Booked(LocalDate date, Reservation reservation) implements Decided {}

        /** It was refused. */
        record Refused(LocalDate date, RefusalCode why) implements Decided {}
    }

    /** Returns how many occurrences of a series are within its cluster's horizon at present. */
    public int within(Series series) {
        return occurrences.within(series);
    }

    /** Returns the requested terms of an occurrence. */
    public RequestedTerms terms(Series series, Planned occurrence) {
        return occurrences.terms(series, occurrence);
    }

    /** Returns how the occurrences within the horizon would be decided now, if any number were enough; changes nothing. */
    public Outcome<List<Decided>, Answer> preview(Series series, AccountLimits of) {
        return isFull(series)
                ? new Outcome.NotDone<>(TOO_MANY)
                : noProject(series)
                        .<Outcome<List<Decided>, Answer>>map(Outcome.NotDone::new)
                        .orElseGet(() -> occurrences.preview(series, of));
    }

    /** Returns the refusal of a label that is no project, which no occurrence could have, even if none is within the horizon yet. */
    private Optional<Answer> noProject(Series series) {
        return desks.funded(series.cluster())
                .flatMap(present -> present.schedule().noProject(series.origin().project()))
                .map(Answer.Refused::new);
    }

    private boolean isFull(Series series) {
        return store.atWork(series.origin().owner()) >= MAX_PER_ACCOUNT;
    }

    // ---- booking

    /**
     * Books a new series and, in the same commit, cancels the occurrences that it takes over from another one.
     *
     * @param series a series in the state {@link SeriesState#BOOKING}, on a cluster of this Berth
     * @param of the limits of its account
     * @param first how many occurrences are booked at once: those {@linkplain #within within} the horizon at the time of the request
     * @param atLeast how many of these must be granted, at most {@code first}
     */
    public Outcome<Series, Answer> create(
            Series series, AccountLimits of, int first, int atLeast, Optional<KeyUse> key) {
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
                                .orElseGet(() -> new Outcome.NotDone<>(BUSY)));
    }

    /** Returns the result of the first request with the key; empty if that series was deleted. */
    private Optional<Outcome<Series, Answer>> before(KeyResult first) {
        return first instanceof KeyResult.Filed(var id)
                ? find(new SeriesId(id))
                        // a series that is still being booked may yet be deleted
                        .map(found -> isBooked(found) ? new Outcome.Done<>(found) : unknown())
                : Optional.of(new Outcome.NotDone<>(new Answer.KeyReused()));
    }

    private static Outcome<Series, Answer> unknown() {
        return new Outcome.NotDone<>(new Answer.OutcomeUnknown("The series' cluster did not answer in time."));
    }

    private Outcome<Series, Answer> createInTurn(
            Series series, AccountLimits of, int first, int atLeast, Keys.Turn turn) {
        var old = series.replaces().map(Series.Replaced::series);
        if (old.isPresent()
                && old.flatMap(store::find).filter(SeriesBookings::isBooked).isEmpty()) {
            return new Outcome.NotDone<>(BUSY);
        }
        if (isFull(series)) {
            return new Outcome.NotDone<>(TOO_MANY);
        }
        var noProject = noProject(series);
        if (noProject.isPresent()) {
            return new Outcome.NotDone<>(noProject.get());
        }
        store.create(series, turn.use());
        var booking = occurrences.booking(series, series.planned().subList(0, first), atLeast, of);
        var answer = admission.admitAtDesk(series.cluster(), booking, Optional.empty());
        return switch (answer) {
            case Answer.Done(var events) -> {
                count(events);
                yield new Outcome.Done<>(opened(series, first));
            }
            case Answer.Refused _, Answer.Declined _, Answer.NotDecided _ -> {
                store.delete(series.id());
                yield new Outcome.NotDone<>(answer);
            }
            case Answer.KeyReused _, Answer.OutcomeUnknown _ ->
                // the records show the result as soon as they can be read
                unknown();
        };
    }

    private void count(List<Event> events) {
        events.forEach(event -> {
            switch (event.type()) {
                case CONFIRMED, APPROVAL_ASKED -> booked.increment();
                case REJECTED -> refused.increment();
                default -> {
                    // occurrences that were cancelled for the series
                }
            }
        });
    }

    /**
     * Returns the series with its first occurrences decided. The series from which it takes over loses its occurrences from the day of the
     * takeover on, including those granted since.
     */
    private Series opened(Series series, int first) {
        series.replaces()
                .flatMap(old -> store.find(old.series()).map(one -> one.endingBefore(old.from())))
                .ifPresent(ending -> {
                    // now, or later in advance()
                    var unused = given(updated(ending));
                });
        return updated(series.decided(first));
    }

    private Series updated(Series next) {
        store.update(next);
        return next;
    }

    // ---- reading and ending

    /** Returns a series in its present state. */
    public Optional<Series> find(SeriesId id) {
        return store.find(id).flatMap(found -> isBooked(found) ? Optional.of(found) : completed(id));
    }

    /** Returns series, newest first. */
    public List<Series> list(Whose whose, Optional<SeriesId> olderThan, int limit) {
        return store.list(whose, olderThan, limit);
    }

    /** Returns the results of its occurrences; those of one day are in the order in which they were requested. */
    public List<Decided> decided(SeriesId id) {
        return occurrences.decided(id);
    }

    /** Ends a series: it has no occurrences from that day on, except one that has begun. */
    public Outcome<Series, Answer> end(SeriesId id, LocalDate from) {
        return inTurn(
                        id,
                        () -> store.find(id)
                                .filter(SeriesBookings::isBooked)
                                .map(one -> given(updated(one.endingBefore(from)))))
                .flatMap(done -> done)
                .orElseGet(() -> new Outcome.NotDone<>(BUSY));
    }

    /** Whether the series is certainly booked. */
    private static boolean isBooked(Series series) {
        return series.state() != SeriesState.BOOKING;
    }

    private Outcome<Series, Answer> given(Series ending) {
        var command = new BookSeries(
                ending.givesUpFrom()
                        .map(day -> new GivenUp(ending.id(), ending.origin().owner(), day)),
                List.of(),
                0,
                ending.priority());
        var answer = desks.decide(ending.cluster(), command);
        return switch (answer) {
            case Answer.Done _ -> new Outcome.Done<>(updated(ending.givenUp()));
            // the end is recorded, so the work continues automatically
            case Answer.NotDecided(var why) -> new Outcome.NotDone<>(new Answer.OutcomeUnknown(why));
            default -> new Outcome.NotDone<>(answer);
        };
    }

    /** The result of requesting an occurrence again. */
    public sealed interface Again {

        /** It has a reservation now. */
        record Booked(Reservation reservation) implements Again {}

        /** It has not been decided for the first time yet. */
        record NotYet() implements Again {}

        /** It could begin only until that time, in seconds since the epoch. */
        record TooLate(long latestStart) implements Again {}

        /** It already has a reservation. */
        record IsThere(Reservation reservation) implements Again {}

        /** The cluster refused it or did not decide it. */
        record NotDone(Answer answer) implements Again {}
    }

    /** Requests an occurrence again, as planned, after it was refused or has ended. A repetition with the same key gets the same answer. */
    public Again again(Series series, Planned occurrence, AccountLimits of, Optional<KeyUse> key) {
        return desks.keys()
                .once(
                        key,
                        first -> Optional.of(
                                first instanceof KeyResult.Happened(var event)
                                        ? again(new Answer.Done(List.of(event)))
                                        : new Again.NotDone(new Answer.KeyReused())),
                        Again.NotDone::new,
                        turn -> again(series, occurrence, of, turn));
    }

    private Again again(Series series, Planned occurrence, AccountLimits of, Keys.Turn turn) {
        return inTurn(series.id(), () -> againInTurn(series, occurrence, of, turn))
                .orElseGet(() -> new Again.NotDone(new Answer.NotDecided(
                        "The series is being changed by another call; repeat this call in a moment.")));
    }

    private Again againInTurn(Series asked, Planned occurrence, AccountLimits of, Keys.Turn turn) {
        // the series may have ended meanwhile
        var present = store.find(asked.id()).filter(one -> one.planned().contains(occurrence));
        if (present.isEmpty()) {
            return new Again.NotDone(new Answer.NotDecided("The series no longer has an occurrence on that day."));
        }
        var series = present.get();
        if (series.planned().indexOf(occurrence) >= series.decided()) {
            return new Again.NotYet();
        }
        if (series.latestStart(occurrence) < now()) {
            return new Again.TooLate(series.latestStart(occurrence));
        }
        if (!desks.isNothingInDoubt(series.cluster())) {
            return new Again.NotDone(new Answer.NotDecided(
                    "Cluster %s does not answer; repeat this call in a moment.".formatted(series.cluster())));
        }
        return occurrences
                .live(series, occurrence)
                .<Again>map(Again.IsThere::new)
                .orElseGet(() ->
                        again(admission.admit(series.cluster(), occurrences.booking(series, occurrence, of), turn)));
    }

    private static Again again(Answer answer) {
        return answer instanceof Answer.Done done && done.reservation().isPresent()
                ? new Again.Booked(done.reservation().get())
                : new Again.NotDone(answer);
    }

    // ---- periodic work

    /**
     * Completes series whose booking or whose takeover from another series was interrupted, and decides the occurrences that the horizon has
     * reached. An error in one series does not affect the others.
     */
    void advance() {
        // first those that may have taken over from others
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
                log.debug("Some occurrences of series {} are not decided yet; Berth tries again.", series.id(), e);
            }
        }
    }

    /** Does what can be done for a series now; returns the series afterwards, or empty if it was deleted or continues later. */
    private Optional<Series> advanced(Series series) {
        var present = isBooked(series) ? Optional.of(series) : completedInTurn(series);
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
                // its account no longer exists
                return updated(present.endingBefore(next.date()).givenUp());
            }
            if (!known.contains(next.date())
                    && present.latestStart(next) > now()
                    && !isDecided(present, next, of.get())) {
                return present;
            }
            present = updated(present.decided(present.decided() + 1));
        }
        return present;
    }

    /** Decides an occurrence; returns whether its cluster has granted or refused it. */
    private boolean isDecided(Series series, Planned occurrence, AccountLimits of) {
        var cluster = series.cluster();
        var answer = admission.admit(cluster, occurrences.booking(series, occurrence, of), Optional.empty());
        if (answer instanceof Answer.Refused) {
            // the refusal is recorded, unless there is room by now
            answer = admission.admitAtDesk(
                    cluster, occurrences.booking(series, List.of(occurrence), 0, of), Optional.empty());
        }
        if (answer instanceof Answer.Done(var events)) {
            count(events);
            return true;
        }
        return false;
    }

    private Optional<Series> completed(SeriesId id) {
        return inTurn(
                        id,
                        () -> store.find(id)
                                .flatMap(
                                        present -> isBooked(present) ? Optional.of(present) : completedInTurn(present)))
                .orElseGet(() -> store.find(id));
    }

    /** Completes a series whose booking was interrupted: its recorded occurrences show whether it was booked. */
    private Optional<Series> completedInTurn(Series series) {
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

    /** Works on a series while no other thread does; empty if another thread takes too long. */
    private <T> Optional<T> inTurn(SeriesId id, Supplier<T> work) {
        return turns.during(id, PATIENCE, work);
    }

    /**
     * Works also on the series from which this one takes over, while no other thread does. That series is older, so threads never wait for
     * each other.
     */
    private <T> Optional<T> inTurnOfReplaced(Series series, Supplier<T> work) {
        return series.replaces().map(old -> inTurn(old.series(), work)).orElseGet(() -> Optional.of(work.get()));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}

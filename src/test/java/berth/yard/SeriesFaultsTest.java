package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.cluster.Cluster;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Ledger;
import berth.engine.NoBudgets;
import berth.outcome.Outcome;
import berth.reservation.ClientLabels;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.runtime.StorageUnavailable;
import berth.series.Maintenance;
import berth.series.Maintenance.Downtime;
import berth.series.MaintenanceStore;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.series.Series.Replaced;
import berth.series.Series.Span;
import berth.series.SeriesBookings.Again;
import berth.series.SeriesState;
import berth.series.SeriesStore;
import berth.series.WholeSeries;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults at the worst moment for series and maintenances, as seeds of the yard have found them, one test each. */
class SeriesFaultsTest {

    private static final Instant BEGIN = Instant.parse("2027-01-01T12:00:00Z");
    private static final long HORIZON = Duration.ofDays(1).toSeconds();
    private static final LocalDate FIRST = LocalDate.of(2027, 1, 1);
    private static final Recurrence RULE =
            new Recurrence("FREQ=DAILY", FIRST.atStartOfDay(), ZoneOffset.UTC, List.of());
    private static final AccountName ADA = new AccountName("ada");

    /** The fate of a commit. */
    private enum Commit {
        FAILS,
        /** It is recorded, but its answer is lost. */
        ANSWER_LOST,
        /** It is not recorded, and its answer is lost. */
        LOST
    }

    private final Simulation simulation = new Simulation(new Random(1), BEGIN, Duration.ZERO);
    private final Simulation.Process process = simulation.new Process();
    private final Random ids = new Random(2);

    private final Cluster cluster;
    private final Installation installation;

    /** The fates of the next commits; later ones succeed. */
    private final Deque<Commit> commits = new ArrayDeque<>();

    /** Until then no doubt can be resolved. */
    private Duration darkUntil = Duration.ZERO;

    /** Whether rows of series cannot be changed. */
    private boolean isStoreDown;

    private final Desks desks;
    private final WholeSeries series;

    SeriesFaultsTest() {
        Silence.begin();
        var standard = Cluster.of("nightly", 8);
        cluster = standard.under(standard.policy().withHorizon(HORIZON, 0));
        installation = new Installation(0, List.of(cluster), List.of());
        var ledger = installation.ledger();
        desks = new Desks(
                faulty(Ledger.class, ledger),
                ledger,
                NoBudgets.none(),
                process,
                process,
                Duration.ofSeconds(10),
                new SimpleMeterRegistry());
        series = new WholeSeries(
                desks,
                ledger,
                faulty(SeriesStore.class, installation.seriesStore()),
                faulty(MaintenanceStore.class, installation.maintenanceStore()),
                _ -> AccountLimits.NONE,
                () -> new ReservationId(id()),
                process,
                process);
    }

    private <T> T faulty(Class<T> type, T sound) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    process.pause(Duration.ofMillis(1));
                    var commit = method.getName().equals("append") ? commits.poll() : null;
                    if (commit == Commit.FAILS) {
                        return new Ledger.Outcome.Failed(new IllegalStateException("as the test wants it"));
                    }
                    boolean isDark = method.getName().equals("resolve")
                            && simulation.elapsed().compareTo(darkUntil) < 0;
                    if (isDark || isStoreDown && method.getName().equals("update")) {
                        throw new StorageUnavailable(new IllegalStateException("as the test wants it"));
                    }
                    try {
                        var lost = new Ledger.Outcome.Unknown(new IllegalStateException("as the test wants it"));
                        var result = commit == Commit.LOST ? lost : method.invoke(sound, arguments);
                        return commit == null ? result : lost;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private UUID id() {
        return new UUID(ids.nextLong(), ids.nextLong());
    }

    @BeforeEach
    void open() {
        call(() -> {
            desks.recover(cluster);
            return true;
        });
    }

    private <T> T call(Supplier<T> work) {
        var results = new ArrayList<T>();
        var failures = new ArrayList<RuntimeException>();
        process.begin("call", () -> {
            try {
                results.add(work.get());
            } catch (RuntimeException e) {
                failures.add(e);
            }
        });
        simulation.runUntil(() -> !results.isEmpty() || !failures.isEmpty(), Duration.ofMinutes(5));
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return results.getFirst();
    }

    private void advance() {
        call(() -> {
            series.advance();
            return true;
        });
    }

    private void dark(Duration time) {
        darkUntil = simulation.elapsed().plus(time);
    }

    private long now() {
        return process.instant().getEpochSecond();
    }

    /** Returns {@code number} one-hour windows, two hours apart, beginning {@code hours} hours from now. */
    private List<Planned> planned(int number, int hours) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Planned(FIRST.plusDays(i), now() + (hours + 2L * i) * 3600))
                .toList();
    }

    private Series wanted(int pes, List<Planned> planned, Optional<Replaced> replaces) {
        return new Series(
                new SeriesId(id()),
                cluster.id(),
                new Origin(ADA, ServiceClass.STANDARD, ClientLabels.NONE.with("name", Optional.of("nightly"))),
                5,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, pes),
                RULE,
                new Span(0, 0),
                planned,
                0,
                SeriesState.BOOKING,
                replaces,
                Optional.empty(),
                0,
                now());
    }

    private Outcome<Series, Answer> create(Series wanted, Optional<KeyUse> key) {
        return call(() -> {
            int first = series.bookings().within(wanted);
            return series.bookings().create(wanted, AccountLimits.NONE, first, first, key);
        });
    }

    private Series booked(Series wanted) {
        assertThat(create(wanted, Optional.empty())).isInstanceOf(Outcome.Done.class);
        return stored(wanted);
    }

    private Series stored(Series wanted) {
        return installation.seriesStore().find(wanted.id()).orElseThrow();
    }

    private Outcome<Series, Answer> end(Series one, int day) {
        return call(() -> series.bookings().end(one.id(), FIRST.plusDays(day)));
    }

    private Again again(Series one, int day) {
        return call(() -> series.bookings().again(one, one.planned().get(day), AccountLimits.NONE, Optional.empty()));
    }

    /** Returns the days of a series with reservations in the future, in order. */
    private List<Integer> ahead(Series one) {
        return installation.seriesStore().booked(one.id()).stream()
                .filter(booked -> booked.state() == ReservationState.CONFIRMED)
                .map(SeriesFaultsTest::day)
                .sorted()
                .toList();
    }

    private static int day(Reservation booked) {
        return (int)
                FIRST.until(booked.origin().occurrence().orElseThrow().date()).getDays();
    }

    @Test
    void aSeriesThatMayStillBeForgottenIsNotReported() {
        var key = Optional.of(new KeyUse(ADA, "key", "nightly"));
        commits.add(Commit.LOST);
        dark(Duration.ofSeconds(45));
        var first = create(wanted(2, planned(3, 1), Optional.empty()), key);
        var second = create(wanted(2, planned(3, 1), Optional.empty()), key);
        simulation.run(Duration.ofMinutes(1));

        var third = wanted(2, planned(3, 1), Optional.empty());
        assertThat(List.of(first, second))
                .allMatch(outcome -> outcome instanceof Outcome.NotDone(Answer.OutcomeUnknown _));
        assertThat(create(third, key)).isEqualTo(new Outcome.Done<>(stored(third)));
        assertThat(installation.series()).containsExactly(stored(third));
        assertThat(ahead(third)).containsExactly(0, 1, 2);
    }

    @Test
    void aSeriesThatWasNeverBookedIsNotBookedDayByDay() {
        commits.add(Commit.LOST);
        // long enough for one periodic attempt to fail and the next to succeed
        dark(Duration.ofSeconds(35));
        var left = wanted(2, planned(3, 1), Optional.empty());
        assertThat(create(left, Optional.empty())).isInstanceOf(Outcome.NotDone.class);
        advance();
        simulation.run(Duration.ofMinutes(1));
        advance();

        assertThat(installation.series()).isEmpty();
        assertThat(installation.ledger().reservations()).isEmpty();
    }

    @Test
    void anEndWithAnUnknownOutcomeHappensAndALaterEndDoesNotUndoIt() {
        var nightly = booked(wanted(2, planned(6, 1), Optional.empty()));
        commits.add(Commit.FAILS);

        assertThat(end(nightly, 2))
                .isInstanceOf(Outcome.NotDone.class)
                .matches(outcome -> outcome instanceof Outcome.NotDone(Answer.OutcomeUnknown _));
        assertThat(end(nightly, 4)).isInstanceOf(Outcome.Done.class);

        assertThat(ahead(nightly)).containsExactly(0, 1);
    }

    @Test
    void aReplacedSeriesBooksNothingThatStays() {
        var old = booked(wanted(2, planned(6, 1), Optional.empty()));
        var next = wanted(2, planned(6, 1), Optional.of(new Replaced(old.id(), FIRST.plusDays(3))));
        isStoreDown = true;
        assertThatThrownBy(() -> create(next, Optional.empty())).isInstanceOf(StorageUnavailable.class);
        isStoreDown = false;

        // as long as the result is unknown
        assertThat(again(old, 4)).isInstanceOf(Again.Booked.class);
        advance();
        advance();

        assertThat(ahead(old)).containsExactly(0, 1, 2);
        assertThat(stored(old).planned()).hasSize(3);
        assertThat(stored(old).state()).isEqualTo(SeriesState.DECIDED);
        assertThat(ahead(next)).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void aCallThatReadASeriesBeforeItsEndBooksNoneOfIt() {
        var nightly = booked(wanted(2, planned(6, 1), Optional.empty()));
        end(nightly, 3);

        assertThat(again(nightly, 4)).matches(outcome -> outcome instanceof Again.NotDone(Answer.NotDecided _));
        assertThat(ahead(nightly)).containsExactly(0, 1, 2);
    }

    private Maintenance maintenance() {
        return new Maintenance(
                id(),
                cluster.id(),
                new Downtime(2, Optional.empty(), 3600, Optional.empty()),
                RULE,
                planned(4, 1),
                0,
                now());
    }

    private Outcome<Maintenance, Answer> create(Maintenance wanted) {
        return call(() -> series.maintenances().create(wanted, ADA, Optional.empty()));
    }

    private long outages() {
        return desks.schedule(cluster.id()).orElseThrow().outages().size();
    }

    @Test
    void aMaintenanceWithAFailedCommitIsCompletedLater() {
        var wanted = maintenance();
        commits.addAll(List.of(Commit.FAILS));

        assertThat(create(wanted)).isEqualTo(new Outcome.Done<>(wanted));
        simulation.run(Duration.ofSeconds(5));
        advance();
        assertThat(outages()).isEqualTo(4);
    }

    @Test
    void aCalledOffMaintenanceLeavesNoUnknownWindow() {
        var wanted = maintenance();
        commits.add(Commit.ANSWER_LOST);
        // both calls end before the result is known
        dark(Duration.ofSeconds(35));
        assertThat(create(wanted)).isEqualTo(new Outcome.Done<>(wanted));

        assertThat(call(() -> series.maintenances().callOff(wanted.id()))).isInstanceOf(Outcome.NotDone.class);
        simulation.run(Duration.ofSeconds(10));
        assertThat(outages()).isEqualTo(1);
        assertThat(call(() -> series.maintenances().callOff(wanted.id()))).isInstanceOf(Outcome.Done.class);
        assertThat(outages()).isZero();
    }
}

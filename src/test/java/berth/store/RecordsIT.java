package berth.store;

import static berth.store.Samples.NOW;
import static berth.store.Samples.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import berth.approval.Approval;
import berth.approval.Approval.Ask;
import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.booking.BookedReservation;
import berth.booking.CollectedRequest;
import berth.booking.IntakeStore;
import berth.booking.ReservationList;
import berth.booking.ReservationList.Filter;
import berth.booking.ReservationOrRequest;
import berth.booking.store.PostgresRecords;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.engine.KeyUse;
import berth.engine.Ledger;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.Outcome;
import berth.engine.Ledger.RecordedKey;
import berth.engine.Ledger.Refusals;
import berth.engine.Records.Decisions;
import berth.engine.Records.FirstResult;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Records.Grouping;
import berth.engine.Records.JobFigures;
import berth.engine.Records.JobFilter;
import berth.engine.Records.JobPosition;
import berth.engine.Records.Occupied;
import berth.engine.Records.Owed;
import berth.engine.Records.Quality;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Renegotiation;
import berth.engine.Records.Reply;
import berth.engine.Records.StartFigures;
import berth.engine.Records.Statistics;
import berth.engine.Records.Sum;
import berth.engine.Records.Whose;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.peers.MirrorStore;
import berth.peers.QuestionStore;
import berth.reservation.Charge;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Losses;
import berth.reservation.MoveHistory;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.Type;
import berth.scheduling.places.Preference;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Recorded data is read as it was and found by queries, on the embedded PostgreSQL. */
@SpringBootTest(
        classes = PersistenceSuite.Wiring.class,
        properties = "management.endpoint.health.validate-group-membership=false",
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DirtiesContext
class RecordsIT {

    private static final AccountName ALICE = new AccountName("alice");
    private static final AccountName OWNER1 = new AccountName("owner1");
    private static final AccountName ROOT = new AccountName("root");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        registry.add("berth.data-dir", () -> directory.resolve("data").toString());
    }

    @Autowired
    Ledger ledger;

    @Autowired
    PostgresRecords records;

    @Autowired
    ReservationList list;

    @Autowired
    MirrorStore mirrors;

    @Autowired
    QuestionStore questions;

    @Autowired
    IntakeStore intake;

    /** Each test has its own cluster. */
    private final Cluster cluster = new Samples(1).cluster("c" + Samples.id(), 0);

    private final Samples samples = new Samples(7);
    private final List<Event> appended = new ArrayList<>();
    private long epoch = 1;

    @BeforeEach
    void create() {
        assertThat(ledger.create(cluster, Optional.empty())).isTrue();
        assertThat(ledger.takeOver(cluster.id()).epoch()).isEqualTo(1);
    }

    @Test
    void aClusterIsReadBackAfterItsCreationAndEachChange() {
        assertThat(ledger.clusters()).contains(cluster);

        for (int version = 1; version <= 50; version++) {
            var changed = samples.cluster(cluster.id().value(), version);
            append(new ClusterEvent(changed, NOW));

            assertThat(ledger.clusters()).contains(changed);
        }
        assertThat(ledger.takeOver(cluster.id()).cluster()).isEqualTo(((ClusterEvent) appended.getLast()).cluster());
        assertThat(history()).containsExactlyElementsOf(appended);
    }

    @Test
    void aReservationIsReadBackAfterItsGrantAndEachChange() {
        for (int i = 0; i < 100; i++) {
            var id = Samples.reservationId();
            var recorded = samples.reservation(cluster.id(), id, 0);
            append(new ReservationEvent(Type.CONFIRMED, recorded, NOW));
            assertThat(records.find(id)).contains(recorded);

            var changed = samples.reservation(cluster.id(), id, 1);
            append(new ReservationEvent(Type.MOVED, changed, NOW, Optional.of(samples.move()), Optional.empty()));
            assertThat(records.find(id)).contains(changed);
        }
        assertThat(history()).containsExactlyElementsOf(appended);
    }

    @Test
    void aJobIsReadBackAfterItsSubmissionAndEachChange() {
        for (int i = 0; i < 50; i++) {
            var queued = samples.job(cluster.id(), i);
            append(new JobEvent(Type.JOB_QUEUED, queued, NOW));
            assertThat(records.find(queued.id())).contains(queued);

            var running = samples.running(queued);
            append(new JobEvent(Type.JOB_STARTED, running, NOW));
            assertThat(records.find(queued.id())).contains(running);
            assertThat(ledger.takeOver(cluster.id()).jobs()).contains(running);
            epoch++;

            var over = i % 2 == 0 ? running.ended(JobState.COMPLETED, NOW) : queued.ended(JobState.CANCELLED, NOW);
            append(new JobEvent(i % 2 == 0 ? Type.JOB_COMPLETED : Type.JOB_CANCELLED, over, NOW));
            assertThat(records.find(queued.id())).contains(over);
        }
        assertThat(ledger.takeOver(cluster.id()).jobs()).isEmpty();
        assertThat(history()).containsExactlyElementsOf(appended);
    }

    @Test
    void eventsOfOneBatchMakeOneRowAndTheWholeHistoryOfAJob() {
        var queued = samples.job(cluster.id(), 1);
        var running = samples.running(queued);
        append(
                new JobEvent(Type.JOB_QUEUED, queued, NOW),
                new JobEvent(Type.JOB_STARTED, running, NOW),
                new JobEvent(Type.JOB_REQUEUED, running.requeued(), NOW));

        assertThat(records.find(queued.id())).contains(queued);
        assertThat(history()).containsExactlyElementsOf(appended);
    }

    @Test
    void theQueueOfAnOutsideBatchSystemIsReplacedAsAWholeAndLeavesItsSizeInTheHistory() {
        var own = samples.job(cluster.id(), 1).ended(JobState.CANCELLED, NOW);
        append(
                new JobEvent(Type.JOB_QUEUED, samples.job(cluster.id(), 2), NOW),
                new JobEvent(Type.JOB_QUEUED, own, NOW));
        for (int size : new int[] {Jobs.MAX, 3, 0, 5}) {
            var queue = samples.queue(cluster.id(), size);
            append(new JobsEvent(queue, NOW));

            assertThat(ledger.takeOver(cluster.id()).jobs())
                    .filteredOn(job -> job.source() == JobSource.OUTSIDE)
                    .containsExactlyInAnyOrderElementsOf(queue);
            epoch++;
            long running = queue.stream()
                    .filter(job -> job.state() == JobState.RUNNING)
                    .count();
            assertThat(recorded())
                    .last()
                    .isEqualTo(new RecordedEvent.QueueReplaced(
                            cluster.id(), appended.size(), NOW, (int) running, size - (int) running));
        }
        var ended = samples.running(samples.queue(cluster.id(), 1).getFirst());
        append(new JobEvent(Type.JOB_COMPLETED, ended.ended(JobState.COMPLETED, NOW), NOW));

        assertThat(records.find(ended.id())).isEmpty();
        assertThat(records.find(own.id())).contains(own);
    }

    @Test
    void jobsAreListedNewestFirstAndFilteredByOwnerAndState() {
        var queue = samples.queue(cluster.id(), 60);
        append(new JobsEvent(queue, NOW));
        var inOrder = queue.stream()
                .sorted(Comparator.comparingLong(BatchJob::submittedAt)
                        .thenComparing(job -> job.id().toString())
                        .reversed())
                .toList();
        var all = new JobFilter(Optional.empty(), Optional.empty());

        var first = records.jobs(cluster.id(), all, Optional.empty(), 25);
        var position =
                new JobPosition(first.getLast().submittedAt(), first.getLast().id());
        assertThat(first).isEqualTo(inOrder.subList(0, 25));
        assertThat(records.jobs(cluster.id(), all, Optional.of(position), 100)).isEqualTo(inOrder.subList(25, 60));

        var some = new JobFilter(Optional.of(OWNER1), Optional.of(JobState.RUNNING));
        assertThat(records.jobs(cluster.id(), some, Optional.empty(), 100))
                .isNotEmpty()
                .isEqualTo(inOrder.stream()
                        .filter(job -> job.owner().equals(OWNER1) && job.state() == JobState.RUNNING)
                        .toList());
    }

    @Test
    void jobsTakePesFromTheirStartToTheirEnd() {
        var running = running(NOW, 100);
        var early = running(NOW, 100).ended(JobState.COMPLETED, NOW + 40);
        var before = running(NOW - 200, 100).ended(JobState.COMPLETED, NOW - 100);
        var waiting = samples.job(cluster.id(), 4);
        for (var job : List.of(running, early, before, waiting)) {
            append(new JobEvent(Type.JOB_QUEUED, job, NOW));
        }

        var range = new Slot(NOW + 30, NOW + 50);
        assertThat(records.running(cluster.id(), range, Whose.ALL, 10)).containsExactlyInAnyOrder(running, early);
        assertThat(records.running(cluster.id(), range, Whose.ALL, 1)).hasSize(1);
        var taken = new ArrayList<Occupied>();
        records.occupied(cluster.id(), range, Whose.ALL, taken::add);
        assertThat(taken).containsExactlyInAnyOrder(occupied(running, NOW + 100), occupied(early, NOW + 40));
        assertThat(records.running(cluster.id(), new Slot(NOW + 40, NOW + 50), Whose.ALL, 10))
                .containsExactly(running);
    }

    private BatchJob running(long start, long seconds) {
        var queued = samples.job(cluster.id(), start);
        return queued.running(Run.of(Slot.of(start, seconds), PeSet.range(0, queued.pes())));
    }

    @Test
    void anOutageIsReadAsItWasRecordedAndAsItEnded() {
        for (int i = 0; i < 50; i++) {
            var outage = samples.outage(cluster.id(), NOW + i);
            append(new OutageEvent(Type.OUTAGE_RECORDED, outage, NOW + i));
            assertThat(records.find(outage.id())).contains(outage);

            if (i % 2 == 0) {
                append(new OutageEvent(Type.OUTAGE_ENDED, outage.ended(NOW + i), NOW + i));
                assertThat(records.find(outage.id())).contains(outage.ended(NOW + i));
            }
        }
        assertThat(history()).containsExactlyElementsOf(appended);
    }

    @Test
    void eventsOfOneBatchAreReadInTheirOrder() {
        var outage = samples.outage(cluster.id(), NOW);
        var larger = samples.cluster(cluster.id().value(), 1);
        var largest = samples.cluster(cluster.id().value(), 2);
        var moved = samples.reservation(cluster.id(), Samples.reservationId(), 0);

        append(
                new ReservationEvent(Type.CONFIRMED, moved, NOW),
                new ClusterEvent(larger, NOW),
                new OutageEvent(Type.OUTAGE_RECORDED, outage, NOW),
                new ClusterEvent(largest, NOW),
                new OutageEvent(Type.OUTAGE_ENDED, outage.ended(NOW), NOW));

        assertThat(history()).containsExactlyElementsOf(appended);
        assertThat(records.find(outage.id())).contains(outage.ended(NOW));
        assertThat(ledger.clusters()).contains(largest);
    }

    @Test
    void aRepeatedKeyReturnsTheOutageAsRecordedEvenWhenItIsOver() {
        var outage = samples.outage(cluster.id(), NOW);
        var recorded = new OutageEvent(Type.OUTAGE_RECORDED, outage, NOW);
        var use = new KeyUse(ROOT, cluster.id().value(), "print");
        append(List.of(recorded), List.of(new RecordedKey(use, 1)));
        append(new OutageEvent(Type.OUTAGE_ENDED, outage.ended(NOW), NOW));

        assertThat(records.firstResult(ROOT, use.key()))
                .contains(new FirstResult("print", new KeyResult.Happened(recorded)));
    }

    @Test
    void recoveryFindsTheOutagesThatAreNotOver() {
        var over = samples.outage(cluster.id(), NOW);
        var lasting = samples.outage(cluster.id(), NOW);
        append(
                new OutageEvent(Type.OUTAGE_RECORDED, over, NOW),
                new OutageEvent(Type.OUTAGE_RECORDED, lasting, NOW),
                new OutageEvent(Type.OUTAGE_ENDED, over.ended(NOW + 1), NOW + 1));

        var recovered = ledger.takeOver(cluster.id());

        assertThat(recovered.outages()).containsExactly(lasting);
        assertThat(recovered.lastEventAt()).isEqualTo(NOW + 1);
    }

    @Test
    void aListHasTheReservationsThatPassAllFilters() {
        var all = new ArrayList<Reservation>();
        for (int i = 0; i < 200; i++) {
            all.add(samples.reservation(cluster.id(), Samples.reservationId(), 0));
        }
        append(all.stream().map(RecordsIT::accepted).toArray(Event[]::new));
        for (var owner : orNot(OWNER1)) {
            for (var state : orNot(ReservationState.RUNNING.name())) {
                for (var project : orNot("project")) {
                    for (var from : List.of(OptionalLong.empty(), OptionalLong.of(NOW + 50_000))) {
                        for (var to : List.of(OptionalLong.empty(), OptionalLong.of(NOW + 70_000))) {
                            var filter = new Filter(owner, Optional.of(cluster.id()), state, project, from, to);
                            var expected = all.reversed().stream()
                                    .filter(one -> passes(one, filter))
                                    .map(BookedReservation.Here::new)
                                    .toList();

                            assertThat(page(filter, 3))
                                    .as(filter.toString())
                                    .isNotEmpty()
                                    .containsExactlyElementsOf(expected);
                        }
                    }
                }
            }
        }
    }

    private static <T> List<Optional<T>> orNot(T value) {
        return List.of(Optional.empty(), Optional.of(value));
    }

    private static boolean passes(Reservation reservation, Filter filter) {
        return reservation
                        .origin()
                        .owner()
                        .equals(filter.owner().orElse(reservation.origin().owner()))
                && reservation
                        .state()
                        .name()
                        .equals(filter.state().orElse(reservation.state().name()))
                && (filter.project().isEmpty()
                        || filter.project().equals(reservation.origin().project()))
                && reservation.slot().end() > filter.from().orElse(0)
                && reservation.slot().start() < filter.to().orElse(Long.MAX_VALUE);
    }

    /** Returns everything that matches the filter, page after page. */
    private List<ReservationOrRequest> page(Filter filter, int limit) {
        var pages = new ArrayList<>(list.newest(filter, Optional.empty(), limit));
        for (var page = List.copyOf(pages); page.size() == limit; pages.addAll(page)) {
            page = list.newest(filter, Optional.of(page.getLast().id()), limit);
        }
        return pages;
    }

    @Test
    void aListHasReservationsHereMirrorsAndRequestsInTheOrderOfTheirIds() {
        var expected = new ArrayList<ReservationOrRequest>();
        var owner = new AccountName(cluster.id().value());
        for (int i = 0; i < 30; i++) {
            expected.addFirst(
                    switch (i % 3) {
                        case 0 -> here();
                        case 1 -> new BookedReservation.There(mirrored(Samples.reservationId(), owner));
                        default -> new ReservationOrRequest.Collected(collected(owner));
                    });
        }

        for (int limit : List.of(1, 4, 30, 31)) {
            assertThat(page(of(owner, Optional.empty()), limit)).containsExactlyElementsOf(expected);
        }
        for (var state : List.of("CONFIRMED", "PENDING")) {
            assertThat(page(of(owner, Optional.of(state)), 4))
                    .isNotEmpty()
                    .containsExactlyElementsOf(expected.stream()
                            .filter(one -> one instanceof ReservationOrRequest.Collected == state.equals("PENDING"))
                            .toList());
        }
        var booked = new Filter(
                Optional.of(owner),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(NOW),
                OptionalLong.empty());
        assertThat(page(booked, 4))
                .as("requests have no place in time")
                .containsExactlyElementsOf(expected.stream()
                        .filter(BookedReservation.class::isInstance)
                        .toList());
        assertThat(list.latest(of(owner, Optional.empty()), 30))
                .as("all start at the same time")
                .containsExactlyElementsOf(expected.stream()
                        .filter(BookedReservation.class::isInstance)
                        .map(BookedReservation.class::cast)
                        .toList());
    }

    @Test
    void aRequestThatIsBookedButNotYetMarkedAsGrantedIsListedOnceAsItsReservation() {
        var owner = new AccountName(cluster.id().value());
        var older = collected(owner);
        var booked = collected(owner);
        var mirror = mirrored(booked.id(), owner);

        assertThat(page(of(owner, Optional.empty()), 1))
                .containsExactly(new BookedReservation.There(mirror), new ReservationOrRequest.Collected(older));
        assertThat(page(of(owner, Optional.of("PENDING")), 5))
                .containsExactly(new ReservationOrRequest.Collected(older));
    }

    private Filter of(AccountName owner, Optional<String> state) {
        return new Filter(
                Optional.of(owner),
                Optional.empty(),
                state,
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private BookedReservation here() {
        var accepted = Samples.reservation(cluster.id(), Status.confirmed(NOW));
        append(accepted(accepted));
        return new BookedReservation.Here(accepted);
    }

    private IntakeRequest collected(AccountName owner) {
        var request = IntakeRequest.pending(
                Samples.reservationId(),
                new Origin(owner, ServiceClass.STANDARD),
                5,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 600, 4),
                OptionalLong.empty(),
                NOW);
        intake.create(new CollectedRequest(request, Preference.EARLIEST_START, Set.of()), Optional.empty());
        return request;
    }

    private Mirror mirrored(ReservationId id, AccountName owner) {
        var answer = JsonNodeFactory.instance.objectNode().put("id", "x").put("state", "CONFIRMED");
        answer.putObject("placement")
                .put("start", Instant.ofEpochSecond(NOW + 600).toString())
                .put("end", Instant.ofEpochSecond(NOW + 1200).toString());
        var mirror = new Mirror(
                id,
                new ClusterId("elsewhere"),
                new Origin(owner, ServiceClass.STANDARD),
                "x",
                Mirror.Owed.NOTHING,
                new Mirror.Report(answer, NOW, true),
                false,
                NOW);
        mirrors.create(mirror, questions.ask(id, mirror.cluster(), answer, NOW, NOW + 90), Optional.empty());
        return mirror;
    }

    @Test
    void aListLeavesOutReservationsThatOnlyTouchTheRange() {
        var reservation = Samples.reservation(cluster.id(), Status.confirmed(NOW), new Slot(NOW + 600, NOW + 1200));
        append(accepted(reservation));

        assertThat(page(inTime(NOW + 1199, NOW + 1300), 10)).containsExactly(new BookedReservation.Here(reservation));
        assertThat(page(inTime(NOW, NOW + 601), 10)).containsExactly(new BookedReservation.Here(reservation));
        assertThat(page(inTime(NOW + 1200, NOW + 1300), 10)).isEmpty();
        assertThat(page(inTime(NOW, NOW + 600), 10)).isEmpty();
    }

    private Filter inTime(long from, long to) {
        return new Filter(
                Optional.empty(),
                Optional.of(cluster.id()),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(from),
                OptionalLong.of(to));
    }

    @Test
    void renegotiationsAreFoundWithTheirFormerPrices() {
        var agreed =
                Samples.reservation(cluster.id(), Status.confirmed(NOW), new Slot(NOW + 600, NOW + 1200), usd("10.00"));
        var tighter = renegotiated(agreed, "12.00");
        var moved = tighter.moved(tighter.placement(), usd("11.00"), NOW + 1);
        var looser = renegotiated(moved, "9.00");
        append(accepted(agreed), new ReservationEvent(Type.RENEGOTIATED, tighter, NOW));
        append(new ReservationEvent(Type.MOVED, moved, NOW));
        append(
                new ReservationEvent(Type.RENEGOTIATED, looser, NOW),
                accepted(Samples.reservation(cluster.id(), Status.confirmed(NOW))));

        var first = new Renegotiation.Agreement(tighter, usd("10.00"));
        var second = new Renegotiation.Agreement(looser, usd("11.00"));
        assertThat(records.renegotiations(agreed.id(), OptionalLong.empty(), 10))
                .containsExactly(second, first);
        assertThat(records.renegotiations(agreed.id(), OptionalLong.empty(), 1)).containsExactly(second);
        assertThat(records.renegotiations(agreed.id(), OptionalLong.of(3), 10)).containsExactly(first);
        assertThat(records.renegotiations(agreed.id(), OptionalLong.of(1), 10)).isEmpty();
        assertThat(records.renegotiations(Samples.reservationId(), OptionalLong.empty(), 10))
                .isEmpty();
    }

    @Test
    void proposalsAreFoundWithTheAnswersOfTheOwner() {
        var agreed =
                Samples.reservation(cluster.id(), Status.confirmed(NOW), new Slot(NOW + 600, NOW + 1200), usd("10.00"));
        var first = agreed.proposed(agreed.terms(), usd("1.00"), ROOT, NOW + 60, NOW);
        var declined = first.declined(NOW + 1);
        var second = declined.proposed(agreed.terms(), usd("2.00"), ROOT, NOW + 60, NOW + 2);
        var moved = second.moved(second.placement(), usd("9.00"), NOW + 3);
        var accepted = renegotiated(moved, "7.00");
        var third = accepted.proposed(agreed.terms(), usd("0.50"), ROOT, NOW + 60, NOW + 4);
        append(
                accepted(agreed),
                new ReservationEvent(Type.PROPOSED, first, NOW),
                new ReservationEvent(Type.DECLINED, declined, NOW + 1),
                new ReservationEvent(Type.PROPOSED, second, NOW + 2),
                new ReservationEvent(Type.MOVED, moved, NOW + 3),
                new ReservationEvent(Type.ACCEPTED, accepted, NOW + 3),
                new ReservationEvent(Type.PROPOSED, third, NOW + 4));

        assertThat(records.renegotiations(agreed.id(), OptionalLong.empty(), 10))
                .containsExactly(
                        new Renegotiation.Offer(third, Optional.empty()),
                        new Renegotiation.Offer(second, Optional.of(new Reply(true, accepted, usd("9.00")))),
                        new Renegotiation.Offer(first, Optional.of(new Reply(false, declined, usd("10.00")))));
        assertThat(records.find(agreed.id())).contains(third);
    }

    private static Reservation renegotiated(Reservation before, String price) {
        return before.renegotiated(
                before.terms(), before.placement(), before.charge().agreed(usd(price)), NOW);
    }

    /** Compares with the core's own answer. */
    @Test
    void reservationsThatOccupyPesInARangeAreFound() {
        var random = new Random(5);
        var all = new ArrayList<Reservation>();
        for (int i = 0; i < 300; i++) {
            long start = NOW + random.nextInt(100);
            var status = status(random, NOW + random.nextInt(200));
            all.add(anybodys(random, status, Slot.of(start, 1 + random.nextInt(100))));
        }
        append(all.stream().map(RecordsIT::accepted).toArray(Event[]::new));
        for (int i = 0; i < 200; i++) {
            var range = Slot.of(NOW - 10 + random.nextInt(220), 1 + random.nextInt(60));
            var whose = whose(random);
            var expected = all.stream()
                    .filter(one -> isMeant(whose, one))
                    .filter(one -> one.occupied().stream().anyMatch(part -> range.overlaps(part.slot())))
                    .sorted(Comparator.<Reservation>comparingLong(
                                    one -> one.slot().start())
                            .thenComparing(one -> one.id().toString()))
                    .toList();

            assertThat(records.occupying(cluster.id(), range, whose, 1000))
                    .as(range.toString())
                    .containsExactlyElementsOf(expected);
            assertThat(records.occupying(cluster.id(), range, whose, 3))
                    .containsExactlyElementsOf(expected.stream().limit(3).toList());
            var found = new ArrayList<Occupied>();
            records.occupied(cluster.id(), range, whose, found::add);
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(expected.stream()
                            .flatMap(one -> one.occupied().stream().map(part -> occupied(one, part.slot(), part.pes())))
                            .toList());
        }
    }

    private Reservation anybodys(Random random, Status status, Slot slot) {
        var one = Samples.reservation(cluster.id(), status, slot);
        var origin = new Origin(
                new AccountName("owner" + random.nextInt(3)),
                one.origin().serviceClass(),
                ClientLabels.NONE.with("project", random.nextBoolean() ? Optional.of("project") : Optional.empty()));
        return new Reservation(
                one.id(),
                one.cluster(),
                origin,
                one.terms(),
                one.placement(),
                Charge.of(usd("%d.50".formatted(random.nextInt(10)))),
                one.status(),
                Optional.empty());
    }

    private static Occupied occupied(BatchJob job, long until) {
        return new Occupied(new Slot(NOW, until), job.pes(), job.owner(), Optional.empty());
    }

    private static Occupied occupied(Reservation reservation, Slot slot, int pes) {
        var origin = reservation.origin();
        return new Occupied(slot, pes, origin.owner(), origin.project());
    }

    private static Whose whose(Random random) {
        return new Whose(
                random.nextBoolean() ? Optional.of(new AccountName("owner" + random.nextInt(3))) : Optional.empty(),
                random.nextInt(4) == 0 ? Optional.of("project") : Optional.empty());
    }

    private static boolean isMeant(Whose whose, Reservation reservation) {
        var origin = reservation.origin();
        return whose.owner().filter(owner -> !owner.equals(origin.owner())).isEmpty()
                && (whose.project().isEmpty() || whose.project().equals(origin.project()));
    }

    @Test
    void duesAheadAndEarningsAreSummedByOwnerAndProject() {
        var random = new Random(6);
        var live = new ArrayList<Reservation>();
        var ended = new ArrayList<ReservationEvent>();
        for (int i = 0; i < 200; i++) {
            var status = random.nextInt(4) == 0 ? Status.held(NOW + 100, NOW) : Status.confirmed(NOW);
            var one = anybodys(random, status, Slot.of(NOW + random.nextInt(100), 50));
            append(accepted(one));
            if (random.nextBoolean()) {
                live.add(one);
                continue;
            }
            long at = NOW + random.nextInt(100);
            if (one.state() == ReservationState.HELD) {
                // it owes nothing
                var end = new ReservationEvent(Type.EXPIRED, one.becomes(ReservationState.EXPIRED, at), at);
                append(end);
                ended.add(end);
                continue;
            }
            var running = one.becomes(ReservationState.RUNNING, at);
            append(new ReservationEvent(Type.STARTED, running, at));
            if (random.nextBoolean()) {
                live.add(running);
            } else {
                var end = new ReservationEvent(Type.COMPLETED, running.becomes(ReservationState.COMPLETED, at), at);
                append(end);
                ended.add(end);
            }
        }
        var range = new Slot(NOW + 20, NOW + 60);
        for (int i = 0; i < 20; i++) {
            var whose = whose(random);
            var meant = live.stream().filter(one -> isMeant(whose, one)).toList();
            var past = ended.stream()
                    .filter(end -> range.start() <= end.at() && end.at() < range.end())
                    .map(ReservationEvent::reservation)
                    .filter(one -> isMeant(whose, one))
                    .toList();
            for (var by :
                    List.of(Optional.<Grouping>empty(), Optional.of(Grouping.OWNER), Optional.of(Grouping.PROJECT))) {
                var owed = new ArrayList<Owed>();
                meant.stream()
                        .map(Reservation::state)
                        .distinct()
                        .forEach(state -> sums(meant.stream().filter(one -> one.state() == state), by)
                                .forEach(sum -> owed.add(new Owed(state, sum))));
                assertThat(records.owed(cluster.id(), whose, by, 1000)).containsExactlyInAnyOrderElementsOf(owed);
                assertThat(records.revenue(cluster.id(), range, whose, by, 1000))
                        .containsExactlyInAnyOrderElementsOf(sums(past.stream(), by));
            }
        }
        assertThat(records.owed(cluster.id(), Whose.ALL, Optional.of(Grouping.OWNER), 2))
                .hasSize(2);
        assertThat(records.revenue(cluster.id(), range, Whose.ALL, Optional.of(Grouping.OWNER), 2))
                .hasSize(2);
    }

    private static List<Sum> sums(Stream<Reservation> reservations, Optional<Grouping> by) {
        var sums = new HashMap<List<Object>, Sum>();
        reservations.forEach(one -> {
            var group = by.flatMap(what -> what.of(occupied(one, one.slot(), 1)));
            sums.merge(
                    List.of(group, one.price().currency()),
                    new Sum(group, one.price()),
                    (a, b) -> new Sum(group, a.money().plus(b.money())));
        });
        return List.copyOf(sums.values());
    }

    /** Returns a status that last changed at that time. */
    private static Status status(Random random, long at) {
        var state = ReservationState.values()[random.nextInt(ReservationState.values().length)];
        var hold = state == ReservationState.HELD ? OptionalLong.of(NOW + 1000) : OptionalLong.empty();
        var approval = state == ReservationState.PENDING
                ? Optional.of(new Approval(List.of(Ask.ofPolicy("large")), NOW + 1000))
                : Optional.<Approval>empty();
        return new Status(
                state,
                Optional.empty(),
                hold,
                OptionalLong.empty(),
                NOW,
                at,
                0,
                Set.of(),
                MoveHistory.NONE,
                approval,
                Optional.empty());
    }

    @Test
    void outagesInARangeAreFound() {
        var random = new Random(6);
        var all = new ArrayList<Outage>();
        for (int i = 0; i < 100; i++) {
            var outage = samples.outage(cluster.id(), NOW + random.nextInt(1000));
            append(new OutageEvent(Type.OUTAGE_RECORDED, outage, NOW + i));
            if (random.nextBoolean()) {
                long end = Math.min(outage.to().orElse(Long.MAX_VALUE), NOW + random.nextInt(2000));
                append(new OutageEvent(Type.OUTAGE_ENDED, outage.ended(end), NOW));
                all.add(outage.ended(end));
            } else {
                all.add(outage);
            }
        }
        for (int i = 0; i < 100; i++) {
            var range = Slot.of(NOW - 10 + random.nextInt(2200), 1 + random.nextInt(300));
            assertThat(records.outages(cluster.id(), range))
                    .as(range.toString())
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().filter(one -> wasOut(one, range)).toList());
        }
        var newest = records.outages(cluster.id(), Optional.empty(), 60);
        var rest = records.outages(cluster.id(), Optional.of(newest.getLast().id()), 60);
        assertThat(newest).containsExactlyElementsOf(all.reversed().subList(0, 60));
        assertThat(rest).containsExactlyElementsOf(all.reversed().subList(60, 100));
    }

    private static boolean wasOut(Outage outage, Slot range) {
        long end = outage.endedAt().orElse(outage.slot().end());
        return outage.from() < end && new Slot(outage.from(), end).overlaps(range);
    }

    @Test
    void statisticsAddUpTheEventsOfTheRange() {
        // ready at once and started after 300 s: a run of 600 s was slowed down by 1.5, one of 100 s by 4
        var begun = new Slot(NOW + 300, NOW + 900);
        recordEnd(Type.COMPLETED, running(begun, usd("10.00")).becomes(ReservationState.COMPLETED, NOW + 900));
        recordEnd(Type.COMPLETED, running(begun, usd("20.00")).becomes(ReservationState.COMPLETED, NOW + 400));
        // without a run there is no slowdown
        recordEnd(Type.COMPLETED, running(begun, usd("5.00")).becomes(ReservationState.COMPLETED, NOW + 300));
        recordEnd(Type.COMPLETED, running(begun, eur("1.00")).becomes(ReservationState.COMPLETED, NOW + 900));
        // half of it was lost
        var lost = running(begun, usd("6.00"));
        var losses = new Losses(lost.placement().work() / 2, NOW + 700, List.of());
        recordEnd(
                Type.COMPLETED,
                lost.with(lost.placement().with(losses))
                        .becomes(ReservationState.COMPLETED, NOW + 900)
                        .withoutLosses(price -> price));
        recordEnd(Type.RELEASED, running(begun, usd("3.00")).released(NOW + 900));
        recordEnd(Type.CANCELLED, running(begun, usd("4.00")).becomes(ReservationState.CANCELLED, NOW + 600));
        recordEnd(Type.FAILED, running(begun, usd("7.00")).failed(EndReason.PES_LOST, usd("7.50"), NOW + 900));
        var waiting = Samples.reservation(cluster.id(), Status.confirmed(NOW), begun);
        recordEnd(Type.FAILED, waiting.failed(EndReason.PES_LOST, usd("0.25"), NOW + 1));
        var held = Samples.reservation(cluster.id(), Status.held(NOW + 60, NOW), begun);
        recordEnd(Type.EXPIRED, held.becomes(ReservationState.EXPIRED, NOW + 60));
        ledger.countRefusals(cluster.id(), Map.of(new Refusals(NOW, RefusalCode.NO_SLOT), 4L));

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 901)))
                .isEqualTo(new Statistics(
                        new Decisions(10, Map.of("no-slot", 4L), 0),
                        List.of(eur("1.00"), usd("45.00")),
                        List.of(usd("10.75")),
                        // of 1.5, 4, 1.5 and 1.5
                        new Quality(5, 2, OptionalDouble.of(8.5 / 4), OptionalDouble.empty()),
                        future(10),
                        NO_JOBS));
        assertThat(records.statistics(cluster.id(), new Slot(NOW + 1, NOW + 400)))
                .isEqualTo(new Statistics(
                        new Decisions(0, Map.of("no-slot", 4L), 0),
                        List.of(usd("5.00")),
                        List.of(usd("0.25")),
                        new Quality(1, 1, OptionalDouble.empty(), OptionalDouble.empty()),
                        future(0),
                        NO_JOBS));
        assertThat(records.statistics(cluster.id(), new Slot(NOW + 7200, NOW + 9000)))
                .isEqualTo(new Statistics(
                        new Decisions(0, Map.of(), 0),
                        List.of(),
                        List.of(),
                        new Quality(0, 0, OptionalDouble.empty(), OptionalDouble.empty()),
                        future(0),
                        NO_JOBS));
    }

    @Test
    void thePausesOfASplitRunSlowItDownAndTakeNoPes() {
        // ready at once, on one PE from 100 to 300 and from 700 to 900
        var run = inParts(Status.confirmed(NOW), new Slot(NOW + 100, NOW + 300), new Slot(NOW + 700, NOW + 900));
        var ended = run.becomes(ReservationState.RUNNING, NOW + 100).becomes(ReservationState.COMPLETED, NOW + 800);
        recordEnd(Type.COMPLETED, ended);

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 901))
                        .quality()
                        .meanSlowdown())
                .hasValue(800.0 / 300);
        var taken = new ArrayList<Occupied>();
        records.occupied(cluster.id(), new Slot(NOW, NOW + 900), Whose.ALL, taken::add);
        assertThat(taken)
                .containsExactlyInAnyOrder(
                        occupied(ended, new Slot(NOW + 100, NOW + 300), 1),
                        occupied(ended, new Slot(NOW + 700, NOW + 800), 1));
        records.occupied(
                cluster.id(), new Slot(NOW + 300, NOW + 700), Whose.ALL, found -> fail("nothing is taken: " + found));
    }

    private Reservation inParts(Status status, Slot first, Slot second) {
        var terms = new Terms(
                new Window(NOW, second.end()),
                first.duration() + second.duration(),
                List.of(new Shape(1, first.duration() + second.duration())),
                Optional.empty(),
                Optional.of(new Preemption(OptionalInt.empty(), new BigDecimal("0.5"), false)),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
        return new Reservation(
                Samples.reservationId(),
                cluster.id(),
                new Origin(ALICE, ServiceClass.STANDARD),
                terms,
                Placement.of(List.of(Part.whole(first, 1), Part.whole(second, 1)), NOW),
                Charge.of(usd("1.00")),
                status,
                Optional.empty());
    }

    @Test
    void theMeanPhiIsTheMeanDistanceOfAlternativesInEitherDirection() {
        append(accepted(alternative("0.5")), accepted(alternative("-0.25")));
        append(accepted(Samples.reservation(cluster.id(), Status.confirmed(NOW))));
        var third = alternative("0.75");
        var moved = third.moved(third.placement(), usd("1.00"), NOW);
        append(accepted(third), new ReservationEvent(Type.RENEGOTIATED, moved, NOW));

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 1))
                        .quality()
                        .meanPhi())
                .hasValue(0.5);
    }

    private Reservation alternative(String phi) {
        var plain = Samples.reservation(cluster.id(), Status.confirmed(NOW));
        var origin = new Origin(ALICE, ServiceClass.STANDARD).accepting(new BigDecimal(phi));
        return new Reservation(
                plain.id(),
                plain.cluster(),
                origin,
                plain.terms(),
                plain.placement(),
                plain.charge(),
                plain.status(),
                Optional.empty());
    }

    @Test
    void aTooLargeSumBecomesTheLargestAmount() {
        var most = usd("9".repeat(Money.MAX_DIGITS));
        var begun = new Slot(NOW + 300, NOW + 900);
        recordEnd(Type.COMPLETED, running(begun, most).becomes(ReservationState.COMPLETED, NOW + 900));
        recordEnd(Type.COMPLETED, running(begun, most).becomes(ReservationState.COMPLETED, NOW + 900));

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 901)).revenue())
                .containsExactly(most);
    }

    @Test
    void statisticsCountAConfirmedHoldOnceAndEachOfItsMoves() {
        var held = Samples.reservation(cluster.id(), Status.held(NOW + 60, NOW));
        var confirmed = held.becomes(ReservationState.CONFIRMED, NOW + 30);
        var moved = confirmed.moved(confirmed.placement(), usd("1.00"), NOW + 40);
        var again = moved.moved(moved.placement(), usd("1.00"), NOW + 50);
        append(
                new ReservationEvent(Type.HELD, held, NOW),
                new ReservationEvent(Type.CONFIRMED, confirmed, NOW + 30),
                new ReservationEvent(Type.MOVED, moved, NOW + 40),
                new ReservationEvent(Type.MOVED, again, NOW + 50));

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 100)))
                .isEqualTo(new Statistics(
                        new Decisions(1, Map.of(), 2),
                        List.of(),
                        List.of(),
                        new Quality(0, 0, OptionalDouble.empty(), OptionalDouble.empty()),
                        future(1),
                        NO_JOBS));
    }

    private static final JobFigures NO_JOBS = new JobFigures(0, 0, 0, 0, OptionalDouble.empty());

    private static StartFigures future(long number) {
        return new StartFigures(0, number, OptionalDouble.empty());
    }

    @Test
    void statisticsCountImmediateStartsAndTheMeanOffsetOfActualStarts() {
        var atOnce = Samples.reservation(cluster.id(), Status.confirmed(NOW), new Slot(NOW, NOW + 600));
        var later = Samples.reservation(cluster.id(), Status.confirmed(NOW), new Slot(NOW + 100, NOW + 600));
        var moved = later.moved(
                Placement.of(List.of(Part.whole(new Slot(NOW + 160, NOW + 660), 1)), NOW), usd("1.00"), NOW + 50);
        append(
                ReservationEvent.accepted(atOnce),
                ReservationEvent.accepted(later),
                ReservationEvent.became(atOnce, ReservationState.RUNNING, NOW),
                new ReservationEvent(Type.MOVED, moved, NOW + 50),
                ReservationEvent.became(moved, ReservationState.RUNNING, NOW + 160));

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 161)).starts())
                .isEqualTo(new StartFigures(1, 1, OptionalDouble.of(30)));
        assertThat(records.statistics(cluster.id(), new Slot(NOW + 1, NOW + 161))
                        .starts())
                .isEqualTo(new StartFigures(0, 0, OptionalDouble.of(60)));
    }

    @Test
    void statisticsCountBatchJobsByTheirOutcome() {
        var one = samples.job(cluster.id(), 1);
        var other = samples.job(cluster.id(), 2);
        append(
                new JobEvent(Type.JOB_QUEUED, one, NOW),
                new JobEvent(Type.JOB_QUEUED, other, NOW),
                new JobEvent(Type.JOB_STARTED, samples.running(one), NOW + 10),
                new JobEvent(Type.JOB_CANCELLED, other.ended(JobState.CANCELLED, NOW + 20), NOW + 20),
                new JobEvent(Type.JOB_COMPLETED, samples.running(one).ended(JobState.COMPLETED, NOW + 30), NOW + 30));

        assertThat(records.statistics(cluster.id(), new Slot(NOW, NOW + 30)).jobs())
                .isEqualTo(new JobFigures(2, 1, 0, 1, OptionalDouble.of(NOW + 10 - one.submittedAt())));
        assertThat(records.statistics(cluster.id(), new Slot(NOW + 30, NOW + 31))
                        .jobs())
                .isEqualTo(new JobFigures(0, 0, 1, 0, OptionalDouble.empty()));
    }

    private Reservation running(Slot slot, Money price) {
        return Samples.reservation(cluster.id(), Status.confirmed(NOW), slot, price)
                .becomes(ReservationState.RUNNING, slot.start());
    }

    /** Records that a reservation was accepted as requested, and its end. */
    private void recordEnd(Type how, Reservation ended) {
        var status = Status.confirmed(NOW);
        var accepted = new Reservation(
                ended.id(),
                ended.cluster(),
                ended.origin(),
                ended.terms(),
                ended.placement(),
                ended.charge(),
                status,
                Optional.empty());
        append(
                accepted(accepted),
                new ReservationEvent(how, ended, ended.status().updatedAt()));
    }

    @Test
    void refusalsAreAddedUpAndReadByWholeHours() {
        ledger.countRefusals(
                cluster.id(),
                Map.of(
                        new Refusals(NOW, RefusalCode.NO_SLOT),
                        2L,
                        new Refusals(NOW + 3600, RefusalCode.NEVER_FITS),
                        1L));
        ledger.countRefusals(
                cluster.id(),
                Map.of(new Refusals(NOW, RefusalCode.NO_SLOT), 3L, new Refusals(NOW, RefusalCode.OVER_BUDGET), 1L));

        assertThat(refused(NOW, NOW + 1)).isEqualTo(Map.of("no-slot", 5L, "over-budget", 1L));
        assertThat(refused(NOW + 3599, NOW + 3600)).isEqualTo(Map.of("no-slot", 5L, "over-budget", 1L));
        assertThat(refused(NOW + 3600, NOW + 3601)).isEqualTo(Map.of("never-fits", 1L));
        assertThat(refused(NOW + 3599, NOW + 3601))
                .isEqualTo(Map.of("no-slot", 5L, "over-budget", 1L, "never-fits", 1L));
        assertThat(refused(NOW - 3600, NOW)).isEmpty();
    }

    private Map<String, Long> refused(long from, long to) {
        return records.statistics(cluster.id(), new Slot(from, to)).decisions().refused();
    }

    private static Money eur(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("EUR"));
    }

    private static Event accepted(Reservation reservation) {
        return ReservationEvent.accepted(reservation);
    }

    private void append(Event... events) {
        append(List.of(events), List.of());
    }

    private void append(List<Event> events, List<RecordedKey> keys) {
        var batch = new Batch(cluster.id(), epoch, appended.size(), events, keys);
        assertThat(ledger.append(batch)).isEqualTo(new Outcome.Committed());
        appended.addAll(events);
    }

    /** Returns the events of the cluster as readers of all events see them. */
    private List<Event> history() {
        return recorded().stream()
                .map(recorded -> ((RecordedEvent.Whole) recorded).event())
                .toList();
    }

    private List<RecordedEvent> recorded() {
        Map<ClusterId, Long> positions = new HashMap<>();
        ledger.clusters().forEach(other -> positions.put(other.id(), Long.MAX_VALUE));
        positions.remove(cluster.id());
        return records.events(positions, Whose.ALL, 1000);
    }
}

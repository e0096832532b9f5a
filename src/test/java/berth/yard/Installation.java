package berth.yard;

import berth.booking.Coallocation;
import berth.booking.CoallocationState;
import berth.booking.CoallocationStore;
import berth.booking.CollectedRequest;
import berth.booking.IntakeStore;
import berth.booking.WholeBroker;
import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.Dues;
import berth.budget.Grant;
import berth.cluster.Cluster;
import berth.engine.BudgetStore;
import berth.engine.KeyUse;
import berth.engine.MemoryLedger;
import berth.engine.Records.Whose;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.peers.MirrorStore;
import berth.peers.Peer;
import berth.peers.PeerStore;
import berth.peers.Question;
import berth.peers.QuestionStore;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.scheduling.Event.ReservationEvent;
import berth.series.Maintenance;
import berth.series.MaintenanceStore;
import berth.series.Series;
import berth.series.SeriesState;
import berth.series.SeriesStore;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The part of a Berth that survives every crash: its database, in memory. It records what it gets; faults on the way are not its concern.
 */
final class Installation {

    private final UUID id;
    private final List<Peer> peers;
    private final MemoryLedger ledger;
    private List<Grant> grants = List.of();
    private final Map<UUID, Coallocation> coallocations = new LinkedHashMap<>();
    private final Map<ReservationId, CollectedRequest> requests = new LinkedHashMap<>();
    private final Map<ReservationId, Mirror> mirrors = new LinkedHashMap<>();
    private final Map<UUID, Question> open = new LinkedHashMap<>();
    private final Map<ReservationId, Integer> attempts = new HashMap<>();
    private final Map<SeriesId, Series> series = new LinkedHashMap<>();
    private final Map<UUID, Maintenance> maintenances = new LinkedHashMap<>();
    private Consumer<Mirror> told = _ -> {};

    /** The project with a budget, if there is one. */
    static final String PROJECT = "climate";

    /**
     * Creates an installation.
     *
     * @param peers the clusters of other Berths known here
     */
    Installation(int number, List<Cluster> clusters, List<Peer> peers) {
        id = new UUID(0, number);
        this.peers = peers;
        ledger = new MemoryLedger(clusters.toArray(Cluster[]::new));
        ledger.countMirrored(this::mirrored);
    }

    /** Grants the project that amount permanently. */
    void grant(BigDecimal amount) {
        grants = List.of(new Grant(
                PROJECT,
                "all",
                BudgetUnit.of("USD"),
                amount,
                BigDecimal.ZERO,
                0,
                Long.MAX_VALUE,
                new AccountName("admin"),
                0,
                Optional.empty()));
    }

    BudgetStore budgetStore() {
        return new Granted();
    }

    /** Grants that do not change, and the sum of the ledger's entries. */
    private final class Granted implements BudgetStore {

        @Override
        public List<Grant> grants() {
            return grants;
        }

        @Override
        public void add(Grant grant) {
            throw new AssertionError("Nobody grants more.");
        }

        @Override
        public void end(Grant grant) {
            throw new AssertionError("What is granted lasts.");
        }

        @Override
        public BudgetUse spent(String project, BudgetUnit unit, Map<ClusterId, Long> upTo, long before) {
            var spent = BudgetUse.NOTHING;
            Map<ReservationId, Dues> last = new HashMap<>();
            for (var cluster : upTo.keySet()) {
                var history = ledger.history(cluster);
                for (var event : history.subList(0, upTo.get(cluster).intValue())) {
                    if (event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)
                            && after.origin().project().equals(Optional.of(project))) {
                        var was = last.getOrDefault(after.id(), Dues.none(after.price()));
                        spent = spent.with(unit, was, Dues.of(after));
                        last.put(after.id(), Dues.of(after));
                    }
                }
            }
            return spent;
        }
    }

    MemoryLedger ledger() {
        return ledger;
    }

    List<Coallocation> coallocations() {
        return List.copyOf(coallocations.values());
    }

    List<Mirror> mirrors() {
        return List.copyOf(mirrors.values());
    }

    /** Returns the questions to other Berths without a known result. */
    List<Question> questions() {
        return List.copyOf(open.values());
    }

    /** Returns the places of an account's live mirrors. */
    List<Part> mirrored(AccountName owner, long now) {
        return mirrors.values().stream()
                .filter(mirror ->
                        mirror.origin().owner().equals(owner) && mirror.state().isLive() && mirror.end() > now)
                .map(mirror -> Part.whole(
                        new Slot(mirror.start(), mirror.end()),
                        mirror.last().answer().path("placement").path("pes").asInt()))
                .toList();
    }

    /** Returns what other accounts have at other Berths or have requested without a cluster. */
    List<ReservationId> ofOthers(AccountName account) {
        return Stream.concat(
                        mirrors.values().stream()
                                .filter(each -> !each.origin().owner().equals(account))
                                .map(Mirror::id),
                        requests().stream()
                                .filter(each -> !each.origin().owner().equals(account))
                                .map(IntakeRequest::id))
                .toList();
    }

    /** Passes each recorded mirror to a watcher. */
    void tell(Consumer<Mirror> watch) {
        told = watch;
    }

    /** Returns the requests without a cluster. */
    List<IntakeRequest> requests() {
        return requests.values().stream().map(CollectedRequest::request).toList();
    }

    WholeBroker.Stores stores() {
        return new WholeBroker.Stores(new Mirrors(), new Questions(), new Coallocations(), new Requests(), new Peers());
    }

    List<Series> series() {
        return List.copyOf(series.values());
    }

    List<Maintenance> maintenances() {
        return List.copyOf(maintenances.values());
    }

    SeriesStore seriesStore() {
        return new SeriesRows();
    }

    MaintenanceStore maintenanceStore() {
        return new MaintenanceRows();
    }

    private void file(Optional<KeyUse> key, UUID what) {
        key.ifPresent(use -> ledger.file(use, what));
    }

    private final class Coallocations implements CoallocationStore {

        @Override
        public void create(Coallocation coallocation, Optional<KeyUse> key) {
            coallocations.put(coallocation.id(), coallocation);
            file(key, coallocation.id());
        }

        @Override
        public void update(Coallocation coallocation) {
            coallocations.put(coallocation.id(), coallocation);
        }

        @Override
        public Optional<Coallocation> find(UUID wanted) {
            return Optional.ofNullable(coallocations.get(wanted));
        }

        @Override
        public boolean isPart(ReservationId reservation) {
            throw new AssertionError("Nobody asks.");
        }

        @Override
        public boolean isAnyOpen() {
            return coallocations.values().stream()
                    .anyMatch(coallocation -> !coallocation.isFinished() || coallocation.isWatched());
        }

        @Override
        public List<Coallocation> unfinished() {
            return coallocations.values().stream()
                    .filter(coallocation -> !coallocation.isFinished())
                    .toList();
        }

        @Override
        public List<Coallocation> broken() {
            return coallocations.values().stream()
                    .filter(Coallocation::isWatched)
                    .filter(coallocation -> coallocation.parts().stream().anyMatch(this::hasFailed))
                    .toList();
        }

        private boolean hasFailed(Coallocation.Part part) {
            return state(part)
                    .filter(state -> state == ReservationState.FAILED || state == ReservationState.EXPIRED)
                    .isPresent();
        }

        @Override
        public List<ReservationId> watchedElsewhere() {
            return coallocations.values().stream()
                    .filter(Coallocation::isWatched)
                    .flatMap(coallocation -> coallocation.parts().stream())
                    .map(Coallocation.Part::reservation)
                    .filter(part -> mirrors.containsKey(part)
                            && mirrors.get(part).state().isLive())
                    .toList();
        }

        @Override
        public void forgetEnded() {
            coallocations.replaceAll((_, present) ->
                    present.isWatched() && present.parts().stream().noneMatch(this::isLive)
                            ? new Coallocation(
                                    present.id(),
                                    present.owner(),
                                    present.name(),
                                    present.project(),
                                    present.state(),
                                    present.start(),
                                    present.parts(),
                                    present.isFinished(),
                                    false,
                                    present.createdAt(),
                                    present.updatedAt())
                            : present);
        }

        private boolean isLive(Coallocation.Part part) {
            return state(part).filter(ReservationState::isLive).isPresent();
        }

        private Optional<ReservationState> state(Coallocation.Part part) {
            return ledger.find(part.reservation())
                    .map(Reservation::state)
                    .or(() ->
                            Optional.ofNullable(mirrors.get(part.reservation())).map(Mirror::state));
        }
    }

    /** Whether its parts must still be confirmed or cancelled. */
    static boolean isOpen(Coallocation coallocation) {
        return !coallocation.isFinished() || coallocation.state() == CoallocationState.CONFIRMING;
    }

    private final class Requests implements IntakeStore {

        @Override
        public void create(CollectedRequest collected, Optional<KeyUse> key) {
            requests.put(collected.request().id(), collected);
            ledger.collect(collected.request());
            file(key, collected.request().id().value());
        }

        @Override
        public void end(CollectedRequest ended, Optional<KeyUse> key) {
            requests.put(ended.request().id(), ended);
            ledger.collect(ended.request());
            file(key, ended.request().id().value());
        }

        @Override
        public List<CollectedRequest> waiting() {
            return requests.values().stream()
                    .filter(collected -> collected.request().state() == IntakeRequest.State.PENDING)
                    .toList();
        }
    }

    private final class Mirrors implements MirrorStore {

        @Override
        public void create(Mirror mirror, Question answered, Optional<KeyUse> key) {
            if (ledger.find(mirror.id()).isPresent()) {
                throw new AssertionError("A reservation %s exists in this Berth already.".formatted(mirror.id()));
            }
            mirrors.put(mirror.id(), mirror);
            open.remove(answered.key());
            file(key, mirror.id().value());
            told.accept(mirror);
        }

        @Override
        public void update(Mirror mirror) {
            mirrors.replace(mirror.id(), mirror);
        }

        @Override
        public void remove(ReservationId removed, String own) {
            mirrors.remove(removed);
            ledger.forget(removed.value(), own);
        }

        @Override
        public Optional<Mirror> find(ReservationId wanted) {
            return Optional.ofNullable(mirrors.get(wanted));
        }

        @Override
        public long digest(Whose whose, long from) {
            throw new AssertionError("Nobody reads feeds.");
        }

        @Override
        public List<Mirror> owing() {
            return mirrors.values().stream()
                    .filter(mirror -> mirror.owed() != Mirror.Owed.NOTHING)
                    .toList();
        }

        @Override
        public boolean isInUse(ClusterId cluster) {
            throw new AssertionError("Nobody removes a peer.");
        }
    }

    private final class Questions implements QuestionStore {

        @Override
        public Question ask(ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt) {
            int attempt = attempts.merge(reservation, 1, Integer::sum);
            var question =
                    new Question(Question.key(reservation, attempt), reservation, cluster, body, askedAt, endsAt);
            open.put(question.key(), question);
            return question;
        }

        @Override
        public void close(Question question) {
            open.remove(question.key());
        }

        @Override
        public List<Question> open() {
            return List.copyOf(open.values());
        }

        @Override
        public void requireWriter() {
            // its session takes care of that
        }
    }

    private final class Peers implements PeerStore {

        @Override
        public UUID instance() {
            return id;
        }

        @Override
        public List<Peer> all() {
            return peers;
        }

        @Override
        public void put(Peer peer) {
            throw new AssertionError("The peers are there from the beginning.");
        }

        @Override
        public OptionalInt lastVersion(ClusterId id) {
            return OptionalInt.empty();
        }

        @Override
        public void remove(ClusterId removed) {
            throw new AssertionError("Nobody removes a peer.");
        }
    }

    private final class SeriesRows implements SeriesStore {

        @Override
        public void create(Series created, Optional<KeyUse> key) {
            if (series.putIfAbsent(created.id(), created) != null) {
                throw new AssertionError("There is such a series already: " + created);
            }
            file(key, created.id().value());
        }

        @Override
        public void update(Series updated) {
            if (series.replace(updated.id(), updated) == null) {
                throw new AssertionError("There is no such series any more: " + updated);
            }
        }

        @Override
        public void delete(SeriesId deleted) {
            series.remove(deleted);
        }

        @Override
        public Optional<Series> find(SeriesId wanted) {
            return Optional.ofNullable(series.get(wanted));
        }

        @Override
        public List<Series> list(Whose whose, Optional<SeriesId> olderThan, int limit) {
            return series.values().stream()
                    .filter(one -> whose.owner().isEmpty()
                            || whose.owner().get().equals(one.origin().owner()))
                    .toList()
                    .reversed()
                    .stream()
                    .limit(limit)
                    .toList();
        }

        @Override
        public List<Series> atWork() {
            return series.values().stream()
                    .filter(one -> one.state() != SeriesState.DECIDED)
                    .toList();
        }

        @Override
        public int atWork(AccountName owner) {
            return (int) atWork().stream()
                    .filter(one -> one.origin().owner().equals(owner))
                    .count();
        }

        @Override
        public List<Reservation> booked(SeriesId wanted) {
            return ledger.reservations().stream()
                    .filter(one -> isOf(wanted, one.origin()))
                    .toList();
        }

        @Override
        public List<IntakeRequest> refused(SeriesId wanted) {
            return ledger.requests().stream()
                    .filter(one -> isOf(wanted, one.origin()))
                    .toList();
        }

        private static boolean isOf(SeriesId wanted, Origin origin) {
            return origin.occurrence()
                    .filter(one -> one.series().equals(wanted))
                    .isPresent();
        }
    }

    private final class MaintenanceRows implements MaintenanceStore {

        @Override
        public void create(Maintenance created, Optional<KeyUse> key) {
            if (maintenances.putIfAbsent(created.id(), created) != null) {
                throw new AssertionError("There is such a maintenance already: " + created);
            }
            file(key, created.id());
        }

        @Override
        public void update(Maintenance updated) {
            maintenances.replace(updated.id(), updated);
        }

        @Override
        public Optional<Maintenance> find(UUID wanted) {
            return Optional.ofNullable(maintenances.get(wanted));
        }

        @Override
        public List<Maintenance> of(ClusterId cluster) {
            return maintenances.values().stream()
                    .filter(one -> one.cluster().equals(cluster))
                    .toList()
                    .reversed();
        }

        @Override
        public List<Maintenance> atWork() {
            return maintenances.values().stream()
                    .filter(one -> one.recorded() < one.planned().size())
                    .toList();
        }
    }
}

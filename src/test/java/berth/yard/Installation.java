package berth.yard;

import berth.broker.Coallocation;
import berth.broker.CoallocationState;
import berth.broker.CoallocationStore;
import berth.broker.Collected;
import berth.broker.IntakeStore;
import berth.broker.Mirror;
import berth.broker.MirrorStore;
import berth.broker.Peer;
import berth.broker.PeerStore;
import berth.broker.Question;
import berth.broker.QuestionStore;
import berth.broker.WholeBroker;
import berth.cluster.Cluster;
import berth.desk.KeyUse;
import berth.desk.MemoryLedger;
import berth.desk.Records.Filter;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** What survives every crash of a Berth: its database, in memory. Keeps what it is told; what goes wrong on the way there is not its matter. */
final class Installation {

    private final UUID id = new UUID(0, 1);
    private final MemoryLedger ledger;
    private final Map<UUID, Coallocation> coallocations = new LinkedHashMap<>();
    private final Map<ReservationId, Collected> requests = new LinkedHashMap<>();

    Installation(List<Cluster> clusters) {
        ledger = new MemoryLedger(clusters.toArray(Cluster[]::new));
    }

    MemoryLedger ledger() {
        return ledger;
    }

    List<Coallocation> coallocations() {
        return List.copyOf(coallocations.values());
    }

    /** Those without a cluster. */
    List<IntakeRequest> requests() {
        return requests.values().stream().map(Collected::request).toList();
    }

    WholeBroker.Stores stores() {
        return new WholeBroker.Stores(new NoMirrors(), new NoQuestions(), new Coallocations(), new Requests(), new NoPeers());
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
        public List<Coallocation> unsettled() {
            return coallocations.values().stream()
                    .filter(coallocation -> !coallocation.isSettled())
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
            return ledger.find(part.reservation())
                    .filter(reservation -> switch (reservation.state()) {
                        case FAILED, EXPIRED -> true;
                        case HELD, CONFIRMED, RUNNING, COMPLETED, CANCELLED -> false;
                    })
                    .isPresent();
        }

        @Override
        public List<ReservationId> watchedElsewhere() {
            return List.of();
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
                                    present.isSettled(),
                                    false,
                                    present.createdAt(),
                                    present.updatedAt())
                            : present);
        }

        private boolean isLive(Coallocation.Part part) {
            return ledger.find(part.reservation())
                    .filter(reservation -> reservation.state().isLive())
                    .isPresent();
        }
    }

    /** Whether its parts are to be confirmed or given up still. */
    static boolean isOpen(Coallocation coallocation) {
        return !coallocation.isSettled() || coallocation.state() == CoallocationState.CONFIRMING;
    }

    private final class Requests implements IntakeStore {

        @Override
        public void create(Collected collected, Optional<KeyUse> key) {
            requests.put(collected.request().id(), collected);
            ledger.collect(collected.request());
            file(key, collected.request().id().value());
        }

        @Override
        public void end(Collected ended, Optional<KeyUse> key) {
            requests.put(ended.request().id(), ended);
            ledger.collect(ended.request());
            file(key, ended.request().id().value());
        }

        @Override
        public List<Collected> waiting() {
            return requests.values().stream()
                    .filter(collected -> collected.request().state() == IntakeRequest.State.PENDING)
                    .toList();
        }
    }

    private static final class NoMirrors implements MirrorStore {

        @Override
        public void create(Mirror mirror, Question answered, Optional<KeyUse> key) {
            throw new AssertionError("There is no other Berth.");
        }

        @Override
        public void update(Mirror mirror) {
            throw new AssertionError("There is no other Berth.");
        }

        @Override
        public void remove(ReservationId removed) {
            throw new AssertionError("There is no other Berth.");
        }

        @Override
        public Optional<Mirror> find(ReservationId wanted) {
            return Optional.empty();
        }

        @Override
        public List<Mirror> list(Filter filter, Optional<ReservationId> olderThan, int limit) {
            return List.of();
        }

        @Override
        public List<Mirror> owing() {
            return List.of();
        }

        @Override
        public boolean isInUse(ClusterId cluster) {
            return false;
        }
    }

    private static final class NoQuestions implements QuestionStore {

        @Override
        public Question ask(
                ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt) {
            throw new AssertionError("There is no other Berth.");
        }

        @Override
        public void close(Question question) {
            throw new AssertionError("There is no other Berth.");
        }

        @Override
        public List<Question> open() {
            return List.of();
        }

        @Override
        public void requireWriter() {
            // its session sees to that
        }
    }

    private final class NoPeers implements PeerStore {

        @Override
        public UUID instance() {
            return id;
        }

        @Override
        public List<Peer> all() {
            return List.of();
        }

        @Override
        public void put(Peer peer) {
            throw new AssertionError("There is no other Berth.");
        }

        @Override
        public void remove(ClusterId removed) {
            throw new AssertionError("There is no other Berth.");
        }
    }
}

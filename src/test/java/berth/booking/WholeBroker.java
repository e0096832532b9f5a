package berth.booking;

import berth.cluster.Intake;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Rounds;
import berth.peers.BerthClient;
import berth.peers.MirrorStore;
import berth.peers.PeerStore;
import berth.peers.Peers;
import berth.peers.QuestionStore;
import berth.peers.Reply;
import berth.peers.WireTerms;
import berth.runtime.Threads;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** The whole broker, put together as in the service, for tests outside this package. */
public final class WholeBroker implements AutoCloseable {

    private final Reservations reservations;
    private final Coallocations coallocations;
    private final Renegotiations renegotiations;
    private final Probes probes;
    private final BrokerRounds rounds;
    private final Broker broker;
    private final BrokerTasks tasks;

    /** The stores of the broker. */
    public record Stores(
            MirrorStore mirrors,
            QuestionStore questions,
            CoallocationStore coallocations,
            IntakeStore requests,
            PeerStore peers) {}

    public WholeBroker(
            Desks desks,
            Records records,
            Rounds roundsOfClusters,
            Stores stores,
            Intake intake,
            Function<AccountName, AccountLimits> limits,
            WireTerms wire,
            Link link,
            Threads threads,
            InstantSource clock) {
        var holds = new HoldTimes(60, 120, 30);
        var peers = new Peers(stores.peers, new Linked(link), threads, clock);
        var mirrors = new Mirrors(peers, stores.mirrors, stores.questions, wire, threads, clock, holds);
        var admission = new AdmissionControl(desks);
        var clusters = new Clusters(desks, admission, records, peers, mirrors, wire, holds, clock);
        broker = new Broker(desks.keys(), clusters, threads, clock);
        Predicate<berth.reservation.ReservationId> isBooked =
                id -> records.find(id).isPresent() || mirrors.known(id).isPresent();
        rounds = new BrokerRounds(
                intake,
                stores.requests,
                broker::reserveOnce,
                broker::withdraw,
                isBooked,
                limits,
                _ -> {},
                desks::isWorking,
                threads,
                clock);
        var completion = new CoallocationCompletion(stores.coallocations, clusters, threads, clock);
        coallocations = new Coallocations(desks.keys(), stores.coallocations, clusters, completion, clock);
        renegotiations = new Renegotiations(desks, admission, records);
        probes = new Probes(desks, admission, clusters, broker);
        tasks = new BrokerTasks(desks, completion, mirrors, peers, stores.coallocations);
        var brokerIntake = new BrokerIntake(intake, rounds, desks, clusters, clock);
        reservations = new Reservations(
                desks, admission, records, mirrors, peers, broker, brokerIntake, roundsOfClusters, rounds);
    }

    public Reservations reservations() {
        return reservations;
    }

    public Coallocations coallocations() {
        return coallocations;
    }

    public Renegotiations renegotiations() {
        return renegotiations;
    }

    public Probes probes() {
        return probes;
    }

    /** Finishes open work on co-allocations and for other Berths, as the service does from time to time. */
    public void doTasks() {
        tasks.complete();
        tasks.pay();
        tasks.giveUp();
        tasks.refresh();
    }

    @Override
    public void close() {
        rounds.close();
        broker.close();
    }

    /** The link to other Berths. */
    public interface Link {

        /** Returns the answer of another Berth; empty if there was none. */
        Optional<Said> call(
                String berth, String path, Optional<JsonNode> body, Optional<String> key, OptionalInt version);
    }

    /** The answer of a Berth. */
    public record Said(int status, JsonNode body) {}

    private record Linked(Link link) implements BerthClient {

        private static Reply reply(Optional<Said> said) {
            return said.<Reply>map(heard -> new Reply.Heard(heard.status, heard.body))
                    .orElseGet(() -> new Reply.Silent("nothing was heard of it"));
        }

        @Override
        public Reply get(URI berth, String token, String path) {
            return reply(link.call(berth.getHost(), path, Optional.empty(), Optional.empty(), OptionalInt.empty()));
        }

        @Override
        public Reply getOpenly(URI berth) {
            throw new AssertionError("Nobody is asked who they are.");
        }

        @Override
        public Reply post(
                URI berth,
                String token,
                String path,
                Optional<JsonNode> body,
                OptionalInt version,
                Optional<String> key) {
            return reply(link.call(berth.getHost(), path, body, key, version));
        }
    }
}

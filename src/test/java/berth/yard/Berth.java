package berth.yard;

import berth.broker.CoallocationStore;
import berth.broker.IntakeStore;
import berth.broker.MirrorStore;
import berth.broker.PeerStore;
import berth.broker.QuestionStore;
import berth.broker.WholeBroker;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Rounds;
import berth.desk.SideDesk;
import berth.desk.StorageUnavailable;
import berth.desk.Timekeeper;
import berth.rest.Door;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** One process of the service, from its start to its death, put together of the classes that the real one has. */
final class Berth {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration MOST_TO_STOP = Duration.ofSeconds(30);

    private final Site site;
    private final Simulation.Process process;
    private final Set<Fault> met = EnumSet.noneOf(Fault.class);
    private final Timekeeper clock;
    private final Desks desks;
    private final Rounds rounds;
    private final WholeBroker broker;
    private final Door door;
    private boolean isStopping;

    Berth(Yard yard, Site site) {
        this.site = site;
        this.process = yard.simulation().new Process();
        var installation = site.installation();
        Function<AccountName, AccountLimits> limits = yard::limitsOf;
        var session = new Session(yard, this, installation.ledger());
        var records = session.of(Records.class, installation.ledger());
        var stores = installation.stores();
        clock = new Timekeeper(process, process::nanoTime, () -> Duration.ofNanos(process.nanoTime()));
        desks = new Desks(session, records, process, clock, PATIENCE, new SimpleMeterRegistry());
        rounds = new Rounds(desks, process, clock, limits);
        broker = new WholeBroker(
                desks,
                records,
                rounds,
                new WholeBroker.Stores(
                        session.of(MirrorStore.class, stores.mirrors()),
                        session.of(QuestionStore.class, stores.questions()),
                        session.of(CoallocationStore.class, stores.coallocations()),
                        session.of(IntakeStore.class, stores.requests()),
                        session.of(PeerStore.class, stores.peers())),
                site.anywhere(),
                limits,
                Door.WIRE,
                (to, path, body, key, version) -> yard.link(this, to, path, body, key, version),
                process,
                clock);
        door = new Door(desks, broker.reservations(), clock, yard::id);
        process.begin("start", () -> start(yard));
    }

    private void start(Yard yard) {
        try {
            desks.recover(site.first());
        } catch (StorageUnavailable e) {
            // as a service that cannot start ends; whoever watches over it starts it again
            process.die();
            return;
        }
        while (true) {
            try {
                process.sleep(Duration.ofSeconds(2));
            } catch (InterruptedException e) {
                return;
            }
            broker.settle();
        }
    }

    /** Ends it as the service ends that is asked to: for so long it may take. */
    void stop() {
        if (isStopping) {
            return;
        }
        isStopping = true;
        process.begin("stop", () -> {
            rounds.close();
            desks.close();
            // what was answered is on its way still
            process.pause(Duration.ofSeconds(1));
            // interrupts threads in an order that is no seed's: none of them goes on
            broker.close();
            process.die();
        });
        process.begin("killer", () -> {
            process.pause(MOST_TO_STOP);
            process.die();
        });
    }

    boolean isStopping() {
        return isStopping;
    }

    Site site() {
        return site;
    }

    /** What it answers another Berth, which has an account here. */
    WholeBroker.Said asked(
            AccountName caller, String path, Optional<JsonNode> body, Optional<String> key, OptionalInt version) {
        try {
            if (desks.isWorking()) {
                var said = door.call(caller, path, body, key, version);
                return new WholeBroker.Said(said.status(), said.body());
            }
        } catch (StorageUnavailable | SideDesk.Overloaded | SideDesk.Unanswered e) {
            // it says so
        }
        return new WholeBroker.Said(503, JsonNodeFactory.instance.objectNode());
    }

    Timekeeper clock() {
        return clock;
    }

    Simulation.Process process() {
        return process;
    }

    Desks desks() {
        return desks;
    }

    WholeBroker broker() {
        return broker;
    }

    /** It has met with a fault. */
    void met(Fault fault) {
        met.add(fault);
    }

    /** With what it has met since this was last asked. */
    Set<Fault> met() {
        var since = EnumSet.copyOf(met);
        met.clear();
        return since;
    }
}

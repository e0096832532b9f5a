package berth.yard;

import berth.booking.CoallocationStore;
import berth.booking.IntakeStore;
import berth.booking.WholeBroker;
import berth.budget.BudgetMode;
import berth.engine.AdmissionControl;
import berth.engine.BudgetStore;
import berth.engine.Budgets;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Rounds;
import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.SharedInstance;
import berth.instances.WriterRole;
import berth.peers.MirrorStore;
import berth.peers.PeerStore;
import berth.peers.QuestionStore;
import berth.reservation.ReservationId;
import berth.runtime.Gate;
import berth.runtime.StorageUnavailable;
import berth.runtime.Timekeeper;
import berth.series.MaintenanceStore;
import berth.series.SeriesStore;
import berth.series.WholeSeries;
import berth.service.Door;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A process of the service from start to end, assembled from the classes of the real one. */
final class Berth {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration MAX_TO_STOP = Duration.ofSeconds(30);

    private static final Duration LEASE = Duration.ofSeconds(5);

    private final Yard yard;
    private final Site site;
    private final Simulation.Process process;
    private final Session session;
    private final Optional<SharedInstance> member;
    private final UUID id;
    private final Set<Fault> met = EnumSet.noneOf(Fault.class);
    private final Timekeeper clock;
    private final Desks desks;
    private final Rounds rounds;
    private final WholeBroker broker;
    private final Door door;
    private final WholeSeries series;
    private boolean isStopping;
    private boolean hasTasks;

    /** The period in which it and its database cannot reach each other. */
    private Duration cutOffFrom = Duration.ZERO;

    private Duration cutOffUntil = Duration.ZERO;

    /**
     * Creates a process.
     *
     * @param isOneOfSeveral whether it stands by until it becomes active
     */
    Berth(Yard yard, Site site, boolean isOneOfSeveral) {
        this.yard = yard;
        this.site = site;
        this.process = yard.simulation().new Process();
        var installation = site.installation();
        Function<AccountName, AccountLimits> limits = yard::limitsOf;
        session = new Session(yard, this, installation.ledger());
        var records = session.of(Records.class, installation.ledger());
        var stores = installation.stores();
        clock = new Timekeeper(process, process::nanoTime, () -> Duration.ofNanos(process.nanoTime()));
        var budgets = new Budgets(session.of(BudgetStore.class, installation.budgetStore()));
        budgets.heed(yard.budget().isPresent() ? Map.of(Installation.PROJECT, BudgetMode.ENFORCE) : Map.of());
        yard.oversight().ifPresent(budgets::heed);
        desks = new Desks(session, records, budgets, process, clock, PATIENCE, new SimpleMeterRegistry());
        rounds = new Rounds(desks, new AdmissionControl(desks), process, clock, limits);
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
        series = new WholeSeries(
                desks,
                records,
                session.of(SeriesStore.class, installation.seriesStore()),
                session.of(MaintenanceStore.class, installation.maintenanceStore()),
                limits,
                () -> new ReservationId(yard.id()),
                process,
                clock);
        id = isOneOfSeveral ? yard.id() : new UUID(0, 0);
        member = isOneOfSeveral ? Optional.of(member()) : Optional.empty();
        process.begin("start", () -> member.ifPresentOrElse(SharedInstance::standBy, this::start));
    }

    private void start() {
        try {
            open();
        } catch (StorageUnavailable e) {
            // a service that cannot start ends, and its supervisor starts it again
            process.die();
        }
    }

    private void open() {
        desks.recover(site.first());
        if (!hasTasks) {
            hasTasks = true;
            process.begin("tasks", () -> again(Duration.ofSeconds(2), broker::doTasks));
            if (yard.swarm().isRecurring()) {
                process.begin("series", () -> again(Duration.ofSeconds(10), series::advance));
            }
        }
    }

    private void again(Duration pause, Runnable work) {
        while (true) {
            try {
                process.sleep(pause);
            } catch (InterruptedException e) {
                return;
            }
            work.run();
        }
    }

    private SharedInstance member() {
        var now = process.instant();
        var self = new Instance(id, id.toString(), URI.create("http://" + id), "", Instance.State.STANDBY, now, now);
        return new SharedInstance(
                () -> site.members().open(this), new Place(), () -> self, LEASE, process, new SimpleMeterRegistry());
    }

    /** The work of the active process. */
    private final class Place implements WriterRole {

        @Override
        public void rehearse() {
            // nothing is faster the second time here
        }

        @Override
        public void follow() {
            // accounts do not change here
        }

        @Override
        public void take() {
            try {
                session.take();
            } catch (StorageUnavailable e) {
                throw new Refused(e.toString());
            }
        }

        @Override
        public void open() {
            Berth.this.open();
        }

        @Override
        public void replaced(String successor) {
            process.die();
        }

        @Override
        public void leave() {
            rounds.close();
            desks.close();
        }
    }

    /** Returns the id, which no other instance has. */
    UUID id() {
        return id;
    }

    /** Returns which instance answers a call that has arrived here. */
    Instances.Turn turn() {
        return member.map(SharedInstance::turn).orElseGet(Instances.Turn.Here::new);
    }

    /** Whether it answers calls itself. */
    boolean isServing() {
        return process.isAlive() && desks.isRecovered() && turn() instanceof Instances.Turn.Here;
    }

    void cutOff(Duration time) {
        cutOffFrom = yard.simulation().elapsed();
        cutOffUntil = cutOffFrom.plus(time);
    }

    /** Returns for how long it has not reached its database; zero if it does. */
    Duration cutOff() {
        var now = yard.simulation().elapsed();
        return now.compareTo(cutOffUntil) < 0 ? now.minus(cutOffFrom).plusNanos(1) : Duration.ZERO;
    }

    /** Ends it like a service that is asked to end, within the allowed time. */
    void stop() {
        if (isStopping) {
            return;
        }
        isStopping = true;
        process.begin("stop", () -> {
            member.ifPresentOrElse(SharedInstance::close, new Place()::leave);
            // answers that were given are still on their way
            process.pause(Duration.ofSeconds(1));
            // interrupts threads in an order that no seed determines, so none of them may continue
            broker.close();
            process.die();
        });
        process.begin("killer", () -> {
            process.pause(MAX_TO_STOP);
            process.die();
        });
    }

    boolean isStopping() {
        return isStopping;
    }

    Site site() {
        return site;
    }

    /** Returns its answer to another Berth that has an account here. */
    WholeBroker.Said asked(
            AccountName caller, String path, Optional<JsonNode> body, Optional<String> key, OptionalInt version) {
        try {
            if (isServing() && desks.isWorking()) {
                var said = door.call(caller, path, body, key, version);
                return new WholeBroker.Said(said.status(), said.body());
            }
        } catch (StorageUnavailable | Gate.Overloaded | Gate.Unanswered e) {
            // it reports the problem itself
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

    WholeSeries series() {
        return series;
    }

    /** Notes that it met with a fault. */
    void met(Fault fault) {
        met.add(fault);
    }

    /** Returns the faults that it met with since the last call. */
    Set<Fault> met() {
        var since = EnumSet.copyOf(met);
        met.clear();
        return since;
    }
}

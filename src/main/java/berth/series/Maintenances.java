package berth.series;

import berth.cluster.Outage;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Records;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Turns;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import berth.runtime.Threads;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.places.Effects;
import berth.series.Series.Planned;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the windows of maintenances as outages before the horizon of the cluster reaches them. Reservations are therefore placed around
 * them from the start, and none has to move. Thread-safe.
 */
public final class Maintenances {

    /** The most maintenances of a cluster. */
    private static final int MAX_PER_CLUSTER = 20;

    private static final Logger log = LoggerFactory.getLogger(Maintenances.class);

    /** How long to wait for another thread that works on the same maintenance. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long before the horizon reaches it a window is recorded, in seconds. */
    private static final long AHEAD = Duration.ofDays(1).toSeconds();

    private final Desks desks;
    private final Records records;
    private final MaintenanceStore store;
    private final InstantSource clock;

    /** Ensures that one thread at a time works on a maintenance. */
    private final Turns<UUID> turns;

    public Maintenances(Desks desks, Records records, MaintenanceStore store, Threads threads, InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.store = store;
        this.clock = clock;
        this.turns = new Turns<>(threads);
    }

    /**
     * What recording the windows of a maintenance within the horizon would do.
     *
     * @param before the schedule before these events
     * @param effects the cost for others
     */
    public record Preview(List<Event> events, ClusterSchedule before, Effects effects) {}

    /** Returns the effects on reservations; changes nothing. It runs beside the desk in the turn of the calling account. */
    public Outcome<Preview, Rejection> preview(Maintenance maintenance, AccountName by) {
        var outlook = desks.outlook(maintenance.cluster()).orElseThrow();
        return desks.searches().compute(by, () -> preview(maintenance, outlook));
    }

    private Outcome<Preview, Rejection> preview(Maintenance maintenance, Basis basis) {
        var events = new ArrayList<Event>();
        var next = basis;
        for (var window : maintenance.planned().subList(0, within(maintenance))) {
            switch (asked(maintenance, window).decide(next)) {
                case Decision.Accepted(var happened, var then) -> {
                    events.addAll(happened);
                    next = next.on(then);
                }
                case Decision.Rejected(var reason) -> {
                    return new Outcome.NotDone<>(reason);
                }
            }
        }
        var all = new Decision.Accepted(events, next.schedule());
        return new Outcome.Done<>(
                new Preview(events, basis.schedule(), Effects.of(all, basis.schedule(), basis.now())));
    }

    /** Returns how many windows must be recorded by now. */
    public int within(Maintenance maintenance) {
        var policy =
                desks.schedule(maintenance.cluster()).orElseThrow().cluster().policy();
        return maintenance.before(now() + policy.horizon() + AHEAD);
    }

    /** Returns the command of a window whose PEs the cluster must have. */
    private RecordOutage asked(Maintenance maintenance, Planned window) {
        return new RecordOutage(
                maintenance.outage(window),
                maintenance.downtime().pes(),
                maintenance.downtime().peIds(),
                OptionalLong.of(Math.max(window.start(), now())),
                OptionalLong.of(window.start() + maintenance.downtime().duration()),
                maintenance.downtime().reason());
    }

    /** Returns the command of a window that takes what the cluster then has of its PEs, whatever has become of the cluster. */
    private RecordOutage planned(Maintenance maintenance, Planned window) {
        return RecordOutage.planned(
                maintenance.outage(window),
                maintenance.downtime().pes(),
                maintenance.downtime().peIds(),
                Math.max(window.start(), now()),
                window.start() + maintenance.downtime().duration(),
                maintenance.downtime().reason());
    }

    /**
     * Creates a maintenance and records the windows that must be recorded by now, each separately; does nothing if the cluster would refuse
     * one of them.
     *
     * @param by the caller
     */
    public Outcome<Maintenance, Answer> create(Maintenance maintenance, AccountName by, Optional<KeyUse> key) {
        return desks.keys().once(key, this::before, Outcome.NotDone::new, turn -> {
            if (preview(maintenance, by) instanceof Outcome.NotDone(var reason)) {
                return new Outcome.NotDone<>(new Answer.Refused(reason));
            }
            if (store.of(maintenance.cluster()).size() >= MAX_PER_CLUSTER) {
                return new Outcome.NotDone<>(new Answer.Declined(new Refusal.Enough(
                        "The cluster already has %d maintenances, which is the limit. Use one rule for several days."
                                .formatted(MAX_PER_CLUSTER))));
            }
            store.create(maintenance, turn.use());
            return inTurn(maintenance.id()) instanceof Outcome.Done<Maintenance, Answer> done
                    ? done
                    // it is recorded and continues automatically
                    : new Outcome.Done<>(store.find(maintenance.id()).orElseThrow());
        });
    }

    private Optional<Outcome<Maintenance, Answer>> before(KeyResult first) {
        return first instanceof KeyResult.Filed(var id)
                ? store.find(id).map(Outcome.Done::new)
                : Optional.of(new Outcome.NotDone<>(new Answer.KeyReused()));
    }

    public Optional<Maintenance> find(UUID id) {
        return store.find(id);
    }

    /** Returns the maintenances of a cluster, newest first. */
    public List<Maintenance> of(ClusterId cluster) {
        return store.of(cluster);
    }

    /** Returns the outage of a window, if it is recorded. */
    public Optional<Outage> outage(Maintenance maintenance, Planned window) {
        return records.find(maintenance.outage(window));
    }

    /** Cancels the windows that have not begun. If that is not done, or only partly, the call can be repeated. */
    public Outcome<Maintenance, Answer> callOff(UUID id) {
        return turns.during(id, PATIENCE, () -> calledOff(store.find(id).orElseThrow()))
                .orElseGet(() -> new Outcome.NotDone<>(busy()));
    }

    private Outcome<Maintenance, Answer> calledOff(Maintenance maintenance) {
        if (!desks.isNothingInDoubt(maintenance.cluster())) {
            return new Outcome.NotDone<>(new Answer.NotDecided(
                    "Cluster %s does not answer; repeat this call in a moment.".formatted(maintenance.cluster())));
        }
        // the next window may be recorded although that is not noted yet
        var ending = maintenance.planned().stream()
                .skip(maintenance.recorded())
                .findFirst()
                .filter(next -> outage(maintenance, next).isPresent())
                .map(_ -> maintenance.recordedNext())
                .orElse(maintenance)
                .calledOff();
        store.update(ending);
        var schedule = desks.schedule(ending.cluster()).orElseThrow();
        for (var window : ending.planned()) {
            if (window.start() > now() && schedule.find(ending.outage(window)).isPresent()) {
                var answer = desks.decide(ending.cluster(), new EndOutage(ending.outage(window)));
                if (answer instanceof Answer.NotDecided(var why)) {
                    // the windows that are not recorded yet are cancelled already
                    return new Outcome.NotDone<>(new Answer.OutcomeUnknown(why));
                }
                if (!(answer instanceof Answer.Done) && !(answer instanceof Answer.Refused)) {
                    return new Outcome.NotDone<>(answer);
                }
            }
        }
        return new Outcome.Done<>(ending);
    }

    private static Answer busy() {
        return new Answer.NotDecided("The maintenance is being changed by another call; repeat this call in a moment.");
    }

    /** Records all windows that must be recorded by now. */
    void advance() {
        for (var maintenance : store.atWork()) {
            if (!desks.isWorking()) {
                return;
            }
            try {
                var unused = inTurn(maintenance.id());
            } catch (RuntimeException e) {
                log.debug(
                        "Some windows of maintenance {} are not recorded yet; Berth tries again.", maintenance.id(), e);
            }
        }
    }

    private Outcome<Maintenance, Answer> inTurn(UUID id) {
        return turns.during(id, PATIENCE, () -> recorded(store.find(id).orElseThrow()))
                .orElseGet(() -> new Outcome.NotDone<>(busy()));
    }

    private Outcome<Maintenance, Answer> recorded(Maintenance maintenance) {
        var present = maintenance;
        int within = within(present);
        while (present.recorded() < within) {
            var window = present.planned().get(present.recorded());
            boolean isOver = window.start() + present.downtime().duration() <= now();
            var answer = isOver || outage(present, window).isPresent()
                    ? new Answer.Done(List.of())
                    : desks.decide(present.cluster(), planned(present, window));
            switch (answer) {
                case Answer.Done _ -> present = present.recordedNext();
                case Answer.Refused(var reason) -> {
                    log.warn(
                            "Cluster {}: the maintenance window of {} is not recorded yet; Berth tries again: {}.",
                            present.cluster(),
                            window.date(),
                            reason);
                    return new Outcome.NotDone<>(answer);
                }
                case Answer.Declined _, Answer.KeyReused _, Answer.NotDecided _, Answer.OutcomeUnknown _ -> {
                    return new Outcome.NotDone<>(answer);
                }
            }
            store.update(present);
        }
        return new Outcome.Done<>(present);
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}

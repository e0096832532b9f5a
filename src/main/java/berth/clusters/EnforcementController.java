package berth.clusters;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.availability.PeSet;
import berth.booking.web.ClusterLookup;
import berth.booking.web.Refusals;
import berth.cluster.HostList;
import berth.engine.Agents;
import berth.engine.Agents.Agent;
import berth.engine.Agents.Machine;
import berth.engine.Agents.Turn;
import berth.engine.Desks;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.reservation.Cause;
import berth.reservation.ClusterId;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.ReservationId;
import berth.scheduling.commands.TellEnforcement;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.commands.TellEnforcement.There;
import berth.time.Slot;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Calls about enforcement: how far the reservations of a cluster are in place on the machine, as its agent reports it. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/enforcement")
class EnforcementController {

    private static final long STANDARD_LEASE = 90;
    private static final long MAX_LEASE = 3600;

    private final Desks desks;
    private final Agents agents;
    private final ClusterLookup clusters;
    private final InstantSource clock;

    EnforcementController(Desks desks, Agents agents, ClusterLookup clusters, InstantSource clock) {
        this.desks = desks;
        this.agents = agents;
        this.clusters = clusters;
        this.clock = clock;
    }

    /**
     * An agent's report on how far reservations are in place on the machine.
     *
     * @param agent name of the reporting agent, which no other agent of the cluster uses
     * @param version version of the agent's program
     * @param sequence sequence of the schedule that the agent has acted on
     * @param lease how long Berth rejects reports of other agents from now on: up to PT1H; PT1M30S if left out. PT0S gives the lease back
     * @param machine name of the machine that follows the plan, which no other machine has
     * @param nodes names of the machine's nodes that belong to the cluster. A node of a machine can belong to only one cluster
     * @param ahead how long before its start the agent puts a reservation in place at the latest
     * @param fault why the agent does not follow the plan; left out if it does
     * @param reservations the parts of reservations to report on, at most 10,000; for parts not listed, the last report stays valid
     */
    @Schema(name = "ToldEnforcement", example = "{\"agent\":\"head1\",\"reservations\":[]}")
    record ToldEnforcementBody(
            @Required @Nullable String agent,
            @Nullable String version,
            @Nullable Long sequence,
            @Nullable String lease,
            @Nullable String machine,
            @Nullable String nodes,
            @Nullable String ahead,
            @Nullable String fault,
            @Required @Nullable List<@Nullable ToldPartBody> reservations) {

        private TellEnforcement read(Fields fields) {
            return new TellEnforcement(
                    fields.each("reservations", reservations, (part, path) -> part.read(path, fields)));
        }

        private Agent who(Fields fields, long now) {
            long lasts = fields.durationUp("lease", lease).orElse(STANDARD_LEASE);
            if (lasts < 0 || lasts > MAX_LEASE) {
                fields.invalid("lease", lease, "must be PT0S to PT1H");
            }
            var early = fields.durationUp("ahead", ahead);
            if (early.isPresent() && early.getAsLong() < 0) {
                fields.invalid("ahead", ahead, "must not be negative");
            }
            if (sequence != null && sequence < 0) {
                fields.invalid("sequence", sequence, "must not be negative");
            }
            return new Agent(
                    fields.label("agent", fields.required("agent", agent, "x")).orElse(""),
                    fields.label("version", version),
                    sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence),
                    machine(fields),
                    early,
                    fields.label("fault", fault),
                    now,
                    now + lasts);
        }

        private Optional<Machine> machine(Fields fields) {
            if (machine == null && nodes == null) {
                return Optional.empty();
            }
            var name = fields.label("machine", fields.required("machine", machine, "x"));
            var list = fields.required("nodes", nodes, "n1");
            try {
                return name.map(each -> new Machine(each, Set.copyOf(HostList.expand(list))));
            } catch (IllegalArgumentException e) {
                fields.malformed("nodes", list, "must be a list of nodes such as n[1-4]: " + e.getMessage());
                return Optional.empty();
            }
        }
    }

    /**
     * State of enforcement of one part of a reservation.
     *
     * @param id id of the reservation
     * @param part number of the part, counted from 0; 0 if left out
     * @param state how far the part is in place; Berth accepts MATERIALISED, and DRIFTED for USERS_UNKNOWN, only if times and PEs match the
     *     schedule
     * @param handle name of the part on the machine
     * @param nodes its nodes, as the machine names them
     * @param cause why the part is not in place; {@code OTHER} if left out
     * @param detail the same in words
     * @param taken the PEs of the part that jobs of others have; only for {@code NODES_BUSY}. While the part runs, their PE-time is not
     *     owed, from this report until the next one on the part, but for an hour at most
     */
    @Schema(name = "ToldPart")
    record ToldPartBody(
            @Required @Nullable UUID id,
            @Nullable Integer part,
            @Required @Nullable EnforcementState state,
            @Nullable String handle,
            @JsonUnwrapped ToldPlaceBody place,
            @Nullable String nodes,
            @Nullable Cause cause,
            @Nullable String detail,
            @Nullable String taken) {

        private ReportedPart read(String path, Fields fields) {
            int number = part == null ? 0 : part;
            if (number < 0) {
                fields.invalid(path + "part", part, "must not be negative");
            }
            var report = new Report(
                    number,
                    fields.required(path + "state", state, EnforcementState.PENDING),
                    fields.label(path + "handle", handle),
                    fields.label(path + "nodes", nodes),
                    Optional.ofNullable(cause),
                    fields.label(path + "detail", detail),
                    0);
            return new ReportedPart(
                    new ReservationId(fields.required(path + "id", id, new UUID(0, 0))),
                    report,
                    report.isGiven() ? place.read(path, fields) : Optional.empty(),
                    taken(path, report, fields));
        }

        private PeSet taken(String path, Report report, Fields fields) {
            if (taken != null && !ReportedPart.mayBeTaken(report)) {
                fields.invalid(
                        path + "taken",
                        taken,
                        "needs cause NODES_BUSY and a state other than MATERIALISED; leave it out if no job of others has PEs of the part");
                return PeSet.NONE;
            }
            return Optional.ofNullable(taken)
                    .flatMap(pes -> fields.peIds(path + "taken", pes))
                    .orElse(PeSet.NONE);
        }
    }

    /**
     * Place of a part on the machine.
     *
     * @param start its start on the machine; required for MATERIALISED, and for DRIFTED with USERS_UNKNOWN
     * @param end its end on the machine; required for MATERIALISED, and for DRIFTED with USERS_UNKNOWN
     * @param peIds its PEs on the machine; required for MATERIALISED, and for DRIFTED with USERS_UNKNOWN
     */
    record ToldPlaceBody(
            @Nullable String start,
            @Nullable String end,
            @Nullable String peIds) {

        private Optional<There> read(String path, Fields fields) {
            long from = fields.instantDown(
                            path + "start", fields.required(path + "start", start, "1970-01-01T00:00:00Z"))
                    .orElse(0);
            long to = fields.instantDown(path + "end", fields.required(path + "end", end, "1970-01-01T00:00:01Z"))
                    .orElse(from + 1);
            var pes = fields.peIds(path + "peIds", fields.required(path + "peIds", peIds, "0"))
                    .orElse(PeSet.NONE);
            if (to <= from && !fields.hasErrors()) {
                fields.invalid(path + "end", end, "must be later than start");
            }
            return to > from ? Optional.of(new There(new Slot(from, to), pes)) : Optional.empty();
        }
    }

    /**
     * The agent of a cluster, and how many reservations are in place.
     *
     * @param states number of confirmed and running reservations in each state, counted by the part that runs now or comes next; without
     *     those that wait for all their PEs
     */
    @Schema(name = "Enforcement")
    record EnforcementBody(@JsonUnwrapped AgentBody agent, Map<String, Integer> states) {}

    /**
     * The agent of a cluster.
     *
     * @param agent name of the agent that reported last; null if none has reported since this instance became active
     * @param version version of the agent's program
     * @param sequence sequence of the schedule that the agent had acted on
     * @param machine name of the machine that follows the plan
     * @param nodes names of the machine's nodes that belong to the cluster
     * @param ahead how long before its start the agent puts a reservation in place at the latest
     * @param fault why the agent does not follow the plan, and what to do; null if it does
     * @param heardAt when the agent reported last
     * @param until when the agent's lease ends: earlier reports of other agents are rejected
     */
    record AgentBody(
            @Nullable String agent,
            @Nullable String version,
            @Nullable Long sequence,
            @Nullable String machine,
            @Nullable String nodes,
            @Nullable String ahead,
            @Nullable String fault,
            @Nullable Instant heardAt,
            @Nullable Instant until) {

        private static final AgentBody NONE = new AgentBody(null, null, null, null, null, null, null, null, null);

        private static AgentBody of(Agent agent) {
            return new AgentBody(
                    agent.name(),
                    Texts.orNull(agent.version()),
                    agent.sequence().isPresent() ? agent.sequence().getAsLong() : null,
                    Texts.orNull(agent.machine().map(Machine::name)),
                    Texts.orNull(agent.machine().map(machine -> HostList.fold(machine.nodes()))),
                    Texts.duration(agent.ahead()),
                    Texts.orNull(agent.fault()),
                    Texts.instant(agent.heardAt()),
                    Texts.instant(agent.until()));
        }
    }

    /** Reads which agent puts the reservations of a cluster in place on the machine, and how many are in place. */
    @GetMapping
    EnforcementBody readEnforcement(@PathVariable String cluster) {
        return body(clusters.id(cluster));
    }

    /**
     * Reports how far reservations are in place on the machine. Agents make this call. Berth records the report if {@code
     * policy.enforcement} is not {@code NONE}; it also records reports on reservations that were accepted under {@code REQUIRED}. The
     * first call of an agent takes the lease and each further call renews it. While the lease lasts, calls of other agents are rejected. A
     * report without reservations only takes or renews the lease. Berth also rejects the calls of an agent whose nodes belong to another
     * cluster whose agent has a lease.
     */
    @PutMapping
    @Refuses({INVALID_TERMS, WRONG_STATE})
    EnforcementBody tellEnforcement(@PathVariable String cluster, @RequestBody ToldEnforcementBody body) {
        var clusterId = clusters.id(cluster);
        var fields = new Fields(body);
        var agent = body.who(fields, clock.instant().getEpochSecond());
        var command = body.read(fields);
        fields.check();
        switch (agents.hear(clusterId, agent)) {
            case Turn.Taken(var by) ->
                throw new Problem(
                        WRONG_STATE,
                        "Agent %s speaks for the cluster until %s. Stop one of the two agents, or give one of them another cluster."
                                .formatted(by.name(), Texts.instant(by.until())));
            case Turn.Shared shared -> throw new Problem(WRONG_STATE, shared.why());
            case Turn.Granted _ -> {
                // it may report
            }
        }
        if (!command.parts().isEmpty()) {
            Refusals.granted(desks.decide(clusterId, command), RequestFields.fields(body));
        }
        return body(clusterId);
    }

    private EnforcementBody body(ClusterId cluster) {
        var states = new TreeMap<String, Integer>();
        for (var state : EnforcementState.values()) {
            states.put(state.name(), 0);
        }
        for (var reservation : desks.schedule(cluster).orElseThrow().reservations()) {
            if (reservation.state().isAgreed() && reservation.hasSomeOf(reservation.currentPart())) {
                var told = reservation.enforcement().of(reservation.currentPart());
                states.merge(
                        told.map(Report::state).orElse(EnforcementState.PENDING).name(), 1, Integer::sum);
            }
        }
        return new EnforcementBody(agents.of(cluster).map(AgentBody::of).orElse(AgentBody.NONE), states);
    }
}

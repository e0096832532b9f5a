package berth.rest;

import berth.reservation.ClusterId;
import berth.security.Account;
import berth.security.Role;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An account.
 *
 * @param name unique; owns reservations
 * @param role what it may do
 * @param cluster whose agent it is; there for an AGENT, and for nobody else
 * @param priority how its requests rank where a cluster collects them, the highest first; 5, if left out
 * @param serviceClass how it is classed; STANDARD, if left out
 * @param limits what it may have booked at a time, over all clusters together
 * @param leads how long ahead starts and ends are announced in the events that it reads, a minute to thirty days each; none, if left out.
 *     For an ADMIN or a CLIENT
 */
@Schema(example = "{\"name\":\"alice\",\"role\":\"CLIENT\"}")
record AccountBody(
        @Required @Nullable String name,
        @Required @Nullable Role role,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String cluster,
        @Nullable Integer priority,
        @Nullable ServiceClass serviceClass,
        @Nullable LimitsBody limits,
        @Nullable List<@Nullable String> leads) {

    /**
     * The most that an account may have booked at a time. What is null has no limit.
     *
     * @param activeReservations reservations that are held, confirmed or running; where a request is to be collected, also
     *     those that wait to be decided
     * @param pes PEs that its reservations and jobs take at any one instant; a job that waits could take
     *     its at any
     * @param peHours PE-hours that are booked and still lie ahead; those of jobs that wait, too
     * @param jobs batch jobs that wait or run
     * @param pendingRequests requests that are collected and wait to be decided
     * @param holds reservations that are held
     * @param maxHold the longest that a slot may be held
     */
    @Schema(name = "AccountLimits")
    record LimitsBody(
            @Nullable Integer activeReservations,
            @Nullable Integer pes,
            @Nullable Long peHours,
            @Nullable Integer jobs,
            @Nullable Integer pendingRequests,
            @Nullable Integer holds,
            @Nullable String maxHold) {

        private static LimitsBody of(AccountLimits limits) {
            return new LimitsBody(
                    orNull(limits.activeReservations()),
                    orNull(limits.pes()),
                    limits.peHours().isPresent() ? limits.peHours().getAsLong() : null,
                    orNull(limits.jobs()),
                    orNull(limits.pendingRequests()),
                    orNull(limits.holds()),
                    Texts.duration(limits.maxHold()));
        }

        private static @Nullable Integer orNull(OptionalInt limit) {
            return limit.isPresent() ? limit.getAsInt() : null;
        }

        private AccountLimits read(Fields fields) {
            var active = atLeast(0, "activeReservations", activeReservations, fields);
            var most = atLeast(1, "pes", pes, fields);
            var inQueues = atLeast(0, "jobs", jobs, fields);
            var collected = atLeast(0, "pendingRequests", pendingRequests, fields);
            var held = atLeast(0, "holds", holds, fields);
            var longest = fields.durationUp("limits.maxHold", maxHold);
            if (longest.isPresent() && longest.getAsLong() < 1) {
                fields.invalid("limits.maxHold", maxHold, "must be longer than zero");
            }
            boolean isInRange = peHours == null || peHours >= 1 && peHours <= AccountLimits.MAX_PE_HOURS;
            if (!isInRange) {
                fields.invalid("limits.peHours", peHours, "must lie between 1 and " + AccountLimits.MAX_PE_HOURS);
            }
            return fields.hasErrors()
                    ? AccountLimits.NONE
                    : new AccountLimits(
                            active,
                            most,
                            peHours == null ? OptionalLong.empty() : OptionalLong.of(peHours),
                            inQueues,
                            collected,
                            held,
                            longest);
        }

        private static OptionalInt atLeast(int least, String name, @Nullable Integer given, Fields fields) {
            if (given == null) {
                return OptionalInt.empty();
            }
            if (given < least) {
                fields.invalid(
                        "limits." + name, given, least == 0 ? "must not be negative" : "must be at least " + least);
            }
            return OptionalInt.of(given);
        }
    }

    static AccountBody of(Account account) {
        return new AccountBody(
                account.name().value(),
                account.role(),
                account.cluster().map(ClusterId::value).orElse(null),
                account.priority(),
                account.serviceClass(),
                LimitsBody.of(account.limits()),
                Texts.durations(account.leads()));
    }

    /**
     * The account that is asked for, before it is created.
     *
     * @throws Problem naming every field that is wrong
     */
    Account toAccount() {
        var fields = new Fields();
        var given = new AccountName(fields.required("name", name, ""));
        if (name != null && !given.isWellFormed()) {
            fields.invalid("name", name, "must have 1 to 63 letters, digits, dots, hyphens, underscores or @");
        }
        return toAccount(given, fields);
    }

    /**
     * What an account of this name shall become.
     *
     * @throws Problem naming every field that is wrong
     */
    Account toChanged(AccountName present) {
        var fields = new Fields();
        if (!present.value().equals(fields.required("name", name, present.value()))) {
            fields.invalid("name", name, "cannot be changed; leave it out");
        }
        return toAccount(present, fields);
    }

    private Account toAccount(AccountName name, Fields fields) {
        var known = fields.required("role", role, Role.CLIENT);
        var most = limits == null ? AccountLimits.NONE : limits.read(fields);
        int rank = priority == null ? Account.STANDARD_PRIORITY : priority;
        if (rank < Account.LOWEST_PRIORITY || rank > Account.HIGHEST_PRIORITY) {
            fields.invalid(
                    "priority",
                    priority,
                    "must lie between %d and %d".formatted(Account.LOWEST_PRIORITY, Account.HIGHEST_PRIORITY));
        }
        if (known != Role.AGENT && cluster != null) {
            fields.invalid("cluster", cluster, "goes with the role AGENT alone; leave it out");
        }
        var agents = known == Role.AGENT
                ? Optional.of(new ClusterId(fields.required("cluster", cluster, "")))
                : Optional.<ClusterId>empty();
        if (cluster != null && agents.filter(id -> !id.isWellFormed()).isPresent()) {
            fields.invalid("cluster", cluster, "names no cluster");
        }
        var ahead = fields.leads("leads", leads);
        if (!ahead.isEmpty() && known != Role.ADMIN && known != Role.CLIENT) {
            fields.invalid("leads", leads, "goes with the roles ADMIN and CLIENT alone; leave it out");
        }
        fields.check();
        return new Account(
                name, known, agents, rank, serviceClass == null ? ServiceClass.STANDARD : serviceClass, most, ahead, 0);
    }
}

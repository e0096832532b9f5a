package berth.accounts.web;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Required;
import berth.http.Texts;
import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
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
 * @param name unique name of the account; reservations belong to an account by this name
 * @param role role of the account, which decides its rights
 * @param cluster the cluster that this agent controls; required for the role AGENT, not allowed for any other role
 * @param priority rank of the account's requests on clusters that collect requests, the highest first; 5 if left out
 * @param serviceClass service class of the account; STANDARD if left out
 * @param limits the most that the account may have booked at a time, over all clusters together
 * @param leads how long ahead events announce to the account that a reservation starts or ends: a minute to thirty days each; no
 *     announcements if left out. Only for the roles ADMIN and CLIENT
 * @param displayName the name of the person, for people. A token of the issuer that has a name replaces it
 * @param roleByHand the role that the account has without groups of the issuer; present while a group gives the account its role, which
 *     nobody can change by hand then
 */
@Schema(example = "{\"name\":\"alice\",\"role\":\"CLIENT\"}")
record AccountBody(
        @Required @Nullable String name,
        @Required @Nullable Role role,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String cluster,
        @Nullable Integer priority,
        @Nullable ServiceClass serviceClass,
        @Nullable LimitsBody limits,
        @Nullable List<@Nullable String> leads,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String displayName,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Role roleByHand) {

    /**
     * The most that an account may have booked at a time. A limit that is null does not apply.
     *
     * @param activeReservations number of held, confirmed and running reservations; for a request to a cluster that collects requests, the
     *     account's pending requests count as well
     * @param pes PEs that the account's reservations and jobs take at any one instant; a waiting job counts at every instant
     * @param peHours PE-hours that are booked and still lie ahead, including those of waiting jobs
     * @param jobs number of waiting and running batch jobs
     * @param pendingRequests number of collected requests that are not decided yet
     * @param holds number of held reservations
     * @param maxHold the longest time that a slot may be held
     * @param peHoursPerWeek PE-hours of the account's reservations in any seven days, past and future
     * @param coolDown the pause after the account's long runs; no pause, if left out
     * @param startsAhead number of reservations that have not begun yet; waiting requests count as well
     */
    @Schema(name = "AccountLimits")
    record LimitsBody(
            @Nullable Integer activeReservations,
            @Nullable Integer pes,
            @Nullable Long peHours,
            @Nullable Integer jobs,
            @Nullable Integer pendingRequests,
            @Nullable Integer holds,
            @Nullable String maxHold,
            @Nullable Long peHoursPerWeek,
            @Nullable CoolDownBody coolDown,
            @Nullable Integer startsAhead) {

        private static LimitsBody of(AccountLimits limits) {
            return new LimitsBody(
                    orNull(limits.activeReservations()),
                    orNull(limits.pes()),
                    orNull(limits.peHours()),
                    orNull(limits.jobs()),
                    orNull(limits.pendingRequests()),
                    orNull(limits.holds()),
                    Texts.duration(limits.maxHold()),
                    orNull(limits.fairUse().peHoursPerWeek()),
                    limits.fairUse().coolDown().map(CoolDownBody::of).orElse(null),
                    orNull(limits.fairUse().startsAhead()));
        }

        private static @Nullable Long orNull(OptionalLong limit) {
            return limit.isPresent() ? limit.getAsLong() : null;
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
            var ahead = peHours("peHours", peHours, fields);
            var weekly = peHours("peHoursPerWeek", peHoursPerWeek, fields);
            var pause = coolDown == null ? Optional.<CoolDown>empty() : coolDown.read(fields);
            var later = atLeast(0, "startsAhead", startsAhead, fields);
            return fields.hasErrors()
                    ? AccountLimits.NONE
                    : new AccountLimits(
                            active, most, ahead, inQueues, collected, held, longest, new FairUse(weekly, pause, later));
        }

        private static OptionalLong peHours(String name, @Nullable Long given, Fields fields) {
            if (given == null) {
                return OptionalLong.empty();
            }
            if (given < 1 || given > AccountLimits.MAX_PE_HOURS) {
                fields.invalid("limits." + name, given, "must lie between 1 and " + AccountLimits.MAX_PE_HOURS);
            }
            return OptionalLong.of(given);
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

    /**
     * The pause after a long run. After such a run has begun, no other run of the account may begin before the pause is over.
     *
     * @param duration the pause from the end of the run, at most seven days
     * @param after the length from which a run counts as long; if left out, every run counts
     */
    @Schema(name = "CoolDown", example = "{\"duration\":\"PT6H\",\"after\":\"PT4H\"}")
    record CoolDownBody(
            @Required @Nullable String duration, @Nullable String after) {

        private static CoolDownBody of(CoolDown coolDown) {
            return new CoolDownBody(Texts.duration(coolDown.duration()), Texts.duration(coolDown.after()));
        }

        private Optional<CoolDown> read(Fields fields) {
            long pause = fields.durationUp(
                            "limits.coolDown.duration", fields.required("limits.coolDown.duration", duration, "PT1S"))
                    .orElse(1);
            long least = fields.durationUp("limits.coolDown.after", after).orElse(0);
            if (pause < 1 || pause > FairUse.WEEK) {
                fields.invalid(
                        "limits.coolDown.duration", duration, "must be longer than zero, and at most seven days");
            }
            if (least < 0) {
                fields.invalid("limits.coolDown.after", after, "must not be negative");
            }
            return fields.hasErrors() ? Optional.empty() : Optional.of(new CoolDown(pause, least));
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
                Texts.durations(account.leads()),
                account.displayName().orElse(null),
                account.roleByHand().orElse(null));
    }

    /**
     * Returns the account to create, as the request describes it.
     *
     * @throws Problem naming every invalid field
     */
    Account toAccount() {
        var fields = new Fields();
        var given = new AccountName(fields.required("name", name, ""));
        if (name != null && !given.isWellFormed()) {
            fields.invalid("name", name, "must have 1 to 63 letters, digits, dots, hyphens, underscores or @");
        }
        return toAccount(given, Optional.empty(), fields);
    }

    /**
     * Returns the account {@code present} as the request changes it.
     *
     * @throws Problem naming every invalid field
     */
    Account toChanged(Account present) {
        var fields = new Fields();
        if (!present.getName().equals(fields.required("name", name, present.getName()))) {
            fields.invalid("name", name, "cannot be changed. Leave it out.");
        }
        if (present.roleByHand().isPresent() && role != null && role != present.role()) {
            fields.invalid(
                    "role",
                    role,
                    "cannot be set, because a group of the issuer gives the account the role %s. Change the groups of the person at the issuer"
                            .formatted(present.role()));
        }
        return toAccount(present.name(), present.roleByHand(), fields);
    }

    private Account toAccount(AccountName name, Optional<Role> byHand, Fields fields) {
        if (roleByHand != null && !byHand.equals(Optional.of(roleByHand))) {
            fields.invalid("roleByHand", roleByHand, "cannot be set. Leave it out.");
        }
        var shown = fields.label("displayName", displayName);
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
            fields.invalid("cluster", cluster, "is allowed only with the role AGENT. Leave it out.");
        }
        var agents = known == Role.AGENT
                ? Optional.of(new ClusterId(fields.required("cluster", cluster, "")))
                : Optional.<ClusterId>empty();
        if (cluster != null && agents.filter(id -> !id.isWellFormed()).isPresent()) {
            fields.invalid("cluster", cluster, "is not a valid cluster id");
        }
        var ahead = fields.leads("leads", leads);
        if (!ahead.isEmpty() && known != Role.ADMIN && known != Role.CLIENT) {
            fields.invalid("leads", leads, "is allowed only with the roles ADMIN and CLIENT. Leave it out.");
        }
        fields.check();
        return new Account(
                name,
                known,
                agents,
                rank,
                serviceClass == null ? ServiceClass.STANDARD : serviceClass,
                most,
                ahead,
                shown,
                byHand,
                0);
    }
}

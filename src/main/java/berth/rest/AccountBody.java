package berth.rest;

import berth.security.Account;
import berth.security.Role;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An account.
 *
 * @param name unique; owns reservations
 * @param role what it may do
 * @param priority how its requests rank where a cluster collects them, the highest first; 5, if left out
 * @param serviceClass how it is classed; STANDARD, if left out
 * @param limits what it may have booked at a time, over all clusters together
 */
@Schema(example = "{\"name\":\"alice\",\"role\":\"CLIENT\"}")
record AccountBody(
        @Required @Nullable String name,
        @Required @Nullable Role role,
        @Nullable Integer priority,
        @Nullable ServiceClass serviceClass,
        @Nullable LimitsBody limits) {

    /**
     * The most that an account may have booked at a time. What is null has no limit.
     *
     * @param activeReservations reservations that are held, confirmed or running
     * @param pes PEs that its reservations take at any one instant
     * @param peHours PE-hours that are booked and still lie ahead
     */
    @Schema(name = "AccountLimits")
    record LimitsBody(
            @Nullable Integer activeReservations,
            @Nullable Integer pes,
            @Nullable Long peHours) {

        private static LimitsBody of(AccountLimits limits) {
            return new LimitsBody(
                    limits.activeReservations().isPresent()
                            ? limits.activeReservations().getAsInt()
                            : null,
                    limits.pes().isPresent() ? limits.pes().getAsInt() : null,
                    limits.peHours().isPresent() ? limits.peHours().getAsLong() : null);
        }

        private AccountLimits read(Fields fields) {
            boolean valid = true;
            if (activeReservations != null && activeReservations < 0) {
                fields.invalid("limits.activeReservations", activeReservations, "must not be negative");
                valid = false;
            }
            if (pes != null && pes < 1) {
                fields.invalid("limits.pes", pes, "must be at least 1");
                valid = false;
            }
            if (peHours != null && (peHours < 1 || peHours > AccountLimits.MAX_PE_HOURS)) {
                fields.invalid("limits.peHours", peHours, "must lie between 1 and " + AccountLimits.MAX_PE_HOURS);
                valid = false;
            }
            return valid
                    ? new AccountLimits(
                            activeReservations == null ? OptionalInt.empty() : OptionalInt.of(activeReservations),
                            pes == null ? OptionalInt.empty() : OptionalInt.of(pes),
                            peHours == null ? OptionalLong.empty() : OptionalLong.of(peHours))
                    : AccountLimits.NONE;
        }
    }

    static AccountBody of(Account account) {
        return new AccountBody(
                account.name().value(),
                account.role(),
                account.priority(),
                account.serviceClass(),
                LimitsBody.of(account.limits()));
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
        fields.check();
        return Account.fresh(name, known, rank, serviceClass == null ? ServiceClass.STANDARD : serviceClass, most);
    }
}

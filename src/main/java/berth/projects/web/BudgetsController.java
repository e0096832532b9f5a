package berth.projects.web;

import static berth.http.ProblemCode.EXISTS;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.NOT_FOUND;

import berth.accounts.Account;
import berth.budget.Budget;
import berth.budget.BudgetMode;
import berth.budget.Grant;
import berth.engine.Budgets;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Required;
import berth.http.Texts;
import berth.projects.Project;
import berth.projects.Projects;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls that concern the budgets of projects: administrators make grants, members read them. */
@RestController
@RequestMapping("/api/v1/projects/{id}")
class BudgetsController {

    private final Projects projects;
    private final Budgets budgets;
    private final InstantSource clock;

    BudgetsController(Projects projects, Budgets budgets, InstantSource clock) {
        this.projects = projects;
        this.budgets = budgets;
        this.clock = clock;
    }

    /**
     * A grant to create.
     *
     * @param id name of the grant within the project, such as that of an allocation
     * @param amount the amount that the project can spend from the grant
     * @param creditLimit the amount that the project can spend beyond all its grants while this one lasts, in the same unit
     * @param from when the grant begins; now if left out
     * @param until when the grant ends
     */
    @Schema(
            name = "NewGrant",
            example = "{\"id\":\"2027-q1\",\"amount\":{\"amount\":\"5000.00\",\"currency\":\"USD\"},"
                    + "\"from\":\"2027-01-01T00:00:00Z\",\"until\":\"2027-04-01T00:00:00Z\"}")
    record NewGrantBody(
            @Required @Nullable String id,
            @Required @Nullable AmountBody amount,
            @Nullable AmountBody creditLimit,
            @Nullable String from,
            @Required @Nullable String until) {}

    /**
     * A grant: an amount that a project may spend within a period.
     *
     * @param id name of the grant within the project
     * @param amount the amount that the project can spend from the grant
     * @param creditLimit the amount that the project can spend beyond all its grants while this one lasts
     * @param from when the grant begins
     * @param until when the grant ends
     * @param expired the unspent rest, which expired when the grant ended; null while the grant lasts
     * @param by the administrator who made the grant
     * @param createdAt when the administrator made it
     */
    @Schema(name = "Grant")
    record GrantBody(
            String id,
            AmountBody amount,
            AmountBody creditLimit,
            Instant from,
            Instant until,
            @Nullable AmountBody expired,
            String by,
            Instant createdAt) {

        static GrantBody of(Grant grant) {
            var unit = grant.unit();
            return new GrantBody(
                    grant.id(),
                    AmountBody.of(unit, grant.amount()),
                    AmountBody.of(unit, grant.creditLimit()),
                    Texts.instant(grant.from()),
                    Texts.instant(grant.until()),
                    Texts.orNull(grant.expired().map(left -> AmountBody.of(unit, left))),
                    grant.by().value(),
                    Texts.instant(grant.createdAt()));
        }
    }

    /**
     * The grants of a project.
     *
     * @param items at most 200 grants, in the order in which they are used up: the one that ends first comes first
     */
    @Schema(name = "Grants")
    record GrantsBody(List<GrantBody> items) {}

    /**
     * The balance of a project's budget. The available amount is granted − held − charged + creditLimit. All fields but {@code
     * mode} are null until the project has its first grant.
     *
     * @param mode whether Berth enforces the budget or only counts what is spent
     * @param granted sum of all grants so far, without what has expired
     * @param expired unspent rest of all grants that ended
     * @param held held for reservations that have not ended
     * @param charged charged for reservations that have ended
     * @param credited credited for breaches and lost PEs: money that the provider owes and that nothing can be reserved with
     * @param creditLimit the amount that the project can spend beyond its grants
     * @param available the amount that the project can spend now; less than 0 if holds and charges exceed it by now
     */
    @Schema(name = "Balance")
    record BalanceBody(
            BudgetMode mode,
            @Nullable AmountBody granted,
            @Nullable AmountBody expired,
            @Nullable AmountBody held,
            @Nullable AmountBody charged,
            @Nullable AmountBody credited,
            @Nullable AmountBody creditLimit,
            @Nullable AmountBody available) {

        private static BalanceBody of(BudgetMode mode, Budget.Balance balance) {
            var unit = balance.unit();
            var spent = balance.spent();
            return new BalanceBody(
                    mode,
                    AmountBody.of(unit, balance.granted()),
                    AmountBody.of(unit, balance.expired()),
                    AmountBody.of(unit, spent.held()),
                    AmountBody.of(unit, spent.charged()),
                    AmountBody.of(unit, spent.credited()),
                    AmountBody.of(unit, balance.creditLimit()),
                    AmountBody.of(unit, balance.available()));
        }
    }

    /** Reads the balance of a project's budget, for members of the project and administrators. */
    @GetMapping("/balance")
    BalanceBody readBalance(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var project = project(id, account);
        return budgets.balance(id, now())
                .map(balance -> BalanceBody.of(project.mode(), balance))
                .orElseGet(() -> new BalanceBody(project.mode(), null, null, null, null, null, null, null));
    }

    /** Lists the grants of a project, for members of the project and administrators. */
    @GetMapping("/grants")
    GrantsBody listGrants(@PathVariable String id, @AuthenticationPrincipal Account account) {
        project(id, account);
        return new GrantsBody(
                budgets.grants(id, now()).stream().map(GrantBody::of).toList());
    }

    /**
     * Makes a grant to a project. The first grant of a project decides the unit of all others: money of one currency, or PE-hours.
     * Repeating the call is rejected, because a grant with that id exists.
     */
    @PostMapping("/grants")
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, EXISTS, INVALID_TERMS, LIMIT_EXCEEDED})
    GrantBody makeGrant(
            @PathVariable String id, @RequestBody NewGrantBody body, @AuthenticationPrincipal Account account) {
        project(id, account);
        long now = now();
        var grant = read(id, body, account, now);
        return GrantBody.of(Problem.done(budgets.grant(grant, now)));
    }

    private static Grant read(String project, NewGrantBody body, Account account, long now) {
        var fields = new Fields(body);
        var id = ProjectsController.newId(fields, body.id);
        var amount = AmountBody.read(fields, "amount", fields.required("amount", body.amount, AmountBody.STAND_IN));
        var creditLimit = body.creditLimit == null
                ? new AmountBody.Amount(amount.unit(), BigDecimal.ZERO)
                : AmountBody.read(fields, "creditLimit", body.creditLimit);
        long from = fields.instantDown("from", body.from).orElse(now);
        fields.required("until", body.until, "");
        long until = fields.instantUp("until", body.until).orElse(Long.MAX_VALUE);
        fields.check();
        if (amount.value().signum() == 0) {
            fields.invalid("amount", amount.unit().text(amount.value()), "must be more than 0");
        }
        if (!creditLimit.unit().equals(amount.unit())) {
            fields.invalid(
                    "creditLimit", creditLimit.unit().text(creditLimit.value()), "must be in the unit of the amount");
        }
        if (until <= Math.max(from, now)) {
            fields.invalid("until", body.until, "must be later than from and in the future");
        }
        fields.check();
        return new Grant(
                project,
                id,
                amount.unit(),
                amount.value(),
                creditLimit.value(),
                from,
                until,
                account.name(),
                now,
                Optional.empty());
    }

    /** Ends a grant now; what is left of it expires. Amounts that are already held stay covered. */
    @DeleteMapping("/grants/{grant}")
    @Refuses(NOT_FOUND)
    GrantBody endGrant(@PathVariable String id, @PathVariable String grant, @AuthenticationPrincipal Account account) {
        project(id, account);
        return GrantBody.of(Problem.done(budgets.end(id, grant, now())));
    }

    private Project project(String id, Account account) {
        return projects.find(id, account).orElseThrow(() -> Problem.notFound("project", id));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}

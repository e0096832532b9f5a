package berth.rest;

import static berth.rest.ProblemCode.EXISTS;
import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NOT_FOUND;

import berth.budget.Budget;
import berth.budget.BudgetMode;
import berth.budget.BudgetUnit;
import berth.budget.Grant;
import berth.desk.Budgets;
import berth.desk.Budgets.Outcome;
import berth.rest.Problem.FieldError;
import berth.security.Account;
import berth.security.Project;
import berth.security.Projects;
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

/** What projects may spend: administrators grant it, members read it. */
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
     * A grant to be made.
     *
     * @param id its name within the project, such as that of an allocation
     * @param amount what can be spent of it
     * @param creditLimit what can be spent beyond all grants while it lasts, in the same unit
     * @param from since when it can be spent; now, if it is left out
     * @param until until when
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
     * What a project may spend for some time.
     *
     * @param id its name within the project
     * @param amount what could be spent of it
     * @param creditLimit what can be spent beyond all grants while it lasts
     * @param from since when it can be spent
     * @param until until when
     * @param expired what was left of it at its end, and is lost; null while it is not over
     * @param by the administrator who has made it
     * @param createdAt when it was made
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
     * @param items in the order in which they are used up, which is that of their ends; at most 200
     */
    @Schema(name = "Grants")
    record GrantsBody(List<GrantBody> items) {}

    /**
     * How the budget of a project stands. What is available is what is granted, less what is held and charged, and with what is credited and
     * the credit limit. All figures but the mode are null as long as nothing was granted.
     *
     * @param mode whether it is kept to, or only counted
     * @param granted what was granted so far, without what has expired
     * @param expired what was left of grants at their ends
     * @param held for what is reserved and has not ended
     * @param charged for what has ended
     * @param credited for breaches
     * @param creditLimit what can be spent beyond what is granted
     * @param available what can be spent now; less than 0 where more was promised than is there by now
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

    /** Reads how the budget of a project stands, for its members and administrators. */
    @GetMapping("/balance")
    BalanceBody readBalance(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var project = project(id, account);
        return budgets.balance(id, now())
                .map(balance -> BalanceBody.of(project.mode(), balance))
                .orElseGet(() -> new BalanceBody(project.mode(), null, null, null, null, null, null, null));
    }

    /** Lists the grants of a project, for its members and administrators. */
    @GetMapping("/grants")
    GrantsBody listGrants(@PathVariable String id, @AuthenticationPrincipal Account account) {
        project(id, account);
        return new GrantsBody(
                budgets.grants(id, now()).stream().map(GrantBody::of).toList());
    }

    /**
     * Grants a project something to spend. All grants of a project are in money of one currency, or all in PE-hours: the first one decides.
     * Repeated, it is refused, since there is a grant of that id.
     */
    @PostMapping("/grants")
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, EXISTS, INVALID_TERMS, LIMIT_EXCEEDED})
    GrantBody makeGrant(
            @PathVariable String id, @RequestBody NewGrantBody body, @AuthenticationPrincipal Account account) {
        project(id, account);
        long now = now();
        var grant = read(id, body, account, now);
        return switch (budgets.grant(grant, now)) {
            case Outcome.Done(var made) -> GrantBody.of(made);
            case Outcome.Exists() ->
                throw new Problem(EXISTS, "Choose another id.", List.of(new FieldError("id", grant.id(), "is taken")));
            case Outcome.OtherUnit(var unit) ->
                throw Problem.field(
                        INVALID_TERMS,
                        "amount",
                        grant.unit().text(grant.amount()),
                        "must be in %s, as the other grants of the project are"
                                .formatted(unit.money()
                                        .map(currency -> currency.getCurrencyCode())
                                        .orElse("PE-hours")));
            case Outcome.Enough() ->
                throw new Problem(
                        LIMIT_EXCEEDED,
                        "A project has %d grants at the most; make larger ones.".formatted(Budgets.MAX_GRANTS));
            case Outcome.NoGrant() -> throw Problem.notFound("grant", grant.id());
        };
    }

    private static Grant read(String project, NewGrantBody body, Account account, long now) {
        var fields = new Fields(body);
        var id = fields.newId(body.id);
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
            fields.invalid("until", body.until, "must lie after from, and in the future");
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

    /** Ends a grant now: what is left of it expires. What is held stays covered, as at any end of a grant. */
    @DeleteMapping("/grants/{grant}")
    @Refuses(NOT_FOUND)
    GrantBody endGrant(@PathVariable String id, @PathVariable String grant, @AuthenticationPrincipal Account account) {
        project(id, account);
        return switch (budgets.end(id, grant, now())) {
            case Outcome.Done(var ended) -> GrantBody.of(ended);
            case Outcome.NoGrant(), Outcome.Exists(), Outcome.Enough(), Outcome.OtherUnit(BudgetUnit _) ->
                throw Problem.notFound("grant", grant);
        };
    }

    private Project project(String id, Account account) {
        return projects.find(id, account).orElseThrow(() -> Problem.notFound("project", id));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}

package berth.accounts;

import berth.outcome.Outcome;
import berth.sla.AccountName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes accounts for people who come with a valid token of the issuer and have none. Thread-safe. */
public final class FirstSignIns {

    private static final Logger log = LoggerFactory.getLogger(FirstSignIns.class);
    private static final Outcome<Account, String> NO_ACCOUNT =
            new Outcome.NotDone<>("The token is valid, but Berth has no account of the name that it has.");

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Accounts accounts;
    private final IssuerSettings.FirstSignIn settings;
    private final InstantSource clock;
    private final Counter made;
    private final Counter refused;

    // guarded by this
    private Instant since = Instant.MIN;
    private int madeSince;

    public FirstSignIns(
            Accounts accounts, IssuerSettings.FirstSignIn settings, InstantSource clock, MeterRegistry registry) {
        this.accounts = accounts;
        this.settings = settings;
        this.clock = clock;
        made = counter("made", registry);
        refused = counter("refused", registry);
    }

    private static Counter counter(String outcome, MeterRegistry registry) {
        return Counter.builder("berth.first.sign.ins")
                .description(
                        "Valid tokens of the issuer whose name has no account, by outcome. made: Berth made the account.")
                .tag("outcome", outcome)
                .register(registry);
    }

    /**
     * Makes the account of a person.
     *
     * @param before records what belongs to the account, before Berth makes it: a first sign-in that fails in between is repeated whole
     * @return the account, or why the person gets none
     * @throws SignInUnavailable if too many accounts were made within the last minute
     */
    public Outcome<Account, String> make(Person person, Consumer<Account> before) {
        var outcome = accounts.isTaken(person.account()) ? existing(person.account()) : madeNow(person, before);
        if (outcome instanceof Outcome.NotDone) {
            refused.increment();
        }
        return outcome;
    }

    /** Returns the account that another call has made a moment ago; an account that was deleted is not made again. */
    private Outcome<Account, String> existing(AccountName name) {
        return accounts.find(name)
                .<Outcome<Account, String>>map(Outcome.Done::new)
                .orElse(NO_ACCOUNT);
    }

    private Outcome<Account, String> madeNow(Person person, Consumer<Account> before) {
        return switch (template(person)) {
            case Outcome.Done(var template) -> make(person.account(), template, before);
            case Outcome.NotDone(var why) -> new Outcome.NotDone<>(why);
        };
    }

    /** Returns the account of which the person's account becomes a copy, or why there will be none. */
    private Outcome<Account, String> template(Person person) {
        if (settings.template().isEmpty()) {
            return NO_ACCOUNT;
        }
        if (!person.account().isWellFormed()) {
            return new Outcome.NotDone<>(
                    "The token is valid, but the name that it has cannot be the name of an account: 1 to 63 letters, digits, dots, hyphens, underscores or @.");
        }
        if (!settings.groups().isEmpty() && Collections.disjoint(Set.copyOf(settings.groups()), person.groups())) {
            return new Outcome.NotDone<>("The token is valid, but none of its groups is one that gets an account.");
        }
        if (accounts.size() >= settings.inAll()) {
            return new Outcome.NotDone<>(
                    "The token is valid, but there are %d accounts, and Berth makes no more at first sign-ins."
                            .formatted(accounts.size()));
        }
        return accounts.find(new AccountName(settings.template()))
                .filter(model -> model.role() == Role.CLIENT || model.role() == Role.VIEWER)
                .<Outcome<Account, String>>map(Outcome.Done::new)
                .orElseGet(() -> new Outcome.NotDone<>(
                        "The token is valid, but Berth can make no account: the account %s, which is the template, does not exist or is neither a CLIENT nor a VIEWER."
                                .formatted(settings.template())));
    }

    private synchronized Outcome<Account, String> make(AccountName name, Account template, Consumer<Account> before) {
        if (accounts.isTaken(name)) {
            return existing(name);
        }
        var now = clock.instant();
        if (since.plus(MINUTE).isBefore(now) || now.isBefore(since)) {
            since = now;
            madeSince = 0;
        }
        if (madeSince >= settings.perMinute()) {
            refused.increment();
            throw new SignInUnavailable(
                    "Berth has made as many new accounts as it may within a minute. Try again in a minute.", MINUTE);
        }
        madeSince++;
        var account =
                Account.fresh(name, template.role(), template.priority(), template.serviceClass(), template.limits());
        before.accept(account);
        // nobody learns the token that the account has; an administrator can give it another one
        if (accounts.create(account) instanceof Outcome.Done) {
            made.increment();
            log.info("Made the account {} at its first sign-in, like {}.", name, template.name());
        }
        return existing(name);
    }
}

package berth.service;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.FirstSignIns;
import berth.accounts.Issuer;
import berth.accounts.IssuerSettings;
import berth.accounts.Person;
import berth.accounts.SignInUnavailable;
import berth.mail.Mailboxes;
import berth.outcome.Outcome;
import berth.projects.Projects;
import berth.runtime.StorageUnavailable;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;

/**
 * Finds the accounts of people who come with a token of the issuer. Before a request is decided, the account, its role and its memberships
 * become what the newest token of its person says.
 */
final class People {

    private static final Logger log = LoggerFactory.getLogger(People.class);

    private final Issuer issuer;
    private final FirstSignIns firstSignIns;
    private final IssuerSettings settings;
    private final Accounts accounts;
    private final Projects projects;
    private final Mailboxes mailboxes;

    /** The newest token of each account since the start. */
    private final Map<AccountName, Newest> newest = new ConcurrentHashMap<>();

    /** The newest token of an account; its lock makes the tokens of one account take turns. */
    private static final class Newest {
        private Instant issuedAt = Instant.MIN;
    }

    People(
            Issuer issuer,
            FirstSignIns firstSignIns,
            IssuerSettings settings,
            Accounts accounts,
            Projects projects,
            Mailboxes mailboxes) {
        this.issuer = issuer;
        this.firstSignIns = firstSignIns;
        this.settings = settings;
        this.accounts = accounts;
        this.projects = projects;
        this.mailboxes = mailboxes;
    }

    /**
     * Returns the account of the person with that token.
     *
     * @throws BadOpaqueTokenException if the token is not valid, or the person has no account and gets none
     * @throws AuthenticationException if that cannot be determined now
     */
    Account account(String token) {
        return switch (issuer.check(token)) {
            case Outcome.Done(var person) -> account(person);
            case Outcome.NotDone(var why) -> throw new BadOpaqueTokenException(why);
        };
    }

    private Account account(Person person) {
        try {
            var present = accounts.find(person.account());
            return follow(person, present.isPresent() ? present.get() : made(person));
        } catch (StorageUnavailable e) {
            log.debug("A token could not be followed, because the database did not respond.", e);
            throw new SignInUnavailable(
                    "Berth cannot record what the token says about its person, because the database does not respond. Try again later.",
                    Duration.ofSeconds(1));
        }
    }

    private Account made(Person person) {
        return switch (firstSignIns.make(person, account -> enter(person, account))) {
            case Outcome.Done(var account) -> account;
            case Outcome.NotDone(var why) -> {
                issuer.logWithoutAccount(person, why);
                throw new BadOpaqueTokenException(why);
            }
        };
    }

    private void enter(Person person, Account account) {
        if (account.hasReservations()) {
            person.email().ifPresent(address -> mailboxes.enter(account.name(), address));
        }
    }

    private Account follow(Person person, Account account) {
        var last = newest.computeIfAbsent(account.name(), _ -> new Newest());
        synchronized (last) {
            // an older token may be valid for some time, but shows groups that the person may have left
            if (person.issuedAt().isBefore(last.issuedAt)) {
                return account;
            }
            var followed = accounts.follow(person, settings)
                    .orElseThrow(() -> new BadOpaqueTokenException("The account of the token has been deleted."));
            projects.follow(followed, person.groups());
            last.issuedAt = person.issuedAt();
            return followed;
        }
    }
}

package berth.mail;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.Role;
import berth.mail.Mailbox.Wish;
import berth.mail.PostgresMail.About;
import berth.mail.PostgresMail.Noted;
import berth.mail.PostgresMail.Waiting;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.sla.AccountName;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** The mailboxes of accounts, as their owners and administrators change them. Thread-safe. */
public final class Mailboxes {

    /** The most links that are sent in an hour to an address, and for an account. */
    static final int MAX_PROOFS = 3;

    private static final Duration WHILE = Duration.ofHours(1);

    private static final Refusal NO_MAIL = new Refusal.WrongState(
            "This Berth sends no mail, so it cannot check the address. Ask an administrator to set it, or to switch mail on.");

    private final PostgresMail table;
    private final Accounts accounts;
    private final boolean isOn;
    private final Links links;
    private final InstantSource clock;
    private volatile Runnable watcher = () -> {};

    /** @param isOn whether this Berth sends mail */
    Mailboxes(PostgresMail table, Accounts accounts, boolean isOn, Links links, InstantSource clock) {
        this.table = table;
        this.accounts = accounts;
        this.isOn = isOn;
        this.links = links;
        this.clock = clock;
    }

    /** Whether this Berth sends mail. */
    public boolean isOn() {
        return isOn;
    }

    /** Registers a listener for changes. */
    void watch(Runnable changed) {
        watcher = changed;
    }

    /** Returns the mailbox of an account that the caller may see. */
    public Outcome<Mailbox, Refusal> find(AccountName name, Account by) {
        return refused(name, by)
                .<Outcome<Mailbox, Refusal>>map(Outcome.NotDone::new)
                .orElseGet(() -> new Outcome.Done<>(table.mailbox(name)));
    }

    /** Whether an account is there, and may get mail. */
    boolean isPresent(AccountName account) {
        return accounts.find(account).filter(Account::hasReservations).isPresent();
    }

    private Optional<Refusal> refused(AccountName name, Account by) {
        var account = accounts.find(name).filter(_ -> by.mayAccess(name));
        if (account.isEmpty()) {
            return Optional.of(new Refusal.NotYours("account"));
        }
        return account.get().hasReservations()
                ? Optional.empty()
                : Optional.of(new Refusal.WrongState(
                        "An account with the role %s has no reservations to get mail about. Choose another account."
                                .formatted(account.get().role())));
    }

    /**
     * Changes a mailbox. An address that an administrator sets counts as proved. Any other new address gets the link that proves it.
     *
     * @param by the caller
     * @param versions the versions of the mailbox that may be changed
     * @param setsAddress whether the caller sets the address, be it another one or the same
     */
    public Outcome<Mailbox, Refusal> change(
            AccountName name, Account by, IntPredicate versions, boolean setsAddress, UnaryOperator<Wish> change) {
        return become(name, by, versions, before -> {
            var wish = change.apply(before.wish());
            boolean isSame = wish.address().equals(before.wish().address());
            var after = before.become(wish, isSame && before.isProved() || setsAddress && by.role() == Role.ADMIN);
            return wish.equals(before.wish()) && after.isProved() == before.isProved() ? before : after;
        });
    }

    /** Sends the link that proves the address of a mailbox again. */
    public synchronized Outcome<Mailbox, Refusal> sendProof(AccountName name, Account by) {
        var found = find(name, by);
        if (!(found instanceof Outcome.Done(var mailbox))) {
            return found;
        }
        var address = mailbox.wish().address();
        if (address.isEmpty() || mailbox.isProved()) {
            return new Outcome.NotDone<>(new Refusal.WrongState(
                    address.isEmpty()
                            ? "The account has no address. Set one first."
                            : "The address is proved already."));
        }
        return proof(name, address.get()).map(mail -> {
            var unused = table.note(List.of(mail), Map.of());
            watcher.run();
            return mailbox;
        });
    }

    /** Returns the mail with the link that proves an address, unless too many were sent. */
    private Outcome<Noted, Refusal> proof(AccountName account, String address) {
        if (!isOn) {
            return new Outcome.NotDone<>(NO_MAIL);
        }
        var now = clock.instant();
        if (table.hasProofs(account, address, now.minus(WHILE), MAX_PROOFS)) {
            return new Outcome.NotDone<>(new Refusal.Enough(
                    "Berth has sent %d links in the last hour, which is the maximum for an account and for an address. Look for them there, or wait an hour."
                            .formatted(MAX_PROOFS)));
        }
        var id = "proof." + UUID.randomUUID();
        return new Outcome.Done<>(
                new Noted(new Waiting(id, account, new About.Proof(address), now.plus(Links.LIFETIME), 0), now, now));
    }

    /**
     * Counts an address as proved, because its owner has followed the link.
     *
     * @param token the token in the link
     * @return empty if the token is none, is too old, or is about another address than the account has now
     */
    public synchronized Optional<Mailbox> prove(String token) {
        return links.proof(token)
                .filter(proof -> isPresent(proof.account()))
                .flatMap(proof -> Optional.of(table.mailbox(proof.account()))
                        .filter(mailbox -> mailbox.wish().address().equals(Optional.of(proof.address()))))
                .map(mailbox -> mailbox.isProved() ? mailbox : saved(mailbox.become(mailbox.wish(), true)));
    }

    /**
     * Switches one kind of mail off.
     *
     * @param token the token in the links of a mail
     * @return the kind; empty if the token is none
     */
    public synchronized Optional<MailKind> switchOff(String token) {
        var off = links.off(token);
        off.ifPresent(link -> {
            var mailbox = table.mailbox(link.account());
            if (mailbox.wish().kinds().contains(link.kind())) {
                saved(mailbox.without(link.kind()));
            }
        });
        return off.map(Links.Off::kind);
    }

    /** Returns the page with the button that switches one kind of mail off; empty if the token is none. */
    public Optional<URI> offPage(String token) {
        return links.offPage(token);
    }

    private Mailbox saved(Mailbox after) {
        if (!(saved(after, List.of()) instanceof Outcome.Done(var mailbox))) {
            throw new IllegalStateException("Another process has changed the mail of %s.".formatted(after.account()));
        }
        return mailbox;
    }

    /**
     * Enters an address that the issuer has checked, unless this Berth sends no mail, the text is no address, or the account has chosen
     * something already.
     */
    public synchronized void enter(AccountName account, String address) {
        if (isOn && Mailbox.isAddress(address)) {
            var before = table.mailbox(account);
            if (before.version() == 0) {
                saved(before.become(before.wish().withAddress(address), true));
            }
        }
    }

    private synchronized Outcome<Mailbox, Refusal> become(
            AccountName name, Account by, IntPredicate versions, UnaryOperator<Mailbox> change) {
        var found = find(name, by);
        if (!(found instanceof Outcome.Done(var before))) {
            return found;
        }
        if (!versions.test(before.version())) {
            return new Outcome.NotDone<>(new Refusal.Stale(before.version()));
        }
        var after = change.apply(before);
        if (after == before) {
            return found;
        }
        var address = after.wish().address();
        if (after.isProved()
                || address.isEmpty()
                || address.equals(before.wish().address())) {
            return saved(after, List.of());
        }
        return switch (proof(name, address.get())) {
            case Outcome.Done(var mail) -> saved(after, List.of(mail));
            case Outcome.NotDone(var why) -> new Outcome.NotDone<>(why);
        };
    }

    private Outcome<Mailbox, Refusal> saved(Mailbox after, List<Noted> caused) {
        if (!table.save(after, caused)) {
            return new Outcome.NotDone<>(new Refusal.Busy());
        }
        watcher.run();
        return new Outcome.Done<>(after);
    }
}

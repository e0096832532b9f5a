package berth.webhook;

import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.StorageUnavailable;
import berth.reservation.ClusterId;
import berth.reservation.Lead;
import berth.security.Account;
import berth.security.Accounts;
import berth.security.Projects;
import berth.security.Role;
import berth.sla.AccountName;
import berth.webhook.Webhook.DisabledFor;
import berth.webhook.Webhook.Former;
import berth.webhook.Webhook.Secrets;
import berth.webhook.Webhook.State;
import berth.webhook.Webhook.Wish;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhooks that there are. One process writes, so what is in memory is the truth; a change is written to the store first. Safe to use
 * from any thread.
 */
public final class Webhooks {

    /** For how long a secret that was replaced signs beside the new one. */
    static final Duration BOTH = Duration.ofHours(24);

    private static final Logger log = LoggerFactory.getLogger(Webhooks.class);

    private final WebhookStore store;
    private final Accounts accounts;
    private final Projects projects;
    private final Desks desks;
    private final Records records;
    private final InstantSource clock;
    private final Map<UUID, Webhook> known = new ConcurrentHashMap<>();

    /** Whether a write has failed, and may have been carried out all the same. */
    private volatile boolean inDoubt;

    Webhooks(
            WebhookStore store,
            Accounts accounts,
            Projects projects,
            Desks desks,
            Records records,
            InstantSource clock) {
        this.store = store;
        this.accounts = accounts;
        this.projects = projects;
        this.desks = desks;
        this.records = records;
        this.clock = clock;
    }

    /** What became of a change. */
    public sealed interface Outcome {
        record Done(Webhook webhook) implements Outcome {}

        /** There is none of that id, or it is somebody else's. */
        record NoWebhook() implements Outcome {}

        /** It is in another version than was expected. */
        record Stale(Webhook webhook) implements Outcome {}

        /** The owner has as many as it may have. */
        record TooMany() implements Outcome {}

        /** The owner and its webhooks would ask for more leads than they may; administrators together, for what all see. */
        record TooManyLeads() implements Outcome {}
    }

    /** Reads all again, which another process has changed until now, and has the desks heed their leads. */
    public synchronized void reread() {
        var all = store.all();
        known.keySet().retainAll(all.stream().map(Webhook::id).toList());
        all.forEach(webhook -> known.put(webhook.id(), webhook));
        all.stream()
                .filter(webhook -> webhook.secrets().present().isEmpty())
                .forEach(webhook -> log.warn(
                        "The secret of webhook {} was sealed with another key: nothing is delivered until it gets a new one.",
                        webhook.id()));
        inDoubt = false;
        heedLeads();
    }

    /** Has the desks announce what accounts and webhooks ask for at present: who asks may have become another since. */
    void heedLeads() {
        var askers = new RequestedLeads();
        accounts.askingAhead().stream()
                .filter(Account::hasReservations)
                .forEach(account -> askers.add(account, account.leads()));
        known.values().stream()
                .filter(Webhook::isEnabled)
                .forEach(webhook -> accounts.find(webhook.owner())
                        .filter(Account::hasReservations)
                        .ifPresent(owner -> askers.add(owner, webhook.wish().leads())));
        desks.announce(askers.asked());
    }

    /** Changes accounts while no webhook changes, and has the desks heed how long ahead these are to be told by then. */
    public synchronized <T> T whileUnchanged(Supplier<T> change) {
        var outcome = change.get();
        heedLeads();
        return outcome;
    }

    /** Whether an account as it would become, its webhooks and all who count together with it would ask for more leads than may be. */
    public boolean wouldAskForTooMuch(Account changed) {
        return wouldAskForTooMuch(changed, known.values().stream());
    }

    private boolean wouldAskForTooMuch(Account changed, Stream<Webhook> webhooks) {
        var askers = new RequestedLeads();
        askers.add(changed, changed.leads());
        accounts.askingAhead().stream()
                .filter(account -> !account.name().equals(changed.name()))
                .forEach(account -> askers.add(account, account.leads()));
        webhooks.filter(Webhook::isEnabled)
                .forEach(webhook -> Optional.of(changed)
                        .filter(owner -> owner.name().equals(webhook.owner()))
                        .or(() -> accounts.find(webhook.owner()))
                        .ifPresent(owner -> askers.add(owner, webhook.wish().leads())));
        return askers.with(changed).size() > Lead.MAX;
    }

    /** Of what one hears, as accounts and projects are at present. */
    sealed interface Hears {
        /** Its owner may hear of nothing any more. */
        record OfNothing() implements Hears {}

        record OfItsOwn() implements Hears {}

        /** Of what is filed under this project, by whomever. */
        record OfProject(String project) implements Hears {}

        record OfAll() implements Hears {}
    }

    Hears hears(Webhook webhook) {
        var present = accounts.find(webhook.owner()).filter(Account::hasReservations);
        if (present.isEmpty()) {
            return new Hears.OfNothing();
        }
        var owner = present.get();
        boolean isAdministrator = owner.role() == Role.ADMIN;
        return webhook.wish()
                .project()
                .filter(project ->
                        isAdministrator || projects.role(project, owner).isPresent())
                .<Hears>map(Hears.OfProject::new)
                .orElseGet(() -> isAdministrator ? new Hears.OfAll() : new Hears.OfItsOwn());
    }

    /** Settles what a write that failed has come to; nothing if none has. */
    void settle() {
        if (inDoubt) {
            reread();
        }
    }

    /** Those of an account, or of everybody, newest first. */
    public List<Webhook> list(Optional<AccountName> owner) {
        return known.values().stream()
                .filter(webhook -> owner.isEmpty() || owner.get().equals(webhook.owner()))
                .sorted(Comparator.comparing(Webhook::createdAt)
                        .thenComparing(Webhook::id)
                        .reversed())
                .toList();
    }

    public Optional<Webhook> find(UUID id) {
        return Optional.ofNullable(known.get(id));
    }

    /** How far each cluster's history has been recorded. */
    Map<ClusterId, Long> lastSequences() {
        var last = new HashMap<ClusterId, Long>();
        desks.clusters().forEach(cluster -> last.put(cluster.id(), records.lastSequence(cluster.id())));
        return last;
    }

    /** Adds one, with a secret of its own. */
    synchronized Outcome create(AccountName owner, Wish wish, Map<ClusterId, Long> positions) {
        if (list(Optional.of(owner)).size() >= Webhook.MAX_PER_ACCOUNT) {
            return new Outcome.TooMany();
        }
        var webhook = new Webhook(
                UUID.randomUUID(),
                owner,
                wish,
                new Secrets(Optional.of(Signature.newSecret()), Optional.empty()),
                new State.Enabled(),
                now(),
                0);
        if (asksForTooMuch(webhook)) {
            return new Outcome.TooManyLeads();
        }
        write(() -> {
            store.create(webhook, positions);
            return true;
        });
        known.put(webhook.id(), webhook);
        heedLeads();
        return new Outcome.Done(webhook);
    }

    private boolean asksForTooMuch(Webhook changed) {
        var others = known.values().stream().filter(other -> !other.id().equals(changed.id()));
        return changed.isEnabled()
                && accounts.find(changed.owner())
                        .filter(owner -> wouldAskForTooMuch(owner, Stream.concat(others, Stream.of(changed))))
                        .isPresent();
    }

    /** Changes what one tells, and whether it does. */
    synchronized Outcome change(UUID id, IntPredicate versions, Wish wish, boolean isEnabled) {
        return become(id, versions, before -> {
            var state = before.state();
            if (isEnabled) {
                state = new State.Enabled();
            } else if (before.isEnabled()) {
                state = new State.Disabled(DisabledFor.OWNER, now());
            }
            return before.wish().equals(wish) && before.state().equals(state) ? before : before.become(wish, state);
        });
    }

    /** Disables one that does not arrive. */
    synchronized void disable(UUID id, DisabledFor why) {
        become(id, _ -> true, before -> before.become(before.wish(), new State.Disabled(why, now())));
    }

    /** Gives one another secret; the one before signs for some time more. */
    public synchronized Outcome rotate(UUID id, IntPredicate versions) {
        return become(
                id,
                versions,
                before -> before.signing(new Secrets(
                        Optional.of(Signature.newSecret()),
                        before.secrets().present().map(secret -> new Former(secret, now() + BOTH.toSeconds())))));
    }

    private interface Change {
        Webhook of(Webhook before);
    }

    private Outcome become(UUID id, IntPredicate versions, Change change) {
        var before = known.get(id);
        if (before == null) {
            return new Outcome.NoWebhook();
        }
        if (!versions.test(before.version())) {
            return new Outcome.Stale(before);
        }
        var after = change.of(before);
        if (after == before) {
            return new Outcome.Done(before);
        }
        if (asksForTooMuch(after)) {
            return new Outcome.TooManyLeads();
        }
        if (!write(() -> store.update(after))) {
            reread();
            return find(id).<Outcome>map(Outcome.Stale::new).orElseGet(Outcome.NoWebhook::new);
        }
        known.put(id, after);
        heedLeads();
        return new Outcome.Done(after);
    }

    /** Gives one up. */
    synchronized Outcome delete(UUID id, IntPredicate versions) {
        var before = known.get(id);
        if (before == null) {
            return new Outcome.NoWebhook();
        }
        if (!versions.test(before.version())) {
            return new Outcome.Stale(before);
        }
        write(() -> {
            store.delete(id);
            return true;
        });
        known.remove(id);
        heedLeads();
        return new Outcome.Done(before);
    }

    private interface Write {
        boolean isDone();
    }

    private boolean write(Write write) {
        try {
            settle();
            return write.isDone();
        } catch (StorageUnavailable e) {
            inDoubt = true;
            throw e;
        }
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}

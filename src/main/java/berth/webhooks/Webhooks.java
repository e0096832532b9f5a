package berth.webhooks;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.Role;
import berth.engine.Desks;
import berth.engine.Records;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.projects.Projects;
import berth.reservation.ClusterId;
import berth.reservation.Lead;
import berth.runtime.StorageUnavailable;
import berth.sla.AccountName;
import berth.webhooks.Webhook.DisabledFor;
import berth.webhooks.Webhook.Former;
import berth.webhooks.Webhook.Secrets;
import berth.webhooks.Webhook.State;
import berth.webhooks.Webhook.Wish;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All webhooks. Only one process writes, so memory holds the current state; a change is written to the store first. Thread-safe. */
public final class Webhooks {

    /** How long a replaced secret still signs, together with the new one. */
    static final Duration BOTH = Duration.ofHours(24);

    /** The refusal if an account and its webhooks, or all administrators together, would ask for too many leads. */
    private static final Refusal TOO_MANY_LEADS = new Refusal.TooLong(
            "leads",
            "Use fewer leads. An account and its webhooks may have at most %d different leads together, and so may all administrators with their webhooks."
                    .formatted(Lead.MAX));

    private static final Logger log = LoggerFactory.getLogger(Webhooks.class);

    private final WebhookStore store;
    private final Accounts accounts;
    private final Projects projects;
    private final Desks desks;
    private final Records records;
    private final InstantSource clock;
    private final Map<UUID, Webhook> known = new ConcurrentHashMap<>();

    /** The leads that accounts ask for in mail, for their own reservations. */
    private volatile Map<AccountName, Set<Long>> mailed = Map.of();

    /** Whether a write failed whose result is unknown. */
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

    /** Reads all webhooks again, because another process wrote them until now, and applies their leads. */
    public synchronized void reread() {
        var all = store.all();
        known.keySet().retainAll(all.stream().map(Webhook::id).toList());
        all.forEach(webhook -> known.put(webhook.id(), webhook));
        all.stream()
                .filter(webhook -> webhook.secrets().present().isEmpty())
                .forEach(webhook -> log.warn(
                        "The secret of webhook {} was sealed with another key. Berth delivers nothing to the webhook until it gets a new secret.",
                        webhook.id()));
        inDoubt = false;
        heedLeads();
    }

    /** Announces starts and ends for mail too, and applies all leads. An account has one lead in mail, besides those that count together. */
    public synchronized void announceForMail(Map<AccountName, Set<Long>> leads) {
        mailed = Map.copyOf(leads);
        heedLeads();
    }

    /** Applies the leads that accounts and webhooks ask for at present; accounts may have changed. */
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
        mailed.forEach(askers::addOwn);
        desks.announce(askers.asked());
    }

    /**
     * Writes a new or changed account and applies the leads, unless the account asks for more leads than before, and these would be too many
     * together with those of everything that counts with it. No webhook changes meanwhile.
     */
    synchronized Outcome<Account, Refusal> admit(
            Account before, Account after, Supplier<Outcome<Account, Refusal>> write) {
        boolean asksForMore = !after.leads().isEmpty()
                && (!before.leads().containsAll(after.leads()) || before.role() != after.role());
        if (asksForMore && wouldAskForTooMuch(after, known.values().stream())) {
            return new Outcome.NotDone<>(TOO_MANY_LEADS);
        }
        var outcome = write.get();
        heedLeads();
        return outcome;
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

    /** The events that a webhook receives, given the present accounts and projects. */
    sealed interface Audience {
        /** Nothing, because its owner has lost access. */
        record OfNothing() implements Audience {}

        record OfItsOwn() implements Audience {}

        /** The events of this project, whoever reserved. */
        record OfProject(String project) implements Audience {}

        record OfAll() implements Audience {}
    }

    Audience hears(Webhook webhook) {
        var present = accounts.find(webhook.owner()).filter(Account::hasReservations);
        if (present.isEmpty()) {
            return new Audience.OfNothing();
        }
        var owner = present.get();
        boolean isAdministrator = owner.role() == Role.ADMIN;
        return webhook.wish()
                .project()
                .filter(project ->
                        isAdministrator || projects.role(project, owner).isPresent())
                .<Audience>map(Audience.OfProject::new)
                .orElseGet(() -> isAdministrator ? new Audience.OfAll() : new Audience.OfItsOwn());
    }

    /** Finds out the result of a failed write, if there was one. */
    void resolve() {
        if (inDoubt) {
            reread();
        }
    }

    /** Returns the webhooks of an account, or of all accounts, newest first. */
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

    /** Returns the last recorded sequence of each cluster. */
    Map<ClusterId, Long> lastSequences() {
        var last = new HashMap<ClusterId, Long>();
        desks.clusters().forEach(cluster -> last.put(cluster.id(), records.lastSequence(cluster.id())));
        return last;
    }

    /** Creates a webhook with a new secret. */
    synchronized Outcome<Webhook, Refusal> create(AccountName owner, Wish wish, Map<ClusterId, Long> positions) {
        if (list(Optional.of(owner)).size() >= Webhook.MAX_PER_ACCOUNT) {
            return new Outcome.NotDone<>(
                    new Refusal.Enough("The account has %d webhooks, which is the maximum. Delete one first."
                            .formatted(Webhook.MAX_PER_ACCOUNT)));
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
            return new Outcome.NotDone<>(TOO_MANY_LEADS);
        }
        write(() -> {
            store.create(webhook, positions);
            return true;
        });
        known.put(webhook.id(), webhook);
        heedLeads();
        return new Outcome.Done<>(webhook);
    }

    private boolean asksForTooMuch(Webhook changed) {
        var others = known.values().stream().filter(other -> !other.id().equals(changed.id()));
        return changed.isEnabled()
                && accounts.find(changed.owner())
                        .filter(owner -> wouldAskForTooMuch(owner, Stream.concat(others, Stream.of(changed))))
                        .isPresent();
    }

    /** Changes what a webhook receives and whether it is enabled. */
    synchronized Outcome<Webhook, Refusal> change(UUID id, IntPredicate versions, Wish wish, boolean isEnabled) {
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

    /** Disables a webhook whose messages do not arrive. */
    synchronized void disable(UUID id, DisabledFor why) {
        become(id, _ -> true, before -> before.become(before.wish(), new State.Disabled(why, now())));
    }

    /** Gives a webhook a new secret; the previous one also signs for some time. */
    public synchronized Outcome<Webhook, Refusal> rotate(UUID id, IntPredicate versions) {
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

    private Outcome<Webhook, Refusal> become(UUID id, IntPredicate versions, Change change) {
        var before = known.get(id);
        if (before == null) {
            return new Outcome.NotDone<>(none(id));
        }
        if (!versions.test(before.version())) {
            return new Outcome.NotDone<>(new Refusal.Stale(before.version()));
        }
        var after = change.of(before);
        if (after == before) {
            return new Outcome.Done<>(before);
        }
        if (asksForTooMuch(after)) {
            return new Outcome.NotDone<>(TOO_MANY_LEADS);
        }
        if (!write(() -> store.update(after))) {
            reread();
            return new Outcome.NotDone<>(find(id).<Refusal>map(present -> new Refusal.Stale(present.version()))
                    .orElseGet(() -> none(id)));
        }
        known.put(id, after);
        heedLeads();
        return new Outcome.Done<>(after);
    }

    private static Refusal none(UUID id) {
        return new Refusal.NotFound("webhook", id.toString());
    }

    /** Deletes a webhook. */
    synchronized Outcome<Webhook, Refusal> delete(UUID id, IntPredicate versions) {
        var before = known.get(id);
        if (before == null) {
            return new Outcome.NotDone<>(none(id));
        }
        if (!versions.test(before.version())) {
            return new Outcome.NotDone<>(new Refusal.Stale(before.version()));
        }
        write(() -> {
            store.delete(id);
            return true;
        });
        known.remove(id);
        heedLeads();
        return new Outcome.Done<>(before);
    }

    private interface Write {
        boolean isDone();
    }

    private boolean write(Write write) {
        try {
            resolve();
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

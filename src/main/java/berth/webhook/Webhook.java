package berth.webhook;

import berth.scheduling.Event;
import berth.sla.AccountName;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What somebody wants to be told of, and where.
 *
 * @param owner hears of its own reservations, and of a project's as one of its members; an administrator of all that happens
 * @param wish what is told
 * @param secrets what messages are signed with
 * @param state whether anything is delivered
 * @param createdAt seconds since the epoch
 * @param version how often it has changed since it was created
 */
public record Webhook(
        UUID id, AccountName owner, Wish wish, Secrets secrets, State state, long createdAt, int version) {

    /** The most that an account may have. */
    public static final int MAX_PER_ACCOUNT = 20;

    /**
     * What is wanted.
     *
     * @param url of the receiver
     * @param types of events; none: all
     * @param leads how long ahead, in seconds, starts and ends are announced
     * @param project only of what is filed under it, by whomever its members may hear of; empty: of whatever its owner hears of
     */
    public record Wish(
            URI url, Set<Event.Type> types, Set<Long> leads, MessageFormat format, Optional<String> project) {
        public Wish {
            types = Set.copyOf(types);
            leads = Set.copyOf(leads);
        }
    }

    /** How much a message tells. */
    public enum MessageFormat {
        /** Which event, and whom it concerns. */
        THIN,
        /** The event as the feed tells it. */
        FULL,
        /** The same, in the structured mode of CloudEvents 1.0. */
        CLOUDEVENTS
    }

    /**
     * What messages are signed with.
     *
     * @param present empty: it was sealed with a key that this Berth does not have
     * @param before signs too, for a time; empty: there is none
     */
    public record Secrets(Optional<String> present, Optional<Former> before) {}

    /**
     * A secret that has been replaced.
     *
     * @param until when it signs no longer, seconds since the epoch
     */
    public record Former(String secret, long until) {}

    /** Whether anything is delivered. */
    public sealed interface State {
        record Enabled() implements State {}

        /** @param at since when, seconds since the epoch */
        record Disabled(DisabledFor why, long at) implements State {}
    }

    /** Why nothing is delivered. */
    public enum DisabledFor {
        /** Its owner wants it so. */
        OWNER,
        /** The receiver has answered 410. */
        GONE,
        /** Every retry has failed. */
        FAILED
    }

    public boolean isEnabled() {
        return state instanceof State.Enabled;
    }

    Webhook become(Wish other, State then) {
        return new Webhook(id, owner, other, secrets, then, createdAt, version + 1);
    }

    Webhook signing(Secrets other) {
        return new Webhook(id, owner, wish, other, state, createdAt, version + 1);
    }
}

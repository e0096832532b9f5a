package berth.webhooks;

import berth.scheduling.Event;
import berth.sla.AccountName;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A subscription of an account to events.
 *
 * @param owner the account: it receives events of its own reservations, or of a project as a member; an administrator receives all events
 * @param wish what is sent and where
 * @param secrets the secrets for signatures
 * @param state whether messages are delivered
 * @param createdAt seconds since the epoch
 * @param version the number of changes since it was created
 */
public record Webhook(
        UUID id, AccountName owner, Wish wish, Secrets secrets, State state, long createdAt, int version) {

    /** The most webhooks of an account. */
    public static final int MAX_PER_ACCOUNT = 20;

    /**
     * The events that an account wants to receive.
     *
     * @param url the URL of the receiver
     * @param types the types of events; empty for all
     * @param leads how long ahead starts and ends are announced, in seconds
     * @param project restricts the events to this project, including other members' reservations; empty for all events that the owner may
     *     see
     */
    public record Wish(
            URI url, Set<Event.Type> types, Set<Long> leads, MessageFormat format, Optional<String> project) {
        public Wish {
            types = Set.copyOf(types);
            leads = Set.copyOf(leads);
        }
    }

    /** The content of a message. */
    public enum MessageFormat {
        /** The type of the event and the ids of what it concerns. */
        THIN,
        /** The event as in the event feed. */
        FULL,
        /** The same in the structured mode of CloudEvents 1.0. */
        CLOUDEVENTS
    }

    /**
     * The secrets for signatures.
     *
     * @param present the present secret; empty if it was encrypted with a key that this Berth lacks
     * @param before the previous secret, which also signs for some time; empty if there is none
     */
    public record Secrets(Optional<String> present, Optional<Former> before) {}

    /**
     * A secret that was replaced.
     *
     * @param until the time until which it still signs, in seconds since the epoch
     */
    public record Former(String secret, long until) {}

    /** Whether messages are delivered. */
    public sealed interface State {
        record Enabled() implements State {}

        /**
         * Messages are not delivered.
         *
         * @param at since when, in seconds since the epoch
         */
        record Disabled(DisabledFor why, long at) implements State {}
    }

    /** Why messages are not delivered. */
    public enum DisabledFor {
        /** The owner disabled the webhook. */
        OWNER,
        /** The receiver answered 410. */
        GONE,
        /** All retries failed. */
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

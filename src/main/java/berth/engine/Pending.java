package berth.engine;

import berth.engine.Booking.IfRefused;
import berth.runtime.Threads;
import berth.scheduling.Allowance;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A command in the queue of a desk, with the client that waits for its answer. */
final class Pending {

    private final Command command;
    private final Optional<KeyUse> key;
    private final Allowance allowance;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    /** Set by the desk when it decides the command or by the client when it gives up, whichever comes first. */
    private final AtomicBoolean claimed = new AtomicBoolean();

    private final IfRefused ifRefused;
    private final Reach reach;
    private volatile boolean isLeft;

    Pending(Command command, Optional<KeyUse> key) {
        this(command, key, Allowance.UNLIMITED, IfRefused.THE_CLIENT_IS, Reach.ALL);
    }

    Pending(Command command, Optional<KeyUse> key, Allowance allowance, IfRefused ifRefused, Reach reach) {
        this.command = command;
        this.key = key;
        this.allowance = allowance;
        this.ifRefused = ifRefused;
        this.reach = reach;
    }

    /** How far a desk goes to find room. */
    enum Reach {
        /** As far as the cluster's rules allow. */
        ALL,
        /** Without moving other reservations. If there is no room, the desk does not decide the command. */
        AS_OTHERS_LIE
    }

    /** Returns a command that is already answered. */
    static Pending answered(Answer answer) {
        var pending = new Pending(new AdvanceClock(1), Optional.empty());
        pending.answer.complete(answer);
        return pending;
    }

    Reach reach() {
        return reach;
    }

    /** Notes that the desk did not decide, because the search would exceed the allowed reach. Nothing has changed. */
    void leave() {
        isLeft = true;
        answer.complete(new Answer.NotDecided("There is no room unless other reservations move."));
    }

    /** Whether the desk did not decide because there was no room without moves. Such a command has no usable answer. */
    boolean isLeft() {
        return isLeft;
    }

    /** Whether a refusal of this command counts as a refused client. */
    boolean countsIfRefused() {
        return ifRefused == IfRefused.THE_CLIENT_IS;
    }

    Command command() {
        return command;
    }

    /** Returns how much more the account may reserve by the command. */
    Allowance allowance() {
        return allowance;
    }

    Optional<KeyUse> key() {
        return key;
    }

    /** Completes when the desk has answered, however long the client waits. */
    CompletableFuture<Answer> answer() {
        return answer;
    }

    /** Called by the desk before it decides; returns {@code false} if the client has given up. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Notes that the desk will never answer; {@code why} says what happened to the desk. No effect after an answer. */
    void drop(String why) {
        answer.complete(claim() ? new Answer.NotDecided(why) : new Answer.OutcomeUnknown(why));
    }

    /**
     * Waits for the answer: {@code patience} for the desk to begin, and as long again for the result. A command whose client gave up before
     * the desk began is never decided.
     */
    Answer await(Threads threads, Duration patience) {
        try {
            return within(threads, patience);
        } catch (TimeoutException e) {
            if (claim()) {
                var givenUp = new Answer.NotDecided("The request waited too long for its turn; try again later.");
                answer.complete(givenUp);
                return givenUp;
            }
        }
        try {
            return within(threads, patience);
        } catch (TimeoutException e) {
            return new Answer.OutcomeUnknown("The database has not answered in time.");
        }
    }

    private Answer within(Threads threads, Duration patience) throws TimeoutException {
        try {
            return threads.get(answer, patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.OutcomeUnknown("The service is shutting down.");
        } catch (ExecutionException e) {
            throw new IllegalStateException("The command could not be decided: " + command, e.getCause());
        }
    }
}

package berth.mail;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Counts what the mail server did with letters, and the mail that was not sent. */
final class MailMeters {

    private final Counter sent;
    private final Counter refused;
    private final Counter putOff;
    private final Counter away;
    private final Counter late;
    private final Counter tooMany;

    /** @param lag returns how long mail has waited, in seconds */
    MailMeters(MeterRegistry registry, Supplier<Number> lag) {
        sent = letters("sent", registry);
        refused = letters("refused", registry);
        putOff = letters("put-off", registry);
        away = letters("away", registry);
        late = dropped("late", registry);
        tooMany = dropped("too-many", registry);
        Gauge.builder("berth.mail.lag", lag)
                .description(
                        "How long the mail that is due first has waited, or the mail server has accepted nothing, whichever is longer.")
                .baseUnit("seconds")
                .register(registry);
    }

    private static Counter letters(String outcome, MeterRegistry registry) {
        return Counter.builder("berth.mail.letters")
                .description(
                        "Attempts to send a letter, by outcome. refused: for good; put-off: for now; away: the mail server accepted"
                                + " no letter, or did not answer.")
                .tag("outcome", outcome)
                .baseUnit("attempts")
                .register(registry);
    }

    private static Counter dropped(String why, MeterRegistry registry) {
        return Counter.builder("berth.mail.dropped")
                .description(
                        "News that was not sent: the mail server did not accept it for a day, or a start or end had passed"
                                + " (`late`), or too much mail of the account waited (`too-many`).")
                .tag("why", why)
                .register(registry);
    }

    void count(Post.Sent result) {
        switch (result) {
            case Post.Sent.Accepted _ -> sent.increment();
            case Post.Sent.Refused _ -> refused.increment();
            case Post.Sent.PutOff _ -> putOff.increment();
            case Post.Sent.Away _ -> away.increment();
        }
    }

    void late(int number) {
        late.increment(number);
    }

    void tooMany(int number) {
        tooMany.increment(number);
    }
}

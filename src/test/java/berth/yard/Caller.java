package berth.yard;

import berth.desk.Answer;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.yard.Yard.Heard;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** Somebody who asks the Berth for things, one after the other, and tells the watch what it hears. */
abstract class Caller {

    /** How often something is asked again under the same key whose answer was lost. */
    static final int RETRIES = 4;

    final Yard yard;

    /** Where it asks. */
    final Site site;

    final String name;

    /** Which others may share. */
    final AccountName account;

    final Random random;

    /** What the last call met with. */
    private String fault = "";

    private boolean isRepeated;

    Caller(Yard yard, Site site, String name, AccountName account, Random random) {
        this.yard = yard;
        this.site = site;
        this.name = name;
        this.account = account;
        this.random = random;
    }

    String name() {
        return name;
    }

    /** Asks for all that it wants. */
    abstract void run();

    void think() {
        long pace = yard.swarm().pace().toNanos();
        long now = yard.simulation().elapsed().toNanos();
        // those that share an account often ask at the same instant
        boolean isTogether = yard.isShared(account) && random.nextBoolean();
        yard.world().pause(Duration.ofNanos(isTogether ? pace - now % pace : random.nextLong(pace)));
    }

    /** Makes a call, and notes which faults the process met with meanwhile. */
    <T> Heard<T> call(Function<Berth, T> call) {
        var berth = site.reached();
        berth.met();
        isRepeated = yard.happens(Fault.REQUEST_REPEATED);
        var heard = yard.call(call, berth, isRepeated ? 2 : 1);
        var met = berth.met();
        fault = !berth.process().isAlive()
                ? "CRASH"
                : site.isReplaced(berth)
                        ? "RIVAL"
                        : met.stream().findFirst().map(Enum::name).orElse("-");
        return heard;
    }

    /** Whether the last call arrived twice: what is said of the one says nothing of the other. */
    boolean isRepeated() {
        return isRepeated;
    }

    void reached(Enum<?> deed, String outcome, Optional<Reservation> about) {
        yard.tell("%s %s %s %s", name, deed, outcome, fault);
        yard.coverage()
                .reached(
                        deed, outcome, fault, about.map(it -> it.state().name()).orElse("-"));
    }

    long now() {
        return yard.simulation().now().getEpochSecond();
    }

    /** What was heard, in a word. */
    static <T> String word(Heard<T> heard, Function<T, String> said) {
        return switch (heard) {
            case Heard.Said<T>(var answer) -> said.apply(answer);
            case Heard.Failed<T> _ -> "Failed";
            case Heard.Nothing<T> _ -> "Lost";
        };
    }

    static String word(Answer answer) {
        return switch (answer) {
            case Answer.Done _ -> "Done";
            case Answer.Refused(var reason) -> reason.getClass().getSimpleName();
            case Answer.KeyReused _ -> "KeyReused";
            case Answer.NotDecided _ -> "NotDecided";
            case Answer.OutcomeUnknown _ -> "Unknown";
        };
    }
}

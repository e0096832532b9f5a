package berth.yard;

import berth.booking.Reservations.ActionOutcome;
import berth.engine.Answer;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.yard.Yard.Heard;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** A client of the Berth that makes calls one after another and reports the answers to the watch. */
abstract class Caller {

    /** How often a call without an answer is repeated with the same key. */
    static final int RETRIES = 4;

    final Yard yard;

    /** The site that it calls. */
    final Site site;

    final String name;

    /** Its account, which other clients may share. */
    final AccountName account;

    final Random random;

    /** The fault that the last call met with. */
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

    /** Makes all of its calls. */
    abstract void run();

    void think() {
        long pace = yard.swarm().pace().toNanos();
        long now = yard.simulation().elapsed().toNanos();
        // clients that share an account often call at the same instant
        boolean isTogether = yard.isShared(account) && random.nextBoolean();
        yard.world().pause(Duration.ofNanos(isTogether ? pace - now % pace : random.nextLong(pace)));
    }

    /** Makes a call and notes the faults that the process met with meanwhile. */
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

    /** Whether the last call arrived twice, so that the answer to one says nothing about the other. */
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

    /** Returns a word for the answer. */
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
            case Answer.Declined(var why) -> why.getClass().getSimpleName();
            case Answer.KeyReused _ -> "KeyReused";
            case Answer.NotDecided _ -> "NotDecided";
            case Answer.OutcomeUnknown _ -> "Unknown";
        };
    }

    /** Notes the answer about a wish. */
    void heard(Watch.Ask wish, Heard<ActionOutcome> heard) {
        if (isRepeated() || !(heard instanceof Heard.Said<ActionOutcome>(var acted))) {
            wish.doubtful();
            return;
        }
        switch (acted) {
            case ActionOutcome.Done _ -> wish.granted();
            case ActionOutcome.NotDone(Answer.OutcomeUnknown _), ActionOutcome.Silent _ -> wish.doubtful();
            case ActionOutcome.NotDone _, ActionOutcome.WrongState _, ActionOutcome.RefusedThere _ -> wish.denied();
        }
    }

    static String word(ActionOutcome acted) {
        return acted instanceof ActionOutcome.NotDone(var answer)
                ? word(answer)
                : acted.getClass().getSimpleName();
    }
}

package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;

import berth.outcome.Outcome;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RequestedTermsTest {

    private static final long NOW = 10_000;
    private static final long HORIZON = 1_000;
    private static final Bounds ANY = within(0);
    private static final long END = NOW + HORIZON;
    private static final OptionalLong LEFT_OUT = OptionalLong.empty();

    @Test
    void areStrictIfTheWindowIsAsLongAsTheRun() {
        assertThat(scenario(at(NOW + 50), at(NOW + 80), 30)).isEqualTo(QosScenario.STRICT);
        assertThat(scenario(LEFT_OUT, at(NOW + 30), 30)).isEqualTo(QosScenario.STRICT);
        assertThat(scenario(at(END - 30), LEFT_OUT, 30)).isEqualTo(QosScenario.STRICT);
        assertThat(scenario(LEFT_OUT, LEFT_OUT, HORIZON)).isEqualTo(QosScenario.STRICT);
    }

    @Test
    void haveADeadlineIfOnlyTheReadyTimeIsLeftOut() {
        assertThat(scenario(LEFT_OUT, at(NOW + 31), 30)).isEqualTo(QosScenario.DEADLINE);
    }

    @Test
    void areAnIntervalIfBothEndsAreGivenWithSlackBetween() {
        assertThat(scenario(at(NOW + 50), at(NOW + 81), 30)).isEqualTo(QosScenario.INTERVAL);
    }

    @Test
    void lastFromNowToTheHorizonByDefault() {
        assertThat(resolved(LEFT_OUT, LEFT_OUT, 30).window()).isEqualTo(new Window(NOW, END));
        assertThat(resolved(at(NOW + 50), LEFT_OUT, 30).window()).isEqualTo(new Window(NOW + 50, END));
        assertThat(resolved(LEFT_OUT, at(NOW + 50), 30).window()).isEqualTo(new Window(NOW, NOW + 50));
    }

    @Test
    void keepTheRequestedFields() {
        var budget = Optional.of(usd("12.50"));
        var requires = Map.of("gpu", "a100");
        var fixing = new Fixing(Optional.empty(), OptionalLong.of(7));
        var asked = new RequestedTerms(
                at(NOW + 5), at(NOW + 50), 30, 4, Optional.empty(), Optional.empty(), budget, requires, fixing);

        assertThat(asked.resolve(NOW, ANY))
                .isEqualTo(new Outcome.Done<>(new Terms(
                        new Window(NOW + 5, NOW + 50),
                        30,
                        List.of(new Shape(4, 30)),
                        Optional.empty(),
                        Optional.empty(),
                        budget,
                        requires,
                        fixing,
                        QosScenario.INTERVAL)));
    }

    @Test
    void takeAReadyTimeOfTheLastMinuteForNow() {
        assertThat(resolved(at(NOW - 60), at(NOW + 50), 30).window()).isEqualTo(new Window(NOW, NOW + 50));
        assertThat(scenario(at(NOW - 60), at(NOW + 30), 30)).isEqualTo(QosScenario.STRICT);
        assertThat(scenario(at(NOW - 1), at(NOW + 31), 30)).isEqualTo(QosScenario.INTERVAL);
    }

    @Test
    void refuseAReadyTimeFurtherInThePast() {
        assertThat(wrong(at(NOW - 61), at(NOW + 50), 30))
                .isEqualTo(new Violation("readyTime", "lies in the past; leave it out to start as soon as possible"));
        assertThat(wrong(at(Long.MIN_VALUE), LEFT_OUT, 30).field()).isEqualTo("readyTime");
    }

    @Test
    void refuseAReadyTimeAtTheHorizonOrBeyond() {
        assertThat(resolved(at(END - 1), LEFT_OUT, 1).window()).isEqualTo(new Window(END - 1, END));
        assertThat(wrong(at(END), LEFT_OUT, 1))
                .isEqualTo(new Violation("readyTime", "lies beyond the cluster's horizon; choose an earlier one"));
        assertThat(wrong(at(Long.MAX_VALUE), LEFT_OUT, 1).field()).isEqualTo("readyTime");
    }

    @Test
    void takeADeadlineBeyondTheHorizonForItsEnd() {
        assertThat(resolved(LEFT_OUT, at(END), 30).window()).isEqualTo(new Window(NOW, END));
        assertThat(resolved(LEFT_OUT, at(END + 1), 30).window()).isEqualTo(new Window(NOW, END));
        assertThat(scenario(LEFT_OUT, at(Long.MAX_VALUE), 30)).isEqualTo(QosScenario.DEADLINE);
    }

    @Test
    void haveNoFreedomInTimeWithoutADeadline() {
        var terms = resolved(at(NOW + 50), LEFT_OUT, 30);

        assertThat(terms.scenario()).isEqualTo(QosScenario.STRICT);
        assertThat(terms.stay()).isTrue();
        assertThat(terms.lyingAt(List.of(Part.whole(Slot.of(NOW + 60, 30), 4))).window())
                .isEqualTo(new Window(NOW + 60, NOW + 90));
    }

    @Test
    void haveTheDefaultSlackOfTheClusterUnlessTheyDeclineIt() {
        var asked = asked(at(NOW + 50), LEFT_OUT, 30);

        var terms = ((Outcome.Done<Terms, ?>) asked.resolve(NOW, within(20))).value();
        assertThat(terms.window()).isEqualTo(new Window(NOW + 50, NOW + 100));
        assertThat(terms.scenario()).isEqualTo(QosScenario.INTERVAL);

        var declined = asked.fixing(Fixing.BY_NOTICE.atOnce());
        assertThat(((Outcome.Done<Terms, ?>) declined.resolve(NOW, within(20)))
                        .value()
                        .stay())
                .isTrue();
    }

    @Test
    void refuseADeadlineThatIsNotAfterTheReadyTime() {
        var wrong = new Violation("deadline", "must lie after the ready time");

        assertThat(wrong(at(NOW + 50), at(NOW + 50), 30)).isEqualTo(wrong);
        assertThat(wrong(at(NOW + 50), at(NOW + 49), 30)).isEqualTo(wrong);
        assertThat(wrong(LEFT_OUT, at(NOW), 30)).isEqualTo(wrong);
        assertThat(wrong(LEFT_OUT, at(Long.MIN_VALUE), 30)).isEqualTo(wrong);
    }

    @Test
    void refuseADurationThatTheWindowCannotHold() {
        assertThat(wrong(at(NOW + 50), at(NOW + 79), 30))
                .isEqualTo(new Violation(
                        "duration",
                        "is longer than the time from ready time to deadline; shorten it or loosen the deadline"));
        assertThat(wrong(at(NOW - 60), at(NOW + 29), 30).field()).isEqualTo("duration");
        assertThat(wrong(at(END - 29), LEFT_OUT, 30))
                .isEqualTo(new Violation(
                        "duration", "is so long that the run cannot end within the cluster's horizon; shorten it"));
    }

    @Test
    void refuseADurationOfNothingOrBeyondTheHorizon() {
        assertThat(wrong(LEFT_OUT, LEFT_OUT, 0)).isEqualTo(new Violation("duration", "must be longer than zero"));
        assertThat(wrong(LEFT_OUT, LEFT_OUT, HORIZON + 1))
                .isEqualTo(
                        new Violation("duration", "must not exceed the cluster's horizon", (HORIZON + 1.0) / HORIZON));
        assertThat(wrong(LEFT_OUT, LEFT_OUT, Long.MAX_VALUE).field()).isEqualTo("duration");
    }

    @Test
    void refuseFewerPesThanOne() {
        assertThat(violations(RequestedTerms.of(LEFT_OUT, LEFT_OUT, 30, 0)))
                .containsExactly(new Violation("pes", "must be at least 1"));
    }

    @Test
    void refuseABudgetOfNothing() {
        assertThat(violations(budgetOfNothing(LEFT_OUT, LEFT_OUT, 30, 1)))
                .containsExactly(new Violation("budget", "must be more than zero; leave it out to accept any price"));
    }

    @Test
    void nameAllWrongFieldsAtOnce() {
        var asked = budgetOfNothing(at(NOW - 61), at(END + 1), 0, 0);

        assertThat(violations(asked))
                .extracting(Violation::field)
                .containsExactlyInAnyOrder("readyTime", "duration", "pes", "budget");
    }

    private static Terms resolved(OptionalLong readyTime, OptionalLong deadline, long duration) {
        var resolution = asked(readyTime, deadline, duration).resolve(NOW, ANY);
        assertThat(resolution).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<Terms, ?>) resolution).value();
    }

    private static QosScenario scenario(OptionalLong readyTime, OptionalLong deadline, long duration) {
        return resolved(readyTime, deadline, duration).scenario();
    }

    /** Returns the one violation. */
    private static Violation wrong(OptionalLong readyTime, OptionalLong deadline, long duration) {
        var violations = violations(asked(readyTime, deadline, duration));
        assertThat(violations).hasSize(1);
        return violations.getFirst();
    }

    private static List<Violation> violations(RequestedTerms asked) {
        var resolution = asked.resolve(NOW, ANY);
        assertThat(resolution).isInstanceOf(Outcome.NotDone.class);
        return ((Outcome.NotDone<?, List<Violation>>) resolution).why();
    }

    private static RequestedTerms asked(OptionalLong readyTime, OptionalLong deadline, long duration) {
        return RequestedTerms.of(readyTime, deadline, duration, 4);
    }

    private static RequestedTerms budgetOfNothing(
            OptionalLong readyTime, OptionalLong deadline, long duration, int pes) {
        return new RequestedTerms(
                readyTime,
                deadline,
                duration,
                pes,
                Optional.empty(),
                Optional.empty(),
                Optional.of(usd("0")),
                Map.of(),
                Fixing.BY_NOTICE);
    }

    private static Bounds within(long defaultSlack) {
        return new Bounds(BigDecimal.ONE, Integer.MAX_VALUE, Long.MAX_VALUE, HORIZON, defaultSlack);
    }

    private static OptionalLong at(long second) {
        return OptionalLong.of(second);
    }

    private static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }
}

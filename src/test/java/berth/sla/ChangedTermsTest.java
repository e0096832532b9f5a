package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;

import berth.outcome.Outcome;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Changes at 1500 the terms that were agreed at 1000, with a horizon of 1000 seconds. */
class ChangedTermsTest {

    private static final long THEN = 1_000;
    private static final long NOW = 1_500;
    private static final long HORIZON = 1_000;
    private static final Bounds ANY = within(HORIZON);
    private static final Bounds SHORT = within(300);
    private static final OptionalLong LEFT_OUT = OptionalLong.empty();

    private final Terms agreed = resolved(asked(at(1_100), at(1_900), 30).resolve(THEN, ANY));

    @Test
    void areTheSameIfNothingChanges() {
        for (var asked : new RequestedTerms[] {
            asked(LEFT_OUT, LEFT_OUT, 30),
            asked(LEFT_OUT, at(1_900), 30),
            asked(at(1_100), LEFT_OUT, 30),
            asked(at(1_100), at(1_900), 30),
            asked(at(1_100), at(1_130), 30),
            asked(LEFT_OUT, LEFT_OUT, HORIZON)
        }) {
            var before = lying(asked, 1_200);
            var same = asked(at(before.window().readyTime()), at(before.window().deadline()), before.duration());

            assertThat(changed(before, same)).isEqualTo(before);
        }
    }

    @Test
    void keepAReadyTimeThatHasPassed() {
        assertThat(changed(asked(at(1_100), at(2_000), 30)).window()).isEqualTo(new Window(1_100, 2_000));
        assertThat(wrong(asked(at(1_101), at(1_900), 30))).isEqualTo("readyTime");
    }

    @Test
    void keepADeadlineThatLiesBeyondTheHorizonByNow() {
        assertThat(resolved(asked(at(1_100), at(1_900), 40).resolve(NOW, SHORT, agreed))
                        .window())
                .isEqualTo(agreed.window());
        assertThat(resolved(asked(at(1_100), at(1_899), 30).resolve(NOW, SHORT, agreed))
                        .window())
                .isEqualTo(new Window(1_100, 1_800));
    }

    @Test
    void mayRunForLongerThanTheHorizonByNow() {
        var asAgreed = asked(at(1_100), at(1_900), 800);
        var long800 = resolved(asAgreed.resolve(THEN, ANY));

        assertThat(resolved(asAgreed.resolve(NOW, SHORT, long800))).isEqualTo(long800);
        assertThat(resolved(asked(at(1_100), at(1_900), 700).resolve(NOW, SHORT, long800))
                        .runTime())
                .isEqualTo(700);
        assertThat(wrong(asked(at(1_510), LEFT_OUT, 701).resolve(NOW, SHORT, long800)))
                .isEqualTo("duration");
    }

    @Test
    void mayStartAtOnce() {
        assertThat(changed(asked(LEFT_OUT, at(1_900), 30)).window()).isEqualTo(new Window(NOW, 1_900));
    }

    @Test
    void withoutFreedomKeepTheStartAndGetAnotherLength() {
        var strict = lying(asked(at(1_100), LEFT_OUT, 30), 1_600);

        assertThat(strict.window()).isEqualTo(new Window(1_600, 1_630));
        assertThat(changed(strict, asked(at(1_600), LEFT_OUT, 40)).window()).isEqualTo(new Window(1_600, 1_640));
        assertThat(changed(strict, asked(at(1_600), LEFT_OUT, 40)).scenario()).isEqualTo(QosScenario.STRICT);
    }

    @Test
    void stayWhereTheyAreIfTheirFreedomIsTakenAway() {
        var stays = changed(asked(at(1_100), LEFT_OUT, 30));

        assertThat(stays.stay()).isTrue();
        assertThat(lying(stays, 1_700).window()).isEqualTo(new Window(1_700, 1_730));
        assertThat(lying(stays, 1_700).scenario()).isEqualTo(QosScenario.STRICT);
    }

    @Test
    void takeAReadyTimeOfTheLastMinuteForNowUnlessItWasAgreed() {
        var before = changed(asked(at(1_460), at(1_900), 30));
        assertThat(before.window()).isEqualTo(new Window(NOW, 1_900));

        var agreedLately = resolved(asked(at(1_460), at(1_900), 30).resolve(THEN, ANY));
        assertThat(changed(agreedLately, asked(at(1_460), at(1_900), 40)).window())
                .isEqualTo(new Window(1_460, 1_900));
    }

    @Test
    void keepAnOpenReadyTimeOpen() {
        var deadline = resolved(asked(LEFT_OUT, at(1_900), 30).resolve(THEN, ANY));
        assertThat(changed(deadline, asked(at(THEN), at(1_800), 30)).scenario()).isEqualTo(QosScenario.DEADLINE);
        assertThat(changed(deadline, asked(at(1_600), at(1_900), 30)).scenario())
                .isEqualTo(QosScenario.INTERVAL);
    }

    @Test
    void areADeadlineIfTheReadyTimeIsTakenAway() {
        assertThat(changed(asked(LEFT_OUT, at(1_900), 30)).scenario()).isEqualTo(QosScenario.DEADLINE);
    }

    @Test
    void areStrictOnlyWhileTheWindowIsAsLongAsTheRun() {
        assertThat(changed(asked(at(1_600), at(1_630), 30)).scenario()).isEqualTo(QosScenario.STRICT);

        var strict = resolved(asked(at(1_600), at(1_630), 30).resolve(THEN, ANY));
        assertThat(changed(strict, asked(at(1_600), at(1_630), 29)).scenario()).isEqualTo(QosScenario.INTERVAL);
    }

    @Test
    void mustHaveRoomForTheRunAsAnyOther() {
        assertThat(wrong(asked(at(1_100), at(1_900), 801))).isEqualTo("duration");
        assertThat(wrong(asked(at(1_600), at(1_600), 30))).isEqualTo("deadline");
    }

    private static Bounds within(long horizon) {
        return new Bounds(BigDecimal.ONE, Integer.MAX_VALUE, Long.MAX_VALUE, horizon, 0);
    }

    /** Returns the agreed terms of a run that begins then. */
    private static Terms lying(RequestedTerms asked, long start) {
        return lying(resolved(asked.resolve(THEN, ANY)), start);
    }

    private static Terms lying(Terms terms, long start) {
        return terms.lyingAt(List.of(Part.whole(Slot.of(start, terms.runTime()), terms.pes())));
    }

    private Terms changed(RequestedTerms wanted) {
        return changed(agreed, wanted);
    }

    private static Terms changed(Terms before, RequestedTerms wanted) {
        return resolved(wanted.resolve(NOW, ANY, before));
    }

    private static Terms resolved(Outcome<Terms, List<Violation>> resolution) {
        assertThat(resolution).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<Terms, ?>) resolution).value();
    }

    private String wrong(RequestedTerms wanted) {
        return wrong(wanted.resolve(NOW, ANY, agreed));
    }

    /** Returns the one field that is wrong. */
    private static String wrong(Outcome<Terms, List<Violation>> resolution) {
        assertThat(resolution).isInstanceOf(Outcome.NotDone.class);
        var violations = ((Outcome.NotDone<?, List<Violation>>) resolution).why();
        assertThat(violations).hasSize(1);
        return violations.getFirst().field();
    }

    private static RequestedTerms asked(OptionalLong readyTime, OptionalLong deadline, long duration) {
        return RequestedTerms.of(readyTime, deadline, duration, 4);
    }

    private static OptionalLong at(long second) {
        return OptionalLong.of(second);
    }
}

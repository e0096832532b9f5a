package berth.lab.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.cluster.AvailabilityMethod;
import berth.lab.experiment.Check;
import berth.lab.experiment.OtherReading;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Verdict;
import berth.lab.experiment.whatif.Delays.Delayed;
import berth.lab.experiment.whatif.WhatIfFigures.Pressed;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WhatIfClaimsTest {

    @Test
    void findsAllButOneOfTheClaimsInThePapersOwnFigures() {
        List<PaperClaim> claims = claims(3, UnaryOperator.identity());

        assertThat(claims)
                .extracting(PaperClaim::id)
                .containsExactly(
                        "001-C1", "001-C2", "001-C3", "001-C4", "001-C5", "001-C6", "001-C7", "001-C8", "001-C9");
        assertThat(claims)
                .filteredOn(claim -> !claim.id().equals("001-C8"))
                .allSatisfy(claim -> assertThat(claim.failing()).isEmpty());
        // the sum of extra waits falls twice with LOAD, from 4 to 6 and from 12 to 24 h
        assertThat(claims.get(7).failing()).extracting(Check::what).containsExactly("LOAD falls at most once");
    }

    @Test
    void detectsAReversedOrderOfTheMethods() {
        List<PaperClaim> claims = claims(3, WhatIfClaimsTest::other);

        assertThat(claims.subList(0, 3)).extracting(PaperClaim::verdict).containsOnly(Verdict.NOT_REPRODUCED);
        assertThat(claims.get(3).failing()).hasSize(1);
        assertThat(claims.get(5).failing())
                .extracting(Check::what)
                .contains("WHAT_IF delays fewer jobs at 0 h", "WHAT_IF delays them by more at 12 h")
                .doesNotContain("both delay nearly as many jobs at 24 h");
    }

    @Test
    void canCheckNothingWithOneRepetition() {
        assertThat(claims(1, UnaryOperator.identity()))
                .extracting(PaperClaim::verdict)
                .containsOnly(Verdict.NOT_CHECKABLE);
    }

    @Test
    void givesThePapersFiguresBesideOurs() {
        assertThat(claims(3, UnaryOperator.identity()))
                .extracting(PaperClaim::paper, PaperClaim::ours)
                .contains(
                        tuple("WHAT_IF 92, LOAD 58 %", "WHAT_IF 92.5, LOAD 57.5 %"),
                        tuple("1 to 8 %", "WHAT_IF 2.0 to 2.0, LOAD 3.0 to 3.0 %"),
                        tuple("all of 200", "7200 of 7200"),
                        tuple("WHAT_IF 172 to 407, LOAD 284 to 411 jobs", "WHAT_IF 172 to 407, LOAD 284 to 411 jobs"),
                        tuple(
                                "fewer than 10 jobs changed",
                                "4 at most; WHAT_IF 50 to 50, LOAD 50 to 50 % less extra wait"));
    }

    @Test
    void judgesTheSameRunsByOtherReadings() {
        List<OtherReading> readings = WhatIfClaims.readings(evidence(3, UnaryOperator.identity()));

        // 13 of 40 by the backlog of jobs; 13 % longer until everything has ended
        assertThat(readings.get(0).claims()).extracting(PaperClaim::ours).containsExactly("WHAT_IF 92.5, LOAD 32.5 %");
        assertThat(readings.get(0).claims()).extracting(PaperClaim::verdict).containsExactly(Verdict.PARTLY);
        assertThat(readings.get(1).claims())
                .extracting(PaperClaim::ours)
                .containsExactly("WHAT_IF 12.0 to 12.0, LOAD 13.0 to 13.0 %");
        assertThat(readings.get(2).claims()).extracting(PaperClaim::id).containsExactly("001-C6", "001-C9");
    }

    @Test
    void judgesDifferencesThatMayBeChanceByTheirMeans() {
        // the second repetition has no difference between the methods
        WhatIfEvidence uncertain = new WhatIfEvidence(
                setting -> List.of(
                        figures(setting),
                        figures(new WhatIfSetting(
                                AvailabilityMethod.LOAD, setting.bookAhead(), setting.slack(), setting.variant()))),
                List.of(4, 4));

        assertThat(WhatIfClaims.of(uncertain).get(5).failing()).hasSizeGreaterThan(2);
        assertThat(WhatIfClaims.readings(uncertain).get(2).claims().getFirst().failing())
                .isEmpty();
    }

    private static List<PaperClaim> claims(int repetitions, UnaryOperator<AvailabilityMethod> as) {
        return WhatIfClaims.of(evidence(repetitions, as));
    }

    private static WhatIfEvidence evidence(int repetitions, UnaryOperator<AvailabilityMethod> as) {
        return new WhatIfEvidence(
                setting -> Collections.nCopies(
                        repetitions,
                        figures(new WhatIfSetting(
                                as.apply(setting.method()), setting.bookAhead(), setting.slack(), setting.variant()))),
                Collections.nCopies(repetitions, 4));
    }

    private static AvailabilityMethod other(AvailabilityMethod method) {
        return method == AvailabilityMethod.LOAD ? AvailabilityMethod.WHAT_IF : AvailabilityMethod.LOAD;
    }

    private static WhatIfFigures figures(WhatIfSetting setting) {
        boolean isLoad = setting.method() == AvailabilityMethod.LOAD;
        int granted = isLoad ? 171 : 195;
        if (setting.slack() == WhatIfSetting.WIDEST) {
            granted = 200;
        } else if (setting.bookAhead() <= 2 && setting.slack() <= 2) {
            granted = isLoad ? 76 : 184;
        }
        var delays = Delays.of(delayed(setting, isLoad));
        double growth = isLoad ? 3 : 2;
        return new WhatIfFigures(
                200,
                granted,
                new Pressed(40, isLoad ? 23 : 37, isLoad ? 13 : 37),
                growth,
                10 + growth,
                0,
                delays,
                List.of());
    }

    private static List<Delayed> delayed(WhatIfSetting setting, boolean isLoad) {
        int at = WhatIfSetting.BOOK_AHEAD.indexOf(setting.bookAhead());
        long original = (long) row(PaperTable.ORIGINAL, isLoad)[at];
        long affected = (long) row(PaperTable.AFFECTED, isLoad)[at];
        long extra = setting.variant() == Variant.SMALL_JOBS ? (affected - original) / 2 : affected - original;
        return Collections.nCopies(
                (int) row(PaperTable.JOBS, isLoad)[at], new Delayed(1000, original, original + extra));
    }

    private static double[] row(PaperTable table, boolean isLoad) {
        return isLoad ? table.load() : table.whatIf();
    }
}

package berth.lab.experiment.adaptive;

import static berth.lab.experiment.Verdict.NOT_CHECKABLE;
import static berth.lab.experiment.Verdict.NOT_REPRODUCED;
import static berth.lab.experiment.Verdict.PARTLY;
import static berth.lab.experiment.Verdict.REPRODUCED;
import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Check;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Verdict;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Judges figures of the paper's shape, made by hand, and figures that deviate from it. */
class AdaptiveClaimsTest {
    private ToDoubleFunction<AdaptiveSetting> profit = AdaptiveClaimsTest::profitAsInThePaper;
    private double lossByIncentive = 0.45;
    private ToDoubleFunction<AdaptiveSetting> completion = AdaptiveClaimsTest::completionAsInThePaper;
    private ToDoubleFunction<AdaptiveSetting> rejected = setting ->
            (setting.scheduler() == Scheduler.MDF ? 3 : 0) + setting.type().ordinal() / 10.0;
    private ToDoubleFunction<AdaptiveSetting> modified =
            setting -> 10 * setting.load() + setting.type().preemptibleShare();
    private int windows = 3;

    /** Returns the profit in percent above traditional: from 4 at normal load to 14 at high load for moldable requests. */
    private static double profitAsInThePaper(AdaptiveSetting setting) {
        double rescheduled = setting.scheduler() == Scheduler.MDF ? 1 + 20 * (setting.load() - 1) : 0;
        double moldable = setting.type().isMoldable() ? 3 : 2.4 * setting.type().preemptibleShare();
        return setting.scheduler() == Scheduler.MDF ? rescheduled + moldable : moldable / 2;
    }

    private static double completionAsInThePaper(AdaptiveSetting setting) {
        double rescheduled = setting.scheduler() == Scheduler.MDF ? 15 - 4 * (setting.load() - 1) : 0;
        return rescheduled + (setting.type().isMoldable() ? 1 : setting.type().preemptibleShare() > 0 ? 2 : 0);
    }

    @Test
    void reproducesEveryClaimFromFiguresOfThePapersShapeButTheIncentiveOfBothShares() {
        assertThat(claims())
                .extracting(PaperClaim::id)
                .containsExactly(
                        "003-C1",
                        "003-C2",
                        "003-C3",
                        "003-C3-corrected",
                        "003-C4",
                        "003-C5",
                        "003-C6",
                        "003-C7",
                        "003-C7-corrected");
        assertThat(claims().stream().filter(claim -> claim.verdict() != REPRODUCED))
                .extracting(PaperClaim::id)
                .containsExactly("003-C5");
        // the two shares cannot break even at the same incentive
        assertThat(claim("003-C5").failing()).extracting(Check::what).allMatch(what -> what.contains("60 %"));
    }

    @Test
    void saysTheFiguresOfEachClaimInShort() {
        assertThat(claims())
                .extracting(PaperClaim::ours)
                .containsExactly(
                        "4.0 and 4.0 %; 1.5 and 1.5 % without rescheduling",
                        "14.0 %, 3.0 %",
                        "at most 17.0 % at x1, 15.0 % at x1.5",
                        "at most 17.0 % at x1, 15.0 % at x1.5",
                        "3.0 and 3.0 points fewer at x1 and x1.5; without rescheduling at most 0.5 and 0.5",
                        "0.8 and -19.6 % at 30 %, -2.7 and -30.2 % at 40 %",
                        "moldable: 10.0 to 15.0 %; both, 20 %: 10.2 to 15.2 %; both, 60 %: 10.6 to 15.6 %",
                        "moldable: 10.0 to 15.0 %; both, 20 %: 10.2 to 15.2 %; both, 60 %: 10.6 to 15.6 %",
                        "moldable: 10.0 to 15.0 %; both, 20 %: 10.2 to 15.2 %; both, 60 %: 10.6 to 15.6 %");
        assertThat(claim("003-C2").paper()).isEqualTo("14 %, 3 %");
        assertThat(claims().stream().filter(claim -> claim.inquiry().isEmpty()))
                .extracting(PaperClaim::id)
                .containsExactly("003-C4", "003-C6", "003-C7-corrected");
    }

    @Test
    void missesAGainThatIsTooLargeAtNormalLoad() {
        profit = setting -> profitAsInThePaper(setting) + (setting.load() == 1 ? 3 : 0);

        assertThat(verdict("003-C1")).isEqualTo(NOT_REPRODUCED);
        assertThat(verdict("003-C2")).isEqualTo(REPRODUCED);
    }

    @Test
    void missesMoldableRequestsThatEarnNoMoreThanRigidOnes() {
        profit = setting ->
                profitAsInThePaper(new AdaptiveSetting(RequestType.RIGID, setting.scheduler(), setting.load()));

        assertThat(verdict("003-C2")).isEqualTo(PARTLY);
    }

    @Test
    void missesTimeThatIsSavedMostByMoldableRequestsAndAtHighLoad() {
        completion = setting -> 15 + 4 * setting.load() + (setting.type() == RequestType.MOLDABLE ? 3 : 0);

        assertThat(claim("003-C3").failing())
                .filteredOn(check -> check.what().startsWith("PREEMPTIBLE gains most"))
                .hasSize(12);
        assertThat(claim("003-C3").failing())
                .filteredOn(check -> check.what().contains("gains less time at x1.5"))
                .hasSize(6);
    }

    @Test
    void judgesFirstWordingsThatSaidMoreThanThePaperBesideTheCorrectedOnes() {
        completion =
                setting -> completionAsInThePaper(setting) + 2 * setting.type().preemptibleShare();
        ToDoubleFunction<AdaptiveSetting> split = completion;
        completion = setting -> split.applyAsDouble(setting)
                + (setting.type().isMoldable() ? 3 * Math.signum(setting.type().preemptibleShare()) : 0);
        modified = setting -> 10 * setting.load() - setting.type().preemptibleShare();

        assertThat(verdict("003-C3")).isEqualTo(PARTLY);
        assertThat(verdict("003-C3-corrected")).isEqualTo(REPRODUCED);
        assertThat(verdict("003-C7")).isEqualTo(NOT_REPRODUCED);
        assertThat(verdict("003-C7-corrected")).isEqualTo(REPRODUCED);
        assertThat(claims().stream().filter(PaperClaim::isFirstWording)).hasSize(7);
    }

    @Test
    void missesRejectionsThatAreAvoidedByTheTypeOfTheRequest() {
        rejected = setting -> setting.type() == RequestType.RIGID ? 0.5 : 2;

        assertThat(verdict("003-C4")).isEqualTo(PARTLY);
        rejected = setting -> -1.0;
        assertThat(verdict("003-C4")).isEqualTo(NOT_REPRODUCED);
    }

    @Test
    void missesAnIncentiveThatCostsNothing() {
        lossByIncentive = 0;

        assertThat(verdict("003-C5")).isEqualTo(NOT_REPRODUCED);
    }

    @Test
    void missesModificationThatFallsWithTheLoad() {
        modified = setting -> -10 * setting.load() - setting.type().preemptibleShare();

        assertThat(verdict("003-C6")).isEqualTo(NOT_REPRODUCED);
        assertThat(verdict("003-C7")).isEqualTo(NOT_REPRODUCED);
    }

    @Test
    void checksNothingOnASingleWindow() {
        windows = 1;

        assertThat(claims()).extracting(PaperClaim::verdict).containsOnly(NOT_CHECKABLE);
    }

    private Verdict verdict(String id) {
        return claim(id).verdict();
    }

    private PaperClaim claim(String id) {
        return claims().stream()
                .filter(claim -> claim.id().equals(id))
                .findAny()
                .orElseThrow();
    }

    private List<PaperClaim> claims() {
        return AdaptiveClaims.all(new AdaptiveEvidence(
                (setting, other, incentive) -> sample(profit.applyAsDouble(setting)
                        - (isTraditional(other) ? 0 : profit.applyAsDouble(other))
                        - lossByIncentive * incentive * setting.type().preemptibleShare() * 5 * 0.79),
                (setting, other) -> sample(completion.applyAsDouble(setting)),
                (setting, other) -> sample(rejected.applyAsDouble(setting)),
                setting -> sample(modified.applyAsDouble(setting)),
                setting -> sample(modified.applyAsDouble(setting)),
                List.of(Share.values()),
                windows));
    }

    private static boolean isTraditional(AdaptiveSetting setting) {
        return setting.equals(setting.traditional());
    }

    private Sample sample(double mean) {
        return new Sample(List.of(mean - 0.1, mean, mean + 0.1).subList(0, windows));
    }
}

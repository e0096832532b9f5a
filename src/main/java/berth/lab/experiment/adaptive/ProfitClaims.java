package berth.lab.experiment.adaptive;

import static berth.lab.experiment.adaptive.AdaptiveClaims.tenths;
import static berth.lab.experiment.adaptive.AdaptiveStudy.HIGH;
import static berth.lab.experiment.adaptive.AdaptiveStudy.NORMAL;
import static berth.lab.experiment.adaptive.RequestType.MOLDABLE;
import static berth.lab.experiment.adaptive.RequestType.RIGID;

import berth.lab.experiment.Check;
import berth.lab.experiment.Estimate;
import berth.lab.experiment.Inquiry;
import berth.lab.experiment.Inquiry.Cause;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Trends;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The claims of paper 003 about earnings: text, rule and result of each. */
final class ProfitClaims {
    private ProfitClaims() {}

    static PaperClaim normalLoad(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C1",
                        "At normal load, the highest gain in profit is about 4.5 %, for moldable requests (split or"
                                + " not) with rescheduling; without rescheduling it is at most 2 %.",
                        "at x1, for each share: of the four types under MDF, MOLDABLE or BOTH has the highest mean"
                                + " gain over traditional, and it lies within 4.5 ± 2 %; the highest under FIFO is at"
                                + " most 2 %",
                        () -> checkNormalLoad(evidence),
                        "4.5 %; 2 % without rescheduling",
                        () -> ourNormalLoad(evidence))
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "The paper has a quarter of the jobs of a minute or longer that the SDSC SP2 log has, and"
                                + " does not say which quarter. On all of them, the best gain at x1 is 7.5 and 8.1 %"
                                + " (20 and 60 % may be split), and 2.1 and 2.7 % without rescheduling. On jobs of"
                                + " half an hour or longer on 8 PEs or more, about as many as the paper has, it is"
                                + " 5.4 and 5.7 %, and 1.3 and 1.5 % without rescheduling: the claim is reproduced."
                                + " It is also reproduced on jobs of half an hour or longer on 2 PEs or more of the"
                                + " queues normal and low, which we found after results were seen: 3.1 and 3.1 %, and"
                                + " 1.0 and 1.1 % without rescheduling."));
    }

    private static List<Check> checkNormalLoad(AdaptiveEvidence evidence) {
        List<Check> checks = new ArrayList<>();
        for (Share share : evidence.shares()) {
            RequestType best = share.highest(type -> gain(evidence, new AdaptiveSetting(type, Scheduler.MDF, NORMAL)));
            double most = gain(evidence, new AdaptiveSetting(best, Scheduler.MDF, NORMAL));
            String gains = share.named(type -> gain(evidence, new AdaptiveSetting(type, Scheduler.MDF, NORMAL)));
            checks.add(new Check(
                    "MOLDABLE or BOTH earns most under MDF, %s".formatted(share.words()),
                    best == MOLDABLE || best == share.both(),
                    gains));
            checks.add(new Check(
                    "the highest gain under MDF is within 4.5 ± 2, %s".formatted(share.words()),
                    isWithin(most, 4.5, 2),
                    gains));
            RequestType bestFirst =
                    share.highest(type -> gain(evidence, new AdaptiveSetting(type, Scheduler.FIFO, NORMAL)));
            checks.add(new Check(
                    "the highest gain under FIFO is at most 2, %s".formatted(share.words()),
                    gain(evidence, new AdaptiveSetting(bestFirst, Scheduler.FIFO, NORMAL)) <= 2,
                    share.named(type -> gain(evidence, new AdaptiveSetting(type, Scheduler.FIFO, NORMAL)))));
        }
        return checks;
    }

    private static String ourNormalLoad(AdaptiveEvidence evidence) {
        return "%s; %s without rescheduling"
                .formatted(
                        byShare(evidence, share -> highestGain(evidence, share, Scheduler.MDF)),
                        byShare(evidence, share -> highestGain(evidence, share, Scheduler.FIFO)));
    }

    private static double highestGain(AdaptiveEvidence evidence, Share share, Scheduler scheduler) {
        return share.types().stream()
                .mapToDouble(type -> gain(evidence, new AdaptiveSetting(type, scheduler, NORMAL)))
                .max()
                .orElseThrow();
    }

    static PaperClaim highLoad(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C2",
                        "At one and a half times the normal load, moldable requests with rescheduling earn about 14 %"
                                + " more than rigid ones under FIFO, and about 3 % more than rigid ones with"
                                + " rescheduling.",
                        "at x1.5, MOLDABLE under MDF: the mean gain lies within 14 ± 4 % over traditional and within"
                                + " 3 ± 2 % over RIGID under MDF, and both 95 % intervals lie above 0",
                        () -> checkHighLoad(evidence),
                        "14 %, 3 %",
                        () -> ourHighLoad(evidence))
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "The figures depend on the choice of jobs. On the SDSC SP2 log, moldable requests with"
                                + " rescheduling gain 23.3 % over rigid ones under FIFO and 2.5 ± 0.6 % over rigid"
                                + " ones with rescheduling. On the large jobs they gain 19.7 and 1.3 ± 0.3 %, and"
                                + " with deadlines five run times after the run 18.02 and 1.6 ± 0.3 %. On the jobs of"
                                + " the queues normal and low, which ask for less, they gain 10.8 and 0.9 ± 0.2 %."
                                + " Each of the last two misses one of the bounds, by 0.02 and 0.1 points; none has"
                                + " both figures. By a bug of ours, requests that were placed again at first kept"
                                + " their shapes; the second figure was then 1.7 and 0.7 %. The paper's Conclusion"
                                + " gives its 14 % to preemptible requests, its Results to moldable ones. In our"
                                + " runs, preemptible ones gain 22.5 and 24.6 % (20 and 60 %)."));
    }

    private static List<Check> checkHighLoad(AdaptiveEvidence evidence) {
        var moldable = new AdaptiveSetting(MOLDABLE, Scheduler.MDF, HIGH);
        var rigid = new AdaptiveSetting(RIGID, Scheduler.MDF, HIGH);
        List<Check> checks = new ArrayList<>();
        checks.addAll(lead("traditional", evidence.profit().of(moldable, moldable.traditional(), 0), 14, 4));
        checks.addAll(lead("RIGID under MDF", evidence.profit().of(moldable, rigid, 0), 3, 2));
        return checks;
    }

    private static List<Check> lead(String over, Sample gain, double expected, double tolerance) {
        Estimate estimate = gain.estimate();
        return List.of(
                new Check(
                        "MOLDABLE under MDF is within %s ± %s over %s".formatted(expected, tolerance, over),
                        isWithin(estimate.mean(), expected, tolerance),
                        estimate.toString()),
                new Check("MOLDABLE under MDF earns more than " + over, estimate.isAbove(0), estimate.toString()));
    }

    private static boolean isWithin(double value, double expected, double tolerance) {
        return Math.abs(value - expected) <= tolerance;
    }

    private static String ourHighLoad(AdaptiveEvidence evidence) {
        var moldable = new AdaptiveSetting(MOLDABLE, Scheduler.MDF, HIGH);
        return "%s %%, %s %%"
                .formatted(
                        tenths(gain(evidence, moldable)),
                        tenths(gain(evidence, moldable, new AdaptiveSetting(RIGID, Scheduler.MDF, HIGH), 0)));
    }

    static PaperClaim incentive(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C5",
                        "The gain from preemptible requests falls as their incentive rises: it is under 1 % at an"
                                + " incentive of 30 %, and above that it is a loss.",
                        "at x1.5, PREEMPTIBLE under MDF, for each share: the mean gain over traditional falls from"
                                + " each incentive to the next, lies between 0 and 1 % at 30 %, and lies below 0 at"
                                + " 40 %",
                        () -> checkIncentive(evidence),
                        "under 1 % at 30 %, a loss above that",
                        () -> ourIncentive(evidence))
                .with(new Inquiry(
                        Cause.PAPER,
                        PaperLog.SDSC_SP2,
                        "The paper's table says that 20 % of the requests may be split, its text says 60 %. A share s"
                                + " costs about s times the incentive. On the SDSC SP2 log, no incentive up to 40 %"
                                + " uses up the gain with 20 %; with 60 %, the gain is used up at about 33 %, and on"
                                + " the large jobs at 29 %. So the paper's figure fits its text. With 60 % alone,"
                                + " everything but the bound of 1 % holds: 2.6 % is left at 30 %. If deadlines lie"
                                + " five run times after the run, as a comment in the table may mean, 0.9 % is left"
                                + " at 30 % and 6.3 % are lost at 40 %, and with 60 % the whole claim holds."));
    }

    private static List<Check> checkIncentive(AdaptiveEvidence evidence) {
        List<Check> checks = new ArrayList<>();
        for (Share share : evidence.shares()) {
            var setting = new AdaptiveSetting(share.preemptible(), Scheduler.MDF, HIGH);
            Map<Integer, Sample> gains = new LinkedHashMap<>();
            for (int incentive : AdaptiveStudy.INCENTIVES) {
                gains.put(incentive, evidence.profit().of(setting, setting.traditional(), incentive));
            }
            String figures = Trends.means(List.copyOf(gains.values()));
            for (int i = 1; i < AdaptiveStudy.INCENTIVES.size(); i++) {
                int incentive = AdaptiveStudy.INCENTIVES.get(i);
                checks.add(new Check(
                        "the gain falls to an incentive of %d %%, %s".formatted(incentive, share.words()),
                        mean(gains, incentive) < mean(gains, AdaptiveStudy.INCENTIVES.get(i - 1)),
                        figures));
            }
            checks.add(new Check(
                    "the gain lies between 0 and 1 at 30 %%, %s".formatted(share.words()),
                    mean(gains, 30) > 0 && mean(gains, 30) < 1,
                    figures));
            checks.add(
                    new Check("there is a loss at 40 %%, %s".formatted(share.words()), mean(gains, 40) < 0, figures));
        }
        return checks;
    }

    private static double mean(Map<Integer, Sample> gains, int incentive) {
        Sample gain = gains.get(incentive);
        return gain == null ? Double.NaN : gain.mean();
    }

    private static String ourIncentive(AdaptiveEvidence evidence) {
        return "%s at 30 %%, %s at 40 %%"
                .formatted(
                        byShare(evidence, share -> left(evidence, share, 30)),
                        byShare(evidence, share -> left(evidence, share, 40)));
    }

    private static double left(AdaptiveEvidence evidence, Share share, int incentive) {
        var setting = new AdaptiveSetting(share.preemptible(), Scheduler.MDF, HIGH);
        return gain(evidence, setting, setting.traditional(), incentive);
    }

    private static double gain(AdaptiveEvidence evidence, AdaptiveSetting setting) {
        return gain(evidence, setting, setting.traditional(), 0);
    }

    private static double gain(
            AdaptiveEvidence evidence, AdaptiveSetting setting, AdaptiveSetting other, int incentive) {
        return evidence.profit().of(setting, other, incentive).mean();
    }

    /** Formats a value in percent for each share. */
    private static String byShare(AdaptiveEvidence evidence, ToDoubleFunction<Share> value) {
        return evidence.shares().stream()
                .map(share -> tenths(value.applyAsDouble(share)))
                .collect(Collectors.joining(" and ", "", " %"));
    }
}

package berth.lab.experiment.adaptive;

import static berth.lab.experiment.adaptive.AdaptiveClaims.tenths;
import static berth.lab.experiment.adaptive.AdaptiveStudy.HIGH;
import static berth.lab.experiment.adaptive.AdaptiveStudy.NORMAL;
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
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** The claims of paper 003 about what clients get: text, rule and result of each. */
final class ClientClaims {
    /** The inquiry for both wordings of 003-C3. */
    private static final Inquiry LOOKED_INTO_SOONER = new Inquiry(
            Cause.READING,
            PaperLog.SDSC_SP2,
            "On the SDSC SP2 log, rescheduling completes requests sooner at every load, by up to 19.6 %, and by less"
                    + " as load grows. Requests that may be split always gain most: up to x1.2 those that may also be"
                    + " molded, from x1.4 on those that may only be split. At x1.4 and x1.5, the reduction for rigid"
                    + " and moldable requests is within chance, and at x1.5 so is that for both with 20 %. At x1.5,"
                    + " 95 % of the requests are accepted with rescheduling and 88 % without it, and the additional"
                    + " requests make the queue wait. By the completion time of all requests that each accepts, the"
                    + " corrected wording is reproduced. On the large jobs, rigid requests are done later from x1.2"
                    + " on.");

    private ClientClaims() {}

    static PaperClaim sooner(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C3",
                        "Rescheduling completes requests sooner: by 20 % according to the abstract, most of all"
                                + " preemptible requests, and less as load grows.",
                        "requests that both accept, under MDF: for each type and load, the 95 % interval of the"
                                + " reduction against traditional lies above 0; at each load, for each share, the"
                                + " mean reduction for PREEMPTIBLE is the highest of the four types; for each type,"
                                + " the mean reduction is smaller at x1.5 than at x1; the highest mean reduction lies"
                                + " within 20 ± 5 %",
                        () -> checkSooner(evidence),
                        "20 %",
                        () -> ourSooner(evidence))
                .with(LOOKED_INTO_SOONER);
    }

    static PaperClaim soonerCorrected(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C3-corrected",
                        "Rescheduling completes requests sooner: by 20 % according to the abstract, most of all"
                                + " requests that may be split (molded as well or not), and less as load grows.",
                        "as for 003-C3, except that at each load, for each share, the mean reduction for PREEMPTIBLE"
                                + " or BOTH is the highest of the four types",
                        () -> checkSoonerIfPreemptible(evidence),
                        "20 %",
                        () -> ourSooner(evidence))
                .correcting("The paper says that preemptive requests do best. By its definition, every request that may"
                        + " be split is preemptive, even if it may also be molded. Our first wording applied"
                        + " the word only to requests that may not be molded. We corrected it after results"
                        + " were seen; both verdicts stand.")
                .with(LOOKED_INTO_SOONER);
    }

    private static List<Check> checkSooner(AdaptiveEvidence evidence) {
        return checkSooner(evidence, "PREEMPTIBLE gains", (share, type) -> type == share.preemptible());
    }

    private static List<Check> checkSoonerIfPreemptible(AdaptiveEvidence evidence) {
        return checkSooner(evidence, "PREEMPTIBLE or BOTH gains", (_, type) -> type.preemptibleShare() > 0);
    }

    private static List<Check> checkSooner(
            AdaptiveEvidence evidence, String who, BiPredicate<Share, RequestType> isAmongThem) {
        List<Check> checks = new ArrayList<>();
        for (RequestType type : Share.typesOf(evidence.shares())) {
            for (double load : AdaptiveStudy.LOADS) {
                Estimate cut = sooner(evidence, type, load).estimate();
                checks.add(new Check("%s is done sooner at x%s".formatted(type, load), cut.isAbove(0), cut.toString()));
            }
            checks.add(new Check(
                    type + " gains less time at x1.5 than at x1",
                    sooner(evidence, type, HIGH).mean()
                            < sooner(evidence, type, NORMAL).mean(),
                    Trends.means(List.of(sooner(evidence, type, NORMAL), sooner(evidence, type, HIGH)))));
        }
        for (double load : AdaptiveStudy.LOADS) {
            for (Share share : evidence.shares()) {
                checks.add(new Check(
                        "%s most time at x%s, %s".formatted(who, load, share.words()),
                        isAmongThem.test(
                                share,
                                share.highest(
                                        type -> sooner(evidence, type, load).mean())),
                        share.named(type -> sooner(evidence, type, load).mean())));
            }
        }
        double most = AdaptiveStudy.LOADS.stream()
                .mapToDouble(load -> soonest(evidence, load))
                .max()
                .orElseThrow();
        checks.add(new Check("the highest reduction is within 20 ± 5", Math.abs(most - 20) <= 5, Check.number(most)));
        return checks;
    }

    private static Sample sooner(AdaptiveEvidence evidence, RequestType type, double load) {
        var setting = new AdaptiveSetting(type, Scheduler.MDF, load);
        return evidence.completion().apply(setting, setting.traditional());
    }

    private static String ourSooner(AdaptiveEvidence evidence) {
        return "at most %s %% at x1, %s %% at x1.5"
                .formatted(tenths(soonest(evidence, NORMAL)), tenths(soonest(evidence, HIGH)));
    }

    private static double soonest(AdaptiveEvidence evidence, double load) {
        return Share.typesOf(evidence.shares()).stream()
                .mapToDouble(type -> sooner(evidence, type, load).mean())
                .max()
                .orElseThrow();
    }

    static PaperClaim fewerRejected(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                evidence.isRepeated(),
                "003-C4",
                "Rescheduling plays the main part in avoiding rejections.",
                "at each load, RIGID under MDF rejects fewer requests than traditional (the 95 % interval of the"
                        + " differences lies above 0), and its mean difference is larger than that of any type under"
                        + " FIFO",
                () -> checkFewerRejected(evidence),
                PaperClaim.NO_FIGURE,
                () -> ourFewerRejected(evidence));
    }

    private static List<Check> checkFewerRejected(AdaptiveEvidence evidence) {
        List<Check> checks = new ArrayList<>();
        for (double load : AdaptiveStudy.LOADS) {
            Estimate cut = rejected(evidence, RIGID, Scheduler.MDF, load).estimate();
            checks.add(new Check("RIGID under MDF rejects fewer at x" + load, cut.isAbove(0), cut.toString()));
            double most = Stream.of(RequestType.values())
                    .mapToDouble(type ->
                            rejected(evidence, type, Scheduler.FIFO, load).mean())
                    .max()
                    .orElseThrow();
            checks.add(new Check(
                    "rescheduling avoids more than any type under FIFO at x" + load,
                    cut.mean() > most,
                    "%s, %s".formatted(Check.number(cut.mean()), Check.number(most))));
        }
        return checks;
    }

    private static Sample rejected(AdaptiveEvidence evidence, RequestType type, Scheduler scheduler, double load) {
        var setting = new AdaptiveSetting(type, scheduler, load);
        return evidence.rejected().apply(setting, setting.traditional());
    }

    private static String ourFewerRejected(AdaptiveEvidence evidence) {
        return "%s and %s points fewer at x1 and x1.5; without rescheduling at most %s and %s"
                .formatted(
                        tenths(rejected(evidence, RIGID, Scheduler.MDF, NORMAL).mean()),
                        tenths(rejected(evidence, RIGID, Scheduler.MDF, HIGH).mean()),
                        tenths(mostAvoided(evidence, NORMAL)),
                        tenths(mostAvoided(evidence, HIGH)));
    }

    /** Returns the most avoided rejections by any type except the rigid one. */
    private static double mostAvoided(AdaptiveEvidence evidence, double load) {
        return Share.typesOf(evidence.shares()).stream()
                .filter(type -> type != RIGID)
                .mapToDouble(
                        type -> rejected(evidence, type, Scheduler.FIFO, load).mean())
                .max()
                .orElseThrow();
    }
}

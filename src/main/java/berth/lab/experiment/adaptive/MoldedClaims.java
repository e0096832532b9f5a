package berth.lab.experiment.adaptive;

import static berth.lab.experiment.adaptive.AdaptiveStudy.HIGH;
import static berth.lab.experiment.adaptive.AdaptiveStudy.NORMAL;
import static berth.lab.experiment.adaptive.RequestType.MOLDABLE;

import berth.lab.experiment.Check;
import berth.lab.experiment.Curves;
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
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The claims of paper 003 about how many moldable requests are modified and how far: text, rule and result of each. */
final class MoldedClaims {
    /** The rule for the claim on how many requests are modified, and for our first wording of the claim on how far. */
    private static final String MORE_USED =
            "under MDF, all windows: for MOLDABLE, BOTH_20 and BOTH_60, the 95 % interval of the paired differences"
                    + " from x1 to x1.5 lies above 0, and at most one mean is below the one before; at each load, the"
                    + " means of BOTH_20 and BOTH_60 are above that of MOLDABLE";

    private MoldedClaims() {}

    static PaperClaim modified(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                evidence.isRepeated(),
                "003-C6",
                "More moldable requests run on fewer PEs as load grows, and if they may also be split.",
                MORE_USED,
                () -> checkGrows(evidence, evidence.modified()),
                PaperClaim.NO_FIGURE,
                () -> ourGrows(evidence, evidence.modified()));
    }

    static PaperClaim modification(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C7",
                        "Moldable requests are modified to a greater extent as load grows, and if they may also be"
                                + " split.",
                        MORE_USED,
                        () -> checkGrows(evidence, evidence.modification()),
                        PaperClaim.NO_FIGURE,
                        () -> ourGrows(evidence, evidence.modification()))
                .with(new Inquiry(
                        Cause.PAPER,
                        PaperLog.SDSC_SP2,
                        "The paper does not say this; see the corrected wording. On the SDSC SP2 log, requests are"
                                + " modified to a greater extent as load grows. If they may also be split, more of"
                                + " them are modified (003-C6), but each by less: a split finds the room that fewer"
                                + " PEs would have found. For modified requests alone, the extent is 58 to 60 % at"
                                + " all loads, and 42 to 44 % if 60 % may be split."));
    }

    static PaperClaim modificationCorrected(AdaptiveEvidence evidence) {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "003-C7-corrected",
                        "Moldable requests are modified to a greater extent as load grows.",
                        "under MDF, all windows: for MOLDABLE, BOTH_20 and BOTH_60, the 95 % interval of the paired"
                                + " differences from x1 to x1.5 lies above 0, and at most one mean is below the one"
                                + " before",
                        () -> checkGrowsWithLoad(evidence, evidence.modification()),
                        PaperClaim.NO_FIGURE,
                        () -> ourGrows(evidence, evidence.modification()))
                .correcting("The paper says only about its figure 8 that more requests are modified if they may also be"
                        + " split. Our first wording said the same about figure 9, which shows how far each"
                        + " is modified. We corrected it after results were seen; both verdicts stand.");
    }

    private static List<Check> checkGrows(AdaptiveEvidence evidence, Function<AdaptiveSetting, Sample> measure) {
        var curves = ofMoldable(evidence, measure);
        List<Check> checks = new ArrayList<>(Trends.risesInGeneral(curves));
        for (int i = 0; i < curves.points().size(); i++) {
            for (RequestType type : both(evidence)) {
                checks.add(new Check(
                        "%s is above MOLDABLE at %s"
                                .formatted(type, curves.points().get(i)),
                        curves.at(type, i).mean() > curves.at(MOLDABLE, i).mean(),
                        Trends.means(List.of(curves.at(type, i), curves.at(MOLDABLE, i)))));
            }
        }
        return checks;
    }

    private static List<Check> checkGrowsWithLoad(
            AdaptiveEvidence evidence, Function<AdaptiveSetting, Sample> measure) {
        return Trends.risesInGeneral(ofMoldable(evidence, measure));
    }

    private static List<RequestType> both(AdaptiveEvidence evidence) {
        return evidence.shares().stream().map(Share::both).toList();
    }

    private static Curves<RequestType> ofMoldable(
            AdaptiveEvidence evidence, Function<AdaptiveSetting, Sample> measure) {
        Map<RequestType, List<Sample>> lines = new LinkedHashMap<>();
        for (RequestType type :
                Stream.concat(Stream.of(MOLDABLE), both(evidence).stream()).toList()) {
            lines.put(
                    type,
                    AdaptiveStudy.LOADS.stream()
                            .map(load -> measure.apply(new AdaptiveSetting(type, Scheduler.MDF, load)))
                            .toList());
        }
        return new Curves<>(AdaptiveStudy.LOADS.stream().map(load -> "x" + load).toList(), lines);
    }

    /** Formats a measure from the lowest to the highest load, for requests that can only be molded and for those that can also be split. */
    private static String ourGrows(AdaptiveEvidence evidence, Function<AdaptiveSetting, Sample> measure) {
        Map<RequestType, String> lines = new TreeMap<>();
        lines.put(MOLDABLE, fromTo(MOLDABLE, measure));
        evidence.shares().forEach(share -> lines.put(share.both(), fromTo(share.both(), measure)));
        return lines.entrySet().stream()
                .map(line -> line.getKey().words() + ": " + line.getValue())
                .collect(Collectors.joining("; "));
    }

    private static String fromTo(RequestType type, Function<AdaptiveSetting, Sample> measure) {
        return DoubleStream.of(NORMAL, HIGH)
                .map(load -> measure.apply(new AdaptiveSetting(type, Scheduler.MDF, load))
                        .mean())
                .mapToObj(AdaptiveClaims::tenths)
                .collect(Collectors.joining(" to ", "", " %"));
    }
}

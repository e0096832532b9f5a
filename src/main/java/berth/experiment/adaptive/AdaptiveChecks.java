package berth.experiment.adaptive;

import static berth.experiment.adaptive.RequestType.MOLDABLE;
import static berth.experiment.adaptive.RequestType.RIGID;

import berth.experiment.Check;
import berth.experiment.Curves;
import berth.experiment.Estimate;
import berth.experiment.Sample;
import berth.experiment.Trends;
import berth.experiment.adaptive.AdaptiveClaims.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What the claims of paper 003 come down to; {@link AdaptiveClaims} has the rules in words.
 *
 * @param shares of requests that may be split, all of which must come out
 */
record AdaptiveChecks(Evidence evidence, List<Share> shares) {
    private static final double NORMAL = AdaptiveStudy.LOADS.getFirst();
    private static final double HIGH = AdaptiveStudy.LOADS.getLast();

    /** How much more is earned at normal load. */
    List<Check> normalLoad() {
        List<Check> checks = new ArrayList<>();
        for (Share share : shares) {
            RequestType best = highest(share, type -> gain(new Setting(type, Scheduler.MDF, NORMAL)));
            double most = gain(new Setting(best, Scheduler.MDF, NORMAL));
            String gains = named(share, type -> gain(new Setting(type, Scheduler.MDF, NORMAL)));
            checks.add(new Check(
                    "MOLDABLE or BOTH earns most under MDF, %s".formatted(share.words()),
                    best == MOLDABLE || best == share.both(),
                    gains));
            checks.add(new Check(
                    "the highest gain under MDF is within 4.5 ± 2, %s".formatted(share.words()),
                    isWithin(most, 4.5, 2),
                    gains));
            RequestType bestFirst = highest(share, type -> gain(new Setting(type, Scheduler.FIFO, NORMAL)));
            checks.add(new Check(
                    "the highest gain under FIFO is at most 2, %s".formatted(share.words()),
                    gain(new Setting(bestFirst, Scheduler.FIFO, NORMAL)) <= 2,
                    named(share, type -> gain(new Setting(type, Scheduler.FIFO, NORMAL)))));
        }
        return checks;
    }

    /** How much more is earned at high load. */
    List<Check> highLoad() {
        var moldable = new Setting(MOLDABLE, Scheduler.MDF, HIGH);
        var rigid = new Setting(RIGID, Scheduler.MDF, HIGH);
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

    /** How much sooner requests are done. */
    List<Check> sooner() {
        return sooner("PREEMPTIBLE gains", (share, type) -> type == share.preemptible());
    }

    /** The same, where requests that may be molded as well as split are preemptible ones too. */
    List<Check> soonerIfPreemptible() {
        return sooner("PREEMPTIBLE or BOTH gains", (_, type) -> type.preemptibleShare() > 0);
    }

    private List<Check> sooner(String who, BiPredicate<Share, RequestType> isAmongThem) {
        List<Check> checks = new ArrayList<>();
        for (RequestType type : Share.typesOf(shares)) {
            for (double load : AdaptiveStudy.LOADS) {
                Estimate cut = sooner(type, load).estimate();
                checks.add(new Check("%s is done sooner at x%s".formatted(type, load), cut.isAbove(0), cut.toString()));
            }
            checks.add(new Check(
                    type + " gains less time at x1.5 than at x1",
                    sooner(type, HIGH).mean() < sooner(type, NORMAL).mean(),
                    Trends.means(List.of(sooner(type, NORMAL), sooner(type, HIGH)))));
        }
        for (double load : AdaptiveStudy.LOADS) {
            for (Share share : shares) {
                checks.add(new Check(
                        "%s most time at x%s, %s".formatted(who, load, share.words()),
                        isAmongThem.test(
                                share, highest(share, type -> sooner(type, load).mean())),
                        named(share, type -> sooner(type, load).mean())));
            }
        }
        double most = Share.typesOf(shares).stream()
                .flatMap(type -> AdaptiveStudy.LOADS.stream()
                        .map(load -> sooner(type, load).mean()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        checks.add(new Check("the highest cut is within 20 ± 5", isWithin(most, 20, 5), number(most)));
        return checks;
    }

    private Sample sooner(RequestType type, double load) {
        var setting = new Setting(type, Scheduler.MDF, load);
        return evidence.completion().apply(setting, setting.traditional());
    }

    /** What avoids rejections. */
    List<Check> fewerRejected() {
        List<Check> checks = new ArrayList<>();
        for (double load : AdaptiveStudy.LOADS) {
            Estimate cut = rejected(RIGID, Scheduler.MDF, load).estimate();
            checks.add(new Check("RIGID under MDF rejects fewer at x" + load, cut.isAbove(0), cut.toString()));
            double most = Stream.of(RequestType.values())
                    .mapToDouble(type -> rejected(type, Scheduler.FIFO, load).mean())
                    .max()
                    .orElseThrow();
            checks.add(new Check(
                    "rescheduling avoids more than any type under FIFO at x" + load,
                    cut.mean() > most,
                    "%s, %s".formatted(number(cut.mean()), number(most))));
        }
        return checks;
    }

    private Sample rejected(RequestType type, Scheduler scheduler, double load) {
        var setting = new Setting(type, scheduler, load);
        return evidence.rejected().apply(setting, setting.traditional());
    }

    /** What an incentive leaves of the gain. */
    List<Check> incentive() {
        List<Check> checks = new ArrayList<>();
        for (Share share : shares) {
            var setting = new Setting(share.preemptible(), Scheduler.MDF, HIGH);
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

    /** What grows with the load, and with the freedom to split. */
    List<Check> grows(Function<Setting, Sample> measure) {
        var curves = ofMoldable(measure);
        List<Check> checks = new ArrayList<>(Trends.risesInGeneral(curves));
        for (int i = 0; i < curves.points().size(); i++) {
            for (RequestType type : both()) {
                checks.add(new Check(
                        "%s is above MOLDABLE at %s"
                                .formatted(type, curves.points().get(i)),
                        curves.at(type, i).mean() > curves.at(MOLDABLE, i).mean(),
                        Trends.means(List.of(curves.at(type, i), curves.at(MOLDABLE, i)))));
            }
        }
        return checks;
    }

    /** What grows with the load. */
    List<Check> growsWithLoad(Function<Setting, Sample> measure) {
        return Trends.risesInGeneral(ofMoldable(measure));
    }

    private List<RequestType> both() {
        return shares.stream().map(Share::both).toList();
    }

    private Curves<RequestType> ofMoldable(Function<Setting, Sample> measure) {
        Map<RequestType, List<Sample>> lines = new LinkedHashMap<>();
        for (RequestType type :
                Stream.concat(Stream.of(MOLDABLE), both().stream()).toList()) {
            lines.put(
                    type,
                    AdaptiveStudy.LOADS.stream()
                            .map(load -> measure.apply(new Setting(type, Scheduler.MDF, load)))
                            .toList());
        }
        return new Curves<>(AdaptiveStudy.LOADS.stream().map(load -> "x" + load).toList(), lines);
    }

    private double gain(Setting setting) {
        return evidence.profit().of(setting, setting.traditional(), 0).mean();
    }

    private static RequestType highest(Share share, ToDoubleFunction<RequestType> measure) {
        return share.types().stream().max(Comparator.comparingDouble(measure)).orElseThrow();
    }

    private static String named(Share share, ToDoubleFunction<RequestType> measure) {
        return String.join(
                ", ",
                share.types().stream()
                        .map(type -> type + " " + number(measure.applyAsDouble(type)))
                        .toList());
    }

    private static boolean isWithin(double value, double expected, double tolerance) {
        return Math.abs(value - expected) <= tolerance;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}

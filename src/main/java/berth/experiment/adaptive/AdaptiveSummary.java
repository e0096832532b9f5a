package berth.experiment.adaptive;

import static berth.experiment.adaptive.RequestType.MOLDABLE;
import static berth.experiment.adaptive.RequestType.RIGID;

import berth.experiment.Sample;
import berth.experiment.adaptive.AdaptiveClaims.Evidence;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** The figures to the claims of paper 003, in short: means over the windows. */
record AdaptiveSummary(Evidence evidence, List<Share> shares) {
    private static final double NORMAL = AdaptiveStudy.LOADS.getFirst();
    private static final double HIGH = AdaptiveStudy.LOADS.getLast();

    String normalLoad() {
        return "%s; %s without rescheduling"
                .formatted(
                        byShare(share -> highestGain(share, Scheduler.MDF)),
                        byShare(share -> highestGain(share, Scheduler.FIFO)));
    }

    private double highestGain(Share share, Scheduler scheduler) {
        return highest(share.types(), type -> {
            var setting = new Setting(type, scheduler, NORMAL);
            return gain(setting, setting.traditional(), 0);
        });
    }

    String highLoad() {
        var moldable = new Setting(MOLDABLE, Scheduler.MDF, HIGH);
        return "%s %%, %s %%"
                .formatted(
                        number(gain(moldable, moldable.traditional(), 0)),
                        number(gain(moldable, new Setting(RIGID, Scheduler.MDF, HIGH), 0)));
    }

    String sooner() {
        return "at most %s %% at x1, %s %% at x1.5".formatted(number(soonest(NORMAL)), number(soonest(HIGH)));
    }

    private double soonest(double load) {
        return highest(Share.typesOf(shares), type -> {
            var setting = new Setting(type, Scheduler.MDF, load);
            return evidence.completion().apply(setting, setting.traditional()).mean();
        });
    }

    String fewerRejected() {
        return "%s and %s points fewer at x1 and x1.5; without rescheduling at most %s and %s"
                .formatted(
                        number(cut(RIGID, Scheduler.MDF, NORMAL)),
                        number(cut(RIGID, Scheduler.MDF, HIGH)),
                        number(mostAvoided(NORMAL)),
                        number(mostAvoided(HIGH)));
    }

    /** By any type but the rigid ones. */
    private double mostAvoided(double load) {
        return highest(
                Share.typesOf(shares).stream().filter(type -> type != RIGID).toList(),
                type -> cut(type, Scheduler.FIFO, load));
    }

    private double cut(RequestType type, Scheduler scheduler, double load) {
        var setting = new Setting(type, scheduler, load);
        return evidence.rejected().apply(setting, setting.traditional()).mean();
    }

    String incentive() {
        return "%s at 30 %%, %s at 40 %%"
                .formatted(byShare(share -> left(share, 30)), byShare(share -> left(share, 40)));
    }

    private double left(Share share, int incentive) {
        var setting = new Setting(share.preemptible(), Scheduler.MDF, HIGH);
        return gain(setting, setting.traditional(), incentive);
    }

    /** From the least load to the greatest, for requests that may be molded only, and for those that may be split too. */
    String grows(Function<Setting, Sample> measure) {
        Map<RequestType, String> lines = new TreeMap<>();
        lines.put(MOLDABLE, fromTo(MOLDABLE, measure));
        shares.forEach(share -> lines.put(share.both(), fromTo(share.both(), measure)));
        return lines.entrySet().stream()
                .map(line -> line.getKey().words() + ": " + line.getValue())
                .collect(Collectors.joining("; "));
    }

    private static String fromTo(RequestType type, Function<Setting, Sample> measure) {
        return DoubleStream.of(NORMAL, HIGH)
                .map(load ->
                        measure.apply(new Setting(type, Scheduler.MDF, load)).mean())
                .mapToObj(AdaptiveSummary::number)
                .collect(Collectors.joining(" to ", "", " %"));
    }

    private double gain(Setting setting, Setting other, int incentive) {
        return evidence.profit().of(setting, other, incentive).mean();
    }

    private static double highest(List<RequestType> types, ToDoubleFunction<RequestType> measure) {
        return types.stream().mapToDouble(measure).max().orElseThrow();
    }

    /** A value in percent for each share. */
    private String byShare(ToDoubleFunction<Share> value) {
        return shares.stream()
                .map(share -> number(value.applyAsDouble(share)))
                .collect(Collectors.joining(" and ", "", " %"));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}

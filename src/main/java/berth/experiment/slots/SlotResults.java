package berth.experiment.slots;

import berth.experiment.Claim;
import berth.experiment.CsvFile;
import berth.experiment.Curves;
import berth.experiment.Estimate;
import berth.experiment.Sample;
import berth.simulation.Figures;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record SlotResults(SlotStudy study, Map<SlotRun, Figures> figures) {

    /** One measure of the seven policies along a sweep. */
    Curves<SlotPolicy> curves(Sweep sweep, Measure measure) {
        Map<SlotPolicy, List<Sample>> lines = new EnumMap<>(SlotPolicy.class);
        for (SlotPolicy policy : SlotPolicy.values()) {
            lines.put(
                    policy,
                    sweep.settings().stream()
                            .map(setting -> sample(setting, policy, measure))
                            .toList());
        }
        return new Curves<>(sweep.points(), lines);
    }

    private Sample sample(Setting setting, SlotPolicy policy, Measure measure) {
        return new Sample(IntStream.rangeClosed(1, study.repetitions())
                .mapToObj(repetition -> measure.of(of(new SlotRun(setting, policy, repetition))))
                .toList());
    }

    /** The figures of one run of the study. */
    Figures of(SlotRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** The nine claims, judged. */
    List<Claim> claims() {
        return SlotClaims.of(evidence(Sweep.SIZES), evidence(Sweep.ARRIVALS), evidence(Sweep.FLEXIBILITY));
    }

    private SlotClaims.Evidence evidence(Sweep sweep) {
        return new SlotClaims.Evidence(curves(sweep, Measure.ACCEPTANCE), curves(sweep, Measure.SLOWDOWN));
    }

    /**
     * A row for each run. {@code umed}, {@code arrivalFactor}, {@code artimeFactor}, {@code deadlineFactor}: its setting;
     * {@code binding} of PEs; {@code policy} by the paper's name; {@code repetition} from 1 and the {@code seed} of its
     * requests; {@code requests} made; {@code accepted}; {@code refused} by code, as {@code code:count} with spaces between;
     * {@code acceptance}, {@code meanSlowdown}, {@code utilisation}, {@code offeredLoad} as {@link Figures} has them.
     */
    CsvFile runs() {
        CsvFile table = new CsvFile(
                "umed",
                "arrivalFactor",
                "artimeFactor",
                "deadlineFactor",
                "binding",
                "policy",
                "repetition",
                "seed",
                "requests",
                "accepted",
                "refused",
                "acceptance",
                "meanSlowdown",
                "utilisation",
                "offeredLoad");
        figures.forEach((run, result) -> table.add(
                run.setting().medium(),
                run.setting().arrivalFactor(),
                run.setting().flexibility(),
                run.setting().flexibility(),
                study.binding(),
                run.policy(),
                run.repetition(),
                study.seedOf(run.repetition()),
                result.requests(),
                result.accepted(),
                refused(result),
                result.acceptance(),
                result.meanSlowdown(),
                result.utilisation(),
                result.offeredLoad()));
        return table;
    }

    private static String refused(Figures result) {
        return result.refused().entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /**
     * A row for each point of each curve. {@code sweep} and {@code point} of its axis; {@code policy}; {@code measure}: {@link
     * Measure}, acceptance in percent here; {@code mean} over the repetitions; {@code halfWidth95} of its confidence interval, empty for a single
     * repetition; {@code repetitions}.
     */
    CsvFile means() {
        CsvFile table = new CsvFile("sweep", "point", "policy", "measure", "mean", "halfWidth95", "repetitions");
        for (Sweep sweep : Sweep.values()) {
            for (Measure measure : Measure.values()) {
                Curves<SlotPolicy> curves = curves(sweep, measure);
                for (Entry<SlotPolicy, List<Sample>> line : curves.lines().entrySet()) {
                    for (int i = 0; i < curves.points().size(); i++) {
                        Estimate estimate = line.getValue().get(i).estimate();
                        table.add(
                                sweep,
                                curves.points().get(i),
                                line.getKey(),
                                measure.name().toLowerCase(Locale.ROOT),
                                estimate.mean(),
                                estimate.halfWidth(),
                                study.repetitions());
                    }
                }
            }
        }
        return table;
    }
}

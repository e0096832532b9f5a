package berth.lab.experiment.slots;

import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Findings;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
import berth.lab.simulation.Figures;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record SlotResults(SlotStudy study, Map<SlotRun, Figures> figures) {

    /** Returns a measure of the seven policies along a sweep. */
    Curves<SlotPolicy> curves(SlotSweep sweep, SlotMeasure measure) {
        Map<SlotPolicy, List<Sample>> lines = new EnumMap<>(SlotPolicy.class);
        for (SlotPolicy policy : SlotPolicy.values()) {
            lines.put(
                    policy,
                    sweep.settings(study.recipe().pairs()).stream()
                            .map(setting -> sample(setting, policy, measure))
                            .toList());
        }
        return new Curves<>(
                sweep.settings(study.recipe().pairs()).stream()
                        .map(sweep::point)
                        .toList(),
                lines);
    }

    private Sample sample(SlotSetting setting, SlotPolicy policy, SlotMeasure measure) {
        return new Sample(IntStream.rangeClosed(1, study.repetitions())
                .mapToObj(repetition -> measure.of(of(new SlotRun(setting, policy, repetition))))
                .toList());
    }

    /** Returns the figures of one run. */
    Figures of(SlotRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** Returns the nine judged claims. */
    List<PaperClaim> claims() {
        return SlotClaims.of(evidence(SlotSweep.SIZES), evidence(SlotSweep.ARRIVALS), evidence(SlotSweep.FLEXIBILITY));
    }

    private SlotEvidence evidence(SlotSweep sweep) {
        return new SlotEvidence(curves(sweep, SlotMeasure.ACCEPTANCE), curves(sweep, SlotMeasure.SLOWDOWN));
    }

    /**
     * Returns a row for each run. Columns: {@code umed}, {@code arrivalFactor}, {@code artimeFactor}, {@code deadlineFactor} (its setting);
     * {@code binding}; {@code policy} by the paper's name; {@code repetition}, from 1, and the {@code seed} of its requests; {@code
     * requests}; {@code accepted}; {@code refused} as {@code code:count} separated by spaces; {@code acceptance}, {@code meanSlowdown},
     * {@code utilisation}, {@code offeredLoad} as in {@link Figures}.
     */
    CsvFile runs() {
        return CsvFile.of(
                new Columns<SlotRun>()
                        .with("umed", run -> run.setting().medium())
                        .with("arrivalFactor", run -> run.setting().arrivalFactor())
                        .with("artimeFactor", run -> run.setting().pair().artime())
                        .with("deadlineFactor", run -> run.setting().pair().deadline())
                        .with("binding", _ -> study.recipe().binding())
                        .with("policy", SlotRun::policy)
                        .with("repetition", SlotRun::repetition)
                        .with("seed", run -> study.seedOf(run.repetition()))
                        .with("requests", run -> of(run).requests())
                        .with("accepted", run -> of(run).accepted())
                        .with("refused", run -> of(run).refusedByCode())
                        .with("acceptance", run -> of(run).acceptance())
                        .with("meanSlowdown", run -> of(run).meanSlowdown())
                        .with("utilisation", run -> of(run).utilisation())
                        .with("offeredLoad", run -> of(run).offeredLoad()),
                figures.keySet());
    }

    /** Returns both measures along the three sweeps. */
    List<PaperFigure> paperFigures() {
        return Stream.of(SlotSweep.values())
                .flatMap(sweep -> Stream.of(SlotMeasure.values()).map(measure -> figure(sweep, measure)))
                .toList();
    }

    private PaperFigure figure(SlotSweep sweep, SlotMeasure measure) {
        Curves<SlotPolicy> curves = curves(sweep, measure);
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        curves.lines().forEach((policy, line) -> lines.put(policy.name(), line));
        return new PaperFigure(
                "%s-%s".formatted(measure, sweep).toLowerCase(Locale.ROOT),
                measure.title() + " by " + sweep.axis(),
                sweep.axis(),
                measure.unit(),
                new Curves<>(curves.points(), lines));
    }

    /** Returns all findings. */
    Findings findings() {
        return Findings.of(study.title(), paperFigures(), claims(), runs());
    }
}

package berth.lab.experiment.advisor;

import berth.lab.experiment.Findings;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Study;
import berth.lab.simulation.Simulation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Every window of a log on its own under every setting, with the same requests for all settings.
 *
 * @param settings the settings to compare, at least one, without duplicates
 * @param aim the measure by which they are ranked
 * @param seed the seed of the study
 */
record AdvisorStudy(Workload workload, List<Setting> settings, Aim aim, long seed)
        implements Study<AdvisorRun, AdvisorFigures> {

    AdvisorStudy {
        settings = List.copyOf(settings);
    }

    @Override
    public String name() {
        return "advisor";
    }

    @Override
    public String title() {
        return String.format(
                Locale.ROOT,
                "Policies for %s: %d PEs, windows of %s days: %d, settings: %d, load x%s, seed %d",
                workload.source(),
                workload.pes(),
                days(),
                workload.windows(),
                settings.size(),
                workload.load(),
                seed);
    }

    private String days() {
        double days = workload.length() / 86_400.0;
        return days == Math.rint(days) ? String.valueOf(Math.round(days)) : String.format(Locale.ROOT, "%.2f", days);
    }

    /** Returns the settings, including the one to compare them with. */
    List<Setting> tried() {
        return Stream.concat(settings.stream(), Stream.of(workload.reference()))
                .distinct()
                .toList();
    }

    @Override
    public List<AdvisorRun> runs() {
        return tried().stream()
                .flatMap(setting -> workload.numbers().stream().map(window -> new AdvisorRun(setting, window)))
                .toList();
    }

    /** Returns the seed of a window's draws. */
    long seedOf(int window) {
        return Seeds.ofRepetition(seed, window);
    }

    @Override
    public AdvisorFigures figures(AdvisorRun run) {
        long drawn = seedOf(run.window());
        return AdvisorFigures.of(
                Simulation.run(workload.cluster(run.setting()), workload.requests(run.window(), drawn), drawn));
    }

    @Override
    public Class<AdvisorFigures> kept() {
        return AdvisorFigures.class;
    }

    @Override
    public Findings findings(Map<AdvisorRun, AdvisorFigures> figures) {
        return new AdvisorResults(this, figures).findings();
    }
}

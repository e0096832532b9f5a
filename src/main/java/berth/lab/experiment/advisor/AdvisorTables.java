package berth.lab.experiment.advisor;

import berth.lab.experiment.Estimate;
import berth.lab.experiment.Sample;
import berth.lab.experiment.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables that an operator reads. */
record AdvisorTables(AdvisorResults results) {
    private static final String NONE = "-";

    /** Returns the table of what was replayed. */
    TextTable replayed() {
        var workload = results.study().workload();
        List<List<String>> rows = new ArrayList<>(workload.contents());
        var runs = workload.numbers().stream()
                .map(window ->
                        results.of(new AdvisorRun(workload.reference(), window)).all())
                .toList();
        rows.add(List.of(
                "requests",
                String.valueOf(runs.stream().mapToInt(all -> all.requests()).sum())));
        double asked =
                runs.stream().mapToDouble(all -> all.offeredLoad()).average().orElse(Double.NaN);
        rows.add(List.of("asked of the machine", String.format(Locale.ROOT, "%.1f %%", 100 * asked)));
        return new TextTable("Replayed", "", List.of("what", "how many"), rows);
    }

    /** Returns the recommendation for an aim. */
    TextTable advice(SettingRanking ranking) {
        Setting best = ranking.best().preferred();
        var even = ranking.withinChance().stream().sorted(results.preferred()).toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("settings", best.words()));
        rows.add(List.of("policy", policy(best)));
        rows.add(List.of("binding", binding(best)));
        rows.add(List.of(
                ranking.aim().word(),
                text(ranking.best().sample().estimate(), ranking.aim()) + ", "
                        + ranking.aim().unit()));
        rows.add(List.of(
                "lead over the next best",
                ranking.next().map(next -> lead(ranking, next.sample())).orElse("all settings are equal")));
        rows.add(List.of("lead over the " + reference(workload()), lead(ranking, inReference(ranking.aim()))));
        rows.add(List.of(
                "not worse beyond chance",
                "%d of %d settings, the plainest %s"
                        .formatted(
                                even.size(),
                                results.study().settings().size(),
                                even.getFirst().words())));
        return new TextTable("Recommended for " + ranking.aim(), judged(ranking), List.of("what", "answer"), rows);
    }

    /** Explains whether a change of settings is recommended. */
    private String judged(SettingRanking ranking) {
        String compared = "%s (%s)"
                .formatted(reference(workload()), workload().reference().words());
        String answer = ranking.isBeyondChance(inReference(ranking.aim()))
                ? "They are better than the %s beyond chance.".formatted(compared)
                : "They are not better than the %s beyond chance: these windows give no reason to change."
                        .formatted(compared);
        return answer + " " + beyondChance();
    }

    /** Explains what "beyond chance" means. */
    private String beyondChance() {
        return "Beyond chance: the interval of the lead stays above 0 if it is widened for the best having been chosen among"
                + " %d by the same windows (Bonferroni)."
                        .formatted(results.study().settings().size());
    }

    private Workload workload() {
        return results.study().workload();
    }

    /** Returns the name of the settings to compare the others with. */
    static String reference(Workload workload) {
        return switch (workload) {
            case LogWorkload _ -> "standard settings";
            case RecordedWorkload _ -> "settings in force";
        };
    }

    private Sample inReference(Aim aim) {
        return results.sample(workload().reference(), aim);
    }

    private String policy(Setting best) {
        return switch (workload()) {
            case LogWorkload _ -> "PATCH /api/v1/clusters/{id} " + best.change();
            case RecordedWorkload recorded ->
                best.changeOf(recorded.reference())
                        .map(change -> "PATCH /api/v1/clusters/%s %s"
                                .formatted(recorded.machine().id().value(), change))
                        .orElse("as in force, nothing to change");
        };
    }

    private String binding(Setting best) {
        boolean isInForce = workload() instanceof RecordedWorkload recorded
                && recorded.machine().binding() == best.binding();
        return best.binding() + (isInForce ? ", as in force" : ", to be set while nothing is booked");
    }

    private String lead(SettingRanking ranking, Sample over) {
        return text(ranking.lead(over), ranking.aim())
                + (ranking.isBeyondChance(over) ? ", beyond chance" : ", within chance");
    }

    /** Returns the best, the second best and the compared setting for each aim. */
    TextTable leads() {
        List<List<String>> rows = new ArrayList<>();
        for (Aim aim : Aim.values()) {
            SettingRanking ranking = results.ranking(aim);
            rows.add(row(
                    ranking,
                    "best",
                    ranking.best().preferred(),
                    Optional.of(ranking.best().settings().size())));
            ranking.next()
                    .ifPresent(next -> rows.add(row(
                            ranking,
                            "next",
                            next.preferred(),
                            Optional.of(next.settings().size()))));
            rows.add(row(ranking, workload().baseline(), workload().reference(), Optional.empty()));
        }
        return new TextTable(
                "For each aim",
                "Equal: the number of settings that are equal in every window. Of these, the table names the one with"
                        + " the fewest moves, and of several the plainest. Behind: the mean of the differences from"
                        + " the best, window by window, with its 95 % interval. " + beyondChance(),
                List.of("aim", "", "settings", "equal", "figure", "behind", "beyond chance"),
                rows);
    }

    private List<String> row(SettingRanking ranking, String which, Setting setting, Optional<Integer> equal) {
        Aim aim = ranking.aim();
        Sample sample = results.sample(setting, aim);
        Estimate behind = ranking.lead(sample);
        boolean isBest = which.equals("best");
        return List.of(
                aim.name(),
                which,
                setting.words(),
                equal.map(String::valueOf).orElse(NONE),
                text(sample.estimate(), aim),
                isBest ? NONE : text(behind, aim),
                isBest ? NONE : ranking.isBeyondChance(sample) ? "yes" : "no");
    }

    /** Returns all settings, ranked. */
    TextTable all(SettingRanking ranking) {
        List<List<String>> rows = new ArrayList<>();
        for (int rank = 1; rank <= ranking.ranks().size(); rank++) {
            for (Setting setting : ranking.ranks().get(rank - 1).settings()) {
                List<String> row = new ArrayList<>(List.of(
                        String.valueOf(rank),
                        setting.placement().name(),
                        setting.replacing(),
                        setting.binding().name()));
                Stream.of(Aim.values())
                        .map(aim -> text(results.sample(setting, aim).estimate(), aim))
                        .forEach(row::add);
                row.add(text(results.moves(setting), "%.2f"));
                row.add(text(results.phi(setting), "%.1f"));
                rows.add(row);
            }
        }
        return new TextTable(
                "All settings, by " + ranking.aim().word(),
                "Means over the windows with their 95 % intervals. Settings that are equal in every window share a rank."
                        + " Moves: per accepted reservation. Phi: mean distance of accepted alternatives, in percent of"
                        + " the run time.",
                List.of(
                        "rank",
                        "placement",
                        "juggling and order",
                        "binding",
                        "acceptance %",
                        "utilisation %",
                        "slowdown",
                        "revenue",
                        "moves",
                        "phi %"),
                rows);
    }

    private static String text(Optional<Sample> sample, String format) {
        return sample.map(there -> text(there.estimate(), format)).orElse(NONE);
    }

    private static String text(Estimate estimate, Aim aim) {
        return text(estimate, aim.format());
    }

    /** Formats a mean with its interval, if there is one. */
    static String text(Estimate estimate, String format) {
        if (Double.isNaN(estimate.mean())) {
            return NONE;
        }
        return Double.isFinite(estimate.halfWidth())
                ? String.format(Locale.ROOT, format + " ± " + format, estimate.mean(), estimate.halfWidth())
                : String.format(Locale.ROOT, format, estimate.mean());
    }
}

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
        List<List<String>> rows = new ArrayList<>();
        workload.jobs().faults().texts().forEach(fault -> rows.add(List.of("in the log", fault)));
        rows.add(List.of("jobs of the windows", String.valueOf(workload.size())));
        workload.leftOut()
                .forEach((reason, count) -> rows.add(List.of(
                        switch (reason) {
                            case SHORT -> "left out: below 60 s";
                            case NO_PES -> "left out: PEs unknown";
                            case TOO_LARGE -> "left out: more than %d PEs".formatted(workload.pes());
                        },
                        String.valueOf(count))));
        var runs = workload.numbers().stream()
                .map(window ->
                        results.of(new AdvisorRun(Setting.STANDARD, window)).all())
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
        rows.add(List.of("policy", "PATCH /api/v1/clusters/{id} " + best.change()));
        rows.add(List.of("binding", best.binding() + ", to be set while nothing is booked"));
        rows.add(List.of(
                ranking.aim().word(),
                text(ranking.best().sample().estimate(), ranking.aim()) + ", "
                        + ranking.aim().unit()));
        rows.add(List.of(
                "lead over the next best",
                ranking.next().map(next -> lead(ranking, next.sample())).orElse("all settings are equal")));
        rows.add(List.of("lead over the standard settings", lead(ranking, standard(ranking.aim()))));
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
        String words = Setting.STANDARD.words();
        String answer = ranking.isBeyondChance(standard(ranking.aim()))
                ? "They are better than the standard settings (%s) beyond chance.".formatted(words)
                : "They are not better than the standard settings (%s) beyond chance: these windows give no reason to change."
                        .formatted(words);
        return answer + " " + beyondChance();
    }

    /** Explains what "beyond chance" means. */
    private String beyondChance() {
        return "Beyond chance: the interval of the lead stays above 0 if it is widened for the best having been chosen among"
                + " %d by the same windows (Bonferroni)."
                        .formatted(results.study().settings().size());
    }

    private Sample standard(Aim aim) {
        return results.sample(Setting.STANDARD, aim);
    }

    private String lead(SettingRanking ranking, Sample over) {
        return text(ranking.lead(over), ranking.aim())
                + (ranking.isBeyondChance(over) ? ", beyond chance" : ", within chance");
    }

    /** Returns the best, the second best and the standard setting for each aim. */
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
            rows.add(row(ranking, "standard", Setting.STANDARD, Optional.empty()));
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

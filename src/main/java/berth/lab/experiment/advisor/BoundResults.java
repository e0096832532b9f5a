package berth.lab.experiment.advisor;

import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Sample;
import berth.lab.experiment.TextTable;
import berth.lab.experiment.advisor.MostAccepted.Proof;
import berth.lab.experiment.advisor.SettingRanking.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The numbers of requests that can be accepted in every window, and those that each setting accepts.
 *
 * @param figures in the order of the study's runs
 */
record BoundResults(BoundStudy study, Map<BoundRun, BoundFigures> figures) {
    private static final int SHOWN = 10;

    /** Returns all findings. */
    Findings findings() {
        return Findings.of(study.title(), List.of(), List.of(), runs()).with(shares());
    }

    /** Returns what a setting accepts, in percent of what can be accepted, by window. */
    Sample share(Setting setting) {
        int at = study.settings().indexOf(setting);
        return sample(came -> came.most() == 0 ? 100 : 100.0 * came.accepted().get(at) / came.most());
    }

    private Sample sample(ToDoubleFunction<BoundFigures> value) {
        return new Sample(
                figures.values().stream().map(came -> value.applyAsDouble(came)).toList());
    }

    /** Returns the ranking by accepted requests; among settings that are equal in every window the plainest comes first. */
    SettingRanking ranking() {
        return SettingRanking.of(Aim.ACCEPTANCE, study.settings(), Setting.PLAINEST_FIRST, this::share);
    }

    private TextTable shares() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "", "upper bound", "", text(sample(came -> 100.0 * came.most() / came.requests())), "100.00", "", ""));
        SettingRanking ranking = ranking();
        for (int rank = 1; rank <= ranking.ranks().size(); rank++) {
            Rank shared = ranking.ranks().get(rank - 1);
            boolean isReference = shared.settings().contains(study.workload().reference());
            if (rank <= SHOWN || isReference || rank == ranking.ranks().size()) {
                rows.add(row(rank, shared, isReference));
            }
        }
        return new TextTable(
                "The upper bound, and how many of the same requests each setting accepts",
                proven()
                        + " The table shows the best %d ranks, the %s, and the last rank."
                                .formatted(SHOWN, AdvisorTables.reference(study.workload())),
                List.of(
                        "rank",
                        "settings",
                        "equal",
                        "acceptance %",
                        "% of the bound",
                        "reached in",
                        study.workload().baseline()),
                rows);
    }

    private List<String> row(int rank, Rank shared, boolean isReference) {
        int at = study.settings().indexOf(shared.preferred());
        long reached = figures.values().stream()
                .filter(came -> came.accepted().get(at) == came.most())
                .count();
        return List.of(
                String.valueOf(rank),
                shared.preferred().words(),
                String.valueOf(shared.settings().size()),
                text(sample(came -> 100.0 * came.accepted().get(at) / came.requests())),
                text(shared.sample()),
                "%d windows".formatted(reached),
                isReference ? "yes" : "");
    }

    /** Explains how tight the bound is. */
    private String proven() {
        if (count(Proof.NO_SOLVER) > 0) {
            return "There is no exact solver for this platform, so the bound is the number of all requests.";
        }
        String proven =
                ("An exact solver that knows all requests in advance has proven the bound: in %d of %d windows there is"
                                + " a schedule that accepts as many.")
                        .formatted(count(Proof.REACHED), figures.size());
        return count(Proof.NOT_MORE) == 0
                ? proven
                : proven + " In the others the solver met its limit: no schedule accepts more, and the best may"
                        + " accept fewer.";
    }

    private long count(Proof proof) {
        return figures.values().stream().filter(came -> came.proof() == proof).count();
    }

    private static String text(Sample sample) {
        return AdvisorTables.text(sample.estimate(), Aim.ACCEPTANCE.format());
    }

    /**
     * Returns a row for each setting in each window. Columns: {@code window}, from 1; {@code requests}; {@code most}, how many can be
     * accepted; {@code proof}, what is known about that number; the setting, and how many it has {@code accepted}.
     */
    private CsvFile runs() {
        record Row(BoundRun run, BoundFigures came, Setting setting, int accepted) {}

        List<Row> all = new ArrayList<>();
        figures.forEach((run, came) -> {
            for (int i = 0; i < study.settings().size(); i++) {
                all.add(new Row(
                        run, came, study.settings().get(i), came.accepted().get(i)));
            }
        });
        return CsvFile.of(
                new Columns<Row>()
                        .with("window", row -> row.run.window())
                        .with("requests", row -> row.came.requests())
                        .with("most", row -> row.came.most())
                        .with("proof", row -> row.came.proof())
                        .with(Setting.COLUMNS, Row::setting)
                        .with("accepted", Row::accepted),
                all);
    }
}

package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Findings;
import berth.lab.experiment.LineChart;
import berth.lab.experiment.LineChart.Line;
import berth.lab.experiment.LineChart.Point;
import berth.lab.experiment.LineChart.Tick;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
import berth.lab.experiment.whatif.Delays.Delayed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record WhatIfResults(WhatIfStudy study, Map<WhatIfRun, WhatIfFigures> figures) {
    private static final double HOUR = 3600;
    private static final double DAY = 24 * HOUR;
    private static final List<String> PLACES = List.of("all 36 settings", "bat, stw <= 2 h", "highest load");

    /** Returns all findings. */
    Findings findings() {
        Findings findings = Findings.of(study.title(), paperFigures(), claims(), runs())
                .with("delays.csv", delays())
                .with("figure3.svg", successChart());
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            findings = findings.with("figure4-%s.svg".formatted(slug(method)), delayChart(method));
        }
        return study.repetitions() > 1 && study.rules().equals(SlotRules.AS_READ)
                ? findings.with(WhatIfClaims.readings(evidence()))
                : findings;
    }

    private static String slug(AvailabilityMethod method) {
        return method.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the figures of a setting, by repetition. */
    private List<WhatIfFigures> of(WhatIfSetting setting) {
        return IntStream.rangeClosed(1, study.repetitions())
                .mapToObj(repetition -> Optional.ofNullable(figures.get(new WhatIfRun(setting, repetition))))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the figures of one run. */
    private WhatIfFigures of(WhatIfRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    private WhatIfEvidence evidence() {
        return new WhatIfEvidence(
                this::of,
                IntStream.rangeClosed(1, study.repetitions())
                        .mapToObj(study::limitedJobs)
                        .toList());
    }

    /** Returns the nine judged claims. */
    List<PaperClaim> claims() {
        return WhatIfClaims.of(evidence());
    }

    /** Returns the paper's figures as numbers, with the paper's own values where it has them. */
    List<PaperFigure> paperFigures() {
        List<PaperFigure> all = new ArrayList<>();
        all.add(success());
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            all.add(bySetting(
                    "figure3", "figure 3: granted requests, percent", "percent", method, WhatIfFigures::success));
        }
        all.add(table1("jobs", "delayed jobs", "jobs", WhatIfFigures::delayedJobs, PaperTable.JOBS));
        all.add(table1(
                "original",
                "mean wait of the delayed jobs without reservations, s",
                "seconds",
                WhatIfFigures::meanOriginal,
                PaperTable.ORIGINAL));
        all.add(table1(
                "affected",
                "mean wait of the delayed jobs, s",
                "seconds",
                WhatIfFigures::meanAffected,
                PaperTable.AFFECTED));
        all.add(widest("figure4-total", "figure 4: total extra wait, h", WhatIfFigures::totalExtra));
        all.add(widest("change", "change of all waits, shorter ones included, h", one -> one.change() / HOUR));
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            all.add(bySetting(
                    "makespan-of-jobs",
                    "text: growth of the makespan of jobs, percent",
                    "percent",
                    method,
                    WhatIfFigures::growth));
            all.add(bySetting(
                    "makespan-of-all",
                    "growth of the makespan of jobs and reservations, percent",
                    "percent",
                    method,
                    WhatIfFigures::growthOfAll));
        }
        return all;
    }

    private PaperFigure success() {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            lines.put(
                    method.name(),
                    List.of(
                            evidence().meanOf(WhatIfSetting.all(method, Variant.STANDARD), WhatIfFigures::success),
                            evidence().meanOf(WhatIfSetting.tight(method, Variant.STANDARD), WhatIfFigures::success),
                            evidence()
                                    .meanOf(
                                            WhatIfSetting.all(method, Variant.STANDARD),
                                            figures -> figures.pressed().success())));
        }
        lines.put("LOAD, paper", constants(80, 38, 58));
        lines.put("WHAT_IF, paper", constants(97, 92, 92));
        return new PaperFigure(
                "success", "text: granted requests, percent", "requests", "percent", new Curves<>(PLACES, lines));
    }

    private PaperFigure bySetting(
            String name, String title, String unit, AvailabilityMethod method, ToDoubleFunction<WhatIfFigures> figure) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (int bookAhead : WhatIfSetting.BOOK_AHEAD) {
            lines.put(
                    "bat %d h".formatted(bookAhead),
                    WhatIfSetting.SLACK.stream()
                            .map(slack -> evidence().of(WhatIfSetting.of(method, bookAhead, slack), figure))
                            .toList());
        }
        return new PaperFigure(
                "%s-of-%s".formatted(name, slug(method)),
                "%s, %s".formatted(title, method),
                "stw",
                unit,
                new Curves<>(
                        WhatIfSetting.SLACK.stream().map(hours -> hours + " h").toList(), lines));
    }

    private PaperFigure table1(
            String name, String what, String unit, ToDoubleFunction<WhatIfFigures> figure, PaperTable paper) {
        var ours = evidence().widest(Variant.STANDARD, figure);
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        ours.lines().forEach((method, line) -> lines.put(method.name(), line));
        lines.put("LOAD, paper", constants(paper.load()));
        lines.put("WHAT_IF, paper", constants(paper.whatIf()));
        return new PaperFigure(
                "table1-" + name, "table 1, stw 30 h: " + what, "bat", unit, new Curves<>(ours.points(), lines));
    }

    private PaperFigure widest(String name, String title, ToDoubleFunction<WhatIfFigures> figure) {
        var standard = evidence().widest(Variant.STANDARD, figure);
        var small = evidence().widest(Variant.SMALL_JOBS, figure);
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        standard.lines().forEach((method, line) -> lines.put(method.name(), line));
        small.lines().forEach((method, line) -> lines.put(method + ", jobs below 89 nodes", line));
        return new PaperFigure(name, title + ", stw 30 h", "bat", "hours", new Curves<>(standard.points(), lines));
    }

    private static List<Sample> constants(double... values) {
        return DoubleStream.of(values)
                .mapToObj(value -> new Sample(List.of(value)))
                .toList();
    }

    /**
     * Returns a row for each run. Columns: {@code method}, {@code bat} and {@code stw} in hours, {@code variant} (its setting); {@code
     * repetition}, from 1, and the {@code seed} of its choice of jobs; {@code requests}; {@code granted}; {@code pressed}, those made at
     * the highest load; {@code pressedGranted}; {@code growth} of the makespan in percent, to the last end of a job, and {@code
     * growthOfAll}, to that of jobs and reservations; {@code delayedJobs}; {@code meanOriginal} and {@code meanAffected}, their mean waits
     * in seconds; {@code totalExtra} in hours; {@code inTenHours}, the share of it in the ten hours with the most of it, in percent; {@code
     * change} of all waits in seconds.
     */
    CsvFile runs() {
        return CsvFile.of(
                new Columns<WhatIfRun>()
                        .with("method", run -> run.setting().method())
                        .with("bat", run -> run.setting().bookAhead())
                        .with("stw", run -> run.setting().slack())
                        .with("variant", run -> run.setting().variant())
                        .with("repetition", WhatIfRun::repetition)
                        .with("seed", run -> study.seedOf(run.repetition()))
                        .with("requests", run -> of(run).requests())
                        .with("granted", run -> of(run).granted())
                        .with("pressed", run -> of(run).pressed().requests())
                        .with("pressedGranted", run -> of(run).pressed().granted())
                        .with("growth", run -> of(run).growth())
                        .with("growthOfAll", run -> of(run).growthOfAll())
                        .with("delayedJobs", run -> of(run).delayedJobs())
                        .with("meanOriginal", run -> of(run).meanOriginal())
                        .with("meanAffected", run -> of(run).meanAffected())
                        .with("totalExtra", run -> of(run).totalExtra())
                        .with("inTenHours", run -> of(run).inTenHours())
                        .with("change", run -> of(run).change()),
                figures.keySet());
    }

    /**
     * Returns the data of figure 4 for the first repetition: a row for each job that was delayed in a run with 30 h of slack, in the order
     * of starts. Columns: {@code method}; {@code bat} in hours; {@code start} in seconds since the first submission; {@code extra} seconds
     * of wait; {@code cumulated} so far.
     */
    CsvFile delays() {
        record Late(WhatIfSetting setting, Delayed job, long cumulated) {}

        List<Late> all = new ArrayList<>();
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            for (WhatIfSetting setting : WhatIfSetting.widest(method, Variant.STANDARD)) {
                long cumulated = 0;
                for (var one : of(setting).getFirst().delayed()) {
                    cumulated += one.extra();
                    all.add(new Late(setting, one, cumulated));
                }
            }
        }
        long first = study.log().jobs().getFirst().submit();
        return CsvFile.of(
                new Columns<Late>()
                        .with("method", late -> late.setting.method())
                        .with("bat", late -> late.setting.bookAhead())
                        .with("start", late -> late.job.start() - first)
                        .with("extra", late -> late.job.extra())
                        .with("cumulated", Late::cumulated),
                all);
    }

    /** Returns figure 3: the share of granted requests by slack, with a line for each book-ahead time; LOAD is dashed. */
    LineChart successChart() {
        List<Line> lines = new ArrayList<>();
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            for (int bookAhead : WhatIfSetting.BOOK_AHEAD) {
                lines.add(LineChart.line(
                        "%s, bat %d h".formatted(method, bookAhead),
                        WhatIfSetting.BOOK_AHEAD.indexOf(bookAhead),
                        method == AvailabilityMethod.LOAD,
                        WhatIfSetting.SLACK.stream()
                                .map(slack -> evidence()
                                        .of(WhatIfSetting.of(method, bookAhead, slack), WhatIfFigures::success)
                                        .estimate())
                                .toList()));
            }
        }
        return new LineChart(
                "Figure 3: granted requests",
                "slack (stw)",
                "percent",
                LineChart.named(
                        WhatIfSetting.SLACK.stream().map(hours -> hours + " h").toList()),
                lines);
    }

    /** Returns figure 4 of the first repetition for one method, with a line for each book-ahead time. */
    LineChart delayChart(AvailabilityMethod method) {
        long first = study.log().jobs().getFirst().submit();
        List<Line> lines = new ArrayList<>();
        for (WhatIfSetting setting : WhatIfSetting.widest(method, Variant.STANDARD)) {
            List<Point> points = new ArrayList<>(List.of(new Point(0, 0)));
            double cumulated = 0;
            for (var one : of(setting).getFirst().delayed()) {
                double day = (one.start() - first) / DAY;
                points.add(new Point(day, cumulated));
                cumulated += one.extra() / HOUR;
                points.add(new Point(day, cumulated));
            }
            lines.add(new Line("bat %d h".formatted(setting.bookAhead()), lines.size(), false, points));
        }
        double last = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::x)
                .max()
                .orElse(1);
        return new LineChart(
                "Figure 4: cumulative extra wait of delayed jobs at their starts, %s, slack 30 h".formatted(method),
                "days",
                "hours",
                IntStream.rangeClosed(0, Math.max(1, (int) Math.ceil(last)))
                        .mapToObj(day -> new Tick(day, String.valueOf(day)))
                        .toList(),
                lines);
    }
}

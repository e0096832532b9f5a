package berth.lab.experiment.all;

import berth.lab.experiment.LogStudyOptions;
import berth.lab.experiment.Paper;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Sp2Setup;
import berth.lab.experiment.StudyCommand;
import berth.lab.experiment.adaptive.AdaptivePaper;
import berth.lab.experiment.flexible.FlexiblePaper;
import berth.lab.experiment.priority.PriorityPaper;
import berth.lab.experiment.slots.SlotPaper;
import berth.lab.experiment.whatif.WhatIfPaper;
import berth.lab.workload.JobWindows;
import berth.lab.workload.UnusableLog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth experiment all}: runs the experiments of all five papers and writes a page with every claim. */
@Command(
        name = "all",
        description = {
            "All five papers, including other readings of what they leave open, and a page with every claim and its"
                    + " verdict.",
            "",
            "Equal options give equal files, whatever the number of threads and interruptions."
        })
public final class AllCommand extends StudyCommand {
    private static final Comparator<File> BY_LENGTH =
            Comparator.comparingLong(File::length).thenComparing(File::getName);

    @Option(
            names = "--trace",
            paramLabel = "DIR",
            description =
                    "Directory with the logs that the papers used, SDSC-SP2*.swf and SDSC-BLUE*.swf, gzip-compressed or"
                            + " not. If a machine has several files, the largest is used. Modelled jobs replace a missing log.")
    private Optional<Path> traces = Optional.empty();

    @Override
    protected boolean hasReadings() {
        return true;
    }

    @Override
    protected List<Paper> papers() {
        checkTraces();
        var extent = options().extent();
        long seed = options().seed();
        JobWindows jobs = LogStudyOptions.jobs(options(), "--trace has", log(Machine.SDSC_SP2), Sp2Setup.WINDOW);
        return List.of(
                FlexiblePaper.of(jobs, options().judged(), seed),
                beside(log(Machine.SDSC_BLUE)),
                PriorityPaper.of(extent, seed),
                AdaptivePaper.of(jobs, options().judged(), seed),
                SlotPaper.of(extent, seed));
    }

    /** Checks the directory, because a wrong one would cost an hour of modelled jobs. */
    private void checkTraces() {
        if (traces.isPresent()
                && Stream.of(Machine.values()).allMatch(machine -> log(machine).isEmpty())) {
            throw options()
                    .wrong(
                            "--trace is %s: it has neither SDSC-SP2*.swf nor SDSC-BLUE*.swf. Name a directory with logs, or leave --trace out to use modelled jobs."
                                    .formatted(traces.get()));
        }
    }

    private Paper beside(Optional<Path> log) {
        try {
            return WhatIfPaper.of(log, options().extent(), options().seed());
        } catch (UnusableLog | IllegalArgumentException e) {
            throw options().wrong("--trace has %s: %s".formatted(log.orElseThrow(), e.getMessage()));
        }
    }

    @Override
    protected List<String> notices() {
        return Stream.concat(
                        super.notices().stream(),
                        Stream.of(Machine.values())
                                .filter(machine -> log(machine).isEmpty())
                                .map(Machine::notice))
                .toList();
    }

    private Optional<Path> log(Machine machine) {
        return traces.flatMap(directory -> {
            try (Stream<Path> files = Files.list(directory)) {
                return files.filter(machine::isLog).max(Comparator.comparing(Path::toFile, BY_LENGTH));
            } catch (IOException e) {
                throw options()
                        .wrong("--trace is %s: the directory cannot be read (%s). Name a directory with logs."
                                .formatted(directory, e));
            }
        });
    }

    /** A machine whose log papers used. */
    private enum Machine {
        SDSC_SP2(PaperLog.SDSC_SP2, "Papers 000 and 003"),
        SDSC_BLUE(PaperLog.SDSC_BLUE, "Paper 001");

        private final PaperLog log;
        private final String papers;

        Machine(PaperLog log, String papers) {
            this.log = log;
            this.papers = papers;
        }

        boolean isLog(Path file) {
            String fileName = String.valueOf(file.getFileName());
            return log.isSource(fileName) && fileName.matches(".*\\.swf(\\.gz)?");
        }

        String notice() {
            return "%s: modelled jobs replace the log %s, which was not given, so the verdicts say little about the paper."
                    .formatted(papers, log.begin());
        }
    }
}

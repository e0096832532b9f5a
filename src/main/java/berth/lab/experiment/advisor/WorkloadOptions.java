package berth.lab.experiment.advisor;

import berth.cluster.Cluster;
import berth.lab.experiment.RunEnds;
import berth.lab.experiment.RunEnds.AfterPercent;
import berth.lab.experiment.RunEnds.AsLogged;
import berth.lab.experiment.RunEnds.AsReserved;
import berth.lab.experiment.StudyOptions;
import berth.lab.workload.JobWindows;
import berth.lab.workload.UnusableLog;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the requests with which settings are tried. */
final class WorkloadOptions {
    private static final int MAX_WINDOWS = 1000;
    private static final int QUICK_WINDOWS = 4;
    private static final int DAYS = 15;
    private static final int QUICK_DAYS = 3;
    private static final int MAX_DAYS = 3650;
    private static final int MAX_LOAD = 1000;
    private static final int MAX_FLEXIBILITY = 10_000;
    private static final int MODELLED_WINDOWS = 48;
    private static final int MAX_NOTICE = 1440;
    private static final BigDecimal MAX_PHI = BigDecimal.valueOf(1000);
    private static final double SECONDS_PER_DAY = 86_400;

    /** The reserved time of a job. */
    enum Estimates {
        RUN_TIME,
        REQUESTED
    }

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "The log, in the Standard Workload Format or as Slurm's sacct --parsable2 prints it,"
                    + " gzip-compressed or not. By default, jobs of the model of Lublin and Feitelson replace it.")
    private Optional<Path> trace = Optional.empty();

    @Option(
            names = "--pes",
            paramLabel = "N",
            description = "PEs of the machine; by default the number in the log's header. Larger jobs are left out.")
    private Optional<Integer> pes = Optional.empty();

    @Option(
            names = "--window-days",
            paramLabel = "DAYS",
            description = "Length of the windows into which the log is cut; default " + DAYS + ", or " + QUICK_DAYS
                    + " with --quick.")
    private Optional<Double> days = Optional.empty();

    @Option(
            names = "--windows",
            paramLabel = "N",
            description = "Number of windows to use from the start of the log, 1 to 1000; by default all.")
    private Optional<Integer> windows = Optional.empty();

    @Option(
            names = "--flexible-share",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description =
                    "Share of the requests that may start later than requested, 0 to 1; default ${DEFAULT-VALUE}.")
    private double flexibleShare;

    @Option(
            names = "--flexibility",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description =
                    "How much later these may start, as a mean in percent of the run time, 0 to 10000; default ${DEFAULT-VALUE}.")
    private double flexibility;

    @Option(
            names = "--load",
            paramLabel = "X",
            defaultValue = "1",
            description = "Factor by which requests come more densely than in the log; default ${DEFAULT-VALUE}.")
    private double load;

    @Option(
            names = "--estimates",
            paramLabel = "RUN_TIME|REQUESTED",
            defaultValue = "RUN_TIME",
            description =
                    "Time to reserve for a job: the time that it ran, or the time that its user requested, of which"
                            + " the run takes its logged time; default ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Estimates estimates;

    @Option(
            names = "--actual-percent",
            paramLabel = "PERCENT",
            description =
                    "Mean run time in percent of the reserved time; run times follow a Poisson distribution, at most 100.")
    private Optional<Double> percent = Optional.empty();

    @Option(
            names = "--alternatives-up-to",
            paramLabel = "PHI",
            defaultValue = "0",
            description =
                    "Largest distance, in run times, of an alternative that a rejected request accepts; by default 0, for"
                            + " no alternatives.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private BigDecimal phi;

    @Option(
            names = "--notice",
            paramLabel = "MINUTES",
            defaultValue = "15",
            description =
                    "Time before its start from which a reservation is not moved any more; default ${DEFAULT-VALUE}.")
    private int notice;

    @Mixin
    private final RecordOptions records = new RecordOptions();

    /**
     * Returns the requests and the machine.
     *
     * @throws picocli.CommandLine.ParameterException naming the wrong option and its value
     */
    Workload of(StudyOptions study) {
        check(study);
        long length = length(study);
        int most =
                study.within("--windows", windows.orElse(study.extent().of(QUICK_WINDOWS, MAX_WINDOWS)), MAX_WINDOWS);
        double denser = study.positive("--load", load, MAX_LOAD);
        return records.cluster(study)
                .map(id -> records.read(study, id, length, most, denser, phi))
                .orElseGet(() -> logged(study, length, most, denser));
    }

    private Workload logged(StudyOptions study, long length, int most, double denser) {
        var jobs = jobs(study, length, most);
        int machine = pes(study, jobs);
        return new LogWorkload(jobs, machine, flexibleShare, flexibility, denser, ends(study), phi, 60L * notice)
                .withoutIdleWindows()
                .orElseThrow(() -> study.wrong(
                        "--pes is %d: no window has a job of at least one minute that fits. Give the number of the machine's PEs."
                                .formatted(machine)));
    }

    private long length(StudyOptions study) {
        double wanted = days.orElseGet(() -> (double) study.extent().of(QUICK_DAYS, DAYS));
        long seconds = Math.round(study.positive("--window-days", wanted, MAX_DAYS) * SECONDS_PER_DAY);
        if (seconds < 1) {
            throw study.wrong("--window-days is %s: give at least one second.".formatted(wanted));
        }
        return seconds;
    }

    private void check(StudyOptions study) {
        if (!(flexibleShare >= 0 && flexibleShare <= 1)) {
            throw study.wrong("--flexible-share is %s: give 0 to 1.".formatted(flexibleShare));
        }
        if (!(flexibility >= 0 && flexibility <= MAX_FLEXIBILITY)) {
            throw study.wrong("--flexibility is %s: give 0 to %d.".formatted(flexibility, MAX_FLEXIBILITY));
        }
        if (phi.signum() < 0 || phi.compareTo(MAX_PHI) > 0) {
            throw study.wrong("--alternatives-up-to is %s: give 0 to %s.".formatted(phi, MAX_PHI));
        }
        if (notice < 0 || notice > MAX_NOTICE) {
            throw study.wrong("--notice is %d: give 0 to %d.".formatted(notice, MAX_NOTICE));
        }
    }

    private RunEnds ends(StudyOptions study) {
        if (estimates == Estimates.REQUESTED && percent.isPresent()) {
            throw study.wrong("--actual-percent is %s and --estimates is REQUESTED: give only one of them."
                    .formatted(percent.get()));
        }
        if (percent.isPresent()) {
            return new AfterPercent(study.positive("--actual-percent", percent.get(), 100));
        }
        return estimates == Estimates.REQUESTED ? new AsLogged() : new AsReserved();
    }

    private int pes(StudyOptions study, JobWindows jobs) {
        if (pes.isEmpty() && jobs.machinePes().isEmpty()) {
            throw study.wrong("--pes is missing, and %s does not name the PEs: give the number of the machine's PEs."
                    .formatted(jobs.source()));
        }
        return study.within("--pes", pes.orElseGet(() -> jobs.machinePes().orElseThrow()), Cluster.MAX_PES_EARLY);
    }

    private JobWindows jobs(StudyOptions study, long length, int most) {
        if (trace.isEmpty()) {
            return JobWindows.modelled(
                    study.seed(), windows.isPresent() ? most : Math.min(most, MODELLED_WINDOWS), length);
        }
        try {
            JobWindows jobs = JobWindows.ofLog(trace.get(), length);
            study.tell(trace.get(), jobs.faults());
            return jobs.first(most);
        } catch (UnusableLog | IllegalArgumentException e) {
            throw study.wrong("--trace is %s: %s".formatted(trace.get(), e.getMessage()));
        }
    }
}

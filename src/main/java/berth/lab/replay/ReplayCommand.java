package berth.lab.replay;

import berth.lab.progress.ProgressDisplay;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobLog;
import berth.lab.workload.LogWindow;
import berth.lab.workload.UnusableLog;
import berth.lab.workload.WindowedRequests;
import berth.terminal.Patience;
import berth.terminal.ServiceClient;
import berth.terminal.UnusableOption;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code berth replay}: reserves the jobs of one window of a log on a running service, as advance reservations made by {@link
 * AdvanceReservationRecipe}. It prints how many were accepted and how quickly. It sends the requests as fast as the service answers, not
 * at the pace of the log, because all of them are booked ahead.
 */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reserves the jobs of a log on a running service and reports the results.",
            "",
            "Each job that ran for a minute or longer becomes an advance reservation: its deadline is its submit time + run"
                    + " time * p, where p is drawn from a Poisson distribution with mean 5 (0 is drawn again); its ready time"
                    + " is the deadline - run time. All times are moved by one constant, so that the earliest ready time"
                    + " is --start. Requests are sent in the order of submission, as fast as the service answers."
        },
        footerHeading = "%nThe figures:%n",
        footer = {
            "  utilisation   accepted PE-seconds inside the window / (PEs * length of the window), with the placements"
                    + " in the answers. The window begins --from after the first submit of the log and is --days long,"
                    + " on the service's clock. Runs after its end do not count; at its beginning the machine is empty.",
            "  offered load  requested PE-seconds, inside the window or not / (PEs * length of the window)",
            "  unknown       requests without an answer within --patience: reserved or not",
            "  retried       requests sent more than once",
            "  latency       time from the first attempt to the answer, including retries and pauses",
            "  requests/s    answers / duration"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every request was answered",
            "1:the replay failed unexpectedly",
            "2:an option, the token, the log, the cluster or the file of --out is invalid",
            "3:the service went away or did not answer; the table, if any, is partial"
        })
public final class ReplayCommand implements Callable<Integer> {
    static final int FAILED = 1;
    static final int BAD_INPUT = 2;
    static final int WENT_AWAY = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final ReplayOptions options = new ReplayOptions();

    /** Runs the replay and returns one of the exit codes listed in the help. */
    @Override
    public Integer call() {
        try {
            return replay();
        } catch (UnusableLog | UnusableOption e) {
            error(e.getMessage());
            return BAD_INPUT;
        } catch (ReplayException e) {
            error(e.getMessage());
            return e.exitCode();
        }
    }

    private int replay() {
        LogWindow window = options.window();
        Patience patience = new Patience(options.retries, options.patience);
        int workers = options.workers();
        String runId = options.runIdOrRandom();
        JobLog log = JobLog.read(options.trace);
        log.faults().texts().forEach(fault -> error("%s: %s".formatted(log.name(), fault)));
        int pes = options.machinePes(log);
        AdvanceReservationRecipe recipe = options.recipe(pes);
        Instant start = options.startOr(Instant.now());
        ReplayPlan plan = ReplayPlan.survey(log, recipe, window, start);
        try (ServiceClient service = new ServiceClient(options.service.api(), options.service.bearerToken())) {
            new TargetCluster(service, patience, options.cluster, pes).prepare();
            // printed before the first request, because a killed run prints no table
            error("To repeat this run, add --run-id %s --start %s and keep the other options.".formatted(runId, start));
            ReservationSender sender = new ReservationSender(service, patience, options.cluster, runId, plan.shift());
            AnswerTally tally = new AnswerTally(plan.window());
            ReplayRun.Ended ended;
            var requests = new WindowedRequests(log, recipe, window);
            try (AnswerLog answers = options.out.map(AnswerLog::create).orElseGet(AnswerLog::none);
                    ProgressDisplay progress = progress(plan.requests())) {
                ended = new ReplayRun(sender, requests, new Recorder(answers, tally, progress)).run(workers);
            }
            new Summary(plan, pes, tally.figures(), ended.took())
                    .print(out(), ended.ending(), heading(log, runId, start, pes));
            return conclude(ended.ending());
        }
    }

    private Map<String, String> heading(JobLog log, String runId, Instant start, int pes) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("log", log.source());
        rows.put("cluster", "%s, %d PEs".formatted(options.cluster, pes));
        rows.put("run id", runId);
        rows.put("start", start.toString());
        return rows;
    }

    private ProgressDisplay progress(int requests) {
        return options.noProgress ? ProgressDisplay.hidden() : ProgressDisplay.of("replay", requests);
    }

    private int conclude(RunEnd ending) {
        return switch (ending) {
            case RunEnd.Completed completed -> 0;
            case RunEnd.WentAway away -> {
                error(
                        "The service went away (%s). The table above is partial. You can repeat the same run when the service is back."
                                .formatted(away.reason()));
                yield WENT_AWAY;
            }
            case RunEnd.Stopped stopped -> {
                error(stopped.message());
                yield stopped.exitCode();
            }
        };
    }

    private void error(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(message);
        err.flush();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}

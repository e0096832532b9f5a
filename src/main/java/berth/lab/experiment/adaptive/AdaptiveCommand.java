package berth.lab.experiment.adaptive;

import berth.lab.experiment.JobSelection;
import berth.lab.experiment.LogStudyOptions;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Sp2Setup;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth experiment 003}: runs the study of paper 003 and shows which of its claims it reproduces. */
@Command(
        name = "003",
        description = {
            "Paper 003: what a provider earns, and how long clients wait, if requests are moldable or preemptible, and"
                    + " if the waiting queue is placed again for every newcomer.",
            "",
            "128 PEs and windows of 15 days, each run on its own. Six types of requests, two schedulers, six loads, and"
                    + " an incentive for requests that may be split. Equal options give equal files, whatever the number"
                    + " of threads."
        })
public final class AdaptiveCommand extends StudyCommand {
    @Mixin
    private final LogStudyOptions log = new LogStudyOptions();

    @Option(
            names = "--jobs",
            paramLabel = "ALL|LARGE|HOUR_LONG|NORMAL_AND_LOW|SAMPLE",
            defaultValue = "ALL",
            description = "Which jobs of at least one minute become requests: all; those of at least 30 minutes on"
                    + " at least 8 PEs; those of at least one hour on at least 2 PEs; those of at least 30"
                    + " minutes on at least 2 PEs in the queues 3 and 4; or 27.4 %% chosen at random. Default: ${DEFAULT-VALUE}"
                    + ".")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private JobSelection selection;

    @Override
    protected List<Paper> papers() {
        var jobs = log.jobs(options(), Sp2Setup.WINDOW);
        long seed = options().seed();
        if (!AdaptiveStudy.of(new Sp2Setup(jobs, seed), selection).isAskedInEveryWindow()) {
            throw options()
                    .wrong("--jobs is %s: at least one window has no such job. Give ALL, or a log with more jobs."
                            .formatted(selection.name()));
        }
        return List.of(AdaptivePaper.of(jobs, selection, options().judged(), seed));
    }
}

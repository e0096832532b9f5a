package berth.lab.experiment.priority;

import berth.lab.experiment.Paper;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth experiment 002}: runs the study of paper 002 and shows which of its claims it reproduces. */
@Command(
        name = "002",
        description = {
            "Paper 002: requests in the order of DPSAR, by the priority of their users and their length, compared with requests in"
                    + " the order of their arrival.",
            "",
            "5 resources with 47 PEs in all, 50 users with 100 jobs each; 0 to 30 %% of the jobs with advance reservations."
                    + " Equal options give equal files, whatever the number of threads."
        })
public final class PriorityCommand extends StudyCommand {
    private static final int MAX = 1000;
    private static final int MAX_SCALE = 10;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description =
                    "Repetitions of each run, 1 to 1000, each with its own seed; default 300. Other readings of what the"
                            + " paper leaves open are repeated at most 20 times.")
    private Optional<Integer> repetitions = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Jobs of each of the 50 users, 1 to 1000; default 100, or 40 with --quick.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--spread",
            paramLabel = "HOURS",
            defaultValue = "" + PriorityPaper.SPREAD,
            description = "Days within which the chosen starts of reserved jobs lie, more than 0 and at most 1000;"
                    + " default ${DEFAULT-VALUE}.")
    private double spread;

    @Option(
            names = "--scale",
            paramLabel = "X",
            defaultValue = "1",
            description = "Factor for the lengths of jobs, more than 0 and at most 10;" + " default ${DEFAULT-VALUE}.")
    private double scale;

    @Override
    protected List<Paper> papers() {
        var study = options();
        int usualJobs = PriorityPaper.jobs(study.extent());
        int usualRepetitions = PriorityPaper.repetitions(study.extent());
        var recipe = PriorityPaper.recipe(
                study.within("--jobs", jobs.orElse(usualJobs), MAX),
                study.positive("--spread", spread, MAX),
                study.positive("--scale", scale, MAX_SCALE));
        return List.of(PriorityPaper.of(
                recipe,
                study.within("--repetitions", repetitions.orElse(usualRepetitions), MAX),
                study.extent(),
                study.seed()));
    }
}

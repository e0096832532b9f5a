package berth.lab.experiment.flexible;

import berth.lab.experiment.LogStudyOptions;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Sp2Setup;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth experiment 000}: runs the study of paper 000 and shows which of its claims it reproduces. */
@Command(
        name = "000",
        description = {
            "Paper 000: how much of a machine advance reservations use, depending on the order in which the waiting queue is placed"
                    + " again and on their flexibility.",
            "",
            "128 PEs and windows of 15 days, each run on its own. Every job becomes an advance reservation, half of them"
                    + " flexible. Five orders, four intervals and three loads; exact and overestimated run times;"
                    + " reservations fixed after a share of their waiting time; alternatives for rejected requests."
                    + " Equal options give equal files, whatever the number of threads."
        })
public final class FlexibleCommand extends StudyCommand {
    @Mixin
    private final LogStudyOptions log = new LogStudyOptions();

    @Override
    protected List<Paper> papers() {
        return List.of(FlexiblePaper.of(
                log.jobs(options(), Sp2Setup.WINDOW),
                options().judged(),
                options().seed()));
    }
}

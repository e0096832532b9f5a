package berth.lab.experiment.whatif;

import berth.lab.experiment.Paper;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth experiment 001}: runs the study of paper 001 and shows which of its claims it reproduces. */
@Command(
        name = "001",
        description = {
            "Paper 001: how many reservations are granted next to a batch queue, and how long its jobs wait, depending on how the"
                    + " availability of slots is computed.",
            "",
            "A tenth of the jobs of a log become requests for reservations, in 36 settings of book-ahead time and slack, with"
                    + " LOAD and with WHAT_IF, and compared with the same jobs without reservations. One more file: delays.csv"
                    + " (figure 4). Equal options give equal files, whatever the number of threads."
        })
public final class WhatIfCommand extends StudyCommand {
    @Mixin
    private final QueueLogOptions log = new QueueLogOptions();

    @Override
    protected List<Paper> papers() {
        return List.of(WhatIfPaper.of(
                log.jobs(options()),
                log.repetitions(options(), WhatIfPaper.repetitions(options().extent())),
                options().seed()));
    }
}

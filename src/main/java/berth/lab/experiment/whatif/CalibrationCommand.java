package berth.lab.experiment.whatif;

import berth.lab.experiment.Paper;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth experiment calibration}: shows how well the availability of a slot predicts the delay of jobs. */
@Command(
        name = "calibration",
        description = {
            "Beyond paper 001: does the availability of a slot predict how much jobs are delayed?",
            "",
            "At every request of a run with 10 h of slack, booked at once or 12 h ahead, each slot is granted in turn, and the run"
                    + " continues from there; with the users' estimates and with exact ones. runs.csv lists every slot."
                    + " Equal options give equal files, whatever the number of threads."
        })
public final class CalibrationCommand extends StudyCommand {
    @Mixin
    private final QueueLogOptions log = new QueueLogOptions();

    @Override
    protected List<Paper> papers() {
        return List.of(CalibrationPaper.of(
                log.jobs(options()),
                log.repetitions(
                        options(), CalibrationPaper.repetitions(options().extent())),
                options().seed()));
    }
}

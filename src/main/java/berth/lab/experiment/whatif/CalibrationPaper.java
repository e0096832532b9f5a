package berth.lab.experiment.whatif;

import berth.lab.experiment.Extent;
import berth.lab.experiment.Paper;
import java.util.List;

/** Beyond paper 001: the calibration on its own. */
final class CalibrationPaper {
    /** The default number of repetitions. */
    static final int REPETITIONS = 5;

    private static final int QUICK_REPETITIONS = 2;

    private CalibrationPaper() {}

    static int repetitions(Extent extent) {
        return extent.of(QUICK_REPETITIONS, REPETITIONS);
    }

    static Paper of(QueueJobs jobs, int repetitions, long seed) {
        return new Paper(
                "001",
                "Does the availability of a slot predict how much jobs are delayed?",
                "our study of the scores of T. Röblitz and K. Rzadca, Euro-Par 2006",
                new CalibrationStudy(jobs.first(), seed, repetitions),
                List.of());
    }
}

package berth.lab.experiment.whatif;

import berth.lab.simulation.JobRun;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request of a run: the scores of each of its slots and their effects.
 *
 * @param job the number of the job that became the request
 * @param slots the slots; empty if none was offered
 */
record Observation(long job, List<Tried> slots) {

    Observation {
        slots = List.copyOf(slots);
    }

    /**
     * The effect of a reservation on jobs.
     *
     * @param extraWait the sum of the changes of all waits, shorter ones included, in seconds
     * @param later how much later the last job ends, in seconds
     */
    record Outcome(long extraWait, long later) {

        static Outcome of(List<JobRun> without, List<JobRun> with) {
            return new Outcome(waits(with) - waits(without), lastEnd(with) - lastEnd(without));
        }

        private static long waits(List<JobRun> runs) {
            return runs.stream().mapToLong(JobRun::waited).sum();
        }

        private static long lastEnd(List<JobRun> runs) {
            return runs.stream().mapToLong(JobRun::end).max().orElse(0);
        }
    }

    /**
     * A slot that was tried.
     *
     * @param start the start in seconds on the clock of the log
     * @param scores the scores by predictor
     * @param alone the effect if no more jobs arrive
     * @param among the effect on all jobs, including those that arrive before the window ends
     */
    record Tried(long start, Map<Predictor, Double> scores, Outcome alone, Outcome among) {
        Tried {
            scores = new EnumMap<>(scores);
        }

        double score(Predictor predictor) {
            return Optional.ofNullable(scores.get(predictor)).orElseThrow();
        }
    }

    /** Returns the scores of the slots by one predictor. */
    List<Double> scores(Predictor predictor) {
        return slots.stream().map(slot -> slot.score(predictor)).toList();
    }
}

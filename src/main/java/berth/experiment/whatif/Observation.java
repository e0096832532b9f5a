package berth.experiment.whatif;

import berth.simulation.JobRun;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request of a run: what was told of each of its slots, and what then came of it.
 *
 * @param job number of the job that was made the request
 * @param slots what came of each; none if nothing was offered
 */
record Observation(long job, List<Tried> slots) {

    Observation {
        slots = List.copyOf(slots);
    }

    /**
     * What the reservation does to jobs.
     *
     * @param extraWait of all together, those that wait less counted, in seconds
     * @param later by how much the last job ends later, in seconds
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
     * @param start in seconds on the clock of the log
     * @param scores by what told them
     * @param alone what it does to the jobs that there are, if no more come
     * @param among what it does to all jobs, those that come before the window is over included
     */
    record Tried(long start, Map<Predictor, Double> scores, Outcome alone, Outcome among) {
        Tried {
            scores = new EnumMap<>(scores);
        }

        double score(Predictor predictor) {
            return Optional.ofNullable(scores.get(predictor)).orElseThrow();
        }
    }

    /** What one told of the slots. */
    List<Double> scores(Predictor predictor) {
        return slots.stream().map(slot -> slot.score(predictor)).toList();
    }
}

package berth.lab.replay;

import berth.lab.progress.ProgressDisplay;
import java.time.Duration;

/** Passes each answer on to the counts, the progress display and the client's record. Thread-safe, like its parts. */
record Recorder(AnswerLog log, AnswerTally tally, ProgressDisplay progress) {

    /**
     * Records an answer.
     *
     * @throws java.io.UncheckedIOException if the row cannot be written
     */
    void record(long job, String key, RequestVerdict verdict, int attempts, Duration took) {
        tally.count(verdict, attempts, took);
        progress.step();
        log.add(job, key, verdict, attempts, took);
    }
}

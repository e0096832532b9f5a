package berth.replay;

import berth.terminal.Progress;
import java.time.Duration;

/** Where answers go: the counts, the bar and the record that the client keeps. Thread-safe, as its parts are. */
record Recorder(AnswerLog log, Tally tally, Progress progress) {

    /** @throws java.io.UncheckedIOException if the record cannot be written */
    void record(long job, String key, Verdict verdict, int attempts, Duration took) {
        tally.count(verdict, attempts, took);
        progress.step();
        log.add(job, key, verdict, attempts, took);
    }
}

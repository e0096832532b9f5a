package berth.lab.experiment;

import java.util.Optional;
import java.util.stream.Stream;

/** A log that papers used. The name of its file begins with the log's name in the archive, followed by a year and a version. */
public enum PaperLog {
    SDSC_SP2("SDSC-SP2"),
    SDSC_BLUE("SDSC-BLUE");

    private final String begin;

    PaperLog(String begin) {
        this.begin = begin;
    }

    /** Returns the beginning of the name of its file. */
    public String begin() {
        return begin;
    }

    /**
     * Returns the papers' log from which jobs come, if it is one of them.
     *
     * @param source see {@link #isSource}
     */
    public static Optional<PaperLog> of(String source) {
        return Stream.of(values()).filter(log -> log.isSource(source)).findAny();
    }

    /**
     * Whether jobs come from this log.
     *
     * @param source the source of the jobs, in words that begin with the name of the file if it is a log
     */
    public boolean isSource(String source) {
        return source.startsWith(begin);
    }
}

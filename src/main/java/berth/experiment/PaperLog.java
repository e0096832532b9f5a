package berth.experiment;

import java.util.Optional;
import java.util.stream.Stream;

/** A log that papers used; those who have it call its file by its name in the archive, with a year and a version behind it. */
public enum PaperLog {
    SDSC_SP2("SDSC-SP2"),
    SDSC_BLUE("SDSC-BLUE");

    private final String begin;

    PaperLog(String begin) {
        this.begin = begin;
    }

    /** What the name of its file begins with. */
    public String begin() {
        return begin;
    }

    /**
     * The one that jobs come from, if any.
     *
     * @param source see {@link #isSource}
     */
    public static Optional<PaperLog> of(String source) {
        return Stream.of(values()).filter(log -> log.isSource(source)).findAny();
    }

    /**
     * Whether jobs come from it.
     *
     * @param source where they come from, in words that begin with the name of the file if it is a log
     */
    public boolean isSource(String source) {
        return source.startsWith(begin);
    }
}

package berth.yard;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Keeps simulated threads from logging: their faults would fill the log, and a process that dies while it holds the log's lock would hold
 * it for ever. Other threads still log.
 */
final class Silence extends TurboFilter {

    /** The prefix of these threads' names. */
    static final String PREFIX = "yard: ";

    private static final Silence ONE = new Silence();

    private Silence() {}

    /** Starts to filter, unless the property {@code berth.yard.loud} is set. */
    static synchronized void begin() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        if (!Boolean.getBoolean("berth.yard.loud")
                && !context.getTurboFilterList().contains(ONE)) {
            context.addTurboFilter(ONE);
        }
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] params,
            @Nullable Throwable cause) {
        return Thread.currentThread().getName().startsWith(PREFIX) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}

package berth.service;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bound for connections that follows from how many files the process may have open: a connection is one of them. */
final class OpenFiles {

    private static final Logger log = LoggerFactory.getLogger(OpenFiles.class);

    /** The fewest files that are left for everything else, such as the database, webhooks, other Berths and backups. */
    private static final long MIN_RESERVE = 200;

    private OpenFiles() {}

    /** Returns how many connections the service accepts at once: as many as wanted, or as many as the limit of open files allows. */
    static int connections(int wanted) {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system)) {
            return wanted;
        }
        long files = system.getMaxFileDescriptorCount();
        int connections = connections(wanted, files);
        if (connections < wanted) {
            log.warn(
                    "The process may have {} files open, so Berth accepts {} connections at once instead of {}. Raise the limit (ulimit -n, LimitNOFILE) for more.",
                    files,
                    connections,
                    wanted);
        }
        return connections;
    }

    /**
     * Returns the bound.
     *
     * @param files how many files the process may have open; not positive if there is no limit
     */
    static int connections(int wanted, long files) {
        if (files <= 0) {
            return wanted;
        }
        long reserve = Math.min(files / 2, Math.max(MIN_RESERVE, files / 4));
        return (int) Math.min(wanted, Math.max(1, files - reserve));
    }
}

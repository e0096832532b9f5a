package berth.store;

import berth.scheduling.ClusterSchedule;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * The SHA-256 of a schedule: its cluster, and its reservations, outages, jobs and requests in the order of their ids, each as a line of the
 * journal's JSON. Two schedules have the same hash if and only if all of these are equal.
 */
public final class ScheduleDigest {

    private final MessageDigest digest = Digests.sha256();

    private ScheduleDigest() {}

    public static String of(ClusterSchedule schedule) {
        var digest = new ScheduleDigest();
        digest.add(JournalFormat.json(schedule.cluster()));
        digest.addAll(schedule.billed(), reservation -> reservation.id().toString());
        digest.addAll(schedule.outages(), outage -> outage.id().toString());
        digest.addAll(schedule.jobs().all(), job -> job.id().toString());
        digest.addAll(schedule.openRequests(), request -> request.id().toString());
        return HexFormat.of().formatHex(digest.digest.digest());
    }

    private <T> void addAll(Collection<T> all, Function<T, String> id) {
        all.stream()
                .sorted((a, b) -> id.apply(a).compareTo(id.apply(b)))
                .forEach(each -> add(JournalFormat.json(each)));
        add("");
    }

    private void add(String line) {
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
    }
}

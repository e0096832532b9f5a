package berth.demo;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import berth.archive.JournalExport.Journal;
import berth.demo.Site.Machine;
import berth.demo.Site.Project;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PastTest {

    private static final long NOW = Instant.parse("2027-01-06T14:37:11Z").getEpochSecond();
    private static final long TWO_WEEKS = 14 * Site.DAY;

    /** The clusters on different days and at different times of the day, with different seeds. */
    static Stream<Journal> pasts() {
        return Site.MACHINES.stream()
                .flatMap(machine ->
                        LongStream.range(0, 7).mapToObj(i -> Past.of(machine, NOW + i * 31 * Site.HOUR, i)));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void theSameTimeAndSeedGiveTheSamePast(Machine machine) {
        var past = Past.of(machine, NOW, 7);

        assertThat(Past.of(machine, NOW, 7).batches()).isEqualTo(past.batches());
        assertThat(Past.of(machine, NOW, 8).batches()).isNotEqualTo(past.batches());
    }

    static List<Machine> machines() {
        return Site.MACHINES;
    }

    /** A schedule is restored only if its reservations take no more PEs than there are, and share none. */
    @ParameterizedTest
    @MethodSource("pasts")
    void everyBatchLeavesAScheduleThatAStartWouldAccept(Journal past) {
        var schedule = ClusterSchedule.empty(past.cluster());
        long sequence = 0;
        long at = past.createdAt();
        for (var batch : past.batches()) {
            assertThat(batch.sequence()).isEqualTo(sequence);
            sequence = batch.lastSequence();
            for (var event : batch.events()) {
                assertThat(event.at()).isGreaterThanOrEqualTo(at);
                at = event.at();
            }
            schedule = schedule.with(batch.events());
            var restored = ClusterSchedule.of(
                    past.cluster(),
                    schedule.reservations(),
                    schedule.outages(),
                    List.of(),
                    schedule.openRequests(),
                    at);
            assertThat(restored.profile()).isEqualTo(schedule.profile());
        }
        assertThat(Map.copyOf(byId(schedule))).isEqualTo(byId(past.schedule()));
    }

    private static Map<?, ?> byId(ClusterSchedule schedule) {
        return schedule.reservations().stream()
                .collect(Collectors.toMap(reservation -> reservation.id(), Function.identity()));
    }

    @ParameterizedTest
    @MethodSource("pasts")
    void theNextTwoWeeksAreBookedByHalfToSeventyPercentAndEachOfThemToSomeExtent(Journal past) {
        long end = past.createdAt() + Past.HISTORY;

        assertThat(booked(past, end, end + TWO_WEEKS)).isBetween(0.5, 0.7);
        assertThat(booked(past, end, end + TWO_WEEKS / 2)).isBetween(0.45, 0.85);
        assertThat(booked(past, end + TWO_WEEKS / 2, end + TWO_WEEKS)).isBetween(0.3, 0.75);
    }

    private static double booked(Journal past, long from, long to) {
        long taken = past.schedule().reservations().stream()
                .flatMap(reservation -> reservation.parts().stream())
                .mapToLong(part -> Math.max(
                                0,
                                Math.min(part.slot().end(), to)
                                        - Math.max(part.slot().start(), from))
                        * part.pes())
                .sum();
        return (double) taken / (to - from) / past.cluster().pes();
    }

    @ParameterizedTest
    @MethodSource("pasts")
    void mostOfWhatCanHappenHasHappened(Journal past) {
        var types = past.batches().stream()
                .flatMap(batch -> batch.events().stream())
                .map(Event::type)
                .collect(toSet());

        assertThat(types)
                .contains(
                        Event.Type.STARTED,
                        Event.Type.COMPLETED,
                        Event.Type.CANCELLED,
                        Event.Type.MOVED,
                        Event.Type.RENEGOTIATED,
                        Event.Type.OUTAGE_RECORDED,
                        Event.Type.OUTAGE_ENDED);
        assertThat(past.refused()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("pasts")
    void onlyMembersFileUnderAProject(Journal past) {
        assertThat(past.schedule().reservations()).isNotEmpty().allSatisfy(reservation -> {
            var project = Project.of(reservation.origin().project().orElseThrow());
            assertThat(project.members()).contains(reservation.origin().owner().value());
        });
    }
}

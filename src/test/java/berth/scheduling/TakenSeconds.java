package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.TellEnforcement;
import berth.sla.Part;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Counts, second by second, the PEs that runs have and that jobs of others have too, from the reports and from what the runs have. A PE that
 * a run loses is no longer taken, even if the run gets it back, until a report says so again.
 */
public final class TakenSeconds {

    /** @param at the time to which the seconds are counted */
    private record Count(Reservation run, PeSet taken, long lost, long at) {

        private Count until(long end) {
            long more = LongStream.range(at, end)
                    .map(second -> had(run, second).and(taken).size())
                    .sum();
            return new Count(run, taken, lost + more, end);
        }
    }

    private final Map<ReservationId, Count> counts = new HashMap<>();

    private static PeSet had(Reservation reservation, long second) {
        var placement = reservation.placement();
        int running = placement.begun() - 1;
        if (!reservation.state().isLive() || !placement.isRunning(running)) {
            return PeSet.NONE;
        }
        return placement.has(running).stream()
                .filter(piece -> piece.slot().contains(second))
                .findFirst()
                .flatMap(Part::peIds)
                .orElse(PeSet.NONE);
    }

    /** Checks a reservation after an event. */
    public void follow(ReservationEvent event, Command command) {
        var after = event.reservation();
        long at = event.at();
        var before = counts.getOrDefault(after.id(), new Count(after, PeSet.NONE, 0, at));
        var counted = before.until(at);
        boolean isReported = event.type() == Event.Type.ENFORCED || event.type() == Event.Type.ENFORCEMENT_FAILED;
        var taken = isReported && command instanceof TellEnforcement told
                ? reported(told, after).orElse(before.taken())
                : before.taken();
        var now = taken.and(had(after, at));
        assertThat(after.enforcement().taken().lostBy(at))
                .as("PE-seconds that jobs of others had by %s", event)
                .isEqualTo(counted.lost());
        if (after.state().isLive()) {
            assertThat(after.enforcement().taken().now())
                    .as("taken by %s", event)
                    .isEqualTo(now);
            counts.put(after.id(), new Count(after, now, counted.lost(), at));
        } else {
            assertThat(after.enforcement().taken().lost()).isEqualTo(counted.lost());
            counts.remove(after.id());
        }
    }

    private static Optional<PeSet> reported(TellEnforcement told, Reservation reservation) {
        int running = reservation.placement().begun() - 1;
        return told.parts().stream()
                .filter(part -> part.reservation().equals(reservation.id()))
                .filter(part -> part.told().part() == running)
                .map(TellEnforcement.ReportedPart::taken)
                .reduce((_, last) -> last);
    }
}

package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.budget.Funds;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Reserve;
import berth.sla.Fixing;
import berth.sla.MoveBounds;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Checks the nearest places of reservations that have failed before they began. In the schedule after the decision, an account that asks
 * again gets that place, and no earlier second has room.
 */
public final class NearestPlacesRules {

    private static final ReservationId ANOTHER = new ReservationId(new UUID(9, 9));

    private NearestPlacesRules() {}

    /**
     * Checks the events of a decision.
     *
     * @param after the schedule after them
     */
    public static void check(List<Event> events, ClusterSchedule after, long now) {
        int lookedFor = 0;
        for (var event : events) {
            if (event instanceof ReservationEvent about) {
                var reservation = about.reservation();
                boolean isLookedFor = failsBeforeItBegins(reservation) && lookedFor < NearestPlaces.MAX_PLACES;
                if (isLookedFor) {
                    lookedFor++;
                    check(reservation, after, now);
                } else {
                    assertThat(reservation.status().nearestPlace()).isEmpty();
                }
            }
        }
    }

    private static boolean failsBeforeItBegins(Reservation reservation) {
        return reservation.state() == ReservationState.FAILED
                && reservation.status().reason().equals(Optional.of(EndReason.PES_LOST))
                && reservation.placement().begun() == 0;
    }

    private static void check(Reservation failed, ClusterSchedule after, long now) {
        var named = failed.status().nearestPlace();
        long ready = Math.max(now, failed.terms().window().readyTime());
        if (named.isPresent() || !after.needsPlans()) {
            // plans are limited, and without them no place is named
            assertThat(named).as("nearest place of %s", failed).isEqualTo(granted(failed, ready, after, now));
        }
        boolean isRigid = failed.terms().shapes().size() == 1 && !failed.terms().isPreemptible();
        if (named.isPresent() && isRigid) {
            int pes = failed.terms().pes();
            long runTime = named.get().duration();
            assertThat(isFree(named.get().start(), runTime, pes, after)).isTrue();
            assertThat(LongStream.range(named.get().start(), named.get().end()))
                    .allMatch(second -> after.profile().free(second) >= pes);
            if (after.jobs().isEmpty()) {
                long first =
                        Math.max(ready, now + after.cluster().policy().limits().leadTime());
                assertThat(LongStream.range(first, named.get().start())
                                .filter(start -> isFree(start, runTime, pes, after)))
                        .as("earlier starts than %s", named)
                        .isEmpty();
            }
        }
    }

    private static boolean isFree(long start, long runTime, int pes, ClusterSchedule schedule) {
        return schedule.free()
                .at(Slot.of(start, runTime), pes, schedule.cluster().reservablePes())
                .isPresent();
    }

    /** Returns what the owner gets who reserves again where nobody moves and nothing is too expensive. */
    private static Optional<Slot> granted(Reservation failed, long ready, ClusterSchedule after, long now) {
        var again = RequestedTerms.of(failed.terms());
        var terms = new RequestedTerms(
                OptionalLong.of(ready),
                OptionalLong.empty(),
                again.duration(),
                again.pes(),
                again.moldability(),
                again.preemption(),
                Optional.empty(),
                again.requires(),
                Fixing.BY_NOTICE.atOnce(),
                Optional.empty(),
                MoveBounds.NONE);
        var reserve = new Reserve(ANOTHER, failed.origin(), terms, OptionalLong.empty(), OptionalLong.empty());
        return reserve.decide(new Basis(after.whereNobodyMoves().funding(Funds.FREE), now))
                        instanceof Decision.Accepted(var events, var _)
                ? Optional.of(
                        ((ReservationEvent) events.getLast()).reservation().slot())
                : Optional.empty();
    }
}

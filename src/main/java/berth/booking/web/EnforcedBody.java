package berth.booking.web;

import berth.cluster.EnforcementRule;
import berth.engine.Agents.Agent;
import berth.http.Texts;
import berth.reservation.Cause;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a reservation is in place on the machine.
 *
 * @param state how far the agent has come
 * @param handle its name on the machine, for example for {@code sbatch --reservation=}
 * @param nodes its nodes, as the machine names them
 * @param cause why it is not in place
 * @param detail the same in words
 * @param expectedAt when the agent puts it in place at the latest, so that jobs can be submitted for it from then on; null if it is in
 *     place, or if the agent has not reported how long before the start this is
 * @param since when the agent first reported this state; null if it has not reported yet
 * @param heardAt when the agent of the cluster last reported anything; null if it has not since this instance became active
 */
@Schema(name = "ReservationEnforcement")
record EnforcedBody(
        EnforcementState state,
        @Nullable String handle,
        @Nullable String nodes,
        @Nullable Cause cause,
        @Nullable String detail,
        @Nullable Instant expectedAt,
        @Nullable Instant since,
        @Nullable Instant heardAt) {

    /** Returns the body; null if nothing is known and no agent is awaited. */
    static @Nullable EnforcedBody of(Reservation reservation, EnforcementRule rule, Optional<Agent> agent) {
        var report = reservation.enforcement().of(reservation.currentPart());
        boolean isAwaited = rule != EnforcementRule.NONE
                && (reservation.state() == ReservationState.CONFIRMED
                        || reservation.state() == ReservationState.RUNNING);
        if (report.isEmpty() && !isAwaited) {
            return null;
        }
        var state = report.map(Report::state).orElse(EnforcementState.PENDING);
        var start = reservation.parts().get(reservation.currentPart()).slot().start();
        var expectedAt = agent.map(Agent::ahead)
                .filter(ahead -> ahead.isPresent() && isAwaited && state == EnforcementState.PENDING)
                .filter(_ -> reservation.hasSomeOf(reservation.currentPart()))
                .map(ahead -> Texts.instant(start - ahead.getAsLong()));
        return new EnforcedBody(
                state,
                Texts.orNull(report.flatMap(Report::handle)),
                Texts.orNull(report.flatMap(Report::nodes)),
                Texts.orNull(report.flatMap(Report::cause)),
                Texts.orNull(report.flatMap(Report::detail)),
                Texts.orNull(expectedAt),
                Texts.orNull(report.map(Report::since).map(Texts::instant)),
                Texts.orNull(agent.map(Agent::heardAt).map(Texts::instant)));
    }
}

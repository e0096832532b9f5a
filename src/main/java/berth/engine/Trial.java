package berth.engine;

import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.places.Effects;

/**
 * A command that was decided on a snapshot of a schedule, and changed nothing.
 *
 * @param answer the answer that the desk would give
 * @param before the schedule before the command
 * @param effects the cost of the command for others
 */
public record Trial(Answer answer, ClusterSchedule before, Effects effects) {

    /** Returns the schedule after the command. */
    public ClusterSchedule after() {
        return answer instanceof Answer.Done(var events) ? before.with(events) : before;
    }

    static Trial of(Decision decision, Basis basis) {
        var answer = switch (decision) {
            case Decision.Accepted(var events, var _) -> new Answer.Done(events);
            case Decision.Rejected(var reason) -> new Answer.Refused(reason);
        };
        return new Trial(answer, basis.schedule(), Effects.of(decision, basis.schedule(), basis.now()));
    }
}

package berth.scheduling;

import berth.sla.Part;
import java.util.List;

/**
 * Has a request reserved at the place that was found for it on an earlier schedule, if that is still free and can be paid; nobody moves for
 * it. The agreement is the one that {@link Reserve} makes there: to look at one place takes no time, to search for it may have.
 *
 * @param parts where the cluster's policy would have put it then
 */
public record ReserveAt(Reserve request, List<Part> parts) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return request.decide(schedule, now, search -> JugglingResult.of(search.keep(parts, request.earliest(now))));
    }
}

package berth.scheduling.commands;

import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.places.JugglingResult;
import berth.sla.Part;
import java.util.List;

/**
 * Reserves the place that an earlier schedule offered, if it is still free and affordable; no other reservation moves. The agreement is
 * that of {@link Reserve}. Checking one place is fast, whereas the search may have taken long.
 *
 * @param parts the place that the cluster's policy chose then
 */
public record ReserveAt(Reserve request, List<Part> parts) implements Command {

    @Override
    public Decision decide(Basis basis) {
        return request.decide(basis, search -> JugglingResult.of(search.keep(parts, request.earliest(basis.now()))));
    }
}

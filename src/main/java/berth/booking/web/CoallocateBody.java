package berth.booking.web;

import berth.booking.terms.AcceptAlternativesBody;
import berth.booking.terms.TermsBody;
import berth.http.Required;
import berth.reservation.ClientLabels;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for a co-allocation: runs on several clusters with one start.
 *
 * @param parts the runs, 2 to 20 of them, each on a different cluster
 * @param acceptAlternatives the common starts to reserve instead if there is none in the windows; none if left out
 * @param dryRun true to get what the request would do without reserving anything
 */
@Schema(name = "Coallocate")
record CoallocateBody(
        @Required @Nullable List<@Nullable CoallocatePartBody> parts,
        @Nullable AcceptAlternativesBody acceptAlternatives,
        @JsonUnwrapped ClientLabels labels,
        @Nullable Boolean dryRun) {

    /**
     * The run on one cluster.
     *
     * @param cluster id of the cluster
     * @param terms the requested terms on that cluster
     */
    @Schema(name = "CoallocatePart")
    record CoallocatePartBody(
            @Required @Nullable String cluster,
            @Required @Nullable TermsBody terms) {}
}

package berth.rest;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs that belong together.
 *
 * @param parts what is to run where, 2 to 20 of them, each on another cluster
 * @param name the client's own label, of the reservations too
 * @param project what the client files it under
 * @param acceptAlternatives which other common start to reserve if there is none in the windows; none, if left out
 */
@Schema(name = "Coallocate")
record CoallocateBody(
        @Required @Nullable List<@Nullable CoallocatePartBody> parts,
        @Nullable AcceptAlternativesBody acceptAlternatives,
        @Nullable String name,
        @Nullable String project) {

    /**
     * What is to run on one cluster.
     *
     * @param cluster where
     * @param terms what is asked for there
     */
    @Schema(name = "CoallocatePart")
    record CoallocatePartBody(
            @Required @Nullable String cluster,
            @Required @Nullable TermsBody terms) {}
}

package berth.rest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for a reservation.
 *
 * @param terms what is asked for
 * @param cluster where; on the cluster whose slot is liked best, if left out
 * @param clusters among which the slot is chosen that is liked best, 1 to 100 of them; all, if left out. Not beside cluster
 * @param start exactly when the run is to begin, where it then stays, unless the terms say by {@code fixAfter} how long it may be
 *     moved; as the cluster chooses or the preference likes best, if left out
 * @param hold how long the slot is kept without being confirmed; confirmed at once, if left out
 * @param acceptAlternatives what to reserve instead if there is no room in the window; nothing, if left out
 * @param waiting whether the request waits where there is no room, and how long; it is refused then, if left out. Only with the cluster
 *     of this Berth that it is to wait for, without orderBy, and not for a hold
 * @param orderBy which slot is liked best, by one measure or by weights; if left out, a cluster that is named chooses by its
 *     policy, and of several the earliest start is the best
 * @param name the client's own label
 * @param project what the client files it under
 * @param users who may run jobs in it, by their names on the machine, at most 50; the owner, if left out
 */
@Schema(example = "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT2H\",\"pes\":32},\"name\":\"my first run\"}")
record ReserveBody(
        @Required @Nullable TermsBody terms,
        @Nullable String cluster,
        @Nullable List<@Nullable String> clusters,
        @Nullable String start,
        @Nullable String hold,
        @Nullable AcceptAlternativesBody acceptAlternatives,
        @JsonProperty(WaitBody.FIELD) @Nullable WaitBody waiting,

        @Schema(
                anyOf = {OrderBy.Word.class, OrderBy.WeightsBody.class},
                implementation = JsonNode.class)
        @Nullable
        SentOrder orderBy,

        @Nullable String name,
        @Nullable String project,
        @Nullable List<@Nullable String> users) {}

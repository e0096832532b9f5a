package berth.booking.web;

import berth.booking.terms.AcceptAlternativesBody;
import berth.booking.terms.OrderBy;
import berth.booking.terms.SentOrder;
import berth.booking.terms.TermsBody;
import berth.booking.terms.WaitBody;
import berth.http.Required;
import berth.reservation.ClientLabels;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for a reservation.
 *
 * @param terms the requested terms
 * @param cluster the id of the cluster; if left out, Berth chooses the cluster with the best slot
 * @param clusters the clusters from which Berth chooses the best slot, 1 to 100 of them; all, if left out. Cannot be combined with cluster
 * @param start the exact start of the run, which is final unless {@code fixAfter} in the terms says how long the run may be moved. If left
 *     out, the cluster or the preference chooses the start
 * @param hold how long Berth keeps the slot without confirmation; if left out, the reservation is confirmed at once
 * @param acceptAlternatives what to reserve instead if there is no room in the window; nothing, if left out
 * @param waiting makes the request wait if there is no room, and says how long; if left out, the request is rejected. Requires a cluster of
 *     this Berth, and cannot be combined with orderBy or hold
 * @param orderBy the order of the slots, by one measure or by weights. If left out, a named cluster chooses by its policy; among several
 *     clusters the most available slot is best, and the earliest among equals
 * @param users the users who may run jobs in it, by their names on the machine, at most 50; the owner, if left out
 * @param account the account that owns the reservation, in place of the caller. An administrator may name any account that may have
 *     reservations, and an owner of the project another owner or member
 * @param dryRun true to get what the request would do without reserving anything
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

        @JsonUnwrapped ClientLabels labels,
        @Nullable List<@Nullable String> users,
        @Nullable String account,
        @Nullable Boolean dryRun) {}

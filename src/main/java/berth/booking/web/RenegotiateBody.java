package berth.booking.web;

import berth.booking.terms.TermsBody;
import berth.http.MoneyBody;
import berth.http.Patches;
import berth.http.Required;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for other terms.
 *
 * @param terms the terms to change, as a merge patch; null removes an optional term
 * @param dryRun true to get the resulting agreement or proposal without making it
 * @param incentive the amount by which the price falls if the owner accepts; only for a proposal, which an administrator makes
 * @param expiresAt the time until which the owner may accept; only for a proposal
 */
@Schema(example = "{\"terms\":{\"duration\":\"PT3H\"},\"dryRun\":true}")
record RenegotiateBody(
        @Required @Patches(TermsBody.class) @Nullable JsonNode terms,
        @Nullable Boolean dryRun,
        @Nullable MoneyBody incentive,
        @Nullable String expiresAt) {}

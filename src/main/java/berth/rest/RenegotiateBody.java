package berth.rest;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for other terms.
 *
 * @param terms what is to change: a part of the terms, as a merge patch; null takes away what may be left out
 * @param dryRun whether only to say what would be agreed, or proposed
 * @param incentive what the owner gets off the price for accepting; only of a proposal, which an administrator makes
 * @param expiresAt until when the owner may accept; only of a proposal
 */
@Schema(example = "{\"terms\":{\"duration\":\"PT3H\"},\"dryRun\":true}")
record RenegotiateBody(
        @Required @Patches(TermsBody.class) @Nullable JsonNode terms,
        @Nullable Boolean dryRun,
        @Nullable MoneyBody incentive,
        @Nullable String expiresAt) {}

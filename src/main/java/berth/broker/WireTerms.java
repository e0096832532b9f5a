package berth.broker;

import berth.sla.RequestedTerms;
import tools.jackson.databind.JsonNode;

/** Writes terms as the contract has them. */
@FunctionalInterface
public interface WireTerms {
    JsonNode write(RequestedTerms terms);
}

package berth.peers;

import berth.sla.RequestedTerms;
import tools.jackson.databind.JsonNode;

/** Writes terms in the form of the API. */
@FunctionalInterface
public interface WireTerms {
    JsonNode write(RequestedTerms terms);
}

package berth.peers;

import tools.jackson.databind.JsonNode;

/** The answer of another Berth. */
public sealed interface Reply {

    /** An answer; the body is missing if there was none or it could not be read. */
    record Heard(int status, JsonNode body) implements Reply {}

    /** No answer: the request may have arrived or not. */
    record Silent(String why) implements Reply {}
}

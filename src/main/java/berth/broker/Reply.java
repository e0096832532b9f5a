package berth.broker;

import tools.jackson.databind.JsonNode;

/** What another Berth answered. */
sealed interface Reply {

    /** An answer; the body is missing where there was none that can be read. */
    record Heard(int status, JsonNode body) implements Reply {}

    /** None: the request may have arrived or not. */
    record Silent(String why) implements Reply {}
}

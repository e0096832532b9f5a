package berth.terminal;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** The result of one HTTP request. */
public sealed interface HttpResult {

    /**
     * Returns whether a retry would be pointless: there was a response, and it was neither a fault of the service nor a request to retry
     * later.
     */
    boolean isFinal();

    /**
     * A response of the service.
     *
     * @param status HTTP status
     * @param body JSON body; a missing node if the body was not JSON
     * @param retryAfter how long the service asks the client to wait; zero if it does not ask
     * @param clockAhead how much the client's clock is at least ahead of that of the service; negative if it is behind, and zero if
     *     both may be the same or the service does not say
     */
    record Response(int status, JsonNode body, Duration retryAfter, Duration clockAhead) implements HttpResult {

        @Override
        public boolean isFinal() {
            return status < 500 && status != 429;
        }

        /** Returns the {@code code} of the problem document, or {@code http-<status>} if the response is not a problem document. */
        public String code() {
            String code = body.path("code").asString("");
            return code.matches("[a-z0-9-]{1,40}") ? code : "http-" + status;
        }

        /** Returns the status and the text of the problem document, for messages. */
        public String message() {
            String detail = body.path("detail").asString(body.path("title").asString(""));
            return "%d %s%s".formatted(status, code(), detail.isEmpty() ? "" : ": " + detail);
        }
    }

    /**
     * No response: it is unknown whether the request was carried out.
     *
     * @param cause one word: {@code timeout}, {@code connection} or {@code interrupted}
     * @param detail the message of the HTTP client
     */
    record NoResponse(String cause, String detail) implements HttpResult {

        @Override
        public boolean isFinal() {
            return false;
        }
    }
}

package berth.terminal;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** What came back for one HTTP request. */
public sealed interface Reply {

    /** Whether asking again would be of no use: an answer, and neither a fault of the service nor "later". */
    boolean isFinal();

    /**
     * The service answered.
     *
     * @param status of HTTP
     * @param body the JSON of the answer; a missing node if it was none
     * @param retryAfter how long the service asks to wait; zero where it does not say
     */
    record Heard(int status, JsonNode body, Duration retryAfter) implements Reply {

        @Override
        public boolean isFinal() {
            return status < 500 && status != 429;
        }

        /** The problem's {@code code}, or {@code http-<status>} for an answer that is no problem document. */
        public String code() {
            String code = body.path("code").asString("");
            return code.matches("[a-z0-9-]{1,40}") ? code : "http-" + status;
        }

        /** The status and what the problem document says, for messages. */
        public String said() {
            String detail = body.path("detail").asString(body.path("title").asString(""));
            return "%d %s%s".formatted(status, code(), detail.isEmpty() ? "" : ": " + detail);
        }
    }

    /**
     * No answer: whether the request was carried out is unknown.
     *
     * @param cause one word: {@code timeout}, {@code connection} or {@code interrupted}
     * @param detail what the HTTP client said
     */
    record Unheard(String cause, String detail) implements Reply {

        @Override
        public boolean isFinal() {
            return false;
        }
    }
}

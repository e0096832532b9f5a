package berth.peers;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Stores durably the requests that this Berth sends to other Berths. Only the writer can record them. */
public interface QuestionStore {

    /** Records a question before it is sent, with a key that no earlier question has. */
    Question ask(ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt);

    /** Records that nothing unknown is held for the question. */
    void close(Question question);

    /** Returns the questions for which something unknown may be held, oldest first. */
    List<Question> open();

    /**
     * Checks that this process is still the writer.
     *
     * @throws berth.runtime.StorageUnavailable if it is not, or if that is not known
     */
    void requireWriter();
}

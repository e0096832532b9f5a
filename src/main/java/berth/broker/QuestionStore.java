package berth.broker;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Where it is kept what other Berths are asked to hold. What is answered is durable, and recorded by the writer alone. */
public interface QuestionStore {

    /** Records what another Berth is about to be asked, under a key that no question before has had. */
    Question ask(ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt);

    /** Records that nothing is held for it that is not known. */
    void close(Question question);

    /** Those for which something may be held that is not known, oldest first. */
    List<Question> open();

    /**
     * Sees to it that this process is still the writer.
     *
     * @throws berth.desk.StorageUnavailable if it is not, or that cannot be known
     */
    void requireWriter();
}

package berth.booking.web;

import berth.booking.web.Remedies.Remedy;
import berth.booking.web.Remedies.WouldFitBody;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Texts;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A problem that names slots and terms that would fit. */
public final class NoRoom extends Problem {

    private final transient Optional<Remedy> remedy;
    private final transient Optional<List<TriedBody>> tried;

    /**
     * What went wrong, and what to do about it (RFC 9457).
     *
     * @param title the meaning of the code
     * @param status the HTTP status of the response
     * @param code the kind of problem, for programs
     * @param detail what to do
     * @param errors all mistakes that were found in the request
     * @param alternatives slots outside of the window, the nearest first. Present only if there was no room in the window. For a
     *     co-allocation, one slot for each part in the order of the parts, start after start
     * @param truncated whether there may be more alternatives; present only if there was no room
     * @param wouldFit the changes that would make the request fit; present only if there was no room
     * @param tried the slots that Berth tried, in order; present only if Berth chose among the slots of several clusters and found no room
     */
    @Schema(name = "Problem")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Document(
            String title,
            int status,
            ProblemCode code,
            String detail,
            List<FieldError> errors,
            @Nullable List<SlotBody> alternatives,
            @Nullable Boolean truncated,
            @Nullable WouldFitBody wouldFit,
            @Nullable List<TriedBody> tried) {}

    private NoRoom(Problem problem, Optional<Remedy> remedy, Optional<List<TriedBody>> tried) {
        super(problem.code(), problem.detail(), problem.errors());
        this.remedy = remedy;
        this.tried = tried;
    }

    /** Returns the same problem with slots and terms that would fit. */
    static NoRoom offering(Problem problem, Remedy found) {
        return new NoRoom(problem, Optional.of(found), Optional.empty());
    }

    /** Returns the same problem with the slots that Berth tried without success. */
    NoRoom after(List<TriedBody> failedSlots) {
        return new NoRoom(this, remedy, Optional.of(failedSlots));
    }

    /** Returns the changes that would make the request fit. */
    Optional<WouldFitBody> wouldFit() {
        return remedy.map(Remedy::wouldFit);
    }

    @Override
    public Document document() {
        return document(this, remedy, tried);
    }

    /** Returns the document of any problem in the form of a problem that could name what would fit. */
    static Document document(Problem problem) {
        return document(problem, Optional.empty(), Optional.empty());
    }

    private static Document document(Problem problem, Optional<Remedy> remedy, Optional<List<TriedBody>> tried) {
        return new Document(
                problem.code().title(),
                problem.code().status().value(),
                problem.code(),
                problem.detail(),
                problem.errors(),
                Texts.orNull(remedy.map(Remedy::alternatives)),
                Texts.orNull(remedy.map(Remedy::truncated)),
                Texts.orNull(remedy.map(Remedy::wouldFit)),
                Texts.orNull(tried));
    }
}

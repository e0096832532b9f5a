package berth.booking.terms;

import berth.http.Fields;
import berth.sla.Leeway;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The slots outside the requested window that the client accepts.
 *
 * @param maxPhi how far from the window such a slot may lie, in run times; if left out, as far as the cluster allows, which is always the
 *     upper bound
 * @param earlier whether such a slot may lie before the window; if left out, it may not
 */
public record AcceptAlternativesBody(
        @Nullable BigDecimal maxPhi, @Nullable Boolean earlier) {

    static final String FIELD = "acceptAlternatives";

    /** Reads the field of a request, which is optional. Adds every error to {@code fields}. */
    public static Optional<Leeway> read(@Nullable AcceptAlternativesBody given, Fields fields) {
        return Optional.ofNullable(given)
                .map(welcome -> fields.figures(
                        FIELD + ".",
                        () -> new Leeway(Optional.ofNullable(welcome.maxPhi), Boolean.TRUE.equals(welcome.earlier)),
                        Leeway.ANY));
    }
}

package berth.rest;

import berth.sla.Leeway;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which slots outside of the window are welcome.
 *
 * @param maxPhi how far from it they may lie, in run times; as far as the cluster allows, if left out, and no farther
 * @param earlier whether they may lie before it; if left out, they may not
 */
record AcceptAlternativesBody(
        @Nullable BigDecimal maxPhi, @Nullable Boolean earlier) {

    static final String FIELD = "acceptAlternatives";

    /** What was sent; nothing means none. {@code fields} collects what is wrong. */
    static Optional<Leeway> read(@Nullable AcceptAlternativesBody given, Fields fields) {
        return Optional.ofNullable(given)
                .map(welcome -> fields.figures(
                        FIELD + ".",
                        () -> new Leeway(Optional.ofNullable(welcome.maxPhi), Boolean.TRUE.equals(welcome.earlier)),
                        Leeway.ANY));
    }
}

package berth.reservation;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a promise is in place on the machine itself, as the agent of its cluster has told.
 *
 * @param within seconds from its start within which its first part must be in place, or it fails; at least 1; empty: nobody asks for it, or it
 *     has been in place
 * @param told what was told last of parts, by their numbers; of a part that is not there nothing was, or it has been moved since
 */
public record Enforcement(OptionalLong within, List<Told> told) {

    /** Seconds that whoever puts reservations in place has from their start, and from when it can be heard. */
    public static final long PATIENCE = 60;

    /** Nobody asks for it, and nothing was told. */
    public static final Enforcement NONE = new Enforcement(OptionalLong.empty(), List.of());

    /**
     * What was told of a part.
     *
     * @param part its number, from 0
     * @param handle its name on the machine
     * @param nodes where it lies, in the machine's words
     * @param detail why it is not in place
     * @param since when it was first told so, seconds since the epoch
     */
    public record Told(
            int part,
            EnforcementState state,
            Optional<String> handle,
            Optional<String> nodes,
            Optional<String> detail,
            long since) {

        /** The same, told first at another time. */
        public Told since(long at) {
            return new Told(part, state, handle, nodes, detail, at);
        }
    }

    public Enforcement {
        told = List.copyOf(told);
    }

    /** What is asked for where it must be in place. */
    public static Enforcement required() {
        return new Enforcement(OptionalLong.of(PATIENCE), List.of());
    }

    /** What was told of a part. */
    public Optional<Told> of(int part) {
        return told.stream().filter(each -> each.part == part).findFirst();
    }

    /** Whether a part is there as it is promised. */
    public boolean isInPlace(int part) {
        return of(part).filter(each -> each.state == EnforcementState.MATERIALISED)
                .isPresent();
    }

    /** With this told. */
    Enforcement telling(List<Told> other) {
        return new Enforcement(within, other);
    }

    /** What is to be in place is another, of which nothing was told. */
    Enforcement moved() {
        return telling(List.of());
    }

    /** Asked for no longer where it is in place. */
    Enforcement settled() {
        return isInPlace(0) ? within(OptionalLong.empty()) : this;
    }

    /** To be in place that many seconds after its start; empty: asked for no longer. */
    Enforcement within(OptionalLong seconds) {
        return new Enforcement(seconds, told);
    }

    /** Rows of the journal from before an agent could tell say nothing. */
    static Enforcement orNone(Enforcement read) {
        return Objects.requireNonNullElse(read, NONE);
    }
}

package berth.reservation;

import berth.availability.PeSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a reservation is in place on the machine, as the cluster's agent reported.
 *
 * @param within how soon after the start the first part must be in place, in seconds, at least 1, or the reservation fails; empty if that
 *     is not required or has been achieved
 * @param told the last report on each part, by part number; a part without a report was never reported or has moved since
 * @param taken the PEs that jobs of others have; journal rows older than this field lack it
 */
public record Enforcement(OptionalLong within, List<Report> told, TakenPes taken) {

    /**
     * How long the agent has to put a reservation in place, in seconds, from the start or from the time at which the service can receive
     * its report.
     */
    public static final long PATIENCE = 60;

    /** Not required and not reported. */
    public static final Enforcement NONE = new Enforcement(OptionalLong.empty(), List.of(), TakenPes.NONE);

    /**
     * A report on a part.
     *
     * @param part the number of the part, from 0
     * @param handle the name of the reservation on the machine
     * @param nodes the nodes, as the machine names them
     * @param cause why the part is not in place; empty if it is or if the agent did not say
     * @param detail the same in words
     * @param since when this state was first reported, in seconds since the epoch
     */
    public record Report(
            int part,
            EnforcementState state,
            Optional<String> handle,
            Optional<String> nodes,
            Optional<Cause> cause,
            Optional<String> detail,
            long since) {

        /** Whether the machine has the part as promised, except for what the owner bears, such as users whom it does not know. */
        public boolean isGiven() {
            return state == EnforcementState.MATERIALISED
                    || state == EnforcementState.DRIFTED
                            && cause.filter(why -> why.bearer() == Cause.Bearer.OWNER)
                                    .isPresent();
        }

        /** Returns the same report, first made at {@code at}. */
        public Report since(long at) {
            return new Report(part, state, handle, nodes, cause, detail, at);
        }
    }

    public Enforcement {
        told = List.copyOf(told);
        taken = TakenPes.orNone(taken);
    }

    /** As long as the reservation lasts. */
    private static final long ITS_WHOLE_RUN = Long.MAX_VALUE;

    /** Returns the initial state of a reservation that must be put in place soon after its start. */
    public static Enforcement required() {
        return new Enforcement(OptionalLong.of(PATIENCE), List.of(), TakenPes.NONE);
    }

    /** Returns the initial state of a reservation that must be put in place before its end. */
    public static Enforcement reported() {
        return new Enforcement(OptionalLong.of(ITS_WHOLE_RUN), List.of(), TakenPes.NONE);
    }

    /** Returns why a part is not in place, as far as the agent said. */
    public Cause cause(int part) {
        return of(part).flatMap(Report::cause).orElse(Cause.OTHER);
    }

    /** Returns the last report on a part. */
    public Optional<Report> of(int part) {
        return told.stream().filter(each -> each.part == part).findFirst();
    }

    /** Whether a part is in place as promised. */
    public boolean isInPlace(int part) {
        return of(part).filter(each -> each.state == EnforcementState.MATERIALISED)
                .isPresent();
    }

    /** Returns the same state with other reports. */
    Enforcement with(List<Report> reports) {
        return new Enforcement(within, reports, taken);
    }

    /** Returns the same state with other PEs that jobs of others have. */
    Enforcement with(TakenPes other) {
        return new Enforcement(within, told, other);
    }

    /** Returns the state of a run that has only these PEs from {@code at} on. */
    Enforcement on(PeSet pes, long at) {
        return with(taken.within(pes, at));
    }

    /** Returns the state after a move, without reports. */
    Enforcement moved() {
        return with(List.of());
    }

    /** Returns the state with nothing required any more if the machine has given the first part to the owner; otherwise the same state. */
    Enforcement onceGiven() {
        return of(0).filter(Report::isGiven).isPresent() ? within(OptionalLong.empty()) : this;
    }

    /** Returns the same state with another time limit, in seconds from the start; empty for none. */
    Enforcement within(OptionalLong seconds) {
        return new Enforcement(seconds, told, taken);
    }

    /** Returns {@link #NONE} for journal rows that are older than this field. */
    static Enforcement orNone(Enforcement read) {
        return Objects.requireNonNullElse(read, NONE);
    }
}

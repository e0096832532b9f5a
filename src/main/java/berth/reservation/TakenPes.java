package berth.reservation;

import berth.availability.PeSet;
import java.util.Objects;

/**
 * The PEs of a run that jobs of others have on the machine, as its agent reports them. They stay promised to the run, so nobody else gets
 * them.
 *
 * @param lost the PE-seconds that jobs of others had before {@code since}
 * @param since since when they have {@code now}, in seconds since the epoch
 * @param now the PEs that they have; for a run that has ended, those that they had at its end
 * @param until when {@code now} stops counting unless the agent reports it again, in seconds since the epoch
 */
public record TakenPes(long lost, long since, PeSet now, long until) {

    /**
     * How long a report counts without another one, in seconds: as long as the longest lease of an agent. So the provider owes little for
     * jobs that have ended while no agent could say so, and an owner loses little while the agent is away.
     */
    public static final long COUNTS_FOR = 3600;

    /** Nothing was taken. */
    public static final TakenPes NONE = new TakenPes(0, 0, PeSet.NONE, 0);

    /** Returns {@link #NONE} for journal rows that are older than this field. */
    static TakenPes orNone(TakenPes read) {
        return Objects.requireNonNullElse(read, NONE);
    }

    /** Returns the PE-seconds that jobs of others had by {@code at}. */
    public long lostBy(long at) {
        return lost + now.size() * Math.max(0, Math.min(at, until) - since);
    }

    /**
     * Returns what is taken after the agent has reported which PEs are. A repetition changes nothing until half of the time for which a
     * report counts is over, so that there are few events.
     */
    public TakenPes told(PeSet pes, long at) {
        boolean isFresh = pes.isEmpty() || at < until - COUNTS_FOR / 2;
        return pes.equals(now) && isFresh ? this : new TakenPes(lostBy(at), at, pes, at + COUNTS_FOR);
    }

    /** Returns what is taken of a run that has only these PEs from {@code at} on. */
    TakenPes within(PeSet pes, long at) {
        var rest = now.and(pes);
        return rest.equals(now) ? this : new TakenPes(lostBy(at), at, rest, until);
    }

    /** Returns what was taken when the run has ended. */
    TakenPes ended(long at) {
        return now.isEmpty() ? this : new TakenPes(lostBy(at), at, at < until ? now : PeSet.NONE, until);
    }
}

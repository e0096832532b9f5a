package berth.desk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a database knows of the instances that share it, as asked on a session of one of them. Whoever decides holds a lock of its
 * session, which the server lets go of with that: so the end of a process is known at once. All times are the server's. Not safe for use
 * from several threads. Whatever is asked throws {@link StorageUnavailable} where the server does not answer.
 */
public interface Roll extends AutoCloseable {

    /**
     * An instance as the database knows it.
     *
     * @param silence for how long nothing was heard of it
     * @param isHolder whether a session of it holds the lock of who decides
     */
    record Row(Instance instance, Duration silence, boolean isHolder) {}

    /** Adds this instance, as heard of now. */
    void enter(Instance self);

    /** Says that this instance is alive; {@code false} if it is not there, as one that was taken for dead. */
    boolean beat(UUID self, Instance.State state);

    /** All that are there, in the order of their starts. */
    List<Row> all();

    /** Who has become the writer after this process had been; empty while nobody has. */
    Optional<String> successor();

    /** Takes the lock of who decides, if nobody has it; it may be held here already. */
    boolean tryLock();

    /** Lets go of the lock, if it is held here. */
    void unlock();

    /** Ends all sessions of an instance, and with them the lock. */
    void endSessions(UUID instance);

    /** Removes an instance, which is dead or leaves. */
    void remove(UUID instance);

    /** Ends the session; never fails. */
    @Override
    void close();
}

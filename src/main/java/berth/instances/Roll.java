package berth.instances;

import berth.runtime.StorageUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The database's list of the instances that share it, used through one session. The active instance holds a lock of its session. The server
 * releases the lock when the session ends, so the end of a process is noticed at once. All times are the server's. Not thread-safe. Every
 * method throws {@link StorageUnavailable} if the server does not answer.
 */
public interface Roll extends AutoCloseable {

    /**
     * An instance in the list.
     *
     * @param silence the time since its last heartbeat
     * @param isHolder whether one of its sessions holds the lock of the active instance
     */
    record Row(Instance instance, Duration silence, boolean isHolder) {}

    /** Adds this instance with a heartbeat. */
    void enter(Instance self);

    /** Records a heartbeat; returns {@code false} if the instance is not in the list, for example because it was declared dead. */
    boolean beat(UUID self, Instance.State state);

    /** Returns the whole list in the order of the instances' starts. */
    List<Row> all();

    /** Returns the instance that replaced this process as the writer; empty if none has. */
    Optional<String> successor();

    /** Returns what would keep this process from becoming the writer now, such as a wrong clock; empty if nothing would. */
    Optional<String> obstacle();

    /** Takes the lock of the active instance if it is free, or if this connection already holds it. */
    boolean tryLock();

    /** Releases the lock if this connection holds it. */
    void unlock();

    /** Ends all sessions of an instance and so releases its lock. */
    void endSessions(UUID instance);

    /** Removes an instance that is dead or leaving. */
    void remove(UUID instance);

    /** Ends the session; never fails. */
    @Override
    void close();
}

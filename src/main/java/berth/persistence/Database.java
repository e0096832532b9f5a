package berth.persistence;

import berth.desk.StorageUnavailable;
import jakarta.persistence.PersistenceException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.exception.DataException;
import org.hibernate.exception.SQLGrammarException;

/**
 * The way to the rows. Where the database cannot be asked that is a {@link StorageUnavailable}; a statement that it
 * refuses is an error of ours.
 */
final class Database {

    /** Reads at one time. The pool has more connections: those that remain are for writers. */
    private static final int READERS = 12;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SessionFactory sessions;
    private final Semaphore readers = new Semaphore(READERS);

    Database(SessionFactory sessions) {
        this.sessions = sessions;
    }

    StatelessSession open() {
        return sessions.openStatelessSession();
    }

    /** Reads, outside of any transaction. */
    <T> T read(Function<StatelessSession, T> work) {
        try {
            if (!readers.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new StorageUnavailable(new TimeoutException("Too many reads at one time."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageUnavailable(e);
        }
        try {
            return asked(() -> sessions.fromStatelessSession(work));
        } finally {
            readers.release();
        }
    }

    /** Reads and writes in one transaction. */
    <T> T write(Function<StatelessSession, T> work) {
        return asked(() -> sessions.fromStatelessTransaction(work));
    }

    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (ConstraintViolationException | DataException | SQLGrammarException e) {
            throw e;
        } catch (PersistenceException e) {
            throw new StorageUnavailable(e);
        }
    }
}

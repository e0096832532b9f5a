package berth.database;

import berth.runtime.Gate;
import berth.runtime.StorageUnavailable;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.exception.DataException;
import org.hibernate.exception.SQLGrammarException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gives repositories and direct users of Hibernate access to the database. A database that does not answer causes {@link
 * StorageUnavailable}; a statement that it rejects is an error in Berth.
 */
public final class Database implements MethodInterceptor {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SessionFactory sessions;
    private final ProjectionProgress progress;
    private final Fence fence;
    private final Map<Reading, Semaphore> readers = new EnumMap<>(Reading.class);

    /**
     * Creates the access.
     *
     * @param fence the check that every writing transaction must pass
     */
    public Database(SessionFactory sessions, ProjectionProgress progress, Fence fence) {
        this.sessions = sessions;
        this.progress = progress;
        this.fence = fence;
        for (var reading : Reading.values()) {
            readers.put(reading, new Semaphore(reading.most()));
        }
    }

    /** Reads outside any transaction what is recorded by now. */
    public <T> T read(Function<StatelessSession, T> work) {
        return asked(() -> inTurn(() -> sessions.fromStatelessSession(work)));
    }

    /** Reads in the same way, as a reading of a kind other than {@link Reading#PLAIN}. */
    public <T> T read(Reading reading, Function<StatelessSession, T> work) {
        return reading.read(() -> read(work));
    }

    /** Reads and writes in one transaction, which commits only if this process is still the writer. */
    public <T> T write(Function<StatelessSession, T> work) {
        return inTransaction(session -> {
            var answer = work.apply(session);
            session.doWork(fence::require);
            return answer;
        });
    }

    /** Whether this process may write, as far as it knows. */
    public boolean isWriter() {
        return fence.isOpen();
    }

    /** Reads in one transaction, or writes data that any process may write. */
    public <T> T inTransaction(Function<StatelessSession, T> work) {
        return asked(() -> sessions.fromStatelessTransaction(work));
    }

    /** Checks, in a repository's transaction, that this process may still commit. */
    public void requireWriter(EntityManager transaction) {
        transaction.unwrap(Session.class).doWork(fence::require);
    }

    /**
     * Calls a repository. A method without a result writes. A method that calls others of its repository, or is part of a transaction, is
     * not a read of its own.
     */
    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        var method = call.getMethod();
        boolean isRead = method.getReturnType() != void.class
                && !method.isDefault()
                && !TransactionSynchronizationManager.isActualTransactionActive();
        Question<@Nullable Object, Throwable> question = call::proceed;
        return isRead
                ? Database.<@Nullable Object, Throwable>asked(() -> inTurn(question))
                : Database.<@Nullable Object, Throwable>asked(question);
    }

    /** Waits until there is more to read, see {@link ProjectionProgress#awaitStep}. */
    public long awaitStep(long seen, Duration patience) throws InterruptedException {
        return progress.awaitStep(seen, patience);
    }

    private interface Question<T extends @Nullable Object, X extends Throwable> {
        T answer() throws X;
    }

    private <T extends @Nullable Object, X extends Throwable> T inTurn(Question<T, X> question) throws X {
        long resets = progress.resets();
        progress.awaitProjected(PATIENCE);
        var reading = Reading.current();
        var permits = Objects.requireNonNull(readers.get(reading));
        try {
            if (!permits.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw tooMany(reading);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageUnavailable(e);
        }
        try {
            var answer = reading.read(question::answer);
            if (progress.resets() != resets) {
                // the query used the first connection to a server that may lack what the previous one had
                throw new StorageUnavailable(
                        new IllegalStateException("The database server was replaced or has crashed."));
            }
            return answer;
        } finally {
            permits.release();
        }
    }

    private static RuntimeException tooMany(Reading reading) {
        return switch (reading) {
            case REPORT ->
                new Gate.Unanswered("%d reports are being made already; ask for a shorter time, or try again later."
                        .formatted(reading.most()));
            case FEED ->
                new Gate.Unanswered("%d feeds are being read already; try again later.".formatted(reading.most()));
            case FOR_A_PROMISE, PLAIN -> new StorageUnavailable(new TimeoutException("Too many reads are under way."));
        };
    }

    private static <T extends @Nullable Object, X extends Throwable> T asked(Question<T, X> question) throws X {
        try {
            return question.answer();
        } catch (ConstraintViolationException
                | DataException
                | SQLGrammarException
                | DataIntegrityViolationException
                | InvalidDataAccessResourceUsageException
                | InvalidDataAccessApiUsageException e) {
            throw e;
        } catch (PersistenceException | DataAccessException | TransactionException e) {
            throw new StorageUnavailable(e);
        }
    }
}

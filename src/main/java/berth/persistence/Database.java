package berth.persistence;

import berth.desk.StorageUnavailable;
import jakarta.persistence.PersistenceException;
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
record Database(SessionFactory sessions) {

    /** Reads, outside of any transaction. */
    <T> T read(Function<StatelessSession, T> work) {
        return asked(() -> sessions.fromStatelessSession(work));
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

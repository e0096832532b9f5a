package berth.persistence;

import berth.desk.StorageUnavailable;
import jakarta.persistence.PersistenceException;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;

/** The way to the rows. Every failure of the database is a {@link StorageUnavailable}. */
record Database(SessionFactory sessions) {

    /** Reads, outside of any transaction. */
    <T> T read(Function<StatelessSession, T> work) {
        try {
            return sessions.fromStatelessSession(work);
        } catch (PersistenceException e) {
            throw new StorageUnavailable(e);
        }
    }

    /** Reads and writes in one transaction. */
    <T> T write(Function<StatelessSession, T> work) {
        try {
            return sessions.fromStatelessTransaction(work);
        } catch (PersistenceException e) {
            throw new StorageUnavailable(e);
        }
    }
}

package berth.instances.store;

import berth.database.Generation;
import berth.database.Schema;
import berth.database.StartRefused;
import berth.database.Takeover;
import berth.instances.WriterRole;
import java.util.function.Supplier;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * The writer of a PostgreSQL, of which several instances stand by.
 *
 * @param opening opens the desks; it also needs to know which instance is active
 */
public record PostgresWriterRole(
        JdbcConnectionDetails database, Takeover takeover, Generation generation, Supplier<Opening> opening)
        implements WriterRole {

    @Override
    public void rehearse() {
        opening.get().rehearse();
    }

    @Override
    public void follow() {
        opening.get().accounts().refresh();
        opening.get().projects().refresh();
    }

    @Override
    public void take() {
        try {
            Schema.requireKnown(Schema.flyway(database));
            takeover.take();
        } catch (StartRefused e) {
            throw new Refused("%s %s".formatted(e.getMessage(), e.remedy()));
        }
    }

    @Override
    public void open() {
        opening.get().open();
    }

    @Override
    public void replaced(String successor) {
        generation.tell(successor);
    }

    @Override
    public void leave() {
        opening.get().desks().close("This instance ends; another one takes over.");
    }
}

package berth.database;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** A database given by its URL. */
record NamedDatabase(
        String url, @Nullable String user, @Nullable String password) implements JdbcConnectionDetails {

    @Override
    public @Nullable String getUsername() {
        return user;
    }

    @Override
    public @Nullable String getPassword() {
        return password;
    }

    @Override
    public String getJdbcUrl() {
        return url;
    }
}

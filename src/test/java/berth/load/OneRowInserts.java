package berth.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/**
 * A plain service in Berth's place, for comparison. For each POST it inserts a row of 500 bytes and commits, over a connection pool as
 * large as Berth's, with a virtual thread for each call. {@code src/test/load/load.sh --call reserve} can call it like a Berth.
 *
 * <pre>PGPASSWORD=… java -Dsun.net.httpserver.nodelay=true -cp HikariCP.jar:postgresql.jar:slf4j-api.jar OneRowInserts.java PORT
 *   PG_PORT</pre>
 */
final class OneRowInserts {

    private static final int CONNECTIONS = 20;
    private static final String ROW = "x".repeat(500);

    private final DataSource database;

    private OneRowInserts(DataSource database) {
        this.database = database;
    }

    public static void main(String[] arguments) throws Exception {
        var pool = new HikariConfig();
        pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:%s/postgres".formatted(arguments[1]));
        pool.setUsername("postgres");
        pool.setPassword(System.getenv("PGPASSWORD"));
        pool.setMaximumPoolSize(CONNECTIONS);
        var inserts = new OneRowInserts(new HikariDataSource(pool));
        inserts.run("create table if not exists naive (id bigserial primary key, payload text)");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 1024);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/api/v1/clusters", exchange -> answer(exchange, 200));
        server.createContext("/api/v1/reservations", inserts::insert);
        server.start();
    }

    private void insert(HttpExchange exchange) throws IOException {
        run("insert into naive (payload) values ('%s')".formatted(ROW));
        answer(exchange, 201);
    }

    private void run(String sql) {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(sql)) {
            statement.execute();
        } catch (SQLException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.getRequestBody().readAllBytes();
        var body = "{}".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}

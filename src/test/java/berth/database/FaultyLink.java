package berth.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A network between Berth and its database that a test can make fail at the worst moment, during a commit. It passes on bytes and knows
 * nothing else of the protocol, so the driver must always send statements as text ({@code prepareThreshold=0}).
 */
public final class FaultyLink implements AutoCloseable {

    /** The fate of a commit. */
    public enum Fault {
        NONE,
        /** The connection breaks before the server has seen it. */
        LOST_ON_THE_WAY,
        /** The server commits; the connection breaks before the client knows. */
        ANSWER_LOST,
        /** The server commits; the client waits for the answer until its timeout. */
        ANSWER_STALLED,
        /** The server sees it long after the client's timeout. */
        LATE
    }

    /** A kind of commit. */
    public enum Commit {
        /** The end of a transaction. */
        COMMIT("COMMIT"),
        /** A row of the journal, which is its own transaction. */
        OF_JOURNAL("into journal"),
        /** The statement that resolves a doubt, which is its own transaction. */
        OF_SETTLING("update head set epoch");

        private final byte[] word;

        Commit(String word) {
            this.word = word.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** The part of a connection that contains its name. */
    private static final int BEGINNING = 1500;

    private record Planned(Commit at, Fault fault) {}

    /** Longer than the driver's timeout. */
    public static final Duration LATE = Duration.ofSeconds(5);

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final Queue<Planned> faults = new ConcurrentLinkedQueue<>();

    private final Queue<Link> links = new ConcurrentLinkedQueue<>();
    private volatile boolean isCut;

    public FaultyLink(String host, int port) throws IOException {
        this.host = host;
        this.port = port;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Adds a fault after those planned before. */
    public void failNext(Commit commit, Fault fault) {
        faults.add(new Planned(commit, fault));
    }

    /** Whether all faults have struck. */
    public boolean hasStruck() {
        return faults.isEmpty();
    }

    /** Breaks all connections and rejects new ones until {@link #mend}. */
    public void cut() {
        isCut = true;
        links.forEach(Link::breakOff);
        links.clear();
    }

    public void mend() {
        isCut = false;
    }

    /** Stops passing on bytes of connections that began with a text, and leaves both ends open. */
    public void mute(String beginning) {
        links.stream().filter(link -> link.beginning.contains(beginning)).forEach(link -> link.isMute = true);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                if (isCut) {
                    client.close();
                    continue;
                }
                var server = new Socket(host, port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                var link = new Link(client, server);
                links.add(link);
                Thread.ofVirtual().start(link::carryRequests);
                Thread.ofVirtual().start(link::carryAnswers);
            } catch (IOException e) {
                // the listener was closed or the server is gone; the client sees a broken connection
            }
        }
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean deaf;
        private volatile boolean isMute;
        private volatile String beginning = "";

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void carryRequests() {
            try (client;
                    server) {
                carry(client.getInputStream(), server.getOutputStream(), true);
            } catch (IOException e) {
                // broken on purpose
            }
        }

        void carryAnswers() {
            try {
                carry(server.getInputStream(), client.getOutputStream(), false);
                if (!deaf) {
                    closeClient();
                }
            } catch (IOException e) {
                // broken on purpose
            }
        }

        private void carry(InputStream from, OutputStream to, boolean requests) throws IOException {
            var buffer = new byte[64 * 1024];
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                if (requests && beginning.length() < BEGINNING) {
                    beginning += new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                }
                var planned = requests ? faults.peek() : null;
                if (planned != null && contains(buffer, read, planned.at.word) && faults.remove(planned)) {
                    strike(planned.fault);
                }
                if ((requests || !deaf) && !isMute) {
                    to.write(buffer, 0, read);
                    to.flush();
                }
            }
        }

        private void strike(Fault fault) throws IOException {
            switch (fault) {
                case NONE -> {}
                case LOST_ON_THE_WAY -> {
                    client.close();
                    server.close();
                    throw new IOException("lost");
                }
                case ANSWER_LOST -> {
                    deaf = true;
                    Thread.ofVirtual().start(() -> {
                        pause(Duration.ofMillis(200));
                        closeClient();
                    });
                }
                case ANSWER_STALLED -> deaf = true;
                case LATE -> {
                    deaf = true;
                    pause(LATE);
                }
            }
        }

        private void closeClient() {
            try {
                client.close();
            } catch (IOException e) {
                // already closed
            }
        }

        void breakOff() {
            closeClient();
            try {
                server.close();
            } catch (IOException e) {
                // already closed
            }
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean contains(byte[] buffer, int length, byte[] word) {
        for (int i = 0; i + word.length <= length; i++) {
            int matched = 0;
            while (matched < word.length && buffer[i + matched] == word[matched]) {
                matched++;
            }
            if (matched == word.length) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}

package berth.lab.workload;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * The content of a gzip-compressed file, which may consist of several members. Zero bytes after a member, with which tapes and block devices
 * pad it, are skipped; anything else that is not a member is an error. Not thread-safe.
 */
final class GzipMembers extends InputStream {

    private final BufferedInputStream file;
    private GzipCompressorInputStream member;

    /** The exception that the next read throws, because the last one has returned the data before it. */
    private Optional<IOException> pending = Optional.empty();

    /**
     * Opens the first member.
     *
     * @throws ZipException if there is none
     */
    GzipMembers(BufferedInputStream file) throws IOException {
        this.file = file;
        this.member = opened();
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws ZipException or EOFException if the data are damaged or end early */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (pending.isPresent()) {
            throw pending.get();
        }
        long before = member.getBytesRead();
        try {
            int read = member.read(bytes, from, length);
            while (read < 0 && isMore()) {
                member = opened();
                before = 0;
                read = member.read(bytes, from, length);
            }
            return read;
        } catch (IOException e) {
            var failure = e instanceof EOFException || e instanceof ZipException ? e : damaged(e);
            int read = (int) (member.getBytesRead() - before);
            if (read == 0) {
                throw failure;
            }
            pending = Optional.of(failure);
            return read;
        }
    }

    private boolean isMore() throws IOException {
        int next;
        do {
            file.mark(1);
            next = file.read();
        } while (next == 0);
        file.reset();
        return next > 0;
    }

    private GzipCompressorInputStream opened() throws IOException {
        try {
            return new GzipCompressorInputStream(file);
        } catch (EOFException e) {
            throw e;
        } catch (IOException e) {
            throw damaged(e);
        }
    }

    private static ZipException damaged(IOException cause) {
        var damaged = new ZipException(cause.getMessage());
        damaged.initCause(cause);
        return damaged;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

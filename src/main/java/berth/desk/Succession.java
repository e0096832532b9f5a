package berth.desk;

/** What a process has to do that stands by, becomes the one that decides, or has been it. */
public interface Succession {

    /** The process must not decide; the message says why, and what to do. */
    final class Refused extends RuntimeException {
        public Refused(String message) {
            super(message);
        }
    }

    /** Does once what {@link #open} will do, as far as that changes nothing, so that it is quick when its time comes. */
    void rehearse();

    /** Keeps up with what the one that decides has changed, as far as one that stands by has to know it. */
    void follow();

    /**
     * Makes this process the writer: what the one before it has begun is not recorded any more.
     *
     * @throws Refused if something speaks against it
     */
    void take();

    /**
     * Opens the desks. May be repeated where it has failed.
     *
     * @throws StorageUnavailable if the database does not answer
     */
    void open();

    /** Ends this process, which another one has replaced. */
    void replaced(String successor);

    /** Closes the desks: another process is to decide. */
    void leave();
}

package berth.instances;

import berth.runtime.StorageUnavailable;

/** The role of the one writer among the instances on a database: how a process stands by for it, takes it and leaves it. */
public interface WriterRole {

    /** The process must not become active; the message says why and what to do. */
    final class Refused extends RuntimeException {
        public Refused(String message) {
            super(message);
        }
    }

    /** Rehearses {@link #open} as far as that changes nothing, so that it is fast when needed. */
    void rehearse();

    /** Updates what a standby has to know of the active instance's changes. */
    void follow();

    /**
     * Makes this process the writer. Work that the previous writer has begun is not recorded any more.
     *
     * @throws Refused if there is a reason against it
     */
    void take();

    /**
     * Opens the desks. May be repeated after a failure.
     *
     * @throws StorageUnavailable if the database does not answer
     */
    void open();

    /** Ends this process because another one has replaced it. */
    void replaced(String successor);

    /** Closes the desks so that another process can become active. */
    void leave();
}

package berth.slurm;

/** A change to make in Slurm. */
sealed interface SlurmChange {

    /** Returns the name of the reservation. */
    String name();

    /** Deletes a reservation that Berth has not promised, or no longer promises. */
    record Delete(SlurmReservation present) implements SlurmChange {
        @Override
        public String name() {
            return present.name();
        }
    }

    /** Updates a reservation whose time, nodes or users differ from the promise. */
    record Update(SlurmReservation present, SlurmReservation wanted) implements SlurmChange {
        @Override
        public String name() {
            return wanted.name();
        }
    }

    /** Creates a missing reservation. */
    record Create(SlurmReservation wanted) implements SlurmChange {
        @Override
        public String name() {
            return wanted.name();
        }
    }
}

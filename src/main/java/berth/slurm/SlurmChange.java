package berth.slurm;

/** What is to be done in Slurm. */
sealed interface SlurmChange {

    /** The reservation that it is done to. */
    String name();

    /** There is a reservation that Berth has not promised, or no longer. */
    record Delete(SlurmReservation present) implements SlurmChange {
        @Override
        public String name() {
            return present.name();
        }
    }

    /** It lies elsewhere, or is another's. */
    record Update(SlurmReservation present, SlurmReservation wanted) implements SlurmChange {
        @Override
        public String name() {
            return wanted.name();
        }
    }

    /** It is missing. */
    record Create(SlurmReservation wanted) implements SlurmChange {
        @Override
        public String name() {
            return wanted.name();
        }
    }
}

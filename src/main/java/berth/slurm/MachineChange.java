package berth.slurm;

/** A change to make on the machine. */
sealed interface MachineChange {

    /** Returns the name of the reservation. */
    String name();

    /** Deletes a reservation that Berth has not promised, or no longer promises. */
    record Delete(MachineReservation present) implements MachineChange {
        @Override
        public String name() {
            return present.name();
        }
    }

    /** Updates a reservation whose time, nodes or users differ from the promise. */
    record Update(MachineReservation present, MachineReservation wanted) implements MachineChange {
        @Override
        public String name() {
            return wanted.name();
        }
    }

    /** Creates a missing reservation. */
    record Create(MachineReservation wanted) implements MachineChange {
        @Override
        public String name() {
            return wanted.name();
        }
    }
}

package berth.availability;

import berth.time.Slot;

/**
 * PEs that one run has to itself for a time.
 *
 * @param slot when
 * @param pes which
 */
public record Allocation(Slot slot, PeSet pes) {}

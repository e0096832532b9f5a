package berth.availability;

import berth.time.Slot;

/**
 * PEs that one run has exclusively for some time.
 *
 * @param slot the time
 * @param pes the PEs
 */
public record Allocation(Slot slot, PeSet pes) {}

package berth.scheduling;

import berth.availability.PeSet;
import berth.time.Slot;
import java.util.Optional;

/** Where a run in one piece lies, to the oracle. */
record PlainPlace(Slot slot, Optional<PeSet> peIds) {}

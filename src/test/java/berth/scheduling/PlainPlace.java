package berth.scheduling;

import berth.availability.PeSet;
import berth.time.Slot;
import java.util.Optional;

/** The place of a run with one part. */
public record PlainPlace(Slot slot, Optional<PeSet> peIds) {}

package berth.availability;

import berth.time.Slot;
import berth.time.Window;

/** A change of a profile or a question about it. */
sealed interface Command {

    record Take(Slot slot, int pes) implements Command {}

    record GiveBack(Slot slot, int pes) implements Command {}

    record AskFree(long second) implements Command {}

    record AskFewest(Slot slot) implements Command {}

    record AskSteps(Slot slot) implements Command {}

    record AskFits(Window window, long duration, int pes, int limit) implements Command {}

    record AskRectangles(Demand demand, int among) implements Command {}
}

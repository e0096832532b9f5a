package berth.availability;

import berth.time.Slot;
import berth.time.Window;
import java.util.Map.Entry;
import java.util.TreeMap;

/**
 * Free PEs over time in the obvious implementation: a {@link TreeMap} of steps that changes in place, searched by one sweep from the ready
 * time on. {@link CapacityProfile} is compared with it.
 */
final class TreeMapProfile {

    /** The result if nothing fits. */
    static final long NOWHERE = Long.MIN_VALUE;

    /** The number of free PEs from each time until the next. */
    final TreeMap<Long, Integer> steps = new TreeMap<>();

    TreeMapProfile(int pes) {
        steps.put(Long.MIN_VALUE, pes);
    }

    long earliestFit(Window window, long duration, int pes) {
        long start = NOWHERE;
        long latestStart = window.deadline() - duration;
        var first = steps.floorEntry(window.readyTime());
        for (Entry<Long, Integer> step : steps.tailMap(first.getKey(), true).entrySet()) {
            if (start != NOWHERE && step.getKey() >= start + duration) {
                return start;
            }
            if (step.getValue() < pes) {
                start = NOWHERE;
                if (step.getKey() >= latestStart) {
                    return NOWHERE;
                }
            } else if (start == NOWHERE) {
                start = Math.max(window.readyTime(), step.getKey());
                if (start > latestStart) {
                    return NOWHERE;
                }
            }
        }
        return start;
    }

    void change(Slot slot, int delta) {
        steps.putIfAbsent(slot.start(), steps.floorEntry(slot.start()).getValue());
        steps.putIfAbsent(slot.end(), steps.floorEntry(slot.end()).getValue());
        for (var step : steps.subMap(slot.start(), slot.end()).entrySet()) {
            step.setValue(step.getValue() + delta);
        }
        merge(slot.start());
        merge(slot.end());
    }

    private void merge(long time) {
        var before = steps.lowerEntry(time);
        if (before != null && before.getValue().equals(steps.get(time))) {
            steps.remove(time);
        }
    }
}

package berth.yard;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often each cell was reached over many seeds. */
final class Coverage {

    private final Map<String, Integer> cells = new TreeMap<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<Fault, Integer> faults = new TreeMap<>();

    /** Notes an action with its result, the faults on the way and the state of its subject. */
    void reached(Enum<?> deed, String outcome, String fault, String state) {
        cells.merge("%s %s %s %s".formatted(deed, outcome, fault, state), 1, Integer::sum);
    }

    void met(Fault fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    void count(String what) {
        add(what, 1);
    }

    void add(String what, long number) {
        counts.merge(what, number, Long::sum);
    }

    Map<String, Integer> cells() {
        return cells;
    }

    /** Returns the cells that were reached at least that often, in order. */
    List<String> often(int times) {
        return cells.entrySet().stream()
                .filter(cell -> cell.getValue() >= times)
                .map(Map.Entry::getKey)
                .toList();
    }

    Map<String, Long> counts() {
        return counts;
    }

    Map<Fault, Integer> faults() {
        return faults;
    }
}

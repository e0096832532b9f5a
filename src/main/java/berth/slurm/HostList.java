package berth.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Names of nodes as Slurm writes them: {@code n[1-3,7],gpu[01-02]}. */
final class HostList {

    private static final int LONGEST_RANGE = 65_536;
    private static final Pattern NUMBERED = Pattern.compile("(.*?)(\\d{1,9})");

    private HostList() {}

    /**
     * The names, in the order in which they are written.
     *
     * @throws IllegalArgumentException if a bracket is not closed, or holds no numbers
     */
    static List<String> expand(String text) {
        var names = new ArrayList<String>();
        int start = 0;
        int depth = 0;
        for (int at = 0; at <= text.length(); at++) {
            char here = at < text.length() ? text.charAt(at) : ',';
            if (here == '[') {
                depth++;
            } else if (here == ']') {
                depth--;
            } else if (here == ',' && (depth == 0 || at == text.length())) {
                if (at > start) {
                    addEach(text.substring(start, at), names);
                }
                start = at + 1;
            }
        }
        return names;
    }

    /** The names in short, those that differ by their last number together. */
    static String fold(Collection<String> names) {
        var numbers = new TreeMap<String, TreeSet<String>>();
        var text = new ArrayList<String>();
        for (var name : names) {
            var parsed = NUMBERED.matcher(name);
            if (parsed.matches()) {
                var number = parsed.group(2);
                // those with zeros before them are as long as the first of their range
                var key = "%s[%d".formatted(parsed.group(1), number.startsWith("0") ? number.length() : 0);
                numbers.computeIfAbsent(key, _ -> new TreeSet<>(Comparator.comparing(Integer::valueOf)))
                        .add(number);
            } else {
                text.add(name);
            }
        }
        numbers.forEach((key, of) -> text.add(folded(key.substring(0, key.lastIndexOf('[')), List.copyOf(of))));
        return String.join(",", text);
    }

    private static String folded(String stem, List<String> numbers) {
        if (numbers.size() == 1) {
            return stem + numbers.getFirst();
        }
        var ranges = new ArrayList<String>();
        for (int first = 0, last; first < numbers.size(); first = last + 1) {
            last = first;
            while (last + 1 < numbers.size() && follow(numbers.get(last), numbers.get(last + 1))) {
                last++;
            }
            ranges.add(numbers.get(first) + (last > first ? "-" + numbers.get(last) : ""));
        }
        return "%s[%s]".formatted(stem, String.join(",", ranges));
    }

    private static boolean follow(String one, String next) {
        return Integer.parseInt(next) == Integer.parseInt(one) + 1;
    }

    private static void addEach(String item, List<String> names) {
        int open = item.indexOf('[');
        if (open < 0) {
            names.add(item);
            return;
        }
        int close = item.indexOf(']', open);
        if (close < 0) {
            throw new IllegalArgumentException("The bracket is not closed in " + item + ".");
        }
        var rests = new ArrayList<String>();
        addEach(item.substring(close + 1), rests);
        for (var range : item.substring(open + 1, close).split(",", -1)) {
            for (var number : numbers(range)) {
                rests.forEach(rest -> names.add(item.substring(0, open) + number + rest));
            }
        }
    }

    /** With as many digits as the first has. */
    private static List<String> numbers(String range) {
        if (!range.matches("\\d{1,9}(-\\d{1,9})?")) {
            throw new IllegalArgumentException("A bracket holds numbers such as 1-3, not " + range + ".");
        }
        int dash = range.indexOf('-');
        var first = dash < 0 ? range : range.substring(0, dash);
        int last = Integer.parseInt(dash < 0 ? range : range.substring(dash + 1));
        if (last - Integer.parseInt(first) > LONGEST_RANGE) {
            throw new IllegalArgumentException("%s are more nodes than Slurm takes.".formatted(range));
        }
        var numbers = new ArrayList<String>();
        for (int number = Integer.parseInt(first); number <= last; number++) {
            numbers.add(("%0" + first.length() + "d").formatted(number));
        }
        return numbers;
    }
}

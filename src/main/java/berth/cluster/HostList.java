package berth.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Node names in Slurm's short form, such as {@code n[1-3,7],gpu[01-02]}. */
public final class HostList {

    /** The most nodes in a list, which is Slurm's own limit. */
    static final int MAX_NAMES = 65_536;

    private static final int MAX_NAME_LENGTH = 255;
    private static final int MAX_DIGITS = 9;

    private HostList() {}

    /**
     * Returns the names in the order of the list.
     *
     * @throws IllegalArgumentException if a bracket is not closed or contains something other than numbers, if there are more than {@link
     *     #MAX_NAMES} names, or if a name is too long
     */
    public static List<String> expand(String text) {
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

    /** Returns the short form of the names. It groups all names that differ only in their last number. */
    public static String fold(Collection<String> names) {
        return foldInOrder(names.stream().distinct().sorted(Name.ORDER).toList());
    }

    /** Returns the short form of the names in their given order. It groups adjacent names that differ only in their last number. */
    public static String foldInOrder(List<String> names) {
        var text = new ArrayList<String>();
        var numbers = new ArrayList<String>();
        for (int at = 0; at < names.size(); at++) {
            var name = Name.of(names.get(at));
            numbers.add(name.number());
            boolean isLast = at + 1 == names.size() || !name.isLike(Name.of(names.get(at + 1)));
            if (isLast) {
                text.add(folded(name.stem(), numbers));
                numbers.clear();
            }
        }
        return String.join(",", text);
    }

    /**
     * A name, divided into a stem and a number.
     *
     * @param number the digits at the end of the name; empty if there are none
     */
    private record Name(String stem, String number) {

        static final Comparator<String> ORDER = Comparator.comparing(
                        Name::of, Comparator.comparing(Name::stem).thenComparing(Name::value))
                .thenComparing(Comparator.naturalOrder());

        static Name of(String name) {
            int from = name.length();
            while (from > 0 && name.length() - from < MAX_DIGITS && isDigit(name.charAt(from - 1))) {
                from--;
            }
            return new Name(name.substring(0, from), name.substring(from));
        }

        private static boolean isDigit(char letter) {
            return letter >= '0' && letter <= '9';
        }

        int value() {
            return number.isEmpty() ? -1 : Integer.parseInt(number);
        }

        boolean isLike(Name next) {
            return stem.equals(next.stem) && !number.isEmpty() && !next.number.isEmpty();
        }
    }

    /** A group of one name may have no number. */
    private static String folded(String stem, List<String> numbers) {
        if (numbers.size() == 1) {
            return stem + numbers.getFirst();
        }
        var ranges = new ArrayList<String>();
        for (int first = 0, last; first < numbers.size(); first = last + 1) {
            last = first;
            while (last + 1 < numbers.size() && follow(numbers.get(last), numbers.get(last + 1), numbers.get(first))) {
                last++;
            }
            ranges.add(numbers.get(first) + (last > first ? "-" + numbers.get(last) : ""));
        }
        return "%s[%s]".formatted(stem, String.join(",", ranges));
    }

    private static boolean follow(String one, String next, String first) {
        int value = Integer.parseInt(one) + 1;
        return Integer.parseInt(next) == value
                && next.length()
                        == Math.max(first.length(), Integer.toString(value).length());
    }

    /** Pads the number to the width of the first number in its range. */
    private static String number(int value, String first) {
        return ("%0" + first.length() + "d").formatted(value);
    }

    private static void addEach(String item, List<String> names) {
        int open = item.indexOf('[');
        if (open < 0) {
            add(item, names);
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
                rests.forEach(rest -> add(item.substring(0, open) + number + rest, names));
            }
        }
    }

    private static void add(String name, List<String> names) {
        if (names.size() == MAX_NAMES) {
            throw new IllegalArgumentException(
                    "The list has more than %d nodes, more than Slurm accepts.".formatted(MAX_NAMES));
        }
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("A node's name has more than %d characters.".formatted(MAX_NAME_LENGTH));
        }
        names.add(name);
    }

    private static List<String> numbers(String range) {
        if (!range.matches("\\d{1,9}(-\\d{1,9})?")) {
            throw new IllegalArgumentException("A bracket must hold numbers such as 1-3, not " + range + ".");
        }
        int dash = range.indexOf('-');
        var first = dash < 0 ? range : range.substring(0, dash);
        int last = Integer.parseInt(dash < 0 ? range : range.substring(dash + 1));
        if (last - Integer.parseInt(first) > MAX_NAMES) {
            throw new IllegalArgumentException("The range %s has more nodes than Slurm accepts.".formatted(range));
        }
        var numbers = new ArrayList<String>();
        for (int number = Integer.parseInt(first); number <= last; number++) {
            numbers.add(number(number, first));
        }
        return numbers;
    }
}

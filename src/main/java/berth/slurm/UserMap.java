package berth.slurm;

import berth.terminal.UnusableOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Maps accounts to the Linux users who may run jobs in their reservations. By default, this is the user with the account's name. */
final class UserMap {

    /** The map in which every account stands for the user of the same name. */
    static final UserMap SAME = new UserMap(Map.of());

    private final Map<String, List<String>> users;

    private UserMap(Map<String, List<String>> users) {
        this.users = users;
    }

    /**
     * Reads a file of lines such as {@code climate ada,bob}. A # begins a comment.
     *
     * @throws UnusableOption if the file cannot be read, or if a line has another form
     */
    static UserMap read(Path file) {
        var users = new HashMap<String, List<String>>();
        try {
            int number = 0;
            for (var line : Files.readAllLines(file)) {
                number++;
                var words = line.replaceFirst("#.*", "").strip().split("\\s+");
                if (words[0].isEmpty()) {
                    continue;
                }
                if (words.length != 2) {
                    throw new UnusableOption(
                            "Line %d of %s must have an account and its users, such as: climate ada,bob"
                                    .formatted(number, file));
                }
                users.put(words[0], List.of(words[1].split(",")));
            }
        } catch (IOException e) {
            throw new UnusableOption("--users is %s, but this file cannot be read: %s".formatted(file, e.getMessage()));
        }
        return new UserMap(users);
    }

    SortedSet<String> of(String account) {
        return new TreeSet<>(users.getOrDefault(account, List.of(account)));
    }
}

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

/** Which Linux users may run jobs in an account's reservations: the one of the same name, unless a file says otherwise. */
final class UserMap {

    /** Nobody has another name. */
    static final UserMap SAME = new UserMap(Map.of());

    private final Map<String, List<String>> users;

    private UserMap(Map<String, List<String>> users) {
        this.users = users;
    }

    /**
     * A file of lines such as {@code climate ada,bob}; what follows a # is a remark.
     *
     * @throws UnusableOption if it cannot be read, or a line is none
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
                    throw new UnusableOption("Line %d of %s is no account and its users, such as: climate ada,bob"
                            .formatted(number, file));
                }
                users.put(words[0], List.of(words[1].split(",")));
            }
        } catch (IOException e) {
            throw new UnusableOption("The users cannot be read from %s: %s".formatted(file, e.getMessage()));
        }
        return new UserMap(users);
    }

    SortedSet<String> of(String account) {
        return new TreeSet<>(users.getOrDefault(account, List.of(account)));
    }
}

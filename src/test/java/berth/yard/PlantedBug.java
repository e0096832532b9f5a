package berth.yard;

import berth.ChangedProgram;
import berth.scheduling.FundsHistory;
import berth.scheduling.LossHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A plausible bug, planted to see whether the yard finds it, or the random oracle.
 *
 * @param name a description of the bug
 * @param file the file, relative to the project's directory
 * @param asItStands the original text, which occurs once; line breaks do not matter
 * @param withTheBug the replacement
 * @param histories plays the history of a seed
 */
record PlantedBug(
        String name,
        Path file,
        String asItStands,
        String withTheBug,
        Class<? extends Function<Long, Optional<String>>> histories) {

    /** Returns a bug in the service. */
    static PlantedBug inMain(String name, String file, String asItStands, String withTheBug) {
        return new PlantedBug(name, Path.of("src/main/java/berth", file), asItStands, withTheBug, History.class);
    }

    /** Returns a bug in the yard's simulated database. */
    static PlantedBug inTheDatabase(String name, String asItStands, String withTheBug) {
        return new PlantedBug(
                name, Path.of("src/test/java/berth/engine/MemoryLedger.java"), asItStands, withTheBug, History.class);
    }

    /** Returns a bug in the schedule, which the random oracle must find. */
    static PlantedBug inASchedule(String name, String file, String asItStands, String withTheBug) {
        return new PlantedBug(name, Path.of("src/main/java/berth", file), asItStands, withTheBug, LossHistory.class);
    }

    /** Returns a bug in what a project pays, which the random oracle must find. */
    static PlantedBug inABudget(String name, String file, String asItStands, String withTheBug) {
        return new PlantedBug(name, Path.of("src/main/java/berth", file), asItStands, withTheBug, FundsHistory.class);
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Plants the bug in separately loaded classes, which leave the running ones unchanged.
     *
     * @param directory the directory for the compiled classes
     * @return the result of a seed with the bug, see {@link History}
     */
    Function<Long, Optional<String>> plant(Path directory) throws IOException, ReflectiveOperationException {
        var loader = ChangedProgram.load(directory, List.of(change()));
        return histories(
                loader.loadClass(histories.getName()).getDeclaredConstructor().newInstance());
    }

    @SuppressWarnings("unchecked")
    private static Function<Long, Optional<String>> histories(Object history) {
        return (Function<Long, Optional<String>>) history;
    }

    /** Returns the source with the bug. */
    String planted() throws IOException {
        return change().applied();
    }

    private ChangedProgram.Edit change() {
        return new ChangedProgram.Edit(file, asItStands, withTheBug);
    }
}

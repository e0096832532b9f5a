package berth.terminal;

import java.io.Console;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far a program is, for whoever looks on. Thread-safe. */
public interface Progress extends AutoCloseable {
    int WIDTH = 100;

    /** One more of its steps is done. */
    void step();

    @Override
    void close();

    /** A bar on the error stream where somebody sits at a terminal, else nothing. */
    static Progress of(String program, int steps) {
        return isAtTerminal() ? bar(program, steps) : hidden();
    }

    /**
     * A bar on the error stream where somebody sits at a terminal, else a line now and then, each with the time left if the
     * steps to come take as long as those that are done.
     */
    static Progress ofLongWork(String program, int steps) {
        return isAtTerminal() ? bar(program, steps) : new ProgressLines(program, steps, System.err, System::nanoTime);
    }

    private static Progress bar(String program, int steps) {
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(program)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .showSpeed()
                .build();
        return new Progress() {
            @Override
            public void step() {
                bar.step();
            }

            @Override
            public void close() {
                bar.close();
            }
        };
    }

    /** Shows nothing. */
    static Progress hidden() {
        return new Progress() {
            @Override
            public void step() {}

            @Override
            public void close() {}
        };
    }

    @SuppressWarnings("SystemConsoleNull") // it is null where -Djdk.console=java.base is given
    private static boolean isAtTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}

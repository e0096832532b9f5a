package berth.lab.progress;

import java.io.Console;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows the progress of a program. Thread-safe. */
public interface ProgressDisplay extends AutoCloseable {
    int WIDTH = 100;

    /** Records that one more step is done. */
    void step();

    @Override
    void close();

    /** Returns a progress bar on the error stream if the program runs at a terminal; otherwise shows nothing. */
    static ProgressDisplay of(String program, int steps) {
        return isAtTerminal() ? bar(program, steps) : hidden();
    }

    /**
     * Returns a progress bar on the error stream if the program runs at a terminal; otherwise prints a line from time to time. Both show
     * the time left, assuming that the remaining steps take as long as the earlier ones.
     */
    static ProgressDisplay ofLongWork(String program, int steps) {
        return isAtTerminal() ? bar(program, steps) : new ProgressLines(program, steps, System.err, System::nanoTime);
    }

    private static ProgressDisplay bar(String program, int steps) {
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(program)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .showSpeed()
                .build();
        return new ProgressDisplay() {
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

    /** Returns a progress display that shows nothing. */
    static ProgressDisplay hidden() {
        return new ProgressDisplay() {
            @Override
            public void step() {}

            @Override
            public void close() {}
        };
    }

    @SuppressWarnings("SystemConsoleNull") // null if -Djdk.console=java.base is given
    private static boolean isAtTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}

package berth.replay;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far the run is, for whoever looks on. Thread-safe. */
interface Progress extends AutoCloseable {
    int WIDTH = 100;

    /** One more request is done with. */
    void step();

    @Override
    void close();

    /** A bar on the error stream. */
    static Progress bar(int requests) {
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("replay")
                .setInitialMax(requests)
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
}

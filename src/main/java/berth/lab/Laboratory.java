package berth.lab;

import berth.Berth;
import berth.lab.experiment.advisor.AdvisorCommand;
import berth.lab.replay.ReplayCommand;
import picocli.CommandLine;

/** The program of {@code berth-lab.jar}: Berth with the commands of the laboratory. */
public final class Laboratory {
    private Laboratory() {}

    public static void main(String[] args) {
        Berth.run(Laboratory::commands, args);
    }

    static CommandLine commands() {
        return Berth.commands(new ReplayCommand(), new AdvisorCommand(), new ExperimentCommand());
    }
}

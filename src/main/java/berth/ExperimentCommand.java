package berth;

import berth.experiment.adaptive.AdaptiveCommand;
import berth.experiment.all.AllCommand;
import berth.experiment.flexible.FlexibleCommand;
import berth.experiment.juggling.ExactCommand;
import berth.experiment.priority.PriorityCommand;
import berth.experiment.slots.SlotCommand;
import berth.experiment.whatif.CalibrationCommand;
import berth.experiment.whatif.WhatIfCommand;
import picocli.CommandLine.Command;

/** {@code berth experiment}: runs the experiments of the papers, each under the number of its paper, and further ones. */
@Command(
        name = "experiment",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "PAPER",
        description = "Repeats the experiments of a paper with Berth's scheduler and checks the paper's claims.",
        subcommands = {
            AllCommand.class,
            FlexibleCommand.class,
            WhatIfCommand.class,
            PriorityCommand.class,
            AdaptiveCommand.class,
            SlotCommand.class,
            ExactCommand.class,
            CalibrationCommand.class
        })
final class ExperimentCommand {}

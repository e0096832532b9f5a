package berth.lab;

import berth.lab.experiment.adaptive.AdaptiveCommand;
import berth.lab.experiment.all.AllCommand;
import berth.lab.experiment.flexible.FlexibleCommand;
import berth.lab.experiment.juggling.ExactCommand;
import berth.lab.experiment.prices.PricesCommand;
import berth.lab.experiment.priority.PriorityCommand;
import berth.lab.experiment.slots.SlotCommand;
import berth.lab.experiment.whatif.CalibrationCommand;
import berth.lab.experiment.whatif.WhatIfCommand;
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
            CalibrationCommand.class,
            PricesCommand.class
        })
final class ExperimentCommand {}

package berth.availability;

import berth.availability.Load.Booked;
import berth.time.Slot;
import java.util.Optional;

/** A structure that can be searched and changed under a {@link Load}; it changes in place. */
interface Structure {

    /** Returns the earliest fit. */
    Optional<Booked> find(Demand demand);

    void add(Booked booked);

    void delete(Booked booked);

    /** The structure of the service if PEs are counted. */
    final class Profile implements Structure {
        CapacityProfile profile = CapacityProfile.of(Load.PES);

        @Override
        public Optional<Booked> find(Demand demand) {
            var start = profile.earliestFit(demand.window(), demand.duration(), demand.pes());
            return start.isPresent() ? Optional.of(booked(demand, start.getAsLong())) : Optional.empty();
        }

        @Override
        public void add(Booked booked) {
            profile = profile.take(booked.slot(), booked.pes());
        }

        @Override
        public void delete(Booked booked) {
            profile = profile.giveBack(booked.slot(), booked.pes());
        }
    }

    /** The structure with which {@link Profile} is compared: a red-black tree of steps. */
    final class Tree implements Structure {
        final TreeMapProfile profile = new TreeMapProfile(Load.PES);

        @Override
        public Optional<Booked> find(Demand demand) {
            long start = profile.earliestFit(demand.window(), demand.duration(), demand.pes());
            return start == TreeMapProfile.NOWHERE ? Optional.empty() : Optional.of(booked(demand, start));
        }

        @Override
        public void add(Booked booked) {
            profile.change(booked.slot(), -booked.pes());
        }

        @Override
        public void delete(Booked booked) {
            profile.change(booked.slot(), booked.pes());
        }
    }

    /** The structure of the service if PEs are distinguished. */
    final class Calendar implements Structure {
        PeCalendar calendar = PeCalendar.of(Load.PES);

        @Override
        public Optional<Booked> find(Demand demand) {
            return calendar.findAllocation(demand, Load.PES, PlacementPolicy.FIRST_FIT)
                    .map(found -> new Booked(found.slot(), demand.pes(), found.pes()));
        }

        @Override
        public void add(Booked booked) {
            calendar = calendar.addAllocation(new Allocation(booked.slot(), booked.named()));
        }

        @Override
        public void delete(Booked booked) {
            calendar = calendar.deleteAllocation(new Allocation(booked.slot(), booked.named()));
        }
    }

    /** The structure with which {@link Calendar} is compared: that of paper 004. */
    final class PaperList implements Structure {
        private final AvailRectList list = new AvailRectList(Load.PES);

        @Override
        public Optional<Booked> find(Demand demand) {
            return list.findAllocation(demand, Load.PES, PlacementPolicy.FIRST_FIT)
                    .map(found -> new Booked(found.slot(), demand.pes(), found.pes()));
        }

        @Override
        public void add(Booked booked) {
            list.addAllocation(new Allocation(booked.slot(), booked.named()));
        }

        @Override
        public void delete(Booked booked) {
            list.deleteAllocation(new Allocation(booked.slot(), booked.named()));
        }
    }

    private static Booked booked(Demand demand, long start) {
        return new Booked(Slot.of(start, demand.duration()), demand.pes(), PeSet.NONE);
    }
}

package berth.availability;

/** A node with {@value #FEWEST_CHILDREN} to {@value #MAX_CHILDREN} children of one depth; a root may have two. */
final class PeInner extends PeNode {

    static final int FEWEST_CHILDREN = 8;
    static final int MAX_CHILDREN = 32;

    final PeNode[] children;
    final long[] firstTimes;

    private PeInner(PeNode[] children, long[] firstTimes, long[] always, int most) {
        super(firstTimes[0], always, most);
        this.children = children;
        this.firstTimes = firstTimes;
    }

    static PeInner of(PeNode[] children) {
        long[] firstTimes = new long[children.length];
        long[] always = children[0].always.clone();
        int most = 0;
        for (int i = 0; i < children.length; i++) {
            firstTimes[i] = children[i].firstTime;
            and(always, 0, children[i].always, 0, always.length);
            most = Math.max(most, children[i].most);
        }
        return new PeInner(children, firstTimes, always, most);
    }

    /** Returns a node with changed children that differ from the present ones only in the PEs of the change. */
    private PeInner with(PeNode[] changed, PeChange change) {
        long[] sum = always.clone();
        int most = 0;
        for (int word = change.firstWord; word < change.endWord; word++) {
            sum[word] = -1;
        }
        for (var child : changed) {
            most = Math.max(most, child.most);
            for (int word = change.firstWord; word < change.endWord; word++) {
                sum[word] &= child.always[word];
            }
        }
        return new PeInner(changed, firstTimes, sum, most);
    }

    /** Returns the last second that a child covers. */
    private long endOf(int child, long end) {
        return child + 1 < children.length ? firstTimes[child + 1] - 1 : end;
    }

    @Override
    boolean isSmall() {
        return children.length < FEWEST_CHILDREN;
    }

    @Override
    PeLeaf leafAt(long second) {
        return children[Node.floor(firstTimes, second)].leafAt(second);
    }

    @Override
    void narrow(long first, long last, long end, long[] set) {
        for (int i = Node.floor(firstTimes, first); i < children.length && firstTimes[i] <= last; i++) {
            if (first <= firstTimes[i] && endOf(i, end) <= last) {
                and(set, 0, children[i].always, 0, set.length);
            } else {
                children[i].narrow(first, last, endOf(i, end), set);
            }
        }
    }

    @Override
    boolean sweep(PeSearch search, long end) {
        for (int i = Node.floor(firstTimes, search.readyTime()); i < children.length; i++) {
            var child = children[i];
            long last = endOf(i, end);
            boolean goesOn = search.reaches(firstTimes[i])
                    && (search.passesOver(child, last) ? search.goesOn() : child.sweep(search, last));
            if (!goesOn) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean sweepBack(PeSearch search, long second, long end) {
        for (int i = Node.floor(firstTimes, second); i >= 0; i--) {
            long last = endOf(i, end);
            boolean whole = last <= second && search.passesBackOver(children[i]);
            if (!whole && !children[i].sweepBack(search, second, last)) {
                return false;
            }
        }
        return true;
    }

    @Override
    long firstWithout(long[] set, long second) {
        for (int i = Node.floor(firstTimes, second); i < children.length; i++) {
            if (!contains(children[i].always, 0, set)) {
                long found = children[i].firstWithout(set, second);
                if (found < Long.MAX_VALUE) {
                    return found;
                }
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    long freeSince(long[] set, long second, long end) {
        for (int i = Node.floor(firstTimes, second); i >= 0; i--) {
            if (!contains(children[i].always, 0, set)) {
                long found = children[i].freeSince(set, second, endOf(i, end));
                if (found > Long.MIN_VALUE) {
                    return found;
                }
            }
        }
        return Long.MIN_VALUE;
    }

    @Override
    void collect(long first, long last, PeWindow window) {
        for (int i = Node.floor(firstTimes, first); i < children.length && firstTimes[i] <= last; i++) {
            children[i].collect(first, last, window);
        }
    }

    @Override
    PeInner covered(PeChange change) {
        var changed = new PeNode[children.length];
        for (int i = 0; i < changed.length; i++) {
            changed[i] = children[i].covered(change);
        }
        return new PeInner(changed, firstTimes, change.applied(always), most + change.delta);
    }

    @Override
    PeNode[] changed(PeChange change, long end) {
        int from = Node.floor(firstTimes, change.from);
        int to = Node.floor(firstTimes, change.to);
        var changed = new PeChildren(children.length + 2);
        changed.addAll(this, 0, from);
        for (int i = from; i <= to; i++) {
            long last = endOf(i, end);
            if (change.covers(firstTimes[i], last)) {
                changed.add(children[i].covered(change));
            } else {
                changed.add(children[i].changed(change, last));
            }
        }
        if (to + 1 < children.length) {
            changed.add(children[to + 1]); // added on its own, because the child before it may now be small
            changed.addAll(this, to + 2, children.length);
        }
        return changed.hasTimesOf(firstTimes) ? new PeNode[] {with(changed.nodes(), change)} : changed.inners();
    }

    @Override
    PeNode[] join(PeNode right) {
        var next = (PeInner) right;
        var joined = new PeChildren(children.length + next.children.length);
        joined.addAll(this, 0, children.length);
        joined.addAll(next, 0, next.children.length);
        return joined.inners();
    }

    @Override
    int check(boolean isRoot) {
        int size = children.length;
        Node.require(size >= (isRoot ? 2 : FEWEST_CHILDREN) && size <= MAX_CHILDREN, "children of a node", size);
        int levels = 0;
        for (int i = 0; i < size; i++) {
            int childLevels = children[i].check(false);
            Node.require(i == 0 || childLevels == levels, "levels of children", levels, childLevels);
            levels = childLevels;
            Node.require(children[i].firstTime == firstTimes[i], "first time of child", i, firstTimes[i]);
        }
        var fresh = of(children);
        requireSummary(fresh.always, fresh.most);
        return levels + 1;
    }
}

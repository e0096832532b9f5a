-- Collected requests may take a slot outside of their window, and those without a cluster may choose among some clusters.

alter table request
    add leeway_max_phi numeric(10, 6),
    add leeway_earlier boolean,
    add clusters text,
    add check (leeway_max_phi is null or leeway_earlier is not null),
    add check (clusters is null or cluster is null);
comment on column request.leeway_max_phi is 'how far from its window it takes a slot, in run times; null: as far as the cluster offers alternatives';
comment on column request.leeway_earlier is 'whether before its window, too; null: it takes no slot outside of its window';
comment on column request.clusters is 'those that may be asked, with commas between; null: all';

-- PEs may be had by whole nodes, and nodes have names.

alter table cluster
    add granule int not null default 1 check (granule >= 1),
    add pe_names text;
comment on column cluster.granule is 'how many PEs a node is; what takes PEs takes whole nodes';
comment on column cluster.pe_names is 'what the nodes are called, in the order of their PEs, as Slurm writes them; null: they have no names';

alter table cluster_version
    add granule int not null default 1,
    add pe_names text;

alter table cluster
    alter granule drop default;
alter table cluster_version
    alter granule drop default;

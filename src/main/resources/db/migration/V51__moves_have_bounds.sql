alter table cluster
    add max_moves_per_reservation integer,
    add max_shift bigint,
    add move_rebate numeric not null default 0;
comment on column cluster.max_moves_per_reservation is 'how often a reservation may be moved for others; null for any number';
comment on column cluster.max_shift is 'by how much a move may make a reservation begin sooner or end later than agreed, in seconds; null for anywhere in its window';
comment on column cluster.move_rebate is 'the share of its price that a reservation gets back for each move';
alter table cluster_version
    add max_moves_per_reservation integer,
    add max_shift bigint,
    add move_rebate numeric not null default 0;
comment on column cluster_version.max_moves_per_reservation is 'how often a reservation may be moved for others; null for any number';
comment on column cluster_version.max_shift is 'by how much a move may make a reservation begin sooner or end later than agreed, in seconds; null for anywhere in its window';
comment on column cluster_version.move_rebate is 'the share of its price that a reservation gets back for each move';
alter table request
    add max_moves integer,
    add max_shift bigint;
comment on column request.max_moves is 'how often the reservation may be moved for others; null for as often as the cluster allows';
comment on column request.max_shift is 'by how much a move may make the reservation begin sooner or end later than agreed, in seconds; null for as far as the cluster allows';

-- How runs that are moved are shaped, who is pulled forward, how many may be moved, how many book ahead, and what shapes earn.

-- a cluster that was there before goes on as it did
alter table cluster
    add reshaping      text           not null default 'WHERE_NEEDED',
    add pull_forward   boolean        not null default false,
    add max_moves      integer        check (max_moves > 0),
    add advance_share  numeric(7, 6)  not null default 1,
    add shape_discount numeric(19, 6) not null default 0;
comment on column cluster.reshaping is 'whether runs that are placed anew may change their shape';
comment on column cluster.pull_forward is 'whether the waiting queue is placed anew when PEs become free early';
comment on column cluster.max_moves is 'the most reservations that one request may move; null: as many as it takes';
comment on column cluster.advance_share is 'the share of the runs that may be booked ahead';

alter table cluster_version
    add reshaping      text           not null default 'WHERE_NEEDED',
    add pull_forward   boolean        not null default false,
    add max_moves      integer,
    add advance_share  numeric(7, 6)  not null default 1,
    add shape_discount numeric(19, 6) not null default 0;

alter table cluster
    alter reshaping drop default,
    alter pull_forward drop default,
    alter advance_share drop default,
    alter shape_discount drop default;
alter table cluster_version
    alter reshaping drop default,
    alter pull_forward drop default,
    alter advance_share drop default,
    alter shape_discount drop default;

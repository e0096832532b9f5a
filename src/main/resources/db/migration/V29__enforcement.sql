-- Whether reservations are put in place on the machine.
alter table cluster
    add enforcement text not null default 'NONE';
comment on column cluster.enforcement is 'whether reservations are put in place on the machine, and what comes of one that is not';

alter table cluster_version
    add enforcement text not null default 'NONE';

alter table cluster
    alter enforcement drop default;
alter table cluster_version
    alter enforcement drop default;

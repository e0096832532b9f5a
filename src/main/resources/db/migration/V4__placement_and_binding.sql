-- Which place a run gets, and which PEs; these as numbers and ranges, ascending and apart, as in 0-31,40.

alter table cluster
    add binding   text not null default 'LATE',
    add placement text not null default 'FIRST_FIT';
comment on column cluster.binding is 'when it is settled which PEs a reservation gets';
comment on column cluster.placement is 'the policy that chooses among the places that fit';

alter table cluster_version
    add binding   text not null default 'LATE',
    add placement text not null default 'FIRST_FIT';
alter table cluster_version
    alter binding drop default,
    alter placement drop default;

-- what runs already has no numbers, and gets none
alter table reservation add pe_ids text;
alter table event add pe_ids text;
comment on column reservation.pe_ids is 'null: not settled yet';

alter table outage add pe_ids text;
comment on column outage.pe_ids is 'null: no particular ones';

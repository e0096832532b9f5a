-- The account of an agent is that of one cluster.
alter table account
    add column cluster text,
    add check ((role = 'AGENT') = (cluster is not null));
comment on column account.cluster is 'whose agent it is';

-- Whoever watches the PEs of a cluster tells which outages there are.
alter table outage
    add column source text;
comment on column outage.source is 'who tells of it again and again; null: an operator has recorded it';
